"""Random rules as statements: brute force on four times the range checks each law that is reported as proved.

``python -m tests.fuzz.fuzz_laws 500 --from 0`` tries the rules of the seeds 0 to 499; a failure names its seed.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from itertools import product
from operator import mul

import numpy as np

from graphgame.errors import GraphGameError
from graphgame.labs.laws.formulas import Formula, after
from graphgame.labs.laws.laws import Law, law_table, laws_of
from graphgame.rules.declared import DeclaredMoves

_SIZES = {1: 60, 2: 20}


def random_rules(seed: int) -> str:
    """Return moves of one heap or two as statements."""
    chance = random.Random(seed)
    if chance.random() < 0.4:
        moves = [_one_heap(chance) for _ in range(chance.randint(1, 3))]
    else:
        moves = [_two_heaps(chance) for _ in range(chance.randint(2, 4))]
    if chance.random() < 0.2:
        name = "n" if "n'" in moves[0] else "a + b"
        moves = [f"{name} > {chance.randint(1, 4)} and {move}" for move in moves]
    return "; ".join(moves)


def _one_heap(chance: random.Random) -> str:
    some = ", ".join(str(chance.randint(1, 9)) for _ in range(chance.randint(1, 4)))
    return chance.choice(
        (
            f"n - n' in {{{some}}}",
            f"n' < n and n - n' <= {chance.randint(1, 8)}",
            f"n' < n and (n - n') % {chance.randint(2, 5)} = {chance.randint(0, 2)}",
            f"n' < n and n' = n // {chance.randint(2, 4)}",
            f"n' < n and 2*n' >= n - {chance.randint(0, 3)}",
            f"n' < n and n % {chance.randint(2, 4)} = {chance.randint(0, 1)}",
            f"n' < n and n - n' != {chance.randint(1, 4)}",
        )
    )


def _two_heaps(chance: random.Random) -> str:
    one, two, small = chance.randint(1, 3), chance.randint(1, 3), chance.randint(0, 3)
    first, second = chance.choice((("a", "b"), ("b", "a")))
    return chance.choice(
        (
            f"{first}' < {first} and {second}' = {second}",
            f"{first}' < {first} and {second}' = {second}",
            f"{first}' = {first} - {one} and {second}' = {second} - {two}",
            f"{first}' = {first} - {one} and {second}' = {second}",
            f"a' < a and {one}*(a - a') = {two}*(b - b')",
            f"a' < a and b' < b and abs(a - a' - b + b') <= {small}",
            f"{first}' < {first} and {second}' = min({second}, {first}')",
            f"{first} >= {second} and {first}' < {first} and {second}' = {second}",
            f"{first}' < {first} and {second}' <= {second} and {first}' + {second}' = {small}",
        )
    )


def fault_of(law: Law, moves: DeclaredMoves, size: int) -> str | None:
    """Return a message about the first position, with all numbers below ``size``, at which a law is wrong, or None."""
    names = (*moves.names, *map(after, moves.names))
    said = [Formula(text, names) for text in moves.moves]
    ends = np.indices((size,) * len(moves.names))
    values = np.full(ends.shape[1:], -1)
    places = product(range(size), repeat=len(moves.names))
    for place in sorted(places, key=lambda place: sum(map(mul, place, moves.weights))):
        box = tuple(slice(number + 1) for number in place)  # these rules let no number grow
        given = [np.full(values[box].shape, number) for number in place]
        reached = [each.of_arrays(*given, *(axis[box] for axis in ends)) for each in said]
        options = np.any(reached, axis=0)
        seen = set(values[box][options].tolist())
        value = next(value for value in range(len(seen) + 1) if value not in seen)
        values[place] = value
        if law.about == "rows" and place[0] >= len(law.evidence.rows.rows):
            continue
        if law.of_moves:
            told = {end for end in map(tuple, np.argwhere(options).tolist()) if law(*place, *end)}
            wins = set(map(tuple, np.argwhere(options & (values[box] == 0)).tolist()))
            if told != wins and (law.about == "winning moves" or not told or not told < wins):
                return f"{law.text} at {place}: {told}, and {wins} win"
        elif law(*place) != (value == 0 if law.about == "P-positions" else value):
            return f"{law.text} at {place}: {law(*place)}, and the value is {value}"
    return None


def main() -> None:
    """Try rules, and stop at the first law that is called proved and is false."""
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("--from", type=int, default=0, dest="first")
    given, counted = parser.parse_args(), Counter()
    for seed in range(given.first, given.first + given.count):
        text = random_rules(seed)
        try:
            seen = law_table(text, size=_SIZES[(text.count("a'") and 2) or 1])
        except GraphGameError as error:
            counted[type(error).__name__] += 1
            continue
        found = laws_of(seen)
        counted.update(f"{law.about} {law.status}" for law in found)
        counted["none"] += not found
        for law in found:
            if law.status == "proved" and (fault := fault_of(law, seen.moves, 4 * len(seen.values))):
                raise SystemExit(f"seed {seed}: {text}: {fault}")
    print(dict(counted))


if __name__ == "__main__":
    main()
