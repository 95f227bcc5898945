"""Graphs whose edges do not fit in memory: sorted on disk, solved from mapped files by the same pass."""

from graphgame.scale.disk.solution import ExternalSolution, solve

__all__ = ["ExternalSolution", "solve"]
