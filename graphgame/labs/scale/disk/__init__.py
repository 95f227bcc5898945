"""Graphs whose edges do not fit in memory: sort them on disk, then solve or verify them from memory-mapped files."""

from graphgame.labs.scale.disk.solution import ExternalSolution, MappedGraph, mapped_graph, solve

__all__ = ["ExternalSolution", "MappedGraph", "mapped_graph", "solve"]
