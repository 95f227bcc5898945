"""Laws over rarer numerations, rivals of periods, and recurrences: each beside a twin by brute force."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame.errors import ParameterError
from graphgame.labs.laws import laws
from graphgame.labs.laws.automata import numeration_of
from graphgame.labs.laws.candidates import Repetition, recurrences, rival_repetition
from graphgame.labs.laws.declared_moves import declared_p_positions, declared_values
from graphgame.labs.laws.formulas import Formula
from graphgame.labs.laws.learning import learned
from graphgame.labs.laws.proofs import check_laws, laws_record
from graphgame.labs.laws.rows import least_period
from graphgame.labs.laws.statements import set_of
from graphgame.rules.declared import DeclaredMoves

HEAPS = ("a' < a and b' = b", "a' = a and b' < b")
GUARDED = "; ".join(f"a + b > 2 and {move}" for move in (*HEAPS, "a' < a and b' < b and abs(a - a' - b + b') < 2"))


@pytest.mark.parametrize(
    "moves",
    [
        ("a' < a and a - a' = b - b'",),
        ("a' < a and b' < b and a - a' < 2*(b - b') + 1 and b - b' < 2*(a - a') + 1",),
        ("a' = a - 1 and b' = b + 2",),
    ],
)
def test_tables_of_lost_positions_alone(moves):
    game = DeclaredMoves(("a", "b"), (*HEAPS, *moves), weights=(3, 1))
    known = declared_values(game, 20)
    assert (declared_p_positions(game, 20) == (known == 0))[known >= 0].all()


def test_a_table_with_many_lost_positions_is_given_up():
    assert declared_p_positions(DeclaredMoves(("a", "b"), ("a' = a - 1 and b' = b - 1",)), 40) is None


def test_a_wide_wythoff_game_with_other_ends(tmp_path):
    found = {law.about: law for law in laws.find(GUARDED, size=16)}
    lost = found["P-positions"]
    assert (lost.status, lost.automaton.numeration.name, len(lost.automaton)) == ("proved", "Fibonacci 2", 17)
    ends = declared_p_positions(DeclaredMoves(("a", "b"), tuple(GUARDED.split("; "))), 160)
    a, b = np.indices((160, 160))
    assert (lost.automaton.contains(a=a, b=b) == ends).all()
    record = json.loads(json.dumps(laws_record(GUARDED, [lost])))
    path = tmp_path / "law.json"
    path.write_text(json.dumps(record))
    assert [checked.fault for checked in check_laws(path)] == [None]
    record["laws"][0]["automaton"]["accepting"].pop()
    path.write_text(json.dumps(record))
    assert all(checked.fault for checked in check_laws(path))


def test_fraenkels_heap_games():
    # The larger number is written as the smaller one with a 0 added (Fraenkel, Heap games, numeration systems and
    # sequences, 1998): with s = 2 and t = 1 in the weights 1, 3, 8, 22, ...
    game = laws.law_table("wythoff{b < 2a + 1}(a,b)", size=8).moves
    lost, numeration = declared_p_positions(game, 500), numeration_of("Fibonacci 2,2")
    for a, b in np.argwhere(np.triu(lost)).tolist():
        word = numeration.words(np.array(a), 8).tolist()
        assert numeration.number([*word, 0]) == b
    assert len(learned(numeration, ("a", "b"), lost)) == 10


@settings(deadline=None)
@given(st.lists(st.integers(0, 2), max_size=4), st.lists(st.integers(0, 2), min_size=1, max_size=4))
def test_rivals_of_periods_against_all_shorter_ones(first, cycle):
    values = np.array([*first, *cycle * 60])[:60]
    found = Repetition(*least_period(np.array([*first, *cycle]), len(cycle)))
    size, furthest = found.start + found.period, None
    for start, period in product(range(size), range(1, size)):
        if start + period < size:
            said = [*values[: start + period]]
            while len(said) < 60:
                said.append(said[-period])
            wrong = np.flatnonzero(np.array(said) != values)
            assert len(wrong), (start, period)
            furthest = max(furthest or 0, int(wrong[0]))
    rival = rival_repetition(values, found, growing=False)
    assert (None if rival is None else rival[1]) == furthest


@pytest.mark.parametrize(
    ("text", "rival", "place"),
    [
        ("take{1,2,3,7}(n)", "n", 4),
        ("kayles(n)", "g(n) = g(n - 24) for n >= 82", 94),
        ("lasker(n)", "(0, 1)[n] if n < 2 else n // 2 + (1, 3)[n % 2]", 6),
    ],
)
def test_the_rivals_of_proved_periods(text, rival, place):
    law = laws.find(text)[0]
    assert (law.rival.formula, law.rival.position) == (rival, (place,))


ODD_OR_HALF = "n % 2 = 1 and n' < n and n' % 2 = 1; n % 2 = 0 and n' < n and n' = n // 2"
HALF = "n' < n and 2*n' >= n"
RECURRENCES = [
    (HALF, lambda n: range(-(-n // 2), n), "n // 2 if n % 2 = 0 else g(n // 2)", "holds"),
    (
        ODD_OR_HALF,
        lambda n: range(1, n, 2) if n % 2 else [n // 2][: n > 0],
        "(0, 0, 1)[n] if n < 3 else n // 2 if n % 2 = 1 else -g(n // 2) + 1 if n % 4 = 0 else 0",
        "proved",
    ),
]


def _checked(path, source, records):
    path.write_text(json.dumps(laws_record(source, []) | {"laws": records}))
    return list(check_laws(path))


@pytest.mark.parametrize(("text", "ends", "formula", "status"), RECURRENCES)
def test_recurrences_are_found_and_right_on_four_times_the_range(tmp_path, text, ends, formula, status):
    law = laws.find(text, size=512)[0]
    assert (law.text, law.status) == (f"g(n) = {formula}", status)
    values: list[int] = []
    for n in range(2048):
        taken = {values[end] for end in ends(n)}
        values.append(next(value for value in range(n + 1) if value not in taken))
    assert [law(n) for n in range(2048)] == values
    (checked,) = _checked(tmp_path / "law.json", text, [law.record()])
    assert checked.fault is None
    assert bool(checked.grounds) == (status == "proved")


@pytest.mark.parametrize(
    ("old", "new"), [("// 2 if n % 2", "// 2 if n % 2"), ("else 0", "else 1"), ("g(n // 2)", "g(n)")]
)
def test_a_changed_recurrence_is_refused(tmp_path, old, new):
    law = laws.guess(ODD_OR_HALF, RECURRENCES[1][2], size=256)
    assert law.status == "proved"
    record = json.loads(json.dumps(law.record()).replace(old, new))
    (checked,) = _checked(tmp_path / "law.json", ODD_OR_HALF, [record])
    assert bool(checked.fault) == (old != new)


@pytest.mark.parametrize("text", ["g(n - 1) + 1", "g(n // 2) + n - n // 2"])
def test_a_recurrence_knows_the_values_at_smaller_numbers(text):
    assert _of_values(text).minus(_of_values("n")).example() is None


@pytest.mark.parametrize("text", ["g(n)", "g(n + 1) - 1", "g(2*n - 1) - n + 1"])
def test_a_recurrence_does_not_know_those_at_others(text):
    with pytest.raises(ParameterError, match="has no value for some numbers"):
        _of_values(text)


def _of_values(text):
    """Return the pairs of n and a value, said of the values n in terms of themselves, in base 2."""
    digits, tracks = numeration_of("base 2"), ("n", "value")
    return set_of(digits, f"value = (0 if n = 0 else {text})", tracks, set_of(digits, "value = n", tracks))


def test_a_recurrence_that_is_wrong_far_away_is_not_proved():
    true = RECURRENCES[1][2]
    assert laws.guess(ODD_OR_HALF, f"7 if n = 5000 else {true}", size=256).status == "holds"
    assert str(laws.guess(HALF, "n // 2 if n % 2 = 0 else g(n // 2) + n // 99", size=256)).startswith(
        "first counterexample: n = 99: the guess says 13, but the value is 12"
    )


@pytest.mark.parametrize("text", ["g(n)", "g(n + 1)", "g(n - 1)", "1 if n = 0 else g(0, n)"])
def test_recurrences_without_an_end(text):
    with pytest.raises(ParameterError):
        Formula(text, ("n",))(30_000)


def test_decimal_digits():
    (law,) = (law for law in laws.find("n' < n and n' = n // 10; n' = n - 1", size=2048) if law.about == "P-positions")
    assert (law.status, law.automaton.numeration.name, len(law.automaton)) == ("proved", "base 10", 3)
    lost: list[bool] = []
    for n in range(3000):
        lost.append(n == 0 or not (lost[n // 10] or lost[n - 1]))
    assert [law(n) for n in range(3000)] == lost


def test_a_letter_of_the_game_is_no_recurrence():
    assert Formula("g % 3", ("g",))(8) == 2
    with pytest.raises(ParameterError):
        Formula("g(a - 1) + b", ("a", "b"))


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from([2, 3]),
    st.lists(st.tuples(st.integers(0, 2), st.integers(-2, 2), st.integers(0, 3)), min_size=3, max_size=3),
)
def test_what_obeys_a_rule_is_found(base, factors):
    values = [0]
    for n in range(1, 900):
        times, slope, constant = factors[n % base]
        values.append(times * values[n // base] + slope * (n // base) + constant)
    found = next(recurrences(np.array(values), "n"))
    formula = Formula(found, ("n",))
    assert [formula(n) for n in range(900)] == values


@pytest.mark.parametrize(
    ("text", "misere", "lost"),
    [
        ("take-away{a <= 2k}(n)", False, "n = zeckendorf(n)"),
        ("take-away{a < 2k + 1}(k)", False, "k = zeckendorf(k)"),
        ("take-away{a != 2k}(n)", False, "n = 0"),
        ("take-away{a >= 2k}(n)", True, "n in {1, 2}"),
    ],
)
def test_laws_that_only_hold_where_the_text_hides_a_number(text, misere, lost):
    (law,) = laws.find(text, size=40, misere=misere)
    assert (law.about, law.formula.text, law.status) == ("P-positions", lost, "holds")


@pytest.mark.parametrize(
    ("text", "size", "values", "lost"),
    [
        ("mixed(a,b,c)", 18, "(a % 4) ^ (b % 2) ^ c", "(a % 4) ^ (b % 2) ^ c = 0"),
        ("mixed(a,b)", 40, "(a % 4) ^ (b % 2)", "(a % 4) ^ (b % 2) = 0"),
        ("staircase(a,b)", None, "a", "a = 0"),
        ("staircase(a,b,c)", 8, "a ^ c", "a = c"),
        ("b' < b and b - b' <= 2 and a' = a", 30, "b % 3", "b % 3 = 0"),
        ("c' = c - 1 and a' = a and b' = b; b' < b and a' = a and c' = c", 16, "b ^ (c % 2)", "b ^ (c % 2) = 0"),
    ],
)
def test_laws_of_a_few_of_the_numbers_and_of_each_number_alone(text, size, values, lost, tmp_path):
    found = laws.find(text, size=size)
    assert [(law.formula.text, law.status) for law in found[:2]] == [(values, "proved"), (lost, "proved")]
    path = tmp_path / "law.json"
    path.write_text(json.dumps(laws_record(text, found)))
    assert [checked.fault for checked in check_laws(path)] == [None] * len(found)


def test_amounts_to_take_that_recall_those_of_smaller_heaps_are_no_formula_of_moves():
    values, lost = laws.find("3*n' = n and n' < n", size=256)
    assert {values.status, lost.status} == {"proved"}
    for heap in range(729):
        thirds, rest = 0, heap
        while rest and rest % 3 == 0:
            rest, thirds = rest // 3, thirds + 1
        assert (values(heap), lost(heap)) == (thirds % 2, thirds % 2 == 0)


def test_moves_that_are_compared_in_pairs_choose_a_table_that_is_small_enough():
    row = "b % 3 = b' % 3 and a % 2 = 0 and a' = a and b' < b"
    text = "a' < a and b' = b; a' = a and b' < b and a > b; a' = a and b' < b and b' % 2 = a % 2; " + row
    seen = laws.law_table(text)
    assert 32 <= len(seen.values) < 90
    assert (seen.values[:12, :12] == laws.law_table(text, size=12).values).all()


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 2), (3, 1), (3, -1), (4, -2), (6, -4)])
def test_a_sign_that_a_sum_keeps_is_kept_whatever_follows(a, b):
    numeration = numeration_of(f"Fibonacci {a},{b}")
    weights = [Fraction(1, b) if b > 0 else 0, *numeration.weights(12)]
    kept = 0
    for u, w, most, constant in product(range(-9, 10), range(-9, 10), range(4), range(3)):
        if sign := numeration.sign((u, w), most, constant):
            sums = [sign * (u * now + b * w * before) for before, now in pairwise(weights)]
            assert all(found - most * now > constant for found, now in zip(sums, weights[1:], strict=True))
            kept += 1
    assert kept > 1000
