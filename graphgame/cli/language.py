"""The language of the command line: ``--lang`` or the environment choose it, and help is laid out in it."""

from __future__ import annotations

import gettext
import inspect
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from graphgame.cli.errors import UsageError, meant_arguments
from graphgame.text.languages import (
    FOLDER,
    LANGUAGES,
    current_language,
    language_of,
    lookup,
    set_language,
    translate,
    using,
)
from graphgame.text.text import wrapped

_NO_WRAPPING = "\b"
_LIST_WIDTH = 30


def _speak(ctx: click.Context, param: click.Parameter, language: str | None) -> None:
    """Have all texts in a language: click takes its own from gettext, which goes by the environment."""
    if language is not None:
        set_language(language)
        os.environ["LANGUAGE"] = language


language_option = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    is_eager=True,
    expose_value=False,
    callback=_speak,
    help="Language of what people read; default: that of LC_ALL, LC_MESSAGES or LANG. It may stand anywhere.",
)


@contextmanager
def of_environment() -> Iterator[None]:
    """Speak the language that the environment asks for, until --lang names another; and afterwards as before."""
    before, domain = os.environ.get("LANGUAGE"), gettext.textdomain()
    gettext.bindtextdomain("click", str(FOLDER))
    gettext.textdomain("click")
    try:
        with using(language_of(os.environ)):
            os.environ["LANGUAGE"] = current_language()
            yield
    finally:
        gettext.textdomain(domain)
        os.environ.pop("LANGUAGE")
        if before is not None:
            os.environ["LANGUAGE"] = before


def language_first(args: Sequence[str]) -> list[str]:
    """Move --lang and its value to the front, where click looks for the options of all commands.

    >>> language_first(["solve", "nim(3)", "--lang", "zh"])
    ['--lang', 'zh', 'solve', 'nim(3)']
    """
    end = args.index("--") if "--" in args else len(args)
    places = [place for place in range(end) if re.fullmatch("--lang(=.*)?", args[place])]
    moved = {place + more for place in places for more in range(1 if "=" in args[place] else 2) if place + more < end}
    return [args[place] for place in sorted(moved)] + [arg for place, arg in enumerate(args) if place not in moved]


class Listing:
    """A list at the end of a command's help: a heading, and rows of code, each perhaps with words after a sign."""

    def __init__(self, heading: str, *rows: tuple[str, str], sign: str = "# ") -> None:
        self.texts = [heading, *(words for _, words in rows if words)]
        self._heading, self._rows, self._sign = heading, rows, sign

    def __str__(self) -> str:
        width = max((len(code) for code, words in self._rows if words), default=0) + 2
        rows = (f"  {code:{width}}{self._sign}{lookup(words)}" if words else f"  {code}" for code, words in self._rows)
        return "\n".join([_NO_WRAPPING, lookup(self._heading), *rows])


class HelpEnd(str):
    """The end of a command's help, below its options: paragraphs and lists, in the language of the time it is made."""

    parts: tuple[str | Listing, ...]

    def __new__(cls, *parts: str | Listing) -> HelpEnd:
        """Join the parts by empty lines."""
        shown = (str(part) if isinstance(part, Listing) else lookup(part) for part in parts)
        end = super().__new__(cls, "\n\n".join(shown))
        end.parts = parts
        return end

    @property
    def texts(self) -> Iterator[str]:
        """Yield the texts to be translated."""
        for part in self.parts:
            yield from part.texts if isinstance(part, Listing) else [part]


def examples(*rows: tuple[str, str]) -> HelpEnd:
    """Return the end of a command's help that is a list of examples, each perhaps with a comment."""
    return HelpEnd(Listing("Examples:", *rows))


class _Formatter(click.HelpFormatter):
    """Help in the current language, in lines that are cut by the width of their characters."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is called: after a wide colon goes no space."""
        prefix = prefix or gettext.gettext("Usage:")
        super().write_usage(prog, args, prefix if current_language() != LANGUAGES[0] else f"{prefix} ")

    def write_heading(self, heading: str) -> None:
        """Write a heading with the colon of the language."""
        self.write(f"{'':>{self.current_indent}}{heading}{translate(': ').rstrip()}\n")

    def write_text(self, text: str) -> None:
        """Write the paragraphs of a text."""
        if current_language() == LANGUAGES[0]:
            return super().write_text(text)
        shown = (_translated(part, self.width - self.current_indent) for part in _parts(text))
        return super().write_text("\n\n".join(shown))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = _LIST_WIDTH, col_spacing: int = 2) -> None:
        """Write a list of names, each with its text."""
        rows = list(rows)
        if current_language() != LANGUAGES[0]:
            longest = max((len(name) for name, _ in rows), default=0)
            width = max(self.width - min(longest, col_max) - col_spacing - 2, 10)
            rows = [(name, _translated(text, width)) for name, text in rows]
        super().write_dl(rows, col_max, col_spacing)


class TranslatedContext(click.Context):
    """A command whose help is in the current language, and which says how words too many may be meant."""

    formatter_class = _Formatter

    def __init__(self, command: click.Command, *given: Any, **named: Any) -> None:  # noqa: ANN401
        super().__init__(command, *given, **named)
        self.allow_extra_args = True  # invoke refuses them
        option = command.get_help_option(self)
        if option is not None:  # click makes it once, in the language of that time
            option.help = gettext.gettext("Show this message and exit.")

    def make_formatter(self) -> click.HelpFormatter:
        """Return what the help is written to; its end is said in the language of now."""
        if isinstance(self.command.epilog, HelpEnd):
            self.command.epilog = HelpEnd(*self.command.epilog.parts)
        return super().make_formatter()

    def invoke(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401
        """Run the command; raise UsageError if words are left on its line."""
        if self.args:
            words, meant = " ".join(self.args), meant_arguments(self)
            raise UsageError("unexpected on the command line: {words}{meant}", words, meant)
        return super().invoke(*given, **named)


def paragraphs(text: str) -> Iterator[str]:
    """Yield what is translated of a help text: its paragraphs."""
    return (" ".join(part.split()) for part in _parts(text) if part)


def _parts(text: str) -> list[str]:
    return inspect.cleandoc(text.partition("\f")[0]).split("\n\n")


def _translated(part: str, width: int) -> str:
    """Return a paragraph in the current language, laid out so that click leaves its lines alone."""
    if part.startswith(_NO_WRAPPING):
        return part
    text = " ".join(part.split())
    head, gap, extra = text.rpartition(" [")
    translated = lookup(text)
    lines = wrapped(translated if translated != text or not gap else f"{lookup(head)}  [{extra}", width)
    return "\n".join([_NO_WRAPPING, *lines]) if lines else ""
