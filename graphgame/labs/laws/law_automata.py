"""Laws that automata say: of positions, learned from a table, and of moves; and the induction that proves them."""

from __future__ import annotations

from typing import Literal

import numpy as np

from graphgame.errors import LimitError, Message
from graphgame.labs.laws.automata import Automaton
from graphgame.labs.laws.expressions import Formula
from graphgame.labs.laws.law import Law
from graphgame.labs.laws.law_claims import Decided, named_by_text, winning_moves
from graphgame.labs.laws.law_tables import LawTable
from graphgame.labs.laws.learning import is_shorter, learned
from graphgame.labs.laws.lost_tables import declared_lost
from graphgame.labs.laws.numeration import numeration_of
from graphgame.labs.laws.proving import TRACK, Proof, by_induction
from graphgame.labs.laws.tables import declared_values
from graphgame.labs.laws.winning import law_of_moves

_ENTRIES_A_CELL = 4
"""A table must have so many times as many positions as a guessed automaton has transitions, or nothing is predicted."""

_INTO_LOST = Message("these moves lead to P-positions, which are proved")
_MOST_VALUE = 16
_MOST_VALUED = 50_000
"""Values, and positions, that an automaton of positions with their values is looked for."""

_WHOLE_SIZE = 56
_NUMERATIONS = ("base 2", "Fibonacci", "base 3", "Fibonacci 2")
NUMERATIONS_OF_ONE = (*_NUMERATIONS, "base 5", "base 6", "base 7", "base 10")
_RARER = ("Fibonacci 3", "Fibonacci 4", "Fibonacci 2,2", "Fibonacci 3,2")
_FAR_PAIRS = 800
"""Where the P-positions of two numbers show no law, how far they are looked at without the values."""


def automaton_law(seen: LawTable, of_lost: bool) -> Law | None:
    """Return the law that an automaton says; None where none is found that is shorter than a list of what it says."""
    known = seen.values >= 0
    if not of_lost and not (known.all() and seen.values.max() <= _MOST_VALUE and known.sum() <= _MOST_VALUED):
        return None
    table = seen.values == 0 if of_lost else seen.values
    by_name = table.transpose(np.argsort(seen.names))
    tracks = tuple(sorted(seen.names)) if of_lost else (*sorted(seen.names), TRACK)
    for name in NUMERATIONS_OF_ONE if len(seen.names) == 1 else _NUMERATIONS:
        automaton = learned(numeration_of(name), tracks, by_name)
        if automaton is None or automaton.table.size * _ENTRIES_A_CELL > known.sum():
            continue
        proof = induction_proof(seen, automaton, of_lost)
        if proof is not None or is_shorter(automaton, table, known):
            return table_law(seen, of_lost, None, proof, automaton)
    return _law_of_far_pairs(seen) if of_lost else None


def _law_of_far_pairs(seen: LawTable) -> Law | None:
    """Return the law of the P-positions that a large table of them alone shows in any numeration, if it is proved."""
    if seen.moves is None or len(seen.moves.names) != 2 or seen.values.ndim != 2 or seen.play != "normal":
        return None
    lost = declared_lost(seen.moves, _FAR_PAIRS)
    if lost is None:
        return None
    by_name = lost.transpose(np.argsort(seen.names))
    for name in (*_NUMERATIONS, *_RARER):
        automaton = learned(numeration_of(name), tuple(sorted(seen.names)), by_name)
        if automaton is not None and automaton.table.size * _ENTRIES_A_CELL <= lost.size:
            proof = induction_proof(seen, automaton, True)
            if proof is not None:
                return table_law(seen, True, None, proof, automaton)
    return None


def induction_proof(seen: LawTable, claimed: Automaton, of_lost: bool) -> Proof | None:
    """Return the proof that a set is that of the P-positions, or of the values, of the positions that a text names."""
    moves, misere = seen.moves, seen.play == "misere"
    if moves is None:
        return None
    if not moves.starts:
        return by_induction(moves, _renamed(seen, claimed), of_lost, misere)
    try:
        values = declared_values(moves, _WHOLE_SIZE, misere=misere).transpose(np.argsort(moves.names))
    except LimitError:
        return None
    tracks = tuple(sorted((*moves.names, *([] if of_lost else [TRACK]))))
    whole = learned(claimed.numeration, tracks, values == 0 if of_lost else values)
    if whole is None:
        return None
    try:
        here, every = (named_by_text(moves, seen.names, whole, each) for each in (False, True))
        same = here.differing(claimed & every) is None
    except LimitError:
        return None
    proof = by_induction(moves, whole, of_lost, misere) if same else None
    return None if proof is None else proof._replace(whole=whole)


def moves_law(seen: LawTable, lost: Law) -> Law | None:
    """Return the law of the moves into the P-positions of a law, where it says more than that, and they are proved."""
    moves, whole = seen.moves, lost.whole or lost.as_automaton()
    if moves is None or whole is None or moves.followed:
        return None
    if lost.whole is None:
        if moves.starts:
            return None  # the law is about fewer numbers than the moves are
        whole = _renamed(seen, whole)
    proof = Proof("", steps=lost.steps) if lost.moves else by_induction(moves, whole, True, seen.play == "misere")
    if proof is None or not proof.steps:
        return None
    try:
        every, winning = winning_moves(moves, whole, seen.names)
        hidden = len(seen.names) < len(moves.names)
        if hidden and (winning & winning_moves(moves, whole, seen.names, into=False)[1]).example() is not None:
            return None  # the numbers that a text has do not tell the move
        found = law_of_moves(every, winning, seen.names)
    except LimitError:
        return None
    if found is None:
        return None
    grounds = Proof(_INTO_LOST, found.automaton, (*proof.steps, Decided(_INTO_LOST, None)), moves, None, whole)
    looked_at = seen.values[(slice(found.size),) * len(seen.names)] >= 0
    return table_law(
        seen,
        "winning moves" if found.every else "a winning move",
        found.formula,
        grounds,
        None,
        looked_at,
    )


def _renamed(seen: LawTable, claimed: Automaton) -> Automaton:
    """Return a set with the names of the declared moves."""
    assert seen.moves is not None
    return claimed.renamed(dict(zip(seen.names, seen.moves.names, strict=True)))


def table_law(
    seen: LawTable,
    about: bool | Literal["winning moves", "a winning move"],
    formula: Formula | None,
    proof: Proof | None,
    automaton: Automaton | None = None,
    known: np.ndarray | None = None,
) -> Law:
    """Return a law of a table with its proof, or with what would be proved if the rules said what its options show."""
    known = seen.values >= 0 if known is None else known
    proof, supposed = proof or Proof(""), ""
    if seen.supposed and proof.text:
        supposed = Message('proved for "{supposed}", whose moves are its options there', seen.supposed)
        proof = Proof("", proof.automaton, proof.steps, None, proof.certificate)
    return Law(
        about if isinstance(about, str) else "P-positions" if about else "values",
        seen.names,
        formula,
        automaton or proof.automaton,
        proof.text,
        int(known.sum()),
        tuple(int(axis.max()) for axis in np.nonzero(known)),
        proof.steps,
        proof.certificate,
        proof.moves,
        proof.whole,
        seen.play,
        supposed=supposed,
        coins=proof.coins,
        quotient=proof.quotient,
    )
