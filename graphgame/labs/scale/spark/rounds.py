"""The strategies ``levels`` and ``windows``: rounds, and ranges of ranks.

``levels``: rounds until the rest is small enough for one task, and epochs to go on from.
Each round solves the positions all of whose options are solved, and passes their values to their predecessors. State
(v, rem, lo, hi, g, sum) and predecessor lists (v, p) lie in the same partitions by v, so that a round needs one
exchange: that of what the solved positions pass on. ``rem`` counts the moves to options not solved yet, parallel moves
each for itself. ``lo`` and ``hi`` hold the values of a position's options, below 62 as bits of ``lo``, for bit 63 would
overflow in ANSI mode; the ``lo`` of a sum is the xor of its parts' values.

Hubs, positions with very many predecessors, are split into equal copies so that no task has all of them. Each copy has
all the options of the hub, hence its value, and a share of its predecessors.

``windows``: where a rank falls with every move, consecutive ranks are solved together in one task.
Moves within a window go to the task as they are, moves out of it as the values of their ends, which are known by then:
0 for a position without moves.
Each move is read a constant number of times, and a finished window need not be solved again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphgame.errors import CycleError, Message, OptionError
from graphgame.graph.gamegraph import GameGraph
from graphgame.labs.scale import StageProgress
from graphgame.labs.scale.spark.exploration import CodedGame
from graphgame.labs.scale.spark.session import Parts, forget
from graphgame.solution.sprague_grundy import grundy_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa
    from pyspark.sql import Column, DataFrame


_TASKS_SHARED = 4
_LEAST = 10_000


def split_hubs(edges: DataFrame, count: int, partitions: int, least: int = _LEAST) -> DataFrame:
    """Return edges in which no position has more predecessors than a fraction of a task's share, nearly.

    The edges, ``count`` of them, have (s bigint, t bigint), perhaps with (sum boolean). A position with ``least``
    predecessors or fewer is no hub. A hub keeps its number for one of its copies; the others have negative numbers.
    """
    from pyspark.sql import functions as f

    most = max(least, count // (_TASKS_SHARED * partitions))
    if count <= most:
        return edges
    found = edges.groupBy("t").count().where(f.col("count") > most).orderBy("t").collect()
    if not found:
        return edges
    rows, first = [], 0
    for row in found:
        copies = -(-row["count"] // most)
        rows.append((row.t, copies, first))
        first += copies
    hubs = f.broadcast(edges.sparkSession.createDataFrame(rows, "hub bigint, copies int, first bigint"))
    turned = edges.join(hubs, edges.t == hubs.hub, "left").withColumn(
        "t", _copy("t", f.expr("cast(pmod(xxhash64(s), copies) as int)"))
    )
    doubled = (
        turned.select(edges.columns)
        .join(hubs, f.col("s") == hubs.hub, "left")
        .withColumn("copy", f.explode(f.expr("sequence(0, coalesce(copies, 1) - 1)")))
    )
    return doubled.withColumn("s", _copy("s", f.col("copy"))).select(edges.columns)


def _copy(end: str, number: Column) -> Column:
    """Return the copy of this number of a position: of 0, and where it is no hub, the position itself."""
    from pyspark.sql import functions as f

    return f.when(f.col("copies").isNull() | (number == 0), f.col(end)).otherwise(-1 - f.col("first") - number)


def find_cycle(moves: DataFrame) -> list[int]:
    """Return the vertices of one cycle, in the order of play, given moves as (v bigint, t bigint); every t is also a v.

    One option of each vertex is followed; whoever follows it as often as there are vertices, or more often, is on a
    cycle.
    """
    step = moves.groupBy("v").agg({"t": "min"}).toDF("v", "t").localCheckpoint()
    jump = step
    for _ in range(step.count().bit_length()):
        jump = _doubled(jump, step)
    row = jump.first()
    assert row is not None
    if jump is not step:
        forget(jump)
    cycle = _around(step, row.t)
    forget(step)
    return cycle


def _around(step: DataFrame, vertex: int) -> list[int]:
    """Return the cycle that a vertex is on: each join knows twice as long a way along it."""
    reached, jump = step.where(step.v == vertex).select("v").localCheckpoint(), step
    before, count = 0, 1
    while count > before:
        further = reached.join(jump, "v").selectExpr("t as v")
        longer = reached.union(further).distinct().localCheckpoint()
        forget(reached)
        jump = _doubled(jump, step)
        reached, before, count = longer, count, longer.count()
    option = {row.v: row.t for row in step.join(reached, "v").collect()}
    forget(reached)
    forget(jump)
    cycle = [vertex]
    while (following := option[cycle[-1]]) != vertex:
        cycle.append(following)
    return cycle


def _doubled(jump: DataFrame, step: DataFrame) -> DataFrame:
    """Return a way twice as long; the shorter is forgotten, unless it is the step itself."""
    onward = jump.toDF("middle", "t")
    longer = jump.toDF("v", "middle").join(onward, "middle").select("v", "t").localCheckpoint()
    if jump is not step:
        forget(jump)
    return longer


IS_THERE = 1 - 2**63
"""The target of a row that says no more than that its source is a position."""

IS_SUM = IS_THERE + 1
"""The target of a row that says that its source is a sum."""

VALUE = IS_THERE + 2
"""The target of a row that leads to an option of value k is ``VALUE + k``."""

SOLVED = "v bigint, g int"

_FIRST_POSITION = -(2**62)
_SPREAD = 8


def solve_in_one_task(rows: DataFrame) -> DataFrame:
    """Solve a graph that one task can hold, given rows (v bigint, t bigint), as (v bigint, g int).

    They are moves from v to t, where t is a position, a value or a mark; those of a sum lead to its parts. Where there
    is a cycle its vertices alone are given, with the values -1, -2, ... in the order of play.
    """
    return rows.repartition(1).mapInArrow(solve_rows, SOLVED)


def solve_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Solve the rows of one partition; see :func:`solve_in_one_task`."""
    import pyarrow as pa

    source, target = _columns(batches)
    if len(source):
        found, values = _solve(source, target)
        yield pa.record_batch([found, values.astype(np.int32)], names=["v", "g"])


def _columns(batches: Iterable[pa.RecordBatch]) -> list[np.ndarray]:
    import pyarrow as pa

    held = [batch for batch in batches if len(batch)]
    if not held:
        return [np.empty(0, np.int64)] * 2
    return [column.to_numpy() for column in pa.Table.from_batches(held).columns]


def _solve(source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    names, start, end = _numbered(source, target)
    count, heaps = len(names), int(target[target < _FIRST_POSITION].max(initial=VALUE - 1) - VALUE + 1)
    larger, smaller = np.tril_indices(heaps, -1)
    sums = np.zeros(count + heaps, np.bool_)
    sums[start[target == IS_SUM]] = True
    moves = target >= VALUE
    start = np.concatenate([start[moves], count + larger], dtype=np.int32)
    end = np.concatenate([end[moves], count + smaller], dtype=np.int32)
    graph = GameGraph.from_arrays(start, end, count + heaps, sums=sums, overwrite=True)
    try:
        return names, grundy_values(graph)[0][:count]
    except CycleError as error:
        cycle = np.array(error.cycle, np.int64)
        return names[cycle], -1 - np.arange(len(cycle))


def _numbered(source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return all positions, and the rows by their numbers.

    An option of value k is as good as a heap of k in Nim (Sprague, Grundy): the numbers after the last position stand
    for such heaps.
    """
    leads = target >= _FIRST_POSITION
    everywhere = bool(leads.all())
    names, (start, there) = _distinct([source, target if everywhere else target[leads]])
    if everywhere:
        return names, start, there
    end = np.empty(len(target), np.int32)
    end[leads] = there
    end[~leads] = len(names) + np.maximum(target[~leads], VALUE) - VALUE
    return names, start, end


def _distinct(ends: list[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return what is in some arrays, each once, and where in it each entry is."""
    import pyarrow as pa

    low = min(int(end.min()) for end in ends if len(end))
    high = max(int(end.max()) for end in ends if len(end))
    if high - low < _SPREAD * sum(map(len, ends)):
        occurs = np.zeros(high - low + 1, np.bool_)
        for end in ends:
            occurs[end - low] = True
        number = np.cumsum(occurs, dtype=np.int32) - np.int32(1)
        return np.flatnonzero(occurs) + low, [number[end - low] for end in ends]
    found = pa.concat_arrays([pa.array(end) for end in ends]).dictionary_encode()
    return found.dictionary.to_numpy(), np.split(found.indices.to_numpy(), [len(ends[0])])


MASK_BITS = 62
"""Values below this are bits of ``lo``; larger ones are in the array ``hi``."""

_NONE = "cast(array() as array<int>)"
_FULL = 2**MASK_BITS - 1
_READY = "g is null and rem = 0"
_LARGE_MEX = f"{MASK_BITS} + size(filter(array_sort(hi), (x, i) -> x = i + {MASK_BITS}))"
_MEX = f"if(lo = {_FULL}L, {_LARGE_MEX}, bit_count((~lo & (lo + 1L)) - 1L))"
_VALUE = f"cast(if(sum, lo, {_MEX}) as int)"
_MASK = f"bit_or(case when g < {MASK_BITS} then shiftleft(1L, g) else 0L end)"
_LARGE = f"collect_set(case when g >= {MASK_BITS} then g end)"
_BITS = f"filter(sequence(0, {MASK_BITS - 1}), i -> shiftright(lo, i) % 2 = 1)"
_TOLD = f"if(sum, array(lo), concat({_BITS}, hi))"
_ROWS = f"concat(array({IS_THERE}L), if(sum, array({IS_SUM}L), array()), transform({_TOLD}, k -> k + {VALUE}L))"


class LevelFacts(NamedTuple):
    """What a round left.

    ``left`` moves lead to options not solved yet; ``unsolved`` positions have no value, and ``ready`` ones of them get
    theirs in the next round; ``largest`` is the largest value so far, or -1.
    """

    left: int
    unsolved: int
    ready: int
    largest: int


def start(edges: DataFrame, alone: DataFrame) -> DataFrame:
    """Return the state before the first round."""
    is_sum = "sum" if "sum" in edges.columns else "false as sum"
    ends = edges.selectExpr("s as v", "1L as n", is_sum).union(edges.selectExpr("t as v", "0L as n", "false as sum"))
    counted = (
        ends.union(alone.selectExpr("v", "0L as n", "false as sum")).groupBy("v").agg({"n": "sum", "sum": "bool_or"})
    )
    return counted.selectExpr(
        "v", "`sum(n)` as rem", "0L as lo", f"{_NONE} as hi", "cast(null as int) as g", "`bool_or(sum)` as sum"
    )


def lists_of(edges: DataFrame) -> DataFrame:
    """Return the predecessors of each position."""
    return edges.groupBy(edges.t.alias("v")).agg({"s": "collect_list"}).toDF("v", "p")


def advance(state: DataFrame, lists: DataFrame, wide: bool) -> DataFrame:
    """Return the state after a round.

    It is ``wide`` where a value may be too large for a bit of ``lo``: a set of values costs much more than a word of
    bits.
    """
    from pyspark.sql import functions as f

    solved = state.where(_READY).selectExpr("v", f"{_VALUE} as g")
    told = lists.join(solved.hint("shuffle_hash"), "v").select(f.explode("p").alias("v"), "g")
    heard = told.groupBy("v").agg(
        f.count("*").alias("n"),
        f.expr(_MASK).alias("mask"),
        f.bit_xor("g").alias("xor"),
        *([f.expr(_LARGE).alias("more")] if wide else []),
    )
    return state.join(heard.hint("shuffle_hash"), "v", "left").selectExpr(
        "v",
        "rem - coalesce(n, 0L) as rem",
        "if(sum, lo ^ coalesce(xor, 0), lo | coalesce(mask, 0L)) as lo",
        "if(more is null, hi, array_union(hi, more)) as hi" if wide else "hi",
        f"if({_READY}, {_VALUE}, g) as g",
        "sum",
    )


def kept(state: DataFrame, old: DataFrame | None = None) -> tuple[DataFrame, LevelFacts]:
    """Compute a state, keep it in the executors in place of the old one, and say what is left."""
    from pyspark.sql import Observation
    from pyspark.sql import functions as f

    seen = Observation()
    facts = {
        "left": f.sum("rem"),
        "unsolved": f.expr("count_if(g is null)"),
        "ready": f.expr(f"count_if({_READY})"),
        "largest": f.max("g"),
    }
    state = state.observe(seen, *(column.alias(name) for name, column in facts.items())).localCheckpoint()
    if old is not None:
        forget(old)
    found = seen.get
    return state, LevelFacts(found["left"] or 0, found["unsolved"], found["ready"], _or(found["largest"], -1))


def _or(value: int | None, default: int) -> int:
    return default if value is None else value


def rest_of(state: DataFrame, lists: DataFrame) -> DataFrame:
    """Return the values of all positions that have none yet, solved in one task."""
    from pyspark.sql import functions as f

    unsolved = state.where("g is null")
    moves = lists.join(unsolved.select("v").hint("shuffle_hash"), "v").select(f.explode("p").alias("s"), "v")
    known = unsolved.selectExpr("v", f"explode({_ROWS}) as t")
    return solve_in_one_task(known.union(moves.selectExpr("s as v", "v as t")))


_ATTEMPTS = 4
"""Times that the same rounds are begun."""

# Spark aborts the job with an error that holds the cause only within its text.
_LOST = ("CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND", "Checkpoint block", "Could not find block")


class Rounds:
    """A game solved level by level, until one task can solve the ``task_edges`` moves and positions that are left.

    There are ``every`` rounds from one epoch to the next, or None where nothing is kept to go on from.
    """

    def __init__(
        self,
        game: CodedGame,
        parts: Parts,
        partitions: int,
        task_edges: int,
        every: int | None,
        progress: StageProgress | None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._game, self._parts = game, parts
        self._edges = split_hubs(game.edges, game.count, partitions)
        self._partitions, self._task_edges = partitions, task_edges
        self._every, self._progress, self._tell = every, progress, tell
        self._done = self._kept = 0

    def run(self) -> None:
        """Solve all; where blocks were lost with an executor, go on from the last epoch."""
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException

        attempts, number = 0, None
        while True:
            epoch = self._parts.stage.get("epoch")
            attempts, number = (attempts + 1 if epoch == number else 1), epoch
            try:
                with self._opened():
                    self._solve()
                return
            except (Py4JJavaError, PySparkException) as error:
                if attempts == _ATTEMPTS or not any(sign in str(error) for sign in _LOST):
                    raise
                self._tell_of_loss()

    def _tell_of_loss(self) -> None:
        if self._tell is not None:
            lost, kept, count = self._done - self._kept, self._kept, self._game.count
            self._tell(
                Message(
                    "an executor was lost with the state of the rounds: {lost:,} of {count:,} moves are done "
                    "again, from the {kept:,} on that were kept",
                    lost,
                    count,
                    kept,
                )
            )

    def _solve(self) -> None:
        rounds, left = 0, self._facts.left
        while self._facts.left + self._facts.unsolved > self._task_edges:
            if not self._facts.ready:
                raise self._cycle()
            self._round()
            rounds += 1
            halved = 2 * self._facts.left <= left
            if halved or rounds == self._every:
                self._epoch(shrink=halved)
                rounds, left = 0, self._facts.left if halved else left
        self._finish()

    @contextmanager
    def _opened(self) -> Iterator[None]:
        """Hold the state and the lists, from the last epoch on, and free them at the end."""
        epoch = self._parts.stage.get("epoch")
        edges, self._number = self._edges, int(epoch or 0)
        if epoch is None:
            self._parts.restart()
            state = start(edges, self._game.alone)
        else:
            state = self._parts.folder.read("state", f"{epoch:05d}").repartition(self._partitions, "v")
            edges = edges.join(state.select(state.v.alias("t")), "t", "left_semi")
        self._keep(state, None, self._parts.stage.get("largest", -1))
        self._done = self._kept = self._game.count - self._facts.left
        self._lists = lists_of(edges).localCheckpoint()
        try:
            yield
        finally:
            forget(self._state)
            forget(self._lists)

    def _keep(self, state: DataFrame, old: DataFrame | None, largest: int) -> None:
        self._state, facts = kept(state, old)
        self._facts = facts._replace(largest=max(facts.largest, largest))

    def _round(self) -> None:
        wide = self._facts.largest + 1 >= MASK_BITS
        self._keep(advance(self._state, self._lists, wide), self._state, self._facts.largest)
        self._done = self._game.count - self._facts.left
        if self._progress is not None:
            self._progress("solving", self._done, self._game.count)

    def _epoch(self, shrink: bool) -> None:
        """Write the values found since the last epoch, and take their positions out of the state."""
        self._number += 1
        name = f"{self._number:05d}"
        self._parts.write(self._state.where("g is not null").select("v", "g"), name)
        self._keep(self._state.where("g is null"), self._state, self._facts.largest)
        if shrink:
            self._shrink()
        stage = {}
        if self._every is not None:
            self._parts.folder.write(self._state, "state", name)
            stage = {"epoch": self._number, "largest": self._facts.largest}
        self._parts.save(stage, name)
        self._kept = self._done if stage else 0
        if self._every is not None and self._number > 1:
            self._parts.folder.delete("state", f"{self._number - 1:05d}")

    def _shrink(self) -> None:
        """Drop the predecessors of solved positions."""
        lists = self._lists.join(self._state.select("v").hint("shuffle_hash"), "v", "left_semi").localCheckpoint()
        forget(self._lists)
        self._lists = lists

    def _finish(self) -> None:
        """Write what the state holds, and the values of the rest, solved in one task."""
        solved = self._state.where("g is not null").select("v", "g")
        names = ["last"]
        self._parts.write(solved, "last")
        if self._facts.unsolved:
            rest = self._parts.write(rest_of(self._state, self._lists), "rest")
            if not rest.where("g < 0").isEmpty():
                raise self._cycle()
            names.append("rest")
        self._parts.save({"done": True}, *names)

    def _cycle(self) -> CycleError:
        """Return the error; a cycle of the game itself, in which hubs are not split."""
        unsolved = self._state.where("g is null")
        moves = self._game.edges.selectExpr("s as v", "t").join(unsolved.select("v"), "v", "left_semi")
        moves = moves.join(unsolved.select(unsolved.v.alias("t")), "t", "left_semi")
        return CycleError(self._game.positions(find_cycle(moves.select("v", "t"))))


_LAST = "00000"


class RankError(OptionError):
    """A rank that does not fall with a move."""


def solve_windows(game: CodedGame, parts: Parts, task_edges: int, progress: StageProgress | None) -> None:
    """Solve a game whose edges have the rank of s, in windows of ``task_edges`` moves, or of one rank that has more.

    A RankError tells that the rank does not fall with some move, or that a position has two.
    """
    if not parts.names():
        parts.restart()
        count = _prepare(game, parts, task_edges)
        parts.save({"windows": count, "sums": "sum" in game.edges.columns}, _LAST)
    moves = _moves(parts)
    reach = _reach(moves)
    for number in range(len(parts.names()), parts.stage["windows"] + 1):
        parts.write(_window_values(parts, moves, number, reach[number]), _name(number))
        parts.save(parts.stage, _name(number))
        if progress is not None:
            progress("solving", number, parts.stage["windows"])
    parts.save({**parts.stage, "done": True})


def pack(counts: Sequence[int] | np.ndarray, most: int) -> np.ndarray:
    """Return the window of each rank, from 1 on: consecutive ranks with at most so many moves together.

    Examples
    --------
    >>> pack([3, 4, 2, 9, 1], 7)
    array([1, 1, 2, 3, 4])
    """
    windows = np.empty(len(counts), np.int64)
    window, held = 0, most + 1
    for place, count in enumerate(np.asarray(counts).tolist()):
        held += count
        if held > most:
            window, held = window + 1, count
        windows[place] = window
    return windows


def _prepare(game: CodedGame, parts: Parts, task_edges: int) -> int:
    """Write the moves by window, and the values of the positions without moves; return the number of windows."""
    from pyspark.sql import Observation
    from pyspark.sql import functions as f

    spark, edges = parts.folder.spark, game.edges
    ranks = edges.groupBy("rank").count().orderBy("rank").toArrow()
    windows = pack(ranks["count"].to_numpy(), task_edges)
    count = int(windows.max(initial=0))
    table = ranks.select(["rank"]).append_column("w", [windows])
    window = f.broadcast(spark.createDataFrame(table, "rank bigint, w bigint"))
    two, rising = Observation(), Observation()
    own = _own_ranks(edges).observe(two, f.expr("count_if(low < high)").alias("wrong"))
    own = own.join(window, own.low == window.rank).select("t", "low", f.col("w").alias("tw"))
    moves = edges.join(own.hint("shuffle_hash"), "t", "left").join(window, "rank")
    moves = moves.observe(rising, f.expr("count_if(low >= rank)").alias("wrong"))
    is_sum = "sum" if "sum" in edges.columns else "false as sum"
    placed = moves.selectExpr("s", "t", is_sum, "coalesce(tw, 0) as tw", "w", "tw <=> w as inner")
    placed.write.mode("overwrite").partitionBy("w", "inner").parquet(parts.folder.at("moves"))
    if count and (two.get["wrong"] or rising.get["wrong"]):  # without moves there is nothing to observe
        check_ranks(edges)
    alone = game.alone.join(own.select(own.t.alias("v")), "v", "left_anti")
    terminal = _moves(parts).where("tw = 0 and not inner").select(f.col("t").alias("v")).union(alone).distinct()
    parts.write(terminal.selectExpr("v", "0 as g"), _LAST)
    return count


def check_ranks(edges: DataFrame) -> None:
    """Raise a RankError where a position has two ranks, or a move leads to one that is no lower."""
    own = _own_ranks(edges)
    two = own.where("low < high").first()
    if two is not None:
        raise RankError(
            "a position has the ranks {low} and {high}: expected one rank for each source", two.low, two.high
        )
    wrong = edges.join(own.hint("shuffle_hash"), "t").where("low >= rank").first()
    if wrong is not None:
        raise RankError(
            "a move goes from rank {rank} to rank {low}: expected a rank that falls with every move",
            wrong.rank,
            wrong.low,
        )


def _own_ranks(edges: DataFrame) -> DataFrame:
    """Return the least and the largest rank of each source, as (t, low, high)."""
    from pyspark.sql import functions as f

    return edges.groupBy(edges.s.alias("t")).agg(f.min("rank").alias("low"), f.max("rank").alias("high"))


def _reach(moves: DataFrame) -> dict[int, set[int]]:
    """Return for each window those that its moves lead to: itself among them, and 0 for positions without moves."""
    found: dict[int, set[int]] = {}
    for row in moves.select("w", "tw").distinct().collect():
        found.setdefault(row.w, set()).add(row.tw)
    return found


def _moves(parts: Parts) -> DataFrame:
    schema = "s bigint, t bigint, sum boolean, tw bigint, w bigint, inner boolean"
    return parts.folder.read("moves", schema=schema)


def _window_values(parts: Parts, moves: DataFrame, number: int, reach: set[int]) -> DataFrame:
    """Return the values of a window."""
    from pyspark.sql import functions as f

    moves = moves.where(f.col("w") == number)
    rows = moves.where("not inner and tw = 0").selectExpr("s as v", f"{VALUE}L as t")
    if parts.stage["sums"]:
        rows = rows.union(moves.where("sum").selectExpr("s", f"{IS_SUM}L"))
    if others := sorted(reach - {0, number}):
        known = parts.values(list(map(_name, others)))
        ends = moves.where("not inner").join(known, moves.t == known.v)
        rows = rows.union(ends.selectExpr("s", f"{VALUE}L + g"))
    if number in reach:
        return solve_in_one_task(rows.union(moves.where("inner").select("s", "t")))
    return rows.repartition("v").mapInArrow(solve_rows, SOLVED)


def _name(number: int) -> str:
    return f"{number:05d}"
