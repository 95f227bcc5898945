"""Compiled loops: numba compiles each to a C function (``numba.cfunc``) whose object code is cached on disk.

A process that finds the object code loads it by LLVM's ORC JIT, in a tenth of the time that numba takes to start.
"""

from __future__ import annotations

import ctypes
import struct
import threading
import warnings
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

from graphgame.compiled.engine import faults_of_loops, use_compiled, warn_of_plain_loops
from graphgame.compiled.loop_cache import ObjectCode, globals_of, has_cached_code, read_cached, stamp, write_cached
from graphgame.compiled.raw_arrays import RawArray
from graphgame.errors import Message, PerformanceWarning

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]
else:
    Array = Any

Loop = TypeVar("Loop", bound=Callable[..., object])
Call: TypeAlias = Callable[[Sequence[Any]], Any]

# Loops allocate nothing, raise nothing and hold no lock; a division by zero gives what the processor says.
_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}
_LONGEST_FAULT = 300
_INTEGERS = {"bool": range(2), "int64": range(-(2**63), 2**63), "uint64": range(2**64)}
_LETTERS = {"bool": "?7x", "float64": "d", "int64": "q", "uint64": "Q"}
_C_TYPES: dict[str, Any] = {
    "bool": ctypes.c_int64,
    "float64": ctypes.c_double,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
}

_REPORTING = (
    "numba_gil_ensure",
    "numba_gil_release",
    "numba_runtime_build_excinfo_struct",
    "numba_unpickle",
    "numba_do_raise",
)

_one_at_a_time = threading.RLock()
_library_numbers = count()

_parts: dict[Any, Any] = {}
"""The functions that loops call, each with the function that writes its LLVM instructions, or None."""

_preparations: dict[Any, Callable[[], object]] = {}
"""What must be done before numba compiles a part."""


class UnusableNumbaError(Exception):
    """numba is installed but cannot be imported."""


class ArrayKind(NamedTuple):
    """The type of an array argument; the layout is "C", or "A" where its strides are passed too."""

    dtype: str
    dimensions: int
    layout: str
    aligned: bool


class RecordKind(NamedTuple):
    """The type of a NamedTuple argument, which is passed field by field."""

    record: type
    names: tuple[str, ...]
    fields: tuple[Any, ...]


Kind: TypeAlias = "str | ArrayKind | RecordKind"


def compiled(loop: Loop) -> Loop:
    """Compile a loop for the types of its arguments, at its first call with them; the object code is cached on disk.

    The loop takes arrays, numbers, None and NamedTuples of them, fills the arrays and returns nothing or numbers. Other
    threads run meanwhile.
    """
    return cast("Loop", _Compiled(cast("FunctionType", loop)))


def inlined(part: Loop) -> Loop:
    """Compile a part of loops into each of them, without a call."""
    _parts[part] = None
    return part


def instruction(generate: Callable[..., object], prepare: Callable[[], object] | None = None) -> Callable[[Loop], Loop]:
    """Compile a part to the instructions that a numba intrinsic writes by LLVM's builder."""

    def mark(part: Loop) -> Loop:
        _parts[part] = generate
        if prepare:
            _preparations[part] = prepare
        return part

    return mark


def view_of(context: Any, builder: Any, array: Any, value: Any) -> Any:  # noqa: ANN401
    """Return an array's address, shape and strides for LLVM's builder, in an intrinsic."""
    return context.make_array(array)(context, builder, value)


def runner(loop: Loop, size: int, engine: str = "auto") -> Loop:
    """Return a compiled loop in the form that fits the size of the work: itself, or plain Python on the same memory."""
    return loop if use_compiled(size, engine) else cast("Loop", cast("_Compiled", loop).plain)


class _Compiled:
    """A loop, with a function that calls it for each combination of argument types so far."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function
        self._calls: dict[tuple[Hashable, ...], Call] = {}

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401
        given = tuple(map(_signature, arguments))
        call = self._calls.get(given)
        if call is None:
            kinds = tuple(map(_kind, arguments))
            with _one_at_a_time:  # another thread may have made it while this one waited
                call = self._calls[given] = self._calls[kinds] = self._calls.get(kinds) or self._made(kinds)
        return call(arguments)

    def plain(self, *arguments: Any) -> Any:  # noqa: ANN401
        return self._function(*map(_memory, arguments))

    def _made(self, kinds: Sequence[Kind]) -> Call:
        try:
            return _loaded(self._function, kinds)
        except UnusableNumbaError as error:  # other loops may be cached from when numba could be imported
            warn_of_plain_loops(str(error))
            return lambda arguments: self.plain(*arguments)


def _is_array(argument: object) -> bool:
    return getattr(argument, "shape", ()) != ()  # a NumPy number has the shape ()


def _memory(argument: Any) -> object:  # noqa: ANN401
    """Return an array's memory: plain Python reads and writes its items faster than the array's own."""
    if isinstance(argument, RawArray):
        return argument.view
    if isinstance(argument, tuple):
        return cast("Any", type(argument))(*map(_memory, argument))
    return argument.data if _is_array(argument) else argument


def _signature(argument: Any) -> Any:  # noqa: ANN401
    """Return what the kind of an argument follows from, which takes less time to find."""
    if (flags := getattr(argument, "flags", None)) is not None:
        return argument.dtype, argument.ndim, flags.num
    if isinstance(argument, tuple):
        return type(argument), *map(_signature, argument)
    return (argument.dtype, len(argument.shape)) if type(argument) is RawArray else type(argument)


def _kind(argument: Any) -> Kind:  # noqa: ANN401
    """Return the type for which a loop is compiled; raise a TypeError if no loop takes such an argument."""
    if isinstance(argument, RawArray):
        return ArrayKind(argument.dtype, len(argument.shape), "C", aligned=True)
    if _is_array(argument):
        layout = "C" if argument.flags.c_contiguous else "A"
        return ArrayKind(argument.dtype.str, argument.ndim, layout, argument.flags.aligned)
    if isinstance(argument, tuple):
        names: tuple[str, ...] = getattr(argument, "_fields", ())
        return RecordKind(type(argument), names, tuple(map(_kind, argument)))
    letter = getattr(getattr(argument, "dtype", None), "kind", None)
    if argument is None:
        return "none"
    if isinstance(argument, bool) or letter == "b":
        return "bool"
    if isinstance(argument, float):
        return "float64"
    if isinstance(argument, int) or letter in ("i", "u"):
        return "uint64" if getattr(argument, "dtype", None) == "u8" else "int64"
    raise TypeError(Message("a loop takes arrays and numbers, not {kind}", type(argument).__name__))


def _loaded(function: FunctionType, kinds: Sequence[Kind]) -> Call:
    """Return what calls a loop: its cached object code, or new code."""
    made_from = stamp(function, _parts, kinds)
    name = f"{function.__module__}.{function.__qualname__}.{made_from.hex()[:16]}"
    code = read_cached(name, made_from)
    if code is not None:
        with suppress(Exception):  # it is compiled again
            return _caller(*_linked(code), code.result, kinds)
    code, native = _compile(function, kinds)
    try:
        address, owner = _linked(code)
        write_cached(name, made_from, code)
    except Exception as error:  # numba's own copy of the code runs as well, but dies with the process
        _warn_of_no_cache(_told(error))
        address, owner = native.address, native
    return _caller(address, owner, code.result, kinds)


@cache
def _warn_of_no_cache(fault: str) -> None:
    warnings.warn(
        Message(
            "compiled loops cannot be cached, so each process compiles them again: {fault}; "
            "XDG_CACHE_HOME names another folder for caches",
            fault,
        ),
        PerformanceWarning,
        stacklevel=3,
    )


@cache
def _jit() -> Any:  # noqa: ANN401
    from llvmlite import binding

    binding.check_jit_execution()  # LLVM itself would end the process where memory may not be executed
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.create_lljit_compiler()


def _linked(code: ObjectCode) -> tuple[int, object]:
    """Load object code into this process; return the address of its function, and the owner of its memory."""
    from llvmlite import binding

    library = binding.JITLibraryBuilder().add_object_img(code.image).add_current_process().export_symbol(code.symbol)
    # A C function of numba's reports a Python exception by numba's own library. Loops raise none.
    abort = ctypes.cast(ctypes.CDLL(None).abort, ctypes.c_void_p).value
    for name in _REPORTING:
        library.import_symbol(name, abort)
    owner = library.link(_jit(), f"loop {next(_library_numbers)}")
    return owner[code.symbol], owner


def _caller(address: int, owner: object, result: str, kinds: Sequence[Kind]) -> Call:
    """Return what calls the C function at an address; ctypes holds no lock meanwhile."""
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, *_c_types(kinds))(address)
    results = struct.Struct(result)
    room_of_results = ctypes.c_char * max(8, results.size)

    def call(arguments: Sequence[Any], _owner: object = owner) -> Any:  # noqa: ANN401
        room = room_of_results()
        parts: list[Any] = [ctypes.addressof(room)]
        _flatten(arguments, kinds, parts)
        function(*parts)
        found = results.unpack_from(room)
        return found if len(found) > 1 else found[0] if found else None

    return call


def _c_types(kinds: Sequence[Kind]) -> list[Any]:
    """Return the types of the C arguments that :func:`_flatten` makes."""
    found: list[Any] = []
    for kind in kinds:
        if isinstance(kind, RecordKind):
            found += _c_types(kind.fields)
        elif isinstance(kind, ArrayKind):
            found += [ctypes.c_void_p, *[ctypes.c_ssize_t] * kind.dimensions * (1 if kind.layout == "C" else 2)]
        elif kind != "none":
            found.append(_C_TYPES[kind])
    return found


def _flatten(arguments: Sequence[Any], kinds: Sequence[Kind], parts: list[Any]) -> None:
    """Append the C arguments for a loop's arguments to ``parts``."""
    for argument, kind in zip(arguments, kinds, strict=True):
        if isinstance(kind, ArrayKind):
            parts += _address(argument), *argument.shape
            if kind.layout == "A":
                parts += argument.strides
        elif isinstance(kind, RecordKind):
            _flatten(argument, kind.fields, parts)
        elif kind == "float64":
            parts.append(argument)
        elif kind != "none":
            number = int(argument)
            if number not in _INTEGERS[kind]:  # ctypes would cut off what does not fit, without a word
                raise OverflowError(Message("{number} does not fit into 64 bits", number))
            parts.append(number)


def _address(array: Any) -> int:  # noqa: ANN401
    if type(array) is RawArray:
        return array.address
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (TypeError, ValueError, BufferError):  # read-only or empty: asked in four times the time
        return int(array.__array_interface__["data"][0])


def _compile(function: FunctionType, kinds: Sequence[Kind]) -> tuple[ObjectCode, Any]:
    """Return a loop's object code for this processor, and numba's own C function."""
    numba = _numba()
    from llvmlite import binding

    _teach_parts(function)
    result: list[str] = []
    entry, types = _entry(function, kinds, result)
    native = numba.cfunc(numba.types.void(numba.types.voidptr, *types), **_OPTIONS)(entry)
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_triple(binding.get_process_triple()).create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=3,
        reloc="pic",
        codemodel="small",
    )
    image = machine.emit_object(binding.parse_assembly(native.inspect_llvm()))
    return ObjectCode(native.native_name, "".join(result), image), native


def _entry(function: FunctionType, kinds: Sequence[Kind], result: list[str]) -> tuple[Any, list[Any]]:
    """Return a function of pointers and numbers that calls a loop, and its types for numba; sets the result's letters.

    Its source is the call alone, as ``put(room, loop(array(c0, (c1,)), c2, Record(c3)))``.
    """
    numba = _numba()
    loop = numba.njit(forceinline=True, **_OPTIONS)(function)
    names: dict[str, Any] = {"loop": loop, "put": _putter(result)}
    types: list[Any] = []

    def take(numba_type: Any) -> str:  # noqa: ANN401
        types.append(numba_type)
        return f"c{len(types) - 1}"

    def named(value: Any) -> str:  # noqa: ANN401
        names[name := f"x{len(names)}"] = value
        return name

    def source(kind: Kind) -> str:
        if isinstance(kind, RecordKind):
            return f"{named(kind.record)}({', '.join(map(source, kind.fields))})"
        if isinstance(kind, ArrayKind):
            pointer, count = take(numba.types.voidptr), kind.dimensions * (1 if kind.layout == "C" else 2)
            sizes = ", ".join(take(numba.types.intp) for _ in range(count))
            return f"{named(_array_maker(kind))}({pointer}, ({sizes},))"
        if kind == "bool":
            return f"{take(numba.types.int64)} != 0"
        return "None" if kind == "none" else take(getattr(numba.types, kind))

    call = f"put(room, loop({', '.join(map(source, kinds))}))"
    exec(f"def entry({', '.join(['room', *(f'c{i}' for i in range(len(types)))])}): {call}", names)
    return names["entry"], types


@cache
def _array_maker(kind: ArrayKind) -> Any:  # noqa: ANN401
    """Return ``array(pointer, shape)``, or with the strides behind the shape.

    It is numba's carray for arrays of any layout, and without the counts of references that carray needs.
    """
    import numpy as np

    numba = _numba()
    types = numba.types
    item = numba.from_dtype(np.dtype(kind.dtype))
    made = types.Array(item, kind.dimensions, kind.layout, aligned=kind.aligned)

    @numba.extending.intrinsic
    def array(_, pointer, sizes):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:  # noqa: ANN401
            view = context.make_array(made)(context, builder)
            given = [builder.extract_value(arguments[1], i) for i in range(len(sizes))]
            shape, strides = given[: kind.dimensions], given[kind.dimensions :]
            size = context.get_constant(types.intp, np.dtype(kind.dtype).itemsize)
            view.nitems = context.get_constant(types.intp, 1)
            for axis in reversed(range(kind.dimensions)):
                if kind.layout == "C":
                    strides.insert(0, builder.mul(view.nitems, size))
                view.nitems = builder.mul(view.nitems, shape[axis])
            view.data, view.itemsize = builder.bitcast(arguments[0], view.data.type), size
            for axis in range(kind.dimensions):
                view.shape = builder.insert_value(view.shape, shape[axis], axis)
                view.strides = builder.insert_value(view.strides, strides[axis], axis)
            return view._getvalue()

        return made(pointer, sizes), generate

    return array


def _putter(result: list[str]) -> Any:  # noqa: ANN401
    """Return a function that writes a loop's results to memory, 8 bytes each; numba tells it their types."""
    numba = _numba()
    types = numba.types

    def put(room, returned):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        """Do nothing: numba compiles the overload instead, which must have the same signature."""

    @numba.extending.overload(put, jit_options=_OPTIONS, inline="always")
    def typed(room, returned):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        if isinstance(returned, types.NoneType):
            return lambda room, returned: None
        several = isinstance(returned, types.BaseTuple)
        letters = [_LETTERS[types.unliteral(item).name] for item in (returned if several else [returned])]
        result[:] = letters
        names = {kind: _array_maker(ArrayKind(f"{kind}8", 1, "C", aligned=True)) for kind in "if"}
        stores = [
            f"{'f' if letter == 'd' else 'i'}(room, ({len(letters)},))[{i}] = returned{f'[{i}]' * several}"
            for i, letter in enumerate(letters)
        ]
        exec("def write(room, returned):\n " + "\n ".join(stores), names)
        return names["write"]

    return put


def _teach_parts(function: FunctionType) -> None:
    for _, value in globals_of(function):
        if isinstance(value, FunctionType) and value in _parts:
            _teach(value)


@cache
def _teach(part: FunctionType) -> None:
    """Tell numba how to compile a part, and the parts of it."""
    extending = _numba().extending
    if prepare := _preparations.get(part):
        prepare()
    if generate := _parts[part]:
        written = extending.intrinsic(generate)
        extending.overload(part, jit_options={**_OPTIONS, "forceinline": True}, strict=False)(
            lambda *_: lambda *arguments: written(*arguments)
        )
    else:
        extending.register_jitable(forceinline=True, **_OPTIONS)(part)
        _teach_parts(part)


@cache
def _fault_of_loops() -> str:
    """Return why compiled loops do not run in this process, or an empty text if they do."""
    try:
        _jit()
    except Exception as error:
        return Message("compiled code does not run here ({fault})", _told(error))
    return "" if has_cached_code() else _imported()[1]


faults_of_loops.append(_fault_of_loops)


def _told(error: BaseException) -> str:
    if getattr(error, "filename", None):
        return f"{error.filename}: {error.strerror}"  # type: ignore[attr-defined]
    said = f"{getattr(error, 'strerror', None) or error}".partition("\n")[0][:_LONGEST_FAULT]
    return said.rstrip(".") or type(error).__name__


def _numba() -> Any:  # noqa: ANN401
    numba, fault = _imported()
    if fault:
        raise UnusableNumbaError(fault)
    return numba


@cache
def _imported() -> tuple[Any, str]:
    """Return numba, and why it cannot be imported: it refuses some releases of NumPy, for example."""
    try:
        import numba
    except Exception as error:
        return None, Message("numba cannot be imported ({name})", _told(error))
    return numba, ""
