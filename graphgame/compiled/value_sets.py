"""Sets of values in words, in which a loop looks for the mex."""

from __future__ import annotations

from graphgame.compiled.compiling import Array, inlined

VALUE_BITS = 62


ALL_SEEN = (1 << VALUE_BITS) - 1


@inlined
def see_value(value: int, line: int, seen: Array, extents: Array) -> None:
    """Add a value to a set. Words before ``extents[0]`` are full, and words from ``extents[1]`` on are empty."""
    word = value // VALUE_BITS
    seen[line, word] |= 1 << (value % VALUE_BITS)
    extents[1, line] = max(extents[1, line], word + 1)
    while seen[line, extents[0, line]] == ALL_SEEN:
        extents[0, line] += 1
