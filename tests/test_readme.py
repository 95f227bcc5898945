"""The README holds what it says. Its two commands, which install the package, are run by ``.ci/run`` as they stand."""

import doctest
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphgame.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_python_examples():
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.attempted > 5
    assert results.failed == 0


@pytest.mark.parametrize("name", ["start", "test"])
def test_has_its_commands(name):
    match = re.search(rf"<!-- command: {name} -->\n```sh\n(.+)\n```", README)
    assert match
    assert match[1].startswith("python3 -m venv .venv && .venv/bin/pip install ")


@pytest.mark.parametrize("command", sorted(set(re.findall(r"^\| `graphgame (\w+)", README, re.M))))
def test_commands_of_the_table_exist(command):
    assert CliRunner().invoke(main, [command, "--help"]).exit_code == 0


def test_every_command_is_in_the_table():
    shown = set(re.findall(r"^\| `graphgame (\w+)", README, re.M))
    assert shown == set(main.list_commands(None))


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\((?!https?:)([^)#]+)\)", README))))
def test_links_lead_somewhere(link):
    assert (ROOT / link).exists()


def test_sample_output_is_what_the_command_prints():
    shown = re.search(r"\$ graphgame solve samples/chips.txt\n(.+?)```", README, re.S)
    assert shown
    printed = CliRunner().invoke(main, ["solve", str(ROOT / "samples" / "chips.txt")]).output
    assert shown[1].strip() == printed.strip()


class TestInChinese:
    TEXT = (ROOT / "README.zh.md").read_text(encoding="utf-8")

    def test_has_the_same_commands_and_code(self):
        blocks = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
        assert blocks.findall(self.TEXT) == blocks.findall(README)

    def test_every_command_is_in_the_table(self):
        assert set(re.findall(r"^\| `graphgame (\w+)", self.TEXT, re.M)) == set(main.list_commands(None))

    def test_tables_have_the_same_formats_and_extras(self):
        names = re.compile(r"^\| (`[\w-]+`(?:, `[\w-]+`)*) \|", re.MULTILINE)
        assert names.findall(self.TEXT) == names.findall(README)

    def test_has_the_same_figures(self):
        figures = re.compile(r"(?<=\| )\d+(?:\.\d+)?(?= s\b| MB| \|)")
        assert figures.findall(self.TEXT) == figures.findall(README)
