"""solve() on Spark: the face of the strategies."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, Literal, overload

from graphgame.errors import CycleError, OptionError
from graphgame.scale import StageProgress
from graphgame.scale.spark.coding import CodedGame, checked_rows, coded
from graphgame.scale.spark.folder import Folder
from graphgame.scale.spark.progress import Parts
from graphgame.scale.spark.rounds import IS_SUM, IS_THERE, Rounds, solve_in_one_task
from graphgame.scale.spark.session import check_frame, check_installed, partitions_for, settings
from graphgame.scale.spark.tokens import SumVerdict, verdict
from graphgame.scale.spark.windows import RankError, solve_windows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Strategy = Literal["auto", "levels", "windows"]

TASK_EDGES = 10_000_000
"""Moves that one task solves unless the caller says otherwise."""


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
    """Give every position of a table of moves its value, on the cluster that the table's session runs on.

    Parameters
    ----------
    edges : DataFrame
        A move a row. Positions are integers in 0..2**63-1, or strings. A row without a target (null) is a position of
        its own; parallel moves count once, but for those of a sum.
    source, target : str
        Its columns.
    rank : str, optional
        A column with an integer rank of the source, which falls with every move: tokens left, the total of heaps.
    vertices : DataFrame of one column, optional
        Positions that need not have a move.
    strategy : {"auto", "levels", "windows"}
        "levels" needs one exchange for each length of play; "windows" needs a rank, and a few exchanges for each
        ``task_edges`` moves. "auto" takes windows where there is a rank; a game that one task can solve goes to one.
    sums : str, optional
        A column of true and false: whether the source is a sum, whose value is the xor of its targets' values, each row
        counted; such rows come from :func:`graphgame.scale.spark.explore`. Default: ``sum``, where there is such
        a column.
    tokens : iterable of hashable, optional
        The components of a sum, one position each.
    checkpoint_dir : str, optional
        A folder, or any URL that Spark can write, where the work and the result are kept. On one machine the default
        is a temporary folder that lasts as long as the process.
    checkpoint_every : int
        Most rounds of levels that are lost with an executor or the process; a window is always kept.
    resume : bool
        Go on with what is in ``checkpoint_dir``; else begin again.
    task_edges : int
        Moves that one task may solve in Python's memory: 80 bytes each where a position has ten, up to 200 where it
        has one.
    partitions : int, optional
        Default: one for each core, and for each 4 million moves. Work that goes on keeps this and ``task_edges``.
    progress : callable, optional
        Called as ``progress("solving", done, total)``, in moves or windows.
    tell : callable, optional
        Called with a sentence where rounds were lost with an executor, and are done again.

    Returns
    -------
    DataFrame of (position, grundy int, outcome string)
        One row for each position, read from files of ``checkpoint_dir``. With tokens, this and the :class:`SumVerdict`.

    Raises
    ------
    CycleError
        Play need not end; carries one cycle.
    OptionError
        An option is not understood, the folder holds other work, or the rank does not fall with every move.
    FormatError
        The columns hold something else.
    UnknownPositionError
        A token is not a position.
    GraphGameError
        There is no Java, or :class:`MissingExtraError`: no PySpark.

    Notes
    -----
    Settings of the session are put back, and nothing stays cached. The values are those of :func:`graphgame.solve`.

    References
    ----------
    G. Malewicz and others, Pregel: a system for large-scale graph processing, SIGMOD (2010), for rounds of messages.
    """
    check_installed()
    check_frame(edges, "edges")
    _check(strategy, rank, checkpoint_every, task_edges, partitions)
    spark = edges.sparkSession
    folder = Folder(spark, checkpoint_dir)
    table = checked_rows(edges, source, target, rank, vertices, sums)
    chosen = _chosen(strategy, table.count, rank, task_edges)
    cut = {"partitions": partitions or partitions_for(spark, table.count), "task_edges": task_edges}
    parts = Parts(folder, {**table.identity, "strategy": chosen}, cut, resume)
    count, task_edges = parts.settings["partitions"], parts.settings["task_edges"]
    every = None if checkpoint_dir is None else checkpoint_every
    with settings(spark, count):
        game = coded(table, folder)
        if not parts.stage.get("done"):
            _run(chosen, game, parts, count, task_edges, every, progress, tell)
        values = game.named(parts.values())
    return values if tokens is None else (values, verdict(edges, values, tokens, source, target, sums))


def _check(strategy: str, rank: str | None, every: int, task_edges: int, partitions: int | None) -> None:
    if strategy not in ("auto", "levels", "windows"):
        raise OptionError("unknown strategy {strategy!r}: expected 'auto', 'levels' or 'windows'", strategy)
    if strategy == "windows" and rank is None:
        raise OptionError("the strategy windows needs a rank: name the column, or choose levels")
    for name, number, least in (
        ("checkpoint_every", every, 1),
        ("task_edges", task_edges, 0),
        ("partitions", 1 if partitions is None else partitions, 1),
    ):
        if number < least:
            raise OptionError("{name} is {number}: expected {least} or more", name, number, least)


def _chosen(strategy: Strategy, count: int, rank: str | None, task_edges: int) -> str:
    if strategy != "auto":
        return strategy
    if count <= task_edges:
        return "task"
    return "levels" if rank is None else "windows"


def _run(
    chosen: str,
    game: CodedGame,
    parts: Parts,
    partitions: int,
    task_edges: int,
    every: int | None,
    progress: StageProgress | None,
    tell: Callable[[str], None] | None,
) -> None:
    if chosen == "task":
        _solve_in_task(game, parts)
    elif chosen == "levels":
        Rounds(game, parts, partitions, task_edges, every, progress, tell).run()
    else:
        try:
            solve_windows(game, parts, task_edges, progress)
        except RankError:
            Rounds(game, parts, partitions, task_edges, None, progress).run()  # a cycle is the better reason
            raise


def _solve_in_task(game: CodedGame, parts: Parts) -> None:
    rows = game.rows.selectExpr("s as v", f"coalesce(t, {IS_THERE}L) as t")
    if game.vertices is not None:
        rows = rows.union(game.vertices.selectExpr("v", f"{IS_THERE}L"))
    if "sum" in game.rows.columns:
        rows = rows.union(game.rows.where("sum").selectExpr("s", f"{IS_SUM}L"))
    values = parts.write(solve_in_one_task(rows), "all")
    cycle: list[Any] = values.where("g < 0").orderBy(values.g.desc()).collect()
    if cycle:
        raise CycleError(game.positions([row.v for row in cycle]))
    parts.save({"done": True}, "all")
