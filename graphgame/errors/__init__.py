"""Every exception of the package.

All of them are a :class:`GraphGameError`; each is also the builtin or networkx error that a caller would expect.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import wraps
from importlib import import_module
from inspect import currentframe, signature
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from graphgame.errors.messages import Message as Message
from graphgame.errors.messages import both as both
from graphgame.errors.messages import either as either
from graphgame.errors.messages import joined as joined
from graphgame.errors.messages import known as known
from graphgame.errors.messages import plural as plural
from graphgame.errors.messages import shorten as shorten
from graphgame.errors.messages import written as written

if TYPE_CHECKING:
    from graphgame.errors.of_networkx import CycleError as CycleError
    from graphgame.errors.of_networkx import NotAGameError as NotAGameError
    from graphgame.errors.of_networkx import UndirectedGraphError as UndirectedGraphError
    from graphgame.errors.of_networkx import UnknownPositionError as UnknownPositionError

__all__ = [
    "CycleError",
    "FormatError",
    "GraphGameError",
    "GraphGameWarning",
    "LayoutError",
    "LimitError",
    "MissingExtraError",
    "MissingFontWarning",
    "NoPositionError",
    "NotAGameError",
    "ParameterError",
    "ParseError",
    "PerformanceWarning",
    "ReadingWarning",
    "RulesetError",
    "TokenError",
    "UndirectedGraphError",
    "UnknownGameError",
    "UnknownPositionError",
]

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")

_SHOWN_LENGTH = 60
_SHOWN_VERTICES = 12


def excerpt(text: str, column: int) -> str:
    """Return a line with a caret under a column, counted from 1, cut around the place where it is long."""
    start = max(0, column - 1 - _SHOWN_LENGTH)
    shown = text[start : column + _SHOWN_LENGTH]
    before = "..." if start else ""
    after = "..." if start + len(shown) < len(text) else ""
    visible = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in shown.replace("\t", " "))
    return f"\n    {before}{visible}{after}\n    {' ' * (len(before) + column - 1 - start)}^"


def play_text(positions: Sequence[Hashable]) -> str:
    """Return the positions of a play one after another, cut in the middle where they are many."""
    shown = " -> ".join(map(shorten, positions))
    if len(positions) <= _SHOWN_VERTICES:
        return shown
    half = _SHOWN_VERTICES // 2
    first, last = (" -> ".join(map(shorten, part)) for part in (positions[:half], positions[-half:]))
    return Message("{first} -> ({count} more) -> {last}", first, len(positions) - 2 * half, last)


class GraphGameError(Exception):
    """Root of the package's errors.

    Parameters
    ----------
    message : str
        What was wrong and what was expected, in lower case: a :class:`Message`, or its template.
    *facts : object
        What fills the slots of a template.
    """

    def __init__(self, message: str, *facts: object) -> None:
        self.message: str = message if isinstance(message, Message) else Message(message, *facts)
        super().__init__(self.message)


class ParseError(GraphGameError, ValueError):
    """A text that cannot be read: where it is wrong, and what was expected.

    Parameters
    ----------
    message, *facts
        As :class:`GraphGameError` takes them.
    source : str, optional
        The file's name.
    line, column : int, optional
        Place of the error, counted from 1.
    text : str, optional
        The line as it stands in the file.
    """

    def __init__(
        self,
        message: str,
        *facts: object,
        source: str | None = None,
        line: int | None = None,
        column: int | None = None,
        text: str | None = None,
    ) -> None:
        super().__init__(message, *facts)
        self.source = source
        self.line = line
        self.column = column
        self.text = text

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.line, self.column) if part is not None)
        place = self.source + (f":{place}" if place else "") if self.source is not None else place
        colon = ": " if place else ""
        shown = "" if self.text is None or self.column is None else excerpt(self.text, self.column)
        return Message("{place}{colon}{fault}{excerpt}", place, colon, self.message, shown)


class NoPositionError(ParseError):
    """Numbers that no position has, in a text that is else in order; a table of values leaves them blank."""


class FormatError(GraphGameError, ValueError):
    """A format or a file name that no reader or writer serves."""


class TokenError(GraphGameError, ValueError):
    """A question about tokens that the tokens at hand do not answer."""


class RulesetError(GraphGameError, TypeError):
    """Rules that do not make a game; the message says what is wrong with them."""


class UnknownGameError(ParseError, RulesetError):
    """A name that no game has; the message gives similar ones."""


class LimitError(GraphGameError, RuntimeError):
    """Work stopped at a stated limit; the message says how far it got and how to raise the limit.

    Parameters
    ----------
    message, *facts
        As :class:`GraphGameError` takes them.
    limit : str, optional
        The name of the parameter that sets the limit.
    play : sequence of hashable, optional
        A play that was not seen to end: then a higher limit may not help.
    """

    def __init__(
        self, message: str, *facts: object, limit: str | None = None, play: Sequence[Hashable] | None = None
    ) -> None:
        super().__init__(message, *facts)
        self.limit = limit
        self.play = play


class ParameterError(GraphGameError, ValueError):
    """A parameter, or a value of one, that a function does not take; the message says what is accepted."""


def refuse_unknown(given: Iterable[str], known: Sequence[str]) -> None:
    """Refuse parameters that there are not; the message says what is meant, and lists those that there are."""
    for name in given:
        if name not in known:
            hint = _hint(_FORMER_NAMES.get(name, name), known)
            raise ParameterError(
                "unknown parameter {name!r}: expected one of {parameters}{hint}", name, ", ".join(known), hint
            )


def _hint(name: str, known: Sequence[str]) -> str:
    if name in known:
        return Message("; did you mean {names}?", f"{name}=True")
    if name in _FORMER_NAMES.values():
        return Message("; give solve(game, {name}=True) in place of the game", name)
    near = get_close_matches(name, known, n=1)
    return Message("; did you mean {names}?", f"{near[0]}=") if near else ""


_FORMER_NAMES = {"play": "misere", "cycles": "loopy"}
"""Before 1.0 these parameters took a word."""


def lists_parameters(function: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """Have a function refuse unknown keywords, and list its parameters."""
    first, *others = signature(function).parameters

    @wraps(function)
    def checked(*args: _Given.args, **given: _Given.kwargs) -> _Result:
        refuse_unknown((name for name in given if name != first), others)
        return function(*args, **given)

    return checked


class LayoutError(GraphGameError, RuntimeError):
    """A picture that Graphviz cannot lay out, or not in reasonable time."""


class MissingLabError(GraphGameError, ImportError):
    """A lab that is needed is not installed.

    Parameters
    ----------
    what : str
        What was asked for.
    lab : str
        The name of the lab.
    """

    def __init__(self, what: str, lab: str) -> None:
        super().__init__(Message("{what} needs graphgame.labs.{lab}, which is not installed", what, lab))
        self.lab = lab


class MissingExtraError(GraphGameError, ImportError):
    """A feature whose optional libraries are not installed, or cannot be imported; the message names them.

    Parameters
    ----------
    feature : str
        What was asked for.
    extra : str
        The extra that brings them, a key of ``LIBRARIES``.
    fault : str, optional
        Why the libraries, which are installed, cannot be imported.
    """

    def __init__(self, feature: str, extra: str, fault: str = "") -> None:
        libraries = LIBRARIES[extra].replace(" ", ", ")
        broken, command = Message(""), install_command(extra)
        if fault:
            broken = Message(", whose import fails ({fault})", fault)
            command = f"pip install --upgrade {LIBRARIES[extra]}"
        message = Message("{feature} needs {libraries}{broken}: {command}", feature, libraries, broken, command)
        super().__init__(message)
        self.feature = feature
        self.extra = extra
        self.fault = fault


@contextmanager
def needs_extra(feature: str, extra: str) -> Iterator[None]:
    """Raise a MissingExtraError for a feature whose libraries, imported within, are missing or cannot be imported."""
    try:
        yield
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError) and error.name in _packages(extra)
        raise MissingExtraError(feature, extra, "" if missing else str(error)) from (None if missing else error)


def _packages(extra: str) -> set[str]:
    """Return the names of the libraries of an extra, and of the packages that hold them."""
    return {name for library in LIBRARIES[extra].split() for name in (library, library.partition(".")[0])}


LIBRARIES = {
    "fast": "numba",
    "igraph": "igraph",
    "pandas": "pandas",
    "parquet": "pyarrow",
    "plot": "matplotlib",
    "render": "pygraphviz",
    "rustworkx": "rustworkx",
    "scipy": "scipy",
    "serve": "starlette uvicorn psutil",
    "spark": "pyspark numba pyarrow",
    "zstd": "backports.zstd",
}
"""What each extra brings. Messages name the libraries: they are right however graphgame itself was installed."""


def install_command(extra: str) -> str:
    """Return what to type for the libraries of an extra.

    >>> install_command("plot")
    'pip install matplotlib'
    """
    return f"pip install {LIBRARIES[extra]}"


class GraphGameWarning(UserWarning):
    """The base class of all warnings of this package."""


class MissingFontWarning(GraphGameWarning):
    """No font has some characters of a picture."""


class PerformanceWarning(GraphGameWarning):
    """Loops run as plain Python although numba is installed, or are compiled again in each process."""


class ReadingWarning(GraphGameWarning):
    """A reader ignored columns, or guessed a separator, a header, a count line or the meaning of an array."""


def warn_caller(message: str, category: type[GraphGameWarning]) -> None:
    """Warn at the line of the user's program that called this package."""
    frame, level, outermost = currentframe(), 1, 1
    while frame is not None:
        # Frames of other modules may lie between ours: functions under a context manager are called by contextlib.
        if f"{frame.f_globals.get('__name__')}.".startswith("graphgame."):
            outermost = level
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=outermost + 1)


def __getattr__(name: str) -> object:
    """Load the errors that are networkx's as well when one is first named: networkx takes longer than a small game."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.of_networkx"), name)
