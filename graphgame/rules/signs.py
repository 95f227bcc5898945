"""The signs of compounds in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphgame.errors import Message, ParseError

_SIGN_OR_BRACKET = re.compile(r"&&|&|\|\||\||:|[(){}]")
_MOST = 100  # positions of the explicit graph are as long
_ENDED = re.compile(r"(?:^|[)\s&|:]|(?:^|[\s&|:])\*\d+)$")


def split_compound(text: str) -> tuple[str, list[tuple[str, int]]]:
    """Split a text at the sign of a compound outside brackets; return the sign, and the parts with their places from 0.

    A sign stands after a parenthesis, a space or a nim-heap: elsewhere it belongs to the name of a file or a position.
    It is empty where there is none.

    Examples
    --------
    >>> split_compound("nim(3)&nim(5)")
    ('&', [('nim(3)', 0), ('nim(5)', 7)])
    """
    sign, start = "", 0
    parts: list[tuple[str, int]] = []
    for match in _signs(text):
        if sign and match[0] != sign:
            message = Message(
                "{sign} and {match} side by side: put the components of one of them in parentheses", sign, match[0]
            )
            raise ParseError(message, column=match.start() + 1)
        sign = match[0]
        if len(parts) == _MOST - 1:
            raise ParseError("a compound of more than {most} components", _MOST, column=match.start() + 1)
        parts.append((text[start : match.start()], start))
        start = match.end()
    return sign, [*parts, (text[start:], start)]


def _signs(text: str) -> Iterator[re.Match[str]]:
    depth = last = 0
    for match in _SIGN_OR_BRACKET.finditer(text):
        if match[0] in "(){}":
            depth += 1 if match[0] in "({" else -1
        elif depth <= 0 and _ENDED.search(text, last, match.start()):
            yield match
        last = match.end() - 1
