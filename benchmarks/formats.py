"""Measure how long files of edges take to read, beside other libraries, and print a table in Markdown.

    python benchmarks/formats.py [--sizes 1e5 1e6 1e7] [--formats edges ints text quoted parquet] [--repeat 3]

Every measurement is a process of its own, contenders take turns, and medians are told: processor seconds, and by how
many MB the memory of the process grows at its peak (Linux). graphgame, networkx, igraph and rustworkx make a graph;
pandas and pyarrow only a table and the numbers of its labels. What is not installed, cannot read the format, or is too
slow has a dash.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np

FORMATS = {
    "edges": ("1 2, split at spaces", ".edges"),
    "ints": ("1,2 in CSV", ".csv"),
    "text": ("v1,v2 in CSV", ".csv"),
    "quoted": ('"v1","v2" in CSV', ".csv"),
    "parquet": ("strings in Parquet", ".parquet"),
}
"""Name -> what a line is like, and the suffix."""

_SLOW = 10**6
"""Edges up to which the slow ones are measured."""


def write(path: Path, format: str, edges: int) -> None:
    """Write random moves, each to a smaller number, about two for each position."""
    rng = np.random.default_rng(edges)
    start = rng.integers(1, max(2, edges // 2), edges)
    end = (start * rng.random(edges)).astype(np.int64)
    line = {"edges": "{} {}", "ints": "{},{}", "quoted": '"v{}","v{}"'}.get(format, "v{},v{}")
    text = "\n".join(map(line.format, start.tolist(), end.tolist())) + "\n"
    if format != "parquet":
        path.write_text(text if format == "edges" else f"source,target\n{text}")
        return
    import pyarrow as pa
    import pyarrow.parquet

    columns = zip(*(row.split(",") for row in text.splitlines()), strict=True)
    pa.parquet.write_table(pa.table(dict(zip(("source", "target"), map(pa.array, columns), strict=True))), path)


def graphgame(path: Path, format: str) -> int:
    from graphgame import read_game

    return int(read_game(path).number_of_edges())


def pandas(path: Path, format: str) -> int:
    import pandas as pd

    if format == "parquet":
        table = pd.read_parquet(path)
    else:
        table = pd.read_csv(path, sep=" " if format == "edges" else ",", header=None if format == "edges" else 0)
    pd.factorize(np.concatenate([table.iloc[:, 0].to_numpy(), table.iloc[:, 1].to_numpy()]))
    return len(table)


def pyarrow(path: Path, format: str) -> int:
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    if format == "parquet":
        table = pa.parquet.read_table(path)
    else:
        options = pa.csv.ReadOptions(autogenerate_column_names=format == "edges")
        spaced = pa.csv.ParseOptions(delimiter=" " if format == "edges" else ",")
        table = pa.csv.read_csv(path, options, spaced)
    pa.chunked_array([*table[0].chunks, *table[1].chunks]).dictionary_encode()
    return int(table.num_rows)


def networkx(path: Path, format: str) -> int:
    import networkx as nx

    separator = " " if format == "edges" else ","
    kind: Any = int if format in ("edges", "ints") else str
    with path.open("rb") as file:
        if format != "edges":
            file.readline()
        graph = nx.read_edgelist(file, delimiter=separator, create_using=nx.DiGraph, nodetype=kind)
    return int(graph.number_of_edges())


def igraph(path: Path, format: str) -> int:
    import igraph as ig

    return int(ig.Graph.Read_Edgelist(str(path)).ecount())


def rustworkx(path: Path, format: str) -> int:
    import rustworkx as rx

    return int(rx.PyDiGraph.read_edge_list(str(path)).num_edges())


CONTENDERS: dict[str, tuple[Callable[[Path, str], int], tuple[str, ...], bool]] = {
    "graphgame": (graphgame, tuple(FORMATS), False),
    "pandas": (pandas, tuple(FORMATS), False),
    "pyarrow": (pyarrow, tuple(FORMATS), False),
    "networkx": (networkx, ("edges", "ints", "text", "quoted"), True),
    "igraph": (igraph, ("edges",), False),
    "rustworkx": (rustworkx, ("edges",), False),
}
"""Name -> what it does, the formats that it reads, and whether it is slow."""


def measure(name: str, path: str, format: str, warm: str) -> None:
    """Read a small file, so that what is loaded does not count, then the file; print seconds and MB as JSON."""
    read = CONTENDERS[name][0]
    read(Path(warm), format)
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before, start = memory("VmRSS"), process_time()
    edges = read(Path(path), format)
    seconds = process_time() - start
    print(json.dumps([seconds, memory("VmHWM") - before, edges]))


def memory(name: str) -> float:
    """Return one of the figures that Linux keeps of this process, in MB."""
    return int(Path("/proc/self/status").read_text().partition(f"{name}:")[2].split()[0]) / 1000


def measured(name: str, path: Path, format: str, warm: Path) -> tuple[float, float] | None:
    command = [sys.executable, __file__, "--measure", name, str(path), format, str(warm)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{name} on {path.name}: {(done.stderr.splitlines() or ['failed'])[-1]}", file=sys.stderr)
        return None
    seconds, megabytes, _ = json.loads(done.stdout)
    return seconds, megabytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", type=float, default=[1e5, 1e6, 1e7])
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=list(FORMATS))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--measure", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        measure(*given.measure)
        return
    print(f"| a line | edges | {' | '.join(CONTENDERS)} |")
    print("| --- | ---: |" + " ---: |" * len(CONTENDERS))
    with tempfile.TemporaryDirectory() as folder:
        for format in given.formats:
            for edges in map(int, given.sizes):
                path, warm = (Path(folder, f"{size}{FORMATS[format][1]}") for size in (edges, "warm"))
                write(path, format, edges)
                write(warm, format, 250_000)
                found: dict[str, list[tuple[float, float]]] = {name: [] for name in CONTENDERS}
                for _ in range(given.repeat):
                    for name, (_, formats, slow) in CONTENDERS.items():
                        if format in formats and (edges <= _SLOW or not slow):
                            found[name] += filter(None, [measured(name, path, format, warm)])
                cells = [
                    f"{median(s for s, _ in runs):.2f} s, {median(m for _, m in runs):.0f} MB" if runs else "-"
                    for runs in found.values()
                ]
                print(f"| {FORMATS[format][0]} | {edges:,} | {' | '.join(cells)} |", flush=True)
                path.unlink()


if __name__ == "__main__":
    main()
