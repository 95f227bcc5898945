"""Compare graphgame with other programs on the same token files, and write tables in Markdown and JSON.

    python benchmarks/run.py [--sizes 1e5 1e6 1e7 1e8] [--shapes random grid ...] [--repeat 3] [-o benchmarks/results]

Each measurement runs in its own process. The programs take turns, and the tables have medians. All programs must find
the same winner, and those that report a checksum of the values the same checksum. The games are those of ``graphgame
generate``, with vertices numbered at random, and Wythoff's game on a square board. The two programs in C++ (the
textbook method, and a program tuned by hand) need a compiler, and the second needs Linux. rustworkx, igraph and (for
Parquet) pyarrow are measured if they are installed. A program that is missing has a dash, and so has a loop in Python
for more than ``--slow-limit`` edges. 10^8 edges need 24 GB of memory, and 4 GB for temporary files. The tables are
written after each game, so an interrupted run leaves its results.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tables import Row, Run, markdown

HERE = Path(__file__).parent
SHAPES = ("random", "grid", "path", "star", "layered", "complete", "components", "wythoff")
_WYTHOFF_EDGES = 0.7
"""Wythoff's game on a board of n by n, where (a, b) and (b, a) are one position, has this times n^3 moves."""

REPORT = re.compile(r"read ([\d.]+) s, solve ([\d.]+) s, checksum (\d+)\n")


class Contender(NamedTuple):
    """A program that solves a file; ``slow`` ones are measured on at most ``--slow-limit`` edges."""

    name: str
    command: list[str]
    file: str = "game.txt"
    stdin: bool = False
    slow: bool = False


def graphgame(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "graphgame", *arguments]


def contenders(folder: Path) -> Iterator[Contender]:
    """Yield the programs that this machine has; those in C++ are first compiled into ``folder``."""
    verdict = graphgame("solve", "--verdict")
    yield Contender("graphgame solve", verdict)
    if find_spec("pyarrow"):
        yield Contender("graphgame solve, Parquet", verdict, "game.parquet")
    if program := compiled(folder, "seed_method", "-O2"):
        yield Contender("C++", [str(program)], stdin=True)
    if sys.platform == "linux" and (program := compiled(folder, "strong_method", "-O3", "-march=native", "-pthread")):
        yield Contender("C++ by hand", [str(program)])
    script = [sys.executable, str(HERE / "contenders.py")]
    yield Contender("grundy_values", [*script, "graphgame"])
    yield Contender("solve(nx.DiGraph)", [*script, "solve"], slow=True)
    for package in ("networkx", "rustworkx", "igraph"):
        if find_spec(package):
            yield Contender(package, [*script, package], slow=True)


def compiled(folder: Path, name: str, level: str, *options: str) -> Path | None:
    """Compile ``name``.cpp with ``level``, such as -O2; return the path of the program, or None without a compiler."""
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        return None
    program = folder / name
    prepare([compiler, level, "-o", str(program), "-std=c++17", *options, str(HERE / f"{name}.cpp")])
    return program


def prepare(command: list[str]) -> None:
    """Run a command without measuring it. End the script if it fails."""
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")


def measure(contender: Contender, folder: Path) -> Run:
    """Run a program on its file in ``folder``, and measure the process; the system reports its peak memory."""
    file = folder / contender.file
    command = contender.command if contender.stdin else [*contender.command, str(file)]
    with file.open("rb") as source, tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=source, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        verdict, said = out.read().strip(), err.read()
    cpu, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    if process.returncode:
        reason = "killed" if process.returncode < 0 else said.strip().rpartition("\n")[2]
        return Run(seconds, cpu, peak, error=reason or f"exit code {process.returncode}")
    report = REPORT.fullmatch(said)
    if report is None:
        return Run(seconds, cpu, peak, verdict)
    return Run(seconds, cpu, peak, verdict, float(report[1]), float(report[2]), int(report[3]))


def make_game(shape: str, edges: int, folder: Path) -> tuple[int, int]:
    """Write the files of a game; return its numbers of vertices and edges."""
    text = folder / "game.txt"
    if shape == "wythoff":
        last = round((edges / _WYTHOFF_EDGES) ** (1 / 3))
        prepare(graphgame("convert", f"wythoff({last},{last})", str(text), "--relabel"))
    else:
        size = ("--edges", str(edges), "--tokens", "3", "--seed", "1", "--shuffle")
        prepare(graphgame("generate", shape, *size, "-o", str(text)))
    if find_spec("pyarrow"):
        prepare(graphgame("convert", str(text), str(folder / "game.parquet")))
    with text.open() as file:
        vertices, moves, _ = map(int, file.readline().split())
    return vertices, moves


def compare(shape: str, edges: int, repeat: int, slow_limit: int, folder: Path) -> list[Row]:
    """Measure all programs on one game, in turn, after a run of graphgame that loads and compiles its loops.

    Programs marked as ``slow`` are left out if ``edges`` is more than ``slow_limit``. Return a row for each program.
    """
    vertices, moves = make_game(shape, edges, folder)
    able = [each for each in contenders(folder) if edges <= slow_limit or not each.slow]
    measure(able[0], folder)
    runs: dict[str, list[Run]] = {each.name: [] for each in able}
    for _ in range(repeat):
        for each in able:
            if not any(run.error for run in runs[each.name]):
                runs[each.name].append(measure(each, folder))
                print(f"{shape}, {moves:,} edges: {each.name} {runs[each.name][-1].told()}", file=sys.stderr)
    refuse_disagreement(shape, moves, runs)
    return [Row(shape, vertices, moves, name, middle(measured)) for name, measured in runs.items()]


def refuse_disagreement(shape: str, edges: int, runs: dict[str, list[Run]]) -> None:
    done = {name: run for name, several in runs.items() for run in several if not run.error}
    checksums = {run.checksum for run in done.values()} - {None}
    if len({run.verdict for run in done.values()}) > 1 or len(checksums) > 1:
        found = ", ".join(f"{name} {run.verdict} {run.checksum or ''}".strip() for name, run in done.items())
        raise SystemExit(f"{shape}, {edges:,} edges: the answers differ: {found}")


def middle(runs: list[Run]) -> Run:
    """Return the medians of several runs, or the run that failed."""
    failed = next((run for run in runs if run.error), None)
    if failed is not None:
        return failed
    numbers = {
        field: median(getattr(run, field) for run in runs)
        for field in ("seconds", "cpu", "peak", "read", "solve")
        if getattr(runs[0], field) is not None
    }
    return runs[0]._replace(**numbers)


def machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()}, Python {platform.python_version()}"


def start_row(repeat: int) -> dict[str, float]:
    """Return command -> median processor seconds: commands that solve a small file, or only import libraries."""
    commands = {
        "graphgame solve samples/chips.txt": graphgame("solve", str(HERE.parent / "samples" / "chips.txt")),
        "the same with --verdict": graphgame("solve", "--verdict", str(HERE.parent / "samples" / "chips.txt")),
        "python -c 'import networkx, numpy'": [sys.executable, "-c", "import networkx, numpy"],
        "python -c 'import networkx'": [sys.executable, "-c", "import networkx"],
    }
    took: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(repeat + 1):
        for name, command in commands.items():
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                raise SystemExit(f"{' '.join(command)} failed")
            took[name].append(usage.ru_utime + usage.ru_stime)
    return {name: median(seconds[1:]) for name, seconds in took.items()}


def size(text: str) -> int:
    number = float(text)
    if number < 10 or not number.is_integer():
        raise ValueError
    return int(number)


def write_tables(stem: Path, head: dict[str, object], rows: list[Row]) -> None:
    record = head | {"rows": [row.record() for row in rows]}
    Path(f"{stem}.json").write_text(json.dumps(record, indent=1) + "\n")
    Path(f"{stem}.md").write_text(markdown(head, rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sizes = [10**5, 10**6, 10**7, 10**8]
    parser.add_argument("--sizes", type=size, nargs="+", default=sizes, metavar="EDGES")
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=SHAPES, metavar="SHAPE", help=", ".join(SHAPES))
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="number of runs for each median; default 3")
    parser.add_argument(
        "--slow-limit",
        type=size,
        default=10**6,
        metavar="EDGES",
        help="loops in Python are not measured on more edges than this; default 1e6",
    )
    parser.add_argument(
        "-o", "--output", type=Path, default=HERE / "results", metavar="STEM", help="writes STEM.md and STEM.json"
    )
    options = parser.parse_args()
    if options.repeat < 1:
        parser.error("--repeat: expected 1 or more")
    if not options.output.parent.is_dir():
        parser.error(f"--output: there is no folder {options.output.parent}")
    head = {"date": str(date.today()), "machine": machine(), "repeat": options.repeat, "slow_limit": options.slow_limit}
    head["start"] = start_row(options.repeat)
    rows: list[Row] = []
    for edges in options.sizes:
        for shape in options.shapes:
            with tempfile.TemporaryDirectory() as folder:
                rows += compare(shape, edges, options.repeat, options.slow_limit, Path(folder))
            write_tables(options.output, head, rows)
    print(markdown(head, rows))


if __name__ == "__main__":
    main()
