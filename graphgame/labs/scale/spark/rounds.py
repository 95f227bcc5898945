"""The two strategies for solving edge tables on Spark: ``levels`` and ``windows``.

In both, vertices are integers v; see :func:`graphgame.labs.scale.spark.exploration.coded`.

``levels`` works in rounds, until the unsolved positions are few enough for one task. A round solves all positions whose
options are solved, and sends their values to their predecessors. A checkpoint after every few rounds writes the state
to a folder, so that the work can continue from there.

The state is a table with a row (v, rem, lo, hi, g, sum) for each position v:

- ``rem`` is the number of moves to options that are not solved yet; parallel moves count separately;
- ``lo`` and ``hi`` are the values of the solved options: values below 62 are bits of ``lo`` (with one more bit, lo + 1
  could overflow in ANSI mode), larger values are in the array ``hi``. For a sum, ``lo`` is the xor of the values of its
  solved parts;
- ``g`` is the value of the position, null if it is not solved;
- ``sum`` says whether the position is a sum.

The state and the lists of predecessors (v, p) have the same partitions by v, so that a round needs only one exchange:
of the values that are sent.

A hub is a position with very many predecessors. It is split into copies, so that no task has all of its predecessors.
Each copy has all options of the hub, and therefore its value, and a share of its predecessors.

``windows`` needs a rank that falls with every move. A window is a set of positions with consecutive ranks. Windows are
solved in increasing order of rank, so the options outside a window are solved before it. One task solves a window, from
the moves inside it and the values of the options outside; if there are no moves inside it, several tasks share the
work. Each move is read a constant number of times, and a finished window is never solved again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphgame.errors import CycleError, FormatError, Message, ParameterError
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.rows import cycle_from, marked
from graphgame.labs.scale import StageProgress
from graphgame.labs.scale.spark.exploration import EdgeTable
from graphgame.labs.scale.spark.session import SOLVED, Parts, forget, part_name
from graphgame.solution.sprague_grundy import grundy_values

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa
    from pyspark.sql import Column, DataFrame


_HUBS_OF_TASK = 4
"""A position is a hub if it has more predecessors than a quarter of the average number of edges in a partition."""

_MIN_PREDECESSORS_OF_HUB = 10_000
"""A position with at most this many predecessors is never a hub."""


def split_hubs(edges: DataFrame, count: int, partitions: int, least: int = _MIN_PREDECESSORS_OF_HUB) -> DataFrame:
    """Return the edges with each hub split into copies: each copy has some of its predecessors and all of its moves.

    There are ``count`` edges (s bigint, t bigint), possibly with (sum boolean). A hub has more than ``least``
    predecessors, and more than a quarter of the average number of edges in a partition. One copy of a hub has the
    hub's number, and all other copies have negative numbers.
    """
    from pyspark.sql import functions as f

    most = max(least, count // (_HUBS_OF_TASK * partitions))
    if count <= most:
        return edges
    large = edges.groupBy("t").count().where(f.col("count") > most).orderBy("t").collect()
    if not large:
        return edges
    rows, first = [], 0
    for row in large:
        copies = -(-row["count"] // most)
        rows.append((row.t, copies, first))
        first += copies
    hubs = f.broadcast(edges.sparkSession.createDataFrame(rows, "hub bigint, copies int, first bigint"))
    # Each move into a hub goes to one copy, chosen by a hash of its source. Each move out of a hub is repeated for all
    # copies.
    with_new_targets = edges.join(hubs, edges.t == hubs.hub, "left").withColumn(
        "t", _copy("t", f.expr("cast(pmod(xxhash64(s), copies) as int)"))
    )
    repeated = (
        with_new_targets.select(edges.columns)
        .join(hubs, f.col("s") == hubs.hub, "left")
        .withColumn("copy", f.explode(f.expr("sequence(0, coalesce(copies, 1) - 1)")))
    )
    return repeated.withColumn("s", _copy("s", f.col("copy"))).select(edges.columns)


def _copy(end: str, number: Column) -> Column:
    """Return the column ``end`` ("s" or "t") with each hub replaced by one of its copies.

    ``number`` is a column with the index of the copy. Copy 0 is the hub itself. A row where the column ``copies`` is
    null has no hub: its position stays as it is.
    """
    from pyspark.sql import functions as f

    return f.when(f.col("copies").isNull() | (number == 0), f.col(end)).otherwise(-1 - f.col("first") - number)


def find_cycle(moves: DataFrame) -> list[int]:
    """Return the vertices of one cycle in the order of play, given moves (v bigint, t bigint).

    Every target t must also be a source v.
    """
    # ``step`` has one option of each vertex. After as many steps as there are vertices, each path has come to a cycle.
    # ``low`` is the least vertex of the path; if the path began on a cycle, it is the least vertex of this cycle. Each
    # join doubles the number of steps of all jumps, so about log2(vertices) joins are enough.
    step = moves.groupBy("v").agg({"t": "min"}).toDF("v", "t").localCheckpoint()
    jump = step.selectExpr("v", "t", "least(v, t) as low").localCheckpoint()
    for _ in range(step.count().bit_length()):
        onward = jump.toDF("t", "end", "low_onward")
        longer = jump.join(onward, "t").selectExpr("v", "end as t", "least(low, low_onward) as low").localCheckpoint()
        forget(jump)
        jump = longer
    on_cycles = jump.join(jump.selectExpr("t as v").distinct(), "v")
    least = on_cycles.agg({"low": "min"}).first()
    assert least is not None
    option = {row.v: row.t for row in step.join(on_cycles.where(on_cycles.low == least[0]).select("v"), "v").collect()}
    forget(jump)
    forget(step)
    return cycle_from(least[0], option.__getitem__)


IS_THERE = 1 - 2**63
"""A special target in the rows of a task: the row only says that its source is a position."""

IS_SUM = IS_THERE + 1
"""A special target in the rows of a task: the row says that its source is a sum."""

VALUE = IS_THERE + 2
"""``VALUE + k`` is a special target in the rows of a task: it stands for an option with the value k."""

_MIN_POSITION = -(2**62)
"""Targets below this are special targets; positions and copies of hubs are this or more."""

_MAX_RANGE_OF_TABLE = 8
"""Positions are numbered by a table with an entry for each integer from the least position to the largest. If the table
would be at least this many times as long as the arrays of positions, a dictionary is used instead."""


def solve_in_one_task(rows: DataFrame) -> DataFrame:
    """Solve a graph that fits in one task; return the values as (v bigint, g int).

    In a row (v bigint, t bigint), t is one of these:

    - an option of v or, if v is a sum, a part of v;
    - ``VALUE + k``: stands for an option or part with the value k;
    - ``IS_SUM``: the row says that v is a sum;
    - ``IS_THERE``: the row says only that v is a position.

    If there is a cycle, the result has only the vertices of one, with the values -1, -2, ... in the order of play.
    """
    return rows.repartition(1).mapInArrow(solve_rows, SOLVED)


def solve_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Solve the graph of the rows (v, t) of one partition, and yield its values (v, g); nothing if there are no rows.

    :func:`solve_in_one_task` describes these rows, and what the values are if there is a cycle.
    """
    import pyarrow as pa

    source, target = _columns(batches)
    if len(source):
        positions, values = _solve(source, target)
        yield pa.record_batch([positions, values.astype(np.int32)], names=["v", "g"])


def _columns(batches: Iterable[pa.RecordBatch]) -> list[np.ndarray]:
    """Return two arrays: the first and the second column, each joined over all batches."""
    import pyarrow as pa

    not_empty = [batch for batch in batches if len(batch)]
    if not not_empty:
        return [np.empty(0, np.int64)] * 2
    return [column.to_numpy() for column in pa.Table.from_batches(not_empty).columns]


def _solve(source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Solve the graph of the rows (source, target); return an array of its positions, and an array of their values.

    For special targets, and for the result if there is a cycle, see :func:`solve_in_one_task`.
    """
    # An option with the value k is replaced by a Nim heap of size k, which has moves to all smaller heaps.
    names, start, end = _numbered(source, target)
    count, heaps = len(names), int(target[target < _MIN_POSITION].max(initial=VALUE - 1) - VALUE + 1)
    larger, smaller = np.tril_indices(heaps, -1)
    sums = marked(start[target == IS_SUM], count + heaps)
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
    """Return three arrays: the positions in the rows (source, target), the index of each source, and of each target.

    These are indices in the array of positions. But the special target ``VALUE + k`` stands for a Nim heap of size k,
    and its index is the number of positions plus k. The index of any other special target has no meaning.
    """
    is_position = target >= _MIN_POSITION
    are_all = bool(is_position.all())
    names, (start, end_of_moves) = _distinct([source, target if are_all else target[is_position]])
    if are_all:
        return names, start, end_of_moves
    end = np.empty(len(target), np.int32)
    end[is_position] = end_of_moves
    end[~is_position] = len(names) + np.maximum(target[~is_position], VALUE) - VALUE
    return names, start, end


def _distinct(arrays: list[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the distinct entries of two arrays, in any order, and two arrays of indices.

    The arrays of indices have, for each entry of the two arrays, its index among the distinct entries.
    """
    import pyarrow as pa

    low = min(int(array.min()) for array in arrays if len(array))
    high = max(int(array.max()) for array in arrays if len(array))
    if high - low < _MAX_RANGE_OF_TABLE * sum(map(len, arrays)):
        occurs = np.zeros(high - low + 1, np.bool_)
        for array in arrays:
            occurs[array - low] = True
        number = np.cumsum(occurs, dtype=np.int32) - np.int32(1)
        return np.flatnonzero(occurs) + low, [number[array - low] for array in arrays]
    encoded = pa.concat_arrays([pa.array(array) for array in arrays]).dictionary_encode()
    return encoded.dictionary.to_numpy(), np.split(encoded.indices.to_numpy(), [len(arrays[0])])


MASK_BITS = 62
"""Values below this are bits of ``lo``; larger values are in the array ``hi``."""

# SQL expressions on the state. The mex of ``lo`` is the number of ones at its end. ~lo & (lo + 1) has only the lowest
# zero bit of ``lo`` set; minus 1, it has the bits below this bit set, which ``bit_count`` counts. If all 62 bits of
# ``lo`` are set, sort the large values: the mex is 62 plus the number of entries x at index i with x = 62 + i.
_NONE = "cast(array() as array<int>)"
_FULL = 2**MASK_BITS - 1
_READY = "g is null and rem = 0"
_LARGE_MEX = f"{MASK_BITS} + size(filter(array_sort(hi), (x, i) -> x = i + {MASK_BITS}))"
_MEX = f"if(lo = {_FULL}L, {_LARGE_MEX}, bit_count((~lo & (lo + 1L)) - 1L))"
_VALUE = f"cast(if(sum, lo, {_MEX}) as int)"
_MASK = f"bit_or(case when g < {MASK_BITS} then shiftleft(1L, g) else 0L end)"
_LARGE_VALUES = f"collect_set(case when g >= {MASK_BITS} then g end)"
_BITS = f"filter(sequence(0, {MASK_BITS - 1}), i -> shiftright(lo, i) % 2 = 1)"
# _RECEIVED: an array of the values that a position has received; for a sum, only the xor of these values. _ROWS: an
# array of special targets, see :func:`solve_in_one_task`. It has IS_THERE, then IS_SUM if the position is a sum, then
# VALUE + k for each value k in _RECEIVED.
_RECEIVED = f"if(sum, array(lo), concat({_BITS}, hi))"
_ROWS = f"concat(array({IS_THERE}L), if(sum, array({IS_SUM}L), array()), transform({_RECEIVED}, k -> k + {VALUE}L))"


class LevelFacts(NamedTuple):
    """How many moves and positions a state of the strategy ``levels`` has to solve, and the largest value so far."""

    left: int
    """The number of moves to options that are not solved yet: the sum of the column ``rem``."""

    unsolved: int
    """The number of positions without a value."""

    ready: int
    """The number of positions that the next round solves."""

    largest: int
    """The largest value so far; -1 if no position is solved."""


def start(edges: DataFrame, alone: DataFrame) -> DataFrame:
    """Return the state before the first round, for the positions in the moves (s, t) and in the table ``alone`` (v)."""
    is_sum = "sum" if "sum" in edges.columns else "false as sum"
    ends = edges.selectExpr("s as v", "1L as n", is_sum).union(edges.selectExpr("t as v", "0L as n", "false as sum"))
    counted = (
        ends.union(alone.selectExpr("v", "0L as n", "false as sum")).groupBy("v").agg({"n": "sum", "sum": "bool_or"})
    )
    return counted.selectExpr(
        "v", "`sum(n)` as rem", "0L as lo", f"{_NONE} as hi", "cast(null as int) as g", "`bool_or(sum)` as sum"
    )


def lists_of(edges: DataFrame) -> DataFrame:
    """Return a row (v, p) for each position v that has predecessors; p is the array of its predecessors."""
    return edges.groupBy(edges.t.alias("v")).agg({"s": "collect_list"}).toDF("v", "p")


def advance(state: DataFrame, lists: DataFrame, wide: bool) -> DataFrame:
    """Return the state after one more round, given the lists of predecessors.

    ``wide`` must be true if a value may be too large for a bit of ``lo``. Otherwise the round skips the arrays ``hi``,
    which cost much more than bits.
    """
    from pyspark.sql import functions as f

    # Send the value of each position that becomes solved to its predecessors. Collect the values that each predecessor
    # receives, and add them to its row of the state. Hints make both joins use the existing partitions.
    solved = state.where(_READY).selectExpr("v", f"{_VALUE} as g")
    sent = lists.join(solved.hint("shuffle_hash"), "v").select(f.explode("p").alias("v"), "g")
    received = sent.groupBy("v").agg(
        f.count("*").alias("n"),
        f.expr(_MASK).alias("mask"),
        f.bit_xor("g").alias("xor"),
        *([f.expr(_LARGE_VALUES).alias("more")] if wide else []),
    )
    return state.join(received.hint("shuffle_hash"), "v", "left").selectExpr(
        "v",
        "rem - coalesce(n, 0L) as rem",
        "if(sum, lo ^ coalesce(xor, 0), lo | coalesce(mask, 0L)) as lo",
        "if(more is null, hi, array_union(hi, more)) as hi" if wide else "hi",
        f"if({_READY}, {_VALUE}, g) as g",
        "sum",
    )


def largest_next(largest: int, sums: bool) -> int:
    """Return an upper bound of the values that the next round computes.

    ``largest`` is the largest value so far, or -1. ``sums`` says whether there are sums.

    Examples
    --------
    >>> largest_next(32, sums=False), largest_next(32, sums=True)
    (33, 63)
    """
    # A mex is at most one above the values of the options. An xor can set all bits up to the highest bit of its parts.
    return max(largest + 1, (1 << max(largest, 0).bit_length()) - 1 if sums else 0)


def values_of_unsolved(state: DataFrame, lists: DataFrame) -> DataFrame:
    """Solve all positions that have no value yet in one task, and return their values (v, g).

    For the result if there is a cycle, see :func:`solve_in_one_task`.
    """
    from pyspark.sql import functions as f

    unsolved = state.where("g is null")
    moves = lists.join(unsolved.select("v").hint("shuffle_hash"), "v").select(f.explode("p").alias("s"), "v")
    received = unsolved.selectExpr("v", f"explode({_ROWS}) as t")
    return solve_in_one_task(received.union(moves.selectExpr("s as v", "v as t")))


_MAX_ATTEMPTS = 4
"""The number of attempts at the same rounds before an error is raised."""

# If stored blocks were lost, Spark's error has one of these texts. The error has its cause only as text.
_LOST_BLOCKS = ("CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND", "Checkpoint block", "Could not find block")


class Rounds:
    """Solves a game in rounds, until one task can solve the remaining moves and positions.

    ``parts`` is the work folder: it has the settings, and the values are written to it. At least every ``every``
    rounds, a checkpoint saves the state there, too. If ``every`` is None, no state is saved, and after the loss of an
    executor the work starts over. ``tell`` is called with a sentence when an executor is lost.
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
        self._done = self._saved = 0

    def run(self) -> None:
        """Solve the game; raise CycleError if there is a cycle.

        If an executor and the blocks that it stores are lost, continue from the last checkpoint, if there is one.
        """
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException

        # Count attempts from 1 again after each new checkpoint: only attempts without progress end the work.
        attempts, last_checkpoint = 0, None
        while True:
            checkpoint = self._parts.stage.get("epoch")
            attempts, last_checkpoint = (attempts + 1 if checkpoint == last_checkpoint else 1), checkpoint
            try:
                with self._state_opened():
                    self._solve()
                return
            except (Py4JJavaError, PySparkException) as error:
                if attempts == _MAX_ATTEMPTS or not any(text in str(error) for text in _LOST_BLOCKS):
                    raise
                if self._tell is not None:
                    self._tell(
                        Message(
                            "Spark lost an executor and the results in its memory: {lost:,} of {count:,} moves will "
                            "be processed again; the work on {saved:,} moves is saved",
                            self._done - self._saved,
                            self._game.count,
                            self._saved,
                        )
                    )

    def _solve(self) -> None:
        """Run rounds until one task can solve the rest of the game, then run this task.

        Make a checkpoint when there was none in the last ``_every`` rounds, and whenever the number of moves to
        unsolved options has halved.
        """
        rounds, left = 0, self._facts.left
        while self._facts.left + self._facts.unsolved > self._task_edges:
            if not self._facts.ready:
                raise self._cycle()
            wide = largest_next(self._facts.largest, "sum" in self._game.edges.columns) >= MASK_BITS
            self._set_state(advance(self._state, self._lists, wide), self._state, self._facts.largest)
            if self._progress is not None:
                self._progress("solving", self._done, self._game.count)
            rounds += 1
            halved = 2 * self._facts.left <= left
            if halved or rounds == self._every:
                self._checkpoint(shrink=halved)
                rounds, left = 0, self._facts.left if halved else left
        self._finish()

    @contextmanager
    def _state_opened(self) -> Iterator[None]:
        """Prepare the state and the lists of predecessors; free both when the ``with`` block ends.

        Both come from the last checkpoint or, if there is none, from the unsolved game.
        """
        checkpoint = self._parts.stage.get("epoch")
        edges, self._number = self._edges, int(checkpoint or 0)
        if checkpoint is None:
            self._parts.restart()
            state = start(edges, self._game.alone)
        else:
            state = self._parts.folder.read("state", part_name(checkpoint)).repartition(self._partitions, "v")
            edges = edges.join(state.select(state.v.alias("t")), "t", "left_semi")
        self._set_state(state, None, self._parts.stage.get("largest", -1))
        self._saved = self._done
        self._lists = lists_of(edges).localCheckpoint()
        try:
            yield
        finally:
            forget(self._state)
            forget(self._lists)

    def _set_state(self, state: DataFrame, old: DataFrame | None, largest: int) -> None:
        """Make ``state`` the current state, compute it and its :class:`LevelFacts`, and free ``old``, the state before.

        ``largest`` is the largest value so far, including values of positions that are no longer in the state.
        """
        from pyspark.sql import Observation
        from pyspark.sql import functions as f

        observed = Observation()
        facts = {
            "left": f.expr("coalesce(sum(rem), 0L)"),
            "unsolved": f.expr("count_if(g is null)"),
            "ready": f.expr(f"count_if({_READY})"),
            "largest": f.expr(f"greatest(max(g), {largest})"),
        }
        observing = state.observe(observed, *(column.alias(name) for name, column in facts.items()))
        self._state = observing.localCheckpoint()
        if old is not None:
            forget(old)
        self._facts = LevelFacts(**observed.get)
        # Each copy of a hub has all moves of the hub, so there may be more moves left than the game has.
        self._done = max(self._game.count - self._facts.left, 0)

    def _checkpoint(self, shrink: bool) -> None:
        """Write the values that were computed since the last checkpoint, and drop the solved positions from the state.

        With ``shrink``, also drop their lists of predecessors. Save the state unless ``_every`` is None.
        """
        self._number += 1
        name = part_name(self._number)
        self._parts.write(self._state.where("g is not null").select("v", "g"), name)
        self._set_state(self._state.where("g is null"), self._state, self._facts.largest)
        if shrink:
            lists = self._lists.join(self._state.select("v").hint("shuffle_hash"), "v", "left_semi").localCheckpoint()
            forget(self._lists)
            self._lists = lists
        stage = {}
        if self._every is not None:
            self._parts.folder.write(self._state, "state", name)
            stage = {"epoch": self._number, "largest": self._facts.largest}
        self._parts.save(stage, name)
        self._saved = self._done if stage else 0
        # Delete the state of the previous checkpoint only now that the record names the new one.
        if self._every is not None and self._number > 1:
            self._parts.folder.delete("state", part_name(self._number - 1))

    def _finish(self) -> None:
        """Write the values that the state has. Then solve all other positions in one task, and write their values."""
        solved = self._state.where("g is not null").select("v", "g")
        names = ["last"]
        self._parts.write(solved, "last")
        if self._facts.unsolved:
            values = self._parts.write(values_of_unsolved(self._state, self._lists), "rest")
            if not values.where("g < 0").isEmpty():
                raise self._cycle()
            names.append("rest")
        self._parts.save({"done": True}, *names)

    def _cycle(self) -> CycleError:
        """Return a CycleError with the positions of a cycle."""
        # Use the edges of the game, not those with split hubs, so that the cycle has no copies of hubs.
        unsolved = self._state.where("g is null")
        moves = self._game.edges.selectExpr("s as v", "t").join(unsolved.select("v"), "v", "left_semi")
        moves = moves.join(unsolved.select(unsolved.v.alias("t")), "t", "left_semi")
        return CycleError(self._game.positions(find_cycle(moves.select("v", "t"))))


_TERMINAL = part_name(0)
"""The name of the part with the values of positions without moves. The values of window k, from 1 on, are part k."""


class RankError(ParameterError):
    """A move leads to a rank that is not lower, or a position has two ranks."""


def solve_windows(game: EdgeTable, parts: Parts, progress: StageProgress | None) -> None:
    """Solve a game whose edges have a column ``rank``, the rank of their sources, in windows.

    A window has at most as many moves as one task may solve, or it has a single rank. Raises RankError if a move leads
    to a rank that is not lower, or if a position has two ranks.
    """
    if "windows" not in parts.stage:
        parts.restart()
        count = _prepare(game, parts)
        parts.save({"windows": count, "sums": "sum" in game.edges.columns}, _TERMINAL)
    moves = _moves(parts)
    # For each window, the windows that its moves lead to. Window 0 stands for the positions without moves.
    leads_to: dict[int, set[int]] = defaultdict(set)
    for row in moves.select("w", "tw").distinct().collect():
        leads_to[row.w].add(row.tw)
    for number in range(len(parts.names()), parts.stage["windows"] + 1):
        parts.write(_window_values(parts, moves, number, leads_to[number]), part_name(number))
        parts.save(parts.stage, part_name(number))
        if progress is not None:
            progress("solving", number, parts.stage["windows"])
    parts.save({**parts.stage, "done": True})


def pack(counts: Sequence[int] | np.ndarray, most: int) -> np.ndarray:
    """Divide ranks into windows of consecutive ranks with at most ``most`` moves; return the window of each rank.

    ``counts`` has the number of moves of each rank, in increasing order of the ranks. Windows are numbered from 1. A
    rank with more than ``most`` moves is a window of its own.

    Examples
    --------
    >>> pack([3, 4, 2, 9, 1], 7)
    array([1, 1, 2, 3, 4])
    """
    windows = np.empty(len(counts), np.int64)
    # Start in a full window, number 0, so that the first rank opens window 1.
    window, moves = 0, most + 1
    for rank, count in enumerate(np.asarray(counts).tolist()):
        moves += count
        if moves > most:
            window, moves = window + 1, count
        windows[rank] = window
    return windows


def _prepare(game: EdgeTable, parts: Parts) -> int:
    """Divide the ranks into windows; write the moves, and the values of positions without moves.

    Return the number of windows. The table of moves has the columns s, t and sum, and three more: w is the window of s,
    tw is the window of t (0 if t has no moves), and inner is true if these windows are the same. Raises RankError if
    the ranks are wrong.
    """
    from pyspark.sql import Observation
    from pyspark.sql import functions as f

    spark, edges = parts.folder.spark, game.edges
    ranks = edges.groupBy("rank").count().orderBy("rank").toArrow()
    windows = pack(ranks["count"].to_numpy(), parts.settings["task_edges"])
    count = int(windows.max(initial=0))
    table = ranks.select(["rank"]).append_column("w", [windows])
    window = f.broadcast(spark.createDataFrame(table, "rank bigint, w bigint"))
    # Count wrong ranks in the same pass that writes the moves.
    with_two_ranks, not_falling = Observation(), Observation()
    own = _own_ranks(edges).observe(with_two_ranks, f.expr("count_if(low < high)").alias("wrong"))
    own = own.join(window, own.low == window.rank).select("t", "low", f.col("w").alias("tw"))
    moves = edges.join(own.hint("shuffle_hash"), "t", "left").join(window, "rank")
    moves = moves.observe(not_falling, f.expr("count_if(low >= rank)").alias("wrong"))
    is_sum = "sum" if "sum" in edges.columns else "false as sum"
    in_windows = moves.selectExpr("s", "t", is_sum, "coalesce(tw, 0) as tw", "w", "tw <=> w as inner")
    in_windows.write.mode("overwrite").partitionBy("w", "inner").parquet(parts.folder.at("moves"))
    # Without moves, Spark does not run the observed queries, so there are no counts to get.
    if count and (with_two_ranks.get["wrong"] or not_falling.get["wrong"]):
        check_ranks(edges)
    alone = game.alone.join(own.select(own.t.alias("v")), "v", "left_anti")
    terminal = _moves(parts).where("tw = 0 and not inner").select(f.col("t").alias("v")).union(alone).distinct()
    parts.write(terminal.selectExpr("v", "0 as g"), _TERMINAL)
    return count


def check_ranks(edges: DataFrame) -> None:
    """Raise RankError if a position has two ranks, or if a move leads to a rank that is not lower.

    The edges have the columns s, t and rank, the rank of s. Raises FormatError if the rank of a move is null.
    """
    if unranked := edges.where("rank is null and t is not null").count():
        raise FormatError("the rank is null in {count} of the rows: expected an integer", unranked)
    own = _own_ranks(edges)
    with_two = own.where("low < high").first()
    if with_two is not None:
        raise RankError(
            "a position has the ranks {low} and {high}: expected the same rank in all rows with this source",
            with_two.low,
            with_two.high,
        )
    wrong = edges.join(own.hint("shuffle_hash"), "t").where("low >= rank").first()
    if wrong is not None:
        raise RankError(
            "a move goes from rank {rank} to rank {low}: expected a rank that falls with every move",
            wrong.rank,
            wrong.low,
        )


def _own_ranks(edges: DataFrame) -> DataFrame:
    """Return a row (t, low, high) for each source: the source, and the least and the largest rank of its edges.

    The source is named t, so that the rows can be joined with the moves that lead to it.
    """
    from pyspark.sql import functions as f

    return edges.groupBy(edges.s.alias("t")).agg(f.min("rank").alias("low"), f.max("rank").alias("high"))


def _moves(parts: Parts) -> DataFrame:
    schema = "s bigint, t bigint, sum boolean, tw bigint, w bigint, inner boolean"
    return parts.folder.read("moves", schema=schema)


def _window_values(parts: Parts, moves: DataFrame, number: int, leads_to: set[int]) -> DataFrame:
    """Return the values (v, g) of the positions in the window ``number``.

    ``moves`` has the moves of all windows. The moves of this window lead to the windows with the numbers ``leads_to``.
    ``parts`` must have the values of those windows already, except of the window ``number`` itself.
    """
    from pyspark.sql import functions as f

    moves = moves.where(f.col("w") == number)
    rows = moves.where("not inner and tw = 0").selectExpr("s as v", f"{VALUE}L as t")
    if parts.stage["sums"]:
        rows = rows.union(moves.where("sum").selectExpr("s", f"{IS_SUM}L"))
    if earlier := sorted(leads_to - {0, number}):
        values = parts.values(list(map(part_name, earlier)))
        outward = moves.where("not inner").join(values, moves.t == values.v)
        rows = rows.union(outward.selectExpr("s", f"{VALUE}L + g"))
    if number in leads_to:
        return solve_in_one_task(rows.union(moves.where("inner").select("s", "t")))
    # Without moves inside the window, its positions are independent: solve them in parallel.
    return rows.repartition("v").mapInArrow(solve_rows, SOLVED)
