"""Compiled loops: what they take and return, and how their machine code is kept and loaded without numba."""

import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from graphgame.arrays import compiling, machinecode
from graphgame.arrays.compiling import compiled, inlined, trailing_zeros, word_at

FACTOR = 3


def fill(values, number):
    for i in range(len(values)):
        values[i] = number


def total(values):
    found = 0
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            found += values[i, j]
    return found


def both(values):
    return len(values), values[0] > 1


@inlined
def thrice(number):
    return FACTOR * number


@inlined
def larger(number):
    return thrice(number) + 1


def through_parts(values):
    values[0] = larger(values[0])


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Two folders of which the first is tried first."""
    found = tmp_path / "first", tmp_path / "second"
    monkeypatch.setattr(machinecode, "cache_from_source", lambda _: str(found[0] / "module.pyc"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(found[1]))
    return found


class TestArguments:
    @pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64, np.uint64, np.float64, np.bool_])
    def test_arrays_of_any_type(self, dtype, folders):
        values = np.zeros(5, dtype)
        assert compiled(fill)(values, 1) is None
        assert values.tolist() == [1] * 5

    @pytest.mark.parametrize(
        "view",
        [
            pytest.param(lambda a: a, id="in order"),
            pytest.param(lambda a: a.T, id="turned"),
            pytest.param(lambda a: a[::-1, ::2], id="with strides"),
            pytest.param(lambda a: a[:0], id="empty"),
            pytest.param(lambda a: np.frombuffer(b"x" + a.tobytes(), np.int64, offset=1).reshape(3, 4), id="unaligned"),
            pytest.param(lambda a: np.broadcast_to(a[0], (2, 4)), id="read only"),
        ],
    )
    def test_arrays_of_any_layout(self, view, folders):
        values = view(np.arange(12, dtype=np.int64).reshape(3, 4))
        assert compiled(total)(values) == values.sum()

    @pytest.mark.parametrize(
        "number", [0, -1, 2**63 - 1, -(2**63), True, 2.5, np.int32(-7), np.uint64(2**64 - 1), np.bool_(True)]
    )
    def test_numbers(self, number, folders):
        values = np.zeros(1, np.asarray(number).dtype)
        compiled(fill)(values, number)
        assert values[0] == number

    @pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 2**200])
    def test_a_number_of_more_than_64_bits(self, number, folders):
        with pytest.raises(OverflowError, match="does not fit into 64 bits"):
            compiled(fill)(np.zeros(1, np.int64), number)

    @pytest.mark.parametrize("argument", ["text", b"bytes", [1], {}])
    def test_what_no_loop_takes(self, argument, folders):
        with pytest.raises(TypeError, match=f"not {type(argument).__name__}"):
            compiled(total)(argument)

    def test_none_takes_the_branch_for_it(self, folders):
        loop = compiled(_or_nothing)
        assert [loop(None), loop(np.array([5]))] == [-1, 5]


def _or_nothing(values):
    if values is None:
        return -1
    return values[0]


def test_two_results_are_a_pair(folders):
    assert compiled(both)(np.array([2, 0])) == (2, True)


def test_parts_are_compiled_into_the_loop(folders):
    values = np.array([5])
    compiled(through_parts)(values)
    assert values[0] == 16


@pytest.mark.parametrize("offset", range(8))
def test_instructions(offset, folders):
    data = np.arange(1, 17, dtype=np.uint8)
    assert compiled(_word)(data, offset) == int.from_bytes(data[offset : offset + 8].tobytes(), "little")
    assert compiled(_zeros)(np.uint64(1 << 5 * offset)) == 5 * offset


def _word(data, offset):
    return word_at(data, offset)


def _zeros(number):
    return trailing_zeros(number)


def _factorials(values):
    values[0] = math.gamma(values[0])


def test_a_loop_that_calls_a_library_is_refused(folders):
    with pytest.raises(TypeError, match="_factorials calls"):
        compiled(_factorials)(np.zeros(1))


def test_threads_that_call_first_agree(folders):
    loop = compiled(total)
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(loop, [np.ones((3, 3), np.int64)] * 50)) == {9}


class TestKeeping:
    def kept(self, folder):
        return sorted(folder.glob("*.loop"))

    def run(self, monkeypatch, compiles=True):
        """Run a loop as a new process would."""
        if not compiles:
            monkeypatch.setattr(compiling, "_compile", None)
        return compiled(total)(np.ones((2, 2), np.int64))

    def test_the_second_process_compiles_nothing(self, folders, monkeypatch):
        assert self.run(monkeypatch) == 4
        assert [path.name.split(".")[:2] for path in self.kept(folders[0])] == [["test_compiling", "total"]]
        assert self.run(monkeypatch, compiles=False) == 4

    @pytest.mark.parametrize(
        "damage",
        [
            pytest.param(lambda data: b"", id="empty"),
            pytest.param(lambda data: data[: len(data) // 2], id="cut"),
            pytest.param(lambda data: data[:-1] + bytes([data[-1] ^ 1]), id="one bit"),
            pytest.param(lambda data: b"0" + data, id="another stamp"),
            pytest.param(lambda data: b"\xff" * 100, id="no text"),
        ],
    )
    def test_a_damaged_file_is_compiled_again(self, damage, folders, monkeypatch):
        self.run(monkeypatch)
        (path,) = self.kept(folders[0])
        path.write_bytes(damage(path.read_bytes()))
        assert self.run(monkeypatch) == 4
        assert self.run(monkeypatch, compiles=False) == 4

    def test_a_folder_that_cannot_be_written_gives_way_to_the_users(self, folders, monkeypatch):
        folders[0].write_text("a file")
        assert self.run(monkeypatch) == 4
        assert self.kept(folders[1] / "graphgame")
        assert self.run(monkeypatch, compiles=False) == 4

    def test_nothing_is_kept_where_nothing_can_be_written(self, folders, monkeypatch):
        for folder in folders:
            folder.write_text("a file")
        assert self.run(monkeypatch) == 4

    def test_a_changed_part_or_constant_is_compiled_again(self, folders, monkeypatch):
        values = np.array([1])
        compiled(through_parts)(values)
        monkeypatch.setitem(globals(), "FACTOR", 10)
        monkeypatch.setitem(globals(), "thrice", inlined(thrice.function))
        monkeypatch.setitem(globals(), "larger", inlined(larger.function))
        compiled(through_parts)(values)
        assert values[0] == 41
        monkeypatch.setitem(globals(), "larger", inlined(lambda number: -number))
        compiled(through_parts)(values)
        assert values[0] == -41


def test_a_process_that_finds_all_code_loads_no_numba():
    program = """
import sys
from graphgame import GameGraph, solve
from graphgame.arrays import engine
engine.COMPILED_FROM = 0
print(solve(GameGraph([("a", "b"), ("b", "c"), ("a", "c")])).grundy["a"], "numba" in sys.modules)
"""
    runs = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True) for _ in "12"]
    assert runs[1].stdout == "2 False\n"


def test_compiling_loads_no_linear_algebra_and_keeps_it_usable(tmp_path):
    (tmp_path / "loop.py").write_text("def first(values):\n    return values[0]\n")
    program = """
import sys
import numpy as np
from graphgame.arrays.compiling import compiled
import loop
compiled(loop.first)(np.ones(1))
assert "scipy.linalg" not in sys.modules
import numba
product = numba.njit(lambda a: np.dot(a, a))
print(product(np.array([[1.0, 1.0], [0.0, 1.0]])).tolist())
"""
    run = [sys.executable, "-c", program]
    done = subprocess.run(run, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(tmp_path)})
    assert done.stdout == "[[1.0, 2.0], [0.0, 1.0]]\n"
