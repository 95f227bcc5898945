"""Catalogue entries of the games on one heap."""

from __future__ import annotations

from graphgame.labs.shared_rules import GUY_SMITH, WINNING_WAYS
from graphgame.rules.ruleset import About, Entry


def _octal(name: str, example: str, code: str, ruleset: str, about: About) -> Entry:
    notation = f"{about.notation} The notation octal{{{code}}} names the same game.".lstrip()
    return Entry(name, "labs.heaps.codes", ruleset, example, code, about._replace(notation=notation))


GAMES = (
    Entry("bash", "labs.heaps.games", "Bash", "bash{3}(10)"),
    Entry("take", "labs.heaps.games", "Subtraction", "take{1,3,4}(10)"),
    Entry("mixed", "labs.heaps.games", "Mixed", "mixed(10,7,5)"),
    Entry(
        "lasker",
        "labs.heaps.codes",
        "Code",
        "lasker(2,2,3)",
        "4.[3]",
        About(
            "Lasker's Nim: take any positive number from one heap, or split a heap in two and take none.",
            "The notation code{4.[3]} names the same game.",
            "The values are g(4k+1) = 4k+1, g(4k+2) = 4k+2, g(4k+3) = 4k+4 and g(4k+4) = 4k+3.",
            f"E. Lasker, Brettspiele der Völker (1931). {WINNING_WAYS}, chapter 4.",
        ),
    ),
    _octal(
        "grundy",
        "grundy(8)",
        "4!.0",
        "Octal",
        About(
            "Grundy's game: split a heap into two heaps of different sizes; heaps of 1 and 2 cannot be split.",
            "",
            "Whether the sequence of values is periodic is open.",
            "P. M. Grundy, Mathematics and games, Eureka 2 (1939). OEIS A002188.",
        ),
    ),
    Entry("couples", "labs.heaps.games", "Couples", "couples(9)"),
    Entry("split", "labs.heaps.games", "Split", "split{2..3 not all equal}(9)"),
    Entry("octal", "labs.heaps.codes", "Octal", "octal{0.77}(20)"),
    Entry("code", "labs.heaps.codes", "Code", "code{0.3F}(9)"),
    _octal(
        "kayles",
        "kayles(7)",
        "0.77",
        "Pins",
        About(
            "Kayles: knock down one pin, or two next to each other, of a row.",
            "",
            "From a row of 71 pins on the values have the period 12.",
            f"H. E. Dudeney, The Canterbury Puzzles (1908). {GUY_SMITH} OEIS A002186.",
        ),
    ),
    _octal(
        "dawson-kayles",
        "dawson-kayles(7)",
        "0.07",
        "Pins",
        About(
            "Dawson's Kayles: knock down two pins next to each other of a row.",
            "",
            "From a row of 53 pins on the values have the period 34. A row of n + 1 pins is Dawson's chess on n files.",
            f"{GUY_SMITH} OEIS A002187.",
        ),
    ),
    _octal(
        "dawson-chess",
        "dawson-chess(7)",
        "0.137",
        "Pawns",
        About(
            "Dawson's chess: two lines of pawns face each other on three rows and must capture.",
            "A position is the number of files. A move advances a pawn. Together with the captures that it forces it "
            "counts as one move, and removes the pawn's file and the files beside it.",
            "From 52 files on the values have the period 34.",
            f"T. R. Dawson, Caissa's Wild Roses (1935). {GUY_SMITH} OEIS A002187.",
            ending="The last mover wins.",
        ),
    ),
    _octal(
        "officers",
        "officers(20)",
        "0.6",
        "Octal",
        About(
            "Officers: take one from a heap and leave the rest as one heap or as two; a heap of 1 cannot be taken.",
            "",
            "A heap of n has the value of n + 1 in Couples are Forever. Whether the values are periodic is open: the "
            "first 140 trillion show no period (Grossman).",
            f"{WINNING_WAYS}, chapter 4. J. P. Grossman, Searching for "
            "periodicity in Officers, Games of No Chance 5 (2019). OEIS A046695.",
        ),
    ),
    _octal(
        "guiles",
        "guiles(12)",
        "0.15",
        "Octal",
        About(
            "Guiles: take a whole heap of 1 or 2, or take two from a heap and leave two heaps.",
            "",
            "From a heap of 1 on the values have the period 10: 1, 1, 0, 1, 1, 2, 2, 1, 2, 2.",
            f"{GUY_SMITH} {WINNING_WAYS}, chapter 4.",
        ),
    ),
    Entry("treblecross", "labs.heaps.treblecross", "Treblecross", "treblecross(9)"),
)
