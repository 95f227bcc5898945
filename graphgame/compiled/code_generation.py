"""Make the object code of loops with numba and LLVM. This module is imported only when a loop must be compiled.

numba infers the types of each function and translates it to LLVM's language. LLVM then inlines the functions that a
loop uses, and optimises the result once. numba alone would also optimise each of these functions and make machine code
of it that nobody calls, which takes almost as long again (6.2 s in place of 3.7 s for search_loop, with 64 functions).
"""

# numba declares the types of a few of its functions only, some of them wrongly.
# ruff: noqa: ANN401
# mypy: disable-error-code="no-untyped-call, attr-defined, call-overload, misc, var-annotated, arg-type, call-arg"

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import FunctionType
from typing import Any

import numba
import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, codegen
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.extending import intrinsic
from numba.np.numpy_support import as_dtype

from graphgame.compiled.engine import rarely_collecting
from graphgame.compiled.loop_cache import globals_of, is_part

# Loops allocate nothing, raise nothing and hold no lock; the result of a division by zero is the processor's.
_OPTIONS = {
    "nogil": True,
    "error_model": "numpy",
    "forceinline": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
_PASSES = (
    "TranslateByteCode FixupArgs IRProcessing RewriteSemanticConstants DeadBranchPrune GenericRewrites ReconstructSSA "
    "NopythonTypeInference PreLowerStripPhis IRLegalization AnnotateTypes NativeLowering NoPythonBackend"
)
"""The numba passes that run. All other passes, for closures, ``with`` and whole arrays, take a tenth of the time."""


class _Text(codegen.JITCodeLibrary):
    """A numba library that keeps functions in LLVM's language, until a whole loop is optimised and compiled."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        self._finalized = True


@cache
def _codegen() -> Any:
    made = codegen.JITCPUCodegen("graphgame")
    made._library_class = _Text
    made.set_env = lambda *_: None  # type: ignore[method-assign]  # no loop uses Python's objects
    return made


class _Pipeline(CompilerBase):
    """numba's compiler with the passes in ``_PASSES`` only."""

    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [each for each in manager.passes if each[0].__name__ in _PASSES.split()]
        manager.finalize()
        return [manager]


def object_code(function: FunctionType, kinds: Sequence[Any]) -> bytes:
    """Compile a loop for arguments of these kinds to the C function ``loop``, with numba's calling convention.

    The text ``results`` in the object code is the :mod:`struct` format of what it returns. Raise a RuntimeError if the
    loop could raise an exception.
    """
    context = cpu_target.target_context
    with global_compiler_lock, rarely_collecting():
        before, context._internal_codegen = context._internal_codegen, _codegen()
        try:
            loop = _jitted(function)
            loop.compile(tuple(map(_type, kinds)))
        finally:
            context._internal_codegen = before
        (compiled,) = loop.overloads.values()
        module, libraries = compiled.library._final_module, [*dict.fromkeys(compiled.library._linking_libraries)]
        for library in libraries:  # the list grows by the libraries that each one uses
            module.link_in(library._final_module, preserve=True)
            libraries += dict.fromkeys(each for each in library._linking_libraries if each not in libraries)
        for each in module.functions:
            if not each.is_declaration:
                each.linkage = "internal"
        entry = module.get_function(compiled.fndesc.llvm_func_name)
        entry.linkage, entry.name = "external", "loop"
        module.link_in(_format_of(compiled.fndesc.restype))
        super(_Text, compiled.library)._optimize_functions(module)
        compiled.library._optimize_final_module()
        if any("pickle" in variable.name for variable in module.global_variables):  # numba's record of an exception
            raise RuntimeError(f"{function.__qualname__} may raise an exception")
        return bytes(_machine().emit_object(module))


@cache
def _machine() -> Any:
    machine = binding.Target.from_default_triple().create_target_machine
    features = binding.get_host_cpu_features().flatten()
    return machine(binding.get_host_cpu_name(), features, opt=3, reloc="pic", codemodel="small")


def _format_of(result: Any) -> Any:
    """Return the format of a loop's result, an LLVM module with the text ``results``."""
    kinds = [*result] if isinstance(result, types.BaseTuple) else [] if result is types.none else [result]
    letters = "".join(as_dtype(types.unliteral(kind)).char for kind in kinds)
    module = ir.Module()
    cgutils.global_constant(module, "results", cgutils.make_bytearray(f"{letters}\0".encode())).linkage = ""
    return binding.parse_assembly(str(module))


def numba_call(function: FunctionType, kinds: Sequence[Any]) -> Any:
    """Return a function that calls a loop which numba compiles and loads by itself, without our cache."""
    loop = numba.njit(nogil=True, error_model="numpy")(_copy(function))
    loop.compile(tuple(map(_type, kinds)))
    return lambda _, arguments: loop(*arguments)


def _jitted(function: FunctionType) -> Any:
    loop = numba.njit(pipeline_class=_Pipeline, **_OPTIONS)(_copy(function))
    template = loop.get_call_template
    # numba would compile a function again for each constant argument (sprouts(6): 73 functions, now 50). LLVM
    # propagates the constants.
    loop.get_call_template = lambda kinds, named: template([*map(types.unliteral, kinds)], named)
    return loop


def _copy(function: FunctionType) -> FunctionType:
    """Return a copy of a function that calls the numba forms of the functions that loops may call."""
    namespace = function.__globals__ | {name: _part(value) for name, value in globals_of(function) if is_part(value)}
    return FunctionType(function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__)


@cache
def _part(part: Any) -> Any:
    """Return the numba form of a function that loops use; the same object each time, so that numba compiles it once."""
    return intrinsic(part.generate) if part.generate else _jitted(part)


def _type(kind: Any) -> Any:
    """Return numba's type for the kind of an argument."""
    if isinstance(kind, str):
        return getattr(types, kind)
    if isinstance(kind[0], type):
        return types.BaseTuple.from_types(tuple(map(_type, kind[2:])), kind[0])
    dtype, dimensions, contiguous, aligned = kind
    return types.Array(numba.from_dtype(np.dtype(dtype)), dimensions, "C" if contiguous else "A", aligned=aligned)
