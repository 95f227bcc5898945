"""Games that a move can end at once, by their rules as stated: winner, winning moves, length and the moves of play."""

from itertools import combinations_with_replacement, product

import pytest

from graphgame import parse_position, solve
from graphgame.errors import ParameterError
from graphgame.play import adviser
from graphgame.play.match import Match
from graphgame.play.moves import legal_moves
from graphgame.rules.ruleset import Sum
from tests import brute

SHEETS = [(high, wide) for wide in range(1, 7) for high in range(1, wide + 1)]
ROWS = ["".join(row) for length in range(1, 11) for row in product(".X", repeat=length) if "XXX" not in "".join(row)]
KNOWN = {}

NOTATION = {
    "nim": lambda heap: f"nim({heap})",
    "cutting": lambda sheet: f"cutting({sheet[1]}x{sheet[0]})",
    "whiteboard": lambda board: f"whiteboard{{{board[1]}}}({board[0]}:{board[2]})",
    "treblecross": lambda row: f"treblecross({row})",
    "bash": lambda heap: f"bash{{{heap[1]}}}({heap[0]})",
}


def position_of(game):
    return parse_position(" + ".join(NOTATION[name](position) for name, position in game))


def plain(component, end):
    """Return a position that a move leaves as the oracle writes it: a tuple of parts."""
    if component.name == "cutting":
        sheets = end if isinstance(end, Sum) or isinstance(end[0], tuple) else (end,)
        return tuple(sorted(tuple(sorted(sheet)) for sheet in sheets))
    if component.name == "whiteboard":
        return ((end[0], component.ruleset.most, end[1]),)
    if component.name == "nim":
        return (end,)
    if component.name == "treblecross":
        return ("." * end if isinstance(end, int) else end,)
    return ((end, component.ruleset.most),)


def shown(moves):
    return {(move.component, plain(move.start, move.end.position)) for move in moves}


def expected(moves):
    return {(place, parts) for place, parts, _ in moves}


def vertices(moves):
    """Return the moves with the lesser of mirrored rows of Treblecross: only one of two such moves is listed."""
    return {
        (place, tuple(min(part, part[::-1]) if isinstance(part, str) else part for part in parts))
        for place, parts in moves
    }


def check(game):
    """Compare all answers about a sum of (name, position) with its rules as stated."""
    position = position_of(game)
    wins, length = brute.stated_result(game, KNOWN)
    winner = "first" if wins else "second"
    assert position.winner == winner, game
    assert shown(legal_moves(position)) == expected(brute.stated_moves(game)), game
    winning = vertices(expected(brute.stated_wins(game, KNOWN)))
    assert vertices(shown(position.winning_moves())) == winning, game
    solution = solve(position)
    assert (solution.winner, solution.sum_remoteness()) == (winner, length), game
    best = solution.best_move()
    assert (best is None) == (not brute.stated_moves(game)), game
    match, advice = Match(position), adviser(position)
    while match.winner is None:
        match.move(advice.best_move(match.position))
    assert (match.winner, len(match.moves)) == (winner, length), game


@pytest.mark.parametrize(
    ("text", "winner", "moves"),
    [
        ("cutting(1x1)", "second", 0),
        ("cutting(1x2)", "first", 1),
        ("cutting(2x2)", "second", 2),
        ("cutting(4x2)", "first", 3),
        ("cutting(4x4)", "first", 5),
        ("cutting(1x2)+cutting(1x2)", "first", 1),
        ("cutting(1x2)+cutting(4x2)+nim(3)", "first", 1),
        ("cutting(1x1)+cutting(4x2)", "first", 3),
    ],
)
def test_winner_and_length(text, winner, moves):
    solution = solve(text)
    assert (solution.winner, solution.sum_remoteness()) == (winner, moves)
    assert parse_position(text).winner == winner


@pytest.mark.parametrize("sheet", SHEETS)
def test_cutting(sheet):
    check([("cutting", sheet)])


@pytest.mark.long
@pytest.mark.parametrize("heap", [0, 1, 3])
def test_sums_of_two_sheets_and_a_heap(heap):
    others = [("nim", heap)] if heap else []
    for pair in combinations_with_replacement(SHEETS, 2):
        check([*(("cutting", sheet) for sheet in pair), *others])


@pytest.mark.parametrize("text", ["cutting(4x2)", "nim(3)+cutting(2x2)"])
def test_misere_play_is_refused(text):
    position = parse_position(text)
    for ask in (lambda: position.under(misere=True), lambda: solve(position.graph(), misere=True)):
        with pytest.raises(ParameterError, match="misère play has no meaning in this game"):
            ask()
