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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphgame.cli.answer import Answer, Row
    from graphgame.labs.scale.disk import ExternalSolution, MappedGraph

_MEMORY = "2GB"
_OPTIONS = (
    click.option("--workdir", metavar="DIR", type=click.Path(), help="Keep the edges in files in this folder."),
    click.option("--memory", metavar="SIZE", help=f"With --workdir: most memory for arrays.  [default: {_MEMORY}]"),
    click.option(
        "--no-resume",
        "resume",
        flag_value=False,
        default=True,
        help="With --workdir: start over, even where a run was interrupted.",
    ),
    click.option("--keep", is_flag=True, help="With --workdir: keep the work files when all is done."),
)


@dataclass
class Disk:
    """The options for a game on disk."""

    workdir: str | None = None
    memory: str | None = None
    resume: bool = True
    keep: bool = False

    def check(self, game: Game, values: str | None = None, draw: str | None = None) -> bool:
        """Return True if the work is to be done on disk; raise UsageError for options that do not go together."""
        if self.workdir is None:
            if self.memory is not None or self.keep or not self.resume:
                raise UsageError("--memory, --no-resume and --keep go with --workdir")
            return False
        if game.misere or game.loopy or game.product or draw is not None:
            raise UsageError("--misere, --loopy, --product, --draw need the game in memory: leave out --workdir")
        if values is not None and not values.endswith(".parquet"):
            raise UsageError("with --workdir values are written as Parquet: give --values a name in .parquet")
        if game.position is not None:
            raise UsageError("--workdir is for files of edges: leave it out for a position by its name")
        return True

    def solve(self, game: Game) -> ExternalSolution:
        """Solve the game on disk. Tokens come from ``--tokens``, or from the file."""
        from graphgame.labs.scale import disk

        try:
            with shown(Working) as progress:
                solution = disk.solve(game.source, engine=game.engine, **self._given(game, progress))
            if game.tokens:
                solution.tokens = tuple(common.find_tokens(solution, game.tokens))
        except (errors.CycleError, TokenError, errors.UnknownPositionError) as error:
            raise Failure(
                "{source}: {error}", Message("standard input") if game.source == "-" else game.source, error
            ) from error
        return solution

    @contextmanager
    def graph(self, game: Game) -> Iterator[MappedGraph]:
        """Open the graph on disk, to verify values of it. Tokens come from ``--tokens``, or from the file."""
        from graphgame.labs.scale import disk

        with (
            shown(Working) as progress,
            disk.mapped_graph(game.source, keep=self.keep, **self._given(game, progress)) as graph,
        ):
            if game.tokens:
                graph.graph["tokens"] = tuple(common.find_tokens(graph, game.tokens))
            yield graph

    def _given(self, game: Game, progress: Working | None) -> dict[str, Any]:
        """Return the keyword arguments that solving and verifying on disk share."""
        return {
            "workdir": self.workdir,
            "memory_limit": self.memory or _MEMORY,
            "resume": self.resume,
            "progress": progress,
            "format": game.format_,
            "tell": common.tell,
        }

    def finish(self, solution: ExternalSolution) -> None:
        """Delete the work files, unless ``--keep`` was given."""
        if self.keep:
            solution.close()
        else:
            solution.remove()

    @staticmethod
    def answer(solution: ExternalSolution) -> Answer:
        """Return the answer of a game solved on disk, which has no lengths of play."""
        from graphgame.cli.answer import Answer, Row

        asked = solution.tokens is not None
        numbers = solution.components if asked else solution.roots

        def rows(limit: int | None) -> list[Row]:
            chosen = numbers[:limit]
            values = solution.values[chosen].tolist()
            labels = solution.labels.take(chosen)
            return [Row(label, value, "N" if value else "P", None) for label, value in zip(labels, values, strict=True)]

        return Answer(
            misere=False,
            winner=solution.winner if asked else None,
            nim_sum=solution.nim_sum if asked else None,
            rows=rows,
            total=len(numbers),
            moves=solution.winning_moves() if asked else [],
            counts=solution.counts(),
            format=solution.format,
        )


takes_disk = common.takes(Disk, "disk", *_OPTIONS)
"""A decorator that passes the options of :class:`Disk` to a command as one argument ``disk``."""
