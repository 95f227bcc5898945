"""Text of DOT on its way into pydot: what pydot would misread is quoted or refused; what it refuses gets a place."""

from __future__ import annotations

import copy
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from graphgame.errors import LimitError, ParseError, UndirectedGraphError, shorten
from graphgame.io.files import Source

if TYPE_CHECKING:
    import pydot
    from pyparsing import ParserElement

__all__ = ["html_end", "parse"]

_TOKEN = re.compile(
    r"""
      (?P<skip>   \s+ | //[^\n]* | /\*.*?\*/ | (?<!\S)\#[^\n]* )
    | (?P<word>   -?[^\s"<>{}\[\];,=:+/#-]+ )
    | (?P<string> "[^"\\]*(?:\\.[^"\\]*)*" )
    | (?P<mark>   -[->] | [{}\[\];,=:+] )
    | (?P<html>   < )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_NAME = re.compile(r"[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)", re.ASCII)
_UNCLEAR_END_OF_LINE = re.compile(r"\\\\\r?\n")
_BRACKET = re.compile("[<>]")
_KEYWORDS = frozenset({"strict", "graph", "digraph", "subgraph", "node", "edge"})
_DEFAULTS = frozenset({"graph", "node", "edge"})
_ARGUMENTS = frozenset({"name", "src", "dst", "self", "obj_dict"})
_EXPECTED = {
    "lbrace": "{",
    "rbrace": "} or a statement",
    "graph_stmt": "} or a statement",
    "rbrack": "]",
    "edge_point": "a name or a group",
    "righthand_id": "a value",
    "double_quoted": "a quoted string",
}
_MOST_WORDS = 200_000
_REPEATS_A_WORD = 1000


class _Token(NamedTuple):
    kind: str
    text: str
    offset: int

    @property
    def keyword(self) -> str:
        """The keyword that this is, or nothing."""
        word = self.text.lower() if self.kind == "word" else ""
        return word if word in _KEYWORDS else ""


def parse(source: Source, text: str) -> pydot.Dot:
    """Return the one directed graph of a text.

    Parameters
    ----------
    source : Source
        The file, for errors.
    text : str

    Returns
    -------
    pydot.Dot

    Raises
    ------
    ParseError
        The text is not DOT that pydot reads, or holds several graphs.
    UndirectedGraphError
        The graph is undirected.
    LimitError
        pydot would take more than about a minute.

    Notes
    -----
    pydot takes about 0.2 ms a word or mark, tries a group up to four times, and looks at all earlier statements of a
    vertex for each further one.

    Examples
    --------
    >>> parse(Source(b""), "digraph { a -> b }").get_edges()[0].get_source()
    'a'
    """
    check = _Check(source, text)
    check.run()
    grammar, readable = _grammar(), check.readable()
    from pyparsing import ParseException

    try:
        (graph,) = grammar.parse_string(readable, parse_all=True)
    except ParseException:
        offset, expected = _furthest(grammar, readable)
        raise check.refusal(offset, expected) from None
    return graph  # type: ignore[no-any-return]


def html_end(text: str, start: int = 0) -> int:
    """Return where the HTML-like string that begins at ``start`` ends, or 0 where it does not.

    Examples
    --------
    >>> html_end("<<b>x</b>>:port")
    10
    """
    depth = 0
    for match in _BRACKET.finditer(text, start):
        depth += 1 if match.group() == "<" else -1
        if depth == 0:
            return match.end()
    return 0


def _grammar() -> ParserElement:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # pydot calls pyparsing by its old names
        from pydot.dot_parser import GraphParser
    return GraphParser.parser


def _furthest(grammar: ParserElement, text: str) -> tuple[int, str]:
    """Return the furthest place that the grammar reaches, where its own error names the statement's start."""
    from pyparsing import ParseBaseException

    furthest = ParseBaseException(text)

    def note(_text: str, _start: int, _element: ParserElement, error: Exception) -> None:
        nonlocal furthest
        if isinstance(error, ParseBaseException) and error.loc >= furthest.loc:
            furthest = error

    grammar = copy.deepcopy(grammar)
    for element in grammar.visit_all():  # type: ignore[no-untyped-call]
        element.set_parse_action(None).set_fail_action(note)
    try:
        grammar.parse_string(text, parse_all=True)
    except ParseBaseException as error:
        note("", 0, grammar, error)
    return furthest.loc, _EXPECTED.get(furthest.msg.removeprefix("Expected "), "a name")


class _Check:
    """Goes over the tokens of a text, and rewrites or refuses what pydot would not read right, or not in time."""

    def __init__(self, source: Source, text: str) -> None:
        self._source = source
        self._text = text
        self._depth = 0
        self._in_list = False
        self._closed = False
        self._work = 0.0
        self._statements: Counter[str] = Counter()
        self._edits: list[tuple[_Token, str]] = []

    def run(self) -> None:
        tokens = self._tokens()
        before, token = self._header(tokens)
        for after in tokens:
            self._check(before, token, after)
            before, token = token, after

    def readable(self) -> str:
        """Return the text as pydot reads it right."""
        parts, end = [], 0
        for token, text in self._edits:
            parts += [self._text[end : token.offset], text]
            end = token.offset + len(token.text)
        return "".join([*parts, self._text[end:]])

    def refusal(self, offset: int, expected: str) -> ParseError:
        """Return the error at an offset of the readable text."""
        for token, text in self._edits:
            if token.offset >= offset:
                break
            offset -= len(text) - len(token.text)
        match = _TOKEN.match(self._text, offset)
        shown = shorten(match.group() if match else self._text[offset:][:1]) if self._text[offset:] else "the text ends"
        return self._error_at(offset, f"{shown}: expected {expected}")

    def _header(self, tokens: Iterator[_Token]) -> tuple[_Token, _Token]:
        token = next(tokens)
        if token.keyword == "strict":
            token = next(tokens)
        if token.keyword == "graph":
            raise UndirectedGraphError(
                f"{self._place(token)}: the graph is undirected: moves need a direction, so write digraph and -> for --"
            )
        if token.keyword != "digraph":
            raise self._error(token, f"{_shown(token)}: expected digraph")
        return token, next(tokens)

    def _check(self, before: _Token, token: _Token, after: _Token) -> None:
        if self._closed and token.kind != "end" and token.text != ";":
            raise self._error(token, "text after the graph: expected one graph in the file")
        if before.keyword == "subgraph" and token.text != "{" and (token.kind == "mark" or after.text != "{"):
            raise self._error(token, f"{_shown(token)}: expected {{, or a name and {{, after subgraph")
        self._work += 4 ** max(self._depth - 1, 0)
        if token.kind == "word":
            self._check_word(before, token, after)
        elif token.kind == "string" and _UNCLEAR_END_OF_LINE.search(token.text):
            raise self._error(token, "a string with two backslashes before the end of a line: write it on one line")
        elif token.kind == "mark":
            self._check_mark(before, token)
        if self._work > _MOST_WORDS:
            raise LimitError(
                f"{self._place(token)}: too large for pydot, which reads about {_MOST_WORDS} words and marks a minute, "
                "and those in groups several times: write a graph of this size as an edge list"
            )

    def _check_word(self, before: _Token, token: _Token, after: _Token) -> None:
        word = token.text
        value = before.text == "="
        if not _NAME.fullmatch(word):
            raise self._error(token, f"{shorten(word)} is not a name of DOT: put it in quotes")
        if before.text == "+":
            raise self._error(token, f"{shorten(word)}: expected a quoted string after +")
        if token.keyword and not self._keyword_fits(before, token.keyword, after):
            raise self._error(token, f"{token.keyword} is a keyword: a vertex of this name needs quotes")
        if not word.isascii() or (not value and self._is_misread(token, after)):
            self._edits.append((token, f'"{word}"'))
        if not self._in_list and before.text != "->" and after.text not in ("->", "="):
            self._work += self._statements[word] / _REPEATS_A_WORD
            self._statements[word] += 1

    def _is_misread(self, token: _Token, after: _Token) -> bool:
        """Whether pydot does not take a word for the name that it is."""
        if self._in_list:
            return token.text in _ARGUMENTS
        prefixed = not token.keyword and token.text.lower().startswith("subgraph")
        return token.text.startswith("-") or (prefixed and after.text == "{")

    def _keyword_fits(self, before: _Token, keyword: str, after: _Token) -> bool:
        if self._in_list or before.text in ("=", ":"):
            return False
        if keyword in _DEFAULTS:
            return before.text != "->" and after.text == "["
        return keyword == "subgraph" != before.keyword

    def _check_mark(self, before: _Token, token: _Token) -> None:
        mark = token.text
        if mark == "--":
            raise UndirectedGraphError(f"{self._place(token)}: undirected edge: moves need a direction, so write ->")
        if mark == "," and not self._in_list:
            raise self._error(token, "',' between vertices is not read by pydot: write a group, {a b}")
        if mark in ("->", "[") and before.text == ";":
            raise self._error(token, f"{_shown(token)}: expected a statement after ;")
        if mark == ";" and self._in_list:
            self._edits.append((token, ","))
        if mark in "[]":
            self._in_list = mark == "["
        elif mark in "{}":
            self._depth += 1 if mark == "{" else -1
            self._closed = self._depth <= 0

    def _tokens(self) -> Iterator[_Token]:
        """Yield the tokens, and then the end of the text twice."""
        text, offset = self._text, 0
        while match := _TOKEN.match(text, offset):
            kind, end = match.lastgroup or "", match.end()
            if kind == "html":
                end = html_end(text, offset)
                if not end:
                    raise self._error_at(offset, "< without its >: expected an HTML-like string")
            if kind != "skip":
                yield _Token(kind, text[offset:end], offset)
            offset = end
        if offset < len(text):
            raise self._error_at(offset, _explain(text, offset))
        yield _Token("end", "", offset)
        yield _Token("end", "", offset)

    def _error(self, token: _Token, message: str) -> ParseError:
        return self._error_at(token.offset, message)

    def _error_at(self, offset: int, message: str) -> ParseError:
        return self._source.error_in_text(message, self._text, offset)

    def _place(self, token: _Token) -> str:
        error = self._error(token, "")
        return f"{error.source}:{error.line}:{error.column}"


def _shown(token: _Token) -> str:
    return "the text ends" if token.kind == "end" else shorten(token.text)


def _explain(text: str, offset: int) -> str:
    if text[offset] == '"':
        return "a string without its closing quote"
    if text.startswith("/*", offset):
        return "a comment without its */"
    return f"{shorten(text[offset])} is not a part of DOT outside quotes"
