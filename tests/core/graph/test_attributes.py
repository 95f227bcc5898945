"""Attributes, and the order of the edges, stay with a GameGraph that is made from a networkx graph."""

import copy
import pickle

import networkx as nx
import pytest

import graphgame
from graphgame import GameGraph
from graphgame.graph.attributes import AttributeTables
from tests.helpers import optional

pd = optional("pandas")

PLAIN = nx.DiGraph()
PLAIN.add_edges_from([("top", "end", {"weight": 5}), ("top", "left"), ("left", "end", {"weight": 1}), ("right", "end")])
PLAIN.add_edges_from([("right", "left", {"weight": 2, "label": "over"}), ("left", "top")])
PLAIN.add_node("top", label="start")
FUNCTIONS = {
    "nodes": lambda G: list(G.nodes(data=True)),
    "edges": lambda G: list(G.edges(data=True)),
    "edges to": lambda G: list(G.in_edges(data=True)),
    "neighbours": lambda G: [list(G[node].values()) for node in G],
    "predecessors": lambda G: [list(G.pred[node].items()) for node in G],
    "adjacency": lambda G: {node: dict(row) for node, row in G.adjacency()},
    "an edge": lambda G: (G["top"]["end"], G.edges["top", "left"], G.get_edge_data("right", "left"), G.nodes["top"]),
    "missing": lambda G: (G.has_edge("end", "top"), G.get_edge_data("end", "top"), "nothing" in G["top"]),
    "degrees": lambda G: [list(view(weight="weight")) for view in (G.degree, G.in_degree, G.out_degree)],
    "size": lambda G: (G.size("weight"), G.number_of_edges()),
    "weighted paths": lambda G: nx.single_source_dijkstra(G, "right"),
    "breadth": lambda G: list(nx.bfs_edges(G, "top")),
    "depth": lambda G: list(nx.dfs_edges(G)),
    "copy": lambda G: list(nx.DiGraph(G).edges(data=True)),
    "pandas": lambda G: nx.to_pandas_edgelist(G).astype(str).to_dict(),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(
    "graph",
    [
        GameGraph(PLAIN),
        GameGraph(GameGraph(PLAIN), tokens=["top"]),
        pickle.loads(pickle.dumps(GameGraph(PLAIN))),
        copy.deepcopy(GameGraph(PLAIN)),
        GameGraph(nx.freeze(nx.DiGraph(PLAIN))),
        GameGraph(nx.subgraph_view(PLAIN)),
        GameGraph(nx.MultiDiGraph(PLAIN)),
    ],
    ids=["made", "shared", "pickled", "copied", "frozen", "view", "many"],
)
def test_as_in_the_graph_it_was_made_from(name, graph):
    assert FUNCTIONS[name](graph) == FUNCTIONS[name](PLAIN)


def test_of_a_sum():
    plain = nx.MultiDiGraph()
    plain.add_node("sum", kind="sum", label="S")
    plain.add_edges_from([("top", "sum"), ("sum", "b", {"w": 1}), ("sum", "a"), ("sum", "b", {"w": 2})])
    plain.add_edges_from([("b", "a", {"w": 3}), ("b", "a", {"v": 4})])
    graph = GameGraph(plain)
    assert list(graph.nodes(data=True)) == list(plain.nodes(data=True))
    assert list(graph.edges(data=True)) == [
        ("sum", "b", {"w": 2, "multiplicity": 2}),
        ("sum", "a", {}),
        ("top", "sum", {}),
        ("b", "a", {"w": 3, "v": 4}),
    ]
    again = GameGraph(nx.DiGraph(graph))
    assert list(again.edges(data=True)) == list(graph.edges(data=True))
    assert list(again.out_degrees) == [3, 1, 1, 0]


def test_no_table_where_there_are_none():
    plain = nx.MultiDiGraph([("sum", "a"), ("sum", "a")])
    plain.add_node("sum", kind="sum")
    assert GameGraph(plain).attributes == GameGraph({0: [1]}).attributes == AttributeTables()


def test_they_are_read_only_and_apart_from_what_they_were_made_from():
    plain = nx.DiGraph([("a", "b", {"weight": 5})])
    graph = GameGraph(plain)
    plain["a"]["b"]["weight"] = 7
    with pytest.raises(nx.NetworkXError, match="takes attributes"):
        graph["a"]["b"]["weight"] = 7
    assert graph["a"]["b"] == {"weight": 5}


@pytest.mark.parametrize("copied", [lambda G: G.reverse(), nx.DiGraph.to_directed, copy.deepcopy])
def test_deep_copies_share_no_values(copied):
    graph = GameGraph(nx.DiGraph([("a", "b", {"words": ["one"]})]))
    other = copied(graph)
    next(iter(other.edges(data="words")))[2].append("two")
    assert graph.edges["a", "b"]["words"] == ["one"]


def test_pictures_show_labels(tmp_path):
    plain = nx.DiGraph([("a", "b", {"label": "left & up"}), ("b", "c", {"weight": 2})], tokens=["a"])
    plain.add_node("a", label="the top")
    drawn = graphgame.to_pydot(graphgame.solve(plain))
    named = {node.get("position"): node for node in drawn.get_nodes() if node.get("position")}
    assert "the top" in named['"a"'].get_label()
    assert "b" in named['"b"'].get_label()
    shown = {(edge.get_source(), edge.get_destination()): edge.get("label") for edge in drawn.get_edges()}
    assert shown["n0", "n1"] == '"left &amp; up"'
    assert shown["n1", "n2"] is None
    graphgame.write_dot(GameGraph(plain), tmp_path / "labels.dot")
    text = (tmp_path / "labels.dot").read_text()
    assert all(part in text for part in ('label="left &amp; up"', "the top", 'position="a"'))


def test_columns_of_a_table():
    table = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [5, 2]})
    assert nx.dijkstra_path_length(GameGraph(table), "a", "c") == 7
