"""Periods with proof: against published tables, a search by brute force, and values beyond the proof."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import OptionError, ParseError, heaps
from graphgame.heaps import periods
from graphgame.heaps.periods import find_period
from graphgame.heaps.rules import AllBut, TakeAndBreak
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
        assert find_period("any", values, rules.theorem) is None


class TestObserved:
    @pytest.mark.parametrize(
        ("text", "preperiod", "period", "saltus"),
        [("take{odd}", 0, 2, 0), ("take{even}", 0, 2, 1), ("0.77", 71, 12, 0), ("0.3F", 0, 6, 3)],
    )
    def test_period(self, text, preperiod, period, saltus):
        seen = heaps.game(text).observed_period(300)
        assert (seen.preperiod, seen.period, seen.saltus, seen.last_heap) == (preperiod, period, saltus, 300)
        assert str(seen).endswith("observed to heap 300, not proved")

    @pytest.mark.parametrize("text", ["0.6", "grundy", "couples", "0.77"])
    def test_too_few_heaps_show_none(self, text):
        assert heaps.game(text).observed_period(90) is None


@pytest.mark.parametrize("code", ["0.77", "0.116", "0.3F", "0.9C"])
def test_exceptions_are_found_in_blocks(code, monkeypatch):
    found = heaps.code(code).period(1000)
    monkeypatch.setattr(periods, "_BLOCK", 7)
    expected = [heap for heap in range(found.preperiod) if found.values[heap] != found._continued(heap)]
    assert np.concatenate([*found.exceptional_heaps(), []]).tolist() == list(found.exceptions) == expected


def test_no_more_heaps_than_the_proof_needs():
    """What the values show tells how far to go: 93,166 heaps, not the next power of 2."""
    game, asked = heaps.octal("0.127"), []

    def values_to(n):
        asked.append(n)
        return game.grundy_values(n)

    found = periods.growing_period(game.name, game.rules.theorem, 10**6, values_to)
    assert (found.preperiod, found.period, found.last_heap) == (46_578, 4, 93_166)
    assert asked[-1] == 93_166


@pytest.mark.parametrize("text", ["0.6", "0.007", "0.127", "4.004"])
def test_half_of_the_heaps_show_that_all_prove_nothing(text):
    game, asked = heaps.game(text), []

    def values_to(n):
        asked.append(n)
        return game.grundy_values(n)

    assert periods.growing_period(game.name, game.rules.theorem, 20_000, values_to, observed=False) is None
    assert asked[-1] < 10_300


class TestProof:
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
        found = find_period("any", np.array(values, np.uint16), rules.theorem)
        expected = brute_force(values, rules.theorem)
        assert (found and (found.preperiod, found.period, found.saltus)) == expected

    @pytest.mark.parametrize("engine", ["plain", "compiled"])
    def test_a_prefix_that_repeats_is_no_period(self, engine):
        noise = random.Random(5)
        for _ in range(50):
            prefix = [noise.randrange(4) for _ in range(40)]
            values = np.array(prefix * 2 + [noise.randrange(4) for _ in range(60)] + [9], np.uint16)
            assert find_period("any", values, TakeAndBreak({2: 7}).theorem, engine) is None


class TestCertificate:
    def test_kayles(self):
        found = heaps.octal("kayles").period(10_000)
        assert (found.game, found.last_heap, found.last_exception) == ("octal{0.77}", 2 * (71 + 12) + 1, 70)
        assert list(found.exceptions) == [0, 3, 6, 9, 11, 15, 18, 21, 22, 28, 34, 39, 57, 70]
        assert found.exceptions[70] == 6
        assert found.theorem.endswith("repeat for ever (Guy and Smith)")
        assert found.value(10**18) == found.value(71 + (10**18 - 71) % 12)

    def test_no_exceptions(self):
        found = heaps.subtraction([1, 2]).period(100)
        assert (found.last_exception, found.exceptions, found.values) == (None, {}, (0, 1, 2))

    def test_nim(self):
        found = heaps.subtraction().period(100)
        assert (found.preperiod, found.period, found.saltus, found.value(10**30)) == (0, 1, 1, 10**30)

    @pytest.mark.parametrize("text", ["0.07", "0.F3", "take{not 2,3}", "take{2,5}"])
    def test_saved_and_checked(self, text, tmp_path):
        game = heaps.game(text)
        found = game.period(300)
        found.save(tmp_path / "certificate.json")
        loaded = heaps.PeriodCertificate.load(tmp_path / "certificate.json")
        assert loaded == found
        assert game.holds(loaded)

    @pytest.mark.parametrize(
        "change",
        [
            {"preperiod": 52, "last_exception": 51, "values": heaps.octal("0.07").grundy_values(85).tolist()},
            {"period": 33, "values": heaps.octal("0.07").grundy_values(85).tolist()},
            {"saltus": 1},
            {"values": [0] * 87},
        ],
    )
    def test_a_wrong_one_does_not_hold(self, change, tmp_path):
        game = heaps.octal("0.07")
        path = tmp_path / "certificate.json"
        path.write_text(json.dumps(game.period(300).record() | change))
        assert not game.holds(heaps.PeriodCertificate.load(path))

    @pytest.mark.parametrize("text", ["0.07", "0.3F", "lasker", "take{not 2,3}", "take{2,5}", "0.77"])
    @pytest.mark.parametrize("by", [-1, 1])
    def test_every_number_that_is_altered_is_found(self, text, by, tmp_path):
        game, path = heaps.game(text), tmp_path / "certificate.json"
        right = game.period(300).record()
        for name in ("preperiod", "period", "saltus", "last_exception", "last_heap", *range(len(right["values"]))):
            record = right | {"values": list(right["values"])}
            if isinstance(name, int):
                record["values"][name] += by
            else:
                record[name] = (record[name] or 0) + by
            path.write_text(json.dumps(record))
            try:
                assert game.fault(heaps.PeriodCertificate.load(path)), name
            except ParseError as error:
                assert error.message.startswith(("no certificate of a period", "last_exception"))  # noqa: PT017

    @pytest.mark.parametrize("text", ["0.07", "0.3F", "take{not 2,3}", "take{2,5}"])
    @pytest.mark.parametrize("name", ["game", "theorem"])
    def test_words_that_are_altered_are_found(self, text, name):
        game = heaps.game(text)
        found = replace(game.period(300), **{name: "code{0.38}"})
        assert heaps.game(found.game).fault(found)

    @pytest.mark.parametrize(
        ("text", "preperiod", "period", "saltus", "fault"),
        [
            ("0.07", 54, 34, 0, "heap 53 fits the period too"),
            ("0.07", 53, 68, 0, "34 is a period too"),
            ("take{not 2,3}", 0, 8, 4, "4 is a period too"),
            ("0.3F", 1, 6, 3, "heap 0 fits the period too"),
        ],
    )
    def test_more_than_is_needed_is_found(self, text, preperiod, period, saltus, fault):
        game = heaps.game(text)
        values = tuple(game.grundy_values(preperiod + period - 1).tolist())
        found = replace(game.period(300), preperiod=preperiod, period=period, saltus=saltus, values=values)
        theorem = game.rules.theorem
        needed = theorem.last_heap(preperiod, period) if not saltus or theorem.arithmetic else found.last_heap
        assert game.fault(replace(found, last_heap=int(needed))) == fault

    def test_very_many_values_are_bytes(self, monkeypatch, tmp_path):
        game, path = heaps.game("0.07"), tmp_path / "certificate"
        value = game.period(300).value(10**9)
        monkeypatch.setattr(periods, "_MANY_VALUES", 50)
        found = game.period(300)
        assert isinstance(found.values, memoryview)
        assert (found.record()["values"], found.last_exception, found.value(10**9)) == (None, 52, value)
        found.save(path)
        loaded = heaps.PeriodCertificate.load(path)
        assert loaded == found
        assert game.holds(loaded)
        right = path.read_bytes()
        for place in (70, len(right) - 1):
            path.write_bytes(right[:place] + bytes([right[place] ^ 1]) + right[place + 1 :])
            with pytest.raises(ParseError, match="the file is damaged: prove the period again"):
                heaps.PeriodCertificate.load(path)

    @pytest.mark.parametrize("value", [1, 300, 2**20, 2**40, 10**30])
    def test_any_other_value_is_found(self, value):
        game = heaps.game("0.07")
        found = game.period(300)
        wrong = replace(found, values=(*found.values[:60], value, *found.values[61:]))
        assert game.fault(wrong) == f"heap 60 has the value {found.values[60]}, not {value}"

    def test_no_theorem_no_certificate(self):
        assert not heaps.grundy_game().holds(heaps.octal("0.07").period(300))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "no JSON text: Expecting value"),
            ("[" * 100_000, "no JSON text"),
            ("[]", "no certificate of a period"),
            ('{"game": "octal{0.7}"}', "no certificate of a period"),
            (("period", 0), "no certificate of a period"),
            (("preperiod", True), "no certificate of a period"),
            (("preperiod", -1), "no certificate of a period"),
            (("values", [0, 1]), "no certificate of a period"),
            (("values", ["0"] * 87), "no certificate of a period"),
            (("last_exception", 51), "last_exception is 51: expected 52, by the preperiod"),
            (("last_exception", None), "last_exception is None: expected 52, by the preperiod"),
            ("\0", "NUL byte"),
        ],
    )
    def test_a_damaged_file(self, text, message, tmp_path):
        path = tmp_path / "certificate.json"
        if isinstance(text, tuple):
            text = json.dumps(heaps.octal("0.07").period(300).record() | dict([text]))
        path.write_text(text)
        with pytest.raises(ParseError) as caught:
            heaps.PeriodCertificate.load(path)
        assert str(caught.value).startswith(f"{path}")
        assert message in str(caught.value)

    def test_it_gives_the_game_again(self):
        found = heaps.game("take{not 2,3}").period(100)
        assert heaps.game(found.game).period(100) == found

    def test_a_heap_is_not_negative(self):
        with pytest.raises(ValueError, match="invalid heap -1: expected 0 or more"):
            heaps.octal("0.77").period(1000).value(-1)


@pytest.mark.parametrize("limit", [-1, 2**31])
def test_wrong_limits(limit):
    with pytest.raises(OptionError, match=f"invalid heap {limit}: expected 0.."):
        heaps.octal("0.77").period(limit)


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_few_heaps_prove_nothing(limit):
    assert heaps.octal("0.77").period(limit) is None
