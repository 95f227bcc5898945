"""The passes: against the definition, and the compiled form against the plain one."""

import tracemalloc

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import GameGraph, mex, solve
from graphgame.compiled.engine import use_compiled
from graphgame.errors import CycleError, GraphGameError, LimitError
from graphgame.solution.sprague_grundy import compiled_grundy
from tests import brute
from tests.helpers import ENGINES, ENGINES_HERE, game, needs
from tests.strategies import dags, dags_with_sums


@pytest.mark.parametrize(
    ("values", "expected"), [([0, 1, 2, 4], 3), ([2, 3, 5], 0), ([], 0), ([0], 1), ([1, 0, 0, 2], 3)]
)
def test_mex(values, expected):
    assert mex(values) == expected


class TestValues:
    @given(dags(), st.sampled_from(ENGINES_HERE))
    def test_definition(self, options, engine):
        assert dict(solve(game(options), engine=engine).grundy) == brute.grundy_values(options)

    @given(dags(), st.sampled_from(ENGINES_HERE))
    def test_misere_definition(self, options, engine):
        solution = solve(game(options), misere=True, engine=engine)
        assert dict(solution.grundy) == brute.grundy_values(options, terminal=1)

    @given(dags_with_sums(), st.sampled_from(ENGINES_HERE))
    def test_sum_vertices(self, drawn, engine):
        options, sums = drawn
        assert dict(solve(game(options, sums), engine=engine).grundy) == brute.grundy_values(options, sums)

    @needs("numba")
    @given(dags(max_vertices=30, max_edges=150))
    def test_both_forms_agree(self, options):
        plain, compiled = (solve(game(options), engine=engine) for engine in ("plain", "compiled"))
        for name in ("grundy", "outcome", "remoteness", "birthday"):
            assert (getattr(plain, name).array == getattr(compiled, name).array).all()

    @pytest.mark.parametrize("engine", ENGINES)
    @pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 66, 127, 128, 129, 130, 192, 1200])
    def test_complete_dag_has_every_value(self, n, engine):
        """Values at and beyond each word's end."""
        source, target = np.tril_indices(n, -1)
        assert (solve(GameGraph.from_arrays(source, target, n), engine=engine).grundy.array == np.arange(n)).all()

    @pytest.mark.parametrize("engine", ENGINES)
    def test_large_values_that_do_not_count(self, engine):
        """A value above a vertex's out-degree cannot change its mex."""
        source, target = np.tril_indices(100, -1)
        source, target = np.append(source, [100, 100, 101]), np.append(target, [99, 0, 70])
        assert solve(GameGraph.from_arrays(source, target, 102), engine=engine).grundy.array[100:].tolist() == [1, 0]

    @pytest.mark.parametrize("engine", ENGINES)
    def test_sums_of_large_values(self, engine):
        source, target = np.tril_indices(200, -1)
        source = np.append(source, [200, 200, 201, 201, 202])
        target = np.append(target, [150, 99, 77, 77, 200])
        sums = np.arange(203) >= 200
        graph = GameGraph.from_arrays(source, target, 203, sums=sums)
        assert solve(graph, engine=engine).grundy.array[200:].tolist() == [150 ^ 99, 0, 150 ^ 99]

    @pytest.mark.long
    @pytest.mark.parametrize("engine", ENGINES)
    def test_path_of_a_million_vertices(self, engine):
        n = 1_000_000
        solution = solve(GameGraph.from_arrays(np.arange(n - 1), np.arange(1, n), n), engine=engine)
        assert solution.grundy.array[-3:].tolist() == [0, 1, 0]
        assert solution.grundy.array.sum() == n // 2
        assert solution.remoteness[0] == solution.birthday[0] == n - 1

    @needs("numba")
    def test_large_random_graph_agrees_between_forms(self):
        rng = np.random.default_rng(7)
        ends = np.sort(rng.integers(0, 50_000, (2, 200_000)), axis=0)
        ends = ends[:, ends[0] < ends[1]]
        shuffled = rng.permutation(50_000)[ends]
        graph = GameGraph.from_arrays(shuffled[1], shuffled[0], 50_000)
        plain, compiled = (solve(graph, engine=engine) for engine in ("plain", "compiled"))
        assert (plain.grundy.array == compiled.grundy.array).all()
        assert (plain.remoteness.array == compiled.remoteness.array).all()

    def test_no_vertices(self):
        assert len(solve(GameGraph([])).grundy) == 0


class TestLengths:
    @given(dags(), st.sampled_from(ENGINES_HERE), st.booleans())
    def test_remoteness_and_outcome(self, options, engine, misere):
        solution = solve(game(options), misere=misere, engine=engine)
        result = brute.play_out(options, misere=misere)
        for vertex in options:
            wins, length = result((vertex,))
            assert (solution.outcome[vertex], solution.remoteness[vertex]) == ("N" if wins else "P", length)

    @given(dags(), st.sampled_from(ENGINES_HERE))
    def test_birthday(self, options, engine):
        assert dict(solve(game(options), engine=engine).birthday) == brute.longest_play(options)

    @pytest.mark.parametrize("engine", ENGINES)
    def test_birthday_of_a_sum_adds_up(self, engine):
        graph = game({0: [], 1: [0], 2: [1, 1], 3: [2]}, sums={2})
        assert dict(solve(graph, engine=engine).birthday) == {0: 0, 1: 1, 2: 2, 3: 3}

    @pytest.mark.parametrize("engine", ENGINES)
    @pytest.mark.parametrize("decided", [None, {70: "P"}])
    def test_birthday_too_long(self, engine, decided):
        """Each sum doubles the one before."""
        options = {0: [], 1: [0], **{n: [n - 1, n - 1] for n in range(2, 70)}, 70: []}
        solution = solve(game(options, sums=set(range(2, 70)), decided=decided), engine=engine)
        with pytest.raises(LimitError, match=r"2\*\*63 moves"):
            _ = solution.birthday

    @pytest.mark.parametrize("engine", ENGINES)
    def test_birthday_one_more_than_the_longest(self, engine):
        """A move to a sum whose longest play has 2**63 - 1 moves: 1 + 2 + 4 + ... + 2**62."""
        options = {0: [], 1: [0], **{n: [n - 1, n - 1] for n in range(2, 64)}, 64: range(1, 64)}
        assert solve(game(options, sums=set(range(2, 65))), engine=engine).birthday[64] == 2**63 - 1
        solution = solve(game({**options, 65: [64]}, sums=set(range(2, 65))), engine=engine)
        with pytest.raises(LimitError, match=r"2\*\*63 moves"):
            _ = solution.birthday


class TestCycle:
    @pytest.mark.parametrize("engine", ENGINES)
    def test_carries_and_prints_one_cycle(self, engine):
        with pytest.raises(CycleError, match="'b' -> 'c' -> 'b'") as caught:
            solve(nx.DiGraph([("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")]), engine=engine)
        assert caught.value.cycle == ["b", "c"]
        assert isinstance(caught.value, GraphGameError)
        assert isinstance(caught.value, nx.NetworkXUnfeasible)

    def test_self_loop(self):
        with pytest.raises(CycleError, match="position 7 has a move to itself"):
            solve(nx.DiGraph([(1, 7), (7, 7)]))

    @needs("numba")
    def test_takes_no_more_memory_than_a_graph_without(self):
        ends = np.arange(50_000, dtype=np.int32)
        graph = GameGraph.from_arrays(np.append(ends[1:], 49_998), np.append(ends[:-1], 49_999), 50_000)
        out_degree, rows = graph.out_degrees, graph.predecessor_rows
        compiled_grundy(rows, out_degree, None, 0)
        tracemalloc.start()
        values, order = compiled_grundy(rows, out_degree, None, 0)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert (len(order), values[-2:].tolist()) == (49_998, [0, 0])
        assert peak < 25 * len(graph)

    def test_long_cycle_is_shortened(self):
        with pytest.raises(CycleError, match=r"0 -> 1 -> .* \(989 more\) -> .* -> 999 -> 0") as caught:
            solve(nx.cycle_graph(1000, create_using=nx.DiGraph))
        assert len(caught.value.cycle) == 1000

    @given(dags(max_vertices=8), st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=4))
    def test_exactly_when_networkx_says_so(self, options, extra):
        graph = nx.DiGraph(options)
        graph.add_edges_from(extra)
        if nx.is_directed_acyclic_graph(graph):
            assert len(solve(graph).grundy) == len(graph)
            return
        with pytest.raises(CycleError) as caught:
            solve(graph)
        cycle = caught.value.cycle
        assert all(graph.has_edge(a, b) for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))


def test_unknown_engine():
    with pytest.raises(ValueError, match="unknown engine 'gpu': expected 'auto', 'plain' or 'compiled'"):
        solve(GameGraph({1: [2]}), engine="gpu")


@needs("numba")
def test_engine_follows_size():
    assert not use_compiled(100)
    assert use_compiled(10**7)
    assert not use_compiled(10**7, "plain")
