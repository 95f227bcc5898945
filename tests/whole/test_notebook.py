"""Notebooks: the display of games, DataFrames, and the example notebook."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET

import nbformat
import networkx as nx
import pytest
from IPython.core.formatters import DisplayFormatter
from nbclient import NotebookClient

from graphgame import GameGraph, parse_position, solve
from graphgame.drawing import image
from graphgame.errors import MissingExtraError
from graphgame.labs.web.notebook import MOST_DRAWN
from graphgame.text.languages import using
from tests import ROOT
from tests.page import needs_chromium

NOTEBOOK = ROOT / "docs" / "notebook.ipynb"
CHIPS = [(2, 1), (2, 4), (1, 4), (1, 5), (4, 5), (1, 3), (3, 5), (3, 6)]
HOSTILE = '<script>alert("1")</script>\x1b[2J\u202e'


def displayed(value: object) -> dict[str, str]:
    """Return what a notebook gets: media type -> content."""
    return DisplayFormatter().format(value)[0]


def chain(length: int) -> nx.DiGraph:
    return nx.DiGraph((n, n + 1) for n in range(length))


@pytest.mark.parametrize(
    "value", [GameGraph(CHIPS), solve(GameGraph(CHIPS), tokens=[1, 2]), solve(chain(MOST_DRAWN - 1))]
)
def test_a_small_graph_is_a_picture(value):
    shown = displayed(value)
    assert set(shown) == {"text/plain", "image/svg+xml"}
    assert ET.fromstring(shown["image/svg+xml"]).tag.endswith("svg")


class TestTables:
    def test_a_large_graph(self):
        shown = displayed(GameGraph(chain(100)))
        assert set(shown) == {"text/plain", "text/html"}
        assert "<td>0</td><td>1</td>" in shown["text/html"]
        assert shown["text/html"].count("<tr>") == 21
        assert "... and 81 more" in shown["text/html"]

    def test_a_large_solution(self):
        html = displayed(solve(chain(99), tokens=[0]))["text/html"]
        assert "99 edges, normal play, 1 token: first player wins</caption>" in html
        assert "<td>1</td><td>0</td><td>P</td><td>98</td>" in html

    def test_without_graphviz(self, monkeypatch):
        monkeypatch.setattr("graphgame.labs.web.notebook.graphviz_command", lambda: None)
        assert set(displayed(solve(chain(3)))) == {"text/plain", "text/html"}

    def test_many_edges(self):
        graph = GameGraph((v, w) for v in range(40) for w in range(v))
        assert set(displayed(graph)) == {"text/plain", "text/html"}

    def test_length_that_needs_too_large_a_product(self):
        solution = solve(parse_position("kayles(30)").graph(), product_limit=10)
        assert "<th>remoteness</th>" not in displayed(solution)["text/html"]
        assert list(solution.to_pandas().columns) == ["grundy", "outcome"]

    def test_cycles(self):
        ring = nx.DiGraph([*chain(90).edges, (90, 0), (90, 91), (91, 90)])
        html = displayed(solve(ring, loopy=True))["text/html"]
        assert "<td>0</td><td>inf()</td><td>D</td><td>-</td>" in html

    def test_the_empty_graph(self):
        assert set(displayed(GameGraph([]))) > {"text/plain"}


class TestLabelsAreData:
    def test_in_pictures(self):
        svg = displayed(solve(nx.DiGraph([(HOSTILE, "b")])))["image/svg+xml"]
        assert "<script" not in svg
        assert not any(node.tag.endswith("script") for node in ET.fromstring(svg).iter())

    def test_in_tables(self):
        graph = nx.DiGraph([(f"{HOSTILE}{n}", n) for n in range(100)])
        for value in (GameGraph(graph), solve(graph)):
            html = displayed(value)["text/html"]
            assert "<script" not in html
            assert "\x1b" not in html
            assert "\u202e" not in html

    def test_in_positions(self):
        from graphgame.rules.component_graphs import GraphRuleset
        from graphgame.rules.position import Component, Position

        position = Position([Component("<b>", GraphRuleset(GameGraph([(HOSTILE, "b")])), HOSTILE)])
        html = displayed(position)["text/html"]
        assert "<script" not in html
        assert "<b>" not in html


class TestPositions:
    @pytest.mark.parametrize(
        ("text", "parts"),
        [
            ("chomp(2x3)", ["chomp(3,3)", "<svg"]),
            ("nim(3) + hackenbush(0-1)", ["nim(3)", "<svg", "hackenbush(0-1)"]),
            ("hackenbush(0-1)", ["hackenbush(0-1)", "<svg"]),
            (f"nim({10**30})", [str(10**15)]),
        ],
    )
    def test_position_is_shown_as_its_board(self, text, parts):
        html = displayed(parse_position(text))["text/html"]
        for part in parts:
            assert part in html
        assert "misère play" not in html
        assert "misère play" in displayed(parse_position(text, misere=True))["text/html"]

    def test_many_components(self):
        html = displayed(parse_position(f"nim({','.join(['1'] * 80)})"))["text/html"]
        assert "... and 30 components more" in html

    def test_in_chinese(self):
        with using("zh"):
            html = displayed(parse_position(f"nim({','.join(['1'] * 80)})", misere=True))["text/html"]
        assert re.search("and|more|misère", html) is None
        assert "反常规则" in html


class TestDataFrames:
    def test_values(self):
        frame = solve(nx.DiGraph(CHIPS)).to_pandas()
        assert frame.loc[1].to_dict() == {"grundy": 2, "outcome": "N", "remoteness": 1}
        assert (len(frame), frame.index.name) == (6, "position")

    def test_draws_have_no_remoteness(self):
        frame = solve(nx.DiGraph([("a", "b"), ("b", "a"), ("c", "d")]), loopy=True).to_pandas()
        assert frame["remoteness"].isna().to_dict() == {"a": True, "b": True, "c": False, "d": False}
        assert (str(frame.loc["a", "grundy"]), frame.loc["c", "grundy"]) == ("inf()", 1)

    def test_positions_that_are_tuples(self):
        frame = solve(parse_position("wythoff(2,2)").graph()).to_pandas()
        assert frame.loc[[(1, 2)], "outcome"].tolist() == ["P"]
        assert frame.index.nlevels == 1

    def test_without_pandas(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "pandas", None)
        with pytest.raises(MissingExtraError, match="a DataFrame needs pandas: pip install pandas"):
            solve(nx.DiGraph(CHIPS)).to_pandas()


@pytest.fixture(scope="module")
def outputs() -> list[dict[str, str]]:
    """What the example notebook shows when it is run."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


class TestTheExample:
    @pytest.mark.long
    def test_notebook_shows_pictures_and_tables(self, outputs):
        kinds = [kind for output in outputs for kind in output.get("data", {})]
        assert kinds.count("image/svg+xml") == 2
        assert kinds.count("text/html") == 5

    def test_its_answers(self, outputs):
        texts = [output.get("data", {}).get("text/plain", "") for output in outputs]
        assert "('first', 3, [Move(component=0, start=1, end=4), Move(component=0, start=1, end=3)])" in [
            " ".join(text.split()) for text in texts
        ]
        assert texts[-1] == "'first wins'"

    def test_notebook_is_stored_with_its_outputs(self, outputs):
        cells = nbformat.read(NOTEBOOK, as_version=4).cells
        kept = [output for cell in cells for output in cell.get("outputs", [])]
        assert list(map(said, kept)) == list(map(said, outputs))


def said(output):
    """Return what an output says as text, but for the length of a page."""
    text = output.get("text", "") + output.get("data", {}).get("text/plain", "")
    return set(output.get("data", {})), re.sub(r"[\d,]+ characters", "characters", text)


@needs_chromium
class TestThePage:
    @pytest.fixture
    def frame(self, pages, tmp_path):
        shown = displayed(parse_position("nim(3,4,5)").page(height=500))["text/html"]
        path = tmp_path / "output.html"
        path.write_text(f"<!DOCTYPE html><meta charset=utf-8><title>notebook</title>{shown}", encoding="utf-8")
        visit = pages.open_file(path)
        visit.page.clock.resume()
        return visit.page.frame_locator("iframe")

    def test_page_can_be_played_inside_the_notebook(self, frame):
        assert frame.locator(".verdict").inner_text() == "First player wins in 11 moves"
        assert frame.locator("h1").inner_text() == "nim(3) + nim(4) + nim(5)"
        frame.locator("#tab-play").click()
        frame.locator("[data-move]").first.click()
        frame.locator(".history li:nth-child(2)").wait_for()

    def test_a_label_stays_a_label(self, pages, tmp_path):
        solution = solve(nx.DiGraph([(HOSTILE, "b")]), tokens=[HOSTILE])
        html = displayed(solution.page(title='"><script>alert(1)</script>'))["text/html"]
        assert html.count("<") == 2
        assert html.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')


def test_graphviz_is_there_where_pictures_are_tested():
    assert image.graphviz_command() is not None
