"""Games whose edges stay on disk: work that is taken up again, limits, bad input."""

from __future__ import annotations

import gzip
import tempfile
from itertools import pairwise
from mmap import mmap
from pathlib import Path
from unittest.mock import Mock

import pytest

from graphgame.errors import FormatError, LimitError, ParameterError, ParseError
from graphgame.io.source import parse_size, reading_columns
from graphgame.labs.scale import disk as external
from graphgame.labs.scale.disk import solution, workdir
from tests.systems import keep_files_in_use, lock_as_on_windows

CHIPS = "6 8 4\n2 1\n2 4\n1 4\n1 5\n4 5\n1 3\n3 5\n3 6\n1 2 4 6\n"


@pytest.fixture(autouse=True)
def _small_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workdir, "BUCKET_BITS", 2)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def solved(path: Path, **options: object) -> external.ExternalSolution:
    return external.solve(path, tempfile.mkdtemp(), **options)  # type: ignore[arg-type]


class TestWorkdir:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "game.edges"
        path.write_text("".join(f"{n} {m}\n" for n in range(40) for m in range(max(0, n - 3), n)))
        return path

    def test_finished_work_is_not_done_again(self, path: Path, tmp_path: Path) -> None:
        external.solve(path, tmp_path / "work").close()
        stages: list[str] = []
        with external.solve(path, tmp_path / "work", progress=lambda stage, done, total: stages.append(stage)) as again:
            assert again.values.tolist() == [n % 4 for n in range(40)]
        assert not {"grouping", "solving"} & set(stages)

    @pytest.mark.parametrize("columns", [("from", "target"), ("from", None)])
    def test_finished_work_with_named_columns(self, columns: tuple[str | None, str | None], tmp_path: Path) -> None:
        (path := tmp_path / "game.csv").write_text("from,target\n1,2\n")
        for _ in range(2):
            with reading_columns(*columns), external.solve(path, tmp_path / "work") as solved_game:
                assert solved_game.grundy[1] == 1

    def test_memory_of_mapped_rows_can_be_freed(self, path: Path, tmp_path: Path) -> None:
        with external.solve(path, tmp_path / "work") as solved_game:
            rows = solution.mapped_rows(solved_game._workdir)
            assert all(isinstance(array.base, mmap) for array in rows)

    def test_beginning_again(self, path: Path, tmp_path: Path) -> None:
        external.solve(path, tmp_path / "work").close()
        stages: list[str] = []
        report = {"progress": lambda stage, *_: stages.append(stage), "engine": "compiled"}
        external.solve(path, tmp_path / "work", resume=False, **report).close()  # type: ignore[arg-type]
        assert set(stages) == {"reading", "grouping", "solving"}

    def test_another_input(self, path: Path, tmp_path: Path) -> None:
        external.solve(path, tmp_path / "work").close()
        path.write_text("1 2\n")
        with pytest.raises(ParameterError, match="another input, or the input has changed"):
            external.solve(path, tmp_path / "work")

    def test_a_folder_in_use(self, path: Path, tmp_path: Path) -> None:
        with (
            external.solve(path, tmp_path / "work"),
            pytest.raises(ParameterError, match="in use by another process"),
        ):
            external.solve(path, tmp_path / "work")

    @pytest.mark.parametrize("resume", [True, False])
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("thesis.txt", "mine"),
            ("manifest.json", "{}"),
            ("manifest.json", '{"version": 1, "input": {}, "stages": {}, "files": {"thesis.txt": [4, 0]}}'),
            ("values", "mine"),
            (".graphgame.lock", "mine"),
        ],
    )
    def test_a_folder_of_others_stays_as_it_is(
        self, path: Path, tmp_path: Path, name: str, text: str, resume: bool
    ) -> None:
        work = tmp_path / "work"
        work.mkdir()
        (work / name).write_text(text)
        with pytest.raises(ParameterError, match=f"holds other files \\({name}\\): expected an empty folder"):
            external.solve(path, work, resume=resume)
        assert contents(work) == {name: text.encode()}

    @pytest.mark.parametrize("name", [".graphgame.lock", "values"])
    def test_links_are_not_followed(self, path: Path, tmp_path: Path, name: str) -> None:
        work, mine = tmp_path / "work", tmp_path / "thesis.txt"
        mine.write_text("mine")
        external.solve(path, work).close()
        (work / name).unlink()
        (work / name).symlink_to(mine)
        with pytest.raises(ParameterError if name.startswith(".") else ParseError, match=name):
            external.solve(path, work)
        if name == "values":
            external.solve(path, work, resume=False).remove()
            assert not work.exists()
        assert mine.read_text() == "mine"

    def test_a_file_that_comes_up_meanwhile(self, path: Path, tmp_path: Path) -> None:
        """Nothing is written to it, by this run or by the next."""

        def add(stage: str, done: int, total: int | None) -> None:
            if stage == "grouping":
                (tmp_path / "work" / "values").write_text("mine")

        for resume in (True, False, True):
            with pytest.raises(ParameterError, match=r"holds other files \(values\)"):
                external.solve(path, tmp_path / "work", resume=resume, progress=add)
        assert (tmp_path / "work" / "values").read_text() == "mine"

    @pytest.mark.parametrize("resume", [True, False])
    def test_a_damaged_manifest_says_of_no_file_that_it_may_be_deleted(
        self, path: Path, tmp_path: Path, resume: bool
    ) -> None:
        external.solve(path, tmp_path / "work").close()
        manifest = tmp_path / "work" / "manifest.json"
        manifest.write_text(manifest.read_text()[:-9])
        kept = contents(tmp_path / "work")
        with pytest.raises(ParseError, match=r"manifest\.json: the file is damaged: choose another folder, or delete"):
            external.solve(path, tmp_path / "work", resume=resume)
        assert contents(tmp_path / "work") == kept

    @pytest.mark.parametrize("name", ["pointers", "indices", "degrees", "values", "roots"])
    @pytest.mark.parametrize("how", ["a bit", "the end", "all"])
    def test_a_damaged_work_file(self, path: Path, tmp_path: Path, name: str, how: str) -> None:
        external.solve(path, tmp_path / "work").close()
        file = tmp_path / "work" / name
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 4
        if how == "all":
            file.unlink()
        else:
            file.write_bytes(data if how == "a bit" else data[:-1])
        with pytest.raises(ParseError, match=f"{name}: the file is damaged: start again without resuming"):
            external.solve(path, tmp_path / "work")

    def test_another_version(self, path: Path, tmp_path: Path) -> None:
        external.solve(path, tmp_path / "work").close()
        manifest = tmp_path / "work" / "manifest.json"
        manifest.write_text(manifest.read_text().replace('"version": 3', '"version": 99'))
        with pytest.raises(
            ParseError, match="version 99 of the format 'graphgame work folder', not version 3: choose another folder"
        ):
            external.solve(path, tmp_path / "work")

    @pytest.mark.parametrize("name", ["{}", "p{}", "{}0000000000"], ids=["range", "strings", "integers"])
    def test_on_windows_too_all_is_removed(
        self, path: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        keep_files_in_use(monkeypatch)
        monkeypatch.setattr("graphgame.labs.scale.disk.solution.MAPPED_FILES_STAY", True)
        lock_as_on_windows(monkeypatch)
        labels: list[int | str] = [int(text) if text.isdigit() else text for text in map(name.format, range(1, 11))]
        path.write_text("".join(f"{end} {start}\n" for start, end in pairwise(labels)))
        work = tmp_path / "work"
        found = external.solve(path, work)
        with pytest.raises(ParameterError, match="in use by another process"):
            external.solve(path, work)
        found.remove()
        assert [found.grundy[label] for label in labels] == [0, 1] * 5
        with external.mapped_graph(path, work) as graph:
            assert len(graph) == 10
        assert list(tmp_path.iterdir()) == [path]

    def test_all_is_removed(self, path: Path, tmp_path: Path) -> None:
        solution = external.solve(path, tmp_path / "work")
        solution.remove()
        assert not (tmp_path / "work").exists()
        assert solution.grundy[3] == 3

    def test_files_of_others_stay(self, path: Path, tmp_path: Path) -> None:
        solution = external.solve(path, tmp_path / "work")
        (tmp_path / "work" / "notes").write_text("mine")
        solution.remove()
        assert [file.name for file in (tmp_path / "work").iterdir()] == ["notes"]

    def test_writing_to_a_mapped_array_leaves_the_file(self, path: Path, tmp_path: Path) -> None:
        with external.solve(path, tmp_path / "work") as solution:
            solution.values[0] = 9
        external.solve(path, tmp_path / "work").close()


class TestLimits:
    def test_more_vertices_than_memory(self, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        path.write_text("1000000 1 0\n1 2\n")
        with pytest.raises(LimitError, match=r"1,000,000 vertices: 28 MB of memory are needed, the limit is 10 MB"):
            solved(path, memory_limit="10MB")

    def test_more_edges_than_disk(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "game.edges"
        path.write_text("1 2\n" * 100)
        monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
        with pytest.raises(LimitError, match=r"sorting 100 edges needs about 1\.2 kB of disk in .*1\.0 kB are free"):
            solved(path)

    def test_a_hub_beyond_the_memory_limit(self, tmp_path: Path) -> None:
        path = tmp_path / "star.edges"
        path.write_text("".join(f"{n} 0\n" for n in range(1, 3000)) * 4)
        with pytest.raises(LimitError, match="grouping the 11,996 edges of up to 4 positions at once needs"):
            solved(path, memory_limit="100kB", engine="compiled")

    def test_what_is_needed_is_said_before(self, tmp_path: Path) -> None:
        path = tmp_path / "chips.txt"
        path.write_text(CHIPS)
        told: list[str] = []
        for _ in range(2):
            external.solve(path, tmp_path / "work", tell=told.append).close()
        assert told[0].startswith("8 edges and 6 positions take about 216 B of disk in ")
        assert told[0].endswith(" and 168 B of memory")
        assert len(told) == 1

    @pytest.mark.parametrize(("stage", "done"), [("group_spool", "read"), ("plain_grundy", "grouped")])
    def test_what_goes_on_is_said(self, tmp_path: Path, stage: str, done: str, monkeypatch: pytest.MonkeyPatch) -> None:
        path, told = tmp_path / "chips.txt", list[str]()
        path.write_text(CHIPS)
        with monkeypatch.context() as interrupted:
            interrupted.setattr(solution, stage, Mock(side_effect=KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                external.solve(path, tmp_path / "work")
        external.solve(path, tmp_path / "work", tell=told.append).close()
        assert told[0] == f"continuing the work in {tmp_path / 'work'}: all edges have been {done}"

    @pytest.mark.parametrize("size", ["", "2XB", "-1", "0", "GB", "7" * 20_000, 0])
    def test_a_size_that_is_none(self, size: object) -> None:
        with pytest.raises(ParameterError, match="expected a number of bytes"):
            parse_size(size)  # type: ignore[arg-type]


class TestInput:
    @pytest.mark.parametrize(
        ("name", "text", "error", "message"),
        [
            ("g.graphml", "<graphml/>", FormatError, "cannot be read edge by edge"),
            ("g.txt", "3 2 1\n1 2\n", ParseError, "but only 2 numbers follow"),
            ("g.txt", "3 1 0\n1 4\n", ParseError, "vertex 4: expected a number from 1 to 3"),
            ("g.edges", "1 2\n2 3\n1 2 3\n", ParseError, "expected one or two labels on a line, found 3"),
            ("g.edges", "# tokens: 9\n1 2\n", ParseError, "token '9' is not a position"),
            ("g.edges", "", ParseError, "empty"),
            ("g.parquet", "no table", ParseError, "not Parquet, or it is damaged"),
        ],
    )
    def test_bad_input(self, tmp_path: Path, name: str, text: str, error: type[Exception], message: str) -> None:
        (tmp_path / name).write_text(text)
        with pytest.raises(error, match=message):
            external.solve(tmp_path / name, tmp_path / "work")

    def test_a_truncated_archive(self, tmp_path: Path) -> None:
        path = tmp_path / "g.edges.gz"
        path.write_bytes(gzip.compress(b"1 2\n" * 1000)[:-9])
        with pytest.raises(ParseError, match="the gzip data is truncated"):
            solved(path)

    def test_an_empty_folder(self, tmp_path: Path) -> None:
        with pytest.raises(ParameterError, match="a folder without Parquet files"):
            solved(tmp_path)

    def test_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            solved(tmp_path / "none.edges")
