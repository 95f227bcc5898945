"""verify() on Spark: values checked against the moves with one join, without the solver's code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphgame.errors import OptionError
from graphgame.spark.session import check_frame
from graphgame.verification import Verification

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, Row

__all__ = ["verify"]


def verify(
    edges: DataFrame,
    values: DataFrame,
    source: str = "source",
    target: str = "target",
    vertices: DataFrame | None = None,
) -> Verification:
    """Check that each position has the least value that none of its options has.

    Parameters
    ----------
    edges : DataFrame
        As for :func:`graphgame.spark.solve`; play must end, which is not checked.
    values : DataFrame of (position, grundy), perhaps with (outcome)
    source, target : str
        Columns of the edges.
    vertices : DataFrame of one column, optional
        Positions that need not have a move.

    Returns
    -------
    Verification
        False where something is wrong; it names the least wrong position.

    Raises
    ------
    OptionError
        A column is missing.

    Notes
    -----
    One join of the moves to the values by target, one grouping by source.
    """
    from pyspark.sql import functions as f

    for frame, what, needed in ((edges, "edges", (source, target)), (values, "values", ("position", "grundy"))):
        check_frame(frame, what)
        if missing := set(needed) - set(frame.columns):
            raise OptionError(f"the {what} have no column {min(missing)!r}")
    told = "outcome" in values.columns
    outcome = f.expr("not outcome <=> if(grundy = 0, 'P', 'N')") if told else f.lit(False)
    own = values.select(
        "position", f.col("grundy").alias("own"), outcome.alias("odd"), f.lit(None).cast("int").alias("option")
    )
    options = _options(edges.select(f.col(source).alias("s"), f.col(target).alias("t")), values)
    rows = own.unionByName(options, allowMissingColumns=True)
    if vertices is not None:
        rows = rows.unionByName(vertices.toDF("position"), allowMissingColumns=True)
    found = rows.groupBy("position").agg(
        f.count("own").alias("given"),
        f.max("own").alias("own"),
        f.bool_or(f.coalesce("odd", f.lit(False))).alias("odd"),
        f.coalesce(f.bool_or("unknown"), f.lit(False)).alias("unknown"),
        f.collect_set("option").alias("seen"),
    )
    wrong = found.select("*", _reason().alias("reason")).where("reason is not null").orderBy("position").first()
    return _report(wrong, values.count(), ("grundy", "outcome") if told else ("grundy",))


def _options(moves: DataFrame, values: DataFrame) -> DataFrame:
    """Return the value of each move's end for its start; ``unknown`` where the end has none."""
    from pyspark.sql import functions as f

    ends = values.select(values.position.alias("t"), f.col("grundy").alias("option"))
    joined = moves.join(ends, "t", "left")
    return joined.selectExpr("s as position", "option", "t is not null and option is null as unknown")


def _reason() -> Column:
    from pyspark.sql import functions as f

    return f.expr("""
        case
            when given = 0 then 'it has no value'
            when given > 1 then concat('it has ', given, ' values')
            when unknown then 'an option has no value'
            when array_contains(seen, own) then concat('an option has its value ', own, ' too')
            when size(filter(seen, x -> x < own)) < own then concat('no option has a certain value below ', own)
            when own < 0 then concat('its value is ', own)
            when odd then concat('its value is ', own, ', which is not its outcome')
        end""")


def _report(wrong: Row | None, rows: int, columns: tuple[str, ...]) -> Verification:
    if wrong is None:
        return Verification(True, rows, True, columns=columns)
    return Verification(False, rows, True, wrong.position, wrong.reason, columns=columns)
