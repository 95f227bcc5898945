"""Nim and Bash's game against brute force over the rules as they are stated, under both play conventions."""

from itertools import combinations_with_replacement

import pytest

from graphgame import parse_position, solve
from graphgame.play import adviser, legal_moves
from tests import brute

PLAYS = [False, True]


def by_the_rules(heaps, most, result):
    """Return the result of taking 1 or more from one heap, at most so many, and what each move leaves."""
    moves = {
        (place, heap, left): result((*heaps[:place], left, *heaps[place + 1 :]))
        for place, heap in enumerate(heaps)
        for left in range(max(0, heap - most), heap)
    }
    return result(heaps), moves


def agrees(position, misere, expected, moves):
    """Assert that everything that knows a position says what brute force does."""
    wins, length = expected
    winning = {move for move, (opponent_wins, _) in moves.items() if not opponent_wins}
    position = position.under(misere)

    def named(found):
        return {
            (place, getattr(start, "position", start), getattr(end, "position", end)) for place, start, end in found
        }

    solution = solve(position)
    assert position.winner == solution.winner == ("first" if wins else "second")
    assert solution.sum_remoteness() == length
    assert adviser(position).verdict(position) == ("N" if wins else "P", length)
    if any(heap for _, heap, _ in moves):
        assert named(position.winning_moves()) == named(solution.winning_moves()) == winning
        best = adviser(position).best_move(position)
        assert moves[place_of(best)][1] == length - 1
    assert named(legal_moves(position)) == set(moves)


def place_of(move):
    return move.component, move.start.position, move.end.position


@pytest.mark.parametrize("misere", PLAYS)
@pytest.mark.parametrize("largest", range(9))
def test_three_heaps_of_nim(misere, largest):
    result = brute.play_out({n: range(n) for n in range(largest + 1)}, misere=misere)
    for heaps in combinations_with_replacement(range(largest + 1), 3):
        if heaps[2] == largest:
            position = parse_position(f"nim({','.join(map(str, heaps))})")
            agrees(position, misere, *by_the_rules(heaps, largest, result))
