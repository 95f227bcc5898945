"""The grammar of DOT: a parser that needs no recursion and reads each character once.

References
----------
The DOT language, https://graphviz.org/doc/info/lang.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from graphgame.errors import LimitError, ParseError, UndirectedGraphError, shorten
from graphgame.io.files import Source
from graphgame.io.interchange import GraphBuilder, error_in_text, multiplicity_of

__all__ = ["DotParser"]

_TOKEN = re.compile(
    r"""
      (?P<skip>   (?: \s+ | //[^\n]* | /\*.*?\*/ | (?<!\S)\#[^\n]* )+ )
    | (?P<name>   [A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]* )
    | (?P<number> -?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?![A-Za-z0-9_.\x80-\U0010ffff]) )
    | (?P<arrow>  -[->] )
    | (?P<mark>   [{}\[\];,=:+] )
    | (?P<string> "[^"\\]*(?:\\.[^"\\]*)*" )
    | (?P<html>   < )
    """,
    re.VERBOSE | re.DOTALL,
)
_NAME = r"(-?[0-9]+|[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*)"
_PLAIN_EDGE = re.compile(rf"\s*{_NAME}[ \t]*->[ \t]*{_NAME}[ \t]*;")
_STRING_ESCAPE = re.compile(r'\\(\\|"|\r?\n)')
_BRACKET = re.compile("[<>]")
_IDENTIFIERS = frozenset({"name", "number", "string", "html"})
_KEYWORDS = frozenset({"strict", "graph", "digraph", "subgraph", "node", "edge"})
_READ = frozenset({"positions", "tokens", "position", "kind", "multiplicity"})
_MOST_GROUPED = 10**7
_DEEPEST = 100


class _Scope:
    """The inside of a graph or a subgraph: its vertices, its defaults, and the edge statement it is in."""

    def __init__(self, parent: _Scope | None, name: str | None = None) -> None:
        self.path: tuple[object, ...] = (*parent.path, name or object()) if parent else ()
        self.members: dict[int, None] = {}
        self.node: dict[str, str] = dict(parent.node) if parent else {}
        self.edge: dict[str, str] = dict(parent.edge) if parent else {}
        self.chain: list[list[int]] = []


class DotParser:
    """Parses one directed graph into a builder.

    Parameters
    ----------
    source : Source
    builder : GraphBuilder
        Gets a vertex for each name, and the edges.

    Attributes
    ----------
    attributes : dict of str to str
        The attributes of the graph that are read.
    node_attributes : dict of str to dict of int to str
        The attributes ``position`` and ``kind`` of the vertices.
    """

    def __init__(self, source: Source, builder: GraphBuilder) -> None:
        self.attributes: dict[str, str] = {}
        self.node_attributes: dict[str, dict[int, str]] = {"position": {}, "kind": {}}
        self._source = source
        self._builder = builder
        self._text = source.read_text()
        self._tokens = self._scan()
        self._kind, self._word, self._offset = next(self._tokens)
        self._named: dict[tuple[object, ...], dict[int, None]] = {}
        self._edges_left = len(self._text) + _MOST_GROUPED
        self._pairs: set[tuple[int, int]] | None = None

    def parse(self) -> None:
        """Parse the whole text.

        Raises
        ------
        ParseError
        UndirectedGraphError
        LimitError
        """
        self._header()
        self._scopes = [_Scope(None)]
        while self._scopes:
            scope = self._scopes[-1]
            if scope.chain:
                self._endpoint()
            elif self._kind == "edge":
                self._plain_edge(scope)
            elif self._accept("}"):
                self._close()
            elif not self._accept(";"):
                self._statement(scope)
        self._accept(";")
        if self._kind != "end":
            raise self._error("text after the graph: expected one graph in the file")

    def _header(self) -> None:
        if self._accept("strict", "keyword"):
            self._pairs = set()
        if self._is_next("graph", "keyword"):
            raise UndirectedGraphError(
                f"{self._place()}: the graph is undirected: moves need a direction, so write digraph and -> for --"
            )
        if not self._accept("digraph", "keyword"):
            raise self._error(f"{self._shown()}: expected digraph")
        if self._kind in _IDENTIFIERS:
            self._identifier()
        self._expect("{")

    def _statement(self, scope: _Scope) -> None:
        if self._starts_group():
            self._endpoint()
            return
        if self._kind == "keyword":
            self._defaults(scope)
            return
        offset = self._offset
        name = self._identifier()
        if self._accept("="):
            self._graph_attributes()[name] = self._identifier()
        else:
            self._vertices(name, offset)

    def _defaults(self, scope: _Scope) -> None:
        keyword = self._word
        chosen = {"node": scope.node, "edge": scope.edge, "graph": self._graph_attributes()}.get(keyword)
        if chosen is None:
            raise self._error(f"{keyword} is a keyword: a vertex of this name needs quotes")
        self._advance()
        if not self._is_next("["):
            raise self._error(f"{self._shown()}: expected [ after {keyword}: a vertex of this name needs quotes")
        chosen.update(self._attributes())

    def _graph_attributes(self) -> dict[str, str]:
        """Return where to put attributes of the graph; those of a subgraph are forgotten."""
        return self.attributes if len(self._scopes) == 1 else {}

    def _plain_edge(self, scope: _Scope) -> None:
        tail, head = map(self._known, self._word.split())
        self._add_edges([tail], [head], self._multiplicity(scope.edge, self._offset))
        self._advance()

    def _starts_group(self) -> bool:
        return self._is_next("{") or self._is_next("subgraph", "keyword")

    def _endpoint(self) -> None:
        """Parse a vertex or a group, where one must stand."""
        if self._starts_group():
            name = None
            if self._accept("subgraph", "keyword") and self._kind in _IDENTIFIERS:
                name = self._identifier()
            self._expect("{")
            if len(self._scopes) == _DEEPEST:
                raise self._error(f"groups nested more than {_DEEPEST} deep")
            self._scopes.append(_Scope(self._scopes[-1], name))
        else:
            offset = self._offset
            self._vertices(self._identifier(), offset)

    def _close(self) -> None:
        closed = self._scopes.pop()
        members = closed.members
        if not self._scopes:
            return
        parent = self._scopes[-1]
        parent.members.update(members)
        if isinstance(closed.path[-1], str):
            members = self._named.setdefault(closed.path, {})
            members.update(closed.members)
        if parent.chain or self._kind == "arrow":
            self._link(list(members), self._offset)
        else:
            self._attributes()

    def _vertices(self, name: str, offset: int) -> None:
        """Parse the rest of a list of vertices after the first name."""
        vertices = [self._vertex(name)]
        while self._accept(","):
            vertices.append(self._vertex(self._identifier()))
        attributes = self._link(vertices, offset)
        if attributes:
            for vertex in vertices:
                self._describe(vertex, attributes)

    def _vertex(self, name: str) -> int:
        while self._accept(":"):
            self._identifier()
        return self._known(name)

    def _known(self, name: str) -> int:
        """Return the number of a vertex, which is now in the innermost group."""
        scope = self._scopes[-1]
        known = len(self._builder.numbers)
        vertex = self._builder.vertex(name)
        scope.members[vertex] = None
        if vertex == known and scope.node:
            self._describe(vertex, scope.node)
        return vertex

    def _describe(self, vertex: int, attributes: dict[str, str]) -> None:
        for name, values in self.node_attributes.items():
            if name in attributes:
                values[vertex] = attributes[name]

    def _link(self, vertices: list[int], offset: int) -> dict[str, str] | None:
        """Go on with an edge statement; return the attributes of a statement that has no edge."""
        scope = self._scopes[-1]
        scope.chain.append(vertices)
        if self._kind == "arrow":
            if self._word == "--":
                raise UndirectedGraphError(f"{self._place()}: undirected edge: moves need a direction, so write ->")
            self._advance()
            return None
        chain, scope.chain = scope.chain, []
        attributes = self._attributes()
        if len(chain) == 1:
            return attributes
        multiplicity = self._multiplicity({**scope.edge, **attributes}, offset)
        for tails, heads in pairwise(chain):
            self._add_edges(tails, heads, multiplicity)
        return None

    def _multiplicity(self, attributes: dict[str, str], offset: int) -> int:
        if "multiplicity" not in attributes:
            return 1
        try:
            return multiplicity_of(attributes["multiplicity"])
        except ValueError as error:
            raise error_in_text(self._source, str(error), self._text, offset) from None

    def _add_edges(self, tails: list[int], heads: list[int], multiplicity: int) -> None:
        self._edges_left -= max(len(tails), 1) * max(len(heads), 1)
        if self._edges_left < 0:
            raise LimitError(
                f"{self._place()}: groups of vertices multiply to more than {_MOST_GROUPED} edges: "
                "write a graph of this size as an edge list"
            )
        for pair in ((tail, head) for tail in tails for head in heads):
            if self._pairs is not None:
                if pair in self._pairs:
                    continue
                self._pairs.add(pair)
            self._builder.edge(*pair, multiplicity)

    def _attributes(self) -> dict[str, str]:
        """Parse any number of lists in brackets; return the attributes that matter."""
        attributes: dict[str, str] = {}
        while self._accept("["):
            while not self._accept("]"):
                name = self._identifier()
                value = self._identifier() if self._accept("=") else "true"
                if name in _READ:
                    attributes[name] = value
                if not self._accept(","):
                    self._accept(";")
        return attributes

    def _identifier(self) -> str:
        kind, text = self._kind, self._word
        if kind not in _IDENTIFIERS:
            keyword = " (a keyword is quoted to be one)" if kind == "keyword" else ""
            raise self._error(f"{self._shown()}: expected a name{keyword}")
        self._advance()
        while kind == "string" and self._accept("+"):
            if self._kind != "string":
                raise self._error(f"{self._shown()}: expected a quoted string after +")
            text += self._word
            self._advance()
        return text

    def _is_next(self, word: str, kind: str = "mark") -> bool:
        return self._word == word and self._kind == kind

    def _accept(self, word: str, kind: str = "mark") -> bool:
        found = self._word == word and self._kind == kind
        if found:
            self._advance()
        return found

    def _expect(self, mark: str) -> None:
        if not self._accept(mark):
            raise self._error(f"{self._shown()}: expected {mark}")

    def _advance(self) -> None:
        self._kind, self._word, self._offset = next(self._tokens)

    def _shown(self) -> str:
        return "the text ends" if self._kind == "end" else shorten(self._word)

    def _error(self, message: str) -> ParseError:
        return error_in_text(self._source, message, self._text, self._offset)

    def _place(self) -> str:
        error = self._error("")
        return f"{error.source}:{error.line}:{error.column}"

    def _scan(self) -> Iterator[tuple[str, str, int]]:
        """Yield the kind, the text and the offset of each token; after a semicolon a whole edge is one."""
        text, offset = self._text, 0
        while match := _TOKEN.match(text, offset):
            kind, word, end = match.lastgroup or "", match.group(), match.end()
            if kind == "name" and word.lower() in _KEYWORDS:
                yield "keyword", word.lower(), offset
            elif kind == "string":
                yield kind, _unquoted(word), offset
            elif kind == "html":
                end = self._html_end(offset)
                yield kind, text[offset:end], offset
            elif kind != "skip":
                yield kind, word, offset
            offset = end
            while (
                word == ";"
                and (edge := _PLAIN_EDGE.match(text, offset))
                and _KEYWORDS.isdisjoint(map(str.lower, edge.groups()))
            ):
                yield "edge", " ".join(edge.groups()), edge.start(1)
                offset = edge.end()
        if offset < len(text):
            raise error_in_text(self._source, _explain(text, offset), text, offset)
        while True:
            yield "end", "", len(text)

    def _html_end(self, start: int) -> int:
        depth = 0
        for match in _BRACKET.finditer(self._text, start):
            depth += 1 if match.group() == "<" else -1
            if depth == 0:
                return match.end()
        raise error_in_text(self._source, "< without its >: expected an HTML-like string", self._text, start)


def _unquoted(text: str) -> str:
    """Return what a quoted string means: a quote may be escaped, and a line continued."""
    inner = text[1:-1]
    if "\\" not in inner:
        return inner
    return _STRING_ESCAPE.sub(lambda match: {"\\": "\\\\", '"': '"'}.get(match.group(1), ""), inner)


def _explain(text: str, offset: int) -> str:
    if text[offset] == '"':
        return "a string without its closing quote"
    if text.startswith("/*", offset):
        return "a comment without its */"
    word = re.compile(r"[^\s\[\]{};,=\"]*").match(text, offset)
    shown = word.group() if word and word.group() else text[offset]
    return f"{shorten(shown)} is not a name of DOT: put it in quotes"
