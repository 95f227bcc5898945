"""The names of the games, and where each is defined; a family is imported when one of its games is asked for."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import NamedTuple, cast

from graphgame.errors import Message, ParseError, UnknownGameError, either
from graphgame.rules.ruleset import About, Ruleset


class Entry(NamedTuple):
    """A game of the catalogue: a family of rules, or one game of a family that has a name of its own.

    Attributes
    ----------
    name : str
        In the notation ``name{arguments}(position)``.
    family : str
        The module of ``graphgame`` that defines it.
    ruleset : str
        The class's name.
    example : str
        A position in the notation.
    fixed : str or None
        What would stand between the family's braces, for one game of a family.
    own : About or None
        What the game tells people about itself, where it differs from what its family tells.
    """

    name: str
    family: str
    ruleset: str
    example: str
    fixed: str | None = None
    own: About | None = None

    def load(self) -> type[Ruleset]:
        """Return the class of the rules."""
        return cast("type[Ruleset]", getattr(import_module(f"graphgame.{self.family}"), self.ruleset))

    def with_arguments(self, text: str = "") -> Ruleset:
        """Return the rules for the text between braces.

        Raises
        ------
        ParseError
            The text is wrong; says the column in it.
        """
        if self.fixed is None:
            return self.load().from_text(text)
        if text.strip():
            raise ParseError("unexpected arguments: {name} has none", self.name, column=1)
        rules = self.load().from_text(self.fixed)
        rules.arguments = ""
        return rules

    @property
    def about(self) -> About:
        """What the game tells people about itself."""
        return self.own or self.load().about or About("")


_WINNING_WAYS = "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways"
_GUY_SMITH = (
    "R. K. Guy, C. A. B. Smith, The G-values of various games, Proc. Cambridge Philosophical Society 52 (1956)."
)


def _octal(
    name: str,
    example: str,
    code: str,
    rules: str,
    theorem: str,
    source: str,
    look: str = "Octal",
    notation: str = "",
    ending: str = "",
) -> Entry:
    about = About(rules, f"{notation} This is octal{{{code}}}.".lstrip(), theorem, source, ending)
    return Entry(name, "heaps.codes", look, example, code, about)


def _coins(name: str, example: str, turned: str, rules: str, theorem: str) -> Entry:
    notation = f"This is coins{{{turned}}}; a position is the row of coins, or the numbers of the heads."
    about = About(rules, notation, theorem, f"{_WINNING_WAYS}, chapter 14.")
    return Entry(name, "games.coins", "Coins", example, turned, about)


def _tartan(name: str, example: str, factors: str, rules: str, theorem: str, source: str) -> Entry:
    notation = f"This is tartan{{{factors}}}; a position is the sheet row by row, or the heads as row.column."
    return Entry(name, "games.tartan", "Tartan", example, factors, About(rules, notation, theorem, source))


CATALOGUE: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry("nim", "rules.nim", "Nim", "nim(3,4,5)"),
        Entry("bash", "heaps.subtraction", "Bash", "bash{3}(10)"),
        Entry("take", "heaps.subtraction", "Subtraction", "take{1,3,4}(10)"),
        Entry("mixed", "games.mixed", "Mixed", "mixed(10,7,5)"),
        Entry("whiteboard", "games.whiteboard", "Whiteboard", "whiteboard{3}(30)"),
        Entry("cutting", "games.cutting", "Cutting", "cutting(4x2)"),
        Entry(
            "lasker",
            "heaps.codes",
            "Code",
            "lasker(2,2,3)",
            "4.[3]",
            About(
                "Lasker's Nim: take any positive number from one heap, or split a heap in two and take none.",
                "This is code{4.[3]}.",
                "The values are g(4k+1) = 4k+1, g(4k+2) = 4k+2, g(4k+3) = 4k+4 and g(4k+4) = 4k+3.",
                f"E. Lasker, Brettspiele der Völker (1931). {_WINNING_WAYS}, chapter 4.",
            ),
        ),
        Entry("moore", "games.moore", "Moore", "moore{2}(3,4,5)"),
        Entry("wythoff", "games.wythoff", "Wythoff", "wythoff(3,5)"),
        Entry("euclid", "games.euclid", "Euclid", "euclid(25,7)"),
        Entry("fibonacci", "games.take_away", "Fibonacci", "fibonacci(13)"),
        Entry("take-away", "games.take_away", "TakeAway", "take-away{a <= 3k}(20:2)"),
        Entry(
            "mem",
            "games.take_away",
            "TakeAway",
            "mem(20:3)",
            "a >= k",
            About(
                "Mem: take from a heap at least as many as were taken from it last; the first takes any number.",
                "This is take-away{a >= k}; mem(20:3) is a heap of 20 from which 3 were taken last.",
                "No formula for the values is known.",
                "A. N. Siegel, CGSuite, GenMem.",
            ),
        ),
        _octal(
            "grundy",
            "grundy(8)",
            "4!.0",
            "Grundy's game: split a heap into two heaps of different sizes; heaps of 1 and 2 cannot be split.",
            "Whether the sequence of values is periodic is open.",
            "P. M. Grundy, Mathematics and games, Eureka 2 (1939). OEIS A002188.",
        ),
        Entry("couples", "heaps.games", "Couples", "couples(9)"),
        Entry("split", "heaps.games", "Split", "split{2..3 not all equal}(9)"),
        Entry("octal", "heaps.codes", "Octal", "octal{0.77}(20)"),
        Entry("code", "heaps.codes", "Code", "code{0.3F}(9)"),
        _octal(
            "kayles",
            "kayles(7)",
            "0.77",
            "Kayles: knock down one pin, or two next to each other, of a row.",
            "From a row of 71 pins on the values have the period 12.",
            f"H. E. Dudeney, The Canterbury Puzzles (1908). {_GUY_SMITH} OEIS A002186.",
            "Pins",
        ),
        _octal(
            "dawson-kayles",
            "dawson-kayles(7)",
            "0.07",
            "Dawson's Kayles: knock down two pins next to each other of a row.",
            "From a row of 53 pins on the values have the period 34. A row of n + 1 pins is Dawson's chess on n files.",
            f"{_GUY_SMITH} OEIS A002187.",
            "Pins",
        ),
        _octal(
            "dawson-chess",
            "dawson-chess(7)",
            "0.137",
            "Dawson's chess: two lines of pawns face each other on three rows and must capture.",
            "From 52 files on the values have the period 34.",
            f"T. R. Dawson, Caissa's Wild Roses (1935). {_GUY_SMITH} OEIS A002187.",
            "Pawns",
            notation="A position is the number of files; a pawn that moves removes its file and those beside it. "
            "A move is an advance with the captures that it forces, on the board 1, 3 or 5 moves: it counts as one.",
            ending="The last mover wins.",
        ),
        _octal(
            "officers",
            "officers(20)",
            "0.6",
            "Officers: take one from a heap and leave one heap or two, but not none.",
            "A heap of n has the value of n + 1 in Couples are Forever. Whether the values are periodic is open: the "
            "first 140 trillion show no period (Grossman).",
            f"{_WINNING_WAYS}, chapter 4. J. P. Grossman, Searching for "
            "periodicity in Officers, Games of No Chance 5 (2019). OEIS A046695.",
        ),
        _octal(
            "guiles",
            "guiles(12)",
            "0.15",
            "Guiles: take one or two from a heap: all of it, or two so that two heaps are left.",
            "From a heap of 1 on the values have the period 10: 1, 1, 0, 1, 1, 2, 2, 1, 2, 2.",
            f"{_GUY_SMITH} {_WINNING_WAYS}, chapter 4.",
        ),
        Entry("treblecross", "games.treblecross", "Treblecross", "treblecross(9)"),
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
        Entry("chomp", "games.chomp", "Chomp", "chomp(3x4)"),
        Entry("cram", "games.region_boards", "Cram", "cram(4x5)"),
        Entry("chocolate", "games.chocolate", "Chocolate", "chocolate(4x5)"),
        Entry("bitter-chocolate", "games.chocolate", "BitterChocolate", "bitter-chocolate(4x5@2,3)"),
        Entry("amazons", "games.amazons", "Amazons", "amazons(Q../.../..Q)"),
        Entry("notakto", "games.notakto", "Notakto", "notakto(.X./.../..X)"),
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
        Entry("tartan", "games.tartan", "Tartan", "tartan{mock-turtles x ruler}(thh/hth)"),
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
            f"{_WINNING_WAYS}, chapter 14.",
        ),
        Entry("acrostic", "games.tartan", "Acrostic", "acrostic{twins x ruler}(thh/hth)"),
        Entry(
            "acrostic-twins",
            "games.tartan",
            "Acrostic",
            "acrostic-twins(thh/hth)",
            "twins x twins",
            About(
                "Acrostic Twins: turn two coins of one row or of one column, the last of them from heads to tails.",
                "This is acrostic{twins x twins}; a position is the sheet row by row, or the heads as row.column.",
                "A head in row a and column b, counted from 0, has the value a xor b: it is two heaps of Nim.",
                f"{_WINNING_WAYS}, chapter 14. T. S. Ferguson, Game Theory, part I.",
            ),
        ),
        Entry("node-kayles", "games.graph_kayles", "NodeKayles", "node-kayles(grid:4x5)"),
        Entry("arc-kayles", "games.graph_kayles", "ArcKayles", "arc-kayles(edges:a-b,b-c,c-d)"),
        Entry("clobber", "games.region_boards", "Clobber", "clobber(3x4)"),
        Entry("nogo", "games.region_boards", "NoGo", "nogo(2x4)"),
        Entry("cannibal-clobber", "games.graph_kayles", "CannibalClobber", "cannibal-clobber(grid:3x4)"),
        Entry("geography", "games.geography", "Geography", "geography(grid:3x3@1.1)"),
        Entry("directed-geography", "games.geography", "DirectedGeography", "directed-geography(edges:a-b,b-c,c-a@a)"),
        Entry("colouring", "games.colouring", "Colouring", "colouring{2}(grid:2x3)"),
        Entry("hackenbush", "games.hackenbush", "Hackenbush", "hackenbush(0-1,1-2,1-3)"),
        Entry("sprouts", "games.sprouts", "Sprouts", "sprouts(3)"),
        Entry("northcott", "games.northcott", "Northcott", "northcott(x...o./.x..o.)"),
        Entry("poker-nim", "games.northcott", "PokerNim", "poker-nim(3,4,5)"),
        Entry("wind-up", "games.wind_up", "WindUp", "wind-up{7: 1,2,5}(3)"),
    )
}
"""Name -> game."""


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
