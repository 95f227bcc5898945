"""Values in a file: long computations that go on where they stopped.

The first line of such a file is a record (:mod:`graphgame.io.records`) of the ``game`` and of the values of heaps 0, 1,
..., which follow (:mod:`graphgame.labs.heaps.arrayfile`).
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.compiled.engine import Progress
from graphgame.errors import Message
from graphgame.io.files import PathLike, Source
from graphgame.io.records import RecordFormat, natural
from graphgame.labs.heaps import arrayfile
from graphgame.labs.heaps.certificates import PeriodCertificate
from graphgame.labs.heaps.packed import PACKED_SIZE, HeapValues, PackedValues
from graphgame.labs.heaps.periods import ObservedPeriod, growing_period
from graphgame.labs.heaps.values import check_heap

if TYPE_CHECKING:
    from graphgame.labs.heaps.heapgame import HeapGame

_RECORD = RecordFormat(
    "graphgame heap values",
    2,
    {"game": str, **arrayfile.SHAPE},
    Message("compute the values again, to another file"),
)
_PACKED = RecordFormat(
    "graphgame packed heap values",
    1,
    {"game": str, "mask": natural, "first": natural, **arrayfile.SHAPE},
    Message("compute the values again, to another file"),
)
_COMPARED = 64
_FIRST_STEP = 1 << 10
_LONGEST_NAME = 64
_WRITING_SHARE = 20


def save_values(game: HeapGame, values: HeapValues, path: PathLike) -> None:
    """Write the values of the heaps 0, 1, ... of a game to a file: the whole file or, if that fails, none."""
    if isinstance(values, PackedValues):
        first = values.first.astype("<u2")
        fields = {"game": game.name, "mask": values.mask, "first": first.nbytes}
        arrayfile.write(_PACKED, fields, values.codes, path, first)
    else:
        arrayfile.write(_RECORD, {"game": game.name}, values, path)


def load_values(game: HeapGame, path: PathLike) -> HeapValues:
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
    values: HeapValues
    with Source(path, max_bytes=arrayfile.MOST_BYTES) as source:
        if _PACKED.begins(source.peek(_LONGEST_NAME)):
            record, values = _packed(source)
        else:
            record, values, _ = arrayfile.read(_RECORD, source)
        if record["game"] != game.name:
            raise source.error(Message("the file holds values of {found!r}, not of {name}", record["game"], game.name))
        first = game.grundy_values(max(min(len(values), _COMPARED) - 1, 0), method="dense", engine="plain")
        if not np.array_equal(values[:_COMPARED], first[: len(values)]):
            raise source.error(Message("the file holds other values than those of {name}", game.name))
    return values


def _packed(source: Source) -> tuple[dict[str, Any], PackedValues]:
    record, codes, first = arrayfile.read(_PACKED, source, "first")
    if not 0 < record["mask"] < PACKED_SIZE or len(first) % 2 or codes.itemsize > 1:
        raise _PACKED.damaged(source.name)
    return record, PackedValues(first.view("<u2").astype(np.uint16), codes, record["mask"])


def resumed_values(
    game: HeapGame,
    n: int,
    path: PathLike,
    *,
    engine: str = "auto",
    progress: Progress | None = None,
    interval: float = 5.0,
) -> HeapValues:
    """Return the values of the heaps 0..n, kept in a file as they are found, also when the work is interrupted.

    The file is written again after an interval in seconds, or later where writing takes long. It is read first;
    :func:`load_values` says which files are refused.
    """
    check_heap(n)
    values: HeapValues = load_values(game, path) if Path(path).exists() else np.zeros(0, np.uint8)
    kept, step, saved, pause = len(values), _FIRST_STEP, time.monotonic(), interval
    try:
        while len(values) <= n:
            began = time.monotonic()
            stop = min(len(values) + step, n + 1) if game.rules.reuses_values else n + 1
            values = game.packed_values(stop - 1, values, goal=n, engine=engine, progress=progress)
            now = time.monotonic()
            step = _next_step(step, now - began, pause)
            if now - saved >= pause:
                save_values(game, values, path)
                kept, saved = len(values), time.monotonic()
                pause = max(interval, _WRITING_SHARE * (saved - now))
    finally:
        if len(values) > kept:
            save_values(game, values, path)
    return values if len(values) == n + 1 else values[: n + 1]


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
        return np.asarray(resumed_values(game, n, path, engine=engine, progress=progress, interval=interval))

    return growing_period(game.name, game.rules.theorem, limit, values_to, engine)


def _next_step(step: int, took: float, interval: float) -> int:
    """Return how many heaps to do next, so that they take a fair part of an interval."""
    return 2 * step if took < interval / 4 else max(step // 2, 1) if took > interval / 2 else step
