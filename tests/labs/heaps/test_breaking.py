"""Lasker's Nim and Grundy's game."""

import pytest

from graphgame.games import ruleset
from graphgame.rules.notation import parse_position
from tests.notations import check_closed_form, check_example, check_round_trip, fault, graph_value, graph_values, table


@pytest.mark.parametrize("name", ["lasker", "grundy"])
def test_example(name):
    check_example(name)


class TestLasker:
    def test_closed_form_against_the_graph(self):
        assert check_closed_form(ruleset("lasker"), 40) > 40

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("lasker(0)", 0),
            ("lasker(3)", 4),
            ("lasker(4)", 3),
            ("lasker(2,2,3)", 4),  # HDU 3032: Alice
            ("lasker(3,3)", 0),  # HDU 3032: Bob
            ("lasker(1000000)", 999_999),
        ],
    )
    def test_value(self, text, value):
        assert parse_position(text).grundy == value

    @pytest.mark.parametrize("text", ["lasker(2,2,3)", "lasker(3,3)", "lasker(7,5,3)"])
    def test_explicit_graph_agrees(self, text):
        assert graph_value(text) == parse_position(text).grundy

    def test_splits_can_win(self):
        moves = [str(move.end) for move in parse_position("lasker(3,3,2)").winning_moves()]
        assert moves == ["lasker(0)", "lasker(1) + lasker(1)"]
        assert "lasker(1) + lasker(2)" in [str(move.end) for move in parse_position("lasker(3) + *3").winning_moves()]


class TestGrundy:
    def test_oeis(self):
        expected = table("oeis-heaps")["Grundy's game"]["expected"]
        values = graph_values(ruleset("grundy"), len(expected) - 1)
        assert [values.get(heap, 0) for heap in range(len(expected))] == expected

    def test_no_equal_parts(self):
        assert sorted(ruleset("grundy").options(7)) == [(1, 6), (2, 5), (3, 4)]
        assert sorted(ruleset("grundy").options(8)) == [(1, 7), (2, 6), (3, 5)]
        assert [list(ruleset("grundy").options(heap)) for heap in (0, 1, 2)] == [[], [], []]

    def test_winning_move(self):
        assert [str(move.end) for move in parse_position("grundy(8)").winning_moves()] == ["grundy(1) + grundy(7)"]


@pytest.mark.parametrize("text", ["lasker(5)", "lasker(1,2,3)", "grundy(12,7)"])
def test_round_trip(text):
    check_round_trip(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("lasker(3,-1)", 10, "a heap's size is -1: expected 0 or more"),
        ("lasker()", 8, "expected an integer, a heap's size, but found ''"),
        ("lasker{2}(3)", 8, "unexpected arguments: lasker takes none"),
        ("grundy(3,x)", 10, "expected an integer, a heap's size, but found 'x'"),
        (
            "grundy(99999)",
            8,
            "the size of a heap whose value no formula gives (see graphgame heap) is 99999: expected 0..10000",
        ),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)
