"""Laws and their proofs: how they are stated, written to files, read, and checked again."""

from __future__ import annotations

# ruff: noqa: D102 (the methods of the kinds of proof are documented once, in Evidence)
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import reduce
from itertools import chain
from operator import xor
from typing import Any, ClassVar, Literal

from graphgame.errors import LimitError, Message, ParameterError, filled, joined, plural
from graphgame.io.files import PathLike, Source
from graphgame.io.other_formats import LAWS
from graphgame.labs.heaps.heapgame import HeapGame
from graphgame.labs.heaps.periods import PeriodCertificate
from graphgame.labs.laws import claims
from graphgame.labs.laws.automata import Automaton, numeration_of, recorded, states_text
from graphgame.labs.laws.candidates import Rival
from graphgame.labs.laws.declared_moves import differing_by_statements, differing_turn, turns_of, whole_cells
from graphgame.labs.laws.formulas import Formula, after, formula_latex, numbers_text, renamed
from graphgame.labs.laws.learning import set_of_formula
from graphgame.labs.laws.rows import PeriodicRows, decide_rows, row_lines, rows_proof
from graphgame.labs.laws.sources import Game, extent_text, game_of, heap_game, parts_with_names, with_numbers
from graphgame.labs.misere.checking import find_fault
from graphgame.labs.misere.heap_quotients import heap_graph
from graphgame.labs.misere.quotient import MisereQuotient, quotient_of_record, quotient_record
from graphgame.labs.records import fits, natural, whole_value
from graphgame.rules.declared import DeclaredMoves, DeclaredTurns
from graphgame.rules.notation import parse_position
from graphgame.rules.user_rules import rules_run
from graphgame.solution.results import play_name
from graphgame.text.latex import latex_text

INTO_P_POSITION = Message("each of these moves leads to a P-position, and the P-positions are proved")
_NO_PROOF = Message("the file has no proof that fits this kind of game: expected moves, a period, turns or parts")


@dataclass(frozen=True, repr=False)
class Law:
    """A law of a game's values, of its P-positions or of its winning moves.

    Attributes
    ----------
    about : {"values", "P-positions", "winning moves", "a winning move", "rows"}
        "rows" means the values of the first rows of a table of two numbers.
    names : tuple of str
        The names of the numbers of a position.
    formula : Formula or None
        A formula for the value, for whether a position is P, or for whether a move wins. A formula for moves also has
        the numbers after the move, with a prime. If None, the evidence states the law.
    misere : bool
    positions : int
        The number of positions with which the law was compared.
    largest : tuple of int
        For each name, the largest number in these positions.
    evidence : Evidence
        The proof, with everything that a check needs; without a proof, an object of the class Evidence itself.
    supposed : str
        If the law is proved only for guessed moves or a guessed period: a phrase with this guess. Otherwise empty.
    rival : Rival or None
        The simpler formula that agreed longest with the table; None if there is none, as for a guess.

    Examples
    --------
    >>> from graphgame import laws
    >>> values, p_positions, moves = laws.find("bash{3}(n)")
    >>> values.formula.text, values.status, values(10**18)
    ('n % 4', 'proved', 0)
    >>> moves.text, moves(7, 4), moves(7, 5)
    ("winning moves: n' = n - n % 4 < n", True, False)
    """

    about: Literal["values", "P-positions", "winning moves", "a winning move", "rows"]
    names: tuple[str, ...]
    formula: Formula | None
    misere: bool
    positions: int
    largest: tuple[int, ...]
    evidence: Evidence
    supposed: str = ""
    rival: Rival | None = None

    @property
    def proof(self) -> str:
        """A phrase that says why the law is true for all positions; empty if it is not proved."""
        return "" if self.supposed else self.evidence.words(self)

    @property
    def status(self) -> Literal["proved", "holds"]:
        """Either "proved", or "holds" if the law was only compared with some positions."""
        return "proved" if self.proof else "holds"

    @property
    def steps(self) -> tuple[claims.Decided, ...]:
        """The statements that were decided for the proof."""
        return self.evidence.steps

    @property
    def automaton(self) -> Automaton | None:
        """The automaton in the evidence, for P-positions, positions with their values, or moves; None without one."""
        return self.evidence.automaton

    @property
    def of_moves(self) -> bool:
        """Whether the law is about moves, not about positions."""
        return self.about in ("winning moves", "a winning move")

    def __repr__(self) -> str:
        return f"<Law {self.text}; {self.grounds}>"

    def __call__(self, *numbers: int) -> int | bool:
        """Return the value of a position, whether it is P, or whether a move is one of the winning moves of the law.

        A move is given by the numbers before it, then those after it. It is not checked whether it is a legal move.

        Raises
        ------
        ParameterError
            The count of numbers is wrong, a number is negative, or the law gives no value for these numbers.
        """
        names = (*self.names, *map(after, self.names)) if self.of_moves else self.names
        if len(numbers) != len(names) or min(numbers) < 0:
            count = plural(len(names), "number")
            raise ParameterError("invalid numbers {numbers}: expected {count}, each 0 or more", numbers, count)
        if self.formula is None:
            return self.evidence.value(self, dict(zip(names, map(int, numbers), strict=True)))
        value = self.formula(*numbers)
        return int(value) if self.about == "values" else bool(value)

    def as_automaton(self) -> Automaton | None:
        """Return :attr:`automaton` or, if it is None, an automaton made from the formula; None if none can be made."""
        if self.automaton is not None or self.formula is None or self.of_moves:
            return self.automaton
        return set_of_formula(self.formula, self.about == "P-positions")

    @property
    def text(self) -> str:
        """The law as one line."""
        return str(self.record()["text"])

    @property
    def details(self) -> list[str]:
        """Further lines: how each row repeats, or for values of a sum the law of each part; otherwise empty."""
        return self.evidence.details(self)

    @property
    def latex(self) -> str:
        r"""The law as one line of LaTeX.

        >>> from graphgame import laws
        >>> print(laws.find("take{1,2}(n)")[0].latex)
        $g(n) = n \bmod 3$
        """
        if self.formula is None:
            return self.evidence.latex(self)
        formula = formula_latex(self.formula.text)
        if self.about == "values":
            values = f"$g({', '.join(self.names)}) = {formula}$"
            return Message("{law}, values of misère play", values) if self.misere else values
        text = self.text
        assert isinstance(text, Message)
        return filled(text.template, {**text.facts, "formula": f"${formula}$"})

    @property
    def grounds(self) -> str:
        """A phrase that says how the law is proved, or with how many positions it was compared."""
        if self.proof:
            return Message("proved: {proof}", self.proof)
        extent = extent_text(self.positions, tuple(number + 1 for number in self.largest))
        return joined(filter(None, [Message("holds on {extent}", extent), self.supposed]))

    def record(self) -> dict[str, Any]:
        """Return the law as a JSON object, with everything that a check of its proof needs besides the game."""
        formula = None if self.formula is None else self.formula.text
        record: dict[str, Any] = {
            "about": self.about,
            "play": play_name(self.misere),
            "names": self.names,
            "formula": formula,
        }
        record |= self.evidence.record()
        record |= {"text": law_text(record), "status": self.status, "proof": self.proof or None}
        record |= {"positions": self.positions, "largest": self.largest}
        if self.rival is not None:
            record["rival"] = {"formula": self.rival.formula, "position": self.rival.position}
        if self.steps:
            record["steps"] = [step.text for step in self.steps]
        return record


def law_text(law: Mapping[str, Any]) -> str:
    """Return the text of a law, one line, made from the other members of its JSON object."""
    about, names, formula = law["about"], law["names"], law["formula"]
    if formula is not None and about == "values":
        values = f"g({','.join(names)}) = {formula}"
        return Message("{law}, values of misère play", values) if law["play"] == "misere" else values
    statement = _kind_of(law).statement(law) if formula is None else formula
    if about in ("values", "rows"):
        return str(statement)
    if about == "winning moves" and formula not in (None, "False") and "'" not in formula:
        statement = Message("all, where {formula}", formula)
    statement = {"False": Message("none"), "True": Message("all")}.get(statement, statement)
    if about == "P-positions":
        return Message("P-positions{misere}: {formula}", _misere(law), statement)
    if about == "winning moves":
        return Message("winning moves{misere}: {formula}", _misere(law), statement)
    return Message("a winning move{misere}: {formula}", _misere(law), statement)


def _misere(law: Mapping[str, Any]) -> str:
    return Message(" of misère play") if law["play"] == "misere" else ""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The evidence for a law. Subclasses are kinds of proof; this class itself means that there is no proof.

    The class methods take the JSON object of a law from a file. Only the types of its members have been checked.

    Attributes
    ----------
    automaton : Automaton or None
        The set of the P-positions, of the positions with their values, or of moves.
    steps : tuple of Decided
        The statements that were decided for the proof.
    function : callable or None
        The guess, if it is a Python function.
    """

    automaton: Automaton | None = None
    steps: tuple[claims.Decided, ...] = ()
    function: Callable[..., int | bool] | None = None
    reason: ClassVar[str] = ""

    def words(self, law: Law) -> str:
        """Return a phrase that says why the law is true for all positions; "" if it is not proved."""
        return self.reason

    def unproved(self) -> Evidence:
        """Return what is left of the evidence if the moves or the period of the law were only guessed."""
        return Evidence(automaton=self.automaton, steps=self.steps)

    def record(self) -> dict[str, Any]:
        """Return the evidence as a dict of members for the JSON object of its law."""
        return {} if self.automaton is None else {"automaton": self.automaton.record()}

    def value(self, law: Law, numbers: dict[str, int]) -> int | bool:
        """Return ``law(*numbers.values())``, a value or a bool, for a law without a formula."""
        if self.function is not None:
            return self.function(*numbers.values())
        assert self.automaton is not None
        if law.about != "values":
            return bool(self.automaton.contains(**numbers))
        if (value := self.automaton.completed(claims.VALUE, **numbers)) is None:
            raise ParameterError(
                "the automaton of the law gives the position {numbers} no value", tuple(numbers.values())
            )
        return value

    def details(self, law: Law) -> list[str]:
        """Return the value of :attr:`Law.details` for a law with this evidence."""
        return []

    def latex(self, law: Law) -> str:
        """Return the law as one line of LaTeX, for a law without a formula."""
        lines = "; ".join(map(latex_text, [law.text, *law.details]))
        return lines.replace(r"\textgreater{}=", r"$\geq$")

    @classmethod
    def statement(cls, law: Mapping[str, Any]) -> str:
        """Return the text of a law without a formula, except a prefix such as "P-positions:", which law_text adds."""
        if "automaton" in law:
            table, name = law["automaton"].get("table"), str(law["automaton"].get("numeration"))
            with suppress(ValueError):
                name = numeration_of(name).name
            states = states_text(len(table) if isinstance(table, list) else 0, name)
            statement = Message("an automaton of {states}", states)
        else:
            statement = Message("the guessed function")
        if law["about"] == "values":
            return Message("values{misere}: {statement}", _misere(law), statement)
        return statement

    @classmethod
    def checked(cls, law: Mapping[str, Any], game: Game) -> str:
        """Check a law that claims to have a proof of this kind; return a phrase that says what was checked.

        Raises
        ------
        ParameterError
            The proof is wrong or incomplete.
        LimitError
            The check exceeds a limit.
        """
        raise ParameterError(_NO_PROOF)


def _kind_of(law: Mapping[str, Any]) -> type[Evidence]:
    """Return the kind of proof that the JSON object of a law has: Evidence itself if none."""
    # No member of the object names the kind of proof. The members that it has show the kind.
    if law["about"] not in ("values", "P-positions"):
        return Evidence if "moves" not in law else OfRows if law["about"] == "rows" else OfMoves
    if law.get("parts"):
        return OfParts
    if "moves" in law:
        return ByDivision if claims.is_divided(law["formula"]) else ByInduction
    kinds = {"turns": ByTurning, "quotient": ByQuotient, "period": ByPeriod}
    return next((kind for name, kind in kinds.items() if name in law), Evidence)


@dataclass(frozen=True, kw_only=True)
class ByInduction(Evidence):
    """A proof by induction over the moves of a game, for the set that a formula or an automaton describes.

    If positions have more numbers than the text, the induction is about ``whole``, a set of tuples of all numbers.
    """

    moves: DeclaredMoves
    whole: Automaton | None = None

    def words(self, law: Law) -> str:
        decided = self.whole or self.automaton
        assert decided is not None
        states = states_text(len(decided), decided.numeration.name)
        return Message("automaton of {states}; {reason}", states, claims.INDUCTION[law.about, law.misere])

    def record(self) -> dict[str, Any]:
        whole = {} if self.whole is None else {"whole": self.whole.record()}
        return super().record() | {"moves": asdict(self.moves)} | whole

    @classmethod
    def checked(cls, law: Mapping[str, Any], game: Game) -> str:
        moves = game.moves
        # With other moves than those that the rules declare, the proof would be about another game.
        if moves is None or json.loads(json.dumps(asdict(moves))) != law["moves"]:
            raise ParameterError("the moves in the file are not the moves that {source} declares", game.text)
        grounds = cls.decided(moves, law)
        if not game.cells:
            return grounds
        # The declared moves must also give the options of the rules. Check this for small positions.
        differing, compared = differing_by_statements(moves, whole_cells(moves, game.cells))
        if differing is not None:
            raise ParameterError("the moves in the file do not give the options of {position}", differing)
        return joined([grounds, Message("the moves agree with the rules on {count} positions", compared)])

    @classmethod
    def decided(cls, moves: DeclaredMoves, law: Mapping[str, Any]) -> str:
        """Return a phrase that says what was decided; raise ParameterError if a statement is false."""
        return _all_hold(cls.statements(moves, law))

    @classmethod
    def statements(cls, moves: DeclaredMoves, law: Mapping[str, Any]) -> Iterator[claims.Decided]:
        """Yield the statements that prove the law for a game with these moves."""
        claimed = claims.claimed_set(law)
        if moves.starts:
            whole = recorded(law.get("whole", {}), claims.tracks_of(moves.names, law["about"] == "P-positions"))
            # The induction is about ``whole``, whose tuples have all numbers of a position. The law is only about the
            # first of these numbers. It must agree with ``whole`` at the positions that the notation can write.
            differing = claims.differing_in_text(moves, law["names"], whole, claimed)
            if differing is not None:
                raise ParameterError('the law differs from "whole" in the file at {position}', _numbers(differing))
        else:
            whole = claimed.renamed(dict(zip(law["names"], moves.names, strict=True)))
        yield from claims.decide_induction(moves, whole, law["play"] == "misere")
        # A formula with an irrational number has no automaton. If it is the formula of the pairs of r-Wythoff, these
        # statements prove, by a theorem, that the law's automaton has exactly the pairs of the formula.
        if law["about"] == "P-positions" and (width := claims.width_of_pairs(law["formula"], law["names"])):
            yield from claims.decide_pairs(claimed, width)
        if claims.is_recurrence(law):
            yield from claims.decide_recurrence(claimed, law["formula"])


@dataclass(frozen=True, kw_only=True)
class OfMoves(ByInduction):
    """A proof of a law of winning moves (all, or one from each N-position); ``whole`` is the set of P-positions."""

    def words(self, law: Law) -> str:
        return INTO_P_POSITION

    @classmethod
    def statements(cls, moves: DeclaredMoves, law: Mapping[str, Any]) -> Iterator[claims.Decided]:
        p_set = recorded(law.get("whole", {}), claims.tracks_of(moves.names, True))
        yield from claims.decide_induction(moves, p_set, law["play"] == "misere")
        yield from claims.decide_winning(moves, p_set, law)


@dataclass(frozen=True, kw_only=True)
class ByDivision(ByInduction):
    """A proof by induction for a formula that divides by a term, as n % (k + 1); see ``claims.decide_divided``."""

    def words(self, law: Law) -> str:
        reason = claims.INDUCTION[law.about, law.misere]
        return Message("one number is written as a multiple of the divisor plus a remainder; {reason}", reason)

    @classmethod
    def statements(cls, moves: DeclaredMoves, law: Mapping[str, Any]) -> Iterator[claims.Decided]:
        return claims.decide_divided(moves, law)


@dataclass(frozen=True, kw_only=True)
class OfRows(ByInduction):
    """A proof that the first rows of a table repeat: each row has the same state at two columns (see ``rows.py``)."""

    rows: PeriodicRows

    def words(self, law: Law) -> str:
        return rows_proof(self.rows, law.names[1])

    def record(self) -> dict[str, Any]:
        return super().record() | {"rows": self.rows.record()}

    def value(self, law: Law, numbers: dict[str, int]) -> int:
        return self.rows.value(*numbers.values())

    def details(self, law: Law) -> list[str]:
        return row_lines(self.rows, law.names)

    @classmethod
    def statement(cls, law: Mapping[str, Any]) -> str:
        (a, b), claim = (*law["names"], "", "")[:2], law.get("rows", {})
        added, rows = " + p" if claim.get("whole") else "", claim.get("rows")
        count = len(rows) if isinstance(rows, list) else 0
        return Message(
            "rows of values: g({a}, {b} + p) = g({a}, {b}){added}, for {a} = 0 to {count}", a, b, added, count - 1
        )

    @classmethod
    def decided(cls, moves: DeclaredMoves, law: Mapping[str, Any]) -> str:
        claim = law.get("rows", {})
        if law["play"] != "normal":
            raise ParameterError("a law of rows can be checked only under normal play")
        held = _all_hold(decide_rows(moves, claim))
        return joined([held, Message("in each of {count} rows the state recurs", len(claim["rows"]))])


@dataclass(frozen=True, kw_only=True)
class ByPeriod(Evidence):
    """A proof by a theorem on periods: the values of enough heaps prove a period, perhaps with a saltus."""

    certificate: PeriodCertificate
    misere: ClassVar[bool] = False

    def words(self, law: Law) -> str:
        facts = _facts(self.certificate)
        if self.certificate.saltus:
            return Message(
                "period {period} with saltus {saltus} from n = {start}, by the values up to n = {last_heap}", **facts
            )
        return Message("period {period} from n = {start}, by the values up to n = {last_heap}", **facts)

    def unproved(self) -> Evidence:
        return ByPeriod(certificate=self.certificate)

    def record(self) -> dict[str, Any]:
        return {"period": self.certificate.record()}

    def value(self, law: Law, numbers: dict[str, int]) -> int | bool:
        value = self.certificate.value(*numbers.values())
        return value == 0 if law.about == "P-positions" else value

    def latex(self, law: Law) -> str:
        if law.about != "values":
            return super().latex(law)
        (name,), period = law.names, self.certificate
        added = f" + {period.saltus}" if period.saltus else ""
        return f"$g({name} + {period.period}) = g({name}){added}$ for ${name} \\geq {period.preperiod}$"

    @classmethod
    def statement(cls, law: Mapping[str, Any]) -> str:
        position = ",".join(law["names"])
        start, length, saltus = (law["period"].get(name) for name in ("preperiod", "period", "saltus"))
        if law["about"] == "values":
            added = f" + {saltus}" if saltus else ""
            return Message("g({n} + {length}) = g({n}){added} for {n} >= {start}", position, length, added, start)
        if len(law["names"]) > 1:
            return Message("the product of the elements of {names} is in the P-portion", ", ".join(law["names"]))
        repeats = Message("period {length} for {position} >= {start}", length, position, start)
        return repeats if law["play"] == "misere" else Message("where g({n}) = 0, {period}", position, repeats)

    @classmethod
    def checked(cls, law: Mapping[str, Any], game: Game) -> str:
        rules = heap_game(game.cells) if cls.misere or len(law["names"]) == 1 else None
        certificate = PeriodCertificate.of_record(law.get("period"))
        has_formula = law["formula"] is not None
        is_unfit = law["play"] != play_name(cls.misere) or (has_formula and len(law["names"]) > 1)
        if certificate is None or rules is None or is_unfit:
            raise ParameterError(_NO_PROOF)
        grounds = cls.decided(law, rules, certificate)
        # The period is proved, but the law is its formula: both must give the same for all numbers.
        if has_formula:
            truth = claims.period_set(certificate, law["about"], law["names"][0])
            if (differing := claims.claimed_set(law).differing(truth)) is not None:
                raise ParameterError("the formula and the period differ at {position}", _numbers(differing))
        return grounds

    @classmethod
    def decided(cls, law: Mapping[str, Any], rules: HeapGame, certificate: PeriodCertificate) -> str:
        """Return how the period was checked; raise ParameterError if it is wrong. Only ByQuotient reads ``law``."""
        if (fault := rules.fault(certificate)) is not None:
            raise ParameterError(fault)
        return Message("the period was checked with all moves of the heaps up to {last_heap}", certificate.last_heap)


@dataclass(frozen=True, kw_only=True)
class ByQuotient(ByPeriod):
    """A proof by a misère quotient: the elements of heaps repeat. It gives the outcomes of heaps and of their sums."""

    quotient: MisereQuotient
    misere: ClassVar[bool] = True

    def words(self, law: Law) -> str:
        return Message(
            "misère quotient of order {order}, whose elements repeat with period {period} from n = {start}, "
            "by the heaps up to n = {last_heap}",
            **_facts(self.certificate),
            order=self.quotient.order,
        )

    def record(self) -> dict[str, Any]:
        return super().record() | {"quotient": quotient_record(self.quotient)}

    def value(self, law: Law, numbers: dict[str, int]) -> int | bool:
        return self.quotient.outcome(*numbers.values()) == "P" if len(numbers) > 1 else super().value(law, numbers)

    @classmethod
    def decided(cls, law: Mapping[str, Any], rules: HeapGame, certificate: PeriodCertificate) -> str:
        quotient, start, period = quotient_of_record(law["quotient"]), certificate.preperiod, certificate.period
        # The quotient covers the heaps 0 to ``last_heap``. ``find_fault`` checks it against all moves of these heaps.
        theorem, images = rules.rules.theorem, quotient.images
        if law["about"] != "P-positions" or certificate.saltus or theorem is None:
            raise ParameterError(
                "a misère quotient can prove only a law of P-positions without a saltus, for a heap game with a "
                "theorem on periods"
            )
        needed = theorem.last_heap(start, period)
        last_heap = len(images) - 1
        if needed > last_heap or quotient.labels != list(range(len(images))):
            raise ParameterError(
                "the misère quotient must have the heaps 0, 1, ..., {needed} in this order; it has {count} heaps",
                needed,
                len(images),
            )
        fault = find_fault(quotient, heap_graph(rules, last_heap))
        if fault is not None:
            raise ParameterError("the misère quotient of the law is wrong: {fault}", fault)
        # By the theorem, elements that repeat up to heap ``needed`` repeat forever. So do their outcomes.
        if images[start + period : needed + 1] != images[start : needed + 1 - period]:
            raise ParameterError(
                "the elements of the misère quotient do not repeat with period {period} from n = {start}", period, start
            )
        shown = images[: start + period]
        if len(law["names"]) > 1:
            if list(certificate.values) != shown:
                raise ParameterError("the elements in the law's period are not those of the law's misère quotient")
        elif certificate.values != tuple(int(not quotient.is_p[element]) for element in shown):
            raise ParameterError("the outcomes in the law's period are not those of the law's misère quotient")
        return Message("the misère quotient was checked with all moves of the heaps up to {last_heap}", needed)


@dataclass(frozen=True, kw_only=True)
class ByTurning(Evidence):
    """A proof about the coins of a row, from the sets of coins that may be turned together."""

    turns: DeclaredTurns
    values: str
    prefix: str | None
    reason = Message("no turn keeps the value, and for every smaller value some turn leads to it")

    def record(self) -> dict[str, Any]:
        sets = [list(each) for each in self.turns.sets]
        return {"turns": {"sets": sets, "runs": self.turns.runs, "values": self.values, "prefix": self.prefix}}

    @classmethod
    def checked(cls, law: Mapping[str, Any], game: Game) -> str:
        claim, name, cells = law["turns"], law["names"][0], game.cells
        cell = next(iter(cells.values()), ()) if law["play"] == "normal" else ()
        turns = turns_of(cell)
        if turns is None or law["formula"] is None or len(law["names"]) > 1:
            raise ParameterError(
                "only a formula for one row of coins under normal play can be proved from declared turns, and the "
                "rules must declare them"
            )
        if [list(each) for each in turns.sets] != claim.get("sets") or turns.runs != claim.get("runs"):
            raise ParameterError("the coin turns in the file are not those that the rules declare")
        # The number of the formula must be the place of the only head. Then the value of the row is that of the coin.
        heads = all(len(cell) == 1 and cell[0].position == "t" * (n - 1) + "h" for (n,), cell in cells.items())
        if not heads:
            raise ParameterError("the law's number must be the place of the only coin that shows heads")
        # A law of the values must have the proved formula. A law of P-positions is proved from the claimed values.
        formula = renamed(law["formula"], {name: "n"})
        p_formula = formula if law["about"] == "P-positions" else None
        if p_formula is None and formula != claim.get("values"):
            raise ParameterError("the formula of the law is not the formula that the turns of the coins prove")
        if (differing := differing_turn(cell[0].ruleset, turns)) is not None:
            raise ParameterError("the declared coin turns do not give the options of {position}", differing)
        held = _all_hold(claims.decide_coins(turns, claim.get("values"), claim.get("prefix"), p_formula))
        return joined([held, Message("the turns give the options of small rows")])


@dataclass(frozen=True, kw_only=True)
class OfParts(Evidence):
    """A proof about a sum, by laws of the values of its parts; ``parts`` has the text and the law of each part."""

    parts: tuple[tuple[str, Law], ...]
    reason = Message("the value of a sum is the nim-sum of the values of its parts")

    def record(self) -> dict[str, Any]:
        return {"parts": [{"source": text, "law": law.record()} for text, law in self.parts]}

    def value(self, law: Law, numbers: dict[str, int]) -> int | bool:
        value = reduce(xor, (int(part(*map(numbers.__getitem__, part.names))) for _, part in self.parts))
        return value == 0 if law.about == "P-positions" else value

    def details(self, law: Law) -> list[str]:
        return [f"{text}: {part.text}, {part.grounds}" for text, part in self.parts if law.about == "values"]

    def latex(self, law: Law) -> str:
        text = latex_text(law.text.replace("^", "⊕"))
        return "; ".join([text, *(part.latex for _, part in self.parts if law.about == "values")])

    @classmethod
    def statement(cls, law: Mapping[str, Any]) -> str:
        values = [f"g({part['source']})" for part in law["parts"]]
        total = " ^ ".join(values)
        if law["about"] == "values":
            return f"g({','.join(law['names'])}) = {total}"
        return " = ".join(values) if len(values) == 2 else f"{total} = 0"

    @classmethod
    def checked(cls, law: Mapping[str, Any], game: Game) -> str:
        parts, texts = law["parts"], parts_with_names(game.text, game.names)
        if [part["source"] for part in parts] != [text for text, _ in texts]:
            raise ParameterError("the parts in the file are not the parts of {sum}", game.text)
        if law["play"] != "normal" or law["formula"] is not None or law["about"] not in ("values", "P-positions"):
            raise ParameterError(
                "a proof by parts needs normal play, and a law of values or P-positions that has no formula"
            )
        for text, part in ((each["source"], each["law"]) for each in parts):
            if not _is_law(part) or (part["about"], part["play"], part["status"]) != ("values", "normal", "proved"):
                raise ParameterError("the file needs a proved law of the values of the part {part}", text)
            if (fault := _checked(game_of(text), part).fault) is not None:
                raise ParameterError("the law of the part {part} is wrong: {fault}", text, fault)
        # A regular expression has split the text, perhaps wrongly. So also compare the components of positions.
        for numbers, cell in game.cells.items():
            number_of = dict(zip(game.names, numbers, strict=True))
            alone = (with_numbers(text, names, tuple(map(number_of.__getitem__, names))) for text, names in texts)
            components = chain.from_iterable(parse_position(text).components for text in alone)
            if [*map(str, cell)] != [*map(str, components)]:
                raise ParameterError(
                    "the parts in the file are not the parts of {sum}", with_numbers(game.text, game.names, numbers)
                )
        return Message("the laws of all {count} parts are right", len(parts))


def _all_hold(statements: Iterable[claims.Decided]) -> str:
    """Return a phrase with the number of statements; raise ParameterError with a counterexample if one is false."""
    count = 0
    for count, statement in enumerate(statements, 1):  # noqa: B007
        if statement.example is not None:
            position = _numbers(statement.example)
            raise ParameterError(
                "a statement of the proof is false: {statement}; counterexample: {position}", statement.text, position
            )
    return Message("{count} statements hold for all numbers", count)


def _numbers(position: Mapping[str, int]) -> str:
    return numbers_text(position, position.values())


def _facts(certificate: PeriodCertificate) -> dict[str, int]:
    """Return a dict from the placeholders in messages about a proved period to its numbers."""
    numbers = (certificate.preperiod, certificate.period, certificate.saltus, certificate.last_heap)
    return dict(zip(("start", "period", "saltus", "last_heap"), numbers, strict=True))


_FORMAT = {"format": LAWS.format, "version": 1}
_SHAPE: dict[str, Any] = {
    "about": ("values", "P-positions", "rows", "winning moves", "a winning move"),
    "play": ("normal", "misere"),
    "names": [str],
    "text": str,
    "formula": (str, None),
    "status": ("proved", "holds"),
    "proof": (str, None),
    "positions": natural,
    "largest": [natural],
}
_OPTIONAL = {
    **dict.fromkeys(("rows", "turns", "automaton", "period", "quotient", "moves", "whole"), dict),
    "steps": [str],
    "parts": [{"source": str, "law": dict}],
    "rival": {"formula": str, "position": [natural]},
}


@dataclass(frozen=True)
class CheckedLaw:
    """The result of checking a law.

    Attributes
    ----------
    text : str
        The law.
    fault : str or None
        What is wrong with the law or its proof, or which limit the check exceeds. None if no fault was found.
    grounds : str
        What was checked of the proof. Empty if there is a fault, or if the law does not claim to be proved.
    """

    text: str
    fault: str | None
    grounds: str

    def __str__(self) -> str:
        if self.fault is not None:
            return Message("refused: {law}: {fault}", self.text, self.fault)
        if self.grounds:
            return Message("right: {law}: {grounds}", self.text, self.grounds)
        return Message("not checked, because the file does not claim a proof: {law}", self.text)


def laws_record(source: str, laws: Sequence[Law]) -> dict[str, object]:
    """Return the laws of a game and its text, ``source``, as the JSON object of a file for :func:`check_laws`."""
    return {**_FORMAT, "source": source, "laws": [law.record() for law in laws]}


def check_laws(path: PathLike, *, run_rules: bool = False) -> Iterator[CheckedLaw]:
    """Yield a result for each law of a file. If a law claims a proof, the proof is checked.

    With ``run_rules``, a Python file with the rules of the laws may be run: see :func:`parse_position`.

    Raises
    ------
    ParseError, ParameterError
        The file holds no laws, or its source is neither a position with names nor moves.
    RulesetError
        The laws are about rules in a Python file, and ``run_rules`` is false; or the rules fail.
    OSError
        The file, or the Python file, cannot be read.
    LimitError
        The source consists of moves, and an automaton for them is too large.
    """
    text, laws = read_laws(path)
    with rules_run(run_rules):
        game = game_of(text)
    if not laws:
        raise ParameterError("{file} has no laws: there is nothing to check", path)
    for law in laws:
        with rules_run(run_rules):  # ends before the yield, so that the caller's code cannot run rules
            checked = _checked(game, law)
        yield checked


def read_laws(path: PathLike) -> tuple[str, list[dict[str, Any]]]:
    """Return the source of the laws of a file, and their JSON objects; raise a ParseError if it is no file of laws.

    The source is a position with names in place of numbers, or a text with moves. The objects have all members that
    every law needs, but it is not checked whether the laws are right.
    """
    with Source(path) as source:
        record = whole_value(source)
        is_whole = isinstance(record, dict) and record.keys() == {*_FORMAT, "source", "laws"}
        if not is_whole or not fits({name: record[name] for name in _FORMAT}, _FORMAT):
            raise source.error("the file holds no laws: expected a file of graphgame law -o in version 1 of its format")
        laws = record["laws"]
        if not isinstance(record["source"], str) or not isinstance(laws, list) or not all(map(_is_law, laws)):
            raise source.error(
                "the laws of the file have missing or wrong members: expected a JSON file that graphgame law -o writes"
            )
    return record["source"], laws


def _checked(game: Game, law: dict[str, Any]) -> CheckedLaw:
    """Return the result of checking a law of a game."""
    text = law["text"]
    try:
        # The text that people read must be the law that is checked: compare it with the text made from the object.
        if text != (right := law_text(law)):
            raise ParameterError("the text of the law should be: {text}", right)
        text = right  # often a Message, which can be rendered in other languages
        if tuple(law["names"]) != game.names:
            names = ", ".join(game.names)
            raise ParameterError(
                "the law has other names for its numbers than {source}: expected {names}", game.text, names
            )
        return CheckedLaw(text, None, _kind_of(law).checked(law, game) if law["status"] == "proved" else "")
    except (LimitError, ParameterError) as error:
        return CheckedLaw(text, str(error), "")


def _is_law(law: object) -> bool:
    return isinstance(law, dict) and fits(law, _SHAPE | {name: _OPTIONAL[name] for name in law if name in _OPTIONAL})
