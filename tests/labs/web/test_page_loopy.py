"""The page of a graph with cycles: infinite values, draws, and matches that need not end."""

import random

import networkx as nx
import pytest

from graphgame import Loopy, parse_position, solve
from graphgame.labs.web.page import boards as layout
from graphgame.labs.web.page.document import page_data
from tests.helpers import game
from tests.page import needs_chromium

EDGES = ["ab", "ba", ("b", "end"), "cc", "dc", ("d", "end"), "ea"]


@pytest.fixture
def solution():
    return solve(nx.DiGraph(EDGES), tokens=["d", "b"], loopy=True)


def crowd(seed=5, count=60):
    """Return random digraphs of up to six vertices, side by side."""
    rng, options = random.Random(seed), {}
    for _ in range(count):
        n, base, density = rng.randint(2, 6), len(options), rng.uniform(0.2, 0.7)
        ends = {v: [w for w in range(n) if rng.random() < density] for v in range(n)}
        options |= {base + v: [base + w for w in ends[v]] for v in ends}
    return game(options)


def reasons(visit):
    """Return what the page says of moves that are undone, or not."""
    visit.click("[data-position] .why:not([open]) summary")
    return [line for line in visit.texts("[data-position] .why p") if "undone" in line or "no move leads" in line]


class TestData:
    def test_values(self, solution):
        data = page_data(solution)
        known = dict(zip(data["labels"], data["plays"]["normal"]["values"], strict=True))
        assert known == {"a": 0, "b": 1, "end": 0, "c": [], "d": [0], "e": 1}
        lengths = dict(zip(data["labels"], data["plays"]["normal"]["remoteness"], strict=True))
        assert lengths == {"a": 2, "b": 1, "end": 0, "c": None, "d": 1, "e": 3}

    def test_the_sum_of_the_tokens(self, solution):
        product = page_data(solution)["product"]
        place = product["sums"].index(sorted(solution.graph.number_of(token) for token in solution.tokens))
        assert product["plays"]["normal"]["values"][place] == [1]

    def test_a_part_without_a_cycle(self, solution):
        data = page_data(solve(solution.graph, tokens=["end"], loopy=True), reachable_from=["end"])
        assert data["plays"]["normal"] == {"values": [0], "remoteness": [0]}

    def test_an_infinite_value_fits_into_its_vertex(self, solution):
        assert page_data(solution)["width"] == layout.box_size(["N inf(0)"])[0]

    def test_the_hand_of_a_clock_is_no_heap(self):
        position = parse_position("wind-up{5:1,3}(4)")
        assert page_data(solve(position, loopy=True), position=position)["heaps"] is None

    def test_a_sum_that_leads_into_a_cycle(self):
        graph = game({0: [], 1: [0], 2: [3, 0], 3: [3], 4: [2, 1], 5: [4]}, sums={4}, tokens=[5])
        data = page_data(solve(graph, loopy=True))
        assert data["plays"]["normal"]["values"] == [0, 1, [0], [], [1], []]


@needs_chromium
class TestSeen:
    @pytest.fixture
    def visit(self, pages, solution):
        return pages.open(solution)

    def test_who_wins(self, visit):
        assert visit.text(".verdict") == "A draw: neither player can force a win"
        visit.select("language", "zh")
        assert visit.text(".verdict") == "和局：双方都无法必胜"

    def test_a_draw_has_letter_shape_and_value(self, visit):
        assert visit.page.locator(visit.vertex("c")).get_attribute("aria-label") == "c: D inf()"
        assert visit.page.locator(f"{visit.vertex('c')} polygon.outline").count() == 1
        assert visit.page.locator(f"{visit.vertex('d')} rect.outline").count() == 1

    def test_the_counts(self, pages, solution):
        assert pages.open(solve(solution.graph, loopy=True)).text(".verdict") == "6 positions, 2 P, 3 N and 1 D"

    def test_moves_that_keep_the_draw_stand_out(self, visit):
        held = visit.page.locator("[data-edge].hold").evaluate_all("all => all.map(edge => edge.dataset.edge)")
        assert held == [f"{visit.number('d')} {visit.number('c')}"]
        visit.click(".legend summary")
        assert "move that keeps a draw" in visit.text(".legend")

    @pytest.mark.parametrize(
        ("position", "kinds", "told"),
        [
            ("a", ["gap", "seen"], ["the move to b is undone by the move to end, which makes the value 0 again"]),
            ("b", ["seen", "gap"], []),
            ("c", ["open"], ["the move to c cannot be undone by a move to value 0, so the value is infinite"]),
            ("d", ["seen", "open"], ["the move to c cannot be undone by a move to value 1, so the value is infinite"]),
        ],
    )
    def test_why_a_value_is_finite_or_not(self, visit, position, kinds, told):
        visit.choose(position)
        cells = visit.page.locator(".strip [data-cell]").evaluate_all("all => all.map(c => c.className)")
        assert cells == kinds
        assert reasons(visit) == told

    def test_facts(self, visit):
        visit.choose("c")
        assert visit.texts("dl dd") == ["inf()", "no end", "no end"]
        assert visit.text(".outcome") == "D\na draw: neither player can force a win"

    def test_the_sum_follows_smiths_rule(self, visit):
        rows = [row.split() for row in visit.texts("[data-sum] tr")]
        assert rows == [["d", "inf(0)"], ["b", "1"], ["nim-sum", "inf(1)"]]

    def test_filter_by_value(self, visit):
        assert visit.texts(".chip") == ["all", "02", "12", "inf()1", "inf(0)1"]
        visit.click("[data-value='inf(0)']")
        assert visit.texts("[data-list=found] .label") == ["d"]
        assert visit.page.locator(".vertex.faded").count() == 5

    def test_a_sum_that_leads_into_a_cycle(self, pages):
        graph = game({0: [], 1: [0], 2: [3, 0], 3: [2, 0], 4: [3, 1], 5: [4, 0], 6: [6]}, sums={4}, tokens=[5])
        visit = pages.open(solve(graph, loopy=True))
        assert reasons(visit) == ["the move to 4 is undone by 3 -> 0, which makes the value 1 again"]
        visit.choose("4")
        assert [row.split() for row in visit.texts(".xor tr")] == [["1", "1"], ["3", "inf(0)"], ["nim-sum", "inf(1)"]]

    def test_the_page_lays_out_cycles_itself(self, pages, solution, monkeypatch):
        monkeypatch.setattr(layout, "graphviz_command", lambda: None)
        visit = pages.open(solution)
        paths = visit.page.locator("[data-edge]").evaluate_all("all => all.map(edge => edge.getAttribute('d'))")
        assert len(paths) == len(EDGES)
        assert not any("NaN" in path or "undefined" in path for path in paths)


@needs_chromium
class TestPlayed:
    def test_a_position_that_comes_up_three_times_is_a_draw(self, pages):
        visit = pages.open(solve(nx.DiGraph(["ab", "ba"]), tokens=["a"], loopy=True))
        visit.click("#tab-play")
        visit.click("[data-key=hints]")
        assert visit.text(".status").endswith("Nobody can force a win: = marks the moves that keep the draw.")
        assert visit.texts(".move.holding .star") == ["="]
        for turn in (2, 4):
            visit.click("[data-move]")
            visit.wait_for_move(turn)
        assert visit.text(".status.drawn") == "The position has come up three times: a draw."
        assert visit.page.locator("[data-move]").count() == 0
        visit.click("[data-key=undo]")
        assert visit.page.locator("[data-move]").count() == 1


PLAYED = """([starts, trials]) => starts.flatMap(([start, play]) => Array.from({ length: trials }, () => {
    let components = start, moves = 0;
    const seen = new Map();
    for (let mover = 0; ; mover = 1 - mover) {
        const all = Game.movesOf(components);
        if (!all.length) return { winner: (play === "normal") === (mover === 1) ? "computer" : "other", moves };
        const key = Game.key(components);
        seen.set(key, (seen.get(key) || 0) + 1);
        if (seen.get(key) === 3) return { winner: "nobody", moves };
        components = Game.after(components, mover ? Game.anyOf(all) : Game.bestMove(components, play));
        moves += 1;
    }
}))"""
"""Matches of the computer, which begins, against moves by chance."""


@pytest.fixture(scope="module")
def solved():
    return {play: solve(crowd(), misere=play == "misere", loopy=True) for play in ("normal", "misere")}


@needs_chromium
class TestKnowledge:
    def test_values_of_sums(self, pages, solved):
        graph, grundy = solved["normal"].graph, solved["normal"].grundy
        rng = random.Random(1)
        sums = [[rng.randrange(len(graph)) for _ in range(rng.randint(1, 3))] for _ in range(500)]
        known = pages.open(solved["normal"]).page.evaluate("sums => sums.map(s => Game.judge(s, 'normal').value)", sums)
        for parts, value in zip(sums, known, strict=True):
            total = 0
            for part in parts:
                total ^= grundy[part]
            assert (Loopy(value) if isinstance(value, list) else value) == total

    def test_single_positions_are_played_perfectly(self, pages, solved):
        trials = 3
        starts = [(v, play) for play in solved for v in solved[play].graph]
        played = pages.open(solved["normal"]).page.evaluate(PLAYED, [[[[v], play] for v, play in starts], trials])
        for (v, play), *matches in zip(starts, *(played[i::trials] for i in range(trials)), strict=True):
            outcome, length = solved[play].outcome[v], solved[play].remoteness[v]
            for match in matches:
                assert outcome != "N" or (match["winner"] == "computer" and match["moves"] <= length)
                assert outcome != "D" or match["winner"] != "other"

    def test_sums_are_won_by_values_alone(self, pages, solved):
        """Nothing is played out in advance: the page knows the values and their counters."""
        graph, grundy, rng = solved["normal"].graph, solved["normal"].grundy, random.Random(2)
        pairs = [[rng.randrange(len(graph)) for _ in range(2)] for _ in range(300)]
        played = pages.open(solved["normal"]).page.evaluate(PLAYED, [[[pair, "normal"] for pair in pairs], 1])
        expected = {"won": 0, "drawn": 0}
        for (a, b), match in zip(pairs, played, strict=True):
            total = grundy[a] ^ grundy[b]
            if isinstance(total, Loopy) and total.outcome == "D":
                expected["drawn"] += 1
                assert match["winner"] != "other"
            elif total != 0:
                expected["won"] += 1
                assert match["winner"] == "computer"
        assert min(expected.values()) > 20
