"""``graphgame judge``: print the answers that an online judge expects."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

from graphgame.cli.errors import UsageError
from graphgame.cli.language import examples
from graphgame.text.languages import render, translate
from graphgame.text.text import padded

_EXAMPLES = examples(
    ("graphgame judge --list", "the problems, their input and output"),
    ("graphgame judge john < cases.txt", ""),
    ("graphgame judge poj-2311 < sheets.txt", ""),
    ("graphgame judge s-nim cases.txt.gz", ""),
)


def _complete_name(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the problems whose names begin with the text ``incomplete``, for completion in a shell."""
    from graphgame.labs.judges.judging import PROBLEMS

    return [CompletionItem(p.name, help=p.title) for p in PROBLEMS.values() if p.name.startswith(incomplete)]


@click.command("judge", epilog=_EXAMPLES)
@click.argument("name", required=False, shell_complete=_complete_name)
@click.argument("source", type=click.Path(allow_dash=True), default="-")
@click.option("--list", "list_", is_flag=True, help="List the problems, with input and output, and stop.")
def command(name: str | None, source: str, list_: bool) -> None:
    """Read the input of the problem NAME from SOURCE (default: standard input), and print exactly the answers.

    NAME is a name that --list shows: our own, or a judge's, such as poj-2311. Numbers may be separated by any white
    space, except in the first line of a token file. The cases are answered one by one: wrong input stops the command
    with an error after the answers to earlier cases.
    """
    if list_:
        _print(_listing(name))
        return
    if name is None:
        raise UsageError("missing NAME: graphgame judge --list shows all names")
    from graphgame.io.files import Source
    from graphgame.labs.judges.judging import problem

    with Source(source) as opened:
        _print(problem(name).answers(opened))


def _print(lines: Iterable[str]) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


def _listing(name: str | None) -> Iterable[str]:
    """Yield the lines that describe the problem with this name or alias, or all problems if ``name`` is None."""
    from graphgame.labs.judges.judging import PROBLEMS, problem

    for entry in PROBLEMS.values() if name is None else [problem(name)]:
        yield ", ".join((entry.name, *entry.aliases))
        yield f"    {render(entry.title)}"
        yield f"    {padded(translate('reads'), 6, 'l')}  {render(entry.input)}"
        yield f"    {padded(translate('prints'), 6, 'l')}  {render(entry.output)}"
