"""A player who goes by a certificate."""

from __future__ import annotations

from graphgame.errors import LimitError
from graphgame.labs.verification.position_certificates import ListedValues, PositionCertificate
from graphgame.play.advice import Adviser, Verdict, last_of_first
from graphgame.rules.position import Position
from graphgame.solution.results import Move


class ByCertificate(Adviser):
    """A certificate lists what the winner leaves; where it lists nothing, it is the loser who has to move.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> from graphgame.labs.search import Search
    >>> position = parse_position("cram(3x4)")
    >>> ByCertificate(Search(position).certificate(), position).best_move(position).end
    cram(..../.##./....)
    """

    def __init__(self, certificate: PositionCertificate, start: Position) -> None:
        self._listed = ListedValues(certificate, start)

    def verdict(self, position: Position) -> Verdict:
        """Return who wins; raise a LimitError where the winner left the way that is listed."""
        if self._listed.total(position) == 0:
            return Verdict("P", None)
        if self._listed.winning_move(position) is None:
            raise LimitError("the certificate does not tell who wins here: the winner left its way")
        return Verdict("N", None)

    def best_move(self, position: Position) -> Move | None:
        """Return the move that the certificate justifies, else any."""
        found = self._listed.winning_move(position)
        if found is None:
            return last_of_first(position)
        start = position.components[found[0]]
        return Move(found[0], start, start._replace(position=found[1]))
