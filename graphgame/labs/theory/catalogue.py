"""Catalogue entries of coin-turning games and their products."""

from __future__ import annotations

from graphgame.labs.shared_rules import WINNING_WAYS
from graphgame.rules.ruleset import About, Entry


def _tartan(name: str, example: str, factors: str, rules: str, theorem: str, source: str) -> Entry:
    notation = f"This is tartan{{{factors}}}; a position is the sheet row by row, or the heads as row.column."
    return Entry(name, "labs.theory.coins", "Tartan", example, factors, About(rules, notation, theorem, source))


def _coins(name: str, example: str, turned: str, rules: str, theorem: str) -> Entry:
    notation = f"This is coins{{{turned}}}; a position is the row of coins, or the numbers of the heads."
    about = About(rules, notation, theorem, f"{WINNING_WAYS}, chapter 14.")
    return Entry(name, "labs.theory.coins", "Coins", example, turned, about)


GAMES = (
    Entry("coins", "labs.theory.coins", "Coins", "coins{1..3 within 5}(thhtth)"),
    _coins(
        "turning-turtles",
        "turning-turtles(thht)",
        "1,2",
        "Turning Turtles: turn one coin from heads to tails, and if you like any one left of it.",
        "A head at place n, counted from 1, has the value n: this is Nim.",
    ),
    _coins(
        "mock-turtles",
        "mock-turtles(htththtth)",
        "1..3",
        "Mock Turtles: turn up to three coins, the rightmost from heads to tails.",
        "A head at place n, counted from 1, has as its value the n-th odious number: those with an odd number of "
        "binary ones.",
    ),
    _coins(
        "ruler",
        "ruler(ththh)",
        "any adjacent",
        "Ruler: turn any number of neighbouring coins, the rightmost from heads to tails.",
        "A head at place n, counted from 1, has as its value the largest power of 2 that divides n.",
    ),
    _coins(
        "twins",
        "twins(thht)",
        "2",
        "Twins: turn exactly two coins, the right one from heads to tails.",
        "A head at place n, counted from 1, has the value n - 1.",
    ),
    _coins(
        "triplets",
        "triplets(thhth)",
        "3",
        "Triplets: turn exactly three coins, the rightmost from heads to tails.",
        "A head at place n, counted from 1, has the (n - 2)-th odious number as its value, and 0 if n is below 3.",
    ),
    _coins(
        "turnips",
        "turnips(thhthh)",
        "3 spaced",
        "Turnips, or Ternups: turn three coins at equal distances, the rightmost from heads to tails.",
        "Write the place, counted from 0, in ternary: the value is the k-th odious number where the k-th digit "
        "from the right is the first that is 2, and 0 without a digit 2.",
    ),
    _coins(
        "mobius",
        "mobius(thhth)",
        "1..5",
        "Möbius: turn up to five coins, the rightmost from heads to tails.",
        "On 18 coins the P-positions are a code with the symmetries of the projective line over the field of 17 "
        "elements.",
    ),
    _coins(
        "mogul",
        "mogul(thhth)",
        "1..7",
        "Mogul: turn up to seven coins, the rightmost from heads to tails.",
        "On 24 coins the P-positions are the words of the extended binary Golay code.",
    ),
    _coins(
        "moidores",
        "moidores(thhth)",
        "1..9",
        "Moidores: turn up to nine coins, the rightmost from heads to tails.",
        "The first nine values are powers of 2, and the tenth is their xor: it undoes the other nine.",
    ),
    _coins(
        "grunt",
        "grunt(tthhht)",
        "4 symmetric first",
        "Grunt: turn four coins in a symmetrical pattern, the first of the row among them, the last from heads to "
        "tails.",
        "A head at place n, counted from 1, has the value of a heap of n - 1 in Grundy's game: the coins between "
        "the first and the head are two unequal heaps.",
    ),
    _coins(
        "motley",
        "motley(thhth)",
        "any",
        "Motley: turn any number of coins, the rightmost from heads to tails.",
        "A head at place n, counted from 1, has the value 2 to the power of n - 1: no two rows are equal.",
    ),
    _coins(
        "mock-turtle-fives",
        "mock-turtle-fives(thhtthth)",
        "1..3 within 5",
        "Mock Turtle Fives: turn up to three of five neighbouring coins, the rightmost from heads to tails.",
        "The values of the heads from left to right are 1, 2, 4, 7, 8 again and again.",
    ),
    _coins(
        "triplet-fives",
        "triplet-fives(thhtthth)",
        "3 within 5",
        "Triplet Fives: turn three of five neighbouring coins, the rightmost from heads to tails.",
        "The values of the heads from left to right are 0, 0, 1, 2, 4 again and again.",
    ),
    _coins(
        "ruler-fives",
        "ruler-fives(thhtthth)",
        "1..5 adjacent",
        "Ruler Fives: turn up to five neighbouring coins, the rightmost from heads to tails.",
        "A head at place n, counted from 1, has as its value the largest power of 2 up to 4 that divides n.",
    ),
    _coins(
        "sym",
        "sym(thhtth)",
        "any symmetric",
        "Sym: turn any number of coins in a symmetrical pattern, the last of them from heads to tails.",
        "No formula for the values is known.",
    ),
    _coins(
        "sympler",
        "sympler(thhtth)",
        "any symmetric first",
        "Sympler: turn coins in a symmetrical pattern, the first among them, the last from heads to tails.",
        "Each move turns the first coin: it has the value 1 as a head, all others have the value 0.",
    ),
    Entry("tartan", "labs.theory.coins", "Tartan", "tartan{mock-turtles x ruler}(thh/hth)"),
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
    Entry("acrostic", "labs.theory.coins", "Acrostic", "acrostic{twins x ruler}(thh/hth)"),
    Entry(
        "acrostic-twins",
        "labs.theory.coins",
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
