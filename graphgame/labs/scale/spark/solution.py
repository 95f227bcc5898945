"""``solve``, ``verify`` and ``verdict`` on Spark, and the folders to which tables are written.

``verify`` checks values against the moves with one join, and does not use the solver for that. To check that play
ends, it solves the game again, unless the moves have a rank.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import xor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from graphgame.errors import CycleError, Message, ParameterError, TokenError, UnknownPositionError, checks_parameters
from graphgame.labs.records import RecordFormat
from graphgame.labs.scale import StageProgress
from graphgame.labs.scale.spark.exploration import EdgeTable, checked_rows, coded, sum_column
from graphgame.labs.scale.spark.rounds import (
    IS_SUM,
    IS_THERE,
    RankError,
    Rounds,
    check_ranks,
    solve_in_one_task,
    solve_windows,
)
from graphgame.labs.scale.spark.session import Folder, Parts, check_frame, check_installed, partitions_for, settings
from graphgame.labs.verification.verification import Verification
from graphgame.solution.results import Move

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class SumVerdict:
    """Who wins a sum of positions, and by which moves.

    Attributes
    ----------
    tokens : tuple of hashable
        The components.
    values : tuple of int
        The Grundy value of each component.
    winning_moves : list of Move
        All winning moves, sorted by component and then by option.
    """

    tokens: tuple[Hashable, ...]
    values: tuple[int, ...]
    winning_moves: list[Move]

    @property
    def nim_sum(self) -> int:
        """The xor of the values."""
        return reduce(xor, self.values, 0)

    @property
    def winner(self) -> Literal["first", "second"]:
        """Who wins with best play."""
        return "first" if self.nim_sum else "second"


def verdict(
    edges: DataFrame,
    values: DataFrame,
    tokens: Iterable[Hashable],
    source: str = "source",
    target: str = "target",
    sums: str | None = None,
) -> SumVerdict:
    """Return who wins the sum of some positions.

    Parameters
    ----------
    edges : DataFrame
        The moves, one in each row; see :func:`graphgame.scale.spark.solve`.
    values : DataFrame of (position, grundy)
        The result of :func:`graphgame.scale.spark.solve`.
    tokens : iterable of hashable
        The components: one position each. A position may occur more than once.
    source, target, sums : str
        Columns of the edges; see :func:`graphgame.scale.spark.solve`.

    Raises
    ------
    UnknownPositionError
        A token has no value.
    TokenError
        The tokens are a string instead of a list, or one of them is on a sum.
    """
    from pyspark.sql import functions as f

    if isinstance(tokens, (str, bytes)):
        raise TokenError("tokens is a list of positions: write [{tokens!r}]", tokens)
    components = tuple(tokens)
    positions = sorted(set(components), key=str)
    value = _values(values, positions)
    for token in components:
        if token not in value:
            raise UnknownPositionError(
                token, Message("position {position!r} has a token but is not a vertex of the graph", token)
            )
    if (flag := sum_column(edges, sums)) is not None:
        on_sum = edges.where(flag).where(f.col(source).isin(positions)).select(source).first()
        if on_sum is not None:
            raise TokenError("token {token!r} stands on a sum: put a token on each of its parts instead", on_sum[0])
    total = reduce(xor, (value[token] for token in components), 0)
    moves = []
    if total:
        options = edges.where(f.col(source).isin(positions)).select(
            f.col(source).alias("start"), f.col(target).alias("end")
        )
        with_values = options.distinct().join(values, f.col("end") == values.position).orderBy("end")
        rows = with_values.select("start", "end", "grundy").collect()
        moves = [
            Move(component, token, row.end)
            for component, token in enumerate(components)
            for row in rows
            if row.start == token and row.grundy == value[token] ^ total
        ]
    return SumVerdict(components, tuple(value[token] for token in components), moves)


def _values(values: DataFrame, positions: list[Hashable]) -> dict[Hashable, int]:
    """Return the value of each of these positions that is in the table.

    The result is empty if some position is a string and the table has integers, or the other way round.
    """
    from pyspark.sql import functions as f

    are_texts = values.schema["position"].dataType.typeName() == "string"
    if not positions or any(isinstance(position, str) != are_texts for position in positions):
        return {}
    return {row.position: row.grundy for row in values.where(f.col("position").isin(positions)).collect()}


_RECORD = RecordFormat(
    "graphgame table", 1, {"files": [str]}, Message("choose another path, or delete this folder yourself")
)


class Output:
    """A folder to which a table is written, as Parquet files. Only an empty folder or an earlier output is replaced.

    An output has a record of its files, under a name that readers of Parquet ignore. ``others`` are the paths of inputs
    and work folders. Raises ParameterError if the path is a file, or a folder with files that are not in its record;
    ParseError if the folder has a record that is damaged or of another kind, such as that of a checkpoint. Also raises
    ParameterError if the path is, contains, or is inside one of ``others``, or if it is or contains the current folder.
    """

    def __init__(self, spark: SparkSession, path: str, *others: str) -> None:
        self._folder = Folder(spark, Folder(spark, path).resolved())
        url = self._folder.path
        for other in others:
            other_url = Folder(spark, other).resolved()
            if _is_within(url, other_url) or _is_within(other_url, url):
                raise ParameterError(
                    "{path} and {other} are the same, or one is in the other: choose another output", path, other
                )
        if _is_within(f"file:{Path.cwd()}", url):
            raise ParameterError(
                "the output {path} contains the current folder, and would replace it: choose another output", path
            )
        self._check()

    def write(self, frame: DataFrame) -> None:
        """Write a table. If its files cannot be written, the folder stays as it was."""
        # Write to a temporary folder in the same parent folder, and rename it at the end.
        parent, _, name = self._folder.path.rpartition("/")
        temporary = Folder(self._folder.spark, f"{parent}/.{name}.{secrets.token_hex(6)}.part")
        try:
            frame.write.parquet(temporary.path)
            temporary.write_record(_RECORD, {"files": sorted(temporary.names())})
            self._check()
            temporary.replace(self._folder)
        finally:
            temporary.delete()

    def _check(self) -> None:
        """Raise ParameterError if the folder has files that this class did not write."""
        written = self._folder.read_record(_RECORD)
        if written is not None:
            self._folder.refuse_others(written["files"])


def _is_within(path: str, folder: str) -> bool:
    return f"{path}/".startswith(f"{folder.rstrip('/')}/")


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
    """Check that each value is the mex of the options' values (of a sum: the xor of its parts), and that play ends.

    Parameters
    ----------
    edges : DataFrame
        The moves, one in each row; see :func:`graphgame.scale.spark.solve`.
    values : DataFrame of (position, grundy), optionally with (outcome)
        The values to check. A position that occurs only here counts as a position without a move.
    source, target : str
        Columns of the edges.
    vertices : DataFrame of one column, optional
        Positions that need not have a move.
    sums, rank : str, optional
        Columns of the edges; see :func:`graphgame.scale.spark.solve`.
    checkpoint_dir : str, optional
        A folder for the work of checking that play ends. It is used only without a rank, and then required on a
        cluster.

    Returns
    -------
    Verification
        True if all values are right. Otherwise it is false, and has the least wrong position and the reason.

    Raises
    ------
    CycleError
        All values are right, there is no rank, and the graph has a cycle. The error has the positions of one.
    ParameterError
        A column is missing. Or all values are right, and the rank does not fall with every move, or a source has two
        ranks. Or ``checkpoint_dir`` is needed, or has other files or other work.
    ParseError
        The record in ``checkpoint_dir`` is damaged or of another kind.
    FormatError
        All values are right, and the rank of a move is null. Or all values are right, there is no rank, and the columns
        of positions have neither all strings nor all integers of 0 or more.

    Notes
    -----
    The values are checked by one join of the moves with the values of their targets, and one grouping by source. Values
    on a cycle can be consistent with each other (such as 0 and 1 on a cycle of two), so it is also checked that play
    ends. With a rank this takes one more join. Without a rank, the game is solved again, which finds any cycle.
    """
    from pyspark.sql import functions as f

    of_edges = (source, target) if rank is None else (source, target, rank)
    for frame, what, needed in ((edges, "edges", of_edges), (values, "values", ("position", "grundy"))):
        check_frame(frame, what)
        if missing := set(needed) - set(frame.columns):
            raise ParameterError("the {what} have no column {first!r}", what, min(missing))
    has_outcomes = "outcome" in values.columns
    outcome = f.expr("not outcome <=> if(grundy = 0, 'P', 'N')") if has_outcomes else f.lit(False)
    own = values.select(
        "position", f.col("grundy").alias("own"), outcome.alias("odd"), f.lit(None).cast("int").alias("option")
    )
    flag = sum_column(edges, sums)
    is_sum = f.lit(False) if flag is None else f.coalesce(flag, f.lit(False))
    options = _options(edges.select(f.col(source).alias("s"), f.col(target).alias("t"), is_sum.alias("sum")), values)
    rows = own.unionByName(options, allowMissingColumns=True)
    if vertices is not None:
        rows = rows.unionByName(vertices.toDF("position").dropna(), allowMissingColumns=True)
    of_positions = rows.groupBy("position").agg(
        f.count("own").alias("given"),
        f.max("own").alias("own"),
        f.bool_or(f.coalesce("odd", f.lit(False))).alias("odd"),
        f.coalesce(f.bool_or("unknown"), f.lit(False)).alias("unknown"),
        f.coalesce(f.bool_or("sum"), f.lit(False)).alias("sum"),
        f.coalesce(f.bit_xor("option"), f.lit(0)).alias("xor"),
        f.collect_set("option").alias("seen"),
    )
    cases = " ".join(f"when {condition} then {index}" for index, (condition, _) in enumerate(_WRONG))
    wrong = of_positions.withColumn("case", f.expr(f"case {cases} end")).where("case is not null")
    first = wrong.orderBy("position").first()
    if first is None and rank is not None:
        check_ranks(edges.select(edges[source].alias("s"), edges[target].alias("t"), edges[rank].alias("rank")))
    elif first is None:
        # Solving the game raises a CycleError if there is a cycle.
        solve(edges, source, target, vertices=vertices, sums=sums, checkpoint_dir=checkpoint_dir)
    columns = ("grundy", "outcome") if has_outcomes else ("grundy",)
    if first is None:
        return Verification(True, values.count(), True, columns=columns)
    reason = Message(_WRONG[first.case][1], given=first.given, own=first.own, xor=first.xor)
    faults = ((first.position, reason),)
    return Verification(False, values.count(), True, *faults[0], columns=columns, faults=faults, wrong=1)


_WRONG = (
    ("given = 0", Message("the position has no value")),
    ("given > 1", Message("the position has {given} values")),
    ("unknown", Message("an option or part has no value")),
    ("sum and own <> xor", Message("the value {own} is wrong: the xor of the parts' values is {xor}")),
    ("not sum and array_contains(seen, own)", Message("the value {own} is wrong: an option has the same value")),
    (
        "not sum and size(filter(seen, x -> x < own)) < own",
        Message("the value {own} is wrong: a smaller value is missing among the options"),
    ),
    ("own < 0", Message("the value {own} is negative")),
    ("odd", Message("the outcome does not fit the value {own}")),
)
"""Conditions in SQL under which the value of a position is wrong, each with its reason. The first true one counts."""


def _options(moves: DataFrame, values: DataFrame) -> DataFrame:
    """Join the moves (s, t, sum) with the values of their targets; return rows (position, sum, option, unknown).

    ``position`` is the source s, and ``option`` is the value of the target t, or null. ``unknown`` is true if there is
    a target, but it has no value. If ``values`` has several rows for t, the move has a row for each of them.
    """
    from pyspark.sql import functions as f

    ends = values.select(values.position.alias("t"), f.col("grundy").alias("option"))
    joined = moves.join(ends, "t", "left")
    return joined.selectExpr("s as position", "sum", "option", "t is not null and option is null as unknown")


Strategy = Literal["auto", "levels", "windows"]

TASK_EDGES = 10_000_000
"""The default of the parameter ``task_edges``, the maximum number of moves that one task solves."""


@overload
def solve(
    edges: DataFrame,
    source: str = ...,
    target: str = ...,
    rank: str | None = ...,
    vertices: DataFrame | None = ...,
    strategy: Strategy = ...,
    *,
    sums: str | None = ...,
    tokens: None = ...,
    checkpoint_dir: str | None = ...,
    checkpoint_every: int = ...,
    resume: bool = ...,
    task_edges: int = ...,
    partitions: int | None = ...,
    progress: StageProgress | None = ...,
    tell: Callable[[str], None] | None = ...,
) -> DataFrame: ...


@overload
def solve(
    edges: DataFrame,
    source: str = ...,
    target: str = ...,
    rank: str | None = ...,
    vertices: DataFrame | None = ...,
    strategy: Strategy = ...,
    *,
    sums: str | None = ...,
    tokens: Iterable[Hashable],
    checkpoint_dir: str | None = ...,
    checkpoint_every: int = ...,
    resume: bool = ...,
    task_edges: int = ...,
    partitions: int | None = ...,
    progress: StageProgress | None = ...,
    tell: Callable[[str], None] | None = ...,
) -> tuple[DataFrame, SumVerdict]: ...


@checks_parameters
def solve(
    edges: DataFrame,
    source: str = "source",
    target: str = "target",
    rank: str | None = None,
    vertices: DataFrame | None = None,
    strategy: Strategy = "auto",
    *,
    sums: str | None = None,
    tokens: Iterable[Hashable] | None = None,
    checkpoint_dir: str | None = None,
    checkpoint_every: int = 20,
    resume: bool = True,
    task_edges: int = TASK_EDGES,
    partitions: int | None = None,
    progress: StageProgress | None = None,
    tell: Callable[[str], None] | None = None,
) -> DataFrame | tuple[DataFrame, SumVerdict]:
    """Compute the value of every position of an edge table, on the cluster of the table's Spark session.

    Parameters
    ----------
    edges : DataFrame
        One move in each row. Positions are integers in 0..2**63-1, or strings. A row without a target (null) only adds
        its source as a position. Parallel moves count once, except those of a sum.
    source, target : str
        The columns of the edges.
    rank : str, optional
        A column with an integer rank of the source that falls with every move, such as the number of tokens left.
    vertices : DataFrame of one column, optional
        Positions that need not have a move.
    strategy : {"auto", "levels", "windows"}
        "levels" exchanges rows between machines once for each move of the longest play, until one task can solve the
        rest. "windows" needs a rank, and exchanges rows a few times for each ``task_edges`` moves. "auto" solves a game
        of at most ``task_edges`` moves in one task. For a larger game it chooses "windows" if there is a rank,
        otherwise "levels".
    sums : str, optional
        A boolean column that says whether the source is a sum. A sum's value is the xor of its targets' values, and
        repeated rows count. :func:`graphgame.scale.spark.explore` returns such rows. The default is ``sum``, if
        there is such a column.
    tokens : iterable of hashable, optional
        The components of a sum, one position each. If given, the result also says who wins the sum.
    checkpoint_dir : str, optional
        A folder for the work and the result, or any URL that Spark can write. On one machine the default is a temporary
        folder, deleted when the process ends. On a cluster it is required.
    checkpoint_every : int
        With the strategy "levels" and a ``checkpoint_dir``, the work is saved again after this many rounds, and
        whenever the number of unsolved moves has halved. With "windows", every finished window is saved.
    resume : bool
        Whether to continue the work in ``checkpoint_dir``. Otherwise it is deleted.
    task_edges : int
        The maximum number of moves that one task may solve. (With "windows", several tasks together solve a window of a
        single rank, whatever its number of moves.) A move takes 80 bytes of Python's memory if a position has ten moves
        on average, and up to 200 bytes if it has one.
    partitions : int, optional
        The number of partitions. The default is one for each core, or one for each 4 million moves if these are more.
        Work that is continued keeps its own numbers of partitions and ``task_edges``.
    progress : callable, optional
        Called as ``progress("solving", done, total)``. The numbers are moves with the strategy "levels", and windows
        with "windows". It is not called for a game that "auto" solves in one task.
    tell : callable, optional
        Called with a sentence if rounds are repeated because an executor was lost.

    Returns
    -------
    DataFrame of (position, grundy int, outcome string)
        One row for each position, read from files in ``checkpoint_dir``. With ``tokens``, the result is a pair of this
        table and a :class:`SumVerdict`.

    Raises
    ------
    CycleError
        The graph has a cycle; the error has the positions of one.
    ParameterError
        A parameter is wrong, or the folder has other work or other files. Or "windows" is used, and the rank does not
        fall with every move, or a source has two ranks.
    ParseError
        The record in ``checkpoint_dir`` is damaged or of another kind.
    FormatError
        A column has the wrong type, or wrong values such as a negative position.
    UnknownPositionError
        A token is not a position.
    TokenError
        The tokens are a string instead of a list, or one of them is on a sum.
    GraphGameError
        There is no Java, or it is too old. Without PySpark it is a :class:`MissingExtraError`.

    Notes
    -----
    The settings of the session are restored, and nothing stays cached. The values are those of :func:`graphgame.solve`.

    References
    ----------
    G. Malewicz and others, Pregel: a system for large-scale graph processing, SIGMOD (2010), for rounds of messages.
    """
    check_installed()
    check_frame(edges, "edges")
    if strategy not in ("auto", "levels", "windows"):
        raise ParameterError("unknown strategy {strategy!r}: expected 'auto', 'levels' or 'windows'", strategy)
    if strategy == "windows" and rank is None:
        raise ParameterError("the strategy windows needs a rank: name the column, or choose levels")
    spark = edges.sparkSession
    folder = Folder(spark, checkpoint_dir)
    table = checked_rows(edges, source, target, rank, vertices, sums)
    used: str = strategy
    if strategy == "auto":
        used = "task" if table.count <= task_edges else "levels" if rank is None else "windows"
    division = {"partitions": partitions or partitions_for(spark, table.count), "task_edges": task_edges}
    parts = Parts(folder, {**table.identity, "strategy": used}, division, resume)
    every = None if checkpoint_dir is None else checkpoint_every
    with settings(spark, parts.settings["partitions"]):
        game = coded(table, folder)
        if not parts.stage.get("done"):
            if used == "task":
                _solve_in_task(game, parts)
            elif used == "levels":
                Rounds(game, parts, every, progress, tell).run()
            else:
                _solve_by_rank(game, parts, progress)
        values = game.named(parts.values())
    return values if tokens is None else (values, verdict(edges, values, tokens, source, target, sums))


def _solve_by_rank(game: EdgeTable, parts: Parts, progress: StageProgress | None) -> None:
    """Solve a game in windows, and write the values.

    If the ranks are wrong, raise CycleError if the game has a cycle, otherwise RankError.
    """
    try:
        solve_windows(game, parts, progress)
    except RankError:
        # A rank cannot fall with every move of a cycle. A CycleError says more than a RankError, so look for a cycle.
        # Then forget the values: the next call must raise the error again, and not return them.
        try:
            Rounds(game, parts, None, progress).run()
        finally:
            parts.restart()
        raise


def _solve_in_task(game: EdgeTable, parts: Parts) -> None:
    """Solve a game in one task, and write the values; raise CycleError if there is a cycle."""
    rows = game.rows.selectExpr("s as v", f"coalesce(t, {IS_THERE}L) as t")
    if "sum" in game.rows.columns:
        rows = rows.union(game.rows.where("sum").selectExpr("s", f"{IS_SUM}L"))
    values = parts.write(solve_in_one_task(rows), "all")
    cycle: list[Any] = values.where("g < 0").orderBy(values.g.desc()).collect()
    if cycle:
        raise CycleError(game.positions([row.v for row in cycle]))
    parts.save({"done": True}, "all")
