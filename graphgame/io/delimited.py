r"""Lists of edges as text: a position and one of its options on each line.

The formats ``edgelist`` (columns split at white space), ``csv`` and ``tsv`` are read by one reader. A line with one
label, or in CSV with an empty second field, is a position, with or without edges elsewhere; empty lines mean nothing.
Parallel edges count once. If every label is an integer (see :func:`graphgame.io.interchange.is_integer`), positions are
integers in increasing order and without gaps: a number that no line holds is no position. Otherwise all are strings, in
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
import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TextIO

import numpy as np

from graphgame.compiled.engine import ahead, use_compiled
from graphgame.errors import FormatError, Message, ParseError, plural, shorten
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, are_integers
from graphgame.io import scan_kernels
from graphgame.io.edge_stores import Edges, IntegerEdges, Result, Words
from graphgame.io.edges import EdgeBlock, EdgeLine, EncodedTexts, edge_lines, encoded, graph_edge_lines, isolated
from graphgame.io.interchange import (
    COMMENT,
    WORD,
    CSVRows,
    TokenLines,
    long_fields,
    position_words,
    split_line,
    token_line,
    unique_texts,
    word,
    wrong_word,
)
from graphgame.io.scanner import ALONE, Scanner
from graphgame.io.source import BLOCK, ColumnNames, Source

SPACE = " "
"""Stands for any white space between columns."""
TUPLES = "("
"""Stands for lines that are tuples of Python, such as ``(3, 'a')``."""

_SNIFFED = 1 << 16
_SEPARATORS = (",", ";", "\t", "|")
_SPLIT = {
    ",": Message("columns split at commas"),
    ";": Message("columns split at semicolons"),
    "\t": Message("columns split at tabs"),
    "|": Message("columns split at vertical bars"),
}
_OWN_NAMES = ("source", "target")
_USUAL = (
    *(("from", "to"), ("src", "dst"), ("src", "dest"), ("parent", "child"), ("start", "end"), ("tail", "head")),
    *(("u", "v"), ("position", "option"), ("origin", "destination"), ("node1", "node2"), ("vertex1", "vertex2")),
    *(("fromnodeid", "tonodeid"), ("from_node", "to_node"), ("from_id", "to_id"), ("source_id", "target_id")),
    *(
        ("sourceid", "targetid"),
        ("sender", "receiver"),
        ("von", "nach"),
        ("quelle", "ziel"),
        ("de", "vers"),
        ("从", "到"),
        ("源", "目标"),
        ("起点", "终点"),
    ),
)
"""Names that columns of edges usually have, beside ``source`` and ``target``, which are always a header."""

_SAMPLE = 1000
_INTEGER_LINES = re.compile(rb"(?:[ \t]*-?[0-9]++[ \t]++-?[0-9]++[ \t\r]*+\n)*")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?|nan|NA|inf|")
_INTEGER = re.compile(r"-?\d+")
_DATA = re.compile(r"\s+\{.*\}\s*\Z", re.S)
_DICTIONARY = re.compile(r"\{(?:\s*|['\"].*)\}")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_DECIMAL = re.compile(r"(?<!\d)\d+,\d+(?!\d)")
_WHOLE = re.compile(r"(-?\d+)(?:\.0)?")
_ARROWS = re.compile(r'[^",;]*\w\s*(?:->|→)\s*\w')
"""The start of a line of CSV that is a move with an arrow; what graphgame writes has a header above."""

_ARROW = re.compile(r"\s*\w\S*?(?:-+>|=>|→)\w\S*\s*")
_TUPLE_LABEL = r"""(-?\d+|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_TUPLE = re.compile(rf"\s*\(\s*{_TUPLE_LABEL}\s*,\s*{_TUPLE_LABEL}\s*(?:,\s*\{{.*\}}\s*)?\)\s*,?\s*")
_LIST_BEHIND_COLON = re.compile(r"[^\s,:]+\s*:\s*[\[({].*[\])}]\s*,?\s*")
_INEXPRESSIBLE = re.compile(r"\A\s|\s\Z|\A\Z|\0")
_SIGNS_OF_FIELDS = bytes(sign for sign in range(ord(" ") + 1, 128) if chr(sign) not in '".')
_NOT_IN_INTEGERS = (b" ", b"\t", b"\v", b"\f", b"\r", b"#", b"%")
_REST = re.compile(rb"(?m)^([^\s\"#%][^\s\"]*[ \t]+[^\s\"]+)[ \t][^\n]*$")
"""The columns after the second one."""

_LINES = Message("lines of two labels, a position and one of its options")
_ROWS = Message("rows of two columns, a position and one of its options")
_HEAD = 1 << 16
_BYTES_A_ROW = 5  # so few that compiled loops begin at 1 MB: a row of text takes far longer than one of numbers
_DIGITS = b"0123456789"
_QUOTES = "'\""
_NONE = np.empty(0, np.int64)
_Numbered = tuple[int, bytes]


class Dialect(NamedTuple):
    """How the columns of a list of edges are laid out.

    Attributes
    ----------
    separator : str
        Between two columns; :data:`SPACE` is any white space.
    source, target : int
        The columns that are read, counted from 0.
    width : int
        Most columns of a row.
    top : int
        How many lines at the start are not rows: a header, perhaps with comments before it.
    notes : tuple of Message
        What was guessed.
    are_floats : bool
        Whether the labels are integers that are written as floats, as pandas does beside an empty cell.
    is_counted : bool
        Whether the first line must count positions and moves: it has two numbers, and the others have weights.
    """

    separator: str
    source: int = 0
    target: int = 1
    width: int = 2
    top: int = 0
    notes: tuple[Message, ...] = ()
    are_floats: bool = False
    is_counted: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether a row is a position and one of its options, and nothing else."""
        return (self.source, self.target, self.width) == (0, 1, 2)


def fields_of(line: str, separator: str) -> list[str]:
    """Return the columns of one line.

    Examples
    --------
    >>> fields_of('a;"b;c"; d', ";"), fields_of("a  b {'weight': 3}", SPACE)
    (['a', 'b;c', 'd'], ['a', 'b', "{'weight': 3}"])
    """
    if separator != SPACE:
        sign = re.escape(separator)
        data = re.match(rf"([^{sign}\"]*{sign}[^{sign}\"]*){sign}(\{{.*\}})\s*\Z", line)
        if data:
            return [*(field.strip() for field in data[1].split(separator)), data[2]]
        return [field.strip() for field in next(csv.reader([line], delimiter=separator), [])]
    data = _DATA.search(line)
    words = line[: data.start()].split() if data else line.split()
    if data and len(words) == 2:
        return [*words, data[0].strip()]
    return [found[0] for found in WORD.finditer(line)] if '"' in line else line.split()


def sniff(source: Source, separator: str) -> Dialect:
    """Return the dialect of a list of edges whose format has this separator.

    Raises
    ------
    ParseError
        The columns that the caller names are not there, or two separators fit as well as each other.
    """
    head = source.peek(_SNIFFED)
    plain = _INTEGER_LINES.match(head) if separator == SPACE and source.columns == (None, None) else None
    if plain and plain.end() > max(0, head.rfind(b"\n")):
        return Dialect(separator)
    text = head.decode("utf-8-sig", "replace")
    lines = re.split(r"\r\n|\n|\r", text)
    lines = lines[:-1] if len(head) == _SNIFFED or not lines[-1] else lines
    top, rows = 0, [(number, line) for number, line in enumerate(lines[:_SAMPLE]) if line.strip()]
    if separator == SPACE:
        rows = [(number, line) for number, line in rows if not line.startswith(COMMENT)]
    else:
        while rows and rows[0][1].startswith(COMMENT) and (_is_tokens(rows[0][1]) or separator not in rows[0][1]):
            top = rows.pop(0)[0] + 1
    notes: list[Message] = []
    if source.columns == (None, None) and _are_tuples(rows, source):
        return Dialect(TUPLES, top=top, notes=(Message("lines as tuples of Python"),))
    if rows and all((_ARROW.fullmatch if separator == SPACE else _ARROWS.match)(line) for _, line in rows):
        advice = Message(
            "an arrow without spaces: write a move as two labels, a b; or write digraph { above and } below the lines, "
            "which is DOT"
        )
        raise source.error(advice, rows[0][0] + 1, 1, rows[0][1])
    chosen = re.fullmatch(r"sep=(.)\s*", rows[0][1]) if rows else None
    if chosen:
        top, separator = rows.pop(0)[0] + 1, chosen[1]
    elif rows and (found := _separator([line for _, line in rows], separator, source)) != separator:
        notes.append(_SPLIT[found])
        separator = found
    table = [(number, fields_of(line, separator)) for number, line in rows if not _breaks(line, separator)]
    dialect = _with_columns(table, Dialect(separator, top=top), source.columns, notes, source)
    if separator == SPACE or any('"' in line for _, line in rows) or not _are_floats(table, dialect):
        return dialect
    told = (*dialect.notes, Message("labels such as 3.0 as integers"))
    return dialect._replace(notes=told, are_floats=True)


def _are_tuples(rows: Sequence[tuple[int, str]], source: Source) -> bool:
    """Tell whether lines are tuples; refuse those that are so only in part, and lists behind positions."""
    if rows and all(_LIST_BEHIND_COLON.fullmatch(line) for _, line in rows):
        raise source.error(
            Message("a position and a list of its options: without : [ ] and commas, --format adjlist reads it"),
            rows[0][0] + 1,
        )
    if not rows or not _TUPLE.fullmatch(rows[0][1]):
        return False
    other = next((number for number, line in rows if not _TUPLE.fullmatch(line)), None)
    if other is None:
        return True
    if re.search(r",\s", rows[0][1]):
        raise source.error(_not_a_tuple(), other + 1)
    return False


def _not_a_tuple() -> Message:
    return Message("expected a tuple of two labels, such as (3, 2), as in the first line")


def _are_floats(table: Sequence[tuple[int, list[str]]], dialect: Dialect) -> bool:
    """Tell whether all labels are whole numbers, and some are written as floats."""
    rows = [row for number, row in table if number >= dialect.top]
    labels = [row[column] for row in rows for column in dialect[1:3] if column < len(row) and row[column]]
    return any(label.endswith(".0") for label in labels) and all(map(_WHOLE.fullmatch, labels))


def _is_tokens(line: str) -> bool:
    return re.match(r"#[ \t]*tokens:", line) is not None


def _breaks(line: str, separator: str) -> bool:
    """Tell whether a field goes on in the next line."""
    return separator != SPACE and _QUOTED.sub("", line).count('"') > 0


def _separator(lines: Sequence[str], usual: str, source: Source) -> str:
    """Return the separator that every line has equally often, the usual one where others fit no better."""
    bare = [_QUOTED.sub("", line) for line in lines]
    if usual == SPACE:
        if any('"' in line for line in lines) or not all(len(line.split()) == 1 or _is_spaced(line) for line in bare):
            return usual
        fitting = [other for other in ",;" if _is_even(bare, other)]
        return fitting[0] if len(fitting) == 1 else usual
    if usual == "," and "," not in bare[0] and len(others := _even_besides(bare, usual)) == 1:
        return others[0]  # a comma in some later lines is one of a text: von;nach;Notiz above a;b;ja, nein
    others = _even_besides(bare, usual)
    if not others or (usual in bare[0] and usual != ","):
        return usual
    if not any(usual in line for line in bare):
        return others[0]
    # 1,5;2,5: where the comma is in numbers only, and not in the header, the other sign separates
    in_numbers = all(_DECIMAL.sub("", line).count(",") == 0 for line in bare)
    if ";" in others and in_numbers and ("," not in bare[0] or bare[0].count(";") > 1):
        return ";"
    # a,5;b,2: two columns at the semicolon, three at the comma
    in_two = bare[0].count(";") == 1 and bare[0].count(",") > 1 and _is_even(bare, ",")
    if ";" in others and (in_numbers or in_two):
        raise source.error(
            Message(
                "both ; and , may separate the columns: name them in the first line, as in source,target or "
                "source;target"
            ),
            1,
        )
    return usual


def _even_besides(lines: Sequence[str], usual: str) -> list[str]:
    """Return the separators other than the usual one that every line has equally often."""
    return [other for other in _SEPARATORS if other != usual and _is_even(lines, other)]


def _is_spaced(line: str) -> bool:
    return re.fullmatch(r"\s*[^\s,;]+\s*[,;]\s*[^\s,;]+\s*", line) is not None


def _is_even(lines: Sequence[str], separator: str) -> bool:
    counts = {line.count(separator) for line in lines}
    return len(counts) == 1 and counts != {0}


def multiline_advice(source: Source) -> Message:
    """Return what is said of a multiline adjacency list of networkx."""
    return Message(
        "a multiline adjacency list, which is not read: in Python, "
        "GameGraph(networkx.read_multiline_adjlist({path}, create_using=networkx.DiGraph)) takes it",
        repr(source.name),
    )


def _with_columns(
    table: list[tuple[int, list[str]]], dialect: Dialect, asked: ColumnNames, notes: list[Message], source: Source
) -> Dialect:
    """Find the header and the two columns."""
    if not table:
        if asked != (None, None):
            raise source.error(Message("no column {name!r}: the file has no rows", asked[0] or asked[1]), 1)
        return dialect._replace(notes=tuple(notes))
    (first, header), body = table[0], [row for _, row in table[1:]]
    names = [name.strip('"').removeprefix("#").strip().lower() for name in header]
    if repeated := next((name for name in _OWN_NAMES if names.count(name) > 1 and asked == (None, None)), None):
        raise source.error(_repeated(names, repeated), first + 1, 1)
    columns = _named(names, body, dialect.separator, '"' in header[0])
    by_name = False
    if asked != (None, None):
        start, end, by_name = asked_columns(names, header, asked, source, first + 1)
        columns = start, end, by_name or columns is not None
    if columns is None:
        if dialect.separator == SPACE and any(len(row) == 2 and _DICTIONARY.fullmatch(row[1]) for _, row in table):
            raise source.error(multiline_advice(source), 1)
        width = _width(table, dialect.separator)
        if width == 2 and dialect.separator == SPACE and not source.strict and all(map(_INTEGER.fullmatch, header)):
            width = _width(table[1:], SPACE) if len(header) == 2 and len(table) > 1 else 2
            if width > 2 and all(len(row) == width for row in body):
                return dialect._replace(width=width, notes=(*notes, *unread(width)), is_counted=True)
            width = 2
        return dialect._replace(width=width, notes=(*notes, *unread(width)))
    start, end, is_header = columns
    width = max(map(len, (header, *body)))
    if max(start, end) >= width:
        raise source.error(_no_column(max(start, end) + 1, header), first + 1)
    if is_header:
        # R leaves out the name of the column that numbers the rows
        shift = int(
            dialect.separator in (SPACE, "\t")
            and bool(body)
            and all(len(row) == len(header) + 1 for row in body)
            and "" not in names
        )
        usual = [*names[start : start + 1], *names[end : end + 1]] == [*_OWN_NAMES] and not header[0].startswith(
            COMMENT
        )
        start, end, width = start + shift, end + shift, len(header) + shift
        if by_name:
            notes = []
        elif not usual or shift:
            line = shorten(dialect.separator.join(header))
            notes.append(Message("the first line, {line}, as the names of columns", line))
    notes += unread(width) if asked == (None, None) else []
    top = first + 1 if is_header else dialect.top
    return Dialect(dialect.separator, start, end, width, top, tuple(notes))


def usual_pair(names: Sequence[str]) -> tuple[str, str] | None:
    """Return which two of these names, in lower case, columns of edges usually have; None where none do."""
    return next((pair for pair in (_OWN_NAMES, *_USUAL) if set(pair) <= set(names)), None)


def _repeated(names: Sequence[str], name: str) -> Message:
    return Message("{count} columns are named {name!r}: expected one", names.count(name), name)


def _no_column(number: int, header: Sequence[str]) -> Message:
    return Message("no column {number}: the first line has {columns}", number, plural(len(header), "column"))


def unread(width: int) -> list[Message]:
    """Return the note that a table of this width has columns which are not read."""
    return [Message("{columns} ignored", plural(width - 2, "column"))] if width > 2 else []


def asked_columns(
    names: list[str], header: list[str], asked: ColumnNames, source: Source, line: int | None = None
) -> tuple[int, int, bool]:
    """Return the columns that the caller names, by name or by number, and whether by a name.

    ``names`` are those of ``header`` in lower case. Errors are at a line, or at none for a table that is not text.
    """
    found: list[int] = []
    named = False
    for given, usual in zip(asked, _OWN_NAMES, strict=True):
        wanted = usual if given is None else given
        if wanted.lower() in names:
            if names.count(wanted.lower()) > 1:
                raise source.error(_repeated(names, wanted.lower()), line)
            found.append(names.index(wanted.lower()))
            named = True
        elif wanted.isdecimal() and int(wanted) > 0:
            found.append(int(wanted) - 1)
        else:
            shown = ", ".join(map(shorten, header[:20]))
            if line is None:
                raise source.error(Message("no column {name!r}: the table has {shown}", wanted, shown))
            raise source.error(Message("no column {name!r}: the first line has {shown}", wanted, shown), line)
    if found[0] == found[1]:
        raise source.error(Message("column {number} as source and as target: expected two columns", found[0] + 1), line)
    return found[0], found[1], named


def _named(names: list[str], body: list[list[str]], separator: str, quoted: bool) -> tuple[int, int, bool] | None:
    """Return the columns that a header names; None where the first row is no header."""
    # Words in quotes are labels, such as "source", unless R wrote them.
    is_label = separator == SPACE and quoted and not (body and all(len(row) == len(names) + 1 for row in body))
    if set(_OWN_NAMES) <= set(names) and not is_label:
        return names.index("source"), names.index("target"), True
    labels = {field.strip('"').lower() for row in body for field in row[:3]}
    for pair in _USUAL:
        if set(pair) <= set(names) and not labels & set(pair) and body:
            return names.index(pair[0]), names.index(pair[1]), True
    if is_label or not body:
        return None
    if separator != SPACE and len(names) > 2 and names[0] == "" and "" not in names[1:]:  # pandas and R number the rows
        return 1, 2, True
    # Quelle,Ziel above numbers
    ends = [field for row in body for field in row[:2]]
    is_above_numbers = all(map(_INTEGER.fullmatch, ends)) and not any(map(_NUMBER.fullmatch, names[:2]))
    return (0, 1, True) if len(names) > 1 and len(ends) > len(body) and is_above_numbers else None


def _width(table: list[tuple[int, list[str]]], separator: str) -> int:
    """Return how many columns rows without a header have: more than two where the others are data or numbers alone."""
    widths = {len(row) for _, row in table}
    width = max(widths)
    if width <= 2 or not widths <= {1, width}:
        return 2
    others = [field for _, row in table for field in row[2:]]
    middle = {row[1] for _, row in table if len(row) > 1}
    if width == 3 and len(middle) == 1 and not any(map(str.isalnum, *middle)):
        return 2  # 1 -- 2
    if width == 3 and all(map(_DICTIONARY.fullmatch, others)):
        return 3
    return width if all(map(_NUMBER.fullmatch, others)) else 2


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
        # from 1 to N, or from 0 to N - 1; or from 0 to N, where M is a label in no other row
        most = vertices - (self._least == 0 and vertices >= edges)
        fits = self._rows <= edges and self._least >= 0 and self._largest <= most
        if not (whole and fits):
            self._refuse_if_counted()
            values, self._first = np.concatenate([self._first, values]), _NONE
        return values

    def finish(self) -> np.ndarray:
        """Return the rows that the first row stands for: itself, or the positions that it counts."""
        if not len(self._first) or self._rows != self._first[1] or not self._rows:
            self._refuse_if_counted()
            return self._first
        vertices, edges = self._first.tolist()
        line = f"{vertices} {edges}"
        if self._least == 0 or self._has_comment:
            self._refuse_if_counted()
            self._source.notes.append(
                Message("the first line, {line}, as a move; if it counts positions and moves, leave it out", line)
            )
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
        if dialect.separator in (SPACE, TUPLES):
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
    text = _whole_numbers(block, separator) if dialect.are_floats else _with_newlines(block)
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


def _whole_numbers(block: bytes, separator: bytes) -> bytes:
    """Return rows in which numbers such as 3.0 are integers; as they are where a cell begins with a point."""
    if separator + b"." in block or b"\n." in block or block.startswith(b"."):
        return block
    return _with_newlines(block).replace(b".0" + separator, separator).replace(b".0\n", b"\n")


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
        block = _whole_numbers(numbered[1], dialect.separator.encode()) if dialect.are_floats else numbered[1]
        text = np.frombuffer(block, np.uint8)
        data, offsets = np.empty(len(text), np.uint8), np.empty(len(text) + 2, np.int64)
        if dialect.separator == TUPLES:
            count, stop, quoted = scan_kernels.split_tuples(text, data, offsets)
        else:
            count, stop, quoted = scan_kernels.split_labels(text, separator, first, second, width, data, offsets)
        if dialect.are_floats:  # places in the block are others now: all of it, or nothing
            is_read = stop == len(block) and not data[: offsets[count]].tobytes().translate(None, _DIGITS)
            count, stop = (count, len(numbered[1])) if is_read else (0, 0)
        return data, offsets[: count + 1].copy(), stop, quoted

    scanned = ahead(split, blocks)
    for numbered, (data, offsets, stop, quoted) in scanned:
        words.add_rows(data, offsets)
        words.quoted |= quoted and dialect.separator in (SPACE, TUPLES)
        if stop < len(numbered[1]):
            return chain([_behind(numbered, stop)], (each for each, _ in scanned))
    return []


def _read_rows(source: Source, words: Words[Result], blocks: Iterable[_Numbered], dialect: Dialect) -> None:
    """Add rows of labels of any kind."""
    if dialect.separator == TUPLES:
        _read_tuples(source, words, blocks)
        return
    is_spaced = dialect.separator == SPACE
    rows = _Lines(source, blocks, words) if is_spaced else _Fields(source, blocks, dialect.separator)
    start, end, width = dialect[1:4]
    with long_fields():
        for row in rows:
            if len(row) > width:
                raise rows.too_many(row, width)
            if dialect.are_floats:
                for column in {start, end} & set(range(len(row))):
                    row[column] = _whole(row[column], rows)
            if start < len(row) and (row[start] or is_spaced):
                words.add(row[start], [row[end]] if end < len(row) and (row[end] or is_spaced) else [])
            elif any(row):
                raise rows.error(Message("the source is empty: expected the label of a position"))


def _read_tuples(source: Source, words: Words[Result], blocks: Iterable[_Numbered]) -> None:
    """Add rows that are tuples; texts in quotes stay texts."""
    for number, line in _lines(source, blocks):
        if not line.strip() or line.startswith(COMMENT):
            continue
        found = _TUPLE.fullmatch(line)
        if found is None:
            raise source.error(_not_a_tuple(), number)
        start, end = (str(ast.literal_eval(label)) if label[0] in _QUOTES else label for label in found.groups())
        words.add(start, [end])
        words.quoted |= found[1][0] in _QUOTES or found[2][0] in _QUOTES


def _whole(label: str, rows: _Lines | _Fields) -> str:
    """Return an integer that is written as a float, or an empty label."""
    found = _WHOLE.fullmatch(label)
    if found is None and label:
        raise rows.error(Message("{label}: expected a whole number, as in the rows before", shorten(label)))
    return found[1] if found else label


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
    fields: Labels | EncodedTexts = graph.labels
    if separator == SPACE:
        fields, word_of = position_words(graph)
        stream.write(token_line(graph, word_of) or ("" if len(graph) else "# no positions\n"))
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


def _fields(texts: list[str], separator: str) -> EncodedTexts:
    """Return texts as fields, quoted where they must be; the csv module leaves a carriage return bare."""
    is_special = re.compile(rf'[{separator}"\n\r]|\A-?\d+\.0\Z').search  # 3.0 is no integer

    def field(text: str) -> str:
        if _INEXPRESSIBLE.search(text):
            raise FormatError(
                "position {text!r} is empty, begins or ends in white space, or holds a NUL character: "
                "columns cannot express it, write an edgelist",
                text,
            )
        return '"' + text.replace('"', '""') + '"' if is_special(text) else text

    return encoded(texts, field, _SIGNS_OF_FIELDS.replace(separator.encode(), b""))
