"""Solve one game on Apache Spark in a separate process, and print Spark's counts as JSON (Linux).

With the strategies windows and levels, one task solves at most TASK_EDGES edges at once. With ``--tasks`` the script
starts that many empty tasks instead, and prints the driver's time for each.

python benchmarks/scale_spark.py FILE.parquet {task,windows,levels} TASK_EDGES [--master 'local[2]'] [--memory 4g]
python benchmarks/scale_spark.py --tasks 5000
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from graphgame.labs.scale import spark

TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(root: int) -> float:
    """Return the processor time of a process and its descendants; ended ones count if their parent waited for them."""
    children, ticks = defaultdict(list), {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # the process has ended
        children[int(fields[1])].append(int(folder.name))
        ticks[int(folder.name)] = sum(map(int, fields[11:15]))
    found, waiting = 0, [root]
    while waiting:
        process = waiting.pop()
        found += ticks.get(process, 0)
        waiting += children[process]
    return found / TICKS


def stages(session: SparkSession) -> list[Any]:
    """Return Spark's report of each stage."""
    context: Any = session.sparkContext
    none = context._gateway.new_array(context._jvm.double, 0)
    found = context._jsc.sc().statusStore().stageList(None, False, False, none, None)
    return [found.apply(place) for place in range(found.size())]


def stored(session: SparkSession) -> int:
    """Return the bytes that executors store at this moment."""
    context: Any = session.sparkContext
    return sum(each.memSize() + each.diskSize() for each in context._jsc.sc().getRDDStorageInfo())


def open_session(master: str, memory: str) -> SparkSession:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master).config("spark.driver.memory", memory)
    for name in ("retainedStages", "retainedJobs"):
        builder = builder.config(f"spark.ui.{name}", "1000000")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def run(session: SparkSession, file: str, strategy: str, task_edges: int) -> dict[str, float]:
    """Solve the game in ``file``, and return Spark's counts by name.

    They are the vertices, the rounds, the most bytes stored between rounds, and the rows and bytes exchanged. With
    "windows" and "levels", one task solves at most ``task_edges`` edges at once.
    """
    chosen: dict[str, Any] = {
        "task": {"task_edges": 2**31},
        "windows": {"strategy": "windows", "rank": "rank", "task_edges": task_edges},
        "levels": {"strategy": "levels", "task_edges": task_edges},
    }[strategy]
    kept: list[int] = []
    values = spark.solve(session.read.parquet(file), progress=lambda *_: kept.append(stored(session)), **chosen)
    found = stages(session)
    return {
        "vertices": values.count(),
        "rounds": len(kept) or 1,
        "stored": max(kept, default=0),
        "exchanged": sum(stage.shuffleWriteRecords() for stage in found),
        "sent": sum(stage.shuffleWriteBytes() for stage in found),
    }


def start_tasks(session: SparkSession, count: int) -> dict[str, float]:
    """Start ``count`` empty tasks; return {"task_start": the driver's processor seconds for each task}.

    These are the seconds of this process and its descendants, less those that the tasks report.
    """
    driver = 0.0
    for _ in range(2):  # the first run loads classes
        before = processor_seconds(os.getpid()) - in_tasks(session)
        session.range(count, numPartitions=count).write.format("noop").mode("overwrite").save()
        driver = processor_seconds(os.getpid()) - in_tasks(session) - before
    return {"task_start": driver / count}


def in_tasks(session: SparkSession) -> float:
    """Return the processor seconds that all tasks of the session report so far."""
    return sum(stage.executorCpuTime() + stage.executorDeserializeCpuTime() for stage in stages(session)) / 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?")
    parser.add_argument("strategy", nargs="?", choices=("task", "windows", "levels"))
    parser.add_argument("task_edges", nargs="?", type=int)
    parser.add_argument("--tasks", type=int)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--memory", default="4g")
    options = parser.parse_args()
    begin = time.perf_counter()
    session = open_session(options.master, options.memory)
    if options.tasks:
        told = start_tasks(session, options.tasks)
    else:
        told = run(session, options.file, options.strategy, options.task_edges)
    told |= {"cpu": processor_seconds(os.getpid()), "seconds": time.perf_counter() - begin}
    session.stop()
    print(json.dumps(told))


if __name__ == "__main__":
    main()
