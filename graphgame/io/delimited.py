r"""Edge lists in CSV and TSV: a column of positions and a column of options.

Fields are quoted as in RFC 4180. The first row may be a header; if it names ``source`` and ``target``, in any case and
order, there may be other columns, which are passed over. Without it there are two columns. A row with one field, or
with an empty target, is a position of its own. White space around a label is not part of it. If every label is an
integer in its usual form (no sign but ``-``, no leading zeros, 64 bits), the positions are integers, else all are
strings: strings that all look like integers come back as integers. Positions of another type are written as their
``str``.

A line ``# tokens: a b`` before the rows names the positions on which tokens stand, as in
:mod:`graphgame.io.labels_text`.

Examples
--------
>>> from graphgame.io import parse_game
>>> G = parse_game('weight,Source,Target\n1,"a, or b",c\n2,d,\n', "csv")
>>> list(G), list(G.edges)
(['a, or b', 'c', 'd'], [('a, or b', 'c')])
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TextIO

import numpy as np

from graphgame.arrays.engine import ahead
from graphgame.arrays.labels import are_integers
from graphgame.errors import FormatError, shorten
from graphgame.graph import GameGraph
from graphgame.io.edges import graph_edge_lines, isolated
from graphgame.io.files import Source
from graphgame.io.integers import Edges, IntegerEdges, Result, Words
from graphgame.io.interchange import unique_texts
from graphgame.io.labels_text import (
    CSVRows,
    TokenLines,
    token_line,
    word,
)
from graphgame.io.scanner import ALONE, Scanner

__all__ = ["read", "scan", "write"]

_NAMES = ("source", "target")
_INEXPRESSIBLE = re.compile(r"\A\s|\s\Z|\A\Z|\0")
_NOT_IN_INTEGERS = (b" ", b"\t", b"\v", b"\f", b"\r", b"#", b"%")


def read(source: Source, delimiter: str = ",") -> GameGraph:
    """Read a list of edges in columns.

    Time O(size). Two columns of integers without spaces are read by a compiled loop and take 8 bytes an edge.
    """
    return scan(source, IntegerEdges(source.size), delimiter)


def scan(source: Source, edges: Edges[Result], delimiter: str = ",") -> Result:
    """Read a list of edges in columns into a store of edges, and return what the store makes of it."""
    source.refuse_empty("rows of two columns, a position and one of its options")
    tokens = TokenLines(source)
    scanner = Scanner(source)
    blocks = source.numbered_blocks()

    def scan_block(numbered: tuple[int, bytes]) -> tuple[bytes, np.ndarray | None]:
        line, block = numbered
        top = _top(block, delimiter) if line == 1 else b""
        return top, _integer_pairs(block[len(top) :], delimiter.encode(), scanner)

    scanned = ahead(scan_block, blocks)
    for (line, block), (top, pairs) in scanned:
        if pairs is None:
            rest = chain([(line, block)], (numbered for numbered, _ in scanned))
            rows = CSVRows(source, _lines(source, tokens, rest), delimiter)
            return _read_rows(rows, edges.words(source), tokens, line == 1)
        tokens.add_from(top, 1)
        edges.add(pairs)
    return edges.graph(tokens.positions)


def _top(block: bytes, delimiter: str) -> bytes:
    """Return the comments and the plain header with which a file begins."""
    found = re.match(rb"(?:#[ \t]*tokens:[^\n]*\n)*(?:source%btarget\r?\n)?" % delimiter.encode(), block, re.I)
    return found[0] if found else b""


def _integer_pairs(block: bytes, separator: bytes, scanner: Scanner) -> np.ndarray | None:
    """Return the edges of a block as ``Scanner.pairs`` does, or None where a row is not one or two bare integers."""
    text = block.replace(b"\r\n", b"\n") if b"\r" in block else block
    if any(mark in text for mark in _NOT_IN_INTEGERS if mark != separator):
        return None
    values, stop = scanner.pairs(text.replace(separator, b" "))
    rows_of_two = len(values) // 2 - int(np.count_nonzero(values == ALONE))
    # numbers on one line are split by separators alone, so equal counts mean one in each row of two
    return values if stop == len(text) and text.count(separator) == rows_of_two else None


def _lines(source: Source, tokens: TokenLines, blocks: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers, without the comments with which a file begins: these name tokens."""
    for first, block in blocks:
        is_top = first == 1
        for number, line in enumerate(source.decode(block, first).split("\n")[:-1], first):
            is_top = is_top and tokens.add(line, number)
            if not is_top:
                yield number, line


def _read_rows(rows: CSVRows, graph: Words[Result], tokens: TokenLines, at_start: bool) -> Result:
    """Read on, row by row, from the edges before."""
    columns, width = (0, 1), 2
    for number, fields in enumerate(filter(None, rows)):
        row = [field.strip() for field in fields]
        named = _named_columns(row, rows) if number == 0 and at_start else None
        if named:
            columns, width = named, len(row)
        elif any(row):
            if len(row) > width:
                message = f"expected {width} columns, found {len(row)}: others need a header with source and target"
                raise rows.error(message, row[width])
            start, end = (row[column] if column < len(row) else "" for column in columns)
            if not start:
                raise rows.error("the source is empty: expected the label of a position")
            graph.add(start, [end] if end else [])
    return graph.finish(tokens.positions)


def write(graph: GameGraph, stream: TextIO, delimiter: str = ",") -> None:
    """Write a header and a row for each edge; positions without edges have a row with one field."""
    fields = graph.labels if are_integers(graph.labels) else _fields(unique_texts(graph.labels), delimiter)
    stream.write(token_line(graph, lambda vertex: word(str(graph.labels[vertex]))))
    stream.write(delimiter.join(_NAMES) + "\n")
    stream.writelines(f"{fields[vertex]}\n" for vertex in isolated(graph))
    stream.writelines(graph_edge_lines(graph, fields, "", delimiter, lambda _: "\n"))


def _fields(texts: list[str], delimiter: str) -> list[str]:
    """Return texts as fields, quoted where they must be; the csv module leaves a carriage return bare."""
    text = next(filter(_INEXPRESSIBLE.search, texts), None)
    if text is not None:
        raise FormatError(
            f"position {shorten(text)} is empty, begins or ends in white space, or holds a NUL character: "
            "columns cannot express it, write an edgelist"
        )
    is_special = re.compile(f'[{delimiter}"\n\r]').search
    return ['"' + text.replace('"', '""') + '"' if is_special(text) else text for text in texts]


def _named_columns(row: list[str], rows: CSVRows) -> tuple[int, int] | None:
    """Return where the header has its two names, or None where the row is no header."""
    names = [name.lower() for name in row]
    if not set(_NAMES) <= set(names):
        return None
    for name in _NAMES:
        if names.count(name) > 1:
            raise rows.error(f"{names.count(name)} columns are named {name!r}: expected one")
    return names.index("source"), names.index("target")
