"""The simpler rules that a table must refute before a period is the simplest: what agrees with it the furthest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from graphgame.labs.heaps.periods import PeriodCertificate
from graphgame.labs.laws.law import Rival
from graphgame.labs.laws.periodic import least_period, lost_text, value_text

_SHORT = 8
"""Values that a rival is written out with."""

_LONGEST = 5_000
"""The longest first values and period that are compared with all shorter ones."""


class Repetition(NamedTuple):
    """That numbers repeat from a start on, with a saltus added each time."""

    start: int
    period: int
    saltus: int = 0

    def text(self, values: Sequence[int], name: str) -> str:
        """Return it as a formula; a long one by what it says of the next value.

        >>> Repetition(0, 1, 1).text([0, 1, 2, 3, 0], "n"), Repetition(58, 24).text([0] * 82, "n")
        ('n', 'g(n) = g(n - 24) for n >= 82')
        """
        known = self.start + self.period
        if known <= _SHORT:
            return value_text(values, *self, name)
        added = f" + {self.saltus}" if self.saltus else ""
        return f"g({name}) = g({name} - {self.period}){added} for {name} >= {known}"


def rival_repetition(values: np.ndarray, found: Repetition, *, growing: bool) -> tuple[Repetition, int] | None:
    """Return what agrees with values the furthest, of all that are told by fewer of them, and where it fails first.

    Parameters
    ----------
    values : ndarray of int
        Those of more than two periods beyond twice the first ones.
    found : Repetition
        What they are.
    growing : bool
        Whether a saltus is allowed.

    Examples
    --------
    >>> rival_repetition(np.arange(40) % 4, Repetition(0, 4), growing=True)
    (Repetition(start=0, period=1, saltus=1), 4)
    """
    last, best = found.start + found.period - 1, None
    for period in range(1, last + 1):
        steps = values[last:] - values[last - period : len(values) - period]
        saltus = int(steps[0]) if growing else 0
        wrong = np.flatnonzero(steps != saltus)
        if saltus >= 0 and len(wrong) and (best is None or last + int(wrong[0]) > best[1]):
            best = Repetition(last - period, period, saltus), last + int(wrong[0])
    return None if best is None else (_early(values, best[0]), best[1])


def _early(values: np.ndarray, found: Repetition) -> Repetition:
    """Return it with the earliest start from which it agrees."""
    start, period, saltus = found
    while start and values[start - 1] + saltus == values[start - 1 + period]:
        start -= 1
    return Repetition(start, period, saltus)


def rival_of_period(certificate: PeriodCertificate, of_lost: bool, names: tuple[str, ...]) -> Rival | None:
    """Return what agrees with a proved period the furthest, of all that fewer values tell; None if that says nothing.

    >>> from graphgame import heaps
    >>> print(rival_of_period(heaps.octal("0.77").period(1000), False, ("n",)))
    the simpler g(n) = g(n - 24) for n >= 82 fails first at n = 94; a table to 94 refutes all simpler ones
    """
    found = Repetition(certificate.preperiod, certificate.period, certificate.saltus)
    known = found.start + found.period
    if known > _LONGEST:
        return None
    values = certificate.values_to(3 * known).astype(np.int64)
    if of_lost:
        values = (values != 0).astype(np.int64)
        ends = int(np.flatnonzero(values == 0).max(initial=-1)) + 1
        found = Repetition(ends, 1) if found.saltus else Repetition(*least_period(values[:known].tolist(), *found[:2]))
    rival = rival_repetition(values, found, growing=not of_lost)
    if rival is None:
        return None
    said = lost_text(values.tolist(), *rival[0], names[0]) if of_lost else rival[0].text(values.tolist(), names[0])
    return None if said in ("True", "False") else Rival(said, names, (rival[1],))
