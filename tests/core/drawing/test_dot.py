"""Pictures as DOT: what is said of each vertex and edge, which of them are drawn."""

import re
import warnings
from dataclasses import fields
from html import unescape

import networkx as nx
import pydot
import pytest

from graphgame import GameGraph, solve
from graphgame.drawing import PictureOptions, to_pydot, write_dot
from graphgame.drawing.image import graphviz_command, laid_out
from graphgame.drawing.options import PictureKeywords
from graphgame.errors import ParameterError, UndirectedGraphError, UnknownPositionError
from tests.helpers import CHIPS, game
from tests.notations import installed

GREEN = '"#00875a"'


@pytest.fixture
def chips():
    return solve(nx.DiGraph(CHIPS), tokens=[1, 2, 4, 6])


def lines_of(drawn, tmp_path, **options):
    path = tmp_path / "game.dot"
    write_dot(drawn, path, **options)
    return path.read_text().splitlines()


def read_by_pydot(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # pydot's parser calls pyparsing by its old names
        (graph,) = pydot.graph_from_dot_data(text)
    return graph


def parsed(drawn, tmp_path, **options):
    """Return {position: attributes} and {(position, position): attributes}, as pydot reads the text."""
    graph = read_by_pydot("\n".join(lines_of(drawn, tmp_path, **options)))
    nodes = {node.get_name(): node.get_attributes() for node in graph.get_nodes() if node.get("position")}
    name = {node: attributes["position"].strip('"') for node, attributes in nodes.items()}
    ends = ((edge.get_source(), edge.get_destination(), edge.get_attributes()) for edge in graph.get_edges())
    edges = {(name[a], name[b]): attributes for a, b, attributes in ends if a in name and b in name}
    return {name[node]: attributes for node, attributes in nodes.items()}, edges


def words(attributes):
    """Return the words of a vertex's label."""
    return " ".join(re.sub(r"<[^<>]*>|\\n", " ", attributes["label"][1:-1]).split())


def heading_of(drawn, tmp_path, **options):
    return next(line for line in lines_of(drawn, tmp_path, **options) if line.startswith("graph"))


class TestVertices:
    def test_each_tells_its_position_outcome_and_value(self, chips, tmp_path):
        nodes, _ = parsed(chips, tmp_path, colors=("#111111", "yellow"))
        assert {position: words(nodes[position]) for position in "12345"} == {
            "1": "1 N 2 ●",
            "2": "2 P 0 ●",
            "3": "3 N 1",
            "4": "4 N 1 ●",
            "5": "5 P 0",
        }

    def test_outcomes_differ_in_colour_and_in_shape(self, chips, tmp_path):
        nodes, _ = parsed(chips, tmp_path)
        lost, won = nodes["5"], nodes["3"]
        assert (lost["shape"], lost["peripheries"], lost["fillcolor"]) == ("ellipse", "2", '"#0072b2"')
        assert (won["shape"], won.get("peripheries"), won["fillcolor"]) == ("box", None, '"#fbd38a"')

    def test_dark_colours_are_written_on_in_white(self, chips, tmp_path):
        nodes, _ = parsed(chips, tmp_path, colors=("navy", "#ffee00"))
        assert nodes["5"]["fontcolor"] == '"#ffffff"'
        assert "fontcolor" not in nodes["3"]

    def test_in_the_dark_light_colours_are_written_on_in_black(self, chips, tmp_path):
        nodes, _ = parsed(chips, tmp_path, theme="dark")
        assert nodes["5"]["fontcolor"] == '"#000000"'
        assert "fontcolor" not in nodes["3"]

    def test_tokens_have_a_thick_border_and_are_counted(self, tmp_path):
        solution = solve(nx.DiGraph(CHIPS), tokens=[1, 4, 4, 5, 5, 5, 5])
        nodes, _ = parsed(solution, tmp_path)
        assert {position for position, attributes in nodes.items() if attributes.get("penwidth") == "3"} == {
            "1",
            "4",
            "5",
        }
        assert [words(nodes[position]) for position in "145"] == ["1 N 2 ●", "4 N 1 ●●", "5 P 0 ●●●●"]

    def test_many_tokens_are_a_number(self, tmp_path):
        nodes, _ = parsed(solve(nx.DiGraph([(1, 0)]), tokens=[1] * 6), tmp_path)
        assert words(nodes["1"]) == "1 N 1 ● ×6"

    def test_sums_are_dashed(self, tmp_path):
        solution = solve(game({0: [], 1: [0], 2: [1, 1], 3: [2]}, sums=[2]))
        nodes, edges = parsed(solution, tmp_path)
        assert (nodes["2"]["style"], words(nodes["2"]), nodes["2"]["kind"]) == (
            '"filled,rounded,dashed"',
            "⊕ 2 P 0",
            "sum",
        )
        assert (edges["2", "1"]["style"], edges["2", "1"]["multiplicity"], edges["2", "1"]["label"]) == (
            "dashed",
            "2",
            '"×2"',
        )

    @pytest.mark.parametrize(
        ("options", "label"),
        [
            ({"values": False}, "1 N ●"),
            ({"names": False}, "N 2 ●"),
            ({"names": False, "values": False}, "N ●"),
        ],
    )
    def test_names_and_values_can_be_left_out(self, chips, tmp_path, options, label):
        nodes, _ = parsed(chips, tmp_path, **options)
        assert words(nodes["1"]) == label

    def test_a_graph_is_drawn_without_outcomes_and_may_have_a_cycle(self, tmp_path):
        nodes, edges = parsed(nx.DiGraph([("a", "b"), ("b", "a")]), tmp_path)
        assert nodes["a"]["label"] == '"a"'
        assert "fillcolor" not in nodes["a"]
        assert edges == {("a", "b"): {}, ("b", "a"): {}}

    def test_misere_outcomes_are_drawn(self, tmp_path):
        nodes, edges = parsed(solve(nx.DiGraph([(1, 0)]), misere=True, tokens=[0]), tmp_path)
        assert [words(nodes[position]) for position in "01"] == ["0 N 1 ●", "1 P 0"]
        assert "penwidth" not in edges["1", "0"]

    @pytest.mark.parametrize(
        ("position", "shown"),
        [
            ("x" * 10_000, "x" * 18 + "..." + "x" * 18),
            ("a\nb", r"a\nb"),
            ("a\\nb", r"a\\nb"),
            ("&lt;", "&amp;lt;"),
            ("\x1b", r"\\x1b"),
            ("\n".join("abcdefghij"), r"a\nb\nc\nd\ne\nf\ng\n..."),
        ],
    )
    def test_labels_are_short_and_tooltips_whole(self, tmp_path, position, shown):
        line = next(line for line in lines_of(nx.DiGraph({position: []}), tmp_path) if line.startswith("n0"))
        assert line.startswith(f'n0 [label="{shown}",')
        assert len(line) > len(position)


@pytest.mark.skipif(graphviz_command("svg") is None, reason="needs Graphviz: pip install pygraphviz")
def test_graphviz_shows_tooltips_as_they_are(tmp_path):
    positions = ["back\\slash", r"a\nb", r"a\\nb", r"\N \E \G", r"\l", "\\", "&lt;"]
    write_dot(nx.DiGraph([(position, "end") for position in positions]), tmp_path / "a.dot")
    made = laid_out((tmp_path / "a.dot").read_text(), graphviz_command("svg"), 60, "").decode()
    assert set(map(unescape, re.findall('xlink:title="(.*?)"', made))) == {*positions, "end"}


class TestEdges:
    def test_winning_moves_are_bold_and_those_of_the_tokens_boldest(self, chips, tmp_path):
        _, edges = parsed(chips, tmp_path)
        widths = {edge: attributes.get("penwidth") for edge, attributes in edges.items()}
        assert widths == {
            ("2", "1"): None,
            ("2", "4"): None,
            ("1", "3"): "4.5",
            ("1", "4"): "4.5",
            ("1", "5"): "2.2",
            ("3", "5"): "2.2",
            ("3", "6"): "2.2",
            ("4", "5"): "2.2",
        }
        assert edges["1", "3"]["color"] == GREEN

    def test_a_part_of_a_sum_is_no_winning_move(self, tmp_path):
        solution = solve(game({0: [], 1: [0], 2: [1, 0]}, sums=[2]))
        _, edges = parsed(solution, tmp_path)
        assert "penwidth" not in edges["2", "0"]

    def test_parallel_parts_stay_together_at_the_end_of_a_block(self, tmp_path, monkeypatch):
        graph = game({0: [], 1: [0], 2: [1, 1, 1], 3: [2]}, sums=[2])
        whole = lines_of(graph, tmp_path)
        for size in (1, 2, 3):
            monkeypatch.setattr("graphgame.drawing.picture._ITEMS_AT_A_TIME", size)
            assert lines_of(graph, tmp_path) == whole


class TestRanks:
    def test_positions_of_one_birthday_share_a_rank(self, chips, tmp_path):
        text = "\n".join(lines_of(chips, tmp_path))
        numbers = {position: chips.graph.number_of(position) for position in chips.graph}
        groups = [part.split("}")[0] for part in text.split("{rank=same;")[1:]]
        shown = [{v for v, n in numbers.items() if f"n{n};" in group.split("\n")[1]} for group in groups]
        assert shown == [{5, 6}, {3, 4}]

    def test_sums_stand_in_no_rank_of_positions(self, tmp_path):
        solution = solve(game({0: [], 1: [0], 2: [1, 0], 3: [2]}, sums=[2]))  # the sum has birthday 1, as its part
        assert not any(line.startswith("{rank") for line in lines_of(solution, tmp_path))

    def test_play_goes_down_or_to_the_right(self, chips, tmp_path):
        assert "rankdir=LR" not in heading_of(chips, tmp_path)
        assert "rankdir=LR" in heading_of(chips, tmp_path, left_to_right=True)


class TestHeading:
    @pytest.mark.parametrize(
        ("options", "title"),
        [
            ({"tokens": [1, 2, 4, 6]}, "first player wins, nim-sum 3"),
            ({"tokens": [4, 3]}, "second player wins, nim-sum 0"),
            ({"tokens": [1]}, "first player wins"),
            ({"tokens": [1, 1], "misere": True}, "misère play, second player wins"),
            ({"tokens": [1, 2, 4, 6], "misere": True, "product_limit": 3}, "misère play, 4 tokens"),
            ({}, "6 positions, 3 P, 3 N"),
            ({"tokens": []}, "6 positions, 3 P, 3 N"),
        ],
    )
    def test_the_title_says_who_wins(self, tmp_path, options, title):
        assert f">{title}<" in heading_of(solve(nx.DiGraph(CHIPS), **options), tmp_path)

    @pytest.mark.parametrize(
        ("options", "title"),
        [
            ({"around": [3], "steps": 1}, "around 3, at most 1 move away: 4 of 6 positions, 2 P, 2 N"),
            ({"around": [1, 6, 5, 2], "steps": 2}, "around 1, 6, 5, ... and 1 more, at most 2 moves away: 6 of 6 p"),
            ({"reachable_from": [3]}, "3 of 6 positions, 2 P, 1 N"),
            ({"reachable_from": [2]}, "first player wins, nim-sum 3"),
            ({"only": "P"}, "3 of 6 positions, 3 P, 0 N"),
        ],
    )
    def test_of_a_part_the_title_tells_no_more_than_is_shown(self, chips, tmp_path, options, title):
        assert f">{title}" in heading_of(chips, tmp_path, **options)

    def test_of_a_part_of_a_graph_it_says_the_size(self, tmp_path):
        title = "around 1, at most 1 move away: 2 of 3 positions<"
        assert title in heading_of(nx.DiGraph([(1, 2), (2, 3)]), tmp_path, around=[1], steps=1)

    def test_of_a_graph_it_says_the_size(self, tmp_path):
        assert ">2 vertices, 1 edge<" in heading_of(nx.DiGraph([(1, 2)]), tmp_path)

    def test_it_can_be_given_or_left_out(self, chips, tmp_path):
        assert r"a &lt;b&gt; &amp; &quot;c&quot; \\N<BR/>d" in heading_of(chips, tmp_path, title='a <b> & "c" \\N\nd')
        assert "label=" not in heading_of(chips, tmp_path, title="", legend=False)

    def test_the_legend_explains_what_is_used(self, chips, tmp_path):
        heading = heading_of(chips, tmp_path)
        for sign in ("previous player wins", "next player wins", "Grundy value", "token", "winning move of the tokens"):
            assert sign in heading
        assert "sum of its parts" not in heading
        sums = solve(game({0: [], 1: [0], 2: [1, 1]}, sums=[2]))
        assert "sum of its parts" in heading_of(sums, tmp_path)
        assert "sum of its parts" not in heading_of(sums, tmp_path, reachable_from=[1])

    @pytest.mark.parametrize(
        ("options", "missing"),
        [
            ({"legend": False}, "next player wins"),
            ({"only": "P"}, "next player wins"),
            ({"only": "N"}, "previous player wins"),
            ({"values": False}, "Grundy value"),
            ({"only": "P"}, "winning move of the tokens"),
            ({"reachable_from": [3]}, "winning move of the tokens"),
            ({"around": [5], "steps": 0}, ">token<"),
        ],
    )
    def test_the_legend_leaves_out_the_rest(self, chips, tmp_path, options, missing):
        assert missing not in heading_of(chips, tmp_path, **options)


class TestSelection:
    @pytest.mark.parametrize(
        ("options", "positions"),
        [
            ({"reachable_from": [4]}, "45"),
            ({"reachable_from": [3, 4]}, "3456"),
            ({"around": [1], "steps": 0}, "1"),
            ({"around": [1], "steps": 1}, "12345"),
            ({"around": [6], "steps": 1}, "36"),
            ({"around": [6], "steps": 2}, "136"),
            ({"around": [6, 4], "steps": 1}, "123456"),
            ({"around": [1], "steps": 1, "reachable_from": [3]}, "35"),
            ({"only": "P"}, "256"),
            ({"only": "N"}, "134"),
            ({"only": "N", "reachable_from": [1]}, "134"),
        ],
    )
    def test_only_what_the_options_let_through(self, chips, tmp_path, options, positions):
        nodes, edges = parsed(chips, tmp_path, **options)
        assert set(nodes) == set(positions)
        assert set(edges) == {(str(a), str(b)) for a, b in CHIPS if {str(a), str(b)} <= set(positions)}

    def test_it_follows_cycles_once(self, tmp_path):
        nodes, _ = parsed(nx.DiGraph([(1, 2), (2, 1), (3, 1)]), tmp_path, reachable_from=[1])
        assert set(nodes) == {"1", "2"}

    def test_nothing_may_be_left(self, tmp_path):
        nodes, edges = parsed(solve(nx.DiGraph({1: []})), tmp_path, only="N")
        assert (nodes, edges) == ({}, {})


class TestNeighbourhood:
    def test_its_centre_is_marked(self, chips, tmp_path):
        nodes, _ = parsed(chips, tmp_path, around=[3], steps=1)
        assert [(name, words(node)) for name, node in nodes.items() if "◎" in words(node)] == [("3", "◎ 3 N 1")]
        assert "drawn around this position" in heading_of(chips, tmp_path, around=[3])
        assert "drawn around this position" not in heading_of(chips, tmp_path)

    @pytest.mark.parametrize(
        ("options", "stubs"),
        [
            ({"around": [3], "steps": 1}, {("1", "+1"), ("+1", "1"), ("+1", "5")}),
            ({"around": [1], "steps": 0}, {("1", "+3"), ("+1", "1")}),
            ({"around": [1], "steps": 1, "only": "P"}, {("2", "+2"), ("+3", "5")}),
            ({"around": [1], "steps": 5}, set()),
            ({"reachable_from": [3]}, set()),
        ],
    )
    @pytest.mark.parametrize("draws", [lines_of, lambda *given, **options: to_pydot(given[0], **options).to_string()])
    def test_moves_that_are_cut_off_are_counted(self, chips, tmp_path, options, stubs, draws):
        text = draws(chips, tmp_path, **options)
        graph = read_by_pydot(text if isinstance(text, str) else "\n".join(text))
        shown = {n.get_name(): (n.get("position") or n.get("label") or "").strip('"') for n in graph.get_nodes()}
        ends = {(shown[e.get_source()], shown[e.get_destination()]) for e in graph.get_edges()}
        assert {pair for pair in ends if "+" in "".join(pair)} == stubs
        assert ("3 moves are not shown" in str(text)) == bool(stubs)


class TestToPydot:
    def test_it_says_what_the_text_says(self, chips, tmp_path):
        expected = read_by_pydot("\n".join(lines_of(chips, tmp_path)))
        picture = to_pydot(chips)
        assert len(picture.get_subgraphs()) == 2
        for made, read in zip(picture.get_edges(), expected.get_edges(), strict=True):
            assert (made.get_source(), made.get_destination()) == (read.get_source(), read.get_destination())
            assert made.get_attributes() == read.get_attributes()
        nodes = [node for node in picture.get_nodes() if node.get("position")]
        read_nodes = [node for node in expected.get_nodes() if node.get("position")]
        assert [n.get_attributes() for n in nodes] == [n.get_attributes() for n in read_nodes]

    @pytest.mark.parametrize("text", installed(["cutting(4x2)", "whiteboard{3}(4)"]))
    def test_the_legend_tells_of_positions_that_end_play(self, tmp_path, text):
        drawn = solve(text)
        said = heading_of(drawn, tmp_path)
        for sign, meaning in [("sunny", "play is over: the player"), ("loony", "the next player can win at once")]:
            assert (meaning in said) == (sign in map(str, drawn.grundy.values()))


class TestErrors:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"colour": 1}, "unknown parameter 'colour': expected one of reachable_from, around, steps, only"),
            ({"only": "Q"}, "invalid only 'Q': expected 'P', 'N', 'D' or None"),
            ({"steps": -1}, "invalid steps -1: expected an integer of 0 or more"),
            ({"steps": True}, "invalid steps True"),
            ({"dpi": 5}, "invalid dpi 5: expected an integer from 10 to 2400"),
            ({"timeout": 0}, "invalid timeout 0: expected a finite number of seconds above 0"),
            ({"timeout": float("inf")}, "invalid timeout inf: expected a finite number of seconds above 0"),
            ({"title": 3}, "invalid title 3: expected a string"),
            ({"caption": 3}, "invalid caption 3: expected a string"),
            ({"legend": "no"}, "invalid legend 'no': expected True, False or one of below, right"),
            ({"around": "12"}, "invalid around '12': expected a list of positions, such as ['12']"),
            ({"reachable_from": 3}, "invalid reachable_from 3: expected a list of positions, such as [3]"),
            ({"colors": "red"}, "invalid colors 'red': expected two colours, for P- and N-positions"),
            ({"colors": ("red",)}, "expected two colours"),
            ({"colors": ("octarine", "red")}, "invalid colour 'octarine': expected #rrggbb, or one of black, white"),
            ({"colors": ("#12345", "red")}, "invalid colour '#12345'"),
            ({"colors": ("red", 'red"]; x')}, "invalid colour"),
        ],
    )
    def test_options(self, chips, tmp_path, options, message):
        with pytest.raises(ParameterError) as caught:
            write_dot(chips, tmp_path / "a.dot", **options)
        assert message in str(caught.value)
        assert not list(tmp_path.iterdir())

    def test_outcomes_of_a_graph_that_is_not_solved(self, tmp_path):
        with pytest.raises(ParameterError, match=r"only='P' needs outcomes.*draw solve\(graph\)"):
            write_dot(nx.DiGraph([(1, 2)]), tmp_path / "a.dot", only="P")

    def test_positions_that_are_not_there(self, chips, tmp_path):
        with pytest.raises(UnknownPositionError, match="position 7 is not a vertex"):
            write_dot(chips, tmp_path / "a.dot", around=[7])
        with pytest.raises(UnknownPositionError, match="position 9 has a token but is not a vertex"):
            write_dot(GameGraph([(1, 2)], tokens=[9]), tmp_path / "a.dot")

    def test_undirected(self, tmp_path):
        with pytest.raises(UndirectedGraphError):
            write_dot(nx.Graph([(1, 2)]), tmp_path / "a.dot")

    def test_type_checkers_know_every_option(self):
        keywords = {name: hint.__forward_arg__ for name, hint in PictureKeywords.__annotations__.items()}
        options = {field.name: field.type for field in fields(PictureOptions)}
        assert keywords == {**options, "colors": "Sequence[str] | None"}  # a list becomes a tuple

    def test_options_are_values(self):
        options = PictureOptions(around=iter([1, 2]), colors=["red", "blue"])
        assert (options.around, options.palette.fills) == ((1, 2), ("red", "blue", "#d9d9d9"))
