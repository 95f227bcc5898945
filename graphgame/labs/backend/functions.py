"""Functions of networkx on arrays. They return the same results as networkx.

The order is also the same, except within the set of nodes of a component.

A public function without a docstring does what networkx documents under its name. It does not have the parameters of
networkx's function whose values make no difference here. It is called only with arguments that ``interface.handles``
accepts: for example, a node is always a node of the graph. For all other calls networkx's own code runs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import chain, pairwise
from typing import Any, NoReturn, Protocol

import networkx as nx
import numpy as np

from graphgame.compiled.compiling import runner
from graphgame.compiled.engine import rarely_collecting
from graphgame.graph.attributes import AttributeTables, FrozenAttributes
from graphgame.graph.components import Vertices
from graphgame.graph.labels import ListLabels, as_labels
from graphgame.graph.result_graphs import ResultDiGraph, of_edges
from graphgame.graph.rows import Rows, group_edges, joined_ranges, marked
from graphgame.labs.backend import loops, search
from graphgame.labs.backend.search import Breadth, Depth, run_for, sort, strong, weak

_MAX_ENTRIES_AT_A_TIME = 1 << 22
"""``closure`` works on blocks of vertices. A block of several vertices has at most this number of entries:
the size of the block times the number of all vertices."""


def reduced_rows(graph: Vertices, order: np.ndarray) -> list[list[Hashable]]:
    """Return the successors of each vertex in the transitive reduction, as nodes, in the order of networkx's result.

    ``order`` has all vertices in topological order.
    """
    rows, vertices = graph.successor_rows, len(graph.labels)
    index, remover = np.empty(vertices, np.int32), np.full(len(rows.indices), -1, np.int32)
    index[order] = np.arange(vertices)
    reachable = np.empty((vertices, loops.WORDS), np.uint64)
    run = runner(loops.block_of_reduction, vertices * vertices)
    for begin in range(0, vertices, 64 * loops.WORDS):
        end = min(begin + 64 * loops.WORDS, vertices)
        run(rows.pointers, rows.indices, order, index, begin, end, reachable, remover)
    ends, nodes, removers = rows.pointers.tolist(), graph.labels.take(rows.indices), remover.tolist()
    loses_edges = marked(rows.row_indices()[remover >= 0], vertices)
    # networkx subtracts several sets from the set of a vertex's successors, and each subtraction may change its order.
    # So remove the nodes in the same steps: for each successor in turn, the other successors that it reaches.
    reduced = []
    for vertex, has_superfluous in enumerate(loses_edges.tolist()):
        row = slice(ends[vertex], ends[vertex + 1])
        remaining = set(nodes[row])
        if has_superfluous:
            removed_by: dict[int, set[Hashable]] = {}
            for node, by in zip(nodes[row], removers[row], strict=True):
                removed_by.setdefault(by, set()).add(node)
            removed_by.pop(-1, None)
            for _, removed in sorted(removed_by.items()):
                remaining -= removed
        reduced.append(list(remaining))
    return reduced


def closure(graph: Vertices) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the transitive closure of an acyclic graph, as three arrays ``begins``, ``ends`` and ``indices``.

    The vertices that v reaches by one move or more are ``indices[begins[v]:ends[v]]``: first the successors of v, then
    the other vertices in the order of the set in which networkx collects them.
    """
    rows, labels, vertices = graph.successor_rows, graph.labels, len(graph.labels)
    run = runner(loops.second_layers, vertices * vertices)
    begins, ends = np.zeros((2, vertices), np.int64)
    seen, closed, last = np.zeros(vertices, np.int32), np.empty(len(rows.indices), np.int32), 0
    lengths = rows.lengths()
    for block in _successors_first(graph, max(_MAX_ENTRIES_AT_A_TIME // max(vertices, 1), 1)):
        if len(closed) < last + len(block) * vertices:
            closed = np.concatenate([closed, np.empty(max(len(closed), len(block) * vertices), np.int32)])
        last = run(rows.pointers, rows.indices, block, begins, ends, closed, seen, last)
        # A Python set with the same nodes, added in the same order, has the order of networkx's set.
        for first, end in zip((begins[block] + lengths[block]).tolist(), ends[block].tolist(), strict=True):
            closed[first:end] = labels.find_all(set(labels.take(closed[first:end])))
    return begins, ends, closed


def _successors_first(graph: Vertices, most: int) -> Iterator[np.ndarray]:
    """Yield all vertices, in blocks of at most ``most`` vertices. A vertex's successors are in earlier blocks."""
    order, ends = sort(graph)
    for first, end in reversed([*pairwise([0, *ends.tolist()])]):
        for start in range(first, end, most):
            yield order[start : min(start + most, end)]


def shortest_paths(breadth: Breadth, limit: int | None, ahead: bool) -> dict[Hashable, list[Hashable]]:
    """Search breadth first; return a dictionary with the shortest path to each node that the search reaches.

    A path goes from the start to the node or, if ``ahead`` is false, from the node to the start. The search stops after
    ``limit`` levels, so no path has more edges; with None there is no limit.
    """
    reached = breadth.to(limit)
    paths = {start: [start] for start in breadth.nodes(slice(0, reached.start))}
    with rarely_collecting():
        for parent, node in breadth.edges(reached):
            paths[node] = [*paths[parent], node] if ahead else [node, *paths[parent]]
    return paths


def path_between(graph: Vertices, source: int, target: int) -> list[int] | None:
    """Return the vertices of the shortest path from source to target that networkx returns; None if none exists."""
    if source == target:
        return [source]
    ahead, back = graph.successor_rows, graph.predecessor_rows
    path = _short_search(ahead, back, source, target)
    if path is not None:
        return path or None
    before, after = np.zeros((2, len(graph.labels)), np.int32)
    queues = np.empty_like(before), np.empty_like(before)
    middle = run_for(loops.meet, ahead)(ahead, back, source, target, before, after, *queues)
    return [*_chain(before, middle, 1)[::-1], *_chain(after, middle, 1)[1:]] if middle >= 0 else None


def _short_search(ahead: Rows, back: Rows, source: int, target: int) -> list[int] | None:
    """Search from both ends as ``loops.meet`` does, but in dictionaries, and only as long as this needs few edges.

    ``ahead`` has the rows of successors, ``back`` those of predecessors. Return the path, an empty list if there is no
    path, or None if the search has to read ``FEW_ENTRIES`` edges or more.
    """
    before, after = {source: source}, {target: target}
    fringe, fringe_back, edges_read = [source], [target], 0
    while fringe and fringe_back:
        # A fringe has the vertices reached last. Like networkx, expand the smaller fringe, and the forward one if both
        # have the same size: then the path is the same.
        forward = len(fringe) <= len(fringe_back)
        rows, own, opposite = (ahead, before, after) if forward else (back, after, before)
        new_fringe = []
        for v in fringe if forward else fringe_back:
            row = rows.row(v)[: search.FEW_ENTRIES].tolist()
            edges_read += len(row)
            if edges_read >= search.FEW_ENTRIES:
                return None
            for w in row:
                if w not in own:
                    own[w] = v
                    new_fringe.append(w)
                if w in opposite:
                    return [*_chain(before, w, 0)[::-1], *_chain(after, w, 0)[1:]]
        fringe, fringe_back = (new_fringe, fringe_back) if forward else (fringe, new_fringe)
    return []


def _chain(before: np.ndarray | dict[int, int], last: int, added: int) -> list[int]:
    """Return a list of vertices: ``last``, its predecessor, and so on, up to a vertex that is its own predecessor.

    ``before`` maps a vertex to its predecessor plus ``added``.
    """
    chain = [last]
    while (vertex := int(before[chain[-1]]) - added) != chain[-1]:
        chain.append(vertex)
    return chain


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


def bfs_edges(G: Vertices, source: Node, reverse: bool = False, depth_limit: int | None = None) -> EdgeIterator:
    search = _breadth(G, source, G.predecessor_rows if reverse else G.successor_rows)
    return chain.from_iterable(map(search.edges, search.slices(depth_limit)))


def bfs_successors(G: Vertices, source: Node, depth_limit: int | None = None) -> Iterator[tuple[Node, list[Node]]]:
    children: list[Node] = []
    for parent, child in bfs_edges(G, source, depth_limit=depth_limit):
        if parent != source:
            yield source, children
            source, children = parent, []
        children.append(child)
    yield source, children


def bfs_layers(G: Vertices, sources: Any) -> Iterator[list[Node]]:
    is_node = not isinstance(sources, (list, set)) and sources in G.labels
    # networkx makes a set of the sources, so the first layer has the order of this set.
    starts = [sources] if is_node else list(set(sources))
    search = Breadth(G.successor_rows, G.labels, [G.labels.find(node) for node in starts])
    if starts:
        yield starts
    yield from search.layers()


def dfs_edges(G: Vertices, source: Node | None = None, depth_limit: int | None = None) -> EdgeIterator:
    search = _depth(G, source, depth_limit)
    return chain.from_iterable(map(search.edges, search.slices()))


def dfs_predecessors(G: Vertices, source: Node | None = None, depth_limit: int | None = None) -> dict[Node, Node]:
    parents, children = _dfs_ends(G, source, depth_limit)
    return dict(zip(children, parents, strict=True))


def dfs_successors(G: Vertices, source: Node | None = None, depth_limit: int | None = None) -> dict[Node, list[Node]]:
    successors: dict[Node, list[Node]] = {}
    for parent, child in zip(*_dfs_ends(G, source, depth_limit), strict=True):
        successors.setdefault(parent, []).append(child)
    return successors


def dfs_preorder_nodes(G: Vertices, source: Node | None = None, depth_limit: int | None = None) -> Iterator[Node]:
    search = _depth(G, source, depth_limit)
    return chain.from_iterable(map(search.nodes, search.slices()))


def dfs_postorder_nodes(G: Vertices, source: Node | None = None, depth_limit: int | None = None) -> Iterator[Node]:
    return iter(G.labels.take(_depth(G, source, depth_limit).postorder()))


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


def shortest_path(G: Vertices, source: Node | None = None, target: Node | None = None) -> Any:
    if source is None:
        return single_target_shortest_path(G, target)
    return single_source_shortest_path(G, source) if target is None else bidirectional_shortest_path(G, source, target)


def shortest_path_length(G: Vertices, source: Node | None = None, target: Node | None = None) -> Any:
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


def dag_longest_path(G: Vertices) -> list[Node]:
    return G.labels.take(_longest(G))


def dag_longest_path_length(G: Vertices) -> int:
    return max(len(_longest(G)) - 1, 0)


def lexicographical_topological_sort(G: Vertices, key: Callable[[Node], Any] | None = None) -> Iterator[Node]:
    nodes = G.labels[:]
    keys: list[Any] = nodes if key is None else list(map(key, nodes))
    if not _in_one_order(keys):
        yield from _sorted_by_heap(G, nodes, keys)
        return
    # Sort the keys once, so that the loop compares ranks. ``sorted`` leaves equal keys in the order of the vertices, as
    # networkx does with its heap of (key, index, node).
    of_rank = np.array(sorted(range(len(nodes)), key=keys.__getitem__), np.int32)
    rank, heap, order = np.empty((3, len(nodes)), np.int32)
    rank[of_rank] = np.arange(len(nodes))
    rows, waits = G.successor_rows, G.predecessor_rows.lengths()
    count = run_for(loops.pop_by_rank, rows)(rows.pointers, rows.indices, waits, rank, of_rank, heap, order)
    yield from G.labels.take(order[:count])
    if count < len(nodes):
        refuse_cycle()


def find_cycle(G: Vertices, source: Node | None = None) -> list[tuple[Node, Node]]:
    rows, vertices = G.successor_rows, len(G.labels)
    begin = 0 if source is None else G.labels.find(source)
    end = vertices if source is None else begin + 1
    depth_of, edges_followed, stack = np.zeros((3, vertices), np.int32)
    run = run_for(loops.walk_to_cycle, rows)
    length, first = run(rows.pointers, rows.indices, begin, end, depth_of, edges_followed, stack)
    cycle = G.labels.take(stack[first:length])
    if not cycle:
        raise nx.NetworkXNoCycle("No cycle found.")
    return list(pairwise([*cycle, cycle[0]]))


def immediate_dominators(G: Vertices, start: Node) -> dict[Node, Node]:
    rows, root, vertices = G.predecessor_rows, G.labels.find(start), len(G.labels)
    order = Depth(G, root, None).postorder()
    number, above = np.empty(vertices, np.int32), np.full(vertices, -1, np.int32)
    number[order] = np.arange(len(order))
    above[root] = root
    run_for(loops.raise_dominators, rows)(rows.pointers, rows.indices, order, number, above)
    # networkx returns the dominators in reverse postorder, without the start.
    order = order[-2::-1]
    return dict(zip(G.labels.take(order), G.labels.take(above[order]), strict=True))


def strongly_connected_components(G: Vertices) -> Iterator[set[Node]]:
    return components(G, *strong(G))


def number_strongly_connected_components(G: Vertices) -> int:
    return strong(G)[0]


def is_strongly_connected(G: Vertices) -> bool:
    _refuse_empty(G)
    # The graph is strongly connected exactly when vertex 0 reaches all vertices and all vertices reach it.
    searches = (Breadth(rows, G.labels, [0]) for rows in (G.successor_rows, G.predecessor_rows))
    return all(search.to(None).stop == len(G.labels) for search in searches)


def weakly_connected_components(G: Vertices) -> Iterator[set[Node]]:
    return components(G, *weak(G))


def number_weakly_connected_components(G: Vertices) -> int:
    return weak(G)[0]


def is_weakly_connected(G: Vertices) -> bool:
    _refuse_empty(G)
    return weak(G)[0] == 1


def to_scipy_sparse_array(G: Vertices, dtype: Any = None, format: str = "csr") -> Any:
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


def to_numpy_array(G: Vertices, dtype: Any = None, order: Any = None, nonedge: float = 0.0) -> np.ndarray:
    vertices = len(G.labels)
    matrix = np.full((vertices, vertices), nonedge, dtype, order)
    matrix[_edges(G)] = 1.0
    return matrix


def to_pandas_edgelist(G: Vertices, dtype: Any = None) -> Any:
    import pandas as pd

    edges = _edges(G)
    starts, ends = map(G.labels.column if len(edges[0]) else G.labels.take, edges)
    return pd.DataFrame({"source": starts, "target": ends}, dtype=dtype)


def _in_one_order(keys: list[Any]) -> bool:
    """Return True if all keys are integers, or all strings, or all tuples of integers, or all tuples of strings.

    Comparing such keys runs no code of the user and raises no error. So it does not matter which pairs are compared.
    """
    kinds = set(map(type, keys))
    if kinds == {tuple}:
        kinds = set(map(type, chain.from_iterable(keys)))
    return len(kinds) < 2 and kinds <= {int, str}


def _sorted_by_heap(G: Vertices, nodes: list[Node], keys: list[Any]) -> Iterator[Node]:
    """Yield the nodes in topological order; among the nodes that may come next, take the one with the least key.

    ``nodes`` has the node of each vertex of G, and ``keys`` its key. Keys are compared in the same order as in
    networkx. If two keys cannot be compared, or if there is a cycle, raise the error that networkx raises.
    """
    waits = G.predecessor_rows.lengths().tolist()
    heap = [(keys[v], v, nodes[v]) for v in range(len(nodes)) if not waits[v]]
    heapify(heap)
    count = 0
    while heap:
        _, v, node = heappop(heap)
        for w in G.successor_rows.row(v).tolist():
            waits[w] -= 1
            if not waits[w]:
                try:
                    heappush(heap, (keys[w], w, nodes[w]))
                except TypeError as error:
                    hint = "Consider using `key=` parameter to resolve ambiguities in the sort order."
                    raise TypeError(hint) from error
        count += 1
        yield node
    if count < len(nodes):
        refuse_cycle()


def _breadth(G: Vertices, source: Node, rows: Rows | None = None) -> Breadth:
    return Breadth(G.successor_rows if rows is None else rows, G.labels, [G.labels.find(source)])


def _depth(G: Vertices, source: Node | None, limit: int | None) -> Depth:
    return Depth(G, None if source is None else G.labels.find(source), limit)


def _dfs_ends(G: Vertices, source: Node | None, limit: int | None) -> tuple[list[Node], list[Node]]:
    search = _depth(G, source, limit)
    parents, children = search.numbers(search.whole())
    return G.labels.take(parents), G.labels.take(children)


def _depths(search: Breadth, cutoff: int | None) -> dict[Node, int]:
    reached = search.to(cutoff)
    return dict(zip(search.nodes(slice(reached.stop)), search.depths(), strict=True))


def _longest(G: Vertices) -> np.ndarray:
    """Return the vertices of the longest path that networkx returns; raise networkx's error if there is a cycle."""
    order, _ = sort(G)
    if len(order) < len(G.labels):
        refuse_cycle()
    if not len(order):
        return order
    rows = G.predecessor_rows
    lengths, before = np.empty((2, len(order)), np.int32)
    last = run_for(loops.longest_path, rows)(rows.pointers, rows.indices, order, lengths, before)
    return np.array(_chain(before, last, 0)[::-1], np.int32)


def _edges(G: Vertices) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays, the sources and the targets of all edges, as vertex numbers.

    Of parallel edges only one is returned. Only a sum vertex has parallel edges: to a part that it has several times.
    """
    source, target = G.successor_rows.row_indices(), G.successor_rows.indices
    is_first = np.ones(len(source), np.bool_)
    is_first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    return source[is_first], target[is_first]


def components(G: Vertices, count: int, component: np.ndarray) -> Iterator[set[Node]]:
    """Yield the set of nodes of each component, 1 to ``count``; ``component[v]`` is the component of vertex v."""
    nodes = G.labels.take(np.argsort(component, kind="stable"))
    first = 0
    for size in np.bincount(component, minlength=count + 1)[1:].tolist():
        yield set(nodes[first : first + size])
        first += size


def _refuse_empty(G: Vertices) -> None:
    if not len(G.labels):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")


def refuse_cycle() -> NoReturn:
    """Raise the error that networkx raises if a graph that should be sorted topologically has a cycle."""
    raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")


class VerticesWithAttributes(Vertices, Protocol):
    """A graph by vertex numbers, like :class:`Vertices`, that also has networkx's dictionary of graph attributes."""

    @property
    def graph(self) -> dict[str, Any]:
        """The attributes of the graph itself, such as its tokens; not those of nodes and edges."""


def bfs_tree(G: Vertices, source: Node, reverse: bool = False, depth_limit: int | None = None) -> nx.DiGraph:
    start = G.labels.find(source)
    search = Breadth(G.predecessor_rows if reverse else G.successor_rows, G.labels, [start])
    return _tree(G, start, *search.numbers(search.to(depth_limit)))


def dfs_tree(G: Vertices, source: Node | None = None, depth_limit: int | None = None) -> nx.DiGraph:
    start = None if source is None else G.labels.find(source)
    search = Depth(G, start, depth_limit)
    parents, children = search.numbers(search.whole())
    return of_edges(G.labels, parents, children) if start is None else _tree(G, start, parents, children)


def condensation(G: Vertices) -> nx.DiGraph:
    count, component = strong(G)
    members = partial(components, G, count, component)
    if count == len(G.labels):
        # There are as many components as vertices, so each component is a single vertex.
        mapping = dict(zip(G.labels.take(np.argsort(component)), range(count), strict=True))
    else:
        mapping = {node: number for number, nodes in enumerate(members()) for node in nodes}
    of_vertex = component - 1
    source, target = of_vertex[G.successor_rows.row_indices()], of_vertex[G.successor_rows.indices]
    is_between = source != target

    def attributes() -> AttributeTables:
        return AttributeTables({number: FrozenAttributes(members=nodes) for number, nodes in enumerate(members())})

    return of_edges(as_labels(count), source[is_between], target[is_between], attributes, {"mapping": mapping})


def transitive_reduction(G: Vertices) -> nx.DiGraph:
    order, _ = sort(G)
    if len(order) < len(G.labels):
        raise nx.NetworkXError("Directed Acyclic Graph required for transitive_reduction")
    rows = reduced_rows(G, order)
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    number = {node: v for v, node in enumerate(G.labels)}
    ends = np.fromiter((number[node] for row in rows for node in row), np.int32, int(lengths.sum()))
    return ResultDiGraph(G.labels, Rows(np.concatenate([[0], np.cumsum(lengths)]), ends))


def transitive_closure_dag(G: VerticesWithAttributes) -> nx.DiGraph:
    order, _ = sort(G)
    if len(order) < len(G.labels):
        refuse_cycle()
    (begins, ends, indices), order = closure(G), order[::-1]
    _, entries = joined_ranges(begins, ends)
    rows = Rows(np.concatenate([[0], np.cumsum(ends - begins)]), indices[entries])
    # networkx adds the new edges vertex by vertex, in reverse topological order. So a vertex's new predecessors follow
    # the old ones, in this order.
    row, new_entries = joined_ranges((begins + G.successor_rows.lengths())[order], ends[order])
    source = np.concatenate([G.successor_rows.row_indices(), order[row]])
    target = np.concatenate([G.successor_rows.indices, indices[new_entries]])
    return ResultDiGraph(G.labels, rows, group_edges(source, target, len(order))[0], graph=G.graph)


def relabel_nodes(G: VerticesWithAttributes, mapping: Mapping[Node, Node] | Callable[[Node], Node]) -> nx.DiGraph:
    names = {node: mapping(node) for node in G.labels} if callable(mapping) else mapping
    new = [names.get(node, node) for node in G.labels]
    attributes = G.graph
    if attributes.get("tokens") is not None:
        attributes = {**attributes, "tokens": tuple(names.get(token, token) for token in attributes["tokens"])}
    number: dict[Node, int] = {}
    new_number = np.fromiter((number.setdefault(node, len(number)) for node in new), np.int32, len(new))
    if None in number:
        raise ValueError("None cannot be a node")
    # If all new names differ, no two nodes are merged, and the rows do not change.
    if len(number) == len(new):
        return ResultDiGraph(ListLabels(new, number), G.successor_rows, graph=attributes)
    rows = G.successor_rows
    labels = ListLabels(list(number), number)
    return of_edges(labels, new_number[rows.row_indices()], new_number[rows.indices], graph=attributes)


def convert_node_labels_to_integers(G: VerticesWithAttributes, first_label: int = 0) -> nx.DiGraph:
    labels, attributes = as_labels(range(first_label, first_label + len(G.labels))), G.graph
    if attributes.get("tokens") is not None:
        tokens = tuple(first_label + G.labels.find(token) for token in attributes["tokens"])
        attributes = {**attributes, "tokens": tokens}
    return ResultDiGraph(labels, G.successor_rows, graph=attributes)


def compose(G: VerticesWithAttributes, H: VerticesWithAttributes) -> nx.DiGraph:
    number = {node: v for v, node in enumerate(G.labels)}
    number_of_second = np.fromiter((number.setdefault(node, len(number)) for node in H.labels), np.int32, len(H.labels))
    first, second = G.successor_rows, H.successor_rows
    source = np.concatenate([first.row_indices(), number_of_second[second.row_indices()]])
    target = np.concatenate([first.indices, number_of_second[second.indices]])
    return of_edges(ListLabels(list(number), number), source, target, graph={**G.graph, **H.graph})


def disjoint_union(G: VerticesWithAttributes, H: VerticesWithAttributes) -> nx.DiGraph:
    first, second, shift = G.successor_rows, H.successor_rows, np.int32(len(G.labels))
    pointers = np.concatenate([first.pointers, second.pointers[1:] + first.pointers[-1]])
    rows = Rows(pointers, np.concatenate([first.indices, second.indices + shift]))
    graphs = (convert_node_labels_to_integers(G), convert_node_labels_to_integers(H, len(G.labels)))
    return ResultDiGraph(as_labels(len(G.labels) + len(H.labels)), rows, graph=graphs[0].graph | graphs[1].graph)


def _tree(G: Vertices, start: int, parents: np.ndarray, children: np.ndarray) -> nx.DiGraph:
    """Return the tree of a search from ``start``. Edge i leads from ``parents[i]`` to ``children[i]``."""
    vertices, index = np.concatenate([[start], children]), np.empty(len(G.labels), np.int32)
    index[vertices] = np.arange(len(vertices))
    return of_edges(ListLabels(G.labels.take(vertices)), index[parents], index[children])
