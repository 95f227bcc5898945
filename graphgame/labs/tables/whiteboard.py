"""Numbers on a whiteboard: each number exceeds the last by 1 to k, and whoever writes the goal N or more loses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from graphgame.errors import Message
from graphgame.labs.shared_rules import Bounded, number_and_rest
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.parsing import integer
from graphgame.rules.pictures import Cell, CellKind, Picture, Way, whole_way
from graphgame.rules.ruleset import About
from graphgame.solution.results import Decisive, Value

_MOST_DRAWN = 200
"""A picture is drawn only if it has at most this many numbers."""


class Whiteboard(Bounded):
    """The rules of whiteboard numbers. A position is the goal N and the last number, 0 on the empty board.

    Examples
    --------
    >>> list(Whiteboard(3).options((30, 27)))
    [(30, 28), (30, 29), (30, 30)]
    >>> Whiteboard(3).decided((30, 30))
    'N'
    """

    about = About(
        "Whiteboard numbers: write a number that exceeds the last by 1 to k.",
        "``whiteboard{3}(30)`` is the empty board with N = 30 and k = 3: the first number is in 1..3. "
        "``whiteboard{3}(30:12)`` is the board after 12 was written.",
        theorem="A position is the goal N and the last number, 0 on the empty board. Writing N or more loses at once, "
        "so the value is the mex over the numbers below N: (N - 1 - last) mod (k + 1).",
        source="HDU Online Judge 4764, Stone.",
        ending="Whoever writes N or more loses at once.",
    )

    bound = Message("the largest increase over the number written last")

    def options(self, position: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Yield the position (N, last number) after each number that may be written."""
        goal, last = position
        return ((goal, number) for number in range(last + 1, last + self.most + 1))

    def decided(self, position: tuple[int, int]) -> Literal["P", "N"] | None:
        """Return "N" if the last number is the goal or more: whoever wrote it has lost. Otherwise return None."""
        goal, last = position
        return "N" if last >= goal else None

    def closed_form(self, position: tuple[int, int]) -> int:
        goal, last = position
        return (goal - 1 - last) % (self.most + 1)

    def reason(self, position: tuple[int, int]) -> str:
        """Return the formula (N - 1 - last) mod (k + 1) with its numbers and its result; k is the largest increase."""
        goal, last = position
        return f"({goal} - 1 - {last}) mod {self.most + 1} = {self.closed_form(position)}"

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return the moves that do not lose at once: the last number m grows by 1 to k, and stays below the goal n.

        ``size`` must be 1: the text of the position is the number n alone, so play starts on the empty board, with
        m = 0. For any other size return None.
        """
        if size != 1:
            return None
        move = f"n' = n and m < m' and m' <= m + {self.most} and m' < n"
        return DeclaredMoves(("n", "m"), (move,), "m < n", (1, -1), starts="m = 0")

    def least_size(self, position: tuple[int, int]) -> tuple[int, int]:
        """Return lower bounds for the numbers of positions and moves of the graph from a position."""
        left = max(position[0] - 1 - position[1], 0)
        return left + 1, left * min(self.most, left) // 2

    def options_of_value(self, position: tuple[int, int], value: Value) -> Iterable[tuple[int, int]]:
        """Return the options of this value.

        For an integer there is at most one. For LOONY they are the options whose last number is N or more.
        """
        goal, last = position
        if not isinstance(value, int):
            return [end for end in self.options(position) if end[1] >= goal] if value is Decisive.LOONY else []
        step = (self.closed_form(position) - value) % (self.most + 1)
        return [(goal, last + step)] if value <= self.most and 0 < step < goal - last else []

    def parse(self, text: str) -> tuple[int, int]:
        """Read ``N:last``, or ``N`` for the empty board; return N and the last number."""
        goal, rest, column = number_and_rest(text, 0, what=Message("the limit N"), least=1)
        what = Message("the number written last")
        return goal, integer(rest, column, what=what, most=goal - 1 + self.most) if rest else 0

    def format(self, position: tuple[int, int]) -> str:
        """Return ``N:last``, or ``N`` for the empty board."""
        goal, last = position
        return f"{goal}:{last}" if last else str(goal)

    def picture(self, position: tuple[int, int]) -> Picture | None:
        """Return a picture of the numbers 1 to N + k - 1 in rows of ten, or None if there are more than 200.

        Four kinds of numbers look different: those below the last number, the last number, those between it and N, and
        those from N on, which lose.
        """
        goal, last = position
        numbers = range(1, goal + self.most)
        if len(numbers) > _MOST_DRAWN:
            return None
        left: list[CellKind] = ["square", "poison"]
        cells = [Cell("taken" if n < last else "heads" if n == last else left[n >= goal], str(n)) for n in numbers]
        return Picture(tuple(cells), tuple(((n - 1) % 10, (n - 1) // 10) for n in numbers))

    def ways(self, position: tuple[int, int]) -> Iterator[Way]:
        """Yield a move on the picture for each number that may be written."""
        return (whole_way(option, self.picture(option), option[1] - 1) for option in self.options(position))
