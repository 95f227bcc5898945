"""The model of scale: replays against brute force and Spark's own counters, constants, and the page that it writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphgame.labs.scale.generators import generate
from tests import ROOT
from tests.helpers import needs
from tests.spark_games import QUICK_START

MANY = 10**9
"""Enough partitions that no two rows of a task go to the same vertex."""


@pytest.fixture(scope="module", autouse=True)
def _benchmarks_on_path():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        yield


@pytest.fixture
def model():
    return import_module("scale_model")


@pytest.fixture
def scale():
    return import_module("scale")


@pytest.fixture
def page():
    return import_module("scale_page")


def profile(model, vertices, edges):
    return model.Profile(np.array(vertices), np.array(edges))


@pytest.fixture
def three_ranks(model):
    """A terminal rank and two more: 5, 3 and 1 moves from rank to rank, rows to columns."""
    return profile(model, [4, 2, 2], [[0, 0, 0], [5, 0, 0], [3, 1, 0]])


@pytest.mark.parametrize("shape", ["random", "grid", "path", "star", "layered", "components"])
def test_a_profile_counts_by_the_longest_play(model, shape):
    graph = generate(shape, vertices=64, seed=3, shuffle=True)
    level = dict.fromkeys(graph, 0)
    for vertex in reversed(list(nx.topological_sort(graph))):
        level[vertex] = max((level[option] + 1 for option in graph[vertex]), default=0)
    found = model.profile_of(graph)
    assert found.vertices.tolist() == [list(level.values()).count(each) for each in range(max(level.values()) + 1)]
    assert {
        (high, low): found.edges[high, low]
        for high, low in zip(*(ends.tolist() for ends in np.nonzero(found.edges)), strict=True)
    } == {
        ends: sum((level[start], level[end]) == ends for start, end in graph.edges)
        for ends in {(level[start], level[end]) for start, end in graph.edges}
    }


@pytest.mark.parametrize("span", [1, 3, None])
def test_an_even_game_has_its_size(model, span):
    even = model.uniform(1000, 9000, 10, span)
    assert even.vertices.sum() == pytest.approx(1000)
    assert even.edges.sum() == pytest.approx(9000)
    high, low = np.nonzero(even.edges)
    assert (high - low).min() == 1
    assert (high - low).max() == (span or 9)


def test_levels_by_hand(model, three_ranks):
    """9 moves: 8 into the lowest level, 1 into the next; after the first round 1 move and 4 vertices are left."""
    before = 9 + 9 + 18
    solved_in_one_task = model.levels(three_ranks, 17, MANY)
    assert solved_in_one_task == pytest.approx((0, 6 * 9, before + 17, 17))
    first = model.levels(three_ranks, 5, MANY)
    dropping = 9 + 2 * 8
    assert first == pytest.approx((1, 6 * 9 + 17 + dropping, before + 8 + 5, 5))
    all_of_them = model.levels(three_ranks, 0, MANY)
    assert all_of_them.rounds == 3
    assert all_of_them.exchanged == pytest.approx(before + 8 + 1)
    assert all_of_them.alone == 0


def test_windows_by_hand(model, three_ranks):
    """The lowest window has 5 moves to the end; the next 3, and 1 that asks for the 2 values of the lower one."""
    before = 9 + 2 * 9 + 8
    apart = model.windows(three_ranks, 5, MANY)
    assert apart == pytest.approx((2, 8 * 9 + 2 * 5 + 2 * 4 + 2, before + 5 + (1 + 2 + 4), 0))
    together = model.windows(three_ranks, 9, MANY)
    assert together == pytest.approx((1, 8 * 9 + 2 * 8 + 1, before + 9, 9))


def test_rows_to_one_vertex_are_added_up(model):
    """10^6 rows of two tasks to 10 vertices are 20 rows."""
    game = profile(model, [100_000, 10], [[0, 0], [1_000_000, 0]])
    assert model.levels(game, 0, 2).exchanged == pytest.approx(2 * 200_000 + 400_000 + 20, rel=0.05)


@pytest.mark.parametrize("strategy", ["levels", "windows"])
def test_more_nodes_never_take_longer(model, page, strategy):
    constants = model.Constants(*np.linspace(0.01, 1, len(model.Constants._fields)))
    work = model.Work(80, 10**10, 10**9, 10**7)
    times = [
        model.seconds_on_spark(strategy, work, model.Machines(nodes), 64, constants) for nodes in (1, 10, 100, 1000)
    ]
    assert times == sorted(times, reverse=True)
    assert times[-1] > work.alone * constants.row


def test_a_disk_is_read_at_random_only_where_memory_ends(model):
    free = model.Constants(*(0.0,) * len(model.Constants._fields))
    size = 10**9, 10**10
    assert model.on_disk(*size, free, model.Machines(1, memory=81e9)).seconds == 0
    half = model.on_disk(*size, free, model.Machines(1, memory=52.2e9, disk=float("inf")))
    none = model.on_disk(*size, free, model.Machines(1, memory=28.2e9, disk=float("inf")))
    assert half.seconds == pytest.approx(none.seconds / 2)
    assert none.seconds == pytest.approx(1e9 * (1 + 40 / 4096) * 100e-6)


@needs("scipy")
def test_the_constants_of_a_world_that_obeys_the_model_are_found(model, scale, page):
    numbers = (1.0 + place / 10 for place in range(len(model.Constants._fields)))
    world = model.Constants(*numbers)._replace(row_bytes=12.0, vertex_kept=100.0, task_start=0.0)
    runs = [{"method": method, "edges": size} for method in scale.ONE_MACHINE for size in (10**5, 10**6, 10**7)]
    for size in (10**5, 10**6):
        even = model.uniform(size / 10, size, 80)
        for method, replay in scale.STRATEGIES.items():
            work = replay(even, size // 20, 2)
            told = {"exchanged": work.exchanged, "sent": 12 * work.exchanged, "stored": 18 * size}
            runs.append({"method": method, "edges": size, "work": list(work), **told})
    for run in runs:
        run |= {"fitted": True, "vertices": run["edges"] // 10}
        run["cpu"] = page.predicted_seconds(run, world)
    assert scale.fit(runs, 0.0) == pytest.approx(world, rel=1e-3)


@pytest.fixture
def recorded(scale):
    return json.loads(scale.RUNS.read_text())


@needs("scipy")
def test_the_constants_are_those_of_the_recorded_runs(scale, recorded):
    constants = recorded["constants"]
    assert scale.fit(recorded["runs"], constants["task_start"])._asdict() == pytest.approx(constants, rel=1e-6)


def test_recorded_counts_agree_with_the_model(page, model, recorded):
    constants = model.Constants(**recorded["constants"])
    compared = [each for run in recorded["runs"] for each in page.counted(run, constants)]
    assert {what for what, *_ in compared} >= {"rounds", "rows exchanged", "peak of memory", "bytes written"}
    for what, told, found, _ in compared:
        assert told == pytest.approx(found, rel=0.3), what


def test_the_page_shows_what_the_model_says(page):
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.filled(text) == text, "run python benchmarks/scale_page.py"


def test_a_page_without_marks_is_refused(page):
    with pytest.raises(SystemExit, match="no mark for the table"):
        page.filled("# Large games\n")


def test_spark_counts_what_the_replay_counts(model, java, tmp_path):
    """Windows of one rank each, for real."""
    random = np.random.default_rng(1)
    rank = np.repeat(np.arange(4), 500)
    source = random.integers(500, 2000, 20_000)
    target = (random.random(20_000) * 500 * rank[source]).astype(np.int64)
    source, target = np.unique(np.stack([source, target]), axis=1)
    ranks = rank[source]
    file, task_edges = tmp_path / "game.parquet", int(np.bincount(ranks).max())
    pq.write_table(pa.table({"source": source, "target": target, "rank": ranks}), file)
    edges = np.zeros((4, 4))
    np.add.at(edges, (ranks, rank[target]), 1)
    present = np.bincount(rank[np.union1d(source, target)])
    command = [sys.executable, ROOT / "benchmarks" / "scale_spark.py", file, "windows", str(task_edges)]
    quickly = [f"--conf '{name}={value}'" for name, value in QUICK_START.items()]
    environment = os.environ | {"PYSPARK_SUBMIT_ARGS": " ".join([*quickly, "pyspark-shell"])}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    told, work = json.loads(done.stdout), model.windows(profile(model, present, edges), task_edges, 2)
    assert told["vertices"] == present.sum()
    assert told["rounds"] == work.rounds == 3
    assert told["exchanged"] == pytest.approx(work.exchanged, rel=0.1)
