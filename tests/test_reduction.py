"""Reduction: equal positions merged, heaps of Nim, fewest moves, isomorphism."""

import json
from functools import cache
from itertools import combinations

import networkx as nx
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import Compound, CycleError, GameGraph, LimitError, OptionError, isomorphism, reduce, solve, thin
from graphgame.cli import main
from graphgame.notation import parse_position
from graphgame.ruleset import MAX_MOVES
from graphgame.theory import reduction
from tests.helpers import CHIPS, game
from tests.strategies import dags, dags_with_sums, dags_with_tokens


def tree_of(options, sums=()):
    """Return a function that gives a vertex its game as nested sets; sums are multisets of parts that have a move."""

    @cache
    def tree(vertex):
        ends = [tree(option) for option in options[vertex]]
        if vertex not in sums:
            return frozenset(ends)
        parts = sorted((part for end in ends for part in (end if isinstance(end, tuple) else (end,)) if part), key=repr)
        return parts[0] if len(parts) == 1 else tuple(parts) or frozenset()

    return tree


@given(dags_with_sums())
def test_equal_positions_are_merged_and_no_others(with_sums):
    options, sums = with_sums
    tree, small = tree_of(options, sums), reduce(game(options, sums))
    for a, b in combinations(options, 2):
        assert (small.image[a] == small.image[b]) == (tree(a) == tree(b))
    for vertex in small.graph:
        assert vertex in small.members(vertex)
        assert {tree(member) for member in small.members(vertex)} == {tree(vertex)}
        assert all(small.image[member] == vertex for member in small.members(vertex))


@pytest.mark.parametrize("play", ["normal", "misere"])
@given(with_sums=dags_with_sums())
def test_all_values_stay(play, with_sums):
    options, sums = with_sums
    large, small = game(options, sums), reduce(game(options, sums), play="misere")
    before, after = solve(large, play=play), solve(small.graph, play=play)
    for vertex in options:
        assert before.grundy[vertex] == after.grundy[small.image[vertex]]
        assert before.remoteness[vertex] == after.remoteness[small.image[vertex]]


@given(dags_with_tokens(), st.sampled_from(["normal", "misere"]))
def test_the_tokens_sum_stays(with_tokens, play):
    options, tokens = with_tokens
    large = game(options, tokens=tokens)
    assert solve(reduce(large).graph, play=play).winner == solve(large, play=play).winner
    assert solve(reduce(large, play="normal").graph).nim_sum == solve(large).nim_sum


@pytest.mark.parametrize("sign", ["&", "&&", "|", "||", ":"])
@settings(max_examples=20)
@given(options=dags(), data=st.data())
def test_compounds_stay(sign, options, data):
    start = data.draw(st.sampled_from(sorted(options)))
    large = game(options, tokens=[start])
    before, after = (Compound(sign, [graph, graph]) for graph in (large, reduce(large).graph))
    assert before.outcome_form(before.start) == after.outcome_form(after.start)
    assert before.misere_outcome_form(before.start) == after.misere_outcome_form(after.start)


@given(dags_with_sums())
def test_heaps_of_nim(with_sums):
    options, sums = with_sums
    large = game(options, sums)
    small, values = reduce(large, play="normal"), solve(large).grundy
    largest = max(values.values())
    assert isomorphism(small.graph, GameGraph({n: list(range(n)) for n in range(largest + 1)})) is not None
    for vertex in options:
        assert small.image[vertex] == f"*{values[vertex]}"
        assert vertex in small.members(small.image[vertex])


@given(dags(6, 10))
def test_heaps_of_nim_are_the_smallest(options):
    """A graph with a value k has all smaller ones, and each of them needs as many options as it is large."""
    small = reduce(game(options), play="normal").graph
    largest = len(small) - 1
    assert small.number_of_edges() == largest * (largest + 1) // 2
    assert len(options) >= len(small)
    assert game(options).number_of_edges() >= small.number_of_edges()


@given(dags_with_sums())
def test_thin(with_sums):
    options, sums = with_sums
    large = game(options, sums)
    small, values = thin(large), solve(large).grundy
    assert dict(solve(small).grundy) == dict(values)
    assert all(small.has_edge(*edge) <= large.has_edge(*edge) for edge in small.edges)
    assert all(small.out_degree(v) == values[v] for v in options if v not in sums)


def test_the_worked_example():
    small = reduce(GameGraph(CHIPS, tokens=[1, 2, 4, 6]))
    assert list(small.graph) == [2, 1, 4, 5]
    assert (small.members(4), small.members(5), small.graph.tokens) == ([4, 3], [5, 6], (1, 2, 4, 5))
    assert repr(small) == "<Reduction: 6 vertices to 4>"


def test_ordinary_graphs_and_empty_ones():
    for play in (None, "normal"):
        assert len(reduce(nx.DiGraph(CHIPS), play=play).graph) < 6
        assert len(reduce(GameGraph(), play=play).graph) == 0
    assert len(thin(GameGraph())) == 0
    assert isomorphism(GameGraph(), nx.DiGraph()) == {}


def test_a_long_game_needs_no_recursion():
    path = GameGraph((n, n + 1) for n in range(20_000))
    assert len(reduce(path).graph) == 20_001
    assert len(reduce(path, play="normal").graph) == 2


def test_faults(monkeypatch):
    with pytest.raises(OptionError, match="unknown play 'loopy'"):
        reduce(GameGraph(CHIPS), play="loopy")
    for work in (reduce, thin, lambda graph: reduce(graph, play="normal"), lambda graph: isomorphism(graph, graph)):
        with pytest.raises(CycleError):
            work(GameGraph([(1, 2), (2, 1)]))
    monkeypatch.setattr(reduction, "MAX_MOVES", 5)
    assert MAX_MOVES > 5
    with pytest.raises(LimitError, match="largest value is 4"):
        reduce(GameGraph({n: range(n) for n in range(5)}), play="normal")


@given(dags_with_sums(7, 12), st.data())
def test_isomorphism_of_renamed_graphs(with_sums, data):
    options, sums = with_sums
    name = data.draw(st.permutations(sorted(options)))
    renamed = {name[v]: [name[w] for w in ends] for v, ends in options.items()}
    first, second = game(options, sums), game(dict(sorted(renamed.items())), {name[v] for v in sums})
    found = isomorphism(first, second)
    assert sorted(found) == sorted(found.values()) == sorted(options)
    assert {(found[a], found[b]): data for a, b, data in first.edges(data=True)} == {
        (a, b): data for a, b, data in second.edges(data=True)
    }
    assert all(first.is_sum(v) == second.is_sum(found[v]) for v in options)


@settings(max_examples=80)
@given(dags(4, 4), dags(4, 4))
def test_isomorphism_against_networkx(one, other):
    expected = nx.is_isomorphic(nx.DiGraph(game(one)), nx.DiGraph(game(other)))
    assert (isomorphism(game(one), game(other)) is not None) == expected


def test_games_with_the_same_graph():
    same = parse_position("nim(5)").graph(), parse_position("take{any}(5)").graph()
    assert isomorphism(*same) == {n: n for n in range(6)}
    assert isomorphism(same[0], parse_position("bash{4}(5)").graph()) is None


class TestCommandLine:
    def run(self, *arguments):
        result = CliRunner().invoke(main, ["reduce", *map(str, arguments)])
        return result.exit_code, result.stdout

    def test_members(self):
        code, said = self.run("samples/chips.txt")
        assert (code, said.splitlines()) == (
            0,
            ["1", "2", "3 = 4", "5 = 6", "", "6 positions and 8 moves; reduced to 4 positions and 5 moves"],
        )

    def test_heaps_and_thin(self):
        assert "*3 = " in self.run("kayles(7)", "--to", "heaps")[1]
        assert self.run("samples/chips.txt", "--to", "thin")[1].endswith("reduced to 6 positions and 4 moves\n")

    def test_a_graph_file(self, tmp_path):
        assert self.run("samples/chips.txt", "-o", tmp_path / "out.json")[0] == 0
        nodes = json.loads((tmp_path / "out.json").read_text())["nodes"]
        assert [node["id"] for node in nodes] == [1, 2, 3, 5]

    def test_numbered_anew(self, tmp_path):
        assert self.run("samples/chips.txt", "-o", tmp_path / "out.txt")[0] == 2
        assert self.run("samples/chips.txt", "-o", tmp_path / "out.txt", "--relabel")[0] == 0
        assert (tmp_path / "out.txt").read_text().splitlines()[0] == "4 5 4"

    def test_a_picture_names_the_members(self, tmp_path):
        assert self.run("samples/chips.txt", "-o", tmp_path / "out.svg")[0] == 0
        assert "5 = 6" in (tmp_path / "out.svg").read_text()

    def test_isomorphic(self):
        assert self.run("nim(2)", "--isomorphic-to", "bash{2}(2)") == (0, "isomorphic\n")
        assert self.run("nim(2)", "--isomorphic-to", "bash{2}(3)") == (0, "not isomorphic\n")

    def test_errors_leave_no_file(self, tmp_path):
        assert self.run("samples/cycle.edges", "-o", tmp_path / "out.svg")[0] == 2
        assert self.run("samples/chips.txt", "-o", tmp_path / "out.unknown")[0] == 2
        assert list(tmp_path.iterdir()) == []
