"""The attributes of the nodes and edges of a graph, by vertex numbers: tables that are empty where there are none."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NoReturn

import networkx as nx
import numpy as np

from graphgame.graph.decided import LOONY, SUNNY
from graphgame.graph.labels import Labels


def refuse_change(*_: object, **__: object) -> NoReturn:
    """Refuse a change, and say how to get a graph that takes it."""
    raise nx.NetworkXError("Frozen graph can't be modified: make a DiGraph (nx.DiGraph(G)), then GameGraph(it)")


def refuse_attribute(*_: object, **__: object) -> NoReturn:
    """Refuse an attribute, and say which graphs take or have it."""
    raise nx.NetworkXError(
        "Frozen graph can't be modified: nx.DiGraph(G) takes attributes, solve(G).to_networkx() has grundy and outcome"
    )


class FrozenAttributes(dict[str, Any]):
    """The attributes of a node or an edge: a dictionary that refuses change, with ordinary copies."""

    __slots__ = ()

    __setitem__ = __delitem__ = update = setdefault = pop = popitem = clear = __ior__ = refuse_attribute

    def __deepcopy__(self, memo: object) -> dict[str, Any]:
        return dict(self)

    __copy__ = dict.copy

    def __reduce__(self) -> tuple[object, ...]:
        return FrozenAttributes, (dict(self),)


_NONE = FrozenAttributes()
_KINDS = {"sum": 1, "decided-P": SUNNY, "decided-N": LOONY}
VERTEX_KINDS = ("", *_KINDS)
"""The attribute ``kind`` of a vertex, by the absolute value of its code."""

_OF_KIND = {0: _NONE, **{code: FrozenAttributes(kind=kind) for kind, code in _KINDS.items()}}


@dataclass(frozen=True)
class AttributeTables:
    """What nodes and edges carry beside what the arrays tell: the kind of a node, and how often a sum has a part.

    Attributes
    ----------
    nodes : dict
        Vertex number -> attributes, where there are any.
    edges : mapping
        Vertex number -> number of a successor -> attributes, where there are any.
    names : frozenset
        Of the attributes of edges.
    """

    nodes: dict[int, FrozenAttributes] = field(default_factory=dict)
    edges: Mapping[int, dict[int, FrozenAttributes]] = field(default_factory=dict)
    names: frozenset[Hashable] = frozenset()

    def of_node(self, number: int, kind: int) -> FrozenAttributes:
        """Return the attributes of a node, whose kind :func:`kind_codes` gives."""
        return self.nodes.get(number, _OF_KIND[kind])

    def of_edge(self, start: int, end: int, multiplicity: int) -> FrozenAttributes:
        """Return the attributes of an edge."""
        own = self.edges[start].get(end, _NONE) if start in self.edges else _NONE
        return own if multiplicity == 1 else FrozenAttributes({**own, "multiplicity": multiplicity})


def kinds_of(names: Iterable[object], count: int) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return the sums and the decided positions among vertices whose attribute ``kind`` is given; None where none is.

    Examples
    --------
    >>> kinds_of(["sum", None, "decided-N"], 3)
    (array([ True, False, False]), array([ 0,  0, -3], dtype=int8))
    """
    codes = np.fromiter((_KINDS.get(name, 0) if isinstance(name, str) else 0 for name in names), np.int8, count)
    sums, decided = codes == 1, np.minimum(codes, 0)
    return sums if sums.any() else None, decided if decided.any() else None


def kind_codes(sums: np.ndarray | None, decided: np.ndarray | None) -> np.ndarray | None:
    """Return 1 for each sum, the code of each decided position, and 0 for the others; None where there are no kinds."""
    if sums is None:
        return decided
    return sums.astype(np.int8) if decided is None else np.where(sums, np.int8(1), decided)


def networkx_attributes(graph: Any, labels: Labels, sums: np.ndarray | None) -> AttributeTables:  # noqa: ANN401
    """Return what is kept of the attributes of a networkx graph; parallel edges share theirs, the last one's value."""
    kinds: Any = _OF_KIND.values()
    nodes = {v: FrozenAttributes(data) for v, data in enumerate(graph._node.values()) if data and data not in kinds}
    data = chain.from_iterable(row.values() for row in graph._succ.values())
    if not any(chain.from_iterable(edges.values() for edges in data) if graph.is_multigraph() else data):
        return AttributeTables(nodes)
    number = {label: v for v, label in enumerate(labels)}
    merged = _merged if graph.is_multigraph() else dict
    edges: dict[int, dict[int, FrozenAttributes]] = {}
    for start, row in enumerate(graph._succ.values()):
        known = {"multiplicity"} if sums is not None and sums[start] else set()
        for position, data in row.items():
            if kept := {name: value for name, value in merged(data).items() if name not in known}:
                edges.setdefault(start, {})[number[position]] = FrozenAttributes(kept)
    names = frozenset(chain.from_iterable(chain.from_iterable(row.values() for row in edges.values())))
    return AttributeTables(nodes, edges, names)


def _merged(parallel: Mapping[Hashable, Mapping[str, Any]]) -> dict[str, Any]:
    return {name: value for data in parallel.values() for name, value in data.items()}
