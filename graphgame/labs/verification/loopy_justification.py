"""Check claims about the values of a graph with cycles against the three conditions of the theory.

The values are right exactly when, for every position u,

1. if u has a finite value m, then m is the mex of the finite values of its options;
2. if u has a finite value m, then every option v of larger value (infinite values included) has an option w of value m
   with c(w) < c(u): the move to w is a reply that undoes the move to v. Here c is a counter function, which gives each
   position of finite value an integer;
3. if u has the infinite value inf(K), then K is the set of the finite values of its options, and some option has an
   infinite value inf(L) with mex(K) not in L.

A sum vertex that lies on no cycle has the value of the sum of its parts. Once its parts are checked, its value says
which values it can move to: from inf(K) to every value in K, from a finite value n to every value below n.

Claims for only some of the vertices can be checked too. The claimed values are right if the conditions hold for the
vertices with a claim, with two changes. In condition 2, an option without a claim counts as an option of larger value.
In condition 3, every option of u must have a claim. Proof: suppose m is claimed for u, and play the sum of u
and a Nim heap of size m. If the opponent moves to a position whose claimed value is smaller, or lowers the heap, the
reply makes the two values equal again. The reply to any other move is the move to w in condition 2. With each reply the
heap becomes smaller than before, or it stays and c decreases. So play ends, and the player to move at the start loses:
u has the value m. For a position of infinite value, replace each option of finite value by a Nim heap of that value.
The remaining graph consists of positions of infinite value, and all their values are claimed.

Without the counter function, the replies of condition 2 could lead around a cycle, and play would not end. The counter
function is computed here, one value at a time: a position is counted as soon as all its moves to larger values can be
undone by moves to positions counted before. A counter function exists exactly when every position of finite value gets
counted. Under misère play a position without options has the value 1, so a move to it from a position of any other
value need not be undone.

No code is shared with the solver, except graphs and their cycles, and the definitions of values, with the arithmetic of
infinite values (:class:`graphgame.solution.results.Loopy`).

References
----------
A. S. Fraenkel, Y. Perl, Constructions in combinatorial games with cycles, Colloq. Math. Soc. János Bolyai 10 (1975);
A. S. Fraenkel, Y. Yesha, The generalized Sprague-Grundy function and its invariance under certain mappings, JCTA 43
(1986).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import xor

import numpy as np

from graphgame.compiled.compiling import compiled, runner
from graphgame.errors import Message, ParameterError
from graphgame.graph.components import on_cycles, strong
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.rows import marked
from graphgame.labs.verification.justification import (
    LARGEST_INT32,
    Claims,
    blocks,
    mex_of,
    position_text,
    shown_values,
    sum_mask,
    why_end,
    why_length,
    worked_out,
    wrong_lengths,
)
from graphgame.solution.results import Loopy, Value

_SHIFT = 32


def loopy_fault(graph: GameGraph, claims: Claims, *, remoteness: bool) -> tuple[int, str] | None:
    """Return a vertex whose value, outcome or remoteness is wrong, and why; None if all are right.

    No sum vertex may lie on a cycle. In a graph with sum vertices ``remoteness`` must be False.

    The check of conditions 1 and 3 of the module's docstring reads each edge a few times. The counter function of
    condition 2 needs each edge u -> v at most once for each different value among the options of v.
    """
    # The order matters: each check assumes that the earlier ones found no fault. The counter function, for example, is
    # only meaningful for values that are the mex of their options.
    checks = (
        (_wrong_sums, _why_sum),
        (_wrong_values, _why_value),
        (_not_endless, _why_not_endless),
        (_uncounted, _why_uncounted),
    )
    for faults, why in checks:
        if (vertex := _first(faults(graph, claims))) is not None:
            return vertex, Message(
                "the value {value} is not justified: {reason}", _value(claims, vertex), why(graph, claims, vertex)
            )
    outcomes = _outcomes(claims)
    if (vertex := _first((claims.outcome != "") & (claims.outcome != outcomes))) is not None:
        facts = claims.outcome[vertex], _value(claims, vertex), outcomes[vertex]
        return vertex, Message("the outcome {outcome} is wrong: a position of value {value} is {right}", *facts)
    return wrong_length(graph, claims) if remoteness else None


def wrong_length(graph: GameGraph, claims: Claims) -> tuple[int, str] | None:
    """Return a vertex whose remoteness is wrong, and why; None if all are right. All values must be right."""
    draws, lengths = _outcomes(claims) == "D", worked_out(graph, claims).remoteness
    wrong = np.where(draws, claims.remoteness >= 0, wrong_lengths(claims, lengths))
    if not wrong.any():
        return None
    # A wrong claim at an option can make a right claim look wrong. But a remoteness is larger than the remoteness of
    # the option from which it is computed. For each vertex that looks wrong, take the smaller of its claimed and its
    # computed remoteness: where this number is least, the claim itself is wrong.
    smaller = np.minimum(claims.remoteness, np.where(lengths < 0, LARGEST_INT32, lengths))
    vertex = int(np.argmin(np.where(wrong, smaller.astype(np.int64), LARGEST_INT32 + 1)))
    if draws[vertex]:
        return vertex, Message(
            "the remoteness {remoteness} is wrong: nobody can force a win", claims.remoteness[vertex]
        )
    return vertex, why_length(graph, claims, vertex)


def _first(wrong: np.ndarray) -> int | None:
    return int(np.argmax(wrong)) if wrong.any() else None


def refuse_sums_on_cycles(graph: GameGraph) -> None:
    """Raise ParameterError if a sum vertex lies on a cycle."""
    if graph.sums is None:
        return
    cyclic = graph.sums & on_cycles(graph, strong(graph)[1])
    if cyclic.any():
        raise ParameterError(
            "the sum {sum} lies on a cycle, so its value does not follow from the values of its parts: use the graph "
            "of the whole sum (--product)",
            position_text(graph, int(np.argmax(cyclic))),
        )


def _outcomes(claims: Claims) -> np.ndarray:
    """Return the outcome (P, N or D) that follows from the claimed value of each vertex; "N" without a value."""
    outcomes = np.where(claims.grundy == 0, "P", "N")
    infinite = claims.grundy < -1
    of_codes = np.array([value.outcome for value in claims.codes] or ["D"])
    outcomes[infinite] = of_codes[-2 - claims.grundy[infinite]]
    return outcomes


def _wrong_sums(graph: GameGraph, claims: Claims) -> np.ndarray:
    """Return a mask of the sum vertices whose value is not the sum of the values of their parts.

    A sum vertex without a value is not marked. A sum vertex with a value is marked if a part has no value, even a part
    that occurs twice, whose value would cancel.
    """
    wrong = np.zeros(len(graph), np.bool_)
    for vertex in np.flatnonzero(sum_mask(graph) & (claims.grundy != -1)).tolist():
        wrong[vertex] = _total(graph, claims, vertex) != _value(claims, vertex)
    return wrong


def _total(graph: GameGraph, claims: Claims, vertex: int) -> int | Loopy | None:
    """Return the xor of the values of a sum vertex's parts; None if a part has no value."""
    parts = claims.grundy[graph.option_rows.row(vertex)].tolist()
    return None if -1 in parts else reduce(xor, claims.codes.decode(parts), 0)


def _wrong_values(graph: GameGraph, claims: Claims) -> np.ndarray:
    """Return a mask of the vertices that break condition 1, or the first half of condition 3.

    A finite value must be the mex of the options' finite values. For an infinite value inf(K), the options' finite
    values must be exactly those in K, and every option must have a value.
    """
    members, is_position = _members(claims), ~sum_mask(graph)
    wrong: np.ndarray = is_position & (claims.grundy >= 0) & (claims.grundy != worked_out(graph, claims).grundy)
    size_of_k = np.zeros(len(claims.codes), np.int64)
    for number, infinite_value in _infinite(claims):
        size_of_k[number] = len(infinite_value.finite)
    for block in blocks(graph.option_rows, np.flatnonzero(is_position & (claims.grundy < -1))):
        value, theirs = claims.grundy[block.vertices], claims.grundy[block.option]
        pairs = np.unique(block.owner[theirs >= 0].astype(np.int64) << _SHIFT | theirs[theirs >= 0])
        owner, finite = pairs >> _SHIFT, pairs & (2**_SHIFT - 1)
        # A claim inf(K) is wrong if the options do not have as many different finite values as K has, if one of these
        # values is not in K, or if an option has no value.
        faulty = np.bincount(owner, minlength=len(value)) != size_of_k[-2 - value]
        faulty[owner[~_among(members, _encoded(value[owner], finite))]] = True
        faulty[block.owner[theirs == -1]] = True
        wrong[block.vertices] = faulty
    return wrong


def _not_endless(graph: GameGraph, claims: Claims) -> np.ndarray:
    """Return a mask of the vertices that break the second half of condition 3.

    The claimed value of such a vertex is inf(K), but each option of infinite value can move to a vertex of value
    mex(K).
    """
    # Start with all positions of infinite value marked. Clear the mark of a position of value inf(K) if an option has a
    # value inf(L) such that mex(K) is not in L.
    members, mex = _members(claims), worked_out(graph, claims).grundy
    endless: np.ndarray = (claims.grundy < -1) & ~sum_mask(graph)
    for block in blocks(graph.option_rows, np.flatnonzero(endless)):
        to_infinite = np.flatnonzero(claims.grundy[block.option] < -1)
        vertex, option = block.vertices[block.owner[to_infinite]], block.option[to_infinite]
        endless[vertex[~_among(members, _encoded(claims.grundy[option], mex[vertex]))]] = False
    return endless


def _members(claims: Claims) -> np.ndarray:
    """Return a sorted array with an integer for each pair of an infinite value inf(K) in ``claims.codes`` and a k in K.

    The upper 32 bits of the integer are the index of inf(K) in ``claims.codes``. The lower bits are k.
    """
    pairs = [number << _SHIFT | finite for number, value in _infinite(claims) for finite in value.finite]
    return np.array(sorted(pairs), np.int64)


def _infinite(claims: Claims) -> Iterator[tuple[int, Loopy]]:
    return ((number, value) for number, value in enumerate(claims.codes) if isinstance(value, Loopy))


def _encoded(infinite: np.ndarray, finite: np.ndarray) -> np.ndarray:
    """Return for each i the integer, as in :func:`_members`, for the pair of ``infinite[i]`` and ``finite[i]``.

    ``infinite`` has codes: -2 - k is the code of the infinite value ``claims.codes[k]``.
    """
    pairs: np.ndarray = (-2 - infinite).astype(np.int64) << _SHIFT | finite
    return pairs


def _among(increasing: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return a mask: True for each wanted number that occurs in a sorted array."""
    if not len(increasing):
        return np.zeros(len(wanted), np.bool_)
    index = np.searchsorted(increasing, wanted).clip(max=len(increasing) - 1)
    occurs: np.ndarray = increasing[index] == wanted
    return occurs


def counted(graph: GameGraph, claims: Claims) -> np.ndarray:
    """Return the vertices of finite claimed value, in an order in which their indices satisfy condition 2 as c(u).

    Condition 2 is in the docstring of the module. A vertex is left out if no counter function can include it.
    """
    grundy = claims.grundy
    if graph.sums is None:
        rows = graph.predecessor_rows
    else:
        # Leave out the edges from sums to their parts: they are not moves.
        source = graph.option_rows.row_indices()
        moves = ~graph.sums[source]
        rows = GameGraph.from_arrays(source[moves], graph.option_rows.indices[moves], len(graph)).predecessor_rows
    finite = np.flatnonzero(grundy >= 0)
    by_value = finite[np.argsort(grundy[finite], kind="stable")]
    starts = np.searchsorted(grundy[by_value], np.arange(int(grundy.max(initial=0)) + 2))
    waits = _larger_options(graph, claims)
    undone, queue = np.full(len(grundy), -1, np.int32), np.full(len(by_value), -1, np.int32)
    count = runner(_count, len(rows.indices) + len(grundy))
    return queue[: count(rows.pointers, rows.indices, grundy, by_value, starts, waits, undone, queue)]


def _uncounted(graph: GameGraph, claims: Claims) -> np.ndarray:
    """Return a mask that marks one vertex that breaks condition 2: a vertex of finite value that gets no counter.

    Without such a vertex, the mask is False everywhere. The marked vertex has a move without a reply, or the replies to
    its moves lead around a cycle.
    """
    wrong = claims.grundy >= 0
    wrong[counted(graph, claims)] = False
    # Follow replies until a vertex lacks one, or until the replies have led around a cycle.
    path: dict[int, None] = {}
    vertex = _first(wrong)
    while vertex is not None and vertex not in path:
        path[vertex] = None
        vertex = _uncounted_reply(graph, claims, vertex, wrong)
    return marked(list(path)[-1:] if vertex is None else [vertex], len(graph))


def _uncounted_reply(graph: GameGraph, claims: Claims, vertex: int, uncounted: np.ndarray) -> int | None:
    """Return an uncounted vertex that a move from ``vertex`` and a reply to this move reach, or None.

    Consider only the moves that need a reply by condition 2 of the module. If one of them has no reply, return None.
    Otherwise take the first move to a position, not a sum, from which all replies lead to vertices in ``uncounted``,
    and return the vertex after the first of these replies. Without such a move, return None. ``uncounted`` is the mask
    of the vertices of finite value without a counter.
    """
    value = int(claims.grundy[vertex])
    options = list(_options_to_undo(graph, claims, vertex))
    if not all(_leads_to(graph, claims, option, value) for option in options):
        return None
    for option in options:
        if graph.sums is None or not graph.sums[option]:
            row = graph.option_rows.row(option)
            replies = row[claims.grundy[row] == value]
            if uncounted[replies].all():
                return int(replies[0])
    return None


def _options_to_undo(graph: GameGraph, claims: Claims, vertex: int) -> Iterator[int]:
    """Yield the options of a position of finite value that need a reply by condition 2 of the module."""
    value, row = int(claims.grundy[vertex]), graph.option_rows.row(vertex)
    for option in row[(claims.grundy[row] < 0) | (claims.grundy[row] > value)].tolist():
        is_end = not graph.out_degrees[option] and (graph.sums is None or not graph.sums[option])
        if not is_end or value == claims.terminal:
            yield option


def _larger_options(graph: GameGraph, claims: Claims) -> np.ndarray:
    """Return, for each vertex u, how many moves need a reply by condition 2 of the module; 0 without a finite value.

    These are the moves to options of larger value, or without a value. But a move to a terminal position needs no reply
    if terminal positions have another value than u. A move to a sum vertex needs none if the sum's value shows that a
    reply restores the value of u. Other moves to terminal positions and sums are counted, but never get a reply:
    :func:`counted` leaves u out, and :func:`_uncounted` reports the value of u as wrong.
    """
    grundy, members, is_sum = claims.grundy, _members(claims), sum_mask(graph)
    to_undo = np.zeros(len(grundy), np.int32)
    for block in blocks(graph.option_rows, np.flatnonzero((grundy >= 0) & ~is_sum)):
        own, theirs = grundy[block.vertices][block.owner], grundy[block.option]
        ends = (graph.out_degrees[block.option] == 0) & ~is_sum[block.option] & (own != claims.terminal)
        larger = ((theirs < 0) | (theirs > own)) & ~ends
        # Finite values cannot be encoded: np.minimum replaces them, and (theirs < -1) masks the result.
        contains_own = (theirs < -1) & _among(members, _encoded(np.minimum(theirs, -2), own))
        larger &= ~(is_sum[block.option] & (contains_own | (theirs > own)))
        to_undo[block.vertices] = np.bincount(block.owner[larger], minlength=len(block.vertices))
    return to_undo


@compiled
def _count(
    pointers: np.ndarray,
    predecessors: np.ndarray,
    grundy: np.ndarray,
    by_value: np.ndarray,
    starts: np.ndarray,
    waits: np.ndarray,
    undone: np.ndarray,
    queue: np.ndarray,
) -> int:
    """Fill ``queue`` with the vertices that :func:`counted` returns, in this order; return their number.

    For each vertex u in the queue, and each move from u that ``waits`` counts, a reply leads to a vertex before u.

    ``predecessors[pointers[v]:pointers[v + 1]]`` are the positions with a move to v. ``grundy`` has the claimed values,
    negative if not finite. ``by_value[starts[k]:starts[k + 1]]`` are the vertices of value k. ``waits`` is the result
    of :func:`_larger_options`, and is changed. ``undone`` is working memory; it must have -1 for each vertex.
    """
    # A breadth-first search for each value. The vertices in queue[:counted] are processed. Those in
    # queue[counted:ready] have this value, and all their moves to larger values can be undone. waits[u] is the number
    # of moves from u to larger values that no reply to a processed vertex undoes yet.
    counted = 0
    for value in range(len(starts) - 1):
        ready = counted
        for k in range(starts[value], starts[value + 1]):
            if waits[by_value[k]] == 0:
                queue[ready] = by_value[k]
                ready += 1
        while counted < ready:
            w = queue[counted]
            counted += 1
            # w has the value ``value`` and is now processed. If u has this value too, and v has a larger value or no
            # finite value, the move v -> w undoes the move u -> v.
            for entry in range(pointers[w], pointers[w + 1]):
                v = predecessors[entry]
                # Skip v if moves to it need no reply, because its value is finite and not larger. Skip it also if an
                # earlier reply from v was counted: one reply undoes all moves to v.
                if undone[v] == value or 0 <= grundy[v] <= value:
                    continue
                undone[v] = value
                for before in range(pointers[v], pointers[v + 1]):
                    u = predecessors[before]
                    if grundy[u] == value:
                        waits[u] -= 1
                        if waits[u] == 0:
                            queue[ready] = u
                            ready += 1
    return counted


def _value(claims: Claims, vertex: int) -> Value:
    return claims.codes.decode([int(claims.grundy[vertex])])[0]


def _finite_options(graph: GameGraph, claims: Claims, vertex: int) -> np.ndarray:
    theirs = claims.grundy[graph.option_rows.row(vertex)]
    finite: np.ndarray = theirs[theirs >= 0]
    return finite


def _why_sum(graph: GameGraph, claims: Claims, vertex: int) -> str:
    parts = graph.option_rows.row(vertex)
    for part in parts[claims.grundy[parts] == -1][:1]:
        return Message("the part {part} has no value", position_text(graph, part))
    return Message("the xor of the parts' values is {total}", _total(graph, claims, vertex))


def _why_value(graph: GameGraph, claims: Claims, vertex: int) -> str:
    finite, row = _finite_options(graph, claims, vertex), graph.option_rows.row(vertex)
    if claims.grundy[vertex] < -1:
        for option in row[claims.grundy[row] == -1][:1]:
            return Message("the option {option} has no value", position_text(graph, option))
        return Message("the finite values of the options are {values}", shown_values(finite))
    if not len(row):
        return why_end(claims, int(claims.grundy[vertex]))
    return Message("the mex of the options' finite values {values} is {mex}", shown_values(finite), mex_of(finite))


def _why_not_endless(graph: GameGraph, claims: Claims, vertex: int) -> str:
    return Message(
        "each option of infinite value has an option of value {mex}, so the position has the value {mex} if the other "
        "values are right",
        mex=mex_of(_finite_options(graph, claims, vertex)),
    )


def _why_uncounted(graph: GameGraph, claims: Claims, vertex: int) -> str:
    value = int(claims.grundy[vertex])
    for option in _options_to_undo(graph, claims, vertex):
        if value == claims.terminal and not graph.out_degrees[option]:
            return Message("the option {option} has the same value", position_text(graph, option))
        if not _leads_to(graph, claims, option, value):
            return Message(
                "no option of {option} is listed with the value {value}", position_text(graph, option), value
            )
    return Message(
        "the replies that restore the value after moves to larger values lead around a cycle, so they prove nothing"
    )


def _leads_to(graph: GameGraph, claims: Claims, option: int, value: int) -> bool:
    """Return True if the claims show that ``option`` has an option of this value."""
    if graph.sums is None or not graph.sums[option]:
        return bool((claims.grundy[graph.option_rows.row(option)] == value).any())
    if claims.grundy[option] == -1:
        return False
    theirs = _value(claims, option)
    return value in theirs.finite if isinstance(theirs, Loopy) else value < int(claims.grundy[option])
