"""The check of a misère quotient, in plain Python, by none of the code that finds one.

With that it has one thing in common: the order of positions, options first, and the sums that their moves leave
(:mod:`graphgame.labs.misere.algebra`), which is how a graph is read.
:mod:`graphgame.labs.misere.algebra` says why this proves it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from graphgame.errors import Message
from graphgame.graph.gamegraph import GameLike
from graphgame.labs.misere.algebra import Positions, positions_of
from graphgame.labs.misere.quotient import MisereQuotient

ElementPair = tuple[int, frozenset[int]]


def find_fault(quotient: MisereQuotient, game: GameLike) -> str | None:
    """Return what is wrong with a quotient, or None where it is proved for its positions.

    Parameters
    ----------
    quotient : MisereQuotient
        Perhaps from elsewhere.
    game : GameLike
        The positions and their options; there may be more than the quotient is for.

    Raises
    ------
    CycleError
        Play need not end.

    Notes
    -----
    The steps must commute and reach every element, so that they make a commutative monoid; no two elements may have
    the same companions in the P-portion; and outcomes must be consistent with every option in every sum. With n
    elements and k pairs that are least, O(k n) for each generator.

    Examples
    --------
    >>> from graphgame import explore, heaps
    >>> from graphgame.labs.misere import heap_graph, heap_quotient
    >>> kayles = heaps.octal("0.77")
    >>> quotient = heap_quotient(kayles, 20)
    >>> find_fault(quotient, heap_graph(kayles, 20)) is None
    True
    >>> find_fault(quotient, heap_graph(heaps.octal("0.76"), 20))
    'a sum of element 6 is an N-position without a move to a P-position'
    """
    positions = positions_of(game)
    if positions.labels[: len(quotient.labels)] != quotient.labels:
        return Message("it is of other positions")
    return _fault(quotient, positions, lambda: quotient.images)


def find_fault_among(quotient: MisereQuotient, game: GameLike) -> str | None:
    """Return what is wrong with the outcomes that a quotient tells in a graph, or None where they are proved.

    Parameters
    ----------
    quotient : MisereQuotient
        Perhaps of more positions than the graph has.
    game : GameLike

    Raises
    ------
    CycleError
        Play need not end.
    UnknownPositionError
        The quotient is not for all positions of the graph.

    Notes
    -----
    As :func:`find_fault`.

    Examples
    --------
    >>> from graphgame import explore, heaps
    >>> from graphgame.labs.misere import heap_quotient
    >>> quotient = heap_quotient(heaps.octal("0.77"), 20)
    >>> find_fault_among(quotient, explore(heaps.octal("0.77").ruleset, 12)) is None
    True
    """
    positions = positions_of(game)
    return _fault(quotient, positions, lambda: [quotient.element(label) for label in positions.labels])


def _fault(quotient: MisereQuotient, positions: Positions, images: Callable[[], list[int]]) -> str | None:
    """Return what is wrong where the first positions stand for these elements, which a monoid is needed to find."""
    table = _table(quotient.steps.tolist())
    if table is None:
        return Message("the steps make no commutative monoid in which every element is a product of generators")
    lost = quotient.lost.tolist()
    companions = [frozenset(q for q, product in enumerate(row) if lost[product]) for row in table]
    if lost[0]:
        return Message("the empty sum is in the P-portion, but whoever cannot move wins")
    if len(set(companions)) < len(table):
        return Message("two elements have the same companions in the P-portion: they are one")
    return _wrong_outcome(positions, images(), table, companions)


def _table(steps: list[list[int]]) -> list[list[int]] | None:
    """Return the products of all elements, if steps by generators make a commutative monoid."""
    order, generators = len(steps), range(len(steps[0]) if steps else 0)
    if not order or any(not 0 <= product < order for row in steps for product in row):
        return None
    if any(steps[row[a]][b] != steps[row[b]][a] for row in steps for a in generators for b in range(a)):
        return None
    rows = {0: list(range(order))}
    queue = [0]
    for element in queue:
        for generator in generators:
            product = steps[element][generator]
            if product not in rows:
                rows[product] = [steps[other][generator] for other in rows[element]]
                queue.append(product)
    return [rows[element] for element in range(order)] if len(rows) == order else None


def _wrong_outcome(
    positions: Positions, image: list[int], table: list[list[int]], companions: list[frozenset[int]]
) -> str | None:
    """Return the first position whose options do not fit, or a sum that should have a winning move and has none."""
    pairs: set[ElementPair] = set()
    for place, label in enumerate(positions.labels[: len(image)]):
        ends = {
            reduce(lambda a, b: table[a][b], (image[part] for part in word), 0) for word in positions.options[place]
        }
        wins = frozenset[int]().union(*(companions[end] for end in ends))
        if not ends and image[place]:
            return Message("position {label} has no option and does not stand for 1", label)
        if wins & companions[image[place]]:
            return Message(
                "position {label} has an option that is in the P-portion together with it, in some sum", label
            )
        if ends:
            pairs.add((image[place], wins))
    return _no_winning_move(pairs, table, companions)


def _no_winning_move(pairs: set[ElementPair], table: list[list[int]], companions: list[frozenset[int]]) -> str | None:
    everything = frozenset(range(len(table)))

    def is_open(pair: ElementPair) -> bool:
        return pair[1] | companions[pair[0]] != everything

    generators = _least([pair for pair in pairs if is_open(pair)])
    known: dict[int, list[frozenset[int]]] = {}
    queue = generators[:]
    for element, wins in queue:
        if 0 not in wins and 0 not in companions[element]:
            return Message("a sum of element {element} is an N-position without a move to a P-position", element)
        if any(other <= wins for other in known.get(element, ())):
            continue
        known.setdefault(element, []).append(wins)
        queue += filter(is_open, (_product((element, wins), generator, table) for generator in generators))
    return None


def _least(pairs: list[ElementPair]) -> list[ElementPair]:
    """Leave out the pairs of which another, of the same element, has a smaller set."""
    return [(x, wins) for x, wins in pairs if not any(y == x and other < wins for y, other in pairs)]


def _product(first: ElementPair, second: ElementPair, table: list[list[int]]) -> ElementPair:
    (x, wins), (y, others) = first, second
    row_x, row_y = table[x], table[y]
    return row_x[y], frozenset(q for q in range(len(table)) if row_y[q] in wins or row_x[q] in others)
