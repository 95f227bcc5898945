"""The page in a browser: games that are large, hostile, or next to nothing."""

import networkx as nx
import numpy as np
import pytest

from graphgame import GameGraph, solve
from tests.helpers import CHIPS, game
from tests.page import needs_chromium, rules, written

pytestmark = needs_chromium


@pytest.fixture(scope="session")
def ladder_file(tmp_path_factory):
    return written(solve(ladder()), tmp_path_factory.mktemp("ladder") / "ladder.html")


def ladder(length=20_000, most=3):
    """Return the graph of a long heap from which a move takes 1 to ``most``."""
    start = np.repeat(np.arange(length), most)
    end = start - np.tile(np.arange(1, most + 1), length)
    kept = end >= 0
    return GameGraph.from_arrays(start[kept], end[kept], length, tokens=[length - 1])


class TestLarge:
    def test_twenty_thousand_vertices_open(self, pages, ladder_file):
        visit = pages.open_file(ladder_file)
        shown = visit.page.locator("[data-vertex]").count()
        assert 10 < shown < 100
        assert visit.text(".extent") == f"{shown} of 20,000 positions shown; click one to show its neighbours"
        assert visit.position() == "19999"
        assert visit.texts("dl dd") == ["3", "9999", "19999"]

    def test_a_click_grows_the_neighbourhood(self, pages, ladder_file):
        visit = pages.open_file(ladder_file)
        numbers = visit.page.locator("[data-vertex]").evaluate_all("all => all.map(v => Number(v.dataset.vertex))")
        edge = min(numbers)
        assert visit.page.locator(f"[data-vertex='{edge - 2}']").count() == 0
        visit.page.locator(f"[data-vertex='{edge}']").dispatch_event("click")
        assert visit.page.locator(f"[data-vertex='{edge - 2}']").count() == 1
        assert visit.page.locator("[data-vertex]").count() > len(numbers)

    def test_search_goes_anywhere(self, pages, ladder_file):
        visit = pages.open_file(ladder_file)
        visit.page.fill("[data-key=search]", "777")
        visit.key("Enter")
        assert visit.position() == "777"
        assert visit.page.locator(visit.vertex("774")).is_visible()

    def test_the_number_shown_stays_bounded(self, pages):
        visit = pages.open(solve(ladder(most=20)))
        most = visit.page.evaluate(
            """() => {
                let most = 0;
                for (let step = 0; step < 12; step += 1) {
                    const shown = [...document.querySelectorAll('[data-vertex]')].map(v => Number(v.dataset.vertex));
                    most = Math.max(most, shown.length);
                    Graph.select(Math.min(...shown));
                }
                return most;
            }"""
        )
        assert 60 < most <= 300


HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    '"><img src=x onerror=alert(3)>',
    "${alert(4)}",
    "\u202egnp.exe",
    "a\x00b",
    "<!--",
    "]]>",
    "\u2028\u2029",
    "javascript:alert(5)",
    "&lt;b&gt;",
    "`'\"\\",
    "%%GAME%%",
    "",
]


class TestHostileLabels:
    @pytest.fixture
    def hostile(self, pages):
        edges = [(a, b) for i, a in enumerate(HOSTILE) for b in HOSTILE[i + 1 :]]
        solution = solve(nx.DiGraph(edges), tokens=[HOSTILE[0], HOSTILE[1], HOSTILE[1]])
        return pages.open(solution, title="</title><script>alert(6)</script>\x00")

    def test_labels_are_text_wherever_they_stand(self, hostile):
        shown = hostile.page.evaluate("Game.labels")
        written = {"\u202egnp.exe": "\\u202egnp.exe", "a\x00b": "a\\x00b", "\u2028\u2029": "\\u2028\\u2029", "": '""'}
        assert shown == [written.get(label, label) for label in HOSTILE]
        for label in shown:
            hostile.page.fill("[data-key=search]", label)
            hostile.key("Enter")
            assert hostile.position() == label
        hostile.click("#tab-play")
        assert hostile.components() == [shown[0], shown[1], shown[1]]
        hostile.click("[data-key=hints]")
        hostile.page.locator(hostile.vertex(shown[4])).dispatch_event("click")
        hostile.click(".question .move")
        hostile.wait_for_move(2)

    def test_nothing_becomes_an_element(self, hostile):
        hostile.click("#tab-play")
        assert hostile.page.locator("img, iframe, b").count() == 0
        assert hostile.page.locator("body script:not([type])").count() == hostile.page.locator("script").count() - 2

    def test_the_title_is_text(self, hostile):
        assert hostile.text("h1") == "</title><script>alert(6)</script>\\x00"
        assert hostile.page.title() == "</title><script>alert(6)</script>\\x00"

    def test_the_policy_forbids_other_scripts(self, sample):
        ran = sample.page.evaluate(
            """() => {
                const script = document.createElement('script');
                script.textContent = 'window.ran = true';
                document.body.append(script);
                return window.ran === true;
            }"""
        )
        assert ran is False
        assert any("Content Security Policy" in text for text in sample.complaints)
        sample.complaints.clear()


class TestOdd:
    def test_a_game_without_positions(self, pages):
        visit = pages.open(solve(nx.DiGraph()))
        assert visit.text("#body") == "This game has no positions."

    def test_a_game_without_moves(self, pages):
        visit = pages.open(solve(game({0: []}, tokens=[0])))
        assert visit.text(".verdict") == "Second player wins: there is no move"
        visit.click("#tab-play")
        assert visit.text(".status") == "The computer wins."

    def test_no_tokens(self, pages):
        visit = pages.open(solve(nx.DiGraph(CHIPS)))
        assert visit.text(".verdict") == "6 positions, 3 P and 3 N"

    def test_a_sum_too_large_to_play_out_has_no_misere_play(self, pages):
        visit = pages.open(**rules("kayles(20,21,22,23)"))
        assert visit.page.locator("[data-key=rules]").count() == 0
        assert "not offered" in visit.text("#note")
        assert visit.text(".verdict") == "First player wins"

    def test_labels_of_several_lines(self, pages):
        visit = pages.open(solve(nx.DiGraph([("XO.\n.X.", "XO.\nOX.")])))
        assert visit.position() == "XO.\n.X."
