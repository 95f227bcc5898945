"""Laws of a person's own rules, and the command."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from graphgame.cli import main
from graphgame.errors import ParameterError
from graphgame.labs.laws import laws
from graphgame.labs.laws.formulas import Formula


class TestOwnRules:
    RULES = '''
from graphgame import Ruleset, Sum
from graphgame.rules.declared import DeclaredMoves

class Mine(Ruleset):
    """Take 1 or 3."""
    def options(self, heap):
        return [heap - k for k in (1, 3) if k <= heap]
    def declared_moves(self, size):
        return DeclaredMoves(("n",), ("n - n' in {1, 3}",)) if size == 1 else None

class Wrong(Mine):
    def declared_moves(self, size):
        return DeclaredMoves(("n",), ("n - n' in {1, 2}",))

class Silent(Mine):
    def declared_moves(self, size):
        return None

class Odd(Ruleset):
    """Take 1; or half of an even heap."""
    def options(self, heap):
        return [heap - 1] * (heap > 0) + [heap // 2] * (heap % 2 == 0 < heap)

class Half(Ruleset):
    def options(self, heap):
        return [heap - k for k in range(1, heap // 2 + 1)]

class Pins(Ruleset):
    """Kayles."""
    def options(self, row):
        return [Sum([left, row - hit - left]) for hit in (1, 2) for left in range(row - hit + 1)]

class Divisor(Ruleset):
    def options(self, heap):
        return [heap - k for k in range(1, heap) if heap % k == 0]

class Knight(Ruleset):
    def options(self, position):
        a, b = position
        steps = ((1, 0), (2, -1), (0, 2))
        return [(a - x, b - y) for x, y in steps if a >= x and b >= y and b - y <= 60]

class Turns(Silent):
    """As Silent, but for heaps above 600."""
    def options(self, heap):
        return super().options(heap) if heap < 600 else [heap - 1]
'''

    @pytest.fixture
    def path(self, tmp_path):
        path = tmp_path / "rules.py"
        path.write_text(self.RULES)
        return path

    def test_declared_moves_are_proved(self, path):
        assert {law.status for law in laws.find(f"{path}:Mine(n)", run_rules=True)} == {"proved"}

    @pytest.mark.parametrize(
        ("game", "misere", "text", "supposed"),
        [
            ("Silent(n)", False, "g(n) = n % 2", "take{1,3}"),
            ("Silent(n)", True, "g(n) = (1, 0)[n % 2], values of misère play", "take{1,3}"),
            ("Turns(n)", False, "g(n) = n % 2", "take{1,3}"),
            (
                "Odd(n)",
                True,
                "P-positions of misère play: n % 2 = 1",
                "n % 2 = 0 and ((n - n' = 1) or (n' = n // 2 and n > 0)); n % 2 = 1 and n - n' = 1",
            ),
            ("Half(n)", False, "P-positions: n + 1 = (n + 1) & -(n + 1)", "n' < n and 2*(n - n') <= n"),
            ("Pins(n)", False, "g(n + 12) = g(n) for n >= 71", "octal{0.77}"),
            ("Pins(n)", True, "P-positions of misère play: n in {1, 4, 9, 12, 20}", "octal{0.77}"),
            ("Divisor(n)", False, "g(n) = 0 if n = 0 else v2(n)", ""),
        ],
    )
    def test_moves_that_are_not_declared_prove_nothing_but_are_recognised(self, path, game, misere, text, supposed):
        found = {law.text: law for law in laws.find(f"{path}:{game}", misere=misere, run_rules=True)}
        said = f'; proved for "{supposed}", whose moves agree with the rules on these positions' if supposed else ""
        assert {law.status for law in found.values()} == {"holds"}
        assert found[text].grounds.partition(" positions")[2] == said

    def test_some_numbers_need_not_be_positions(self, tmp_path):
        path = tmp_path / "rules.py"
        path.write_text(
            "from graphgame import Ruleset\n"
            "from graphgame.errors import ParseError\n"
            "class Even(Ruleset):\n"
            "    def parse(self, text):\n"
            "        if int(text) % 2:\n"
            "            raise ParseError('expected an even number')\n"
            "        return int(text)\n"
            "    def options(self, heap):\n"
            "        return [heap - 2] * (heap > 0)\n"
        )
        assert laws.find(f"{path}:Even(n)", run_rules=True)[0].text == "g(n) = (0, 0, 1, 0)[n % 4]"

    def test_moves_that_are_not_the_options_are_refused(self, path):
        with pytest.raises(ParameterError, match="declared moves"):
            laws.find(f"{path}:Wrong(n)", run_rules=True)


class TestCommand:
    def run(self, *arguments):
        return CliRunner().invoke(main, ["law", *arguments])

    def test_the_number_that_was_tried_is_told(self):
        told = self.run("cram(n)").stderr
        assert (
            "none of the numbers tried for n makes this a position; with n = 3, for example: expected two sides" in told
        )
        assert told.endswith("    cram(n)\n         ^\n")
        assert self.run("nimm(n)").stderr.endswith("    nimm(n)\n    ^\n")

    def test_what_cannot_be_drawn_is_refused_before_it_is_told(self, tmp_path):
        done = self.run("kayles(a,b)", "--draw", str(tmp_path / "law.svg"))
        assert (done.exit_code, done.stdout) == (2, "")

    def test_games_without_a_winning_move(self):
        assert "\nwinning moves: none  proved" in self.run("n' < n and n < 0").output

    def test_text(self):
        told = self.run("bash{2}(n)", "--steps").output
        assert "P-positions: n % 3 = 0             proved" in told
        assert "  every other position has a move to a P-position" in told

    def test_under_misere_play_a_position_without_moves_is_an_exception(self):
        told = self.run("bash{2}(n)", "--misere", "--steps").output
        assert "each other position has one to a P-position, or no move" in told
        assert "  every other position with a move has a move to a P-position" in told
        assert "a position without a move has the value 1; at each other position no move keeps the value" in told
        assert "  every number below the value of a position with a move is the value of an option" in told

    def test_json(self):
        values, lost, _ = json.loads(self.run("nim(a,b)", "--json").output)["laws"]
        assert (values["formula"], values["status"], lost["automaton"]["numeration"]) == ("a ^ b", "proved", "base 2")

    def test_a_number_of_boards_may_be_0(self):
        assert "g(n) = n % 2 " in self.run("notakto(n)", "--size", "40").output

    def test_nothing_found(self):
        assert "values: no law was found on 256 positions" in self.run("octal{0.007}(n)").output

    @pytest.mark.parametrize("text", ["chomp(axb)", "cram(axb)"])
    def test_sides_of_boards_have_no_declared_moves_and_few_boards_no_law(self, text):
        assert "P-positions: no law was found on" in self.run(text).output

    def test_a_wrong_guess(self):
        done = self.run("bash{3}(n)", "--guess", "n % 5")
        assert (done.exit_code, done.output.splitlines()) == (
            2,
            [
                "first counterexample: n = 4: the guess says 4, but the value is 0, the mex of the options' values 1, "
                "2, 3"
            ],
        )

    @pytest.mark.parametrize(
        ("text", "formula", "position"),
        [
            ("mock-turtles(n)", "n", (3,)),
            ("wythoff(a,b)", "(a + b) % 3 = 0", (0, 3)),
            ("bash{4}(a) + bash{2}(b)", "a ^ b", (0, 3)),
        ],
    )
    def test_the_rival_that_is_refuted_last(self, text, formula, position):
        law = laws.find(text)[0]
        assert (law.rival.formula, law.rival.position, law.rival.largest) == (formula, position, max(position))
        assert law.record()["rival"] == {"formula": formula, "position": position}
        size = law.rival.largest
        table = laws.law_table(text, size=size).values
        places = np.argwhere(table >= 0).tolist()
        truth = [bool(law(*place)) if law.about == "P-positions" else law(*place) for place in places]
        assert [Formula(formula, law.names)(*place) for place in places] == truth
        assert Formula(formula, law.names)(*position) != law(*position)
        told = self.run(text, "--steps").output
        assert f"the simpler formula {formula} first fails at " in told
        assert f": to refute all simpler formulas, a table must go up to {size}" in told

    @pytest.mark.parametrize(
        ("guess", "better"),
        [("v2(n)", "0 if n = 0 else v2(n)"), ("3 // n = 2", "True if n = 0 else 3 // n = 2")],
    )
    def test_a_guess_without_a_value(self, guess, better):
        done = self.run("nim(n)", "--guess", guess)
        told = f"n = 0: the guess gives no value, but the value is 0, because there is no move; write: {better}\n"
        assert (done.exit_code, done.output) == (2, f"first counterexample: {told}")
        assert "no value" not in self.run("nim(n)", "--guess", better).output

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["nim(3,4)"], "expected 1 to 4 small letters, but not x, as in wythoff(a,b)"),
            (["chomp"], "needs positions that consist only of numbers"),
            (["kayles(n)", "--guess", "m"], "it may use the names n"),
            (["nim(a,b"], "the bracket ( is not closed"),
            (["nim(3)"], "no letter in place of a number"),
            (["kayles(n)", "--guess", "(n, n)"], "a list of numbers stands where one number is expected"),
            (["nimm(n)"], "did you mean nim"),
        ],
    )
    def test_errors(self, arguments, told):
        done = self.run(*arguments)
        assert done.exit_code == 2
        assert told in done.output
