"""Functions of networkx that return graphs, on arrays. Names, parameters and results are those of networkx.

A function without a docstring does what networkx documents under its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

import networkx as nx
import numpy as np

from graphgame.graph.attributes import AttributeTables, FrozenAttributes
from graphgame.graph.components import Vertices, strong
from graphgame.graph.labels import ListLabels, as_labels
from graphgame.graph.result_graphs import ResultDiGraph, of_edges
from graphgame.graph.rows import Rows, group_edges, spans
from graphgame.labs.backend.functions import Node, closure, components, reduced_rows, refuse_cycle
from graphgame.labs.backend.search import Breadth, Depth, sort


class Carrying(Vertices, Protocol):
    """A graph on arrays with graph attributes."""

    @property
    def graph(self) -> dict[str, Any]:
        """The attributes of the graph."""


def bfs_tree(
    G: Vertices, source: Node, reverse: bool = False, depth_limit: int | None = None, sort_neighbors: None = None
) -> nx.DiGraph:
    start = G.labels.find(source)
    search = Breadth(G.predecessor_rows if reverse else G.successor_rows, G.labels, [start])
    return _tree(G, start, *search.numbers(search.to(depth_limit)))


def dfs_tree(
    G: Vertices, source: Node | None = None, depth_limit: int | None = None, *, sort_neighbors: None = None
) -> nx.DiGraph:
    start = None if source is None else G.labels.find(source)
    search = Depth(G, start, depth_limit)
    parents, found = search.numbers(search.whole())
    return of_edges(G.labels, parents, found) if start is None else _tree(G, start, parents, found)


def condensation(G: Vertices, scc: None = None) -> nx.DiGraph:
    count, component = strong(G)
    members = partial(components, G, count, component)
    if count == len(G.labels):
        # Every component is a single vertex.
        mapping = dict(zip(G.labels.take(np.argsort(component)), range(count), strict=True))
    else:
        mapping = {node: number for number, each in enumerate(members()) for node in each}
    of_vertex = component - 1
    source, target = of_vertex[G.successor_rows.owners()], of_vertex[G.successor_rows.indices]
    leaves = source != target

    def attributes() -> AttributeTables:
        return AttributeTables({number: FrozenAttributes(members=each) for number, each in enumerate(members())})

    return of_edges(as_labels(count), source[leaves], target[leaves], attributes, mapping=mapping)


def transitive_reduction(G: Vertices) -> nx.DiGraph:
    order, _ = sort(G)
    if len(order) < len(G.labels):
        raise nx.NetworkXError("Directed Acyclic Graph required for transitive_reduction")
    return _of_rows(G, reduced_rows(G, order))


def transitive_closure_dag(G: Carrying, topo_order: None = None) -> nx.DiGraph:
    order, _ = sort(G)
    if len(order) < len(G.labels):
        refuse_cycle()
    reached, order = closure(G), order[::-1]
    _, places = spans(reached.begins, reached.ends)
    rows = Rows(np.concatenate([[0], np.cumsum(reached.ends - reached.begins)]), reached.indices[places])
    owners, added = spans(reached.first[order], reached.ends[order])
    source = np.concatenate([G.successor_rows.owners(), order[owners]])
    target = np.concatenate([G.successor_rows.indices, reached.indices[added]])
    return ResultDiGraph(G.labels, rows, group_edges(source, target, len(order))[0], **G.graph)


def relabel_nodes(G: Carrying, mapping: Mapping[Node, Node] | Callable[[Node], Node], copy: bool = True) -> nx.DiGraph:
    names = {node: mapping(node) for node in G.labels} if callable(mapping) else mapping
    new = [names.get(node, node) for node in G.labels]
    attributes = G.graph
    if attributes.get("tokens") is not None:
        attributes = {**attributes, "tokens": tuple(names.get(token, token) for token in attributes["tokens"])}
    number: dict[Node, int] = {}
    place = np.fromiter((number.setdefault(node, len(number)) for node in new), np.int32, len(new))
    if None in number:
        raise ValueError("None cannot be a node")
    if len(number) == len(new):
        return ResultDiGraph(ListLabels(new, number), G.successor_rows, **attributes)
    rows = G.successor_rows
    return of_edges(ListLabels(list(number), number), place[rows.owners()], place[rows.indices], **attributes)


def convert_node_labels_to_integers(
    G: Carrying, first_label: int = 0, ordering: str = "default", label_attribute: None = None
) -> nx.DiGraph:
    labels, attributes = as_labels(range(first_label, first_label + len(G.labels))), G.graph
    if attributes.get("tokens") is not None:
        attributes = {**attributes, "tokens": tuple(first_label + G.labels.find(each) for each in attributes["tokens"])}
    return ResultDiGraph(labels, G.successor_rows, **attributes)


def compose(G: Carrying, H: Carrying) -> nx.DiGraph:
    number = {node: place for place, node in enumerate(G.labels)}
    place = np.fromiter((number.setdefault(node, len(number)) for node in H.labels), np.int32, len(H.labels))
    first, second = G.successor_rows, H.successor_rows
    source = np.concatenate([first.owners(), place[second.owners()]])
    target = np.concatenate([first.indices, place[second.indices]])
    return of_edges(ListLabels(list(number), number), source, target, **{**G.graph, **H.graph})


def disjoint_union(G: Carrying, H: Carrying) -> nx.DiGraph:
    first, second, shift = G.successor_rows, H.successor_rows, np.int32(len(G.labels))
    pointers = np.concatenate([first.pointers, second.pointers[1:] + first.pointers[-1]])
    rows = Rows(pointers, np.concatenate([first.indices, second.indices + shift]))
    graphs = (convert_node_labels_to_integers(G), convert_node_labels_to_integers(H, len(G.labels)))
    return ResultDiGraph(as_labels(len(G.labels) + len(H.labels)), rows, **graphs[0].graph | graphs[1].graph)


def _tree(G: Vertices, start: int, parents: np.ndarray, found: np.ndarray) -> nx.DiGraph:
    """Return the tree of a search: ``start``, then the vertices ``found`` in this order, each below its parent."""
    nodes, place = np.concatenate([[start], found]), np.empty(len(G.labels), np.int32)
    place[nodes] = np.arange(len(nodes))
    return of_edges(ListLabels(G.labels.take(nodes)), place[parents], place[found])


def _of_rows(G: Vertices, rows: list[list[Node]]) -> nx.DiGraph:
    """Return the graph with G's nodes in which each has the given successors."""
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    number = {node: place for place, node in enumerate(G.labels)}
    ends = np.fromiter((number[node] for row in rows for node in row), np.int32, int(lengths.sum()))
    return ResultDiGraph(G.labels, Rows(np.concatenate([[0], np.cumsum(lengths)]), ends))
