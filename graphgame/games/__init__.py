"""Games of the core, apart from Nim, and the catalogue of all games: ``ruleset(name)`` returns rules."""

from graphgame.registry import dir_of
from graphgame.rules.catalogue import CATALOGUE, ruleset
from graphgame.rules.ruleset import About, Entry

__all__ = ["CATALOGUE", "About", "Entry", "ruleset"]
__dir__ = dir_of(__name__)
