"""A few random positions of each game that ``search`` takes: ``python -m tests.fuzz.fuzz_search`` tries thousands."""

import pytest

from tests.fuzz.fuzz_search import GAMES, SEVERAL, try_game


@pytest.mark.parametrize("name", [*GAMES, SEVERAL])
def test_searches_agree_with_the_definition(name):
    assert try_game(name, 9, seed=9000, a_start=3) > 0
