"""Compiled loops. Each becomes a C function that takes one block of memory; its object code is cached on disk.

A later process loads the object code with LLVM's ORC JIT, in a tenth of the time that numba takes to start.
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
    Engine,
    announced_compilation,
    faults_of_loops,
    use_compiled,
    warn_of_plain_loops,
    warn_of_slow_loops,
)
from graphgame.compiled.loop_cache import has_cached_code, read_cached, stamp, write_cached
from graphgame.errors import Message

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]
else:
    Array = Any

Loop = TypeVar("Loop", bound=Callable[..., object])
Call: TypeAlias = Callable[[list[Any], Sequence[Any]], Any]
Kind: TypeAlias = "str | tuple[Any, ...]"
"""The type of an argument: the :mod:`struct` format of a number, ``(dtype, dimensions, contiguous, aligned)`` of an
array, or ``(class, names of fields, kind, kind, ...)`` of a tuple."""

_LONGEST_FAULT = 300  # maximum number of characters of an error's text that a warning repeats
_FORMATS = {"l": "<i8", "q": "<i8", "i": "<i4", "B": "|u1"}

_one_at_a_time = threading.RLock()
_library_numbers = count()


def compiled(loop: Loop) -> Loop:
    """Decorate a loop: the first call for each combination of argument types compiles it, or loads cached object code.

    The loop takes arrays, numbers, None and NamedTuples of these. It may change the arrays, and returns None, a number
    or a tuple of numbers. Compiled, it runs without the interpreter's lock, so that other threads can run.
    """
    return cast("Loop", _Compiled(cast("FunctionType", loop)))


def inlined(part: Loop) -> Loop:
    """Decorate a function that compiled loops use: its code is inserted into each of them in place of a call."""
    vars(part)["generate"] = None
    return part


def runner(loop: Loop, size: int, engine: Engine = "auto") -> Loop:
    """Return the compiled loop if :func:`use_compiled` returns True, otherwise its plain Python form."""
    return loop if use_compiled(size, engine) else cast("Loop", cast("_Compiled", loop).plain)


class _Compiled:
    """A loop, and for each combination of argument types that it was called with, the function that runs it."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function
        self._calls: dict[tuple[Kind, ...], Call] = {}

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401
        words: list[Any] = []
        kinds = tuple([_kind(argument, words) for argument in arguments])
        call = self._calls.get(kinds)
        if call is None:
            with _one_at_a_time:  # another thread may have compiled it while this one waited
                call = self._calls[kinds] = self._calls.get(kinds) or self._call_for(kinds)
        return call(words, arguments)

    def plain(self, *arguments: Any) -> Any:  # noqa: ANN401
        """Run the loop as plain Python."""
        return self._function(*map(_memory, arguments))

    def _call_for(self, kinds: tuple[Kind, ...]) -> Call:
        """Return a function that calls the loop for arguments of these kinds.

        It calls cached object code, otherwise new object code, otherwise what numba compiles and loads by itself,
        otherwise plain Python.
        """
        function, call = self._function, cast("Call | None", None)
        source = stamp(function, kinds)
        name = f"{function.__module__}.{function.__qualname__}.{source.hex()[:16]}"
        with suppress(Exception):  # cached code that cannot be loaded is compiled again
            if code := read_cached(name, source):
                return _caller(code, kinds)
        generation, fault = _generation()
        if generation is None:  # numba does not load: only loops with cached code run compiled, and this is not one
            return self._plain_call(fault)
        try:
            with announced_compilation():
                code = generation.object_code(function, kinds)
            call = _caller(code, kinds)
            write_cached(name, source, code)
        except Exception as error:
            message = Message(
                "compiled loops cannot be cached, so each process compiles them again: {fault}", _reason(error)
            )
            if isinstance(error, OSError):
                message = Message("{error}; set XDG_CACHE_HOME to use another folder", message)
            warn_of_slow_loops(message)
        try:
            return call or cast("Call", generation.numba_call(function, kinds))
        except Exception as error:
            return self._plain_call(_reason(error))

    def _plain_call(self, fault: str) -> Call:
        warn_of_plain_loops(fault)
        return lambda _, arguments: self.plain(*arguments)


def _kind(argument: Any, words: list[Any]) -> Kind:  # noqa: ANN401
    """Return the type of an argument as a ``Kind``, and append to ``words`` the numbers by which it is passed.

    A number is passed as itself, an array as the fields of numba's record, a tuple as its items, None as no number.
    Raise a TypeError for an argument of another type.
    """
    if isinstance(argument, tuple):
        return (type(argument), getattr(argument, "_fields", ()), *[_kind(item, words) for item in argument])
    if shape := getattr(argument, "shape", ()):  # an array; the shape of a NumPy number is ()
        size = argument.itemsize
        # The fields of numba's record of an array, in its order.
        words += 0, 0, argument.nbytes // size, size, _address(argument), *shape, *argument.strides
        if type(argument) is memoryview:
            return _FORMATS[argument.format], argument.ndim, True, True
        return argument.dtype.str, len(shape), argument.flags.c_contiguous, argument.flags.aligned
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
    raise TypeError(Message("a compiled loop takes arrays and numbers, not {type}", type(argument).__name__))


def _address(array: Any) -> int:  # noqa: ANN401
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (TypeError, ValueError, BufferError):  # a read-only, empty or strided array: its address is slower to read
        return int(array.__array_interface__["data"][0]) if hasattr(array, "flags") else 0


def _memory(argument: Any) -> object:  # noqa: ANN401
    """Replace arrays by memoryviews, also inside tuples: plain Python reads and writes their items faster."""
    if isinstance(argument, tuple):
        return cast("Any", type(argument))(*map(_memory, argument))
    return argument.data if getattr(argument, "shape", ()) and hasattr(argument, "data") else argument


def _letters(kind: Kind) -> str:
    """Return the :mod:`struct` format of the numbers that are passed for an argument of this kind."""
    if isinstance(kind, str):
        return kind
    if isinstance(kind[0], type):
        return "".join(map(_letters, kind[2:]))
    return f"{5 + 2 * kind[1]}q"


def _caller(code: bytes, kinds: Sequence[Kind]) -> Call:
    """Load a loop's object code for types ``kinds``; return a function that calls it without the interpreter's lock."""
    from llvmlite import binding

    builder = binding.JITLibraryBuilder().add_current_process().export_symbol("loop").export_symbol("results")
    library = builder.add_object_img(code).link(_jit(), f"loop {next(_library_numbers)}")
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library["loop"])
    parameters = struct.Struct(f"={''.join(map(_letters, kinds))}")
    results = struct.Struct(f"={ctypes.string_at(library['results']).decode()}")
    block_of_memory = ctypes.c_char * max(parameters.size, results.size)

    def call(words: list[Any], _: Sequence[Any], _owner: object = library) -> Any:  # noqa: ANN401
        block = block_of_memory()
        try:
            parameters.pack_into(block, 0, *words)
        except struct.error:
            number = next(word for word in words if not -(2**63) <= word < 2**63)
            raise OverflowError(Message("the number {number} does not fit into 64 bits", number)) from None
        function(block)
        returned = results.unpack_from(block)
        return returned if len(returned) > 1 else returned[0] if returned else None

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
    """Return the module that compiles loops and "". If it cannot be imported, return None and the reason."""
    try:
        from graphgame.compiled import code_generation
    except Exception as error:
        return None, Message("numba cannot be imported ({reason})", _reason(error))
    return code_generation, ""


@cache
def _fault_of_loops() -> str:
    """Return why compiled loops cannot run in this process, or an empty text if there is no sign of a fault."""
    try:
        _jit()
    except Exception as error:
        return Message("compiled code does not run on this machine ({fault})", _reason(error))
    return "" if has_cached_code() else _generation()[1]


faults_of_loops.append(_fault_of_loops)


def _reason(error: Exception) -> str:
    """Return one line, without a full stop at the end, that says what an error was."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    text = f"{getattr(error, 'strerror', None) or error}".partition("\n")[0][:_LONGEST_FAULT]
    return text.rstrip(".") or type(error).__name__
