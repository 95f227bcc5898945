"""Games whose edges stay on disk: the values are those of the pass in memory, whatever the input and its labels."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

import graphgame
from graphgame import read_values
from graphgame.cli import main
from graphgame.errors import CycleError, FormatError, LimitError, TokenError
from graphgame.graph.interning import texts
from graphgame.labs.scale import disk as external
from graphgame.labs.scale.disk import edge_reading, workdir
from graphgame.labs.scale.disk.edge_reading import EdgeStore, MappedIntegers, MappedTexts, Settings
from graphgame.labs.scale.disk.workdir import Workdir
from graphgame.labs.scale.generators import generate
from tests.strategies import dags

CHIPS = "6 8 4\n2 1\n2 4\n1 4\n1 5\n4 5\n1 3\n3 5\n3 6\n1 2 4 6\n"
LABELS = {
    "range": lambda v: v + 1,
    "gaps": lambda v: 3 * v - 7,
    "far apart": lambda v: v * 10**15 - 10**14,
    "strings": lambda v: f"position {v}",
    "lone surrogates and NUL": lambda v: f"{v}\0é位",
}


@pytest.fixture(autouse=True)
def _small_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workdir, "BUCKET_BITS", 2)


def solved(path: Path, **options: object) -> external.ExternalSolution:
    return external.solve(path, tempfile.mkdtemp(), **options)  # type: ignore[arg-type]


def in_memory(path: Path) -> dict[object, int]:
    return dict(graphgame.solve(graphgame.read_game(path)).grundy)


def write_table(path: Path, edges: list[tuple[object, object]], alone: list[object]) -> Path:
    rows = [*edges, *((label, None) for label in alone)]
    kind = pa.string() if isinstance(rows[0][0], str) else pa.int64()
    columns = (pa.array(column, kind) for column in zip(*rows, strict=True))
    pq.write_table(pa.table(dict(zip(("source", "target"), columns, strict=True))), path)
    return path


class TestValues:
    @pytest.mark.parametrize("engine", ["plain", "compiled"])
    @pytest.mark.parametrize("labels", LABELS)
    @given(options=dags(max_vertices=40, max_edges=120))
    @settings(max_examples=12)
    def test_a_table_of_edges(self, labels: str, engine: str, options: dict[int, list[int]]) -> None:
        label = LABELS[labels]
        if labels in ("gaps", "far apart"):
            options = {v + 3: [w + 3 for w in ends] for v, ends in options.items()}
        edges = [(label(v), label(w)) for v, ends in options.items() for w in ends]
        path = write_table(Path(tempfile.mkdtemp(), "game.parquet"), edges, [label(v) for v in options])
        with solved(path, engine=engine) as solution:
            assert dict(solution.grundy) == in_memory(path)
            assert solution.edges == len(set(edges))

    @pytest.mark.parametrize("engine", ["plain", "compiled"])
    @pytest.mark.parametrize("name", ["game.txt", "game.edges", "game.csv", "game.tsv", "game.txt.gz"])
    @given(options=dags(max_vertices=30, max_edges=90))
    @settings(max_examples=6)
    @example(options={0: []})
    def test_a_text(self, name: str, engine: str, options: dict[int, list[int]]) -> None:
        path = Path(tempfile.mkdtemp(), name)
        graph = graphgame.GameGraph({v + 1: [w + 1 for w in ends] for v, ends in options.items()}, tokens=[1])
        graphgame.write_game(graph, path, relabel="txt" in name)
        with solved(path, engine=engine) as solution:
            assert dict(solution.grundy) == in_memory(path)
            assert solution.tokens == (1,)

    @pytest.mark.parametrize("engine", ["plain", "compiled"])
    @pytest.mark.parametrize("rows", ["1 2\n2 3\n9\nseven 1\nseven 9\n", '1 2\n"3" 1\n', "a b\nb c\n1 c\n", "5\n"])
    def test_labels_that_turn_out_to_be_words(self, tmp_path: Path, rows: str, engine: str) -> None:
        path = tmp_path / "game.edges"
        path.write_text(rows)
        with solved(path, engine=engine) as solution:
            assert dict(solution.grundy) == in_memory(path)

    @pytest.mark.parametrize("engine", ["plain", "compiled"])
    def test_integers_that_turn_out_to_lie_far_apart(self, tmp_path: Path, engine: str) -> None:
        path = tmp_path / "game.edges"
        path.write_text("".join(f"{n + 1} {n}\n" for n in range(600)) + "77\n9000000000000 600\n-5 9000000000000\n")
        with solved(path, engine=engine, memory_limit="3MB") as solution:
            assert isinstance(solution.labels, MappedIntegers)
            assert dict(solution.grundy) == in_memory(path)

    @pytest.mark.parametrize("size", [63, 64, 65, 130, 260])
    def test_large_values(self, tmp_path: Path, size: int) -> None:
        path = tmp_path / "nim.edges"
        path.write_text("".join(f"{n} {m}\n" for n in range(size + 1) for m in range(n)))
        with solved(path, engine="compiled") as solution:
            assert solution.values.tolist() == list(range(size + 1))

    @pytest.mark.parametrize("engine", ["plain", "compiled"])
    def test_many_blocks_many_steps_and_little_memory(self, tmp_path: Path, engine: str) -> None:
        path = tmp_path / "game.csv"
        graph = generate("random", vertices=1500, edges=12_000, seed=3, shuffle=True)
        graphgame.write_game(graph, path)
        limit = "60kB" if engine == "compiled" else "2MB"
        with solved(path, engine=engine, memory_limit=limit) as solution:
            assert dict(solution.grundy) == in_memory(path)

    @pytest.mark.parametrize("engine", ["plain", "compiled"])
    @pytest.mark.parametrize("cores", [1, 3])
    def test_many_buckets_on_every_core(
        self, tmp_path: Path, engine: str, cores: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "game.csv"
        graphgame.write_game(generate("random", vertices=1500, edges=12_000, seed=3, shuffle=True), path)
        expected = in_memory(path)
        monkeypatch.setattr("graphgame.labs.scale.disk.workdir.BUCKET_BITS", 5)
        for module in ("graphgame.compiled.engine", "graphgame.labs.scale.disk.solution"):
            monkeypatch.setattr(f"{module}.threads", lambda: cores)
        with solved(path, engine=engine) as solution:
            assert dict(solution.grundy) == expected

    def test_a_folder_of_tables(self, tmp_path: Path) -> None:
        folder = tmp_path / "edges"
        folder.mkdir()
        write_table(folder / "part-1.parquet", [(3, 2), (3, 1)], [])
        write_table(folder / "part-2.parquet", [(2, 1), (3, 1)], [7])
        with solved(folder) as solution:
            assert dict(solution.grundy) == {1: 0, 2: 1, 3: 2, 7: 0}

    def test_columns_of_two_types_of_integers(self, tmp_path: Path) -> None:
        path, far = tmp_path / "game.parquet", 2**62 + 1
        columns = pa.array([far, far + 2], pa.uint64()), pa.array([far + 3, far], pa.int64())
        pq.write_table(pa.table(columns, ["source", "target"]), path)
        with solved(path) as solution:
            assert dict(solution.grundy) == {far: 1, far + 2: 0, far + 3: 0}

    def test_tables_of_two_kinds(self, tmp_path: Path) -> None:
        write_table(tmp_path / "a.parquet", [(3, 2)], [])
        write_table(tmp_path / "b.parquet", [("x", "y")], [])
        with pytest.raises(FormatError, match="some files of the folder hold integers"):
            solved(tmp_path)

    @pytest.mark.parametrize("name", ["none.parquet", "none.txt"])
    def test_no_such_file(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(FileNotFoundError) as caught:
            external.solve(tmp_path / name, tmp_path / "work")
        assert caught.value.filename == str(tmp_path / name)

    @pytest.mark.parametrize("engine", ["plain", "compiled"])
    def test_no_edges_at_all(self, tmp_path: Path, engine: str) -> None:
        path = write_table(tmp_path / "none.parquet", [], [1, 2])
        with solved(path, engine=engine) as solution:
            assert dict(solution.grundy) == {1: 0, 2: 0}
            assert solution.roots.tolist() == [0, 1]

    def test_a_table_without_rows(self, tmp_path: Path) -> None:
        path = tmp_path / "empty.parquet"
        pq.write_table(pa.table({"source": pa.array([], pa.int64()), "target": pa.array([], pa.int64())}), path)
        with solved(path) as solution:
            assert (len(solution), solution.counts().histogram) == (0, {})


class TestCycles:
    @pytest.mark.parametrize("engine", ["plain", "compiled"])
    def test_one_cycle_is_shown(self, tmp_path: Path, engine: str) -> None:
        path = tmp_path / "cycle.edges"
        path.write_text("in a\na b\nb c\nc a\nc end\n")
        with pytest.raises(CycleError) as caught:
            solved(path, engine=engine)
        cycle = caught.value.cycle
        assert sorted(cycle) == ["a", "b", "c"]
        assert all((v, w) in {("a", "b"), ("b", "c"), ("c", "a")} for v, w in zip(cycle, [*cycle[1:], cycle[0]]))  # noqa: B905

    def test_a_loop(self, tmp_path: Path) -> None:
        path = tmp_path / "loop.edges"
        path.write_text("1 2\n2 2\n")
        with pytest.raises(CycleError) as caught:
            solved(path)
        assert caught.value.cycle == [2]


class TestSolution:
    @pytest.fixture
    def chips(self, tmp_path: Path) -> Path:
        path = tmp_path / "chips.txt"
        path.write_text(CHIPS)
        return path

    def test_answers_are_those_of_the_solution_in_memory(self, chips: Path) -> None:
        expected = graphgame.solve(graphgame.read_game(chips))
        with solved(chips) as solution:
            assert solution.nim_sum == expected.nim_sum
            assert solution.winner == expected.winner
            assert solution.winning_moves() == expected.winning_moves()
            assert solution.counts() == expected.counts()
            assert dict(solution.outcome) == dict(expected.outcome)

    @given(options=dags(max_vertices=30))
    @settings(max_examples=10)
    def test_counts_over_several_blocks(self, options: dict[int, list[int]]) -> None:
        edges = [(v, w) for v, ends in options.items() for w in ends]
        path = write_table(Path(tempfile.mkdtemp(), "a.parquet"), edges, [*options])
        expected = graphgame.solve(graphgame.read_game(path))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("graphgame.labs.scale.disk.solution._ROWS_AT_A_TIME", 4)
            with solved(path) as solution:
                assert solution.counts() == expected.counts()

    @given(options=dags(max_vertices=10), places=st.lists(st.integers(0, 9), min_size=1, max_size=3))
    @settings(max_examples=15)
    def test_all_winning_moves(self, options: dict[int, list[int]], places: list[int]) -> None:
        graph = graphgame.GameGraph(options)
        tokens = [place % len(options) for place in places]
        path = write_table(Path(tempfile.mkdtemp(), "g.parquet"), [*graph.edges], [*graph])
        with solved(path, tokens=tokens) as solution:
            expected = graphgame.solve(graph, tokens=tokens).winning_moves()
            assert sorted(solution.winning_moves()) == sorted(expected)

    def test_no_tokens(self, tmp_path: Path) -> None:
        path = write_table(tmp_path / "g.parquet", [(1, 2)], [])
        with solved(path) as solution, pytest.raises(TokenError):
            _ = solution.winner

    def test_a_string_is_no_list_of_tokens(self, tmp_path: Path) -> None:
        path = write_table(tmp_path / "g.parquet", [("a", "b")], [])
        with pytest.raises(TokenError, match=r"write \['ab'\]"), solved(path, tokens="ab"):
            pass

    def test_tokens_that_a_table_names(self, tmp_path: Path) -> None:
        path = tmp_path / "g.parquet"
        graphgame.write_game(graphgame.GameGraph([("a", "b"), ("b", "c")], tokens=["a", "b"]), path)
        with solved(path) as solution:
            assert solution.tokens == ("a", "b")
            assert solution.nim_sum == 1

    def test_values_as_a_table(self, chips: Path, tmp_path: Path) -> None:
        with solved(chips) as solution:
            solution.write_values(tmp_path / "values.parquet")
        table = pq.read_table(tmp_path / "values.parquet").to_pydict()
        assert table == {
            "position": [1, 2, 3, 4, 5, 6],
            "grundy": [2, 0, 1, 1, 0, 0],
            "outcome": ["N", "P", "N", "N", "P", "P"],
        }

    def test_values_of_strings_are_read_by_verify(self, tmp_path: Path) -> None:
        path = tmp_path / "g.edges"
        path.write_text("a b\nb c\na c\n")
        with solved(path) as solution:
            solution.write_values(tmp_path / "values.parquet")
        given_values = graphgame.read_values(tmp_path / "values.parquet")
        assert graphgame.verify(graphgame.read_game(path), given_values)


class TestLabels:
    @pytest.mark.parametrize("compiled", [False, True])
    @given(words=st.lists(st.binary(max_size=3), max_size=200))
    @settings(max_examples=50)
    def test_numbers_come_in_the_order_of_the_labels(self, compiled: bool, words: list[bytes]) -> None:
        table = texts(compiled)
        expected: dict[bytes, int] = {}
        for part in (words[::2], words[1::2]):
            offsets = np.cumsum([0, *map(len, part)])
            found = table.numbers(np.frombuffer(b"".join(part), np.uint8), offsets)
            assert found.tolist() == [expected.setdefault(word, len(expected)) for word in part]
        text, starts = table.finish()
        assert [text[a:b].tobytes() for a, b in pairwise(starts)] == list(expected)

    def test_a_table_of_labels_grows(self) -> None:
        table = texts(True)
        for start in range(0, 60_000, 20_000):
            labels = np.arange(start, start + 20_000).view(np.uint8)
            assert table.numbers(labels, np.arange(0, len(labels) + 1, 8)).tolist()[-1] == start + 19_999
        assert table.numbers(np.arange(60_000).view(np.uint8), np.arange(0, 480_001, 8)).tolist() == list(range(60_000))

    @pytest.mark.parametrize("compiled", [False, True])
    def test_labels_beyond_the_memory_limit(self, compiled: bool) -> None:
        labels = np.arange(10_000)
        store = EdgeStore.__new__(EdgeStore)
        store._settings = Settings(20_000, compiled)
        with pytest.raises(
            LimitError, match=r"10,000 positions need .* memory, but labels may use only 10 kB of the memory limit"
        ):
            store._no_texts().numbers(labels.view(np.uint8), np.arange(0, 80_001, 8))

    @given(batches=st.lists(st.lists(st.integers(-60, 60), max_size=5), max_size=12), compiled=st.booleans())
    def test_integers_that_occur(self, batches: list[list[int]], compiled: bool) -> None:
        table = edge_reading.IntegerRange(10**6, compiled)
        for batch in batches:
            assert table.numbers(np.array(batch, np.int64)).tolist() == batch  # type: ignore[union-attr]
        least, occurs = table.finish()
        assert (np.flatnonzero(occurs) + least).tolist() == sorted({n for batch in batches for n in batch})

    @pytest.mark.parametrize("values", [[0, 2**31], [-(2**31) - 1], [0, 10**6]])
    def test_integers_too_far_apart(self, values: list[int]) -> None:
        assert edge_reading.IntegerRange(10**6, compiled=False).numbers(np.array(values)) is None

    def test_integers_far_apart_of_which_many_are_to_come(self) -> None:
        values = np.array([0, 1 << 27])
        assert edge_reading.IntegerRange(1 << 30, compiled=False).numbers(values) is None
        table = edge_reading.IntegerRange(1 << 30, compiled=False, expected=1 << 27)
        assert table.numbers(values).tolist() == [0, 1 << 27]  # type: ignore[union-attr]

    @pytest.mark.parametrize("position", ["a", "ab", "", "b", "bab"])
    def test_strings_are_found_as_a_whole(self, position: str) -> None:
        words = ["ab", "a", "", "bab", "b"]
        text = np.frombuffer("".join(words).encode(), np.uint8)
        labels = MappedTexts(text, np.cumsum([0, *map(len, words)]))
        assert labels.find(position) == words.index(position)
        assert list(labels) == words
        assert [labels[-number] for number in range(1, 6)] == words[::-1]
        assert "abb" not in labels
        assert 1 not in labels


def test_the_two_forms_of_the_spool_agree(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    source, target = random.integers(-50, 50, (2, 3000)).astype(np.int32)
    written = []
    for compiled in (False, True):
        work = Workdir(tmp_path / str(compiled), {}, True)
        edges = workdir.Spool(work.file("edges-0"), 700, compiled)
        edges.add(source, target)
        first, counts = edges.finish()
        written.append((first, counts.tolist(), edges.file.path.read_bytes()))
        work.close()
    assert written[0] == written[1]


def test_far_integers_stay_integers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("far.edges").write_text("1234567890123456789 7\n7 3\n")
    for options in ([], ["--workdir", "work"]):
        command = ["solve", "far.edges", "--values", "values.parquet", *options]
        assert CliRunner().invoke(main, command).exit_code == 0
        assert 1234567890123456789 in read_values("values.parquet")


def test_what_is_guessed_of_a_file_is_told_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("From,To\n1,2\n1,3\n2,3\n")
    named = CliRunner().invoke(main, ["solve", "a.csv", "--workdir", "work", "--source", "To", "--target", "From"])
    assert (named.exit_code, "is read as" in named.stderr) == (0, False)
    assert "3                  2  N" in named.stdout or "3 positions" in named.stdout
    guessed = CliRunner().invoke(main, ["solve", "a.csv", "--workdir", "other"])
    assert guessed.stderr.count("a.csv is read as csv") == 1
