"""Files of misère quotients: one JSON object that proves itself, and from which a search goes on.

What the object is: ``positions`` (their names, options first), ``generators`` (places in it), ``words`` (for each
position a sum of generators that is equal to it), ``steps`` (the product of each element with each generator) and
``p_portion`` (elements). These five are read again and can be checked; the rest follows from them, for people and other
programs.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from graphgame.errors import Message, OptionError
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.io.jsontext import whole_value
from graphgame.io.kinds import QUOTIENT
from graphgame.theory.misere.quotient import MisereQuotient

__all__ = ["quotient_of_record", "quotient_record", "read_quotient", "write_quotient"]


def quotient_record(quotient: MisereQuotient) -> dict[str, object]:
    """Return a quotient as an object of JSON.

    Examples
    --------
    >>> from graphgame import heaps
    >>> from graphgame.theory.misere import heap_quotient
    >>> record = quotient_record(heap_quotient(heaps.octal("0.75"), 30))
    >>> record["order"], record["relations"][:2], record["pretending"][:9]
    (8, ['a^2 = 1', 'bc = ab'], ['1', 'a', 'b', 'a', 'b', 'c', 'b', 'c', 'b'])
    """
    names, period = quotient.names, quotient.period
    return {
        "format": QUOTIENT.format,
        "game": quotient.game,
        "complete": quotient.complete,
        "stopped": quotient.stopped,
        "asked": quotient.asked,
        "order": quotient.order,
        "elements": names,
        "p_portion": quotient.p_portion,
        "letters": {letter: _name(label) for letter, label in quotient.letters.items()},
        "relations": [f"{longer} = {shorter}" for longer, shorter in quotient.relations],
        "positions": [_name(label) for label in quotient.labels],
        "pretending": [names[element] for element in quotient.images],
        "period": None if period is None else {"preperiod": period.preperiod, "period": period.period},
        "generators": quotient.generators,
        "words": quotient.words,
        "steps": quotient.steps.tolist(),
        "multiplication": quotient.table.tolist(),
    }


def write_quotient(quotient: MisereQuotient, path: PathLike) -> None:
    """Write a quotient as JSON: the whole file or, if that fails, none. Names that are no integers become texts.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    with open_atomic(path) as stream:
        stream.write(json.dumps(quotient_record(quotient)) + "\n")


def read_quotient(path: PathLike) -> MisereQuotient:
    """Read a quotient; :func:`find_fault` checks it.

    Raises
    ------
    ParseError
        The file holds no quotient.
    OSError
        The file cannot be read.
    """
    with Source(path) as source:
        try:
            return quotient_of_record(whole_value(source))
        except OptionError as error:
            raise source.error(str(error)) from None


def quotient_of_record(found: Any) -> MisereQuotient:  # noqa: ANN401
    """Return the quotient of an object of JSON; :func:`find_fault` checks it.

    Raises
    ------
    OptionError
        The object is no quotient.
    """
    fault = _fault(found)
    if fault is not None:
        raise OptionError("no misère quotient: {fault}", fault)
    order = len(found["steps"])
    lost = np.zeros(order, np.bool_)
    lost[np.array(found["p_portion"], np.int64)] = True
    steps = np.array(found["steps"], np.int32).reshape(order, len(found["generators"]))
    words = [tuple(word) for word in found["words"]]
    return MisereQuotient(
        found["game"], found["positions"], words, found["generators"], steps, lost, found["asked"], found["stopped"]
    )


def _name(label: object) -> int | str:
    return label if type(label) is int else str(label)


def _fault(found: Any) -> str | None:  # noqa: ANN401
    """Return what is wrong with the form of an object of JSON."""
    if not isinstance(found, dict) or found.get("format") != QUOTIENT.format:
        return Message('expected an object with "format": "{format}"', QUOTIENT.format)
    lists = ("positions", "generators", "words", "steps", "p_portion")
    if missing := [name for name in lists if not isinstance(found.get(name), list)]:
        return Message("{missing} is no list", missing[0])
    labels, generators, words, steps, lost = (found[name] for name in lists)
    if not all(type(label) in (int, str) for label in labels):
        return Message("a position is no integer and no text")
    if not _are_numbers(generators, len(labels)) or len(set(generators)) < len(generators):
        return Message("a generator is no place of a position, or is there twice")
    if len(words) != len(labels) or not all(_are_numbers(word) and set(word) <= set(generators) for word in words):
        return Message("words are not one list of generators for each position")
    if not steps or not all(_are_numbers(row, len(steps)) and len(row) == len(generators) for row in steps):
        return Message("steps are not one element for each element and generator")
    if not _are_numbers(lost, len(steps)):
        return Message("p_portion is no list of elements")
    if type(found.get("game")) is not str or not _are_numbers([found.get("asked")]):
        return Message("game is no text, or asked no number")
    if "stopped" not in found or not isinstance(found["stopped"], (str, type(None))):
        return Message("stopped is no text and not null")
    short = found["stopped"] is None and found["asked"] != len(labels)
    return (
        Message("asked is {found}, but nothing stopped the search after {count}", found["asked"], len(labels))
        if short
        else None
    )


def _are_numbers(found: Any, end: float = math.inf) -> bool:  # noqa: ANN401
    """Tell whether this is a list of integers from 0 on and below an end."""
    return isinstance(found, list) and all(type(number) is int and 0 <= number < end for number in found)
