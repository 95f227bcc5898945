"""The kernel of a graph."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from graphgame import GameGraph, solve
from graphgame.errors import CycleError, GraphGameError, ParameterError
from graphgame.labs.theory import kernel
from tests.strategies import dags


@given(dags())
def test_no_move_within_and_one_from_each_other_position(options):
    found = kernel(nx.DiGraph(options))
    assert all((position in found) == found.isdisjoint(options[position]) for position in options)


def test_a_cycle_and_a_sum_are_refused():
    with pytest.raises(CycleError, match="1 -> 2 -> 1") as raised:
        kernel(nx.DiGraph([(1, 2), (2, 1)]))
    assert "loopy" not in str(raised.value)  # it has no such option
    graph = nx.DiGraph([(1, 2)])
    graph.add_node(1, kind="sum")
    with pytest.raises(GraphGameError, match=r"the graph has sum vertices: pass graphgame\.solution\.sums\.product"):
        kernel(graph)


def test_a_position_without_moves_that_is_decided():
    rows = np.array([(start, end) for start in range(9) for end in range(max(start - 3, 0), start)])
    graphs = [GameGraph.from_arrays(*rows.T, 9, decided=np.array([code, *[0] * 8])) for code in (-2, -3)]
    assert kernel(graphs[0]) == {0, 4, 8}  # the player who takes the last of 8 wins at once
    with pytest.raises(ParameterError, match="the P-positions are not a kernel"):  # or loses at once
        kernel(graphs[1])


def test_the_kernel_does_not_depend_on_the_play_convention_of_a_solution():
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("a", "d")])
    assert kernel(solve(graph, misere=True)) == kernel(graph) == {"c", "d"}
