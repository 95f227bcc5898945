"""The functions of networkx that run on arrays: same names and parameters, same results in the same order.

Each is called only with nodes of the graph and with arguments that ``interface.handles`` lets pass. networkx itself
answers any other call.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from heapq import heapify, heappop, heappush
from itertools import chain, pairwise
from typing import Any, NoReturn

import networkx as nx
import numpy as np

from graphgame.arrays.backend.orders import dominators, first_cycle, sort_by_rank
from graphgame.arrays.backend.paths import longest, path_between, shortest_paths
from graphgame.arrays.backend.search import Breadth, Depth, Vertices, sort, strong, weak
from graphgame.arrays.rows import Rows

Node = Hashable
EdgeIterator = Iterator[tuple[Node, Node]]


def descendants(G: Vertices, source: Node) -> set[Node]:
    search = _breadth(G, source)
    return set(search.nodes(search.to(None)))


def ancestors(G: Vertices, source: Node) -> set[Node]:
    search = _breadth(G, source, G.predecessor_rows)
    return set(search.nodes(search.to(None)))


def descendants_at_distance(G: Vertices, source: Node, distance: int) -> set[Node]:
    search = _breadth(G, source)
    search.to(distance)
    return set(search.layer(distance)) if search.level == distance else set()


def bfs_edges(
    G: Vertices, source: Node, reverse: bool = False, depth_limit: int | None = None, sort_neighbors: None = None
) -> EdgeIterator:
    search = _breadth(G, source, G.predecessor_rows if reverse else G.successor_rows)
    return chain.from_iterable(map(search.edges, search.slices(depth_limit)))


def bfs_predecessors(
    G: Vertices, source: Node, depth_limit: int | None = None, sort_neighbors: None = None
) -> EdgeIterator:
    for parent, child in bfs_edges(G, source, depth_limit=depth_limit):
        yield child, parent


def bfs_successors(
    G: Vertices, source: Node, depth_limit: int | None = None, sort_neighbors: None = None
) -> Iterator[tuple[Node, list[Node]]]:
    children: list[Node] = []
    for parent, child in bfs_edges(G, source, depth_limit=depth_limit):
        if parent != source:
            yield source, children
            source, children = parent, []
        children.append(child)
    yield source, children


def bfs_layers(G: Vertices, sources: Any) -> Iterator[list[Node]]:
    starts = [sources] if _is_node(G, sources) else list(set(sources))
    search = Breadth(G.successor_rows, G.labels, [G.labels.find(node) for node in starts])
    if starts:
        yield starts
    yield from search.layers()


def dfs_edges(
    G: Vertices, source: Node | None = None, depth_limit: int | None = None, *, sort_neighbors: None = None
) -> EdgeIterator:
    search = _depth(G, source, depth_limit)
    return chain.from_iterable(map(search.edges, search.slices()))


def dfs_predecessors(
    G: Vertices, source: Node | None = None, depth_limit: int | None = None, *, sort_neighbors: None = None
) -> dict[Node, Node]:
    parents, children = _dfs_ends(G, source, depth_limit)
    return dict(zip(children, parents, strict=True))


def dfs_successors(
    G: Vertices, source: Node | None = None, depth_limit: int | None = None, *, sort_neighbors: None = None
) -> dict[Node, list[Node]]:
    successors: dict[Node, list[Node]] = {}
    for parent, child in zip(*_dfs_ends(G, source, depth_limit), strict=True):
        successors.setdefault(parent, []).append(child)
    return successors


def dfs_preorder_nodes(
    G: Vertices, source: Node | None = None, depth_limit: int | None = None, *, sort_neighbors: None = None
) -> Iterator[Node]:
    search = _depth(G, source, depth_limit)
    return chain.from_iterable(map(search.nodes, search.slices()))


def dfs_postorder_nodes(
    G: Vertices, source: Node | None = None, depth_limit: int | None = None, *, sort_neighbors: None = None
) -> Iterator[Node]:
    return iter(_depth(G, source, depth_limit).finished())


def has_path(G: Vertices, source: Node, target: Node) -> bool:
    return path_between(G, G.labels.find(source), G.labels.find(target)) is not None


def bidirectional_shortest_path(G: Vertices, source: Node, target: Node) -> list[Node]:
    path = path_between(G, G.labels.find(source), G.labels.find(target))
    if path is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return G.labels.few(path)


def single_source_shortest_path(G: Vertices, source: Node, cutoff: int | None = None) -> dict[Node, list[Node]]:
    return shortest_paths(_breadth(G, source), cutoff, True)


def single_target_shortest_path(G: Vertices, target: Node, cutoff: int | None = None) -> dict[Node, list[Node]]:
    return shortest_paths(_breadth(G, target, G.predecessor_rows), cutoff, False)


def single_source_shortest_path_length(G: Vertices, source: Node, cutoff: int | None = None) -> dict[Node, int]:
    return _depths(_breadth(G, source), cutoff)


def single_target_shortest_path_length(G: Vertices, target: Node, cutoff: int | None = None) -> dict[Node, int]:
    return _depths(_breadth(G, target, G.predecessor_rows), cutoff)


def shortest_path(
    G: Vertices, source: Node | None = None, target: Node | None = None, weight: None = None, method: str = "dijkstra"
) -> list[Node] | dict[Node, list[Node]]:
    if source is None:
        return single_target_shortest_path(G, target)
    return single_source_shortest_path(G, source) if target is None else bidirectional_shortest_path(G, source, target)


def shortest_path_length(
    G: Vertices, source: Node | None = None, target: Node | None = None, weight: None = None, method: str = "dijkstra"
) -> int | dict[Node, int]:
    if source is None:
        return single_target_shortest_path_length(G, target)
    if target is None:
        return single_source_shortest_path_length(G, source)
    return len(bidirectional_shortest_path(G, source, target)) - 1


def topological_generations(G: Vertices) -> Iterator[list[Node]]:
    order, ends = sort(G)
    nodes, first = G.labels.take(order), 0
    for last in ends.tolist():
        yield nodes[first:last]
        first = last
    if len(order) < len(G.labels):
        refuse_cycle()


def topological_sort(G: Vertices) -> Iterator[Node]:
    order, _ = sort(G)
    yield from G.labels.take(order)
    if len(order) < len(G.labels):
        refuse_cycle()


def has_cycle(G: Vertices) -> bool:
    return len(sort(G)[0]) < len(G.labels)


def is_directed_acyclic_graph(G: Vertices) -> bool:
    return not has_cycle(G)


def dag_longest_path(
    G: Vertices, weight: str = "weight", default_weight: int = 1, topo_order: None = None
) -> list[Node]:
    return G.labels.take(_longest(G))


def dag_longest_path_length(G: Vertices, weight: str = "weight", default_weight: int = 1) -> int:
    return max(len(_longest(G)) - 1, 0)


def lexicographical_topological_sort(G: Vertices, key: Callable[[Node], Any] | None = None) -> Iterator[Node]:
    nodes = G.labels[:]
    keys: list[Any] = nodes if key is None else list(map(key, nodes))
    if not _in_one_order(keys):
        yield from _sorted_by_heap(G, nodes, keys)
        return
    of_rank = np.array(sorted(range(len(nodes)), key=keys.__getitem__), np.int32)
    order = sort_by_rank(G, of_rank)
    yield from G.labels.take(order)
    if len(order) < len(nodes):
        refuse_cycle()


def find_cycle(G: Vertices, source: Node | None = None, orientation: None = None) -> list[tuple[Node, Node]]:
    cycle = G.labels.take(np.array(first_cycle(G, None if source is None else G.labels.find(source)), np.int32))
    if not cycle:
        raise nx.NetworkXNoCycle("No cycle found.")
    return list(pairwise([*cycle, cycle[0]]))


def immediate_dominators(G: Vertices, start: Node) -> dict[Node, Node]:
    reached, above = dominators(G, G.labels.find(start))
    return dict(zip(G.labels.take(reached), G.labels.take(above), strict=True))


def strongly_connected_components(G: Vertices) -> Iterator[set[Node]]:
    return components(G, *strong(G))


def number_strongly_connected_components(G: Vertices) -> int:
    return strong(G)[0]


def is_strongly_connected(G: Vertices) -> bool:
    _refuse_empty(G)
    return all(_reaches_all(G, rows) for rows in (G.successor_rows, G.predecessor_rows))


def weakly_connected_components(G: Vertices) -> Iterator[set[Node]]:
    return components(G, *weak(G))


def number_weakly_connected_components(G: Vertices) -> int:
    return weak(G)[0]


def is_weakly_connected(G: Vertices) -> bool:
    _refuse_empty(G)
    return weak(G)[0] == 1


def to_scipy_sparse_array(
    G: Vertices, nodelist: list[Node] | None = None, dtype: Any = None, weight: str = "weight", format: str = "csr"
) -> Any:
    import scipy as sp

    vertices = len(G.labels)
    if not vertices:
        raise nx.NetworkXError("Graph has no nodes or edges")
    source, target = _edges(G)
    ones = np.ones(len(source), np.int64 if len(source) else np.float64)
    matrix = sp.sparse.coo_array((ones, (source, target)), shape=(vertices, vertices), dtype=dtype)
    try:
        return matrix.asformat(format)
    except ValueError as error:
        raise nx.NetworkXError(f"Unknown sparse matrix format: {format}") from error


def to_numpy_array(
    G: Vertices,
    nodelist: list[Node] | None = None,
    dtype: Any = None,
    order: Any = None,
    multigraph_weight: object = sum,
    weight: str = "weight",
    nonedge: float = 0.0,
) -> np.ndarray:
    vertices = len(G.labels)
    matrix = np.full((vertices, vertices), nonedge, dtype, order)
    matrix[_edges(G)] = 1.0
    return matrix


def to_pandas_edgelist(
    G: Vertices,
    source: Any = "source",
    target: Any = "target",
    nodelist: None = None,
    dtype: Any = None,
    edge_key: None = None,
) -> Any:
    import pandas as pd

    edges = _edges(G)
    starts, ends = map(G.labels.column if len(edges[0]) else G.labels.take, edges)
    return pd.DataFrame({source: starts, target: ends}, dtype=dtype)


def _in_one_order(keys: list[Any]) -> bool:
    """Tell whether keys are integers or texts, or tuples of these, of which any two compare alike."""
    kinds = set(map(type, keys))
    if kinds == {tuple}:
        kinds = set(map(type, chain.from_iterable(keys)))
    return len(kinds) < 2 and kinds <= {int, str}


def _sorted_by_heap(G: Vertices, nodes: list[Node], keys: list[Any]) -> Iterator[Node]:
    waits = G.predecessor_rows.lengths().tolist()
    heap = [(keys[v], v, nodes[v]) for v in range(len(nodes)) if not waits[v]]
    heapify(heap)
    found = 0
    while heap:
        _, v, node = heappop(heap)
        for w in G.successor_rows.row(v).tolist():
            waits[w] -= 1
            if not waits[w]:
                try:
                    heappush(heap, (keys[w], w, nodes[w]))
                except TypeError as error:
                    hint = "Consider using `key=` parameter to resolve ambiguities in the sort order."
                    raise TypeError(f"{error}\n{hint}") from None
        found += 1
        yield node
    if found < len(nodes):
        refuse_cycle()


def _is_node(G: Vertices, node: object) -> bool:
    try:
        return node in G.labels
    except TypeError:  # not hashable
        return False


def _breadth(G: Vertices, source: Node, rows: Rows | None = None) -> Breadth:
    return Breadth(G.successor_rows if rows is None else rows, G.labels, [G.labels.find(source)])


def _depth(G: Vertices, source: Node | None, limit: int | None) -> Depth:
    return Depth(G, None if source is None else G.labels.find(source), limit)


def _dfs_ends(G: Vertices, source: Node | None, limit: int | None) -> tuple[list[Node], list[Node]]:
    search = _depth(G, source, limit)
    return search.ends_of(search.whole())


def _depths(search: Breadth, cutoff: int | None) -> dict[Node, int]:
    reached = search.to(cutoff)
    return dict(zip(search.nodes(slice(reached.stop)), search.depths(), strict=True))


def _longest(G: Vertices) -> np.ndarray:
    order, _ = sort(G)
    if len(order) < len(G.labels):
        refuse_cycle()
    return longest(G, order) if len(order) else order


def _edges(G: Vertices) -> tuple[np.ndarray, np.ndarray]:
    """Return source and target of every edge, a part that stands in a sum twice once."""
    source, target = G.successor_rows.owners(), G.successor_rows.indices
    again = (source[1:] == source[:-1]) & (target[1:] == target[:-1])
    first = np.flatnonzero(~np.concatenate([[False], again])[: len(source)])
    return source[first], target[first]


def components(G: Vertices, count: int, component: np.ndarray) -> Iterator[set[Node]]:
    """Yield the components in the order of their numbers."""
    nodes = G.labels.take(np.argsort(component, kind="stable"))
    first = 0
    for size in np.bincount(component, minlength=count + 1)[1:].tolist():
        yield set(nodes[first : first + size])
        first += size


def _reaches_all(G: Vertices, rows: Rows) -> bool:
    return bool(Breadth(rows, G.labels, [0]).to(None).stop == len(G.labels))


def _refuse_empty(G: Vertices) -> None:
    if not len(G.labels):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")


def refuse_cycle() -> NoReturn:
    raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")
