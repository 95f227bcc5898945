"""The interface that networkx calls: which calls the backend can run, how it converts graphs, and its functions.

A graph is *on arrays* if it is a ``GameGraph``, a ``ResultDiGraph`` or a :class:`Converted`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache, cached_property, partial
from operator import contains
from typing import Any, NamedTuple, cast

import networkx as nx
import numpy as np

from graphgame.compiled.engine import use_compiled
from graphgame.graph.attributes import AttributeTables
from graphgame.graph.conversion import networkx_rows
from graphgame.graph.labels import as_labels
from graphgame.graph.result_graphs import ResultDiGraph
from graphgame.graph.rows import Rows
from graphgame.labs.backend import functions
from graphgame.labs.backend.info import FUNCTIONS, KEEPING


class Backend:
    """The object with an attribute for each of networkx's functions, as networkx requires.

    For a function in ``FUNCTIONS`` the attribute runs the version on arrays, or networkx's own code if that version
    cannot run the call. For any other function the attribute is networkx's own code, which can run because a GameGraph
    is a DiGraph. Functions that change their graph while they run (``_CHANGING``) always get a copy of it.
    """

    def __getattr__(self, name: str) -> Callable[..., object]:
        try:
            original = _dispatcher(name).orig_func
        except KeyError:
            raise AttributeError(name) from None
        function: Callable[..., object] = partial(_run, name, original) if name in FUNCTIONS else original
        if name in _CHANGING:
            function = partial(_run_on_copy, original)
        # networkx looks the function up twice in every call, so store it as an ordinary attribute.
        setattr(self, name, function)
        return function

    def relabel_nodes(self, G: Any, mapping: Any, copy: bool = True) -> nx.DiGraph:  # noqa: ANN401
        """Rename nodes, as networkx's function does, and also the tokens of a GameGraph; return the resulting graph."""
        if isinstance(G, Converted) or handles("relabel_nodes", (G, mapping, copy), {}):
            return functions.relabel_nodes(_arrays(G), mapping)
        names = {node: mapping(node) for node in G} if callable(mapping) else mapping
        renamed: nx.DiGraph = _dispatcher("relabel_nodes").orig_func(G, names, copy)
        if G.graph.get("tokens") is not None:
            renamed.graph["tokens"] = tuple(names.get(token, token) for token in G.graph["tokens"])
        return renamed

    def can_run(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """Return True if the backend can run a call of the function ``name``, otherwise the reason, for networkx's log.

        It can run each call that :func:`handles` accepts, and each call whose graphs are all on arrays. If need be, it
        runs networkx's own code on these graphs.
        """
        if args and _on_arrays(args[0]) and len(_dispatcher(name).graphs) == 1:
            return True
        graphs = list(_graphs(name, args, kwargs))
        if (graphs and all(map(_on_arrays, graphs))) or handles(name, args, kwargs):
            return True
        return "some arguments or graphs need networkx itself" if name in FUNCTIONS else "it does not run on arrays"

    def should_run(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """Return True if it pays to convert the graphs of a call to arrays, otherwise the reason, for networkx's log.

        It pays if for each graph one of these is true: it is on arrays, networkx's cache has its arrays from an earlier
        call, or it is so large that loops run compiled.
        """
        pays = all(
            "graphgame" in (getattr(graph, "__networkx_cache__", None) or {}).get("backends", {})
            or _on_arrays(graph)
            or use_compiled(len(graph) + graph.number_of_edges())
            for graph in _graphs(name, args, kwargs)
        )
        return pays or "the graph is too small for its conversion to pay off, or loops are not compiled"

    def convert_from_nx(
        self,
        graph: nx.DiGraph,
        *,
        edge_attrs: dict[str, object] | None = None,
        preserve_edge_attrs: bool = False,
        preserve_node_attrs: bool = False,
        **_: object,
    ) -> Converted:
        """Return a networkx graph as arrays. networkx passes the parameters, which say what attributes a call needs.

        Raises
        ------
        NotImplementedError
            The graph has attributes that the call needs. networkx then runs its own code, unless the call has the
            argument ``backend="graphgame"``.
        """
        if edge_attrs and any(name in data for *_, data in graph.edges(data=True) for name in edge_attrs):
            raise NotImplementedError("edges have weights")
        if preserve_edge_attrs and any(data for *_, data in graph.edges(data=True)):
            raise NotImplementedError("edges have attributes")
        if preserve_node_attrs and any(graph._node.values()):
            raise NotImplementedError("nodes have attributes")
        return Converted(graph)

    def convert_to_nx(self, result: object, **_: object) -> object:
        """Return the argument unchanged, because networkx can use all results as they are."""
        return result


class GraphChangedError(nx.NetworkXUnfeasible, RuntimeError):
    """A graph was changed while it was being sorted.

    networkx raises NetworkXUnfeasible or RuntimeError, depending on what was changed. This error is both.
    """


class Converted:
    """A networkx DiGraph as arrays, with the neighbours in networkx's order. It is a ``VerticesWithAttributes``."""

    __networkx_backend__ = "graphgame"

    def __init__(self, graph: nx.DiGraph) -> None:
        self.graph = dict(graph.graph)
        self.labels = as_labels(list(graph))
        self.successors, self._predecessors = graph._succ, graph._pred
        self.successor_rows = networkx_rows(graph._succ, self.labels)

    @cached_property
    def predecessor_rows(self) -> Rows:
        """The predecessors of each vertex. They are read from the networkx graph when they are first needed."""
        return networkx_rows(self._predecessors, self.labels)


def handles(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Return True if the function ``name`` has a version on arrays that can run this call.

    That version must support the value of each argument: for example, a node must be a node of the graph. If networkx's
    result keeps attributes of nodes and edges, graphs on arrays must not have any. ``Backend.convert_from_nx`` checks
    the attributes of networkx graphs later.
    """
    checks = _checks_of_calls(name, len(args), tuple(kwargs)) if name in FUNCTIONS else None
    return checks is not None and _accepts(name, checks, (*args, *kwargs.values()))


def _accepts(name: str, checks: _Checks, values: tuple[Any, ...]) -> bool:
    """Return True if the version on arrays of the function ``name`` supports the arguments ``values`` of a call.

    The call may have positional and keyword arguments; ``values`` has all of them in this order. ``checks`` are the
    checks from :func:`_checks_of_calls` for calls of this form.
    """
    for index in checks.graphs:
        graph = values[index]
        if not isinstance(graph, nx.DiGraph) or graph.is_multigraph() or (name in KEEPING and _has_attributes(graph)):
            return False
    graph = values[checks.graphs[0]]
    for index, accepts in checks.tests:
        if not accepts(graph, values[index]):
            return False
    return not checks.ends or any(values[index] is not None for index in checks.ends)


class _Checks(NamedTuple):
    """What to check in calls of a function, and which arguments its version on arrays gets.

    An index counts all arguments from 0, positional before named ones.
    """

    graphs: list[int]  # the indices of the arguments that are graphs
    ends: list[int]  # the indices of source and target if they must not both be None; otherwise empty
    # (index of an argument, test): the backend runs the call only if test(graph, argument) is True
    tests: list[tuple[int, Callable[[nx.DiGraph, Any], bool]]]
    passed: list[tuple[str, int]]  # (name, index) of each argument that the backend's own function takes


@cache
def _checks_of_calls(name: str, positional: int, keywords: tuple[str, ...]) -> _Checks | None:
    """Return the checks for calls with this number of positional arguments, and these keywords in this order.

    The result is None if networkx's own code should run such calls, for example because it will raise an error.
    """
    parameters = inspect.signature(_dispatcher(name).orig_func).parameters
    may_be_positional = [key for key, parameter in parameters.items() if parameter.kind is not parameter.KEYWORD_ONLY]
    keys = [*may_be_positional[:positional], *keywords]
    required = {key for key, parameter in parameters.items() if parameter.default is inspect.Parameter.empty}
    is_too_long = positional > len(may_be_positional)
    if is_too_long or len(set(keys)) < len(keys) or not required <= set(keys) <= parameters.keys():
        return None
    index = {key: number for number, key in enumerate(keys)}
    ends = [index[key] for key in _ENDS if key in index] if name in _WITH_AN_END else []
    if name in _WITH_AN_END and not ends:
        return None
    tests = [(index[key], test) for key in keys if (test := _test(name, key, parameters[key].default)) is not None]
    if "weight" in parameters.keys() - index.keys() - set(FUNCTIONS[name]):
        default_weight = parameters["weight"].default
        tests.append((index["G"], lambda graph, _: default_weight not in _tables(graph).names))
    passed = [(key, number) for key, number in index.items() if key not in (*FUNCTIONS[name], *_IGNORED)]
    return _Checks([index[key] for key in ("G", "H") if key in index], ends, tests, passed)


def _test(name: str, key: str, default: object) -> Callable[[nx.DiGraph, Any], bool] | None:
    """Return ``test(graph, value)``, which is True if the backend supports this value of the argument ``key``.

    ``name`` is the function's name, and ``default`` the argument's default. Return None if all values are supported.
    """
    if key in FUNCTIONS[name]:
        return lambda _, value: type(value) is type(default) and value == default
    test = _TESTS.get(key)
    if test is None or default is not None:
        return test
    return lambda graph, value: value is None or test(graph, value)


def _has_attributes(graph: Any) -> bool:  # noqa: ANN401
    """Return True if any node or edge of a graph on arrays has attributes.

    Sum vertices and decided positions have the attribute ``kind``.
    """
    tables = _tables(graph)
    has_kinds = any(getattr(graph, name, None) is not None for name in ("sums", "decided"))
    return has_kinds or bool(tables.nodes or tables.edges)


def _tables(graph: Any) -> AttributeTables:  # noqa: ANN401
    tables = getattr(graph, "attributes", None)
    return tables if isinstance(tables, AttributeTables) else AttributeTables()


def _are_nodes(graph: nx.DiGraph, sources: Any) -> bool:  # noqa: ANN401
    return sources in graph or (isinstance(sources, (list, tuple, set)) and all(node in graph for node in sources))


_CHANGING = {
    "maximum_branching",
    "maximum_spanning_arborescence",
    "minimal_branching",
    "minimum_branching",
    "minimum_spanning_arborescence",
    "negative_edge_cycle",
    "recursive_simple_cycles",
}
"""Functions of networkx that change their graph while they run. They get a copy, because a GameGraph is read-only."""

_SORTING = {"lexicographical_topological_sort", "topological_generations", "topological_sort"}
"""Functions that, as networkx documents, raise an error if their graph changes while they run."""

_IGNORED = ("nodelist", "weight", "multigraph_weight")
"""Parameters that the versions on arrays do not have: the values that :func:`handles` accepts make no difference."""

_ENDS = ("source", "target")
_WITH_AN_END = ("shortest_path", "shortest_path_length")
"""Functions that run on arrays only if the source or the target is given."""

_TESTS: dict[str, Callable[[nx.DiGraph, Any], bool]] = {
    "start": contains,
    "source": contains,
    "target": contains,
    "sources": _are_nodes,
    "depth_limit": lambda _, limit: type(limit) is int,
    "cutoff": lambda _, limit: type(limit) is int,
    "distance": lambda _, distance: type(distance) is int and distance >= 0,
    "dtype": lambda _, dtype: np.dtype(dtype).names is None,
    "nodelist": lambda graph, nodes: isinstance(nodes, list) and nodes == list(graph),
    "reverse": lambda _, reverse: isinstance(reverse, bool),
    "first_label": lambda _, first: type(first) is int,
    "key": lambda _, key: callable(key),
    "mapping": lambda _, mapping: callable(mapping) or type(mapping) is dict,
    "weight": lambda graph, name: isinstance(name, str) and name not in ("multiplicity", *_tables(graph).names),
}
"""Name of a parameter -> ``test(graph, argument)``, which is True if the version on arrays supports the argument.

If the default of the parameter is None, the argument may also be None.
"""


def _dispatcher(name: str) -> Any:  # noqa: ANN401
    return nx.utils.backends._registered_algorithms[name]


def _graphs(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Any]:
    """Yield the graphs among the arguments of a call."""
    dispatcher = _dispatcher(name)
    for key, index in dispatcher.graphs.items():
        value = args[index] if index < len(args) else kwargs.get(key)
        if key in dispatcher.list_graphs:
            yield from cast("list[Any]", value)
        elif value is not None:
            yield value


def _on_arrays(graph: object) -> bool:
    return getattr(graph, "__networkx_backend__", None) == "graphgame"


def _run(name: str, original: Callable[..., object], *args: Any, **kwargs: Any) -> object:  # noqa: ANN401
    """Run a call by the version on arrays of the function ``name`` if that can run it, otherwise by ``original``."""
    graph, values = args[0] if args else kwargs["G"], (*args, *kwargs.values())
    checks = _checks_of_calls(name, len(args), tuple(kwargs))
    if checks is None or (type(graph) is not Converted and not _accepts(name, checks, values)):
        return original(*args, **kwargs)
    result: object = getattr(functions, name)(**{key: _arrays(values[index]) for key, index in checks.passed})
    return _unless_changed(graph, result) if name in _SORTING and type(graph) is Converted else result


def _unless_changed(graph: Converted, nodes: Any) -> Iterator[Any]:  # noqa: ANN401
    """Yield ``nodes``, the result of a sort. At the end raise GraphChangedError if the networkx graph was changed.

    Only a change of its number of nodes or edges is noticed. networkx also raises an error if a graph changes during a
    sort.
    """
    yield from nodes
    now = graph.successors
    if len(now) != len(graph.labels) or sum(map(len, now.values())) != len(graph.successor_rows.indices):
        raise GraphChangedError("Graph contains a cycle or graph changed during iteration")


def _run_on_copy(original: Callable[..., object], G: Any, *args: Any, **kwargs: Any) -> object:  # noqa: ANN401
    return original(nx.DiGraph(G), *args, **kwargs)


def _arrays(argument: Any) -> Any:  # noqa: ANN401
    """Return the attribute ``arrays`` of a ``ResultDiGraph``; return any other argument unchanged.

    A ResultDiGraph becomes an ordinary DiGraph as soon as its dictionaries are read, but its arrays do not change. So
    an iterator over a result can still use them.
    """
    return argument.arrays if type(argument) is ResultDiGraph else argument


backend = Backend()
"""The object that networkx finds through the entry point of the package."""
