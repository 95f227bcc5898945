"""``graphgame search``: find who wins one position, or its value, without its whole graph."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from graphgame.cli import common
from graphgame.cli.common import Game, OutputOptions, takes_game, takes_output
from graphgame.cli.errors import Failure, UsageError
from graphgame.cli.language import examples
from graphgame.cli.progress import shown
from graphgame.errors import LimitError
from graphgame.labs.search.meters import Keeping, Searching, tell_of_part
from graphgame.registry import registered
from graphgame.rules import MAX_POSITIONS
from graphgame.text.languages import amount, translate
from graphgame.text.text import verdict_text

if TYPE_CHECKING:
    from graphgame.labs.search import Search
    from graphgame.rules.position import Position

_EXAMPLES = examples(
    ('graphgame search "cram(5x6)"', "who wins"),
    ('graphgame search "cram(4x7)" --value', "the Grundy value"),
    ('graphgame search "node-kayles(grid:5x6)" --compare', ""),
    ('graphgame search "sprouts(6)" --resume sprouts.txt --timeout 600', "run again to go on"),
    ('graphgame search "sprouts(6)" --misere', ""),
    ('graphgame search "nogo(1x1..24)" --value', "each position in turn; the searches share results"),
    ('graphgame search "cram(5x5)" --certificate cram.json && graphgame verify cram.json', ""),
)
_MOST_ENTRIES = 100_000


@dataclass
class _Table:
    """The table file of ``--resume``. It is written before, during and after the search, also after an error."""

    resume: str | None
    resume_every: float
    _due: float = inf
    _meter: Searching | None = None
    _search: Search | None = None

    def __post_init__(self) -> None:
        if self.resume == "-":
            raise UsageError("--resume needs a file that can be read again, not -")

    @contextmanager
    def saving(self, search: Search, meter: Searching | None = None) -> Iterator[None]:
        """Return a context manager for a search. At the start it reads the file, if it exists, and then writes it.

        At the end, also after an error, it writes the file again. Without ``--resume`` it does nothing with files.
        ``meter`` shows the progress of the search.
        """
        self._search, self._meter = search, meter
        if self.resume is None:
            yield
            return
        if Path(self.resume).exists():
            with shown(partial(Keeping, self.resume, reading=True)) as reading:
                search.read_table(self.resume, progress=reading)
        # Write once before the work: if the file cannot be written, the user should learn it now.
        self._write(search, self.resume)
        try:
            yield
        finally:
            self._write(search, self.resume)
            if meter is not None:
                meter.clear()
            common.tell_of(self.resume, amount(search.kept, "position"))

    def report(self, visited: int, depth: int) -> None:
        """Show the progress of the search, and write the file if it is due."""
        if self._meter is not None:
            self._meter(visited, depth)
        if self.resume is not None and self._search is not None and monotonic() >= self._due:
            self._write(self._search, self.resume)

    def _write(self, search: Search, path: str) -> None:
        """Write the file, and set the time when it is due again: writing should take at most a tenth of the time."""
        started = monotonic()
        with shown(partial(Keeping, path)) as meter:
            search.write_table(path, progress=meter)
        ended = monotonic()
        self._due = ended + max(self.resume_every, 9 * (ended - started))


@dataclass
class _Limits:
    """The limits of a search: memory, threads, time and positions."""

    memory: str
    jobs: int | None
    timeout: float | None

    def given(self) -> dict[str, Any]:
        """Return ``memory``, and the limits that the user gave, as keyword arguments of ``Search``."""
        from graphgame.io.source import parse_size

        limits = vars(self) | {"memory": parse_size(self.memory)}
        context = click.get_current_context()
        if context.get_parameter_source("max_positions") is ParameterSource.COMMANDLINE:
            limits["max_positions"] = context.params["max_positions"]
        return {name: limit for name, limit in limits.items() if limit is not None}


@click.command("search", epilog=_EXAMPLES)
@common.source_argument
@click.option("--value", "with_value", is_flag=True, help="Find the Grundy value too; it takes longer.")
@common.takes(
    _Limits,
    "limits",
    click.option(
        "--memory",
        metavar="SIZE",
        default="2GB",
        show_default=True,
        help="Memory limit. At the limit, the search of a placement game, such as Cram, under normal play drops some "
        "results and continues. Any other search stops without an answer; on Windows it has no limit.",
    ),
    common.number_option(
        "--jobs", help="Number of threads in a long search of a placement game (default: the number of cores)."
    ),
    common.shared_options("timeout"),
)
@common.takes(
    _Table,
    "table",
    common.shared_options("resume"),
    click.option(
        "--resume-every",
        type=common.SECONDS,
        default=60,
        show_default=True,
        metavar="SECONDS",
        help="Write the file of --resume every SECONDS seconds, a large file less often.",
    ),
)
@click.option(
    "--certificate",
    metavar="FILE",
    type=click.Path(),
    help="Write a proof of the answer: positions with their values. graphgame verify checks it; play and draw also "
    "read it.",
)
@click.option(
    "--compare",
    is_flag=True,
    help="Explore the whole graph too, and compare its size and answer with those of the search.",
)
@takes_output(json="")
@common.shared_options("format", "max_bytes", "tokens", "misere")
@click.option(
    "--max-positions",
    type=common.Integer(min=1),
    metavar="N",
    default=MAX_POSITIONS,
    help=f"Largest number of positions in the table, or explored by --compare (default: {MAX_POSITIONS:,}). The table "
    "of a placement game under normal play is limited only by --memory by default.",
)
@takes_game
def command(
    game: Game,
    out: OutputOptions,
    with_value: bool,
    limits: _Limits,
    table: _Table,
    certificate: str | None,
    compare: bool,
) -> None:
    """Say who wins SOURCE, a position in the notation, without its whole graph.

    If SOURCE is a graph file, the position is the sum of its tokens. The search leaves out positions that the answer
    does not need. It splits sums into components, and keeps the results that it proves in a table. A limit or Ctrl-C
    ends the search early; with --resume the table is then saved in a file. The file is also written every minute, or
    as --resume-every says (a large file less often), so that a crash loses little.

    SOURCE may have one or two ranges in place of numbers, such as "nogo(1x1..9)". Then its positions are searched one
    after another, with one table. As text, each answer is printed as soon as it is known. A search uses the results of
    the searches before it, so the number of visited positions depends on the ranges. If a limit or Ctrl-C ends the
    work, the answers so far are printed in every format.

    Values do not decide who wins under misère play: with --misere only the winner is found, and no table is saved.
    """
    from graphgame.rules.notation import is_notation

    if game.misere and (with_value or table.resume is not None or certificate is not None):
        raise UsageError(
            "only normal play has values: leave out --value, --resume and --certificate, or leave out --misere"
        )
    if game.format_ is None and common.has_ranges(game.source) and is_notation(game.source):
        if certificate is not None or compare or game.tokens:
            raise UsageError(
                "SOURCE has ranges, so it stands for many positions: leave out --certificate, --compare and --tokens"
            )
        _search_each(registered("text with ranges")(game.source, run_rules=True), game, out, with_value, table, limits)
        return
    position = game.as_position()
    text = str(position) if game.position is None or game.tokens else game.source
    answer = _answer(position, text, with_value, table, certificate, limits)
    if compare:
        answer |= _compared(position, answer)
    out.put(text=lambda: "\n".join([*_lines(answer), ""]), json=lambda: answer)


def _answer(
    position: Position, text: str, with_value: bool, table: _Table, certificate: str | None, limits: _Limits
) -> dict[str, Any]:
    from graphgame.labs.search import Search

    with shown(Searching) as meter:
        search = Search(position, progress=table.report, **limits.given())
        with table.saving(search, meter):
            answer = _answer_of(search, with_value)
            if certificate is not None:
                # The certificate quotes SOURCE as the user wrote it, unless it is a graph file or there are --tokens.
                proof = replace(search.certificate(value=with_value), position=text)
                proof.write(certificate)
                common.tell_of(certificate, amount(len(proof), "position"))
                answer["certificate"] = len(proof)
    return answer


def _answer_of(search: Search, with_value: bool) -> dict[str, Any]:
    """Return the position, its outcome and value (None unless ``with_value``), and two numbers of positions.

    ``visited`` counts the positions that this call visited, and ``kept`` those that the tables have now.
    """
    before = search.visited
    value = search.grundy if with_value else None
    outcome, position = search.outcome, str(search.position)
    visited = search.visited - before
    return {"position": position, "outcome": outcome, "value": value, "visited": visited, "kept": search.kept}


def _search_each(
    text: Any,  # noqa: ANN401
    game: Game,
    out: OutputOptions,
    with_value: bool,
    table: _Table,
    limits: _Limits,
) -> None:
    """Search each position of ``text``, a text with ranges. ``game`` only says whether play is misère.

    If the output is text on standard output, each answer is printed at once. Otherwise all answers are written at the
    end. Raises UsageError if the ranges have over 100,000 entries.
    """
    from graphgame.labs.search import Search, search_for
    from graphgame.rules.position import Position

    entries = [*islice(product(*text.ranges), _MOST_ENTRIES + 1)]
    if len(entries) > _MOST_ENTRIES:
        raise UsageError("SOURCE has a table of more than {most:,} entries: give smaller ranges", _MOST_ENTRIES)
    pairs = zip(entries, text.positions(entries), strict=True)
    positions = {
        text.filled(numbers): Position(parts, misere=game.misere) for numbers, parts in pairs if parts is not None
    }
    answers = []
    key = "value" if with_value else "outcome"
    widths = max(map(len, (*positions, translate("position")))), len(translate(key))

    def line(position: str, answer: object, visited: str) -> str:
        return f"{position:<{widths[0]}}  {answer:>{widths[1]}}  {visited:>13}"

    def row(answer: dict[str, Any]) -> str:
        return line(answer["position"], answer[key], f"{answer['visited']:,}")

    header = line(translate("position"), translate(key), translate("visited"))
    at_once = out.as_text and out.output == "-"
    with shown(Searching) as meter:
        shared = search_for(positions.values(), progress=table.report, **limits.given())
        if at_once:
            click.echo(header)
        try:
            with table.saving(shared, meter):
                for name, position in positions.items():
                    answer = _answer_of(Search(position, shared=shared), with_value) | {"position": name}
                    if meter is not None:
                        meter.clear()
                    if at_once:
                        click.echo(row(answer))
                    answers.append(answer)
        finally:
            # After a limit or Ctrl-C, say how many positions have an answer. These answers are printed in any case.
            if len(answers) < len(positions):
                tell_of_part(len(answers), len(positions))
            if not at_once:
                out.put(text=lambda: "\n".join([header, *map(row, answers), ""]), json=lambda: answers)


def _compared(position: Position, answer: dict[str, Any]) -> dict[str, Any]:
    """Solve the whole graph of a position, and return new entries for ``answer``, the answer of the search.

    The entry ``whole`` is the number of positions in the graph, without sum vertices. If the graph is too large for a
    limit of ``position``, ``whole`` is None, and ``more_than`` is ``position.max_positions``. Under misère play this
    also happens if the product graph of a sum is too large. Raises Failure if the graph gives another outcome or value.
    """
    from graphgame.solution.solve import solve

    try:
        graph = position.graph()
        solution = solve(graph, misere=position.misere, product_limit=position.max_positions)
        outcome = "N" if solution.winner == "first" else "P"
    except LimitError:
        return {"whole": None, "more_than": position.max_positions}
    if answer["outcome"] != outcome or (answer["value"] is not None and answer["value"] != solution.nim_sum):
        if position.misere:
            raise Failure("the search disagrees with the whole graph")
        raise Failure("the search disagrees with the whole graph, which has the value {value}", solution.nim_sum)
    return {"whole": len(graph) - (0 if graph.sums is None else int(graph.sums.sum()))}


def _lines(answer: dict[str, Any]) -> Iterator[str]:
    """Yield the two lines of an answer: the winner, with the value if any, and the number of visited positions."""
    winner, value = verdict_text("first" if answer["outcome"] == "N" else "second"), answer["value"]
    yield winner if value is None else translate("{winner}: value {value}", winner=winner, value=value)
    positions = amount(answer["visited"], "position")
    if "more_than" in answer:
        more = f"{answer['more_than']:,}"
        yield translate(
            "{positions} visited; the whole graph has more positions or moves than --max-positions {count} allows",
            positions=positions,
            count=more,
        )
    elif "whole" in answer:
        whole = f"{answer['whole']:,}"
        yield translate(
            "{positions} visited of {count} in the whole graph; the answers agree", positions=positions, count=whole
        )
    elif answer["visited"] or answer["kept"]:
        yield translate("{positions} visited", positions=positions)
    else:
        yield translate("{positions} visited: no search was needed", positions=positions)
