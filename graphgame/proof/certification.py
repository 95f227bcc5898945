"""Few values that prove who wins: the P-positions that the winner steers to.

:mod:`graphgame.proof.verification` states what makes values justify each other. Here a least such set is chosen that
decides the sum of the tokens. A chosen vertex of value k demands, for each i < k, one option of value i, and for each
option that is not obviously different, that option or one of its own options of value k: the reply that undoes the
move. Each demand is a choice among vertices further down. They are met from the start of play to its end, each by its
last candidate, and only where no other candidate is chosen already; hence no chosen vertex can be left out. (The
smallest number of vertices is another matter: finding it is as hard as set cover. And where the first player wins
a sum of several tokens, another winning move may need other values.)
"""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np

from graphgame.arrays.compiling import runner
from graphgame.arrays.labels import as_labels
from graphgame.errors import OptionError, TokenError
from graphgame.io.files import PathLike
from graphgame.io.values import COLUMNS, Values, values_format, write_columns
from graphgame.io.words import unique_texts
from graphgame.loopy.solution import LoopySolution
from graphgame.proof.kernels import choose
from graphgame.proof.loopy_certification import proving_vertices
from graphgame.proof.loopy_justification import refuse_sums_on_cycles
from graphgame.proof.play_order import play_order
from graphgame.results import ValueCodes
from graphgame.solution import Solution, solution_of

__all__ = ["certificate", "write_certificate"]

_LINKS = 1 << 12


def certificate(solution: Solution | nx.DiGraph) -> Values:
    """Choose the values that prove who wins the sum of the tokens.

    Parameters
    ----------
    solution : Solution, GameGraph or nx.DiGraph
        With tokens; a graph is solved for normal play.

    Returns
    -------
    Values
        In the order of the vertices. For one token under normal play: P-positions from which every move has a reply
        to one of them; the token itself or one of its options is there. For several tokens also other values, as
        :mod:`graphgame.proof.verification` explains. None of them can be left out; where the first player wins a sum of
        several tokens, none for the winning move that is chosen. In a graph with cycles, where the values of
        :mod:`graphgame.proof.loopy_certification` prove draws too, they come in the order of the counter that the
        winner steers by, and some may be left out.

    Raises
    ------
    TokenError
        There are no tokens.
    OptionError
        Misère play of several tokens or of a graph with sum vertices, whose values do not combine; or in a graph with
        cycles a sum lies on one.

    Notes
    -----
    O(n + m) time, and then the options of the options of what is chosen. 19 bytes a vertex, and 12 for each move from a
    chosen vertex that is not obviously answered.

    Examples
    --------
    >>> import networkx as nx
    >>> from graphgame import solve, verify
    >>> heap = nx.DiGraph((n, m) for n in range(9) for m in range(max(0, n - 3), n))
    >>> proof = certificate(solve(heap, tokens=[6]))
    >>> {position: row.grundy for position, row in proof.items()}
    {0: 0, 4: 0}
    >>> verify(heap, proof, tokens=[6]).winner
    'first'
    """
    solution = solution_of(solution)
    tokens = _tokens(solution)
    if isinstance(solution, LoopySolution):
        chosen, codes = proving_vertices(solution), solution.codes
    else:
        order, codes = play_order(solution.graph), ValueCodes()
        rank = _ranks(order)
        needed = _final_sum(solution, tokens, rank)
        chosen = _choice(solution, order, rank, needed)
    positions = solution.graph.labels.take(chosen)
    return Values(
        as_labels(positions),
        solution.grundy.array[chosen],
        solution.outcome.array[chosen],
        np.full(len(chosen), -1, np.int32),
        solution.play,
        codes,
    )


def write_certificate(solution: Solution | nx.DiGraph, path: PathLike) -> int:
    """Write the certificate of a solution as a values file, and return how many values it has.

    Parameters
    ----------
    solution : Solution, GameGraph or nx.DiGraph
        With tokens; a graph is solved for normal play.
    path : str or os.PathLike
        A .csv, .json or .parquet file, perhaps compressed; ``-`` is standard output, as CSV.

    Raises
    ------
    FormatError
        The name ends otherwise, or two positions have the same text.
    TokenError, OptionError
        As in :func:`certificate`.
    OSError
        The file cannot be written.
    """
    format, solution = values_format(path), solution_of(solution)
    unique_texts(solution.graph.labels)
    values = certificate(solution)
    write_columns(values, path, format, COLUMNS[:3])
    return len(values)


def _choice(solution: Solution, order: np.ndarray, rank: np.ndarray, final_sum: set[int]) -> np.ndarray:
    """Return the numbers of the vertices that prove the values of a sum's and of themselves, increasing."""
    vertices, grundy = len(order), solution.grundy.array
    sums = np.zeros(vertices, np.bool_) if solution.graph.sums is None else solution.graph.sums
    needed, chosen = np.zeros((2, vertices), np.bool_)
    needed[list(final_sum)] = True
    head, met = np.full((2, vertices), -1, np.int32)
    last = np.full((int(grundy.max(initial=0)) + 1, 2), -1, np.int32)
    links = np.empty((0, 3), np.int32)
    graph = (*solution.graph.options, sums, grundy, rank)
    run = runner(choose, vertices + len(solution.graph.options.indices), solution.engine)
    at, used = vertices - 1, 0
    while at >= 0:
        more = len(links) + 2 * int(solution.graph.out_degrees[order[at]]) + _LINKS
        links.resize((len(links) + more, 3), refcheck=False)
        at, used = run(order, *graph, needed, chosen, head, met, last, links, at, used)
    return np.flatnonzero(chosen)


def _tokens(solution: Solution) -> list[int]:
    if solution.tokens is None:
        raise TokenError("there are no tokens: a certificate proves who wins the sum of the tokens")
    if solution.play == "misere" and (solution.graph.sums is not None or len(solution.tokens) > 1):
        raise OptionError(
            "misère values do not combine by xor, so that few of them prove nothing of several tokens or of sum "
            "vertices: certify the product, the graph of whole positions"
        )
    if isinstance(solution, LoopySolution):
        refuse_sums_on_cycles(solution.graph, "certify")
    return [solution.graph.number_of(token) for token in solution.tokens]


def _ranks(order: np.ndarray) -> np.ndarray:
    """Return the place of each vertex in an order."""
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order), dtype=order.dtype)
    return rank


def _final_sum(solution: Solution, tokens: list[int], rank: np.ndarray) -> set[int]:
    """Return the sum to prove lost for the player to move: the tokens' own, or one that the winner moves to."""
    grundy, options = solution.grundy.array, solution.graph.options
    alone = {token for token, times in Counter(tokens).items() if times % 2}
    if solution.winner == "second":
        return alone
    if not tokens or (solution.play == "misere" and solution.graph.out_degrees[tokens[0]] == 0):
        return set()
    total = solution.nim_sum if solution.play == "normal" else int(grundy[tokens[0]])
    moves = (
        (token, option)
        for token in set(tokens)
        for option in options.row(token)[grundy[options.row(token)] == grundy[token] ^ total].tolist()
    )
    token, option = min(
        moves, key=lambda move: (-(move[0] in alone) - (move[1] in alone), -int(rank[move[0]]), int(rank[move[1]]))
    )
    return alone ^ {token} ^ {option}
