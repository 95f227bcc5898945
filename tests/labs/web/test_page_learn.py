"""The page in a browser: values step by step from the ends, the sum digit by digit, and puzzles."""

import networkx as nx
import pytest

from graphgame import parse_position, solve
from tests.page import PHONE, needs_chromium, rules

pytestmark = needs_chromium

KNOWN = ".vertex.P, .vertex.N, .vertex.D"


@pytest.fixture
def lesson(sample):
    sample.click("#tab-learn")
    return sample


def step(visit, name="One step forward", times=1):
    for _ in range(times):
        visit.click(f"[data-step='{name}']")


class TestValues:
    def test_positions_get_their_values_from_the_ends(self, lesson):
        assert lesson.page.locator(KNOWN).count() == 0
        assert "positions without a move come first" in lesson.text("[data-lesson]")
        step(lesson, times=3)
        assert lesson.page.locator(KNOWN).count() == 3
        assert lesson.text("[data-labelled] h3").split() in (f"N the value of {label} is 1".split() for label in "34")
        assert "It follows from 5 (0)" in lesson.texts("[data-labelled] p")
        assert lesson.text("[data-labelled] figcaption") == "mex {0} = 1"

    def test_each_step_follows_from_those_before(self, pages):
        visit = pages.open(**rules("kayles(5) + nim(4)"))
        visit.click("#tab-learn")
        early = visit.page.evaluate(
            """() => Game.labels.map((_, step) => {
                document.querySelector("[data-step='One step forward']").click();
                const vertices = [...document.querySelectorAll('.vertex.P, .vertex.N')];
                const known = new Set(vertices.map(v => Number(v.dataset.vertex)));
                const [now] = Learn.current();
                return known.size === step + 1 && known.has(now) && Game.parts(now).every(w => known.has(w));
            })"""
        )
        assert all(early)

    def test_a_layer_at_a_time(self, lesson):
        lesson.select("unit", "layer")
        step(lesson)
        assert sorted(lesson.texts("[data-labelled] h3 .label")) == ["5", "6"]
        step(lesson)
        assert sorted(lesson.texts("[data-labelled] h3 .label")) == ["3", "4"]
        assert lesson.page.locator(".vertex.now").count() == 2
        step(lesson, "One step back")
        assert lesson.page.locator(KNOWN).count() == 2

    def test_one_can_jump_and_let_it_play(self, lesson):
        lesson.page.locator("[data-key=step-jump]").fill("5")
        assert lesson.page.locator(KNOWN).count() == 5
        step(lesson, "To the beginning")
        assert lesson.page.locator(KNOWN).count() == 0
        step(lesson, "Play the steps")
        lesson.pass_time(1100)
        assert lesson.page.locator("p:has-text('Step 2 of 6')").count() == 1
        step(lesson, "Pause")
        assert lesson.page.locator("[data-step='Play the steps']").count() == 1
        step(lesson, "To the end")
        assert lesson.page.locator(KNOWN).count() == 6

    def test_cycles_are_left_out_and_counted(self, pages):
        edges = [("a", "b"), ("b", "a"), ("b", "end"), ("c", "end")]
        visit = pages.open(solve(nx.DiGraph(edges), loopy=True))
        visit.click("#tab-learn")
        step(visit, "To the end")
        assert visit.page.locator(KNOWN).count() == 2
        assert "2 more positions lead into cycles" in visit.text("[data-lesson]")

    def test_stepping_leaves_back_to_the_tabs(self, lesson):
        step(lesson, times=3)
        lesson.page.go_back()
        assert lesson.page.locator("#tab-explore[aria-selected=true]").count() == 1


class TestSum:
    def test_the_table_grows_digit_by_digit(self, nim):
        nim.click("#tab-learn")
        nim.click("[data-key=lesson-sum]")
        totals = []
        for _ in range(5):
            totals.append(nim.texts(".xor tfoot td"))
            step(nim) if len(totals) < 5 else None
        assert totals == [
            ["?", "·", "·", "·"],
            ["?", "·", "·", "0"],
            ["?", "·", "1", "0"],
            ["2", "0", "1", "0"],
            ["2", "0", "1", "0"],
        ]
        assert nim.texts(".told li")[1] == "Column of 2: 1 one, an odd number, so the nim-sum has a 1 here."
        assert "component 1: leave 3 xor 2 = 1, so take 2" in nim.text("[data-lesson]")

    def test_it_needs_a_sum_of_finite_values(self, pages):
        visit = pages.open(**rules("chomp(2x2)"))
        visit.click("#tab-learn")
        visit.click("[data-key=lesson-sum]")
        assert "two or more tokens" in visit.text("[data-lesson]")


class TestPuzzles:
    @pytest.fixture
    def puzzle(self, pages):
        def opened(text, hash_):
            made = rules(text)
            path_hash = f"#tab=learn&lesson=puzzle&{hash_}"
            visit = pages.open(**made)
            visit.page.evaluate("hash => { location.hash = hash; }", path_hash)
            visit.page.locator("[data-key=next-puzzle]").wait_for()
            return visit

        return opened

    @pytest.mark.parametrize("level", ["easy", "medium", "hard"])
    def test_there_is_exactly_one_winning_move(self, puzzle, level):
        visit = puzzle("nim(3,4,5)", f"level={level}")
        for _ in range(6):
            heaps = [int(label) for label in visit.texts("[data-puzzle] h3")]
            assert len(parse_position(f"nim({','.join(map(str, heaps))})").winning_moves()) == 1
            visit.click("[data-key=next-puzzle]")

    def test_the_number_decides_the_puzzle(self, puzzle):
        shown = [puzzle("nim(3,4,5)", f"seed={seed}").texts("[data-puzzle] h3") for seed in (7, 7, 8)]
        assert shown[0] == shown[1] != shown[2]

    def test_a_wrong_move_is_answered_and_the_right_one_explained(self, puzzle):
        visit = puzzle("chomp(3x4)", "level=hard")
        tried = 0
        for number in range(visit.page.locator("[data-try]").count()):
            visit.page.locator("[data-try]").nth(number).click()
            tried += 1
            if visit.page.locator(".status.won").count():
                break
            assert "is answered by" in visit.text(".status.lost")
        assert visit.text(".status") == "Right: that is the only winning move."
        assert visit.page.locator("[data-try].winning").count() == 1
        assert f"with {tried} " in visit.text("#body > .quiet")
        assert visit.page.locator("[data-why]").count() == 1

    def test_it_is_answered_on_the_board(self, puzzle):
        visit = puzzle("chomp(3x4)", "level=hard&seed=3")
        free = visit.page.locator("[data-spot][role=button]")
        squares = free.count()
        while not visit.page.locator(".status.won").count():
            free.nth(squares - 1).click()
            squares -= 1
        assert (free.count(), visit.page.locator(".last").count() > 0) == (0, True)
        visit.click("[data-key=next-puzzle]")
        assert visit.text(".status") == "Find the only winning move."
        assert free.count() > 1

    def test_values_are_hidden_until_it_is_solved(self, puzzle):
        assert puzzle("nim(3,4,5)", "seed=2").page.locator(KNOWN).count() == 0

    def test_a_game_without_puzzles_says_so(self, puzzle):
        assert "no position with exactly one" in puzzle("nim(1)", "seed=1").text(".status")


def test_lessons_on_a_phone_in_chinese(pages, nim_file):
    visit = pages.open_file(nim_file, {**PHONE, "locale": "zh-CN"}, hash_="#tab=learn")
    visit.page.tap("[data-step='前进一步']")
    assert "没有后继" in visit.text("[data-lesson]") or "P" in visit.text("[data-labelled]")
    for name in ("sum", "puzzle", "values"):
        visit.page.tap(f"[data-key=lesson-{name}]")
        assert visit.page.evaluate("document.documentElement.scrollWidth") == 390
