"""Numbers on a whiteboard."""

from functools import cache

import pytest

from graphgame.games.whiteboard import Whiteboard
from graphgame.rules.notation import parse_position
from tests.notations import check_closed_form, check_example, check_round_trip, fault, graph_value


def test_example():
    check_example("whiteboard")


@pytest.mark.parametrize("most", [1, 2, 3, 7])
def test_closed_form_against_the_graph(most):
    assert check_closed_form(Whiteboard(most), *((goal, 0) for goal in range(1, 25))) > 100


@pytest.mark.parametrize("most", [1, 2, 3, 5])
def test_the_game_as_told(most):
    """Whoever writes N or more loses."""

    @cache
    def writer_wins(goal, last):
        return any(n < goal and not writer_wins(goal, n) for n in range(last + 1, last + most + 1))

    for goal in range(1, 30):
        position = parse_position(f"whiteboard{{{most}}}({goal})")
        assert (position.outcome == "N") == writer_wins(goal, 0) == ((goal - 1) % (most + 1) != 0)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("whiteboard{1}(1)", 0),
        ("whiteboard{3}(30)", 1),
        ("whiteboard{3}(30:12)", 1),
        ("whiteboard{3}(30:29)", 0),
        ("whiteboard{2}(10)", 0),
    ],
)
def test_value(text, value):
    assert parse_position(text).grundy == graph_value(text) == value
    check_round_trip(text)


def test_large_goals_at_once():
    position = parse_position(f"whiteboard{{100}}({10**18})")
    assert [str(move.end) for move in position.winning_moves()] == [f"whiteboard{{100}}({10**18}:{(10**18 - 1) % 101})"]


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("whiteboard{0}(5)", 12, "the most by which a number exceeds the last is 0: expected 1 or more"),
        ("whiteboard{3}(0)", 15, "the number not to reach is 0: expected 1 or more"),
        ("whiteboard{3}(30:33)", 18, "the last number is 33: expected 0..32"),
        ("whiteboard{3}(30:)", 18, "expected a number after the colon"),
        ("whiteboard{3}(30,5)", 17, "expected one integer, the number not to reach"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)


def test_most_is_positive():
    with pytest.raises(ValueError, match="invalid most 0: expected 1 or more"):
        Whiteboard(0)
