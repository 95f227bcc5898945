"""Games on Apache Spark: the values are those of the pass in memory, whatever the strategy and the shape."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

import graphgame
from graphgame.errors import CycleError, ParameterError, ParseError
from graphgame.labs.scale import spark
from graphgame.labs.scale.generators import generate
from graphgame.labs.scale.spark import rounds, session
from graphgame.labs.scale.spark.exploration import checked_rows
from graphgame.labs.scale.spark.rounds import (
    IS_SUM,
    IS_THERE,
    VALUE,
    advance,
    find_cycle,
    largest_next,
    lists_of,
    pack,
    solve_rows,
    start,
)
from graphgame.labs.scale.spark.session import Folder, Parts
from tests.alterations import altered
from tests.spark_games import (
    DEEP,
    MIXED,
    STRATEGIES,
    collected,
    complete,
    random_game,
    side_by_side,
    table,
    values_in_memory,
)
from tests.strategies import dags_with_sums, digraphs

pytestmark = pytest.mark.filterwarnings("default")

games = st.lists(dags_with_sums(max_vertices=10, max_edges=25), min_size=2, max_size=6).map(side_by_side)


class TestOneTask:
    """What a task solves, without Spark."""

    @given(drawn=dags_with_sums(max_vertices=14, max_edges=40), known=st.sets(st.integers(0, 13)), far=st.booleans())
    @settings(max_examples=60)
    def test_options_that_are_values_already(
        self, drawn: tuple[dict[int, list[int]], set[int]], known: set[int], far: bool
    ) -> None:
        options, sums = drawn
        want = values_in_memory(options, sums)
        known = {v for v in known & set(options) if _closed(options, known, v)}
        name = (lambda v: v << 57) if far else (lambda v: v)
        rows = [(name(v), mark) for v in set(options) - known for mark in [IS_THERE, *([IS_SUM] if v in sums else [])]]
        for v in set(options) - known:
            rows += [(name(v), VALUE + want[w] if w in known else name(w)) for w in options[v]]
        assert solved_rows(rows) == {name(v): want[v] for v in options if v not in known}

    def test_large_values(self) -> None:
        told = [(7, VALUE + k) for k in range(300)]
        assert solved_rows([*told, (7, 8), (8, VALUE)]) == {7: 300, 8: 1}
        assert solved_rows([(7, IS_SUM), (7, VALUE + 300), (7, VALUE + 200)]) == {7: 300 ^ 200}

    def test_nothing(self) -> None:
        assert list(solve_rows([])) == []

    @given(options=digraphs())
    @settings(max_examples=60)
    def test_a_cycle_is_told_in_the_order_of_play(self, options: dict[int, list[int]]) -> None:
        found = solved_rows([(v, w) for v, ends in options.items() for w in [IS_THERE, *ends]])
        cycle = sorted((v for v in found if found[v] < 0), key=found.__getitem__, reverse=True)
        assert all(b in options[a] for a, b in zip(cycle, [*cycle[1:], *cycle[:1]], strict=True))
        if not cycle:
            assert found == values_in_memory(options)


def _closed(options: dict[int, list[int]], known: set[int], v: int) -> bool:
    return set(options[v]) <= known and all(_closed(options, known, w) for w in options[v])


def solved_rows(rows: list[tuple[int, int]]) -> dict[int, int]:
    columns = [pa.array([row[place] for row in rows], pa.int64()) for place in (0, 1)]
    batch = pa.record_batch(columns, names=["v", "t"])
    half = len(rows) // 2
    batches = solve_rows([batch.slice(0, half), batch.slice(half)])
    found = pa.Table.from_batches(batches, pa.schema({"v": pa.int64(), "g": pa.int32()}))
    return dict(zip(found["v"].to_pylist(), found["g"].to_pylist(), strict=True))


class TestValues:
    @pytest.mark.parametrize("strategy", STRATEGIES)
    @given(drawn=games)
    @example(drawn=MIXED)
    @settings(
        max_examples=3,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    def test_games_of_many_shapes(self, local, strategy: str, drawn: tuple[dict[int, list[int]], set[int]]) -> None:
        with mock.patch.object(rounds.split_hubs, "__defaults__", (10,)):
            values = spark.solve(table(local, *drawn), **STRATEGIES[strategy])
        assert collected(values) == values_in_memory(*drawn)

    def test_strings_and_vertices_of_their_own(self, local) -> None:
        options = random_game(9, 10, 14)
        named = table(local, options, label="position {}".format).where("target is not null")
        alone = local.createDataFrame(pa.table({"name": ["é,\0", "position 0"]}))
        values = spark.solve(named, vertices=alone, strategy="levels", task_edges=0, partitions=2)
        assert spark.verify(named, values, vertices=alone)
        found = collected(values)
        want = {f"position {v}": g for v, g in values_in_memory(options).items()}
        assert found == {**{name: want[name] for name in found if name in want}, "é,\0": 0}
        assert {row.source for row in named.collect()} <= set(found)

    @pytest.mark.parametrize("strategy", STRATEGIES)
    def test_no_moves(self, local, strategy: str) -> None:
        edges = local.createDataFrame([], "source int, target int, rank int")
        alone = local.createDataFrame(pa.table({"v": [5]}))
        assert collected(spark.solve(edges, vertices=alone, **STRATEGIES[strategy])) == {5: 0}

    def test_nothing_at_all(self, local) -> None:
        assert collected(spark.solve(local.createDataFrame([], "source int, target int"))) == {}

    def test_settings_and_cached_data_are_as_before(self, local) -> None:
        cached = local.sparkContext._jsc.getPersistentRDDs
        names = ("spark.sql.adaptive.enabled", "spark.sql.shuffle.partitions", "spark.sql.autoBroadcastJoinThreshold")
        before = [local.conf.get(name) for name in names], cached().size()
        spark.solve(table(local, DEEP), strategy="levels", task_edges=6, partitions=2)
        with pytest.raises(CycleError):
            spark.solve(
                local.createDataFrame(pa.table({"source": [1, 2], "target": [2, 1]})), strategy="levels", task_edges=0
            )
        assert ([local.conf.get(name) for name in names], cached().size()) == before

    def test_a_generated_game(self, local) -> None:
        graph = generate("random", vertices=300, edges=1500, seed=3, shuffle=True)
        source, target = zip(*graph.edges, strict=True)
        edges = local.createDataFrame(pa.table({"source": source, "target": target}))
        assert collected(spark.solve(edges)) == dict(graphgame.solve(graph).grundy)


class TestLevels:
    def test_a_round_has_one_exchange(self, local) -> None:
        with session.settings(local, 3):
            edges = local.range(1, 1000).selectExpr("id as s", "id div 2 as t")
            alone = local.createDataFrame([(9,)], "v bigint")
            state, lists = start(edges, alone).localCheckpoint(), lists_of(edges).localCheckpoint()
            for wide in (False, True):
                plan = advance(state, lists, wide)._jdf.queryExecution().executedPlan().toString()
                assert plan.count("Exchange") == 1
            session.forget(state)
            session.forget(lists)

    @pytest.mark.parametrize("largest", range(-1, 70))
    def test_a_bound_on_the_next_values(self, largest: int) -> None:
        values = range(largest + 1)
        assert largest_next(largest, sums=False) == largest + 1
        assert largest_next(largest, sums=True) == max([largest + 1, *(a ^ b for a in values for b in values)])

    @pytest.mark.long
    def test_a_sum_beyond_the_word_of_smaller_values(self, local) -> None:
        """30 xor 32 is 62, which has no bit in the word, in a round in which the largest value so far is 32."""
        options = {n: [*range(n)] for n in range(62)} | {100: [30, 32], 101: [*range(62), 100]}
        values = collected(spark.solve(table(local, options, {100}), strategy="levels", task_edges=300, partitions=2))
        assert (values[100], values[101]) == (62, 63)

    def test_values_beyond_the_word(self, local) -> None:
        none, full = [], 2**62 - 1
        rows = [
            (1, 0, full, [62, 64], None, False),
            (2, 0, full, [62, 63, 64], None, False),
            (3, 0, full >> 1, none, None, False),
            (9, 4, full, [63], None, False),
            (8, 2, 5, none, None, True),
        ]
        state = local.createDataFrame(rows, "v bigint, rem bigint, lo bigint, hi array<int>, g int, sum boolean")
        lists = local.createDataFrame([(1, [9, 9, 8]), (2, [9, 8]), (3, [9])], "v bigint, p array<bigint>")
        once = {row.v: row for row in advance(state, lists, True).collect()}
        assert [once[v].g for v in (1, 2, 3, 9)] == [63, 65, 61, None]
        assert (once[9].rem, once[9].lo, sorted(once[9].hi)) == (0, full, [63, 65])
        assert (once[8].rem, once[8].lo) == (0, 5 ^ 63 ^ 65)

    @pytest.mark.parametrize(("size", "solved", "task"), [(65, 61, 0), (204, 201, 0), (206, 201, 700)])
    def test_goes_on_with_large_values(self, local, tmp_path: Path, size: int, solved: int, task: int) -> None:
        """A heap of Nim whose first values an earlier run has found."""
        edges = table(local, complete(size)).select("source", "target")
        folder = Folder(local, str(tmp_path / "work"))
        identity = {**checked_rows(edges, "source", "target", None, None, None).identity, "strategy": "levels"}
        parts = Parts(folder, identity, {"partitions": 2, "task_edges": task}, True)
        parts.write(local.createDataFrame([(v, v) for v in range(solved)], "v bigint, g int"), "00001")
        low, high = 2 ** min(solved, 62) - 1, list(range(62, solved))
        rest = [(v, v - solved, low, high, None, False) for v in range(solved, size)]
        state = local.createDataFrame(rest, "v bigint, rem bigint, lo bigint, hi array<int>, g int, sum boolean")
        folder.write(state, "state", "00001")
        parts.save({"epoch": 1, "largest": solved - 1}, "00001")
        assert collected(spark.solve(edges, strategy="levels", checkpoint_dir=folder.path)) == {
            v: v for v in range(size)
        }

    def test_progress_with_a_hub_is_never_negative(self, local) -> None:
        # Both copies of the hub 0 have its 20 options, so at the start there are more moves left than in the game.
        options = {0: list(range(1, 21)), **{v: [v + 1] for v in range(1, 20)}, **{v: [0] for v in range(21, 51)}}
        source, target = zip(*((v, w) for v, row in options.items() for w in row), strict=True)
        edges, calls = local.createDataFrame(pa.table({"source": source, "target": target})), []
        with mock.patch.object(rounds.split_hubs, "__defaults__", (10,)):
            kept = {"strategy": "levels", "task_edges": 60, "partitions": 1}
            spark.solve(edges, progress=lambda *told: calls.append(told), **kept)
        assert calls[0] == ("solving", 0, 69)
        assert calls == sorted(calls)

    def test_a_hub_is_split_and_its_values_stay(self, local) -> None:
        edges = local.createDataFrame([(v, 0) for v in range(1, 41)] + [(0, 50), (0, 51)], "s bigint, t bigint")
        parts = rounds.split_hubs(edges, 42, 1, 10).collect()
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

    def test_goes_on_with_values_beyond_200(self, local, tmp_path: Path) -> None:
        edges, calls = table(local, complete(210)), []
        options = {"rank": "rank", "strategy": "windows", "task_edges": 8_000, "partitions": 2}
        options["checkpoint_dir"] = str(tmp_path / "work")

        def stop(stage: str, done: int, total: int | None) -> None:
            calls.append((done, total))
            if done == 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            spark.solve(edges, progress=stop, **options)
        found = spark.solve(edges, progress=lambda *told: calls.append(told[1:]), **options)
        assert collected(found) == {v: v for v in range(210)}
        assert calls == [(1, 3), (2, 3), (3, 3)]

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ([(2, 1, 3), (1, 0, 3)], "from rank 3 to rank 3"),
            ([(2, 1, 3), (2, 0, 4)], "has the ranks 3 and 4"),
        ],
    )
    def test_no_rank(self, local, rows: list[tuple[int, ...]], message: str) -> None:
        columns = dict(zip(("source", "target", "rank"), map(list, zip(*rows, strict=True)), strict=True))
        edges = local.createDataFrame(pa.table(columns))
        with pytest.raises(ParameterError, match=message):
            spark.solve(edges, rank="rank", strategy="windows", task_edges=10, partitions=2)

    def test_no_rank_again(self, local, tmp_path: Path) -> None:
        edges = local.createDataFrame(pa.table({"source": [2, 1], "target": [1, 0], "rank": [3, 3]}))
        for _ in range(2):
            with pytest.raises(ParameterError, match="from rank 3 to rank 3"):
                spark.solve(edges, rank="rank", strategy="windows", checkpoint_dir=str(tmp_path / "work"))


class TestCycles:
    OPTIONS = {v: [v + 1] for v in range(5)} | {5: [2, 6], 6: []}

    @pytest.mark.parametrize("strategy", STRATEGIES)
    def test_is_an_error_that_shows_one(self, local, strategy: str) -> None:
        source, target = zip(*((v, w) for v, ends in self.OPTIONS.items() for w in ends), strict=True)
        edges = local.createDataFrame(pa.table({"source": source, "target": target, "rank": -np.array(source)}))
        with pytest.raises(CycleError) as caught:
            spark.solve(edges, **STRATEGIES[strategy])
        cycle = caught.value.cycle
        assert sorted(cycle) == [2, 3, 4, 5]
        assert all(b in self.OPTIONS[a] for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True))

    def test_after_other_values_were_saved(self, local, tmp_path: Path) -> None:
        columns = {"source": [9, 8, *range(20, 60)], "target": [8, 9, *[0] * 40], "rank": [1] * 42}
        edges = local.createDataFrame(pa.table(columns))
        for _ in range(2):
            with pytest.raises(CycleError):
                spark.solve(edges, **STRATEGIES["windows"], checkpoint_dir=str(tmp_path / "work"))

    def test_a_move_to_itself(self, local) -> None:
        assert find_cycle(local.createDataFrame(pa.table({"v": [3], "t": [3]}))) == [3]


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
            spark.solve(edges, progress=stop, **options)
        first, _ = len(calls), calls.clear()
        found = spark.solve(edges, progress=lambda *told: calls.append(told[1]), **options)
        assert collected(found) == values_in_memory(DEEP)
        assert first == 3
        assert 0 < len(calls) < 9
        calls.clear()
        assert collected(spark.solve(edges, progress=stop, **options)) == values_in_memory(DEEP)
        assert not calls
        with pytest.raises(ParameterError, match="other edges"):
            spark.solve(edges.where("source > 1"), **options)

    @pytest.mark.parametrize("sum_of_hadoop", [True, False])
    def test_an_altered_record(self, local, tmp_path: Path, sum_of_hadoop: bool) -> None:
        """Whatever is altered, an error says so, and no file is deleted."""
        folder, identity = tmp_path / "work", {"edges": 71, "hash": 13, "ranked": True, "strategy": "windows"}
        parts = Parts(Folder(local, str(folder)), identity, {"partitions": 2, "task_edges": 30}, True)
        parts.save({"windows": 5, "sums": False}, "00000", "00001")
        record = folder / "_graphgame.json"
        if not sum_of_hadoop:
            (folder / f".{record.name}.crc").unlink()
        (folder / "values").mkdir()
        found = []
        for data in (record.read_bytes(), *altered(record.read_bytes(), seed=3)):
            record.write_bytes(data)
            for resume in (True, False) if found else (True,):
                try:
                    again = Parts(Folder(local, str(folder)), identity, {"partitions": 9, "task_edges": 9}, resume)
                    found.append((again.settings, again.stage, again.names()))
                except ParseError as error:
                    found.append(str(error).partition(": ")[0])
        assert found[0] == ({"partitions": 2, "task_edges": 30}, parts.stage, ["00000", "00001"])
        assert set(found[1:]) == {str(record)}
        assert (folder / "values").exists()

    def test_other_vertices_are_other_work(self, local, tmp_path: Path) -> None:
        edges, work = local.createDataFrame(pa.table({"source": [1], "target": [0]})), str(tmp_path / "work")
        first, second = (local.createDataFrame(pa.table({"v": [v]})) for v in (7, 8))
        for _ in range(2):
            assert collected(spark.solve(edges, vertices=first, checkpoint_dir=work)) == {0: 0, 1: 1, 7: 0}
        with pytest.raises(ParameterError, match="other edges, columns or vertices"):
            spark.solve(edges, vertices=second, checkpoint_dir=work)
        found = spark.solve(edges, vertices=second, checkpoint_dir=work, resume=False)
        assert collected(found) == {0: 0, 1: 1, 8: 0}

    @pytest.mark.parametrize("name", ["thesis.txt", "graphgame.json", "_graphgame.json", "values/thesis.txt"])
    @pytest.mark.parametrize("resume", [True, False])
    def test_a_folder_of_others_stays_as_it_is(self, local, tmp_path: Path, name: str, resume: bool) -> None:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
        with pytest.raises(
            (ParameterError, ParseError), match=r"holds other files|not in the format 'graphgame work on Spark'"
        ):
            spark.solve(table(local, DEEP), checkpoint_dir=str(tmp_path), resume=resume)
        assert [str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()] == [name]
