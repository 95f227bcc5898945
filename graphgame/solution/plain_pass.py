"""The pass in plain Python: it solves small games, and tests compare the compiled loop with it."""

from __future__ import annotations

from collections.abc import Sequence


def plain_pass(
    predecessors: Sequence[Sequence[int]], waiting_for: list[int], is_sum: Sequence[int], terminal: int = 0
) -> tuple[list[int], list[int]]:
    """Return the values of all vertices, and the solved vertices in the order in which they were solved.

    A vertex is solved if play from it must end; all other vertices get 0. ``waiting_for`` is the out-degree of each
    vertex; the pass changes it. ``is_sum`` is not 0 for a sum. ``terminal`` is the value of a terminal position.

    Examples
    --------
    >>> plain_pass([[1], []], [0, 1], bytes(2))
    ([0, 1], [0, 1])
    """
    seen = [0] * len(waiting_for)
    values = [0] * len(waiting_for)
    order = [v for v, count in enumerate(waiting_for) if count == 0]
    terminals = len(order)
    for index, v in enumerate(order):  # the loop appends to ``order``: its entries after ``index`` are the queue
        if is_sum[v]:
            value = seen[v]
        elif index < terminals:
            value = terminal
        else:  # the mex is the index of the lowest 0-bit: adding 1 sets this bit and clears the 1-bits below it
            value = (~seen[v] & (seen[v] + 1)).bit_length() - 1
        values[v] = value
        for p in predecessors[v]:
            seen[p] = seen[p] ^ value if is_sum[p] else seen[p] | 1 << value
            waiting_for[p] -= 1
            if waiting_for[p] == 0:
                order.append(p)
    return values, order
