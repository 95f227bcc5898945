"""Solve a token file with one of several programs and print who wins. Other scripts measure this process.

    python benchmarks/contenders.py NAME FILE

Standard output has the verdict, standard error "read S s, solve S s, checksum C". graphgame solves the file twice and
reports the second time, so the time to load machine code does not count.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import reduce
from operator import xor
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

import numpy as np

Graph: TypeAlias = Any
Values: TypeAlias = np.ndarray | list[int]


class Game(NamedTuple):
    vertices: int
    edges: np.ndarray
    tokens: list[int]


def read(path: Path) -> Game:
    """Read a token file with numpy, because networkx, rustworkx and igraph do not read this format."""
    with path.open("rb") as file:
        vertices, edges, _ = map(int, file.readline().split())
        file.seek(-min(1000, path.stat().st_size), os.SEEK_END)
        tokens = [int(token) for token in file.read().splitlines()[-1].split()]
    return Game(vertices, np.loadtxt(path, np.int64, skiprows=1, max_rows=edges, ndmin=2), tokens)


def mex_loop(order: Iterable[int], options: Callable[[int], Iterable[int]], vertices: int) -> list[int]:
    """Return the values of the vertices 1 to ``vertices``: that of vertex v has the index v - 1.

    In ``order`` each vertex is before its options. It may also have an unused vertex 0.
    """
    grundy = [0] * (vertices + 1)
    for vertex in reversed(list(order)):
        seen = {grundy[option] for option in options(vertex)}
        value = 0
        while value in seen:
            value += 1
        grundy[vertex] = value
    return grundy[1:]


def networkx_graph(path: Path) -> tuple[Graph, list[int]]:
    import networkx as nx

    game = read(path)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(1, game.vertices + 1))
    graph.add_edges_from(game.edges.tolist())
    return graph, game.tokens


def networkx_values(graph: Graph) -> list[int]:
    import networkx as nx

    return mex_loop(nx.topological_sort(graph), graph.__getitem__, len(graph))


def rustworkx_graph(path: Path) -> tuple[Graph, list[int]]:
    import rustworkx as rx

    game = read(path)
    graph = rx.PyDiGraph()
    graph.add_nodes_from(range(game.vertices + 1))
    graph.add_edges_from_no_data(list(map(tuple, game.edges.tolist())))
    return graph, game.tokens


def rustworkx_values(graph: Graph) -> list[int]:
    import rustworkx as rx

    return mex_loop(rx.topological_sort(graph), graph.successor_indices, len(graph) - 1)


def igraph_graph(path: Path) -> tuple[Graph, list[int]]:
    import igraph

    game = read(path)
    return igraph.Graph(game.vertices + 1, game.edges, directed=True), game.tokens


def igraph_values(graph: Graph) -> list[int]:
    return mex_loop(graph.topological_sorting(), graph.get_adjlist().__getitem__, graph.vcount() - 1)


def our_graph(path: Path) -> tuple[Graph, list[int]]:
    from graphgame import read_game

    graph = read_game(path)
    return graph, list(graph.tokens)


def our_values(graph: Graph) -> np.ndarray:
    from graphgame.solution import sprague_grundy

    return sprague_grundy.grundy_values(graph)[0]


def our_values_of_networkx(graph: Graph) -> list[int]:
    from graphgame import solve

    return list(solve(graph).grundy.values())


CONTENDERS: dict[str, tuple[Callable[[Path], tuple[Graph, list[int]]], Callable[[Graph], Values]]] = {
    "graphgame": (our_graph, our_values),
    "solve": (networkx_graph, our_values_of_networkx),
    "networkx": (networkx_graph, networkx_values),
    "rustworkx": (rustworkx_graph, rustworkx_values),
    "igraph": (igraph_graph, igraph_values),
}


def checksum(values: Values) -> int:
    grundy = np.asarray(values, np.int64)
    return int((grundy * np.arange(1, len(grundy) + 1) % 1000003).sum())


def main(name: str, file: str) -> None:
    load, values_of = CONTENDERS[name]
    for _ in range(2 if name in ("graphgame", "solve") else 1):
        graph = None
        start = perf_counter()
        graph, tokens = load(Path(file))
        loaded = perf_counter()
        values = values_of(graph)
        solved = perf_counter()
    nim_sum = reduce(xor, (int(values[token - 1]) for token in tokens), 0)
    print("win" if nim_sum else "lose")
    print(f"read {loaded - start:.6f} s, solve {solved - loaded:.6f} s, checksum {checksum(values)}", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
