"""``graphgame solve``: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graphgame.cli import main
from tests.helpers import needs

CHIPS = "6 8 4\n2 1\n2 4\n1 4\n1 5\n4 5\n1 3\n3 5\n3 6\n1 2 4 6\n"
LETTERS = "a b\na c\nb c\nd c\n"
CYCLE = "a b\nb c\nc b\n"


@pytest.fixture
def chips(tmp_path: Path) -> str:
    return write(tmp_path / "chips.txt", CHIPS)


@pytest.fixture
def letters(tmp_path: Path) -> str:
    return write(tmp_path / "letters.edges", LETTERS)


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def solve(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["solve", *arguments], input=text, catch_exceptions=False)


def output(*arguments: str, text: str | None = None) -> str:
    result = solve(*arguments, text=text)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def error(*arguments: str, text: str | None = None) -> str:
    result = solve(*arguments, text=text)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


class TestReport:
    def test_a_sum_that_is_won(self, chips: str) -> None:
        assert output(chips).splitlines() == [
            "first player wins in 5 moves",
            "",
            "nim-sum",
            "  1  2  10",
            "  2  0  00",
            "  4  1  01",
            "  6  0  00",
            "        --",
            "     3  11",
            "",
            "component  position  value  outcome  remoteness",
            "        1  1             2  N                 1",
            "        2  2             0  P                 2",
            "        3  4             1  N                 1",
            "        4  6             0  P                 0",
            "",
            "winning moves",
            "  component 1: 1 -> 3  (best)",
            "  component 1: 1 -> 4",
            "",
            "6 positions (3 P, 3 N), 8 moves, largest value 2",
        ]

    def test_a_sum_that_is_lost_names_the_longest_resistance(self, chips: str) -> None:
        lines = output(chips, "--tokens", "1 1").splitlines()
        assert lines[0] == "second player wins in 4 moves"
        assert lines[lines.index("no winning move; the longest resistance is") + 1].startswith("  component ")

    def test_two_tokens_on_one_vertex_are_two_components(self, chips: str) -> None:
        assert "component 1: 1 -> 5" in output(chips, "--tokens", "1,2,2")
        assert "component 2: 3 -> 6" in output(chips, "--tokens", "2,3,2")

    def test_no_move_at_all(self, chips: str) -> None:
        lines = output(chips, "--tokens", "5").splitlines()
        assert lines[0] == "second player wins in 0 moves"
        assert "no winning move" in lines

    def test_misere_play_has_no_nim_sum(self, chips: str) -> None:
        text = output(chips, "--tokens", "4", "--misere")
        assert text.startswith("second player wins under misère play in 1 move\n")
        assert "nim-sum" not in text

    def test_without_tokens_all_positions_of_a_small_graph(self, letters: str) -> None:
        assert output(letters).splitlines() == [
            "position  value  outcome  remoteness  winning moves",
            "a             2  N                 1  c",
            "b             1  N                 1  c",
            "c             0  P                 0  -",
            "d             1  N                 1  c",
            "",
            "4 positions (1 P, 3 N), 4 moves, largest value 2",
        ]
        assert output(letters, "--misere").endswith(", values of misère play\n")

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                "3 4\n1 2\n1 3\n2 3\n0 3\n",
                " is read as edgelist: the first line, 3 4, is read as a move; "
                "if it counts positions and moves, leave it out\n",
            ),
            ("3 4\n1 2\n1 3\n2 3\n0 4\n", None),
            ("2 1\n2 0\n", None),
            (
                "1-2\n2-3\n",
                " is read as edgelist: no line of the file is a move; a move is a line of two labels, such as 1 2\n",
            ),
            ("alone\n", None),
        ],
    )
    def test_odd_lists_of_edges(self, tmp_path: Path, text: str, told: str | None) -> None:
        path = write(tmp_path / "game.edges", text)
        assert solve(path).stderr == ("" if told is None else f"graphgame: {path}{told}")

    def test_long_lists_are_cut(self, tmp_path: Path) -> None:
        star = write(tmp_path / "star.edges", "".join(f"s{k} end\n" for k in range(50)))
        assert "... and 30 more" in output(star)
        tokens = " ".join(f"s{k}" for k in range(49))
        lines = output(star, "--tokens", tokens).splitlines()
        assert [line.strip() for line in lines].count("... and 29 more") == 3

    def test_a_game_too_large_to_play_out_has_no_length(self, tmp_path: Path) -> None:
        ladder = "".join(f"{n} {m}\n" for n in range(300) for m in range(max(0, n - 3), n))
        path = write(tmp_path / "ladder.edges", ladder)
        assert output(path, "--tokens", "299 298 296").startswith("first player wins\n")
        short = output(path, "--tokens", "99 98", "--product-limit", "9")
        assert short.startswith("first player wins\n")
        assert "a sum with more than 9 positions is not made; --product-limit N allows more" in short
        assert output(path, "--tokens", "99 98").startswith("first player wins in ")

    def test_labels_are_printable_and_aligned(self, tmp_path: Path) -> None:
        path = write(tmp_path / "labels.csv", '"\x1b[31mred",end\n位置,end\n"' + "x" * 1000 + '",end\n')
        lines = output(path).splitlines()
        assert r"\x1b[31mred" in lines[1]
        assert max(map(len, lines)) < 100
        rows = [line.split("N")[0].replace("位置", "....") for line in (lines[1], *lines[3:5])]
        assert len({len(row) for row in rows}) == 1


class TestVerdict:
    @pytest.mark.parametrize(
        ("options", "verdict"),
        [
            ([], "win"),
            (["--tokens", "1,1"], "lose"),
            (["--tokens", "2"], "lose"),
            (["--tokens", "2", "--misere"], "win"),
            (["--tokens", "4", "--misere"], "lose"),
            (["--tokens", "1 2", "--misere"], "win"),
            (["--engine", "plain"], "win"),
            pytest.param(["--engine", "compiled"], "win", marks=needs("numba")),
        ],
    )
    def test_win_or_lose(self, chips: str, options: list[str], verdict: str) -> None:
        assert output(chips, "--verdict", *options) == f"{verdict}\n"

    def test_without_tokens(self, letters: str) -> None:
        message = (
            "graphgame: error: no position is named: write SOURCE@POSITION, as in game.txt@start, or give --tokens\n"
        )
        assert error(letters, "--verdict") == message

    def test_standard_input(self) -> None:
        assert output("-", "--verdict", text=CHIPS) == "win\n"


class TestJson:
    def test_a_sum(self, chips: str) -> None:
        result = json.loads(output(chips, "--json"))
        assert result == {
            "winner": "first",
            "play": "normal",
            "nim_sum": 3,
            "misere_class": None,
            "components": [
                {"position": 1, "grundy": 2, "outcome": "N", "remoteness": 1},
                {"position": 2, "grundy": 0, "outcome": "P", "remoteness": 2},
                {"position": 4, "grundy": 1, "outcome": "N", "remoteness": 1},
                {"position": 6, "grundy": 0, "outcome": "P", "remoteness": 0},
            ],
            "all_winning_moves": True,
            "winning_moves": [{"component": 0, "from": 1, "to": 3}, {"component": 0, "from": 1, "to": 4}],
            "drawing_moves": [],
            "best_move": result["best_move"],
            "length": 5,
            "positions": 6,
            "moves": 8,
            "format": "token",
        }
        assert result["best_move"] in result["winning_moves"]

    def test_misere_play(self, chips: str) -> None:
        result = json.loads(output(chips, "--json", "--misere", "--tokens", "4"))
        assert (result["nim_sum"], result["winner"], result["winning_moves"]) == (None, "second", [])

    def test_without_tokens(self, letters: str) -> None:
        result = json.loads(output(letters, "--json"))
        assert (result["winner"], result["nim_sum"], result["length"], result["winning_moves"]) == (
            None,
            None,
            None,
            [],
        )
        assert [component["position"] for component in result["components"]] == ["a", "d"]

    def test_no_list_is_cut(self, tmp_path: Path) -> None:
        star = write(tmp_path / "star.edges", "".join(f"s{k} end\n" for k in range(50)))
        result = json.loads(output(star, "--json"))
        assert len(result["components"]) == 50

    def test_any_label(self, tmp_path: Path) -> None:
        path = write(tmp_path / "labels.csv", '"\x1b[31m",位置\n')
        assert json.loads(output(path, "--json"))["components"][0]["position"] == "\x1b[31m"


class TestTokens:
    @pytest.mark.parametrize(
        "options",
        [
            ["--tokens", "1,2,4,6"],
            ["--tokens", "1 2 4 6"],
            ["--tokens", " 1,\t2 ,4,,6 "],
            ["--tokens", "1", "--tokens", "2 4", "--tokens", "6"],
        ],
    )
    def test_separators(self, chips: str, options: list[str]) -> None:
        assert output(chips, *options) == output(chips)

    @pytest.mark.parametrize(
        ("text", "tokens", "position"),
        [
            ("a,b\n", "a", "a"),
            ('"a, b",c\n', "a, b", "a, b"),
            ("01,b\n", "01", "01"),
            ("-1,-2\n", "-1", -1),
            ("位置,b\n", "位置", "位置"),
        ],
    )
    def test_a_position_is_found_by_its_text(self, tmp_path: Path, text: str, tokens: str, position: object) -> None:
        path = write(tmp_path / "g.csv", text)
        assert json.loads(output(path, "--json", "--tokens", tokens))["components"][0]["position"] == position

    @pytest.mark.parametrize(
        ("text", "tokens", "message"),
        [
            ("1,2\n2,3\n", "7", "position '7' is not a vertex of the graph: its positions are 1 to 3"),
            ("1,2\n2,3\n", "01", "position '01' is not a vertex of the graph: its positions are 1 to 3"),
            ("1,2\n2,3\n", "9" * 50, "is not a vertex of the graph: its positions are 1 to 3"),
            ("left,right\n", "rigth", "position 'rigth' is not a vertex of the graph: did you mean 'right'?"),
            ("left,right\n", "up", "position 'up' is not a vertex of the graph: its positions are 'left', 'right'"),
            ("a,b\nc,d\n", "x", "its positions are 'a', 'b', 'c', ..."),
            ("10,20\n", "15", "position '15' is not a vertex of the graph"),
            ("a,b\n", " , ", "no position in ' , ': expected positions separated by commas or spaces"),
            ("a,b\n", "", "no position in '': expected positions separated by commas or spaces"),
        ],
    )
    def test_no_such_position(self, tmp_path: Path, text: str, tokens: str, message: str) -> None:
        assert message in error(write(tmp_path / "g.csv", text), "--tokens", tokens)


class TestOutputs:
    def test_values(self, chips: str, tmp_path: Path) -> None:
        out = tmp_path / "values.csv"
        result = solve(chips, "--verdict", "--values", str(out))
        assert (result.exit_code, result.stdout, result.stderr) == (0, "win\n", f"graphgame: wrote {out}\n")
        assert out.read_text().splitlines()[:2] == ["position,grundy,outcome,remoteness", "1,2,N,1"]

    def test_values_to_standard_output_replace_the_report(self, chips: str) -> None:
        assert output(chips, "--values", "-").splitlines()[0] == "position,grundy,outcome,remoteness"

    def test_a_picture(self, chips: str, tmp_path: Path) -> None:
        out = tmp_path / "picture.dot"
        result = solve(chips, "--draw", str(out))
        assert (result.exit_code, result.stdout, result.stderr) == (0, output(chips), f"graphgame: wrote {out}\n")
        assert "digraph" in out.read_text()

    def test_a_picture_to_standard_output_replaces_the_report(self, chips: str) -> None:
        text = output(chips, "--draw", "-")
        assert "digraph" in text
        assert "player wins in" not in text

    @pytest.mark.parametrize(
        "options",
        [["--json", "--verdict"], ["--json", "--values", "-"], ["--draw", "-", "--values", "-"]],
    )
    def test_one_result_goes_to_standard_output(self, chips: str, options: list[str]) -> None:
        assert "all go to standard output" in error(chips, *options)

    def test_the_result_in_a_file_beside_values_that_are_printed(self, chips: str, tmp_path: Path) -> None:
        assert solve(chips, "--values", "-", "-o", str(tmp_path / "a.json")).stdout.startswith("position,grundy")
        assert json.loads((tmp_path / "a.json").read_text())["nim_sum"] == 3

    def test_tables_for_a_handout(self, chips: str) -> None:
        verdict, total, components, moves = output(chips, "--latex").split("\n\n\\medskip\n")
        assert verdict == "% \\usepackage{booktabs}\nfirst player wins in 5 moves."
        assert total.splitlines()[2] == r"1 & 2 & 10 \\"
        assert r"\midrule" + "\n" + r" & 3 & 11 \\" in total
        assert r"2 & 2 & 0 & P & 2 \\" in components
        assert moves.splitlines()[4:6] == [r"1 & 1 & 3 \\", r"1 & 1 & 4 \\"]

    @pytest.mark.parametrize(("option", "name"), [("--values", "out.csv"), ("--draw", "out.dot")])
    def test_nothing_is_printed_or_left_when_a_file_cannot_be_written(
        self, chips: str, tmp_path: Path, option: str, name: str
    ) -> None:
        assert "No such file or directory" in error(chips, option, str(tmp_path / "missing" / name))
        assert list(tmp_path.iterdir()) == [Path(chips)]

    @pytest.mark.parametrize("option", ["--values", "--draw"])
    def test_a_name_that_no_format_has(self, chips: str, tmp_path: Path, option: str) -> None:
        assert "out.xyz" in error(chips, option, str(tmp_path / "out.xyz"))
        assert list(tmp_path.iterdir()) == [Path(chips)]


class TestBadInput:
    def test_a_cycle_names_the_file_and_itself(self, tmp_path: Path) -> None:
        path = write(tmp_path / "cycle.edges", CYCLE)
        assert error(path).startswith(f"graphgame: error: {path}: the graph has a cycle, so play need not end: ")
        assert "standard input: the graph has a cycle" in error("-", text=CYCLE)

    def test_a_self_loop(self, tmp_path: Path) -> None:
        assert "position 'a' has a move to itself" in error(write(tmp_path / "loop.edges", "a a\n"))

    def test_the_place_of_an_error_has_a_caret(self, tmp_path: Path) -> None:
        path = write(tmp_path / "bad.txt", "2 1 1\n1 x\n1\n")
        first, line, caret = error(path, "--format", "token").splitlines()
        assert first.startswith(f"graphgame: error: {path}:2:3: ")
        assert line.index("x") == caret.index("^")

    @pytest.mark.parametrize(("name", "reason"), [("missing.txt", "No such file or directory"), ("", "Is a directory")])
    def test_what_cannot_be_opened(self, tmp_path: Path, name: str, reason: str) -> None:
        path = tmp_path / name
        assert error(str(path)) == f"graphgame: error: {path}: {reason}\n"

    def test_a_file_name_cannot_reach_the_terminal(self, tmp_path: Path) -> None:
        assert r"\x1b[31m.txt: No such file" in error(str(tmp_path / "\x1b[31m.txt"))

    def test_an_unknown_format(self, chips: str) -> None:
        assert "unknown format 'xml': expected one of token, edgelist" in error(chips, "--format", "xml")

    def test_an_empty_graph(self, tmp_path: Path) -> None:
        path = write(tmp_path / "empty.csv", "source,target\n")
        assert output(path).splitlines()[-1] == "0 positions (0 P, 0 N), 0 moves"
        assert "the graph has no vertices" in error(path, "--tokens", "a")

    def test_a_misere_sum_that_is_too_large(self, tmp_path: Path) -> None:
        path = write(tmp_path / "path.edges", "".join(f"{n + 1} {n}\n" for n in range(50)))
        message = error(path, "--misere", "--verdict", "--tokens", "40 41 42", "--product-limit", "100")
        assert "too large: there are more than 100 positions" in message

    @pytest.mark.parametrize("option", ["--engine=fast", "--product-limit=0", "--nonsense"])
    def test_wrong_usage(self, chips: str, option: str) -> None:
        assert error(chips, option).startswith("Usage: ")


class TestNothingIsWrittenHalf:
    def test_a_wrong_name_for_the_picture_leaves_no_values(self, chips: str, tmp_path: Path) -> None:
        assert "cannot tell the picture's format" in error(
            chips, "--values", str(tmp_path / "v.csv"), "--draw", "x.odd"
        )
        assert not (tmp_path / "v.csv").exists()

    def test_a_wrong_name_for_the_values_leaves_no_picture(self, chips: str, tmp_path: Path) -> None:
        message = error(chips, "--values", "v.odd", "--draw", str(tmp_path / "game.dot"))
        assert "'v.odd'" in message
        assert ".csv, .json or .parquet" in message
        assert not (tmp_path / "game.dot").exists()


def test_a_position_may_be_named_as_it_is_shown(tmp_path: Path) -> None:
    path = write(tmp_path / "odd.edges", '"new\\nline" end\n')
    assert "new\\nline" in output(path, "--tokens", "new\\nline")


def test_an_empty_name() -> None:
    assert "expected the name of a file, found an empty text" in error("")


def test_the_verdict_needs_no_playing_out(chips: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError("the sum was played out")

    monkeypatch.setattr("graphgame.solution.sums.Product.__init__", refuse)
    assert output(chips, "--verdict") == "win\n"
