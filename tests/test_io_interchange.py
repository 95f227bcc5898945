"""GraphML, GEXF, node-link JSON and DOT: what goes out comes back, and what is wrong is said with its place."""

import contextlib
import enum
import io
import json
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graphgame import FormatError, GameGraph, GraphGameError, ParseError, UndirectedGraphError, UnknownPositionError
from graphgame.errors import LimitError
from graphgame.io import FORMATS, read_game, write_game
from graphgame.io.edges import edge_blocks
from graphgame.io.files import Source
from graphgame.io.interchange import position_texts
from tests.strategies import dags_with_sums

NAMES = ["dot", "graphml", "gexf", "node-link"]
every_format = pytest.mark.parametrize("name", NAMES)

NASTY = [
    'say "hi"',
    "a\\",
    '\\"',
    "\\\\n",
    "\\n",
    "a\nb",
    "a\r\nb\tc",
    " ",
    "",
    "<b> & &amp; &#65; ]]>",
    "<i>x</i>",
    "a:n",
    "graph",
    "node",
    "strict",
    "n0",
    "é 棋 🀄",
    "// no comment",
    "/* none */",
    "# none",
    "{a} [b] -> c; d=e",
    "\x00\x01\x1b[31m\x7f\x85\u2028",
    "\ud800",
    "\ufffe",
    "-0",
    "007",
    "+1",
    "1e5",
    "٣",
    "None",
    "[1, 2]",
    "x" * 100_000,
]


def through(graph, name):
    stream = io.StringIO()
    FORMATS[name].write(graph, stream)
    return FORMATS[name].read(Source(stream.getvalue().encode(), name="game"))


def read(name, text):
    return FORMATS[name].read(Source(text if isinstance(text, bytes) else text.encode(), name="game"))


def assert_same(read_back, graph):
    assert [(type(v), v) for v in read_back] == [(type(v), v) for v in graph]
    assert dict(read_back.nodes(data="kind")) == dict(graph.nodes(data="kind"))
    assert sorted(map(repr, read_back.edges(data=True))) == sorted(map(repr, graph.edges(data=True)))
    assert read_back.tokens == graph.tokens


plain = st.text(st.characters(), max_size=8) | st.sampled_from(NASTY[:-1])
numbers = st.integers(-(2**65), 2**65)
mixed = plain | numbers | st.booleans() | st.floats(allow_nan=False, allow_infinity=False)
any_position = mixed | st.recursive(
    st.tuples(mixed), lambda inner: st.tuples(inner, mixed) | st.tuples(inner), max_leaves=4
)


@st.composite
def games(draw):
    """Draw a game with sum vertices, tokens, and labels of one kind or of many."""
    options, sums = draw(dags_with_sums(max_vertices=6, max_edges=8))
    kind = draw(st.sampled_from([plain, numbers, st.integers(0, 20), st.integers(0, 20).map(str), any_position]))
    labels = draw(st.lists(kind, min_size=len(options), max_size=len(options), unique=True))
    tokens = draw(st.none() | st.lists(st.sampled_from(labels), max_size=3))
    source, target = np.array([(v, w) for v in options for w in options[v]], np.int64).reshape(-1, 2).T
    return GameGraph.from_arrays(
        source, target, labels, sums=np.array([v in sums for v in range(len(options))]), tokens=tokens
    )


class TestRoundTrip:
    @given(games(), st.sampled_from(NAMES))
    @settings(max_examples=300)
    def test_any_game(self, graph, name):
        assert_same(through(graph, name), graph)

    @every_format
    @given(nasty=st.lists(plain, min_size=2, max_size=2, unique=True))
    @example(nasty=["1", "2"])
    @example(nasty=["1", "a"])
    @settings(max_examples=50)
    def test_strings_stay_strings(self, name, nasty):
        assert_same(through(GameGraph([nasty]), name), GameGraph([nasty]))

    @every_format
    def test_nasty_labels(self, name):
        graph = GameGraph([("start", label) for label in NASTY], tokens=[*NASTY, NASTY[0]])
        assert_same(through(graph, name), graph)

    @every_format
    @pytest.mark.parametrize("label", NASTY, ids=range(len(NASTY)))
    def test_each_nasty_label_alone(self, name, label):
        graph = GameGraph([("start", label)], tokens=[label])
        assert_same(through(graph, name), graph)

    @every_format
    @pytest.mark.parametrize(
        "graph",
        [
            GameGraph(),
            GameGraph(tokens=[]),
            GameGraph.from_arrays(np.array([], int), np.array([], int), range(1, 4)),
            GameGraph.from_arrays(np.array([2, 1]), np.array([1, 0]), range(-1, 2), tokens=[1, 1, -1]),
            GameGraph.from_arrays(np.array([2, 1]), np.array([1, 0]), np.array([5, 7, 2**62]), tokens=[2**62]),
            GameGraph([(3, 1), (2, 1), (3, 2)], tokens=[3]),
            GameGraph([(1, "1"), ("1", (1, ("a", 2.5)))], tokens=[(1, ("a", 2.5)), "1", 1]),
            GameGraph([(False, True), ((None,), 1.5)]),
        ],
        ids=["empty", "no tokens stand", "isolated", "range", "gaps", "unordered", "mixed", "constants"],
    )
    def test_kinds_of_positions(self, name, graph):
        assert_same(through(graph, name), graph)

    @every_format
    def test_multiplicities_of_parts(self, name):
        source, target = np.array([0, 0, 0, 0, 1, 1]), np.array([1, 2, 1, 1, 2, 2])
        graph = GameGraph.from_arrays(source, target, ["s", "a", "b"], sums=np.array([True, False, False]))
        back = through(graph, name)
        assert back.is_sum("s")
        assert not back.is_sum("a")
        assert dict(back.edges) == {("s", "a"): {"multiplicity": 3}, ("s", "b"): {}, ("a", "b"): {}}

    @every_format
    def test_numpy_and_enum_labels_are_their_values(self, name):
        size = enum.IntEnum("Size", "SMALL LARGE")
        assert list(through(GameGraph([(np.int64(2), np.int64(1))], tokens=[np.int64(2)]), name)) == [2, 1]
        assert list(through(GameGraph([(np.str_("b"), "a")]), name)) == ["b", "a"]
        assert list(through(GameGraph([(size.LARGE, size.SMALL)]), name)) == [2, 1]

    @every_format
    def test_other_types_are_written_as_text(self, name):
        graph = GameGraph([(Fraction(1, 2), frozenset({1}))], tokens=[Fraction(1, 2)])
        back = through(graph, name)
        assert list(back) == ["1/2", "frozenset({1})"]
        assert back.tokens == ("1/2",)

    @every_format
    def test_equal_texts_are_refused(self, name):
        with pytest.raises(FormatError, match="two positions have the text '1/2': relabel the graph first"):
            through(GameGraph([(Fraction(1, 2), "1/2")]), name)

    @every_format
    def test_a_token_that_is_no_position_is_refused(self, name):
        with pytest.raises(UnknownPositionError, match="'c' is not a vertex"):
            through(GameGraph([("a", "b")], tokens=["c"]), name)

    @every_format
    @pytest.mark.parametrize("suffix", ["", ".gz"])
    def test_files(self, name, suffix, tmp_path):
        graph = GameGraph([("b", "a"), ("b", "é\n")], tokens=["b"])
        path = tmp_path / f"game{FORMATS[name].suffixes[0]}{suffix}"
        write_game(graph, path)
        back = read_game(path)
        assert_same(back, graph)
        assert back.graph["format"] == name

    @every_format
    def test_the_text_has_no_second_form(self, name):
        first, second = io.StringIO(), io.StringIO()
        graph = GameGraph([("b", "a"), ("c", "a")], tokens=["b"])
        FORMATS[name].write(graph, first)
        FORMATS[name].write(through(graph, name), second)
        assert first.getvalue() == second.getvalue()

    @every_format
    def test_many_edges(self, name):
        vertices, edges = (200, 1000) if name == "dot" else (20_000, 100_000)
        source, target = np.random.default_rng(1).integers(0, vertices, (2, edges))
        graph = GameGraph.from_arrays(source, target, vertices, tokens=[7])
        back = through(graph, name)
        assert np.array_equal(back.options.indices, graph.options.indices)
        assert np.array_equal(back.options.pointers, graph.options.pointers)


class TestNetworkx:
    """The files of networkx are read, and it reads ours."""

    LABELS = ("b & <c>", 'a "q"')

    def test_reads_our_graphml(self, tmp_path):
        path = tmp_path / "game.graphml"
        write_game(GameGraph([self.LABELS], tokens=[self.LABELS[0]]), path)
        graph = nx.read_graphml(path)
        assert list(graph.edges) == [self.LABELS]
        assert json.loads(graph.graph["tokens"]) == [self.LABELS[0]]

    def test_reads_our_gexf(self, tmp_path):
        path = tmp_path / "game.gexf"
        write_game(GameGraph([self.LABELS]), path)
        graph = nx.read_gexf(path)
        assert list(graph.edges) == [self.LABELS]
        assert {data["label"] for _, data in graph.nodes(data=True)} == set(self.LABELS)

    def test_reads_our_node_link(self, tmp_path):
        path = tmp_path / "game.json"
        write_game(GameGraph([((1, "a"), 2)], tokens=[2]), path)
        graph = nx.node_link_graph(json.loads(path.read_text()), edges="edges")
        assert list(graph.edges) == [((1, "a"), 2)]

    @pytest.mark.parametrize(("write", "suffix"), [(nx.write_graphml, "graphml"), (nx.write_gexf, "gexf")])
    @pytest.mark.parametrize("graph", [nx.DiGraph([(2, 1)]), nx.DiGraph([LABELS]), nx.MultiDiGraph([(2, 1), (2, 1)])])
    def test_is_read(self, write, suffix, graph, tmp_path):
        graph.add_node(9, kind="position", weight=1.5)
        graph = nx.relabel_nodes(graph, str) if "b & <c>" in graph else graph
        write(graph, tmp_path / f"game.{suffix}")
        back = read_game(tmp_path / f"game.{suffix}")
        assert list(back) == list(graph)
        assert list(back.edges) == list(dict.fromkeys(graph.edges()))

    @pytest.mark.parametrize("edges", ["edges", "links"])
    def test_node_link_is_read(self, edges):
        graph = GameGraph([((1, "a"), 2), (2, "2")], tokens=[2, 2])
        assert_same(read("node-link", json.dumps(nx.node_link_data(graph, edges=edges))), graph)

    def test_node_link_of_sums_is_read(self):
        graph = GameGraph.from_arrays(np.array([0, 0]), np.array([1, 1]), 2, sums=np.array([True, False]))
        assert_same(read("node-link", json.dumps(nx.node_link_data(graph, edges="edges"))), graph)


AB = '<node id="a"/><node id="b"/>'
TIMES = '<key id="m" for="edge" attr.name="multiplicity"/>'
KIND = '<key id="k" for="{}" attr.name="kind"/>'
BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n'
UNDIRECTED = "the graph is undirected: moves need a direction, so write "


def graphml(body, attributes='edgedefault="directed"', head=""):
    return f"<graphml>{head}<graph {attributes}>\n{body}\n</graph></graphml>"


def gexf(nodes, edges="", attributes='defaultedgetype="directed"', head=""):
    return f"<gexf><graph {attributes}>{head}<nodes>{nodes}</nodes>\n<edges>{edges}</edges></graph></gexf>"


def edge(start, end, more="", inside=""):
    return f'<edge source="{start}" target="{end}" {more}>{inside}</edge>'


def data(name, text, nodes=AB):
    """GraphML whose graph has an attribute."""
    return graphml(f'<data key="d">{text}</data>{nodes}', head=f'<key id="d" for="graph" attr.name="{name}"/>')


def node_link(nodes=("a", "b"), edges=(), **more):
    """JSON on two lines, the second with the edges."""
    ids = json.dumps([{"id": node} for node in nodes])
    rest = "".join(f', "{name}": {json.dumps(value)}' for name, value in more.items())
    return f'{{"directed": true, "nodes": {ids}{rest},\n"edges": {json.dumps(list(edges))}}}'


class TestForeignFiles:
    @pytest.mark.parametrize(
        ("text", "positions", "edges"),
        [
            (graphml(AB + edge("a", "b")), ["a", "b"], [("a", "b")]),
            (graphml(AB + edge("a", "b", 'directed="true"'), ""), ["a", "b"], [("a", "b")]),
            (graphml(edge("a", "b") + AB), ["a", "b"], [("a", "b")]),
            (graphml(AB + edge("a", "b", 'sourceport="p"') * 2), ["a", "b"], [("a", "b")]),
            (graphml('<node id="1"/><node id="-2"/>'), [1, -2], []),
            (graphml('<node id="1"/><node id="02"/>'), ["1", "02"], []),
            (graphml(f'<node id="g"><graph>{AB}</graph></node>{edge("g", "a")}'), ["g", "a", "b"], [("g", "a")]),
            (graphml('<node id="&#x68cb;"/><node id="&lt;&amp;"/>'), ["棋", "<&"], []),
            (('<?xml version="1.0" encoding="latin-1"?>' + graphml("<node id='é'/>")).encode("latin-1"), ["é"], []),
            (('<?xml version="1.0" encoding="UTF-16"?>' + graphml(AB)).encode("utf-16"), ["a", "b"], []),
            (
                '<g:graphml xmlns:g="g"><g:graph edgedefault="directed"><g:node id="a"/></g:graph></g:graphml>',
                ["a"],
                [],
            ),
        ],
    )
    def test_graphml(self, text, positions, edges):
        graph = read("graphml", text)
        assert list(graph) == positions
        assert list(graph.edges) == edges

    @pytest.mark.parametrize(
        ("head", "body", "sums"),
        [
            (KIND.format("node"), '<node id="a"><data key="k">sum</data></node><node id="b"/>', ["a"]),
            (KIND.format("node"), '<node id="a"><data key="k">leaf</data></node><node id="b"/>', []),
            (KIND.format("port"), '<node id="a"><port name="p"><data key="k">sum</data></port></node>', []),
            (
                KIND.format("all").replace("/>", "><default>sum</default></key>"),
                '<node id="a"><data key="k">x</data></node><node id="b"/>',
                ["b"],
            ),
        ],
    )
    def test_kinds_in_graphml(self, head, body, sums):
        graph = read("graphml", graphml(body, head=head))
        assert [v for v in graph if graph.is_sum(v)] == sums

    @pytest.mark.parametrize(
        ("text", "positions", "edges"),
        [
            (gexf(AB, edge("a", "b")), ["a", "b"], [("a", "b")]),
            (gexf(AB, edge("a", "b", 'type="directed"'), ""), ["a", "b"], [("a", "b")]),
            (gexf(AB, edge("a", "b", 'type="mutual"'), ""), ["a", "b"], [("a", "b"), ("b", "a")]),
            (gexf(f'<node id="g"><nodes>{AB}</nodes></node>'), ["g", "a", "b"], []),
            (gexf('<node id="0" label="x"/><node id="1"/>'), [0, 1], []),
        ],
    )
    def test_gexf(self, text, positions, edges):
        graph = read("gexf", text)
        assert list(graph) == positions
        assert list(graph.edges) == edges

    @pytest.mark.parametrize("attribute", ["for", "id"])
    def test_data_of_gexf(self, attribute):
        head = (
            '<attributes class="node"><attribute id="0" title="kind"><default>sum</default></attribute></attributes>'
            '<attributes class="edge"><attribute id="0" title="multiplicity"/></attributes>'
        )
        value = '<attvalues><attvalue {}="0" value="{}"/></attvalues>'
        nodes = f'<node id="a"/><node id="b">{value.format(attribute, "no")}</node>'
        graph = read("gexf", gexf(nodes, edge("a", "b", inside=value.format(attribute, 2)), head=head))
        assert graph.is_sum("a")
        assert not graph.is_sum("b")
        assert graph["a"]["b"] == {"multiplicity": 2}

    def test_a_description_in_words_is_passed_over(self):
        text = gexf(AB).replace("<graph", "<meta><description>a {game}</description></meta><graph")
        assert list(read("gexf", text)) == ["a", "b"]

    def test_json_with_edges_before_nodes_and_other_names(self):
        text = """{"edges": [{"source": "b", "target": "a", "key": 0}], "x": {"y": [1]}, "directed": true,
            "nodes": [{"id": "a", "w": 1}, {"id": "b"}], "graph": {"name": "g"}, "multigraph": true}"""
        assert list(read("node-link", text).edges) == [("b", "a")]

    def test_json_keeps_numbers_and_strings_apart(self):
        assert read("node-link", node_link(["1", "2"], graph={"tokens": ["1"]})).tokens == ("1",)


def assert_refused(name, text, message, error=ParseError):
    with pytest.raises(error) as refused:
        read(name, text)
    assert message in str(refused.value)


class TestBadFiles:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "game:1:1: not XML: no element found"),
            ("<graphml>\n  <graph", "game:2:3: not XML: unclosed token"),
            ("<graphml>\n  </graph>", "game:2:5: not XML: mismatched tag\n      </graph>\n        ^"),
            ("<graphml/>", "game: no graph in the file: expected a graph element in graphml"),
            ("<gexf/>", "game:1:1: the file begins with 'gexf': expected graphml"),
            (BOMB + graphml("&b;"), "game:1:13: a document type declaration: a graph file needs none, so remove"),
            (graphml("&nbsp;"), "game:2:1: not XML: undefined entity"),
            (graphml("\x01"), "game:2:1: not XML: not well-formed (invalid token)"),
            (b"<graphml>\n  \xff</graphml>", "game:2:3: not XML: not well-formed (invalid token)"),
            ('<?xml version="1.0" encoding="klingon"?><graphml/>', "game:1:31: not XML: unknown encoding"),
            ('<?xml version="1.0" encoding="gb2312"?><graphml/>', "not XML: multi-byte encodings are not supported"),
            (graphml("<node/>"), "game:2:1: node element without the attribute 'id'"),
            (graphml(AB + '<edge source="a"/>'), "edge element without the attribute 'target'"),
            (graphml(AB + "\n" + edge("a", "c")), "game:3:1: the edge names 'c', which is not a vertex"),
            (graphml(AB + '<node id="a"/>'), "game:2:29: a second vertex 'a': each vertex is listed once"),
            (graphml("<hyperedge/>"), "game:2:1: a hyperedge: expected edges, each from one vertex to another"),
            (
                graphml('<node id="a"><data key="k">sum</data></node>'),
                "data of the unknown kind 'k': expected one that",
            ),
            (graphml('<node id="a"><data>sum</data></node>'), "data element without the attribute 'key'"),
            (graphml(AB).replace("</graphml>", "<graph/></graphml>"), "game:3:9: a second graph: expected one graph"),
            ("<graphml>" + "<a>" * 2000, "game:1:3007: elements nested more than 1000 deep"),
            (
                graphml(AB + edge("a", "b", inside='<data key="m">0</data>'), head=TIMES),
                "multiplicity '0': expected an integer of 1 or more",
            ),
            (data("positions", "int"), "game: position 'a' is not an integer: the file says that all positions are"),
            (data("positions", "json"), "game: position 'a': expected JSON of a string, a number or an array"),
            (data("positions", "json", '<node id="null"/>'), "game: position 'null': expected JSON of a string"),
            (data("positions", "json", '<node id="{}"/>'), "game: position '{}': expected JSON of a string"),
            (
                data("positions", "json", '<node id="1"/><node id="1.0"/>'),
                "game: two vertices have the position 1.0: each needs its own",
            ),
            (data("tokens", '["c"]'), "game: token 'c' is not a position of the graph"),
            (data("tokens", "a"), "game: tokens 'a': expected a JSON array of positions"),
            (data("tokens", "[" * 10**5), "expected a JSON array of positions"),
        ],
    )
    def test_graphml(self, text, message):
        assert_refused("graphml", text, message)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("<gexf><attvalue/></gexf>", "game:1:7: attvalue element without the attribute 'id'"),
            (gexf('<node label="a"/>'), "node element without the attribute 'id'"),
            (gexf(AB, edge("a", "c")), "game:2:8: the edge names 'c', which is not a vertex of the file"),
            (gexf('<node id="a"><attvalues><attvalue for="x" value=""/></attvalues></node>'), "the unknown kind 'x'"),
            ("<gexf/>", "game: no graph in the file: expected a graph element in gexf"),
            (BOMB + gexf(AB), "game:1:13: a document type declaration"),
        ],
    )
    def test_gexf(self, text, message):
        assert_refused("gexf", text, message)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "game:1:1: the text ends: expected a JSON object"),
            ("[]", "game:1:1: expected a JSON object\n    []\n    ^"),
            ('{"directed": true}', "game: no graph in the file: expected the names directed, nodes and edges"),
            ('{"directed": true, "nodes": 3}', "game:1:29: expected a JSON array"),
            ('{"directed": true,\n "nodes": [3]}', "game:2:12: node 3: expected an object with 'id'"),
            ('{"directed": true,\n "nodes": [{"id": 1},]}', "game:2:22: not JSON: expecting value"),
            ('{"directed": true,\n "nodes": [{"id": 1}', "game:2:21: the text ends: expected a comma or ]"),
            ('{"directed": true "nodes": []}', "game:1:19: expected a comma or }"),
            ('{"directed": true, 3: []}', "game:1:20: 3: expected a name in quotes"),
            ('{"directed" true}', "game:1:13: expected a colon"),
            ('{"x": "a\nb"}', "game:1:9: not JSON: invalid control character at"),
            ('{"x": ' + "[" * 10**5, "game:1:7: not a graph: the JSON is nested too deeply"),
            ('{"nodes": [{"id": NaN}]}', "game:1:12: not JSON: NaN is not a number of JSON"),
            (f'{{"nodes": [{"9" * 5000}]}}', "game:1:12: not JSON: Exceeds the limit"),
            (b'{"x": "\xff"}', "game:1:8: byte 0xff is not UTF-8 text"),
            (b'{"x": "\0"}', "game:1:8: NUL byte"),
            (node_link() + " x", "game:2:14: text after the object: expected the end"),
            (node_link([None]), "game:1:30: position None: expected a string, a number or an array"),
            (node_link([{}]), "game:1:30: position {}: expected a string, a number or an array"),
            (node_link([1, 1.0]), "game:1:41: a second vertex 1.0: each vertex is listed once"),
            (node_link(edges=[{"source": "a"}]), "game:2:11: edge {'source': 'a'}: expected an object with 'target'"),
            (node_link(edges=[{"source": "a", "target": "c"}]), "game:2:11: the edge names 'c', which is not a vertex"),
            (
                node_link(edges=[{"source": "a", "target": "b", "multiplicity": True}]),
                "game:2:11: multiplicity True: expected an integer of 1 or more",
            ),
            (node_link(graph={"tokens": ["c"]}), "game: token 'c' is not a position of the graph"),
            (node_link(graph={"tokens": "a"}), "game:1:66: tokens 'a': expected an array of positions"),
        ],
    )
    def test_node_link(self, text, message):
        assert_refused("node-link", text, message)

    @pytest.mark.parametrize(
        ("name", "text", "message"),
        [
            ("graphml", graphml(AB, 'edgedefault="undirected"'), f'game: {UNDIRECTED}edgedefault="directed"'),
            ("graphml", graphml(AB, ""), f"game: {UNDIRECTED}"),
            ("graphml", graphml(AB + "\n" + edge("a", "b"), 'edgedefault="undirected"'), f"game:3:1: {UNDIRECTED}"),
            ("graphml", graphml(AB + "\n" + edge("a", "b", 'directed="false"')), f"game:3:1: {UNDIRECTED}"),
            ("gexf", gexf(AB, edge("a", "b"), ""), f'game:2:8: {UNDIRECTED}defaultedgetype="directed"'),
            ("gexf", gexf(AB, edge("a", "b", 'type="undirected"')), f"game:2:8: {UNDIRECTED}"),
            ("node-link", '{"nodes": [{"id": 1}]}', f'game: {UNDIRECTED}"directed": true'),
            ("node-link", node_link().replace("true", "false"), f"game: {UNDIRECTED}"),
            ("node-link", node_link().replace("true", "1"), f"game: {UNDIRECTED}"),
            ("dot", "\n graph { a -- b }", f"game:2:2: {UNDIRECTED}digraph and -> for --"),
            ("dot", "digraph {\n a -- b }", "game:2:4: undirected edge: moves need a direction, so write ->"),
        ],
    )
    def test_undirected(self, name, text, message):
        assert_refused(name, text, message, UndirectedGraphError)

    @pytest.mark.parametrize("times", [10**7 + 2, 10**17])
    @pytest.mark.parametrize("name", ["dot", "graphml", "node-link"])
    def test_multiplicities_do_not_fill_memory(self, name, times):
        text = {
            "dot": f"digraph {{ a [kind=sum]; a -> b [multiplicity={times}] }}",
            "graphml": graphml(AB + edge("a", "b", inside=f'<data key="m">{times}</data>'), head=TIMES),
            "node-link": node_link(edges=[{"source": "a", "target": "b", "multiplicity": times}]),
        }[name]
        message = "game: multiplicities of more than 10000000 in all: equal parts of a sum cancel"
        assert_refused(name, text, message, LimitError)


@every_format
@given(data=st.data())
@settings(max_examples=60)
def test_damaged_files_are_read_or_refused(name, data):
    """A file with some bytes changed, dropped or doubled is a graph or an error of the package, nothing else."""
    stream = io.StringIO()
    FORMATS[name].write(GameGraph([("b", "a"), ("é", "a")], tokens=["b"]), stream)
    text = stream.getvalue().encode()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 5)))
    change = data.draw(
        st.binary(max_size=3) | st.sampled_from([b'"', b"<", b"{", b"]", b"\\", b"&", b"->", b"--", b",", text])
    )
    with contextlib.suppress(GraphGameError):
        assert isinstance(read(name, text[:start] + change + text[end:]), GameGraph)


def test_the_place_of_an_error_far_into_a_file():
    body = "".join(f'<node id="{i}"/>\n' for i in range(100_000))
    with pytest.raises(ParseError) as error:
        read("graphml", graphml(f"{body}<node id='x'><node/></node>"))
    assert (error.value.line, error.value.column) == (100_002, 14)
    assert str(error.value).endswith("\n    <node id='x'><node/></node>\n                 ^")


def test_kinds_of_text():
    assert position_texts(["a", "b\x01"])[0] == "json"
    assert position_texts([1, 2**63])[0] == "json"
    assert position_texts([float("inf"), 1])[0] == "str"


def test_edge_blocks_cover_rows_longer_than_a_block():
    source = np.repeat([0, 1, 2], [70_000, 1, 3])
    target = np.concatenate([np.arange(3, 70_003), [2], [3, 3, 4]])
    sums = np.zeros(70_003, bool)
    sums[2] = True
    graph = GameGraph.from_arrays(source, target, 70_003, sums=sums)
    blocks = list(edge_blocks(graph))
    assert sum(len(block.source) for block in blocks) == 70_003
    assert [times for block in blocks for times in block.multiplicity if times > 1] == [2]
    assert max(len(block.source) for block in blocks) <= 70_001
