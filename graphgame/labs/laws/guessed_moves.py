"""Guess moves that the rules do not declare, as statements or a code such as 0.77, from options of small positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, product
from operator import sub

from graphgame.errors import GraphGameError
from graphgame.labs.heaps.codes import recognised
from graphgame.labs.heaps.games import game, rule, subtraction
from graphgame.labs.heaps.heapgame import HeapGame
from graphgame.labs.laws.candidates import one_of
from graphgame.labs.laws.claims import lowering_weights
from graphgame.labs.laws.declared_moves import Cells, ends_of, whole_of
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.ruleset import Sum

_MOST_AMOUNTS = 16
"""Maximum number of amounts to take, or steps, that a statement lists."""

_MODULI = (1, 2, 3, 4, 5, 6)
_TIMES_AS_FAR = 3
"""A table must go this many times as far as the largest amount, to conclude that there are only finitely many."""

Tuple = tuple[int, ...]
_Ends = Mapping[Tuple, set[Tuple]]


def moves_alike(names: tuple[str, ...], cells: Cells) -> DeclaredMoves | None:
    """Return moves as statements that give the options of all positions of a table; None if no statements are found.

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
    """Return the heap game with a code such as 0.77 that gives small heaps the same options; None if there is none.

    >>> from graphgame.labs.laws.sources import cells_of
    >>> code_alike(cells_of("kayles(n)", ("n",), ((n,) for n in range(20)))).name
    'octal{0.77}'
    """
    if any(len(numbers) > 1 or len(cell) > 1 or cell[0].position != numbers[0] for numbers, cell in cells.items()):
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
    """Map the numbers of each position of a table to those of its options; None if an option is not in the table."""
    numbers_of: dict[object, Tuple] = {}
    for numbers, components in cells.items():
        numbers_of.setdefault(whole_of(components), numbers)
    if len(numbers_of) < len(cells):
        # Some positions are equal by symmetry. Then no statement about numbers can describe the moves.
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
    """Return statements for the moves of a game of one number; None if no statements fit."""
    amounts = {heap: {heap - end for (end,) in ends} for (heap,), ends in options.items()}
    if min((amount for each in amounts.values() for amount in each), default=0) <= 0:
        return None
    for modulus in _MODULI:
        texts = []
        for rest in range(modulus):
            some = {heap: each for heap, each in amounts.items() if heap % modulus == rest}
            # Heaps with different remainders may have different moves. Then there is a statement for each remainder.
            text = _amounts_text(some, name) if len(some) > 2 * _MOST_AMOUNTS else None
            if text is None:
                break
            if text:
                text = f"({text})" if " or " in text and modulus > 1 else text
                texts.append(f"{name} % {modulus} = {rest} and {text}" if modulus > 1 else text)
        else:
            return texts
    return None


def _amounts_text(amounts: Mapping[int, set[int]], name: str) -> str | None:
    """Return a statement for the amounts that may be taken from each heap.

    The result is "" if there are no moves, and None if no statement fits.
    """
    if not any(amounts.values()):
        return ""
    ways = chain(_infinite_ways(amounts, name), _finite_ways(amounts, name))
    return next((text for text, allowed in ways if allowed == amounts), None)


def _infinite_ways(amounts: Mapping[int, set[int]], name: str) -> Iterator[tuple[str, dict[int, set[int]]]]:
    """Yield pairs of a statement and a dictionary: heap -> the amounts that the statement allows.

    The statements: take any amount, any amount up to a fraction of the heap, or the amounts with certain remainders by
    a divisor.
    """
    taken = f"{name} - {name}'"
    every = {heap: set(range(1, heap + 1)) for heap in amounts}
    yield f"{name}' < {name}", every
    for divisor, more in product(range(2, 6), (0, 1, -1)):
        most = f"{divisor}*({taken}) <= {name}" + (f" {'+-'[more < 0]} 1" if more else "")
        yield f"{name}' < {name} and {most}", {heap: set(range(1, (heap + more) // divisor + 1)) for heap in amounts}
    for divisor in range(2, 9):
        rests = {amount % divisor for each in amounts.values() for amount in each}
        statement = f"{name}' < {name} and {one_of(f'({taken}) % {divisor}', sorted(rests))}"
        yield (
            statement,
            {heap: {amount for amount in some if amount % divisor in rests} for heap, some in every.items()},
        )


def _finite_ways(amounts: Mapping[int, set[int]], name: str) -> Iterator[tuple[str, dict[int, set[int]]]]:
    """Yield pairs of a statement and a dictionary: heap -> the amounts that the statement allows.

    The statements: take one of finitely many amounts, or leave a fixed fraction of the heap, or both.
    """
    last = max(amounts)
    for divisor, part in (
        (0, ""),
        (last + 1, f"{name}' = 0"),
        *((each, f"{name}' = {name} // {each}") for each in (2, 3, 4)),
    ):
        whole = {heap: {heap - heap // divisor} - {0} if divisor else set() for heap in amounts}
        few = sorted(set().union(*(each - whole[heap] for heap, each in amounts.items())))
        if len(few) > _MOST_AMOUNTS or _TIMES_AS_FAR * max(few, default=0) > last:
            continue
        statements = [one_of(f"{name} - {name}'", few)] if few else []
        statements += [f"{part} and {name} > 0"] if divisor else []
        text = statements[0] if len(statements) == 1 else " or ".join(f"({each})" for each in statements)
        yield text, {heap: whole[heap] | {amount for amount in few if amount <= heap} for heap in amounts}


def _of_several(options: _Ends, names: tuple[str, ...]) -> list[str] | None:
    """Return statements for the moves of a game of several numbers; None if no statements fit."""
    size = max(map(max, options)) + 1
    ways = [way for way in product((0, 1), repeat=len(names)) if any(way)]
    # First find the directions in which all moves are possible. The other moves must be a few steps that are much
    # smaller than the table.
    lines = [way for way in ways if all(_along(start, way) <= ends for start, ends in options.items())]
    on_lines = {start: set().union(*(_along(start, way) for way in lines)) for start in options}
    single = {tuple(map(sub, start, end)) for start, ends in options.items() for end in ends - on_lines[start]}
    if (
        len(single) > _MOST_AMOUNTS
        or max((abs(part) for each in single for part in each), default=0) * _TIMES_AS_FAR > size
    ):
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
    first = next(name for name, part in zip(names, way, strict=True) if part)
    parts = [f"{first}' < {first}"]
    for name, part in zip(names, way, strict=True):
        if name != first:
            parts.append(f"{first} - {first}' = {name} - {name}'" if part else f"{name}' = {name}")
    return " and ".join(parts)


def _step_text(step: Tuple, names: tuple[str, ...]) -> str:
    ends = (f" {'+-'[part > 0]} {abs(part)}" if part else "" for part in step)
    return " and ".join(f"{name}' = {name}{end}" for name, end in zip(names, ends, strict=True))
