"""Products of coin games, as entries of the catalogue."""

from __future__ import annotations

from graphgame.rules.entry import WINNING_WAYS, Entry
from graphgame.rules.ruleset import About


def _tartan(name: str, example: str, factors: str, rules: str, theorem: str, source: str) -> Entry:
    notation = f"This is tartan{{{factors}}}; a position is the sheet row by row, or the heads as row.column."
    return Entry(name, "labs.theory.tartan", "Tartan", example, factors, About(rules, notation, theorem, source))


GAMES = (
    Entry("tartan", "labs.theory.tartan", "Tartan", "tartan{mock-turtles x ruler}(thh/hth)"),
    _tartan(
        "turning-corners",
        "turning-corners(tth/thh)",
        "twins x twins",
        "Turning Corners: turn the corners of a rectangle, the last of them from heads to tails.",
        "A head in row a and column b, counted from 0, has the nim product of a and b.",
        "J. H. Conway, On Numbers and Games (1976), chapter 11.",
    ),
    _tartan(
        "rugs",
        "rugs(thh/hth)",
        "ruler x ruler",
        "Rugs: turn all coins of a rectangle, the last of them from heads to tails.",
        "A head in row a and column b, counted from 1, has as its value the nim product of the largest powers of "
        "2 that divide a and b.",
        f"{WINNING_WAYS}, chapter 14.",
    ),
    Entry("acrostic", "labs.theory.tartan", "Acrostic", "acrostic{twins x ruler}(thh/hth)"),
    Entry(
        "acrostic-twins",
        "labs.theory.tartan",
        "Acrostic",
        "acrostic-twins(thh/hth)",
        "twins x twins",
        About(
            "Acrostic Twins: turn two coins of one row or of one column, the last of them from heads to tails.",
            "This is acrostic{twins x twins}; a position is the sheet row by row, or the heads as row.column.",
            "A head in row a and column b, counted from 0, has the value a xor b: it is two heaps of Nim.",
            f"{WINNING_WAYS}, chapter 14. T. S. Ferguson, Game Theory, part I.",
        ),
    ),
)
