"""The kinds of compound: what a move is, and who wins by the theory."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import count, islice, product
from typing import NamedTuple

from graphgame.errors import Message
from graphgame.labs.theory.compounds.operand import FiniteOutcome, Operand
from graphgame.solution.results import Play

Places = tuple[Hashable, ...]
Choices = Sequence[Sequence[Hashable]]


class CompoundKind(NamedTuple):
    """A kind of compound.

    Attributes
    ----------
    name, sign : str
    rule : str
        What a move is, and when the game is over.
    measure : {"remoteness", "suspense", "outcome", "value"}
        What the theory takes from the components.
    theorem : dict
        Play -> the theorem.
    moves : callable
        The options, from the position and the options of every component.
    outcome : callable
        Who wins, from the components, their positions and the play.
    """

    name: str
    sign: str
    rule: str
    measure: str
    theorem: dict[str, str]
    moves: Callable[[Places, Choices], Iterable[Places]]
    outcome: Callable[[Sequence[Operand], Places, Play], FiniteOutcome]


def _all_move(position: Places, choices: Choices) -> Iterable[Places]:
    return product(*choices)


def _all_that_can_move(position: Places, choices: Choices) -> Iterable[Places]:
    if not any(choices):
        return ()
    return product(*(options or [place] for place, options in zip(position, choices, strict=True)))


def _some_move(position: Places, choices: Choices) -> Iterable[Places]:
    stay_or_move = ([place, *options] for place, options in zip(position, choices, strict=True))
    return islice(product(*stay_or_move), 1, None)  # in the first all stay


def _some_move_until_one_ends(position: Places, choices: Choices) -> Iterable[Places]:
    return _some_move(position, choices) if all(choices) else ()


def _one_moves_and_ends_the_later(position: Places, choices: Choices) -> Iterator[Places]:
    for place, options in enumerate(choices):
        for option in options:
            yield (*position[:place], option)


def least_remoteness(operands: Sequence[Operand], position: Places, play: Play) -> int:
    """Return the remoteness of a conjunctive compound."""
    return min(o.length("remoteness", place, play) for o, place in zip(operands, position, strict=True))


def greatest_suspense(operands: Sequence[Operand], position: Places, play: Play) -> int:
    """Return the suspense of a continued conjunctive compound."""
    return max(o.length("suspense", place, play) for o, place in zip(operands, position, strict=True))


def _by_length(length: int, play: Play) -> FiniteOutcome:
    return "P" if length % 2 == (play == "misere") else "N"


def _outcomes(operands: Sequence[Operand], position: Places, play: Play) -> list[FiniteOutcome]:
    return [operand.outcome(place, play) for operand, place in zip(operands, position, strict=True)]


def _conjunctive(operands: Sequence[Operand], position: Places, play: Play) -> FiniteOutcome:
    return _by_length(least_remoteness(operands, position, play), play)


def _continued(operands: Sequence[Operand], position: Places, play: Play) -> FiniteOutcome:
    return _by_length(greatest_suspense(operands, position, play), play)


def _selective(operands: Sequence[Operand], position: Places, play: Play) -> FiniteOutcome:
    if play == "misere":
        left = [(o, p) for o, p in zip(operands, position, strict=True) if o.has_move(p)]
        if len(left) < 2:
            return left[0][0].outcome(left[0][1], "misere") if left else "N"
    return "P" if set(_outcomes(operands, position, "normal")) == {"P"} else "N"


def _shortened(operands: Sequence[Operand], position: Places, play: Play) -> FiniteOutcome:
    if play == "misere":
        return "P" if set(_outcomes(operands, position, play)) == {"P"} else "N"
    outcomes = _outcomes(operands, position, play)
    if set(outcomes) == {"P"}:
        return "P"
    return "N" if all(operand.has_move(place) for operand, place in zip(operands, position, strict=True)) else "P"


def _ordinal(operands: Sequence[Operand], position: Places, play: Play) -> FiniteOutcome:
    if play == "normal":
        return "N" if ordinal_value(operands, position) else "P"
    first, rest = operands[0], position[1:]
    outcome = first.outcome(position[0], "misere")
    if not rest:
        return outcome
    if not first.has_move(position[0]):
        return _ordinal(operands[1:], rest, "misere")
    return "N" if outcome == "N" else _ordinal(operands[1:], rest, "normal")


def ordinal_value(operands: Sequence[Operand], position: Places) -> int:
    """Fold from the last: the value n of what follows becomes the n-th number that no option of the component has."""
    value = 0
    for operand, place in reversed(list(zip(operands, position, strict=False))):
        taken = operand.option_values(place)
        value = next(islice((number for number in count() if number not in taken), value, None))
    return value


KINDS: dict[str, CompoundKind] = {
    kind.sign: kind
    for kind in (
        CompoundKind(
            Message("conjunctive"),
            "&",
            Message("a move is made in every component, and the game is over when one component is"),
            "remoteness",
            {
                "normal": Message("even is P and odd is N, where the compound's remoteness is the components' least"),
                "misere": Message(
                    "odd is P and even is N, where the compound's misère remoteness is the components' least"
                ),
            },
            _all_move,
            _conjunctive,
        ),
        CompoundKind(
            Message("continued conjunctive"),
            "&&",
            Message("a move is made in every component that has one, and the game is over when all components are"),
            "suspense",
            {
                "normal": Message("even is P and odd is N, where the compound's suspense is the components' greatest"),
                "misere": Message(
                    "odd is P and even is N, where the compound's misère suspense is the components' greatest"
                ),
            },
            _all_that_can_move,
            _continued,
        ),
        CompoundKind(
            Message("selective"),
            "|",
            Message("a move is made in any components, at least one, and the game is over when all components are"),
            "outcome",
            {
                "normal": Message("P where all components are P, else N"),
                "misere": Message(
                    "with two components or more that have a move it is P where all are P in normal play, "
                    "else N; with one it is that component's misère outcome, with none N"
                ),
            },
            _some_move,
            _selective,
        ),
        CompoundKind(
            Message("shortened selective"),
            "||",
            Message("a move is made in any components, at least one, and the game is over when one component is"),
            "outcome",
            {
                "normal": Message("P where all components are P or one has no move, else N"),
                "misere": Message("P where all components are P in misère play, else N"),
            },
            _some_move_until_one_ends,
            _shortened,
        ),
        CompoundKind(
            Message("ordinal sum"),
            ":",
            Message("a move is made in one component, and takes away all that stand after it"),
            "value",
            {
                "normal": Message(
                    "where what stands after a component has the value n, both together have as their value "
                    "the n-th number, counted from 0, that is no value of an option of the component"
                ),
                "misere": Message(
                    "a first component without a move does not count; with one that is N in misère play it "
                    "is N, else it is the normal-play outcome of what stands after that component"
                ),
            },
            _one_moves_and_ends_the_later,
            _ordinal,
        ),
    )
}
"""Sign -> kind."""
