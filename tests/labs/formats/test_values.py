"""Values files: what is written of a solved game is read back."""

import csv
import io
import sys
from contextlib import suppress

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphgame import GameGraph, solve
from graphgame.errors import FormatError, LimitError, ParseError
from graphgame.io.values import ValueRow, Values, write_values
from graphgame.labs.formats.values import parse_value, read_values
from graphgame.solution.solve import Solution
from tests.helpers import CHIPS, game


def put(tmp_path, text, name="values.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def assert_holds(values, solution):
    assert [(type(v), v) for v in values] == [(type(v), v) for v in solution.graph]
    assert np.array_equal(values.grundy, solution.grundy.array)
    assert np.array_equal(values.outcome, solution.outcome.array)
    assert np.array_equal(values.remoteness, solution.remoteness.array)


class RoundTrip:
    """What a format of values holds, whichever it is."""

    format: str

    @pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
    def test_files(self, suffix, tmp_path):
        solution = solve(nx.DiGraph(CHIPS))
        path = tmp_path / f"values.{self.format}{suffix}"
        write_values(solution, path)
        assert_holds(read_values(path), solution)

    def test_carriage_returns(self, tmp_path):
        solution = solve(nx.DiGraph([("\r", "a\rb"), ("a\rb", "c\r\n")]))
        write_values(solution, tmp_path / f"values.{self.format}")
        assert_holds(read_values(tmp_path / f"values.{self.format}"), solution)

    def test_large_labels(self, tmp_path):
        solution = solve(nx.DiGraph([("a" * 10**6, '"' * 10**6)]))
        write_values(solution, tmp_path / "values", self.format)
        assert_holds(read_values(tmp_path / "values", self.format), solution)

    def test_misere_play(self, tmp_path):
        path = tmp_path / f"values.{self.format}"
        write_values(solve(nx.DiGraph([(2, 1)]), misere=True), path)
        values = read_values(path)
        assert values[1] == ValueRow(1, "N", 0)
        assert values.misere

    def test_a_remoteness_beyond_the_limit_is_left_out(self, tmp_path, monkeypatch):
        def refuse(_):
            raise LimitError("the product graph is too large")

        monkeypatch.setattr(Solution, "remoteness", property(refuse))
        path = tmp_path / f"values.{self.format}"
        write_values(solve(game({0: [1, 1], 1: []}, sums=[0])), path)
        assert dict(read_values(path)) == {0: (0, "P", None), 1: (0, "P", None)}

    def test_an_empty_graph(self, tmp_path):
        path = tmp_path / f"values.{self.format}"
        write_values(solve(GameGraph([])), path)
        assert dict(read_values(path)) == {}

    def test_many_positions_stay_compact(self, tmp_path):
        graph = GameGraph.from_arrays(np.arange(1, 20_000), np.arange(20_000 - 1), 20_000)
        solution = solve(graph)
        write_values(solution, tmp_path / "values", self.format)
        values = read_values(tmp_path / "values")
        assert_holds(values, solution)
        assert isinstance(values, Values)
        assert type(values.labels) is type(graph.labels)


TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
INTEGERS = st.integers(-(2**63), 2**63 - 1)


def assert_comes_back(start, end, path):
    """Check that values are read as they were written, with these labels."""
    solution = solve(nx.DiGraph([(start, end)]))
    write_values(solution, path)
    assert_holds(read_values(path), solution)


class TestRoundTrip(RoundTrip):
    format = "csv"

    @given(TEXTS, TEXTS)
    @settings(max_examples=60)
    def test_any_texts(self, tmp_path_factory, start, end):
        assume(f"x{start}" != end)
        assert_comes_back(f"x{start}", end, tmp_path_factory.getbasetemp() / "values.csv")

    @given(st.lists(INTEGERS, min_size=2, max_size=2, unique=True))
    @settings(max_examples=60)
    def test_any_integers(self, tmp_path_factory, ends):
        assert_comes_back(*ends, tmp_path_factory.getbasetemp() / "values.csv")

    def test_a_column_misere_in_parquet_states_the_play_convention(self, tmp_path):
        path = tmp_path / "values.parquet"
        pq.write_table(pa.table({"position": [1, 2], "misere": [1, 0]}), path)
        assert read_values(path).misere is True

    def test_outcomes_in_small_letters_in_parquet(self, tmp_path):
        path = tmp_path / "values.parquet"
        pq.write_table(pa.table({"position": [1, 2, 3], "outcome": ["p", "N", None]}), path)
        assert [row.outcome for row in read_values(path).values()] == ["P", "N", None]

    def test_misere_play_is_in_the_header(self, tmp_path):
        write_values(solve(nx.DiGraph([(2, 1)]), misere=True), tmp_path / "values.csv")
        assert (tmp_path / "values.csv").read_text() == "position,misere,outcome,remoteness\n2,0,P,1\n1,1,N,0\n"
        assert read_values(put(tmp_path, "misere,position\n")).misere is True
        assert read_values(put(tmp_path, "position,grundy\n2,0\n")).misere is None  # as files of both plays were once

    def test_standard_streams(self, capsysbinary, monkeypatch):
        write_values(solve(nx.DiGraph([("é", "b")])), "-")
        written = capsysbinary.readouterr().out
        assert written == "position,grundy,outcome,remoteness\né,1,N,1\nb,0,P,0\n".encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written)))
        assert list(read_values("-")) == ["é", "b"]


class TestWriting:
    def test_csv_quotes_as_needed(self, tmp_path):
        path = tmp_path / "values.csv"
        write_values(solve(nx.DiGraph([('a,"b"', "c\nd")])), path)
        assert path.read_text() == 'position,grundy,outcome,remoteness\n"a,""b""",1,N,1\n"c\nd",0,P,0\n'

    @pytest.mark.parametrize(
        ("name", "format", "message"),
        [
            (
                "values.txt",
                None,
                (
                    "the name '.*values.txt' does not tell the format of a values file: expected a name "
                    "that ends in .csv, .json or .parquet"
                ),
            ),
            ("values.csv", "xml", "a values file cannot have the format 'xml': expected csv, json or parquet"),
        ],
    )
    def test_unknown_formats(self, name, format, message, tmp_path):
        with pytest.raises(FormatError, match=message):
            write_values(solve(nx.DiGraph([(2, 1)])), tmp_path / name, format)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(
        ("edge", "message"),
        [
            (("a\0", "b"), "has a NUL character, which CSV cannot express: write JSON"),
            ((1, "1"), "two positions have the same text, '1'"),
            (("\ud800", "b"), "lone surrogate"),
        ],
    )
    def test_what_csv_cannot_express(self, edge, message, tmp_path):
        with pytest.raises(FormatError, match=message):
            write_values(solve(nx.DiGraph([edge])), tmp_path / "values.csv")
        assert list(tmp_path.iterdir()) == []


class TestReading:
    @pytest.mark.parametrize("text", ["position,grundy\na,0\n", "position,grundy\na,x\n"])
    def test_the_limit_of_the_csv_module_stays_what_it_was(self, text, tmp_path):
        (tmp_path / "a.csv").write_text(text)
        before = csv.field_size_limit(12_345)
        try:
            with suppress(ParseError):
                read_values(tmp_path / "a.csv")
            assert csv.field_size_limit() == 12_345
        finally:
            csv.field_size_limit(before)

    def test_rows(self, tmp_path):
        values = read_values(put(tmp_path, "position,grundy,outcome,remoteness\n7,0,P,0\n9,1,N,\n"))
        assert dict(values) == {7: ValueRow(0, "P", 0), 9: ValueRow(1, "N", None)}
        assert values.remoteness.tolist() == [0, -1]
        assert repr(values) == "<Values of 2 positions>"
        with pytest.raises(KeyError):
            values[8]

    @pytest.mark.parametrize(
        ("text", "rows"),
        [
            ("position,grundy\na,1\n", {"a": (1, None, None)}),
            ("Grundy , x, POSITION\n1,y,a\n", {"a": (1, None, None)}),
            ("position,grundy,outcome\r\na,0,\r\n", {"a": (0, None, None)}),
            ("position,grundy,outcome\na,,P\n", {"a": (None, "P", None)}),
            ("\nposition,grundy\n\na,1\n\n", {"a": (1, None, None)}),
            ("\ufeffposition,grundy\n1,1\n02,0\n", {"1": (1, None, None), "02": (0, None, None)}),
        ],
    )
    def test_other_columns(self, text, rows, tmp_path):
        assert dict(read_values(put(tmp_path, text, "values"))) == rows

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", ":1:1: not a values file: expected the columns position, grundy, outcome, remoteness"),
            ("a,b\n", ":1:1: not a values file: expected the columns"),
            ("position,grundy\na\n", ":2:1: 1 field: expected 2 or more, as in the header"),
            (
                "position,grundy,misere\n",
                ":1:1: the columns 'grundy' and 'misere' have the same meaning: expected only one of them",
            ),
            (
                "position,grundy\na,1\na,1\n",
                ":3:1: two rows have the position 'a': expected one row for each position",
            ),
            (
                "position,grundy\na,-1\n",
                ":2:1: grundy '-1': expected an integer in 0..2147483647, or a value such as inf(0,2), sunny or loony"
                "\n    a,-1\n",
            ),
            ("position,grundy\na,1.0\n", "grundy '1.0': expected an integer"),
            ("position,grundy\na,٣\n", "grundy '٣': expected an integer"),
            (
                "position,remoteness\na,1\n",
                "not a values file: expected the columns position, grundy, outcome, remoteness, or",
            ),
            (
                "position,value,misere\na,1,1\n",
                ":1:1: the columns 'value' and 'misere' have the same meaning: expected only one of them",
            ),
            ("position,grundy\na,2147483648\n", "grundy '2147483648': expected an integer"),
            ("position,grundy,outcome\na,1,W\n", ":2:1: outcome 'W': expected P, N or D"),
            ("position,grundy,remoteness\na,1,x\n", ":2:1: remoteness 'x': expected an integer"),
            (
                'position,grundy\n"a,1\n',
                ":2:1: the row is not CSV, unexpected end of data: expected fields quoted as in CSV",
            ),
            ("position,grundy,Grundy\n1,1,0\n", ":1:1: 2 columns have the name 'grundy': expected only one"),
            (
                "position,grundy\na\rb,1\n",
                ":2:1: a field without quotes contains a carriage return: expected fields quoted as in CSV",
            ),
            (
                'position,grundy\n"a"b,1\n',
                ":2:1: the row is not CSV, ',' expected after '\"': expected fields quoted as in CSV",
            ),
            (b"position,grundy\n\xff,1\n", ":2:1: the byte 0xff is not UTF-8 text"),
            (b"position,grundy\n\0,1\n", ":2:1: the file has a NUL byte"),
        ],
    )
    def test_errors(self, text, message, tmp_path):
        with pytest.raises(ParseError) as error:
            read_values(put(tmp_path, text, "values"))
        assert message in str(error.value)

    def test_a_truncated_file(self, tmp_path):
        path = tmp_path / "values.csv.gz"
        write_values(solve(nx.path_graph(1000, create_using=nx.DiGraph)), path)
        path.write_bytes(path.read_bytes()[:-20])
        with pytest.raises(ParseError, match="the gzip data is truncated"):
            read_values(path)

    def test_unknown_formats(self, tmp_path):
        with pytest.raises(FormatError, match="a values file cannot have the format 'xml'"):
            read_values(put(tmp_path, ""), "xml")
        with pytest.raises(FormatError, match="a values file cannot have the format 'xml'"):
            read_values(put(tmp_path, "", "values"), "xml")

    def test_progress(self, tmp_path):
        seen = []
        read_values(put(tmp_path, "position,grundy\n1,1\n"), progress=lambda *bytes: seen.append(bytes))
        assert seen[-1] == (20, 20)


@pytest.mark.parametrize("text", ["inf(0,2)", "inf()", "inf(2147483647)"])
def test_text_is_read_back(text):
    assert str(parse_value(text)) == text


@pytest.mark.parametrize("text", ["", "inf", "inf(", "inf(-1)", "inf(1,)", "inf(2147483648)", "inf(1) ", "inf(a)"])
def test_no_text_of_a_value(text):
    assert parse_value(text) is None
