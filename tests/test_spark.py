"""Games on Apache Spark: the values are those of the pass in memory, whatever the strategy and the shape."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import graphgame
from graphgame import spark
from graphgame.cli import main
from graphgame.errors import (
    CycleError,
    FormatError,
    GraphGameError,
    LimitError,
    MissingExtraError,
    OptionError,
    RulesetError,
    TokenError,
    UnknownPositionError,
)
from graphgame.games.cutting import Cutting
from graphgame.games.pairs import Wythoff
from graphgame.generators import generate
from graphgame.spark import hubs, session
from graphgame.spark.cycles import find_cycle
from graphgame.spark.levels import advance, lists_of, start
from graphgame.spark.rest import solve_rows
from graphgame.spark.windows import pack
from tests.strategies import dags, digraphs

pytestmark = pytest.mark.filterwarnings("default")

QUICK_START = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.codegen.wholeStage": "false",
}
"""For tables of a few rows, where to compile takes longer than to run."""

STRATEGIES = {
    "one task": {},
    "levels": {"strategy": "levels", "task_edges": 0},
    "levels and a task": {"strategy": "levels", "task_edges": 60},
    "windows": {"strategy": "windows", "task_edges": 25, "rank": "rank"},
}


@pytest.fixture(scope="session")
def local() -> Iterator[object]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    for name, value in QUICK_START.items():
        builder = builder.config(name, value)
    context = builder.config("spark.sql.shuffle.partitions", 3).getOrCreate()
    context.sparkContext.setLogLevel("OFF")
    yield context
    context.stop()


def side_by_side(games: list[dict[int, list[int]]]) -> dict[int, list[int]]:
    """Put games into one, for to start a pass costs more than to solve another position."""
    whole: dict[int, list[int]] = {}
    for game in games:
        base = len(whole)
        whole |= {base + v: [base + w for w in ends] for v, ends in game.items()}
    return whole


def complete(size: int) -> dict[int, list[int]]:
    return {v: list(range(v)) for v in range(size)}


def random_game(seed: int, size: int, edges: int) -> dict[int, list[int]]:
    random = np.random.default_rng(seed)
    name = random.permutation(size).tolist()
    game: dict[int, list[int]] = {v: [] for v in range(size)}
    for a, b in random.integers(0, size, (edges, 2)).tolist():
        if a != b:
            game[name[max(a, b)]].append(name[min(a, b)])
    return game


DEEP = {v: [v - 1] if v else [] for v in range(9)}
HUB = {0: [], **{v: [0, 0, v - 1] for v in range(1, 7)}, **{v: [0] for v in range(7, 60)}}
MIXED = side_by_side([DEEP, HUB, {0: []}, *(random_game(seed, 12, 20) for seed in range(6))])


def values_in_memory(options: dict[int, list[int]]) -> dict[object, int]:
    return dict(graphgame.solve(graphgame.GameGraph(options)).grundy)


def table(local, options: dict[int, list[int]], label=lambda v: v):
    """Return the moves with the longest play from the source as its rank, and a row for each position alone."""
    longest: dict[int, int] = {}
    for v in _ends_first(options):
        longest[v] = max((longest[w] + 1 for w in options[v]), default=0)
    rows = [(label(v), label(w), longest[v]) for v, ends in options.items() for w in ends]
    alone = [(label(v), None, None) for v, ends in options.items() if not ends]
    kind = "string" if isinstance(label(0), str) else "bigint"
    return local.createDataFrame(rows + alone, f"source {kind}, target {kind}, rank int")


def _ends_first(options: dict[int, list[int]]) -> list[int]:
    import networkx as nx

    return list(reversed(list(nx.topological_sort(nx.DiGraph(options)))))


def collected(values) -> dict[object, int]:
    rows = values.collect()
    assert all(row.outcome == ("N" if row.grundy else "P") for row in rows)
    found = {row.position: row.grundy for row in rows}
    assert len(found) == len(rows)
    return found


class TestOneTask:
    """What a task solves, without Spark."""

    @given(options=dags(max_vertices=14, max_edges=40), known=st.sets(st.integers(0, 13)))
    @settings(max_examples=60)
    def test_options_that_are_values_already(self, options: dict[int, list[int]], known: set[int]) -> None:
        want = values_in_memory(options)
        known &= {v for v, ends in options.items() if not set(ends) - known}
        known = {v for v in known if _closed(options, known, v)}
        rows = []
        for v in sorted(set(options) - known):
            told = {want[w] for w in options[v] if w in known}
            low = sum(1 << value for value in told if value < 3)
            rows.append((v, None, low, sorted(value for value in told if value >= 3)))
            rows += [(v, w, 0, []) for w in options[v] if w not in known]
        assert solved_rows(rows) == {v: want[v] for v in options if v not in known}

    def test_large_values(self) -> None:
        low, high = 2**62 - 1, list(range(62, 300))
        assert solved_rows([(7, None, low, high), (7, 8, 0, []), (8, None, 1, [])]) == {7: 300, 8: 1}

    def test_nothing(self) -> None:
        assert list(solve_rows([])) == []

    @given(options=digraphs())
    @settings(max_examples=60)
    def test_a_cycle_is_told_in_the_order_of_play(self, options: dict[int, list[int]]) -> None:
        rows = [(v, None, 0, []) for v in options] + [(v, w, 0, []) for v, ends in options.items() for w in ends]
        found = solved_rows(rows)
        cycle = sorted((v for v in found if found[v] < 0), key=found.__getitem__, reverse=True)
        assert all(b in options[a] for a, b in zip(cycle, [*cycle[1:], *cycle[:1]], strict=True))
        if not cycle:
            assert found == values_in_memory(options)


def _closed(options: dict[int, list[int]], known: set[int], v: int) -> bool:
    return set(options[v]) <= known and all(_closed(options, known, w) for w in options[v])


def solved_rows(rows: list[tuple[object, ...]]) -> dict[int, int]:
    types = pa.int64(), pa.int64(), pa.int64(), pa.list_(pa.int32())
    columns = [pa.array([row[place] for row in rows], kind) for place, kind in enumerate(types)]
    batch = pa.record_batch(columns, names=["v", "t", "lo", "hi"])
    half = len(rows) // 2
    found = pa.Table.from_batches(
        solve_rows([batch.slice(0, half), batch.slice(half)]), pa.schema({"v": pa.int64(), "g": pa.int32()})
    )
    return dict(zip(found["v"].to_pylist(), found["g"].to_pylist(), strict=True))


class TestValues:
    @pytest.mark.parametrize("strategy", STRATEGIES)
    def test_games_of_many_shapes(self, local, strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(hubs.split, "__defaults__", (10,))
        edges = table(local, MIXED)
        assert collected(spark.solve(edges, **STRATEGIES[strategy], partitions=2)) == values_in_memory(MIXED)

    def test_strings_and_vertices_of_their_own(self, local) -> None:
        named = table(local, random_game(9, 10, 14), "position {}".format).where("target is not null")
        alone = local.createDataFrame([("é,\0",), ("position 0",)], "name string")
        found = collected(spark.solve(named, vertices=alone, strategy="levels", task_edges=0, partitions=2))
        want = {f"position {v}": g for v, g in values_in_memory(random_game(9, 10, 14)).items()}
        assert found == {**{name: want[name] for name in found if name in want}, "é,\0": 0}
        assert {row.source for row in named.collect()} <= set(found)

    def test_values_beyond_200_across_windows(self, local) -> None:
        edges = table(local, complete(210))
        found = spark.solve(edges, rank="rank", strategy="windows", task_edges=12_000, partitions=2)
        assert collected(found) == {v: v for v in range(210)}

    @pytest.mark.parametrize("strategy", STRATEGIES)
    def test_no_moves(self, local, strategy: str) -> None:
        edges = local.createDataFrame([], "source int, target int, rank int")
        alone = local.createDataFrame([(5,)], "v int")
        assert collected(spark.solve(edges, vertices=alone, **STRATEGIES[strategy])) == {5: 0}
        assert collected(spark.solve(edges, **STRATEGIES[strategy])) == {}

    def test_settings_and_cached_data_are_as_before(self, local) -> None:
        cached = local.sparkContext._jsc.getPersistentRDDs
        names = ("spark.sql.adaptive.enabled", "spark.sql.shuffle.partitions", "spark.sql.autoBroadcastJoinThreshold")
        before = [local.conf.get(name) for name in names], cached().size()
        spark.solve(table(local, DEEP), strategy="levels", task_edges=2, partitions=2)
        with pytest.raises(CycleError):
            spark.solve(
                local.createDataFrame([(1, 2), (2, 1)], "source int, target int"), strategy="levels", task_edges=0
            )
        assert ([local.conf.get(name) for name in names], cached().size()) == before


class TestLevels:
    def test_a_round_has_one_exchange(self, local) -> None:
        with session.settings(local, 3):
            edges = local.createDataFrame([(3, 2), (2, 1)], "s bigint, t bigint")
            alone = local.createDataFrame([(9,)], "v bigint")
            state, lists = start(edges, alone).localCheckpoint(), lists_of(edges).localCheckpoint()
            for wide in (False, True):
                plan = advance(state, lists, wide)._jdf.queryExecution().executedPlan().toString()
                assert plan.count("Exchange") == 1
            session.forget(state)
            session.forget(lists)

    def test_values_beyond_the_word(self, local) -> None:
        none, full = [], 2**62 - 1
        rows = [(1, 0, full, [62, 64], None), (2, 0, full, [62, 63, 64], None), (3, 0, full >> 1, none, None)]
        rows += [(9, 4, full, [63], None)]
        state = local.createDataFrame(rows, "v bigint, rem bigint, lo bigint, hi array<int>, g int")
        lists = local.createDataFrame([(1, [9, 9]), (2, [9]), (3, [9])], "v bigint, p array<bigint>")
        once = {row.v: row for row in advance(state, lists, True).collect()}
        assert [once[v].g for v in (1, 2, 3, 9)] == [63, 65, 61, None]
        assert (once[9].rem, once[9].lo, sorted(once[9].hi)) == (0, full, [63, 65])

    def test_a_hub_is_split_and_its_values_stay(self, local) -> None:
        edges = local.createDataFrame([(v, 0) for v in range(1, 41)] + [(0, 50), (0, 51)], "s bigint, t bigint")
        parts = hubs.split(edges, 42, 1, 10).collect()
        into = {row.t for row in parts if row.s in range(1, 41)}
        assert len(into) > 1
        assert {(row.s, row.t) for row in parts if row.t in (50, 51)} == {(v, w) for v in into for w in (50, 51)}


class TestWindows:
    @given(counts=st.lists(st.integers(1, 30), max_size=20), most=st.integers(1, 40))
    def test_packing(self, counts: list[int], most: int) -> None:
        windows = pack(counts, most).tolist()
        assert windows == sorted(windows)
        for window in set(windows):
            held = [count for count, other in zip(counts, windows, strict=True) if other == window]
            assert sum(held) <= most or len(held) == 1

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ([(2, 1, 3), (1, 0, 3)], "from rank 3 to rank 3"),
            ([(2, 1, 3), (2, 0, 4), (3, 2, 9)], "has the ranks 3 and 4"),
        ],
    )
    def test_no_rank(self, local, rows: list[tuple[int, ...]], message: str) -> None:
        edges = local.createDataFrame(rows, "source int, target int, rank int")
        with pytest.raises(OptionError, match=message):
            spark.solve(edges, rank="rank", strategy="windows", task_edges=1, partitions=2)


class TestCycles:
    OPTIONS = {v: [v + 1] for v in range(7)} | {7: [2, 8], 8: []}

    @pytest.mark.parametrize("strategy", STRATEGIES)
    def test_is_an_error_that_shows_one(self, local, strategy: str) -> None:
        rows = [(v, w, 9 - v) for v, ends in self.OPTIONS.items() for w in ends]
        edges = local.createDataFrame(rows, "source int, target int, rank int")
        with pytest.raises(CycleError) as caught:
            spark.solve(edges, **{**STRATEGIES[strategy], "partitions": 2})
        cycle = caught.value.cycle
        assert sorted(cycle) == [2, 3, 4, 5, 6, 7]
        assert all(b in self.OPTIONS[a] for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True))

    def test_a_move_to_itself(self, local) -> None:
        moves = local.createDataFrame([(3, 3)], "v bigint, t bigint")
        assert find_cycle(moves) == [3]


class TestResume:
    @pytest.mark.parametrize("strategy", ["levels", "windows"])
    def test_goes_on_where_it_was_stopped(self, local, tmp_path: Path, strategy: str) -> None:
        edges, folder = table(local, DEEP), str(tmp_path / "work")
        options = {**STRATEGIES[strategy], "task_edges": 2, "checkpoint_dir": folder, "checkpoint_every": 2}
        calls = []

        def stop(stage: str, done: int, total: int | None) -> None:
            calls.append(done)
            if len(calls) == 3:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            spark.solve(edges, progress=stop, partitions=2, **options)
        first, _ = len(calls), calls.clear()
        found = spark.solve(edges, progress=lambda *told: calls.append(told[1]), partitions=2, **options)
        assert collected(found) == values_in_memory(DEEP)
        assert first == 3
        assert 0 < len(calls) < 9
        calls.clear()
        assert collected(spark.solve(edges, progress=stop, partitions=2, **options)) == values_in_memory(DEEP)
        assert not calls
        with pytest.raises(OptionError, match="other edges"):
            spark.solve(edges.where("source > 1"), partitions=2, **options)


class TestTokens:
    EDGES = (("a", "b"), ("a", "c"), ("b", "c"))

    def test_verdict(self, local) -> None:
        edges = local.createDataFrame(list(self.EDGES), "source string, target string")
        values, found = spark.solve(edges, tokens=["a", "b", "b"])
        assert (found.values, found.nim_sum, found.winner) == ((2, 1, 1), 2, "first")
        assert found.winning_moves == [graphgame.Move(0, "a", "c")]
        assert spark.verdict(edges, values, ["c"]).winner == "second"
        assert spark.verdict(edges, values, []).winner == "second"
        with pytest.raises(UnknownPositionError):
            spark.verdict(edges, values, ["z"])
        with pytest.raises(TokenError):
            spark.verdict(edges, values, "a")


class TestVerify:
    GOOD = (("a", 2, "N"), ("b", 1, "N"), ("c", 0, "P"))

    @pytest.mark.parametrize(
        ("rows", "position", "reason"),
        [
            (GOOD, None, None),
            (GOOD[:2], "a", "an option has no value"),
            (GOOD[1:], "a", "it has no value"),
            ([("a", 1, "N"), *GOOD[1:]], "a", "an option has its value 1 too"),
            ([("a", 3, "N"), *GOOD[1:]], "a", "no option has a certain value below 3"),
            ([*GOOD, ("c", 0, "P")], "c", "it has 2 values"),
            ([*GOOD[:2], ("c", 0, "N")], "c", "its value is 0, which is not its outcome"),
        ],
    )
    def test_each_way_to_be_wrong(
        self, local, rows: list[tuple[object, ...]], position: object, reason: object
    ) -> None:
        edges = local.createDataFrame(list(TestTokens.EDGES), "source string, target string")
        report = spark.verify(edges, local.createDataFrame(list(rows), "position string, grundy int, outcome string"))
        assert (bool(report), report.position, report.reason) == (position is None, position, reason)


class TestExplore:
    def test_explore_and_solve(self, local) -> None:
        edges = spark.explore(local, Wythoff(), (5, 6))
        values = spark.solve(edges, rank="rank", strategy="windows", task_edges=40, partitions=2)
        want = graphgame.solve(graphgame.explore(Wythoff(), (5, 6)))
        assert {Wythoff().decode(code): g for code, g in collected(values).items()} == dict(want.grundy)

    def test_limits_and_rules_that_split(self, local) -> None:
        with pytest.raises(LimitError, match="max_positions=3"):
            spark.explore(local, Wythoff(), (5, 6), max_positions=3)
        with pytest.raises(RulesetError, match="split"):
            spark.explore(local, Cutting(), (8, 8))


class TestErrors:
    @pytest.mark.parametrize(
        ("columns", "rows", "options", "error", "message"),
        [
            ("source int, target int", [(1, 0)], {"strategy": "best"}, OptionError, "unknown strategy"),
            ("source int, target int", [(1, 0)], {"strategy": "windows"}, OptionError, "needs a rank"),
            ("source int, target int", [(1, 0)], {"task_edges": -1}, OptionError, "0 or more"),
            ("source int, to int", [(1, 0)], {}, OptionError, "no column 'target'"),
            ("source int, target string", [(1, "0")], {}, FormatError, "or strings"),
            ("source double, target double", [(1.0, 0.0)], {}, FormatError, "double"),
            ("source int, target int", [(None, 0)], {}, FormatError, "is null"),
            ("source int, target int", [(-1, 0)], {}, FormatError, "negative"),
        ],
    )
    def test_input(self, local, columns: str, rows: list[object], options: dict, error: type, message: str) -> None:
        with pytest.raises(error, match=message):
            spark.solve(local.createDataFrame(rows, columns), **options)

    def test_without_java(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.delenv("JAVA_HOME", raising=False)
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(GraphGameError, match="apt install openjdk-17-jre-headless"):
            session.check_installed()

    def test_without_the_extra(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "pyspark.sql", None)
        with pytest.raises(MissingExtraError, match=r"graphgame\[spark\]"):
            session.check_installed()


class TestCommands:
    def test_explore_solve_verify(self, local, tmp_path: Path) -> None:
        edges, values = str(tmp_path / "edges.parquet"), str(tmp_path / "values.parquet")
        for arguments, answer in (
            (["explore", "wythoff(3,4)", "-o", edges], ""),
            (["solve", edges, "-o", values, "--tokens", "13"], "first player wins\n  component 1: 13 -> 4\n"),
            (["verify", edges, values], "right: grundy, outcome of all 14 positions\n"),
        ):
            result = CliRunner().invoke(main, ["spark", *arguments], catch_exceptions=False)
            assert result.exit_code == 0, result.output
            assert answer in result.stdout

    def test_errors_are_one_line(self, local, tmp_path: Path) -> None:
        result = CliRunner().invoke(main, ["spark", "solve", str(tmp_path / "none"), "-o", str(tmp_path / "out")])
        assert result.exit_code == 2
        assert "graphgame: error:" in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_generated_game(local) -> None:
    graph = generate("random", vertices=300, edges=1500, seed=3, shuffle=True)
    edges = local.createDataFrame([(a, b) for a, b in graph.edges], "source int, target int")
    assert collected(spark.solve(edges)) == dict(graphgame.solve(graph).grundy)
