"""Which of the two forms of a loop runs: compiled by numba, or plain Python and numpy."""

from __future__ import annotations

import importlib.util
from functools import cache

from graphgame.errors import MissingExtraError

__all__ = ["COMPILED_FROM", "use_compiled"]

COMPILED_FROM = 150_000
"""Vertices and edges from which the time to load numba pays."""


@cache
def _has_numba() -> bool:
    return importlib.util.find_spec("numba") is not None


def use_compiled(size: int, engine: str = "auto") -> bool:
    """Tell whether work of this size runs compiled.

    Parameters
    ----------
    size : int
        Vertices and edges.
    engine : {"auto", "plain", "compiled"}
        "auto" compiles where the extra ``fast`` is installed and the work is large.

    Raises
    ------
    MissingExtraError
        "compiled" was asked for without numba.
    ValueError
        Any other name.
    """
    if engine not in ("auto", "plain", "compiled"):
        raise ValueError(f"unknown engine {engine!r}: expected 'auto', 'plain' or 'compiled'")
    if engine == "compiled" and not _has_numba():
        raise MissingExtraError("the compiled engine", "fast")
    return engine == "compiled" or (engine == "auto" and size >= COMPILED_FROM and _has_numba())
