"""Check a misère quotient in plain Python, independently of the code that finds quotients.

The check and the search share only :func:`~graphgame.labs.misere.algebra.positions_of`, which reads the positions and
their options from a graph, and the code of :class:`MisereQuotient`, which gives the element of each position.
:mod:`graphgame.labs.misere.algebra` explains why a quotient that passes the check is right.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from graphgame.errors import Message, ParameterError, plural
from graphgame.graph.gamegraph import GameLike
from graphgame.labs.misere.algebra import Positions, positions_of
from graphgame.labs.misere.quotient import MisereQuotient

ElementPair = tuple[int, frozenset[int]]
"""The pair (f(X), W(X)) of a sum X; see :mod:`graphgame.labs.misere.algebra`."""


def find_fault(quotient: MisereQuotient, game: GameLike) -> str | None:
    """Return what is wrong with a quotient, or None if it is proved for its positions.

    Parameters
    ----------
    quotient : MisereQuotient
        From any source, for example a file.
    game : GameLike
        The positions and their options. It is a fault if the list of positions, options first, does not begin with
        those of the quotient. The graph may have more positions.

    Raises
    ------
    CycleError
        Play need not end.
    ParameterError
        Some positions are decided by the rules.

    Notes
    -----
    The check has three parts. The products with generators, ``quotient.steps``, commute and reach every element, so
    they define a commutative monoid, and each element is that of a sum of positions. For any two elements x and y there
    is a q such that exactly one of x q and y q is in the P-portion, so no smaller monoid has the same outcomes. The
    outcome of every sum fits the outcomes of its options.

    Examples
    --------
    >>> from graphgame import heaps
    >>> from graphgame.labs.misere import heap_graph, heap_quotient
    >>> kayles = heaps.octal("0.77")
    >>> quotient = heap_quotient(kayles, 20)
    >>> find_fault(quotient, heap_graph(kayles, 20)) is None
    True
    >>> find_fault(quotient, heap_graph(heaps.octal("0.76"), 20))
    'a sum with element number 6 counts as an N-position, but has no move to a P-position'
    """
    positions = positions_of(game)
    if len(positions) < len(quotient.labels) and quotient.labels[: len(positions)] == positions.labels:
        sizes = plural(len(quotient.labels), "position"), plural(len(positions), "position")
        return Message("the quotient has {more}, but the graph has only {fewer}", *sizes)
    if positions.labels[: len(quotient.labels)] != quotient.labels:
        return Message("the list of the graph's positions does not start with the positions of the quotient")
    return _fault(quotient, positions, lambda: quotient.images)


def find_fault_among(quotient: MisereQuotient, game: GameLike) -> str | None:
    """Return what is wrong with a quotient for the positions of a graph, or None if it is proved for all of them.

    Parameters
    ----------
    quotient : MisereQuotient
        It may have more positions than the graph.
    game : GameLike

    Raises
    ------
    CycleError
        Play need not end.
    ParameterError
        Some positions are decided by the rules.
    UnknownPositionError
        A position of the graph is not in the quotient, and no period covers it.

    Notes
    -----
    The check is the same as in :func:`find_fault`.

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


def refuse_fault(quotient: MisereQuotient, fault: str | None) -> None:
    """Raise a ParameterError with the fault that :func:`find_fault` or :func:`find_fault_among` returned, if any."""
    if fault is not None:
        raise ParameterError(
            "the misère quotient of {game!r} is wrong for these positions: {fault}", quotient.game, fault
        )


def _fault(quotient: MisereQuotient, positions: Positions, images: Callable[[], list[int]]) -> str | None:
    """Return what is wrong with a quotient, or None.

    ``images`` returns the elements of the positions to check: all positions, or the first ones. It multiplies elements,
    so it is called only after the check that the products define a monoid.
    """
    table = _table(quotient.steps.tolist())
    if table is None:
        return Message(
            "the steps of the quotient do not define a commutative monoid in which each element is a product of "
            "generators"
        )
    is_p = quotient.is_p.tolist()
    companions = [frozenset(q for q, product in enumerate(row) if is_p[product]) for row in table]
    if is_p[0]:
        return Message(
            "the element 1, the empty sum, is in the P-portion, but under misère play the empty sum is an N-position"
        )
    if len(set(companions)) < len(table):
        return Message("two elements have the same outcome with every third element, so they must be one element")
    fault = _wrong_outcome(positions, images(), table, companions)
    if fault is None and [quotient.images[each] for each in quotient.generators] != quotient.steps[0].tolist():
        return Message('for a generator, the members "words" and "steps" give different elements')
    return fault


def _table(steps: list[list[int]]) -> list[list[int]] | None:
    """Return the multiplication table; None if the steps do not define a commutative monoid.

    ``steps[i][g]`` is the product of element i and generator g. Also return None if an element is no product of
    generators.
    """
    order, generators = len(steps), range(len(steps[0]) if steps else 0)
    if not order or any(not 0 <= product < order for row in steps for product in row):
        return None
    # Each generator is a map on the elements. Maps that commute generate a commutative monoid. Its elements are those
    # that the maps reach from the identity.
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
    positions: Positions, images: list[int], table: list[list[int]], companions: list[frozenset[int]]
) -> str | None:
    """Return a message about a violation of condition 1 or 2 of :mod:`graphgame.labs.misere.algebra`, or None.

    Also return a message about a position that has no options, but whose element is not the identity.
    ``companions[x]`` is the set of the elements q for which x q is in the P-portion.
    """
    pairs: set[ElementPair] = set()
    for index, label in enumerate(positions.labels[: len(images)]):
        ends = {
            reduce(lambda a, b: table[a][b], (images[part] for part in word), 0) for word in positions.options[index]
        }
        wins = frozenset[int]().union(*(companions[end] for end in ends))
        if not ends and images[index]:
            return Message(
                "position {position} has no option, but its element is not 1, the element of the empty sum", label
            )
        # Condition 1: no move leads from a P-position to a P-position. A sum is a position together with the element of
        # all its other positions, so test each position with each element.
        if wins & companions[images[index]]:
            return Message(
                "some sum with position {position} is a P-position, but a move of {position} leads to another "
                "P-position",
                label,
            )
        if ends:
            pairs.add((images[index], wins))
    return _no_winning_move(pairs, table, companions)


def _no_winning_move(pairs: set[ElementPair], table: list[list[int]], companions: list[frozenset[int]]) -> str | None:
    """Return a message about a sum that violates condition 2, or None if no sum does.

    Condition 2 is that each N-position has a move to a P-position. ``pairs`` has the pair (f(h), W(h)) of each position
    h, as :mod:`graphgame.labs.misere.algebra` defines it. The products of these pairs are the pairs of all sums.
    ``table[x][y]`` is the product of two elements, and ``companions[x]`` the set of the elements q for which x q is in
    the P-portion.
    """
    everything = frozenset(range(len(table)))

    # A pair (f, W) is closed if W has all elements that condition 1 allows; otherwise it is open. Closed pairs satisfy
    # condition 2, and all their products are closed. So only open pairs need to be multiplied.
    def is_open(pair: ElementPair) -> bool:
        return pair[1] | companions[pair[0]] != everything

    generators = _least([pair for pair in pairs if is_open(pair)])
    minimal: dict[int, list[frozenset[int]]] = {}
    queue = generators[:]
    for element, wins in queue:
        if 0 not in wins and 0 not in companions[element]:
            return Message(
                "a sum with element number {element} counts as an N-position, but has no move to a P-position", element
            )
        # If a pair satisfies condition 2 (a move leads to a P-position), so does each pair with the same element and a
        # larger set. So only minimal sets are multiplied.
        if any(other <= wins for other in minimal.get(element, ())):
            continue
        minimal.setdefault(element, []).append(wins)
        queue += filter(is_open, (_product((element, wins), generator, table) for generator in generators))
    return None


def _least(pairs: list[ElementPair]) -> list[ElementPair]:
    """Return the pairs whose set is minimal: no other pair has the same element and a proper subset of this set."""
    return [(x, wins) for x, wins in pairs if not any(y == x and other < wins for y, other in pairs)]


def _product(first: ElementPair, second: ElementPair, table: list[list[int]]) -> ElementPair:
    """Return the pair (f(X + Y), W(X + Y)) for the pairs of two sums X and Y, as ``ElementPair`` explains.

    ``table[x][y]`` is the product of the elements x and y.
    """
    (x, wins), (y, others) = first, second
    row_x, row_y = table[x], table[y]
    return row_x[y], frozenset(q for q in range(len(table)) if row_y[q] in wins or row_x[q] in others)
