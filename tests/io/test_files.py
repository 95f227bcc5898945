"""Sources and files written in one step."""

import bz2
import fcntl
import gzip
import io
import lzma
import os
import stat
import subprocess
import sys
import threading
import tracemalloc

import pytest
from backports import zstd

from graphgame import FormatError, MissingExtraError, ParseError
from graphgame.io.files import Source, open_atomic, plain_suffix, refuse_unwritable

PACKERS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd.compress}


@pytest.fixture
def stdin(monkeypatch):
    def feed(data):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return feed


@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("a.txt", ".txt"),
        ("a.TXT.GZ", ".txt"),
        ("a.gz", ""),
        ("a", ""),
        ("d.x/a", ""),
        ("a.b.json.xz", ".json"),
        ("-", ""),
    ],
)
def test_plain_suffix(name, suffix):
    assert plain_suffix(name) == suffix


class TestSource:
    def test_path_stdin_and_bytes_read_alike(self, tmp_path, stdin):
        path = tmp_path / "a.txt"
        path.write_bytes(b"1 2\n")
        stdin(b"1 2\n")
        sources = [Source(path), Source(str(path)), Source("-"), Source(b"1 2\n")]
        assert [source.read_bytes() for source in sources] == [b"1 2\n"] * 4
        assert [source.name for source in sources] == [str(path), str(path), "standard input", "<text>"]

    @pytest.mark.parametrize("suffix", PACKERS)
    def test_compression_follows_from_the_name_or_the_first_bytes(self, suffix, tmp_path, stdin):
        data = PACKERS[suffix](b"text" * 1000)
        for name in (f"a{suffix}", f"a.txt{suffix.upper()}", "a.txt"):
            path = tmp_path / name
            path.write_bytes(data)
            assert Source(path).read_text() == "text" * 1000
        stdin(data)
        assert Source("-").read_text() == "text" * 1000

    @pytest.mark.parametrize("suffix", PACKERS)
    def test_truncated(self, suffix, tmp_path):
        path = tmp_path / f"a{suffix}"
        path.write_bytes(PACKERS[suffix](b"some text")[:-5])
        with pytest.raises(
            ParseError, match=r"a.*: truncated (gzip|bz2|lzma|zstd) data: the file ends before the data does"
        ):
            Source(path).read_bytes()

    @pytest.mark.parametrize("suffix", PACKERS)
    def test_damaged(self, suffix, tmp_path):
        path = tmp_path / f"a{suffix}"
        path.write_bytes(b"no such data at all, whatever the name says")
        with pytest.raises(ParseError, match=r"damaged (gzip|bz2|lzma|zstd) data: "):
            Source(path).read_bytes()

    @pytest.mark.parametrize("suffix", PACKERS)
    def test_several_packed_parts_are_one_text(self, suffix, tmp_path):
        path = tmp_path / f"a{suffix}"
        path.write_bytes(PACKERS[suffix](b"1 2\n") + PACKERS[suffix](b"") + PACKERS[suffix](b"3 4\n"))
        assert Source(path).read_text() == "1 2\n3 4\n"

    def test_what_a_few_bytes_stand_for_comes_out_bit_by_bit(self):
        packed = zstd.compress(bytes(1 << 28))
        assert len(packed) < 1 << 14
        tracemalloc.start()
        assert sum(map(len, Source(packed, max_bytes=1 << 28).blocks())) == 1 << 28
        assert tracemalloc.get_traced_memory()[1] < 1 << 27
        tracemalloc.stop()

    def test_zstandard_is_an_extra(self, monkeypatch, tmp_path):
        packed = zstd.compress(b"1 2\n")
        monkeypatch.setitem(sys.modules, "backports.zstd", None)
        monkeypatch.delitem(sys.modules, "graphgame.io.zstd", raising=False)
        with pytest.raises(MissingExtraError, match=r'pip install "graphgame\[zstd\]"'):
            Source(packed).read_bytes()
        with pytest.raises(MissingExtraError), open_atomic(tmp_path / "a.zst"):
            pass
        assert list(tmp_path.iterdir()) == []

    def test_more_than_a_block_of_white_space_is_not_empty(self):
        Source(b" " * (3 << 20) + b"x").refuse_empty("a graph")
        with pytest.raises(ParseError, match="the file is empty: expected a graph"):
            Source(b" " * (3 << 20)).refuse_empty("a graph")

    def test_white_space_without_end_is_refused(self):
        with pytest.raises(ParseError, match="begins with 16 MiB of white space: expected a graph"):
            Source(b" " * (17 << 20) + b"x").refuse_empty("a graph")

    @pytest.mark.parametrize("suffix", ["", *PACKERS])
    def test_seekable_is_the_whole_from_its_start(self, suffix, tmp_path, stdin):
        path = tmp_path / f"a{suffix}"
        path.write_bytes(PACKERS.get(suffix, bytes)(b"abcdef"))
        stdin(path.read_bytes())
        for place in (path, "-"):
            with Source(place) as source:
                assert source.peek(2) == b"ab"
                file = source.seekable()
                assert (file.read(3), file.seek(4), file.read()) == (b"abc", 4, b"ef")

    def test_read_takes_what_was_peeked_first(self):
        source = Source(b"abcdef")
        assert source.peek(3) == b"abc"
        assert [source.read(2), source.read(9), source.read(9), source.read(9)] == [b"ab", b"c", b"def", b""]

    def test_peek_takes_nothing_away(self, stdin):
        for place in (b"abcdef", "-"):
            stdin(b"abcdef")
            with Source(place) as source:
                assert source.peek(2) == b"ab"
                assert source.peek(100) == b"abcdef"
                assert source.read_bytes() == b"abcdef"

    def test_blocks(self):
        blocks = list(Source(b"abcdefg").blocks(3))
        assert b"".join(blocks) == b"abcdefg"
        assert max(map(len, blocks)) == 3

    @pytest.mark.parametrize("size", [1, 2, 3, 100])
    def test_whole_lines_end_in_newlines(self, size, monkeypatch):
        source = Source(b"a b\nc\n\nd")
        monkeypatch.setattr(source, "_unmarked_blocks", lambda: Source.blocks(source, size))
        blocks = list(source.whole_lines())
        assert b"".join(blocks) == b"a b\nc\n\nd\n"
        assert all(block.endswith(b"\n") for block in blocks)

    @pytest.mark.parametrize("data", [b"a\nb", b"a\nb\n", b"\xef\xbb\xbfa\nb\n", b"a\rb\r"])
    def test_lines(self, data):
        assert list(Source(data).lines()) == ["a", "b"]

    def test_a_very_long_line_is_refused(self, monkeypatch):
        monkeypatch.setattr("graphgame.io.source._LONGEST_LINE", 1 << 20)
        with pytest.raises(ParseError, match="a line of more than 1 MiB"):
            list(Source(b"x" * (5 << 20)).whole_lines())

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"ab\nc\xe9d\n", "<text>:2:2: byte 0xe9 is not UTF-8 text: expected the encoding UTF-8"),
            ("é\nß".encode() + b"\0", "<text>:2:2: NUL byte: expected text in UTF-8"),
            ("a b".encode("utf-16"), "<text>:1: the file is UTF-16 text: expected UTF-8"),
        ],
    )
    def test_text_is_utf8(self, data, message):
        with pytest.raises(ParseError) as caught:
            Source(data).read_text()
        assert message in str(caught.value)
        with pytest.raises(ParseError):
            list(Source(data).lines())

    def test_a_folder_a_missing_file_and_no_permission_are_os_errors(self, tmp_path):
        with pytest.raises(IsADirectoryError):
            Source(tmp_path).read_bytes()
        with pytest.raises(FileNotFoundError):
            Source(tmp_path / "none").read_bytes()

    @pytest.mark.parametrize("compress", [bytes, gzip.compress])
    def test_progress_ends_at_the_size_of_the_file(self, compress, tmp_path):
        path = tmp_path / "a"
        path.write_bytes(compress(os.urandom(3 << 20)))
        calls = []
        Source(path, progress=lambda done, total: calls.append((done, total))).read_bytes()
        size = path.stat().st_size
        assert calls[-1] == (size, size)
        assert len(calls) > 3
        assert calls == sorted(calls)

    def test_size_is_known_for_plain_files_only(self, tmp_path):
        path = tmp_path / "a.gz"
        path.write_bytes(gzip.compress(b"abc"))
        with Source(path) as packed, Source(b"abc") as plain:
            assert (packed.size, plain.size) == (None, 3)

    def test_a_pipe_by_name(self, tmp_path):
        path = tmp_path / "pipe"
        os.mkfifo(path)
        writer = threading.Thread(target=path.write_bytes, args=(b"1 2\n",))
        writer.start()
        with Source(path) as source:
            assert source.size is None
            assert source.read_text() == "1 2\n"
        writer.join()


class TestOpenAtomic:
    def test_text_and_bytes(self, tmp_path):
        with open_atomic(tmp_path / "a") as stream:
            stream.write("é\n")
        with open_atomic(str(tmp_path / "b"), "wb") as stream:
            stream.write(b"\0")
        assert (tmp_path / "a").read_bytes() == "é\n".encode()
        assert (tmp_path / "b").read_bytes() == b"\0"

    @pytest.mark.parametrize("suffix", PACKERS)
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
        with pytest.raises(FormatError, match="holds a lone surrogate"), open_atomic(tmp_path / "a") as stream:
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
