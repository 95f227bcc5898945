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
        part, files = self._open(f".{name}.part")
        stream = files.create(part, True)
        stream.write(json.dumps(record).encode())
        stream.close()
        path, _ = self._open(name)
        files.delete(path, False)
        files.rename(part, path)

    def read_record(self, name: str) -> dict[str, Any] | None:
        """Return what :meth:`write_record` wrote last; None where it has not."""
        for entry in (name, f".{name}.part"):
            if self.exists(entry):
                return self._parsed(entry)
        return None

    def _parsed(self, name: str) -> dict[str, Any]:
        path, files = self._open(name)
        stream = files.open(path)
        text = self.spark._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8")  # type: ignore[union-attr]
        stream.close()
        try:
            return json.loads(text)  # type: ignore[no-any-return]
        except ValueError:
            raise FormatError(f"{self.at(name)} is damaged: start again without resuming") from None

    def _open(self, *names: str) -> tuple[Any, Any]:
        path = self.spark._jvm.org.apache.hadoop.fs.Path(self.at(*names) if names else self.path)  # type: ignore[union-attr]
        return path, path.getFileSystem(self.spark._jsc.hadoopConfiguration())
