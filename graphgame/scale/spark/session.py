"""The Spark session: what it needs to start, and settings that are put back."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from graphgame.errors import GraphGameError, Message, OptionError, needs_extra

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_EDGES_A_PARTITION = 4_000_000
_JAVA = 17
_SECONDS = 60


def check_installed() -> None:
    """Raise an error that says what is missing to run Spark: the extra ``spark``, or a Java that is new enough."""
    with needs_extra(Message("Apache Spark"), "spark"):
        from pyspark.sql import SparkSession
    if SparkSession.getActiveSession() is None and (wrong := _wrong_java()) is not None:
        raise GraphGameError(
            "Apache Spark needs Java {java} or later, and {wrong}: install it, on Debian with apt "
            "install openjdk-{java}-jre-headless, or let JAVA_HOME name one that is there",
            _JAVA,
            wrong,
        )


def _wrong_java() -> str | None:
    """Say what is wrong with the Java that Spark would start; None also where its version cannot be told."""
    home = os.environ.get("JAVA_HOME")
    program = shutil.which(Path(home, "bin", "java")) if home else shutil.which("java")
    if program is None:
        return (
            Message("there is none in JAVA_HOME, {home}", home)
            if home
            else Message("none is on the PATH and JAVA_HOME is not set")
        )
    told = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=_SECONDS, check=False).stderr
    version = re.search(r'version "(?:1\.)?(\d+)', told)
    if version is None or int(version[1]) >= _JAVA:
        return None
    return Message("{program} is Java {version}", program, version[1])


@contextmanager
def connect(master: str | None = None, conf: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """Start a session and stop it at the end; one that runs already is used and left running.

    Without a master it is what spark-submit or the environment says, else ``local[*]``.
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
        raise OptionError(
            "no Spark session with master {master}: {error}", master, str(error).splitlines()[0]
        ) from error
    spark.sparkContext.setLogLevel("ERROR")
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def settings(spark: SparkSession, partitions: int) -> Iterator[None]:
    """Set what the plans of a round rest on, and put back what was there.

    Adaptive execution would choose other numbers of partitions for the two sides of a join, and need an exchange more.
    So would a Bloom filter of the solved positions, of more bytes than a small round has.
    """
    wanted = {
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.optimizer.runtime.bloomFilter.enabled": "false",
        "spark.sql.shuffle.partitions": str(partitions),
    }
    before = {name: spark.conf.get(name, None) for name in wanted}
    for name, value in wanted.items():
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
    """Return a number of partitions: enough for every core, none with too many edges for a task."""
    return max(spark.sparkContext.defaultParallelism, -(-edges // _EDGES_A_PARTITION))


def forget(frame: DataFrame) -> None:
    """Free the blocks of a frame that ``localCheckpoint`` returned."""
    frame._jdf.queryExecution().analyzed().rdd().unpersist(False)


def check_frame(frame: object, what: str) -> None:
    """Raise an OptionError where an argument is no frame of a classic session."""
    if not hasattr(frame, "_jdf"):
        raise OptionError(
            "{what} is {frame!r}: expected a DataFrame of a classic Spark session (Spark Connect is not served)",
            what,
            frame,
        )
