"""The computer where play need not end, and the sum is too large to be played out."""

import random

import pytest

from graphgame import parse_position, solve
from graphgame.errors import LimitError
from graphgame.play import Match, adviser, legal_moves

POSITIONS = [
    "wind-up{9:1,3,4}(1,4) + nim(3)",
    "wind-up{7:1,2,5}(3,4,5)",
    "wind-up{7:1,2,5}(2,5) + wind-up{5:1,3}(1)",
    "wind-up{5:1,3}(2,4) + cutting(4x2)",
    "wind-up{9:1,3,4}(2,7)",
    "wind-up{5:1,3}(1) + nim(2)",
]


@pytest.mark.parametrize("text", POSITIONS)
def test_it_wins_what_is_won_and_loses_no_draw(text):
    start = parse_position(text)
    known = adviser(start, loopy=True, product_limit=3)
    winner = solve(start, loopy=True).winner
    assert known.verdict(start) == ({"second": "P", "first": "N", "draw": "D"}[winner], None)
    computer = "second" if winner == "second" else "first"
    for seed in range(10):
        rng, match = random.Random(seed), Match(start)
        while match.winner is None:
            moves = list(legal_moves(match.position))
            match.move(known.best_move(match.position) if match.mover == computer else rng.choice(moves))
        assert match.winner in ((computer, "draw") if winner == "draw" else (computer,))


def test_misere_play_of_a_sum_needs_the_product():
    with pytest.raises(LimitError, match="product_limit=3"):
        adviser(parse_position("wind-up{5:1,3}(2,4)", misere=True), loopy=True, product_limit=3)
