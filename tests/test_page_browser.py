"""The page in a browser: seen, explored, played."""

import networkx as nx
import numpy as np
import pytest

from graphgame import GameGraph, Position, parse_position, solve
from graphgame.position import Component
from tests.helpers import CHIPS, game
from tests.page import PHONE, Pages, Stairs, launched, needs_chromium, written

pytestmark = needs_chromium


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = launched(playwright)
        yield running
        running.close()


@pytest.fixture
def pages(browser, tmp_path):
    opened = Pages(browser, tmp_path)
    yield opened
    opened.close()


def chips(**options):
    return solve(nx.DiGraph(CHIPS), tokens=[1, 2, 4, 6], **options)


def rules(text, **options):
    position = parse_position(text)
    return {"solution": solve(position.graph(texts=True), **options), "position": position, "title": text}


@pytest.fixture(scope="session")
def sample_file(tmp_path_factory):
    return written(chips(), tmp_path_factory.mktemp("sample") / "chips.html", title="Chips")


@pytest.fixture(scope="session")
def nim_file(tmp_path_factory):
    return written(path=tmp_path_factory.mktemp("nim") / "nim.html", **rules("nim(3,4,5)"))


@pytest.fixture(scope="session")
def ladder_file(tmp_path_factory):
    return written(solve(ladder()), tmp_path_factory.mktemp("ladder") / "ladder.html")


@pytest.fixture
def sample(pages, sample_file):
    return pages.open_file(sample_file)


@pytest.fixture
def nim(pages, nim_file):
    visit = pages.open_file(nim_file)
    visit.click("#tab-play")
    return visit


def ladder(length=20_000, most=3):
    """A long heap from which one takes 1 to so many."""
    start = np.repeat(np.arange(length), most)
    end = start - np.tile(np.arange(1, most + 1), length)
    kept = end >= 0
    return GameGraph.from_arrays(start[kept], end[kept], length, tokens=[length - 1])


class TestGraph:
    def test_it_says_who_wins(self, sample):
        assert sample.text(".verdict") == "First player wins in 5 moves"
        assert sample.text("h1") == "Chips"
        assert sample.page.title() == "Chips"

    def test_every_vertex_has_name_outcome_and_value(self, sample):
        names = sample.page.locator("[data-vertex]").evaluate_all("all => all.map(v => v.getAttribute('aria-label'))")
        assert sorted(names) == [
            "1: N, value 2",
            "2: P, value 0",
            "3: N, value 1",
            "4: N, value 1",
            "5: P, value 0",
            "6: P, value 0",
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
        width = "image => image.decode().then(() => image.naturalWidth)"
        assert visit.page.locator("[data-position] .picture").evaluate(width) == 3 * 18 + 8
        visit.click("#tab-play")
        assert visit.page.locator("[data-component] .picture").get_attribute("alt") == "Board of 3,3"
        assert visit.complaints == []

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
        expected = solve(nx.DiGraph(CHIPS), play="misere")
        names = sample.page.locator("[data-vertex]").evaluate_all("all => all.map(v => v.getAttribute('aria-label'))")
        assert sorted(names) == [f"{v}: {expected.outcome[v]}, value {expected.grundy[v]}" for v in range(1, 7)]
        winner = chips(play="misere").winner
        length = chips(play="misere").sum_remoteness()
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

    def test_the_language_can_be_switched(self, sample):
        sample.select("language", "zh")
        assert sample.text("#tab-play") == "对弈"
        assert sample.page.evaluate("document.documentElement.lang") == "zh-Hans"
        sample.select("language", "en")
        assert sample.text("#tab-play") == "Play"

    def test_the_languages_have_the_same_words(self, sample):
        shapes = sample.page.evaluate(
            """() => Object.values(Text.tables).map(table => {
                const shape = value => value && typeof value === 'object'
                    ? Object.entries(value).map(([key, inner]) => [key, shape(inner)]) : typeof value;
                return JSON.stringify(shape(table));
            })"""
        )
        assert len(shapes) == 2
        assert shapes[0] == shapes[1]

    def test_dark_mode_follows_the_system_and_can_be_switched(self, pages, sample_file):
        visit = pages.open_file(sample_file, {"color_scheme": "dark"})
        paper = "getComputedStyle(document.body).backgroundColor"
        dark = visit.page.evaluate(paper)
        visit.select("theme", "light")
        light = visit.page.evaluate(paper)
        assert (dark, light) == ("rgb(18, 23, 30)", "rgb(246, 247, 249)")

    def test_text_stands_out_in_both_themes(self, sample):
        ratio = """() => {
            const value = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
            const part = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
            const light = hex => [1, 3, 5].map(i => part(parseInt(hex.slice(i, i + 2), 16)))
                .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            const contrast = (a, b) => {
                const [x, y] = [light(value(a)), light(value(b))].sort();
                return (y + 0.05) / (x + 0.05);
            };
            return [['--ink', '--paper'], ['--quiet', '--card'], ['--quiet', '--paper'], ['--win', '--card'],
                ['--on-fill', '--p'], ['--on-fill', '--n'], ['--on-accent', '--accent']].map(p => contrast(...p));
        }"""
        for theme in ("light", "dark"):
            sample.select("theme", theme)
            assert min(sample.page.evaluate(ratio)) >= 4.5

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


class TestMatch:
    def test_hints_are_off_at_first(self, nim):
        assert nim.page.locator(".vertex.P, .vertex.N").count() == 0
        assert nim.text(".verdict") == ""
        assert nim.page.locator(".star").count() == 0

    def test_hints_show_the_winning_moves(self, nim):
        nim.click("[data-key=hints]")
        assert nim.texts(".move.winning .label") == ["1"]
        assert "can win in" in nim.text(".status")

    def test_the_computer_wins_a_won_game(self, nim):
        nim.select("starter", "computer")
        turn = 1
        while True:
            nim.wait_for_move(turn)
            if nim.page.locator(".status.lost").count():
                break
            assert np.bitwise_xor.reduce([int(heap) for heap in nim.components()]) == 0
            nim.click("[data-move]")
            turn += 2
        assert nim.text(".status") == "The computer wins."
        assert nim.components() == ["0", "0", "0"]

    def test_the_person_wins_by_the_hints(self, nim):
        nim.click("[data-key=hints]")
        turn = 0
        while not nim.page.locator(".status.won").count():
            nim.click(".move.winning")
            turn += 2
            if not nim.page.locator(".status.won").count():
                nim.wait_for_move(turn)
        assert nim.text(".status") == "You win!"

    def test_misere_play_is_won_by_the_other_end(self, nim):
        nim.select("rules", "misere")
        nim.select("starter", "computer")
        turn = 1
        while not nim.page.locator(".status.lost, .status.won").count():
            nim.wait_for_move(turn)
            if not nim.page.locator(".status.lost, .status.won").count():
                nim.click("[data-move]")
                turn += 2
        assert nim.text(".status") == "The computer wins."
        assert len(nim.texts(".history li")) % 2 == 0

    def test_pieces_of_a_heap_can_be_clicked(self, nim):
        nim.click("[data-heap='0'] [data-rest='2']")
        nim.wait_for_move(2)
        assert nim.texts(".history li")[0] == "You 3 → 2"
        assert np.bitwise_xor.reduce([int(heap) for heap in nim.components()]) == 0

    def test_vertices_can_be_clicked(self, sample):
        sample.click("#tab-play")
        sample.choose("3")
        sample.wait_for_move(1)
        assert sample.texts(".history li")[0] == "You 1 → 3"

    def test_two_components_that_reach_a_vertex_are_asked_about(self, sample):
        sample.click("#tab-play")
        sample.choose("5")
        assert sample.texts(".question .move") == ["1 → 5", "4 → 5"]
        sample.click(".question .move:has-text('4 → 5')")
        sample.wait_for_move(1)
        assert sample.texts(".history li")[0] == "You 4 → 5"

    def test_undo_and_redo(self, nim):
        nim.click(nim.move(2, "1"))
        nim.wait_for_move(2)
        after = nim.components()
        nim.click("[data-key=undo]")
        assert nim.components() == ["3", "4", "5"]
        assert nim.page.locator(".history li").count() == 0
        nim.click("[data-key=redo]")
        assert nim.components() == after
        nim.click("[data-key=new]")
        assert nim.components() == ["3", "4", "5"]
        assert nim.page.locator("[data-key=redo]").is_disabled()

    def test_two_people(self, nim):
        nim.select("opponent", "person")
        assert nim.text(".status") == "Player 1 to move."
        for heap in range(3):
            nim.click(nim.move(heap, "0"))
        assert nim.text(".status") == "Player 1 wins!"

    def test_a_move_can_split_a_heap(self, pages):
        visit = pages.open(**rules("kayles(5)"))
        visit.click("#tab-play")
        visit.select("opponent", "person")
        visit.click("[data-rest='4']")
        assert visit.texts(".question .move") == ["5 → 1 + 3", "5 → 2 + 2", "5 → 4"]
        visit.click(".question .move:has-text('2 + 2')")
        assert visit.components() == ["2", "2"]

    def test_play_from_any_position(self, sample):
        sample.choose("3")
        sample.click("[data-key=play-here]")
        assert sample.components() == ["3"]
        sample.click("[data-key=back]")
        assert sample.components() == ["1", "2", "4", "6"]

    def test_the_turn_is_told_to_screen_readers(self, pages, nim_file):
        nim = pages.open_file(nim_file, {"reduced_motion": "no-preference"})
        nim.click("#tab-play")
        live = nim.page.locator("[aria-live=polite]")
        assert live.inner_text() == "Your move."
        nim.click(nim.move(0, "1"))
        assert live.inner_text() == "The computer is thinking."


def agrees(visit, solution, tokens):
    """Tell whether the page knows of a sum what the package says of it."""
    known = visit.page.evaluate(
        "([tokens, play]) => Game.judge(tokens.map(label => Game.labels.indexOf(label)), play)",
        [[str(token) for token in tokens], solution.play],
    )
    return (known["value"] != 0, known["moves"]) == (solution.winner == "first", solution.sum_remoteness())


class TestKnowledge:
    @pytest.mark.parametrize("text", ["nim(1,2,3)", "nim(1,1,1)", "kayles(4,3)", "kayles(7)", "take{1,3}(5) + nim(2)"])
    def test_sums_are_judged_as_the_package_judges_them(self, pages, text):
        graph = parse_position(text).graph(texts=True)
        visit = pages.open(solve(graph))
        assert agrees(visit, solve(graph), graph.tokens)
        assert agrees(visit, solve(graph, play="misere"), graph.tokens)

    @pytest.mark.parametrize("play", ["normal", "misere"])
    def test_every_position_that_splits_is_judged(self, pages, play):
        graph = parse_position("cutting(6x4)").graph(texts=True)
        visit = pages.open(solve(graph))
        for position in (position for position in graph if not graph.is_sum(position)):
            assert agrees(visit, solve(graph, tokens=[position], play=play), [position])


class TestLarge:
    def test_twenty_thousand_vertices_open(self, pages, ladder_file):
        visit = pages.open_file(ladder_file)
        shown = visit.page.locator("[data-vertex]").count()
        assert 10 < shown < 100
        assert visit.text(".extent") == f"{shown} of 20,000 positions shown; click one to grow"
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
                    Page.select(Math.min(...shown));
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
        assert hostile.page.locator("body script:not([type])").count() == hostile.page.locator("script").count() - 1

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
        visit = pages.open(**rules("nim(40,41,42,43)"))
        assert visit.page.locator("[data-key=rules]").count() == 0
        assert "not offered" in visit.text("#note")
        assert visit.text(".verdict") == "Second player wins"

    def test_labels_of_several_lines(self, pages):
        visit = pages.open(solve(nx.DiGraph([("XO.\n.X.", "XO.\nOX.")])))
        assert visit.position() == "XO.\n.X."
