"""Subtraction games: heaps from which one may take only certain numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from graphgame.errors import ParseError
from graphgame.games.periodic import Periodic
from graphgame.rules.parsing import ranges
from graphgame.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from graphgame.heaps import HeapGame, PeriodCertificate

__all__ = ["Subtraction"]

_LARGEST = 10**6
_MOST_AMOUNTS = 1000
_RULES = ("odd", "even", "any")


class Subtraction(Periodic):
    """A subtraction game: take a number from one heap that the subtraction set allows.

    ``take{1,3,4}(10)`` allows 1, 3 and 4; ``take{odd}``, ``take{even}`` and ``take{any}`` allow what they say;
    ``take{not 2,3}`` or ``take{all but 2,3}`` allows all but 2 and 3; ``take{1..5}`` allows 1 to 5.

    Parameters
    ----------
    amounts : collection of int or {"odd", "even", "any"}
        What one may take, each at least 1.
    excluded : collection of int
        What one may not take.

    Notes
    -----
    A finite subtraction set has a periodic sequence of values (pigeonhole on windows of the largest amount).

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 4.

    Examples
    --------
    >>> list(Subtraction([1, 3, 4]).options(3))
    [2, 0]
    >>> list(Subtraction("odd").options(4))
    [3, 1]
    """

    def __init__(self, amounts: Collection[int] | str = "any", excluded: Collection[int] = ()) -> None:
        if isinstance(amounts, str) and amounts not in _RULES:
            raise ValueError(f"unknown rule {amounts!r}: expected one of {', '.join(_RULES)}, or a set of numbers")
        if any(amount < 1 for amount in (*excluded, *(() if isinstance(amounts, str) else amounts))):
            raise ValueError("one may take only positive numbers: expected 1 or more")
        self.largest = _LARGEST if isinstance(amounts, str) else None
        self.amounts = amounts if isinstance(amounts, str) else sorted(set(amounts) - set(excluded))
        self.excluded = frozenset(excluded if isinstance(amounts, str) else ())
        listed = amounts if isinstance(amounts, str) else ",".join(map(str, self.amounts))
        if self.excluded:
            but = f"not {','.join(map(str, sorted(self.excluded)))}"
            listed = but if amounts == "any" else f"{amounts} {but}"
        self.arguments = listed

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for ``1,3,4``, ``1..5``, ``up to 5``, ``odd``, ``even``, ``any``, ``not 2,3``."""
        rule = text.strip()
        if not rule:
            raise ParseError("expected what one may take, such as 1,3,4 or odd", column=1)
        if rule in _RULES:
            return cls(rule)
        if found := re.search(r"(?:not|all but)\s", text):
            allowed = text[: found.start()].strip()
            if allowed in ("", *_RULES):
                return cls(allowed or "any", _amounts(text[found.end() :], found.end()))
        if found := re.match(r"\s*up to\s", text):
            most = _amounts(text[found.end() :], found.end())
            if len(most) > 1:
                raise ParseError("expected one number after up to", column=found.end() + 1)
            return cls(range(1, most[0] + 1))
        return cls(_amounts(text, 0))

    def options(self, position: int) -> Iterator[int]:
        """Return what the heap may become."""
        return (position - amount for amount in self._allowed(position))

    def _allowed(self, heap: int) -> Iterable[int]:
        if not isinstance(self.amounts, str):
            return takewhile(lambda amount: amount <= heap, self.amounts)
        first, step = {"odd": (1, 2), "even": (2, 2), "any": (1, 1)}[self.amounts]
        return (amount for amount in range(first, heap + 1, step) if amount not in self.excluded)

    def closed_form(self, position: int) -> int | None:
        """Return the value: of odd n mod 2, of even n // 2, of any n, of 1..k n mod (k + 1), else by the period."""
        if not isinstance(self.amounts, str):
            most = self.amounts[-1] if self.amounts else 0
            return position % (most + 1) if len(self.amounts) == most else super().closed_form(position)
        if self.excluded:
            return super().closed_form(position)
        return {"odd": position % 2, "even": position // 2, "any": position}[self.amounts]

    def options_of_value(self, position: int, value: int) -> Iterable[Hashable]:
        """Return the options of this value; where most amounts are allowed, without trying them all."""
        if self.certificate is not None and self.certificate.saltus:
            heaps = _heaps_of_value(self.certificate, value)
            return [heap for heap in heaps if heap < position and position - heap not in self.excluded]
        if self.excluded or not isinstance(self.amounts, str):
            return super().options_of_value(position, value)
        if self.amounts == "odd":
            return range(position - 1, -1, -2) if value == 1 - position % 2 else ()
        heap = value if self.amounts == "any" else 2 * value + position % 2
        return (heap,) if heap < position else ()

    def heap_game(self) -> HeapGame | None:
        """Return the game for its values, unless more may be taken than a proof could look at."""
        from graphgame import heaps

        if not isinstance(self.amounts, str) and len(self.amounts) > _MOST_AMOUNTS:
            return None
        return heaps.subtraction(self.amounts, self.excluded)


def _heaps_of_value(found: PeriodCertificate, value: int) -> Iterator[int]:
    """Yield the finitely many heaps of a value, where the values grow with each period."""
    for heap, first in enumerate(found.values):
        periods, rest = divmod(value - first, found.saltus)
        if heap < found.preperiod:
            if first == value:
                yield heap
        elif not rest and periods >= 0:
            yield heap + periods * found.period


def _amounts(text: str, start: int) -> list[int]:
    return ranges(text, start, what="what one may take", least=1, most=10**6)
