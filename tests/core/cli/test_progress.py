"""The line on a terminal that tells how far long work has come."""

from __future__ import annotations

import pytest

from graphgame import GameGraph, write_game
from graphgame.cli import progress
from graphgame.cli.progress import Reading, Writing


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    times = [0.0]
    monkeypatch.setattr(progress, "work_clock", lambda: times[0])
    return times


def test_a_large_slow_file(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    meter = Reading()
    clock[0] = 1.0
    meter(50 << 20, 100 << 20)
    meter.clear()
    assert capsys.readouterr().err == f"\r{'reading  50% [##########          ]':60}\r{'':60}\r"


def test_a_stream_has_no_end_in_sight(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    meter = Reading()
    clock[0] = 1.0
    meter(50 << 20, None)
    assert capsys.readouterr().err == f"\r{'reading 50 MB':60}"


def test_a_file_that_takes_long_to_write(clock: list[float], capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    meter = Writing()
    clock[0] = 1.0
    graph = GameGraph.from_arrays(range(200_000), range(1, 200_001))
    write_game(graph, tmp_path / "path.csv", progress=meter)
    assert capsys.readouterr().err.startswith("\rwriting ")
    assert (tmp_path / "path.csv").stat().st_size > 1 << 21


def test_a_small_file_that_becomes_large(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    meter = Reading()
    clock[0] = 1.0
    meter(500, 1000)
    assert capsys.readouterr().err == f"\r{'reading  50% [##########          ]':60}"


@pytest.mark.parametrize(("after", "done", "total"), [(0.1, 50 << 20, 100 << 20), (9.0, 100, None)])
def test_nothing_for_what_is_quick_or_typed(
    clock: list[float], capsys: pytest.CaptureFixture[str], after: float, done: int, total: int | None
) -> None:
    meter = Reading()
    clock[0] = after
    meter(done, total)
    meter.clear()
    assert capsys.readouterr().err == ""
