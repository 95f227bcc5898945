"""Which claims about values are justified by those about options, as :mod:`.verification` states.

Nothing here is shared with the solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.errors import Message, shorten
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.rows import Rows
from graphgame.solution.results import ValueCodes

_EDGES_AT_A_TIME = 1 << 20
_VERTICES_AT_A_TIME = 1 << 20
_LARGEST = 2**31 - 1
_SHOWN_VALUES = 12


class Claims(NamedTuple):
    """What is claimed of each vertex: -1 or an empty text where nothing is.

    Attributes
    ----------
    grundy : ndarray of int32
        -2 or less where an infinite value is claimed.
    outcome : ndarray of str
    remoteness : ndarray of int32
    terminal : {0, 1}
        The value of a position without options.
    codes : ValueCodes
        What the values of -2 and less mean.
    """

    grundy: np.ndarray
    outcome: np.ndarray
    remoteness: np.ndarray
    terminal: int
    codes: ValueCodes

    @classmethod
    def nothing(cls, size: int, terminal: int) -> Claims:
        """Return the claims that say nothing of so many vertices."""
        numbers = np.full((2, size), -1, np.int32)
        return cls(numbers[0], np.full(size, "", "<U1"), numbers[1], terminal, ValueCodes())


class Block(NamedTuple):
    """Some vertices and their options: option e belongs to ``vertices[owner[e]]``."""

    vertices: np.ndarray
    owner: np.ndarray
    option: np.ndarray


def unjustified(graph: GameGraph, claims: Claims, *, remoteness: bool) -> np.ndarray:
    """Mark the vertices whose row does not follow from the rows of their options.

    With the remoteness, every vertex must have a value. One look at each edge out of a vertex that has a row, and at
    those out of an option that has none.
    """
    known = np.flatnonzero(claims.grundy >= 0)
    is_sum = np.zeros(len(graph), np.bool_) if graph.sums is None else graph.sums
    wrong: np.ndarray = (claims.grundy >= 0) & _contradicted(claims)
    for block in blocks(graph.option_rows, known[~is_sum[known]]):
        wrong[block.vertices] |= _wrong_positions(graph, claims, block)
        if remoteness:
            wrong[block.vertices] |= wrong_lengths(claims, block)
    for block in blocks(graph.option_rows, known[is_sum[known]]):
        wrong[block.vertices] |= _wrong_sums(claims, block)
    return wrong


def why_unjustified(graph: GameGraph, claims: Claims, vertex: int) -> str:
    """Say why the row of a vertex is not justified, given that the rows below it are."""
    if graph.sums is not None and graph.sums[vertex]:
        why = _why_sum(graph, claims, vertex)
    else:
        why = _why_position(graph, claims, vertex)
    value, outcome = int(claims.grundy[vertex]), str(claims.outcome[vertex])
    if why:
        return Message("value {value}, but {why}", value, why)
    if _contradicted(claims)[vertex]:
        return Message(
            "outcome {outcome}, but a position of value {value} is {right}", outcome, value, "N" if value else "P"
        )
    return why_length(graph, claims, vertex)


def _contradicted(claims: Claims) -> np.ndarray:
    """Mark the vertices whose outcome is given and does not fit the value."""
    expected = np.where(claims.grundy == 0, "P", "N")
    return (claims.outcome != "") & (claims.outcome != expected)  # type: ignore[no-any-return]


def _why_sum(graph: GameGraph, claims: Claims, vertex: int) -> str:
    parts, times = np.unique(graph.option_rows.row(vertex), return_counts=True)
    odd = parts[times % 2 == 1]
    values = claims.grundy[odd]
    if (values < 0).any():
        return Message("its part {part} has no value", position_text(graph, odd[values < 0][0]))
    total = int(np.bitwise_xor.reduce(values)) if len(values) else 0
    return "" if total == claims.grundy[vertex] else Message("the xor of its parts' values is {total}", total)


def _why_position(graph: GameGraph, claims: Claims, vertex: int) -> str:
    value, row = int(claims.grundy[vertex]), graph.option_rows.row(vertex)
    theirs = claims.grundy[row]
    if len(row) == 0:
        return "" if value == claims.terminal else why_end(claims, value)
    least = mex_of(theirs)
    end = (
        ""
        if (theirs < 0).any()
        else Message("; the mex of its options' values {theirs} is {least}", shown_values(theirs), least)
    )
    if (theirs == value).any():
        return Message(
            "its option {option} has that value too{end}", position_text(graph, row[theirs == value][0]), end
        )
    if least < value:
        return Message("no option has the value {least}{end}", least, end)
    for option in row[theirs < 0].tolist():
        if not _differs(graph, claims, np.array([option]), np.array([value]))[0]:
            name = position_text(graph, option)
            return Message(
                "its option {name} may have it too: it has no value, and no option of value {value}", name, value
            )
    return ""


def why_end(claims: Claims, value: int) -> str:
    """Say that a position without options has another value; and if it has this one under the other play, say so."""
    under = (
        Message(" ({value} under normal play)", value)
        if claims.terminal
        else Message(" ({value} under misère play)", value)
    )
    other = under if value == 1 - claims.terminal else ""
    return Message("it has no option, so its value is {terminal}{other}", claims.terminal, other)


def why_length(graph: GameGraph, claims: Claims, vertex: int) -> str:
    """Say why the remoteness of a vertex is wrong; an empty text where it is not."""
    row, length = graph.option_rows.row(vertex), int(claims.remoteness[vertex])
    if length < 0:
        return Message("it has no remoteness, though other positions have one")
    lost = claims.grundy[vertex] == 0
    chosen = row if lost else row[claims.grundy[row] == 0]
    lengths = claims.remoteness[chosen]
    if len(chosen) == 0:
        return Message("remoteness {length}, but the game is over there, so it is 0", length)
    if lost:
        return Message("remoteness {length}, but the longest resistance lasts {first}", length, lengths.max() + 1)
    return Message("remoteness {length}, but the fastest win takes {first}", length, lengths.min() + 1)


def mex_of(values: np.ndarray) -> int:
    """Return the least value that is missing."""
    present = np.zeros(len(values) + 1, np.bool_)
    present[values[(values >= 0) & (values < len(values))]] = True
    return int(np.argmin(present))


def position_text(graph: GameGraph, vertex: int) -> str:
    """Return a position as it stands in a reason."""
    return shorten(graph.labels[int(vertex)])


def shown_values(values: np.ndarray) -> str:
    """Return a set of values as it stands in a reason."""
    distinct = np.unique(values)
    shown = ", ".join(map(str, distinct[:_SHOWN_VALUES].tolist()))
    return f"{{{shown}{', ...' if len(distinct) > _SHOWN_VALUES else ''}}}"


def blocks(rows: Rows, vertices: np.ndarray) -> Iterator[Block]:
    """Yield vertices with their options, a bounded number at a time."""
    for start in range(0, len(vertices), _VERTICES_AT_A_TIME):
        yield from _some_blocks(rows, vertices[start : start + _VERTICES_AT_A_TIME])


def _some_blocks(rows: Rows, vertices: np.ndarray) -> Iterator[Block]:
    ends = np.cumsum(rows.pointers[vertices + 1] - rows.pointers[vertices] + 1)
    start = 0
    while start < len(vertices):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + _EDGES_AT_A_TIME, "right")))
        yield Block(vertices[start:stop], *rows.gather(vertices[start:stop]))
        start = stop


def _wrong_positions(graph: GameGraph, claims: Claims, block: Block) -> np.ndarray:
    value, degree = claims.grundy[block.vertices], graph.out_degrees[block.vertices]
    wrong: np.ndarray = np.where(degree == 0, value != claims.terminal, value > degree)
    smaller = np.where(wrong | (degree == 0), 0, value).astype(np.int64)
    own, theirs = value[block.owner], claims.grundy[block.option]
    wrong[block.owner[own == theirs]] = True
    occurs = np.zeros(smaller.sum(), np.bool_)
    counts = (theirs >= 0) & (theirs < smaller[block.owner])
    occurs[(np.cumsum(smaller) - smaller)[block.owner[counts]] + theirs[counts]] = True
    wrong[np.repeat(np.arange(len(value)), smaller)[~occurs]] = True
    unknown = np.flatnonzero(theirs < 0)
    if len(unknown):
        refuted = _differs(graph, claims, block.option[unknown], own[unknown])
        wrong[block.owner[unknown[~refuted]]] = True
    return wrong


def _differs(graph: GameGraph, claims: Claims, vertices: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Tell which vertices without a row are known not to have these values."""
    pairs, inverse = np.unique(vertices.astype(np.int64) << 31 | values, return_inverse=True)
    vertex, value = pairs >> 31, pairs & _LARGEST
    differs = (graph.out_degrees[vertex] == 0) & (value != claims.terminal)
    start = 0
    for block in blocks(graph.option_rows, vertex):
        hits = claims.grundy[block.option] == value[start + block.owner]
        differs[start + block.owner[hits]] = True
        start += len(block.vertices)
    if graph.sums is not None:
        differs &= ~graph.sums[vertex]
    of_all: np.ndarray = differs[inverse]
    return of_all


def _wrong_sums(claims: Claims, block: Block) -> np.ndarray:
    wrong = np.zeros(len(block.vertices), np.bool_)
    total = np.zeros(len(block.vertices), np.int32)
    changes = (block.owner[1:] != block.owner[:-1]) | (block.option[1:] != block.option[:-1])
    first = np.flatnonzero(np.concatenate([np.ones(min(1, len(block.owner)), np.bool_), changes]))
    odd = first[np.diff(np.append(first, len(block.owner))) % 2 == 1]
    owner, value = block.owner[odd], claims.grundy[block.option[odd]]
    wrong[owner[value < 0]] = True
    np.bitwise_xor.at(total, owner, value)
    wrong |= total != claims.grundy[block.vertices]
    return wrong


def wrong_lengths(claims: Claims, block: Block) -> np.ndarray:
    """Tell where the remoteness is not 1 more than the loser's longest, or the winner's shortest option's."""
    length, lost = claims.remoteness[block.vertices], claims.grundy[block.vertices] == 0
    theirs = claims.remoteness[block.option]
    chosen = lost[block.owner] | (claims.grundy[block.option] == 0)
    signed = np.where(lost[block.owner], theirs, -theirs)[chosen]
    best = np.full(len(length), -_LARGEST, np.int32)
    np.maximum.at(best, block.owner[chosen], signed)
    expected = np.where(best == -_LARGEST, 0, np.where(lost, best, -best) + 1)
    wrong: np.ndarray = (length < 0) | (length != expected)
    wrong[block.owner[chosen & (theirs < 0)]] = True
    return wrong


class Play(NamedTuple):
    """A solved game, in an order in which options come before the positions that move to them."""

    order: Array
    """The vertices in this order; in a loopy graph it is that of a counter function."""

    rank: Array
    """The place of each vertex in the order."""

    pointers: Array
    """Where the options of each vertex begin."""

    indices: Array
    """The options, vertex by vertex."""

    sums: Array
    """Whether a vertex is a sum."""

    grundy: Array
    """The value of each vertex."""

    loopy: bool
    """Whether the graph may have cycles."""


class Marks(NamedTuple):
    """What is found for each vertex, and room to find it in."""

    needed: Array
    """Whether its value must be proved."""

    sole: Array
    """Whether it has no substitute."""

    chosen: Array
    """Whether it proves others."""

    head: Array
    """Its last link, or -1."""

    met: Array
    """The last value that it was shown not to have."""

    last: Array
    """For each value -1, 0, 0: the first option of it in the order, how many there are, and how many are needed."""


@inlined
def _is_met(owner: int, value: int, before: int, play: Play, chosen: Array) -> bool:
    """Tell whether an option of this value and lower rank is chosen, or the owner; ``-1 - owner`` asks for options."""
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
    """Write down a demand at its last candidate; return how many there are."""
    links[used, 0], links[used, 1], links[used, 2], links[used, 3] = head[candidate], owner, value, before
    head[candidate] = used
    return used + 1


@inlined
def _demand_parts(parts: Array, needed: Array) -> None:
    """Need each part that stands in a sum an odd number of times; equal parts lie side by side."""
    first = 0
    for i in range(len(parts)):
        if i + 1 == len(parts) or parts[i + 1] != parts[i]:
            if (i + 1 - first) & 1:
                needed[parts[i]] = True
            first = i + 1


@inlined
def _demand_smaller(vertex: int, options: Array, value: int, play: Play, marks: Marks, links: Array, used: int) -> int:
    """Demand an option of each smaller value."""
    grundy, rank, needed, last = play.grundy, play.rank, marks.needed, marks.last
    for u in options:
        k = grundy[u]
        if 0 <= k < value:
            if last[k, 0] < 0 or rank[u] < rank[last[k, 0]]:
                last[k, 0] = u
            last[k, 1] += 1
            last[k, 2] += needed[u]
    for k in range(value):
        u, candidates, met = last[k, 0], last[k, 1], last[k, 2]
        last[k, 0], last[k, 1], last[k, 2] = -1, 0, 0
        if candidates == 1:
            needed[u] = marks.sole[u] = True
        elif not met:
            used = _link(links, used, marks.head, u, -1 - vertex, k, rank[vertex])
    return used


@compiled
def choose(play: Play, marks: Marks, links: Array, at: int, used: int) -> tuple[int, int]:
    """Go on from a place in the order of play down to 0; return the place where the links ran out, or -1, and how many.

    A link is a demand: the one before it for the same vertex, its owner, a value, and the rank to stay below. In a
    loopy graph a larger value is no proof that a move can be undone, and the options of sums and of infinite values are
    needed already.
    """
    order, rank, pointers, indices, sums, grundy, loopy = play
    needed, sole, chosen, head, met, _ = marks
    while at >= 0:
        v = order[at]
        options = indices[pointers[v] : pointers[v + 1]]
        if used + 2 * len(options) > len(links):  # at most one demand for an option's value and one for its reply
            break
        at -= 1
        # All that stand before it in play are decided: what still lacks an answer gets it here, at its last candidate.
        link = head[v]
        while not needed[v] and link >= 0:
            owner, value, before = links[link, 1], links[link, 2], links[link, 3]
            if not _is_met(owner, value, before, play, chosen):
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
        # An option shows that it has another value by its own, or by a reply of this one; an end shows it by itself.
        for u in options:
            if pointers[u] == pointers[u + 1] and not sums[u]:
                continue
            if not loopy and (needed[u] or met[u] == value):
                continue
            met[u] = value
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
    return at, used
