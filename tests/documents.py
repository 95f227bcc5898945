"""Commands in documents, with the output that the document shows."""

import re
import shlex
from collections.abc import Iterator

from click.testing import CliRunner

from graphgame.cli import main

CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"(?:printf '(?P<input>[^']*)' \| )?graphgame (?P<arguments>.*)")


def dialogues(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a document with the output shown below it."""
    for block in CONSOLE.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, answer = part.partition("\n")
            yield command, answer


def answer_of(command: str) -> str:
    """Run a command and return its output."""
    match = COMMAND.fullmatch(command)
    assert match is not None, command
    stdin = (match["input"] or "").replace("\\n", "\n")
    return CliRunner().invoke(main, shlex.split(match["arguments"]), input=stdin, catch_exceptions=False).output
