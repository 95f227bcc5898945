"""Read numbers from text, a block of lines at a time: by compiled loops or, with the same results, in plain Python."""

from __future__ import annotations

import re
import threading
from itertools import islice

import numpy as np

from graphgame.compiled.engine import prefetched, use_compiled
from graphgame.errors import Message, ParseError, shorten
from graphgame.io import scan_kernels
from graphgame.io.scan_kernels import ALONE as ALONE
from graphgame.io.source import Source, count_lines

_USUAL_BYTES_AN_EDGE = 16  # an estimate: two numbers of seven digits, a space and a newline
_COMMENT = re.compile(rb"(?<!\S)[#%][^\n]*")
_NOT_A_NUMBER = re.compile(rb"(?<!\S)(?!-?\d{1,18}(?!\S))\S+")
_OTHER_LINE = rb"""(?mx) ^(?! [#%]
    | [^\S\n]* (?: (?:0|-?[1-9]\d{0,17}) (?: [^\S\n]+ (?:0|-?[1-9]\d{0,17}) )? [^\S\n]* )? $ )"""


class Scanner:
    """Reads the numbers of blocks of text, by compiled loops if the source is large. Threads may share it."""

    def __init__(self, source: Source) -> None:
        self._size = source.size or 0
        self._seen = 0
        self._own = threading.local()

    def numbers(self, block: bytes) -> tuple[np.ndarray, int, int]:
        """Return the numbers of a block, up to the first word that is not an integer of at most 18 digits.

        The second result is the offset of this word, or of the block's end; the third, the count of newlines before it.
        A word that begins with ``#`` or ``%`` is skipped, with the rest of its line. The block ends in a newline.
        """
        if self._compiled(block):
            room = self._room(block)
            count, stop, lines = scan_kernels.numbers(np.frombuffer(block, np.uint8), room)
            return room[:count].copy(), stop, lines
        text = _without_comments(block)
        wrong = _NOT_A_NUMBER.search(text)
        stop = wrong.start() if wrong else len(text)
        return np.array(list(map(int, text[:stop].split())), np.int64), stop, count_lines(text[:stop])

    def pairs(self, block: bytes) -> tuple[np.ndarray, int]:
        """Return two numbers for each line, up to the first line of another form, and the offset of this line.

        A line has two integers of at most 18 digits in canonical form, or one: then its second number is ``ALONE``.
        Blank lines and lines that begin with ``#`` or ``%`` are skipped. If no line has another form, the offset is the
        end of the block.
        """
        if self._compiled(block):
            room = self._room(block)
            count, stop = scan_kernels.pairs(np.frombuffer(block, np.uint8), room)
            return room[:count].copy(), stop  # A copy, because the next block overwrites ``room``.
        other = re.compile(_OTHER_LINE).search(block, 0, len(block) - 1)
        stop = other.start() if other else len(block)
        values: list[int] = []
        for line in block[:stop].split(b"\n"):
            if not line.startswith((b"#", b"%")):
                words = list(map(int, line.split()))
                values += [*words, ALONE] if len(words) == 1 else words
        return np.array(values, np.int64), stop

    def _compiled(self, block: bytes) -> bool:
        self._seen += len(block)  # A pipe has no known size: it counts as large once many bytes were read.
        return use_compiled(max(self._size, self._seen) // _USUAL_BYTES_AN_EDGE)

    def _room(self, block: bytes) -> np.ndarray:
        """Return an array with room for the numbers of a block; each thread reuses its own.

        One entry for each byte is enough: even a line of one digit and its newline, two bytes, gives only two numbers.
        Entries that are not written take no memory.
        """
        if len(getattr(self._own, "room", ())) <= len(block):
            self._own.room = np.empty(len(block) + 1, np.int64)
        return self._own.room  # type: ignore[no-any-return]


class Numbers:
    """The integers of a text, split at any white space, without comments.

    ``expected`` says what the next number is, for errors. With ``ahead``, threads read some blocks of the text in
    advance: use it for a file that is read to its end.
    """

    def __init__(self, source: Source, *, ahead: bool = False) -> None:
        self.expected = "a number"
        self._source = source
        self._scanner = Scanner(source)
        scan, blocks = self._scanner.numbers, source.whole_lines()
        self._blocks = prefetched(scan, blocks) if ahead else ((block, scan(block)) for block in blocks)
        self._block = b""
        self._line = 1
        self._lines = 0
        self._values = np.empty(0, np.int64)
        self._index = 0
        self._stop = 0

    def take(self, most: int) -> np.ndarray:
        """Return at least 1 and at most ``most`` of the next numbers; an empty array at the end of the text.

        The caller may change the array. Raise a ParseError if the next word is not an integer of at most 18 digits.
        """
        while self._index == len(self._values) and self._advance():
            pass
        taken = self._values[self._index : self._index + most]
        self._index += len(taken)
        return taken

    def error(self, message: str, back: int = 1) -> ParseError:
        """Return a ParseError at the last number taken, or ``back`` - 1 numbers earlier in the same block."""
        words = re.finditer(rb"\S+", _without_comments(self._block))
        word = next(islice(words, self._index - back, None))
        return self._source.error_at(message, self._block, word.start(), self._line)

    def error_at_end(self, message: str) -> ParseError:
        """Return a ParseError at the end of the text."""
        return self._source.error_at(message, self._block, len(self._block.rstrip()), self._line)

    def _advance(self) -> bool:
        """Go to the next block and return True, or return False at the end of the text.

        If a word stopped the scan of the current block (see :meth:`take`), raise a ParseError at this word.
        """
        if self._stop < len(self._block):
            raise self._wrong_word()
        scanned = next(self._blocks, None)
        if scanned is None:
            return False
        self._line += self._lines
        self._block, (self._values, self._stop, self._lines) = scanned
        self._index = 0
        return True

    def _wrong_word(self) -> ParseError:
        start = self._stop
        line_end = self._block.index(b"\n", start)
        line = self._block[self._block.rfind(b"\n", 0, start) + 1 : line_end]
        number = self._line + self._block.count(b"\n", 0, start)
        self._source.decode(line, number)
        word = self._block[start:line_end].split()[0].decode()
        found = (
            Message("the number {number!r}, which has more than 18 digits", word)
            if re.fullmatch("-?[0-9]+", word)
            else shorten(word)
        )
        return self._source.error_at(
            Message("expected {expected}, found {found}", self.expected, found), self._block, start, self._line
        )


class Columns:
    """Two columns of 32-bit integers, which become 64-bit when a number needs it.

    They have room for ``capacity`` rows, or grow. Unfilled rows take no memory until the columns grow or become 64-bit.
    """

    def __init__(self, capacity: int) -> None:
        self._columns = [np.empty(capacity, np.int32), np.empty(capacity, np.int32)]
        self._count = 0

    def __len__(self) -> int:
        """Return the number of entries in both columns together."""
        return self._count

    def extend(self, values: np.ndarray) -> None:
        """Append entries alternately to the first and the second column; a later call continues where this one ends."""
        self._reserve((self._count + len(values) + 1) // 2)
        self._widen(values)
        for first in (0, 1):
            row, column = divmod(self._count + first, 2)
            part = values[first::2]
            self._columns[column][row : row + len(part)] = part
        self._count += len(values)

    def append(self, *parts: np.ndarray) -> None:
        """Append rows, given as two arrays: their entries in the first column, and in the second."""
        row, rows = self._count // 2, len(parts[0])
        self._reserve(row + rows)
        for column, part in enumerate(parts):
            self._widen(part)
            self._columns[column][row : row + rows] = part
        self._count += 2 * rows

    def finish(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the two columns; an entry of the first without one in the second is left out."""
        source, target = (column[: self._count // 2] for column in self._columns)
        return source, target

    def _widen(self, values: np.ndarray) -> None:
        if self._columns[0].dtype == np.int64 or len(values) == 0 or np.can_cast(values.dtype, np.int32):
            return
        if not -(2**31) <= int(values.min()) <= int(values.max()) < 2**31:
            self._columns = [column.astype(np.int64) for column in self._columns]

    def _reserve(self, rows: int) -> None:
        if rows > len(self._columns[0]):
            for column in self._columns:
                column.resize(max(rows, len(column) * 5 // 4), refcheck=False)


def _without_comments(text: bytes) -> bytes:
    """Return the text with spaces in place of comments, so that all other words keep their offsets."""
    if b"#" not in text and b"%" not in text:
        return text
    return _COMMENT.sub(lambda comment: b" " * len(comment[0]), text)
