"""Hubs: positions with very many predecessors, split into equal copies so that no task has all of them.

Each copy has all the options of the hub, hence its value, and a share of its predecessors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

__all__ = ["split_hubs"]

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
