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
Reading takes about half a microsecond an edge in plain statements where loops are compiled, and some microseconds
otherwise; it keeps the text and 8 bytes an edge in memory. Groups may multiply to ten million edges, and stand a
hundred deep in each other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, count, pairwise, product
from typing import TextIO

import numpy as np

from graphgame.compiled.engine import use_compiled
from graphgame.errors import GraphGameError, LimitError, Message, ParseError, shorten
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import as_labels
from graphgame.io.edge_items import ItemLabels, items_alike, items_of
from graphgame.io.edges import encoded, graph_edge_lines, vertex_lines
from graphgame.io.files import Source
from graphgame.io.interchange import dot_string, graph_attributes, position_texts, undirected
from graphgame.io.source import BLOCK
from graphgame.labs.formats.positions import GraphBuilder, multiplicity_of

_UNESCAPED_SIGNS = bytes(sign for sign in range(256) if sign not in b'\\"\n\r')
_LOOKS = {"": "", "sum": ", kind=sum, shape=diamond"}
_UNESCAPED = {"\\n": "\n", "\\r": "\r", "\\\\": "\\"}
_OF_GRAPH = frozenset({"positions", "tokens"})
_READ = frozenset({*_OF_GRAPH, "position", "kind", "multiplicity"})
_WITH_DEFAULTS = frozenset({"graph", "node", "edge"})
_MOST_EDGES = 10**7
_DEEPEST = 100
_TOKEN = r"""
    \s*+
    (?: (?P<comment> //[^\n]*+ | /\*.*?\*/ | (?<!\S)\#[^\n]*+ )
      | (?P<keyword> (?i: strict | (?:di|sub)?graph | node | edge ) (?![\w\x80-\U0010ffff.]) )
      | (?P<name>    (?: [A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*+ | -?(?: [0-9]++(?:\.[0-9]*+)? | \.[0-9]++ ) )
                     (?![\w\x80-\U0010ffff.]) )
      | (?P<mark>    -[->] | [{}\[\];,=:+] )
      | (?P<string>  "[^"\\]*+(?:\\.[^"\\]*+)*+" )
      | (?P<html>    < )
      | (?P<wrong>   -?[^\s"<>{}\[\];,=:+/#-]++ | . )
      | (?P<end>     \Z )
    )
    """
_PLAIN_NAME = r"""
    (?: -?(?: [0-9]++(?:\.[0-9]*+)? | \.[0-9]++ )
      | "[^"\\]*+(?:\\[^"\r\n][^"\\]*+)*+"
      | (?! (?=[DEGNSdegns]) (?i: strict | (?:di|sub)?graph | node | edge ) (?![\w\x80-\U0010ffff]) )
        [A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*+ )
    """
_OTHER_ATTRIBUTE = rf"""
    \s*+ (?! (?: position | kind | multiplicity ) \b ) [A-Za-z_]\w*+ \s*+=\s*+ {_PLAIN_NAME}
    """
_POSITION = rf"\s*+ position\s*+=\s*+ ({_PLAIN_NAME})"
_BEHIND = r"\s*+[,;]?+"  # an attribute
_END = r'(?: \s*+; | \s++(?=[\w}"]) | (?=}) )'
_PLAIN_STATEMENT = rf"""
    \s*+ ({_PLAIN_NAME}) (?: \s*+->\s*+ ({_PLAIN_NAME}) )?
    (?: \s*+\[
        (?: (?: {_POSITION}
              | \s*+ kind\s*+=\s*+ ({_PLAIN_NAME})
              | \s*+ multiplicity\s*+=\s*+ "?([1-9][0-9]{{0,17}})(?!\w)"?
              | {_OTHER_ATTRIBUTE} ) {_BEHIND} )*+
        \s*+\] )? {_END}
    """
_OTHERS = rf"(?: {_OTHER_ATTRIBUTE} {_BEHIND} )*+"
_ALIKE = {
    "edge": rf"({_PLAIN_NAME}) \s*+->\s*+ ({_PLAIN_NAME}) (?: \s*+\[ {_OTHERS} \s*+\] )? {_END}",
    "vertex with a position": rf"({_PLAIN_NAME}) \s*+\[ {_OTHERS} {_POSITION} {_BEHIND} {_OTHERS} \s*+\] {_END}",
    "vertex": rf"({_PLAIN_NAME}) (?: \s*+\[ {_OTHERS} \s*+\] )? {_END}",
}
"""The statements of which a compiled loop can read a run that is written alike."""

_NEXT = re.compile(r'\s*+[\w}"]')
"""What ends a statement without a semicolon: the next one begins."""

_LEAST_RUN = 1000
"""The number of labels in a run that is written alike from which a compiled loop is faster."""

_BYTES_A_NAME = 5  # so few that compiled loops begin at 1 MB
_BRACKET = re.compile("[<>]")
_ESCAPED = re.compile(r'\\(\\|"|\r?\n)')
_REPORT_EVERY = 1 << 16


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
        stream.write(f"  {name}={dot_string(value)};\n")
    shown = list(texts)
    if any("&" in text for text in shown):  # Graphviz would read &lt; in a label as an entity
        shown = [text.replace("&", "&amp;") for text in shown] + shown
    strings = encoded(shown, lambda text: dot_string(text)[1:-1], _UNESCAPED_SIGNS)
    middle = '", position="'
    stream.writelines(vertex_lines(graph, strings, ' [label="', lambda kind: f'"{_kind(kind)}];\n', middle, "  n"))
    stream.writelines(graph_edge_lines(graph, as_labels(len(graph)), "  n", " -> n", _end_of_edge))
    stream.write("}\n")


def _kind(kind: str) -> str:
    return _LOOKS.get(kind, f", kind={dot_string(kind)}, peripheries=2")


def _end_of_edge(times: int) -> str:
    return ";\n" if times == 1 else f" [multiplicity={times}];\n"


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return re.sub(r"\\[nr\\]", lambda match: _UNESCAPED[match.group()], text)


class _Group:
    """A graph or a group in it: its vertices, also by name, its defaults by kind and name, and its groups by name."""

    __slots__ = ("defaults", "depth", "groups", "members", "parent")

    def __init__(self, parent: _Group | None = None) -> None:
        self.parent = parent
        self.depth: int = parent.depth + 1 if parent else 0
        self.members: dict[int, None] = {}
        self.groups: dict[str, _Group] = {}
        self.defaults: dict[tuple[str, str], str] = {}

    def add(self, vertices: Iterable[int]) -> None:
        """Take in vertices, which are then in the groups around as well."""
        group = self
        while group.parent is not None and (vertices := [each for each in vertices if each not in group.members]):
            group.members.update(dict.fromkeys(vertices))
            group = group.parent

    def default(self, kind: str, name: str) -> str | None:
        """Return the default of an attribute, here or in the groups around."""
        group: _Group | None = self
        while group is not None:
            if (kind, name) in group.defaults:
                return group.defaults[kind, name]
            group = group.parent
        return None


class DotGraph:
    """The graph of a text, put into a builder: a vertex for each name, and the edges.

    Attributes
    ----------
    attributes : dict of str to str
        The attributes of the graph that are read.
    node_attributes : dict of str to dict of int to str
        The attributes ``position`` and ``kind`` of the vertices.
    """

    def __init__(self, source: Source, text: str, builder: GraphBuilder) -> None:
        self.node_attributes: dict[str, dict[int, str]] = {"position": {}, "kind": {}}
        self._source = source
        self._builder = builder
        builder.numbers = defaultdict(count().__next__)  # numbers new names as they are looked up, in one search
        self._tokens = Tokens(source, text)
        self._edges = 0
        self._strict = False
        self._stated: dict[int, tuple[int, bool]] = {}
        self.attributes: dict[str, str] = {}

    def read(self) -> None:
        """Put the graph into the builder; raise a LimitError where groups multiply to too many edges."""
        tokens = self._tokens
        if tokens.keyword == "strict":
            self._strict = True
            tokens.advance()
        if tokens.keyword == "graph":
            raise undirected(
                tokens.error("the graph is undirected: moves need a direction, so write digraph and -> for --")
            )
        if tokens.keyword != "digraph":
            raise tokens.unexpected("digraph")
        tokens.advance()
        if tokens.at_name():
            tokens.name()
        self._body(_Group())
        tokens.accept(";")
        if tokens.text:
            raise tokens.error("text after the graph: expected one graph in the file")
        if self._strict and (self._stated or self.node_attributes["kind"]):
            self._merge()

    def _body(self, group: _Group) -> None:
        tokens = self._tokens
        tokens.expect("{")
        while not tokens.accept("}"):
            for found in tokens.plain_statements():
                if isinstance(found, tuple):
                    self._take_alike(group, *found)
                else:
                    self._take(group, found)
            if tokens.text != "}":
                self._statement(group)
                tokens.accept(";")
                tokens.count()

    def _take(self, group: _Group, parts: Sequence[Sequence[str | None]]) -> None:
        """Add statements of nodes (whose head is None) and edges: names, heads, positions, kinds, multiplicities."""
        names, heads, positions, kinds, multiplicities = parts
        ends = list(chain.from_iterable(zip(names, heads, strict=True)))
        is_end = np.fromiter((end is not None for end in ends), np.bool_, len(ends))
        numbers = np.full(len(ends), -1, np.int32)
        numbers[is_end] = self._enter(group, ends if is_end.all() else [end for end in ends if end is not None])
        self._join(group, numbers, multiplicities)
        for of, values in (("position", positions), ("kind", kinds)):
            if values.count(None) < len(values):
                vertices = zip(numbers[::2].tolist(), heads, values, strict=True)
                self.node_attributes[of].update(
                    (vertex, value) for vertex, head, value in vertices if value is not None and head is None
                )

    def _take_alike(self, group: _Group, kind: str, labels: ItemLabels) -> None:
        """Take in statements of a kind that a compiled loop has split."""
        has_positions = kind == "vertex with a position"
        names = labels.column(0) if has_positions else labels[:2]
        numbers = self._builder.vertices_of(str, names, partial(self._enter, group))
        if group.parent is not None:
            group.add(np.unique(numbers).tolist())
        if kind == "edge":
            self._join(group, numbers, ())
        elif has_positions:
            data, offsets = labels.column(1)
            text = data.tobytes()
            positions = (text[begin:end].decode() for begin, end in pairwise(offsets.tolist()))
            self.node_attributes["position"].update(zip(numbers.tolist(), positions, strict=True))

    def _join(self, group: _Group, numbers: np.ndarray, multiplicities: Sequence[str | None]) -> None:
        """Add the edges of plain statements: tails and heads in turn, -1 in place of the head of a vertex."""
        is_edge = numbers[1::2] >= 0
        tails, heads = numbers[::2][is_edge], numbers[1::2][is_edge]
        default = self._multiplicity(group, {})
        if default == 1 and not any(multiplicities):
            self._builder.add_edges(tails, heads)
            return
        stated = [
            text for text, has_head in zip(multiplicities or [None] * len(is_edge), is_edge, strict=True) if has_head
        ]
        for tail, head, text in zip(tails.tolist(), heads.tolist(), stated, strict=True):
            self._add_edge((tail, head), int(text or default), bool(text))

    def _merge(self) -> None:
        """Put each edge into the builder once, as often as its last statement says."""
        found: dict[tuple[int, int], int] = {}
        for index, ends in enumerate(self._builder.take_edges()):
            multiplicity, stated = self._stated.get(index, (1, False))
            if stated or ends not in found:
                found[ends] = multiplicity
        for ends, multiplicity in found.items():
            self._builder.edge(*ends, multiplicity)

    def _statement(self, group: _Group) -> None:
        tokens = self._tokens
        if tokens.keyword in _WITH_DEFAULTS:
            self._set_defaults(group)
            return
        is_group = self._at_group()
        if is_group:
            ends = self._subgroup(group)
        else:
            name = tokens.name(Message("} or a statement"))
            if tokens.accept("="):
                value = tokens.name(Message("a value"))
                self._set(group, "graph", {name: value} if name in _READ else {})
                return
            ends = self._vertices(group, name)
        if tokens.text == "->":
            self._chain(group, ends)
        elif tokens.text == "[":
            attributes = self._attributes()
            for vertex in () if is_group else ends:
                self._describe(vertex, attributes)

    def _set_defaults(self, group: _Group) -> None:
        kind = self._tokens.keyword
        start = self._tokens.start
        self._tokens.advance()
        if self._tokens.text != "[":
            raise self._tokens.error("{keyword} is a keyword: a vertex of this name needs quotes", kind, start=start)
        self._set(group, kind, self._attributes(kind == "edge"))

    def _set(self, group: _Group, kind: str, attributes: dict[str, str]) -> None:
        for name, value in attributes.items():
            if kind != "graph":
                group.defaults[kind, name] = value
            elif group.parent is None and self.attributes.setdefault(name, value) != value and name in _OF_GRAPH:
                raise self._tokens.error("the graph has two values of {name}: expected one", name)

    def _chain(self, group: _Group, tails: Collection[int]) -> None:
        groups = [tails]
        while self._tokens.accept("->"):
            if self._at_group():
                groups.append(self._subgroup(group))
            else:
                groups.append(self._vertices(group, self._tokens.name(Message("a name or a group"))))
        attributes = self._attributes(of_edges=True)
        for ends in pairwise(groups):
            self._connect(group, *ends, attributes)

    def _connect(
        self, group: _Group, tails: Collection[int], heads: Collection[int], attributes: dict[str, str]
    ) -> None:
        """Add an edge from each tail to each head."""
        self._edges += max(len(tails), 1) * max(len(heads), 1) - 1
        if self._edges > _MOST_EDGES:
            raise LimitError(
                "{name}: groups of vertices multiply to more than {most} edges: write a graph of this "
                "size as an edge list",
                self._source.name,
                _MOST_EDGES,
            )
        multiplicity = self._multiplicity(group, attributes)
        for pair in product(tails, heads):
            self._add_edge(pair, multiplicity, "multiplicity" in attributes)

    def _multiplicity(self, group: _Group, attributes: dict[str, str]) -> int:
        return int(attributes.get("multiplicity") or group.default("edge", "multiplicity") or 1)

    def _add_edge(self, ends: tuple[int, int], multiplicity: int, stated: bool = False) -> None:
        if self._strict and (stated or multiplicity > 1):
            self._stated[len(self._builder)] = multiplicity, stated
        self._builder.edge(*ends, 1 if self._strict else multiplicity)

    def _at_group(self) -> bool:
        return self._tokens.keyword == "subgraph" or self._tokens.text == "{"

    def _subgroup(self, group: _Group) -> Collection[int]:
        """Follow a group within a group, and return its vertices, to which a later one of its name may add."""
        tokens = self._tokens
        name = None
        if tokens.text != "{":
            tokens.advance()
            name = tokens.name() if tokens.at_name() else None
        if group.depth == _DEEPEST:
            raise tokens.error("groups nested more than {most} deep", _DEEPEST)
        inner = _Group(group) if name is None else group.groups.setdefault(name, _Group(group))
        self._body(inner)
        return inner.members

    def _vertices(self, group: _Group, name: str) -> Collection[int]:
        """Return the vertices of a list between commas whose first name is read; ports mean nothing."""
        tokens = self._tokens
        vertices = [self._vertex(group, name)]
        while tokens.text in (":", ","):
            if tokens.accept(":"):
                tokens.name()
                if tokens.accept(":"):
                    tokens.name()
            if tokens.accept(","):
                vertices.append(self._vertex(group, tokens.name()))
            elif tokens.text == ":":
                raise tokens.unexpected(Message("} or a statement"))
        return vertices

    def _vertex(self, group: _Group, name: str) -> int:
        """Return the number of a vertex, which is now in the group."""
        return int(self._enter(group, [name])[0])

    def _enter(self, group: _Group, names: Sequence[str | None]) -> np.ndarray:
        """Return the numbers of vertices, which are now in the group; new ones take its defaults."""
        numbers = self._builder.numbers
        known = len(numbers)
        found = np.fromiter(map(numbers.__getitem__, names), np.int32, len(names))
        defaults = {of: value for of in self.node_attributes if (value := group.default("node", of)) is not None}
        for vertex in range(known, len(numbers)) if defaults else ():
            self._describe(vertex, defaults)
        if group.parent is not None:
            group.add(found.tolist())
        return found

    def _describe(self, vertex: int, attributes: dict[str, str]) -> None:
        for name, values in self.node_attributes.items():
            if name in attributes:
                values[vertex] = attributes[name]

    def _attributes(self, of_edges: bool = False) -> dict[str, str]:
        """Return the attributes that matter of the lists in brackets here."""
        tokens = self._tokens
        found = {}
        while tokens.accept("["):
            while not tokens.accept("]"):
                name = tokens.name("]")
                given = tokens.accept("=")
                start = tokens.start
                value = tokens.name(Message("a value")) if given else "true"
                if name == "multiplicity" and of_edges:
                    self._check_multiplicity(value, start)
                if name in _READ:
                    found[name] = value
                if not tokens.accept(","):
                    tokens.accept(";")
        return found

    def _check_multiplicity(self, value: str, start: int) -> None:
        try:
            multiplicity_of(value)
        except ValueError as error:
            raise self._tokens.error(str(error), start=start) from None


class Tokens:
    """A cursor in a text of DOT, at one of its tokens.

    Attributes
    ----------
    text : str
        The token as it stands; empty at the end.
    start : int
        Its offset.
    keyword : str
        The keyword that it is, or nothing.
    compiled : bool
        Whether the text is so long that a compiled loop reads plain statements.

    Examples
    --------
    >>> tokens = Tokens(Source(b""), 'Digraph { "a" + "b" }')
    >>> tokens.keyword, tokens.accept("{")
    ('digraph', False)
    >>> tokens.advance()
    >>> tokens.accept("{"), tokens.name(), tokens.text
    (True, 'ab', '}')
    """

    def __init__(self, source: Source, text: str) -> None:
        self._source = source
        self._whole = text
        self._end = 0
        self._read = 0
        self._mixed_until = 0
        self.compiled = use_compiled(len(text) // _BYTES_A_NAME)
        self._token = re.compile(_TOKEN, re.VERBOSE | re.DOTALL | re.ASCII)  # here, for it takes some milliseconds
        self._plain = re.compile(_PLAIN_STATEMENT, re.VERBOSE | re.ASCII)
        self.advance()

    def advance(self) -> None:
        """Go to the next token."""
        match = self._token.match(self._whole, self._end)
        while match is not None and match.lastgroup == "comment":
            match = self._token.match(self._whole, match.end())
        assert match is not None
        assert match.lastgroup is not None
        self._kind = kind = match.lastgroup
        self.text, (self.start, self._end) = match[kind], match.span(kind)
        self.keyword = self.text.lower() if kind == "keyword" else ""
        if kind == "html":
            self._end = self._html_end()
            self.text = self._whole[self.start : self._end]
        elif kind == "wrong":
            raise self.error(self._fault())

    def plain_statements(self) -> Iterator[tuple[str, ItemLabels] | list[list[str | None]]]:
        """Go past vertices and edges between two names here, and yield them in blocks: labels, or lists of parts.

        Labels come with a name of ``_ALIKE``. The five lists are of names, names at the end of an edge, and the
        attributes position, kind and multiplicity; None where one is not there. Large graphs come as such statements,
        and one search for all parts of a statement takes a tenth of the time of going from token to token.
        """
        end = self.start
        while True:
            begin = end
            alike = self._alike(begin) if self.compiled and begin >= self._mixed_until else None
            if alike is not None:
                kind, labels, end = alike
                yield kind, labels
            else:
                block, end = self._parts(begin)
                if not block:
                    break
                parts: list[list[str | None]] = [[*block[part::5]] for part in range(5)]
                if self._whole.find('"', begin, end) >= 0:
                    parts = [_unquoted_all(column) if any(column) else column for column in parts]
                yield parts
            self._source.report(end, len(self._whole))
        if end > self.start:
            self._end = end
            self.advance()

    def _alike(self, begin: int) -> tuple[str, ItemLabels, int] | None:
        """Return what statements from an offset on are, by a name of ``_ALIKE``, their labels, and where they end."""
        block = self._whole[begin : begin + BLOCK].encode()
        for kind, item in _ALIKE.items():
            labels, stop = items_alike(re.compile(item, re.VERBOSE | re.ASCII), block, words=True) or (None, 0)
            if labels is not None and len(labels.offsets) > _LEAST_RUN:
                end = begin + len(block[:stop].decode())
                is_closed = block[:stop].rstrip().endswith(b";") or _NEXT.match(self._whole, end)
                return (kind, labels, end) if is_closed else None
        return None

    def _parts(self, begin: int) -> tuple[list[str | None], int]:
        """Return the parts of the plain statements from an offset on, five for each, and where these end."""
        end = self._whole.rfind(";", begin, begin + BLOCK) + 1
        block: list[str | None] | None = None
        if begin >= self._mixed_until:
            block = items_of(self._plain, self._whole[begin:end])  # type: ignore[assignment]
        if block:
            return block, end
        # a block with something else in it: statement by statement, as far as they are plain
        self._mixed_until = max(self._mixed_until, begin + BLOCK)
        block, end = [], begin
        while end < self._mixed_until and (match := self._plain.match(self._whole, end)):
            block += match.groups()
            end = match.end()
        return block, end

    def accept(self, mark: str) -> bool:
        """Go on if a mark is here, and tell whether it is."""
        found = self.text == mark
        if found:
            self.advance()
        return found

    def expect(self, mark: str) -> None:
        """Go on from a mark; raise a ParseError where another token is."""
        if not self.accept(mark):
            raise self.unexpected(mark)

    def at_name(self) -> bool:
        """Tell whether a name is here, or a keyword in place of one."""
        return self._kind not in ("mark", "end")

    def name(self, expected: str = "a name") -> str:
        """Return the name here, without quotes, and go on; an HTML-like one keeps its brackets."""
        name = self.text
        if self._kind == "string":
            return self._joined()
        if self._kind not in ("name", "html"):
            raise self.unexpected(expected)
        self.advance()
        return name

    def _joined(self) -> str:
        """Return what the strings here mean, with + between them, and go on."""
        parts = []
        while self._kind == "string":
            parts.append(unquoted(self.text))
            self.advance()
            if not self.accept("+"):
                return "".join(parts)
        raise self.unexpected(Message("a quoted string after +"))

    def unexpected(self, expected: str) -> GraphGameError:
        """Return an error at this token, in place of what was expected."""
        if self.text == "--":
            return undirected(self.error("undirected edge: moves need a direction, so write ->"))
        if self.keyword:
            return self.error("{keyword} is a keyword: a vertex of this name needs quotes", self.keyword)
        return self.error(
            "{text}: expected {expected}", shorten(self.text) if self.text else Message("the text ends"), expected
        )

    def error(self, message: str, *facts: object, start: int | None = None) -> ParseError:
        """Return an error at this token, or at an offset; a message is a template with facts, as errors take it."""
        place = self.start if start is None else start
        return self._source.error_in_text(Message(message, *facts), self._whole, place)

    def count(self) -> None:
        """Count a statement, and report now and then how far the text is read."""
        self._read += 1
        if self._read % _REPORT_EVERY == 0:
            self._source.report(self.start, len(self._whole))

    def _html_end(self) -> int:
        """Return where the HTML-like string that begins here ends."""
        depth = 0
        for match in _BRACKET.finditer(self._whole, self.start):
            depth += 1 if match[0] == "<" else -1
            if depth == 0:
                return match.end()
        raise self.error("< without its >: expected an HTML-like string")

    def _fault(self) -> str:
        """Return what is wrong with the characters here, which are no token."""
        if self.text == '"':
            return Message("a string without its closing quote")
        if self._whole.startswith("/*", self.start):
            return Message("a comment without its */")
        if len(self.text) == 1 and not self.text.isalnum():
            return Message("{text!r} is not a part of DOT outside quotes", self.text)
        return Message("{text!r} is not a name of DOT: put it in quotes", self.text)


def _unquoted_all(texts: list[str | None]) -> list[str | None]:
    return [text if text is None or text[0] != '"' else unquoted(text) for text in texts]


def unquoted(text: str) -> str:
    """Return what a name means: in quotes only a quote may be escaped, and a line end, which is then none."""
    if text[0] != '"':
        return text
    if "\\" not in text:
        return text[1:-1]
    return _ESCAPED.sub(lambda match: {"\\": match[0], '"': '"'}.get(match[1], ""), text[1:-1])
