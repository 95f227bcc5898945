"""The dialogues that documents show: each command, and what it answers."""

import re
import shlex
from collections.abc import Iterator

from click.testing import CliRunner

from graphgame.cli import main

CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"(?:printf '(?P<input>[^']*)' \| )?graphgame (?P<arguments>.*)")


def dialogues(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command with what it answers."""
    for block in CONSOLE.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, answer = part.partition("\n")
            yield command, answer


def answer_of(command: str) -> str:
    """Return what a command answers."""
    match = COMMAND.fullmatch(command)
    assert match is not None, command
    given = (match["input"] or "").replace("\\n", "\n")
    return CliRunner().invoke(main, shlex.split(match["arguments"]), input=given, catch_exceptions=False).output
