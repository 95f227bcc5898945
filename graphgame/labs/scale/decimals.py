"""Read a text that has nothing but natural numbers, in plain Python. This module does not load numpy."""

from __future__ import annotations

MOST_DIGITS = 18  # every number of 18 digits fits into 63 bits


def decimal_numbers(text: bytes) -> list[int] | None:
    r"""Return the natural numbers of a text; None if it has anything but digits, blanks, tabs and line ends.

    Also return None if a number has more than 18 digits.

    Examples
    --------
    >>> decimal_numbers(b"4 3\n2"), decimal_numbers(b"4 # 3")
    ([4, 3, 2], None)
    """
    words = text.split()
    if text.translate(None, b"0123456789 \t\r\n") or len(max(words, key=len, default=b"")) > MOST_DIGITS:
        return None
    return list(map(int, words))
