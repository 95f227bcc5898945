"""GEXF, the format of Gephi.

Reading
-------
One ``graph`` with ``defaultedgetype="directed"`` (or each edge with ``type="directed"``); an edge of type ``mutual``
goes both ways. Every ``node`` is a position, named by its ``id``; so are nested ones. Labels, times and drawing data
are passed over; a ``<!DOCTYPE>`` is refused. Attributes that are read, by their ``title``: ``kind`` of a node, ``sum``
for a sum vertex, and ``multiplicity`` of an edge, how often a part stands in a sum.

GEXF has no attributes of the graph. The ``description`` of the file holds them, a JSON object with ``positions``, the
kind of the positions (see :mod:`graphgame.io.interchange`), and ``tokens``, an array; a description of any other form
is passed over.

Writing
-------
The same, in version 1.2, as networkx's ``read_gexf`` takes it too; each node's label is its position.

Notes
-----
Both directions stream: time O(n + m), 8 bytes an edge in memory.

References
----------
GEXF Working Group, *GEXF 1.2draft Primer*, https://gexf.net.
"""

from __future__ import annotations

import json
from typing import TextIO

from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import are_integers
from graphgame.io.edges import encoded, graph_edge_lines, vertex_lines
from graphgame.io.files import Source
from graphgame.io.interchange import graph_attributes, position_texts
from graphgame.io.xmlgraph import UNESCAPED, Element, XMLGraph, escape

_HEAD = """\
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
_BETWEEN = """\
    </nodes>
    <edges>
"""
_TAIL = """\
    </edges>
  </graph>
</gexf>
"""


def read(source: Source) -> GameGraph:
    """Read a graph.

    Examples
    --------
    >>> text = b'''<gexf><graph defaultedgetype="directed">
    ... <nodes><node id="1"/><node id="2"/></nodes><edges><edge source="2" target="1"/></edges></graph></gexf>'''
    >>> list(read(Source(text)).edges)
    [(2, 1)]
    """
    return _Reader(source).read()


def write(graph: GameGraph, stream: TextIO) -> None:
    """Write a graph.

    Examples
    --------
    >>> import sys
    >>> write(GameGraph([(2, 1)], tokens=[2]), sys.stdout)
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
    kind, texts = position_texts(graph.labels)
    stream.write(_HEAD.format(description=escape(_description(graph_attributes(graph, kind)))))
    names = graph.labels if are_integers(graph.labels) else encoded(list(texts), escape, UNESCAPED)
    stream.writelines(vertex_lines(graph, names, '      <node id="', _end_of_node, '" label="'))
    stream.write(_BETWEEN)
    between = '" target="'
    stream.writelines(graph_edge_lines(graph, names, '" source="', between, _end_of_edge, '      <edge id="'))
    stream.write(_TAIL)


def _description(attributes: dict[str, str]) -> str:
    tokens = {"tokens": json.loads(attributes["tokens"])} if "tokens" in attributes else {}
    return json.dumps({**attributes, **tokens}, ensure_ascii=attributes["positions"] == "json")


def _end_of_node(kind: str) -> str:
    return f'"{_rest("kind", kind)}\n' if kind else '"/>\n'


def _end_of_edge(times: int) -> str:
    return '"/>\n' if times == 1 else f'"{_rest("multiplicity", times)}\n'


def _rest(name: str, value: object) -> str:
    element = "node" if name == "kind" else "edge"
    return f'><attvalues><attvalue for="{name}" value="{value}"/></attvalues></{element}>'


class _Reader(XMLGraph):
    root = "gexf"
    directed = "defaultedgetype"
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
