"""Staircase Nim, Nimble, Georgia and Bob, and the Silver Dollar game."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame.labs.tables.strips import Georgia, Nimble, Staircase
from graphgame.rules.notation import parse_position
from tests.notations import check_closed_form, check_example, check_round_trip, fault, graph_value

strips = st.sets(st.integers(0, 9), min_size=1, max_size=4).map(lambda squares: tuple(sorted(squares)))


@pytest.mark.parametrize("name", ["staircase", "nimble", "silver-dollar", "georgia"])
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


class TestGeorgia:
    @settings(max_examples=40, deadline=None)
    @given(strips)
    def test_closed_form_against_the_graph(self, squares):
        check_closed_form(Georgia(0), squares)

    @settings(max_examples=60, deadline=None)
    @given(strips)
    def test_the_two_names_differ_by_one_square(self, squares):
        shifted = tuple(square + 1 for square in squares)
        assert Georgia().closed_form(shifted) == Georgia(0).closed_form(squares)
        ends = [tuple(square + 1 for square in end) for end in Georgia(0).options(squares)]
        assert list(Georgia().options(shifted)) == ends

    def test_options_as_defined(self):
        for squares in [(1, 2, 3), (2, 5), (3,), (1, 4, 8, 9)]:
            expected = {
                tuple(sorted({*squares, end} - {square}))
                for square in squares
                for end in range(1, square)
                if not any(end <= other < square for other in squares)
            }
            assert set(Georgia().options(squares)) == expected

    @pytest.mark.parametrize(
        ("text", "outcome"),
        [
            ("georgia(1,2,3)", "P"),  # POJ 1704: Bob will win
            ("georgia(1,5,6,7,9,12,14,17)", "N"),  # POJ 1704: Georgia will win
            ("georgia(1)", "P"),
            ("georgia(5)", "N"),
            ("silver-dollar(0)", "P"),
        ],
    )
    def test_outcome(self, text, outcome):
        assert parse_position(text).outcome == outcome

    def test_boards(self):
        assert Georgia().board((1, 4)) == "o..o"
        assert Georgia(0).board((1, 4)) == ".o..o"
        assert Georgia().board((1, 100)) == "1,100"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("staircase(2,0,0)", "staircase(2,0,0)"),
        ("nimble(3,1)", "nimble(3) + nimble(1)"),
        ("georgia(7,1,3)", "georgia(1,3,7)"),
        ("silver-dollar(4)", "silver-dollar(4)"),
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
        ("georgia(0,3)", 9, "a chip's square is 0: expected 1 or more"),
        ("silver-dollar(-1)", 15, "a chip's square is -1: expected 0 or more"),
        ("georgia(3,1, 3)", 14, "two chips stand on square 3: expected at most one chip on each square"),
        ("georgia()", 9, "expected an integer, a chip's square, but found ''"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)
