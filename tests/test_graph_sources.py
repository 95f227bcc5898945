"""A GameGraph is made of the graphs, matrices and tables of other libraries."""

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import rustworkx as rx
import scipy.sparse as sp

from graphgame import GameGraph, UndirectedGraphError

EDGES = [(0, 1), (0, 2), (1, 2)]
MATRIX = np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]])


def of_rustworkx(nodes, kind=rx.PyDiGraph):
    graph = kind()
    graph.add_nodes_from(nodes)
    graph.add_edges_from_no_data(EDGES)
    return graph


def without_a_node():
    graph = of_rustworkx("abc")
    graph.remove_node(1)
    return graph


def of_igraph(names=None, directed=True):
    return igraph.Graph(EDGES, directed=directed, vertex_attrs={"name": names} if names else {})


NAMED = [("a", "b"), ("a", "c"), ("b", "c")]


@pytest.mark.parametrize(
    ("data", "edges"),
    [
        (MATRIX, EDGES),
        (sp.csr_array(MATRIX), EDGES),
        (pd.DataFrame(MATRIX), EDGES),
        (pd.DataFrame(NAMED, columns=["source", "target"]), NAMED),
        (pd.DataFrame([(1, "a", "b")], columns=["weight", "source", "target"]), [("a", "b")]),
        (of_rustworkx("abc"), NAMED),
        (of_rustworkx([None] * 3), EDGES),
        (of_rustworkx([[1], [2], [3]]), EDGES),
        (without_a_node(), [("a", "c")]),
        (of_igraph(), EDGES),
        (of_igraph(["a", "b", "c"]), NAMED),
    ],
)
def test_of(data, edges):
    assert sorted(GameGraph(data).edges) == edges


@pytest.mark.parametrize("data", [of_rustworkx("abc", rx.PyGraph), of_igraph(directed=False), nx.Graph(EDGES)])
def test_undirected(data):
    with pytest.raises(UndirectedGraphError):
        GameGraph(data)


def test_two_vertices_of_one_name():
    with pytest.raises(ValueError, match="the same name"):
        GameGraph(of_igraph(["a", "b", "a"]))


def test_what_none_takes():
    with pytest.raises(nx.NetworkXError):
        GameGraph(pd.DataFrame([(0, 1)], columns=["from", "to"]))
