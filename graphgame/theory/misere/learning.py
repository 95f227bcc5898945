"""The misère quotient of a few positions, learned from outcomes: tests tell elements apart until a proof succeeds.

This is Angluin's method for commutative monoids. A sum of positions has a row, its outcomes with each of the tests
added; sums with different rows are different elements. One sum is kept for each row. Where two ways to the same sum
disagree, or the transition algebra finds a sum whose outcome would be wrong, a new test tells two more elements apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile

import numpy as np

from graphgame.arrays.compiling import Array
from graphgame.theory.misere.algebra import Learned, TransitionAlgebra, WrongSum, multiplication_table, product_of
from graphgame.theory.misere.outcomes import Outcomes, code_of, letters_of, reduced, unit
from graphgame.theory.misere.positions import Word

__all__ = ["Learner"]


class Learner:
    """Learns the quotient of positions, each of which has options that are sums of earlier ones.

    The first position has the empty sum as its only option. ``grown`` is called with the number of elements, and of
    outcomes known, whenever there are more, and may raise. What an earlier learner knows is used where its positions
    are the first of these.
    """

    def __init__(
        self, options: Sequence[Sequence[Word]], grown: Callable[[int, int], None], earlier: Learner | None = None
    ) -> None:
        self._options = options
        self._grown = grown
        self._outcomes = Outcomes(options, lambda known: grown(0, known))
        self._tests = [0]
        self._rows: dict[int, bytes] = {}
        if earlier is not None:
            self._take_over(earlier)

    def learn(self) -> Learned:
        """Return the quotient; endless where it is infinite, unless ``grown`` ends it."""
        while True:
            sums, steps = self._elements()
            test = self._conflict(sums, steps)
            if test is None:
                lost = np.frombuffer(self._outcomes.lost(sums), np.bool_)
                test = self._wrong_outcome(sums, steps, lost)
                if test is None:
                    return Learned(steps, lost)
            self._tests.append(test)

    def _take_over(self, earlier: Learner) -> None:
        """Keep the outcomes and tests of the positions that both begin with."""
        pairs = zip(self._options, earlier._options, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        self._outcomes.take_over(earlier._outcomes, same)
        self._tests = [test for test in earlier._tests if test < unit(same)]

    def _elements(self) -> tuple[list[int], Array]:
        """Return one sum for each row, shorter sums first, and the steps between them."""
        sums, steps, done = [0], [], 0
        number = {self._rows_of([0])[0]: 0}
        while done < len(sums):
            products = [reduced(code + unit(place)) for code in sums[done:] for place in range(len(self._options))]
            done = len(sums)
            for product, row in zip(products, self._rows_of(products), strict=True):
                if row not in number:
                    number[row] = len(sums)
                    sums.append(product)
                    self._grown(len(sums), len(self._outcomes))
                steps.append(number[row])
        return sums, np.array(steps, np.int32).reshape(len(sums), len(self._options))

    def _rows_of(self, sums: list[int]) -> list[bytes]:
        """Return the outcomes of sums with each test."""
        missing = {code: self._tests[len(self._rows.get(code, b"")) :] for code in sums}
        found = self._outcomes.lost([reduced(code + test) for code, tests in missing.items() for test in tests])
        start = 0
        for code, tests in missing.items():
            self._rows[code] = self._rows.get(code, b"") + found[start : start + len(tests)]
            start += len(tests)
        return [self._rows[code] for code in sums]

    def _conflict(self, sums: list[int], steps: Array) -> int | None:
        """Return a test from two generators whose order matters, or the first where two of it do not cancel."""
        ways = [(0, 0, steps[steps[:, 0], 0], np.arange(len(sums)))]
        ways += [
            (a, b, steps[steps[:, a], b], steps[steps[:, b], a]) for a in range(len(self._options)) for b in range(a)
        ]
        for a, b, one, other in ways:
            for element in np.flatnonzero(one != other)[:1].tolist():
                return self._late_test(sums, element, a, b, int(one[element]), int(other[element]))
        return None

    def _late_test(self, sums: list[int], element: int, a: int, b: int, by_a: int, by_b: int) -> int:
        """Return a test of the generator that comes last where the sum does not behave as the element it leads to."""
        rows = zip(self._tests, *self._rows_of([sums[by_a], sums[by_b]]), strict=True)
        test, outcome = next((test, one) for test, one, other in rows if one != other)
        whole = reduced(sums[element] + unit(a) + unit(b) + test)
        last = a if self._outcomes.is_lost(whole) == outcome else b
        return reduced(test + unit(last))

    def _wrong_outcome(self, sums: list[int], steps: Array, lost: Array) -> int | None:
        """Return a test that follows from a sum whose outcome the monoid tells wrongly, if there is one."""
        table, words = multiplication_table(steps)
        algebra = TransitionAlgebra(table, lost, lambda: self._grown(len(sums), len(self._outcomes)))
        for place, options in enumerate(self._options):
            ends = [product_of(steps, word) for word in options]
            failure = algebra.add(int(steps[0, place]), algebra.wins(ends), (place,))
            if failure is not None:
                return self._splitting_test(sums, steps, self._wrong_sum(failure, words, steps, lost))
        return None

    def _wrong_sum(self, failure: WrongSum, words: list[Word], steps: Array, lost: Array) -> int:
        """Return the sum or the option of it whose outcome is not what the monoid tells."""
        code = code_of(failure.word + words[failure.company])
        return next(
            end
            for end in (code, *self._outcomes.moves(code))
            if self._outcomes.is_lost(end) != lost[product_of(steps, letters_of(end))]
        )

    def _splitting_test(self, sums: list[int], steps: Array, code: int) -> int:
        """Return the rest of a sum with which an element and the sum that stands for it have different outcomes."""
        element, rest, outcome = 0, code, self._outcomes.is_lost(code)
        for place in letters_of(code):
            element = int(steps[element, place])
            rest -= unit(place)
            if self._outcomes.is_lost(reduced(sums[element] + rest)) != outcome:
                break
        return rest
