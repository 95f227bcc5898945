"""Solve large graphs: on disk if they are larger than memory, on Apache Spark if they are too large for one machine.

Also generate games of any size, and find out who wins the game of a token file without loading networkx.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from graphgame.registry import lazy_names, register

if TYPE_CHECKING:
    from graphgame.labs.scale import disk as disk
    from graphgame.labs.scale import generators as generators
    from graphgame.labs.scale import spark as spark

__all__ = ["StageProgress"]

StageProgress: TypeAlias = Callable[[str, int, "int | None"], None]
"""A function that is called to report progress: ``progress(stage, done, total)``; an unknown total is None."""

register("command", "generate", "labs.scale.cli.generate:command", "Make a game of a given shape and size.")
register("command", "spark", "labs.scale.cli.spark:command", "Solve edge tables beyond one machine, on Apache Spark.")
register("job", "verdict of a token file", "labs.scale.cli.verdict:verdict_of_file")
register("options", "work on disk", "labs.scale.cli.workdir_options:takes_disk")
__getattr__, __dir__ = lazy_names(__name__, {}, "disk generators spark")
