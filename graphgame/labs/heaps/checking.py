"""Check certificates of periods.

If the game has finitely many amounts, its moves leave at most two heaps, and the stated values are below 2**16, the
loop in this module checks the values. It does not use the loops that computed them. For other certificates the values
are computed again by trying every move.

The loop checks two things for each heap: no option has the heap's stated value, and the options have all smaller
values. By induction, all stated values are then right.

The loop skips most splits. Call a value v rare if ``v & mask`` has an even number of ones, and common otherwise. (In
some games this is reversed for all odd heaps, or for all even heaps.) A split into two heaps of common value has a rare
value. So if the stated value of a heap is common, no such split can have it: the loop tries these splits only until it
has met an option of each smaller value. Splits with a heap of rare value are always tried.
"""

from __future__ import annotations

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined, runner
from graphgame.compiled.engine import in_threads, report, threads
from graphgame.errors import Message, wrong_value
from graphgame.labs.heaps.loops import Moves
from graphgame.labs.heaps.periods import PeriodCertificate, Splits, Theorem
from graphgame.labs.heaps.rules import HeapRules, TakeAndBreak
from graphgame.labs.heaps.sparse import choose_space, in_blocks
from graphgame.labs.heaps.storage import check_heap
from graphgame.labs.heaps.values import Run

_HEAPS_A_CALL = 1 << 16
"""The number of heaps that one thread checks in one call."""


def fault_of(name: str, rules: HeapRules, certificate: PeriodCertificate, run: Run) -> str | None:
    """Return a sentence about the first fault of the certificate, or None if everything that it states is right.

    ``name`` and ``rules`` are those of the game; the name of the game in the certificate is not compared. ``run`` has
    the engine and the progress callback. Raise a ParameterError or a LimitError if the proof needs heaps that are too
    large.
    """
    if not isinstance(certificate, PeriodCertificate):
        raise wrong_value("certificate", certificate, Message("a certificate of a period"))
    proof, n0, p = rules.proof(certificate.saltus), certificate.preperiod, certificate.period
    if proof is None:
        return Message(
            "graphgame knows no theorem that proves a period of {name} with saltus {saltus}", name, certificate.saltus
        )
    if min(n0, p - 1) < 0 or len(certificate.values) != n0 + p:
        return Message(
            "the numbers of the certificate contradict each other: expected preperiod >= 0, period >= 1, and preperiod "
            "+ period values"
        )
    needed = certificate.last_heap
    if isinstance(proof, Theorem):
        needed = proof.last_heap(n0, p)
    if needed != certificate.last_heap:
        return Message(
            "the proof needs the heaps up to {needed}, but the certificate names {last_heap}",
            needed,
            certificate.last_heap,
        )
    check_heap(needed)
    stated = certificate.values_to(needed)
    values = stated
    if isinstance(rules, TakeAndBreak) and rules.parts <= 2 and stated.dtype in (np.uint8, np.uint16):
        wrong = _first_wrong(rules, stated, run)
        if wrong is not None:
            values = np.asarray(rules.extend(stated[:wrong], wrong + 1, Run(run.engine, dense=True)))
    else:
        values = np.asarray(rules.extend(np.zeros(0, np.uint8), needed + 1, run._replace(dense=True)))
        different = np.flatnonzero(values != stated)
        wrong = int(different[0]) if len(different) else None
    if wrong is not None:
        return Message("heap {wrong} has the value {values}, not {stated}", wrong, values[wrong], stated[wrong])
    if isinstance(proof, Splits) and proof.last_heap(values, n0, p, certificate.saltus) != needed:
        return Message(
            "last_heap {needed} is wrong in the certificate: the moves of the heaps up to it do not prove the period, "
            "or fewer heaps are enough",
            needed,
        )
    if certificate.theorem != proof.statement:
        return Message(
            "the certificate names the wrong theorem; this one proves the period: {statement}", proof.statement
        )
    return certificate.excess()


def _first_wrong(rules: TakeAndBreak, values: Array, run: Run) -> int | None:
    """Return the least heap whose stated value is wrong; None if each value is the mex of the options' values.

    ``values`` has the stated values of the heaps 0, 1, ... ``run`` has the engine and the progress callback.
    """
    immovable = np.flatnonzero(values[: rules.least])
    if len(immovable):
        return int(immovable[0])
    moves = Moves.of(rules.leaves, bool(rules.kind))
    rare = _rare_values(values, moves.splitting)
    # Each block starts with an even heap, so a heap and its index in the block have the same parity.
    rares = [np.flatnonzero(rare[np.arange(len(block)) & 1, block]) + start for start, block in in_blocks(values)]
    of_rare_value = np.concatenate([np.zeros(0, np.int64), *rares])
    of_rare_value = of_rare_value[of_rare_value > 0]
    loop = runner(_check_loop, len(values) * len(rules.leaves), run.engine)

    def check(start: int) -> int:
        stop = min(start + _HEAPS_A_CALL, len(values))
        return int(loop(values, start, stop, moves, rare, of_rare_value, np.zeros(rare.shape[1], np.int64)))

    starts = range(rules.least, len(values), _HEAPS_A_CALL)
    for first in range(0, len(starts), threads()):
        for start, reached in zip(now := starts[first : first + threads()], in_threads(check, now), strict=True):
            if reached < min(start + _HEAPS_A_CALL, len(values)):
                return reached
        report(run.progress, now[-1], len(values))
    return None


def _rare_values(values: Array, splitting: Array) -> Array:
    """Return an array ``rare``: ``rare[n & 1, v]`` is 1 if value v is rare at heap n, and otherwise 0.

    ``values`` has the values of the heaps 0, 1, ..., and ``splitting`` the amounts that may leave two heaps. Of all
    sparse spaces, use the one in which the fewest of these heaps have a rare value. If no move splits a heap, no value
    is rare.
    """
    size = int(values.max(initial=0)) + 1
    if not len(splitting):
        return np.zeros((2, size), np.uint8)
    space = choose_space(values, splitting)
    odd_bits = np.array([(value & space.mask).bit_count() & 1 for value in range(size)])
    # In some spaces rare and common change places at every second heap. This works only if all splits take even
    # amounts, or all take odd amounts.
    same_parity = len(set((splitting & 1).tolist())) == 1
    parity = np.array([[0], [1]]) ^ int(splitting[0] & 1) if space.step and same_parity else np.zeros((2, 1), np.int64)
    rare: Array = (odd_bits ^ parity ^ 1).astype(np.uint8)
    return rare


@compiled
def _check_loop(values: Array, start: int, stop: int, moves: Moves, rare: Array, rares: Array, met: Array) -> int:
    """Return the first of the heaps ``start`` to ``stop - 1`` whose value is not the mex of its options' values.

    Return ``stop`` if there is none. ``rare[n & 1, v]`` says whether value v is rare at heap n. ``rares`` lists all
    rare heaps but heap 0. ``met`` is work memory for :func:`_meet`: an entry for each value, all 0 at the start.
    """
    amounts, leaves, unequal = moves.amounts, moves.leaves, moves.unequal
    for n in range(start, stop):
        value = int(values[n])
        # The number of smaller values that no option had so far. It becomes huge if an option has the heap's value.
        missing = value
        for i in range(len(amounts)):
            rest = n - amounts[i]
            if (rest == 0 and leaves[i] & 1) or (rest > 0 and leaves[i] & 2):
                missing -= _meet(int(values[rest]), value, n, met)
        for i in range(len(amounts)):
            if leaves[i] & 4:
                rest = n - amounts[i]
                for j in range(len(rares)):
                    part = rares[j]
                    if part >= rest:
                        break
                    if not (unequal and part + part == rest):
                        missing -= _meet(int(values[part]) ^ int(values[rest - part]), value, n, met)
        # The remaining splits have two common parts, so they have a rare value. If the value of this heap is rare, all
        # of them must be tried; otherwise they are tried only while smaller values are missing.
        part = 1
        while part + part <= n and (missing > 0 or rare[n & 1, value]):
            for i in range(len(amounts)):
                rest = n - amounts[i]
                if leaves[i] & 4 and part + part <= rest - unequal:
                    missing -= _meet(int(values[part]) ^ int(values[rest - part]), value, n, met)
            part += 1
        if missing:
            return n
    return stop


@inlined
def _meet(option: int, value: int, n: int, met: Array) -> int:
    """Record in ``met`` that an option of heap n has the value ``option``, if this is below ``value``.

    ``value`` is the stated value of heap n. Return 1 if ``option`` was recorded for the first time, -2**40 if it equals
    ``value``, so that the stated value is wrong, and otherwise 0.
    """
    if option == value:
        return -(1 << 40)  # so ``missing``, from which it is subtracted, cannot become 0 again
    if option > value or met[option] == n + 1:
        return 0
    met[option] = n + 1
    return 1
