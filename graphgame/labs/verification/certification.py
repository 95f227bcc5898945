"""Choose certificates: few values that prove who wins, such as the P-positions that the winner moves to.

:mod:`graphgame.labs.verification.verification` states when values justify each other. This module chooses such a set of
values that decides the sum of the tokens, and from which no value can be left out. A chosen vertex that has options
and the value k makes these demands on the set:

- For each i < k, the set contains an option of value i.
- For each option u that is not terminal, the set contains u, or an option of u that has the value k: a reply that
  undoes the move to u. With cycles, u itself is enough only if it is a sum, or if its value is less than k.

Without cycles, the vertices are visited from the start of play to its end, and all candidates of a demand are later in
play. A demand is decided when its last candidate is visited: this candidate is chosen only if no other one was chosen
by then. Hence no chosen vertex can be left out. With cycles, the vertices are visited in the reverse order of a counter
function, and superfluous vertices are dropped at the end. The set need not have the smallest possible size: finding
such a set is as hard as set cover.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from graphgame.compiled.compiling import runner
from graphgame.errors import ParameterError, TokenError
from graphgame.graph.gamegraph import GameLike
from graphgame.graph.labels import as_labels
from graphgame.graph.rows import marked
from graphgame.io.files import PathLike
from graphgame.io.interchange import unique_texts
from graphgame.io.values import COLUMNS, Values, values_format, write_columns
from graphgame.labs.backend.play_order import play_order
from graphgame.labs.verification.justification import Claims, Marks, Play, choose, sum_mask
from graphgame.labs.verification.loopy_justification import counted, refuse_sums_on_cycles
from graphgame.labs.verification.verification import verify
from graphgame.solution.solve import LoopySolution, Solution, solution_of, solve
from graphgame.solution.sprague_grundy import decisive_values, without_decisive


def certificate(game: GameLike) -> Values:
    """Choose the values that prove who wins the sum of the tokens.

    Parameters
    ----------
    game : GameLike
        A solution or a graph, with tokens. A graph is solved for normal play.

    Returns
    -------
    Values
        The values, in the order of the vertices. No value can be left out. The result is empty if a token is on a sunny
        or loony position, because the rules then say who wins. For one token, without cycles and sum vertices, these
        are P-positions. Under normal play every move from them can be answered by a move to one of them, or by a move
        that ends play at once. With several tokens, cycles or sum vertices there may be other values too: see
        :mod:`graphgame.labs.verification.verification`. In a graph with cycles the values can prove a draw, and finite
        values come first, in the order of a counter function (:mod:`graphgame.labs.verification.loopy_justification`).

    Raises
    ------
    CycleError
        ``game`` is a graph with a cycle, and not a solution.
    TokenError
        The tokens are None.
    ParameterError
        Misère values would have to be combined: there are several tokens or sum vertices. Or a sum vertex lies on a
        cycle.

    Notes
    -----
    For one token in a graph without cycles, the time is O(n + m) for n vertices and m edges, plus one look at the
    options of the options of each chosen vertex. The memory is 24 bytes for each vertex, and 16 bytes for each demand
    (at most two for a move from a chosen vertex).

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
    solution = solution_of(game)
    tokens = _tokens(solution)
    if solution.graph.decided is not None:
        return _beside_ends(solution, tokens)
    if isinstance(solution, LoopySolution):
        return _values(solution, proving_vertices(solution))
    return _values(solution, _proving_vertices(solution, tokens))


def _values(solution: Solution, chosen: np.ndarray) -> Values:
    """Return the values and outcomes of the vertices ``chosen``, in the order of this array."""
    labels, no_remoteness = as_labels(solution.graph.labels.take(chosen)), np.full(len(chosen), -1, np.int32)
    grundy, outcome = solution.grundy.array[chosen], solution.outcome.array[chosen]
    return Values(labels, grundy, outcome, no_remoteness, solution.misere, solution.codes)


def _beside_ends(solution: Solution, tokens: list[int]) -> Values:
    """Return a certificate for a graph in which some positions end play at once.

    Sunny and loony vertices need no values: anyone can find them from the graph. If a token is on one of them, the
    certificate is empty. Otherwise it is a certificate for the graph without these vertices.
    """
    decisive = decisive_values(solution.graph)
    assert decisive is not None
    if decisive[tokens].any():
        return _values(solution, np.zeros(0, np.int64))
    without_ends = without_decisive(solution.graph, decisive)
    remaining = solve(without_ends, tokens=tokens, loopy=True, engine=solution.engine)
    numbers = np.array(list(certificate(remaining)), np.int64)
    if isinstance(solution, LoopySolution) and not isinstance(remaining, LoopySolution):
        # Every cycle contained a removed vertex. The certificate of a graph with cycles lists values in the order of a
        # counter function. In the remaining graph, which has no cycles, an order with options first is such an order.
        rank = np.argsort(play_order(without_ends))
        numbers = numbers[np.argsort(rank[numbers])]
    return _values(solution, numbers[decisive[numbers] == 0])


def write_certificate(game: GameLike, path: PathLike, format: str | None = None) -> int:
    """Write the certificate of a solution as a values file, and return its number of values.

    Parameters
    ----------
    game : GameLike
        A solution or a graph, with tokens. A graph is solved for normal play.
    path : str or os.PathLike
        A .csv, .json or .parquet file, which may be compressed. ``-`` writes to standard output, by default CSV.
    format : {"csv", "json", "parquet"}, optional
        The default follows from the ending of the file's name.

    Raises
    ------
    FormatError
        ``format`` is None, and the file's name has another ending. Or there is no such format. Or two positions have
        the same text. Or the text of a position has a NUL character, and the file is CSV.
    CycleError, TokenError, ParameterError
        See :func:`certificate`.
    OSError
        The file cannot be written.
    """
    format, solution = values_format(path, format), solution_of(game)
    unique_texts(solution.graph.labels)
    values = certificate(solution)
    write_columns(values, path, format, COLUMNS[:3])
    return len(values)


def _proving_vertices(solution: Solution, tokens: list[int]) -> np.ndarray:
    """Return the numbers of vertices whose values prove who wins the sum of the tokens.

    They prove that a sum is a P-position: the sum of the tokens if the second player wins, otherwise the sum after a
    winning move. Several winning moves are tried, one after another. For each move after the first, the vertices are
    chosen only from those that were chosen before, so their number never grows. A move is tried only if the vertices
    of the sum after it were chosen before.
    """
    order = play_order(solution.graph)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order), dtype=order.dtype)
    alone = {token for token, times in Counter(tokens).items() if times % 2}
    moves = _winning_moves(solution, tokens, alone, rank)

    def choice(final_sum: set[int], allowed: np.ndarray) -> np.ndarray:
        return chosen_vertices(solution, order, marked(list(final_sum), len(order)), allowed)[0]

    # Start with every vertex allowed. Each round may only choose among the vertices of the round before.
    chosen = np.ones(len(order), np.bool_)
    if not moves:
        chosen = choice(alone if solution.winner == "second" else set(), chosen)
    missing: set[int] = set()
    times: Counter[int] = Counter()
    for token, option in moves:
        fits = missing <= {token, option} and all(vertex in alone or chosen[vertex] for vertex in (token, option))
        if fits and times[token] < 2:
            # Try a move only if the choice so far (at first all vertices) contains the sum after it. For each token,
            # try at most two options that are not in ``alone``, those nearest to the end of play first: a third would
            # hardly make the set smaller.
            times[token] += option not in alone
            chosen = choice(alone ^ {token} ^ {option}, chosen)
            missing = {vertex for vertex in alone if not chosen[vertex]}
    return np.flatnonzero(chosen)


def _winning_moves(solution: Solution, tokens: list[int], alone: set[int], rank: np.ndarray) -> list[tuple[int, int]]:
    """Return the winning moves as (token, option), sorted by the number of components in the sum after the move.

    Equal components cancel, and are not counted. ``alone`` has the tokens that occur an odd number of times. ``rank``
    has the index of each vertex in an order with options first. Among equal numbers of components, tokens of larger
    rank come first, then options of smaller rank. The list is empty if the second player wins, or without tokens.
    """
    grundy, options = solution.grundy.array, solution.graph.option_rows
    if solution.winner == "second" or not tokens:
        return []
    total = solution.nim_sum if not solution.misere else int(grundy[tokens[0]])
    moves = (
        (token, option)
        for token in set(tokens)
        for option in options.row(token)[grundy[options.row(token)] == grundy[token] ^ total].tolist()
    )
    # Sort the moves by the number of positions in the sum after the move, when equal positions have cancelled. If the
    # token is in ``alone``, the move removes it; if the option is in ``alone``, the two cancel. Among equal numbers,
    # prefer the token that is farthest from the end of play, and then the option that is nearest to it.
    return sorted(
        moves, key=lambda move: (-(move[0] in alone) - (move[1] in alone), -int(rank[move[0]]), int(rank[move[1]]))
    )


def _tokens(solution: Solution) -> list[int]:
    if solution.tokens is None:
        raise TokenError(
            "there are no tokens: a certificate proves who wins the sum of the tokens; name them, for example with "
            "--tokens"
        )
    if solution.misere and (solution.graph.sums is not None or len(solution.tokens) > 1):
        raise ParameterError(
            "misère values do not combine by xor, so a few of them cannot prove who wins several tokens or a sum "
            "vertex: certify the graph of the whole sum (--product)"
        )
    if isinstance(solution, LoopySolution):
        refuse_sums_on_cycles(solution.graph)
    return [solution.graph.number_of(token) for token in solution.tokens]


_MORE_LINKS = 1 << 12
"""A full table of demands is doubled, and also gets room for the demands of the next vertex and for this many more."""


def chosen_vertices(
    solution: Solution, order: np.ndarray, needed: np.ndarray, allowed: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Choose a set of allowed vertices that contains the needed vertices, and in which the values justify each other.

    Parameters
    ----------
    solution : Solution
    order : ndarray
        All vertices. In a graph without cycles, each vertex comes after its options. In a graph with cycles, the
        vertices come in the order of a counter function, and then those that this function does not count.
    needed : ndarray of bool
        A mask of the vertices that the set must contain. The function also marks all other chosen vertices in it. In a
        graph with cycles and sum vertices, it may mark a vertex that it has passed already. So call it again with the
        mask until all marked vertices are chosen.
    allowed : ndarray of bool
        A mask of the vertices that the set may contain.

    Returns
    -------
    chosen, sole : ndarray of bool
        Masks of the chosen vertices, and of the chosen vertices that no other vertex could replace.
    """
    graph, vertices, loopy = solution.graph, len(order), isinstance(solution, LoopySolution)
    largest = int(solution.grundy.array.max(initial=0))
    # A vertex that is not allowed gets a number above all values, so no demand chooses it.
    grundy = np.where(allowed, solution.grundy.array, np.int32(largest + 1))
    rank = np.empty_like(order)
    rank[order] = np.arange(vertices, dtype=order.dtype)
    sole, chosen = np.zeros((2, vertices), np.bool_)
    head, excluded = np.full((2, vertices), -1, np.int32)
    by_value = np.tile(np.array([-1, 0, 0], np.int32), (largest + 1, 1))
    links = np.empty((0, 4), np.int32)
    play = Play(order, rank, *graph.option_rows, sum_mask(graph), grundy, loopy)
    marks = Marks(needed, sole, chosen, head, excluded, by_value)
    run = runner(choose, vertices + len(graph.option_rows.indices), solution.engine)
    index, used = vertices - 1, 0
    # The loop stops when its table of demands is full. Each round adds room for at least the next vertex.
    while index >= 0:
        more = len(links) + 2 * int(graph.out_degrees[order[index]]) + _MORE_LINKS
        links.resize((len(links) + more, 4), refcheck=False)
        index, used = run(play, marks, links, index, used)
    return chosen, sole


def proving_vertices(solution: LoopySolution) -> np.ndarray:
    """Return vertices of a graph with cycles whose values prove who wins the sum of the tokens.

    No vertex of the result can be left out. Vertices of finite value come first, in the order of a counter function: if
    a move from a vertex increases the value, a reply to an earlier vertex restores it. Vertices of infinite value
    follow. The solution must have tokens. Under misère play it must have at most one token and no sum vertices.
    """
    choice = _Choice(solution)
    choice.choose(_final_sum(solution, choice.tokens))
    choice.drop_superfluous()
    claims = choice.claims()
    return np.append(counted(solution.graph, claims), np.flatnonzero(claims.grundy < -1))


def _final_sum(solution: LoopySolution, tokens: list[int]) -> list[int]:
    """Return the vertices whose sum the certificate must prove.

    They are the tokens, or, if the first player has a winning move, the tokens after such a move. Tokens on terminal
    positions are left out, except the vertex that this move reaches.
    """
    graph = solution.graph
    moves = []
    if solution.winner == "first":
        moves = [(move.component, graph.number_of(move.end)) for move in solution.winning_moves()]
    if not moves:
        return [token for token in tokens if graph.out_degrees[token]]
    index, option = min(moves, key=lambda move: int(solution.counter.array[move[1]]))
    return [*(token for token in tokens[:index] + tokens[index + 1 :] if graph.out_degrees[token]), option]


class _Choice:
    """A set of vertices whose values prove who wins, in a graph with cycles.

    ``chosen`` is the mask of the set. At first it contains all vertices; :meth:`choose` and :meth:`drop_superfluous`
    remove vertices. :meth:`choose` goes through the set in the order of a counter function, see :func:`counted`.
    """

    def __init__(self, solution: LoopySolution) -> None:
        graph = solution.graph
        self._solution = solution
        self.tokens = [graph.number_of(token) for token in solution.tokens or ()]
        self._graph = graph
        # A vertex of infinite value needs all its options, and a sum needs all its parts.
        self._needs_all = (solution.grundy.array < 0) | sum_mask(graph)
        self.chosen = np.ones(len(graph), np.bool_)

    def choose(self, wanted: list[int]) -> np.ndarray:
        """Reduce the set to the wanted vertices and a proof of their values.

        Return a mask of the irreplaceable vertices: no other vertex can take the place of one of them.
        """
        counts = counted(self._graph, self.claims())
        others = np.flatnonzero(~marked(counts, len(self.chosen)))
        order = np.append(counts, others.astype(counts.dtype))
        needed, chosen, sole, all_sole = np.zeros((4, len(order)), np.bool_)
        needed[wanted] = True
        self._need_options(needed, all_sole)
        # If a sum or a vertex of infinite value becomes needed, so do all its options, and the loop may have passed
        # some of them already. Repeat until every needed vertex is chosen.
        while (needed & ~chosen).any():
            chosen, sole = chosen_vertices(self._solution, order, needed, self.chosen)
            self._need_options(needed, all_sole)
        self.chosen = chosen
        return sole | all_sole

    def _need_options(self, needed: np.ndarray, sole: np.ndarray) -> None:
        """Mark all options of needed vertices of infinite value, and all parts of needed sums.

        Mark them in both masks: the proof needs them (``needed``), and no other vertex could replace them (``sole``).
        Repeat this for the newly marked vertices.
        """
        stack = np.flatnonzero(needed & self._needs_all).tolist()
        while stack:
            row = self._graph.option_rows.row(stack.pop())
            new = row[~needed[row]]
            needed[row] = sole[row] = True
            stack += new[self._needs_all[new]].tolist()

    def drop_superfluous(self) -> None:
        """Drop vertices one by one as long as the remaining ones still prove who wins.

        A vertex can be superfluous because another counter function or another winning move does not need it.
        """
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
        """Return the claims that each chosen vertex has its value. Other vertices have no claims."""
        solution, nothing = self._solution, np.zeros(0)
        grundy = np.where(self.chosen, solution.grundy.array, np.int32(-1))
        return Claims(grundy, nothing, nothing, int(solution.misere), solution.codes)

    def _proves(self) -> bool:
        """Return True if the chosen values prove who wins."""
        solution = self._solution
        claims = {
            position: solution.grundy[position] for position in self._graph.labels.take(np.flatnonzero(self.chosen))
        }
        report = verify(self._graph, claims, misere=solution.misere, tokens=solution.tokens, loopy=True)
        return bool(report) and report.winner == solution.winner
