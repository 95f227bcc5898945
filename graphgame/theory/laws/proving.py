"""From a formula to a proof: by a period that is proved, or by induction over moves that the rules declare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from graphgame.errors import LimitError, Message, OptionError
from graphgame.heaps.certificates import PeriodCertificate
from graphgame.proof.divided_claims import decide_divided
from graphgame.results import Play
from graphgame.rules.declared import DeclaredMoves
from graphgame.theory.laws.automata import Automaton, learned
from graphgame.theory.laws.expressions import Formula
from graphgame.theory.laws.induction import CoinClaim, Step, coin_values, every_coin, lost_positions, position_values
from graphgame.theory.laws.numeration import numeration_of, states_text
from graphgame.theory.laws.periodic import lost_text, value_text
from graphgame.theory.laws.statements import set_of
from graphgame.theory.laws.wythoff_pairs import WIDTHS, beatty, wythoff_pairs
from graphgame.theory.misere.quotient import MisereQuotient

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
    steps: tuple[Step, ...] = ()
    moves: DeclaredMoves | None = None
    certificate: PeriodCertificate | None = None
    whole: Automaton | None = None
    coins: CoinClaim | None = None
    quotient: MisereQuotient | None = None


def set_of_formula(formula: Formula, of_lost: bool) -> Automaton | None:
    """Return the set of P-positions, or of positions with their values, that a formula says; None if it cannot."""
    if of_lost and len(formula.names) == 2:
        for width in WIDTHS:
            if formula.text == beatty(width, formula.names):
                return wythoff_pairs(width, formula.names)
    statement, tracks = (
        (formula.text, formula.names) if of_lost else (f"{TRACK} = ({formula.text})", (*formula.names, TRACK))
    )
    try:
        numeration = numeration_of("Fibonacci" if "zeckendorf(" in formula.text else "base 2")
        return set_of(numeration, statement, tuple(sorted(tracks)))
    except (OptionError, LimitError):
        return None


def set_of_recurrence(formula: Formula, values: np.ndarray, numerations: Iterable[str]) -> Automaton | None:
    """Return the numbers with their values that a table shows, where each obeys a recurrence; None if none is found."""
    for name in numerations:
        found = learned(numeration_of(name), (*formula.names, TRACK), values)
        try:
            said = (
                None if found is None else set_of(found.numeration, f"{TRACK} = ({formula.text})", found.tracks, found)
            )
        except (OptionError, LimitError):
            continue
        if found is not None and said is not None:
            apart = said.minus(found) | found.minus(said)
            if apart.example() is None:
                return found
    return None


def by_induction(moves: DeclaredMoves, claimed: Automaton, of_lost: bool, misere: bool = False) -> Proof | None:
    """Return the proof that a set is that of the P-positions, or that of the values; None if a step fails."""
    if not of_lost and moves.followed:
        return None
    steps: list[Step] = []
    statements: Iterable[Step] = (
        lost_positions(moves, claimed, misere) if of_lost else position_values(moves, claimed, TRACK, misere)
    )
    try:
        for step in statements:
            if step.example is not None:
                return None
            steps.append(step)
    except LimitError:
        return None
    states = states_text(len(claimed), claimed.numeration.name)
    found = Message("automaton of {states}; {what}", states, _INDUCTION[of_lost])
    return Proof(found, claimed, tuple(steps), moves)


def by_division(moves: DeclaredMoves, formula: Formula, of_lost: bool, play: Play) -> Proof | None:
    """Return the proof of a formula with a remainder by a number of the rules; None if a step fails."""
    about = "P-positions" if of_lost else "values"
    law = {"names": formula.names, "formula": formula.text, "about": about, "play": play}
    steps = []
    try:
        for decided in decide_divided(moves, law):
            if decided.example is not None:
                return None
            steps.append(Step(decided.text, None))
    except (LimitError, OptionError):
        return None
    found = Message("numbers written as a multiple and a rest; {what}", _INDUCTION[of_lost])
    return Proof(found, steps=tuple(steps), moves=moves)


def by_turning(claim: CoinClaim, lost: str | None = None) -> Proof | None:
    """Return the proof that coins have the claimed values; and that a statement about n says which of them are 0."""
    steps = []
    try:
        for step in coin_values(claim):
            if step.example is not None:
                return None
            steps.append(step)
        if lost is not None:
            zero = set_of(numeration_of("base 2"), f"{every_coin(claim)} and {TRACK} = 0", ("n", TRACK)).without(TRACK)
            said = set_of(numeration_of("base 2"), f"n >= 1 and ({lost})", ("n",))
            apart = zero.minus(said) | said.minus(zero)
            steps.append(Step(Message("these are the coins of value 0"), apart.example()))
    except (LimitError, OptionError):
        return None
    if steps[-1].example is not None:
        return None
    return Proof(
        Message("no turn of a coin keeps its value, every smaller value is left by one"),
        steps=tuple(steps),
        coins=claim,
    )


def restricted(moves: DeclaredMoves, whole: Automaton, names: tuple[str, ...]) -> Automaton | None:
    """Return the positions of a set that a text of the first numbers alone names; None if that is too large."""
    try:
        found = (whole & _starts(moves, whole)).without(*moves.names[len(names) :])
    except LimitError:
        return None
    return found.renamed(dict(zip(moves.names, names, strict=False)))


def valid_starts(moves: DeclaredMoves, like: Automaton, names: tuple[str, ...]) -> Automaton:
    """Return all positions that a text of the first numbers alone names, in the numeration of another set."""
    found = _starts(moves, like).without(*moves.names[len(names) :])
    return found.renamed(dict(zip(moves.names, names, strict=False)))


def _starts(moves: DeclaredMoves, like: Automaton) -> Automaton:
    return set_of(like.numeration, f"({moves.starts}) and ({moves.positions})", moves.names)


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
    if claimed.minus(truth).example() is not None or truth.minus(claimed).example() is not None:
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
