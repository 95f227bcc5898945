"""What the catalogue says of a game: a family of rules, or one game of a family that has a name of its own."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import NamedTuple, cast

from graphgame.errors import ParseError
from graphgame.rules.ruleset import Ruleset

__all__ = ["Entry"]


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
    rules, theorem, source : str
        What the class's docstring says of a family.
    ending : str
        Who wins at the end of normal play, of a game whose rules say it in words of their own.
    """

    name: str
    family: str
    ruleset: str
    example: str
    fixed: str | None = None
    rules: str = ""
    theorem: str = ""
    source: str = ""
    ending: str = ""

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
    def doc(self) -> str:
        """What is known of the game, in the form of a docstring."""
        if self.fixed is None:
            return inspect.getdoc(self.load()) or ""
        return f"{self.rules}\n\nNotes\n-----\n{self.theorem}\n\nReferences\n----------\n{self.source}"
