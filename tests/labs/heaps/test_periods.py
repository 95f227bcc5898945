"""Periods with proof: against published tables, a search by brute force, and values beyond the proof."""

import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame.errors import ParameterError
from graphgame.labs import heaps
from graphgame.labs.heaps import periods
from graphgame.labs.heaps.periods import find_period
from graphgame.labs.heaps.rules import AllBut, TakeAndBreak
from tests.notations import table

SLOW = {"0.376"}  # takes some seconds
PERIODS = {
    record["input"]["code"]: record["expected"]
    for game, record in table("octal-normal").items()
    if "period" in record["expected"] and game not in SLOW
}
UNSOLVED = ["0.6", "0.04", "0.06", "0.14", "0.36", "0.64", "0.74", "0.76", "0.004", "0.161", "0.776", "4.004", "4.406"]


@pytest.mark.parametrize("code", PERIODS)
def test_published(code):
    expected = PERIODS[code]
    found = heaps.octal(code).period(1_000_000)
    assert (found.preperiod, found.period, found.saltus) == (expected["preperiod"], expected["period"], 0)
    assert found.last_exception == (expected["preperiod"] - 1 if expected["preperiod"] else None)


def test_flammenkamps_0_16():
    found = heaps.octal("0.16").period(600_000)
    assert (found.preperiod, found.period) == (105_351, 149_459)


@pytest.mark.parametrize("code", UNSOLVED)
def test_unsolved_games_have_none(code):
    assert heaps.octal(code).period(3000) is None


@pytest.mark.parametrize(
    "game", [heaps.grundy_game(), heaps.split(2, 3, "not all equal"), heaps.rule(lambda n: []), heaps.game("take{odd}")]
)
def test_games_without_a_theorem_have_none(game):
    assert not game.provable
    assert game.period(2000) is None


class TestArithmetic:
    @pytest.mark.parametrize(
        ("text", "preperiod", "period", "saltus"),
        [
            ("0.3F", 0, 6, 3),  # as published, recomputed to heap 400
            ("lasker", 1, 4, 4),  # E. Lasker
            ("0.8", 1, 3, 1),
            ("0.28", 1, 53, 16),
            ("0.9C", 28, 36, 16),
            ("8.0", 1, 2, 1),
        ],
    )
    def test_proved(self, text, preperiod, period, saltus):
        found = heaps.game(text).period(1000)
        assert (found.preperiod, found.period, found.saltus) == (preperiod, period, saltus)

    def test_published(self):
        expected = table("hex-arithmetic-periodic")["0.3F"]["expected"]
        found = heaps.code("0.3F").period(300)
        assert [found.value(heap) for heap in range(1, 21)] == expected["values"]
        assert (found.period, found.saltus, found.preperiod) == tuple(
            expected[key] for key in ("period", "saltus", "preperiod")
        )

    @settings(max_examples=40)
    @given(st.sampled_from("08C"), st.text("0123456789ABCDEF", min_size=1, max_size=2))
    def test_values_beyond_the_proof(self, first, digits):
        if set(first + digits) - set("01234567"):
            game = heaps.code(f"{first}.{digits}")
            found = game.period(120, engine="compiled")
            if found is not None:
                values = game.grundy_values(360, engine="compiled")
                assert [found.value(heap) for heap in range(361)] == values.tolist()

    @pytest.mark.parametrize("text", ["0.3F", "0.8F", "lasker"])
    def test_any_heap_at_once(self, text):
        found = heaps.game(text).period(300)
        periods = (10**18 - found.preperiod) // found.period
        place = (10**18 - found.preperiod) % found.period + found.preperiod
        assert found.value(10**18) == found.value(place) + periods * found.saltus

    def test_lasker_has_its_closed_form(self):
        game = heaps.lasker()
        found = game.period(100)
        assert all(found.value(heap) == game.ruleset.closed_form(heap) for heap in range(10**9, 10**9 + 50))

    @pytest.mark.parametrize("text", ["0.3F", "lasker", "0.9F"])
    def test_saved_and_checked(self, text, tmp_path):
        game = heaps.game(text)
        game.period(300).save(tmp_path / "certificate.json")
        loaded = heaps.PeriodCertificate.load(tmp_path / "certificate.json")
        assert game.holds(loaded)
        assert not heaps.code("0.38").holds(loaded)

    @pytest.mark.parametrize(
        "change", [{"saltus": 6}, {"last_heap": 20}, {"preperiod": 0, "period": 3, "values": [0, 1, 2]}]
    )
    def test_a_wrong_one_does_not_hold(self, change, tmp_path):
        game = heaps.code("0.3F")
        path = tmp_path / "certificate.json"
        path.write_text(json.dumps(game.period(300).record() | change))
        assert not game.holds(heaps.PeriodCertificate.load(path))

    @given(st.lists(st.integers(0, 40), min_size=1, max_size=200), st.integers(20, 80))
    def test_values_that_stop_to_repeat_have_none(self, noise, heap):
        """Each prefix of 0.3F repeats; what follows it does not."""
        rules = heaps.code("0.3F").rules
        values = np.array([*heaps.code("0.3F").grundy_values(heap).tolist(), *noise, 10**6], np.uint32)
        assert find_period("any", values, rules) is None


class TestObserved:
    @pytest.mark.parametrize(
        ("text", "preperiod", "period", "saltus"),
        [("take{odd}", 0, 2, 0), ("take{even}", 0, 2, 1), ("0.77", 71, 12, 0), ("0.3F", 0, 6, 3)],
    )
    def test_period(self, text, preperiod, period, saltus):
        seen = heaps.game(text).observed_period(300)
        assert (seen.preperiod, seen.period, seen.saltus, seen.last_heap) == (preperiod, period, saltus, 300)
        assert str(seen).endswith("up to heap 300, not proved")

    @pytest.mark.parametrize("text", ["0.6", "grundy", "couples", "0.77"])
    def test_too_few_heaps_show_none(self, text):
        assert heaps.game(text).observed_period(90) is None


def test_no_more_heaps_than_the_proof_needs():
    """What the values show tells how far to go: 93,166 heaps, not the next power of 2."""
    game, asked = heaps.octal("0.127"), []

    def values_to(n):
        asked.append(n)
        return game.grundy_values(n)

    found = periods.growing_period(game.name, game.rules, 10**6, values_to)
    assert (found.preperiod, found.period, found.last_heap) == (46_578, 4, 93_166)
    assert asked[-1] == 93_166


@pytest.mark.parametrize("text", ["0.6", "0.007", "0.127", "4.004"])
def test_half_of_the_heaps_show_that_all_prove_nothing(text):
    game, asked = heaps.game(text), []

    def values_to(n):
        asked.append(n)
        return game.grundy_values(n)

    assert periods.growing_period(game.name, game.rules, 20_000, values_to, observed=False) is None
    assert asked[-1] < 10_300


class TestProof:
    @pytest.mark.parametrize(
        ("rules", "preperiod", "period", "last_heap"),
        [
            (TakeAndBreak({2: 7}), 71, 12, 167),
            (TakeAndBreak({2: 7}), 0, 12, 27),  # the theorem wants a preperiod of 1 or more
            (TakeAndBreak({0: 4}, least=3), 1, 12, 29),
            (TakeAndBreak({1: 15}), 4, 3, 21),
            (AllBut((2, 5)), 3, 4, 17),
            (AllBut(()), 0, 4, 4),
        ],
    )
    def test_heaps_that_a_proof_needs(self, rules, preperiod, period, last_heap):
        assert rules.theorem.last_heap(preperiod, period) == last_heap

    @pytest.mark.parametrize(
        "code",
        [
            "0.77",
            "0.07",
            "0.137",
            "0.53",
            "4.122",
            "0.101",
            "0.333",
            "0.0330003",
            "0.F3",
            "0.B1",
            "0.055",
            "0.177",
            "0.644",
            "0.156",
            "0.356",
            "0.165",
            "take{300,301}",
        ],
    )
    def test_one_heap_fewer_proves_nothing(self, code):
        game = heaps.game(code)
        found = game.period(20_000)
        assert game.period(found.last_heap) == found
        assert game.period(found.last_heap - 1) is None

    @settings(max_examples=40)
    @given(
        st.text("01234567", min_size=1, max_size=3).filter(lambda digits: set(digits) - {"0"}), st.sampled_from("04")
    )
    def test_octal_values_beyond_the_proof(self, digits, first):
        game = heaps.octal(f"{first}.{digits}")
        found = game.period(1000)
        if found is not None:
            values = game.grundy_values(4 * found.last_heap + 100, engine="compiled")
            assert [found.value(heap) for heap in range(len(values))] == values.tolist()

    @settings(max_examples=25)
    @given(
        st.text("01248ABCF", min_size=1, max_size=3).filter(lambda digits: set(digits) - {"0"}), st.sampled_from("08")
    )
    def test_values_of_three_parts_beyond_the_proof(self, digits, first):
        game = heaps.code(f"{first}.{digits}")
        found = game.period(120, engine="compiled")
        if found is not None:
            values = game.grundy_values(200, engine="compiled")
            assert [found.value(heap) for heap in range(201)] == values.tolist()

    @settings(max_examples=25)
    @given(st.sets(st.integers(1, 9), min_size=1))
    def test_every_finite_subtraction_set_has_a_period(self, amounts):
        game = heaps.subtraction(amounts)
        found = game.period(20_000)
        assert [found.value(heap) for heap in range(20_001)] == game.grundy_values(20_000).tolist()

    @settings(max_examples=25)
    @given(st.sets(st.integers(1, 9)))
    def test_every_all_but_set_has_an_arithmetic_period(self, excluded):
        game = heaps.subtraction(excluded=excluded)
        found = game.period(20_000)
        assert found.saltus > 0
        assert [found.value(heap) for heap in range(401)] == game.grundy_values(400, method="dense").tolist()


def brute_force(values, theorem):
    """Return the least period that the theorem proves, with its preperiod and saltus, by its definition."""
    last = len(values) - 1
    for period in range(1, last + 1):
        changes = [values[n + period] - values[n] for n in range(last + 1 - period)]
        start = len(changes)
        saltus = changes[-1] if theorem.arithmetic else 0
        while start and changes[start - 1] == saltus:
            start -= 1
        if theorem.last_heap(start, period) <= last:
            return start, period, saltus
    return None


class TestFindPeriod:
    @settings(max_examples=200)
    @given(
        st.lists(st.integers(0, 2), max_size=8),
        st.lists(st.integers(0, 2), min_size=1, max_size=5),
        st.integers(0, 60),
        st.sampled_from([TakeAndBreak({2: 3}), TakeAndBreak({0: 4}), TakeAndBreak({1: 15}), AllBut((2,)), AllBut(())]),
        st.integers(0, 2),
    )
    def test_as_defined(self, start, cycle, length, rules, saltus):
        values = [*start, *(cycle[i % len(cycle)] + saltus * (i // len(cycle)) for i in range(length))]
        found = find_period("any", np.array(values, np.uint16), rules)
        expected = brute_force(values, rules.theorem)
        assert (found and (found.preperiod, found.period, found.saltus)) == expected

    def test_a_prefix_that_repeats_is_no_period(self):
        noise = random.Random(5)
        for _ in range(50):
            prefix = [noise.randrange(4) for _ in range(40)]
            values = np.array(prefix * 2 + [noise.randrange(4) for _ in range(60)] + [9], np.uint16)
            assert find_period("any", values, TakeAndBreak({2: 7})) is None


@pytest.mark.parametrize(
    ("limit", "told"),
    [(-1, "invalid limit -1: expected an integer of 0 or more"), (2**31, r"invalid heap 2147483648: expected 0\.\.")],
)
def test_wrong_limits(limit, told):
    with pytest.raises(ParameterError, match=f"^{told}"):
        heaps.octal("0.77").period(limit)


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_few_heaps_prove_nothing(limit):
    assert heaps.octal("0.77").period(limit) is None
