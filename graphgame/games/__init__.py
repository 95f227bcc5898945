"""The catalogue of games, one file a family; ``ruleset(name)`` finds a game by the name that its notation has."""

from graphgame.rules.about import About
from graphgame.rules.catalogue import CATALOGUE, Entry, ruleset

__all__ = ["CATALOGUE", "About", "Entry", "ruleset"]
