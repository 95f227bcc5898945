"""Files of laws: right ones pass the check, and each change that makes one wrong is refused."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame.cli import main
from graphgame.errors import GraphGameError, ParameterError, RulesetError
from graphgame.io.other_formats import LAWS, file_kind_at
from graphgame.labs.heaps import octal
from graphgame.labs.laws import laws
from graphgame.labs.laws.automata import numeration_of, recorded
from graphgame.labs.laws.claims import decide_induction, decide_pairs, decide_winning, pairs_text
from graphgame.labs.laws.learning import wythoff_pairs
from graphgame.labs.laws.proofs import check_laws, laws_record
from graphgame.labs.laws.statements import set_of
from graphgame.labs.misere import heap_quotient, quotient_record
from graphgame.rules.declared import DeclaredMoves
from tests import DATA

GAMES = {
    "wythoff(a,b)": 40,
    "wythoff{2}(b,a)": 34,
    "bash{3}(n)": 64,
    "take{1,3,4}(n)": 64,
    "kayles(n)": 64,
    "lasker(n)": 64,
    "guiles(n)": 64,
    "octal{0.72}(n), misère": 64,
    "nim(a,b)": 16,
    "moore{2}(c,b,a)": 9,
    "take{1,2}(a) + nim(b)": 24,
    "chomp(b,a)": 20,
    "fibonacci(n)": 128,
    "whiteboard{3}(n)": 128,
    "euclid(b,a)": 60,
    "a + b > 1 and a' < a and b' = b; a + b > 1 and a' = a and b' < b": 40,
}


@cache
def record_of(text):
    game, _, play = text.partition(", ")
    found = laws.find(game, size=GAMES[text], misere=bool(play))
    return json.dumps(laws_record(game, found))


@pytest.fixture
def file_of(tmp_path):
    def written(text):
        path = tmp_path / "found.json"
        path.write_text(record_of(text))
        return path

    return written


@pytest.mark.parametrize("text", GAMES)
def test_what_was_found_passes(file_of, text):
    checked = list(check_laws(file_of(text)))
    assert file_kind_at(file_of(text)) is LAWS
    assert [(law.fault, bool(law.grounds)) for law in checked] == [(None, True)] * len(checked)
    assert checked


def _flip(automaton):
    automaton["accepting"] = sorted({*automaton["accepting"]} ^ {len(automaton["table"]) - 1})


def _redirect(automaton):
    automaton["table"][4][0] = 0


def _of_heaps(largest):
    return quotient_record(heap_quotient(octal("0.72"), largest))


QUOTIENT = "octal{0.72}(n), misère"
_WINNING_TEXT = "winning moves: where g(n) = 0, period 12 for n >= 71"
_MISERE_TEXT = "P-positions of misère play: n % 4 = 2"

CHANGES = [
    ("wythoff(a,b)", lambda law: _flip(law["automaton"]), "a statement of the proof is false"),
    ("wythoff(a,b)", lambda law: _redirect(law["automaton"]), "a statement of the proof is false"),
    ("wythoff(a,b)", lambda law: law["moves"]["moves"].pop(), "the moves in the file are not the moves"),
    ("wythoff(a,b)", lambda law: law.update(automaton={"numeration": "base 2"}), "has other numbers than a, b"),
    ("wythoff(a,b)", lambda law: law["automaton"].update(tracks=None), "has other numbers than a, b"),
    ("wythoff(a,b)", lambda law: law["automaton"].update(table=[[0]]), "the table of an automaton is wrong"),
    (
        "wythoff(a,b)",
        lambda law: law["automaton"].update(table=[[7] * 4] * 8),
        "answers differently if a number has leading zeros",
    ),
    (
        "wythoff(a,b)",
        lambda law: law.update(names=["b", "a"]),
        "the law has other names for its numbers than wythoff(a,b): expected a, b",
    ),
    (
        "bash{3}(n)",
        lambda law: law.update(formula="n % 5", text="g(n) = n % 5"),
        "a statement of the proof is false: every number below",
    ),
    ("bash{3}(n)", lambda law: law.update(text="g(n) = n % 5"), "the text of the law should be: g(n) = n % 4"),
    ("bash{3}(n)", lambda law: law.pop("moves"), "the file has no proof that fits"),
    ("nim(a,b)", lambda law: law.update(formula="a + b", text="g(a,b) = a + b"), "a statement of the proof is false"),
    ("take{1,3,4}(n)", lambda law: law["period"].update(last_heap=5), "the proof needs the heaps up to 11"),
    (
        "take{1,3,4}(n)",
        lambda law: law.update(formula="n % 7", text="g(n) = n % 7"),
        "the formula and the period differ at",
    ),
    ("fibonacci(n)", lambda law: _flip(law["whole"]), 'the law differs from "whole" in the file'),
    ("fibonacci(n)", lambda law: law.pop("whole"), "has other numbers than m, n"),
    ("whiteboard{3}(n)", lambda law: _flip(law["whole"]), 'the law differs from "whole" in the file'),
    ("whiteboard{3}(n)", lambda law: law["moves"].update(weights=[0, 1]), "the moves in the file are not the moves"),
    ("euclid(b,a)", lambda law: law["moves"]["followed"].pop(), "the moves in the file are not the moves"),
    ("euclid(b,a)", lambda law: _flip(law["automaton"]), "a statement of the proof is false"),
    ("kayles(n)", lambda law: law["period"]["values"].__setitem__(9, 5), "heap 9 has the value 4, not 5"),
    ("lasker(n)", lambda law: law["period"].update(saltus=3), "heap"),
    (
        "kayles(n)",
        lambda law: law.update(about="winning moves", text=_WINNING_TEXT),
        "the text of the law should be: winning moves: the guessed function",
    ),
    (QUOTIENT, lambda law: law["period"].update(saltus=1), "a misère quotient can prove only a law of P-positions"),
    (QUOTIENT, lambda law: law["period"].update(period=2, values=law["period"]["values"][:-2]), "do not repeat"),
    (QUOTIENT, lambda law: law["period"]["values"].__setitem__(5, 1), "the outcomes in the law's period are not those"),
    (QUOTIENT, lambda law: law["quotient"]["p_portion"].pop(), "the misère quotient of the law is wrong"),
    (
        QUOTIENT,
        lambda law: law["quotient"].pop("steps"),
        'this is not a valid misère quotient: the member "steps" is not a list',
    ),
    (
        QUOTIENT,
        lambda law: law.update(quotient=_of_heaps(30)),
        "the misère quotient must have the heaps 0, 1, ..., 41 in this order; it has 31 heaps",
    ),
    (
        QUOTIENT,
        lambda law: law.update(play="normal", text=law["text"].replace(" of misère play", "")),
        "the file has no proof that fits",
    ),
    (QUOTIENT, lambda law: law.update(formula="n % 4 = 2", text=_MISERE_TEXT), "the formula and the period differ at"),
]


@pytest.mark.parametrize(("text", "change", "told"), CHANGES)
def test_what_is_changed_is_refused(tmp_path, text, change, told):
    whole = json.loads(record_of(text))
    change(whole["laws"][0])
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(whole))
    checked = next(check_laws(path))
    assert told in (checked.fault or "")


def test_numbers_that_a_text_lacks_must_not_tell_which_moves_win():
    moves = ("m = 0 and n' = n - 1 and m' <= 1",)  # to (n - 1, 1), where no move is left, or to (n - 1, 0)
    game = DeclaredMoves(("n", "m"), moves, weights=(1, 0), starts="m = 0")
    lost = set_of(numeration_of("base 2"), "m >= 1 or n = 0", ("m", "n"))
    law = {"names": ["n"], "about": "winning moves", "formula": "n' = n - 1"}
    assert all(each.example is None for each in decide_induction(game, lost))
    wrong = {each.text: each.example for each in decide_winning(game, lost, law) if each.example is not None}
    assert wrong == {"the numbers that the law names decide whether a move wins": {"n": 2, "n_": 1}}


def test_winning_moves_are_not_proved_if_a_position_has_the_options_of_another():
    (law,) = laws.find("euclid(a,b)", size=60)
    claim = {"names": ["a", "b"], "about": "winning moves", "formula": "b' = 0 and a' = a and a = b and a > 0"}
    with pytest.raises(ParameterError, match="a law of values or moves cannot be proved"):
        list(decide_winning(law.evidence.moves, law.automaton, claim))


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_a_changed_automaton_is_never_right(data):
    """Unless it recognises the same set, which has one automaton with the fewest states."""
    from graphgame.labs.laws.claims import claimed_set, decide_induction
    from graphgame.rules.declared import DeclaredMoves

    law = json.loads(record_of("wythoff(a,b)"))["laws"][0]
    right = claimed_set(law)
    row, column = data.draw(st.integers(0, 7)), data.draw(st.integers(0, 3))
    law["automaton"]["table"][row][column] = data.draw(st.integers(0, 7))
    moves = DeclaredMoves(("a", "b"), ("a' < a and b' = b", "a' = a and b' < b", "a' < a and a - a' = b - b'"))
    try:
        changed = claimed_set(law)
    except ParameterError:
        return
    same = (changed.minus(right) | right.minus(changed)).example() is None
    assert same == all(step.example is None for step in decide_induction(moves, changed))


@pytest.mark.parametrize("width", [1, 2])
def test_the_pairs_of_the_golden_ratio_are_decided(width):
    found = wythoff_pairs(width, ("a", "b"))
    record = {"numeration": found.numeration.name, "tracks": found.tracks}
    record |= {"table": found.table.tolist(), "accepting": np.flatnonzero(found.accepting).tolist()}

    assert all(step.example is None for step in decide_pairs(recorded(record, ("a", "b")), width))
    other = numeration_of(f"Fibonacci {width}" if width > 1 else "Fibonacci")
    one = set_of(other, "a = 0 and b = 0", ("a", "b"))
    assert any(step.example is not None for step in decide_pairs(one, width))
    slope = {1: "floor(abs(a - b)*phi)", 2: "floor(abs(a - b)*sqrt(2)/2)"}[width]
    assert pairs_text(width, ("a", "b")).endswith(f"min(a, b) = {slope}")


class TestCommand:
    def run(self, *arguments, given=None):
        return CliRunner().invoke(main, list(arguments), input=given)

    def test_a_law_and_its_check(self, tmp_path):
        path = str(tmp_path / "law.json")
        assert self.run("law", "take{1,2}(n)", "--size", "40", "-o", path).exit_code == 0
        done = self.run("verify", path)
        assert (done.exit_code, done.output.splitlines()[1]) == (
            0,
            "right: P-positions: n % 3 = 0: the period was checked with all moves of the heaps up to 5",
        )
        whole = json.loads((tmp_path / "law.json").read_text())
        whole["laws"][1]["formula"] = "n % 3 = 1"
        (tmp_path / "law.json").write_text(json.dumps(whole))
        assert self.run("verify", path).exit_code == 2

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("{}", "expected SOURCE and VALUES, or only a file"),
            ('{"format": "graphgame laws", "version": 1', "no JSON text"),
            ('{"format": "graphgame laws", "version": 1, "source": "nim(a,b)"}', "no laws"),
            (
                '{"format": "graphgame laws", "version": 1, "source": "nim(a,b)", "laws": [{}]}',
                "the laws of the file have missing or wrong members",
            ),
            ('{"format": "graphgame laws", "version": 1, "source": "nimm(a,b)", "laws": []}', "did you mean nim"),
            (
                '{"format": "graphgame laws", "version": 1, "source": "nim(3)", "laws": []}',
                "no letter in place of a number",
            ),
            (
                '{"format": "graphgame laws", "version": 1, "source": "nim(a,b)", "laws": []}',
                "has no laws: there is nothing to check",
            ),
        ],
    )
    def test_bad_files(self, tmp_path, text, told):
        path = tmp_path / "law.json"
        path.write_text(text)
        done = self.run("verify", str(path))
        assert done.exit_code != 0
        assert told in done.output
        assert done.exception is None or isinstance(done.exception, SystemExit | GraphGameError)

    def test_pictures(self, tmp_path):
        for name in ("law.dot", "law.svg"):
            assert self.run("law", "wythoff(a,b)", "--size", "34", "--draw", str(tmp_path / name)).exit_code == 0
        assert (tmp_path / "law.dot").read_text().count("doublecircle") == 3
        assert "digits of a, b in parallel" in (tmp_path / "law.svg").read_text()
        assert "n, n' in parallel" in self.run("law", "take{1,2}(n)", "--draw", "-").output  # a law of moves
        done = self.run("law", "grundy(n)", "--size", "40", "--draw", str(tmp_path / "no.svg"))
        assert "none of these laws has an automaton" in done.output


def test_a_file_of_the_first_release_is_right_and_is_still_written_so():
    path = DATA / "wythoff-laws-1.json"
    assert [checked.fault for checked in check_laws(path)] == [None, None]
    whole = json.loads(path.read_text())
    written = json.loads(json.dumps(laws_record("wythoff(a,b)", laws.find("wythoff(a,b)"))))
    for law in written["laws"] + whole["laws"]:  # these sentences are only for people, and may change
        law["proof"], law["steps"] = bool(law["proof"]), len(law["steps"])
    assert written == whole


RACE = """
from graphgame import Ruleset
from graphgame.rules.declared import DeclaredMoves

class Race(Ruleset):
    def options(self, n):
        return [n - k for k in (1, 2) if n >= k]

    def decided(self, n):
        return {decided}

    def declared_moves(self, size):
        return DeclaredMoves(("n",), ("n' = n - 1", "n' = n - 2"), {positions!r})
"""


@pytest.mark.parametrize(
    ("decided", "positions", "status"),
    [
        ("'P' if n == 0 else None", "True", "holds"),  # from 1 and 2 a move wins at once, also in a sum
        ("'N' if n == 1 else None", "True", "holds"),
        ("'N' if n == 1 else None", "n != 1", "proved"),
    ],
)
def test_positions_that_decide_a_sum_are_no_positions_of_declared_moves(
    decided, positions, status, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "race.py").write_text(RACE.format(decided=decided, positions=positions))
    for source in ("race.py:Race(n)", "race.py:Race(a) + race.py:Race(b)"):
        found = laws.find(source, size=40, run_rules=True)
        assert {law.status for law in found} == {status}
        (tmp_path / "law.json").write_text(json.dumps(laws_record(source, found)))
        assert {check.fault for check in check_laws("law.json", run_rules=True)} == {None}


def test_a_check_names_a_decision_that_is_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # With bytecode, a file that is replaced by one of the same size in the same second would run the old code.
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    (tmp_path / "race.py").write_text(RACE.format(decided="None", positions="True"))
    found = laws.find("race.py:Race(n)", size=40, run_rules=True)
    (tmp_path / "law.json").write_text(json.dumps(laws_record("race.py:Race(n)", found)))
    (tmp_path / "race.py").write_text(RACE.format(decided="None if n < 50 else 7", positions="True"))
    with pytest.raises(RulesetError, match="7 is returned: expected 'P', 'N' or None"):
        list(check_laws("law.json", run_rules=True))
    for method, returned in (("options", "[n"), ("declared_moves", "Declared")):
        rules = RACE.format(decided="None", positions="True").replace(f"return {returned}", f"return 1 / 0, {returned}")
        (tmp_path / "race.py").write_text(rules)
        with pytest.raises(RulesetError, match=rf"race.py:\d+ in {method}: ZeroDivisionError: division by zero"):
            list(check_laws("law.json", run_rules=True))
    for method, told in (("rules_at", r"race.py:\d+ in rules_at: Zero"), ("canonical", "use tuples in place of lists")):
        result = "[n]" if method == "canonical" else "1 / 0"
        rules = RACE.format(decided="None", positions="True")
        (tmp_path / "race.py").write_text(f"{rules}\n    def {method}(self, n):\n        return {result}\n")
        with pytest.raises(RulesetError, match=told):
            list(check_laws("law.json", run_rules=True))
