"""Figures, comparisons, searches and pictures of heap games; values in files, kept through a killed process."""

import csv
import json
import os
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import FormatError, LimitError, OptionError, ParseError, heaps
from graphgame.cli import main
from graphgame.export import heap_plots
from graphgame.heaps import study
from graphgame.heaps.equivalence import same_moves
from graphgame.heaps.packed import PackedValues
from graphgame.heaps.search import SearchRow, codes, search, write_rows
from graphgame.heaps.storage import load_values, resumed_period, resumed_values, save_values

DOCS = Path(__file__).parents[2] / "docs"
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
        with pytest.raises(OptionError, match="invalid shift 8"):
            study.compare(heaps.octal("0.77"), heaps.octal("0.07"), 10)

    def test_command(self):
        assert run("compare", "0.137", "0.07").stdout.splitlines() == [
            "octal{0.137} and octal{0.07} first differ at heap 1",
            "heap n of octal{0.137} has the value of heap n + 1 of octal{0.07}",
            "proved for all heaps: the moves of each are as good as moves of the other",
        ]
        assert json.loads(run("compare", "0.161", "0.36", "--json").stdout)["first_difference"] == 519


class TestSearch:
    def test_every_code_has_its_period_in_one_row(self):
        rows = search("0.dd", 600)
        listed = [code for row in rows for code in (row.code, *row.same_as)]
        assert sorted(listed) == codes("0.dd")
        for row in rows:
            for code in (row.code, *row.same_as):
                found = heaps.octal(code).period(600)
                assert (found and found.period) == row.period
        assert len(rows) < 40

    def test_two_threads_find_the_same(self):
        assert search("0.dd", 3000, jobs=2, engine="compiled") == search("0.dd", 3000, jobs=1)

    def test_stopped_threads_end_and_the_file_keeps_what_they_found(self, tmp_path):
        path, done = tmp_path / "search.json", []

        def stop(*counts):
            done.append(counts)
            if len(done) == 12:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            search("0.dd", 10**9, jobs=2, resume=path, progress=stop)
        assert [count for count, _ in done] == list(range(1, 13))
        assert len(json.loads(path.read_text())["rows"]) == 12

    def test_resumed(self, tmp_path, monkeypatch):
        path = tmp_path / "search.json"
        rows = search("0.0d", 300, resume=path)
        monkeypatch.setattr("graphgame.heaps.search._row", None)
        assert search("0.0d", 300, resume=path) == rows
        with pytest.raises(ParseError, match=r"to heap 300, not of 0\.0d to 299"):
            search("0.0d", 299, resume=path)
        path.write_text(path.read_text().replace('"period": 34', '"period": 35'))
        with pytest.raises(ParseError, match="the file is damaged: start anew"):
            search("0.0d", 300, resume=path)

    def test_only_some_rows(self):
        assert run("search", "0.0d", "--only", "open").stdout.splitlines()[1:] == ["0.04,,,,,,", "0.06,,,,,,"]
        proved = run("search", "0.0d", "--only", "solved")
        assert [line.split(",")[0] for line in proved.stdout.splitlines()[1:]] == ["0.01", "0.02", "0.05", "0.07"]
        assert "7 codes, 6 different games, 4 with a proved period" in proved.stderr

    def test_certificates(self, tmp_path):
        folder, kept = tmp_path / "proofs", tmp_path / "search.json"
        rows = search("0.7d", 3000, certificates=folder, resume=kept)
        files = sorted(folder.iterdir())
        assert [file.stem for file in files] == [row.code for row in rows if row.period is not None]
        result = run("check", *files)
        assert (result.exit_code, result.stdout.count("right: ")) == (0, len(files))
        files[0].unlink()
        files[-1].write_text(files[-1].read_text().replace('"last_heap": 167', '"last_heap": 168'))
        assert search("0.7d", 3000, certificates=folder, resume=kept) == rows
        result = run("check", files[-1], files[0])
        assert (result.exit_code, [line.split()[0] for line in result.stdout.splitlines()]) == (2, ["wrong:", "right:"])

    def test_what_is_proved_by_fewer_heaps_is_not_searched_again(self, tmp_path, monkeypatch):
        path, tried = tmp_path / "search.json", []
        search("0.dd", 300, resume=path)
        found = search("0.dd", 600)
        find = heaps.HeapGame.period
        monkeypatch.setattr(
            heaps.HeapGame, "period", lambda game, *rest, **more: tried.append(game) or find(game, *rest, **more)
        )
        assert search("0.dd", 600, resume=path) == found
        assert len(tried) == sum(row.period is None or row.last_heap > 300 for row in found)

    def test_tables(self, tmp_path):
        import pyarrow.parquet as pq

        rows = search("0.0d", 300)
        for kind in ("csv", "json", "parquet"):
            write_rows(rows, tmp_path / f"rows.{kind}")
        with (tmp_path / "rows.csv").open() as stream:
            from_csv = list(csv.DictReader(stream))
        from_json = json.loads((tmp_path / "rows.json").read_text())
        assert from_json[1]["same_as"] == ["0.03"]
        for row in from_json:
            row["same_as"] = " ".join(row["same_as"])
        assert pq.read_table(tmp_path / "rows.parquet").to_pylist() == from_json
        assert [{k: "" if v is None else str(v) for k, v in row.items()} for row in from_json] == from_csv
        assert from_json[-1]["period"] == 34

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["zz"], "expected a pattern"),
            (["0.8z"], "'z' is not a digit"),
            (["0.dz"], "1:4: 'z' is not a digit of this code: expected 0..9, A..V, * or {...}\n    0.dz\n       ^"),
            (["0.d.d"], "1:4: '.' is not a digit"),
            (["0.ddddddd"], "2,097,152 codes: expected at most 262,144"),
            (["0.d", "-o", "x.txt"], "expected .csv, .json, .tex, .parquet"),
        ],
    )
    def test_wrong_input(self, arguments, message):
        result = run("search", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr

    def test_too_many(self):
        with pytest.raises(LimitError):
            codes("0.xxxxx")


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
            (lambda data: b"", "no graphgame heap values: compute the values again, to another file"),
            (lambda data: data.replace(b'"version": 2', b'"version": 1'), "of version 1, not 2"),
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
        with pytest.raises(OptionError, match=r"invalid heap 1000000000000: expected 0\.\.2147483646"):
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
            "from graphgame import heaps; from graphgame.heaps.storage import resumed_values; import sys;"
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


class TestPictures:
    @pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
    def test_kinds(self, kind, start, tmp_path):
        game = heaps.octal("0.77")
        found, values = game.period(1000), game.grundy_values(300)
        plot, table = tmp_path / f"plot.{kind}", tmp_path / f"table.{kind}"
        heap_plots.plot_heaps(game.name, values, plot, rares=study.rare_heaps(game, values), period=found)
        heap_plots.plot_period(found, table)
        assert plot.read_bytes().startswith(start)
        assert table.read_bytes().startswith(start)

    def test_the_table_holds_each_value(self, tmp_path):
        import matplotlib as mpl

        found = heaps.subtraction([2, 3, 7]).period(100)
        with mpl.rc_context({"svg.fonttype": "none"}):
            heap_plots.plot_period(found, tmp_path / "table.svg")
        assert (tmp_path / "table.svg").read_text().count(">2</text>") == 1

    def test_long_sequences(self, tmp_path):
        game = heaps.octal("0.156")
        heap_plots.plot_heaps(game.name, game.grundy_values(21_000), tmp_path / "density.png")
        heap_plots.plot_period(game.period(20_000), tmp_path / "table.png")
        assert (tmp_path / "density.png").stat().st_size > 10_000
        assert (tmp_path / "table.png").stat().st_size > 10_000

    def test_other_names_are_refused(self, tmp_path):
        with pytest.raises(FormatError, match=r"expected a name in .svg, .png or .pdf"):
            heap_plots.plot_heaps("x", np.zeros(3, np.uint16), tmp_path / "x.gif")


class TestCommand:
    def test_statistics(self):
        record = json.loads(run("0.77", "-n", 300, "--stats", "--json").stdout)
        assert (record["maximum"], record["maximum_heap"], record["p_heaps"]) == (8, 27, [0])
        assert "largest value: 8, first at heap 27; 9 different values" in run("0.77", "-n", 300, "--stats").stdout

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


MADE = runpy.run_path(str(DOCS / "make_octal.py"))
PAGE = (DOCS / "octal-codes.md").read_text(encoding="utf-8")


def read_row(line):
    """Return the row of the search that a line of the page of octal codes shows."""
    code, same_as, _, *numbers, _ = line[2:-2].split(" | ")
    first, period, last = (int(number.replace(",", "")) if number.strip() else None for number in numbers)
    more = tuple(f"0{other}" for other in same_as.split(", ") if other)
    return SearchRow(code.strip("`"), more, first, period, last_heap=last)


class TestTheTableOfTheDocuments:
    ROWS = tuple(read_row(line) for line in PAGE.splitlines() if line.startswith("| `"))

    def test_its_text(self):
        assert MADE["page"](list(self.ROWS)) == PAGE

    def test_its_periods(self):
        rows = [row for row in self.ROWS if row.period and row.last_heap < 20_000]
        found = [heaps.game(row.code).period(row.last_heap) for row in rows]
        shown = [(row.preperiod, row.period, row.last_heap) for row in rows]
        assert [(each.preperiod, each.period, each.last_heap) for each in found] == shown
        assert len(rows) == 75

    def test_it_agrees_with_what_is_published(self):
        for row in filter(lambda row: row.period, self.ROWS):
            assert {each.period for each in MADE["in_print"](row)} <= {row.period}
            open_elsewhere = MADE["unsolved"]().difference(MADE["SOLVED_ELSEWHERE"])
            assert open_elsewhere.isdisjoint((row.code, *row.same_as))
            for each in MADE["in_print"](row):
                exception = row.preperiod - 1 if row.preperiod else None
                assert each.code != row.code or each.last_exception == exception

    def test_codes_of_other_tables(self):
        same = MADE["same"]
        assert same("0.07", "0.137")
        assert same("0.017", "0.1137")
        assert not same("0.161", "0.36")
