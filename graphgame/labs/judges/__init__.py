"""The format of online judges, and answers to their problems."""

from graphgame.registry import register

register("command", "judge", "labs.judges.cli:command", "Answer a problem of an online judge.")
register("formats", "judges", "labs.judges.catalogue:FORMATS")
