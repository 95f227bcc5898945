"""Measure searches for the values of single positions, and print a table.

    python benchmarks/search.py [--runs 3] [--jobs 1] [POSITION ...]

Four other searches run before the clock starts, to compile loops. The table has the smallest processor time of several
runs. A position counts as visited when the search first lists its options. Small graphs, whose values are computed
directly, do not count.
"""

from __future__ import annotations

import argparse
import time

from graphgame import Search

POSITIONS = [
    *("cram(4x7)", "cram(5x6)", "cram(4x9)", "cram(5x7)", "clobber(2x13)", "chomp(8x8)", "chomp(10x10)"),
    *("node-kayles(grid:7x7)", "node-kayles(queens:10)", "node-kayles(queens:11)", "node-kayles(queens:12)"),
]


def measure(position: str, jobs: int = 1) -> tuple[float, int, int]:
    """Search with ``jobs`` threads; return the processor seconds, the number of visited positions, and the value."""
    search = Search(position, jobs=jobs)
    started = time.process_time()
    value = search.grundy
    return time.process_time() - started, search.visited, value


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the search for values of single positions.")
    parser.add_argument("positions", nargs="*", metavar="POSITION", help="positions in the notation")
    parser.add_argument("--runs", type=int, default=3, help="runs of each position")
    parser.add_argument("--jobs", type=int, default=1, help="threads; their processor time counts together")
    arguments = parser.parse_args()
    for position in ("cram(4x6)", "chomp(9x9)", "node-kayles(queens:9)", "node-kayles(queens:12@1.1,1.2,2.4,3.6,4.1)"):
        measure(position)
    print("| position | value | visited | time | positions a second |\n| --- | --- | ---: | ---: | ---: |")
    for position in arguments.positions or POSITIONS:
        seconds, visited, value = min(measure(position, arguments.jobs) for _ in range(arguments.runs))
        print(f"| `{position}` | {value} | {visited:,} | {seconds:.2f} s | {visited / seconds:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
