"""Damaged records: one digit changed, or one key deleted."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any


def altered(data: bytes, seed: int, digits: int = 30) -> Iterator[bytes]:
    """Yield copies of a file, each with one of at most ``digits`` digits changed, then copies without one of the keys.

    The keys are those of the JSON object in the first line, at any depth.
    """
    chosen = random.Random(seed)
    indices = [index for index, byte in enumerate(data) if byte in b"0123456789"]
    for index in sorted(chosen.sample(indices, min(digits, len(indices)))):
        other = chosen.choice([digit for digit in b"0123456789" if digit != data[index]])
        yield data[:index] + bytes([other]) + data[index + 1 :]
    line, newline, rest = data.partition(b"\n")
    for less in without_a_key(json.loads(line)):
        yield json.dumps(less).encode() + newline + rest


def without_a_key(value: Any) -> Iterator[Any]:
    """Yield copies of a JSON value, each without one of the keys at any depth."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield {other: value[other] for other in value if other != key}
            yield from ({**value, key: less} for less in without_a_key(item))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from ([*value[:index], less, *value[index + 1 :]] for less in without_a_key(item))
