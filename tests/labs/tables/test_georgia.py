"""Georgia and Bob, the Silver Dollar game."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame.labs.tables.strips import Georgia
from graphgame.rules.notation import parse_position
from tests.notations import check_closed_form, check_example, check_round_trip, fault

strips = st.sets(st.integers(0, 9), min_size=1, max_size=4).map(lambda squares: tuple(sorted(squares)))


@pytest.mark.parametrize("name", ["silver-dollar", "georgia"])
def test_example(name):
    check_example(name)


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
        ("georgia(0,3)", 9, "a chip's square is 0: expected 1 or more"),
        ("silver-dollar(-1)", 15, "a chip's square is -1: expected 0 or more"),
        ("georgia(3,1, 3)", 14, "two chips on square 3: expected one chip a square"),
        ("georgia()", 9, "expected an integer, a chip's square, but found ''"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)
