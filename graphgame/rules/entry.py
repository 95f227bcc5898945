"""An entry of the catalogue of games: the name of a game, the class of its rules, and its description."""

from __future__ import annotations

from typing import NamedTuple, cast

from graphgame.errors import ParseError
from graphgame.registry import imported
from graphgame.rules.ruleset import About, Ruleset


class Entry(NamedTuple):
    """A game of the catalogue: a family of rules such as ``take``, or one member of a family under its own name.

    Attributes
    ----------
    name : str
        The name in the notation ``name{arguments}(position)``.
    family : str
        The module that defines the rules, relative to ``graphgame``.
    ruleset : str
        The name of the class in that module.
    example : str
        A position in the notation.
    fixed : str or None
        For a member of a family: the family's arguments that make this game. Such a game has no braces of its own.
    own : About or None
        The description of the game, where it differs from the description of its family.
    """

    name: str
    family: str
    ruleset: str
    example: str
    fixed: str | None = None
    own: About | None = None

    def load(self) -> type[Ruleset]:
        """Return the class of the rules."""
        return cast("type[Ruleset]", getattr(imported(f"graphgame.{self.family}"), self.ruleset))

    def with_arguments(self, text: str = "") -> Ruleset:
        """Return the rules for the text between the braces of the notation.

        Raises
        ------
        ParseError
            The game does not accept this text; the error has the column in it.
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
        """The description of the game."""
        return self.own or self.load().about or About("")
