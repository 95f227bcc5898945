"""Numbers on a whiteboard."""

from functools import cache
from itertools import combinations_with_replacement

import pytest

from graphgame import solve
from graphgame.errors import ParameterError, ParseError
from graphgame.labs.tables.whiteboard import Whiteboard
from graphgame.rules.notation import did_you_mean, parse_position
from tests.core.games.test_rules_as_stated import check
from tests.core.rules.test_spelling import is_position
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
        ("whiteboard{0}(5)", 12, "the largest increase over the number written last is 0: expected 1 or more"),
        ("whiteboard{3}(0)", 15, "the limit N is 0: expected 1 or more"),
        ("whiteboard{3}(30:33)", 18, "the number written last is 33: expected 0..32"),
        ("whiteboard{3}(30:)", 18, "expected a number after the colon"),
        ("whiteboard{3}(30,5)", 17, "expected one integer, the limit N"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)


def test_most_is_positive():
    with pytest.raises(ValueError, match="the argument 'most' is 0: expected 1 or more"):
        Whiteboard(0)


@pytest.mark.parametrize("most", range(1, 6))
def test_the_rules_as_stated(most):
    for goal in range(1, 31):
        for last in {0, goal // 2, goal - 1}:
            check([("whiteboard", (goal, most, last))])


def test_sums_of_two_whiteboards():
    boards = [(goal, most, 0) for goal in range(1, 7) for most in (1, 2, 3)]
    for pair in combinations_with_replacement(boards, 2):
        check([("whiteboard", board) for board in pair])


@pytest.mark.parametrize(("goal", "winner", "moves"), [(1, "second", 1), (30, "first", 16)])
def test_winner_and_length(goal, winner, moves):
    text = f"whiteboard{{3}}({goal})"
    solution = solve(text)
    assert (solution.winner, solution.sum_remoteness()) == (winner, moves)
    assert parse_position(text).winner == winner


def test_misere_play_is_refused():
    position = parse_position("whiteboard{3}(9)")
    for ask in (lambda: position.under(misere=True), lambda: solve(position.graph(), misere=True)):
        with pytest.raises(ParameterError, match="misère play has no meaning in this game"):
            ask()


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("whiteboard{}(4)", 12, "expected an integer"),
        ("whiteboard(5)", 11, "whiteboard needs braces, as in whiteboard{3}(30)"),
    ],
)
def test_braces(text, column, message):
    at, said = fault(text)
    assert (at, message in said) == (column, True)


def test_what_is_meant():
    assert did_you_mean("whiteboard 3 12", is_position) == 'did you mean "whiteboard{3}(12)"?'
    with pytest.raises(ParseError, match=r'did you mean "whiteboard\{3\}\(10\)"'):
        parse_position("whiteboard(3,10)")
