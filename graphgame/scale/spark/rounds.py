"""The strategy ``levels``: rounds until the rest is small enough for one task, and epochs to go on from."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from graphgame.errors import CycleError, Message
from graphgame.scale import StageProgress
from graphgame.scale.spark.coding import CodedGame
from graphgame.scale.spark.cycles import find_cycle
from graphgame.scale.spark.hubs import split_hubs
from graphgame.scale.spark.levels import MASK_BITS, advance, kept, lists_of, rest_of, start
from graphgame.scale.spark.progress import Parts
from graphgame.scale.spark.session import forget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import DataFrame

__all__ = ["Rounds"]

_ATTEMPTS = 4
"""Times that the same rounds are begun."""

# Spark aborts the job with an error that holds the cause only within its text.
_LOST = ("CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND", "Checkpoint block", "Could not find block")


class Rounds:
    """A game solved level by level, until one task can solve the ``task_edges`` moves and positions that are left.

    There are ``every`` rounds from one epoch to the next, or None where nothing is kept to go on from.
    """

    def __init__(
        self,
        game: CodedGame,
        parts: Parts,
        partitions: int,
        task_edges: int,
        every: int | None,
        progress: StageProgress | None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._game, self._parts = game, parts
        self._edges = split_hubs(game.edges, game.count, partitions)
        self._partitions, self._task_edges = partitions, task_edges
        self._every, self._progress, self._tell = every, progress, tell
        self._done = self._kept = 0

    def run(self) -> None:
        """Solve all; where blocks were lost with an executor, go on from the last epoch."""
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException

        attempts, number = 0, None
        while True:
            epoch = self._parts.stage.get("epoch")
            attempts, number = (attempts + 1 if epoch == number else 1), epoch
            try:
                with self._opened():
                    self._solve()
                return
            except (Py4JJavaError, PySparkException) as error:
                if attempts == _ATTEMPTS or not any(sign in str(error) for sign in _LOST):
                    raise
                self._tell_of_loss()

    def _tell_of_loss(self) -> None:
        if self._tell is not None:
            lost, kept, count = self._done - self._kept, self._kept, self._game.count
            self._tell(
                Message(
                    "an executor was lost with the state of the rounds: {lost:,} of {count:,} moves are done "
                    "again, from the {kept:,} on that were kept",
                    lost,
                    count,
                    kept,
                )
            )

    def _solve(self) -> None:
        rounds, left = 0, self._facts.left
        while self._facts.left + self._facts.unsolved > self._task_edges:
            if not self._facts.ready:
                raise self._cycle()
            self._round()
            rounds += 1
            halved = 2 * self._facts.left <= left
            if halved or rounds == self._every:
                self._epoch(shrink=halved)
                rounds, left = 0, self._facts.left if halved else left
        self._finish()

    @contextmanager
    def _opened(self) -> Iterator[None]:
        """Hold the state and the lists, from the last epoch on, and free them at the end."""
        epoch = self._parts.stage.get("epoch")
        edges, self._number = self._edges, int(epoch or 0)
        if epoch is None:
            self._parts.restart()
            state = start(edges, self._game.alone)
        else:
            state = self._parts.folder.read("state", f"{epoch:05d}").repartition(self._partitions, "v")
            edges = edges.join(state.select(state.v.alias("t")), "t", "left_semi")
        self._keep(state, None, self._parts.stage.get("largest", -1))
        self._done = self._kept = self._game.count - self._facts.left
        self._lists = lists_of(edges).localCheckpoint()
        try:
            yield
        finally:
            forget(self._state)
            forget(self._lists)

    def _keep(self, state: DataFrame, old: DataFrame | None, largest: int) -> None:
        self._state, facts = kept(state, old)
        self._facts = facts._replace(largest=max(facts.largest, largest))

    def _round(self) -> None:
        wide = self._facts.largest + 1 >= MASK_BITS
        self._keep(advance(self._state, self._lists, wide), self._state, self._facts.largest)
        self._done = self._game.count - self._facts.left
        if self._progress is not None:
            self._progress("solving", self._done, self._game.count)

    def _epoch(self, shrink: bool) -> None:
        """Write the values found since the last epoch, and take their positions out of the state."""
        self._number += 1
        name = f"{self._number:05d}"
        self._parts.write(self._state.where("g is not null").select("v", "g"), name)
        self._keep(self._state.where("g is null"), self._state, self._facts.largest)
        if shrink:
            self._shrink()
        stage = {}
        if self._every is not None:
            self._parts.folder.write(self._state, "state", name)
            stage = {"epoch": self._number, "largest": self._facts.largest}
        self._parts.save(stage, name)
        self._kept = self._done if stage else 0
        if self._every is not None and self._number > 1:
            self._parts.folder.delete("state", f"{self._number - 1:05d}")

    def _shrink(self) -> None:
        """Drop the predecessors of solved positions."""
        lists = self._lists.join(self._state.select("v").hint("shuffle_hash"), "v", "left_semi").localCheckpoint()
        forget(self._lists)
        self._lists = lists

    def _finish(self) -> None:
        """Write what the state holds, and the values of the rest, solved in one task."""
        solved = self._state.where("g is not null").select("v", "g")
        names = ["last"]
        self._parts.write(solved, "last")
        if self._facts.unsolved:
            rest = self._parts.write(rest_of(self._state, self._lists), "rest")
            if not rest.where("g < 0").isEmpty():
                raise self._cycle()
            names.append("rest")
        self._parts.save({"done": True}, *names)

    def _cycle(self) -> CycleError:
        """Return the error; a cycle of the game itself, in which hubs are not split."""
        unsolved = self._state.where("g is null")
        moves = self._game.edges.selectExpr("s as v", "t").join(unsolved.select("v"), "v", "left_semi")
        moves = moves.join(unsolved.select(unsolved.v.alias("t")), "t", "left_semi")
        return CycleError(self._game.positions(find_cycle(moves.select("v", "t"))))
