"""Tables of values as plots: each file is parsed and looked into."""

import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest
from click.testing import CliRunner

from graphgame import value_table
from graphgame.cli import main
from graphgame.drawing.style import THEMES
from graphgame.errors import FormatError, MissingFontWarning, ParameterError
from graphgame.labs.tables import p_positions, plot_values

SVG = "{http://www.w3.org/2000/svg}"


def plotted(table, path, **options):
    plot_values(table, path, **options)
    return path.read_text(encoding="utf-8")


def words(text):
    """Return the texts of a plot, which stand as comments beside their outlines."""
    return [comment.text.strip() for comment in ElementTree.fromstring(text, parser()).iter(ElementTree.Comment)]


def parser():
    return ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))


def marks(text, name="PathCollection_1"):
    root = ElementTree.fromstring(text)
    (group,) = [g for g in root.iter(f"{SVG}g") if g.get("id") == name]
    return len(list(group.iter(f"{SVG}use")))


def ticks(text, axis):
    """Return where the ticks of an axis stand."""
    found = [group for group in groups(text) if group.get("id", "").startswith(f"{axis}tick_")]
    return [float(next(group.iter(f"{SVG}use")).get(axis)) for group in found]


class TestMaps:
    def test_every_p_position_is_marked(self, tmp_path):
        text = plotted(value_table("wythoff(0..30, 0..30)"), tmp_path / "a.svg")
        lost = sum(row.count("P") for row in value_table("wythoff(0..30, 0..30)").outcomes)
        assert marks(text) == lost
        assert f"P-position ({lost})" in words(text)

    def test_small_tables_have_numbers(self, tmp_path):
        shown = words(plotted(value_table("nim(3..5, 70..72)"), tmp_path / "a.svg"))
        for first in (3, 4, 5):
            for second in (70, 71, 72):
                assert str(first ^ second) in shown

    def test_large_tables_have_none(self, tmp_path):
        shown = words(plotted(value_table("nim(1..22, 1001..1022)"), tmp_path / "a.svg"))
        assert "1003" not in shown  # the value of 2 and 1001

    def test_outcomes_alone(self, tmp_path):
        shown = words(plotted(value_table("nim(0..8, 0..8)", misere=True), tmp_path / "a.svg", outcomes=True))
        assert {"nim(0..8, 0..8), misère play", "P-position (9)"} <= set(shown)
        assert "Grundy value" not in shown

    def test_values_that_there_are_not(self, tmp_path):
        with pytest.raises(ParameterError, match="this table has outcomes but no values: ask for outcomes=True"):
            plot_values(value_table("nim(0..8, 0..8)", misere=True), tmp_path / "a.svg")
        assert not list(tmp_path.iterdir())

    def test_rows_run_downwards_with_the_same_ticks_as_columns(self, tmp_path):
        text = plotted(value_table("nim(0..30, 0..100)"), tmp_path / "a.svg", outcomes=True)
        across, down = (ticks(text, axis) for axis in "xy")
        assert (len(across), len(down)) == (11, 4)
        steps = {round(after - before, 2) for places in (across, down) for before, after in pairwise(places)}
        assert (len(steps), min(steps) > 0) == (1, True)  # y of SVG goes downwards


class TestSequences:
    def test_a_point_for_each_value(self, tmp_path):
        text = plotted(value_table("kayles(0..40)"), tmp_path / "a.svg")
        assert (marks(text), marks(text, "PathCollection_2")) == (40, 1)
        assert {"N-position (40)", "P-position (1)", "Grundy value"} <= set(words(text))

    def test_outcomes_alone(self, tmp_path):
        shown = words(plotted(value_table("take{1,3,4}(5..25)"), tmp_path / "a.svg", outcomes=True))
        assert {"P", "N"} <= set(shown)
        assert "Grundy value" not in shown

    def test_values_beyond_64_bits(self, tmp_path):
        plot_values(value_table("nim(100000000000000000..100000000000000003)"), tmp_path / "a.png")
        assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")

    def test_more_positions_than_a_map_has_dots(self, tmp_path):
        shown = words(plotted(p_positions("wythoff(0..2000, 5)"), tmp_path / "a.svg"))
        assert {"P-position (1)", "N-position (2,000)"} <= set(shown)


class TestLook:
    @pytest.mark.parametrize("theme", ["light", "dark", "print"])
    def test_signs_and_colours_are_those_of_pictures(self, tmp_path, theme):
        colors = THEMES[theme]
        text = plotted(value_table("nim(0..8)"), tmp_path / "a.svg", theme=theme)
        lost, won = (next(g for g in groups(text) if g.get("id") == f"PathCollection_{n}") for n in (2, 1))
        for group, fill, curved in ((lost, colors.fills[0], True), (won, colors.fills[1], False)):
            (sign,) = group.iter(f"{SVG}path")
            assert ("C" in sign.get("d")) == curved
            assert f"fill: {fill}" in next(group.iter(f"{SVG}use")).get("style")
        assert f"fill: {colors.paper}" in text

    @pytest.mark.parametrize(("title", "shown"), [(None, "nim(0..8)"), ("Heaps of $1$", "Heaps of $1$"), ("", None)])
    def test_title(self, tmp_path, title, shown):
        text = plotted(value_table("nim(0..8)"), tmp_path / "a.svg", title=title)
        assert ("nim(0..8)" in words(text), shown in words(text)) == (title is None, shown is not None)

    def test_the_text_for_those_who_do_not_see_it(self, tmp_path):
        root = ElementTree.fromstring(plotted(value_table("nim(0..8)"), tmp_path / "a.svg"))
        assert (root.get("role"), root[0].text) == ("img", "nim(0..8)")
        assert root[1].text == "nim(0..8): P-position (1), N-position (8)"

    def test_other_themes_are_refused(self, tmp_path):
        with pytest.raises(ParameterError, match="invalid theme 'sepia': expected one of light, dark, print"):
            plot_values(value_table("nim(0..8)"), tmp_path / "a.svg", theme="sepia")

    def test_characters_that_no_font_has_are_told(self, tmp_path, monkeypatch):
        monkeypatch.setattr("graphgame.labs.layouts.plots._other_fonts", lambda: iter(()))
        with pytest.warns(MissingFontWarning, match="no font on this machine has 尼姆, .* fonts-noto-cjk"):
            plot_values(value_table("nim(0..8)"), tmp_path / "a.png", title="尼姆")
        done = CliRunner().invoke(main, ["values", "nim(0..3)", "--plot", str(tmp_path / "b.png"), "--title", "尼姆"])
        assert done.stderr.startswith("graphgame: no font on this machine has 尼姆")
        assert done.stderr.count("no font") == 1


def groups(text):
    return ElementTree.fromstring(text).iter(f"{SVG}g")


def test_the_same_plot_is_the_same_file(tmp_path):
    table = value_table("euclid(1..9, 1..9)")
    assert plotted(table, tmp_path / "a.svg") == plotted(table, tmp_path / "b.svg")


@pytest.mark.parametrize("name", ["a.jpg", "a", "-"])
def test_other_formats_are_refused(tmp_path, name):
    with pytest.raises(
        FormatError, match=r"cannot plot to .*: expected a file name that ends in \.svg, \.png or \.pdf"
    ):
        plot_values(value_table("nim(0..3)"), name if name == "-" else tmp_path / name)
    assert not list(tmp_path.iterdir())


class TestCommand:
    def run(self, *arguments):
        return CliRunner().invoke(main, ["values", *map(str, arguments)])

    def test_draws_in_place_of_the_text(self, tmp_path):
        done = self.run("wythoff(0..9, 0..9)", "--plot", tmp_path / "a.pdf")
        assert (done.exit_code, done.stdout) == (0, "")
        assert done.stderr == f"graphgame: wrote {tmp_path / 'a.pdf'}\n"
        assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF-")

    def test_prints_as_well_where_a_form_is_asked_for(self, tmp_path):
        done = self.run("nim(0..2)", "--plot", tmp_path / "a.png", "--csv")
        assert done.stdout == "n,grundy,outcome\n0,0,P\n1,1,N\n2,2,N\n"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (
                ["nim(0..3)", "--plot", "a.gif"],
                "cannot plot to 'a.gif': expected a file name that ends in .svg, .png or .pdf",
            ),
            (
                ["nim(0..3,0..3)", "--misere", "--plot", "a.svg"],
                "this table has outcomes but no values: add --outcomes",
            ),
        ],
    )
    def test_refused(self, arguments, message):
        done = self.run(*arguments)
        assert (done.exit_code, message in done.stderr) == (2, True)


class TestCycles:
    def test_infinite_values_are_written(self, tmp_path):
        table = value_table("wind-up{5:1,3}(0..4) + nim(0..1)", loopy=True)
        shown = words(plotted(table, tmp_path / "table.svg"))
        assert shown.count("inf(1)") == 3
        row = value_table("wind-up{5:1,3}(0..4)", loopy=True)
        assert words(plotted(row, tmp_path / "row.svg")).count("inf(0)") == 3

    def test_draws_are_told_apart(self, tmp_path):
        table = value_table("wind-up{5:1,3}(0..4) + nim(0..1)", loopy=True)
        assert "draw (3)" in words(plotted(table, tmp_path / "table.svg", outcomes=True))
        row = value_table("wind-up{9:1,3,4}(0..8)", loopy=True)
        shown = words(plotted(row, tmp_path / "row.svg", outcomes=True))
        assert "draw (5)" in shown
        assert "D" in shown


def test_no_p_position_is_lost_where_positions_are_smaller_than_dots(tmp_path):
    from matplotlib.colors import to_rgb
    from matplotlib.image import imread

    plot_values(value_table("wythoff(0..1500, 0..1500)"), tmp_path / "x.png")
    dots = imread(tmp_path / "x.png")[..., :3]
    blue = (abs(dots - to_rgb(THEMES["light"].fills[0])) < 0.02).all(axis=2)
    assert blue.any(axis=1).sum() > 700
