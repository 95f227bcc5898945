"""The misère quotient of a few positions, learned from outcomes: tests tell elements apart until a proof succeeds.

This is Angluin's method for commutative monoids. A sum of positions has a row, its outcomes with each of the tests
added; sums with different rows are different elements. One sum is kept for each row. Where two ways to the same sum
disagree, or the transition algebra finds a sum whose outcome would be wrong, a new test tells two more elements apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, takewhile

import numpy as np

from graphgame.arrays.compiling import Array
from graphgame.theory.misere.algebra import Learned, TransitionAlgebra, WrongSum, multiplication_table, product_of
from graphgame.theory.misere.positions import Word

__all__ = ["Learner"]

_BITS = 12
_MOST = (1 << _BITS) - 1


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
        # A move takes a position out of the sum and puts an option in, which is one addition to the code.
        self._deltas = [[_code(word) - (1 << _BITS * place) for word in words] for place, words in enumerate(options)]
        self._outcomes: dict[int, bool] = {0: False}
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
                lost = np.array([self._is_lost(code) for code in sums])
                test = self._wrong_outcome(sums, steps, lost)
                if test is None:
                    return Learned(steps, lost)
            self._tests.append(test)

    def _take_over(self, earlier: Learner) -> None:
        """Keep the outcomes and tests of the positions that both begin with."""
        pairs = zip(self._options, earlier._options, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        end = 1 << _BITS * same
        self._outcomes = {code: lost for code, lost in earlier._outcomes.items() if code < end}
        self._tests = [test for test in earlier._tests if test < end]

    def _elements(self) -> tuple[list[int], Array]:
        """Return one sum for each row, shorter sums first, and the steps between them."""
        sums, number, steps = [0], {self._row(0): 0}, []
        for code in sums:
            products = []
            for place in range(len(self._options)):
                product = _reduced(code + (1 << _BITS * place))
                row = self._row(product)
                if row not in number:
                    number[row] = len(sums)
                    sums.append(product)
                    self._grown(len(sums), len(self._outcomes))
                products.append(number[row])
            steps.append(products)
        return sums, np.array(steps, np.int32)

    def _row(self, code: int) -> bytes:
        """Return the outcomes of a sum with each test."""
        row = self._rows.get(code, b"")
        if len(row) < len(self._tests):
            row += bytes([self._is_lost(_reduced(code + test)) for test in self._tests[len(row) :]])
            self._rows[code] = row
        return row

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
        rows = zip(self._tests, self._row(sums[by_a]), self._row(sums[by_b]), strict=True)
        test, outcome = next((test, one) for test, one, other in rows if one != other)
        whole = _reduced(sums[element] + (1 << _BITS * a) + (1 << _BITS * b) + test)
        last = a if self._is_lost(whole) == outcome else b
        return _reduced(test + (1 << _BITS * last))

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
        code = _code(failure.word + words[failure.company])
        return next(
            end for end in (code, *self._moves(code)) if self._is_lost(end) != lost[product_of(steps, _letters(end))]
        )

    def _splitting_test(self, sums: list[int], steps: Array, code: int) -> int:
        """Return the rest of a sum with which an element and the sum that stands for it have different outcomes."""
        element, rest, outcome = 0, code, self._is_lost(code)
        for place in _letters(code):
            element = int(steps[element, place])
            rest -= 1 << _BITS * place
            if self._is_lost(_reduced(sums[element] + rest)) != outcome:
                break
        return rest

    def _is_lost(self, code: int) -> bool:
        """Tell whether a sum is a P-position, by depth-first search with a table."""
        outcomes = self._outcomes
        if code not in outcomes:
            stack = [(code, self._moves(code))]
            while stack:
                top, moves = stack[-1]
                lost = True
                for option in moves:
                    below = outcomes.get(option)
                    if below is None:
                        # the option comes first; then this sum is looked at anew, from that option on
                        stack[-1] = top, chain([option], moves)
                        stack.append((option, self._moves(option)))
                        break
                    if below:
                        lost = False
                        break
                if stack[-1][0] == top:
                    outcomes[top] = lost
                    stack.pop()
                    self._grown(0, len(outcomes))
        return outcomes[code]

    def _moves(self, code: int) -> Iterator[int]:
        rest, place = code, 0
        while rest:
            if rest & _MOST:
                for delta in self._deltas[place]:
                    yield _reduced(code + delta)
            rest >>= _BITS
            place += 1


def _code(word: Word) -> int:
    """Return a sum as one integer: how often each position stands in it, twelve bits each."""
    return _reduced(sum(1 << _BITS * place for place in word))


def _reduced(code: int) -> int:
    """Return the sum with at most one of the first position: it is a heap of one, and two of them cancel."""
    times = code & _MOST
    return code - times + (times & 1)


def _letters(code: int) -> Iterator[int]:
    place = 0
    while code:
        yield from [place] * (code & _MOST)
        code >>= _BITS
        place += 1
