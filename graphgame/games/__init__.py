"""The catalogue of games, one file a family; ``ruleset(name)`` finds a game by the name that its notation has."""

from graphgame.rules.catalogue import CATALOGUE, ruleset
from graphgame.rules.entry import Entry
from graphgame.rules.ruleset import About

__all__ = ["CATALOGUE", "About", "Entry", "ruleset"]
