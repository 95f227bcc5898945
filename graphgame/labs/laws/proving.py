"""From a formula to a proof: by a period that is proved, or by induction over moves that the rules declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from graphgame.errors import LimitError, Message, OptionError
from graphgame.labs.heaps.periods import PeriodCertificate
from graphgame.labs.laws.automata import Automaton
from graphgame.labs.laws.coin_claims import CoinClaim, decide_coins
from graphgame.labs.laws.divided_claims import decide_divided
from graphgame.labs.laws.expressions import Formula
from graphgame.labs.laws.law_claims import (
    Decided,
    decide_induction,
    decide_recurrence,
    formula_set,
    pairs_text,
)
from graphgame.labs.laws.learning import learned
from graphgame.labs.laws.numeration import numeration_of, states_text
from graphgame.labs.laws.periodic import lost_text, value_text
from graphgame.labs.laws.wythoff_pairs import WIDTHS, wythoff_pairs
from graphgame.labs.misere.quotient import MisereQuotient
from graphgame.rules.declared import DeclaredMoves
from graphgame.solution.results import Play

TRACK = "value"
"""The track of the values; numbers have names of one letter."""

_LONGEST_PERIOD = 200

_INDUCTION = {
    True: Message("no move joins two of them, every other position has a move to one"),
    False: Message("no move keeps the value, every smaller value is that of an option"),
}
"""What is decided by induction: True of P-positions, False of values."""


class Proof(NamedTuple):
    """Why a law holds, with the automaton and the statements that were decided for it."""

    text: str
    automaton: Automaton | None = None
    steps: tuple[Decided, ...] = ()
    moves: DeclaredMoves | None = None
    certificate: PeriodCertificate | None = None
    whole: Automaton | None = None
    coins: CoinClaim | None = None
    quotient: MisereQuotient | None = None


def set_of_formula(formula: Formula, of_lost: bool) -> Automaton | None:
    """Return the set of P-positions, or of positions with their values, that a formula says; None if it cannot."""
    if of_lost and len(formula.names) == 2:
        for width in WIDTHS:
            if formula.text == pairs_text(width, formula.names):
                return wythoff_pairs(width, formula.names)
    tracks = formula.names if of_lost else (*formula.names, TRACK)
    try:
        return formula_set(formula.text, tuple(sorted(tracks)), of_lost)
    except (OptionError, LimitError):
        return None


def set_of_recurrence(formula: Formula, values: np.ndarray, numerations: Iterable[str]) -> Automaton | None:
    """Return the numbers with their values that a table shows, where each obeys a recurrence; None if none is found."""
    for name in numerations:
        found = learned(numeration_of(name), (*formula.names, TRACK), values)
        if found is not None and _all_hold(decide_recurrence(found, formula.text)):
            return found
    return None


def _all_hold(statements: Iterator[Decided]) -> tuple[Decided, ...] | None:
    """Return the statements; None if one is false, or cannot be decided."""
    held = []
    try:
        for statement in statements:
            if statement.example is not None:
                return None
            held.append(statement)
    except (LimitError, OptionError):
        return None
    return tuple(held)


def by_induction(moves: DeclaredMoves, claimed: Automaton, of_lost: bool, misere: bool = False) -> Proof | None:
    """Return the proof that a set is that of the P-positions, or that of the values; None if a step fails."""
    steps = _all_hold(decide_induction(moves, claimed, misere))
    if steps is None:
        return None
    states = states_text(len(claimed), claimed.numeration.name)
    found = Message("automaton of {states}; {what}", states, _INDUCTION[of_lost])
    return Proof(found, claimed, steps, moves)


def by_division(moves: DeclaredMoves, formula: Formula, of_lost: bool, play: Play) -> Proof | None:
    """Return the proof of a formula with a remainder by a number of the rules; None if a step fails."""
    about = "P-positions" if of_lost else "values"
    law = {"names": formula.names, "formula": formula.text, "about": about, "play": play}
    steps = _all_hold(decide_divided(moves, law))
    if steps is None:
        return None
    found = Message("numbers written as a multiple and a rest; {what}", _INDUCTION[of_lost])
    return Proof(found, steps=steps, moves=moves)


def by_turning(claim: CoinClaim, lost: str | None = None) -> Proof | None:
    """Return the proof that coins have the claimed values; and that a statement about n says which of them are 0."""
    steps = _all_hold(decide_coins(claim, lost))
    if steps is None:
        return None
    return Proof(
        Message("no turn of a coin keeps its value, every smaller value is left by one"),
        steps=steps,
        coins=claim,
    )


def by_period(
    certificate: PeriodCertificate, formula: Formula, of_lost: bool, quotient: MisereQuotient | None = None
) -> Proof | None:
    """Return the proof that a formula of one number is what a proved period says; None if it is not."""
    if certificate.preperiod + certificate.period > _LONGEST_PERIOD:
        return None
    claimed = set_of_formula(formula, of_lost)
    if claimed is None:
        return None
    truth = set_of_formula(Formula(period_statement(certificate, formula.names[0], of_lost), formula.names), of_lost)
    assert truth is not None
    if claimed.differing(truth) is not None:
        return None
    return from_certificate(certificate, quotient)


def from_certificate(certificate: PeriodCertificate, quotient: MisereQuotient | None = None) -> Proof:
    """Return a proved period as the proof of what it says: of values, or of the elements of a misère quotient."""
    if quotient is None:
        return Proof(period_words(certificate), certificate=certificate)
    start, period, last = certificate.preperiod, certificate.period, certificate.last_heap
    words = Message(
        "its elements repeat with period {period} from n = {start}, by those of the heaps to n = {last}",
        period,
        start,
        last,
    )
    return Proof(
        Message("misère quotient of order {order}; {words}", quotient.order, words),
        certificate=certificate,
        quotient=quotient,
    )


def period_words(certificate: PeriodCertificate) -> str:
    """Return a proved period in words.

    >>> from graphgame import heaps
    >>> period_words(heaps.octal("0.77").period(1000))
    'period 12 from n = 71, by the values to n = 167'
    """
    saltus = Message(", saltus {saltus}", certificate.saltus) if certificate.saltus else ""
    start = Message(" from n = {start}", certificate.preperiod) if certificate.preperiod else ""
    start = Message(",{start}", start) if saltus and start else start
    return Message(
        "period {period}{saltus}{start}, by the values to n = {last_heap}",
        certificate.period,
        saltus,
        start,
        certificate.last_heap,
    )


def period_statement(certificate: PeriodCertificate, name: str, of_lost: bool) -> str:
    """Return what a certificate says of a heap of any size, as a formula."""
    text = lost_text if of_lost else value_text
    return text(certificate.values, certificate.preperiod, certificate.period, certificate.saltus, name)
