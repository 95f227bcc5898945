"""DOT that graphgame writes reads back as the same game."""

import re

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import GameGraph, solve
from graphgame.drawing import to_pydot, write_dot
from graphgame.io import parse_game, read_game, write_game
from graphgame.rules.notation import parse_position
from tests.commands import fill, output
from tests.helpers import CHIPS, game
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


@pytest.fixture
def chips():
    return solve(nx.DiGraph(CHIPS), tokens=[1, 2, 4, 6])


def test_a_selection_reads_back_with_the_tokens_in_it(chips, tmp_path):
    write_dot(chips, tmp_path / "game.dot", reachable_from=[4])
    graph = read_game(tmp_path / "game.dot")
    assert (sorted(graph.edges), graph.tokens) == ([(4, 5)], (4,))


def test_it_reads_back_without_them(chips, tmp_path):
    write_dot(chips, tmp_path / "game.dot", around=[3], steps=1)
    assert set(read_game(tmp_path / "game.dot").edges) == {(1, 3), (1, 5), (3, 5), (3, 6)}


def test_its_own_text_reads_back(chips, tmp_path):
    (tmp_path / "a.dot").write_text(to_pydot(chips).to_string())
    back = read_game(tmp_path / "a.dot")
    assert (set(back.edges), back.tokens) == (set(CHIPS), (1, 2, 4, 6))


@pytest.mark.parametrize(
    ("text", "value", "moves"), [("cutting(4x2)", 1, 3), ("treblecross(.X...)", 1, 3), ("whiteboard{3}(4)", 3, 2)]
)
def test_positions_that_end_play_do_so_in_what_is_read_back(tmp_path, text, value, moves):
    drawn = solve(text)
    write_dot(drawn, tmp_path / "a.dot")
    back = solve(read_game(tmp_path / "a.dot"))
    for solution in (drawn, back):
        (token,) = solution.tokens
        assert (solution.grundy[token], solution.sum_remoteness()) == (value, moves)


def test_draw_the_sum_itself():
    graph = parse_game(output("draw", "nim(2,1)", "--product"), "dot")
    assert set(graph) == {"2 + 1", "1 + 1", "2", "1", "()"}
    assert set(graph["2 + 1"]) == {"1 + 1", "2", "1"}
    assert solve(graph).winner == "first"


def test_the_product_of_a_files_tokens(tmp_path):
    fill(tmp_path)
    graph = parse_game(output("draw", str(tmp_path / "chips.txt"), "--product", "--tokens", "4 4"), "dot")
    assert set(graph) == {"4 + 4", "4", "()"}


def test_a_graph_file_keeps_its_sum_vertices(tmp_path):
    path = tmp_path / "sheet.dot"
    write_game(parse_position("cutting(4x2)").graph(texts=True), path)
    position = parse_position(f"{path}@4x2 + nim(1)")
    assert position.grundy == 0
    assert solve(position).winner == "second"
