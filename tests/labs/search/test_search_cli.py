"""``graphgame search``."""

import json
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from graphgame import Search, parse_position
from graphgame.cli import main
from graphgame.labs.search import cli as module


def run(*arguments):
    return CliRunner().invoke(main, ["search", *map(str, arguments)])


def printed(*arguments):
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def message(*arguments):
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


class TestAnswers:
    def test_outcome(self):
        assert printed("cram(4x4)").splitlines()[0] == "second player wins"

    def test_value(self):
        assert printed("cram(3x4) + nim(4)", "--value").splitlines()[0] == "first player wins: value 5"

    def test_json(self):
        found = json.loads(printed("sprouts(3)", "--value", "--json"))
        assert found.pop("visited") == found.pop("kept") > 3
        assert found == {"position": "sprouts(0.0.0!)", "outcome": "N", "value": 1}

    def test_whole_graph(self):
        found = json.loads(printed("kayles(9)", "--value", "--json", "--compare"))
        assert (found["value"], found["whole"]) == (4, 10)

    def test_a_graph_that_is_too_large_to_compare(self):
        lines = printed("cram(4x4)", "--compare", "--max-positions", 100).splitlines()
        assert lines[1].endswith("; the whole graph has more positions or moves than --max-positions 100 allows")

    def test_a_graph_with_too_many_moves_may_have_few_positions(self):
        lines = printed("wythoff(1500,1500)", "--compare").splitlines()
        assert lines[1].endswith("; the whole graph has more positions or moves than --max-positions 2,000,000 allows")

    def test_a_wrong_answer_would_be_seen(self, monkeypatch):
        monkeypatch.setattr(Search, "outcome", lambda self: "N")
        assert "disagrees with the whole graph, which has the value 0" in message("cram(2x3) + cram(3x2)", "--compare")


class TestRanges:
    def test_each_position_is_that_of_its_own_search(self):
        lines = printed("nogo(1x1..12)", "--value").splitlines()
        assert lines[0].split() == ["position", "value", "visited"]
        assert [line.split()[:2] for line in lines[1:]] == [
            [f"nogo(1x{n})", str(Search(f"nogo(1x{n})").grundy)] for n in range(1, 13)
        ]

    def test_two_ranges_and_numbers_that_are_no_position(self):
        found = json.loads(printed("chomp(1..3,2..3)", "--value", "--json"))
        assert [(each["position"], each["value"]) for each in found] == [
            ("chomp(2,2)", 2),
            ("chomp(3,2)", 0),
            ("chomp(3,3)", 4),
        ]

    @pytest.mark.parametrize("command", ["search", "values"])
    def test_ctrl_c_gives_the_answers_so_far(self, command, monkeypatch):
        grundy, asked = Search.grundy.fget, []

        def interrupted(search):
            asked.append(search)
            if len(asked) > 2:
                raise KeyboardInterrupt
            return grundy(search)

        monkeypatch.setattr(Search, "grundy", property(interrupted))
        value = ["--value"] if command == "search" else []
        result = CliRunner().invoke(main, [command, "nogo(1x1..9)", "--json", *value])
        said = "graphgame: stopped early: 2 of 9 positions are done\ninterrupted\n"
        assert (result.exit_code, result.stderr) == (130, said)
        found = json.loads(result.stdout)
        if command == "search":
            assert [each["value"] for each in found] == [0, 1]
        else:
            assert (found["grundy"], found["complete"]) == ([0, 1, *[None] * 7], False)

    def test_a_limit_gives_the_answers_so_far(self):
        result = run("nogo(1x1..9)", "--value", "--json", "--max-positions", 40)
        assert (
            result.exit_code,
            "no answer: the search would need a table of more than 40 positions" in result.stderr,
        ) == (2, True)
        assert [each["value"] for each in json.loads(result.stdout)] == [0, 1, 0, 1, 2, 0]

    def test_one_table_for_all(self, tmp_path):
        table = tmp_path / "table.txt"
        told = [run("node-kayles(grid:3x1..14)", "--value", "--resume", table) for _ in range(2)]
        first, second = ([line.split()[1:] for line in each.stdout.splitlines()[1:]] for each in told)
        assert [value for value, _ in first] == [value for value, _ in second]
        assert sum(int(visited.replace(",", "")) for _, visited in first) > 1000
        assert all(visited == "0" for _, visited in second)

    def test_misere(self):
        outcomes = [line.split()[1] for line in printed("sprouts(1..5)", "--misere").splitlines()[1:]]
        assert outcomes == ["N", "P", "P", "P", "N"]

    def test_a_limit_keeps_what_was_told(self):
        result = run("cram(5x4..7)", "--value", "--max-positions", 2000)
        assert (result.exit_code, result.stdout.splitlines()[1].split()[:2]) == (2, ["cram(5x4)", "2"])
        assert "no answer: the search would need a table of more than 2,000 positions" in result.stderr

    def test_of_one_position_alone(self, tmp_path):
        assert "SOURCE has ranges" in message("cram(3x1..4)", "--compare")
        assert "more than 100,000 entries" in message("kayles(0..100000)")


class TestTables:
    def test_kept_and_read_again(self, tmp_path):
        table = tmp_path / "table.txt"
        first = run("cram(3x5)", "--value", "--resume", table)
        assert (first.exit_code, first.stderr) == (0, f"graphgame: wrote {table}: 45 positions\n")
        assert "\n0 positions visited" in run("cram(3x5)", "--value", "--resume", table).stdout

    def test_kept_at_a_limit(self, tmp_path):
        table = tmp_path / "table.txt"
        said = message("cram(4x5)", "--value", "--resume", table, "--max-positions", 60)
        assert f"wrote {table}: 60 positions" in said
        assert (
            "error: no answer: the search would need a table of more than 60 positions; --max-positions allows more"
            in said
        )
        again = run("cram(4x5)", "--value", "--resume", table)
        assert again.stdout.startswith("first player wins: value 2\n")

    def test_an_older_table_is_not_lost(self, tmp_path):
        table = tmp_path / "table.txt"
        table.write_text("mine")
        assert "not in the format 'graphgame search table'" in message("cram(3x5)", "--resume", table)
        assert table.read_text() == "mine"

    def test_a_place_where_nothing_can_be_written_is_told_at_once(self, tmp_path):
        assert "No such file or directory" in message("cram(9x9)", "--resume", tmp_path / "no" / "table.txt")

    def test_standard_output_is_no_place_for_a_table(self):
        assert "needs a file that can be read again" in message("cram(3x5)", "--resume", "-")

    @pytest.mark.parametrize(("position", "writings"), [("node-kayles(grid:17x17)", 3), ("cram(15x15)", 2)])
    def test_a_killed_search_goes_on_from_what_it_wrote_last(self, tmp_path, position, writings):
        """One search takes any rules, the other is compiled, among sets of 225 cells."""
        table = tmp_path / "table.txt"
        arguments = ["search", position, "--resume", str(table), "--resume-every", "0.1"]
        process = subprocess.Popen([sys.executable, "-m", "graphgame", *arguments], stderr=subprocess.DEVNULL)
        sizes = set()
        while len(sizes) < writings:
            assert process.poll() is None
            if table.exists():
                sizes.add(json.loads(table.read_text().partition("\n")[0])["positions"])
            time.sleep(0.05)
        process.kill()
        assert process.wait(timeout=60) == -signal.SIGKILL
        search = Search(parse_position(position))
        search.read_table(table)
        assert search.kept >= max(sizes) > 0
        said = message(position, "--resume", table, "--max-positions", search.kept + 5)
        assert f"wrote {table}: {search.kept + 5:,} positions" in said

    def test_a_table_that_takes_long_is_written_seldom(self, tmp_path, monkeypatch):
        clock, written = iter([0, 7, 8, 69, 71, 80, 83, 90, 91]), []
        monkeypatch.setattr(module, "monotonic", lambda: next(clock))
        monkeypatch.setattr(Search, "write_table", lambda self, path, progress: written.append(path))
        search, table = Search(parse_position("cram(2x2)")), module._Table(str(tmp_path / "table.txt"), 60)
        with table.saving(search):
            for due in (False, False, True):
                table.report(0, 0)
                assert len(written) == 1 + due

    def test_ctrl_c_keeps_the_table(self, tmp_path):
        table = tmp_path / "table.txt"
        arguments = [sys.executable, "-m", "graphgame", "search", "node-kayles(grid:17x17)", "--resume", str(table)]
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not table.exists():
            assert process.poll() is None
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out) == (130, "")
        assert err.endswith("interrupted\n")
        assert "Traceback" not in err
        search = Search(parse_position("node-kayles(grid:17x17)"))
        search.read_table(table)
        assert f"graphgame: wrote {table}: {search.kept:,} position" in err
        assert [path.name for path in tmp_path.iterdir()] == ["table.txt"]


def test_an_answer_that_needs_no_search():
    assert run("cram(4x6)").stdout == "second player wins\n0 positions visited: no search was needed\n"


class TestFaults:
    def test_a_file(self, tmp_path):
        path = tmp_path / "game.edges"
        assert "game.edges: No such file" in message(path)
        path.write_text("a b\nb c\n")
        assert f"has no tokens to play with: name a position, as in {path}@a" in message(path)
        piped = CliRunner().invoke(main, ["search", "-"], input="a b\n")
        assert "name a position, as in --tokens a" in piped.stderr
        answer = "first player wins: value 1\n3 positions visited of 3 in the whole graph; the answers agree\n"
        assert printed(path, "--tokens", "a b", "--value", "--compare") == answer

    def test_a_wrong_position(self):
        assert "unknown cell '?'" in message("cram(.?)")

    def test_time(self):
        assert "no answer within 0.01 seconds" in message("cram(9x9)", "--timeout", "0.01")

    def test_cycles(self):
        assert "wind-up may repeat a position" in message("wind-up{5:1,3}(4)")


@pytest.mark.parametrize("misere", [[], ["--misere"]])
def test_rules_of_ones_own_that_grow_for_ever(tmp_path, misere):
    (tmp_path / "mine.py").write_text(
        "from graphgame import Ruleset\nclass Grow(Ruleset):\n    def options(self, n):\n        return [n+1, n+2]\n"
    )
    said = message(f"{tmp_path}/mine.py:Grow(3)", "--timeout", "0.1", *misere)
    assert "no answer within 0.1 seconds" in said
    assert "play might never end: 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> (2989 more) -> 2998 -> " in said
    assert said.endswith("graphgame check looks for what is wrong with the rules\n")


def test_rules_of_ones_own(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from graphgame import Ruleset, Sum\n"
        "class Pins(Ruleset):\n"
        "    def options(self, row):\n"
        "        return [Sum([a, row - hit - a]) for hit in (1, 2) for a in range(row - hit + 1)]\n"
    )
    assert printed(f"{tmp_path}/mine.py:Pins(70)", "--value").startswith("first player wins: value 6\n")
