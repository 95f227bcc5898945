"""Node-link JSON, as networkx's ``node_link_data`` gives it.

Reading
-------
An object with ``"directed": true``, ``"nodes"``, an array of objects with ``id``, and ``"edges"`` (or ``"links"``),
an array of objects with ``source`` and ``target``. An id is a string, a number, a truth value or an array, which is a
tuple; the number 1 is not the string ``"1"``. A node with ``"kind": "sum"`` is a sum vertex, one with ``decided-P`` or
``decided-N`` a decided position, and the ``multiplicity`` of an edge says how often a part stands in a sum.
``"graph": {"tokens": [...]}`` lists the tokens. Everything else is passed over.

Writing
-------
The same, a node or an edge on each line. Positions that JSON cannot express are written as their ``str``.

Notes
-----
Time O(n + m). Reading keeps the text and 8 bytes an edge in memory; writing streams.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterator
from typing import Any, TextIO

from graphgame.errors import Message, ParseError, UndirectedGraphError
from graphgame.graph.attributes import VERTEX_KINDS
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, are_integers
from graphgame.io.edges import EncodedTexts, encoded, graph_edge_lines, vertex_lines
from graphgame.io.files import Source
from graphgame.io.interchange import (
    GraphBuilder,
    VertexNumbers,
    compact,
    graph_attributes,
    multiplicity_of,
    position_texts,
)
from graphgame.io.jsontext import JSONText
from graphgame.io.records import file_kind

_VALUE = r'("[^"\\\x00-\x1f]*+"|-?(?:0|[1-9][0-9]{0,17}))'
_REST = rf'(?:\s*+,\s*+"(?:id|key|label|value|weight)"\s*+:\s*+{_VALUE.replace("(", "(?:", 1)})*+'
_NODE = rf'\{{\s*+"id"\s*+:\s*+{_VALUE}\s*+\}}'
_EDGE = rf'\{{\s*+"source"\s*+:\s*+{_VALUE}\s*+,\s*+"target"\s*+:\s*+{_VALUE}{_REST}\s*+\}}'
"""Simple nodes and edges, most of those of a large file."""

_PLAIN = bytes(sign for sign in range(ord(" "), 256) if chr(sign) not in '"\\')
"""The bytes of texts that JSON writes as they are."""


def read(source: Source) -> GameGraph:
    """Read a graph.

    Examples
    --------
    >>> text = b'{"directed": true, "nodes": [{"id": 2}, {"id": 1}], "edges": [{"source": 2, "target": 1}]}'
    >>> list(read(Source(text)).edges)
    [(2, 1)]
    """
    return _Reader(source).read()


def write(graph: GameGraph, stream: TextIO) -> None:
    """Write a graph.

    Examples
    --------
    >>> import sys
    >>> write(GameGraph([("b", "a")], tokens=["b"]), sys.stdout)
    {"directed": true, "multigraph": false, "graph": {"tokens": ["b"]},
    "nodes": [
    {"id": "b"},
    {"id": "a"}
    ],
    "edges": [
    {"source": "b", "target": "a"}
    ]}
    """
    kind, texts = position_texts(graph.labels)
    ids: Labels | EncodedTexts = graph.labels
    quote = ""
    if kind == "str":
        ids, quote = encoded(list(texts), _in_quotes, _PLAIN), '"'
    elif not are_integers(graph.labels):
        ids = encoded(list(texts))
    tokens = graph_attributes(graph, kind).get("tokens")
    attributes = "{}" if tokens is None else f'{{"tokens": {tokens}}}'
    stream.write(f'{{"directed": true, "multigraph": false, "graph": {attributes},\n"nodes": [\n')
    stream.writelines(_items(vertex_lines(graph, ids, f',\n{{"id": {quote}', lambda kind: quote + _end_of_node(kind))))
    stream.write('\n],\n"edges": [\n')
    edge = f',\n{{"source": {quote}', f'{quote}, "target": {quote}', lambda times: quote + _end_of_edge(times)
    stream.writelines(_items(graph_edge_lines(graph, ids, *edge)))
    stream.write("\n]}\n")


def _in_quotes(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _end_of_node(kind: str) -> str:
    return f', "kind": "{kind}"}}' if kind else "}"


def _end_of_edge(times: int) -> str:
    return "}" if times == 1 else f', "multiplicity": {times}}}'


def _items(texts: Iterator[str]) -> Iterator[str]:
    """Yield texts of items that each begin with a comma and a newline, without those of the first item."""
    yield next(texts, "").removeprefix(",\n")
    yield from texts


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._builder = GraphBuilder(source)
        self._tokens: list[Hashable] | None = None
        self._directed = False

    def read(self) -> GameGraph:
        if (kind := file_kind(self._source)) is not None:
            raise ParseError("{name}: {advice}", self._source.name, kind.advice)
        if re.match(rb"(?:\xef\xbb\xbf)?\s*\[\s*\{", self._source.peek(64)):
            raise self._source.error(
                Message("a JSON array: in Python, GameGraph(pandas.read_json(path)) takes records of edges")
            )
        self._text = JSONText(self._source)
        names = set()
        for name in self._text.members():
            names.add(name)
            self._read_member(name)
        if "adjacency" in names:
            raise self._source.error(
                Message(
                    "networkx's adjacency data, which is not read: networkx.adjacency_graph(data) makes a graph of it"
                )
            )
        if not names & {"nodes", "edges", "links"}:
            raise self._source.error("no graph in the file: expected the names directed, nodes and edges")
        if not self._directed:
            raise UndirectedGraphError(
                Message(
                    '{name}: the graph is undirected: moves need a direction, so write "directed": true, '
                    "with each edge from a position to its option",
                    self._source.name,
                )
            )
        if {"edges", "links"} <= names:
            raise self._source.error("edges and links: expected one of them")
        if "nodes" not in names:
            raise self._source.error("no graph in the file: expected the names directed, nodes and edges")
        self._builder.check_declared()
        for token in self._tokens or ():
            if token not in self._builder.numbers:
                raise self._source.error(Message("token {token!r} is not a position of the graph", token))
        return self._builder.graph(compact(list(self._builder.numbers)), self._tokens)

    def _read_member(self, name: str) -> None:
        """Read the value of a name of the outermost object."""
        if name == "nodes":
            for node in self._text.elements(_NODE, self._add_nodes):
                self._add_node(node)
        elif name in ("edges", "links"):
            numbers = VertexNumbers(lambda text: self._builder.numbers[_simple(text)])
            for edge in self._text.elements(_EDGE, lambda ends: self._builder.edges(ends, numbers)):
                self._add_edge(edge)
        else:
            value = self._text.value()
            if name == "directed":
                self._directed = value is True
            elif name == "graph" and isinstance(value, dict) and value.get("tokens") is not None:
                self._tokens = self._read_tokens(value["tokens"])

    def _read_tokens(self, value: Any) -> list[Hashable]:  # noqa: ANN401
        if not isinstance(value, list):
            raise self._text.error(Message("tokens {value!r}: expected an array of positions", value))
        return list(map(self._text.position, value))

    def _add_nodes(self, texts: list[str]) -> bool:
        return self._builder.declare_all(list(map(_simple, texts)))

    def _add_node(self, node: Any) -> None:  # noqa: ANN401
        number = self._builder.declare(self._text.position(self._entry(node, "node", "id")), self._text.error)
        if node.get("kind") in VERTEX_KINDS:
            self._builder.kinds[number] = node["kind"]

    def _add_edge(self, edge: Any) -> None:  # noqa: ANN401
        start, end = (
            self._builder.end_of_edge(self._text.position(self._entry(edge, "edge", name)), self._text.error)
            for name in ("source", "target")
        )
        try:
            multiplicity = multiplicity_of(edge.get("multiplicity", 1))
        except ValueError as error:
            raise self._text.error(str(error)) from None
        self._builder.edge(start, end, multiplicity)

    def _entry(self, item: Any, kind: str, name: str) -> Any:  # noqa: ANN401
        if not isinstance(item, dict) or name not in item:
            raise self._text.error(Message("{kind} {item!r}: expected an object with {name!r}", kind, item, name))
        return item[name]


def _simple(text: str) -> Hashable:
    return text[1:-1] if text[0] == '"' else int(text)
