"""Which claims about values are right in a graph with cycles, by the three conditions of the theory.

Values are right exactly when, for every position u,

- a finite value m of u is the mex of the finite values of its options;
- if u has a finite value m, every option of a larger value, infinite ones included, has an option w of value m that
  comes before u, c(w) < c(u), for one counter function c on the positions of finite value;
- if u has the infinite value inf(K), then K is the set of the finite values of its options, and some option is infinite
  without mex(K) among the finite values of its own options.

A sum vertex that lies on no cycle has the value of the sum of its parts. Where these are right it is as good as an
option that is known: one of value inf(K) has an option of each value in K, one of the finite value n of each below n.

Fewer values may prove each other as well. Then an option that has none counts among those of larger values in the
second condition, and all options of a position of infinite value have values. Proof: let u have the finite value m
among them, and play the sum of u and a heap of m. A move to a smaller value, known to be one, or of the heap to a
smaller size, is answered by a move that makes both equal again; any other by the option w. The size falls, or c does,
so that the player to move loses, which means that u has the value m. To a position of infinite value its options of
finite value are heaps, and the others lie with it in a graph in which all values are claimed.

The counter function is the certificate that the second condition does not argue in a circle. It is found here, value
by value: a position is counted once all its moves to larger values can be undone to positions counted before. It exists
exactly when every position of finite value gets counted. Under misère play a position without options has the value 1,
and a move to it need not be undone.

Nothing here is shared with the solver but the arithmetic of infinite values
(:class:`graphgame.solution.results.Loopy`).

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
from graphgame.errors import Message, OptionError
from graphgame.graph.components import on_cycles, strong
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.rows import Rows
from graphgame.labs.verification.justification import (
    Block,
    Claims,
    blocks,
    mex_of,
    position_text,
    shown_values,
    why_end,
    why_length,
    wrong_lengths,
)
from graphgame.solution.results import Loopy, Value, outcome_of

_SHIFT = 32


def loopy_fault(graph: GameGraph, claims: Claims, *, remoteness: bool) -> tuple[int, str] | None:
    """Return a vertex whose value, outcome or remoteness is wrong, and why; None where all are right.

    The graph's sum vertices lie on no cycle; the remoteness is not that of a graph with such.

    The first and the third condition need one look at each edge; the counter function is looked for where they hold,
    with one look at each edge for every value among the options of its end.
    """
    stages = (
        (_wrong_sums, _why_sum),
        (_wrong_values, _why_value),
        (_answered, _why_answered),
        (_uncounted, _why_uncounted),
        (_wrong_outcomes, _why_outcome),
        *([(_wrong_remoteness, _why_remoteness)] if remoteness else []),
    )
    for find, why in stages:
        wrong = find(graph, claims)
        if wrong.any():
            vertex = int(np.argmax(wrong))
            return vertex, why(graph, claims, vertex)
    return None


def refuse_sums_on_cycles(graph: GameGraph, wish: str) -> None:
    """Raise OptionError where play can come back to a sum vertex; ``wish`` is what to do with the product instead."""
    if graph.sums is None:
        return
    cyclic = graph.sums & on_cycles(graph, strong(graph)[1])
    if cyclic.any():
        raise OptionError(
            "the sum {sum} lies on a cycle, so that its value does not follow from those of its "
            "parts: {wish} the product, the graph of whole positions",
            position_text(graph, int(np.argmax(cyclic))),
            wish,
        )


def _outcomes(claims: Claims) -> np.ndarray:
    outcomes = np.where(claims.grundy == 0, "P", "N")
    infinite = claims.grundy < -1
    kinds = np.array([kind.outcome for kind in claims.codes] or ["D"])
    outcomes[infinite] = kinds[-2 - claims.grundy[infinite]]
    return outcomes


def _wrong_outcomes(graph: GameGraph, claims: Claims) -> np.ndarray:
    wrong: np.ndarray = (claims.outcome != "") & (claims.outcome != _outcomes(claims))
    return wrong


def _wrong_remoteness(graph: GameGraph, claims: Claims) -> np.ndarray:
    draws = _outcomes(claims) == "D"
    wrong: np.ndarray = draws & (claims.remoteness >= 0)
    for block in blocks(graph.option_rows, np.flatnonzero(~draws)):
        wrong[block.vertices] = wrong_lengths(claims, block)
    return wrong


def _wrong_sums(graph: GameGraph, claims: Claims) -> np.ndarray:
    """Mark the sum vertices whose value is not that of the sum of their parts."""
    wrong = np.zeros(len(graph), np.bool_)
    for vertex in _sums(graph).tolist():
        if claims.grundy[vertex] != -1:
            wrong[vertex] = _total(graph, claims, vertex) != _value(claims, vertex)
    return wrong


def _sums(graph: GameGraph) -> np.ndarray:
    return np.zeros(0, np.int64) if graph.sums is None else np.flatnonzero(graph.sums)


def _positions(graph: GameGraph, claims: Claims) -> np.ndarray:
    """Return the positions that have a value."""
    known = claims.grundy != -1
    known[_sums(graph)] = False
    return np.flatnonzero(known)


def _total(graph: GameGraph, claims: Claims, vertex: int) -> int | Loopy | None:
    """Return the value of the sum of the parts; None where one has no value."""
    parts = claims.grundy[graph.option_rows.row(vertex)].tolist()
    return None if -1 in parts else reduce(xor, claims.codes.decode(parts), 0)


def _wrong_values(graph: GameGraph, claims: Claims) -> np.ndarray:
    """Mark where a value is not the mex, or an infinite one does not hold the finite values of the options."""
    members, wrong = _members(claims), np.zeros(len(graph), np.bool_)
    kind_size = np.zeros(len(claims.codes) or 1, np.int64)
    for number, kind in _infinite(claims):
        kind_size[number] = len(kind.finite)
    for block in blocks(graph.option_rows, _positions(graph, claims)):
        value = claims.grundy[block.vertices]
        owner, held = _finite_pairs(claims, block)
        infinite, size = value < 0, np.bincount(owner, minlength=len(value))
        here: np.ndarray = ~infinite & (value != _mex(graph, claims, block))
        here[infinite] = size[infinite] != kind_size[-2 - value[infinite]]
        owner, held = owner[infinite[owner]], held[infinite[owner]]
        here[owner[~_among(members, _holds(value[owner], held))]] = True
        unknown = block.owner[claims.grundy[block.option] == -1]
        here[unknown[infinite[unknown]]] = True
        wrong[block.vertices] = here
    return wrong


def _answered(graph: GameGraph, claims: Claims) -> np.ndarray:
    """Mark where a value is infinite although each infinite option has an option of the value that is the mex."""
    members, answered = _members(claims), claims.grundy < -1
    answered[_sums(graph)] = False
    for block in blocks(graph.option_rows, np.flatnonzero(answered)):
        chosen = np.flatnonzero(claims.grundy[block.option] < -1)
        owner, option = block.owner[chosen], block.option[chosen]
        ends = _holds(claims.grundy[option], _mex(graph, claims, block)[owner])
        answered[block.vertices[owner[~_among(members, ends)]]] = False
    return answered


def _members(claims: Claims) -> np.ndarray:
    """Return what the infinite values hold, increasing: the number of the value, shifted, and a finite value in it."""
    pairs = [number << _SHIFT | value for number, kind in _infinite(claims) for value in kind.finite]
    return np.array(sorted(pairs), np.int64)


def _infinite(claims: Claims) -> Iterator[tuple[int, Loopy]]:
    return ((number, kind) for number, kind in enumerate(claims.codes) if isinstance(kind, Loopy))


def _holds(infinite: np.ndarray, finite: np.ndarray) -> np.ndarray:
    """Return what stands in the members where these infinite values hold these finite ones."""
    pairs: np.ndarray = (-2 - infinite).astype(np.int64) << _SHIFT | finite
    return pairs


def _finite_pairs(claims: Claims, block: Block) -> tuple[np.ndarray, np.ndarray]:
    """Return (owner, finite value) for the different finite values of each owner's options, increasing."""
    theirs = claims.grundy[block.option]
    pairs = np.unique(block.owner[theirs >= 0].astype(np.int64) << _SHIFT | theirs[theirs >= 0])
    return pairs >> _SHIFT, pairs & (2**_SHIFT - 1)


def _mex(graph: GameGraph, claims: Claims, block: Block) -> np.ndarray:
    owner, held = _finite_pairs(claims, block)
    size = np.bincount(owner, minlength=len(block.vertices))
    place = np.arange(len(owner)) - (np.cumsum(size) - size)[owner]
    mex: np.ndarray = np.bincount(owner[held == place], minlength=len(block.vertices))
    mex[graph.out_degrees[block.vertices] == 0] = claims.terminal
    return mex


def _among(increasing: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    if not len(increasing):
        return np.zeros(len(wanted), np.bool_)
    place = np.searchsorted(increasing, wanted).clip(max=len(increasing) - 1)
    found: np.ndarray = increasing[place] == wanted
    return found


def counted(graph: GameGraph, claims: Claims) -> np.ndarray:
    """Return the vertices of finite value as a counter function counts them; some are left out where there is none."""
    rows, grundy = _movers_to(graph), claims.grundy
    finite = np.flatnonzero(grundy >= 0)
    members = finite[np.argsort(grundy[finite], kind="stable")]
    starts = np.searchsorted(grundy[members], np.arange(int(grundy.max(initial=0)) + 2))
    waits = _larger_options(graph, claims)
    undone, queue = np.full(len(grundy), -1, np.int32), np.full(len(members), -1, np.int32)
    count = runner(_count, len(rows.indices) + len(grundy))
    count(rows.pointers, rows.indices, grundy, members, starts, waits, undone, queue)
    return queue[queue >= 0]


def _uncounted(graph: GameGraph, claims: Claims) -> np.ndarray:
    """Mark the vertices of finite value that no counter function counts."""
    wrong = claims.grundy >= 0
    wrong[counted(graph, claims)] = False
    return wrong


def _movers_to(graph: GameGraph) -> Rows:
    """Return the predecessors, of which a sum is none: a part is no option."""
    if graph.sums is None:
        return graph.predecessor_rows
    source = graph.option_rows.owners()
    moves = ~graph.sums[source]
    return GameGraph.from_arrays(source[moves], graph.option_rows.indices[moves], len(graph)).predecessor_rows


def _larger_options(graph: GameGraph, claims: Claims) -> np.ndarray:
    """Count, for each position of finite value, the options that must be taken back to it.

    These are the options of larger values and of none; but of the sums among them only those that cannot be brought to
    the value, for nothing takes back a move to one.
    """
    grundy, members = claims.grundy, _members(claims)
    larger = np.zeros(len(grundy), np.int32)
    is_sum = np.zeros(len(grundy), np.bool_)
    is_sum[_sums(graph)] = True
    for block in blocks(graph.option_rows, np.flatnonzero((grundy >= 0) & ~is_sum)):
        own, theirs = grundy[block.vertices][block.owner], grundy[block.option]
        ends = (graph.out_degrees[block.option] == 0) & ~is_sum[block.option] & (own != claims.terminal)
        chosen = ((theirs < 0) | (theirs > own)) & ~ends
        held = (theirs < -1) & _among(members, _holds(np.minimum(theirs, -2), own))
        chosen &= ~(is_sum[block.option] & (held | (theirs > own)))
        larger[block.vertices] = np.bincount(block.owner[chosen], minlength=len(block.vertices))
    return larger


@compiled
def _count(
    pointers: np.ndarray,
    predecessors: np.ndarray,
    grundy: np.ndarray,
    members: np.ndarray,
    starts: np.ndarray,
    waits: np.ndarray,
    undone: np.ndarray,
    queue: np.ndarray,
) -> int:
    """Write the vertices of finite value in the order of a counter function; return how many have one."""
    counted = 0
    for value in range(len(starts) - 1):
        found = counted
        for k in range(starts[value], starts[value + 1]):
            if waits[members[k]] == 0:
                queue[found] = members[k]
                found += 1
        while counted < found:
            w = queue[counted]
            counted += 1
            for entry in range(pointers[w], pointers[w + 1]):
                v = predecessors[entry]
                # A move to a smaller value needs no reply, and one reply undoes all moves to the same position.
                if undone[v] == value or 0 <= grundy[v] <= value:
                    continue
                undone[v] = value
                for before in range(pointers[v], pointers[v + 1]):
                    u = predecessors[before]
                    if grundy[u] == value:
                        waits[u] -= 1
                        if waits[u] == 0:
                            queue[found] = u
                            found += 1
    return counted


def _value(claims: Claims, vertex: int) -> Value:
    return claims.codes.decode([int(claims.grundy[vertex])])[0]


def _finite_options(graph: GameGraph, claims: Claims, vertex: int) -> np.ndarray:
    theirs = claims.grundy[graph.option_rows.row(vertex)]
    finite: np.ndarray = theirs[theirs >= 0]
    return finite


def _why_sum(graph: GameGraph, claims: Claims, vertex: int) -> str:
    value, total, parts = _value(claims, vertex), _total(graph, claims, vertex), graph.option_rows.row(vertex)
    if total is None:
        return Message(
            "value {value}, but its part {part} has no value",
            value,
            position_text(graph, parts[claims.grundy[parts] == -1][0]),
        )
    return Message("value {value}, but the sum of its parts' values is {total}", value, total)


def _why_value(graph: GameGraph, claims: Claims, vertex: int) -> str:
    value, finite = _value(claims, vertex), _finite_options(graph, claims, vertex)
    if isinstance(value, Loopy):
        unknown = graph.option_rows.row(vertex)[claims.grundy[graph.option_rows.row(vertex)] == -1]
        if len(unknown):
            return Message(
                "value {value}, but its option {option} has no value", value, position_text(graph, unknown[0])
            )
        return Message("value {value}, but the finite values of its options are {finite}", value, shown_values(finite))
    if graph.out_degrees[vertex] == 0:
        return Message("value {value}, but {why}", value, why_end(claims, int(claims.grundy[vertex])))
    return Message(
        "value {value}, but the mex of its options' finite values {finite} is {mex}",
        value,
        shown_values(finite),
        mex_of(finite),
    )


def _why_answered(graph: GameGraph, claims: Claims, vertex: int) -> str:
    least = mex_of(_finite_options(graph, claims, vertex))
    return Message(
        "value {claims}, but each of its options of infinite value has an option of value "
        "{least}, so that nothing keeps it from the value {least}",
        _value(claims, vertex),
        least,
    )


def _why_uncounted(graph: GameGraph, claims: Claims, vertex: int) -> str:
    value, row = int(claims.grundy[vertex]), graph.option_rows.row(vertex)
    for option in row[(claims.grundy[row] < 0) | (claims.grundy[row] > value)].tolist():
        if value == claims.terminal and not graph.out_degrees[option]:
            return Message(
                "value {value}, but its option {option} has that value too", value, position_text(graph, option)
            )
        if not _leads_to(graph, claims, option, value):
            return Message(
                "value {value}, but its option {option} has no option of that value",
                value,
                position_text(graph, option),
            )
    return Message(
        "value {value}, but no counter function: its moves to larger values are undone only in a circle", value
    )


def _leads_to(graph: GameGraph, claims: Claims, option: int, value: int) -> bool:
    if graph.sums is None or not graph.sums[option]:
        return bool((claims.grundy[graph.option_rows.row(option)] == value).any())
    if claims.grundy[option] == -1:
        return False
    theirs = _value(claims, option)
    return value in theirs.finite if isinstance(theirs, Loopy) else value < int(claims.grundy[option])


def _why_outcome(graph: GameGraph, claims: Claims, vertex: int) -> str:
    value = _value(claims, vertex)
    return Message(
        "outcome {outcome}, but a position of value {value} is {right}",
        claims.outcome[vertex],
        value,
        outcome_of(value),
    )


def _why_remoteness(graph: GameGraph, claims: Claims, vertex: int) -> str:
    if outcome_of(_value(claims, vertex)) == "D":
        return Message("remoteness {remoteness}, but nobody can force an end", claims.remoteness[vertex])
    return why_length(graph, claims, vertex)
