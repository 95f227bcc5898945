"""The language of the command line, which ``--lang`` or the environment chooses, and the layout of help in it."""

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
from graphgame.errors import Message, joined
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
    """Set the language of all texts, and LANGUAGE, which click's texts follow. Without --lang, do nothing."""
    if language is not None:
        set_language(language)
        os.environ["LANGUAGE"] = language


language_option = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    is_eager=True,
    expose_value=False,
    callback=_speak,
    help="Language of results, help and messages; default: from LC_ALL, LC_MESSAGES or LANG. "
    "Put it anywhere on the command line.",
)


@contextmanager
def of_environment() -> Iterator[None]:
    """Use the environment's language in a ``with`` block; set LANGUAGE, which click reads; restore both at the end."""
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
    """Return the arguments with --lang and its value in front, where click expects the options of the whole group.

    Arguments after ``--`` stay where they are.

    >>> language_first(["solve", "nim(3)", "--lang", "zh"])
    ['--lang', 'zh', 'solve', 'nim(3)']
    """
    end = args.index("--") if "--" in args else len(args)
    if args[end - 1 : end] == ["--lang"]:
        return ["--lang"]  # without a value, which is the error that click then reports
    moved: set[int] = set()
    for index in range(end):
        if re.fullmatch("--lang(=.*)?", args[index]):
            moved |= {*range(index, min(index + (1 if "=" in args[index] else 2), end))}
    return [args[index] for index in sorted(moved)] + [arg for index, arg in enumerate(args) if index not in moved]


class Listing:
    """A list at the end of a help text: a heading, and rows of code and comment. ``sign`` begins a comment, if any."""

    def __init__(self, heading: str, *rows: tuple[str, str], sign: str = "# ") -> None:
        self.texts = [heading, *(comment for _, comment in rows if comment)]
        self._heading, self._rows, self._sign = heading, rows, sign

    def __str__(self) -> str:
        width = max((len(code) for code, comment in self._rows if comment), default=0) + 2
        rows = (
            f"  {code:{width}}{self._sign}{lookup(comment)}" if comment else f"  {code}" for code, comment in self._rows
        )
        return "\n".join([_NO_WRAPPING, lookup(self._heading), *rows])


class HelpEnd(str):
    """The end of a command's help, below its options: paragraphs and lists.

    It stays in the language of its creation. For the current language, create another: ``HelpEnd(*end.parts)``.
    """

    parts: tuple[str | Listing, ...]

    def __new__(cls, *parts: str | Listing) -> HelpEnd:
        """Translate the parts, and put an empty line between them."""
        shown = (str(part) if isinstance(part, Listing) else lookup(part) for part in parts)
        end = super().__new__(cls, "\n\n".join(shown))
        end.parts = parts
        return end

    @property
    def texts(self) -> Iterator[str]:
        """Yield the English texts of the parts, for the catalogue of translations."""
        for part in self.parts:
            yield from part.texts if isinstance(part, Listing) else [part]


def examples(*rows: tuple[str, str]) -> HelpEnd:
    """Return the end of a command's help from examples: pairs (command line, comment); the comment may be empty."""
    return HelpEnd(Listing("Examples:", *rows))


class _Formatter(click.HelpFormatter):
    """Writes help in the current language; breaks lines by the width that characters have at a terminal."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line "Usage: ...", with no space after the wide colon of Chinese."""
        prefix = prefix or gettext.gettext("Usage:")
        super().write_usage(prog, args, prefix if current_language() != LANGUAGES[0] else f"{prefix} ")

    def write_heading(self, heading: str) -> None:
        """Write a heading with the colon of the language."""
        self.write(f"{'':>{self.current_indent}}{heading}{translate(': ').rstrip()}\n")

    def write_text(self, text: str) -> None:
        """Write a text of paragraphs, each translated."""
        if current_language() == LANGUAGES[0]:
            return super().write_text(text)
        shown = (_translated(part, self.width - self.current_indent) for part in _parts(text))
        return super().write_text("\n\n".join(shown))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = _LIST_WIDTH, col_spacing: int = 2) -> None:
        """Write a list of names and texts, each text translated."""
        rows = list(rows)
        if current_language() != LANGUAGES[0]:
            longest = max((len(name) for name, _ in rows), default=0)
            width = max(self.width - min(longest, col_max) - col_spacing - 2, 10)
            rows = [(name, _translated(text, width)) for name, text in rows]
        super().write_dl(rows, col_max, col_spacing)


class TranslatedContext(click.Context):
    """The context of a command: it translates the help, and gives advice on unexpected arguments."""

    formatter_class = _Formatter

    def __init__(self, command: click.Command, *given: Any, **named: Any) -> None:  # noqa: ANN401
        super().__init__(command, *given, **named)
        self.allow_extra_args = True  # invoke() refuses extra arguments, with advice
        option = command.get_help_option(self)
        if option is not None:  # click makes this option only once, in the language of that moment
            option.help = gettext.gettext("Show this message and exit.")

    def make_formatter(self) -> click.HelpFormatter:
        """Translate the end of the help into the current language, then return click's formatter for the help."""
        if isinstance(self.command.epilog, HelpEnd):
            self.command.epilog = HelpEnd(*self.command.epilog.parts)
        return super().make_formatter()

    def invoke(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401
        """Run the command; raise a UsageError if arguments are left on the command line."""
        if self.args:
            fault = Message("unexpected on the command line: {words}", " ".join(self.args))
            raise UsageError(joined([fault, *meant_arguments(self)]))
        return super().invoke(*given, **named)


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text, each on one line: these are the texts that are translated."""
    return (" ".join(part.split()) for part in _parts(text) if part)


def _parts(text: str) -> list[str]:
    return inspect.cleandoc(text.partition("\f")[0]).split("\n\n")


def _translated(part: str, width: int) -> str:
    """Return a paragraph in the current language, broken into lines, with a mark so that click does not wrap it."""
    if part.startswith(_NO_WRAPPING):
        return part
    text = " ".join(part.split())
    translated = lookup(text)
    # click appends a default or a range to a text, such as [default: 2]. The catalogue has only the text before it.
    head, bracket, extra = text.rpartition(" [")
    lines = wrapped(translated if translated != text or not bracket else f"{lookup(head)}  [{extra}", width)
    return "\n".join([_NO_WRAPPING, *lines]) if lines else ""
