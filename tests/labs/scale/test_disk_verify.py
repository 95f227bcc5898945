"""Values checked with the edges on disk: what is said is what is said in memory."""

from __future__ import annotations

import tempfile
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphgame
from graphgame.errors import CycleError, LimitError, ParameterError, UnknownPositionError
from graphgame.labs.scale.disk import mapped_graph, solve, workdir
from tests.labs.scale.test_disk import LABELS, write_table
from tests.strategies import dags


@pytest.fixture(autouse=True)
def _small_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workdir, "BUCKET_BITS", 2)


def verified(path: Path, values: object, **options: object) -> graphgame.verification.Verification:
    with mapped_graph(path, tempfile.mkdtemp(), **options) as graph:  # type: ignore[arg-type]
        return graphgame.verify(graph, values)  # type: ignore[arg-type]


def is_mex(graph: nx.DiGraph, values: dict[object, int], position: object) -> bool:
    theirs = {values[option] for option in graph[position]}
    return values[position] not in theirs and set(range(values[position])) <= theirs


class TestAsInMemory:
    @pytest.mark.long
    @pytest.mark.parametrize("labels", LABELS)
    @given(data=st.data(), options=dags(max_vertices=30, max_edges=90))
    @settings(max_examples=15)
    def test_random_graphs_and_altered_values(
        self, labels: str, data: st.DataObject, options: dict[int, list[int]]
    ) -> None:
        label = (lambda v: LABELS[labels](v + 3)) if labels in ("gaps", "far apart") else LABELS[labels]
        edges = [(label(v), label(w)) for v, ends in options.items() for w in ends]
        folder = Path(tempfile.mkdtemp())
        path = write_table(folder / "game.parquet", edges, [label(v) for v in options])
        graph = graphgame.read_game(path)
        values = dict(graphgame.solve(graph).grundy)
        assert verified(path, values) == graphgame.verify(graph, values)
        altered = data.draw(st.sampled_from(list(values)))
        values[altered] = data.draw(st.integers(0, 5))
        with solve(path, folder / "work") as solution:
            solution.values[solution.number_of(altered)] = values[altered]
            solution.write_values(folder / "values.parquet")
        there, here = verified(path, graphgame.read_values(folder / "values.parquet")), graphgame.verify(graph, values)
        assert (there.passed, there.columns) == (here.passed, ("grundy", "outcome"))
        if not there:
            assert not is_mex(graph, values, there.position)

    def test_all_columns_of_a_values_file(self, tmp_path: Path) -> None:
        path = write_table(tmp_path / "game.parquet", [(3, 2), (3, 1), (2, 1), (4, 3)], [])
        graphgame.write_values(graphgame.solve(graphgame.read_game(path)), tmp_path / "values.csv")
        values = graphgame.read_values(tmp_path / "values.csv")
        assert verified(path, values).columns == ("grundy", "outcome", "remoteness")
        values.remoteness[:] += values.grundy == 2
        reason = "the remoteness 2 is wrong: by the options' remotenesses the fastest win takes 1 move"
        assert verified(path, values).reason == reason

    def test_fewer_values_prove_who_wins(self, tmp_path: Path) -> None:
        path = tmp_path / "game.txt"
        path.write_text("3 2 1\n1 2\n2 3\n1\n", encoding="utf-8")
        assert verified(path, {1: 0, 3: 0}).winner == "second"
        assert verified(path, {3: 0}).reason.startswith(
            "the position has no value; the values of other positions do not prove"
        )


class TestRefused:
    def test_a_cycle_whose_values_are_each_the_mex(self, tmp_path: Path) -> None:
        path = write_table(tmp_path / "game.parquet", [(1, 2), (2, 3), (3, 4), (4, 1), (5, 1), (4, 6)], [])
        values = {1: 0, 2: 1, 3: 0, 4: 1, 5: 1, 6: 0}
        assert all(is_mex(graphgame.read_game(path), values, position) for position in values)
        with pytest.raises(CycleError) as caught:
            verified(path, values)
        cycle = caught.value.cycle
        assert set(cycle) == {1, 2, 3, 4}
        assert all(cycle[place - 1] % 4 + 1 == position for place, position in enumerate(cycle))

    @pytest.mark.parametrize("target", [1, 10**15])
    def test_a_value_of_no_position(self, tmp_path: Path, target: int) -> None:
        path = write_table(tmp_path / "game.parquet", [(7, target)], [])
        other = write_table(tmp_path / "other.parquet", [(8, target)], [])
        with solve(other, tmp_path / "work") as solution:
            solution.write_values(tmp_path / "values.parquet")
        with pytest.raises(UnknownPositionError, match="position 8 of the values is not a vertex"):
            verified(path, graphgame.read_values(tmp_path / "values.parquet"))

    def test_too_little_memory(self, tmp_path: Path) -> None:
        path = write_table(tmp_path / "game.parquet", [(1, 2)], list(range(1000)))
        with pytest.raises(LimitError, match="1,000 vertices: 60 kB of memory are needed, the limit is 50 kB"):
            verified(path, {1: 1, 2: 0}, memory_limit="50kB")

    def test_the_folder_of_a_solution(self, tmp_path: Path) -> None:
        path = write_table(tmp_path / "game.parquet", [(1, 2)], [])
        solve(path, tmp_path / "work").close()
        other = pytest.raises(
            ParameterError,
            match="holds work files of the command 'solve', not of 'verify': start again without resuming",
        )
        with other, mapped_graph(path, tmp_path / "work"):
            pass


class TestWorkFiles:
    @pytest.mark.parametrize("keep", [False, True])
    def test_they_are_kept_if_asked_for(self, tmp_path: Path, keep: bool) -> None:
        path = write_table(tmp_path / "game.parquet", [(1, 2)], [])
        for _ in range(2):
            with mapped_graph(path, tmp_path / "work", keep=keep) as graph:
                assert graphgame.verify(graph, {1: 1, 2: 0})
            assert (tmp_path / "work").exists() == keep
