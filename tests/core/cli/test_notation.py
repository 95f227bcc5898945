"""Games named in the notation, at every command that takes a source."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from graphgame.cli import progress
from graphgame.cli.common import listed
from graphgame.cli.progress import Exploring
from graphgame.io import read_game
from graphgame.rules.notation import parse_position
from tests.commands import error, fill, output, run


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    fill(tmp_path)
    return tmp_path


class TestSolve:
    def test_one_ruleset_shows_its_own_text(self) -> None:
        lines = output("solve", "cutting(4x2)").splitlines()
        assert "        1  4x2           1  N                 3" in lines
        assert "  component 1: 4x2 -> 2x2 + 2x2  (best)" in lines

    def test_a_name_too_long_for_a_file_is_cut(self) -> None:
        message = error("solve", "a.py:A" * 20_000)
        assert len(message) < 5000
        assert message.startswith("graphgame: error: a.py:Aa.py:A")
        assert message.endswith(": File name too long\n")

    def test_a_token_on_a_file_is_the_option_tokens(self) -> None:
        assert output("solve", "chips.txt@4") == output("solve", "chips.txt", "--tokens", "4")

    def test_by_theorem(self) -> None:
        lines = output("solve", "nim(1000000000000000000, 5)").splitlines()
        assert lines[0] == "first player wins"
        assert any(line.split() == ["2", "5", "5", "N", "-"] for line in lines)
        assert "  component 1: 1000000000000000000 -> 5" in lines
        assert lines[-1] == "the answer comes from theorems: the game is too large to write down all its positions"

    @pytest.mark.parametrize(
        ("source", "kind", "winner"),
        [
            ("nim(1)", "S0", "second"),
            ("nim(1,1,7)", "S1", "first"),
            ("nim(3,5,1)", "S2", "first"),
            ("nim(1,1)", "T0", "first"),
            ("nim(4,4)", "T2", "second"),
            ("nim(1000000000000000000,5)", "S2", "first"),
            ("nim(1000000000000000000,1000000000000000000)", "T2", "second"),
        ],
    )
    def test_misere_nim_has_classes(self, source: str, kind: str, winner: str) -> None:
        answer = json.loads(output("solve", source, "--misere", "--json"))
        assert (answer["misere_class"], answer["winner"]) == (kind, winner)
        lines = output("solve", source, "--misere").splitlines()
        assert lines[0].startswith(f"{winner} player wins under misère play")
        assert any(line.startswith(f"class {kind}: ") for line in lines)

    def test_a_theorem_writes_no_file_of_values(self, place: Path) -> None:
        assert "larger than the limit" in error("solve", "nim(1000000000000000000)", "--values", "out.csv")
        assert not (place / "out.csv").exists()


class TestOthers:
    def test_draw(self, place: Path) -> None:
        run("draw", "cutting(6x4)", "-o", "out.dot")
        names = set(re.findall(r'\bposition="([^"]*)"', Path("out.dot").read_text()))
        assert {"6x4", "3x2", "4x2 + 4x4"} <= names
        assert names == set(parse_position("cutting(6x4)").graph(texts=True))

    def test_a_product_beyond_the_limit(self) -> None:
        message = error("draw", "nim(30,30)", "--product", "--product-limit", "50")
        assert "more than 50 positions" in message
        assert message.endswith("--product-limit allows more\n")

    def test_a_product_of_nothing(self, place: Path) -> None:
        (place / "plain.edges").write_text("a b\n")
        assert "no tokens: name some, because a product is the sum of the tokens" in error(
            "draw", "plain.edges", "--product"
        )

    def test_convert(self) -> None:
        result = run("convert", "nim(3)", "out.edges")
        assert result.stderr == "graphgame: explored nim(3), wrote out.edges as edgelist\n"
        assert set(read_game("out.edges").edges) == {(a, b) for a in range(4) for b in range(a)}

    def test_convert_a_product(self, place: Path) -> None:
        (place / "two.edges").write_text("# tokens: a b\na b\nb c\n")
        result = run("convert", "two.edges", "--product", "two.edges")
        assert result.stderr == "graphgame: read two.edges as edgelist, wrote two.edges as edgelist\n"
        assert read_game("two.edges").tokens == ("a + b",)

    def test_explain_heaps(self) -> None:
        lines = output("explain", "nim(55,81,121)").splitlines()
        assert lines[0] == "first player wins: the nim-sum is 31"
        assert lines[-1] == "  component 3: leave 121 xor 31 = 102, so take 19"

    def test_explain_a_position_of_it(self) -> None:
        assert output("explain", "cutting(4x2)", "4x2", "--depth", "0").splitlines() == [
            "position 4x2 has value 1; its options:",
            "  value 0: 2x2 + 2x2",
            "  value 1: none, so mex{0} = 1",
            "  loony options do not count, because a move to one loses at once: 2x1 + 3x2; 4x1 + 4x1",
            "  an N-position: the move to 2x2 + 2x2 leaves a P-position",
        ]
        assert "did you mean '4x4'" in error("explain", "cutting(6x4)", "4x9")


class TestRefusals:
    @pytest.mark.parametrize("body", ["1/0", "import nowhere_at_all", "def", "raise SystemExit(0)"])
    def test_a_file_that_fails(self, place: Path, body: str) -> None:
        (place / "bad.py").write_text(body)
        assert error("solve", "bad.py:Game(1)").startswith("graphgame: error: bad.py:1: ")

    def test_a_format_is_for_files(self) -> None:
        assert "nim(3) is not a graph file: leave out --format" in error("solve", "nim(3)", "--format", "csv")

    def test_a_file_of_such_a_name_is_a_file(self, place: Path) -> None:
        (place / "nim(3)").write_text("a b\n")
        assert output("solve", "nim(3)").startswith("position  value  outcome")


def test_exploring_is_told_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    times = [0.0]
    monkeypatch.setattr(progress, "work_clock", lambda: times[0])
    meter = Exploring()
    meter(10, 20)
    times[0] = 1.0
    meter(12345, 678901)
    meter.clear()
    assert capsys.readouterr().err == f"\r{'exploring: 12,345 positions, 678,901 moves':60}\r{'':60}\r"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1,2 3", ["1", "2", "3"]),
        ("((1,2),3), 4", ["((1,2),3)", "4"]),
        ("[0, 1] {a: (1,2)} x(1, 2)", ["[0, 1]", "{a: (1,2)}", "x(1, 2)"]),
        ("a)b,c", ["a)b", "c"]),
        (" , a,", ["a"]),
    ],
)
def test_positions_are_separated_outside_brackets(text, parts):
    assert listed(text) == parts
