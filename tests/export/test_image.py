"""Pictures as images: each is rendered and looked into."""

import importlib.util
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import GameGraph, LayoutError, MissingExtraError, solve
from graphgame.errors import FormatError, OptionError
from graphgame.export import draw
from graphgame.export.captions import caption
from graphgame.export.colors import NAMES
from graphgame.export.image import LAYOUT_LIMIT
from tests.helpers import CHIPS, game

needs_graphviz = pytest.mark.skipif(
    importlib.util.find_spec("pygraphviz") is None, reason="needs Graphviz: pip install pygraphviz"
)

SVG = "{http://www.w3.org/2000/svg}"
TOOLTIP = "{http://www.w3.org/1999/xlink}title"


def groups(path):
    """Return {"n0" or "n0->n1" or "game": its element} of an SVG image."""
    root = ElementTree.fromstring(path.read_bytes())
    found = {
        group.findtext(f"{SVG}title"): group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None
    }
    assert root.tag == f"{SVG}svg"
    return found


def texts(group):
    return [element.text or "" for element in group.iter(f"{SVG}text")]


def heading(path):
    """Return the lines of title and legend."""
    return [element.text.strip() for element in groups(path)["game"].findall(f"{SVG}text")]


def outlines(group):
    return [element for kind in ("ellipse", "polygon") for element in group.iter(f"{SVG}{kind}")]


def middle(group):
    """Return the height of the middle of a vertex."""
    outline = outlines(group)[0]
    if outline.tag == f"{SVG}ellipse":
        return round(float(outline.get("cy")), 1)
    heights = [float(point.split(",")[1]) for point in outline.get("points").split()]
    return round((min(heights) + max(heights)) / 2, 1)


def labelled(path):
    """Return {lines of text: element} of the vertices."""
    return {tuple(texts(group)): group for name, group in groups(path).items() if re.fullmatch(r"n\d+", name)}


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
        assert set(labelled(picture)) == {
            ("1", "N 2", "●"),
            ("2", "P 0", "●"),
            ("3", "N 1"),
            ("4", "N 1", "●"),
            ("5", "P 0"),
            ("6", "P 0", "●"),
        }

    def test_outcomes_differ_in_shape_and_colour(self, picture):
        vertices = labelled(picture)
        lost, won = outlines(vertices["5", "P 0"]), outlines(vertices["3", "N 1"])
        assert [(e.tag, e.get("fill")) for e in lost] == [(f"{SVG}ellipse", "#0072b2"), (f"{SVG}ellipse", "none")]
        assert [(e.tag, e.get("fill")) for e in won] == [(f"{SVG}polygon", "#fbd38a")]

    def test_tokens_have_a_thick_border(self, picture):
        vertices = labelled(picture)
        assert outlines(vertices["4", "N 1", "●"])[0].get("stroke-width") == "3"
        assert outlines(vertices["3", "N 1"])[0].get("stroke-width") is None

    def test_winning_moves_are_thick(self, chips, picture):
        name = {position: f"n{chips.graph.number_of(position)}" for position in chips.graph}
        widths = {
            (a, b): groups(picture)[f"{name[a]}->{name[b]}"].find(f"{SVG}path").get("stroke-width") for a, b in CHIPS
        }
        assert widths[1, 3] == widths[1, 4] == "4.5"
        assert widths[1, 5] == widths[3, 6] == "2.2"
        assert widths[2, 1] is None

    def test_title_and_legend_stand_above(self, picture):
        lines = heading(picture)
        assert lines[0] == "first player wins, nim-sum 3"
        assert {"previous player wins", "next player wins", "winning move of the tokens"} <= set(lines)

    def test_positions_of_one_birthday_stand_at_one_height(self, picture):
        vertices = labelled(picture)
        height = {label[0]: middle(group) for label, group in vertices.items()}
        assert height["2"] < height["1"] < height["3"] == height["4"] < height["5"] == height["6"]

    def test_a_font_of_the_system_is_asked_for(self, picture):
        fonts = {element.get("font-family") for element in ElementTree.parse(picture).iter(f"{SVG}text")}
        assert fonts == {"Helvetica, Arial, sans-serif"}

    def test_left_to_right(self, tmp_path):
        draw(nx.DiGraph([("a", "b")]), tmp_path / "a.svg", left_to_right=True, title="")
        places = {
            label[0]: float(group.find(f".//{SVG}text").get("x"))
            for label, group in labelled(tmp_path / "a.svg").items()
        }
        assert places["a"] < places["b"]

    def test_sums_have_dashed_outlines_and_parallel_parts_are_counted(self, tmp_path):
        draw(solve(game({0: [], 1: [0], 2: [1, 1]}, sums=[2])), tmp_path / "a.svg")
        found = groups(tmp_path / "a.svg")
        outline = found["n2"].find(f".//{SVG}path")
        assert (texts(found["n2"]), bool(outline.get("stroke-dasharray"))) == (["⊕ 2", "P 0"], True)
        assert texts(found["n2->n1"]) == ["×2"]
        assert found["n2->n1"].find(f"{SVG}path").get("stroke-dasharray")

    def test_a_graph_with_a_cycle(self, tmp_path):
        draw(nx.DiGraph([("a", "b"), ("b", "a"), ("b", "b")]), tmp_path / "a.svg")
        assert set(groups(tmp_path / "a.svg")) == {"game", "n0", "n1", "n0->n1", "n1->n0", "n1->n1"}

    def test_vertices_without_a_word(self, tmp_path):
        draw(nx.DiGraph([(1, 2)]), tmp_path / "a.svg", names=False)
        assert set(labelled(tmp_path / "a.svg")) == {()}

    def test_an_empty_graph(self, tmp_path):
        draw(solve(nx.DiGraph()), tmp_path / "a.svg")
        assert heading(tmp_path / "a.svg")[0] == "0 positions, 0 P, 0 N"


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
        found = groups(path)
        return [found[f"n{number}"] for number in range(len(positions))]

    def test_every_label_is_shown_as_it_is(self, tmp_path):
        vertices = self.drawn(NASTY, tmp_path / "a.svg")
        assert [texts(vertex) for vertex in vertices] == [caption(position).split("\n") for position in NASTY]
        assert texts(vertices[3]) == ["&amp; &#65; &lt;"]
        assert texts(vertices[4]) == ["back\\slash \\N \\n \\G \\l \\\\ \\"]
        assert texts(vertices[9]) == ["two", "lines"]
        assert texts(vertices[10]) == [r"bell\x07 escape\x1b nul\x00"]

    def test_every_label_beside_a_token_is_shown_as_it_is(self, tmp_path):
        graph = nx.DiGraph({position: [] for position in NASTY})
        draw(solve(graph, tokens=NASTY), tmp_path / "a.svg", title="", legend=False)
        found = groups(tmp_path / "a.svg")
        for number, position in enumerate(NASTY):
            assert texts(found[f"n{number}"]) == [*caption(position).split("\n"), "P 0", "●"]

    def test_every_tooltip_is_whole(self, tmp_path):
        vertices = self.drawn(NASTY, tmp_path / "a.svg")
        for position, vertex in zip(NASTY, vertices, strict=True):
            if position and all(map(str.isprintable, position)):
                assert vertex.find(f".//{SVG}a").get(TOOLTIP) == position

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

    def test_a_wide_png_is_scaled_down(self, tmp_path):
        draw(nx.DiGraph({n: [] for n in range(300)}), tmp_path / "a.png", dpi=200, layout="dot")
        assert max(self.size(tmp_path / "a.png")) == pytest.approx(16_000, abs=2)

    def test_pdf_is_one_page_of_at_most_200_inches(self, tmp_path):
        draw(nx.DiGraph({n: [] for n in range(600)}), tmp_path / "a.pdf", layout="dot")
        data = (tmp_path / "a.pdf").read_bytes()
        assert data.startswith(b"%PDF-")
        width = max(float(box.split()[2]) for box in re.findall(rb"/MediaBox \[([^\]]*)\]", data))
        assert width == pytest.approx(14_400, rel=0.01)

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
        expected = r"cannot tell the picture's format from the name .*: expected \.svg, \.png, \.pdf, \.dot, \.gv"
        with pytest.raises(FormatError, match=expected):
            draw(chips, tmp_path / name)


@needs_graphviz
class TestColors:
    def test_graphviz_knows_every_name(self):
        text = f"digraph {{ {' '.join(f'{name} [style=filled fillcolor={name}]' for name in [*NAMES, 'octarine'])} }}"
        program = "import sys, pygraphviz; pygraphviz.AGraph(string=sys.stdin.read()).draw(format='svg', prog='dot')"
        done = subprocess.run([sys.executable, "-c", program], input=text, capture_output=True, text=True, check=True)
        assert re.findall(r"(\S+) is not a known color", done.stderr) == ["octarine"]

    def test_own_colours(self, tmp_path):
        draw(solve(nx.DiGraph([(1, 0)])), tmp_path / "a.svg", colors=("navy", "#FFEE00"), legend=False)
        vertices = labelled(tmp_path / "a.svg")
        assert outlines(vertices["0", "P 0"])[0].get("fill") == "navy"
        assert outlines(vertices["1", "N 1"])[0].get("fill").lower() == "#ffee00"
        assert vertices["0", "P 0"].find(f".//{SVG}text").get("fill") == "#ffffff"


@pytest.fixture
def no_graphviz(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    monkeypatch.setattr(shutil, "which", lambda program: None)


def graphviz_is(monkeypatch, tmp_path, script):
    """Put a program in the place of Graphviz."""
    program = tmp_path / "dot"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")


class TestWithoutGraphviz:
    def test_the_text_is_written_beside(self, chips, tmp_path, no_graphviz):
        with pytest.raises(MissingExtraError) as caught:
            draw(chips, tmp_path / "a.svg")
        assert "drawing a.svg" in str(caught.value)
        assert f"its text for Graphviz is written to {tmp_path / 'a.svg.dot'}" in str(caught.value)
        assert "pip install pygraphviz" in str(caught.value)
        assert [path.name for path in tmp_path.iterdir()] == ["a.svg.dot"]
        assert (tmp_path / "a.svg.dot").read_text().startswith("digraph game {")

    def test_dot_needs_none(self, chips, tmp_path, no_graphviz):
        draw(chips, tmp_path / "a.dot")

    def test_a_program_named_dot_serves(self, chips, tmp_path, monkeypatch):
        graphviz_is(monkeypatch, tmp_path, 'echo "$@"; exec cat')
        draw(chips, tmp_path / "a.svg")
        assert (tmp_path / "a.svg").read_text().startswith("-Tsvg\ndigraph game {\n")

    @pytest.mark.parametrize(
        ("script", "message"),
        [
            ("cat > /dev/null; echo first >&2; echo out of memory >&2; exit 1", "'out of memory'"),
            ("exit 3", "'exit status 3'"),
            ("cat > /dev/null", "'exit status 0'"),
        ],
    )
    def test_its_failure_leaves_nothing(self, chips, tmp_path, monkeypatch, script, message):
        graphviz_is(monkeypatch, tmp_path, script)
        with pytest.raises(LayoutError, match=f"Graphviz could not make the image: {message}"):
            draw(chips, tmp_path / "a.svg")
        assert [path.name for path in tmp_path.iterdir()] == ["dot"]


class TestLargePictures:
    def test_too_many_vertices(self, tmp_path):
        with pytest.raises(LayoutError) as caught:
            draw(nx.DiGraph({n: [] for n in range(LAYOUT_LIMIT + 1)}), tmp_path / "a.svg", layout="dot")
        message = str(caught.value)
        assert message.startswith("8,001 vertices and 0 edges are too many for Graphviz to lay out in reasonable time")
        for way in ("--around POSITION --steps 2", "--reachable-from", "--merge", ".html", ".dot", "--force"):
            assert way in message
        assert not list(tmp_path.iterdir())

    def test_edges_that_skip_many_ranks_count(self, tmp_path):
        heap = nx.DiGraph((n, m) for n in range(60) for m in range(n))  # 1,770 edges skip 34,220 ranks
        with pytest.raises(LayoutError, match="60 vertices and 1,770 edges are too many"):
            draw(solve(heap), tmp_path / "a.svg", layout="dot")

    @needs_graphviz
    def test_a_part_is_drawn(self, tmp_path):
        ends = np.arange(100_000)
        draw(solve(GameGraph.from_arrays(ends + 1, ends, 100_001)), tmp_path / "a.svg", around=[50_000], steps=2)
        assert [label[0] for label in labelled(tmp_path / "a.svg")] == ["49998", "49999", "◎ 50000", "50001", "50002"]

    def test_force_tries_all_the_same(self, tmp_path, monkeypatch):
        graphviz_is(monkeypatch, tmp_path, "exec cat")
        draw(nx.DiGraph({n: [] for n in range(LAYOUT_LIMIT + 1)}), tmp_path / "a.svg", force=True)
        assert "n8000 [" in (tmp_path / "a.svg").read_text()

    @pytest.mark.parametrize("force", [False, True])
    def test_a_slow_layout_is_given_up(self, chips, tmp_path, monkeypatch, force):
        graphviz_is(monkeypatch, tmp_path, "exec sleep 20")
        with pytest.raises(
            LayoutError, match=r"has not finished the layout in 0\.2 seconds: .*draw a part with around="
        ):
            draw(chips, tmp_path / "a.svg", timeout=0.2, force=force)
        assert [path.name for path in tmp_path.iterdir()] == ["dot"]

    @needs_graphviz
    def test_an_interrupt_ends_a_layout_at_once(self, tmp_path):
        program = (
            "import networkx as nx, sys; from graphgame.export import draw; print('go', flush=True)\n"
            "draw(nx.DiGraph((n, m) for n in range(90) for m in range(n)), sys.argv[1], force=True)"
        )
        path = tmp_path / "a.svg"
        with subprocess.Popen(
            [sys.executable, "-c", program, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as child:
            child.stdout.readline()
            time.sleep(0.7)
            child.send_signal(signal.SIGINT)
            started = time.monotonic()
            _, errors = child.communicate()
        assert b"KeyboardInterrupt" in errors
        assert time.monotonic() - started < 5
        assert not list(tmp_path.iterdir())


def test_a_wrong_option_writes_nothing(chips, tmp_path):
    with pytest.raises(OptionError, match="unknown option 'color'"):
        draw(chips, tmp_path / "a.svg", color="red")
    assert not list(tmp_path.iterdir())
