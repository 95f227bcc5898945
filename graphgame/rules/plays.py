"""Play that is not seen to end, looked for depth first: where the nearest positions are too many to see it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from graphgame.rules.ruleset import Ruleset, Sum

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


def parts_of(option: Hashable) -> tuple[Hashable, ...]:
    """Return the parts of a sum, or the one position."""
    return tuple(option) if type(option) is Sum else (option,)
