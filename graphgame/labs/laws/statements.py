"""Turn statements about numbers, such as ``a' < a and b' = b``, into automata. The text is parsed, never run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import count, product
from operator import and_, or_

from graphgame.errors import ParameterError
from graphgame.labs.laws.automata import Automaton, Numeration, last_digit, linear, numeration_of, parity, valid, xored
from graphgame.labs.laws.formulas import as_written, numbers_text, parsed

_MOST_CASES = 400
_SIGNS: dict[type[ast.cmpop], set[int]] = {
    ast.Eq: {0},
    ast.NotEq: {-1, 1},
    ast.Lt: {-1},
    ast.LtE: {-1, 0},
    ast.Gt: {1},
    ast.GtE: {0, 1},
}


@dataclass(frozen=True)
class _Case:
    """A case of a piecewise linear term: its value for the tuples of numbers in the set ``where``.

    The value is ``constant`` plus the sum of factor * number. ``factors`` maps the name of a number to its factor.
    """

    factors: Mapping[str, int]
    constant: int
    where: Automaton

    def plus(self, other: _Case, times: int = 1) -> _Case:
        factors = dict(self.factors)
        for name, factor in other.factors.items():
            factors[name] = factors.get(name, 0) + times * factor
        factors = {name: factor for name, factor in factors.items() if factor}
        return _Case(factors, self.constant + times * other.constant, self.where & other.where)

    def signed(self, signs: set[int]) -> Automaton:
        """Return the tuples in ``where`` for which the value of the case has one of ``signs``: -1, 0 or 1."""
        return linear(self.where.numeration, self.factors, self.constant, signs) & self.where

    def only(self, where: Automaton) -> _Case:
        return replace(self, where=self.where & where)


@dataclass
class _Reader:
    """A reader that turns statements about ``names`` into automata; see :func:`set_of`."""

    numeration: Numeration
    names: tuple[str, ...]
    earlier: Automaton | None
    _fresh: Iterator[int] = field(default_factory=count)

    def set_of(self, text: str) -> Automaton:
        return self._holds(parsed(text)) & self._all

    @property
    def _all(self) -> Automaton:
        return valid(self.numeration, tuple(sorted(self.names)))

    @property
    def _always(self) -> Automaton:
        return valid(self.numeration, ())

    @property
    def _never(self) -> Automaton:
        return self._always.minus(self._always)

    def _holds(self, tree: ast.expr) -> Automaton:
        match tree:
            case ast.Constant(bool(value)):
                return self._always if value else self._never
            case ast.BoolOp(joint, values):
                return reduce(and_ if isinstance(joint, ast.And) else or_, map(self._holds, values))
            case ast.UnaryOp(ast.Not(), operand):
                return self._all.minus(self._holds(operand))
            case ast.Compare(left, operators, others):
                return reduce(and_, map(self._compared, [left, *others], operators, others))
        raise self._not_understood(tree)

    def _compared(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Automaton:
        if isinstance(operator, ast.In | ast.NotIn):
            if not isinstance(right, ast.Tuple | ast.List | ast.Set) or not right.elts:
                raise self._not_understood(right)
            true = reduce(or_, (self._compared(left, ast.Eq(), each) for each in right.elts))
            return true if isinstance(operator, ast.In) else self._all.minus(true)
        if type(operator) not in _SIGNS:
            raise self._not_understood(left)
        sides = [self._cases(left), self._cases(right)]
        for term, cases in zip((left, right), sides, strict=True):
            # A term has no value for numbers that none of its cases covers. Then the statement has no meaning.
            covered = reduce(or_, (self._without_helpers(case.where) for case in cases), self._never)
            if not covered.is_everything() and (missing := self._all.minus(covered).example()) is not None:
                raise ParameterError(
                    "the term {term} has no value for some numbers, such as {numbers}",
                    as_written(ast.unparse(term)),
                    numbers_text(missing, missing.values()),
                )
        # Two sides are compared by the sign of their difference, a linear form in each case.
        differences = (one.plus(two, -1).signed(_SIGNS[type(operator)]) for one, two in product(*sides))
        return reduce(or_, map(self._without_helpers, differences), self._never)

    # A quotient, a remainder, or the value of a function such as xor needs helper numbers, whose names begin with ~.
    # The ``where`` of a case defines them, and they are projected away after the two sides are compared. For example,
    # x // 3 < y becomes "there is a q with 3 q <= x < 3 q + 3 and q < y". Helper numbers are never negative, so a
    # function of digits, such as xor, has no value for negative terms.
    def _cases(self, tree: ast.expr) -> list[_Case]:
        """Return the cases of a term; in each case the term equals a linear form of the numbers.

        Raise ParameterError if the term is not understood, or has too many cases.
        """
        binary = self.numeration.name == "base 2"
        match tree:
            case ast.Constant(int(value)) if not isinstance(value, bool):
                return [self._number(value)]
            case ast.Name(name) if name in self.names:
                return [self._track(name)]
            case ast.UnaryOp(ast.USub(), operand):
                return [self._number(0).plus(case, -1) for case in self._cases(operand)]
            case ast.BinOp(left, ast.Add() | ast.Sub() as operator, right):
                sign = 1 if isinstance(operator, ast.Add) else -1
                return self._pairs(left, right, lambda one, two: [one.plus(two, sign)])
            case ast.BinOp(left, ast.Mult(), right):
                return self._pairs(left, right, lambda one, two: [self._multiple(tree, one, two)])
            case ast.BinOp(ast.Call(ast.Name("popcount"), [term], []), ast.Mod(), ast.Constant(2)) if binary:
                return [self._applied(parity, case) for case in self._cases(term)]
            case ast.BinOp(left, ast.BitAnd(), ast.UnaryOp(ast.USub(), right)) if binary and _same(left, right):
                return [self._applied(partial(last_digit, self.numeration), case) for case in self._cases(left)]
            case ast.BinOp(left, ast.FloorDiv() | ast.Mod() as operator, ast.Constant(int(by))) if by > 0:
                remainder = isinstance(operator, ast.Mod)
                return [part for case in self._cases(left) for part in self._divided(case, by, remainder)]
            case ast.BinOp(left, ast.BitXor(), right) if binary:
                return self._pairs(left, right, lambda one, two: [self._applied(xored, one, two)])
            case ast.Call(ast.Name("zeckendorf"), [operand], []) if self.numeration.name == "Fibonacci":
                return [self._applied(partial(last_digit, self.numeration), case) for case in self._cases(operand)]
            case ast.Call(ast.Name("g"), [operand], []) if self.earlier is not None:
                return [self._applied(partial(self._before, self.earlier), case) for case in self._cases(operand)]
            case ast.Call(ast.Name("abs"), [operand], []):
                negative = ast.UnaryOp(ast.USub(), operand)
                return self._cases(ast.Call(ast.Name("max"), [operand, negative], []))
            case ast.Call(ast.Name("min" | "max" as name), [first, *others], []):
                cases, signs = self._cases(first), {-1, 0} if name == "min" else {0, 1}
                for other in others:
                    sides = product(cases, self._cases(other))
                    cases = _possible([part for one, two in sides for part in _selected(one, two, signs)])
                return cases
            case ast.IfExp(test, body, orelse):
                then = self._holds(test)
                parts = ((then, body), (self._all.minus(then), orelse))
                return [case.only(where) for where, part in parts for case in self._cases(part)]
            case ast.Subscript(ast.Tuple(items), index):
                places = product(self._cases(index), enumerate(items))
                chosen = ((case.plus(self._number(-number)).signed({0}), item) for case, (number, item) in places)
                return _possible([case.only(where) for where, item in chosen for case in self._cases(item)])
        raise self._not_understood(tree)

    def _number(self, value: int) -> _Case:
        return _Case({}, value, self._always)

    def _track(self, name: str, factor: int = 1) -> _Case:
        return _Case({name: factor}, 0, self._always)

    def _pairs(self, left: ast.expr, right: ast.expr, made: Callable[[_Case, _Case], list[_Case]]) -> list[_Case]:
        sides = product(self._cases(left), self._cases(right))
        return _possible([part for one, two in sides for part in made(one, two)])

    def _multiple(self, tree: ast.expr, one: _Case, two: _Case) -> _Case:
        if any(one.factors.values()) and any(two.factors.values()):
            raise self._not_understood(tree)
        number, term = (one, two) if any(two.factors.values()) else (two, one)
        factors = {name: number.constant * factor for name, factor in term.factors.items()}
        return _Case(factors, number.constant * term.constant, one.where & two.where)

    def _divided(self, case: _Case, by: int, remainder: bool) -> list[_Case]:
        """Return the cases of t // by, or of t % by if ``remainder``, for t = ``case``: for t >= 0 and for t < 0."""
        # The quotient q is the integer with 0 <= t - by * q < by. A helper number is q or, in the case q < 0, -q.
        cases = []
        for sign in (1, -1):
            name = self._helper()
            quotient = self._track(name, sign)
            left = case.plus(quotient, -by)
            where = left.signed({0, 1}) & left.plus(self._number(-by)).signed({-1})
            if sign < 0:
                where = where & linear(self.numeration, {name: 1}, 0, {1})
            cases.append((left if remainder else quotient).only(where))
        return cases

    def _applied(self, function: Callable[..., Automaton], *cases: _Case) -> _Case:
        """Return f(t, ...) as a case whose value is one helper number; the arguments t, ... are ``cases``.

        The case covers only tuples for which no argument is negative. ``function`` gets the names of helper numbers
        x, ..., y and returns the set of the tuples with y = f(x, ...).
        """
        *arguments, value = (self._helper() for _ in range(len(cases) + 1))
        where = function(*arguments, value)
        for name, case in zip(arguments, cases, strict=True):
            where = where & case.plus(self._track(name), -1).signed({0})
        return self._track(value).only(where)

    def _before(self, values: Automaton, argument: str, value: str) -> Automaton:
        """Return the set of all triples (x, g(x), n) with x < n, given the set ``values`` of all pairs (n, g(n)).

        ``argument`` is the name of x in the triples, and ``value`` the name of g(x).
        """
        (number,) = set(values.tracks) - {"value"}
        smaller = linear(self.numeration, {argument: 1, number: -1}, 0, {-1})
        return values.renamed({number: argument, "value": value}) & smaller

    def _not_understood(self, tree: ast.expr) -> ParameterError:
        return ParameterError(
            "a statement cannot contain {term!r}: it may use the names {names}",
            as_written(ast.unparse(tree)),
            as_written(", ".join(self.names)),
        )

    def _helper(self) -> str:
        return f"~{next(self._fresh)}"

    @staticmethod
    def _without_helpers(numbers: Automaton) -> Automaton:
        return numbers.without(*(track for track in numbers.tracks if track.startswith("~")))


def set_of(numeration: Numeration, text: str, names: tuple[str, ...], earlier: Automaton | None = None) -> Automaton:
    """Return the set of the tuples of numbers for which a statement is true.

    Parameters
    ----------
    numeration : Numeration
    text : str
    names : tuple of str
        The names of the numbers in a tuple, which the statement may use. A prime, as in ``a'``, is read as ``a_``.
    earlier : Automaton, optional
        The set of the pairs (n, g(n)). One of ``names`` is the name of n, and ``value`` is the name of g(n). With this
        set, the statement may use g(x) for a number x smaller than n.

    Raises
    ------
    ParameterError
        The statement is not understood, a term has no value for some numbers, or a term has too many cases.
    LimitError
        An automaton has too many states.

    Examples
    --------
    >>> found = set_of(numeration_of("base 2"), "n % 4 in {0, 3} and n > 4", ("n",))
    >>> [n for n in range(12) if found.contains(n=n)]
    [7, 8, 11]
    """
    return _Reader(numeration, names, earlier).set_of(text)


def binary_set(text: str, *names: str) -> Automaton:
    """Return the set of the tuples of numbers for which a statement is true, as an automaton in base 2."""
    return set_of(numeration_of("base 2"), text, names)


def _same(one: ast.expr, two: ast.expr) -> bool:
    """Return whether two terms have the same syntax tree."""
    return ast.dump(one) == ast.dump(two)


def _selected(one: _Case, two: _Case, signs: set[int]) -> list[_Case]:
    """Return a term in two cases: it is ``one`` where ``one - two`` has a sign in ``signs``, and ``two`` elsewhere."""
    difference = one.plus(two, -1)
    return [one.only(difference.signed(signs)), two.only(difference.signed({-1, 0, 1} - signs))]


def _possible(cases: list[_Case]) -> list[_Case]:
    """Return the cases that apply to some numbers; raise ParameterError if these are more than ``_MOST_CASES``."""
    possible = [case for case in cases if case.where.example() is not None]
    if len(possible) > _MOST_CASES:
        raise ParameterError(
            "a term of a statement splits into more than {most} cases: use fewer of min, max, abs, if and lists",
            _MOST_CASES,
        )
    return possible
