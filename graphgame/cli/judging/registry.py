"""The problems whose input the package reads, by their names: each says what it reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import NamedTuple, TypeAlias

from graphgame.errors import Message, RulesetError, either
from graphgame.io.files import Source

Answers: TypeAlias = Callable[[Source], Iterator[str]]


class Problem(NamedTuple):
    """A problem of an online judge; ``aliases`` are the judges' own names, such as ``poj-2311``."""

    name: str
    aliases: tuple[str, ...]
    title: str
    input: str
    output: str
    answers: Answers


PROBLEMS: dict[str, Problem] = {}
"""Name -> problem."""


def answered(*aliases: str, title: str, input: str, output: str) -> Callable[[Answers], Answers]:
    """Note that a function answers the problem of its name."""

    def note(answers: Answers) -> Answers:
        name = answers.__name__.strip("_").replace("_", "-")
        PROBLEMS[name] = Problem(name, aliases, title, input, output, answers)
        return answers

    return note


def problem(name: str) -> Problem:
    """Return the problem of a name or alias, in either case; raise a RulesetError that names similar ones.

    Examples
    --------
    >>> problem("POJ-2311").name
    'cutting'
    >>> list(problem("whiteboard").answers(Source(b"1 1  30 3  10 2  0 0")))
    ['Jiang', 'Tang', 'Jiang']
    """
    known = {alias: found for found in PROBLEMS.values() for alias in (found.name, *found.aliases)}
    if name.lower() in known:
        return known[name.lower()]
    near = get_close_matches(name.lower(), known, n=3, cutoff=0.5)
    hint = Message("did you mean {names}?", either(near)) if near else Message("graphgame judge --list has them all")
    raise RulesetError("unknown problem {name!r}: {hint}", name, hint)
