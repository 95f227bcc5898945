"""Measure the time to compute values of heap games, and print a table.

    python benchmarks/heaps.py [--runs 3] [--quick] [--ogs COMMAND] [--json FILE]

Times are medians of several rounds, and loops are compiled before the clock starts. But a search of codes runs once;
its time is processor time, with the compilation of a loop that is not cached. Memory is the growth of the peak of a
process. COMMAND is another solver to compare with. Called as ``COMMAND CODE N``, it must print the seconds that it took
and the value of heap N. A short program around RC2Solver of the crate ``ogs`` (beling/impartial-games) does this.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from statistics import median

from graphgame.labs import heaps
from graphgame.labs.heaps import HeapGame
from graphgame.labs.heaps.search import search

SEQUENCES = [
    ("0.6", 10**7),
    ("0.6", 10**6),
    ("grundy", 10**6),
    ("0.007", 10**6),
    ("0.007", 10**5),
    ("0.106", 10**6),
    ("0.07", 10**5),
    ("0.77", 10**5),
]
QUICK_SEQUENCES = [("0.6", 10**5), ("grundy", 10**5), ("0.106", 10**5), ("0.07", 10**4), ("0.77", 10**4)]
MEMORY = [("0.6", 10**7), ("0.16", 10**7), ("0.77", 10**7), ("split{equal}", 10**7), ("grundy", 10**6)]
QUICK_MEMORY = [("0.16", 10**6), ("split{equal}", 10**6)]
PEAK = """
import resource, sys
from graphgame import heaps
game = heaps.game(sys.argv[1])
game.grundy_values(1000, engine="compiled")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
game.packed_values(int(sys.argv[2]), engine="compiled")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
PERIODS = ["0.07", "0.77", "0.15", "0.54", "0.16", "0.56"]
PERIOD_LIMIT = 10**6


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def other(command: str, code: str, heap: int, value: int) -> float:
    """Return the seconds of another solver; end the script if its value of ``heap`` is not ``value``."""
    done = subprocess.run([command, code, str(heap)], check=True, capture_output=True, text=True)
    took, found = done.stdout.split()
    if int(found) != value:
        raise SystemExit(f"{command} finds {found} for heap {heap} of {code}, not {value}")
    return float(took)


def sequence_row(text: str, heap: int, runs: int, command: str | None) -> dict[str, object]:
    game = heaps.game(text)
    value = int(game.grundy_values(heap)[heap])
    ours, theirs = [], []
    for _ in range(runs):
        ours.append(seconds(lambda: game.grundy_values(heap)))
        if command and text != "grundy":
            theirs.append(other(command, text, heap, value))
    row: dict[str, object] = {"work": f"{text} to {heap:,}", "seconds": median(ours)}
    if theirs:
        row |= {"other": median(theirs), "ratio": median(ours) / median(theirs)}
    return row


def period_row(game: HeapGame, runs: int) -> dict[str, object]:
    found = game.period(PERIOD_LIMIT)
    took = [seconds(lambda: game.period(PERIOD_LIMIT)) for _ in range(runs)]
    if found is None:
        raise SystemExit(f"no period of {game.name}")
    return {"work": f"{game.name}: preperiod {found.preperiod}, period {found.period}, proved", "seconds": median(took)}


def search_row(pattern: str, heap: int) -> dict[str, object]:
    """Return a row with the processor time to search for the periods of the codes that match a pattern.

    ``heap`` is the largest heap whose value the search computes.
    """
    start = time.process_time()
    rows = search(pattern, heap, jobs=1)
    took = time.process_time() - start
    proved = sum(row.period is not None for row in rows)
    return {"work": f"search of {pattern} to {heap:,}: {len(rows)} games, {proved} proved", "seconds": took}


def memory_row(game: str, heap: int) -> dict[str, object]:
    """Return a row with the bytes of memory that a game's values up to ``heap`` take, divided by ``heap``.

    A process computes the values of 1,000 heaps, and then those up to ``heap``. The bytes are the growth of its peak
    memory in the second step.
    """
    done = subprocess.run([sys.executable, "-c", PEAK, game, str(heap)], check=True, capture_output=True, text=True)
    return {"work": f"memory of {game} to {heap:,}", "bytes_a_heap": int(done.stdout) * 1024 / heap}


def markdown(rows: list[dict[str, object]]) -> str:
    def cell(row: dict[str, object], name: str) -> str:
        return f"{row[name]:.3g}" if name in row else ""

    names = ("seconds", "other", "ratio", "bytes_a_heap")
    lines = ["| work | seconds | other solver | ratio | bytes a heap |", "| --- | ---: | ---: | ---: | ---: |"]
    lines += [f"| {row['work']} | {' | '.join(cell(row, name) for name in names)} |" for row in rows]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="fewer heaps, and no periods of 0.16 and 0.56")
    parser.add_argument("--ogs", metavar="COMMAND")
    parser.add_argument("--json", metavar="FILE", type=Path)
    options = parser.parse_args()
    sequences, periods = (QUICK_SEQUENCES, PERIODS[:4]) if options.quick else (SEQUENCES, PERIODS)
    memory = QUICK_MEMORY if options.quick else MEMORY
    measured = [
        memory_row(text, heap) for text, heap in memory
    ]  # measured first, because a child starts with its parent's peak
    rows = [sequence_row(text, heap, options.runs, options.ogs) for text, heap in sequences]
    rows += [period_row(heaps.octal(code), options.runs) for code in periods]
    rows.append(search_row(*(("0.dd", 10**4) if options.quick else ("0.ddd", 10**5))))
    rows += measured
    machine = f"{platform.machine()}, {platform.system()}, Python {sys.version.split()[0]}, {date.today()}"
    print(f"{machine}; median of {options.runs}\n\n{markdown(rows)}")
    if options.json:
        options.json.write_text(json.dumps({"machine": machine, "runs": options.runs, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
