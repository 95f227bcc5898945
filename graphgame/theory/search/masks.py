"""The search among the positions of a :class:`MaskRuleset`, by compiled loops and a table of bounded memory."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import reduce
from operator import xor

from graphgame.arrays.wide import WIDEST
from graphgame.errors import Message
from graphgame.rules.faults import blamed
from graphgame.rules.mask_ruleset import MaskRuleset
from graphgame.rules.masks import MaskGame
from graphgame.theory.search.limits import Allowance, ValueTooLargeError
from graphgame.theory.search.mask_search import MaskSearch
from graphgame.theory.search.solver import Solver
from graphgame.theory.search.table import Boards

__all__ = ["MaskSolver", "fits_loops"]

_MOST_MOVES = 2048


def fits_loops(game: MaskGame) -> bool:
    """Tell whether the compiled search takes a game."""
    return 0 < game.cells <= WIDEST and 0 < len(game.moves) <= _MOST_MOVES


class MaskSolver:
    """A search among the positions of one ruleset: see :class:`Solver`, whose place it takes.

    A position is asked for its value out of a set of nimbers, and answers with the value or that it is none of these;
    of its options only what that depends on is asked for (:mod:`graphgame.theory.search.mask_loops`).

    References
    ----------
    P. Beling, M. Rogalski, On pruning search trees of impartial games, Artificial Intelligence 283 (2020).

    Examples
    --------
    >>> from graphgame.games import ruleset
    >>> solver = MaskSolver("cram", ruleset("cram"), Allowance(1000))
    >>> solver.value(["...../...../....."]), solver.has_value(["....", "..."], 3)
    (1, True)
    """

    def __init__(
        self, name: str, ruleset: MaskRuleset, allowance: Allowance, positions: Sequence[Hashable] = ()
    ) -> None:
        self._name = name
        self._ruleset = ruleset
        self._allowance = allowance
        self._searches: dict[MaskGame, MaskSearch] = {}
        self._whole: dict[MaskGame, Hashable] = {}
        self._parts(sorted(positions, key=lambda position: -ruleset.on_board(position)[0].cells))

    def value(self, positions: Sequence[Hashable]) -> int:
        """Return the Grundy value of a sum of positions."""
        try:
            return reduce(xor, (search.value(mask) for search, mask in self._parts(positions)), 0)
        except ValueTooLargeError:
            return self._other().value(positions)

    def has_value(self, positions: Sequence[Hashable], nimber: int) -> bool:
        """Tell whether a sum of positions has a Grundy value: whether it is lost beside a heap of this size."""
        if nimber == 0 and len(positions) == 1 and (told := self._told(positions[0])) is not None:
            return told == "P"
        try:
            parts = sorted(self._parts(positions), key=lambda part: part[1].bit_count())
            if not parts:
                return nimber == 0
            *others, (last, mask) = parts
            nimber ^= reduce(xor, (search.value(other) for search, other in others), 0)
            return last.has_value(mask, nimber)
        except ValueTooLargeError:
            return self._other().has_value(positions, nimber)

    @property
    def boards(self) -> Boards:
        """What is known of sets of cells, board by board."""
        return ((self._whole[game], search.facts()) for game, search in self._searches.items())

    def keep_cells(self, board: Hashable, cells: list[tuple[int, int]]) -> bool:
        """Write down facts about sets of cells of the board of a position; tell whether a search is on that board.

        A board with room for all others is taken in place of them.
        """
        game = self._ruleset.on_board(board)[0]
        if game not in self._searches and self._have_room(game):
            self._searches = {game: MaskSearch(game, self._allowance), **self._searches}
            self._whole[game] = board
        if game in self._searches:
            self._searches[game].keep(cells)
        return game in self._searches

    def _have_room(self, game: MaskGame) -> bool:
        return fits_loops(game) and all(
            self._ruleset.on_board(whole, [game])[0] is game for whole in self._whole.values()
        )

    def fact(self, position: Hashable) -> int:
        """Return what is known of a canonical position, which may be several components here, as some of Chomp are."""
        facts = [search.fact(mask) for search, mask in self._parts([position])]
        return facts[0] if len(facts) == 1 else reduce(xor, facts, 0) if min(facts, default=0) >= 0 else -1

    def keep(self, position: Hashable, fact: int) -> None:
        """Write down a fact about a position of one component; what is known of a sum tells nothing of its parts."""
        parts = self._parts([position])
        if len(parts) == 1:
            parts[0][0].keep([(parts[0][1], fact)])

    def _parts(self, positions: Sequence[Hashable]) -> list[tuple[MaskSearch, int]]:
        """Return the components of positions in canonical form, but pairs of equal ones and those that are lost."""
        found: dict[tuple[MaskSearch, int], None] = {}
        for position in positions:
            with blamed(self._name, Message("the canonical form"), position):
                position = self._ruleset.canonical(position)
            game, mask = self._ruleset.on_board(position, self._searches)
            if game not in self._searches:
                self._searches[game], self._whole[game] = MaskSearch(game, self._allowance), position
            search = self._searches[game]
            for part in search.canonical(game.components(mask)):
                if (search, part) in found:
                    del found[search, part]
                else:
                    found[search, part] = None
        return list(found)

    def _told(self, position: Hashable) -> str | None:
        with blamed(self._name, Message("the outcome"), position):
            return self._ruleset.outcome_form(position)

    def _other(self) -> Solver:
        """Return the search that knows no bound for values."""
        return Solver(self._name, self._ruleset, self._allowance)
