"""``graphgame misere``."""

import csv
import io
import json
import re
import signal
import sys

import pexpect
import pytest
from click.testing import CliRunner

from graphgame.cli import main
from tests import ROOT

SAMPLES = ROOT / "samples"


def run(*arguments):
    return CliRunner().invoke(main, ["misere", *map(str, arguments)])


def printed(*arguments):
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


class TestGenera:
    def test_heaps_0_to_20_unless_told(self):
        lines = printed("0.77").splitlines()
        assert len(lines) == 22
        assert lines[6].split() == ["5", "4^146", "1", "N", "restless"]

    def test_graph_file(self):
        assert printed(SAMPLES / "chips.txt").splitlines()[1].split() == ["1", "2", "2", "N", "tame"]

    def test_json(self):
        record = json.loads(printed("0.77", "--heaps", 8, "--canonical", "--json"))
        assert [row["hereditarily_tame"] for row in record["positions"]] == [True] * 5 + [False, True, False, True]
        fifth = record["positions"][5]
        assert (fifth["genus"], fifth["grundy"], fifth["superscript"], fifth["kind"]) == (
            "4^146",
            4,
            [1, 4, 6],
            "restless",
        )
        assert [len(record["forms"][option]) for option in record["forms"][fifth["form_number"]]] == [1, 2, 3, 2]

    def test_csv_of_boards(self):
        rows = list(csv.DictReader(io.StringIO(printed("notakto(1)", "--csv"))))
        assert len(rows) == 47
        assert {row["position"]: row["outcome"] for row in rows}[".../.../..."] == "N"


class TestQuotient:
    def test_graph(self):
        text = printed("quotient", "notakto(1)")
        assert text.startswith(
            "notakto(1): misère quotient of order 18, 4 elements in the P-portion, proved for 47 positions\n"
        )

    def test_csv(self):
        lines = printed("quotient", "0.77", "--heaps", 4, "--csv")
        assert lines == "position,element,outcome\n0,1,N\n1,a,P\n2,b,N\n3,ab,N\n4,a,P\n"

    def test_json(self):
        record = json.loads(printed("quotient", "0.123", "--heaps", 80, "--json"))
        assert (record["order"], len(record["p_portion"]), record["complete"]) == (20, 5, True)
        assert record["period"] == {"preperiod": 5, "period": 5}
        assert len(record["multiplication"]) == 20

    @pytest.mark.parametrize(
        ("arguments", "answer"),
        [
            (["0.123", "3,3,9,70", "--heaps", 20], "first player wins (element ad)\n"),
            (["0.77", "1"], "second player wins (element a)\n"),
            (["take{1,2}", "3", "4"], "second player wins (element a)\n"),
            (["notakto(2)", ".../.../...", ".../.../..."], "second player wins"),
            (["notakto(1)", ".../.../...", "X../.../..."], "first player wins"),
            ([SAMPLES / "chips.txt", "1,2,4,6"], "first player wins"),
        ],
    )
    def test_outcome(self, arguments, answer):
        assert printed("outcome", *arguments).startswith(answer)

    def test_outcome_from_a_saved_quotient(self, tmp_path):
        file = tmp_path / "saved.json"
        run("quotient", "0.123", "--heaps", 20, "-o", file)
        for positions in (["3,3,9,10"], ["3", "3", "9", "10"], ["3,3,9,70000"]):
            assert printed("outcome", file, *positions).startswith("first player wins (element ad)\n")
        assert "is a saved quotient" in run("outcome", file, "3", "--heaps", 9).stderr
        run("quotient", SAMPLES / "chips.txt", "-o", file)
        assert printed("outcome", file, "1,2,4,6").startswith("first player wins")
        assert "position 9 is none of the positions" in run("outcome", file, "9").stderr

    def test_partial_saved_resumed_checked(self, tmp_path):
        file = tmp_path / "dawson.json"
        first = run("quotient", "0.07", "--heaps", 22, "--max-order", 20, "--resume", file)
        assert first.exit_code == 0
        assert (
            "with one more position, the quotient has more than 20 elements: so far, the misère quotient is proved for "
            "the heaps 0 to 13" in first.stderr
        )
        assert "proved for the heaps 0 to 13" in first.stdout.splitlines()[0]
        assert printed("check", file).splitlines() == [
            "right: a misère quotient of order 12, proved for 14 positions of octal{0.07}",
            "no period of the elements is proved from these heaps",
        ]
        text = run("quotient", "0.07", "--heaps", 22, "--resume", file).stdout
        assert "proved for the heaps 0 to 22" in text.splitlines()[0]
        wrong = run("check", file, "0.77")
        assert (wrong.exit_code, wrong.stdout) == (2, "")
        assert f"{file}: the misère quotient is not proved for 0.77: " in wrong.stderr

    @pytest.mark.parametrize(
        ("code", "period"),
        [
            ("0.123", "period 5 from heap 5 on"),
            ("0.75", "period 2 from heap 8"),
            ("take{1,2}", "period 3 from heap 0"),
        ],
    )
    def test_check_proves_the_period(self, tmp_path, code, period):
        file = tmp_path / "quotient.json"
        found = run("quotient", code, "--heaps", 40, "--resume", file).stdout.splitlines()
        proved = printed("check", file).splitlines()
        assert proved[1] == found[1]
        assert proved[1].startswith(f"proved for all heaps: the elements have the {period}")

    @pytest.mark.parametrize("member", ["complete", "order", "elements", "relations", "pretending", "multiplication"])
    def test_a_member_that_is_altered_is_found(self, tmp_path, member):
        file = tmp_path / "quotient.json"
        run("quotient", "0.75", "-o", file)
        record = json.loads(file.read_text())
        file.write_text(json.dumps(record | {member: None}))
        assert f'the member "{member}" of the file contradicts the quotient' in run("check", file).stderr

    def test_check_of_standard_input(self, tmp_path):
        file = tmp_path / "quotient.json"
        run("quotient", "0.75", "-o", file)
        done = CliRunner().invoke(main, ["misere", "check", "-"], input=file.read_bytes())
        assert done.stdout == run("check", file).stdout

    def test_check_of_a_graph(self, tmp_path):
        file = tmp_path / "quotient.json"
        run("quotient", "notakto(1)", "-o", file)
        assert printed("check", file) == "right: a misère quotient of order 18, proved for 47 positions of notakto(1)\n"
        fault = "the list of the graph's positions does not start with the positions of the quotient"
        assert f"not proved for nim(3): {fault}" in run("check", file, "nim(3)").stderr

    def test_rules_that_only_a_file_names_are_not_run(self, tmp_path):
        file, rules = tmp_path / "quotient.json", tmp_path / "rules.py"
        run("quotient", "notakto(1)", "-o", file)
        file.write_text(file.read_text().replace("notakto(1)", f"{rules}:Own"))
        rules.write_text("raise SystemExit('these rules were run')")
        result = run("check", file)
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"name them on the command line: graphgame misere check {file} '{rules}:Own'" in result.stderr

    def test_ctrl_c_keeps_what_is_proved(self, tmp_path):
        file = tmp_path / "dawson.json"
        arguments = ["misere", "quotient", "0.07", "--heaps", "90", "--max-order", "2900", "--resume", str(file)]
        terminal = pexpect.spawn(sys.executable, ["-m", "graphgame", *arguments], timeout=60, encoding="utf-8")
        terminal.expect("3[3-9] positions, [0-9,]+ elements")  # the quotient of the first heaps is proved by then
        terminal.kill(signal.SIGINT)
        terminal.expect(pexpect.EOF)
        terminal.close()
        assert terminal.exitstatus == 130
        assert f"wrote {file}: proved for the heaps 0 to" in terminal.before
        record = json.loads(file.read_text())
        assert (record["complete"], record["stopped"], record["asked"]) == (False, "interrupted", 91)
        assert re.match(r"right: a misère quotient of order .* of octal\{0.07\}\n", printed("check", file))
        assert [path.name for path in tmp_path.iterdir()] == ["dawson.json"]

    def test_a_place_where_nothing_can_be_written_is_told_before_the_search(self, monkeypatch):
        monkeypatch.setattr("graphgame.labs.misere.heap_quotient", lambda *_, **__: pytest.fail("searched"))
        result = run("quotient", "0.07", "--heaps", 90, "-o", "/no-such-folder/q.json")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "/no-such-folder/q.json: No such file" in result.stderr

    def test_an_older_file_stays_where_the_search_fails(self, tmp_path):
        file = tmp_path / "q.json"
        file.write_text("older")
        assert run("quotient", "0.77", "--heaps", 30, "--max-positions", 50, "-o", file).exit_code == 2
        assert (file.read_text(), [path.name for path in tmp_path.iterdir()]) == ("older", ["q.json"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["0.7x"], "'x' is not a digit of this code"),
        (["no_file.txt"], "No such file"),
        (["no-such-file"], "No such file"),
        ([f"0.{'7' * 300}", "--format", "csv"], "leave out --format"),
        (["wythoff"], "expected a position, such as wythoff(3,5)"),
        (["wythoff", "--heaps", 3], "is not a game on one heap"),
        (["0.77", "--format", "csv"], "leave out --format"),
        (["0.77", "--heaps", -1], "Invalid value for '-n'"),
        (["quotient", "0.77", "--timeout", 0], "Invalid value for '--timeout'"),
        (["outcome", "0.77", "1,x"], "expected heaps as numbers"),
        (["outcome", "0.77"], "Missing argument 'POSITIONS...'"),
        (["outcome", "0.77", ","], "no position in ','"),
        (["outcome", "0.77", "6", "--heaps", 5], "position 6 is none of the positions"),
        (["quotient", "0.77", "--canonical"], "No such option"),
        (["quotient", "0.77", "--csv", "--json"], "choose one of --csv and --json"),
        (["0.77", "--csv", "--json"], "choose one of --csv and --json"),
        (["0.77", "--heaps", 30, "--max-forms", 50], "the limit is max_forms=50; --max-forms allows more"),
        (["0.77", "--heaps", 30, "--max-positions", 50], "--max-positions allows more"),
        (
            ["0.77", "--heaps", 10**9],
            "the graph of the heaps 0 to 1000000000 has more positions than the limit, 2000000",
        ),
        (["quotient", "0.77", "--heaps", 10**9], "--max-positions allows more"),
        (["quotient", "0.77", "--resume", SAMPLES / "chips.json"], "not a valid misère quotient"),
        (["check", "no-such-file.json"], "No such file"),
        (["quotient", "0.77", "-o", "/no-such-folder/q.json"], "No such file"),
        ([SAMPLES / "cycle.edges"], "cycle"),
        (["quotient", SAMPLES / "cycle.edges"], "cycle"),
    ],
)
def test_wrong_input(arguments, message):
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr
