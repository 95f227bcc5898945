"""Read and write GraphML, and GEXF, the format of Gephi.

Reading
-------
One directed ``graph``. In GraphML it has ``edgedefault="directed"``, or each edge has ``directed="true"``. In GEXF it
has ``defaultedgetype="directed"``, or each edge has ``type="directed"``; an edge of the type ``mutual`` goes both ways.
Every ``node`` is a position, also inside other nodes and inside nested graphs. Its ``id`` is the text of the position.
If all ids look generated (``n0`` in GraphML, ``0`` in GEXF) and all nodes have different names or labels, these are the
positions instead, with a ReadingWarning. Ports, other labels, times and drawing data are ignored. Hyperedges are an
error. A ``<!DOCTYPE>`` is an error too: a graph needs none, and it can define entities that expand to enormous texts.
These data are read. Their name in GraphML is the ``attr.name`` of the key, in GEXF the ``title`` of the attribute:

=====  ================  ========================================================================
for    name              meaning
=====  ================  ========================================================================
graph  ``positions``     the kind of the positions, see :mod:`graphgame.io.interchange`
graph  ``tokens``        the tokens, a JSON array of positions
node   ``kind``          ``sum`` for a sum vertex; ``decided-P``, ``decided-N`` for a decided position
edge   ``multiplicity``  how many times the sum at its source contains the part at its target
=====  ================  ========================================================================

A graph in GEXF cannot have data. Instead, the ``description`` of the file may be a JSON object with ``positions``, and
with ``tokens``, an array of positions. Any other description is ignored.

Writing
-------
The same formats, so that networkx's ``read_graphml`` and ``read_gexf`` can read the files too. GEXF is written in
version 1.2, and the label of each node is its position.

Notes
-----
The time is O(n + m), and an edge takes 8 bytes of memory. Files are read and written in blocks.

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
from typing import TextIO

from graphgame.errors import FormatError, GraphGameError, Message, ParseError
from graphgame.graph.attributes import VERTEX_KINDS
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, are_integers
from graphgame.io.edges import EncodedTexts, encoded
from graphgame.io.files import Source
from graphgame.io.interchange import UNPRINTABLE, graph_attributes, position_texts, undirected
from graphgame.labs.formats.graph_lines import graph_edge_lines, vertex_lines
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
_WRITTEN_UNESCAPED = bytes(byte for byte in range(256) if byte not in _ESCAPES)
_MAX_DEPTH_OF_ELEMENTS = 1000
_RUNS_FROM = 1 << 16
"""If a part of a block has more bytes than this, runs of simple vertices and edges are read many at a time."""

# A simple vertex has only an id and perhaps the same text as label; a simple edge has only its ends and perhaps
# attributes without a meaning. Most elements of a large file are simple.
_TEXT = r'"([^"&<\t\n\r]*+)"'
_IGNORED_ATTRIBUTES = r'(?:\s++(?:id|label|weight)="[^"&<]*+")*+'
_ENDS = rf"\s++source={_TEXT}\s++target={_TEXT}"
_NODE = re.compile(rf'\s*+<node\s++id={_TEXT}(?:\s++label="\1")?\s*+(?:/>|>\s*+</node>)')
_EDGE = re.compile(rf"\s*+<edge{_IGNORED_ATTRIBUTES}{_ENDS}{_IGNORED_ATTRIBUTES}\s*+(?:/>|>\s*+</edge>)")

_ENDS_OF_RUNS = (b"<node ", b"</nodes>", b"<edge ", b"</edges>", b"</graph>")
"""A large block is cut before the first occurrence of each of these tags: so most parts have only vertices or edges."""

_DEFAULTS_READ = {(owner, name) for name in ("kind", "multiplicity") for owner in ("node", "edge", "all")}
_DECLARATION = re.compile(rb"\A(?:\xef\xbb\xbf)?<\?xml\s[^>]*\?>")
_OTHER_ENCODING = re.compile(rb"""encoding=(?!["'](?:utf-8|us-ascii)["'])""", re.I)
_MARKUP = re.compile(rb"<[!?]")
_BLANKED = bytes(byte if byte in b"\r\n" else ord(" ") for byte in range(256))
_LATER_BYTES = bytes(range(0x80, 0xC0))
"""The bytes of UTF-8 that continue a character."""

_OWNERS_OF_DATA = ("graph", "node", "edge")


def read(source: Source, kind: str = "graphml") -> GameGraph:
    """Read a graph in GraphML, or in GEXF if ``kind`` is "gexf".

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
    """Write a graph in GraphML, or in GEXF if ``kind`` is "gexf".

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
    kind_of_positions, texts = position_texts(graph.labels)
    ids: Labels | EncodedTexts = graph.labels
    if not are_integers(graph.labels):
        texts = list(texts)
        if not (joined := "".join(texts)).isprintable() and UNPRINTABLE.search(joined):
            wrong = next(filter(UNPRINTABLE.search, texts))
            raise FormatError("position {wrong!r} has a character that XML cannot express: write DOT", wrong)
        ids = encoded(texts, _escape, _WRITTEN_UNESCAPED)
    attributes = graph_attributes(graph, kind_of_positions)
    if kind == "gexf":
        tokens = {"tokens": json.loads(attributes["tokens"])} if "tokens" in attributes else {}
        description = json.dumps({**attributes, **tokens}, ensure_ascii=kind_of_positions == "json")
        stream.write(_GEXF_HEAD.format(description=_escape(description)))
        end = _end_of_line("node", '<attvalues><attvalue for="kind" value="{}"/></attvalues>')
        stream.writelines(vertex_lines(graph, ids, '      <node id="', end, '" label="'))
        stream.write(_GEXF_BETWEEN)
        end = _end_of_line("edge", '<attvalues><attvalue for="multiplicity" value="{}"/></attvalues>')
        stream.writelines(graph_edge_lines(graph, ids, '" source="', '" target="', end, '      <edge id="'))
        stream.write(_GEXF_TAIL)
        return
    stream.write(_GRAPHML_HEAD)
    for name, value in attributes.items():
        stream.write(f'    <data key="{name}">{_escape(value)}</data>\n')
    end = _end_of_line("node", '<data key="kind">{}</data>')
    stream.writelines(vertex_lines(graph, ids, '    <node id="', end))
    end = _end_of_line("edge", '<data key="multiplicity">{}</data>')
    stream.writelines(graph_edge_lines(graph, ids, '    <edge source="', '" target="', end))
    stream.write(_GRAPHML_TAIL)


def _escape(text: str) -> str:
    return text.translate(_ESCAPES)


def _end_of_line(element: str, datum: str) -> Callable[[object], str]:
    """Return a function that maps the kind of a vertex, or the multiplicity of an edge, to the end of its XML line.

    ``element`` is "node" or "edge". ``datum`` is the template of the XML element inside it that holds the kind or the
    multiplicity. If the kind is empty or the multiplicity is 1, there is no such element.
    """
    return lambda value: '"/>\n' if value in ("", 1) else f'">{datum.format(value)}</{element}>\n'


class Element:
    """An XML element whose end tag has not been read yet.

    Attributes
    ----------
    name, attributes : str, dict
        Its name, without the namespace, and its attributes.
    data : dict of str to str
        The values of its data, by their names.
    edges : list of (int, int)
        For an ``edge`` element, its ends as vertex numbers: one pair, or two if it goes both ways.
    parts : list of str
        Its text so far, in pieces; empty if ``XMLGraph.with_text`` does not have its name.
    """

    __slots__ = ("attributes", "data", "edges", "name", "parts")

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self.name = name
        self.attributes = attributes
        self.data: dict[str, str] = {}
        self.edges: list[tuple[int, int]] = []
        self.parts: list[str] = []

    @property
    def text(self) -> str:
        """The text of the element so far, without the text of elements inside it: all of ``parts``, joined."""
        return "".join(self.parts)


class XMLGraph:
    """Reads one directed graph. Methods ``open_x`` and ``close_x``, here and in subclasses, read the elements named x.

    The owner of a datum is a graph, a node or an edge. The class of the owner is "graph", "node" or "edge"; the class
    "all" stands for any owner.

    Attributes
    ----------
    root : str
        The name of the outermost element.
    directed : str
        The name of the graph's attribute whose value is "directed" if edges are directed by default.
    directed_edge : str
        The attribute of an edge, with its value, which says that the edge is directed.
    generated_id : re.Pattern
        The form of node ids that a program generates; see :meth:`_names_instead_of_ids`.
    with_text, with_items : frozenset of str
        The elements whose text is read, and those that contain vertices or edges.
    names : dict of (str, str) to str
        (Class of the owner, identifier of a datum in the file) -> the name of the datum.
    defaults : dict of (str, str) to str
        (Class of the owner, name of a datum) -> its default value.
    attributes : dict of str to str
        The data of the graph.
    node_names : dict of str to str
        Id of a vertex -> its name or label.
    """

    root: str
    directed: str
    directed_edge: str
    generated_id: re.Pattern[str]
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
        self._may_take_runs = True
        self._labels_in_runs = 0

    def read(self) -> GameGraph:
        """Read the source, and return the graph; raise ParseError if it is not one graph in this format.

        Raises UndirectedGraphError if an edge is undirected, or if the graph has no edges and is undirected.
        """
        self._parse()
        if not self._graphs:
            raise self._source.error(Message("no graph in the file: expected a graph element in {root}", self.root))
        if not self._edges and not self._default_is_directed:
            raise undirected(self._source.error(self._remedy))
        self.builder.check_declared()
        return self.builder.build(self.attributes, self._names_instead_of_ids())

    def _names_instead_of_ids(self) -> list[str] | None:
        """Return the names of the vertices if they should be the positions, otherwise None.

        The names should be the positions if all ids look as if a program such as yEd generated them, if all vertices
        have different names, if the names are not the same texts as the ids, and if the file does not state the kind
        of its positions. Then a note about this is added to the source.
        """
        ids, names = self.builder.numbers, self.node_names
        if names and len(names) + self._labels_in_runs == len(ids):
            names = {vertex_id: names.get(vertex_id, vertex_id) for vertex_id in ids}  # in a run a label equals the id
        if "positions" in self.attributes or not len(set(names.values())) == len(names) == len(ids) > 0:
            return None
        if not all(map(self.generated_id.fullmatch, ids)) or names.keys() <= set(names.values()):
            return None
        note = Message(
            "the positions are the names of the nodes, not their ids, because a program generated ids such as {first}",
            next(iter(ids)),
        )
        self._source.notes.append(note)
        return [names[vertex_id] for vertex_id in ids]

    def open_graph(self, element: Element) -> None:  # noqa: D102
        if self.stack[-2].name == self.root:
            self._graphs += 1
            self._default_is_directed = element.attributes.get(self.directed) == "directed"
        if self._graphs != 1:
            raise self.error("expected exactly one graph element directly in {root}", self.root)

    def open_node(self, element: Element) -> None:  # noqa: D102
        self.builder.declare(self.required(element, "id"), self.error)

    def close_node(self, element: Element) -> None:  # noqa: D102
        if name := element.data.get("name") or element.attributes.get("label"):
            self.node_names[element.attributes["id"]] = name.strip()
        if (kind := self._datum(element, "kind")) in VERTEX_KINDS:
            self.builder.kinds[self.builder.numbers[element.attributes["id"]]] = kind

    def begin_edge(self, element: Element, directed: bool | None, mutual: bool = False) -> None:
        """Store the ends of an edge in its element; raise UndirectedGraphError if the edge is undirected.

        ``directed`` is what the edge itself says. If it says nothing, ``directed`` is None, and the default of the
        graph applies. A ``mutual`` edge goes both ways.
        """
        if directed is False:
            fault = self.error("undirected edge: moves need a direction, so write {attribute}", self.directed_edge)
            raise undirected(fault)
        if directed is None and not self._default_is_directed:
            raise undirected(self.error(self._remedy))
        names = self.required(element, "source"), self.required(element, "target")
        start, end = (self.builder.end_of_edge(name, self.error) for name in names)
        element.edges = [(start, end), (end, start)] if mutual else [(start, end)]

    def close_edge(self, element: Element) -> None:  # noqa: D102
        multiplicity = multiplicity_of(self._datum(element, "multiplicity") or 1, self.error)
        self._edges += 1
        for start, end in element.edges:
            self.builder.edge(start, end, multiplicity)

    def add_datum(self, owner: Element, identifier: str, value: str) -> None:
        """Store a value in the data of its owner, under the name that the file declares for ``identifier``.

        Does nothing if the owner is not a graph, a node or an edge. Raises a ParseError if the file does not
        declare ``identifier`` for such an owner.
        """
        if owner.name in _OWNERS_OF_DATA:
            name = self.names.get((owner.name, identifier), self.names.get(("all", identifier)))
            if name is None:
                raise self.error(
                    "found data with the key {identifier!r}, which the file does not declare for the element {owner}",
                    identifier,
                    owner.name,
                )
            owner.data[name] = value

    def required(self, element: Element, name: str) -> str:
        """Return an attribute of an element; raise ParseError if the element does not have it."""
        if name not in element.attributes:
            raise self.error("{element} element without the attribute {attribute!r}", element.name, name)
        return element.attributes[name]

    def error(self, message: str, *facts: object) -> ParseError:
        """Return a ParseError at the current tag; ``facts`` fill in the template ``message``."""
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
        self._window, self._fed, self._left_out = b"", 0, 0
        rest = b""
        try:
            for block in self._source.blocks():
                # Feed the parser up to the end of a tag, so that no tag is cut. Tags of graphs are shorter than
                # ``_RUNS_FROM``: feed a longer tag in pieces, so that it does not fill the memory.
                end = block.rfind(b">") + 1
                if not end and len(rest) > _RUNS_FROM:
                    self._may_take_runs, end = False, len(block)
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
            raise self.error("cannot read this XML: {error}: expected UTF-8", error) from None

    def _feed(self, block: bytes) -> None:
        """Read the next block of the file: add runs of simple vertices and edges quickly, and parse everything else."""
        # The parser reads everything if the file is not in UTF-8. It also reads everything from the first block with a
        # comment, CDATA, DOCTYPE or instruction on, because the text in these may look like elements.
        start = 0
        if not self._fed and (declaration := _DECLARATION.match(block)):
            start = declaration.end()
            self._may_take_runs = not _OTHER_ENCODING.search(declaration[0])
        self._may_take_runs &= not _MARKUP.search(block, start)
        cuts = sorted(cut for tag in _ENDS_OF_RUNS if (cut := block.find(tag)) > 0) if len(block) > _RUNS_FROM else []
        self._window = self._window[-len(block) :] + block
        self._fed += len(block)
        for start, end in pairwise([0, *cuts, len(block)]):
            part = block[start:end]
            taken = self._read_run(part)
            # In place of the run the parser gets white space, one byte for each character, so that it counts lines and
            # columns correctly. ``_left_out`` counts the bytes that it does not get.
            blank = part[:taken].translate(_BLANKED, _LATER_BYTES)
            self._left_out += taken - len(blank)
            self._parser.Parse(blank, False)
            self._parser.Parse(part[taken:], False)

    def _read_run(self, part: bytes) -> int:
        """Add the simple vertices or edges at the start of a part of a block; return the number of bytes they take.

        This is much faster than parsing each element. Return 0 if only the parser may read this part, for example
        because edges are not directed by default, and also if the part is short.
        """
        if not (len(part) > _RUNS_FROM and self._graphs == 1 and self._default_is_directed and self._may_take_runs):
            return 0
        if not self.stack or self.stack[-1].name not in self.with_items or _DEFAULTS_READ & self.defaults.keys():
            return 0
        try:
            part.decode()
        except UnicodeDecodeError:
            return 0
        items, end = self._edge_items if part.startswith(b"<edge") else self._node_items, 0
        while end < len(part) and (taken := items.take(part[end:])):
            end += taken
        if items is self._node_items:
            self._labels_in_runs += part.count(b'label="', 0, end)
        return end

    def _open(self, name: str, attributes: dict[str, str]) -> None:
        element = Element(name.rpartition(" ")[2], attributes)
        if not self.stack and element.name != self.root:
            raise self.error("the file begins with {name!r}: expected {root}", element.name, self.root)
        if len(self.stack) == _MAX_DEPTH_OF_ELEMENTS:
            raise self.error("elements nested more than {most} deep", _MAX_DEPTH_OF_ELEMENTS)
        self.stack.append(element)
        handler = getattr(self, f"open_{element.name}", None)
        if handler is not None:
            handler(element)

    def _close(self, _: str) -> None:
        element = self.stack[-1]
        handler = getattr(self, f"close_{element.name}", None)
        if handler is not None:
            handler(element)
        self.stack.pop()

    def _add_text(self, text: str) -> None:
        if self.stack[-1].name in self.with_text:
            self.stack[-1].parts.append(text)

    def _refuse_doctype(self, *_: object) -> None:
        raise self.error("a document type declaration: a graph file needs none, so remove <!DOCTYPE ...>")

    def _error_at(self, message: str, line: int, column: int) -> ParseError:
        """Return a ParseError at a line, counted from 1, and a column, counted from 0.

        It has the text of the line if that is in the window (the last bytes that the parser read, about two blocks) and
        has no zero bytes.
        """
        offset = self._parser.CurrentByteIndex + self._left_out - self._fed + len(self._window)
        start = self._window.rfind(b"\n", 0, max(offset, 0)) + 1
        end = self._window.find(b"\n", start)
        text = self._window[start : len(self._window) if end < 0 else end]
        is_complete = offset >= 0 and (start > 0 or self._fed == len(self._window)) and b"\0" not in text
        return self._source.error(
            message, line=line, column=column + 1, text=text.decode(errors="replace") if is_complete else None
        )


class _GraphML(XMLGraph):
    root = "graphml"
    directed = "edgedefault"
    directed_edge = 'directed="true"'
    generated_id = re.compile(r"n\d+(?:::n\d+)*")
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
        """Store the label that yEd shows for a vertex as the vertex's name, unless it has a name already."""
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
    directed_edge = 'type="directed"'
    generated_id = re.compile(r"\d+(?:\.0)?")
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
        owner = self.stack[-2].attributes.get("class", "")
        self.names[owner, self.required(element, "id")] = element.attributes.get("title", "")

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
