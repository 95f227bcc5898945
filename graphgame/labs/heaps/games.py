"""The one-heap games and what they are called.

Among them are games of splitting, into as many heaps, of the sizes that the rules say, and Couples are Forever.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar, get_args

from graphgame.errors import Message, OptionError, ParseError, RulesetError
from graphgame.labs.heaps.codes import Code, Octal
from graphgame.labs.heaps.heapgame import HeapGame
from graphgame.labs.heaps.partitions import Sizes
from graphgame.labs.heaps.rules import ByFunction, Equal, Growing, TakeAndBreak
from graphgame.labs.heaps.subtraction import Subtraction
from graphgame.rules.catalogue import CATALOGUE, ruleset
from graphgame.rules.nim import Heap
from graphgame.rules.parsing import ARGUMENTS
from graphgame.rules.ruleset import About, Ruleset

_MOST_HEAPS = 4
_SPLIT = re.compile(
    r"\s*(?:(?P<least>\d{1,9})(?:\s*\.\.\s*(?P<most>\d{1,9}))?)?\s*(?P<kind>|equal|unequal|not\s+all\s+equal)\s*",
    re.ASCII,
)


class Couples(HeapGame):
    """The rules of Couples are Forever.

    Examples
    --------
    >>> list(Couples().options(5)), list(Couples().options(2))
    ([Sum(1, 4), Sum(2, 3)], [])
    """

    about = About(
        "Couples are Forever: split a heap in two, but never a heap of 2.",
        "``couples(9)`` is a heap of 9.",
        theorem="A heap of n + 1 has the value of n in Officers, the octal game 0.6: whether the values are periodic "
        "is open.",
        source="I. Caines, C. Gates, R. K. Guy, R. J. Nowakowski, Periods in taking and splitting games, American "
        "Mathematical Monthly 106 (1999). OEIS A046695.",
    )

    def __init__(self) -> None:
        super().__init__(TakeAndBreak({0: 4}, least=3), "couples")


class Split(HeapGame):
    """The rules of games that split heaps.

    Examples
    --------
    >>> list(Split(2, 3, "not all equal").options(6))
    [Sum(1, 5), Sum(2, 4), Sum(1, 1, 4), Sum(1, 2, 3)]
    >>> list(Split(3, 3, "unequal").options(8))
    [Sum(1, 2, 5), Sum(1, 3, 4)]
    >>> list(Split(2, None, "equal").options(6))
    [Sum(3, 3), Sum(2, 2, 2), Sum(1, 1, 1, 1, 1, 1)]
    """

    about = About(
        "Split a heap into two or more, of which sizes the rules say.",
        "``split{2..3}(9)`` splits a heap into 2 or 3; ``split{unequal}(9)`` into two of different sizes, as Grundy's "
        "game does; ``split{2..3 unequal}(9)`` into 2 or 3, no two of one size, ``split{2..3 not all equal}(9)`` into "
        "2 or 3 that are not all of one size; ``split{equal}(9)`` into any number of equal heaps, ``split{2..3 "
        "equal}(9)`` into 2 or 3.",
        theorem="Split into any number of equal heaps: the value is the number of odd prime factors of the heap, each "
        "as often as it divides it, and 1 more if the heap is even. For an even number of equal heaps has the value 0, "
        "an odd number that of one.",
        source="P. M. Grundy, Mathematics and games, Eureka 2 (1939).",
    )

    def __init__(self, least: int = 2, most: int | None = 2, kind: Sizes = "") -> None:
        if kind not in get_args(Sizes):
            raise OptionError(
                "unknown kind {kind!r}: expected one of {kinds}", kind, ", ".join(map(repr, get_args(Sizes)))
            )
        if not 2 <= least <= (least if most is None else most) or (
            kind != "equal" and (most or _MOST_HEAPS + 1) > _MOST_HEAPS
        ):
            wanted = Message("2 or more") if kind == "equal" else f"2 to {_MOST_HEAPS}"
            raise OptionError(
                "a move cannot leave {least}..{most} heaps: expected {expected}, the smaller number first",
                least,
                most,
                wanted,
            )
        if most == 2 and kind == "not all equal":
            kind = "unequal"
        number = "" if most is None else f"{least}" if least == most else f"{least}..{most}"
        arguments = "unequal" if (most, kind) == (2, "unequal") else f"{number} {kind}".strip()
        rules = TakeAndBreak({0: (2 << most) - (1 << least)}, kind) if most and kind != "equal" else Equal(least, most)
        super().__init__(rules, f"split{{{arguments}}}", arguments)

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for ``2..3``, ``unequal``, ``3 unequal``, ``2..3 not all equal``, ``equal``, ``3 equal``."""
        found = _SPLIT.fullmatch(text)
        if found is None or not text.strip():
            raise ParseError(
                "expected how a heap is split, such as 2..3, unequal, equal or 2..3 not all equal", column=1
            )
        kind: Sizes = " ".join(found["kind"].split())  # type: ignore[assignment]
        least = int(found["least"] or 2)
        most = int(found["most"]) if found["most"] else None if found["least"] is None and kind == "equal" else least
        try:
            return cls(least, most, kind)
        except OptionError as error:
            raise ParseError(str(error), column=1) from None


NAMED = {entry.name: entry.fixed for entry in CATALOGUE.values() if entry.fixed and entry.fixed.startswith("0.")}
NAMED["treblecross-strip"] = "0.007"
"""Name -> code, for the octal games that have a name."""

_NOTATION = re.compile(rf"\s*+(?P<name>[A-Za-z][\w-]*+)\s*+{ARGUMENTS}")
AnyCode = TypeVar("AnyCode", bound=Code)


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
    return _read(Octal, NAMED.get(text, text))


def code(text: str) -> HeapGame:
    """Return a taking-and-breaking game by its code of digits 0-9 and A-V (:mod:`graphgame.labs.heaps.codes`).

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
    return _read(Code, text)


def grundy_game() -> HeapGame:
    """Return Grundy's game: split a heap into two of different sizes.

    Examples
    --------
    >>> int(grundy_game().grundy_values(1000).max())
    28
    """
    return game("grundy")


def lasker() -> HeapGame:
    """Return Lasker's Nim: take any positive number, or split a heap in two.

    Examples
    --------
    >>> lasker().grundy_values(8).tolist()
    [0, 1, 2, 4, 3, 5, 6, 8, 7]
    """
    return game("lasker")


def couples() -> HeapGame:
    """Return Couples are Forever: split a heap in two, but never a heap of 2.

    Examples
    --------
    >>> couples().grundy_values(12).tolist()
    [0, 0, 0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 4]
    """
    return Couples()


def split(least: int = 2, most: int | None = 2, kind: Sizes = "") -> HeapGame:
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
    return Split(least, most, kind)


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
    if not callable(amounts):
        return Subtraction(amounts, excluded)
    none = frozenset(excluded)
    rules = Growing(lambda heap: ((k, 3) for k in range(1, heap + 1) if k not in none and amounts(k)))
    return HeapGame(rules, "take{...}")


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
    return HeapGame(ByFunction(options), name)


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
        wanted = Message("expected a game alone, such as grundy or take{1,3}")
        raise ParseError(wanted, text=text, line=1, column=start.end() + 1)
    if match is None:
        rules = _read(Code, text)
        return rules if rules.digits.parts not in (1, 2) else octal(text)
    try:
        found = ruleset(match["name"], match["arguments"] or "")
    except ParseError as error:
        error.column, error.line, error.text = (error.column or 1) + max(match.start("arguments"), 0), 1, text
        raise
    if isinstance(found, HeapGame):
        found.name = found.name if found.arguments else name
        return found
    if found.row_code:
        row = game(found.row_code)
        row.name = row.row_of = name
        return row
    if isinstance(found, Heap):
        made = rule(getattr(found, "row_options", found.options), name)
        made.ends_at_once = found.decides
        return made
    raise RulesetError("{name} is not played with heaps: expected a code, or a game such as grundy or take{1,3}", name)


def _read(kind: type[AnyCode], text: str) -> AnyCode:
    try:
        return kind(text)
    except ParseError as error:
        error.line, error.text = 1, text
        raise
