"""The catalogue of games; each file defines a family. ``ruleset(name)`` returns the rules of the game of this name."""

from graphgame.rules.catalogue import CATALOGUE, ruleset
from graphgame.rules.ruleset import About, Entry

__all__ = ["CATALOGUE", "About", "Entry", "ruleset"]
