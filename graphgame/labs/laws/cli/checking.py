"""How ``graphgame verify`` checks a file of laws."""

from __future__ import annotations

import click

from graphgame.cli import common
from graphgame.cli.errors import Failure
from graphgame.labs.laws.law_files import CheckedLaw, check_laws, law_source
from graphgame.text.languages import render, translate
from graphgame.text.text import printable


def check_law_file(path: str, named: str | None, _: int) -> None:
    """Print for each law of a file whether its proof is right; end the command with status 2 if one is wrong."""
    about = law_source(path)
    if named is None:
        common.refuse_rules_of_file(about, path, f"graphgame verify {printable(about, length=0)!r} {path}")
    elif named != about:
        raise Failure(
            "{path}: these are laws of {about}, not of {named}",
            path,
            printable(about, length=0),
            printable(named, length=0),
        )
    wrong = False
    for checked in check_laws(path, run_rules=named is not None):
        click.echo(printable(_law_told(checked), length=0))
        wrong |= checked.fault is not None
    if wrong:
        raise click.exceptions.Exit(2)


def _law_told(checked: CheckedLaw) -> str:
    law = render(checked.text)
    if checked.fault is not None:
        return translate("refused: {law}: {fault}", law=law, fault=render(checked.fault))
    if not checked.grounds:
        return translate("not claimed to be proved: {law}", law=law)
    return translate("right: {law}: {grounds}", law=law, grounds=render(checked.grounds))
