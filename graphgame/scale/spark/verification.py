"""verify() on Spark: values checked against the moves with one join, without the solver's code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphgame.errors import OptionError
from graphgame.proof.verification import Verification
from graphgame.scale.spark.coding import sum_column
from graphgame.scale.spark.session import check_frame
from graphgame.scale.spark.solution import solve
from graphgame.scale.spark.windows import check_ranks

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, Row


def verify(
    edges: DataFrame,
    values: DataFrame,
    source: str = "source",
    target: str = "target",
    vertices: DataFrame | None = None,
    *,
    sums: str | None = None,
    rank: str | None = None,
    checkpoint_dir: str | None = None,
) -> Verification:
    """Check that each position has the least value that none of its options has, and that play ends.

    Parameters
    ----------
    edges : DataFrame
        As for :func:`graphgame.scale.spark.solve`.
    values : DataFrame of (position, grundy), perhaps with (outcome)
    source, target : str
        Columns of the edges.
    vertices : DataFrame of one column, optional
        Positions that need not have a move.
    sums, rank : str, optional
        Columns of the edges, as for :func:`graphgame.scale.spark.solve`.
    checkpoint_dir : str, optional
        Where there is no rank, a folder for the work of finding out that play ends.

    Returns
    -------
    Verification
        False where something is wrong; it names the least wrong position.

    Raises
    ------
    CycleError
        Play need not end; carries one cycle.
    OptionError
        A column is missing, or the rank does not fall with every move.

    Notes
    -----
    One join of the moves to the values by target, one grouping by source. Values on a cycle may agree with each other,
    such as 0 and 1 on a cycle of two: to see that play ends takes one join more where there is a rank; without, the
    moves are followed to their ends, which takes about as long as to solve the game.
    """
    from pyspark.sql import functions as f

    for frame, what, needed in ((edges, "edges", (source, target)), (values, "values", ("position", "grundy"))):
        check_frame(frame, what)
        if missing := set(needed) - set(frame.columns):
            raise OptionError("the {what} have no column {first!r}", what, min(missing))
    told = "outcome" in values.columns
    outcome = f.expr("not outcome <=> if(grundy = 0, 'P', 'N')") if told else f.lit(False)
    own = values.select(
        "position", f.col("grundy").alias("own"), outcome.alias("odd"), f.lit(None).cast("int").alias("option")
    )
    flag = sum_column(edges, sums)
    is_sum = f.lit(False) if flag is None else f.coalesce(flag, f.lit(False))
    options = _options(edges.select(f.col(source).alias("s"), f.col(target).alias("t"), is_sum.alias("sum")), values)
    rows = own.unionByName(options, allowMissingColumns=True)
    if vertices is not None:
        rows = rows.unionByName(vertices.toDF("position"), allowMissingColumns=True)
    found = rows.groupBy("position").agg(
        f.count("own").alias("given"),
        f.max("own").alias("own"),
        f.bool_or(f.coalesce("odd", f.lit(False))).alias("odd"),
        f.coalesce(f.bool_or("unknown"), f.lit(False)).alias("unknown"),
        f.coalesce(f.bool_or("sum"), f.lit(False)).alias("sum"),
        f.coalesce(f.bit_xor("option"), f.lit(0)).alias("xor"),
        f.collect_set("option").alias("seen"),
    )
    wrong = found.select("*", _reason().alias("reason")).where("reason is not null").orderBy("position").first()
    if wrong is None:
        _check_end(edges, source, target, sums, rank, checkpoint_dir)
    return _report(wrong, values.count(), ("grundy", "outcome") if told else ("grundy",))


def _check_end(
    edges: DataFrame, source: str, target: str, sums: str | None, rank: str | None, checkpoint_dir: str | None
) -> None:
    if rank is None:
        solve(edges, source, target, sums=sums, checkpoint_dir=checkpoint_dir)
    else:
        check_ranks(edges.select(edges[source].alias("s"), edges[target].alias("t"), edges[rank].alias("rank")))


def _options(moves: DataFrame, values: DataFrame) -> DataFrame:
    """Return the value of each move's end for its start; ``unknown`` where the end has none."""
    from pyspark.sql import functions as f

    ends = values.select(values.position.alias("t"), f.col("grundy").alias("option"))
    joined = moves.join(ends, "t", "left")
    return joined.selectExpr("s as position", "sum", "option", "t is not null and option is null as unknown")


def _reason() -> Column:
    from pyspark.sql import functions as f

    return f.expr("""
        case
            when given = 0 then 'it has no value'
            when given > 1 then concat('it has ', given, ' values')
            when unknown then 'an option has no value'
            when sum and own <> xor then concat('its value is ', own, ', and its parts have the nim-sum ', xor)
            when not sum and array_contains(seen, own) then concat('an option has its value ', own, ' too')
            when not sum and size(filter(seen, x -> x < own)) < own
                then concat('no option has a certain value below ', own)
            when own < 0 then concat('its value is ', own)
            when odd then concat('its value is ', own, ', which is not its outcome')
        end""")


def _report(wrong: Row | None, rows: int, columns: tuple[str, ...]) -> Verification:
    if wrong is None:
        return Verification(True, rows, True, columns=columns)
    return Verification(False, rows, True, wrong.position, wrong.reason, columns=columns)
