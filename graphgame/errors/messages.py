"""What errors and answers say: a template with named slots, and the facts that fill them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

_SLOT = re.compile(r"\{(([a-z_]+\d*)(!r|:,)?)\}")
_SHOWN_LENGTH = 60


class Message(str):
    """A sentence that remembers what it was made of, so that it can be rendered in another language.

    As a string it is the English text.

    Parameters
    ----------
    template : str
        The English text, a literal: ``docs/make_texts.py`` collects them for translation. ``{name}`` is a slot,
        ``{name!r}`` quotes its fact (:func:`shorten`), ``{name:,}`` groups its digits. Other braces are text.
    *facts : object
        What fills the slots, in their order; a name that comes again is filled only once. A fact is data, which is
        never translated, or a message. The text of an error of this package is a message.
    **named : object
        The facts by name instead.

    Examples
    --------
    >>> said = Message("{file!r}: {fault}", "a.txt", Message("expected {count:,} labels", 2000))
    >>> said
    "'a.txt': expected 2,000 labels"
    >>> said.template, said.facts["fault"].facts
    ('{file!r}: {fault}', {'count:,': '2,000'})
    """

    template: str
    facts: Mapping[str, str]

    def __new__(cls, template: str, /, *facts: object, **named: object) -> Self:
        """Fill a template with its facts."""
        if not facts and not named:
            return template if isinstance(template, cls) else cls.spelt(template, template, {})
        slots = _SLOT.findall(template)
        if facts:
            named = dict(zip(dict.fromkeys(name for _, name, _ in slots), facts, strict=True))
        texts = {slot: _FORMS[form](named[name]) for slot, name, form in slots if name in named}
        return cls.spelt(filled(template, texts), template, texts)

    @classmethod
    def spelt(cls, text: str, template: str, facts: Mapping[str, str]) -> Self:
        """Return a message whose English text is spelt differently from its template."""
        made = str.__new__(cls, text)
        made.template, made.facts = template, facts
        return made

    def __str__(self) -> str:
        """Return the message itself: ``str(error)`` keeps the facts."""
        return self

    def __add__(self, other: str) -> Message:
        """Join two messages, or a message and data."""
        return Message("{first}{second}", self, other) if other else self

    def __radd__(self, other: str) -> Message:
        return Message("{first}{second}", other, self) if other else self

    def __reduce__(self) -> tuple[Any, ...]:
        return Message.spelt, (str.__str__(self), self.template, self.facts)


def filled(
    template: str, facts: Mapping[str, str], join: Callable[[str, str], str] = lambda *parts: "".join(parts)
) -> str:
    """Return a template with the facts in its slots; a slot without a fact stays as it is."""
    text, end = "", 0
    for slot in _SLOT.finditer(template):
        text = join(join(text, template[end : slot.start()]), facts.get(slot[1], slot[0]))
        end = slot.end()
    return join(text, template[end:])


def respelt(message: str, others: Mapping[str, Message]) -> str:
    """Return a message with other messages in place of those of some templates in it, filled with the same facts.

    Examples
    --------
    >>> message = Message("{file}: {advice}", "a.txt", Message("give play={play!r}", "misere"))
    >>> respelt(message, {"give play={play!r}": Message("give --{play!r}")})
    "a.txt: give --'misere'"
    """
    if not isinstance(message, Message):
        return message
    other = others.get(message.template)
    facts = {name: respelt(fact, others) for name, fact in message.facts.items()}
    if other is None and all(fact is message.facts[name] for name, fact in facts.items()):
        return message
    template = message.template if other is None else other.template
    facts |= {} if other is None else other.facts
    return Message.spelt(filled(template, facts), template, facts)


def plural(count: int, noun: str) -> Message:
    """Return a count with its noun, whose plural ends in -s, or -ices for a vertex.

    Examples
    --------
    >>> plural(1, "move"), plural(12345, "vertex")
    ('1 move', '12,345 vertices')
    """
    number = f"{count:,}"
    many = "vertices" if noun == "vertex" else f"{noun}s"
    return Message.spelt(f"{number} {noun if count == 1 else many}", f"{{count}} {noun}", {"count": number})


def either(names: Iterable[object]) -> str:
    """Return names joined by commas, and by "or" before the last.

    Examples
    --------
    >>> either(["nim", "take", "kayles"])
    'nim, take or kayles'
    """
    return _listed(Message("{names} or {last}"), list(names))


def both(names: Iterable[object]) -> str:
    """Return names joined by commas, and by "and" before the last.

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
    """Return sentences with semicolons between them; nothing for none.

    Examples
    --------
    >>> joined([Message("no moves"), Message("no tokens")])
    'no moves; no tokens'
    """
    first, *rest = messages
    for each in rest:
        first = Message("{first}; {second}", first, each)
    return first


def known(text: str) -> str:
    """Return what the system or a library says as a message, where it is one of these that are translated.

    They offer nothing but a text; it is looked up as a whole.
    """
    return _KNOWN.get(text, text)


def written(value: object, write: Callable[[object], str] = str) -> str:
    """Return the text of a value, also of one that is nested deeply or has an integer of thousands of digits."""
    try:
        return write(value)
    except RecursionError:
        return "..."
    except ValueError:
        return hex(value) if isinstance(value, int) else f"<{type(value).__name__} with a very large integer>"


def shorten(value: object, length: int = _SHOWN_LENGTH) -> str:
    """Return the repr of a value, cut in the middle where it is long."""
    text = written(value, repr)
    half = (length - 3) // 2
    return text if len(text) <= length else f"{text[:half]}...{text[-half:]}"


_FORMS: dict[str, Callable[[Any], str]] = {"": str, "!r": shorten, ":,": lambda number: f"{number:,}"}
_KNOWN = {
    str(said): said
    for said in (
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
