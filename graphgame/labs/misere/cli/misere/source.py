"""What the commands about misère play share: SOURCE, the search for its quotient, and how far that is proved."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphgame.cli import common
from graphgame.cli.errors import UsageError
from graphgame.cli.progress import Meter, shown
from graphgame.errors import GraphGameError, Message
from graphgame.labs.heaps.cli import game_of
from graphgame.rules import MAX_POSITIONS
from graphgame.text.languages import amount, translate
from graphgame.text.text import printable

if TYPE_CHECKING:
    from graphgame.graph.gamegraph import GameGraph
    from graphgame.labs.heaps import HeapGame
    from graphgame.labs.misere import MisereQuotient

_HEAPS = 20
_CODE = re.compile(r"\s*(\d?|\S*[!?=*}])\.[\w!?=*{},+\[\]]+\s*")


@dataclass
class MisereSource:
    """What SOURCE means: a heap game with so many heaps, or a graph."""

    source: str
    heaps: int | None = None
    format_: str | None = None
    max_positions: int = MAX_POSITIONS

    @cached_property
    def game(self) -> HeapGame | None:
        """The heap game; None where SOURCE is a graph."""
        from graphgame.rules.notation import own_rules

        if self.heaps is None and os.path.exists(self.source):  # noqa: PTH110 - Path refuses a long code
            return None
        if self.heaps is None and ".py" in self.source:
            own = own_rules(self.source, run_rules=True)
            if own is None or own.start is not None:
                return None  # its graph begins at a position
        try:
            found = game_of(self.source)
        except GraphGameError:
            if self.heaps is not None or _CODE.fullmatch(self.source):
                raise
            return None
        if self.format_ is not None:
            raise UsageError("{source} is a heap game, no graph file: leave out --format", printable(self.source))
        return found

    @cached_property
    def graph(self) -> GameGraph:
        """The graph of the heaps, or that of SOURCE."""
        if self.game is None:
            return common.load(self.source, self.format_, self.max_positions)
        from graphgame.labs.misere import heap_graph

        return heap_graph(self.game, self.largest, max_positions=self.max_positions)

    @property
    def largest(self) -> int:
        """The largest heap."""
        return _HEAPS if self.heaps is None else self.heaps


def takes_source(command: Callable[..., None]) -> Callable[..., None]:
    """Hand a command SOURCE and its options as one argument ``source``, and name the option that raises a limit."""
    options = (
        common.source_argument,
        common.number_option(
            "-n", "--heaps", "heaps", least=0, help=f"SOURCE is a heap game: its heaps 0 to N (default: {_HEAPS})."
        ),
        common.shared_options("format", "max_bytes", "max_positions"),
    )
    return common.takes(MisereSource, "source", *options)(common.limits_named()(command))


class _Placing(Meter):
    """How many positions have their element."""

    def __call__(self, done: int, order: int) -> None:
        """Tell of a long search."""
        self.show(translate("{count} positions, {order} elements", count=f"{done:,}", order=f"{order:,}"))


@dataclass
class QuotientSearch:
    """The options of a search for a quotient."""

    resume: str | None = None
    time: float | None = None
    max_order: int | None = None
    max_outcomes: int | None = None

    def quotient(self, source: MisereSource) -> MisereQuotient:
        """Find the quotient as far as the limits allow, and save it; what Ctrl-C leaves is saved too."""
        from graphgame.io.files import refuse_unwritable
        from graphgame.labs.misere import heap_quotient, misere_quotient, read_quotient, write_quotient

        def keep(proved: MisereQuotient) -> None:
            if self.resume is not None:
                write_quotient(proved, self.resume)
                common.tell_of(self.resume, f"proved {proved_for(proved, source)}; the same command goes on from there")

        limits = {"seconds": self.time, "max_order": self.max_order, "max_outcomes": self.max_outcomes}
        options: dict[str, Any] = {name: limit for name, limit in limits.items() if limit is not None}
        known = None if self.resume is None or not Path(self.resume).exists() else read_quotient(self.resume)
        options |= {"resume": known, "interrupted": keep}
        if self.resume is not None:
            refuse_unwritable(self.resume)
        with shown(_Placing) as progress:
            if source.game is None:
                found = misere_quotient(source.graph, name=source.source, progress=progress, **options)
            else:
                options |= {"max_positions": source.max_positions, "progress": progress}
                found = heap_quotient(source.game, source.largest, **options)
        if self.resume is not None:
            write_quotient(found, self.resume)
            common.tell_of(self.resume)
        if not found.complete:
            common.tell(
                Message(
                    "{stopped}: the quotient is proved only {found}; more is allowed by --time, --max-order, "
                    "--max-outcomes, and --resume FILE goes on where a search ended",
                    found.stopped,
                    proved_for(found, source),
                )
            )
        return found


takes_search = common.takes(
    QuotientSearch,
    "search",
    common.shared_options("resume", "time"),
    common.number_option("--max-order", help="Most elements (default: 1,000); a candidate may have 4 N."),
    common.number_option("--max-outcomes", help="Most outcomes of sums kept at once (default: 20,000,000)."),
)
"""Hand a command the options of :class:`QuotientSearch` as one argument ``search``."""


def proved_for(found: MisereQuotient, source: MisereSource) -> str:
    """Return in words for which positions a quotient is proved."""
    done = len(found.labels)
    if source.game is not None:
        return translate("up to heap {heap}" if done else "for no heap", heap=done - 1)
    if found.complete:
        return translate("for {positions}", positions=amount(done, "position"))
    return translate("for {done} of {asked} positions", done=f"{done:,}", asked=f"{found.asked:,}")


def period_text(found: MisereQuotient) -> str:
    """Return the proved period in words; nothing where there is none."""
    if found.period is None:
        return ""
    facts = {"period": found.period.period, "heap": found.period.preperiod}
    return translate("period {period} from heap {heap} on, proved: so for all heaps", **facts)
