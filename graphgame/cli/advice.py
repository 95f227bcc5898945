"""What to do about a position whose whole graph is too large."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphgame.errors import Message
from graphgame.explanation.text import verdict_text

if TYPE_CHECKING:
    from graphgame.rules.position import Position


def advice(position: Position, *, told: bool = False) -> Iterator[Message]:
    """Yield what says who wins without the whole graph, and a smaller position of the same game.

    Parameters
    ----------
    position : Position
    told : bool
        Whether to say who wins by a theorem, instead of naming the command that does.
    """
    from graphgame.rules.catalogue import CATALOGUE

    misere = " --misere" if position.play == "misere" else ""
    if position.outcome_by_theorem is None:
        if not any(part.ruleset.loopy for part in position.components):
            yield Message("graphgame search{misere} needs no whole graph to say who wins", misere)
    elif told:
        yield Message("a theorem says: {verdict}", verdict_text(position.winner, position.play))
    else:
        yield Message("graphgame solve{misere} --verdict says who wins, by a theorem", misere)
    names = {part.name for part in position.components} & CATALOGUE.keys()
    if len(names) == 1 and (example := CATALOGUE[names.pop()].example) != str(position):
        yield Message("try a smaller position, such as {example}", example)
