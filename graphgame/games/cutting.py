"""The Cutting Game: a sheet of paper, cut along its grid lines."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Literal, cast

import numpy as np

from graphgame.compiled.compiling import Array, compiled, runner
from graphgame.errors import Message, ParseError
from graphgame.rules.parsing import integer, placed
from graphgame.rules.pictures import CellKind, Picture, Way, halves, sheet
from graphgame.rules.ruleset import About, Ruleset, Sum

_LONGEST_SIDE = 2000


class Sheet(Ruleset):
    """The base class of games on a sheet. A position is (width, height); a subclass sets their limit, ``most``."""

    most: int
    kind: CellKind = "paper"
    number_signs = "x"

    def canonical(self, position: tuple[int, int]) -> tuple[int, int]:
        """Return the sheet turned so that it is at least as wide as high."""
        width, height = position
        return (height, width) if height > width else position

    def parse(self, text: str) -> tuple[int, int]:
        """Return the width and height of a sheet written ``WxH``."""
        return sides(text, most=self.most)

    def format(self, position: tuple[int, int]) -> str:
        return f"{position[0]}x{position[1]}"

    def picture(self, position: tuple[int, int]) -> Picture | None:
        return sheet(*position, self.kind)

    def sum_picture(self, parts: Sequence[tuple[int, int]]) -> Picture | None:
        """Return a picture of two sheets as one sheet with a cut, if they share a side length and no side is above 12.

        Otherwise show all sheets side by side; return None if there are more than 12 sheets.
        """
        return halves(parts, self.kind) or super().sum_picture(parts)

    def ways(self, position: tuple[int, int]) -> Iterator[Way]:
        """Yield a :class:`Way` for each line along which a player may cut; the player touches this line.

        An option is two sheets, or one if the other is removed. ``origins`` has the cells of each of two sheets; it
        is empty for one sheet. Yield nothing if the picture does not have a cell for each square.

        Examples
        --------
        >>> [(way.line, way.origins) for way in Cutting().ways((2, 2))][:1]
        [((0.5, -0.5, 0.5, 1.5), ((0, 2), (1, 3)))]
        """
        (width, height), board = position, self.picture(position)
        if board is None or len(board.cells) != width * height:
            return
        for option in self.options(position):
            sheets = cast("tuple[Any, ...]", option)
            first, second = sheets if isinstance(sheets[0], tuple) else (sheets, None)
            # An option does not say which way the cut runs: a cut across the width leaves sheets of the full height.
            across = first[1] == height and (second is None or (second[1] == height and first[0] + second[0] == width))
            whole = width if across else height
            one = first[0] if across else first[1]
            # A cut and its mirror image are one option. So an option has two lines, unless the cut is in the middle.
            for cut in dict.fromkeys((one, whole - one)):
                near, far = _span(width, height, across, 0, cut), _span(width, height, across, cut, whole)
                at = cut - 0.5
                line = (at, -0.5, at, height - 0.5) if across else (-0.5, at, width - 0.5, at)
                origins = () if second is None else (near, far) if cut == one else (far, near)
                yield Way(option, board.cells, line=line, origins=origins)


class Cutting(Sheet):
    """The rules of the Cutting Game: cut a sheet into two along a grid line; whoever first makes a 1x1 wins.

    Examples
    --------
    >>> list(Cutting().options((4, 2)))
    [Sum((1, 2), (3, 2)), Sum((2, 2), (2, 2)), Sum((4, 1), (4, 1))]
    >>> list(Cutting().options((3, 1))), Cutting().decided(((1, 1), (2, 1)))
    ([((1, 1), (2, 1))], 'P')
    """

    about = About(
        "The Cutting Game: cut any one sheet along a grid line into two.",
        "``cutting(4x2)`` is a sheet 4 wide and 2 high.",
        theorem="A strip of width 1 is loony: the player to move cuts a 1x1 from it and wins at once, whatever other "
        "sheets there are. So a player who has another move never cuts off such a strip, and the value of a sheet is "
        "the mex over the cuts into two parts with all sides 2 or longer: 2x2, 2x3 and 3x2 have the value 0. A start "
        "position 1x1 has no move. ``cutting(1x1|3x1)`` is the position after a 1x1 was cut from a strip 4x1.",
        source="Cutting Game, problem 2311 of the Peking University online judge (POJ).",
        ending="Whoever first makes a 1x1 wins.",
    )

    most = _LONGEST_SIDE

    def options(self, position: Any) -> Iterator[Hashable]:  # noqa: ANN401
        """Yield the sheets after each cut, up to reflection: a pair if one is 1x1, which ends play; otherwise a Sum."""
        width, height = position
        for cut in range(1, width // 2 + 1):
            yield _cut((cut, height), (width - cut, height))
        for cut in range(1, height // 2 + 1):
            yield _cut((width, cut), (width, height - cut))

    def decided(self, position: Any) -> Literal["P", "N"] | None:  # noqa: ANN401
        """Return "P" if a 1x1 was just cut off, so the player who moved has won; otherwise None."""
        return "P" if isinstance(position[0], tuple) else None

    def canonical(self, position: Any) -> Any:  # noqa: ANN401
        """Return the sheet turned so that it is at least as wide as high; in a pair of sheets, turn both."""
        if self.decided(position):
            return _cut(*sorted(map(super().canonical, position)))
        return super().canonical(position)

    def parse(self, text: str) -> Any:  # noqa: ANN401
        """Return (width, height) for ``WxH``; for ``1x1|WxH``, the pair of a 1x1 and a strip: W or H must be 1."""
        if "|" not in text:
            return super().parse(text)
        one, _, rest = text.partition("|")
        with placed(len(one) + 1):
            strip = sides(rest, most=_LONGEST_SIDE)
        parts = super().parse(one), strip
        if parts[0] != (1, 1) or 1 not in parts[1]:
            raise ParseError("expected a square 1x1 and the strip that is left, such as 1x1|3x1", column=1)
        return parts

    def format(self, position: Any) -> str:  # noqa: ANN401
        """Return ``WxH``, or ``1x1|WxH`` for the pair of sheets after a 1x1 was cut off."""
        return "|".join(map(super().format, position)) if self.decided(position) else super().format(position)

    def ways(self, position: Any) -> Iterator[Way]:  # noqa: ANN401
        """Yield a :class:`Way` for each line along which a player may cut, as :meth:`Sheet.ways` does.

        The ``origins`` of a cut that leaves a 1x1 are empty: its option is a pair of sheets that ends play, not a Sum.
        """
        return (way if type(way.option) is Sum else way._replace(origins=()) for way in super().ways(position))

    def picture(self, position: Any) -> Picture | None:  # noqa: ANN401
        """Return the picture of a sheet; for a pair of sheets, that of :meth:`sum_picture`."""
        if not self.decided(position):
            return super().picture(position)
        return self.sum_picture(position) or super().picture(position[1])

    def value_array(self, shape: Sequence[int], misere: bool) -> np.ndarray | None:
        """Return an array with the value of sheet (w, h) at [w, h]; -1 if a side is 0.

        The value of 1x1 is 0; the value of any other sheet with a side of 1 is -3 (loony). The result is None under
        misère play, and unless ``shape`` has two lengths, each at most 2,001.
        """
        if misere or len(shape) != 2 or max(shape) > _LONGEST_SIDE + 1:
            return None
        shorter, longer = sorted(shape)
        values = np.full((longer, longer), -1, np.int32)
        # A sheet has at most (width + height) / 2 options, so its value has at most longer.bit_length() bits. This is
        # also true of the xor of two values, the largest index in ``seen``.
        seen = np.zeros(2 << longer.bit_length(), np.int32)
        runner(_fill_sheets, shorter * longer * longer)(values, seen, shorter)
        return values[: shape[0], : shape[1]]


def sides(text: str, *, most: int) -> tuple[int, int]:
    """Return the two integers of a text ``AxB``, each from 1 to ``most``; raise a ParseError for other texts.

    Examples
    --------
    >>> sides("4x2", most=10)
    (4, 2)
    """
    first, cross, second = text.lower().partition("x")
    if not cross:
        raise ParseError("expected two sides, such as 4x2, but found {text!r}", text.strip(), column=1)
    length = integer(first, 0, what=Message("a side"), least=1, most=most)
    return length, integer(second, len(first) + 1, what=Message("a side"), least=1, most=most)


def _span(width: int, height: int, across: bool, start: int, end: int) -> tuple[int, ...]:
    """Return the indices of a sheet's cells in columns (if ``across``) or rows ``start`` to ``end - 1``."""
    columns, rows = (range(start, end), range(height)) if across else (range(width), range(start, end))
    return tuple(row * width + column for row in rows for column in columns)


@compiled
def _fill_sheets(values: Array, seen: Array, shorter: int) -> None:
    """Fill in the values of all sheets with one side below ``shorter`` and the other below ``len(values)``.

    ``seen`` (zeros) is working space: ``seen[x]`` is the ``stamp`` of the last sheet that has an option of the value x.
    """
    # Cuts start at 2: a cut at 1 leaves a strip of width 1, which is loony. Such an option does not count for the mex,
    # and the code -3 of the strip is no index of ``seen``.
    stamp = 0  # numbers the sheets from 1
    for wide in range(1, len(values)):
        for high in range(1, min(wide + 1, shorter)):
            stamp += 1
            for cut in range(2, wide // 2 + 1 if high > 1 else 0):
                seen[values[high, cut] ^ values[high, wide - cut]] = stamp
            for cut in range(2, high // 2 + 1):
                seen[values[wide, cut] ^ values[wide, high - cut]] = stamp
            # -3 is the code of a loony value: the value of a strip is not a mex.
            value = -3 if high == 1 and wide > 1 else 0
            while high > 1 and seen[value] == stamp:
                value += 1
            values[wide, high] = values[high, wide] = value


def _cut(small: tuple[int, int], large: tuple[int, int]) -> Hashable:
    """Return the option of two sheets: a pair if the small one is 1x1, which ends play; otherwise their Sum."""
    return (small, large) if small == (1, 1) else Sum([small, large])
