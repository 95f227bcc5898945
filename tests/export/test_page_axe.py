"""The page in a browser, checked for accessibility by axe-core: every view, light and dark, with nothing to report."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.page import PHONE, needs_chromium, rules

pytestmark = needs_chromium


def faults(visit):
    """Return what axe-core finds wrong on the page."""
    found = Axe().run(visit.page).response
    assert len(found["passes"]) > 20
    return [(fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]]


def unfold(visit):
    for summary in visit.page.locator("details:not([open]) > summary").all():
        if summary.is_visible():
            summary.click()


@pytest.mark.parametrize(("text", "theme"), [("kayles(9)", "light"), ("chomp(2x3)", "dark")])
class TestViews:
    def test_explore(self, pages, text, theme):
        visit = pages.open(**rules(text), settings={"color_scheme": theme})
        assert faults(visit) == []
        unfold(visit)
        assert faults(visit) == []

    def test_play(self, pages, text, theme):
        visit = pages.open(**rules(text), settings={"color_scheme": theme}, hash_="#tab=play")
        assert faults(visit) == []
        visit.click("[data-key=hints]")
        while not visit.page.locator(".status.won, .status.lost").count():
            visit.page.locator("[data-move]:not([disabled])").first.click()
            visit.page.locator(".status:not(:has-text('thinking'))").wait_for()
        assert visit.page.locator("[data-aftermath]").count() == 1
        assert faults(visit) == []

    def test_learn(self, pages, text, theme):
        visit = pages.open(**rules(text), settings={"color_scheme": theme}, hash_="#tab=learn")
        visit.click("[data-step='One step on']")
        assert faults(visit) == []
        for lesson in ("sum", "puzzle"):
            visit.click(f"[data-key=lesson-{lesson}]")
            assert faults(visit) == []


def test_a_phone_in_chinese(pages, nim_file):
    visit = pages.open_file(nim_file, {**PHONE, "locale": "zh-CN"}, hash_="#tab=play")
    assert faults(visit) == []
