"""The exceptions and warnings of the package, and their messages: templates with named slots, and facts for the slots.

Every exception is a :class:`GraphGameError`, and also the builtin or networkx error that a caller would expect.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import wraps
from inspect import currentframe, signature
from itertools import islice
from math import inf
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Self, TypeVar

from graphgame.registry import lazy_names

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

_Checked = TypeVar("_Checked", bound=Callable[..., Any])

_SLOT = re.compile(r"\{(([a-z_]+\d*)(!r|:,)?)\}")
_SHOWN_LENGTH = 60
_SHOWN_VERTICES = 12


class Message(str):
    """A sentence that keeps its template and its facts, so that it can be rendered in another language.

    As a string it is the English text.

    Parameters
    ----------
    template : str
        The English text. It must be a literal, because ``docs/make_texts.py`` collects literals for translation.
        ``{name}`` is a slot for a fact, ``{name!r}`` for its repr (see :func:`shorten`), and ``{name:,}`` for a number
        with its digits in groups. Any other brace is an ordinary character.
    *facts : object
        One fact for each name, in the order of the names' first slots. A fact is either data, which is never
        translated, or a message.
    **named : object
        The facts by name, if there are no ``facts``.

    Examples
    --------
    >>> message = Message("{file!r}: {fault}", "a.txt", Message("expected {count:,} labels", 2000))
    >>> message
    "'a.txt': expected 2,000 labels"
    >>> message.template, message.facts["fault"].facts
    ('{file!r}: {fault}', {'count:,': '2,000'})
    """

    template: str
    facts: Mapping[str, str]

    def __new__(cls, template: str, /, *facts: object, **named: object) -> Self:
        """Return the message with the facts in the slots of the template."""
        if not facts and not named:
            return template if isinstance(template, cls) else cls.with_text(template, template, {})
        slots = _SLOT.findall(template)
        if facts:
            named = dict(zip(dict.fromkeys(name for _, name, _ in slots), facts, strict=True))
        texts = {slot: _FORMS[form](named[name]) for slot, name, form in slots if name in named}
        return cls.with_text(filled(template, texts), template, texts)

    @classmethod
    def with_text(cls, text: str, template: str, facts: Mapping[str, str]) -> Self:
        """Return a message whose English text is ``text``, already made from template and facts (slot -> text)."""
        message = str.__new__(cls, text)
        message.template, message.facts = template, facts
        return message

    def __str__(self) -> str:
        """Return the message itself, not a plain string, so that ``str(error)`` still has the facts."""
        return self

    def __add__(self, other: str) -> Message:
        """Return this message followed by ``other``: a message, or a plain string, which is never translated."""
        return Message("{first}{second}", self, other) if other else self

    def __radd__(self, other: str) -> Message:
        return Message("{first}{second}", other, self) if other else self

    def __reduce__(self) -> tuple[Any, ...]:
        return Message.with_text, (str.__str__(self), self.template, self.facts)


def filled(
    template: str, facts: Mapping[str, str], join: Callable[[str, str], str] = lambda *parts: "".join(parts)
) -> str:
    """Return a template with filled slots; ``facts`` maps a slot without braces, such as ``count:,``, to its text.

    Slots without a fact remain. ``join(text_so_far, next_piece)`` joins two texts; by default it concatenates them.
    """
    text, end = "", 0
    for slot in _SLOT.finditer(template):
        text = join(join(text, template[end : slot.start()]), facts.get(slot[1], slot[0]))
        end = slot.end()
    return join(text, template[end:])


def with_replacements(message: str, replacements: Mapping[str, Message]) -> str:
    """Replace a message, and the messages among its facts, by their ``replacements``; return a plain string unchanged.

    ``replacements`` maps an old message's template to the new message, whose empty slots get the old facts.

    Examples
    --------
    >>> message = Message("{file}: {advice}", "a.txt", Message("give play={play!r}", "misere"))
    >>> with_replacements(message, {"give play={play!r}": Message("give --{play!r}")})
    "a.txt: give --'misere'"
    """
    if not isinstance(message, Message):
        return message
    replacement = replacements.get(message.template)
    facts = {name: with_replacements(fact, replacements) for name, fact in message.facts.items()}
    if replacement is None and all(fact is message.facts[name] for name, fact in facts.items()):
        return message
    template = message.template if replacement is None else replacement.template
    facts |= {} if replacement is None else replacement.facts
    return Message.with_text(filled(template, facts), template, facts)


def plural(count: int, noun: str) -> Message:
    """Return a count and its noun, in the plural unless the count is 1; the plural of ``vertex`` is ``vertices``.

    Examples
    --------
    >>> plural(1, "move"), plural(12345, "vertex")
    ('1 move', '12,345 vertices')
    """
    number = f"{count:,}"
    many = "vertices" if noun == "vertex" else f"{noun}s"
    return Message.with_text(f"{number} {noun if count == 1 else many}", f"{{count}} {noun}", {"count": number})


def either(names: Iterable[object]) -> str:
    """Return one or more names joined by commas, with "or" before the last of several names.

    Examples
    --------
    >>> either(["nim", "take", "kayles"])
    'nim, take or kayles'
    """
    return _listed(Message("{names} or {last}"), list(names))


def both(names: Iterable[object]) -> str:
    """Return one or more names joined by commas, with "and" before the last of several names.

    Examples
    --------
    >>> both(["--csv", "--json"])
    '--csv and --json'
    """
    return _listed(Message("{names} and {last}"), list(names))


def _listed(template: str, names: list[object]) -> str:
    *first, last = map(str, names)
    return Message(template, first[0] if len(first) == 1 else ", ".join(first), last) if first else last


def abridged(names: Iterable[str], most: int) -> str:
    """Return the first ``most`` names joined by commas, and three dots if there are more."""
    shown = list(islice(names, most + 1))
    return ", ".join(shown if len(shown) <= most else [*shown[:most], "..."])


def joined(messages: Iterable[str]) -> str:
    """Return one or more sentences joined by semicolons.

    Examples
    --------
    >>> joined([Message("no moves"), Message("no tokens")])
    'no moves; no tokens'
    """
    first, *rest = messages
    for message in rest:
        first = Message("{first}; {second}", first, message)
    return first


def system_message(text: str) -> str:
    """Return an error text of the system or a library: as a Message if it has a translation, otherwise unchanged."""
    return _SYSTEM_MESSAGES.get(text, text)


def safe_text(value: object, write: Callable[[object], str] = str) -> str:
    """Return ``write(value)``, or a substitute if the value is nested too deeply or has a very long integer.

    The substitute is ``...`` for deep nesting, hexadecimal for a long integer, a note for an object that contains one.
    """
    try:
        return write(value)
    except RecursionError:
        return "..."
    except ValueError:
        return hex(value) if isinstance(value, int) else f"<{type(value).__name__} with a very large integer>"


def shorten(value: object, length: int = _SHOWN_LENGTH) -> str:
    """Return the repr of a value in at most ``length`` characters: three dots replace the middle of a longer one."""
    text = safe_text(value, repr)
    half = (length - 3) // 2
    return text if len(text) <= length else f"{text[:half]}...{text[-half:]}"


_FORMS: dict[str, Callable[[Any], str]] = {"": str, "!r": shorten, ":,": lambda number: f"{number:,}"}
_SYSTEM_MESSAGES = {
    str(message): message
    for message in (
        Message("No such file or directory"),
        Message("Permission denied"),
        Message("Is a directory"),
        Message("Not a directory"),
        Message("File exists"),
        Message("No space left on device"),
        Message("File name too long"),
        Message("Input/output error"),
        Message("unexpected end of data"),
        Message("invalid start byte"),
        Message("invalid continuation byte"),
        Message("invalid syntax"),
        Message("'(' was never closed"),
        Message("unmatched ')'"),
        Message("invalid decimal literal"),
        Message("extra data"),
        Message("expecting value"),
        Message("expecting property name enclosed in double quotes"),
        Message("expecting ',' delimiter"),
        Message("expecting ':' delimiter"),
        Message("unterminated string starting at"),
    )
}


def excerpt(text: str, column: int) -> str:
    """Return two indented lines, each after a newline: ``text``, and a caret under its ``column``, counted from 1.

    Of a long text only 60 characters on each side of the column are shown.
    """
    start = max(0, column - 1 - _SHOWN_LENGTH)
    shown = text[start : column + _SHOWN_LENGTH]
    before = "..." if start else ""
    after = "..." if start + len(shown) < len(text) else ""
    visible = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in shown.replace("\t", " "))
    return f"\n    {before}{visible}{after}\n    {' ' * (len(before) + column - 1 - start)}^"


def play_text(positions: Sequence[Hashable]) -> str:
    """Return a play's positions joined by arrows; if there are more than 12, a count replaces those in the middle."""
    shown = " -> ".join(map(shorten, positions))
    if len(positions) <= _SHOWN_VERTICES:
        return shown
    half = _SHOWN_VERTICES // 2
    first, last = (" -> ".join(map(shorten, part)) for part in (positions[:half], positions[-half:]))
    return Message("{first} -> ({count} more) -> {last}", first, len(positions) - 2 * half, last)


class GraphGameError(Exception):
    """The base class of all errors of this package.

    Parameters
    ----------
    message : str
        What was wrong and what was expected, in lower case: a :class:`Message`, or the template of one.
    *facts : object
        The facts that fill the slots of the template.
    """

    def __init__(self, message: str, *facts: object) -> None:
        self.message: str = message if isinstance(message, Message) else Message(message, *facts)
        super().__init__(self.message)


class ParseError(GraphGameError, ValueError):
    """A text or a file cannot be parsed; the message says what is wrong and, if that is known, where.

    Parameters
    ----------
    message, *facts
        As for :class:`GraphGameError`.
    source : str, optional
        The name of the file.
    line, column : int, optional
        Where the error is, counted from 1.
    text : str, optional
        The text of the wrong line. If ``column`` is given, the message shows this text, with a caret under the column.
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
        where = ":".join(str(part) for part in (self.line, self.column) if part is not None)
        where = self.source + (f":{where}" if where else "") if self.source is not None else where
        colon = ": " if where else ""
        shown = "" if self.text is None or self.column is None else excerpt(self.text, self.column)
        return Message("{where}{colon}{fault}{excerpt}", where, colon, self.message, shown)


class NoPositionError(ParseError):
    """A text has the right form, but the rules have no position with its numbers. Value tables show a blank for it."""


class FormatError(GraphGameError, ValueError):
    """A file format is unknown, cannot be read, or cannot express the data; or columns of a table are unsuitable."""


class TokenError(GraphGameError, ValueError):
    """Tokens are missing, stand on a sum vertex, or have no nim-sum (misère play)."""


class RulesetError(GraphGameError, TypeError):
    """Rules do not define a game, fail, or do not suit the function that uses them; the message says why."""


class UnknownGameError(ParseError, RulesetError):
    """No game has this name; the message lists games with similar names, or says how to list all games."""


class LimitError(GraphGameError, RuntimeError):
    """Work would exceed a limit, or has reached it.

    Parameters
    ----------
    message, *facts
        As for :class:`GraphGameError`.
    limit : str, optional
        The name of the parameter that sets the limit; None if no parameter sets it.
    play : sequence of hashable, optional
        The positions of a play that may go on forever; if it does, a higher limit does not help.
    """

    def __init__(
        self, message: str, *facts: object, limit: str | None = None, play: Sequence[Hashable] | None = None
    ) -> None:
        super().__init__(message, *facts)
        self.limit = limit
        self.play = play


class ParameterError(GraphGameError, ValueError, TypeError):
    """A parameter is unknown, or its value cannot be used; the message says why.

    It is a TypeError, as Python raises for an unknown keyword, and a ValueError, as for a wrong value.
    """


def wrong_value(name: str, value: object, expected: str) -> ParameterError:
    """Return the error for a wrong value of a parameter."""
    return ParameterError("invalid {name} {value!r}: expected {expected}", name, value, expected)


def is_integer(value: object, least: float = 0) -> bool:
    """Tell whether a value is an integer of ``least`` or more, of Python or NumPy; False for a bool."""
    return not isinstance(value, bool) and isinstance(value, Integral) and int(value) >= least


def _is_timeout(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and bool(0 < value < inf)  # type: ignore[operator]


_POSITIVE = (lambda value: is_integer(value, 1), Message("an integer of {least} or more", 1))
_KINDS: dict[str, tuple[Callable[[Any], bool], Message]] = {
    "bool": (lambda value: isinstance(value, Hashable) and value in (True, False), Message("True or False")),
    "int": (is_integer, Message("an integer of {least} or more", 0)),
    "str": (lambda value: isinstance(value, str), Message("a string")),
    "dpi": (lambda value: is_integer(value, 10) and value <= 2400, Message("an integer from 10 to 2400")),
    "timeout": (_is_timeout, Message("a finite number of seconds above 0")),
    **dict.fromkeys(["progress", "searching", "interrupted"], (callable, Message("a function"))),
    **dict.fromkeys(["jobs", "max_bytes", "max_forms", "max_moves", "max_order", "max_outcomes"], _POSITIVE),
    **dict.fromkeys(["max_positions", "memory", "size", "checkpoint_every", "partitions"], _POSITIVE),
}
"""Name or type of a parameter -> (a function that tells whether a value is right, the words for what is expected)."""


def _hint(name: str, parameters: Sequence[str]) -> str:
    if name in parameters:
        return Message("did you mean {names}?", f"{name}=True")
    if name in _FORMER_NAMES.values():
        return Message("solve has this parameter: use solve(game, {name}=True)", name)
    similar = get_close_matches(name, parameters, n=1)
    return Message("did you mean {names}?", f"{similar[0]}=") if similar else ""


_FORMER_NAMES = {"play": "misere", "cycles": "loopy"}
"""Name before 1.0 of a parameter whose value was a word, as in ``play="misere"`` -> name of the flag today."""


def checks_parameters(function: _Checked) -> _Checked:
    """Decorate a function or a class: an unknown keyword or a wrong value of a parameter raises a ParameterError.

    A value is checked if ``_KINDS`` has the parameter's name, or its annotation is ``bool``, ``int`` or ``str``. With
    ``| None`` it may be None. The default is always allowed. Booleans and integers of NumPy become Python's own.
    """
    if isinstance(function, type):
        function.__init__ = checks_parameters(function.__init__)  # type: ignore[misc]
        return function
    parameters = [each for each in signature(function).parameters.values() if each.kind is not each.VAR_POSITIONAL]
    positional = [each.name for each in parameters if each.kind is not each.KEYWORD_ONLY]
    types = {each.name: str(each.annotation) for each in parameters}
    kinds = {name: name if name in _KINDS else type_.removesuffix(" | None") for name, type_ in types.items()}
    defaults = {each.name: each.default for each in parameters if kinds[each.name] in _KINDS}
    indices = [(index, name) for index, name in enumerate(positional) if name in defaults]

    def right(name: str, value: object) -> object:
        if value is defaults[name] or (value is None and types[name].endswith(" | None")):
            return value
        is_right, expected = _KINDS[kinds[name]]
        if not is_right(value):
            raise wrong_value(name, value, expected)
        return bool(value) if kinds[name] == "bool" else int(value) if isinstance(value, Integral) else value

    @wraps(function)
    def checked(*args: object, **keywords: object) -> object:
        for name, value in keywords.items():
            if name in defaults:
                keywords[name] = right(name, value)
            elif name not in kinds:
                others = list(kinds)[1:] or list(kinds)
                fault = Message("unknown parameter {name!r}: expected one of {parameters}", name, ", ".join(others))
                hint = _hint(_FORMER_NAMES.get(name, name), others)
                raise ParameterError(joined([fault, hint]) if hint else fault)
        for index, name in indices:
            if index < len(args) and args[index] is not defaults[name]:
                args = (*args[:index], right(name, args[index]), *args[index + 1 :])
        return function(*args, **keywords)

    return checked  # type: ignore[return-value]


class LayoutError(GraphGameError, RuntimeError):
    """A picture does not suit the layout or the format of the file, or Graphviz does not work."""


class MissingLabError(GraphGameError, ImportError):
    """A lab that is needed is not installed.

    Parameters
    ----------
    what : str
        What needs the lab, such as a job, a command or a file format.
    lab : str
        The name of the lab.
    """

    def __init__(self, what: str, lab: str) -> None:
        super().__init__(Message("{feature} needs graphgame.labs.{lab}, which is not installed", what, lab))
        self.lab = lab


class MissingExtraError(GraphGameError, ImportError):
    """The optional libraries of a feature are not installed, or cannot be imported; the message names them.

    Parameters
    ----------
    feature : str
        The feature that was used, such as ``a DataFrame``.
    extra : str
        The extra of this package that contains the libraries, a key of ``LIBRARIES``.
    fault : str, optional
        The reason why the libraries cannot be imported, if they are installed.
    """

    def __init__(self, feature: str, extra: str, fault: str = "") -> None:
        libraries = LIBRARIES[extra].replace(" ", ", ")
        if fault:
            command = f"pip install --upgrade {LIBRARIES[extra]}"
            message = Message(
                "{feature} needs {libraries}, whose import fails ({fault}): {command}",
                feature,
                libraries,
                fault,
                command,
            )
        else:
            message = Message("{feature} needs {libraries}: {command}", feature, libraries, install_command(extra))
        super().__init__(message)
        self.feature = feature
        self.extra = extra
        self.fault = fault


@contextmanager
def needs_extra(feature: str, extra: str) -> Iterator[None]:
    """In this block, which imports the libraries of an extra, turn an ImportError into a MissingExtraError."""
    try:
        yield
    except ImportError as error:
        # The missing module may be the package that contains the library: ``backports`` for ``backports.zstd``.
        packages = {name for library in LIBRARIES[extra].split() for name in (library, library.partition(".")[0])}
        missing = isinstance(error, ModuleNotFoundError) and error.name in packages
        raise MissingExtraError(feature, extra, "" if missing else str(error)) from (None if missing else error)


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
"""Name of an extra -> its libraries. Messages say to install these, which works however graphgame was installed."""


def install_command(extra: str) -> str:
    """Return the command that installs the libraries of an extra.

    >>> install_command("plot")
    'pip install matplotlib'
    """
    return f"pip install {LIBRARIES[extra]}"


class GraphGameWarning(UserWarning):
    """The base class of all warnings of this package."""


class MissingFontWarning(GraphGameWarning):
    """A picture has characters that no installed font has."""


class PerformanceWarning(GraphGameWarning):
    """Loops are slow: they run in plain Python although numba is installed, or each process compiles them again."""


class ReadingWarning(GraphGameWarning):
    """A reader ignored data, or guessed their meaning: for example a separator, a header, a count line or an array."""


def warn_caller(message: str, category: type[GraphGameWarning]) -> None:
    """Issue a warning at the line of the user's program that called this package."""
    frame, level, outermost = currentframe(), 1, 1
    while frame is not None:
        # Frames of other modules may lie between ours: contextlib calls a function that a context manager decorates.
        if f"{frame.f_globals.get('__name__')}.".startswith("graphgame."):
            outermost = level
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=outermost + 1)


# The errors that derive from networkx's are imported when one is first used: importing networkx takes some time.
__getattr__, __dir__ = lazy_names(
    __name__, {"of_networkx": "CycleError NotAGameError UndirectedGraphError UnknownPositionError"}
)
