"""Impartial combinatorial games as graphs: positions are vertices, moves are edges, one pass solves them all."""

from importlib import import_module
from typing import TYPE_CHECKING

from graphgame.errors import (
    CycleError,
    FormatError,
    GraphGameError,
    LayoutError,
    LimitError,
    MissingExtraError,
    OptionError,
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

if TYPE_CHECKING:
    from graphgame.checking import check
    from graphgame.explanation import explain
    from graphgame.export import draw, to_pydot, write_dot
    from graphgame.io import read_game, write_game
    from graphgame.io.values import read_values, write_values
    from graphgame.notation import parse_position
    from graphgame.position import Position
    from graphgame.valuetable import value_table
    from graphgame.verification import Verification, verify

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
    "OptionError",
    "Options",
    "ParseError",
    "Position",
    "Ruleset",
    "RulesetError",
    "Solution",
    "Sum",
    "TokenError",
    "UndirectedGraphError",
    "UnknownPositionError",
    "Verification",
    "check",
    "draw",
    "explain",
    "explore",
    "mex",
    "parse_position",
    "read_game",
    "read_values",
    "solve",
    "to_pydot",
    "value_table",
    "verify",
    "write_dot",
    "write_game",
    "write_values",
]

_WHEN_USED = {
    "Position": "position",
    "Verification": "verification",
    "check": "checking",
    "draw": "export",
    "explain": "explanation",
    "parse_position": "notation",
    "read_game": "io",
    "read_values": "io.values",
    "to_pydot": "export",
    "value_table": "valuetable",
    "verify": "verification",
    "write_dot": "export",
    "write_game": "io",
    "write_values": "io.values",
}


def __getattr__(name: str) -> object:
    """Import what only some callers need when it is first used."""
    if name not in _WHEN_USED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_WHEN_USED[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
