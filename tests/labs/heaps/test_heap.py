"""``graphgame heap``."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from graphgame import solve
from graphgame.cli import main
from graphgame.labs import heaps
from graphgame.labs.heaps import HeapGame
from graphgame.labs.heaps.cli import value_lines
from graphgame.labs.heaps.storage import load_values


def run(*arguments):
    return CliRunner().invoke(main, ["heap", *arguments], catch_exceptions=False)


def printed(*arguments):
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


class TestValues:
    def test_text(self):
        assert printed("0.77", "-n", "23") == (
            " 0:  0  1  2  3  1  4  3  2  1  4  2  6  4  1  2  7  1  4  3  2\n20:  1  4  6  7\n"
        )

    def test_one_hundred_heaps_unless_told(self):
        assert printed("grundy").splitlines()[-1] == "100:  2"

    def test_csv(self):
        assert printed("take{1,2}", "-n", "4", "--csv") == "heap,grundy\n0,0\n1,1\n2,2\n3,0\n4,1\n"

    def test_json(self):
        assert json.loads(printed("0.3f", "-n", "4", "--json")) == {
            "game": "code{0.3F}",
            "values": [0, 1, 2, 0, 1],
        }

    def test_files(self, tmp_path):
        names = {kind: str(tmp_path / f"values.{kind}") for kind in ("csv", "json", "npy")}
        for name in names.values():
            result = run("0.6", "-n", "50", "-o", name)
            assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"graphgame: wrote {name}\n")
        values = np.load(names["npy"])
        assert len(values) == 51
        assert json.loads((tmp_path / "values.json").read_text())["values"] == values.tolist()
        assert np.array_equal(np.loadtxt(names["csv"], int, delimiter=",", skiprows=1)[:, 1], values)

    def test_a_period_for_a_handout(self):
        lines = printed("0.77", "--period", "--latex").splitlines()
        assert lines[1].startswith("% octal{0.77}: period 12 from heap 71 on, proved by the heaps up to 167")
        assert lines[3] == r"\begin{tabular}{r@{\quad}rrrrrrrrrrrr}"
        assert lines[-4:] == [
            r"60 & 4 & 1 & 2 & 8 & 1 & 4 & 7 & 2 & 1 & 8 & \textbf{6} & 7 \\",
            r"72 & 4 & 1 & 2 & 8 & 1 & 4 & 7 & 2 & 1 & 8 & 2 \\",
            r"\bottomrule",
            r"\end{tabular}",
        ]

    def test_a_certificate_of_no_period(self, tmp_path):
        result = run("0.6", "--period", "-n", "50", "--certificate", str(tmp_path / "none.json"))
        assert result.stderr == f"graphgame: {tmp_path / 'none.json'} is not written: no period is proved\n"
        assert not list(tmp_path.iterdir())

    def test_pictures_and_a_certificate(self, tmp_path):
        names = [str(tmp_path / name) for name in ("a.svg", "b.png", "c.json")]
        result = run("0.77", "--period", "--plot", names[0], "--plot-period", names[1], "--certificate", names[2])
        assert result.stdout.startswith("octal{0.77}: period 12 from heap 71 on, proved")
        assert result.stderr == "".join(f"graphgame: wrote {name}\n" for name in names)

    def test_values_that_are_kept(self, tmp_path, monkeypatch):
        path = str(tmp_path / "officers.values")
        go_on = HeapGame.packed_values

        def interrupted(game, n, known, **more):
            if len(known) > 2000:
                raise KeyboardInterrupt
            return go_on(game, n, known, **more)

        with monkeypatch.context() as patched:
            patched.setattr(HeapGame, "packed_values", interrupted)
            result = run("0.6", "-n", "10000", "--resume", path)
        kept = f"graphgame: the results so far are saved in {path}: the same command continues from them\n"
        assert (result.exit_code, result.stdout, result.stderr) == (130, "", f"{kept}interrupted\n")
        assert len(load_values(heaps.game("0.6"), path)) > 2000
        result = run("0.6", "-n", "10000", "--resume", path)
        assert (result.exit_code, result.stderr) == (
            0,
            f"graphgame: wrote {path}: the values of the heaps 0 to 10,000\n",
        )

    def test_rules_that_cannot_continue_from_the_file_do_not_say_so(self, tmp_path, monkeypatch):
        path = str(tmp_path / "values")
        assert run("0.F", "-n", "100", "--resume", path).exit_code == 0

        def interrupted(*_, **__):
            raise KeyboardInterrupt

        monkeypatch.setattr(HeapGame, "packed_values", interrupted)
        assert run("0.F", "-n", "200", "--resume", path).stderr == "interrupted\n"

    def test_values_that_the_file_has_are_not_written_again(self, tmp_path):
        path = str(tmp_path / "kayles.values")
        assert run("0.77", "-n", "3000", "--resume", path).stderr.startswith(f"graphgame: wrote {path}")
        written = Path(path).read_bytes()
        assert run("0.77", "-n", "100", "--resume", path).stderr == f"graphgame: {path} already has these values\n"
        assert run("0.77", "--period", "-n", "1000", "--resume", path).stderr == ""
        assert Path(path).read_bytes() == written

    @pytest.mark.parametrize("most", [9, 1000, 10**9])
    @pytest.mark.parametrize("count", [1, 20, 21, 40_007])
    def test_lines(self, count, most):
        values = np.random.default_rng(count).integers(0, most, count, np.uint32, endpoint=True)
        lines = "".join(value_lines(values, 5)).splitlines()
        cells = [line.split(":") for line in lines]
        assert [int(side) for side, _ in cells] == list(range(5, count + 5, 20))
        assert [int(cell) for _, row in cells for cell in row.split()] == values.tolist()
        assert {len(line) for line in lines[:-1]} <= {len(lines[0])}

    def test_packed_values_in_each_form(self, tmp_path):
        """Officers to 140,000 take a byte a heap; what is printed or written are the values."""
        values = heaps.octal("0.6").grundy_values(140_000)
        path = tmp_path / "officers.npy"
        assert run("0.6", "-n", "140000", "-o", str(path)).exit_code == 0
        assert np.array_equal(np.load(path), values)
        found = json.loads(printed("0.6", "-n", "140000", "--stats", "--json"))
        assert (found["rares"], found["last_rare"], found["maximum"]) == (1584, 20_627, int(values.max()))
        assert found["maximum_heap"] == int(values.argmax()) == found["records"][-1]
        assert found["histogram"] == np.bincount(values).tolist()
        assert found["p_heaps"] == np.flatnonzero(values == 0).tolist()

    def test_values_that_figures_leave_out(self):
        assert printed("take{any}", "-n", "50", "--stats").endswith(
            "... (31 more values; none occurs more often than those above)\n"
        )

    def test_engines(self):
        assert printed("0.6", "-n", "300", "--engine", "plain") == printed("0.6", "-n", "300", "--engine", "compiled")


class TestPeriod:
    def test_text(self):
        assert printed("0.07", "--period") == (
            "octal{0.07}: period 34 from heap 53 on, proved\n\n"
            "exceptions: 8, the last at heap 52\n  0, 1, 15, 17, 18, 32, 35, 52\n"
            "proof: the values of the heaps up to 175\n"
            "  no move takes more than 2 or leaves more than 2 heaps: values that repeat up to heap 2 (n0 + p) + 2 - 1 "
            "repeat forever (Guy and Smith)\n"
            "values of one period, from heap 53:\n"
            "53:  3  3  0  1  1  3  0  2  1  1  0  4  5  3  7  4  8  1  1  2\n"
            "73:  0  3  1  1  0  3  3  2  2  4  4  5  5  9\n"
        )

    def test_saltus(self):
        assert printed("take{not 2,3,7}", "--period").startswith(
            "take{not 2,3,7}: period 4, 2 added each time, from heap 0 on, proved\n"
        )

    def test_long_lists_are_cut(self):
        text = printed("0.156", "--period")
        assert "period 349 from heap 3479 on" in text
        assert " more)\nproof" in text
        assert text.endswith("  ... (149 more)\n")

    @pytest.mark.parametrize(
        ("arguments", "line"),
        [
            (["0.6", "-n", "2000"], "octal{0.6}: no proved period; the heaps up to 2,000 prove no period\n"),
            (
                ["grundy"],
                "grundy: no proved period; no theorem that graphgame knows proves a period, and the heaps up to 1,000 "
                "show none\n",
            ),
            (
                ["take{even}"],
                "take{even}: no proved period; no theorem that graphgame knows proves a period\n"
                "take{even}: period 2, 1 added each time, from heap 0 on: seen 500 times up to heap 1000, not proved\n",
            ),
            (
                ["0.77", "-n", "150"],
                "octal{0.77}: no proved period; the heaps up to 150 prove no period\n"
                "octal{0.77}: period 12 from heap 71 on: seen 6 times up to heap 150, not proved\n",
            ),
        ],
    )
    def test_none(self, arguments, line):
        assert printed(*arguments, "--period") == line

    def test_json(self):
        record = json.loads(printed("take{2,5}", "--period", "--json"))
        assert (record["game"], record["preperiod"], record["period"], record["saltus"]) == ("take{2,5}", 0, 7, 0)
        assert (record["last_exception"], record["values"]) == (None, [0, 0, 1, 1, 0, 2, 1])

    def test_no_period_in_json(self):
        assert json.loads(printed("0.6", "--period", "-n", "99", "--json")) == {
            "game": "octal{0.6}",
            "period": None,
            "last_heap": 99,
        }

    @pytest.mark.parametrize("resume", [False, True])
    def test_observed_period_in_json(self, resume, tmp_path):
        kept = ("--resume", str(tmp_path / "kayles.values")) if resume else ()
        record = json.loads(run("0.77", "--period", "-n", "150", "--json", *kept).stdout)
        assert (record["period"], record["observed"]["period"], record["observed"]["last_heap"]) == (None, 12, 150)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["0.7x"],
            "1:4: 'x' is not a digit of this code: expected 0..9, A..V, * or {...}\n    0.7x\n       ^",
        ),
        (["octal{0.8}"], "1:9: '8' is not a digit"),
        (["0.0"], "the code has no move"),
        (["game.txt"], "is not a digit of this code"),
        (["officer"], "unknown game 'officer'"),
        (["0.77", "-n", "-3"], "Invalid value for '-n'"),
        (["0.77", "-n", "3000000000"], "invalid heap 3000000000: expected 0..2147483646"),
        (["0.77", "--period", "-o", "x.csv"], "--period cannot be used with --stats, --csv or --npy"),
        (["0.77", "-n", "2000000000", "-o", "/no-such-folder/x.csv"], "No such file or directory"),
        (["0.77", "--csv", "--json"], "choose one of --csv and --json"),
        (["0.77", "--stats", "--csv"], "--stats prints figures as text or --json"),
        (["0.6", "--period", "-n", "50", "--latex"], "no period is proved"),
    ],
)
def test_wrong_input(arguments, message):
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_the_moves_of_a_code_are_not_compared_with_codes():
    assert printed("C.[3]", "--period", "-n", "60").startswith("code{C.[3]}: no proved period")


class TestOwnRules:
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)

    def write(self, body):
        Path("rules.py").write_text(
            "from graphgame import Ruleset, Sum\nclass Mine(Ruleset):\n    def options(self, n):\n        " + body
        )

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            ("return [n - k for k in (2, 5) if k <= n]", "0.03003"),
            ("return [Sum([a, n - h - a]) for h in (1, 2) for a in range(n - h + 1)]", "0.77"),
            ("return [Sum([a, n - 1 - a]) for a in range(n) if n > 1]", "0.6"),
            ("return [Sum([a, n - a]) for a in range(1, (n + 1) // 2)]", "4!.0"),
            ("return [*range(n), *(Sum([a, n - a]) for a in range(1, n))]", "4.[3]"),
            ("return range(n - 1, -1, -2)", "0.[30]"),
            ("return range(n - 1, -1, -49)", f"0.[3{48 * '0'}]"),
        ],
    )
    def test_the_code_is_found_as_far_as_moves_are_compared(self, body, code):
        self.write(body)
        said = printed("rules.py:Mine", "--period", "-n", "300").splitlines()[0]
        assert (
            said
            == f"rules.py:Mine: its moves are those of {code} up to heap 200: compared, not proved for larger heaps"
        )
        record = json.loads(printed("rules.py:Mine", "--period", "-n", "300", "--json"))
        assert (record["code"], record["moves_compared_to"]) == (code, 200)

    @pytest.mark.parametrize(
        "body",
        [
            "return [n - k * k for k in range(1, n + 1) if k * k <= n]",
            "return [n // 2] if n else []",
            "return [n - 1] if n and n != 150 else []",
            "return []",
        ],
    )
    def test_no_code_is_claimed_for_others(self, body):
        self.write(body)
        assert printed("rules.py:Mine", "--period", "-n", "300").startswith("rules.py:Mine: no ")

    def test_a_code_is_not_compared_with_itself(self):
        assert printed("0.[F]", "--period", "-n", "60").startswith("code{0.[F]}: no proved period; no theorem")

    def test_values_and_comparison(self):
        self.write("return [Sum([a, n - 1 - a]) for a in range(n) if n > 1]")
        assert printed("rules.py:Mine", "-n", "60") == printed("0.6", "-n", "60")
        assert printed("compare", "rules.py:Mine", "0.6", "-n", "100").endswith("observed up to heap 100, not proved\n")

    def test_moves_that_are_declared_prove(self):
        Path("rules.py").write_text(
            "from graphgame.labs.heaps.games import Subtraction\nclass Mine(Subtraction):\n"
            "    def __init__(self):\n        super().__init__([2, 5])\n"
            "    @classmethod\n    def from_text(cls, text):\n        return cls()\n"
        )
        assert printed("rules.py:Mine", "--period").startswith("rules.py:Mine: period 7 from heap 0 on, proved")

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ("return [12 // (4 - n) - 3 for _ in range(n // 4)]", "rules.py:4 in options: ZeroDivisionError: "),
            ("return ['a'] if n > 2 else []", "the rule gives heap 3 the option 'a': expected only heaps smaller"),
            ("return None", "rules.py:3 in options: TypeError: None is returned: expected the options"),
        ],
    )
    def test_rules_that_are_wrong(self, body, message):
        self.write(body)
        for command in ([], ["--period"]):
            result = run("rules.py:Mine", *command, "-n", "30")
            assert result.exit_code == 2
            assert message in result.stderr


@pytest.mark.parametrize(
    ("name", "position", "most"),
    [
        ("node-kayles", "path:{}", 9),
        ("arc-kayles", "path:{}", 10),
        ("cannibal-clobber", "path:{}", 10),
        ("cram", "1x{}", 12),
    ],
)
def test_a_row_of_a_game_is_its_code(name, position, most):
    values = heaps.game(name).grundy_values(most).tolist()
    rows = [solve(f"{name}({position.format(n)})").nim_sum for n in range(1, most + 1)]
    assert values[1:] == rows
    assert printed(name, "--period", "-n", "300").startswith(
        f"{name}: a single heap or row has the moves of the code 0."
    )
