"""Impartial combinatorial games as graphs: positions are vertices, moves are edges, one pass solves them all."""

from importlib import import_module

from graphgame.registry import register

TYPE_CHECKING = False  # that of typing takes some milliseconds, in which Ctrl-C would print a traceback

if TYPE_CHECKING:
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
    from graphgame.errors import OptionError as OptionError
    from graphgame.errors import ParseError as ParseError
    from graphgame.errors import PerformanceWarning as PerformanceWarning
    from graphgame.errors import ReadingWarning as ReadingWarning
    from graphgame.errors import RulesetError as RulesetError
    from graphgame.errors import TokenError as TokenError
    from graphgame.errors import UndirectedGraphError as UndirectedGraphError
    from graphgame.errors import UnknownGameError as UnknownGameError
    from graphgame.errors import UnknownPositionError as UnknownPositionError
    from graphgame.explanation.positions import explain as explain
    from graphgame.explanation.texts import set_language as set_language
    from graphgame.export import PictureOptions as PictureOptions
    from graphgame.export import draw as draw
    from graphgame.export import picture_svg as picture_svg
    from graphgame.export import plot_values as plot_values
    from graphgame.export import to_pydot as to_pydot
    from graphgame.export import write_dot as write_dot
    from graphgame.export import write_page as write_page
    from graphgame.games.notation import parse_position as parse_position
    from graphgame.games.value_tables import lost_table as lost_table
    from graphgame.games.value_tables import value_table as value_table
    from graphgame.graph import GameGraph as GameGraph
    from graphgame.io import read_game as read_game
    from graphgame.io import write_game as write_game
    from graphgame.io.values import read_values as read_values
    from graphgame.io.values import write_values as write_values
    from graphgame.proof.certification import certificate as certificate
    from graphgame.proof.certification import write_certificate as write_certificate
    from graphgame.proof.verification import Verification as Verification
    from graphgame.proof.verification import verify as verify
    from graphgame.results import Counts as Counts
    from graphgame.results import Loopy as Loopy
    from graphgame.results import Move as Move
    from graphgame.results import Option as Option
    from graphgame.results import Options as Options
    from graphgame.rules.checking import check as check
    from graphgame.rules.coded import CodedRuleset as CodedRuleset
    from graphgame.rules.exploration import explore as explore
    from graphgame.rules.masks import MaskGame as MaskGame
    from graphgame.rules.masks import MaskRuleset as MaskRuleset
    from graphgame.rules.position import Position as Position
    from graphgame.rules.ruleset import Ruleset as Ruleset
    from graphgame.rules.ruleset import Sum as Sum
    from graphgame.solution import LoopySolution as LoopySolution
    from graphgame.solution import Solution as Solution
    from graphgame.solution import solve as solve
    from graphgame.sprague_grundy import mex as mex
    from graphgame.theory.compounds import Compound as Compound
    from graphgame.theory.kernel import kernel as kernel
    from graphgame.theory.misere import Genus as Genus
    from graphgame.theory.misere import MisereQuotient as MisereQuotient
    from graphgame.theory.misere import genus_table as genus_table
    from graphgame.theory.misere import heap_quotient as heap_quotient
    from graphgame.theory.misere import misere_quotient as misere_quotient
    from graphgame.theory.nimbers import nim_evaluate as nim_evaluate
    from graphgame.theory.nimbers import nim_inverse as nim_inverse
    from graphgame.theory.nimbers import nim_power as nim_power
    from graphgame.theory.nimbers import nim_product as nim_product
    from graphgame.theory.nimbers import nim_products as nim_products
    from graphgame.theory.nimbers import nim_square_root as nim_square_root
    from graphgame.theory.reduction import Reduction as Reduction
    from graphgame.theory.reduction import isomorphism as isomorphism
    from graphgame.theory.reduction import reduce as reduce
    from graphgame.theory.reduction import thin as thin
    from graphgame.theory.search import Search as Search
    from graphgame.theory.suspense import suspense as suspense

__version__ = "0.1.0"

_PUBLIC = {
    "rules.checking": "check",
    "errors": "CycleError FormatError GraphGameError GraphGameWarning LayoutError LimitError MissingExtraError "
    "MissingFontWarning NoPositionError NotAGameError OptionError ParseError PerformanceWarning ReadingWarning "
    "RulesetError TokenError UndirectedGraphError UnknownGameError UnknownPositionError",
    "explanation.positions": "explain",
    "export": "PictureOptions draw picture_svg plot_values to_pydot write_dot write_page",
    "graph": "GameGraph",
    "io": "read_game write_game",
    "io.values": "read_values write_values",
    "games.notation": "parse_position",
    "rules.masks": "MaskGame MaskRuleset",
    "rules.position": "Position",
    "results": "Counts Loopy Move Option Options",
    "rules.coded": "CodedRuleset",
    "rules.ruleset": "Ruleset Sum",
    "rules.exploration": "explore",
    "theory.search": "Search",
    "solution": "LoopySolution Solution solve",
    "sprague_grundy": "mex",
    "explanation.texts": "set_language",
    "theory.compounds": "Compound",
    "theory.kernel": "kernel",
    "theory.misere": "Genus MisereQuotient genus_table heap_quotient misere_quotient",
    "theory.nimbers": "nim_evaluate nim_inverse nim_power nim_product nim_products nim_square_root",
    "theory.reduction": "Reduction isomorphism reduce thin",
    "theory.suspense": "suspense",
    "games.value_tables": "lost_table value_table",
    "proof.certification": "certificate write_certificate",
    "proof.verification": "Verification verify",
}
_HOME = {name: module for module, names in _PUBLIC.items() for name in names.split()}
register("graph of a game", "games.sources:as_graph")
register("position of a game", "games.sources:as_position")
register("picture in a notebook", "export.notebook:bundle")
register("page in a notebook", "export.notebook:embedded")

_PACKAGES = ("export", "games", "heaps", "io", "play", "scale")

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that importing the package costs nothing."""
    if name in _PACKAGES:
        return import_module(f"{__name__}.{name}")
    if name == "laws":
        return import_module(f"{__name__}.games.laws")
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_PACKAGES})
