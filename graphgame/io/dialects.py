"""Recognize the layout of a list of edges from its first 64 KiB: separator, columns, header, labels such as 3.0.

In a pair (int, row) or (int, line), the int is the number of the line, counted from 0.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from itertools import chain, compress
from shlex import quote
from typing import NamedTuple

from graphgame.errors import Message, abridged, plural, shorten
from graphgame.io.interchange import COMMENT, MISSING, TOKENS, WHOLE, WORD
from graphgame.io.other_formats import PYTHON, SHELL, VALUES, not_read
from graphgame.io.source import Source

SPACE = " "
"""The separator of a dialect whose columns are split at any white space."""
TUPLES = "("
"""Stands for the separator if each line is a tuple of Python, as in ``(3, 'a')``, or two tuples: ``(0, 1) (1, 0)``."""

_TUPLE_LABEL = r"""(-?\w+|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
TUPLE = re.compile(rf"\s*\(\s*{_TUPLE_LABEL}\s*,\s*{_TUPLE_LABEL}\s*(?:,\s*\{{.*\}}\s*)?\)\s*,?\s*")
"""A line with an edge as one tuple, such as ``(3, 'a'),`` or ``(3, 2, {'weight': 5})``; its groups are the labels."""
TUPLE_PAIR = re.compile(r"\s*(\([^()]*, [^()]*\))\s+(\([^()]*\))(?:\s+\{.*\})?\s*")
"""A line whose labels are two tuples, such as ``(0, 1) (1, 0) {}`` from networkx; its groups are the labels."""
NOT_A_TUPLE = Message("expected a move as in the first line: a tuple such as (3, 2), or two such as (0, 1) (1, 0)")

NO_POSITIONS = "# no positions\n"
"""The comment that is written for an empty graph, as an edge list or an adjacency list."""
PERHAPS_COUNTS = Message("the first line, {line}, is read as a move; if it counts positions and moves, leave it out")
_NO_DIRECTION = Message(
    "a comment says that the graph has no directions; each line is read as one move, from its source to its target"
)
_SAYS_NO_DIRECTION = re.compile(r"(?i)%\s*(?:sym|bip)\b|#\s*undirected\b")
"""Comments of KONECT and SNAP that call the graph undirected."""
_LINES_OF_COMMENTS = 9
"""How many lines at the start of a file are searched for a comment that calls the graph undirected."""
_SNIFFED = 1 << 16
_LINES_SNIFFED = 1000
_SEPARATORS = (",", ";", "\t", "|")
_SPLIT = {
    ",": Message("the columns are split at commas"),
    ";": Message("the columns are split at semicolons"),
    "\t": Message("the columns are split at tabs"),
    "|": Message("the columns are split at vertical bars"),
    SPACE: Message("the columns are split at spaces"),
}
_OWN_NAMES = ("source", "target")
_ONLY_NAMES = (
    "from,to src,dst src,dest src,tgt source,dest source,destination fromnodeid,tonodeid fromnode,tonode fromid,toid "
    "sourceid,targetid sourcenode,targetnode startid,endid fromvertex,tovertex node1,node2 vertex1,vertex2 "
    "fromstate,tostate state,nextstate currentstate,nextstate von,nach quelle,ziel start,ziel de,vers desde,hasta "
    "origen,destino origem,destino 从,到 源,目标 起点,终点 откуда,куда"
)
_NAMES_OR_LABELS = (
    "parent,child start,end begin,end tail,head u,v i,j v1,v2 n1,n2 position,option position,move position,next "
    "position,successor position,follower vertex,option vertex,successor vertex,neighbor vertex,neighbour node,option "
    "node,successor node,next node,neighbor node,neighbour state,successor state,next current,next origin,destination "
    "predecessor,successor ancestor,descendant sender,receiver anfang,ende"
)
_USUAL = tuple((*pair.split(","),) for pair in f"{_ONLY_NAMES} {_NAMES_OR_LABELS}".split())
"""Usual pairs of names of the source and target columns, in lower case without spaces, dashes or underscores."""
_SURE = {name for pair in _ONLY_NAMES.split() for name in pair.split(",")}
"""Usual names that are rarely labels. A line with a usual pair of these names is a header even if no row follows."""

_INTEGER_LINES = re.compile(rb"(?:[ \t]*-?[0-9]++[ \t]++-?[0-9]++[ \t\r]*+\n)*")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?|nan|NA|inf|")
_INTEGER = re.compile(r"-?\d+")
_MARKS = re.compile(r"[\s_:-]")
_ZERO = re.compile(r"0(?:\.0*(?:e\+00)?)?")
_BIT = re.compile(r"[01](?:\.0*(?:e\+00)?)?")
_DATA = re.compile(r"\s+\{.*\}\s*\Z", re.S)
_DICTIONARY = re.compile(r"\{(?:\s*|['\"].*)\}")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_DECIMAL = re.compile(r"(?<!\d)\d+,\d+(?!\d)")
_ARROWS = re.compile(r'[^",;]*\w\s*(?:->|→)\s*\w')
"""The start of a line of CSV that is a move with an arrow. graphgame writes a header first, which does not match."""

_PAIR_WITH_SPACES = re.compile(r"\s*[^\s,;|]+\s*[,;|]\s*[^\s,;|]+\s*")
_SLIP = re.compile(r"//\S*|\(?\w+[,;]")
"""A word that may be a slip if the columns are split at spaces: a comment as in C, or a label before a comma."""
_ARROW = re.compile(r"\s*\w\S*?(?:-+>|=>|→)\w\S*\s*")
_BEHIND_COLON = re.compile(r"[^\s,:;\"({[]+\s*:(?:\s+\S.*|\s*[\[({].*)?")


class Dialect(NamedTuple):
    """The layout of the columns of a list of edges.

    Attributes
    ----------
    separator : str
        The character between two columns; :data:`SPACE` is any white space, :data:`TUPLES` stands for tuples of Python.
    source, target : int
        The columns of the two labels of an edge, counted from 0.
    width : int
        The number of columns. A row may have fewer.
    top : int
        The number of lines to skip at the start: a header and all lines above it; in CSV also comments and ``sep=;``.
    notes : tuple of Message
        What was guessed or is ignored, for the warning.
    are_floats : bool
        Whether some labels are written as floats, such as 3.0, and all labels are whole numbers.
    is_counted : bool
        Whether the first line can only be the counts of positions and moves: it has two numbers, all other lines more.
    has_names : bool
        Whether a header or the caller chooses the columns of the edges; also True for the list of an empty graph.
    type_column : int or None
        The column named ``type``, if it tells for each edge whether it is directed.
    doubt : Message or None
        The note that the first row may be a header or counts, to be given if no later row of the file has its labels.
    move : str
        How a move is written with this separator, for the note on a list without moves.
    """

    separator: str
    source: int = 0
    target: int = 1
    width: int = 2
    top: int = 0
    notes: tuple[Message, ...] = ()
    are_floats: bool = False
    is_counted: bool = False
    has_names: bool = False
    type_column: int | None = None
    doubt: Message | None = None
    move: str = "a b"


def fields_of(line: str, separator: str) -> list[str]:
    """Return the fields of one line, without white space around them.

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
    return [word[0] for word in WORD.finditer(line)] if '"' in line else line.split()


def sniff(source: Source, separator: str) -> Dialect:
    """Return the dialect of a list of edges, judged by its first 64 KiB, but at most 1,000 lines.

    ``separator`` is the usual one of its format; the file may have another.

    Raises
    ------
    ParseError
        A column that the caller chooses is missing, or chosen twice. Two columns have a name that the caller chooses
        or, by default, the name ``source`` or ``target``. A comma and a semicolon are equally likely. If the caller
        chooses no columns: every line is a move with an arrow; the first line is a tuple such as ``(3, 2)``, but
        another line is not; the first line names columns of positions and their values.
    FormatError
        The caller chooses no columns, and the file is an adjacency list with colons or of several lines for each
        position, or, unless the caller names the format, an adjacency matrix.
    """
    head = source.peek(_SNIFFED)
    is_asked = source.columns != (None, None)
    if separator == SPACE and not is_asked and re.fullmatch(rb"(?:#[^\n]*\n)*" + NO_POSITIONS.encode(), head):
        return Dialect(separator, has_names=True)
    plain = _INTEGER_LINES.match(head) if separator == SPACE and not is_asked else None
    if plain and plain.end() > max(0, head.rfind(b"\n")):
        return Dialect(separator)
    is_cut = len(head) == _SNIFFED
    lines = re.split(r"\r\n|\n|\r", head.decode("utf-8-sig", "replace"))
    lines = lines[:-1] if is_cut or not lines[-1] else lines
    top, rows = 0, [(number, line) for number, line in enumerate(lines[:_LINES_SNIFFED]) if line.strip()]
    if separator == SPACE:
        rows = [(number, line) for number, line in rows if not line.startswith(COMMENT)]
    else:
        while rows and rows[0][1].startswith(COMMENT) and (TOKENS.match(rows[0][1]) or separator not in rows[0][1]):
            top = rows.pop(0)[0] + 1
    if rows and not is_asked:
        _refuse_other_lists(rows, separator, source)
        if _are_tuples(rows, source):
            return Dialect(TUPLES, top=top, notes=(Message("each line is read as one or two tuples of Python"),))
    notes = [_NO_DIRECTION] if any(map(_SAYS_NO_DIRECTION.match, lines[:_LINES_OF_COMMENTS])) else []
    chosen = re.fullmatch(r"sep=(.)\s*", rows[0][1]) if rows else None
    if chosen:
        top, separator = rows.pop(0)[0] + 1, chosen[1]
    elif rows and (fitting := _separator([line for _, line in rows], separator, source, notes)) != separator:
        notes.append(_SPLIT[fitting])
        separator = fitting
    # In CSV a line with an odd number of quotes is a part of a field of several lines: leave it out.
    is_whole = [separator == SPACE or '"' not in _QUOTED.sub("", line) for _, line in rows]
    table = [(number, fields_of(line, separator)) for number, line in compress(rows, is_whole)]
    above = next((k for k, (_, row) in enumerate(table[:9]) if {*_OWN_NAMES} <= {field.lower() for field in row}), 0)
    if above and separator != SPACE and all(sum(map(bool, row)) < 2 for _, row in table[:above]):
        notes.append(Message("the reader skips {lines} above the names of the columns", plural(above, "line")))
        table = table[above:]
    if not (is_asked or source.strict):
        _refuse_matrix([row for _, row in table], separator, is_cut, source)
    dialect = _with_columns(table, Dialect(separator, top=top), notes, source)
    if any('"' in line for _, line in rows) or not _are_floats(table, dialect):
        return dialect
    notes = [*dialect.notes, Message("labels such as 3.0 are read as integers")]
    return dialect._replace(notes=tuple(notes), are_floats=True, doubt=None)


def _refuse_other_lists(rows: Sequence[tuple[int, str]], separator: str, source: Source) -> None:
    """Raise a ParseError if every line is a move such as a->b, a FormatError if every line is like 0: [1, 2].

    Unless ``separator`` is ``SPACE``, a line may have spaces around the arrow, and more text after the move.
    """
    number, first = rows[0][0] + 1, rows[0][1]
    if all((_ARROW.fullmatch if separator == SPACE else _ARROWS.match)(line) for _, line in rows):
        advice = Message(
            "this line is a move with an arrow: write the move as two labels, such as a b; or turn the file into DOT: "
            "put 'digraph {' above the moves and '}' below them, and write each arrow as ->"
        )
        raise source.error(advice, line=number, column=1, text=first)
    if all(_BEHIND_COLON.fullmatch(line) for _, line in rows):
        command = "tr -s '][(){{}},:\"'\"'\" ' ' < {shell} | graphgame convert --from adjlist - game.edges"
        raise not_read(source, Message("an adjacency list file with colons"), SHELL, command)


def _are_tuples(rows: Sequence[tuple[int, str]], source: Source) -> bool:
    """Tell whether all rows match TUPLE, or all TUPLE_PAIR; a ParseError if the first clearly does, but not all do."""
    for form in (TUPLE, TUPLE_PAIR):
        if form.fullmatch(rows[0][1]):
            other = next((number for number, line in rows if not form.fullmatch(line)), None)
            if other is not None and (form is TUPLE_PAIR or re.search(r",\s", rows[0][1])):
                raise source.error(NOT_A_TUPLE, line=other + 1)
            return other is None
    return False


def _refuse_matrix(table: Sequence[list[str]], separator: str, is_cut: bool, source: Source) -> None:
    """Raise a FormatError for an adjacency matrix; its advice is a call of numpy or pandas with ``separator``.

    A square table of 3 rows or more is taken for a matrix if all its fields are zeros and ones; or all are numbers, and
    0 on and below the diagonal; or its first row and its first column have the same names. If ``is_cut``, the last rows
    of a table of zeros and ones may be missing.
    """
    # A line above the matrix may give its size: n, or n twice.
    size = {*filter(None, table[0])} if table else set()
    has_size = len(table) > 3 and sum(map(bool, table[0])) < 3 and size == {str(len(table) - 1)}
    rows = table[1:] if has_size else table
    width = len(rows[0]) if rows else 0
    call = ""
    if width > 2 and rows[0][0] and all(len(row) == width and all(map(_NUMBER.fullmatch, row)) for row in rows):
        bits = all(map(_BIT.fullmatch, chain.from_iterable(rows)))
        is_upper = all(map(_ZERO.fullmatch, (field for k, row in enumerate(rows) for field in row[: k + 1])))
        if (bits and is_cut and len(rows) < width) or (len(rows) == width and (bits or is_upper)):
            options = "" if separator == SPACE else f", delimiter={separator!r}"
            call = "numpy.loadtxt({path!r}" + options + (", skiprows=1)" if has_size else ")")
    elif (
        len(table) > 2
        and all(len(row) == len(table) for row in table[1:])
        and [row[0] for row in table[1:]] == table[0][1 - len(table) :]
    ):
        sign = r"\s+" if separator == SPACE else separator
        call = "pandas.read_csv({path!r}, " + f"sep={sign!r}, index_col=0)"
    if call:
        raise not_read(source, Message("a file with an adjacency matrix"), PYTHON, call)


def _are_floats(table: Sequence[tuple[int, list[str]]], dialect: Dialect) -> bool:
    """Tell whether all labels but missing ones are whole numbers, and one or more are floats, such as 3.0 or 1e+05."""
    rows = [row for number, row in table if number >= dialect.top]
    labels = [row[column] for row in rows for column in dialect[1:3] if column < len(row)]
    labels = [label for label in labels if label and not MISSING.fullmatch(label)]
    is_float = any("." in label or "+" in label for label in labels)
    return is_float and all(WHOLE.fullmatch(label) and float(label).is_integer() for label in labels)


def _separator(lines: Sequence[str], usual: str, source: Source, notes: list[Message]) -> str:
    """Return ``usual``, or a separator that fits better: it occurs equally often in all lines, or is ; or a tab.

    Add a note on a doubtful choice, unless the caller names the format. Raise a ParseError if ; is as likely as ,.
    """
    bare = [_QUOTED.sub("", line) for line in lines]
    if usual == SPACE:
        if any('"' in line for line in lines):
            return usual
        if not all(len(line.split()) == 1 or _PAIR_WITH_SPACES.fullmatch(line) for line in bare):
            return usual
        fitting = [other for other in ",;|" if _is_even(bare, other)]
        return fitting[0] if len(fitting) == 1 else usual
    others = [separator for separator in _SEPARATORS if separator != usual and _is_even(bare, separator)]
    if usual == "," and "," not in bare[0] and len(others) == 1:
        return others[0]  # In "a;b;yes, no" the comma belongs to a text.
    has_usual = any(usual in line for line in bare)
    if not others and not has_usual and bare == lines and all(len(line.split()) == 2 for line in lines):
        return SPACE
    if not others and not has_usual:  # a line without the separator is a position without moves
        others = [sign for sign in ";\t" if any(sign in line for line in bare)]
    if not others or (usual in bare[0] and usual != ","):
        return usual
    if not has_usual:
        return others[0]
    # If all commas are in numbers, a ; or tab separates if line 1 has no comma, or has this sign twice or more.
    in_numbers = all(_DECIMAL.sub("", line).count(",") == 0 for line in bare)
    sure = [sign for sign in ";\t" if sign in others and ("," not in bare[0] or bare[0].count(sign) > 1)]
    if in_numbers and sure:
        return sure[0]
    # a,5;b,2 has two columns split at the semicolon, and three split at commas. Nothing tells which is meant.
    in_two = bare[0].count(";") == 1 and bare[0].count(",") > 1 and _is_even(bare, ",")
    if ";" in others and (in_numbers or in_two):
        raise source.error(
            "either ; or , may separate the columns: name the columns in the first line, as in "
            "source,target or source;target",
            line=1,
        )
    notes += [] if source.strict else [_SPLIT[usual]]
    return usual


def _is_even(lines: Sequence[str], separator: str) -> bool:
    """Tell whether a separator appears equally often in every line, at least once."""
    counts = {line.count(separator) for line in lines}
    return len(counts) == 1 and counts != {0}


def refuse_multiline(source: Source) -> None:
    """Raise a FormatError for a source that the caller has recognized as a multiline adjacency list of networkx."""
    call = "networkx.read_multiline_adjlist({path!r}, create_using=networkx.DiGraph)"
    raise not_read(source, Message("a file with a multiline adjacency list"), PYTHON, call)


def _with_columns(
    table: list[tuple[int, list[str]]], dialect: Dialect, notes: list[Message], source: Source
) -> Dialect:
    """Return ``dialect`` with the columns of the edges in ``table``, and with ``notes`` and new notes.

    There are no notes if the caller names a column. Raise the ParseErrors of :func:`sniff` about columns.
    """
    is_asked = source.columns != (None, None)
    if not table:
        if is_asked:
            name = source.columns[0] or source.columns[1]
            raise source.error(Message("there is no column {name!r}, because the file has no rows", name), line=1)
        return dialect._replace(notes=tuple(notes))
    (first, header), body = table[0], [row for _, row in table[1:]]
    names = [name.strip('"').removeprefix("#").strip().lower() for name in header]
    for name in () if is_asked else _OWN_NAMES:
        refuse_repeated(names, name, source, first + 1)
    if not is_asked and names[:1] == ["position"] and {"grundy", "misere", "outcome"} & {*names[1:2]}:
        raise source.error(VALUES.advice, line=first + 1)
    columns = _named(names, body, dialect.separator, '"' in header[0])
    by_name = False
    if is_asked:
        start, end, by_name = asked_columns(names, header, source, first + 1)
        columns = start, end, by_name or columns is not None
    odd = [(n + 1, end) for n, row in table for end in row[:2] if dialect.separator == SPACE and _SLIP.fullmatch(end)]
    notes += [Message("line {line}: {label!r} is read as a position", *each) for each in odd[:1]]
    if columns is None:
        return _without_header(table, dialect, notes, source)
    start, end, is_header = columns
    width = max(map(len, (header, *body)))
    if (last := max(start, end)) >= width:
        count = plural(len(header), "column")
        raise source.error(
            Message("there is no column {number}: the first line has {columns}", last + 1, count), line=first + 1
        )
    type_column = None
    if is_header:
        shift = int(_lacks_a_name(names, body, dialect.separator))
        are_own_names = [names[column] for column in (start, end) if column < len(names)] == [*_OWN_NAMES]
        start, end, width = start + shift, end + shift, len(header) + shift
        if by_name:
            notes = []
        elif not are_own_names or header[0].startswith(COMMENT) or shift:
            line = shorten(dialect.separator.join(header))
            notes.append(Message("the first line, {line}, is read as the names of the columns", line))
        kind = names.index("type") + shift if "type" in names else width
        if any("directed" in field.lower() for row in body for field in row[kind : kind + 1]):
            type_column = kind
    notes += [] if is_asked else unread(width)
    top = first + 1 if is_header else dialect.top
    dialect = dialect._replace(source=start, target=end, width=width, top=top, notes=tuple(notes))
    dialect = dialect._replace(has_names=is_header or is_asked, type_column=type_column)
    return dialect if is_header or not body else dialect._replace(doubt=_doubt(header, body, dialect))


def _lacks_a_name(names: list[str], body: list[list[str]], separator: str) -> bool:
    """Tell whether each row has one field more than the header, because row names come first, as R writes them.

    False if a header field is empty. If the separator is not a space or tab, the rows must be named 1, 2, ...
    """
    are_longer = bool(body) and all(len(row) == len(names) + 1 for row in body)
    are_numbered = len(body) > 1 and all(row[0] == str(number) for number, row in enumerate(body, 1))
    return are_longer and "" not in names and (are_numbered or separator in (SPACE, "\t"))


def _without_header(
    table: list[tuple[int, list[str]]], dialect: Dialect, notes: list[Message], source: Source
) -> Dialect:
    """Return ``dialect`` for a list without a header: set its width, notes, ``is_counted``, ``doubt`` and ``move``."""
    (_, header), body = table[0], [row for _, row in table[1:]]
    is_spaced = dialect.separator == SPACE
    pair = re.fullmatch(r"(\w+)(?:->|[;:|-])(\w+)", header[0])
    dialect = dialect._replace(move=dialect.separator.join(pair.groups() if pair else "ab"))
    if is_spaced and any(len(row) == 2 and _DICTIONARY.fullmatch(row[1]) for _, row in table):
        refuse_multiline(source)
    width = _width(table, dialect.separator)
    are_numbers = all(map(_INTEGER.fullmatch, header))
    if width == 2 and is_spaced and not source.strict and are_numbers:
        width = _width(table[1:], SPACE) if len(header) == 2 and len(table) > 1 else 2
        if width > 2 and all(len(row) == width for row in body):
            return dialect._replace(width=width, notes=(*notes, *_unread_from_third(width)), is_counted=True)
        width = 2
    doubt = None
    if len(header) == 2 and body and not (is_spaced and any('"' in field for field in header)):
        doubt = _doubt(header, body, dialect)
    return dialect._replace(width=width, notes=(*notes, *_unread_from_third(width)), doubt=doubt)


def _doubt(header: list[str], body: list[list[str]], dialect: Dialect) -> Message | None:
    """Return a note if the first row, ``header``, may name the columns or count positions and moves; otherwise None.

    Neither label of ``header`` may be a label in ``body``. Names must differ and not be integers. Counts must be
    integers, the second the number of rows in ``body`` (unless that is cut), and some label in ``body`` not an integer.
    """
    start, end = dialect.source, dialect.target
    ends = [field for row in body for field in (*row[start : start + 1], *row[end : end + 1])]
    if max(start, end) >= len(header) or {header[start], header[end]} & {*ends}:
        return None
    first = shorten(dialect.separator.join(header))
    if all(map(_INTEGER.fullmatch, (header[start], header[end]))):
        others = any(not _INTEGER.fullmatch(field) for field in ends if field)
        counts = header[end] == str(len(body)) or len(body) == _LINES_SNIFFED - 1
        return Message(PERHAPS_COUNTS, first) if others and counts else None
    if header[start].lower() == header[end].lower() or any(map(_INTEGER.fullmatch, (header[start], header[end]))):
        return None
    options = f"--source {quote(header[start])} --target {quote(header[end])}"
    return Message("the first line, {line}, is read as a move; if it names the columns, give {options}", first, options)


def usual_columns(names: Sequence[str]) -> tuple[int, int] | None:
    """Return the indices of the source and target columns if their names are a usual pair; otherwise None.

    ``names`` are in lower case. Spaces, dashes, colons and underscores in them do not matter.

    Examples
    --------
    >>> usual_columns(["weight", "to node", "from_node"]), usual_columns(["a", "b"])
    ((2, 1), None)
    """
    bare = [_MARKS.sub("", name) for name in names]
    pair = next((pair for pair in (_OWN_NAMES, *_USUAL) if set(pair) <= set(bare)), None)
    return None if pair is None else (bare.index(pair[0]), bare.index(pair[1]))


def refuse_repeated(names: Sequence[str], name: str, source: Source, line: int | None) -> None:
    """Raise a ParseError if several columns have this name; ``line`` is the header's number, None in a binary table."""
    if names.count(name) > 1:
        message = Message("{count} columns are named {name!r}: expected only one", names.count(name), name)
        raise source.error(message, line=line, column=line and 1)


def unread(width: int) -> list[Message]:
    """Return a list of one note, on the ignored columns of a table with ``width`` columns; [] for 2 or fewer."""
    return [Message("the reader ignores {columns} of the table", plural(width - 2, "column"))] if width > 2 else []


def _unread_from_third(width: int) -> list[Message]:
    """Return a list of one note: the reader ignores columns 3 to ``width``; [] if ``width`` is 2 or less."""
    if width < 4:
        return [Message("the reader ignores column 3")] if width == 3 else []
    return [Message("the reader ignores columns 3 to {last}", width)]


def asked_columns(
    names: list[str], header: list[str], source: Source, line: int | None = None
) -> tuple[int, int, bool]:
    """Return the indices of the columns that the caller asks for, and whether one was found by its name.

    ``source.columns`` has names, or numbers from 1 on; None stands for the name ``source`` or ``target``. ``names`` are
    the fields of ``header`` in lower case. Raise a ParseError for a name that no column or several have, a number below
    1, or the same column twice. ``line`` is the number of the header's line, None in a binary table.
    """
    columns: list[int] = []
    by_name = False
    for name, usual in zip(source.columns, _OWN_NAMES, strict=True):
        wanted = usual if name is None else name
        # A number is never taken for a name: it may be a position in the first row of a list without a header.
        if _INTEGER.fullmatch(wanted):
            if int(wanted) < 1:
                raise source.error(Message("no column {number}: columns are counted from 1", wanted), line=line)
            columns.append(int(wanted) - 1)
        elif wanted.lower() in names:
            refuse_repeated(names, wanted.lower(), source, line)
            columns.append(names.index(wanted.lower()))
            by_name = True
        else:
            shown = abridged(map(shorten, header), 20)
            fault = Message("the first line names no column {name!r}: its columns are {columns}", wanted, shown)
            if line is None:
                fault = Message("the table has no column {name!r}: its columns are {columns}", wanted, shown)
            raise source.error(fault, line=line)
    start, end = columns
    if start == end:
        raise source.error(
            Message("column {number} is given both as source and as target: expected two different columns", start + 1),
            line=line,
        )
    return start, end, by_name


def _named(names: list[str], body: list[list[str]], separator: str, quoted: bool) -> tuple[int, int, bool] | None:
    """Return (index of the source column, of the target column, True) if the first row is a header; otherwise None.

    ``names`` are the fields of the first row in lower case, and ``body`` has the rows below it. ``quoted`` tells
    whether the first field has a quote.
    """
    # In a first row split at spaces, quoted words are labels, unless all other rows have one field more, as R writes.
    is_label = separator == SPACE and quoted and not (body and all(len(row) == len(names) + 1 for row in body))
    if set(_OWN_NAMES) <= set(names) and not is_label:
        return names.index("source"), names.index("target"), True
    labels = {field.strip('"').lower() for row in body for field in row[:3]}
    if (columns := usual_columns(names)) and not is_label:
        pair = {names[column] for column in columns}
        if not labels & pair if body else {_MARKS.sub("", name) for name in pair} <= _SURE:
            return *columns, True
    if is_label or not body:
        return None
    # pandas and R write a first column of row numbers under an empty name.
    if separator != SPACE and len(names) > 2 and names[0] == "" and "" not in names[1:]:
        return 1, 2, True
    # The first row is a header of unknown names in two cases. Either the first two columns are integers below names,
    # whatever the other columns have. Or all columns from the third on are numbers below names (a,b,weight: x,y,0.5).
    ends = [field for row in body for field in row[:2]]
    is_above_numbers = all(map(_INTEGER.fullmatch, ends)) and not any(map(_NUMBER.fullmatch, names[:2]))
    others = [field for row in body for field in row[2:] if field]
    is_above_data = bool(others) and all(map(_NUMBER.fullmatch, others)) and not any(map(_NUMBER.fullmatch, names))
    is_header = (len(ends) > len(body) and is_above_numbers) or (len(names) > 2 and is_above_data)
    return (0, 1, True) if len(names) > 1 and is_header else None


def _width(table: list[tuple[int, list[str]]], separator: str) -> int:
    """Return the number of columns of a list without a header: 2, or more if the third and later columns are data.

    Data is numbers, or one column of dictionaries. The result is also 2 if rows of two or more columns
    differ in length, and for rows such as ``1 -- 2``.
    """
    widths = {len(row) for _, row in table}
    width = max(widths)
    if width <= 2 or not widths <= {1, width}:
        return 2
    others = [field for _, row in table for field in row[2:]]
    middle = {row[1] for _, row in table if len(row) > 1}
    if width == 3 and len(middle) == 1 and not any(map(str.isalnum, *middle)):
        return 2  # rows such as 1 -- 2, which the reader refuses with advice
    if width == 3 and all(map(_DICTIONARY.fullmatch, others)):
        return 3
    return width if all(map(_NUMBER.fullmatch, others)) else 2
