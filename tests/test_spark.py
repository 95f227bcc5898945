"""What surrounds the pass on Apache Spark: tokens, checks, rules, errors, commands."""

from __future__ import annotations

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
    OptionError,
    RulesetError,
    TokenError,
    UnknownPositionError,
)
from graphgame.games.cutting import Cutting
from graphgame.games.wythoff import Wythoff
from graphgame.rules.ruleset import CodedRuleset, Sum
from graphgame.scale import spark
from graphgame.scale.spark import session
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
            (GOOD[:2], "a", "an option has no value"),
            (GOOD[1:], "a", "it has no value"),
            ([("a", 1, "N"), *GOOD[1:]], "a", "an option has its value 1 too"),
            ([("a", 3, "N"), *GOOD[1:]], "a", "no option has a certain value below 3"),
            ([*GOOD, ("c", 0, "P")], "c", "it has 2 values"),
            ([*GOOD[:2], ("c", 0, "N")], "c", "its value is 0, which is not its outcome"),
        ],
    )
    def test_each_way_to_be_wrong(
        self, local, rows: list[tuple[object, ...]], position: object, reason: object
    ) -> None:
        columns = dict(zip(("position", "grundy", "outcome"), map(list, zip(*rows, strict=True)), strict=True))
        report = spark.verify(frame(local, EDGES), frame(local, columns))
        assert (bool(report), report.position, report.reason) == (position is None, position, reason)

    @pytest.mark.parametrize(("value", "reason"), [(0, None), (1, "its value is 1, and its parts have the nim-sum 0")])
    def test_sums(self, local, value: int, reason: str | None) -> None:
        values = frame(local, {"position": ["a", "b", "c", "s"], "grundy": [1 + value, 1, 0, value]})
        assert spark.verify(frame(local, SUM), values, sums="pair").reason == reason

    def test_a_cycle_of_values_that_agree(self, local) -> None:
        edges = frame(local, {"source": [1, 2, 3], "target": [2, 1, 1], "rank": [1, 2, 3]})
        values = frame(local, {"position": [1, 2, 3], "grundy": [0, 1, 1]})
        with pytest.raises(CycleError) as caught:
            spark.verify(edges, values)
        assert sorted(caught.value.cycle) == [1, 2]
        with pytest.raises(OptionError, match="from rank 1 to rank 2"):
            spark.verify(edges, values, rank="rank")
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
        rules = Cutting()

        def position(code: int) -> object:
            if code < 2**32:
                return rules.decode(code)
            return Sum([rules.decode((code >> 32) - 1), rules.decode(code & 0xFFFFFFFF)])

        edges = spark.explore(local, rules, Sum([(6, 6), (3, 2)]))
        want = graphgame.solve(graphgame.explore(rules, Sum([(6, 6), (3, 2)])))
        for strategy in ("levels and a task", "windows"):
            values = spark.solve(edges, **STRATEGIES[strategy])
            assert {position(code): g for code, g in collected(values).items()} == dict(want.grundy)
        assert edges.where("sum").count() == 2 * want.graph.sums.sum()
        assert spark.verify(edges, values, rank="rank")

    def test_limits(self, local) -> None:
        with pytest.raises(LimitError, match="max_positions=3"):
            spark.explore(local, Wythoff(), (5, 6), max_positions=3)

    def test_errors(self, local) -> None:
        with pytest.raises(RulesetError, match="one column for some positions and two for others"):
            spark.explore(local, OneThenTwo())
        wide = Cutting()
        wide.size = 2**31
        with pytest.raises(RulesetError, match="expected at most 2147483647"):
            spark.explore(local, wide, (8, 8))


class TestErrors:
    @pytest.mark.parametrize(
        ("columns", "rows", "options", "error", "message"),
        [
            ("source int, target int", [(1, 0)], {"strategy": "best"}, OptionError, "unknown strategy"),
            ("source int, target int", [(1, 0)], {"strategy": "windows"}, OptionError, "needs a rank"),
            ("source int, target int", [(1, 0)], {"task_edges": -1}, OptionError, "0 or more"),
            ("source int, target int", [(1, 0)], {"sums": "target"}, OptionError, "of true and false"),
            ("source int, to int", [(1, 0)], {}, OptionError, "no column 'target'"),
            ("source int, target string", [(1, "0")], {}, FormatError, "or strings"),
            ("source double, target double", [(1.0, 0.0)], {}, FormatError, "double"),
            ("source int, target int", [(None, 0)], {}, FormatError, "is null"),
            ("source int, target int", [(-1, 0)], {}, FormatError, "negative"),
        ],
    )
    def test_input(self, local, columns: str, rows: list[object], options: dict, error: type, message: str) -> None:
        with pytest.raises(error, match=message):
            spark.solve(local.createDataFrame(rows, columns), **options)


class TestInstallation:
    @pytest.fixture
    def path(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
        """The only place to find programs; and no session runs."""
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

    def test_without_the_extra(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "pyspark.sql", None)
        with pytest.raises(MissingExtraError, match=r"graphgame\[spark\]"):
            session.check_installed()


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
        ("arguments", "message"),
        [
            (["none", "-o", "out"], "Path does not exist"),
            (["edges", "-o", "edges/"], "--output edges/ is read as well: choose another path"),
            (["edges", "-o", "out", "--conf", "memory"], "--conf memory: expected KEY=VALUE"),
        ],
    )
    def test_errors_are_one_line(self, local, arguments: list[str], message: str) -> None:
        result = CliRunner().invoke(main, ["spark", "solve", *arguments])
        assert result.exit_code == 2
        assert result.stderr.startswith("graphgame: error: ")
        assert message in result.stderr
        assert len(result.stderr.splitlines()) == 1
