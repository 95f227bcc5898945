"""The game that a heap command is about: a code, a name, a game of the notation, or rules of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from graphgame.explanation.texts import translate

if TYPE_CHECKING:
    from graphgame.heaps import HeapGame


class Known(NamedTuple):
    """A game whose moves are those of a code: the code's game, and how far that is known."""

    game: HeapGame
    text: str
    record: dict[str, object]


def game_of(text: str) -> HeapGame:
    """Return the one-heap game that a text names.

    Raises
    ------
    ParseError, RulesetError, OSError
        There is none.
    """
    from graphgame.heaps import HeapGame, game, rule

    if ".py" not in text:
        return game(text)
    from graphgame.errors import RulesetError
    from graphgame.games.notation import own_rules

    own = own_rules(text, run_rules=True)
    if own is None:
        return game(text)
    if isinstance(own, HeapGame):
        own.name = text
        return own
    if own.decides:
        raise RulesetError(
            "in {name} a move may end play at once, so its heaps are no sums of smaller ones; see: "
            'graphgame values "{name}(1..20)"',
            text,
        )
    return rule(own.options, text)


def known_moves(game: HeapGame) -> Known:
    """Return the code whose moves a game has: stated by its rules, or found by comparing; else the game itself."""
    from graphgame.heaps import game as named
    from graphgame.heaps.codes import Code
    from graphgame.heaps.recognition import recognised
    from graphgame.heaps.rules import ByFunction

    if isinstance(game, Code) and game.row_of:
        text = translate("{game}: on a heap or in a row, its moves are those of {code}", game=game.name, code=game.code)
        return Known(game, f"{text}\n", {"code": game.code})
    found = recognised(game) if isinstance(game.rules, ByFunction) else None
    if found is None:
        return Known(game, "", {})
    code, last = found.code.code, found.last_heap
    text = translate(
        "{game}: its moves are those of {code} up to heap {heap}: compared, not proved for larger ones",
        game=game.name,
        code=code,
        heap=last,
    )
    return Known(named(code), f"{text}\n", {"code": code, "moves_compared_to": last})
