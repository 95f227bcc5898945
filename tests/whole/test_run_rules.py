"""A text that names a Python file with rules: the library runs the file only with ``run_rules=True``."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import graphgame
from graphgame import GameGraph, Position, parse_position
from graphgame.cli import main
from graphgame.errors import ParseError, RulesetError
from graphgame.io.source import reading_only
from graphgame.labs.laws import laws
from graphgame.labs.laws.proofs import check_laws
from graphgame.labs.web.page import page_html
from graphgame.play.match import Match
from graphgame.rules.notation import own_rules
from graphgame.rules.user_rules import load_ruleset
from graphgame.solution.statistics import graph_statistics

RULES = """
from pathlib import Path

from graphgame import Ruleset

Path("ran").touch()


class G(Ruleset):
    def options(self, heap):
        return range(max(heap - 2, 0), heap)

    def parse(self, text):
        return int(text)
"""
TEXT = "evil.py:G(3)"


@pytest.fixture(autouse=True)
def ran(tmp_path, monkeypatch) -> Path:
    """The file that the rules create when they run."""
    monkeypatch.chdir(tmp_path)
    Path("evil.py").write_text(RULES, encoding="utf-8")
    return tmp_path / "ran"


ASKING = {
    "parse_position": lambda **run: parse_position(TEXT, **run).grundy,
    "in a sum": lambda **run: parse_position(f"nim(3) + ({TEXT} & nim(1))", **run).grundy,
    "own_rules": lambda **run: own_rules("evil.py:G", **run),
    "GameGraph": lambda **run: GameGraph(TEXT, **run),
    "GameGraph.of": lambda **run: GameGraph.of(TEXT, **run),
    "Position.of": lambda **run: Position.of(TEXT, **run),
    "solve": lambda **run: graphgame.solve(TEXT, **run),
    "explain": lambda **run: graphgame.explain(TEXT, **run),
    "draw": lambda **run: graphgame.draw(TEXT, "picture.svg", **run),
    "write_dot": lambda **run: graphgame.write_dot(TEXT, "picture.dot", **run),
    "to_pydot": lambda **run: graphgame.to_pydot(TEXT, **run),
    "write_page": lambda **run: graphgame.write_page(TEXT, "page.html", **run),
    "value_table": lambda **run: graphgame.value_table("evil.py:G(0..5)", **run),
    "value_table of a sum": lambda **run: graphgame.value_table("nim(0..5) + evil.py:G(3)", **run),
    "Search": lambda **run: graphgame.Search(TEXT, **run).outcome,
    "laws.find": lambda **run: laws.find("evil.py:G(n)", size=30, **run),
    "laws.guess": lambda **run: laws.guess("evil.py:G(n)", "n % 5", size=30, **run),
    "laws of a sum": lambda **run: laws.find("evil.py:G(a) + bash{2}(b)", size=10, **run),
}
NOT_ASKING = {
    "mean notation": lambda: parse_position("evil.py:G (3)"),
    "add": lambda: parse_position("nim(3)") + TEXT,
    "page_html": lambda: page_html(TEXT),
    "p_positions": lambda: graphgame.tables.p_positions("evil.py:G(0..5)"),
    "kernel": lambda: graphgame.theory.kernel(TEXT),
    "reduce": lambda: graphgame.theory.reduce(TEXT),
    "isomorphism": lambda: graphgame.theory.isomorphism("nim(3)", TEXT),
    "verify": lambda: graphgame.verify(TEXT, {}),
    "certificate": lambda: graphgame.certificate(TEXT),
    "write_game": lambda: graphgame.write_game(TEXT, "out.edges"),
    "write_values": lambda: graphgame.write_values(TEXT, "out.csv"),
    "suspense": lambda: graphgame.theory.suspense(TEXT),
    "genus_table": lambda: graphgame.misere.genus_table(TEXT),
    "misere_quotient": lambda: graphgame.misere.misere_quotient(TEXT),
    "statistics": lambda: graph_statistics(TEXT),
    "Match": lambda: Match(TEXT),
    "load_ruleset": lambda: load_ruleset("evil.py", "G"),
}


@pytest.mark.parametrize("work", ASKING.values(), ids=ASKING)
def test_run_rules(work, ran):
    for refused in ({}, {"run_rules": False}):
        with pytest.raises(
            RulesetError,
            match=r"give run_rules=True, or pass the position that parse_position\(text, run_rules=True\) returns",
        ):
            work(**refused)
        assert not ran.exists()
    work(run_rules=True)
    assert ran.exists()


@pytest.mark.parametrize("work", NOT_ASKING.values(), ids=NOT_ASKING)
def test_other_functions_never_run_rules(work, ran):
    with pytest.raises(RulesetError, match="is run only on request"):
        work()
    assert not ran.exists()


def test_permission_holds_for_one_call_only(ran):
    position = parse_position(TEXT, run_rules=True)
    ran.unlink()
    assert graphgame.solve(position).winner == "second"
    with pytest.raises(RulesetError):
        parse_position(TEXT)
    assert not ran.exists()


def test_rules_outside_the_permitted_files_do_not_run(ran):
    with reading_only(["other.py"]), pytest.raises(ParseError, match=r"the file 'evil\.py' may not be read here"):
        parse_position(TEXT, run_rules=True)
    assert not ran.exists()


class TestCommandLine:
    def run(self, *arguments):
        return CliRunner().invoke(main, arguments)

    @pytest.mark.parametrize(
        "arguments",
        [
            ("solve", TEXT, "--verdict"),
            ("values", "evil.py:G(0..5)"),
            ("law", "evil.py:G(n)"),
            ("explain", TEXT),
            ("search", TEXT),
            ("search", "evil.py:G(1..3)"),
            ("draw", TEXT, "-o", "out.svg"),
            ("draw", "nim(0..3) + evil.py:G(0..9)", "-o", "out.svg"),
            ("values", "nim(0..3) + evil.py:G(0..9)", "--outcomes"),
            ("heap", "evil.py:G", "-n", "20"),
        ],
    )
    def test_commands_run_the_file_that_the_user_names(self, arguments, ran):
        result = self.run(*arguments)
        assert (result.exit_code, ran.exists()) == (0, True), result.output

    def test_law_file_does_not_run_the_rules_that_it_names(self, ran):
        assert self.run("law", "evil.py:G(n)", "--guess", "n % 3", "-o", "law.json").exit_code == 0
        ran.unlink()
        result = self.run("verify", "law.json")
        assert (result.exit_code, ran.exists()) == (2, False)
        assert (
            "graphgame runs only if you name them on the command line: graphgame verify 'evil.py:G(n)' law.json"
            in result.stderr
        )
        with pytest.raises(RulesetError, match="run_rules=True"):
            list(check_laws("law.json"))
        assert not ran.exists()
        assert "about evil.py:G(n), not about nim(n)" in self.run("verify", "nim(n)", "law.json").stderr
        assert self.run("verify", "evil.py:G(n)", "law.json").exit_code == 0
        assert ran.exists()
