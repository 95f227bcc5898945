"""The same pass beyond memory and beyond one machine."""

from collections.abc import Callable
from typing import TypeAlias

from graphgame.registry import register

__all__ = ["StageProgress"]

StageProgress: TypeAlias = Callable[[str, int, "int | None"], None]
"""Called during long work with its stage, how much of that is done, and how much there is where that is known."""

register("command", "generate", "labs.scale.cli.generate:command", "Make a game of a given shape and size.")
register("command", "spark", "labs.scale.cli.spark:command", "Solve edge tables beyond one machine, on Apache Spark.")
register("options", "work on disk", "labs.scale.external:takes_disk")
