r"""Files of what a search knows: a line about the rules, then a line for each position.

A line is a fact and the position's text, with a tab between. A fact is the position's value, or ``-1 - mask`` where the
value is not known: the ones of the mask are values that the position does not have. The first line is a record
(:mod:`graphgame.io.records`) of the game, arguments and version that it is about, a digest of the rules' own code, how
many lines follow, and their digest.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Hashable, Iterator
from itertools import islice
from pathlib import Path

import graphgame
from graphgame.errors import LimitError, OptionError, ParseError, RulesetError, plural, shorten
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.io.records import RecordFormat, digest, natural
from graphgame.rules.faults import blamed, returned
from graphgame.rules.position import Component
from graphgame.rules.ruleset import Ruleset
from graphgame.rules.tokens import GraphRuleset

__all__ = ["Rules", "read_table", "write_table"]

_FACT = re.compile(r"-?[0-9]{1,1000}")
_RULES = {"game": "game", "arguments": "arguments", "made_by": "version", "rules": "code of the rules"}
"""What tells rules from others -> what errors call it."""

_RECORD = RecordFormat(
    "graphgame search table",
    2,
    {**dict.fromkeys(_RULES, str), "positions": natural, "lines": str},
    "search without it, or with another file",
)


class Rules:
    """The rules that a table is about, told by a position; no file defines them that may change."""

    def __init__(self, component: Component) -> None:
        self.name = component.name
        self.ruleset = component.ruleset
        if isinstance(self.ruleset, GraphRuleset) or "file:" in self.text(component.position):
            raise OptionError(f"{component} is played on a graph file, which may change: no table is kept for it")
        self.identity = {
            "game": self.name,
            "arguments": str(self.ruleset.arguments),
            "made_by": graphgame.__version__,
            "rules": _digest_of_rules(type(self.ruleset)),
        }

    def text(self, position: Hashable) -> str:
        """Return the text of a position."""
        with blamed(self.name, "the text", position):
            return returned(self.ruleset.format(position), str)

    def position(self, text: str) -> Hashable:
        """Return the canonical position of a text."""
        with blamed(self.name, f"the text {shorten(text)}"):
            return self.ruleset.canonical(self.ruleset.parse(text))


def write_table(path: PathLike, rules: Rules, facts: dict[Hashable, int]) -> None:
    """Write facts; a position must be read back from its text."""
    lines = [f"{fact}\t{_text(rules, position)}\n" for position, fact in facts.items()]
    counted = {"positions": len(lines), "lines": digest(map(str.encode, lines))}
    with open_atomic(path) as stream:
        stream.write(_RECORD.dumps(rules.identity | counted) + "\n")
        stream.writelines(lines)


def read_table(path: PathLike, rules: Rules, most: int) -> Iterator[tuple[Hashable, int]]:
    """Yield the facts of a file that was written for these rules, and holds no more than so many."""
    with Source(path) as source:
        lines = source.lines()
        record = _RECORD.loads(next(lines, ""), source.name)
        for name, what in _RULES.items():
            if record[name] != rules.identity[name]:
                held, here = shorten(record[name]), shorten(rules.identity[name])
                raise source.error(f"the table is for {what} {held}, not {here}")
        count = record["positions"]
        if count > most:
            raise LimitError(f"{source.name} holds {plural(count, 'position')}, more than {most:,}", limit="max_nodes")
        body = list(islice(lines, count + 1))
        if len(body) != count or record["lines"] != digest(f"{line}\n".encode() for line in body):
            raise _RECORD.damaged(source.name)
        for number, line in enumerate(body, 2):
            fact, tab, text = line.partition("\t")
            if not tab or not _FACT.fullmatch(fact):
                raise source.error("expected a fact and a position, with a tab between", number)
            yield rules.position(text), int(fact)


def _text(rules: Rules, position: Hashable) -> str:
    text = rules.text(position)
    try:
        same = rules.position(text) == position and text.isprintable()
    except ParseError:
        same = False
    if not same:
        raise RulesetError(f"{rules.name}: {shorten(position)} is not read back from its text {shorten(text)}")
    return text


def _file_of(ruleset: type[Ruleset]) -> str:
    try:
        return inspect.getfile(ruleset)
    except (TypeError, OSError):
        raise OptionError(f"no table is kept for {ruleset.__name__}, for no file defines its rules") from None


def _digest_of_rules(ruleset: type[Ruleset]) -> str:
    """Return a digest of the files that define a class of rules and those it is made from."""
    parents = (parent for parent in ruleset.__mro__ if issubclass(parent, Ruleset) and parent is not Ruleset)
    return digest(Path(_file_of(parent)).read_bytes() for parent in parents)
