"""GraphML.

Reading
-------
One ``graph`` with ``edgedefault="directed"`` (or each edge with ``directed="true"``). Every ``node`` is a position,
named by its ``id``; so are those of nested graphs. Ports, labels and drawing data are passed over; hyperedges and a
``<!DOCTYPE>`` are refused. Data that are read, by the ``attr.name`` of their key:

=====  ================  =======================================================================
for    name              meaning
=====  ================  =======================================================================
graph  ``positions``     the kind of the positions, see :mod:`graphgame.io.interchange`
graph  ``tokens``        the tokens, a JSON array of positions
node   ``kind``          ``sum`` for a sum vertex
edge   ``multiplicity``  how often a part stands in a sum
=====  ================  =======================================================================

Writing
-------
The same, as networkx's ``read_graphml`` takes it too.

Notes
-----
Both directions stream: time O(n + m), 8 bytes an edge in memory.

References
----------
U. Brandes, M. Eiglsperger, J. Lerner, *GraphML Primer*, http://graphml.graphdrawing.org/primer/graphml-primer.html.
"""

from __future__ import annotations

from typing import TextIO

from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import are_integers
from graphgame.io.edges import encoded, graph_edge_lines, vertex_lines
from graphgame.io.files import Source
from graphgame.io.interchange import graph_attributes, position_texts
from graphgame.io.xmlgraph import UNESCAPED, Element, XMLGraph, escape

_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="positions" for="graph" attr.name="positions" attr.type="string"/>
  <key id="tokens" for="graph" attr.name="tokens" attr.type="string"/>
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="multiplicity" for="edge" attr.name="multiplicity" attr.type="int"/>
  <graph edgedefault="directed">
"""
_TAIL = """\
  </graph>
</graphml>
"""


def read(source: Source) -> GameGraph:
    """Read a graph.

    Examples
    --------
    >>> text = b'''<graphml><graph edgedefault="directed">
    ... <node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>'''
    >>> list(read(Source(text)).edges)
    [('a', 'b')]
    """
    return _Reader(source).read()


def write(graph: GameGraph, stream: TextIO) -> None:
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
    """
    kind, texts = position_texts(graph.labels)
    stream.write(_HEAD)
    for name, value in graph_attributes(graph, kind).items():
        stream.write(f'    <data key="{name}">{escape(value)}</data>\n')
    names = graph.labels if are_integers(graph.labels) else encoded(list(texts), escape, UNESCAPED)
    stream.writelines(vertex_lines(graph, names, '    <node id="', _end_of_node))
    stream.writelines(graph_edge_lines(graph, names, '    <edge source="', '" target="', _end_of_edge))
    stream.write(_TAIL)


def _end_of_node(kind: str) -> str:
    return f'"><data key="kind">{kind}</data></node>\n' if kind else '"/>\n'


def _end_of_edge(times: int) -> str:
    return '"/>\n' if times == 1 else f'"><data key="multiplicity">{times}</data></edge>\n'


class _Reader(XMLGraph):
    root = "graphml"
    directed = "edgedefault"
    with_text = frozenset({"data", "default"})
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

    def close_graph(self, element: Element) -> None:
        if self.stack[-2].name == self.root:
            self.attributes.update(element.data)

    def open_edge(self, element: Element) -> None:
        directed = element.attributes.get("directed")
        self.begin_edge(element, None if directed is None else directed == "true")
