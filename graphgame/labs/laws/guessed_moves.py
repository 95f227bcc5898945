"""Guess the moves of rules that declare none, as statements or a code such as 0.77, from options of small positions.

The arguments ``name`` and ``names`` are the names that the statements use for the numbers of a position. For one
number, the position is called a heap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, product
from operator import sub

import numpy as np

from graphgame.errors import GraphGameError
from graphgame.labs.heaps.codes import recognised
from graphgame.labs.heaps.games import game, rule, subtraction
from graphgame.labs.heaps.heapgame import HeapGame
from graphgame.labs.laws.candidates import one_of, simplest
from graphgame.labs.laws.claims import lowering_weights
from graphgame.labs.laws.declared_moves import Cells, ends_of, whole_of
from graphgame.labs.laws.formulas import after
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.ruleset import Sum

_MOST_AMOUNTS = 16
"""Maximum number of amounts that a statement lists, and of steps that get a statement each."""

_MODULI = (1, 2, 3, 4, 5, 6)
_TIMES_AS_FAR = 3
"""Amounts or steps are listed only if the table goes at least this many times as far as the largest of them."""

Tuple = tuple[int, ...]
_Ends = Mapping[Tuple, set[Tuple]]


def moves_alike(names: tuple[str, ...], cells: Cells) -> DeclaredMoves | None:
    """Return moves as statements that give exactly the options of all positions of a table; None if none are found.

    Beyond the table, the rules may have other options. So a proof for these moves is not a proof for the rules.
    """
    options = _options(cells)
    if options is None:
        return None
    try:
        texts = _of_one(options, names[0]) if len(names) == 1 else _of_several(options, names)
        return None if not texts else lowering_weights(DeclaredMoves(names, tuple(texts)))
    except GraphGameError:
        return None


def code_alike(cells: Cells) -> HeapGame | None:
    """Return the heap game with a code such as 0.77 whose small heaps have the options of ``cells``, or None.

    If the code is finite and has only the digits 0 and 3, the result is the subtraction game with these moves.

    >>> from graphgame.labs.laws.sources import cells_of
    >>> code_alike(cells_of("kayles(n)", ("n",), ((n,) for n in range(20)))).name
    'octal{0.77}'
    """
    if any(tuple(part.position for part in cell) != numbers[:1] or len(numbers) > 1 for numbers, cell in cells.items()):
        return None
    ruleset = next(iter(cells.values()))[0].ruleset
    if ruleset.decides:
        return None
    code_rule = recognised(rule(ruleset.options))
    if code_rule is None:
        return None
    digits = code_rule.code.code.removeprefix("0.")
    amounts = [amount for amount, digit in enumerate(digits, 1) if digit == "3"]
    return subtraction(amounts) if {*digits} <= {"0", "3"} else game(code_rule.code.code)


def _options(cells: Cells) -> dict[Tuple, set[Tuple]] | None:
    """Map each position of a table, as a tuple of its numbers, to the set of its options, as such tuples.

    Return None if an option is not in the table or is a sum, or if two positions of the table are equal by symmetry.
    """
    numbers_of = {whole_of(components): numbers for numbers, components in cells.items()}
    if len(numbers_of) < len(cells):
        # Some positions are equal by symmetry. Then an option does not determine the numbers after a move.
        return None
    options_of: dict[Tuple, set[Tuple]] = {}
    for numbers, components in cells.items():
        options = list(ends_of(components))
        if any(type(part.position) is Sum for option in options for part in option):
            return None
        ends = [numbers_of.get(whole_of(option)) for option in options]
        if None in ends:
            return None
        options_of[numbers] = {end for end in ends if end is not None}
    return options_of


def _of_one(options: _Ends, name: str) -> list[str] | None:
    """Return statements for the moves of a game of one number; None if no statements tried give exactly these moves."""
    heaps = np.array([heap for (heap,) in options])
    table = np.zeros((heaps.max() + 1,) * 2, bool)
    for (heap,), ends in options.items():
        table[heap, [end for (end,) in ends]] = True
    if np.triu(table).any():
        return None
    for modulus in _MODULI:
        texts = []
        for rest in range(modulus):
            # Heaps with different remainders may have different moves. Then there is a statement for each remainder.
            text = _amounts_text(table, heaps[heaps % modulus == rest], name)
            if text is None:
                break
            if text:
                text = f"({text})" if " or " in text and modulus > 1 else text
                texts.append(f"{name} % {modulus} = {rest} and {text}" if modulus > 1 else text)
        else:
            return texts
    return None


def _amounts_text(table: np.ndarray, some: np.ndarray, name: str) -> str | None:
    """Return the text of a statement about the moves from the heaps ``some``, such as "n' = n - 1".

    ``table[heap, end]`` is True if a move leads from ``heap`` to ``end``. The result is "" if these heaps have no
    moves, and None if no statement tried gives exactly their moves, or if there are too few of these heaps.
    """
    if len(some) <= 2 * _MOST_AMOUNTS:
        return None
    known = np.zeros_like(table)
    known[some] = True
    heaps, ends = np.nonzero(table & known)
    if not len(heaps):
        return ""
    texts = chain(_infinite_ways(heaps - ends, name), _finite_ways(heaps, ends, int(some.max()), name))
    formula, _ = simplest(texts, (name, after(name)), table, known)
    return None if formula is None else formula.text


def _infinite_ways(amounts: np.ndarray, name: str) -> Iterator[str]:
    """Yield statements that may describe the moves, in this order.

    A move from a heap n takes any amount; at most n/d, (n + 1)/d or (n - 1)/d, for a divisor d; or any amount whose
    remainder by d is that of some amount in ``amounts``.
    """
    lower, taken = f"{name}' < {name}", f"{name} - {name}'"
    yield lower
    for divisor, more in product(range(2, 6), ("", " + 1", " - 1")):
        yield f"{lower} and {divisor}*({taken}) <= {name}{more}"
    for divisor in range(2, 9):
        yield f"{lower} and {one_of(f'({taken}) % {divisor}', np.unique(amounts % divisor).tolist())}"


def _finite_ways(heaps: np.ndarray, ends: np.ndarray, last: int, name: str) -> Iterator[str]:
    """Yield statements that may describe the moves from ``heaps[i]`` to ``ends[i]``; ``last`` is the largest heap.

    A move takes one of finitely many amounts, leaves nothing, or leaves a fixed fraction of the heap, rounded down. A
    statement is for one of these three kinds, or for the first kind and one of the other two.
    """
    halves = ((each, f"{name} // {each}") for each in (2, 3, 4))
    for divisor, part in ((0, ""), (last + 1, "0"), *halves):
        few = np.unique((heaps - ends)[ends != heaps // divisor] if divisor else heaps - ends).tolist()
        if len(few) > _MOST_AMOUNTS or _TIMES_AS_FAR * max(few, default=0) > last:
            continue
        statements = [one_of(f"{name} - {name}'", few)] if few else []
        statements += [f"{name}' = {part} and {name} > 0"] if divisor else []
        yield statements[0] if len(statements) == 1 else " or ".join(f"({each})" for each in statements)


def _of_several(options: _Ends, names: tuple[str, ...]) -> list[str] | None:
    """Return statements that give exactly the moves of a game of several numbers; None if none of those tried do."""
    size = max(map(max, options)) + 1
    ways = [way for way in product((0, 1), repeat=len(names)) if any(way)]
    # First find the directions in which all moves are possible. The remaining moves must have few different steps, all
    # much smaller than the table.
    lines = [way for way in ways if all(_along(start, way) <= ends for start, ends in options.items())]
    on_lines = {start: set().union(*(_along(start, way) for way in lines)) for start in options}
    single = {tuple(map(sub, start, end)) for start, ends in options.items() for end in ends - on_lines[start]}
    farthest = max(map(abs, chain.from_iterable(single)), default=0)
    if len(single) > _MOST_AMOUNTS or farthest * _TIMES_AS_FAR > size:
        return None
    for start, ends in options.items():
        steps = (tuple(map(sub, start, step)) for step in single)
        if on_lines[start] | {end for end in steps if min(end) >= 0 and max(end) < size} != ends:
            return None
    return [*(_line_text(way, names) for way in lines), *(_step_text(step, names) for step in sorted(single))]


def _along(start: Tuple, way: Tuple) -> set[Tuple]:
    far = min(number for number, part in zip(start, way, strict=True) if part)
    return {tuple(number - step * part for number, part in zip(start, way, strict=True)) for step in range(1, far + 1)}


def _line_text(way: Tuple, names: tuple[str, ...]) -> str:
    first = names[way.index(1)]
    others = ((name, part) for name, part in zip(names, way, strict=True) if name != first)
    parts = (f"{first} - {first}' = {name} - {name}'" if part else f"{name}' = {name}" for name, part in others)
    return " and ".join([f"{first}' < {first}", *parts])


def _step_text(step: Tuple, names: tuple[str, ...]) -> str:
    ends = (f" {'+-'[part > 0]} {abs(part)}" if part else "" for part in step)
    return " and ".join(f"{name}' = {name}{end}" for name, end in zip(names, ends, strict=True))
