"""The page in a browser: what was chosen stands in its address; and the start, which the reader may change."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import networkx as nx
import pytest

from graphgame import parse_position, solve
from tests.helpers import CHIPS
from tests.page import SETTINGS, needs_chromium

pytestmark = needs_chromium


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and logs nothing."""

    def log_message(self, *args):
        pass


def hash_of(visit):
    return visit.page.evaluate("decodeURIComponent(location.hash)")


def knows(visit, tokens, play):
    """Return who wins a sum, and how fast, as the page knows it."""
    return visit.page.evaluate(
        """([tokens, play]) => {
            const { outcome, moves } = Game.judge(tokens.map(label => Game.labels.indexOf(label)), play);
            return [outcome, moves];
        }""",
        [tokens, play],
    )


class TestAddress:
    def test_a_new_page_has_none(self, sample):
        assert hash_of(sample) == ""

    def test_it_says_what_was_chosen(self, sample):
        sample.choose("3")
        sample.select("theme", "dark")
        sample.select("rules", "misere")
        sample.select("language", "zh")
        sample.click("#tab-play")
        assert hash_of(sample) == "#position=3&tab=play&language=zh&theme=dark&rules=misere"

    def test_a_reload_keeps_it(self, sample):
        sample.choose("3")
        sample.select("theme", "dark")
        sample.click("[data-key=add-token]")
        sample.page.reload()
        assert sample.position() == "3"
        assert sample.texts("[data-token] .label") == ["1", "2", "4", "6", "3"]
        assert sample.page.evaluate("document.documentElement.dataset.theme") == "dark"
        sample.requests.pop()

    def test_back_goes_from_position_to_position(self, sample):
        sample.choose("3")
        sample.select("theme", "dark")
        sample.choose("5")
        sample.page.go_back()
        assert sample.position() == "3"
        sample.page.go_back()
        assert sample.position() == "1"
        sample.page.go_forward()
        assert sample.position() == "3"

    def test_a_match_is_kept(self, nim):
        nim.click(nim.move(0, "1"))
        nim.wait_for_move(2)
        made = nim.texts(".history li")
        nim.page.reload()
        assert nim.texts(".history li") == made
        assert nim.text(".status") == "Your move."
        nim.requests.pop()

    def test_a_reload_keeps_the_opponent_and_the_hints(self, nim):
        nim.select("err", "20")
        nim.select("starter", "turns")
        nim.click("[data-key=hints]")
        nim.click(nim.move(0, "1"))
        nim.wait_for_move(2)
        nim.click("[data-key=new]")
        nim.wait_for_move(1)
        made = nim.texts(".history li")
        assert made[0].startswith("Computer")
        settings = nim.page.evaluate("Match.settings")
        assert settings == {"opponent": "computer", "starter": "turns", "err": 20, "hints": True}
        nim.page.reload()
        assert nim.page.evaluate("Match.settings") == settings
        assert nim.texts(".history li") == made
        assert nim.page.locator("[data-key=hints]").is_checked()
        assert nim.page.locator("select[data-key=err]").input_value() == "20"
        nim.requests.pop()

    def test_misere_play_that_the_page_does_not_know_is_not_taken_from_an_address(self, pages):
        long = nx.DiGraph(zip(range(40), range(1, 41), strict=True))
        visit = pages.open(solve(long, tokens=[0] * 6), hash_="#rules=misere")
        assert not visit.page.evaluate("Game.knowsMisere()")
        assert visit.text(".verdict") == "Second player wins"

    def test_a_link_works_from_a_server(self, browser, nim_file):
        with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=nim_file.parent)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            context = browser.new_context(**SETTINGS)
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/nim.html#position=2&tab=play&token=4&token=4&language=zh")
            assert page.locator("[data-component] h3 .label").all_inner_texts() == ["4", "4"]
            page.click("#tab-explore")
            assert page.locator("[data-position] h2").inner_text() == "2"
            context.close()
            server.shutdown()

    @pytest.mark.parametrize(
        "hash_",
        [
            "position=nowhere&tab=none&theme=%22&language=__proto__&token=&move=9 9&move=x",
            "%%%",
            "position=%3Cb%3E&rules=toString",
        ],
    )
    def test_an_address_that_makes_no_sense_is_passed_over(self, pages, sample_file, hash_):
        visit = pages.open_file(sample_file, hash_=f"#{hash_}")
        assert visit.position() == "1"
        assert visit.texts("[data-token] .label") == ["1", "2", "4", "6"]


class TestStart:
    def test_tokens_are_put_anywhere(self, sample):
        sample.choose("3")
        sample.click("[data-key=add-token]")
        sample.click("[data-key=add-token]")
        assert sample.texts("[data-token='2'] .count, [data-token] .count")[-1] == "2"
        assert [row.split()[0] for row in sample.texts("[data-sum] tr")] == ["1", "2", "4", "6", "3", "3", "nim-sum"]
        sample.click("#tab-play")
        assert sample.components() == ["1", "2", "4", "6", "3", "3"]

    def test_and_taken_away_to_the_last(self, sample):
        for _ in range(4):
            sample.click("[data-token] [data-key^='−']")
        assert "no token" in sample.text("[data-start]")
        assert sample.text(".verdict") == "6 positions, 3 P and 3 N"
        sample.click("[data-key=file-tokens]")
        assert sample.text(".verdict") == "First player wins in 5 moves"

    def test_a_graph_without_tokens_gets_some(self, pages):
        visit = pages.open(solve(nx.DiGraph(CHIPS)))
        visit.choose("1")
        visit.click("[data-key=add-token]")
        assert visit.text(".verdict") == "First player wins in 1 move"

    @pytest.mark.parametrize("tokens", [["1", "1", "3"], ["2", "2"], ["1", "2", "1", "4"]])
    def test_a_new_sum_is_played_out_as_the_package_does(self, sample, tokens):
        sample.page.evaluate("tokens => Start.set(tokens.map(label => Game.labels.indexOf(label)))", tokens)
        for play in ("normal", "misere"):
            solution = solve(nx.DiGraph(CHIPS), tokens=[int(token) for token in tokens], misere=play == "misere")
            assert knows(sample, tokens, play) == [
                "N" if solution.winner == "first" else "P",
                solution.sum_remoteness(),
            ]

    def test_with_positions_that_split(self, pages):
        graph = parse_position("kayles(6)").graph(texts=True)
        visit = pages.open(solve(graph))
        for tokens in ([6, 5], [4, 4, 3]):
            names = list(map(str, tokens))
            visit.page.evaluate("tokens => Start.set(tokens.map(label => Game.labels.indexOf(label)))", names)
            for play in ("normal", "misere"):
                solution = solve(graph, tokens=tokens, misere=play == "misere")
                expected = ["N" if solution.winner == "first" else "P", solution.sum_remoteness()]
                assert knows(visit, names, play) == expected

    def test_where_play_need_not_end(self, pages):
        edges = [("a", "b"), ("b", "a"), ("b", "end"), ("c", "c"), ("d", "c"), ("d", "end"), ("e", "a")]
        visit = pages.open(solve(nx.DiGraph(edges), tokens=["a"], loopy=True))
        for tokens in (["d", "b"], ["d", "d"], ["e", "b", "a"]):
            visit.page.evaluate("tokens => Start.set(tokens.map(label => Game.labels.indexOf(label)))", tokens)
            solution = solve(nx.DiGraph(edges), tokens=tokens, loopy=True)
            outcome = {"first": "N", "second": "P", "draw": "D"}[solution.winner]
            assert knows(visit, tokens, "normal") == [outcome, None if outcome == "D" else solution.sum_remoteness()]


class TestTabs:
    def test_arrow_keys_go_round_the_tabs(self, sample):
        sample.page.locator("#tab-explore").focus()
        sample.key("ArrowRight")
        assert sample.page.evaluate("document.activeElement.id") == "tab-play"
        assert sample.page.locator("#tab-play[aria-selected=true]").count() == 1
        sample.key("Home")
        assert sample.page.evaluate("document.activeElement.id") == "tab-explore"
