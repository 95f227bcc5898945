"""Rules into graphs: rulesets, exploration, positions and their texts."""

__all__ = ["MAX_MOVES", "MAX_POSITIONS"]

MAX_POSITIONS = 2_000_000
"""Positions that an exploration may find unless the caller says otherwise; they take up to about 1 GB."""

MAX_MOVES = 50_000_000
"""Moves that an exploration may find unless the caller says otherwise; they take up to about 1 GB."""
