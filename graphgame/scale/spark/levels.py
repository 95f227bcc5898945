"""Level by level: each round solves the positions all of whose options are solved, and tells their predecessors.

State (v, rem, lo, hi, g, sum) and predecessor lists (v, p) lie in the same partitions by v, so that a round needs one
exchange: that of what the solved positions tell. ``rem`` counts the moves to options not solved yet, parallel moves
each for itself. ``lo`` and ``hi`` hold the values of a position's options, below 62 as bits of ``lo``, for bit 63 would
overflow in ANSI mode; the ``lo`` of a sum is the xor of its parts' values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from graphgame.scale.spark.rest import IS_SUM, IS_THERE, VALUE, solve_in_one_task
from graphgame.scale.spark.session import forget

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["MASK_BITS", "LevelFacts", "advance", "kept", "lists_of", "rest_of", "start"]

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
