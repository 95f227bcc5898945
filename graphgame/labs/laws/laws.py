"""Laws of games: find formulas for values or P-positions of any size from a table, and prove them if possible.

The argument ``seen`` is the table, with its names, its moves and, if it was proved, its period.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from inspect import signature
from typing import Literal

import numpy as np

from graphgame.errors import LimitError, Message, ParameterError, checks_parameters, wrong_value
from graphgame.labs.heaps.periods import PeriodCertificate
from graphgame.labs.laws import candidates, claims, proofs
from graphgame.labs.laws.automata import Automaton, linear, numeration_of
from graphgame.labs.laws.declared_moves import declared_p_positions, declared_values, listed_options
from graphgame.labs.laws.formulas import Formula, after, numbers_text, renamed
from graphgame.labs.laws.learning import is_shorter, learned, set_of_formula
from graphgame.labs.laws.proofs import ByInduction, Evidence, Law
from graphgame.labs.laws.rows import periodic_rows
from graphgame.labs.laws.sources import LAW_POSITIONS, LawTable, law_table, parts_with_names, with_numbers
from graphgame.registry import dir_of
from graphgame.rules.notation import parse_position
from graphgame.rules.user_rules import rules_run

__all__ = ["Law", "LawTable", "Refutation", "find", "guess", "guess_of", "law_table", "laws_of"]
__dir__ = dir_of(__name__)

_SAMPLE = 100
"""A guess is evaluated at up to this many positions: its first value shows whether it is about P-positions."""

_FEWEST_POSITIONS = 30
"""A law that was compared with fewer positions is reported only if it is proved."""

_LONGEST_PERIOD = 200
"""A period can prove a formula only if preperiod and period together are at most this."""

_ENTRIES_A_CELL = 4
"""A table must have at least this many known entries for each transition of an automaton from :func:`_automata`."""

_MOST_VALUE = 16
_MOST_VALUED = 50_000
"""An automaton for values without a formula is guessed only from a table of at most this many positions."""

_WHOLE_SIZE = 56
"""The side of the table in :func:`_whole_set`, for a game whose text leaves out the last numbers of positions, such as
``fibonacci(n)``, which leaves out the largest amount that may be taken."""

_NUMERATIONS = ("base 2", "Fibonacci", "base 3", "Fibonacci 2")
_NUMERATIONS_OF_ONE = (*_NUMERATIONS, "base 5", "base 6", "base 7", "base 10")
_RARER = ("Fibonacci 3", "Fibonacci 4", "Fibonacci 2,2", "Fibonacci 3,2")
_FAR_PAIRS = 800
"""The side of the larger table of P-positions in :func:`_law_of_large_table`."""

_SIDES_OF_MOVES = {1: 160, 2: 22, 3: 8, 4: 5}
"""Number of names in a position -> the side of the table of winning moves: each number is below it."""

_MOST_AMOUNTS = 6
"""Maximum number of amounts that a statement about winning moves lists."""

_ONE_MOVE = ("{n}' = {n} - ({n} & -{n}) < {n}", "{n}' = {n} - zeckendorf({n}) < {n}")
"""Candidates for a statement that describes one winning move of several."""


@checks_parameters
def find(
    text: str,
    *,
    size: int | None = None,
    misere: bool = False,
    max_positions: int = LAW_POSITIONS,
    run_rules: bool = False,
) -> list[Law]:
    """Return the simplest laws that are found for a game: at most one each of values, P-positions and winning moves.

    If no law is found for the values of a game of two numbers, there may be a law that rows of their table repeat. A
    law that is not proved is left out if it was compared with fewer than 30 positions.

    Parameters
    ----------
    text : str
        A position with names in place of numbers (small letters, but not x), such as ``"wythoff(a,b)"``, the name of a
        game or a code such as ``"0.77"``, or moves as statements between semicolons, such as ``"n' < n; n' = n - 2"``.
    size : int, optional
        Size of the table: each name stands for the numbers 0 to ``size - 1``.
    misere : bool
        Whether to find laws of misère play, where a player who cannot move wins.
    max_positions : int
        Maximum number of positions of the explicit graph.
    run_rules : bool
        Whether a Python file with rules may be run, if the text names one: see :func:`parse_position`.

    Raises
    ------
    ParseError, ParameterError
        The text is not a position with names, the name of a game, or moves; or it has more than 4 names; or the size is
        below 1; or ``misere`` is True and the game has decided positions.
    RulesetError, OSError
        The text names rules in a Python file, and ``run_rules`` is false; or the rules fail or cannot be read.
    LimitError
        The table of this size, or its graph, is too large.

    Notes
    -----
    Formulas are tried in a fixed order, simple ones first, and compared with the whole table. The constants in formulas
    of one number come from the first half of the table. A law, except that rows repeat, is called proved only in three
    cases: there is a certificate for a theorem on periods; or every step of an induction over the declared moves (or
    turns of coins) was decided for all numbers; or the law follows from proved laws of the parts of a sum.

    Examples
    --------
    >>> for law in find("wythoff(a,b)"):
    ...     print(law.text)
    P-positions: min(a, b) = floor(abs(a - b)*phi)
    rows of values: g(a, b + p) = g(a, b) + p, for a = 0 to 39
    >>> find("bash{3}(n)")[0].status
    'proved'
    """
    return laws_of(law_table(text, size=size, misere=misere, max_positions=max_positions, run_rules=run_rules))


def laws_of(seen: LawTable) -> list[Law]:
    """Return the simplest laws of a table, like :func:`find`."""
    with rules_run(seen.run_rules):
        values = None if seen.quotient is not None else _simplest_law(seen, False)
        p_law = _law_by_values(seen, _simplest_law(seen, True), values)
        moves = None if p_law is None else _law_of_moves(seen, p_law)
        laws = [values, p_law, moves, None if values else _law_of_rows(seen)]
    return [law for law in laws if law is not None and (law.proof or law.positions >= _FEWEST_POSITIONS)]


@checks_parameters
def guess(
    text: str,
    formula: str | Callable[..., int | bool],
    *,
    size: int | None = None,
    misere: bool = False,
    max_positions: int = LAW_POSITIONS,
    run_rules: bool = False,
) -> Law | Refutation:
    """Compare a formula with a game: return it as a law, proved if possible, or the first position that refutes it.

    Parameters
    ----------
    text, size, misere, max_positions, run_rules
        As for :func:`find`.
    formula : str or callable
        A formula for the value, or for whether a position is P. A text is parsed and never run as Python. A function is
        called with the numbers; its results, int or bool, are compared with the table, but not proved.

    Raises
    ------
    ParseError, ParameterError, RulesetError, OSError, LimitError
        As for :func:`find`; or the formula cannot be understood, takes another count of numbers, or is about values
        that do not exist.

    Examples
    --------
    >>> guess("take{1,3,4}(n)", "n % 7 in {0, 2}").grounds
    'proved: period 7 from n = 0, by the values up to n = 11'
    >>> print(guess("take{1,3,4}(n)", "n % 7"))
    first counterexample: n = 2: the guess says 2, but the value is 0, the mex of the options' values 1
    """
    seen = law_table(text, size=size, misere=misere, max_positions=max_positions, run_rules=run_rules)
    return guess_of(seen, formula)


def guess_of(seen: LawTable, formula: str | Callable[..., int | bool]) -> Law | Refutation:
    """Compare a formula with a table, like :func:`guess`."""
    if not isinstance(formula, str):
        try:
            signature(formula).bind(*seen.names)
        except TypeError:
            expected = Message("a string, or a function of the numbers {names}", ", ".join(seen.names))
            raise wrong_value("formula", formula, expected) from None
        except ValueError:  # some functions of Python have no signature
            pass
    guessed = Formula(formula, seen.names) if isinstance(formula, str) else formula
    positions = np.argwhere(seen.known)
    values = (candidates.value_of(guessed, numbers) for numbers in positions[:_SAMPLE].tolist())
    of_p = isinstance(next((value for value in values if value is not None), None), bool)
    if seen.quotient is not None and not of_p:
        raise ParameterError(
            "heaps that split have no values under misère play: guess which positions are P-positions, not their values"
        )
    wrong = candidates.first_difference(guessed, seen.truth(of_p), positions)
    with rules_run(seen.run_rules):
        if wrong is not None:
            value, guessed_value, better = int(seen.values[wrong]), candidates.value_of(guessed, wrong), ""
            if guessed_value is None and isinstance(guessed, Formula):
                where = numbers_text(seen.names, wrong).replace(", ", " and ")
                better = " ".join((str(value == 0 if of_p else value), "if", where, "else", guessed.text))
            options = tuple(sorted(seen.option_values(wrong)))
            each_loses = not options and _has_move(seen, wrong)
            outcomes = seen.quotient is not None
            return Refutation(seen.names, wrong, guessed_value, value, options, better, outcomes, each_loses)
        if not isinstance(guessed, Formula):
            return _law_of(seen, of_p, None, Evidence(function=guessed))
        return _law_of(seen, of_p, guessed, _proof(seen, guessed, of_p))


def _has_move(seen: LawTable, numbers: tuple[int, ...]) -> bool:
    """Return whether a position has a move by the rules of the game; False if the game is a text of moves."""
    if "'" in seen.text:
        return False
    position = parse_position(with_numbers(seen.text, seen.names, numbers), run_rules=seen.run_rules)
    return any(map(listed_options, position.components))


def _simplest_law(seen: LawTable, of_p: bool) -> Law | None:
    """Return a law of the P-positions if ``of_p``, otherwise of the values; None if no law is found.

    If the table has a proved period, return the law of this period. Otherwise return the first of these that exists:
    the simplest formula that agrees with the table, if it is proved; for a sum, the law by proved laws of its parts;
    the formula without a proof; an automaton, proved if possible.
    """
    if seen.certificate is not None:
        return _law_of_period(seen, seen.certificate, of_p)
    truth, known = seen.truth(of_p), seen.known
    # Simple formulas are tried first, so the first one that agrees with the whole table is the simplest.
    of_table = candidates.statement_candidates if of_p else candidates.value_candidates
    formula, rival = candidates.simplest(of_table(np.where(known, truth, -1), seen.names), seen.names, truth, known)
    law = None if formula is None else _law_of(seen, of_p, formula, _proof(seen, formula, of_p))
    # A law that is proved from the parts of a sum is better than a formula that only agrees with the table.
    if law is None or not law.proof:
        law = _law_of_sum(seen, of_p) or law
    if law is None:
        law = _law_of_automaton(seen, of_p)
    return None if law is None else replace(law, rival=rival)


def _law_of(
    seen: LawTable,
    about: bool | Literal["winning moves", "a winning move"],
    formula: Formula | None,
    evidence: Evidence | None = None,
    size: int | None = None,
) -> Law:
    """Return a law of a table with its evidence. It was compared with the positions whose numbers are below ``size``.

    If ``size`` is None, these are all positions of the table. ``about`` is True for a law of P-positions, False for a
    law of values, or the name of a law of moves.
    """
    # A proof for guessed moves proves nothing about the rules: only the text ``supposed`` mentions such a proof. But a
    # proof by parts counts, because it does not use the moves of the sum.
    known, supposed = seen.known[(slice(size),) * len(seen.names)], ""
    evidence = evidence or Evidence()
    if seen.supposed and type(evidence) not in (Evidence, proofs.OfParts):
        supposed = Message('proved for "{moves}", whose moves agree with the rules on these positions', seen.supposed)
        evidence = evidence.unproved()
    return Law(
        about if isinstance(about, str) else "P-positions" if about else "values",
        seen.names,
        formula,
        seen.misere,
        int(known.sum()),
        tuple(int(axis.max(initial=0)) for axis in np.nonzero(known)),
        evidence,
        supposed,
    )


def _law_by_values(seen: LawTable, p_law: Law | None, values: Law | None) -> Law | None:
    """Return the law "value = 0" with the formula of the values, if this law is proved and better than ``p_law``.

    Otherwise return ``p_law``. The new law is better if ``p_law`` is None or has no formula. If positions have two or
    more numbers, it is also better if it has a shorter formula. Formulas of values that have "if" are not used.
    """
    if values is None or values.formula is None or " if " in values.formula.text:
        return p_law
    formula = Formula(f"{values.formula.text} = 0", seen.names)
    known_text = None if p_law is None or p_law.formula is None else p_law.formula.text
    if known_text is not None and (len(seen.names) == 1 or len(known_text) <= len(formula.text)):
        return p_law
    proof = _proof(seen, formula, True)
    return p_law if proof is None else _law_of(seen, True, formula, proof)


def _law_of_sum(seen: LawTable, of_p: bool) -> Law | None:
    """Return the law of a sum, by the proved laws of its parts; None if a part has no proved law.

    The result is also None if the game is no sum, under misère play, or if the law does not agree with the table. The
    law is of the P-positions if ``of_p``, otherwise of the values.
    """
    laws: list[tuple[str, Law]] = []
    for text, _ in parts_with_names(seen.text, seen.names) if not seen.misere else ():
        law = _simplest_law(law_table(text), False)
        if law is None or not law.proof:
            return None
        laws.append((text, law))
    law = _law_of(seen, of_p, None, proofs.OfParts(parts=tuple(laws)))
    is_right = laws and candidates.first_difference(law, seen.truth(of_p), np.argwhere(seen.known)) is None
    return law if is_right else None


def _law_of_rows(seen: LawTable) -> Law | None:
    """Return the law that the first rows of a table of two numbers have periods, or None.

    It is None without declared moves, under misère play, or if periods are proved for fewer than 3 rows.
    """
    if seen.moves is None or seen.supposed or seen.misere or seen.values.ndim != 2:
        return None
    rows = periodic_rows(seen.moves, seen.values.shape[0])
    if rows is None:
        return None
    count, columns = len(rows.rows), rows.values.shape[1]
    evidence = proofs.OfRows(moves=seen.moves, rows=rows, steps=rows.steps)
    return Law("rows", seen.names, None, False, count * columns, (count - 1, columns - 1), evidence)


def _law_of_period(seen: LawTable, certificate: PeriodCertificate, of_p: bool) -> Law:
    """Return the law of a proved period, of the P-positions (``of_p``) or values.

    The law has a formula if positions have one number, unless the formula would list more than 24 numbers.
    """
    items = certificate.values.count(0) if of_p else len(certificate.values)
    formula = None
    if len(seen.names) == 1 and items <= candidates.MOST_ITEMS:
        text_of = candidates.p_text if of_p else candidates.value_text
        repetition = certificate.preperiod, certificate.period, certificate.saltus
        formula = Formula(text_of(certificate.values, *repetition, seen.names[0]), seen.names)
    law = _law_of(seen, of_p, formula, _period_proof(seen))
    if len(seen.names) > 1 or seen.misere:
        return law
    return replace(law, rival=candidates.rival_of_period(certificate, of_p, seen.names))


def _period_proof(seen: LawTable) -> Evidence:
    """Return the proof of a law from the proved period of a table's values, or of the elements of its quotient."""
    assert seen.certificate is not None
    if seen.quotient is None:
        return proofs.ByPeriod(certificate=seen.certificate)
    return proofs.ByQuotient(certificate=seen.certificate, quotient=seen.quotient)


def _proof(seen: LawTable, formula: Formula, of_p: bool) -> Evidence | None:
    """Return a proof of a formula that agrees with the table; None if the formula is not proved.

    The formula is for the P-positions if ``of_p``, otherwise for the values.
    """
    if seen.certificate is not None:
        return _proof_by_period(seen, seen.certificate, formula, of_p)
    if seen.turns is not None:
        return _proof_of_coins(seen, formula, of_p)
    if seen.moves is None:
        return None
    if claims.is_divided(formula.text):
        law = _law_of(seen, of_p, formula).record()
        steps = claims.held(claims.decide_divided(seen.moves, law))
        return None if steps is None else proofs.ByDivision(moves=seen.moves, steps=steps)
    claimed = _set_of_recurrence(seen, formula) if formula.recurrent else set_of_formula(formula, of_p)
    return None if claimed is None else _proof_by_induction(seen, claimed, of_p)


def _proof_by_period(seen: LawTable, certificate: PeriodCertificate, formula: Formula, of_p: bool) -> Evidence | None:
    """Return a proof if a formula of one number provably agrees with a proved period for all numbers, otherwise None.

    The formula is for the P-positions if ``of_p``, otherwise for the values. The result is also None if the preperiod
    and period together are above 200.
    """
    if len(seen.names) > 1 or certificate.preperiod + certificate.period > _LONGEST_PERIOD:
        return None
    claimed = set_of_formula(formula, of_p)
    if claimed is None:
        return None
    truth = claims.period_set(certificate, "P-positions" if of_p else "values", formula.names[0])
    return _period_proof(seen) if claimed.differing(truth) is None else None


def _proof_of_coins(seen: LawTable, formula: Formula, of_p: bool) -> Evidence | None:
    """Return a proof of a formula in n about the row of coins whose only head is coin n; None if it is not proved.

    The formula says whether the row is a P-position if ``of_p``, otherwise it gives the value of the row.
    """
    assert seen.turns is not None
    # The proof is about the values of single coins. The P-positions follow from them.
    values = _simplest_law(seen, False) if of_p else None
    values_formula = values.formula if values is not None else None if of_p else formula
    if values_formula is None:
        return None
    prefix = None
    if seen.turns.runs:
        # If runs of neighbouring coins are turned, the proof needs a formula for the xor of all values up to a place.
        sums = np.bitwise_xor.accumulate(np.maximum(seen.values, 0))
        sums_formula, _ = candidates.simplest(candidates.formulas(sums, ("n",)), ("n",), sums, np.ones(len(sums), bool))
        if sums_formula is None:
            return None
        prefix = sums_formula.text
    as_n = {seen.names[0]: "n"}
    values_text, p_formula = renamed(values_formula.text, as_n), renamed(formula.text, as_n) if of_p else None
    steps = claims.held(claims.decide_coins(seen.turns, values_text, prefix, p_formula))
    return None if steps is None else proofs.ByTurning(turns=seen.turns, values=values_text, prefix=prefix, steps=steps)


def _set_of_recurrence(seen: LawTable, formula: Formula) -> Automaton | None:
    """Guess an automaton of the numbers and their values; return it if it provably obeys ``formula``, else None."""
    for name in _NUMERATIONS_OF_ONE:
        automaton = learned(numeration_of(name), formula.names, seen.values)
        if automaton is not None and claims.held(claims.decide_recurrence(automaton, formula.text)):
            return automaton
    return None


def _proof_by_induction(seen: LawTable, claimed: Automaton, of_p: bool) -> ByInduction | None:
    """Return a proof by induction for ``claimed``, or None.

    ``claimed`` is the set of the P-positions (``of_p``), or of the positions with their values.
    """
    if seen.moves is None:
        return None
    whole = _whole_set(seen, claimed, of_p)
    steps = None if whole is None else claims.held(claims.decide_induction(seen.moves, whole, seen.misere))
    if steps is None:
        return None
    return ByInduction(moves=seen.moves, automaton=claimed, steps=steps, whole=whole if seen.moves.starts else None)


def _whole_set(seen: LawTable, claimed: Automaton, of_p: bool) -> Automaton | None:
    """Return the set for a proof by induction. Its tuples have all numbers that moves change.

    Usually this is ``claimed`` itself. But the text of a game may have only the first numbers: ``fibonacci(n)`` has the
    heap but not the largest amount that may be taken. Then guess the set of the P-positions (``of_p``), or of positions
    with their values, from a table. Return None if no set is guessed, or if it does not agree with ``claimed``.
    """
    moves = seen.moves
    assert moves is not None
    if not moves.starts:
        return claimed.renamed(dict(zip(seen.names, moves.names, strict=True)))
    try:
        values = declared_values(moves, _WHOLE_SIZE, misere=seen.misere)
        whole = learned(claimed.numeration, moves.names, values == 0 if of_p else values)
        if whole is None and of_p and (valued := learned(claimed.numeration, moves.names, values)) is not None:
            # An automaton for the values may need a smaller table than one for the P-positions: a shorter ending is
            # often enough to tell two words apart by their values.
            zero = linear(valued.numeration, {claims.VALUE: 1}, 0, {0})
            whole = (valued & zero).without(claims.VALUE)
        # The text of the position, such as ``fibonacci(n)``, names only some positions: here heaps before the first
        # move. For these, the guessed set must agree with the claim.
        if whole is None or claims.differing_in_text(moves, seen.names, whole, claimed) is not None:
            return None
        return whole
    except LimitError:
        return None


def _law_of_automaton(seen: LawTable, of_p: bool) -> Law | None:
    """Return a law of the P-positions (``of_p``) or values by an automaton guessed from the table, or None.

    The automaton is proved, or shorter than the table (:func:`is_shorter`). If no such automaton is guessed for
    P-positions of two numbers, try a larger table.
    """
    known, table = seen.known, seen.truth(of_p)
    if not of_p and not (known.all() and table.max() <= _MOST_VALUE and known.sum() <= _MOST_VALUED):
        return None
    for automaton in _automata(seen, table, _NUMERATIONS_OF_ONE if len(seen.names) == 1 else _NUMERATIONS, known):
        proof = _proof_by_induction(seen, automaton, of_p)
        if proof is not None or is_shorter(automaton, table, known):
            return _law_of(seen, of_p, None, proof or Evidence(automaton=automaton))
    return _law_of_large_table(seen) if of_p else None


def _law_of_large_table(seen: LawTable) -> Law | None:
    """Return a proved law of the P-positions of two numbers, or None.

    The law is an automaton. It is guessed from a table larger than ``seen`` that is made from ``seen.moves``.
    """
    if seen.moves is None or len(seen.moves.names) != 2 or seen.values.ndim != 2 or seen.misere:
        return None
    is_p = declared_p_positions(seen.moves, _FAR_PAIRS)
    for automaton in () if is_p is None else _automata(seen, is_p, (*_NUMERATIONS, *_RARER), is_p | True):
        proof = _proof_by_induction(seen, automaton, True)
        if proof is not None:
            return _law_of(seen, True, None, proof)
    return None


def _automata(seen: LawTable, table: np.ndarray, numerations: Iterable[str], known: np.ndarray) -> Iterator[Automaton]:
    """Yield automata guessed from ``table``, whose axes have the names of ``seen``; at most one for each numeration.

    The boolean array ``known`` marks the known entries of ``table``. Skip an automaton that has more than a quarter as
    many transitions as there are known entries.
    """
    for name in numerations:
        automaton = learned(numeration_of(name), seen.names, table)
        if automaton is not None and automaton.table.size * _ENTRIES_A_CELL <= known.sum():
            yield automaton


def _law_of_moves(seen: LawTable, p_law: Law) -> Law | None:
    """Return a law of winning moves, proved for ``seen.moves``, or None; ``p_law`` is the law of the P-positions."""
    moves, proof = seen.moves, p_law.evidence if isinstance(p_law.evidence, ByInduction) else None
    whole = None if proof is None else proof.whole
    # With ``moves.starts``, moves also change numbers that the law does not name. Then there must be a proof of the
    # P-positions whose set, ``whole``, has all numbers.
    if moves is None or moves.followed or (whole is None and moves.starts):
        return None
    if whole is None and (claimed := p_law.as_automaton()) is not None:
        whole = claimed.renamed(dict(zip(seen.names, moves.names, strict=True)))
    if whole is None:
        return None
    # The steps of the proof of the P-positions are also steps of this proof.
    steps = proof.steps if proof else claims.held(claims.decide_induction(moves, whole, seen.misere))
    if not steps:
        return None
    try:
        winning = claims.WinningMoves(moves, whole, seen.names)
        if winning.unclear is not None:
            return None  # the numbers in the text do not determine which moves win
        result = _statement_of_moves(winning, seen.names)
    except LimitError:
        return None
    if result is None:
        return None
    about, formula, automaton = result
    evidence = proofs.OfMoves(
        moves=moves, automaton=automaton, steps=(*steps, claims.Decided(proofs.INTO_P_POSITION, None)), whole=whole
    )
    return _law_of(seen, about, formula, evidence, _SIDES_OF_MOVES[len(seen.names)])


def _statement_of_moves(
    winning: claims.WinningMoves, names: tuple[str, ...]
) -> tuple[Literal["winning moves", "a winning move"], Formula, Automaton] | None:
    """Return the simplest proved statement of all winning moves; if there is none, of one from each N-position.

    The result is (which of the two, the statement as a formula, the statement as an automaton); None if no statement is
    proved.

    Raises
    ------
    LimitError
        An automaton is too large.
    """
    tracks = (*names, *map(after, names))
    axes = dict(zip(tracks, np.indices((_SIDES_OF_MOVES[len(names)],) * len(tracks)), strict=True))
    table = winning.winning.contains(**axes)
    all_moves = np.nonzero(winning.every.contains(**axes))
    wins = table[all_moves]
    texts: list[tuple[str, Literal["winning moves", "a winning move"]]]
    texts = [(text, "winning moves") for text in _moves_candidates(table, names)]
    texts += [(text.format(n=names[0]), "a winning move") for text in _ONE_MOVE if len(names) == 1]
    for text, about in texts:
        formula = Formula(text, tracks)
        true = formula.of_arrays(*all_moves)
        # The table refutes wrong statements before the expensive automaton is made.
        if true is None or (true & ~wins if about == "a winning move" else true != wins).any():
            continue
        try:
            moves = winning.moves_with(text)
        except ParameterError:
            continue
        if all(each.example is None for each in winning.decided(moves, about)):
            return about, formula, moves
    return None


def _moves_candidates(table: np.ndarray, names: tuple[str, ...]) -> Iterator[str]:
    """Yield statements that may describe the winning moves, simplest first.

    The table has an axis for each number before the move, then for each number after it; an entry is True if the move
    wins.
    """
    wins = np.asarray(table.any(axis=tuple(range(len(names), 2 * len(names)))))
    yield from candidates.statement_candidates(wins.astype(np.int8), names)
    if len(names) == 1:
        yield from _one_amount(table, names[0])
        yield from _few_amounts(table, names[0])
    else:
        yield from _one_number(table, names)


def _one_amount(table: np.ndarray, name: str) -> Iterator[str]:
    """Yield statements with a formula for the winning amount to take; nothing if a position has two winning moves.

    ``table[n, end]`` is True if the move from n to ``end`` wins.
    """
    if (table.sum(axis=1) > 1).any():
        return
    amounts = np.where(table.any(axis=1), np.arange(len(table)) - table.argmax(axis=1), 0)
    # In many games, winning moves lead from n to n % divisor, or to the largest smaller heap with a fixed remainder.
    yield from (f"{name}' = {name} % {divisor} < {name}" for divisor in range(2, 13))
    yield from (
        f"{name}' = {name} - ({name} - {first}) % {divisor} < {name}" for divisor in range(2, 13) for first in (1, 2)
    )
    for text in candidates.formulas(amounts, (name,)):
        if text == name:
            yield f"{name}' = 0 < {name}"
            continue
        amount = f"({text})" if any(sign in text for sign in (" if ", " + ", " - ", "&", "^")) else text
        yield f"{name}' = {name} - {amount} < {name}"


def _few_amounts(table: np.ndarray, name: str) -> Iterator[str]:
    """Yield a statement that lists the winning amounts, each with a formula for the heaps in which it wins.

    An example is ``n' = n - 1 and n % 3 = 1 or n' = n - 2 and n % 3 = 2``. ``table[n, end]`` is True if the move from n
    to ``end`` wins. Yield nothing if no amount wins, if more than 6 do, or if an amount has no formula for its heaps.
    """
    heaps, ends = np.nonzero(table)
    amounts = np.unique(heaps - ends).tolist()
    if not 0 < len(amounts) <= _MOST_AMOUNTS:
        return
    texts = []
    for amount in amounts:
        column = np.isin(np.arange(len(table)), heaps[heaps - ends == amount]).astype(np.int8)
        where = next(candidates.statement_candidates(column, (name,)), None)
        if where is None:
            return
        where = f"({where})" if " or " in where else where
        texts.append(f"{name}' = {name} - {amount} and {where}")
    yield " or ".join(texts)


def _one_number(table: np.ndarray, names: tuple[str, ...]) -> Iterator[str]:
    """Yield the statement ``a' = F < a or b' = G < b`` of the winning moves; nothing unless F and G are both found.

    F is a formula in the numbers other than a, and G in the numbers other than b. With more numbers, each of them has
    such a part. ``table`` is as for :func:`_moves_candidates`.
    """
    count, parts = len(names), []
    for index, name in enumerate(names):
        others = [each for each in range(count) if each != index]
        # einsum selects the moves that change only this number: the other numbers are equal before and after the move.
        # ``reached`` has an axis for each other number, and one for ``end``: whether a winning move leads to ``end``.
        changed = [count if each == index else each for each in range(count)]
        reached = np.einsum(table, [*range(count), *changed], [*others, index, count]).any(axis=-2)
        if (reached.sum(axis=-1) > 1).any():
            return
        ends = np.where(reached.any(axis=-1), reached.argmax(axis=-1), -1)
        first, *more = rest = tuple(names[other] for other in others)
        texts = candidates.formulas(ends, rest) if more else (first, f"{first} if {first} > 1 else 1 - {first}")
        formula, _ = candidates.simplest(texts, rest, ends, ends >= 0)
        if formula is None or not reached.any():
            return
        text = f"({formula.text})" if " if " in formula.text else formula.text
        parts.append(f"{name}' = {text} < {name}")
    yield " or ".join(parts)


@dataclass(frozen=True)
class Refutation:
    """The first position at which a guess is wrong.

    Attributes
    ----------
    names : tuple of str
    position : tuple of int
    said : int, bool or None
        The value that the guess gives for the position, True or False for P or N, or None if it gives none.
    value : int
        The correct value.
    options : tuple of int
        The values of the options that are not loony, each once, in increasing order.
    better : str
        The guess with a case added for this position, if the guess is a text and gives no value here; otherwise empty.
    outcomes : bool
        Whether ``value`` and ``options`` are outcomes instead of values: 0 for P, 1 for N.
    each_loses : bool
        Whether the position has moves but no ``options``, because each move loses at once.
    """

    names: tuple[str, ...]
    position: tuple[int, ...]
    said: int | bool | None
    value: int
    options: tuple[int, ...]
    better: str = ""
    outcomes: bool = False
    each_loses: bool = False

    def __str__(self) -> str:
        where = numbers_text(self.names, self.position)
        if self.outcomes and self.said is None:
            if not self.better:
                return Message("first counterexample: {position}: the guess gives no value", where)
            return Message(
                "first counterexample: {position}: the guess gives no value; write: {formula}", where, self.better
            )
        if self.outcomes and not self.options:
            return Message("first counterexample: {position}: the guess says P, but there is no move", where)
        if self.outcomes and self.value:
            return Message(
                "first counterexample: {position}: the guess says P, but a move leads to a P-position", where
            )
        if self.outcomes:
            return Message(
                "first counterexample: {position}: the guess says N, but no move leads to a P-position", where
            )
        reason = Message("the value is {value}, because there is no move", self.value)
        if self.each_loses:
            reason = Message("the value is {value}, because each move loses at once", self.value)
        elif self.options:
            values = ", ".join(map(str, self.options))
            reason = Message("the value is {value}, the mex of the options' values {values}", self.value, values)
        if self.better:
            return Message(
                "first counterexample: {position}: the guess gives no value, but {reason}; write: {formula}",
                where,
                reason,
                self.better,
            )
        said = ("P" if self.said else "N") if isinstance(self.said, bool) else self.said
        return Message("first counterexample: {position}: the guess says {guess}, but {reason}", where, said, reason)
