"""Find out who wins a token file's game without making a graph: loading networkx takes longer than most solving."""

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


def verdict_of_file(game: Game) -> str | None:
    """Return ``win`` or ``lose``: whether the first player wins the sum of the tokens of a token file.

    The result is None if the graph is needed. So it is None unless the source is a file whose name ends in .txt, and
    ``game`` has the default of every option (no misère play, for example). It is also None for a damaged file, a file
    with comments or without tokens, and a graph with a cycle. A file of at most 2 MiB is read in plain Python: the
    result is None if it has 2**20 vertices or more. A larger file is read by compiled loops: the result is None if they
    cannot be used.
    """
    path = Path(game.source)
    if game != Game(game.source) or path.suffix != ".txt" or not path.is_file():
        return None
    size = path.stat().st_size
    if size <= _MAX_BYTES_OF_PLAIN:
        nim_sum = _nim_sum_of_small(path.read_bytes())
    elif use_compiled(size):  # False only if compiled loops cannot run here: a file above 2 MiB is large enough
        from graphgame.labs.scale.tokenvalues import nim_sum_of

        with shown(Reading) as reading:
            nim_sum = nim_sum_of(path, reading)
    else:
        return None
    return None if nim_sum is None else "win" if nim_sum else "lose"


def _nim_sum_of_small(text: bytes) -> int | None:
    """Return the nim-sum of the tokens of a small token file, whose content is ``text``, computed in plain Python.

    Return None if the file must be read in the usual way: if it has anything but numbers, if its first line that is not
    blank does not have three numbers, if any number is missing or wrong, if there are no tokens, if there are too many
    vertices, or if the graph has a cycle.
    """
    header = next(filter(bytes.strip, text.splitlines()), b"")
    numbers = decimal_numbers(text) if len(header.split()) == 3 else None
    if numbers is None:
        return None
    vertices, edges, tokens, *ends = numbers
    # The file numbers its vertices from 1. With an unused vertex 0 these numbers can be used as they are.
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
