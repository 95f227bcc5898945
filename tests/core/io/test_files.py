"""Files written in one step."""

import fcntl
import io
import os
import stat
import subprocess
import sys
import threading

import pytest

from graphgame.errors import FormatError
from graphgame.io.files import Source, open_atomic, refuse_unwritable
from graphgame.io.source import COMPRESSIONS


class TestOpenAtomic:
    def test_text_and_bytes(self, tmp_path):
        with open_atomic(tmp_path / "a") as stream:
            stream.write("é\n")
        with open_atomic(str(tmp_path / "b"), "wb") as stream:
            stream.write(b"\0")
        assert (tmp_path / "a").read_bytes() == "é\n".encode()
        assert (tmp_path / "b").read_bytes() == b"\0"

    @pytest.mark.parametrize("suffix", COMPRESSIONS)
    def test_compresses_by_name_and_always_alike(self, suffix, tmp_path):
        path = tmp_path / f"a.txt{suffix}"
        contents = []
        for _ in range(2):
            with open_atomic(path) as stream:
                stream.write("text\n" * 100)
            contents.append(path.read_bytes())
        assert contents[0] == contents[1] != b"text\n" * 100
        assert Source(path).read_text() == "text\n" * 100

    @pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
    def test_an_exception_leaves_what_was_there(self, error, tmp_path):
        path = tmp_path / "a"
        path.write_text("before")

        def write_half():
            with open_atomic(path) as stream:
                stream.write("half")
                stream.flush()
                raise error

        with pytest.raises(error):
            write_half()
        assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a", "before")]

    def test_the_name_appears_at_the_end(self, tmp_path):
        path = tmp_path / "a"
        with open_atomic(path) as stream:
            stream.write("x")
            assert not path.exists()
        assert path.read_text() == "x"

    def test_permissions_are_those_of_open(self, tmp_path):
        plain, atomic, old = tmp_path / "plain", tmp_path / "atomic", tmp_path / "old"
        plain.write_text("")
        old.write_text("")
        old.chmod(0o640)
        for path in (atomic, old):
            with open_atomic(path) as stream:
                stream.write("x")
        assert atomic.stat().st_mode == plain.stat().st_mode
        assert stat.S_IMODE(old.stat().st_mode) == 0o640

    def test_what_replaces_a_file_has_its_owner_and_mode_before_it_holds_anything(self, tmp_path, monkeypatch):
        path, owners = tmp_path / "a", []
        path.write_text("before")
        path.chmod(0o604)

        def chown(part, *owner):
            owners.append(owner)
            if owner[0] != -1:
                raise PermissionError

        monkeypatch.setattr(os, "chown", chown)
        with open_atomic(path):
            (part,) = tmp_path.glob(".a.*.part")
            assert stat.S_IMODE(part.stat().st_mode) == 0o604
        assert owners == [(os.getuid(), os.getgid()), (-1, os.getgid())]

    def test_a_file_is_on_the_disk_before_it_is_renamed_and_its_name_after(self, tmp_path, monkeypatch):
        path, synced = tmp_path / "a", []
        sync = os.fsync

        def fsync(file):
            sync(file)
            synced.append((os.fstat(file), path.exists()))

        monkeypatch.setattr(os, "fsync", fsync)
        with open_atomic(path) as stream:
            stream.write("text")
        assert [(stat.S_ISDIR(found.st_mode), renamed) for found, renamed in synced] == [(False, False), (True, True)]
        assert synced[0][0].st_size == len("text")

    def test_the_part_files_of_killed_writers_are_swept(self, tmp_path):
        names = {
            ".a.0123456789ab.part": False,
            ".a.0123456789ac.part": True,  # held
            ".a.0123456789ad.part": True,  # new
            ".a.part": True,
            ".a.0123.part": True,
            ".a.0123456789ax.part": True,
            ".b.0123456789ab.part": True,
            "a.0123456789ab.part": True,
        }
        for name in names:
            (tmp_path / name).write_text("left")
            os.utime(tmp_path / name, (0, 0) if name != ".a.0123456789ad.part" else None)
        (tmp_path / ".a.0123456789ae.part").mkdir()
        (tmp_path / ".a.0123456789af.part").symlink_to(tmp_path / ".b.0123456789ab.part")
        with (tmp_path / ".a.0123456789ac.part").open() as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            with open_atomic(tmp_path / "a") as stream:
                stream.write("x")
        kept = {name for name, stays in names.items() if stays}
        assert {path.name for path in tmp_path.iterdir()} == {
            *kept,
            "a",
            ".a.0123456789ae.part",
            ".a.0123456789af.part",
        }

    def test_a_part_file_is_held_while_it_is_written(self, tmp_path):
        with open_atomic(tmp_path / "a"):
            (part,) = tmp_path.glob(".a.*.part")
            os.utime(part, (0, 0))
            with open_atomic(tmp_path / "a") as stream:
                stream.write("x")
            assert part.exists()

    def test_a_link_stays_a_link(self, tmp_path):
        target, link = tmp_path / "target", tmp_path / "link"
        link.symlink_to(target)
        with open_atomic(link) as stream:
            stream.write("x")
        assert link.is_symlink()
        assert target.read_text() == "x"

    def test_a_loop_of_links_is_named(self, tmp_path):
        first, second = tmp_path / "first", tmp_path / "second"
        first.symlink_to(second)
        second.symlink_to(first)
        with pytest.raises(OSError, match="Too many levels of symbolic links") as caught, open_atomic(first):
            pass
        assert caught.value.filename == str(first)
        with pytest.raises(OSError, match="Too many levels"):
            refuse_unwritable(first)

    def test_a_folder_is_refused(self, tmp_path):
        with pytest.raises(IsADirectoryError, match=str(tmp_path)), open_atomic(tmp_path):
            pass

    def test_a_missing_folder_is_named(self, tmp_path):
        with pytest.raises(FileNotFoundError) as caught, open_atomic(tmp_path / "none" / "a"):
            pass
        assert caught.value.filename == str(tmp_path / "none" / "a")

    def test_a_protected_file_is_refused(self, tmp_path, monkeypatch):
        path = tmp_path / "a"
        path.write_text("kept")
        monkeypatch.setattr(os, "access", lambda *_: False)
        with pytest.raises(PermissionError, match="a"), open_atomic(path):
            pass
        assert path.read_text() == "kept"

    def test_a_long_name(self, tmp_path):
        path = tmp_path / ("é" * 120)
        with open_atomic(path) as stream:
            stream.write("x")
        assert path.read_text() == "x"

    def test_a_pipe_is_written_directly(self, tmp_path):
        path = tmp_path / "pipe"
        os.mkfifo(path)
        found = []
        reader = threading.Thread(target=lambda: found.append(path.read_text()))
        reader.start()
        with open_atomic(path) as stream:
            stream.write("x")
        reader.join()
        assert found == ["x"]
        assert stat.S_ISFIFO(path.stat().st_mode)

    def test_a_lone_surrogate_is_no_text(self, tmp_path):
        with pytest.raises(FormatError, match="has a lone surrogate"), open_atomic(tmp_path / "a") as stream:
            stream.write("\ud800")
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("name", ["-", "/dev/stdout"])
    def test_standard_output_is_utf8_in_any_locale_and_goes_on(self, name, tmp_path):
        code = (
            f"from graphgame.io import open_atomic\nwith open_atomic({name!r}) as s: s.write('起点\\n')\nprint('after')"
        )
        environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
        assert done.stdout.decode() == "起点\nafter\n"
        kept = tmp_path / "out"
        with kept.open("wb") as out:
            subprocess.run([sys.executable, "-c", code], env=environment, stdout=out, check=True)
        assert kept.read_text() == "起点\nafter\n"

    def test_standard_output_without_a_buffer(self, monkeypatch):
        monkeypatch.setattr(sys, "stdout", io.StringIO())
        with open_atomic("-") as stream:
            stream.write("x")
        assert sys.stdout.getvalue() == "x"
