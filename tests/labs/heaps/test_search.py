"""The search of all codes of a pattern, and the table of octal codes that the documents show from one."""

import csv
import json
import runpy

import pytest
from click.testing import CliRunner

from graphgame.cli import main
from graphgame.errors import LimitError, ParseError
from graphgame.labs import heaps
from graphgame.labs.heaps.search import SearchRow, codes, search
from tests import ROOT

DOCS = ROOT / "docs"
MADE = runpy.run_path(str(DOCS / "make_octal.py"))
PAGE = (DOCS / "octal-codes.md").read_text(encoding="utf-8")


def run(*arguments):
    return CliRunner().invoke(main, ["heap", *map(str, arguments)], catch_exceptions=False)


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
        monkeypatch.setattr("graphgame.labs.heaps.search._row", None)
        assert search("0.0d", 300, resume=path) == rows
        with pytest.raises(ParseError, match=r"to heap 300, not of 0\.0d to 299"):
            search("0.0d", 299, resume=path)
        path.write_text(path.read_text().replace('"period": 34', '"period": 35'))
        with pytest.raises(ParseError, match="the file is damaged: start again"):
            search("0.0d", 300, resume=path)

    def test_only_some_rows(self):
        assert run("search", "0.0d", "--only", "open").stdout.splitlines()[1:] == ["0.04,,,,,,", "0.06,,,,,,"]
        proved = run("search", "0.0d", "--only", "solved")
        assert [line.split(",")[0] for line in proved.stdout.splitlines()[1:]] == ["0.01", "0.02", "0.05", "0.07"]
        assert "7 codes, 6 different games, 4 with a proved period" in proved.stderr

    @pytest.mark.parametrize(
        ("pattern", "limit"),
        [("0.8", 1000), ("0.f", 1000), ("0.{1,3}", 1000), ("0.d", 10_000), ("0.{0,1}", 10_000), ("octal{0.d}", 10_000)],
    )
    def test_the_usual_limit_is_lower_if_digits_may_be_above_seven(self, tmp_path, pattern, limit):
        run("search", pattern, "--resume", tmp_path / "a.json")
        assert json.loads((tmp_path / "a.json").read_text())["limit"] == limit

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

        for kind in ("csv", "json", "parquet"):
            assert run("search", "0.0d", "-n", 300, "-o", tmp_path / f"rows.{kind}").exit_code == 0
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
