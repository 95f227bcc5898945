"""A JSON text read piece by piece, so that errors have a place and large arrays need no memory of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from graphgame.errors import ParseError, shorten
from graphgame.io.files import Source
from graphgame.io.interchange import error_in_text

__all__ = ["JSONText"]

_SPACE = re.compile(r"[ \t\n\r]*")


class JSONText:
    """A cursor in a JSON text.

    Parameters
    ----------
    source : Source

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
        self._text = source.read_text()
        self._offset = 0
        self._start = 0
        self._decoder = json.JSONDecoder(parse_constant=_refuse_constant)

    def members(self) -> Iterator[str]:
        """Yield the names of the object here; read the value of each before going on.

        The text must end after the object.
        """
        self._expect("{", "expected a JSON object")
        if not self._accept("}"):
            while True:
                name = self.value()
                if not isinstance(name, str):
                    raise self.error(f"{shorten(name)}: expected a name in quotes")
                self._expect(":", "expected a colon")
                yield name
                if self._accept("}"):
                    break
                self._expect(",", "expected a comma or }")
        self._skip_space()
        if self._offset < len(self._text):
            raise self._error_at("text after the object: expected the end", self._offset)

    def elements(self) -> Iterator[Any]:
        """Yield the elements of the array here."""
        self._expect("[", "expected a JSON array")
        if self._accept("]"):
            return
        while True:
            yield self.value()
            if self._accept("]"):
                return
            self._expect(",", "expected a comma or ]")

    def value(self) -> Any:  # noqa: ANN401
        """Return the value here, of any kind."""
        self._skip_space()
        self._start = self._offset
        try:
            value, self._offset = self._decoder.raw_decode(self._text, self._offset)
        except json.JSONDecodeError as error:
            raise self._error_at(f"not JSON: {error.msg.lower()}", error.pos) from None
        except ValueError as error:
            raise self.error(f"not JSON: {error}") from None
        except RecursionError:
            raise self.error("not a graph: the JSON is nested too deeply") from None
        return value

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
            raise self._error_at(f"the text ends: {message}" if ended else message, self._offset)

    def _error_at(self, message: str, offset: int) -> ParseError:
        return error_in_text(self._source, message, self._text, offset)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON")
