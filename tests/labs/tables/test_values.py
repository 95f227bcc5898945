"""``graphgame values``, ``games`` and ``check``."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from graphgame.games import CATALOGUE
from tests.commands import error, fill, output, run

CHIPS = [(1, 2, "N"), (2, 0, "P"), (3, 1, "N"), (4, 1, "N"), (5, 0, "P"), (6, 0, "P")]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    fill(tmp_path)
    return tmp_path


class TestValues:
    def test_of_a_large_table_the_lost_positions(self, place: Path) -> None:
        large = ("values", "wythoff(0..40, 4..40)", "--max-positions", "100", "--outcomes")
        pairs = [[*map(int, line.split(", "))] for line in output(*large).splitlines()]
        assert pairs[:3] == [[3, 5], [4, 7], [6, 10]]
        assert json.loads(output(*large, "--json"))["lost"] == pairs
        assert output(*large, "--csv").splitlines()[:2] == ["first number,second number", "3,5"]
        assert "3 & 5" in output(*large, "--latex")
        run(*large, "--plot", "a.svg")
        assert f"({len(pairs)})" in (place / "a.svg").read_text()
        assert "--outcomes" in error(*large[:-1])
        assert "--plot draws them" in error("values", "kayles(0..99, 0..99)", "--max-positions", "600", "--outcomes")

    def test_one_form_at_a_time(self) -> None:
        assert "choose one of --csv and --json" in error("values", "nim(0..3)", "--csv", "--json")

    def test_a_file_tells_its_form_and_that_it_is_written(self, place: Path) -> None:
        for name, flag in (("a.csv", "--csv"), ("a.json.gz", "--json"), ("a.tex", "--latex"), ("a.txt", None)):
            done = run("values", "nim(0..3, 0..3)", "-o", name)
            assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"graphgame: wrote {name}\n")
            read = gzip.open if name.endswith("gz") else open
            with read(place / name, "rt") as written:
                assert written.read() == output("values", "nim(0..3, 0..3)", *([flag] if flag else []))
        assert "expected .csv, .json, .tex, .txt\n" in error("values", "nim(0..3)", "-o", "a.xls")
        assert (
            "a.svg is the name of a picture: use --plot for a picture, or a name that ends in .csv, .json, .tex, .txt"
            in error("values", "nim(0..3)", "-o", "a.svg")
        )
        assert "No such file" in error("values", "nim(0..3)", "-o", "missing/a.csv")

    @pytest.mark.parametrize(
        ("flag", "name"), [("--json", "a.csv"), ("--csv", "a.json.gz"), ("--latex", "a.txt"), ("--csv", "a.parquet")]
    )
    def test_a_flag_and_a_name_that_disagree_are_refused(self, place: Path, flag: str, name: str) -> None:
        before = sorted(place.iterdir())
        assert f"{flag} and the name {name} disagree" in error("values", "nim(0..3)", flag, "-o", name)
        assert sorted(place.iterdir()) == before

    @pytest.mark.parametrize(("flag", "name"), [("--csv", "a.csv"), ("--json", "a.JSON.GZ"), ("--latex", "a.tex")])
    def test_a_flag_and_a_name_may_say_the_same(self, place: Path, flag: str, name: str) -> None:
        assert run("values", "nim(0..3)", flag, "-o", name).exit_code == 0
        read = gzip.open if name.endswith("GZ") else open
        with read(place / name, "rt") as written:
            assert written.read() == output("values", "nim(0..3)", flag)

    def test_a_flag_tells_the_form_of_other_names(self, place: Path) -> None:
        run("values", "nim(0..3)", "--csv", "-o", "a.dat")
        assert (place / "a.dat").read_text() == output("values", "nim(0..3)", "--csv")

    def test_names_are_escaped_in_latex(self, place: Path) -> None:
        (place / "odd.edges").write_text(r'''"[a]" "50%_of $x^2 & #{y}~\\"''')
        lines = output("values", "odd.edges", "--latex").splitlines()
        assert lines[5:7] == [
            r"{[}a{]} & 1 & N \\",
            r"\textbf{50\%\_of \$x\textasciicircum{}2 \& \#\{y\}\textasciitilde{}\textbackslash{}}"
            r" & \textbf{0} & \textbf{P} \\",
        ]

    def test_a_long_table_goes_on_over_pages(self) -> None:
        lines = output("values", "nim(50)", "--latex").splitlines()
        assert lines[:2] == [r"% \usepackage{booktabs,longtable}", r"\begin{longtable}{lrl}"]
        assert lines[5] == r"\endhead"

    def test_a_sequence(self) -> None:
        assert output("values", "take{1,3,4}(7..23)").splitlines() == [
            "     0   1   2   3   4   5   6   7   8   9",
            " 0                              [0]  1  [0]",
            "10   1   2   3   2  [0]  1  [0]  1   2   3",
            "20   2  [0]  1  [0]",
        ]

    def test_a_table(self) -> None:
        assert output("values", "wythoff(0..3, 1..3)").splitlines() == [
            "    1   2   3",
            "0   1   2   3",
            "1   2  [0]  4",
            "2  [0]  1   5",
            "3   4   5   6",
        ]

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (["nim(0..2, 0..1)", "--csv"], ",0,1\n0,0,1\n1,1,0\n2,2,3\n"),
            (["nim(0..2, 0..1)", "--csv", "--outcomes"], ",0,1\n0,P,N\n1,N,P\n2,N,N\n"),
            (["kayles(0..2)", "--csv"], "n,grundy,outcome\n0,0,P\n1,1,N\n2,2,N\n"),
            (["kayles(0..2)", "--csv", "--misere"], "n,misere,outcome\n0,1,N\n1,0,P\n2,2,N\n"),
            (["nim(1,0..2)", "--csv", "--misere", "--outcomes"], "n,outcome\n0,P\n1,N\n2,N\n"),
            (["nim(0..1)", "--outcomes"], "   0   1\n  [P]  N\n"),
        ],
    )
    def test_forms(self, arguments: list[str], expected: str) -> None:
        assert output("values", *arguments) == expected

    def test_json(self) -> None:
        assert json.loads(output("values", "nim(0..1, 2..3)", "--json")) == {
            "position": "nim(0..1, 2..3)",
            "play": "normal",
            "ranges": [[0, 1], [2, 3]],
            "grundy": [[2, 3], [3, 2]],
            "outcome": [["N", "N"], ["N", "N"]],
        }
        assert json.loads(output("values", "kayles(3..4)", "--json"))["grundy"] == [3, 1]
        assert json.loads(output("values", "nim(1,0..2)", "--json", "--misere"))["grundy"] is None

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (["chips.txt"], ["position  value  outcome", *(f"{v:<8}  {g:>5}  {o}" for v, g, o in CHIPS)]),
            (["chips.txt", "--outcomes"], ["position  outcome", *(f"{v:<8}  {o}" for v, _, o in CHIPS)]),
            (["nim(1)", "--misere"], ["position  value  outcome", "1             0  P", "0             1  N"]),
            (["cycle.edges", "--loopy"], ["position  value  outcome", "a         inf()  D", "b         inf()  D"]),
        ],
    )
    def test_graphs(self, arguments: list[str], expected: list[str]) -> None:
        assert output("values", *arguments).splitlines() == expected

    @pytest.mark.parametrize("form", ["csv", "json"])
    def test_files_of_graphs_as_solve_writes_them(self, form: str) -> None:
        run("solve", "chips.txt", "--values", f"chips.{form}")
        assert output("values", "chips.txt", f"--{form}") == Path(f"chips.{form}").read_text()

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["missing.txt"], "missing.txt: No such file"),
            (["nim"], 'is a game: add the positions of the table, as in "nim(3,4,1..5)"'),
            (["whiteboard"], 'add the positions of the table, as in "whiteboard{3}(1..30)"'),
            (["chips.txt", "--plot", "chips.png"], "--plot needs a SOURCE with ranges; graphgame stats --plot"),
            (
                ["chips.txt", "--max-positions", "5"],
                "a table of 6 lines is too long to print; graphgame solve SOURCE --values OUT writes it to a file; "
                "--max-positions allows more",
            ),
            (["cycle.edges"], "cycle.edges: the graph has a cycle"),
            (["take{1..3}(0..5)", "--format", "token"], "leave out --format"),
            (["nim(7..5)"], "1:5: the range goes down"),
            (["nim(0..1,0..1,0..1)"], "1:15: a table has at most two ranges"),
            (["nim(0..99)", "--max-positions", "9"], "a table that needs 100 entries is larger than the limit"),
            (["rules.py:Grow(0..3)", "--max-positions", "9"], "--max-positions allows more"),
            (["cutting(0..3x2)"], "a side is 0"),
            (["nim(1,0..2)", "--misere"], "this table has outcomes but no values: add --outcomes"),
        ],
    )
    def test_refusals(self, arguments: list[str], message: str) -> None:
        assert message in error("values", *arguments)

    def test_advice_names_only_options_of_the_command(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("graphgame.labs.tables.rays._MOST_WORDS", 1)
        assert error("values", "wythoff(0..9, 0..9)").endswith(": ask for a smaller table\n")


class TestGames:
    def test_the_list_has_every_game_with_its_example(self) -> None:
        lines = output("games").splitlines()
        assert [line.split() for line in lines[::2]] == [[e.name, *e.example.split()] for e in CATALOGUE.values()]
        assert all(line.startswith("    ") and len(line) > 10 for line in lines[1::2])

    @pytest.mark.parametrize("name", CATALOGUE)
    def test_each_game_is_described(self, name: str) -> None:
        text = output("games", name)
        assert "``" not in text
        assert ":func:" not in text
        head, _, example = text.partition("\nexample\n")
        assert len(head) > 40
        assert ("\nsource\n" in head) == (name != "mixed")
        assert example.startswith(f"\n{CATALOGUE[name].example}\n")
        assert example.endswith("-position\n")

    def test_an_unknown_name(self) -> None:
        assert "unknown game 'mock-turtle': did you mean mock-turtles" in error("games", "mock-turtle")


class TestCheck:
    def test_rules_in_order(self) -> None:
        assert output("check", "rules.py:Square").splitlines()[:3] == [
            "rules.py:Square: 11 positions",
            "  ok           positions can be listed",
            "  ok           play ends",
        ]

    def test_each_ruleset_of_a_sum_once(self) -> None:
        lines = output("check", "take{1,2}(5) + nim(3) + take{1,2}(7)").splitlines()
        assert [line for line in lines if not line.startswith(" ")] == ["take{1,2}: 8 positions", "nim: 4 positions"]

    @pytest.mark.parametrize("source", ["chips.txt", "chips.txt@4"])
    def test_graph_files(self, source: str) -> None:
        assert "ok           play ends" in output("check", source)

    @pytest.mark.parametrize(
        ("source", "line"),
        [
            ("rules.py:Loop", "play ends: the graph has a cycle, so play need not end: 10 -> 5 -> "),
            ("cycle.edges", "play ends: the graph has a cycle, so play need not end: 'a' -> 'b' -> 'a'"),
            ("apart.edges", "play ends: the graph has a cycle, so play need not end: 'c' -> 'd' -> 'c'"),
            (
                "rules.py:Boom",
                "  FAILED       positions can be listed: rules.py:19 in options: ZeroDivisionError: ",
            ),
        ],
    )
    def test_a_failure_is_status_2(self, source: str, line: str) -> None:
        Path("apart.edges").write_text("a b\nc d\nd c\n")
        result = run("check", source)
        assert result.exit_code == 2
        assert line in result.stdout

    def test_more_positions_than_are_looked_at(self) -> None:
        result = run("check", "rules.py:Grow", "--max-positions", "5")
        assert (result.exit_code, result.stdout.splitlines()[0]) == (
            1,
            "rules.py:Grow: 5 positions, those nearest to the start; there are more",
        )
        assert "not checked  play ends: there are more positions than the 5 that were looked at" in result.stdout

    @pytest.mark.parametrize(
        ("source", "status", "line"),
        [
            ("off.py:Off", 1, "not checked  play ends: there are more positions than the 10000 that were looked at; "),
            ("off.py:Off", 1, "; play might never end: 5 -> 4 -> 3 -> 2 -> 1 -> 0 -> (2989 more) -> -2990 -> "),
            ("off.py:Back", 2, "FAILED       play ends: the graph has a cycle, so play need not end: 5 -> 6 -> 5\n"),
            ("off.py:Far", 2, "FAILED       play ends: the graph has a cycle, so play need not end: 1 -> 3 -> 7 -> "),
            ("off.py:Walk", 0, "Walk: 10,000 positions, those nearest to the start; there are more"),
            (
                "chomp(30x30)",
                1,
                "not checked  play ends: the limit of 200000 moves was reached at the options of (30, 30, 30, 30, 30,",
            ),
            ("off.py:Off + chomp(2x2)", 1, "ok           play ends"),
            ("off.py:Off + off.py:Back", 2, "not checked  play ends"),
        ],
    )
    def test_play_that_is_not_seen_to_end(self, source: str, status: int, line: str) -> None:
        Path("off.py").write_text(OFF)
        result = run("check", source)
        assert result.exit_code == status
        assert line in result.stdout


OFF = """
from graphgame import Ruleset

class Off(Ruleset):
    start = 5
    def options(self, place):
        return [place - 1, place - 2]

class Back(Ruleset):
    start = 5
    def options(self, place):
        return [place + 1] if place % 2 else [place - 1, place + 3]

class Far(Ruleset):  # the cycle lies beyond the nearest 10,000 positions
    start = 1
    def options(self, place):
        return [1] if place > 10**6 else [2 * place + 1, 2 * place]

class Walk(Ruleset):
    start = 5
    loopy = True
    def options(self, place):
        return [place - 1, place + 1]
"""


@pytest.mark.parametrize("command", ["values", "games", "check"])
def test_help_has_examples(command: str) -> None:
    lines = run(command, "--help").stdout.split("Examples:")[1].splitlines()
    assert len([line for line in lines if line.strip().startswith("graphgame ")]) >= 4
