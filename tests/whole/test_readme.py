"""The README's commands, examples, links and figures are right. ``.ci/run`` runs its two install commands."""

import doctest
import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import graphgame
from graphgame.cli import _GROUPS, main
from tests.documents import answer_of, dialogues

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def test_python_examples(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text(re.search(r"```text\n(.*?)```", README, re.S)[1])
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.attempted > 5
    assert results.failed == 0


@pytest.mark.parametrize("name", re.findall(r"`(\w+)`", README.split("The main names: ")[1].split("Each has")[0]))
def test_main_names_document_parameters_errors_cost_and_an_example(name):
    headings = re.findall(r"^(\w+)\n-+$", inspect.getdoc(getattr(graphgame, name)), re.M)
    assert headings[0] in ("Parameters", "Attributes")
    assert {"Raises", "Notes", "Examples"} <= set(headings)


@pytest.mark.parametrize("name", ["start", "test"])
def test_install_commands_are_marked(name):
    match = re.search(rf"<!-- command: {name} -->\n```sh\n(.+)\n```", README)
    assert match
    assert match[1].startswith("python3 -m venv .venv && .venv/bin/pip install ")


def test_skipped_tests_are_listed_in_one_line(tmp_path):
    for library in ("pyspark", "playwright"):
        pytest.importorskip(library, reason=f"needs {library}")
    files = ["tests/labs/scale/test_spark_cluster.py", "tests/labs/web/test_page_window.py"]
    machine = {
        name: value for name, value in os.environ.items() if not name.startswith(("JAVA", "GRAPHGAME", "PYTEST"))
    }
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *files]
    done = subprocess.run(
        command, cwd=ROOT, env=machine | {"PATH": str(tmp_path)}, capture_output=True, text=True, check=True
    )
    lines = [line for line in done.stdout.splitlines() if "apt-get install" in line]
    assert len(lines) == 1, done.stdout
    assert "2 tests: needs Java 17: apt-get install openjdk-17-jre-headless" in lines[0]
    assert re.match(r"skipped \d+ tests: needs Chromium: apt-get install chromium; ", lines[0])


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_commands_print_what_it_shows(name, tmp_path, monkeypatch):
    text = (ROOT / name).read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    (tmp_path / "game.txt").write_text(re.search(r"```text\n(.*?)```", text, re.S)[1])
    shown = list(dialogues(text))
    assert len(shown) > 2
    for command, answer in shown:
        assert answer_of(command) == answer, command


def commands_by_group(text, heading):
    """Return the commands of each row of the table below a heading, in order."""
    table = re.search(rf"^## {heading}\n\n\|.*\n\|.*\n((?:\|.*\n)+)", text, re.MULTILINE)[1]
    return [re.findall(r"`([a-z]+)`[:：]", row) for row in table.splitlines()]


@pytest.mark.parametrize(("name", "heading"), [("README.md", "Commands"), ("README.zh.md", "命令")])
def test_the_table_has_every_command_in_the_groups_of_help(name, heading):
    groups = [list(commands) for commands in _GROUPS.values()]
    assert commands_by_group((ROOT / name).read_text(encoding="utf-8"), heading) == groups
    assert {command for commands in groups for command in commands} == set(main.list_commands(None))


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\((?!https?:)([^)#]+)\)", README))))
def test_links_have_targets(link):
    assert (ROOT / link).exists()


def test_sample_output_is_what_the_command_prints():
    shown = re.search(r"\$ graphgame solve samples/chips.txt\n(.+?)```", README, re.S)
    assert shown
    printed = CliRunner().invoke(main, ["solve", str(ROOT / "samples" / "chips.txt")]).output
    assert shown[1].strip() == printed.strip()


class TestInChinese:
    TEXT = (ROOT / "README.zh.md").read_text(encoding="utf-8")

    def test_has_the_same_commands_and_code(self):
        blocks = re.compile(r"^```(?:sh|python)\n.*?^```$", re.MULTILINE | re.DOTALL)
        assert blocks.findall(self.TEXT) == blocks.findall(README)

    def test_sample_output_is_what_the_command_prints(self, monkeypatch):
        monkeypatch.chdir(ROOT)
        words, shown = re.search(r"^\$ graphgame ([^\n]*)\n(.+?)```", self.TEXT, re.MULTILINE | re.DOTALL).groups()
        assert shown == CliRunner().invoke(main, words.split()).output

    def test_has_the_same_figures(self):
        figures = re.compile(r"\d+(?:\.\d+)? [MG]B")
        assert len(figures.findall(README)) > 3
        assert figures.findall(self.TEXT) == figures.findall(README)
