"""Loops in threads: results in the order of the parts, errors where they belong."""

import subprocess
import sys
import time

import pytest

from graphgame.compiled import engine


@pytest.fixture(params=[1, 2, 3])
def threads(request, monkeypatch):
    monkeypatch.setattr(engine, "threads", lambda: request.param)


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_ahead_keeps_the_order(threads, count):
    assert list(engine.prefetched(str, range(count))) == [(part, str(part)) for part in range(count)]


def test_ahead_reads_few_parts_beyond_what_is_taken(threads):
    taken = []
    results = engine.prefetched(str, (taken.append(part) or part for part in range(100)))
    assert [next(results)[0] for _ in range(10)] == list(range(10))
    assert len(taken) <= 10 + 3


@pytest.mark.parametrize("last", [0, 1, 5])
def test_an_error_of_the_parts_comes_behind_the_results_before_it(threads, last):
    def parts():
        yield from range(last)
        raise OSError("damaged")

    results, found = engine.prefetched(str, parts()), []
    with pytest.raises(OSError, match="damaged"):
        found.extend(part for part, _ in results)
    assert found == list(range(last))


@pytest.mark.parametrize("last", [0, 1, 5])
def test_an_error_of_the_work_comes_behind_the_results_before_it(threads, last):
    found = []
    with pytest.raises(ZeroDivisionError):
        found.extend(part for part, _ in engine.prefetched(lambda part: 1 // (part - last), range(10)))
    assert found == list(range(last))


def test_a_reading_that_is_given_up_and_collected_anywhere_hangs_nothing():
    program = """
import gc
from graphgame.compiled import engine
engine.threads = lambda: 2
gc.set_threshold(50, 2, 2)
for turn in range(2000):
    results = engine.prefetched(str, range(50))
    for _ in range(turn % 5):
        next(results)
    cycle = [results]
    cycle.append(cycle)
    del results, cycle
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=100)


def test_work_behind_is_done_in_order_and_to_its_end():
    done = []
    with engine.BackgroundWriter() as worker:
        for part in range(20):
            worker.do(lambda part=part: done.append(part))
    assert done == list(range(20))


def test_an_error_of_work_behind_comes_with_the_next_part_or_at_the_end():
    def fail():
        raise OSError("full")

    def run(more):
        with engine.BackgroundWriter() as worker:
            worker.do(list)
            worker.do(fail)
            more(worker)

    for more in (lambda worker: worker.do(list), lambda worker: worker.wait(), lambda worker: None):
        with pytest.raises(OSError, match="full"):
            run(more)


def test_work_behind_ends_before_an_error_of_its_user_goes_on():
    done = []

    def run():
        with engine.BackgroundWriter() as worker:
            worker.do(list)
            worker.do(lambda: (time.sleep(0.1), done.append(1)))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run()
    assert done == [1]
