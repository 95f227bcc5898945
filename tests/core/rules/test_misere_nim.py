"""Misère Nim."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import Move, explore, solve
from graphgame.rules.nim import Nim, misere_nim_class, misere_nim_outcome, misere_nim_winning_moves
from graphgame.rules.notation import parse_position
from graphgame.rules.ruleset import Sum

heaps = st.lists(st.integers(0, 6), min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("sizes", "kind", "outcome"),
    [
        ([], "T0", "N"),
        ([0, 0], "T0", "N"),
        ([1], "S0", "P"),
        ([1, 1], "T0", "N"),
        ([1, 0, 1, 1], "S0", "P"),
        ([2], "S1", "N"),
        ([1, 1, 5], "S1", "N"),
        ([2, 2], "T2", "P"),
        ([1, 2, 3], "T2", "P"),
        ([3, 5, 1], "S2", "N"),
        ([10**18, 10**18, 1], "S2", "N"),
        ([10**18, 10**18], "T2", "P"),
    ],
)
def test_class(sizes, kind, outcome):
    assert misere_nim_class(sizes) == kind
    assert misere_nim_outcome(sizes) == outcome


@pytest.mark.parametrize(
    ("sizes", "moves"),
    [
        ([], []),
        ([1], []),
        ([2, 2], []),
        ([1, 1], [Move(0, 1, 0), Move(1, 1, 0)]),
        ([7], [Move(0, 7, 1)]),
        ([1, 7], [Move(1, 7, 0)]),
        ([3, 5, 1], [Move(1, 5, 2)]),
        ([10**18, 10**18, 10**18], [Move(place, 10**18, 0) for place in range(3)]),
    ],
)
def test_winning_moves(sizes, moves):
    assert misere_nim_winning_moves(sizes) == moves


@settings(max_examples=60, deadline=None)
@given(heaps)
def test_against_the_explicit_game(sizes):
    solution = solve(explore(Nim(), Sum(sizes)), misere=True)
    assert misere_nim_outcome(sizes) == ("N" if solution.winner == "first" else "P")
    assert sorted(misere_nim_winning_moves(sizes)) == sorted(solution.winning_moves())


@given(st.lists(st.integers(0, 10**18), max_size=8))
def test_every_win_leaves_a_loss(sizes):
    for move in misere_nim_winning_moves(sizes):
        after = sizes.copy()
        after[move.component] = move.end
        assert misere_nim_outcome(after) == "P"
    if misere_nim_outcome(sizes) == "P" or not any(sizes):
        assert misere_nim_winning_moves(sizes) == []
    else:
        assert misere_nim_winning_moves(sizes)


def test_a_position_agrees():
    assert parse_position("nim(3,5,1)").under(misere=True).outcome == misere_nim_outcome([3, 5, 1])
