r"""How a list of edges is laid out: what separates its columns, what they are called, and which two are read.

:func:`sniff` looks at the first 64 KiB and returns a :class:`Dialect`. Its notes say what it had to guess; a plain
list of two columns has none.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import NamedTuple

from graphgame.errors import Message, plural, shorten
from graphgame.io.labels_text import COMMENT, WORD
from graphgame.io.source import ColumnNames, Source

SPACE = " "
"""Stands for any white space between columns."""

_HEAD = 1 << 16
_SEPARATORS = (",", ";", "\t", "|")
_SPLIT = {
    ",": Message("columns split at commas"),
    ";": Message("columns split at semicolons"),
    "\t": Message("columns split at tabs"),
    "|": Message("columns split at vertical bars"),
}
_PLAIN = ("source", "target")
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
_INTEGERS = re.compile(rb"(?:[ \t]*-?[0-9]++[ \t]++-?[0-9]++[ \t\r]*+\n)*")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?|nan|NA|inf|")
_INTEGER = re.compile(r"-?\d+")
_DATA = re.compile(r"\s+\{.*\}\s*\Z", re.S)
_DICTIONARY = re.compile(r"\{(?:\s*|['\"].*)\}")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_DECIMAL = re.compile(r"(?<!\d)\d+,\d+(?!\d)")


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
    """

    separator: str
    source: int = 0
    target: int = 1
    width: int = 2
    top: int = 0
    notes: tuple[Message, ...] = ()

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
    head = source.peek(_HEAD)
    plain = _INTEGERS.match(head) if separator == SPACE and source.columns == (None, None) else None
    if plain and plain.end() > head.rfind(b"\n"):
        return Dialect(separator)
    text = head.decode("utf-8-sig", "replace")
    lines = re.split(r"\r\n|\n|\r", text)
    lines = lines[:-1] if len(head) == _HEAD or not lines[-1] else lines
    top, rows = 0, [(number, line) for number, line in enumerate(lines[:_SAMPLE]) if line.strip()]
    if separator == SPACE:
        rows = [(number, line) for number, line in rows if not line.startswith(COMMENT)]
    else:
        while rows and rows[0][1].startswith(COMMENT) and (_is_tokens(rows[0][1]) or separator not in rows[0][1]):
            top = rows.pop(0)[0] + 1
    notes: list[Message] = []
    chosen = re.fullmatch(r"sep=(.)\s*", rows[0][1]) if rows else None
    if chosen:
        top, separator = rows.pop(0)[0] + 1, chosen[1]
    elif rows and (found := _separator([line for _, line in rows], separator, source)) != separator:
        notes.append(_SPLIT[found])
        separator = found
    table = [(number, fields_of(line, separator)) for number, line in rows if not _breaks(line, separator)]
    return _with_columns(table, Dialect(separator, top=top), source.columns, notes, source)


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
    others = [other for other in _SEPARATORS if other != usual and _is_even(bare, other)]
    if not others or (usual in bare[0] and usual != ","):
        return usual
    if not any(usual in line for line in bare):
        return others[0]
    # a,5 and 1;2,5: the comma is in numbers only, and the other sign is in the header too
    if ";" in others and all(_DECIMAL.sub("", line).count(",") == 0 for line in bare):
        if "," not in bare[0] or bare[0].count(";") > 1:
            return ";"
        raise source.error(
            Message(
                "both ; and , may separate the columns: name them in the first line, as in source,target or "
                "source;target"
            ),
            1,
        )
    return usual


def _is_spaced(line: str) -> bool:
    return re.fullmatch(r"\s*[^\s,;]+\s*[,;]\s*[^\s,;]+\s*", line) is not None


def _is_even(lines: Sequence[str], separator: str) -> bool:
    counts = {line.count(separator) for line in lines}
    return len(counts) == 1 and counts != {0}


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
    if repeated := next((name for name in _PLAIN if names.count(name) > 1 and asked == (None, None)), None):
        raise source.error(_repeated(names, repeated), first + 1, 1)
    columns = _named(names, body, dialect.separator, '"' in header[0])
    by_name = False
    if asked != (None, None):
        start, end, by_name = _asked(names, header, asked, source, first)
        columns = start, end, by_name or columns is not None
    if columns is None:
        if dialect.separator == SPACE and any(len(row) == 2 and _DICTIONARY.fullmatch(row[1]) for _, row in table):
            raise source.error(
                Message(
                    "a multiline adjacency list, which is not read: in Python, "
                    "GameGraph(networkx.read_multiline_adjlist({path}, create_using=networkx.DiGraph)) takes it",
                    repr(source.name),
                ),
                1,
            )
        width = _width(table, dialect.separator)
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
        usual = [*names[start : start + 1], *names[end : end + 1]] == [*_PLAIN] and not header[0].startswith(COMMENT)
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
    return next((pair for pair in (_PLAIN, *_USUAL) if set(pair) <= set(names)), None)


def _repeated(names: Sequence[str], name: str) -> Message:
    return Message("{count} columns are named {name!r}: expected one", names.count(name), name)


def _no_column(number: int, header: Sequence[str]) -> Message:
    return Message("no column {number}: the first line has {columns}", number, plural(len(header), "column"))


def unread(width: int) -> list[Message]:
    """Return the note that a table of this width has columns which are not read."""
    return [Message("{columns} ignored", plural(width - 2, "column"))] if width > 2 else []


def _asked(names: list[str], header: list[str], asked: ColumnNames, source: Source, line: int) -> tuple[int, int, bool]:
    """Return the columns that the caller names, by name or by number, and whether by a name."""
    found: list[int] = []
    named = False
    for given, usual in zip(asked, _PLAIN, strict=True):
        wanted = usual if given is None else given
        if wanted.lower() in names:
            if names.count(wanted.lower()) > 1:
                raise source.error(_repeated(names, wanted.lower()), line + 1)
            found.append(names.index(wanted.lower()))
            named = True
        elif wanted.isdecimal() and int(wanted) > 0:
            found.append(int(wanted) - 1)
        else:
            shown = ", ".join(map(shorten, header[:20]))
            raise source.error(Message("no column {name!r}: the first line has {shown}", wanted, shown), line + 1)
    if found[0] == found[1]:
        raise source.error(
            Message("column {number} as source and as target: expected two columns", found[0] + 1), line + 1
        )
    return found[0], found[1], named


def _named(names: list[str], body: list[list[str]], separator: str, quoted: bool) -> tuple[int, int, bool] | None:
    """Return the columns that a header names; None where the first row is no header."""
    # Words in quotes are labels, such as "source", unless R wrote them.
    is_label = separator == SPACE and quoted and not (body and all(len(row) == len(names) + 1 for row in body))
    if set(_PLAIN) <= set(names) and not is_label:
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
    if width == 3 and all(map(_DICTIONARY.fullmatch, others)):
        return 3
    return width if all(map(_NUMBER.fullmatch, others)) else 2
