"""Find out who wins the game of a token file without a graph: loading networkx takes longer than solving most games."""

from __future__ import annotations

from functools import reduce
from operator import xor
from pathlib import Path

from graphgame.cli.common import Game
from graphgame.cli.progress import Reading, shown
from graphgame.compiled.engine import use_compiled
from graphgame.labs.scale.decimals import decimal_numbers
from graphgame.solution.plain_pass import plain_pass

_MAX_BYTES_OF_PLAIN = 1 << 21
"""Files of at most this many bytes are solved in plain Python: loading compiled loops takes about as long."""

_MAX_VERTICES = 1 << 20
_BYTES_OF_EDGE = 16
"""The bytes of an edge in a large file: two numbers of seven digits. This estimates the number of edges."""


def verdict_of_file(game: Game) -> str | None:
    """Return ``win`` or ``lose`` for the first player in the sum of the positions that have tokens in a token file.

    The result is None if the graph is needed: for a file whose name does not end in .txt, with any option of the
    command, for damaged files, without tokens, for graphs with cycles, and for large files if loops are not compiled.
    """
    path = Path(game.source)
    if game != Game(game.source) or path.suffix != ".txt" or not path.is_file():
        return None
    is_small = path.stat().st_size <= _MAX_BYTES_OF_PLAIN
    nim_sum = _nim_sum_of_small(path.read_bytes()) if is_small else _nim_sum_of_large(path)
    return None if nim_sum is None else "win" if nim_sum else "lose"


def _nim_sum_of_small(text: bytes) -> int | None:
    """Return the nim-sum of the tokens of a small file, whose content is ``text``, computed in plain Python.

    Return None if the file must be read in the usual way: it is not only numbers, its first line does not have
    three numbers, a number is missing or wrong, there are no tokens or too many vertices, or the graph has a cycle.
    """
    header = next(filter(bytes.strip, text.splitlines()), b"")
    numbers = decimal_numbers(text) if len(header.split()) == 3 else None
    if numbers is None:
        return None
    vertices, edges, tokens, *ends = numbers
    # The file numbers its vertices from 1. An unused vertex 0 saves shifting all numbers.
    vertices += 1
    if (
        len(ends) != 2 * edges + tokens
        or tokens == 0
        or vertices > _MAX_VERTICES
        or not 0 < min(ends) <= max(ends) < vertices
    ):
        return None
    predecessors: list[list[int]] = [[] for _ in range(vertices)]
    unsolved_options = [0] * vertices
    for source, target in set(zip(ends[: 2 * edges : 2], ends[1 : 2 * edges : 2], strict=True)):
        predecessors[target].append(source)
        unsolved_options[source] += 1
    values, order = plain_pass(predecessors, unsolved_options, bytes(vertices))
    return None if len(order) < vertices else reduce(xor, map(values.__getitem__, ends[2 * edges :]))


def _nim_sum_of_large(path: Path) -> int | None:
    from graphgame.labs.scale.tokenvalues import nim_sum_of

    if not use_compiled(path.stat().st_size // _BYTES_OF_EDGE):
        return None
    with shown(Reading) as reading:
        return nim_sum_of(path, reading)
