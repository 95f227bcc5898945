"""Figures, comparisons and pictures of heap games."""

import json
from functools import partial

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame.cli import main
from graphgame.errors import FormatError, ParameterError
from graphgame.labs import heaps
from graphgame.labs.heaps import study
from graphgame.labs.heaps.study import same_moves

CODES = st.text("01234567", min_size=1, max_size=3).filter(lambda digits: set(digits) - {"0"})


def run(*arguments):
    return CliRunner().invoke(main, ["heap", *map(str, arguments)], catch_exceptions=False)


class TestStatistics:
    @settings(max_examples=20)
    @given(CODES)
    def test_as_defined(self, digits):
        game = heaps.octal(f"0.{digits}")
        values = game.grundy_values(150)
        plain = values.tolist()
        found = study.statistics(game, values)
        assert (found.maximum, found.maximum_heap) == (max(plain), plain.index(max(plain)))
        assert study.p_heaps(values).tolist() == [n for n, value in enumerate(plain) if value == 0]
        assert study.records(values).tolist() == [n for n, v in enumerate(plain) if all(v > u for u in plain[:n])]
        assert study.histogram(values).tolist() == [plain.count(value) for value in range(max(plain) + 1)]
        rares = study.rare_heaps(game, values)
        assert (found.rares or 0) == len(rares)

    @pytest.mark.parametrize(
        ("name", "heap", "rares", "last"),
        [
            ("0.77", 300, 10, 70),
            ("0.6", 21_000, 1584, 20_627),
            ("grundy", 83_000, 1274, 82_860),
            ("0.45", 3000, 11, 198),
            ("0.156", 4000, 15, 357),
            ("0.356", 4000, 7, 43),
            ("0.644", 4000, 31, 511),
            ("0.16", 20_000, 53, 13_935),
            ("0.56", 20_000, 46, 1795),
        ],
    )
    def test_heaps_of_rare_value(self, name, heap, rares, last):
        """As published: Gangolli and Plambeck 1989, Grossman 2019; heap 0 is one of them."""
        game = heaps.game(name)
        values = game.grundy_values(heap)
        found = study.statistics(game, values)
        assert (found.rares, found.last_rare) == (rares, last)
        of_value = np.bincount(values[study.rare_heaps(game, values)], minlength=values.max() + 1)
        assert set(of_value * (of_value != study.histogram(values))) == {0}  # a value is rare everywhere or nowhere

    def test_the_largest_value_of_0_156(self):
        """As published, Jack Kenyon 1967."""
        game = heaps.octal("0.156")
        found = study.statistics(game, game.grundy_values(4000))
        assert (found.maximum, found.maximum_heap) == (23, 1032)

    @pytest.mark.parametrize("game", [heaps.subtraction([1, 2]), heaps.lasker(), heaps.code("0.F")])
    def test_no_sparse_space_without_two_parts(self, game):
        found = study.statistics(game, game.grundy_values(30))
        assert (found.space, found.rares, found.last_rare) == (None, None, None)


WRONG = [None, 3, [1.5], np.array([-1, 2]), np.array([[0, 1]]), np.array(["a"])]


@pytest.mark.parametrize("values", WRONG, ids=repr)
def test_what_are_no_values(values):
    of_values = [study.histogram, study.p_heaps, study.records]
    of_game = [study.statistics, study.sparse_space, study.rare_heaps]
    for function in [*of_values, *(partial(function, "0.77") for function in of_game)]:
        with pytest.raises(ParameterError, match=r"^invalid values .*: expected an array with the values of the heaps"):
            function(values)


@pytest.mark.parametrize("values", [np.zeros(0, np.uint8), np.array([1, 2])], ids=repr)
def test_statistics_begin_with_heap_0(values):
    with pytest.raises(ParameterError, match=r"^invalid values .*: expected an array with the values of the heaps 0"):
        study.statistics("0.77", values)


@pytest.mark.parametrize("shift", [None, "1", 1.5, True])
def test_a_shift_is_an_integer(shift):
    with pytest.raises(ParameterError, match=rf"^invalid shift {shift!r}: expected an integer$"):
        same_moves("0.137", "0.07", shift)


def test_values_in_a_list():
    values = heaps.octal("0.77").grundy_values(100)
    assert study.p_heaps(values.tolist()).tolist() == study.p_heaps(values).tolist()
    assert study.statistics("0.77", values.tolist()) == study.statistics("0.77", values)
    assert study.histogram([]).tolist() == [0]
    assert study.records([]).tolist() == study.p_heaps([]).tolist() == study.rare_heaps("0.77", []).tolist() == []
    assert study.sparse_space("0.77", []) is None


class TestCompare:
    @pytest.mark.parametrize(
        ("first", "second", "difference", "shift", "proof"),
        [
            ("0.26", "0.27", None, 0, "moves"),
            ("0.27", "0.06", 2, None, None),
            ("0.161", "0.36", 519, None, None),
            ("0.137", "0.07", 1, 1, "moves"),
            ("0.07", "0.137", 1, -1, "moves"),
            ("0.137", "0.4", 1, 2, "moves"),
            ("0.05", "4.0", None, 0, "periods"),
            ("take{1,2}", "take{1,2,4}", None, 0, "periods"),
            ("0.56", "0.561", None, 0, "moves"),  # to take a whole heap of 3 is as good as to leave 1 and 1
            ("0.776", "0.777", None, 0, "moves"),
            ("0.08", "0.0802", None, 0, "moves"),  # heaps of 1 and 1 beside another vanish
            ("0.6", "couples", 2, 1, "moves"),  # I. Caines, C. Gates, R. K. Guy, R. J. Nowakowski (1999)
            ("grundy", "split{unequal}", None, 0, "moves"),
            ("split{equal}", "split{equal}", None, 0, "moves"),
        ],
    )
    def test_known(self, first, second, difference, shift, proof):
        found = study.compare(heaps.game(first), heaps.game(second), 1000)
        assert (found.first_difference, found.shift, found.proof) == (difference, shift, proof)

    @settings(max_examples=60)
    @given(CODES, CODES, st.integers(0, 3))
    def test_what_the_moves_prove_is_so(self, first, second, shift):
        a, b = heaps.octal(f"0.{first}"), heaps.octal(f"0.{second}")
        if same_moves(a, b, shift):
            assert a.grundy_values(150).tolist() == b.grundy_values(150 + shift)[shift:].tolist()

    @settings(max_examples=60)
    @given(st.sampled_from(["08", "8", "0C", "09", "F", "06", "53"]), *[st.text("0124", max_size=3)] * 2)
    def test_what_similar_moves_prove_is_so(self, start, first, second):
        a, b = heaps.code(f"0.{start}{first}"), heaps.code(f"0.{start}{second}")
        if same_moves(a, b):
            assert a.grundy_values(60).tolist() == b.grundy_values(60).tolist()

    def test_too_few_heaps(self):
        with pytest.raises(ParameterError, match="invalid shift 8"):
            study.compare(heaps.octal("0.77"), heaps.octal("0.07"), 10)

    def test_command(self):
        assert run("compare", "0.137", "0.07").stdout.splitlines() == [
            "octal{0.137} and octal{0.07} first differ at heap 1",
            "heap n of octal{0.137} has the same value as heap n + 1 of octal{0.07}",
            "proved for all heaps: a comparison of the moves shows that the values agree",
        ]
        assert run("compare", "0.77", "0.6", "-n", "12").stdout.splitlines() == [
            "octal{0.77} and octal{0.6} first differ at heap 1",
            "no shift by up to 3 makes their values equal up to heap 12",
        ]
        assert json.loads(run("compare", "0.161", "0.36", "--json").stdout)["first_difference"] == 519


class TestPictures:
    @pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
    def test_kinds(self, kind, start, tmp_path):
        game = heaps.octal("0.77")
        found, values = game.period(1000), game.grundy_values(300)
        plot, table = tmp_path / f"plot.{kind}", tmp_path / f"table.{kind}"
        study.plot_heaps(game.name, values, plot, rares=study.rare_heaps(game, values), period=found)
        study.plot_period(found, table)
        assert plot.read_bytes().startswith(start)
        assert table.read_bytes().startswith(start)

    def test_the_table_holds_each_value(self, tmp_path):
        import matplotlib as mpl

        found = heaps.subtraction([2, 3, 7]).period(100)
        with mpl.rc_context({"svg.fonttype": "none"}):
            study.plot_period(found, tmp_path / "table.svg")
        assert (tmp_path / "table.svg").read_text().count(">2</text>") == 1

    def test_long_sequences(self, tmp_path):
        game = heaps.octal("0.156")
        study.plot_heaps(game.name, game.grundy_values(21_000), tmp_path / "density.png")
        study.plot_period(game.period(20_000), tmp_path / "table.png")
        assert (tmp_path / "density.png").stat().st_size > 10_000
        assert (tmp_path / "table.png").stat().st_size > 10_000

    def test_other_names_are_refused(self, tmp_path):
        with pytest.raises(FormatError, match=r"expected a file name that ends in .svg, .png or .pdf"):
            study.plot_heaps("x", np.zeros(3, np.uint16), tmp_path / "x.gif")


class TestCommand:
    def test_statistics(self):
        record = json.loads(run("0.77", "-n", 300, "--stats", "--json").stdout)
        assert (record["maximum"], record["maximum_heap"], record["p_heaps"]) == (8, 27, [0])
        assert "largest value: 8, first at heap 27; 9 distinct values" in run("0.77", "-n", 300, "--stats").stdout

    def test_resume(self, tmp_path):
        path = tmp_path / "kayles.values"
        assert run("0.77", "-n", 30, "--resume", path).stdout == ""
        assert run("0.77", "-n", 50, "--resume", path, "--csv").stdout == run("0.77", "-n", 50, "--csv").stdout
        assert run("0.07", "-n", 50, "--resume", path).exit_code == 2

    def test_certificate(self, tmp_path):
        path = tmp_path / "kayles.json"
        assert run("0.77", "--period", "--certificate", path).exit_code == 0
        assert run("check", path, "--heap", 10**18).stdout.splitlines()[1] == "heap 1000000000000000000: 1"
        path.write_text(path.read_text().replace("0.77", "0.76"))
        result = run("check", path)
        assert (result.exit_code, result.stdout) == (2, "wrong: octal{0.76}: heap 2 has the value 0, not 2\n")

    def test_pictures(self, tmp_path):
        plot, table = tmp_path / "plot.svg", tmp_path / "table.svg"
        assert run("0.77", "--period", "--plot", plot, "--plot-period", table).exit_code == 0
        assert plot.exists()
        assert table.exists()
        assert "add --period" in run("0.77", "--plot-period", table).stderr
