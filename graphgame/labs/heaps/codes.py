"""Taking-and-breaking games given by codes such as 0.77, 4!.0 or 0.[3].

::

    code  = { digit } "." { digit } [ "[" digit { digit } "]" ]
    digit = ( "0" .. "9" | "A" .. "V" | "*" | "{" count { "," count } [ "+" ] "}" ) [ mark ]
    count = number [ mark ]
    mark  = "!" | "?" | "="

The k-th digit after the point says into how many heaps the rest may be divided after taking k from a heap. The digit
before the point is for moves that take nothing and split the heap, the digit before that for moves that add 1, and so
on. The digits in brackets at the end repeat forever. Capital and small letters are the same digit.

Bit k of a digit allows the rest to be left as k heaps. Braces list the allowed numbers of heaps, ``+`` allows all
larger numbers, and ``*`` is ``{0+}``. A mark restricts moves that leave two heaps or more: ``!`` no two are equal,
``?`` not all are equal, ``=`` all are equal.

:func:`recognised` finds the code of a game that is given by a Python function, by comparing moves heap by heap. The
function may behave differently for larger heaps, so the result holds only up to the last heap compared. Games given by
codes or subtraction sets need no comparison.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, cycle, dropwhile
from typing import NamedTuple

import numpy as np

from graphgame.errors import Message, ParseError
from graphgame.labs.heaps.heapgame import HeapGame, row_ways
from graphgame.labs.heaps.periods import Splits
from graphgame.labs.heaps.rules import (
    AllBut,
    ByFunction,
    Equal,
    Growing,
    HeapRules,
    Left,
    Sizes,
    TakeAndBreak,
    largest_listed,
    left,
)
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Cell, Picture, Way, row, rows
from graphgame.rules.rule_errors import rule_errors
from graphgame.rules.ruleset import About, Ruleset

LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
_KINDS: dict[str, Sizes] = {"": "", "!": "unequal", "?": "not all equal", "=": "equal"}
_MARKS = {kind: mark for mark, kind in _KINDS.items()}
_DIGIT = re.compile(r"(?:(?P<letter>[0-9A-V*])|\{(?P<counts>[^{}]*)\})(?P<mark>[!?=]?)", re.IGNORECASE | re.ASCII)
_MOST_DIGITS = 1000
"""The maximum number of digits of a code."""

_MOST_PARTS = 30
"""The maximum number of heaps that a digit in braces may name."""

Digit = dict[Sizes, int]
"""A digit: condition on the sizes of the heaps left -> bits. Bit k allows k heaps; -1 << k allows k heaps or more."""


class Digits(NamedTuple):
    """The digits of a code, for the amounts ``first``, ``first + 1``, and so on.

    ``first`` is 0, or negative if moves may add to a heap. The last ``repeated`` digits repeat forever.
    """

    first: int
    digits: tuple[Digit, ...]
    repeated: int = 0

    def __str__(self) -> str:
        texts = list(map(_digit_text, self.digits))
        before, after = texts[: 1 - self.first], texts[1 - self.first :]
        split = len(after) - self.repeated
        tail = f"[{''.join(after[split:])}]" if self.repeated else ""
        return f"{''.join(before)}.{''.join(after[:split]) or '0' * (not tail)}{tail}"

    @property
    def kinds(self) -> set[Sizes]:
        """The different restrictions on sizes, of all digits that allow two heaps or more; ``""`` is no restriction."""
        return {kind for digit in self.digits for kind, bits in digit.items() if bits >> 2}

    @property
    def parts(self) -> int | None:
        """The most heaps that a move may leave, but at least 1; None if there is no bound."""
        all_bits = [bits for digit in self.digits for bits in digit.values()]
        return None if min(all_bits, default=0) < 0 else max(max(all_bits, default=0).bit_length() - 1, 1)

    def taken(self, heap: int) -> Iterator[tuple[int, Digit]]:
        """Return an iterator over pairs (amount, digit) for the amounts up to ``heap``; a digit may be 0.

        The amount -1 means to add 1. If no digits repeat, the last pair has the last digit of the code.
        """
        tail = self.digits[len(self.digits) - self.repeated :]
        return zip(range(self.first, heap + 1), chain(self.digits, cycle(tail)), strict=False)

    def options(self, heap: int) -> Left:
        for amount, digit in self.taken(heap):
            for kind, bits in digit.items():
                yield from left(heap - amount, bits, kind)

    def rules(self) -> HeapRules:
        """Return the rules in the form that computes values fastest."""
        # ByFunction tries every option in Python. The other kinds of rules have compiled loops.
        with_loops = self._rules_with_loops() if self.first == 0 and len(self.kinds) <= 1 else None
        return with_loops or ByFunction(self.options, largest_listed(2 if self.kinds == {"equal"} else self.parts))

    def _rules_with_loops(self) -> HeapRules | None:
        """Return rules that compute their values in a loop, or None if the code needs :class:`ByFunction`.

        Call this method only if no move adds to a heap, and if all digits that allow two heaps or more have the same
        restriction on sizes (or none).
        """
        kind: Sizes = next(iter(self.kinds), "")
        leaves = {amount: bits for amount, digit in enumerate(self.digits) for bits in digit.values()}
        if kind == "equal":
            lowest_bit, most = leaves.get(0, 0) & -leaves.get(0, 0), self.parts
            # ``Equal`` is for moves that take nothing and leave equal heaps; the allowed numbers of heaps are a range.
            is_range = leaves == {0: (0 if most is None else 2 << most) - lowest_bit}
            return Equal(lowest_bit.bit_length() - 1, most) if is_range else None
        if self.parts and not self.repeated:
            return TakeAndBreak(leaves, kind)
        return self._growing(leaves, kind) if self.parts in (1, 2) else None

    def _growing(self, leaves: dict[int, int], kind: Sizes) -> HeapRules:
        """Return the rules of a code with repeated digits whose moves leave at most two heaps.

        ``leaves`` maps amounts to bits: bit k is 1 if the rest may be left as k heaps. It has an amount for each
        digit that is not 0, without the repetitions. ``kind`` restricts the sizes if a move leaves two heaps.
        """
        amounts, bits = range(1, len(self.digits)), [leaves.get(amount, 0) for amount in range(len(self.digits))]
        any_later = all(digit == {"": 3} for digit in self.digits[-self.repeated :])
        if any_later and self.parts == 1 and 0 not in leaves and {leaves.get(k, 3) for k in amounts} == {3}:
            return AllBut(tuple(k for k in amounts if k not in leaves))

        def moves(heap: int) -> Iterator[tuple[int, int]]:
            return zip(range(heap + 1), chain(bits, cycle(bits[-self.repeated :])), strict=False)

        if any_later and not kind and all(leaves.get(k, 0) & 3 == 3 for k in amounts):
            splits = {amount: bits for amount, bits in leaves.items() if bits & 4}
            return Growing(moves, self.parts or 1, splits=Splits(splits, any_amount=True))
        return Growing(moves, self.parts or 1, kind)


class Code(HeapGame):
    """The rules of taking-and-breaking games given by a code.

    Examples
    --------
    >>> list(Code("0.3F").options(5))
    [4, 3, Sum(1, 2), Sum(1, 1, 1)]
    >>> list(Code("{2+}=.0").options(6))
    [Sum(3, 3), Sum(2, 2, 2), Sum(1, 1, 1, 1, 1, 1)]
    """

    about = About(
        "A taking-and-breaking game given by a code of digits 0-9 and A-V.",
        "``code{0.3F}(9)`` is a heap of 9 in the game 0.3F. The k-th digit after the point says what one may leave "
        "when one takes k from a heap: nothing if its bit 0 is set, one heap if bit 1 is, two heaps if bit 2, three if "
        "bit 3 and four if bit 4. The last digit before the point is for moves that take nothing and split the heap, "
        "the digit left of it for moves that add 1 to the heap. ``{2,5}`` is a digit that leaves two heaps or five, "
        "``{2+}`` two or more, ``*`` any number. After a digit, ``!`` means that no two heaps may be equal, ``?`` that "
        "not all may be equal, and ``=`` that all must be equal. Digits in brackets at the end are repeated forever: "
        "``code{4.[3]}(9)`` is Lasker's Nim, ``code{4!.0}(9)`` Grundy's game.",
        source="R. K. Guy, C. A. B. Smith, The G-values of various games, Proc. Cambridge Philosophical Society 52 "
        "(1956). A. N. Siegel, CGSuite, TakeAndBreak: the marks, braces and brackets.",
    )

    octal = False

    def __init__(self, code: str) -> None:
        self.digits = _read_code(code, self.octal)
        self.code = str(self.digits)
        super().__init__(self.digits.rules(), f"{'octal' if self.octal else 'code'}{{{self.code}}}", self.code)

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        return cls(text)


class Octal(Code):
    """The rules of octal games.

    Examples
    --------
    >>> list(Octal("0.77").options(3))
    [2, Sum(1, 1), 1]
    """

    about = About(
        "An octal game: a taking-and-breaking game that leaves at most two heaps.",
        "``octal{0.77}(20)`` is a heap of 20 in the game 0.77. The k-th digit after the point is the sum of 1 if one "
        "may take a whole heap of k, 2 if one may take k and leave one heap, and 4 if one may take k and leave two; "
        "before the point stands 4 if one may split a heap and take nothing, else 0. ``!`` after a digit requires "
        "two unequal heaps, and digits in brackets at the end are repeated forever: ``octal{0.[3]}(20)`` is Nim.",
        theorem="Let no digit have a mark such as ``!``, and let the last digit that is not 0 be the k-th. If g(n + p) "
        "= g(n) for all n from n0 >= 1 to 2 n0 + p + k - 1, then g(n + p) = g(n) for all n from n0 on (Guy and Smith). "
        "Whether every octal game with finitely many digits is periodic is open.",
        source="R. K. Guy, C. A. B. Smith, The G-values of various games, Proc. Cambridge Philosophical Society 52 "
        "(1956).",
    )

    octal = True


class Pins(Octal):
    """An octal game played with a row of pins."""

    _in_a_row = True

    def board(self, position: int) -> str:
        return " ".join("|" * min(position, 40)) + (f" ... ({position})" if position > 40 else "")

    def picture(self, position: int) -> Picture | None:
        return row(position, "pin")


class Pawns(Octal):
    """An octal game played with two lines of pawns that face each other across an empty row."""

    def board(self, position: int) -> str:
        files = min(position, 40)
        cut = f" ... ({position})" if position > files else ""
        return "\n".join(" ".join(row * files) + cut for row in ("p", ".", "P"))

    def picture(self, position: int) -> Picture | None:
        line = row(position, "square")
        if len(line.cells) != position:
            return line
        return rows([Cell("square", pawn)] * position for pawn in ("♟", "", "♙"))

    def ways(self, position: int) -> Iterator[Way]:
        """Yield the moves as changes of the picture: one pawn advances, and its file and the files beside it vanish.

        Yield nothing if there are too many files to draw.
        """
        board = self.picture(position)
        if board is None or len(board.cells) != 3 * position:
            return
        files = Picture(board.cells[:position], board.places[:position])
        for way in row_ways(position, files, self.options(position)):
            gone = [file for file, cell in enumerate(way.after or ()) if cell.kind == "blank"]
            after = [Cell("blank") if number % position in gone else cell for number, cell in enumerate(board.cells)]
            origins = tuple(
                origin if -1 in origin else tuple(file + line * position for line in range(3) for file in origin)
                for origin in way.origins
            )
            for file in gone[1:2] if len(gone) == 3 else {0, position - 1}.intersection(gone):
                yield Way(way.option, tuple(after), tuple(file + line * position for line in range(3)), (), origins)


def _read_code(text: str, octal: bool) -> Digits:
    code, start = text.strip(), len(text) - len(text.lstrip())
    point, bracket = code.find("."), code.find("[")
    tail = code.endswith("]") and point < bracket
    after, repeated = (code[point + 1 : bracket], code[bracket + 1 : -1]) if tail else (code[point + 1 :], "")
    if point < 0 or not code[:point] + after + repeated or (tail and not repeated):
        raise ParseError("expected a code with a point and digits, such as 0.77 or 4.0", column=start + 1)
    before = _read_digits(code[:point], start, octal) or [{}]
    later = _read_digits(after, start + point + 1, octal)
    recurring = _read_digits(repeated, start + bracket + 1, octal)
    if (count := len(before) + len(later) + len(recurring)) > _MOST_DIGITS:
        raise ParseError("the code has {count} digits: expected at most {most}", count, _MOST_DIGITS, column=start + 1)
    if not any(recurring):
        later, recurring = list(dropwhile(lambda digit: not digit, reversed(later)))[::-1], []
    before = list(dropwhile(lambda digit: not digit, before[:-1])) + before[-1:]
    if not any(before + later + recurring):
        raise ParseError("the code has no move: expected a digit that is not 0", column=start + point + 2)
    for added, digit in enumerate(reversed(before)):
        if any(bits & ((4 << added) - 1) for bits in digit.values()):
            fault = Message(
                "the digit before the point takes nothing, so it must split the heap: expected a multiple of 4"
            )
            if added:
                fault = Message(
                    "a digit before the point adds {added} to the heap: expected a digit that leaves {least} heaps or "
                    "more, so that all of them are smaller than the old heap",
                    added,
                    added + 2,
                )
            raise ParseError(fault, column=start + 1)
    return Digits(1 - len(before), (*before, *later, *recurring), len(recurring))


def _read_digits(text: str, start: int, octal: bool) -> list[Digit]:
    """Return the digits in a piece of a code, each as a :data:`Digit`; a digit 0 is an empty dictionary.

    ``start`` is the column (from 0) of the piece in the whole text, for the message of a ParseError. If ``octal`` is
    true, digits above 7 are errors.
    """
    digits, at = [], 0
    while at < len(text):
        match = _DIGIT.match(text, at)
        digit = None if match is None else _digit(match, start + at)
        if match is None or digit is None or (octal and any(not 0 <= bits < 8 for bits in digit.values())):
            expected = Message("0..7, or code{...} for digits up to V") if octal else "0..9, A..V, * or {...}"
            shown = match["letter"] or match[0] if match else text[at]
            raise ParseError(
                "{character!r} is not a digit of this code: expected {expected}",
                shown,
                expected,
                column=start + at + 1,
            )
        digits.append({kind: bits for kind, bits in digit.items() if bits})
        at = match.end()
    return digits


def _digit(match: re.Match[str], start: int) -> Digit:
    kind = _KINDS[match["mark"]]
    if match["counts"] is None:
        bits = -1 if match["letter"] == "*" else LETTERS.index(match["letter"].upper())
        return {kind if bits >> 2 else "": bits}
    endless = match["counts"].endswith("+")
    listed = [_count(piece, start + column + 1, kind) for piece, column in fields(match["counts"].removesuffix("+"))]
    numbers = [number for number, _ in listed]
    if numbers != sorted(set(numbers)):
        raise ParseError("expected the numbers of heaps in increasing order, such as 2,3", column=start + 2)
    kinds = {kind for number, kind in listed if number > 1 or (endless and number == numbers[-1])}
    # For 0 heaps and for 1 heap, a restriction on sizes means nothing. If all larger numbers of heaps have the same
    # restriction, store the bits 0 and 1 under it, too, so that the digit has only one key.
    shared = kinds.pop() if len(kinds) == 1 else ""
    digit: Digit = {}
    for number, own in listed:
        own = own if number > 1 else shared
        digit[own] = digit.get(own, 0) | (-1 if endless and number == numbers[-1] else 1) << number
    return digit


def _count(piece: str, start: int, kind: Sizes) -> tuple[int, Sizes]:
    """Read a number of heaps, perhaps with a mark, inside braces; return the number and its restriction on sizes.

    ``kind`` is the restriction by a mark after the braces, "" without such a mark. Raise a ParseError if there are both
    marks, or if the number is not from 0 to 30. ``start`` is the index of the piece in the whole text, for this error.
    """
    mark = piece[-1:] if piece[-1:] in _KINDS else ""
    if mark and kind:
        raise ParseError(
            "the code has one mark (!, ? or =) inside the braces and another mark after them: expected only one mark",
            column=start + len(piece),
        )
    number = integer(piece.removesuffix(mark), start, what=Message("the number of heaps"), most=_MOST_PARTS)
    return number, _KINDS[mark] or kind


def _digit_text(digit: Digit) -> str:
    kind, bits = next(iter(digit.items()), ("", 0))
    if len(digit) < 2 and -1 <= bits < len(LETTERS):
        return (LETTERS + "*")[bits] + _MARKS[kind]
    marks = {own: _MARKS[own] if len(digit) > 1 else "" for own in digit}
    listed = sorted((number, marks[own] if number > 1 else "") for own in digit for number in _numbers(digit[own]))
    endless = "+" if min(digit.values()) < 0 else ""
    return f"{{{','.join(f'{number}{mark}' for number, mark in listed)}{endless}}}" + _MARKS[kind] * (len(digit) < 2)


def _numbers(bits: int) -> Iterator[int]:
    """Yield the numbers of heaps that bits allow. If they allow all numbers from k on, the last number yielded is k."""
    stop = bits.bit_length() if bits >= 0 else (~bits).bit_length() + 1
    return (number for number in range(stop) if bits >> number & 1)


MOST_COMPARED = 200
"""The largest heap whose moves are compared."""

_MOST_OPTIONS = 100_000
"""No further heap is compared once the heaps compared have this many options together."""

_FEWEST_HEAPS = 24
""":func:`recognised` finds no code unless it can compare more heaps than this."""

_MOST_LEFT = 4
""":func:`recognised` finds no code if a move leaves more heaps than this."""

_Moves = set[tuple[int, ...]]
"""The options of a heap: each is the tuple of its nonempty heaps in increasing order."""


@dataclass(frozen=True)
class Recognised:
    """A code that has the same moves as a game, as far as they were compared.

    Attributes
    ----------
    code : Code
    last_heap : int
        The largest heap whose moves were compared. The moves of larger heaps may differ.
    """

    code: Code
    last_heap: int


def recognised(game: HeapGame) -> Recognised | None:
    """Return a code that has the same moves as a game for all heaps compared, at most up to heap 200.

    Return None if no such code is found, or if fewer than 25 heaps can be compared because they have too many options.
    Raise a RulesetError if the game's function fails.

    Examples
    --------
    >>> from graphgame import heaps
    >>> found = recognised(heaps.rule(lambda n: [n - k for k in (2, 5) if k <= n]))
    >>> found.code.code, found.last_heap
    ('0.03003', 200)
    >>> recognised(heaps.rule(lambda n: [n - k * k for k in range(1, n + 1) if k * k <= n])) is None
    True
    """
    rows = _rows(game)
    if rows is None or len(rows) <= _FEWEST_HEAPS:
        return None
    # Bit k of a digit is set if some move takes this amount and leaves k heaps. The last amounts have no digit, because
    # the heaps compared are too small to show all their moves.
    digits = [0] * (len(rows) - _MOST_LEFT)
    for heap, moves in enumerate(rows):
        for parts in moves:
            if (amount := heap - sum(parts)) < len(digits):
                digits[amount] |= 1 << len(parts)
    for mark in ("", "!", "?"):
        # The digits may suggest no code (then the text is empty), or a code that is not valid, for example if the digit
        # before the point allows no split. Then try the next mark, which restricts the sizes of the heaps left.
        with suppress(ParseError):
            code = Code(_code_text([LETTERS[bits] + mark * (bits > 3) for bits in digits]))
            if all(_moves(code.options(heap)) == row for heap, row in enumerate(rows)):
                return Recognised(code, len(rows) - 1)
    return None


def _rows(game: HeapGame) -> list[_Moves] | None:
    """Return the options of each of the heaps 0, 1, ... that are compared, or None.

    The result is None if a move adds to a heap, changes nothing or leaves more than 4 heaps, or if an option is not a
    heap or a tuple of heaps. The list ends at heap ``MOST_COMPARED``, or as soon as the listed heaps together have
    ``_MOST_OPTIONS`` options or more.
    """
    rows: list[_Moves] = []
    total = 0
    while len(rows) <= MOST_COMPARED and total < _MOST_OPTIONS:
        heap = len(rows)
        with rule_errors(Message("the rule"), f"heap {heap}", method=getattr(game.rules, "function", None)):
            moves = _moves(game.options(heap))
        if moves is None or any(sum(left) > heap or left == (heap,) or len(left) > _MOST_LEFT for left in moves):
            return None
        total += len(moves)
        rows.append(moves)
    return rows


def _moves(options: Iterable[Hashable]) -> _Moves | None:
    parts = [option if isinstance(option, tuple) else (option,) for option in options]
    if not all(isinstance(heap, (int, np.integer)) and heap >= 0 for left in parts for heap in left):
        return None
    return {tuple(sorted(filter(None, left))) for left in parts}


def _code_text(digits: list[str]) -> str:
    """Return a code that has these digits for the amounts 0, 1, ...; "" if the digits do not suggest a code.

    If all digits in the second half are zeros, the code ends with the last nonzero digit. Otherwise the digits must
    repeat from some digit on, with a period that occurs at least twice in the first half. The code then has the digits
    of one period in brackets.
    """
    before, after = digits[0], digits[1:]
    last = max((amount for amount, digit in enumerate(after, 1) if digit != "0"), default=0)
    if 2 * last <= len(after):
        return f"{before}.{''.join(after[:last]) or '0'}"
    for period in range(1, len(after) // 4 + 1):
        start = max((n + 1 for n in range(len(after) - period) if after[n] != after[n + period]), default=0)
        if 2 * (start + 2 * period) <= len(after):
            return f"{before}.{''.join(after[:start])}[{''.join(after[start : start + period])}]"
    return ""
