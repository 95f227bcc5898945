"""Games of taking from a heap: subtraction games, and Bash's game."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable
from itertools import filterfalse, groupby, repeat

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.compiled.engine import Progress, report
from graphgame.errors import Message, ParseError
from graphgame.labs.heaps.heapgame import HeapGame
from graphgame.labs.heaps.packed import HeapValues
from graphgame.labs.heaps.rules import AllBut, Growing, HeapRules, TakeAndBreak
from graphgame.labs.heaps.values import check_heap
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.nim import Heap
from graphgame.rules.parsing import ranges
from graphgame.rules.ruleset import About, Bounded, Ruleset

_RULES = {"any": (1, 1), "odd": (1, 2), "even": (2, 2)}
"""Word -> the first amount, and how much later the next."""

_FORMULAS: dict[str, tuple[Callable[[int], int], str]] = {
    "odd": (lambda heap: heap % 2, "mod 2"),
    "even": (lambda heap: heap // 2, "// 2"),
}
"""Word -> the value of a heap, and how it is written."""
_RUN = 5
"""So many numbers in a row are said as a range."""

_LONGEST_STATEMENT = 1_500
"""Moves that take more characters to say are not declared."""

_STATEMENTS = {"any": "", "odd": " and (n - n') % 2 = 1", "even": " and (n - n') % 2 = 0"}


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
        "A subtraction game: take a number from one heap that the subtraction set allows.",
        "``take{1,3,4}(10)`` allows 1, 3 and 4; ``take{odd}``, ``take{even}`` and ``take{any}`` allow what they say; "
        "``take{not 2,3}`` or ``take{all but 2,3}`` allows all but 2 and 3; ``take{1..5}`` allows 1 to 5.",
        theorem="A finite subtraction set has a periodic sequence of values (pigeonhole on windows of the largest "
        "amount). Of odd numbers a heap of n has the value n mod 2, of even ones n // 2, of any n, of 1 to k n mod (k "
        "+ 1).",
        source="E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 4.",
    )

    def __init__(self, amounts: Collection[int] | str = "any", excluded: Collection[int] = ()) -> None:
        if isinstance(amounts, str) and amounts not in _RULES:
            raise ValueError(
                Message(
                    "unknown rule {amounts!r}: expected one of {rules}, or a set of numbers", amounts, ", ".join(_RULES)
                )
            )
        if any(amount < 1 for amount in (*excluded, *(() if isinstance(amounts, str) else amounts))):
            raise ValueError(Message("one may take only positive numbers: expected 1 or more"))
        formula: tuple[Callable[[int], int], str] | None = None
        if isinstance(amounts, str):
            but = f"not {_listed(sorted(set(excluded)))}" if excluded else ""
            arguments = but if but and amounts == "any" else f"{amounts} {but}".strip()
            formula = _FORMULAS.get(arguments)
            statement = f"n' < n{_STATEMENTS[amounts]}"
            statement += "".join(f" and n - n' != {amount}" for amount in sorted(set(excluded)))
            rules = _all_but(amounts, frozenset(excluded))
        else:
            amounts = sorted(set(amounts) - set(excluded))
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
        """Return the rules for ``1,3,4``, ``1..5``, ``up to 5``, ``odd``, ``even``, ``any``, ``not 2,3``."""
        rule = text.strip()
        if not rule:
            raise ParseError("expected what one may take, such as 1,3,4 or odd", column=1)
        if rule in _RULES:
            return cls(rule)
        if found := re.search(r"(?:not|all but)\s", text):
            allowed = text[: found.start()].strip()
            if allowed in ("", *_RULES):
                return cls(allowed or "any", _amounts(text[found.end() :], found.end()))
        if found := re.match(r"\s*up to\s", text):
            most = _amounts(text[found.end() :], found.end())
            if len(most) > 1:
                raise ParseError("expected one number after up to", column=found.end() + 1)
            return cls(range(1, most[0] + 1))
        return cls(_amounts(text, 0))

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return which differences are allowed."""
        told = size == 1 and len(self._statement) <= _LONGEST_STATEMENT
        return DeclaredMoves(("n",), (self._statement,)) if told else None

    def declared_family(self, arguments: str) -> DeclaredMoves | None:
        """Return the moves of ``take{k}``, ``take{1..k}``, ``take{1,k}`` and the like, for all k."""
        fields = [re.fullmatch(r"([1-9]\d{0,5}|k)(?:\.\.([1-9]\d{0,5}|k))?", field) for field in arguments.split(",")]
        if None in fields:
            return None
        return _family(*(f"{each[1]} <= n - n' <= {each[2] or each[1]}" for each in fields if each))

    def packed_values(
        self,
        n: int,
        known: HeapValues | None = None,
        *,
        goal: int | None = None,
        engine: str = "auto",
        progress: Progress | None = None,
    ) -> HeapValues:
        """Return the values by a formula where every move tried would take the square of n; else as any game does."""
        if self.arguments not in _FORMULAS:
            return super().packed_values(n, known, goal=goal, engine=engine, progress=progress)
        check_heap(n)
        values: Array = np.arange(n + 1, dtype=np.min_scalar_type(n))
        values = values // 2 if self.arguments == "even" else values % 2
        report(progress, n + 1, n + 1)
        return values

    def closed_form(self, position: int) -> int | None:
        """Return the value by a formula, else by the period."""
        return super().closed_form(position) if self._formula is None else self._formula[0](position)

    def reason(self, position: int) -> str | None:
        """Return the formula with its numbers, else that of the period."""
        if self._formula is None:
            return super().reason(position)
        return f"{position} {self._formula[1]} = {self._formula[0](position)}"

    def options_of_value(self, position: int, value: int) -> Iterable[Hashable]:
        """Return the options of this value; where most amounts are allowed, without trying them all."""
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

    bound = Message("the most one may take")

    @property
    def row_code(self) -> str:  # type: ignore[override]
        """0. and a 3 for each number that one may take."""
        return f"0.{'3' * self.most}"

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return that 1 to k may be taken."""
        return DeclaredMoves(("n",), (f"n' < n and n - n' <= {self.most}",)) if size == 1 else None

    def declared_family(self, arguments: str) -> DeclaredMoves | None:
        """Return that 1 to k may be taken, for all k."""
        return _family("n' < n and n - n' <= k") if arguments == "k" else None

    def options(self, position: int) -> range:
        return range(max(0, position - self.most), position)

    def closed_form(self, position: int) -> int:
        return position % (self.most + 1)

    def reason(self, position: int) -> str:
        """Return n mod (k + 1) with its numbers."""
        return f"{position} mod {self.most + 1} = {self.closed_form(position)}"

    def least_size(self, position: int) -> tuple[int, int]:
        """Return how many heaps there are, and half of their moves or more."""
        return position + 1, position * min(self.most, position) // 2

    def options_of_value(self, position: int, value: int) -> Iterable[Hashable]:
        """Return the one option of this value, if there is one."""
        end = position - (position - value) % (self.most + 1)
        return [end] if value <= self.most and 0 <= end < position else []


def _family(*statements: str) -> DeclaredMoves:
    """Return moves of a heap of n by rules with a number k, which stays."""
    return DeclaredMoves(("k", "n"), tuple(f"k' = k and {each}" for each in statements), "k >= 1", (0, 1))


def _all_but(rule: str, excluded: frozenset[int]) -> HeapRules:
    if rule == "any":
        return AllBut(tuple(sorted(excluded)))
    first, step = _RULES[rule]
    return Growing(lambda heap: zip(filterfalse(excluded.__contains__, range(first, heap + 1, step)), repeat(3)))


def _listed(amounts: Iterable[int]) -> str:
    return ",".join(map(str, amounts))


def _amounts(text: str, start: int) -> list[int]:
    return ranges(text, start, what=Message("what one may take"), least=1, most=10**6)


def _taken_statement(amounts: list[int]) -> str:
    """Return that one of some numbers, in their order, is taken, as a statement; many in a row are one range.

    >>> _taken_statement([2]), _taken_statement([1, 3]), _taken_statement([*range(1, 9), 20])
    ("n - n' = 2", "n - n' in {1, 3}", "1 <= n - n' <= 8 or n - n' = 20")
    """
    parts, few = [], []
    for _, group in groupby(enumerate(amounts), lambda each: each[1] - each[0]):
        run = [amount for _, amount in group]
        if len(run) < _RUN:
            few += run
        else:
            parts.append(f"{run[0]} <= n - n' <= {run[-1]}")
    if few:
        parts.append(f"n - n' in {{{', '.join(map(str, few))}}}" if len(few) > 1 else f"n - n' = {few[0]}")
    return " or ".join(parts) or "False"
