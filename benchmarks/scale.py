"""Compare the model of ``scale_model.py`` with measured runs.

    python benchmarks/scale.py [--edges 2e5 1e6 1e7 1e8] [--spark-up-to 1e7] [-o benchmarks/scale_runs.json]
    python benchmarks/scale_page.py

The first command runs each method on games of ten moves a position and 80 levels, each in its own process. It simulates
the same games by the model, fits the model's constants to some of the runs, and writes everything as JSON. It compares
processor times, ``cpu`` in the JSON, of all processes of a run together, because other work on the machine changes it
much less than the time by the clock. 10^8 edges need 16 GB of memory, to make the game, and 4 GB for temporary files.
The second command writes the tables of docs/scale.md.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from scale_model import (
    BYTES_KEPT,
    Constants,
    Profile,
    Work,
    levels,
    looks,
    partitions_for,
    profile_of,
    spark_columns,
    task,
    windows,
)

HERE = Path(__file__).parent
RUNS = HERE / "scale_runs.json"

LEVELS, SHARE = 80, 20
ONE_MACHINE = {"memory": [], "disk": ["--workdir", "work", "--memory", "2GB"]}
STRATEGIES = {"task": lambda profile, _, __: task(profile), "windows": windows, "levels": levels}


def make_game(path: Path, edges: int) -> None:
    """Write a table of moves, with the rank of each move's source.

    Call it in a separate process, so that its memory is freed.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq
    from spark import layered

    source, target, rank = layered(edges // 10, edges, LEVELS)
    pq.write_table(pa.table({"source": source, "target": target, "rank": rank}), path, row_group_size=1 << 17)


def profile_in(path: Path) -> Profile:
    """Return the profile of the game in a file."""
    import pyarrow.parquet as pq

    from graphgame import GameGraph

    table = pq.read_table(path, columns=["source", "target"])
    source, target = (table[name].to_numpy() for name in ("source", "target"))
    return profile_of(GameGraph.from_arrays(source, target, int(max(source.max(), target.max())) + 1))


def run_one_machine(method: str, file: Path) -> dict[str, float]:
    """Solve a game in its own process; return its seconds, peak memory and bytes written, as counted by the system."""
    command = [
        sys.executable,
        "-m",
        "graphgame",
        "solve",
        str(file),
        "--tokens",
        "1",
        "--verdict",
        *ONE_MACHINE[method],
    ]
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=file.parent)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return {
        "cpu": usage.ru_utime + usage.ru_stime,
        "seconds": time.perf_counter() - begin,
        "peak": usage.ru_maxrss * 1024,
        "written": usage.ru_oublock * 512,
    }


def on_spark(*arguments: object) -> dict[str, float]:
    command = [sys.executable, str(HERE / "scale_spark.py"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    told: dict[str, float] = json.loads(done.stdout)
    return told


def measure_one_machine(edges: int, file: Path) -> list[dict[str, Any]]:
    """Solve the game in ``file``, which has ``edges`` edges, in memory and on disk; return a record of each run."""
    runs = []
    for method in ONE_MACHINE:
        run = {"method": method, "edges": edges, "vertices": edges // 10, **run_one_machine(method, file)}
        print(json.dumps(run), file=sys.stderr)
        runs.append(run)
    return runs


def measure_spark(edges: int, file: Path) -> list[dict[str, Any]]:
    """Solve the game in ``file`` by each strategy on Spark, and simulate each run by the model; return records."""
    profile, small = profile_in(file), edges // SHARE
    runs = []
    for method, replay in STRATEGIES.items():
        work = replay(profile, small, partitions_for(edges, 2))
        told = on_spark(file, method, small)
        run = {"method": method, "edges": edges, "task_edges": small, **told}
        run["work"] = [float(each) for each in work]
        print(json.dumps(run), file=sys.stderr)
        runs.append(run)
    return runs


def measure(sizes: list[int], spark_up_to: int, output: Path) -> None:
    """Run everything; the results are written after each size, so an interrupted run leaves its results."""
    head = {"date": str(date.today()), "machine": machine(), "load": round(os.getloadavg()[0], 1)}
    task_start = on_spark("--tasks", 4000)["task_start"]
    runs: list[dict[str, Any]] = []
    for edges in sorted(sizes):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "game.parquet")
            maker = multiprocessing.get_context("spawn").Process(target=make_game, args=(file, edges))
            maker.start()
            maker.join()
            if not runs:
                measure_one_machine(edges, file)  # compiles the loops
            runs += measure_one_machine(edges, file)
            runs += measure_spark(edges, file) if edges <= spark_up_to else []
        mark(runs)
        record = {**head, "constants": fit(runs, task_start)._asdict(), "runs": runs}
        output.write_text(json.dumps(record, indent=1) + "\n")


def mark(runs: list[dict[str, Any]]) -> None:
    """Mark the runs to which constants are fitted; the others test the model.

    Of each method on one machine, all runs but the largest are fitted; of each on Spark, the smallest and the largest.
    The only run of a method is always fitted.
    """
    for method in {run["method"] for run in runs}:
        mine = sorted((run for run in runs if run["method"] == method), key=lambda run: run["edges"])
        for run in mine:
            last, first = run is mine[-1], run is mine[0]
            run["fitted"] = first or last == (method in STRATEGIES)


def machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()}, Python {platform.python_version()}"


def fit(runs: list[dict[str, Any]], task_start: float) -> Constants:
    """Return the constants that fit the runs marked as fitted.

    The seconds have the smallest relative error, and the bytes are averages. ``task_start`` is a constant that was
    measured by itself: the driver's seconds to start a task.
    """
    chosen = [run for run in runs if run["fitted"]]
    found: list[float] = []
    for method in ONE_MACHINE:
        mine = [run for run in chosen if run["method"] == method]
        found += least([[1.0, looks(run["vertices"], run["edges"])] for run in mine], cpu_of(mine))
    mine = [run for run in chosen if run["method"] in STRATEGIES]
    found += least([spark_columns(run["method"], Work(*run["work"])) for run in mine], cpu_of(mine))
    lists = [run for run in mine if run["method"] == "levels"]
    kept = sum(run["stored"] - BYTES_KEPT * run["edges"] for run in lists) / sum(run["vertices"] for run in lists)
    sent = sum(run["sent"] for run in mine) / sum(run["exchanged"] for run in mine)
    return Constants(*found, row_bytes=sent, vertex_kept=kept, task_start=task_start)


def cpu_of(runs: list[dict[str, Any]]) -> np.ndarray:
    return np.array([run["cpu"] for run in runs])


def least(columns: list[list[float]], took: np.ndarray) -> list[float]:
    """Return a non-negative factor for each column, so that the sum of factor * column is about ``took`` in each row.

    A row is a run, and ``took`` has its seconds. Relative errors are minimized.
    """
    from scipy.optimize import nnls

    table = np.array(columns) / took[:, None]
    scale = table.max(axis=0)
    return list(nnls(table / scale, np.ones(len(took)))[0] / scale)


def size(text: str) -> int:
    number = float(text)
    if number < 1000 or not number.is_integer():
        raise ValueError
    return int(number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usual = [2 * 10**5, 10**6, 10**7, 10**8]
    parser.add_argument("--edges", type=size, nargs="+", default=usual, metavar="EDGES")
    parser.add_argument("--spark-up-to", type=size, default=10**7, metavar="EDGES", help="default 1e7")
    parser.add_argument("-o", "--output", type=Path, default=RUNS, metavar="FILE")
    options = parser.parse_args()
    if min(options.edges) > options.spark_up_to:
        parser.error("--spark-up-to: expected at least the smallest number of --edges")
    if not options.output.parent.is_dir():
        parser.error(f"--output: there is no folder {options.output.parent}")
    measure(options.edges, options.spark_up_to, options.output)


if __name__ == "__main__":
    main()
