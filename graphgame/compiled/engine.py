"""How loops run: compiled by numba or as plain Python and numpy, and in how many threads."""

from __future__ import annotations

import gc
import importlib.util
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal, TypeVar

from graphgame.errors import Message, MissingExtraError, ParameterError, PerformanceWarning, warn_caller

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Part = TypeVar("Part")
_Result = TypeVar("_Result")
Engine = Literal["auto", "plain", "compiled"]
Progress = Callable[[int, int], None]
"""A function that long work calls with the amount done and the total, or a bound on the total. Work that makes a graph,
such as explore(), calls it with the numbers of positions and moves so far."""

MOST_THREADS = 4
"""The largest number of threads that share one loop."""

COMPILED_FROM = 200_000
"""From this many vertices plus edges on, compiled loops are faster, although loading them takes time."""

PRODUCT_LIMIT = 200_000
"""Default limit on the number of positions in the product graph of several components."""

QUICK_PRODUCT = 20_000
"""By default ``solve`` finds how long play of a sum lasts if its explicit graph has at most this many positions."""

_RARELY = 1 << 20
"""Threshold of the garbage collector in :func:`rarely_collecting`, in new objects; Python's own is 700 to 2,000."""


@contextmanager
def rarely_collecting() -> Iterator[None]:
    """Raise the garbage collector's threshold: for work that makes many objects, few of them garbage."""
    threshold = gc.get_threshold()
    gc.set_threshold(_RARELY, *threshold[1:])
    try:
        yield
    finally:
        gc.set_threshold(*threshold)


class _WorkClock:
    """A clock that stops while loops are compiled, so that estimates of remaining time count only the work."""

    def __init__(self) -> None:
        self._compiling, self._since = 0.0, 0.0

    def __call__(self) -> float:
        """Return seconds like :func:`time.monotonic`, less the time for which the clock was stopped."""
        return (self._since or time.monotonic()) - self._compiling

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the clock inside a ``with`` block."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            self._compiling += time.monotonic() - self._since
            self._since = 0.0


work_clock = _WorkClock()

compiling_listeners: list[Callable[[], object]] = []
"""Functions to call once, before the first loop is compiled. The command line uses this to say why it waits."""


@contextmanager
def announced_compilation() -> Iterator[None]:
    """Wrap the compilation of a loop in a ``with`` block, in which :data:`work_clock` stops.

    Before the first compilation :data:`compiling_listeners` are called and removed.
    """
    while compiling_listeners:
        compiling_listeners.pop()()
    with work_clock.stopped():
        yield


def report(progress: Progress | None, done: int, total: int) -> None:
    """Call ``progress`` with the amount done and the total, unless ``progress`` is None."""
    if progress is not None:
        progress(done, total)


@cache
def has_numba() -> bool:
    """Return whether numba is installed; it may still fail to load."""
    return importlib.util.find_spec("numba") is not None


def use_compiled(size: int, engine: Engine = "auto") -> bool:
    """Return whether work on ``size`` vertices plus edges runs as compiled loops.

    "auto" means yes if the extra ``fast`` is installed and the work is large. If numba is installed but compiled loops
    do not run here, "auto" warns once and returns False. "compiled" raises a MissingExtraError without numba, and a
    ParameterError if compiled loops do not run. "plain" returns False. Any other name raises a ParameterError.
    """
    if engine not in ("auto", "plain", "compiled"):
        raise ParameterError("unknown engine {engine!r}: expected 'auto', 'plain' or 'compiled'", engine)
    if engine == "compiled" and not has_numba():
        raise MissingExtraError(Message("the compiled engine"), "fast")
    if engine == "plain" or not has_numba() or (engine == "auto" and size < COMPILED_FROM):
        return False
    fault = next(filter(None, (find() for find in faults_of_loops)), "")
    if fault and engine == "compiled":
        raise ParameterError("the compiled engine does not run on this machine (the engine plain does): {fault}", fault)
    if fault:
        warn_of_plain_loops(fault)
    return not fault


faults_of_loops: list[Callable[[], str]] = []
"""Functions that return why compiled loops do not run in this process, or an empty text. :mod:`compiling` adds its
function here when it is imported, because this module cannot import it."""


def warn_of_plain_loops(fault: str) -> None:
    """Warn, once for each reason in a process, that loops run as plain Python."""
    warn_of_slow_loops(Message("{fault}: loops run as plain Python, far more slowly", fault))


@cache
def warn_of_slow_loops(message: str) -> None:
    """Issue a PerformanceWarning, once for each message in a process."""
    warn_caller(message, PerformanceWarning)


@cache
def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def threads() -> int:
    """Return how many threads share a compiled loop: the cores this process may use, at most 4."""
    return min(cores(), MOST_THREADS)


def in_threads(work: Callable[[Part], _Result], parts: Sequence[Part]) -> list[_Result]:
    """Return ``work(part)`` for each of one or more parts, in order: the first in this thread, the rest in others.

    Threads help only where the work releases the interpreter's lock, as compiled loops and numpy do.
    """
    if len(parts) == 1:
        return [work(parts[0])]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(parts) - 1) as pool:
        later_results = pool.map(work, parts[1:])
        return [work(parts[0]), *later_results]


class BackgroundWriter:
    """One background thread that does pieces of work in order, while the caller prepares the next piece.

    The first piece is done in the caller's thread, so one piece starts no thread. ``__exit__`` waits for the last.
    """

    def __init__(self) -> None:
        self._parts = 0
        self._pool: ThreadPoolExecutor | None = None
        self._last: Future[object] | None = None

    def __enter__(self) -> BackgroundWriter:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()
        if kind is None:
            self.wait()

    def do(self, work: Callable[[], object]) -> None:
        """Wait for the previous piece of work, raise its error if it had one, and start this piece."""
        self.wait()
        self._parts += 1
        if self._parts == 1:
            work()
            return
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(1)
        self._last = self._pool.submit(work)

    def wait(self) -> None:
        """Wait until the last piece of work has ended; raise its error if it had one."""
        last, self._last = self._last, None
        if last is not None:
            last.result()


def prefetched(work: Callable[[Part], _Result], parts: Iterable[Part]) -> Iterator[tuple[Part, _Result]]:
    """Yield ``(part, work(part))`` in the order of ``parts``, while threads already work on the next parts.

    The caller's thread works on the first part (on one core, on all), so that a single part starts no thread. An error
    of ``parts`` or of ``work`` is raised after all results before it have been yielded.
    """
    parts = iter(parts)
    # With a single thread there is nothing to gain from working ahead: work on all parts here.
    for part in islice(parts, 1 if threads() > 1 else None):
        yield part, work(part)
    if not (second := list(islice(parts, 1))):
        return
    parts = chain(second, parts)
    from concurrent.futures import ThreadPoolExecutor

    waiting: deque[tuple[Part, Future[_Result]]] = deque()
    end: Exception | None = None
    pool = ThreadPoolExecutor(threads())
    try:
        while waiting or end is None:
            try:
                while end is None and len(waiting) <= threads():
                    part = next(parts)
                    waiting.append((part, pool.submit(work, part)))
            except Exception as error:  # StopIteration, or an error of ``parts``: first yield all earlier results
                end = error
            if waiting:
                part, result = waiting.popleft()
                yield part, result.result()
    finally:
        # Do not wait: the garbage collector may close this generator in a thread that holds a lock of the pool.
        pool.shutdown(wait=False, cancel_futures=True)
    if not isinstance(end, StopIteration):
        raise end
