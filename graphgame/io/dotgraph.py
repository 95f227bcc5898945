"""A text in DOT read into a graph, by recursive descent: a method for each rule of the grammar.

Groups, defaults and strict graphs mean what they mean to Graphviz: groups of one name in one group are the same group,
and keep their vertices and defaults; a vertex takes the defaults of the place where it is first named.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, count, pairwise, product

import numpy as np

from graphgame.errors import LimitError, Message
from graphgame.io.dottokens import Tokens
from graphgame.io.interchange import GraphBuilder, multiplicity_of
from graphgame.io.source import Source

_OF_GRAPH = frozenset({"positions", "tokens"})
_READ = frozenset({*_OF_GRAPH, "position", "kind", "multiplicity"})
_WITH_DEFAULTS = frozenset({"graph", "node", "edge"})
_MOST_EDGES = 10**7
_DEEPEST = 100


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
            message = Message("the graph is undirected: moves need a direction, so write digraph and -> for --")
            raise tokens.undirected(message)
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
            for parts in tokens.plain_statements():
                self._take(group, parts)
            if tokens.text != "}":
                self._statement(group)
                tokens.accept(";")
                tokens.count()

    def _take(self, group: _Group, parts: Sequence[Sequence[str | None]]) -> None:
        """Take in plain statements, given all their names, heads, and values of each attribute."""
        names, heads, positions, kinds, multiplicities = parts
        is_edge = np.fromiter((head is not None for head in heads), np.bool_, len(heads))
        ends = chain.from_iterable(zip(names, heads, strict=True))
        numbers = self._enter(group, list(ends) if is_edge.all() else [name for name in ends if name is not None])
        first = np.cumsum(is_edge + 1) - is_edge - 1
        edges = numbers[first[is_edge]], numbers[first[is_edge] + 1]
        default = self._multiplicity(group, {})
        if default == 1 and not any(multiplicities):
            self._builder.add_edges(*edges)
        else:
            stated = [text for text, has_head in zip(multiplicities, is_edge, strict=True) if has_head]
            for tail, head, text in zip(*(each.tolist() for each in edges), stated, strict=True):
                self._add_edge((tail, head), int(text or default), bool(text))
        for of, values in (("position", positions), ("kind", kinds)):
            if values.count(None) < len(values):
                vertices = zip(numbers[first].tolist(), heads, values, strict=True)
                self.node_attributes[of].update(
                    (vertex, value) for vertex, head, value in vertices if value is not None and head is None
                )

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
            raise self._tokens.error(Message("{keyword} is a keyword: a vertex of this name needs quotes", kind), start)
        self._set(group, kind, self._attributes(kind == "edge"))

    def _set(self, group: _Group, kind: str, attributes: dict[str, str]) -> None:
        for name, value in attributes.items():
            if kind != "graph":
                group.defaults[kind, name] = value
            elif group.parent is None and self.attributes.setdefault(name, value) != value and name in _OF_GRAPH:
                raise self._tokens.error(Message("the graph has two values of {name}: expected one", name))

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
            raise tokens.error(Message("groups nested more than {most} deep", _DEEPEST))
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
            raise self._tokens.error(str(error), start) from None
