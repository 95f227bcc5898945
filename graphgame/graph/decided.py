"""How arrays write what is decided: a module of its own, so that the values of heaps load no networkx."""

SUNNY, LOONY = -2, -3
"""Codes of the values of decided positions, in arrays: the player who just moved has won, or has lost."""
