"""The pass over lists: what small games are solved by, and the oracle of the compiled loop."""

from __future__ import annotations

from collections.abc import Sequence

_MOST_DIGITS = 18


def decimal_numbers(text: bytes) -> list[int] | None:
    r"""Return the numbers of a text, None where there is anything else, or one that is longer than any sensible one.

    Examples
    --------
    >>> decimal_numbers(b"4 3\n2"), decimal_numbers(b"4 # 3")
    ([4, 3, 2], None)
    """
    words = text.split()
    if text.translate(None, b"0123456789 \t\r\n") or len(max(words, key=len, default=b"")) > _MOST_DIGITS:
        return None
    return list(map(int, words))


def plain_pass(
    predecessors: Sequence[Sequence[int]], waiting_for: list[int], is_sum: Sequence[int], terminal: int = 0
) -> tuple[list[int], list[int]]:
    """Return the values, and the vertices in the order in which they were solved: those from which play must end.

    ``waiting_for`` holds the out-degrees at first, and is used up. Any byte but 0 marks a sum.

    Examples
    --------
    >>> plain_pass([[1], []], [0, 1], bytes(2))
    ([0, 1], [0, 1])
    """
    seen = [0] * len(waiting_for)
    values = [0] * len(waiting_for)
    order = [v for v, count in enumerate(waiting_for) if count == 0]
    ends = len(order)
    for place, v in enumerate(order):  # which grows meanwhile: what lies ahead is the queue
        value = seen[v] if is_sum[v] else _least_zero_bit(seen[v]) if place >= ends else terminal
        values[v] = value
        for p in predecessors[v]:
            seen[p] = seen[p] ^ value if is_sum[p] else seen[p] | 1 << value
            waiting_for[p] -= 1
            if waiting_for[p] == 0:
                order.append(p)
    return values, order


def _least_zero_bit(word: int) -> int:
    return (~word & (word + 1)).bit_length() - 1  # one more carries through the ones below it, and stops there
