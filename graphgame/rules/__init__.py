"""Rulesets: how rules become graphs, and how positions are written as text."""

MAX_CHECKED = 10_000
"""The default limit on the positions that :func:`graphgame.check` looks at."""

MAX_POSITIONS = 2_000_000
"""The default limit on the positions of an explored graph; that many small ones take up to about 1 GB of memory."""

MAX_MOVES = 50_000_000
"""The default limit on the moves of an explored graph; that many take up to about 1 GB of memory."""
