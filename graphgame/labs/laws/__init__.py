"""Find laws of values, P-positions and winning moves from tables, and prove them for positions of any size."""

from graphgame.registry import register

register("command", "law", "labs.laws.cli:command", "Find and prove laws of values and P-positions.")
register("check", "graphgame laws", "labs.laws.cli:check_law_file")
