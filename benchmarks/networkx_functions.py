"""Time networkx's functions on a GameGraph and on an nx.DiGraph with the same edges, and the functions of rustworkx.

    python benchmarks/networkx_functions.py [VERTICES EDGES [VERTICES EDGES]]

It prints processor times: medians of up to three measurements. Calls before the measurements load the compiled loops of
networkx's functions. Generators are run to their end. If a function returns a graph, the graph of graphgame is still in
arrays. The second table is for a small graph; functions on all pairs of nodes are only in this table. The package must
be installed, so that networkx finds it.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import process_time
from typing import Any

import networkx as nx
import rustworkx as rx
import scipy.sparse as sp

from graphgame import GameGraph
from graphgame.labs.scale.generators import generate

REPEATS = 3
MOST = 2.0
"""A measurement that takes longer than these seconds is not repeated."""

LEAST = 0.002
"""Short calls are repeated until they take this many seconds together."""


def seconds(call: Callable[[], object]) -> float:
    """Return the processor time of a call, including the time to consume its result."""
    calls = 1
    while (first := seconds_of(call, calls)) < LEAST:
        calls *= 4
    taken = [first]
    while len(taken) < REPEATS and sum(taken) < MOST:
        taken.append(seconds_of(call, calls))
    return median(taken) / calls


def seconds_of(call: Callable[[], object], calls: int) -> float:
    """Return the processor time of ``calls`` calls."""
    start = process_time()
    for _ in range(calls):
        result = call()
        if isinstance(result, Iterator):
            deque(result, maxlen=0)
        del result
    return process_time() - start


def main(vertices: int = 100_000, edges: int = 1_000_000, few_vertices: int = 1_000, few_edges: int = 10_000) -> None:
    """Print both tables."""
    ours, theirs, compact = graphs(vertices, edges)
    head(vertices, edges)
    row("`GameGraph(DiGraph)`", partial(GameGraph, theirs), None, partial(rx.networkx_converter, theirs))
    pairs, matrix = list(ours.edges), sp.random_array((vertices, vertices), density=edges / vertices**2, rng=1)
    for name, data in (("a list of pairs", pairs), ("a weighted matrix", matrix)):
        row(f"made of {name}", partial(GameGraph, data), partial(nx.DiGraph, data), None)
    rows(calls(ours, compact), ours, theirs)
    ours, theirs, compact = graphs(few_vertices, few_edges)
    head(few_vertices, few_edges)
    rows(calls(ours, compact) | calls_of_pairs(compact), ours, theirs)


def head(vertices: int, edges: int) -> None:
    """Print the head of a table."""
    print(f"\n{vertices} vertices, {edges} edges; milliseconds, and how many times as fast as the DiGraph\n")
    print("| function | GameGraph | DiGraph | times | rustworkx |\n| --- | --: | --: | --: | --: |")


def rows(functions: dict[str, tuple[Callable[[nx.DiGraph], object], Any]], ours: GameGraph, theirs: nx.DiGraph) -> None:
    """Print a row for each of ``functions``, the result of :func:`calls`.

    Before its row, each function runs on the GameGraph, which compiles its loops.
    """
    for name, (call, beside) in functions.items():
        seconds(partial(call, ours))
        row(f"`{name}`" if name.isidentifier() else name, partial(call, ours), partial(call, theirs), beside)


def graphs(vertices: int, edges: int) -> tuple[GameGraph, nx.DiGraph, rx.PyDiGraph]:
    """Return the same random graph as a GameGraph, as an nx.DiGraph, and in rustworkx."""
    ours = generate("random", vertices=vertices, edges=edges, seed=1)
    if ours.__networkx_backend__ != "graphgame":
        raise SystemExit("networkx does not know the backend: install the package first")
    compact = rx.PyDiGraph()
    compact.add_nodes_from(list(ours))
    compact.add_edges_from_no_data(list(zip(ours.option_rows.row_indices(), ours.option_rows.indices, strict=True)))
    return ours, nx.DiGraph(ours), compact


def row(
    name: str, fast: Callable[[], object], slow: Callable[[], object] | None, beside: Callable[[], object] | None
) -> None:
    """Print a row with the milliseconds of a call on a GameGraph, on an nx.DiGraph and in rustworkx; blank for None."""
    taken = [1e3 * seconds(call) if call else None for call in (fast, slow, beside)]
    ratio = f"{taken[1] / taken[0]:.2g}" if taken[1] and taken[0] else ""
    shown = [f"{each:.3g}" if each else "" for each in taken]
    print(f"| {name} | {shown[0]} | {shown[1]} | {ratio} | {shown[2]} |", flush=True)


def calls(ours: GameGraph, compact: rx.PyDiGraph) -> dict[str, tuple[Callable[[nx.DiGraph], object], Any]]:
    """Return name -> (function of a graph to time, the same call in rustworkx or None)."""
    order = list(nx.topological_sort(ours))
    top, end = order[0], order[-1]
    first, last = ours.number_of(top), ours.number_of(end)
    near, part = next(iter(ours.successors(top))), order[::2]
    return {
        "descendants": (lambda G: nx.descendants(G, top), lambda: rx.descendants(compact, first)),
        "ancestors": (lambda G: nx.ancestors(G, end), lambda: rx.ancestors(compact, last)),
        "bfs_edges": (lambda G: nx.bfs_edges(G, top), None),
        "bfs_layers": (lambda G: nx.bfs_layers(G, top), None),
        "bfs_tree": (lambda G: nx.bfs_tree(G, top), None),
        "dfs_edges": (lambda G: nx.dfs_edges(G, top), lambda: rx.dfs_edges(compact, first)),
        "dfs_postorder_nodes": (lambda G: nx.dfs_postorder_nodes(G), None),
        "dfs_tree": (lambda G: nx.dfs_tree(G, top), None),
        "has_path": (lambda G: nx.has_path(G, top, end), lambda: rx.has_path(compact, first, last)),
        "shortest_path, near": (lambda G: nx.shortest_path(G, top, near), None),
        "descendants of an end": (lambda G: nx.descendants(G, end), None),
        "bfs_edges, one step": (lambda G: nx.bfs_edges(G, top, depth_limit=1), None),
        "dfs_edges, the first": (lambda G: next(nx.dfs_edges(G, top)), None),
        "single_source_shortest_path_length": (lambda G: nx.single_source_shortest_path_length(G, top), None),
        "single_source_shortest_path": (lambda G: nx.single_source_shortest_path(G, top), None),
        "topological_sort": (nx.topological_sort, lambda: rx.topological_sort(compact)),
        "topological_generations": (nx.topological_generations, lambda: rx.topological_generations(compact)),
        "lexicographical_topological_sort": (
            nx.lexicographical_topological_sort,
            lambda: rx.lexicographical_topological_sort(compact, lambda node: f"{node:09}"),
        ),
        "is_directed_acyclic_graph": (
            nx.is_directed_acyclic_graph,
            lambda: rx.is_directed_acyclic_graph(compact),
        ),
        "dag_longest_path": (nx.dag_longest_path, lambda: rx.dag_longest_path(compact)),
        "immediate_dominators": (
            lambda G: nx.immediate_dominators(G, top),
            lambda: rx.immediate_dominators(compact, first),
        ),
        "strongly_connected_components": (
            nx.strongly_connected_components,
            lambda: rx.strongly_connected_components(compact),
        ),
        "weakly_connected_components": (
            nx.weakly_connected_components,
            lambda: rx.weakly_connected_components(compact),
        ),
        "condensation": (nx.condensation, lambda: rx.condensation(compact)),
        "to_scipy_sparse_array": (nx.to_scipy_sparse_array, None),
        "to_pandas_edgelist": (nx.to_pandas_edgelist, None),
        "pagerank": (nx.pagerank, lambda: rx.pagerank(compact)),
        "degree": (lambda G: iter(G.degree), None),
        "degree of one": (lambda G: G.degree[top], None),
        "edges": (lambda G: iter(G.edges), None),
        "in_edges": (lambda G: iter(G.in_edges), None),
        "has_edge": (lambda G: G.has_edge(top, near), None),
        "reverse": (nx.reverse, None),
        "subgraph, copied": (lambda G: G.subgraph(part).copy(), None),
        "relabel_nodes": (lambda G: nx.relabel_nodes(G, str), None),
        "compose": (lambda G: nx.compose(G, G), None),
        "disjoint_union": (lambda G: nx.disjoint_union(G, G), None),
        "write_edgelist": (lambda G: nx.write_edgelist(G, os.devnull, data=False), None),
    }


def calls_of_pairs(compact: rx.PyDiGraph) -> dict[str, tuple[Callable[[nx.DiGraph], object], Any]]:
    """Return the same as :func:`calls`, for functions that take too long on a large graph.

    The result is name -> (function of a graph to time, the same call in rustworkx or None).
    """
    return {
        "transitive_reduction": (nx.transitive_reduction, lambda: rx.transitive_reduction(compact)),
        "transitive_closure_dag": (nx.transitive_closure_dag, None),
    }


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
