"""Games on one heap, and functions that return them by name or by code.

They include subtraction games, Bash's game, games of splitting heaps, Couples are Forever, and mixed heaps (each heap
has its own rule).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from itertools import filterfalse, groupby, repeat
from typing import Any, TypeVar, get_args

from graphgame.errors import (
    Message,
    ParameterError,
    ParseError,
    RulesetError,
    checks_parameters,
    is_integer,
    wrong_value,
)
from graphgame.labs.heaps.codes import Code, Octal
from graphgame.labs.heaps.heapgame import HeapGame
from graphgame.labs.heaps.rules import AllBut, ByFunction, Equal, Growing, HeapRules, Sizes, TakeAndBreak
from graphgame.labs.shared_rules import Bounded, labelled_heap, number_and_rest, ranges
from graphgame.rules.catalogue import CATALOGUE, ruleset
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.nim import Heap, Nim
from graphgame.rules.parsing import ARGUMENTS, fields, integer
from graphgame.rules.pictures import Picture
from graphgame.rules.ruleset import About, Ruleset, Sum, sum_of
from graphgame.solution.results import Value

_MOST_TAKEN = 10**6
"""The largest number that a text may put into a subtraction set."""

_MOST_HEAPS = 4
"""The maximum number of heaps into which a split may divide a heap, unless they are equal."""

_SPLIT = re.compile(
    r"\s*(?:(?P<least>\d{1,9})(?:\s*\.\.\s*(?P<most>\d{1,9})|\s*(?P<endless>\.\.)(?=\s*equal))?)?"
    r"\s*(?P<kind>|equal|unequal|not\s+all\s+equal)\s*",
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
        "Split a heap into two or more heaps; the rules restrict how many there may be, and their sizes.",
        "``split{2..3}(9)`` splits a heap of 9 into 2 or 3 heaps. ``split{unequal}(9)`` splits it into 2 unequal "
        "heaps, as in Grundy's game. ``split{2..3 unequal}(9)`` makes 2 or 3 heaps, all different in size, "
        "``split{2..3 not all equal}(9)`` 2 or 3 heaps that are not all equal, ``split{2..3 equal}(9)`` 2 or 3 equal "
        "heaps, and ``split{equal}(9)`` any number of equal heaps.",
        theorem="If a heap may be split into any number of equal heaps, its value is the number of its odd prime "
        "factors, counted with multiplicity, plus 1 if the heap is even: an even number of equal heaps has the value "
        "0, an odd number has the value of one of them.",
        source="P. M. Grundy, Mathematics and games, Eureka 2 (1939).",
    )

    def __init__(self, least: int = 2, most: int | None = 2, kind: Sizes = "") -> None:
        if kind not in get_args(Sizes):
            raise ParameterError(
                "unknown kind of split {kind!r}: expected one of {kinds}", kind, ", ".join(map(repr, get_args(Sizes)))
            )
        if not 2 <= least <= (least if most is None else most) or (
            kind != "equal" and (most or _MOST_HEAPS + 1) > _MOST_HEAPS
        ):
            expected = Message("2 or more") if kind == "equal" else f"2 to {_MOST_HEAPS}"
            raise ParameterError(
                "a move cannot leave {least}..{most} heaps: expected {expected}, with the smaller number first",
                least,
                most,
                expected,
            )
        if most == 2 and kind == "not all equal":
            kind = "unequal"
        number = f"{least}" if least == most else f"{least}..{'' if most is None else most}"
        shown = kind if (least, most, kind) in ((2, None, "equal"), (2, 2, "unequal")) else f"{number} {kind}"
        arguments = shown.strip()
        rules = TakeAndBreak({0: (2 << most) - (1 << least)}, kind) if most and kind != "equal" else Equal(least, most)
        super().__init__(rules, f"split{{{arguments}}}", arguments)

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for a text such as ``2..3``, ``unequal``, ``2..3 not all equal`` or ``3 equal``."""
        match = _SPLIT.fullmatch(text)
        if match is None or not text.strip():
            raise ParseError(
                "expected the number of heaps, their sizes or both, such as 2..3, unequal, equal or 2..3 not all equal",
                column=1,
            )
        kind: Sizes = " ".join(match["kind"].split())  # type: ignore[assignment]
        least = int(match["least"] or 2)
        endless = kind == "equal" and (match["least"] is None or match["endless"])
        most = int(match["most"]) if match["most"] else None if endless else least
        try:
            return cls(least, most, kind)
        except ParameterError as error:
            raise ParseError(str(error), column=1) from None


NAMED = {
    **{entry.name: entry.fixed for entry in CATALOGUE.values() if entry.fixed and entry.fixed.startswith("0.")},
    "treblecross-strip": "0.007",
}
"""Name of an octal game -> its code, for codes that begin with "0."."""

_NOTATION = re.compile(rf"\s*+(?P<name>[A-Za-z][\w-]*+)\s*+{ARGUMENTS}")
_CODE = re.compile(r"\s*(?:[\w*!?=]|\{[^{}]*\})+\.[^:]*")
AnyCode = TypeVar("AnyCode", bound=Code)


@checks_parameters
def octal(text: str) -> HeapGame:
    """Return an octal game by its code or its name.

    Parameters
    ----------
    text : str
        A code such as ``0.77``, or a name in :data:`NAMED`.

    Raises
    ------
    ParseError
        The text is neither such a name nor an octal code. The error names the column.

    Examples
    --------
    >>> octal("officers").grundy_values(12).tolist()
    [0, 0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 4, 0]
    """
    return _read(Octal, NAMED.get(text, text))


@checks_parameters
def code(text: str) -> HeapGame:
    """Return a taking-and-breaking game by its code of digits 0-9 and A-V (:mod:`graphgame.labs.heaps.codes`).

    Parameters
    ----------
    text : str
        The code, such as ``0.3F``.

    Raises
    ------
    ParseError
        The code is wrong. The error names the column.

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


@checks_parameters
def split(least: int = 2, most: int | None = 2, kind: Sizes = "") -> HeapGame:
    """Return the game of splitting a heap into at least ``least`` and at most ``most`` heaps.

    Parameters
    ----------
    least, most : int
        From 2 to 4, ``least`` not above ``most``. If ``kind`` is "equal", they may be larger than 4, and ``most`` may
        be None: no upper bound.
    kind : {"", "equal", "unequal", "not all equal"}
        A restriction on the sizes of the heaps; "unequal" means that no two are equal.

    Raises
    ------
    ParameterError
        The arguments do not describe such a game.

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
    """Return a subtraction game: a move takes an allowed number from a heap.

    Parameters
    ----------
    amounts : collection of int, callable or {"odd", "even", "any"}
        The allowed amounts. A callable gets an amount, 1 or more, and returns whether it is allowed.
    excluded : collection of int
        Amounts that are not allowed, even if ``amounts`` allows them.

    Raises
    ------
    ParameterError
        An amount is not an integer of 1 or more, or ``amounts`` is a text but none of these words.

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
    none = _distinct("excluded", excluded)
    rules = Growing(lambda heap: ((k, 3) for k in range(1, heap + 1) if k not in none and amounts(k)))
    return HeapGame(rules, "take{...}")


@checks_parameters
def rule(options: Callable[[int], Iterable[Any]], name: str = "rule") -> HeapGame:
    """Return the game whose moves are given by a Python function.

    Parameters
    ----------
    options : callable
        Gets a heap and returns its options; each is a smaller heap or a tuple of smaller heaps.
    name : str
        The name of the game.

    Raises
    ------
    ParameterError
        ``options`` is not a function.
    RulesetError
        Later, when values are computed: the function raises an error, or returns any other kind of option.

    Examples
    --------
    >>> squares = rule(lambda n: [n - k * k for k in range(1, n + 1) if k * k <= n])
    >>> squares.grundy_values(9).tolist()
    [0, 1, 0, 1, 2, 0, 1, 0, 1, 2]
    """
    if not callable(options):
        raise wrong_value("options", options, Message("a function"))
    return HeapGame(ByFunction(options), name)


def game(text: HeapGame | str) -> HeapGame:
    """Return the one-heap game that a text names; return a HeapGame as it is.

    Parameters
    ----------
    text : HeapGame or str
        A code, a name, or a game in the notation: for example ``0.77``, ``0.3F``, ``officers``, ``take{1,3,4}``.

    Raises
    ------
    ParseError
        The text names no game, or the code is wrong. The error names the column.
    RulesetError
        The catalogue has no game of this name, or it is not a game on one heap.
    ParameterError
        ``text`` is neither a HeapGame nor a text.

    Examples
    --------
    >>> game("take{1,2}").grundy_values(6).tolist()
    [0, 1, 2, 0, 1, 2, 0]
    """
    if isinstance(text, HeapGame):
        return text
    if not isinstance(text, str):
        raise wrong_value("game", text, Message("a one-heap game, or its code or name, such as '0.77' or 'kayles'"))
    name = text.strip()
    if name in NAMED:
        return octal(name)
    match = _NOTATION.fullmatch(text)
    if match is None:
        # Codes and names may both begin with a letter. A text is a code if it has a point outside braces and no colon.
        if not _CODE.fullmatch(text) and (start := _NOTATION.match(text)) and set(text) & set("{}()"):
            message = Message("expected a game without a heap or a sum, such as grundy or take{1,3}")
            raise ParseError(message, text=text, line=1, column=start.end() + 1)
        of_code = _read(Code, text)
        return of_code if of_code.digits.parts not in (1, 2) else octal(text)
    try:
        rules = ruleset(match["name"], match["arguments"] or "")
    except ParseError as error:
        error.column, error.line, error.text = (error.column or 1) + max(match.start("arguments"), 0), 1, text
        raise
    if isinstance(rules, HeapGame):
        rules.name = rules.name if rules.arguments else name
        return rules
    if rules.row_code:
        row = game(rules.row_code)
        row.name = row.row_of = name
        return row
    if isinstance(rules, Bash) and rules.most <= _MOST_TAKEN:
        taking = Subtraction(range(1, rules.most + 1))
        taking.name = name
        return taking
    if isinstance(rules, Heap):
        by_function = rule(getattr(rules, "row_options", rules.options), name)
        by_function.ends_at_once = rules.decides
        return by_function
    raise RulesetError("{name} is not a game on one heap: expected a code, or a game such as grundy or take{1,3}", name)


def _read(kind: type[AnyCode], text: str) -> AnyCode:
    try:
        return kind(text)
    except ParseError as error:
        error.line, error.text = 1, text
        raise


_RULES = {"any": (1, 1), "odd": (1, 2), "even": (2, 2)}
"""Word for the allowed amounts -> the least amount, and the distance from an amount to the next."""

_FORMULAS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "odd": (lambda heap: heap % 2, "mod 2"),
    "even": (lambda heap: heap // 2, "// 2"),
}
"""Word for the allowed amounts -> a function that returns the value of a heap, or of each heap of an array; and the
text that follows the heap in the formula."""

_LEAST_RUN = 5
"""In a statement about moves, this many consecutive amounts or more are written as a range."""

_LONGEST_STATEMENT = 1_500
"""A subtraction game declares its moves only if their statement has at most this many characters."""

_STATEMENTS = {"any": "", "odd": " and (n - n') % 2 = 1", "even": " and (n - n') % 2 = 0"}
"""Word for the allowed amounts -> what the statement of the declared moves adds to n' < n."""


class Subtraction(HeapGame):
    """The rules of subtraction games.

    Examples
    --------
    >>> list(Subtraction([1, 3, 4]).options(3))
    [2, 0]
    >>> list(Subtraction("odd").options(4))
    [3, 1]
    """

    about = About(
        "A subtraction game: take from one heap a number of the subtraction set.",
        "``take{1,3,4}(10)`` allows 1, 3 and 4; ``take{odd}``, ``take{even}`` and ``take{any}`` allow all odd, all "
        "even and all numbers; ``take{not 2,3}`` or ``take{all but 2,3}`` allows all but 2 and 3; ``take{1..5}`` "
        "allows 1 to 5.",
        theorem="If the subtraction set is finite, the values are periodic from some heap on: a value depends only on "
        "the previous ones, as many as the largest number of the set, and these have finitely many combinations. A "
        "heap of n has the value n mod 2 if all odd numbers are allowed, n // 2 for all even numbers, n for all "
        "numbers, and n mod (k + 1) for 1 to k.",
        source="E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 4.",
    )

    def __init__(self, amounts: Collection[int] | str = "any", excluded: Collection[int] = ()) -> None:
        if isinstance(amounts, str) and amounts not in _RULES:
            raise ParameterError(
                "unknown rule {amounts!r}: expected one of {rules}, or a set of numbers", amounts, ", ".join(_RULES)
            )
        excluded = _distinct("excluded", excluded)
        formula: tuple[Callable[[Any], Any], str] | None = None
        if isinstance(amounts, str):
            but = f"not {_listed(sorted(excluded))}" if excluded else ""
            arguments = but if but and amounts == "any" else f"{amounts} {but}".strip()
            formula = _FORMULAS.get(arguments)
            statement = f"n' < n{_STATEMENTS[amounts]}"
            statement += "".join(f" and n - n' != {amount}" for amount in sorted(excluded))
            rules = _all_but(amounts, excluded)
        else:
            amounts = sorted(_distinct("amounts", amounts) - excluded)
            arguments = _listed(amounts)
            statement = _taken_statement(amounts)
            if (most := len(amounts)) == max(amounts, default=0):
                formula = lambda heap: heap % (most + 1), f"mod {most + 1}"
            rules = TakeAndBreak(dict.fromkeys(amounts, 3))
        super().__init__(rules, f"take{{{arguments}}}", arguments)
        self._formula = formula
        self._statement = statement

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for a text such as ``1,3,4``, ``1..5``, ``up to 5``, ``odd``, ``any`` or ``not 2,3``."""
        rule = text.strip()
        if not rule:
            raise ParseError("expected the numbers that may be taken, such as 1,3,4 or odd", column=1)
        if rule in _RULES:
            return cls(rule)
        if words := re.search(r"(?:not|all but)\s", text):
            allowed = text[: words.start()].strip()
            if allowed in ("", *_RULES):
                return cls(allowed or "any", _amounts(text[words.end() :], words.end()))
        if words := re.match(r"\s*up to\s", text):
            most = _amounts(text[words.end() :], words.end())
            if len(most) > 1:
                raise ParseError('expected one number after "up to"', column=words.end() + 1)
            return cls(range(1, most[0] + 1))
        return cls(_amounts(text, 0))

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return a statement about all moves from heap n to heap n', such as ``n - n' in {1, 3}``.

        Return None if ``size``, the number of heaps, is not 1, or if the statement has over 1,500 characters.
        """
        declares = size == 1 and len(self._statement) <= _LONGEST_STATEMENT
        return DeclaredMoves(("n",), (self._statement,)) if declares else None

    def declared_family(self, arguments: str) -> DeclaredMoves | None:
        """Return statements about the moves for all k of a family such as ``take{k}``, ``take{1..k}`` or ``take{1,k}``.

        ``arguments`` is the text in the braces. Return None unless it is a list without spaces, whose entries are k,
        numbers up to 999,999, and ranges of these.
        """
        fields = [re.fullmatch(r"([1-9]\d{0,5}|k)(?:\.\.([1-9]\d{0,5}|k))?", field) for field in arguments.split(",")]
        if None in fields:
            return None
        return _family(*(f"{each[1]} <= n - n' <= {each[2] or each[1]}" for each in fields if each))

    def closed_form(self, position: int) -> int | None:
        """Return the value by a formula if there is one, otherwise by a proved period; None without a proof."""
        return super().closed_form(position) if self._formula is None else self._formula[0](position)

    def reason(self, position: int) -> str | None:
        """Return the formula with its numbers, such as ``7 mod 4 = 3``.

        Without a formula, return what :meth:`HeapGame.reason` returns: a sentence with a proved period, or None.
        """
        if self._formula is None:
            return super().reason(position)
        return f"{position} {self._formula[1]} = {self._formula[0](position)}"

    def options_of_value(self, position: int, value: int) -> Iterable[Hashable]:
        """Return the options of this value: for ``odd`` and ``even`` by a formula, otherwise as HeapGame does."""
        if self.arguments == "odd":
            return range(position - 1, -1, -2) if value == 1 - position % 2 else ()
        if self.arguments == "even":
            heap = 2 * value + position % 2
            return (heap,) if heap < position else ()
        return super().options_of_value(position, value)


class Bash(Bounded, Heap):
    """The rules of Bash's game.

    Examples
    --------
    >>> Bash(3).closed_form(10)
    2
    """

    about = About(
        "Bash's game: take 1 to k from a heap.",
        "``bash{3}(10)`` is a heap of 10 from which one takes 1, 2 or 3.",
        theorem="A heap of n has the value n mod (k + 1).",
        source="C.-G. Bachet de Méziriac, Problèmes plaisants et délectables qui se font par les nombres (1612).",
    )

    bound = Message("the largest number that may be taken")

    @property
    def row_code(self) -> str:  # type: ignore[override]
        """The octal code of the game: "0." and then k times the digit 3, where k is the largest amount.

        It is empty if k is above 999, because a code has at most 1,000 digits.
        """
        return f"0.{'3' * self.most}" if self.most < 1000 else ""

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return the statement that a move takes 1 to k; None if ``size``, the number of heaps, is not 1."""
        return DeclaredMoves(("n",), (f"n' < n and n - n' <= {self.most}",)) if size == 1 else None

    def declared_family(self, arguments: str) -> DeclaredMoves | None:
        """Return a statement about the moves of all games ``bash{k}``; None if ``arguments`` is not the text "k"."""
        return _family("n' < n and n - n' <= k") if arguments == "k" else None

    def options(self, position: int) -> range:
        return range(max(0, position - self.most), position)

    def closed_form(self, position: int) -> int:
        return position % (self.most + 1)

    def reason(self, position: int) -> str:
        """Return the formula n mod (k + 1) with its numbers."""
        return f"{position} mod {self.most + 1} = {self.closed_form(position)}"

    def least_size(self, position: int) -> tuple[int, int]:
        """Return lower bounds for the numbers of positions and moves of the graph from a position."""
        return position + 1, position * min(self.most, position) // 2

    def options_of_value(self, position: int, value: int) -> Iterable[Hashable]:
        """Return a list of the one option with this value, or an empty list: no two options have the same value."""
        end = position - (position - value) % (self.most + 1)
        return [end] if value <= self.most and 0 <= end < position else []


def _family(*statements: str) -> DeclaredMoves:
    """Return the moves of all games of a family: position (k, n) is heap n in the game with the parameter k.

    Each statement is a condition on a move from n to n', such as ``n' < n and n - n' <= k``. A move must satisfy one
    of the statements.
    """
    return DeclaredMoves(("k", "n"), tuple(f"k' = k and {each}" for each in statements), "k >= 1", (0, 1))


def _distinct(name: str, amounts: object) -> frozenset[int]:
    """Return ``amounts`` as a set; raise a ParameterError unless it is a collection of integers of 1 or more.

    If it is not a collection, the error names the parameter ``name``.
    """
    if isinstance(amounts, str) or not isinstance(amounts, Iterable):
        raise wrong_value(name, amounts, Message("a collection of integers"))
    numbers = list(amounts)
    for amount in numbers:
        if (type(amount) is not int or amount < 1) and not is_integer(amount, 1):  # quick for a million amounts
            raise wrong_value("amount", amount, Message("an integer of {least} or more", 1))
    return frozenset(map(int, numbers))


def _all_but(rule: str, excluded: frozenset[int]) -> HeapRules:
    if rule == "any":
        return AllBut(tuple(sorted(excluded)))
    first, step = _RULES[rule]
    return Growing(
        lambda heap: zip(filterfalse(excluded.__contains__, range(first, heap + 1, step)), repeat(3)),
        formula=None if excluded else _FORMULAS[rule][0],
    )


def _listed(amounts: Iterable[int]) -> str:
    return ",".join(map(str, amounts))


def _amounts(text: str, start: int) -> list[int]:
    return ranges(text, start, what=Message("the size of a move"), least=1, most=_MOST_TAKEN)


def _taken_statement(amounts: list[int]) -> str:
    """Return the statement that one of the amounts is taken from heap n, which leaves n'.

    The amounts must be in increasing order. Five or more consecutive amounts are written as a range. Without amounts,
    return "False".

    >>> _taken_statement([2]), _taken_statement([1, 3]), _taken_statement([*range(1, 9), 20])
    ("n - n' = 2", "n - n' in {1, 3}", "1 <= n - n' <= 8 or n - n' = 20")
    """
    parts, single = [], []
    # In a run of consecutive amounts, the difference between an amount and its index is constant.
    for _, group in groupby(enumerate(amounts), lambda each: each[1] - each[0]):
        run = [amount for _, amount in group]
        if len(run) < _LEAST_RUN:
            single += run
        else:
            parts.append(f"{run[0]} <= n - n' <= {run[-1]}")
    if single:
        parts.append(f"n - n' in {{{', '.join(map(str, single))}}}" if len(single) > 1 else f"n - n' = {single[0]}")
    return " or ".join(parts) or "False"


_RULES_OF_HEAPS: tuple[Ruleset, ...] = (Bash(3), Subtraction("odd"), Nim())
"""The rules of the first and of the second mixed heap, and the rules of all later heaps."""


class Mixed(Ruleset):
    """The rules of mixed heaps: take 1 to 3 from the first heap, an odd number from the second, any from the others.

    A position is one heap, as a pair (number, size): the number is 1 for the first heap, 2 for the second, and 3 for
    all others. Several heaps are a :class:`Sum` of such pairs.

    Examples
    --------
    >>> rules = Mixed()
    >>> [rules.closed_form(heap) for heap in rules.parse("10,7,5,8")]
    [2, 1, 5, 8]
    """

    about = About(
        "Mixed heaps: take 1, 2 or 3 from the first heap, an odd number from the second, any number from the others.",
        "``mixed(10,7,5,8)`` has four heaps; ``mixed(3:5)`` is the third heap alone, with 5 objects.",
        theorem="A position is a heap's number (3 for the third heap and all later ones) and its size x. Several heaps "
        "are their sum. The values are x mod 4 for the first heap, x mod 2 for the second, and x for all others.",
    )

    def rules_at(self, position: tuple[int, int]) -> Ruleset:
        return _RULES_OF_HEAPS[position[0] - 1]

    def options(self, position: tuple[int, int]) -> Iterator[tuple[int, Hashable]]:
        number, size = position
        for option in self.rules_at(position).options(size):
            yield number, option

    def closed_form(self, position: tuple[int, int]) -> Value | None:
        return self.rules_at(position).closed_form(position[1])

    def reason(self, position: tuple[int, int]) -> str | None:
        """Return the reason that the rules of this heap state for its value, or None if they state none."""
        return self.rules_at(position).reason(position[1])

    def least_size(self, position: tuple[int, int]) -> tuple[int, int]:
        return self.rules_at(position).least_size(position[1])

    def options_of_value(self, position: tuple[int, int], value: int) -> Iterable[tuple[int, Hashable]]:
        number, size = position
        return ((number, option) for option in self.rules_at(position).options_of_value(size, value))

    def parse(self, text: str) -> Hashable:
        """Return the position of a text such as ``10,7,5`` or ``3:5``: a pair (number, size), or a sum of such pairs.

        Commas separate the heaps. A heap is written ``size`` or ``number:size``; if the i-th heap is written without a
        number, its number is i. Numbers above 3 become 3.
        """
        return sum_of(_heap(piece, start, number) for number, (piece, start) in enumerate(fields(text), 1))

    def format(self, position: Any) -> str:  # noqa: ANN401
        """Return ``number:size``, with commas between the heaps of a sum."""
        if isinstance(position, Sum):
            return ",".join(map(self.format, position))
        return f"{position[0]}:{position[1]}"

    def picture(self, position: tuple[int, int]) -> Picture | None:
        """Return a picture of the heap (number, size), with a label that shows the amounts that may be taken."""
        number, size = position
        return labelled_heap(("1–3", "1, 3, …", "1, 2, …")[number - 1], size)


def _heap(piece: str, start: int, number: int) -> tuple[int, int]:
    """Read a piece ``size`` or ``number:size`` of a text; return (number, size). A number above 3 becomes 3.

    If the piece has no number, return the argument ``number``. A heap with the number i has the i-th of
    ``_RULES_OF_HEAPS``. ``start`` is the index of the piece in the text, for the column of a ParseError.
    """
    if ":" in piece:
        number, piece, start = number_and_rest(piece, start, what=Message("a heap's number"), least=1)
    return min(number, len(_RULES_OF_HEAPS)), integer(piece, start, what=Message("a heap's size"))
