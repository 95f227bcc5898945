"""Staircase Nim and Nimble."""

import pytest

from graphgame.labs.tables.strips import Nimble, Staircase
from graphgame.rules.notation import parse_position
from tests.notations import check_closed_form, check_example, check_round_trip, fault, graph_value


@pytest.mark.parametrize("name", ["staircase", "nimble"])
def test_example(name):
    check_example(name)


class TestStaircase:
    @pytest.mark.parametrize("start", [(3,), (0, 4), (2, 2, 2), (1, 0, 2, 1), (0, 1, 0, 2)])
    def test_closed_form_against_the_graph(self, start):
        assert check_closed_form(Staircase(), start) > 3

    def test_options(self):
        assert list(Staircase().options((2, 1))) == [(1, 1), (0, 1), (3, 0)]
        assert list(Staircase().options((0, 0))) == []

    def test_large_numbers_at_once(self):
        position = parse_position(f"staircase({10**18},{10**18},{10**18 - 1})")
        assert position.grundy == 10**18 ^ (10**18 - 1)
        assert all(move.end.ruleset.closed_form(move.end.position) == 0 for move in position.winning_moves())
        assert len(position.winning_moves()) == 1

    def test_board(self):
        assert Staircase().board((1, 0, 99)) == "3: 99\n2:\n1: o"


class TestNimble:
    def test_coins_are_heaps(self):
        position = parse_position("nimble(3,1,4)")
        assert position.grundy == graph_value("nimble(3,1,4)") == 3 ^ 1 ^ 4
        assert [str(move.end) for move in position.winning_moves()] == ["nimble(2)"]

    def test_board(self):
        rules = Nimble()
        assert rules.board(0) == "1"
        assert rules.board(2) == "..1"
        assert rules.board(rules.parse("1,1,1")) == ".3"
        assert rules.board(rules.parse(",".join("2" * 12))) == "..+"
        assert rules.board(10**9) == "1000000000"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("staircase(2,0,0)", "staircase(2,0,0)"),
        ("nimble(3,1)", "nimble(3) + nimble(1)"),
    ],
)
def test_text(text, shown):
    assert str(parse_position(text)) == shown
    check_round_trip(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("staircase(2,-3)", 13, "the number of coins on a step is -3: expected 0 or more"),
        ("nimble(2,x)", 10, "expected an integer, a heap's size, but found 'x'"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)
