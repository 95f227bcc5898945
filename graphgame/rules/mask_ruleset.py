"""Rules of games on sets of cells: their positions, and the texts of these."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, ClassVar

from graphgame.errors import Message, ParseError, RulesetError
from graphgame.rules.cells import bits
from graphgame.rules.masks import MaskGame
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Picture
from graphgame.rules.ruleset import Ruleset, sum_of

_NO_CELLS = "none"


class MaskRuleset(Ruleset):
    """Rules whose positions are sets of cells, described by a :class:`MaskGame`; a search runs them compiled.

    A position is the mask of a component of the cells, one of those that are the same by symmetry. On a grid its text
    is its rows, such as ``..#/.#.``, with ``.`` for a cell that is there, else the cells, such as ``0,2,5``.

    Attributes
    ----------
    game : MaskGame

    Examples
    --------
    >>> class Trominoes(MaskRuleset):
    ...     game = MaskGame.placing(4, 4, ["ooo", "oo/o."])
    >>> from graphgame import explore, solve
    >>> rules = Trominoes()
    >>> solve(explore(rules, rules.start)).grundy[rules.start]
    2
    """

    game: MaskGame
    cells: ClassVar = {".": "square", "#": "taken"}

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        """The position with all cells, where the game is one on the same cells always."""
        return self.parse("") if hasattr(self, "game") else None

    def on_board(self, position: Any, games: Iterable[MaskGame] = ()) -> tuple[MaskGame, int]:  # noqa: ANN401
        """Return the game that a position belongs to, and its set of cells; one of some games where it fits."""
        return self.game, position

    def off_board(self, position: Any, mask: int) -> Hashable:  # noqa: ANN401
        """Return the position with this set of cells, one component, in the game that a position belongs to."""
        return mask

    def told_apart(self, position: Any) -> MaskGame:  # noqa: ANN401
        """Return the game that a position belongs to, with those symmetries that :meth:`canonical` knows."""
        return self.on_board(position)[0]

    def options(self, position: Any) -> Iterator[Hashable]:  # noqa: ANN401
        """Return what each move leaves, component by component."""
        game, mask = self.on_board(position)
        for parts in game.after(mask):
            yield sum_of((self.off_board(position, part) for part in parts), self.off_board(position, 0))

    def canonical(self, position: Any) -> Hashable:  # noqa: ANN401
        """Return the least image of a position."""
        game, mask = self.on_board(position)
        return self.off_board(position, game.canonical(mask))

    def mobility(self, position: Any) -> int:  # noqa: ANN401
        """Return how many moves there are."""
        game, mask = self.on_board(position)
        return game.mobility(mask)

    def parse(self, text: str) -> Hashable:
        """Return the components of the cells that a text names; of all cells for an empty text."""
        if not hasattr(self, "game"):
            raise RulesetError(
                "{kind} has no game: give it one, such as game = MaskGame(cells, moves)", type(self).__name__
            )
        cells = self._cells_of(text) if text.strip() else range(self.game.cells)
        return sum_of(self.game.components(sum(1 << cell for cell in set(cells))), 0)

    def _cells_of(self, text: str) -> Iterator[int]:
        if self.game.grid is None:
            for piece, start in fields(text) if text.strip() != _NO_CELLS else ():
                yield integer(piece, start, what=Message("a cell"), least=0, most=self.game.cells - 1)
            return
        rows, columns = self.game.grid
        lines = text.strip().split("/")
        if len(lines) != rows or any(len(line) != columns or line.strip(".#") for line in lines):
            raise ParseError(
                "expected {rows} rows of {columns} cells, each . or #, with / between them", rows, columns, column=1
            )
        yield from (cell for cell, mark in enumerate("".join(lines)) if mark == ".")

    def format(self, position: Any) -> str:  # noqa: ANN401
        """Return the rows of a grid, or the cells."""
        if self.game.grid is None:
            return ",".join(map(str, bits(position))) if position else _NO_CELLS
        rows, columns = self.game.grid
        marks = "".join("." if position >> cell & 1 else "#" for cell in range(rows * columns))
        return "/".join(marks[row * columns : (row + 1) * columns] for row in range(rows))

    def board(self, position: Any) -> str:  # noqa: ANN401
        """Return the rows, one a line."""
        return self.format(position).replace("/", "\n")

    def picture(self, position: Any) -> Picture | None:  # noqa: ANN401
        """Return the board, if the game has one."""
        return None if hasattr(self, "game") and self.game.grid is None else super().picture(position)
