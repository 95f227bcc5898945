r"""Rules that all formats share: positions and labels as text, positions as integers, tokens.

Text of a position
------------------
In GraphML, GEXF and DOT every position is written as a text. The attribute ``positions`` of the graph tells how:

``int``
    decimal integers;
``str``
    strings, as they stand;
``json``
    JSON: strings in quotes, numbers, ``true``, ``false``, and arrays, which become tuples. Used for tuples, floats,
    bools, integers beyond 64 bits, strings with control characters, and positions of several types.

If JSON cannot express a position, all are written as their ``str``. Without the attribute the positions are integers if
every text is an integer in canonical form (64 bits, no ``+``, no leading zeros, no ``-0``); otherwise they are strings.

The attribute ``tokens`` of the graph holds the tokens as a JSON array of positions. Node-link JSON has no attribute
``positions``: there every position is a JSON value.

Words and labels
----------------
In edge lists and adjacency lists, a line is split at white space into words; each word is a label. A word that begins
with a double quote is a JSON string, which may contain any character: ``"two words"``, ``"a\nb"``, ``""``. If every
label of a file is an integer in canonical form (in edge lists also ``3.0``), and no label is quoted, the
positions are integers; otherwise all are strings. Positions of other types are written as their ``str``.

A line whose first character is ``#`` or ``%`` is a comment; elsewhere in a line the two characters are like any other.
The comment ``# tokens: a b`` names the positions on which tokens stand.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from math import isfinite
from operator import eq
from typing import Any, TypeAlias, cast

import numpy as np

from graphgame.errors import FormatError, Message, ParseError, UndirectedGraphError
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, RangeLabels, are_integers
from graphgame.io import scan_kernels
from graphgame.io.edges import EncodedTexts, encoded
from graphgame.io.files import Source

_INTEGER = re.compile(r"-?[1-9][0-9]{0,18}|0")
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_DOT_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})
COMMENT = ("#", "%")

TokensOf: TypeAlias = Callable[[Labels, bool], "list[Hashable] | None"]
"""``tokens(positions, are_integers)`` gets all positions, and returns the tokens; None if the file lists none."""

_SIGNS_OF_WORDS = bytes(sign for sign in range(ord(" ") + 1, 128) if chr(sign) not in '"#%.+({')
WORD = re.compile(r'("(?:[^"\\]|\\.)*"(?!\S))|[^\s"]\S*|(\S+)')
WHOLE = re.compile(r"(-?\d+)(?:\.0+)?|-?\d\.\d+e\+\d\d|-?\d+e\+\d\d")
"""A number that may be an integer: 3, 3.0 or, as NumPy writes it, 1.2e+01. Group 1 is the 3 of 3 and 3.0."""
MISSING = re.compile("|".join(scan_kernels.MISSING))
"""A cell that other programs write for a missing value. In place of an option it means: no option."""
_LONGEST_FIELD = 2**31 - 1
TOKENS = re.compile(r"#[ \t]*tokens:")
"""The start of a comment that names tokens, up to its colon."""
_TOKEN_LINE = re.compile(rb"^#[ \t]*tokens:.*", re.M)


def position_texts(labels: Sequence[Hashable]) -> tuple[str, Iterable[str]]:
    """Return the kind of positions (``int``, ``str`` or ``json``), and their texts, for a file that states the kind.

    If JSON cannot express a position, the kind is ``str``; raise a FormatError if two then have the same text.

    Examples
    --------
    >>> for labels in ([1, 2], ["1", "a"], [1, "1"], [(1, 2)]):
    ...     kind, texts = position_texts(labels)
    ...     print(kind, list(texts))
    int ['1', '2']
    str ['1', 'a']
    json ['1', '"1"']
    json ['[1, 2]']
    """
    if are_integers(labels):
        return "int", map(str, labels)
    types = set(map(type, labels))
    positions: Any = list(labels) if types <= {str, int} else list(map(_plain, labels))
    types = set(map(type, positions))
    if types <= {int} and all(-(2**63) <= position < 2**63 for position in positions):
        return "int", map(str, positions)
    if types <= {str} and ((joined := "".join(positions)).isprintable() or not UNPRINTABLE.search(joined)):
        return "str", positions
    if type(None) not in types and all(map(_is_json, positions)):
        return "json", map(json.dumps, positions)
    return "str", unique_texts(positions)


def dot_string(text: str) -> str:
    r"""Return a text as a string of DOT, in quotes, with the escapes ``\\``, ``\"``, ``\n`` and ``\r``.

    Examples
    --------
    >>> print(dot_string('a "b" \\ c'))
    "a \"b\" \\ c"
    """
    return f'"{text.translate(_DOT_ESCAPES)}"'


def unique_texts(labels: Sequence[Hashable]) -> list[str]:
    """Return the ``str`` of every position; raise a FormatError if two positions have the same text."""
    if set(map(type, labels)) == {str}:
        return cast("list[str]", list(labels))
    texts = list(map(str, labels))
    if not are_integers(labels) and len(set(texts)) < len(texts):
        raise FormatError(
            "two positions have the same text, {text!r}: give the positions different names first",
            first_repeated(texts),
        )
    return texts


def is_integer(text: str) -> bool:
    """Tell whether a text is an integer in canonical form: 64 bits, no sign but ``-``, no leading zeros, not ``-0``.

    Examples
    --------
    >>> [is_integer(text) for text in ("7", "-7", "07", "+7", "9223372036854775807", "9223372036854775808")]
    [True, True, False, False, True, False]
    """
    return _INTEGER.fullmatch(text) is not None and -(2**63) <= int(text) < 2**63


def as_integers(texts: Sequence[str]) -> np.ndarray | None:
    """Return texts as an array of integers; None if a text does not satisfy :func:`is_integer`.

    Examples
    --------
    >>> as_integers(["7", "-7"]), as_integers(["7", "07"])
    (array([ 7, -7]), None)
    """
    try:
        numbers = np.array(list(map(int, texts)), np.int64)
    except (ValueError, OverflowError):
        return None
    return numbers if all(map(eq, map(str, numbers.tolist()), texts)) else None


def graph_attributes(graph: GameGraph, kind: str) -> dict[str, str]:
    """Return the attributes of a graph for a file: the kind of its positions and, unless None, its tokens as JSON.

    Examples
    --------
    >>> graph_attributes(GameGraph([(1, 2)], tokens=[1, 1]), "int")
    {'positions': 'int', 'tokens': '[1, 1]'}
    """
    if graph.tokens is None:
        return {"positions": kind}
    shown: Callable[[Any], Any] = str if kind == "str" else _plain
    tokens = [shown(graph.labels[graph.number_of(token)]) for token in graph.tokens]
    return {"positions": kind, "tokens": json.dumps(tokens, ensure_ascii=kind == "json")}


def _plain(position: Any) -> Any:  # noqa: ANN401
    return position.item() if isinstance(position, np.generic) else position


def _is_json(position: Any) -> bool:  # noqa: ANN401
    if isinstance(position, tuple):
        return all(map(_is_json, position))
    if isinstance(position, float):
        return isfinite(position)
    return position is None or isinstance(position, str | int)


def first_repeated(values: Iterable[Hashable]) -> Hashable:
    """Return the first value that is equal to an earlier value; at least one must be."""
    seen: set[Hashable] = set()
    return next(value for value in values if value in seen or seen.add(value))  # type: ignore[func-returns-value]


def numbered(graph: GameGraph, first: int, *, relabel: bool = False) -> GameGraph:
    """Return the graph with the integers first, first + 1, ... as positions, in increasing order.

    With ``relabel`` the vertices get these integers in the order of the graph. Otherwise raise a FormatError unless the
    positions are these integers already, in any order.

    Examples
    --------
    >>> list(numbered(GameGraph([(2, 3), (1, 2)]), 1))
    [1, 2, 3]
    """
    count = len(graph)
    if isinstance(graph.labels, RangeLabels) and (count == 0 or graph.labels[0] == first):
        return graph
    number = np.arange(count) if relabel else _own_numbers(graph, first)
    tokens = None if graph.tokens is None else [int(number[graph.number_of(token)]) + first for token in graph.tokens]
    sums, decided = (None if kinds is None else kinds[np.argsort(number)] for kinds in (graph.sums, graph.decided))
    return GameGraph.from_arrays(
        number[graph.option_rows.row_indices()],
        number[graph.option_rows.indices],
        range(first, first + count),
        sums=sums,
        decided=decided,
        tokens=tokens,
    )


def _own_numbers(graph: GameGraph, first: int) -> np.ndarray:
    """Return ``label - first`` for each vertex; raise a FormatError if these are not 0 to n - 1 in any order."""
    count = len(graph)
    numbers = [label - first if type(label) is int else -1 for label in graph.labels]
    if set(numbers) != set(range(count)):
        last = f"{first + count - 1}" if count else "?"
        raise FormatError(
            "in this format the positions are the numbers {first}..{last}, but the graph has other "
            "positions: write an edge list, or number the positions by graphgame convert --relabel",
            first,
            last,
        )
    return np.array(numbers, np.int64)


def is_integer_label(label: object) -> bool:
    """Tell whether a label is an integer of 64 bits, of Python or NumPy; False for a bool."""
    return isinstance(label, int | np.integer) and not isinstance(label, bool) and -(2**63) <= int(label) < 2**63


def word(label: str) -> str:
    r"""Return a label as a word of a list: unchanged, or as a JSON string if it could be read as anything else.

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
        and not label.startswith(('"', "\ufeff", *COMMENT, "{", "("))  # "{" looks like a Python dict, "(" like a tuple
        and not any(map(str.isspace, label))
        and "\0" not in label
    )
    plain = plain and label.lower() != "source" and not reads_otherwise(label)
    return label if plain else json.dumps(label, ensure_ascii=False)


def reads_otherwise(label: str) -> bool:
    """Tell whether a reader may take a label without quotes for a missing value, or for an integer such as 3.0.

    Examples
    --------
    >>> [reads_otherwise(label) for label in ("NA", "nan", "3.0", "3", "banana")]
    [True, True, True, False, False]
    """
    return (WHOLE.fullmatch(label) is not None and not is_integer(label)) or MISSING.fullmatch(label) is not None


def split_line(line: str, source: Source, number: int, most: int | None = None) -> list[str]:
    """Return the first ``most`` labels of line ``number``; raise a ParseError if a quoted one is not JSON."""
    if '"' not in line:
        return line.split()[:most]
    return [_label(word, source, number) for word in islice(WORD.finditer(line), most)]


def _label(word: re.Match[str], source: Source, number: int) -> str:
    quoted, broken = word.groups()
    if broken is None and quoted is None:
        return word[0]
    try:
        return str(json.loads(quoted or broken))
    except ValueError:
        message = Message(
            "the label {label!r} begins with a quote: expected a JSON string, with a closing quote and "
            "then white space",
            word[0],
        )
        raise source.error(message, line=number, column=word.start() + 1, text=word.string.rstrip("\r")) from None


def undirected(error: ParseError) -> UndirectedGraphError:
    """Return an UndirectedGraphError whose message has the file, the line, the column and the message of ``error``."""
    location = ":".join(str(part) for part in (error.source, error.line, error.column) if part is not None)
    return UndirectedGraphError(Message("{place}: {fault}", location, error.message))


class TokenLines:
    """Collects the comments ``# tokens: a b`` of a file."""

    def __init__(self, source: Source) -> None:
        self._source = source
        # (label of a token, number of its line, the line) for each token; None before the first comment with tokens.
        self._tokens: list[tuple[str, int, str]] | None = None

    def add_from(self, block: bytes, line: int) -> None:
        """Add the comments ``# tokens: a b`` of a block of whole lines; ``line`` is the number of its first line."""
        if b"#" in block:
            for comment in _TOKEN_LINE.finditer(block):
                number = line + block.count(b"\n", 0, comment.start())
                self.add(self._source.decode(comment[0], number), number)

    def add(self, comment: str, number: int) -> None:
        """Add the tokens that a comment in line ``number`` names; ignore other comments."""
        if TOKENS.match(comment):
            blanked = comment.replace("#", " ", 1).replace("tokens:", "       ", 1)
            words = split_line(blanked, self._source, number)
            self._tokens = [*(self._tokens or []), *((label, number, comment) for label in words)]

    def positions(self, labels: Labels, integers: bool) -> list[Hashable] | None:
        """Return the positions of the tokens, in the order of the file; None without a comment ``# tokens:``.

        ``labels`` are all positions of the graph, and ``integers`` tells whether they are integers. Raise a ParseError
        if a token is not one of them.
        """
        if self._tokens is None:
            return None
        positions: list[Hashable] = []
        for label, number, line in self._tokens:
            positions.append(int(label) if integers and is_integer(label) else label)
            if positions[-1] not in labels:
                message = Message("token {token!r} is not a position of the graph", label)
                column = max(line.rfind(label), 0) + 1
                raise self._source.error(message, number, column, line.rstrip("\r"))
        return positions


def position_words(graph: GameGraph) -> tuple[Labels | EncodedTexts, Callable[[str], str]]:
    """Return (the word of each position, by vertex number; the function that turns a text into a word).

    If all positions look like integers, but some are strings, all words are quoted. In place of words, a label table of
    integers is returned as it is: :func:`graphgame.io.edges.edge_lines` writes it in decimal.
    """
    if are_integers(graph.labels):
        return graph.labels, str
    texts = unique_texts(graph.labels)
    if all(map(is_integer_label, graph.labels)):
        return encoded(texts), str
    if all(map(is_integer, texts)):
        return encoded(texts, json.dumps, b""), json.dumps
    return encoded(texts, word, _SIGNS_OF_WORDS, "source", *scan_kernels.MISSING), word


def token_line(graph: GameGraph, word_of: Callable[[str], str]) -> str:
    """Return the comment ``# tokens: a b`` with a newline; an empty text if ``graph.tokens`` is None.

    ``word_of`` is the function that :func:`position_words` returns.
    """
    if graph.tokens is None:
        return ""
    tokens = (str(graph.labels[graph.number_of(token)]) for token in graph.tokens)
    return " ".join(["# tokens:", *map(word_of, tokens)]) + "\n"


@contextmanager
def long_fields() -> Iterator[None]:
    """Let the csv module read long fields in this block; it otherwise refuses more than 131,072 characters."""
    limit = csv.field_size_limit(_LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


class WordRows:
    """Iterates over (number, line) pairs: yields the first ``most`` words of each line with words, except comments."""

    def __init__(self, source: Source, lines: Iterable[tuple[int, str]], most: int | None = None) -> None:
        self._source, self._lines, self._most = source, lines, most
        self._number, self.line = 1, ""

    def __iter__(self) -> Iterator[list[str]]:
        for number, line in self._lines:
            self._number, self.line = number, line
            if not line.startswith(COMMENT) and (words := split_line(line, self._source, number, self._most)):
                yield words

    def is_quoted(self, index: int) -> bool:
        """Tell whether a word of the line that was yielded last is in quotes; ``index`` counts words from 0."""
        return '"' in self.line and [*WORD.finditer(self.line)][index][0].startswith('"')

    def error(self, message: str, *facts: object, index: int = 0) -> ParseError:
        """Return a ParseError, ``Message(message, *facts)``, at word ``index`` (from 0) of the line yielded last."""
        start = [word.start() for word in WORD.finditer(self.line)][index]
        return self._source.error(
            Message(message, *facts), line=self._number, column=start + 1, text=self.line.rstrip("\r")
        )


class CSVRows:
    """Iterates over (number, line) pairs of CSV: yields the fields of each row, which may have several lines."""

    def __init__(self, source: Source, lines: Iterable[tuple[int, str]], delimiter: str = ",") -> None:
        self._source, self._lines, self._delimiter = source, lines, delimiter
        self._number, self.line = 1, ""
        self._lines_of_row: list[str] = []
        end = re.escape(delimiter)
        self._field = re.compile(rf'(?:"[^"]*(?:""[^"]*)*"|[^{end}]*)(?:{end}|\Z)')

    def __iter__(self) -> Iterator[list[str]]:
        try:
            for row in csv.reader(self._noted(), delimiter=self._delimiter, strict=True):
                yield row
                self._lines_of_row.clear()
        except csv.Error as error:  # Only the text of the error tells what is wrong.
            fault = Message("the row is not CSV, {fault}: expected fields quoted as in CSV", str(error).lower())
            if "new-line" in str(error):
                fault = Message("a field without quotes contains a carriage return: expected fields quoted as in CSV")
            raise self.error(fault) from None

    def is_quoted(self, index: int) -> bool:
        """Tell whether a field of the row that was yielded last is in quotes; ``index`` counts fields from 0."""
        return self._field_at(index)[0].startswith('"')

    def error(self, message: str, *facts: object, index: int | None = None) -> ParseError:
        """Return a ParseError, ``Message(message, *facts)``, at field ``index`` (from 0) of the row yielded last.

        If ``index`` is None, the error is at column 1 of the line read last.
        """
        line, number, column = self.line, self._number, 1
        if index is not None:
            field = self._field_at(index)
            above = field.string[: field.start()].split("\n")
            line = self._lines_of_row[len(above) - 1]
            number -= len(self._lines_of_row) - len(above)
            column += len(above[-1]) + len(field[0]) - len(field[0].lstrip())
        return self._source.error(Message(message, *facts), line=number, column=column, text=line.rstrip("\r"))

    def _field_at(self, index: int) -> re.Match[str]:
        """Return the match of field ``index`` (from 0) in the lines of the row that was yielded last."""
        return [*self._field.finditer("\n".join(self._lines_of_row))][index]

    def _noted(self) -> Iterator[str]:
        for number, line in self._lines:
            self._number, self.line = number, line
            self._lines_of_row.append(line)
            yield line + "\n"
