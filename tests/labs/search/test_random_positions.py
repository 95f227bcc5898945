"""A few random positions of each game that ``search`` takes: ``python -m tests.fuzz.fuzz_search`` tries thousands."""

import pytest

from tests.fuzz.fuzz_search import GAMES, SEVERAL, try_game

ENDED_BY_A_MOVE = {"cutting", "treblecross", "whiteboard"}
"""Games without misère play, for their rules say who wins."""


@pytest.mark.parametrize("name", [*GAMES, SEVERAL])
def test_searches_agree_with_the_definition(name):
    misere = try_game(name, 9, seed=9000, a_start=3)
    assert (misere > 0) == (name not in ENDED_BY_A_MOVE)
