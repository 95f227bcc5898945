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
from typing import TYPE_CHECKING, TypeVar

from graphgame.errors import Message, MissingExtraError, ParameterError, PerformanceWarning, warn_caller

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Part = TypeVar("Part")
_Result = TypeVar("_Result")
Progress = Callable[[int, int], None]
"""Called during long work with how much is done, and with how much there is or may be."""

MOST_THREADS = 4
"""Threads that a loop is shared by, at most."""

COMPILED_FROM = 200_000
"""Vertices and edges from which the time to load compiled loops pays."""

PRODUCT_LIMIT = 200_000
"""Positions that the product of several components may have unless the caller says otherwise."""

QUICK_PRODUCT = 20_000
"""Positions of a sum up to which it is played out for the length of the game, where values say who wins."""


_RARELY = 1 << 20
"""New objects after which Python collects garbage, where it does so rarely; its own threshold is 700 to 2,000."""


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
    """A clock that stands still while loops are compiled, so that estimates go by the work alone."""

    def __init__(self) -> None:
        self._compiling, self._since = 0.0, 0.0

    def __call__(self) -> float:
        """Return seconds, like :func:`time.monotonic`."""
        return (self._since or time.monotonic()) - self._compiling

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stand still in a context."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            self._compiling += time.monotonic() - self._since
            self._since = 0.0


work_clock = _WorkClock()

compiling_listeners: list[Callable[[], object]] = []
"""What is called when the first loop is compiled, which takes seconds: the command line says why."""


@contextmanager
def compiling_told() -> Iterator[None]:
    """Call the listeners, each once, and stop the clock of work in a context that compiles a loop."""
    while compiling_listeners:
        compiling_listeners.pop()()
    with work_clock.stopped():
        yield


def report(progress: Progress | None, done: int, total: int) -> None:
    """Tell how far some work is, if somebody wants to know."""
    if progress is not None:
        progress(done, total)


@cache
def has_numba() -> bool:
    """Return whether numba is installed; it may still fail to load."""
    return importlib.util.find_spec("numba") is not None


def use_compiled(size: int, engine: str = "auto") -> bool:
    """Tell whether work of this size, vertices and edges, runs compiled.

    "auto" compiles where the extra ``fast`` is installed and the work is large. Where numba is installed but compiled
    loops do not run, it warns once and returns False. "compiled" without numba is a MissingExtraError, and with one
    that does not run a ParameterError. So is any name but these and "plain".
    """
    if engine not in ("auto", "plain", "compiled"):
        raise ParameterError("unknown engine {engine!r}: expected 'auto', 'plain' or 'compiled'", engine)
    if engine == "compiled" and not has_numba():
        raise MissingExtraError(Message("the compiled engine"), "fast")
    if engine == "plain" or not has_numba() or (engine == "auto" and size < COMPILED_FROM):
        return False
    fault = next(filter(None, (find() for find in faults_of_loops)), "")
    if fault and engine == "compiled":
        raise ParameterError("the compiled engine does not run here: {fault}", fault)
    if fault:
        warn_of_plain_loops(fault)
    return not fault


faults_of_loops: list[Callable[[], str]] = []
"""Return why compiled loops do not run in this process, or an empty text: :mod:`compiling`, which needs this module,
adds the function that finds out."""


def warn_of_plain_loops(fault: str) -> None:
    """Warn once in a process that loops run as plain Python."""
    warn_of_slow_loops(Message("{fault}: this runs as plain Python, far more slowly", fault))


@cache
def warn_of_slow_loops(message: str) -> None:
    """Warn once in a process."""
    warn_caller(message, PerformanceWarning)


@cache
def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def threads() -> int:
    """Return how many threads share a compiled loop: the cores this process may use, at most 4."""
    return min(cores(), MOST_THREADS)


def in_threads(work: Callable[[Part], _Result], parts: Sequence[Part]) -> list[_Result]:
    """Do work on each part in a thread of its own, the first in this one; it gains where it is compiled or numpy's."""
    if len(parts) == 1:
        return [work(parts[0])]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(parts) - 1) as pool:
        others = pool.map(work, parts[1:])
        return [work(parts[0]), *others]


class Behind:
    """Work that a thread does in order, at most one part behind what asks for it; a context ends with the work.

    The first part is done at once: where there is no other, no thread starts.
    """

    def __init__(self) -> None:
        self._parts = 0
        self._pool: ThreadPoolExecutor | None = None
        self._last: Future[object] | None = None

    def __enter__(self) -> Behind:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()
        if kind is None:
            self.wait()

    def do(self, work: Callable[[], object]) -> None:
        """Hand over the next part once the last is done; an error of that is raised here."""
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
        """Return when all is done."""
        last, self._last = self._last, None
        if last is not None:
            last.result()


def ahead(work: Callable[[Part], _Result], parts: Iterable[Part]) -> Iterator[tuple[Part, _Result]]:
    """Yield each part and the work done on it, in order, while threads do the next ones; the first is done alone.

    Where the parts or the work end in an error, it comes after all that precedes it.
    """
    parts = iter(parts)
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
            except Exception as error:
                end = error
            if waiting:
                part, result = waiting.popleft()
                yield part, result.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # to wait could hang where a collector ends this generator
    if not isinstance(end, StopIteration):
        raise end
