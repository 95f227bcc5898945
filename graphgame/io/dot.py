r"""DOT, the language of Graphviz.

Reading
-------
`The language of Graphviz <https://graphviz.org/doc/info/lang.html>`_: one ``digraph``, chains of edges, lists of
vertices (``a, b -> c``), ports, subgraphs and clusters, edges between groups (``{a b} -> {c d}``), defaults, joined
strings, HTML-like names (which keep their brackets) and comments; a ``#`` after white space begins one too.
``node [...]`` names no vertex. Names are integers if all of them are (``-3``, not ``03``), else strings; in a quoted
name ``\"`` is a quote, a backslash at the end of a line joins it to the next, and any other stands for itself.

Attributes that are read; all others are passed over:

======  ================  ===================================================================================
of      name              meaning
======  ================  ===================================================================================
graph   ``positions``     the kind of the positions, see :mod:`graphgame.io.interchange`
graph   ``tokens``        the tokens, a JSON array of positions
vertex  ``position``      its position, where the graph says ``positions``; ``\n``, ``\r`` and ``\\`` are escapes
vertex  ``kind``          ``sum`` for a sum vertex; ``legend`` for a vertex that explains a picture and is no position
edge    ``multiplicity``  how often a part stands in a sum
======  ================  ===================================================================================

So a vertex of a picture may have any name, label and style, and the picture still be read as the graph.

Writing
-------
Vertices are ``n0``, ``n1``, ..., each with its position and a label; the text is written line by line.

Notes
-----
Reading takes some microseconds an edge, and keeps the text and 8 bytes an edge in memory. Groups may multiply to ten
million edges, and stand a hundred deep in each other. Writing streams.
"""

from __future__ import annotations

import re
from typing import TextIO

from graphgame.arrays.attributes import VERTEX_KINDS
from graphgame.arrays.labels import as_labels
from graphgame.graph import GameGraph
from graphgame.io.dotgraph import DotGraph
from graphgame.io.edges import graph_edge_lines
from graphgame.io.files import Source
from graphgame.io.interchange import GraphBuilder, graph_attributes, position_texts

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})
_LOOKS = {"": "", "sum": ", kind=sum, shape=diamond"}
_UNESCAPED = {"\\n": "\n", "\\r": "\r", "\\\\": "\\"}


def quote(text: str) -> str:
    r"""Return the text as a quoted string of DOT, on one line: there ``\\`` is a backslash and ``\n`` a new line.

    Examples
    --------
    >>> print(quote('a "b" \\ c'))
    "a \"b\" \\ c"
    """
    return f'"{text.translate(_ESCAPES)}"'


def read(source: Source) -> GameGraph:
    """Read a graph.

    Examples
    --------
    >>> sorted(read(Source(b"digraph { 3 -> {1 2} -> 0 }")).edges)
    [(1, 0), (2, 0), (3, 1), (3, 2)]
    """
    builder = GraphBuilder(source)
    text = source.read_text()
    drawn = DotGraph(source, text, builder)
    drawn.read()
    kinds = drawn.node_attributes["kind"]
    builder.kinds = kinds
    builder.dropped = {vertex for vertex, kind in kinds.items() if kind == "legend"}
    attributes = {name: _unescape(value) for name, value in drawn.attributes.items()}
    names = list(builder.numbers)
    if "positions" in attributes:
        for vertex, text in drawn.node_attributes["position"].items():
            names[vertex] = _unescape(text)
    return builder.build(attributes, names)


def write(graph: GameGraph, stream: TextIO) -> None:
    r"""Write a graph, as a constant stream of lines.

    Examples
    --------
    >>> import sys
    >>> write(GameGraph([("a", "b")], tokens=["a"]), sys.stdout)
    digraph {
      positions="str";
      tokens="[\"a\"]";
      n0 [label="a", position="a"];
      n1 [label="b", position="b"];
      n0 -> n1;
    }
    """
    kind, texts = position_texts(graph.labels)
    stream.write("digraph {\n")
    for name, value in graph_attributes(graph, kind).items():
        stream.write(f"  {name}={quote(value)};\n")
    kinds = [0] * len(graph) if graph.kinds is None else graph.kinds.tolist()
    stream.writelines(
        f"  n{number} [label={_label(text)}, position={quote(text)}{_kind(VERTEX_KINDS[abs(code)])}];\n"
        for number, (text, code) in enumerate(zip(texts, kinds, strict=True))
    )
    stream.writelines(graph_edge_lines(graph, as_labels(len(graph)), "  n", " -> n", _end_of_edge))
    stream.write("}\n")


def _kind(kind: str) -> str:
    return _LOOKS.get(kind, f", kind={quote(kind)}, peripheries=2")


def _end_of_edge(times: int) -> str:
    return ";\n" if times == 1 else f" [multiplicity={times}];\n"


def _label(text: str) -> str:
    """Return a text as a label; Graphviz would read ``&lt;`` in it as an entity."""
    return quote(text.replace("&", "&amp;"))


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return re.sub(r"\\[nr\\]", lambda match: _UNESCAPED[match.group()], text)
