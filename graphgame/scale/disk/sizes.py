"""Amounts of memory and disk as people write them."""

from __future__ import annotations

import re

from graphgame.errors import OptionError

__all__ = ["parse_size", "size_text"]

_SIZE = re.compile(r"\s*(\d{1,20}(?:\.\d{1,20})?)\s*([kmgt]?)(i?)b?\s*", re.I)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def parse_size(size: int | str) -> int:
    """Return a number of bytes: ``500MB``, ``2GB``, ``1.5GiB``; a number alone is bytes.

    An OptionError tells that it is none of these, or 0.

    Examples
    --------
    >>> parse_size("2GB"), parse_size("1.5 KiB"), parse_size(4096)
    (2000000000, 1536, 4096)
    """
    found = _SIZE.fullmatch(str(size))
    count = 0
    if found:
        number, unit, binary = found.groups()
        count = int(float(number) * (1024 if binary else 1000) ** _POWERS[unit.lower()])
    if count <= 0:
        raise OptionError("size {size!r}: expected a number of bytes such as 500MB or 2GB", size)
    return count


def size_text(count: int) -> str:
    """Return a number of bytes with two digits or three.

    Examples
    --------
    >>> size_text(999), size_text(2_000_000_000), size_text(31_500_000)
    ('999 B', '2.0 GB', '32 MB')
    """
    power = min(4, (len(str(count)) - 1) // 3)
    amount = count / 1000**power
    return f"{amount:.{int(power > 0 and amount < 10)}f} {('B', 'kB', 'MB', 'GB', 'TB')[power]}"
