"""Figures about games, counted here by hand."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from graphgame import GameGraph, solve
from graphgame.errors import CycleError
from graphgame.solution.results import ValueCount
from graphgame.solution.statistics import Level, graph_statistics
from tests.brute import grundy_values, longest_play
from tests.helpers import CHIPS, game
from tests.strategies import dags

FIGURES = graph_statistics(solve(nx.DiGraph(CHIPS), tokens=[1, 2, 4, 6]))


class TestCounts:
    def test_the_worked_example(self):
        assert (FIGURES.vertices, FIGURES.edges, FIGURES.sums, FIGURES.tokens) == (6, 8, 0, 4)
        assert (FIGURES.sources, FIGURES.terminals, FIGURES.isolated) == (1, 2, 0)
        assert (FIGURES.p_positions, FIGURES.n_positions, FIGURES.kernel) == (3, 3, 3)
        assert (FIGURES.depth, FIGURES.widest_level) == (3, Level(0, 2))
        assert FIGURES.birthdays == {0: ValueCount(2, 5), 1: ValueCount(2, 4), 2: ValueCount(1, 1), 3: ValueCount(1, 2)}
        assert FIGURES.out_degrees == {
            0: ValueCount(2, 5),
            1: ValueCount(1, 4),
            2: ValueCount(2, 2),
            3: ValueCount(1, 1),
        }
        assert FIGURES.values == {0: ValueCount(3, 2), 1: ValueCount(2, 4), 2: ValueCount(1, 1)}

    @given(dags())
    def test_against_the_definitions(self, options):
        figures = graph_statistics(game(options))
        for histogram, expected in (
            (figures.birthdays, longest_play(options)),
            (figures.out_degrees, {vertex: len(set(ends)) for vertex, ends in options.items()}),
            (figures.values, grundy_values(options)),
        ):
            values = list(expected.values())
            assert {number: entry.count for number, entry in histogram.items()} == {
                number: values.count(number) for number in sorted(set(values))
            }
            assert all(expected[entry.example] == number for number, entry in histogram.items())
        assert figures.kernel == figures.p_positions == list(grundy_values(options).values()).count(0)
        assert figures.depth == max(figures.birthdays)
        assert figures.widest_level.vertices == max(entry.count for entry in figures.birthdays.values())

    def test_an_empty_graph(self):
        figures = graph_statistics(nx.DiGraph())
        assert (figures.vertices, figures.depth, figures.widest_level, figures.values) == (0, 0, None, {})

    def test_isolated_vertices(self):
        figures = graph_statistics(nx.empty_graph(3, nx.DiGraph))
        assert (figures.sources, figures.terminals, figures.isolated, figures.tokens) == (3, 3, 3, None)

    def test_sums_are_no_positions_and_have_no_kernel(self):
        figures = graph_statistics(game({0: [], 1: [0], 2: [1, 1], 3: [2]}, sums={2}))
        assert (figures.vertices, figures.sums, figures.p_positions + figures.n_positions) == (4, 1, 3)
        assert figures.kernel is None

    def test_misere_play_has_no_kernel(self):
        figures = graph_statistics(solve(nx.path_graph(4, nx.DiGraph), misere=True))
        assert (figures.misere, figures.kernel, figures.p_positions) == (True, None, 2)

    def test_a_position_where_the_next_player_has_won_is_in_no_kernel(self):
        rows = np.array([(start, end) for start in range(9) for end in range(max(start - 3, 0), start)])
        for code, kernel in ((-3, None), (-2, 3)):  # the player who takes the last of 8 loses at once, or wins at once
            decided = np.array([code, *[0] * 8])
            figures = graph_statistics(GameGraph.from_arrays(*rows.T, 9, decided=decided))
            assert figures.kernel == kernel

    def test_a_cycle(self):
        with pytest.raises(CycleError):
            graph_statistics(nx.DiGraph([(1, 2), (2, 1)]))

    def test_the_memory_kept_is_that_of_the_arrays(self):
        graph = game({v: list(range(v)) for v in range(50)})
        rows = graph.predecessor_rows
        arrays = (rows.indices, rows.pointers[1:], graph.out_degrees)
        assert graph_statistics(graph).memory.graph == sum(array.nbytes for array in arrays)
