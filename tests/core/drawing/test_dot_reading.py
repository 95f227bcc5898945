"""DOT that graphgame writes reads back as the same game."""

import re

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import GameGraph, solve
from graphgame.drawing import write_dot
from graphgame.io import read_game
from tests.helpers import game
from tests.strategies import dags_with_sums


def contents(graph):
    return dict(graph.nodes(data=True)), {(a, b): dict(data) for a, b, data in graph.edges(data=True)}


def test_positions_keep_their_type_and_tokens_their_order(tmp_path):
    for labels in ([3, 1, 2], ["3", "1", "2"], [(1, 2), (0, 1), ()]):
        graph = GameGraph(nx.DiGraph([labels[:2], labels[1:]]), tokens=[labels[2], labels[0], labels[2]])
        write_dot(solve(graph), tmp_path / "a.dot.gz")
        back = read_game(tmp_path / "a.dot.gz")
        assert (list(back), back.tokens) == (list(graph), graph.tokens)
        assert contents(back) == contents(graph)


@pytest.mark.long
@given(dags_with_sums(), st.booleans())
@settings(max_examples=25)
def test_any_game(tmp_path_factory, drawn, solved):
    options, sums = drawn
    graph = game(options, sums, tokens=[v for v in options if v not in sums])
    path = tmp_path_factory.mktemp("dot") / "game.dot"
    write_dot(solve(graph) if solved else graph, path)
    back = read_game(path)
    assert back.tokens == graph.tokens
    assert contents(back) == contents(graph)


@pytest.mark.long
@given(st.lists(st.text(), min_size=1, max_size=6, unique=True))
@settings(max_examples=50)
def test_any_label(tmp_path_factory, labels):
    path = tmp_path_factory.mktemp("dot") / "game.dot"
    graph = nx.DiGraph({label: [] for label in labels})
    write_dot(graph, path)
    assert list(read_game(path)) == labels


def test_a_large_graph(tmp_path):
    rng = np.random.default_rng(1)
    ends = np.sort(rng.integers(0, 20_000, (2, 100_000)), axis=0)
    target, source = ends[:, ends[0] < ends[1]]
    solution = solve(GameGraph.from_arrays(source, target, 20_000, tokens=[19_999]))
    write_dot(solution, tmp_path / "large.dot")
    text = (tmp_path / "large.dot").read_text()
    edges = [(int(start), int(end)) for start, end in re.findall(r"^n(\d+) -> n(\d+)\b", text, re.MULTILINE)]
    assert sorted(edges) == sorted(solution.graph.edges)
    positions = re.findall(r'^n(\d+) \[.*,position="(\d+)"', text, re.MULTILINE)
    assert positions == [(str(v), str(v)) for v in range(20_000)]
