"""The pairs of Wythoff's games of any width as an automaton: one number written with a 0 at its end is the other."""

from __future__ import annotations

from itertools import product

import numpy as np

from graphgame.labs.laws.automata import Automaton, valid
from graphgame.labs.laws.numeration import numeration_of

WIDTHS = range(1, 8)
"""The widths that are looked for."""


def wythoff_pairs(width: int, names: tuple[str, str]) -> Automaton:
    """Return the pairs (floor(k alpha), floor(k alpha) + k width), in both orders.

    In the numeration with the weights W(n) = width W(n-1) + W(n-2) the smaller number of a pair ends with an even
    number of zeros, and the larger one is the smaller with a 0 added (Fraenkel 1982).

    >>> pairs = wythoff_pairs(1, ("a", "b"))
    >>> [(a, b) for a in range(8) for b in range(a, 14) if pairs.contains(a=a, b=b)]
    [(0, 0), (1, 2), (3, 5), (4, 7), (6, 10)]
    """
    numeration = numeration_of(f"Fibonacci {width}" if width > 1 else "Fibonacci")
    digits = numeration.digits
    # A state is the digit that the smaller number must have next, and how its zeros at the end are counted so far:
    # not at all before its first digit, else evenly or oddly.
    states = [(0, None), *((digit, None) for digit in range(1, digits)), *product(range(digits), (0, 1))]
    numbers = {state: number for number, state in enumerate(states)}
    dead = len(states)
    table = np.full((dead + 1, digits * digits), dead, np.int32)
    for (wanted, zeros), number in numbers.items():
        for other in range(digits):
            if zeros is None and not wanted:
                end: tuple[int, int | None] = (other, None)
            else:
                end = (other, 0 if wanted or zeros is None else 1 - zeros)
            table[number, wanted + digits * other] = numbers[end]
    accepting = np.array([*(state in ((0, None), (0, 0)) for state in states), False])
    pairs = Automaton(numeration, ("x", "y"), table, accepting) & valid(numeration, ("x", "y"))
    first, second = names
    return pairs.renamed({"x": first, "y": second}) | pairs.renamed({"x": second, "y": first})
