"""The tokens of a text in DOT, one at a time, with errors that have a place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphgame.errors import GraphGameError, Message, ParseError, UndirectedGraphError, shorten
from graphgame.io.source import Source
from graphgame.io.text import BLOCK, items_of

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
_PLAIN_STATEMENT = rf"""
    \s*+ ({_PLAIN_NAME}) (?: \s*+->\s*+ ({_PLAIN_NAME}) )?
    (?: \s*+\[
        (?: \s*+ (?: position\s*+=\s*+ ({_PLAIN_NAME})
                   | kind\s*+=\s*+ ({_PLAIN_NAME})
                   | multiplicity\s*+=\s*+ "?([1-9][0-9]{{0,17}})(?!\w)"?
                   | (?! (?: position | kind | multiplicity ) \b ) [A-Za-z_]\w*+ \s*+=\s*+ {_PLAIN_NAME} )
            \s*+[,;]?+ )*+
        \s*+\] )?
    (?: \s*+; | \s++(?=[\w}}"]) | (?=}}) )
    """
_BRACKET = re.compile("[<>]")
_ESCAPE = re.compile(r'\\(\\|"|\r?\n)')
_REPORT_EVERY = 1 << 16


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

    def plain_statements(self) -> Iterator[list[list[str | None]]]:
        """Go past vertices and edges between two names here, and yield them in blocks, five lists of parts each.

        The parts are a name, the name at the end of an edge, and the attributes position, kind and multiplicity; None
        where one is not there. Large graphs come as such statements, and one search for all parts of a statement takes
        a tenth of the time of going from token to token.
        """
        end = self.start
        while True:
            begin = end
            stop = self._whole.rfind(";", end, end + BLOCK) + 1
            block = items_of(self._plain, self._whole[end:stop]) if end >= self._mixed_until else None
            if block:
                end = stop
            else:  # a block with something else in it: statement by statement, as far as they are plain
                self._mixed_until = max(self._mixed_until, end + BLOCK)
                block = []
                while end < self._mixed_until and (match := self._plain.match(self._whole, end)):
                    block += match.groups()
                    end = match.end()
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
            return self.undirected(Message("undirected edge: moves need a direction, so write ->"))
        if self.keyword:
            return self.error(Message("{keyword} is a keyword: a vertex of this name needs quotes", self.keyword))
        return self.error(
            Message(
                "{text}: expected {expected}", shorten(self.text) if self.text else Message("the text ends"), expected
            )
        )

    def error(self, message: str, start: int | None = None) -> ParseError:
        """Return an error at this token, or at an offset."""
        return self._source.error_in_text(message, self._whole, self.start if start is None else start)

    def undirected(self, message: str) -> UndirectedGraphError:
        """Return an error at this token, which makes the graph undirected."""
        error = self.error(message)
        place = f"{error.source}:{error.line}:{error.column}"
        return UndirectedGraphError(Message("{place}: {fault}", place, message))

    def count(self, end: int | None = None) -> None:
        """Count a statement, and report now and then how far the text is read."""
        self._read += 1
        if self._read % _REPORT_EVERY == 0:
            self._source.report(self.start if end is None else end, len(self._whole))

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
    return _ESCAPE.sub(lambda match: {"\\": match[0], '"': '"'}.get(match[1], ""), text[1:-1])
