"""Impartial combinatorial games as graphs: positions are vertices, moves are edges, one pass solves them all."""

from graphgame.registry import dir_of, imported, register

TYPE_CHECKING = False  # importing typing takes some milliseconds, and until ``main`` begins, Ctrl-C prints a traceback

if TYPE_CHECKING:
    from graphgame import drawing as drawing
    from graphgame import errors as errors
    from graphgame import games as games
    from graphgame import io as io
    from graphgame import play as play
    from graphgame.drawing import draw as draw
    from graphgame.drawing import to_pydot as to_pydot
    from graphgame.drawing import write_dot as write_dot
    from graphgame.graph.gamegraph import GameGraph as GameGraph
    from graphgame.io import read_game as read_game
    from graphgame.io import write_game as write_game
    from graphgame.io.values import write_values as write_values
    from graphgame.labs import heaps as heaps
    from graphgame.labs import misere as misere
    from graphgame.labs import scale as scale
    from graphgame.labs import search as search
    from graphgame.labs import tables as tables
    from graphgame.labs import theory as theory
    from graphgame.labs import verification as verification
    from graphgame.labs.bitboards.placement import MaskGame as MaskGame
    from graphgame.labs.bitboards.placement import MaskRuleset as MaskRuleset
    from graphgame.labs.coded import CodedRuleset as CodedRuleset
    from graphgame.labs.formats.values import read_values as read_values
    from graphgame.labs.laws import laws as laws
    from graphgame.labs.search import Search as Search
    from graphgame.labs.tables.value_tables import value_table as value_table
    from graphgame.labs.theory import nimbers as nimbers
    from graphgame.labs.verification.certification import certificate as certificate
    from graphgame.labs.verification.certification import write_certificate as write_certificate
    from graphgame.labs.verification.verification import verify as verify
    from graphgame.labs.web.page import write_page as write_page
    from graphgame.rules.checking import check as check
    from graphgame.rules.exploration import explore as explore
    from graphgame.rules.notation import parse_position as parse_position
    from graphgame.rules.position import Position as Position
    from graphgame.rules.ruleset import Ruleset as Ruleset
    from graphgame.rules.ruleset import Sum as Sum
    from graphgame.solution.results import Loopy as Loopy
    from graphgame.solution.results import Move as Move
    from graphgame.solution.solve import LoopySolution as LoopySolution
    from graphgame.solution.solve import Solution as Solution
    from graphgame.solution.solve import solve as solve
    from graphgame.solution.sprague_grundy import mex as mex
    from graphgame.text.languages import set_language as set_language
    from graphgame.text.positions import explain as explain

__version__ = "1.0.0"

_PUBLIC = {
    "rules.checking": "check",
    "text.positions": "explain",
    "drawing": "draw to_pydot write_dot",
    "graph.gamegraph": "GameGraph",
    "io": "read_game write_game",
    "io.values": "write_values",
    "rules.notation": "parse_position",
    "labs.bitboards.placement": "MaskGame MaskRuleset",
    "rules.position": "Position",
    "solution.results": "Loopy Move",
    "labs.coded": "CodedRuleset",
    "rules.ruleset": "Ruleset Sum",
    "rules.exploration": "explore",
    "labs.search": "Search",
    "solution.solve": "LoopySolution Solution solve",
    "solution.sprague_grundy": "mex",
    "text.languages": "set_language",
    "labs.formats.values": "read_values",
    "labs.tables.value_tables": "value_table",
    "labs.verification.certification": "certificate write_certificate",
    "labs.web.page": "write_page",
    "labs.verification.verification": "verify",
}
_HOME = {name: module for module, names in _PUBLIC.items() for name in names.split()}
register("job", "graph of a game", "rules.sources:as_graph")
register("job", "position of a game", "rules.sources:as_position")
register("job", "rules of tokens on a file", "rules.sources:tokens_on_file")

_PACKAGES = {
    "drawing": "drawing",
    "errors": "errors",
    "games": "games",
    "heaps": "labs.heaps",
    "io": "io",
    "laws": "labs.laws.laws",
    "misere": "labs.misere",
    "nimbers": "labs.theory.nimbers",
    "play": "play",
    "scale": "labs.scale",
    "search": "labs.search",
    "tables": "labs.tables",
    "theory": "labs.theory",
    "verification": "labs.verification",
}
"""Public name of a module, as in ``from graphgame import heaps`` -> where the module is in this package."""

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    """Import and return the object or the module of a public name; raise an AttributeError for any other name."""
    if name in _PACKAGES:
        return imported(f"{__name__}.{_PACKAGES[name]}")
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(imported(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


__dir__ = dir_of(__name__, " ".join(_PACKAGES))
