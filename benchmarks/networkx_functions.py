"""Time networkx's functions on a GameGraph, on an nx.DiGraph of the same edges, and rustworkx's beside them.

    python benchmarks/networkx_functions.py [VERTICES] [EDGES]

Prints processor time, the median of three calls after others that load compiled loops; a generator is used up.
The package must be installed, for that is how networkx finds it.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import process_time

import networkx as nx
import rustworkx as rx

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


def main(vertices: int = 20_000, edges: int = 200_000) -> None:
    """Print the table."""
    ours = generate("random", vertices=vertices, edges=edges, seed=1)
    if ours.__networkx_backend__ != "graphgame":
        raise SystemExit("networkx does not know the backend: install the package first")
    theirs = nx.DiGraph(ours)
    compact = rx.PyDiGraph()
    compact.add_nodes_from(list(ours))
    compact.add_edges_from_no_data(
        list(zip(ours.option_rows.owners().tolist(), ours.option_rows.indices.tolist(), strict=True))
    )
    order = list(nx.topological_sort(ours))
    number = ours.number_of(order[0]), ours.number_of(order[-1])
    calls = {
        "descendants": (order[:1], lambda: rx.descendants(compact, number[0])),
        "ancestors": (order[-1:], lambda: rx.ancestors(compact, number[1])),
        "bfs_edges": (order[:1], None),
        "bfs_layers": (order[:1], None),
        "dfs_edges": (order[:1], lambda: rx.dfs_edges(compact, number[0])),
        "dfs_postorder_nodes": ([], None),
        "has_path": ([order[0], order[-1]], lambda: rx.has_path(compact, *number)),
        "single_source_shortest_path_length": (order[:1], None),
        "single_source_shortest_path": (order[:1], None),
        "topological_sort": ([], lambda: rx.topological_sort(compact)),
        "topological_generations": ([], lambda: rx.topological_generations(compact)),
        "is_directed_acyclic_graph": ([], lambda: rx.is_directed_acyclic_graph(compact)),
        "dag_longest_path": ([], lambda: rx.dag_longest_path(compact)),
        "strongly_connected_components": ([], lambda: rx.strongly_connected_components(compact)),
        "weakly_connected_components": ([], lambda: rx.weakly_connected_components(compact)),
        "to_scipy_sparse_array": ([], None),
        "pagerank": ([], lambda: rx.pagerank(compact)),
    }
    print("| function | GameGraph, ms | DiGraph, ms | times faster | rustworkx, ms |\n| --- | --: | --: | --: | --: |")
    for name, (arguments, beside) in calls.items():
        function = getattr(nx, name)
        seconds(partial(function, ours, *arguments))
        fast, slow = (seconds(partial(function, graph, *arguments)) for graph in (ours, theirs))
        other = f"{1e3 * seconds(beside):.2f}" if beside else ""
        print(f"| `{name}` | {1e3 * fast:.2f} | {1e3 * slow:.1f} | {slow / fast:.1f} | {other} |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
