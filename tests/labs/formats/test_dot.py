"""The language DOT: what is a vertex and what an edge, and where a text is wrong."""

import io

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import GameGraph, solve
from graphgame.errors import LimitError, ParseError
from graphgame.io import read_game, write_game
from graphgame.io.files import Source
from graphgame.io.interchange import dot_string
from graphgame.labs.formats import dot_graphs
from tests.helpers import needs, needs_graphviz

LANGUAGE = [
    ("digraph {}", [], []),
    ("digraph g { }", [], []),
    ('DiGraph "a name" {};', [], []),
    ("strict digraph { a -> b; a -> b }", ["a", "b"], [("a", "b")]),
    ("digraph { a }", ["a"], []),
    ("digraph { a; b c }", ["a", "b", "c"], []),
    ("digraph { a -> b -> c }", ["a", "b", "c"], [("a", "b"), ("b", "c")]),
    ("digraph { a -> b; a -> b; a -> b [color=red] }", ["a", "b"], [("a", "b")]),
    ("digraph { a -> b [w=1] [x=2]; b -> c; c -> d }", ["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d")]),
    ("digraph{a->b;b->c;c->d}", ["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d")]),
    ("digraph { node [shape=box]; edge [color=red]; graph [rankdir=LR]; a }", ["a"], []),
    ('digraph { rankdir=LR; size = "4,4"; a -> b }', ["a", "b"], [("a", "b")]),
    ('digraph { a [label="x -> y; z", color="#ff0000"] }', ["a"], []),
    ("digraph { a [label=<<b>x</b> -&gt; {y}>]; b }", ["a", "b"], []),
    ("digraph { a:n -> b:port:sw }", ["a", "b"], [("a", "b")]),
    ('digraph { a:"p q" -> b }', ["a", "b"], [("a", "b")]),
    ("digraph { 1 -> 2; 2 -> 10 }", [1, 2, 10], [(1, 2), (2, 10)]),
    ("digraph { 1 -> a }", ["1", "a"], [("1", "a")]),
    ("digraph { 1 -> 02 }", ["1", "02"], [("1", "02")]),
    ("digraph { 1.5 -> .5 }", ["1.5", ".5"], [("1.5", ".5")]),
    ('digraph { "1" -> "2" }', [1, 2], [(1, 2)]),
    ('digraph { "a b" -> "c:d"; "graph" -> b }', ["a b", "c:d", "graph", "b"], [("a b", "c:d"), ("graph", "b")]),
    ('digraph { "say \\"hi\\"" }', ['say "hi"'], []),
    ('digraph { "a\\n\\\\b" }', ["a\\n\\\\b"], []),
    ('digraph { "long \\\nname" }', ["long name"], []),
    ('digraph { "a\nb" }', ["a\nb"], []),
    ('digraph { "a" + "b" + "" -> c }', ["ab", "c"], [("ab", "c")]),
    ("digraph { é -> 棋 }", ["é", "棋"], [("é", "棋")]),
    ("digraph { // a -> b\n c /* -> d */ -> e }", ["c", "e"], [("c", "e")]),
    ("# first\ndigraph {\n# a -> b\n  # c\n d -> e # f\n}\n", ["d", "e"], [("d", "e")]),
    ("digraph { subgraph { a -> b } c }", ["a", "b", "c"], [("a", "b")]),
    (
        "digraph { subgraph cluster_0 { label=x; a; subgraph cluster_1 { b -> c } } a -> c }",
        ["a", "b", "c"],
        [("b", "c"), ("a", "c")],
    ),
    ("digraph { {rank=same; a b} a -> b }", ["a", "b"], [("a", "b")]),
    ("digraph { a -> {b c} }", ["a", "b", "c"], [("a", "b"), ("a", "c")]),
    ("digraph { {a; b} -> {c d} }", ["a", "b", "c", "d"], [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]),
    ("digraph { {a b} -> c -> {d e} [x=y] }", list("abcde"), [("a", "c"), ("b", "c"), ("c", "d"), ("c", "e")]),
    ("digraph { subgraph s {a b} -> c }", ["a", "b", "c"], [("a", "c"), ("b", "c")]),
    (
        "digraph { {a -> b} -> {c -> d} }",
        ["a", "b", "c", "d"],
        [("a", "b"), ("c", "d"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")],
    ),
    ("digraph { {a {b}} -> c }", ["a", "b", "c"], [("a", "c"), ("b", "c")]),
    ("digraph { {} -> a }", ["a"], []),
    ("digraph { graphs -> nodes; Stricter }", ["graphs", "nodes", "Stricter"], [("graphs", "nodes")]),
    (
        "digraph { subgraph s {a} subgraph s {b} {subgraph s {c}} -> d; subgraph s {e} -> f }",
        list("abcdef"),
        [("c", "d"), ("a", "f"), ("b", "f"), ("e", "f")],
    ),
    ('digraph { subgraph s {a} subgraph "s" {b} -> c }', ["a", "b", "c"], [("a", "c"), ("b", "c")]),
    ("digraph { <b> -> <<i>x</i>> }", ["<b>", "<<i>x</i>>"], [("<b>", "<<i>x</i>>")]),
    ("digraph { <b:c>:n -> <d>:<p> }", ["<b:c>", "<d>"], [("<b:c>", "<d>")]),
    ("digraph { <b:c>:n; <b:c> }", ["<b:c>"], []),
    ("digraph { -3 -> -0; 4 }", ["-3", "-0", "4"], [("-3", "-0")]),
    ("digraph { -3 -> 4; 4 -> 7; x=-1; }", [-3, 4, 7], [(-3, 4), (4, 7)]),
    ("digraph { 🀄 -> x🀄; a\u0301 -> \xa0 }", ["🀄", "x🀄", "a\u0301", "\xa0"], [("🀄", "x🀄"), ("a\u0301", "\xa0")]),
    ("digraph { a [name=x, src=name; self=1]; a -> b [dst=y obj_dict=🀄] }", ["a", "b"], [("a", "b")]),
    ("digraph { a [b=c; d=e;]; f }", ["a", "f"], []),
    ("digraph { subgraphs {a} Subgraph_2 }", ["subgraphs", "a", "Subgraph_2"], []),
    ("\ufeffdigraph { a }", ["a"], []),
    ("digraph {\r\n a -> b;\r\n c -> d;\r\n}\r\n", ["a", "b", "c", "d"], [("a", "b"), ("c", "d")]),
    ('digraph { a ["name"=x, src_=y]; subgraph "node" { b } }', ["a", "b"], []),
    ("digraph { a [x=-3, y=.5, z=1.]; x = -2 }", ["a"], []),
    ("digraph { a, b:n -> c, d:p:e }", ["a", "b", "c", "d"], [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]),
    ("digraph { a, b [kind=x] {c a} [color=red] }", ["a", "b", "c"], []),
    ('digraph { "a\\\\\nb" -> "c\\\nd" }', ["a\\\\\nb", "cd"], [("a\\\\\nb", "cd")]),
    ("digraph { subgraph s {a} -> subgraph s {b} }", ["a", "b"], [(x, y) for x in "ab" for y in "ab"]),
    (
        "digraph { subgraph s {a subgraph t {b}} subgraph t {c} subgraph s {} -> d subgraph t {} -> e }",
        ["a", "b", "c", "d", "e"],
        [("a", "d"), ("b", "d"), ("c", "e")],
    ),
    ("digraph { a -> b c -> d\ne -> f} ", list("abcdef"), [("a", "b"), ("c", "d"), ("e", "f")]),
]


def read(text):
    return dot_graphs.read(Source(text.encode(), name="game"))


def written(graph):
    stream = io.StringIO()
    dot_graphs.write(graph, stream)
    return stream.getvalue()


@pytest.mark.parametrize(("text", "positions", "edges"), LANGUAGE)
def test_the_language(text, positions, edges):
    graph = read(text)
    assert sorted(graph, key=str) == sorted(positions, key=str)
    assert [type(v) for v in graph] == [type(v) for v in positions]
    assert set(graph.edges) == set(edges)


@pytest.mark.parametrize("text", [text for text, *_ in LANGUAGE])
def test_graphviz_finds_the_same_graph(text):
    pygraphviz = pytest.importorskip("pygraphviz", reason="pip install pygraphviz")
    theirs = pygraphviz.AGraph(string=text.removeprefix("\ufeff"))
    ours = read(text)
    assert len(theirs.nodes()) == len(ours)
    assert len(set(theirs.edges())) == ours.number_of_edges()
    assert set(read(theirs.to_string()).edges) == set(ours.edges)


def test_an_empty_name_and_an_attribute_without_value():
    assert list(read('digraph { a [x]; a -> "" }').edges) == [("a", "")]


class TestAttributes:
    def test_sums_and_tokens(self):
        graph = read('digraph { tokens="[\\"a\\", \\"a\\"]"; a [kind=sum]; a -> b [multiplicity=2]; a -> c; b -> c }')
        assert [v for v in graph if graph.is_sum(v)] == ["a"]
        assert graph["a"]["b"] == {"multiplicity": 2}
        assert graph.tokens == ("a", "a")

    @pytest.mark.parametrize("text", ['tokens="[2]";', 'graph [tokens="[2]"]'])
    def test_tokens_of_the_graph(self, text):
        assert read(f"digraph {{ {text} 2 -> 1; subgraph {{ tokens=x }} }}").tokens == (2,)

    def test_defaults_hold_for_vertices_that_come_later(self):
        graph = read(
            """digraph { a; node [kind=sum]; a -> b; { node [kind=position]; c; b }
            edge [multiplicity=2]; d -> a; d -> c [multiplicity=3]; }"""
        )
        assert [v for v in graph if graph.is_sum(v)] == ["b", "d"]
        assert dict(graph["d"]) == {"a": {"multiplicity": 2}, "c": {"multiplicity": 3}}

    def test_a_statement_after_the_edges_describes_too(self):
        assert read("digraph { a -> b; a [kind=sum] }").is_sum("a")

    def test_groups_of_one_name_keep_their_defaults(self):
        graph = read(
            """digraph { subgraph s { node [kind=sum] } node [kind=position]; subgraph s { a { b } }
            { subgraph s { c } } d }"""
        )
        assert [v for v in graph if graph.is_sum(v)] == ["a", "b"]

    def test_attributes_of_a_list_count_for_each_and_those_of_a_group_for_none(self):
        graph = read("digraph { a, b [kind=sum] {c d} [kind=sum] a, b -> c [multiplicity=2] }")
        assert [v for v in graph if graph.is_sum(v)] == ["a", "b"]
        assert graph["a"]["c"] == graph["b"]["c"] == {"multiplicity": 2}

    def test_in_a_strict_graph_the_last_word_on_an_edge_counts(self):
        text = "strict digraph { s [kind=sum]; s -> a [multiplicity=2]; s -> a [multiplicity=3]; s -> a }"
        assert read(text)["s"]["a"] == {"multiplicity": 3}

    @pytest.mark.parametrize(("first", "then", "counts"), [(2, 1, 2), (1, 2, 1), (2, 3, 2)])
    def test_in_a_strict_graph_a_default_counts_where_the_edge_is_first_named(self, first, then, counts):
        text = (
            "strict digraph {{ s [kind=sum]; edge [multiplicity={}]; s -> a; edge [multiplicity={}]; s -> a; t -> s }}"
        )
        assert read(text.format(first, then))["s"]["a"].get("multiplicity", 1) == counts

    def test_a_name_may_be_an_empty_text_in_quotes(self):
        assert list(read('digraph { "" -> a; b -> ""; "" }').edges) == [("", "a"), ("b", "")]

    def test_parallel_edges_of_a_sum_are_parts(self):
        assert read("digraph { s [kind=sum]; s -> a; s -> a }")["s"]["a"] == {"multiplicity": 2}
        assert read("strict digraph { s [kind=sum]; s -> a; s -> a }")["s"]["a"] == {}

    def test_position_counts_where_the_graph_says_so(self):
        body = 'n0 [position="b"]; n1 [position="a \\\\ \\n \\""]; n0 -> n1; extra'
        assert list(read(f"digraph {{ {body} }}")) == ["n0", "n1", "extra"]
        assert list(read(f"digraph {{ positions=str; {body} }}")) == ["b", 'a \\ \n "', "extra"]

    def test_a_legend_is_no_position(self):
        graph = read("digraph { P [kind=legend]; 3 -> 1; P -> 3; 4 [kind=sum]; 4 -> 3 }")
        assert list(graph) == [3, 1, 4]
        assert list(graph.edges) == [(3, 1), (4, 3)]
        assert graph.is_sum(4)

    @pytest.mark.parametrize(
        "text", ["back\\slash", "\\", "\\\\", '"', '\\"', "\\n", "a\nb\r", "N\\", "x" * 500, "é棋"]
    )
    def test_graphviz_keeps_quoted_texts(self, text):
        pygraphviz = pytest.importorskip("pygraphviz", reason="pip install pygraphviz")
        graph = GameGraph([("start", text)], tokens=[text])
        back = read(pygraphviz.AGraph(string=written(graph)).to_string())
        assert list(back.edges) == list(graph.edges)
        assert back.tokens == (text,)

    @pytest.mark.filterwarnings("ignore::DeprecationWarning")
    def test_pydot_reads_what_is_written(self):
        import pydot

        graph = pydot.graph_from_dot_data(written(GameGraph([("node", 'a "b" \\'), ("node", "<c>")])))[0]
        assert [edge.get_source() + edge.get_destination() for edge in graph.get_edges()] == ["n0n1", "n0n2"]

    @given(st.text())
    @settings(max_examples=50)
    def test_a_quoted_text_stays_on_a_line_and_closes(self, text):
        quoted = dot_string(text)
        assert "\n" not in quoted
        assert "\r" not in quoted
        assert quoted.replace("\\\\", "").replace('\\"', "").count('"') == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "game:1:1: the text ends: expected digraph"),
        ("a -> b", "game:1:1: 'a': expected digraph"),
        ("digraph", "game:1:8: the text ends: expected {"),
        ("digraph {\n a -> b", "game:2:8: the text ends: expected } or a statement"),
        ("digraph {\n a -> }", "game:2:7: '}': expected a name or a subgraph\n     a -> }\n          ^"),
        ("digraph {\n a -> ; }", "game:2:7: ';': expected a name or a subgraph"),
        ("digraph {\n -> a }", "game:2:2: '->': expected } or a statement"),
        ("digraph {\n a -> node }", "game:2:7: node is a keyword: a vertex of this name needs quotes"),
        ("digraph {\n a; b -> Graph; }", "game:2:10: graph is a keyword"),
        ("digraph {\n a -> node [x=y] }", "game:2:7: node is a keyword"),
        ("digraph {\n a:node [x=y] }", "game:2:4: node is a keyword"),
        ("digraph {\n a [x=edge] }", "game:2:7: edge is a keyword"),
        ("digraph graph {}", "game:1:9: graph is a keyword"),
        ("digraph {\n subgraph s; a }", "game:2:12: ';': expected {"),
        ("digraph {\n a -> subgraph s }", "game:2:18: '}': expected {"),
        ("digraph {\n subgraph subgraph {a} }", "game:2:11: subgraph is a keyword"),
        ("digraph {\n subgraph; {a} }", "game:2:10: ';': expected {"),
        ("digraph {\n a: }", "game:2:5: '}': expected a name"),
        ("digraph {\n { a } { -> b } }", "game:2:10: '->': expected } or a statement"),
        ("digraph {\n {a}; -> b }", "game:2:7: '->': expected } or a statement"),
        ("digraph {\n a -> {b}; [kind=sum] }", "game:2:12: '[': expected } or a statement"),
        ("digraph {\n node -> a }", "game:2:2: node is a keyword: a vertex of this name needs quotes"),
        ("digraph {\n strict }", "game:2:2: strict is a keyword: a vertex of this name needs quotes"),
        ("digraph {\n a [x=] }", "game:2:7: ']': expected a value"),
        ("digraph {\n a [x=1 }", "game:2:9: '}': expected ]"),
        ("digraph {\n subgraph s { a; {b [x=1;,] } } }", "game:2:26: ',': expected ]"),
        ("digraph {\n é -> -3 [x=1; y=] }", "game:2:18: ']': expected a value"),
        ("digraph {\n a -> b:c:d:e }", "game:2:12: ':': expected } or a statement"),
        ("digraphs { a }", "game:1:1: 'digraphs': expected digraph"),
        ("digraph {\n a [color=#ff0000\n] }", "game:2:11: '#' has no meaning in DOT outside quotes"),
        ("digraph {\n a#b -> c\n }", "game:2:3: '#' has no meaning in DOT outside quotes"),
        ("digraph {\n tokens=a;\n graph [tokens=b]; a; b }", "game:3:18: the graph sets tokens twice: expected"),
        ('digraph {\n a "b }', "game:2:4: the string has no closing quote"),
        ("digraph {\n a /* b }", "game:2:4: the comment has no closing */"),
        ("digraph {\n a [label=<<b>] }", "game:2:11: found < without a matching >: expected an HTML-like string"),
        ("digraph {\n 2abc }", "game:2:2: '2abc' is not a valid DOT name: put it in quotes"),
        ("digraph {\n a-b }", "game:2:3: '-b' is not a valid DOT name"),
        ("digraph {\n a.b }", "game:2:2: 'a.b' is not a valid DOT name"),
        ("digraph {\n a } }", "game:2:6: text after the graph: expected one graph in the file"),
        ("digraph { a } digraph { b }", "game:1:15: text after the graph"),
        ('digraph { "a" + b }', "game:1:17: 'b': expected a quoted string after +"),
        ('digraph { "a" + é }', "game:1:17: 'é': expected a quoted string after +"),
        ('digraph { "a" + }', "game:1:17: '}': expected a quoted string"),
        ("digraph {\n a -> b [multiplicity=x] }", "game:2:23: multiplicity 'x': expected an integer in 1..10**18-1"),
        ("digraph { edge [multiplicity=0]; x;\n a -> b; }", "game:1:30: multiplicity '0': expected an integer in 1"),
        (
            "digraph { positions=int; a [position=x] }",
            "game: position 'x' is not an integer in canonical form (64 bits, no leading zeros), but the file states",
        ),
        (
            "digraph { positions=str; a [position=x]; x }",
            "game: two vertices have the position 'x': expected different",
        ),
        ("digraph { tokens=a; a }", "game: tokens 'a': expected a JSON array of positions"),
        ('digraph { tokens="[2]"; 1 }', "game: token 2 is not a position of the graph"),
        ("digraph { a \0 }", "game:1:13: the file has a NUL byte"),
    ],
)
def test_errors(text, message):
    with pytest.raises(ParseError) as error:
        read(text)
    assert message in str(error.value)


def test_groups_do_not_fill_memory(monkeypatch):
    monkeypatch.setattr(dot_graphs, "_MAX_GROUP_EDGES", 10**5)
    names = " ".join(f"v{i}" for i in range(100))
    with pytest.raises(LimitError, match="groups and lists of vertices add more than 100000 edges: write a graph"):
        read(f"digraph {{ subgraph s {{{names}}}{' -> subgraph s {}' * 11} }}")


def test_groups_may_multiply_to_as_many_edges_as_the_limit_and_arrows_of_their_own_count_for_none(monkeypatch):
    monkeypatch.setattr(dot_graphs, "_MAX_GROUP_EDGES", 14)
    arrows = "; ".join(f"p{n} -> q{n}" for n in range(50))
    assert read(f"digraph {{ {arrows}; {{a b c}} -> {{d e f g h}} }}").number_of_edges() == 50 + 15
    assert read(f"digraph {{ {{a b c}} -> {{}} -> {{d e f}}; {arrows} }}").number_of_edges() == 50
    with pytest.raises(LimitError):
        read("digraph { {a b c d} -> {e f g h} }")


def test_a_large_file_of_every_kind():
    edges = [f"n{i} -> n{i + 1};" for i in range(40_000)]
    edges += [f"n{i + 1} -> n{i} [color=red]" for i in range(10_000)]
    graph = read(f"digraph {{ {' '.join(edges)} {' '.join(f'{{m{i}}}' for i in range(10_000))} }}")
    assert (len(graph), graph.number_of_edges()) == (50_001, 50_000)


@pytest.mark.parametrize("body", ["{" * 10**5, "subgraph s {" * 10**5 + "}" * 10**5], ids=["groups", "subgraphs"])
def test_groups_too_deep_to_follow_are_refused(body):
    with pytest.raises(ParseError, match=r"game:1:\d+: groups nested more than 100 deep"):
        read(f"digraph {{ {body} }}")


def test_groups_may_nest():
    assert list(read("digraph {" + "{" * 100 + "a -> b" + "}" * 101).edges) == [("a", "b")]


def test_a_cycle_in_a_drawing_is_read_and_named_when_solved():
    with pytest.raises(nx.NetworkXUnfeasible, match="'a' -> 'b' -> 'a'"):
        solve(read("digraph { a -> b -> a }"))


def test_a_file(tmp_path):
    path = tmp_path / "game.gv"
    path.write_text("digraph { 2 -> 1 }")
    assert list(read_game(path).edges) == [(2, 1)]


def test_parallel_and_isolated_vertices_are_written_once():
    graph = GameGraph.from_arrays(np.array([1, 1]), np.array([0, 0]), 3)
    assert written(graph).splitlines()[2:] == [
        '  n0 [label="0", position="0"];',
        '  n1 [label="1", position="1"];',
        '  n2 [label="2", position="2"];',
        "  n1 -> n0;",
        "}",
    ]


def test_a_label_shows_what_the_position_is():
    assert 'label="&amp;lt; \\\\n \\n", position="&lt; \\\\n \\n"' in written(GameGraph([("&lt; \\n \n", "b")]))


@pytest.mark.parametrize(
    "graph",
    [GameGraph([(1, 2), (1, 3)], tokens=[1, 1]), GameGraph({1: [], 2: [], 3: []}), GameGraph([])],
    ids=["tokens", "no edges", "no positions"],
)
def test_a_file_comes_back(graph, tmp_path):
    write_game(graph, tmp_path / "game", "dot")
    back = read_game(tmp_path / "game", "dot")
    assert (sorted(back), sorted(back.edges), back.tokens or ()) == (
        sorted(graph),
        sorted(graph.edges),
        graph.tokens or (),
    )
    assert back.graph["format"] == "dot"


@needs_graphviz
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=needs("numba"))])
def test_graphviz_finds_the_same_in_any_text_of_dot(compiled, monkeypatch):
    monkeypatch.setattr("graphgame.labs.formats.dot_graphs.use_compiled", lambda _: compiled)
    from tests.fuzz import dot_texts

    for seed in range(200):
        text = dot_texts.Writer(seed).text()
        assert dot_texts.found_by_graphgame(text) == dot_texts.found_by_graphviz(text), text
