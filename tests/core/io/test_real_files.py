"""Files as other programs write them: each is read right, or refused by a line that says how to convert it.

``data/`` has files that networkx 3.6, igraph 1.0, pandas 3.1, SciPy 1.17, NumPy and Graphviz 2.43 wrote, and others as
Excel in three languages, R, Gephi, yEd, Neo4j, SNAP, KONECT, DIMACS and online judges write them.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import networkx as nx
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from graphgame import GameGraph, explain, read_game, solve, write_game
from graphgame.cli import main
from graphgame.errors import FormatError, ParseError, ReadingWarning
from graphgame.io import parse_game

DATA = Path(__file__).parent / "data"
LEFT = {("start", "left"), ("start", "right"), ("left", "end"), ("right", "end")}
WITHOUT_LAST = LEFT - {("right", "end")}
THREE = {(1, 2), (1, 3), (2, 3)}
FOUR = THREE | {(3, 4)}
FROM_0 = {(0, 1), (0, 2), (1, 3), (2, 3)}
ONE, TWO = "the reader ignores 1 column of the table", "the reader ignores 2 columns of the table"
THIRD, THIRD_AND_ON = "the reader ignores column 3", "the reader ignores columns 3 to 4"
SEMICOLONS = "the columns are split at semicolons"


def header(line: str) -> str:
    return f"the first line, {line!r}, is read as the names of the columns"


READ = {
    "excel_de.csv": (WITHOUT_LAST, SEMICOLONS, ONE),
    "excel_de_names.csv": (
        {("start", "links"), ("start", "rechts"), ("links", "ende")},
        *(SEMICOLONS, header("Von;Nach;Gewicht"), ONE),
    ),
    "excel_en.csv": ({("start", "left"), ("start", "right, or so"), ("left", "end")}, ONE),
    "excel_fr_no_header.csv": (THREE, SEMICOLONS),
    "excel_sep.csv": ({(1, 2), (1, 3)}, header("from;to")),
    "excel_zh.csv": ({("开始", "左"), ("开始", "右"), ("左", "结束")}, header("从,到")),
    "gephi_edges.csv": ({("start", "left"), ("start", "right")}, "the reader ignores 5 columns of the table"),
    "gephi_semicolon.csv": ({("start", "left"), ("start", "right")}, SEMICOLONS, TWO),
    "igraph.ncol": (LEFT,),
    "igraph_edges.txt": (FROM_0,),
    "igraph_weighted.ncol": (LEFT, THIRD),
    "judge_nm.txt": (
        THREE,
        (
            "the first line, 4 3, is read as a count of 4 positions and 3 moves; with --format "
            "edgelist it is read as a move"
        ),
    ),
    "judge_nm0.txt": (
        {(4, 3), (0, 1), (1, 2), (0, 3)},
        "the first line, 4 3, is read as a move; if it counts positions and moves, leave it out",
    ),
    "judge_path.txt": (
        {(3, 2), (2, 1), (1, 0)},
        "the first line, 3 2, is read as a move; if it counts positions and moves, leave it out",
    ),
    "konect.out": (THREE, THIRD_AND_ON),
    "konect_unweighted.tsv": (THREE,),
    "neo4j.csv": ({(1, 2), (1, 3)}, header(":START_ID,:END_ID,:TYPE"), ONE),
    "numpy.txt": (THREE,),
    "numpy_header.csv": (THREE, header("# source,target")),
    "nx.adjlist": (FOUR,),
    "nx.edgelist": (FOUR, THIRD),
    "nx_comma.csv": (FOUR,),
    "nx_comma_data.csv": (FOUR, THIRD),
    "nx_data.edgelist": (THREE, THIRD),
    "nx_int_weights.txt": (THREE, THIRD),
    "nx_nodata.edgelist": (FOUR,),
    "nx_tabs.tsv": (THREE, THIRD),
    "nx_text.edgelist": (LEFT, THIRD),
    "nx_weighted.edgelist": (WITHOUT_LAST, THIRD),
    "nx_weighted.txt": (WITHOUT_LAST, THIRD),
    "pandas.csv": (LEFT, ONE),
    "pandas_bom.csv": (LEFT, ONE),
    "pandas_from_to.csv": (THREE, header("From,To")),
    "pandas_gz.csv.gz": (LEFT, ONE),
    "pandas_index.csv": (LEFT, TWO),
    "pandas_index_von.csv": (THREE, header(",von,nach"), ONE),
    "pandas_noheader.csv": (LEFT, THIRD),
    "pandas_numbered.csv": (THREE, header(",0,1"), ONE),
    "pandas_parent.tsv": (LEFT, header("parent\tchild\tweight"), ONE),
    "pandas_plain.csv": (LEFT,),
    "pandas_quoted.csv": (LEFT, ONE),
    "pandas_semicolon.csv": (LEFT, SEMICOLONS, ONE),
    "pandas_tab.tsv": (LEFT, ONE),
    "r_write_csv.csv": (WITHOUT_LAST, header(",from,to,weight"), TWO),
    "r_write_csv2.csv": ({("a", "b"), ("b", "c")}, SEMICOLONS, header(";from;to;w"), TWO),
    "r_write_csv_plain.csv": ({("start", "left"), ("start", "right")}, header("from,to")),
    "r_write_table.txt": ({("start", "left"), ("start", "right")}, header('"from" "to" "weight"'), TWO),
    "r_write_table_bare.txt": (THREE, header("from to")),
    "semicolon.edges": ({("a", "b"), ("b", "c")}, SEMICOLONS),
    "snap.txt": ({(0, 11342), (0, 824020), (11342, 27469)},),
    "space_after_comma.txt": ({("a", "b"), ("b", "c"), ("a", "c")},),
}
"""Name -> the edges, and what the reader had to guess."""

GML, PAJEK = (
    "in Python, GameGraph(networkx.read_gml({path!r})) reads the file",
    "networkx.read_pajek({path!r}))) reads the file",
)
TO_EDGES = "{path} | graphgame convert --from edgelist - game.edges makes an edge list of the file"
DIMACS = "is DIMACS, which graphgame does not read: the command awk '$1 == "
MATRIX = (
    "is Matrix Market, which graphgame does not read: in Python, GameGraph(scipy.io.mmread({path!r})) reads the file"
)
UTF16 = "the file is UTF-16 text: convert it to UTF-8 by iconv -f utf-16 -t utf-8 {path} > utf8"
REFUSED = {
    "arrow.txt": "expected one or two labels on a line, found 3; write the two labels without the sign -> between them",
    "dimacs.col": DIMACS,
    "dimacs_sp.gr": DIMACS,
    "excel_unicode.txt": UTF16,
    "excel_zh_gbk.csv": (
        "is not UTF-8 text: if the file is gb18030, the command iconv -f gb18030 -t utf-8 {path} > utf8.csv converts it"
    ),
    "graphviz_plain.txt": (
        "is a file with the plain output of Graphviz, which graphgame does not read: dot -Tdot writes the original "
        "file as DOT, which graphgame reads"
    ),
    "igraph.gml": "in Python, GameGraph(networkx.read_gml({path!r}, label='name')) reads the file",
    "igraph.lgl": (
        "is LGL, which graphgame does not read: in Python, GameGraph(igraph.Graph.Read_Lgl({path!r})) reads the file"
    ),
    "igraph.net": PAJEK,
    "igraph_dimacs.txt": DIMACS,
    "networkrepository.mtx": MATRIX,
    "nx.gml": GML,
    "nx.net": PAJEK,
    "nx_adjlist.txt": "(the file was taken for the format 'token': give the format if it is another)",
    "nx_data_some.edgelist": (
        "expected one or two labels on a line, found 3; --source 1 --target 2 reads the first two labels of each line"
    ),
    "nx_multiline.txt": "GameGraph(networkx.read_multiline_adjlist({path!r}, create_using=networkx.DiGraph))",
    "pandas_utf16.csv": UTF16,
    "scipy.mtx": MATRIX,
    "tgf.tgf": (
        "is TGF, which graphgame does not read: the command awk '/^#/ {{e = 1; next}} {{print $1, e ? $2 : \"\"}}' "
    )
    + TO_EDGES,
}


def assert_read(name, expected):
    """Check a file's edges, what the reader says it guessed, and which positions have no edges."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        graph = read_game(DATA / name)
    start = f"{DATA / name} is read as {graph.graph['format']}: "
    assert set(graph.edges) == expected[0]
    assert [str(warning.message) for warning in told] == [start + "; ".join(expected[1:])] * bool(expected[1:])
    assert [vertex for vertex in graph if not graph.degree(vertex)] == {"judge_nm.txt": [4], "scipy.npz": [3]}.get(
        name, []
    )


@pytest.mark.parametrize(("name", "expected"), READ.items())
def test_read(name, expected):
    assert_read(name, expected)


@pytest.mark.parametrize(("name", "message"), REFUSED.items())
def test_refused(name, message):
    path = str(DATA / name)
    with pytest.raises((ParseError, FormatError)) as caught:
        read_game(path)
    assert message.format(path=path) in str(caught.value)
    assert str(caught.value).splitlines()[0].count(path) >= 1


class TestDialects:
    @pytest.mark.parametrize(
        ("text", "format", "edges"),
        [
            ("a;b,c x\n", "edgelist", [("a;b,c", "x")]),
            ("1,2;3 x\n4,5;6 x\n", "edgelist", [("1,2;3", "x"), ("4,5;6", "x")]),
            (
                "start left\nstart right\nleft end\n",
                "edgelist",
                [("start", "left"), ("start", "right"), ("left", "end")],
            ),
            ("from to\nto b\n", "edgelist", [("from", "to"), ("to", "b")]),
            ("(1,2) (0,2)\n(0,2) (0,1)\n", "edgelist", [("(1,2)", "(0,2)"), ("(0,2)", "(0,1)")]),
            ("x;1,y;2\nx;1,z;3\n", "csv", [("x;1", "y;2"), ("x;1", "z;3")]),
            ("a {b}\n", "edgelist", [("a", "{b}")]),
            ('"from" "to"\n"to" "b"\n', "edgelist", [("from", "to"), ("to", "b")]),
            ('"source" "target"\n', "edgelist", [("source", "target")]),
        ],
    )
    def test_what_is_left_as_it_stands(self, text, format, edges):
        assert list(parse_game(text, format).edges) == edges

    @pytest.mark.parametrize("text", ["1;2,5\n3;4,5\n", "a,5;b,2\nc,1;d,2\n"])
    def test_what_is_ambiguous_is_refused(self, text):
        with pytest.raises(
            ParseError, match="either ; or , may separate the columns: name the columns in the first line"
        ):
            parse_game(text, "csv")

    def test_a_count_of_edges(self):
        with pytest.warns(
            ReadingWarning,
            match="the first line, 5 2, is read as a count of 5 positions and 2 moves; with --format edgelist",
        ):
            assert list(parse_game("5 2\n1 2\n2 3\n")) == [1, 2, 3, 4, 5]
        assert sorted(parse_game("5 2\n1 2\n2 3\n", "edgelist").edges) == [(1, 2), (2, 3), (5, 2)]
        assert sorted(parse_game("5 3\n1 2\n2 3\n").edges) == [(1, 2), (2, 3), (5, 3)]
        assert sorted(parse_game("2 2\n1 2\n2 3\n").edges) == [(1, 2), (2, 2), (2, 3)]
        assert list(parse_game("9 3\n1 2\n2 3\n3 x\n")) == ["9", "3", "1", "2", "x"]

    @pytest.mark.parametrize(
        ("text", "note"),
        [
            ("3 2 0.5\n3 1 0.5\n2 1 0.5\n", THIRD),
            ("3 2 {'weight': 5}\n3 1 {}\n2 1 {}\n", THIRD),
            ("# FromNodeId\tToNodeId\n3\t2\n2\t1\n3\t1\n", "the first line, 3 2, is read as a move; if it counts"),
        ],
    )
    def test_a_first_line_with_data_or_below_a_comment_is_a_move(self, text, note):
        with pytest.warns(ReadingWarning) as caught:
            graph = parse_game(text)
        assert set(graph.edges) == {(3, 2), (3, 1), (2, 1)}
        assert note in str(caught[0].message)

    @pytest.mark.parametrize(
        ("text", "edges", "note"),
        [
            ("(3, 2)\n(2, 1)\n", [(3, 2), (2, 1)], "each line is read as one or two tuples of Python"),
            ("(3,2),\n\n(2,1),\n", [(3, 2), (2, 1)], "each line is read as one or two tuples of Python"),
            (
                "('a', 'it\\'s')\r\n('b', 2)\r\n",
                [("a", "it's"), ("b", "2")],
                "each line is read as one or two tuples of Python",
            ),
            ("('3', '2')\n", [("3", "2")], "each line is read as one or two tuples of Python"),
            ("(1, 2, {'weight': 3})\n", [(1, 2)], "each line is read as one or two tuples of Python"),
            (
                "3 2\n1 2 0.5\n2 3 4\n",
                [(1, 2), (2, 3)],
                "the reader ignores column 3; the first line, 3 2, is read as a count of 3 positions and 2 moves",
            ),
            ("source,target\n3.0,2.0\n2.0,1.0\n", [(2, 1), (3, 2)], "labels such as 3.0 are read as integers"),
            ("source,target,w\n3,2.0,.5\n1,,\n", [(3, 2)], "labels such as 3.0 are read as integers"),
            ("3 2\n1 2\n2 3\n1\n3\n", [(1, 2), (2, 3)], "3 positions and 2 moves; with --format edgelist"),
        ],
    )
    def test_what_people_write(self, text, edges, note):
        with pytest.warns(ReadingWarning) as caught:
            graph = parse_game(text)
        assert set(graph.edges) == set(edges)
        assert note in str(caught[0].message)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("(3, 2)\n2 1\n", "2: expected a move as in the first line: a tuple"),
            (
                "a->b\nb->c\n",
                (
                    "1:1: this line is a move with an arrow: write the move as two labels, such as a b; "
                    "or turn the file into DOT"
                ),
            ),
            ("1->2", "1:1: this line is a move with an arrow"),
            ("(3, 2)\n" * 2000 + "(3, x())\n", "2001: expected a move as in the first line: a tuple"),
            ("3 3\n0 1 0.5\n1 2 0.5\n0 2 1\n", "1: the first line has two numbers and the other lines have more"),
            ("3 3\na 1 0.5\nb 2 0.5\n", "1: the first line has two numbers and the other lines have more"),
            ("source,target\n" + "3.0,2.0\n" * 2000 + "3.5,2.0\n", "3.5'? is not a whole number"),
            ("1 -- 2\n2 -- 3\n", "found 3; write the two labels without the sign --"),
            ('a "" b\n', "found 3; --source 1 --target 2 reads the first two labels"),
            ("0: [1, 2]\n1: [2]\n", "is an adjacency list file with colons"),
            (
                '{"source": 1, "target": 2}\n{"source": 2, "target": 3}\n',
                "is JSON lines, which graphgame does not read",
            ),
        ],
    )
    def test_what_is_refused_with_advice(self, text, message):
        with pytest.raises((ParseError, FormatError), match=message):
            parse_game(text)

    def test_texts_that_look_like_floats_are_written_in_quotes(self, tmp_path):
        write_game([("3.0", "2.0")], tmp_path / "a.csv")
        assert list(read_game(tmp_path / "a.csv").edges) == [("3.0", "2.0")]

    def test_vertical_bars_between_columns(self):
        with pytest.warns(ReadingWarning, match="the columns are split at vertical bars"):
            assert list(parse_game("a|b\nb|c\n", "csv").edges) == [("a", "b"), ("b", "c")]

    def test_a_count_of_many_edges(self):
        """Numbers are read by a compiled loop, in several blocks."""
        lines = "".join(f"{number % 1000 + 2} {number % 999 + 1}\n" for number in range(300_000))
        with pytest.warns(ReadingWarning, match="2,000 positions and 300,000 moves"):
            graph = parse_game(f"2000 300000\n{lines}")
        assert (len(graph), graph.graph["format"]) == (2000, "edgelist")
        assert sorted(parse_game(f"2000 300000\n{lines}1001 2001\n"))[-1] == 300_000
        assert len(parse_game(f"2000 300000\n{lines}1001 x\n")) == 1004

    @pytest.mark.parametrize(
        ("source", "target", "edges"),
        [
            ("kid", "mum", [("a", "b"), ("c", "d")]),
            ("MUM", "kid", [("b", "a"), ("d", "c")]),
            ("1", "3", [("a", "7"), ("c", "9")]),
        ],
    )
    @pytest.mark.parametrize("separator", [",", ";", "\t", " "])
    def test_named_columns(self, source, target, edges, separator, tmp_path):
        path = tmp_path / "game.txt"
        path.write_text("kid,mum,age\na,b,7\nc,d,9\n".replace(",", separator))
        format = {" ": "edgelist", "\t": "tsv"}.get(separator, "csv")
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            assert list(read_game(path, format, source=source, target=target).edges) == edges
        assert bool(told) == (source == "1")

    def test_columns_that_are_not_there(self, tmp_path):
        path = tmp_path / "game.csv"
        path.write_text("a,b\n1,2\n")
        with pytest.raises(ParseError, match="the first line names no column 'x': its columns are 'a', 'b'"):
            read_game(path, source="x", target="b")
        with pytest.raises(ParseError, match="there is no column 3: the first line has 2"):
            read_game(path, source="1", target="3")

    @pytest.mark.parametrize("number", [0, "0", "-1"])
    def test_columns_are_counted_from_1(self, number):
        fault = f"no column {number}: columns are counted from 1"
        with pytest.raises(ParseError, match=fault):
            parse_game("0 2\n2 1\n", "edgelist", source=number, target="2")
        with pytest.raises(ParseError, match=fault):
            parse_game("-1,0\n2,1\n", "csv", source="1", target=number)

    def test_a_number_in_the_first_row_is_no_name_of_a_column(self):
        """The advice was --source 1 --target a; it named column 1, and the first row then was no move."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert list(parse_game("1 a\n2 b\n").edges) == [("1", "a"), ("2", "b")]

    def test_a_header_alone_with_signs_in_its_names(self):
        with pytest.warns(ReadingWarning, match="is read as the names of the columns"):
            assert not parse_game("from_node,To Node\n")

    def test_longer_rows_after_the_first_1000_lines(self):
        text = "a b\n" * 1200 + "c d e\n"
        with pytest.raises(ParseError, match="--source 1 --target 2 reads the first two labels"):
            parse_game(text, "edgelist")
        assert list(parse_game(text, "edgelist", source=1, target=2).edges) == [("a", "b"), ("c", "d")]

    def test_large_integers_among_floats(self):
        """float64 has no 2**53 + 1."""
        with pytest.warns(ReadingWarning, match="labels such as 3.0") as told:
            assert "9007199254740993" in parse_game("9007199254740993 1e+05\n1 1.0e+30\n")
        assert len(told) == 1

    def test_weights_after_a_tab(self):
        with pytest.warns(ReadingWarning, match="ignores column 3"):
            assert list(parse_game("1 2\t3\n2 3\t4\n").edges) == [(1, 2), (2, 3)]

    def test_vertices_counted_from_0_in_a_token_file(self):
        with pytest.raises(
            ParseError, match=r"vertex 0: expected a number from 1 to 3, because a token file counts vertices from 1"
        ):
            parse_game("3 2 0\n0 1\n1 2\n", "token")


WORDS = st.sampled_from(
    [
        "1",
        "2",
        "3",
        "4",
        "07",
        "from",
        "to",
        "source",
        "u",
        "v",
        "a;b",
        "c;d",
        "1,5",
        "x,y",
        "{}",
        "{'a':1}",
        "#x",
        "sep=;",
    ]
)


class TestRoundTrips:
    """What is written is never taken for the file of another program."""

    @pytest.mark.long
    @pytest.mark.parametrize("suffix", [".edges", ".csv", ".tsv"])
    @given(edges=st.lists(st.tuples(WORDS, WORDS), max_size=4), alone=st.lists(WORDS, max_size=2))
    def test_words(self, suffix, edges, alone, tmp_path_factory):
        graph = nx.DiGraph(edges)
        graph.add_nodes_from(alone)
        path = tmp_path_factory.getbasetemp() / f"words{suffix}"
        write_game(graph, path)
        found = read_game(path)
        assert {(str(start), str(end)) for start, end in found.edges} == set(graph.edges)
        assert set(map(str, found)) == set(graph)

    @pytest.mark.parametrize("suffix", [".edges", ".csv", ".tsv"])
    @given(edges=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=5))
    def test_integers(self, suffix, edges, tmp_path_factory):
        path = tmp_path_factory.getbasetemp() / f"integers{suffix}"
        write_game(edges, path)
        assert set(read_game(path).edges) == set(edges)


class TestLabels:
    def test_integers_of_19_digits_are_in_order(self):
        text = "1234567890123456789 7\n7 3\n"
        assert list(parse_game(text, "edgelist")) == list(parse_game(text.replace(" ", ","), "csv"))
        assert list(parse_game(text, "edgelist")) == [3, 7, 1234567890123456789]
        assert list(parse_game("9223372036854775808 7\n", "edgelist")) == ["9223372036854775808", "7"]

    @pytest.mark.parametrize("format", ["csv", "tsv", "edgelist"])
    def test_long_labels(self, format, tmp_path):
        path = tmp_path / "long"
        label = "x, y" * 50_000 if format != "edgelist" else "x" * 200_000
        write_game([(label, "b")], path, format)
        assert list(read_game(path, format).edges) == [(label, "b")]


class TestCommandLine:
    def test_a_guess_is_told_in_one_line(self, monkeypatch):
        monkeypatch.chdir(DATA)
        result = CliRunner().invoke(main, ["solve", "excel_de.csv", "--verdict", "--tokens", "start"])
        assert (result.exit_code, result.stderr) == (
            0,
            (
                "graphgame: excel_de.csv is read as csv: the columns are split at semicolons; the "
                "reader ignores 1 column of the table\n"
            ),
        )
        assert CliRunner().invoke(main, ["solve", "pandas_plain.csv", "--verdict", "--tokens", "start"]).stderr == ""

    def test_named_columns(self, monkeypatch):
        monkeypatch.chdir(DATA)
        result = CliRunner().invoke(main, ["solve", "neo4j.csv", "--source", "2", "--target", "1"])
        note = "the first line, ':START_ID,:END_ID,:TYPE', is read as the names of the columns"
        assert (result.exit_code, result.stderr) == (0, f"graphgame: neo4j.csv is read as csv: {note}\n")


@pytest.mark.parametrize("reader", [read_game, GameGraph, solve, explain])
def test_a_warning_points_at_the_line_of_the_caller(reader, tmp_path):
    path = tmp_path / "game.csv"
    path.write_text("a;b\nb;c\n")
    with pytest.warns(ReadingWarning, match="the columns are split at semicolons") as caught:
        reader(str(path))
    assert [warning.filename for warning in caught] == [__file__]
