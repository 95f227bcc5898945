"""Taking-and-breaking codes, and the octal games that have a name."""

from functools import cache
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import explore
from graphgame.games import ruleset
from graphgame.labs.heaps.codes import Code, Octal
from graphgame.rules.notation import parse_position
from tests.notations import (
    check_closed_form,
    check_example,
    check_round_trip,
    fault,
    graph_values,
    one_move_further,
    table,
)

PUBLISHED = table("octal-normal")
OEIS = table("oeis-octal")
KAYLES, DAWSON_KAYLES, DAWSON_CHESS = map(ruleset, ("kayles", "dawson-kayles", "dawson-chess"))
OPTIONS = table("options")["take-and-break option sets"]


def values(rules, count):
    found = graph_values(rules, *range(count))
    return [found[heap] for heap in range(count)]


def partitions_left(code, heap):
    """Return what a code allows to leave of a heap, straight from its definition."""
    first, later = code.split(".")
    left = set()
    for taken, digit in enumerate((first or "0") + later):
        for parts in range(5):
            if int(digit, 32) >> parts & 1 and taken <= heap:
                sizes = range(1, heap - taken + 1)
                left |= {c for c in combinations_with_replacement(sizes, parts) if sum(c) == heap - taken}
    return left


def pawn_moves(mine, his, step, captures=False):
    """Return what the other player then faces of pawns on three rows: the captures, which must be made, or advances."""
    found = {True: [], False: []}
    for row, file in mine:
        for aside in (-1, 0, 1):
            end = row + step, file + aside
            if (end in his) == (aside != 0) and 0 <= end[0] <= 2:
                found[aside != 0].append((his - {end}, mine - {(row, file)} | {end}, -step))
    return found[True] if captures else found[True] or found[False]


def forced_lengths(*board):
    """Return in how many moves an advance, which has been made, and its captures may come to rest."""
    ends = [1 + length for left in pawn_moves(*board, captures=True) for length in forced_lengths(*left)]
    return set(ends or [1])


@cache
def wins_with_pawns(*board):
    return any(not wins_with_pawns(*left) for left in pawn_moves(*board))


class TestValues:
    @pytest.mark.parametrize("game", [game for game in PUBLISHED if "values_0_60" in PUBLISHED[game]["expected"]])
    def test_heaps_0_to_60(self, game):
        record = PUBLISHED[game]
        assert values(Octal(record["input"]["code"]), 61) == record["expected"]["values_0_60"]

    @pytest.mark.parametrize("game", ["Kayles", "Subtraction{2,3,7}"])
    def test_heaps_1_to_20(self, game):
        record = PUBLISHED[game]
        assert values(Octal(record["input"]["code"]), 21)[1:] == record["expected"]["values"]

    @pytest.mark.parametrize("game", OEIS)
    def test_oeis(self, game):
        record = OEIS[game]
        first, expected = record["input"]["first_heap"], record["expected"]["values"]
        assert values(Octal(record["input"]["code"]), first + len(expected))[first:] == expected

    def test_three_heaps(self):
        record = table("hex-arithmetic-periodic")["0.3F"]
        assert values(Code("0.3F"), 21)[1:] == record["expected"]["values"]

    def test_equivalent_codes(self):
        record = table("octal-equivalence")["0.27 vs 0.26"]
        same, different = (values(Octal(record["expected"][key]), 61) for key in ("same_as", "different_from"))
        assert values(Octal(".27"), 61) == same != different


class TestOptions:
    @pytest.mark.parametrize(
        ("case", "expected"), list(zip(OPTIONS["input"]["cases"], OPTIONS["expected"], strict=True))
    )
    def test_published(self, case, expected):
        code, heap = case
        wanted = {tuple(int(part) for part in option.split(",") if part) for option in expected}
        name = "grundy" if "Grundy" in code else f"code{{{code}}}"
        rules = parse_position(f"{name}({heap})").components[0].ruleset
        assert one_move_further(rules, heap) == wanted

    @settings(max_examples=60, deadline=None)
    @given(st.sampled_from("048CGKOS"), st.text("0123456789ABCDEFGHIJKLMNOPQRSTUV", min_size=1, max_size=4))
    def test_as_defined(self, first, later):
        code = f"{first}.{later}"
        if set(code) <= set("0."):
            return
        for heap in range(9):
            options = list(Code(code).options(heap))
            assert one_move_further(Code(code), heap) == partitions_left(code, heap)
            assert len(options) == len(set(options)), "an option is listed once"


class TestNamed:
    @pytest.mark.parametrize("rules", [KAYLES, DAWSON_KAYLES, DAWSON_CHESS], ids=lambda rules: rules.code)
    def test_period_is_proved(self, rules):
        """The theorem of Guy and Smith: values that repeat up to heap 2 n0 + 2 p + k repeat for ever."""
        preperiod, period = {"0.77": (71, 12), "0.07": (53, 34), "0.137": (52, 34)}[rules.code]
        last = max(rules.rules.leaves)
        count = 2 * preperiod + 2 * period + last + 1
        found = values(Octal(rules.code), count)
        assert all(found[heap] == found[heap + period] for heap in range(preperiod, count - period))
        assert found[preperiod - 1] != found[preperiod - 1 + period]
        assert [rules.closed_form(heap) for heap in range(count)] == found
        assert rules.closed_form(10**18) == found[preperiod + (10**18 - preperiod) % period]

    @pytest.mark.parametrize("rules", [KAYLES, DAWSON_KAYLES, DAWSON_CHESS], ids=lambda rules: rules.code)
    def test_options_of_value(self, rules):
        assert check_closed_form(rules, 25) >= 25

    def test_dawsons_chess_on_the_board(self):
        for files in range(1, 9):
            board = frozenset((0, file) for file in range(files)), frozenset((2, file) for file in range(files))
            lengths = set().union(*(forced_lengths(*left) for left in pawn_moves(*board, 1)))
            assert lengths <= {1, 3, 5}
            assert wins_with_pawns(*board, 1) == (parse_position(f"dawson-chess({files})").winner == "first")

    def test_dawsons_chess_is_dawsons_kayles(self):
        chess, kayles = DAWSON_CHESS, DAWSON_KAYLES
        assert all(chess.closed_form(n) == kayles.closed_form(n + 1) for n in range(1000))

    @pytest.mark.parametrize(
        ("text", "ends"),
        [
            ("kayles(5)", ["kayles(2) + kayles(2)"]),
            ("dawson-kayles(6)", ["dawson-kayles(2) + dawson-kayles(2)"]),
            ("dawson-chess(5)", ["dawson-chess(1) + dawson-chess(1)"]),
            ("dawson-kayles(5)", []),
        ],
    )
    def test_winning_moves(self, text, ends):
        assert [str(move.end) for move in parse_position(text).winning_moves()] == ends

    def test_large_rows_at_once(self):
        assert parse_position("kayles(1000000)").grundy == KAYLES.closed_form(1_000_000 % 12 + 72)

    @pytest.mark.parametrize(("code", "proved"), [("0.77", True), ("0.15", True), ("4.7", True), ("0.6", False)])
    def test_codes_whose_period_is_proved(self, code, proved):
        rules = Octal(code)
        expected = values(rules, 400)
        found = [rules.closed_form(heap) for heap in range(400)]
        assert found == (expected if proved else [None] * 400)

    def test_boards(self):
        assert KAYLES.board(3) == "| | |"
        assert DAWSON_CHESS.board(3) == "p p p\n. . .\nP P P"


@pytest.mark.parametrize("name", ["octal", "code", "kayles", "dawson-kayles", "dawson-chess"])
def test_example(name):
    check_example(name)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("octal{0.77}(20)", "octal{0.77}(20)"),
        ("octal{.7700}(3)", "octal{0.77}(3)"),
        ("code{ 0.3f }(9,4)", "code{0.3F}(9) + code{0.3F}(4)"),
        ("code{G.0}(9)", "code{G.0}(9)"),
        ("octal{4.00}(9)", "octal{4.0}(9)"),
    ],
)
def test_text(text, shown):
    assert str(parse_position(text)) == shown
    check_round_trip(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("octal{0.78}(5)", 10, "'8' is not a digit of this code: expected 0..7, or code{...} for digits up to V"),
        ("code{0.7W}(5)", 9, "'W' is not a digit of this code: expected 0..9, A..V, * or {...}"),
        ("octal{0.7 7}(5)", 10, "' ' is not a digit of this code: expected 0..7, or code{...} for digits up to V"),
        ("octal{0.7.7}(5)", 10, "'.' is not a digit of this code: expected 0..7, or code{...} for digits up to V"),
        ("octal{}(5)", 7, "expected a code with a point and digits, such as 0.77 or 4.0"),
        ("octal{77}(5)", 7, "expected a code with a point and digits, such as 0.77 or 4.0"),
        ("octal{.}(5)", 7, "expected a code with a point and digits, such as 0.77 or 4.0"),
        ("octal{0.00}(5)", 9, "the code has no move: expected a digit that is not 0"),
        (
            "octal{3.7}(5)",
            7,
            "the digit before the point takes nothing, so it must split the heap: expected a multiple of 4",
        ),
        (f"octal{{0.{'7' * 2000}}}(5)", 7, "the code has 2001 digits: expected at most 1000"),
        (
            "octal{0.6}(10001)",
            12,
            "the size of a heap whose value no formula gives (see graphgame heap) is 10001: expected 0..10000",
        ),
        (
            "code{0.F}(9,1001)",
            13,
            "the size of a heap whose value no formula gives (see graphgame heap) is 1001: expected 0..1000",
        ),
        (
            "code{0.V}(201)",
            11,
            "the size of a heap whose value no formula gives (see graphgame heap) is 201: expected 0..200",
        ),
        ("kayles{0.77}(5)", 8, "unexpected arguments: kayles takes none"),
        ("kayles(-2)", 8, "a heap's size is -2: expected 0 or more"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)


def test_takes_only_games_have_no_sums():
    assert explore(Octal("0.333"), 1000).sums is None
