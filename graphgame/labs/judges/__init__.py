"""The formats of online judges, and the answers that they ask for."""

from graphgame.registry import register

register("command", "judge", "labs.judges.cli:command", "Answer a problem of an online judge.")
register("formats", "judges", "labs.judges.catalogue:FORMATS")
