"""The codes of decided positions; in a module of their own, so that the lab ``heaps`` need not load networkx."""

SUNNY, LOONY = -2, -3
"""Codes in arrays for positions where play is over: the player who just moved has won (SUNNY) or lost (LOONY)."""
