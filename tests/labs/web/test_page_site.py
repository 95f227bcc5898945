"""The site of ``graphgame serve`` in a browser, as a person uses it."""

import pytest

from tests.page import PHONE, SETTINGS, faults, needs_chromium
from tests.site import serving

pytestmark = needs_chromium

DROP = """([name, text]) => {
    const files = new DataTransfer();
    files.items.add(new File([text], name));
    dispatchEvent(new DragEvent("drop", { dataTransfer: files, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture
def visit(browser, site):
    """Open a page of the site; it complains of nothing but answers that say what was wrong, and asks nobody else."""
    contexts, complaints, asked = [], [], []

    def open_page(path="", **settings):
        contexts.append(browser.new_context(**{**SETTINGS, **settings}))
        page = contexts[-1].new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(site.address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [told for told in complaints if "status of 400" not in told] == []
    assert [url for url in asked if not url.startswith((site.address, "data:"))] == []


def type_position(page, text):
    page.fill("#position", text)
    with page.expect_navigation():
        page.keyboard.press("Enter")


class TestPositions:
    def test_type_play_and_go_back(self, visit):
        page = visit()
        type_position(page, "kayles(3) + chomp(2x2)")
        assert page.locator("h1").inner_text() == "kayles(3) + chomp(2x2)"
        page.click("#tab-play")
        assert page.locator(".surface svg").count() == 1
        page.go_back()
        page.go_back()
        assert page.locator("[data-game]").count() > 60
        page.go_forward()
        assert page.locator("h1").inner_text() == "kayles(3) + chomp(2x2)"

    def test_names_are_completed_in_sums_too(self, visit):
        page = visit()
        for typed, offered in (("kayl", ["kayles(7)"]), ("nim(3) + wy", ["nim(3) + wythoff(3,5)"]), ("nim(3", [])):
            page.fill("#position", typed)
            options = page.locator("#completions option").evaluate_all("all => all.map(option => option.value)")
            assert options == offered

    def test_an_error_has_a_caret(self, visit):
        page = visit()
        type_position(page, "nim(3,x)")
        lines = page.locator("[role=alert]").inner_text().split("\n")
        assert lines[1].index("x") == lines[2].index("^")
        assert page.input_value("#position") == "nim(3,x)"
        type_position(page, "nim(3,4)")
        assert page.locator("h1").inner_text() == "nim(3,4)"

    def test_a_game_is_picked(self, visit):
        page = visit()
        page.fill("#position", "sprou")
        assert page.locator("[data-game]:visible").count() == 1
        assert page.locator("[data-game]:visible .drawing .cell").count() == 4
        page.locator("[data-game=sprouts] a").click()
        assert page.locator("h1").inner_text() == "sprouts(3)"
        page.click("nav [data-key=games]")
        assert page.locator("[data-game]:visible").count() > 60

    def test_sizes_by_sliders(self, visit):
        page = visit("?position=take{1,2}(3) %2B chomp(2x3)#theme=dark")
        page.click(".sizes summary")
        sliders = page.locator("[data-size]")
        assert [sliders.nth(i).input_value() for i in range(3)] == ["3", "2", "3"]
        sliders.nth(1).focus()
        with page.expect_navigation():
            page.keyboard.press("ArrowRight")
        assert page.locator("h1").inner_text() == "take{1,2}(3) + chomp(3x3)"
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"

    def test_a_match_goes_on_with_another_size(self, visit):
        """Another tab would tell who wins."""
        page = visit("?position=nim(3,4)#tab=play&err=20&language=zh&move=0+1")
        page.click(".sizes summary")
        page.locator("[data-size]").first.focus()
        with page.expect_navigation():
            page.keyboard.press("ArrowRight")
        assert page.locator("h1").inner_text() == "nim(4,4)"
        assert page.locator("#tab-play").get_attribute("aria-selected") == "true"
        assert page.locator(".verdict").inner_text() == ""
        assert page.evaluate("[Match.settings.err, Match.history().length, State.get().language]") == [20, 0, "zh"]
        page.click("nav [data-key=games]")
        page.locator("[data-game]").first.wait_for()
        assert page.evaluate("location.hash") == "#language=zh"


class TestFiles:
    def test_a_file_is_chosen_or_dropped(self, visit, site):
        page = visit()
        with page.expect_navigation():
            page.set_input_files("#file", site.folder / "chips.txt")
        assert page.locator("h1").inner_text() == "chips.txt"
        assert page.locator(".verdict").inner_text() == "First player wins in 5 moves"
        page.reload()
        assert page.locator("h1").inner_text() == "chips.txt"
        page.click("nav [data-key=games]")
        page.locator("[data-game]").first.wait_for()
        with page.expect_navigation():
            page.evaluate(DROP, ["a.csv", "x,y\ny,z\n"])
        assert page.locator("h1").inner_text() == "a.csv"

    def test_a_damaged_file(self, visit):
        page = visit()
        with page.expect_navigation():
            page.evaluate(DROP, ["bad.txt", "2 1 1\n1 9\n1\n"])
        assert page.locator("[role=alert]").inner_text().startswith("bad.txt:2:")

    def test_what_was_named_is_a_link(self, visit):
        page = visit()
        page.click(".named a:has-text('rules.py:Square')")
        assert page.locator("h1").inner_text() == "rules.py:Square"


class TestLooks:
    @pytest.mark.parametrize("settings", [{}, {**PHONE, "locale": "zh-CN", "color_scheme": "dark"}], ids=["", "phone"])
    def test_nothing_disturbs(self, visit, settings):
        for path in ("", "?position=nim(3,x)", "?position=chomp(2x3)#tab=play"):
            page = visit(path, **settings)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            for summary in page.locator(".sizes summary").all():
                summary.click()
            assert faults(page) == []

    def test_language_and_colours_go_along(self, visit):
        page = visit()
        page.select_option("[data-key=language]", "zh")
        page.select_option("[data-key=theme]", "dark")
        page.reload()
        page.locator("[data-game=nim] a").click()
        page.locator("#tab-play").wait_for()
        assert page.locator("#tab-play").inner_text() == "对弈"
        assert page.evaluate("[document.documentElement.lang, document.documentElement.dataset.theme]") == [
            "zh-Hans",
            "dark",
        ]
