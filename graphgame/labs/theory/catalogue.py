"""Catalogue entries of coin-turning games, on a row or a sheet of coins."""

from __future__ import annotations

from functools import partial

from graphgame.labs.shared_rules import WINNING_WAYS
from graphgame.rules.ruleset import About, Entry

_CHAPTER = f"{WINNING_WAYS}, chapter 14."
_ROW = "the row of coins, or as the places of the heads, counted from 1"
_SHEET = "the sheet of coins row by row, or as row.column of each head, counted from 1"


def _entry(kind: str, shown: str, example: str, fixed: str, rules: str, theorem: str, source: str = _CHAPTER) -> Entry:
    """Return the catalogue entry of a game: the rules class ``kind``, such as "Coins", with fixed arguments.

    ``fixed`` is the text of these arguments, such as "1,2". The name of the game is the start of ``example``, which is
    a position. ``shown`` is a phrase for how positions are written. Three texts describe the game, see :class:`About`:
    ``rules`` has the moves, ``theorem`` what is known about the values, and ``source`` where this is published.
    """
    notation = f"The notation {kind.lower()}{{{fixed}}} names the same game. Write a position as {shown}."
    name = example.partition("(")[0]
    return Entry(name, "labs.theory.coins", kind, example, fixed, About(rules, notation, theorem, source))


_coins = partial(_entry, "Coins", _ROW)


GAMES = (
    Entry("coins", "labs.theory.coins", "Coins", "coins{1..3 within 5}(thhtth)"),
    _coins(
        "turning-turtles(thht)",
        "1,2",
        "Turning Turtles: turn one coin from heads to tails and, if you like, one more coin to its left.",
        "A head at place n, counted from 1, has the value n: this is Nim.",
    ),
    _coins(
        "mock-turtles(htththtth)",
        "1..3",
        "Mock Turtles: turn up to three coins, the rightmost from heads to tails.",
        "A head at place n, counted from 1, has as its value the n-th odious number: those with an odd number of "
        "binary ones.",
    ),
    _coins(
        "ruler(ththh)",
        "any adjacent",
        "Ruler: turn any number of neighbouring coins, the rightmost from heads to tails.",
        "A head at place n, counted from 1, has as its value the largest power of 2 that divides n.",
    ),
    _coins(
        "twins(thht)",
        "2",
        "Twins: turn exactly two coins, the right one from heads to tails.",
        "A head at place n, counted from 1, has the value n - 1.",
    ),
    _coins(
        "triplets(thhth)",
        "3",
        "Triplets: turn exactly three coins, the rightmost from heads to tails.",
        "A head at place n, counted from 1, has the (n - 2)-th odious number as its value, and 0 if n is below 3.",
    ),
    _coins(
        "turnips(thhthh)",
        "3 spaced",
        "Turnips, or Ternups: turn three coins at equal distances, the rightmost from heads to tails.",
        "Write the place of a head, counted from 0, in ternary. If its rightmost digit 2 is the k-th digit from the "
        "right, the value is the k-th odious number. Without a digit 2 the value is 0.",
    ),
    _coins(
        "mobius(thhth)",
        "1..5",
        "Möbius: turn up to five coins, the rightmost from heads to tails.",
        "On 18 coins the P-positions are an error-correcting code with the symmetries of the projective line over "
        "the field of 17 elements.",
    ),
    _coins(
        "mogul(thhth)",
        "1..7",
        "Mogul: turn up to seven coins, the rightmost from heads to tails.",
        "On 24 coins the P-positions are the words of the extended binary Golay code.",
    ),
    _coins(
        "moidores(thhth)",
        "1..9",
        "Moidores: turn up to nine coins, the rightmost from heads to tails.",
        "Heads at the first nine places have the values 1, 2, 4, ..., 256. The value at the tenth place is their xor.",
    ),
    _coins(
        "grunt(tthhht)",
        "4 symmetric first",
        "Grunt: turn four coins in a symmetrical pattern that includes the first coin of the row, the rightmost "
        "from heads to tails.",
        "A head at place n, counted from 1, has the value of a heap of n - 1 in Grundy's game: turning it leaves two "
        "heads that stand for unequal heaps with the total n - 1, and the head at place 1, which has the value 0.",
    ),
    _coins(
        "motley(thhth)",
        "any",
        "Motley: turn any number of coins, the rightmost from heads to tails.",
        "A head at place n, counted from 1, has the value 2 to the power of n - 1, so no two rows have the same value.",
    ),
    _coins(
        "mock-turtle-fives(thhtthth)",
        "1..3 within 5",
        "Mock Turtle Fives: turn up to three of five neighbouring coins, the rightmost from heads to tails.",
        "The values of the heads from left to right are 1, 2, 4, 7, 8 again and again.",
    ),
    _coins(
        "triplet-fives(thhtthth)",
        "3 within 5",
        "Triplet Fives: turn exactly three of five neighbouring coins, the rightmost from heads to tails.",
        "The values of the heads from left to right are 0, 0, 1, 2, 4 again and again.",
    ),
    _coins(
        "ruler-fives(thhtthth)",
        "1..5 adjacent",
        "Ruler Fives: turn up to five neighbouring coins, the rightmost from heads to tails.",
        "A head at place n, counted from 1, has as its value the largest power of 2 up to 4 that divides n.",
    ),
    _coins(
        "sym(thhtth)",
        "any symmetric",
        "Sym: turn any number of coins in a symmetrical pattern, the rightmost from heads to tails.",
        "No formula for the values is known.",
    ),
    _coins(
        "sympler(thhtth)",
        "any symmetric first",
        "Sympler: turn coins in a symmetrical pattern that includes the first coin of the row, the rightmost from "
        "heads to tails.",
        "Each move turns the first coin. A head at the first place has the value 1, all other heads have the value 0.",
    ),
    Entry("tartan", "labs.theory.coins", "Tartan", "tartan{mock-turtles x ruler}(thh/hth)"),
    _entry(
        "Tartan",
        _SHEET,
        "turning-corners(tth/thh)",
        "twins x twins",
        "Turning Corners: turn the four corners of a rectangle, the one in its last row and column from heads to "
        "tails.",
        "A head in row a and column b, counted from 0, has as its value the nim product of a and b.",
        "J. H. Conway, On Numbers and Games (1976), chapter 11.",
    ),
    _entry(
        "Tartan",
        _SHEET,
        "rugs(thh/hth)",
        "ruler x ruler",
        "Rugs: turn all coins of a rectangle, the one in its last row and column from heads to tails.",
        "A head in row a and column b, counted from 1, has as its value the nim product of the largest powers of "
        "2 that divide a and b.",
    ),
    Entry("acrostic", "labs.theory.coins", "Acrostic", "acrostic{twins x ruler}(thh/hth)"),
    _entry(
        "Acrostic",
        _SHEET,
        "acrostic-twins(thh/hth)",
        "twins x twins",
        "Acrostic Twins: turn two coins of one row or of one column, the right or the lower one from heads to tails.",
        "A head in row a and column b, counted from 0, has the value a xor b: it is two heaps of Nim.",
        f"{_CHAPTER} T. S. Ferguson, Game Theory, part I.",
    ),
)
