"""networkx's functions on the arrays of a GameGraph answer what networkx answers, and networkx calls them by itself."""

import copy
import pickle
from contextlib import contextmanager
from functools import singledispatch

import networkx as nx
import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from graphgame import GameGraph
from graphgame.compiled import engine
from graphgame.labs.backend import functions, search
from graphgame.labs.backend.info import FUNCTIONS
from graphgame.labs.backend.interface import Converted, backend, handles
from tests.helpers import needs
from tests.strategies import dags, dags_with_sums, digraphs

EACH_NODE = [{"source": 0}, {"source": 1}, {"source": 99}, {"source": None}, {"source": [0]}]
LIMITS = [{"source": 0, "depth_limit": limit} for limit in (-1, 0, 1, 2, 1.5)]
CUTOFFS = [{"cutoff": cutoff} for cutoff in (-1, 0, 1, 2, 0.5)]
WHOLE = [{}]
BREADTH = [*EACH_NODE, *LIMITS, {"source": 0, "sort_neighbors": sorted}]
DEPTH = [{}, *BREADTH]
PATHS = [{"source": 0, "target": end} for end in (0, 1, 2, 99)] + [{"source": 99, "target": 0}]
ENDS = [*PATHS, {"source": 1}, {"target": 1}, {"source": 99}, {"target": 99}, {"source": 0, "target": 1, "weight": "w"}]
MATRICES = [{}, {"dtype": float}, {"weight": "w"}, {"weight": "multiplicity"}, {"weight": None}, {"nodelist": []}]
MATRICES += [{"nodelist": [0]}, {"nodelist": [99]}, {"nodelist": [0, 0]}, {"nodelist": [0, 1, 2]}]
KEYS = [str, abs, lambda node: -node, lambda node: node // 2, lambda node: (node % 2, node)]
KEYS += [lambda node: str(node) if node == 1 else node, lambda node: frozenset({node, node // 2})]
NAMES = {}, {0: "a", 1: "b"}, {0: 1, 1: 0}, {0: 1}, {2: None}

CALLS = {
    "ancestors": EACH_NODE,
    "bfs_edges": [*BREADTH, {"source": 1, "reverse": True}, {"source": 0, "reverse": 1}],
    "bfs_layers": [{"sources": each} for each in (0, [0, 2], (1,), {1, 2, 3}, [0, 99], 99, [], None)],
    "bfs_successors": BREADTH,
    "bidirectional_shortest_path": PATHS,
    "dag_longest_path": [{}, {"weight": None}, {"weight": "multiplicity"}, {"default_weight": 2}, {"topo_order": [0]}],
    "dag_longest_path_length": [{}, {"default_weight": 2}, {"default_weight": True}, {"weight": "w"}],
    "bfs_tree": [*BREADTH, {"source": 1, "reverse": True}],
    "condensation": WHOLE,
    "convert_node_labels_to_integers": [{}, {"first_label": 5}, {"ordering": "sorted"}, {"label_attribute": "was"}],
    "descendants": EACH_NODE,
    "dfs_tree": DEPTH,
    "find_cycle": [*EACH_NODE, {"orientation": "original"}],
    "immediate_dominators": [{"start": 0}, {"start": 1}, {"start": 99}],
    "lexicographical_topological_sort": [{}, *({"key": key} for key in KEYS)],
    "relabel_nodes": [
        {"mapping": mapping} for mapping in ({}, {0: "a", 1: "b"}, {0: 1, 1: 0}, {0: 1}, {2: None}, *KEYS)
    ],
    "to_pandas_edgelist": [{}, {"source": "from"}, {"dtype": object}, {"target": "source"}, {"nodelist": [0]}],
    "transitive_closure_dag": [{}],
    "transitive_reduction": WHOLE,
    "descendants_at_distance": [{"source": 0, "distance": far} for far in (-1, 0, 1, 2, 9, 1.0, None)],
    "dfs_edges": DEPTH,
    "dfs_postorder_nodes": DEPTH,
    "dfs_predecessors": DEPTH,
    "dfs_preorder_nodes": DEPTH,
    "dfs_successors": DEPTH,
    "has_cycle": WHOLE,
    "has_path": PATHS,
    "is_directed_acyclic_graph": WHOLE,
    "is_strongly_connected": WHOLE,
    "is_weakly_connected": WHOLE,
    "number_strongly_connected_components": WHOLE,
    "number_weakly_connected_components": WHOLE,
    "shortest_path": ENDS,
    "shortest_path_length": ENDS,
    "single_source_shortest_path": [*EACH_NODE, *({"source": 0, **cutoff} for cutoff in CUTOFFS)],
    "single_source_shortest_path_length": [*EACH_NODE, *({"source": 0, **cutoff} for cutoff in CUTOFFS)],
    "single_target_shortest_path": [{"target": 0}, {"target": 99}, *({"target": 1, **cutoff} for cutoff in CUTOFFS)],
    "single_target_shortest_path_length": [{"target": 99}, *({"target": 1, **cutoff} for cutoff in CUTOFFS)],
    "strongly_connected_components": WHOLE,
    "to_numpy_array": [*MATRICES, {"order": "F", "nonedge": -1, "multigraph_weight": max}, {"dtype": [("w", int)]}],
    "to_scipy_sparse_array": [*MATRICES, {"format": "coo"}, {"format": "lil"}, {"format": "no"}],
    "topological_generations": WHOLE,
    "topological_sort": WHOLE,
    "weakly_connected_components": WHOLE,
}
OF_TWO = {"compose", "disjoint_union"}


LIBRARIES = {"to_pandas_edgelist": "pandas", "to_scipy_sparse_array": "scipy"}
NAMES_OF_CALLS = [pytest.param(name, marks=needs(LIBRARIES[name])) if name in LIBRARIES else name for name in CALLS]


def test_every_function_is_tried():
    assert (
        CALLS.keys() | OF_TWO
        == FUNCTIONS.keys()
        == {name for name in vars(functions) if name in nx.utils.backends._registered_algorithms}
    )


def answer(function, graph, arguments):
    """Return all that a call gives, in its order, and the kinds of it; or its error."""
    items = []
    try:
        result = function(graph, **arguments)
        if hasattr(result, "__next__"):
            items.extend(result)
            return "iterator", items
    except (nx.NetworkXException, TypeError, KeyError, ValueError) as error:
        return items, type(error), str(error).splitlines()[-1:]  # networkx before 3.7 has Python's message above
    if isinstance(result, nx.Graph):
        return contents(result)
    if hasattr(result, "to_dict"):
        return result.astype(str).to_dict(), list(result.dtypes)
    if hasattr(result, "dtype"):
        dense = np.asarray(getattr(result, "todense", lambda: result)())
        return type(result), result.dtype, dense.tolist(), getattr(result, "format", dense.flags.fnc)
    return type(result), list(result.items()) if isinstance(result, dict) else result


def contents(graph):
    """Return all that a graph has, in its order, and that it can be changed."""
    text = str(graph)
    nodes, edges = list(graph.nodes(data=True)), list(graph.edges(data=True))
    found = nodes, edges, list(graph.in_edges(data=True)), list(graph.graph.items()), len(graph), graph.size(), text
    graph.add_edge("new", "other", weight=1)
    return *found, isinstance(graph, nx.DiGraph), graph["new"], graph.nodes["new"]


@contextmanager
def compiled_from(size):
    """Set from which size loops are compiled; where all are, searches are in arrays from the first step on."""
    before = engine.COMPILED_FROM, search.FEW_ENTRIES
    engine.COMPILED_FROM, search.FEW_ENTRIES = size, size and 6
    try:
        yield
    finally:
        engine.COMPILED_FROM, search.FEW_ENTRIES = before


def shuffled(options, order):
    """Return a DiGraph whose nodes and neighbours stand in another order than that of their numbers."""
    graph = nx.DiGraph()
    graph.add_nodes_from(sorted(options, key=lambda node: order[node % len(order)]))
    edges = [(start, end) for start, ends in options.items() for end in ends]
    graph.add_edges_from(sorted(edges, key=lambda edge: order[sum(edge) % len(order)]))
    return graph


def compare(name, graph, converted):
    original = nx.utils.backends._registered_algorithms[name].orig_func
    for arguments in CALLS[name]:
        if converted is None:
            found = answer(getattr(backend, name), graph, arguments)
        elif backend.can_run(name, (graph,), arguments) is not True:
            continue
        else:
            found = answer(getattr(backend, name), converted, arguments)
        assert found == answer(original, graph, arguments), arguments


quick = settings(max_examples=25, phases=[Phase.explicit, Phase.reuse, Phase.generate])
GRAPHS = st.one_of(dags(8, 20), digraphs())


@pytest.mark.parametrize("size", [0, engine.COMPILED_FROM], ids=["compiled", "plain"])
@pytest.mark.parametrize("name", NAMES_OF_CALLS)
@quick
@given(options=GRAPHS, order=st.permutations(range(9)))
def test_as_networkx_answers(name, size, options, order):
    plain = shuffled(options, order)
    with compiled_from(size):
        compare(name, GameGraph(options), None)
        compare(name, plain, Converted(plain))


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES_OF_CALLS)
@quick
@given(game=dags_with_sums())
def test_of_sums(name, game):
    options, sums = game
    plain = nx.MultiDiGraph(options)
    plain.add_nodes_from(sums, kind="sum")
    compare(name, GameGraph(plain), None)


@pytest.mark.parametrize("name", NAMES_OF_CALLS)
@pytest.mark.parametrize("graph", [GameGraph([]), GameGraph({"only": []})], ids=["no vertex", "one vertex"])
def test_of_the_smallest(name, graph):
    compare(name, graph, None)


@pytest.mark.parametrize("name", sorted(OF_TWO))
@quick
@given(first=GRAPHS, second=GRAPHS, order=st.permutations(range(9)), attributes=st.booleans())
def test_of_two(name, first, second, order, attributes):
    one, other = shuffled(first, order), shuffled(second, order[::-1])
    nx.relabel_nodes(other, {0: "x"}, copy=False)
    one.graph["name"], other.graph["name"] = "one", "other"
    if attributes:
        one.add_node(next(iter(one)), label="a")
    expected = contents(getattr(nx, name)(one, other))
    assert contents(getattr(backend, name)(GameGraph(one), GameGraph(other))) == expected
    if not attributes:
        assert contents(getattr(backend, name)(Converted(one), Converted(other))) == expected


COPIES = {
    "copy": lambda graph: graph.copy(),
    "reverse": lambda graph: graph.reverse(),
    "twice": lambda graph: graph.reverse().reverse(),
    "most": lambda graph: graph.subgraph([0, 1, 2, 3, 4]).copy(),
    "few": lambda graph: nx.subgraph(graph, [3, 1, 99]).copy(),
    "none": lambda graph: graph.subgraph([]).copy(),
    "view": lambda graph: graph.subgraph([1, 2]).copy(as_view=True).copy(),
    "of a copy": lambda graph: graph.copy().subgraph([0, 1]).copy(),
}


@pytest.mark.parametrize("name", COPIES)
@quick
@given(options=GRAPHS, order=st.permutations(range(9)), attributes=st.booleans())
def test_copies(name, options, order, attributes):
    plain = shuffled(options, order)
    plain.graph["list"] = []
    if attributes:
        plain.add_node(0, label="a")
    graph = GameGraph(plain)
    found, expected = COPIES[name](graph), COPIES[name](plain)
    assert (found.graph["list"] is plain.graph["list"]) == (expected.graph["list"] is plain.graph["list"])
    assert contents(found) == contents(expected)
    assert contents(COPIES[name](graph)) == contents(COPIES[name](plain))


def test_a_result_is_an_ordinary_graph_once_it_is_looked_at():
    result = GameGraph({"a": ["b", "c"], "b": ["c"], "c": []}).copy()
    assert [node in result for node in ("a", "z", [])] == [True, False, False]
    assert (len(result), result.size(), list(result)) == (3, 3, ["a", "b", "c"])
    assert nx.descendants(pickle.loads(pickle.dumps(result)), "a") == {"b", "c"}
    assert isinstance(result, nx.DiGraph)
    assert type(result) is not nx.DiGraph
    result["a"]["b"]["weight"] = 5
    assert type(result) is nx.DiGraph
    assert nx.dijkstra_path_length(copy.deepcopy(result), "a", "b") == 5
    result.remove_node("b")
    assert list(result.edges) == [("a", "c")]


@pytest.mark.parametrize("view", ["degree", "in_degree", "out_degree"])
@pytest.mark.parametrize("sums", [[], [0]], ids=["positions", "a sum"])
def test_degrees(view, sums):
    graph = nx.MultiDiGraph({0: [1, 1, 2], 1: [2], 2: []})
    graph.add_nodes_from(sums, kind="sum")
    graph = GameGraph(graph)
    found, expected = getattr(graph, view), getattr(nx.DiGraph(graph), view)
    assert list(found) == list(found()) == list(expected)
    assert found[2] == expected[2]
    assert list(found([0, 2])) == list(expected([0, 2]))
    assert list(found(weight="multiplicity")) == list(expected(weight="multiplicity"))


def test_what_networkx_fills_is_an_ordinary_graph():
    made = nx.from_edgelist([(0, 1)], create_using=GameGraph)
    made.add_edge(1, 2)
    assert isinstance(made, nx.DiGraph)
    assert not isinstance(made, GameGraph)


def test_a_function_of_the_class_finds_it():
    @singledispatch
    def kind(graph):
        return "other"

    @kind.register
    def _(graph: GameGraph):
        return "game"

    assert (kind(GameGraph({0: [1]})), kind(nx.DiGraph()), GameGraph({0: [1]}).__class__) == (
        "game",
        "other",
        GameGraph,
    )


def test_what_runs_on_arrays():
    graph = GameGraph({0: [1], 1: []})
    assert handles("descendants", (graph, 0), {})
    assert handles("shortest_path", (graph,), {"source": 0, "target": 1})
    assert not handles("shortest_path", (graph,), {})
    assert not handles("pagerank", (graph,), {})
    assert not handles("descendants", (nx.MultiDiGraph(graph), 0), {})
    assert not handles("bfs_edges", (nx.Graph(graph), 0), {})


@pytest.mark.parametrize(
    ("name", "end"),
    [("single_source_shortest_path", "source"), ("single_target_shortest_path", "target"), ("dfs_edges", "source")],
)
def test_nodes_that_are_sequences(name, end):
    """More nodes than are looked up one by one, each a tuple that an array could take for a row of its own."""
    plain = nx.relabel_nodes(nx.balanced_tree(2, 8, create_using=nx.DiGraph), lambda node: (node, str(node)))
    plain = plain.reverse() if end == "target" else plain
    graph, arguments = GameGraph(plain), {end: (0, "0")}
    expected = answer(getattr(nx, name), plain, arguments)
    assert answer(getattr(nx, name), graph, arguments) == expected
    assert answer(getattr(nx, name), pickle.loads(pickle.dumps(graph)), arguments) == expected


@pytest.mark.parametrize("mapping", [{"a": "b", "b": "a"}, lambda node: node.upper()], ids=["mapping", "function"])
def test_tokens_are_renamed_with_the_nodes(mapping):
    graph = GameGraph({"a": ["b"], "b": ["c"]}, tokens=["a", "c", "a"], name="x")
    plain = nx.relabel_nodes(nx.DiGraph(graph), mapping)
    renamed = backend.relabel_nodes(graph, mapping)
    first, _, last = renamed
    assert (list(renamed), list(renamed.edges)) == (list(plain), list(plain.edges))
    assert renamed.graph == {"name": "x", "tokens": (first, last, first)}
    assert backend.relabel_nodes(GameGraph({"a": ["b"]}), mapping).graph == {}


@pytest.mark.parametrize("name", ["compose", "convert_node_labels_to_integers", "relabel_nodes"])
def test_decided_positions_keep_their_kind(name):
    plain = nx.DiGraph([("a", "b")])
    plain.nodes["b"]["kind"] = "decided-P"
    more = {"compose": [plain], "relabel_nodes": [{"a": "x"}]}.get(name, [])
    result, expected = (getattr(nx, name)(graph, *more) for graph in (GameGraph(plain), plain))
    assert list(result.nodes(data=True)) == list(expected.nodes(data=True))


def test_weights_are_left_to_networkx():
    graph = nx.DiGraph([(0, 1)])
    graph.add_edge(1, 2, weight=5)
    with pytest.raises(NotImplementedError, match="weights"):
        backend.convert_from_nx(graph, edge_attrs={"weight": 1})


@pytest.mark.parametrize("weight", ["cost", "label", "other"])
def test_weights_of_a_gamegraph_are_left_to_networkx(weight):
    plain = nx.DiGraph([(0, 1, {"cost": 5}), (1, 2, {"label": 1})])
    graph = GameGraph(plain)
    assert handles("dag_longest_path_length", (graph,), {"weight": weight}) == (weight == "other")
    for name in ("dag_longest_path_length", "to_numpy_array"):
        assert answer(getattr(backend, name), graph, {"weight": weight}) == answer(
            getattr(nx, name), plain, {"weight": weight}
        )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "run",
    [
        lambda G: sorted(map(sorted, nx.recursive_simple_cycles(G))),
        lambda G: sorted(nx.algorithms.tree.branchings.minimal_branching(G).edges),
        lambda G: sorted(nx.minimum_branching(G).edges),
        nx.negative_edge_cycle,
    ],
)
def test_functions_that_change_their_graph_get_a_copy(run):
    edges = [(1, 2), (2, 1), (2, 2), (2, 3)]
    assert run(GameGraph(edges)) == run(nx.DiGraph(edges))


def test_a_search_goes_no_further_than_asked():
    """The first edges of a search through a long path come without the rest."""
    far = 10_000
    graph = GameGraph.from_arrays(range(far), range(1, far + 1), far + 1)
    for edges in (functions.bfs_edges(graph, 0), functions.dfs_edges(graph, 0)):
        assert [next(edges) for _ in range(3)] == [(0, 1), (1, 2), (2, 3)]
        assert sum(1 for _ in edges) == far - 3


def test_an_ordinary_graph_is_converted_where_it_pays(monkeypatch):
    monkeypatch.setattr("graphgame.labs.backend.interface.use_compiled", lambda size: size > 2)
    large, small = nx.DiGraph([(0, 1)]), nx.DiGraph([(0, 0)])
    assert backend.should_run("descendants", (large, 0), {}) is True
    assert "too small" in backend.should_run("descendants", (small, 0), {})
    assert backend.should_run("descendants", (GameGraph(small), 0), {}) is True
    small.__networkx_cache__["backends"] = {"graphgame": {}}
    assert backend.should_run("descendants", (small, 0), {}) is True


def test_why_a_call_is_left_to_networkx():
    graph = nx.DiGraph([(0, 1)])
    assert backend.can_run("descendants", (graph, 0), {}) is True
    assert "arguments" in backend.can_run("descendants", (graph, 2), {})
    assert "arrays" in backend.can_run("pagerank", (graph,), {})


@pytest.mark.parametrize("name", ["topological_sort", "topological_generations", "lexicographical_topological_sort"])
@pytest.mark.parametrize("change", [lambda graph: graph.add_edge(2, 3), lambda graph: graph.remove_edge(1, 2)])
def test_a_graph_that_changes_while_it_is_sorted(name, change):
    graph = nx.DiGraph([(0, 1), (1, 2)])
    nodes = getattr(nx, name)(graph, backend="graphgame")
    next(nodes)
    change(graph)
    with pytest.raises((RuntimeError, nx.NetworkXUnfeasible), match="changed"):
        list(nodes)
