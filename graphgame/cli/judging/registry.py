"""The problems whose input the package reads, and where each is answered; a family is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from importlib import import_module
from typing import NamedTuple, cast

from graphgame.errors import RulesetError, shorten
from graphgame.io.files import Source

__all__ = ["PROBLEMS", "Problem", "problem"]


class Problem(NamedTuple):
    """A problem of an online judge.

    Attributes
    ----------
    name : str
    aliases : tuple of str
        The judges' own names, such as ``poj-2311``.
    family : str
        The module of ``graphgame.cli.judging`` that answers it, with a function of the problem's name.
    title : str
    input, output : str
        The format, in a line each.
    """

    name: str
    aliases: tuple[str, ...]
    family: str
    title: str
    input: str
    output: str

    def answers(self, source: Source) -> Iterator[str]:
        """Yield the lines of the answer; a case is read when its line is asked for.

        Raises
        ------
        ParseError
            The input breaks the format: says where, and what was expected.
        """
        function = getattr(import_module(f"graphgame.cli.judging.{self.family}"), self.name.replace("-", "_"))
        return cast("Iterator[str]", function(source))


PROBLEMS: dict[str, Problem] = {
    problem.name: problem
    for problem in (
        Problem(
            "tokens",
            (),
            "tokens",
            "Tokens on a graph, as a token file; or as the problem chess, if the first line has not three numbers",
            "N M K; M edges x y; the K tokens' vertices, of 1..N",
            "win if the first player wins, else lose",
        ),
        Problem(
            "chess",
            ("poj-2425", "hdu-1524"),
            "tokens",
            "A Chess Game: tokens on a graph, with queries",
            "to the end of the file: n; for each vertex 0..n-1 a count and its successors; queries m v1..vm until 0",
            "WIN or LOSE for each query",
        ),
        Problem(
            "john",
            ("hdu-1907", "poj-3480"),
            "heaps",
            "John: misère Nim",
            "T; for each case n and n heaps",
            "John if the first player wins, else Brother",
        ),
        Problem(
            "nim-moves",
            ("poj-2975",),
            "heaps",
            "Nim: how many first moves win",
            "cases until 0: n and n heaps",
            "the number of winning moves",
        ),
        Problem(
            "nim-1",
            ("cses-1730",),
            "heaps",
            "Nim Game I: Nim",
            "t; for each case n and n heaps",
            "first or second, whoever wins",
        ),
        Problem(
            "nim-2",
            ("cses-1098",),
            "heaps",
            "Nim Game II: take 1, 2 or 3 from a heap",
            "t; for each case n and n heaps",
            "first or second, whoever wins",
        ),
        Problem(
            "lasker",
            ("hdu-3032",),
            "heaps",
            "Nim or not Nim?: take from a heap or split it in two",
            "T; for each case n and n heaps",
            "Alice if the first player wins, else Bob",
        ),
        Problem(
            "whiteboard",
            ("hdu-4764",),
            "heaps",
            "Stone: numbers on a whiteboard, each 1..k above the last; who writes N or more loses",
            "pairs N k until 0 0",
            "Tang if the first player wins, else Jiang",
        ),
        Problem(
            "grundy",
            ("cses-2207",),
            "heaps",
            "Grundy's Game: split a heap into two unequal ones",
            "t; for each case the heap n, up to 1000000",
            "first or second, whoever wins",
        ),
        Problem(
            "s-nim",
            ("hdu-1536", "poj-2960"),
            "heaps",
            "S-Nim: take a number of a given set from a heap",
            "sets until 0: k s1..sk; then m, and for each of m positions n and n heaps, up to 1000000",
            "one word for each set: W for each position that the first player wins, L for each other",
        ),
        Problem(
            "sticks",
            ("cses-1729",),
            "heaps",
            "Stick Game: take a number of a given set from one heap",
            "n k, n up to 10000000; the k numbers",
            "one word: for each of 1..n sticks W if the first player wins, else L",
        ),
        Problem(
            "fibonacci",
            ("hdu-1848",),
            "heaps",
            "Fibonacci again and again: take a Fibonacci number from one of three heaps",
            "m n p, each up to 10000, until 0 0 0",
            "Fibo if the first player wins, else Nacci",
        ),
        Problem(
            "cutting",
            ("poj-2311", "luogu-p10501"),
            "boards",
            "Cutting Game: cut a sheet along its lines; who first cuts off a 1x1 wins",
            "pairs W H to the end of the file, each 1..200",
            "WIN if the first player wins, else LOSE",
        ),
        Problem(
            "stairs",
            ("cses-1099",),
            "boards",
            "Stair Game: move balls from a stair to the next below",
            "t; for each case n and the balls on stairs 1..n",
            "first or second, whoever wins",
        ),
        Problem(
            "georgia",
            ("poj-1704",),
            "boards",
            "Georgia and Bob: chessmen on a strip go left, none over another",
            "T; for each case n and n squares, 1 or more, in any order",
            "Georgia will win, or Bob will win",
        ),
    )
}
"""Name -> problem."""

_BY_ALIAS = {alias: problem for problem in PROBLEMS.values() for alias in (problem.name, *problem.aliases)}


def problem(name: str) -> Problem:
    """Return the problem of a name or alias, in either case.

    Raises
    ------
    RulesetError
        There is none; names similar ones.

    Examples
    --------
    >>> problem("POJ-2311").name
    'cutting'
    >>> list(problem("whiteboard").answers(Source(b"1 1  30 3  10 2  0 0")))
    ['Jiang', 'Tang', 'Jiang']
    """
    found = _BY_ALIAS.get(name.lower())
    if found is None:
        near = get_close_matches(name.lower(), _BY_ALIAS, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else "graphgame judge --list has them all"
        raise RulesetError(f"unknown problem {shorten(name)}: {hint}")
    return found
