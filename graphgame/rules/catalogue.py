"""The catalogue: the name of every game and the module that defines it, imported when the game is first used."""

from __future__ import annotations

from difflib import get_close_matches

from graphgame.errors import Message, UnknownGameError, either
from graphgame.registry import missing_labs, offers
from graphgame.rules.ruleset import Entry, Ruleset

_GAMES = (
    Entry("nim", "rules.nim", "Nim", "nim(3,4,5)"),
    Entry("cutting", "games.cutting", "Cutting", "cutting(4x2)"),
    Entry("wind-up", "games.wind_up", "WindUp", "wind-up{7: 1,2,5}(3)"),
)

CATALOGUE: dict[str, Entry] = {
    entry.name: entry
    for entries in (_GAMES, *(offer.load() for offer in offers("games").values()))
    for entry in entries
}
"""Name of a game -> its entry. The games of the core come first, then those of the labs."""


def entry_of(name: str) -> Entry:
    """Return the catalogue's entry for the game of this name.

    Raises
    ------
    UnknownGameError
        There is no such game; the message lists games with similar names, or says how to list all games.
    """
    if name not in CATALOGUE:
        small = name.lower()
        near = [small] if small in CATALOGUE else get_close_matches(small, CATALOGUE, n=3, cutoff=0.5)
        hint = Message("did you mean {names}?", either(near)) if near else Message("graphgame games lists all games")
        if labs := missing_labs():
            hint = Message("{hint}; labs that may have more games are not installed: {labs}", hint, ", ".join(labs))
        raise UnknownGameError("unknown game {name!r}: {hint}", name, hint)
    return CATALOGUE[name]


def ruleset(name: str, arguments: str = "") -> Ruleset:
    """Return the rules of a game of the catalogue.

    Parameters
    ----------
    name : str
    arguments : str
        The text between the braces of the notation: ``1,3`` for ``take{1,3}``. Empty for a game without braces.

    Raises
    ------
    UnknownGameError
        There is no such game; see :func:`entry_of`.
    ParseError
        The game does not accept these arguments.

    Examples
    --------
    >>> list(ruleset("take", "1,3").options(5))
    [4, 2]
    >>> ruleset("kayles").closed_form(100_000)
    1
    """
    return entry_of(name).with_arguments(arguments)
