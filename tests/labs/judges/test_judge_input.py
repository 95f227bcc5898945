"""What ``graphgame judge`` takes and refuses, and the command itself."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graphgame.cli import main
from graphgame.errors import ParseError, RulesetError
from graphgame.io.files import Source
from graphgame.labs.judges.judge_format import CaseReader
from graphgame.labs.judges.judging import PROBLEMS, problem

SIZE = "the size of a case"

BAD = [
    ("nim-1", "", "the input ends too early: expected the number of cases", (1, 1)),
    ("nim-1", "x\n", "expected the number of cases, found 'x'", (1, 1)),
    ("nim-1", "-1\n", "the number of cases is -1: expected 0 or more", (1, 1)),
    ("nim-1", "1\n-2\n", f"{SIZE} is -2: expected 0..10000000", (2, 1)),
    (
        "nim-1",
        "1\n1000000000000000000\n1\n",
        f"expected {SIZE}, found the number '1000000000000000000', which has more than 18 digits",
        (2, 1),
    ),
    ("nim-1", "1\n99999999\n1\n", f"{SIZE} is 99999999: expected 0..10000000", (2, 1)),
    ("nim-1", "1\n3\n1 -5 2\n", "a heap is -5: expected 0 or more", (3, 3)),
    ("nim-1", "1\n3\n1 2\n", "the input ends too early: expected a heap", (3, 4)),
    ("nim-1", "1\n3\n1 2 2.5\n", "found '2.5'", (3, 5)),
    ("nim-1", "1\n2\n1 2\n9\n", "expected the end of the input: the input announces 1 case", (4, 1)),
    ("nim-1", "2\n2\n1 2\n", f"the input ends too early: expected {SIZE}", (3, 4)),
    ("nim-1", "999999999999999999\n1\n1\n", f"the input ends too early: expected {SIZE}", (3, 2)),
    ("nim-moves", "2\n1 1\n", f"the input ends too early: expected {SIZE} (0 ends the input)", (2, 4)),
    ("nim-moves", "2\n1 1\n0\n5\n", "expected the end of the input: a 0 ended the cases", (4, 1)),
    ("whiteboard", "1 1\n30\n", "the input ends too early: expected N or k (0 0 ends the input)", (2, 3)),
    ("whiteboard", "1 1\n30 3\n", "the input ends too early: expected N or k (0 0 ends the input)", (2, 5)),
    ("whiteboard", "0 5\n0 0\n", "N and k must both be 1 or more, or 0 0 to end", (1, 1)),
    ("whiteboard", "5 0\n0 0\n", "N and k must both be 1 or more, or 0 0 to end", (1, 3)),
    ("whiteboard", "0 0\n1 1\n", "expected the end of the input: a pair 0 0 ended the cases", (2, 1)),
    ("grundy", "1\n1000001\n", "a heap is 1000001: expected 0..1000000", (2, 1)),
    ("s-nim", "2 0 5\n", "a number that may be taken is 0: expected 1 or more", (1, 3)),
    ("s-nim", "1001 1\n", "the size of a subtraction set (0 ends the input) is 1001: expected 0..1000", (1, 1)),
    ("s-nim", "1 1\n1\n1 1000001\n0\n", "a heap is 1000001: expected 0..1000000", (3, 3)),
    ("sticks", "0 1\n1\n", "the number of sticks is 0: expected 1..10000000", (1, 1)),
    ("sticks", "5 2\n1\n", "the input ends too early: expected a number that may be taken", (2, 2)),
    ("sticks", "5 1\n1 2\n", "expected the end of the input: the input announces 1 move", (2, 3)),
    ("fibonacci", "1 2 10001\n0 0 0\n", "a heap (0 0 0 ends the input) is 10001: expected 0..10000", (1, 5)),
    ("fibonacci", "1 2 3\n0 0\n", "the input ends too early: expected a heap (0 0 0 ends the input)", (2, 4)),
    ("cutting", "2 2\n4\n", "the input ends too early: expected a side of a sheet", (2, 2)),
    ("cutting", "2 201\n", "a side of a sheet is 201: expected 1..200", (1, 3)),
    ("cutting", "0 2\n", "a side of a sheet is 0: expected 1..200", (1, 1)),
    ("cutting", "2 2\nend\n", "found 'end'", (2, 1)),
    ("georgia", "1\n3\n5 2 5\n", "two chessmen stand on square 5: expected at most one on each square", (3, 5)),
    ("georgia", "1\n2\n0 2\n", "a square is 0: expected 1 or more", (3, 1)),
    ("stairs", "1\n2\n0 -2\n", "a number of balls is -2: expected 0 or more", (3, 3)),
    ("tokens", "2 1 1\n1 3\n1\n", "vertex 3: expected a number from 1 to 2", (2, 3)),
    ("tokens", "2 2 1\n1 2\n2 1\n1\n", "the graph has a cycle", None),
    ("tokens", "2\n1 1\n1 0\n1 0\n0\n", "case 1: the graph has a cycle", None),
    ("chess", "1\n0\n1 0\n0\n1\n1 0\n0\n", "case 2: position 0 has a move to itself", None),
    ("chess", "2\n1 2\n0\n0\n", "an option of vertex 0 is 2: expected 0..1", (2, 3)),
    ("john", "1\n\0\n", "NUL byte", (2, 1)),
]


def judge(*arguments: str, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["judge", *arguments], input=text, catch_exceptions=False)


class TestBadInput:
    @pytest.mark.parametrize(("name", "text", "message", "place"), BAD)
    def test_is_refused_at_its_place(self, name, text, message, place):
        with pytest.raises(ParseError) as caught:
            list(problem(name).answers(Source(text.encode(), name="input")))
        assert message in caught.value.message
        if place:
            assert (caught.value.source, caught.value.line, caught.value.column) == ("input", *place)

    def test_no_answer_for_the_bad_case(self):
        answers = problem("nim-1").answers(Source(b"2\n1\n7\n2\n1 x\n"))
        assert next(answers) == "first"
        with pytest.raises(ParseError, match=r":5:3: expected a heap"):
            next(answers)

    def test_a_place_beyond_the_first_block(self):
        text = "300000\n" + "1\n1000000000\n" * 299_999 + "1\n-1\n"
        with pytest.raises(ParseError, match=r"^<text>:600001:1: a heap is -1"):
            list(problem("nim-1").answers(Source(text.encode())))

    def test_two_chessmen_on_the_last_of_many_squares(self):
        squares = [*range(1, 100_001), 100_000]
        with pytest.raises(ParseError, match="two chessmen stand on square 100000"):
            list(problem("georgia").answers(Source(f"1 {len(squares)}\n{' '.join(map(str, squares))}\n".encode())))

    def test_an_unknown_problem(self):
        with pytest.raises(RulesetError, match="unknown problem 'poj-2312': did you mean poj-2311"):
            problem("poj-2312")
        with pytest.raises(RulesetError, match="unknown problem 'x': graphgame judge --list shows all problems"):
            problem("x")


class TestLayout:
    @pytest.mark.parametrize(
        "text", ["2 1 7 2 5 5", "2\r\n1\r\n7\r\n2\r\n5 5\r\n", "\n\n2\n 1\n\t7\n2 5\n5\n\n", "2 1 7 2 5 5\n# end"]
    )
    def test_any_white_space_will_do(self, text):
        assert list(problem("nim-1").answers(Source(text.encode()))) == ["first", "second"]

    def test_no_cases(self):
        assert list(problem("nim-1").answers(Source(b"0\n"))) == []
        assert list(problem("cutting").answers(Source(b"\n"))) == []
        assert list(problem("whiteboard").answers(Source(b"0 0\n"))) == []

    def test_a_case_without_heaps(self):
        assert list(problem("nim-1").answers(Source(b"1\n0\n"))) == ["second"]
        assert list(problem("john").answers(Source(b"1\n0\n"))) == ["John"]

    def test_a_case_across_blocks(self):
        heaps = [10**9 + place for place in range(250_000)]
        reader = CaseReader(Source(f"{len(heaps)} {' '.join(map(str, heaps))}".encode()))
        # a line may not be split, so the numbers of one line come together; those of many lines do not
        assert reader.counted("a heap") == heaps
        reader = CaseReader(Source("\n".join(map(str, [len(heaps), *heaps, 7])).encode()))
        assert (reader.counted("a heap"), reader.number("a heap"), reader.ended()) == (heaps, 7, True)

    def test_the_header_of_a_token_file_may_follow_comments(self):
        text = b"# three words here\n\n 2 1 1  # N M K\n1 2\n1\n"
        assert list(problem("tokens").answers(Source(text))) == ["win"]


class TestCommand:
    def test_standard_input(self):
        result = judge("john", text="2\n3\n3 5 1\n1\n1\n")
        assert (result.exit_code, result.stdout, result.stderr) == (0, "John\nBrother\n", "")

    @pytest.mark.parametrize("name", ["cutting", "poj-2311", "POJ-2311"])
    def test_aliases(self, name):
        assert judge(name, text="2 2\n4 2\n").stdout == "LOSE\nWIN\n"

    def test_a_file(self, tmp_path: Path):
        path = tmp_path / "cases.txt.gz"
        path.write_bytes(gzip.compress(b"2 2 5\n3\n2 5 12\n3 2 4 7\n4 2 3 7 12\n0\n"))
        assert judge("s-nim", str(path)).stdout == "LWW\n"

    def test_answers_come_before_the_error(self):
        command = [sys.executable, "-m", "graphgame", "judge", "cutting"]
        done = subprocess.run(command, input="4 2\n4 x\n", text=True, capture_output=True, timeout=60, check=False)
        assert (done.returncode, done.stdout) == (2, "WIN\n")
        assert done.stderr == (
            "graphgame: error: standard input:2:3: expected a side of a sheet, found 'x'\n    4 x\n      ^\n"
        )

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["johnn"], "graphgame: error: unknown problem 'johnn': did you mean john?"),
            ([], "missing NAME: graphgame judge --list shows all names"),
            (["john", "no/such/file"], "graphgame: error: no/such/file: No such file or directory"),
            (["--list", "nim-9"], "graphgame: error: unknown problem 'nim-9': did you mean nim-"),
        ],
    )
    def test_wrong_use(self, arguments, message):
        result = judge(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr

    def test_the_list_describes_every_problem(self):
        blocks = judge("--list").stdout.split("\n    prints  ")
        assert len(blocks) == len(PROBLEMS) + 1
        for entry in PROBLEMS.values():
            description = f"{', '.join((entry.name, *entry.aliases))}\n    {entry.title}\n    reads   {entry.input}\n"
            assert f"{description}    prints  {entry.output}\n" in judge("--list", entry.name).stdout
            assert description in judge("--list").stdout

    def test_names_are_completed(self):
        import graphgame.labs.judges.cli as module

        assert [item.value for item in module._complete_name(None, None, "nim")] == ["nim-moves", "nim-1", "nim-2"]
