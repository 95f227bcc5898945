"""A JSON text read piece by piece, so that errors have a place and large arrays need no memory of their own.

No name stands twice in an object, numbers are finite, and a position is an array at most a hundred deep.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from math import isfinite
from typing import Any

from graphgame.errors import Message, ParseError, known
from graphgame.io.source import BLOCK, Source, items_of

_SPACE = re.compile(r"[ \t\n\r]*")
_DEEPEST = 100
_LARGE = 1 << 16


class JSONText:
    """A cursor in a JSON text.

    Examples
    --------
    >>> text = JSONText(Source(b'{"play": "normal", "values": [1, 2]}'))
    >>> for name in text.members():
    ...     print(name, list(text.elements()) if name == "values" else text.value())
    play normal
    values [1, 2]
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        source.refuse_empty(Message("a JSON object"))
        self._text = source.read_text()
        self._offset = 0
        self._start = 0
        self._mixed_until = 0

    def members(self) -> Iterator[str]:
        """Yield the names of the object here; read the value of each before going on.

        The text must end after the object.
        """
        self._expect("{", Message("expected a JSON object"))
        names: set[str] = set()
        if not self._accept("}"):
            while True:
                name = self.value()
                if not isinstance(name, str):
                    raise self.error(Message("{name!r}: expected a name in quotes", name))
                if name in names:
                    raise self.error(Message("a second {name!r}: expected each name once", name))
                names.add(name)
                self._expect(":", Message("expected a colon"))
                yield name
                if self._accept("}"):
                    break
                self._expect(",", Message("expected a comma or }"))
        self._skip_space()
        if self._offset < len(self._text):
            raise self._error_at("text after the object: expected the end", self._offset)

    def elements(self, item: str = "", take: Callable[[list[str]], bool] | None = None) -> Iterator[Any]:
        """Yield the elements of the array here, but those that ``take`` gets, many at a time.

        ``item`` is a regular expression for a simple element. Where a block of the text holds nothing else, ``take`` is
        called with the groups of its elements in one list, and returns whether it has taken them.
        """
        self._expect("[", Message("expected a JSON array"))
        if self._accept("]"):
            return
        simple = re.compile(rf"\s*+{item}\s*+,") if take is not None and len(self._text) > _LARGE else None
        while True:
            while simple is not None and take is not None and self._take_block(simple, take):
                pass
            yield self.value()
            if self._accept("]"):
                return
            self._expect(",", Message("expected a comma or ]"))

    def _take_block(self, item: re.Pattern[str], take: Callable[[list[str]], bool]) -> bool:
        """Go past a block of simple elements; return False where there is none, and then until the block's end."""
        if self._offset < self._mixed_until:
            return False
        last = self._offset + BLOCK
        for stop in (last, self._text.find("]", self._offset, last)):  # a block may go on behind the array
            end = self._text.rfind("},", self._offset, max(stop, 0)) + 2
            run = items_of(item, self._text[self._offset : end]) if end > self._offset else None
            if run and take(run):
                self._offset = end
                return True
        self._mixed_until = last
        return False

    def value(self) -> Any:  # noqa: ANN401
        """Return the value here, of any kind."""
        self._skip_space()
        self._start = self._offset
        try:
            value, self._offset = _DECODER.raw_decode(self._text, self._offset)
        except json.JSONDecodeError as error:
            raise self._error_at(Message("not JSON: {error}", known(error.msg.lower())), error.pos) from None
        except ValueError as error:
            raise self.error(Message("not JSON: {error}", error)) from None
        except RecursionError:
            raise self.error("not a graph: the JSON is nested too deeply") from None
        return value

    def position(self, value: Any) -> Hashable:  # noqa: ANN401
        """Return a value, or a part of one, as a position."""
        try:
            return position_of_json(value)
        except TypeError as error:
            raise self.error(Message("position {value!r}: {error}", value, error)) from None

    def error(self, message: str) -> ParseError:
        """Return an error at the value that was read last."""
        return self._error_at(message, self._start)

    def _skip_space(self) -> None:
        self._offset = _SPACE.match(self._text, self._offset).end()  # type: ignore[union-attr]

    def _accept(self, mark: str) -> bool:
        self._skip_space()
        found = self._text.startswith(mark, self._offset)
        self._offset += found
        return found

    def _expect(self, mark: str, message: str) -> None:
        if not self._accept(mark):
            ended = self._offset == len(self._text)
            raise self._error_at(Message("the text ends: {message}", message) if ended else message, self._offset)

    def _error_at(self, message: str, offset: int) -> ParseError:
        return self._source.error_in_text(message, self._text, offset)


def loads(text: str) -> Any:  # noqa: ANN401
    """Return the value of a JSON text; raise ValueError where it is none, repeats a name, or holds no finite number."""
    return _DECODER.decode(text)


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


def position_of_json(value: Any, depth: int = 0) -> Hashable:  # noqa: ANN401
    """Return a value of JSON as a position: arrays become tuples.

    A TypeError tells of ``null``, which networkx does not take for a node, of an object, or of arrays too deep in
    others.
    """
    if isinstance(value, list):
        if depth == _DEEPEST:
            raise TypeError(Message("arrays more than {most} deep", _DEEPEST))
        return tuple(position_of_json(part, depth + 1) for part in value)
    if isinstance(value, dict) or (value is None and depth == 0):
        raise TypeError(Message("expected a string, a number or an array"))
    return value  # type: ignore[no-any-return]


def first_repeated(values: Iterable[Hashable]) -> Hashable:
    """Return the first value that was there before."""
    seen: set[Hashable] = set()
    return next(value for value in values if value in seen or seen.add(value))  # type: ignore[func-returns-value]


def _refuse_constant(name: str) -> None:
    raise ValueError(Message("{name} is not a number of JSON", name))


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(Message("{digits!r} is too large for a number", digits))
    return number


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(Message("a second {name!r} in an object", first_repeated(name for name, _ in pairs)))
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_unrepeated, parse_float=_finite, parse_constant=_refuse_constant)
