"""Games as Spark tables, and their values in memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import networkx as nx
import numpy as np
import pyarrow as pa

import graphgame
from tests.helpers import game

QUICK_START = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
"""Settings for tables of a few rows, where compiling takes longer than running."""

STRATEGIES = {
    "one task": {},
    "levels": {"strategy": "levels", "task_edges": 0, "partitions": 2},
    "levels and a task": {"strategy": "levels", "task_edges": 60, "partitions": 2},
    "windows": {"strategy": "windows", "task_edges": 25, "rank": "rank", "partitions": 2},
}

Options = dict[int, list[int]]


@contextmanager
def session() -> Iterator[object]:
    """Open a Spark session on two cores."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]")
    for name, value in QUICK_START.items():
        builder = builder.config(name, value)
    running = builder.getOrCreate()
    running.sparkContext.setLogLevel("OFF")
    yield running
    running.stop()


def side_by_side(games: Iterable[tuple[Options, set[int]]]) -> tuple[Options, set[int]]:
    """Join games to one graph, because starting a pass costs more than solving more positions."""
    whole: Options = {}
    marked: set[int] = set()
    for options, sums in games:
        base = len(whole)
        whole |= {base + v: [base + w for w in ends] for v, ends in options.items()}
        marked |= {base + v for v in sums}
    return whole, marked


def complete(size: int) -> Options:
    """Return the graph of a Nim heap of size - 1, in which all values are different."""
    return {v: list(range(v)) for v in range(size)}


def random_game(seed: int, size: int, edges: int) -> Options:
    random = np.random.default_rng(seed)
    name = random.permutation(size).tolist()
    options: Options = {v: [] for v in range(size)}
    for a, b in random.integers(0, size, (edges, 2)).tolist():
        if a != b:
            options[name[max(a, b)]].append(name[min(a, b)])
    return options


DEEP = {v: [v - 1] if v else [] for v in range(8)}
HUB = {0: [], **{v: [0, 0, v - 1] for v in range(1, 7)}, **{v: [0] for v in range(7, 60)}}
SUM_HUB = {0: [], 1: [0], 2: [0, 1], 3: [2, 2, 1], **{v: [3, 1] for v in range(4, 30)}}, {3}
MIXED = side_by_side([(DEEP, set()), (HUB, set()), ({0: []}, set()), SUM_HUB, (random_game(0, 12, 20), set())])


def values_in_memory(options: Options, sums: Iterable[int] = ()) -> dict[object, int]:
    return dict(graphgame.solve(game(options, set(sums))).grundy)


def table(local, options: Options, sums: Iterable[int] = (), label=lambda v: v):
    """Return the table of moves, with the length of the longest play from the source as the rank.

    A position without moves has a row without a target.
    """
    longest: dict[int, int] = {}
    for v in reversed(list(nx.topological_sort(nx.DiGraph(options)))):
        longest[v] = max((longest[w] + 1 for w in options[v]), default=0)
    moves = [(v, w) for v, ends in options.items() for w in ends or [None]]
    kind = pa.string() if isinstance(label(0), str) else pa.int64()
    columns = {
        "source": pa.array([label(v) for v, _ in moves], kind),
        "target": pa.array([None if w is None else label(w) for _, w in moves], kind),
        "rank": pa.array([longest[v] for v, _ in moves], pa.int32()),
    }
    if marked := set(sums):
        columns["sum"] = pa.array([v in marked for v, _ in moves])
    return local.createDataFrame(pa.table(columns))


def collected(values) -> dict[object, int]:
    found = values.toArrow().to_pydict()
    assert found["outcome"] == ["N" if grundy else "P" for grundy in found["grundy"]]
    assert len(set(found["position"])) == len(found["position"])
    return dict(zip(found["position"], found["grundy"], strict=True))
