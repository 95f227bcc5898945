"""Records as a disk or a hand may alter them: a digit changed, a key deleted."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any


def altered(data: bytes, seed: int, digits: int = 30) -> Iterator[bytes]:
    """Yield a file with one digit changed at so many places, then without each key of the object in its first line."""
    chosen = random.Random(seed)
    places = [place for place, byte in enumerate(data) if byte in b"0123456789"]
    for place in sorted(chosen.sample(places, min(digits, len(places)))):
        other = chosen.choice([digit for digit in b"0123456789" if digit != data[place]])
        yield data[:place] + bytes([other]) + data[place + 1 :]
    line, newline, rest = data.partition(b"\n")
    for less in without_a_key(json.loads(line)):
        yield json.dumps(less).encode() + newline + rest


def without_a_key(found: Any) -> Iterator[Any]:
    """Yield a value of JSON without each key that is somewhere in it."""
    if isinstance(found, dict):
        for key, value in found.items():
            yield {other: found[other] for other in found if other != key}
            yield from ({**found, key: less} for less in without_a_key(value))
    elif isinstance(found, list):
        for place, value in enumerate(found):
            yield from ([*found[:place], less, *found[place + 1 :]] for less in without_a_key(value))
