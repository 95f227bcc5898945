"""Rules whose positions are codes are explored by arrays; what they give is checked."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import CodedRuleset, Sum, check, explore, solve
from graphgame.errors import LimitError, RulesetError
from graphgame.games.cutting import Cutting
from graphgame.labs.tables.wythoff import Wythoff
from graphgame.rules.exploration import Exploration, Limits
from tests.core.rules.test_ruleset import Kayles, TakeUpToThree
from tests.labs.bitboards.coded_cutting import CodedCutting


class CodedKayles(CodedRuleset):
    """Kayles, the position a code: knock down one pin of a row, or two next to each other, and leave two rows."""

    size = 100

    def options(self, position):
        for taken in (1, 2):
            for left in range((position - taken) // 2 + 1):
                yield Sum([left, position - taken - left])

    def option_codes(self, codes):
        found = [(row, *parts) for row, code in enumerate(codes.tolist()) for parts in self.options(code)]
        rows, *parts = np.array(found, np.int64).reshape(-1, 3).T
        return rows, np.stack(parts, axis=1)

    def ranks(self, codes):
        return codes


class CodedTakeUpToThree(CodedRuleset):
    """Take 1, 2 or 3 from a heap, the position a code."""

    size = 11
    start = 10

    def option_codes(self, codes):
        ends = codes[:, None] - np.arange(1, 4)
        rows = np.broadcast_to(np.arange(len(codes))[:, None], ends.shape)
        return rows[ends >= 0], ends[ends >= 0]


class OneRowFirst(CodedRuleset):
    size = 100

    def option_codes(self, codes):
        moves = [
            (row, left, code - hit - left)
            for row, code in enumerate(codes.tolist())
            for hit in (1, 2)
            for left in range((code - hit) // 2 + 1)
        ]
        rows, *ends = np.array(moves, int).reshape(-1, 3).T
        first, second = ends
        return rows, np.stack([second, np.where(first, first, -1)], axis=1)


class CountUp(CodedRuleset):
    """Add 1, up to 999. The position is a code."""

    size = 1000

    def option_codes(self, codes):
        rows = np.flatnonzero(codes < 999)
        return rows, codes[rows] + 1


class TestTheSameGame:
    def test_moves_may_lead_up_to_the_largest_code(self):
        assert len(explore(CountUp(), 600)) == 400

    @given(st.integers(0, 10))
    def test_coded_rules_are_the_same_game(self, start):
        plain, coded = explore(TakeUpToThree(), start), explore(CodedTakeUpToThree(), start)
        assert set(plain.edges) == set(coded.edges)
        assert set(plain) == set(coded)
        assert dict(solve(plain).grundy) == dict(solve(coded).grundy)

    @pytest.mark.parametrize("misere", [False, True])
    @given(starts=st.lists(st.integers(0, 7), min_size=1, max_size=2))
    def test_coded_rules_that_split(self, misere, starts):
        plain, coded = explore(Kayles(), *starts), explore(OneRowFirst(), *starts)
        assert plain.tokens == coded.tokens
        found, expected = solve(coded, misere=misere), solve(plain, misere=misere)
        assert found.winner == expected.winner
        assert {n: found.grundy[n] for n in starts} == {n: expected.grundy[n] for n in starts}

    def test_sums_of_coded_rules_are_found(self):
        graph = explore(OneRowFirst(), 20)
        assert all(graph.labels.find(position) == number for number, position in enumerate(graph.labels))
        assert graph.labels[-1] == graph.labels[len(graph) - 1]
        assert graph[Sum((5, 5))] == {5: {"multiplicity": 2}}
        for missing in (Sum((5, 50)), Sum((1, 2, 3)), Sum(("a", 1)), 21, "x"):
            assert missing not in graph.labels

    def test_limits_count_the_sums_of_coded_rules(self):
        size = len(explore(OneRowFirst(), 20))
        assert len(explore(OneRowFirst(), 20, max_positions=size)) == size
        for limit in (size - 1, 30):
            with pytest.raises(LimitError, match=f"max_positions={limit} "):
                explore(OneRowFirst(), 20, max_positions=limit)

    def test_options_of_one_coded_position(self):
        assert sorted(map(str, OneRowFirst().options(4))) == ["2", "3", "Sum(1, 1)", "Sum(2, 1)"]
        assert sorted(CodedTakeUpToThree().options(2)) == [0, 1]

    @pytest.mark.parametrize("start", [(9, 7), (4, 2), (1, 5), (2, 2)])
    def test_the_cutting_game(self, start):
        by_codes = explore(CodedCutting(), start)
        one_by_one = Exploration(Cutting(), Limits(10**6, 10**6), None).run([start])
        assert by_codes.tokens == one_by_one.tokens
        found, expected = (
            {position: value for position, value in solve(graph).grundy.items() if type(position) is not Sum}
            for graph in (by_codes, one_by_one)
        )
        assert found == expected

    def test_rules_that_inherit_from_the_cutting_game(self):
        class Straight(Cutting):
            """Cut across the width alone."""

            def options(self, position):
                width, height = position
                return [Sum([(cut, height), (width - cut, height)]) for cut in range(2, width // 2 + 1)]

        assert len(explore(Straight(), (4, 3))) < len(explore(Cutting(), (4, 3)))


class TestTheSelfCheck:
    @pytest.mark.parametrize(("rules", "start"), [(CodedTakeUpToThree(), 10), (CodedCutting(), (5, 4))])
    def test_all_passed(self, rules, start):
        report = check(rules, start)
        assert report.passed
        assert report.checks[-1].name == "the methods option_codes and decode agree with options and encode"

    def test_a_start_without_options(self):
        assert check(CodedTakeUpToThree(), 0).passed

    def test_check_accepts_options_that_a_limit_cuts_off(self):
        report = check(Wythoff(), (150, 150))
        assert not report.complete
        assert report.passed

    def test_codes_that_say_otherwise(self):
        class Wrong(CodedTakeUpToThree):
            def options(self, position):
                return [position - 1] if position else []

        found = check(Wrong()).checks[-1]
        assert found.detail == "position 10 has options with the codes [9], but option_codes returns [7, 8, 9]"


def test_codes_out_of_range():
    class Wrong(CodedRuleset):
        size = 5

        def option_codes(self, codes):
            return np.zeros(1, int), np.array([7])

    with pytest.raises(RulesetError, match=r"gave the code 7: expected 0\.\.4"):
        explore(Wrong(), 1)


def test_code_table_beyond_memory():
    class Vast(CodedTakeUpToThree):
        size = 10**15

    with pytest.raises(LimitError, match=r"100000000000000 .*\b1\d+\b"):
        explore(Vast(), 10**14)
    assert len(explore(Vast(), 1)) == 2


def test_option_code_beyond_memory():
    class Jump(CodedRuleset):
        size = 10**15

        def option_codes(self, codes):
            return np.arange(len(codes)), np.full(len(codes), 10**14)

    with pytest.raises(LimitError, match="position 100000000000000 is too large"):
        explore(Jump(), 1)


@pytest.mark.parametrize("ends", [np.zeros(3, int), np.zeros((2, 3), int), np.zeros((2, 2, 1), int)])
def test_codes_of_a_wrong_shape(ends):
    class Wrong(CodedRuleset):
        size = 5

        def option_codes(self, codes):
            return np.zeros(2, int), ends

    with pytest.raises(RulesetError, match=r"option_codes .*shapes \(2,\)"):
        explore(Wrong(), 1)


@pytest.mark.parametrize(
    ("rows", "options", "fault"),
    [
        ([[0, 0]], [1, 1], r"shapes \(1, 2\) and \(2,\)"),
        ([3], [0], r"gave the row 3: expected 0\.\.0"),
        ([-1], [0], r"gave the row -1: expected 0\.\.0"),
        ([0], [[0, -2]], r"gave the code -2: expected 0\.\.4"),
        ([0], [[-1, 0]], r"gave the code -1: expected 0\.\.4"),
        ([0], [0.5], "in option_codes: TypeError"),
    ],
)
def test_arrays_that_are_wrong(rows, options, fault):
    class Wrong(CodedRuleset):
        size = 5

        def option_codes(self, codes):
            return np.array(rows), np.array(options)

    with pytest.raises(RulesetError, match=fault):
        explore(Wrong(), 1)


def test_unsigned_parts_of_sums():
    class Unsigned(CodedKayles):
        def option_codes(self, codes):
            rows, options = super().option_codes(codes)
            return rows, options.astype(np.uint64)

    assert explore(Unsigned(), 9).edges == explore(CodedKayles(), 9).edges


def test_positions_limit_says_how_far_it_got():
    with pytest.raises(LimitError, match="max_positions=5"):
        explore(CodedTakeUpToThree(), max_positions=5)


def test_coded_rules_that_fail_are_blamed():
    class Fails(CodedTakeUpToThree):
        def option_codes(self, codes):
            return {}[0]

    with pytest.raises(RulesetError, match=r"test_coded.py:\d+ in option_codes: KeyError: 0, at position 10"):
        explore(Fails())
