r"""Lists of edges as text: a position and one of its options on each line.

The formats ``edgelist`` (columns split at white space), ``csv`` and ``tsv`` are read by one reader. A line with one
label, or in CSV with an empty second field, is a position, with or without edges elsewhere; empty lines mean nothing.
Parallel edges count once. If every label is an integer (see :func:`graphgame.io.interchange.is_integer`), positions are
integers in increasing order, and only those that a line holds. Otherwise all are strings, in
the order in which they come. Positions of another type are written as their ``str``.

``edgelist`` has words, comments and tokens as :mod:`graphgame.io.interchange` describes. ``csv`` and ``tsv`` quote
fields as in RFC 4180, where white space around a label is not part of it; comments stand before the first row. In all
of them a line ``# tokens: a b`` names the positions on which tokens stand.

What else is read, each with a ReadingWarning that says so (:mod:`graphgame.io.delimited`): a header with usual names
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

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TextIO

import numpy as np

from graphgame.compiled.engine import prefetched, use_compiled
from graphgame.errors import FormatError, GraphGameError, Message, ParseError, plural, shorten
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, are_integers
from graphgame.io import scan_kernels
from graphgame.io.dialects import (
    NO_POSITIONS,
    NOT_A_TUPLE,
    PERHAPS_COUNTS,
    SPACE,
    TUPLE,
    TUPLE_PAIR,
    TUPLES,
    Dialect,
    sniff,
)
from graphgame.io.edge_items import ItemLabels, items_alike
from graphgame.io.edge_stores import Edges, IntegerEdges, Result, RowFacts, Words
from graphgame.io.edges import EdgeBlock, EdgeLine, EncodedTexts, edge_lines, encoded, graph_edge_lines, isolated
from graphgame.io.interchange import (
    COMMENT,
    MISSING,
    WHOLE,
    CSVRows,
    TokenLines,
    WordRows,
    long_fields,
    position_words,
    reads_otherwise,
    token_line,
    undirected,
    unique_texts,
    word,
)
from graphgame.io.scanner import ALONE, Scanner
from graphgame.io.source import BLOCK, Source

_INEXPRESSIBLE = re.compile(r"\A\s|\s\Z|\A\Z|\0")
_SIGNS_OF_FIELDS = bytes(sign for sign in range(ord(" ") + 1, 128) if chr(sign) not in '".+')
_NOT_IN_INTEGERS = (b" ", b"\t", b"\v", b"\f", b"\r", b"#", b"%")
_REST = re.compile(rb"(?m)^([^\s\"#%][^\s\"]*[ \t]+[^\s\"]+)[ \t][^\n]*$")
"""The columns after the second one."""

_LINES = Message("lines of two labels, a position and one of its options")
_ROWS = Message("rows of two columns, a position and one of its options")
_HEAD = 1 << 16
_BYTES_A_ROW = 5  # so few that compiled loops begin at 1 MB: a row of text takes far longer than one of numbers
_DIGITS = b"0123456789"
_QUOTES = "'\""
_COMMENTS = re.compile(rb"(?:[#%][^\n]*\n)+")
_TUPLE_ROW = re.compile(rf"{TUPLE.pattern}\n")
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
    may_count = may_count or dialect.is_counted
    counts = _Counts(source, dialect.is_counted) if may_count else None
    integers, rows = True, RowFacts()

    def pairs(numbered: _Numbered) -> tuple[np.ndarray, int]:
        return _pairs(numbered[1], dialect, scanner) if integers else (_NONE, 0)

    scanned = prefetched(pairs, _blocks(source, tokens, dialect))
    for numbered, (values, stop) in scanned:
        rows.note_pairs(values)
        edges.add(values if counts is None else counts.moves(values, stop == len(numbered[1])))
        if stop < len(numbered[1]):
            integers = False
            compiled = use_compiled(_size(source) // _BYTES_A_ROW)
            words = edges.words(source, compiled=compiled)
            words.facts = rows
            rest: Iterable[_Numbered] = chain([_behind(numbered, stop)], (each for each, _ in scanned))
            if dialect.separator == TUPLES:
                _read_tuples(source, words, rest, compiled)
            else:
                _read_rows(source, words, _add_labels(words, rest, source, dialect) if compiled else rest, dialect)
            result = words.finish(tokens.positions)
            source.notes += _doubts(rows, dialect)
            return result
    if counts is not None:
        edges.add(counts.finish())
    source.notes += _doubts(rows, dialect)
    return edges.graph(tokens.positions)


def _doubts(rows: RowFacts, dialect: Dialect) -> list[Message]:
    """Return what is said of lists that may have been meant otherwise."""
    notes = []
    if rows.any_missing:
        notes.append(Message("NA, nan, None and null as no option; in quotes they are positions"))
    if dialect.doubt and not rows.first_recurs:
        notes.append(dialect.doubt)
    if not dialect.has_names and rows.count == 0:
        notes.append(Message("no positions, only comments"))
    elif not dialect.has_names and not rows.any_moves and rows.count > 1:
        notes.append(Message("no moves: a move is two labels on a line, {move}", dialect.move))
    return notes


class _Counts:
    """The first row of a list, held back as long as its two numbers may count positions and moves."""

    def __init__(self, source: Source, must_count: bool) -> None:
        self._source, self._must_count = source, must_count
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
        self._rows += int(np.count_nonzero(values[1::2] != ALONE))  # questions of a judge may follow the moves
        if len(values):
            self._least = min(self._least, int(values[values != ALONE].min()))
            self._largest = max(self._largest, int(values.max()))
        vertices, edges = self._first.tolist()
        if edges == ALONE:  # perhaps the number of positions from 0 on
            edges = self._rows * (self._largest < vertices)
        # from 1 to N, or from 0 to N - 1; or from 0 to N, where M is a label in no other row
        most = vertices - (self._least == 0 and vertices >= edges)
        fits = self._rows <= edges and self._least >= 0 and self._largest <= most
        if not (whole and fits):
            self._refuse_if_counted()
            values, self._first = np.concatenate([self._first, values]), _NONE
        return values

    def finish(self) -> np.ndarray:
        """Return the rows that the first row stands for: itself, or the positions that it counts."""
        if len(self._first) and self._first[1] == ALONE and self._rows:
            line = str(self._first[0])
            self._source.notes.append(
                Message("the first line, {line}, as a position; if it counts, leave it out", line)
            )
            return self._first
        if not len(self._first) or self._rows != self._first[1] or not self._rows:
            self._refuse_if_counted()
            return self._first
        vertices, edges = self._first.tolist()
        line = f"{vertices} {edges}"
        if self._least == 0 or self._has_comment:
            self._refuse_if_counted()
            self._source.notes.append(Message(PERHAPS_COUNTS, line))
            return self._first
        self._source.refuse_claim(vertices)
        counted = Message(
            "the first line, {line}, as {positions} and {moves}"
            if self._must_count
            else "the first line, {line}, as {positions} and {moves}; --format edgelist reads it as a move",
            line,
            plural(vertices, "position"),
            plural(edges, "move"),
        )
        self._source.notes.append(counted)
        return np.stack([np.arange(1, vertices + 1), np.full(vertices, ALONE)], axis=1).ravel()

    def _refuse_if_counted(self) -> None:
        """Refuse a first row of two numbers above rows of more."""
        if self._must_count and len(self._first):
            raise self._source.error(
                "the first line has two numbers and the others have more: leave it out if it counts positions and "
                "moves, else --format adjlist reads more options",
                1,
            )


def _blocks(source: Source, tokens: TokenLines, dialect: Dialect) -> Iterator[_Numbered]:
    """Yield blocks of rows with the number of their first line; note the tokens."""
    for line, block in source.numbered_blocks():
        start = 0
        if line == 1:
            for _ in range(dialect.top):
                start = block.find(b"\n", start) + 1
            tokens.add_from(block[:start], line)
        rows = block[start:] if start else block
        if dialect.has_types:
            _refuse_undirected(rows, line + (dialect.top if start else 0), source)
        if dialect.separator in (SPACE, TUPLES):
            tokens.add_from(rows, line + dialect.top if start else line)
        if dialect.width > 2 and (dialect.source, dialect.target) == (0, 1):
            rows = _REST.sub(rb"\1", rows) if dialect.separator == SPACE else _without_data(rows, dialect.separator)
        yield line + (dialect.top if start else 0), rows


def _refuse_undirected(rows: bytes, line: int, source: Source) -> None:
    """Raise an UndirectedGraphError where a column of types says so of an edge."""
    if found := re.search(rb"(?i)\bundirected\b", rows):
        number = line + rows.count(b"\n", 0, found.start())
        raise undirected(
            source.error(
                "the edge is undirected: moves need a direction, so write Directed where the first is the position",
                number,
            )
        )


def _without_data(rows: bytes, separator: str) -> bytes:
    """Return rows without dictionaries at their ends, which separators may split."""
    sign = re.escape(separator.encode())
    return re.sub(rb'(?m)^([^"\n%b]*%b[^"\n%b]*)%b\{[^\n]*\}[ \t\r]*$' % ((sign,) * 4), rb"\1", rows)


def _pairs(block: bytes, dialect: Dialect, scanner: Scanner) -> tuple[np.ndarray, int]:
    """Return the edges of a block as ``Scanner.pairs`` does, and where they end: at once if it holds other labels."""
    none = np.empty(0, np.int64), 0
    separator = dialect.separator.encode()
    text = _whole_numbers(block, dialect) if dialect.are_floats else _with_newlines(block)
    if dialect.separator == SPACE:
        if (dialect.source, dialect.target) != (0, 1):
            return none
        values, stop = scanner.pairs(text)
        return (values, stop) if text is block else (values, len(block)) if stop == len(text) else none
    if not dialect.is_plain or any(mark in text for mark in _NOT_IN_INTEGERS if mark != separator):
        return none
    values, stop = scanner.pairs(text.replace(separator, b" "))
    alone = int(np.count_nonzero(values == ALONE))
    # Numbers on one line are split by separators alone, so equal counts mean one in each row of two. A row of one may
    # end in a separator, as long as all of these do.
    open_rows = text.count(separator + b"\n")
    is_even = open_rows in (0, alone) and text.count(separator) == len(values) // 2 - alone + open_rows
    return (values, len(block)) if stop == len(text) and is_even else none


def _with_newlines(block: bytes) -> bytes:
    return block.replace(b"\r\n", b"\n") if b"\r" in block else block


def _whole_numbers(block: bytes, dialect: Dialect) -> bytes:
    """Return rows in which numbers such as 3.0 are integers; as they are where that is not to be seen at once."""
    separator = dialect.separator.encode()
    text = _with_newlines(block)
    if b"e" in text:
        return _from_scientific(text, separator, dialect.width) or block
    if separator + b"." in text or b"\n." in text or text.startswith(b"."):
        return block
    return text.replace(b".0" + separator, separator).replace(b".0\n", b"\n")


def _from_scientific(text: bytes, separator: bytes, width: int) -> bytes | None:
    """Return rows of numbers such as 1.2e+01 as rows of integers; None where they are anything else."""
    words = text.replace(separator, b" ").split()
    if len(words) != width * text.count(b"\n"):
        return None
    try:
        numbers = np.array(words).astype(np.float64)
    except ValueError:
        return None
    integers = numbers.reshape(-1, width).astype(np.int64)
    if not (integers == numbers.reshape(-1, width))[:, :2].all():
        return None
    return (separator.join([b"%d"] * width) + b"\n") * len(integers) % tuple(integers.ravel().tolist())


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

    def split(numbered: _Numbered) -> tuple[np.ndarray, np.ndarray, int, bool, bool]:
        source.decode(numbered[1], numbered[0])
        block = _whole_numbers(numbered[1], dialect) if dialect.are_floats else numbered[1]
        text = np.frombuffer(block, np.uint8)
        data, offsets = np.empty(len(text), np.uint8), np.empty(len(text) + 2, np.int64)
        found = scan_kernels.split_labels(text, separator, first, second, width, data, offsets)
        count, stop, quoted, missing = found
        if dialect.are_floats:  # places in the block are others now: all of it, or nothing
            is_read = stop == len(block) and not data[: offsets[count]].tobytes().translate(None, _DIGITS)
            count, stop = (count, len(numbered[1])) if is_read else (0, 0)
        return data, offsets[: count + 1].copy(), stop, quoted, missing

    scanned = prefetched(split, blocks)
    for numbered, (data, offsets, stop, quoted, missing) in scanned:
        words.add_rows(data, offsets)
        words.facts.any_missing |= missing
        words.quoted |= quoted and dialect.separator == SPACE
        if stop < len(numbered[1]):
            return chain([_behind(numbered, stop)], (each for each, _ in scanned))
    return []


def _read_rows(source: Source, words: Words[Result], blocks: Iterable[_Numbered], dialect: Dialect) -> None:
    """Add rows of labels of any kind."""
    is_spaced, lines = dialect.separator == SPACE, _lines(source, blocks)
    rows = WordRows(source, lines) if is_spaced else CSVRows(source, lines, dialect.separator)
    start, end, width = dialect[1:4]
    with long_fields():
        for found in rows:
            row = found if is_spaced else [field.strip() for field in found]
            if len(row) > width:
                raise _too_many(row, width, rows, source)
            if dialect.are_floats:
                for column in {start, end} & set(range(len(row))):
                    row[column] = _whole(row[column], rows)
            if end < len(row) and _is_missing(row[end], rows.line):
                row[end:] = []
                words.facts.any_missing = True
            if start < len(row) and _is_missing(row[start], rows.line):
                raise rows.error(
                    "the source is {label}: a position of this name stands in quotes, else leave out the row",
                    row[start],
                )
            if start < len(row) and (row[start] or is_spaced):
                words.add(row[start], [row[end]] if end < len(row) and (row[end] or is_spaced) else [])
                words.quoted |= is_spaced and '"' in rows.line
            elif any(row):
                raise rows.error("the source is empty: expected the label of a position")


def _read_tuples(source: Source, words: Words[Result], blocks: Iterable[_Numbered], compiled: bool) -> None:
    """Add rows that are tuples; texts in quotes stay texts."""

    def split(numbered: _Numbered) -> tuple[ItemLabels, int] | None:
        source.decode(numbered[1], numbered[0])
        comments = _COMMENTS.match(numbered[1])
        first = comments.end() if comments else 0
        found = items_alike(_TUPLE_ROW, numbered[1][first:]) if compiled else None
        return (found[0], first + found[1]) if found else None

    for numbered, found in prefetched(split, blocks):
        pairs, stop = found or (None, 0)
        if pairs is not None:
            words.add_rows(pairs.data, pairs.offsets)
            words.quoted |= any(pairs.quoted)
        rest = [_behind(numbered, stop)] if stop < len(numbered[1]) else []
        for number, line in _lines(source, rest):
            if not line.strip() or line.startswith(COMMENT):
                continue
            row = TUPLE.fullmatch(line) or TUPLE_PAIR.fullmatch(line)
            if row is None:
                raise source.error(NOT_A_TUPLE, number)
            start, end = (str(ast.literal_eval(label)) if label[0] in _QUOTES else label for label in row.groups())
            words.add(start, [end])
            words.quoted |= row[1][0] in _QUOTES or row[2][0] in _QUOTES


def _whole(label: str, rows: WordRows | CSVRows) -> str:
    """Return an integer that is written as a float, or an empty label."""
    if not label or _is_missing(label, rows.line):
        return label
    if not (found := WHOLE.fullmatch(label)) or not float(label).is_integer():
        raise rows.error("{label}: expected a whole number, as in the rows before", shorten(label))
    return found[1] or str(int(float(label)))


def _is_missing(label: str, line: str) -> bool:
    """Tell whether a label is a bare NA or the like."""
    return MISSING.fullmatch(label) is not None and f'"{label}"' not in line


def _too_many(row: list[str], width: int, rows: WordRows | CSVRows, source: Source) -> ParseError:
    """Return the error for a row of more columns than this, with advice on what it may be."""
    if isinstance(rows, CSVRows):
        return rows.error(
            "expected {width} columns, found {count}: --source and --target tell which two of them to read; "
            "if a line is a position and its options, {command} makes an edge list",
            width,
            len(row),
            f"tr -s ',; ' ' ' < {source.shell_name} | graphgame convert --from adjlist - game.edges",
            index=width,
        )
    advice = Message("--source 1 --target 2 reads two of them, --format adjlist reads a position and its options")
    if len(row) == 3 and not any(map(str.isalnum, row[1])):
        advice = Message("leave out {label}", row[1])
    elif rows.line.rstrip().endswith("}"):
        advice = Message("if labels hold spaces, networkx.write_edgelist(G, path, delimiter=';') writes what is read")
    return rows.error("expected one or two labels on a line, found {count}; {advice}", len(row), advice, index=width)


def _lines(source: Source, blocks: Iterable[_Numbered]) -> Iterator[tuple[int, str]]:
    for first, block in blocks:
        yield from enumerate(source.decode(block, first).split("\n")[:-1], first)


def write(graph: GameGraph, stream: TextIO, separator: str = SPACE) -> None:
    """Write a line for each edge; positions without edges have a line of their own. CSV and TSV have a header."""
    fields: Labels | EncodedTexts = graph.labels
    if separator == SPACE:
        fields, word_of = position_words(graph)
        stream.write(token_line(graph, word_of) + ("" if len(graph) else NO_POSITIONS))
    else:
        fields = graph.labels if are_integers(graph.labels) else _fields(unique_texts(graph.labels), separator)
        stream.write(token_line(graph, word))
    alone = np.array(isolated(graph), np.int32)
    lines = graph_edge_lines(graph, fields, "", separator, lambda _: "\n")
    if len(alone):
        line = EdgeLine("", "", ["\n"])
        lines = chain(edge_lines([EdgeBlock(alone, alone[:0])], fields, line, len(graph)), lines)
    start = ""
    while len(start) < _HEAD and (more := next(lines, "")):
        start += more
    edges = graph.number_of_edges()
    if separator != SPACE or (len(alone) and not edges) or _is_misread(start, len(alone) + edges):
        stream.write(f"source{separator}target\n")
    stream.write(start)
    stream.writelines(lines)


def _is_misread(start: str, lines: int) -> bool:
    """Tell whether a reader would take the start of some lines of edges for anything else; a header prevents it."""
    if re.match(rf"\d+(?: {lines - 1})?\n", start):  # may count
        return True
    source = Source(start.encode(errors="surrogatepass"))
    source.columns = None, None  # not those that the command names
    try:
        return sniff(source, SPACE) != Dialect(SPACE)
    except GraphGameError:
        return True


def _fields(texts: list[str], separator: str) -> EncodedTexts:
    """Return texts as fields, quoted where they must be; the csv module leaves a carriage return bare."""
    is_special = re.compile(rf'[{separator}"\n\r]').search

    def field(text: str) -> str:
        if _INEXPRESSIBLE.search(text):
            raise FormatError(
                "position {text!r} is empty, begins or ends in white space, or holds a NUL character: "
                "columns cannot express it, write an edgelist",
                text,
            )
        return '"' + text.replace('"', '""') + '"' if is_special(text) or reads_otherwise(text) else text

    return encoded(texts, field, _SIGNS_OF_FIELDS.replace(separator.encode(), b""), *scan_kernels.MISSING)
