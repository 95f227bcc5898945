"""Compiled loops: each is compiled to a C function of one block of memory, and its object code is cached on disk.

A process that finds the object code loads it by LLVM's ORC JIT, in a tenth of the time that numba takes to start.
"""

from __future__ import annotations

import ctypes
import struct
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from graphgame.compiled.engine import (
    compiling_told,
    faults_of_loops,
    use_compiled,
    warn_of_plain_loops,
    warn_of_slow_loops,
)
from graphgame.compiled.loop_cache import ObjectCode, has_cached_code, read_cached, stamp, write_cached
from graphgame.errors import Message

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]
else:
    Array = Any

Loop = TypeVar("Loop", bound=Callable[..., object])
Call: TypeAlias = Callable[[list[Any], Sequence[Any]], Any]
Kind: TypeAlias = "str | tuple[Any, ...]"
"""The type of an argument: a number's letter in struct, an array's ``(dtype, dimensions, contiguous, aligned)``, or the
class of a tuple and the names of its fields before their kinds."""

_LONGEST_FAULT = 300
_FORMATS = {"l": "<i8", "q": "<i8", "i": "<i4", "B": "|u1"}

_one_at_a_time = threading.RLock()
_library_numbers = count()

_parts: dict[Any, tuple[Any, Any]] = {}
"""The functions that loops call, each with the function that writes its LLVM instructions, or None, and with what must
be done before numba compiles it, or None."""


def compiled(loop: Loop) -> Loop:
    """Compile a loop for the types of its arguments, at its first call with them; the object code is cached on disk.

    The loop takes arrays, numbers, None and NamedTuples of them, fills the arrays and returns nothing or numbers. Other
    threads run meanwhile.
    """
    return cast("Loop", _Compiled(cast("FunctionType", loop)))


def inlined(part: Loop) -> Loop:
    """Compile a part of loops into each of them, without a call."""
    _parts[part] = None, None
    return part


def instruction(generate: Callable[..., object], prepare: Callable[[], object] | None = None) -> Callable[[Loop], Loop]:
    """Compile a part to the instructions that a numba intrinsic writes by LLVM's builder."""

    def mark(part: Loop) -> Loop:
        _parts[part] = generate, prepare
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
        self._calls: dict[tuple[Kind, ...], Call] = {}

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401
        words: list[Any] = []
        kinds = tuple([_kind(argument, words) for argument in arguments])
        call = self._calls.get(kinds)
        if call is None:
            with _one_at_a_time:  # another thread may have made it while this one waited
                call = self._calls[kinds] = self._calls.get(kinds) or self._made(kinds)
        return call(words, arguments)

    def plain(self, *arguments: Any) -> Any:  # noqa: ANN401
        return self._function(*map(_memory, arguments))

    def _made(self, kinds: tuple[Kind, ...]) -> Call:
        """Return what calls the loop: its cached object code or new code, else what numba compiles, or plain Python."""
        function = self._function
        made_from = stamp(function, _parts, kinds)
        name = f"{function.__module__}.{function.__qualname__}.{made_from.hex()[:16]}"
        with suppress(Exception):  # what cannot be loaded is compiled again
            if code := read_cached(name, made_from):
                return _caller(code, kinds)
        generation, fault = _generation()
        if generation is None:  # other loops may be cached from when numba could be imported
            return self._plain_call(fault)
        call = None
        try:
            with compiling_told():
                code = generation.object_code(function, kinds, _parts)
            call = _caller(code, kinds)
            write_cached(name, made_from, code)
        except Exception as error:
            told = Message(
                "compiled loops cannot be cached, so each process compiles them again: {fault}", _told(error)
            )
            if isinstance(error, OSError):
                told = Message("{message}; XDG_CACHE_HOME names another folder for caches", told)
            warn_of_slow_loops(told)
        try:
            return call or generation.numba_call(function, kinds, _parts)
        except Exception as error:
            return self._plain_call(_told(error))

    def _plain_call(self, fault: str) -> Call:
        warn_of_plain_loops(fault)
        return lambda _, arguments: self.plain(*arguments)


def _kind(argument: Any, words: list[Any]) -> Kind:  # noqa: ANN401
    """Return the type for which a loop is compiled, and append the words that an argument is passed as.

    Raise a TypeError if no loop takes such an argument.
    """
    if isinstance(argument, tuple):
        return (type(argument), getattr(argument, "_fields", ()), *[_kind(item, words) for item in argument])
    if shape := getattr(argument, "shape", ()):  # a NumPy number has the shape ()
        size = argument.itemsize
        words += 0, 0, argument.nbytes // size, size, _address(argument), *shape, *argument.strides  # as numba's arrays
        if type(argument) is memoryview:
            return _FORMATS[argument.format], argument.ndim, True, True
        flags = argument.flags
        return argument.dtype.str, len(shape), flags.c_contiguous, flags.aligned
    if argument is None:
        return "8x"
    words.append(argument)
    letter = getattr(getattr(argument, "dtype", None), "kind", None)
    if isinstance(argument, bool) or letter == "b":
        return "?7x"
    if isinstance(argument, float):
        return "d"
    if isinstance(argument, int) or letter in ("i", "u"):
        return "Q" if getattr(argument, "dtype", None) == "u8" else "q"
    raise TypeError(Message("a loop takes arrays and numbers, not {kind}", type(argument).__name__))


def _address(array: Any) -> int:  # noqa: ANN401
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (TypeError, ValueError, BufferError):  # read-only or empty: asked in four times the time
        return int(array.__array_interface__["data"][0]) if hasattr(array, "flags") else 0


def _memory(argument: Any) -> object:  # noqa: ANN401
    """Return an array's memory: plain Python reads and writes its items faster than the array's own."""
    if isinstance(argument, tuple):
        return cast("Any", type(argument))(*map(_memory, argument))
    return argument.data if getattr(argument, "shape", ()) and hasattr(argument, "data") else argument


def _letters(kind: Kind) -> str:
    """Return the letters, in struct, of the words that an argument is passed as."""
    if isinstance(kind, str):
        return kind
    if isinstance(kind[0], type):
        return "".join(map(_letters, kind[2:]))
    return f"{5 + 2 * kind[1]}q"


def _caller(code: ObjectCode, kinds: Sequence[Kind]) -> Call:
    """Load object code into this process, and return what calls it; ctypes holds no lock meanwhile."""
    from llvmlite import binding

    library = binding.JITLibraryBuilder().add_current_process().export_symbol("loop").add_object_img(code.image)
    owner = library.link(_jit(), f"loop {next(_library_numbers)}")
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(owner["loop"])
    given, results = struct.Struct(f"={''.join(map(_letters, kinds))}"), struct.Struct(f"={code.results}")
    room_of_words = ctypes.c_char * max(given.size, results.size)

    def call(words: list[Any], _: Sequence[Any], _owner: object = owner) -> Any:  # noqa: ANN401
        room = room_of_words()
        try:
            given.pack_into(room, 0, *words)
        except struct.error:
            number = next(word for word in words if not -(2**63) <= word < 2**63)
            raise OverflowError(Message("{number} does not fit into 64 bits", number)) from None
        function(room)
        found = results.unpack_from(room)
        return found if len(found) > 1 else found[0] if found else None

    return call


@cache
def _jit() -> Any:  # noqa: ANN401
    from llvmlite import binding

    binding.check_jit_execution()  # LLVM itself would end the process where memory may not be executed
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.create_lljit_compiler()


@cache
def _generation() -> tuple[Any, str]:
    """Return the module that compiles loops, or why it cannot: numba refuses some releases of NumPy, for example."""
    try:
        from graphgame.compiled import code_generation
    except Exception as error:
        return None, Message("numba cannot be imported ({name})", _told(error))
    return code_generation, ""


@cache
def _fault_of_loops() -> str:
    """Return why compiled loops do not run in this process, or an empty text if they do."""
    try:
        _jit()
    except Exception as error:
        return Message("compiled code does not run here ({fault})", _told(error))
    return "" if has_cached_code() else _generation()[1]


faults_of_loops.append(_fault_of_loops)


def _told(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    said = f"{getattr(error, 'strerror', None) or error}".partition("\n")[0][:_LONGEST_FAULT]
    return said.rstrip(".") or type(error).__name__
