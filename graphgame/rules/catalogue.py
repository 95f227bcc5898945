"""The names of the games, and where each is defined; a family is imported when one of its games is asked for."""

from __future__ import annotations

from difflib import get_close_matches

from graphgame.errors import Message, UnknownGameError, either
from graphgame.registry import missing_labs, offers
from graphgame.rules.entry import WINNING_WAYS, Entry
from graphgame.rules.ruleset import About, Ruleset


def _coins(name: str, example: str, turned: str, rules: str, theorem: str) -> Entry:
    notation = f"This is coins{{{turned}}}; a position is the row of coins, or the numbers of the heads."
    about = About(rules, notation, theorem, f"{WINNING_WAYS}, chapter 14.")
    return Entry(name, "games.coins", "Coins", example, turned, about)


_GAMES = (
    Entry("nim", "rules.nim", "Nim", "nim(3,4,5)"),
    Entry("whiteboard", "games.whiteboard", "Whiteboard", "whiteboard{3}(30)"),
    Entry("cutting", "games.cutting", "Cutting", "cutting(4x2)"),
    Entry("staircase", "games.strips", "Staircase", "staircase(2,0,3)"),
    Entry("nimble", "games.strips", "Nimble", "nimble(3,1,4)"),
    Entry("georgia", "games.strips", "Georgia", "georgia(1,3,7)"),
    Entry(
        "silver-dollar",
        "games.strips",
        "Georgia",
        "silver-dollar(0,2,6)",
        "0",
        About(
            "The Silver Dollar game without the dollar: as Georgia and Bob, with squares from 0.",
            "This is georgia{0}; a position is the squares of the coins.",
            "The value is the xor of the gaps before the last coin, the last but two, and so on.",
            "J. H. Conway, On Numbers and Games (1976), chapter 11.",
        ),
    ),
    Entry("chocolate", "games.chocolate", "Chocolate", "chocolate(4x5)"),
    Entry("bitter-chocolate", "games.chocolate", "BitterChocolate", "bitter-chocolate(4x5@2,3)"),
    Entry("coins", "games.coins", "Coins", "coins{1..3 within 5}(thhtth)"),
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
    Entry("hackenbush", "games.hackenbush", "Hackenbush", "hackenbush(0-1,1-2,1-3)"),
    Entry("northcott", "games.northcott", "Northcott", "northcott(x...o./.x..o.)"),
    Entry("poker-nim", "games.northcott", "PokerNim", "poker-nim(3,4,5)"),
    Entry("wind-up", "games.wind_up", "WindUp", "wind-up{7: 1,2,5}(3)"),
)

CATALOGUE: dict[str, Entry] = {
    entry.name: entry
    for entries in (_GAMES, *(offer.load() for offer in offers("games").values()))
    for entry in entries
}
"""Name -> game: those of the core, then those of the labs."""


def entry_of(name: str) -> Entry:
    """Return the entry of a game.

    Raises
    ------
    UnknownGameError
        There is no such game; names similar ones.
    """
    if name not in CATALOGUE:
        small = name.lower()
        near = [small] if small in CATALOGUE else get_close_matches(small, CATALOGUE, n=3, cutoff=0.5)
        hint = Message("did you mean {names}?", either(near)) if near else Message("graphgame games lists all games")
        if labs := missing_labs():
            hint = Message("{hint}; labs with more are not installed: {labs}", hint, ", ".join(labs))
        raise UnknownGameError("unknown game {name!r}: {hint}", name, hint)
    return CATALOGUE[name]


def ruleset(name: str, arguments: str = "") -> Ruleset:
    """Return the rules of a game of the catalogue.

    Parameters
    ----------
    name : str
    arguments : str
        What stands between braces in the notation.

    Raises
    ------
    UnknownGameError
        There is no such game; names similar ones.
    ParseError
        The arguments are wrong.

    Examples
    --------
    >>> list(ruleset("take", "1,3").options(5))
    [4, 2]
    >>> ruleset("kayles").closed_form(100_000)
    1
    """
    return entry_of(name).with_arguments(arguments)
