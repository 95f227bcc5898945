"""Keep the texts of other languages in step with the source: ``python docs/make_texts.py``.

The catalogue, ``graphgame/text/languages/zh/LC_MESSAGES/graphgame.po``, gets an entry for each new text of the
source and loses those that are gone; the command says how many wait for a translation. Write those into it, and run it
once more: that also makes the ``.mo`` that the package reads. ``click.po`` beside it has what click says.

Texts are the templates that ``translate``, ``Message`` and errors are given first, the nouns of ``plural`` and
``amount``, the help of the commands, what the catalogue says of its games, and what the page gives to ``say`` and
``amount`` in its JavaScript.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from datetime import datetime
from io import BytesIO
from pathlib import Path

import click
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import graphgame
from graphgame import errors
from graphgame.cli import main
from graphgame.cli.language import HelpEnd, paragraphs
from graphgame.labs.heaps.cli import OpenCommand
from graphgame.labs.web.page.bundle import texts as texts_of_script
from graphgame.text.languages import DOMAIN, FOLDER, LANGUAGES
from graphgame.text.rules import catalogue_texts

PACKAGE = Path(graphgame.__file__).parent

TEMPLATE_FIRST = re.compile(r"translate|Message|Failure|UsageError|RankError|_?error(_at\w*)?")
NOUN_LAST = ("plural", "amount")
"""What is called with a template, besides the errors, and with a noun."""

DATED = re.compile(rb'"(POT-|PO-Rev|Last-|Language-Team|Gen)')
"""Lines of a catalogue that differ from day to day."""


def texts() -> set[str]:
    """Return every English text of the source."""
    found = {*catalogue_texts(), *(text for command in commands(main) for text in helps(command))}
    for source in sorted(PACKAGE.rglob("*.py")):
        found |= set(texts_of_module(ast.parse(source.read_text(encoding="utf-8"))))
    for script in PACKAGE.rglob("*.js"):
        found |= texts_of_script(script.read_text(encoding="utf-8"))
    return found


def texts_of_module(tree: ast.Module) -> Iterator[str]:
    """Yield the templates of a module, and its nouns after a count."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            if called(node) in NOUN_LAST:
                yield from (f"{{count}} {noun}" for noun in literals(node.args[-1]))
            elif takes_template(node):
                yield from literals(node.args[0])


def takes_template(call: ast.Call) -> bool:
    """Tell whether a template is the first argument of a call."""
    return bool(call.args) and (called(call) in errors.__all__ or TEMPLATE_FIRST.fullmatch(called(call)) is not None)


def called(call: ast.Call) -> str:
    """Return the name of what is called; nothing if it has none."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def literals(node: ast.expr) -> Iterator[str]:
    """Yield a literal text, or those of a choice between two."""
    match node:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from literals(one)
            yield from literals(other)


def commands(command: click.Command) -> Iterator[click.Command]:
    """Yield a command and those below it."""
    yield command
    context = click.Context(command)
    if isinstance(command, OpenCommand):
        yield from (found for name in command.others for found in commands(command.other(name)))
    elif isinstance(command, click.Group):
        names = command.list_commands(context)
        yield from (
            below for name in names if (found := command.get_command(context, name)) for below in commands(found)
        )


def helps(command: click.Command) -> Iterator[str]:
    """Yield what a command says of itself and of its options."""
    for told in (command.help, command.short_help, *(getattr(p, "help", "") for p in command.params)):
        yield from paragraphs(told or "")
    yield from command.epilog.texts if isinstance(command.epilog, HelpEnd) else ()


def catalogue(language: str, domain: str = DOMAIN) -> Catalog:
    """Return the catalogue of a language as its file has it."""
    return read_po(BytesIO(path(language, domain=domain).read_bytes()), locale=language)


def path(language: str, kind: str = "po", domain: str = DOMAIN) -> Path:
    """Return the file of a language."""
    return FOLDER / language / "LC_MESSAGES" / f"{domain}.{kind}"


def updated(language: str) -> Catalog:
    """Return a catalogue with the texts of the source, with their translations as far as known."""
    known = catalogue(language)
    new = Catalog(locale=language, project="graphgame", header_comment="# The texts of graphgame.", fuzzy=False)
    for text in sorted(texts()):
        message = known.get(text)
        new.add(text, message.string if message else "")
    return new


def po(language: str) -> bytes:
    """Return the text of a catalogue's file."""
    stream = BytesIO()
    write_po(stream, updated(language), width=120, omit_header=False, sort_output=True)
    kept = [line for line in stream.getvalue().splitlines() if not DATED.match(line)]
    return b"\n".join(kept).rstrip() + b"\n"


def waiting(language: str) -> list[str]:
    """Return the texts of a catalogue that have no translation."""
    return [str(message.id) for message in catalogue(language) if message.id and not any(message.string)]


def mo(language: str, domain: str = DOMAIN) -> bytes:
    """Return the compiled form of a catalogue's file."""
    stream, known = BytesIO(), catalogue(language, domain)
    known.creation_date = known.revision_date = datetime(2026, 1, 1)
    write_mo(stream, known)
    return stream.getvalue()


if __name__ == "__main__":
    for language in LANGUAGES[1:]:
        path(language).write_bytes(po(language))
        for domain in (DOMAIN, "click"):
            path(language, "mo", domain).write_bytes(mo(language, domain))
        print(f"{language}: {len(catalogue(language))} texts, {len(waiting(language))} without translation")
        if "--list" in sys.argv:
            print(*waiting(language), sep="\n")
