"""``graphgame verify``, ``certificate``, ``stats`` and ``generate``: what they print, write and refuse."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graphgame import read_game
from graphgame.cli import main
from graphgame.compiled import engine
from graphgame.labs.scale.generators import SHAPES

CHIPS = "6 8 4\n2 1\n2 4\n1 4\n1 5\n4 5\n1 3\n3 5\n3 6\n1 2 4 6\n"
VALUES = "position,grundy,outcome\n1,2,N\n2,0,P\n3,1,N\n4,1,N\n5,0,P\n6,0,P\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("chips.txt").write_text(CHIPS, encoding="utf-8")
    Path("values.csv").write_text(VALUES, encoding="utf-8")
    Path("cycle.edges").write_text("a b\nb a\n", encoding="utf-8")
    return tmp_path


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=text, catch_exceptions=False)


def output(*arguments: str, text: str | None = None) -> str:
    result = run(*arguments, text=text)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def error(*arguments: str, text: str | None = None) -> str:
    result = run(*arguments, text=text)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


class TestVerifyOnDisk:
    def test_right_and_wrong_values(self):
        assert run("verify", "chips.txt", "values.csv", "--workdir", "work", "--tokens", "2").stdout == (
            "right: grundy, outcome of all 6 positions; second player wins\n"
        )
        Path("values.csv").write_text(VALUES.replace("4,1,N", "4,2,N"), encoding="utf-8")
        result = run("verify", "chips.txt", "values.csv", "--workdir", "work")
        assert (result.exit_code, result.stdout) == (2, run("verify", "chips.txt", "values.csv").stdout)
        assert not Path("work").exists()

    def test_a_cycle(self):
        Path("values.csv").write_text("position,grundy\na,0\nb,1\n", encoding="utf-8")
        told = error("verify", "cycle.edges", "values.csv", "--workdir", "work")
        assert "error: cycle.edges: the graph has a cycle, so play need not end: 'b' -> 'a' -> 'b'" in told

    def test_what_is_refused(self):
        Path("work").mkdir()
        Path("work", "mine.txt").touch()
        told = error("verify", "chips.txt", "values.csv", "--workdir", "work")
        assert told == "graphgame: error: work holds other files (mine.txt): expected an empty folder\n"
        assert "expected SOURCE and VALUES" in error("verify", "values.csv", "--workdir", "folder")
        assert "can be used only together with --workdir" in error(
            "verify", "chips.txt", "values.csv", "--memory", "1GB"
        )
        assert "need the whole game in memory" in error(
            "verify", "chips.txt", "values.csv", "--workdir", "w", "--misere"
        )


class TestVerify:
    def test_right_values(self):
        assert output("verify", "chips.txt", "values.csv") == (
            "right: grundy, outcome of all 6 positions; first player wins\n"
        )

    def test_what_solve_writes(self):
        output("solve", "chips.txt", "--values", "all.json", "--tokens", "2")
        assert output("verify", "chips.txt", "all.json", "--tokens", "2") == (
            "right: grundy, outcome, remoteness of all 6 positions; second player wins\n"
        )

    def test_a_wrong_value(self):
        Path("values.csv").write_text(VALUES.replace("4,1,N", "4,2,N"), encoding="utf-8")
        result = run("verify", "chips.txt", "values.csv")
        assert (result.exit_code, result.stderr) == (2, "")
        assert result.stdout == (
            "wrong: position 4: the value 2 is not justified: no option has the value 1; the mex of the options' "
            "values {0} is 1\n"
        )

    HOMEWORK = (
        ("position,value\n1,2\n2,0\n3,1\n4,1\n5,0\n6,0\n", 0, "right: grundy of all 6 positions; first player wins\n"),
        (
            "Position,Outcome\n1,N\n2,p\n3,N\n4,n\n5,P\n6,P\n",
            0,
            "right: outcome of all 6 positions; first player wins\n",
        ),
        (
            "position,value\n1,3\n2,0\n3,1\n4,2\n5,0\n6,1\n",
            2,
            "wrong: position 6: the value 1 is not justified: the position has no option, so its value is 0 (1 is its "
            "value under misère play)\n"
            "wrong: position 4: the value 2 is not justified: no option has the value 1; the mex of the options' "
            "values {0} is 1\n"
            "wrong: position 1: the value 3 is not justified: no option has the value 2; the mex of the options' "
            "values {0, 1} is 2\n"
            "3 positions are wrong or missing\n",
        ),
        (
            "position,outcome\n1,P\n2,N\n3,N\n4,N\n5,N\n6,P\n",
            2,
            "wrong: position 5: the outcome N is wrong: the position has no option, so it is P\n"
            "wrong: position 1: the outcome P is wrong: the option 5 is a P-position\n"
            "wrong: position 2: the outcome N is wrong: all options are N-positions\n"
            "3 positions are wrong or missing\n",
        ),
        (
            "position,value,outcome\n1,2,P\n2,0,P\n3,1,N\n4,1,P\n5,0,P\n6,0,P\n",
            2,
            "wrong: position 4: the outcome P is wrong: a position of value 1 is N\n"
            "wrong: position 1: the outcome P is wrong: a position of value 2 is N\n"
            "2 positions are wrong or missing\n",
        ),
    )

    @pytest.mark.parametrize(("text", "status", "said"), HOMEWORK)
    def test_homework_is_marked(self, text, status, said):
        result = run("verify", "chips.txt", "-", text=text)
        assert (result.stdout, result.stderr, result.exit_code) == (said, "", status)

    def test_what_is_missing_is_listed(self):
        Path("v.edges").write_text("a b\nb c\n", encoding="utf-8")
        assert run("verify", "v.edges", "-", text="position,value\na,\nb,1\nc,\n").stdout == (
            "wrong: position a: the position has no value; if there are no tokens, all positions need values or "
            "outcomes\n"
            "wrong: position c: the position has no value\n"
            "2 positions are wrong or missing\n"
        )

    def test_twenty_errors_are_listed_and_all_counted(self):
        heaps = "position,value\n" + "".join(f"{heap},{heap + 1}\n" for heap in range(31))
        lines = run("verify", "nim(30)", "-", text=heaps).stdout.splitlines()
        assert [line.split(":")[1] for line in lines[:20]] == [f" position {heap}" for heap in range(20)]
        assert lines[20:] == ["...", "31 positions are wrong or missing"]

    def test_outcomes_alone_where_play_need_not_end(self):
        Path("loop.edges").write_text("a b\nb a\n", encoding="utf-8")
        told = run("verify", "loop.edges", "-", "--loopy", text="position,outcome\na,D\nb,D\n").stderr
        assert "the graph has a cycle, so outcomes alone cannot be checked: give the values" in told

    def test_values_from_standard_input(self):
        assert output("verify", "chips.txt", "-", text=VALUES).startswith("right: ")

    @pytest.mark.parametrize("format", ["csv", "json", "parquet"])
    def test_the_play_is_told_and_asked_for(self, format):
        for play in ([], ["--misere"]):
            output("solve", "chips.txt", *play, "--tokens", "2", "--values", f"values{len(play)}.{format}")
        assert "under misère play" not in output("verify", "chips.txt", f"values0.{format}")
        assert output("verify", "chips.txt", f"values1.{format}", "--misere", "--tokens", "2") == (
            "right: grundy, outcome, remoteness of all 6 positions under misère play; first player wins\n"
        )
        told = f"values1.{format}: these are values of misère play: add --misere"
        assert told in error("verify", "chips.txt", f"values1.{format}")
        if format != "csv":
            told = f"values0.{format}: these are values of normal play: leave out --misere"
            assert told in error("verify", "chips.txt", f"values0.{format}", "--misere")

    def test_values_that_do_not_say_their_play(self):
        Path("end.csv").write_text("position,grundy\na,0\nb,1\n", encoding="utf-8")
        Path("end.edges").write_text("a b\n", encoding="utf-8")
        assert output("verify", "end.edges", "end.csv", "--misere").startswith("right: ")
        assert run("verify", "end.edges", "end.csv").stdout == (
            "wrong: position b: the value 1 is not justified: the position has no option, so its value is 0 (1 is its "
            "value under misère play)\n"
            "wrong: position a: the value 0 is not justified: the option 'b' has the same value; "
            "the mex of the options' values {0} is 1\n"
            "2 positions are wrong or missing\n"
        )

    def test_a_game_given_by_rules(self):
        output("solve", "nim(3,4)", "--values", "nim.csv")
        assert output("verify", "nim(3,4)", "nim.csv").startswith(
            "right: grundy, outcome, remoteness of all 5 positions"
        )

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["cycle.edges", "values.csv"], "values.csv: position 1 of the values is not a vertex of the graph"),
            (
                ["cycle.edges", "none.csv"],
                "cycle.edges: the graph has a cycle, so play need not end: 'a' -> 'b' -> 'a'",
            ),
            (
                ["chips.txt", "chips.txt"],
                "not a values file: expected the columns position, grundy, outcome, remoteness",
            ),
            (["chips.txt", "missing.csv"], "missing.csv: No such file or directory"),
            (["chips.txt", "values.csv", "--tokens", "9"], "position '9' is not a vertex of the graph"),
            (["chips.txt", "none.csv", "--misere"], "none.csv: misère values do not combine by xor"),
            (["-", "-"], "SOURCE and VALUES cannot both be standard input"),
            (["-"], "a file that names its game cannot be read from standard input: give the name of the file"),
        ],
    )
    def test_refusals(self, arguments, message):
        Path("none.csv").write_text("position,grundy\n", encoding="utf-8")
        assert message in error("verify", *arguments)


class TestCertificate:
    def test_it_is_less_than_all_values_and_verifies(self):
        result = run("certificate", "chips.txt", "-o", "proof.csv")
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr == "graphgame: wrote proof.csv: 3 values, first player wins\n"
        assert output("verify", "chips.txt", "proof.csv") == (
            "right: grundy, outcome of 3 positions, enough to prove who wins; first player wins\n"
        )

    def test_every_value_of_it_is_needed(self):
        lines = output("certificate", "chips.txt").splitlines()
        for line in lines[1:]:
            fewer = "\n".join(other for other in lines if other != line)
            result = run("verify", "chips.txt", "-", text=fewer)
            assert (result.exit_code, result.stdout[:7]) == (2, "wrong: ")

    def test_one_token_needs_p_positions_only(self):
        assert output("certificate", "chips.txt", "--tokens", "2") == "position,grundy,outcome\n2,0,P\n5,0,P\n"

    def test_the_product_of_a_misere_sum(self):
        options = ("nim(2,2)", "--misere", "--product")
        output("certificate", *options, "-o", "proof.json")
        assert output("verify", *options[:1], "proof.json", *options[1:]).endswith("; second player wins\n")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["cycle.edges", "--tokens", "a"], "cycle.edges: the graph has a cycle"),
            (["chips.txt", "--misere"], "certify the graph of the whole sum (--product)"),
            (
                ["chips.txt", "-o", "proof.txt"],
                "the name proof.txt: expected .csv, .json, .parquet",
            ),
        ],
    )
    def test_refusals(self, arguments, message, folder):
        before = sorted(folder.iterdir())
        assert message in error("certificate", *arguments)
        assert sorted(folder.iterdir()) == before

    def test_no_tokens(self):
        assert "there are no tokens" in error("certificate", "-", text="a b\n")


class TestStats:
    def test_for_a_person(self):
        assert output("stats", "chips.txt").splitlines() == [
            "6 vertices, 8 edges",
            "1 source, 2 terminal positions, 0 isolated",
            "3 P, 3 N under normal play",
            "kernel (the P-positions): 3 positions",
            "longest play: 3 moves",
            "widest level: 2 vertices, from which the longest play has 0 moves",
            "memory: the graph takes 104 bytes, reading it 360 bytes, solving it 248 bytes",
            "",
            "longest play  count  example",
            "           0      2  5",
            "           1      2  3",
            "           2      1  1",
            "           3      1  2",
            "",
            "options  count  example",
            "      0      2  5",
            "      1      1  4",
            "      2      2  2",
            "      3      1  1",
            "",
            "value  count  example",
            "    0      3  2",
            "    1      2  3",
            "    2      1  1",
        ]

    def test_json_has_every_row(self):
        figures = json.loads(
            output("stats", "-", "--json", text="50 49 0\n" + "".join(f"{n} {n + 1}\n" for n in range(1, 50)))
        )
        assert (figures["vertices"], figures["depth"], figures["kernel"]) == (50, 49, 25)
        assert figures["widest_level"] == {"birthday": 0, "vertices": 1}
        assert len(figures["birthdays"]) == 50
        assert figures["values"] == [
            {"grundy": 0, "count": 25, "example": 2},
            {"grundy": 1, "count": 25, "example": 1},
        ]
        assert set(figures["memory"]) == {"reading", "graph", "solving"}

    def test_long_tables_are_cut(self):
        text = output("stats", "-", text="50 49 0\n" + "".join(f"{n} {n + 1}\n" for n in range(1, 50)))
        assert "... and 30 more" in text

    def test_sums_and_misere_play(self):
        assert re.match(r"\d+ vertices, [1-9]\d* of them sums, \d+ edges\n", output("stats", "kayles(5)"))
        assert "kernel" not in output("stats", "kayles(5)")
        assert "under misère play" in output("stats", "chips.txt", "--misere", "--tokens", "1")

    def test_an_empty_graph(self):
        assert output("stats", "-", "--format", "edgelist", text="# nothing\n").startswith("0 vertices, 0 edges\n")

    def test_plot(self):
        result = run("stats", "chips.txt", "--plot", "chips.svg")
        assert (result.exit_code, result.stderr) == (0, "graphgame: wrote chips.svg\n")
        assert "</svg>" in Path("chips.svg").read_text(encoding="utf-8")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["cycle.edges"], "cycle.edges: the graph has a cycle"),
            (
                ["chips.txt", "--plot", "a.txt"],
                "cannot plot to 'a.txt': expected a file name that ends in .svg, .png or .pdf",
            ),
        ],
    )
    def test_refusals(self, arguments, message):
        assert message in error("stats", *arguments)


class TestGenerate:
    @pytest.mark.parametrize("shape", sorted(SHAPES))
    def test_a_token_file_on_standard_output(self, shape):
        text = output("generate", shape, "--vertices", "36", "--tokens", "2")
        assert text.startswith("36 ")
        assert text.endswith("\n1 2\n")
        assert output("solve", "-", "--verdict", text=text) in ("win\n", "lose\n")

    @pytest.mark.parametrize("name", ["game.txt", "game.csv.gz", "game.graphml", "game.dot", "game.json", "game.edges"])
    def test_any_format_by_name(self, name):
        result = run("generate", "random", "--vertices", "30", "--edges", "70", "-o", name)
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr.startswith(f"graphgame: wrote {name}: 30 vertices and 70 edges, as ")
        assert read_game(name).number_of_edges() == 70

    @pytest.mark.parametrize("compiled_from", [0, 10**9])
    def test_a_large_token_file_comes_in_blocks(self, compiled_from, monkeypatch):
        asked = ("generate", "random", "--vertices", "1200", "--edges", "7000", "--tokens", "2", "--shuffle", "-o")
        run(*asked, "whole.txt")
        monkeypatch.setattr(engine, "COMPILED_FROM", compiled_from)
        monkeypatch.setattr("graphgame.labs.scale.cli.generate._MOST_EDGES_SORTED", 100)
        monkeypatch.setattr("graphgame.labs.scale.generators.Generated.graph", None)
        assert run(*asked, "blocks.txt").exit_code == 0
        whole, blocks = (Path(name).read_text().splitlines() for name in ("whole.txt", "blocks.txt"))
        assert (blocks[0], blocks[-1]) == (whole[0], whole[-1])
        assert sorted(blocks) == sorted(whole)

    def test_the_format_can_be_given(self):
        assert output("generate", "path", "--vertices", "3", "--to", "csv").splitlines()[-2:] == ["1,2", "2,3"]

    def test_the_seed_decides(self):
        texts = [output("generate", "random", "--seed", seed, "--shuffle") for seed in "112"]
        assert texts[0] == texts[1] != texts[2]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["blob"], "'blob' is not one of 'random', 'grid', 'path', 'star'"),
            (["path", "--vertices", "-4"], "-4 is not in the range"),
            (["path", "--vertices", "0"], "invalid vertices 0: expected an integer of 1 or more"),
            (["path", "--vertices", "1" + "0" * 18], "at most 2147483646 vertices and 100000000000 edges"),
            (["path", "--vertices", "1" + "0" * 9, "--to", "csv"], "at most 500000000 vertices and 500000000 edges"),
            (
                ["random", "--vertices", "3", "--edges", "4"],
                "too many edges (4): the shape random with 3 vertices has at most 3",
            ),
            (["path", "-o", "game.what"], "the name 'game.what' does not tell the format of the file"),
            (["path", "--to", "what"], "unknown format 'what'"),
        ],
    )
    def test_refusals(self, arguments, message, folder):
        before = sorted(folder.iterdir())
        assert message in error("generate", *arguments)
        assert sorted(folder.iterdir()) == before


class TestFilesThatStandAlone:
    def test_the_certificate_of_a_period(self, folder):
        output("heap", "0.77", "--period", "--certificate", "kayles.json")
        assert output("verify", "kayles.json") == "right: octal{0.77} has period 12 from heap 71 on\n"
        certificate = Path("kayles.json").read_text(encoding="utf-8")
        Path("kayles.json").write_text(certificate.replace('"period": 12', '"period": 24'), encoding="utf-8")
        result = run("verify", "kayles.json")
        assert (result.exit_code, "right" in result.stdout) == (2, False)

    def test_a_misere_quotient(self, folder):
        output("misere", "quotient", "0.07", "--heaps", "6", "-o", "dawson.json")
        assert output("verify", "dawson.json").startswith(
            "right: a misère quotient of order 6, proved for 7 positions of octal{0.07}\n"
        )

    @pytest.mark.parametrize(
        ("made", "command"),
        [
            (["heap", "0.77", "--period", "--certificate", "made.json"], ["heap", "check"]),
            (["misere", "quotient", "0.07", "--heaps", "6", "-o", "made.json"], ["misere", "check"]),
        ],
    )
    def test_the_command_of_its_own_keeps_its_short_help_option(self, folder, made, command):
        output(*made)
        words = [["verify", "made.json"], [*command, "-h"]]
        script = f"from graphgame.cli import main\nfor words in {words}: main(words, standalone_mode=False)"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        assert "-h, --help" in done.stdout

    @pytest.mark.parametrize(
        ("made", "told"),
        [
            (
                "solve chips.txt --values made.json",
                "the file holds the values of positions, not a graph: graphgame verify GRAPH VALUES",
            ),
            (
                "search cram(3x4) -o made.json",
                "the file holds the result of a search, not a graph: graphgame search --certificate",
            ),
            ("search cram(3x4) --certificate made.json", "the file holds a certificate, not a graph: graphgame verify"),
            (
                "heap 0.77 --period --certificate made.json",
                "the file holds the certificate of a period, not a graph: graphgame verify",
            ),
            (
                "misere quotient 0.07 --heaps 6 -o made.json",
                "the file holds a misère quotient, not a graph: graphgame misere",
            ),
            ("law nim(a,b) -o made.json", "the file holds laws, not a graph: graphgame verify"),
        ],
    )
    def test_in_place_of_a_graph_a_file_is_named(self, folder, made, told):
        output(*made.split())
        for command in ("solve", "stats", "explain"):
            assert f"made.json: {told}" in error(command, "made.json")
        Path("made.json").write_text(json.dumps(json.loads(Path("made.json").read_text()), indent=2))
        assert told in error("solve", "made.json")

    @pytest.mark.parametrize("misere", ["", " --misere"])
    def test_values_in_csv_are_no_graph(self, folder, misere):
        output(*f"solve chips.txt --tokens 1{misere} --values made.csv".split())
        assert "made.csv:1: the file holds the values of positions" in error("solve", "made.csv")

    def test_an_object_that_is_no_graph(self, folder):
        Path("other.json").write_text('{"a": 1}')
        assert "other.json: the file holds no graph: expected an object with the names directed" in error(
            "solve", "other.json"
        )

    def test_another_file(self, folder):
        assert "a file that holds laws, a certificate or a misère quotient" in error("verify", "chips.txt")


@pytest.mark.parametrize("name", ["verify", "certificate", "stats", "generate"])
def test_help_has_examples(name):
    assert f"graphgame {name} " in output(name, "--help").partition("Examples:")[2]
    assert name in output("--help")


class TestProved:
    """``verify --proved`` runs another program; what that one says is tested by ``make -C verified test``."""

    @pytest.fixture
    def program(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        program = folder / "bin" / "graphgame-proved"
        program.parent.mkdir()
        program.write_text('#!/bin/sh\necho "$@" > arguments\nexit $(cat status)\n', encoding="utf-8")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
        monkeypatch.delenv("GRAPHGAME_PROVED", raising=False)
        return program

    @pytest.mark.parametrize(
        ("given", "handed_on"),
        [
            ("chips.txt values.csv", "chips.txt values.csv"),
            ("kayles.json", "kayles.json"),
            ("chips.txt cycle.edges", "chips.txt cycle.edges"),
            ("--misere --format token chips.txt values.csv", "--misere --format token chips.txt values.csv"),
            ("--loopy cycle.edges values.csv", "--loopy cycle.edges values.csv"),
            ("--tokens 1,2 --tokens 4 chips.txt values.csv", "--tokens 1 --tokens 2 --tokens 4 chips.txt values.csv"),
        ],
    )
    @pytest.mark.parametrize(("status", "expected"), [(0, 0), (2, 2), (1, 2)])
    def test_runs_the_program(self, program: Path, given: str, handed_on: str, status: int, expected: int):
        Path("status").write_text(f"{status}\n", encoding="utf-8")
        Path("kayles.json").write_text("{}\n", encoding="utf-8")
        assert run("verify", "--proved", *given.split()).exit_code == expected
        assert Path("arguments").read_text(encoding="utf-8") == handed_on + "\n"

    def test_the_variable_names_the_program(self, program: Path, monkeypatch: pytest.MonkeyPatch):
        other = program.rename("other")
        monkeypatch.setenv("GRAPHGAME_PROVED", str(other.resolve()))
        Path("status").write_text("0\n", encoding="utf-8")
        assert run("verify", "--proved", "chips.txt", "values.csv").exit_code == 0

    def test_says_how_to_get_the_program(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setenv("PATH", "")
        monkeypatch.delenv("GRAPHGAME_PROVED", raising=False)
        told = error("verify", "--proved", "chips.txt", "values.csv")
        assert "graphgame-proved is not installed" in told
        assert "make -C verified" in told

    @pytest.mark.parametrize(("status", "expected"), [(0, 0), (2, 2)])
    def test_hands_on_what_the_rules_list(self, program: Path, status: int, expected: int):
        program.write_text(f'#!/bin/sh\necho "$@" > arguments\ncat > listing\nexit {status}\n', encoding="utf-8")
        run("search", "nim(1) + nim(2)", "--value", "--certificate", "sum.json")
        assert run("verify", "--proved", "sum.json").exit_code == expected
        assert Path("arguments").read_text(encoding="utf-8") == "-\n"
        listing = Path("listing").read_text(encoding="utf-8")
        assert listing.startswith("graphgame listing\nclaim N 3\nstart ")
        assert "\nvalue 2 nim 2\noption " in listing
        assert "\nvalue 0 nim 0\n" in listing

    def test_refuses_moves_that_end_play(self, program: Path):
        run("search", "cutting(4x4)", "--value", "--certificate", "cuts.json")
        told = error("verify", "--proved", "cuts.json")
        assert (
            "in play from 'cutting(4x4)' a move can end play at once, so a list of values cannot prove who wins" in told
        )
        assert not Path("arguments").exists()

    @pytest.mark.parametrize("option", ["--product", "--workdir=work"])
    def test_other_options_are_refused(self, option: str):
        assert "--proved works only with" in error("verify", "--proved", option, "chips.txt", "values.csv")
