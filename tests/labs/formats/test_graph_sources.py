"""A GameGraph is made of the graphs, matrices and tables of other libraries, and given back to them."""

import sys
from io import StringIO

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import rustworkx as rx
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from graphgame import GameGraph, solve
from graphgame.errors import CycleError, MissingExtraError, NotAGameError, ReadingWarning, UndirectedGraphError
from tests.helpers import game
from tests.strategies import dags_with_sums, digraphs

EDGES = [(0, 1), (0, 2), (1, 2)]
MATRIX = np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]])


def of_rustworkx(nodes, kind=rx.PyDiGraph):
    graph = kind()
    graph.add_nodes_from(list(nodes))
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
        (pa.Table.from_pylist([{"source": start, "target": end} for start, end in NAMED]), NAMED),
        (pd.DataFrame([(1, "a", "b")], columns=["weight", "source", "target"]), [("a", "b")]),
        (pd.DataFrame([(1, "a", "b")], columns=["weight", "From", "To"]), [("a", "b")]),
        (pd.DataFrame(NAMED, columns=["Source", "Target"]), NAMED),
        ([{"source": start, "target": end} for start, end in NAMED], NAMED),
        ([{"weight": 3, "to": end, "from": start} for start, end in NAMED], NAMED),
        (of_rustworkx("abc"), NAMED),
        (of_rustworkx([None] * 3), EDGES),
        (of_rustworkx([([],), "b", "c"]), EDGES),
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


def test_a_column_does_not_choose_the_convention_of_play():
    table = pd.DataFrame([(True, "a", "b")], columns=["misere", "source", "target"])
    assert solve(table).grundy["a"] == 1


def test_the_header_of_csv():
    with pytest.warns(
        ReadingWarning, match=r"the first row, \['From', 'To', 'x'\], is read as the names of the columns"
    ):
        assert list(GameGraph([["From", "To", "x"], ["a", "b", "5"], ["b", "c", "6"]]).edges) == [
            ("a", "b"),
            ("b", "c"),
        ]
    rows = [["from", "to"], ["to", "b"]]
    assert list(GameGraph(rows).edges) == [("from", "to"), ("to", "b")]


MATRIX_IN_CSV = "name,3,5,7\n3,0,1,1\n5,0,0,1\n7,0,0,0\n"


@pytest.mark.parametrize(
    "data",
    [
        pd.DataFrame(MATRIX, index=[3, 5, 7], columns=[3, 5, 7]),
        pd.read_csv(StringIO(MATRIX_IN_CSV), index_col=0),
        pd.read_csv(StringIO(MATRIX_IN_CSV)),
        pd.read_csv(StringIO(MATRIX_IN_CSV.replace("0", "")), index_col=0),
    ],
)
def test_an_adjacency_matrix_of_pandas_with_numbers_as_labels(data):
    assert sorted(GameGraph(data).edges) == [(3, 5), (3, 7), (5, 7)]


def test_a_matrix_needs_the_same_labels_for_rows_and_columns():
    with pytest.raises(NotAGameError, match="needs columns such as 'source' and 'target'; this one has '3', '5', '8'"):
        GameGraph(pd.read_csv(StringIO(MATRIX_IN_CSV.replace("7\n3", "8\n3")), index_col=0))


@pytest.mark.parametrize(
    ("text", "header", "told"),
    [
        ("My game,,\nsource,target,note\n3,1,x\n", 0, "row 0 has .* 'source', 'target', 'note': .* header=1$"),
        ("My game,\nby me,\nfrom,to\n3,1\n", 0, "row 1 has .* 'from', 'to': read the file again with header=2$"),
        ("My game,\nFrom,To\n3,1\n", None, "row 1 has .* 'From', 'To': read the file again with header=1$"),
    ],
)
def test_a_title_above_a_table_of_pandas(text, header, told):
    with pytest.raises(NotAGameError, match=told):
        GameGraph(pd.read_csv(StringIO(text), header=header))
    assert list(GameGraph(pd.read_csv(StringIO(text), header=int(told[-2]))).edges) == [(3, 1)]


def test_two_nodes_of_rustworkx_of_one_name():
    with pytest.warns(ReadingWarning, match="because two nodes have the payload 'a'"):
        assert sorted(GameGraph(of_rustworkx(["a", "a", "b"])).edges) == EDGES


def test_two_vertices_of_one_name():
    with pytest.raises(ValueError, match="the same name"):
        GameGraph(of_igraph(["a", "b", "a"]))


def table(*rows, columns=("source", "target")):
    return pd.DataFrame(rows, columns=list(columns))


@pytest.mark.parametrize(
    "edges", [[(0, 1), (1, 2)], [(0, 1, 1), (1, 2, 1), (2, 3, 1)], [(1, 2, 5), (1, 3, 5), (2, 3, 5)]]
)
def test_an_array_that_may_be_a_matrix_or_edges(edges):
    array = np.array(edges)
    with pytest.warns(ReadingWarning, match="is read as an adjacency matrix; if its rows are edges") as caught:
        graph = GameGraph(array)
    assert caught[0].filename == __file__
    assert set(graph.edges) == {*zip(*map(np.ndarray.tolist, np.nonzero(array)), strict=True)}
    assert set(GameGraph(array[:, :2].tolist()).edges) == {edge[:2] for edge in edges}


@given(st.integers(2, 3).flatmap(lambda n: st.lists(st.integers(0, 3), min_size=n * n, max_size=n * n)))
def test_no_matrix_of_a_game_that_ends_is_suspected(entries):
    size = 2 if len(entries) == 4 else 3
    GameGraph(np.triu(np.array(entries).reshape(size, size), 1))
    GameGraph(np.array(entries).reshape(size, size) % 2)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (np.array(EDGES), r"got ndarray array\(\[\[0, 1\], .*from_arrays\(edges\[:, 0\], edges"),
        (
            table((0, 1), columns=["one", "two"]),
            "needs columns such as 'source' and 'target'; this one has 'one', 'two'$",
        ),
        (pd.DataFrame(EDGES), "this one has 0, 1$"),
        (table(("a", "b"), ("b", None)), "row 1 has no target: leave"),
        (table(("a", "b"), ("b", None), columns=["from", "to"]), r"row 1 has no to: .*\(subset=\['from', 'to'\]\)"),
        (table((float("nan"), 1), (2, 3)), "row 0 has no source: leave"),
        (table(("a", None, 5), columns=["source", "target", "weight"]), "row 0 has no target: leave"),
        (table(("1", "2"), (2, "3")), "2 is a number in one cell of the table and a text in another"),
        (table((1, "2", 5), (2, "3", 5), columns=["source", "target", "weight"]), "2 is a number in one cell"),
        (sp.coo_array((3, 2)), r" \(Input is not a correct scipy sparse array type\): give a graph"),
        ([{"x": 1, "y": 2}], "needs columns such as 'source' and 'target'; this one has 'x', 'y'$"),
        ([{"source": "a", "target": "b"}, {"source": "b"}], "a row of the table has no 'target'$"),
        ({"start": "end"}, r"give the options as a list, such as \['end'\]$"),
        (
            {"source": ["a", "b"], "target": ["b", "c"]},
            r"a dictionary of columns is a table: give GameGraph\(pandas.DataFrame\(data\)\)",
        ),
        ({"from": ["a", "b"], "to": ["b", "c"], "cost": [1, 2]}, "a dictionary of columns is a table"),
        ({"from": {0: "a"}, "to": {0: "b"}}, "a dictionary of columns is a table"),
        ([("a", "b", 5)], r"write an edge with a weight as \(u, v, dict\(weight=5\)\)$"),
    ],
)
def test_what_none_takes(data, told):
    with pytest.raises(NotAGameError, match=told):
        GameGraph(data)


@pytest.mark.parametrize("options", [["to"], ("to",), {"to"}, frozenset({"to"}), {"to": {}}])
def test_positions_may_have_the_names_of_columns(options):
    assert list(GameGraph({"from": options, "to": type(options)()}).edges) == [("from", "to")]


def test_few_edges_read_as_a_matrix():
    with (
        pytest.raises(CycleError, match="0 -> 1 -> 0; if this is an array of edges, write GameGraph"),
        pytest.warns(ReadingWarning, match="adjacency matrix"),
    ):
        solve(np.array([(0, 1), (1, 2)]))
    with pytest.raises(CycleError, match="loopy=True"):
        solve([("a", "b", {}), ("b", "a", {})])


def test_networkx_fills_an_ordinary_graph():
    made = nx.from_edgelist([(1, 2)], create_using=GameGraph)
    assert (isinstance(made, nx.DiGraph), isinstance(made, GameGraph), list(made.edges)) == (True, False, [(1, 2)])


WEIGHTS = [(0, 1, 5), (0, 2, 2), (1, 2, 3)]


def weighted_rustworkx(payload, nodes=(0, 1, 2)):
    graph = rx.PyDiGraph()
    graph.add_nodes_from(list(nodes))
    graph.add_edges_from([(start, end, payload(weight)) for start, end, weight in WEIGHTS])
    return graph


def weighted_igraph():
    graph = of_igraph()
    graph.es["weight"] = [weight for _, _, weight in WEIGHTS]
    return graph


@pytest.mark.parametrize(
    "data",
    [
        weighted_rustworkx(lambda weight: weight),
        weighted_rustworkx(lambda weight: {"weight": weight}),
        weighted_igraph(),
        pd.DataFrame(WEIGHTS, columns=["source", "target", "weight"]),
        np.array([[0, 5, 2], [0, 0, 3], [0, 0, 0]]),
        sp.csr_array([[0, 5, 2], [0, 0, 3], [0, 0, 0]]),
    ],
    ids=["rustworkx", "rustworkx dict", "igraph", "pandas", "numpy", "scipy"],
)
def test_weights_are_kept(data):
    graph = GameGraph(data)
    assert [nx.dijkstra_path_length(graph, 0, end) for end in (1, 2)] == [5, 2]
    assert graph.to_scipy().toarray().tolist() == [[0, 5, 2], [0, 0, 3], [0, 0, 0]]
    assert graph.to_scipy(weight=None).toarray().tolist() == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]


def test_a_matrix_of_another_attribute():
    graph = nx.DiGraph([("a", "c", {"cost": 2.5}), ("a", "b"), ("b", "c", {"cost": 0, "name": "last"})])
    assert (GameGraph(graph).to_scipy(weight="cost") != nx.to_scipy_sparse_array(graph, weight="cost")).nnz == 0
    assert GameGraph(graph).to_scipy(weight="cost", dtype=np.int8).dtype == np.int8
    with pytest.raises(ValueError, match="attribute 'name' of an edge is 'last': expected numbers"):
        GameGraph(graph).to_scipy(weight="name")


ENTRIES = [0, 0, 2, 2, 2, 1], [2, 1, 0, 1, 0, 1], [3, 1, 2, 0, 5, 3]


@pytest.mark.parametrize(
    "data",
    [
        [("b", "c"), ("a", "b"), ("b", "c"), ("b", "a"), ("c", "c"), (1, 1.0)],
        ((2, 3), (3, 1), (2, 1)),
        [["a", "b"]],
        [("a", "b"), ("b", "c", {"weight": 2})],
        {"b": ["c", "a", "c"], "a": ("c", "d"), "e": []},
        {3: {1}, 2: frozenset({3, 1}), 1: []},
        {"a": {"b": {"weight": 2}}, "b": {}},
        {"a": "bc", "b": "c", "c": ""},
        [(10**30, 10**30 + 1)],
        [],
        {},
        *(getattr(sp.coo_array((ENTRIES[2], ENTRIES[:2]), shape=(3, 3)), f"to{kind}")() for kind in ("csr", "csc")),
        np.array([[0, 2.5], [1, np.inf]]),
    ],
)
def test_as_networkx_makes_them(data):
    ours, theirs = GameGraph(data), nx.DiGraph(data)
    edges = sorted(theirs.edges(data=True)) if hasattr(data, "shape") else list(theirs.edges(data=True))
    assert (list(ours), list(ours.edges(data=True))) == (list(theirs), edges)
    assert sorted(ours.in_edges, key=str) == sorted(theirs.in_edges, key=str)


@pytest.mark.parametrize("data", [[("a", [1])], [("a", None)], {"a": [None]}, {"a": [[1]]}])
def test_nodes_that_networkx_refuses(data):
    with pytest.raises(NotAGameError, match="not"):
        GameGraph(data)


LABELLED = nx.DiGraph([("a", "b", {"weight": 5}), ("b", "c")])
LABELLED.add_node("a", label="top", size=2)


@pytest.mark.filterwarnings("ignore:the positions are the indices of the rustworkx nodes")
@pytest.mark.parametrize(
    ("data", "nodes", "edges"),
    [
        (
            rx.networkx_converter(LABELLED.copy(), keep_attributes=True),
            {"a": {"label": "top", "size": 2}, "b": {}, "c": {}},
            [("a", "b", {"weight": 5}), ("b", "c", {})],
        ),
        (
            igraph.Graph.from_networkx(LABELLED),
            {"a": {"label": "top", "size": 2}, "b": {}, "c": {}},
            [("a", "b", {"weight": 5}), ("b", "c", {})],
        ),
        (
            weighted_rustworkx(lambda weight: f"by {weight}", ["A", "A", {"label": "B"}]),
            {0: {"label": "A"}, 1: {"label": "A"}, 2: {"label": "B"}},
            [(start, end, {"label": f"by {weight}"}) for start, end, weight in WEIGHTS],
        ),
    ],
    ids=["rustworkx of networkx", "igraph of networkx", "labels"],
)
def test_attributes_are_kept(data, nodes, edges):
    graph = GameGraph(data)
    assert dict(graph.nodes(data=True)) == nodes
    assert list(graph.edges(data=True)) == edges


def like(graph):
    """Return what is the same in two graphs that are alike."""
    edges = sorted(graph.edges(data=True), key=str)
    return list(graph.nodes(data=True)), edges, graph.number_of_edges(), graph.graph


@pytest.mark.parametrize("method", ["to_rustworkx", "to_igraph"])
@pytest.mark.parametrize(
    "graph",
    [
        GameGraph([]),
        GameGraph({0: [1, 2], 1: [2]}),
        GameGraph({5: [1, 2], 1: [2]}),
        GameGraph({"a": ["b", (1, 2)], "b": [(1, 2)]}),
        GameGraph(nx.DiGraph([("a", "b", {"weight": 5, "label": "x"}), ("b", "c", {"weight": 2})])),
        GameGraph(LABELLED),
        GameGraph(EDGES, tokens=[0, 2], name="three"),
        GameGraph(LABELLED, tokens=["a"]),
    ],
    ids=["empty", "0..n-1", "integers", "mixed", "weights", "labels", "tokens", "labels and tokens"],
)
def test_there_and_back(method, graph):
    assert like(GameGraph(getattr(graph, method)())) == like(graph)


@pytest.mark.parametrize("method", ["to_rustworkx", "to_igraph"])
def test_an_attribute_called_name_does_not_rename_positions(method):
    graph = nx.DiGraph([("a", "b")])
    graph.add_node("a", name="first")
    graph.add_node("b", name="last")
    assert list(GameGraph(getattr(GameGraph(graph), method)())) == ["a", "b"]


@pytest.mark.parametrize("method", ["to_rustworkx", "to_igraph"])
@given(dags_with_sums())
def test_sums_come_back(method, drawn):
    graph = game(*drawn)
    back = GameGraph(getattr(graph, method)())
    assert like(back) == like(graph)
    assert dict(solve(back).grundy) == dict(solve(graph).grundy)


def test_igraph_attributes_have_names_that_are_strings():
    graph = nx.DiGraph()
    graph.add_edge("a", "b", cost=5)
    graph.nodes["a"].update({1: "one", "note": "start"})
    graph.edges["a", "b"][2] = "two"
    graph.graph[3] = "three"
    made = GameGraph(graph).to_igraph()
    assert made.vs.attributes() == ["note", "name"]
    assert made.es.attributes() == ["cost"]
    assert made.attributes() == []


@given(digraphs())
def test_each_library_has_the_same_edges(options):
    graph = GameGraph(options)
    edges = sorted((graph.number_of(start), graph.number_of(end)) for start, end in graph.edges)
    matrix = graph.to_scipy()
    assert sorted(graph.to_rustworkx().edge_list()) == sorted(graph.to_igraph().get_edgelist()) == edges
    assert (matrix.toarray() == nx.to_numpy_array(graph)).all()
    assert sorted(GameGraph(matrix).edges) == edges


@pytest.mark.parametrize(
    ("method", "module", "message"),
    [
        ("to_rustworkx", "rustworkx", "a rustworkx graph needs rustworkx: pip install rustworkx"),
        ("to_igraph", "igraph", "an igraph graph needs igraph: pip install igraph"),
        (
            "to_scipy",
            "scipy.sparse",
            "a sparse matrix needs scipy, whose import fails (import of scipy.sparse halted; None in sys.modules): "
            "pip install --upgrade scipy",
        ),
    ],
)
def test_a_library_that_is_missing_is_named(method, module, message, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError) as caught:
        getattr(GameGraph(EDGES), method)()
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("raise ImportError('libigraph.so: cannot open shared object file')", "libigraph.so: cannot open shared"),
        ("import nowhere_at_all", "No module named 'nowhere_at_all'"),
    ],
)
def test_a_library_that_is_installed_but_broken_says_why(body, fault, tmp_path, monkeypatch):
    (tmp_path / "igraph.py").write_text(body)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "igraph", raising=False)
    with pytest.raises(MissingExtraError) as caught:
        GameGraph(EDGES).to_igraph()
    told = str(caught.value)
    assert told.startswith(f"an igraph graph needs igraph, whose import fails ({fault}")
    assert told.endswith("): pip install --upgrade igraph")
    assert caught.value.fault in told


@pytest.mark.parametrize(
    "column",
    [
        [3, 4, 5],
        [0.5, float("inf"), 2.0],
        ["x", "y", "z"],
        list(pd.to_datetime(["2026-01-01"] * 3)),
        [True, None, (1,)],
    ],
)
def test_columns_of_a_table_are_attributes(column):
    data = pd.DataFrame({"weight": column, "target": ["b", "c", "c"], "source": ["a", "a", "b"], "note": [7, 8, 9]})
    drawn, expected = GameGraph(data), nx.from_pandas_edgelist(data, edge_attr=True, create_using=nx.DiGraph)
    assert {(u, v): dict(d) for u, v, d in drawn.edges(data=True)} == {
        (u, v): d for u, v, d in expected.edges(data=True)
    }
    assert [list(map(type, d.values())) for *_, d in drawn.edges(data=True)] == [
        list(map(type, expected.edges[u, v].values())) for u, v in drawn.edges
    ]


def test_the_last_of_parallel_edges_counts():
    data = pd.DataFrame({"source": [1, 2, 1, 1], "target": [2, 3, 2, 3], "weight": [5, 6, 7, 8]})
    drawn = GameGraph(data)
    assert list(drawn.edges(data="weight")) == [(1, 2, 7), (1, 3, 8), (2, 3, 6)]
    assert drawn.to_scipy().toarray().tolist() == [[0, 7, 8], [0, 0, 6], [0, 0, 0]]


@pytest.mark.parametrize("name", ["source", "target"])
def test_a_column_source_or_target_besides_from_and_to(name):
    data = pd.DataFrame({name: ["web"], "from": ["a"], "to": ["b"]})
    assert list(GameGraph(data).edges(data=True)) == [("a", "b", {name: "web"})]


def test_two_columns_of_one_name():
    data = pd.DataFrame([["a", "b", 1, 2]], columns=["source", "target", "w", "w"])
    with pytest.raises(NotAGameError, match="two columns are named 'w'"):
        GameGraph(data)


NODES = st.one_of(st.integers(-50, 50), st.integers(-(2**70), 2**70), st.sampled_from([True, "a", "1", 2.0, (1, 2)]))


@given(st.lists(st.tuples(NODES, NODES), max_size=30))
def test_pairs_in_any_container(pairs):
    expected = nx.DiGraph(pairs)
    for data in (
        pairs,
        tuple(pairs),
        iter(pairs),
        zip(*zip(*pairs, strict=True), strict=True),
        (pair for pair in pairs),
    ):
        drawn = GameGraph(data)
        assert list(drawn) == list(expected)
        assert list(map(type, drawn)) == list(map(type, expected))
        assert set(drawn.edges) == set(expected.edges)
    assert set(GameGraph(set(pairs)).edges) == set(expected.edges)
    assert list(GameGraph(list(map(list, pairs)))) == list(expected)
