"""What a graph of pydot says: its vertices and edges, with groups, defaults and attributes as DOT means them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from graphgame.errors import LimitError
from graphgame.io.dottext import html_end
from graphgame.io.files import Source
from graphgame.io.interchange import GraphBuilder, multiplicity_of

if TYPE_CHECKING:
    import pydot

__all__ = ["DotGraph"]

_QUOTED = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_ESCAPE = re.compile(r'\\([\\"])')
_READ = frozenset({"positions", "tokens", "position", "kind", "multiplicity"})
_MOST_EDGES = 10**7


class _Scope:
    """The inside of a graph or a group: its vertices and its defaults."""

    def __init__(self, parent: _Scope | None, name: str) -> None:
        self.path: tuple[object, ...] = (*parent.path, name or object()) if parent else ()
        self.members: dict[int, None] = {}
        self.node: dict[str, str] = dict(parent.node) if parent else {}
        self.edge: dict[str, str] = dict(parent.edge) if parent else {}


class DotGraph:
    """Puts a graph of pydot into a builder.

    Parameters
    ----------
    source : Source
        The file, for errors.
    text : str
        The text of the graph, for errors.
    builder : GraphBuilder
        Gets a vertex for each name, and the edges.

    Attributes
    ----------
    attributes : dict of str to str
        The attributes of the graph that are read.
    node_attributes : dict of str to dict of int to str
        The attributes ``position`` and ``kind`` of the vertices.
    """

    def __init__(self, source: Source, text: str, builder: GraphBuilder) -> None:
        self.attributes: dict[str, str] = {}
        self.node_attributes: dict[str, dict[int, str]] = {"position": {}, "kind": {}}
        self._source = source
        self._text = text
        self._builder = builder
        self._named: dict[tuple[object, ...], dict[int, None]] = {}
        self._groups: dict[int, list[int]] = {}
        self._edges = 0
        self._pairs: set[tuple[int, int]] | None = None

    def add(self, graph: pydot.Dot) -> None:
        """Put a graph into the builder.

        Raises
        ------
        ParseError
            A multiplicity is not one, or an attribute of the graph has two values.
        LimitError
            Groups multiply to too many edges.
        """
        self._pairs = set() if graph.get_strict() else None
        self._fill(_Scope(None, ""), graph)
        for name, value in _attributes(graph).items():
            if self.attributes.setdefault(name, value) != value:
                raise self._source.error(f"the graph has two values of {name}: expected one")

    def _fill(self, scope: _Scope, graph: pydot.core.Graph) -> None:
        """Follow the statements of a graph or a group in their order."""
        import pydot

        statements = [*graph.get_nodes(), *graph.get_edges(), *graph.get_subgraphs()]
        for statement in sorted(statements, key=_sequence):
            if isinstance(statement, pydot.Node):
                self._node(scope, statement)
            elif isinstance(statement, pydot.Edge):
                self._edge(scope, statement)
            else:
                self._group(scope, statement.obj_dict)

    def _node(self, scope: _Scope, node: pydot.Node) -> None:
        attributes = _attributes(node)
        name = node.get_name()
        if name == "node":
            scope.node.update(attributes)
        elif name == "edge":
            scope.edge.update(attributes)
        elif name == "graph":
            if not scope.path:
                self.attributes.update(attributes)
        else:
            self._describe(self._vertex(scope, name + (node.get_port() or "")), attributes)

    def _edge(self, scope: _Scope, edge: pydot.Edge) -> None:
        tails, heads = (self._endpoint(scope, end) for end in (edge.get_source(), edge.get_destination()))
        multiplicity = self._multiplicity({**scope.edge, **_attributes(edge)})
        self._edges += max(len(tails), 1) * max(len(heads), 1)
        if self._edges > _MOST_EDGES:
            raise LimitError(
                f"{self._source.name}: groups of vertices multiply to more than {_MOST_EDGES} edges: "
                "write a graph of this size as an edge list"
            )
        for pair in ((tail, head) for tail in tails for head in heads):
            if self._pairs is not None:
                if pair in self._pairs:
                    continue
                self._pairs.add(pair)
            self._builder.edge(*pair, multiplicity)

    def _endpoint(self, scope: _Scope, end: Any) -> list[int]:  # noqa: ANN401
        """Return the vertices of an end of an edge; a group within a chain is the end of two."""
        if not isinstance(end, dict):
            return [self._vertex(scope, str(end))]
        if id(end) not in self._groups:
            self._groups[id(end)] = self._group(scope, end)
        return self._groups[id(end)]

    def _group(self, scope: _Scope, contents: dict[str, Any]) -> list[int]:
        """Follow a group and return its vertices; groups of one name are one group."""
        import pydot

        group = pydot.Subgraph(obj_dict=contents)
        name = group.get_name()
        inner = _Scope(scope, _meaning(name) if name else "")
        self._fill(inner, group)
        scope.members.update(inner.members)
        members = self._named.setdefault(inner.path, {})
        members.update(inner.members)
        return list(members)

    def _vertex(self, scope: _Scope, name: str) -> int:
        """Return the number of a vertex, which is now in the group."""
        known = len(self._builder.numbers)
        vertex = self._builder.vertex(_meaning(_without_port(name)))
        scope.members[vertex] = None
        if vertex == known:
            self._describe(vertex, scope.node)
        return vertex

    def _describe(self, vertex: int, attributes: dict[str, str]) -> None:
        for name, values in self.node_attributes.items():
            if name in attributes:
                values[vertex] = attributes[name]

    def _multiplicity(self, attributes: dict[str, str]) -> int:
        if "multiplicity" not in attributes:
            return 1
        value = attributes["multiplicity"]
        try:
            return multiplicity_of(value)
        except ValueError as error:
            place = re.search(rf'multiplicity"?\s*=\s*"?{re.escape(value)}', self._text)
            if place is None:
                raise self._source.error(str(error)) from None
            raise self._source.error_in_text(str(error), self._text, place.start()) from None


def _sequence(statement: pydot.core.Common) -> int:
    return statement.get_sequence() or 0


def _attributes(statement: pydot.core.Common) -> dict[str, str]:
    """Return the attributes that matter."""
    named = ((_meaning(name), value) for name, value in statement.get_attributes().items())
    return {name: "true" if value is None else _meaning(value) for name, value in named if name in _READ}


def _without_port(name: str) -> str:
    """Return the name of a vertex that may be followed by a port."""
    if name[0] == "<":
        return name[: html_end(name)]
    quoted = _QUOTED.match(name)
    return quoted.group() if quoted else name.partition(":")[0]


def _meaning(identifier: str) -> str:
    """Return what an identifier of DOT means: in quotes only a quote may be escaped."""
    if not identifier.startswith('"'):
        return identifier
    return _ESCAPE.sub(lambda match: '"' if match.group(1) == '"' else match.group(), identifier[1:-1])
