"""Tables of values of games on two or three numbers, computed without a graph of their positions."""

from graphgame.registry import register

register("command", "values", "labs.tables.cli:command", "Print a sequence or table of values.")
register("games", "tables", "labs.tables.catalogue:GAMES")
register("job", "ranges in a text", "labs.tables.tables:has_ranges")
register("job", "board of a table", "labs.tables.boards:draw_ranges")
register("job", "text with ranges", "labs.tables.tables:RangedText")
