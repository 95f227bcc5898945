"""Fibonacci Nim, and take-away with memory."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import explore, solve
from graphgame.errors import ParseError
from graphgame.games import ruleset
from graphgame.labs.tables.take_away import Fibonacci, Relation, fibonacci_outcome
from graphgame.rules.notation import parse_position
from tests import brute
from tests.notations import check_example, check_outcome_form, check_round_trip, fault, graph_values, table

FIBONACCI = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]


@pytest.mark.parametrize("name", ["fibonacci", "take-away", "mem"])
def test_example(name):
    check_example(name)


@pytest.mark.parametrize("factor", ["0", "00"])
def test_a_factor_of_zero_is_refused(factor):
    with pytest.raises(ParseError, match="expected a relation"):
        Relation.from_text(f"a <= {factor}k", "a", "k")


def test_published_values():
    """Heap 10 after a move that took k, so that one may take up to 2 k."""
    expected = table("takeaway")["take-away with memory, heap 10"]["expected"]["a<=2k"]
    solution = solve(explore(Fibonacci(), *((10, 2 * k) for k in range(21))))
    assert [solution.grundy[10, min(2 * k, 10)] for k in range(21)] == expected


def test_values_as_defined():
    @cache
    def value(heap, most):
        return brute.least_missing([value(heap - t, 2 * t) for t in range(1, min(heap, most) + 1)])

    solution = solve(explore(Fibonacci(), (60, 59)))
    assert all(value(*position) == found for position, found in solution.grundy.items())


def test_a_fresh_heap_is_lost_exactly_at_fibonacci_numbers():
    starts = [parse_position(f"fibonacci({heap})") for heap in range(1, 100)]
    assert [n for n, position in enumerate(starts, 1) if position.outcome == "P"] == FIBONACCI
    assert [n for n in range(1, 100) if fibonacci_outcome(n) == "P"] == FIBONACCI


def test_outcome_against_the_graph():
    solution = solve(explore(Fibonacci(), *((heap, heap) for heap in range(80))))
    assert all(fibonacci_outcome(*position) == outcome for position, outcome in solution.outcome.items())


@given(st.integers(1, 10**30), st.integers(1, 10**30))
def test_a_win_leaves_a_loss(heap, most):
    if fibonacci_outcome(heap, most) == "N":
        part = next(taken for taken in fibonacci_parts(heap) if fibonacci_outcome(heap - taken, 2 * taken) == "P")
        assert part <= most


def fibonacci_parts(heap):
    low, high = 1, 2
    while low <= heap:
        yield low
        low, high = high, low + high


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("fibonacci(13)", "fibonacci(13:12)"),
        ("fibonacci(10:4)", "fibonacci(10:4)"),
        ("fibonacci(10:20)", "fibonacci(10:10)"),
        ("fibonacci(10 : 4, 7)", "fibonacci(10:4) + fibonacci(7:6)"),
        ("fibonacci(0)", "fibonacci(0:0)"),
        ("fibonacci(1)", "fibonacci(1:0)"),
        ("take-away{ a<=3k }(10 : 4, 7)", "take-away{a <= 3k}(10:4) + take-away{a <= 3k}(7)"),
        ("take-away{a < 2k + 1}(10:0)", "take-away{a < 2k + 1}(10)"),
        ("mem(20:3)", "mem(20:3)"),
    ],
)
def test_text(text, shown):
    assert str(parse_position(text)) == shown
    check_round_trip(text)


@pytest.mark.parametrize("text", ["10:2,5:1", "10:2", "7,0,10:2", "7"])
def test_the_text_of_a_sum_is_read_back(text):
    for rules in (Fibonacci(), ruleset("take-away", "a <= 3k")):
        position = rules.parse(text)
        assert rules.parse(rules.format(position)) == position
    assert rules.format(position) == text


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("fibonacci(-1)", 11, "a heap's size is -1: expected 0 or more"),
        ("fibonacci(7,10:-1)", 16, "the largest number that may be taken is -1: expected 0 or more"),
        ("fibonacci(7,10:)", 16, "expected a number after the colon"),
        ("fibonacci(7:1:2)", 13, "expected an integer, the largest number that may be taken, but found '1:2'"),
        ("take-away{k <= 2a}(7)", 11, "expected a relation such as a <= 3k or a != k"),
        ("take-away{}(7)", 11, "expected a relation such as a <= 3k or a != k"),
        ("mem(7:-1)", 7, "the number that was taken last is -1: expected 0 or more"),
        ("fibonacci(7:x)", 13, "expected an integer, the largest number that may be taken, but found 'x'"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)


def test_outcome_form_against_the_graph():
    assert check_outcome_form(Fibonacci(), (60, 59)) > 500


RELATIONS = {
    "a <= k": lambda a, k: a <= k,
    "a <= 3k": lambda a, k: a <= 3 * k,
    "a < 2k": lambda a, k: a < 2 * k,
    "a <= 2k + 1": lambda a, k: a <= 2 * k + 1,
    "a >= k": lambda a, k: a >= k,
    "a > k": lambda a, k: a > k,
    "a != k": lambda a, k: a != k,
    "a = 2k": lambda a, k: a == 2 * k,
}


class TestTakeAway:
    @pytest.mark.parametrize(
        ("arguments", "key"), [("a <= 2k", "a<=2k"), ("a <= 3k", "a<=3k"), ("a >= k", "a>=k"), ("a != k", "a!=k")]
    )
    def test_published_values(self, arguments, key):
        """Heap 10 after a move that took k; before the first move the games are another matter."""
        expected = table("takeaway")["take-away with memory, heap 10"]["expected"][arguments.replace(" ", "")]
        rules = ruleset("take-away", arguments)
        values = solve(explore(rules, *((10, k) for k in range(1, 21)))).grundy
        assert [values[rules.canonical((10, k))] for k in range(1, 21)] == expected[1:]

    @pytest.mark.parametrize("arguments", RELATIONS)
    def test_the_definition(self, arguments):
        @cache
        def value(heap, last):
            allowed = [a for a in range(1, heap + 1) if RELATIONS[arguments](a, last)]
            return brute.least_missing([value(heap - a, a) for a in allowed])

        first = range(1, 12 if "<" in arguments else 13)
        expected = brute.least_missing([value(12 - a, a) for a in first])
        found = graph_values(ruleset("take-away", arguments), (12, 0))
        assert found == {p: value(*p) if p[1] else expected for p in found}

    @pytest.mark.parametrize(
        "arguments", ["a <= k", "a < 2k", "a <= 2k", "a <= 2k + 1", "a < k + 1", "a <= 4k + 2", "a < k + 9"]
    )
    def test_outcome_by_schwenk(self, arguments):
        assert check_outcome_form(ruleset("take-away", arguments), (40, 0), *((40, k) for k in range(1, 41))) > 300

    def test_fresh_heaps_that_are_lost(self):
        """Schwenk: powers of two where one may take no more than was taken, Fibonacci numbers where twice as many."""
        for arguments, lost in (("a <= k", [1, 2, 4, 8, 16, 32, 64]), ("a <= 2k", FIBONACCI)):
            rules = ruleset("take-away", arguments)
            assert [n for n in range(1, 100) if rules.outcome_form((n, 0)) == "P"] == lost
        assert parse_position(f"take-away{{a <= k}}({2**100})").outcome == "P"
        assert [str(move.end) for move in parse_position("take-away{a <= 3k}(20)").winning_moves()] == [
            "take-away{a <= 3k}(19:1)",
        ]

    def test_a_large_number_is_added_in_the_relation(self):
        """Schwenk's numbers are all numbers up to 10**9 + 1, then 10**9 + 3."""
        rules = ruleset("take-away", "a <= k + 999999999")
        assert [rules.outcome_form((10**9 + more, 0)) for more in (0, 1, 2, 3, 4)] == ["P", "P", "N", "P", "N"]

    def test_no_theorem_is_claimed_for_other_relations(self):
        for arguments in ("a < k", "a >= k", "a != k", "a = 2k", "a <= 9999k"):
            assert ruleset("take-away", arguments).outcome_form((10, 3)) is None
