"""Mixed heaps: a rule for each heap."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame.labs.heaps.games import Mixed
from graphgame.rules.notation import parse_position
from tests import brute
from tests.notations import check_closed_form, check_example, check_round_trip, fault, graph_value

heaps = st.lists(st.integers(0, 30), min_size=1, max_size=5)


def as_played(sizes):
    """Return the nim-sum of the heaps' values, each from its own rule."""

    def value(rule, size):
        values = []
        for heap in range(size + 1):
            values.append(brute.least_missing([values[heap - t] for t in range(1, heap + 1) if rule(t)]))
        return values[size]

    rules = [lambda taken: taken <= 3, lambda taken: taken % 2 == 1, lambda _: True]
    total = 0
    for place, size in enumerate(sizes):
        total ^= value(rules[min(place, 2)], size)
    return total


def test_example():
    check_example("mixed")


def test_closed_form_against_the_graph():
    assert check_closed_form(Mixed(), (1, 20), (2, 20), (3, 20)) == 63


@settings(deadline=None)
@given(heaps)
def test_as_one_game_and_as_a_sum(sizes):
    text = f"mixed({','.join(map(str, sizes))})"
    one_by_one = ["take{1,2,3}", "take{odd}"] + ["nim"] * 3
    as_sum = " + ".join(f"{name}({size})" for name, size in zip(one_by_one, sizes, strict=False))
    expected = as_played(sizes)
    assert parse_position(text).grundy == expected
    assert parse_position(as_sum).grundy == graph_value(text) == expected
    check_round_trip(text)


def test_winning_moves_show_the_heap():
    assert [str(move.end) for move in parse_position("mixed(10,7,5)").winning_moves()] == ["mixed(3:3)"]
    assert [str(move.end) for move in parse_position("mixed(2,3,2)").winning_moves()] == [
        "mixed(2:2)",
        "mixed(2:0)",
    ]


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("mixed(10,-7,5)", 10, "a heap's size is -7: expected 0 or more"),
        ("mixed(10,7,-5)", 12, "a heap's size is -5: expected 0 or more"),
        ("mixed(0:5)", 7, "a heap's number is 0: expected 1 or more"),
        ("mixed(1,3:)", 11, "expected a number after the colon"),
        ("mixed()", 7, "expected an integer, a heap's size, but found ''"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)
