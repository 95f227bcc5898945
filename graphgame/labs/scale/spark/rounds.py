"""The two strategies for solving edge tables on Spark: ``levels`` and ``windows``.

``levels`` works in rounds until the rest is small enough for one task. A round solves all positions whose options are
solved, and sends their values to their predecessors. The state is a table (v, rem, lo, hi, g, sum). ``rem`` is the
number of moves to options that are not solved yet; parallel moves count separately. ``lo`` and ``hi`` are the values
of the options so far: values below 62 are bits of ``lo`` (bit 63 would overflow in ANSI mode), larger ones are in the
array ``hi``. For a sum, ``lo`` is the xor of its parts' values. ``g`` is the value. The state and the lists of
predecessors (v, p) are partitioned alike by v, so that a round needs only one exchange: of the values that are sent.
Every few rounds, an epoch writes the state to disk, so that the work can continue from there.

A hub is a position with very many predecessors. It is split into copies, so that no task has all of its predecessors.
Each copy has all options of the hub, hence its value, and a share of its predecessors.

``windows`` needs a rank that falls with every move. Positions of consecutive ranks, a window, are solved in one task.
The task gets the moves inside the window, and for each move out of it the value of the option, which is known by then
(0 for a position without moves). Each move is read a constant number of times, and a finished window is never solved
again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphgame.errors import CycleError, Message, ParameterError
from graphgame.graph.gamegraph import GameGraph
from graphgame.labs.scale import StageProgress
from graphgame.labs.scale.spark.exploration import EdgeTable
from graphgame.labs.scale.spark.session import Parts, forget
from graphgame.solution.sprague_grundy import grundy_values

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa
    from pyspark.sql import Column, DataFrame


_TASKS_SHARED = 4
"""A position with more predecessors than a task's share of the edges divided by this is a hub."""

_LEAST = 10_000
"""A position with at most this many predecessors is never a hub."""


def split_hubs(edges: DataFrame, count: int, partitions: int, least: int = _LEAST) -> DataFrame:
    """Return the edges with hubs split into copies, so that no position has too many predecessors.

    There are ``count`` edges (s bigint, t bigint), possibly with (sum boolean). A position with at most ``least``
    predecessors is not split. One copy of a hub keeps its number, the others have negative numbers.
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
    # Each move into a hub goes to one copy, chosen by a hash of its source. Each move out of a hub is repeated for all
    # copies.
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
    """Return the number of a hub's copy. Copy 0 is the position itself, and so is a position that is no hub."""
    from pyspark.sql import functions as f

    return f.when(f.col("copies").isNull() | (number == 0), f.col(end)).otherwise(-1 - f.col("first") - number)


def find_cycle(moves: DataFrame) -> list[int]:
    """Return the vertices of one cycle in the order of play, given moves (v bigint, t bigint). Every t is also a v."""
    # Follow one option of each vertex. After at least as many steps as there are vertices, one is on a cycle. Doubling
    # the number of steps each time takes log2(vertices) joins.
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
    """Return the cycle that a vertex is on, given one option of each vertex. Each join doubles the reach."""
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
    """Return the table of jumps twice as long, and free the shorter ones (unless they are the single steps)."""
    onward = jump.toDF("middle", "t")
    longer = jump.toDF("v", "middle").join(onward, "middle").select("v", "t").localCheckpoint()
    if jump is not step:
        forget(jump)
    return longer


IS_THERE = 1 - 2**63
"""A special target: the row only says that its source is a position."""

IS_SUM = IS_THERE + 1
"""A special target: the row says that its source is a sum."""

VALUE = IS_THERE + 2
"""A special target: ``VALUE + k`` stands for an option of value k."""

SOLVED = "v bigint, g int"
"""The schema of a table of values."""

_FIRST_POSITION = -(2**62)
"""Targets below this are special; positions, and copies of hubs, are above."""

_SPREAD = 8
"""Positions are numbered by a table of their range if this is at most so many times the number of entries."""


def solve_in_one_task(rows: DataFrame) -> DataFrame:
    """Solve a graph that fits in one task; return the values as (v bigint, g int).

    The rows (v bigint, t bigint) are moves from v to t, where t is a position or a special target. Rows from a sum lead
    to its parts. If there is a cycle, the result has only its vertices, with the values -1, -2, ... in the order of
    play.
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
    """Return the two columns of all batches as arrays."""
    import pyarrow as pa

    held = [batch for batch in batches if len(batch)]
    if not held:
        return [np.empty(0, np.int64)] * 2
    return [column.to_numpy() for column in pa.Table.from_batches(held).columns]


def _solve(source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions in some rows and their values; see :func:`solve_in_one_task`."""
    # A known value k is represented by a Nim heap of size k, which has moves to all smaller heaps.
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
    """Return all positions, and the sources and targets of the rows as their indices.

    The index of a target of value k is the number of positions plus k: that of a Nim heap of size k.
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
    """Return the distinct entries of some arrays, and for each array the indices of its entries among them."""
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
"""Values below this are bits of ``lo``; others are in the array ``hi``."""

# SQL expressions. The mex of ``lo`` is the number of its trailing ones: ~lo & (lo + 1) is its lowest zero bit, and the
# bits below that are counted. If ``lo`` is full, count the sorted large values that stand at their own index.
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
    """Counts of what remains after a round.

    ``left`` is the number of moves to options that are not solved yet. ``unsolved`` is the number of positions without
    a value, and ``ready`` the number of those that the next round solves. ``largest`` is the largest value so far, or
    -1.
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
    """Return the list of predecessors of each position, as (v, p)."""
    return edges.groupBy(edges.t.alias("v")).agg({"s": "collect_list"}).toDF("v", "p")


def advance(state: DataFrame, lists: DataFrame, wide: bool) -> DataFrame:
    """Return the state after one more round.

    ``wide`` must be true if a value may be too large for a bit of ``lo``. Otherwise the round skips the arrays ``hi``,
    which cost much more than bits.
    """
    from pyspark.sql import functions as f

    # Send the value of each position that becomes solved to its predecessors, collect what each of them receives, and
    # add that to their state. Hints make both joins use the existing partitions.
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


def largest_next(largest: int, sums: bool) -> int:
    """Return a bound on the values that the next round solves, given the largest value so far (-1 for none).

    Examples
    --------
    >>> largest_next(32, sums=False), largest_next(32, sums=True)
    (33, 63)
    """
    # A mex is at most one above the values of the options. A xor can set all bits up to the highest one of its parts.
    return max(largest + 1, (1 << max(largest, 0).bit_length()) - 1 if sums else 0)


def kept(state: DataFrame, old: DataFrame | None = None) -> tuple[DataFrame, LevelFacts]:
    """Compute a state, store it in the executors and free the old one; return the state and its counts."""
    from pyspark.sql import Observation
    from pyspark.sql import functions as f

    seen = Observation()
    facts = {
        "left": f.expr("coalesce(sum(rem), 0L)"),
        "unsolved": f.expr("count_if(g is null)"),
        "ready": f.expr(f"count_if({_READY})"),
        "largest": f.expr("coalesce(max(g), -1)"),
    }
    state = state.observe(seen, *(column.alias(name) for name, column in facts.items())).localCheckpoint()
    if old is not None:
        forget(old)
    return state, LevelFacts(**seen.get)


def rest_of(state: DataFrame, lists: DataFrame) -> DataFrame:
    """Solve all positions that have no value yet in one task, and return their values."""
    from pyspark.sql import functions as f

    unsolved = state.where("g is null")
    moves = lists.join(unsolved.select("v").hint("shuffle_hash"), "v").select(f.explode("p").alias("s"), "v")
    known = unsolved.selectExpr("v", f"explode({_ROWS}) as t")
    return solve_in_one_task(known.union(moves.selectExpr("s as v", "v as t")))


_ATTEMPTS = 4
"""How often the same rounds are tried before an error is raised."""

# The signs of lost blocks: Spark's error has its cause only as text.
_LOST = ("CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND", "Checkpoint block", "Could not find block")


class Rounds:
    """Solve a game in rounds, until one task can solve the remaining moves and positions.

    After ``every`` rounds an epoch is saved; None means that no state is saved.
    """

    def __init__(
        self,
        game: EdgeTable,
        parts: Parts,
        every: int | None,
        progress: StageProgress | None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._game, self._parts = game, parts
        self._partitions, self._task_edges = parts.settings["partitions"], parts.settings["task_edges"]
        self._edges = split_hubs(game.edges, game.count, self._partitions)
        self._every, self._progress, self._tell = every, progress, tell
        self._done = self._kept = 0

    def run(self) -> None:
        """Solve the game. If an executor is lost with its blocks, continue from the last epoch."""
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException

        # The attempts count anew after each epoch: only failures without any progress end the work.
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
        """Run rounds and epochs. An epoch comes after ``every`` rounds, or when the moves left have halved."""
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
        """Compute the state and the lists of the last epoch, or of the start; free them at the end."""
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
        """Replace the state, and update the counts."""
        self._state, facts = kept(state, old)
        self._facts = facts._replace(largest=max(facts.largest, largest))

    def _round(self) -> None:
        """Do one round, and report progress."""
        wide = largest_next(self._facts.largest, "sum" in self._game.edges.columns) >= MASK_BITS
        self._keep(advance(self._state, self._lists, wide), self._state, self._facts.largest)
        self._done = self._game.count - self._facts.left
        if self._progress is not None:
            self._progress("solving", self._done, self._game.count)

    def _epoch(self, shrink: bool) -> None:
        """Write the values since the last epoch, and drop their positions from the state.

        With ``shrink``, drop their lists too. If epochs are saved, write the new state before deleting the old one.
        """
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
        """Drop the lists of predecessors of positions that are no longer in the state."""
        lists = self._lists.join(self._state.select("v").hint("shuffle_hash"), "v", "left_semi").localCheckpoint()
        forget(self._lists)
        self._lists = lists

    def _finish(self) -> None:
        """Write the values in the state, and solve the rest in one task."""
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
        """Return the error with a cycle of the game's own edges, so that no copies of hubs occur in it."""
        unsolved = self._state.where("g is null")
        moves = self._game.edges.selectExpr("s as v", "t").join(unsolved.select("v"), "v", "left_semi")
        moves = moves.join(unsolved.select(unsolved.v.alias("t")), "t", "left_semi")
        return CycleError(self._game.positions(find_cycle(moves.select("v", "t"))))


_LAST = "00000"


class RankError(ParameterError):
    """A rank does not fall with some move, or a position has two ranks."""


def solve_windows(game: EdgeTable, parts: Parts, progress: StageProgress | None) -> None:
    """Solve a game whose edges have the rank of s, in windows of at most as many moves as one task may solve.

    A single rank with more moves is one window. Raises RankError if the rank does not fall with some move, or if a
    position has two ranks.
    """
    if not parts.names():
        parts.restart()
        count = _prepare(game, parts)
        parts.save({"windows": count, "sums": "sum" in game.edges.columns}, _LAST)
    moves = _moves(parts)
    # For each window the windows that its moves lead to; 0 stands for positions without moves.
    reach: dict[int, set[int]] = defaultdict(set)
    for row in moves.select("w", "tw").distinct().collect():
        reach[row.w].add(row.tw)
    for number in range(len(parts.names()), parts.stage["windows"] + 1):
        parts.write(_window_values(parts, moves, number, reach[number]), _name(number))
        parts.save(parts.stage, _name(number))
        if progress is not None:
            progress("solving", number, parts.stage["windows"])
    parts.save({**parts.stage, "done": True})


def pack(counts: Sequence[int] | np.ndarray, most: int) -> np.ndarray:
    """Assign consecutive ranks to windows, numbered from 1, so that each has at most ``most`` moves.

    A rank with more moves is a window of its own. ``counts`` are the moves of each rank.

    Examples
    --------
    >>> pack([3, 4, 2, 9, 1], 7)
    array([1, 1, 2, 3, 4])
    """
    windows = np.empty(len(counts), np.int64)
    window, held = 0, most + 1
    for rank, count in enumerate(np.asarray(counts).tolist()):
        held += count
        if held > most:
            window, held = window + 1, count
        windows[rank] = window
    return windows


def _prepare(game: EdgeTable, parts: Parts) -> int:
    """Write the moves by window, and the values of positions without moves; return the number of windows.

    Raises RankError if the ranks are wrong.
    """
    from pyspark.sql import Observation
    from pyspark.sql import functions as f

    spark, edges = parts.folder.spark, game.edges
    ranks = edges.groupBy("rank").count().orderBy("rank").toArrow()
    windows = pack(ranks["count"].to_numpy(), parts.settings["task_edges"])
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
    # Without moves, nothing runs that could be observed.
    if count and (two.get["wrong"] or rising.get["wrong"]):
        check_ranks(edges)
    alone = game.alone.join(own.select(own.t.alias("v")), "v", "left_anti")
    terminal = _moves(parts).where("tw = 0 and not inner").select(f.col("t").alias("v")).union(alone).distinct()
    parts.write(terminal.selectExpr("v", "0 as g"), _LAST)
    return count


def check_ranks(edges: DataFrame) -> None:
    """Raise RankError if a position has two ranks, or if a move leads to a rank that is not lower."""
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


def _moves(parts: Parts) -> DataFrame:
    schema = "s bigint, t bigint, sum boolean, tw bigint, w bigint, inner boolean"
    return parts.folder.read("moves", schema=schema)


def _window_values(parts: Parts, moves: DataFrame, number: int, reach: set[int]) -> DataFrame:
    """Return the values of the positions in a window. ``reach`` are the windows that its moves lead to."""
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
    # Without moves inside the window, its positions are independent: solve them in parallel.
    return rows.repartition("v").mapInArrow(solve_rows, SOLVED)


def _name(number: int) -> str:
    return f"{number:05d}"
