"""Compare ``explore`` for rules in plain Python with a bare search that uses a dictionary: moves a second, and memory.

Run it as ``python benchmarks/explore.py``. Each measurement runs in its own process. The table is made of medians of
three runs.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Hashable, Iterator
from statistics import median
from time import process_time

from graphgame import Ruleset, explore

REPEATED = 3


class Heaps(Ruleset):
    """Tuples: take 1, 2 or 3 from one of four heaps."""

    start = (28, 28, 28, 28)

    def options(self, heaps: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for place, heap in enumerate(heaps):
            for taken in range(1, min(heap, 3) + 1):
                yield (*heaps[:place], heap - taken, *heaps[place + 1 :])


class Numbers(Ruleset):
    """Integers: take a square number up to 144, or halve (rounded down)."""

    start = 300_000

    def options(self, number: int) -> list[int]:
        return [number - k * k for k in range(1, min(12, int(number**0.5)) + 1)] + ([number // 2] if number else [])


class Subsets(Ruleset):
    """Frozen sets of the integers 0 to 17: remove an integer, or two consecutive integers."""

    start = frozenset(range(18))

    def options(self, things: frozenset[int]) -> Iterator[frozenset[int]]:
        for thing in things:
            yield things - {thing}
            if thing + 1 in things:
                yield things - {thing, thing + 1}


class Rows(Ruleset):
    """Texts: turn one of seventeen coins, or two neighbours, from heads to tails."""

    start = "h" * 17

    def options(self, row: str) -> Iterator[str]:
        for place, coin in enumerate(row):
            if coin == "h":
                yield row[:place] + "t" + row[place + 1 :]
                if row[place + 1 : place + 2] == "h":
                    yield row[:place] + "tt" + row[place + 2 :]


def bare(rules: Ruleset) -> tuple[dict[Hashable, int], list[list[int]]]:
    """Return the index of each position, and for each index the indices of the options."""
    numbers: dict[Hashable, int] = {rules.start: 0}
    positions, graph = [rules.start], []
    for position in positions:
        found = []
        for option in rules.options(position):
            number = numbers.get(option)
            if number is None:
                number = numbers[option] = len(positions)
                positions.append(option)
            found.append(number)
        graph.append(found)
    return numbers, graph


def measure(name: str, how: str) -> None:
    """Search by :func:`bare` if ``how`` is "bare", otherwise by ``explore``; print positions, moves, seconds, bytes."""
    rules = globals()[name]()
    memory, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, process_time()
    if how == "bare":
        numbers, graph = bare(rules)
        size = len(numbers), sum(map(len, graph))
    else:
        explored = explore(rules)
        size = len(explored), explored.number_of_edges()
    seconds = process_time() - begun
    print(*size, seconds, 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory))


def measured(name: str, how: str) -> list[float]:
    """Run :func:`measure` in its own process; return the four numbers that it prints."""
    done = subprocess.run([sys.executable, __file__, name, how], check=True, capture_output=True, text=True)
    return [float(word) for word in done.stdout.split()]


def main() -> None:
    print("rules      positions     moves   moves a second    ratio   bytes a position    ratio")
    for name in ("Heaps", "Numbers", "Subsets", "Rows"):
        runs = [(measured(name, "bare"), measured(name, "explore")) for _ in range(REPEATED)]
        plain, ours = ([median(run[which][field] for run in runs) for field in range(4)] for which in (0, 1))
        faster = median(first[2] / second[2] for first, second in runs)
        rates = [each[1] / each[2] for each in (plain, ours)]
        sizes = [each[3] / each[0] for each in (plain, ours)]
        print(
            f"{name:8} {ours[0]:11,.0f} {ours[1]:9,.0f} {rates[1]:9,.0f}/{rates[0]:9,.0f} {faster:5.2f}"
            f" {sizes[1]:9,.0f}/{sizes[0]:5,.0f} {sizes[1] / sizes[0]:12.2f}"
        )


if __name__ == "__main__":
    measure(*sys.argv[1:]) if sys.argv[1:] else main()
