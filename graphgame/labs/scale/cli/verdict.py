"""Who wins the game of a token file, from its numbers alone: networkx takes longer to load than most games to solve."""

from __future__ import annotations

from functools import reduce
from operator import xor
from pathlib import Path

from graphgame.cli.common import Game
from graphgame.cli.progress import Reading, shown
from graphgame.compiled.engine import use_compiled
from graphgame.solution.plain import decimal_numbers, plain_pass

_SMALL = 1 << 21
_MOST_VERTICES = 1 << 20
_BYTES_AN_EDGE = 16  # two numbers of seven digits


def verdict_of_file(game: Game) -> str | None:
    """Return ``win`` or ``lose`` for the tokens of a file.

    None leaves it to the graph: other formats and options, damaged files, cycles, what is not asked about.
    """
    path = Path(game.source)
    if game != Game(game.source) or path.suffix != ".txt" or not path.is_file():
        return None
    nim_sum = _of_small(path.read_bytes()) if path.stat().st_size <= _SMALL else _of_large(path)
    return None if nim_sum is None else "win" if nim_sum else "lose"


def _of_small(text: bytes) -> int | None:
    """Return the nim-sum of a file that is nothing but its numbers; to load compiled loops takes about as long."""
    header = next(filter(bytes.strip, text.splitlines()), b"")
    numbers = decimal_numbers(text) if len(header.split()) == 3 else None
    if numbers is None:
        return None
    vertices, edges, tokens, *ends = numbers
    vertices += 1
    if (
        len(ends) != 2 * edges + tokens
        or tokens == 0
        or vertices > _MOST_VERTICES
        or not 0 < min(ends) <= max(ends) < vertices
    ):
        return None
    predecessors: list[list[int]] = [[] for _ in range(vertices)]
    waiting_for = [0] * vertices
    for source, target in set(zip(ends[: 2 * edges : 2], ends[1 : 2 * edges : 2], strict=True)):
        predecessors[target].append(source)
        waiting_for[source] += 1
    values, order = plain_pass(predecessors, waiting_for, bytes(vertices))
    return None if len(order) < vertices else reduce(xor, map(values.__getitem__, ends[2 * edges :]))


def _of_large(path: Path) -> int | None:
    from graphgame.labs.scale.tokenvalues import nim_sum_of

    if not use_compiled(path.stat().st_size // _BYTES_AN_EDGE):
        return None
    with shown(Reading) as reading:
        return nim_sum_of(path, reading)
