r"""Lists of edges as text: a position and one of its options on each line.

The formats ``edgelist`` (columns split at white space), ``csv`` and ``tsv`` are read by one reader. A line with one
label, or in CSV with an empty second field, is a position, with or without edges elsewhere; empty lines mean nothing.
Parallel edges count once. If every label is an integer (see :func:`graphgame.io.interchange.is_integer`), positions are
integers in increasing order and without gaps: a number that no line holds is no position. Otherwise all are strings, in
the order in which they come. Positions of another type are written as their ``str``.

``edgelist`` has words, comments and tokens as :mod:`graphgame.io.labels_text` describes. ``csv`` and ``tsv`` quote
fields as in RFC 4180, where white space around a label is not part of it; comments stand before the first row. In all
of them a line ``# tokens: a b`` names the positions on which tokens stand.

What else is read, each with a ReadingWarning that says so (:mod:`graphgame.io.dialect`): a header with usual names
such as ``from,to``; other separators; more columns, which are ignored, such as weights and networkx's data; a first
line ``N M`` of M edges between 1..N, which then are the positions.

Examples
--------
>>> from graphgame.io import parse_game
>>> G = parse_game("# tokens: a\na b\na c\nb c\n\"an odd one\"\n", "edgelist")
>>> list(G), G.tokens
(['a', 'b', 'c', 'an odd one'], ('a',))
>>> list(parse_game("5 2\n5 9\n", "edgelist"))
[2, 5, 9]
>>> G = parse_game('weight,Source,Target\n1,"a, or b",c\n2,d,\n', "csv", source="source", target="target")
>>> list(G), list(G.edges)
(['a, or b', 'c', 'd'], [('a, or b', 'c')])
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TextIO

import numpy as np

from graphgame.arrays.engine import ahead, use_compiled
from graphgame.arrays.labels import are_integers
from graphgame.errors import FormatError, Message, ParseError, plural
from graphgame.graph import GameGraph
from graphgame.io import label_kernels
from graphgame.io.dialect import SPACE, Dialect, sniff
from graphgame.io.edges import graph_edge_lines, isolated
from graphgame.io.integers import Edges, IntegerEdges
from graphgame.io.interchange import unique_texts
from graphgame.io.labels_text import (
    COMMENT,
    CSVRows,
    TokenLines,
    long_fields,
    position_words,
    split_line,
    token_line,
    word,
    wrong_word,
)
from graphgame.io.scanner import ALONE, Scanner
from graphgame.io.source import Source
from graphgame.io.text import BLOCK
from graphgame.io.words import Result, Words

_INEXPRESSIBLE = re.compile(r"\A\s|\s\Z|\A\Z|\0")
_NOT_IN_INTEGERS = (b" ", b"\t", b"\v", b"\f", b"\r", b"#", b"%")
_REST = re.compile(rb"(?m)^([^\s\"#%][^\s\"]*[ \t]+[^\s\"]+)[ \t][^\n]*$")
"""The columns after the second one."""

_LINES = Message("lines of two labels, a position and one of its options")
_ROWS = Message("rows of two columns, a position and one of its options")
_HEAD = 1 << 16
_BYTES_A_ROW = 5  # so few that compiled loops begin at 1 MB: a row of text takes far longer than one of numbers
_NONE = np.empty(0, np.int64)
_Numbered = tuple[int, bytes]


def read(source: Source, separator: str = SPACE) -> GameGraph:
    """Read a list of edges.

    Time O(size), and O(m log m) where integers are far apart. Two columns of integers are read by a compiled loop and
    take 8 bytes an edge.
    """
    return scan(source, IntegerEdges(source.size), separator)


def scan(source: Source, edges: Edges[Result], separator: str = SPACE) -> Result:
    """Read a list of edges into a store of edges, and return what the store makes of it."""
    source.refuse_empty(_LINES if separator == SPACE else _ROWS)
    dialect = sniff(source, separator)
    source.notes += dialect.notes
    tokens, scanner = TokenLines(source), Scanner(source)
    may_count = not (source.strict or dialect.top or dialect.separator != SPACE or dialect.width > 2)
    counts = _Counts(source) if may_count else None
    integers = True

    def pairs(numbered: _Numbered) -> tuple[np.ndarray, int]:
        return _pairs(numbered[1], dialect, scanner) if integers else (_NONE, 0)

    scanned = ahead(pairs, _blocks(source, tokens, dialect))
    for numbered, (values, stop) in scanned:
        edges.add(values if counts is None else counts.moves(values, stop == len(numbered[1])))
        if stop < len(numbered[1]):
            integers = False
            compiled = use_compiled(_size(source) // _BYTES_A_ROW)
            words = edges.words(source, compiled=compiled)
            rest: Iterable[_Numbered] = chain([_behind(numbered, stop)], (each for each, _ in scanned))
            _read_rows(source, words, _add_labels(words, rest, source, dialect) if compiled else rest, dialect)
            return words.finish(tokens.positions)
    if counts is not None:
        edges.add(counts.finish())
    return edges.graph(tokens.positions)


class _Counts:
    """The first row of a list, held back as long as its two numbers may count positions and moves."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._has_comment = source.peek(1) in (b"#", b"%")  # by a tool, not a judge
        self._first = _NONE
        self._is_begun = False
        self._rows = 0
        self._least, self._largest = 1, 0

    def moves(self, values: np.ndarray, whole: bool) -> np.ndarray:
        """Return the rows of the next block that are moves; ``whole`` says that the block holds nothing but numbers."""
        if not self._is_begun and len(values):
            self._is_begun, self._first, values = True, values[:2], values[2:]
        if not len(self._first):
            return values
        self._rows += len(values) // 2
        if len(values):
            self._least = min(self._least, int(values[values != ALONE].min()))
            self._largest = max(self._largest, int(values.max()))
        vertices, edges = self._first.tolist()
        # from 1 to N, or from 0 to N - 1; or from 0 to N, where M is a label in no other row
        most = vertices - (self._least == 0 and vertices >= edges)
        fits = self._rows <= edges and self._least >= 0 and self._largest <= most
        if not (whole and fits):
            values, self._first = np.concatenate([self._first, values]), _NONE
        return values

    def finish(self) -> np.ndarray:
        """Return the rows that the first row stands for: itself, or the positions that it counts."""
        if not len(self._first) or self._rows != self._first[1] or not self._rows:
            return self._first
        vertices, edges = self._first.tolist()
        line = f"{vertices} {edges}"
        if self._least == 0 or self._has_comment:
            self._source.notes.append(
                Message("the first line, {line}, as a move; if it counts positions and moves, leave it out", line)
            )
            return self._first
        self._source.refuse_claim(vertices)
        counted = Message(
            "the first line, {line}, as {positions} and {moves}; --format edgelist reads it as a move",
            line,
            plural(vertices, "position"),
            plural(edges, "move"),
        )
        self._source.notes.append(counted)
        return np.stack([np.arange(1, vertices + 1), np.full(vertices, ALONE)], axis=1).ravel()


def _blocks(source: Source, tokens: TokenLines, dialect: Dialect) -> Iterator[_Numbered]:
    """Yield blocks of rows with the number of their first line; note the tokens."""
    for line, block in source.numbered_blocks():
        start = 0
        if line == 1:
            for _ in range(dialect.top):
                start = block.find(b"\n", start) + 1
            tokens.add_from(block[:start], line)
        rows = block[start:] if start else block
        if dialect.separator == SPACE:
            tokens.add_from(rows, line + dialect.top if start else line)
        if dialect.width > 2 and (dialect.source, dialect.target) == (0, 1):
            rows = _REST.sub(rb"\1", rows) if dialect.separator == SPACE else _without_data(rows, dialect.separator)
        yield line + (dialect.top if start else 0), rows


def _without_data(rows: bytes, separator: str) -> bytes:
    """Return rows without dictionaries at their ends, which separators may split."""
    sign = re.escape(separator.encode())
    return re.sub(rb'(?m)^([^"\n%b]*%b[^"\n%b]*)%b\{[^\n]*\}[ \t\r]*$' % ((sign,) * 4), rb"\1", rows)


def _pairs(block: bytes, dialect: Dialect, scanner: Scanner) -> tuple[np.ndarray, int]:
    """Return the edges of a block as ``Scanner.pairs`` does, and where they end: at once if it holds other labels."""
    if dialect.separator == SPACE:
        if dialect.source == 0 and dialect.target == 1:
            return scanner.pairs(block)
        return np.empty(0, np.int64), 0
    none = np.empty(0, np.int64), 0
    separator = dialect.separator.encode()
    text = block.replace(b"\r\n", b"\n") if b"\r" in block else block
    if not dialect.is_plain or any(mark in text for mark in _NOT_IN_INTEGERS if mark != separator):
        return none
    values, stop = scanner.pairs(text.replace(separator, b" "))
    rows_of_two = len(values) // 2 - int(np.count_nonzero(values == ALONE))
    # numbers on one line are split by separators alone, so equal counts mean one in each row of two
    return (values, len(block)) if stop == len(text) and text.count(separator) == rows_of_two else none


def _size(source: Source) -> int:
    """Return how many bytes a source holds, or many where it is a pipe that has brought a whole block."""
    return source.size or (1 << 62 if len(source.peek(BLOCK)) == BLOCK else 0)


def _behind(numbered: _Numbered, stop: int) -> _Numbered:
    """Return the rest of a block from some line on."""
    line, block = numbered
    return line + block.count(b"\n", 0, stop), block[stop:]


def _add_labels(
    words: Words[Result], blocks: Iterable[_Numbered], source: Source, dialect: Dialect
) -> Iterable[_Numbered]:
    """Add rows of labels by a compiled loop; return the blocks from the first row on that it cannot read."""
    separator, first, second, width = ord(dialect.separator), *dialect[1:4]

    def split(numbered: _Numbered) -> tuple[np.ndarray, np.ndarray, int, bool]:
        source.decode(numbered[1], numbered[0])
        text = np.frombuffer(numbered[1], np.uint8)
        data, offsets = np.empty(len(text), np.uint8), np.empty(len(text) + 2, np.int64)
        count, stop, quoted = label_kernels.split_labels(text, separator, first, second, width, data, offsets)
        return data, offsets[: count + 1].copy(), stop, quoted

    scanned = ahead(split, blocks)
    for numbered, (data, offsets, stop, quoted) in scanned:
        words.add_rows(data, offsets)
        words.quoted |= quoted and dialect.separator == SPACE
        if stop < len(numbered[1]):
            return chain([_behind(numbered, stop)], (each for each, _ in scanned))
    return []


def _read_rows(source: Source, words: Words[Result], blocks: Iterable[_Numbered], dialect: Dialect) -> None:
    """Add rows of labels of any kind."""
    is_spaced = dialect.separator == SPACE
    rows = _Lines(source, blocks, words) if is_spaced else _Fields(source, blocks, dialect.separator)
    start, end, width = dialect[1:4]
    with long_fields():
        for row in rows:
            if len(row) > width:
                raise rows.too_many(row, width)
            if start < len(row) and (row[start] or is_spaced):
                words.add(row[start], [row[end]] if end < len(row) and (row[end] or is_spaced) else [])
            elif any(row):
                raise rows.error(Message("the source is empty: expected the label of a position"))


class _Lines:
    """Rows of words, split at white space."""

    def __init__(self, source: Source, blocks: Iterable[_Numbered], graph: Words[Result]) -> None:
        self._source, self._blocks, self._graph = source, blocks, graph
        self._number, self._line = 1, ""

    def __iter__(self) -> Iterator[list[str]]:
        for first, block in self._blocks:
            for number, line in enumerate(self._source.decode(block, first).split("\n")[:-1], first):
                self._number, self._line = number, line
                labels = [] if line.startswith(COMMENT) else split_line(line, self._source, number)
                if labels:
                    yield labels
                    self._graph.quoted |= '"' in line

    def error(self, message: str) -> ParseError:
        return wrong_word(message, 0, self._line, self._source, self._number)

    def too_many(self, row: list[str], width: int) -> ParseError:
        arrow = len(row) == 3 and not any(map(str.isalnum, row[1]))
        advice = Message("leave out {label}", row[1]) if arrow else Message("--format adjlist reads more")
        message = Message("expected one or two labels on a line, found {count}; {advice}", len(row), advice)
        return wrong_word(message, width, self._line, self._source, self._number)


class _Fields:
    """Rows of quoted fields."""

    def __init__(self, source: Source, blocks: Iterable[_Numbered], separator: str) -> None:
        self._rows = CSVRows(source, _lines(source, blocks), separator)
        self.error = self._rows.error

    def __iter__(self) -> Iterator[list[str]]:
        return ([field.strip() for field in row] for row in filter(None, self._rows))

    def too_many(self, row: list[str], width: int) -> ParseError:
        message = Message(
            "expected {width} columns, found {count}: --source and --target tell which two of them to read",
            width,
            len(row),
        )
        return self._rows.error(message, row[width])


def _lines(source: Source, blocks: Iterable[_Numbered]) -> Iterator[tuple[int, str]]:
    for first, block in blocks:
        yield from enumerate(source.decode(block, first).split("\n")[:-1], first)


def write(graph: GameGraph, stream: TextIO, separator: str = SPACE) -> None:
    """Write a line for each edge; positions without edges have a line of their own. CSV and TSV have a header."""
    if separator == SPACE:
        fields = position_words(graph)
        stream.write(token_line(graph, fields.__getitem__) or ("" if len(fields) else "# no positions\n"))
    else:
        fields = graph.labels if are_integers(graph.labels) else _fields(unique_texts(graph.labels), separator)
        stream.write(token_line(graph, lambda vertex: word(str(graph.labels[vertex]))))
    alone = isolated(graph)
    lines = chain(
        (f"{fields[vertex]}\n" for vertex in alone), graph_edge_lines(graph, fields, "", separator, lambda _: "\n")
    )
    start = ""
    while len(start) < _HEAD and (more := next(lines, "")):
        start += more
    if separator != SPACE or _is_misread(start, len(alone) + graph.number_of_edges()):
        stream.write(f"source{separator}target\n")
    stream.write(start)
    stream.writelines(lines)


def _is_misread(start: str, lines: int) -> bool:
    """Tell whether a reader would take the start of some lines of edges for anything else; a header prevents it."""
    if re.match(rf"\d+ {lines - 1}\n", start):  # may count
        return True
    source = Source(start.encode(errors="surrogatepass"))
    source.columns = None, None  # not those that the command names
    try:
        return sniff(source, SPACE) != Dialect(SPACE)
    except ParseError:
        return True


def _fields(texts: list[str], separator: str) -> list[str]:
    """Return texts as fields, quoted where they must be; the csv module leaves a carriage return bare."""
    text = next(filter(_INEXPRESSIBLE.search, texts), None)
    if text is not None:
        raise FormatError(
            "position {text!r} is empty, begins or ends in white space, or holds a NUL character: "
            "columns cannot express it, write an edgelist",
            text,
        )
    is_special = re.compile(f'[{separator}"\n\r]').search
    return ['"' + text.replace('"', '""') + '"' if is_special(text) else text for text in texts]
