"""Wythoff's game and Euclid."""

from functools import cache
from math import isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import explore, solve
from graphgame.errors import LimitError, RulesetError
from graphgame.games import ruleset
from graphgame.labs.tables.wythoff import Euclid, Wythoff, wythoff_outcome
from graphgame.rules.notation import parse_position
from tests import brute
from tests.notations import (
    check_closed_form,
    check_example,
    check_outcome_form,
    check_round_trip,
    fault,
    graph_values,
    table,
)

SOLVED = solve(explore(Wythoff(), (60, 60)))


@pytest.mark.parametrize("name", ["wythoff", "euclid"])
def test_example(name):
    check_example(name)


class TestWythoff:
    def test_oeis(self):
        expected = table("oeis-heaps")["Wythoff"]["expected"]
        assert [[SOLVED.grundy[a, b] for b in range(13)] for a in range(13)] == expected

    def test_row_10(self):
        expected = table("wythoff")["Wythoff row 10"]["expected"]
        assert [SOLVED.grundy[10, b] for b in range(21)] == expected

    def test_options_as_defined(self):
        for a in range(7):
            for b in range(7):
                expected = {(i, b) for i in range(a)} | {(a, j) for j in range(b)}
                expected |= {(a - k, b - k) for k in range(1, min(a, b) + 1)}
                assert set(Wythoff().options((a, b))) == {tuple(sorted(option)) for option in expected}

    def test_outcome_against_the_graph(self):
        assert all(wythoff_outcome(a, b) == outcome for (a, b), outcome in SOLVED.outcome.items())

    @given(st.integers(0, 10**40))
    def test_outcome_by_the_golden_ratio(self, i):
        small = (i + isqrt(5 * i * i)) // 2
        assert wythoff_outcome(small, small + i) == wythoff_outcome(small + i, small) == "P"
        assert wythoff_outcome(small + 1, small + i + 1) == "N"

    def test_winning_moves(self):
        moves = parse_position("wythoff(4,9)").winning_moves()
        assert [str(move.end) for move in moves] == ["wythoff(4,7)"]

    def test_in_a_sum_with_another_game(self):
        position = parse_position("wythoff(5,3) + wythoff(2,4) + kayles(4)")
        assert position.grundy == SOLVED.grundy[2, 4] ^ 1
        assert solve(position.graph()).nim_sum == position.grundy

    def test_the_largest_position(self):
        rules = Wythoff()
        assert rules.decode(rules.encode((400, 400))) == (400, 400)
        assert rules.encode((46_340, 46_340)) == rules.size - 1
        assert all(rules.encode(rules.decode(code)) == code for code in [*range(1000), *range(10**9, 10**9 + 1000)])

    @pytest.mark.parametrize("position", [(1, 2, 3), 5, ("a", "b"), (-1, 2)])
    def test_no_code(self, position):
        with pytest.raises(RulesetError, match=r"Wythoff fails at the start: ValueError: .* expected two heaps"):
            explore(Wythoff(), position)

    @pytest.mark.parametrize("large", [10**4, 46_340, 10**18])
    def test_heaps_that_are_too_large_for_the_graph(self, large):
        with pytest.raises(LimitError, match=r"position \(1, \d+\) is too large to explore"):
            explore(Wythoff(), (1, large))
        assert parse_position(f"wythoff(1,{large})").outcome == "N"

    def test_outcome_form_against_the_graph(self):
        check_outcome_form(Wythoff(), (30, 30))


class TestWideWythoff:
    def test_row_10(self):
        rules = ruleset("wythoff", "2")
        values = solve(explore(rules, (10, 20))).grundy
        expected = table("wythoff")["2-Wythoff row 10"]["expected"]
        assert [values[rules.canonical((10, b))] for b in range(21)] == expected

    @pytest.mark.parametrize("width", range(1, 6))
    def test_outcome_against_the_graph(self, width):
        rules = ruleset("wythoff", str(width))
        assert check_outcome_form(rules, (24, 24)) == 25 * 26 // 2

    @given(st.integers(1, 10**9), st.integers(0, 10**30))
    def test_outcome_by_fraenkel(self, width, times):
        small = (times * (2 - width) + isqrt(times * times * (width * width + 4))) // 2
        assert wythoff_outcome(small, small + times * width, width) == "P"
        assert wythoff_outcome(small + 1, small + 1 + times * width, width) == "N"

    @pytest.mark.parametrize(
        ("arguments", "allowed"),
        [
            ("1", lambda a, b: a == b),
            ("3", lambda a, b: b - a < 3),
            ("b < a + 3", lambda a, b: b - a < 3),
            ("b <= 3a", lambda a, b: b <= 3 * a),
            ("b != a", lambda a, b: a != b),
            ("b = 2a + 1", lambda a, b: b == 2 * a + 1),
            ("b >= a", lambda a, b: True),
        ],
    )
    def test_the_definition(self, arguments, allowed):
        @cache
        def value(first, second):
            both = [
                value(first - i, second - j)
                for i in range(1, first + 1)
                for j in range(1, second + 1)
                if allowed(min(i, j), max(i, j))
            ]
            one = [value(i, second) for i in range(first)] + [value(first, j) for j in range(second)]
            return brute.least_missing(one + both)

        found = graph_values(ruleset("wythoff", arguments), (9, 9))
        assert found == {(a, b): value(a, b) for a in range(10) for b in range(a, 10)}


class TestEuclid:
    def test_closed_form_against_the_graph(self):
        assert check_closed_form(Euclid(), *((a, b) for a in range(30) for b in range(a, 60))) > 1000

    def test_values_as_defined(self):
        @cache
        def value(a, b):
            smaller = [value(*sorted((a, b - k * a))) for k in range(1, b // a + 1)] if a else []
            return brute.least_missing(smaller)

        assert all(value(a, b) == found for (a, b), found in graph_values(Euclid(), (17, 60), (34, 55)).items())

    def test_golden_ratio(self):
        """Cole and Davie: N exactly when the numbers are equal or their ratio exceeds the golden one."""
        for a in range(1, 40):
            for b in range(a, 100):
                assert (Euclid().closed_form((a, b)) > 0) == (a == b or 2 * b > a + isqrt(5 * a * a))

    def test_large_numbers_at_once(self):
        position = parse_position(f"euclid({10**18},{10**30})")
        assert position.grundy == 10**12
        assert [str(move.end) for move in position.winning_moves()] == [f"euclid(0,{10**18})"]


@pytest.mark.parametrize(
    "text",
    [
        "wythoff(3,5)",
        "wythoff{3}(3,5)",
        "wythoff{ b<=3a }(3,5)",
        "euclid(25,7)",
        "euclid(0,0)",
        "wythoff(0,4) + euclid(3,9)",
    ],
)
def test_round_trip(text):
    check_round_trip(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("wythoff(3)", 9, "expected two heaps, such as 3,5, but found 1"),
        ("wythoff(3,5,7)", 9, "expected two heaps, such as 3,5, but found 3"),
        ("wythoff(3,-5)", 11, "a heap's size is -5: expected 0 or more"),
        ("wythoff{0}(3,5)", 9, "the number r of r-Wythoff is 0: expected 1 or more"),
        ("wythoff{a <= 3b}(3,5)", 9, "expected a relation such as b <= 3a or b != a"),
        ("wythoff{b <= 0a}(3,5)", 9, "expected a relation such as b <= 3a or b != a"),
        ("euclid(3,-5)", 10, "a heap's size is -5: expected 0 or more"),
        ("euclid(a,5)", 8, "expected an integer, a heap's size, but found 'a'"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)


@pytest.mark.parametrize(
    "text",
    ["wythoff(9,7) + nim(3)", "wythoff{3}(8,6)", "wythoff{b = 2a}(5,9)", "chomp(9,4)", "chomp(4,4) + chomp(5,1)"],
)
def test_a_table_in_place_of_the_graph(text, monkeypatch):
    by_graph = parse_position(text)
    expected = by_graph.values, {str(move.end) for move in by_graph.winning_moves()}
    monkeypatch.setattr("graphgame.rules.strategies._SMALLEST_TABLE", 0)
    monkeypatch.setattr("graphgame.rules.component_graphs.explored", None)
    by_table = parse_position(text)
    assert by_table.table.answers
    assert (by_table.values, {str(move.end) for move in by_table.winning_moves()}) == expected


@pytest.mark.parametrize("arguments", ["b <= 2a + 1", "b < 2a + 3", "b = a + 2", "b != a", "b >= a"])
def test_no_theorem_for_other_relations(arguments):
    rules = ruleset("wythoff", arguments)
    assert (rules.outcome_form((3, 5)), rules.misere_outcome_form((3, 5)), rules.reason((3, 5))) == (None, None, None)


@pytest.mark.parametrize("arguments", ["", "b < a + 1", "2", "b < a + 3", "b <= a", "b <= a + 1"])
def test_misere_theorem_is_the_graphs_outcome(arguments):
    rules = ruleset("wythoff", arguments)
    solution = solve(explore(rules, (12, 12)), misere=True)
    assert {position: rules.misere_outcome_form(position) for position in solution.graph} == dict(solution.outcome)
