"""The names of the games, and where each is defined; a family is imported when one of its games is asked for."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import NamedTuple, cast

from graphgame.errors import RulesetError, shorten
from graphgame.ruleset import Ruleset

__all__ = ["CATALOGUE", "Entry", "ruleset"]


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
        Entry("cutting", "cutting", "Cutting", "cutting(4x2)"),
    )
}
"""Name -> game."""


def ruleset(name: str, arguments: str = "") -> Ruleset:
    """Return the rules of a game of the catalogue.

    Parameters
    ----------
    name : str
    arguments : str
        What stands between braces in the notation.

    Raises
    ------
    RulesetError
        There is no such game; names similar ones.
    ParseError
        The arguments are wrong.

    Examples
    --------
    >>> list(ruleset("take", "1,3").options(5))
    [4, 2]
    """
    if name not in CATALOGUE:
        near = get_close_matches(name, CATALOGUE, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"expected one of {', '.join(CATALOGUE)}"
        raise RulesetError(f"unknown game {shorten(name)}: {hint}")
    return CATALOGUE[name].load().from_text(arguments)
