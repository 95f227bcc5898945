"""Compiled loops: what they take and return, and how their machine code is kept and loaded without numba."""

import marshal
import os
import random
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import NamedTuple

import numpy as np
import pytest

import graphgame
from graphgame.compiled import compiling, loop_cache
from graphgame.compiled import engine as engines
from graphgame.compiled.compiling import compiled, inlined, runner
from graphgame.compiled.instructions import ones, unsigned, word_at
from graphgame.errors import PerformanceWarning
from tests.helpers import needs

pytestmark = needs("numba")

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


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Return where machine code is kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    once_in_a_process = engines.warn_of_slow_loops, loop_cache._remove_old_files
    for function in once_in_a_process:  # other tests of this process may have called them
        function.cache_clear()
    yield tmp_path / "cache" / "graphgame" / "loops"
    for function in once_in_a_process:
        function.cache_clear()


class TestArguments:
    @pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64, np.uint64, np.float64, np.bool_])
    def test_arrays_of_any_type(self, dtype):
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
    def test_arrays_of_any_layout(self, view):
        values = view(np.arange(12, dtype=np.int64).reshape(3, 4))
        assert compiled(total)(values) == values.sum()

    @pytest.mark.parametrize(
        "number", [0, -1, 2**63 - 1, -(2**63), True, 2.5, np.int32(-7), np.uint64(2**64 - 1), np.bool_(True)]
    )
    def test_numbers(self, number):
        values = np.zeros(1, np.asarray(number).dtype)
        compiled(fill)(values, number)
        assert values[0] == number

    @pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 2**200])
    def test_a_number_of_more_than_64_bits(self, number):
        with pytest.raises(OverflowError, match="does not fit into 64 bits"):
            compiled(fill)(np.zeros(1, np.int64), number)

    @pytest.mark.parametrize("argument", ["text", b"bytes", [1], {}])
    def test_what_no_loop_takes(self, argument):
        with pytest.raises(TypeError, match=f"not {type(argument).__name__}"):
            compiled(total)(argument)

    def test_none_takes_the_branch_for_it(self):
        loop = compiled(_or_nothing)
        assert [loop(None), loop(np.array([5]))] == [-1, 5]


def _or_nothing(values):
    if values is None:
        return -1
    return values[0]


def test_two_results_are_a_pair():
    assert compiled(both)(np.array([2, 0])) == (2, True)


def test_parts_are_compiled_into_the_loop():
    values = np.array([5])
    compiled(through_parts)(values)
    assert values[0] == 16


@pytest.mark.parametrize("offset", range(8))
def test_instructions(offset):
    data = np.arange(1, 17, dtype=np.uint8)
    for engine in ("plain", "compiled"):
        word, count, plus = (runner(compiled(loop), 0, engine) for loop in (_word, _ones, _plus))
        assert word(data, offset) == int.from_bytes(data[offset : offset + 8].tobytes(), "little")
        assert count((1 << 5 * offset) - 1) == 5 * offset
        assert plus(offset) == offset + 1


def _word(data, offset):
    return word_at(data, offset)


def _plus(number):
    return unsigned(number) + np.uint64(1)


def _ones(number):
    return ones(number)


def test_functions_of_the_c_library_that_the_compiler_calls(folder):
    values = np.ones(1000, np.int64)
    compiled(_cleared)(values)
    assert not values.any()
    assert [b"memset" in path.read_bytes() for path in folder.glob("*/*_cleared*")] == [True]


def _cleared(values):
    for i in range(len(values)):
        values[i] = 0


def test_functions_that_numba_has_compiled_before_for_somebody_else():
    import numba

    assert numba.njit(_largest)(np.array([3, 5])) == 5
    assert compiled(_largest)(np.array([3, 5])) == 5


def _largest(values):
    return max(abs(values[0]), abs(values[1]))


def test_threads_that_call_first_agree():
    loop = compiled(total)
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(loop, [np.ones((3, 3), np.int64)] * 50)) == {9}


def in_new_process(monkeypatch, compiles=True):
    """Run a loop as a new process would."""
    if not compiles:
        monkeypatch.setattr(compiling, "_generation", None)
    return compiled(total)(np.ones((2, 2), np.int64))


def kept(folder):
    return [*folder.glob("*/*")]


class TestKeeping:
    def test_the_second_process_compiles_nothing(self, folder, monkeypatch):
        assert in_new_process(monkeypatch) == 4
        assert [path.name.rpartition(".")[0] for path in kept(folder)] == ["tests.core.compiled.test_compiling.total"]
        assert in_new_process(monkeypatch, compiles=False) == 4

    def test_a_damaged_file_is_compiled_again(self, folder, monkeypatch):
        in_new_process(monkeypatch)
        for path in kept(folder):
            path.write_bytes(path.read_bytes()[:-1])
        assert in_new_process(monkeypatch) == 4
        assert in_new_process(monkeypatch, compiles=False) == 4

    @pytest.mark.parametrize("change", ["bit", "cut", "inserted", "swapped"])
    def test_no_damage_passes(self, change):
        rng = random.Random(change)
        code = rng.randbytes(5000)
        loop_cache.write_cached("a loop", b"made from", code)
        path = loop_cache._private_folder() / loop_cache._host() / "a loop"
        whole = path.read_bytes()
        for start in [*range(60), *(rng.randrange(len(whole)) for _ in range(60))]:
            before, after = whole[:start], whole[start:]
            path.write_bytes(
                {
                    "bit": before + bytes([after[0] ^ 1 << rng.randrange(8)]) + after[1:],
                    "cut": before,
                    "inserted": before + b"\n" + after,
                    "swapped": after + before if before else b"",
                }[change]
            )
            assert loop_cache.read_cached("a loop", b"made from") is None
        path.write_bytes(whole)
        assert loop_cache.read_cached("a loop", b"made from") == code
        assert loop_cache.read_cached("a loop", b"made from something else") is None

    def test_a_changed_part_or_constant_is_compiled_again(self, monkeypatch):
        values = np.array([1])
        compiled(through_parts)(values)
        monkeypatch.setitem(globals(), "FACTOR", 10)
        monkeypatch.setitem(globals(), "thrice", inlined(copied(thrice)))
        monkeypatch.setitem(globals(), "larger", inlined(copied(larger)))
        compiled(through_parts)(values)
        assert values[0] == 41
        monkeypatch.setitem(globals(), "larger", inlined(lambda number: -number))
        compiled(through_parts)(values)
        assert values[0] == -41


def copied(function):
    return FunctionType(function.__code__, globals())


def relative_names(folder, monkeypatch):
    for name in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, "cache")


def no_home(folder, monkeypatch):
    for name in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name)
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)


def a_link(folder, monkeypatch):
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(folder.with_name("elsewhere"))


def a_file(folder, monkeypatch):
    folder.rename(folder.with_name("elsewhere"))
    folder.write_text("")


class TestPrivacy:
    CODE = b"..."

    @pytest.mark.parametrize(
        "spoil",
        [
            relative_names,
            no_home,
            a_link,
            a_file,
            pytest.param(lambda folder, _: folder.chmod(0o750), id="open to a group"),
            pytest.param(lambda folder, _: folder.chmod(0o701), id="open to all"),
            pytest.param(lambda _, patch: patch.setattr(os, "geteuid", lambda: os.getuid() + 1), id="of another user"),
        ],
    )
    def test_nothing_is_read_or_kept_in_a_folder_that_is_not_the_users_alone(
        self, spoil, folder, tmp_path, monkeypatch
    ):
        loop_cache.write_cached("a loop", b"stamp", self.CODE)
        assert loop_cache.read_cached("a loop", b"stamp") == self.CODE
        spoil(folder, monkeypatch)
        assert loop_cache.read_cached("a loop", b"stamp") is None
        with pytest.raises(OSError, match=r"folder for cached files|is not private|File exists"):
            loop_cache.write_cached("another", b"stamp", self.CODE)
        assert not [*tmp_path.rglob("another")]

    @pytest.mark.parametrize(
        "spoil",
        [
            pytest.param(lambda path: path.chmod(0o620), id="writable by a group"),
            pytest.param(lambda path: path.chmod(0o602), id="writable by all"),
            pytest.param(lambda path: path.symlink_to(path.rename(path.with_suffix(".else"))), id="a link"),
        ],
    )
    def test_no_file_is_read_that_others_could_have_written(self, spoil, folder):
        loop_cache.write_cached("a loop", b"stamp", self.CODE)
        spoil(folder / loop_cache._host() / "a loop")
        assert loop_cache.read_cached("a loop", b"stamp") is None

    def test_the_folder_is_made_for_the_user_alone(self, folder):
        loop_cache.write_cached("a loop", b"stamp", self.CODE)
        assert folder.stat().st_mode & 0o777 == 0o700
        assert (folder / loop_cache._host() / "a loop").stat().st_mode & 0o777 == 0o600


def refused(*_):
    raise RuntimeError("Symbols not found")


class TestByNumbaAlone:
    def test_code_that_llvm_does_not_load_runs_in_this_process(self, folder, monkeypatch):
        monkeypatch.setattr(compiling, "_caller", refused)
        with pytest.warns(PerformanceWarning, match="loops cannot be cached, .* again: Symbols not found"):
            assert in_new_process(monkeypatch) == 4
        assert not kept(folder)

    def test_cached_code_that_llvm_does_not_load_is_compiled_again(self, folder, monkeypatch):
        assert in_new_process(monkeypatch) == 4
        (path,) = kept(folder)
        code = b"no object file"
        made_from = compiling.stamp(total, (compiling._kind(np.ones((2, 2), np.int64), []),))
        loop_cache.write_cached(path.name, made_from, code)
        assert loop_cache.read_cached(path.name, made_from) == code
        assert in_new_process(monkeypatch) == 4
        assert loop_cache.read_cached(path.name, made_from) != code

    def test_arrays_without_numpy(self):
        array = memoryview(bytearray(32)).cast("B").cast("l", (2, 2))
        array[1, 1] = 5
        assert compiled(total)(array) == 5
        assert compiled(fill)(memoryview(b"").cast("l"), 1) is None
        assert np.asarray(array).tolist() == [[0, 0], [0, 5]]

    @pytest.mark.parametrize("spoil", [no_home, a_file])
    def test_without_a_folder(self, spoil, folder, monkeypatch):
        loop_cache._private_folder()
        spoil(folder, monkeypatch)
        with pytest.warns(PerformanceWarning, match="loops cannot be cached, so each process compiles them again: "):
            assert in_new_process(monkeypatch) == 4

    def test_the_cache_is_turned_off(self, folder, monkeypatch):
        monkeypatch.setenv("GRAPHGAME_LOOP_CACHE", "off")
        assert in_new_process(monkeypatch) == 4
        assert not folder.exists()
        monkeypatch.delenv("GRAPHGAME_LOOP_CACHE")
        assert in_new_process(monkeypatch) == 4
        monkeypatch.setenv("GRAPHGAME_LOOP_CACHE", "off")
        with pytest.raises(TypeError):
            in_new_process(monkeypatch, compiles=False)

    def test_old_files_are_removed(self, folder, monkeypatch):
        loop_cache._private_folder()
        (folder / "numba-0123").mkdir()
        old = [folder / "earlier", folder / "numba-0123" / "total.nbc"]
        for path in [*old, folder / "new"]:
            path.write_bytes(b"code")
        for path in old:
            os.utime(path, (0, 0))
        assert in_new_process(monkeypatch) == 4
        assert [path.name for path in kept(folder)] == [kept(folder)[0].name]
        assert not old[0].exists()
        assert not old[1].parent.exists()
        assert (folder / "new").exists()

    def test_each_processor_has_its_own_code(self, folder, monkeypatch):
        assert in_new_process(monkeypatch) == 4
        monkeypatch.setattr(loop_cache, "_host", lambda: "another")
        assert in_new_process(monkeypatch) == 4
        assert len(kept(folder)) == 2


class Pair(NamedTuple):
    values: object
    number: int


def filled(pair, nothing):
    for i in range(len(pair.values)):
        pair.values[i] = pair.number
    return nothing is None


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_records_are_passed_field_by_field(engine):
    values = np.zeros(3, np.int64)
    assert runner(compiled(filled), 0, engine)(Pair(values, 7), None)
    assert values.tolist() == [7, 7, 7]


def test_the_order_of_fields_counts():
    class Turned(NamedTuple):
        number: int
        values: object

    kinds = [compiling._kind(record, []) for record in (Pair(0, 0), Turned(0, 0))]
    kinds[1] = (Pair, *kinds[1][1:])
    assert compiling.stamp(filled, kinds[:1]) != compiling.stamp(filled, kinds[1:])


def evens(count):
    return sum(i for i in range(count) if i % 2 == 0)


def test_the_address_of_code_inside_a_loop_does_not_count():
    again = FunctionType(marshal.loads(marshal.dumps(evens.__code__)), evens.__globals__)
    assert compiling.stamp(evens, []) == compiling.stamp(again, [])


def made(first, second):
    pair = Pair(first, second)
    return pair.values - pair.number


def test_the_order_of_fields_counts_in_records_that_a_loop_makes(monkeypatch):
    before = compiling.stamp(made, [])
    monkeypatch.setitem(made.__globals__, "Pair", NamedTuple("Pair", [("number", object), ("values", object)]))
    assert compiling.stamp(made, []) != before


def by_steps(values, step):
    found = 0
    for i in range(0, len(values), step):
        found += values[i]
    return found


def test_a_loop_that_may_raise_is_no_object_code_and_raises(folder):
    """Object code would end the process: so nothing that calls Python's functions becomes any."""
    with pytest.warns(PerformanceWarning, match="by_steps may raise an exception"):
        assert compiled(by_steps)(np.arange(5), 2) == 6
    with pytest.raises(ValueError, match="zero"):
        compiled(by_steps)(np.arange(5), 0)
    assert not kept(folder)


def test_compiling_is_told_once_and_takes_no_time_of_work(monkeypatch):
    told = []
    monkeypatch.setattr(engines, "compiling_listeners", [lambda: told.append(engines.work_clock())])
    began = engines.work_clock()
    assert [compiled(total)(np.ones((2, 2), kind)) for kind in (np.int16, np.int8)] == [4, 4]
    assert len(told) == 1
    assert engines.work_clock() - began < 0.5


def test_arrays_without_order_are_written_too():
    values = np.zeros((2, 3), np.int64)
    compiled(fill)(values[:, 1], 4)
    assert values.tolist() == [[0, 4, 0], [0, 4, 0]]


PROGRAM = """
import sys
import numpy as np
from graphgame.graph import kernels
if sys.argv[1] == "no home":
    import pwd
    pwd.getpwuid = {}.__getitem__
lengths = np.zeros(3, np.int64)
kernels.birthday_pass(np.array([0, 1, 2, 2]), np.array([1, 2], np.int32), np.arange(3, dtype=np.int32), None, lengths)
print(lengths.tolist(), "numba" in sys.modules)
"""


@pytest.mark.long
def test_processes(tmp_path):
    """The second finds all code; where no folder is, all is compiled; nothing is left beside the source."""
    installed = tmp_path / "installed"
    shutil.copytree(Path(graphgame.__file__).parent, installed / "graphgame", ignore=shutil.ignore_patterns("*cache__"))

    def run(home, **environment):
        environment |= {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join([str(installed), *sys.path[1:]])}
        command = [sys.executable, "-c", PROGRAM, home]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=installed)
        return done.stdout + done.stderr

    assert run("a home", HOME=str(tmp_path)) == "[0, 1, 2] True\n"
    assert run("a home", HOME=str(tmp_path)) == "[0, 1, 2] False\n"
    assert run("no home").startswith("[0, 1, 2] True\n")
    assert {path.suffix for path in installed.rglob("__pycache__/*")} == {".pyc"}
    assert [*tmp_path.glob(".cache/graphgame/loops/*/*birthday_pass*")]


LARGE = 60_000
"""Vertices of a chain whose moves, with those of its vertices, are enough for loops to run compiled."""

FIRST_USE = "graphgame: compiling, first use only\n"
REFUSED = "cannot allocate executable memory"
NO_EXECUTABLE_MEMORY = """
import ctypes
PR_SET_MDWE, REFUSE_EXEC_GAIN = 65, 1
if ctypes.CDLL(None).prctl(PR_SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0):  # Linux before 6.3: refuse as it would
    import llvmlite.binding
    def refuse(*_):
        raise PermissionError(13, "cannot allocate executable memory")
    llvmlite.binding.check_jit_execution = refuse
"""
WRONG_NUMPY = 'raise ImportError("Numba needs NumPy 2.2 or less. Got NumPy 2.3.\\nMore of it.")'


class TestLoopsThatCannotBeCompiled:
    """numba is installed, but nothing that it compiles can run: the same answers, and one line that says why."""

    @pytest.fixture
    def run(self, tmp_path):
        """Return what runs a command in a new process, after a preparation, with folders to import from first."""
        path = tmp_path / "chain.edges"
        path.write_text("".join(f"{n} {m}\n" for n in range(LARGE, 2, -1) for m in (n - 1, n - 2, n - 3)))

        def running(*words, prepare="", folder=None, cache="cache"):
            program = f"{prepare}\nimport sys; from graphgame.__main__ import main; sys.exit(main())"
            paths = [str(folder)] if folder else []
            environment = {
                **os.environ,
                "PYTHONPATH": os.pathsep.join([*paths, *sys.path[1:]]),
                "XDG_CACHE_HOME": str(tmp_path / cache),
            }
            command = [sys.executable, "-c", program, *words]
            done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
            return done.returncode, done.stdout, done.stderr.replace(FIRST_USE, "")

        return running

    @pytest.fixture
    def broken(self, tmp_path):
        """Return a folder with the release of numba that is installed, which refuses the NumPy beside it."""
        folder = tmp_path / "broken"
        (folder / "numba").mkdir(parents=True)
        shutil.copy(Path(find_spec("numba").origin).with_name("_version.py"), folder / "numba")
        (folder / "numba" / "__init__.py").write_text(WRONG_NUMPY)
        return folder

    @pytest.mark.long
    def test_a_numba_that_does_not_load(self, run, broken):
        words = "solve", "chain.edges@60000", "--verdict"
        status, out, said = run(*words)
        told = "graphgame: numba cannot be imported (Numba needs NumPy 2.2 or less. Got NumPy 2.3): "
        told += "loops run as plain Python, far more slowly\n"
        assert run(*words, folder=broken, cache="empty") == (status, out, f"{told}{said}")

    @pytest.mark.long
    def test_memory_that_may_not_be_executed(self, run):
        words = "solve", "chain.edges@60000", "--json"
        expected = run(*words)
        status, out, said = run(*words, prepare=NO_EXECUTABLE_MEMORY)
        assert (status, out, said.partition("\n")[2]) == expected
        assert said.startswith(f"graphgame: compiled code does not run on this machine ({REFUSED}")

    @pytest.mark.long
    def test_a_loop_that_is_not_cached_yet_runs_as_plain_python(self, run, broken, tmp_path):
        expected = run("stats", "chain.edges", "--json")
        loops = tmp_path / "cache" / "graphgame" / "loops"
        for path in loops.glob("*/*grundy*"):
            path.unlink()
        before = len([*loops.glob("*/*")])
        assert before
        status, out, said = run("stats", "chain.edges", "--json", folder=broken)
        assert (status, out) == expected[:2]
        assert said.count("\n") == 1 + expected[2].count("\n")
        assert len([*loops.glob("*/*")]) == before

    def test_the_compiled_engine_is_refused(self, run, broken):
        status, out, said = run("solve", "chain.edges@60000", "--verdict", "--engine", "compiled", folder=broken)
        assert (status, out) == (2, "")
        fault = "numba cannot be imported (Numba needs NumPy 2.2 or less. Got NumPy 2.3)"
        assert said.endswith(f"the compiled engine does not run on this machine (the engine plain does): {fault}\n")

    @pytest.mark.long
    def test_a_cache_that_cannot_be_used_is_named(self, run, tmp_path):
        (tmp_path / "file").write_text("")
        status, out, said = run("solve", "chain.edges@60000", "--verdict", cache="file")
        assert (status, out) == run("solve", "chain.edges@60000", "--verdict")[:2]
        assert said == (
            "graphgame: compiled loops cannot be cached, so each process compiles them again: "
            f"{tmp_path}/file/graphgame/loops: Not a directory; set XDG_CACHE_HOME to use another folder\n"
        )
