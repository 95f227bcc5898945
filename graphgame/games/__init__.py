"""The games of the core, one family a file, and the catalogue of all games: ``ruleset(name)`` returns the rules."""

from graphgame.rules.catalogue import CATALOGUE, ruleset
from graphgame.rules.ruleset import About, Entry

__all__ = ["CATALOGUE", "About", "Entry", "ruleset"]
