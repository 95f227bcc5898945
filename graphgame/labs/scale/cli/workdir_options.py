"""The option ``--workdir`` of ``solve`` and ``verify``, for a game whose edges stay on disk."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from graphgame import errors
from graphgame.cli import common
from graphgame.cli.common import Game
from graphgame.cli.errors import Failure, UsageError
from graphgame.cli.progress import Working, shown
from graphgame.errors import Message, TokenError
from graphgame.solution.results import outcome_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphgame.cli.answer import Answer, Row
    from graphgame.labs.scale.disk import ExternalSolution, MappedGraph

_MEMORY = "2GB"
_OPTIONS = (
    click.option("--workdir", metavar="DIR", type=click.Path(), help="Work on disk, with work files in this folder."),
    click.option("--memory", metavar="SIZE", help=f"With --workdir: the most memory for arrays.  [default: {_MEMORY}]"),
    click.option(
        "--no-resume",
        "resume",
        flag_value=False,
        default=True,
        help="With --workdir: start over instead of continuing an interrupted run.",
    ),
    click.option("--keep", is_flag=True, help="With --workdir: do not delete the work files at the end."),
)


@dataclass
class Disk:
    """The values of the options ``--workdir``, ``--memory``, ``--no-resume`` and ``--keep``."""

    workdir: str | None = None
    memory: str | None = None
    resume: bool = True
    keep: bool = False

    def check(self, game: Game, values: str | None = None, draw: str | None = None) -> bool:
        """Return True if the game should be solved or verified on disk: if there is ``--workdir``.

        Raise UsageError if options contradict each other. ``values`` and ``draw`` are the values of ``--values`` and
        ``--draw``.
        """
        if self.workdir is None:
            if self.memory is not None or self.keep or not self.resume:
                raise UsageError("--memory, --no-resume and --keep can be used only together with --workdir")
            return False
        if game.misere or game.loopy or game.product or draw is not None:
            raise UsageError(
                "--misere, --loopy, --product and --draw need the whole game in memory: leave out --workdir"
            )
        if values is not None and not values.endswith(".parquet"):
            raise UsageError(
                "with --workdir the values are written as Parquet: choose a file name for --values that ends in "
                ".parquet"
            )
        if game.position is not None:
            raise UsageError(
                "--workdir is only for files with lists of edges: leave it out if SOURCE is the name of a position"
            )
        return True

    def solve(self, game: Game) -> ExternalSolution:
        """Solve the game on disk. The tokens are those of ``--tokens``; without this option, those of the file."""
        from graphgame.labs.scale import disk

        try:
            with shown(Working) as progress:
                solution = disk.solve(game.source, engine=game.engine, **self._shared_arguments(game, progress))
            if game.tokens:
                solution.tokens = tuple(common.find_tokens(solution, game.tokens))
        except (errors.CycleError, TokenError, errors.UnknownPositionError) as error:
            raise Failure(
                "{source}: {error}", Message("standard input") if game.source == "-" else game.source, error
            ) from error
        return solution

    @contextmanager
    def graph(self, game: Game) -> Iterator[MappedGraph]:
        """Open the graph on disk, to verify its values. The tokens come from ``--tokens``, otherwise from the file."""
        from graphgame.labs.scale import disk

        with (
            shown(Working) as progress,
            disk.mapped_graph(game.source, keep=self.keep, **self._shared_arguments(game, progress)) as graph,
        ):
            if game.tokens:
                graph.graph["tokens"] = tuple(common.find_tokens(graph, game.tokens))
            yield graph

    def _shared_arguments(self, game: Game, progress: Working | None) -> dict[str, Any]:
        """Return the keyword arguments that ``disk.solve`` and ``disk.mapped_graph`` share."""
        return {
            "workdir": self.workdir,
            "memory_limit": self.memory or _MEMORY,
            "resume": self.resume,
            "progress": progress,
            "format": game.format_,
            "tell": common.tell,
        }

    def finish(self, solution: ExternalSolution) -> None:
        """Close the work folder. Delete its files, unless ``--keep`` was given."""
        if self.keep:
            solution.close()
        else:
            solution.remove()

    @staticmethod
    def answer(solution: ExternalSolution) -> Answer:
        """Return what the command prints about a solution, without lengths of play, which are not computed on disk.

        The answer has a row for each component of the sum or, without tokens, for each position that no move leads to.
        """
        from graphgame.cli.answer import Answer, Row

        vertices = solution.roots if solution.tokens is None else solution.components

        def rows(limit: int | None) -> list[Row]:
            first = vertices[:limit]
            values = zip(solution.labels.take(first), solution.grundy.take(first), strict=True)
            return [Row(label, value, outcome_of(value), None) for label, value in values]

        answer = Answer(False, rows, len(vertices), counts=solution.counts(), format=solution.format)
        if solution.tokens is not None:
            answer.winner, answer.nim_sum = solution.winner, solution.nim_sum
            answer.moves = solution.winning_moves()
        return answer


takes_disk = common.takes(Disk, "disk", *_OPTIONS)
"""A decorator that passes the options of :class:`Disk` to a command as one argument ``disk``."""
