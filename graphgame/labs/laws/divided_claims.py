"""Laws with a remainder by a number of the rules, such as ``n % (k + 1) = 0``, for all numbers n and k.

No automaton divides by a number that may be anything. So n is written as a multiple m of the divisor and a rest r, and
statements about m and r are decided that need only these facts about multiples of T:

- two multiples are equal, or at least T apart: no other moves need be looked at, where none may exist;
- with m also m - T and 0 are multiples: such moves surely exist, where one must.

The numbers m that are decided about include all multiples and others too, so what holds of them holds of all
positions. Only those between 0 and T are left out: none of them is a multiple.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from graphgame.errors import Message, OptionError
from graphgame.labs.laws.law_claims import Decided, decide_induction
from graphgame.labs.laws.statements import binary_set, parsed
from graphgame.rules.declared import DeclaredMoves


def is_divided(formula: str | None) -> bool:
    """Tell whether a formula has a remainder by a term that is not a number.

    >>> is_divided("n % (k + 1) = 0"), is_divided("n % 4 = 0"), is_divided(None)
    (True, False, False)
    """
    return formula is not None and _remainder(parsed(formula)) is not None


def decide_divided(game: DeclaredMoves, law: Mapping[str, Any]) -> Iterator[Decided]:
    """Yield what shows that the formula of a law's record says the P-positions, or the values.

    Raises
    ------
    OptionError
        The formula is none that is decided so.
    """
    given = dict(zip(law["names"], game.names, strict=True))
    formula = _Replaced({old: ast.Name(new) for old, new in given.items()}).visit(parsed(law["formula"]))
    found = _remainder(formula)
    if found is None or not isinstance(found.left, ast.Name) or found.left.id not in game.names:
        raise OptionError("a remainder by a term is decided of one number alone, as in n % (k + 1)")
    number, divisor = found.left.id, ast.unparse(found.right)
    fixed = sorted({each.id for each in ast.walk(found.right) if isinstance(each, ast.Name)})
    multiple, rest = [letter for letter in "mrqtuvwyz" if letter not in game.names][:2]
    primes = tuple(f"{name}_" for name in game.names)
    positions = binary_set(f"({game.positions}) and ({divisor}) < 1", *game.names)
    yield Decided(Message("{divisor} is at least 1", divisor), positions.example())
    for move in (*game.moves, *game.followed):
        changed = " or ".join(f"{name}_ != {name}" for name in fixed)
        some = binary_set(f"({move}) and ({changed})", *game.names, *primes)
        yield Decided(Message("a move leaves {names} as it is: {text}", ", ".join(fixed), move), some.example())

    written = {}
    for end in ("", "_"):
        written[number + end] = ast.BinOp(ast.Name(multiple + end), ast.Add(), ast.Name(rest + end))
    said = _Replaced(written, {ast.unparse(found): ast.Name(rest)})

    def text(statement: str | ast.expr) -> str:
        tree = parsed(statement) if isinstance(statement, str) else statement
        return f"({ast.unparse(said.visit(tree))})"

    m, after, by = multiple, f"{multiple}_", f"({divisor})"
    apart = f"({after} = {m} or {after} >= {m} + {by} or {m} >= {after} + {by})"
    known = f"({after} = {m} or {after} + {by} = {m} or {after} = 0)"
    where = f"{text(game.positions)} and {rest} < {by}"
    names: list[str] = []
    weights: list[int] = []
    for name, weight in zip(game.names, game.weights, strict=True):
        own = (multiple, rest) if name == number else (name,)
        names += own
        weights += [weight] * len(own)
    if game.followed or game.starts:
        raise OptionError("a remainder by a term is decided of moves that are told one by one")
    moves = [text(move) for move in game.moves]
    split = DeclaredMoves(tuple(names), tuple(f"{move} and {apart}" for move in moves), where, tuple(weights))
    of_lost = law["about"] == "P-positions"
    claimed = text(formula) if of_lost else f"value = {text(formula)}"
    claim = binary_set(claimed, *names, *([] if of_lost else ["value"]))
    # Nothing is asked of numbers m between 0 and the divisor, which are no multiples: let them have every move.
    sure = (*(f"{move} and {known}" for move in moves), f"0 < {m} and {m} < {by}")
    yield from decide_induction(split, claim, law["play"] == "misere", sure)


def _remainder(tree: ast.expr) -> ast.BinOp | None:
    """Return the first remainder by a term that is not a number."""
    for each in ast.walk(tree):
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mod) and not isinstance(each.right, ast.Constant):
            return each
    return None


class _Replaced(ast.NodeTransformer):
    """Puts trees in place of names, and before that in place of terms."""

    def __init__(self, names: Mapping[str, ast.expr], terms: Mapping[str, ast.expr] | None = None) -> None:
        self._names, self._terms = names, terms or {}

    def visit(self, node: ast.AST) -> Any:  # noqa: ANN401
        """Return the tree with all replaced."""
        if isinstance(node, ast.expr) and (term := self._terms.get(ast.unparse(node))) is not None:
            return term
        return super().visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return what stands in place of a name."""
        return self._names.get(node.id, node)
