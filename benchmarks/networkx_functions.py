"""Time networkx's functions on a GameGraph, on an nx.DiGraph of the same edges, and rustworkx's beside them.

    python benchmarks/networkx_functions.py [VERTICES EDGES [VERTICES EDGES]]

Prints processor time, the median of three calls after others that load compiled loops; a generator is used up. A
graph that is returned counts as it is: ours still in arrays. The package must be installed, for that is how networkx
finds it.
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

from graphgame import GameGraph
from graphgame.scale.generators import generate

REPEATS = 3


def seconds(call: Callable[[], object]) -> float:
    """Return the processor time of a call, its whole result made."""
    taken = []
    for _ in range(REPEATS):
        start = process_time()
        result = call()
        if isinstance(result, Iterator):
            deque(result, maxlen=0)
        taken.append(process_time() - start)
    return median(taken)


def main(vertices: int = 100_000, edges: int = 1_000_000, few_vertices: int = 1_000, few_edges: int = 10_000) -> None:
    """Print the table; what makes or compares all pairs of nodes is timed on the smaller graph."""
    print("| function | GameGraph, ms | DiGraph, ms | times faster | rustworkx, ms |\n| --- | --: | --: | --: | --: |")
    ours, theirs, compact = graphs(vertices, edges)
    row("conversion", partial(GameGraph, theirs), None, partial(rx.networkx_converter, theirs))
    for name, (call, beside) in calls(ours, compact).items():
        call(ours)
        row(f"`{name}`", partial(call, ours), partial(call, theirs), beside)
    ours, theirs, compact = graphs(few_vertices, few_edges)
    for name, beside in (("transitive_reduction", rx.transitive_reduction), ("transitive_closure_dag", None)):
        call = getattr(nx, name)
        call(ours)
        row(
            f"`{name}`, {few_edges} edges",
            partial(call, ours),
            partial(call, theirs),
            beside and partial(beside, compact),
        )


def graphs(vertices: int, edges: int) -> tuple[GameGraph, nx.DiGraph, rx.PyDiGraph]:
    """Return one graph as each library has it."""
    ours = generate("random", vertices=vertices, edges=edges, seed=1)
    if ours.__networkx_backend__ != "graphgame":
        raise SystemExit("networkx does not know the backend: install the package first")
    compact = rx.PyDiGraph()
    compact.add_nodes_from(list(ours))
    compact.add_edges_from_no_data(list(zip(ours.option_rows.owners(), ours.option_rows.indices, strict=True)))
    return ours, nx.DiGraph(ours), compact


def row(
    name: str, fast: Callable[[], object], slow: Callable[[], object] | None, beside: Callable[[], object] | None
) -> None:
    """Time calls, and print them."""
    taken = [1e3 * seconds(call) if call else None for call in (fast, slow, beside)]
    ratio = f"{taken[1] / taken[0]:.1f}" if taken[1] else ""
    shown = [f"{each:.2f}" if each else "" for each in taken]
    print(f"| {name} | {shown[0]} | {shown[1]} | {ratio} | {shown[2]} |", flush=True)


def calls(ours: GameGraph, compact: rx.PyDiGraph) -> dict[str, tuple[Callable[[nx.DiGraph], object], Any]]:
    """Return what is timed on the larger graph, and what rustworkx does beside it."""
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
        "edges": (lambda G: iter(G.edges), None),
        "reverse": (nx.reverse, None),
        "subgraph, copied": (lambda G: G.subgraph(part).copy(), None),
        "relabel_nodes": (lambda G: nx.relabel_nodes(G, str), None),
        "compose": (lambda G: nx.compose(G, G), None),
        "disjoint_union": (lambda G: nx.disjoint_union(G, G), None),
        "write_edgelist": (lambda G: nx.write_edgelist(G, os.devnull, data=False), None),
    }


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
