"""Northcott's game and Poker Nim: Nim with moves that can be undone. Play need not end, but the winner can end it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate
from operator import xor
from typing import ClassVar

import numpy as np

from graphgame.errors import Message, ParseError
from graphgame.labs.bitboards.board_text import Board, read_board
from graphgame.labs.shared_rules import heaps, xor_text
from graphgame.rules.parsing import integers
from graphgame.rules.pictures import Cell, Picture, Way
from graphgame.rules.ruleset import About, Ruleset

Lane = tuple[int, int, int]
"""A row as three numbers of squares: behind the man of the player to move, between the men, behind the other man."""
_EXCHANGED = ((Cell("cross"), Cell("coin")), (Cell("coin"), Cell("cross")))

Chips = tuple[tuple[int, ...], int, int]
"""The sizes of the heaps, and the numbers of chips of the player to move and of the other player."""


class Northcott(Board):
    """The rules of Northcott's game: move your man in a row any number of squares, but not over the other man.

    A position is written as the player to move sees it: this player's men are ``x``.

    Examples
    --------
    >>> rules = Northcott()
    >>> position = rules.parse("x..o")
    >>> rules.closed_form(position), sorted(map(rules.format, rules.options(position)))
    (2, ['x.o.', 'xo..'])
    """

    about = About(
        "Northcott's game: move your man in one row any number of squares, forwards or backwards, but not over the "
        "other man.",
        "``northcott(x...o./.x..o.)`` gives the rows: x is the man of the player to move, o that of the other player. "
        "Whoever cannot move loses. A man may go back and forth, so play need not end: ``--loopy`` explores all "
        "positions.",
        theorem="The value is the xor of the gaps between the men, as in Nim: if a man goes back, the other man can "
        "follow, and then there is less room to go back than before.",
        source="E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 3.",
    )

    loopy = True
    cells: ClassVar = {".": "square", "x": "cross", "o": "coin"}

    def options(self, position: tuple[Lane, ...]) -> Iterator[tuple[Lane, ...]]:
        """Yield the position after each move, as seen by the other player, who is then to move."""
        for index, (behind, gap, beyond) in enumerate(position):
            unchanged = _turned_round((*position[:index], *position[index + 1 :]))
            for behind_after in range(behind + gap + 1):
                if behind_after != behind:
                    yield self.canonical((*unchanged, (beyond, behind + gap - behind_after, behind_after)))

    def canonical(self, position: tuple[Lane, ...]) -> tuple[Lane, ...]:
        """Return the rows in sorted order."""
        return tuple(sorted(position))

    def closed_form(self, position: tuple[Lane, ...]) -> int:
        return reduce(xor, (gap for _, gap, _ in position), 0)

    def reason(self, position: tuple[Lane, ...]) -> str:
        return Message("the xor of the gaps decides: {xor}", xor_text(gap for _, gap, _ in position))

    def parse(self, text: str) -> tuple[Lane, ...]:
        """Return the position that a text describes, in which ``x`` is the man of the player to move.

        Raises ParseError if the text is not a board, or if a row does not have one man of each player.
        """
        rows = read_board(text, {".": ".", "x": "x", "o": "o", "X": "x", "O": "o"})
        for row in rows:
            if sorted(row.replace(".", "")) != ["o", "x"]:
                raise ParseError(
                    "the row {row} does not have one man of each player: expected one x and one o", row, column=1
                )
        facing = (row if row.index("x") < row.index("o") else row[::-1] for row in rows)
        return tuple(tuple(map(len, row.replace("o", "x").split("x"))) for row in facing)  # type: ignore[misc]

    def format(self, position: tuple[Lane, ...]) -> str:
        return "/".join(f"{'.' * behind}x{'.' * gap}o{'.' * beyond}" for behind, gap, beyond in position)

    def ways(self, position: tuple[Lane, ...]) -> Iterator[Way]:
        """Yield one :class:`Way` for each move; none if the board has no picture, because it is too large to draw.

        The option's picture has each row reversed, and perhaps the rows in another order. So ``Way.origins`` has, for
        each cell of the option's picture, the index of the cell for the same square in this position's picture.
        """
        lengths = [sum(lane) + 2 for lane in position]
        starts = [0, *accumulate(lengths)]
        if self.picture(position) is None:
            return
        for index, (behind, gap, beyond) in enumerate(position):
            for behind_after in range(behind + gap + 1):
                if behind_after == behind:
                    continue
                lanes = [*position]
                lanes[index] = (behind_after, behind + gap - behind_after, beyond)
                after = self.picture(tuple(lanes))
                turned = _turned_round(lanes)
                order = sorted(range(len(lanes)), key=turned.__getitem__)
                origin = tuple(starts[lane] + lengths[lane] - 1 - x for lane in order for x in range(lengths[lane]))
                option = tuple(turned[lane] for lane in order)
                yield Way(option, after and after.cells, (), (), (origin,), _EXCHANGED)


def _turned_round(lanes: Iterable[Lane]) -> list[Lane]:
    """Return the rows as the other player sees them: the numbers of squares behind the two men are exchanged."""
    return [(beyond, gap, behind) for behind, gap, beyond in lanes]


class PokerNim(Ruleset):
    """The rules of Poker Nim: take chips from a heap, or add to a heap chips that you have taken before.

    The text ``2:1,0`` has the heaps, then the chips of the player to move and those of the other player.

    Examples
    --------
    >>> rules = PokerNim()
    >>> [rules.format(option) for option in rules.options(rules.parse("2:1,0"))]
    ['0:0,3', '1:0,2', '3']
    """

    about = About(
        "Poker Nim: take chips from a heap as in Nim, or add to a heap chips that you have taken before.",
        "``poker-nim(3,4,5)`` has heaps of chips; in ``poker-nim(3,4,5:2,1)`` the player to move also has 2 chips, "
        "and the other player 1. Chips cannot be added to an empty heap. Chips may come and go, so play need not "
        "end: ``--loopy`` explores all positions.",
        theorem="The value is the xor of the heaps, as in Nim: if a player adds chips, the other player takes them "
        "away, and then the first player has fewer chips to add.",
        source="E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 3.",
    )

    loopy = True

    def options(self, position: Chips) -> Iterator[Chips]:
        """Yield the position after each move. The other player is then to move, so their chips are listed first."""
        return (option for _, _, option in self._moves(position))

    def _moves(self, position: Chips) -> Iterator[tuple[int, int, Chips]]:
        """Yield each move as the index of its heap, the size of this heap after the move, and the option."""
        sizes, own, theirs = position
        for index, size in enumerate(sizes):
            for after in range(size + own + 1):
                if after != size:
                    heaps_after = (*sizes[:index], after, *sizes[index + 1 :])
                    yield index, after, self.canonical((heaps_after, theirs, own + size - after))

    def canonical(self, position: Chips) -> Chips:
        """Return the position with its heaps in increasing order, without empty heaps."""
        sizes, own, theirs = position
        return tuple(sorted(filter(None, sizes))), own, theirs

    def closed_form(self, position: Chips) -> int:
        return reduce(xor, position[0], 0)

    def values_at(self, numbers: Sequence[np.ndarray]) -> np.ndarray:
        return np.asarray(reduce(xor, numbers))

    def reason(self, position: Chips) -> str:
        return Message("the xor of the heaps decides: {xor}", xor_text(position[0]))

    def parse(self, text: str) -> Chips:
        """Return the position that a text describes, such as ``3,4,5`` or ``3,4,5:2,1``.

        Before the colon are the sizes of the heaps; after it are the numbers of chips of the player to move and of the
        other player. Without a colon both have no chips.
        """
        sizes, colon, chips = text.partition(":")
        own = integers(chips, len(sizes) + 1, what=Message("the number of a player's chips")) if colon else [0, 0]
        if len(own) != 2:
            raise ParseError(
                "expected the chips of the player to move and of the other player, such as 2,1", column=len(sizes) + 2
            )
        return self.canonical((tuple(integers(sizes, what=Message("a heap's size"))), own[0], own[1]))

    def format(self, position: Chips) -> str:
        """Return the heap sizes as text, followed by the numbers of chips of both players unless both are 0."""
        sizes, own, theirs = position
        return (",".join(map(str, sizes)) or "0") + (f":{own},{theirs}" if own or theirs else "")

    def picture(self, position: Chips) -> Picture | None:
        """Return a picture of the heaps, each with free squares for the chips that the player to move can add.

        The result is None if there are too many heaps or squares.
        """
        sizes, own, _ = position
        board = heaps(size + own for size in sizes)
        if board is None or not sizes:
            return board
        kinds = [Cell("piece" if number < size else "square") for size in sizes for number in range(size + own)]
        return Picture(tuple(kinds), board.places)

    def ways(self, position: Chips) -> Iterator[Way]:
        """Yield a :class:`Way` for each move; a player touches the cells of the chips that are taken or added.

        ``Way.after`` is None, because the picture of the option has different cells: free squares for the other player.
        """
        sizes, own, _ = position
        starts = [sum(sizes[:index]) + own * index for index in range(len(sizes))]
        for index, after, option in self._moves(position):
            changed = range(min(after, sizes[index]), max(after, sizes[index]))
            yield Way(option, None, tuple(starts[index] + number for number in changed))
