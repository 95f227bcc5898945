"""Values in a file: long computations that go on where they stopped.

The first line of such a file is a record (:mod:`graphgame.io.records`) of the ``game`` and of the values of heaps 0, 1,
..., which follow (:mod:`graphgame.heaps.arrayfile`).
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from graphgame.arrays.compiling import Array
from graphgame.arrays.engine import Progress
from graphgame.errors import shorten
from graphgame.heaps import arrayfile
from graphgame.heaps.periods import ObservedPeriod, PeriodCertificate, growing_period
from graphgame.heaps.values import check_heap
from graphgame.io.files import PathLike, Source
from graphgame.io.records import RecordFormat

if TYPE_CHECKING:
    from graphgame.heaps.heapgame import HeapGame

__all__ = ["load_values", "resumed_period", "resumed_values", "save_values"]

_RECORD = RecordFormat(
    "graphgame heap values",
    2,
    {"game": str, **arrayfile.SHAPE},
    "compute the values again, to another file",
)
_COMPARED = 64
_FIRST_STEP = 1 << 10
_WRITING_SHARE = 20


def save_values(game: HeapGame, values: Array, path: PathLike) -> None:
    """Write the values of the heaps 0, 1, ... of a game to a file: the whole file or, if that fails, none."""
    arrayfile.write(_RECORD, {"game": game.name}, values, path)


def load_values(game: HeapGame, path: PathLike) -> Array:
    """Read values of a game that :func:`save_values` wrote.

    A file that is damaged, of another version or of another game is a ParseError.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from graphgame import heaps
    >>> path = pathlib.Path(tempfile.mkdtemp(), "kayles.values")
    >>> save_values(heaps.octal("0.77"), heaps.octal("0.77").grundy_values(6), path)
    >>> load_values(heaps.octal("0.77"), path).tolist()
    [0, 1, 2, 3, 1, 4, 3]
    """
    with Source(path, max_bytes=arrayfile.MOST_BYTES) as source:
        record, values = arrayfile.read(_RECORD, source)
        if record["game"] != game.name:
            raise source.error(f"the file holds values of {shorten(record['game'])}, not of {game.name}")
        first = game.grundy_values(max(min(len(values), _COMPARED) - 1, 0), method="dense", engine="plain")
        if not np.array_equal(values[:_COMPARED], first[: len(values)]):
            raise source.error(f"the file holds other values than those of {game.name}")
    return values


def resumed_values(
    game: HeapGame,
    n: int,
    path: PathLike,
    *,
    engine: str = "auto",
    progress: Progress | None = None,
    interval: float = 5.0,
) -> Array:
    """Return the values of the heaps 0..n, kept in a file as they are found, also when the work is interrupted.

    The file is written again after an interval in seconds, or later where writing takes long. It is read first;
    :func:`load_values` says which files are refused.
    """
    check_heap(n)
    values = load_values(game, path) if Path(path).exists() else np.zeros(0, np.uint8)
    kept, step, saved, pause = len(values), _FIRST_STEP, time.monotonic(), interval
    try:
        while len(values) <= n:
            began = time.monotonic()
            stop = min(len(values) + step, n + 1) if game.rules.reuses_values else n + 1
            values = game.extend_values(values, stop - 1, engine=engine, progress=_of_all(progress, n + 1))
            now = time.monotonic()
            step = _next_step(step, now - began, interval)
            if now - saved >= pause:
                save_values(game, values, path)
                kept, saved = len(values), time.monotonic()
                pause = max(interval, _WRITING_SHARE * (saved - now))
    finally:
        if len(values) > kept:
            save_values(game, values, path)
    return values[: n + 1]


def resumed_period(
    game: HeapGame,
    limit: int,
    path: PathLike,
    *,
    engine: str = "auto",
    progress: Progress | None = None,
    interval: float = 5.0,
) -> PeriodCertificate | ObservedPeriod | None:
    """Return what :meth:`HeapGame.any_period` returns, with the values kept in a file as they are found.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from graphgame import heaps
    >>> path = pathlib.Path(tempfile.mkdtemp(), "kayles.values")
    >>> resumed_period(heaps.octal("0.77"), 1000, path).period, path.exists()
    (12, True)
    """
    check_heap(limit)

    def values_to(n: int) -> Array:
        return resumed_values(game, n, path, engine=engine, progress=progress, interval=interval)

    return growing_period(game.name, game.rules.theorem, limit, values_to, engine)


def _next_step(step: int, took: float, interval: float) -> int:
    """Return how many heaps to do next, so that they take a fair part of an interval."""
    return 2 * step if took < interval / 4 else max(step // 2, 1) if took > interval / 2 else step


def _of_all(progress: Progress | None, total: int) -> Progress | None:
    """Return a progress that tells of all heaps where the work tells of its next step."""
    return None if progress is None else lambda done, _: progress(done, total)
