"""Few values that prove who wins: the P-positions that the winner steers to.

:mod:`graphgame.labs.verification.verification` states what makes values justify each other. Here a least such set is
chosen that decides the sum of the tokens. A chosen vertex of value k demands, for each i < k, one option of value i,
and for each option that is not obviously different, that option or one of its own options of value k: the reply that
undoes the move. Each demand is a choice among vertices further down. They are met from the start of play to its end,
each by its last candidate, and only where no other candidate is chosen already; hence no chosen vertex can be left out.
(The smallest number of vertices is another matter: finding it is as hard as set cover.)
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from graphgame.errors import OptionError, TokenError
from graphgame.graph.gamegraph import GameLike
from graphgame.graph.labels import as_labels
from graphgame.graph.play_order import play_order
from graphgame.io.files import PathLike
from graphgame.io.interchange import unique_texts
from graphgame.io.values import COLUMNS, Values, values_format, write_columns
from graphgame.labs.verification.choice import chosen_vertices
from graphgame.labs.verification.loopy_certification import proving_vertices
from graphgame.labs.verification.loopy_justification import refuse_sums_on_cycles
from graphgame.solution.results import ValueCodes
from graphgame.solution.solve import LoopySolution, Solution, solution_of, solve
from graphgame.solution.sprague_grundy import decisive_values, without_decisive


def certificate(solution: GameLike) -> Values:
    """Choose the values that prove who wins the sum of the tokens.

    Parameters
    ----------
    solution : GameLike
        With tokens; a graph is solved for normal play.

    Returns
    -------
    Values
        In the order of the vertices. For one token under normal play: P-positions from which every move has a reply
        to one of them; the token itself or one of its options is there. For several tokens also other values, as
        :mod:`graphgame.labs.verification.verification` explains. Without any one of them nothing is proved. In a graph
        with cycles, where the values of :mod:`graphgame.labs.verification.loopy_certification` prove draws too, they
        come in the order of the counter that the winner steers by.

    Raises
    ------
    TokenError
        There are no tokens.
    OptionError
        Misère play of several tokens or of a graph with sum vertices, whose values do not combine; or in a graph with
        cycles a sum lies on one.

    Notes
    -----
    O(n + m) time, and then the options of the options of what is chosen. 24 bytes a vertex, and 16 for each move from a
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
    if solution.graph.decided is not None:
        return _beside_ends(solution, tokens)
    if isinstance(solution, LoopySolution):
        chosen, codes = proving_vertices(solution), solution.codes
    else:
        chosen, codes = _proving_vertices(solution, tokens), ValueCodes()
    positions = solution.graph.labels.take(chosen)
    return Values(
        as_labels(positions),
        solution.grundy.array[chosen],
        solution.outcome.array[chosen],
        np.full(len(chosen), -1, np.int32),
        solution.play,
        codes,
    )


def _beside_ends(solution: Solution, tokens: list[int]) -> Values:
    """Return the certificate of the graph without sunny and loony vertices, which the graph itself shows to be such."""
    graph, values = solution.graph, solution.grundy.array
    decisive = decisive_values(graph)
    assert decisive is not None
    if decisive[tokens].any():
        nothing = np.zeros(0, np.int32)
        return Values(as_labels([]), nothing, np.zeros(0, "<U1"), nothing, solution.play)
    rest = without_decisive(graph, decisive)
    found = certificate(solve(rest, tokens=tokens, cycles="loopy", engine=solution.engine))
    numbers = np.array(list(found), np.int64)
    goes_on = numbers[decisive[numbers] == 0]
    length = np.full(len(goes_on), -1, np.int32)
    labels = as_labels(graph.labels.take(goes_on))
    return Values(labels, values[goes_on], solution.outcome.array[goes_on], length, solution.play, solution.codes)


def write_certificate(solution: GameLike, path: PathLike, format: str | None = None) -> int:
    """Write the certificate of a solution as a values file, and return how many values it has.

    Parameters
    ----------
    solution : GameLike
        With tokens; a graph is solved for normal play.
    path : str or os.PathLike
        A .csv, .json or .parquet file, perhaps compressed; ``-`` is standard output, as CSV.
    format : {"csv", "json", "parquet"}, optional
        Else the file's name tells.

    Raises
    ------
    FormatError
        The name ends otherwise, or two positions have the same text.
    TokenError, OptionError
        As in :func:`certificate`.
    OSError
        The file cannot be written.
    """
    format, solution = values_format(path, format), solution_of(solution)
    unique_texts(solution.graph.labels)
    values = certificate(solution)
    write_columns(values, path, format, COLUMNS[:3])
    return len(values)


def _proving_vertices(solution: Solution, tokens: list[int]) -> np.ndarray:
    """Choose the vertices that prove lost the tokens' own sum, or one that the winner moves to.

    What is chosen for one winning move may hold all that another one needs; then it is chosen anew, within that.
    """
    order = play_order(solution.graph)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order), dtype=order.dtype)
    alone = {token for token, times in Counter(tokens).items() if times % 2}
    moves = _winning_moves(solution, tokens, alone, rank)

    def choice(final_sum: set[int], allowed: np.ndarray) -> np.ndarray:
        needed = np.zeros(len(order), np.bool_)
        needed[list(final_sum)] = True
        return chosen_vertices(solution, order, needed, allowed)[0]

    chosen = np.ones(len(order), np.bool_)
    if not moves:
        chosen = choice(alone if solution.winner == "second" else set(), chosen)
    missing: set[int] = set()
    times: Counter[int] = Counter()
    for token, option in moves:
        fits = missing <= {token, option} and all(vertex in alone or chosen[vertex] for vertex in (token, option))
        if fits and times[token] < 2:
            # a token's new options come last in play first: a second one that is chosen was needed for something else
            times[token] += option not in alone
            chosen = choice(alone ^ {token} ^ {option}, chosen)
            missing = {vertex for vertex in alone if not chosen[vertex]}
    return np.flatnonzero(chosen)


def _winning_moves(solution: Solution, tokens: list[int], alone: set[int], rank: np.ndarray) -> list[tuple[int, int]]:
    """Return the moves to a lost sum, token and option: those first that leave few values to prove."""
    grundy, options = solution.grundy.array, solution.graph.option_rows
    if solution.winner == "second" or not tokens:
        return []
    total = solution.nim_sum if solution.play == "normal" else int(grundy[tokens[0]])
    moves = (
        (token, option)
        for token in set(tokens)
        for option in options.row(token)[grundy[options.row(token)] == grundy[token] ^ total].tolist()
    )
    return sorted(
        moves, key=lambda move: (-(move[0] in alone) - (move[1] in alone), -int(rank[move[0]]), int(rank[move[1]]))
    )


def _tokens(solution: Solution) -> list[int]:
    if solution.tokens is None:
        raise TokenError(
            "there are no tokens: a certificate proves who wins the sum of the tokens; name them, as by --tokens"
        )
    if solution.play == "misere" and (solution.graph.sums is not None or len(solution.tokens) > 1):
        raise OptionError(
            "misère values do not combine by xor, so that few of them prove nothing of several tokens or of sum "
            "vertices: certify the product, the graph of whole positions"
        )
    if isinstance(solution, LoopySolution):
        refuse_sums_on_cycles(solution.graph, "certify")
    return [solution.graph.number_of(token) for token in solution.tokens]
