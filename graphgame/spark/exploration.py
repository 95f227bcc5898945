"""explore() on Spark: rules into an edge table, a breadth-first search whose frontier and history are tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from graphgame.errors import LimitError, RulesetError
from graphgame.ruleset import MAX_POSITIONS, CodedRuleset, Progress, blamed
from graphgame.spark.folder import Folder

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["explore"]

_CHUNK = 1 << 12
_SCHEMA = "source bigint, target bigint"
_SAID = re.compile(r"RulesetError: (.*)")

Batches = Iterable["pa.RecordBatch"]


def explore(
    spark: SparkSession,
    ruleset: CodedRuleset,
    *starts: Hashable,
    path: str | None = None,
    max_positions: int = MAX_POSITIONS,
    progress: Progress | None = None,
) -> DataFrame:
    """Write down every move that can come up, as an edge table.

    Parameters
    ----------
    spark : SparkSession
        Its executors must be able to import the rules.
    ruleset : CodedRuleset
        Without moves that split the game.
    *starts : hashable
        Positions; the default is ``ruleset.start``.
    path : str, optional
        A folder for the tables, or any URL that Spark can write; what is there is replaced. On one machine the
        default is a temporary folder that lasts as long as the process.
    max_positions : int
        Most positions.
    progress : callable, optional
        Called as ``progress(positions, moves)`` after each step.

    Returns
    -------
    DataFrame of (source bigint, target bigint), and (rank bigint) where ``ruleset.ranks`` knows it
        Codes of positions. Each start has a row without a target, so that it is there if no move leaves it.

    Raises
    ------
    LimitError
        There are more positions.
    RulesetError
        A move splits the game, there is no start, or the rules themselves fail.

    Notes
    -----
    A step for each move of the shortest play to a position; each joins the new options to all positions found before.
    """
    if not isinstance(ruleset, CodedRuleset):
        raise RulesetError(f"{type(ruleset).__name__} has no codes: exploring on Spark needs a CodedRuleset")
    begin = starts or (() if ruleset.start is None else (ruleset.start,))
    with blamed(type(ruleset).__name__, "the start"):
        codes = sorted({ruleset.encode(start) for start in begin})
    if not codes:
        raise RulesetError(f"{type(ruleset).__name__} has no start position: give one")
    search = _Search(spark, ruleset, Folder(spark, path), max_positions, progress)
    return search.run(codes)


class _Search:
    def __init__(
        self,
        spark: SparkSession,
        ruleset: CodedRuleset,
        folder: Folder,
        max_positions: int,
        progress: Progress | None,
    ) -> None:
        self._spark, self._ruleset, self._folder = spark, ruleset, folder
        self._max_positions, self._progress = max_positions, progress
        self._ranked = ruleset.ranks(np.zeros(0, np.int64)) is not None
        self._schema = f"{_SCHEMA}, rank bigint" if self._ranked else _SCHEMA
        self._positions = self._moves = 0

    def run(self, codes: list[int]) -> DataFrame:
        from pyspark.errors import PythonException

        for name in ("edges", "positions"):
            self._folder.delete(name)
        alone = self._spark.createDataFrame([(code,) for code in codes], "source bigint")
        self._folder.write(self._completed(alone), "edges", self._name(0))
        new = self._folder.write(alone.toDF("v"), "positions", self._name(0))
        step = 0
        try:
            while self._count(new):
                step += 1
                new = self._step(new, step)
        except PythonException as error:
            said = _SAID.search(str(error))
            raise RulesetError(said[1] if said else str(error)) from error
        return self._spark.read.schema(self._schema).parquet(self._folder.at("edges", "*"))

    def _completed(self, alone: DataFrame) -> DataFrame:
        none = ["cast(null as bigint) as target", *(["cast(null as bigint) as rank"] if self._ranked else [])]
        return alone.selectExpr("source", *none)

    def _count(self, new: DataFrame) -> int:
        count = new.count()
        self._positions += count
        if self._progress is not None:
            self._progress(self._positions, self._moves)
        if self._positions > self._max_positions:
            raise LimitError(
                f"the game is larger than the limit: {self._positions} positions and {self._moves} moves found; the "
                f"limit is max_positions={self._max_positions}",
                limit="max_positions",
            )
        return count

    def _step(self, frontier: DataFrame, step: int) -> DataFrame:
        """Write the moves of some positions; return the positions that were not known."""
        moves = frontier.mapInArrow(_moves_of(self._ruleset, self._ranked), self._schema)
        moves = self._folder.write(moves, "edges", self._name(step))
        self._moves += moves.count()
        seen = self._spark.read.schema("v bigint").parquet(self._folder.at("positions", "*"))
        new = moves.selectExpr("target as v").distinct().join(seen, "v", "left_anti")
        return self._folder.write(new, "positions", self._name(step))

    def _name(self, step: int) -> str:
        return f"{step:05d}"


def _moves_of(ruleset: CodedRuleset, ranked: bool) -> Callable[[Batches], Iterator[pa.RecordBatch]]:
    def moves(batches: Batches) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            codes = batch.column(0).to_numpy()
            for start in range(0, len(codes), _CHUNK):
                yield _table(ruleset, codes[start : start + _CHUNK], ranked)

    return moves


def _table(ruleset: CodedRuleset, codes: np.ndarray, ranked: bool) -> pa.RecordBatch:
    import pyarrow as pa

    with blamed(type(ruleset).__name__, f"the options of {ruleset.decode(int(codes[0]))} and others"):
        rows, options = ruleset.option_codes(codes)
        ranks = ruleset.ranks(codes) if ranked else None
    if options.ndim == 2:
        if len(options) and options[:, 1].max() >= 0:
            raise RulesetError(
                f"moves of {type(ruleset).__name__} split the game, which exploring on Spark does not do"
            )
        options = options[:, 0]
    if len(options) and not 0 <= options.min() <= options.max() < ruleset.size:
        raise RulesetError(f"{type(ruleset).__name__} gave a code outside 0..{ruleset.size - 1}")
    columns = [codes[rows], options.astype(np.int64)]
    columns += [] if ranks is None else [np.asarray(ranks, np.int64)[rows]]
    return pa.record_batch([pa.array(column) for column in columns], names=["source", "target", "rank"][: len(columns)])
