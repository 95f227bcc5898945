"""The limits of an exploration: refuse games that exceed them, and find play without an end in a user's rules.

Play without an end is searched depth first: a breadth-first search can meet the limit before it closes a cycle.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from graphgame.errors import LimitError, Message, play_text, plural
from graphgame.rules import MAX_MOVES
from graphgame.rules.faults import rule_errors
from graphgame.rules.ruleset import Ruleset, parts_of

_LARGEST_SHOWN = 10**18
_MOVES_BEYOND_MEMORY = 10**11


class Limits(NamedTuple):
    """The limits of an exploration: how many positions and how many moves it may find."""

    positions: int
    moves: int

    def refuse_larger(self, ruleset: Ruleset, starts: Iterable[Hashable]) -> None:
        """Raise a LimitError if the ruleset's ``least_size`` for a start exceeds a limit."""
        for start in starts:
            with rule_errors(type(ruleset).__name__, Message("the least size"), start):
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

    def exceeded(
        self, positions: int, moves: int, explored: int, hint: str = "", play: Sequence[Hashable] | None = None
    ) -> LimitError:
        """Return the error for an exploration that found more positions or moves than the limits.

        Parameters
        ----------
        positions, moves : int
            How many the exploration had found when it stopped.
        explored : int
            The number of positions whose options it had listed.
        hint : str
            A text that follows these numbers in the message.
        play : sequence of hashable, optional
            As for :meth:`error`.
        """
        size = Message(
            "{positions} and {steps} found after exploring {explored}{hint}",
            plural(positions, "position"),
            plural(moves, "move"),
            plural(explored, "position"),
            hint,
        )
        return self.error(size, moves, play)

    def error(self, size: str, moves: int, play: Sequence[Hashable] | None = None) -> LimitError:
        """Return the error for a game that is larger than the limits.

        Parameters
        ----------
        size : str
            How large the game is, or how much of it was found, as a clause.
        moves : int
            The number of moves in that clause. The error advises a higher limit only if memory can hold that many.
        play : sequence of hashable, optional
            Positions of a play that may have no end; the message then shows this play instead of that advice.
        """
        more = Message(", or ten times max_positions where that is more") if moves > self.moves >= MAX_MOVES else ""
        message = Message(
            "the game is larger than the limit: {found}; the limits are max_positions={positions} "
            "and max_moves={moves}{more}",
            size,
            self.positions,
            self.moves,
            more,
        )
        if play is None:
            return LimitError(message, limit="max_positions" if moves < _MOVES_BEYOND_MEMORY else None)
        return unended(message, play)


def unended(message: str, play: Sequence[Hashable]) -> LimitError:
    """Return a LimitError whose message adds the positions of a play that may have no end."""
    advice = Message("graphgame check looks for what is wrong with the rules")
    return LimitError("{message}; play may not end: {play}; {advice}", message, play_text(play), advice, play=play)


MOST_TRIED = 20_000
"""The default number of moves that :func:`unended_play` follows."""

_LONG_PLAY = 3000


def unended_play(ruleset: Ruleset, starts: Iterable[Hashable], most: int = MOST_TRIED) -> list[Hashable] | None:
    """Search for a play that returns to a position or lasts 3,000 moves; return None if none is found.

    The result lists canonical positions in the order of play. If play returns to a position, the list ends with it.
    The search follows at most ``most`` moves.

    Examples
    --------
    >>> class Walk(Ruleset):
    ...     def options(self, place):
    ...         return [place + 1, place - 2] if place < 7 else [place - 2]
    >>> unended_play(Walk(), [5])
    [5, 6, 7, 5]
    """
    seen: set[Hashable] = set()
    tried = 0
    for start in starts:
        play: dict[Hashable, None] = {}
        rows = [iter((ruleset.canonical(start),))]
        while rows:
            for position in rows[-1]:
                tried += 1
                if position in play:
                    return [*play, position]
                if tried > most:
                    return None
                if position not in seen:
                    seen.add(position)
                    play[position] = None
                    rows.append(_followers(ruleset, position))
                    break
            else:
                rows.pop()
                if play:
                    play.popitem()
            if len(play) > _LONG_PLAY:
                return list(play)
    return None


def own_unended_play(ruleset: Ruleset, starts: Iterable[Hashable], most: int = MOST_TRIED) -> list[Hashable] | None:
    """Apply :func:`unended_play` to a user's own rules; return None for loopy rules and for rules of this package."""
    if ruleset.loopy or type(ruleset).__module__.startswith("graphgame."):
        return None
    try:
        return unended_play(ruleset, starts, most)
    except (Exception, SystemExit):  # the caller reports a limit: an exception of the rules here is not its cause
        return None


def _followers(ruleset: Ruleset, position: Hashable) -> Iterator[Hashable]:
    """Yield the canonical options of a position; of an option that is a sum, yield each part."""
    for option in () if ruleset.decided(position) else ruleset.options(position):
        yield from map(ruleset.canonical, parts_of(option))
