"""Laws of games: the values or the P-positions of all sizes, found from a table, and proved where that goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from graphgame.errors import Message, OptionError
from graphgame.labs.heaps.periods import PeriodCertificate
from graphgame.labs.laws.candidates import (
    agrees,
    fits_table,
    formulas,
    lost_candidates,
    said_of,
    simplest,
    value_candidates,
)
from graphgame.labs.laws.coin_claims import CoinClaim
from graphgame.labs.laws.declared_options import with_place
from graphgame.labs.laws.divided_claims import is_divided
from graphgame.labs.laws.expressions import Formula
from graphgame.labs.laws.law import Law, Refutation
from graphgame.labs.laws.law_automata import NUMERATIONS_OF_ONE, automaton_law, induction_proof, moves_law, table_law
from graphgame.labs.laws.law_sums import parts_with_names
from graphgame.labs.laws.law_tables import LAW_POSITIONS, LawTable, law_table
from graphgame.labs.laws.periodic import MOST_ITEMS
from graphgame.labs.laws.proving import (
    Proof,
    by_division,
    by_period,
    by_turning,
    from_certificate,
    period_statement,
    set_of_formula,
    set_of_recurrence,
)
from graphgame.labs.laws.rivals import rival_of_period
from graphgame.labs.laws.rows import periodic_rows, rows_proof
from graphgame.rules.user_rules import rules_run
from graphgame.solution.results import Play

__all__ = ["Law", "LawTable", "Refutation", "find", "guess", "guess_of", "law_table", "laws_of"]

_TRIED = 100
_FEWEST = 30
"""A law of fewer positions is told only if it is proved."""
_NIM_SUM = Message("the value of a sum is the nim-sum of those of its parts")


def find(
    text: str,
    *,
    size: int | None = None,
    play: Play = "normal",
    max_positions: int = LAW_POSITIONS,
    run_rules: bool = False,
) -> list[Law]:
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
    run_rules : bool
        Whether to run the Python file that a text names: see :func:`parse_position`.

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
    return laws_of(law_table(text, size=size, play=play, max_positions=max_positions, run_rules=run_rules))


def laws_of(seen: LawTable) -> list[Law]:
    """Return the simplest laws of a table's values, its P-positions, and the moves that win; as :func:`find`."""
    with rules_run(seen.run_rules):
        values = None if seen.quotient is not None else _law_of_values(seen)
        lost = _said_by_values(seen, _law_of_lost(seen), values)
        moves = None if lost is None else moves_law(seen, lost)
        found = [values, lost, moves, None if values else _law_of_rows(seen)]
    return [law for law in found if law is not None and (law.proof or law.positions >= _FEWEST)]


def guess(
    text: str,
    formula: str | Callable[..., int | bool],
    *,
    size: int | None = None,
    play: Play = "normal",
    max_positions: int = LAW_POSITIONS,
    run_rules: bool = False,
) -> Law | Refutation:
    """Compare a formula with a game: return the law, proved where that goes, or the first position that refutes it.

    Parameters
    ----------
    text, size, play, max_positions, run_rules
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
    return guess_of(law_table(text, size=size, play=play, max_positions=max_positions, run_rules=run_rules), formula)


def guess_of(seen: LawTable, formula: str | Callable[..., int | bool]) -> Law | Refutation:
    """Compare a formula with a table; as :func:`guess`."""
    with rules_run(seen.run_rules):
        return _guess_of(seen, formula)


def _guess_of(seen: LawTable, formula: str | Callable[..., int | bool]) -> Law | Refutation:
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
    return table_law(seen, of_lost, formula_, proof)


def _law_of_values(seen: LawTable) -> Law | None:
    if seen.certificate is not None:
        return _law_of_period(seen, seen.certificate, False)
    return _simplest_law(seen, value_candidates(seen.values, seen.names), False)


def _said_by_values(seen: LawTable, lost: Law | None, values: Law | None) -> Law | None:
    """Return that the P-positions have the value 0, where the formula of the values says that in fewer words."""
    if values is None or values.formula is None or " if " in values.formula.text:
        return lost
    formula = Formula(f"{values.formula.text} = 0", seen.names)
    told = None if lost is None or lost.formula is None else lost.formula.text
    if told is not None and (len(seen.names) == 1 or len(told) <= len(formula.text)):
        return lost
    proof = _proof(seen, formula, True)
    return lost if proof is None else table_law(seen, True, formula, proof)


def _law_of_sum(seen: LawTable, of_lost: bool) -> Law | None:
    """Return the nim-sum of the laws of the parts of a sum; None where one has no law that is proved."""
    found: list[tuple[str, Law]] = []
    for text, _ in parts_with_names(seen.text, seen.names) if seen.play == "normal" else ():
        law = _law_of_values(law_table(text))
        if law is None or not law.proof:
            return None
        found.append((text, law))
    law = replace(table_law(seen, of_lost, None, Proof(_NIM_SUM)), parts=tuple(found))
    truth = seen.values == 0 if of_lost else seen.values
    return law if found and agrees(law, truth, np.argwhere(seen.values >= 0)) is None else None


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
    return _simplest_law(seen, lost_candidates(np.where(seen.values < 0, -1, seen.values == 0), seen.names), True)


def _simplest_law(seen: LawTable, texts: Iterable[str], of_lost: bool) -> Law | None:
    table = seen.values == 0 if of_lost else seen.values
    formula, rival = simplest(texts, seen.names, table, seen.values >= 0)
    found = None if formula is None else table_law(seen, of_lost, formula, _proof(seen, formula, of_lost))
    if found is None or not found.proof:
        found = _law_of_sum(seen, of_lost) or found
    if found is None:
        found = automaton_law(seen, of_lost)
    return None if found is None else replace(found, rival=rival)


def _law_of_period(seen: LawTable, certificate: PeriodCertificate, of_lost: bool) -> Law:
    items = certificate.values.count(0) if of_lost else len(certificate.values)
    if len(seen.names) > 1:
        return table_law(seen, of_lost, None, from_certificate(certificate, seen.quotient))
    text = period_statement(certificate, seen.names[0], of_lost) if items <= MOST_ITEMS else None
    proof = from_certificate(certificate, seen.quotient)
    law = table_law(seen, of_lost, None if text is None else Formula(text, seen.names), proof)
    return law if seen.play != "normal" else replace(law, rival=rival_of_period(certificate, of_lost, seen.names))


def _proof(seen: LawTable, formula: Formula, of_lost: bool) -> Proof | None:
    if seen.certificate is not None and len(seen.names) > 1:
        return None
    if seen.certificate is not None:
        return by_period(seen.certificate, formula, of_lost, seen.quotient)
    if seen.turns is not None:
        return _proof_of_coins(seen, formula, of_lost)
    if seen.moves is None:
        return None
    if is_divided(formula.text):
        return by_division(seen.moves, formula, of_lost, seen.play)
    if formula.recurrent:
        claimed = set_of_recurrence(formula, seen.values, NUMERATIONS_OF_ONE)
    else:
        claimed = set_of_formula(formula, of_lost)
    proof = None if claimed is None else induction_proof(seen, claimed, of_lost)
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
        prefix = next((text for text in formulas(sums, ("n",)) if fits_table(text, ("n",), sums, known)), None)
        if prefix is None:
            return None
    claim = CoinClaim(seen.turns, with_place(said.text, seen.names[0]), prefix)
    return by_turning(claim, with_place(formula.text, seen.names[0]) if of_lost else None)


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
