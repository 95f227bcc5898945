"""The limits of an exploration: games that are known to be larger, and play that is not seen to end.

Such play is looked for depth first, where the nearest positions are too many to see it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from graphgame.errors import LimitError, Message, play_text, plural
from graphgame.rules import MAX_MOVES
from graphgame.rules.faults import blamed
from graphgame.rules.ruleset import Ruleset, parts_of

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

    def exceeded(
        self, positions: int, moves: int, explored: int, hint: str = "", play: Sequence[Hashable] | None = None
    ) -> LimitError:
        """Return the error for an exploration that found this many positions and moves from the first ``explored``.

        A hint may follow these numbers; for ``play`` see :meth:`error`.
        """
        found = Message(
            "{positions} and {steps} found from the first {explored}{hint}",
            plural(positions, "position"),
            plural(moves, "move"),
            plural(explored, "position"),
            hint,
        )
        return self.error(found, moves, play)

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


MOST_TRIED = 20_000
"""Moves that are looked at unless the caller says otherwise."""

_LONG = 3000


def unended_play(ruleset: Ruleset, starts: Iterable[Hashable], most: int = MOST_TRIED) -> list[Hashable] | None:
    """Return a play that comes back to a position or has very many moves; None where none is found soon.

    Its positions are canonical; the last is one of the others where play comes back.

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
                    rows.append(_places(ruleset, position))
                    break
            else:
                rows.pop()
                if play:
                    play.popitem()
            if len(play) > _LONG:
                return list(play)
    return None


def own_unended_play(ruleset: Ruleset, starts: Iterable[Hashable], most: int = MOST_TRIED) -> list[Hashable] | None:
    """Return such a play of a person's own rules, after a limit was met: the games of this package are known to end."""
    if ruleset.loopy or type(ruleset).__module__.startswith("graphgame."):
        return None
    try:
        return unended_play(ruleset, starts, most)
    except (Exception, SystemExit):  # rules that fail there are not why the work stopped
        return None


def _places(ruleset: Ruleset, position: Hashable) -> Iterator[Hashable]:
    """Yield the canonical positions that a move may leave, the parts of sums one by one."""
    for option in () if ruleset.decided(position) else ruleset.options(position):
        yield from map(ruleset.canonical, parts_of(option))
