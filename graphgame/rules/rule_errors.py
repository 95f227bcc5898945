"""Rule errors: say which line of a user's own rules failed, and why."""

from __future__ import annotations

import dis
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import is_dataclass
from difflib import get_close_matches
from inspect import isabstract, signature
from pathlib import Path
from types import CodeType, NoneType
from typing import TypeVar

from graphgame.errors import GraphGameError, Message, RulesetError, either, shorten

Returned = TypeVar("Returned")

_PACKAGE, _LIBRARY = f"{Path(__file__).parents[1]}{os.sep}", Path(os.__file__).parent
_SIMILAR = 0.8
_NAMES_RULES_IMPORT = ("CodedRuleset", "Ruleset", "Sum", "explore", "solve")


class rule_errors:  # noqa: N801
    """Turn an exception that a user's own rules raise in this block into a :class:`RulesetError`.

    The message begins with the line in the user's file, otherwise with the first line of ``method``, otherwise with the
    name of the rules. This package's errors, OSError and MemoryError pass unchanged. A @contextmanager would be slower.

    Parameters
    ----------
    rules : str
        The name of the rules.
    work : str
        What the rules were asked for, such as ``the options``.
    at : hashable, optional
        The position for which they were asked.
    method : callable, optional
        The method that is called.
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
        if isinstance(error, (Exception, SystemExit)) and not isinstance(error, (GraphGameError, OSError, MemoryError)):
            raise failure(self._rules, self._work, error, "".join(map(shorten, self._at)), self._method) from error


def failure(
    rules: str, work: str, error: BaseException, at: str = "", method: Callable[..., object] | None = None
) -> RulesetError:
    """Return the error for rules that raised an exception; the parameters are those of :class:`rule_errors`.

    Here ``at`` is the text of the position, empty if there is none.
    """
    line = _line_of(error) or line_of_method(method)
    if not line:
        return RulesetError(
            Message("{rules} fails at {work} of {position}: {error}", rules, work, at, _described(error))
            if at
            else Message("{rules} fails at {work}: {error}", rules, work, _described(error))
        )
    return RulesetError(
        Message("{line}: {error}, at position {position}", line, _described(error), at)
        if at
        else Message("{line}: {error}, at {work}", line, _described(error), work)
    )


def raised(error: BaseException) -> str:
    """Return an exception's type and text, after the user's own line if any: ``game.py:7 in options: KeyError: 3``."""
    line = _line_of(error)
    return Message("{line}: {error}", line, _described(error)) if line else _described(error)


def _line_of(error: BaseException) -> str:
    """Return the innermost line of a traceback in the user's files, as in ``game.py:7 in options``; "" without one.

    The user's files are the traceback's first file outside graphgame and the standard library, and those in its folder.
    """
    line = ""
    users_folder: Path | None = None
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        folder = Path(code.co_filename).parent
        library = _LIBRARY in (folder, folder.parent) and folder.name != "site-packages"
        own = not (library or code.co_filename.startswith((_PACKAGE, "<frozen ")))
        if own and users_folder in (None, folder):
            users_folder = folder
            line = _shown_line(code, trace.tb_lineno)
        trace = trace.tb_next
    return line


def line_of_method(method: Callable[..., object] | None) -> str:
    """Return the file, first line and name of a user's method; "" for None, and for C code or code of this package."""
    code = getattr(method, "__code__", None)
    if not isinstance(code, CodeType) or code.co_filename.startswith(_PACKAGE):
        return ""
    return _shown_line(code, code.co_firstlineno)


def _shown_line(code: CodeType, line: int) -> str:
    named = [name for name in code.co_qualname.split(".") if not name.startswith("<")]
    return f"{shown_path(code.co_filename)}:{line}{f' in {named[-1]}' if named else ''}"


def shown_path(file: str) -> str:
    """Return a path relative to the current folder if the file is inside it; otherwise the path as it is."""
    try:
        relative = os.path.relpath(file)
    except (OSError, ValueError):  # the current folder is gone, or the file is on another drive
        return file
    return file if relative.startswith(os.pardir) or file.startswith("<") else relative


def _described(error: BaseException) -> str:
    """Return the type and text of an exception, and the import to add if a name such as ``Ruleset`` is not imported."""
    name = error.name if isinstance(error, NameError) else None
    if isinstance(error, ImportError) and error.name == "graphgame":
        wrong = _name_not_imported(error)
        name = next((right for right in _NAMES_RULES_IMPORT if right.lower() == wrong.lower()), None)
    if name in _NAMES_RULES_IMPORT:
        return Message("{exception}: {error} (add: from graphgame import {name})", type(error).__name__, error, name)
    return Message("{exception}: {error}", type(error).__name__, error)


def _name_not_imported(error: ImportError) -> str:
    """Return the name that could not be imported from a module; empty if it is unknown.

    It is read from the bytecode of the import statement: ``error.name_from`` exists only from Python 3.12 on.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    steps = dis.get_instructions(trace.tb_frame.f_code) if trace is not None else ()
    named = (step.argval for step in steps if trace and step.offset == trace.tb_lasti and step.opname == "IMPORT_FROM")
    return next(named, "")


def returned(value: Returned, *kinds: type) -> Returned:
    """Return ``value``, which a method of a user's rules returned; raise a TypeError if it is not of these ``kinds``.

    Call it inside :class:`rule_errors`, which turns the TypeError into a RulesetError.
    """
    if not isinstance(value, kinds):
        names = ("None" if kind is NoneType else kind.__name__ for kind in kinds)
        raise TypeError(Message("{value!r} is returned: expected {types}", value, either(names)))
    return value


def returned_array(values: Returned, shape: Sequence[int]) -> Returned:
    """Return ``values``, which rules returned; raise a TypeError unless they are None or integers of this shape."""
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    if values is not None and not (getattr(values, "shape", None) == tuple(shape) and kind in ("i", "u")):
        raise TypeError(Message("{value} is returned: expected an int array of shape {shape}", shorten(values), shape))
    return values


def iterated(options: Iterable[Hashable], position: Hashable) -> Iterator[Hashable]:
    """Return an iterator over the options that rules returned; raise a TypeError if they cannot be iterated.

    A string counts as options, one for each letter, only if the position is a string itself.

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


def hashed(position: Hashable, *before: Hashable) -> Hashable:
    """Return a position if it is hashable; otherwise raise a :class:`RulesetError` that suggests a hashable type.

    ``before``, if given, is the position that has ``position`` as an option.

    Examples
    --------
    >>> hashed([1, 2], (1, 3))
    Traceback (most recent call last):
    graphgame.errors.RulesetError: position [1, 2], an option of (1, 3), is not hashable: use tuples in place of lists
    """
    try:
        hash(position)
    except TypeError:
        advice = _hashable(position)
        if before:
            raise RulesetError(
                "position {position!r}, an option of {before!r}, is not hashable: {advice}", position, *before, advice
            ) from None
        raise RulesetError("position {position!r} is not hashable: {advice}", position, advice) from None
    return position


def _hashable(position: object) -> str:
    if isinstance(position, tuple):
        position = next((part for part in position if not isinstance(part, Hashable)), position)
    if isinstance(position, set):
        return Message("use a frozenset in place of a set")
    if isinstance(position, dict):
        return Message("use a tuple of pairs in place of a dict")
    if is_dataclass(position) and not isinstance(position, Hashable):
        return Message("declare {kind} with @dataclass(frozen=True)", type(position).__name__)
    return Message("use tuples in place of lists")


def misspelt(rules: type, base: type) -> dict[str, str]:
    """Return the methods of ``rules`` whose names resemble a name in ``base`` that ``rules`` does not override.

    The result maps the name in ``rules`` to the name in ``base``.

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
    similar: dict[str, str] = {}
    for name, value in own.items():
        if not name.startswith("_") and not hasattr(base, name) and (callable(value) or isinstance(value, classmethod)):
            near = get_close_matches(name, hooks, n=1, cutoff=_SIMILAR)
            similar |= {name: near[0]} if near else {}
    return similar


def unfinished(rules: type, base: type) -> str | None:
    """Return why a class of rules without ``from_text`` cannot be called without arguments; None if it can.

    The reason is a sentence: the class lacks a method, or its ``__init__`` needs arguments. ``base`` is Ruleset.
    """
    if isabstract(rules):
        missing = sorted(getattr(rules, "__abstractmethods__", ()))
        fault = Message("class {name} has no method {missing}", rules.__name__, ", ".join(missing))
        return asking(fault, rules, base, missing)
    try:
        signature(rules).bind()
    except TypeError:
        fault = Message(
            "class {name} needs arguments, {signature}, and has no classmethod from_text to read them from braces",
            rules.__name__,
            signature(rules),
        )
        return asking(fault, rules, base, ["from_text"])
    return None


def asking(fault: Message, rules: type, base: type, hooks: Iterable[str]) -> Message:
    """Return ``fault`` and a question for each name in ``misspelt(rules, base)`` that may mean one of ``hooks``."""
    for name, hook in misspelt(rules, base).items():
        if hook in hooks:
            fault = Message("{fault}: is {name} meant to be {hook}?", fault, name, hook)
    return fault
