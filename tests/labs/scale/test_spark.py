"""What surrounds the pass on Apache Spark: tokens, checks, rules, errors, commands."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import graphgame
from graphgame.cli import main
from graphgame.errors import (
    CycleError,
    FormatError,
    GraphGameError,
    LimitError,
    MissingExtraError,
    ParameterError,
    ParseError,
    RulesetError,
    TokenError,
    UnknownPositionError,
)
from graphgame.labs.coded import CodedRuleset
from graphgame.labs.scale import spark
from graphgame.labs.scale.spark import session
from graphgame.labs.scale.spark.session import Folder
from graphgame.labs.scale.spark.solution import Output
from graphgame.labs.tables.wythoff import Wythoff
from graphgame.rules.ruleset import Sum
from graphgame.text.languages import render, using
from tests.labs.bitboards.coded_cutting import CodedCutting
from tests.labs.bitboards.test_coded import CodedKayles
from tests.spark_games import STRATEGIES, collected

pytestmark = pytest.mark.filterwarnings("default")

EDGES = {"source": ["a", "a", "b"], "target": ["b", "c", "c"]}
SUM = {
    "source": ["a", "a", "s", "s", "b"],
    "target": ["s", "c", "b", "b", "c"],
    "pair": [False, False, True, True, None],
}


def frame(local, columns: dict[str, list[object]]):
    return local.createDataFrame(pa.table(columns))


class TestTokens:
    def test_verdict(self, local) -> None:
        edges = frame(local, EDGES)
        values, found = spark.solve(edges, tokens=["a", "b", "b"])
        assert (found.values, found.nim_sum, found.winner) == ((2, 1, 1), 2, "first")
        assert found.winning_moves == [graphgame.Move(0, "a", "c")]
        assert spark.verdict(edges, values, ["c"]).winner == "second"
        assert spark.verdict(edges, values, []).winner == "second"
        with pytest.raises(UnknownPositionError):
            spark.verdict(edges, values, ["z"])
        with pytest.raises(TokenError):
            spark.verdict(edges, values, "a")

    def test_sums(self, local) -> None:
        values, found = spark.solve(frame(local, SUM), sums="pair", tokens=["a"])
        assert collected(values) == {"a": 1, "s": 0, "b": 1, "c": 0}
        assert found.winning_moves == [graphgame.Move(0, "a", "c"), graphgame.Move(0, "a", "s")]
        with pytest.raises(TokenError, match="stands on a sum"):
            spark.verdict(frame(local, SUM), values, ["s"], sums="pair")


class TestVerify:
    GOOD = (("a", 2, "N"), ("b", 1, "N"), ("c", 0, "P"))

    @pytest.mark.parametrize(
        ("rows", "position", "reason"),
        [
            (GOOD, None, None),
            (GOOD[:2], "a", "an option or part has no value"),
            (GOOD[1:], "a", "the position has no value"),
            ([("a", 1, "N"), *GOOD[1:]], "a", "the value 1 is wrong: an option has the same value"),
            ([("a", 3, "N"), *GOOD[1:]], "a", "the value 3 is wrong: a smaller value is missing among the options"),
            ([*GOOD, ("c", 0, "P")], "c", "the position has 2 values"),
            ([*GOOD[:2], ("c", 0, "N")], "c", "the outcome does not fit the value 0"),
        ],
    )
    def test_each_way_to_be_wrong(
        self, local, rows: list[tuple[object, ...]], position: object, reason: object
    ) -> None:
        columns = dict(zip(("position", "grundy", "outcome"), map(list, zip(*rows, strict=True)), strict=True))
        report = spark.verify(frame(local, EDGES), frame(local, columns))
        assert (bool(report), report.position, report.reason) == (position is None, position, reason)
        assert (report.faults, report.wrong) == ((((position, reason),), 1) if reason else ((), 0))
        with using("zh"):
            assert reason is None or render(report.reason) != reason

    @pytest.mark.parametrize(
        ("value", "reason"), [(0, None), (1, "the value 1 is wrong: the xor of the parts' values is 0")]
    )
    def test_sums(self, local, value: int, reason: str | None) -> None:
        values = frame(local, {"position": ["a", "b", "c", "s"], "grundy": [1 + value, 1, 0, value]})
        assert spark.verify(frame(local, SUM), values, sums="pair").reason == reason

    def test_a_cycle_of_values_that_agree(self, local) -> None:
        edges = frame(local, {"source": [1, 2, 3], "target": [2, 1, 1], "rank": [1, 2, 3]})
        values = frame(local, {"position": [1, 2, 3], "grundy": [0, 1, 1]})
        with pytest.raises(CycleError) as caught:
            spark.verify(edges, values)
        assert sorted(caught.value.cycle) == [1, 2]
        with pytest.raises(ParameterError, match="from rank 1 to rank 2"):
            spark.verify(edges, values, rank="rank")
        with pytest.raises(ParameterError, match="the edges have no column 'level'"):
            spark.verify(edges, values, rank="level")
        without = frame(
            local, {"source": [1, 2, 3], "target": [2, 1, 1], "rank": pa.array([None, None, 1], pa.int64())}
        )
        with pytest.raises(FormatError, match="the rank is null in 2 of the rows"):
            spark.verify(without, values, rank="rank")
        ranked = frame(local, {"source": [1, 2], "target": [0, 0], "rank": [5, 5]})
        assert spark.verify(ranked, frame(local, {"position": [0, 1, 2], "grundy": [0, 1, 1]}), rank="rank")


class OneThenTwo(CodedRuleset):
    """Rules whose moves split only far from the start."""

    size = 8
    start = 7

    def option_codes(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows = np.flatnonzero(codes > 0)
        options = codes[rows] - 1
        return rows, options if codes[0] > 5 else np.stack([options, options], axis=1)


OWN = """
from dataclasses import dataclass

import numpy as np

from graphgame import CodedRuleset

STEPS = (1, 3)


@dataclass
class Step:
    most: int


class Walks(CodedRuleset):
    def option_codes(self, codes):
        steps = [step for step in STEPS if step <= Step(3).most]
        rows = np.repeat(np.arange(len(codes)), len(steps))
        options = np.repeat(codes, len(steps)) - np.tile(steps, len(codes))
        return rows[options >= 0], options[options >= 0]


class Walk(Walks):
    size = 100
    start = 9
"""


class TestExplore:
    def test_explore_and_solve(self, local) -> None:
        edges = spark.explore(local, Wythoff(), (3, 4))
        values = spark.solve(edges, rank="rank", strategy="windows", task_edges=30, partitions=2)
        want = graphgame.solve(graphgame.explore(Wythoff(), (3, 4)))
        assert {Wythoff().decode(code): g for code, g in collected(values).items()} == dict(want.grundy)

    def test_moves_that_split_the_game(self, local) -> None:
        rules = CodedKayles()

        def position(code: int) -> object:
            if code < 2**32:
                return rules.decode(code)
            return Sum([rules.decode((code >> 32) - 1), rules.decode(code & 0xFFFFFFFF)])

        edges = spark.explore(local, rules, Sum([12, 7]))
        want = graphgame.solve(graphgame.explore(rules, Sum([12, 7])))
        for strategy in ("levels and a task", "windows"):
            values = spark.solve(edges, **STRATEGIES[strategy])
            assert {position(code): g for code, g in collected(values).items()} == dict(want.grundy)
        assert edges.where("sum").count() == 2 * want.graph.sums.sum()
        assert spark.verify(edges, values, rank="rank")

    def test_limits(self, local) -> None:
        with pytest.raises(LimitError, match="max_positions=3"):
            spark.explore(local, Wythoff(), (5, 6), max_positions=3)

    def test_a_folder_of_others_stays_as_it_is(self, local, tmp_path: Path) -> None:
        (tmp_path / "edges").mkdir()
        (tmp_path / "edges" / "thesis.txt").write_text("mine")
        with pytest.raises(ParameterError, match=r"holds other files \(edges\)"):
            spark.explore(local, Wythoff(), (1, 2), path=str(tmp_path))
        assert [entry.name for entry in (tmp_path / "edges").iterdir()] == ["thesis.txt"]
        counts = [spark.explore(local, Wythoff(), (0, 1), path=str(tmp_path / "own")).count() for _ in range(2)]
        assert counts == [2, 2], "replaced what was explored before"

    def test_errors(self, local) -> None:
        with pytest.raises(
            RulesetError,
            match=r"^the method option_codes of OneThenTwo returned arrays of one column .* two columns for others$",
        ) as found:
            spark.explore(local, OneThenTwo())
        with using("zh"):
            assert (
                render(str(found.value))
                == "OneThenTwo 的方法 option_codes 对有些局面返回一列的数组，对另一些局面返回两列的数组"
            )
        wide = CodedKayles()
        wide.size = 2**31
        with pytest.raises(RulesetError, match="must be at most 2147483647, but it is 2147483648"):
            spark.explore(local, wide, 8)
        with pytest.raises(RulesetError, match="CodedCutting: a move can end play at once"):
            spark.explore(local, CodedCutting(), (4, 2))


class TestErrors:
    @pytest.mark.parametrize(
        ("columns", "rows", "options", "error", "message"),
        [
            ("source int, target int", [(1, 0)], {"strategy": "best"}, ParameterError, "unknown strategy"),
            ("source int, target int", [(1, 0)], {"strategy": "windows"}, ParameterError, "needs a rank"),
            ("source int, target int", [(1, 0)], {"task_edges": -1}, ParameterError, "0 or more"),
            ("source int, target int", [(1, 0)], {"checkpoint_every": 0}, ParameterError, "every 0: .* 1 or more"),
            ("source int, target int", [(1, 0)], {"partitions": 0}, ParameterError, "partitions 0: .* 1 or more"),
            ("source int, target int", [(1, 0)], {"sums": "target"}, ParameterError, "no boolean column 'target'"),
            ("source int, to int", [(1, 0)], {}, ParameterError, "no column 'target'"),
            ("source int, target string", [(1, "0")], {}, FormatError, "or all hold strings"),
            ("source double, target double", [(1.0, 0.0)], {}, FormatError, "double"),
            ("source int, target int", [(None, 0)], {}, FormatError, "is null"),
            ("source int, target int", [(-1, 0)], {}, FormatError, "negative"),
        ],
    )
    def test_input(self, local, columns: str, rows: list[object], options: dict, error: type, message: str) -> None:
        with pytest.raises(error, match=message):
            spark.solve(local.createDataFrame(rows, columns), **options)


class TestOutput:
    @pytest.fixture
    def path(self, local, tmp_path: Path) -> Path:
        """A table that was written here."""
        path = tmp_path / "some tables" / "n%20.parquet"
        Output(local, str(path)).write(frame(local, {"n": [1, 2]}))
        return path

    def test_is_replaced_as_a_whole(self, local, path: Path) -> None:
        link = path.parent / "link"
        link.symlink_to(path.name)
        for number, name in enumerate((str(path), f"file:{path}", str(link), f"{path}/")):
            Output(local, name).write(frame(local, {"n": [number]}))
            assert pq.read_table(path).column("n").to_pylist() == [number]
            assert local.read.parquet(str(path)).count() == 1
            assert {entry.name for entry in path.parent.iterdir()} == {path.name, link.name}

    def test_an_empty_folder_is_taken(self, local, tmp_path: Path) -> None:
        (tmp_path / "new").mkdir()
        Output(local, str(tmp_path / "new")).write(frame(local, {"n": [1]}))
        assert pq.read_table(tmp_path / "new").num_rows == 1

    def test_files_that_others_put_there_are_not_lost(self, local, path: Path) -> None:
        out = Output(local, str(path))
        (path / "thesis.txt").write_text("mine")
        with pytest.raises(ParameterError, match=r"holds other files \(thesis\.txt\)"):
            Output(local, str(path))
        with pytest.raises(ParameterError, match=r"holds other files \(thesis\.txt\)"):
            out.write(frame(local, {"n": [3]}))
        assert pq.read_table(next(path.glob("*.parquet"))).num_rows > 0
        assert [entry.name for entry in path.parent.iterdir()] == [path.name]

    def test_what_fails_leaves_the_table_of_before(self, local, path: Path) -> None:
        out = Output(local, str(path))
        with pytest.raises(Exception, match="division by zero"):
            out.write(frame(local, {"n": [1, 0]}).selectExpr("raise_error('division by zero') as n"))
        assert pq.read_table(path).num_rows == 2
        assert [entry.name for entry in path.parent.iterdir()] == [path.name]

    def test_the_current_folder(self, local, tmp_path: Path) -> None:
        (tmp_path / "here" / "deeper").mkdir(parents=True)
        with contextlib.chdir(tmp_path / "here" / "deeper"):
            for folder in (tmp_path / "here" / "deeper", tmp_path / "here"):
                with pytest.raises(
                    ParameterError, match="contains the current folder, and would replace it: choose another output"
                ):
                    Output(local, str(folder))

    @pytest.mark.parametrize("damage", [lambda text: text[:-1], lambda text: text.replace("part", "port", 1)])
    def test_a_damaged_record(self, local, path: Path, damage) -> None:
        record = path / "_graphgame.json"
        record.write_text(damage(record.read_text()))
        with pytest.raises(ParseError, match=r"_graphgame\.json: the file is damaged: choose another path, or delete"):
            Output(local, str(path))


class TestInstallation:
    @pytest.fixture
    def path(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
        """The only place to find programs; and no session runs."""
        pytest.importorskip("pyspark", reason="needs pyspark: pip install pyspark")
        from pyspark.sql import SparkSession

        monkeypatch.delenv("JAVA_HOME", raising=False)
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
        return tmp_path

    @pytest.mark.usefixtures("path")
    def test_without_java(self) -> None:
        with pytest.raises(GraphGameError, match="apt install openjdk-17-jre-headless"):
            session.check_installed()

    @pytest.mark.parametrize("told", ["1.8.0_392", "11.0.21", "17.0.1", "21", "unknown"])
    def test_the_version_of_java(self, path: Path, told: str) -> None:
        program = path / "java"
        program.write_text(f"#!/bin/sh\necho 'openjdk version \"{told}\" 2023-10-17' >&2\n")
        program.chmod(0o755)
        old = {"1.8.0_392": "8", "11.0.21": "11"}.get(told)
        if old is None:
            session.check_installed()
        else:
            with pytest.raises(GraphGameError, match=f"needs Java 17 or later, and {program} is Java {old}: install"):
                session.check_installed()

    @pytest.mark.parametrize("text", ["#!/bin/sh\n", "#!/bin/sh\nprintf 'no \\377' >&2\nexit 1\n", "no program"])
    def test_a_java_that_does_not_start(self, path: Path, text: str) -> None:
        program = path / "java"
        program.write_text(text)
        program.chmod(0o755)
        with pytest.raises(GraphGameError, match=f"and {program} -version does not print a version: install it"):
            session.check_installed()

    def test_without_the_extra(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "pyspark.sql", None)
        with pytest.raises(MissingExtraError, match="Apache Spark needs pyspark, numba, pyarrow"):
            session.check_installed()


def in_folder(local, folder: Path, arguments: list[str]):
    """Run a command with this as the current folder, of Python and of Java."""
    path, files = Folder(local, str(folder)).open()
    before = files.getWorkingDirectory()
    files.setWorkingDirectory(path)
    try:
        with contextlib.chdir(folder):
            return CliRunner().invoke(main, ["spark", *arguments], catch_exceptions=False)
    finally:
        files.setWorkingDirectory(before)


class TestCommands:
    def test_explore_solve_verify(self, local, tmp_path: Path) -> None:
        """A person's own rules, which no executor can import."""
        edges, values, own = (str(tmp_path / name) for name in ("edges.parquet", "values.parquet", "own.py"))
        Path(own).write_text(OWN)
        for arguments, answer in (
            (["explore", f"{own}:Walk", "-o", edges], ""),
            (["solve", edges, "-o", values, "--tokens", "9"], "first player wins\n  component 1: 9 -> "),
            (["verify", edges, values], "right: grundy, outcome of all 10 positions\n"),
        ):
            result = CliRunner().invoke(main, ["spark", *arguments], catch_exceptions=False)
            assert result.exit_code == 0, result.output
            assert answer in result.stdout

    @pytest.mark.parametrize(
        ("columns", "tokens"),
        [
            ({"source": ["a", "a, b", "c"], "target": ["b", "a", "b"]}, ["a, b", "c, a"]),
            ({"source": [1, 12, 3], "target": [2, 1, 2]}, ["12", "3,1"]),
        ],
    )
    def test_tokens_in_a_list(self, local, tmp_path: Path, columns: dict[str, list[object]], tokens: list[str]) -> None:
        """A text that is a position is one, though it holds a comma; the values are 0, 1 and 1."""
        edges, values = (str(tmp_path / name) for name in ("edges.parquet", "values.parquet"))
        pq.write_table(pa.table(columns), edges)
        options = [part for text in tokens for part in ("--tokens", text)]
        result = CliRunner().invoke(main, ["spark", "solve", edges, "-o", values, *options], catch_exceptions=False)
        assert result.stdout == "second player wins\n"

    @pytest.mark.parametrize(
        ("output", "message"),
        [
            ("notes", "notes holds other files (thesis.txt): expected an empty folder"),
            ("notes/thesis.txt", "notes/thesis.txt is a file: expected a folder, or the name of a new one"),
            (".", ". and edges.parquet are the same, or one is in the other: choose another output"),
            ("./edges.parquet", "./edges.parquet and edges.parquet are the same"),
            ("file:{here}/edges.parquet", "/edges.parquet and edges.parquet are the same"),
            ("file:///{here}/edges.parquet/", "/edges.parquet/ and edges.parquet are the same"),
            ("{here}/notes/../edges.parquet", "/edges.parquet and edges.parquet are the same"),
            ("link", "link and edges.parquet are the same"),
            ("edges.parquet/values", "edges.parquet/values and edges.parquet are the same, or one is in the other"),
            ("work/values", "work/values and work are the same, or one is in the other"),
            ("more", "more and more/vertices.parquet are the same, or one is in the other"),
            ("{here}", "and edges.parquet are the same, or one is in the other"),
        ],
    )
    def test_no_file_of_others_is_lost(self, local, tmp_path: Path, output: str, message: str) -> None:
        for folder in ("notes", "work", "more"):
            (tmp_path / folder).mkdir()
        (tmp_path / "notes" / "thesis.txt").write_text("mine")
        pq.write_table(pa.table(EDGES), tmp_path / "edges.parquet")
        pq.write_table(pa.table({"v": ["z"]}), tmp_path / "more" / "vertices.parquet")
        (tmp_path / "link").symlink_to("edges.parquet")
        paths = ["edges.parquet", "-o", output, "--checkpoint", "work", "--vertices", "more/vertices.parquet"]
        result = in_folder(local, tmp_path, ["solve", *(path.format(here=tmp_path) for path in paths)])
        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
        assert message in result.stderr
        assert sum(file.is_file() for file in tmp_path.rglob("*")) == 4

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["none", "-o", "out"], "Path does not exist"),
            (["edges", "-o", "edges/"], "edges/ and edges are the same, or one is in the other: choose another output"),
            (["edges", "-o", "out", "--conf", "memory"], "--conf memory: expected KEY=VALUE"),
        ],
    )
    def test_errors_are_one_line(self, local, arguments: list[str], message: str) -> None:
        result = CliRunner().invoke(main, ["spark", "solve", *arguments])
        assert result.exit_code == 2
        assert result.stderr.startswith("graphgame: error: ")
        assert message in result.stderr
        assert len(result.stderr.splitlines()) == 1
