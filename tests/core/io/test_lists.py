"""Edge lists split at white space, commas and tabs, and adjacency lists."""

import io

import networkx as nx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphgame import GameGraph, solve
from graphgame.errors import FormatError, ParseError, UnknownPositionError
from graphgame.io import FORMATS, generate_game, parse_game, read_game, write_game
from tests.helpers import ENGINES

LISTS = ["edgelist", "csv", "tsv", "adjlist"]
WORD_LISTS = ["edgelist", "adjlist"]

NASTY = st.text(st.characters(codec="utf-8"), max_size=6) | st.sampled_from(
    ["", " ", "a b", "#", "# tokens: a", "%x", '"', '"q"', "a\nb", "\r", "a,b", "\t", "source", "SOURCE", "target",
     "起点", "\x85", "\u2028", "\ufeff", "\\", "\\n", "'", "1", "01", "-0", "n" * 1000, "\0", "digraph {", "{", "<a>"]
)  # fmt: skip
INTEGERS = st.integers(-(2**63), 2**63 - 1) | st.integers(-20, 20)


@st.composite
def graphs(draw, labels):
    """Draw a graph on distinct positions, with tokens or without."""
    positions = draw(st.lists(labels, unique=True, max_size=7))
    number = st.integers(0, max(len(positions) - 1, 0))
    edges = draw(st.lists(st.tuples(number, number), max_size=12)) if positions else []
    graph = nx.DiGraph()
    graph.add_nodes_from(positions)
    graph.add_edges_from((positions[a], positions[b]) for a, b in edges)
    tokens = draw(st.none() | st.lists(st.sampled_from(positions), max_size=3)) if positions else None
    return GameGraph(graph, tokens=tokens)


@pytest.fixture(params=ENGINES)
def engine(request, monkeypatch):
    monkeypatch.setattr("graphgame.io.scanner.use_compiled", lambda _: request.param == "compiled")


def facts(graph):
    return set(graph), set(graph.edges), graph.tokens


def through(graph, format):
    stream = io.StringIO()
    FORMATS[format].write(graph, stream)
    return parse_game(stream.getvalue(), format)


class TestRoundTrip:
    @pytest.mark.parametrize("format", LISTS)
    @given(graph=graphs(INTEGERS))
    def test_integers_stay_integers(self, format, graph):
        assert facts(through(graph, format)) == facts(graph)

    @pytest.mark.parametrize("format", WORD_LISTS)
    @given(graph=graphs(NASTY))
    @example(graph=GameGraph([("1", "2")], tokens=["2"]))
    @example(graph=GameGraph([("source", "target")]))
    @example(graph=GameGraph([("a", "{}")]))
    @example(graph=GameGraph([("(3,", "'a')")]))
    @example(graph=GameGraph([("(a,", "b)"), ("b)", "c")]))
    def test_strings_stay_strings(self, format, graph):
        assert facts(through(graph, format)) == facts(graph)

    @pytest.mark.parametrize("format", ["csv", "tsv"])
    @given(graph=graphs(NASTY.map(str.strip).filter(lambda text: text and "\0" not in text and not text.isdigit())))
    def test_strings_in_columns(self, format, graph):
        assert facts(through(graph, format)) == facts(graph)

    @pytest.mark.parametrize("format", LISTS)
    def test_other_positions_become_text(self, format):
        graph = GameGraph([((1, 2), "b"), (3, "b")], tokens=[(1, 2)])
        found = through(graph, format)
        assert set(found.edges) == {("(1, 2)", "b"), ("3", "b")}
        assert found.tokens == ("(1, 2)",)

    @pytest.mark.parametrize("format", LISTS)
    @pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
    def test_packed(self, format, suffix, tmp_path):
        graph = GameGraph([("a", "b")], tokens=["a"])
        path = tmp_path / f"game{FORMATS[format].suffixes[0]}{suffix}"
        write_game(graph, path)
        found = read_game(path)
        assert facts(found) == facts(graph)
        assert found.graph["format"] == format


class TestRefusals:
    @pytest.mark.parametrize("format", LISTS)
    def test_two_positions_with_one_text(self, format):
        with pytest.raises(
            FormatError, match="two positions have the same text, '1': give the positions different names first"
        ):
            generate_game(nx.DiGraph([(1, "1")]), format)

    @pytest.mark.parametrize("format", LISTS)
    def test_sum_vertices(self, format):
        graph = nx.DiGraph([("a", "b")])
        graph.nodes["a"]["kind"] = "sum"
        with pytest.raises(FormatError, match=f"the {format} format cannot express sum vertices: write "):
            generate_game(graph, format)

    @pytest.mark.parametrize("format", LISTS)
    def test_a_token_that_is_no_position(self, format):
        with pytest.raises(UnknownPositionError, match="'z' is not a vertex"):
            generate_game(GameGraph([("a", "b")], tokens=["z"]), format)

    @pytest.mark.parametrize("text", ["", " a", "a\n", "a\0b"])
    def test_texts_that_columns_cannot_hold(self, text):
        with pytest.raises(FormatError, match="CSV and TSV cannot express such a name, so write an edge list"):
            generate_game(nx.DiGraph([(text, "b")]), "csv")


class TestEdgeList:
    @pytest.mark.parametrize(
        ("text", "positions", "edges", "tokens"),
        [
            ("1 2\n2 3\n", [1, 2, 3], [(1, 2), (2, 3)], None),
            ("5 -2\n9 5", [-2, 5, 9], [(5, -2), (9, 5)], None),
            ("1 1000000000000\n", [1, 10**12], [(1, 10**12)], None),
            ("1 9223372036854775807\n", [1, 2**63 - 1], [(1, 2**63 - 1)], None),
            ("1 9223372036854775808\n", ["1", str(2**63)], [("1", str(2**63))], None),
            ("1 2\n1 2\n1\n7\n", [1, 2, 7], [(1, 2)], None),
            ("1 2\n2 01\n", ["1", "2", "01"], [("1", "2"), ("2", "01")], None),
            ("1 2\n3\n2 x\n", ["1", "2", "3", "x"], [("1", "2"), ("2", "x")], None),
            ('"1" 2\n', ["1", "2"], [("1", "2")], None),
            ("a b\n\n  \n#c d e\n%\nb\ta\r\n", ["a", "b"], [("a", "b"), ("b", "a")], None),
            ("a #b\nc% d\n", ["a", "#b", "c%", "d"], [("a", "#b"), ("c%", "d")], None),
            ("source target\n1 2\n", [1, 2], [(1, 2)], None),
            ("# x\n\nSource\tTARGET\r\n1 2\n", [1, 2], [(1, 2)], None),
            ("1 2\nsource target\n", ["1", "2", "source", "target"], [("1", "2"), ("source", "target")], None),
            ("# tokens: 2 2\n1 2\n", [1, 2], [(1, 2)], (2, 2)),
            ('1 2\n#tokens: "a b"\n"a b" c\n', ["1", "2", "a b", "c"], [("1", "2"), ("a b", "c")], ("a b",)),
            ("# tokens:\n1 2\n", [1, 2], [(1, 2)], ()),
            ("# tokens: 1\n# tokens: 2\n1 2", [1, 2], [(1, 2)], (1, 2)),
            ("# nothing\n", [], [], None),
            ("5\n", [5], [], None),
            ("a a\n", ["a"], [("a", "a")], None),
            ("起点 山路\n", ["起点", "山路"], [("起点", "山路")], None),
            ("\ufeffa b\n", ["a", "b"], [("a", "b")], None),
        ],
    )
    @pytest.mark.filterwarnings("ignore::graphgame.errors.ReadingWarning")
    def test_read(self, engine, text, positions, edges, tokens):
        graph = parse_game(text, "edgelist")
        assert sorted(graph, key=positions.index) == positions
        assert (set(graph.edges), graph.tokens) == (set(edges), tokens)

    def test_integers_come_in_order_and_strings_as_met(self, engine):
        assert list(parse_game("9 2\n5 9", "edgelist")) == [2, 5, 9]
        assert list(parse_game("z b\na z", "edgelist")) == ["z", "b", "a"]

    @pytest.mark.parametrize(
        ("text", "place", "message"),
        [
            ("", "1", "the file is empty or blank: expected an edge list"),
            ("a b\nb c d\n", "2:5", "expected one or two labels on a line, found 3"),
            ("1 2\n1 2 3\n", "2:5", "expected one or two labels on a line, found 3"),
            ("1 2\n" * 50 + "source target\n1 2 3 4\n", "52:5", "found 4"),
            ('a "b c" d\n', "1:9", "expected one or two labels on a line, found 3"),
            ('a "b\n', "1:3", "'\"b' begins with a quote: expected a JSON string"),
            ('"a"b c\n', "1:1", "begins with a quote"),
            ('a "\\x"\n', "1:3", "expected a JSON string"),
            ("# tokens: 1 7\n1 2\n", "1:13", "token '7' is not a position of the graph"),
            ("1 2\n# tokens: x\n", "2:11", "token 'x' is not a position of the graph"),
            ("a b\nc\0 d\n", "2:2", "NUL byte"),
            ("1 2\n3\0 4\n", "2:2", "NUL byte"),
        ],
    )
    def test_says_where_it_is_wrong(self, engine, text, place, message):
        with pytest.raises(ParseError) as caught:
            parse_game(text, "edgelist")
        assert str(caught.value).startswith(f"<text>:{place}: ")
        assert message in str(caught.value)

    def test_a_change_of_kind_far_into_the_file(self, engine):
        lines = [f"{x} {x + 1}" for x in range(200_000)]
        graph = parse_game("\n".join([*lines, "200000 end", "lone"]), "edgelist")
        assert (len(graph), graph.number_of_edges()) == (200_003, 200_001)
        assert graph.has_edge("200000", "end")
        with pytest.raises(ParseError, match="<text>:200001:5: expected one or two labels"):
            parse_game("\n".join([*lines, "a b c"]), "edgelist")

    def test_far_apart_integers_make_no_positions_between(self, engine):
        graph = parse_game("0 1000000000000000\n7 0\n-5\n", "edgelist")
        assert list(graph) == [-5, 0, 7, 10**15]
        assert sorted(graph.edges) == [(0, 10**15), (7, 0)]


class TestColumns:
    @pytest.mark.parametrize(
        ("text", "positions", "edges", "tokens"),
        [
            ("1,2\n2,3\n", [1, 2, 3], [(1, 2), (2, 3)], None),
            ("source,target\n1,2\n", [1, 2], [(1, 2)], None),
            ("Target,SOURCE\n2,1\n", [1, 2], [(1, 2)], None),
            ('"a, b",c\n', ["a, b", "c"], [("a, b", "c")], None),
            ('"say ""x""",c\n', ['say "x"', "c"], [('say "x"', "c")], None),
            ('"two\nlines",c\n', ["two\nlines", "c"], [("two\nlines", "c")], None),
            ("1, 2\n2 ,3\r\n", [1, 2, 3], [(1, 2), (2, 3)], None),
            ("1,2\n3\n4,\n\n,\n", [1, 2, 3, 4], [(1, 2)], None),
            ("# tokens: 1\n1,2\n", [1, 2], [(1, 2)], (1,)),
            ("#a,b\n1,c\n", ["#a", "b", "1", "c"], [("#a", "b"), ("1", "c")], None),
            ("source,target\n", [], [], None),
            ("source,target", [], [], None),
            ("# tokens:\nsource,target", [], [], ()),
            ("# x\n\nsource,target\na,b", ["a", "b"], [("a", "b")], None),
        ],
    )
    @pytest.mark.parametrize(("format", "delimiter"), [("csv", ","), ("tsv", "\t")])
    @pytest.mark.filterwarnings("ignore::graphgame.errors.ReadingWarning")
    def test_read(self, text, positions, edges, tokens, format, delimiter):
        if delimiter == "\t" and '", ' not in text and '"a, b"' not in text:
            text = text.replace(",", delimiter)
        elif delimiter == "\t":
            text = text.replace('",', '"\t')
        graph = parse_game(text, format)
        assert (list(graph), list(graph.edges), graph.tokens) == (positions, edges, tokens)

    @pytest.mark.parametrize(
        ("text", "place", "message"),
        [
            ("", "1", "the file is empty or blank: expected a table with two columns"),
            (
                "a,b\nb,c,d\n",
                "2:5",
                "expected 2 columns, found 3: choose the two columns of the moves by --source and --target",
            ),
            ("source,target\na,b\n,c\n", "3:1", "the source of this move is empty: expected the label of a position"),
            ("source,target,source\n", "1:1", "2 columns are named 'source': expected only one"),
            ('a,"b\n', "1:1", "unexpected end of data"),
            ("1,2\n" * 300_000 + "1,2,3\n", "300001:5", "expected 2 columns, found 3"),
            ("1,2\n2,3,\n4\n", "2:5", "expected 2 columns, found 3"),
            ("a;b;start here\nb;c;\nc;d\n", "1:5", "expected 2 columns, found 3"),
            ("source,target\n" + "1,2\n" * 300_000 + ",3\n", "300002:1", "the source of this move is empty"),
            ("1e0,2e0\n" * 3000 + "7e0,9e0,11e0\n20e0\n", "3001:9", "expected 2 columns, found 3"),
            ("source,weight,target\n1,2,3,4\n", "2:7", "expected 3 columns, found 4"),
            (
                'a,b\n"c",d\re\n',
                "2:1",
                "a field without quotes contains a carriage return: expected fields quoted as in CSV",
            ),
            ('"a"b,c\n', "1:1", "',' expected after '\"'"),
            ("# tokens: z\na,b\n", "1:11", "token 'z' is not a position of the graph"),
            ("# tokens: z\nsource,target", "1:11", "token 'z' is not a position of the graph"),
        ],
    )
    def test_says_where_it_is_wrong(self, text, place, message):
        with pytest.raises(ParseError) as caught:
            parse_game(text, "csv")
        assert str(caught.value).startswith(f"<text>:{place}: ")
        assert message in str(caught.value)

    @given(
        rows=st.lists(
            st.sampled_from(["1,2", "3", "4,", ",", "", "-5,6", "07,8", "x,9", "1 ,2", "#1,2", '"1",2', ",7"])
        )
    )
    @example(rows=["1\r2", "3,"])
    def test_the_loop_over_integers_shows_in_nothing(self, rows):
        text = "".join(f"{row}\n" for row in ["source,target", *rows])
        spaced = text.replace("target\n", "target \n", 1)

        def outcome(text):
            try:
                graph = parse_game(text, "csv")
            except ParseError as error:
                return error.message, error.line
            return set(graph), set(graph.edges)

        assert outcome(text) == outcome(spaced)

    def test_labels_after_many_integers(self):
        rows = [f"{x},{x + 1}" for x in range(200_000)]
        graph = parse_game("\n".join([*rows, "200000,end", "lone"]), "csv")
        assert (len(graph), graph.number_of_edges()) == (200_003, 200_001)
        assert list(parse_game("\n".join(rows), "csv"))[-1] == 200_000

    def test_write(self):
        graph = nx.DiGraph([("a, b", "c")])
        graph.add_node("d")
        assert list(generate_game(GameGraph(graph, tokens=["c"]), "csv")) == [
            "# tokens: c", "source,target", "d", '"a, b",c'
        ]  # fmt: skip


class TestAdjacencyList:
    @pytest.mark.parametrize(
        ("text", "positions", "edges", "tokens"),
        [
            ("3 2 1\n2 1\n", [3, 2, 1], {(3, 2), (3, 1), (2, 1)}, None),
            ("a b\na c\nd\n", ["a", "b", "c", "d"], {("a", "b"), ("a", "c")}, None),
            ('# tokens: "a b"\n# x\n"a b" c\n', ["a b", "c"], {("a b", "c")}, ("a b",)),
            ("1 2 2\n", [1, 2], {(1, 2)}, None),
        ],
    )
    def test_read(self, text, positions, edges, tokens):
        graph = parse_game(text, "adjlist")
        assert (sorted(graph, key=positions.index), set(graph.edges), graph.tokens) == (positions, edges, tokens)

    def test_as_networkx_reads_it(self):
        graph = nx.gnp_random_graph(20, 0.2, seed=1, directed=True)
        found = nx.parse_adjlist(generate_game(graph, "adjlist"), nodetype=int, create_using=nx.DiGraph)
        assert nx.utils.graphs_equal(found, graph)

    def test_as_networkx_writes_it(self):
        graph = nx.gnp_random_graph(20, 0.2, seed=2, directed=True)
        assert set(parse_game("\n".join(nx.generate_adjlist(graph)), "adjlist").edges) == set(graph.edges)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (
                "\n",
                "the file is empty or blank: expected an adjacency list, in which each line has a position and then",
            ),
            ('a "', "1:3: the label '\"' begins with a quote"),
        ],
    )
    def test_says_what_is_wrong(self, text, message):
        with pytest.raises(ParseError, match=message):
            parse_game(text, "adjlist")


@pytest.mark.parametrize("format", LISTS)
def test_values_do_not_depend_on_the_format(format):
    graph = GameGraph(nx.DiGraph([(a, b) for a in range(6) for b in range(a)]), tokens=[3, 4, 5])
    solution = solve(through(graph, format))
    assert [solution.grundy[heap] for heap in range(6)] == [0, 1, 2, 3, 4, 5]
    assert solution.nim_sum == 2
