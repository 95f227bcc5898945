"""Impartial combinatorial games as graphs: positions are vertices, moves are edges, one pass solves them all."""

from graphgame.registry import imported, register

TYPE_CHECKING = False  # that of typing takes some milliseconds, in which Ctrl-C would print a traceback

if TYPE_CHECKING:
    from graphgame.drawing import PictureOptions as PictureOptions
    from graphgame.drawing import draw as draw
    from graphgame.drawing import to_pydot as to_pydot
    from graphgame.drawing import write_dot as write_dot
    from graphgame.errors import CycleError as CycleError
    from graphgame.errors import FormatError as FormatError
    from graphgame.errors import GraphGameError as GraphGameError
    from graphgame.errors import GraphGameWarning as GraphGameWarning
    from graphgame.errors import LayoutError as LayoutError
    from graphgame.errors import LimitError as LimitError
    from graphgame.errors import MissingExtraError as MissingExtraError
    from graphgame.errors import MissingFontWarning as MissingFontWarning
    from graphgame.errors import NoPositionError as NoPositionError
    from graphgame.errors import NotAGameError as NotAGameError
    from graphgame.errors import ParameterError as ParameterError
    from graphgame.errors import ParseError as ParseError
    from graphgame.errors import PerformanceWarning as PerformanceWarning
    from graphgame.errors import ReadingWarning as ReadingWarning
    from graphgame.errors import RulesetError as RulesetError
    from graphgame.errors import TokenError as TokenError
    from graphgame.errors import UndirectedGraphError as UndirectedGraphError
    from graphgame.errors import UnknownGameError as UnknownGameError
    from graphgame.errors import UnknownPositionError as UnknownPositionError
    from graphgame.graph.gamegraph import GameGraph as GameGraph
    from graphgame.io import read_game as read_game
    from graphgame.io import write_game as write_game
    from graphgame.io.values import write_values as write_values
    from graphgame.labs.bitboards.placement import MaskGame as MaskGame
    from graphgame.labs.bitboards.placement import MaskRuleset as MaskRuleset
    from graphgame.labs.coded import CodedRuleset as CodedRuleset
    from graphgame.labs.formats.values import read_values as read_values
    from graphgame.labs.layouts.pictures import picture_svg as picture_svg
    from graphgame.labs.misere import Genus as Genus
    from graphgame.labs.misere import MisereQuotient as MisereQuotient
    from graphgame.labs.misere import genus_table as genus_table
    from graphgame.labs.misere import heap_quotient as heap_quotient
    from graphgame.labs.misere import misere_quotient as misere_quotient
    from graphgame.labs.search import Search as Search
    from graphgame.labs.tables.plots import plot_values as plot_values
    from graphgame.labs.tables.value_tables import lost_table as lost_table
    from graphgame.labs.tables.value_tables import value_table as value_table
    from graphgame.labs.theory.compounds import Compound as Compound
    from graphgame.labs.theory.kernel import kernel as kernel
    from graphgame.labs.theory.nimbers import nim_evaluate as nim_evaluate
    from graphgame.labs.theory.nimbers import nim_inverse as nim_inverse
    from graphgame.labs.theory.nimbers import nim_power as nim_power
    from graphgame.labs.theory.nimbers import nim_product as nim_product
    from graphgame.labs.theory.nimbers import nim_products as nim_products
    from graphgame.labs.theory.nimbers import nim_square_root as nim_square_root
    from graphgame.labs.theory.reduction import Reduction as Reduction
    from graphgame.labs.theory.reduction import isomorphism as isomorphism
    from graphgame.labs.theory.reduction import reduce as reduce
    from graphgame.labs.theory.reduction import thin as thin
    from graphgame.labs.theory.suspense import suspense as suspense
    from graphgame.labs.verification.certification import certificate as certificate
    from graphgame.labs.verification.certification import write_certificate as write_certificate
    from graphgame.labs.verification.verification import Verification as Verification
    from graphgame.labs.verification.verification import verify as verify
    from graphgame.labs.web.page import write_page as write_page
    from graphgame.rules.checking import check as check
    from graphgame.rules.exploration import explore as explore
    from graphgame.rules.notation import parse_position as parse_position
    from graphgame.rules.position import Position as Position
    from graphgame.rules.ruleset import Ruleset as Ruleset
    from graphgame.rules.ruleset import Sum as Sum
    from graphgame.solution.results import Counts as Counts
    from graphgame.solution.results import Loopy as Loopy
    from graphgame.solution.results import Move as Move
    from graphgame.solution.results import Option as Option
    from graphgame.solution.results import Options as Options
    from graphgame.solution.solve import LoopySolution as LoopySolution
    from graphgame.solution.solve import Solution as Solution
    from graphgame.solution.solve import solve as solve
    from graphgame.solution.sprague_grundy import mex as mex
    from graphgame.text.languages import set_language as set_language
    from graphgame.text.positions import explain as explain

__version__ = "0.1.0"

_PUBLIC = {
    "rules.checking": "check",
    "errors": "CycleError FormatError GraphGameError GraphGameWarning LayoutError LimitError MissingExtraError "
    "MissingFontWarning NoPositionError NotAGameError ParameterError ParseError PerformanceWarning ReadingWarning "
    "RulesetError TokenError UndirectedGraphError UnknownGameError UnknownPositionError",
    "text.positions": "explain",
    "drawing": "PictureOptions draw to_pydot write_dot",
    "graph.gamegraph": "GameGraph",
    "io": "read_game write_game",
    "io.values": "write_values",
    "rules.notation": "parse_position",
    "labs.bitboards.placement": "MaskGame MaskRuleset",
    "rules.position": "Position",
    "solution.results": "Counts Loopy Move Option Options",
    "labs.coded": "CodedRuleset",
    "rules.ruleset": "Ruleset Sum",
    "rules.exploration": "explore",
    "labs.search": "Search",
    "solution.solve": "LoopySolution Solution solve",
    "solution.sprague_grundy": "mex",
    "text.languages": "set_language",
    "labs.theory.compounds": "Compound",
    "labs.theory.kernel": "kernel",
    "labs.formats.values": "read_values",
    "labs.layouts.pictures": "picture_svg",
    "labs.misere": "Genus MisereQuotient genus_table heap_quotient misere_quotient",
    "labs.theory.nimbers": "nim_evaluate nim_inverse nim_power nim_product nim_products nim_square_root",
    "labs.theory.reduction": "Reduction isomorphism reduce thin",
    "labs.theory.suspense": "suspense",
    "labs.tables.value_tables": "lost_table value_table",
    "labs.tables.plots": "plot_values",
    "labs.verification.certification": "certificate write_certificate",
    "labs.web.page": "write_page",
    "labs.verification.verification": "Verification verify",
}
_HOME = {name: module for module, names in _PUBLIC.items() for name in names.split()}
register("job", "graph of a game", "rules.sources:as_graph")
register("job", "position of a game", "rules.sources:as_position")

_PACKAGES = {
    "drawing": "drawing",
    "games": "games",
    "heaps": "labs.heaps",
    "io": "io",
    "laws": "labs.laws.laws",
    "play": "play",
    "scale": "labs.scale",
}
"""Name -> the module that users import by it, as ``from graphgame import heaps``."""

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that importing the package costs nothing."""
    if name in _PACKAGES:
        return imported(f"{__name__}.{_PACKAGES[name]}")
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(imported(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_PACKAGES})
