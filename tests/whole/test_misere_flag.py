"""``--misere`` is never ignored: each command answers for misère play, or says why it cannot."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphgame.cli import main
from graphgame.rules.nim import misere_nim_outcome
from tests import brute
from tests.commands import CHIPS, run

HEAP = {n: list(range(n)) for n in range(9)}
KAYLES = {
    n: [(a, n - k - a) for k in (1, 2) for a in range(n - k + 1)] for n in range(13)
}  # a row of pins: the two rows that a hit leaves
LARGE = "nim(55,81,121)"
PAGE = re.compile(r'<script id="game" type="application/json">(.*?)</script>', re.DOTALL)


def wins_by_definition(*, heaps=(), rows=()):
    """Return True if the player to move wins heaps of Nim and rows of Kayles under misère play, by the rules alone."""
    options = {f"nim {n}": [f"nim {m}" for m in ends] for n, ends in HEAP.items()}
    options |= {f"row {n}": [f"rows {a} {b}" for a, b in ends] for n, ends in KAYLES.items()}
    pairs = {f"rows {a} {b}": [f"row {a}", f"row {b}"] for ends in KAYLES.values() for a, b in ends}
    result = brute.play_out(options | pairs, sums=pairs, misere=True)
    return result((*(f"nim {n}" for n in heaps), *(f"row {n}" for n in rows)))[0]


def chips_by_definition():
    edges = [tuple(map(int, line.split())) for line in CHIPS.splitlines()[1:9]]
    return brute.play_out({v: [b for a, b in edges if a == v] for v in range(1, 7)}, misere=True)((1, 2, 4, 6))[0]


SOURCES = {
    "nim(1,1,1)": wins_by_definition(heaps=(1, 1, 1)),
    "nim(3,4,5)": wins_by_definition(heaps=(3, 4, 5)),
    "nim(3,5,6)": wins_by_definition(heaps=(3, 5, 6)),
    "kayles(12)": wins_by_definition(rows=(12,)),
    "kayles(9)": wins_by_definition(rows=(9,)),
    "nim(1,4) + kayles(5)": wins_by_definition(heaps=(1, 4), rows=(5,)),
    "nim(2,3) + kayles(3)": wins_by_definition(heaps=(2, 3), rows=(3,)),
    "chips.txt": chips_by_definition(),
    LARGE: misere_nim_outcome([55, 81, 121]) == "N",
    "nim(100,100,100)": misere_nim_outcome([100, 100, 100]) == "N",
    "nim(60,61,1)": misere_nim_outcome([60, 61, 1]) == "N",
    "wythoff(300,500)": True,
    "wythoff(3,5)": False,
    "moore{2}(9,10,11,12)": True,
    "moore{2}(300,400,500,600)": True,
}
"""Source -> whether the first player wins under misère play."""

SLOW = {LARGE, "nim(100,100,100)", "moore{2}(9,10,11,12)"}

TOKENS = {
    ("nim(60)", "60 35 31"): False,
    ("nim(60)", "nim(60) nim(35) nim(30)"): True,
    ("nim(60)", "60 60"): False,
    ("nim(121)", "55 81 121"): misere_nim_outcome([55, 81, 121]) == "N",
    ("nim(121)", "55 81 102"): False,
    ("nim(60) + kayles(3)", "nim(60) nim(59) nim(58)"): True,
    ("kayles(9)", "9 8"): wins_by_definition(rows=(9, 8)),
    ("nim(4) + kayles(5)", "nim(4) nim(1) kayles(5)"): wins_by_definition(heaps=(4, 1), rows=(5,)),
    ("wythoff(5,9)", "3,5"): False,
}
"""Source and tokens -> whether the first player wins under misère play."""

LAW = "max(a, b, c) > 1 and a ^ b ^ c = 0 or max(a, b, c) <= 1 and a ^ b ^ c = 1"
"""The P-positions of misère Nim, as ``law`` finds them."""


def solve_text(source, *options):
    return run("solve", source, "--misere", *options).stdout.startswith("first player wins under misère play")


def solve_record(source, *options):
    record = json.loads(run("solve", source, "--misere", "--json", *options).stdout)
    assert record["play"] == "misere"
    assert bool(record["winning_moves"]) == (record["winner"] == "first")
    return record["winner"] == "first"


def solve_verdict(source, *options):
    return run("solve", source, "--misere", "--verdict", *options).stdout == "win\n"


def explain(source, *options):
    first, _ = run("explain", source, "--misere", "--depth", "0", *options).stdout.split(
        " player wins under misère play", 1
    )
    return first == "first"


def search(source, *options):
    return run("search", source, "--misere", *options).stdout.startswith("first player wins")


def hint(source, *options):
    told = CliRunner().invoke(main, ["play", source, "--misere", *options], input="hint\nquit\n").stdout
    assert "misère play" in told
    return "every move loses" not in told and bool(re.search(r" -> .* wins", told))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "chips.txt").write_text(CHIPS)
    (tmp_path / "cycle.edges").write_text("a b\nb a\nb c\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
class TestWhoWins:
    @pytest.mark.parametrize("answer", [solve_text, solve_record, solve_verdict, explain, search, hint])
    @pytest.mark.parametrize(
        "source", [pytest.param(source, marks=pytest.mark.long) if source in SLOW else source for source in SOURCES]
    )
    def test_all_commands_agree(self, answer, source):
        assert answer(source) == SOURCES[source]

    @pytest.mark.long
    @pytest.mark.parametrize("answer", [solve_text, solve_record, solve_verdict, explain, search, hint])
    @pytest.mark.parametrize(("source", "tokens"), TOKENS)
    def test_all_commands_agree_on_positions_named_by_tokens(self, answer, source, tokens):
        assert answer(source, "--tokens", tokens) == TOKENS[source, tokens]

    @pytest.mark.long
    def test_law_gives_the_same_answers(self):
        assert run("law", "nim(a,b,c)", "--misere", "-o", "law.json").exit_code == 0
        assert run("verify", "law.json").exit_code == 0
        assert LAW in Path("law.json").read_text(encoding="utf-8")
        for source, wins in SOURCES.items():
            if heaps := re.fullmatch(r"nim\((\d+),(\d+),(\d+)\)", source):
                numbers = dict(zip("abc", map(int, heaps.groups()), strict=True))
                assert eval(LAW.replace(" = ", " == "), numbers) != wins

    @pytest.mark.parametrize(
        "source", [pytest.param(LARGE, marks=pytest.mark.long), "nim(3,4,5)", "wythoff(3,5)", "chips.txt"]
    )
    def test_written_results_are_verified(self, source):
        assert run("solve", source, "--misere", "--values", "values.csv").exit_code == 0
        assert run("verify", source, "values.csv", "--misere").stdout.startswith("right: grundy, outcome, remoteness")
        assert "these are values of misère play" in run("verify", source, "values.csv").stderr

    @pytest.mark.parametrize(
        ("source", "outcomes"),
        [
            ("nim(1000000000..1000000002)", "N N N"),
            ("nim(0..3)+nim(1)", "P N N N"),
            ("nim(55..56,81,121)", "N N"),
            ("moore{2}(300..301,400,500,600)", "N N"),
            ("wythoff(100000,161803..161805)", "N P N"),
        ],
    )
    def test_tables_give_the_same_answers(self, source, outcomes):
        table = run("values", source, "--misere", "--outcomes", "--json").stdout
        assert json.loads(table)["outcome"] == outcomes.split()

    def test_neighbouring_files_do_not_change_the_answer(self):
        assert solve_text(LARGE, "--values", "values.csv", "--product-limit", "900")
        assert solve_record(LARGE, "--draw", "nim.dot")
        assert solve_verdict(LARGE, "--draw", "nim.dot")

    def test_sum_without_its_product_has_moves_and_counts(self):
        told = run("solve", LARGE, "--misere").stdout
        assert "class S2" in told
        assert "winning moves\n  component 1: 55 -> 40\n  component 2: 81 -> 78\n  component 3: 121 -> 102\n" in told
        assert "122 positions (1 P, 121 N)" in told
        assert "--product-limit" in told


@pytest.mark.usefixtures("folder")
class TestRefusals:
    @pytest.mark.parametrize("command", [["solve"], ["solve", "--verdict"], ["explain"], ["play"]])
    def test_sum_with_too_large_a_product_and_no_theorem(self, command):
        result = run(*command, "kayles(12)", "--misere", "--product-limit", "9")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "the explicit graph of the sum is too large" in result.stderr
        assert "--product-limit allows more" in result.stderr
        assert "graphgame search --misere finds who wins without the whole graph" in result.stderr

    @pytest.mark.parametrize(
        "command",
        [
            ["solve"],
            ["solve", "--verdict"],
            ["explain"],
            ["play"],
            ["search"],
            ["draw", "-o", "x.html"],
            ["values"],
            ["stats"],
        ],
    )
    def test_a_cycle(self, command):
        result = run(*command, "cycle.edges@a", "--misere")
        assert (result.exit_code, result.stdout) == (2, "")
        assert ("search needs a game in which play ends" if command == ["search"] else "--loopy") in result.stderr

    def test_certificates_of_sums(self):
        result = run("certificate", LARGE, "--misere")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "misère values do not combine by xor" in result.stderr


def page(path):
    return json.loads(PAGE.search(path.read_text(encoding="utf-8"))[1])


class TestPage:
    @pytest.mark.parametrize(
        "source", ["nim(3,4,5)", "nim(29,45,58)", LARGE, "nim(20,30,40)", "kayles(9)", "chips.txt"]
    )
    def test_misere_play_is_used(self, folder, source):
        assert run("draw", source, "--misere", "-o", "game.html").exit_code == 0
        data = page(folder / "game.html")
        assert data["play"] == "misere"
        assert data["nim"] or data["product"] is not None

    @pytest.mark.long
    def test_tokens_of_nim_are_played_by_the_theorem_as_well(self, folder):
        assert run("draw", "nim(300)", "--tokens", "300 200 100", "--misere", "-o", "game.html").exit_code == 0
        data = page(folder / "game.html")
        assert [data["labels"][token] for token in data["tokens"]] == ["300", "200", "100"]
        assert data["nim"]
        assert data["product"] is None

    def test_misere_is_refused_if_the_command_would_use_normal_play(self, folder):
        source = "nim(30,40) + kayles(30)"
        result = run("draw", source, "--misere", "-o", "game.html")
        assert result.exit_code == 2
        assert (
            "this sum has more than 20,000 positions, the most that a page can solve under misère play" in result.stderr
        )
        assert not (folder / "game.html").exists()
        assert run("draw", source, "-o", "game.html").exit_code == 0
