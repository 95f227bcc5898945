"""Games that a move can end at once, by their rules as stated: winner, winning moves, length and the moves of play."""

from itertools import combinations_with_replacement

import pytest

from graphgame import parse_position, solve
from graphgame.errors import ParameterError
from tests.core.games.test_rules_as_stated import ROWS, check


@pytest.mark.parametrize("length", range(1, 11))
def test_treblecross(length):
    for row in ROWS:
        if len(row) == length and (length < 9 or row.count("X") < 3):
            check([("treblecross", row)])


def test_sums_of_two_rows_and_a_sheet():
    rows = [".", "..", "X.", "...", ".X.", "XX.", "....", ".....", "X...X", "X.X.."]
    for pair in combinations_with_replacement(rows, 2):
        check([("treblecross", row) for row in pair])
        check([("treblecross", pair[0]), ("cutting", (2, 3)), ("bash", (2, 2))])


@pytest.mark.parametrize("most", range(1, 6))
def test_bash(most):
    for size in range(1, 31):
        check([("bash", (size, most))])


@pytest.mark.parametrize(
    ("text", "winner", "moves"), [("treblecross(.X.X)", "first", 1), ("treblecross(..)", "second", 2)]
)
def test_winner_and_length(text, winner, moves):
    solution = solve(text)
    assert (solution.winner, solution.sum_remoteness()) == (winner, moves)
    assert parse_position(text).winner == winner


def test_misere_play_is_refused():
    position = parse_position("treblecross(7)")
    for ask in (lambda: position.under(misere=True), lambda: solve(position.graph(), misere=True)):
        with pytest.raises(ParameterError, match="misère play has no meaning in this game"):
            ask()
