r"""Files of what a search knows: a line about the rules, then a line for each position.

A line is a fact and the position's text, with a tab between. A fact is the position's value, or ``-1 - mask`` where the
value is not known: the ones of the mask are values that the position does not have. In games on sets of cells the lines
are about boards, one after another, and in place of the text the cells stand as a hexadecimal number. The first line is
a record (:mod:`graphgame.io.records`) of the game, arguments and version that it is about, a digest of the rules' own
code, the boards with the number of lines about each, how many lines follow, and their digest.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import graphgame
from graphgame.errors import LimitError, Message, OptionError, ParseError, RulesetError, plural, shorten
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.io.records import RecordFormat, digest, natural
from graphgame.labs.bitboards.masks import MaskRuleset
from graphgame.rules.faults import blamed, returned
from graphgame.rules.position import Component
from graphgame.rules.ruleset import Ruleset
from graphgame.rules.tokens import GraphRuleset

Boards = Iterable[tuple[Hashable, Iterable[tuple[int, int]]]]
"""A position that tells a board, and sets of its cells, each with a fact, board by board."""

KeepCells = Callable[[Hashable, list[tuple[int, int]]], bool]

_FACT = re.compile(r"-?[0-9]{1,1000}")
_BLOCK = 1 << 14
_TRIED = 1000
_TOLD_EVERY = 1 << 10
_CELLS = re.compile(r"[0-9a-f]{1,64}")
_RULES = {"game": "game", "arguments": "arguments", "made_by": "version", "rules": Message("code of the rules")}
"""What tells rules from others -> what errors call it."""

_RECORD = RecordFormat(
    "graphgame search table",
    3,
    {**dict.fromkeys(_RULES, str), "boards": [[str, natural]], "positions": natural, "lines": str},
    Message("search without it, or with another file"),
)


class Rules:
    """The rules that a table is about, told by a position; no file defines them that may change."""

    def __init__(self, component: Component) -> None:
        self.name = component.name
        self.ruleset = component.ruleset
        if isinstance(self.ruleset, GraphRuleset) or "file:" in self.text(component.position):
            raise OptionError(
                "{component} is played on a graph file, which may change: no table is kept for it", component
            )
        self.identity = {
            "game": self.name,
            "arguments": str(self.ruleset.arguments),
            "made_by": graphgame.__version__,
            "rules": _digest_of_rules(type(self.ruleset)),
        }

    def text(self, position: Hashable) -> str:
        """Return the text of a position."""
        with blamed(self.name, Message("the text"), position):
            return returned(self.ruleset.format(position), str)

    def position(self, text: str) -> Hashable:
        """Return the canonical position of a text."""
        with blamed(self.name, Message("the text {text!r}", text)):
            return self.ruleset.canonical(self.ruleset.parse(text))

    def board(self, text: str) -> tuple[Hashable, int]:
        """Return the position that tells a board, and the mask of all cells of that."""
        position = self.position(text)
        with blamed(self.name, Message("the board {text!r}", text)):
            return position, self._masks.on_board(position)[0].everything

    def on_board(self, board: Hashable, mask: int) -> Hashable:
        """Return the canonical position of some cells of the board of another one."""
        with blamed(self.name, Message("the position of some cells")):
            return self._masks.canonical(self._masks.off_board(board, mask))

    @property
    def _masks(self) -> MaskRuleset:
        if not isinstance(self.ruleset, MaskRuleset):
            raise RulesetError("it is no game on sets of cells")
        return self.ruleset


def write_table(
    path: PathLike,
    rules: Rules,
    facts: dict[Hashable, int],
    boards: Boards = (),
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write facts; a position must be read back from its text. ``progress`` is told how many are ready."""
    ready = _Ready(progress)
    told = [
        [_text(rules, position), ready.add(f"{fact}\t{mask:x}\n" for mask, fact in cells)] for position, cells in boards
    ]
    ready.add(f"{fact}\t{text}\n" for fact, text in zip(facts.values(), _texts(rules, facts), strict=True))
    counted = {"boards": told, "positions": ready.count, "lines": digest(ready.blocks)}
    with open_atomic(path, "wb") as stream:
        stream.write(f"{_RECORD.dumps(rules.identity | counted)}\n".encode())
        stream.writelines(ready.blocks)


class _Ready:
    """Lines that are ready to be written, in blocks."""

    def __init__(self, progress: Callable[[int], None] | None) -> None:
        self.blocks: list[bytes] = []
        self.count = 0
        self._progress = progress

    def add(self, lines: Iterator[str]) -> int:
        """Make lines ready; return how many they are."""
        before = self.count
        while block := [*islice(lines, _BLOCK)]:
            self.blocks.append("".join(block).encode())
            self.count += len(block)
            if self._progress is not None:
                self._progress(self.count)
        return self.count - before


def _texts(rules: Rules, positions: Iterable[Hashable]) -> Iterator[str]:
    """Yield texts that are read back: of the package's own rules, where that takes most of the time, the first ones."""
    rest = iter(positions)
    is_own = type(rules.ruleset).__module__.startswith(f"{graphgame.__name__}.")
    yield from (_text(rules, position) for position in islice(rest, _TRIED if is_own else None))
    yield from map(rules.text, rest)


def read_table(
    path: PathLike,
    rules: Rules,
    most: int,
    keep: Callable[[Hashable, int], None],
    keep_cells: KeepCells | None,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Have the facts of a file kept that was written for these rules, and holds no more than so many.

    Those about a board are kept at once where ``keep_cells`` tells that it is the same, else position by position.
    ``progress`` is told how many of all are read.
    """
    with Source(path) as source:
        lines = source.lines()
        record = _RECORD.loads(next(lines, ""), source.name)
        for name, what in _RULES.items():
            if record[name] != rules.identity[name]:
                held, here = shorten(record[name]), shorten(rules.identity[name])
                raise source.error(Message("the table is for {what} {found}, not {expected}", what, held, here))
        count = record["positions"]
        if count > most:
            raise LimitError(
                "{name} holds {positions}, more than {most:,}",
                source.name,
                plural(count, "position"),
                most,
                limit="max_nodes",
            )
        body = list(islice(lines, count + 1))
        if len(body) != count or record["lines"] != digest(f"{line}\n".encode() for line in body):
            raise _RECORD.damaged(source.name)
        facts = _facts(source, body, progress)
        for text, size in record["boards"]:
            board, everything = rules.board(text)
            cells = [(_cells(source, mask, everything), fact) for mask, fact in islice(facts, size)]
            if keep_cells is None or not keep_cells(board, cells):
                for mask, fact in cells:
                    keep(rules.on_board(board, mask), fact)
        for text, fact in facts:
            keep(rules.position(text), fact)


def _facts(source: Source, body: list[str], progress: Callable[[int, int], None] | None) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(body, 2):
        fact, tab, text = line.partition("\t")
        if not tab or not _FACT.fullmatch(fact):
            raise source.error("expected a fact and a position, with a tab between", number)
        yield text, int(fact)
        if progress is not None and ((done := number - 1) % _TOLD_EVERY == 0 or done == len(body)):
            progress(done, len(body))


def _cells(source: Source, text: str, everything: int) -> int:
    if not _CELLS.fullmatch(text) or not 0 < int(text, 16) <= everything:
        raise source.error(
            Message("expected a hexadecimal number of cells, 1 to {everything}, got {text!r}", f"{everything:x}", text)
        )
    return int(text, 16)


def _text(rules: Rules, position: Hashable) -> str:
    text = rules.text(position)
    try:
        same = rules.position(text) == position and text.isprintable()
    except ParseError:
        same = False
    if not same:
        raise RulesetError("{name}: {position!r} is not read back from its text {text!r}", rules.name, position, text)
    return text


def _file_of(ruleset: type[Ruleset]) -> str:
    try:
        return inspect.getfile(ruleset)
    except (TypeError, OSError):
        raise OptionError("no table is kept for {kind}, for no file defines its rules", ruleset.__name__) from None


def _digest_of_rules(ruleset: type[Ruleset]) -> str:
    """Return a digest of the files that define a class of rules and those it is made from."""
    parents = (parent for parent in ruleset.__mro__ if issubclass(parent, Ruleset) and parent is not Ruleset)
    return digest(Path(_file_of(parent)).read_bytes() for parent in parents)
