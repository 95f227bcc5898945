"""Statements about numbers as text, such as ``a' < a and b' = b``: parsed, never run, and turned into automata."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from itertools import count
from typing import NamedTuple

import numpy as np

from graphgame.errors import OptionError, known
from graphgame.theory.laws.automata import Automaton, linear, valid
from graphgame.theory.laws.numeration import Numeration

_PRIME = re.compile(r"\b([A-Za-z]\w*)'")
_EQUALS = re.compile(r"(?<![<>=!])=(?!=)")
_MOD = re.compile(r"\bmod\b")
_MOST = 2_000
"""Characters of a statement."""

_DEEPEST = 120

_SIGNS = {
    ast.Eq: lambda sign: sign == 0,
    ast.NotEq: lambda sign: sign != 0,
    ast.Lt: lambda sign: sign < 0,
    ast.LtE: lambda sign: sign <= 0,
    ast.Gt: lambda sign: sign > 0,
    ast.GtE: lambda sign: sign >= 0,
}


# Automata that read the digits of a number, worth 1, and of what is made of it, worth 2.
# Evenly many ones so far, oddly many, the result's last digit was 1, and none of these.
_ODD = [[0, 1, 3, 2], [1, 0, 2, 3], [3, 3, 3, 3], [3, 3, 3, 3]], [True, False, True, False]
# Zeros so far, not only zeros, the last one was read, and none of these.
_LAST_ONE = [[0, 1, 3, 2], [1, 1, 3, 2], [2, 3, 3, 3], [3, 3, 3, 3]], [True, False, True, False]


def after(name: str) -> str:
    """Return the track of a number after the move: in a statement it has a prime."""
    return f"{name}_"


def parsed(text: str) -> ast.expr:
    """Return a statement as a tree; ``=`` and ``==`` are the same, so are ``mod`` and ``%``; primes are allowed.

    Raises
    ------
    OptionError
        The text is no expression; says the column.
    """
    if len(text) > _MOST:
        raise OptionError("a statement of {count} characters: expected at most {most}", len(text), _MOST)
    plain = _MOD.sub("%", _EQUALS.sub("==", _PRIME.sub(r"\1_", text)))
    try:
        tree = ast.parse(plain.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise OptionError("no statement: {text!r}: {error}", text, known(str(getattr(error, "msg", error)))) from None
    level: list[ast.AST] = [tree]
    for _ in range(_DEEPEST):
        level = [part for each in level for part in ast.iter_child_nodes(each)]
    if level:
        raise OptionError("a statement that is nested more than {most} deep", _DEEPEST)
    return tree


def set_of(numeration: Numeration, text: str, tracks: tuple[str, ...], earlier: Automaton | None = None) -> Automaton:
    """Return the tuples of numbers of which a statement holds.

    Parameters
    ----------
    numeration : Numeration
    text : str
        Comparisons of sums of names, integers, integer multiples, ``// k``, ``% k``, ``min``, ``max``, and to base 2
        ``^``, ``popcount(x) % 2`` and ``x & -x``, joined by ``and``, ``or``, ``not``; ``x in {1, 2}``.
    tracks : tuple of str
        The names that it may hold; all are tracks of the set.
    earlier : Automaton, optional
        Of one number and its value, whose track comes last: what g(x) is in the statement, where x is smaller than
        the number.

    Raises
    ------
    OptionError
        Something in it is none of these.

    Examples
    --------
    >>> from graphgame.theory.laws.numeration import numeration_of
    >>> even = set_of(numeration_of("base 2"), "n % 4 in {0, 3} and n > 4", ("n",))
    >>> [n for n in range(12) if even.contains(n=n)]
    [7, 8, 11]
    """
    return _Reader(numeration, tracks, earlier).statement(parsed(text)) & valid(numeration, tracks)


class _Form(NamedTuple):
    """A sum of multiples of numbers; some of them are helpers, of which a set says what they are."""

    coefficients: Mapping[str, int]
    constant: int
    helpers: tuple[Automaton, ...] = ()

    def plus(self, other: _Form, times: int = 1) -> _Form:
        names = {**self.coefficients, **other.coefficients}
        coefficients = {
            name: self.coefficients.get(name, 0) + times * other.coefficients.get(name, 0) for name in names
        }
        kept = {name: factor for name, factor in coefficients.items() if factor}
        return _Form(kept, self.constant + times * other.constant, self.helpers + other.helpers)


class _Reader:
    def __init__(self, numeration: Numeration, names: tuple[str, ...], earlier: Automaton | None = None) -> None:
        self.earlier = earlier
        self.numeration = numeration
        self.names = names
        self.fresh = (f"~{number}" for number in count())
        self.given = valid(numeration, ())  # what is known where a part of a choice is worked out

    def statement(self, tree: ast.expr) -> Automaton:
        match tree:
            case ast.BoolOp(ast.And(), values):
                return self._joined(values, every=True)
            case ast.BoolOp(ast.Or(), values):
                return self._joined(values, every=False)
            case ast.UnaryOp(ast.Not(), operand):
                return ~self.statement(operand)
            case ast.Compare(left, operators, others):
                found = self._compared(left, operators[0], others[0])
                for first, operator, second in zip(others, operators[1:], others[1:], strict=False):
                    found &= self._compared(first, operator, second)
                return found
            case ast.Constant(bool(value)):
                everything = valid(self.numeration, ())
                return everything if value else ~everything
        raise self._unknown(tree)

    def _joined(self, values: list[ast.expr], every: bool) -> Automaton:
        found, *others = map(self.statement, values)
        for other in others:
            found = found & other if every else found | other
        return found

    def _compared(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Automaton:
        if isinstance(operator, (ast.In, ast.NotIn)):
            if not isinstance(right, (ast.Tuple, ast.List, ast.Set)) or not right.elts:
                raise self._unknown(right)
            found, *others = (self._compared(left, ast.Eq(), each) for each in right.elts)
            for other in others:
                found |= other
            return found if isinstance(operator, ast.In) else ~found
        if type(operator) not in _SIGNS:
            raise self._unknown(left)
        return self._decided(self._form(left).plus(self._form(right), -1), type(operator))

    def _decided(self, form: _Form, operator: type[ast.cmpop]) -> Automaton:
        return self._without_helpers(self._holds(form, operator))

    def _form(self, tree: ast.expr) -> _Form:
        match tree:
            case ast.Constant(int(value)) if not isinstance(value, bool):
                return _Form({}, value)
            case ast.Name(name) if name in self.names:
                return _Form({name: 1}, 0)
            case ast.UnaryOp(ast.USub(), operand):
                return _Form({}, 0).plus(self._form(operand), -1)
            case ast.BinOp(left, ast.Add(), right):
                return self._form(left).plus(self._form(right))
            case ast.BinOp(left, ast.Sub(), right):
                return self._form(left).plus(self._form(right), -1)
            case ast.BinOp(left, ast.Mult(), right):
                return self._multiple(tree, self._form(left), self._form(right))
            case ast.BinOp(left, ast.FloorDiv(), ast.Constant(int(divisor))) if divisor > 0:
                return self._quotient(self._form(left), divisor)
            case ast.BinOp(ast.Call(ast.Name("popcount"), [term], []), ast.Mod(), ast.Constant(2)) if (
                self.numeration.name == "base 2"
            ):
                return self._read(self._form(term), *_ODD)
            case ast.BinOp(left, ast.Mod(), ast.Constant(int(divisor))) if divisor > 0:
                return self._rest(self._form(left), divisor)
            case ast.BinOp(left, ast.BitXor(), right) if self.numeration.name == "base 2":
                return self._xor(self._form(left), self._form(right))
            case ast.BinOp(left, ast.BitAnd(), ast.UnaryOp(ast.USub(), right)) if (
                self.numeration.name == "base 2" and ast.dump(left) == ast.dump(right)
            ):
                return self._read(self._form(left), *_LAST_ONE)
            case ast.Call(ast.Name("zeckendorf"), [term], []) if self.numeration.name == "Fibonacci":
                return self._read(self._form(term), *_LAST_ONE)
            case ast.Call(ast.Name("g"), [term], []) if self.earlier is not None:
                return self._earlier(self._form(term), self.earlier)
            case ast.Call(ast.Name("min" | "max" as name), [first, *others], []):
                found = self._form(first)
                for other in others:
                    found = self._better(found, self._form(other), ast.LtE if name == "min" else ast.GtE)
                return found
            case ast.Call(ast.Name("abs"), [operand], []):
                form = self._form(operand)
                return self._better(form, _Form({}, 0).plus(form, -1), ast.GtE)
            case ast.IfExp(test, body, orelse):
                condition = self.statement(test)
                cases = ((condition, body), (~condition, orelse))
                return self._chosen([(case, self._form_given(case, part)) for case, part in cases])
            case ast.Subscript(ast.Tuple(items), index):
                place = self._form(index)
                return self._chosen([(self._at(place, number), self._form(item)) for number, item in enumerate(items)])
        raise self._unknown(tree)

    def _multiple(self, tree: ast.expr, left: _Form, right: _Form) -> _Form:
        if left.coefficients and right.coefficients:
            raise self._unknown(tree)
        factor, form = (right.constant, left) if left.coefficients else (left.constant, right)
        return _Form({}, 0).plus(form, factor)

    def _better(self, first: _Form, second: _Form, operator: type[ast.cmpop]) -> _Form:
        better = self._without_helpers(self._holds(first.plus(second, -1), operator))
        return self._chosen([(better, first), (~better, second)])

    def _at(self, place: _Form, number: int) -> Automaton:
        return self._without_helpers(self._holds(place.plus(_Form({}, number), -1), ast.Eq))

    def _holds(self, form: _Form, operator: type[ast.cmpop]) -> Automaton:
        """Return the set where a form has a sign, helpers included."""
        found = linear(self.numeration, form.coefficients, form.constant, _SIGNS[operator])
        for helper in form.helpers:
            found &= helper
        return found

    def _without_helpers(self, found: Automaton, *kept: str) -> Automaton:
        return found.without(*(track for track in found.tracks if track.startswith("~") and track not in kept))

    def _named(self, form: _Form) -> tuple[str, Automaton]:
        """Return a new number, and the set that says that it is a form, which must not be negative."""
        if (self.given & self._holds(form, ast.Lt)).example() is not None:
            raise OptionError("a number that may be negative stands in //, ^ or within another: write it otherwise")
        name = next(self.fresh)
        return name, self._without_helpers(self._is(form, name), name)

    def _is(self, form: _Form, name: str) -> Automaton:
        return self._holds(form.plus(_Form({name: 1}, 0), -1), ast.Eq)

    def _chosen(self, cases: list[tuple[Automaton, _Form]]) -> _Form:
        """Return the form of the case that holds; exactly one does, or the choice has no value for some numbers."""
        name = next(self.fresh)
        found, left = None, self.given
        for condition, form in cases:
            left = left.minus(condition)
            if (self.given & condition & self._holds(form, ast.Lt)).example() is not None:
                raise OptionError("a number that may be negative stands in min, max or a choice: write it otherwise")
            case = self._without_helpers(condition & self._is(form, name), name)
            found = case if found is None else found | case
        if found is None or left.example() is not None:
            raise OptionError("a choice that has no value for some numbers, such as (0, 1)[n]: write (0, 1)[n % 2]")
        return _Form({name: 1}, 0, (found,))

    def _form_given(self, condition: Automaton, tree: ast.expr) -> _Form:
        outside, self.given = self.given, self.given & condition
        form = self._form(tree)
        self.given = outside
        return form

    def _rest(self, form: _Form, divisor: int) -> _Form:
        quotient, rest = next(self.fresh), next(self.fresh)
        small = self._holds(_Form({rest: 1}, -divisor), ast.Lt)
        either = [
            self._without_helpers(self._is(form.plus(_Form({quotient: divisor}, 0), sign), rest) & small, rest)
            for sign in (-1, 1)
        ]
        return _Form({rest: 1}, 0, (either[0] | either[1],))

    def _quotient(self, form: _Form, divisor: int) -> _Form:
        whole, defined = self._named(form)
        quotient, rest = next(self.fresh), next(self.fresh)
        parts = self._holds(_Form({whole: 1, quotient: -divisor, rest: -1}, 0), ast.Eq)
        small = self._holds(_Form({rest: 1}, -divisor), ast.Lt)
        return _Form({quotient: 1}, 0, ((defined & parts & small).without(whole, rest),))

    def _xor(self, first: _Form, second: _Form) -> _Form:
        (one, defined), (other, also), result = self._named(first), self._named(second), next(self.fresh)
        ones = [symbol.bit_count() % 2 for symbol in range(8)]
        even = Automaton(
            self.numeration,
            tuple(sorted((one, other, result))),
            np.array([ones, [1] * 8], np.int32),
            np.array([True, False]),
        )
        return _Form({result: 1}, 0, ((defined & also & even).without(one, other),))

    def _earlier(self, form: _Form, values: Automaton) -> _Form:
        (given, defined), result = self._named(form), next(self.fresh)
        number, value = values.tracks
        smaller = self._holds(_Form({given: 1, number: -1}, 0), ast.Lt)
        found = (defined & smaller & values.renamed({number: given, value: result})).without(given)
        return _Form({result: 1}, 0, (found,))

    def _read(self, form: _Form, table: list[list[int]], ends: list[bool]) -> _Form:
        """Return what an automaton makes of a form; it reads the digits of both to base 2, those of the form first."""
        (given, defined), result = self._named(form), next(self.fresh)
        order = sorted((given, result))
        symbols = [0, 1, 2, 3] if order[0] == given else [0, 2, 1, 3]
        made = Automaton(self.numeration, tuple(order), np.array(table, np.int32)[:, symbols], np.array(ends))
        return _Form({result: 1}, 0, ((defined & made).without(given),))

    def _unknown(self, tree: ast.expr) -> OptionError:
        names = ", ".join(self.names)
        return OptionError("not understood in a statement: {tree!r}; the names are {names}", ast.unparse(tree), names)
