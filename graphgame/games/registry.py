"""The names of the games, and where each is defined; a family is imported when one of its games is asked for."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import NamedTuple, cast

from graphgame.errors import UnknownGameError, shorten
from graphgame.rules.ruleset import Ruleset

__all__ = ["CATALOGUE", "Entry", "entry_of", "ruleset"]


class Entry(NamedTuple):
    """A game of the catalogue.

    Attributes
    ----------
    name : str
        In the notation ``name{arguments}(position)``.
    family : str
        The module of ``graphgame.games`` that defines it.
    ruleset : str
        The class's name.
    example : str
        A position in the notation.
    """

    name: str
    family: str
    ruleset: str
    example: str

    def load(self) -> type[Ruleset]:
        """Return the class of the rules."""
        return cast("type[Ruleset]", getattr(import_module(f"graphgame.games.{self.family}"), self.ruleset))


CATALOGUE: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry("nim", "nim", "Nim", "nim(3,4,5)"),
        Entry("bash", "nim", "Bash", "bash{3}(10)"),
        Entry("take", "subtraction", "Subtraction", "take{1,3,4}(10)"),
        Entry("mixed", "mixed", "Mixed", "mixed(10,7,5)"),
        Entry("whiteboard", "whiteboard", "Whiteboard", "whiteboard{3}(30)"),
        Entry("cutting", "cutting", "Cutting", "cutting(4x2)"),
        Entry("lasker", "breaking", "Lasker", "lasker(2,2,3)"),
        Entry("moore", "moore", "Moore", "moore{2}(3,4,5)"),
        Entry("wythoff", "wythoff", "Wythoff", "wythoff(3,5)"),
        Entry("euclid", "wythoff", "Euclid", "euclid(25,7)"),
        Entry("fibonacci", "fibonacci", "Fibonacci", "fibonacci(13)"),
        Entry("grundy", "breaking", "Grundy", "grundy(8)"),
        Entry("couples", "breaking", "Couples", "couples(9)"),
        Entry("split", "breaking", "Split", "split{2..3 not all equal}(9)"),
        Entry("octal", "octal", "Octal", "octal{0.77}(20)"),
        Entry("code", "octal", "Code", "code{0.3F}(9)"),
        Entry("kayles", "octal", "Kayles", "kayles(7)"),
        Entry("dawson-kayles", "octal", "DawsonKayles", "dawson-kayles(7)"),
        Entry("dawson-chess", "octal", "DawsonChess", "dawson-chess(7)"),
        Entry("officers", "octal", "Officers", "officers(20)"),
        Entry("guiles", "octal", "Guiles", "guiles(12)"),
        Entry("treblecross", "treblecross", "Treblecross", "treblecross(9)"),
        Entry("staircase", "strips", "Staircase", "staircase(2,0,3)"),
        Entry("nimble", "strips", "Nimble", "nimble(3,1,4)"),
        Entry("silver-dollar", "strips", "SilverDollar", "silver-dollar(0,2,6)"),
        Entry("georgia", "strips", "Georgia", "georgia(1,3,7)"),
        Entry("chomp", "chomp", "Chomp", "chomp(3x4)"),
        Entry("cram", "cram", "Cram", "cram(4x5)"),
        Entry("chocolate", "chocolate", "Chocolate", "chocolate(4x5)"),
        Entry("bitter-chocolate", "chocolate", "BitterChocolate", "bitter-chocolate(4x5@2,3)"),
        Entry("notakto", "notakto", "Notakto", "notakto(.X./.../..X)"),
        Entry("coins", "coins", "Coins", "coins{1..3 within 5}(thhtth)"),
        Entry("turning-turtles", "turtles", "TurningTurtles", "turning-turtles(thht)"),
        Entry("mock-turtles", "turtles", "MockTurtles", "mock-turtles(htththtth)"),
        Entry("ruler", "turtles", "Ruler", "ruler(ththh)"),
        Entry("twins", "turtles", "Twins", "twins(thht)"),
        Entry("triplets", "turtles", "Triplets", "triplets(thhth)"),
        Entry("turnips", "turtles", "Turnips", "turnips(thhthh)"),
        Entry("mobius", "turtles", "Mobius", "mobius(thhth)"),
        Entry("mogul", "turtles", "Mogul", "mogul(thhth)"),
        Entry("moidores", "turtles", "Moidores", "moidores(thhth)"),
        Entry("grunt", "turtles", "Grunt", "grunt(tthhht)"),
        Entry("tartan", "tartan", "Tartan", "tartan{mock-turtles x ruler}(thh/hth)"),
        Entry("turning-corners", "tartan", "TurningCorners", "turning-corners(tth/thh)"),
        Entry("rugs", "tartan", "Rugs", "rugs(thh/hth)"),
        Entry("node-kayles", "graph_kayles", "NodeKayles", "node-kayles(grid:4x5)"),
        Entry("arc-kayles", "graph_kayles", "ArcKayles", "arc-kayles(edges:a-b,b-c,c-d)"),
        Entry("geography", "geography", "Geography", "geography(grid:3x3@1.1)"),
        Entry("directed-geography", "geography", "DirectedGeography", "directed-geography(edges:a-b,b-c,c-a@a)"),
        Entry("colouring", "colouring", "Colouring", "colouring{2}(grid:2x3)"),
        Entry("hackenbush", "hackenbush", "Hackenbush", "hackenbush(0-1,1-2,1-3)"),
        Entry("sprouts", "sprouts", "Sprouts", "sprouts(3)"),
        Entry("wind-up", "wind_up", "WindUp", "wind-up{7: 1,2,5}(3)"),
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
        near = get_close_matches(name.lower(), CATALOGUE, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"expected one of {', '.join(CATALOGUE)}"
        raise UnknownGameError(f"unknown game {shorten(name)}: {hint}")
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
    """
    return entry_of(name).load().from_text(arguments)
