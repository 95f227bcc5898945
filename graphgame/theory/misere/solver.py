"""Misère quotients, one position after the other: most fit the quotient so far, the others make it grow."""

from __future__ import annotations

import time

import numpy as np

from graphgame.arrays.compiling import Array
from graphgame.arrays.engine import Progress
from graphgame.errors import Message, plural
from graphgame.theory.misere.algebra import Learned, TransitionAlgebra, words_of_elements
from graphgame.theory.misere.candidates import Candidate
from graphgame.theory.misere.positions import Positions, Word

__all__ = ["QuotientLimits", "QuotientSolver", "StoppedError"]

_MOST_IN_TABLE = 12_000
"""Elements of a candidate whose products are kept: two tables of them take 1.2 GB."""


class StoppedError(Exception):
    """A limit is reached; the message says which."""


class LargeCandidateError(StoppedError):
    """A candidate has more elements than it may."""


class QuotientLimits:
    """What a search may take: elements, outcomes of sums kept at once (50 to 100 bytes each) and seconds."""

    def __init__(self, order: int, outcomes: int, seconds: float | None) -> None:
        self._order = order
        self._outcomes = outcomes
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def check(self, order: int, outcomes: int) -> None:
        """Raise :class:`StoppedError` where a limit is reached."""
        if order > self._order:
            raise StoppedError(Message("more than {elements}", plural(self._order, "element")))
        if outcomes > self._outcomes:
            raise StoppedError(Message("more than {outcomes} of sums", plural(self._outcomes, "outcome")))
        if self._end is not None and time.monotonic() > self._end:
            raise StoppedError(Message("{seconds} s are over", f"{self._seconds:g}"))

    def check_candidate(self, order: int, outcomes: int) -> None:
        """As :meth:`check`; a candidate may have more elements than the quotient."""
        self.check(0, outcomes)
        most = min(4 * self._order, _MOST_IN_TABLE)
        if order > most:
            raise LargeCandidateError(Message("a candidate has more than {elements}", plural(most, "element")))


class QuotientSolver:
    """Finds the quotient of more and more positions; ``images`` has the element of each so far."""

    def __init__(self, positions: Positions, limits: QuotientLimits, progress: Progress | None = None) -> None:
        self.images: list[int] = []
        self._positions = positions
        self._limits = limits
        self._progress = progress
        self._use(self._candidate(np.zeros((1, 1), np.int32), np.zeros(1, np.bool_)))

    def resume(self, images: list[int], table: Array, lost: Array) -> None:
        """Take up a quotient that is known to be right."""
        self.images = images
        self._use(self._candidate(table, lost))

    def run(self) -> None:
        """Go through the positions that are left; where a limit stops it, those that have an element are right."""
        for position in range(len(self.images), len(self._positions)):
            if self._progress is not None:
                self._progress(position, len(self._found.lost))
            self._limits.check(0, 0)
            image = self._place(position)
            self.images.append(image)

    def found(self) -> tuple[list[Word], list[int], Learned]:
        """Return the positions' words in generators, those, and the quotient; elements of shorter words come first."""
        generators = self._found.first.generators
        steps = self._found.table[:, [self._found.images[generator] for generator in generators]]
        words = words_of_elements(steps, range(len(generators)))
        elements = list(words)
        number = np.zeros(len(words), np.int32)
        number[elements] = np.arange(len(words))
        names = [tuple(generators[place] for place in words[image]) for image in self.images]
        return names, generators, Learned(number[steps[elements]], self._found.lost[elements])

    def _candidate(self, table: Array, lost: Array) -> Candidate:
        options = self._positions.options
        images = {place: image for place, image in enumerate(self.images) if options[place]}
        return Candidate(table, lost, images, options, self._grown)

    def _grown(self, order: int, outcomes: int) -> None:
        self._limits.check_candidate(order, outcomes)
        if self._progress is not None and order:
            self._progress(len(self.images), order)

    def _use(self, found: Candidate) -> None:
        self._found = found
        self._algebra = TransitionAlgebra(found.table, found.lost, lambda: self._limits.check(0, 0))
        for position, image in found.images.items():
            self._algebra.add(position, image, self._algebra.wins(found.ends(position)))

    def _place(self, position: int) -> int:
        """Return the element of the next position, in a finer quotient where none fits."""
        if not self._positions.options[position]:
            return 0
        wins = self._algebra.wins(self._found.ends(position))
        for element in self._algebra.candidates(wins):
            if self._algebra.add(position, element, wins) is None:
                self._found.images[position] = element
                return element
        candidate = self._found.with_position(position)
        while (failing := candidate.failure()) is not None:
            candidate = self._finer(candidate, failing)
        self._limits.check(len(candidate.lost), 0)
        self.images = [candidate.images.get(place, 0) for place in range(position)]
        self._use(candidate)
        return candidate.images[position]

    def _finer(self, candidate: Candidate, failing: Word) -> Candidate:
        try:
            return candidate.refined(failing)
        except LargeCandidateError as reason:
            least = f"{max(len(self._found.lost), candidate.distinct(failing)):,}"
            raise StoppedError(
                Message("{reason}, the quotient of one more position at least {least}", reason, least)
            ) from None
