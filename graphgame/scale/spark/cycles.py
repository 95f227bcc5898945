"""One cycle of a graph in which every vertex has an option: by doubling, a logarithmic number of joins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphgame.scale.spark.session import forget

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["find_cycle"]


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
