"""Folders wherever Spark can write: local disks, HDFS, object stores."""

from __future__ import annotations

import atexit
import errno
import os
import shutil
import tempfile
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from graphgame.errors import Message, OptionError
from graphgame.io.records import RecordFormat

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_RECORD = "_graphgame.json"
_PART = f"{_RECORD}.part"


class Folder:
    """A folder by its URL, through the file systems that Spark knows.

    Without a path it is a temporary one that lasts as long as the process; an OptionError where executors are
    elsewhere.
    """

    def __init__(self, spark: SparkSession, path: str | None) -> None:
        if path is None:
            if not str(spark.sparkContext.master).startswith("local"):
                raise OptionError("on a cluster give checkpoint_dir, a folder that every machine can read and write")
            path = tempfile.mkdtemp(prefix="graphgame-")
            atexit.register(shutil.rmtree, path, ignore_errors=True)
        self.path = path.rstrip("/") or "/"
        self.spark = spark

    def at(self, *names: str) -> str:
        """Return the path of something in it."""
        return "/".join([self.path, *names])

    def names(self) -> set[str]:
        """Return the names of what is in it; none where it does not exist; raise an OptionError where it is a file."""
        path, files = self.open()
        if not files.exists(path):
            return set()
        if files.getFileStatus(path).isFile():
            raise OptionError("{path} is a file: expected a folder, or the name of a new one", self.path)
        return {entry.getPath().getName() for entry in files.listStatus(path)}

    def resolved(self) -> str:
        """Return the one URL of all paths that lead here: of a local one without links."""
        path, files = self.open()
        url = path.makeQualified(files.getUri(), files.getWorkingDirectory()).toUri()
        if url.getScheme() == "file":
            return f"file:{os.path.realpath(url.getPath())}"
        return str(self.spark._jvm.org.apache.hadoop.fs.Path(url.normalize()).toString())  # type: ignore[union-attr]

    def delete(self, *names: str) -> None:
        """Delete a file, or a folder with all in it."""
        path, files = self.open(*names)
        files.delete(path, True)

    def write(self, frame: DataFrame, *names: str) -> DataFrame:
        """Write a frame as Parquet in place of what is there; return it as read from there."""
        frame.write.mode("overwrite").parquet(self.at(*names))
        return self.read(*names, schema=frame.schema)

    def read(self, *names: str, schema: Any = None) -> DataFrame:  # noqa: ANN401
        """Return what :meth:`write` wrote."""
        reader = self.spark.read if schema is None else self.spark.read.schema(schema)
        return reader.parquet(self.at(*names))

    def write_record(self, kind: RecordFormat, fields: dict[str, Any]) -> None:
        """Write the record that says what this folder is; a reader sees the old one or the new one, never a part."""
        part, files = self.open(_PART)
        stream = files.create(part, True)
        stream.write(kind.dumps(fields).encode())
        stream.close()
        path, _ = self.open(_RECORD)
        files.delete(path, False)
        files.rename(part, path)

    def read_record(self, kind: RecordFormat) -> dict[str, Any] | None:
        """Return what :meth:`write_record` wrote last, None where nothing is in the folder.

        An OptionError tells that it holds other files, a ParseError that the record is damaged or of another kind.
        """
        from py4j.protocol import Py4JJavaError

        names = self.names()
        for name in (_RECORD, _PART):
            if name not in names:
                continue
            try:
                return kind.loads(self._text(name), self.at(name))
            except Py4JJavaError as error:
                if error.java_exception.getClass().getSimpleName() == "ChecksumException":
                    raise kind.damaged(self.at(name)) from None
                raise
        self.refuse_others()
        return None

    def refuse_others(self, files: Iterable[str] = ()) -> None:
        """Raise an OptionError where something is in the folder beside these files and their record."""
        if others := self.names().difference(files, [_RECORD]):
            raise OptionError("{path} holds other files ({name}): expected an empty folder", self.path, min(others))

    def replace(self, other: Folder) -> None:
        """Take the place of another folder, which is deleted."""
        path, files = self.open()
        target, old = other.open()[0], Folder(self.spark, f"{self.path}.old").open()[0]
        moved = files.exists(target) and files.rename(target, old)
        if not files.rename(path, target):
            if moved:
                files.rename(old, target)
            raise OSError(errno.EIO, Message("cannot be renamed to {path}", other.path), self.path)
        files.delete(old, True)

    def _text(self, name: str) -> str:
        path, files = self.open(name)
        stream = files.open(path)
        try:
            return str(self.spark._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8"))  # type: ignore[union-attr]
        finally:
            stream.close()

    def open(self, *names: str) -> tuple[Any, Any]:
        """Return the path of the folder or of something in it, and the file system where it is, as Java knows them."""
        path = self.spark._jvm.org.apache.hadoop.fs.Path(self.at(*names) if names else self.path)  # type: ignore[union-attr]
        return path, path.getFileSystem(self.spark._jsc.hadoopConfiguration())
