"""Graphs with cycles: the pass that gives every position its value, and what is known then."""

from graphgame.loopy.solution import LoopySolution
from graphgame.results import Loopy

__all__ = ["Loopy", "LoopySolution"]
