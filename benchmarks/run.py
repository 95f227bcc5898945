"""Measure graphgame against the textbook method in one run, and print a table.

    python benchmarks/run.py [--vertices 1000000] [--edges 10000000] [--runs 5] [--json FILE]

Whole processes are timed from outside, commands in turn, and medians are reported with the ratio of the medians. The
C++ rows need a compiler (g++ or c++).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from statistics import median

import networkx as nx
from games import random_edges, write_random_game

from graphgame import read_game, solve, sprague_grundy

HERE = Path(__file__).parent
ROOT = HERE.parent


PEAK = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
PEAK += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"


def run_process(command: list[str], stdin: Path | None = None) -> tuple[float, str]:
    """Return wall seconds and standard error of a process."""
    with (stdin or Path(os.devnull)).open("rb") as source:
        start = time.perf_counter()
        done = subprocess.run(command, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        seconds = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    return seconds, done.stderr


def peak_memory(command: list[str]) -> float:
    """Return the peak resident memory of a process in MB, run by a small one so that ours does not count."""
    out = subprocess.run([sys.executable, "-S", "-c", PEAK, *command], check=True, capture_output=True, text=True)
    return int(out.stdout) / 1024


def in_turn(runs: int, *measures: Callable[[], float]) -> list[float]:
    """Run each measure once for warming up, then all in turn; return their medians."""
    for measure in measures:
        measure()
    rounds = [[measure() for measure in measures] for _ in range(runs)]
    return [median(column) for column in zip(*rounds, strict=True)]


def compile_baseline(folder: Path) -> Path | None:
    """Compile the textbook method, where there is a compiler."""
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        return None
    program = folder / "seed_method"
    subprocess.run([compiler, "-O2", "-o", program, HERE / "seed_method.cpp"], check=True)
    return program


def graphgame(*arguments: str) -> list[str]:
    """Return the command line of graphgame."""
    return [sys.executable, "-m", "graphgame", *arguments]


def measure_token_file(vertices: int, edges: int, runs: int, folder: Path) -> list[dict[str, object]]:
    """Compare file to verdict, and the pass alone."""
    path = folder / "game.txt"
    write_random_game(path, vertices, edges)
    ours = graphgame("solve", str(path), "--verdict")
    baseline = compile_baseline(folder)
    size = f"{vertices:,} vertices, {edges:,} edges"
    run_process(ours)
    idle = peak_memory([sys.executable, "-c", "import graphgame.kernels, networkx"])
    peak = peak_memory(ours)
    memory = {
        "what": f"peak memory above the interpreter and its libraries, {size}",
        "graphgame": f"{peak - idle:.0f} MB",
        "baseline": f"{(16 * edges + 64 * vertices) / 2**20:.0f} MB",
        "named": "16 bytes an edge and 64 a vertex",
        "ratio": (16 * edges + 64 * vertices) / 2**20 / (peak - idle),
    }
    if baseline is None:
        return [memory]

    graph = read_game(path)
    solve_seconds = []

    def textbook() -> float:
        seconds, text = run_process([str(baseline)], path)
        solve_seconds.append(float(text.split()[1]))
        return seconds

    mine, theirs, alone = in_turn(
        runs,
        lambda: run_process(ours)[0],
        textbook,
        lambda: timed(lambda: sprague_grundy.grundy_values(graph)),
    )
    return [
        row(f"file to verdict, whole process, {size}", mine, theirs, "textbook method, C++ -O2"),
        row(f"the pass alone, {size}", alone, median(solve_seconds), "textbook method's pass, C++ -O2"),
        memory,
    ]


def measure_start(runs: int) -> list[dict[str, object]]:
    """Compare solving a small file with starting the interpreter and its libraries."""
    small = graphgame("solve", str(ROOT / "samples" / "chips.txt"))
    imports = [sys.executable, "-c", "import networkx, numpy"]
    mine, theirs = in_turn(3 * runs, lambda: run_process(small)[0], lambda: run_process(imports)[0])
    return [row("solve samples/chips.txt, whole process", mine, theirs, "python -c 'import networkx, numpy'")]


def measure_networkx(runs: int, edges: int = 1_000_000) -> list[dict[str, object]]:
    """Compare solve(nx.DiGraph) with networkx and a mex loop in Python."""
    source, target = random_edges(edges // 10, edges)
    graph = nx.DiGraph(zip(source.tolist(), target.tolist(), strict=True))
    assert dict(solve(graph).grundy) == mex_loop(graph)
    mine, theirs = in_turn(runs, lambda: timed(lambda: solve(graph)), lambda: timed(lambda: mex_loop(graph)))
    return [row(f"solve(nx.DiGraph), {edges:,} edges", mine, theirs, "nx.topological_sort and a mex loop in Python")]


def mex_loop(graph: nx.DiGraph) -> dict[int, int]:
    """Solve a graph as one would with networkx alone."""
    grundy: dict[int, int] = {}
    for vertex in reversed(list(nx.topological_sort(graph))):
        seen = {grundy[option] for option in graph[vertex]}
        value = 0
        while value in seen:
            value += 1
        grundy[vertex] = value
    return grundy


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def row(what: str, mine: float, theirs: float, named: str) -> dict[str, object]:
    """Make a row of the table."""
    return {
        "what": what,
        "graphgame": f"{mine:.3f} s",
        "baseline": f"{theirs:.3f} s",
        "named": named,
        "ratio": theirs / mine,
    }


def main() -> None:
    """Run everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vertices", type=int, default=1_000_000)
    parser.add_argument("--edges", type=int, default=10_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path, help="also write the rows here")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure_token_file(options.vertices, options.edges, options.runs, Path(folder))
    rows += measure_start(options.runs) + measure_networkx(options.runs)
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{date.today()}, {machine}, medians of {options.runs} runs\n")
    print("| what | graphgame | baseline | baseline / graphgame |\n| --- | --- | --- | --- |")
    for line in rows:
        print(f"| {line['what']} | {line['graphgame']} | {line['baseline']} ({line['named']}) | {line['ratio']:.2f} |")
    if options.json:
        options.json.write_text(json.dumps({"date": str(date.today()), "machine": machine, "rows": rows}, indent=2))


if __name__ == "__main__":
    main()
