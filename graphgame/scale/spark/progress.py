"""Work that survives its process: a folder of finished parts, and a record of them that is written last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphgame.errors import Message, OptionError
from graphgame.io.records import RecordFormat, natural
from graphgame.scale.spark.folder import Folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_FOLDERS = ("values", "state", "moves", "names")
_STRATEGIES = ("task", "levels", "windows")
_WINDOWS = {"windows": natural, "sums": bool}
_RECORD = RecordFormat(
    "graphgame work on Spark",
    3,
    {
        "identity": {"edges": natural, "hash": (natural, None), "ranked": bool, "strategy": _STRATEGIES},
        "settings": {"partitions": natural, "task_edges": natural},
        "parts": [lambda name: isinstance(name, str) and name.isalnum()],
        "stage": ({}, {"epoch": natural, "largest": int}, _WINDOWS, {"done": bool}, {**_WINDOWS, "done": bool}),
    },
    Message("choose another folder, or delete this one yourself"),
)
_SCHEMA = "v bigint, g int"


class Parts:
    """The parts of a result, each a Parquet folder of (v bigint, g int).

    ``identity`` tells this work from other work, as JSON; ``settings`` say how it is cut up: work that goes on keeps
    those of its beginning. To resume is to go on with what is there; else it is deleted. An OptionError tells that the
    folder holds other work, or other files.
    """

    def __init__(self, folder: Folder, identity: dict[str, Any], settings: dict[str, int], resume: bool) -> None:
        self.folder = folder
        found = folder.read_record(_RECORD)
        if found is not None and not resume:
            for name in _FOLDERS:
                folder.delete(name)
            found = None
        if found is not None and found["identity"] != identity:
            raise OptionError(
                "{path} holds work on other edges, or by another strategy: start again without resuming, "
                "or choose another folder",
                folder.path,
            )
        self._record = found or {"identity": identity, "settings": settings, "parts": [], "stage": {}}
        if found is None:
            self.save({})

    @property
    def settings(self) -> dict[str, int]:
        """How the work is cut up."""
        return self._record["settings"]  # type: ignore[no-any-return]

    @property
    def stage(self) -> dict[str, Any]:
        """What the work recorded when it was saved last."""
        return self._record["stage"]  # type: ignore[no-any-return]

    def names(self) -> list[str]:
        """Return the names of the finished parts."""
        return list(self._record["parts"])

    def save(self, stage: dict[str, Any], *added: str) -> None:
        """Record that parts are finished, and how far the work is."""
        self._record = {**self._record, "parts": [*self._record["parts"], *added], "stage": stage}
        self.folder.write_record(_RECORD, self._record)

    def restart(self) -> None:
        """Forget all parts."""
        self._record["parts"] = []
        self.save({})

    def write(self, values: DataFrame, name: str) -> DataFrame:
        """Write a part, which counts once it is saved; return it as read from there."""
        return self.folder.write(values, "values", name)

    def values(self, names: list[str] | None = None) -> DataFrame:
        """Return all parts, or some, as one frame that reads their files."""
        chosen = self.names() if names is None else names
        spark = self.folder.spark
        if not chosen:
            return spark.createDataFrame([], _SCHEMA)
        return spark.read.schema(_SCHEMA).parquet(*(self.folder.at("values", name) for name in chosen))
