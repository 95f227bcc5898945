"""Graphs whose edges do not fit in memory: sorted on disk, solved and verified from mapped files by the same code."""

from graphgame.labs.scale.disk.solution import ExternalSolution, MappedGraph, mapped_graph, solve

__all__ = ["ExternalSolution", "MappedGraph", "mapped_graph", "solve"]
