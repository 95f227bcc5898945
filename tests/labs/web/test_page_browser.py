"""The page in a browser: seen and explored."""

import networkx as nx
import pytest

from graphgame import Position, solve, write_page
from graphgame.rules.position import Component
from graphgame.text.languages import using
from tests.helpers import CHIPS
from tests.page import PHONE, Stairs, chips, needs_chromium, rules

pytestmark = needs_chromium


class TestGraph:
    def test_it_says_who_wins(self, sample):
        assert sample.text(".verdict") == "First player wins in 5 moves"
        assert sample.text("h1") == "Chips"
        assert sample.page.title() == "Chips"

    def test_every_vertex_has_name_outcome_and_value(self, sample):
        names = sample.page.locator("[data-vertex]").evaluate_all("all => all.map(v => v.getAttribute('aria-label'))")
        assert sorted(names) == [
            "1: N 2, 1 token",
            "2: P 0, 1 token",
            "3: N 1",
            "4: N 1, 1 token",
            "5: P 0",
            "6: P 0, 1 token",
        ]

    def test_outcomes_differ_in_shape(self, sample):
        assert sample.page.locator(".vertex.P .inner").count() == 3
        assert sample.page.locator(".vertex.N .inner").count() == 0

    def test_tokens_stand_on_vertices(self, sample):
        assert sample.page.locator(".vertex.held").count() == 4

    def test_options_stand_below(self, sample):
        def height(label):
            return sample.page.locator(f"{sample.vertex(label)} .outline").bounding_box()["y"]

        assert height("2") < height("1") < height("3") == height("4") < height("5") == height("6")

    def test_the_whole_graph_is_in_sight(self, sample):
        frame = sample.page.locator("#graph").bounding_box()
        for box in (vertex.bounding_box() for vertex in sample.page.locator("[data-vertex]").all()):
            assert frame["x"] <= box["x"]
            assert box["x"] + box["width"] <= frame["x"] + frame["width"]
            assert frame["y"] <= box["y"]
            assert box["y"] + box["height"] <= frame["y"] + frame["height"]

    def test_winning_moves_are_marked(self, sample):
        best = sample.page.locator("[data-edge].best").evaluate_all("all => all.map(edge => edge.dataset.edge)")
        labels = sample.page.evaluate("Game.labels")
        moves = {tuple(labels[int(number)] for number in edge.split()) for edge in best}
        assert moves == {("1", "3"), ("1", "4")}

    def test_the_strategy_fades_the_other_moves(self, sample):
        sample.click("[data-key=strategy]")
        assert sample.page.locator("[data-edge].faded").count() == sample.page.locator("[data-edge].move").count() == 2

    def test_buttons_and_wheel_zoom(self, sample):
        def width():
            return sample.page.locator("[data-vertex]").first.bounding_box()["width"]

        start = width()
        sample.click("[aria-label='Zoom in']")
        assert width() == pytest.approx(start * 1.25, rel=0.05)
        sample.page.mouse.move(300, 400)
        sample.page.mouse.wheel(0, 400)
        assert width() < start
        sample.click("[aria-label=Fit]")
        assert width() == pytest.approx(start, rel=0.01)

    def test_dragging_pans_and_does_not_select(self, sample):
        before = sample.page.locator(sample.vertex("5")).bounding_box()
        sample.page.mouse.move(before["x"] + 20, before["y"] + 20)
        sample.page.mouse.down()
        sample.page.mouse.move(before["x"] + 80, before["y"] - 30, steps=4)
        sample.page.mouse.up()
        after = sample.page.locator(sample.vertex("5")).bounding_box()
        assert (after["x"] - before["x"], after["y"] - before["y"]) == pytest.approx((60, -50), abs=1)
        assert sample.position() == "1"


class TestPosition:
    def test_a_click_tells_all_about_a_position(self, sample):
        sample.choose("3")
        assert sample.position() == "3"
        assert sample.text(".outcome") == "N\nN-position: the next player wins"
        assert sample.texts("dl dd") == ["1", "1", "1"]
        assert sample.texts("[data-list=options] .label") == ["5", "6"]
        assert sample.texts("[data-list=predecessors] .label") == ["1"]

    def test_the_mex_is_a_strip_with_the_first_gap(self, sample):
        sample.choose("1")
        cells = sample.page.locator(".strip [data-cell]").evaluate_all(
            "all => all.map(c => [c.className, c.innerText])"
        )
        assert [(kind, text.split()) for kind, text in cells] == [
            ("seen", ["0", "✓"]),
            ("seen", ["1", "✓"]),
            ("gap", ["2"]),
        ]
        assert sample.text(".strip figcaption") == "mex {0, 1} = 2"

    def test_an_option_can_be_followed(self, sample):
        sample.click("[data-list=options] [data-entry]:has-text('5')")
        assert sample.position() == "5"
        assert "No option" in sample.text("[data-position]")

    def test_a_star_marks_the_winning_moves_of_the_sum(self, sample):
        starred = {}
        for label in "123456":
            sample.choose(label)
            starred[label] = sample.texts("[data-list=options] .winning .label")
        expected = {str(v): [] for v in range(1, 7)}
        for move in chips().winning_moves():
            expected[str(move.start)].append(str(move.end))
        assert starred == {label: sorted(ends) for label, ends in expected.items()}
        sample.choose("1")
        assert set(sample.labels("[data-list=options] .star")) == {"winning move"}

    @pytest.mark.parametrize("tokens", [None, [3]])
    def test_and_of_a_position_that_is_the_whole_game(self, pages, tokens):
        visit = pages.open(solve(nx.DiGraph(CHIPS), tokens=tokens))
        visit.choose("1")
        assert visit.texts("[data-list=options] .winning .label") == ["5"]

    def test_a_sum_has_binary_columns(self, sample):
        rows = [row.split() for row in sample.texts("[data-sum] tr")]
        assert rows == [
            ["1", "2", "1", "0"],
            ["2", "0", "0", "0"],
            ["4", "1", "0", "1"],
            ["6", "0", "0", "0"],
            ["nim-sum", "3", "1", "1"],
        ]

    def test_a_picture_is_shown(self, pages):
        visit = pages.open(**rules("chomp(2x3)"))
        assert visit.page.locator("[data-position] .drawing .k-sweet").count() == 5
        assert visit.page.locator("[data-position] .drawing").get_attribute("aria-label") == "Board of 3,3"

    def test_a_board_is_drawn(self, pages):
        position = Position([Component("stairs", Stairs(), 2)])
        visit = pages.open(solution=solve(position.graph(texts=True)), position=position)
        assert visit.text("[data-position] .board") == "__\n_"

    def test_a_position_that_splits_shows_its_parts(self, pages):
        visit = pages.open(**rules("kayles(5)"))
        visit.choose("1 + 2")
        assert visit.texts("[data-list=options] .label") == ["1", "2"]
        assert [row.split() for row in visit.texts(".xor tr")] == [
            ["1", "1", "0", "1"],
            ["2", "2", "1", "0"],
            ["nim-sum", "3", "1", "1"],
        ]

    def test_search(self, sample):
        sample.page.fill("[data-key=search]", "6")
        assert sample.texts("[data-list=found] .label") == ["6"]
        sample.key("Enter")
        assert sample.position() == "6"
        sample.page.fill("[data-key=search]", "none")
        assert sample.text(".finder [role=status]") == "No position matches."

    def test_filter_by_value(self, sample):
        sample.click("[data-value='1']")
        assert sample.texts("[data-list=found] .label") == ["3", "4"]
        assert sample.page.locator(".vertex.faded").count() == 4
        sample.click("[data-value=all]")
        assert sample.page.locator(".vertex.faded").count() == 0

    def test_misere_play_has_its_own_values(self, sample):
        sample.select("rules", "misere")
        expected = solve(nx.DiGraph(CHIPS), misere=True)
        names = sample.page.locator("[data-vertex]").evaluate_all("all => all.map(v => v.getAttribute('aria-label'))")
        assert [name.split(",")[0] for name in sorted(names)] == [
            f"{v}: {expected.outcome[v]} {expected.grundy[v]}" for v in range(1, 7)
        ]
        winner = chips(misere=True).winner
        length = chips(misere=True).sum_remoteness()
        assert sample.text(".verdict") == f"{winner.capitalize()} player wins in {length} moves"


class TestKeyboard:
    def test_arrows_follow_moves_and_enter_chooses(self, sample):
        sample.page.locator(sample.vertex("1")).focus()
        sample.key("ArrowUp", "Enter")
        assert sample.position() == "2"
        sample.key("ArrowDown", "ArrowDown", "Enter")
        assert sample.position() in {"3", "4", "5"}

    def test_signs_zoom_and_nought_fits(self, sample):
        def width():
            return sample.page.locator("[data-vertex]").first.bounding_box()["width"]

        start = width()
        sample.page.locator(sample.vertex("1")).focus()
        sample.key("+", "+")
        assert width() > start * 1.3
        sample.key("0")
        assert width() == pytest.approx(start, rel=0.01)

    def test_a_list_is_left_with_the_focus_on_the_new_position(self, sample):
        sample.page.locator("[data-list=options] button").first.focus()
        sample.key("Enter")
        assert sample.page.evaluate("document.getElementById('body').contains(document.activeElement)")

    def test_a_match_can_be_played_by_keys_alone(self, nim):
        nim.page.locator(nim.move(0, "1")).focus()
        nim.key("Enter")
        nim.wait_for_move(1)
        assert nim.texts(".history li")[0] == "You 3 → 1"


class TestReading:
    @pytest.mark.parametrize(
        ("locale", "verdict"), [("zh-CN", "先手必胜，共 5 步"), ("fr-FR", "First player wins in 5 moves")]
    )
    def test_the_language_is_the_browsers(self, pages, sample_file, locale, verdict):
        visit = pages.open_file(sample_file, {"locale": locale})
        assert visit.text(".verdict") == verdict

    def test_the_language_that_the_page_was_written_in(self, pages, tmp_path):
        with using("zh"):
            write_page("nim(3)", tmp_path / "nim.html")
        visit = pages.open_file(tmp_path / "nim.html", {"locale": "fr-FR"})
        assert visit.text("#tab-play") == "对弈"

    def test_the_language_can_be_switched(self, sample):
        sample.select("language", "zh")
        assert sample.text("#tab-play") == "对弈"
        assert sample.page.evaluate("document.documentElement.lang") == "zh-Hans"
        sample.select("language", "en")
        assert sample.text("#tab-play") == "Play"

    def test_dark_mode_follows_the_system_and_can_be_switched(self, pages, sample_file):
        visit = pages.open_file(sample_file, {"color_scheme": "dark"})
        paper = "getComputedStyle(document.body).backgroundColor"
        dark = visit.page.evaluate(paper)
        visit.select("theme", "light")
        light = visit.page.evaluate(paper)
        assert (dark, light) == ("rgb(18, 23, 30)", "rgb(246, 247, 249)")

    @pytest.mark.parametrize(
        ("least", "pairs"),
        [
            (4.5, "ink/paper quiet/card quiet/paper win/card hold/card"),
            (4.5, "on-p/p on-n/n on-d/d on-sum/sum on-token/token on-accent/accent"),
            (3, "edge/paper outline/paper win/paper hold/paper"),
        ],
    )
    def test_text_and_lines_stand_out_in_both_themes(self, sample, least, pairs):
        ratio = """pairs => {
            const probe = document.querySelector('#header');
            const value = name => {
                probe.style.color = `var(--${name})`;
                return getComputedStyle(probe).color.match(/\\d+/g).map(Number);
            };
            const part = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
            const light = color => color.map(part).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            const contrast = (a, b) => {
                const [x, y] = [light(value(a)), light(value(b))].sort((p, q) => p - q);
                return (y + 0.05) / (x + 0.05);
            };
            return pairs.split(' ').map(pair => contrast(...pair.split('/')));
        }"""
        for theme in ("light", "dark"):
            sample.select("theme", theme)
            assert min(sample.page.evaluate(ratio, pairs)) >= least

    def test_a_phone_needs_no_sideways_scrolling(self, pages, nim_file):
        visit = pages.open_file(nim_file, PHONE)
        for tab in ("#tab-play", "#tab-explore"):
            visit.page.tap(tab)
            assert visit.page.evaluate("document.documentElement.scrollWidth") == 390

    def test_a_phone_is_used_by_touch(self, pages, sample_file):
        visit = pages.open_file(sample_file, PHONE)
        visit.page.tap(visit.vertex("5"))
        assert visit.position() == "5"

    def test_every_control_has_a_name(self, nim):
        unnamed = """() => [...document.querySelectorAll('button, select, input')].filter(part =>
            !(part.innerText || part.getAttribute('aria-label') || part.closest('label')?.innerText)).length"""
        for tab in ("#tab-explore", "#tab-play"):
            nim.click(tab)
            assert nim.page.evaluate(unnamed) == 0
