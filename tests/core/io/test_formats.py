"""Which format a file is in, and reading and writing by format."""

import codecs
import inspect
import io
import subprocess
import sys
import warnings

import networkx as nx
import pytest

import graphgame.io
from graphgame import GameGraph
from graphgame.errors import FormatError, ParseError, UndirectedGraphError
from graphgame.io import FORMATS, generate_game, parse_game, read_game, write_game
from graphgame.io.files import Source
from graphgame.io.formats import detect, format_named, format_of_name
from graphgame.io.interchange import numbered
from graphgame.io.other_formats import QUOTIENT, file_kind

"""The formats that are read where they are written: reading DOT is the work of a lab, which tests it."""

WITH_TOKENS = [name for name in FORMATS if name != "npy"]

TEXTS = [
    ("token", "6 8 4\n1 2\n"),
    ("token", "# a comment\n\n6 8 4 % header\n1 2\n"),
    ("token", "3 2 1"),
    ("token", "4 1 1\n1 2 4\n"),
    ("token", "1 2 3\n4 5 6 7\n"),
    ("edgelist", "1 2 5\n2 3 1\n"),
    ("edgelist", "2\n1 1\n0\n"),
    ("edgelist", "2\n1 2\n0\n1 0\n"),
    ("edgelist", "2\n1 1\n"),
    ("edgelist", "0\n0\n"),
    ("edgelist", "2 5\n1 1\n1 0\n1 0\n"),
    ("edgelist", "2\n2 1\n0\n1 0\n"),
    ("edgelist", "3\n1 1 2\n0\n0\n1 0\n"),
    ("edgelist", "2\n1 -1\n0\n1 0\n"),
    ("edgelist", "2\n1 a\n0\n1 0\n"),
    ("edgelist", "1 2 3 4\n5 6 7 8\n"),
    ("edgelist", "3\n1 2\n1 9\n2 3\n1 5\n"),
    ("edgelist", "7\n8\n9\n"),
    ("edgelist", "a b\nb c\n"),
    ("edgelist", "1 2\n2 3\n"),
    ("edgelist", "1\t2\n2\t3\n"),
    ("edgelist", "(1,2) (3,4)\n"),
    ("edgelist", "# only a comment\n"),
    ("edgelist", "source target\na b\n"),
    ("edgelist", "graph game\n"),
    ("csv", "source,target\na,b\n"),
    ("csv", "weight,Target,Source\n1,2,3\n"),
    ("csv", "1,2\n2,3\n4\n"),
    ("csv", "a, b\nb, c\n"),
    ("csv", "a,b,c\n"),
    ("csv", "source,target,note\na,b,two words\n"),
    ("csv", "a;b\nc;d\n"),
    ("edgelist", "a; b\nc d\n"),
    ("edgelist", "a\tb\tstep 1\nb\tc\tstep 2\n"),
    ("tsv", "source\ttarget\na b\tc\n"),
    ("tsv", "source\ttarget\na\tb\n"),
    ("tsv", "step 1\tstep 0\nstep 2\tstep 0\n"),
]


def assert_detected(name, text, tmp_path, monkeypatch):
    """Check that a text is of a format, in files of any name and on standard input."""
    for file in ("a.txt", "a", "a.dat", "a.txt.gz"):
        path = tmp_path / file
        with graphgame.io.open_atomic(path) as stream:
            stream.write("\ufeff" + text)
        with Source(path) as source:
            assert detect(source)[0].name == name
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert detect(Source("-"))[0].name == name


class TestDetect:
    @pytest.mark.parametrize(("name", "text"), TEXTS)
    def test_by_the_first_lines(self, name, text, tmp_path, monkeypatch):
        assert_detected(name, text, tmp_path, monkeypatch)

    @pytest.mark.parametrize(("name", "row"), [("csv", "label {0};label {1}\n"), ("edgelist", "{0} {1} 5\n")])
    def test_a_byte_order_mark_does_not_hide_that_the_head_is_cut(self, name, row):
        rows = "".join(row.format(number, number + 1) for number in range(1, 12_000))
        for width in range(1, 20):
            text = (row.format(1, "2" * width) + rows).encode()
            assert [detect(Source(mark + text))[0].name for mark in (b"", codecs.BOM_UTF8)] == [name, name]

    @pytest.mark.parametrize("text", ["a: b c\nb: c\n", "0 1 0\n0 0 1\n0 0 0\n", "a,b,x\nc,d,y\n", "\xe9 b\n"])
    def test_advice_for_standard_input_has_a_path_that_can_be_opened(self, text, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("latin-1"))))
        with pytest.raises((FormatError, ParseError), match=r"[ ']/dev/stdin"):
            read_game("-")

    @pytest.mark.parametrize("format", [format for format in FORMATS.values() if format.suffix_decides])
    def test_by_the_suffix(self, format, tmp_path):
        for suffix in format.suffixes:
            for name in (f"a{suffix}", f"A{suffix.upper()}.GZ"):
                path = tmp_path / name
                path.write_text("")
                assert detect(Source(path)) == (format, True)

    def test_long_files_are_judged_by_whole_lines(self):
        rows = "".join(f"1 {v + 1}\n" for v in range(20_000))
        assert detect(Source(f"5\n{rows}".encode()))[0].name == "edgelist"
        assert detect(Source(b"1 2 5\n" * 20_000))[0].name == "edgelist"
        assert detect(Source(b"1" * 5_000))[0].name == "edgelist"

    @pytest.mark.parametrize("line", [b"# # # # #\n", b"\n", b"/* */ ", b"  \n"])
    def test_many_comments_take_no_time(self, line):
        assert detect(Source(line * 10_000 + b"a b\n"))[0].name == "edgelist"

    def test_nothing_at_all(self):
        with pytest.raises(ParseError, match="<text>:1: the file is empty or blank: expected a graph"):
            parse_game(" \n")

    def test_other_xml(self):
        with pytest.raises(
            FormatError, match="<text> is XML, but neither GraphML nor GEXF: expected one of these two formats"
        ):
            parse_game("<html>")

    @pytest.mark.parametrize("start", ["", "\ufeff", 'Creator "igraph"\nVersion 1\n', "# by hand\n  "])
    def test_gml(self, start):
        with pytest.raises(FormatError, match="<text> is GML, which graphgame does not read"):
            parse_game(f"{start}graph [\n  directed 1\n  node [ id 0 ]\n]\n")

    def test_an_error_after_a_guess_says_so(self, tmp_path):
        with pytest.raises(
            ParseError, match=r"\(the file was taken for the format 'edgelist': give the format if it is another\)"
        ):
            parse_game("a b\nb c d\n")
        for format, name in (("edgelist", "a"), (None, "a.edges")):
            path = tmp_path / name
            path.write_text("a b c\n")
            with pytest.raises(ParseError) as caught:
                read_game(path, format)
            assert "taken for" not in str(caught.value)


class TestNames:
    def test_named(self):
        assert [format_named(name).name for name in FORMATS] == list(FORMATS)

    def test_unknown_name(self):
        with pytest.raises(FormatError, match="unknown format 'pajek': expected one of token, edgelist, csv"):
            read_game("-", "pajek")

    @pytest.mark.parametrize(("path", "name"), [("a.txt", "token"), ("a.edges.xz", "edgelist"), ("a.CSV", "csv")])
    def test_of_a_file_name(self, path, name):
        assert format_of_name(path).name == name

    def test_of_no_known_file_name(self, tmp_path):
        with pytest.raises(
            FormatError, match=r"the name '.*a\.xyz' does not tell the format of the file: choose a name such as"
        ):
            write_game(nx.DiGraph([(1, 2)]), tmp_path / "a.xyz")
        assert list(tmp_path.iterdir()) == []

    def test_no_suffix_belongs_to_two_formats(self):
        suffixes = [suffix for format in FORMATS.values() for suffix in format.suffixes]
        assert len(suffixes) == len(set(suffixes))


class TestReadAndWrite:
    @pytest.mark.parametrize("name", WITH_TOKENS)
    def test_tokens_stay(self, name, tmp_path):
        first = 0 if name == "judge" else 1
        graph = GameGraph([(first, first + 1), (first, first + 2)], tokens=[first, first])
        write_game(graph, tmp_path / "game", name)
        found = read_game(tmp_path / "game", name)
        assert sorted(found.edges) == sorted(graph.edges)
        assert found.tokens == (first, first)
        assert found.graph["format"] == name

    @pytest.mark.parametrize("name", WITH_TOKENS)
    def test_vertices_without_edges_stay(self, name, tmp_path):
        first = 0 if name == "judge" else 1
        graph = nx.empty_graph(range(first, first + 3), create_using=nx.DiGraph)
        path = tmp_path / f"game{FORMATS[name].suffixes[0]}"
        write_game(graph, path)
        assert sorted(read_game(path)) == [first, first + 1, first + 2]

    @pytest.mark.parametrize("name", FORMATS)
    def test_a_graph_without_positions(self, name, tmp_path):
        path = tmp_path / f"game{FORMATS[name].suffixes[0]}"
        write_game(nx.DiGraph(), path)
        assert len(read_game(path)) == 0

    @pytest.mark.parametrize("name", FORMATS)
    def test_an_undirected_graph_is_not_written(self, name, tmp_path):
        with pytest.raises(UndirectedGraphError):
            write_game(nx.Graph([(1, 2)]), tmp_path / "a", name)
        assert list(tmp_path.iterdir()) == []

    def test_a_failed_write_leaves_the_file(self, tmp_path):
        path = tmp_path / "a.txt"
        path.write_text("before")
        with pytest.raises(FormatError):
            write_game(nx.DiGraph([("a", "b")]), path)
        assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.txt", "before")]

    def test_generate(self):
        assert list(generate_game(nx.DiGraph([(1, 2)]), "token")) == ["2 1 0", "1 2"]

    def test_parse_a_lone_surrogate(self):
        with pytest.raises(ParseError, match="byte 0xed is not UTF-8 text"):
            parse_game("a \ud800\n", "edgelist")

    def test_progress(self, tmp_path):
        path = tmp_path / "a.edges"
        path.write_text("1 2\n" * 1_000_000)
        calls = []
        read_game(path, progress=lambda *call: calls.append(call))
        assert calls[-1] == (4_000_000, 4_000_000)
        assert len(calls) >= 4


def test_every_public_function_has_a_docstring():
    for name in graphgame.io.__all__:
        assert inspect.getdoc(getattr(graphgame.io, name)), name


def test_reading_a_small_file_loads_nothing_heavy(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("2 1 1\n1 2\n1\n")
    code = (
        "import sys, networkx, numpy; before = set(sys.modules)\n"
        f"from graphgame.io import read_game; read_game({str(path)!r})\n"
        "print(*(set(sys.modules) - before))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout.split()
    assert "graphgame.io.tokenfile" in loaded
    assert not {
        "numba",
        "pydot",
        "pygraphviz",
        "rich",
        "xml",
        "pyarrow",
        "backports.zstd",
    } & set(loaded)


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("von;nach;Notiz\na;b;x\na;c;ja, nein\n", [("a", "b"), ("a", "c")]),
        ("von;nach\nMeier, Anna;Huber\nHuber;Kurz, Eva\n", [("Meier, Anna", "Huber"), ("Huber", "Kurz, Eva")]),
        ("source\ttarget\tnote\na\tb\tx\na\tc\tyes, no\n", [("a", "b"), ("a", "c")]),
        ("source|target|note\na|b|x\na|c|yes, no\n", [("a", "b"), ("a", "c")]),
        ("a;b,c\nd,e\n", [("a;b", "c"), ("d", "e")]),
    ],
)
def test_a_comma_in_a_text_separates_no_columns(tmp_path, text, edges):
    path = tmp_path / "notes.csv"
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", graphgame.errors.ReadingWarning)
        assert sorted(graphgame.read_game(path).edges) == sorted(edges)


def test_columns_have_numbers_in_python(tmp_path):
    path = tmp_path / "moves.csv"
    path.write_text("x,a,b\ny,b,c\n")
    assert sorted(graphgame.read_game(path, source=2, target=3).edges) == [("a", "b"), ("b", "c")]


@pytest.mark.parametrize(
    ("name", "text", "advice"),
    [
        ("moves.csv", "a->b\nb->c\n", "an arrow"),
        ("moves.csv", "a -> b, c\nb -> c\n", "an arrow"),
        ("moves.csv", "a->b;\nb->c;\n", "an arrow"),
        ("moves.adjlist", "a 2\nb {}\nc {}\nb 0\nc 0\n", "multiline adjacency list"),
    ],
)
def test_lines_that_are_no_columns_are_refused_with_advice(tmp_path, name, text, advice):
    (tmp_path / name).write_text(text)
    with pytest.raises((FormatError, ParseError), match=advice):
        read_game(tmp_path / name)


def test_numbered_keeps_the_kinds_of_positions():
    graph = GameGraph.from_arrays([1, 1], [0, 2], [3, 1, 2], sums=[False, True, False])
    assert dict(numbered(graph, 1).nodes(data=True)) == dict(graph.nodes(data=True))
    graph = GameGraph.from_arrays([1, 1], [0, 2], [3, 1, 2], decided=[-2, 0, -3])
    assert dict(numbered(graph, 1).nodes(data=True)) == dict(graph.nodes(data=True))


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ('"graphgame misère quotient"', QUOTIENT),
        ('"graphgame mis\\u00e8re quotient"', QUOTIENT),
        ('"say \\"hi\\""', None),
        ('"C:\\q"', None),
        ('""', None),
    ],
)
def test_kind_of_a_file_with_any_format(value, kind):
    assert file_kind(Source(f'{{"format": {value}, "nodes": []}}'.encode())) is kind
