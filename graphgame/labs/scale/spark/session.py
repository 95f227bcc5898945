"""Start a Spark session, change its settings for a while, and store work in folders so that it can be continued.

A folder may be anywhere that Spark can write: on local disks, HDFS or object stores. The work has parts, which are
finished one after another. After each part the folder's record is written, so that the work can continue from there.
"""

from __future__ import annotations

import atexit
import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphgame.errors import GraphGameError, Message, ParameterError, needs_extra
from graphgame.labs.records import RecordFormat, natural

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


_EDGES_OF_PARTITION = 4_000_000
_OLDEST_JAVA = 17
"""The oldest version of Java that Spark supports."""

_JAVA_TIMEOUT = 60
"""The number of seconds to wait until Java has printed its version."""


def check_installed() -> None:
    """Raise MissingExtraError if the extra ``spark`` is missing, and GraphGameError if Java is missing or too old.

    With a running session Java is not checked.
    """
    with needs_extra(Message("Apache Spark"), "spark"):
        from pyspark.sql import SparkSession
    if SparkSession.getActiveSession() is None and (wrong := _java_error()) is not None:
        raise GraphGameError(
            "Apache Spark needs Java {java} or later, and {wrong}: install it, on Debian with apt "
            "install openjdk-{java}-jre-headless, or set JAVA_HOME to one that is installed",
            _OLDEST_JAVA,
            wrong,
        )


def _java_error() -> str | None:
    """Return why Spark cannot use the Java that it would start: missing, broken or too old. Return None if it can.

    Also return None if the version that Java prints is not a number.
    """
    home = os.environ.get("JAVA_HOME")
    program = shutil.which(Path(home, "bin", "java")) if home else shutil.which("java")
    if program is None and home:
        return Message("there is no java in JAVA_HOME ({home})", home)
    if program is None:
        return Message("there is no java on the PATH (JAVA_HOME is not set)")
    told = ""
    with suppress(OSError, subprocess.TimeoutExpired):
        told = subprocess.run(
            [program, "-version"], capture_output=True, errors="replace", timeout=_JAVA_TIMEOUT, check=False
        ).stderr
    if 'version "' not in told:
        return Message("{program} -version does not print a version", program)
    version = re.search(r'version "(?:1\.)?(\d+)', told)
    if version is None or int(version[1]) >= _OLDEST_JAVA:
        return None
    return Message("{program} is Java {version}", program, version[1])


@contextmanager
def connect(master: str | None = None, conf: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """Yield the Spark session that is active in this thread. If there is none, start a session, and stop it at the end.

    Do not call this while another thread uses a session. ``master`` is the URL of a cluster. The default is that of
    spark-submit or the environment, otherwise ``local[*]``. ``conf`` are settings of Spark, by their names. Both are
    ignored if a session is active. Raises ParameterError if no session can be started, and the errors of
    :func:`check_installed`.
    """
    check_installed()
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("graphgame").config("spark.ui.showConsoleProgress", "false")
    builder = builder.config(map=dict(conf or {}))
    try:
        spark = (builder.master(master) if master else builder).getOrCreate()
    except (PySparkException, OSError) as error:
        raise ParameterError(
            "no Spark session with master {master}: {error}", master, str(error).splitlines()[0]
        ) from error
    spark.sparkContext.setLogLevel("ERROR")
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def settings(spark: SparkSession, partitions: int) -> Iterator[None]:
    """Change the settings on which Spark's plan of a round depends, and restore them at the end.

    ``partitions`` is the number of partitions after an exchange of rows.
    """
    # Adaptive execution would choose different numbers of partitions for the two sides of a join, which costs one more
    # exchange. A Bloom filter of the solved positions would cost an exchange of more bytes than a small round sends.
    during = {
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.optimizer.runtime.bloomFilter.enabled": "false",
        "spark.sql.shuffle.partitions": str(partitions),
    }
    before = {name: spark.conf.get(name, None) for name in during}
    for name, value in during.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, old in before.items():
            if old is None:
                spark.conf.unset(name)
            else:
                spark.conf.set(name, old)


def partitions_for(spark: SparkSession, edges: int) -> int:
    """Return the default number of partitions: one for each core, or for each 4 million edges if these are more."""
    return max(spark.sparkContext.defaultParallelism, -(-edges // _EDGES_OF_PARTITION))


def part_name(number: int) -> str:
    """Return the name of a part of the work: its number with at least five digits.

    Up to 99,999, the names sort like the numbers.
    """
    return f"{number:05d}"


def forget(frame: DataFrame) -> None:
    """Free the memory of a DataFrame that ``localCheckpoint`` returned."""
    frame._jdf.queryExecution().analyzed().rdd().unpersist(False)


def check_frame(frame: object, what: str) -> None:
    """Raise ParameterError if ``frame`` is not a DataFrame of a classic session; the message calls it ``what``."""
    if not hasattr(frame, "_jdf"):
        raise ParameterError(
            "{what} is {frame!r}: expected a DataFrame of a classic Spark session (Spark Connect is not supported)",
            what,
            frame,
        )


_RECORD = "_graphgame.json"
_PART = f"{_RECORD}.part"


class Folder:
    """A folder on any file system that Spark supports, given by its path or URL.

    If ``path`` is None, it is a temporary folder, deleted when the process ends. On a cluster a missing path raises
    ParameterError, because other machines could not read a temporary folder.
    """

    def __init__(self, spark: SparkSession, path: str | None) -> None:
        if path is None:
            if not str(spark.sparkContext.master).startswith("local"):
                raise ParameterError(
                    "on a cluster the work needs a folder that every machine can read and write: --checkpoint, in "
                    "Python checkpoint_dir or (in explore) path"
                )
            path = tempfile.mkdtemp(prefix="graphgame-")
            atexit.register(shutil.rmtree, path, ignore_errors=True)
        self.path = path.rstrip("/") or "/"
        self.spark = spark

    def at(self, *names: str) -> str:
        """Return the path of an entry of the folder: ``at("a", "b")`` is a/b in it."""
        return "/".join([self.path, *names])

    def names(self) -> set[str]:
        """Return the names of the entries (none if the path does not exist); raise ParameterError if it is a file."""
        path, files = self.open()
        if not files.exists(path):
            return set()
        if files.getFileStatus(path).isFile():
            raise ParameterError("{path} is a file: expected a folder, or the name of a new one", self.path)
        return {entry.getPath().getName() for entry in files.listStatus(path)}

    def resolved(self) -> str:
        """Return the absolute URL of the folder, which is the same for all paths to it, even through symbolic links."""
        path, files = self.open()
        url = path.makeQualified(files.getUri(), files.getWorkingDirectory()).toUri()
        if url.getScheme() == "file":
            return f"file:{os.path.realpath(url.getPath())}"
        return str(self.spark._jvm.org.apache.hadoop.fs.Path(url.normalize()).toString())  # type: ignore[union-attr]

    def delete(self, *names: str) -> None:
        """Delete the entry ``at(*names)`` or, without names, the folder itself, with everything in it."""
        path, files = self.open(*names)
        files.delete(path, True)

    def write(self, frame: DataFrame, *names: str) -> DataFrame:
        """Write a DataFrame as Parquet to ``at(*names)``, replacing what is there; return a DataFrame that reads it."""
        frame.write.mode("overwrite").parquet(self.at(*names))
        return self.read(*names, schema=frame.schema)

    def read(self, *names: str, schema: Any = None) -> DataFrame:  # noqa: ANN401
        """Return a DataFrame that reads the Parquet files in ``at(*names)``.

        ``schema`` is their schema. Without it, Spark reads the schema from the files.
        """
        reader = self.spark.read if schema is None else self.spark.read.schema(schema)
        return reader.parquet(self.at(*names))

    def write_record(self, kind: RecordFormat, fields: dict[str, Any]) -> None:
        """Write the record of the folder, which says what its files are, with these fields.

        If this is interrupted, and there was an old record, either the old record or the new one can still be read.
        """
        # Between deleting the old record and renaming the new one, only the new one exists, under the name _PART.
        # Readers look for that name too.
        part, files = self.open(_PART)
        stream = files.create(part, True)
        stream.write(kind.dumps(fields).encode())
        stream.close()
        path, _ = self.open(_RECORD)
        files.delete(path, False)
        files.rename(part, path)

    def read_record(self, kind: RecordFormat) -> dict[str, Any] | None:
        """Return the fields of the record that :meth:`write_record` wrote last; None if the folder is empty or missing.

        Raises ParameterError if the folder has files but no record, and ParseError if the record is damaged, or is not
        a record of this kind.
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
        """Raise ParameterError if the folder has any entry except ``files`` and the record."""
        if others := self.names().difference(files, [_RECORD]):
            raise ParameterError("{path} holds other files ({name}): expected an empty folder", self.path, min(others))

    def replace(self, other: Folder) -> None:
        """Delete the folder ``other``, if it exists, and move this folder to its path.

        If this folder cannot be moved, raise OSError. Then ``other`` is not deleted. If possible, it keeps its path.
        """
        # First rename the folder ``other``, so that it can get its name back if the second step fails.
        path, files = self.open()
        target, old = other.open()[0], Folder(self.spark, f"{self.path}.old").open()[0]
        moved = files.exists(target) and files.rename(target, old)
        if not files.rename(path, target):
            if moved:
                files.rename(old, target)
            raise OSError(errno.EIO, Message("the folder cannot be renamed to {path}", other.path), self.path)
        files.delete(old, True)

    def _text(self, name: str) -> str:
        path, files = self.open(name)
        stream = files.open(path)
        try:
            return str(self.spark._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8"))  # type: ignore[union-attr]
        finally:
            stream.close()

    def open(self, *names: str) -> tuple[Any, Any]:
        """Return Hadoop's objects for the path of an entry (without names: of the folder) and for its file system."""
        path = self.spark._jvm.org.apache.hadoop.fs.Path(self.at(*names) if names else self.path)  # type: ignore[union-attr]
        return path, path.getFileSystem(self.spark._jsc.hadoopConfiguration())


_FOLDERS = ("values", "state", "moves", "names")
_STRATEGIES = ("task", "levels", "windows")
_WINDOWS = {"windows": natural, "sums": bool}
_PROGRESS = RecordFormat(
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
SOLVED = "v bigint, g int"
"""The schema of a table of values."""


class Parts:
    """The values of a game in a folder, in parts that are finished one after another, and the record of the work.

    A part is a Parquet table (v bigint, g int) of vertices and their values. ``identity`` is JSON data that identifies
    the work. ``settings`` has the numbers ``partitions`` and ``task_edges`` (the most edges for one task). With
    ``resume`` the work in the folder is continued, otherwise it is deleted. Raises ParameterError if the folder has
    files but no record or, with ``resume``, other work. Raises ParseError if the record is damaged or of another kind.

    If earlier work is continued, the attribute ``settings`` has the settings of that work instead of the parameter. The
    attribute ``stage`` is the argument ``stage`` of the last call of :meth:`save`, which may have been in an earlier
    process.
    """

    def __init__(self, folder: Folder, identity: dict[str, Any], settings: dict[str, int], resume: bool) -> None:
        self.folder = folder
        record = folder.read_record(_PROGRESS)
        if record is not None and not resume:
            for name in _FOLDERS:
                folder.delete(name)
            record = None
        if record is not None and record["identity"] != identity:
            raise ParameterError(
                "{path} holds work on other edges, columns or vertices, or by another strategy: start again without "
                "resuming, or choose another folder",
                folder.path,
            )
        self._record = record or {"identity": identity, "settings": settings, "parts": [], "stage": {}}
        self.settings: dict[str, int] = self._record["settings"]
        self.stage: dict[str, Any] = self._record["stage"]
        if record is None:
            self.save({})

    def names(self) -> list[str]:
        """Return the names of the finished parts."""
        return list(self._record["parts"])

    def save(self, stage: dict[str, Any], *added: str) -> None:
        """Record that the parts ``added`` are finished too, and ``stage``, which says where the work can continue."""
        self.stage = stage
        self._record = {**self._record, "parts": [*self._record["parts"], *added], "stage": stage}
        self.folder.write_record(_PROGRESS, self._record)

    def restart(self) -> None:
        """Remove all parts from the record, and set the stage to an empty dictionary."""
        self._record["parts"] = []
        self.save({})

    def write(self, values: DataFrame, name: str) -> DataFrame:
        """Write a part, and return a DataFrame that reads it. The part counts as finished only after :meth:`save`."""
        return self.folder.write(values, "values", name)

    def values(self, names: list[str] | None = None) -> DataFrame:
        """Return a DataFrame that reads the parts with these names, by default all finished parts."""
        names = self.names() if names is None else names
        spark = self.folder.spark
        if not names:
            return spark.createDataFrame([], SOLVED)
        return spark.read.schema(SOLVED).parquet(*(self.folder.at("values", name) for name in names))
