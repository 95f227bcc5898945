"""Where tables are written: a folder of Parquet in place of nothing, or of what was written there before."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from graphgame.errors import Message, OptionError
from graphgame.io.records import RecordFormat
from graphgame.scale.spark.folder import Folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_RECORD = RecordFormat(
    "graphgame table", 1, {"files": [str]}, Message("choose another path, or delete this folder yourself")
)


class Output:
    """A folder to write a table to; it holds a record of its files, which is no table's name to Parquet's readers.

    An OptionError tells that it is a file, or holds files that were not written here; that it and another path, which
    is read or worked in, lie one in the other; or that the current folder is in it.
    """

    def __init__(self, spark: SparkSession, path: str, *others: str) -> None:
        self._folder = Folder(spark, Folder(spark, path).resolved())
        here = self._folder.path
        for other in others:
            there = Folder(spark, other).resolved()
            if _is_within(here, there) or _is_within(there, here):
                raise OptionError(
                    "{path} and {other} are the same, or one is in the other: choose another output", path, other
                )
        if _is_within(f"file:{Path.cwd()}", here):
            raise OptionError("{path} holds the current folder: choose a path in it", path)
        self._check()

    def write(self, frame: DataFrame) -> None:
        """Write a table: all of it or, if that fails, nothing."""
        parent, _, name = self._folder.path.rpartition("/")
        aside = Folder(self._folder.spark, f"{parent}/.{name}.{secrets.token_hex(6)}.part")
        try:
            frame.write.parquet(aside.path)
            aside.write_record(_RECORD, {"files": sorted(aside.names())})
            self._check()
            aside.replace(self._folder)
        finally:
            aside.delete()

    def _check(self) -> None:
        """Refuse to replace what others put there."""
        written = self._folder.read_record(_RECORD)
        if written is not None:
            self._folder.refuse_others(written["files"])


def _is_within(path: str, folder: str) -> bool:
    return f"{path}/".startswith(f"{folder.rstrip('/')}/")
