"""Find laws of values from tables, and prove them for positions of any size by automata."""

from graphgame.registry import register

register("command", "law", "labs.laws.cli:command", "Find and prove laws of values.")
register("check", "graphgame laws", "labs.laws.cli:check_law_file")
