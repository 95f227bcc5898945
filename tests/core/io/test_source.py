"""Sources: paths, standard input and bytes, plain or compressed, read once from start to end."""

import bz2
import gzip
import io
import lzma
import os
import re
import sys
import threading
import tracemalloc

import pytest

from graphgame.errors import MissingExtraError, ParseError
from graphgame.io import parse_game
from graphgame.io.files import Source, open_atomic, plain_suffix
from graphgame.io.source import reading_columns
from tests.helpers import optional

zstd = optional("backports.zstd")

PACKERS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": lambda data: zstd.compress(data)}


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
    def test_what_is_written_is_compressed_as_the_name_says(self, suffix, tmp_path):
        for name in (f"a{suffix}", f"A.TXT{suffix.upper()}"):
            with open_atomic(tmp_path / name) as stream:
                stream.write("text" * 1000)
            assert (tmp_path / name).read_bytes()[:4] == PACKERS[suffix](b"text")[:4]
            assert Source(tmp_path / name).read_text() == "text" * 1000

    @pytest.mark.parametrize("suffix", PACKERS)
    def test_truncated(self, suffix, tmp_path):
        path = tmp_path / f"a{suffix}"
        path.write_bytes(PACKERS[suffix](b"some text")[:-5])
        with pytest.raises(
            ParseError, match=r"a.*: the (gzip|bz2|lzma|zstd) data is truncated: the file ends too early"
        ):
            Source(path).read_bytes()

    @pytest.mark.parametrize("suffix", PACKERS)
    def test_damaged(self, suffix, tmp_path):
        path = tmp_path / f"a{suffix}"
        path.write_bytes(b"no such data at all, whatever the name says")
        with pytest.raises(ParseError, match=r"the (gzip|bz2|lzma|zstd) data is damaged: "):
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
        with pytest.raises(MissingExtraError, match=r"pip install backports\.zstd"):
            Source(packed).read_bytes()
        with pytest.raises(MissingExtraError), open_atomic(tmp_path / "a.zst"):
            pass
        assert list(tmp_path.iterdir()) == []

    def test_more_than_a_block_of_white_space_is_not_empty(self):
        Source(b" " * (3 << 20) + b"x").refuse_empty("a graph")
        with pytest.raises(ParseError, match="the file is empty or blank: expected a graph"):
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
        with pytest.raises(ParseError, match="a line of the file is longer than 1 MiB"):
            list(Source(b"x" * (5 << 20)).whole_lines())

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (
                b"ab\nc\xe9d\n",
                (
                    "<text>:2:2: the byte 0xe9 is not UTF-8 text: if the file is windows-1252, the "
                    "command iconv -f windows-1252 -t"
                ),
            ),
            ("é\nß".encode() + b"\0", "<text>:2:2: the file has a NUL byte: expected text in UTF-8"),
            ("a b".encode("utf-16"), "<text>:1: the file is UTF-16 text: convert it to UTF-8 by iconv"),
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


def test_an_empty_name_of_a_column_is_a_name():
    with reading_columns("", "to"):
        assert list(parse_game(",to\na,b\n", "csv").edges) == [("a", "b")]
        with pytest.raises(ParseError, match="names no column ''"):
            parse_game("from,to\na,b\n", "csv")


@pytest.mark.parametrize(("suffix", "tool"), [(".gz", "gzip"), (".bz2", "bzip2"), (".xz", "xz")])
def test_a_command_for_the_shell_decompresses_the_file(suffix, tool, tmp_path):
    path = tmp_path / f"a.csv{suffix}"
    path.write_bytes(PACKERS[suffix](b"\xe9,b\n"))
    command = f"{tool} -dc < {path} | iconv -f windows-1252 -t utf-8 /dev/stdin > utf8.csv"
    with pytest.raises(ParseError, match=re.escape(f"the command {command} converts it")):
        Source(path).read_text()
