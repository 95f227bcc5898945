"""The formats of graph files: their names and suffixes, and how the format of a file is detected."""

from __future__ import annotations

import os
import re

from graphgame.errors import FormatError, Message, MissingLabError
from graphgame.io.files import PathLike, Source, plain_suffix
from graphgame.io.format import FORMATS as FORMATS
from graphgame.io.format import Format
from graphgame.io.other_formats import HEAD, refuse_other_format
from graphgame.registry import offers

_INTEGERS = re.compile(rb"-?\d+(?:\s+-?\d+)*")
_DOT = rb"""(?xi) (?> \s+ | //[^\n]* | \#[^\n]* | /\*(?s:.*?)\*/ )*+
    (?:strict\s+)? (?:di)?graph\b \s* (?: "(?>\\.|[^"])*" | [^\s{"]+ )? \s* \{"""


_FORMATS = (
    Format("token", (".txt",), "io.tokenfile", Message("token file: N M K, M edges, K tokens"), suffix_decides=False),
    *(
        Format(name, suffixes, "io.delimited", description, options={"separator": separator}, named_columns=True)
        for name, suffixes, separator, description in (
            ("edgelist", (".edges", ".edgelist"), " ", Message("two labels on each line, split at white space")),
            ("csv", (".csv",), ",", Message("two columns of labels, split at commas")),
            ("tsv", (".tsv",), "\t", Message("two columns of labels, split at tabs")),
        )
    ),
    Format("adjlist", (".adjlist",), "io.adjacency", Message("a position and its options on each line")),
)

FORMATS.update(
    (format.name, format)
    for formats in (_FORMATS, *(offer.load() for offer in offers("formats").values()))
    for format in formats
)

_OF_LABS = {
    "dot": ("formats", ".dot", ".gv"),
    "graphml": ("formats", ".graphml"),
    "gexf": ("formats", ".gexf"),
    "node-link": ("formats", ".json"),
    "parquet": ("formats", ".parquet"),
    "arrow": ("formats", ".arrow", ".feather"),
    "npy": ("formats", ".npy"),
    "npz": ("formats", ".npz"),
    "judge": ("judges", ".judge"),
}
"""Format -> (its lab, the suffixes of its files), so that a message can name the lab if it is not installed."""


def format_named(name: str) -> Format:
    """Return the format with this name; raise a FormatError if it is unknown, a MissingLabError if its lab is missing.

    Examples
    --------
    >>> format_named("csv").suffixes
    ('.csv',)
    """
    if name in FORMATS:
        return FORMATS[name]
    if name in _OF_LABS:
        raise MissingLabError(Message("the format {name}", name), _OF_LABS[name][0])
    raise FormatError("unknown format {name!r}: expected one of {formats}", name, ", ".join(FORMATS))


def format_of_name(path: PathLike) -> Format:
    """Return the format that the suffix of a path names; raise a FormatError if it names none.

    Suffixes of compression, such as ``.gz``, do not count. Raise a MissingLabError if the format's lab is missing.

    Examples
    --------
    >>> format_of_name("chips.edges.gz").name
    'edgelist'
    """
    suffix = plain_suffix(path)
    if format := _by_suffix(suffix):
        return format
    raise FormatError(
        "the name {path!r} does not tell the format of the file: choose a name such as game.edges, or give the format "
        "(in convert and generate by --to), one of {formats}",
        os.fspath(path),
        ", ".join(FORMATS),
    )


def detect(source: Source) -> tuple[Format, bool]:
    r"""Return the format of a source, and whether it is certain: False if only rules 4 to 8 below gave it.

    The source can still be read from its start.

    Raises
    ------
    ParseError
        The suffix does not decide, and the source is empty or has only white space.
    FormatError
        The suffix does not decide, and the source is other XML than GraphML and GEXF, or in a format that is not read.
    MissingLabError
        The lab that reads this format is not installed.

    Notes
    -----
    The suffix decides, except for ``.txt``, unknown suffixes and standard input. In these cases the first 64 KiB
    decide, by the first rule that applies. Rules 4 to 8 ignore empty lines, and lines that begin with ``#`` or ``%``:

    0. the text begins with the mark of a binary format: Parquet, Arrow, NumPy;
    1. it begins with ``{`` or ``[``: node-link JSON;
    2. it begins with ``<``: GraphML or GEXF, whichever element it contains;
    3. after comments and ``strict``, if any, it begins with ``digraph`` or ``graph``, perhaps a name, and ``{``: DOT;
    4. the first line has three integers: a token file. But two or more lines that all have three integers are edges
       with weights, an edge list, unless the file is under 64 KiB and its first line N M K has 2M + K numbers below it;
    5. the first line has one integer n, and each of the next n + 1 lines a count k and k numbers in 0..n-1: the judge
       form;
    6. the first line names the columns ``source`` and ``target``, split at commas; or it has a comma, and no line has
       both white space and two or more commas; or all lines have the same number of semicolons, at least one: CSV;
    7. the first line names these columns, split at tabs; or each line has one tab, and some lines also a space: TSV;
    8. otherwise: an edge list.

    An adjacency list is never guessed.

    Examples
    --------
    >>> format, certain = detect(Source(b"a b\nb c\n"))
    >>> format.name, certain
    ('edgelist', False)
    """
    suffix = plain_suffix(source.path) if source.path else ""
    if (named := _by_suffix(suffix)) and named.suffix_decides:
        return named, True
    refuse_other_format(source)
    for format in FORMATS.values():
        if source.peek(HEAD).startswith(format.magic):
            return format, True
    source.refuse_empty(Message("a graph"))
    head = source.peek_text(HEAD)
    if structured := _by_structure(source, head):
        return structured, True
    return format_named(_by_lines(head)), False


def _by_suffix(suffix: str) -> Format | None:
    """Return the format with this suffix, or None; raise a MissingLabError if its lab is not installed."""
    for name, (_, *suffixes) in _OF_LABS.items():
        if suffix in suffixes:
            return format_named(name)
    return next((format for format in FORMATS.values() if suffix in format.suffixes), None)


def _by_structure(source: Source, head: bytes) -> Format | None:
    start = head.lstrip()
    if start.startswith((b"{", b"[")):
        return format_named("node-link")
    if start.startswith(b"<"):
        for name in ("graphml", "gexf"):
            if re.search(rb"<(?:\w+:)?" + name.encode() + rb"\b", head):
                return format_named(name)
        raise FormatError("{file} is XML, but neither GraphML nor GEXF: expected one of these two formats", source.name)
    may_be_dot = b"graph" in head.lower()  # So the pattern is not compiled for most files.
    return format_named("dot") if may_be_dot and re.match(_DOT, head) else None


def _by_lines(head: bytes) -> str:
    whole = len(head) < HEAD
    lines = head.splitlines() if whole else head.splitlines()[:-1]
    lines = [line for line in lines if line.strip() and not line.startswith((b"#", b"%"))]
    if not lines:
        return "edgelist"
    numbers = _integers(lines[0])
    if numbers is not None and len(numbers) == 3:
        return "edgelist" if _is_weighted(lines, whole) else "token"
    if numbers is not None and len(numbers) == 1 and _is_judge(numbers[0], lines[1:], whole):
        return "judge"
    semicolons = {line.count(b";") for line in lines}
    has_commas = b"," in lines[0] and not any(line.count(b",") > 1 and len(line.split()) > 1 for line in lines)
    if _is_header(lines[0], b",") or (semicolons != {0} and len(semicolons) == 1) or has_commas:
        return "csv"
    one_tab_each = all(line.count(b"\t") == 1 for line in lines) and any(b" " in line for line in lines)
    return "tsv" if _is_header(lines[0], b"\t") or one_tab_each else "edgelist"


def _is_weighted(lines: list[bytes], whole: bool) -> bool:
    """Tell whether lines are edges with weights, not a token file: two or more lines, all with three integers.

    If they are the ``whole`` file, the first must not be a header ``N M K`` with exactly 2M + K numbers below it.
    """
    rows = [row for line in lines if (row := _integers(line)) is not None and len(row) == 3]
    if len(rows) < len(lines) or len(lines) < 2:
        return False
    _, edges, tokens = rows[0]
    return (3 * (len(rows) - 1) != 2 * edges + tokens) if whole else True


def _integers(line: bytes) -> list[int] | None:
    """Return the integers of a line, which a comment may follow; None for other words, or for 1000 digits or more."""
    text = re.sub(rb"\s[#%].*", b"", line, flags=re.S).strip()
    words = text.split() if _INTEGERS.fullmatch(text) else []
    return [*map(int, words)] if words and max(map(len, words)) < 1000 else None


def _is_judge(vertices: int, lines: list[bytes], whole: bool) -> bool:
    """Tell whether lines are those of the judge form below its first line, the number of vertices.

    The first ``vertices`` lines are rows, the next is a query; later lines are not tested. A row or query is a count k
    and k vertices. If ``whole`` is False, ``lines`` are only the start of the file, and may be fewer.
    """
    rows = [_integers(line) for line in lines[: vertices + 1]]
    if vertices < 1 or (whole and len(rows) <= vertices):
        return False
    return all(
        row is not None and row[0] == len(row) - 1 and all(0 <= number < vertices for number in row[1:]) for row in rows
    )


def _is_header(line: bytes, delimiter: bytes) -> bool:
    return {b"source", b"target"} <= {name.strip(b' \r"').lower() for name in line.split(delimiter)}
