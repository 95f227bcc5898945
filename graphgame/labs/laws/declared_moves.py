"""Games given by statements about their moves, such as ``b' < b and a' = a``: tables of values without a graph.

Some functions compare declared moves with the options of the rules, for small positions.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from math import gcd
from operator import mul
from types import NoneType
from typing import NamedTuple

import numpy as np

from graphgame.compiled.engine import Engine
from graphgame.errors import LimitError, Message, ParameterError
from graphgame.graph import LOONY
from graphgame.labs.laws.automata import numeration_of
from graphgame.labs.laws.claims import lowering_weights
from graphgame.labs.laws.formulas import Formula, after, one_more, parsed, renamed
from graphgame.labs.laws.statements import binary_set, set_of
from graphgame.labs.shared_rules import number_names
from graphgame.labs.tables.rays import BLANK, ORDINARY, OVER, Ray, ray_values
from graphgame.rules.declared import DeclaredMoves, DeclaredTurns
from graphgame.rules.exploration import explore
from graphgame.rules.rule_errors import hashed, iterated, returned, rule_errors
from graphgame.rules.ruleset import Component, Ruleset, Sum, decision
from graphgame.solution.solve import Solution, solve

_COMPARED_POSITIONS = 100
"""Declared moves are compared with the options of the rules for at most this many small positions."""

_COMPARED_COINS = 6
"""Declared turns are compared with the options of the rules for rows of up to this many coins."""

_WHOLE_SIZE = 12
"""If a notation leaves out the last numbers of positions, as ``fibonacci(n)`` does, declared moves are compared with
the options of the positions whose numbers are all below this."""

_MOST_NAMES = 4
Cells = dict[tuple[int, ...], tuple[Component, ...]]


def moves_of_text(text: str) -> DeclaredMoves:
    """Return the moves of a text ``MOVE; MOVE; ... [where POSITIONS]``, in which MOVE and POSITIONS are statements.

    The names of the numbers are in alphabetical order.

    Raises
    ------
    ParameterError
        A statement cannot be understood, there are no letters for numbers or more than 4, or no weighted total of the
        numbers is found that all moves lower. (Weights up to 3 are tried.)
    LimitError
        An automaton is too large.

    Examples
    --------
    >>> moves_of_text("a' < a and b' = b; b' < b and a' = a where b <= a").positions
    'b <= a'
    """
    listed, _, where = text.partition(" where ")
    moves = tuple(part.strip() for part in listed.split(";") if part.strip())
    names = tuple(sorted({*re.findall(r"(?<![A-Za-z_])[a-wyz](?![A-Za-z_])", text)}))
    if not 1 <= len(names) <= _MOST_NAMES:
        raise ParameterError(
            "{moves}: there are {count} letters for numbers: expected 1 to {most} small letters, but not x, as in "
            "a' < a and b' = b",
            text,
            len(names),
            _MOST_NAMES,
        )
    moves_with_weights = lowering_weights(DeclaredMoves(names, moves, where.strip() or "True"))
    if moves_with_weights is None:
        free = ((move, name) for move in moves for name in names if f"{name}'" not in move)
        for move, name in free:
            raise ParameterError(
                "{moves}: the move {move} does not restrict {name}', so {name} may grow: "
                "add {statement} if the move does not change {name}",
                text,
                move,
                name,
                f"{name}' = {name}",
            )
        raise ParameterError(
            "{moves}: play may go on forever, because no weighted total of the numbers was found that every move "
            "lowers: restrict the moves",
            text,
        )
    return moves_with_weights


def whole_cells(moves: DeclaredMoves, cells: Cells) -> Cells:
    """Return positions by their numbers; a key has a number for each of ``moves.names``.

    The notation of some games omits the last numbers of a position. Then ``moves.starts`` is not empty, and the keys of
    ``cells`` lack these numbers. In this case the result has all tuples of numbers below 12. Otherwise it is ``cells``.
    """
    if not moves.starts:
        return cells
    first = next(iter(cells.values()))[0]
    tuples = product(range(_WHOLE_SIZE), repeat=len(moves.names))
    return {numbers: (_canonical(first._replace(position=numbers)),) for numbers in tuples}


def differing_by_statements(moves: DeclaredMoves, cells: Cells) -> tuple[tuple[int, ...] | None, int]:
    """Compare declared moves with the options of the rules, for small positions; return (position, count).

    ``cells`` maps numbers to positions. ``position`` has the numbers of the first small position at which moves and
    options differ; None if there is none. ``count`` is the number of small positions, at most 100.
    """
    names, primes = moves.names, tuple(map(after, moves.names))
    sets = [[binary_set(text, *names, *primes) for text in texts] for texts in (moves.moves, moves.followed)]
    positions = binary_set(moves.positions, *names)
    # Weights may be negative. A tuple with a negative total is not a position: leave it out.
    totals = {cell: total for cell in cells if (total := sum(map(mul, cell, moves.weights))) >= 0}
    # All moves lower the total. So compare only positions with totals so small that the table has all their options.
    # A number may grow beyond the table if its weight is 0 or negative: then compare only the options in the table.
    table = None if min(moves.weights) > 0 else set(map(whole_of, cells.values()))
    highest = min(max(cell[axis] for cell in cells) for axis in range(len(moves.names)))
    most = min(highest, sorted(totals.values())[: _COMPARED_POSITIONS + 1][-1] - 1)
    small = np.array([cell for cell, total in totals.items() if total <= most], np.int64).reshape(-1, len(names))
    small = small[positions.contains(**dict(zip(names, small.T, strict=True)))]
    # Sort the positions by their totals. If a statement of ``followed`` leads from p to q, position p also has all
    # options of q. The total of q is smaller, so the loop has collected these options before it comes to p.
    small = small[np.argsort(small @ np.array(moves.weights), kind="stable")]
    starts, ends = list(map(tuple, small.tolist())), dict(zip(primes, small.T, strict=True))
    options_of: dict[tuple[int, ...], set[object]] = {}
    for start in starts:
        numbers = dict(zip(names, start, strict=True)) | ends
        direct, followed = (
            [starts[index] for index in np.flatnonzero(np.any([each.contains(**numbers) for each in some], axis=0))]
            for some in sets
        )
        options_of[start] = {whole_of(cells[end]) for end in direct}.union(*(options_of[end] for end in followed))
        options = set(map(whole_of, ends_of(cells[start])))
        if options_of[start] != (options if table is None else options & table):
            return start, len(starts)
    return None, len(starts)


def ends_of(components: tuple[Component, ...]) -> Iterator[tuple[Component, ...]]:
    """Yield the components after each move, except after moves by which the mover loses at once by the rules."""
    for index, component in enumerate(components):
        for option in listed_options(component):
            if component.ruleset.decides and decision(component.ruleset, option) == LOONY:
                continue
            yield (*components[:index], component._replace(position=option), *components[index + 1 :])


def listed_options(component: Component) -> list[Hashable]:
    """Return the options of a component; raise a RulesetError if the rules fail or an option is not hashable."""
    rules, position = component.ruleset, component.position
    with rule_errors(component.name, Message("the options"), position, method=rules.options):
        return [hashed(option, position) for option in iterated(rules.options(position), position)]


def whole_of(components: tuple[Component, ...]) -> tuple[Component, ...]:
    """Return the components, with each position replaced by its canonical position."""
    return tuple(map(_canonical, components))


def _canonical(component: Component) -> Component:
    with rule_errors(component.name, Message("the canonical position"), component.position):
        return component._replace(position=hashed(component.ruleset.canonical(component.position)))


class _Wholes(Ruleset):
    """Rules of a whole sum: a position is the tuple of all components, because misère values cannot be added."""

    def options(self, position: tuple[Component, ...]) -> Iterator[tuple[Component, ...]]:
        for end in ends_of(position):
            if any(type(part.position) is Sum for part in end):
                raise LimitError(
                    "a move splits a position into parts, and under misère play the values of parts cannot be added",
                    limit="size",
                )
            yield end

    def canonical(self, position: tuple[Component, ...]) -> tuple[Component, ...]:
        return whole_of(position)


def misere_solution(positions: Iterable[tuple[Component, ...]], max_positions: int) -> Solution:
    """Solve, under misère play, the graph of all positions reachable from ``positions``; return the solution.

    Its ``tokens`` are the vertices of ``positions``, in the same order. A position without moves has the value 1.

    Raises
    ------
    LimitError
        There are too many positions, or a move splits a position into a sum.
    """
    return solve(explore(_Wholes(), *positions, max_positions=max_positions), misere=True)


def turns_of(cell: tuple[Component, ...]) -> DeclaredTurns | None:
    """Return the coin turns that a position's rules declare; None without a declaration, or for several components."""
    if len(cell) != 1:
        return None
    with rule_errors(cell[0].name, Message("the declared turns")):
        return returned(cell[0].ruleset.declared_turns(), DeclaredTurns, NoneType)


def differing_turn(rules: Ruleset, turns: DeclaredTurns) -> str | None:
    """Return the first small row of coins whose declared turns do not lead to its options, as text; None if all do."""
    turned_with: list[list[frozenset[int]]] = []
    runs = binary_set(turns.runs, "a", "n") if turns.runs else None
    sets = [(names, binary_set(text, *names, "n")) for names, text in turns.sets]
    for last in range(1, _COMPARED_COINS + 1):
        first = () if runs is None else range(1, last + 1)
        others = [frozenset(range(a, last)) for a in first if runs is not None and runs.contains(a=a, n=last)]
        for names, among in sets:
            tuples = (dict(zip(names, each, strict=True)) for each in product(range(1, last), repeat=len(names)))
            others += [frozenset(each.values()) for each in tuples if among.contains(**each, n=last)]
        turned_with.append(others)
    places = range(1, _COMPARED_COINS + 1)
    for heads in map(frozenset, chain.from_iterable(combinations(places, count) for count in places)):
        declared = {_row_text(heads ^ others ^ {last}) for last in heads for others in turned_with[last - 1]}
        if declared != {*listed_options(Component(type(rules).__name__, rules, _row_text(heads)))}:
            return _row_text(heads)
    return None


def _row_text(heads: frozenset[int]) -> str:
    return "".join("h" if place in heads else "t" for place in range(1, max(heads, default=1) + 1))


_MOST_RAYS = 400
"""Maximum number of linear move families of a game."""

_SHORTEST_RAY = 8
"""A line of moves is a linear move family of its own only if it has at least this many moves."""

_STEEPEST = 5
"""Largest change of a number in one step of a linear move family that changes two numbers."""

_DIFFERENCES_AT_A_TIME = 1 << 18
"""Number of differences for which a statement is evaluated at once."""


class MoveRays(NamedTuple):
    """The moves of a game as linear move families; only positions for which ``guard`` is true have moves."""

    rays: list[Ray]
    guard: str = "True"


def rays_of(moves: DeclaredMoves, size: int) -> MoveRays | None:
    """Return linear move families (:class:`Ray`) that make up all moves between positions with numbers below ``size``.

    The moves must depend only on the differences between the numbers before and after. Only one condition on the
    numbers before a move is allowed, the ``guard``, the same for all moves. Return None for other moves, if more than
    400 families are needed, or if the statements cannot be evaluated for arrays. ``moves.followed`` is ignored.

    Raises
    ------
    ParameterError
        A move does not lower the total weighted by ``moves.weights``.

    Examples
    --------
    >>> rays_of(DeclaredMoves(("n",), ("n - n' in {1, 3}",)), 30)
    MoveRays(rays=[Ray((1,)), Ray((3,))], guard='True')
    >>> rays_of(DeclaredMoves(("a", "b"), ("a' < a and a - a' = b - b'",)), 30).rays
    [Ray((1, 1), (1, 1))]
    >>> rays_of(DeclaredMoves(("a", "b"), ("a' < a and b' <= b",)), 30).rays
    [Ray((1, 0), (1, 0), (0, 1))]
    >>> rays_of(DeclaredMoves(("n",), ("n' = n // 2",)), 30) is None
    True
    """
    parts = [_split(text, moves.names) for text in moves.moves]
    guards = {guard for guard, _ in parts}
    if len(guards) > 1 or not all(_is_of_differences(rest, moves.names) for _, rest in parts):
        return None
    whole = _differences([rest for _, rest in parts], moves.names, size)
    if whole is None:
        return None
    weights = np.array(moves.weights)
    if ((np.argwhere(whole) + 1 - size) @ weights <= 0).any():
        raise ParameterError("a move does not lower the weighted total of the numbers, so play may go on forever")
    # A step along a ray must lower the total. Otherwise the ray would lead to larger positions.
    ways = [way for way in _ways(whole.ndim) if np.dot(way, weights) > 0]
    left, rays = whole.copy(), []
    steps_so_far: set[tuple[tuple[int, ...], ...]] = set()
    # Rays may overlap, because counting a move twice does not change a mex. The next ray begins at an uncovered move.
    while (index := int(left.argmax())) or left.flat[0]:
        first = tuple(int(each) for each in np.unravel_index(index, whole.shape))
        first, steps, region = _ray(whole, first, ways, steps_so_far)
        steps_so_far.add(steps)
        rays.append(Ray(np.subtract(first, size - 1).tolist(), *steps))
        left &= ~region
        if len(rays) > _MOST_RAYS:
            return None
    return MoveRays(rays, *guards)


def _ways(dimensions: int) -> list[tuple[int, ...]]:
    """Return candidates for the steps of a :class:`Ray`, short ones first.

    A step is a tuple: by how much each of ``dimensions`` numbers decreases.
    """
    ways = {*product((1, 0, -1), repeat=dimensions)}
    if dimensions == 2:
        ways |= {(a, b) for a, b in product(range(1, _STEEPEST + 1), repeat=2) if gcd(a, b) == 1}
    return sorted(ways, key=lambda way: (sum(map(abs, way)), [-part for part in way]))


def _ray(
    whole: np.ndarray,
    first: tuple[int, ...],
    ways: list[tuple[int, ...]],
    known_steps: set[tuple[tuple[int, ...], ...]],
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...], np.ndarray]:
    """Return a linear move family to which ``first`` belongs: its first move, its steps, and a table of its moves.

    ``whole`` is the table of all moves from :func:`_differences`; a move is a tuple of indices in it. ``ways`` are the
    candidates for steps. ``known_steps`` has the tuples of steps of earlier families. If the move ``first`` makes no
    number larger, the tuples of two or more steps are tried before ``ways``.
    """
    region = np.zeros_like(whole)
    region[first] = True
    middle = len(whole) // 2
    # First try the steps of earlier rays that have two steps or more: one ray for a region is better than many lines.
    for steps in sorted(known_steps, key=len, reverse=True):
        if len(steps) > 1 and min(first) >= middle and not ((wider := _closed(region, steps)) & ~whole).any():
            return first, steps, wider
    own_steps: list[tuple[int, ...]] = []
    for way in ways:
        line = _line(whole.shape, first, way)
        if own_steps:
            if min(way) < 0 or len(line[0]) < 2 or region[tuple(each[1] for each in line)] or not whole[line].all():
                continue
            # Add this direction to the ray only if all differences that it adds to the region are moves.
            wider = _closed(region, [way])
            if not (wider & ~whole).any():
                region, own_steps = wider, [*own_steps, way]
        elif len(line[0]) >= _SHORTEST_RAY and whole[line].all():
            # The line of moves may begin earlier, among moves that other rays cover. Begin the ray there.
            back = _line(whole.shape, first, tuple(-part for part in way))
            earlier = int(np.append(whole[back], False).argmin()) - 1
            first, own_steps = tuple(int(each[earlier]) for each in back), [way]
            region = np.zeros_like(whole)
            region[_line(whole.shape, first, way)] = True
            if min(way) < 0 or min(first) < middle:
                break
    return first, tuple(own_steps), region


def _line(shape: tuple[int, ...], first: tuple[int, ...], way: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Return an array for each axis: the indices of the entries ``first``, ``first + way``, ... up to the edge."""
    steps = min(
        (size - 1 - at) // step if step > 0 else at // -step
        for size, at, step in zip(shape, first, way, strict=True)
        if step
    )
    along = np.arange(steps + 1)
    return tuple(at + step * along for at, step in zip(first, way, strict=True))


def _closed(region: np.ndarray, steps: Sequence[tuple[int, ...]]) -> np.ndarray:
    """Return ``region``, extended by all entries that can be reached from it by any number of these steps.

    The numbers in the steps must not be negative.
    """
    reached = region.copy()
    for step in steps:
        # Doubling: after k rounds, 0, 1, ..., 2**k - 1 times the step are reached.
        times = 1
        while all(times * part < size for part, size in zip(step, reached.shape, strict=True)):
            far = tuple(slice(times * part, None) for part in step)
            near = tuple(slice(0, size - times * part) for part, size in zip(step, reached.shape, strict=True))
            reached[far] |= reached[near]
            times *= 2
    return reached


def _split(text: str, names: tuple[str, ...]) -> tuple[str, str]:
    """Split a statement at its outer ``and``; return the conditions that use only ``names``, and all other conditions.

    ``names`` are the names of the numbers before the move. A result without conditions is "True".
    """
    tree = parsed(text)
    parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    texts: tuple[list[str], list[str]] = ([], [])
    for part in parts:
        after_move = any(each.id not in names for each in ast.walk(part) if isinstance(each, ast.Name))
        texts[after_move].append(f"({ast.unparse(part)})")
    guard, rest = (" and ".join(each) or "True" for each in texts)
    return guard, rest


def _differences(texts: list[str], names_before: tuple[str, ...], size: int) -> np.ndarray | None:
    """Return a boolean table: which differences between numbers below ``size`` are moves.

    An axis has 2 * size - 1 entries: at index i the number decreases by i + 1 - size, so it grows if i < size - 1. The
    result is None if the statements cannot be evaluated for arrays.
    """
    names = (*names_before, *map(after, names_before))
    formulas = [Formula(text, names) for text in texts]
    shape = (2 * size - 1,) * len(names_before)
    table = np.zeros(shape, bool)
    flat = table.reshape(-1)
    for start in range(0, flat.size, _DIFFERENCES_AT_A_TIME):
        indices = np.unravel_index(np.arange(start, min(start + _DIFFERENCES_AT_A_TIME, flat.size)), shape)
        # Test each difference with a single move: from ``difference + size``, which is 1 or more, to ``size``.
        numbers = [index.astype(np.int64) + 1 for index in indices]
        for formula in formulas:
            true = formula.of_arrays(*numbers, *(np.full_like(numbers[0], size) for _ in shape))
            if true is None:
                return None
            flat[start : start + _DIFFERENCES_AT_A_TIME] |= true
    return table


def _is_of_differences(text: str, names: tuple[str, ...]) -> bool:
    """Return whether a statement depends only on the differences between the numbers before and after a move.

    That is so if its truth never changes when a number grows by 1 both before and after the move. The result is also
    False if this cannot be decided.
    """
    tracks = (*names, *map(after, names))
    try:
        move = binary_set(text, *tracks)
        return all(move.differing(binary_set(one_more(text, name), *tracks)) is None for name in names)
    except (LimitError, ParameterError):
        return False


MOST_ENTRIES = 4_100_000
"""Maximum number of entries of a table that is made without a graph."""

_MOST_PAIRS = 200_000_000


def refuse_large(entries: int) -> None:
    """Raise LimitError if a table made without a graph would have more than ``MOST_ENTRIES`` entries."""
    if entries > MOST_ENTRIES:
        raise LimitError(
            "a table of {entries:,} entries is larger than the limit, {most:,}: ask for a smaller size",
            entries,
            MOST_ENTRIES,
            limit="size",
        )


def declared_values(moves: DeclaredMoves, size: int, *, misere: bool = False, engine: Engine = "auto") -> np.ndarray:
    """Return a table of the Grundy values of the positions whose numbers are all below ``size``.

    An entry is -1 if its numbers are not a position, or if it is not certain that all moves from the position stay in
    the table.

    Parameters
    ----------
    moves : DeclaredMoves
        Every move must lower the total. This is checked only for moves that depend only on differences of numbers.
    size : int
    misere : bool
        True: values under misère play, where a position without moves has the value 1.
    engine : {"auto", "plain", "compiled"}

    Raises
    ------
    LimitError
        The table is too large for moves of this kind, or all entries would be -1 with any ``size``.
    ParameterError
        A move does not lower the total, or all entries would be -1 with this ``size``.

    Notes
    -----
    If the moves depend only on differences of numbers (:func:`rays_of`), the values are computed from linear move
    families (:func:`graphgame.labs.tables.rays.ray_values`). Otherwise all pairs of positions are tried.

    Examples
    --------
    >>> declared_values(DeclaredMoves(("a", "b"), ("a' < a and b' = b", "a' = a and b' < b")), 3).tolist()
    [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    """
    shape = (size,) * len(moves.names)
    refuse_large(entries := size ** len(shape))
    rays = None if moves.followed else rays_of(moves, size)
    axes = np.indices(shape, np.int64).reshape(len(shape), -1)
    known = _holds(Formula(moves.positions, moves.names), axes)
    if not known.any():
        raise ParameterError(
            "the condition {condition} excludes all positions with numbers below {size:,}", moves.positions, size
        )
    totals = np.array(moves.weights, np.int64) @ axes
    if not _stays_below(moves):
        # Moves may lead out of the table. They cannot if the total is below size * min(weights): then all numbers are
        # below the size, and so are those of all options, because moves lower the total.
        known &= totals < size * min(moves.weights)
    if not known.any():
        grown = [name for name, weight in zip(moves.names, moves.weights, strict=True) if weight <= 0]
        if not grown:
            raise ParameterError(
                "from every position with numbers below {size:,}, moves may lead to larger numbers: ask for a larger "
                "size",
                size,
            )
        raise LimitError(
            "moves may raise {name} by more than they lower other numbers, so they lead out of a table of any size",
            grown[0],
            limit="size",
        )
    if rays is not None:
        kinds = np.where(known, ORDINARY, BLANK).astype(np.int8)
        kinds[known & ~_holds(Formula(rays.guard, moves.names), axes)] = OVER
        values = ray_values(rays.rays, shape, misere=misere, weights=moves.weights, kinds=kinds, engine=engine)
        return values.astype(np.int64)
    order = np.flatnonzero(known)
    values = np.full(entries, -1, np.int64)
    _by_pairs(moves, axes, order[np.argsort(totals[order], kind="stable")], values, misere)
    return values.reshape(shape)


def declared_ends(moves: DeclaredMoves, shape: tuple[int, ...], numbers: tuple[int, ...]) -> np.ndarray:
    """Return a boolean array of this shape: the positions to which a move of ``moves.moves`` leads from ``numbers``."""
    axes = np.indices(shape, np.int64).reshape(len(shape), -1)
    index = int(np.ravel_multi_index(numbers, shape))
    return _ends(_move_formulas(moves.moves, moves.names), axes, index).reshape(shape)


def leads_out(moves: DeclaredMoves, size: int, numbers: tuple[int, ...]) -> bool:
    """Return False if it is certain that no move from a position leads to a number of ``size`` or more; otherwise True.

    The position has the numbers ``numbers``, all below ``size``.
    """
    # A move lowers the weighted total. If this is at most size * min(weights), all numbers are below size after a move.
    total = sum(map(mul, numbers, moves.weights))
    return total > size * min(moves.weights) and not _stays_below(moves)


def _stays_below(moves: DeclaredMoves) -> bool:
    """Return whether it is certain that no move increases the largest number: then no move leaves a table."""
    # Only positions count: a statement may be true for other numbers.
    numeration, primes = numeration_of("base 2"), [after(name) for name in moves.names]
    ends = renamed(moves.positions, dict(zip(moves.names, primes, strict=True)))
    grown = " or ".join("(" + " and ".join(f"{prime} > {name}" for name in moves.names) + ")" for prime in primes)
    texts = [f"({text}) and ({moves.positions}) and ({ends}) and ({grown})" for text in (*moves.moves, *moves.followed)]
    try:
        return all(set_of(numeration, text, (*moves.names, *primes)).example() is None for text in texts)
    except (LimitError, ParameterError):
        return False


def _holds(statement: Formula, numbers: np.ndarray) -> np.ndarray:
    """Return for each column of an array whether a statement is true for its numbers."""
    true = statement.of_arrays(*numbers)
    if true is None:
        true = np.array([bool(statement(*column)) for column in numbers.T.tolist()])
    return np.array(np.broadcast_to(true, numbers.shape[1:]), bool)


def _move_formulas(texts: Iterable[str], names: tuple[str, ...]) -> list[Formula]:
    return [Formula(text, (*names, *map(after, names))) for text in texts]


def _by_pairs(moves: DeclaredMoves, axes: np.ndarray, order: np.ndarray, values: np.ndarray, misere: bool) -> None:
    """Fill ``values`` by trying all pairs of positions. ``order`` has the indices to fill, each after its options.

    ``axes[:, i]`` has the numbers of the position at the index i. Raise a LimitError if there are too many pairs.
    """
    pairs = len(order) * axes.shape[1] * (len(moves.moves) + len(moves.followed))
    if pairs > _MOST_PAIRS:
        raise LimitError(
            "under these moves {pairs:,} comparisons of two positions of the table are needed: expected at most "
            "{most:,}, so ask for a smaller size",
            pairs,
            _MOST_PAIRS,
            limit="size",
        )
    option_values: dict[int, np.ndarray] = {}
    direct, followed = (_move_formulas(texts, moves.names) for texts in (moves.moves, moves.followed))
    for index in order.tolist():
        reached = np.unique(values[_ends(direct, axes, index) & (values >= 0)])
        for earlier in np.flatnonzero(_ends(followed, axes, index) & (values >= 0)).tolist():
            reached = np.union1d(reached, option_values[earlier])
        if followed:
            option_values[index] = reached
        gaps = np.flatnonzero(reached != np.arange(len(reached)))
        values[index] = 1 if misere and not len(reached) else int(gaps[0]) if len(gaps) else len(reached)


def _ends(moves: list[Formula], axes: np.ndarray, index: int) -> np.ndarray:
    """Return for each position of a table whether one of the moves leads to it from the position at ``index``.

    ``axes[:, i]`` has the numbers of the position at the index i.
    """
    start = np.broadcast_to(axes[:, index : index + 1], axes.shape)
    reached = np.zeros(axes.shape[1], bool)
    for move in moves:
        reached |= _holds(move, np.concatenate([start, axes]))
    return reached


_MOST_A_ROW = 3
""":func:`declared_p_positions` stops after this many times ``size`` P-positions: each takes a pass over the table."""


def declared_p_positions(game: DeclaredMoves, size: int) -> np.ndarray | None:
    """Return a boolean table: which positions with numbers below ``size`` are P under normal play.

    The result is None if there are more than 3 * size P-positions, if the statements cannot be evaluated for arrays, if
    one of ``game.weights`` is negative, or if ``game.followed`` is not empty: see :class:`DeclaredMoves`.

    Positions are taken in order of the weighted sum of their numbers, which every move decreases. A position without a
    move to an earlier P-position is P, and then all positions with a move to it are marked as N. Moves out of the table
    are ignored: if there are any, entries may be wrong.

    Examples
    --------
    >>> nim = DeclaredMoves(("a", "b"), ("a' < a and b' = b", "a' = a and b' < b"))
    >>> declared_p_positions(nim, 3).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    axes = np.meshgrid(*[np.arange(size)] * len(game.names), indexing="ij", sparse=True)
    shape = (size,) * len(game.names)
    allowed = Formula(game.positions, game.names).of_arrays(*axes)
    if allowed is None or game.followed or min(game.weights) < 0:
        return None
    open_ = np.array(np.broadcast_to(allowed, shape))
    is_p = np.zeros(shape, bool)
    totals = sum(weight * axis for weight, axis in zip(game.weights, axes, strict=True))
    order = np.argsort(np.ravel(totals), kind="stable")
    moves = _move_formulas(game.moves, game.names)
    # A position that is still open is P, because it has no move to a P-position with a smaller total.
    for index in order[open_.ravel()[order]]:
        if not open_.flat[index]:
            continue
        if is_p.sum() >= _MOST_A_ROW * size:
            return None
        end = np.unravel_index(index, shape)
        is_p[end] = True
        for move in moves:
            before = move.of_arrays(*axes, *map(np.asarray, end))
            if before is None:
                return None
            open_ &= ~before
    return is_p


_LOOSE = re.compile(r"\b(or|if)\b")
"""Matches the operators that need parentheses before ``and``."""


def side_by_side(parts: Iterable[DeclaredMoves]) -> DeclaredMoves:
    """Return the moves of a sum: a move in one part leaves the numbers of all other parts as they are.

    The numbers of the sum get new names. A single part is returned unchanged. If there are several parts, each must
    have empty ``followed`` and ``starts`` (see :class:`DeclaredMoves`); this is not checked.

    >>> heap = DeclaredMoves(("n",), ("n' < n",))
    >>> side_by_side([heap, heap]).moves
    ("a' < a and b' = b", "b' < b and a' = a")
    """
    games = list(parts)
    if len(games) == 1:
        return games[0]
    names = number_names(sum(len(part.names) for part in games))
    rest, where = iter(names), []
    moves: list[str] = []
    followed: list[str] = []
    for part in games:
        own = {name: next(rest) for name in part.names}
        unchanged = "".join(f" and {name}' = {name}" for name in names if name not in own.values())
        for texts, whole in ((part.moves, moves), (part.followed, followed)):
            own_texts = (renamed(text, own) for text in texts)
            whole += [f"{f'({text})' if _LOOSE.search(text) else text}{unchanged}" for text in own_texts]
        where.append(f"({renamed(part.positions, own)})")
    weights = tuple(chain.from_iterable(part.weights for part in games))
    return DeclaredMoves(names, tuple(moves), " and ".join(where), weights, tuple(followed))
