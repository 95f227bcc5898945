"""The page in a browser, checked for accessibility by axe-core: every view, light and dark, with nothing to report."""

import networkx as nx
import pytest

from graphgame import solve
from tests.page import PHONE, needs_chromium, rules

pytestmark = needs_chromium

LONG = "a position with a name of very many words"


def unfold(visit):
    for summary in visit.page.locator("details:not([open]) > summary").all():
        if summary.is_visible():
            summary.click()


@pytest.mark.parametrize(
    ("text", "theme"),
    [("kayles(9)", "light"), ("chomp(2x3)", "dark"), ("cutting(4x2)", "dark"), ("treblecross(5)", "light")],
)
class TestViews:
    def test_explore(self, pages, text, theme):
        visit = pages.open(**rules(text), settings={"color_scheme": theme})
        assert visit.faults() == []
        unfold(visit)
        assert visit.faults() == []

    def test_play(self, pages, text, theme):
        visit = pages.open(**rules(text), settings={"color_scheme": theme}, hash_="#tab=play")
        assert visit.faults() == []
        visit.click("[data-key=hints]")
        while not visit.page.locator(".status.won, .status.lost").count():
            visit.page.locator("[data-move]:not([disabled])").first.click()
            visit.pass_time()
        assert visit.page.locator("[data-aftermath]").count() == 1
        assert visit.faults() == []

    def test_learn(self, pages, text, theme):
        visit = pages.open(**rules(text), settings={"color_scheme": theme}, hash_="#tab=learn")
        visit.click("[data-step='One step forward']")
        assert visit.faults() == []
        for lesson in ("sum", "puzzle"):
            visit.click(f"[data-key=lesson-{lesson}]")
            assert visit.faults() == []


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
@pytest.mark.parametrize(
    "page",
    [
        rules("mock-turtles(thhth)"),
        rules("cram(3x4)"),
        rules("fibonacci(13)"),
        {"solution": solve(nx.DiGraph([(LONG, f"{LONG}, {n}") for n in range(3)]), tokens=[LONG] * 3)},
        {"solution": solve(nx.DiGraph([("a-name-without-a-space", "end"), ("end", "end")]), loopy=True)},
    ],
    ids=["letters", "part", "signs", "long", "loopy"],
)
def test_every_vertex_is_called_what_it_shows(pages, page, locale):
    for view in ("", "#tab=play", "#tab=play&hints=1"):
        assert pages.open(**page, settings={"locale": locale}, hash_=view).faults() == []


def test_a_phone_in_chinese(pages, nim_file):
    visit = pages.open_file(nim_file, {**PHONE, "locale": "zh-CN"}, hash_="#tab=play")
    assert visit.faults() == []
