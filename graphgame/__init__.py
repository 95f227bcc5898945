"""Impartial combinatorial games as graphs: positions are vertices, moves are edges, one pass solves them all."""

from graphgame.errors import (
    CycleError,
    FormatError,
    GraphGameError,
    LayoutError,
    LimitError,
    MissingExtraError,
    ParseError,
    RulesetError,
    TokenError,
    UndirectedGraphError,
    UnknownPositionError,
)
from graphgame.graph import GameGraph
from graphgame.results import Counts, Move, Option, Options
from graphgame.ruleset import CodedRuleset, Ruleset, Sum, explore
from graphgame.solution import Solution, solve
from graphgame.sprague_grundy import mex

__version__ = "0.1.0"

__all__ = [
    "CodedRuleset",
    "Counts",
    "CycleError",
    "FormatError",
    "GameGraph",
    "GraphGameError",
    "LayoutError",
    "LimitError",
    "MissingExtraError",
    "Move",
    "Option",
    "Options",
    "ParseError",
    "Ruleset",
    "RulesetError",
    "Solution",
    "Sum",
    "TokenError",
    "UndirectedGraphError",
    "UnknownPositionError",
    "explore",
    "mex",
    "solve",
]
