"""An entry of the catalogue of games: its name, where its rules are defined, and what it tells people."""

from __future__ import annotations

from typing import NamedTuple, cast

from graphgame.errors import ParseError
from graphgame.registry import imported
from graphgame.rules.ruleset import About, Ruleset

WINNING_WAYS = "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways"
GUY_SMITH = "R. K. Guy, C. A. B. Smith, The G-values of various games, Proc. Cambridge Philosophical Society 52 (1956)."


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
        return cast("type[Ruleset]", getattr(imported(f"graphgame.{self.family}"), self.ruleset))

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
