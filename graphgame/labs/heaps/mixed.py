"""Mixed heaps: each heap with a rule of its own."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from graphgame.errors import Message
from graphgame.labs.heaps.subtraction import Bash, Subtraction
from graphgame.rules.drawings import Drawing, heap_row
from graphgame.rules.nim import Nim
from graphgame.rules.parsing import fields, integer, number_and_rest
from graphgame.rules.pictures import Picture, beside, heap, note
from graphgame.rules.ruleset import About, Ruleset, Sum, sum_of
from graphgame.solution.results import Value

_RULES: tuple[Ruleset, ...] = (Bash(3), Subtraction("odd"), Nim())


class Mixed(Ruleset):
    """The rules of mixed heaps.

    Examples
    --------
    >>> rules = Mixed()
    >>> [rules.closed_form(heap) for heap in rules.parse("10,7,5,8")]
    [2, 1, 5, 8]
    """

    about = About(
        "Mixed heaps: take 1, 2 or 3 from the first heap, an odd number from the second, any number from the others.",
        "``mixed(10,7,5,8)`` are four heaps; ``mixed(3:5)`` is the third alone.",
        theorem="A position is a heap's place (3 for all that follow) and its size; several are their sum. Their "
        "values are x mod 4, x mod 2 and x.",
    )

    def rules_at(self, position: tuple[int, int]) -> Ruleset:
        return _RULES[position[0] - 1]

    def options(self, position: tuple[int, int]) -> Iterator[tuple[int, Hashable]]:
        place, heap = position
        for option in _RULES[place - 1].options(heap):
            yield place, option

    def closed_form(self, position: tuple[int, int]) -> Value | None:
        place, heap = position
        return _RULES[place - 1].closed_form(heap)

    def reason(self, position: tuple[int, int]) -> str | None:
        """Return the reason of the heap's own rule."""
        return _RULES[position[0] - 1].reason(position[1])

    def least_size(self, position: tuple[int, int]) -> tuple[int, int]:
        return _RULES[position[0] - 1].least_size(position[1])

    def options_of_value(self, position: tuple[int, int], value: int) -> Iterable[tuple[int, Hashable]]:
        place, heap = position
        return ((place, option) for option in _RULES[place - 1].options_of_value(heap, value))

    def parse(self, text: str) -> Hashable:
        """Return the heaps between commas, in their places; ``place:size`` puts a heap in another place."""
        return sum_of(_heap(piece, start, place) for place, (piece, start) in enumerate(fields(text), 1))

    def format(self, position: Any) -> str:  # noqa: ANN401
        """Return ``place:size``, or several between commas."""
        if isinstance(position, Sum):
            return ",".join(map(self.format, position))
        return f"{position[0]}:{position[1]}"

    def picture(self, position: tuple[int, int]) -> Picture | None:
        place, size = position
        return beside([note(("1–3", "odd", "any")[place - 1]), heap(size)])

    def drawing(self, position: tuple[int, int]) -> Drawing | None:
        """Return what one may take, and the heap."""
        place, size = position
        return heap_row(size, label=("1–3", "1, 3, …", "1, 2, …")[place - 1])


def _heap(piece: str, start: int, place: int) -> tuple[int, int]:
    """Read ``size`` or ``place:size``."""
    if ":" in piece:
        place, piece, start = number_and_rest(piece, start, what=Message("a heap's place"), least=1)
    place = min(place, 3)
    return place, integer(piece, start, what=Message("a heap's size"))
