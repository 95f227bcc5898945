"""Decide whether a loop over the rows of a graph runs compiled or in plain Python; earlier calls count as well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from graphgame.compiled.compiling import Loop, runner
from graphgame.graph import components
from graphgame.graph.components import Vertices
from graphgame.graph.rows import Rows


def run_for(loop: Loop, rows: Rows) -> Loop:
    """Return a loop to run over the rows, compiled or in plain Python, whichever is likely faster.

    Loading the compiled loop takes time. This pays if the rows are large. It also pays if the rows of earlier calls
    with this loop were large in total, because then more calls are likely to follow.
    """
    before, size = _size_before[loop], len(rows.indices) + len(rows.pointers)
    _size_before[loop] += size
    return runner(loop, max(size, _WEIGHT_OF_BEFORE * before))


_WEIGHT_OF_BEFORE = 4
"""How much the total size of earlier calls counts, compared with the size of this call."""


_size_before: Counter[Callable[..., object]] = Counter()
"""Loop -> the total number of vertices and edges in all calls so far."""


def strong(graph: Vertices) -> tuple[int, np.ndarray]:
    """Return (count, components), as :func:`graphgame.graph.components.strong`, by the loop that is likely faster."""
    return components.strong(graph, run_for(components.strong_components, graph.successor_rows))
