"""Relations between two numbers, such as ``b <= 3a``: which moves a game allows."""

from __future__ import annotations

import re
from operator import eq, ge, gt, le, lt, ne
from typing import NamedTuple

from graphgame.errors import ParseError

_HOLDS = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "!=": ne}


_RELATION = re.compile(
    r"\s*(?P<left>[a-z])\s*(?P<sign><=?|>=?|!?=)\s*(?P<times>\d{0,4})\s*(?P<right>[a-z])\s*(?:\+\s*(?P<plus>\d{1,9})\s*)?"
)


class Relation(NamedTuple):
    """A relation ``number SIGN times other + plus``.

    Examples
    --------
    >>> rule = Relation.from_text("b <= 3a", "b", "a")
    >>> rule.holds(6, 2), rule.holds(7, 2), str(rule)
    (True, False, 'b <= 3a')
    """

    left: str
    sign: str
    times: int
    right: str
    plus: int = 0

    @classmethod
    def from_text(cls, text: str, left: str, right: str) -> Relation:
        """Read a relation between two letters; say the column, from 1, where it is none."""
        match = _RELATION.fullmatch(text)
        if match is None or (match["left"], match["right"]) != (left, right) or match["times"] == "0":
            raise ParseError(
                "expected a relation such as {left} <= 3{right} or {left} != {right}", left, right, column=1
            )
        return cls(left, match["sign"], int(match["times"] or 1), right, int(match["plus"] or 0))

    def __str__(self) -> str:
        times, plus = self.times if self.times > 1 else "", f" + {self.plus}" if self.plus else ""
        return f"{self.left} {self.sign} {times}{self.right}{plus}"

    def statement(self, number: str, other: str) -> str:
        """Return it as a statement about two terms.

        >>> Relation.from_text("b <= 3a", "b", "a").statement("y", "x")
        'y <= 3*x'
        """
        times, plus = f"{self.times}*" if self.times > 1 else "", f" + {self.plus}" if self.plus else ""
        return f"{number} {self.sign} {times}{other}{plus}"

    def holds(self, number: int, other: int) -> bool:
        """Tell whether it holds between two numbers."""
        return bool(_HOLDS[self.sign](number, self.times * other + self.plus))
