"""Fibonacci Nim."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import solve
from graphgame.games.fibonacci import Fibonacci, fibonacci_outcome
from graphgame.games.notation import parse_position
from graphgame.rules.ruleset import explore
from tests import brute
from tests.notations import check_example, check_outcome_form, check_round_trip, fault, table

FIBONACCI = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]


def test_example():
    check_example("fibonacci")


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
    assert [n for n, position in enumerate(starts, 1) if position.outcome() == "P"] == FIBONACCI
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
        ("fibonacci(10 : 4, 7)", "fibonacci(10:4) + fibonacci(7:6)"),
        ("fibonacci(0)", "fibonacci(0:0)"),
        ("fibonacci(1)", "fibonacci(1:0)"),
    ],
)
def test_text(text, shown):
    assert str(parse_position(text)) == shown
    check_round_trip(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("fibonacci(-1)", 11, "a heap's size is -1: expected 0 or more"),
        ("fibonacci(7,10:11)", 16, "the most one may take is 11: expected 0..10"),
        ("fibonacci(7,10:)", 16, "expected a number after the colon"),
        ("fibonacci(7:1:2)", 13, "expected an integer, the most one may take, but found '1:2'"),
        ("fibonacci(7:x)", 13, "expected an integer, the most one may take, but found 'x'"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)


def test_outcome_form_against_the_graph():
    assert check_outcome_form(Fibonacci(), (60, 59)) > 500
