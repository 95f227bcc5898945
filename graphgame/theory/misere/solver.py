"""Misère quotients, one position after the other: most fit the quotient so far, the others make it grow."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import reduce
from itertools import chain

import numpy as np

from graphgame.arrays.compiling import Array
from graphgame.arrays.engine import Progress
from graphgame.errors import plural
from graphgame.theory.misere.algebra import Learned, TransitionAlgebra, multiplication_table, words_of_elements
from graphgame.theory.misere.learning import Learner
from graphgame.theory.misere.outcomes import StoppedError
from graphgame.theory.misere.positions import Positions, Word

__all__ = ["QuotientLimits", "QuotientSolver"]


class QuotientLimits:
    """What a search may take: elements, outcomes of sums kept (25 to 100 bytes each) and seconds."""

    def __init__(self, order: int, outcomes: int, seconds: float | None) -> None:
        self._order = order
        self._outcomes = outcomes
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def check(self, order: int, outcomes: int) -> None:
        """Raise :class:`StoppedError` where a limit is reached."""
        if order > self._order:
            raise StoppedError(f"more than {plural(self._order, 'element')}")
        if outcomes > self._outcomes:
            raise StoppedError(f"more than {plural(self._outcomes, 'outcome')} of sums")
        if self._end is not None and time.monotonic() > self._end:
            raise StoppedError(f"{self._seconds:g} s are over")


class QuotientSolver:
    """Finds the quotient of more and more positions: ``learned`` is that of those so far.

    Each of them has a word, a sum of generators that is equal to it in the quotient. The generators are positions, none
    of which is a product of earlier ones.
    """

    def __init__(self, positions: Positions, limits: QuotientLimits, progress: Progress | None = None) -> None:
        self.words: list[Word] = []
        self.generators: list[int] = []
        self.learned = Learned(np.zeros((1, 0), np.int32), np.zeros(1, np.bool_))
        self._positions = positions
        self._limits = limits
        self._progress = progress
        self._learner: Learner | None = None

    def resume(self, words: list[Word], generators: list[int], learned: Learned) -> None:
        """Take up a quotient that is known to be right."""
        self.words, self.generators, self.learned = list(words), list(generators), learned

    def run(self) -> None:
        """Go through the positions that are left; where a limit stops it, those that have a word are right."""
        state = _State(self._positions, self.generators, self.words, self.learned, self._limits)
        for position in range(len(self.words), len(self._positions)):
            if self._progress is not None:
                self._progress(position, len(self.learned.lost))
            self._limits.check(len(self.learned.lost), 0)
            word = state.place(position)
            if word is None:
                state = self._grow(position)
            else:
                self.words.append(word)

    def _grow(self, position: int) -> _State:
        """Make a position a generator, and others that no longer are what they were."""
        words, generators = [*self.words, (position,)], [*self.generators, position]
        while True:
            learned = self._learn(words, generators)
            state = _State(self._positions, generators, words, learned, self._limits)
            if state.wrong is None:
                self.words, self.generators, self.learned = state.without_products()
                return _State(self._positions, self.generators, self.words, self.learned, self._limits)
            words[state.wrong] = (state.wrong,)
            generators = sorted([*generators, state.wrong])

    def _learn(self, words: list[Word], generators: list[int]) -> Learned:
        """Return the quotient of the generators alone, if others are what their words say."""
        place = {generator: place for place, generator in enumerate(generators)}

        def rewritten(end: Word) -> Word:
            return tuple(sorted(place[letter] for part in end for letter in words[part]))

        options = [sorted({rewritten(end) for end in self._positions.options[generator]}) for generator in generators]
        self._learner = Learner(options, self._limits.check, self._learner)
        return self._learner.learn()


class _State:
    """A quotient with its transition algebra; ``wrong`` is the first position whose word does not fit, if any."""

    def __init__(
        self, positions: Positions, generators: list[int], words: list[Word], learned: Learned, limits: QuotientLimits
    ) -> None:
        self._positions = positions
        self._generators = generators
        self._words = words
        self._learned = learned
        self._table, names = multiplication_table(learned.steps)
        self._names = [tuple(generators[place] for place in name) for name in names]
        places = {generator: int(learned.steps[0, place]) for place, generator in enumerate(generators)}
        self._images = [self._product(places[letter] for letter in word) for word in words]
        self._algebra = TransitionAlgebra(self._table, learned.lost, lambda: limits.check(0, 0))
        others = (m for m in range(len(words)) if positions.options[m] and m not in places)
        self.wrong = next((m for m in chain(generators, others) if not self._fits(m, self._images[m])), None)

    def place(self, position: int) -> Word | None:
        """Add the next position as the element that it can only be; return its word, or None where none fits."""
        if not self._positions.options[position]:
            self._images.append(0)
            return ()
        for element in self._algebra.candidates(self._wins(position)):
            if self._fits(position, element):
                self._images.append(element)
                return self._names[element]
        return None

    def without_products(self) -> tuple[list[Word], list[int], Learned]:
        """Return words, generators and quotient without the generators that are products of earlier ones."""
        kept: list[int] = []
        new: dict[int, Word] = {}
        names: dict[int, Word] = {0: ()}
        for place, generator in enumerate(self._generators):
            element = int(self._learned.steps[0, place])
            if element in names:
                new[generator] = tuple(self._generators[letter] for letter in names[element])
            else:
                new[generator] = (generator,)
                kept.append(place)
                names = words_of_elements(self._learned.steps, kept)
        words = [tuple(sorted(letter for old in word for letter in new[old])) for word in self._words]
        learned = Learned(self._learned.steps[:, kept], self._learned.lost)
        return words, [self._generators[place] for place in kept], learned

    def _fits(self, position: int, element: int) -> bool:
        return self._algebra.add(element, self._wins(position), (position,)) is None

    def _wins(self, position: int) -> Array:
        ends = self._positions.options[position]
        return self._algebra.wins(self._product(self._images[part] for part in end) for end in ends)

    def _product(self, elements: Iterable[int]) -> int:
        return reduce(lambda found, element: int(self._table[found, element]), elements, 0)
