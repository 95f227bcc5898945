"""Records of results and of unfinished work: they name their format, and can be checked for damage.

A record is a JSON object in one line. It has the name and the version of its format, its data, and a digest (checksum)
of all these fields. If a file has more bytes after the record, one of the data fields is the digest of these bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from graphgame.errors import Message, ParseError, system_message
from graphgame.io.files import Source


@dataclass(frozen=True)
class RecordFormat:
    """A kind of record.

    Parameters
    ----------
    name : str
        The name of the format, in records and in error messages.
    version : int
        The version of the format. Records of other versions are refused.
    shape : dict
        Maps the name of each data field to the shape of its value; :func:`fits` says what a shape is.
    advice : str
        The end of the error message if a file is refused: what the user can do.

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
        """Return whether ``data``, the first bytes of a file, begins a record of this kind, of any version."""
        start = json.dumps({"format": self.name})[:-1]
        return data.startswith(start.encode() if isinstance(data, bytes) else start)  # type: ignore[arg-type]

    def dumps(self, fields: dict[str, Any]) -> str:
        """Return a record with these data fields as one line, without a newline."""
        record = {"format": self.name, "version": self.version, **fields}
        return json.dumps({**record, "digest": _digest(record)})

    def loads(self, data: str | bytes, source: str) -> dict[str, Any]:
        """Return the data fields of a record, given its line.

        Raises
        ------
        ParseError
            The line is not a record of this kind, or the record has another version or is damaged. The error names
            the file, ``source``.
        """
        if not self.begins(data):
            raise ParseError("not in the format {name!r}: {advice}", self.name, self.advice, source=source)
        try:
            record = json.loads(data)
        except (ValueError, RecursionError):
            raise self.damaged(source) from None
        stated, version = record.pop("digest", None), record.get("version")
        if natural(version) and version != self.version:
            raise ParseError(
                "version {version} of the format {name!r}, not version {expected}: {advice}",
                version,
                self.name,
                self.version,
                self.advice,
                source=source,
            )
        if stated != _digest(record) or not fits(record, {"format": str, "version": int, **self.shape}):
            raise self.damaged(source)
        return {name: record[name] for name in self.shape}

    def damaged(self, source: str) -> ParseError:
        """Return the error for a damaged file; ``source`` is its name."""
        return ParseError("the file is damaged: {advice}", self.advice, source=source)


def digest(blocks: Iterable[Any]) -> str:
    """Return a checksum of the bytes of all blocks in order, as 32 hexadecimal digits.

    Examples
    --------
    >>> digest([b"a", b"b"]) == digest([b"ab"]) != digest([b"ba"])
    True
    """
    state = blake2b(digest_size=16)
    for block in blocks:
        state.update(block)
    return state.hexdigest()


def natural(value: object) -> bool:
    """Return whether a value is an integer that is 0 or more; True and False are not integers here."""
    return type(value) is int and value >= 0


def fits(value: object, shape: Any) -> bool:  # noqa: ANN401
    """Return whether a JSON value has a shape.

    These are the shapes:

    - a type: the value must be of exactly this type;
    - a function: it must return True for the value;
    - a tuple of shapes: the value must have one of them;
    - a list of one shape: the value must be a list, of any length, whose entries have this shape;
    - a list of several shapes, or none: the value must be a list of this length, whose entries have these shapes;
    - a dict: the value must be a dict with exactly these keys, and the value of each key must have its shape;
    - any other object: the value must equal it.

    Examples
    --------
    >>> fits([1, -2], [int]), fits([1, True], [int]), fits({"a": None}, {"a": (natural, None)})
    (True, False, True)
    """
    if isinstance(shape, tuple):
        return any(fits(value, alternative) for alternative in shape)
    if isinstance(shape, list):
        return isinstance(value, list) and (
            all(fits(entry, shape[0]) for entry in value)
            if len(shape) == 1
            else len(value) == len(shape) and all(map(fits, value, shape))
        )
    if isinstance(shape, dict):
        return isinstance(value, dict) and value.keys() == shape.keys() and all(fits(value[k], shape[k]) for k in shape)
    if isinstance(shape, type):
        return type(value) is shape
    return bool(shape(value)) if callable(shape) else value == shape


def whole_value(source: Source) -> Any:  # noqa: ANN401
    """Read all of a source as one JSON text and return its value; raise ParseError if Python cannot read it as JSON."""
    text = source.read_text()
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        fault = Message("no JSON text: {error}", system_message(error.msg.lower()))
        raise source.error(fault, line=error.lineno, column=error.colno) from None
    except (ValueError, RecursionError) as error:
        raise source.error(Message("no JSON text: {error}", error)) from None


def _digest(record: dict[str, Any]) -> str:
    return digest([json.dumps(record, sort_keys=True).encode()])
