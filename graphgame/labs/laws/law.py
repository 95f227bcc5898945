"""What is found: a law with the grounds for it, and nothing between what is proved and what was seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from operator import xor
from typing import Any, Literal

import numpy as np

from graphgame.errors import Message, OptionError, joined, plural
from graphgame.errors.messages import filled
from graphgame.io.latex import latex_text
from graphgame.labs.heaps.periods import PeriodCertificate
from graphgame.labs.laws.automata import Automaton
from graphgame.labs.laws.coin_claims import CoinClaim
from graphgame.labs.laws.expressions import Formula
from graphgame.labs.laws.latex import formula_latex
from graphgame.labs.laws.law_claims import Decided
from graphgame.labs.laws.numeration import numeration_of, states_text
from graphgame.labs.laws.proving import TRACK, set_of_formula
from graphgame.labs.laws.rows import PeriodicRows, row_lines
from graphgame.labs.laws.statements import after
from graphgame.labs.misere.quotient import MisereQuotient, quotient_record
from graphgame.rules.declared import DeclaredMoves
from graphgame.solution.results import Play


@dataclass(frozen=True)
class Rival:
    """The formula, of those tried before a law, that agrees with the table the furthest.

    Attributes
    ----------
    formula : str
    names : tuple of str
    position : tuple of int
        The first position of which it is wrong, where those with a smaller largest number come first.
    """

    formula: str
    names: tuple[str, ...]
    position: tuple[int, ...]

    @property
    def largest(self) -> int:
        """The least number to which a table must go so that it refutes all formulas that were tried before the law."""
        return max(self.position)

    def __str__(self) -> str:
        where = numbers_text(self.names, self.position)
        return Message(
            "the simpler {formula} fails first at {where}; a table to {largest} refutes all simpler ones",
            self.formula,
            where,
            self.largest,
        )


@dataclass(frozen=True, repr=False)
class Law:
    """A law of a game's values or of its P-positions.

    Attributes
    ----------
    about : {"values", "P-positions", "winning moves", "a winning move", "rows"}
        Rows are the values of the first rows of a table of two numbers.
    names : tuple of str
        The numbers that a position consists of.
    formula : Formula or None
        The value, whether a position is P, or whether a move wins, as a formula; of a move it has the numbers after it
        too, with a prime.
    automaton : Automaton or None
        The set of the P-positions, or of the positions with their values, where it was made for a proof.
    proof : str
        Why it holds of all positions; empty where it was only seen.
    positions : int
        On how many positions it was compared.
    largest : tuple of int
        The largest numbers among these.
    steps : tuple of Decided
        The statements that were decided for the proof.
    certificate : PeriodCertificate or None
        The proved period, where that is the proof; it is the law where no formula is shorter.
    moves : DeclaredMoves or None
        The moves that the induction is over, where that is the proof.
    whole : Automaton or None
        The set that the induction is about, where positions consist of more numbers than their text has.
    play : {"normal", "misere"}
    coins : CoinClaim or None
        What is proved of the coins of a row, where that is the proof.
    rows : PeriodicRows or None
        How each of the rows repeats, where the law is about them.
    rival : Rival or None
        The simpler formula that was refuted last, where others were tried.
    parts : tuple of (str, Law)
        The parts of a sum, each a text with the law of its values, where that is the proof.
    quotient : MisereQuotient or None
        Of the heaps, where the period is that of their elements; of a sum of heaps it tells the outcome.
    supposed : str
        What else would be so: the moves that the rules seem to have, with the proof for them.

    Examples
    --------
    >>> from graphgame.games import laws
    >>> values, lost, moves = laws.find("bash{3}(n)")
    >>> values.formula.text, values.status, values(10**18)
    ('n % 4', 'proved', 0)
    >>> moves.text, moves(7, 4), moves(7, 5)
    ("winning moves: n' = n - n % 4 < n", True, False)
    """

    about: Literal["values", "P-positions", "winning moves", "a winning move", "rows"]
    names: tuple[str, ...]
    formula: Formula | None
    automaton: Automaton | None
    proof: str
    positions: int
    largest: tuple[int, ...]
    steps: tuple[Decided, ...] = ()
    certificate: PeriodCertificate | None = None
    moves: DeclaredMoves | None = None
    whole: Automaton | None = None
    play: Play = "normal"
    rows: PeriodicRows | None = None
    coins: CoinClaim | None = None
    quotient: MisereQuotient | None = None
    supposed: str = ""
    rival: Rival | None = None
    parts: tuple[tuple[str, Law], ...] = ()

    @property
    def status(self) -> Literal["proved", "holds"]:
        """Whether the law is proved, or holds of the positions it was compared with."""
        return "proved" if self.proof else "holds"

    @property
    def of_moves(self) -> bool:
        """Whether it is about moves, not positions."""
        return self.about in ("winning moves", "a winning move")

    def __repr__(self) -> str:
        return f"<Law {self.text}; {self.grounds}>"

    def __call__(self, *numbers: int) -> int | bool:
        """Return the value that the law gives a position, or whether it is P; of a move, whether it wins.

        A move is given by the numbers before it and those after it; that it is one is not looked at.

        Raises
        ------
        OptionError
            A number is negative, or the formula has no value, or the row is not one of those that are known.
        """
        names = (*self.names, *map(after, self.names)) if self.of_moves else self.names
        if len(numbers) != len(names) or min(numbers) < 0:
            raise OptionError("invalid position {numbers}: expected {count} numbers, 0 or more", numbers, len(names))
        if self.formula is not None:
            found = self.formula(*numbers)
            return int(found) if self.about == "values" else bool(found)
        if self.quotient is not None and len(numbers) > 1:
            return self.quotient.outcome(*map(int, numbers)) == "P"
        if self.certificate is not None or self.parts:
            value = self.certificate.value(*numbers) if self.certificate is not None else self._nim_sum(numbers)
            return value == 0 if self.about == "P-positions" else value
        if self.rows is not None:
            return self.rows.value(*numbers)
        assert self.automaton is not None
        if self.about == "values":
            given = dict(zip(self.names, map(int, numbers), strict=True))
            if (number := self.automaton.completed(TRACK, **given)) is None:
                raise OptionError("the automaton gives {numbers} no value", numbers)
            return number
        return bool(self.automaton.contains(**dict(zip(names, map(np.asarray, numbers), strict=True))))

    def _nim_sum(self, numbers: Sequence[int]) -> int:
        given = dict(zip(self.names, numbers, strict=True))
        return reduce(xor, (int(law(*map(given.__getitem__, law.names))) for _, law in self.parts))

    def as_automaton(self) -> Automaton | None:
        """Return the set of the P-positions, or of the positions with their values; None if none stands for it."""
        if self.automaton is not None or self.formula is None or self.of_moves:
            return self.automaton
        return set_of_formula(self.formula, self.about == "P-positions")

    @property
    def text(self) -> str:
        """The law as one line."""
        return law_text(self.record(brief=True))

    @property
    def details(self) -> list[str]:
        """What the law says of each row, or of the values of each part of a sum."""
        rows = [] if self.rows is None else row_lines(self.rows, self.names)
        parts = self.parts if self.about == "values" else ()
        return rows + [f"{text}: {law.text}, {law.grounds}" for text, law in parts]

    @property
    def latex(self) -> str:
        r"""The law as one line of LaTeX.

        Examples
        --------
        >>> from graphgame.games import laws
        >>> print(laws.find("take{1,2}(n)")[0].latex)
        $g(n) = n \bmod 3$
        """
        if self.parts:
            told = latex_text(self.text.replace("^", "⊕"))
            return "; ".join([told, *(law.latex for _, law in self.parts if self.about == "values")])
        if self.formula is None:
            if self.about == "values" and self.certificate is not None:
                (name,), period = self.names, self.certificate
                added = f" + {period.saltus}" if period.saltus else ""
                return f"$g({name} + {period.period}) = g({name}){added}$ for ${name} \\geq {period.preperiod}$"
            lines = "; ".join(map(latex_text, [self.text, *self.details]))
            return lines.replace(r"\textgreater{}=", r"$\geq$")
        if self.about == "values":
            return f"$g({', '.join(self.names)}) = {formula_latex(self.formula.text)}$"
        said = self.text
        assert isinstance(said, Message)
        return filled(said.template, {**said.facts, "formula": f"${formula_latex(self.formula.text)}$"})

    @property
    def grounds(self) -> str:
        """Why, or how far."""
        if self.proof:
            return Message("proved: {proof}", self.proof)
        extent = extent_text(self.positions, tuple(number + 1 for number in self.largest))
        return joined(filter(None, [Message("holds on {extent}", extent), self.supposed]))

    def record(self, *, brief: bool = False) -> dict[str, Any]:
        """Return the law as an object of JSON; unless it is to be brief, with all that a check of its proof takes."""
        formula = None if self.formula is None else self.formula.text
        record: dict[str, Any] = {"about": self.about, "play": self.play, "names": self.names, "formula": formula}
        if self.automaton is not None:
            record["automaton"] = self.automaton.record()
        if self.certificate is not None:
            record["period"] = self.certificate.record()
        if self.rows is not None:
            record["rows"] = self.rows.record()
        if self.parts:
            record["parts"] = [{"source": text, "law": law.record()} for text, law in self.parts]
        if brief:
            return record
        record |= {"text": law_text(record), "status": self.status, "proof": self.proof or None}
        record |= {"positions": self.positions, "largest": self.largest}
        if self.whole is not None:
            record["whole"] = self.whole.record()
        if self.quotient is not None:
            record["quotient"] = quotient_record(self.quotient)
        if self.coins is not None:
            record["turns"] = self.coins.record()
        if self.moves is not None:
            record["moves"] = asdict(self.moves)
        if self.rival is not None:
            record["rival"] = {"formula": self.rival.formula, "position": self.rival.position}
        if self.steps:
            record["steps"] = [step.text for step in self.steps]
        return record


def law_text(record: Mapping[str, Any]) -> str:
    """Return the law of a record as one line."""
    position, formula = ",".join(record["names"]), record["formula"]
    misere = Message(" of misère play") if record["play"] == "misere" else ""
    automaton, period = record.get("automaton", {}), record.get("period", {})
    if record["about"] == "rows":
        return _rows_text(record)
    if record.get("parts"):
        return _sum_text(record)
    start, length, saltus = (period.get(name) for name in ("preperiod", "period", "saltus"))
    if record["about"] == "values":
        if formula is not None:
            values = f"g({position}) = {formula}"
            return Message("{law}, values of misère play", values) if misere else values
        if not period:
            return Message("values{misere}: {automaton}", misere, _automaton_text(automaton))
        added = f" + {saltus}" if saltus else ""
        return Message("g({n} + {length}) = g({n}){added} for {n} >= {start}", position, length, added, start)
    if formula is None and period and len(record["names"]) > 1:
        formula = Message("the product of the elements of {names} is in the P-portion", ", ".join(record["names"]))
    elif formula is None and period:
        formula = Message("period {length} for {position} >= {start}", length, position, start)
        formula = formula if misere else Message("where g({n}) = 0, {period}", position, formula)
    elif formula is None:
        formula = _automaton_text(automaton)
    if record["about"] == "winning moves" and record["formula"] is not None and "'" not in formula:
        formula = Message("all, where {formula}", formula)
    formula = {"False": Message("none"), "True": Message("all")}.get(formula, formula)
    if record["about"] == "P-positions":
        return Message("P-positions{misere}: {formula}", misere, formula)
    return (
        Message("winning moves{misere}: {formula}", misere, formula)
        if record["about"] == "winning moves"
        else Message("a winning move{misere}: {formula}", misere, formula)
    )


def _automaton_text(automaton: Mapping[str, Any]) -> str:
    table = automaton.get("table")
    states = len(table) if isinstance(table, list) else 0
    return Message(
        "an automaton of {states}",
        states_text(states, _numeration(automaton.get("numeration"))),
    )


def _numeration(name: object) -> str:
    try:
        return numeration_of(str(name)).name
    except ValueError:
        return str(name)


def _rows_text(record: Mapping[str, Any]) -> str:
    a, b = record["names"]
    rows = record.get("rows", {})
    added, count = " + p" if rows.get("whole") else "", len(rows.get("rows", ()))
    return Message(
        "rows of values: g({a}, {b} + p) = g({a}, {b}){added}, for {a} = 0 to {count}", a, b, added, count - 1
    )


def _sum_text(record: Mapping[str, Any]) -> str:
    values = [f"g({part['source']})" for part in record["parts"]]
    total = " ^ ".join(values)
    if record["about"] == "values":
        return f"g({','.join(record['names'])}) = {total}"
    return Message("P-positions: {formula}", " = ".join(values) if len(values) == 2 else f"{total} = 0")


def numbers_text(names: Sequence[str], numbers: Sequence[int]) -> str:
    """Return numbers with their names.

    >>> numbers_text(("a", "b"), (3, 4))
    'a = 3, b = 4'
    """
    return ", ".join(f"{name} = {number}" for name, number in zip(names, numbers, strict=True))


def extent_text(positions: int, sizes: tuple[int, ...]) -> str:
    """Return how many positions a table has, and how large they are.

    >>> extent_text(8100, (90, 90))
    '8,100 positions (90 x 90)'
    """
    shape = f" ({' x '.join(map(str, sizes))})" if sizes[1:] else ""
    return plural(positions, "position") + shape


@dataclass(frozen=True)
class Refutation:
    """The first position of which a guess is wrong.

    Attributes
    ----------
    names : tuple of str
    position : tuple of int
    said : int, bool or None
        What the guess says; None where it has no value.
    value : int
        The Grundy value.
    options : tuple of int
        The values of the options, each once.
    better : str
        The guess with a value at this position, where it has none; else empty.
    outcomes : bool
        Whether there are no values but outcomes: 0 for P, 1 for N.
    """

    names: tuple[str, ...]
    position: tuple[int, ...]
    said: int | bool | None
    value: int
    options: tuple[int, ...]
    better: str = ""
    outcomes: bool = False

    def __str__(self) -> str:
        where = numbers_text(self.names, self.position)
        said = (Message("P") if self.said else Message("N")) if isinstance(self.said, bool) else str(self.said)
        if self.outcomes:
            truth = (
                Message("says P, but a move leaves a P-position")
                if self.value
                else Message("says N, but no move leaves a P-position")
            )
            truth = truth if self.options else Message("says P, but there is no move")
            return Message("first counterexample: {where}: the guess {truth}", where, truth)
        mex = (
            Message("mex of {options}", ", ".join(map(str, self.options)))
            if self.options
            else Message("there is no move")
        )
        if self.said is None:
            truth = Message("the value is {value} ({mex})", self.value, mex)
            return Message(
                "first counterexample: {where}: the guess has no value, {truth}; write: {better}",
                where,
                truth,
                self.better,
            )
        return Message(
            "first counterexample: {where}: the guess says {guess}, the value is {value} ({mex})",
            where,
            said,
            self.value,
            mex,
        )
