"""GraphML, GEXF, node-link JSON and DOT from elsewhere: what is wrong is said with its place."""

import json

import pytest

from graphgame.errors import LimitError, ParseError, UndirectedGraphError
from graphgame.io import FORMATS
from graphgame.io.files import Source


def read(name, text):
    return FORMATS[name].read(Source(text if isinstance(text, bytes) else text.encode(), name="game"))


AB = '<node id="a"/><node id="b"/>'
TIMES = '<key id="m" for="edge" attr.name="multiplicity"/>'
KIND = '<key id="k" for="{}" attr.name="kind"/>'
BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n'
UNDIRECTED = "the graph is undirected: moves need a direction, so write "
EDGE = "undirected edge: moves need a direction, so write "


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
            ('<?xml version="1.0" encoding="klingon"?><graphml/>', "game:1:31: cannot read this XML: unknown encoding"),
            (
                '<?xml version="1.0" encoding="gb2312"?><graphml/>',
                "cannot read this XML: multi-byte encodings are not supported: expected UTF-8",
            ),
            (graphml("<node/>"), "game:2:1: node element without the attribute 'id'"),
            (graphml(AB + '<edge source="a"/>'), "edge element without the attribute 'target'"),
            (graphml(AB + "\n" + edge("a", "c")), "game:3:1: the edge leads from or to 'c', which is not a vertex"),
            (graphml(AB + '<node id="a"/>'), "game:2:29: the vertex 'a' is listed twice: expected each vertex once"),
            (graphml("<hyperedge/>"), "game:2:1: a hyperedge: expected edges, each from one vertex to another"),
            (
                graphml('<node id="a"><data key="k">sum</data></node>'),
                "found data with the key 'k', which the file does not declare for the element node",
            ),
            (graphml('<node id="a"><data>sum</data></node>'), "data element without the attribute 'key'"),
            (
                graphml(AB).replace("</graphml>", "<graph/></graphml>"),
                "game:3:9: expected exactly one graph element directly in graphml",
            ),
            ("<graphml>" + "<a>" * 2000, "game:1:3007: elements nested more than 1000 deep"),
            (
                graphml(AB + edge("a", "b", inside='<data key="m">0</data>'), head=TIMES),
                "multiplicity '0': expected an integer in 1..10**18-1",
            ),
            (data("positions", "int"), "game: position 'a' is not an integer in canonical form"),
            (data("positions", "json"), "game: position 'a': expected a JSON string, number or array"),
            (data("positions", "json", '<node id="null"/>'), "game: position 'null': expected a JSON string"),
            (data("positions", "json", '<node id="{}"/>'), "game: position '{}': expected a JSON string"),
            (
                data("positions", "json", '<node id="1"/><node id="1.0"/>'),
                "game: two vertices have the position 1.0: expected different positions",
            ),
            (data("positions", "json", '<node id="1e999"/>'), "game: position '1e999': expected a JSON string"),
            (data("positions", "json", f'<node id="{"[" * 101}{"]" * 101}"/>'), "expected a JSON string, number"),
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
            (gexf(AB, edge("a", "c")), "game:2:8: the edge leads from or to 'c', which is not a vertex of the file"),
            (
                gexf('<node id="a"><attvalues><attvalue for="x" value=""/></attvalues></node>'),
                "the key 'x', which the file does not declare for the element node",
            ),
            ("<gexf/>", "game: no graph in the file: expected a graph element in gexf"),
            (BOMB + gexf(AB), "game:1:13: a document type declaration"),
        ],
    )
    def test_gexf(self, text, message):
        assert_refused("gexf", text, message)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "game:1: the file is empty or blank: expected a JSON object"),
            ("3", "game:1:1: expected a JSON object\n    3\n    ^"),
            (
                '{"directed": true}',
                "game: the file holds no graph: expected an object with the names directed, nodes and edges",
            ),
            ('{"directed": true, "nodes": 3}', "game:1:29: expected a JSON array"),
            ('{"directed": true,\n "nodes": [3]}', "game:2:12: node 3: expected an object with 'id'"),
            ('{"directed": true,\n "nodes": [{"id": 1},]}', "game:2:22: not JSON: expecting value"),
            ('{"directed": true,\n "nodes": [{"id": 1}', "game:2:21: the text ends: expected a comma or ]"),
            ('{"directed": true "nodes": []}', "game:1:19: expected a comma or }"),
            ('{"directed": true, 3: []}', "game:1:20: 3: expected a name in quotes"),
            ('{"directed" true}', "game:1:13: expected a colon"),
            ('{"x": "a\nb"}', "game:1:9: not JSON: invalid control character at"),
            ('{"x": ' + "[" * 10**5, "game:1:7: the JSON is nested too deeply"),
            ('{"nodes": [{"id": NaN}]}', "game:1:12: the JSON cannot be read: NaN is not a JSON number"),
            (
                '{"nodes": [{"id": -1e999}]}',
                "game:1:12: the JSON cannot be read: '-1e999' is outside the range of a 64-bit float",
            ),
            (
                '{"directed": true,\n"directed": false}',
                "game:2:1: the name 'directed' occurs twice: expected each name once",
            ),
            ('{"nodes": [],\n "nodes": []}', "game:2:2: the name 'nodes' occurs twice: expected each name once"),
            (
                '{"nodes": [{"id": 1, "x": {"y": 1, "y": 2}}]}',
                "game:1:12: the JSON cannot be read: an object has the name 'y' twice",
            ),
            (
                '{"directed": true, "nodes": [], "edges": [], "links": []}',
                "game: found both edges and links: expected only one of the two",
            ),
            (f'{{"nodes": [{{"id": {"[" * 101}1{"]" * 101}}}]}}', "]: arrays more than 100 deep"),
            (f'{{"nodes": [{"9" * 5000}]}}', "game:1:12: the JSON cannot be read: Exceeds the limit"),
            (b'{"x": "\xff"}', "game:1:8: the byte 0xff is not UTF-8 text"),
            (b'{"x": "\0"}', "game:1:8: the file has a NUL byte"),
            (node_link() + " x", "game:2:14: found text after the object: expected the end of the file"),
            (node_link([None]), "game:1:30: position None: expected a string, a number or an array"),
            (node_link([{}]), "game:1:30: position {}: expected a string, a number or an array"),
            (node_link([1, 1.0]), "game:1:41: the vertex 1.0 is listed twice: expected each vertex once"),
            (node_link(edges=[{"source": "a"}]), "game:2:11: edge {'source': 'a'}: expected an object with 'target'"),
            (
                node_link(edges=[{"source": "a", "target": "c"}]),
                "game:2:11: the edge leads from or to 'c', which is not",
            ),
            (
                node_link(edges=[{"source": "a", "target": "b", "multiplicity": True}]),
                "game:2:11: multiplicity True: expected an integer in 1..10**18-1",
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
            ("graphml", graphml(AB + "\n" + edge("a", "b", 'directed="false"')), f'game:3:1: {EDGE}directed="true"'),
            ("gexf", gexf(AB, edge("a", "b"), ""), f'game:2:8: {UNDIRECTED}defaultedgetype="directed"'),
            ("gexf", gexf(AB, edge("a", "b", 'type="undirected"')), f'game:2:8: {EDGE}type="directed"'),
            ("node-link", '{"nodes": [{"id": 1}]}', f'game: {UNDIRECTED}"directed": true'),
            ("node-link", node_link().replace("true", "false"), f"game: {UNDIRECTED}"),
            ("node-link", node_link().replace("true", "1"), f"game: {UNDIRECTED}"),
            ("dot", "\n graph { a -- b }", f"game:2:2: {UNDIRECTED}digraph and -> for --"),
            ("dot", "digraph {\n a -- b }", f"game:2:4: {EDGE}->"),
        ],
    )
    def test_undirected(self, name, text, message):
        assert_refused(name, text, message, UndirectedGraphError)

    def test_what_is_no_graph(self):
        message = "game: the file holds laws, not a graph: graphgame verify checks laws"
        assert_refused("node-link", '{"format": "graphgame laws", "version": 1}', message)

    @pytest.mark.parametrize("times", [10**7 + 2, 10**17])
    @pytest.mark.parametrize("name", ["dot", "graphml", "node-link"])
    def test_multiplicities_do_not_fill_memory(self, name, times):
        text = {
            "dot": f"digraph {{ a [kind=sum]; a -> b [multiplicity={times}] }}",
            "graphml": graphml(AB + edge("a", "b", inside=f'<data key="m">{times}</data>'), head=TIMES),
            "node-link": node_link(edges=[{"source": "a", "target": "b", "multiplicity": times}]),
        }[name]
        message = "game: multiplicities add more than 10000000 edges: under normal play without cycles, equal parts"
        assert_refused(name, text, message, LimitError)


def test_the_place_of_an_error_far_into_a_file():
    body = "".join(f'<node id="{i}"/>\n' for i in range(100_000))
    with pytest.raises(ParseError) as error:
        read("graphml", graphml(f"{body}<node id='x'><node/></node>"))
    assert (error.value.line, error.value.column) == (100_002, 14)
    assert str(error.value).endswith("\n    <node id='x'><node/></node>\n                 ^")
