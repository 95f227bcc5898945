"""What a person's own rules do wrong: where it is in their file, and in words."""

from __future__ import annotations

import dis
import os
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import is_dataclass
from difflib import get_close_matches
from functools import reduce
from inspect import isabstract, signature
from operator import add
from pathlib import Path
from types import CodeType, NoneType
from typing import TypeVar

from graphgame.errors import GraphGameError, Message, RulesetError, either, shorten

Returned = TypeVar("Returned")

_PACKAGE = str(Path(__file__).parents[1])
_LIKE = 0.8
_IMPORTED = ("CodedRuleset", "Ruleset", "Sum", "explore", "solve")


class blamed:  # noqa: N801
    """Turn what a person's own rules raise into a :class:`RulesetError` that names the line and what it was about.

    Parameters
    ----------
    rules : str
        Their name.
    work : str
        What they were asked for, such as ``the options``.
    at : hashable, optional
        The position that it was asked of.
    method : callable, optional
        The method of theirs that was asked.
    """

    __slots__ = ("_at", "_method", "_rules", "_work")

    def __init__(self, rules: str, work: str, *at: object, method: Callable[..., object] | None = None) -> None:
        self._rules = rules
        self._work = work
        self._at = at
        self._method = method

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        ours = isinstance(error, (GraphGameError, OSError, MemoryError))
        if isinstance(error, (Exception, SystemExit)) and not ours:
            at = "".join(map(shorten, self._at))
            raise failure(self._rules, self._work, error, at, self._method) from error


def failure(
    rules: str, work: str, error: BaseException, at: str = "", method: Callable[..., object] | None = None
) -> RulesetError:
    """Return the error that says what a person's own rules raised, in which line, and what it was about."""
    place = _place_of(error) or place_of_method(method)
    if not place:
        return RulesetError(
            Message("{rules} fails at {work} of {position}: {error}", rules, work, at, _said(error))
            if at
            else Message("{rules} fails at {work}: {error}", rules, work, _said(error))
        )
    return RulesetError(
        Message("{place}: {error}, at position {position}", place, _said(error), at)
        if at
        else Message("{place}: {error}, at {work}", place, _said(error), work)
    )


def raised(error: BaseException) -> str:
    """Return what rules raised, and in which line."""
    place = _place_of(error)
    return Message("{place}: {error}", place, _said(error)) if place else _said(error)


def _place_of(error: BaseException) -> str:
    """Return the line of a person's own file where an error was raised, and in which function; empty if in none.

    The files beside it are the person's own too, and no other.
    """
    found = ""
    near: Path | None = None
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        own = not (code.co_filename.startswith((_PACKAGE, "<frozen ")))
        home = Path(code.co_filename).parent
        if own and near in (None, home):
            near = home
            found = _place(code, trace.tb_lineno)
        trace = trace.tb_next
    return found


def place_of_method(method: Callable[..., object] | None) -> str:
    """Return the line where a person's own method begins; empty for one of this package."""
    code = getattr(method, "__code__", None)
    if not isinstance(code, CodeType) or code.co_filename.startswith(_PACKAGE):
        return ""
    return _place(code, code.co_firstlineno)


def _place(code: CodeType, line: int) -> str:
    named = [name for name in code.co_qualname.split(".") if not name.startswith("<")]
    return f"{shown_path(code.co_filename)}:{line}{f' in {named[-1]}' if named else ''}"


def shown_path(file: str) -> str:
    """Return a path as seen from the current folder, where it is within it."""
    try:
        relative = os.path.relpath(file)
    except (OSError, ValueError):  # the folder is gone, or on another drive
        return file
    return file if relative.startswith(os.pardir) or file.startswith("<") else relative


def _said(error: BaseException) -> str:
    """Return what an error says, and what to do about a name that was not imported, or not so."""
    name = error.name if isinstance(error, NameError) else None
    if isinstance(error, ImportError) and error.name == "graphgame":
        wrong = _not_there(error)
        name = next((own for own in _IMPORTED if own.lower() == wrong.lower()), None)
    advice = Message(" (from graphgame import {name})", name) if name in _IMPORTED else ""
    return Message("{kind}: {error}{advice}", type(error).__name__, error, advice)


def _not_there(error: ImportError) -> str:
    """Return the name that a module lacks: from Python 3.12 on ``error.name_from``, before it only the code has it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    steps = dis.get_instructions(trace.tb_frame.f_code) if trace is not None else ()
    named = (step.argval for step in steps if trace and step.offset == trace.tb_lasti and step.opname == "IMPORT_FROM")
    return next(named, "")


def returned(value: Returned, *kinds: type) -> Returned:
    """Return what a person's rules returned, if it is of one of these kinds; else raise a TypeError, to be blamed."""
    if not isinstance(value, kinds):
        names = ("None" if kind is NoneType else kind.__name__ for kind in kinds)
        raise TypeError(Message("{value!r} is returned: expected {names}", value, either(names)))
    return value


def iterated(options: Iterable[Hashable], position: Hashable) -> Iterator[Hashable]:
    """Return an iterator over what rules give as the options; raise a TypeError, to be blamed, if it is no such thing.

    The letters of a text are options only of a position that is a text as well.

    Examples
    --------
    >>> iterated(None, 7)
    Traceback (most recent call last):
    TypeError: None is returned: expected the options, as a list or one by one with yield
    """
    letters = isinstance(options, str) and not isinstance(position, str)
    if letters or not (hasattr(options, "__iter__") or hasattr(options, "__getitem__")):
        raise TypeError(
            Message("{options!r} is returned: expected the options, as a list or one by one with yield", options)
        )
    return iter(options)


def hashed(position: Hashable, whose: str = "") -> Hashable:
    """Return a position that is hashable, else raise a :class:`RulesetError` that says what would be.

    Examples
    --------
    >>> hashed([1, 2], ", an option of (1, 3),")
    Traceback (most recent call last):
    graphgame.errors.RulesetError: position [1, 2], an option of (1, 3), is not hashable: use tuples in place of lists
    """
    try:
        hash(position)
    except TypeError:
        raise RulesetError(
            "position {position!r}{whose} is not hashable: {advice}", position, whose, _hashable(position)
        ) from None
    return position


def _hashable(position: object) -> str:
    if isinstance(position, set):
        return Message("use a frozenset in place of a set")
    if isinstance(position, dict):
        return Message("use a tuple of pairs in place of a dict")
    if is_dataclass(position):
        return Message("declare {kind} with @dataclass(frozen=True)", type(position).__name__)
    return Message("use tuples in place of lists")


def misspelt(rules: type, base: type) -> dict[str, str]:
    """Return the methods of a class that are named nearly as one of its base, which it has not: name -> that one.

    Examples
    --------
    >>> from graphgame import Ruleset
    >>> class Rules(Ruleset):
    ...     def option(self, heap):
    ...         return []
    >>> misspelt(Rules, Ruleset)
    {'option': 'options'}
    """
    own = {name: value for kind in rules.__mro__ if kind not in base.__mro__ for name, value in vars(kind).items()}
    hooks = [name for name in vars(base) if not name.startswith("_") and name not in own]
    found: dict[str, str] = {}
    for name, value in own.items():
        if not name.startswith("_") and not hasattr(base, name) and (callable(value) or isinstance(value, classmethod)):
            near = get_close_matches(name, hooks, n=1, cutoff=_LIKE)
            found |= {name: near[0]} if near else {}
    return found


def unfinished(rules: type, base: type) -> str | None:
    """Say what a class lacks to be made into rules without arguments; None where it lacks nothing."""
    if isabstract(rules):
        missing = sorted(getattr(rules, "__abstractmethods__", ()))
        return Message(
            "class {name} has no method {missing}{hint}",
            rules.__name__,
            ", ".join(missing),
            meant(rules, base, missing),
        )
    try:
        signature(rules).bind()
    except TypeError:
        wanted = Message(
            "class {name} needs arguments, {signature}, and has no classmethod from_text",
            rules.__name__,
            signature(rules),
        )
        return Message("{lack} to read them from braces{hint}", wanted, meant(rules, base, ["from_text"]))
    return None


def meant(rules: type, base: type, hooks: Iterable[str]) -> str:
    """Ask whether a method of a class is meant to be one of these that its base has; empty if none is named alike."""
    alike = [(name, hook) for name, hook in misspelt(rules, base).items() if hook in hooks]
    return reduce(add, (Message(": is {name} meant to be {hook}?", name, hook) for name, hook in alike), "")
