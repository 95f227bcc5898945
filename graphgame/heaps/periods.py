"""Periods of value sequences: found in linear time, and claimed only where a theorem carries them on for ever."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphgame.errors import ParseError, shorten
from graphgame.heaps.loops import Array, runner, tail_matches
from graphgame.heaps.rules import Theorem
from graphgame.io.files import PathLike, Source, open_atomic

__all__ = ["PeriodCertificate", "find_period"]

_BLOCK = 1 << 20
_KINDS = {"game": str, "preperiod": int, "period": int, "saltus": int, "last_heap": int, "theorem": str}


@dataclass(frozen=True)
class PeriodCertificate:
    """A proved period: g(n + period) = g(n) + saltus for every heap n from ``preperiod`` on.

    Attributes
    ----------
    game : str
        The game in the notation, as :func:`graphgame.heaps.game` reads it.
    preperiod : int
        The least heap from which on the values repeat.
    period : int
        The least distance.
    saltus : int
        What is added with each period; 0 for a plain period.
    last_heap : int
        The heaps up to this one were needed for the proof.
    theorem : str
        Why the values go on.
    values : tuple of int
        Those of the heaps below ``preperiod + period``.

    Examples
    --------
    >>> from graphgame import heaps
    >>> kayles = heaps.octal("0.77").period(1000)
    >>> kayles.preperiod, kayles.period, kayles.last_exception
    (71, 12, 70)
    >>> kayles.value(10**18)
    1
    """

    game: str
    preperiod: int
    period: int
    saltus: int
    last_heap: int
    theorem: str
    values: tuple[int, ...]

    def value(self, heap: int) -> int:
        """Return the value of a heap of any size, at once.

        Raises
        ------
        ValueError
            The heap is negative.
        """
        if heap < 0:
            raise ValueError(f"invalid heap {shorten(heap)}: expected 0 or more")
        if heap < self.preperiod:
            return self.values[heap]
        return self._continued(heap)

    @property
    def last_exception(self) -> int | None:
        """The largest heap that does not fit the period."""
        return self.preperiod - 1 if self.preperiod else None

    @cached_property
    def exceptions(self) -> dict[int, int]:
        """The heaps that do not fit the period, with their values."""
        return {
            heap: value for heap, value in enumerate(self.values[: self.preperiod]) if value != self._continued(heap)
        }

    def record(self) -> dict[str, object]:
        """Return the certificate as an object of JSON."""
        names = ("game", "preperiod", "period", "saltus", "last_exception", "last_heap", "theorem", "values")
        return {name: getattr(self, name) for name in names}

    def save(self, path: PathLike) -> None:
        """Write the certificate as JSON: the whole file or, if that fails, none."""
        import json

        with open_atomic(path) as stream:
            stream.write(json.dumps(self.record()) + "\n")

    @classmethod
    def load(cls, path: PathLike) -> PeriodCertificate:
        """Read a certificate; :meth:`graphgame.heaps.HeapGame.holds` checks it.

        Raises
        ------
        ParseError
            The file holds no certificate.
        OSError
            The file cannot be read.
        """
        import json

        with Source(path) as source:
            try:
                found = json.loads(source.read_text())
            except (ValueError, RecursionError) as error:
                if isinstance(error, ParseError):
                    raise
                raise source.error(f"no JSON text: {error}") from None
            if not _is_record(found):
                raise source.error("no certificate of a period: expected what PeriodCertificate.save writes")
        known = tuple(found.pop("values"))
        return cls(**{name: found[name] for name in _KINDS}, values=known)

    def _continued(self, heap: int) -> int:
        """Return the value that the period alone gives."""
        periods, place = divmod(heap - self.preperiod, self.period)
        return self.values[self.preperiod + place] + periods * self.saltus


def _is_record(found: object) -> bool:
    """Tell whether an object of JSON is a certificate, as far as its form goes."""
    if not isinstance(found, dict) or any(type(found.get(name)) is not kind for name, kind in _KINDS.items()):
        return False
    numbers, values = [found[name] for name in ("preperiod", "saltus", "last_heap")], found.get("values")
    return (
        min(numbers) >= 0
        and found["period"] >= 1
        and isinstance(values, list)
        and len(values) == found["preperiod"] + found["period"]
        and all(type(value) is int and value >= 0 for value in values)
    )


def find_period(game: str, values: Array, theorem: Theorem, engine: str = "auto") -> PeriodCertificate | None:
    """Return the least period that the theorem proves from the values of heaps 0, 1, ...; None where it proves none.

    Parameters
    ----------
    game : str
    values : ndarray
    theorem : Theorem
    engine : {"auto", "plain", "compiled"}

    Notes
    -----
    O(n). For each distance p, the Z-function of the reversed sequence tells how far back the values repeat. If any p is
    a period of the whole sequence, the least one satisfies the theorem on the same heaps, so the answer is minimal.
    """
    if len(values) < 2:
        return None
    sequence = np.diff(values.astype(np.int64)) if theorem.arithmetic else values
    lengths = np.zeros(len(sequence) + 1, np.int32)
    runner(tail_matches, 2 * len(sequence), engine)(sequence, lengths)
    for first in range(1, len(sequence) + 1, _BLOCK):
        distances = np.arange(first, min(first + _BLOCK, len(sequence) + 1))
        starts = len(sequence) - distances - lengths[distances]
        needed = theorem.last_heap(starts, distances)
        proved = np.flatnonzero(needed < len(values))
        if len(proved):
            best = proved[0]
            return _certificate(game, values, theorem, int(starts[best]), int(distances[best]), int(needed[best]))
    return None


def _certificate(
    game: str, values: Array, theorem: Theorem, preperiod: int, period: int, last_heap: int
) -> PeriodCertificate:
    known = tuple(values[: preperiod + period].tolist())
    saltus = int(values[preperiod + period]) - known[preperiod] if theorem.arithmetic else 0
    return PeriodCertificate(game, preperiod, period, saltus, last_heap, theorem.statement, known)
