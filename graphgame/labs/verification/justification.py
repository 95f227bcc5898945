"""Check each claim about a value against the claims about the options; choose a minimal set of claims.

:mod:`.verification` states when a claim is justified. The first half of this module checks that, on arrays. The second
half is the compiled loop that chooses a certificate for :mod:`.certification`.

No code here is shared with the solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined, runner
from graphgame.errors import Message, joined, plural, shorten
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.rows import Rows, marked
from graphgame.solution.results import ValueCodes

_EDGES_AT_A_TIME = 1 << 20
_VERTICES_AT_A_TIME = 1 << 20
LARGEST_INT32 = 2**31 - 1
_SHOWN_VALUES = 12


class Claims(NamedTuple):
    """The claimed value, outcome and remoteness of each vertex.

    Attributes
    ----------
    grundy : ndarray of int32
        The value; -1 if none is claimed, and -2 or less for values that are not integers.
    outcome : ndarray of str
        "P", "N" or "D" (a draw); empty if none is claimed.
    remoteness : ndarray of int32
        The remoteness; -1 if none is claimed.
    terminal : {0, 1}
        The value of a terminal position: 0 under normal play, 1 under misère play.
    codes : ValueCodes
        The meaning of values of -2 and less.
    """

    grundy: np.ndarray
    outcome: np.ndarray
    remoteness: np.ndarray
    terminal: int
    codes: ValueCodes

    @classmethod
    def nothing(cls, size: int, terminal: int) -> Claims:
        """Return claims for ``size`` vertices that claim no value, outcome or remoteness."""
        numbers = np.full((2, size), -1, np.int32)
        return cls(numbers[0], np.full(size, "", "<U1"), numbers[1], terminal, ValueCodes())


class Results(NamedTuple):
    """The value and the remoteness of each vertex: two arrays of int32, in which -1 means that there is none."""

    grundy: Array
    remoteness: Array


class Block(NamedTuple):
    """Some vertices and all their options: ``option[e]`` is an option of ``vertices[owner[e]]``."""

    vertices: np.ndarray
    owner: np.ndarray
    option: np.ndarray


def unjustified(graph: GameGraph, claims: Claims, *, remoteness: bool) -> np.ndarray:
    """Return a mask of the vertices whose claims do not follow from the claims about their options.

    Vertices without a value are not marked. To check the remoteness, every vertex must have a value. The check looks
    once at each edge. If an option has no value, the check also looks at the option's edges, to see that the option
    cannot have the value of the vertex.
    """
    valued = claims.grundy >= 0
    grundy, lengths = worked_out(graph, claims)
    wrong: np.ndarray = valued & (_contradicted(claims) | (grundy != claims.grundy))
    if remoteness:
        wrong |= wrong_lengths(claims, lengths)
    elif not valued.all():
        for block in blocks(graph.option_rows, np.flatnonzero(valued & ~sum_mask(graph))):
            owner = block.vertices[block.owner]
            unvalued = claims.grundy[block.option] < 0
            differs = _differs(graph, claims, block.option[unvalued], claims.grundy[owner[unvalued]])
            wrong[owner[unvalued][~differs]] = True
    return wrong


def worked_out(graph: GameGraph, claims: Claims, order: np.ndarray | None = None) -> Results:
    """Return the value and the remoteness of each vertex, computed from the claims about its options.

    The value of a position is the mex of the claimed values of its options; negative values do not count. The value of
    a terminal position is ``claims.terminal``. The value of a sum is the xor of the claimed values of its parts, after
    equal parts have cancelled in pairs. It is -1 if a remaining part has no value.

    The remoteness of a terminal position, and of a sum, is 0. The remoteness of a position with the claimed value 0 is
    1 more than the largest claimed remoteness of its options. For any other position it is 1 more than the smallest
    claimed remoteness of its options with the claimed value 0, or 0 without such an option. It is -1 if one of these
    options has no remoteness, or if it would be above 2**31 - 1.

    ``order`` has all vertices, each after its options. With ``order``, the function uses the values and
    remotenesses that it has computed for the options instead of claims. Of ``claims`` it reads only ``terminal``.
    """
    rows, size = graph.option_rows, len(graph)
    results = Results(*np.full((2, size), -1, np.int32))
    known = results if order is not None else Results(claims.grundy, claims.remoteness)
    every = np.arange(size, dtype=np.int32) if order is None else order
    seen = np.zeros(int(graph.out_degrees.max(initial=0)) + 1, np.int64)
    run = runner(_work_out, len(rows.indices) + size)
    run(every, rows, sum_mask(graph), claims.terminal, known, seen, results)
    return results


@compiled
def _work_out(
    order: Array, rows: Rows, sums: Array, terminal: int, known: Results, seen: Array, results: Results
) -> None:
    """Compute ``results`` for the vertices, one after another in ``order``, as :func:`worked_out` describes.

    ``rows`` has the options of all vertices in CSR form, and ``sums`` marks the sum vertices. ``terminal`` is the value
    of a terminal position. The values and remotenesses of options are read from ``known``, which has the claimed ones,
    or is ``results`` itself. ``seen`` is working memory: zeros, one more of them than the largest number of options
    of a vertex.
    """
    pointers, options = rows
    values, lengths = known
    # seen[i] == k + 1 means that order[k] has an option of value i. So seen need not be cleared between vertices.
    # Values that are too large for seen are above every mex, and are ignored.
    size = len(seen)
    for k in range(len(order)):
        v = order[k]
        row = options[pointers[v] : pointers[v + 1]]
        value, length, unknown = 0, 0, 0
        if sums[v]:
            # Equal parts are adjacent. A run of an even number of equal parts cancels, even if the part has no value.
            first = 0
            for i in range(len(row)):
                if i + 1 == len(row) or row[i + 1] != row[i]:
                    if (i + 1 - first) & 1:
                        value ^= values[row[i]]
                        unknown += values[row[i]] < 0
                    first = i + 1
            results.grundy[v] = -1 if unknown else value
            results.remoteness[v] = 0
            continue
        # At an N-position the winner chooses the P-position with the least remoteness.
        for w in row:
            own = values[w]
            if own == 0:
                other = lengths[w] + 1
                unknown += other == 0
                if length == 0 or other < length:
                    length = other
            if 0 <= own < size:
                seen[own] = k + 1
        while value < size and seen[value] == k + 1:
            value += 1
        results.grundy[v] = value if len(row) else terminal
        # At a P-position the loser chooses the option with the greatest remoteness.
        if values[v] == 0:
            for w in row:
                other = lengths[w] + 1
                unknown += other == 0
                length = max(length, other)
        results.remoteness[v] = -1 if unknown or length > LARGEST_INT32 else length


def wrong_lengths(claims: Claims, lengths: np.ndarray) -> np.ndarray:
    """Return a mask of the vertices whose claimed remoteness is missing or wrong. ``lengths`` has the right ones."""
    return (claims.remoteness < 0) | (claims.remoteness != lengths)  # type: ignore[no-any-return]


def sum_mask(graph: GameGraph) -> np.ndarray:
    """Return a mask of the sum vertices."""
    return np.zeros(len(graph), np.bool_) if graph.sums is None else graph.sums


def why_unjustified(graph: GameGraph, claims: Claims, vertex: int) -> str:
    """Return why the claims about a vertex are not justified. The claims about all vertices below it must be right."""
    if graph.sums is not None and graph.sums[vertex]:
        why = _why_sum(graph, claims, vertex)
    else:
        why = _why_position(graph, claims, vertex)
    value, outcome = int(claims.grundy[vertex]), str(claims.outcome[vertex])
    if why:
        return Message("the value {value} is not justified: {reason}", value, why)
    if _contradicted(claims)[vertex]:
        return Message(
            "the outcome {outcome} is wrong: a position of value {value} is {right}",
            outcome,
            value,
            "N" if value else "P",
        )
    return why_length(graph, claims, vertex)


def _contradicted(claims: Claims) -> np.ndarray:
    """Return a mask of the vertices whose claimed outcome contradicts the claimed value.

    The right outcome is P for the value 0, and N for any other value and if no value is claimed. A vertex without a
    claimed outcome is not marked.
    """
    expected = np.where(claims.grundy == 0, "P", "N")
    return (claims.outcome != "") & (claims.outcome != expected)  # type: ignore[no-any-return]


def _why_sum(graph: GameGraph, claims: Claims, vertex: int) -> str:
    parts, times = np.unique(graph.option_rows.row(vertex), return_counts=True)
    odd = parts[times % 2 == 1]
    values = claims.grundy[odd]
    if (values < 0).any():
        return Message("the part {part} has no value", position_text(graph, odd[values < 0][0]))
    total = int(np.bitwise_xor.reduce(values)) if len(values) else 0
    return "" if total == claims.grundy[vertex] else Message("the xor of the parts' values is {total}", total)


def _why_position(graph: GameGraph, claims: Claims, vertex: int) -> str:
    value, row = int(claims.grundy[vertex]), graph.option_rows.row(vertex)
    theirs = claims.grundy[row]
    if len(row) == 0:
        return "" if value == claims.terminal else why_end(claims, value)
    least = mex_of(theirs)
    mex = Message("the mex of the options' values {values} is {mex}", shown_values(theirs), least)
    more = [] if (theirs < 0).any() else [mex]
    if (theirs == value).any():
        same = Message("the option {option} has the same value", position_text(graph, row[theirs == value][0]))
        return joined([same, *more])
    if least < value:
        return joined([Message("no option has the value {value}", least), *more])
    for option in row[theirs < 0].tolist():
        if not _differs(graph, claims, np.array([option]), np.array([value]))[0]:
            name = position_text(graph, option)
            return Message(
                "the option {option} may have the same value: neither this option nor one of its options with the "
                "value {value} is listed",
                name,
                value,
            )
    return ""


def why_end(claims: Claims, value: int) -> str:
    """Return why ``value`` is wrong for a terminal position; say so if it is right under the other play convention."""
    if value != 1 - claims.terminal:
        return Message("the position has no option, so its value is {value}", claims.terminal)
    if value:
        return Message("the position has no option, so its value is 0 (1 is its value under misère play)")
    return Message("the position has no option, so its value is 1 (0 is its value under normal play)")


def why_length(graph: GameGraph, claims: Claims, vertex: int) -> str:
    """Return why the remoteness of a vertex is wrong, if all values and the remotenesses of its options are right."""
    row, length = graph.option_rows.row(vertex), int(claims.remoteness[vertex])
    if length < 0:
        return Message("the position has no remoteness, although other positions have a remoteness")
    is_p = claims.grundy[vertex] == 0
    chosen = row if is_p else row[claims.grundy[row] == 0]
    lengths = claims.remoteness[chosen]
    if len(chosen) == 0:
        return Message(
            "the remoteness {length} is wrong: the game is over at this position, so its remoteness is 0", length
        )
    if is_p:
        return Message(
            "the remoteness {length} is wrong: by the options' remotenesses the longest resistance lasts {moves}",
            length,
            plural(int(lengths.max()) + 1, "move"),
        )
    return Message(
        "the remoteness {length} is wrong: by the options' remotenesses the fastest win takes {moves}",
        length,
        plural(int(lengths.min()) + 1, "move"),
    )


def mex_of(values: np.ndarray) -> int:
    """Return the least of 0, 1, 2, ... that is not among the values. Negative values do not count."""
    return int(np.argmin(marked(values[(values >= 0) & (values < len(values))], len(values) + 1)))


def position_text(graph: GameGraph, vertex: int) -> str:
    """Return the label of a vertex as text for a message: in quotes if it is a string, and shortened if it is long."""
    return shorten(graph.labels[int(vertex)])


def shown_values(values: np.ndarray) -> str:
    """Return text for a message such as "{0, 1, 4}": the distinct values, of which at most 12 are shown."""
    distinct = np.unique(values)
    shown = ", ".join(map(str, distinct[:_SHOWN_VALUES].tolist()))
    return f"{{{shown}{', ...' if len(distinct) > _SHOWN_VALUES else ''}}}"


def blocks(rows: Rows, vertices: np.ndarray) -> Iterator[Block]:
    """Divide ``vertices`` into blocks, and yield each block with all options of its vertices.

    ``rows`` has the options of all vertices of the graph. A block has at most 2**20 vertices and options together,
    unless it is a single vertex with more options.
    """
    for first in range(0, len(vertices), _VERTICES_AT_A_TIME):
        some, start = vertices[first : first + _VERTICES_AT_A_TIME], 0
        # Count one more than the options of a vertex, so that vertices without options fill a block too.
        ends = np.cumsum(rows.pointers[some + 1] - rows.pointers[some] + 1)
        while start < len(some):
            before = ends[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(ends, before + _EDGES_AT_A_TIME, "right")))
            yield Block(some[start:stop], *rows.gather(some[start:stop]))
            start = stop


def _differs(graph: GameGraph, claims: Claims, vertices: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return a mask: True at i if the claims prove that ``vertices[i]`` does not have the value ``values[i]``.

    No value is claimed for ``vertices[i]`` itself. A vertex does not have the value of any of its options, and a
    terminal position has only the terminal value. The mask is False for sum vertices: their parts prove nothing here.
    """
    # Many moves ask about the same (vertex, value): decide each pair once.
    pairs, inverse = np.unique(vertices.astype(np.int64) << 31 | values, return_inverse=True)
    vertex, value = pairs >> 31, pairs & LARGEST_INT32
    differs = (graph.out_degrees[vertex] == 0) & (value != claims.terminal)
    start = 0
    for block in blocks(graph.option_rows, vertex):
        hits = claims.grundy[block.option] == value[start + block.owner]
        differs[start + block.owner[hits]] = True
        start += len(block.vertices)
    if graph.sums is not None:
        # Edges of a sum lead to its parts, which are not options: they prove nothing here.
        differs &= ~graph.sums[vertex]
    of_each: np.ndarray = differs[inverse]
    return of_each


class Play(NamedTuple):
    """A solved game, with an order of its vertices."""

    order: Array
    """All vertices. Without cycles, options come before the positions that move to them. With cycles, the vertices of
    finite value come first, in the order of a counter function: if a move from u increases the value, a reply restores
    it at a vertex before u. Then come all other vertices."""

    rank: Array
    """The index of each vertex in ``order``."""

    pointers: Array
    """The options of vertex v are ``indices[pointers[v]:pointers[v + 1]]``."""

    indices: Array
    """The options of all vertices."""

    sums: Array
    """True for each sum vertex."""

    grundy: Array
    """The value of each vertex. For a vertex that must not be chosen, a number above all values instead."""

    loopy: bool
    """True if the graph may have cycles."""


class Marks(NamedTuple):
    """The results of ``choose`` for each vertex, and the working memory of ``choose``."""

    needed: Array
    """True for each vertex that the certificate must contain, as far as the loop knows."""

    sole: Array
    """True for each vertex that is the only candidate of some demand, so that no other vertex could replace it."""

    chosen: Array
    """True for each vertex that the loop has put into the certificate."""

    head: Array
    """For each vertex, the latest demand that has this vertex as its last candidate: its row in ``links``, or -1."""

    excluded: Array
    """For each vertex u, the last value k for which the loop has demanded a proof that u does not have k, or -1."""

    by_value: Array
    """Working memory for the options of one vertex: a row of three numbers for each value. They are the option of this
    value that is first in the order (-1 if none), the number of options of this value, and how many of these are
    needed. Between two vertices every row is -1, 0, 0."""


@inlined
def _is_fulfilled(owner: int, value: int, before: int, play: Play, chosen: Array) -> bool:
    """Return True if a chosen vertex fulfils the demand (``owner``, ``value``, ``before``).

    If ``owner`` is not negative, the vertex ``owner`` fulfils the demand. So does each of its options whose value
    is ``value`` and whose index in ``play.order`` is below ``before``. If ``owner`` is negative, only options fulfil
    the demand: those of the vertex -1 - ``owner``.
    """
    if owner >= 0 and chosen[owner]:
        return True
    vertex = owner if owner >= 0 else -1 - owner
    for entry in range(play.pointers[vertex], play.pointers[vertex + 1]):
        w = play.indices[entry]
        if play.grundy[w] == value and play.rank[w] < before and chosen[w]:
            return True
    return False


@inlined
def _link(links: Array, used: int, head: Array, candidate: int, owner: int, value: int, before: int) -> int:
    """Write a demand to row ``used`` of ``links``, and return ``used + 1``, the new number of demands.

    ``candidate`` is the demand's last candidate. The row gets four numbers: the old ``head[candidate]`` (the row of the
    previous demand with this last candidate), ``owner``, ``value`` and ``before``; see :func:`_is_fulfilled`. Then
    ``head[candidate]`` becomes ``used``.
    """
    links[used, 0], links[used, 1], links[used, 2], links[used, 3] = head[candidate], owner, value, before
    head[candidate] = used
    return used + 1


@inlined
def _demand_parts(parts: Array, needed: Array) -> None:
    """Mark as needed each part that occurs in a sum an odd number of times. Equal parts must be adjacent."""
    first = 0
    for i in range(len(parts)):
        if i + 1 == len(parts) or parts[i + 1] != parts[i]:
            if (i + 1 - first) & 1:
                needed[parts[i]] = True
            first = i + 1


@inlined
def _demand_smaller(vertex: int, options: Array, value: int, play: Play, marks: Marks, links: Array, used: int) -> int:
    """Demand one of the vertex's options of value k, for each k below ``value``; return the new number of demands.

    ``value`` is the vertex's value (0 for a terminal position). If only one option has the value k, mark this option as
    needed and sole, and demand nothing for k. If an option of value k is needed already, demand nothing for k either.
    ``links`` has ``used`` demands before the call.
    """
    grundy, rank, needed, by_value = play.grundy, play.rank, marks.needed, marks.by_value
    for u in options:
        k = grundy[u]
        if 0 <= k < value:
            if by_value[k, 0] < 0 or rank[u] < rank[by_value[k, 0]]:
                by_value[k, 0] = u
            by_value[k, 1] += 1
            by_value[k, 2] += needed[u]
    for k in range(value):
        u, candidates, already_needed = by_value[k, 0], by_value[k, 1], by_value[k, 2]
        by_value[k, 0], by_value[k, 1], by_value[k, 2] = -1, 0, 0
        # A single candidate is needed in any case: mark it now. If one of several candidates is needed already, there
        # is nothing to do.
        if candidates == 1:
            needed[u] = marks.sole[u] = True
        elif not already_needed:
            used = _link(links, used, marks.head, u, -1 - vertex, k, rank[vertex])
    return used


@compiled
def choose(play: Play, marks: Marks, links: Array, index: int, used: int) -> tuple[int, int]:
    """Choose vertices: visit ``play.order`` from ``index`` down to 0, and mark vertices in ``marks.chosen``.

    ``used`` is the number of demands in ``links``. Return the pair (index, used) after the loop. If the index is -1,
    all vertices were visited. Otherwise ``links`` is full: enlarge it, and call again with this index and ``used``.

    A row of ``links`` is a demand. Its candidates are the vertices that can fulfil it; its last candidate is the one
    that the loop visits last. The row has four numbers: the row of the previous demand with the same last candidate, or
    -1, and the arguments ``owner``, ``value`` and ``before`` of :func:`_is_fulfilled`.
    """
    # The loop goes backwards through the order. In a graph without cycles it reaches positions before their options. A
    # demand waits at the candidate that the loop reaches last. If no other candidate was chosen by then, this one must
    # be chosen. So each chosen vertex has a demand that no other chosen vertex fulfils, and none can be left out.
    #
    # Two things differ in a graph with cycles: a larger value does not prove that a move can be undone, and the caller
    # has marked the options of sums and of infinite values as needed.
    order, rank, pointers, indices, sums, grundy, loopy = play
    needed, sole, chosen, head, excluded, _ = marks
    while index >= 0:
        v = order[index]
        options = indices[pointers[v] : pointers[v + 1]]
        # Each option adds at most two demands: one for its value, and one for the reply to it. Stop if ``links`` may
        # have no room for them.
        if used + 2 * len(options) > len(links):
            break
        index -= 1
        # No demand is added to v's list any more: a demand waits at a vertex that the loop visits after the position
        # whose demand it is. If a demand in the list is not fulfilled yet, v is needed.
        link = head[v]
        while not needed[v] and link >= 0:
            owner, value, before = links[link, 1], links[link, 2], links[link, 3]
            if not _is_fulfilled(owner, value, before, play, chosen):
                needed[v] = True
            link = links[link, 0]
        if not needed[v]:
            continue
        chosen[v] = True
        if sums[v] or grundy[v] < 0:
            if not loopy:
                _demand_parts(options, needed)
            continue
        value = grundy[v] if len(options) else 0
        used = _demand_smaller(v, options, value, play, marks, links, used)
        # Prove that no option u has the value of v. Either u is chosen, which shows its own value, or some option of u
        # with the value of v is chosen. A terminal position shows its value without being chosen.
        for u in options:
            if pointers[u] == pointers[u + 1] and not sums[u]:
                continue
            # Without cycles, skip u if it is needed already, or if an earlier demand asks for the same proof.
            if not loopy and (needed[u] or excluded[u] == value):
                continue
            excluded[u] = value
            # ``shows`` is True if choosing u would fulfil the demand.
            shows = not loopy or sums[u] or 0 <= grundy[u] < value
            candidate, candidates = u if shows else -1, int(shows)
            for entry in range(pointers[u], pointers[u + 1]):
                w = indices[entry]
                if not sums[u] and grundy[w] == value:
                    candidates += 1
                    if rank[w] < rank[v] and (candidate < 0 or rank[w] < rank[candidate]):
                        candidate = w
            if candidates == 1:
                needed[candidate] = sole[candidate] = True
            elif not (shows and needed[u]):
                used = _link(links, used, head, candidate, u if shows else -1 - u, value, rank[v])
    return index, used
