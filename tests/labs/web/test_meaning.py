"""Texts of the page that certainly mean a position."""

import pytest

from graphgame.games import CATALOGUE
from graphgame.labs.web.meaning import meant_position


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_game_by_its_name_is_surely_its_example(name):
    assert meant_position(name) == meant_position(name.title().replace("-", " ")) == CATALOGUE[name].example
