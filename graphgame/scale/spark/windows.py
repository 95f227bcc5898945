"""The strategy ``windows``: where a rank falls with every move, consecutive ranks are solved together in one task.

Moves within a window go to the task as they are, moves out of it as the values of their ends, which are known by then:
0 for a position without moves.
Each move is read a constant number of times, and a finished window need not be solved again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from graphgame.errors import OptionError
from graphgame.scale import StageProgress
from graphgame.scale.spark.coding import CodedGame
from graphgame.scale.spark.progress import Parts
from graphgame.scale.spark.rounds import IS_SUM, SOLVED, VALUE, solve_in_one_task, solve_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

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
