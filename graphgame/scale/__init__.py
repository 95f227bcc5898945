"""The same pass beyond memory and beyond one machine."""

from collections.abc import Callable
from typing import TypeAlias

__all__ = ["StageProgress"]

StageProgress: TypeAlias = Callable[[str, int, "int | None"], None]
"""Called during long work with its stage, how much of that is done, and how much there is where that is known."""
