"""The one-heap games and what they are called."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from typing import Any

from graphgame.errors import ParseError, RulesetError
from graphgame.games.breaking import Couples, Grundy, Lasker, Split
from graphgame.games.heap import Heap
from graphgame.games.octal import Code, Octal
from graphgame.games.registry import ruleset
from graphgame.games.subtraction import Subtraction
from graphgame.heaps.arithmetic import Splits
from graphgame.heaps.heapgame import HeapGame
from graphgame.heaps.rules import AllBut, Equal, Growing, Own, TakeAndBreak
from graphgame.rules.ruleset import Ruleset, Sum

__all__ = [
    "NAMED",
    "HeapGame",
    "code",
    "couples",
    "game",
    "grundy_game",
    "lasker",
    "octal",
    "rule",
    "split",
    "subtraction",
]

NAMED = {
    "dawson-chess": "0.137",
    "dawson-kayles": "0.07",
    "guiles": "0.15",
    "kayles": "0.77",
    "officers": "0.6",
    "treblecross-strip": "0.007",
}
"""Name -> code, for the octal games that have a name."""

_NOTATION = re.compile(r"\s*(?P<name>[A-Za-z][\w-]*)\s*(?:\{(?P<arguments>[^{}]*)\})?\s*")
_LARGE_DIGIT = re.compile("[89A-Va-v]")


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
    return HeapGame("grundy", Grundy(), TakeAndBreak({0: 4}, unequal=True, distinct=True))


def lasker() -> HeapGame:
    """Return Lasker's Nim: take any positive number, or split a heap in two.

    Examples
    --------
    >>> lasker().grundy_values(8).tolist()
    [0, 1, 2, 4, 3, 5, 6, 8, 7]
    """
    moves = Growing(lambda heap: {0: 4} | dict.fromkeys(range(1, heap + 1), 3), Splits({0: 4}, any_amount=True))
    return HeapGame("lasker", Lasker(), moves)


def couples() -> HeapGame:
    """Return Couples are Forever: split a heap in two, but never a heap of 2.

    Examples
    --------
    >>> couples().grundy_values(12).tolist()
    [0, 0, 0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 4]
    """
    return HeapGame("couples", Couples(), TakeAndBreak({0: 4}, least=3))


def split(least: int = 2, most: int | None = 2, kind: str = "") -> HeapGame:
    """Return the game of splitting a heap into least..most heaps.

    Parameters
    ----------
    least, most : int
        2..4; or ``most`` None: any number, which only equal heaps may be.
    kind : {"", "equal", "unequal", "not all equal"}
        Which sizes the heaps may have; no two are the same if unequal.

    Raises
    ------
    OptionError
        There are no such rules.

    Examples
    --------
    >>> split(2, None, "equal").grundy_values(15).tolist()
    [0, 0, 1, 1, 1, 1, 2, 1, 1, 2, 2, 1, 2, 1, 2, 2]
    >>> split(2, 3, "not all equal").grundy_values(10).tolist()
    [0, 0, 0, 1, 2, 3, 0, 4, 1, 5, 3]
    >>> split(3, 3, "unequal").grundy_values(14).tolist()
    [0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 0, 3]
    """
    return _of_split(Split(least, most, kind))


def subtraction(
    amounts: Collection[int] | Callable[[int], bool] | str = "any", excluded: Collection[int] = ()
) -> HeapGame:
    """Return a subtraction game: take a number that is allowed.

    Parameters
    ----------
    amounts : collection of int, callable or {"odd", "even", "any"}
        What one may take; a callable tells of an amount, 1 or more, whether one may.
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
    >>> from math import isqrt
    >>> subtraction(lambda amount: isqrt(amount) ** 2 == amount).grundy_values(9).tolist()
    [0, 1, 0, 1, 2, 0, 1, 0, 1, 2]
    """
    if callable(amounts):
        return _of_predicate(amounts, frozenset(excluded))
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
    if match is None and (start := _NOTATION.match(text)) and set(text) & set("{}()"):
        wanted = "expected a game alone, such as grundy or take{1,3}"
        raise ParseError(wanted, text=text, line=1, column=start.end() + 1)
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
    if isinstance(rules, Couples):
        return couples()
    if isinstance(rules, Split):
        return _of_split(rules)
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


def _of_split(rules: Split) -> HeapGame:
    name = f"split{{{rules.arguments}}}"
    if rules.kind == "equal":
        return HeapGame(name, rules, Equal(rules.least, rules.most))
    leaves = sum(1 << parts for parts in range(rules.least, (rules.most or 0) + 1))
    return HeapGame(name, rules, TakeAndBreak({0: leaves}, bool(rules.kind), distinct=rules.kind == "unequal"))


def _of_predicate(allowed: Callable[[int], bool], excluded: frozenset[int]) -> HeapGame:
    def amounts(heap: int) -> Iterator[int]:
        return (amount for amount in range(1, heap + 1) if amount not in excluded and allowed(amount))

    rules = _OwnRules(lambda heap: [heap - amount for amount in amounts(heap)])
    return HeapGame("take{...}", rules, Growing(lambda heap: dict.fromkeys(amounts(heap), 3)))
