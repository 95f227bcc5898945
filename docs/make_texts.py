"""Update the catalogues of translations from the source: ``python docs/make_texts.py``.

The script adds each new text of the source to ``graphgame/text/languages/zh/LC_MESSAGES/graphgame.po``, removes texts
that no longer exist, and prints how many texts have no translation. Translate them in this file, and run the script
again to compile the ``.mo`` file that the package reads. ``click.po`` in the same folder has the texts of click.

Texts are the first arguments of ``translate``, ``Message`` and errors, the nouns of ``plural`` and ``amount``, the help
of the commands, the descriptions of games, and the arguments of ``say`` and ``amount`` in the page's JavaScript.
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
from graphgame.games import CATALOGUE
from graphgame.labs.web.page.bundle import texts as texts_of_script
from graphgame.rules.component_graphs import GraphRuleset
from graphgame.rules.ruleset import About
from graphgame.text.languages import DOMAIN, FOLDER, LANGUAGES
from graphgame.text.rules import TRANSLATED, plain

PACKAGE = Path(graphgame.__file__).parent

TEMPLATE_FIRST = re.compile(r"translate|Message|Failure|UsageError|RankError|_?error(_at\w*)?")
NOUN_LAST = ("plural", "amount")
"""Functions other than errors whose first argument is a template; functions whose last argument is a noun."""

DATED = re.compile(rb'"(POT-|PO-Rev|Last-|Language-Team|Gen)')
"""Lines of a catalogue with dates and the like, which would change each time."""


def texts() -> set[str]:
    """Return every English text of the source."""
    all_texts = {*catalogue_texts(), *(text for command in commands(main) for text in helps(command))}
    for source in sorted(PACKAGE.rglob("*.py")):
        all_texts |= set(texts_of_module(ast.parse(source.read_text(encoding="utf-8"))))
    for script in PACKAGE.rglob("*.js"):
        all_texts |= texts_of_script(script.read_text(encoding="utf-8"))
    return all_texts


def catalogue_texts() -> Iterator[str]:
    """Yield the English texts on graphs and on the games of the catalogue that are translated."""
    for about in (About.of(GraphRuleset) or About(""), *(entry.about for entry in CATALOGUE.values())):
        meanings = (meaning for _, meaning in about.graphs)
        yield from filter(None, map(plain, (*(getattr(about, name) for name in TRANSLATED), *meanings)))


def texts_of_module(tree: ast.Module) -> Iterator[str]:
    """Yield the templates of a module, and its nouns as ``{count} noun``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            if called(node) in NOUN_LAST:
                yield from (f"{{count}} {noun}" for noun in literals(node.args[-1]))
            elif takes_template(node):
                yield from literals(node.args[0])


def takes_template(call: ast.Call) -> bool:
    """Return True if the first argument of a call, such as ``translate``, is a template: a text with slots."""
    return bool(call.args) and (called(call) in errors.__all__ or TEMPLATE_FIRST.fullmatch(called(call)) is not None)


def called(call: ast.Call) -> str:
    """Return the name of the called function, or an empty text."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def literals(node: ast.expr) -> Iterator[str]:
    """Yield a literal text, or both texts of a conditional expression."""
    match node:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from literals(one)
            yield from literals(other)


def commands(command: click.Command) -> Iterator[click.Command]:
    """Yield a command and all its subcommands."""
    yield command
    context = click.Context(command)
    if isinstance(command, click.Group):
        names = command.list_commands(context)
        yield from (
            below for name in names if (found := command.get_command(context, name)) for below in commands(found)
        )


def helps(command: click.Command) -> Iterator[str]:
    """Yield the help texts of a command and its options."""
    for text in (command.help, command.short_help, *(getattr(p, "help", "") for p in command.params)):
        yield from paragraphs(text or "")
    yield from command.epilog.texts if isinstance(command.epilog, HelpEnd) else ()


def catalogue(language: str, domain: str = DOMAIN) -> Catalog:
    """Return the catalogue of a language from its file."""
    return read_po(BytesIO(path(language, domain=domain).read_bytes()), locale=language)


def path(language: str, kind: str = "po", domain: str = DOMAIN) -> Path:
    """Return the path of a catalogue file."""
    return FOLDER / language / "LC_MESSAGES" / f"{domain}.{kind}"


def updated(language: str) -> Catalog:
    """Return a catalogue of the source's texts, with the known translations."""
    known = catalogue(language)
    new = Catalog(locale=language, project="graphgame", header_comment="# The texts of graphgame.", fuzzy=False)
    for text in sorted(texts()):
        message = known.get(text)
        new.add(text, message.string if message else "")
    return new


def po(language: str) -> bytes:
    """Return the contents of the ``.po`` file."""
    stream = BytesIO()
    write_po(stream, updated(language), width=120, omit_header=False, sort_output=True)
    lines = [line for line in stream.getvalue().splitlines() if not DATED.match(line)]
    return b"\n".join(lines).rstrip() + b"\n"


def waiting(language: str) -> list[str]:
    """Return the texts without a translation."""
    return [str(message.id) for message in catalogue(language) if message.id and not any(message.string)]


def mo(language: str, domain: str = DOMAIN) -> bytes:
    """Return the contents of the compiled ``.mo`` file."""
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
