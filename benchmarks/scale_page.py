"""Write the tables of docs/scale.md between their marks: measurements, and predictions of the model.

Run it as ``python benchmarks/scale_page.py``, after ``python benchmarks/scale.py`` has measured.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

from scale import RUNS, STRATEGIES
from scale_model import (
    BYTES_BESIDES,
    Constants,
    Machines,
    Work,
    in_memory,
    kept_on_spark,
    on_disk,
    parts_on_spark,
    seconds_on_spark,
    uniform,
)

from graphgame.graph.rows import MAX_VERTICES
from graphgame.labs.scale.spark.solution import TASK_EDGES

PAGE = Path(__file__).parent.parent / "docs" / "scale.md"

PROCESSOR = Machines(1, 1, network=math.inf, disk=math.inf)
NAMES = {
    "memory": "in memory",
    "disk": "on disk",
    "task": "Spark, one task",
    "windows": "Spark, windows",
    "levels": "Spark, levels",
}
EDGES_A_PARTITION = 4 * 10**7
CLUSTERS = (10, 100, 1000)
SIZES = (10**10, 10**12)
RANKS = 100
GAMES = (
    ("windows, moves to the next rank", "windows", 1),
    ("windows, moves to any lower rank", "windows", None),
    ("levels, no rank", "levels", None),
)
"""A name, the strategy, and by how much a move decreases the rank at most."""


def predict(strategy: str, span: int | None, edges: int, machines: Machines, constants: Constants) -> dict[str, Any]:
    """Return the cost of a game of ten moves a position on a cluster, as a dictionary.

    ``work`` is the strategy's :class:`Work`, ``parts`` the seconds for each kind of cost, ``seconds`` their sum.

    ``span`` is by how much a move decreases the rank at most; None means no limit.
    """
    partitions = max(2 * machines.nodes * machines.cores, edges // EDGES_A_PARTITION)
    work = STRATEGIES[strategy](uniform(edges / 10, edges, RANKS, span), TASK_EDGES, partitions)
    parts = parts_on_spark(strategy, work, machines, partitions, constants)
    return {"work": work, "parts": parts, "seconds": sum(parts.values())}


def predictions(constants: Constants) -> str:
    """Return the table of predictions for large graphs on clusters of 10 to 1,000 nodes.

    It has the rounds, the rows and bytes exchanged, the bytes stored in executors, and the times.
    """
    heads = ["edges", "game and strategy", "rounds", "rows exchanged for each edge", "bytes exchanged"]
    heads += ["bytes stored in executors", *(f"{nodes:,} nodes" for nodes in CLUSTERS)]
    heads += ["what takes most time with 100 nodes"]
    rows = []
    for edges in SIZES:
        for name, strategy, span in GAMES:
            found = [predict(strategy, span, edges, Machines(nodes), constants) for nodes in CLUSTERS]
            work, parts = found[1]["work"], found[1]["parts"]
            sent, kept = work.exchanged * constants.row_bytes, kept_on_spark(strategy, edges / 10, edges, constants)
            told = [
                power(edges),
                name,
                str(work.rounds),
                f"{work.exchanged / edges:.1f}",
                size(sent),
                size(kept) if kept else "–",
            ]
            told += [*(duration(each["seconds"]) for each in found), max(parts, key=lambda part: parts[part])]
            rows.append(told)
    return table(heads, rows)


def one_machine(constants: Constants) -> str:
    """Return the table for one machine with 64 GB of memory: the memory, disk and time of each method.

    A method that needs more memory has no time.
    """
    heads = [
        "edges",
        "memory, in memory",
        "time",
        "memory, on disk",
        "disk",
        "time, disk of 10^4 random reads a second",
    ]
    rows = []
    for edges in (10**7, 10**8, 10**9, 10**10, 2 * 10**10):
        alone, disk = in_memory(edges / 10, edges, constants), on_disk(edges / 10, edges, constants, Machines(1))
        fits = [duration(method.seconds) if method.memory <= Machines(1).memory else "–" for method in (alone, disk)]
        rows.append([power(edges), size(alone.memory), fits[0], size(disk.memory), size(disk.disk), fits[1]])
    return table(heads, rows)


def limits() -> str:
    """Return the table of the largest games of one machine, by its memory."""
    heads = ["memory", "edges in memory", "edges on disk"]
    most = 10 * MAX_VERTICES
    rows = []
    for gigabytes in (16, 64, 256, 1024):
        games = in_memory(0.1, 1, ZERO), on_disk(0.1, 1, ZERO, Machines(1))
        edges = [(gigabytes * 1e9 - BYTES_BESIDES) / (game.memory - BYTES_BESIDES) for game in games]
        rows.append([f"{gigabytes} GB", *(power(min(each, most)) for each in edges)])
    return table(heads, rows)


def crossings(constants: Constants) -> str:
    """Return the table of the number of edges from which a cluster is faster than one machine with its disk."""
    few, *more = (f"{nodes:,} nodes" for nodes in CLUSTERS)
    heads = ["game and strategy", f"edges from which {few} are faster", *more]
    rows = []
    for name, strategy, span in GAMES:
        found = [crossing(strategy, span, Machines(nodes), constants) for nodes in CLUSTERS]
        rows.append([name, *("never" if edges is None else power(edges) for edges in found)])
    return table(heads, rows)


def crossing(strategy: str, span: int | None, machines: Machines, constants: Constants) -> int | None:
    """Return the smallest number of edges for which a cluster is faster than one machine with its disk.

    Ten sizes in each decade are tried, from 10^7 to 2 * 10^10. Return None if the cluster is faster for none.
    ``span`` is by how much a move decreases the rank at most; None means no limit.
    """
    for step in range(70, 104):
        edges = round(10 ** (step / 10))
        alone = on_disk(edges / 10, edges, constants, Machines(1))
        if predict(strategy, span, edges, machines, constants)["seconds"] < alone.seconds:
            return edges
    return None


def checks(measured: dict[str, Any], constants: Constants) -> str:
    """Return the table of predicted and measured seconds."""
    heads = ["edges", "method", "predicted", "measured", "error", ""]
    rows = []
    for run in in_order(measured):
        told = predicted_seconds(run, constants)
        fitted = "fitted" if run["fitted"] else "predicted"
        seconds = [f"{each:.1f} s" for each in (told, run["cpu"])]
        rows.append([power(run["edges"]), NAMES[run["method"]], *seconds, error(told, run["cpu"]), fitted])
    return table(heads, rows)


def counts(measured: dict[str, Any], constants: Constants) -> str:
    """Return the table of predicted and measured counts: rounds and rows on Spark, bytes of memory and disk."""
    heads = ["edges", "method", "what", "predicted", "measured", "error"]
    rows = []
    for run in in_order(measured):
        for what, told, found, form in counted(run, constants):
            rows.append([power(run["edges"]), NAMES[run["method"]], what, form(told), form(found), error(told, found)])
    return table(heads, rows)


def counted(run: dict[str, Any], constants: Constants) -> list[tuple[str, float, float, Any]]:
    """Return a tuple for each count of a run: name, prediction, measurement, and the function that formats both.

    Return an empty list for a run on one machine with fewer than 10^7 edges.
    """
    if run["method"] in STRATEGIES:
        work = Work(*run["work"])
        rows = "rows exchanged", work.exchanged, run["exchanged"], lambda count: f"{count:,.0f}"
        sent = "bytes exchanged", work.exchanged * constants.row_bytes, run["sent"], size
        kept = kept_on_spark(run["method"], run["vertices"], run["edges"], constants)
        stored = [("bytes stored in executors", kept, run["stored"], size)] if kept else []
        return [("rounds", work.rounds, run["rounds"], lambda count: f"{count:.0f}"), rows, sent, *stored]
    if run["edges"] < 10**7:
        return []  # too small to compare: the interpreter and the blocks of edges take more than the game
    if run["method"] == "memory":
        return [("peak of memory", in_memory(run["vertices"], run["edges"], constants).memory, run["peak"], size)]
    method = on_disk(run["vertices"], run["edges"], constants, PROCESSOR)
    return [("bytes written", method.disk, run["written"], size)]


def side_by_side(measured: dict[str, Any]) -> str:
    """Return the table that compares solving on disk with solving in memory."""
    heads = [
        "edges",
        "time in memory",
        "time on disk",
        "ratio of the times",
        "peak of memory in memory",
        "peak of memory on disk",
    ]
    by_size: dict[int, dict[str, dict[str, Any]]] = {}
    for run in measured["runs"]:
        by_size.setdefault(run["edges"], {})[run["method"]] = run
    rows = []
    for edges, runs in sorted(by_size.items()):
        if edges >= 10**7 and {"memory", "disk"} <= set(runs):
            alone, disk = runs["memory"], runs["disk"]
            seconds = [f"{alone['cpu']:.1f} s", f"{disk['cpu']:.1f} s", f"{disk['cpu'] / alone['cpu']:.2f}"]
            rows.append([power(edges), *seconds, size(alone["peak"]), size(disk["peak"])])
    return table(heads, rows)


def constants_table(constants: Constants) -> str:
    """Return the table of constants."""
    rows = [[NAMES_OF_CONSTANTS[name], unit(name, value)] for name, value in constants._asdict().items()]
    return table(["what", "measured"], rows)


NAMES_OF_CONSTANTS = {
    "memory_start": "in memory: the start of a process",
    "memory_edge": "in memory: each edge of a game of 10^4 vertices",
    "disk_start": "on disk: the start of a process",
    "disk_edge": "on disk: each edge of a game of 10^4 vertices",
    "session": "Spark: a session and its first use",
    "level_round": "Spark: a round of levels",
    "window_round": "Spark: a window",
    "row": "Spark: a scanned row (4 times as much for an exchanged row, 10 times for a row that one task solves alone)",
    "row_bytes": "Spark: an exchanged row, compressed",
    "vertex_kept": "Spark: each vertex in the state and lists of levels, in addition to 8 bytes for each edge",
    "task_start": "Spark: the driver's time to start a task",
}
ZERO = Constants(*(0.0,) * len(NAMES_OF_CONSTANTS))


def in_order(measured: dict[str, Any]) -> list[dict[str, Any]]:
    places = list(NAMES)
    return sorted(measured["runs"], key=lambda run: (places.index(run["method"]), run["edges"]))


def error(told: float, found: float) -> str:
    return f"{100 * (told - found) / found:+.0f} %"


def unit(name: str, value: float) -> str:
    if name in ("row_bytes", "vertex_kept"):
        return f"{value:.1f} bytes"
    if value >= 0.1:
        return f"{value:.1f} s"
    return f"{value * 1e3:.1f} ms" if value >= 1e-4 else f"{value * 1e9:.0f} ns"


def power(count: float) -> str:
    """Return a number of edges as text, such as 3 × 10^8."""
    exponent = math.floor(math.log10(count) + 1e-9)
    digit = f"{count / 10**exponent:.2g}"
    return f"10^{exponent}" if digit == "1" else f"{digit} × 10^{exponent}"


def size(count: float) -> str:
    for unit_, amount in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if count >= amount:
            return f"{count / amount:.3g} {unit_}"
    return f"{count / 1e3:.3g} kB"


def duration(seconds: float) -> str:
    for name, amount in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 1.5 * amount:
            return f"{seconds / amount:.{0 if seconds >= 10 * amount else 1}f} {name}"
    return f"{seconds:.0f} s"


def table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def tables() -> dict[str, str]:
    """Return all tables of the page by name."""
    measured = json.loads(RUNS.read_text())
    constants = Constants(**measured["constants"])
    when = f"Measured on {measured['date']}: {measured['machine']}; load at the start {measured['load']}.\n"
    return {
        "side by side": side_by_side(measured),
        "constants": f"{when}\n{constants_table(constants)}",
        "checks": checks(measured, constants),
        "counts": counts(measured, constants),
        "one machine": one_machine(constants),
        "limits": limits(),
        "predictions": predictions(constants),
        "crossings": crossings(constants),
    }


def filled(page: str) -> str:
    """Return the text of a page with new tables; end the script if the page has no mark for a table."""
    for name, text in tables().items():
        marked = re.compile(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not marked.search(page):
            raise SystemExit(f"{PAGE} has no mark for the table {name!r}")
        page = marked.sub(lambda match, text=text: f"{match[1]}\n{text}\n{match[2]}", page)  # type: ignore[misc]
    return page


def predicted_seconds(run: dict[str, Any], constants: Constants) -> float:
    """Return the processor seconds of a run by the model."""
    if run["method"] == "memory":
        return in_memory(run["vertices"], run["edges"], constants).seconds
    if run["method"] == "disk":
        return on_disk(run["vertices"], run["edges"], constants, PROCESSOR).seconds
    return seconds_on_spark(run["method"], Work(*run["work"]), PROCESSOR, 0, constants)


def main() -> None:
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
