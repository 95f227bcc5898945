"""The classic problems of online judges: read their inputs, and print exactly the expected answers.

For each problem there is a function that takes a :class:`graphgame.io.files.Source` and yields the lines of the answer.
It is a generator: a case is read only when its answer is needed. If the input breaks the format, it raises a
:class:`graphgame.errors.ParseError` that points at the wrong number or at the end of the input. A graph with a cycle is
a ParseError, too. Numbers are separated by any white space (except in the first line of a token file) and have at most
18 digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import reduce
from itertools import takewhile
from operator import xor
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from graphgame.errors import CycleError, Message, RulesetError, either, plural
from graphgame.games.cutting import Cutting
from graphgame.io import tokenfile
from graphgame.io.files import Source
from graphgame.labs import heaps
from graphgame.labs.heaps.games import Bash
from graphgame.labs.judges.judge_format import MOST, CaseReader, read_cases
from graphgame.labs.tables.strips import Georgia, Staircase
from graphgame.labs.tables.whiteboard import Whiteboard
from graphgame.rules.nim import Nim, misere_nim_outcome
from graphgame.solution.solve import solution_of

Answers: TypeAlias = Callable[[Source], Iterator[str]]


class Problem(NamedTuple):
    """A problem of an online judge.

    ``aliases`` are the judges' names for the problem, such as ``poj-2311``; ``name`` is ours. ``input`` and ``output``
    are descriptions for users. ``answers`` is a function that reads an input and yields the lines of the answer.
    """

    name: str
    aliases: tuple[str, ...]
    title: str
    input: str
    output: str
    answers: Answers


PROBLEMS: dict[str, Problem] = {}
"""Name of a problem -> the problem."""


def answered(*aliases: str, title: str, input: str, output: str) -> Callable[[Answers], Answers]:
    """Return a decorator that adds a :class:`Problem` with the decorated function as ``answers`` to ``PROBLEMS``.

    The problem has the function's name, without "_" at the ends and with "-" in place of "_". The arguments become the
    fields of the same names. The decorator returns the function unchanged.
    """

    def register(answers: Answers) -> Answers:
        name = answers.__name__.strip("_").replace("_", "-")
        PROBLEMS[name] = Problem(name, aliases, title, input, output, answers)
        return answers

    return register


def problem(name: str) -> Problem:
    """Return the problem with a name or alias, in upper or lower case.

    Raise a RulesetError if there is none; the message suggests similar names.

    Examples
    --------
    >>> problem("POJ-2311").name
    'cutting'
    >>> list(problem("whiteboard").answers(Source(b"1 1  30 3  10 2  0 0")))
    ['Jiang', 'Tang', 'Jiang']
    """
    by_alias = {alias: entry for entry in PROBLEMS.values() for alias in (entry.name, *entry.aliases)}
    if name.lower() in by_alias:
        return by_alias[name.lower()]
    near = get_close_matches(name.lower(), by_alias, n=3, cutoff=0.5)
    hint = (
        Message("did you mean {names}?", either(near)) if near else Message("graphgame judge --list shows all problems")
    )
    raise RulesetError("unknown problem {name!r}: {hint}", name, hint)


_BYTES_OF_HEAD = 1 << 16
"""The first line with numbers is looked for in this many bytes at the start of a file."""


@answered(
    title=Message(
        "Tokens on a graph: a token file or, if its first line does not have three numbers, the input of the problem "
        "chess"
    ),
    input=Message("N M K; M edges x y; the vertices of the K tokens; vertices are 1..N"),
    output=Message("win if the first player wins, else lose; for the input of chess, what chess prints"),
)
def _tokens(source: Source) -> Iterator[str]:
    return _token_file(source) if _words_of_first_line(source) == 3 else _chess(source)


@answered(
    "poj-2425",
    "hdu-1524",
    title=Message("A Chess Game: tokens on a graph, with queries"),
    input=Message(
        "cases to the end of the file: n; for each vertex 0..n-1 the number of its options, and the options; queries "
        "m v1..vm; 0"
    ),
    output=Message("WIN or LOSE for each query"),
)
def _chess(source: Source) -> Iterator[str]:
    for number, case in enumerate(read_cases(source), 1):
        try:
            values = solution_of(case.graph).grundy.array
        except CycleError as error:
            raise source.error(Message("case {number}: {error}", number, error)) from error
        for query in case.queries:
            yield "WIN" if np.bitwise_xor.reduce(values[list(query)]) else "LOSE"


def _token_file(source: Source) -> Iterator[str]:
    graph = tokenfile.read(source)
    try:
        yield "win" if solution_of(graph).nim_sum else "lose"
    except CycleError as error:
        raise source.error(str(error)) from error


def _words_of_first_line(source: Source) -> int:
    """Return the number of words, without comments, on the first line that has any; 0 if no line has any."""
    lines = (line.split() for line in source.peek(_BYTES_OF_HEAD).splitlines())
    counts = (sum(1 for _ in takewhile(lambda word: word[:1] not in (b"#", b"%"), words)) for words in lines)
    return next(filter(None, counts), 0)


_LARGEST_P_HEAP = 1222
"""The largest heap with value 0 in Grundy's game, of all heaps up to more than a million (OEIS A002188)."""

_LARGEST_HEAP = 10**6
"""The largest heap that an input of S-Nim or Grundy's game may have."""

_MOST_AMOUNTS = 1000
"""The maximum number of amounts in a subtraction set."""

_LARGEST_OF_THREE = 10_000
"""The largest heap that an input of "Fibonacci again and again" may have."""

_MOST_STICKS = 10**7
"""The maximum number of sticks in an input of the Stick Game."""


@answered(
    "hdu-1907",
    "poj-3480",
    title=Message("John: misère Nim"),
    input=Message("T cases, each with n and then n heaps"),
    output=Message("John if the first player wins, else Brother"),
)
def _john(source: Source) -> Iterator[str]:
    for sizes in CaseReader(source).counted_cases(Message("a heap")):
        yield "John" if misere_nim_outcome(sizes) == "N" else "Brother"


@answered(
    "poj-2975",
    title=Message("Nim: how many first moves win"),
    input=Message("cases, each with n and then n heaps; 0 after the last case"),
    output=Message("the number of winning moves"),
)
def _nim_moves(source: Source) -> Iterator[str]:
    reader, nim = CaseReader(source), Nim()
    while count := reader.number(Message("the size of a case (0 ends the input)"), most=MOST):
        sizes = reader.numbers(count, Message("a heap"))
        total = _nim_sum(sizes)
        # A move wins if it leaves the nim-sum 0: the heap becomes the nim-sum of the other heaps, ``heap ^ total``.
        yield str(sum(1 for heap in sizes for _ in nim.options_of_value(heap, heap ^ total)))
    reader.finish(Message("a 0 ended the cases"))


@answered(
    "cses-1730",
    title=Message("Nim Game I: Nim"),
    input=Message("t cases, each with n and then n heaps"),
    output=Message("first or second, whoever wins"),
)
def _nim_1(source: Source) -> Iterator[str]:
    return _by_nim_sum(source, Nim().closed_form, ("first", "second"))


@answered(
    "cses-1098",
    title=Message("Nim Game II: take 1, 2 or 3 from a heap"),
    input=Message("t cases, each with n and then n heaps"),
    output=Message("first or second, whoever wins"),
)
def _nim_2(source: Source) -> Iterator[str]:
    return _by_nim_sum(source, Bash(3).closed_form, ("first", "second"))


@answered(
    "hdu-3032",
    title=Message("Nim or not Nim?: take from a heap or split it in two"),
    input=Message("T cases, each with n and then n heaps"),
    output=Message("Alice if the first player wins, else Bob"),
)
def _lasker(source: Source) -> Iterator[str]:
    rules = heaps.lasker()
    return _by_nim_sum(source, lambda heap: rules.closed_form(heap) or 0, ("Alice", "Bob"))


@answered(
    "hdu-4764",
    title=Message(
        "Stone: numbers on a whiteboard, each 1..k above the number before it; whoever writes N or more loses"
    ),
    input=Message("pairs N k; 0 0 after the last pair"),
    output=Message("Tang if the first player wins, else Jiang"),
)
def _whiteboard(source: Source) -> Iterator[str]:
    reader = CaseReader(source)
    while any(pair := reader.numbers(2, Message("N or k (0 0 ends the input)"))):
        limit, most = pair
        if 0 in pair:
            # The second argument of ``error`` counts back from the last number that was read: 1 is k, 2 is N.
            raise reader.error("N and k must both be 1 or more, or 0 0 to end", 2 - pair.index(0))
        yield "Tang" if Whiteboard(most).closed_form((limit, 0)) else "Jiang"
    reader.finish(Message("a pair 0 0 ended the cases"))


@answered(
    "cses-2207",
    title=Message("Grundy's Game: split a heap into two unequal ones"),
    input=Message("t cases: in each a heap, up to 1000000"),
    output=Message("first or second, whoever wins"),
)
def _grundy(source: Source) -> Iterator[str]:
    reader = CaseReader(source)
    p_heaps = set(heaps.grundy_game().p_heaps(_LARGEST_P_HEAP).tolist())
    for _ in reader.cases():
        yield "second" if reader.number(Message("a heap"), most=_LARGEST_HEAP) in p_heaps else "first"


@answered(
    "hdu-1536",
    "poj-2960",
    title=Message("S-Nim: take a number of a given set from a heap"),
    input=Message(
        "cases: in each a set, k s1..sk; then m; then m positions, each n and n heaps of up to 1000000; 0 after "
        "the last case"
    ),
    output=Message("one word for each case: W for each position that the first player wins, L for all others"),
)
def _s_nim(source: Source) -> Iterator[str]:
    reader = CaseReader(source)
    while count := reader.number(Message("the size of a subtraction set (0 ends the input)"), most=_MOST_AMOUNTS):
        amounts = reader.numbers(count, Message("a number that may be taken"), 1)
        positions = [
            reader.counted(Message("a heap"), most=_LARGEST_HEAP)
            for _ in range(reader.number(Message("the number of positions")))
        ]
        # One table, up to the largest heap, serves all positions of the case.
        values = heaps.subtraction(amounts).grundy_values(max(map(max, filter(None, positions)), default=0)).tolist()
        yield "".join("W" if _nim_sum(values[heap] for heap in sizes) else "L" for sizes in positions)
    reader.finish(Message("a 0 ended the cases"))


@answered(
    "cses-1729",
    title=Message("Stick Game: take a number of a given set from one heap"),
    input=Message("n k, n up to 10000000; the k numbers"),
    output=Message("one word: for each of 1..n sticks W if the first player wins, else L"),
)
def _sticks(source: Source) -> Iterator[str]:
    reader = CaseReader(source)
    heap = reader.number(Message("the number of sticks"), 1, _MOST_STICKS)
    count = reader.number(Message("the number of moves"), most=_MOST_AMOUNTS)
    amounts = reader.numbers(count, Message("a number that may be taken"), 1)
    reader.finish(Message("the input announces {moves}", plural(count, "move")))
    word = np.full(heap + 1, b"W")
    word[heaps.subtraction(amounts).p_heaps(heap)] = b"L"
    yield word[1:].tobytes().decode()


@answered(
    "hdu-1848",
    title=Message("Fibonacci again and again: take a Fibonacci number from one of three heaps"),
    input=Message("triples m n p, each number up to 10000; 0 0 0 after the last triple"),
    output=Message("Fibo if the first player wins, else Nacci"),
)
def _fibonacci(source: Source) -> Iterator[str]:
    reader = CaseReader(source)
    amounts = [1, 2]
    while amounts[-1] <= _LARGEST_OF_THREE:
        amounts.append(amounts[-2] + amounts[-1])
    values = heaps.subtraction(amounts).grundy_values(_LARGEST_OF_THREE).tolist()
    while any(sizes := reader.numbers(3, Message("a heap (0 0 0 ends the input)"), most=_LARGEST_OF_THREE)):
        yield "Fibo" if _nim_sum(values[heap] for heap in sizes) else "Nacci"
    reader.finish(Message("a triple 0 0 0 ended the cases"))


def _nim_sum(values: Iterable[int]) -> int:
    """Return the nim-sum of values."""
    return reduce(xor, values, 0)


def _by_nim_sum(source: Source, value: Callable[[int], int], players: tuple[str, str]) -> Iterator[str]:
    """Yield the name of the player who wins, for each case; a case is a sum of heaps under normal play.

    ``value`` returns the value of a heap, and ``players`` has the names of the first and the second player.
    """
    for sizes in CaseReader(source).counted_cases(Message("a heap")):
        yield players[0] if _nim_sum(map(value, sizes)) else players[1]


_LARGEST_SIDE = 200
"""The largest width or height that an input of the Cutting Game may have."""


@answered(
    "poj-2311",
    "luogu-p10501",
    title=Message("Cutting Game: cut a sheet along its lines; the first to cut off a 1x1 piece wins"),
    input=Message("pairs W H to the end of the file, each number 1..200"),
    output=Message("WIN if the first player wins, else LOSE"),
)
def _cutting(source: Source) -> Iterator[str]:
    reader, rules = CaseReader(source), Cutting()
    values: Any = ()
    while not reader.ended():
        width, height = reader.numbers(2, Message("a side of a sheet"), 1, _LARGEST_SIDE)
        if (side := max(width, height)) >= len(values):
            # The sides of the table go up to the next power of two: small sheets take little time, and there are
            # at most 8 tables.
            values = rules.value_array([1 << side.bit_length()] * 2, misere=False)
        yield "WIN" if values[width, height] else "LOSE"


@answered(
    "cses-1099",
    title=Message("Stair Game: move balls from a stair to the next lower stair"),
    input=Message("t cases, each with n and then the numbers of balls on the stairs 1..n"),
    output=Message("first or second, whoever wins"),
)
def _stairs(source: Source) -> Iterator[str]:
    rules = Staircase()
    for balls in CaseReader(source).counted_cases(Message("a number of balls")):
        # Stair 1 is the lowest, so its balls cannot move. Stair 2 is the first step of Staircase Nim.
        yield "first" if rules.closed_form(tuple(balls[1:])) else "second"


@answered(
    "poj-1704",
    title=Message("Georgia and Bob: move one of the chessmen on a strip to the left, not onto or over another"),
    input=Message("T cases, each with n and then the squares of n chessmen, counted from 1, in any order"),
    output=Message("Georgia will win, or Bob will win"),
)
def _georgia(source: Source) -> Iterator[str]:
    rules, reader = Georgia(), CaseReader(source)
    for squares in reader.counted_cases(Message("a square"), 1):
        if len(set(squares)) < len(squares):
            first = {square: index for index, square in reversed([*enumerate(squares)])}
            index = next(index for index, square in enumerate(squares) if first[square] < index)
            message = Message(
                "two chessmen stand on square {square}: expected at most one on each square", squares[index]
            )
            raise reader.error(message, len(squares) - index)
        yield "Georgia will win" if rules.closed_form(tuple(sorted(squares))) else "Bob will win"
