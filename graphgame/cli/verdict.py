"""Who wins the game of a token file, from its arrays alone: networkx takes longer to load than most games to solve."""

from __future__ import annotations

from functools import reduce
from operator import xor
from pathlib import Path

from graphgame.arrays.engine import COMPILED_FROM, use_compiled
from graphgame.arrays.plain import plain_pass
from graphgame.cli.game import Game
from graphgame.cli.progress import Reading, shown
from graphgame.errors import GraphGameError

__all__ = ["verdict_of_file"]

_SMALL = 1 << 16
_MOST_DIGITS = 18


def verdict_of_file(game: Game) -> str | None:
    """Return ``win`` or ``lose`` for the tokens of a file.

    None leaves it to the graph: other formats and options, damaged files, cycles, what is not asked about.
    """
    path = Path(game.source)
    if game != Game(game.source) or path.suffix != ".txt" or not path.is_file():
        return None
    nim_sum = _of_small(path.read_bytes()) if path.stat().st_size <= _SMALL else _of_arrays(path)
    return None if nim_sum is None else "win" if nim_sum else "lose"


def _of_small(text: bytes) -> int | None:
    """Return the nim-sum of a file that is nothing but its numbers; numpy takes longer to load than that."""
    header = next(filter(bytes.strip, text.splitlines()), b"")
    words = text.split()
    if (
        len(header.split()) != 3
        or text.translate(None, b"0123456789 \t\r\n")
        or len(max(words, key=len)) > _MOST_DIGITS
    ):
        return None
    vertices, edges, tokens, *ends = map(int, words)
    vertices += 1
    if len(ends) != 2 * edges + tokens or tokens == 0 or vertices > _SMALL or not 0 < min(ends) <= max(ends) < vertices:
        return None
    predecessors: list[list[int]] = [[] for _ in range(vertices)]
    waiting_for = [0] * vertices
    for source, target in set(zip(ends[: 2 * edges : 2], ends[1 : 2 * edges : 2], strict=True)):
        predecessors[target].append(source)
        waiting_for[source] += 1
    values, order = plain_pass(predecessors, waiting_for, bytes(vertices))
    return None if len(order) < vertices else reduce(xor, map(values.__getitem__, ends[2 * edges :]))


def _of_arrays(path: Path) -> int | None:
    from graphgame.arrays.rows import group_edges
    from graphgame.io.files import Source
    from graphgame.io.formats import detect
    from graphgame.io.tokenscan import columns
    from graphgame.sprague_grundy import row_values

    try:
        with shown(Reading) as reading, Source(path, progress=reading) as source:
            if detect(source)[0].name != "token":
                return None
            ends, vertices, tokens = columns(source)
    except GraphGameError:
        return None
    size = len(ends) // 2 + vertices
    compiled = use_compiled(size)
    if not tokens or compiled != (size >= COMPILED_FROM):
        return None
    rows, out_degree = group_edges(*ends.finish(), vertices, overwrite=True)
    values, order = row_values(rows, out_degree, compiled)
    return None if len(order) < vertices else reduce(xor, [int(values[token - 1]) for token in tokens])
