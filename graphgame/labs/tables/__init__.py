"""Tables of values: games of two or three numbers, filled in without their graphs."""

from graphgame.registry import register

register("command", "values", "labs.tables.cli.values:command", "Print a sequence or table of values.")
register("games", "tables", "labs.tables.catalogue:GAMES")
