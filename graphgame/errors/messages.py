"""The sentences of errors and answers: templates with named slots, and the facts that fill the slots."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

_SLOT = re.compile(r"\{(([a-z_]+\d*)(!r|:,)?)\}")
_SHOWN_LENGTH = 60


class Message(str):
    """A sentence that keeps its template and its facts, so that it can be rendered in another language.

    As a string it is the English text.

    Parameters
    ----------
    template : str
        The English text. It must be a literal, because ``docs/make_texts.py`` collects literals for translation.
        ``{name}`` is a slot for a fact, ``{name!r}`` for its repr (see :func:`shorten`), and ``{name:,}`` for a number
        with its digits in groups. Other braces are text.
    *facts : object
        One fact for each name, in the order of the names' first slots. A fact is either data, which is never
        translated, or a message.
    **named : object
        The facts by name; used instead of ``facts``.

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
        """Return a message with this English text, template and facts (slot -> text); nothing is filled in."""
        message = str.__new__(cls, text)
        message.template, message.facts = template, facts
        return message

    def __str__(self) -> str:
        """Return the message itself, not a plain string, so that ``str(error)`` still has the facts."""
        return self

    def __add__(self, other: str) -> Message:
        """Return the message that consists of this one and another message, or a text that is not translated."""
        return Message("{first}{second}", self, other) if other else self

    def __radd__(self, other: str) -> Message:
        return Message("{first}{second}", other, self) if other else self

    def __reduce__(self) -> tuple[Any, ...]:
        return Message.with_text, (str.__str__(self), self.template, self.facts)


def filled(
    template: str, facts: Mapping[str, str], join: Callable[[str, str], str] = lambda *parts: "".join(parts)
) -> str:
    """Return a template with the facts in its slots; a slot without a fact stays in the text.

    ``join`` appends a piece to the text so far; by default it concatenates them.
    """
    text, end = "", 0
    for slot in _SLOT.finditer(template):
        text = join(join(text, template[end : slot.start()]), facts.get(slot[1], slot[0]))
        end = slot.end()
    return join(text, template[end:])


def with_replacements(message: str, replacements: Mapping[str, Message]) -> str:
    """Return a message in which messages with certain templates, also among its facts, are replaced.

    ``replacements`` maps a template to the message to use instead; the slots of that message that are not filled get
    the facts of the message that it replaces.

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
    """Return the names joined by commas, with "or" before the last name.

    Examples
    --------
    >>> either(["nim", "take", "kayles"])
    'nim, take or kayles'
    """
    return _listed(Message("{names} or {last}"), list(names))


def both(names: Iterable[object]) -> str:
    """Return the names joined by commas, with "and" before the last name.

    Examples
    --------
    >>> both(["--csv", "--json"])
    '--csv and --json'
    """
    return _listed(Message("{names} and {last}"), list(names))


def _listed(template: str, names: list[object]) -> str:
    *first, last = map(str, names)
    return Message(template, first[0] if len(first) == 1 else ", ".join(first), last) if first else last


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
    """Return an error text of the operating system or of a library, as a Message if there is a translation for it."""
    return _SYSTEM_MESSAGES.get(text, text)


def safe_text(value: object, write: Callable[[object], str] = str) -> str:
    """Return ``write(value)``; a substitute if the value is nested too deeply, or an integer has too many digits."""
    try:
        return write(value)
    except RecursionError:
        return "..."
    except ValueError:
        return hex(value) if isinstance(value, int) else f"<{type(value).__name__} with a very large integer>"


def shorten(value: object, length: int = _SHOWN_LENGTH) -> str:
    """Return the repr of a value, with an ellipsis in the middle if it is longer than ``length`` characters."""
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
