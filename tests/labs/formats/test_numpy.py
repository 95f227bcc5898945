"""Graphs in NumPy's files and in SciPy's sparse arrays."""

import contextlib
import io
import sys
import tracemalloc
import zipfile

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import graphgame
from graphgame import GameGraph, read_game, write_game
from graphgame.errors import FormatError, LimitError, ParseError
from tests.helpers import game, optional
from tests.strategies import dags, dags_with_sums

sparse = optional("scipy.sparse")

FORMATS = ["csr", "csc", "coo", "bsr", "dia"]
HEADER = "{{'descr': {}, 'fortran_order': False, 'shape': {}, }}\n"


def npy(descr, shape, data=b""):
    header = HEADER.format(descr, shape).encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


def error_of(path, error=ParseError):
    with pytest.raises(error) as caught:
        read_game(path)
    return str(caught.value)


class TestNpy:
    @pytest.mark.parametrize("dtype", ["<i4", ">i8", "u1", "<u8", "i2"])
    @pytest.mark.parametrize("order", ["C", "F"])
    def test_every_integer_and_order(self, dtype, order, tmp_path):
        path = tmp_path / "game.npy"
        np.save(path, np.array([[5, 2], [5, 9], [2, 9], [5, 2]], dtype, order=order))
        graph = read_game(path)
        assert (list(graph), sorted(graph.edges)) == ([2, 5, 9], [(2, 9), (5, 2), (5, 9)])

    def test_a_header_that_python_2_wrote(self, tmp_path):
        (tmp_path / "game.npy").write_bytes(npy("'<i8'", "(2L, 2L)", np.array([[3, 2], [2, 1]], "<i8").tobytes()))
        assert sorted(read_game(tmp_path / "game.npy").edges) == [(2, 1), (3, 2)]

    @pytest.mark.parametrize("name", ["none.npy", "none.npz", "none.npy.gz"])
    def test_a_file_that_is_not_there(self, name, tmp_path):
        with pytest.raises(FileNotFoundError):
            read_game(tmp_path / name)

    @pytest.mark.parametrize("order", ["C", "F"])
    def test_more_than_a_block(self, order, tmp_path):
        edges = np.column_stack([np.arange(300_000, 0, -1), np.arange(299_999, -1, -1)])
        np.save(tmp_path / "game.npy", np.array(edges, order=order))
        assert read_game(tmp_path / "game.npy").number_of_edges() == 300_000

    @given(options=dags())
    @settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_what_is_written_is_read_back(self, tmp_path, options):
        graph = nx.DiGraph([(v, w) for v, ends in options.items() for w in ends])
        for name in ("game.npy", "game.npy.gz"):
            write_game(graph, tmp_path / name)
            found = read_game(tmp_path / name)
            assert (set(found), set(found.edges)) == (set(graph), set(graph.edges))
        assert np.load(tmp_path / "game.npy", allow_pickle=False).shape == (graph.number_of_edges(), 2)

    @pytest.mark.parametrize(
        ("array", "message"),
        [
            (np.zeros((2, 3), int), "an array of shape (2, 3): expected (m, 2)"),
            (np.zeros(4, int), "an array of shape (4,): expected (m, 2)"),
            (np.zeros((2, 2)), "the array has the type float64 and the shape (2, 2): expected integers"),
            (np.zeros((2, 2), bool), "the array holds bool: expected integers"),
            (np.array([[1, 2], [1, -4]]), "the array has the entry -4 in row 1: expected 0..2**63-1"),
            (np.array([[1, 2], [-4, 1]], order="F"), "the array has the entry -4 in row 1"),
            (np.array([[1, 2**63]], np.uint64), "the array has the entry 9223372036854775808 in row 0"),
            (np.zeros(2, [("a", int), ("b", int)]), "the array has the type"),
        ],
    )
    def test_other_arrays(self, array, message, tmp_path):
        np.save(tmp_path / "game.npy", array)
        assert message in error_of(tmp_path / "game.npy")

    def test_nothing_is_unpickled(self, tmp_path):
        np.save(tmp_path / "game.npy", np.array([[{}, {}]], object), allow_pickle=True)
        assert "has the type object and the shape (1, 2): expected integers" in error_of(tmp_path / "game.npy").replace(
            "'", ""
        )

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (npy("'<i8'", (10**15, 2), bytes(160)), "has the shape (1000000000000000, 2), but the file ends after 20"),
            (npy("'<i8'", (1, 2), bytes(17)), "has the shape (1, 2), but the file goes on after the last entry"),
            (npy("'<U99999999'", (1, 2)), "the array holds"),
            (npy("'<i8'", (-1, 2)), "and the shape (-1, 2): expected integers"),
            (npy("__import__('os')", (1, 2)), "is not in NumPy's format: the header cannot be read"),
            (npy("x", (1, 2)), "is not in NumPy's format: the header cannot be read"),
            (npy("{", (1, 2)), "is not in NumPy's format: "),
            (b"\x93NUMPY\x01", "is not in NumPy's format"),
            (b"", "is not in NumPy's format"),
        ],
    )
    def test_headers_that_lie(self, data, message, tmp_path):
        (tmp_path / "game.npy").write_bytes(data)
        assert message in error_of(tmp_path / "game.npy")

    @pytest.mark.parametrize(
        ("graph", "message"),
        [
            (GameGraph([(1, 2)], tokens=[1]), "cannot store tokens: write npz"),
            (GameGraph({1: [2], 3: []}), "cannot store positions without edges: write npz"),
            (GameGraph([("a", "b")]), "positions that are integers in 0..2\\*\\*63-1"),
            (
                GameGraph([(1, -2)]),
                "positions that are integers in 0..2\\*\\*63-1: relabel the positions, or write csv",
            ),
            (game({0: [1], 1: []}, sums={0}), "cannot express sum vertices"),
        ],
    )
    def test_what_cannot_be_expressed(self, graph, message, tmp_path):
        with pytest.raises(FormatError, match=message):
            write_game(graph, tmp_path / "game.npy")
        assert list(tmp_path.iterdir()) == []


class TestNpz:
    @pytest.mark.parametrize("suffix", [".npz", ".npz.gz", ".npz.zst"])
    @given(drawn=dags_with_sums(), names=st.sampled_from([int, str, lambda v: (2**40 + v * 7919) % 997]))
    @settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_what_is_written_is_read_back(self, suffix, tmp_path, drawn, names):
        plain = game(*drawn, tokens=[0, 0])
        labels = [names(v) for v in plain]
        source = np.repeat(np.arange(len(plain)), plain.option_rows.lengths())
        graph = GameGraph.from_arrays(
            source, plain.option_rows.indices, labels, sums=plain.sums, tokens=[labels[0]] * 2
        )
        write_game(graph, tmp_path / f"game{suffix}")
        found = read_game(tmp_path / f"game{suffix}")
        assert (set(found), found.tokens) == (set(graph), graph.tokens)
        assert {(u, v, d.get("multiplicity", 1)) for u, v, d in found.edges(data=True)} == {
            (u, v, d.get("multiplicity", 1)) for u, v, d in graph.edges(data=True)
        }
        assert {v for v in found if found.is_sum(v)} == {v for v in graph if graph.is_sum(v)}

    def test_the_same_graph_gives_the_same_bytes(self, tmp_path):
        for name in ("a.npz", "b.npz"):
            write_game(nx.DiGraph([(1, 2)]), tmp_path / name)
        assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()

    def test_what_numpy_writes(self, tmp_path):
        np.savez_compressed(tmp_path / "game.npz", source=[3, 3], target=[2, 1], other=[1.5])
        graph = read_game(tmp_path / "game.npz")
        assert (list(graph), sorted(graph.edges), graph.tokens) == ([1, 2, 3], [(3, 1), (3, 2)], None)

    def test_vertices_may_come_in_any_order(self, tmp_path):
        np.savez(tmp_path / "game.npz", source=[5], target=[2], vertices=[5, 9, 2], sums=[False, True, False])
        graph = read_game(tmp_path / "game.npz")
        assert (list(graph), [v for v in graph if graph.is_sum(v)]) == ([2, 5, 9], [9])

    @pytest.mark.parametrize(
        ("arrays", "message"),
        [
            ({"a": [1]}, "expected the arrays source and target, or a sparse matrix; found a"),
            (
                {"source": [1], "target": [2, 3]},
                "source has the shape (1,), and target has the shape (2,): expected the same shape",
            ),
            ({"source": [[1]], "target": [[2]]}, "source has the shape (1, 1): expected one dimension"),
            ({"source": [1.5], "target": [2]}, "source has the type float64"),
            (
                {"source": [1], "target": [0], "vertices": [0, 1], "sums": [0.5, 1.0]},
                "sums has the type float64 and the shape (2,): expected true or false",
            ),
            ({"source": [1], "target": [-2]}, "target has the entry -2 in row 0"),
            (
                {"source": [1], "target": [2], "vertices": [1]},
                "an edge leads from or to 2: expected an entry of the array vertices",
            ),
            ({"source": [0], "target": [2], "vertices": ["a", "b"]}, "an edge leads from or to 2: expected an index"),
            ({"source": [], "target": [], "vertices": [1]}, "source has the type float64"),
            ({"source": [1], "target": [1], "vertices": [1, 1]}, "the array vertices has a number twice"),
            ({"source": [0], "target": [0], "vertices": ["a", "a"]}, "the array vertices has a string twice"),
            ({"source": [1], "target": [2], "tokens": [3]}, "token 3 is not a position of the graph"),
            ({"source": [1], "target": [2], "tokens": [True]}, "tokens holds bool: expected integers"),
            ({"source": [1], "target": [2], "sums": [True, False]}, "sums has 2 entries: expected one for each"),
            ({"source": [1], "target": [2], "vertices": [[1, 2]]}, "vertices has the shape (1, 2)"),
            ({"source": np.array([{}]), "target": [2]}, "source has the type object"),
        ],
    )
    def test_arrays_that_do_not_fit(self, arrays, message, tmp_path):
        np.savez(tmp_path / "game.npz", **arrays)
        assert message in error_of(tmp_path / "game.npz")

    @pytest.mark.filterwarnings("ignore:Duplicate name")
    @pytest.mark.parametrize("names", [["source.npy", "source.npy", "target.npy"], ["source.npy", "source", "target"]])
    def test_two_arrays_of_a_name(self, names, tmp_path):
        with zipfile.ZipFile(tmp_path / "game.npz", "w") as archive:
            for name in names:
                archive.writestr(name, npy("'<i8'", (0,), b""))
        assert "two arrays have the same name: expected different names" in error_of(tmp_path / "game.npz")

    @pytest.mark.parametrize("count", [0, 10, 40])
    def test_not_an_archive(self, count, tmp_path):
        whole = tmp_path / "whole.npz"
        write_game(nx.DiGraph([(1, 2)]), whole)
        (tmp_path / "game.npz").write_bytes(whole.read_bytes()[:count])
        assert "the file is not an .npz file, or it is damaged: " in error_of(tmp_path / "game.npz")

    def test_damage_is_an_error_or_another_graph(self, tmp_path):
        path = tmp_path / "game.npz"
        write_game(GameGraph([(f"v{i}", f"v{i + 1}") for i in range(40)], tokens=["v0"]), path)
        whole = path.read_bytes()
        random = np.random.default_rng(1)
        for _ in range(200):
            data = bytearray(whole)
            data[random.integers(len(data))] ^= 1 << random.integers(8)
            path.write_bytes(data)
            with contextlib.suppress(graphgame.errors.GraphGameError, MemoryError):
                assert read_game(path).number_of_edges() == 40

    def test_a_member_that_expands_without_end_takes_no_memory(self, tmp_path):
        with zipfile.ZipFile(tmp_path / "game.npz", "w", zipfile.ZIP_DEFLATED) as archive:
            for name in ("source", "target"):
                archive.writestr(f"{name}.npy", npy("'<i8'", (10**14,), bytes(8 << 20)))
        assert "but the file ends after 1048576 entries" in error_of(tmp_path / "game.npz")

    @pytest.mark.parametrize(
        ("graph", "message"),
        [
            (GameGraph([(0, -1)]), "position -1 is negative"),
            (GameGraph([("a", "b\0")]), "or one ends in NUL: write parquet"),
            (GameGraph([("a" * (1 << 28), "b")]), "too long for an array"),
        ],
    )
    def test_what_cannot_be_expressed(self, graph, message, tmp_path):
        with pytest.raises(FormatError, match=message):
            write_game(graph, tmp_path / "game.npz")

    def test_standard_output(self, monkeypatch):
        stdout = io.TextIOWrapper(io.BytesIO())
        monkeypatch.setattr(sys, "stdout", stdout)
        write_game(nx.DiGraph([(1, 2)]), "-", "npz")
        assert np.load(io.BytesIO(stdout.buffer.getvalue()))["target"].tolist() == [2]


class TestSparse:
    @pytest.mark.parametrize("format", FORMATS)
    @given(options=dags())
    @settings(max_examples=20)
    def test_agrees_with_networkx(self, format, options):
        graph = nx.DiGraph()
        graph.add_nodes_from(sorted(options))
        graph.add_edges_from((v, w) for v, ends in options.items() for w in ends)
        matrix = nx.to_scipy_sparse_array(graph, format=format)
        found = GameGraph(graph).to_scipy(format=format)
        assert found.format == format
        assert (found.toarray() == matrix.toarray()).all()
        back = GameGraph(matrix)
        assert (set(back), set(back.edges)) == (set(graph), set(graph.edges))

    def test_a_stored_zero_is_no_edge(self):
        matrix = sparse.coo_array(([0, 1], ([0, 0], [1, 2])), shape=(3, 3))
        assert list(GameGraph(matrix).edges) == [(0, 2)]

    def test_parts_of_a_sum_are_counted(self):
        graph = game({0: [1, 1], 1: []}, sums={0})
        assert graph.to_scipy(dtype=np.int8).toarray().tolist() == [[0, 2], [0, 0]]


class TestSavedMatrices:
    @pytest.mark.parametrize("format", FORMATS)
    @pytest.mark.parametrize("make", ["coo_array", "coo_matrix"])
    def test_every_format(self, format, make, tmp_path):
        entries = ([1, 1, 1], ([0, 0, 1], [1, 2, 2]))
        sparse.save_npz(tmp_path / "game.npz", getattr(sparse, make)(entries, shape=(4, 4)).asformat(format))
        graph = read_game(tmp_path / "game.npz")
        assert (list(graph), sorted(graph.edges)) == ([0, 1, 2, 3], [(0, 1), (0, 2), (1, 2)])

    @pytest.mark.parametrize(
        ("indices", "indptr"), [([7], [0, 1, 1, 1]), ([-1], [0, 1, 1, 1]), ([1], [0, 5, -4, 1]), ([1], [0, 0])]
    )
    def test_indices_that_lead_outside(self, indices, indptr, tmp_path):
        arrays = {"indices": np.int32(indices), "indptr": np.int32(indptr), "data": np.ones(len(indices))}
        np.savez(tmp_path / "game.npz", format=b"csr", shape=(3, 3), **arrays)
        assert "the file is not an .npz file, or it is damaged: " in error_of(tmp_path / "game.npz")

    @pytest.mark.parametrize("name", ["row", "col", "shape"])
    def test_indices_with_fractions(self, name, tmp_path):
        arrays = {"row": [0], "col": [1], "shape": [3, 3], name: [2.0, 2.5]}
        np.savez(tmp_path / "game.npz", format=b"coo", data=[1], **arrays)
        assert f"{name} has the type float64" in error_of(tmp_path / "game.npz")

    def test_a_small_file_does_not_take_all_memory(self, tmp_path):
        sparse.save_npz(tmp_path / "game.npz", sparse.coo_array((10**9, 10**9)))
        assert "claims 1000000000 vertices, but has only" in error_of(tmp_path / "game.npz", LimitError)

    def test_memory_is_not_reserved_for_the_entries_that_a_header_claims(self, tmp_path):
        sparse.save_npz(tmp_path / "game.npz", sparse.coo_array(([1], ([0], [1])), shape=(3, 3)))
        with zipfile.ZipFile(tmp_path / "game.npz") as saved:
            arrays = {name: saved.read(name) for name in saved.namelist()}
        arrays["data.npy"] = npy("'<f8'", (50_000_000,), bytes(16))
        with zipfile.ZipFile(tmp_path / "game.npz", "w") as archive:
            for name, data in arrays.items():
                archive.writestr(name, data)
        tracemalloc.start()
        message = error_of(tmp_path / "game.npz")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert "data has the shape (50000000,), but the file ends after 2 entries" in message
        assert peak < 10**7

    def test_not_square(self, tmp_path):
        sparse.save_npz(tmp_path / "game.npz", sparse.coo_array((2, 3)))
        assert "a matrix of shape (2, 3): expected (n, n)" in error_of(tmp_path / "game.npz")


def test_decided_positions_come_back(tmp_path):
    graph = GameGraph.from_arrays([0, 1], [1, 2], 4, decided=np.array([0, 0, -2, -3]))
    write_game(graph, tmp_path / "game.npz")
    assert read_game(tmp_path / "game.npz").decided.tolist() == [0, 0, -2, -3]


def test_decided_needs_signed_integers(tmp_path):
    np.savez(tmp_path / "game.npz", source=[0], target=[1], vertices=[0, 1], decided=np.zeros(2, np.uint8))
    assert "decided holds uint8: expected signed integers" in error_of(tmp_path / "game.npz")
