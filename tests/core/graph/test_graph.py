"""GameGraph is an nx.DiGraph that cannot be changed."""

import copy
import pickle
from operator import attrgetter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from graphgame import GameGraph, write_game
from graphgame.errors import LimitError, ParameterError, UndirectedGraphError, UnknownPositionError
from tests.helpers import CHIPS, game, needs
from tests.strategies import dags, dags_with_sums


@pytest.fixture
def chips():
    return GameGraph(CHIPS, tokens=[1, 2, 4, 6], name="chips")


def as_ordinary(options):
    graph = nx.DiGraph()
    graph.add_nodes_from(options)
    graph.add_edges_from((v, w) for v, ends in options.items() for w in ends)
    return graph


ANSWERS = [
    lambda G: set(G.edges),
    lambda G: {v: sorted(row) for v, row in G.adjacency()},
    lambda G: dict(G.in_degree),
    lambda G: dict(G.out_degree),
    lambda G: dict(G.degree),
    lambda G: sorted(G.successors(0)),
    lambda G: sorted(G.predecessors(0)),
    lambda G: (len(G), G.size(), G.number_of_edges(), G.number_of_nodes(), G.order()),
    lambda G: G.size(weight="multiplicity"),
    lambda G: nx.dag_longest_path_length(G),
    lambda G: {v: nx.descendants(G, v) for v in G},
    lambda G: {v: nx.ancestors(G, v) for v in G},
    lambda G: sorted(map(sorted, nx.weakly_connected_components(G))),
    lambda G: set(nx.topological_sort(G)),
    lambda G: set(G.to_undirected().edges),
    lambda G: set(G.to_directed().edges),
    lambda G: set(G.reverse().edges),
    lambda G: set(G.reverse(copy=False).edges),
    lambda G: set(G.copy().edges),
    lambda G: set(G.subgraph([0, 1, 2]).edges),
    lambda G: set(G.subgraph([0, 1, 2]).copy().edges),
    lambda G: set(nx.transitive_closure(G).edges),
    lambda G: set(nx.transitive_reduction(G).edges),
    lambda G: set(nx.compose(G, G).edges),
    lambda G: set(nx.relabel_nodes(G, {0: "zero"}).edges),
    lambda G: nx.condensation(G).number_of_edges(),
    lambda G: nx.density(G),
    lambda G: {v: sorted(row) for v, row in nx.to_dict_of_lists(G).items()},
    lambda G: nx.to_numpy_array(G, nodelist=sorted(G)).tolist(),
    lambda G: list(nx.lexicographical_topological_sort(G)),
    lambda G: set(nx.line_graph(G).edges),
    lambda G: str(nx.DiGraph(G)),
    lambda G: {(u, v): G.has_edge(u, v) for u in G for v in G},
    lambda G: {(u, v): G.has_predecessor(u, v) for u in G for v in G},
    lambda G: {v: len(G.pred[v]) for v in G},
]
"""What networkx answers about a graph."""


class TestIsADiGraph:
    @given(options=dags(max_vertices=7))
    def test_networkx_sees_the_same_graph(self, options):
        ours, ordinary = game(options), as_ordinary(options)
        for number, function in enumerate(ANSWERS):
            assert (number, function(ours)) == (number, function(ordinary))

    @pytest.mark.parametrize(
        "name",
        [
            *(f"convert.{name}" for name in nx.convert.__all__ if name.startswith("to_")),
            "convert_matrix.to_numpy_array",
            *(
                pytest.param(f"convert_matrix.to_pandas_{kind}", marks=needs("pandas"))
                for kind in ("adjacency", "edgelist")
            ),
            pytest.param("convert_matrix.to_scipy_sparse_array", marks=needs("scipy")),
            *(f"readwrite.json_graph.{name}_data" for name in ("node_link", "adjacency", "cytoscape")),
            "classes.function.freeze",
        ],
    )
    def test_every_conversion_of_networkx(self, name):
        convert = attrgetter(name)(nx)
        ordinary = nx.DiGraph([("a", "s"), ("s", "b"), ("s", "c"), ("b", "e")])
        ordinary.nodes["s"]["kind"] = "sum"
        ordinary["s"]["b"]["multiplicity"] = 2

        def answer(graph):
            found = convert(graph)
            found = found.toarray() if hasattr(found, "toarray") else found
            return nx.to_dict_of_dicts(found) if isinstance(found, nx.Graph) else found

        assert repr(answer(GameGraph(ordinary))) == repr(answer(ordinary))

    def test_copies_of_its_mappings_are_dictionaries(self, chips):
        plain = nx.DiGraph(CHIPS)
        for name in ("_adj", "_succ", "_pred", "_node"):
            copied = getattr(chips, name).copy()
            assert type(copied) is dict
            assert copied == getattr(plain, name)
        assert nx.to_dict_of_dicts(chips, nodelist=[1, 4]) == {1: {4: {}}, 4: {}}
        assert nx.to_dict_of_dicts(chips, edge_data=1)[1] == {3: 1, 4: 1, 5: 1}

    @given(dags())
    def test_round_trip(self, options):
        assert nx.utils.graphs_equal(nx.DiGraph(GameGraph(as_ordinary(options))), as_ordinary(options))

    def test_longest_path_and_order(self, chips):
        assert nx.dag_longest_path(chips) == [2, 1, 4, 5]
        place = {v: i for i, v in enumerate(nx.topological_sort(chips))}
        assert all(place[u] < place[v] for u, v in chips.edges)

    def test_node_link_data(self, chips):
        again = nx.node_link_graph(nx.node_link_data(chips, edges="edges"), edges="edges")
        assert nx.utils.edges_equal(again.edges, chips.edges, directed=True)
        assert again.graph["tokens"] == (1, 2, 4, 6)

    def test_write_and_read(self, chips, tmp_path):
        nx.write_adjlist(chips, tmp_path / "chips.adjlist")
        again = nx.read_adjlist(tmp_path / "chips.adjlist", nodetype=int, create_using=nx.DiGraph)
        assert set(again.edges) == set(chips.edges)
        nx.write_graphml(GameGraph(CHIPS), tmp_path / "chips.graphml")
        assert set(nx.read_graphml(tmp_path / "chips.graphml", node_type=int).edges) == set(chips.edges)

    @pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda G: pickle.loads(pickle.dumps(G))])
    def test_duplicates_are_game_graphs(self, chips, duplicate):
        again = duplicate(chips)
        assert type(again) is GameGraph
        assert set(again.edges) == set(CHIPS)
        assert again.graph == {"name": "chips", "tokens": (1, 2, 4, 6)}

    def test_is_frozen_but_copies_are_not(self, chips):
        assert nx.is_frozen(chips)
        assert isinstance(chips, GameGraph)
        changed = chips.copy()
        changed.add_edge(6, 7)
        changed.nodes[6]["seen"] = True
        assert 7 not in chips
        assert chips.nodes[6] == {}


class TestReadOnly:
    @pytest.mark.parametrize(
        "change",
        [
            lambda G: G.add_node(9),
            lambda G: G.add_nodes_from([9]),
            lambda G: G.remove_node(1),
            lambda G: G.remove_nodes_from([1]),
            lambda G: G.add_edge(5, 6),
            lambda G: G.add_edges_from([(5, 6)]),
            lambda G: G.add_weighted_edges_from([(5, 6, 1)]),
            lambda G: G.remove_edge(2, 1),
            lambda G: G.remove_edges_from([(2, 1)]),
            lambda G: G.update(edges=[(5, 6)]),
            lambda G: G.clear(),
            lambda G: G.clear_edges(),
            lambda G: G.nodes[1].update(grundy=1),
            lambda G: G[2][1].__setitem__("weight", 1),
            lambda G: nx.set_node_attributes(G, 1, "grundy"),
            lambda G: nx.relabel_nodes(G, {1: 9}, copy=False),
        ],
    )
    def test_change_raises_the_frozen_graph_error(self, chips, change):
        with pytest.raises(nx.NetworkXError, match=r"can't be modified: .*nx.DiGraph\(G\)"):
            change(chips)
        assert set(chips.edges) == set(CHIPS)


class TestPositions:
    @pytest.mark.parametrize(
        "labels",
        [
            ["a", "b", "c"],
            [(3, 4), (3, 3), (0, 0)],
            [frozenset({1}), frozenset(), "x"],
            [1.5, -2.5, 7],
            [10, 20, 30],
            [5, 6, 7],
            [-1, 0, 1],
        ],
    )
    def test_any_hashable(self, labels):
        a, b, c = labels
        graph = GameGraph([(a, b), (b, c)])
        assert list(graph) == labels
        assert list(graph[a]) == [b]
        assert graph.number_of(c) == 2
        assert "missing" not in graph

    @pytest.mark.parametrize("labels", [range(1, 4), np.array([1, 2, 3]), np.array([-5, 2, 10**12])])
    def test_integer_tables(self, labels):
        graph = GameGraph.from_arrays([0, 1], [1, 2], labels)
        expected = [int(x) for x in labels]
        assert list(graph) == expected
        assert set(graph.edges) == {(expected[0], expected[1]), (expected[1], expected[2])}
        for position in expected:
            assert position in graph
            assert np.int64(position) in graph
            assert float(position) in graph
        for other in (0, 0.5, "1", (1,), None, 10**30, float("nan"), float("inf")):
            assert other not in graph

    @pytest.mark.parametrize("bounds", [(), (2,), (-2,), (-9, 9), (0, -1), (1, 2), (3, 1)])
    def test_index_is_that_of_a_list(self, bounds):
        labels = GameGraph([("a", "b"), ("b", "c"), ("c", "d")]).labels
        for label in (*labels, "e"):
            try:
                number = list(labels).index(label, *bounds)
            except ValueError:
                with pytest.raises(ValueError, match=r"is not (a position|in this range of positions)"):
                    labels.index(label, *bounds)
            else:
                assert labels.index(label, *bounds) == number

    def test_unhashable(self, chips):
        with pytest.raises(TypeError, match="unhashable"):
            chips.number_of([1])

    @pytest.mark.parametrize(("label", "other"), [(3, "3"), ("3", 3), (-3, "-3"), ("-3", -3), ("3,4", (3, 4))])
    def test_a_label_of_another_type_is_suggested(self, label, other):
        with pytest.raises(UnknownPositionError, match=f"did you mean {label!r}"):
            GameGraph([(label, "end")]).number_of(other)

    def test_unknown_position(self, chips):
        with pytest.raises(UnknownPositionError, match="position 9 is not a vertex of the graph") as caught:
            chips.number_of(9)
        assert isinstance(caught.value, (KeyError, nx.NodeNotFound))

    def test_networkx_errors_for_missing_positions(self, chips):
        with pytest.raises(nx.NetworkXError, match="not in the digraph"):
            list(chips.successors(9))
        with pytest.raises(KeyError):
            chips[9]
        assert not chips.has_edge(9, 1)


class TestFrom:
    def test_multigraph_edges_count_once(self):
        graph = GameGraph(nx.MultiDiGraph([("a", "b"), ("a", "b"), ("b", "c")]))
        assert graph.number_of_edges() == 2
        assert graph.out_degrees.tolist() == [1, 1, 0]

    def test_parallel_edges_in_arrays_count_once(self):
        assert GameGraph.from_arrays([0, 0, 0], [1, 1, 2], 3).number_of_edges() == 2
        assert list(GameGraph.from_arrays([0], [1], np.int64(3))) == [0, 1, 2]
        assert list(GameGraph.from_arrays([], [], np.array([]))) == []

    @pytest.mark.parametrize("positions", [[2, 1], [1, 1], [1, 3, 3], [1.0, 2.0], ["a", "b"]])
    def test_positions_in_an_array_increase(self, positions):
        with pytest.raises(ParameterError, match="must be increasing integers"):
            GameGraph.from_arrays([0], [1], np.array(positions))
        with pytest.raises(ParameterError, match="must be increasing integers"):
            GameGraph.from_rows(np.zeros(len(positions) + 1, int), [], np.array(positions))

    def test_a_position_that_occurs_twice(self):
        graph = GameGraph.from_arrays([0, 1], [1, 2], ["b", "a", "b"])
        for look_up in (graph.successors, graph.number_of, graph.__contains__, graph.successors):
            with pytest.raises(ParameterError, match="position 'b' occurs twice: all positions must be different"):
                look_up("a")

    @pytest.mark.parametrize("graph", [nx.path_graph(3), nx.MultiGraph([(1, 2)])])
    def test_undirected_is_refused(self, graph):
        with pytest.raises(UndirectedGraphError, match="undirected") as caught:
            GameGraph(graph)
        assert isinstance(caught.value, nx.NetworkXNotImplemented)

    def test_game_graph_is_shared_not_copied(self, chips):
        again = GameGraph(chips, tokens=[1])
        assert again.predecessor_rows is chips.predecessor_rows
        assert (again.tokens, chips.tokens) == ((1,), (1, 2, 4, 6))

    @pytest.mark.parametrize(
        ("source", "target", "message"),
        [
            ([0, 1], [1], "source and target have the shapes"),
            ([0], [3], "target has entries that are not vertex numbers: expected 0 to 2"),
            ([-1], [0], "source has entries that are not vertex numbers: expected 0 to 2"),
            ([0.5], [1], "source has dtype float64, expected integers"),
        ],
    )
    def test_bad_arrays(self, source, target, message):
        with pytest.raises(ValueError, match=message):
            GameGraph.from_arrays(source, target, 3)

    def test_sums_of_the_wrong_length(self):
        with pytest.raises(ValueError, match=r"sums has shape \(2,\), expected \(3,\)"):
            GameGraph.from_arrays([0], [1], 3, sums=np.array([True, False]))

    def test_sums_and_decided_positions_in_lists(self):
        graph = GameGraph.from_arrays([0, 0], [1, 2], 3, sums=[1, 0, 0], decided=[0, 0, -2])
        assert (graph.sums.tolist(), graph.decided.tolist()) == ([True, False, False], [0, 0, -2])
        with pytest.raises(ValueError, match="invalid argument 'decided': expected 3 entries"):
            GameGraph.from_arrays([0], [1], 3, decided=[[0, 0, -2]])
        with pytest.raises(ValueError, match="invalid argument 'decided': expected 3 entries"):
            GameGraph.from_arrays([0], [1], 3, decided=[0, 0])
        assert GameGraph.from_arrays([0], [1], 3, decided=[0, 0, 0]).decided is None

    @pytest.mark.parametrize("name", ["self", "cls", "labels", "source", "target", "positions", "sums", "misere", 1])
    def test_attributes_of_a_graph_may_have_any_names(self, name, tmp_path):
        ordinary = nx.DiGraph([(2, 3), (1, 2)])
        ordinary.graph[name] = "x"
        graph = GameGraph(ordinary)
        for made in (graph.copy(), graph.reverse(), graph.subgraph([1]).copy(), nx.compose(graph, graph)):
            assert made.graph == {name: "x"}
        write_game(graph, tmp_path / "game.txt", "token")
        assert (tmp_path / "game.txt").read_text() == "3 2 0\n1 2\n2 3\n"

    @given(dags_with_sums())
    def test_rows(self, drawn):
        options, sums = drawn
        target = [end for vertex in sorted(options) for end in options[vertex]]
        lengths = [len(options[vertex]) for vertex in sorted(options)]
        marks = np.isin(sorted(options), sorted(sums))
        graph = GameGraph.from_rows(np.cumsum([0, *lengths]), np.array(target, np.int32), len(options), sums=marks)
        other = GameGraph.from_arrays(np.repeat(np.arange(len(options)), lengths), target, len(options), sums=marks)
        assert pickle.loads(pickle.dumps(graph)).number_of_edges() == other.number_of_edges()
        for rows in attrgetter("predecessor_rows"), attrgetter("option_rows"):
            assert [each.tolist() for each in rows(graph)] == [each.tolist() for each in rows(other)]
        assert graph.out_degrees.tolist() == other.out_degrees.tolist()

    @pytest.mark.parametrize(
        ("pointers", "target", "message"),
        [
            ([0, 1, 1], [1], "expected a 1-D target, and 4 pointers, the first 0, the last 1"),
            ([0, 1, 1, 2], [1], "expected a 1-D target, and 4 pointers, the first 0, the last 1"),
            ([0, 1, 1, 2], [[1], [2]], "expected a 1-D target, and 4 pointers"),
            ([0, 2, 1, 2], [1, 2], "pointers decrease"),
            ([0, 1, 2, 2], [1, 3], "target has entries that are not vertex numbers: expected 0 to 2"),
        ],
    )
    def test_bad_rows(self, pointers, target, message):
        with pytest.raises(ValueError, match=message):
            GameGraph.from_rows(pointers, target, 3)

    def test_too_many_vertices(self):
        with pytest.raises(LimitError, match="at most 2147483646"):
            GameGraph.from_arrays([], [], 2**31)


class TestSumVertices:
    @given(dags_with_sums())
    def test_round_trip_keeps_kind_and_multiplicity(self, drawn):
        options, sums = drawn
        graph = game(options, sums)
        ordinary = nx.DiGraph(graph)
        assert {v for v, kind in ordinary.nodes(data="kind") if kind == "sum"} == sums
        assert {v for v in graph if graph.is_sum(v)} == sums
        assert (
            graph.number_of_edges() == ordinary.number_of_edges() == len({(v, w) for v in options for w in options[v]})
        )
        assert nx.utils.graphs_equal(nx.DiGraph(GameGraph(ordinary)), ordinary)

    def test_multiplicity(self):
        graph = game({0: [], 1: [0], 2: [1, 1, 0]}, sums={2})
        assert graph[2][1] == {"multiplicity": 2}
        assert graph.pred[1][2] == {"multiplicity": 2}
        assert graph[2][0] == {}
        assert graph.nodes[2] == {"kind": "sum"}
        assert graph.out_degree(2) == 2

    def test_multigraph_parts_stay(self):
        multi = nx.MultiDiGraph([("s", "a"), ("s", "a"), ("a", "b")])
        multi.nodes["s"]["kind"] = "sum"
        assert GameGraph(multi)["s"]["a"] == {"multiplicity": 2}

    def test_multiplicity_of_numpy(self):
        graph = nx.DiGraph([("s", "a", {"multiplicity": np.int64(2)})])
        graph.nodes["s"]["kind"] = "sum"
        assert GameGraph(graph)["s"]["a"] == {"multiplicity": 2}

    def test_bad_multiplicity(self):
        graph = nx.DiGraph([("s", "a", {"multiplicity": -1})])
        graph.nodes["s"]["kind"] = "sum"
        with pytest.raises(ValueError, match="invalid multiplicity: -1 of the edge 's' -> 'a'"):
            GameGraph(graph)
