"""One-heap games: what they are called, their values, their periods."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphgame.errors import OptionError, ParseError, RulesetError, shorten
from graphgame.games.breaking import Grundy, Lasker
from graphgame.games.heap import Heap
from graphgame.games.octal import Code, Octal
from graphgame.games.registry import ruleset
from graphgame.games.subtraction import Subtraction
from graphgame.heaps.loops import Array
from graphgame.heaps.periods import PeriodCertificate, find_period
from graphgame.heaps.rules import AllBut, Growing, HeapRules, Own, Progress, TakeAndBreak
from graphgame.ruleset import Ruleset, Sum

__all__ = ["NAMED", "HeapGame", "code", "game", "grundy_game", "lasker", "octal", "rule", "subtraction"]

NAMED = {
    "dawson-chess": "0.137",
    "dawson-kayles": "0.07",
    "guiles": "0.15",
    "kayles": "0.77",
    "officers": "0.6",
    "treblecross-strip": "0.007",
}
"""Name -> code, for the octal games that have a name."""

_MOST_HEAPS = 2**31 - 2
_FIRST_HEAPS = 256
_NOTATION = re.compile(r"\s*(?P<name>[A-Za-z][\w-]*)\s*(?:\{(?P<arguments>[^{}]*)\})?\s*")
_LARGE_DIGIT = re.compile("[89A-Va-v]")
_METHODS = ("auto", "sparse", "dense")


@dataclass(frozen=True, eq=False)
class HeapGame:
    """A game played with heaps, each move in one of them.

    Attributes
    ----------
    name : str
        The game as :func:`game` reads it.
    ruleset : Ruleset
        The same game by its rules, for graphs, pictures, sums and play.

    Examples
    --------
    >>> octal("0.77").grundy_values(10)
    array([0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2], dtype=uint16)
    """

    name: str
    ruleset: Ruleset
    _rules: HeapRules = field(repr=False)

    def grundy_values(
        self, n: int, *, method: str = "auto", engine: str = "auto", progress: Progress | None = None
    ) -> Array:
        """Return the Grundy values of the heaps 0..n.

        Parameters
        ----------
        n : int
            The largest heap.
        method : {"auto", "sparse", "dense"}
            "dense" tries every move, for a check of the faster way.
        engine : {"auto", "plain", "compiled"}
            "auto" compiles where the extra ``fast`` is installed and the work is large.
        progress : callable, optional
            Called as ``progress(heaps_done, heaps_total)`` now and then.

        Returns
        -------
        ndarray of unsigned integers, shape (n + 1,)

        Raises
        ------
        OptionError
            A number of heaps or a method that does not exist.
        LimitError
            A game that leaves three heaps or more has too large heaps.

        Notes
        -----
        Games that split heaps in two use a sparse space: O(n r) with r rare heaps, of which many games have few, plus
        the splits that each value needs. Tried plainly they take O(n**2), games of three parts O(n**2 v) with v values.
        Where only finitely many amounts may be taken, or all but finitely many, and nothing splits: O(n).

        References
        ----------
        J. P. Grossman, Searching for periodicity in Officers, Games of No Chance 5 (2019).

        Examples
        --------
        >>> grundy_game().grundy_values(20).tolist()
        [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0]
        """
        if method not in _METHODS:
            raise OptionError(f"unknown method {shorten(method)}: expected one of {', '.join(_METHODS)}")
        _check_heap(n)
        return self._extend(np.zeros(0, np.uint16), n + 1, engine, method == "dense", progress)

    def period(self, limit: int, *, engine: str = "auto", progress: Progress | None = None) -> PeriodCertificate | None:
        """Return the proved period of the values, or None where heaps up to a limit do not prove one.

        Parameters
        ----------
        limit : int
            The largest heap to compute; fewer are computed where they suffice.
        engine : {"auto", "plain", "compiled"}
        progress : callable, optional
            Called as ``progress(heaps_done, heaps_total)`` now and then.

        Raises
        ------
        OptionError
            The limit is no number of heaps.

        Notes
        -----
        A game whose moves take at most k and leave at most h heaps: if g(n + p) = g(n) for n0 <= n < h n0 + (h - 1) p
        + k, with n0 >= 1, then for all n >= n0. For a larger heap n + p has a part of at least n0 + p in any option,
        and that part less p makes an option of n of the same value; and back. For h = 2 this is the theorem of Guy
        and Smith.

        Take any number but those of a finite set X with the maximum m: if g(n + p) = g(n) + s for n0 <= n <= n0 + 2m,
        then for all n >= n0. The values so far are 0..u-1; a heap gets u, or a value all of whose heaps lie within m
        below it, and one of m + 1 heaps in a row is the first of its value; so 2m + 1 heaps settle the next.

        No period is claimed for other games.

        References
        ----------
        R. K. Guy, C. A. B. Smith, The G-values of various games, Proc. Cambridge Philosophical Society 52 (1956).

        Examples
        --------
        >>> found = octal("0.07").period(1000)
        >>> found.preperiod, found.period, found.last_exception
        (53, 34, 52)
        >>> grundy_game().period(1000) is None
        True
        """
        _check_heap(limit)
        theorem = self._rules.theorem
        values = np.zeros(0, np.uint16)
        while theorem is not None and len(values) <= limit:
            values = self._extend(values, min(limit + 1, max(_FIRST_HEAPS, 2 * len(values))), engine, False, progress)
            found = find_period(self.name, values, theorem, engine)
            if found is not None:
                return found
        return None

    def holds(self, certificate: PeriodCertificate, *, engine: str = "auto", progress: Progress | None = None) -> bool:
        """Check a certificate by trying every move of the heaps that its proof needs.

        Parameters
        ----------
        certificate : PeriodCertificate
            Perhaps from elsewhere. That no shorter period or preperiod would do is not checked.
        engine : {"auto", "plain", "compiled"}
        progress : callable, optional
            Called as ``progress(heaps_done, heaps_total)`` now and then.

        Notes
        -----
        O(n**2) for n heaps of a game that splits, by none of the code that found the period.

        Examples
        --------
        >>> kayles = octal("0.77")
        >>> kayles.holds(kayles.period(1000)), octal("0.76").holds(kayles.period(1000))
        (True, False)
        """
        theorem = self._rules.theorem
        if theorem is None or (certificate.saltus and not theorem.arithmetic):
            return False
        needed = int(theorem.last_heap(np.array(certificate.preperiod), np.array(certificate.period)))
        values = self.grundy_values(needed, method="dense", engine=engine, progress=progress)
        return all(certificate.value(heap) == value for heap, value in enumerate(values.tolist()))

    @property
    def provable(self) -> bool:
        """Whether a theorem is known here that proves periods of such a game."""
        return self._rules.theorem is not None

    def _extend(self, known: Array, stop: int, engine: str, dense: bool, progress: Progress | None) -> Array:
        return self._rules.extend(known, stop, engine=engine, dense=dense, progress=progress)


class _OwnRules(Heap):
    """A heap game by a function."""

    def __init__(self, options: Callable[[int], Iterable[Any]]) -> None:
        self._options = options

    def options(self, position: int) -> Iterator[Hashable]:
        return (Sum(option) if isinstance(option, tuple) else option for option in self._options(position))


def octal(text: str) -> HeapGame:
    """Return an octal game, by its code or its name.

    Parameters
    ----------
    text : str
        A code such as ``0.77``, or one of :data:`NAMED`.

    Raises
    ------
    ParseError
        The code is wrong; points at the place.

    Examples
    --------
    >>> octal("officers").grundy_values(12).tolist()
    [0, 0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 4, 0]
    """
    rules = _read(Octal, NAMED.get(text, text))
    return _of_code(rules, f"octal{{{rules.arguments}}}")


def code(text: str) -> HeapGame:
    """Return a taking-and-breaking game by its code of digits 0-9 and A-V.

    Parameters
    ----------
    text : str

    Raises
    ------
    ParseError
        The code is wrong; points at the place.

    Examples
    --------
    >>> code("0.3F").grundy_values(12).tolist()
    [0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5, 6]
    """
    rules = _read(Code, text)
    return _of_code(rules, f"code{{{rules.arguments}}}")


def grundy_game() -> HeapGame:
    """Return Grundy's game: split a heap into two of different sizes.

    Examples
    --------
    >>> int(grundy_game().grundy_values(1000).max())
    28
    """
    return HeapGame("grundy", Grundy(), TakeAndBreak({0: 4}, unequal=True))


def lasker() -> HeapGame:
    """Return Lasker's Nim: take any positive number, or split a heap in two.

    Examples
    --------
    >>> lasker().grundy_values(8).tolist()
    [0, 1, 2, 4, 3, 5, 6, 8, 7]
    """
    return HeapGame("lasker", Lasker(), Growing(lambda heap: {0: 4} | dict.fromkeys(range(1, heap + 1), 3)))


def subtraction(amounts: Collection[int] | str = "any", excluded: Collection[int] = ()) -> HeapGame:
    """Return a subtraction game: take a number that is allowed.

    Parameters
    ----------
    amounts : collection of int or {"odd", "even", "any"}
        What one may take.
    excluded : collection of int
        What one may not take.

    Raises
    ------
    ValueError
        A number below 1, or an unknown rule.

    Examples
    --------
    >>> found = subtraction([2, 3, 7]).period(100)
    >>> found.preperiod, found.period, found.values
    (0, 5, (0, 0, 1, 1, 2))
    >>> found = subtraction(excluded=[2, 3, 7]).period(100)
    >>> found.preperiod, found.period, found.saltus
    (0, 4, 2)
    """
    if not isinstance(amounts, str):
        amounts, excluded = set(amounts) - set(excluded), ()
    return _of_subtraction(Subtraction(amounts, excluded))


def rule(options: Callable[[int], Iterable[Any]], name: str = "rule") -> HeapGame:
    """Return the game of a Python function: heap -> options, each a smaller heap or a tuple of smaller heaps.

    Parameters
    ----------
    options : callable
    name : str

    Raises
    ------
    RulesetError
        When its values are asked for: the function fails, or gives a heap that is not smaller.

    Examples
    --------
    >>> squares = rule(lambda n: [n - k * k for k in range(1, n + 1) if k * k <= n])
    >>> squares.grundy_values(9).tolist()
    [0, 1, 0, 1, 2, 0, 1, 0, 1, 2]
    """
    return HeapGame(name, _OwnRules(options), Own(options))


def game(text: str) -> HeapGame:
    """Return the game that a text names: a code, a name, or a game of heaps as the notation writes it.

    Parameters
    ----------
    text : str
        Such as ``0.77``, ``0.3F``, ``officers``, ``grundy``, ``take{1,3,4}``.

    Raises
    ------
    ParseError
        It names none, or a code is wrong; points at the place.
    RulesetError
        The catalogue has no such game, or it is not played with heaps.

    Examples
    --------
    >>> game("take{1,2}").grundy_values(6).tolist()
    [0, 1, 2, 0, 1, 2, 0]
    """
    name = text.strip()
    if name in NAMED:
        return octal(name)
    match = _NOTATION.fullmatch(text)
    if match is None:
        return code(text) if _LARGE_DIGIT.search(text) else octal(text)
    try:
        rules = ruleset(match["name"], match["arguments"] or "")
    except ParseError as error:
        error.column, error.line, error.text = (error.column or 1) + max(match.start("arguments"), 0), 1, text
        raise
    return _of_ruleset(rules, name)


def _of_ruleset(rules: Ruleset, name: str) -> HeapGame:
    if isinstance(rules, Code):
        return _of_code(rules, name)
    if isinstance(rules, Subtraction):
        return _of_subtraction(rules)
    if isinstance(rules, Grundy):
        return grundy_game()
    if isinstance(rules, Lasker):
        return lasker()
    if isinstance(rules, Heap):
        return HeapGame(name, rules, Own(rules.options))
    raise RulesetError(f"{name} is not played with heaps: expected a code, or a game such as grundy or take{{1,3}}")


def _read(kind: type[Code], text: str) -> Code:
    try:
        return kind(text)
    except ParseError as error:
        error.line, error.text = 1, text
        raise


def _of_code(rules: Code, name: str) -> HeapGame:
    return HeapGame(name, rules, TakeAndBreak({amount: digit for amount, digit in enumerate(rules.digits) if digit}))


def _of_subtraction(rules: Subtraction) -> HeapGame:
    name = f"take{{{rules.arguments}}}"
    if not isinstance(rules.amounts, str):
        return HeapGame(name, rules, TakeAndBreak(dict.fromkeys(rules.amounts, 3)))
    if rules.amounts == "any":
        return HeapGame(name, rules, AllBut(tuple(sorted(rules.excluded))))
    return HeapGame(name, rules, Growing(lambda heap: {heap - left: 3 for left in rules.options(heap)}))


def _check_heap(n: int) -> None:
    if not 0 <= n <= _MOST_HEAPS:
        raise OptionError(f"invalid heap {shorten(n)}: expected 0..{_MOST_HEAPS}; a proved period gives larger ones")
