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

from graphgame.compiled.compiling import runner
from graphgame.errors import OptionError, TokenError
from graphgame.graph.gamegraph import GameLike
from graphgame.graph.labels import as_labels
from graphgame.graph.play_order import play_order
from graphgame.io.files import PathLike
from graphgame.io.interchange import unique_texts
from graphgame.io.values import COLUMNS, Values, values_format, write_columns
from graphgame.labs.verification.justification import Claims, Marks, Play, choose
from graphgame.labs.verification.loopy_justification import counted, refuse_sums_on_cycles
from graphgame.labs.verification.verification import verify
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
        with cycles, where the values of :mod:`graphgame.labs.verification.certification` prove draws too, they
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


_LINKS = 1 << 12


def chosen_vertices(
    solution: Solution, order: np.ndarray, needed: np.ndarray, allowed: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Mark those of the allowed vertices that prove the needed ones and themselves, and which have no substitute.

    In the order options come before the positions that move to them; where there are cycles it is that of a counter
    function, with the infinite values at its end. More may be ``needed`` afterwards than is chosen: parts of sums that
    are counted after them.
    """
    graph, vertices, loopy = solution.graph, len(order), isinstance(solution, LoopySolution)
    largest = int(solution.grundy.array.max(initial=0))
    # Nobody asks for an option of the value that stands for those that are not allowed.
    grundy = np.where(allowed, solution.grundy.array, np.int32(largest + 1))
    sums = np.zeros(vertices, np.bool_) if graph.sums is None else graph.sums
    rank = np.empty_like(order)
    rank[order] = np.arange(vertices, dtype=order.dtype)
    sole, chosen = np.zeros((2, vertices), np.bool_)
    head, met = np.full((2, vertices), -1, np.int32)
    last = np.tile(np.array([-1, 0, 0], np.int32), (largest + 1, 1))
    links = np.empty((0, 4), np.int32)
    play = Play(order, rank, *graph.option_rows, sums, grundy, loopy)
    marks = Marks(needed, sole, chosen, head, met, last)
    run = runner(choose, vertices + len(graph.option_rows.indices), solution.engine)
    at, used = vertices - 1, 0
    while at >= 0:
        more = len(links) + 2 * int(graph.out_degrees[order[at]]) + _LINKS
        links.resize((len(links) + more, 4), refcheck=False)
        at, used = run(play, marks, links, at, used)
    return chosen, sole


def proving_vertices(solution: LoopySolution) -> np.ndarray:
    """Choose the vertices whose values prove who wins the sum of the tokens; none of them can be left out.

    There are tokens, under misère play at most one, and no sum vertices then. Those of finite value come as they are
    counted, so that a move to a larger value is taken back by a move to a vertex that stands before; then those of
    infinite value.
    """
    choice = _Choice(solution)
    choice.choose(_final_sum(solution, choice.tokens))
    choice.drop_superfluous()
    claims = choice.claims()
    return np.append(counted(solution.graph, claims), np.flatnonzero(claims.grundy < -1))


def _final_sum(solution: LoopySolution, tokens: list[int]) -> list[int]:
    """Return the sum whose values tell who wins: the tokens' own, or one that the first player moves to."""
    graph = solution.graph
    moves = []
    if solution.winner == "first":
        moves = [(move.component, graph.number_of(move.end)) for move in solution.winning_moves()]
    if not moves:
        return [token for token in tokens if graph.out_degrees[token]]
    place, option = min(moves, key=lambda move: int(solution.counter.array[move[1]]))
    return [*(token for token in tokens[:place] + tokens[place + 1 :] if graph.out_degrees[token]), option]


class _Choice:
    """The choice of vertices: at first by the counter of all, and then by what those that are chosen leave room for."""

    def __init__(self, solution: LoopySolution) -> None:
        graph = solution.graph
        self._solution = solution
        self.tokens = [graph.number_of(token) for token in solution.tokens or ()]
        self._graph = graph
        self._whole = (solution.grundy.array < 0) | (False if graph.sums is None else graph.sums)
        self.chosen = np.ones(len(graph), np.bool_)

    def choose(self, wanted: list[int]) -> np.ndarray:
        """Choose, of what is chosen, these vertices and what proves their values; mark what has no substitute."""
        counts = counted(self._graph, self.claims())
        others = np.ones(len(self.chosen), np.bool_)
        others[counts] = False
        order = np.append(counts, np.flatnonzero(others).astype(counts.dtype))
        needed, chosen, sole, all_sole = np.zeros((4, len(order)), np.bool_)
        needed[wanted] = True
        self._need_options(needed, all_sole)
        while (needed & ~chosen).any():
            chosen, sole = chosen_vertices(self._solution, order, needed, self.chosen)
            self._need_options(needed, all_sole)
        self.chosen = chosen
        return sole | all_sole

    def _need_options(self, needed: np.ndarray, sole: np.ndarray) -> None:
        """Need all options of what is needed and infinite, and all parts of sums; nothing may stand in for them."""
        stack = np.flatnonzero(needed & self._whole).tolist()
        while stack:
            row = self._graph.option_rows.row(stack.pop())
            new = row[~needed[row]]
            needed[row] = sole[row] = True
            stack += new[self._whole[new]].tolist()

    def drop_superfluous(self) -> None:
        """Drop one by one what the proof does without, as there may be other counters, and other moves that win."""
        while True:
            with_moves = [token for token in self.tokens if self._graph.out_degrees[token]]
            tied = self._solution.winner != "first" or not self.chosen[with_moves].all()
            ends = {vertex for token in self.tokens for vertex in (token, *self._graph.option_rows.row(token).tolist())}
            sole = self.choose([vertex for vertex in ends if self.chosen[vertex]])
            sole[with_moves] |= tied
            for vertex in np.flatnonzero(self.chosen & ~sole).tolist():
                self.chosen[vertex] = False
                if self._proves():
                    break
                self.chosen[vertex] = True
            else:
                return

    def claims(self) -> Claims:
        """Return the values of what is chosen, as claims."""
        solution, nothing = self._solution, np.zeros(0)
        grundy = np.where(self.chosen, solution.grundy.array, np.int32(-1))
        return Claims(grundy, nothing, nothing, int(solution.play == "misere"), solution.codes)

    def _proves(self) -> bool:
        """Tell whether what is chosen proves the winner."""
        solution = self._solution
        claims = {
            position: solution.grundy[position] for position in self._graph.labels.take(np.flatnonzero(self.chosen))
        }
        report = verify(self._graph, claims, play=solution.play, tokens=solution.tokens, cycles="loopy")
        return bool(report) and report.winner == solution.winner
