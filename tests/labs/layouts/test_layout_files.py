"""Pictures of any size as files, by the command, of tables and in every language and theme."""

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import networkx as nx
import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image as PixelImage

from graphgame import draw, solve, value_table
from graphgame.cli import draw as draw_command
from graphgame.cli import main
from graphgame.drawing.style import THEMES
from graphgame.errors import MissingExtraError, ParameterError
from graphgame.labs.layouts import files
from graphgame.labs.layouts.page import Canvas
from graphgame.labs.layouts.shapes import Boxes, Look, pixels, scale_pixels
from graphgame.labs.tables.boards import draw_table
from graphgame.text.languages import lookup, using
from tests.labs.layouts.test_layouts import SAMPLES, SVG, Page, image, path_graph, random_graph


def painted(path):
    with PixelImage.open(path) as image:
        return image.convert("RGB")


def differ(one, other):
    """Return by how much two images differ: 1 where the other is an empty page, which has the colour of the corner.

    They are compared ten times smaller, so that their fonts may differ.
    """
    images = [painted(path) for path in (one, other)]
    wide, high = images[0].size
    assert np.abs(np.subtract(images[1].size, (wide, high))).max() <= 4
    small = [np.asarray(image.resize((wide // 10, high // 10), PixelImage.Resampling.BOX), float) for image in images]
    return np.linalg.norm(small[0] - small[1]) / np.linalg.norm(small[0] - small[0][0, 0])


class TestTables:
    def test_ranges_are_a_board_whose_values_are_those_of_the_table(self, tmp_path):
        arguments = ["draw", "wythoff(2..9, 3..12)", "-o", str(tmp_path / "a.svg"), "--ratio", "4:3"]
        assert CliRunner().invoke(main, arguments).stderr == f"graphgame: wrote {tmp_path / 'a.svg'}\n"
        root = ElementTree.parse(tmp_path / "a.svg").getroot()
        values = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "value"]
        table = value_table("wythoff(2..9, 3..12)")
        assert values == [str(value) for row in table.values for value in row]
        assert root.find(f"{SVG}title").text == table.text
        assert sum("80 positions" in "".join(text.itertext()) for text in root.iter(f"{SVG}text")) == 1

    def test_a_large_one_is_a_heat_map(self, tmp_path):
        draw_table(value_table("wythoff(0..300, 0..300)"), tmp_path / "a.svg", layout=None)
        (heat,) = [e for e in ElementTree.parse(tmp_path / "a.svg").iter(f"{SVG}image") if e.get("class") == "heat"]
        lost = (image(heat) == pixels(THEMES["light"].fills[0])).all(axis=2)
        assert lost[[1, 2, 3, 5], [2, 1, 5, 3]].all()
        assert 100 < lost.sum() < 2000

    @pytest.mark.parametrize(
        ("text", "options", "message"),
        [
            ("nim(0..9)", {}, "a board shows a table of two ranges: draw a sequence with graphgame values --plot"),
            ("nim(0..9, 0..9)", {"merge": True}, "the picture of a table is a board without moves: leave out merge"),
            ("nim(0..9, 0..9)", {"layout": "dot"}, "the picture of a table is a board without moves: leave out layout"),
            ("nim(0..4000, 0..1)", {}, "has at most 4,000 rows and columns: choose shorter ranges"),
            ("nim(0..1, 0..4000)", {}, "has at most 4,000 rows and columns: choose shorter ranges"),
        ],
    )
    def test_refused(self, tmp_path, text, options, message):
        with pytest.raises(ParameterError, match=message):
            draw_table(value_table(text), tmp_path / "a.svg", **options)
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize(
        "options",
        [["-o", "a.dot"], [], ["-o", "a.html"], ["--layout", "dot", "-o", "a.svg"], ["--plain", "-o", "a.svg"]],
    )
    def test_the_command_refuses_other_files_and_layouts(self, options):
        result = CliRunner().invoke(main, ["draw", "nim(0..9, 0..9)", *options])
        assert result.exit_code == 2
        assert "positions with ranges are drawn only as a whole board" in result.stderr


class TestFiles:
    @pytest.mark.long
    def test_png_and_pdf(self, tmp_path):
        solution = solve("wythoff(8,8)")
        draw(solution, tmp_path / "a.png", dpi=96)
        draw(solution, tmp_path / "b.png", layout="overview")
        draw(solve(random_graph(300, 900)), tmp_path / "c.pdf")
        sizes = [(tmp_path / name).read_bytes()[16:24] for name in ("a.png", "b.png")]
        assert [(int.from_bytes(size[:4]), int.from_bytes(size[4:])) for size in sizes] == [(1280, 720), (1920, 1080)]
        assert (tmp_path / "c.pdf").read_bytes().startswith(b"%PDF")

    @pytest.mark.filterwarnings("ignore::graphgame.errors.MissingFontWarning")  # the machine may have no Chinese font
    def test_labels_of_any_script_and_markup(self, tmp_path):
        nasty = ["<script>", "棋子 位置", "$x^2$", "\u202e", "a\nb", "&amp;", "bell\x07", "", "x" * 1000]
        graph = nx.DiGraph([(name, "end") for name in nasty])
        for layout in ("layers", "overview"):
            for name in ("a.svg", "a.png", "a.pdf"):
                draw(solve(graph, tokens=nasty[:3]), tmp_path / name, layout=layout, title="$ <b> 棋")
            ElementTree.parse(tmp_path / "a.svg")

    def test_the_text_for_those_who_do_not_see_it(self, tmp_path):
        page = Page(solve("wythoff(8,8)"), tmp_path)
        assert page.root.find(f"{SVG}title").text == "first player wins"
        description = page.root.find(f"{SVG}desc").text
        assert "45 positions, 4 P, 41 N. Winning moves: 8,8 -> 0,0. a board of 9 x 9" in description

    def test_titles_and_no_legend(self, tmp_path):
        page = Page(solve("wythoff(8,8)"), tmp_path, title="Wythoff", legend=False)
        assert (page.texts("title"), page.texts("caption"), page.texts("legend")) == (
            ["Wythoff"],
            ["first player wins"],
            [],
        )

    @pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
    def test_what_breaks_off_leaves_nothing(self, tmp_path, monkeypatch, error):
        def broken(drawing):
            yield "<svg"
            raise error

        monkeypatch.setattr(files, "svg_text", broken)
        with pytest.raises(error):
            draw(solve("wythoff(8,8)"), tmp_path / "a.svg")
        assert not list(tmp_path.iterdir())

    def test_with_neither_matplotlib_nor_graphviz_svg_remains(self, tmp_path, monkeypatch):
        for name in ("matplotlib", "pygraphviz"):
            monkeypatch.setitem(sys.modules, name, None)
        monkeypatch.setattr(shutil, "which", lambda program: None)
        with pytest.raises(MissingExtraError) as caught:
            draw(solve("wythoff(8,8)"), tmp_path / "a.png")
        assert str(caught.value) == (
            "drawing a.png without Graphviz (a.svg needs no other program) needs matplotlib: pip install matplotlib"
        )
        draw(solve("wythoff(8,8)"), tmp_path / "a.svg")
        assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]

    @pytest.mark.long
    @pytest.mark.parametrize("others", [(), ("pygraphviz",)], ids=["pygraphviz", "dot"])
    @pytest.mark.parametrize(
        ("text", "options"),
        [
            ("samples/chips.txt", {}),
            ("chomp(2x3)", {"theme": "dark"}),
            ("wythoff(8,8)", {"layout": "board"}),
            ("wythoff(200,200)", {"layout": "board"}),
            ("kayles(20)", {"layout": "layers"}),
            ("kayles(60)", {"layout": "overview", "dpi": 60}),
        ],
    )
    def test_without_matplotlib_graphviz_paints_the_same(self, tmp_path, monkeypatch, text, options, others):
        solution = solve(SAMPLES / "chips.txt" if text.startswith("samples") else text)
        for name in others:
            monkeypatch.setitem(sys.modules, name, None)
        draw(solution, tmp_path / "a.png", **options)
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        for name in ("b.png", "b.pdf"):
            draw(solution, tmp_path / name, **options)
        assert (tmp_path / "b.pdf").read_bytes().startswith(b"%PDF")
        assert differ(tmp_path / "a.png", tmp_path / "b.png") < 0.4

    @pytest.mark.parametrize(("rounded", "polygons"), [(0, 2), (5, 1)])
    def test_graphviz_paints_the_corners_of_boxes_as_they_are(self, rounded, polygons):
        drawing = Canvas(THEMES["light"], width=100, height=50)
        drawing.add(Boxes("P", Look("#0072b2", "#000000"), np.array([[10, 10, 40, 20]]), rounded=rounded))
        text = files.xdot_text(drawing, 96)
        assert (text.count("P 4 "), text.count("b 25 ")) == (polygons, 2 - polygons)  # the paper is a polygon

    @pytest.mark.parametrize("name", ['"', "\\", '\\"', "a\\\\", '\\u"\\', "a -b", "ß" * 9])
    def test_without_matplotlib_no_label_disturbs_what_is_painted_after_it(self, tmp_path, monkeypatch, name):
        solution = solve(nx.DiGraph([(name, f"{name} {end}") for end in range(70)]), tokens=[name])
        options = {"layout": "layers", "title": name}
        draw(solution, tmp_path / "a.png", **options)
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        draw(solution, tmp_path / "b.png", **options)
        assert differ(tmp_path / "a.png", tmp_path / "b.png") < 0.4

    def test_a_command_where_matplotlib_cannot_be_imported(self, tmp_path):
        (tmp_path / "matplotlib.py").write_text("raise ImportError('built for another machine')")
        command = [sys.executable, "-m", "graphgame", "draw", SAMPLES / "queen.csv", "-o", tmp_path / "report.png"]
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.splitlines()[0]) == (0, f"graphgame: wrote {tmp_path / 'report.png'}")
        assert painted(tmp_path / "report.png").size == (1920, 1080)

    @pytest.mark.parametrize("options", [{"layout": "circle"}, {"merge": 2}])
    def test_wrong_options(self, tmp_path, options):
        with pytest.raises(ParameterError, match=f"invalid {next(iter(options))}"):
            draw(path_graph(3), tmp_path / "a.svg", **options)

    def test_dot_is_laid_out_by_graphviz_alone(self, tmp_path):
        with pytest.raises(
            ParameterError, match=r"layout='overview' is only for images: use draw, and a file name that ends in \.svg"
        ):
            draw(path_graph(3), tmp_path / "a.dot", layout="overview")
        assert not list(tmp_path.iterdir())


class TestCommand:
    def test_says_what_was_drawn(self, tmp_path):
        path = tmp_path / "path.txt"
        path.write_text("200 199 1\n" + "".join(f"{n} {n + 1}\n" for n in range(1, 200)) + "1\n")
        for arguments, said in (
            ([], "the graph is drawn as an overview of its levels; --around POSITION draws"),
            (["--layout", "overview"], None),
        ):
            done = CliRunner().invoke(main, ["draw", str(path), "-o", str(tmp_path / "a.svg"), *arguments])
            assert done.exit_code == 0
            assert "wrote" in done.stderr
            assert ("an overview" in done.stderr) == (said is not None)

    @pytest.mark.parametrize(("most", "said"), [(10**6, "--merge would leave 3 of 300"), (100, "--merge draws equal")])
    def test_proposes_to_merge_what_is_equal(self, tmp_path, monkeypatch, most, said):
        monkeypatch.setattr(draw_command, "_MOST_EDGES_REDUCED", most)
        path = tmp_path / "a.edges"
        path.write_text("".join(f"{n} {n % 3 + 1000}\n1000 {n % 3 + 2000}\n" for n in range(300 - 6)))
        done = CliRunner().invoke(main, ["draw", str(path), "-o", str(tmp_path / "a.svg")])
        assert (
            f"the graph is drawn in layers, with only some moves, winning moves first, if there are many; {said}"
        ) in done.stderr
        merged = CliRunner().invoke(main, ["draw", str(path), "--merge", "-o", str(tmp_path / "a.svg")])
        assert merged.stderr.count("graphgame: ") == 1

    def test_a_large_text_says_its_size_first(self, tmp_path, monkeypatch):
        monkeypatch.setattr(draw_command, "_LARGE_DOT", 1000)
        done = CliRunner().invoke(main, ["draw", "nim(9)", "-o", str(tmp_path / "a.dot")])
        assert done.stderr.index("the DOT text has 45 moves, about 0 MB") < done.stderr.index("wrote")
        part = CliRunner().invoke(main, ["draw", "nim(9)", "--around", "3"])
        assert part.stderr == ""


@pytest.mark.parametrize("layout", ["dot", "board", "layers", "overview"])
def test_words_are_in_the_language_asked_for(layout, tmp_path):
    with using("zh"):
        page = Page(solve("wythoff(4,4)"), tmp_path, layout=layout, title="")
    shown = [text for kind in ("fact", "legend", "header") for text in page.texts(kind)]
    assert {lookup(text, "zh") for text in ("previous player wins", "next player wins", "token")} <= set(shown)
    assert not [text for text in shown if re.search("[a-z]{3}", text)]
    assert page.root.find(f"{SVG}title").text == "先手胜"


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_scales_grow_evenly_in_lightness(theme):
    linear = scale_pixels(np.linspace(0, 1, 13), THEMES[theme]) / 255
    linear = np.where(linear <= 0.04045, linear / 12.92, ((linear + 0.055) / 1.055) ** 2.4)
    lightness = 116 * np.cbrt(linear @ [0.2126, 0.7152, 0.0722]) - 16
    steps = np.diff(lightness)
    assert (np.sign(steps) == np.sign(steps[0])).all()
    assert np.abs(steps).max() < 1.35 * np.abs(steps).min()
