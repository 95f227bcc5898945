"""Lists that people type or other programs write: each is read right and said, or refused with advice that works."""

import warnings

import networkx as nx
import pytest

from graphgame import read_game, write_game
from graphgame.errors import FormatError, LimitError, ParseError, ReadingWarning, UndirectedGraphError
from graphgame.io import parse_game
from tests.helpers import ENGINES

AB = [("a", "b"), ("b", "c")]
MISSING = (
    "NA, nan, None and null in place of an option mean that the row has no option; as "
    "names of positions they need quotes"
)
FLOATS = "labels such as 3.0 are read as integers"
NO_MOVES = "no line of the file is a move; a move is a line of two labels, such as "
NUMPY = "1.000000000000000000e+00{0}2.000000000000000000e+00\n2.000000000000000000e+00{0}1.200000000000000000e+01\n"


def header(line):
    return f"the first line, {line!r}, is read as the names of the columns"


NO_DIRECTION = (
    "a comment says that the graph has no directions; each line is read as one move, from its source to its target"
)

READ = [
    # comments on the whole list, rows that R numbers
    ("game.txt", "% sym unweighted\n1 2\n2 3\n", [(1, 2), (2, 3)], NO_DIRECTION),
    ("game.txt", "% asym unweighted\n1 2\n2 3\n", [(1, 2), (2, 3)], None),
    ("game.txt", "# Undirected graph: a.txt\n# FromNodeId\tToNodeId\n1\t2\n2\t3\n", [(1, 2), (2, 3)], NO_DIRECTION),
    (
        "game.csv",
        '"V1","V2"\n"1","a","b"\n"2","b","c"\n',
        AB,
        f"{header('V1,V2')}; the reader ignores 1 column of the table",
    ),
    # names of columns
    ("game.csv", "Start;Ziel\na;b\nb;c\n", AB, f"the columns are split at semicolons; {header('Start;Ziel')}"),
    ("game.csv", "state,next_state\na,b\nb,c\n", AB, header("state,next_state")),
    ("game.csv", "vertex,option\na,b\nb,c\n", AB, header("vertex,option")),
    ("game.csv", "From Node,To-Node\na,b\nb,c\n", AB, header("From Node,To-Node")),
    (
        "game.csv",
        "foo,bar,weight\na,b,1\nb,c,2.5\n",
        AB,
        f"{header('foo,bar,weight')}; the reader ignores 1 column of the table",
    ),
    ("game.csv", "from,to\n", [], header("from,to")),
    ("game.txt", "from to\n", [], header("from to")),
    (
        "game.csv",
        "foo,bar\na,b\nb,c\n",
        [("foo", "bar"), *AB],
        "the first line, 'foo,bar', is read as a move; if it names the columns, give --source foo --target bar",
    ),
    (
        "game.txt",
        "two words\na b\nb c\n",
        [("two", "words"), *AB],
        "the first line, 'two words', is read as a move; if it names the columns, give --source two --target words",
    ),
    ("game.csv", "a,b\nb,c\n", AB, None),
    ("game.csv", "x,y\na,b\nb,x\n", [("x", "y"), ("a", "b"), ("b", "x")], None),
    ("game.txt", "start end\n", [("start", "end")], None),
    ("game.txt", "a b\n", [("a", "b")], None),
    (
        "game.txt",
        "3 2\nA B\nB C\n",
        [("3", "2"), ("A", "B"), ("B", "C")],
        "the first line, '3 2', is read as a move; if it counts positions and moves, leave it out",
    ),
    (
        "game.txt",
        "2 2\nA B\nB A\n",
        [("2", "2"), ("A", "B"), ("B", "A")],
        "the first line, '2 2', is read as a move; if it counts positions and moves, leave it out",
    ),
    (
        "game.txt",
        "4\n0 1\n1 2\n",
        [(0, 1), (1, 2)],
        "the first line, 4, is read as a position; if it counts the positions, leave it out",
    ),
    ("game.csv", "a\tb\t1,5\nb\tc\t2,5\n", AB, "the columns are split at tabs; the reader ignores column 3"),
    # slips
    ("game.txt", "a b\nb c\nc, d\n", [*AB, ("c,", "d")], "line 3: 'c,' is read as a position"),
    ("game.txt", "source target\n3, 2\n2, 1\n", [("3,", "2"), ("2,", "1")], "line 2: '3,' is read as a position"),
    ("game.txt", "source target\n(3, 2)\n", [("(3,", "2)")], "line 2: '(3,' is read as a position"),
    ("game.txt", "a b\n// why\nb c\n", [("a", "b"), ("//", "why"), ("b", "c")], "line 2: '//' is read as a position"),
    ("game.edges", "a b 1,\nb c 2,\n", AB, "the reader ignores column 3"),
    # no option
    ("game.csv", 'source,target\n"a","b"\n"b",NA\n', [("a", "b")], MISSING),
    ("game.csv", 'source,target\n"a","b"\n"b","NA"\n', [("a", "b"), ("b", "NA")], None),
    ("game.csv", 'source,target\n"NA",NA\n" NA ",b\n', [("NA", "b")], MISSING),
    ("game.csv", 'source,target\n"""NA""\n",NA\na,b\n', AB[:1], MISSING),
    ("game.txt", 'source target\n"NA" NA\nb "NA"\n', [("b", "NA")], MISSING),
    ("game.csv", "source,target\n1,2\n2,nan\n", [(1, 2)], MISSING),
    ("game.txt", "a b\nb None\n", [("a", "b")], MISSING),
    ("game.txt", 'a b\nb "None"\n', [("a", "b"), ("b", "None")], None),
    ("game.csv", "source,target\n1.0,2.0\n2,NaN\n", [(1, 2)], f"{FLOATS}; {MISSING}"),
    ("game.csv", "source,target\na,b\nb,\n", [("a", "b")], None),
    # floats
    ("game.txt", "3.0 2\n2.0 1\n", [(3, 2), (2, 1)], FLOATS),
    ("game.txt", NUMPY.format(" "), [(1, 2), (2, 12)], FLOATS),
    ("game.csv", NUMPY.format(","), [(1, 2), (2, 12)], FLOATS),
    (
        "game.txt",
        NUMPY.format(" ").replace("\n", " 5e-01\n"),
        [(1, 2), (2, 12)],
        f"the reader ignores column 3; {FLOATS}",
    ),
    ("game.txt", "3.0 2.5\n2.5 1\n", [("3.0", "2.5"), ("2.5", "1")], None),
    # separators
    ("game.tsv", "a b\nb c\n", AB, "the columns are split at spaces"),
    ("game.tsv", "source target\na b\nb c\n", AB, "the columns are split at spaces"),
    ("game.csv", "a b\nb c\n", AB, "the columns are split at spaces"),
    ("game.txt", 'a "q" {"w": 1}\n', [("a", "q")], "the reader ignores column 3"),
    ("game.csv", "c\na;b\n", [("a", "b")], "the columns are split at semicolons"),
    ("game.csv", "source;target\na,5;b,2\n", [("a,5", "b,2")], "the columns are split at semicolons"),
    ("game.txt", "a;b,c\na;b,d\n", [("a;b", "c"), ("a;b", "d")], "the columns are split at commas"),
    # labels that are tuples, as networkx writes them
    ("game.txt", "(0, 1) (1, 0) {}\n", [("(0, 1)", "(1, 0)")], "each line is read as one or two tuples of Python"),
    ("game.txt", "('a', 1) ('b', 2)\n", [("('a', 1)", "('b', 2)")], "each line is read as one or two tuples of Python"),
    # no moves
    ("game.csv", "name\na\nb\n", [], NO_MOVES + "a,b"),
    ("game.txt", "1\n2\n", [], NO_MOVES + "a b"),
    ("game.txt", "1-2\n2-3\n", [], NO_MOVES + "1 2"),
    ("game.txt", "alone\n", [], None),
    ("game.txt", "a|b\nb|c\n", AB, "the columns are split at vertical bars"),
    ("game.txt", "(a,b)\n(b,c)\n", AB, "each line is read as one or two tuples of Python"),
    ("game.csv", "My game\nsource,target\na,b\nb,c\n", AB, "the reader skips 1 line above the names of the columns"),
    (
        "game.csv",
        "My game,,\nsource,target,n\na,b,1\nb,c,2\n",
        AB,
        "the reader skips 1 line above the names of the columns; the reader ignores 1 column of the table",
    ),
    ("game.txt", "# a comment\n% another\n", [], "the file has no labels, so its graph has no positions"),
    ("game.csv", "# a comment\n", [], "the file has no labels, so its graph has no positions"),
    ("game.csv", "# no positions\n", [], "the file has no labels, so its graph has no positions"),
    ("game.txt", "# no positions\n", [], None),
    ("game.csv", "source,target\na,# no positions\nb,a\n", [("a", "# no positions"), ("b", "a")], None),
    ("game.csv", "source,target\na\nb\n", [], None),
]


@pytest.mark.parametrize(("name", "text", "edges", "note"), READ)
@pytest.mark.parametrize("engine", ENGINES)
def test_read(name, text, edges, note, engine, tmp_path, monkeypatch):
    monkeypatch.setattr("graphgame.io.delimited.use_compiled", lambda _: engine == "compiled")
    path = tmp_path / name
    path.write_text(text)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        graph = read_game(path)
    assert sorted(graph.edges) == sorted(edges)
    start = f"{path} is read as {graph.graph['format']}: "
    assert [str(each.message) for each in told] == ([] if note is None else [start + note])


BY_NUMBER = [
    ("7,3,2\n8,2,1\n9,3,1\n", ("2", "3"), [(2, 1), (3, 1), (3, 2)], None),
    ("5,1,2\n6,2,3\n", ("2", "3"), [(1, 2), (2, 3)], None),
    ("1 pp 2\n2 pp 3\n", ("1", "3"), [(1, 2), (2, 3)], None),
    (
        "alpha,beta,c3\na,b,x\nb,c,y\n",
        ("1", "2"),
        [("a", "b"), ("alpha", "beta"), ("b", "c")],
        (
            "the first line, 'alpha,beta,c3', is read as a move; if it names the columns, give "
            "--source alpha --target beta"
        ),
    ),
    ("a,b,c3\na,b,x\nb,c,y\n", ("1", "2"), AB, None),
]


@pytest.mark.parametrize(("text", "columns", "edges", "note"), BY_NUMBER)
def test_digits_are_the_number_of_a_column_whatever_stands_in_the_first_line(text, columns, edges, note, tmp_path):
    path = tmp_path / ("game.csv" if "," in text else "game.txt")
    path.write_text(text)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        graph = read_game(path, source=columns[0], target=columns[1])
    assert sorted(graph.edges) == edges
    assert [str(each.message).partition(": ")[2] for each in told] == ([] if note is None else [note])


def test_labels_that_are_tuples_are_refused_in_an_adjacency_list(tmp_path):
    path = tmp_path / "grid.adjlist"
    nx.write_adjlist(nx.grid_2d_graph(2, 2, create_using=nx.DiGraph), path)
    with pytest.raises(ParseError, match="write_edgelist"):
        read_game(path)


REFUSED = [
    ("game.txt", "1 Start\n2 Left\n3 End\n#\n1 2 text\n2 3 more text\n", "is TGF", [(1, 2), (2, 3)]),
    ("game.txt", "1\n2\n3\n4\n#\n4 1\n", "is TGF", [(4, 1)]),
    ("game.col", "c x\np edge 4 3\ne 4 3\ne 1 2\ne 2 3\n", "is DIMACS", [(4, 3), (1, 2), (2, 3)]),
    ("game.txt", ">>graph6<<Bw\n", "is graph6", [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]),
    ("game.g6", ">>graph6<<A_\n", "is graph6", [(0, 1), (1, 0)]),
    ("game.txt", ":BcN\n", "is sparse6", [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]),
    ("game.d6", "&BP_\n", "is digraph6", [(0, 1), (1, 2), (2, 0)]),
    ("game.txt", "0 1 1\n0 0 1\n0 0 0\n", "is a file with an adjacency matrix", [(0, 1), (0, 2), (1, 2)]),
    ("game.csv", "0,1,1\n0,0,1\n0,0,0\n", "is a file with an adjacency matrix", [(0, 1), (0, 2), (1, 2)]),
    (
        "game.csv",
        ";a;b;c\na;0;1;1\nb;0;0;1\nc;0;0;0\n",
        "is a file with an adjacency matrix",
        [("a", "b"), ("a", "c"), ("b", "c")],
    ),
    (
        "game.txt",
        "0.0e+00 1.0e+00 0.0e+00\n0.0 0.0 1.0\n0.0 0.0 0.0\n",
        "is a file with an adjacency matrix",
        [(0, 1), (1, 2)],
    ),
    ("game.txt", "0 5 2\n0 0 3\n0 0 0\n", "is a file with an adjacency matrix", [(0, 1), (0, 2), (1, 2)]),
    ("game.csv", ",3,5,7\n3,0,1,1\n5,0,0,1\n7,0,0,0\n", "is a file with an adjacency matrix", [(3, 5), (3, 7), (5, 7)]),
    ("game.csv", ",1,2\n1,0,1\n2,0,0\n", "is a file with an adjacency matrix", [(1, 2)]),
    (
        "game.tsv",
        "\t0\t1\t2\n0\t0\t1\t1\n1\t0\t0\t1\n2\t0\t0\t0\n",
        "is a file with an adjacency matrix",
        [(0, 1), (0, 2), (1, 2)],
    ),
    ("game.txt", "3\n0 1 1\n0 0 1\n0 0 0\n", "is a file with an adjacency matrix", [(0, 1), (0, 2), (1, 2)]),
    ("game.edges", "3 3\n0 1 1\n0 0 1\n0 0 0\n", "is a file with an adjacency matrix", [(0, 1), (0, 2), (1, 2)]),
    ("game.csv", "3,,\n0,1,1\n0,0,1\n0,0,0\n", "is a file with an adjacency matrix", [(0, 1), (0, 2), (1, 2)]),
    (
        "game.csv",
        "a,b,c\nb,c\nc\n",
        "if each line is a position and its options, the command tr",
        [("a", "b"), ("a", "c"), ("b", "c")],
    ),
    ("game.txt", "a: b c\nb: c\nc:\n", "is an adjacency list file with colons", [("a", "b"), ("a", "c"), ("b", "c")]),
    ("game.txt", "0: [1, 2]\n1: [2]\n", "is an adjacency list file with colons", [(0, 1), (0, 2), (1, 2)]),
    ("game.yaml", "a: [b, c]\nb: [c]\n", "is YAML", [("a", "b"), ("a", "c"), ("b", "c")]),
    ("game.md", "| from | to |\n| --- | --- |\n| a | b |\n| b | c |\n", "is a file with a Markdown table", AB),
    ("game.txt", "graph TD\n    A[Start] --> B[An end]\n    B --> |x| C\n", "is Mermaid", [("A", "B"), ("B", "C")]),
    ("game.gdf", "nodedef>name VARCHAR\na\nedgedef>node1 VARCHAR,node2 VARCHAR\na,b\nb,c\n", "is GDF", AB),
    ("game.tlp", '(tlp "2.0"\n(nodes 0..2)\n(edge 0 2 0)\n(edge 1 0 1)\n)\n', "is Tulip", [(2, 0), (0, 1)]),
    ("game.txt", "[(1, 2), (2, 3)]\n", "is a file with a Python list or dictionary", [(1, 2), (2, 3)]),
    ("game.txt", "{'a': ['b'], 'b': ['c']}\n", "is a file with a Python list or dictionary", AB),
    ("game.txt", '[["a", "b"],\n["b", "c"]]\n', "is a JSON file with an array", AB),
    ("game.csv", "\xfcber,b\n".encode("latin-1"), "if the file is windows-1252, the command iconv", [("\xfcber", "b")]),
    ("game.csv", "a,b\nb,c\n".encode("utf-16-le"), "is UTF-16 text", AB),
    ("game.txt", "a b\nb c\n".encode("utf-16-be"), "is UTF-16 text", AB),
    (
        "game.gml",
        "graph [\n directed 1\n node [ id 0 ]\n node [ id 1 ]\n edge [ source 0 target 1 ]\n]\n",
        "GML",
        [(0, 1)],
    ),
]


@pytest.mark.parametrize(("name", "text", "message", "edges"), REFUSED)
def test_refused_with_advice(name, text, message, edges, tmp_path, monkeypatch):
    """What is advised is tried in tests/labs/formats: ``edges`` are those that it gives."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises((FormatError, ParseError), match=message):
        read_game(name)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        (
            "game.xlsx",
            b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml",
            r"is a spreadsheet.*pandas.read_excel\('game",
        ),
        ("game.ods", b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/vnd.oasis.open", "is a spreadsheet"),
        ("game.xls", b"\xd0\xcf\x11\xe0" + bytes(99), "is a spreadsheet"),
        (
            "game.bin",
            b"\x80\x04\x95" + bytes(9),
            r"is a pickle file.*loading a pickle can run any code; if you trust the file: in Python",
        ),
        ("game.pkl", b"ccopy_reg\n_reconstructor\n", "is a pickle file"),
        ("game.lgr", b"LEDA.GRAPH\nstring\n", r"is LEDA.*networkx.read_leda"),
    ],
)
def test_refused(name, data, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(data)
    with pytest.raises(FormatError, match=message):
        read_game(name)


@pytest.mark.parametrize("kind", ["Undirected", "undirected"])
def test_edges_without_direction_of_gephi(kind):
    text = f"Source,Target,Type,Id\na,b,Directed,0\nb,c,{kind},1\n"
    with pytest.raises(UndirectedGraphError, match="<text>:3: the edge is undirected, but a move needs a direction"):
        parse_game(text, "csv")


def test_a_label_that_reads_undirected():
    text = "Source,Target,Type\nundirected,directed,Directed\ndirected,c,Directed\n"
    with pytest.warns(ReadingWarning, match="ignores 1 column"):
        assert list(parse_game(text, "csv").edges) == [("undirected", "directed"), ("directed", "c")]


@pytest.mark.parametrize("text", ["source,target\nNA,b\n", 'source,target\nNA,"NA"\n', 'source target\nNA "NA"\n'])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_missing_position_is_refused(text, engine, monkeypatch):
    monkeypatch.setattr("graphgame.io.delimited.use_compiled", lambda _: engine == "compiled")
    with pytest.raises(
        ParseError,
        match=(
            "2:1: the source of this move is NA, which means that there is no position: put a "
            "position of this name in quotes"
        ),
    ):
        parse_game(text)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_target_is_missing_in_a_column_before_the_source(engine, monkeypatch):
    monkeypatch.setattr("graphgame.io.delimited.use_compiled", lambda _: engine == "compiled")
    with pytest.warns(ReadingWarning, match=MISSING):
        graph = parse_game("x,option,position\n1,NA,a\n2,b,c\n", "csv", source="position", target="option")
    assert (sorted(graph), list(graph.edges)) == (["a", "b", "c"], [("c", "b")])


@pytest.mark.parametrize("row", [(1, 1), (1, 3)])
def test_a_first_row_that_counts_too_many_positions_is_a_move(row):
    with pytest.warns(ReadingWarning, match="the first line, 2147483647 1, is read as a move; if it counts positions"):
        graph = parse_game("2147483647 1\n{} {}\n".format(*row))
    assert list(graph.edges) == [row, (2147483647, 1)]
    with pytest.raises(LimitError, match="claims 2147483647 vertices"):  # Other rows have weights: these are counts.
        parse_game("2147483647 1\n{} {} 0.5\n".format(*row))


def test_more_columns_than_two():
    with pytest.raises(ParseError, match="--source 1 --target 2 reads the first two labels"):
        parse_game("a pp b\nb pp c\n")
    assert list(parse_game("a pp b\nb pp c\n", source=1, target=3).edges) == AB


def test_a_header_far_from_its_labels():
    """The first row is a move where its labels come again, however late."""
    rows = "".join(f"v{number},v{number + 1}\n" for number in range(20_000))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse_game(f"foo,bar\n{rows}bar,v1\n", "csv")
    with pytest.warns(ReadingWarning, match="--source foo --target bar"):
        parse_game(f"foo,bar\n{rows}", "csv")


ODD = ["NA", "nan", "None", "<NA>", "3.0", "1.2e+01", "a:", "source", "x", "7"]


@pytest.mark.parametrize("suffix", [".edges", ".csv", ".tsv"])
@pytest.mark.parametrize("start", ODD)
@pytest.mark.parametrize("end", ODD)
def test_what_is_written_is_read_without_a_guess(suffix, start, end, tmp_path):
    graph = nx.DiGraph([(start, end), ("lone", "other")])
    graph.add_node("alone")
    path = tmp_path / f"game{suffix}"
    write_game(graph, path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = read_game(path)
    assert (set(found), set(found.edges)) == (set(graph), set(graph.edges))
