"""Rules into graphs."""

import gc
import itertools
import sys

import pytest

from graphgame import explore, solve
from graphgame.errors import LimitError, RulesetError
from graphgame.rules import exploration
from graphgame.rules.ruleset import Ruleset, Sum
from tests import brute


class TakeUpToThree(Ruleset):
    start = 10

    def options(self, heap):
        return range(max(0, heap - 3), heap)


class Kayles(Ruleset):
    def options(self, row):
        for hit in (1, 2):
            for left in range(row - hit + 1):
                yield Sum([left, row - hit - left])


class TwoHeaps(Ruleset):
    """Nim of two heaps, in either order."""

    def options(self, heaps):
        for place in (0, 1):
            for rest in range(heaps[place]):
                yield tuple(rest if i == place else heap for i, heap in enumerate(heaps))

    def canonical(self, heaps):
        return tuple(sorted(heaps))


class Rows(Ruleset):
    """A game given as a table."""

    def __init__(self, table):
        self.table = table

    def options(self, position):
        return self.table[position]


class TestExplore:
    def test_all_positions_from_the_start(self):
        graph = explore(TakeUpToThree())
        assert set(graph) == set(range(11))
        assert graph.tokens == (10,)
        assert dict(solve(graph).grundy) == {n: n % 4 for n in range(11)}

    def test_only_what_can_come_up(self):
        assert set(explore(Rows({"a": "b", "b": "", "c": "a"}), "a")) == {"a", "b"}

    def test_several_starts_are_the_tokens_of_a_sum(self):
        graph = explore(TakeUpToThree(), 3, 5)
        assert graph.tokens == (3, 5)
        assert solve(graph).nim_sum == 3 ^ 1

    def test_a_start_that_is_a_sum(self):
        assert explore(Kayles(), Sum([3, 4])).tokens == (3, 4)

    def test_splitting_moves_become_sum_vertices(self):
        graph = explore(Kayles(), 20)
        table = {n: [Sum([a, n - hit - a]) for hit in (1, 2) for a in range(n - hit + 1)] for n in range(21)}
        sums = {part for row in table.values() for part in row}
        expected = brute.grundy_values({**table, **{part: list(part) for part in sums}}, sums)
        assert {n: solve(graph).grundy[n] for n in range(21)} == {n: expected[n] for n in range(21)}

    def test_equal_parts_stay_for_misere_play(self):
        graph = explore(Kayles(), 3)
        assert graph[Sum((1, 1))][1] == {"multiplicity": 2}

    def test_a_sum_of_one_part_is_the_part(self):
        graph = explore(Rows({"a": [Sum(["b"]), Sum([])], "b": []}), "a")
        assert set(graph["a"]) == {"b", Sum([])}
        assert solve(graph).grundy["a"] == 1

    def test_symmetry(self):
        graph = explore(TwoHeaps(), (3, 2))
        assert graph.tokens == ((2, 3),)
        assert all(a <= b for a, b in graph)
        assert dict(solve(graph).grundy) == {(a, b): a ^ b for a, b in graph}

    def test_deep_games_need_no_recursion(self):
        assert solve(explore(TakeUpToThree(), 50_000)).grundy[50_000] == 0

    def test_progress(self):
        seen = []
        explore(TakeUpToThree(), 40_000, progress=lambda positions, moves: seen.append((positions, moves)))
        assert seen == sorted(seen)
        assert len(seen) == 40

    def test_symmetry_that_is_forgotten(self, monkeypatch):
        expected = set(explore(TwoHeaps(), (9, 9)).edges)
        monkeypatch.setattr(exploration, "_MOST_CACHED", 5)
        assert set(explore(TwoHeaps(), (9, 9)).edges) == expected

    def test_garbage_is_collected_as_before(self):
        before = gc.get_threshold()
        explore(TakeUpToThree())
        with pytest.raises(LimitError):
            explore(TakeUpToThree(), max_positions=3)
        assert gc.get_threshold() == before


class TestRefusals:
    @pytest.mark.parametrize(("rules", "message"), [(Kayles, r"write Kayles\(\)"), (lambda heap: [], r"\bRuleset\b")])
    def test_no_ruleset(self, rules, message):
        with pytest.raises(RulesetError, match=message):
            explore(rules, 5)

    def test_no_start(self):
        with pytest.raises(RulesetError, match="Kayles"):
            explore(Kayles())

    def test_positions_limit_says_how_far_it_got(self):
        with pytest.raises(LimitError, match="max_positions=5"):
            explore(TakeUpToThree(), max_positions=5)

    def test_more_starts_than_positions(self):
        with pytest.raises(LimitError, match="3 positions and 0 moves"):
            explore(Rows({"a": "", "b": "", "c": ""}), "a", "b", "c", max_positions=2)

    def test_endless_options_of_one_position(self):
        class Endless(Ruleset):
            def options(self, position):
                while True:
                    yield position - 1

        with pytest.raises(LimitError, match="max_moves=1000"):
            explore(Endless(), 5, max_moves=1000)

    def test_endless_new_options_of_one_position(self):
        class Endless(Ruleset):
            def options(self, position):
                return itertools.count(position + 1)

        with pytest.raises(LimitError, match=r"1,025 positions and 1,024 moves .*\b5 .* 1,024"):
            explore(Endless(), 5, max_positions=1000)

    def test_rules_that_exit_are_blamed(self):
        with pytest.raises(RulesetError, match="SystemExit: 2, at position 10"):
            explore(type("Exits", (TakeUpToThree,), {"options": lambda self, heap: sys.exit(2)})())

    @pytest.mark.parametrize(("least", "allowed"), [(10, 50), (1000, 1000)])
    def test_moves_that_are_allowed_where_nothing_is_said(self, monkeypatch, least, allowed):
        monkeypatch.setattr(exploration, "MAX_MOVES", least)
        with pytest.raises(LimitError, match=f"max_positions=5 and max_moves={allowed}$"):
            explore(TakeUpToThree(), max_positions=5)

    @pytest.mark.parametrize(
        ("options", "play"),
        [
            (lambda place: [place - 1, place - 2], list(range(5, -2996, -1))),
            (lambda place: [place + 1] if place % 2 else [place - 1, place + 3], [5, 6, 5]),
            (lambda place: [Sum([place + 1, 0])] if place else [], list(range(5, 3006))),
            (lambda place: [2 * place, 2 * place + 1] if place < 10**9 else [], None),
            (lambda place: [2 * place, 2 * place + 1] if place < 10**9 else 1 / 0, None),
            (lambda place: range(place + 1, 10**7), None),
        ],
        ids=["away", "back", "sums", "large", "failing", "wide"],
    )
    def test_a_play_that_is_not_seen_to_end_is_shown(self, options, play):
        rules = type("Rules", (Ruleset,), {"options": lambda self, place: options(place)})()
        with pytest.raises(LimitError) as caught:
            explore(rules, 5, max_positions=8000)
        assert caught.value.play == play
        assert caught.value.limit == (None if play else "max_positions")
        assert ("graphgame check" in str(caught.value)) == (play is not None)

    def test_endless_positions(self):
        class Growing(Ruleset):
            def options(self, position):
                return [position + 1]

        with pytest.raises(LimitError, match="max_positions=1000"):
            explore(Growing(), 0, max_positions=1000)

    @pytest.mark.parametrize("options", [[[1]], [Sum([[1]])]])
    def test_unhashable(self, options):
        with pytest.raises(RulesetError, match="hashable"):
            explore(Rows({0: options}), 0)

    def test_unhashable_start(self):
        with pytest.raises(RulesetError, match="a list is not a position"):
            explore(Kayles(), [1])

    @pytest.mark.parametrize(
        "body", [lambda heap: 1 // (heap - 8), lambda heap: None, lambda heap: [heap - 1, *{}["x"]]]
    )
    def test_rules_that_fail_are_blamed(self, body):
        class Fails(TakeUpToThree):
            def options(self, heap):
                return super().options(heap) if heap > 8 else body(8)

        with pytest.raises(
            RulesetError,
            match=r"test_ruleset.py:\d+ in \w+: (ZeroDivision|Type|Key)Error: .*, at position [78], an option of \d",
        ):
            explore(Fails())

    def test_a_symmetry_that_fails_is_blamed(self):
        with pytest.raises(RulesetError, match=r"test_ruleset.py:\d+ in canonical: TypeError: .*, at the start"):
            explore(TwoHeaps(), 5)

    def test_bad_limit(self):
        with pytest.raises(ValueError, match=r"max_positions\b.*\b0\b"):
            explore(TakeUpToThree(), max_positions=0)


@pytest.mark.parametrize(
    ("text", "position"), [("7", 7), ("3,4,5", (3, 4, 5)), (" 3, -4 ", (3, -4)), ("--3", "--3"), ("a,1", "a,1")]
)
def test_default_notation(text, position):
    rules = TakeUpToThree()
    assert rules.parse(text) == position
    assert rules.parse(rules.format(position)) == position


@pytest.mark.parametrize("count", [0, 1, 1023, 1024, 1025, 2048])
@pytest.mark.parametrize("kind", [list, tuple, iter, lambda options: (option for option in options)])
def test_options_of_any_number_and_kind(kind, count):
    class Many(Ruleset):
        start = "all"

        def options(self, position):
            return kind(range(count) if position == "all" else ())

    assert explore(Many(), max_moves=count or 1).number_of_edges() == count
    if count > 1:
        with pytest.raises(LimitError, match=f"and {count:,} moves"):
            explore(Many(), max_moves=count - 1)
