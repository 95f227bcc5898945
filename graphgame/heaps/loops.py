"""The loops over heaps; each runs compiled by numba, or as plain Python on the same memory.

A game's moves are two arrays: ``amounts``, in increasing order, and ``leaves``, which says for each amount what one
may leave: bit k stands for k heaps. ``marks`` holds at v the number of the last heap (from 1) that has an option of
value v. Each loop fills ``values[start:stop]`` and returns the heap where it stopped: less than ``stop`` where
``marks`` is too short for the value of that heap.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from graphgame.engine import use_compiled

__all__ = ["Array", "all_but_loop", "dense_loop", "many_loop", "runner", "sparse_loop", "tail_matches"]

Array = np.ndarray[Any, Any]
Loop = Callable[..., int]

CHUNK = 128
"""Splits tried before the next look at what is left to find."""


def runner(loop: Loop, work: int, engine: str) -> Loop:
    """Return a loop in the form that fits the work, about as many steps as it will take."""
    return _compiled(loop) if use_compiled(work, engine) else lambda *arguments: loop(*map(_memory, arguments))


@cache
def _compiled(loop: Loop) -> Loop:
    from graphgame.kernels import compiled

    return compiled(loop)


def _memory(argument: object) -> object:
    """Return an array's memory, whose items plain Python reads and writes faster than the array's own."""
    return argument.data if isinstance(argument, np.ndarray) else argument


def dense_loop(values: Array, start: int, stop: int, amounts: Array, leaves: Array, unequal: bool, marks: Array) -> int:
    """Try every move that leaves at most two heaps."""
    for n in range(start, stop):
        for i in range(len(amounts)):
            rest = n - amounts[i]
            if rest < 0:
                break
            if leaves[i] & 1 and rest == 0:
                marks[0] = n + 1
            if leaves[i] & 2 and rest > 0:
                marks[values[rest]] = n + 1
            if leaves[i] & 4:
                for a in range(1, (rest + 1) // 2 if unequal else rest // 2 + 1):
                    marks[values[a] ^ values[rest - a]] = n + 1
        v = 0
        while v < len(marks) and marks[v] == n + 1:
            v += 1
        if v == len(marks):
            return n
        values[n] = v
    return stop


def sparse_loop(
    values: Array,
    start: int,
    stop: int,
    amounts: Array,
    leaves: Array,
    unequal: bool,
    odd: Array,
    step: int,
    shift: int,
    rares: Array,
    rare_values: Array,
    count: Array,
    marks: Array,
) -> int:
    """Try the splits that have a rare part, and of the others only as many as the value depends on.

    A value v is common at heap n if ``odd[v]`` differs from the parity of ``step * (n + shift)``, else rare. Two
    common parts never leave a common value, so the least common value that no other option has bounds the mex.
    ``rares[:count[0]]`` are the rare heaps below ``start``, in increasing order, without heap 0.
    """
    for n in range(start, stop):
        flip = step & (n + shift)
        for i in range(len(amounts)):
            rest = n - amounts[i]
            if rest < 0:
                break
            if leaves[i] & 1 and rest == 0:
                marks[0] = n + 1
            if leaves[i] & 2 and rest > 0:
                marks[values[rest]] = n + 1
            if leaves[i] & 4:
                smaller = count[0]
                while smaller > 0 and rares[smaller - 1] >= rest:
                    smaller -= 1
                for j in range(smaller):
                    a = rares[j]
                    if not unequal or a + a != rest:
                        marks[rare_values[j] ^ values[rest - a]] = n + 1

        value = 0
        while value < len(marks) and marks[value] == n + 1:
            value += 1
        bound = value
        while bound < len(marks) and (marks[bound] == n + 1 or odd[bound] == flip):
            bound += 1
        if bound == len(marks):
            return n
        begin = 1
        while value < bound and begin <= n // 2:
            for i in range(len(amounts)):
                rest = n - amounts[i]
                if leaves[i] & 4:
                    end = min(begin + CHUNK, (rest + 1) // 2 if unequal else rest // 2 + 1)
                    for a in range(begin, end):
                        marks[values[a] ^ values[rest - a]] = n + 1
            begin += CHUNK
            while value < bound and marks[value] == n + 1:
                value += 1
        values[n] = value
        if odd[value] == flip and n > 0:
            rares[count[0]] = n
            rare_values[count[0]] = value
            count[0] += 1
    return stop


def many_loop(values: Array, start: int, stop: int, amounts: Array, leaves: Array, reached: Array, marks: Array) -> int:
    """Try every move, for games that leave three heaps or more.

    ``reached[k - 2, n, v]`` tells whether n splits into k heaps of value v together.
    """
    most = len(reached) + 1
    size = len(marks)
    for n in range(start, stop):
        for parts in range(2, most + 1):
            for a in range(1, n // parts + 1):
                if parts == 2:
                    reached[0, n, values[a] ^ values[n - a]] = 1
                else:
                    for v in range(size):
                        if reached[parts - 3, n - a, v]:
                            reached[parts - 2, n, v ^ values[a]] = 1
        for i in range(len(amounts)):
            rest = n - amounts[i]
            if rest < 0:
                break
            if leaves[i] & 1 and rest == 0:
                marks[0] = n + 1
            if leaves[i] & 2 and rest > 0:
                marks[values[rest]] = n + 1
            for parts in range(2, most + 1):
                if leaves[i] >> parts & 1:
                    for v in range(size):
                        if reached[parts - 2, rest, v]:
                            marks[v] = n + 1
        v = 0
        while v < size and marks[v] == n + 1:
            v += 1
        if v == size:
            return n
        values[n] = v
    return stop


def all_but_loop(values: Array, start: int, stop: int, excluded: Array, counts: Array, seen: Array, used: int) -> int:
    """Find values when one may take any number but those excluded.

    A value below ``used``, the least that no heap has yet, is no option's if only excluded moves lead to it:
    ``counts`` says how many heaps have a value; ``seen`` (zeros) counts those that excluded moves lead to.
    """
    for n in range(start, stop):
        value = used
        for i in range(len(excluded)):
            if excluded[i] > n:
                break
            v = values[n - excluded[i]]
            seen[v] += 1
            if seen[v] == counts[v] and v < value:
                value = v
        for i in range(len(excluded)):
            if excluded[i] > n:
                break
            seen[values[n - excluded[i]]] = 0
        values[n] = value
        counts[value] += 1
        if value == used:
            used += 1
    return stop


def tail_matches(sequence: Array, lengths: Array) -> int:
    """Fill ``lengths[p]`` with how many of the last items equal the items p places before them; for all p > 0.

    This is the Z-function of the sequence read from its end; returns the number of items.
    """
    size = len(sequence)
    last = size - 1
    left = 0
    right = 0
    for p in range(1, size):
        length = min(lengths[p - left], right - p) if p < right else 0
        while p + length < size and sequence[last - length] == sequence[last - p - length]:
            length += 1
        if p + length > right:
            left = p
            right = p + length
        lengths[p] = length
    return size
