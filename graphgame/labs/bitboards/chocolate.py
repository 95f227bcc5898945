"""Games with bars of chocolate: Chomp, the chocolate bar, and the bitter square."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from math import prod
from typing import ClassVar, Literal

import numpy as np

from graphgame.compiled.compiling import Array, compiled, runner
from graphgame.errors import Message, NoPositionError, ParseError
from graphgame.games.cutting import Sheet, sides
from graphgame.labs.bitboards.placement import MaskGame, MaskRuleset
from graphgame.labs.shared_rules import ALL_SEEN, VALUE_BITS, see_value, xor_text
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Picture
from graphgame.rules.ruleset import About, Ruleset, Sum

_LONGEST_ROW, _LONGEST_OF_TWO_ROWS = 50, 5_000
"""The maximum length of a row in general, and in a text that lists only one or two rows, such as 40,39."""
_SIDE_IN_A_WORD = 8
"""The side of the largest square bar whose 63 squares (all but the poisoned one) fit in one word."""


class Chomp(MaskRuleset):
    """The rules of Chomp: a move chooses a square, and eats it and all squares right of it, below it, or both.

    The square at the top left is poisoned: no move eats it. A position has the length of each row from the top. No row
    is longer than the row above it.

    Examples
    --------
    >>> list(Chomp().options((2, 2)))
    [(1, 1), (2,), (2, 1)]
    """

    about = About(
        "Chomp: choose a square of the bar, and eat it and all squares right of it, below it, or both.",
        "The square at the top left is poisoned: it may not be chosen, so whoever is left with it alone loses. "
        "``chomp(3x4)`` is a bar of 3 rows of 4 squares; ``chomp(4,4,2)`` gives the length of each row from the top.",
        theorem="Every rectangle but 1x1 is N: if biting off the far corner does not win, the reply that wins against "
        "it is also possible as a first move (strategy stealing). The winning bite is not known in general. The arms "
        "of an L are two Nim heaps, so an L with equal arms is P, and a larger square is won by leaving such an L. 2xn "
        "is won by taking the last square of the second row: two rows are P exactly when the second is shorter by one.",
        source="F. Schuh, Spel van delers, Nieuw Tijdschrift voor Wiskunde 39 (1952). D. Gale, A curious Nim-type "
        "game, American Mathematical Monthly 81 (1974).",
    )

    cells: ClassVar = {"o": "sweet", "x": "poison"}

    def on_board(self, position: tuple[int, ...], games: Iterable[MaskGame] = ()) -> tuple[MaskGame, int]:
        """Return a game on a bar that contains ``position``, and the mask of the position in this game.

        If some of ``games`` are on square bars that contain ``position`` and have sides of at most 8, the result is the
        game on the smallest of these bars. Otherwise it is the game on the smallest square bar that contains
        ``position``. If the side of this bar is above 50, the bar ends with the last row of ``position``.
        """
        smallest = max(len(position), *position)
        side = next((side for side in range(smallest, _SIDE_IN_A_WORD + 1) if _bar(side, side) in games), smallest)
        # The poisoned square has no bit, so each square's bit is one below its number: hence the shift at the end.
        return _bar(side if side <= _LONGEST_ROW else len(position), side), sum(
            (1 << length) - 1 << row * side for row, length in enumerate(position)
        ) >> 1

    def off_board(self, position: tuple[int, ...], mask: int) -> tuple[int, ...]:
        """Return the bar that consists of the poisoned square and the squares of a mask.

        Bit i of the mask is square i + 1 of the smallest n x n bar that contains ``position``. The squares of this bar
        are numbered row by row from 0, the poisoned square.
        """
        side = max(len(position), *position)
        rows = ((mask << 1 | 1) >> row * side & (1 << side) - 1 for row in range(side))
        return tuple(row.bit_length() for row in rows if row)

    def options(self, position: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for row, length in enumerate(position):
            above, below = position[:row], position[row:]
            for column in range(row == 0, length):
                yield above + (tuple(min(column, other) for other in below) if column else ())

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return the moves from bars with two rows as formulas in the lengths a and b of the rows.

        The result is None if ``size``, the number of rows, is not 2.
        """
        if size != 2:
            return None
        moves = ("b <= a' < a and b' = b", "a' = b' < b", "a' = a and b' < b")
        return DeclaredMoves(("a", "b"), tuple(f"{move} and a' >= 1" for move in moves), "a >= b and a >= 1")

    def value_array(self, shape: Sequence[int], misere: bool) -> np.ndarray | None:
        """Return an array of this shape with the values of all bars of two rows: ``values[a, b]`` for rows of a and b.

        The values are those under misère play if ``misere`` is true. The entry is -1 if a is 0 or b is larger than a.
        The result is None unless the shape has two axes.
        """
        if len(shape) != 2:
            return None
        rows, columns = shape
        values = np.full((rows, columns), -1, np.int32)
        seen = np.zeros((columns + 2, (rows + 2 * columns) // VALUE_BITS + 2), np.int64)
        runner(_fill_two_rows, rows * columns)(values, seen, np.zeros((2, columns + 2), np.int32), int(misere))
        return values

    def canonical(self, position: tuple[int, ...]) -> tuple[int, ...]:
        """Return the bar or its reflection in the diagonal, whichever has the longer first row.

        If the first rows are equally long, return the larger tuple.
        """
        rows = len(position)
        if rows < position[0]:
            return position
        columns: list[int] = []
        for row in range(rows, 0, -1):
            columns += [row] * (position[row - 1] - len(columns))
        reflected = tuple(columns)
        return reflected if rows > position[0] else max(position, reflected)

    def least_size(self, position: tuple[int, ...]) -> tuple[int, int]:
        """Return lower bounds for the numbers of positions and of moves that the bar leads to.

        The first is half the number of bars that this bar contains, because a bar and its reflection are one position.
        The second is, for two rows, about a quarter of the number of moves from all these bars. For any other number of
        rows it is one less than the first, because every position except the poisoned square alone has a move.
        """
        # The loop goes from the bottom row up. ways[k] is the number of ways to choose the present row and those below
        # it if the present row has length k.
        ways = [1]
        for length in reversed(position):
            ways = list(accumulate(ways + [0] * (length + 1 - len(ways))))
        bars = sum(ways) // 2
        if len(position) != 2:
            return bars, bars - 1
        long, short = position
        return bars, sum((long - b + 1) * (long + 3 * b - 2) // 2 for b in range(short + 1)) // 4

    def closed_form(self, position: tuple[int, ...]) -> int | None:
        """Return the value of a row, a column or an L: its arms are Nim heaps. None for any other bar."""
        first, *lower = position
        return (first - 1) ^ len(lower) if not lower or lower[0] == 1 else None

    def outcome_form(self, position: tuple[int, ...]) -> Literal["P", "N"] | None:
        """Return the outcome of a rectangle, an L, or a bar with two rows or two columns; None for any other bar."""
        outcome, _ = self._by_shape(position)
        return outcome

    def reason(self, position: tuple[int, ...]) -> str | None:
        """Return a message that explains the outcome from :meth:`outcome_form`; None if that is None."""
        _, reason = self._by_shape(position)
        return reason

    def _by_shape(self, position: tuple[int, ...]) -> tuple[Literal["P", "N"] | None, str | None]:
        """Return the outcome that the shape of a bar decides, and the reason; (None, None) if it decides nothing."""
        first, *lower = self.canonical(position)
        if not lower:
            if first == 1:
                return "P", Message("only the poisoned square is left")
            return "N", Message("the bar is a single row or column: eat all squares except the poisoned one")
        if lower[-1] == first:
            return "N", Message(
                "if biting off the far corner does not win, the winning reply to it also wins as a first move"
            )
        if lower[0] == 1:
            return "P" if len(lower) == first - 1 else "N", Message(
                "the xor of the arms of the L decides: {xor}", xor_text((first - 1, len(lower)))
            )
        if len(lower) == 1:
            return "P" if lower[0] == first - 1 else "N", Message(
                "rows or columns of {first} and {second} squares: P exactly if these numbers differ by 1",
                first,
                lower[0],
            )
        return None, None

    def mobility(self, position: tuple[int, ...]) -> int:
        """Return the number of moves: one for each square except the poisoned one."""
        return sum(position) - 1

    def parse(self, text: str) -> tuple[int, ...]:
        """Return the lengths of the rows of a bar, written ``4,4,2`` or, if it has 3 rows of 4 squares, ``3x4``.

        Raises NoPositionError if a row is longer than the one above it, or if the first row has length 0. Other rows of
        length 0 are dropped.
        """
        if "x" in text.lower():
            rows, length = sides(text, most=_LONGEST_ROW)
            return (length,) * rows
        lengths: list[int] = []
        pieces = list(fields(text))
        most = _LONGEST_ROW if len(pieces) > 2 else _LONGEST_OF_TWO_ROWS
        for piece, start in pieces:
            length = integer(piece, start, what=Message("a row's length"), most=most)
            if not lengths and not length:
                raise NoPositionError("the first row's length is 0: expected 1..{most}", most, column=start + 1)
            if lengths and length > lengths[-1]:
                message = Message(
                    "a row of {length} is below a row of {lengths}: expected no row longer than the row above it",
                    length,
                    lengths[-1],
                )
                if len(pieces) == 2 and length <= _LONGEST_ROW:
                    message += Message(
                        "; write {lengths}x{length} for a bar of height {lengths} and width {length}",
                        lengths[0],
                        length,
                    )
                raise NoPositionError(message, column=start + 1)
            lengths.append(length)
        return tuple(filter(None, lengths))

    def format(self, position: tuple[int, ...]) -> str:
        return ",".join(map(str, position))

    def board(self, position: tuple[int, ...]) -> str:
        """Return the bar as text, a line for each row: ``x`` is the poisoned square, ``o`` any other square."""
        return "\n".join("o" * length for length in position).replace("o", "x", 1)


@lru_cache(maxsize=8)
def _bar(rows: int, side: int) -> MaskGame:
    """Return the game on a rectangular bar with rows of ``side`` squares.

    Squares are numbered row by row from 0. Square c has bit c - 1, and the poisoned square 0 has no bit.
    """
    moves = []
    for row in range(rows):
        for column in range(row == 0, side):
            # A bite needs only the chosen square. It clears this square and all squares right of it, below it, or both.
            eaten = sum((1 << side) - (1 << column) << below * side for below in range(row, rows))
            moves.append((1 << row * side + column - 1, eaten >> 1))
    symmetries = (
        [[column * side + row - 1 for row in range(side) for column in range(side)][1:]] if rows == side else []
    )
    return MaskGame(rows * side - 1, moves, symmetries=symmetries, whole=True)


@compiled
def _fill_two_rows(values: Array, seen: Array, extents: Array, end: int) -> None:
    """Fill ``values[a, b]``, for a >= 1 and b <= a, with the value of the bar with rows of a and b squares.

    A bite of (a, b) leaves (a', b) with b <= a' < a, or (a', a') with a' < b, or (a, b') with b' < b; always a' >= 1.
    ``end`` is the value of the poisoned square alone: 1 under misère play, otherwise 0. ``seen`` and ``extents`` are
    working memory, which must be zeros; see :func:`see_value`.
    """
    # The options are of three kinds: (a', b) has a shorter first row, (a', a') has two equal rows, and (a, b') has a
    # shorter second row. In ``seen`` each kind has a line with a bit for each value of its options: line b, which stays
    # for all later a, and the lines ``columns`` and ``columns + 1``, which are cleared for each new a. The value of
    # (a, b) is the mex of their union. In a line, extents[0, line] is the index of the first word that is not full, and
    # all words from extents[1, line] on are empty.
    rows, columns = values.shape
    for a in range(1, rows):
        for line in range(columns, columns + 2):
            for word in range(extents[1, line]):
                seen[line, word] = 0
            extents[0, line] = extents[1, line] = 0
        for b in range(min(a + 1, columns)):
            # All options (a', a') except (b - 1, b - 1) are also options for the previous b.
            if b > 1:
                see_value(values[b - 1, b - 1], columns, seen, extents)
            # A word that is full in one of the sets is full in the union, so the search for the mex starts after the
            # longest run of full words.
            word = max(extents[0, b], extents[0, columns], extents[0, columns + 1])
            union = seen[b, word] | seen[columns, word] | seen[columns + 1, word]
            while union == ALL_SEEN:
                word += 1
                union = seen[b, word] | seen[columns, word] | seen[columns + 1, word]
            value = word * VALUE_BITS
            while union & 1:
                union >>= 1
                value += 1
            if a == 1 and b == 0:
                value = end
            values[a, b] = value
            see_value(value, b, seen, extents)
            see_value(value, columns + 1, seen, extents)


_LONGEST_SIDE = 10**6
_MOST_DRAWN = 40
"""A bar with a bitter square is drawn only if the four numbers of its position add up to at most this."""

Bar = tuple[int, int]
Bitter = tuple[int, int, int, int]


class Chocolate(Sheet):
    """The rules of the chocolate bar: a move breaks a bar along a line into two bars.

    Examples
    --------
    >>> list(Chocolate().options((3, 1)))
    [Sum((1, 1), (2, 1))]
    >>> Chocolate().closed_form((4, 5))
    1
    """

    about = About(
        "The chocolate bar: break any one piece along a line into two.",
        "``chocolate(4x5)`` is a bar 4 wide and 5 high.",
        theorem="Each break makes one piece more, so a bar of m times n squares takes mn - 1 breaks however it is "
        "played: its value is (mn - 1) mod 2.",
        source="P. Winkler, Mathematical Puzzles: A Connoisseur's Collection (2004).",
        ending="Whoever has nothing to break loses.",
    )

    most = _LONGEST_SIDE
    kind = "sweet"

    def options(self, position: Bar) -> Iterator[Sum]:
        width, height = position
        for cut in range(1, width // 2 + 1):
            yield Sum([(cut, height), (width - cut, height)])
        for cut in range(1, height // 2 + 1):
            yield Sum([(width, cut), (width, height - cut)])

    def closed_form(self, position: Bar) -> int:
        return (position[0] * position[1] - 1) % 2

    def values_at(self, numbers: Sequence[np.ndarray]) -> np.ndarray:
        width, height = numbers
        return np.asarray((width * height - 1) % 2)

    def reason(self, position: Bar) -> str:
        """Return a message with the number of breaks, whose parity is the value."""
        squares = position[0] * position[1]
        return Message(
            "the number of breaks is {squares} - 1 = {breaks}, an odd number"
            if self.closed_form(position)
            else "the number of breaks is {squares} - 1 = {breaks}, an even number",
            squares,
            squares - 1,
        )

    def least_size(self, position: Bar) -> tuple[int, int]:
        """Return lower bounds for the numbers of positions and of moves that the bar leads to.

        The bar leads to all bars with a width and a height up to its own. The first bound is half the number of these
        bars, because a bar and its quarter turn are one position. The second is half the number of their breaks that
        are parallel to the shorter side of this bar. Breaks into the same two parts count once.
        """
        high, wide = sorted(position)
        return (high * wide + 1) // 2, high * (wide * wide // 4) // 2


class BitterChocolate(Ruleset):
    """The rules of the bitter square: a move breaks the bar along a line and eats the part without the bitter square.

    A position has four numbers: of columns left and right of the bitter square, and of rows above and below it.

    Examples
    --------
    A bar of 7 columns and 5 rows, whose bitter square is in column 2 and row 4:

    >>> bar = BitterChocolate().parse("7x5@2,4")
    >>> bar, BitterChocolate().closed_form(bar)
    ((1, 5, 3, 1), 6)
    """

    about = About(
        "The bitter square: break the bar along a line and eat the part without the bitter square.",
        "Whoever is left with the bitter square alone loses. ``bitter-chocolate(4x5)`` is a bar 4 wide and 5 high "
        "whose square at the top left is bitter; in ``bitter-chocolate(4x5@2,3)`` it is in column 2 and row 3. A "
        "position has four numbers: of columns left and right of the bitter square, and of rows above and below it.",
        theorem="This is Nim in disguise, with four heaps: the value is the xor of the four numbers.",
        source="A. C. Robin, A poisoned chocolate problem, The Mathematical Gazette 73 (1989).",
    )

    cells: ClassVar = {"o": "sweet", "x": "poison"}
    number_signs = "x@,"

    def options(self, position: Bitter) -> Iterator[tuple[int, ...]]:
        """Yield the bars that remain after some columns or rows on one side of the bitter square are eaten."""
        for side, count in enumerate(position):
            for remaining in range(count):
                yield (*position[:side], remaining, *position[side + 1 :])

    def closed_form(self, position: Bitter) -> int:
        left, right, above, below = position
        return left ^ right ^ above ^ below

    def values_at(self, numbers: Sequence[np.ndarray]) -> np.ndarray:
        width, height, column, row = (*numbers, *np.ones(2, np.int64))[:4]
        return np.asarray((column - 1) ^ (width - column) ^ (row - 1) ^ (height - row))

    def reason(self, position: Bitter) -> str:
        return Message(
            "the xor of the numbers of columns and rows on each side of the bitter square decides: {xor}",
            xor_text(position),
        )

    def least_size(self, position: Bitter) -> tuple[int, int]:
        """Return lower bounds for the numbers of positions and of moves that the bar leads to.

        The first is an eighth of the number of bars that this bar contains, because up to eight bars are one position
        by symmetry. The second is one less than the first, because every position has a move, except the bitter square
        alone.
        """
        bars = -(-prod(count + 1 for count in position) // 8)
        return bars, bars - 1

    def canonical(self, position: Bitter) -> tuple[int, ...]:
        """Return the least tuple among the positions of the bar's eight turns and reflections."""
        columns, rows = sorted(position[:2]), sorted(position[2:])
        return (*min(columns, rows), *max(columns, rows))

    def parse(self, text: str) -> Bitter:
        """Return the bar that is written ``WxH@COLUMN,ROW``, or ``WxH`` if the bitter square is at the top left."""
        bar, at, bitter = text.partition("@")
        width, height = sides(bar, most=_LONGEST_SIDE)
        if not at:
            return 0, width - 1, 0, height - 1
        first, comma, second = bitter.partition(",")
        if not comma:
            raise ParseError("expected the bitter square's column and row, such as 2,3", column=len(bar) + 2)
        column = integer(first, len(bar) + 1, what=Message("the bitter square's column"), least=1, most=width)
        row = integer(second, len(bar) + len(first) + 2, what=Message("the bitter square's row"), least=1, most=height)
        return column - 1, width - column, row - 1, height - row

    def format(self, position: Bitter) -> str:
        left, right, above, below = position
        return f"{left + right + 1}x{above + below + 1}@{left + 1},{above + 1}"

    def board(self, position: Bitter) -> str:
        """Return the bar as text, a line for each row: ``x`` is the bitter square, ``o`` any other square."""
        left, right, above, below = position
        plain = "o" * (left + right + 1)
        return "\n".join([*[plain] * above, "o" * left + "x" + "o" * right, *[plain] * below])

    def picture(self, position: Bitter) -> Picture | None:
        return None if sum(position) > _MOST_DRAWN else super().picture(position)
