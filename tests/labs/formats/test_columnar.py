"""Edge tables and values in Parquet and Arrow files."""

import contextlib
import io
import sys

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import graphgame
from graphgame import GameGraph, read_game, write_game
from graphgame.errors import FormatError, MissingExtraError, ParseError, ReadingWarning, UnknownPositionError
from graphgame.labs.formats.tables import ROWS
from tests.strategies import dags

WRITERS = {
    ".parquet": lambda table, path: pa.parquet.write_table(table, path, row_group_size=2),
    ".arrow": lambda table, path: pa.feather.write_feather(table, path, chunksize=2),
    ".feather": lambda table, path: pa.feather.write_feather(table, path, compression="uncompressed"),
}
ENDS = ("source", "target")
WRITES_VIEWS = pytest.mark.skipif(
    int(pa.__version__.split(".")[0]) < 25, reason="older pyarrow crashes as it writes views"
)


@pytest.fixture(params=WRITERS)
def write_table(request, tmp_path):
    def write(table, names=ENDS):
        path = tmp_path / f"game{request.param}"
        WRITERS[request.param](table if isinstance(table, pa.Table) else pa.table(table, names), path)
        return path

    return write


def error_of(path, error=ParseError):
    with pytest.raises(error) as caught:
        read_game(path)
    return str(caught.value)


class TestReading:
    @pytest.mark.parametrize("kind", [pa.int8(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint64()])
    def test_integers_of_every_width(self, kind, write_table):
        graph = read_game(write_table([pa.array([5, 5, 2, 5], kind), pa.array([2, 9, 9, 2], kind)]))
        assert (list(graph), sorted(graph.edges)) == ([2, 5, 9], [(2, 9), (5, 2), (5, 9)])
        assert all(type(position) is int for position in graph)

    @pytest.mark.parametrize(
        "kind",
        [
            pa.string(),
            pa.large_string(),
            pytest.param(pa.string_view(), marks=WRITES_VIEWS),
            pa.binary(),
            pa.dictionary(pa.int8(), pa.string()),
            pa.dictionary(pa.int32(), pa.large_string()),
        ],
    )
    def test_strings_of_every_kind(self, kind, write_table):
        table = [pa.array(["a", "é b", "a", "7"]).cast(kind), pa.array(["é b", "7", "7", None]).cast(kind)]
        graph = read_game(write_table(table))
        assert (set(graph), sorted(graph.edges)) == ({"a", "é b", "7"}, [("a", "7"), ("a", "é b"), ("é b", "7")])

    def test_integers_in_a_dictionary(self, write_table):
        graph = read_game(write_table([pa.array([3, 2]).dictionary_encode(), pa.array([2, 1]).dictionary_encode()]))
        assert sorted(graph.edges) == [(2, 1), (3, 2)]

    def test_strings_are_not_taken_for_integers(self, write_table):
        assert list(read_game(write_table([["1"], ["2"]])).edges) == [("1", "2")]

    def test_large_integers(self, write_table):
        graph = read_game(write_table([[2**63 - 1, 1], [2**40, 0]]))
        assert sorted(graph.edges) == [(1, 0), (2**63 - 1, 2**40)]

    def test_a_null_target_is_a_position_of_its_own(self, write_table):
        graph = read_game(write_table([[4, 7, 4], pa.array([2, None, None])]))
        assert (list(graph), list(graph.edges)) == ([2, 4, 7], [(4, 2)])

    @pytest.mark.parametrize("kind", [pa.null(), pa.int64()])
    def test_no_edges_at_all(self, kind, write_table):
        assert list(read_game(write_table([[4, 7], pa.nulls(2, kind)]))) == [4, 7]
        assert list(read_game(write_table([pa.nulls(0, kind), pa.nulls(0, kind)]))) == []

    @pytest.mark.parametrize(
        ("names", "edge"),
        [
            (("source", "target", "weight"), (1, 2)),
            (("weight", "Target", "SOURCE"), (3, 2)),
            (("target", "x.y", "source"), (3, 1)),
        ],
    )
    def test_columns_by_name(self, names, edge, write_table):
        assert list(read_game(write_table([[1], [2], [3]], names)).edges) == [edge]

    def test_two_columns_of_other_names(self, write_table):
        assert list(read_game(write_table([[1], [2]], ("from.x", "to"))).edges) == [(1, 2)]

    def test_more_rows_than_a_batch(self, tmp_path):
        count = ROWS + 5
        source = np.arange(count, 0, -1)
        path = tmp_path / "game.parquet"
        pa.parquet.write_table(pa.table([source, source - 1], ENDS), path)
        graph = read_game(path)
        assert (len(graph), graph.number_of_edges(), list(graph.successors(7))) == (count + 1, count, [6])

    def test_words_of_many_batches_are_united(self, monkeypatch, tmp_path):
        monkeypatch.setattr("graphgame.labs.formats.tables.ROWS", 3)
        edges = [(f"v{i}", f"v{i // 2}") for i in range(1, 50)]
        path = tmp_path / "game.parquet"
        pa.parquet.write_table(pa.table(list(zip(*edges, strict=True)), ENDS), path)
        assert set(read_game(path).edges) == set(edges)

    def test_an_arrow_stream(self, tmp_path):
        path = tmp_path / "game"
        table = pa.table([[1, 2], [2, 3]], ENDS)
        with pa.ipc.new_stream(path, table.schema) as writer:
            writer.write_table(table)
        assert sorted(read_game(path).edges) == [(1, 2), (2, 3)]

    def test_what_pandas_writes(self, tmp_path):
        frame = pd.DataFrame({"source": [3, 3], "target": pd.array([2, None], dtype="Int64")}, index=[5, 6])
        frame.to_parquet(tmp_path / "game.parquet")
        assert list(read_game(tmp_path / "game.parquet").edges) == [(3, 2)]

    @pytest.mark.parametrize("suffix", WRITERS)
    def test_usual_names_of_columns_and_others_beside_them(self, suffix, tmp_path):
        path = tmp_path / f"game{suffix}"
        WRITERS[suffix](pa.table({"weight": [1.5], "To": ["a"], "from": ["b"]}), path)
        with pytest.warns(ReadingWarning, match="the reader ignores 1 column of the table"):
            assert list(read_game(path).edges) == [("b", "a")]

    def test_progress_ends_at_the_size_of_the_file(self, tmp_path):
        path = tmp_path / "game.parquet"
        write_game(nx.DiGraph([(1, 2)]), path)
        calls = []
        read_game(path, progress=lambda *call: calls.append(call))
        assert calls[-1] == (path.stat().st_size, path.stat().st_size)


class TestErrors:
    @pytest.mark.parametrize(
        ("source", "target", "message"),
        [
            ([1, None], [2, 3], "row 2: the source is null: expected a position (only a target may be)"),
            (["a", None], ["b", "c"], "row 2: the source is null"),
            ([1, 2, -3], [2, 3, 4], "row 3: source -3: expected an integer in 0..2**63-1"),
            ([1, 2, 3], [2, 3, -1], "row 3: target -1: expected"),
            (np.array([1, 2**63], np.uint64), [1, 2], "row 2: source 9223372036854775808: expected"),
            ([1.0, 2.0], [2, 3], "column 'source' holds double: expected integers or strings (in pandas: astype"),
            ([1, 2], [True, False], "column 'target' holds bool: expected integers or strings"),
            ([[1], [2]], [1, 2], "column 'source' holds list<"),
            ([1, 2], ["a", "b"], "sources are int64 and targets string: expected integers in both, or strings in both"),
        ],
    )
    def test_of_cells(self, source, target, message, write_table):
        path = write_table([pa.array(source), pa.array(target)])
        assert error_of(path).startswith(f"{path}: {message}")

    @pytest.mark.parametrize(
        ("names", "message"),
        [
            (
                ("a", "b", "c"),
                "expected the columns 'source' and 'target', or exactly two columns with "
                "other names; found 'a', 'b', 'c'",
            ),
            (
                ("source", "b", "c"),
                "expected the columns 'source' and 'target', or exactly two columns with other names; found 'source'",
            ),
            (
                ("a", "source"),
                "expected the columns 'source' and 'target', or exactly two columns with "
                "other names; found 'a', 'source'",
            ),
            (("a",), "expected the columns 'source' and 'target', or exactly two columns with other names; found 'a'"),
            (("source", "Source", "target"), "2 columns are named 'source': expected only one"),
        ],
    )
    def test_of_columns(self, names, message, write_table):
        assert message in error_of(write_table([[1]] * len(names), names))

    @pytest.mark.parametrize(
        ("tokens", "message"),
        [
            (b"[1, 9]", "token 9 is not a position of the graph"),
            (b"{}", "tokens '{}': expected a JSON array"),
            (b"\xff", "expected a JSON array"),
        ],
    )
    def test_of_tokens(self, tokens, message, write_table):
        table = pa.table([[1], [2]], ENDS).replace_schema_metadata({"graphgame.tokens": tokens})
        assert message in error_of(write_table(table))

    def test_bytes_that_are_no_text(self, write_table):
        assert "UTF8" in error_of(write_table([pa.array([b"a", b"\xff"]), pa.array([b"b", b"c"])]))

    @pytest.mark.parametrize("suffix", WRITERS)
    def test_damage_is_an_error_or_another_graph(self, suffix, tmp_path):
        path = tmp_path / f"game{suffix}"
        write_game(GameGraph([(f"v{i}", f"v{i + 1}") for i in range(40)], tokens=["v0"]), path)
        whole = path.read_bytes()
        random = np.random.default_rng(1)
        for _ in range(150):
            data = bytearray(whole)
            data[random.integers(len(data))] ^= 1 << random.integers(8)
            path.write_bytes(data[: random.integers(len(data)) if random.random() < 0.3 else len(data)])
            with contextlib.suppress(graphgame.errors.GraphGameError, MemoryError):
                graph = read_game(path)
                assert graph.number_of_edges() <= 40

    @pytest.mark.parametrize("name", ["parquet", "arrow"])
    def test_text_is_neither(self, name, tmp_path):
        path = tmp_path / f"game.{name}"
        path.write_text("1 2\n")
        assert ", or it is damaged: " in error_of(path)

    @pytest.mark.parametrize("name", ["parquet", "arrow"])
    def test_pyarrow_is_an_extra(self, name, tmp_path, monkeypatch):
        path = tmp_path / f"game.{name}"
        path.write_bytes(b"PAR1")
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        assert "pip install pyarrow" in error_of(path, MissingExtraError)
        with pytest.raises(MissingExtraError):
            write_game(nx.DiGraph(), path)
        assert path.read_bytes() == b"PAR1"


class TestWriting:
    @pytest.mark.parametrize("suffix", [*WRITERS, ".parquet.gz", ".parquet.zst"])
    @given(options=dags(), names=st.sampled_from([int, str, lambda v: 2**40 + v]))
    @settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_what_is_written_is_read_back(self, suffix, tmp_path, options, names):
        graph = GameGraph({names(v): list(map(names, ends)) for v, ends in options.items()}, tokens=[names(0)] * 2)
        path = tmp_path / f"game{suffix}"
        write_game(graph, path)
        found = read_game(path)
        assert (set(found), set(found.edges), found.tokens) == (set(graph), set(graph.edges), graph.tokens)

    @pytest.mark.parametrize(("edges", "may_be_null"), [([(2, 1)], False), ([(2, 1), (3,)], True)])
    def test_targets_may_be_null_where_a_position_has_no_edges(self, tmp_path, edges, may_be_null):
        write_game(GameGraph({v: ends for v, *ends in edges}), tmp_path / "game.parquet")
        schema = pa.parquet.read_schema(tmp_path / "game.parquet")
        assert [schema.field(name).nullable for name in ENDS] == [False, may_be_null]

    def test_other_positions_become_texts(self, tmp_path):
        write_game(GameGraph([((1, 2), 1)], tokens=[1]), tmp_path / "game.parquet")
        found = read_game(tmp_path / "game.parquet")
        assert (list(found.edges), found.tokens) == ([("(1, 2)", "1")], ("1",))

    @pytest.mark.parametrize("name", ["parquet", "arrow"])
    @pytest.mark.parametrize(
        ("graph", "error", "message"),
        [
            (GameGraph([(0, -1)]), FormatError, "position -1 is negative"),
            (GameGraph([(1, "1")]), FormatError, "two positions have the same text, '1'"),
            (GameGraph([("a", "\ud800")]), FormatError, "has a lone surrogate"),
            (GameGraph([(1, 2)], tokens=[3]), UnknownPositionError, "position 3 is not a vertex"),
            (graphgame.parse_position("kayles(3)").graph(), FormatError, "cannot express sum vertices"),
        ],
    )
    def test_what_cannot_be_expressed(self, name, graph, error, message, tmp_path):
        with pytest.raises(error, match=message):
            write_game(graph, tmp_path / f"game.{name}")
        assert list(tmp_path.iterdir()) == []

    def test_others_can_read_it(self, tmp_path):
        write_game(nx.DiGraph([(1, 2), (2, 3)]), tmp_path / "game.parquet")
        frame = pd.read_parquet(tmp_path / "game.parquet")
        assert frame.to_dict("list") == {"source": [1, 2], "target": [2, 3]}
        assert pa.feather.read_table(_feather(tmp_path)).column_names == list(ENDS)

    def test_standard_output(self, monkeypatch):
        stdout = io.TextIOWrapper(io.BytesIO())
        monkeypatch.setattr(sys, "stdout", stdout)
        write_game(nx.DiGraph([(1, 2)]), "-", "parquet")
        assert pa.parquet.read_table(pa.BufferReader(stdout.buffer.getvalue())).num_rows == 1


def _feather(folder):
    write_game(nx.DiGraph([(1, 2)]), folder / "game.feather")
    return folder / "game.feather"


class TestValues:
    @pytest.mark.parametrize("names", [int, str, lambda v: v - 3])
    @pytest.mark.parametrize("misere", [False, True])
    def test_what_is_written_is_read_back_and_right(self, names, misere, tmp_path):
        graph = GameGraph({names(v): [names(w) for w in range(v)] for v in range(7)}, tokens=[names(3)])
        solution = graphgame.solve(graph, misere=misere)
        for path in (tmp_path / "values.parquet", tmp_path / "values.json"):
            graphgame.write_values(solution, path)
        found = graphgame.read_values(tmp_path / "values.parquet")
        assert dict(found) == dict(graphgame.read_values(tmp_path / "values.json"))
        assert found.misere == misere
        assert graphgame.verify(graph, found)

    def test_infinite_values(self, tmp_path):
        graph = nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")])
        solution = graphgame.solve(graph, loopy=True)
        graphgame.write_values(solution, tmp_path / "values.parquet")
        graphgame.write_values(solution, tmp_path / "values.csv")
        found = graphgame.read_values(tmp_path / "values.parquet")
        assert dict(found) == dict(graphgame.read_values(tmp_path / "values.csv"))

    def test_unknown_remoteness_is_null(self, tmp_path):
        solution = graphgame.solve(graphgame.parse_position("kayles(9)").graph(), product_limit=1)
        graphgame.write_values(solution, tmp_path / "values.parquet")
        assert pa.parquet.read_table(tmp_path / "values.parquet")["remoteness"].null_count == len(solution.graph)
        assert {row.remoteness for row in graphgame.read_values(tmp_path / "values.parquet").values()} == {None}

    def test_integers_come_in_order_and_few_columns_are_enough(self, tmp_path):
        path = tmp_path / "values.parquet"
        pa.parquet.write_table(pa.table({"Grundy": [3, 0, 1], "other": [1, 2, 3], "position": [9, 2, 5]}), path)
        found = graphgame.read_values(path)
        assert [(position, *row) for position, row in found.items()] == [
            (2, 0, None, None),
            (5, 1, None, None),
            (9, 3, None, None),
        ]

    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            ({"position": [1]}, "not a values file: expected the columns position, grundy, outcome, remoteness"),
            ({"position": [1.5], "grundy": [0]}, "column 'position' holds double: expected integers or strings"),
            ({"position": [1, 2, 1], "grundy": [0, 1, 2]}, "two rows have the position 1: expected one row for each"),
            ({"position": ["a", "a"], "grundy": [0, 1]}, "two rows have the position 'a': expected one row for each"),
            ({"position": [1, None], "grundy": [0, 1]}, "row 2: the position is null: expected one in each row"),
            ({"position": [1, 2], "grundy": [0, None]}, "row 2: the grundy is null"),
            ({"position": [1, 2], "grundy": [0, -1]}, "row 2: grundy -1: expected an integer in 0..2147483647"),
            ({"position": [1, 2], "grundy": [0, 2**31]}, "row 2: grundy 2147483648: expected"),
            ({"position": [1], "grundy": ["x"]}, "row 1: grundy 'x': expected an integer"),
            ({"position": [1], "grundy": [0], "outcome": ["Q"]}, "row 1: outcome 'Q': expected P, N or D"),
            (
                {"position": [1], "grundy": [0], "remoteness": [-7]},
                "row 1: remoteness -7: expected an integer in 0..2147483647",
            ),
            ({"position": [1], "grundy": [0], "Position": [1]}, "2 columns have the name 'position'"),
        ],
    )
    def test_errors(self, columns, message, tmp_path):
        path = tmp_path / "values.parquet"
        pa.parquet.write_table(pa.table(columns), path)
        with pytest.raises(ParseError) as caught:
            graphgame.read_values(path)
        assert str(caught.value).startswith(f"{path}: {message}")

    def test_a_play_of_no_kind(self, tmp_path):
        path = tmp_path / "values.parquet"
        table = pa.table({"position": [1], "grundy": [0]}).replace_schema_metadata({"graphgame.play": "chess"})
        pa.parquet.write_table(table, path)
        with pytest.raises(ParseError, match="play 'chess': expected normal or misere"):
            graphgame.read_values(path)


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_the_caller_may_name_the_columns(format, tmp_path):
    path = tmp_path / f"moves.{format}"
    table = pyarrow.table({"weight": [1, 2], "a": [3, 2], "b": [2, 1]})
    if format == "parquet":
        pyarrow.parquet.write_table(table, path)
    else:
        pyarrow.feather.write_feather(table, path)
    assert set(read_game(path, source="a", target="B").edges) == {(3, 2), (2, 1)}
    assert set(read_game(path, source="3", target="2").edges) == {(2, 3), (1, 2)}
    for source, target, found in [
        ("q", "b", "no column 'q'"),
        ("a", "9", "no column '9'"),
        ("a", "a", "column 2 is given both as"),
    ]:
        with pytest.raises(ParseError, match=found):
            read_game(path, source=source, target=target)
