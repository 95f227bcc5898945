"""Helpers for tests of the page in a real browser."""

import os
import shutil

import networkx as nx
import pytest

from graphgame import parse_position, solve, write_page
from graphgame.rules.nim import Nim
from tests.helpers import CHIPS

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium")

SETTINGS = {
    "viewport": {"width": 1280, "height": 800},
    "locale": "en-US",
    "color_scheme": "light",
    "reduced_motion": "reduce",
}
THINKING = 60  # milliseconds until the computer replies with reduced motion, as in match.js
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class Stairs(Nim):
    """Nim drawn as text."""

    def board(self, position):
        return "\n".join("_" * step for step in range(position, 0, -1))

    def picture(self, position):
        return None


class Visit:
    """An open page, with its console messages and its network requests.

    The clock of the page stands still until a test advances it, so the computer's reply does not depend on the machine.
    """

    def __init__(self, context, path, hash_=""):
        self.complaints = []
        self.requests = []
        self.page = context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(f"dialog {dialog.message}"))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.clock.install(time=0)
        self.page.clock.pause_at(3600)
        self.page.goto(path.as_uri() + hash_)

    def texts(self, selector):
        return [text.strip() for text in self.page.locator(selector).all_inner_texts()]

    def labels(self, selector):
        """Return the ``aria-label`` of the elements."""
        return self.page.locator(selector).evaluate_all("all => all.map(part => part.getAttribute('aria-label'))")

    def text(self, selector):
        return self.page.locator(selector).first.inner_text().strip()

    def click(self, selector):
        self.page.locator(selector).first.click()

    def key(self, *names):
        for name in names:
            self.page.keyboard.press(name)

    def position(self):
        """Return the label of the position in the panel."""
        return self.text("[data-position] h2")

    def vertex(self, label):
        """Return the selector of the vertex of a label."""
        return f"[data-vertex='{self.number(label)}']"

    def number(self, label):
        return self.page.evaluate("label => Game.labels.indexOf(label)", label)

    def move(self, component, label):
        """Return the selector of the button of a move."""
        return f"[data-move='{component} {self.number(label)}']"

    def choose(self, label):
        self.click(self.vertex(label))

    def select(self, name, value):
        self.page.locator(f"select[data-key={name}]").select_option(value)

    def components(self):
        return self.texts("[data-component] h3 .label")

    def pass_time(self, milliseconds=THINKING):
        self.page.clock.run_for(milliseconds)

    def faults(self):
        self.page.clock.resume()  # axe-core uses timers
        return faults(self.page)

    def wait_for_move(self, number):
        """Advance the clock until the computer has made this move."""
        if self.page.locator(".history li").count() < number:
            self.pass_time()
        self.page.locator(f".history li:nth-child({number})").wait_for()


class Pages:
    """Writes solutions as pages and opens them; closing checks that no page had an error."""

    def __init__(self, browser, folder):
        self._browser = browser
        self._folder = folder
        self._visits = []

    def open(self, solution, settings=(), hash_="", **options):
        path = written(solution, self._folder / f"page{len(self._visits)}.html", **options)
        return self.open_file(path, settings, hash_)

    def open_file(self, path, settings=(), hash_=""):
        context = self._browser.new_context(**{**SETTINGS, **dict(settings)})
        self._visits.append((context, Visit(context, path, hash_)))
        return self._visits[-1][1]

    def close(self):
        """Close all visits; check that they had no error and requested only their file."""
        for context, visit in self._visits:
            asked = [url for url in visit.requests if not url.startswith(("file:", "data:"))]
            context.close()
            assert visit.complaints == []
            assert asked == []
            assert len([url for url in visit.requests if url.startswith("file:")]) == 1


def faults(page):
    """Return the accessibility faults that axe-core finds, including labels that differ from the visible text."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options={"rules": {"label-content-name-mismatch": {"enabled": True}}}).response
    assert len(found["passes"]) > 15
    return [(fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]]


def chips(**options):
    """Solve the example of the README."""
    return solve(nx.DiGraph(CHIPS), tokens=[1, 2, 4, 6], **options)


def rules(text, **options):
    """Return the arguments of ``write_page`` for a position."""
    position = parse_position(text)
    return {"solution": solve(position.graph(texts=True), **options), "position": position, "title": text}


def written(solution, path, **options):
    """Write a page and return its path."""
    write_page(solution, path, **options)
    return path


def launched(playwright):
    """Start the system's Chromium; as root it runs without its sandbox."""
    root = hasattr(os, "getuid") and os.getuid() == 0
    return playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"] if root else [])
