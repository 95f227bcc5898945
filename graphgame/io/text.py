"""Bytes as text: its lines, and where in it an error is. Text is UTF-8."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from shlex import quote

from graphgame.errors import Message, ParseError

BLOCK = 1 << 20
"""Bytes read at a time."""

_FEW = 1 << 16
_LONGEST_LINE = 1 << 28


def items_of(item: re.Pattern[str], text: str) -> list[str] | None:
    r"""Return the groups of all items of a text, one after the other; None where the text is not made of items alone.

    This reads a long run of simple items many times as fast as item by item.

    Examples
    --------
    >>> pair = re.compile(r"(\d)-(\d),")
    >>> items_of(pair, "1-2,3-4,"), items_of(pair, "1-2,x,3-4,")
    (['1', '2', '3', '4'], None)
    """
    parts = item.split(text)  # what stands between two items, then the groups of the next
    step = item.groups + 1
    if any(parts[::step]):
        return None
    del parts[::step]
    return parts


def count_lines(text: bytes) -> int:
    r"""Return the number of newlines, four times as fast as ``bytes.count``.

    Examples
    --------
    >>> count_lines(b"a\nb\n")
    2
    """
    if len(text) < _FEW:  # what loads numpy takes longer
        return text.count(b"\n")
    import numpy as np

    return int(np.count_nonzero(np.frombuffer(text, np.uint8) == ord("\n")))


class SourceText:
    """The text of something that is read once, from its start to its end."""

    name: str

    def peek(self, size: int) -> bytes:
        """Return the first bytes, at most ``size``; they will still be read."""
        raise NotImplementedError

    def blocks(self, size: int = BLOCK) -> Iterator[bytes]:
        """Yield the bytes in blocks of about ``size``."""
        raise NotImplementedError

    def read_text(self) -> str:
        """Return the whole as text.

        Raises
        ------
        ParseError
            It is not UTF-8 text.
        """
        return self.decode(b"".join(self._unmarked_blocks()))

    def whole_lines(self) -> Iterator[bytes]:
        """Yield the bytes of the text in blocks of whole lines, each block ending in a newline.

        A byte order mark is dropped; a text whose lines end in carriage returns alone is given newlines.

        Raises
        ------
        ParseError
            The source is UTF-16 text, or a line is longer than 256 MiB.
        """
        rest: list[bytes] = []
        for block in self._unmarked_blocks():
            end = block.rfind(b"\n") + 1
            if end:
                yield b"".join([*rest, memoryview(block)[:end]])
                rest = []
            rest.append(block[end:])
            if sum(map(len, rest)) > _LONGEST_LINE:
                raise self.error(Message("a line of more than {most} MiB: expected lines of text", _LONGEST_LINE >> 20))
        if last := b"".join(rest):
            yield last + b"\n"

    def numbered_blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the blocks of :meth:`whole_lines`, each with the number of its first line."""
        number = 1
        for block in self.whole_lines():
            yield number, block
            number += count_lines(block)

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text without their newlines.

        Raises
        ------
        ParseError
            It is not UTF-8 text.
        """
        for number, block in self.numbered_blocks():
            yield from self.decode(block, number).split("\n")[:-1]

    def decode(self, data: bytes, line: int = 1) -> str:
        """Return bytes as text; ``line`` is the number of the line that they begin.

        Raises
        ------
        ParseError
            A NUL byte, or bytes that are not UTF-8.
        """
        nul = data.find(b"\0")
        if nul >= 0:
            raise self.error_at("NUL byte: expected text in UTF-8 (is the file UTF-16 or binary?)", data, nul, line)
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            message = Message(
                "byte 0x{byte} is not UTF-8 text: expected the encoding UTF-8 (iconv converts)",
                f"{data[error.start]:02x}",
            )
            raise self.error_at(message, data, error.start, line) from None

    def error(
        self, message: str, line: int | None = None, column: int | None = None, text: str | None = None
    ) -> ParseError:
        """Return a ParseError that names this source."""
        return ParseError(message, source=self.name, line=line, column=column, text=text)

    def error_at(self, message: str, data: bytes, offset: int, line: int = 1) -> ParseError:
        """Return a ParseError at an offset of bytes that begin with line number ``line``."""
        start = data.rfind(b"\n", 0, offset) + 1
        end = data.find(b"\n", offset)
        text = data[start : len(data) if end < 0 else end].decode(errors="replace").rstrip("\r")
        column = len(data[start:offset].decode(errors="replace")) + 1
        return self.error(message, line + data.count(b"\n", 0, start), column, text)

    def error_in_text(self, message: str, text: str, offset: int) -> ParseError:
        """Return a ParseError at an offset of the whole text."""
        start = text.rfind("\n", 0, offset) + 1
        end = text.find("\n", offset)
        line = text[start : len(text) if end < 0 else end].rstrip("\r")
        return self.error(message, text.count("\n", 0, start) + 1, offset - start + 1, line)

    def _unmarked_blocks(self) -> Iterator[bytes]:
        """Yield the blocks of a text without its byte order mark."""
        first = self.peek(BLOCK)
        if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            command = f"iconv -f utf-16 -t utf-8 {quote(self.name)} > utf8.txt"
            raise self.error(Message("the file is UTF-16 text: convert it by {command}", command), 1)
        old_newlines = b"\r" in first and b"\n" not in first
        for number, block in enumerate(self.blocks()):
            text = block.removeprefix(codecs.BOM_UTF8) if number == 0 else block
            yield text.replace(b"\r", b"\n") if old_newlines else text
