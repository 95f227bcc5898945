"""Folders wherever Spark can write: local disks, HDFS, object stores."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from typing import TYPE_CHECKING, Any

from graphgame.errors import FormatError, OptionError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Folder"]


class Folder:
    """A folder by its URL, through the file systems that Spark knows.

    Parameters
    ----------
    spark : SparkSession
    path : str, optional
        Where it is None, a temporary folder that lasts as long as the process; only on one machine.

    Raises
    ------
    OptionError
        There is no path, and the executors are other machines.
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

    def exists(self, *names: str) -> bool:
        """Tell whether there is a file or a folder of this name."""
        path, files = self._open(*names)
        return bool(files.exists(path))

    def is_empty(self) -> bool:
        """Tell whether nothing is in it, or it does not exist."""
        path, files = self._open()
        return not files.exists(path) or len(files.listStatus(path)) == 0

    def delete(self, *names: str) -> None:
        """Delete a file, or a folder with all in it."""
        path, files = self._open(*names)
        files.delete(path, True)

    def write(self, frame: DataFrame, *names: str) -> DataFrame:
        """Write a frame as Parquet in place of what is there; return it as read from there."""
        frame.write.mode("overwrite").parquet(self.at(*names))
        return self.read(*names, schema=frame.schema)

    def read(self, *names: str, schema: Any = None) -> DataFrame:  # noqa: ANN401
        """Return what :meth:`write` wrote."""
        reader = self.spark.read if schema is None else self.spark.read.schema(schema)
        return reader.parquet(self.at(*names))

    def write_record(self, record: dict[str, Any], name: str) -> None:
        """Write a small JSON file; a reader sees the old one or the new one, never a part."""
        final, written = _places(name)
        part, files = self._open(written)
        stream = files.create(part, True)
        stream.write(json.dumps(record).encode())
        stream.close()
        path, _ = self._open(final)
        files.delete(path, False)
        files.rename(part, path)

    def has_record(self, name: str) -> bool:
        """Tell whether :meth:`write_record` wrote a file of this name, or began to."""
        return any(map(self.exists, _places(name)))

    def read_record(self, name: str) -> dict[str, Any] | None:
        """Return what :meth:`write_record` wrote last; None where it has not."""
        from py4j.protocol import Py4JJavaError

        for entry in filter(self.exists, _places(name)):
            try:
                return json.loads(self._text(entry))  # type: ignore[no-any-return]
            except (ValueError, Py4JJavaError) as error:
                if isinstance(error, ValueError) or "ChecksumException" in str(error.java_exception):
                    raise FormatError(f"{self.at(entry)} is damaged: start again without resuming") from None
                raise
        return None

    def _text(self, name: str) -> str:
        path, files = self._open(name)
        stream = files.open(path)
        try:
            return str(self.spark._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8"))  # type: ignore[union-attr]
        finally:
            stream.close()

    def _open(self, *names: str) -> tuple[Any, Any]:
        path = self.spark._jvm.org.apache.hadoop.fs.Path(self.at(*names) if names else self.path)  # type: ignore[union-attr]
        return path, path.getFileSystem(self.spark._jsc.hadoopConfiguration())


def _places(name: str) -> tuple[str, str]:
    """Return where a record is, and where one is that has not been renamed yet."""
    return name, f".{name}.part"
