"""Compiled loops that number integers without gaps; their plain twins and their meaning are in ``integers``."""

from __future__ import annotations

from graphgame.arrays.compiling import Array, compiled

__all__ = ["mark", "rank"]


@compiled
def mark(part: Array, least: int, occurs: Array) -> None:
    """Mark which integers from ``least`` on occur."""
    for value in part:
        occurs[value - least] = True


@compiled
def rank(part: Array, least: int, ranks: Array) -> None:
    """Replace integers from ``least`` on by their ranks, in place."""
    for i in range(len(part)):
        part[i] = ranks[part[i] - least]
