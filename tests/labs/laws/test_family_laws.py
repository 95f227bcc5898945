"""Laws of all rules of a family at once, with a number of the rules as a number of the law."""

from __future__ import annotations

import json
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import parse_position, value_table
from graphgame.errors import ParameterError, ParseError
from graphgame.labs.laws import laws
from graphgame.labs.laws.claims import decide_divided, held
from graphgame.labs.laws.declared_moves import declared_values
from graphgame.labs.laws.formulas import Formula
from graphgame.labs.laws.proofs import check_laws, laws_record
from graphgame.labs.laws.statements import binary_set
from graphgame.rules.declared import DeclaredMoves
from graphgame.solution.results import play_name

PROVED = [
    ("bash{k}(n)", False, "n % (k + 1)", "n % (k + 1) = 0"),
    ("bash{a}(b)", False, "b % (a + 1)", "b % (a + 1) = 0"),
    ("bash{n}(k)", False, "k % (n + 1)", "k % (n + 1) = 0"),
    ("bash{k}(n)", True, None, "n % (k + 1) = 1"),
    ("take{1..k}(n)", False, "n % (k + 1)", "n % (k + 1) = 0"),
    ("take{k}(n)", False, "0 if n % (2*k) < k else 1", "n % (2*k) < k"),
    ("k' = k and n' < n and n - n' <= k where k >= 1", False, "n % (k + 1)", "n % (k + 1) = 0"),
]


@pytest.mark.parametrize(("text", "misere", "values", "lost"), PROVED)
def test_laws_that_are_proved_for_every_number_of_the_rules(text, misere, values, lost, tmp_path):
    found = laws.find(text, size=20, misere=misere)
    assert {law.about: (law.formula.text, law.status) for law in found} == {
        **({"values": (values, "proved")} if values else {}),
        "P-positions": (lost, "proved"),
    }
    path = tmp_path / "law.json"
    record = json.loads(json.dumps(laws_record(text, found)))
    path.write_text(json.dumps(record))
    assert [checked.fault for checked in check_laws(path)] == [None] * len(found)
    for law in record["laws"]:
        law["formula"], law["text"] = (law[name].replace("k", "2*k", 1) for name in ("formula", "text"))
    if "{k}" in text and "bash" in text:
        path.write_text(json.dumps(record))
        assert all(checked.fault for checked in check_laws(path))


@pytest.mark.parametrize("text", ["whiteboard{k}(n)", "bash{k}(7)", "take{k}(7)", "moore{k}(a,b)"])
def test_laws_that_are_only_seen_are_true_as_far_as_they_say(text):
    for law in laws.find(text, size=12):
        assert law.status == "holds"
        for numbers in product(range(1, 12), repeat=len(law.names)):
            filled = text
            for name, number in zip(law.names, numbers, strict=True):
                filled = filled.replace(f"{{{name}}}", f"{{{number}}}").replace(f"({name}", f"({number}")
                filled = filled.replace(f",{name})", f",{number})")
            value = parse_position(filled).grundy
            assert law(*numbers) == (value == 0 if law.about == "P-positions" else value)


@pytest.mark.parametrize(
    ("guess", "told"),
    [
        ("n mod (k + 1)", "proved"),
        ("n mod (k + 1) = 0", "proved"),
        ("n - (k + 1)*(n // (k + 1))", "holds"),
        ("n % (k + 2)", "k = 1, n = 2"),
        ("n % (k + 1) = 1", "k = 1, n = 0"),
    ],
)
def test_guesses_for_every_number_of_the_rules(guess, told):
    answer = laws.guess("bash{k}(n)", guess, size=15)
    assert answer.status == told if isinstance(answer, laws.Law) else told in str(answer)


FOUND_BY_DIVISION = [
    ("n % (k + 1)", False, True),
    ("n % (k + 1) = 0", True, True),
    ("n % (k + 2)", False, False),
    ("n % (k + 1) = 1", True, False),
    ("n % k", False, False),
]

divisors = st.sampled_from(["k", "k + 1", "2*k", "k + 2", "2*k + 1", "3*k"])
moves = st.sampled_from(
    [
        "n' < n and n - n' <= {d}",
        "n - n' = {d}",
        "n' < n and (n - n') % 2 = 1 and n - n' <= {d}",
        "n - n' in {{1, {d}}}",
        "{d} <= n - n' <= 2*{d}",
        "n' < n and n - n' != {d}",
    ]
)


@given(moves, st.sampled_from(["k", "k + 1", "2*k"]), divisors, st.data())
@settings(max_examples=60, deadline=None)
def test_what_is_proved_of_a_remainder_is_true(move, amount, divisor, data):
    text = move.format(d=amount if "+" not in amount or "2*{d}" not in move else f"({amount})")
    game = DeclaredMoves(("k", "n"), (f"k' = k and ({text})",), "k >= 1", (0, 1))
    rest = f"n % ({divisor})"
    formula, of_p = data.draw(
        st.sampled_from([(rest, False), (f"{rest} = 0", True), (f"{rest} = 1", True), (f"{rest} < k", True)])
        | st.just((f"0 if {rest} < k else 1", False))
    )
    misere = data.draw(st.booleans())
    about = "P-positions" if of_p else "values"
    law = {"names": ["k", "n"], "about": about, "formula": formula, "play": play_name(misere)}
    if any(decided.example is not None for decided in decide_divided(game, law)):
        return
    values, said = declared_values(game, 24, misere=misere), Formula(formula, ("k", "n"))
    for k, n in product(range(1, 24), range(24)):
        assert said(k, n) == (values[k, n] == 0 if of_p else values[k, n])


def test_steps_and_messages_have_the_notation_of_statements():
    game = DeclaredMoves(("k", "n"), ("k' = k and n' < n and n - n' <= k",), "k >= 1", (0, 1))
    law = {"names": ["k", "n"], "about": "values", "formula": "n % (k + 1)", "play": "normal"}
    told = "; ".join(step.text for step in decide_divided(game, law))
    assert "m' + r' < m + r" in told
    assert "==" not in told
    assert "_" not in told
    with pytest.raises(ParameterError, match=r"cannot contain \"a' \* a\": it may use the names a, a'"):
        binary_set("a'*a = a", "a", "a_")
    with pytest.raises(ParameterError, match="for some numbers, such as a = 0, a' = 0"):
        binary_set("(0, 1)[a' - 1] = a", "a", "a_")


@pytest.mark.parametrize(
    ("formula", "told"),
    [
        ("n % (k + 1) + n % (k + 2)", "a statement cannot contain"),
        ("(n + 1) % (k + 1)", "only if a single letter stands before the %"),
        ("n % (k*k + 1)", "a statement cannot contain"),
        ("n % 4", "only if a single letter stands before the %"),
    ],
)
def test_remainders_that_are_not_decided(formula, told):
    game = DeclaredMoves(("k", "n"), ("k' = k and n' < n",), "k >= 1", (0, 1))
    law = {"names": ["k", "n"], "about": "values", "formula": formula, "play": "normal"}
    with pytest.raises(ParameterError, match=told):
        list(decide_divided(game, law))


@pytest.mark.parametrize(("formula", "of_p", "proved"), FOUND_BY_DIVISION)
def test_the_finder_proves_what_is_true_alone(formula, of_p, proved):
    game = DeclaredMoves(("k", "n"), ("k' = k and n' < n and n - n' <= k",), "k >= 1", (0, 1))
    about = "P-positions" if of_p else "values"
    law = {"names": ["k", "n"], "about": about, "formula": formula, "play": "normal"}
    steps = held(decide_divided(game, law))
    assert (steps is not None and len(steps) > 3) == proved


def test_a_divisor_that_moves_change_is_refused():
    game = DeclaredMoves(("k", "n"), ("n' < n and k' <= k",), "k >= 1", (0, 1))
    law = {"names": ["k", "n"], "about": "P-positions", "formula": "n % (k + 1) = 0", "play": "normal"}
    false = next(each.text for each in decide_divided(game, law) if each.example)
    assert false == "the move n' < n and k' <= k leaves k unchanged"


def test_tables_with_a_range_of_rules():
    table = value_table("bash{1..6}(0..30)")
    assert [numbers[-1] for numbers in table.ranges] == [6, 30]
    assert table.values == [[n % (k + 1) for n in range(31)] for k in range(1, 7)]
    assert value_table("bash{1..6}(10)").values == [[10 % (k + 1)] for k in range(1, 7)]
    assert value_table("take{1..6}(0..9)").values == [[n % 7] for n in range(10)]  # a set of numbers
    assert value_table("whiteboard{1..5}(1..12)").values == [
        [(n - 1) % (k + 1) for n in range(1, 13)] for k in range(1, 6)
    ]
    by_rules = value_table("moore{1..3}(1,2,0..7)").outcomes
    assert by_rules == [[row[0] for row in value_table(f"moore{{{k}}}(1,2,0..7)").outcomes] for k in (1, 2, 3)]


@pytest.mark.parametrize(
    ("text", "column"), [("bash{3..1}(0..4)", 6), ("bash{0..3}(0..4)", 6), ("bash{1..2}(0..3,0..4)", 17)]
)
def test_ranges_of_rules_that_name_nothing(text, column):
    with pytest.raises(ParseError) as refused:
        value_table(text)
    assert refused.value.column == column
