"""Edge tables of users as edges between 64-bit integers: types, strings, rows without a target, facts about all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphgame.errors import FormatError, LimitError, Message, OptionError
from graphgame.labs.scale.spark.session import Folder, check_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import Column, DataFrame

_SEEDS = 8


@dataclass(frozen=True)
class CodedGame:
    """A game between integers from 0 on.

    Attributes
    ----------
    rows : DataFrame of (s bigint, t bigint), with a rank also (rank bigint), with sums also (sum boolean)
        Without a t, a position that need not have an edge; ``count`` of them have one.
    vertices : DataFrame of (v bigint) or None
        More of these.
    names : DataFrame of (v bigint, position string) or None
        What each integer stands for, where positions are strings.
    kind : DataType
        Type of the positions.
    """

    rows: DataFrame
    vertices: DataFrame | None
    names: DataFrame | None
    kind: Any
    count: int

    @property
    def edges(self) -> DataFrame:
        """The rows that are moves."""
        return self.rows.where("t is not null")

    @property
    def alone(self) -> DataFrame:
        """Positions that need not have an edge, as (v bigint)."""
        alone = self.rows.where("t is null").selectExpr("s as v")
        return alone if self.vertices is None else alone.union(self.vertices)

    def named(self, values: DataFrame) -> DataFrame:
        """Return (v, g) as (position, grundy, outcome), without the copies of hubs."""
        from pyspark.sql import functions as f

        values = values.where("v >= 0")
        if self.names is not None:
            values = values.join(self.names, "v")
        position = f.col("v").cast(self.kind) if self.names is None else f.col("position")
        return values.select(
            position.alias("position"),
            f.col("g").alias("grundy"),
            f.when(f.col("g") == 0, "P").otherwise("N").alias("outcome"),
        )

    def positions(self, codes: Sequence[int]) -> list[Any]:
        """Return what some codes stand for."""
        if self.names is None:
            return list(codes)
        found = {row.v: row.position for row in self.names.where(self.names.v.isin(list(codes))).collect()}
        return [found[code] for code in codes]


@dataclass(frozen=True)
class Table:
    """Moves as a user gives them, known to be well-formed; ``identity`` tells the rows from others, in any order.

    The rows are those of :class:`CodedGame`, between positions of any kind.
    """

    rows: DataFrame
    vertices: DataFrame | None
    kind: Any
    count: int
    identity: dict[str, Any]


def checked_rows(
    edges: DataFrame, source: str, target: str, rank: str | None, vertices: DataFrame | None, sums: str | None
) -> Table:
    """Look at each row once, and raise an OptionError or a FormatError that says what is wrong."""
    from pyspark.sql import functions as f

    kind = _kind(edges, source, target, rank, vertices)
    columns = [f.col(source).alias("s"), f.col(target).alias("t")]
    columns += [] if rank is None else [f.col(rank).cast("bigint").alias("rank")]
    if (flag := sum_column(edges, sums)) is not None:
        columns.append(f.coalesce(f.col(flag), f.lit(False)).alias("sum"))
    rows = edges.select(*columns)
    more = None if vertices is None else vertices.toDF("v").dropna()
    count, identity = _facts(rows, more, kind.typeName() == "string", rank is not None)
    return Table(rows, more, kind, count, identity)


def sum_column(edges: DataFrame, sums: str | None) -> str | None:
    """Return the column that says which sources are sums; where none is named, ``sum`` if there is such a column."""
    name = sums or "sum"
    if name in edges.columns and edges.schema[name].dataType.typeName() == "boolean":
        return name
    if sums is None:
        return None
    raise OptionError(
        "the edges have no column {sums!r} of true and false: they are {schema}", sums, edges.schema.simpleString()
    )


def coded(table: Table, work: Folder) -> CodedGame:
    """Return a game between integers; the names of strings are written to a folder."""
    from pyspark.sql import functions as f

    rows, vertices, names = table.rows, table.vertices, None
    seed = None
    if table.kind.typeName() == "string":
        seed, names = _names(rows, vertices, work)
    rows = rows.withColumns({name: _number(f.col(name), seed) for name in ("s", "t")})
    if vertices is not None:
        vertices = vertices.select(_number(f.col("v"), seed).alias("v"))
    return CodedGame(rows, vertices, names, table.kind, table.count)


def _kind(edges: DataFrame, source: str, target: str, rank: str | None, vertices: DataFrame | None) -> Any:  # noqa: ANN401
    from pyspark.sql.types import IntegralType, StringType

    check_frame(edges, "edges")
    for column in (source, target, *([] if rank is None else [rank])):
        if column not in edges.columns:
            raise OptionError(
                "the edges have no column {column!r}: they have {columns}", column, ", ".join(map(repr, edges.columns))
            )
    fields = [edges.schema[source], edges.schema[target]]
    if vertices is not None:
        check_frame(vertices, "vertices")
        if len(vertices.columns) != 1:
            raise OptionError("vertices has {count} columns: expected one, of positions", len(vertices.columns))
        fields.append(vertices.schema[0])
    if rank is not None and not isinstance(edges.schema[rank].dataType, IntegralType):
        raise FormatError(
            "the rank {rank!r} is {datatype}: expected integers", rank, edges.schema[rank].dataType.simpleString()
        )
    for allowed in (IntegralType, StringType):
        if all(isinstance(field.dataType, allowed) for field in fields):
            return max((field.dataType for field in fields), key=_width)
    held = ", ".join(f"{field.name!r} holds {field.dataType.simpleString()}" for field in fields)
    raise FormatError("{found}: expected integers in all of them, or strings", held)


def _width(kind: Any) -> int:  # noqa: ANN401
    return ["byte", "short", "integer", "long", "string"].index(kind.typeName())


def _facts(rows: DataFrame, vertices: DataFrame | None, texts: bool, ranked: bool) -> tuple[int, dict[str, Any]]:
    """Look at each row once: what is wrong, how many edges there are, and a hash of all."""
    from pyspark.sql import functions as f

    found = rows.agg(
        f.expr("count_if(s is null)").alias("missing"),
        f.expr(f"count_if({'rank is null and t is not null' if ranked else 'false'})").alias("unranked"),
        f.expr(f"count_if({'false' if texts else 's < 0 or t < 0'})").alias("negative"),
        f.count("t").alias("edges"),
        f.sum(f.xxhash64(*rows.columns).bitwiseAND(f.lit(2**31 - 1))).alias("hash"),
    ).first()
    assert found is not None
    negative = 0 if texts or vertices is None else vertices.where("v < 0").count()
    for wrong, what, expected in (
        (found.missing, "the source is null", Message("a position (only a target may be null)")),
        (found.unranked, "the rank is null", Message("an integer")),
        (found.negative + negative, Message("a position is negative"), Message("integers in 0..2**63-1")),
    ):
        if wrong:
            raise FormatError("{what} in {wrong} of the rows: expected {expected}", what, wrong, expected)
    return found.edges, {"edges": found.edges, "hash": found.hash, "ranked": ranked}


def _number(name: Column, seed: int | None) -> Column:
    """Return the integer of a position: a hash where there is a seed."""
    from pyspark.sql import functions as f

    if seed is None:
        return name.cast("bigint")
    return f.when(name.isNotNull(), f.shiftrightunsigned(f.xxhash64(name, f.lit(seed)), 1))


def _names(rows: DataFrame, vertices: DataFrame | None, work: Folder) -> tuple[int, DataFrame]:
    """Return the first seed by which no two strings have the same hash, and the table of all hashes."""
    from pyspark.sql import functions as f

    texts = rows.select("s").union(rows.select("t"))
    texts = (texts if vertices is None else texts.union(vertices)).dropna().distinct().toDF("position")
    for seed in range(_SEEDS):
        table = texts.select(_number(f.col("position"), seed).alias("v"), "position")
        names = work.write(table, "names")
        if names.groupBy("v").count().where("count > 1").isEmpty():
            return seed, names
    raise LimitError("there are too many different strings for 63-bit hashes: give integers")
