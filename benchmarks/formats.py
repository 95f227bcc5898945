"""Measure the time to read and to write files of edges, compare it with other libraries, and print Markdown tables.

    python benchmarks/formats.py [--sizes 1e5 1e6 1e7] [--formats edges ints text quoted parquet json graphml dot]
        [--repeat 3] [--most 20] [--minutes 15]

Each library reads or writes a file in its own process, up to ``--repeat`` times. The tables show the median processor
time, and by how many MB the memory of the process grows at its peak the first time (Linux). graphgame, networkx, igraph
and rustworkx build a graph; pandas, pyarrow and polars only read a table and number its labels. Each writes the data
that it has read.

A cell has a dash if a library is not installed, fails, or does not know the format. Small files are measured first. A
measurement is left out, and its cell says so, if by the time for the previous size it would take more than ``--most``
seconds, or if ``--minutes`` have passed since the start.
"""

# ruff: noqa: ANN401  graphs and tables of seven libraries

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import monotonic, process_time
from typing import Any

import numpy as np

FORMATS = {
    "edges": ("1 2, split at spaces", ".edges"),
    "ints": ("1,2 in CSV", ".csv"),
    "text": ("v1,v2 in CSV", ".csv"),
    "quoted": ('"v1","v2" in CSV', ".csv"),
    "parquet": ("strings in Parquet", ".parquet"),
    "json": ("integers in node-link JSON", ".json"),
    "graphml": ("strings in GraphML", ".graphml"),
    "dot": ("strings in DOT", ".dot"),
}
"""Name -> an example of a line, and the suffix."""

_LINES = {
    "edges": "{} {}\n",
    "ints": "{},{}\n",
    "quoted": '"v{}","v{}"\n',
    "json": '{{"source": {}, "target": {}}},\n',
    "graphml": '<edge source="v{}" target="v{}"/>\n',
    "dot": "v{} -> v{};\n",
}
_HEADS = {"edges": "", "graphml": '<graphml><graph edgedefault="directed">\n', "dot": "digraph {\n"}
_TAILS = {"json": '{"source": 1, "target": 0}]}\n', "graphml": "</graph></graphml>\n", "dot": "}\n"}
_JSON = '{"directed": true, "multigraph": false, "graph": {}, "nodes": ['
_WARM = 100_000
"""Edges of a file that is read first, so that the time to load libraries does not count."""

_LONG = 10
"""A measurement that takes longer than these seconds is not repeated."""

Task = tuple[str, str, str, int]
"""``read`` or ``write``, a contender, a format, and a number of edges."""


def make(path: Path, format: str, edges: int) -> None:
    """Write random moves, each to a smaller number, about two for each position."""
    rng = np.random.default_rng(edges)
    start = rng.integers(1, max(2, edges // 2), edges)
    end = (start * rng.random(edges)).astype(np.int64)
    if format == "parquet":
        import pyarrow as pa
        import pyarrow.parquet

        columns = [pa.array([f"v{number}" for number in numbers.tolist()]) for numbers in (start, end)]
        pa.parquet.write_table(pa.table(columns, ["source", "target"]), path)
        return
    vertices = range(max(2, edges // 2)) if format in ("json", "graphml") else ()
    node = '<node id="v{}"/>\n' if format == "graphml" else '{{"id": {}}},\n'
    with path.open("w") as file:
        file.write(_JSON if format == "json" else _HEADS.get(format, "source,target\n"))
        file.writelines(map(node.format, vertices[:-1]))
        file.write(node.format(vertices[-1]).removesuffix(",\n") if vertices else "")
        file.write('],\n"edges": [\n' if format == "json" else "")
        line = _LINES.get(format, "v{},v{}\n").format
        for first in range(0, edges, 1 << 20):
            part = slice(first, first + (1 << 20))
            file.writelines(map(line, start[part].tolist(), end[part].tolist()))
        file.write(_TAILS.get(format, ""))


def _separator(format: str) -> str:
    return " " if format == "edges" else ","


class Graphgame:
    formats = tuple(FORMATS)
    written = ("edges", "ints", "text", "parquet", "json", "graphml", "dot")

    def read(self, path: Path, format: str) -> Any:
        from graphgame import read_game

        return read_game(path)

    def write(self, graph: Any, path: Path, format: str) -> None:
        from graphgame import write_game

        write_game(graph, path)


class Pandas:
    formats = ("edges", "ints", "text", "quoted", "parquet")
    written = ("edges", "ints", "text", "parquet")

    def read(self, path: Path, format: str) -> Any:
        import pandas as pd

        if format == "parquet":
            table = pd.read_parquet(path)
        else:
            table = pd.read_csv(path, sep=_separator(format), header=None if format == "edges" else 0)
        pd.factorize(np.concatenate([table.iloc[:, 0].to_numpy(), table.iloc[:, 1].to_numpy()]))
        return table

    def write(self, table: Any, path: Path, format: str) -> None:
        if format == "parquet":
            table.to_parquet(path)
        else:
            table.to_csv(path, sep=_separator(format), header=format != "edges", index=False)


class Pyarrow:
    formats = ("edges", "ints", "text", "quoted", "parquet")
    written = ("edges", "ints", "text", "parquet")

    def read(self, path: Path, format: str) -> Any:
        import pyarrow as pa
        import pyarrow.csv
        import pyarrow.parquet

        if format == "parquet":
            table = pa.parquet.read_table(path)
        else:
            options = pa.csv.ReadOptions(autogenerate_column_names=format == "edges")
            table = pa.csv.read_csv(path, options, pa.csv.ParseOptions(delimiter=_separator(format)))
        pa.chunked_array([*table[0].chunks, *table[1].chunks]).dictionary_encode()
        return table

    def write(self, table: Any, path: Path, format: str) -> None:
        import pyarrow as pa
        import pyarrow.csv
        import pyarrow.parquet

        if format == "parquet":
            pa.parquet.write_table(table, path)
            return
        options = {"include_header": format != "edges", "delimiter": _separator(format), "quoting_style": "needed"}
        pa.csv.write_csv(table, path, pa.csv.WriteOptions(**options))


class Polars:
    formats = ("edges", "ints", "text", "quoted", "parquet")
    written = ("edges", "ints", "text", "parquet")

    def read(self, path: Path, format: str) -> Any:
        import polars as pl

        if format == "parquet":
            table = pl.read_parquet(path)
        else:
            table = pl.read_csv(path, separator=_separator(format), has_header=format != "edges")
        labels = pl.concat([table.to_series(0).rename("label"), table.to_series(1).rename("label")])
        labels.rank("dense") if labels.dtype.is_integer() else labels.cast(pl.Categorical).to_physical()
        return table

    def write(self, table: Any, path: Path, format: str) -> None:
        if format == "parquet":
            table.write_parquet(path)
        else:
            table.write_csv(path, separator=_separator(format), include_header=format != "edges")


class Networkx:
    formats = ("edges", "ints", "text", "quoted", "json", "graphml")
    written = ("edges", "ints", "text", "json", "graphml")

    def read(self, path: Path, format: str) -> Any:
        import networkx as nx

        if format == "json":
            return nx.node_link_graph(json.loads(path.read_text()), edges="edges")
        if format == "graphml":
            return nx.read_graphml(path)
        kind: Any = int if format in ("edges", "ints") else str
        with path.open("rb") as file:
            if format != "edges":
                file.readline()
            return nx.read_edgelist(file, delimiter=_separator(format), create_using=nx.DiGraph, nodetype=kind)

    def write(self, graph: Any, path: Path, format: str) -> None:
        import networkx as nx

        if format == "json":
            path.write_text(json.dumps(nx.node_link_data(graph, edges="edges")))
        elif format == "graphml":
            nx.write_graphml(graph, path)
        else:
            nx.write_edgelist(graph, path, delimiter=_separator(format), data=False)


class Igraph:
    formats = ("edges", "graphml")
    written = ("edges", "graphml")

    def read(self, path: Path, format: str) -> Any:
        import igraph as ig

        return ig.Graph.Read_GraphML(str(path)) if format == "graphml" else ig.Graph.Read_Edgelist(str(path))

    def write(self, graph: Any, path: Path, format: str) -> None:
        (graph.write_graphml if format == "graphml" else graph.write_edgelist)(str(path))


class Rustworkx:
    formats = ("edges", "ints", "text", "graphml")
    written = ("edges",)

    def read(self, path: Path, format: str) -> Any:
        import rustworkx as rx

        if format == "graphml":
            return rx.read_graphml(str(path))[0]
        has_labels = format != "edges"
        return rx.PyDiGraph.read_edge_list(str(path), deliminator=_separator(format), labels=has_labels)

    def write(self, graph: Any, path: Path, format: str) -> None:
        graph.write_edge_list(str(path), deliminator=" ")


CONTENDERS: dict[str, Any] = {
    kind.__name__.lower(): kind() for kind in (Graphgame, Pandas, Pyarrow, Polars, Networkx, Igraph, Rustworkx)
}


def measure(task: str, name: str, format: str, path: str, warm: str, repeat: str) -> None:
    """Run the task "read" or "write" up to ``repeat`` times with the file ``path``; print seconds and MB as JSON.

    Before, the task runs once with the small file ``warm``, so that the time to load libraries does not count.
    """
    contender, copy = CONTENDERS[name], Path(path).with_name(f"copy{FORMATS[format][1]}")

    def prepared(place: str) -> Callable[[], object]:
        if task == "read":
            return lambda: contender.read(Path(place), format)
        found = contender.read(Path(place), format)
        return lambda: contender.write(found, copy, format)

    prepared(warm)()
    work = prepared(path)
    seconds: list[float] = []
    megabytes = 0.0
    while len(seconds) < int(repeat) and sum(seconds) < _LONG:
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5")  # reset the peak
        before, start = memory("VmRSS"), process_time()
        work()
        seconds.append(process_time() - start)
        megabytes = megabytes or memory("VmHWM") - before
    print(json.dumps([median(seconds), megabytes]))


def memory(name: str) -> float:
    """Return a figure about the memory of this process, in MB; ``name`` is its field in /proc/self/status."""
    return int(Path("/proc/self/status").read_text().partition(f"{name}:")[2].split()[0]) * 1024 / 1e6


class Tables:
    """The measurements so far: ``cells`` has a text for each (read or write, library, format, number of edges)."""

    def __init__(self, sizes: list[int], repeat: int, most: float, until: float) -> None:
        self.cells: dict[Task, str] = {}
        self._repeat, self._most, self._until = repeat, most, until
        self._smaller = {size: smaller for smaller, size in pairwise(sizes)}
        self._seconds: dict[Task, float] = {}

    def add(self, task: Task, path: Path, warm: Path) -> None:
        """Measure a library, or say in its cell why not: it failed before, is too slow, or no time is left.

        ``path`` is the file to read, ``warm`` the small file for :func:`measure`.
        """
        kind, name, format, edges = task
        smaller = self._smaller.get(edges, 0)
        before = self._seconds.get((kind, name, format, smaller), 0)
        read_before = self._seconds.get(("read", name, format, smaller), 0)
        if smaller and (kind, name, format, smaller) not in self._seconds:
            self.cells[task] = self.cells[kind, name, format, smaller]
        elif smaller and max(before, read_before) * edges / smaller > self._most:
            self.cells[task] = f"over {self._most:g} s"
        elif monotonic() > self._until:
            self.cells[task] = "no time left"
        else:
            self._measure(task, path, warm)

    def _measure(self, task: Task, path: Path, warm: Path) -> None:
        kind, name, format, _ = task
        arguments = [kind, name, format, str(path), str(warm), str(self._repeat)]
        command = [sys.executable, __file__, "--measure", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            self.cells[task] = "-"
            print(f"{kind}, {name}, {path.name}: {(done.stderr.splitlines() or ['failed'])[-1]}", file=sys.stderr)
            return
        seconds, megabytes = json.loads(done.stdout)
        self._seconds[task] = seconds
        self.cells[task] = f"{seconds:.2f} s, {megabytes:.0f} MB"

    def show(self, kind: str, title: str, formats: list[str], sizes: list[int]) -> None:
        """Print the table for ``kind``, "read" or "write": a row for each format and size, a column for each library.

        Formats that graphgame cannot write have no row in the table for "write".
        """
        print(f"| {title} | edges | {' | '.join(CONTENDERS)} |")
        print("| --- | ---: |" + " ---: |" * len(CONTENDERS))
        for format in formats:
            for edges in sizes:
                cells = [self.cells.get((kind, name, format, edges), "-") for name in CONTENDERS]
                if kind == "read" or format in Graphgame.written:
                    print(f"| {FORMATS[format][0]} | {edges:,} | {' | '.join(cells)} |")


def versions() -> str:
    """Return the versions of the measured libraries."""
    found = [f"Python {sys.version.split()[0]}"]
    for name in (*CONTENDERS, "numba"):
        try:
            found.append(f"{name} {version('graphgame-toolkit' if name == 'graphgame' else name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    return ", ".join(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", type=float, default=[1e5, 1e6, 1e7])
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=list(FORMATS))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument(
        "--most", type=float, default=20, help="skip measurements that would take more seconds than this"
    )
    parser.add_argument("--minutes", type=float, default=15, help="stop measuring after this time")
    parser.add_argument("--measure", nargs=6, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        measure(*given.measure)
        return
    sizes = sorted(map(int, given.sizes))
    tables = Tables(sizes, given.repeat, given.most, monotonic() + 60 * given.minutes)
    with tempfile.TemporaryDirectory() as folder:
        for edges in sizes:
            for format in given.formats:
                path, warm = (Path(folder, f"{size}{FORMATS[format][1]}") for size in (edges, "warm"))
                make(path, format, edges)
                make(warm, format, _WARM)
                for kind in ("read", "write"):
                    for name, contender in CONTENDERS.items():
                        if format in (contender.formats if kind == "read" else contender.written):
                            tables.add((kind, name, format, edges), path, warm)
                path.unlink()
    tables.show("read", "read", given.formats, sizes)
    print()
    tables.show("write", "written", given.formats, sizes)
    print(f"\n{versions()}")


if __name__ == "__main__":
    main()
