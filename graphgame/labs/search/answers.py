r"""The question about a sum of positions of any games: its answer, the proof of it, and files of what a search knows.

A proof lists positions with their values. Of a listed position each option has to be listed with another value, or to
have an option that is listed with this one. What the search knows tells which; where several will do, what is listed
already is taken, or what seems to need least.

A file has a line about the rules, then a line for each position: a fact and the position's text, with a tab between. A
fact is the position's value, or ``-1 - mask`` where the value is not known: the ones of the mask are values that the
position does not have. In placement games the lines are about boards, one after another, and in place of the text the
cells stand as a hexadecimal number. The first line is a record (:mod:`graphgame.io.records`) of the game, arguments
and version that it is about, a digest of the rules' own code, the boards with the number of lines about each, how many
lines follow, and their digest.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from functools import reduce
from heapq import heappop, heappush
from itertools import count, islice
from math import sqrt
from operator import xor
from pathlib import Path
from typing import Any, Literal, TypeAlias

import graphgame
from graphgame.compiled.engine import COMPILED_FROM, Progress, use_compiled
from graphgame.errors import LimitError, Message, OptionError, ParseError, RulesetError, plural, shorten
from graphgame.graph.gamegraph import GameLike
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.io.records import RecordFormat, digest, natural
from graphgame.labs.bitboards.placement import MaskRuleset
from graphgame.labs.search.board_search import Boards, MaskSolver, fits_loops
from graphgame.labs.search.misere import MisereSearch
from graphgame.labs.search.nimber_search import MEMORY, Allowance, Solver, Summands
from graphgame.labs.search.proof_numbers import ProofNumberSolver
from graphgame.labs.verification.position_certificates import PositionCertificate, game_text
from graphgame.rules.faults import blamed, returned
from graphgame.rules.limits import own_unended_play, unended
from graphgame.rules.position import Component, Position
from graphgame.rules.ruleset import Ruleset
from graphgame.rules.tokens import GraphRuleset
from graphgame.solution.results import Decisive, refuse_misere_sum

AnySolver: TypeAlias = "Solver | MaskSolver | ProofNumberSolver"

_OF_A_VALUE = 4
"""Moves that each smaller value counts for, as some option must have it."""


class Prover:
    """What a proof lists of one game, of which a solver knows the values."""

    def __init__(self, solver: AnySolver, moves: Solver, allowance: Allowance) -> None:
        self.values: dict[Hashable, int] = {}
        self._solver = solver
        self._moves = moves
        self._allowance = allowance
        self._open: list[tuple[int, int, Hashable]] = []
        self._places = count()

    def list_sum(self, parts: Summands) -> None:
        """List the parts of a sum, each with its value."""
        for part in parts:
            if part not in self.values:
                self.values[part] = self._solver.value([part])
                heappush(self._open, (-self._moves.moves(part), next(self._places), part))

    def justify(self) -> None:
        """List what those that are listed need, the largest first."""
        while self._open:
            *_, position = heappop(self._open)
            self._allowance.look(len(self._open))
            self._justify(position, self.values[position])

    def option_of_value(self, parts: Summands, value: int) -> Summands | None:
        """Return an option of a sum that has a value: the one that costs least to list among those that are known."""
        found = [(self._cost(option), place, option) for place, option in enumerate(self._known(parts, value))]
        if found:
            return min(found)[2]
        return next((option for option in self._options(parts) if self._solver.has_value(option, value)), None)

    def _justify(self, position: Hashable, value: int) -> None:
        options = self._moves.options(position)
        for parts in reversed(options):  # small components first would be of use to few others
            if self._listed(parts) is None and all(self._listed(option) != value for option in self._options(parts)):
                # What shows that the option has another value: an answer or itself, whichever costs less.
                answer = self.option_of_value(parts, value)
                if answer is None or (self._total(parts) is not None and self._cost(parts) < self._cost(answer)):
                    answer = parts
                self.list_sum(answer)
        for smaller in sorted(set(range(value)) - {self._listed(parts) for parts in options}):
            option = self.option_of_value((position,), smaller)
            assert option is not None
            self.list_sum(option)

    def _known(self, parts: Summands, value: int) -> Iterator[Summands]:
        return (option for option in self._options(parts) if self._total(option) == value)

    def _options(self, parts: Summands) -> Iterator[Summands]:
        for place, part in enumerate(parts):
            rest = parts[:place] + parts[place + 1 :]
            for option in self._moves.options(part):
                yield tuple({*option} ^ {*rest}) if rest else option

    def _cost(self, parts: Summands) -> float:
        """Guess what listing a sum needs: of many moves, most lead to what is listed."""
        return sum(sqrt(max(self._needs(part), 1)) for part in parts if part not in self.values)

    def _needs(self, part: Hashable) -> int:
        return 1 + self._moves.moves(part) + _OF_A_VALUE * max(self._solver.fact(part), 0)

    def _listed(self, parts: Summands) -> int | None:
        return _sum_of(self.values.get(part, -1) for part in parts)

    def _total(self, parts: Summands) -> int | None:
        return _sum_of(map(self._solver.fact, parts))


def _sum_of(facts: Iterable[int]) -> int | None:
    """Return the nim-sum of values; None where one is not known, which is a fact below 0."""
    total = 0
    for fact in facts:
        if fact < 0:
            return None
        total ^= fact
    return total


class Search:
    """A search for the outcome or the Grundy value of a position, without its whole graph.

    Parameters
    ----------
    game : GameLike
        A position, of normal or misère play, or the text of one, or the tokens on a graph: see :class:`GameGraph`.
    max_nodes : int, optional
        Most positions to keep what was found about. By default 2,000,000, and in a game on sets of cells
        (:class:`MaskRuleset`) as many as the memory has room for: what is best known then replaces the rest.
    time : float, optional
        Most seconds, counted from the making of the search.
    progress : callable, optional
        Called as ``progress(visited, depth)`` now and then. It may call :meth:`write_table`, or end the search by an
        exception.
    memory : int
        Most bytes: of the tables of a game on sets of cells the least is forgotten once they are full; in other games,
        and under misère play, a search ends with a LimitError once the process has grown by so much.
    jobs : int, optional
        Threads of a long search of such a game, which share what they find; by default as many as there are cores. How
        many positions they visit differs from run to run, what they find does not.
    shared : Search, optional
        A search whose limits and tables this one shares: what either finds the other knows. The one of the largest
        board is made first, for the others have room on it.
    run_rules : bool
        Whether to run the Python file that a text names: see :func:`parse_position`.

    Raises
    ------
    RulesetError
        A game may repeat a position.
    TokenError
        A graph has no tokens.

    Notes
    -----
    The nimber search of Lemoine and Viennot: depth first over couples of a position and a heap of Nim, with a table of
    what is known of each position. Games on sets of cells (:class:`MaskRuleset`) are searched compiled, by the sets of
    nimbers of Beling and Rogalski. Under misère play components are told by their misère canonical forms. What ends a
    search early, a limit or an interrupt, leaves the table as it is: the same call goes on from there.

    References
    ----------
    J. Lemoine, S. Viennot, Nimbers are inevitable, Theoretical Computer Science 462 (2012). P. Beling, M. Rogalski, On
    pruning search trees of impartial games, Artificial Intelligence 283 (2020).

    Examples
    --------
    >>> from graphgame import GameGraph
    >>> search = Search("cram(3x5)")
    >>> search.outcome, search.grundy
    ('N', 1)
    >>> search.visited, len(GameGraph("cram(3x5)"))
    (45, 291)
    """

    def __init__(
        self,
        game: GameLike,
        *,
        max_nodes: int | None = None,
        time: float | None = None,
        progress: Progress | None = None,
        memory: int = MEMORY,
        jobs: int | None = None,
        shared: Search | None = None,
        run_rules: bool = False,
    ) -> None:
        self.position = position = Position.of(game, run_rules=run_rules)
        if shared is None:
            self._allowance = Allowance(max_nodes, time, progress, memory, jobs)
            self._misere = MisereSearch(self._allowance)
            self._solvers: dict[tuple[object, ...], AnySolver] = {}
        else:
            self._allowance, self._misere, self._solvers = shared._allowance, shared._misere, shared._solvers
        games: dict[tuple[object, ...], list[Component]] = {}
        for part in position.components:
            games.setdefault((part.name, type(part.ruleset), part.ruleset.arguments), []).append(part)
        self._games = [*games.values()]
        self._sums = [(self._solver(parts), [part.position for part in parts]) for parts in self._games]

    def _solver(self, parts: list[Component]) -> AnySolver:
        name, rules, _ = parts[0]
        compiled = all(map(is_compiled, parts))
        key = name, type(rules), rules.arguments, compiled
        if key not in self._solvers:
            if compiled:
                positions = [part.position for part in parts]
                self._solvers[key] = MaskSolver(name, rules, self._allowance, positions)  # type: ignore[arg-type]
            else:
                kind = ProofNumberSolver if rules.by_proof_numbers else Solver
                self._solvers[key] = kind(name, rules, self._allowance)
        return self._solvers[key]

    def __repr__(self) -> str:
        return f"<Search: {self.position}, {plural(self.visited, 'position')} visited>"

    @property
    def visited(self) -> int:
        """How many positions had their options looked at so far; those known from a table that was read do not."""
        return self._allowance.visited

    @property
    def kept(self) -> int:
        """About how many positions something is known."""
        return self._allowance.kept

    @property
    def outcome(self) -> Literal["P", "N"]:
        """Who wins: the previous player ("P") or the next ("N").

        Raises
        ------
        LimitError
            A limit came first.
        CycleError
            Play comes back to a position.
        RulesetError
            The rules themselves fail.
        """
        if (told := self.position.outcome_by_theorem) is not None:
            return told
        if self.position.play == "misere":
            with self._growth_told():
                return "N" if self._misere.wins(self.position.components) else "P"
        if (decisive := self._decisive) is not None:
            return decisive.outcome
        if not self._sums:
            return "P"
        *others, (last, positions) = self._sums
        with self._growth_told():
            total = _xor(others)
            return "P" if last.has_value(positions, total) else "N"

    @property
    def winner(self) -> Literal["first", "second"]:
        """Who wins with best play; errors are those of :attr:`outcome`."""
        return "first" if self.outcome == "N" else "second"

    @property
    def grundy(self) -> Any:  # noqa: ANN401
        """The Grundy value, of normal play; a :class:`Decisive` value of a sum that a move ends at once.

        Raises
        ------
        TokenError
            Under misère play, where values do not tell who wins.
        LimitError
            A limit came first.
        CycleError
            Play comes back to a position.
        RulesetError
            The rules themselves fail.
        """
        refuse_misere_sum(self.position.play)
        if (decisive := self._decisive) is not None:
            return decisive
        with self._growth_told():
            return _xor(self._sums)

    @property
    def _decisive(self) -> Decisive | None:
        """Whether play is over, or can be ended by one move."""
        if (decided := self.position.decided) is not None:
            return Decisive.SUNNY if decided == "P" else Decisive.LOONY
        deciding = (part for part in self.position.components if part.ruleset.decides)
        solvers = ((Solver(part.name, part.ruleset, self._allowance), part.position) for part in deciding)
        return Decisive.LOONY if any(solver.is_loony(position) for solver, position in solvers) else None

    @contextmanager
    def _growth_told(self) -> Iterator[None]:
        """Where a limit is met, show play that goes on and on in a person's own rules, as is not meant to be."""
        try:
            yield
        except LimitError as error:
            for parts in self._games:
                play = own_unended_play(parts[0].ruleset, [part.position for part in parts])
                if play is not None:
                    raise unended(str(error), play) from None
            raise

    def write_table(self, path: PathLike, *, progress: Progress | None = None) -> None:
        """Write down what is known: the whole file or, if that fails, none.

        Parameters
        ----------
        path : str or os.PathLike
        progress : callable, optional
            Called as ``progress(positions, kept)`` now and then, with those that are ready to be written.

        Raises
        ------
        OptionError
            The position belongs to several games or none, to a graph in a file, which may change, or to rules that
            no file defines.
        RulesetError
            The text of a position of the rules is not read back as the position.
        OSError
            The file cannot be written.
        """
        rules, solver = self._one_game()

        def ready(count: int) -> None:
            if progress is not None:
                progress(min(count, self.kept), self.kept)

        if isinstance(solver, MaskSolver):
            write_table(path, rules, {}, solver.boards, ready)
        else:
            write_table(path, rules, solver.facts, progress=ready)

    def read_table(self, path: PathLike, *, progress: Progress | None = None) -> None:
        """Add what a file of :meth:`write_table` knows.

        Parameters
        ----------
        path : str or os.PathLike
        progress : callable, optional
            Called as ``progress(positions, all)`` now and then, with those that are read.

        Raises
        ------
        ParseError
            The file is no table, is damaged, or was written for other rules or by another version.
        LimitError
            It holds more positions than the search may keep.
        OptionError, OSError
            As for :meth:`write_table`.
        """
        rules, solver = self._one_game()
        allowed = self._allowance
        if isinstance(solver, MaskSolver):
            read_table(path, rules, allowed.kept + allowed.left_to_keep, solver.keep, solver.keep_cells, progress)
        else:
            read_table(path, rules, allowed.most, solver.keep, None, progress)

    def certificate(self, *, value: bool = False) -> PositionCertificate:
        """Return a proof of the outcome, or of the value: a few positions with their values, which moves justify.

        Raises
        ------
        LimitError, CycleError, RulesetError
            As for :attr:`outcome`.
        OptionError, RulesetError
            As for :meth:`write_table`.

        Examples
        --------
        >>> search = Search("cram(3x4)")
        >>> found = search.certificate(value=True)
        >>> found.outcome, found.value, len(found), found.fault(search.position)
        ('N', 1, 11, None)
        """
        self._refuse_misere(Message("a certificate"))
        outcome = self.outcome
        if self._decisive is not None:
            return PositionCertificate(str(self.position), outcome, None, [])
        games = [
            (game_text(parts[0]), self._proved(solver, parts, outcome, value))
            for (solver, _), parts in zip(self._sums, self._games, strict=True)
        ]
        return PositionCertificate(str(self.position), outcome, self.grundy if value else None, games)

    def _proved(self, solver: AnySolver, parts: list[Component], outcome: str, value: bool) -> list[tuple[str, int]]:
        """Return what a proof lists of one game; of a position that is won, a move is enough."""
        rules = Rules(parts[0])
        moves = solver if isinstance(solver, Solver) else Solver(rules.name, rules.ruleset, self._allowance)
        prover = Prover(solver, moves, self._allowance)
        start = moves.parts([part.position for part in parts])
        won = prover.option_of_value(start, 0) if len(self._games) == 1 and outcome == "N" and not value else None
        prover.list_sum(moves.parts([part.position for part in parts]) if won is None else won)
        prover.justify()
        return [(rules.text(position), value) for position, value in prover.values.items()]

    def _one_game(self) -> tuple[Rules, AnySolver]:
        self._refuse_misere(Message("a table"))
        if len(self._sums) != 1:
            raise OptionError("a table is for the positions of one game, not for {position}", self.position)
        first = self.position.components[0]
        return Rules(first), self._sums[0][0]

    def _refuse_misere(self, what: str) -> None:
        if self.position.play == "misere":
            raise OptionError("{what} of a search holds values of normal play: there is none under misère play", what)


def _xor(sums: Iterable[tuple[AnySolver, list[Hashable]]]) -> int:
    return reduce(xor, (solver.value(positions) for solver, positions in sums), 0)


def is_compiled(part: Component) -> bool:
    """Tell whether the compiled search of games on sets of cells takes a position."""
    rules = part.ruleset
    if not isinstance(rules, MaskRuleset) or not use_compiled(COMPILED_FROM):
        return False
    return fits_loops(rules.on_board(part.position)[0])


def search_for(positions: Iterable[Position], **options: Any) -> Search:  # noqa: ANN401
    """Return a search with tables for several positions, for others to share; its own is the sum of them.

    Examples
    --------
    >>> rows = [Position.of(f"cram(3x{columns})") for columns in range(1, 6)]
    >>> search = search_for(rows)
    >>> [Search(row, shared=search).grundy for row in rows]
    [1, 1, 0, 1, 1]
    """
    parts = [part for position in positions for part in position.components]
    return Search(Position([part for part in parts if is_compiled(part)] or parts), **options)


KeepCells = Callable[[Hashable, list[tuple[int, int]]], bool]

_FACT = re.compile(r"-?[0-9]{1,1000}")
_BLOCK = 1 << 14
_TRIED = 1000
_TOLD_EVERY = 1 << 10
_CELLS = re.compile(r"[0-9a-f]{1,64}")
_RULES = {"game": "game", "arguments": "arguments", "made_by": "version", "rules": Message("code of the rules")}
"""What tells rules from others -> what errors call it."""

_RECORD = RecordFormat(
    "graphgame search table",
    3,
    {**dict.fromkeys(_RULES, str), "boards": [[str, natural]], "positions": natural, "lines": str},
    Message("search without it, or with another file"),
)


class Rules:
    """The rules that a table is about, told by a position; no file defines them that may change."""

    def __init__(self, component: Component) -> None:
        self.name = component.name
        self.ruleset = component.ruleset
        if isinstance(self.ruleset, GraphRuleset) or "file:" in self.text(component.position):
            raise OptionError(
                "{component} is played on a graph file, which may change: no table is kept for it", component
            )
        self.identity = {
            "game": self.name,
            "arguments": str(self.ruleset.arguments),
            "made_by": graphgame.__version__,
            "rules": _digest_of_rules(type(self.ruleset)),
        }

    def text(self, position: Hashable) -> str:
        """Return the text of a position."""
        with blamed(self.name, Message("the text"), position):
            return returned(self.ruleset.format(position), str)

    def position(self, text: str) -> Hashable:
        """Return the canonical position of a text."""
        with blamed(self.name, Message("the text {text!r}", text)):
            return self.ruleset.canonical(self.ruleset.parse(text))

    def board(self, text: str) -> tuple[Hashable, int]:
        """Return the position that tells a board, and the mask of all cells of that."""
        position = self.position(text)
        with blamed(self.name, Message("the board {text!r}", text)):
            return position, self._masks.on_board(position)[0].everything

    def on_board(self, board: Hashable, mask: int) -> Hashable:
        """Return the canonical position of some cells of the board of another one."""
        with blamed(self.name, Message("the position of some cells")):
            return self._masks.canonical(self._masks.off_board(board, mask))

    @property
    def _masks(self) -> MaskRuleset:
        if not isinstance(self.ruleset, MaskRuleset):
            raise RulesetError("it is no game on sets of cells")
        return self.ruleset


def write_table(
    path: PathLike,
    rules: Rules,
    facts: dict[Hashable, int],
    boards: Boards = (),
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write facts; a position must be read back from its text. ``progress`` is told how many are ready."""
    ready = _Ready(progress)
    told = [
        [_text(rules, position), ready.add(f"{fact}\t{mask:x}\n" for mask, fact in cells)] for position, cells in boards
    ]
    ready.add(f"{fact}\t{text}\n" for fact, text in zip(facts.values(), _texts(rules, facts), strict=True))
    counted = {"boards": told, "positions": ready.count, "lines": digest(ready.blocks)}
    with open_atomic(path, "wb") as stream:
        stream.write(f"{_RECORD.dumps(rules.identity | counted)}\n".encode())
        stream.writelines(ready.blocks)


class _Ready:
    """Lines that are ready to be written, in blocks."""

    def __init__(self, progress: Callable[[int], None] | None) -> None:
        self.blocks: list[bytes] = []
        self.count = 0
        self._progress = progress

    def add(self, lines: Iterator[str]) -> int:
        """Make lines ready; return how many they are."""
        before = self.count
        while block := [*islice(lines, _BLOCK)]:
            self.blocks.append("".join(block).encode())
            self.count += len(block)
            if self._progress is not None:
                self._progress(self.count)
        return self.count - before


def _texts(rules: Rules, positions: Iterable[Hashable]) -> Iterator[str]:
    """Yield texts that are read back: of the package's own rules, where that takes most of the time, the first ones."""
    rest = iter(positions)
    is_own = type(rules.ruleset).__module__.startswith(f"{graphgame.__name__}.")
    yield from (_text(rules, position) for position in islice(rest, _TRIED if is_own else None))
    yield from map(rules.text, rest)


def read_table(
    path: PathLike,
    rules: Rules,
    most: int,
    keep: Callable[[Hashable, int], None],
    keep_cells: KeepCells | None,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Have the facts of a file kept that was written for these rules, and holds no more than so many.

    Those about a board are kept at once where ``keep_cells`` tells that it is the same, else position by position.
    ``progress`` is told how many of all are read.
    """
    with Source(path) as source:
        lines = source.lines()
        record = _RECORD.loads(next(lines, ""), source.name)
        for name, what in _RULES.items():
            if record[name] != rules.identity[name]:
                held, here = shorten(record[name]), shorten(rules.identity[name])
                raise source.error(Message("the table is for {what} {found}, not {expected}", what, held, here))
        count = record["positions"]
        if count > most:
            raise LimitError(
                "{name} holds {positions}, more than {most:,}",
                source.name,
                plural(count, "position"),
                most,
                limit="max_nodes",
            )
        body = list(islice(lines, count + 1))
        if len(body) != count or record["lines"] != digest(f"{line}\n".encode() for line in body):
            raise _RECORD.damaged(source.name)
        facts = _facts(source, body, progress)
        for text, size in record["boards"]:
            board, everything = rules.board(text)
            cells = [(_cells(source, mask, everything), fact) for mask, fact in islice(facts, size)]
            if keep_cells is None or not keep_cells(board, cells):
                for mask, fact in cells:
                    keep(rules.on_board(board, mask), fact)
        for text, fact in facts:
            keep(rules.position(text), fact)


def _facts(source: Source, body: list[str], progress: Callable[[int, int], None] | None) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(body, 2):
        fact, tab, text = line.partition("\t")
        if not tab or not _FACT.fullmatch(fact):
            raise source.error("expected a fact and a position, with a tab between", number)
        yield text, int(fact)
        if progress is not None and ((done := number - 1) % _TOLD_EVERY == 0 or done == len(body)):
            progress(done, len(body))


def _cells(source: Source, text: str, everything: int) -> int:
    if not _CELLS.fullmatch(text) or not 0 < int(text, 16) <= everything:
        raise source.error(
            Message("expected a hexadecimal number of cells, 1 to {everything}, got {text!r}", f"{everything:x}", text)
        )
    return int(text, 16)


def _text(rules: Rules, position: Hashable) -> str:
    text = rules.text(position)
    try:
        same = rules.position(text) == position and text.isprintable()
    except ParseError:
        same = False
    if not same:
        raise RulesetError("{name}: {position!r} is not read back from its text {text!r}", rules.name, position, text)
    return text


def _file_of(ruleset: type[Ruleset]) -> str:
    try:
        return inspect.getfile(ruleset)
    except (TypeError, OSError):
        raise OptionError("no table is kept for {kind}, for no file defines its rules", ruleset.__name__) from None


def _digest_of_rules(ruleset: type[Ruleset]) -> str:
    """Return a digest of the files that define a class of rules and those it is made from."""
    parents = (parent for parent in ruleset.__mro__ if issubclass(parent, Ruleset) and parent is not Ruleset)
    return digest(Path(_file_of(parent)).read_bytes() for parent in parents)
