"""GraphML, GEXF, node-link JSON and DOT: what goes out comes back."""

import enum
import io
import json
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graphgame import GameGraph
from graphgame.errors import FormatError, UnknownPositionError
from graphgame.io import FORMATS, read_game, write_game
from graphgame.io.edges import edge_arrays
from graphgame.io.files import Source
from graphgame.io.interchange import position_texts
from graphgame.labs.formats.graph_lines import counted_edges
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
    @pytest.mark.long
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

    @pytest.mark.long
    @every_format
    def test_nasty_labels(self, name):
        graph = GameGraph([("start", label) for label in NASTY], tokens=[*NASTY, NASTY[0]])
        assert_same(through(graph, name), graph)

    @pytest.mark.long
    @every_format
    @pytest.mark.parametrize("label", NASTY, ids=range(len(NASTY)))
    def test_each_nasty_label_alone(self, name, label):
        graph = GameGraph([("start", label)], tokens=[label])
        assert_same(through(graph, name), graph)

    @every_format
    @pytest.mark.parametrize(
        "graph",
        [
            GameGraph([]),
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
    def test_a_text_of_another_type_with_control_characters(self, name):
        graph = GameGraph([(Fraction(1, 2), "\x1f")])
        if name in ("dot", "node-link"):
            assert list(through(graph, name)) == ["1/2", "\x1f"]
        else:
            with pytest.raises(FormatError, match="has a character that XML cannot express"):
                through(graph, name)

    @every_format
    def test_equal_texts_are_refused(self, name):
        with pytest.raises(
            FormatError, match="two positions have the same text, '1/2': give the positions different names first"
        ):
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
        vertices, edges = (60, 200) if name == "dot" else (20_000, 100_000)
        source, target = np.random.default_rng(1).integers(0, vertices, (2, edges))
        graph = GameGraph.from_arrays(source, target, vertices, tokens=[7])
        back = through(graph, name)
        assert np.array_equal(back.option_rows.indices, graph.option_rows.indices)
        assert np.array_equal(back.option_rows.pointers, graph.option_rows.pointers)


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


def test_kinds_of_text():
    assert position_texts(["a", "b\x01"])[0] == "json"
    assert position_texts([1, 2**63])[0] == "json"
    assert position_texts([float("inf"), 1])[0] == "str"


def test_blocks_of_edges_cover_rows_longer_than_a_block():
    source = np.repeat([0, 1, 2], [70_000, 1, 3])
    target = np.concatenate([np.arange(3, 70_003), [2], [3, 3, 4]])
    sums = np.zeros(70_003, bool)
    sums[2] = True
    graph = GameGraph.from_arrays(source, target, 70_003, sums=sums)
    times = np.concatenate([times for *_, times in counted_edges(graph)])
    assert len(times) == 70_003
    assert times[times > 1].tolist() == [2]
    assert max(len(ends) for ends, _ in edge_arrays(graph)) <= 70_001


def test_a_list_of_edges_names_the_formats_that_can_express_sums(tmp_path):
    graph = nx.DiGraph([("a", "b")])
    graph.nodes["a"]["kind"] = "sum"
    with pytest.raises(
        FormatError, match=r"cannot express sum vertices: write the graph as dot, graphml, gexf, node-link or npz$"
    ):
        write_game(graph, tmp_path / "game.csv")
