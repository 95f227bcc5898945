"""Rules into graphs: rulesets, exploration, positions and their texts."""

__all__ = ["MAX_CHECKED", "MAX_MOVES", "MAX_POSITIONS"]

MAX_CHECKED = 10_000
"""Positions that a check looks at unless the caller says otherwise."""

MAX_POSITIONS = 2_000_000
"""Positions that an exploration may find unless the caller says otherwise; they take up to about 1 GB."""

MAX_MOVES = 50_000_000
"""Moves that an exploration may find unless the caller says otherwise; they take up to about 1 GB."""
