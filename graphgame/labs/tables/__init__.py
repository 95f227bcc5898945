"""Tables of values, computed without a graph where that is possible; games whose positions are a few numbers."""

from typing import TYPE_CHECKING

from graphgame.registry import lazy_names, register

if TYPE_CHECKING:
    from graphgame.labs.tables import rays as rays
    from graphgame.labs.tables import wythoff as wythoff
    from graphgame.labs.tables.plots import plot_values as plot_values
    from graphgame.labs.tables.tables import ValueTable as ValueTable
    from graphgame.labs.tables.value_tables import PPositions as PPositions
    from graphgame.labs.tables.value_tables import p_positions as p_positions
    from graphgame.labs.tables.value_tables import value_table as value_table

register("command", "values", "labs.tables.cli:command", "Print a sequence or table of values.")
register("games", "tables", "labs.tables.catalogue:GAMES")
register("job", "ranges in a text", "labs.tables.tables:has_ranges")
register("job", "board of a table", "labs.tables.boards:draw_ranges")
register("job", "text with ranges", "labs.tables.tables:RangedText")

__all__ = ["PPositions", "ValueTable", "p_positions", "plot_values", "value_table"]
__getattr__, __dir__ = lazy_names(
    __name__,
    {"plots": "plot_values", "tables": "ValueTable", "value_tables": "PPositions p_positions value_table"},
    "rays wythoff",
)
