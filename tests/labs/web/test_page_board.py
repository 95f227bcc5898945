"""The page in a browser: every game of the catalogue is played on its board."""

import pytest

from graphgame import Position, Ruleset, solve
from graphgame.labs.web.page import boards
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.position import Component
from tests.page import PHONE, Stairs, needs_chromium, rules, written
from tests.whole.test_boards_of_all_games import EXAMPLES, OTHERS, no_layout  # noqa: F401

pytestmark = needs_chromium


class Lamps(Ruleset):
    """Put out one lamp, or two next to each other."""

    def options(self, position):
        runs = [
            (place, count)
            for count in (1, 2)
            for place in range(len(position))
            if "*" * count == position[place : place + count]
        ]
        return [position[:place] + "." * count + position[place + count :] for place, count in runs]

    def board(self, position):
        return f"[{position}]"


PLAY = """() => {
    // One game of two people, each of whom touches what may be touched, by turns the first and the last.
    State.set({tab: 'play'});
    Match.configure({opponent: 'person'});
    const click = part => part.dispatchEvent(new MouseEvent('click', {bubbles: true}));
    const pick = (list, turn) => list[turn % 2 ? list.length - 1 : 0];
    const boards = [];
    for (let turn = 0; !Match.over() && turn < 200; turn += 1) {
        const made = Match.history().length;
        boards.push(document.querySelectorAll('.surface [data-board]').length);
        click(pick([...document.querySelectorAll('.surface [data-moves], .surface .cut')], turn));
        if (Match.history().length === made) click(pick([...document.querySelectorAll('.offer')], turn));
        if (Match.history().length === made) return {stuck: Match.components().map(v => Game.labels[v])};
        if (turn > 60 && Match.history().length > 60) break;
    }
    const status = document.querySelector('.status').innerText;
    return {moves: Match.history().length, boards, over: Match.over(), status};
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("boards")


@pytest.fixture(scope="module")
def table(browser):
    """One page that opens one game after another, and has nothing to complain about."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US", reduced_motion="reduce")
    page = context.new_page()
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


def loopy(text):
    return CATALOGUE[text.split("(")[0].split("{")[0]].load().loopy


@pytest.mark.parametrize("text", [*EXAMPLES, *OTHERS])
def test_a_whole_game_is_played_on_the_board(table, folder, text):
    options = {"loopy": True} if loopy(text) else {}
    table.goto(written(path=folder / "game.html", **rules(text, **options)).as_uri())
    played = table.evaluate(PLAY)
    assert "stuck" not in played
    assert played["moves"] > 0
    assert all(played["boards"])
    assert played["over"] or loopy(text)
    assert not played["over"] or "wins!" in played["status"] or "draw" in played["status"]
    assert table.evaluate("document.querySelector('.rule').innerText.length") > 20
    assert table.evaluate("document.querySelector('#stage').getBoundingClientRect().bottom") <= 801


def opened(pages, text, settings=(), **options):
    visit = pages.open(**rules(text, **options), settings=settings)
    visit.click("#tab-play")
    return visit


STONES = """pick => {
    // One game of two people: after each move, the number of boards and of stones on them.
    State.set({tab: 'play'});
    Match.configure({opponent: 'person'});
    const count = kind => document.querySelectorAll(`.surface ${kind}`).length;
    const seen = [];
    for (let turn = 0; !Match.over(); turn += 1) {
        seen.push([count('[data-board]'), count('.k-coin') + count('.k-cross')]);
        const moves = [...document.querySelectorAll('.moves button')];
        moves[(turn * pick) % moves.length].click();
    }
    return [...seen, [count('[data-board]'), count('.k-coin') + count('.k-cross')]];
}"""


@pytest.mark.parametrize("pick", [1, 3, 5, 8])
def test_a_move_of_clobber_takes_one_stone_from_the_board(table, folder, pick):
    """Also if it splits the board, and if the colours of a part's canonical position are exchanged."""
    table.goto(written(path=folder / "clobber.html", **rules("clobber(3x4)")).as_uri())
    seen = table.evaluate(STONES, pick)
    assert len(seen) > 5
    assert seen == [[1, 12 - move] for move in range(len(seen))]


class TestTouch:
    def test_the_mouse_looks_ahead_and_moves(self, pages):
        visit = opened(pages, "chomp(3x4)")
        visit.page.hover("[data-spot='0 6']")
        assert visit.page.locator(".ahead").count() == 4
        visit.click("[data-spot='0 6']")
        visit.wait_for_move(1)
        assert visit.texts(".history li")[0] == "You 4,4,4 → 4,2,2"

    def test_the_computer_s_move_stays_marked(self, pages):
        visit = opened(pages, "chomp(3x4)")
        visit.click("[data-spot='0 6']")
        visit.wait_for_move(2)
        assert visit.page.locator(".surface .last").count() > 0
        assert visit.page.locator(".ghost").count() > 4

    def test_the_board_lies_as_it_was_given(self, pages):
        visit = opened(pages, "cutting(3x5)")
        board = visit.page.locator("[data-board]").bounding_box()
        assert board["height"] > board["width"]
        visit.page.locator(".cut").first.dispatch_event("click")
        cut = visit.page.locator(".cutline").first.bounding_box()
        assert cut["width"] > cut["height"]

    @pytest.mark.parametrize("text", ["fibonacci(13)", "take-away{a <= 3k}(20:2)", "mem(20:3)"])
    def test_a_sign_is_not_a_piece(self, pages, text):
        visit = opened(pages, text)
        touched = visit.page.locator(".surface [data-moves] .cell")
        kinds = set(touched.evaluate_all("all => all.map(cell => cell.getAttribute('class'))"))
        assert kinds == {"cell k-piece"}
        visit.page.locator(".surface .k-note").click(force=True)
        assert visit.page.evaluate("Match.history().length") == 0
        assert visit.page.locator(".chooser .offer").count() == 0

    def test_two_pins_are_hit_between_them(self, pages):
        visit = opened(pages, "kayles(7)")
        visit.click("[data-pair='0 2 3']")
        visit.wait_for_move(1)
        assert visit.texts(".history li")[0] == "You 7 → 2 + 3"

    def test_a_cut_is_a_line(self, pages):
        visit = opened(pages, "cutting(6x4)")
        visit.select("opponent", "person")
        visit.page.locator(".cut").nth(1).dispatch_event("click")
        assert len(visit.components()) == 2
        assert visit.page.locator(".cutline").count() == 1
        assert visit.page.locator("[data-board]").count() == 1

    def test_a_piece_is_picked_up_and_put_down(self, pages):
        visit = opened(pages, "amazons(Q..)")
        visit.select("opponent", "person")
        visit.click("[data-spot='0 0'] .zone")
        assert visit.page.locator(".picked").count() == 1
        visit.click("[data-spot='0 2'] .zone")
        visit.click("[data-spot='0 0'] .zone")
        assert len(visit.texts(".history li")) == 1

    def test_the_keyboard_is_enough(self, pages):
        visit = opened(pages, "chomp(2x3)")
        visit.page.locator("[data-spot='0 1']").focus()
        visit.key("ArrowRight", "ArrowDown")
        assert visit.page.evaluate("document.activeElement.dataset.spot") == "0 5"
        assert visit.page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(
            "chocolate, row 2, column 3"
        )
        visit.key("Enter")
        visit.wait_for_move(1)
        assert visit.texts(".history li")[0] == "You 3,3 → 3,2"
        visit.wait_for_move(2)
        assert visit.page.locator("[data-spot]:focus").count() == 1
        visit.key("Enter")
        visit.wait_for_move(3)

    def test_escape_lets_go(self, pages):
        visit = opened(pages, "kayles(5)")
        visit.page.locator("[data-spot='0 2']").focus()
        visit.key("Enter")
        assert visit.page.locator(".offer").count() == 3
        visit.key("Escape")
        assert visit.page.locator(".offer").count() == 0

    def test_a_phone_is_played_by_touch(self, pages):
        visit = opened(pages, "nim(3,4,5)", PHONE)
        visit.page.tap("[data-spot='0 1']")
        visit.wait_for_move(1)
        assert visit.texts(".history li")[0] == "You 3 → 1"


class TestSeen:
    def test_the_last_move_is_marked_at_the_top_of_a_loop(self, pages):
        visit = opened(pages, "hackenbush(0-1,1-1,1-1)")
        tops = "[0, 1].map(bend => Drawings.middle([0, 0, 0, 0, bend])[1].toFixed(1))"
        assert visit.page.evaluate(tops) == ["-0.9", "-1.3"]

    @pytest.mark.parametrize("settings", [{}, PHONE], ids=["desktop", "phone"])
    @pytest.mark.parametrize("text", ["nim(3,4,5)", "cram(3x3)", "wythoff(3,5)"])
    def test_board_message_and_end_are_on_the_screen(self, pages, text, settings):
        visit = opened(pages, text, settings)
        high = visit.page.viewport_size["height"]
        assert visit.page.evaluate("scrollY") == 0
        for selector in (".rule", ".status", ".surface"):
            box = visit.page.locator(selector).bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= high
        bars = "[...document.querySelectorAll('*')].filter(part => part.scrollHeight > part.clientHeight + 1 && "
        bars += "/auto|scroll/.test(getComputedStyle(part).overflowY)).length"
        scrolls = "document.documentElement.scrollHeight > innerHeight + 1 ? 1 : 0"
        assert visit.page.evaluate(bars) + visit.page.evaluate(scrolls) <= 1

    def test_hints_mark_the_moves_on_the_board_by_shape(self, pages):
        visit = opened(pages, "kayles(7)")
        assert visit.page.locator(".surface .good").count() == 0
        visit.click("[data-key=hints]")
        assert visit.page.locator(".surface .good").count() == 3
        assert set(visit.page.locator(".good text").all_text_contents()) == {"★"}

    def test_the_rules_follow_the_play_and_the_language(self, pages):
        visit = opened(pages, "chocolate(2x2)")
        assert "Whoever has nothing to break loses." in visit.text(".rule")
        visit.select("rules", "misere")
        assert "nothing to break" not in visit.text(".rule")
        assert "whoever makes the last move loses" in visit.text(".rule")
        visit.select("language", "zh")
        assert visit.text(".rule").startswith("掰巧克力")
        assert "走最后一步者负" in visit.text(".rule")

    def test_one_s_own_rules_show_their_docstring(self, pages):
        position = Position([Component("stairs", Stairs(), 2)])
        visit = pages.open(solve(position.graph(texts=True)), position=position)
        visit.click("#tab-play")
        assert visit.text(".rule") == "Nim drawn as text. Whoever makes the last move wins."

    def test_a_board_in_text_is_played_on(self, pages):
        position = Position([Component("lamps", Lamps(), "***")])
        visit = pages.open(solve(position.graph(texts=True)), position=position)
        visit.click("#tab-play")
        assert visit.labels("[data-spot]") == [
            None,
            *(f"sign, *, row 1, column {n + 1}, {moves} moves" for n, moves in ((1, 2), (2, 3), (3, 2))),
            None,
        ]
        visit.click("[data-spot='0 1']")
        assert visit.page.locator("[data-offer]").count() == 2
        visit.click("[data-spot='0 2']")
        visit.wait_for_move(1)
        assert visit.texts(".history li")[0].endswith("*** → ..*")

    def test_the_board_gives_way_to_the_graph_and_comes_back(self, pages):
        visit = opened(pages, "nim(3,4,5)")
        assert not visit.page.locator(".canvas").is_visible()
        visit.click("[data-view=graph]")
        assert visit.page.locator(".canvas").is_visible()
        visit.click("[data-view=board]")
        assert visit.page.locator(".surface svg").is_visible()

    def test_the_board_that_shows_is_the_one_that_was_played(self, pages):
        visit = opened(pages, "cram(3x3)")
        visit.select("opponent", "person")
        visit.click("[data-pair='0 7 8']")
        taken = visit.page.locator("[data-spot]:has(.k-taken)").evaluate_all("all => all.map(p => p.dataset.spot)")
        assert taken == ["0 7", "0 8"]

    def test_a_reload_keeps_the_board_as_it_was_played(self, pages):
        visit = opened(pages, "cram(3x3)")
        visit.select("opponent", "person")
        visit.click("[data-pair='0 7 8']")
        visit.page.reload()
        visit.requests.clear()
        visit.requests.append(visit.page.url)
        taken = visit.page.locator("[data-spot]:has(.k-taken)").evaluate_all("all => all.map(p => p.dataset.spot)")
        assert taken == ["0 7", "0 8"]

    def test_what_is_too_large_is_played_from_the_list(self, pages, monkeypatch):
        monkeypatch.setattr(boards, "_MOST_WAYS", 3)
        visit = opened(pages, "cram(2x3)")
        assert "choose one from the list" in visit.text(".rule")
        visit.click("[data-move]")
        visit.wait_for_move(1)
        assert visit.page.locator(".surface .cell").count() > 0

    def test_motion_is_still_where_it_is_asked_for(self, pages):
        visit = opened(pages, "chomp(2x3)")
        visit.click("[data-spot='0 5']")
        assert visit.page.evaluate("document.getAnimations().length") == 0
