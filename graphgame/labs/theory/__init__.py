"""What goes beyond normal play on a graph without cycles."""

from graphgame.registry import register

register("command", "nimber", "labs.theory.cli.nimber:command", "Calculate with nimbers.")
register("command", "reduce", "labs.theory.cli.reduce:command", "Merge equal positions into a smaller graph.")
register("games", "theory", "labs.theory.catalogue:GAMES")
