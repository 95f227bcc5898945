"""Values of heap games in files, kept through a killed process."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from graphgame.errors import ParameterError, ParseError
from graphgame.labs import heaps
from graphgame.labs.heaps.periods import growing_period
from graphgame.labs.heaps.storage import PackedValues, load_values, resumed_values, save_values


def resumed_period(game, limit, path):
    return growing_period(game.name, game.rules, limit, lambda n: np.asarray(resumed_values(game, n, path)))


class TestStorage:
    @pytest.mark.parametrize("text", ["0.6", "grundy", "take{not 2,3}", "take{1,3}", "0.F"])
    def test_extended_as_computed_at_once(self, text, tmp_path):
        game, path = heaps.game(text), tmp_path / "values"
        for heap in (0, 20, 7, 150):
            values = resumed_values(game, heap, path, interval=0)
            assert values.tolist() == game.grundy_values(heap).tolist()
        assert len(load_values(game, path)) == 151

    def test_steps_do_not_matter(self, tmp_path):
        game = heaps.octal("0.6")
        values = resumed_values(game, 4000, tmp_path / "values", interval=0.05)
        assert np.array_equal(values, game.grundy_values(4000))

    def test_packed(self, tmp_path):
        game, path = heaps.octal("0.6"), tmp_path / "values"
        values = game.packed_values(140_000)
        save_values(game, values, path)
        assert isinstance(values, PackedValues)
        assert path.stat().st_size < 140_000 + 2 * 20_628 + 400
        found = resumed_values(game, 180_000, path)
        assert isinstance(found, PackedValues)
        assert np.array_equal(found, game.grundy_values(180_000, engine="compiled"))
        assert np.array_equal(load_values(game, path), found)
        assert np.array_equal(resumed_values(game, 20_700, path), found[:20_701])
        path.write_bytes(path.read_bytes()[:-2])
        with pytest.raises(ParseError, match="the file is damaged"):
            load_values(game, path)

    def test_values_of_eight_bytes(self, tmp_path):
        game, path = heaps.octal("0.77"), tmp_path / "values"
        save_values(game, np.array([0, 1, 2, 3], np.int64), path)
        assert load_values(game, path).tolist() == [0, 1, 2, 3]

    def test_a_period_fills_up(self, tmp_path):
        game, path = heaps.octal("0.07"), tmp_path / "values"
        assert resumed_values(game, 10**6, path)[-3:].tolist() == [game.closed_form(10**6 - k) for k in (2, 1, 0)]

    def test_period(self, tmp_path):
        game = heaps.octal("0.156")
        assert resumed_period(game, 100_000, tmp_path / "values") == game.period(100_000)
        assert resumed_period(game, 3000, tmp_path / "other") is None
        assert resumed_period(heaps.grundy_game(), 100, tmp_path / "grundy") is None

    def test_observed_period(self, tmp_path):
        game = heaps.subtraction("even")
        assert resumed_period(game, 100, tmp_path / "values") == game.observed_period(100)
        assert len(load_values(game, tmp_path / "values")) == 101

    @pytest.mark.parametrize(
        ("damage", "message"),
        [
            (
                lambda data: b"",
                "not in the format 'graphgame heap values': compute the values again, to another file",
            ),
            (
                lambda data: data.replace(b'"version": 2', b'"version": 1'),
                "version 1 of the format 'graphgame heap values', not version 2",
            ),
            (lambda data: data[:-1], "the file is damaged"),
            (lambda data: data[:-1] + b"\x07", "the file is damaged"),
            (lambda data: data.replace(b'"heaps": 11', b'"heaps": -1'), "the file is damaged"),
            (lambda data: data.replace(b'"|u1"', b'"|O8"'), "the file is damaged"),
            (lambda data: data.replace(b"0.77", b"0.07"), "the file is damaged"),
        ],
    )
    def test_a_damaged_file_is_refused(self, damage, message, tmp_path):
        game, path = heaps.octal("0.77"), tmp_path / "values"
        save_values(game, game.grundy_values(10), path)
        path.write_bytes(damage(path.read_bytes()))
        with pytest.raises(ParseError) as caught:
            resumed_values(game, 20, path)
        assert message in str(caught.value)

    @pytest.mark.parametrize("find", [resumed_values, resumed_period])
    def test_too_large_a_heap_is_refused_before_any_work(self, tmp_path, find):
        with pytest.raises(ParameterError, match=r"invalid heap 1000000000000: expected 0\.\.2147483646"):
            find(heaps.octal("0.6"), 10**12, tmp_path / "values")
        assert not list(tmp_path.iterdir())

    def test_another_game_is_refused(self, tmp_path):
        resumed_values(heaps.octal("0.77"), 9, tmp_path / "values")
        with pytest.raises(ParseError, match=r"holds values of 'octal\{0\.77\}', not of octal\{0\.07\}"):
            resumed_values(heaps.octal("0.07"), 9, tmp_path / "values")

    def test_other_rules_of_the_same_name_are_refused(self, tmp_path):
        resumed_values(heaps.rule(lambda n: range(n)), 9, tmp_path / "values")
        with pytest.raises(ParseError, match="other values than those of rule"):
            resumed_values(heaps.rule(lambda n: []), 9, tmp_path / "values")

    def test_a_killed_run_goes_on(self, tmp_path):
        path = tmp_path / "values"
        program = (
            "from graphgame import heaps; from graphgame.labs.heaps.storage import resumed_values; import sys;"
            "resumed_values(heaps.octal('0.6'), 10**7, sys.argv[1], interval=0.05)"
        )
        process = subprocess.Popen([sys.executable, "-c", program, str(path)])
        deadline = time.monotonic() + 60
        while not (path.exists() and path.stat().st_size > 20_000) and time.monotonic() < deadline:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        game = heaps.octal("0.6")
        done = len(load_values(game, path))
        assert 0 < done < 10**7
        assert np.array_equal(resumed_values(game, done + 500, path), game.grundy_values(done + 500))
