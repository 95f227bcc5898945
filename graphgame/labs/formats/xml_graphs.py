"""GraphML, and GEXF, the format of Gephi.

Reading
-------
One directed ``graph``: in GraphML ``edgedefault="directed"`` or each edge with ``directed="true"``, in GEXF
``defaultedgetype="directed"`` or each edge with ``type="directed"``; an edge of type ``mutual`` goes both ways. Every
``node`` is a position, named by its ``id``; so are nested ones and those of nested graphs. Ports, labels, times and
drawing data are passed over; hyperedges are refused, and so is a ``<!DOCTYPE>``: graphs need none, and the entities
that it can define may expand without bound. Data that are read, by the ``attr.name`` of their key in GraphML, by their
``title`` in GEXF:

=====  ================  =======================================================================
for    name              meaning
=====  ================  =======================================================================
graph  ``positions``     the kind of the positions, see :mod:`graphgame.io.interchange`
graph  ``tokens``        the tokens, a JSON array of positions
node   ``kind``          ``sum`` for a sum vertex
edge   ``multiplicity``  how often a part stands in a sum
=====  ================  =======================================================================

GEXF has no attributes of the graph. The ``description`` of the file holds them, a JSON object with ``positions`` and
``tokens``, an array; a description of any other form is passed over.

Writing
-------
The same, as networkx's ``read_graphml`` and ``read_gexf`` take it too; GEXF in version 1.2, where each node's label is
its position.

Notes
-----
Both directions stream: time O(n + m), 8 bytes an edge in memory. The file is read in blocks and never held as a whole.

References
----------
U. Brandes, M. Eiglsperger, J. Lerner, *GraphML Primer*, http://graphml.graphdrawing.org/primer/graphml-primer.html.

GEXF Working Group, *GEXF 1.2draft Primer*, https://gexf.net.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any, TextIO

from graphgame.errors import GraphGameError, Message, ParseError
from graphgame.graph.attributes import VERTEX_KINDS
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import are_integers
from graphgame.io.edges import encoded, graph_edge_lines, vertex_lines
from graphgame.io.files import Source
from graphgame.io.interchange import graph_attributes, position_texts, undirected
from graphgame.labs.formats.positions import GraphBuilder, Items, multiplicity_of

_GRAPHML_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="positions" for="graph" attr.name="positions" attr.type="string"/>
  <key id="tokens" for="graph" attr.name="tokens" attr.type="string"/>
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="multiplicity" for="edge" attr.name="multiplicity" attr.type="int"/>
  <graph edgedefault="directed">
"""
_GRAPHML_TAIL = """\
  </graph>
</graphml>
"""
_GEXF_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">
  <meta>
    <creator>graphgame</creator>
    <description>{description}</description>
  </meta>
  <graph defaultedgetype="directed" mode="static">
    <attributes class="node">
      <attribute id="kind" title="kind" type="string"/>
    </attributes>
    <attributes class="edge">
      <attribute id="multiplicity" title="multiplicity" type="integer"/>
    </attributes>
    <nodes>
"""
_GEXF_BETWEEN = """\
    </nodes>
    <edges>
"""
_GEXF_TAIL = """\
    </edges>
  </graph>
</gexf>
"""

_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)
_PLAIN = bytes(sign for sign in range(256) if sign not in _ESCAPES)
_DEEPEST = 1000
_LARGE = 1 << 16
_TEXT = r'"([^"&<\t\n\r]*+)"'
_REST = r'(?:\s++(?:id|label|weight)="[^"&<]*+")*+'
_NODE = re.compile(rf'\s*+<node\s++id={_TEXT}(?:\s++label="\1")?\s*+(?:/>|>\s*+</node>)')
_EDGE = re.compile(rf"\s*+<edge{_REST}\s++source={_TEXT}\s++target={_TEXT}{_REST}\s*+(?:/>|>\s*+</edge>)")
"""Simple vertices and edges, most of those of a large file."""

_CUTS = (b"<node ", b"</nodes>", b"<edge ", b"</edges>", b"</graph>")
"""Where a stretch of vertices or edges begins or ends."""

_DEFAULTS = {(owner, name) for name in ("kind", "multiplicity") for owner in ("node", "edge", "all")}
_DECLARATION = re.compile(rb"\A(?:\xef\xbb\xbf)?<\?xml\s[^>]*\?>")
_ENCODING = re.compile(rb"""encoding=(?!["'](?:utf-8|us-ascii)["'])""", re.I)
_MARKUP = re.compile(rb"<[!?]")
_BLANK = bytes(byte if byte in b"\r\n" else ord(" ") for byte in range(256))
_OWNERS = ("graph", "node", "edge")


def read(source: Source, kind: str = "graphml") -> GameGraph:
    """Read a graph.

    Examples
    --------
    >>> text = b'''<graphml><graph edgedefault="directed">
    ... <node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>'''
    >>> list(read(Source(text)).edges)
    [('a', 'b')]
    >>> text = b'''<gexf><graph defaultedgetype="directed">
    ... <nodes><node id="1"/><node id="2"/></nodes><edges><edge source="2" target="1"/></edges></graph></gexf>'''
    >>> list(read(Source(text), "gexf").edges)
    [(2, 1)]
    """
    return (_GraphML if kind == "graphml" else _GEXF)(source).read()


def write(graph: GameGraph, stream: TextIO, kind: str = "graphml") -> None:
    """Write a graph.

    Examples
    --------
    >>> import sys
    >>> write(GameGraph([(2, 1)]), sys.stdout)
    <?xml version="1.0" encoding="UTF-8"?>
    <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
      ...
      <graph edgedefault="directed">
        <data key="positions">int</data>
        <node id="2"/>
        <node id="1"/>
        <edge source="2" target="1"/>
      </graph>
    </graphml>
    >>> write(GameGraph([(2, 1)], tokens=[2]), sys.stdout, "gexf")
    <?xml version="1.0" encoding="UTF-8"?>
    <gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">
      <meta>
        <creator>graphgame</creator>
        <description>{&quot;positions&quot;: &quot;int&quot;, &quot;tokens&quot;: [2]}</description>
      ...
          <node id="2" label="2"/>
          <node id="1" label="1"/>
        </nodes>
        <edges>
          <edge id="0" source="2" target="1"/>
        </edges>
      </graph>
    </gexf>
    """
    positions, texts = position_texts(graph.labels)
    names = graph.labels if are_integers(graph.labels) else encoded(list(texts), _escape, _PLAIN)
    attributes = graph_attributes(graph, positions)
    if kind == "gexf":
        stream.write(_GEXF_HEAD.format(description=_escape(_description(attributes))))
        end = _ends("node", '<attvalues><attvalue for="kind" value="{}"/></attvalues>')
        stream.writelines(vertex_lines(graph, names, '      <node id="', end, '" label="'))
        stream.write(_GEXF_BETWEEN)
        end = _ends("edge", '<attvalues><attvalue for="multiplicity" value="{}"/></attvalues>')
        stream.writelines(graph_edge_lines(graph, names, '" source="', '" target="', end, '      <edge id="'))
        stream.write(_GEXF_TAIL)
        return
    stream.write(_GRAPHML_HEAD)
    for name, value in attributes.items():
        stream.write(f'    <data key="{name}">{_escape(value)}</data>\n')
    end = _ends("node", '<data key="kind">{}</data>')
    stream.writelines(vertex_lines(graph, names, '    <node id="', end))
    end = _ends("edge", '<data key="multiplicity">{}</data>')
    stream.writelines(graph_edge_lines(graph, names, '    <edge source="', '" target="', end))
    stream.write(_GRAPHML_TAIL)


def _escape(text: str) -> str:
    return text.translate(_ESCAPES)


def _ends(element: str, datum: str) -> Callable[[object], str]:
    """Return what ends the line of an element that has a datum, unless this is the usual one."""
    return lambda value: '"/>\n' if value in ("", 1) else f'">{datum.format(value)}</{element}>\n'


def _description(attributes: dict[str, str]) -> str:
    tokens = {"tokens": json.loads(attributes["tokens"])} if "tokens" in attributes else {}
    return json.dumps({**attributes, **tokens}, ensure_ascii=attributes["positions"] == "json")


class Element:
    """An element that is open: its name and attributes, its data, the edges it stands for, and its text in parts."""

    __slots__ = ("attributes", "data", "edges", "name", "parts")

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self.name = name
        self.attributes = attributes
        self.data: dict[str, str] = {}
        self.edges: list[tuple[int, int]] = []
        self.parts: list[str] = []

    @property
    def text(self) -> str:
        """The text between its tags."""
        return "".join(self.parts)


class XMLGraph:
    """Reads one directed graph; a subclass has a method ``open_x`` or ``close_x`` for each element x that matters.

    Attributes
    ----------
    root : str
        The name of the outermost element.
    directed : str
        The attribute that says whether a graph's edges are directed, with the word for yes.
    made : re.Pattern
        Identifiers of vertices that a program made.
    with_text, with_items : frozenset of str
        The elements whose text matters, and those that hold vertices or edges.
    names, defaults : dict
        What each kind of data is called, by the class of its owner and its identifier, and the data of owners that have
        none, by class and name.
    attributes, node_names : dict of str to str
        What the file says of the graph, and what it calls vertices, by their identifiers.
    """

    root: str
    directed: str
    made: re.Pattern[str]
    with_text: frozenset[str]
    with_items: frozenset[str]

    def __init__(self, source: Source) -> None:
        self.names: dict[tuple[str, str], str] = {}
        self.defaults: dict[tuple[str, str], str] = {}
        self.attributes: dict[str, str] = {}
        self.node_names: dict[str, str] = {}
        self.builder = GraphBuilder(source)
        self.stack: list[Element] = []
        self._node_items, self._edge_items = (
            Items(self.builder, item, ">", source.size or 0) for item in (_NODE, _EDGE)
        )
        self._source = source
        self._graphs = 0
        self._edges = 0
        self._default_is_directed = False
        self._may_have_items = True
        self._handlers: dict[str, Any] = {
            name: getattr(self, name) for name in dir(self) if name.startswith(("open_", "close_"))
        }

    def read(self) -> GameGraph:
        """Return the graph."""
        self._parse()
        if not self._graphs:
            raise self._source.error(Message("no graph in the file: expected a graph element in {root}", self.root))
        if not self._edges and not self._default_is_directed:
            raise undirected(self._source.error(self._remedy))
        self.builder.check_declared()
        return self.builder.build(self.attributes, self._told_names())

    def _told_names(self) -> list[str] | None:
        """Return the names of vertices whose identifiers a program made, as yEd does, if they tell all apart."""
        vertices, names = self.builder.numbers, self.node_names
        if "positions" in self.attributes or not len(set(names.values())) == len(names) == len(vertices) > 0:
            return None
        if not all(map(self.made.fullmatch, vertices)) or names.keys() <= set(names.values()):
            return None
        told = Message("the names of nodes as positions, not {first} and so on", next(iter(vertices)))
        self._source.notes.append(told)
        return [names[vertex] for vertex in vertices]

    def open_graph(self, element: Element) -> None:  # noqa: D102
        if self.stack[-2].name == self.root:
            self._graphs += 1
            self._default_is_directed = element.attributes.get(self.directed) == "directed"
        if self._graphs != 1:
            raise self.error("a second graph: expected one graph in the file")

    def open_node(self, element: Element) -> None:  # noqa: D102
        self.builder.declare(self.required(element, "id"), self.error)

    def close_node(self, element: Element) -> None:  # noqa: D102
        if name := element.data.get("name") or element.attributes.get("label"):
            self.node_names[element.attributes["id"]] = name.strip()
        if (kind := self._datum(element, "kind")) in VERTEX_KINDS:
            self.builder.kinds[self.builder.numbers[element.attributes["id"]]] = kind

    def begin_edge(self, element: Element, directed: bool | None, mutual: bool = False) -> None:
        """Note the ends of an edge that opens; ``directed`` is None where it does not say."""
        if not (self._default_is_directed if directed is None else directed):
            raise undirected(self.error(self._remedy))
        names = self.required(element, "source"), self.required(element, "target")
        start, end = (self.builder.end_of_edge(name, self.error) for name in names)
        element.edges = [(start, end), (end, start)] if mutual else [(start, end)]

    def close_edge(self, element: Element) -> None:  # noqa: D102
        try:
            multiplicity = multiplicity_of(self._datum(element, "multiplicity") or 1)
        except ValueError as error:
            raise self.error(str(error)) from None
        self._edges += 1
        for start, end in element.edges:
            self.builder.edge(start, end, multiplicity)

    def add_datum(self, owner: Element, identifier: str, value: str) -> None:
        """Note data of an element, if it is a graph, a vertex or an edge."""
        if owner.name in _OWNERS:
            name = self.names.get((owner.name, identifier), self.names.get(("all", identifier)))
            if name is None:
                raise self.error(
                    "data of the unknown kind {identifier!r}: expected one that the file declares", identifier
                )
            owner.data[name] = value

    def required(self, element: Element, name: str) -> str:
        """Return an attribute that an element must have."""
        try:
            return element.attributes[name]
        except KeyError:
            raise self.error("{element} element without the attribute {attribute!r}", element.name, name) from None

    def error(self, message: str, *facts: object) -> ParseError:
        """Return an error at the element that is being read."""
        return self._error_at(
            Message(message, *facts), self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber
        )

    @property
    def _remedy(self) -> str:
        return Message('the graph is undirected: moves need a direction, so write {directed}="directed"', self.directed)

    def _datum(self, element: Element, name: str) -> str | None:
        return element.data.get(name) or self.defaults.get((element.name, name)) or self.defaults.get(("all", name))

    def _parse(self) -> None:
        from xml.parsers import expat

        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._open
        self._parser.EndElementHandler = self._close
        self._parser.CharacterDataHandler = self._add_text
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._window, self._fed = b"", 0
        rest = b""
        try:
            for block in self._source.blocks():
                end = block.rfind(b">") + 1
                if not end and len(rest) > _LARGE:  # no graph has tags as long as this
                    self._may_have_items, end = False, len(block)
                if end:
                    self._feed(rest + block[:end])
                    rest = b""
                rest += block[end:]
            self._feed(rest)
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            message = expat.ErrorString(error.code) or "not well-formed"
            raise self._error_at(Message("not XML: {message}", message), error.lineno, error.offset) from None
        except GraphGameError:
            raise
        except (ValueError, LookupError) as error:
            raise self.error("not XML: {error}: expected the encoding UTF-8", error) from None

    def _look_for_markup(self, block: bytes) -> None:
        """Note comments and the like, in which text may look like elements, and encodings other than UTF-8."""
        start = 0
        if not self._fed and (declaration := _DECLARATION.match(block)):
            start = declaration.end()
            self._may_have_items = not _ENCODING.search(declaration[0])
        self._may_have_items &= not _MARKUP.search(block, start)

    def _feed(self, block: bytes) -> None:
        """Give a block that ends with a tag to the parser; runs of simple vertices and edges are read in one step."""
        self._look_for_markup(block)
        cuts = sorted(cut for tag in _CUTS if (cut := block.find(tag)) > 0) if len(block) > _LARGE else []
        self._window = self._window[-len(block) :] + block
        self._fed += len(block)
        for start, end in pairwise([0, *cuts, len(block)]):
            part = block[start:end]
            taken = self._read_items(part)
            self._parser.Parse(part[:taken].translate(_BLANK), False)
            self._parser.Parse(part[taken:], False)

    def _read_items(self, part: bytes) -> int:
        """Add simple vertices or edges that begin a part of the file, and return how many bytes of it they take.

        This takes a fraction of the time of a call for each element. The parser is then given white space of the same
        length and lines. Parts in comments look the same, so files with comments are left to the parser.
        """
        if not (len(part) > _LARGE and self._graphs == 1 and self._default_is_directed and self._may_have_items):
            return 0
        if not self.stack or self.stack[-1].name not in self.with_items or _DEFAULTS & self.defaults.keys():
            return 0
        try:
            part.decode()
        except UnicodeDecodeError:
            return 0
        items, end = self._edge_items if part.startswith(b"<edge") else self._node_items, 0
        while end < len(part) and (taken := items.take(part[end:])):
            end += taken
        return end

    def _open(self, name: str, attributes: dict[str, str]) -> None:
        element = Element(name.rpartition(" ")[2], attributes)
        if not self.stack and element.name != self.root:
            raise self.error("the file begins with {name!r}: expected {root}", element.name, self.root)
        if len(self.stack) == _DEEPEST:
            raise self.error("elements nested more than {most} deep", _DEEPEST)
        self.stack.append(element)
        handler = self._handlers.get("open_" + element.name)
        if handler is not None:
            handler(element)

    def _close(self, _: str) -> None:
        element = self.stack[-1]
        handler = self._handlers.get("close_" + element.name)
        if handler is not None:
            handler(element)
        self.stack.pop()

    def _add_text(self, text: str) -> None:
        if self.stack[-1].name in self.with_text:
            self.stack[-1].parts.append(text)

    def _refuse_doctype(self, *_: object) -> None:
        raise self.error("a document type declaration: a graph file needs none, so remove <!DOCTYPE ...>")

    def _error_at(self, message: str, line: int, column: int) -> ParseError:
        """Return an error at a line and a column from 0, with the line's text where it is at hand."""
        offset = self._parser.CurrentByteIndex - self._fed + len(self._window)
        start = self._window.rfind(b"\n", 0, max(offset, 0)) + 1
        end = self._window.find(b"\n", start)
        shown = self._window[start : len(self._window) if end < 0 else end]
        whole = offset >= 0 and (start > 0 or line == 1) and b"\0" not in shown
        return self._source.error(message, line, column + 1, shown.decode(errors="replace") if whole else None)


class _GraphML(XMLGraph):
    root = "graphml"
    directed = "edgedefault"
    made = re.compile(r"n\d+(?:::n\d+)*")
    with_text = frozenset({"data", "default", "NodeLabel"})
    with_items = frozenset({"graph"})

    def open_key(self, element: Element) -> None:
        owner = element.attributes.get("for", "all")
        self.names[owner, self.required(element, "id")] = element.attributes.get("attr.name", "")

    def open_hyperedge(self, _: Element) -> None:
        raise self.error("a hyperedge: expected edges, each from one vertex to another")

    def close_default(self, element: Element) -> None:
        key = self.stack[-2].attributes
        self.defaults[key.get("for", "all"), key.get("attr.name", "")] = element.text

    def close_data(self, element: Element) -> None:
        self.add_datum(self.stack[-2], self.required(element, "key"), element.text)

    def close_NodeLabel(self, element: Element) -> None:  # noqa: N802
        """Note the name of a vertex that yEd shows."""
        node = next(each for each in reversed(self.stack) if each.name in ("node", self.root))
        node.data.setdefault("name", element.text)

    def close_graph(self, element: Element) -> None:
        if self.stack[-2].name == self.root:
            self.attributes.update(element.data)

    def open_edge(self, element: Element) -> None:
        directed = element.attributes.get("directed")
        self.begin_edge(element, None if directed is None else directed == "true")


class _GEXF(XMLGraph):
    root = "gexf"
    directed = "defaultedgetype"
    made = re.compile(r"\d+(?:\.0)?")
    with_text = frozenset({"default", "description"})
    with_items = frozenset({"nodes", "edges"})

    def close_description(self, element: Element) -> None:
        try:
            described = json.loads(element.text)
        except (ValueError, RecursionError):
            return
        if isinstance(described, dict):
            self.attributes = {
                name: value if isinstance(value, str) else json.dumps(value) for name, value in described.items()
            }

    def open_attribute(self, element: Element) -> None:
        self.names[self._class(), self.required(element, "id")] = element.attributes.get("title", "")

    def close_default(self, element: Element) -> None:
        if self.stack[-2].name == "attribute":
            name = self.stack[-2].attributes.get("title", "")
            self.defaults[self.stack[-3].attributes.get("class", ""), name] = element.text

    def open_attvalue(self, element: Element) -> None:
        identifier = element.attributes.get("for") or self.required(element, "id")
        self.add_datum(self.stack[-3:][0], identifier, self.required(element, "value"))

    def open_edge(self, element: Element) -> None:
        direction = element.attributes.get("type")
        directed = None if direction is None else direction in ("directed", "mutual")
        self.begin_edge(element, directed, mutual=direction == "mutual")

    def _class(self) -> str:
        return self.stack[-2].attributes.get("class", "")
