"""Small files that would fill memory or time are refused, and other files are read."""

import gzip
import io
import json
import subprocess
import sys

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from graphgame import GameGraph, read_game, read_values, write_game
from graphgame.errors import LimitError
from graphgame.io.source import Source
from graphgame.labs.formats.tables import open_file
from graphgame.labs.judges.judge_format import read_judge_cases
from tests.commands import error, output

MEBIBYTE = 1 << 20
TEXTS = {
    "blanks.json": (b'{"directed": true, "nodes": [', b" "),
    "blanks.dot": (b"digraph {", b" "),
    "comments.dot": (b"digraph {", b"// nothing\n"),
    "comments.edges": (b"", b"# nothing\n"),
    "edges.edges": (b"", b"1 2\n"),
    "edges.csv": (b"source,target\n", b"1,2\n"),
    "edges.tsv": (b"", b"a\tb\n"),
    "edges.adjlist": (b"", b"a b c d\n"),
    "blanks.txt": (b"3 0 0\n", b" "),
    "comments.judge": (b"", b"% nothing\n"),
    "attributes.graphml": (b"<graphml><graph>", b'<x a="b" c="d"/>'),
    "attribute.graphml": (b'<graphml><graph edgedefault="directed"><node id="a" x="', b"y"),
    "data.graphml": (b'<graphml><key id="d"/><graph><data key="d">', b"x"),
    "description.gexf": (b"<gexf><meta><description>", b"x"),
}


def packed(start, filling, size=2 * MEBIBYTE):
    """Return ``start`` and then only filling, in the gzip format."""
    return gzip.compress(start) + gzip.compress(filling * (size // len(filling)))


@pytest.fixture
def small_limit(monkeypatch):
    monkeypatch.setattr("graphgame.io.source._FREE_BYTES", MEBIBYTE)


@pytest.mark.usefixtures("small_limit")
class TestTexts:
    @pytest.mark.parametrize("name", TEXTS)
    def test_graph_that_unpacks_to_far_more_is_refused(self, name, tmp_path):
        path = tmp_path / f"{name}.gz"
        path.write_bytes(packed(*TEXTS[name]))
        with pytest.raises(LimitError, match=rf"first \d+ bytes of .*{name}.gz take \d+ bytes.* 1 MiB") as refused:
            read_game(path)
        assert refused.value.limit == "max_bytes"

    def test_long_text_repeated_in_a_later_row_group_stays_a_number(self, tmp_path):
        path, short = tmp_path / "game.parquet", pa.array(["a", "b"])
        for texts, is_number in (([short, short], False), ([short, words()], True)):
            with pa.parquet.ParquetWriter(path, table(short).schema) as writer:
                for each in texts:
                    writer.write_table(table(each).cast(table(short).schema))
            source = Source(path.read_bytes())
            (batch, *_) = open_file(source).iter_batches()
            assert pa.types.is_dictionary(batch.schema.field(0).type) is is_number

    def test_value_files_are_refused_too(self, tmp_path):
        path = tmp_path / "values.json.gz"
        path.write_bytes(packed(b'{"format": "graphgame values", "values": [', b" "))
        with pytest.raises(LimitError, match=r"bytes of .*values.json.gz take"):
            read_values(path)

    def test_pipe_is_read_the_same_way(self, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed(b"", b"1 2\n"))))
        with pytest.raises(LimitError, match=r"the first \d+ bytes of standard input take \d+ bytes"):
            read_game("-")

    def test_files_that_unpack_to_at_most_a_hundred_times_their_size_are_read(self, tmp_path):
        path = tmp_path / "game.graphml.xz"
        write_game(nx.path_graph(20_000, nx.DiGraph), path)
        assert path.stat().st_size < MEBIBYTE // 20
        assert len(read_game(path)) == 20_000

    @pytest.mark.parametrize("read", [read_game, lambda path, **limit: list(read_judge_cases(path, **limit))])
    def test_the_parameter_allows_more_and_less(self, read, tmp_path):
        path, plain = tmp_path / "game.judge.gz", tmp_path / "game.judge"
        path.write_bytes(packed(b"1\n0\n0\n", b" "))
        plain.write_bytes(b"1\n0\n0\n")
        with pytest.raises(LimitError):
            read(path)
        with pytest.raises(LimitError, match="holds more than 5 bytes"):
            read(plain, max_bytes=5)
        assert read(path, max_bytes=3 * MEBIBYTE)
        assert read(plain, max_bytes=6)


def zeros(count):
    return np.zeros(count, np.int64)


def words():
    """Return a column that repeats a long word."""
    return pa.DictionaryArray.from_arrays(np.zeros(2000, np.int32), pa.array(["x" * 10_000]))


def table(column):
    return pa.table({"source": column, "target": column})


ARRAYS = {
    "zeros.npz": lambda path: np.savez_compressed(path, source=zeros(10**6), target=zeros(10**6)),
    "sparse.npz": lambda path: np.savez_compressed(
        path, format=b"coo", shape=[5, 5], row=zeros(10**6), col=zeros(10**6), data=zeros(10**6)
    ),
    "zeros.parquet": lambda path: pa.parquet.write_table(table(zeros(10**6)), path),
    "words.parquet": lambda path: pa.parquet.write_table(table(words()), path),
    "words.feather": lambda path: pa.feather.write_feather(table(words()), path, compression="uncompressed"),
    "zeros.feather": lambda path: pa.feather.write_feather(table(zeros(10**6)), path, compression="zstd"),
}


@pytest.mark.usefixtures("small_limit")
class TestArrays:
    @pytest.mark.parametrize("name", ARRAYS)
    def test_arrays_that_unpack_to_far_more_are_refused(self, name, tmp_path):
        ARRAYS[name](tmp_path / name)
        with pytest.raises(LimitError, match=rf"first \d+ bytes of .*{name} take \d+ bytes"):
            read_game(tmp_path / name)
        assert len(read_game(tmp_path / name, max_bytes=10**8)) in (1, 5)

    def test_value_files_are_refused_too(self, tmp_path):
        path = tmp_path / "values.parquet"
        pa.parquet.write_table(pa.table({"position": zeros(10**6), "grundy": zeros(10**6)}), path)
        with pytest.raises(LimitError):
            read_values(path)
        pa.parquet.write_table(pa.table({"position": words(), "grundy": zeros(2000)}), path)
        with pytest.raises(LimitError):
            read_values(path)

    def test_long_path_that_compresses_well_is_read(self, tmp_path):
        path = tmp_path / "game.parquet"
        write_game(GameGraph.from_arrays(np.arange(1, 300_001), np.arange(300_000), 300_001), path)
        assert path.stat().st_size < MEBIBYTE // 20
        assert len(read_game(path)) == 300_001


class TestClaims:
    def test_blanks_that_compress_to_nothing_do_not_raise_the_vertex_limit(self, tmp_path):
        path = tmp_path / "game.gz"
        path.write_bytes(packed(b"20000000 0 0\n", b" "))
        with pytest.raises(LimitError, match=r"20000000 vertices, .* \d+ bytes"):
            read_game(path)


class TestCommands:
    @pytest.mark.usefixtures("small_limit")
    @pytest.mark.parametrize("command", ["solve", "values", "check", "misere"])
    def test_message_names_the_option_that_allows_more(self, command, tmp_path):
        path = tmp_path / "game.edges.gz"
        path.write_bytes(packed(b"2 1\n", b"# nothing\n"))
        assert error(command, str(path)).endswith("cannot fill the memory; --max-bytes allows more\n")
        output(command, str(path), "--max-bytes", "2.5MB")
        assert error(command, str(path), "--max-bytes", "2MB") == (
            f"graphgame: error: {path} holds more than 2000000 bytes, the limit; --max-bytes allows more\n"
        )

    @pytest.mark.usefixtures("small_limit")
    def test_limit_holds_for_every_file_of_a_command(self, tmp_path):
        graph, values = tmp_path / "game.edges.gz", tmp_path / "values.csv.gz"
        graph.write_bytes(packed(b"2 1\n", b"# nothing\n"))
        values.write_bytes(packed(b"position,grundy\n2,1\n1,0\n", b" "))
        assert f"bytes of {values} take" in error("verify", str(graph), str(values))
        assert "more than 2000000 bytes" in error("verify", str(graph), str(values), "--max-bytes", "2MB")
        assert "more than 1000000 bytes" in error("solve", f"{graph}@2", "--max-bytes", "1MB")
        assert output("solve", f"{graph}@2", "--max-bytes", "3MB", "--verdict") == "win\n"

    def test_invalid_sizes_are_refused(self):
        assert "size 'much': expected a number of bytes" in error("solve", "samples/chips.txt", "--max-bytes", "much")

    @pytest.mark.parametrize(
        "text",
        [
            "digraph { s [kind=sum]; s -> a [multiplicity=99999999] }",
            json.dumps(
                {
                    "directed": True,
                    "nodes": [{"id": 1}],
                    "edges": [{"source": 1, "target": 1, "multiplicity": 99_999_999}],
                }
            ),
        ],
    )
    def test_message_names_no_option_if_none_helps(self, text, tmp_path):
        path = tmp_path / "game"
        path.write_text(text)
        for command in ("solve", "values"):
            assert error(command, str(path)).endswith(
                "so write 1 in place of any odd multiplicity, and 2 in place of any even one\n"
            )


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000, 2_000_000_000))
from graphgame.cli import main
main()
"""


@pytest.mark.long
@pytest.mark.parametrize("name", ["blanks.json", "data.graphml", "edges.edges"])
def test_gigabytes_of_zeros_take_little_memory(name, tmp_path):
    """A process with two gigabytes refuses a file of several gigabytes in time."""
    start, filling = TEXTS[name]
    path = tmp_path / f"{name}.gz"
    path.write_bytes(gzip.compress(start) + gzip.compress(filling * (2 * MEBIBYTE // len(filling))) * 2000)
    done = subprocess.run([sys.executable, "-c", LIMITED, "solve", path], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert f" bytes of {path} take " in done.stderr
    assert "cannot fill the memory" in done.stderr


def test_the_limit_is_that_of_the_source_where_it_has_one():
    assert Source(b"12345", max_bytes=5).read_bytes() == b"12345"
    with pytest.raises(LimitError):
        Source(b"12345", max_bytes=4).read_bytes()
