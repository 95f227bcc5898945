"""Object files of one loop, from which its machine code is taken, and what is none such."""

import math

import numpy as np
import pytest
from llvmlite import binding

from graphgame.arrays.compiling import compiled
from graphgame.arrays.linking import UnlinkableError, linked

ASSEMBLY = """
@there = {kind} i64 7
declare i64 @{called}(i64)
define i64 @doubled(i64 %n) {{
  %m = load i64, ptr @there
  %k = call i64 @{called}(i64 %m)
  ret i64 %k
}}
"""


@pytest.mark.parametrize(
    ("kind", "called"), [("global", "labs"), ("internal global", "labs"), ("internal constant", "no_such_one")]
)
def test_object_files_that_are_no_single_piece(kind, called):
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(reloc="pic", codemodel="small")
    module = binding.parse_assembly(ASSEMBLY.format(kind=kind, called=called))
    with pytest.raises(UnlinkableError):
        linked(machine.emit_object(module), "doubled")


def _factorials(values):
    values[0] = math.gamma(values[0])


def test_a_loop_that_calls_a_library_is_refused():
    with pytest.raises(TypeError, match="_factorials calls"):
        compiled(_factorials)(np.zeros(1))
