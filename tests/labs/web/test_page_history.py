"""The page in a browser: how a match went, what lost it, going back to any position, and the score over games."""

import networkx as nx
import pytest

from graphgame import solve
from tests.page import needs_chromium, rules

pytestmark = needs_chromium

HEIGHTS = "all => all.map(bar => Number(bar.getAttribute('height')))"


def finish(visit, choice="first"):
    """Play a person's first or last moves against the computer until the game is over."""
    while not visit.page.locator(".status.won, .status.lost").count():
        getattr(visit.page.locator("[data-move]:not([disabled])"), choice).click()
        visit.pass_time()


@pytest.fixture
def lost(nim):
    finish(nim)
    return nim


class TestStrip:
    def test_a_column_for_each_position(self, lost):
        assert [text.split()[-1] for text in lost.texts(".turn")] == ["N", "N", "P", "N", "P"]
        heights = lost.page.locator(".bar rect").evaluate_all(HEIGHTS)
        assert heights == sorted(heights, reverse=True)
        assert lost.page.locator(".turn.wrong").evaluate_all("all => all.map(turn => turn.dataset.turn)") == ["1"]
        name = lost.page.locator("[data-turn='1']").get_attribute("aria-label")
        assert name == "move 1, You: 3 → 0; N, remoteness 9; mistake: a better outcome was possible"

    def test_values_are_hidden_while_one_plays(self, nim):
        nim.click(nim.move(0, "0"))
        nim.wait_for_move(2)
        assert nim.texts(".turn") == ["•", "1", "2"]
        assert nim.page.locator(".bar.N, .bar.P, .turn.wrong").count() == 0
        nim.click("[data-key=hints]")
        assert nim.page.locator(".bar.P").count() == 1

    def test_long_games_have_logarithmic_heights(self, pages):
        visit = pages.open(**rules("bash{1}(40)"))
        visit.click("#tab-play")
        finish(visit)
        heights = visit.page.locator(".bar rect").evaluate_all(HEIGHTS)
        assert heights[20] > 0.7 * heights[0]

    def test_a_click_goes_back_and_play_goes_on_from_there(self, lost):
        lost.click("[data-turn='1']")
        assert lost.text(".status") == "Looking back: after move 1."
        assert lost.components() == ["0", "4", "5"]
        lost.click("[data-turn='4']")
        assert lost.text(".status") == "The computer wins."
        lost.click("[data-turn='1']")
        lost.click("[data-key=play-on]")
        lost.wait_for_move(2)
        assert lost.components() == ["0", "4", "4"]
        assert lost.page.locator(".turn").count() == 3


class TestAfterTheGame:
    def test_it_says_what_lost_it_and_leads_there(self, lost):
        told = lost.text("[data-aftermath] li")
        assert "Move 1 (You) let the other player win: 3 → 0." in told
        assert "From 3 + 4 + 5, 3 → 1 would have kept the win, because the nim-sum is 0 after this move." in told
        lost.click("[data-there]")
        assert lost.components() == ["3", "4", "5"]
        assert lost.text(".status") == "Your move."

    def test_a_game_without_a_mistake(self, nim):
        nim.select("starter", "computer")
        nim.wait_for_move(1)
        finish(nim)
        assert nim.text("[data-aftermath] p") == "The first player could win from the start, and never gave that away."

    def test_a_win_that_became_a_draw(self, pages):
        edges = [("a", "end"), ("a", "b"), ("b", "c"), ("c", "b")]
        visit = pages.open(solve(nx.DiGraph(edges), tokens=["a"], loopy=True))
        visit.click("#tab-play")
        visit.select("opponent", "person")
        for label in "bcbcb":
            visit.click(visit.move(0, label))
        assert visit.texts("[data-aftermath] strong") == ["Move 1 (Player 1) turned a win into a draw:"]
        assert "a → end would have kept the win, because this move leads to a P-position." in visit.text(
            "[data-aftermath]"
        )


class TestScore:
    def test_games_are_counted(self, lost):
        assert lost.text("[data-score]") == "Score: You 0 : 1 Computer"
        lost.click("[data-key=new]")
        assert lost.text("[data-score]") == "Score: You 0 : 1 Computer"
        finish(lost)
        assert lost.text("[data-score]") == "Score: You 0 : 2 Computer"

    def test_a_game_that_is_taken_back_counts_once(self, lost):
        lost.click("[data-key=undo]")
        finish(lost)
        assert lost.text("[data-score]") == "Score: You 0 : 1 Computer"

    def test_players_begin_in_turns(self, nim):
        nim.select("starter", "turns")
        assert nim.text(".status") == "Your move."
        finish(nim)
        nim.click("[data-key=new]")
        nim.wait_for_move(1)
        assert nim.texts(".history li")[0].startswith("Computer")
