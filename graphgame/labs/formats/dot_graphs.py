r"""Read and write DOT, the language of Graphviz.

Reading
-------
One ``digraph`` in `the language of Graphviz <https://graphviz.org/doc/info/lang.html>`_, with chains of edges, lists of
vertices (``a, b -> c``), ports, subgraphs and clusters, edges between groups (``{a b} -> {c d}``), default attributes,
strings joined by ``+``, HTML-like names (which keep their brackets) and comments. A ``#`` after white space begins a
comment too. ``node [...]`` sets defaults; it is not a vertex. Unless the graph has the attribute ``positions``, the
positions are integers if all names are (``-3``, but not ``03``), otherwise strings. In a quoted name, ``\"`` is a
quote, and a backslash at the end of a line joins it to the next. Any other backslash stands for itself.

These attributes are read, and all others are ignored:

======  ================  ===================================================================================
of      name              meaning
======  ================  ===================================================================================
graph   ``positions``     the kind of the positions, see :mod:`graphgame.io.interchange`
graph   ``tokens``        the tokens, a JSON array of positions
vertex  ``position``      its position, if the graph has ``positions``; ``\n``, ``\r`` and ``\\`` are escapes
vertex  ``kind``          ``sum`` for a sum vertex; ``decided-P`` or ``decided-N`` for a decided position;
                          ``legend`` for a vertex that is not a position but part of a legend
edge    ``multiplicity``  how many times the sum at its source contains the part at its target
======  ================  ===================================================================================

With these attributes a picture can be read as a game again, whatever names, labels and styles its vertices have.

Writing
-------
Vertices are ``n0``, ``n1``, ..., each with its position and a label. The text is written line by line.

Notes
-----
Reading a plain statement (one vertex, or one edge between two vertices) takes about half a microsecond in compiled
loops, and some microseconds in Python. The text and 8 bytes for each edge are kept in memory. Groups may add at
most ten million edges in all, and may be nested at most a hundred deep.
"""

from __future__ import annotations

import re
from collections import ChainMap, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, count, pairwise, product
from typing import TextIO

import numpy as np

from graphgame.compiled.engine import use_compiled
from graphgame.errors import GraphGameError, LimitError, Message, ParseError, shorten
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import as_labels
from graphgame.io.edges import encoded
from graphgame.io.files import Source
from graphgame.io.interchange import dot_string, graph_attributes, position_texts, undirected
from graphgame.io.source import BLOCK
from graphgame.labs.formats.edge_items import ItemLabels, items_alike, items_of
from graphgame.labs.formats.graph_lines import graph_edge_lines, vertex_lines
from graphgame.labs.formats.positions import GraphBuilder, multiplicity_of

_WRITTEN_UNESCAPED = bytes(byte for byte in range(256) if byte not in b'\\"\n\r')
_ATTRIBUTES_OF_KIND = {"": "", "sum": ", kind=sum, shape=diamond"}
_UNESCAPED = {"\\n": "\n", "\\r": "\r", "\\\\": "\\"}
_GRAPH_ATTRIBUTES = frozenset({"positions", "tokens"})
_ATTRIBUTES_READ = frozenset({*_GRAPH_ATTRIBUTES, "position", "kind", "multiplicity"})
_KEYWORDS_OF_DEFAULTS = frozenset({"graph", "node", "edge"})
_MAX_GROUP_EDGES = 10**7
_MAX_DEPTH_OF_GROUPS = 100

# One token after any white space. Quantifiers such as *+ are possessive: they never give back what they matched, so
# that no text makes the search slow.
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

# A plain statement is one vertex, or one edge between two vertices. Its names and the values of its attributes are
# numbers, quoted strings or words. One regular expression matches it, so that its tokens need not be read one by one.
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
_AFTER_ATTRIBUTE = r"\s*+[,;]?+"
_END_OF_STATEMENT = r'(?: \s*+; | \s++(?=[\w}"]) | (?=}) )'
_PLAIN_STATEMENT = rf"""
    \s*+ ({_PLAIN_NAME}) (?: \s*+->\s*+ ({_PLAIN_NAME}) )?
    (?: \s*+\[
        (?: (?: {_POSITION}
              | \s*+ kind\s*+=\s*+ ({_PLAIN_NAME})
              | \s*+ multiplicity\s*+=\s*+ "?([1-9][0-9]{{0,17}})(?!\w)"?
              | {_OTHER_ATTRIBUTE} ) {_AFTER_ATTRIBUTE} )*+
        \s*+\] )? {_END_OF_STATEMENT}
    """
_OTHER_ATTRIBUTES = rf"(?: {_OTHER_ATTRIBUTE} {_AFTER_ATTRIBUTE} )*+"
_OTHERS_IN_BRACKETS = rf"(?: \s*+\[ {_OTHER_ATTRIBUTES} \s*+\] )?"
_WITH_POSITION = rf"\s*+\[ {_OTHER_ATTRIBUTES} {_POSITION} {_AFTER_ATTRIBUTE} {_OTHER_ATTRIBUTES} \s*+\]"
_RUNS = {
    "edge": rf"({_PLAIN_NAME}) \s*+->\s*+ ({_PLAIN_NAME}) {_OTHERS_IN_BRACKETS} {_END_OF_STATEMENT}",
    "vertex with a position": rf"({_PLAIN_NAME}) {_WITH_POSITION} {_END_OF_STATEMENT}",
    "vertex": rf"({_PLAIN_NAME}) {_OTHERS_IN_BRACKETS} {_END_OF_STATEMENT}",
}
"""Kinds of plain statements, each with its pattern.

A run is a sequence of statements of one kind, all written in the same form. The groups of the pattern are the labels of
a statement. A compiled loop splits a run into its labels.
"""

_START_OF_STATEMENT = re.compile(r'\s*+[\w}"]')
_LEAST_LABELS_OF_RUN = 1000
"""A run with fewer labels is read by the pattern of plain statements, which is faster for short runs."""

_BYTES_OF_NAME = 5
"""A low estimate of the bytes of a name: with it, the reader uses compiled loops for texts from 1 MB on."""

_BRACKET = re.compile("[<>]")
_ESCAPED = re.compile(r'\\(\\|"|\r?\n)')
_STATEMENTS_PER_REPORT = 1 << 16


def read(source: Source) -> GameGraph:
    """Read the graph of a DOT file.

    Examples
    --------
    >>> sorted(read(Source(b"digraph { 3 -> {1 2} -> 0 }")).edges)
    [(1, 0), (2, 0), (3, 1), (3, 2)]
    """
    builder = GraphBuilder(source)
    graph = DotGraph(source, source.read_text(), builder)
    graph.read()
    builder.kinds = graph.node_attributes["kind"]
    builder.dropped = {vertex for vertex, kind in builder.kinds.items() if kind == "legend"}
    attributes = {name: _unescape(value) for name, value in graph.attributes.items()}
    names = list(builder.numbers)
    if "positions" in attributes:
        for vertex, position in graph.node_attributes["position"].items():
            names[vertex] = _unescape(position)
    return builder.build(attributes, names)


def write(graph: GameGraph, stream: TextIO) -> None:
    r"""Write a graph in DOT, line by line.

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
    positions = list(texts)
    if any("&" in text for text in positions):
        # Graphviz reads &lt; in a label as <, so write & as &amp; in labels, but not in positions. The list has all
        # labels, then all positions.
        positions = [text.replace("&", "&amp;") for text in positions] + positions
    strings = encoded(positions, lambda text: dot_string(text)[1:-1], _WRITTEN_UNESCAPED)
    middle = '", position="'
    stream.writelines(vertex_lines(graph, strings, ' [label="', _end_of_vertex, middle, "  n"))
    stream.writelines(graph_edge_lines(graph, as_labels(len(graph)), "  n", " -> n", _end_of_edge))
    stream.write("}\n")


def _end_of_vertex(kind: str) -> str:
    return '"' + _ATTRIBUTES_OF_KIND.get(kind, f", kind={dot_string(kind)}, peripheries=2") + "];\n"


def _end_of_edge(times: int) -> str:
    return ";\n" if times == 1 else f" [multiplicity={times}];\n"


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return re.sub(r"\\[nr\\]", lambda match: _UNESCAPED[match.group()], text)


class _Group:
    """A graph, or a group of vertices in it (a subgraph).

    ``members`` has the numbers of a group's vertices in the order in which they were added; for the graph itself it is
    empty. ``groups`` maps names to inner groups. ``defaults`` maps ("node" or "edge", name of an attribute) to the
    attribute's default value in this group, or else in the groups around it.
    """

    __slots__ = ("defaults", "depth", "groups", "members", "parent")

    def __init__(self, parent: _Group | None = None) -> None:
        self.parent = parent
        self.depth: int = parent.depth + 1 if parent else 0
        self.members: dict[int, None] = {}
        self.groups: dict[str, _Group] = {}
        self.defaults: ChainMap[tuple[str, str], str] = parent.defaults.new_child() if parent else ChainMap()

    def add(self, vertices: Iterable[int]) -> None:
        """Add vertices to this group, and to all groups around it except the graph itself."""
        group = self
        # A vertex of this group is already in all groups around it: pass on only vertices that are new to this group.
        while group.parent is not None and (vertices := [each for each in vertices if each not in group.members]):
            group.members.update(dict.fromkeys(vertices))
            group = group.parent

    def default(self, kind: str, name: str) -> str | None:
        """Return the default value of an attribute of a node or edge (``kind``), None if it has no default."""
        return self.defaults.get((kind, name)) if self.defaults else None


class DotGraph:
    """A parser of one DOT graph: it adds a vertex for each name, and the edges, to a builder.

    Attributes
    ----------
    attributes : dict of str to str
        The attributes of the graph: ``positions`` and ``tokens``, if it has them.
    node_attributes : dict of str to dict of int to str
        The values of ``position`` and of ``kind``, by the number of the vertex.
    """

    def __init__(self, source: Source, text: str, builder: GraphBuilder) -> None:
        self.node_attributes: dict[str, dict[int, str]] = {"position": {}, "kind": {}}
        self._source = source
        self._builder = builder
        # A lookup returns the number of a known name, and gives a new name the next number.
        builder.numbers = defaultdict(count().__next__)
        self._tokens = Tokens(source, text)
        self._group_edges = 0
        self._strict = False
        # Only in a strict graph: index of an edge -> (its multiplicity, whether its statement has this attribute).
        self._multiplicities: dict[int, tuple[int, bool]] = {}
        self.attributes: dict[str, str] = {}

    def read(self) -> None:
        """Read the text into the builder.

        Raises UndirectedGraphError if the graph is undirected, and ParseError if the text is not one graph in DOT.
        Raises LimitError if groups of vertices, or the attribute ``multiplicity`` of edges, add too many edges.
        """
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
        if self._strict and (self._multiplicities or self.node_attributes["kind"]):
            self._merge()

    def _body(self, group: _Group) -> None:
        tokens = self._tokens
        tokens.expect("{")
        while not tokens.accept("}"):
            for statements in tokens.plain_statements():
                if isinstance(statements, tuple):
                    self._add_run(group, *statements)
                else:
                    self._add_plain(group, statements)
            if tokens.text != "}":
                self._statement(group)
                tokens.accept(";")
                tokens.count()

    def _add_plain(self, group: _Group, columns: Sequence[Sequence[str | None]]) -> None:
        """Add plain statements, each a vertex or an edge, to the builder and to the group.

        ``columns`` are five sequences with an entry for each statement: the name of the vertex or of the edge's tail;
        the name of the edge's head, None for a vertex; and the attributes ``position``, ``kind`` and ``multiplicity``,
        None where the statement does not have them.
        """
        names, heads, positions, kinds, multiplicities = columns
        ends = list(chain.from_iterable(zip(names, heads, strict=True)))
        is_end = np.fromiter((end is not None for end in ends), np.bool_, len(ends))
        numbers = np.full(len(ends), -1, np.int32)
        numbers[is_end] = self._enter(group, ends if is_end.all() else [end for end in ends if end is not None])
        self._add_plain_edges(group, numbers, multiplicities)
        for attribute, values in (("position", positions), ("kind", kinds)):
            if values.count(None) < len(values):
                vertices = zip(numbers[::2].tolist(), heads, values, strict=True)
                self.node_attributes[attribute].update(
                    (vertex, value) for vertex, head, value in vertices if value is not None and head is None
                )

    def _add_run(self, group: _Group, kind: str, labels: ItemLabels) -> None:
        """Add a run, which is a sequence of plain statements of one kind, to the builder and to the group.

        ``kind`` is a key of ``_RUNS``. ``labels`` has, for each edge, the names of its tail and its head; for each
        vertex, its name and, if the kind is "vertex with a position", its position.
        """
        has_positions = kind == "vertex with a position"
        names = labels.column(0) if has_positions else labels[:2]
        numbers = self._builder.vertices_of(str, names, partial(self._enter, group))
        if group.parent is not None:
            group.add(np.unique(numbers).tolist())
        if kind == "edge":
            self._add_plain_edges(group, numbers, ())
        elif has_positions:
            data, offsets = labels.column(1)
            text = data.tobytes()
            positions = (text[begin:end].decode() for begin, end in pairwise(offsets.tolist()))
            self.node_attributes["position"].update(zip(numbers.tolist(), positions, strict=True))

    def _add_plain_edges(self, group: _Group, numbers: np.ndarray, multiplicities: Sequence[str | None]) -> None:
        """Add the edges of plain statements; ignore statements that are vertices.

        ``numbers`` has two entries for each statement: the vertex numbers of the edge's tail and head, or the number of
        the vertex and -1. ``multiplicities`` has the attribute ``multiplicity`` of each statement, None if it has none;
        it is empty if no statement has it. An edge without this attribute has the default of the group.
        """
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
        """Replace parallel edges of a strict graph by a single edge.

        Its multiplicity is that of the last statement that states one for these edges. If none does, it is the default
        that applied to the first of these edges.
        """
        merged: dict[tuple[int, int], int] = {}
        for index, ends in enumerate(self._builder.take_edges()):
            multiplicity, is_stated = self._multiplicities.get(index, (1, False))
            if is_stated or ends not in merged:
                merged[ends] = multiplicity
        for ends, multiplicity in merged.items():
            self._builder.edge(*ends, multiplicity)

    def _statement(self, group: _Group) -> None:
        tokens = self._tokens
        if (kind := tokens.keyword) in _KEYWORDS_OF_DEFAULTS:
            start = tokens.start
            tokens.advance()
            if tokens.text != "[":
                raise tokens.error("{keyword} is a keyword: a vertex of this name needs quotes", kind, start=start)
            self._set(group, kind, self._attributes(kind == "edge"))
            return
        is_group = self._at_group()
        if is_group:
            ends = self._subgroup(group)
        else:
            name = tokens.name(Message("} or a statement"))
            if tokens.accept("="):
                value = tokens.name(Message("a value"))
                self._set(group, "graph", {name: value} if name in _ATTRIBUTES_READ else {})
                return
            ends = self._vertices(group, name)
        if tokens.text == "->":
            self._chain(group, ends)
        elif tokens.text == "[":
            attributes = self._attributes()
            for vertex in () if is_group else ends:
                self._describe(vertex, attributes)

    def _set(self, group: _Group, kind: str, attributes: dict[str, str]) -> None:
        for name, value in attributes.items():
            if kind != "graph":
                group.defaults[kind, name] = value
            elif (
                group.parent is None and name in _GRAPH_ATTRIBUTES and self.attributes.setdefault(name, value) != value
            ):
                raise self._tokens.error("the graph sets {name} twice: expected one value", name)

    def _chain(self, group: _Group, tails: Collection[int]) -> None:
        groups = [tails]
        while self._tokens.accept("->"):
            if self._at_group():
                groups.append(self._subgroup(group))
            else:
                groups.append(self._vertices(group, self._tokens.name(Message("a name or a subgraph"))))
        attributes = self._attributes(of_edges=True)
        for ends in pairwise(groups):
            self._connect(group, *ends, attributes)

    def _connect(
        self, group: _Group, tails: Collection[int], heads: Collection[int], attributes: dict[str, str]
    ) -> None:
        """Add an edge from each tail to each head.

        Its multiplicity is that in ``attributes``, or else the default of the group, or 1. Raises LimitError if groups
        and lists of vertices have added too many edges, or if multiplicities have.
        """
        # Subtract 1, so that an edge between two single vertices counts 0: only groups and lists of vertices count. An
        # empty group counts as one vertex, so that the sum does not decrease.
        self._group_edges += max(len(tails), 1) * max(len(heads), 1) - 1
        if self._group_edges > _MAX_GROUP_EDGES:
            raise LimitError(
                "{name}: groups and lists of vertices add more than {most} edges: write a graph of this size as an "
                "edge list",
                self._source.name,
                _MAX_GROUP_EDGES,
            )
        multiplicity = self._multiplicity(group, attributes)
        for pair in product(tails, heads):
            self._add_edge(pair, multiplicity, "multiplicity" in attributes)

    def _multiplicity(self, group: _Group, attributes: dict[str, str]) -> int:
        return int(attributes.get("multiplicity") or group.default("edge", "multiplicity") or 1)

    def _add_edge(self, ends: tuple[int, int], multiplicity: int, is_stated: bool) -> None:
        if self._strict and (is_stated or multiplicity > 1):
            self._multiplicities[len(self._builder)] = multiplicity, is_stated
        self._builder.edge(*ends, 1 if self._strict else multiplicity)

    def _at_group(self) -> bool:
        return self._tokens.keyword == "subgraph" or self._tokens.text == "{"

    def _subgroup(self, group: _Group) -> Collection[int]:
        """Read a group inside ``group``, and return its vertices.

        If ``group`` already has an inner group of the same name, add the vertices to that group, and return all its
        vertices.
        """
        tokens = self._tokens
        name = None
        if tokens.text != "{":
            tokens.advance()
            name = tokens.name() if tokens.at_name() else None
        if group.depth == _MAX_DEPTH_OF_GROUPS:
            raise tokens.error("groups nested more than {most} deep", _MAX_DEPTH_OF_GROUPS)
        inner = _Group(group) if name is None else group.groups.setdefault(name, _Group(group))
        self._body(inner)
        return inner.members

    def _vertices(self, group: _Group, name: str) -> Collection[int]:
        """Read the rest of a list ``a, b, c`` whose first name is ``name``, and return the number of each vertex.

        Make the vertices members of ``group``. Ignore ports.
        """
        tokens = self._tokens
        names = [name]
        while tokens.text in (":", ","):
            if tokens.accept(":"):
                tokens.name()
                if tokens.accept(":"):
                    tokens.name()
            if tokens.accept(","):
                names.append(tokens.name())
            elif tokens.text == ":":
                raise tokens.unexpected(Message("} or a statement"))
        return self._enter(group, names).tolist()  # type: ignore[no-any-return]

    def _enter(self, group: _Group, names: Sequence[str | None]) -> np.ndarray:
        """Return the number of the vertex of each name, and make the vertices members of the group.

        No name may be None. A vertex with a new name gets the next number, and the default attributes of the group.
        """
        numbers = self._builder.numbers
        first_new = len(numbers)
        vertices = np.fromiter(map(numbers.__getitem__, names), np.int32, len(names))
        defaults = {name: value for name in self.node_attributes if (value := group.default("node", name)) is not None}
        for vertex in range(first_new, len(numbers)) if defaults else ():
            self._describe(vertex, defaults)
        if group.parent is not None:
            group.add(vertices.tolist())
        return vertices

    def _describe(self, vertex: int, attributes: dict[str, str]) -> None:
        for name, values in self.node_attributes.items():
            if name in attributes:
                values[vertex] = attributes[name]

    def _attributes(self, of_edges: bool = False) -> dict[str, str]:
        """Read the attributes in brackets that come next, if any; return those named in ``_ATTRIBUTES_READ``.

        With ``of_edges``, raise ParseError if a multiplicity is not an integer in 1..10**18-1.
        """
        tokens = self._tokens
        attributes = {}
        while tokens.accept("["):
            while not tokens.accept("]"):
                name = tokens.name("]")
                has_value = tokens.accept("=")
                start = tokens.start
                value = tokens.name(Message("a value")) if has_value else "true"
                if name == "multiplicity" and of_edges:
                    multiplicity_of(value, partial(tokens.error, start=start))
                if name in _ATTRIBUTES_READ:
                    attributes[name] = value
                if not tokens.accept(","):
                    tokens.accept(";")
        return attributes


class Tokens:
    """A cursor in a DOT text, which points to a token of the language DOT.

    Attributes
    ----------
    text : str
        The current token, with its quotes; empty at the end of the text.
    start : int
        The offset of the current token.
    keyword : str
        The current token in lower case if it is a keyword, otherwise empty.
    compiled : bool
        Whether a compiled loop reads runs of statements.

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
        self._statements = 0
        # Before this offset statements are matched one by one: not all are plain, or none ends with a semicolon.
        self._mixed_until = 0
        self.compiled = use_compiled(len(text) // _BYTES_OF_NAME)
        # Patterns are compiled here and not at import, because compiling takes some milliseconds.
        self._token = re.compile(_TOKEN, re.VERBOSE | re.DOTALL | re.ASCII)
        self._plain = re.compile(_PLAIN_STATEMENT, re.VERBOSE | re.ASCII)
        self.advance()

    def advance(self) -> None:
        """Go to the next token; raise ParseError if the next characters are not a token."""
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
        """Yield the plain statements that come next, in blocks, and go to the first token after them.

        A plain statement is one vertex or one edge, perhaps with attributes in brackets. A block is either a run
        (statements written alike) or a list of columns. A run is a pair (key of ``_RUNS``, labels). The columns are
        tail, head, position, kind and multiplicity. Each column has an entry for each statement, None if the statement
        has no such part. A statement without a head is a vertex, named in the column of tails.
        """
        # Large graphs consist of plain statements. Matching one takes a tenth of the time of reading its tokens.
        end = self.start
        while True:
            begin = end
            run = self._run(begin) if self.compiled and begin >= self._mixed_until else None
            if run is not None:
                kind, labels, end = run
                yield kind, labels
            else:
                entries, end = self._plain_entries(begin)
                if not entries:
                    break
                columns: list[list[str | None]] = [[*entries[column::5]] for column in range(5)]
                if self._whole.find('"', begin, end) >= 0:
                    columns = [
                        [_unquoted(text) if text and text[0] == '"' else text for text in column] for column in columns
                    ]
                yield columns
            self._source.report(end, len(self._whole))
        if end > self.start:
            self._end = end
            self.advance()

    def _run(self, begin: int) -> tuple[str, ItemLabels, int] | None:
        """Return (key of ``_RUNS``, labels, offset of the end) of the run at an offset.

        A run is a sequence of edges, or of vertices, that are written alike. The key is "edge", "vertex" or "vertex
        with a position". Return None if no run begins here, if it is short, or if its last statement may be incomplete.
        """
        block = self._whole[begin : begin + BLOCK].encode()
        for kind, item in _RUNS.items():
            labels, stop = items_alike(re.compile(item, re.VERBOSE | re.ASCII), block, words=True) or (None, 0)
            if labels is not None and len(labels.offsets) > _LEAST_LABELS_OF_RUN:
                end = begin + len(block[:stop].decode())
                # Unless it has a semicolon, the last statement has ended only if another one or } follows.
                is_closed = block[:stop].rstrip().endswith(b";") or _START_OF_STATEMENT.match(self._whole, end)
                return (kind, labels, end) if is_closed else None
        return None

    def _plain_entries(self, begin: int) -> tuple[list[str | None], int]:
        """Return a list of the entries of the plain statements at an offset, and the offset of their end.

        :meth:`plain_statements` says what a plain statement is. Each has five entries in the list: tail, head,
        position, kind and multiplicity. The first four keep their quotes. An entry is None if the statement does not
        have it. The list is empty if no plain statement begins at the offset.
        """
        end = self._whole.rfind(";", begin, begin + BLOCK) + 1
        entries: list[str | None] | None = None
        if begin >= self._mixed_until:
            entries = items_of(self._plain, self._whole[begin:end])  # type: ignore[assignment]
        if entries:
            return entries, end
        # Not all statements of the block are plain, or none ends with a semicolon: match one by one, and stop before
        # the first that is not plain.
        self._mixed_until = max(self._mixed_until, begin + BLOCK)
        entries, end = [], begin
        while end < self._mixed_until and (match := self._plain.match(self._whole, end)):
            entries += match.groups()
            end = match.end()
        return entries, end

    def accept(self, mark: str) -> bool:
        """If the current token is ``mark``, move to the next token and return True; otherwise return False."""
        is_mark = self.text == mark
        if is_mark:
            self.advance()
        return is_mark

    def expect(self, mark: str) -> None:
        """Move past the token ``mark``; raise the error of :meth:`unexpected` if the current token is any other."""
        if not self.accept(mark):
            raise self.unexpected(mark)

    def at_name(self) -> bool:
        """Tell whether the current token is a name in any form or a keyword, and not a mark or the end."""
        return self._kind not in ("mark", "end")

    def name(self, expected: str = "a name") -> str:
        """Return the current name without its quotes, and move past it. An HTML-like name keeps its brackets.

        Quoted strings joined by ``+`` are one name.

        Raise the error of :meth:`unexpected` if the current token is a keyword, a mark or the end.
        """
        name = self.text
        if self._kind == "string":
            return self._joined()
        if self._kind not in ("name", "html"):
            raise self.unexpected(expected)
        self.advance()
        return name

    def _joined(self) -> str:
        """Return the text of quoted strings joined by ``+``, and move past them.

        Raise the error of :meth:`unexpected` if no quoted string follows a ``+``.
        """
        parts = []
        while self._kind == "string":
            parts.append(_unquoted(self.text))
            self.advance()
            if not self.accept("+"):
                return "".join(parts)
        raise self.unexpected(Message("a quoted string after +"))

    def unexpected(self, expected: str) -> GraphGameError:
        """Return an error at the current token: an UndirectedGraphError if it is ``--``, otherwise a ParseError.

        The ParseError says that ``expected`` was expected or, for a keyword, that a vertex of this name needs quotes.
        """
        if self.text == "--":
            return undirected(self.error("undirected edge: moves need a direction, so write ->"))
        if self.keyword:
            return self.error("{keyword} is a keyword: a vertex of this name needs quotes", self.keyword)
        return self.error(
            "{text}: expected {expected}", shorten(self.text) if self.text else Message("the text ends"), expected
        )

    def error(self, message: str, *facts: object, start: int | None = None) -> ParseError:
        """Return a ParseError at the current token, or at the offset ``start``; ``facts`` fill in the message."""
        offset = self.start if start is None else start
        return self._source.error_in_text(Message(message, *facts), self._whole, offset)

    def count(self) -> None:
        """Count a statement; after every 65,536 statements, report the progress of reading."""
        self._statements += 1
        if self._statements % _STATEMENTS_PER_REPORT == 0:
            self._source.report(self.start, len(self._whole))

    def _html_end(self) -> int:
        """Return the offset of the end of the HTML-like string that starts at the current token.

        Raises ParseError if the string does not end.
        """
        depth = 0
        for match in _BRACKET.finditer(self._whole, self.start):
            depth += 1 if match[0] == "<" else -1
            if depth == 0:
                return match.end()
        raise self.error("found < without a matching >: expected an HTML-like string")

    def _fault(self) -> str:
        """Return a message that says why the characters at the current offset are not a token."""
        if self.text == '"':
            return Message("the string has no closing quote")
        if self._whole.startswith("/*", self.start):
            return Message("the comment has no closing */")
        if len(self.text) == 1 and not self.text.isalnum():
            return Message("{text!r} has no meaning in DOT outside quotes", self.text)
        return Message("{text!r} is not a valid DOT name: put it in quotes", self.text)


def _unquoted(text: str) -> str:
    r"""Return a quoted string without its quotes.

    ``\"`` becomes ``"``. A backslash before a line end vanishes, together with the line end.
    """
    if "\\" not in text:
        return text[1:-1]
    return _ESCAPED.sub(lambda match: {"\\": match[0], '"': '"'}.get(match[1], ""), text[1:-1])
