"""The page as a file: what it holds, and what it keeps out."""

import base64
import doctest
import hashlib
import json
import re

import networkx as nx
import numpy as np
import pytest
from click.testing import CliRunner

from graphgame import GameGraph, Position, parse_position, solve, write_page
from graphgame.cli import draw, main
from graphgame.errors import LimitError, UnknownPositionError
from graphgame.labs.web.page import boards as layout
from graphgame.labs.web.page import bundle
from graphgame.labs.web.page.document import MOST_MOVES, MOST_POSITIONS, page_data
from graphgame.rules.nim import Nim
from graphgame.rules.pictures import Cell, Picture
from graphgame.rules.position import Component
from tests import ROOT
from tests.documents import answer_of, dialogues
from tests.helpers import CHIPS
from tests.page import Stairs

SCRIPT = re.compile(r"<script(?P<type>[^>]*)>(?P<text>.*?)</script>", re.DOTALL)


def sha256(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.fixture(scope="module")
def chips():
    return solve(nx.DiGraph(CHIPS), tokens=[1, 2, 4, 6])


def test_draw_proposes_a_page_up_to_the_limits_of_the_page():
    assert (draw._MOST_ON_PAGE, draw._MOST_MOVES_ON_PAGE) == (MOST_POSITIONS, MOST_MOVES)


@pytest.fixture
def text(chips, tmp_path):
    write_page(chips, tmp_path / "game.html", title="Chips")
    return (tmp_path / "game.html").read_text(encoding="utf-8")


def embedded(text):
    (data,) = (match["text"] for match in SCRIPT.finditer(text) if 'id="game"' in match["type"])
    return json.loads(data)


class TestFile:
    def test_the_policy_names_every_script_and_the_style(self, text):
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
        scripts = [sha256(match["text"]) for match in SCRIPT.finditer(text) if not match["type"]]
        style = sha256(re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1])
        assert policy == (
            f"default-src 'none'; script-src {' '.join(scripts)}; style-src {style}; img-src data:; "
            "base-uri 'none'; form-action 'none'"
        )

    def test_nothing_is_loaded(self, text):
        assert re.findall(r"(?:src|href)=|@import|url\((?!#)|fetch\(|XMLHttp|innerHTML|eval\(", text) == []
        assert set(re.findall(r"https?://[^\"' ]*", text)) == {"http://www.w3.org/2000/svg"}

    def test_the_same_game_gives_the_same_bytes(self, chips, text, tmp_path):
        write_page(chips, tmp_path / "again.html", title="Chips")
        assert (tmp_path / "again.html").read_text(encoding="utf-8") == text

    @pytest.mark.parametrize("game", ["nim(3,4,5)", "chomp(2x3)", "chomp(3x4)"])
    def test_a_small_game_takes_less_than_200_kilobytes(self, game, tmp_path):
        write_page(game, tmp_path / "small.html")
        assert (tmp_path / "small.html").stat().st_size <= 200_000

    def test_labels_cannot_end_the_data(self, tmp_path):
        labels = ["</script><script>", "<!--", "\u2028", "\x00", "&amp;", "\ud800"]
        write_page(solve(nx.path_graph(labels, create_using=nx.DiGraph)), tmp_path / "game.html")
        written = (tmp_path / "game.html").read_text(encoding="ascii", errors="backslashreplace")
        (raw,) = (match["text"] for match in SCRIPT.finditer(written) if 'id="game"' in match["type"])
        assert not set("<>&") & set(raw)
        assert raw.isascii()
        assert json.loads(raw)["labels"] == ["</script><script>", "<!--", "\\u2028", "\\x00", "&amp;", "\\ud800"]

    def test_nothing_is_left_of_a_page_that_is_too_large(self, tmp_path):
        n = MOST_POSITIONS + 1
        graph = GameGraph.from_arrays(np.arange(1, n), np.arange(n - 1), n)
        with pytest.raises(
            LimitError, match=r"a page holds at most 20,000 .* this game has 20,001 positions and 20,000 moves"
        ):
            write_page(solve(graph), tmp_path / "game.html")
        assert list(tmp_path.iterdir()) == []


class TestData:
    def test_what_it_holds(self, chips, text):
        data = embedded(text)
        order = [data["labels"].index(str(v)) for v in range(1, 7)]
        assert [data["plays"]["normal"]["values"][v] for v in order] == [2, 0, 1, 1, 0, 0]
        assert [data["plays"]["normal"]["remoteness"][v] for v in order] == [1, 2, 1, 1, 0, 0]
        misere = solve(chips.graph, misere=True)
        assert data["plays"]["misere"]["values"] == misere.grundy.array.tolist()
        assert [data["labels"][v] for v in data["tokens"]] == ["1", "2", "4", "6"]
        assert data["title"] == "Chips"

    def test_vertices_are_called_by_their_labels(self):
        plain = nx.DiGraph([("a", "b"), ("b", "c"), ("d", "a")])
        plain.add_node("b", label="</script><b>\x00")
        assert page_data(solve(plain), reachable_from=["a"])["labels"] == ["a", "</script><b>\\x00", "c"]

    def test_the_product_of_the_tokens(self, chips):
        product = page_data(chips)["product"]
        whole = sorted(chips.graph.number_of(token) for token in (1, 2, 4))
        place = [sorted(parts) for parts in product["sums"]].index(whole)
        assert product["plays"]["normal"]["remoteness"][place] == chips.sum_remoteness() == 5
        misere = solve(chips.graph, misere=True, tokens=chips.tokens)
        assert (product["plays"]["misere"]["values"][place] != 0) == (misere.winner == "first")

    @pytest.mark.parametrize(
        ("text", "known"), [("nim(7)", False), ("nim(3,4)", True), ("kayles(6)", True), ("nim(50,51,52)", False)]
    )
    def test_a_product_only_where_it_is_needed_and_small(self, text, known):
        assert (page_data(solve(parse_position(text).graph()))["product"] is not None) == known

    def test_only_what_play_can_reach(self):
        graph = nx.DiGraph([("a", "b"), ("b", "c"), ("x", "b"), ("x", "y")])
        data = page_data(solve(graph, tokens=["y"]), reachable_from=["a"])
        assert sorted(data["labels"]) == ["a", "b", "c", "y"]
        assert data["labels"][data["tokens"][0]] == "y"
        number = data["labels"].index
        assert data["plays"]["normal"]["values"][number("a")] == 0
        with pytest.raises(UnknownPositionError):
            page_data(solve(graph), reachable_from=["z"])

    @pytest.mark.parametrize(
        ("text", "sizes"),
        [
            ("nim(2)", {"0": 0, "1": 1, "2": 2}),
            ("kayles(3)", {"3": 3, "2": 2, "1": 1, "0": 0, "1 + 1": 2}),
            ("nim(1) + chomp(1x2)", {"nim(1)": 1, "nim(0)": 0, "chomp(2)": -1, "chomp(1)": -1}),
        ],
    )
    def test_heaps(self, text, sizes):
        position = parse_position(text)
        data = page_data(solve(position.graph(texts=True)), position=position)
        assert dict(zip(data["labels"], data["heaps"], strict=True)) == sizes

    @pytest.mark.parametrize(
        ("rules", "drawn"),
        [
            (Stairs(), {"2": "__\n_", "1": "_", "0": ""}),
            (Nim(), None),
        ],
    )
    def test_boards(self, rules, drawn):
        position = Position([Component("game", rules, 2)])
        data = page_data(solve(position.graph(texts=True)), position=position)
        boards = None if data["boards"] is None else dict(zip(data["labels"], data["boards"], strict=True))
        assert boards == drawn

    def test_invisible_characters_in_cells_are_written_out(self):
        class Signs(Nim):
            def picture(self, size):
                return Picture((Cell("square", "\u202egnp.exe"), Cell("piece")), ((0, 0), (1, 0)))

        position = Position([Component("signs", Signs(), 2)])
        cells = page_data(solve(position), position=position)["surfaces"]["cells"]
        assert cells == [("square", "\\u202egnp.exe"), ("piece", "")]

    def test_no_heaps(self):
        position = parse_position("chomp(2x2)")
        assert page_data(solve(position.graph(texts=True)), position=position)["heaps"] is None


class TestLayout:
    def test_options_stand_below_and_nothing_overlaps(self, chips):
        width = layout.box_size(["1"])[0]
        places = layout.graphviz_layout(chips, width)
        number = chips.graph.number_of
        assert all(places["y"][number(a)] < places["y"][number(b)] for a, b in CHIPS)
        for v in range(6):
            for w in range(v):
                across = abs(places["x"][v] - places["x"][w]) >= width
                assert across or abs(places["y"][v] - places["y"][w]) >= layout.BOX_HEIGHT

    def test_each_edge_has_a_path(self, chips):
        paths = layout.graphviz_layout(chips, 56)["paths"]
        assert len(paths) == len(CHIPS)
        assert all(re.fullmatch(r"M-?\d+,-?\d+C(-?\d+,-?\d+ ?)+", path) for path in paths)

    @pytest.mark.parametrize("graph", [nx.DiGraph(), nx.path_graph(501, create_using=nx.DiGraph)])
    def test_none_for_none_and_for_many(self, graph):
        assert layout.graphviz_layout(solve(graph), 56) is None

    def test_none_without_graphviz(self, chips, monkeypatch):
        monkeypatch.setattr(layout, "graphviz_command", lambda: None)
        assert layout.graphviz_layout(chips, 56) is None

    def test_none_where_graphviz_fails(self, chips, monkeypatch):
        monkeypatch.setattr("graphgame.labs.layouts.graph.graphviz_command", lambda: ["false"])
        assert layout.graphviz_layout(chips, 56) is None


MODULES = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "graphgame").rglob("static/*.js")}


class TestModules:
    """A name that a module forgets to import is there all the same once they are joined, so it is looked for here."""

    @pytest.mark.parametrize("name", sorted(MODULES))
    def test_it_imports_what_it_uses(self, name):
        exports = {other: set(re.findall(r"^export (?:const|(?:async )?function) (\w+)", text, re.MULTILINE))
                   for other, text in MODULES.items()}  # fmt: skip
        text = re.sub(r"//.*", "", MODULES[name])
        spaces = set(re.findall(r'^import \* as (\w+) from "\./\w+\.js";$', text, re.MULTILINE))
        members = re.findall(r'(?<![\w."`])([A-Z][a-z]+)\.(\w+)', text)
        own = {(space, member) for space, member in members if space.lower() in MODULES.keys() - {name}}
        assert {space for space, _ in own} <= spaces
        assert [space for space in spaces if len(re.findall(rf"\b{space}\b", text)) == 1] == []
        assert [(space, member) for space, member in own if member not in exports[space.lower()]] == []
        for names, other in re.findall(r'^import \{ ([^}]*) \} from "\./(\w+)\.js";$', text, re.MULTILINE):
            found = set(names.split(", "))
            assert found <= exports[other]
            assert [one for one in found if len(re.findall(rf"\b{one}\b", text)) == 1] == []

    @pytest.mark.parametrize("name", sorted(MODULES))
    def test_its_texts_are_literals(self, name):
        calls = re.findall(r"(?<![\w.])(?:say|amount)\((?!english)", MODULES[name])
        assert len(calls) == len(re.findall(bundle._TEXT, MODULES[name]))

    def test_every_module_is_part_of_a_page_and_no_comment_is_left(self):
        scripts = "\n".join(bundle.bundle(entry) for entry in ("above", "home"))
        assert [name for name in MODULES if f"const {name.capitalize()}=" not in scripts] == []
        assert re.findall(r"(?<!:)//.*", scripts) == []

    @pytest.mark.parametrize(
        ("files", "fault"),
        [
            ({"a.js": 'import * as B from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}, "in a circle"),
            ({"a.js": 'import * as C from "./b.js";\n', "b.js": ""}, "under another name"),
            ({"a.js": "export let a = 1;\n"}, "export let a = 1;: see bundle.py"),
            ({"a.js": 'import b from "./b.js";\n', "b.js": ""}, "see bundle.py"),
        ],
    )
    def test_other_syntax_of_modules_is_refused(self, files, fault, monkeypatch):
        monkeypatch.setattr(bundle, "static_file", files.__getitem__)
        with pytest.raises(ValueError, match=fault):
            bundle.bundle.__wrapped__("a")


class TestCommand:
    def run(self, *arguments):
        return CliRunner().invoke(main, ["draw", *arguments])

    def test_it_writes_a_page(self, tmp_path):
        out = tmp_path / "nim.html"
        result = self.run("nim(3,4,5)", "-o", str(out))
        assert (result.exit_code, result.stderr) == (0, f"graphgame: wrote {out}\n")
        data = embedded(out.read_text(encoding="utf-8"))
        assert data["title"] == "nim(3,4,5)"
        assert sorted(data["heaps"]) == [0, 1, 2, 3, 4, 5]

    def test_tokens_title_and_misere(self, tmp_path):
        out = tmp_path / "nim.html"
        assert self.run("nim(3)", "-o", str(out), "--tokens", "2,1", "--title", "Two", "--misere").exit_code == 0
        data = embedded(out.read_text(encoding="utf-8"))
        assert (data["title"], data["play"]) == ("Two", "misere")
        assert [data["labels"][v] for v in data["tokens"]] == ["2", "1"]

    @pytest.mark.parametrize("option", [["--dpi", "300"], ["--plain"], ["--no-values"], ["--around", "1"]])
    def test_options_of_pictures_are_refused(self, tmp_path, option):
        result = self.run("nim(3)", "-o", str(tmp_path / "a.html"), *option)
        assert result.exit_code == 2
        assert "of the options for pictures, only --title and --reachable-from apply to it" in result.stderr
        assert list(tmp_path.iterdir()) == []

    def test_a_graph_with_a_cycle_is_refused(self, tmp_path):
        (tmp_path / "cycle.edges").write_text("a b\nb a\n")
        result = self.run(str(tmp_path / "cycle.edges"), "-o", str(tmp_path / "a.html"))
        assert result.exit_code == 2
        assert "play need not end" in result.stderr


class TestDocument:
    def test_it_answers_what_stands_there(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        document = ROOT / "docs" / "page.md"
        for command, answer in dialogues(document.read_text(encoding="utf-8")):
            assert answer_of(command) == answer
        results = doctest.testfile(str(document), module_relative=False)
        assert (results.attempted, results.failed) == (2, 0)
