"""Pictures as images: each is rendered and looked into."""

import shutil
import xml.etree.ElementTree as ElementTree

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import GameGraph, Ruleset, explore, parse_position, solve
from graphgame.drawing import draw
from graphgame.drawing.picture import caption
from graphgame.errors import FormatError, ParameterError
from graphgame.rules.pictures import Cell, rows
from tests.core.drawing.test_image_limits import graphviz_is
from tests.helpers import CHIPS, game, needs_graphviz

SVG = "{http://www.w3.org/2000/svg}"
TOOLTIP = "{http://www.w3.org/1999/xlink}title"


def groups(path, *kinds):
    """Return the groups of these kinds in an SVG image, positions unless given."""
    root = ElementTree.fromstring(path.read_bytes())
    assert root.tag == f"{SVG}svg"
    return [group for group in root.iter(f"{SVG}g") if group.get("class") in (kinds or ("position",))]


def moves(path):
    """Return {(name, name): group} of the moves."""
    found = groups(path, "move", "win", "token win", "part")
    pairs = [
        tuple(group.findtext(f"{SVG}title").split(" → ")) for group in found if group.find(f"{SVG}title") is not None
    ]
    return dict(zip(pairs, [group for group in found if group.find(f"{SVG}title") is not None], strict=True))


def texts(group):
    return [element.text or "" for element in group.iter(f"{SVG}text")]


def written(path, kind):
    """Return the texts of a kind."""
    return [text.text for text in ElementTree.parse(path).iter(f"{SVG}text") if text.get("class") == kind]


def heading(path):
    return [*written(path, "title"), *written(path, "caption")]


def marks(group):
    """Return the outlines of a vertex: (class, fill, width of the line)."""
    return [
        (g.get("class"), g.get("fill"), float(g.get("stroke-width", 0))) for g in group.iter(f"{SVG}g") if g != group
    ]


def middle(group):
    """Return the height of the middle of a vertex."""
    heights = [float(text.get("y")) for text in group.iter(f"{SVG}text")]
    return round((min(heights) + max(heights)) / 2, -1)  # a line with a token is higher


def labelled(path):
    """Return {lines of text: element} of the vertices."""
    return {tuple(texts(group)): group for group in groups(path)}


@pytest.fixture(scope="module")
def chips():
    return solve(nx.DiGraph(CHIPS), tokens=[1, 2, 4, 6])


@pytest.fixture(scope="module")
def picture(chips, tmp_path_factory):
    path = tmp_path_factory.mktemp("svg") / "chips.svg"
    draw(chips, path)
    return path


@needs_graphviz
class TestSvg:
    def test_every_vertex_shows_name_outcome_value_and_tokens(self, picture):
        found = labelled(picture)
        assert set(found) == {("1", "N 2"), ("2", "P 0"), ("3", "N 1"), ("4", "N 1"), ("5", "P 0"), ("6", "P 0")}
        tokens = {texts(group)[0] for group in groups(picture) if group.find(f"{SVG}g[@class='token']") is not None}
        assert tokens == {"1", "2", "4", "6"}

    def test_many_tokens_are_a_number(self, tmp_path):
        draw(solve(nx.DiGraph([(1, 0)]), tokens=[1] * 7 + [0] * 3), tmp_path / "a.svg")
        found = labelled(tmp_path / "a.svg")
        pieces = {name[0]: len(group.find(f"{SVG}g[@class='token']")) for name, group in found.items()}
        assert (set(found), pieces) == ({("1", "N 1", "×7"), ("0", "P 0")}, {"1": 1, "0": 3})

    def test_outcomes_differ_in_shape_and_colour(self, picture):
        vertices = labelled(picture)
        assert marks(vertices["5", "P 0"]) == [("P", "#ffffff", 1.3), ("P", "#0072b2", 1.3)]
        assert marks(vertices["3", "N 1"]) == [("N", "#fbd38a", 1.3)]
        assert "C" in vertices["5", "P 0"].find(f".//{SVG}path").get("d")
        assert vertices["3", "N 1"].find(f".//{SVG}rect") is not None

    def test_tokens_have_a_thick_border(self, picture):
        assert marks(labelled(picture)["4", "N 1"])[0] == ("N", "#fbd38a", 4)

    def test_winning_moves_are_thick(self, picture):
        assert {pair: group.get("class") for pair, group in moves(picture).items()} == {
            ("2", "1"): "move",
            ("2", "4"): "move",
            ("1", "3"): "token win",
            ("1", "4"): "token win",
            ("1", "5"): "win",
            ("3", "5"): "win",
            ("3", "6"): "win",
            ("4", "5"): "win",
        }
        widths = [float(moves(picture)[pair][1].get("stroke-width")) for pair in (("2", "1"), ("1", "5"), ("1", "3"))]
        assert widths[0] < widths[1] < widths[2]

    def test_title_and_legend(self, picture):
        assert heading(picture) == ["first player wins, nim-sum 3"]
        assert {"previous player wins", "next player wins", "winning move of the tokens"} <= set(
            written(picture, "legend")
        )

    def test_positions_of_one_birthday_stand_at_one_height(self, picture):
        height = {label[0]: middle(group) for label, group in labelled(picture).items()}
        assert height["2"] < height["1"] < height["3"] == height["4"] < height["5"] == height["6"]

    def test_a_font_of_the_system_is_asked_for(self, picture):
        assert ElementTree.parse(picture).getroot().get("font-family") == "Helvetica, Arial, sans-serif"

    def test_left_to_right(self, tmp_path):
        draw(nx.DiGraph([("a", "b")]), tmp_path / "a.svg", left_to_right=True, title="")
        places = {
            label[0]: float(group.find(f".//{SVG}text").get("x"))
            for label, group in labelled(tmp_path / "a.svg").items()
        }
        assert places["a"] < places["b"]

    def test_sums_have_dashed_outlines_and_parallel_parts_are_counted(self, tmp_path):
        draw(solve(game({0: [], 1: [0], 2: [1, 1]}, sums=[2])), tmp_path / "a.svg")
        outline = labelled(tmp_path / "a.svg")["⊕ 2", "P 0"].find(f"{SVG}g[@class='P']")
        part = moves(tmp_path / "a.svg")["⊕ 2", "1"]
        assert (bool(outline.get("stroke-dasharray")), texts(part)) == (True, ["×2"])
        assert part[1].get("stroke-dasharray")

    def test_a_graph_with_a_cycle(self, tmp_path):
        draw(nx.DiGraph([("a", "b"), ("b", "a"), ("b", "b")]), tmp_path / "a.svg")
        assert set(moves(tmp_path / "a.svg")) == {("a", "b"), ("b", "a"), ("b", "b")}

    def test_vertices_without_a_word(self, tmp_path):
        draw(nx.DiGraph([(1, 2)]), tmp_path / "a.svg", names=False)
        assert set(labelled(tmp_path / "a.svg")) == {()}

    def test_an_empty_graph(self, tmp_path):
        draw(solve(nx.DiGraph()), tmp_path / "a.svg")
        assert heading(tmp_path / "a.svg")[0] == "0 positions, 0 P, 0 N"

    def test_parts_without_moves_stand_in_the_order_of_play(self, tmp_path):
        draw(solve("take{1,3,4}(12)"), tmp_path / "a.svg", only="P")
        height = {int(label[0]): middle(group) for label, group in labelled(tmp_path / "a.svg").items()}
        assert sorted(height, key=lambda n: -height[n]) == sorted(height)
        assert len(set(height.values())) == len(height) == 4

    def test_words_of_edges_have_room(self, tmp_path):
        graph = nx.DiGraph()
        graph.add_edge("a", "b", label="a long word at an edge")
        draw(graph, tmp_path / "a.svg")
        assert texts(moves(tmp_path / "a.svg")["a", "b"]) == ["a long word at an edge"]


class Places:
    """Where things are on a page."""

    def __init__(self, path):
        self.root = ElementTree.fromstring(path.read_bytes())
        self.size = tuple(int(self.root.get(name)) for name in ("width", "height"))

    def box(self, kind):
        """Return left, top, right, bottom of the texts of a kind."""
        texts = [text for text in self.root.iter(f"{SVG}text") if text.get("class") == kind]
        across, down = ([float(text.get(axis)) for text in texts] for axis in "xy")
        return min(across), min(down), max(across), max(down)


@needs_graphviz
class TestPage:
    @pytest.mark.parametrize("layout", ["dot", "layers", "board", "overview"])
    @pytest.mark.parametrize(
        ("ratio", "size"),
        [
            ("16:9", (1280, 720)),
            ("4:3", (960, 720)),
            ("1.5", (1080, 720)),
            (0.5, (720, 1440)),
            (np.int64(2), (1440, 720)),
        ],
    )
    def test_every_layout_has_the_ratio(self, tmp_path, layout, ratio, size):
        draw("wythoff(2,3)", tmp_path / "a.svg", layout=layout, ratio=ratio)
        assert Places(tmp_path / "a.svg").size == size

    @pytest.mark.parametrize("layout", ["dot", "layers", "board", "overview"])
    @pytest.mark.parametrize("ratio", [None, "16:9"])
    def test_the_legend_stands_where_it_is_asked_for(self, tmp_path, layout, ratio):
        for legend in (False, "below", "right"):
            draw("wythoff(2,3)", tmp_path / "a.svg", layout=layout, ratio=ratio, legend=legend, title="A game")
            page = Places(tmp_path / "a.svg")
            if not legend:
                assert not written(tmp_path / "a.svg", "legend")
            elif legend == "below":
                assert page.box("legend")[1] > 0.75 * page.size[1]
            else:
                assert page.box("legend")[0] > 0.6 * page.size[0]

    def test_a_small_picture_fills_the_page(self, chips, tmp_path):
        draw(chips, tmp_path / "a.svg", ratio="16:9")
        left, top, right, bottom = Places(tmp_path / "a.svg").box("name")
        assert right - left > 700
        assert bottom - top > 200

    @pytest.mark.long
    @given(st.sampled_from([None, "16:9", "3:4"]), st.sampled_from(["below", "right"]), st.integers(0, 9))
    @settings(max_examples=6)
    def test_nothing_lies_outside_or_over_the_legend(self, tmp_path_factory, ratio, legend, seed):
        path = tmp_path_factory.mktemp("svg") / "a.svg"
        ends = np.sort(np.random.default_rng(seed).integers(0, 12, (20, 2)))
        draw(solve(nx.DiGraph(ends[ends[:, 0] < ends[:, 1]].tolist()), tokens=[]), path, ratio=ratio, legend=legend)
        page = Places(path)
        for kind in ("name", "value", "legend", "title"):
            left, top, right, bottom = page.box(kind)
            assert 0 < left <= right < page.size[0]
            assert 0 < top <= bottom < page.size[1]
        if legend == "below":
            assert page.box("value")[3] < page.box("legend")[1]
        else:
            assert page.box("value")[2] < page.box("legend")[0]

    @pytest.mark.parametrize("ratio", ["16/0", "wide", 0, 9, True, "1:6", (16, 9)])
    def test_other_ratios_are_refused(self, chips, tmp_path, ratio):
        with pytest.raises(ParameterError, match=r"invalid ratio .*: expected W:H such as 16:9, or a number, from 1:5"):
            draw(chips, tmp_path / "a.svg", ratio=ratio)


def described(drawn, path, **options):
    """Return what an image says to those who do not see it."""
    draw(drawn, path, **options)
    root = ElementTree.parse(path).getroot()
    assert (root.get("role"), [child.tag for child in root[:2]]) == ("img", [f"{SVG}title", f"{SVG}desc"])
    return root[0].text, root[1].text or ""


@needs_graphviz
class TestTextAlternative:
    @pytest.mark.parametrize(
        ("tokens", "options", "expected"),
        [
            (
                [1, 2, 4, 6],
                {"title": "Chips"},
                "Chips | first player wins, nim-sum 3. 6 positions, 3 P, 3 N. "
                "Winning moves: component 1: 1 -> 4; component 1: 1 -> 3",
            ),
            ([3], {}, "first player wins | 6 positions, 3 P, 3 N. Winning moves: 3 -> 5; 3 -> 6"),
            ([5], {}, "second player wins | 6 positions, 3 P, 3 N"),
            ([1, 2], {"reachable_from": [3]}, "3 of 6 positions, 2 P, 1 N | "),
            (None, {"title": "Chips"}, "Chips | 6 positions, 3 P, 3 N"),
            (
                [1, 2],
                {"around": [3], "steps": 1, "title": "a"},
                "a | around 3, at most 1 move away: 4 of 6 positions, 2 P, 2 N",
            ),
        ],
    )
    def test_it_says_how_many_positions_who_wins_and_how(self, tmp_path, tokens, options, expected):
        solution = solve(nx.DiGraph(CHIPS), tokens=tokens)
        assert " | ".join(described(solution, tmp_path / "a.svg", **options)) == expected

    def test_many_moves_are_counted(self, tmp_path):
        star = nx.DiGraph((0, n) for n in range(1, 10))
        assert described(solve(star, tokens=[0]), tmp_path / "a.svg")[1].endswith("0 -> 5; ... and 4 more")

    def test_of_a_graph_it_says_the_size(self, tmp_path):
        assert described(nx.DiGraph([(1, 2)]), tmp_path / "a.svg") == ("2 vertices, 1 edge", "")

    def test_labels_are_data(self, tmp_path):
        graph = nx.DiGraph([(name, 0) for name in NASTY])
        _, text = described(solve(graph, tokens=NASTY[:3]), tmp_path / "a.svg", title="</title><b>&\n\\1 \x07")
        assert "component 3: <b>bold</b> -> 0" in text


NASTY = [
    "a:b:c",
    'say "no"',
    "<b>bold</b>",
    "&amp; &#65; &lt;",
    "back\\slash \\N \\n \\G \\l \\\\ \\",
    "棋子 位置",
    "digraph",
    "node",
    "n0",
    "two\nlines",
    "bell\x07 escape\x1b nul\0",
    "tab\tbed",
    "{a|b}",
    "",
    "x" * 10_000,
    "\u202eright to left",
    "\ud800",
    "%3 $x `ls` @@ #",
]


@needs_graphviz
class TestText:
    def drawn(self, positions, path):
        draw(nx.DiGraph({position: [] for position in positions}), path, title="", legend=False)
        return groups(path)

    def test_every_label_is_shown_as_it_is(self, tmp_path):
        vertices = self.drawn(NASTY, tmp_path / "a.svg")
        shown = [caption(position).split("\n") for position in NASTY]
        assert [texts(vertex) for vertex in vertices] == shown
        assert texts(vertices[3]) == ["&amp; &#65; &lt;"]
        assert texts(vertices[4]) == ["back\\slash \\N \\n \\G \\l", "\\\\ \\"]
        assert texts(vertices[9]) == ["two", "lines"]
        assert texts(vertices[10]) == [r"bell\x07 escape\x1b nul\x00"]

    def test_every_tooltip_is_whole(self, tmp_path):
        vertices = self.drawn(NASTY, tmp_path / "a.svg")
        for position, vertex in zip(NASTY, vertices, strict=True):
            if position and all(map(str.isprintable, position)):
                assert vertex.findtext(f"{SVG}title") == position

    @pytest.mark.long
    @given(st.lists(st.text(max_size=30), min_size=1, max_size=12, unique=True))
    @settings(max_examples=8)
    def test_any_label(self, tmp_path_factory, positions):
        vertices = self.drawn(positions, tmp_path_factory.mktemp("svg") / "a.svg")
        for position, vertex in zip(positions, vertices, strict=True):
            assert [t for t in texts(vertex) if t.strip()] == [t for t in caption(position).split("\n") if t.strip()]

    @pytest.mark.parametrize("title", ['<b>&amp;</b> "x" \\N \\G \\', "棋子", "\x1b[31m", "one\ntwo"])
    def test_the_title_is_shown_as_it_is(self, tmp_path, title):
        draw(nx.DiGraph([(1, 2)]), tmp_path / "a.svg", title=title, caption="")
        assert heading(tmp_path / "a.svg") == title.replace("\x1b", "\\x1b").split("\n")

    def test_a_long_title_is_broken_into_lines(self, tmp_path):
        draw(nx.DiGraph([(1, 2)]), tmp_path / "a.svg", title="word " * 2000, caption="")
        lines = heading(tmp_path / "a.svg")
        assert (len(lines), max(map(len, lines)) <= 72, lines[-1]) == (8, True, "...")
        assert Places(tmp_path / "a.svg").box("title")[0] > 0


@needs_graphviz
class TestOtherFormats:
    def size(self, path):
        data = path.read_bytes()
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])

    def test_png_is_as_fine_as_asked(self, chips, tmp_path):
        draw(chips, tmp_path / "a.png", dpi=72)
        draw(chips, tmp_path / "b.PNG", dpi=144)
        small, large = self.size(tmp_path / "a.png"), self.size(tmp_path / "b.PNG")
        assert large == pytest.approx((2 * small[0], 2 * small[1]), rel=0.02)

    @pytest.mark.long
    def test_a_wide_picture_is_scaled_down(self, tmp_path):
        draw(nx.DiGraph({n: [] for n in range(300)}), tmp_path / "a.svg", layout="dot")
        assert max(Places(tmp_path / "a.svg").size) < 4100
        draw(nx.DiGraph({n: [] for n in range(300)}), tmp_path / "a.png", dpi=600, layout="dot")
        assert max(self.size(tmp_path / "a.png")) == pytest.approx(16_000, abs=2)

    @pytest.mark.filterwarnings("ignore::graphgame.errors.MissingFontWarning")  # the machine may have no Chinese font
    def test_nasty_labels_in_each_format(self, tmp_path):
        for name in ("a.png", "a.pdf", "a.svg"):
            draw(nx.DiGraph({position: [] for position in NASTY}), tmp_path / name)
            assert (tmp_path / name).stat().st_size > 1000

    @pytest.mark.parametrize("name", ["a.dot", "a.gv", "a.GV"])
    def test_dot(self, chips, tmp_path, name):
        draw(chips, tmp_path / name)
        assert (tmp_path / name).read_text().startswith("digraph game {\n")

    @pytest.mark.parametrize("name", ["a.jpg", "a", "a.svg.txt"])
    def test_others_are_refused(self, chips, tmp_path, name):
        expected = (
            r"cannot tell the picture's format from the name .*: expected \.svg, \.png, \.pdf, \.tex, \.dot, \.gv"
        )
        with pytest.raises(FormatError, match=expected):
            draw(chips, tmp_path / name)


WORDS = ["<script>", '"><b', "&amp;", "\\N \\G", "\u202e", "]]>", "bell\x07"]


class Nasty(Ruleset):
    """A countdown whose pictures hold whatever they like."""

    start = len(WORDS) - 1

    def options(self, position):
        return [position - 1] if position else []

    def picture(self, position):
        return rows([[Cell("note", WORDS[position]), Cell("square")]])


@needs_graphviz
class TestVertices:
    def test_every_vertex_is_its_board(self, tmp_path):
        position = parse_position("chomp(2x2)")
        draw(solve(position.graph()), tmp_path / "a.svg", pictures=position.picture, names=False, legend=False)
        found = groups(tmp_path / "a.svg")
        for number, bar in enumerate(position.graph().labels):
            fills = [cells.get("fill") for cells in found[number].iter(f"{SVG}g")]
            assert (fills.count("#2a2320"), fills.count("#b98352")) == (1, sum(bar) - 1)

    def test_words_in_a_picture_are_words(self, tmp_path):
        rules = Nasty()
        draw(solve(explore(rules)), tmp_path / "a.svg", pictures=rules.picture, names=False, title="", legend=False)
        found = groups(tmp_path / "a.svg")
        shown = [texts(found[number])[0] for number in range(len(WORDS))]
        assert shown == ["bell\\x07", "]]>", "\\u202e", "\\N \\G", "&amp;", '"><b', "<script>"]

    def test_without_a_picture_the_name_is_there(self, tmp_path):
        position = parse_position("nim(2)")
        draw(solve(position.graph()), tmp_path / "a.svg", pictures=lambda size: None, legend=False)
        assert texts(groups(tmp_path / "a.svg")[0]) == ["2", "N 2"]


class TestGraphviz:
    def test_a_program_named_dot_serves(self, chips, tmp_path, monkeypatch):
        graphviz_is(monkeypatch, tmp_path, f'test "$*" = -Tplain && exec {shutil.which("dot")} "$@"')
        draw(chips, tmp_path / "a.svg")
        assert len(labelled(tmp_path / "a.svg")) == 6

    @needs_graphviz
    def test_a_part_is_drawn(self, tmp_path):
        ends = np.arange(100_000)
        draw(solve(GameGraph.from_arrays(ends + 1, ends, 100_001)), tmp_path / "a.svg", around=[50_000], steps=2)
        assert [label[0] for label in labelled(tmp_path / "a.svg")] == ["49998", "49999", "◎ 50000", "50001", "50002"]
