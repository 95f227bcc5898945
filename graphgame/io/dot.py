r"""DOT, the language of Graphviz.

Writing
-------
Vertices are ``n0``, ``n1``, ..., each with its position and a label; the text is written line by line.

Reading
-------
It is the work of the lab ``formats``.
"""

from __future__ import annotations

from typing import TextIO, cast

from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import as_labels
from graphgame.io.edges import encoded, graph_edge_lines, vertex_lines
from graphgame.io.files import Source
from graphgame.io.interchange import graph_attributes, position_texts
from graphgame.registry import registered

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})
_UNESCAPED_SIGNS = bytes(sign for sign in range(256) if sign not in _ESCAPES)
_LOOKS = {"": "", "sum": ", kind=sum, shape=diamond"}


def quote(text: str) -> str:
    r"""Return the text as a quoted string of DOT, on one line: there ``\\`` is a backslash and ``\n`` a new line.

    Examples
    --------
    >>> print(quote('a "b" \\ c'))
    "a \"b\" \\ c"
    """
    return f'"{text.translate(_ESCAPES)}"'


def read(source: Source) -> GameGraph:
    """Read a graph; a MissingLabError tells that the lab ``formats`` is not installed.

    Examples
    --------
    >>> sorted(read(Source(b"digraph { 3 -> {1 2} -> 0 }")).edges)
    [(1, 0), (2, 0), (3, 1), (3, 2)]
    """
    return cast("GameGraph", registered("reading DOT")(source))


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
    shown = list(texts)
    if any("&" in text for text in shown):  # Graphviz would read &lt; in a label as an entity
        shown = [text.replace("&", "&amp;") for text in shown] + shown
    strings = encoded(shown, lambda text: text.translate(_ESCAPES), _UNESCAPED_SIGNS)
    middle = '", position="'
    stream.writelines(vertex_lines(graph, strings, ' [label="', lambda kind: f'"{_kind(kind)}];\n', middle, "  n"))
    stream.writelines(graph_edge_lines(graph, as_labels(len(graph)), "  n", " -> n", _end_of_edge))
    stream.write("}\n")


def _kind(kind: str) -> str:
    return _LOOKS.get(kind, f", kind={quote(kind)}, peripheries=2")


def _end_of_edge(times: int) -> str:
    return ";\n" if times == 1 else f" [multiplicity={times}];\n"
