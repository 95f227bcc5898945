"""Chomp, Cram, chocolate bars and Notakto."""

from functools import cache
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import explore, solve
from graphgame.labs.bitboards.board_games import Cram, Notakto
from graphgame.labs.bitboards.chocolate import BitterChocolate, Chocolate, Chomp
from graphgame.labs.search import Search
from graphgame.rules.notation import parse_position
from graphgame.rules.ruleset import Sum
from tests.brute import least_missing
from tests.notations import (
    check_closed_form,
    check_example,
    check_outcome_form,
    check_round_trip,
    fault,
    graph_value,
    graph_values,
    table,
)


@pytest.mark.parametrize("name", ["chomp", "cram", "chocolate", "bitter-chocolate", "notakto"])
def test_example(name):
    check_example(name)


@pytest.mark.parametrize(
    "text",
    [
        "chomp(3x4)",
        "chomp(5,2,1)",
        "cram(2x3)",
        "cram(..#../.#.#.)",
        "cram(#)",
        "chocolate(4x5)",
        "bitter-chocolate(4x5)",
        "bitter-chocolate(4x5@2,3)",
        "notakto(.X./.../..X, .../.../...)",
        "notakto(2)",
    ],
)
def test_round_trip(text):
    check_round_trip(text)


@pytest.mark.parametrize(
    ("rules", "start"),
    [(Chomp(), (4, 4, 4)), (Cram(), ".../.../..."), (BitterChocolate(), (1, 2, 2, 0)), (Notakto(), Notakto.start)],
)
def test_every_position_has_a_text_and_one_representative(rules, start):
    for position in explore(rules, start).labels:
        if type(position) is not Sum:
            assert rules.parse(rules.format(position)) == position
            assert rules.canonical(position) == position


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("chomp(0x3)", 7, "a side is 0: expected 1..50"),
        ("chomp(3x)", 9, "expected an integer, a side, but found ''"),
        ("chomp(3x999)", 9, "a side is 999: expected 1..50"),
        ("chomp(2,3)", 9, "longer than the row above it; write 2x3 for a bar of height 2 and width 3"),
        ("chomp(3,2,4)", 11, "a row of 4 is below a row of 2: expected no row longer than the row above it"),
        ("chomp(0,0)", 7, "the first row's length is 0: expected 1..5000"),
        ("cram(4)", 6, "expected two sides, such as 4x2, but found '4'"),
        ("cram(100x100)", 6, "a board of 10000 squares: expected at most 256"),
        ("cram( ../.)", 10, "a row has 1 cells, but the first row has 2: expected rows of one length"),
        ("cram(../.o)", 10, "unknown cell 'o': expected one of . #"),
        ("cram(..//)", 9, "a row has no cells"),
        ("cram()", 6, "a row has no cells"),
        ("chocolate(4x-5)", 13, "a side is -5"),
        ("bitter-chocolate(4x5@2)", 22, "expected the bitter square's column and row, such as 2,3"),
        ("bitter-chocolate(4x5@5,1)", 22, "the bitter square's column is 5: expected 1..4"),
        ("bitter-chocolate(4x5@4,6)", 24, "the bitter square's row is 6: expected 1..5"),
        ("notakto(.../.../..., ../..)", 21, "expected a board of 3 rows of 3 cells, such as .X./.../..X"),
        ("notakto(.../.../..., ../.O)", 26, "unknown cell 'O': expected one of . - X x"),
        ("notakto(9999)", 9, "the number of boards is 9999: expected 0..1000"),
    ],
)
def test_faults(text, column, message):
    found, said = fault(text)
    assert (found, message in said) == (column, True), said


def test_an_error_does_not_advise_a_bar_that_is_too_large():
    _, said = fault("chomp(60,70)")
    assert str(said).endswith("expected no row longer than the row above it")


class TestChomp:
    @staticmethod
    @cache
    def brute(squares):
        options = [
            TestChomp.brute(frozenset(s for s in squares if not (s[0] >= r and s[1] >= c)))
            for r, c in squares
            if r or c
        ]
        return least_missing(options)

    @pytest.mark.parametrize("rows", [(1,), (3,), (2, 2), (3, 2), (3, 3, 3), (4, 3, 1), (4, 4, 2, 1), (2, 2, 2, 2)])
    def test_against_the_definition(self, rows):
        squares = frozenset((r, c) for r, length in enumerate(rows) for c in range(length))
        assert graph_value(f"chomp({','.join(map(str, rows))})") == self.brute(squares)

    def test_oeis(self):
        expected = table("chomp")["P-positions with at most 3 rows inside 3 x n"]["expected"]["counts"]
        widest = len(expected) - 1
        rules = Chomp()
        values = graph_values(rules, (widest,) * 3)
        lost = [
            max(rows)
            for rows in combinations_with_replacement(range(widest + 1), 3)
            if max(rows) and not values[rules.canonical(tuple(sorted(filter(None, rows), reverse=True)))]
        ]
        assert [sum(length <= n for length in lost) for n in range(widest + 1)] == expected

    def test_rectangles_are_won(self):
        assert all(graph_value(f"chomp({m}x{n})") for m in range(1, 6) for n in range(1, 6) if m * n > 1)

    def test_squares_are_won_by_an_l(self):
        assert "chomp(4,1,1,1)" in [str(move.end) for move in parse_position("chomp(4x4)").winning_moves()]

    def test_the_arms_of_an_l_are_nim_heaps(self):
        assert check_closed_form(Chomp(), (9, *(1,) * 6), (6, *(1,) * 9), (12,), (1,) * 12) > 40
        assert Search("chomp(5000,1)").grundy == 4999 ^ 1

    def test_two_rows_are_won_by_the_last_square(self):
        assert [str(move.end) for move in parse_position("chomp(2x9)").winning_moves()] == ["chomp(9,8)"]

    def test_board(self):
        assert Chomp().board((3, 1)) == "xoo\no"


class TestCram:
    @staticmethod
    @cache
    def brute(cells):
        pairs = [{(r, c), e} for r, c in cells for e in ((r + 1, c), (r, c + 1)) if e in cells]
        return least_missing([TestCram.brute(cells - pair) for pair in pairs])

    @settings(max_examples=60)
    @given(st.lists(st.lists(st.sampled_from(".#"), min_size=4, max_size=4), min_size=1, max_size=3))
    def test_against_the_definition(self, rows):
        cells = frozenset((r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == ".")
        assert graph_value(f"cram({'/'.join(map(''.join, rows))})") == self.brute(cells)

    @pytest.mark.parametrize("size", ["3x3", "3x4", "3x5", "3x6", "3x7", "4x4", "4x5"])
    def test_published(self, size):
        assert graph_value(f"cram({size})") == table("cram")["empty boards (normal)"]["expected"][size]

    def test_two_rows(self):
        expected = table("cram")["empty boards (normal)"]["expected"]["2xn"]
        assert [graph_value(f"cram(2x{n})") for n in range(2, 10)] == expected[:8]

    def test_one_row_is_dawsons_kayles(self):
        expected = table("node-kayles")["arc kayles on looped paths = Kayles; arc kayles path n = 0.07"]["expected"]
        values = graph_values(Cram(), "." * 50, "." * 49)
        assert [values["." * n] if n > 1 else 0 for n in range(1, 51)] == expected["loopless"]

    def test_what_is_free_falls_apart(self):
        assert str(parse_position("cram(..#.../.##.#./...###)")) == "cram(..#/.##/...) + cram(.../.#.)"

    def test_single_cells_count_for_nothing(self):
        assert parse_position("cram(.#./#.#)").components[0].position == "#"


class TestChocolate:
    def test_closed_form_against_the_graph(self):
        assert check_closed_form(Chocolate(), (7, 6)) > 20

    @pytest.mark.parametrize(("text", "value"), [("1x1", 0), ("4x5", 1), ("3x5", 0), ("999999x999999", 0)])
    def test_value(self, text, value):
        assert parse_position(f"chocolate({text})").grundy == value


class TestBitterChocolate:
    @staticmethod
    @cache
    def brute(left, top, right, bottom, column, row):
        after = [(c, top, right, bottom) for c in range(left + 1, column + 1)]
        after += [(left, top, c, bottom) for c in range(column + 1, right)]
        after += [(left, r, right, bottom) for r in range(top + 1, row + 1)]
        after += [(left, top, right, r) for r in range(row + 1, bottom)]
        return least_missing([TestBitterChocolate.brute(*bar, column, row) for bar in after])

    @pytest.mark.parametrize(("width", "height"), [(1, 1), (4, 5), (5, 3), (1, 7)])
    def test_against_the_definition(self, width, height):
        for column in range(width):
            for row in range(height):
                text = f"bitter-chocolate({width}x{height}@{column + 1},{row + 1})"
                assert parse_position(text).grundy == self.brute(0, 0, width, height, column, row)

    def test_closed_form_against_the_graph(self):
        assert check_closed_form(BitterChocolate(), (1, 3, 2, 4)) > 20

    def test_corner_is_nim(self):
        assert parse_position("bitter-chocolate(4x5)").grundy == parse_position("nim(3,4)").grundy

    def test_board(self):
        assert BitterChocolate().board((1, 2, 0, 1)) == "oxoo\noooo"


NOTAKTO = table("notakto")["Notakto (3x3 X-only, misere, sum of boards)"]
ELEMENT_OF = {
    f"{board[:3]}/{board[3:6]}/{board[6:]}": {"1": "", "c2": "cc"}.get(element, element)
    for board, element in NOTAKTO["input"]["board_to_element (up to symmetry)"].items()
}
RELATIONS = (("aa", ""), ("bbb", "b"), ("bbc", "c"), ("ccc", "acc"), ("bbd", "d"), ("cd", "ad"), ("dd", "cc"))


def reduced(word):
    """Reduce a product of generators by the published relations."""
    for long, short in RELATIONS:
        if all(word.count(letter) >= long.count(letter) for letter in set(long)):
            for letter in long:
                word = word.replace(letter, "", 1)
            return reduced(word + short)
    return "".join(sorted(word))


class TestNotakto:
    def test_quotient_has_eighteen_elements(self):
        words = {reduced("".join(word)) for k in range(7) for word in combinations_with_replacement("abcd", k)}
        assert len(words) == NOTAKTO["expected"]["order"]

    @pytest.mark.parametrize("step", [0, 1, 7])
    def test_misere_outcomes_follow_the_quotient(self, step):
        boards = list(ELEMENT_OF)
        for chosen in [(board,) for board in boards] if step == 0 else zip(boards, boards[step:], strict=False):
            word = reduced("".join(ELEMENT_OF[board] for board in chosen))
            outcome = parse_position(f"notakto({','.join(chosen)})").under(misere=True).outcome
            assert (outcome == "P") == (word in {"a", "bb", "bc", "cc"}), chosen

    @pytest.mark.parametrize(("count", "winner"), [(1, "first"), (2, "second"), (3, "first")])
    def test_empty_boards(self, count, winner):
        assert solve(f"notakto({count})", misere=True).winner == winner

    def test_a_line_ends_a_board(self):
        for dead in ("XXX/.../...", ".../.../XXX", "X../.X./..X", "..X/.X./X..", ".X./.X./.X."):
            assert list(Notakto().options(dead)) == []
        assert len(list(Notakto().options("XX./.../..."))) == 7

    def test_ways_of_writing(self):
        assert parse_position("notakto(-x-/---/--X)").components == parse_position("notakto(.X./.../..X)").components
        assert solve(parse_position("notakto(0)").graph()).nim_sum == 0


@pytest.mark.parametrize(
    ("rules", "starts", "least"),
    [
        (Chomp(), [(5,) * 5, (7, 7), (2,) * 6], 30),
        (Cram(), ["..../....", ".../...", "...../...../.....", "..../..../..../...."], 15),
    ],
)
def test_outcome_form_against_the_graph(rules, starts, least):
    assert check_outcome_form(rules, *starts) >= least
