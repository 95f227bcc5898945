"""Wind-up: a hand moves around a clock, and play need not end."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator

from graphgame.errors import Message, ParameterError, ParseError
from graphgame.rules.parsing import integer, integers
from graphgame.rules.pictures import Cell, Picture, Way, circle, whole_way
from graphgame.rules.ruleset import About, Ruleset, sum_of

_MOST_HOURS = 10**6
_MOST_DRAWN = 60


class WindUp(Ruleset):
    """The rules of Wind-up: a position is the hour that the hand shows, and a move turns it back by one of the steps.

    Examples
    --------
    >>> rules = WindUp(5, [1, 3])
    >>> list(rules.options(1)), list(rules.options(0))
    ([0, 3], [])
    """

    about = About(
        "Wind-up: a hand on a clock of n hours moves back by one of several steps; whoever brings it to 0 ends the "
        "play.",
        "``wind-up{7: 1,2,5}(3)`` is a clock of the hours 0 to 6 with the hand on 3, which goes back by 1, 2 or 5. "
        "Several hours are that many clocks. The hand may pass 0 without end, so positions may be draws: solve with "
        "``--loopy``.",
        source="C. A. B. Smith, Graphs and composite games, Journal of Combinatorial Theory 1 (1966).",
    )

    loopy = True

    def __init__(self, hours: int, steps: Collection[int]) -> None:
        if not 1 <= hours <= _MOST_HOURS or not all(1 <= step <= hours for step in steps):
            raise ParameterError(
                "expected 1..{most} hours, and steps from 1 to the number of hours: got {hours} and {steps}",
                _MOST_HOURS,
                hours,
                steps,
            )
        self.hours = hours
        self.steps = sorted(set(steps))
        self.arguments = f"{hours}:{','.join(map(str, self.steps))}"

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for a text such as ``7: 1,2,5``: the number of hours, then the steps."""
        hours, colon, steps = text.partition(":")
        if not colon:
            raise ParseError("expected the hours, a colon and the steps, such as 7: 1,2,5", column=1)
        most = integer(hours, what=Message("the number of hours"), least=1, most=_MOST_HOURS)
        return cls(most, integers(steps, len(hours) + 1, what=Message("a step"), least=1, most=most))

    def options(self, position: int) -> Iterator[int]:
        """Yield the hours that the hand may move to; none from hour 0."""
        return ((position - step) % self.hours for step in self.steps if position)

    def parse(self, text: str) -> Hashable:
        """Return the hour that a text names; for hours separated by commas, their Sum: a clock for each hour."""
        return sum_of(integers(text, what=Message("an hour"), most=self.hours - 1))

    def picture(self, position: int) -> Picture | None:
        """Return a picture of the hours in a circle, with a mark where the hand is; None for more than 60 hours."""
        if self.hours > _MOST_DRAWN:
            return None
        hours = range(self.hours)
        cells = [Cell("heads" if hour == position else "square", str(hour)) for hour in hours]
        return Picture(tuple(cells), circle(self.hours))

    def ways(self, position: int) -> Iterator[Way]:
        """Yield a :class:`Way` for each move: click the new hour. With over 60 hours, a way has only its option."""
        return (whole_way(option, self.picture(option), option) for option in self.options(position))
