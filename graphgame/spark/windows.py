"""The strategy ``windows``: where a rank falls with every move, consecutive ranks are solved together in one task.

Moves within a window go to the task as they are, moves out of it as the values of their ends, which are known by then.
Each move is read a constant number of times, and a finished window need not be solved again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from graphgame.errors import OptionError
from graphgame.spark.coding import CodedGame
from graphgame.spark.progress import Parts
from graphgame.spark.rest import MASK_BITS, MASK_EXPRESSION, SOLVED, solve_in_one_task, solve_rows
from graphgame.spark.rounds import Progress

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["RankError", "pack", "solve_windows"]

_NONE = "cast(array() as array<int>)"
_LAST = "00000"


class RankError(OptionError):
    """A rank that does not fall with a move."""


def solve_windows(game: CodedGame, parts: Parts, task_edges: int, progress: Progress | None) -> None:
    """Solve a game whose edges have a rank.

    Parameters
    ----------
    game : CodedGame
        Its edges have the rank of s.
    parts : Parts
    task_edges : int
        Moves of a window; more where a single rank has more.
    progress : callable or None

    Raises
    ------
    RankError
        The rank does not fall with some move, or a position has two.
    """
    if not parts.names():
        parts.restart()
        count = _prepare(game, parts, task_edges)
        parts.save({"windows": count, "largest": 0}, _LAST)
    reach = _reach(parts)
    for number in range(len(parts.names()), parts.stage["windows"] + 1):
        largest = _solve_window(parts, number, reach.get(number, ([], 0)), parts.stage["largest"])
        parts.save({**parts.stage, "largest": largest}, _name(number))
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
    from pyspark.sql import functions as f

    spark, edges = parts.folder.spark, game.edges
    ranks = edges.groupBy("rank").count().orderBy("rank").toArrow()
    windows = pack(ranks["count"].to_numpy(), task_edges)
    count = int(windows.max(initial=0))
    table = ranks.select(["rank"]).append_column("w", [windows])
    window = f.broadcast(spark.createDataFrame(table, "rank bigint, w bigint"))
    own = edges.groupBy("s").agg(f.min("rank").alias("low"), f.max("rank").alias("high"))
    own = own.join(window, own.low == window.rank).select(own.s.alias("t"), "low", "high", f.col("w").alias("tw"))
    moves = edges.join(own.hint("shuffle_hash"), "t", "left").join(window, "rank")
    _check_ranks(moves)
    placed = moves.select("s", "t", f.coalesce("tw", f.lit(0)).alias("tw"), "w", f.expr("tw <=> w").alias("inner"))
    placed.write.mode("overwrite").partitionBy("w", "inner").parquet(parts.folder.at("moves"))
    ends = edges.select(f.col("t").alias("v")).union(game.alone).distinct()
    terminal = ends.join(own.select(own.t.alias("v")), "v", "left_anti")
    parts.write(terminal.selectExpr("v", "0 as g"), _LAST)
    return count


def _check_ranks(moves: DataFrame) -> None:
    wrong = moves.where("low >= rank or low < high").select("s", "t", "rank", "low", "high").first()
    if wrong is None:
        return
    if wrong.low < wrong.high:
        raise RankError(f"a position has the ranks {wrong.low} and {wrong.high}: expected one rank for each source")
    raise RankError(
        f"a move goes from rank {wrong.rank} to rank {wrong.low}: expected a rank that falls with every move"
    )


def _reach(parts: Parts) -> dict[int, tuple[list[int], int]]:
    """Return for each window those that its moves lead to, and how many moves stay within."""
    found: dict[int, tuple[list[int], int]] = {}
    for row in _moves(parts).groupBy("w", "tw").count().collect():
        others, within = found.get(row.w, ([], 0))
        found[row.w] = (others, within + row["count"]) if row.tw == row.w else ([*others, row.tw], within)
    return found


def _moves(parts: Parts) -> DataFrame:
    schema = "s bigint, t bigint, tw bigint, w bigint, inner boolean"
    return parts.folder.read("moves", schema=schema)


def _solve_window(parts: Parts, number: int, reach: tuple[list[int], int], largest: int) -> int:
    """Write the values of a window; return the largest so far."""
    from pyspark.sql import functions as f

    moves = _moves(parts).where(f.col("w") == number)
    known = parts.values([_name(other) for other in reach[0]])
    rows = _told(moves.where("not inner"), known, largest >= MASK_BITS)
    if reach[1]:
        within = moves.where("inner").selectExpr("s as v", "t", "0L as lo", f"{_NONE} as hi")
        values = solve_in_one_task(rows.union(within))
    else:
        values = rows.mapInArrow(solve_rows, SOLVED)
    row = parts.write(values, _name(number)).agg({"g": "max"}).first()
    assert row is not None
    return max(largest, int(row[0]))


def _told(moves: DataFrame, known: DataFrame, wide: bool) -> DataFrame:
    """Return what the values of their ends tell the sources of moves."""
    from pyspark.sql import functions as f

    ends = moves.join(known, moves.t == known.v).groupBy("s")
    more = [f.expr(f"collect_set(case when g >= {MASK_BITS} then g end)").alias("hi")] if wide else []
    told = ends.agg(f.expr(MASK_EXPRESSION).alias("lo"), *more)
    return told.selectExpr("s as v", "cast(null as bigint) as t", "lo", "hi" if wide else f"{_NONE} as hi")


def _name(number: int) -> str:
    return f"{number:05d}"
