"""The signs of pictures, and what they mean."""

from __future__ import annotations

from graphgame.arrays.decided import LOONY, SUNNY
from graphgame.errors import Message
from graphgame.explanation.texts import translate
from graphgame.export import style
from graphgame.export.picture import GraphPicture

__all__ = ["SIGNS", "legend_signs", "meaning", "value_name"]

_MEANINGS = {
    "P": Message("previous player wins"),
    "N": Message("next player wins"),
    "D": Message("draw: nobody can force an end"),
    "centre": Message("drawn around this position"),
    "infinite": Message("infinite value: its options have the finite values 0, 2"),
    "sunny": Message("play is over: the player who just moved has won"),
    "loony": Message("the next player can end play at once and win, or has won"),
    "genus": Message("genus: a heap of Nim, or normal value ^ misère values with 0, 1, 2, ... heaps of two"),
    "token": Message("token"),
    "token win": Message("winning move of the tokens"),
    "win": Message("move to a P-position"),
    "move": Message("move"),
    "part": Message("part of a sum"),
    "back": Message("move back up"),
    "merged": Message("3 equal positions, drawn as one"),
    "sum": Message("sum of its parts, outlined in dashes"),
    "stub": Message("that many moves are not shown"),
    "twice": Message("stands in the sum twice, or more often"),
}
"""Kind of a sign -> what it means."""

SIGNS = {
    "centre": style.CENTRE,
    "value": "0, 1, 2",
    "genus": "2, 2^2, 4^146",
    "infinite": "inf(0,2)",
    "sunny": "sunny",
    "loony": "loony",
    "merged": style.times(3),
    "sum": style.SUM,
    "stub": "+3",
    "part": "- -▷",
    "twice": style.times(2),
}
"""Kind -> the sign, where that is a word."""


def meaning(kind: str) -> str:
    """Return what a sign means."""
    return translate(_MEANINGS[kind])


def value_name(picture: GraphPicture) -> str:
    """Return what the values of a picture are called."""
    misere = picture.solution is not None and picture.solution.play == "misere"
    return translate("misère value" if misere else "Grundy value")


def legend_signs(picture: GraphPicture) -> list[tuple[str, str]]:
    """Return the kinds of signs in a drawing of every position, and what they mean."""
    solution, options = picture.solution, picture.options
    solved = solution is not None
    shown = {
        "centre": bool(picture.centres),
        "P": solved and options.only in ("P", None),
        "N": solved and options.only in ("N", None),
        "D": solved and options.only in ("D", None) and picture.shows_draws,
        "genus": solved and options.values and options.genus is not None,
        "value": solved and options.values and options.genus is None,
        "infinite": solved and options.values and picture.shows_infinite_values,
        "sunny": solved and options.values and picture.shows_decisive_value(SUNNY),
        "loony": solved and options.values and picture.shows_decisive_value(LOONY),
        "token": picture.shows_tokens,
        "token win": picture.shows_token_wins,
        "win": solved and options.only is None,
        "merged": picture.shows_merged,
        "sum": picture.shows_sums,
        "part": picture.shows_parts,
        "twice": picture.shows_multiples,
        "stub": bool(picture.stubs),
    }
    kinds = [kind for kind, is_shown in shown.items() if is_shown]
    return [(kind, value_name(picture) if kind == "value" else meaning(kind)) for kind in kinds]
