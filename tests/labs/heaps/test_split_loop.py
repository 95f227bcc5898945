"""The loop for games where all splits count, with bounds so small that few heaps come to all of its branches."""

import numpy as np
import pytest

from graphgame.labs import heaps
from graphgame.labs.heaps import loops, values

CODES = """
0.006 0.016 0.135 0.146 0.346 0.606 0.764 4.346 0.0006 0.00704 0.700000000004 0.40000000000000000000000000004 grundy
couples
"""


@pytest.mark.parametrize("marks", [0, 64, 10**6])
@pytest.mark.parametrize("text", CODES.split())
def test_small_bounds(text, marks, monkeypatch):
    for name, bound in {"STEP": 64, "LOOKED_UP": 128, "MOST_TOTALS": 2}.items():
        monkeypatch.setattr(loops, name, bound)
    monkeypatch.setattr(values, "MARKED_FIRST", marks)
    monkeypatch.setattr(values, "_PAIRS_A_RARE", 10**6)  # no space is sparse
    game = heaps.game(text)
    found = game.grundy_values(700, method="sparse", engine="plain")
    assert np.array_equal(found, game.grundy_values(700, method="dense", engine="compiled"))


@pytest.mark.parametrize("text", ["0.764", "0.006", "0.0346", f"0.7{'0' * 70}4"])
def test_larger_values(text):
    """More values than the table has bits, and amounts too far apart for marks that serve both."""
    game = heaps.game(text)
    found = game.grundy_values(9000, method="sparse", engine="compiled")
    assert np.array_equal(found, game.grundy_values(9000, method="dense", engine="compiled"))


def test_calls_get_longer_until_one_takes_long():
    lengths = [64]
    for seconds in [0.01] * 9 + [0.5]:
        lengths.append(values._next_length(lengths[-1], lengths[-1], seconds))
    assert lengths == [64, 128, 256, 512, 1024, 2048, 4096, 8192, 8192, 8192, 4096]
