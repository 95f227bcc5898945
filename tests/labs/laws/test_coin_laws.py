"""Values of coin-turning games: proved from their turns, and refused where claim, turns or rules do not fit."""

from __future__ import annotations

import json
from functools import cache

import pytest

from graphgame.errors import ParameterError, RulesetError
from graphgame.labs.laws import laws
from graphgame.labs.laws.automata import numeration_of
from graphgame.labs.laws.claims import decide_coins
from graphgame.labs.laws.declared_moves import differing_turn
from graphgame.labs.laws.proofs import check_laws, laws_record
from graphgame.labs.laws.statements import set_of
from graphgame.labs.theory.coins import Coins
from graphgame.rules.catalogue import ruleset
from graphgame.rules.declared import DeclaredTurns

PROVED = [
    ("turning-turtles(n)", "n", "False"),
    ("mock-turtles(n)", "2*n - 1 - popcount(n - 1) % 2", "False"),
    ("ruler(k)", "k & -k", "False"),
    ("ruler-fives(n)", "(4, 1, 2, 1)[n % 4]", "False"),
    ("twins(a)", "a - 1", "a = 1"),
    ("triplets(n)", "0 if n < 3 else 2*n - 5 - popcount(n - 3) % 2", "n in {1, 2}"),
    ("triplet-fives(n)", "(4, 0, 0, 1, 2)[n % 5]", "n % 5 in {1, 2}"),
]

USERS = """from graphgame.rules.catalogue import ruleset


class Mine(type(ruleset("ruler"))):
    def __init__(self):
        vars(self).update(vars(ruleset("ruler")))

    @classmethod
    def from_text(cls, text):
        return cls()
"""


@pytest.mark.parametrize(("text", "values", "lost"), PROVED, ids=[row[0] for row in PROVED])
def test_what_is_proved_and_checked(tmp_path, text, values, lost):
    found = laws.find(text)
    assert [(law.formula.text, law.status) for law in found] == [(values, "proved"), (lost, "proved")]
    rules = ruleset(text.partition("(")[0])
    assert [found[0](place) for place in range(1, 100)] == [rules.value(place) for place in range(1, 100)]
    path = tmp_path / "coins.json"
    path.write_text(json.dumps(laws_record(text, found)))
    assert [(law.fault, bool(law.grounds)) for law in check_laws(path)] == [(None, True)] * 2


@pytest.mark.parametrize("text", ["sympler(n)", "coins{4}(n)", "mock-turtles(n,k)"])
def test_what_is_not_proved(text):
    assert all(law.status == "holds" for law in laws.find(text, size=7))


WRONG = [
    ("mock-turtles", "2*n - popcount(n) % 2", None),
    ("mock-turtles", "2*n - 1 - popcount(n - 1) % 2 if n != 21 else 3", None),
    ("ruler", "n & -n", "n"),
    ("ruler", "n & -n if n < 40 else 1", "n ^ n // 2"),
    ("turning-turtles", "n + 1", None),
]


@pytest.mark.parametrize(("game", "values", "prefix"), WRONG)
def test_false_claims_are_refused(game, values, prefix):
    turns = ruleset(game).declared_turns()
    assert any(step.example is not None for step in decide_coins(turns, values, prefix))


@cache
def mock_turtles():
    return json.dumps(laws_record("mock-turtles(n)", laws.find("mock-turtles(n)")))


CHANGES = [
    (0, {"formula": "2*n", "text": "g(n) = 2*n"}, {}, "the formula of the law is not the formula"),
    (0, {"formula": "2*n", "text": "g(n) = 2*n"}, {"values": "2*n"}, "a statement of the proof is false"),
    (0, {}, {"sets": [["", "True"]]}, "the coin turns in the file are not those"),
    (0, {}, {"runs": "True"}, "the coin turns in the file are not those"),
    (0, {}, {"prefix": "n"}, "a law of coins needs"),
    (1, {"formula": "n = 4", "text": "P-positions: n = 4"}, {}, "a statement of the proof is false"),
]


@pytest.mark.parametrize(("place", "law", "turns", "told"), CHANGES)
def test_changed_files_are_refused(tmp_path, place, law, turns, told):
    whole = json.loads(mock_turtles())
    whole["laws"][place].update(law)
    whole["laws"][place]["turns"].update(turns)
    path = tmp_path / "coins.json"
    path.write_text(json.dumps(whole))
    assert told in list(check_laws(path))[place].fault


@pytest.mark.parametrize(
    ("method", "result", "told"),
    [
        ("closed_form(self, row)", "1 // (len(row) < 20)", r"coins.py:\d+ in closed_form: ZeroDivisionError"),
        ("declared_turns(self)", "5", "fails at the declared turns: TypeError: 5 is returned: expected DeclaredTurns"),
    ],
)
def test_the_method_of_users_rules_that_fails_is_named(tmp_path, method, result, told):
    (tmp_path / "coins.py").write_text(f"{USERS}\n    def {method}:\n        return {result}\n")
    with pytest.raises(RulesetError, match=told):
        laws.find(f"{tmp_path}/coins.py:Mine(n)", run_rules=True)


def test_a_table_of_values_that_fails_is_named(tmp_path):
    rules = USERS.replace('ruleset("ruler")', 'ruleset("wythoff")')
    (tmp_path / "pairs.py").write_text(f"{rules}\n    def value_array(self, shape, misere):\n        return 1 / 0\n")
    with pytest.raises(RulesetError, match=r"pairs.py:\d+ in value_array: ZeroDivisionError"):
        laws.find(f"{tmp_path}/pairs.py:Mine(a,b)", run_rules=True)


def test_turns_that_are_not_the_options():
    turns = DeclaredTurns((("", "True"), ("a", "a < n and n - a < 4")))
    assert differing_turn(Coins([1, 2], span=4), turns) is None
    assert differing_turn(Coins([1, 2], span=5), turns) == "tttth"


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("popcount(n) % 2", lambda n: n.bit_count() % 2),
        ("popcount(3*n + 1) % 2", lambda n: (3 * n + 1).bit_count() % 2),
        ("n & -n", lambda n: n & -n),
        ("(n + 1) & -(n + 1)", lambda n: (n + 1) & -(n + 1)),
    ],
)
def test_digits_in_statements(text, worth):
    found = set_of(numeration_of("base 2"), f"value = ({text})", ("n", "value"))
    for n in range(40):
        assert [value for value in range(70) if found.contains(n=n, value=value)] == [worth(n)]


def test_digits_of_numbers_below_0_are_refused():
    with pytest.raises(ParameterError, match="has no value for some numbers"):
        set_of(numeration_of("base 2"), "popcount(n - 1) % 2 = 1", ("n",))
