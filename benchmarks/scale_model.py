"""A model of the time, the exchanged rows and the memory of each method for a game of a given size.

The model simulates a strategy on Spark round by round on a profile, which has the number of vertices of each level, and
the number of edges from each level to each lower one. :func:`profile_of` computes the profile of an actual graph by the
pass in memory; :func:`uniform` makes a profile from a few numbers. The simulation counts :class:`Work`. Measured
:class:`Constants` and a description of machines turn it into seconds.

Everywhere, ``task_edges`` is the largest number of rows that one task may solve alone, and ``partitions`` the number of
tasks that share each step of an exchange.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from graphgame import GameGraph
from graphgame.labs.scale.spark.rounds import pack
from graphgame.solution.sprague_grundy import birthday, grundy_values

__all__ = [
    "BYTES_BESIDES",
    "Constants",
    "Machines",
    "Needs",
    "Profile",
    "Work",
    "in_memory",
    "kept_on_spark",
    "levels",
    "looks",
    "on_disk",
    "partitions_for",
    "parts_on_spark",
    "profile_of",
    "seconds_on_spark",
    "spark_columns",
    "task",
    "uniform",
    "windows",
]

EDGES_A_PARTITION = 4_000_000

BYTES_IN_MEMORY = 45, 12
"""Bytes for a vertex and for an edge, at the peak of reading, grouping and solving."""

BYTES_BESIDES = 200e6
"""Bytes of the interpreter and its libraries."""

BYTES_ON_DISK = 20, 12
"""Bytes for a vertex and for an edge in the work folder, at its peak."""

BYTES_BESIDE_DISK = 28
"""Bytes of memory for a vertex, with the edges on disk."""

BYTES_KEPT = 8
"""Bytes for an edge in the lists that ``levels`` has in the executors."""

SCANS_AN_EXCHANGE, SCANS_ALONE = 4, 10
"""An exchanged row, and a row that a single task solves, cost as much processor time as this many scanned rows. In runs
on 10^6 edges Spark's stages took 0.3 microseconds for a scanned row, 1.3 for an exchanged row, and 2.4 for a row of a
single task, without Python's part."""

TASKS_A_ROUND = 3
"""Tasks of a round for each partition."""

PAGE = 4096
START_VERTICES, DOUBLING = 10_000, 0.1
"""From this number of vertices on, an edge costs a tenth more for each doubling of the vertices."""


class Profile(NamedTuple):
    """A game by levels, lowest first: vertices (L,), and edges (L, L) from the row's level to the column's."""

    vertices: np.ndarray
    edges: np.ndarray


class Work(NamedTuple):
    """The work of a strategy.

    ``rounds`` run one after the other. Rows are ``scanned`` on their machine, or ``exchanged`` between tasks. ``alone``
    counts the rows that one task solves while no other task runs.
    """

    rounds: int
    scanned: float
    exchanged: float
    alone: float


class Machines(NamedTuple):
    """The number of equal nodes, and for each node: cores, bytes of memory, network, disk, random read.

    Network and disk are bytes a second, the random read is the seconds for one.
    """

    nodes: int
    cores: int = 16
    memory: float = 64e9
    network: float = 1.25e9
    disk: float = 1e9
    random_read: float = 100e-6


class Constants(NamedTuple):
    """Measured constants: processor seconds and bytes.

    On one machine, in memory and on disk: the seconds of the start of a process, and of an edge of a game of 10^4
    vertices. On Spark: the seconds of a session, of a round of each strategy, and of a scanned row; the bytes of an
    exchanged row, and of a vertex that ``levels`` stores; the driver's seconds to start a task.
    """

    memory_start: float
    memory_edge: float
    disk_start: float
    disk_edge: float
    session: float
    level_round: float
    window_round: float
    row: float
    row_bytes: float
    vertex_kept: float
    task_start: float


class Needs(NamedTuple):
    """What one machine needs: seconds, bytes of memory, bytes written to disk."""

    seconds: float
    memory: float
    disk: float


def uniform(vertices: float, edges: float, levels: int, span: int | None = None) -> Profile:
    """Return a profile of equal levels, whose moves go evenly to the ``span`` levels below (default: to all)."""
    row, column = np.ogrid[:levels, :levels]
    lower = (column < row) & (column >= row - (span or levels))
    share = lower / np.maximum(lower.sum(axis=1, keepdims=True), 1)
    return Profile(np.full(levels, vertices / levels), share * (edges / max(levels - 1, 1)))


def profile_of(graph: GameGraph) -> Profile:
    """Solve a graph and count its vertices and edges by the length of the longest play."""
    level = birthday(graph, grundy_values(graph)[1])
    count = int(level.max(initial=0)) + 1
    rows = graph.predecessor_rows
    ends = level[rows.indices] * count + np.repeat(level, rows.lengths())
    edges = np.bincount(ends, minlength=count * count).reshape(count, count)
    return Profile(np.bincount(level, minlength=count), edges)


def in_memory(vertices: float, edges: float, constants: Constants) -> Needs:
    """Return the seconds and the memory that ``graphgame solve`` needs for a game of this size."""
    vertex_bytes, edge_bytes = BYTES_IN_MEMORY
    seconds = constants.memory_start + looks(vertices, edges) * constants.memory_edge
    return Needs(seconds, vertices * vertex_bytes + edges * edge_bytes + BYTES_BESIDES, 0)


def on_disk(vertices: float, edges: float, constants: Constants, machines: Machines) -> Needs:
    """Return the seconds, memory and disk that ``graphgame solve --workdir`` needs for a game of this size.

    The solver writes the edges in blocks, reads them bucket by bucket, and writes them as a row for each vertex. Then
    the pass reads the rows in another order: at least one random page for each row that is not in memory.
    """
    vertex_bytes, edge_bytes = BYTES_ON_DISK
    memory, written = vertices * BYTES_BESIDE_DISK + BYTES_BESIDES, vertices * vertex_bytes + edges * edge_bytes
    cached = min(1.0, max(0.0, machines.memory - memory) / (4 * edges + 8 * vertices))
    disk = 0.0
    if cached < 1:
        reads = vertices * (1 + 4 * edges / vertices / PAGE)
        disk = (written + 8 * edges) / machines.disk + (1 - cached) * reads * machines.random_read
    seconds = constants.disk_start + looks(vertices, edges) * constants.disk_edge
    return Needs(seconds + disk, memory, written)


def looks(vertices: float, edges: float) -> float:
    """Return the number of edges, with a weight that grows with the vertices, because more accesses miss the caches."""
    return edges * (1 + DOUBLING * max(0.0, float(np.log2(vertices / START_VERTICES))))


def partitions_for(edges: float, cores: int) -> int:
    """Return graphgame's default number of partitions."""
    return max(cores, -(-int(edges) // EDGES_A_PARTITION))


def task(profile: Profile) -> Work:
    """Simulate the solution by one task: the edges are scanned twice, and sent to the task."""
    edges = float(profile.edges.sum())
    return Work(1, 2 * edges, edges, edges)


def levels(profile: Profile, task_edges: float, partitions: int) -> Work:
    """Simulate ``levels``: every round solves a level, and sends its values to the predecessors.

    A round reads the state, which has a row for each vertex, and the lists of predecessors. Before the first round,
    three exchanges find hubs, count options and collect the lists. Each time the number of remaining edges has halved,
    the rows and the lists of solved vertices are deleted. When at most ``task_edges`` edges and vertices remain, one
    task solves the rest.
    """
    told, solved = profile.edges.sum(axis=0), profile.vertices
    left, unsolved = float(told.sum()), float(solved.sum())
    exchanged = 2 * _heard(left, unsolved, partitions) + _heard(2 * left, unsolved, 2 * partitions)
    lists, state, halving = left, unsolved, left
    rounds, scanned = 0, 6 * left
    for level in range(len(told)):
        if left + unsolved <= task_edges:
            break
        rounds += 1
        scanned += lists + state
        left, unsolved = left - told[level], unsolved - solved[level]
        exchanged += _heard(told[level], unsolved, partitions)
        if 2 * left <= halving:
            scanned += lists + 2 * state
            lists, state, halving = left, unsolved, left
    return Work(rounds, scanned, exchanged + left + unsolved, left + unsolved)


def windows(profile: Profile, task_edges: float, partitions: int) -> Work:
    """Simulate ``windows``: each window joins its moves to the values of all windows to which they lead.

    Before the first window, all moves are read eight times and exchanged once, to find the windows of both positions of
    each move. Moves to terminal positions need no join. If any move stays within its window, one task solves the whole
    window.
    """
    edges, vertices = _packed(profile, task_edges)
    count, moving = float(edges.sum()), float(vertices[1:].sum())
    rounds, scanned, alone = 0, 8 * count, 0.0
    exchanged = count + 2 * _heard(count, moving, partitions) + _heard(edges[:, 0].sum(), vertices[0], partitions)
    for out, joined, within, known in _windows(edges, vertices):
        rounds += 1
        scanned += 2 * out + within + known
        exchanged += joined + known + out + within
        alone += out + within if within else 0
    return Work(rounds, scanned, exchanged, alone)


def _packed(profile: Profile, task_edges: float) -> tuple[np.ndarray, np.ndarray]:
    """Join levels into windows; return the number of edges from window to window, and of vertices in each window.

    The first array has a row for the window where edges start, a column for the window where they end. A window is
    consecutive levels with at most ``task_edges`` edges, or a single level. Window 0 has the vertices without moves.
    """
    ranks = np.flatnonzero(profile.edges.sum(axis=1))
    window = np.zeros(len(profile.vertices), np.int64)
    window[ranks] = pack(profile.edges.sum(axis=1)[ranks], task_edges)
    first = np.searchsorted(window, np.arange(int(window.max(initial=0)) + 1))
    edges = np.add.reduceat(np.add.reduceat(profile.edges, first, axis=0), first, axis=1)
    return edges, np.add.reduceat(profile.vertices, first)


def _windows(edges: np.ndarray, vertices: np.ndarray) -> Iterator[tuple[float, float, float, float]]:
    """Yield four numbers for each window but 0.

    They count the moves that leave the window, those of them that need a join, the moves that stay in the window, and
    the values that are joined to it.
    """
    for number in range(1, len(vertices)):
        others = edges[number, 1:number]
        known = vertices[1:number][others > 0].sum()
        yield others.sum() + edges[number, 0], others.sum(), edges[number, number], known


def _heard(told: float, hearers: float, partitions: int) -> float:
    """Return the expected number of rows that tasks send.

    There are ``partitions`` tasks. Together they have ``told`` rows, each for a random one of ``hearers`` vertices. A
    task combines its rows for the same vertex into one before it sends them.
    """
    places = hearers * partitions
    return float(places * -np.expm1(-told / places)) if places else 0.0


def kept_on_spark(strategy: str, vertices: float, edges: float, constants: Constants) -> float:
    """Return the bytes that executors store between rounds."""
    return BYTES_KEPT * edges + constants.vertex_kept * vertices if strategy == "levels" else 0


def seconds_on_spark(strategy: str, work: Work, machines: Machines, partitions: int, constants: Constants) -> float:
    """Return the seconds of a strategy: the sum of :func:`parts_on_spark`."""
    return sum(parts_on_spark(strategy, work, machines, partitions, constants).values())


def parts_on_spark(
    strategy: str, work: Work, machines: Machines, partitions: int, constants: Constants
) -> dict[str, float]:
    """Return the seconds that a strategy spends on rounds, single tasks, all cores, network and disks.

    These are the keys. The model assumes that no two of them overlap in time. In each round the driver starts
    ``TASKS_A_ROUND`` tasks for each of the partitions.
    """
    session, levels_, windows_, _ = spark_columns(strategy, work)
    rounds = session * constants.session + levels_ * constants.level_round + windows_ * constants.window_round
    rows = (work.scanned + SCANS_AN_EXCHANGE * work.exchanged) * constants.row
    sent = work.exchanged * constants.row_bytes / machines.nodes
    return {
        "rounds": rounds + TASKS_A_ROUND * partitions * work.rounds * constants.task_start,
        "single tasks": work.alone * SCANS_ALONE * constants.row,
        "all cores": rows / (machines.nodes * machines.cores),
        "network": sent * (1 - 1 / machines.nodes) / machines.network,
        "disks": 2 * sent / machines.disk,
    }


def spark_columns(strategy: str, work: Work) -> list[float]:
    """Return the factors of four constants in the time of a strategy.

    The constants are those of a session, a round of ``levels``, a round of ``windows``, and a row.
    """
    rounds = [float(work.rounds * (strategy == each)) for each in ("levels", "windows")]
    return [1.0, *rounds, work.scanned + SCANS_AN_EXCHANGE * work.exchanged + SCANS_ALONE * work.alone]
