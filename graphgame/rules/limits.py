"""The limits of an exploration: games that are known to be larger, and games that never end."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from graphgame.errors import LimitError, Message, play_text, plural
from graphgame.rules import MAX_MOVES
from graphgame.rules.faults import blamed
from graphgame.rules.ruleset import Ruleset

_LARGEST_SHOWN = 10**18
_BEYOND_MEMORY = 10**11


class Limits(NamedTuple):
    """The most positions and moves that an exploration may find."""

    positions: int
    moves: int

    def refuse_larger(self, ruleset: Ruleset, starts: Iterable[Hashable]) -> None:
        """Raise a LimitError where the rules tell that there are more."""
        for start in starts:
            with blamed(type(ruleset).__name__, Message("the least size"), start):
                least = ruleset.least_size(start)
                if least[0] > self.positions or least[1] > self.moves:
                    shown = [min(size, _LARGEST_SHOWN) for size in least]
                    raise self.error(
                        Message(
                            "it has at least {positions} and {moves}",
                            plural(shown[0], "position"),
                            plural(shown[1], "move"),
                        ),
                        least[1],
                    )

    def error(self, found: str, moves: int, play: Sequence[Hashable] | None = None) -> LimitError:
        """Return the error that says what was found, with how many moves, and what the limits are.

        A play that was not seen to end is shown in place of how to raise the limit; a number of moves beyond all
        memory leaves it out.
        """
        more = Message(", or ten times max_positions where that is more") if moves > self.moves >= MAX_MOVES else ""
        message = Message(
            "the game is larger than the limit: {found}; the limits are max_positions={positions} "
            "and max_moves={moves}{more}",
            found,
            self.positions,
            self.moves,
            more,
        )
        if play is None:
            return LimitError(message, limit="max_positions" if moves < _BEYOND_MEMORY else None)
        return unended(message, play)


def unended(message: str, play: Sequence[Hashable]) -> LimitError:
    """Return the error of a limit, met perhaps because play does not end."""
    advice = Message("graphgame check looks for what is wrong with the rules")
    return LimitError("{message}; play may not end: {play}; {advice}", message, play_text(play), advice, play=play)
