"""The documents: every command in them answers what stands there, every piece of Python runs."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphgame.cli import main

ROOT = Path(__file__).parent.parent
FILE = re.compile(r"<!-- file: (?P<name>[\w.]+) -->\n```python\n(?P<text>.*?)```", re.DOTALL)
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"(?:printf '(?P<input>[^']*)' \| )?graphgame (?P<arguments>.*)")


def dialogues(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command with what it answers."""
    for block in CONSOLE.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, answer = part.partition("\n")
            yield command, answer


def answer_of(command: str) -> str:
    match = COMMAND.fullmatch(command)
    assert match is not None, command
    given = (match["input"] or "").replace("\\n", "\n")
    return CliRunner().invoke(main, shlex.split(match["arguments"]), input=given, catch_exceptions=False).output


GAMES = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the files that the document speaks of."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    for match in FILE.finditer(GAMES):
        (tmp_path / match["name"]).write_text(match["text"])
    return tmp_path


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(("command", "answer"), list(dialogues(GAMES)))
def test_each_command_answers_what_stands_there(command: str, answer: str) -> None:
    assert answer_of(command) == answer


def test_python() -> None:
    results = doctest.testfile(str(ROOT / "docs" / "games.md"), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0
