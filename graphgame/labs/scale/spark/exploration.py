"""``explore`` on Spark turns rules into an edge table, by a breadth-first search that keeps positions in Spark tables.

The second half of this module checks edge tables from users, and replaces their positions by integers.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any

import numpy as np

from graphgame.compiled.engine import Progress
from graphgame.errors import FormatError, LimitError, Message, ParameterError, RulesetError, checks_parameters
from graphgame.labs.bitboards.coded_exploration import sum_keys
from graphgame.labs.coded import CodedRuleset, option_codes
from graphgame.labs.records import RecordFormat
from graphgame.labs.scale.spark.session import Folder, check_frame, part_name
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.rule_errors import rule_errors
from graphgame.rules.ruleset import Sum

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from pyspark.sql import Column, DataFrame, SparkSession


_POSITIONS_AT_A_TIME = 1 << 12
"""The number of positions whose options are computed at a time."""

_MAX_CODES_IN_SUMS = 2**31 - 1
"""The maximum number of codes of a game whose moves may split it: a sum has the codes of two parts in one bigint."""

_RECORD = RecordFormat("graphgame exploration", 1, {}, Message("choose another folder, or delete this one yourself"))

Batches = Iterable["pa.RecordBatch"]
"""Batches of rows, as Spark passes them to a function for ``mapInArrow``."""


@checks_parameters
def explore(
    spark: SparkSession,
    ruleset: CodedRuleset,
    *starts: Hashable,
    path: str | None = None,
    max_positions: int = MAX_POSITIONS,
    progress: Progress | None = None,
) -> DataFrame:
    """Return every move that can occur in play from some positions, as an edge table.

    Parameters
    ----------
    spark : SparkSession
        Its executors must have this package and everything that the rules import. The module of the rules is sent to
        them only if it is not on the search path of this process.
    ruleset : CodedRuleset
        The rules of the game.
    *starts : hashable
        The positions to start from; the default is ``ruleset.start``.
    path : str, optional
        A folder for the tables, or any URL that Spark can write. It must be new, empty, or an earlier exploration,
        which is replaced. On one machine the default is a temporary folder, deleted when the process ends. On a cluster
        the path is required.
    max_positions : int
        The maximum number of positions.
    progress : callable, optional
        Called as ``progress(positions, moves)`` before each step.

    Returns
    -------
    DataFrame of (source bigint, target bigint)
        A row for each move, from the code of a position to the code of its option. Each start also has a row in which
        all columns but the source are null, so that it occurs even if it has no moves; if a start is a sum, each part
        of it has such a row. If the rules have ranks, the column (rank bigint) is the rank of the source.

        If moves may split the game, the column (sum boolean) says whether the source is a sum. The sum of two parts
        with the codes a <= b has the code ``(a + 1) * 2**32 + b``, and a row to each part. The ranks of positions are
        then twice those of the rules. The rank of a sum is above those of its parts, and below those of the positions
        that lead to it.

    Raises
    ------
    LimitError
        There are more positions than ``max_positions``; sums count too.
    ParameterError
        ``path`` is a file, or a folder with files but no record of :mod:`graphgame.scale.spark`. Or ``path`` is missing
        on a cluster.
    ParseError
        The folder has a record of other work, or its record is damaged.
    RulesetError
        The rules have no codes, or they define ``decided``, so that a move can end play at once. Or there is no start,
        or the rules raise an error. Or moves split the game, and the rules' ``size`` is 2**31 or more.

    Notes
    -----
    Each step follows all moves from the positions that were new in the previous step. A join with all positions so far
    finds out which options are new. A move to a sum takes two steps.
    """
    if not isinstance(ruleset, CodedRuleset):
        raise RulesetError(
            "{kind} does not number its positions: exploring on Spark needs a CodedRuleset", type(ruleset).__name__
        )
    if ruleset.decides:
        raise RulesetError(
            "{kind}: a move can end play at once, and an edge table cannot say who has won there: use graphgame "
            "without Spark, for example graphgame solve",
            type(ruleset).__name__,
        )
    all_starts = starts or (() if ruleset.start is None else (ruleset.start,))
    with rule_errors(type(ruleset).__name__, Message("the start")):
        parts = (part for start in all_starts for part in (start if type(start) is Sum else (start,)))
        codes = sorted({ruleset.encode(part) for part in parts})
    if not codes:
        raise RulesetError("{kind} has no start position: give a position to start from", type(ruleset).__name__)
    moves, folder = _Moves(ruleset, codes), Folder(spark, path)
    with _modules_sent(ruleset):
        _search(moves, codes, folder, max_positions, progress)
    return spark.read.schema(moves.schema).parquet(folder.at("edges", "*"))


@contextmanager
def _modules_sent(ruleset: CodedRuleset) -> Iterator[None]:
    """While this context is open, Spark sends the rules' own modules to the executors, which cannot import them.

    These are the modules that are not on this process's search path, such as a file ``rules.py`` of the user.
    """
    from pyspark import cloudpickle

    names = {cls.__module__ for cls in type(ruleset).__mro__}.difference(sys.builtin_module_names)
    modules = [sys.modules[name] for name in names if PathFinder.find_spec(name.partition(".")[0]) is None]
    for module in modules:
        cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)  # type: ignore[no-untyped-call]


def _search(moves: _Moves, codes: list[int], folder: Folder, max_positions: int, progress: Progress | None) -> None:
    """Search breadth first from the positions with these codes. Write the tables ``edges`` and ``positions``.

    Each step writes one part of each table to ``folder``. ``moves`` turns positions into rows of the edge table.
    ``max_positions`` and ``progress`` are those of :func:`explore`. Raises LimitError if there are more positions, and
    RulesetError if the rules raise an error.
    """
    import pyarrow as pa
    from pyspark.errors import PythonException

    if folder.read_record(_RECORD) is None:
        folder.write_record(_RECORD, {})
    for name in ("edges", "positions"):
        folder.delete(name)
    spark, position_count, move_count, step = folder.spark, 0, 0, 0
    starts = spark.createDataFrame(pa.table({"source": pa.array(codes, pa.int64())}))
    # This part has only the column "source". When the table is read, its other columns are null.
    folder.write(starts, "edges", part_name(step))
    new = folder.write(starts.toDF("v"), "positions", part_name(step))
    try:
        while count := new.count():
            position_count += count
            if progress is not None:
                progress(position_count, move_count)
            if position_count > max_positions:
                raise LimitError(
                    "the game is larger than the limit: {positions} positions and {moves} moves found; the "
                    "limit is max_positions={max_positions}",
                    position_count,
                    move_count,
                    max_positions,
                    limit="max_positions",
                )
            step += 1
            rows = folder.write(new.mapInArrow(moves, moves.schema), "edges", part_name(step))
            move_count += rows.count()
            seen = spark.read.schema("v bigint").parquet(folder.at("positions", "*"))
            options = rows.selectExpr("target as v").distinct().join(seen, "v", "left_anti")
            new = folder.write(options, "positions", part_name(step))
    except PythonException as error:
        # Spark passes on the error of the rules only as text. Run the failed step again to get the error itself.
        for row in new.mapInArrow(moves.errors, "error binary").take(1):
            raise pickle.loads(row.error) from error
        raise RulesetError(str(error)) from error


class _Moves:
    """A function for ``mapInArrow`` that turns positions and sums into rows of an edge table.

    It yields a row for each move of a position, and a row for each part of a sum. The attribute ``schema`` describes
    the columns of the rows. ``codes`` are the codes of the start positions: what the rules return for them shows
    whether moves may split a position, and whether the rules have ranks.
    """

    def __init__(self, ruleset: CodedRuleset, codes: list[int]) -> None:
        starts = np.array(codes, np.int64)
        self._ruleset, self._name = ruleset, type(ruleset).__name__
        with rule_errors(self._name, Message("the options of the start")):
            self._splits = ruleset.option_codes(starts)[1].ndim == 2
            self._ranked = ruleset.ranks(starts) is not None
        if self._splits and ruleset.size > _MAX_CODES_IN_SUMS:
            raise RulesetError(
                "moves of {name} can split a position, so the attribute 'size' of the rules must be at most {most}, "
                "but it is {size}",
                self._name,
                _MAX_CODES_IN_SUMS,
                ruleset.size,
            )
        columns = ["source bigint", "target bigint"]
        columns += ["rank bigint"] if self._ranked else []
        columns += ["sum boolean"] if self._splits else []
        self.schema = ", ".join(columns)

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        """Yield the rows of the positions and sums in the batches, which have one column of codes."""
        for batch in batches:
            vertices = batch.column(0).to_numpy()
            # If moves can split a position, some vertices are sums. A vertex below 2^31 is the code of a position, a
            # vertex of 2^32 or more is a sum.
            sums = self._splits & (vertices >= 2**32)
            codes = vertices[~sums]
            for start in range(0, len(codes), _POSITIONS_AT_A_TIME):
                yield self._moves(codes[start : start + _POSITIONS_AT_A_TIME])
            if sums.any():
                yield self._parts(vertices[sums])

    def errors(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        """Yield a row with the first error that the rules raise for the batches, pickled; no row without an error."""
        import pyarrow as pa

        try:
            for _ in self(batches):
                pass
        except RulesetError as error:
            yield pa.RecordBatch.from_pydict({"error": [pickle.dumps(error)]})

    def _moves(self, codes: np.ndarray) -> pa.RecordBatch:
        """Return the moves from positions, given by their codes: a row for each move."""
        rows, options = option_codes(self._ruleset, codes)
        if options.ndim != 1 + self._splits:
            raise RulesetError(
                "the method option_codes of {name} returned arrays of one column for some positions and of two "
                "columns for others",
                self._name,
            )
        ranks = self._ranks(codes)
        targets = sum_keys(options) if self._splits else options
        return self._table(codes[rows], targets, None if ranks is None else ranks[rows], False)

    def _parts(self, sums: np.ndarray) -> pa.RecordBatch:
        """Return the rows of sums: two rows for each sum, to its parts."""
        # The code of a sum is (a + 1) * 2^32 + b. Its rank is one above the larger rank of its parts. The ranks of
        # positions are doubled, so the sum's rank is still below that of every position that can move to it.
        parts = np.stack([(sums >> 32) - 1, sums & 0xFFFFFFFF], axis=1).ravel()
        ranks = self._ranks(parts)
        own = None if ranks is None else np.repeat(ranks.reshape(-1, 2).max(axis=1) + 1, 2)
        return self._table(np.repeat(sums, 2), parts, own, True)

    def _ranks(self, codes: np.ndarray) -> np.ndarray | None:
        """Return the ranks of positions, numbers that every move decreases; None if the rules have no ranks.

        If moves may split the game, these are twice the ranks of the rules. Odd numbers are the ranks of sums.
        """
        with rule_errors(
            self._name,
            Message("computing the ranks of positions, such as {position}", self._ruleset.decode(int(codes[0]))),
        ):
            ranks = self._ruleset.ranks(codes) if self._ranked else None
        return None if ranks is None else np.asarray(ranks, np.int64) << int(self._splits)

    def _table(self, source: np.ndarray, target: np.ndarray, ranks: np.ndarray | None, is_sum: bool) -> pa.RecordBatch:
        import pyarrow as pa

        columns = {"source": source, "target": target.astype(np.int64)}
        columns |= {} if ranks is None else {"rank": ranks}
        columns |= {"sum": np.full(len(source), is_sum)} if self._splits else {}
        return pa.RecordBatch.from_pydict(columns)


_SEEDS = 8
"""The maximum number of seeds of the hash that are tried until no two strings have the same hash."""


@dataclass(frozen=True)
class EdgeTable:
    """An edge table from a user, after the checks of :func:`checked_rows`.

    Attributes
    ----------
    rows : DataFrame of (s, t), also (rank bigint) and (sum boolean) if the user's table has them
        A row is a move from s to t or, if t is null, says only that s is a position. Here s and t are positions. In a
        table that :func:`coded` returns, they are the integers that stand for positions.
    kind : DataType
        The type of the positions in the user's table.
    count : int
        The number of moves. Parallel moves count separately.
    identity : dict
        Data that identifies the user's tables of edges and of vertices. It does not depend on the order of the rows.
    names : DataFrame of (v bigint, position string) or None
        The string that each integer stands for; None if ``rows`` has the user's own positions.
    """

    rows: DataFrame
    kind: Any
    count: int
    identity: dict[str, Any]
    names: DataFrame | None = None

    @property
    def edges(self) -> DataFrame:
        """The rows that are moves: those with a target."""
        return self.rows.where("t is not null")

    @property
    def alone(self) -> DataFrame:
        """The positions in the rows without a target, as a column v. They may have no edges."""
        return self.rows.where("t is null").selectExpr("s as v")

    def named(self, values: DataFrame) -> DataFrame:
        """Return a table (position, grundy, outcome) from a table of values (v, g).

        Leave out the rows with v < 0: they are copies of positions, made by ``split_hubs`` in rounds.py.
        """
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
        """Return the positions that the integers ``codes`` stand for, in the same order."""
        if self.names is None:
            return list(codes)
        position = {row.v: row.position for row in self.names.where(self.names.v.isin(list(codes))).collect()}
        return [position[code] for code in codes]


def checked_rows(
    edges: DataFrame, source: str, target: str, rank: str | None, vertices: DataFrame | None, sums: str | None
) -> EdgeTable:
    """Check a user's edge table, reading it once, and return it as an EdgeTable.

    The parameters are those of :func:`graphgame.scale.spark.solve`. Raises ParameterError if a column is missing, if
    ``vertices`` does not have exactly one column, or if ``sums`` is not a boolean column. Raises FormatError if another
    column has the wrong type or values.
    """
    from pyspark.sql import functions as f

    kind = _kind(edges, source, target, rank, vertices)
    columns = [f.col(source).alias("s"), f.col(target).alias("t")]
    columns += [] if rank is None else [f.col(rank).cast("bigint").alias("rank")]
    if (name := sum_column(edges, sums)) is not None:
        columns.append(f.coalesce(f.col(name), f.lit(False)).alias("sum"))
    rows = edges.select(*columns)
    alone = None if vertices is None else vertices.toDF("v").dropna()
    count, identity = _count_and_identity(rows, alone, kind.typeName() == "string", rank is not None)
    if alone is not None:
        rows = rows.unionByName(alone.toDF("s"), allowMissingColumns=True)
    return EdgeTable(rows, kind, count, identity)


def sum_column(edges: DataFrame, sums: str | None) -> str | None:
    """Return the name of the boolean column that says which sources are sums, or None.

    If ``sums`` is None, this is the column named "sum"; the result is None if it is missing or not boolean. Otherwise
    ``sums`` is the column's name; raise ParameterError if that column is missing or not boolean.
    """
    name = sums or "sum"
    if name in edges.columns and edges.schema[name].dataType.typeName() == "boolean":
        return name
    if sums is None:
        return None
    raise ParameterError(
        "the edges have no boolean column {sums!r}: their schema is {schema}", sums, edges.schema.simpleString()
    )


def coded(table: EdgeTable, work: Folder) -> EdgeTable:
    """Return the table with integers instead of positions: a string is replaced by its 63-bit hash.

    The strings and their hashes are written to the folder ``work``. Raises LimitError if different strings have the
    same hash with each of the seeds that are tried.
    """
    from pyspark.sql import functions as f

    seed, names = _hash_strings(table.rows, work) if table.kind.typeName() == "string" else (None, None)
    rows = table.rows.withColumns({name: _integer_of(f.col(name), seed) for name in ("s", "t")})
    return replace(table, rows=rows, names=names)


def _kind(edges: DataFrame, source: str, target: str, rank: str | None, vertices: DataFrame | None) -> Any:  # noqa: ANN401
    """Return the type of the positions: the widest type of the columns that have positions.

    Raises ParameterError if a column is missing, or if ``vertices`` does not have exactly one column. Raises
    FormatError if the columns with positions have neither all integers nor all strings, or if ranks are not integers.
    """
    from pyspark.sql.types import IntegralType, StringType

    check_frame(edges, "edges")
    for column in (source, target, *([] if rank is None else [rank])):
        if column not in edges.columns:
            raise ParameterError(
                "the edges have no column {column!r}: they have {columns}", column, ", ".join(map(repr, edges.columns))
            )
    fields = [edges.schema[source], edges.schema[target]]
    if vertices is not None:
        check_frame(vertices, "vertices")
        if len(vertices.columns) != 1:
            raise ParameterError("vertices has {count} columns: expected one, of positions", len(vertices.columns))
        fields.append(vertices.schema[0])
    if rank is not None and not isinstance(edges.schema[rank].dataType, IntegralType):
        raise FormatError(
            "the rank column {rank!r} has the type {datatype}: expected integers",
            rank,
            edges.schema[rank].dataType.simpleString(),
        )
    for allowed in (IntegralType, StringType):
        if all(isinstance(field.dataType, allowed) for field in fields):
            return max((field.dataType for field in fields), key=_width)
    types = ", ".join(f"{field.name!r} ({field.dataType.simpleString()})" for field in fields)
    raise FormatError("the columns {types} must all hold integers, or all hold strings", types)


def _width(kind: Any) -> int:  # noqa: ANN401
    return ["byte", "short", "integer", "long", "string"].index(kind.typeName())


def _count_and_identity(
    rows: DataFrame, vertices: DataFrame | None, texts: bool, ranked: bool
) -> tuple[int, dict[str, Any]]:
    """Return the number of moves, and data that identifies both tables (``rows`` and ``vertices``).

    ``texts`` says whether positions are strings, and ``ranked`` whether there are ranks. Each table is read once.
    Raises FormatError for a missing source, a missing rank of a move, or a negative position.
    """
    from pyspark.sql import functions as f

    def hashed(table: DataFrame) -> Column:
        # A sum of hashes does not depend on the order of the rows. It takes 31 bits of each hash, so it fits a bigint.
        return f.sum(f.xxhash64(*table.columns).bitwiseAND(f.lit(2**31 - 1))).alias("hash")

    counts = rows.agg(
        f.expr("count_if(s is null)").alias("missing"),
        f.expr(f"count_if({'rank is null and t is not null' if ranked else 'false'})").alias("unranked"),
        f.expr(f"count_if({'false' if texts else 's < 0 or t < 0'})").alias("negative"),
        f.count("t").alias("edges"),
        hashed(rows),
    ).first()
    assert counts is not None
    negative, identity = 0, {"edges": counts.edges, "hash": counts.hash, "ranked": ranked}
    if vertices is not None:
        own = vertices.agg(
            f.expr(f"count_if({'false' if texts else 'v < 0'})").alias("negative"), hashed(vertices)
        ).first()
        assert own is not None
        negative = own.negative
        identity["hash"] = (counts.hash or 0) + (own.hash or 0)
    if counts.missing:
        raise FormatError("the source is null in {count} of the rows: only a target may be null", counts.missing)
    if counts.unranked:
        raise FormatError("the rank is null in {count} of the rows: expected an integer", counts.unranked)
    if counts.negative + negative:
        raise FormatError(
            "a position is negative in {count} of the rows: expected integers in 0..2**63-1", counts.negative + negative
        )
    return counts.edges, identity


def _integer_of(position: Column, seed: int | None) -> Column:
    """Return integers for a column of positions: without a seed, the positions; with a seed, their 63-bit hashes."""
    from pyspark.sql import functions as f

    if seed is None:
        return position.cast("bigint")
    return f.when(position.isNotNull(), f.shiftrightunsigned(f.xxhash64(position, f.lit(seed)), 1))


def _hash_strings(rows: DataFrame, work: Folder) -> tuple[int, DataFrame]:
    """Return the first seed that gives all strings different hashes, and a table (v, position) of hash and string.

    The table is written to the folder ``work``. Raises LimitError if no seed gives different hashes.
    """
    from pyspark.sql import functions as f

    texts = rows.select("s").union(rows.select("t")).dropna().distinct().toDF("position")
    for seed in range(_SEEDS):
        table = texts.select(_integer_of(f.col("position"), seed).alias("v"), "position")
        names = work.write(table, "names")
        if names.groupBy("v").count().where("count > 1").isEmpty():
            return seed, names
    raise LimitError(
        "two different strings have the same 63-bit hash, with each of {count} seeds: use integers as positions", _SEEDS
    )
