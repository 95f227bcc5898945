"""Laws of games: the values or the P-positions of all sizes, found from a table, and proved where that goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal

import numpy as np

from graphgame.errors import LimitError, OptionError
from graphgame.games.declared_options import with_place
from graphgame.games.law_sums import parts_with_names
from graphgame.games.law_tables import LAW_POSITIONS, LawTable, law_table
from graphgame.heaps.periods import PeriodCertificate
from graphgame.results import Play
from graphgame.theory.laws.automata import Automaton
from graphgame.theory.laws.candidates import agrees, fits_table, lost_candidates, said_of, simplest, value_candidates
from graphgame.theory.laws.expressions import Formula
from graphgame.theory.laws.induction import Step
from graphgame.theory.laws.law import Law, Refutation
from graphgame.theory.laws.learning import is_shorter, learned
from graphgame.theory.laws.lost_tables import lost_table
from graphgame.theory.laws.numeration import numeration_of
from graphgame.theory.laws.periodic import MOST_ITEMS
from graphgame.theory.laws.proving import (
    TRACK,
    Proof,
    by_induction,
    by_period,
    by_turning,
    from_certificate,
    period_statement,
    restricted,
    set_of_formula,
    set_of_recurrence,
    valid_starts,
)
from graphgame.theory.laws.rivals import rival_of_period
from graphgame.theory.laws.rows import periodic_rows, rows_proof
from graphgame.theory.laws.tables import declared_values
from graphgame.theory.laws.turning import CoinClaim
from graphgame.theory.laws.winning import law_of_moves, winning_moves

__all__ = ["Law", "LawTable", "Refutation", "find", "guess", "guess_of", "law_table", "laws_of"]

_ENTRIES_A_CELL = 4
"""A table must have so many times as many positions as a guessed automaton has transitions, or nothing is predicted."""

_TRIED = 100
_FEWEST = 30
"""A law of fewer positions is told only if it is proved."""
_INTO_LOST = "these moves lead to P-positions, which are proved"
_NIM_SUM = "the value of a sum is the nim-sum of those of its parts"
_MOST_VALUE = 16
_MOST_VALUED = 50_000
"""Values, and positions, that an automaton of positions with their values is looked for."""

_WHOLE_SIZE = 56
_NUMERATIONS = ("base 2", "Fibonacci", "base 3", "Fibonacci 2")
_OF_ONE = (*_NUMERATIONS, "base 5", "base 6", "base 7", "base 10")
_RARER = ("Fibonacci 3", "Fibonacci 4", "Fibonacci 2,2", "Fibonacci 3,2")
_FAR_PAIRS = 800
"""Where the P-positions of two numbers show no law, how far they are looked at without the values."""


def find(text: str, *, size: int | None = None, play: Play = "normal", max_positions: int = LAW_POSITIONS) -> list[Law]:
    """Return the simplest laws of a game's values, its P-positions, and the moves that win; none where none is found.

    Where there is none of the values of two numbers, rows of them may still be proved to repeat.

    Parameters
    ----------
    text : str
        A position with names of one letter in place of numbers, such as ``"wythoff(a,b)"``, the name of a game, or
        moves as statements between semicolons, such as ``"n' < n; n' = n - 2"``.
    size : int, optional
        How many numbers 0, 1, ... each name stands for in the table that is looked at.
    play : {"normal", "misere"}
        Under misère play, who cannot move wins.
    max_positions : int
        Most positions of the explicit graph.

    Raises
    ------
    ParseError, OptionError
        The text names no family of positions.
    LimitError
        The table or the graph is too large, whatever the size.

    Notes
    -----
    Formulas are tried in a fixed order, simple ones first, and compared with the whole table; those with constants take
    them from one half of it. A law is called proved only where a theorem on periods has its certificate, or where
    every step of an induction over the moves that the rules declare was decided for all numbers, by automata.

    Examples
    --------
    >>> for law in find("wythoff(a,b)"):
    ...     print(law.text)
    P-positions: min(a, b) = floor(abs(a - b)*phi)
    rows of values: g(a, b + p) = g(a, b) + p, for a = 0 to 39
    >>> find("bash{3}(n)")[0].status
    'proved'
    """
    return laws_of(law_table(text, size=size, play=play, max_positions=max_positions))


def laws_of(seen: LawTable) -> list[Law]:
    """Return the simplest laws of a table's values, its P-positions, and the moves that win; as :func:`find`."""
    values = None if seen.quotient is not None else _law_of_values(seen)
    lost = _said_by_values(seen, _law_of_lost(seen), values)
    moves = None if lost is None else _law_of_moves(seen, lost)
    found = [values, lost, moves, None if values else _law_of_rows(seen)]
    return [law for law in found if law is not None and (law.proof or law.positions >= _FEWEST)]


def guess(
    text: str,
    formula: str | Callable[..., int | bool],
    *,
    size: int | None = None,
    play: Play = "normal",
    max_positions: int = LAW_POSITIONS,
) -> Law | Refutation:
    """Compare a formula with a game: return the law, proved where that goes, or the first position that refutes it.

    Parameters
    ----------
    text, size, play, max_positions
        As for :func:`find`.
    formula : str or callable
        A value, or whether a position is P. A text is parsed and never run as Python; a function gets the numbers, and
        what it says is compared alone, not proved.

    Examples
    --------
    >>> guess("take{1,3,4}(n)", "n % 7 in {0, 2}").grounds
    'proved: period 7, by the values to n = 11'
    >>> print(guess("take{1,3,4}(n)", "n % 7"))
    first counterexample: n = 2: the guess says 2, the value is 0 (mex of 1)
    """
    return guess_of(law_table(text, size=size, play=play, max_positions=max_positions), formula)


def guess_of(seen: LawTable, formula: str | Callable[..., int | bool]) -> Law | Refutation:
    """Compare a formula with a table; as :func:`guess`."""
    said = Formula(formula, seen.names) if isinstance(formula, str) else formula
    known = seen.values >= 0
    some = (said_of(said, numbers) for numbers in np.argwhere(known)[:_TRIED].tolist())
    of_lost = isinstance(next((each for each in some if each is not None), None), bool)
    if seen.quotient is not None and not of_lost:
        raise OptionError("a guess of values: heaps that split have none under misère play; expected which are P")
    truth = seen.values == 0 if of_lost else seen.values
    wrong = agrees(said, truth, np.argwhere(known))
    if wrong is not None:
        return _refutation(seen, wrong, said_of(said, wrong), of_lost, said)
    formula_ = said if isinstance(said, Formula) else None
    proof = None if formula_ is None else _proof(seen, formula_, of_lost)
    return _law(seen, of_lost, formula_, proof)


def _law_of_values(seen: LawTable) -> Law | None:
    if seen.certificate is not None:
        return _law_of_period(seen, seen.certificate, False)
    known = seen.values >= 0
    if not known.all() and known.ndim > 1:
        return _law_of_automaton(seen, False)
    return _simplest_law(seen, value_candidates(seen.values, seen.names), False)


def _said_by_values(seen: LawTable, lost: Law | None, values: Law | None) -> Law | None:
    """Return that the P-positions have the value 0, where values have a formula and these have none."""
    if (lost is not None and lost.formula is not None) or values is None or values.formula is None:
        return lost
    formula = Formula(f"{values.formula.text} = 0", seen.names)
    proof = _proof(seen, formula, True)
    return lost if proof is None else _law(seen, True, formula, proof)


def _law_of_sum(seen: LawTable, of_lost: bool) -> Law | None:
    """Return the nim-sum of the laws of the parts of a sum; None where one has no law that is proved."""
    found: list[tuple[str, Law]] = []
    for text, _ in parts_with_names(seen.text, seen.names) if seen.play == "normal" else ():
        law = _law_of_values(law_table(text))
        if law is None or not law.proof:
            return None
        found.append((text, law))
    return replace(_law(seen, of_lost, None, Proof(_NIM_SUM)), parts=tuple(found)) if found else None


def _law_of_rows(seen: LawTable) -> Law | None:
    if seen.moves is None or seen.supposed or seen.play != "normal" or seen.values.ndim != 2:
        return None
    rows = periodic_rows(seen.moves, seen.values.shape[0])
    if rows is None:
        return None
    count, columns = len(rows.rows), rows.values.shape[1]
    return Law(
        "rows",
        seen.names,
        None,
        None,
        rows_proof(rows, seen.names[1]),
        count * columns,
        (count - 1, columns - 1),
        rows.steps,
        moves=seen.moves,
        rows=rows,
    )


def _law_of_lost(seen: LawTable) -> Law | None:
    if seen.certificate is not None:
        return _law_of_period(seen, seen.certificate, True)
    return _simplest_law(seen, lost_candidates(seen.values == 0, seen.names), True)


def _simplest_law(seen: LawTable, texts: Iterable[str], of_lost: bool) -> Law | None:
    table = seen.values == 0 if of_lost else seen.values
    formula, rival = simplest(texts, seen.names, table, seen.values >= 0)
    found = None if formula is None else _law(seen, of_lost, formula, _proof(seen, formula, of_lost))
    if found is None or not found.proof:
        found = _law_of_sum(seen, of_lost) or found
    if found is None:
        found = _law_of_automaton(seen, of_lost)
    return None if found is None else replace(found, rival=rival)


def _law_of_automaton(seen: LawTable, of_lost: bool) -> Law | None:
    """Return the law that an automaton says; None where none is found that is shorter than a list of what it says."""
    known = seen.values >= 0
    if not of_lost and not (known.all() and seen.values.max() <= _MOST_VALUE and known.sum() <= _MOST_VALUED):
        return None
    table = seen.values == 0 if of_lost else seen.values
    by_name = table.transpose(np.argsort(seen.names))
    tracks = tuple(sorted(seen.names)) if of_lost else (*sorted(seen.names), TRACK)
    for name in _OF_ONE if len(seen.names) == 1 else _NUMERATIONS:
        automaton = learned(numeration_of(name), tracks, by_name)
        if automaton is None or automaton.table.size * _ENTRIES_A_CELL > known.sum():
            continue
        proof = _by_induction(seen, automaton, of_lost)
        if proof is not None or is_shorter(automaton, table, known):
            return _law(seen, of_lost, None, proof, automaton)
    return _law_of_far_pairs(seen) if of_lost else None


def _law_of_far_pairs(seen: LawTable) -> Law | None:
    """Return the law of the P-positions that a large table of them alone shows in any numeration, if it is proved."""
    if seen.moves is None or len(seen.moves.names) != 2 or seen.values.ndim != 2 or seen.play != "normal":
        return None
    lost = lost_table(seen.moves, _FAR_PAIRS)
    if lost is None:
        return None
    by_name = lost.transpose(np.argsort(seen.names))
    for name in (*_NUMERATIONS, *_RARER):
        automaton = learned(numeration_of(name), tuple(sorted(seen.names)), by_name)
        if automaton is not None and automaton.table.size * _ENTRIES_A_CELL <= lost.size:
            proof = _by_induction(seen, automaton, True)
            if proof is not None:
                return _law(seen, True, None, proof, automaton)
    return None


def _by_induction(seen: LawTable, claimed: Automaton, of_lost: bool) -> Proof | None:
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
    if whole is None or (here := restricted(moves, whole, seen.names)) is None:
        return None
    claimed &= valid_starts(moves, claimed, seen.names)
    same = here.minus(claimed).example() is None and claimed.minus(here).example() is None
    proof = by_induction(moves, whole, of_lost, misere) if same else None
    return None if proof is None else proof._replace(whole=whole)


def _law_of_moves(seen: LawTable, lost: Law) -> Law | None:
    """Return the law of the moves into the P-positions of a law, where it says more than that, and they are proved."""
    moves, whole = seen.moves, lost.whole or lost.as_automaton()
    if moves is None or whole is None or moves.followed:
        return None
    whole = whole if lost.whole is not None else _renamed(seen, whole)
    proof = Proof("", steps=lost.steps) if lost.moves else by_induction(moves, whole, True, seen.play == "misere")
    if proof is None or not proof.steps:
        return None
    try:
        both = winning_moves(moves, whole, seen.names)
        found = None if both is None else law_of_moves(*both, seen.names)
    except LimitError:
        return None
    if found is None:
        return None
    grounds = Proof(_INTO_LOST, found.automaton, (*proof.steps, Step(_INTO_LOST, None)), moves, None, whole)
    looked_at = seen.values[(slice(found.size),) * len(seen.names)] >= 0
    return _law(seen, "winning moves" if found.every else "a winning move", found.formula, grounds, None, looked_at)


def _law_of_period(seen: LawTable, certificate: PeriodCertificate, of_lost: bool) -> Law:
    items = certificate.values.count(0) if of_lost else len(certificate.values)
    text = period_statement(certificate, seen.names[0], of_lost) if items <= MOST_ITEMS else None
    proof = from_certificate(certificate, seen.quotient)
    law = _law(seen, of_lost, None if text is None else Formula(text, seen.names), proof)
    return law if seen.play != "normal" else replace(law, rival=rival_of_period(certificate, of_lost, seen.names))


def _proof(seen: LawTable, formula: Formula, of_lost: bool) -> Proof | None:
    if seen.certificate is not None:
        return by_period(seen.certificate, formula, of_lost, seen.quotient)
    if seen.turns is not None:
        return _proof_of_coins(seen, formula, of_lost)
    if seen.moves is None:
        return None
    if formula.recurrent:
        claimed = set_of_recurrence(formula, seen.values, _OF_ONE)
    else:
        claimed = set_of_formula(formula, of_lost)
    proof = None if claimed is None else _by_induction(seen, claimed, of_lost)
    return None if proof is None else proof._replace(automaton=claimed)


def _proof_of_coins(seen: LawTable, formula: Formula, of_lost: bool) -> Proof | None:
    assert seen.turns is not None
    if seen.play != "normal":
        return None
    values = _law_of_values(seen) if of_lost else None
    said = values.formula if values is not None else None if of_lost else formula
    if said is None:
        return None
    prefix = None
    if seen.turns.runs:
        sums = np.bitwise_xor.accumulate(np.maximum(seen.values, 0))
        known = np.ones(len(sums), bool)
        prefix = next((text for text in value_candidates(sums, ("n",)) if fits_table(text, ("n",), sums, known)), None)
        if prefix is None:
            return None
    claim = CoinClaim(seen.turns, with_place(said.text, seen.names[0]), prefix)
    return by_turning(claim, with_place(formula.text, seen.names[0]) if of_lost else None)


def _renamed(seen: LawTable, claimed: Automaton) -> Automaton:
    """Return a set with the names of the declared moves."""
    assert seen.moves is not None
    return claimed.renamed(dict(zip(seen.names, seen.moves.names, strict=True)))


def _law(
    seen: LawTable,
    about: bool | Literal["winning moves", "a winning move"],
    formula: Formula | None,
    proof: Proof | None,
    automaton: Automaton | None = None,
    known: np.ndarray | None = None,
) -> Law:
    known = seen.values >= 0 if known is None else known
    proof, supposed = proof or Proof(""), ""
    if seen.supposed and proof.text:
        supposed = f'proved for "{seen.supposed}", whose moves are its options there'
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


def _refutation(
    seen: LawTable,
    numbers: tuple[int, ...],
    said: int | bool | None,
    of_lost: bool,
    formula: Formula | Callable[..., int | bool],
) -> Refutation:
    value, options = int(seen.values[numbers]), tuple(sorted(seen.option_values(numbers)))
    better = ""
    if said is None and isinstance(formula, Formula):
        where = " and ".join(f"{name} = {number}" for name, number in zip(seen.names, numbers, strict=True))
        better = " ".join((str(value == 0 if of_lost else value), "if", where, "else", formula.text))
    return Refutation(seen.names, numbers, said, value, options, better, seen.quotient is not None)
