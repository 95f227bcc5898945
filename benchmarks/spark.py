"""Measure the pass on Apache Spark against the pass in memory.

    python benchmarks/spark.py [--edges 1000000 10000000] [--depth 80] [--master 'local[2]'] [--memory 4g]

Random games with shuffled positions, ten moves a position, a twentieth of them to ten hubs; the values must be those
found in memory. ``task`` is the default for a game that one task can solve; with ``levels`` and ``windows`` one task
may solve a twentieth of the moves.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from graphgame import GameGraph, spark
from graphgame.sprague_grundy import grundy_values

HUBS = 10
SHARE = 20


def layered(vertices: int, edges: int, depth: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return sources, targets and the layers of the sources; every position has a move to the layer below."""
    random = np.random.default_rng(0)
    layer = np.sort(np.append(np.arange(depth), random.integers(0, depth, vertices - depth)))
    first = np.searchsorted(layer, np.arange(depth + 1))
    steps = np.arange(first[1], vertices)
    below = layer[steps] - 1
    down = first[below] + (random.random(len(steps)) * (first[below + 1] - first[below])).astype(np.int64)
    source = random.integers(first[1], vertices, edges - len(steps))
    target = (random.random(len(source)) * first[layer[source]]).astype(np.int64)
    to_hub = random.random(len(source)) < 1 / 20
    target[to_hub] = random.integers(0, HUBS, int(to_hub.sum()))
    source, target = np.append(source, steps), np.append(target, down)
    keep = layer[target] < layer[source]
    order = random.permutation(np.flatnonzero(keep))
    name = random.permutation(vertices)
    return name[source[order]], name[target[order]], layer[source[order]]


def measure(session: SparkSession, path: Path, vertices: int, edges: int, depth: int, levels: bool) -> list[list[str]]:
    """Return a row for the pass in memory and for each strategy."""
    source, target, layer = layered(vertices, edges, depth)
    pq.write_table(pa.table({"source": source, "target": target, "rank": layer}), path, row_group_size=1 << 20)
    begin = time.perf_counter()
    want = grundy_values(GameGraph.from_arrays(source, target, vertices))[0]
    rows = [["in memory, solve alone", f"{time.perf_counter() - begin:.1f} s"]]
    small = max(1, edges // SHARE)
    runs = {
        "task": {},
        f"windows of {small:,}": {"strategy": "windows", "rank": "rank", "task_edges": small},
        f"levels, the last {small:,} in a task": {"strategy": "levels", "task_edges": small},
    }
    for name, options in runs.items():
        if name.startswith("levels") and not levels:
            continue
        begin = time.perf_counter()
        values = spark.solve(session.read.parquet(str(path)), **options).toArrow()
        rows.append([name, f"{time.perf_counter() - begin:.1f} s"])
        got = np.full(vertices, -1)
        got[values["position"].to_numpy()] = values["grundy"].to_numpy()
        assert (got == want)[np.union1d(source, target)].all(), name
    return rows


def main() -> None:
    """Run everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--depth", type=int, default=80)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--memory", default="4g")
    parser.add_argument("--no-levels", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(options.master).config("spark.driver.memory", options.memory)
    session = (
        builder.config("spark.driver.maxResultSize", "0").config("spark.ui.showConsoleProgress", "false").getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    print("| edges | depth | how | time |\n| --- | --- | --- | --- |")
    for edges in options.edges:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "edges.parquet")
            for row in measure(session, path, edges // 10, edges, options.depth, not options.no_levels):
                print(f"| {edges:,} | {options.depth} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
