"""Tables of the attributes of a graph: of nodes by vertex number, of edges by the numbers of both vertices."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NoReturn

import networkx as nx
import numpy as np

from graphgame.graph import LOONY, SUNNY
from graphgame.graph.labels import Labels


def refuse_change(*_: object, **__: object) -> NoReturn:
    """Raise a NetworkXError that says how to get a graph that can be changed."""
    raise nx.NetworkXError("Frozen graph can't be modified: make a DiGraph (nx.DiGraph(G)), then GameGraph(it)")


def refuse_attribute(*_: object, **__: object) -> NoReturn:
    """Raise a NetworkXError that says how to get a graph whose attributes can be set."""
    raise nx.NetworkXError(
        "Frozen graph can't be modified: nx.DiGraph(G) takes attributes, solve(G).to_networkx() has grundy and outcome"
    )


class FrozenAttributes(dict[str, Any]):
    """The attributes of a node or an edge: a dictionary that cannot be changed; its copies can be changed."""

    __slots__ = ()

    __setitem__ = __delitem__ = update = setdefault = pop = popitem = clear = __ior__ = refuse_attribute

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        return deepcopy(dict(self), memo)

    __copy__ = dict.copy

    def __reduce__(self) -> tuple[object, ...]:
        return FrozenAttributes, (dict(self),)


NO_ATTRIBUTES = FrozenAttributes()
_KINDS = {"sum": 1, "decided-P": SUNNY, "decided-N": LOONY}
VERTEX_KINDS = ("", *_KINDS)
"""At index ``abs(code)``, for a code of :func:`kind_codes`: the vertex attribute ``kind``, or "" for none."""

_OF_KIND = {0: NO_ATTRIBUTES, **{code: FrozenAttributes(kind=kind) for kind, code in _KINDS.items()}}


@dataclass(frozen=True)
class AttributeTables:
    """The attributes of nodes and edges that do not follow from the arrays of the graph.

    The ``kind`` of a sum or a decided position, and the ``multiplicity`` of a part of a sum follow from the arrays.

    Attributes
    ----------
    nodes : dict
        Vertex number -> all attributes of the vertex; only vertices with an attribute that the arrays do not give.
    edges : mapping
        Vertex number -> number of a successor -> attributes of the edge; only edges that have any.
    names : frozenset
        The names of the attributes in ``edges``.
    """

    nodes: dict[int, FrozenAttributes] = field(default_factory=dict)
    edges: Mapping[int, dict[int, FrozenAttributes]] = field(default_factory=dict)
    names: frozenset[Hashable] = frozenset()

    def of_node(self, number: int, kind: int) -> FrozenAttributes:
        """Return all attributes of a node; ``kind`` is its code from :func:`kind_codes`."""
        return self.nodes.get(number, _OF_KIND[kind])

    def of_edge(self, start: int, end: int, multiplicity: int) -> FrozenAttributes:
        """Return all attributes of the edge from ``start`` to ``end``, with the multiplicity if that is not 1."""
        own = self.edges[start].get(end, NO_ATTRIBUTES) if start in self.edges else NO_ATTRIBUTES
        return own if multiplicity == 1 else FrozenAttributes({**own, "multiplicity": multiplicity})


def kinds_of(names: Iterable[object], count: int) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return the arrays ``sums`` and ``decided`` of :class:`GameGraph`; ``names`` has the ``kind`` of each vertex.

    Names that are not kinds are ignored. An array is None if it would mark none of the ``count`` vertices.

    Examples
    --------
    >>> kinds_of(["sum", None, "decided-N"], 3)
    (array([ True, False, False]), array([ 0,  0, -3], dtype=int8))
    """
    codes = np.fromiter((_KINDS.get(name, 0) if isinstance(name, str) else 0 for name in names), np.int8, count)
    sums, decided = codes == 1, np.minimum(codes, 0)
    return sums if sums.any() else None, decided if decided.any() else None


def kind_codes(sums: np.ndarray | None, decided: np.ndarray | None) -> np.ndarray | None:
    """Return for each vertex 1 if it is a sum, otherwise its code in ``decided``; None if both arguments are None."""
    if sums is None:
        return decided
    return sums.astype(np.int8) if decided is None else np.where(sums, np.int8(1), decided)


def networkx_attributes(graph: Any, labels: Labels, sums: np.ndarray | None) -> AttributeTables:  # noqa: ANN401
    """Return the tables of the attributes of a networkx graph; ``sums`` marks the sum vertices.

    The attributes of parallel edges are merged. If several have the same attribute, the value of the last edge counts.
    """
    kinds: Any = _OF_KIND.values()
    nodes = {v: FrozenAttributes(data) for v, data in enumerate(graph._node.values()) if data and data not in kinds}
    data = chain.from_iterable(row.values() for row in graph._succ.values())
    if not any(chain.from_iterable(edges.values() for edges in data) if graph.is_multigraph() else data):
        return AttributeTables(nodes)
    number = {label: v for v, label in enumerate(labels)}
    merged = _merged if graph.is_multigraph() else dict
    edges: dict[int, dict[int, FrozenAttributes]] = {}
    for start, row in enumerate(graph._succ.values()):
        in_arrays = {"multiplicity"} if sums is not None and sums[start] else set()
        for position, data in row.items():
            if own := {name: value for name, value in merged(data).items() if name not in in_arrays}:
                edges.setdefault(start, {})[number[position]] = FrozenAttributes(own)
    names = frozenset(chain.from_iterable(chain.from_iterable(row.values() for row in edges.values())))
    return AttributeTables(nodes, edges, names)


def _merged(parallel: Mapping[Hashable, Mapping[str, Any]]) -> dict[str, Any]:
    return {name: value for data in parallel.values() for name, value in data.items()}
