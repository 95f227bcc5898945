"""Values of games in which play need not end: what stands beside the Grundy values in a graph with cycles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = ["Loopy", "Outcome", "ValueCodes", "outcome_of", "parse_value", "value_key"]

Outcome = Literal["P", "N", "D"]

_INFINITE = re.compile(r"inf\(\s*([0-9]{1,10}(?:\s*,\s*[0-9]{1,10})*)?\s*\)")
_LARGEST = 2**31 - 1
_FIRST_CODE = -2


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Loopy:
    """An infinite value, inf(K), where K is the set of the finite values among the options.

    In a sum it absorbs: inf(K) + n = inf({k xor n : k in K}), and two infinite values have the sum inf(). A position
    with this value is an N-position if 0 is in K, else a draw.

    Parameters
    ----------
    finite : iterable of int
        The set K.

    References
    ----------
    C. A. B. Smith, Graphs and composite games, Journal of Combinatorial Theory 1 (1966).

    Examples
    --------
    >>> Loopy({2, 0}), Loopy({0, 2}) ^ 3, Loopy({1}) ^ Loopy()
    (inf(0,2), inf(1,3), inf())
    >>> Loopy({0}).outcome, Loopy({1}).outcome
    ('N', 'D')
    """

    finite: frozenset[int]

    def __init__(self, finite: Iterable[int] = ()) -> None:
        object.__setattr__(self, "finite", frozenset(finite))

    def __str__(self) -> str:
        return f"inf({','.join(map(str, sorted(self.finite)))})"

    __repr__ = __str__

    def __xor__(self, other: int | Loopy) -> Loopy:
        if isinstance(other, Loopy):
            return Loopy()
        return Loopy(value ^ other for value in self.finite)

    __rxor__ = __xor__

    @property
    def outcome(self) -> Literal["N", "D"]:
        """Who wins: "N" (the next player) or "D" (nobody, play goes on for ever)."""
        return "N" if 0 in self.finite else "D"


def outcome_of(value: int | Loopy) -> Outcome:
    """Return the outcome of a position of this value.

    Examples
    --------
    >>> outcome_of(0), outcome_of(3), outcome_of(Loopy())
    ('P', 'N', 'D')
    """
    if isinstance(value, Loopy):
        return value.outcome
    return "N" if value else "P"


def value_key(value: int | Loopy) -> tuple[bool, list[int]]:
    """Return a key that sorts finite values before infinite ones."""
    return (True, sorted(value.finite)) if isinstance(value, Loopy) else (False, [value])


def parse_value(text: str) -> Loopy | None:
    """Return the infinite value that a text writes, or None where it writes none.

    Examples
    --------
    >>> parse_value("inf(0,2)"), parse_value("inf()"), parse_value("2"), parse_value("inf(-1)")
    (inf(0,2), inf(), None, None)
    """
    found = _INFINITE.fullmatch(text)
    if found is None:
        return None
    finite = [int(number) for number in (found[1] or "").split(",") if number]
    return Loopy(finite) if max(finite, default=0) <= _LARGEST else None


class ValueCodes:
    """Values as integers: a finite value is its own code, infinite values are numbered -2, -3, ...; -1 means none.

    Parameters
    ----------
    kinds : iterable of Loopy
        The infinite values in the order of their codes.

    Examples
    --------
    >>> codes = ValueCodes([Loopy({0})])
    >>> codes.encode(Loopy()), codes.encode(7), codes.decode([-3, 7, -2])
    (-3, 7, [inf(), 7, inf(0)])
    """

    def __init__(self, kinds: Iterable[Loopy] = ()) -> None:
        self._number = {kind: number for number, kind in enumerate(kinds)}
        self._kinds = list(self._number)

    def __len__(self) -> int:
        return len(self._kinds)

    def __iter__(self) -> Iterator[Loopy]:
        return iter(self._kinds)

    def encode(self, value: int | Loopy) -> int:
        """Return the code of a value, a new one for an infinite value that has none yet."""
        if not isinstance(value, Loopy):
            return value
        number = self._number.setdefault(value, len(self._kinds))
        if number == len(self._kinds):
            self._kinds.append(value)
        return _FIRST_CODE - number

    def decode(self, codes: Sequence[int]) -> list[int | Loopy]:
        """Return the values of codes."""
        return [code if code >= 0 else self._kinds[_FIRST_CODE - code] for code in codes]
