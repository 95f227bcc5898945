"""The page in a browser: played against a person and the computer, which knows what the package knows."""

import numpy as np
import pytest

from graphgame import parse_position, solve
from graphgame.rules.nim import misere_nim_outcome
from graphgame.solution.results import play_name
from tests.page import needs_chromium, rules

pytestmark = needs_chromium


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
        nim.click("[data-spot='0 2']")
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

    @pytest.mark.parametrize(
        ("clicks", "moves"),
        [
            ("1", []),  # a token is picked up, also where the token on 2 could go
            ("14", ["1 → 4"]),
            ("21", ["2 → 1"]),
            ("11", []),  # put down again
            ("15", ["1 → 5"]),  # the token on 4 could go there too
            ("46", []),  # out of reach: no other token moves in its place
            ("4656", []),
            ("45", ["4 → 5"]),
            ("24", ["2 → 4"]),
            ("3", ["1 → 3"]),  # only one token can go there
            ("36", ["1 → 3"]),  # the token on 6 cannot be picked up: one is asked
        ],
    )
    def test_a_click_on_a_token_picks_it_up(self, sample, clicks, moves):
        sample.click("#tab-play")
        sample.select("opponent", "person")
        for label in clicks:
            sample.choose(label)
        assert sample.texts(".history li") == [f"Player 1 {move}" for move in moves]

    def test_a_token_that_is_picked_up_shows_where_it_can_go(self, sample):
        sample.click("#tab-play")
        sample.choose("2")
        assert sample.text(".status") == "The token on 2 is picked up: choose where it goes."
        reached = sample.page.locator(".vertex.reachable .name").all_text_contents()
        assert sorted(reached) == ["1", "4"]
        pressed = sample.page.locator(".vertex[aria-pressed=true] .name").all_text_contents()
        assert pressed == ["2"]
        sample.page.locator(sample.vertex("2")).focus()
        sample.key("Escape")
        assert sample.text(".status") == "Your move."
        sample.key("Enter", "ArrowDown", "Enter")
        sample.wait_for_move(1)
        assert sample.texts(".history li")[0] == "You 2 → 1"

    def test_where_a_token_stands_that_cannot_move_one_is_asked(self, sample):
        sample.click("#tab-play")
        sample.select("opponent", "person")
        sample.choose("3")
        sample.choose("6")
        assert sample.texts(".question .move") == ["3 → 6"]

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

    @pytest.mark.parametrize("opponent", ["computer", "person"])
    def test_the_last_move_of_a_game_can_be_undone(self, nim, opponent):
        nim.select("opponent", opponent)
        while not nim.page.locator(".status.won, .status.lost").count():
            nim.click("[data-move]:not([disabled])")
            nim.pass_time()
        made = nim.page.locator(".history li").count()
        nim.click("[data-key=undo]")
        assert nim.page.locator(".history li").count() < made
        assert nim.text(".status") in ("Your move.", "Player 1 to move.", "Player 2 to move.")

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
        visit.click("[data-spot='0 2']")
        assert visit.labels(".chooser .offer") == ["→ 2 + 2", "→ 1 + 2", "→ 1 + 2"]
        visit.click("[data-spot='0 2']")
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
        [[str(token) for token in tokens], play_name(solution.misere)],
    )
    return (known["value"] != 0, known["moves"]) == (solution.winner == "first", solution.sum_remoteness())


class TestKnowledge:
    @pytest.mark.parametrize("text", ["nim(1,2,3)", "nim(1,1,1)", "kayles(4,3)", "kayles(7)", "take{1,3}(5) + nim(2)"])
    def test_sums_are_judged_as_the_package_judges_them(self, pages, text):
        graph = parse_position(text).graph(texts=True)
        visit = pages.open(solve(graph))
        assert agrees(visit, solve(graph), graph.tokens)
        assert agrees(visit, solve(graph, misere=True), graph.tokens)

    @pytest.mark.parametrize("misere", [False, True])
    def test_every_position_that_splits_is_judged(self, pages, misere):
        graph = parse_position("chocolate(6x4)").graph(texts=True)
        visit = pages.open(solve(graph))
        for position in (position for position in graph if not graph.is_sum(position)):
            assert agrees(visit, solve(graph, tokens=[position], misere=misere), [position])


def test_a_sum_is_played_as_its_parts(pages):
    visit = pages.open(solve(parse_position("grundy(8)").graph(texts=True)))
    visit.page.evaluate("Graph.select(Game.labels.indexOf('1 + 7'))")
    visit.click("[data-key=play-here]")
    assert visit.components() == ["1", "7"]
    assert visit.page.locator("[data-component='1'] [data-move]").count() == 3


class TestLargeMisereNim:
    """Misère Nim with too many positions to play them out: Bouton's theorem says who wins."""

    @pytest.fixture
    def large(self, pages):
        return pages.open(**rules("nim(29,45,58)", misere=True))

    def test_it_judges_every_sum_by_the_theorem(self, large):
        heaps = [(29, 45, 58), (1, 1, 58), (29, 29), (1, 1, 1), (1, 1), (58,), (1,), (0, 0), (29, 45, 48), (30, 31, 1)]
        judge = "heaps => Game.judge(heaps.map(heap => Game.labels.indexOf(String(heap))), 'misere').outcome"
        for sizes in heaps:
            assert large.page.evaluate(judge, list(sizes)) == misere_nim_outcome(sizes)

    def test_it_opens_under_misere_play_and_says_why(self, large):
        assert large.page.locator("select[data-key=rules]").input_value() == "misere"
        assert large.text(".verdict") == "First player wins"
        large.click("#tab-play")
        large.click("[data-key=hints]")
        assert large.texts(".move.winning .label") == ["23", "39", "48"]
        large.click("[data-why] summary")
        assert "class S2" in large.text("[data-why]")

    def test_the_computer_wins_a_won_game(self, pages):
        large = pages.open(**rules("nim(29,45,58)", misere=True))
        large.click("#tab-play")
        large.select("starter", "computer")
        turn = 1
        while not large.page.locator(".status.lost, .status.won").count():
            large.wait_for_move(turn)
            assert misere_nim_outcome([int(heap) for heap in large.components()]) == "P"
            large.click("[data-move]")
            turn += 2
        assert large.text(".status") == "The computer wins."
