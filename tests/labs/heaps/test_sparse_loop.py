"""The loop over 64 heaps at a time, with bounds so small that few heaps come to all of its branches."""

import numpy as np
import pytest

from graphgame.labs import heaps
from graphgame.labs.heaps import sparse, values

CODES = """
0.104 0.106 0.127 0.044 0.07 0.007 0.6 0.77 0.16 0.136 0.354 0.644 0.0704 4.444 0.1137 0.0077 0.00007002000000004 grundy
couples
"""


@pytest.mark.parametrize("few", [0, 1, 5])
@pytest.mark.parametrize("text", CODES.split())
def test_small_bounds(text, few, monkeypatch):
    """Heaps whose candidates are not settled read no values of their own block, which are not known yet."""
    bounds = {"WINDOWS": 1, "MARKS_A_VALUE": few, "SEARCHED": few}
    for name, bound in bounds.items():
        monkeypatch.setattr(sparse, name, bound)
    game = heaps.game(text)
    found = game.grundy_values(1000, method="sparse", engine="plain")
    assert np.array_equal(found, game.grundy_values(1000, method="dense", engine="compiled"))


@pytest.mark.parametrize("text", ["0.007", "0.106", "0.4021", "couples"])
def test_without_tables(text, monkeypatch):
    """Where the processor looks up items one by one, more splits are marked, and the others searched for values."""
    monkeypatch.setattr(values, "picks_at_once", lambda: False)
    game = heaps.game(text)
    found = game.rules.extend(np.zeros(0, np.uint8), 6000, values.Run("compiled"))
    assert np.array_equal(found, game.grundy_values(5999, method="dense", engine="compiled"))
