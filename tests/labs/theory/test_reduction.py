"""Reduction: equal positions merged, heaps of Nim, fewest moves, isomorphism."""

import json
import random
from functools import cache
from itertools import combinations, permutations, product

import networkx as nx
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import GameGraph, solve
from graphgame.cli import main
from graphgame.errors import CycleError, LimitError, ParameterError
from graphgame.labs.theory import Compound, isomorphism, reduce, reduction, thin
from graphgame.rules import MAX_MOVES
from graphgame.rules.notation import parse_position
from graphgame.solution.sums import refuse_endless_sums
from tests.helpers import CHIPS, game
from tests.strategies import dags, dags_with_sums, dags_with_tokens, digraphs, digraphs_with_sums


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


@pytest.mark.parametrize("misere", [False, True])
@given(with_sums=dags_with_sums())
def test_all_values_stay(misere, with_sums):
    options, sums = with_sums
    large, small = game(options, sums), reduce(game(options, sums))
    before, after = solve(large, misere=misere), solve(small.graph, misere=misere)
    for vertex in options:
        assert before.grundy[vertex] == after.grundy[small.image[vertex]]
        assert before.remoteness[vertex] == after.remoteness[small.image[vertex]]


@given(dags_with_tokens(), st.booleans())
def test_the_tokens_sum_stays(with_tokens, misere):
    options, tokens = with_tokens
    large = game(options, tokens=tokens)
    assert solve(reduce(large).graph, misere=misere).winner == solve(large, misere=misere).winner
    assert solve(reduce(large, heaps=True).graph).nim_sum == solve(large).nim_sum


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
    small, values = reduce(large, heaps=True), solve(large).grundy
    largest = max(values.values())
    assert isomorphism(small.graph, GameGraph({n: list(range(n)) for n in range(largest + 1)})) is not None
    for vertex in options:
        assert small.image[vertex] == f"*{values[vertex]}"
        assert vertex in small.members(small.image[vertex])


@given(dags(6, 10))
def test_heaps_of_nim_are_the_smallest(options):
    """A graph with a value k has all smaller ones, and each of them needs as many options as it is large."""
    small = reduce(game(options), heaps=True).graph
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
    for heaps in (False, True):
        assert len(reduce(nx.DiGraph(CHIPS), heaps=heaps).graph) < 6
        assert len(reduce(GameGraph([]), heaps=heaps).graph) == 0
    assert len(thin(GameGraph([]))) == 0
    assert isomorphism(GameGraph([]), nx.DiGraph()) == {}


def test_a_long_game_needs_no_recursion():
    path = GameGraph((n, n + 1) for n in range(20_000))
    assert len(reduce(path).graph) == 20_001
    assert len(reduce(path, heaps=True).graph) == 2


def bisimilar(options, sums=()):
    """Return the largest relation in which equal vertices answer each other's moves; equal sums, part by part."""

    def parts(vertex):
        if vertex in sums:
            return [part for end in options[vertex] for part in parts(end)]
        return [vertex] if options[vertex] else []

    def answered(a, b):
        return all(any((x, y) in related for y in options[b]) for x in options[a])

    def fits(a, b):
        if len(a) == len(b) == 1:
            return answered(a[0], b[0]) and answered(b[0], a[0])
        return len(a) == len(b) and any(related.issuperset(zip(a, order, strict=True)) for order in permutations(b))

    moving = {vertex: parts(vertex) for vertex in options}
    related = set(product(options, options))
    while wrong := {(a, b) for a, b in related if not fits(moving[a], moving[b])}:
        related -= wrong
    return related


def merged(options, sums=()):
    image = reduce(game(options, sums)).image
    return {(a, b) for a, b in product(options, options) if image[a] == image[b]}


class TestCycles:
    @settings(max_examples=200)
    @given(digraphs(8))
    def test_equal_positions_are_merged_and_no_others(self, options):
        assert merged(options) == bisimilar(options)

    @given(digraphs_with_sums(), digraphs(5), st.data())
    def test_sums(self, with_sums, options, data):
        assert merged(*with_sums) == bisimilar(*with_sums)
        sums = data.draw(st.sets(st.sampled_from(sorted(options))))
        try:
            refuse_endless_sums(game(options, sums))
        except LimitError:
            with pytest.raises(LimitError, match="the sum"):
                reduce(game(options, sums))
        else:
            assert merged(options, sums) == bisimilar(options, sums)

    @given(dags_with_sums(6))
    def test_without_a_cycle_it_is_the_same_relation(self, with_sums):
        assert merged(*with_sums) == bisimilar(*with_sums)

    @given(digraphs(8), st.booleans())
    def test_all_values_stay(self, options, misere):
        small = reduce(game(options, tokens=sorted(options)[:1]))
        before, after = (solve(graph, misere=misere, loopy=True) for graph in (small.source, small.graph))
        assert before.winner == after.winner
        for name in ("grundy", "outcome", "remoteness"):
            one, other = getattr(before, name), getattr(after, name)
            assert dict(one) == {vertex: other[small.image[vertex]] for vertex in options}

    @given(digraphs_with_sums())
    def test_values_of_sums_stay(self, with_sums):
        large = game(*with_sums)
        small = reduce(large)
        before, after = (solve(graph, loopy=True).grundy for graph in (large, small.graph))
        assert dict(before) == {vertex: after[small.image[vertex]] for vertex in with_sums[0]}

    @given(digraphs(8))
    def test_a_reduced_graph_cannot_be_reduced(self, options):
        small = reduce(game(options))
        again = reduce(small.graph)
        assert (list(again.graph), list(again.graph.edges)) == (list(small.graph), list(small.graph.edges))
        assert all(small.image[member] == vertex for vertex in small.graph for member in small.members(vertex))

    def test_a_large_graph_beside_its_copy(self):
        """Every position is merged with its copy; the classes are those that whole rounds of splitting leave."""
        rng = random.Random(3)
        options = {v: rng.sample(range(900), rng.choice([0, 1, 1, 2, 3, 9])) for v in range(900)}
        classes, count = dict.fromkeys(options, 0), 1
        while True:
            rows = {v: (classes[v], frozenset(classes[w] for w in ends)) for v, ends in options.items()}
            numbers = {row: number for number, row in enumerate(dict.fromkeys(rows.values()))}
            classes = {v: numbers[row] for v, row in rows.items()}
            if len(numbers) == count:
                break
            count = len(numbers)
        copies = {v + 900: [w + 900 for w in ends] for v, ends in options.items()}
        small = reduce(game(options | copies))
        assert len(small.graph) == count > 300
        assert all(small.image[v] == small.image[v + 900] for v in options)

    @pytest.mark.parametrize(
        ("options", "left"),
        [
            ({0: [0]}, {0: [0]}),
            ({0: [1], 1: [2], 2: [0]}, {0: [0]}),
            ({0: [0, 1], 1: [1]}, {0: [0]}),
            ({0: [1], 1: [0, 2], 2: []}, {0: [1], 1: [0, 2], 2: []}),
            ({0: [1, 4], 1: [0], 2: [3], 3: [2, 4], 4: []}, {0: [1, 4], 1: [0], 4: []}),
        ],
    )
    def test_table(self, options, left):
        assert {v: list(ends) for v, ends in reduce(game(options)).graph.adjacency()} == left

    def test_long_circles(self):
        circle = nx.cycle_graph(3000, nx.DiGraph)
        assert len(reduce(circle).graph) == 1
        assert len(reduce(nx.DiGraph([*circle.edges, (7, "end")])).graph) == 3001

    def test_sums_in_a_circle_have_no_end(self):
        with pytest.raises(LimitError, match="is a part of itself"):
            reduce(game({0: [1], 1: [2], 2: [1]}, {1, 2}))

    @pytest.mark.parametrize("work", [thin, lambda graph: reduce(graph, heaps=True)])
    def test_values_as_heaps_need_an_end(self, work):
        with pytest.raises(CycleError, match=r"needs play that ends: to merge equal .*use reduce\(graph\)") as caught:
            work(GameGraph([(1, 2), (2, 1)]))
        assert sorted(caught.value.cycle) == [1, 2]
        assert "--to" not in str(caught.value)

    @given(digraphs(6), st.data())
    def test_isomorphism_of_renamed_graphs(self, options, data):
        name = data.draw(st.permutations(sorted(options)))
        second = game({v: [name[w] for w in options[name.index(v)]] for v in sorted(options)})
        found = isomorphism(game(options), second)
        assert sorted(found) == sorted(found.values()) == sorted(options)
        assert {(found[a], found[b]) for a, b in game(options).edges} == set(second.edges)

    @given(digraphs(3), digraphs(3))
    def test_isomorphism_against_networkx(self, one, other):
        expected = nx.is_isomorphic(nx.DiGraph(game(one)), nx.DiGraph(game(other)))
        assert (isomorphism(game(one), game(other)) is not None) == expected

    def test_isomorphism_is_finer_than_what_vertices_see(self):
        """Two circles of three and one of six look alike from every vertex."""
        two = nx.DiGraph([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)])
        assert isomorphism(two, nx.cycle_graph(6, nx.DiGraph)) is None
        assert len(isomorphism(two, two)) == 6


def test_faults(monkeypatch):
    with pytest.raises(ParameterError, match="invalid heaps 'nim': expected True or False"):
        reduce(GameGraph(CHIPS), heaps="nim")
    monkeypatch.setattr(reduction, "MAX_MOVES", 5)
    assert MAX_MOVES > 5
    with pytest.raises(LimitError, match="largest value is 4"):
        reduce(GameGraph({n: range(n) for n in range(5)}), heaps=True)
    doubled = {0: [], 1: [0]} | {n: [n - 1, n - 1] for n in range(2, 40)}
    with pytest.raises(LimitError, match="the sums have more than 5 parts"):
        reduce(game(doubled, set(range(2, 40))))


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

    def test_a_game_with_sums_has_the_size_that_solve_prints(self):
        moves = solve("kayles(20)").counts().moves
        assert f"21 positions, 90 sums and {moves} moves; reduced" in self.run("kayles(20)")[1]

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

    def test_the_graph_is_not_overwritten_in_another_format(self, tmp_path):
        path = tmp_path / "moves.txt"
        path.write_text("1 2\n2 3\n")
        assert (self.run(path, "-o", path)[0], path.read_text()) == (2, "1 2\n2 3\n")

    def test_a_picture_names_the_members(self, tmp_path):
        assert self.run("samples/chips.txt", "-o", tmp_path / "out.svg")[0] == 0
        assert "5 = 6" in (tmp_path / "out.svg").read_text()

    def test_isomorphic(self):
        assert self.run("nim(2)", "--isomorphic-to", "bash{2}(2)") == (0, "isomorphic\n")
        assert self.run("nim(2)", "--isomorphic-to", "bash{2}(3)") == (0, "not isomorphic\n")

    @pytest.mark.parametrize("rest", [("-o", "out.dot"), ("--to", "heaps"), ("--relabel",)])
    def test_comparing_makes_no_graph(self, rest, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        assert self.run("nim(2)", "--isomorphic-to", "nim(2)", *rest)[0] == 2
        assert list(tmp_path.iterdir()) == []

    def test_cycles(self, tmp_path):
        said = self.run("wind-up{7:1,2,5}(6)")[1].splitlines()
        assert said[-1].startswith("7 positions and ")
        assert self.run("samples/cycle.edges", "-o", tmp_path / "out.svg")[0] == 0
        assert "inf()" in (tmp_path / "out.svg").read_text()

    @pytest.mark.parametrize("to", ["heaps", "thin"])
    def test_the_way_out_of_a_cycle_is_an_option(self, to):
        result = CliRunner().invoke(main, ["reduce", "samples/cycle.edges", "--to", to])
        assert (result.exit_code, result.stdout) == (2, "")
        advice = " needs play that ends: to merge equal positions of a graph with cycles, use --to equal\n"
        assert result.stderr.endswith(advice)

    def test_errors_leave_no_file(self, tmp_path):
        assert self.run("samples/cycle.edges", "--to", "heaps", "-o", tmp_path / "out.svg")[0] == 2
        assert self.run("samples/chips.txt", "-o", tmp_path / "out.unknown")[0] == 2
        assert list(tmp_path.iterdir()) == []
