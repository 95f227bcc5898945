"""Expressions of nim arithmetic: a text and the number that it stands for.

::

    sum     = product { ("+" | "^" | "xor") product }   three signs for the same operation
    product = power { ("*" | "/") power }
    power   = atom [ "**" [ "-" ] integer ]             the exponent is one ordinary integer: no a**b**c
    atom    = [ "*" ] integer | "(" sum ")" | "sqrt" "(" sum ")" | "mex" ( "{" list "}" | "(" list ")" )
    list    = [ sum { "," sum } ]

Before a number, where no operation can stand, ``*`` is the sign of a nimber: ``*3 + *5`` is ``3 + 5``.

The signs and their precedence are those of Python: ``**`` binds closest, then ``*`` and ``/``, then ``+`` and ``^``.
``^`` is xor and never a power, as in :mod:`graphgame.theory.laws.expressions`.
"""

from __future__ import annotations

import re

from graphgame.errors import LimitError, Message, ParseError
from graphgame.theory.nimbers import nim_inverse, nim_power, nim_product, nim_square_root

__all__ = ["nim_evaluate", "nim_latex"]

_TOKEN = re.compile(r"\s*(?:(?P<integer>[0-9]+)|(?P<word>(?:sqrt|mex|xor)\b)|(?P<sign>\*\*|[-+*/^(){},])|$)")
_XOR = ("+", "^", "xor")
_LATEX = {
    **dict.fromkeys(_XOR, r" \oplus "),
    "*": r" \otimes ",
    "sqrt": r"\operatorname{sqrt}",
    "mex": r"\operatorname{mex}",
    "{": r"\{",
    "}": r"\}",
    ",": ", ",
}
_NUMBER = Message("expected a number")
_MOST_DIGITS = 2000
_DEEPEST = 100


def nim_evaluate(text: str) -> int:
    """Return the number that an expression stands for.

    Parameters
    ----------
    text : str
        Non-negative integers with ``+``, ``*``, ``/``, ``**``, ``sqrt()``, ``mex{}`` and parentheses. ``+``, ``^`` and
        ``xor`` all mean xor. ``**`` is the nim power: it binds closest, and its exponent is one ordinary integer, so
        that a power of a power is ``(a**b)**c``.

    Raises
    ------
    ParseError
        It is no expression, or divides by 0; points at the place.
    LimitError
        A number is too large.

    Examples
    --------
    >>> nim_evaluate("4*4 + 19*23"), nim_evaluate("sqrt(2)**2"), nim_evaluate("1/(2 + 5)")
    (80, 2, 11)
    >>> nim_evaluate("14 ^ 21"), nim_evaluate("mex{0, 1, 2*3, 4}"), nim_evaluate("*3 + *5")
    (27, 2, 6)
    """
    return _Expression(text).value()


def nim_latex(text: str) -> str:
    r"""Return an expression in LaTeX, for a formula.

    Examples
    --------
    >>> print(nim_latex("2*3 ^ sqrt(6)**-1"))
    2 \otimes 3 \oplus \operatorname{sqrt}(6)^{-1}
    """
    powers = re.sub(r"\s*\*\*\s*(-?)\s*([0-9]+)", r"^<\1\2>", " ".join(text.split()).replace("^", "xor"))
    powers = re.sub(r"(?:^|(?<=[+*/(,{r]))\s*\*\s*(?=[0-9])", r"\\ast ", powers)
    signs = re.sub(r"\s*(xor|sqrt|mex|[-+*,{}])\s*", lambda match: _LATEX.get(match[1], match[1]), powers)
    return re.sub(r"\^<(.*?)>", r"^{\1}", signs)


class _Expression:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = self._depth = 0
        self._read()

    def value(self) -> int:
        total = self._sum()
        if self._token:
            raise self._error("expected +, *, /, ^, ** or the end")
        return total

    def _read(self) -> None:
        """Go to the next token; the empty one stands at the end."""
        match = _TOKEN.match(self._text, self._place)
        if match is None:
            rest = self._text[self._place :]
            self._start = self._place + len(rest) - len(rest.lstrip())
            raise self._error("expected a number, +, *, /, ^, **, xor, sqrt, mex or a parenthesis")
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
        while self._take(*_XOR):
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
        if not self._take("**"):
            return base
        start = self._start
        sign = -1 if self._take("-") else 1
        exponent = sign * self._integer(Message("expected an integer as the exponent"))
        if self._token == "**":
            raise self._error("an exponent is one integer: a power of a power is written (a**b)**c")
        if base == 0 and exponent < 0:
            raise self._error("division by 0: a negative power of 0", start)
        return nim_power(base, exponent)

    def _atom(self) -> int:
        if self._take("*"):
            return self._integer()
        if self._take("sqrt"):
            return nim_square_root(self._bracket("()"))
        if self._take("mex"):
            values: set[int] = set()
            self._bracket("{}" if self._token == "{" else "()", values)
            return next(number for number in range(len(values) + 1) if number not in values)
        return self._bracket("()") if self._token == "(" else self._integer()

    def _bracket(self, signs: str, values: set[int] | None = None) -> int:
        """Return the sum within brackets; where there are values, add any number of sums to them."""
        if self._depth == _DEEPEST:
            raise LimitError("parentheses within parentheses: at most {most} deep", _DEEPEST)
        opening, closing = signs[0], signs[1]
        if not self._take(opening):
            raise self._error(Message("expected {opening}", opening) if values is None else Message("expected { or ("))
        if values is not None and self._take(closing):
            return 0
        self._depth += 1
        total = self._sum()
        if values is not None:
            values.add(total)
            while self._take(","):
                values.add(self._sum())
        self._depth -= 1
        if not self._take(closing):
            raise self._error(
                Message("expected {closing}", closing)
                if values is None
                else Message("expected , or {closing}", closing)
            )
        return total

    def _integer(self, expected: str = _NUMBER) -> int:
        token = self._token
        if not token.isdecimal():
            raise self._error(expected)
        if len(token) > _MOST_DIGITS:
            raise LimitError("a number of {count} digits is too large: at most {most}", len(token), _MOST_DIGITS)
        self._read()
        return int(token)

    def _error(self, message: str, start: int | None = None) -> ParseError:
        place = self._start if start is None else start
        return ParseError(message, line=1, column=place + 1, text=self._text)
