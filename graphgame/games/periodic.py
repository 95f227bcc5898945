"""Heap games whose values a proved period gives, for heaps of any size."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from graphgame.arrays.engine import use_compiled
from graphgame.games.heap import Heap

if TYPE_CHECKING:
    from graphgame.heaps import HeapGame, PeriodCertificate

__all__ = ["Periodic"]

_SMALL = 1000
_FEW, _SOME, _MANY = 500, 4000, 20_000
"""Heaps that a proof may take: few where the heap is small, so its graph is; many with compiled loops."""


class Periodic(Heap):
    """A heap game whose period is looked for when the value of a heap is asked for.

    Examples
    --------
    >>> from graphgame.games import ruleset
    >>> ruleset("octal", "0.77").closed_form(10**18), ruleset("octal", "0.6").closed_form(20)
    (1, None)
    """

    certificate: PeriodCertificate | None = None
    _tried = 0

    @abstractmethod
    def heap_game(self) -> HeapGame | None:
        """Return the same game for its values; None where a proof is not worth the search."""

    def closed_form(self, position: int) -> int | None:
        """Return the value where a period is proved from few heaps."""
        heaps = _FEW if position <= _SMALL else _MANY if use_compiled(_MANY**2) else _SOME
        if self.certificate is None and self._tried < heaps:
            self._tried = heaps
            game = self.heap_game()
            self.certificate = None if game is None else game.period(heaps)
        return None if self.certificate is None else self.certificate.value(position)
