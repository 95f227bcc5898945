"""Search: outcomes and values of single positions, without their whole graphs."""

from functools import reduce
from itertools import islice
from operator import xor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import Position, Ruleset, Search, Sum, explore, parse_position, solve
from graphgame.errors import CycleError, LimitError, RulesetError
from graphgame.games import CATALOGUE, ruleset
from graphgame.labs.search import nimber_search
from graphgame.labs.search.nimber_search import Budget, Solver
from graphgame.labs.search.proof_numbers import ProofNumberSolver
from graphgame.rules.component_graphs import GraphRuleset
from graphgame.rules.position import Component
from tests.helpers import game
from tests.notations import graph_value, table
from tests.strategies import dags_with_sums


class Line(Ruleset):
    """One move from each heap, to the next smaller one; as long a game as one likes."""

    def options(self, heap):
        return [heap - 1] if heap else []


class Circle(Ruleset):
    def options(self, place):
        return [(place + 1) % 3]


class Heap(Ruleset):
    def options(self, heap):
        return range(heap)


class Failing(Ruleset):
    def options(self, heap):
        return [heap - 1, [heap - 2]] if heap else []


class Endless(Ruleset):
    def options(self, heap):
        yield from range(heap)
        while True:
            yield 0


def of(rules, *positions):
    return Position([Component(type(rules).__name__, rules, position) for position in positions])


def solver_of(rules, kind=Solver):
    return kind("game", rules, Budget(100_000))


def values_of(rules, *starts):
    return {p: value for p, value in solve(explore(rules, *starts)).grundy.items() if type(p) is not Sum}


def check_facts(solver, values):
    """Check all that a search knows against the values from the whole graph."""
    for position, fact in solver.facts.items():
        value = values[position]
        assert fact == value if fact >= 0 else not ~fact >> value & 1


boards = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.text("...#", min_size=width, max_size=width), min_size=1, max_size=3 if width < 5 else 2)
)
bars = st.lists(st.integers(1, 5), min_size=1, max_size=4).map(lambda rows: sorted(rows, reverse=True))
cells = st.sets(st.tuples(st.integers(1, 3), st.integers(1, 4)), min_size=1)
positions = st.one_of(
    boards.map(lambda rows: f"cram({'/'.join(rows)})"),
    bars.map(lambda rows: f"chomp({','.join(map(str, rows))})"),
    cells.map(lambda found: f"node-kayles(grid:3x4@{','.join(f'{r}.{c}' for r, c in found)})"),
    cells.map(lambda found: f"arc-kayles(grid:3x4@{','.join(f'{r}.{c}' for r, c in found)})"),
    st.sampled_from(["0.0!", "0.0.0!", "0.1a1a!", "0.0.ab/ab!", "11.2.ab/0.ab!", "222.1!"]).map("sprouts({})".format),
    st.integers(0, 9).map("kayles({})".format),
    st.integers(0, 9).map("nim({})".format),
)


class TestAgainstTheGraph:
    @given(st.lists(positions, min_size=1, max_size=2))
    @settings(max_examples=20, deadline=None)
    def test_sums_of_games(self, texts):
        value = reduce(xor, map(graph_value, texts))
        position = parse_position(" + ".join(texts))
        assert Search(position).grundy == value
        assert Search(position).outcome == ("N" if value else "P")

    @given(dags_with_sums(), st.data())
    @settings(max_examples=60, deadline=None)
    def test_any_graph(self, drawn, data):
        options, sums = drawn
        graph = game(options, sums)
        starts = sorted(set(options) - sums)
        tokens = data.draw(st.lists(st.sampled_from(starts), max_size=3) if starts else st.just([]))
        grundy = solve(graph).grundy
        assert Search(of(GraphRuleset(graph), *tokens)).grundy == reduce(xor, (grundy[t] for t in tokens), 0)

    @given(dags_with_sums(), st.data(), st.sampled_from([Solver, ProofNumberSolver]))
    @settings(max_examples=100, deadline=None)
    def test_couples_in_any_order(self, drawn, data, kind):
        options, sums = drawn
        graph = game(options, sums)
        grundy = solve(graph).grundy
        solver = solver_of(GraphRuleset(graph), kind)
        couples = st.tuples(st.sampled_from(sorted(set(options) - sums) or [None]), st.integers(0, 5))
        for position, nimber in data.draw(st.lists(couples, max_size=8)):
            if position is not None:
                assert solver.has_value([position], nimber) == (grundy[position] == nimber)
        tokens = data.draw(st.lists(st.sampled_from(sorted(set(options) - sums) or [None]), max_size=3))
        if None not in tokens:
            total = reduce(xor, (grundy[token] for token in tokens), 0)
            nimber = data.draw(st.integers(0, 5))
            assert (solver.has_value(tokens, nimber), solver.value(tokens)) == (nimber == total, total)
        check_facts(solver, grundy)

    @pytest.mark.parametrize("name", [name for name in CATALOGUE if not CATALOGUE[name].load().loopy])
    def test_catalogue(self, name):
        position = parse_position(CATALOGUE[name].example)
        search = Search(position)
        value = search.grundy
        assert value == position.grundy
        assert search.outcome == ("N" if value else "P")

    def test_symmetries_of_any_graph(self):
        edges = (f"{i}-{(i + 1) % 13},{i}-v{i},v{i}-v{(i + 2) % 13}" for i in range(13))
        search = Search(parse_position(f"node-kayles(edges:{','.join(edges)})"))
        assert (search.grundy, search.visited < 100) == (1, True)

    @pytest.mark.parametrize(("text", "share"), [("cram(4x5)", 0.4), ("node-kayles(grid:5x5)", 0.3)])
    def test_visits_a_small_share_of_the_graph(self, text, share):
        search = Search(parse_position(text))
        assert search.grundy == graph_value(text)
        assert 0 < search.visited < share * len(parse_position(text).graph())

    @pytest.mark.parametrize("plain", [0, 30, 10_000])
    def test_facts_by_proof_numbers(self, plain, monkeypatch):
        """Compiled loops take over from plain ones in the middle, and all that they write down is so."""
        monkeypatch.setattr("graphgame.labs.search.proof_numbers._PLAIN_POSITIONS", plain)
        rules = ruleset("sprouts")
        solver = solver_of(rules, ProofNumberSolver)
        assert [solver.value([rules.parse(spots)]) for spots in "1234"] == [0, 0, 1, 1]
        check_facts(solver, values_of(rules, rules.parse("4")))
        assert solver.has_value([rules.parse("4"), rules.parse("3")], 0)
        assert solver.has_value([rules.parse("4")], 100) is False

    @pytest.mark.parametrize("kind", [Solver, ProofNumberSolver])
    def test_large_values(self, kind):
        solver = solver_of(ruleset("nim"), kind)
        assert solver.has_value([200], 200)
        assert solver.value([200, 90]) == 200 ^ 90
        plain = solver_of(Heap(), kind)
        assert [plain.value([size]) for size in (1, 61, 70)] == [1, 61, 70]

    def test_equal_components_cancel(self):
        search = Search(parse_position("cram(7x9) + cram(9x7)"))
        assert (search.outcome, search.visited) == ("P", 0)

    def test_nothing(self):
        assert (Search(Position([])).outcome, Search(Position([])).grundy) == ("P", 0)


class Wide(Ruleset):
    """From the highest position to any other at once, and there is no move from those."""

    by_proof_numbers = True

    def options(self, number):
        return range(number) if number == 3000 else []


def test_proof_numbers_take_in_many_options_at_once():
    assert Search(of(Wide(), 3000)).outcome == "N"


class TestPublished:
    @pytest.mark.parametrize("size", ["3x3", "3x4", "3x5", "3x6", "3x7", "4x4", "4x5", "5x5"])
    def test_cram(self, size):
        assert (
            Search(parse_position(f"cram({size})")).grundy == table("cram")["empty boards (normal)"]["expected"][size]
        )

    @pytest.mark.parametrize("spots", range(13))
    def test_sprouts(self, spots):
        assert Search(parse_position(f"sprouts({spots})")).outcome == ("P" if spots % 6 < 3 else "N")

    @pytest.mark.parametrize(("game", "graph"), [("2 x n grid", "grid:2x{}"), ("4 x n grid", "grid:4x{}")])
    def test_node_kayles_on_grids(self, game, graph):
        values = table("node-kayles")[game]["expected"]
        found = [Search(parse_position(f"node-kayles({graph.format(n)})")).grundy for n in range(1, len(values) + 1)]
        assert found == values

    def test_queens(self):
        values = table("node-kayles")["n-queens graph"]["expected"]
        assert [Search(parse_position(f"node-kayles(queens:{n})")).grundy for n in range(1, 8)] == values[1:8]

    def test_chomp(self):
        record = table("chomp")["P-positions with at most 3 rows inside 3 x n"]
        rows = [(a, b, c) for a in range(1, 9) for b in range(a + 1) for c in range(b + 1)]
        texts = [",".join(map(str, filter(None, row))) for row in rows]
        outcomes = [Search(parse_position(f"chomp({text})")).outcome for text in texts]
        lost = [row[0] for row, outcome in zip(rows, outcomes, strict=True) if outcome == "P"]
        assert [sum(first <= n for first in lost) for n in range(9)] == record["expected"]["counts"][:9]


class TestLimits:
    def test_table(self):
        with pytest.raises(LimitError, match="a table of more than 50 positions") as caught:
            _ = Search(parse_position("cram(4x5)"), max_positions=50).grundy
        assert caught.value.limit == "max_positions"

    def test_time(self):
        with pytest.raises(LimitError, match=r"within 0\.01 s") as caught:
            _ = Search(parse_position("cram(9x9)"), timeout=0.01).grundy
        assert caught.value.limit == "timeout"

    @pytest.mark.parametrize("options", [{"max_positions": 0}, {"timeout": 0}, {"timeout": float("nan")}])
    def test_bad_limits(self, options):
        with pytest.raises(ValueError, match="invalid"):
            Search(parse_position("nim(1)"), **options)

    def test_a_position_with_too_many_options(self, monkeypatch):
        monkeypatch.setattr(nimber_search, "MAX_TRIED", 100)
        with pytest.raises(LimitError, match="more than 100 options, too many to try each one"):
            _ = Search(of(Endless(), 3)).grundy

    def test_options_that_lose_at_once_count_as_options(self, monkeypatch):
        class ManyDecided(Ruleset):
            def options(self, position):
                return [-1, *range(1, 101), -2] if position == 0 else [1] if position == -2 else []

            def decided(self, position):
                return "N" if position == -1 else None

        monkeypatch.setattr(nimber_search, "MAX_TRIED", 100)
        with pytest.raises(LimitError, match="more than 100 options"):
            _ = Search(of(ManyDecided(), 0)).grundy

    @pytest.mark.parametrize("images", [1, 50])
    def test_little_to_remember_with(self, images, monkeypatch):
        monkeypatch.setattr("graphgame.rules.exploration._MOST_CACHED", images)
        monkeypatch.setattr(nimber_search, "_BYTES_OF_CACHED_OPTION", nimber_search.MEMORY // (2 * images))
        assert Search(parse_position("cram(3x5)")).grundy == 1
        assert Search(parse_position("sprouts(3)")).grundy == 1

    def test_length_of_play_is_no_limit(self):
        assert Search(of(Line(), 10_001)).grundy == 1

    @pytest.mark.parametrize("misere", [False, True])
    def test_memory(self, misere, monkeypatch):
        position = parse_position("sprouts(3)").under(misere)
        sizes = iter(range(0, 10**9, 10**6))
        monkeypatch.setattr(nimber_search, "_peak_memory", lambda: next(sizes))
        found = Search(position, memory=500_000)
        with pytest.raises(LimitError, match=r"no answer within 500,000 bytes of memory; .* visited") as caught:
            _ = found.outcome
        assert caught.value.limit == "memory"
        found._budget.memory = 10**9
        assert found.outcome == position.outcome


class TestInterrupts:
    @pytest.mark.parametrize("kind", [Solver, ProofNumberSolver])
    @pytest.mark.parametrize("after", [1, 2, 5, 11])
    def test_goes_on_from_what_is_proved(self, after, kind):
        """An interrupt in the middle leaves true facts; the next call needs no more than what was left to do."""
        calls = iter(range(after))

        def interrupt(visited, depth):
            if next(calls, None) is None:
                raise KeyboardInterrupt

        rules = ruleset("cram")
        start = rules.parse("4x5")
        budget = Budget(10_000, progress=interrupt)
        solver = kind("cram", rules, budget)
        with pytest.raises(KeyboardInterrupt):
            solver.value([start])
        check_facts(solver, values_of_cram())
        calls = iter(range(10_000))
        before = budget.visited
        assert solver.value([start]) == 2
        assert 0 < before < budget.visited < 1.7 * visited_by_cram()
        check_facts(solver, values_of_cram())

    def test_a_position_whose_outcome_a_theorem_gives_is_not_visited(self):
        budget = Budget(10)
        solver = Solver("take-away", ruleset("take-away", "a <= 2k"), budget)
        assert (solver.has_value([(13, 0)], 0), budget.visited, budget.kept) == (True, 0, 1)

    def test_progress(self):
        seen = []
        _ = Search(parse_position("cram(5x6)"), progress=lambda *told: seen.append(told)).grundy
        assert len(seen) > 5
        assert [visited for visited, _ in seen] == sorted(visited for visited, _ in seen)
        assert max(depth for _, depth in seen) > 3


_CRAM = {}


def values_of_cram():
    if "values" not in _CRAM:
        _CRAM["values"] = values_of(ruleset("cram"), "...../...../...../.....")
    return _CRAM["values"]


def visited_by_cram():
    if "visited" not in _CRAM:
        search = Search(parse_position("cram(4x5)"))
        _ = search.grundy
        _CRAM["visited"] = search.visited
    return _CRAM["visited"]


class TestBadRules:
    def test_a_cycle(self):
        with pytest.raises(CycleError) as caught:
            _ = Search(of(Circle(), 0)).outcome
        with pytest.raises(CycleError):
            solver_of(Circle(), ProofNumberSolver).has_value([0], 0)
        assert sorted(caught.value.cycle) == [0, 1, 2]

    def test_a_game_that_says_it_has_cycles(self):
        with pytest.raises(RulesetError, match="wind-up may repeat a position"):
            Search(parse_position("wind-up{5:1,3}(4)"))

    def test_an_option_that_is_not_hashable(self):
        with pytest.raises(RulesetError, match=r"TypeError: unhashable .*, at position 3"):
            _ = Search(of(Failing(), 3)).grundy


@pytest.mark.parametrize("text", ["cram(3x4)", "node-kayles(grid:3x4)", "chomp(4,4,2)"])
def test_mobility_is_the_number_of_moves(text):
    position = parse_position(text).components[0]
    rules = position.ruleset
    for label in islice(values_of(rules, position.position), 200):
        assert rules.mobility(label) == len(list(rules.options(label)))


def test_mobility_is_0_unless_the_rules_tell():
    assert Line().mobility(5) == 0
