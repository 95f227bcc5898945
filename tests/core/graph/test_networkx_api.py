"""Every function of networkx that takes a DiGraph answers of a GameGraph what it answers of the DiGraph."""

import inspect
import random
from collections.abc import Iterator, Mapping

import networkx as nx
import numpy as np
import pytest

from graphgame import GameGraph

EDGES = [(3, 1, {"weight": 2, "capacity": 3}), (3, 0, {"weight": 5}), (0, 1, {"weight": 1}), (1, 4), (0, 5), (4, 5)]
CYCLE = [*EDGES, (5, 3, {"weight": 1})]
ARGUMENTS = {
    "source": 3,
    "target": 5,
    "start": 3,
    "s": 3,
    "t": 5,
    "u": 3,
    "v": 5,
    "node": 1,
    "n": 2,
    "root": 3,
    "k": 2,
    "sources": [3],
    "nodes": [0, 1, 3],
    "nbunch": [0, 1, 3],
    "S": {0, 3},
    "T": {1, 5},
    "distance": 2,
    "weight": "weight",
    "attribute": "weight",
    "mapping": {0: "a", 3: "b"},
    "edges": [(3, 1), (0, 1)],
    "ebunch": [(3, 5), (0, 4)],
    "communities": [{0, 1, 3}, {4, 5}],
    "partition": [{0, 1, 3}, {4, 5}],
    "seed": 1,
    "path": [3, 0, 1],
    "H": nx.DiGraph(EDGES),
    "G2": nx.DiGraph(EDGES),
    "radius": 1,
}
ARGUMENTS |= {
    "targets": [5],
    "value": lambda centrality, node: 0,
    "edge": (3, 1),
    "flowDict": {node: {} for node in (3, 1, 0, 4, 5)},
    "threshold": 2,
    "nbunch1": [0, 1],
    "num_colors": 4,
    "x": {3},
    "y": {5},
    "z": {0, 1},
    "sample_size": 2,
    "name": "weight",
    "C": [0, 1],
    "cover": {(3, 1)},
    "matching": {(3, 1)},
    "l": 1,
    "node1": 4,
    "node2": 5,
    "walk_length": 2,
    "values": 1,
    "node_attributes": (),
    "stretch": 2,
    "alpha": 0.5,
    "center_nodes": {3},
    "time_delta": 1,
}
CHANGING = {
    "directed_edge_swap": "Frozen graph",
}
"""What changes the graph that it is given, and is refused."""
DIFFERENT = {"is_frozen"}
BY_THE_BACKEND = {
    "maximum_spanning_arborescence",
    "minimum_branching",
    "minimum_spanning_arborescence",
    "negative_edge_cycle",
}
"""What changes the graph for a moment: of a GameGraph it is answered by the lab ``backend`` alone, and tested there."""
IN_ANY_ORDER = {"k_edge_subgraphs"}


def functions():
    """Yield the public functions whose first parameter is a graph, by name; but for drawings."""
    for name in sorted(vars(nx)):
        function = getattr(nx, name)
        if name.startswith(("_", "draw", "display", "apply_")) or not callable(function) or inspect.isclass(function):
            continue
        if next(iter(inspect.signature(function).parameters), None) in ("G", "G1", "graph"):
            yield name


def arguments(function):
    """Return arguments for what a function must be given, and a seed where it takes one."""
    given = {}
    for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        if parameter.default is parameter.empty or name == "seed":
            given[name] = ARGUMENTS[name]
    return given


def told(value):
    """Return what tells a result from another, in its order."""
    if isinstance(value, nx.Graph):
        return "graph", told(value.graph), told(list(value.nodes(data=True))), told(list(value.edges(data=True)))
    if isinstance(value, Iterator):
        return [told(item) for _, item in zip(range(50), value, strict=False)]
    if isinstance(value, Mapping):
        return "mapping", [(told(key), told(item)) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return [told(item) for item in value]
    if hasattr(value, "toarray"):
        value = value.toarray()
    if isinstance(value, np.ndarray):
        return value.dtype, told(value.tolist())
    if isinstance(value, float):
        return repr(round(value, 9) + 0.0)
    return type(value) if "object at 0x" in repr(value) else repr(value)


def answer(function, graph):
    random.seed(1)
    np.random.seed(1)
    try:
        return told(function(graph, **arguments(function)))
    except Exception as error:
        return type(error), str(error).replace("GameGraph", "DiGraph")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("edges", [EDGES, CYCLE], ids=["acyclic", "cycle"])
@pytest.mark.parametrize("name", [name for name in functions() if name not in DIFFERENT | BY_THE_BACKEND])
def test_each(name, edges, capsys):
    found, expected = (answer(getattr(nx, name), kind(nx.DiGraph(edges))) for kind in (GameGraph, nx.DiGraph))
    capsys.readouterr()
    if name in CHANGING:
        assert found[0] is nx.NetworkXError
        assert CHANGING[name] in found[1]
    elif name in IN_ANY_ORDER:
        assert sorted(found) == sorted(expected)
    else:
        assert found == expected


def test_there_are_many():
    assert len(list(functions())) > 400
