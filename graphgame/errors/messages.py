"""What errors and answers say: a template with named slots, and the facts that fill them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

__all__ = ["Message", "both", "either", "filled", "joined", "plural"]

_SLOT = re.compile(r"\{([a-z_]+\d*)\}")


class Message(str):
    """A sentence that remembers what it was made of, so that it can be rendered in another language.

    As a string it is the English text. A slot is a name in braces; other braces, as in ``mex{}``, are text.

    Parameters
    ----------
    template : str
        The English text, with slots. It is a literal: ``docs/make_texts.py`` collects the templates for translation.
    **facts : object
        What fills the slots: names, numbers and quotations, which are never translated, or messages, which are.
        The text of an error of this package is a message too.

    Examples
    --------
    >>> said = Message("{file}: {fault}", file="a.txt", fault=Message("expected {count} labels", count=2))
    >>> said
    'a.txt: expected 2 labels'
    >>> said.template, said.facts["fault"].facts
    ('{file}: {fault}', {'count': '2'})
    """

    template: str
    facts: Mapping[str, str]

    def __new__(cls, template: str, /, **facts: object) -> Self:
        """Fill a template with its facts."""
        texts = {name: str(fact) for name, fact in facts.items()}
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

    def __reduce__(self) -> tuple[Any, ...]:
        return Message.spelt, (str.__str__(self), self.template, self.facts)


def filled(
    template: str, facts: Mapping[str, str], join: Callable[[str, str], str] = lambda left, right: left + right
) -> str:
    """Return a template with the facts in its slots; a slot without a fact stays as it is."""
    first, *rest = _SLOT.split(template)
    text = first
    for name, after in zip(rest[::2], rest[1::2], strict=True):
        text = join(text, join(facts.get(name, f"{{{name}}}"), after))
    return text


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
    *first, last = names
    return Message("{names} or {last}", names=", ".join(map(str, first)), last=last) if first else str(last)


def both(names: Iterable[object]) -> str:
    """Return names joined by commas, and by "and" before the last.

    Examples
    --------
    >>> both(["--csv", "--json"])
    '--csv and --json'
    """
    *first, last = names
    return Message("{names} and {last}", names=", ".join(map(str, first)), last=last) if first else str(last)


def joined(messages: Iterable[str]) -> str:
    """Return sentences with semicolons between them; nothing for none.

    Examples
    --------
    >>> joined([Message("no moves"), Message("no tokens")])
    'no moves; no tokens'
    """
    first, *rest = messages
    for each in rest:
        first = Message("{first}; {second}", first=first, second=each)
    return first
