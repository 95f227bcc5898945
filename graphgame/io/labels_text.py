r"""What the text formats share: labels as words, tokens in a comment, and the texts of positions.

Words and labels
----------------
A line is split at white space into words; each word is a label. A word that begins with a double quote is a JSON
string, which may hold anything: ``"two words"``, ``"a\nb"``, ``""``. If every label of a file is an integer in its
usual form (no sign but ``-``, no leading zeros, 64 bits) and none is quoted, the positions are integers; else all are
strings. Positions of another type are written as their ``str``.

A line whose first character is ``#`` or ``%`` is a comment; inside a line the two have no meaning. The comment
``# tokens: a b`` names the positions on which tokens stand.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import numpy as np

from graphgame.arrays.labels import Labels, are_integers
from graphgame.errors import Message, ParseError
from graphgame.graph import GameGraph
from graphgame.io.files import Source
from graphgame.io.interchange import is_integer, unique_texts

COMMENT = ("#", "%")

TokensOf: TypeAlias = Callable[[Labels, bool], "list[Hashable] | None"]
"""Positions, and whether they are integers -> the tokens among them, None where there are none."""

WORD = re.compile(r'("(?:[^"\\]|\\.)*"(?!\S))|[^\s"]\S*|(\S+)')
_LONGEST_FIELD = 2**31 - 1
_TOKENS = re.compile(r"#[ \t]*tokens:")
_TOKEN_LINE = re.compile(rb"^#[ \t]*tokens:.*", re.M)


def word(label: str) -> str:
    r"""Return a label as a word: a JSON string where it could be taken for something else.

    Examples
    --------
    >>> for label in ("a", "two words", "", "#1", "a\nb"):
    ...     print(word(label))
    a
    "two words"
    ""
    "#1"
    "a\nb"
    """
    plain = (
        label
        and not label.startswith(('"', "\ufeff", *COMMENT))
        and not any(map(str.isspace, label))
        and "\0" not in label
    )
    return label if plain and label.lower() != "source" else json.dumps(label, ensure_ascii=False)


def split_line(line: str, source: Source, number: int) -> list[str]:
    """Return the labels of a line, of this number; raise a ParseError where a quoted word is no JSON string."""
    if '"' not in line:
        return line.split()
    return [_label(found, source, number) for found in WORD.finditer(line)]


def wrong_word(message: str, index: int, line: str, source: Source, number: int) -> ParseError:
    """Return an error at a word of a line."""
    start = [found.start() for found in WORD.finditer(line)][index]
    return source.error(message, number, start + 1, line.rstrip("\r"))


def _label(found: re.Match[str], source: Source, number: int) -> str:
    quoted, broken = found.groups()
    if broken is None and quoted is None:
        return found[0]
    try:
        return str(json.loads(quoted or broken))
    except ValueError:
        message = Message(
            "{found!r} begins with a quote: expected a JSON string, closed and followed by white space", found[0]
        )
        raise source.error(message, number, found.start() + 1, found.string.rstrip("\r")) from None


class TokenLines:
    """The comments of a file that name its tokens."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._found: list[tuple[str, int, str]] | None = None

    def add_from(self, block: bytes, line: int) -> None:
        """Note the comments of a block of whole lines that begins with line number ``line``."""
        if b"#" in block:
            for comment in _TOKEN_LINE.finditer(block):
                number = line + block.count(b"\n", 0, comment.start())
                self.add(self._source.decode(comment[0], number), number)

    def add(self, comment: str, number: int) -> bool:
        """Note one comment if it names tokens, and tell whether it does."""
        if not _TOKENS.match(comment):
            return False
        blanked = comment.replace("#", " ", 1).replace("tokens:", "       ", 1)
        words = split_line(blanked, self._source, number)
        self._found = [*(self._found or []), *((label, number, comment) for label in words)]
        return True

    def positions(self, labels: Labels, integers: bool) -> list[Hashable] | None:
        """Return the tokens, None where no comment names any; raise a ParseError where one is no position."""
        return None if self._found is None else [self._position(*found, labels, integers) for found in self._found]

    def _position(self, label: str, number: int, line: str, labels: Labels, integers: bool) -> Hashable:
        position = int(label) if integers and is_integer(label) else label
        if position not in labels:
            message = Message("token {token!r} is not a position of the graph", label)
            raise self._source.error(message, number, max(line.rfind(label), 0) + 1, line.rstrip("\r"))
        return position


def position_words(graph: GameGraph) -> Labels | list[str]:
    """Return every position as a word; strings that all look like integers are quoted, integers stay as they are."""
    if are_integers(graph.labels):
        return graph.labels
    texts = unique_texts(graph.labels)
    if all(map(_is_integer, graph.labels)):
        return texts
    quote = all(map(is_integer, texts))
    return list(map(json.dumps if quote else word, texts))


def token_line(graph: GameGraph, word_of: Callable[[int], object]) -> str:
    """Return the comment that names the tokens by the words of their vertices; nothing where the graph has none."""
    if graph.tokens is None:
        return ""
    return " ".join(["# tokens:", *(str(word_of(graph.number_of(token))) for token in graph.tokens)]) + "\n"


@contextmanager
def long_fields() -> Iterator[None]:
    """Let fields of CSV be of any length in this block: the csv module refuses more than 131,072 characters."""
    limit = csv.field_size_limit(_LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


class CSVRows:
    """The rows of numbered lines in columns, with an error at the current one."""

    def __init__(self, source: Source, lines: Iterable[tuple[int, str]], delimiter: str = ",") -> None:
        self._source, self._lines, self._delimiter = source, lines, delimiter
        self._number, self._line = 1, ""

    def __iter__(self) -> Iterator[list[str]]:
        try:
            yield from csv.reader(self._noted(), delimiter=self._delimiter, strict=True)
        except csv.Error as error:  # has nothing but its text
            fault = Message("a carriage return within a field") if "new-line" in str(error) else str(error).lower()
            raise self.error(Message("{fault}: expected fields quoted as in CSV", fault)) from None

    def error(self, message: str, field: str = "") -> ParseError:
        """Return an error at a field of the current line."""
        column = max(self._line.find(field), 0) + 1
        return self._source.error(message, self._number, column, self._line.rstrip("\r"))

    def _noted(self) -> Iterator[str]:
        for number, line in self._lines:
            self._number, self._line = number, line
            yield line + "\n"


def _is_integer(label: object) -> bool:
    return isinstance(label, int | np.integer) and not isinstance(label, bool)
