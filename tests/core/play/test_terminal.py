"""``graphgame play`` as a process: over a pipe, and in a real terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from graphgame.cli import main
from tests import ROOT
from tests.helpers import optional
from tests.notations import installed

pexpect = optional("pexpect")

CHIPS = str(ROOT / "samples" / "chips.txt")
CYCLE = str(ROOT / "samples" / "cycle.edges")


def play(*arguments: str, lines: str = "") -> Result:
    return CliRunner().invoke(main, ["play", *arguments], input=lines, catch_exceptions=False)


class TestOverAPipe:
    def test_a_game_from_a_script(self):
        done = play("nim(1,2)", lines="2 -> 1\n-> 0\n")
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout == (
            "nim(1) + nim(2): whoever cannot move loses\n"
            "Type the number of a move, or FROM -> TO, or help.\n"
            "\n1  1  o\n2  2  oo\n1) 1 -> 0   2) 2 -> 0   3) 2 -> 1\n"
            "you: 2 -> 1\ncomputer: 1 -> 0\n"
            "\n1  0\n2  1  o\n1) 1 -> 0\n"
            "you: 1 -> 0\n"
            "\n1  0\n2  0\nno move is left: first player wins after 3 moves: you win\n"
        )

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ([], "Chomp: choose a square of the bar, and eat it and all squares right of it, below it, or both.\n"),
            ([], "Whoever makes the last move wins.\n"),
            (["--misere"], "Misère play: whoever makes the last move loses.\n"),
        ],
    )
    def test_the_rules_are_told(self, options, told):
        assert told in play("chomp(2x2)", *options, lines="rules\nquit\n").stdout

    def test_moves_that_are_alike_are_listed_once(self):
        done = play("nim(2,2,1)", lines="quit\n")
        assert "1) 2 -> 0   2) 2 -> 1   3) 1 -> 0\n" in done.stdout
        assert "\x1b" not in done.stdout

    def test_a_real_pipe(self):
        command = [sys.executable, "-m", "graphgame", "play", "nim(1,1)"]
        done = subprocess.run(command, input="1\n", capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.endswith("no move is left: second player wins after 2 moves: the computer wins\n")

    @pytest.mark.parametrize(
        ("source", "options", "lines", "ending"),
        [
            ("nim(2)", ["--misere"], "-> 1\n", "first player wins after 2 moves: you win"),
            ("nim(2,3)", ["--first", "computer", "--second", "computer"], "", "first player wins after 5 moves"),
            (
                "nim(2,2)",
                ["--first", "computer"],
                "resign\n",
                "second player resigns: first player wins after 1 move: ",
            ),
            ("nim(2)", ["--second", "person"], "-> 1\n-> 0\n", "second player wins after 2 moves"),
            (CHIPS, [], "1 -> 3\n2 -> 4\n-> 5\n", "first player wins after 5 moves: you win"),
            (CHIPS, ["--tokens", "5"], "", "no move is left: second player wins after 0 moves: the computer wins"),
            (f"{CHIPS}@4", [], "-> 5\n", "first player wins after 1 move: you win"),
            ("cutting(4x2)", [], "2x2 + 2x2\n1\n", "first player wins after 3 moves: you win"),
            ("cutting(1x2)", [], "1\n", "the last move ends play and wins: first player wins after 1 move: you win"),
            *installed(
                [
                    (
                        "whiteboard{3}(1)",
                        [],
                        "1\n",
                        "the last move ends play and loses: second player wins after 1 move: the computer wins",
                    )
                ]
            ),
            (CYCLE, ["--loopy", "--tokens", "start"], "left\n-> tower\n-> bridge\n-> left\n" * 3, "a draw"),
        ],
    )
    def test_how_games_end(self, source, options, lines, ending):
        done = play(source, *options, lines=lines)
        assert (done.exit_code, done.stderr) == (0, "")
        assert ending in done.stdout.strip().split("\n")[-1]

    def test_the_end_of_the_input(self):
        done = play("nim(3)", lines="hint\n")
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.endswith("3 -> 0 wins, in at most 1 move\nthe game is not finished\n")

    def test_illegal_lines(self):
        done = play("nim(3,4)", lines="9 -> 1\n99\nfoo\nH\n4 -> 3\n")
        assert done.exit_code == 2
        assert done.stderr == (
            "graphgame: no component matches '9 -> 1': there are 3, 4; help lists what may be typed\n"
            "graphgame: there is no move number 99: expected 1 to 7\n"
            "graphgame: 'foo' is not a move here; help lists what may be typed\n"
            "graphgame: 'H' is not a move here; did you mean help, hint or history?\n"
            "graphgame: error: 4 lines of the input could not be carried out\n"
        )
        assert "you: 4 -> 3\ncomputer: 3 -> 2" in done.stdout

    def test_commands(self, tmp_path: Path):
        path = tmp_path / "x.play"
        done = play("kayles(4)", lines=f"help\nmoves\nwhy\n1 + 1\nundo\nhistory\nboard\nsave {path}\nquit\n")
        assert (done.exit_code, done.stderr) == (0, "")
        for shown in (
            "  resign   give up: the other player wins",
            "value 1: none, so mex{0, 2, 3} = 1",
            "no moves yet",
        ):
            assert shown in done.stdout
        assert path.read_text().startswith("# graphgame record 1\ngame kayles(4)\n")

    @pytest.mark.parametrize(
        ("options", "lines", "ending"),
        [
            (["--misere"], "-> 0\nundo\n-> 1\n", "first player wins after 2 moves: you win"),
            (["--misere"], "-> 1\nundo\n-> 0\n\n-> 1\n", "second player wins after 1 move: the computer wins"),
            ([], "resign\nundo\n-> 0\nhistory\n", "1  first  1: 2 -> 0"),
            (["--second", "person"], "-> 1\n-> 0\nundo\nundo\n-> 0\n", "first player wins after 1 move"),
            ([], "-> 0\nundo\n", "the game is not finished"),
            ([], "-> 0\nquit\nundo\n", "first player wins after 1 move: you win"),
            ([], "-> 0\n-> 0\nundo\n", "first player wins after 1 move: you win"),
        ],
    )
    def test_a_move_is_taken_back_after_the_end(self, options, lines, ending):
        done = play("nim(2)", *options, lines=lines)
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.strip().split("\n")[-1].endswith(ending)

    def test_commands_that_do_not_work(self, tmp_path: Path):
        done = play("nim(3)", lines=f"undo\nsave {tmp_path}\nsave\n")
        assert done.exit_code == 2
        assert done.stderr == (
            f"graphgame: there is no move of yours to take back\ngraphgame: {tmp_path}: Is a directory\n"
            "graphgame: save needs the name of a file: type save FILE\n"
            "graphgame: error: 3 lines of the input could not be carried out\n"
        )

    def test_the_computer_errs_by_the_seed(self):
        runs = {seed: play("nim(9,9,9)", "--err", "1", "--seed", seed, lines="1\n" * 9).stdout for seed in "1213"}
        assert play("nim(9,9,9)", "--err", "1", "--seed", "1", lines="1\n" * 9).stdout == runs["1"]
        assert len(set(runs.values())) == 3

    def test_labels_are_made_harmless(self, tmp_path: Path):
        path = tmp_path / "game.json"
        path.write_text(
            '{"directed": true, "multigraph": false, "graph": {"tokens": ["\\u001b[2J"]}, '
            '"nodes": [{"id": "\\u001b[2J"}, {"id": "\\u202e"}], '
            '"edges": [{"source": "\\u001b[2J", "target": "\\u202e"}]}'
        )
        done = play(str(path), "--tokens", "\x1b[2J", lines="1\n")
        assert "\x1b" not in done.output
        assert "\u202e" not in done.output

    def test_two_people_need_no_solution(self):
        done = play("cram(7x7)", "--second", "person", "--max-positions", "10", lines="1\nhint\n")
        assert "first: " in done.stdout
        assert "the game is larger than the limit" in done.stderr

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ([], "missing SOURCE"),
            (["-"], "SOURCE cannot be standard input"),
            (["nim(3"], "is not closed"),
            ([CYCLE, "--tokens", "start"], "the graph has a cycle"),
            (["cram(6x6)", "--max-positions", "99"], "--max-positions allows more"),
            (["kayles(20) + nim(5)", "--misere", "--product-limit", "9"], "--product-limit allows more"),
            (["nim(3)", "--err", "2"], "2.0 is not in the range 0<=x<=1"),
            (["--replay", "a", "--resume", "b"], "choose one of --replay and --resume"),
        ],
    )
    def test_what_is_refused(self, arguments, message):
        done = play(*arguments)
        assert done.exit_code == 2
        assert message in " ".join(done.stderr.replace("│", " ").split())

    def test_a_graph_without_tokens(self, tmp_path: Path):
        path = tmp_path / "game.edges"
        path.write_text("a b\n")
        done = play(str(path))
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == (
            f"graphgame: error: {path} has no tokens to play with: name a position, as in {path}@a\n"
        )
        assert play(str(path), "--tokens", "a", lines="-> b\n").exit_code == 0

    def test_play_that_goes_round(self):
        done = play("wind-up{5:1,3}(4)", "--loopy", "--second", "person", lines="-> 3\n-> 2\n-> 1\n-> 0\n")
        assert done.stdout.endswith("no move is left: second player wins after 4 moves\n")
        refused = play("wind-up{5:1,3}(4)")
        assert refused.exit_code == 2
        assert "; --loopy solves games with cycles too" in refused.stderr


class TestRecords:
    def test_saved_shown_and_gone_on_with(self, tmp_path: Path):
        path = str(tmp_path / "game.play")
        assert play("nim(3,4)", "--save", path, lines="4 -> 3\n").exit_code == 0
        shown = play("--replay", path)
        assert shown.stdout.endswith("second: 3 -> 2\n\n1  2  oo\n2  3  ooo\nthe game is not finished\n")
        on = play("--resume", path, "--save", path, lines="3 -> 2\n2 -> 1\n-> 0\n")
        assert on.stdout.endswith("no move is left: first player wins after 7 moves: you win\n")
        assert Path(path).read_text().endswith("move 2: 1 -> 0\nresult first wins\n")

    def test_a_record_that_cannot_be_written_is_told_before_the_game(self, tmp_path: Path):
        done = play("nim(3)", "--save", f"{tmp_path}/none/game.play", lines="1\n")
        assert (done.exit_code, done.stdout) == (2, "")
        assert "No such file or directory" in done.stderr

    def test_a_graph_file_is_named_with_its_tokens(self, tmp_path: Path):
        path = tmp_path / "game.play"
        play(CHIPS, "--tokens", "1,2", "--misere", "--save", str(path), lines="1\n")
        assert path.read_text().startswith(f"# graphgame record 1\ngame {CHIPS}\ntoken 1\ntoken 2\nplay misere\n")
        assert play("--replay", str(path)).exit_code == 0

    def test_rules_in_python_are_run_only_when_the_user_names_them(self, tmp_path: Path):
        rules, path = tmp_path / "own.py", tmp_path / "game.play"
        rules.write_text(
            "from graphgame import Ruleset\n\n\nclass Own(Ruleset):\n"
            "    def options(self, n):\n        yield from range(n)\n"
        )
        assert play(f"{rules}:Own(2)", "--save", str(path), lines="-> 0\n").exit_code == 0
        refused = play("--replay", str(path))
        assert refused.exit_code == 2
        assert (
            "names rules in Python, which graphgame runs only if you name them on the command line: "
        ) in refused.stderr
        assert play(f"{rules}:Own(2)", "--replay", str(path)).stdout.endswith("first player wins after 1 move\n")

    def test_a_wrong_record(self, tmp_path: Path):
        path = tmp_path / "game.play"
        path.write_text("# graphgame record 1\ngame nim(3)\nmove 1: 3 -> 4\n")
        done = play("--replay", str(path))
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == f"graphgame: error: {path}:3: '1: 3 -> 4' is not a move here\n"


class TestInATerminal:
    @pytest.fixture
    def start(self):
        running = []

        def run(*arguments: str, wide: int = 80, **environment: str) -> Any:
            around = {**os.environ, "TERM": "dumb", "COLUMNS": str(wide), **environment}
            command = [*("-m", "graphgame", "play"), *arguments]
            started = pexpect.spawn(
                sys.executable, command, env=around, encoding="utf-8", timeout=60, dimensions=(50, wide)
            )
            running.append(started)
            return started

        yield run
        for process in running:
            process.close(force=True)

    def test_the_board_stands_beside_its_moves(self, start):
        terminal = start("chomp(2x2)")
        terminal.expect("you> ")
        lines = terminal.before.replace("\r", "").split("\n")
        assert lines[-3:-1] == ["2,2  xo    1) -> 1,1   2) -> 2     3) -> 2,1", "     oo"]

    def test_a_narrow_terminal_breaks_no_word(self, start):
        terminal = start("cram(3x4)", wide=40)
        terminal.expect("you> ")
        terminal.sendline("help")
        terminal.expect("you> ")
        lines = terminal.before.replace("\r", "").split("\n")
        assert max(map(len, lines)) <= 40
        words = " ".join(" ".join(lines).split())
        assert "You may leave out FROM if only one component has such a move" in words
        assert (
            "take back a person's last move and the computer's answer, or a resignation, even after the game" in words
        )

    @pytest.mark.parametrize(
        ("environment", "colour"),
        [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
    )
    def test_colour_is_for_terminals_that_want_it(self, start, environment, colour):
        terminal = start("nim(2)", **{"NO_COLOR": "", **environment})
        terminal.expect("you> ")
        assert ("\x1b[1;34moo\x1b[0m" in terminal.before) == colour
        assert ("\x1b[36m1)" in terminal.before) == colour

    def test_a_game_is_won(self, start):
        terminal = start("nim(1,2)")
        terminal.expect("you> ")
        assert "1) 1 -> 0   2) 2 -> 0   3) 2 -> 1" in terminal.before
        terminal.sendline("nonsense")
        terminal.expect("graphgame: 'nonsense' is not a move here")
        terminal.expect("you> ")
        terminal.sendline("hint")
        terminal.expect("2 -> 1 wins, in at most 3 moves")
        terminal.sendline("3")
        terminal.expect("computer: 1 -> 0")
        terminal.expect("you> ")
        terminal.sendline("1")
        terminal.expect("no move is left: first player wins after 3 moves: you win")
        terminal.expect("undo, history, save FILE, or Enter to end> ")
        terminal.sendline("undo")
        terminal.expect("you> ")
        terminal.sendline("1")
        terminal.expect("no move is left: first player wins after 3 moves: you win")
        terminal.expect("or Enter to end> ")
        terminal.sendline("")
        terminal.expect(pexpect.EOF)
        terminal.close()
        assert terminal.exitstatus == 0

    def test_the_end_of_input_ends_politely(self, start):
        terminal = start("nim(3)")
        terminal.expect("you> ")
        terminal.sendeof()
        terminal.expect("the game is not finished")
        terminal.expect(pexpect.EOF)
        terminal.close()
        assert terminal.exitstatus == 0

    def test_an_interrupt_leaves_a_record(self, start, tmp_path: Path):
        path = tmp_path / "game.play"
        terminal = start("nim(3)", "--second", "person", "--save", str(path))
        terminal.expect("first> ")
        terminal.sendline("-> 1")
        terminal.expect("second> ")
        terminal.sendintr()
        terminal.expect("interrupted")
        terminal.expect(pexpect.EOF)
        terminal.close()
        assert terminal.exitstatus == 130
        assert re.search(r"move 1: 3 -> 1\nresult unfinished\n", path.read_text())
