"""Expressions of nim arithmetic: a text and the number that it stands for.

::

    sum     = product { "+" product }
    product = power { ("*" | "/") power }
    power   = atom [ "^" [ "-" ] integer ]          the exponent is an ordinary integer
    atom    = integer | "(" sum ")" | "sqrt" "(" sum ")"
"""

from __future__ import annotations

import re

from graphgame.errors import LimitError, ParseError
from graphgame.theory.nimbers import nim_inverse, nim_power, nim_product, nim_square_root

__all__ = ["nim_evaluate"]

_TOKEN = re.compile(r"\s*(?:(?P<integer>[0-9]+)|(?P<root>sqrt\b)|(?P<sign>[-+*/^()])|$)")
_MOST_DIGITS = 2000
_DEEPEST = 100


def nim_evaluate(text: str) -> int:
    """Return the number that an expression stands for.

    Parameters
    ----------
    text : str
        Non-negative integers with ``+``, ``*``, ``/``, ``^``, ``sqrt()`` and parentheses. ``+`` is xor; ``^`` binds
        closest, and its exponent is an ordinary integer.

    Raises
    ------
    ParseError
        It is no expression, or divides by 0; points at the place.
    LimitError
        A number is too large.

    Examples
    --------
    >>> nim_evaluate("4*4 + 19*23"), nim_evaluate("sqrt(2)^2"), nim_evaluate("1/(2 + 5)")
    (80, 2, 11)
    """
    return _Expression(text).value()


class _Expression:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = self._depth = 0
        self._read()

    def value(self) -> int:
        total = self._sum()
        if self._token:
            raise self._error("expected +, *, /, ^ or the end")
        return total

    def _read(self) -> None:
        """Go to the next token; the empty one stands at the end."""
        match = _TOKEN.match(self._text, self._place)
        if match is None:
            rest = self._text[self._place :]
            self._start = self._place + len(rest) - len(rest.lstrip())
            raise self._error("expected a number, +, *, /, ^, sqrt or a parenthesis")
        self._token: str = match[match.lastgroup] if match.lastgroup else ""
        self._start = match.start(match.lastgroup or 0)
        self._place = match.end()

    def _take(self, *tokens: str) -> str:
        """Go past one of some tokens and return it; the empty text where another stands here."""
        token = self._token
        if not token or token not in tokens:
            return ""
        self._read()
        return token

    def _sum(self) -> int:
        total = self._product()
        while self._take("+"):
            total ^= self._product()
        return total

    def _product(self) -> int:
        total = self._power()
        while sign := self._take("*", "/"):
            start = self._start
            factor = self._power()
            if sign == "/" and factor == 0:
                raise self._error("division by 0", start)
            total = nim_product(total, nim_inverse(factor) if sign == "/" else factor)
        return total

    def _power(self) -> int:
        base = self._atom()
        if not self._take("^"):
            return base
        start = self._start
        exponent = -self._integer() if self._take("-") else self._integer()
        if base == 0 and exponent < 0:
            raise self._error("division by 0: a negative power of 0", start)
        return nim_power(base, exponent)

    def _atom(self) -> int:
        if self._take("sqrt"):
            return nim_square_root(self._parenthesis())
        return self._parenthesis() if self._token == "(" else self._integer()

    def _parenthesis(self) -> int:
        if self._depth == _DEEPEST:
            raise LimitError(f"parentheses within parentheses: at most {_DEEPEST} deep")
        if not self._take("("):
            raise self._error("expected (")
        self._depth += 1
        total = self._sum()
        self._depth -= 1
        if not self._take(")"):
            raise self._error("expected )")
        return total

    def _integer(self) -> int:
        token = self._token
        if not token.isdecimal():
            raise self._error("expected a number")
        if len(token) > _MOST_DIGITS:
            raise LimitError(f"a number of {len(token)} digits is too large: at most {_MOST_DIGITS}")
        self._read()
        return int(token)

    def _error(self, message: str, start: int | None = None) -> ParseError:
        place = self._start if start is None else start
        return ParseError(message, line=1, column=place + 1, text=self._text)
