import os
import subprocess
import sys

import pytest

from graphgame.io import open_atomic
from graphgame.io.files import lock
from tests.systems import keep_files_in_use, lock_as_on_windows, without

SYSTEMS = {
    "posix": lambda monkeypatch: None,
    "windows": lock_as_on_windows,
}
HOLD = """
import sys
from graphgame.io.files import lock
with open(sys.argv[1], "r+b") as file:
    lock(file.fileno())
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(params=SYSTEMS)
def system(request, monkeypatch):
    SYSTEMS[request.param](monkeypatch)


@pytest.mark.usefixtures("system")
class TestLock:
    def test_one_holds_a_file(self, tmp_path):
        path = tmp_path / "a"
        path.write_bytes(b"text")
        with path.open("r+b") as first, path.open("r+b") as second:
            lock(first.fileno())
            with pytest.raises(OSError, match="unavailable"):
                lock(second.fileno())
            assert first.read() == b"text"
        with path.open("r+b") as third:
            lock(third.fileno())

    def test_a_part_file_is_locked_while_it_is_written(self, tmp_path):
        with open_atomic(tmp_path / "a"):
            (part,) = tmp_path.glob(".a.*.part")
            os.utime(part, (0, 0))
            with open_atomic(tmp_path / "a") as stream:
                stream.write("x")
            assert part.exists()

    def test_what_a_killed_writer_left_is_removed(self, tmp_path, monkeypatch):
        keep_files_in_use(monkeypatch)
        left = tmp_path / ".a.0123456789ab.part"
        left.write_text("left")
        os.utime(left, (0, 0))
        with open_atomic(tmp_path / "a") as stream:
            stream.write("x")
        assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_of_another_process(tmp_path):
    path = tmp_path / "a"
    path.touch()
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        with path.open("r+b") as file, pytest.raises(OSError, match="unavailable"):
            lock(file.fileno())
        holder.stdin.close()
    with path.open("r+b") as file:
        lock(file.fileno())


def test_where_there_are_no_locks_nothing_is_locked(tmp_path, monkeypatch):
    without(monkeypatch, "fcntl", "msvcrt")
    with (tmp_path / "a").open("wb") as first, (tmp_path / "a").open("wb") as second:
        lock(first.fileno())
        lock(second.fileno())
