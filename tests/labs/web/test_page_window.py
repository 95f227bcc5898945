"""The page in a window of any size, and on paper."""

import networkx as nx
import pytest

from graphgame import solve
from tests.page import PHONE, needs_chromium, rules

pytestmark = needs_chromium

PAPERS = {"A4": (703, 1032), "A4, landscape": (1032, 703), "letter": (725, 965), "letter, landscape": (965, 725)}
"""What a page holds within margins of 1.2 cm, in pixels."""

LARGE = "kayles(20)"

MIDDLE = """() => {
    const canvas = document.querySelector('.canvas');
    const {a, e, f} = canvas.querySelector('g').transform.baseVal.consolidate().matrix;
    return [a, (canvas.clientWidth / 2 - e) / a, (canvas.clientHeight / 2 - f) / a];
}"""
"""The scale of the graph, and the point of it that stands in the middle."""

SCROLLING = """() => [...document.querySelectorAll('*')].filter(part => part.scrollHeight > part.clientHeight + 1
    && /auto|scroll/.test(getComputedStyle(part).overflowY)).map(part => part.id || part.className)"""

OUTSIDE = """() => {
    const box = document.querySelector('.canvas').getBoundingClientRect();
    const outside = part => part.left < box.left - 1 || part.right > box.right + 1
        || part.top < box.top - 1 || part.bottom > box.bottom + 1;
    const parts = [...document.querySelectorAll('.canvas .vertex, .canvas .edge')];
    return parts.filter(part => outside(part.getBoundingClientRect())).length;
}"""


def resize(visit, width, height):
    visit.page.clock.resume()  # frames are drawn by the page's time
    visit.page.set_viewport_size({"width": width, "height": height})
    visit.page.wait_for_function("width => innerWidth === width", arg=width)
    visit.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def move_about(visit):
    """Zoom and pan, and select a position."""
    visit.choose("3")
    for _ in range(3):
        visit.click("[aria-label='Zoom in']")
    visit.key("Shift+ArrowLeft", "Shift+ArrowUp")
    return visit.page.evaluate(MIDDLE)


class TestResizing:
    @pytest.mark.parametrize("size", [(900, 500), (1600, 1000), (390, 844)])
    def test_what_was_zoomed_and_moved_stays(self, sample, size):
        before = move_about(sample)
        resize(sample, *size)
        assert sample.page.evaluate(MIDDLE) == pytest.approx(before, abs=0.01)
        assert sample.position() == "3"

    def test_a_phone_can_be_turned(self, pages, sample_file):
        visit = pages.open_file(sample_file, PHONE)
        before = move_about(visit)
        for size in ((844, 390), (390, 844)):
            resize(visit, *size)
            assert visit.page.evaluate(MIDDLE) == pytest.approx(before, abs=0.01)
            assert visit.position() == "3"

    def test_a_graph_that_filled_the_window_fills_the_new_one(self, sample):
        scale, *_ = sample.page.evaluate(MIDDLE)
        resize(sample, 900, 500)
        assert sample.page.evaluate(MIDDLE)[0] < scale
        assert sample.page.evaluate(OUTSIDE) == 0


class TestScrolling:
    @pytest.mark.parametrize(("settings", "scrolls"), [({}, {"panel"}), (PHONE, set())])
    def test_no_list_scrolls_inside_what_scrolls(self, pages, settings, scrolls):
        visit = pages.open(**rules(LARGE), settings=settings)
        for tab in ("#tab-explore", "#tab-play"):
            visit.click(tab)
            assert set(visit.page.evaluate(SCROLLING)) == scrolls

    def test_a_long_list_unfolds_and_stays_so(self, pages):
        visit = pages.open(**rules(LARGE))
        listed = visit.page.locator("[data-list=options] [data-entry]")
        assert (listed.count(), listed.last.is_visible()) == (20, False)
        visit.click("#body details[data-key^=options] summary")
        visit.click("[data-key=strategy]")
        assert listed.last.is_visible()


class TestPaper:
    @pytest.mark.parametrize("text", ["nim(3,4,5)", LARGE])
    def test_the_whole_graph_and_the_panel_stand_on_it(self, pages, text):
        visit = pages.open(**rules(text), settings={"color_scheme": "dark"})
        visit.click("[aria-label='Zoom in']")
        visit.page.emulate_media(media="print")
        visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert visit.page.locator("details:not([open])").count() == 0
        assert visit.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        for width, height in PAPERS.values():
            resize(visit, width, height)
            canvas = visit.page.locator(".canvas").bounding_box()
            assert visit.page.evaluate(OUTSIDE) == 0
            assert canvas["x"] >= 0
            assert canvas["x"] + canvas["width"] <= width
            assert canvas["y"] + canvas["height"] <= height
            assert visit.page.evaluate(SCROLLING) == []
            assert visit.page.evaluate("document.documentElement.scrollWidth") == width

    @pytest.mark.parametrize("text", ["nim(3,4,5)", "kayles(5)"])
    def test_what_is_secret_while_one_plays_does_not_stand_on_it(self, pages, text):
        visit = pages.open(**rules(text), hash_="#tab=play")
        visit.page.emulate_media(media="print")
        told = []
        for hints in (False, True):
            visit.page.evaluate("on => Match.configure({ hints: on })", hints)
            visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
            told.append("winning moves" in visit.text("body") or "P-position" in visit.text("#panel"))
        assert told == [False, True]

    def test_a_heading_stays_with_its_list(self, pages):
        """A browser keeps a heading with what follows only where both are blocks."""
        visit = pages.open(**rules(LARGE))
        visit.page.emulate_media(media="print")
        lists = "[...document.querySelectorAll('h3 + .entries')].map(part => getComputedStyle(part).display)"
        assert set(visit.page.evaluate(lists)) == {"block"}

    def test_the_window_is_afterwards_as_it_was(self, sample):
        before = move_about(sample)
        viewed = "document.querySelector('.canvas').getAttribute('viewBox')"
        sample.page.evaluate(f"addEventListener('beforeprint', () => {{ window.seen = {viewed}; }})")
        assert sample.page.pdf(format="A4").startswith(b"%PDF")
        assert len(sample.page.evaluate("window.seen").split()) == 4
        assert sample.page.evaluate(viewed) is None
        assert sample.page.evaluate(MIDDLE) == pytest.approx(before, abs=0.01)
        assert sample.page.locator("details[open]").count() == 0


class TestNames:
    def test_every_vertex_tells_its_whole_name(self, pages):
        visit = pages.open(**rules("kayles(4) + nim(3)"))
        titles = visit.page.locator(".vertex > title").evaluate_all("all => all.map(title => title.textContent)")
        labels = visit.page.evaluate("Game.labels")
        assert sorted(title.rsplit(": ", 1)[0] for title in titles) == sorted(labels)

    def test_names_that_begin_alike_can_be_told_apart(self, pages):
        visit = pages.open(**rules("kayles(6) + nim(3)"))
        names = visit.page.locator(".vertex .name").all_text_contents()
        assert len(set(names)) == len(names)
        assert max(map(len, names)) <= len("⊕ ") + 16

    @pytest.mark.parametrize(("word", "seen"), [("a", True), ("a long name ", False)])
    def test_short_names_are_seen_on_a_phone(self, pages, word, seen):
        chain = nx.DiGraph([(f"{word}{i}", f"{word}{i + 1}") for i in range(7)])
        names = pages.open(solve(chain, tokens=[]), settings=PHONE).page.locator(".vertex .name")
        assert [names.nth(i).is_visible() for i in range(names.count())] == [seen] * 8
