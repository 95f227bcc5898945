r"""Lists of edges as text: a position and one of its options on each line.

One reader reads the formats ``edgelist`` (columns split at white space), ``csv`` and ``tsv``. A line with one label, or
in ``csv`` and ``tsv`` with an empty second field, adds a position without an edge. Empty lines are ignored, and
repeated edges count once. If every label is an integer (see :func:`graphgame.io.interchange.is_integer`), the positions
are the integers of the file in increasing order. Otherwise all positions are strings, in the order in which they first
appear; but among rows of integers at the start of the file, those with one label may count as if they came last.
Positions of other types are written as their ``str``.

:mod:`graphgame.io.interchange` describes the words, comments and tokens of ``edgelist``. In ``csv`` and ``tsv``, fields
are quoted as in RFC 4180, white space around a label is not part of the label, and a line above the header and all rows
is a comment if it begins with ``#`` or ``%`` and does not contain the separator. In all three formats, a comment such
as ``# tokens: a b`` names the positions on which tokens stand.

The reader also accepts the following, with a ReadingWarning: other separators; integers such as ``3.0``; a header such
as ``from,to``; more columns, which are ignored; in ``edgelist`` a first line ``N M`` above M edges between 1..N, so
that the positions are 1..N. If the caller names the columns, a header and more columns give no warning. A first line
``N M`` is a move if the caller names the format, or if the file begins with a comment or is too small for N positions.
Rows of more than two columns below it are then an error.

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
from typing import Any, TextIO

import numpy as np

from graphgame.compiled.engine import prefetched, use_compiled
from graphgame.errors import FormatError, GraphGameError, LimitError, Message, ParseError, plural, shorten
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
    fields_of,
    sniff,
)
from graphgame.io.edge_stores import Edges, IntegerEdges, Result, RowFacts, Words
from graphgame.io.edges import EdgeBlock, EdgeLine, EncodedTexts, edge_arrays, edge_lines, encoded, isolated
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
from graphgame.registry import offers

_INEXPRESSIBLE = re.compile(r"\A\s|\s\Z|\A\Z|\0")
_SIGNS_OF_FIELDS = bytes(sign for sign in range(ord(" ") + 1, 128) if chr(sign) not in '".+')
_NOT_IN_INTEGERS = (b" ", b"\t", b"\v", b"\f", b"\r", b"#", b"%")
_REST = re.compile(rb"(?m)^([^\s\"#%][^\s\"]*[ \t]+[^\s\"]+)[ \t][^\n]*$")
"""A row with more than two columns, split at white space; its group is the text of the first two."""

_LINES = Message("an edge list, in which each line has two labels: a position and one of its options")
_ROWS = Message("a table with two columns: a position and one of its options")
_CHARACTERS_OF_HEAD = 1 << 16
_BYTES_A_ROW = 5  # a low estimate, so that compiled loops read labels from 1 MB on: plain Python is slow on text
_DIGITS = b"0123456789"
_QUOTES = "'\""
_COMMENTS = re.compile(rb"(?:[#%][^\n]*\n)+")
_TUPLE_ROW = re.compile(rf"{TUPLE.pattern}\n")
_ALIKE = "items written alike"
_NONE = np.empty(0, np.int64)
_Numbered = tuple[int, bytes]
"""The number of the first line of a block, and the block of whole lines."""


def read(source: Source, separator: str = SPACE) -> GameGraph:
    """Read a list of edges.

    The time is O(size), or O(m log m) for m edges between integers that are far apart.
    """
    return scan(source, IntegerEdges(source.size), separator)


def scan(source: Source, edges: Edges[Result], separator: str = SPACE) -> Result:
    """Read a list of edges into a store; return the result of the store: for a store in memory, the graph."""
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
            # A pipe has no size: the labels are read by compiled loops if it has sent a full block.
            size = source.size or (1 << 62 if len(source.peek(BLOCK)) == BLOCK else 0)
            compiled = use_compiled(size // _BYTES_A_ROW)
            words = edges.words(source, compiled=compiled)
            words.facts = rows
            rest: Iterable[_Numbered] = chain([_remaining(numbered, stop)], (following for following, _ in scanned))
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
    """Return notes for the ReadingWarning: on cells such as NA, a doubtful first row, a list without rows or moves."""
    notes = []
    if rows.any_missing:
        notes.append(
            Message(
                "NA, nan, None and null in place of an option mean that the row has no option; as names "
                "of positions they need quotes"
            )
        )
    if dialect.doubt and not rows.first_recurs:
        notes.append(dialect.doubt)
    if not dialect.has_names and rows.count == 0:
        notes.append(Message("the file has no labels, so its graph has no positions"))
    elif not dialect.has_names and not rows.any_moves and rows.count > 1:
        notes.append(
            Message("no line of the file is a move; a move is a line of two labels, such as {move}", dialect.move)
        )
    return notes


class _Counts:
    """Decides whether the first row of a list is a move, or is the number of positions and the number of moves.

    The row is held back until a later row shows that it is a move, or the file ends. With ``must_count`` it is an error
    if the first row is not these two numbers.
    """

    def __init__(self, source: Source, must_count: bool) -> None:
        self._source, self._must_count = source, must_count
        # With a comment on top, the first row is a move: tools write comments but no counts, online judges the reverse.
        self._has_comment = source.peek(1) in (b"#", b"%")
        self._first = _NONE
        self._is_begun = False
        self._rows = 0
        self._least, self._largest = 1, 0

    def moves(self, values: np.ndarray, whole: bool) -> np.ndarray:
        """Return the rows of the next block; the file's first row is held back as long as it may be counts.

        Once it is clear that the first row is a move, return it before the other rows. ``values`` has two numbers for
        each row. If ``whole`` is false, the block goes on with a row of other labels, so the first row is a move.
        """
        if not self._is_begun and len(values):
            self._is_begun, self._first, values = True, values[:2], values[2:]
        if not len(self._first):
            return values
        # Count only rows of two numbers. After its moves, an online judge's file may have queries: rows of one number.
        self._rows += int(np.count_nonzero(values[1::2] != ALONE))
        if len(values):
            self._least = min(self._least, int(values[values != ALONE].min()))
            self._largest = max(self._largest, int(values.max()))
        vertices, edges = self._first.tolist()
        if edges == ALONE:  # one number: perhaps the count N of the positions 0 to N - 1
            edges = self._rows * (self._largest < vertices)
        # The first row "N M" may count N positions and M moves. Hold it back while at most M rows follow, and their
        # labels are from 1 to N or from 0 to N - 1; if M > N, also from 0 to N. If a label is 0, finish() reads the
        # first row as a move. If exactly M rows follow, finish() also warns that the first row may be counts.
        largest_allowed = vertices - (self._least == 0 and vertices >= edges)
        fits = self._rows <= edges and self._least >= 0 and self._largest <= largest_allowed
        if not (whole and fits):
            self._refuse_if_counted()
            values, self._first = np.concatenate([self._first, values]), _NONE
        return values

    def finish(self) -> np.ndarray:
        """At the end of the file, return the rows that replace the first row; no rows if it was not held back.

        If the first row is counts, return a row for each counted position; otherwise return the first row itself.
        """
        if len(self._first) and self._first[1] == ALONE and self._rows:
            line = str(self._first[0])
            self._source.notes.append(
                Message("the first line, {line}, is read as a position; if it counts the positions, leave it out", line)
            )
            return self._first
        if not len(self._first) or self._rows != self._first[1] or not self._rows:
            self._refuse_if_counted()
            return self._first
        vertices, edges = self._first.tolist()
        line = f"{vertices} {edges}"
        is_move = self._least == 0 or self._has_comment
        if not is_move:
            try:
                self._source.refuse_claim(vertices)
            except LimitError:  # The file is too small for this number of positions, so the row is a move.
                if self._must_count:
                    raise
                is_move = True
        if is_move:
            self._refuse_if_counted()
            self._source.notes.append(Message(PERHAPS_COUNTS, line))
            return self._first
        counted = Message(
            "the first line, {line}, is read as a count of {positions} and {moves}"
            if self._must_count
            else "the first line, {line}, is read as a count of {positions} and {moves}; with --format "
            "edgelist it is read as a move",
            line,
            plural(vertices, "position"),
            plural(edges, "move"),
        )
        self._source.notes.append(counted)
        return np.stack([np.arange(1, vertices + 1), np.full(vertices, ALONE)], axis=1).ravel()

    def _refuse_if_counted(self) -> None:
        """Raise a ParseError if the first row must be counts; the caller knows that they do not fit the other rows."""
        if self._must_count and len(self._first):
            raise self._source.error(
                "the first line has two numbers and the other lines have more: leave out the first line if it "
                "counts positions and moves; use --format adjlist if each line is a position and its options",
                line=1,
            )


def _blocks(source: Source, tokens: TokenLines, dialect: Dialect) -> Iterator[_Numbered]:
    """Yield (number of the first line, block of rows); add comments that name tokens to ``tokens``."""
    # The number of lines still to skip. A last line of the file without a newline is in a block of its own.
    left = dialect.top
    for line, block in source.numbered_blocks():
        *above, rows = block.split(b"\n", left) if left else [block]
        if above:
            tokens.add_from(block[: len(block) - len(rows)], line)
            left, line = left - len(above), line + len(above)
        if dialect.type_column is not None:
            _refuse_undirected(rows, line, dialect.separator, dialect.type_column, source)
        if dialect.separator in (SPACE, TUPLES):
            tokens.add_from(rows, line)
        is_asked = source.columns != (None, None) and not dialect.top  # without a header, later rows may be wider
        if (dialect.width > 2 or is_asked) and (dialect.source, dialect.target) == (0, 1):
            if dialect.separator == SPACE:
                rows = _REST.sub(rb"\1", rows)
            else:  # Remove dictionaries of networkx in the third column, which may contain the separator.
                sign = re.escape(dialect.separator.encode())
                data = rb'(?m)^([^"\n%b]*%b[^"\n%b]*)%b\{[^\n]*\}[ \t\r]*$' % ((sign,) * 4)
                rows = re.sub(data, rb"\1", rows)
        yield line, rows


def _refuse_undirected(rows: bytes, line: int, separator: str, column: int, source: Source) -> None:
    """Raise an UndirectedGraphError for a row with ``undirected`` in ``column``; the first row is in line ``line``."""
    for match in re.finditer(rb"(?im)^.*\bundirected\b.*$", rows):
        fields = fields_of(match[0].decode(errors="replace").lower(), separator)
        if fields[column : column + 1] == ["undirected"]:
            raise undirected(
                source.error(
                    "the edge is undirected, but a move needs a direction: write Directed if the move "
                    "goes from the first label to the second",
                    line=line + rows.count(b"\n", 0, match.start()),
                )
            )


def _pairs(block: bytes, dialect: Dialect, scanner: Scanner) -> tuple[np.ndarray, int]:
    """Read rows of integers at the start of a block; return two numbers for each row, and the offset after the rows.

    The second number of a row with one label is ``ALONE``. If the separator is not a space, or line ends or labels such
    as 3.0 are rewritten first, the block is read to its end or not at all.
    """
    none = _NONE, 0
    separator = dialect.separator.encode()
    text = _whole_numbers(block, dialect) if dialect.are_floats else _with_newlines(block)
    if dialect.separator == SPACE:
        if (dialect.source, dialect.target) != (0, 1):
            return none
        values, stop = scanner.pairs(text)
        return (values, stop) if text is block else (values, len(block)) if stop == len(text) else none
    is_plain = (dialect.source, dialect.target, dialect.width) == (0, 1, 2)  # a position and an option, nothing else
    if not is_plain or any(mark in text for mark in _NOT_IN_INTEGERS if mark != separator):
        return none
    values, stop = scanner.pairs(text.replace(separator, b" "))
    alone = int(np.count_nonzero(values == ALONE))
    # Each row of two numbers must have exactly one separator. Such a row has at least one, so counting all separators
    # is enough. Rows of one number may end in a separator: all of them or none.
    open_rows = text.count(separator + b"\n")
    is_even = open_rows in (0, alone) and text.count(separator) == len(values) // 2 - alone + open_rows
    if open_rows and re.search(rb"%b[^\n%b]*%b\n" % ((re.escape(separator),) * 3), text):
        return none  # a row of two numbers ends in a separator
    return (values, len(block)) if stop == len(text) and is_even else none


def _with_newlines(block: bytes) -> bytes:
    return block.replace(b"\r\n", b"\n") if b"\r" in block else block


def _whole_numbers(block: bytes, dialect: Dialect) -> bytes:
    """Return a block with 3.0 written as 3, and 1.2e+01 as 12; some or all such labels may stay unchanged."""
    separator = dialect.separator.encode()
    text = _with_newlines(block)
    if b"e" in text:
        return _from_scientific(text, dialect) or block
    if separator + b"." in text or b"\n." in text or text.startswith(b"."):  # .0 would become an empty label
        return block
    return text.replace(b".0" + separator, separator).replace(b".0\n", b"\n")


def _from_scientific(text: bytes, dialect: Dialect) -> bytes | None:
    """Return rows of numbers such as 1.2e+01 as rows of integers. Numbers outside the label columns may change.

    Return None unless each row has ``dialect.width`` numbers, and all labels are integers between -2**53 and 2**53.
    """
    separator, width = dialect.separator.encode(), dialect.width
    between = None if dialect.separator == SPACE else separator
    rows = [row.split(between) for row in text.removesuffix(b"\n").split(b"\n")]
    if any(len(row) != width for row in rows):
        return None
    try:
        numbers = np.array(rows).astype(np.float64)
    except ValueError:
        return None
    is_exact = np.abs(numbers) < 2**53  # beyond that, float64 cannot represent every integer
    integers = np.where(is_exact, numbers, 0).astype(np.int64)
    if not (is_exact & (integers == numbers))[:, [dialect.source, dialect.target]].all():
        return None
    return (separator.join([b"%d"] * width) + b"\n") * len(integers) % tuple(integers.ravel().tolist())


def _remaining(numbered: _Numbered, stop: int) -> _Numbered:
    """Return the rest of a numbered block from index ``stop`` on, where a line begins, with that line's number."""
    line, block = numbered
    return line + block.count(b"\n", 0, stop), block[stop:]


def _add_labels(
    words: Words[Result], blocks: Iterable[_Numbered], source: Source, dialect: Dialect
) -> Iterable[_Numbered]:
    """Add the labels of blocks to ``words`` by a compiled loop, up to a row that it cannot read; return the rest."""
    separator, first, second, width = ord(dialect.separator), *dialect[1:4]

    def split(numbered: _Numbered) -> tuple[np.ndarray, np.ndarray, int, bool, bool]:
        source.decode(numbered[1], numbered[0])
        block = _whole_numbers(numbered[1], dialect) if dialect.are_floats else numbered[1]
        text = np.frombuffer(block, np.uint8)
        data, offsets = np.empty(len(text), np.uint8), np.empty(len(text) + 2, np.int64)
        count, stop, quoted, missing = scan_kernels.split_labels(text, separator, first, second, width, data, offsets)
        # With 3 for 3.0 the block is shorter, so `stop` is no offset in numbered[1]: use it only at the end.
        if dialect.are_floats:
            is_read = stop == len(block) and not data[: offsets[count]].tobytes().translate(None, _DIGITS)
            count, stop = (count, len(numbered[1])) if is_read else (0, 0)
        return data, offsets[: count + 1].copy(), stop, quoted, missing

    scanned = prefetched(split, blocks)
    for numbered, (data, offsets, stop, quoted, missing) in scanned:
        words.add_rows(data, offsets)
        words.facts.any_missing |= missing
        words.quoted |= quoted and dialect.separator == SPACE
        if stop < len(numbered[1]):
            return chain([_remaining(numbered, stop)], (following for following, _ in scanned))
    return []


def _read_rows(source: Source, words: Words[Result], blocks: Iterable[_Numbered], dialect: Dialect) -> None:
    """Parse the rows of ``blocks`` in plain Python, and add them to ``words``; labels may be any texts."""
    is_spaced, lines = dialect.separator == SPACE, _lines(source, blocks)
    most = 2 if dialect.width > 2 and (dialect.source, dialect.target) == (0, 1) else None
    rows = WordRows(source, lines, most) if is_spaced else CSVRows(source, lines, dialect.separator)
    start, end, width = dialect[1:4]
    with long_fields():
        for fields in rows:
            row = fields if is_spaced else [field.strip() for field in fields]
            if len(row) > width:
                raise _too_many(row, width, rows, source)
            if dialect.are_floats:
                for column in {start, end} & set(range(len(row))):
                    row[column] = _whole(row[column], rows, column)
            ends = [row[end]] if end < len(row) and (row[end] or is_spaced) else []
            if ends and _is_missing(ends[0], rows, end):
                ends, row[end] = [], ""
                words.facts.any_missing = True
            if start < len(row) and _is_missing(row[start], rows, start):
                raise rows.error(
                    "the source of this move is {label}, which means that there is no position: put a position of "
                    "this name in quotes, or leave out the row",
                    row[start],
                )
            if start < len(row) and (row[start] or is_spaced):
                words.add(row[start], ends)
                if is_spaced and '"' in rows.line:
                    words.quoted |= any(rows.is_quoted(column) for column in (start, end) if column < len(row))
            elif any(row):
                raise rows.error("the source of this move is empty: expected the label of a position")


def _read_tuples(source: Source, words: Words[Result], blocks: Iterable[_Numbered], compiled: bool) -> None:
    """Add rows that are tuples of Python, such as ``(3, 'a')``, to ``words``.

    With ``compiled``, a compiled loop of the lab ``formats`` reads the rows of a block as far as it can.
    """
    items_alike = offers("job")[_ALIKE].load() if compiled and _ALIKE in offers("job") else None

    def split(numbered: _Numbered) -> tuple[Any, int] | None:
        source.decode(numbered[1], numbered[0])
        comments = _COMMENTS.match(numbered[1])
        first = comments.end() if comments else 0
        alike = items_alike(_TUPLE_ROW, numbered[1][first:]) if items_alike else None
        return (alike[0], first + alike[1]) if alike else None

    for numbered, alike in prefetched(split, blocks):
        pairs, stop = alike or (None, 0)
        if pairs is not None:
            words.add_rows(pairs.data, pairs.offsets)
            words.quoted |= any(pairs.quoted)
        rest = [_remaining(numbered, stop)] if stop < len(numbered[1]) else []
        for number, line in _lines(source, rest):
            if not line.strip() or line.startswith(COMMENT):
                continue
            row = TUPLE.fullmatch(line) or TUPLE_PAIR.fullmatch(line)
            if row is None:
                raise source.error(NOT_A_TUPLE, line=number)
            start, end = (str(ast.literal_eval(label)) if label[0] in _QUOTES else label for label in row.groups())
            words.add(start, [end])
            words.quoted |= row[1][0] in _QUOTES or row[2][0] in _QUOTES


def _whole(label: str, rows: WordRows | CSVRows, column: int) -> str:
    """Return 3 for 3, 3.0 or 3e+00; return an empty or missing label unchanged; raise a ParseError for any other."""
    if not label or _is_missing(label, rows, column):
        return label
    if not (number := WHOLE.fullmatch(label)) or not float(label).is_integer():
        raise rows.error(
            "the label {label} is not a whole number, but all labels in the rows before are: expected a "
            "label such as 3 or 3.0",
            shorten(label),
        )
    return number[1] or str(int(float(label)))


def _is_missing(label: str, rows: WordRows | CSVRows, column: int) -> bool:
    """Tell whether the label in a column of the current row is one of ``MISSING``, such as NA, without quotes."""
    return MISSING.fullmatch(label) is not None and not rows.is_quoted(column)


def _too_many(row: list[str], width: int, rows: WordRows | CSVRows, source: Source) -> ParseError:
    """Return the error for ``row``, the last that ``rows`` yielded: it has more than ``width`` columns."""
    if isinstance(rows, CSVRows):
        return rows.error(
            "expected {width} columns, found {count}: choose the two columns of the moves by --source and "
            "--target; if each line is a position and its options, the command {command} makes an edge "
            "list",
            width,
            len(row),
            source.shell_command("tr -s ',; ' ' ' < {shell} | graphgame convert --from adjlist - game.edges"),
            index=width,
        )
    advice = Message(
        "--source 1 --target 2 reads the first two labels of each line as a move, --format adjlist "
        "reads each line as a position and its options"
    )
    if len(row) == 3 and row[1] and not any(map(str.isalnum, row[1])):
        advice = Message("write the two labels without the sign {sign} between them", row[1])
    elif rows.line.rstrip().endswith("}"):
        advice = Message(
            "if the labels contain spaces, write it as CSV: networkx.write_edgelist(G, 'game.csv', delimiter=';')"
        )
    return rows.error("expected one or two labels on a line, found {count}; {advice}", len(row), advice, index=width)


def _lines(source: Source, blocks: Iterable[_Numbered]) -> Iterator[tuple[int, str]]:
    for first, block in blocks:
        yield from enumerate(source.decode(block, first).split("\n")[:-1], first)


def write(graph: GameGraph, stream: TextIO, separator: str = SPACE) -> None:
    """Write tokens, a header (in an edge list only if the reader needs it), positions without edges, then edges."""
    fields: Labels | EncodedTexts = graph.labels
    if separator == SPACE:
        fields, word_of = position_words(graph)
        stream.write(token_line(graph, word_of) + ("" if len(graph) else NO_POSITIONS))
    else:
        fields = graph.labels if are_integers(graph.labels) else _fields(unique_texts(graph.labels), separator)
        stream.write(token_line(graph, word))
    alone = np.array(isolated(graph), np.int32)
    line, edges = EdgeLine("", separator, ["\n"]), graph.number_of_edges()
    blocks = chain([EdgeBlock(alone, alone[:0])], (EdgeBlock(*ends) for ends in edge_arrays(graph)))
    lines = edge_lines(blocks, fields, line, len(graph) + edges)
    start = ""
    while len(start) < _CHARACTERS_OF_HEAD and (more := next(lines, "")):
        start += more
    if separator != SPACE or (len(alone) and not edges) or _is_misread(start, len(alone) + edges):
        stream.write(f"source{separator}target\n")
    stream.write(start)
    stream.writelines(lines)


def _is_misread(start: str, lines: int) -> bool:
    """Tell whether the reader would find counts, a header or another layout in ``lines`` lines with this ``start``."""
    if re.match(rf"\d+(?: {lines - 1})?\n", start):  # The reader could take this first line for a count.
        return True
    source = Source(start.encode(errors="surrogatepass"))
    source.columns = None, None  # The caller's --source and --target name columns of the input, not of this list.
    try:
        return sniff(source, SPACE) != Dialect(SPACE)
    except GraphGameError:
        return True


def _fields(texts: list[str], separator: str) -> EncodedTexts:
    """Return texts as fields of CSV, quoted if necessary; raise a FormatError for a text that CSV cannot express."""
    # The csv module of some versions of Python does not quote a carriage return.
    is_special = re.compile(rf'[{separator}"\n\r]').search

    def field(text: str) -> str:
        if _INEXPRESSIBLE.search(text):
            raise FormatError(
                "position {position!r} is empty, begins or ends in white space, or has a NUL character: CSV "
                "and TSV cannot express such a name, so write an edge list",
                text,
            )
        return '"' + text.replace('"', '""') + '"' if is_special(text) or reads_otherwise(text) else text

    return encoded(texts, field, _SIGNS_OF_FIELDS.replace(separator.encode(), b""), *scan_kernels.MISSING)
