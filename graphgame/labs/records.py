"""Records of work that goes on later: a JSON object in one line that says what it is, and by a digest that it is whole.

A file is such an object, or begins with one, which then holds a digest of what follows too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from graphgame.errors import Message, ParseError, known
from graphgame.io.files import Source


@dataclass(frozen=True)
class RecordFormat:
    """A kind of record: what errors call it, and what they advise; the shape of each field, as for :func:`fits`.

    Examples
    --------
    >>> counts = RecordFormat("graphgame counts", 1, {"counts": [natural]}, "count again")
    >>> text = counts.dumps({"counts": [3, 1]})
    >>> counts.loads(text, "game.counts")
    {'counts': [3, 1]}
    >>> counts.loads(text.replace("3", "4"), "game.counts")
    Traceback (most recent call last):
    ...
    graphgame.errors.ParseError: game.counts: the file is damaged: count again
    """

    name: str
    version: int
    shape: dict[str, Any]
    advice: str

    def begins(self, data: str | bytes) -> bool:
        """Tell whether a text that begins so is such a record, of whatever version."""
        start = json.dumps({"format": self.name})[:-1]
        return data.startswith(start.encode() if isinstance(data, bytes) else start)  # type: ignore[arg-type]

    def dumps(self, fields: dict[str, Any]) -> str:
        """Return the line, without a newline."""
        record = {"format": self.name, "version": self.version, **fields}
        return json.dumps({**record, "digest": _digest(record)})

    def loads(self, data: str | bytes, source: str) -> dict[str, Any]:
        """Return the fields of a record; ``source`` is the file's name, for errors.

        A ParseError tells that it is no such record, of another version, or damaged.
        """
        if not self.begins(data):
            raise ParseError("no {name}: {advice}", self.name, self.advice, source=source)
        try:
            record = json.loads(data)
        except (ValueError, RecursionError):
            raise self.damaged(source) from None
        told, version = record.pop("digest", None), record.get("version")
        if natural(version) and version != self.version:
            raise ParseError(
                "a {name} of version {version}, not {expected}: {advice}",
                self.name,
                version,
                self.version,
                self.advice,
                source=source,
            )
        if told != _digest(record) or not fits(record, {"format": str, "version": int, **self.shape}):
            raise self.damaged(source)
        return {name: record[name] for name in self.shape}

    def damaged(self, source: str) -> ParseError:
        """Return the error for a file of which a digest is not what it should be."""
        return ParseError("the file is damaged: {advice}", self.advice, source=source)


def digest(blocks: Iterable[Any]) -> str:
    """Return a text that tells bytes from others.

    Examples
    --------
    >>> digest([b"a", b"b"]) == digest([b"ab"]) != digest([b"ba"])
    True
    """
    found = blake2b(digest_size=16)
    for block in blocks:
        found.update(block)
    return found.hexdigest()


def natural(found: object) -> bool:
    """Tell whether something is an integer from 0 on."""
    return type(found) is int and found >= 0


def fits(found: object, shape: Any) -> bool:  # noqa: ANN401
    """Tell whether a value of JSON has a shape.

    That is a type; a function that tells; a tuple of shapes, of which one fits; a list of one shape for each entry, or
    of one for all; a dict of one for each key; or the value itself.

    Examples
    --------
    >>> fits([1, -2], [int]), fits([1, True], [int]), fits({"a": None}, {"a": (natural, None)})
    (True, False, True)
    """
    if isinstance(shape, tuple):
        return any(fits(found, each) for each in shape)
    if isinstance(shape, list):
        return isinstance(found, list) and (
            all(fits(entry, shape[0]) for entry in found)
            if len(shape) == 1
            else len(found) == len(shape) and all(map(fits, found, shape))
        )
    if isinstance(shape, dict):
        return isinstance(found, dict) and found.keys() == shape.keys() and all(fits(found[k], shape[k]) for k in shape)
    if isinstance(shape, type):
        return type(found) is shape
    return bool(shape(found)) if callable(shape) else found == shape


def whole_value(source: Source) -> Any:  # noqa: ANN401
    """Return the value of a source that is one JSON text, as the json module reads it; else raise a ParseError."""
    text = source.read_text()
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        fault = Message("no JSON text: {error}", known(error.msg.lower()))
        raise source.error(fault, error.lineno, error.colno) from None
    except (ValueError, RecursionError) as error:
        raise source.error(Message("no JSON text: {error}", error)) from None


def _digest(record: dict[str, Any]) -> str:
    return digest([json.dumps(record, sort_keys=True).encode()])
