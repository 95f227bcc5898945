"""Read and write JSON: node-link graphs, as networkx's ``node_link_data`` returns them, and values files.

Reading
-------
An object with ``"directed": true``, ``"nodes"``, an array of objects with ``id``, and ``"edges"`` (or ``"links"``),
an array of objects with ``source`` and ``target``. The ``id`` of a node is its position: a string, a number, ``true``,
``false``, or an array, which becomes a tuple. The number 1 and the string ``"1"`` are different positions; ``1``,
``1.0`` and ``true`` are the same one. A node with ``"kind": "sum"`` is a sum vertex; with ``decided-P`` or
``decided-N`` it is a decided position. The ``multiplicity`` of an edge is how many times the sum at its source contains
the part at its target. ``"graph": {"tokens": [...]}`` lists the tokens. Everything else is ignored.

d3 and vis.js leave out ``directed``. Then each edge is read as a move from source to target, with a ReadingWarning. In
their files a node may have a ``name`` instead of an ``id``, and an edge may have ``from`` and ``to``. If the nodes have
names and come before the edges, the ends of an edge may also be indices of nodes, from 0.

Writing
-------
The same format, with a node or an edge on each line. If JSON cannot express a position, all are written as their
``str``.

Notes
-----
The time is O(n + m). While reading, the text and 8 bytes for each edge are in memory.

Values
------
A values file in JSON is an object with ``"format": "graphgame values"``, ``"play"`` (``normal`` or ``misere``) and
``"values"``. The last is an array of objects with ``position``, ``grundy`` (a string if it is infinite, ``sunny`` or
``loony``), ``outcome``, and ``remoteness`` (``null`` for a draw, or if it is unknown).
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, TextIO

from graphgame.errors import Message, ParseError, UndirectedGraphError, system_message
from graphgame.graph.attributes import VERTEX_KINDS
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, are_integers
from graphgame.io import other_formats
from graphgame.io.edges import EncodedTexts, encoded
from graphgame.io.files import Source
from graphgame.io.interchange import graph_attributes, position_texts
from graphgame.io.other_formats import JSON, PYTHON, not_read, refuse_other_format
from graphgame.io.source import BLOCK
from graphgame.io.values import COLUMNS, Values, value_rows
from graphgame.labs.formats.graph_lines import graph_edge_lines, vertex_lines
from graphgame.labs.formats.positions import DECODER, GraphBuilder, Items, compact, multiplicity_of, position_of_json
from graphgame.labs.formats.values import Collector, is_misere
from graphgame.solution.results import play_name

_SPACE = re.compile(r"[ \t\n\r]*")
_RUNS_FROM = 1 << 16
"""If a text has more characters than this, runs of simple nodes and edges are read many at a time."""

# A simple node has only an id, which is a string without escapes, or an integer of at most 18 digits, which fit in 64
# bits. The source and the target of a simple edge are of this form too; its other members have no meaning. Most items
# of a large file are simple. The quantifiers are possessive, so that an item that is not simple fails fast.
_VALUE = r'("[^"\\\x00-\x1f]*+"|-?(?:0|[1-9][0-9]{0,17}))'
_IGNORED_MEMBERS = rf'(?:\s*+,\s*+"(?:id|key|label|value|weight)"\s*+:\s*+{_VALUE.replace("(", "(?:", 1)})*+'
_NODE = rf'\{{\s*+"id"\s*+:\s*+{_VALUE}\s*+\}}'
_EDGE = rf'\{{\s*+"source"\s*+:\s*+{_VALUE}\s*+,\s*+"target"\s*+:\s*+{_VALUE}{_IGNORED_MEMBERS}\s*+\}}'

_OTHER_KINDS = (
    ({"adjacency"}, Message("networkx's adjacency data"), f"networkx.adjacency_graph({JSON})"),
    ({"source", "target"}, Message("a table of pandas"), "pandas.read_json({path!r})"),
    ({"columns", "data"}, Message("a table of pandas"), "pandas.read_json({path!r}, orient='split')"),
    ({"elements"}, Message("a graph of Cytoscape"), f"[edge['data'] for edge in {JSON}['elements']['edges']]"),
)
"""Other kinds of JSON objects: (names of members that they have, name of the kind, Python code that reads it)."""

_NO_GRAPH = Message("the file holds no graph: expected an object with the names directed, nodes and edges")
_WRITTEN_UNESCAPED = bytes(byte for byte in range(ord(" "), 256) if chr(byte) not in '"\\')


def read(source: Source) -> GameGraph:
    """Read the graph of a node-link JSON file.

    Examples
    --------
    >>> text = b'{"directed": true, "nodes": [{"id": 2}, {"id": 1}], "edges": [{"source": 2, "target": 1}]}'
    >>> list(read(Source(text)).edges)
    [(2, 1)]
    """
    return _Reader(source).read()


def write(graph: GameGraph, stream: TextIO) -> None:
    """Write a graph as node-link JSON, with one node or edge on each line.

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
        ids = encoded(list(texts), lambda text: json.dumps(text, ensure_ascii=False)[1:-1], _WRITTEN_UNESCAPED)
        quote = '"'
    elif not are_integers(graph.labels):
        ids = encoded(list(texts))
    tokens = graph_attributes(graph, kind).get("tokens")
    attributes = "{}" if tokens is None else f'{{"tokens": {tokens}}}'
    stream.write(f'{{"directed": true, "multigraph": false, "graph": {attributes},\n"nodes": [\n')
    # Every line begins with the separator ``,\n`` to the line before, which the first one must not have.
    nodes = vertex_lines(
        graph, ids, f',\n{{"id": {quote}', lambda kind: quote + (f', "kind": "{kind}"}}' if kind else "}")
    )
    stream.write(next(nodes, "").removeprefix(",\n"))
    stream.writelines(nodes)
    stream.write('\n],\n"edges": [\n')
    edges = graph_edge_lines(
        graph,
        ids,
        f',\n{{"source": {quote}',
        f'{quote}, "target": {quote}',
        lambda times: quote + ("}" if times == 1 else f', "multiplicity": {times}}}'),
    )
    stream.write(next(edges, "").removeprefix(",\n"))
    stream.writelines(edges)
    stream.write("\n]}\n")


class _Reader:
    """Reads one node-link graph.

    ``_are_lists`` tells whether all members read so far, except nodes, edges and links, are arrays or objects. If so,
    and the file is not a node-link graph, it may map each position to its options: then the error says so.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._builder = GraphBuilder(source)
        self._tokens: list[Hashable] | None = None
        self._directed: bool | None = None
        self._has_names = False
        self._are_lists = True

    def read(self) -> GameGraph:
        if (kind := other_formats.file_kind(self._source)) is not None:
            raise ParseError("{name}: {advice}", self._source.name, kind.advice)
        refuse_other_format(self._source)
        self._text = JSONText(self._source)
        names = set()
        for name in self._text.members():
            names.add(name)
            self._read_member(name)
        if "adjacency" in names or not names & {"nodes", "edges", "links"}:
            raise self._other_kind(names)
        if self._directed is None and names & {"edges", "links"}:
            self._source.notes.append(
                Message(
                    "the file does not say whether edges are directed: each is read as a move from source to target"
                )
            )
        elif not self._directed:
            raise UndirectedGraphError(
                Message(
                    '{name}: the graph is undirected: moves need a direction, so write "directed": true, '
                    "with each edge from a position to its option",
                    self._source.name,
                )
            )
        if {"edges", "links"} <= names:
            raise self._source.error("found both edges and links: expected only one of the two")
        if "nodes" not in names:
            raise self._source.error(_NO_GRAPH)
        # In the file edges may come before nodes, so only now is it clear whether the ends of all edges are nodes.
        self._builder.check_declared()
        for token in self._tokens or ():
            if token not in self._builder.numbers:
                raise self._source.error(Message("token {token!r} is not a position of the graph", token))
        return self._builder.graph(compact(list(self._builder.numbers)), self._tokens)

    def _read_member(self, name: str) -> None:
        """Read the value of the outermost object's member ``name``.

        Add nodes and edges to the graph. Store the tokens, and whether edges are directed. Ignore other members.
        """
        if name == "nodes":
            for node in self._text.elements(self._items(_NODE)):
                self._add_node(node)
        elif name in ("edges", "links"):
            # If nodes have names, an integer in an edge may be an index, so no edge is simple.
            for edge in self._text.elements(None if self._has_names else self._items(_EDGE)):
                self._add_edge(edge)
        else:
            value = self._text.value()
            self._are_lists = self._are_lists and isinstance(value, (list, dict))
            if name == "directed":
                self._directed = value is True
            elif name == "graph" and isinstance(value, dict) and value.get("tokens") is not None:
                if not isinstance(tokens := value["tokens"], list):
                    raise self._text.error("tokens {value!r}: expected an array of positions", tokens)
                self._tokens = list(map(self._text.position, tokens))

    def _other_kind(self, names: set[str]) -> Exception:
        """Return the error for an object that is not a node-link graph; ``names`` are the names of its members.

        For a well-known format the message says how to convert the file.
        """
        for members, kind, call in _OTHER_KINDS:
            if members <= names:
                return not_read(self._source, kind, PYTHON, call)
        if names == {"graph"}:
            call = f"{JSON}['graph']['edges']"
            return not_read(self._source, Message("a file in the JSON Graph Format"), PYTHON, call)
        if self._are_lists:
            return not_read(self._source, Message("a JSON file with lists of options"), PYTHON, JSON)
        return self._source.error(_NO_GRAPH)

    def _items(self, item: str) -> Items:
        return Items(
            self._builder,
            re.compile(rf"\s*+{item}\s*+,"),
            "},",
            len(self._text),
            lambda text: text[1:-1] if text[0] == '"' else int(text),
        )

    def _add_node(self, node: Any) -> None:  # noqa: ANN401
        number = self._builder.declare(self._text.position(self._entry(node, "node", "id", "name")), self._text.error)
        self._has_names = self._has_names or "id" not in node
        if node.get("kind") in VERTEX_KINDS:
            self._builder.kinds[number] = node["kind"]

    def _add_edge(self, edge: Any) -> None:  # noqa: ANN401
        names = ("source", "from"), ("target", "to")
        start, end = (self._end(self._entry(edge, "edge", *pair)) for pair in names)
        self._builder.edge(start, end, multiplicity_of(edge.get("multiplicity", 1), self._text.error))

    def _end(self, value: Any) -> int:  # noqa: ANN401
        """Return the number of the vertex that the JSON value ``value`` names as an end of an edge.

        If nodes have names, not ids, an integer below the number of nodes is the index of a node.
        """
        if self._has_names and type(value) is int and 0 <= value < len(self._builder.numbers):
            return value
        return self._builder.end_of_edge(self._text.position(value), self._text.error)

    def _entry(self, item: Any, kind: str, name: str, alias: str) -> Any:  # noqa: ANN401
        """Return the member ``name`` of a node or an edge, or the member ``alias``, which d3 and vis.js use instead.

        Raises ParseError if the item has neither; ``kind``, "node" or "edge", is its name in the message.
        """
        if not isinstance(item, dict) or not item.keys() & {name, alias}:
            raise self._text.error("{kind} {item!r}: expected an object with {name!r}", kind, item, name)
        return item[name if name in item else alias]


class JSONText:
    """A cursor in a JSON text, with which to read a large object member by member, and its arrays element by element.

    Examples
    --------
    >>> text = JSONText(Source(b'{"play": "normal", "values": [1, 2]}'))
    >>> for name in text.members():
    ...     print(name, list(text.elements()) if name == "values" else text.value())
    play normal
    values [1, 2]
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        source.refuse_empty(Message("a JSON object"))
        self._text = source.read_text()
        self._offset = 0
        self._start = 0

    def members(self) -> Iterator[str]:
        """Yield the names of the members of the object at the cursor.

        Raises ParseError if a name occurs twice, if the object is damaged, or if text follows it.

        The caller must read the value of each member, by :meth:`value` or :meth:`elements`, before the next name.
        """
        self._expect("{", Message("expected a JSON object"))
        names: set[str] = set()
        if not self._accept("}"):
            while True:
                name = self.value()
                if not isinstance(name, str):
                    raise self.error("{name!r}: expected a name in quotes", name)
                if name in names:
                    raise self.error("the name {name!r} occurs twice: expected each name once", name)
                names.add(name)
                self._expect(":", Message("expected a colon"))
                yield name
                if self._accept("}"):
                    break
                self._expect(",", Message("expected a comma or }"))
        self._skip_space()
        if self._offset < len(self._text):
            raise self._error_at("found text after the object: expected the end of the file", self._offset)

    def __len__(self) -> int:
        return len(self._text)

    def elements(self, items: Items | None = None) -> Iterator[Any]:
        """Read an array, and yield its elements.

        If ``items`` is not None and the text is large, ``items`` adds most of the elements that match its pattern to
        its builder. These elements are not yielded. Raises ParseError if the array is damaged.
        """
        self._expect("[", Message("expected a JSON array"))
        if self._accept("]"):
            return
        simple = items if len(self._text) > _RUNS_FROM else None
        mixed_until = 0
        while True:
            # ``simple`` takes only elements before a comma, so at least one element is always left. If it takes none,
            # the block is mixed: read the elements up to the end of the block one by one.
            while simple is not None and self._offset >= mixed_until:
                block = self._text[self._offset : self._offset + BLOCK].encode("utf-8", "surrogatepass")
                taken = simple.take(block)
                if not taken:
                    mixed_until = self._offset + BLOCK
                # ``take`` counts bytes, and the cursor counts characters.
                self._offset += len(block[:taken].decode("utf-8", "surrogatepass"))
            yield self.value()
            if self._accept("]"):
                return
            self._expect(",", Message("expected a comma or ]"))

    def value(self) -> Any:  # noqa: ANN401
        """Read a JSON value of any kind, and return it; raise ParseError if there is no value, or it is damaged."""
        self._skip_space()
        self._start = self._offset
        try:
            value, self._offset = DECODER.raw_decode(self._text, self._offset)
        except json.JSONDecodeError as error:
            raise self._error_at(Message("not JSON: {error}", system_message(error.msg.lower())), error.pos) from None
        except ValueError as error:
            raise self.error("the JSON cannot be read: {error}", error) from None
        except RecursionError:
            raise self.error("the JSON is nested too deeply") from None
        return value

    def position(self, value: Any) -> Hashable:  # noqa: ANN401
        """Return the position that a JSON value stands for.

        If the value cannot be a position, raise a ParseError that points at the value read last.
        """
        try:
            return position_of_json(value)
        except TypeError as error:
            raise self.error("position {value!r}: {error}", value, error) from None

    def error(self, message: str, *facts: object) -> ParseError:
        """Return a ParseError at the last value that :meth:`value` read; ``facts`` fill in the template ``message``."""
        return self._error_at(Message(message, *facts), self._start)

    def _skip_space(self) -> None:
        self._offset = _SPACE.match(self._text, self._offset).end()  # type: ignore[union-attr]

    def _accept(self, mark: str) -> bool:
        self._skip_space()
        is_mark = self._text.startswith(mark, self._offset)
        self._offset += len(mark) * is_mark
        return is_mark

    def _expect(self, mark: str, message: str) -> None:
        if not self._accept(mark):
            is_end = self._offset == len(self._text)
            raise self._error_at(Message("the text ends: {message}", message) if is_end else message, self._offset)

    def _error_at(self, message: str, offset: int) -> ParseError:
        return self._source.error_in_text(message, self._text, offset)


def write_json_values(values: Values, columns: Sequence[str], stream: TextIO) -> None:
    """Write values as JSON. ``columns`` names the columns to write: the first 1, 2, 3 or 4 of :data:`COLUMNS`."""
    kind, texts = position_texts(values.labels)
    ids = (json.dumps(text, ensure_ascii=False) for text in texts) if kind == "str" else texts
    row = "{{" + ", ".join(f'"{column}": {{}}' for column in columns) + "}}"
    stream.write(
        f'{{"format": "{other_formats.VALUES.format}", "play": "{play_name(bool(values.misere))}", "values": ['
    )
    separator = "\n"
    for position, grundy, outcome, remoteness in value_rows(values, ids):
        value = f'"{grundy}"' if not isinstance(grundy, int) else grundy
        length = "null" if remoteness is None else remoteness
        stream.write(separator + row.format(position, value, f'"{outcome}"', length))
        separator = ",\n"
    stream.write("\n]}\n")


def read_json_values(source: Source) -> Values:
    """Read a values file in JSON."""
    text = JSONText(source)
    collector = Collector(text.error)
    misere: bool | None = None
    has_values = False
    for name in text.members():
        if name == "values":
            has_values = True
            for row in text.elements():
                if not isinstance(row, dict) or "position" not in row:
                    raise text.error(
                        "row {row!r}: expected an object with position, grundy, outcome and remoteness", row
                    )
                collector.add(text.position(row["position"]), *(row.get(column) for column in COLUMNS[1:]))
            continue
        value = text.value()
        if name == "format" and value != other_formats.VALUES.format:
            raise text.error("format {value!r}: expected {format!r}", value, other_formats.VALUES.format)
        if name == "play":
            misere = is_misere(value, text.error)
    if not has_values:
        raise source.error("not a values file: expected an object with the array 'values'")
    return collector.values(compact(list(collector.numbers)), misere)
