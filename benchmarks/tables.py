"""Measurements, and tables of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["Row", "Run", "markdown"]


class Run(NamedTuple):
    """A process: wall and processor seconds, peak resident bytes, verdict, and why it failed.

    The process itself reports ``read`` and ``solve`` in seconds, and the ``checksum`` of the values.
    """

    seconds: float
    cpu: float
    peak: float
    verdict: str = ""
    read: float | None = None
    solve: float | None = None
    checksum: int | None = None
    error: str = ""

    def told(self) -> str:
        return f"failed: {self.error}" if self.error else f"{self.seconds:.2f} s, {self.peak / 2**20:.0f} MiB"


class Row(NamedTuple):
    shape: str
    vertices: int
    edges: int
    contender: str
    run: Run

    def record(self) -> dict[str, Any]:
        return self._asdict() | {
            "run": {name: value for name, value in self.run._asdict().items() if value or value == 0}
        }


class Table(NamedTuple):
    """A table with a column for each program; ratios are relative to the first."""

    title: str
    contenders: tuple[str, ...]
    number: Callable[[Run], float | None]
    form: str


WHOLE = ("graphgame solve", "graphgame solve, Parquet", "C++", "C++ by hand", "networkx", "rustworkx", "igraph")
PASS = ("grundy_values", "solve(nx.DiGraph)", "C++", "C++ by hand", "networkx", "rustworkx", "igraph")

TABLES = (
    Table("File to verdict, whole process: seconds", WHOLE, lambda run: run.seconds, ".2f"),
    Table("The same in processor seconds, of all cores", WHOLE, lambda run: run.cpu, ".2f"),
    Table("Peak memory of that process: MiB", WHOLE, lambda run: run.peak / 2**20, ",.0f"),
    Table("Solving alone, the graph in memory: seconds", PASS, lambda run: run.solve, ".3f"),
    Table("Reading alone: seconds", PASS, lambda run: run.read, ".3f"),
)


def markdown(head: dict[str, Any], rows: list[Row]) -> str:
    """Return the whole report.

    ``head`` has the entries ``date``, ``machine``, ``repeat`` (runs for each median), ``slow_limit`` (edges), and
    ``start``: command -> processor seconds of its start.
    """
    start = ", ".join(f"`{name}` {seconds:.2f} s" for name, seconds in head["start"].items())
    lines = [
        f"{head['date']}, {head['machine']}, medians of {head['repeat']} runs. In brackets: how many times the first "
        "column. Vertices are numbered at random, edges in the order of their sources.",
        "",
        f"A dash: not installed, a loop in Python on more than {head['slow_limit']:,} edges, or failed as said below. "
        "Peaks below 20 MiB are the measuring process's own.",
        "",
        f"Start, in processor seconds: {start}.",
    ]
    for table in TABLES:
        lines += ["", f"**{table.title}**", "", *table_lines(table, rows)]
    failures = [
        f"- {row.contender}, {row.shape}, {row.edges:,} edges: {row.run.error}" for row in rows if row.run.error
    ]
    return "\n".join([*lines, *(["", "Failed:", "", *failures] if failures else [])]) + "\n"


def table_lines(table: Table, rows: list[Row]) -> list[str]:
    games = dict.fromkeys((row.shape, row.vertices, row.edges) for row in rows)
    numbers = {
        (row.shape, row.vertices, row.edges, row.contender): table.number(row.run) for row in rows if not row.run.error
    }
    return [
        f"| shape | vertices | edges | {' | '.join(table.contenders)} |",
        f"| --- | ---: | ---: {'| ---: ' * len(table.contenders)}|",
        *(
            f"| {game[0]} | {game[1]:,} | {game[2]:,} | "
            + " | ".join(cell(numbers, game, name, table) for name in table.contenders)
            + " |"
            for game in games
        ),
    ]


def cell(numbers: dict[Any, float | None], game: tuple[str, int, int], name: str, table: Table) -> str:
    number, first = numbers.get((*game, name)), numbers.get((*game, table.contenders[0]))
    if number is None:
        return "–"
    if not first or name == table.contenders[0]:
        return f"{number:{table.form}}"
    ratio = number / first
    return f"{number:{table.form}} ({ratio:.{1 if ratio >= 1 else 2}f})"
