"""How loops are compiled: by numba, which is loaded only where the machine code of a loop is not kept yet.

To load it without numba takes for granted how numba calls what it compiles. So that is done only for releases that it
was tried with, and only once a small loop has given the right result in this process. Elsewhere numba does it all.
"""

from __future__ import annotations

import hashlib
import platform
import sys
import threading
import warnings
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from math import prod
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from graphgame.arrays.engine import faults_of_loops, use_compiled, warn_of_plain_loops
from graphgame.arrays.linking import UnlinkableError
from graphgame.arrays.machinecode import (
    ArgumentKind,
    MachineCode,
    RawArray,
    argument_kind,
    is_array,
    keep,
    link,
    machine_code,
    private_folder,
    processor,
    read_kept,
    signature,
    zeros,
)
from graphgame.errors import Message, PerformanceWarning


def stamp(function: FunctionType, parts: Mapping[Any, Any], *more: object) -> bytes:
    """Return what tells a loop from its own other forms; ``parts`` are functions of other modules that count as well.

    A part that has another function as its meaning stands for that.
    """
    digest = hashlib.sha256(repr((sys.version_info[:3], numba_release(), more)).encode())
    for item in _content(function, parts):
        digest.update(item)
    return digest.digest()


def _content(function: FunctionType, parts: Mapping[Any, Any]) -> Iterator[bytes]:
    yield from _code_content(function.__code__)
    for name, value in globals_of(function):
        if isinstance(value, (int, float)) or hasattr(value, "dtype"):
            yield f"{name}={value!r}".encode()
    for _, value in globals_of(function):
        if isinstance(value, FunctionType) and (value in parts or value.__module__ == function.__module__):
            yield from _content(parts.get(value) or value, parts)


def globals_of(function: FunctionType) -> Iterator[tuple[str, object]]:
    """Yield the globals that a function uses, by name."""
    known = function.__globals__
    return ((name, known[name]) for name in _names(function.__code__) if name in known)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _code_content(code: CodeType) -> Iterator[bytes]:
    yield code.co_code
    yield repr(code.co_names).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_content(constant)
        else:
            yield repr(constant).encode()


@cache
def numba_release() -> str:
    """Return which numba is installed, by the folder that tells it: what reads that takes longer to load."""
    spec = find_spec("numba")
    if spec is None or spec.origin is None:
        return "unknown"
    found = [path.name for path in Path(spec.origin).parents[1].glob("numba-*.dist-info")]
    return found[0].removesuffix(".dist-info").partition("-")[2] if len(found) == 1 else "unknown"


if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]
else:
    Array = Any


Loop = TypeVar("Loop", bound=Callable[..., object])

_RELEASES = "0.60.0 0.61.0 0.61.2 0.62.0 0.62.1 0.63.0 0.63.1 0.64.0 0.65.0 0.65.1 0.66.0 0.67.0 0.68.0 0.68.1"
_TRIED = ("Linux", "x86_64"), _RELEASES.split()
"""The system and the releases of numba whose machine code is known to run without it."""

_OPTIONS = {"nogil": True, "error_model": "numpy"}
"""No lock is held; nothing is raised, and a division by zero gives what the processor says."""

_ALONE = {**_OPTIONS, "_nrt": False}
"""Nothing is allocated, so that the machine code needs nothing of numba's."""

_UNLINKABLE = MachineCode("", "", b"")
"""What is kept of a loop that cannot be linked, or each process would compile it to see that."""

_LONGEST_FAULT = 300

_one_at_a_time = threading.RLock()

_parts: dict[Any, Any] = {}
"""The functions that loops call, each with what writes the instruction it stands for, or None."""

_preparations: dict[Any, Callable[[], object]] = {}
"""What is to be done before numba compiles a part."""


class UnusableNumbaError(Exception):
    """numba is installed but cannot be imported."""


def compiled(loop: Loop) -> Loop:
    """Compile a loop for the types of its arguments, at its first call with them; its machine code is kept on disk.

    The loop takes arrays, numbers and None, fills the arrays and returns nothing or numbers. The call holds no lock.
    """
    return cast("Loop", _Compiled(cast("FunctionType", loop)))


def inlined(part: Loop) -> Loop:
    """Compile a part of loops into each of them, without a call."""
    _parts[part] = None
    return part


def runner(loop: Loop, size: int, engine: str = "auto") -> Loop:
    """Return a compiled loop in the form that fits the size of the work: itself, or plain Python on the same memory."""
    return loop if use_compiled(size, engine) else cast("Loop", cast("_Compiled", loop).plain)


class _Compiled:
    """A loop, with what calls it for each types of arguments that it was called with."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function
        self._calls: dict[tuple[Hashable, ...], Callable[[Sequence[Any]], Any]] = {}

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401
        given = tuple(map(signature, arguments))
        call = self._calls.get(given)
        if call is None:
            kinds = tuple(map(argument_kind, arguments))
            with _one_at_a_time:  # another thread may have made it while this one waited
                call = self._calls[given] = self._calls[kinds] = self._calls.get(kinds) or self._made(kinds)
        return call(arguments)

    def plain(self, *arguments: Any) -> Any:  # noqa: ANN401
        return self._function(*map(_memory, arguments))

    def _made(self, kinds: Sequence[ArgumentKind]) -> Callable[[Sequence[Any]], Any]:
        try:
            if _links():
                with suppress(UnlinkableError):
                    return link(_code(self._function, kinds), kinds)
            dispatcher = _dispatcher(self._function, kinds)
        except UnusableNumbaError as error:  # other loops may still be cached from when numba could be imported
            warn_of_plain_loops(str(error))
            return lambda arguments: self.plain(*arguments)
        return lambda arguments: dispatcher(*map(_of_numpy, arguments))


def _memory(argument: Any) -> object:  # noqa: ANN401
    """Return an array's memory, whose items plain Python reads and writes faster than the array's own."""
    return argument.data if is_array(argument) else argument


def _of_numpy(argument: object) -> object:
    import numpy as np

    if not isinstance(argument, RawArray):
        return argument
    return np.asarray(argument.view)[: prod(argument.shape)].reshape(argument.shape)


@cache
def _links() -> bool:
    """Tell whether machine code runs without numba here: the release was tried, and a small loop does as it should."""
    system, releases = _TRIED
    if (platform.system(), platform.machine()) != system or numba_release() not in releases or not processor():
        return False
    with suppress(Exception):
        return _sample_agrees()
    return False


@cache
def _fault_of_loops() -> str:
    """Return why compiled loops do not run in this process, or an empty text if they do.

    numba is imported only if its machine code does not run without it.
    """
    return "" if _links() else _imported()[1]


faults_of_loops.append(_fault_of_loops)


def _warn_of_no_cache(error: OSError) -> None:
    _warn_of_fault_of_cache(f"{error.filename}: {error.strerror}" if error.strerror else str(error))


@cache
def _warn_of_fault_of_cache(fault: str) -> None:
    warnings.warn(
        Message(
            "compiled loops cannot be cached, so each process compiles them again: {fault}; "
            "XDG_CACHE_HOME names another folder for caches",
            fault,
        ),
        PerformanceWarning,
        stacklevel=3,
    )


def _sample_agrees() -> bool:
    all_values, table = zeros("<i8", 6), zeros("<i4", 3, 2)
    for i in range(6):
        all_values.view[i] = table.view[i] = i
    values = all_values._replace(kind=("<i8", 1, "A", True), shape=(3,), strides=(16,))
    arguments = values, table, 2**62, 0.25, False, None
    kinds = tuple(map(argument_kind, arguments))
    found = link(_code(cast("FunctionType", _sample), kinds), kinds)(arguments)
    return bool(found == (3, 2.0, True, 2**62 + 1) and all_values.view.tolist() == [1, 1, 5, 3, 9, 5])


def _sample(values: Any, table: Any, number: Any, share: float, flag: bool, nothing: None) -> tuple[Any, ...]:  # noqa: ANN401
    """Do something with all that loops take and return."""
    for i in range(len(values)):
        values[i] += table[i, 1]
    if nothing is None:
        share *= 8
    return len(values), share, not flag, number + 1


def _code(function: FunctionType, kinds: Sequence[ArgumentKind]) -> MachineCode:
    """Return a loop's machine code, kept or new; each kind of processor and each form of the loop has its own."""
    made_from = stamp(function, _parts, kinds, processor())
    name = f"{function.__module__}.{function.__qualname__}.{made_from.hex()[:16]}"
    code = read_kept(name, made_from)
    if code is None:
        try:
            code = _compile(function, kinds)
        except UnlinkableError:
            code = _UNLINKABLE
        try:
            keep(name, made_from, code)
        except OSError as error:
            _warn_of_no_cache(error)
    if code == _UNLINKABLE:
        raise UnlinkableError(name)
    return code


def _parts_of(function: FunctionType) -> list[FunctionType]:
    return [value for _, value in globals_of(function) if isinstance(value, FunctionType) and value in _parts]


def _dispatcher(function: FunctionType, kinds: Sequence[ArgumentKind]) -> Any:  # noqa: ANN401
    """Return a loop as numba itself compiles it, and keeps it where it can."""
    _teach_parts(function)
    types = tuple(map(_type, kinds))
    try:
        kept = _keeping_dispatcher(function)
        kept.compile(types)
    except OSError as error:
        _warn_of_no_cache(error)
    except Exception:
        pass
    else:
        return kept
    return _numba().njit(**_OPTIONS)(function)


@cache
def _teach(part: FunctionType) -> None:
    """Tell numba how to compile a part, and the parts of it."""
    extending = _numba().extending
    if prepare := _preparations.get(part):
        prepare()
    options = {**_ALONE, "forceinline": True} if _links() else _OPTIONS
    if generate := _parts[part]:
        instruction = extending.intrinsic(generate)
        compiled_form = extending.overload(part, jit_options=options, strict=False)
        compiled_form(lambda *_: lambda *arguments: instruction(*arguments))
    else:
        extending.register_jitable(**options)(part)
        _teach_parts(part)


def _teach_parts(function: FunctionType) -> None:
    for part in _parts_of(function):
        _teach(part)


def _keeping_dispatcher(function: FunctionType) -> Any:  # noqa: ANN401
    """Return one that keeps its code among the user's caches: beside the source it would outlast the package."""
    config = _numba().config
    before, config.CACHE_DIR = config.CACHE_DIR, str(private_folder() / f"numba-{stamp(function, _parts).hex()[:16]}")
    # The folder is a setting of the process, and others' code is none of ours to keep there.
    try:
        return _numba().njit(cache=True, **_OPTIONS)(function)
    finally:
        config.CACHE_DIR = before


def _compile(function: FunctionType, kinds: Sequence[ArgumentKind]) -> MachineCode:
    numba = _numba()
    from llvmlite import binding

    _teach_parts(function)
    dispatcher = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_ALONE)(function)
    types = tuple(map(_type, kinds))
    dispatcher.compile(types)
    made = dispatcher.overloads[types]
    module = binding.parse_assembly(dispatcher.inspect_llvm(types))
    if needed := [each.name for each in module.functions if each.is_declaration and not each.name.startswith("llvm.")]:
        raise TypeError(
            Message(
                "{qualname} calls {needed}: a loop takes no help of libraries", function.__qualname__, ", ".join(needed)
            )
        )
    return machine_code(module, made.fndesc.llvm_func_name, _result(made.signature.return_type))


def _type(kind: ArgumentKind) -> Any:  # noqa: ANN401
    import numpy as np

    types = _numba().types
    if isinstance(kind, tuple):
        dtype, dimensions, layout, aligned = kind
        return types.Array(_numba().from_dtype(np.dtype(dtype)), dimensions, layout, aligned=aligned)
    return {"none": types.none, "bool": types.boolean}.get(kind) or getattr(types, kind)


def _result(returned: Any) -> str:  # noqa: ANN401
    types = _numba().types
    if isinstance(returned, types.BaseTuple):
        return "".join(map(_result, returned))
    return {"bool": "?", "float64": "d", "int64": "q", "none": "", "uint64": "Q"}[types.unliteral(returned).name]


def _numba() -> Any:  # noqa: ANN401
    numba, fault = _imported()
    if fault:
        raise UnusableNumbaError(fault)
    return numba


@cache
def _imported() -> tuple[Any, str]:
    """Return numba, and why it cannot be imported: a release of NumPy that it refuses, or no executable memory."""
    try:
        import numba
    except Exception as error:
        told = f"{getattr(error, 'strerror', None) or error}".partition("\n")[0][:_LONGEST_FAULT]
        return None, Message("numba cannot be imported ({name})", told.rstrip(".") or type(error).__name__)
    return numba, ""


def instruction(generate: Callable[..., object], prepare: Callable[[], object] | None = None) -> Callable[[Loop], Loop]:
    """Compile a part to the processor's instructions, which a function for numba writes by LLVM's builder."""

    def mark(part: Loop) -> Loop:
        _parts[part] = generate
        if prepare:
            _preparations[part] = prepare
        return part

    return mark


def view_of(context: Any, builder: Any, array: Any, value: Any) -> Any:  # noqa: ANN401
    """Return what tells an array's address, shape and strides where LLVM's builder writes an instruction."""
    return context.make_array(array)(context, builder, value)


def _prefetch(_: object, array: Any, row: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import cgutils as untyped
    from numba.core import types

    cgutils: Any = untyped
    byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
    for_writing, into_every_cache, data = word(1), word(3), word(1)

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        view = view_of(context, builder, array, arguments[0])
        index = [context.cast(builder, arguments[1], row, types.intp)]
        index += [ir.Constant(index[0].type, 0)] * (array.ndim - 1)
        shape, strides = (cgutils.unpack_tuple(builder, sizes) for sizes in (view.shape, view.strides))
        place = cgutils.get_item_pointer2(context, builder, view.data, shape, strides, array.layout, index)
        ask = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        builder.call(
            builder.module.declare_intrinsic("llvm.prefetch", [byte], ask),
            [builder.bitcast(place, byte), for_writing, into_every_cache, data],
        )
        return context.get_dummy_value()

    return types.void(array, row), generate


@instruction(_prefetch)
def prefetch(array: np.ndarray, row: object) -> None:
    """Ask for the memory of ``array[row]``, a while before it is used; changes nothing."""


def _word_at(_: object, array: Any, index: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        view = view_of(context, builder, array, arguments[0])
        place = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
        return builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)

    return types.int64(array, index), generate


@instruction(_word_at)
def word_at(array: np.ndarray, index: int) -> int:
    """Read 8 bytes of an array of bytes as one number, from any index on; its top bit is the sign."""
    return int.from_bytes(array[index : index + 8], "little", signed=True)


def _trailing_zeros(_: object, word: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    def generate(_: object, builder: Any, __: object, arguments: Any) -> object:  # noqa: ANN401
        return builder.cttz(arguments[0], ir.IntType(1)(0))

    return types.uint64(word), generate


@instruction(_trailing_zeros)
def trailing_zeros(word: np.uint64 | int) -> np.uint64:
    """Count the zeros below the lowest bit that is set; 64 where none is."""
    import numpy as np

    return np.uint64((int(word) & -int(word)).bit_length() - 1 if word else 64)


def _ones(_: object, word: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    def generate(_: object, builder: Any, __: object, arguments: Any) -> object:  # noqa: ANN401
        count = builder.ctpop(arguments[0])
        return builder.trunc(count, ir.IntType(64)) if count.type.width > 64 else count

    return types.int64(types.int64 if isinstance(word, types.Integer) else word), generate


@instruction(_ones)
def ones(word: int) -> int:
    """Count the bits that are set."""
    return word.bit_count()


def _unsigned(_: object, number: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from numba.core import types

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        return context.cast(builder, arguments[0], number, types.uint64)

    return types.uint64(number), generate


@instruction(_unsigned)
def unsigned(number: int) -> int:
    """Return an index; compiled it is one of the processor's unsigned numbers, which needs no test for below zero."""
    return number
