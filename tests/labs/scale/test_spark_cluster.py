"""Spark on several processes: executors of their own, and workers that die."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import graphgame
from tests import ROOT

SIZE = 14
OPTIONS = {v: [v - k * k for k in (1, 2, 3, 4) if k * k <= v] for v in range(SIZE)}
VALUES = dict(graphgame.solve(graphgame.GameGraph(OPTIONS)).grundy)
DEADLINE = 600


@pytest.fixture
def edges(tmp_path: Path) -> str:
    """Subtract a square: the number is its own rank, and the longest play takes 1 every time."""
    source, target = zip(*((v, w) for v, ends in OPTIONS.items() for w in ends), strict=True)
    path = tmp_path / "edges.parquet"
    pq.write_table(pa.table({"source": source, "target": target, "rank": source}), path)
    return str(path)


@pytest.fixture(scope="module")
def environment(java: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    import pyspark

    return os.environ | {
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYTHONPATH": str(ROOT),
        "SPARK_WORKER_DIR": str(tmp_path_factory.mktemp("worker")),
        "SPARK_NO_DAEMONIZE": "1",
    }


def driver(environment: dict[str, str], master: str, edges: str, *options: dict[str, object]) -> subprocess.Popen[str]:
    command = [sys.executable, str(ROOT / "tests" / "spark_driver.py"), master, edges, json.dumps(options)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=environment, text=True, start_new_session=True, **pipes)


def values_of(line: str) -> dict[int, int]:
    return {int(position): grundy for position, grundy in json.loads(line.removeprefix("values ")).items()}


def executors_of(driver: int) -> list[int]:
    """Return the executors that are processes of a driver's session."""
    found = [int(folder.name) for folder in Path("/proc").glob("[0-9]*") if is_executor(folder)]
    return [process for process in found if os.getsid(process) == driver]


def is_executor(process: Path) -> bool:
    try:
        return b"CoarseGrainedExecutorBackend" in (process / "cmdline").read_bytes()
    except OSError:
        return False


def test_an_executor_dies_in_mid_run(environment: dict[str, str], edges: str, tmp_path: Path) -> None:
    options = (
        {"strategy": "windows", "rank": "rank", "task_edges": 12, "partitions": 2},
        {"strategy": "levels", "task_edges": 0, "partitions": 2, "checkpoint_every": 3},
    )
    options = tuple({**chosen, "checkpoint_dir": str(tmp_path / chosen["strategy"])} for chosen in options)
    run = driver(environment, "local-cluster[2,1,1024]", edges, *options)
    assert run.stdout is not None
    found, told, rounds = [], [], 0
    try:
        for line in run.stdout:
            if line.startswith("values "):
                found.append(values_of(line))
            elif line.startswith("told "):
                told.append(line.removeprefix("told "))
            else:
                rounds += len(found)
                if rounds == 5:
                    os.kill(executors_of(run.pid)[0], signal.SIGKILL)
        err = run.communicate(timeout=DEADLINE)[1]
    finally:
        run.kill()
    assert found == [VALUES, VALUES], err[-2000:]
    lost = (
        r"Spark lost an executor and the results in its memory: \d+ of \d+ moves will be processed again; "
        r"the work on \d+ moves is saved"
    )
    assert [re.match(lost, line) is not None for line in told] == [True]


class Cluster:
    """A standalone master and two workers on the loopback."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self._program = shutil.which("spark-class", path=f"{environment['SPARK_HOME']}/bin")
        self._environment, self._folder = environment, folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"spark://127.0.0.1:{port}"
        self.processes: list[subprocess.Popen[bytes]] = []
        arguments = ("--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        self.processes.append(self._start("master.Master", *arguments))
        self._wait(0, "Starting Spark master")
        for _ in range(2):
            arguments = ("--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", "1g", self.url)
            self.processes.append(self._start("worker.Worker", *arguments))
        self._wait(1, "Successfully registered")
        self._wait(2, "Successfully registered")

    def _start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [str(self._program), f"org.apache.spark.deploy.{name}", *arguments]
        with (self._folder / f"{len(self.processes)}.log").open("wb") as log:
            return subprocess.Popen(command, env=self._environment, stdout=log, stderr=log, start_new_session=True)

    def _wait(self, number: int, sign: str) -> None:
        end = time.monotonic() + DEADLINE
        while not re.search(sign, (self._folder / f"{number}.log").read_text()):
            assert time.monotonic() < end
            time.sleep(0.1)

    def kill(self, number: int) -> None:
        """Kill a process with all that it started."""
        os.killpg(self.processes[number].pid, signal.SIGKILL)
        self.processes[number].wait()

    def stop(self) -> None:
        for number, process in enumerate(self.processes):
            if process.poll() is None:
                self.kill(number)


@pytest.fixture
def cluster(environment: dict[str, str], tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(environment, tmp_path)
    yield cluster
    cluster.stop()


def test_a_worker_dies_in_mid_run(cluster: Cluster, environment: dict[str, str], edges: str, tmp_path: Path) -> None:
    options = {
        "strategy": "levels",
        "task_edges": 0,
        "partitions": 2,
        "checkpoint_dir": str(tmp_path / "work"),
        "checkpoint_every": 3,
    }
    run = driver(environment, cluster.url, edges, options)
    assert run.stdout is not None
    done = []
    try:
        for line in run.stdout:
            if line.startswith("values "):
                break
            if line.startswith("told "):
                continue
            done.append(int(line.split()[1]))
            if len(done) == 5:
                cluster.kill(1)
        else:
            pytest.fail(run.communicate()[1][-2000:])
        assert values_of(line) == VALUES
        assert done != sorted(set(done)), "went on from an epoch, over rounds that were lost"
    finally:
        run.kill()
        run.communicate()
