"""Northcott's game and Poker Nim: play need not end, and Nim's theorem tells who wins."""

import json
from functools import reduce
from operator import xor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import explore, solve
from graphgame.games import ruleset
from graphgame.rules.notation import parse_position
from tests import brute
from tests.commands import output
from tests.notations import check_example, check_round_trip, fault

NORTHCOTT, POKER_NIM = ruleset("northcott"), ruleset("poker-nim")


@pytest.mark.parametrize("name", ["northcott", "poker-nim"])
def test_example(name):
    check_example(name)


def all_options(start, moves):
    """Return {position: options} for all that can come up."""
    options, frontier = {}, [start]
    while frontier:
        position = frontier.pop()
        if position not in options:
            options[position] = list(moves(position))
            frontier += options[position]
    return options


def men_moved(position):
    """Return the positions after each move of the men: whose turn it is, and the squares of both men in each row."""
    turn, length, rows = position
    for place, men in enumerate(rows):
        own, other = men[turn], men[1 - turn]
        for square in range(length):
            if square not in men and (square < other) == (own < other):
                moved = (square, other) if turn == 0 else (other, square)
                yield 1 - turn, length, (*rows[:place], moved, *rows[place + 1 :])


def chips_moved(position):
    """Return the positions after each move of chips: whose turn it is, the heaps, and the chips of both players."""
    turn, heaps, chips = position
    for place, heap in enumerate(heaps):
        for end in range(heap + chips[turn] + 1):
            if end != heap:
                left = sorted(filter(None, (*heaps[:place], end, *heaps[place + 1 :])))
                own = chips[turn] + heap - end
                yield 1 - turn, tuple(left), (own, chips[1]) if turn == 0 else (chips[0], own)


def is_won(text):
    return parse_position(text).outcome == "N"


class TestAsPlayed:
    """Each player has men or chips of their own: nobody draws, and the xor tells who wins."""

    @pytest.mark.parametrize(
        ("length", "rows"), [(2, [(0, 1)]), (5, [(1, 3)]), (6, [(4, 0)]), (4, [(0, 3), (1, 2)]), (4, [(0, 2), (3, 1)])]
    )
    def test_northcott(self, length, rows):
        start = (0, length, tuple(rows))
        for (turn, _, men), (outcome, _) in brute.loopy_outcomes(all_options(start, men_moved)).items():
            gaps = [abs(a - b) - 1 for a, b in men]
            assert outcome == ("N" if reduce(xor, gaps) else "P")
            text = ["".join("xo"[pair.index(s) ^ turn] if s in pair else "." for s in range(length)) for pair in men]
            assert is_won(f"northcott({'/'.join(text)})") == (outcome == "N")

    @pytest.mark.parametrize("heaps", [(3,), (1, 2), (2, 2), (1, 1, 2)])
    def test_poker_nim(self, heaps):
        start = (0, heaps, (1, 1))
        for (turn, sizes, chips), (outcome, _) in brute.loopy_outcomes(all_options(start, chips_moved)).items():
            assert outcome == ("N" if reduce(xor, sizes, 0) else "P")
            text = f"poker-nim({','.join(map(str, sizes)) or 0}:{chips[turn]},{chips[1 - turn]})"
            assert is_won(text) == (outcome == "N")


class TestValues:
    @pytest.mark.parametrize(
        ("rules", "start"),
        [(NORTHCOTT, "x...o"), (NORTHCOTT, "x..o/.xo."), (POKER_NIM, "3:2,1"), (POKER_NIM, "1,2,2:1,0")],
    )
    def test_the_graph_with_cycles_has_the_values_of_nim(self, rules, start):
        solution = solve(explore(rules, rules.parse(start)), loopy=True)
        assert len(solution.grundy) > 8
        assert all(value == rules.closed_form(position) for position, value in solution.grundy.items())

    @given(st.lists(st.integers(0, 10**20), min_size=1, max_size=9))
    def test_heaps_of_any_size(self, heaps):
        position = parse_position(f"poker-nim({','.join(map(str, heaps))}:{10**20},3)")
        assert position.grundy == reduce(xor, heaps)

    def test_a_chessboard(self):
        board = "x......o/.x...o../..xo..../x.o...../.o.x..../......xo/..x..o../x.....o."
        assert parse_position(f"northcott({board})").grundy == 6 ^ 3 ^ 0 ^ 1 ^ 1 ^ 0 ^ 2 ^ 5

    def test_men_are_seen_from_either_side(self):
        assert NORTHCOTT.parse("..o.x") == NORTHCOTT.parse("x.o..")
        assert list(NORTHCOTT.options(NORTHCOTT.parse(".xo"))) == [NORTHCOTT.parse("o.x")]

    def test_sums(self):
        position = parse_position("northcott(x..o) + poker-nim(3) + nim(1)")
        assert position.outcome == position.theorem.outcome == "P"
        assert solve(position, loopy=True).winner == "second"


def test_solve_is_about_the_tokens():
    source, tokens = "northcott(x.o./x..o)", ("--tokens", "x.o./.x.o")
    report = json.loads(output("solve", source, *tokens, "--json"))
    assert (report["winner"], report["nim_sum"]) == ("second", 0)
    assert output("solve", source, *tokens, "--verdict") == "lose\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("northcott(X..o/.o.x)", "northcott(x..o/x.o.)"),
        ("poker-nim(3,0,1)", "poker-nim(1,3)"),
        ("poker-nim(3 : 0, 0)", "poker-nim(3)"),
        ("poker-nim(0:2,1)", "poker-nim(0:2,1)"),
    ],
)
def test_text(text, shown):
    assert str(parse_position(text)) == shown
    check_round_trip(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("northcott(x..o/x.)", 16, "a row has 2 cells, but the first row has 4: expected rows of one length"),
        ("northcott(x..o/x..x)", 11, "the row x..x does not have one man of each player: expected one x and one o"),
        ("northcott(x..q)", 14, "unknown cell 'q': expected one of . x o X O"),
        ("poker-nim(3:1)", 13, "expected the chips of the player to move and of the other player, such as 2,1"),
        ("poker-nim(3:1,-1)", 15, "the number of a player's chips is -1: expected 0 or more"),
        ("poker-nim(x)", 11, "expected an integer, a heap's size, but found 'x'"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)
