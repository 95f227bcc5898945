"""Numbers in words, for the reasons of rulesets."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import xor

from graphgame.errors import Message

_MOST_SHOWN = 12


def xor_text(values: Iterable[int]) -> str:
    """Return an xor with its result.

    Examples
    --------
    >>> xor_text([2, 3]), xor_text([4]), xor_text([])
    ('2 xor 3 = 1', '4', '0')
    """
    listed = list(values)
    total = reduce(xor, listed, 0)
    if len(listed) > _MOST_SHOWN:
        return Message("the xor of {count} numbers is {total}", len(listed), total)
    return f"{' xor '.join(map(str, listed))} = {total}" if len(listed) > 1 else str(total)
