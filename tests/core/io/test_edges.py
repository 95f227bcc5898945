"""Lines of edges and vertices: the compiled loop and plain Python write the same text."""

from io import StringIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame.compiled import engine
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import as_labels
from graphgame.io.edges import EdgeBlock, EdgeLine, edge_lines, isolated
from graphgame.io.formats import FORMATS

TEXTS = [name for name, format in FORMATS.items() if not format.magic and name not in ("token", "judge")]
INTEGERS = st.integers(-(2**63), 2**63 - 1)
LABELS = st.one_of(
    st.builds(lambda first, count: range(first, first + count), st.integers(-20, 20), st.integers(2, 9)),
    st.lists(INTEGERS, min_size=2, max_size=9, unique=True).map(lambda some: np.array(sorted(some))),
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=9), min_size=2, max_size=9, unique=True),
)


def both(write, monkeypatch):
    """Return what plain Python and the compiled loop write."""
    texts = []
    for least in (1 << 60, 0):
        monkeypatch.setattr(engine, "COMPILED_FROM", least)
        texts.append(write())
    return texts


@st.composite
def blocks(draw):
    labels = as_labels(draw(LABELS))
    vertex = st.integers(0, len(labels) - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex, st.integers(0, 2)), max_size=20))
    source, target, kind = np.array(edges, np.int32).reshape(-1, 3).T.copy()
    return labels, [EdgeBlock(source, target, kind.astype(np.int64)), EdgeBlock(source, target)]


@given(blocks(), st.sampled_from([None, '<id="']))
def test_both_write_the_same(drawn, numbered):
    labels, edges = drawn
    line = EdgeLine("a\N{GREEK SMALL LETTER BETA}", ", ", ["\n", " twice\n", ""], numbered)
    with pytest.MonkeyPatch.context() as monkeypatch:
        plain, compiled = both(lambda: "".join(edge_lines(edges, labels, line, 1)), monkeypatch)
    assert plain == compiled
    number = 0
    for block in edges:
        for x, y, k in zip(block.source, block.target, block.kind if len(block.kind) else [0] * 99, strict=False):
            shown = "" if numbered is None else f"{numbered}{number}"
            start = f"{shown}{line.before}{labels[x]}, {labels[y]}{line.after[k]}"
            assert plain.startswith(start)
            plain, number = plain[len(start) :], number + 1
    assert not plain


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(
    "positions",
    [
        range(1, 6),
        range(-(2**63), -(2**63) + 5),
        np.array([-7, 0, 3, 2**62, 2**63 - 1]),
        ["a,b", "ü", 'q"', "x y", "<&>"],
    ],
)
def test_formats(name, positions, monkeypatch):
    graph = GameGraph.from_arrays([0, 0, 1, 3], [1, 2, 2, 2], positions, tokens=[positions[3]])

    def written():
        stream = StringIO()
        FORMATS[name].write(graph, stream)
        return stream.getvalue()

    plain, compiled = both(written, monkeypatch)
    assert plain == compiled


def test_isolated():
    assert isolated(GameGraph.from_arrays([0], [2], 4)) == [1, 3]
