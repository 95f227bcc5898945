"""Work on disk as real processes: killed, resumed, stopped by a full disk; and the command line."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest

import graphgame
from graphgame.errors import LimitError
from graphgame.labs.scale import StageProgress
from graphgame.labs.scale import disk as external
from graphgame.labs.scale.generators import generate

SLOW = """
import sys, time
from graphgame.labs.scale import disk as external
from graphgame.labs.scale.disk import workdir
workdir.BUCKET_BITS = 4
def pause(stage, done, total):
    print(stage, done, flush=True)
    time.sleep(0.002)
external.solve(sys.argv[1], sys.argv[2], "1MB", progress=pause, engine=sys.argv[3]).close()
"""
CHIPS = "6 8 4\n2 1\n2 4\n1 4\n1 5\n4 5\n1 3\n3 5\n3 6\n1 2 4 6\n"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[int]]:
    graph = generate("layered", vertices=2000, edges=10_000, seed=4, shuffle=True)
    path = tmp_path_factory.mktemp("game") / "game.txt"
    graphgame.write_game(graph, path)
    return path, graphgame.solve(graph).grundy.array.tolist()


def command(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "graphgame", *map(str, arguments)]
    return subprocess.run(line, check=False, text=True, capture_output=True, timeout=60, **options)  # type: ignore[call-overload,no-any-return]


class TestKilled:
    @pytest.mark.long
    @pytest.mark.parametrize("seed", range(3))
    def test_killed_again_and_again(self, game: tuple[Path, list[int]], tmp_path: Path, seed: int) -> None:
        path, expected = game
        moments = random.Random(seed)
        for _ in range(2):
            process = subprocess.Popen(
                [sys.executable, "-c", SLOW, str(path), str(tmp_path / "work"), "plain"], stdout=subprocess.PIPE
            )
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(moments.uniform(0, 0.4))
            process.send_signal(signal.SIGKILL)
            process.communicate()
        with external.solve(path, tmp_path / "work", "1MB", engine="plain") as solution:
            assert solution.values.tolist() == expected

    def test_finished_buckets_are_kept(
        self, game: tuple[Path, list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path, expected = game
        monkeypatch.setattr("graphgame.labs.scale.disk.workdir.BUCKET_BITS", 4)

        class StoppedError(Exception):
            pass

        def stop(stage: str, done: int, total: int | None) -> None:
            if (stage, done) == ("grouping", 50):
                raise StoppedError

        for engine in ("plain", "compiled"):
            work, done = tmp_path / engine, []
            with pytest.raises(StoppedError):
                external.solve(path, work, engine=engine, progress=stop)
            with (work / "indices").open("ab") as stream:
                stream.write(b"half a bucket")
            report = {"progress": lambda stage, at, total, done=done: done.append((stage, at)), "engine": engine}
            with external.solve(path, work, **report) as solution:  # type: ignore[arg-type]
                assert solution.values.tolist() == expected
            assert ("grouping", 51) in done
            assert ("grouping", 50) not in done


class TestFullDisk:
    def test_what_is_there_counts_as_room(
        self, game: tuple[Path, list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path, expected = game
        monkeypatch.setattr("graphgame.labs.scale.disk.workdir.BUCKET_BITS", 4)
        work, free = tmp_path / "work", [10**9]
        usage = SimpleNamespace(disk_usage=lambda _: SimpleNamespace(free=free[0]))
        monkeypatch.setattr("graphgame.labs.scale.disk.workdir.shutil", usage)

        def stop_at(*moment: object) -> StageProgress:
            def stop(stage: str, done: int, total: int | None) -> None:
                if (stage, done) == moment:
                    raise KeyboardInterrupt

            return stop

        with pytest.raises(KeyboardInterrupt):
            external.solve(path, work, progress=stop_at("grouping", 50))
        held = sum((work / name).stat().st_size for name in ("pointers", "indices", "roots"))
        assert held > 0
        need = 4 * 10_000 + 20 * len(expected)
        free[0] = need - held - 1
        with pytest.raises(LimitError, match=r"sorting [0-9,]+ edges needs about"):
            external.solve(path, work)
        free[0] += 1
        with external.solve(path, work) as solution:
            assert solution.values.tolist() == expected

    @pytest.mark.long
    @pytest.mark.parametrize("size", [2_000, 70_000, 100_000])
    def test_what_is_finished_is_kept(self, game: tuple[Path, list[int]], tmp_path: Path, size: int) -> None:
        """At 2 kB the edges do not fit, at 70 kB neither: 100 kB hold them and all that follows."""
        path, expected = game
        limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}));"
        work = tmp_path / "work"
        program = f"{limit} from graphgame.cli import main; main(sys.argv[1:])"
        line = [sys.executable, "-c", f"import sys; {program}", "solve", str(path), "--verdict"]
        done = subprocess.run([*line, "--workdir", str(work), "--keep"], text=True, capture_output=True, check=False)
        if size < 80_000:
            assert done.returncode == 2
            assert (
                "File too large: the finished part of the work is saved, so free some space and run the command again"
                in done.stderr
            )
            assert "Traceback" not in done.stderr
        else:
            assert done.returncode == 0
        with external.solve(path, work) as solution:
            assert solution.values.tolist() == expected


class TestCommand:
    @pytest.fixture
    def chips(self, tmp_path: Path) -> Path:
        path = tmp_path / "chips.txt"
        path.write_text(CHIPS)
        return path

    def test_values_and_nothing_left_behind(self, chips: Path, tmp_path: Path) -> None:
        work, values = tmp_path / "work", tmp_path / "values.parquet"
        done = command("solve", chips, "--workdir", work, "--values", values)
        assert done.returncode == 0
        assert done.stdout.startswith("first player wins\n")
        assert "  component 1: 1 -> 3\n  component 1: 1 -> 4\n" in done.stdout
        assert done.stderr.splitlines()[1:] == [f"graphgame: wrote {values}"]
        assert pq.read_table(values).column("grundy").to_pylist() == [2, 0, 1, 1, 0, 0]
        assert not work.exists()

    def test_kept_work_answers_at_once(self, chips: Path, tmp_path: Path) -> None:
        work = tmp_path / "work"
        assert command("solve", chips, "--workdir", work, "--keep", "--verdict").stdout == "win\n"
        again = command("solve", chips, "--workdir", work, "--tokens", "2, 6", "--json")
        assert json.loads(again.stdout)["winner"] == "second"
        assert again.stderr == ""

    def test_standard_input(self, tmp_path: Path) -> None:
        done = command("solve", "-", "--workdir", tmp_path / "work", "--verdict", input=CHIPS)
        assert (done.returncode, done.stdout) == (0, "win\n")

    def test_positions_that_no_move_leads_to(self, tmp_path: Path) -> None:
        path = tmp_path / "game.edges"
        path.write_text("a b\nb c\n")
        done = command("solve", path, "--workdir", tmp_path / "work")
        assert done.stdout.splitlines()[:3] == [
            "positions that no move leads to",
            "component  position  value  outcome  remoteness",
            "        1  a             0  P                 -",
        ]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--workdir", "w", "--misere"], "need the whole game in memory"),
            (["--workdir", "w", "--draw", "x.svg"], "need the whole game in memory"),
            (["--workdir", "w", "--values", "x.csv"], "choose a file name for --values that ends in .parquet"),
            (["--workdir", "w", "--memory", "much"], "expected a number of bytes such as 500MB or 2GB"),
            (["--workdir", "w", "--memory", "100"], "the limit is 100 B; --memory allows more"),
            (
                ["--workdir", "w", "--tokens", "9"],
                "position '9' is not a vertex of the graph: its positions are 1 to 6",
            ),
            (["--memory", "1GB"], "can be used only together with --workdir"),
            (["--keep"], "can be used only together with --workdir"),
        ],
    )
    def test_bad_usage(self, chips: Path, options: list[str], message: str) -> None:
        done = command("solve", chips, *options, cwd=chips.parent)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr
        assert "Traceback" not in done.stderr

    def test_a_position_by_its_name(self, tmp_path: Path) -> None:
        done = command("solve", "nim(3,4)", "--workdir", tmp_path / "work")
        assert (done.returncode, done.stdout) == (2, "")
        assert "--workdir is only for files with lists of edges" in done.stderr

    def test_a_cycle(self, tmp_path: Path) -> None:
        path = tmp_path / "cycle.edges"
        path.write_text("a b\nb a\n")
        done = command("solve", path, "--workdir", tmp_path / "work")
        assert done.returncode == 2
        assert f"error: {path}: the graph has a cycle, so play need not end: " in done.stderr

    def test_an_interrupt_leaves_work_to_go_on_with(self, game: tuple[Path, list[int]], tmp_path: Path) -> None:
        path, expected = game
        line = [sys.executable, "-c", SLOW, str(path), str(tmp_path / "work"), "plain"]
        process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout is not None
        while not process.stdout.readline().startswith("grouping 3"):
            pass
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        manifest = json.loads((tmp_path / "work" / "manifest.json").read_text())
        assert manifest["stages"]["group"]["buckets"] >= 3
        with external.solve(path, tmp_path / "work", engine="plain") as solution:
            assert solution.values.tolist() == expected
