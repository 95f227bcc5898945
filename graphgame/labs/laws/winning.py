"""Which moves win: the moves into the set of the P-positions, as a statement about the numbers before and after."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from graphgame.errors import OptionError
from graphgame.labs.laws.automata import Automaton
from graphgame.labs.laws.candidates import formulas, lost_candidates
from graphgame.labs.laws.expressions import Formula
from graphgame.labs.laws.statements import after, set_of

_SIZES = {1: 160, 2: 22, 3: 8, 4: 5}
_MOST_AMOUNTS = 6

_ONE_MOVE = ("{n}' = {n} - ({n} & -{n}) < {n}", "{n}' = {n} - zeckendorf({n}) < {n}")
"""Statements that may tell one winning move where there are several."""


class MovesLaw(NamedTuple):
    """A statement about the numbers before a move and after.

    Attributes
    ----------
    formula : Formula
    automaton : Automaton
        The moves of which it holds.
    every : bool
        Whether these are all moves that win; else some are, one from wherever one wins.
    size : int
        It was compared for numbers below this first.
    """

    formula: Formula
    automaton: Automaton
    every: bool
    size: int


def law_of_moves(every: Automaton, winning: Automaton, names: tuple[str, ...]) -> MovesLaw | None:
    """Return the simplest statement that tells all winning moves, or one wherever there is one; None if none does.

    Raises
    ------
    LimitError
        An automaton is too large.
    """
    tracks = (*names, *map(after, names))
    size = _SIZES[len(names)]
    given = dict(zip(tracks, np.indices((size,) * len(tracks)), strict=True))
    table = winning.contains(**given)
    places = np.nonzero(every.contains(**given))
    one = [text.format(n=names[0]) for text in _ONE_MOVE] if len(names) == 1 else []
    texts = [(text, True) for text in _candidates(table, names)] + [(text, False) for text in one]
    for text, whole in texts:
        formula = Formula(text, tracks)
        said = formula.of_arrays(*places)
        if said is None or (said & ~table[places]).any() or (whole and (said != table[places]).any()):
            continue
        try:
            claimed = every & set_of(every.numeration, text, tracks)
        except OptionError:
            continue
        if claimed.minus(winning).example() is None and _is_enough(claimed, winning, whole):
            return MovesLaw(formula, claimed, whole, size)
    return None


def _is_enough(said: Automaton, winning: Automaton, every: bool) -> bool:
    """Tell whether some moves are all that win, or one wherever there is one."""
    ends = () if every else tuple(track for track in winning.tracks if track.endswith("_"))
    return winning.without(*ends).minus(said.without(*ends)).example() is None


def _candidates(table: np.ndarray, names: tuple[str, ...]) -> Iterator[str]:
    """Yield statements that may tell which moves win, simplest first: a table has an axis for each number."""
    wins = np.asarray(table.any(axis=tuple(range(len(names), 2 * len(names)))))
    yield from lost_candidates(wins.astype(np.int8), names)
    if len(names) == 1:
        yield from _one_amount(table, names[0])
        yield from _few_amounts(table, names[0])
    else:
        yield from _one_end(table, names)


def _one_amount(table: np.ndarray, name: str) -> Iterator[str]:
    """Yield that the amount to take is a formula, where no position has two winning moves."""
    if (table.sum(axis=1) > 1).any():
        return
    amounts = np.where(table.any(axis=1), np.arange(len(table)) - table.argmax(axis=1), 0)
    yield from (f"{name}' = {name} % {divisor} < {name}" for divisor in range(2, 13))
    yield from (
        f"{name}' = {name} - ({name} - {first}) % {divisor} < {name}" for divisor in range(2, 13) for first in (1, 2)
    )
    for text in formulas(amounts, (name,)):
        if text == name:
            yield f"{name}' = 0 < {name}"
            continue
        said = f"({text})" if any(sign in text for sign in (" if ", " + ", " - ", "&", "^")) else text
        yield f"{name}' = {name} - {said} < {name}"


def _few_amounts(table: np.ndarray, name: str) -> Iterator[str]:
    """Yield for each of few amounts the heaps that it wins from, which repeat."""
    heaps, ends = np.nonzero(table)
    amounts = np.unique(heaps - ends).tolist()
    if not 0 < len(amounts) <= _MOST_AMOUNTS:
        return
    texts = []
    for amount in amounts:
        column = np.zeros(len(table), bool)
        column[heaps[heaps - ends == amount]] = True
        where = next(lost_candidates(column.astype(np.int8), (name,)), None)
        if where is None:
            return
        where = f"({where})" if " or " in where else where
        texts.append(f"{name}' = {name} - {amount} and {where}")
    yield " or ".join(texts)


def _one_end(table: np.ndarray, names: tuple[str, ...]) -> Iterator[str]:
    """Yield that one number is lowered to a formula of the others."""
    count, size = len(names), len(table)
    parts = []
    for place, name in enumerate(names):
        others = [each for each in range(count) if each != place]
        ends = np.full((size,) * (count - 1), -1, np.int64)
        for given in product(range(size), repeat=count - 1):
            index: list[int | slice] = [slice(None)] * (2 * count)
            for other, number in zip(others, given, strict=True):
                index[other] = index[count + other] = number
            reached = np.unique(np.nonzero(table[tuple(index)])[1])
            if len(reached) > 1:
                return
            if len(reached):
                ends[given] = reached[0]
        text = _formula_of(ends, tuple(names[other] for other in others))
        if text is None:
            return
        text = f"({text})" if " if " in text else text
        parts.append(f"{name}' = {text} < {name}")
    yield " or ".join(parts)


def _formula_of(ends: np.ndarray, names: tuple[str, ...]) -> str | None:
    """Return a formula that holds where something is known."""
    known = ends >= 0
    if not known.any():
        return None
    alone = (names[0], f"{names[0]} if {names[0]} > 1 else 1 - {names[0]}")
    for text in alone if len(names) == 1 else formulas(ends, names):
        said = Formula(text, names).of_arrays(*np.nonzero(known))
        if said is not None and np.array_equal(said, ends[known]):
            return str(text)
    return None
