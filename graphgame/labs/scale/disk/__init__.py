"""Solve and verify graphs whose edges do not fit in memory: sort the edges on disk, then read memory-mapped files."""

from graphgame.labs.scale.disk.solution import ExternalSolution, MappedGraph, mapped_graph, solve
from graphgame.registry import dir_of

__all__ = ["ExternalSolution", "MappedGraph", "mapped_graph", "solve"]
__dir__ = dir_of(__name__)
