"""Measure the pass on Apache Spark against the pass in memory.

    python benchmarks/spark.py [--edges 1e6 1e7] [--depth 80 5000] [--only task windows levels] [--share 20]

The games are random, with shuffled positions and ten moves a position; a twentieth of the moves go to ten hubs.
``--depth`` is the number of layers, which serve as ranks. All values must be the same as in memory. ``task`` gives the
whole game to one task, up to 10^7 moves. With ``windows`` and ``levels`` a task may solve at most a ``--share``-th of
the moves. Each run has its own processes. Its memory is the sum of theirs, where shared memory counts once (Linux).
10^8 edges need 16 GB of memory, to make the game, and 10 GB for temporary files. A run on Spark needs ``--memory`` for
the JVM, and the memory of Python. ``--master`` is the address of Spark, by default ``local[2]``: two cores of this
machine.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

HUBS = 10
HOWS = ("task", "windows", "levels")


def layered(vertices: int, edges: int, depth: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return three arrays with an entry for each of at most ``edges`` random moves: source, target, source's layer.

    There are ``depth`` layers. Every position above the lowest layer has a move to the layer below.
    """
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


def make(folder: str, edges: int, depth: int) -> None:
    """Write a random game of ``depth`` layers to ``folder``: a table of moves, with the layer of the source as rank."""
    source, target, layer = layered(edges // 10, edges, depth)
    columns = {"source": source, "target": target, "rank": layer}
    pq.write_table(pa.table(columns), Path(folder, "edges.parquet"), row_group_size=1 << 20)


def solve_in_memory(folder: str) -> None:
    """Solve the game in ``folder``; write there the values, the time of the pass alone, and the peak memory."""
    from graphgame import GameGraph
    from graphgame.solution.sprague_grundy import grundy_values

    few = np.arange(9)
    grundy_values(GameGraph.from_arrays(few[1:], few[:-1], 9), engine="compiled")  # loads the compiled loops
    with peak() as told:
        table = pq.read_table(Path(folder, "edges.parquet"), columns=["source", "target"])
        source, target = (table[name].to_numpy() for name in ("source", "target"))
        graph = GameGraph.from_arrays(source, target, 1 + int(max(source.max(), target.max())))
        begin = time.perf_counter()
        values = grundy_values(graph)[0]
        told["seconds"] = time.perf_counter() - begin
    values[(graph.out_degrees == 0) & (np.diff(graph.predecessor_rows.pointers) == 0)] = -1
    np.save(Path(folder, "values.npy"), values)
    Path(folder, "memory.json").write_text(json.dumps(told))


def solve_on_spark(folder: str, how: str, master: str, memory: str, share: int) -> None:
    """Solve the game in ``folder``; write there the values, and the time and the peak memory.

    The time is that from reading edges to writing values. ``how`` is a strategy; ``master``, ``memory`` and ``share``
    are the options of the script.
    """
    from pyspark.sql import SparkSession

    from graphgame.labs.scale import spark

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master).config("spark.driver.memory", memory)
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    edges = session.read.parquet(f"{folder}/edges.parquet")
    small = max(1, edges.count() // share)
    options = {
        "task": {},
        "windows": {"strategy": "windows", "rank": "rank", "task_edges": small},
        "levels": {"strategy": "levels", "task_edges": small},
    }
    with peak() as told:
        begin = time.perf_counter()
        spark.solve(edges, **options[how]).write.parquet(f"{folder}/{how}.parquet")
        told["seconds"] = time.perf_counter() - begin
    Path(folder, f"{how}.json").write_text(json.dumps(told))
    session.stop()


@contextmanager
def peak() -> Iterator[dict[str, float]]:
    """Yield a dictionary whose ``bytes`` become the peak memory of this process and its descendants together."""
    most, done = {"bytes": 0}, threading.Event()

    def watch() -> None:
        while not done.wait(0.5):
            most["bytes"] = max(most["bytes"], sum(map(held, family(os.getpid()))))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield most
    finally:
        done.set()
        watcher.join()


def family(process: int) -> Iterator[int]:
    """Yield a process and its descendants, but no copy of Java that is about to start another program."""
    yield process
    children: list[str] = []
    try:
        for task in Path("/proc", str(process), "task").glob("*/children"):
            children += task.read_text().split()
    except OSError:
        pass
    for child in map(int, children):
        if not (command(child)[:1] == ["java"] and command(child) == command(process)):
            yield from family(child)


def command(process: int) -> list[str]:
    """Return the program of a process, without its folder, and its arguments; [] if the process has ended.

    When Java starts a program, the new process at first has the memory and the command of Java.
    """
    try:
        program, *arguments = Path("/proc", str(process), "cmdline").read_text().split("\0")
    except OSError:
        return []
    return [Path(program).name, *arguments]


def held(process: int) -> int:
    """Return the memory of a process in bytes, with its share of shared memory; 0 if it has ended."""
    try:
        lines = Path("/proc", str(process), "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))


def differing(folder: str, how: str) -> int:
    """Return how many positions have no value by the strategy ``how``, or another value than in memory.

    Both results are files in ``folder``.
    """
    want = np.load(Path(folder, "values.npy"))
    for file in Path(folder, f"{how}.parquet").glob("*.parquet"):
        for batch in pq.ParquetFile(file).iter_batches(columns=["position", "grundy"]):
            want[batch["position"].to_numpy()] -= batch["grundy"].to_numpy() + 1
    return int((want != -1).sum())


def measure(folder: str, edges: int, depth: int, options: argparse.Namespace) -> Iterator[str]:
    """Yield a row for the pass in memory and for each strategy."""
    alone(make, folder, edges, depth)
    alone(solve_in_memory, folder)
    yield row(edges, depth, "in memory, the pass alone", Path(folder, "memory.json"))
    for how in options.only:
        if how == "task" and edges > 10_000_000:
            continue
        alone(solve_on_spark, folder, how, options.master, options.memory, options.share)
        if wrong := differing(folder, how):
            raise SystemExit(f"{how}: {wrong} values differ from those in memory")
        yield row(edges, depth, how, Path(folder, f"{how}.json"))


def row(edges: int, depth: int, how: str, told: Path) -> str:
    """Return a row of the table; the JSON file ``told`` has the seconds and the bytes of memory."""
    found = json.loads(told.read_text())
    return f"| {edges:,} | {depth} | {how} | {found['seconds']:.1f} s | {found['bytes'] / 2**30:.1f} GB |"


def alone(work: Callable[..., None], *arguments: object) -> None:
    """Run a function in a separate process, so that its memory is freed."""
    process = multiprocessing.get_context("spawn").Process(target=work, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"{work.__name__} failed")


def main() -> None:
    """Run everything, and print each row of the table when it is ready."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=float, nargs="+", default=[1e6, 1e7])
    parser.add_argument("--depth", type=int, nargs="+", default=[80])
    parser.add_argument("--only", nargs="+", choices=HOWS, default=HOWS)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--memory", default="4g", help="memory of the JVM")
    parser.add_argument("--share", type=int, default=20, help="one task may solve a SHARE-th of the moves; default 20")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    lines = ["| edges | depth | how | time | memory |", "| --- | --- | --- | --- | --- |"]
    print(*lines, sep="\n", flush=True)
    for edges in map(int, options.edges):
        for depth in options.depth:
            with tempfile.TemporaryDirectory() as folder:
                for line in measure(folder, edges, depth, options):
                    print(line, flush=True)
                    lines.append(line)
                    if options.output:
                        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
