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


@pytest.mark.parametrize("slower", [False, True, None])
@pytest.mark.parametrize("text", ["0.007", "0.04", "0.06", "0.135"])
def test_the_faster_of_two_loops_is_kept_and_both_find_the_same(text, slower, monkeypatch):
    monkeypatch.setattr(values, "_TIMED", 128)
    monkeypatch.setattr(values, "_TIMED_FROM", 256)
    monkeypatch.setattr(values, "_PAIRS_A_RARE", 10**6)  # no space is sparse
    timed, by_splits, splits_on = [], [], values._extend_by_splits

    def counted(moves, known, n, *others):
        found, end = splits_on(moves, known, n, *others)
        by_splits.append(end - n)
        return found, end

    def in_turn(*paces):
        timed.append([pace.cost for pace in paces])
        return len(timed) % 2 == 0 if slower is None else slower

    monkeypatch.setattr(values, "_is_slower", in_turn)
    monkeypatch.setattr(values, "_extend_by_splits", counted)
    game = heaps.game(text)
    found = game.grundy_values(6000, method="sparse", engine="compiled")
    assert np.array_equal(found, game.grundy_values(6000, method="dense", engine="compiled"))
    assert len(timed) == 5  # at 256, 512, ..., 4096
    assert all(min(costs) > 0 for costs in timed)
    assert (sum(by_splits) > 5000) == (slower is False)
    assert (sum(by_splits) < 1500) == (slower is True)


@pytest.mark.parametrize(("by_splits", "by_rares", "slower"), [(2.0, 1.0, True), (1.0, 2.0, False)])
def test_the_slower_loop_is_the_one_that_takes_longer_for_a_heap(by_splits, by_rares, slower):
    splits, sparse = values._Pace(), values._Pace()
    for pace, heaps_timed, seconds in ((splits, 100, by_splits), (sparse, 100, by_rares)):
        pace.add(1, 60 / seconds)  # the first block may include compiling, and does not count
        pace.add(heaps_timed, seconds)
    assert values._is_slower(splits, sparse) == slower


def test_calls_get_longer_until_one_takes_long():
    pace, lengths = values._Pace(), []
    for seconds in [0.01] * 9 + [0.5]:
        lengths.append(pace.at_once)
        pace.add(pace.at_once, seconds)
    assert lengths == [64, 128, 256, 512, 1024, 2048, 4096, 8192, 8192, 8192]
    assert pace.at_once == 4096
