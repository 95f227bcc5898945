"""``solve --verdict`` of a token file needs no graph, and says what the graph says."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphgame
from graphgame.cli.common import Game
from graphgame.compiled import engine
from graphgame.io import parse_game
from graphgame.labs.scale import tokenvalues
from graphgame.labs.scale.cli.verdict import verdict_of_file
from tests.helpers import needs


@st.composite
def token_files(draw: st.DrawFn) -> str:
    """Return a token file of a graph without cycles, its vertices numbered at random, with parallel edges."""
    vertices = draw(st.integers(1, 9))
    name = draw(st.permutations(range(1, vertices + 1)))
    pairs = draw(st.lists(st.tuples(st.integers(0, vertices - 1), st.integers(0, vertices - 1)), max_size=30))
    edges = [(name[max(pair)], name[min(pair)]) for pair in pairs if pair[0] != pair[1]]
    tokens = draw(st.lists(st.integers(1, vertices), min_size=1, max_size=4))
    lines = [(vertices, len(edges), len(tokens)), *edges, tokens]
    return "\n".join(" ".join(map(str, line)) for line in lines) + "\n"


def verdict_of(folder: Path, text: str) -> str | None:
    path = folder / "game.txt"
    path.write_text(text)
    return verdict_of_file(Game(str(path)))


@contextmanager
def by_loops(block: int = 32) -> Iterator[None]:
    """Let the compiled loops tell the verdict of a file however small, in blocks of few bytes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graphgame.labs.scale.cli.verdict._MAX_BYTES_OF_PLAIN", -1)
        patch.setattr(engine, "COMPILED_FROM", 0)
        patch.setattr(tokenvalues, "_BYTES_AT_A_TIME", block)
        yield


@pytest.mark.long
@given(text=token_files())
def test_it_is_the_verdict_of_the_graph(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("verdict")
    expected = "win" if graphgame.solve(parse_game(text, "token")).nim_sum else "lose"
    assert verdict_of(folder, text) == expected
    header, rest = text.split("\n", 1)
    with by_loops():
        assert verdict_of(folder, text) == expected
        assert verdict_of(folder, f"{header}\r\n" + rest.replace(" ", "\n\t ")) == expected
        assert verdict_of(folder, f"{header}\n" + re.sub(r"(\d+)", r"00000000\1", rest)) == expected
        assert verdict_of(folder, f"{header}\n# a comment\n{rest}") is None
    assert verdict_of(folder, f"# a game\n{text}") is None


@needs("numba")
def test_values_from_64_on_and_many_buckets(tmp_path: Path) -> None:
    vertices, last = 150, 150_000
    edges = [(x, y) for x in range(1, vertices) for y in range(x + 1, vertices + 1)] + [(last, 1), (last, last - 1)]
    lines = [f"{last} {len(edges)} 2", *(f"{x} {y}" for x, y in edges), f"1 {last}"]
    graph = graphgame.solve(parse_game("\n".join(lines), "token"))
    assert [graph.grundy[v] for v in (1, last)] == [149, 1]
    for token, other, expected in ((1, 65, "win"), (last, 149, "lose"), (2, 2, "lose")):
        lines[-1] = f"{token} {other}"
        with by_loops(1 << 12):
            assert verdict_of(tmp_path, "\n".join(lines)) == expected


@needs("numba")
def test_a_file_just_too_large_for_plain_python_is_read_by_loops(tmp_path: Path) -> None:
    assert verdict_of(tmp_path, "3 600000 1\n" + "1 2\n" * 600_000 + "1\n") == "win"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2 1 1\n1 2",
        "2 1 1\n1 3\n1",
        "2 1 0\n1 2\n",
        "2 2 1\n1 2\n2 1\n1",  # a cycle
        "2 1 1\n1 2\n0\n",
        "2 1 1\n1 -2\n1\n",
        "2 1 1\n1 2\n1 1\n",
        "2\n1 1\n1 2\n1\n",  # no header in a line: another format
        f"2 1 1\n1 {'0' * 18}2\n1\n",
        "99999999999 0 1\n1\n",
    ],
)
def test_what_is_no_game_with_an_end_is_left_to_the_readers(tmp_path: Path, text: str) -> None:
    assert verdict_of(tmp_path, text) is None
    with by_loops():
        assert verdict_of(tmp_path, text) is None


@needs("numba")
def test_it_loads_neither_networkx_nor_numpy(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("3 2 1\n1 2\n2 3\n1\n")
    program = (
        "import sys; from graphgame.compiled import engine; from graphgame.cli import main; "
        "from graphgame.labs.scale.cli import verdict; "
        "verdict._MAX_BYTES_OF_PLAIN, engine.COMPILED_FROM = int(sys.argv[2]), 0; "
        "main(['solve', sys.argv[1], '--verdict'], standalone_mode=False); print(*sys.modules)"
    )
    for least in (99, 0, 0):  # the loops are compiled by the second run, if not before
        command = [sys.executable, "-c", program, str(path), str(least)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        verdict, loaded = done.stdout.splitlines()
        assert verdict == "lose"
    assert not {"networkx", "numpy"} & set(loaded.split())
