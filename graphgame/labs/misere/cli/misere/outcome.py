"""``graphgame misere outcome``: who wins a sum under misère play, by the quotient."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphgame.cli import common
from graphgame.cli.errors import UsageError
from graphgame.cli.language import examples
from graphgame.errors import Message
from graphgame.labs.misere.cli.misere.source import MisereSource, QuotientSearch, takes_search, takes_source
from graphgame.text.languages import translate

if TYPE_CHECKING:
    from graphgame.labs.misere import MisereQuotient

_EXAMPLES = examples(
    ("graphgame misere outcome 0.123 3,3,9,70 --heaps 80", ""),
    ("graphgame misere outcome game.txt 1 1 4", ""),
    ('graphgame misere outcome "notakto(1)" .../.../... X../.../...', ""),
    ("graphgame misere outcome 0.07 3,20 --heaps 40 --resume dawson.json", ""),
    ("graphgame misere outcome dawson.json 3,20", "from misere quotient -o or --resume"),
)

_WINNER = {"P": Message("second player wins"), "N": Message("first player wins")}
_LONGEST_NUMBER = 1000


@click.command("outcome", epilog=_EXAMPLES)
@takes_source
@click.argument("positions", nargs=-1, required=True)
@takes_search
def command(source: MisereSource, search: QuotientSearch, positions: tuple[str, ...]) -> None:
    """Say who wins the sum of POSITIONS of SOURCE under misère play, by the misère quotient.

    POSITIONS are heaps where SOURCE is a heap game, else positions of its graph, between commas or spaces. Where a
    period of the pretending function is proved, heaps may be larger than N. SOURCE may also be a saved quotient, which
    is believed: misere check checks it.
    """
    saved = _saved(source, search)
    if saved is not None:
        found, asked = saved, _positions_of(saved, positions)
    else:
        heaps = None if source.game is None else _heaps(positions)
        found = search.quotient(source)
        asked = common.find_tokens(source.graph, positions) if heaps is None else heaps
    winner, element = translate(_WINNER[found.outcome(*asked)]), found.names[found.element(*asked)]
    click.echo(translate("{winner} (element {element})", winner=winner, element=element))


def _saved(source: MisereSource, search: QuotientSearch) -> MisereQuotient | None:
    """Return the quotient of a file; None where SOURCE is no such file."""
    from graphgame.io.records import QUOTIENT, file_kind_at
    from graphgame.labs.misere import read_quotient

    if not Path(source.source).is_file() or file_kind_at(source.source) is not QUOTIENT:
        return None
    if search != QuotientSearch() or source.heaps is not None:
        raise UsageError("{source} is a saved quotient: nothing is searched, leave out such options", source.source)
    return read_quotient(source.source)


def _positions_of(saved: MisereQuotient, texts: Sequence[str]) -> list[Hashable]:
    """Return the positions that are listed; of heaps larger than those that are saved, prove the period first."""
    from graphgame.labs.misere import prove_period

    labels = set(map(str, saved.labels))
    asked: list[Hashable] = [part for text in texts for part in ([text] if text in labels else common.listed(text))]
    if not labels.issuperset(asked) and ".py:" not in saved.game:
        game = MisereSource(saved.game).game
        if game is not None:
            asked = _heaps(texts)
            prove_period(saved, game)
    return asked


def _heaps(texts: Sequence[str]) -> list[Hashable]:
    parts = [part for text in texts for part in common.listed(text)]
    if not all(part.isdecimal() and part.isascii() and len(part) < _LONGEST_NUMBER for part in parts):
        raise UsageError("expected heaps as numbers between commas, such as 3,3,9")
    return [int(part) for part in parts]
