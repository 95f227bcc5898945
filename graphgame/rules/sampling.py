"""A sample of the positions of rules: what the self-check looks at."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cached_property, reduce
from itertools import islice
from operator import xor
from typing import Literal

from graphgame.errors import GraphGameError, LimitError, Message, shorten
from graphgame.results import Value
from graphgame.rules.exploration import explore
from graphgame.rules.faults import failure, hashed, iterated, raised
from graphgame.rules.plays import parts_of
from graphgame.rules.ruleset import Ruleset, decision
from graphgame.solution import solve

_MOVES_A_POSITION = 20


class Sample:
    """The positions nearest to the starts, with their options as the rules give them, or why they cannot be listed."""

    def __init__(self, ruleset: Ruleset, starts: tuple[Hashable, ...], max_positions: int) -> None:
        self.ruleset = ruleset
        self.starts = [part for start in starts for part in parts_of(start)]
        self.max_positions = max_positions
        self.max_moves = _MOVES_A_POSITION * max_positions
        self.options: dict[Hashable, list[Hashable]] = {}
        self.complete = True
        self.fault: str | None = None
        self.at = ""
        try:
            self._collect()
        except (Exception, SystemExit) as error:
            self.fault = str(error) if isinstance(error, GraphGameError) else raised(error)

    def _collect(self) -> None:
        queue = dict.fromkeys(map(hashed, self.starts), "")
        order, moves = list(queue), 0
        for position in order:
            if len(self.options) == self.max_positions:
                self.complete = False
                return
            self.at = Message("the options of {position!r}: ", position)
            options = self._options(position, queue[position], self.max_moves - moves + 1)
            moves += len(options)
            self.options[position] = options
            if moves > self.max_moves:
                self.complete = False
                return
            whose = Message(", an option of {position!r}", position)
            for part in (part for option in options for part in parts_of(option)):
                if hashed(part, f"{whose},") not in queue:
                    queue[part] = whose
                    order.append(part)

    def _options(self, position: Hashable, whose: str, most: int) -> list[Hashable]:
        name, method = type(self.ruleset).__name__, self.ruleset.options
        if self.ruleset.decides and decision(self.ruleset, position):
            return []
        try:
            return list(islice(iterated(method(position), position), most))
        except (Exception, SystemExit) as error:
            raise failure(name, Message("the options"), error, shorten(position) + whose, method) from error

    @property
    def incomplete(self) -> str:
        """Say how far the sample goes."""
        if len(self.options) < self.max_positions:
            return Message("{at}there are more moves than the {max_moves} that were looked at", self.at, self.max_moves)
        return Message(
            "there are more positions than the {max_positions} that were looked at; start from a smaller one",
            self.max_positions,
        )

    def values(self, ruleset: Ruleset) -> dict[Hashable, Value]:
        """Return the value of each position from the explicit graph of rules."""
        graph = explore(ruleset, *self.starts, *self.options, max_positions=4 * self.max_positions)
        return dict(solve(graph, tokens=(), cycles="loopy" if self.ruleset.loopy else "error").grundy)

    @cached_property
    def plain_values(self) -> dict[Hashable, Value]:
        """The values where no symmetry is used."""
        if not self.complete:
            raise LimitError(self.incomplete)
        return self.values(Plain(self.ruleset))

    def plain_value(self, option: Hashable) -> Value:
        """Return the value of an option, perhaps a sum."""
        return reduce(xor, (self.plain_values[part] for part in parts_of(option)), 0)


class Plain(Ruleset):
    """The same options without the symmetry."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset

    def options(self, position: Hashable) -> Iterable[Hashable]:
        """Return the options as the rules give them."""
        return self._ruleset.options(position)

    def decided(self, position: Hashable) -> Literal["P", "N"] | None:
        """Return the decision as the rules give it."""
        return self._ruleset.decided(position)

    @property
    def decides(self) -> bool:
        """Whether the rules decide."""
        return self._ruleset.decides


class Unsized(Plain):
    """The same options and symmetry without the least size."""

    def canonical(self, position: Hashable) -> Hashable:
        """Return the image as the rules give it."""
        return self._ruleset.canonical(position)
