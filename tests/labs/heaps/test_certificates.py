"""Certificates of periods: what they tell of any heap, their files, and that whatever is wrong with one is found."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from graphgame.cli import main
from graphgame.errors import ParameterError, ParseError
from graphgame.labs import heaps
from graphgame.labs.heaps import periods


class TestCertificate:
    def test_kayles(self):
        found = heaps.octal("kayles").period(10_000)
        assert (found.game, found.last_heap, found.last_exception) == ("octal{0.77}", 2 * (71 + 12) + 1, 70)
        assert list(found.exceptions) == [0, 3, 6, 9, 11, 15, 18, 21, 22, 28, 34, 39, 57, 70]
        assert found.exceptions[70] == 6
        assert found.theorem.endswith("repeat forever (Guy and Smith)")
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

    @pytest.mark.parametrize("most_in_tuple", [1 << 20, 10])
    def test_checked_from_standard_input(self, most_in_tuple, tmp_path, monkeypatch):
        monkeypatch.setattr(periods, "_MOST_IN_TUPLE", most_in_tuple)
        heaps.octal("0.77").period(300).save(tmp_path / "certificate")
        data = (tmp_path / "certificate").read_bytes()
        done = CliRunner().invoke(main, ["heap", "check", "-"], input=data, catch_exceptions=False)
        assert done.output == "right: octal{0.77} has period 12 from heap 71 on\n"

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
            ("0.07", 54, 34, 0, "the preperiod can be smaller: heap 53 fits the period too"),
            ("0.07", 53, 68, 0, "the period can be smaller: 34 is a period too"),
            ("take{not 2,3}", 0, 8, 4, "the period can be smaller: 4 is a period too"),
            ("0.3F", 1, 6, 3, "the preperiod can be smaller: heap 0 fits the period too"),
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
        monkeypatch.setattr(periods, "_MOST_IN_TUPLE", 50)
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

    @pytest.mark.parametrize(("preperiod", "period"), [(0, 2), (1, 1), (1, 0), (-1, 4)])
    def test_a_count_of_values_that_contradicts_the_period_is_found(self, preperiod, period):
        game = heaps.octal("0.2")
        wrong = replace(game.period(300), preperiod=preperiod, period=period)
        assert game.fault(wrong).startswith("the numbers of the certificate contradict each other: expected")

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
            ("", "no JSON text: expecting value"),
            ("[" * 100_000, "no JSON text"),
            ("[]", "no certificate of a period"),
            ('{"game": "octal{0.7}"}', "no certificate of a period"),
            (("period", 0), "no certificate of a period"),
            (("preperiod", True), "no certificate of a period"),
            (("preperiod", -1), "no certificate of a period"),
            (("values", [0, 1]), "no certificate of a period"),
            (("values", ["0"] * 87), "no certificate of a period"),
            (("last_exception", 51), "last_exception is 51: expected 52 for this preperiod"),
            (("last_exception", None), "last_exception is None: expected 52 for this preperiod"),
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

    def test_heaps_of_a_value_need_a_saltus(self):
        assert list(heaps.game("take{not 2}").period(100).heaps_of(4)) == [8, 10]
        with pytest.raises(ParameterError, match=r"^the saltus is 0"):
            next(heaps.octal("kayles").period(1000).heaps_of(3))

    @pytest.mark.parametrize("heap", [-1, None, "3", 1.5, True])
    def test_a_heap_is_an_integer_of_0_or_more(self, heap):
        found = heaps.game("take{not 2}").period(100)
        for method in (found.value, found.values_to, found.reason, found.heaps_of):
            with pytest.raises(ParameterError, match=rf"^invalid (heap|n|value) {heap!r}: expected an integer of 0 or"):
                method(heap)

    def test_integers_of_numpy_are_heaps(self):
        found = heaps.game("take{not 2}").period(100)
        assert type(found.value(np.uint8(200))) is int
        assert found.value(np.uint8(200)) == found.value(200)

    def test_the_values_of_too_many_heaps(self):
        with pytest.raises(ParameterError, match=r"^invalid heap 1000000000000000: expected 0\.\.2147483646"):
            heaps.octal("0.77").period(1000).values_to(10**15)


@pytest.mark.parametrize("code", ["0.77", "0.116", "0.3F", "0.9C"])
def test_exceptions_are_found_in_blocks(code, monkeypatch):
    found = heaps.code(code).period(1000)
    monkeypatch.setattr(periods, "_HEAPS_AT_A_TIME", 7)
    expected = [heap for heap in range(found.preperiod) if found.values[heap] != found._continued(heap)]
    assert np.concatenate([*found.exceptional_heaps(), []]).tolist() == list(found.exceptions) == expected
