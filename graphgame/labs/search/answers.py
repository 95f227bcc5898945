r"""Search for the outcome or the value of a sum of positions, prove it, and save what the search knows to a file.

A proof (certificate) lists positions with their values. For a listed position of value n, each option must be listed
with another value, or have an option that is listed with n. The facts of the search tell which ones will do. If there
are several, the proof takes one that is listed already, or the one that seems to need least.

A table file has a first line about the rules, then one line for each position: a fact and the position's text,
separated by a tab. A fact is the position's value. If the value is not known, it is ``-1 - mask``, where the bits of
the mask are values that the position does not have. In placement games the lines are grouped by board, and a
hexadecimal number, the mask of the cells, replaces the text. The first line is a record
(:mod:`graphgame.labs.records`). It has the game, its arguments and the version of graphgame, a digest of the
rules' code, the boards with their numbers of lines, the number of all lines, and a digest of them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Hashable, Iterable, Iterator
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
from graphgame.errors import LimitError, Message, ParameterError, ParseError, RulesetError, plural, shorten
from graphgame.graph.gamegraph import GameLike
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.labs.bitboards.exploration import fits_loops
from graphgame.labs.bitboards.placement import MaskRuleset
from graphgame.labs.records import RecordFormat, digest, natural
from graphgame.labs.search.board_search import MaskSolver
from graphgame.labs.search.misere import MisereSearch
from graphgame.labs.search.nimber_search import MEMORY, Allowance, Solver, Summands, known_sum
from graphgame.labs.search.proof_numbers import ProofNumberSolver
from graphgame.labs.verification.position_certificates import PositionCertificate, game_text
from graphgame.rules.faults import returned, rule_errors
from graphgame.rules.limits import own_unended_play, unended
from graphgame.rules.position import Component, Position
from graphgame.rules.ruleset import Ruleset
from graphgame.rules.tokens import GraphRuleset
from graphgame.solution.results import Decisive, refuse_misere_sum

AnySolver: TypeAlias = "Solver | MaskSolver | ProofNumberSolver"

_OF_A_VALUE = 4
"""In the estimated cost of a position: what each smaller value counts, in moves. (Some option must have that value.)"""


class Prover:
    """Choose the positions of one game that a certificate lists.

    ``solver`` knows the values, ``moves`` the options of the game. ``values`` has the positions listed so far.
    """

    def __init__(self, solver: AnySolver, moves: Solver, allowance: Allowance) -> None:
        self.values: dict[Hashable, int] = {}
        self._solver = solver
        self._moves = moves
        self._allowance = allowance
        self._open: list[tuple[int, int, Hashable]] = []
        self._places = count()

    def list_sum(self, parts: Summands) -> None:
        """List the parts of a sum, each with its value, and queue them for ``justify``."""
        for part in parts:
            if part not in self.values:
                self.values[part] = self._solver.value([part])
                heappush(self._open, (-self._moves.moves(part), next(self._places), part))

    def justify(self) -> None:
        """List everything that the listed positions need, starting with positions that have many moves."""
        while self._open:
            *_, position = heappop(self._open)
            self._allowance.look(len(self._open))
            self._justify(position, self.values[position])

    def option_of_value(self, parts: Summands, value: int) -> Summands | None:
        """Return an option of a sum that has a value; None if there is none.

        Among the options whose values are known, this is the one that costs least to list.
        """
        known = [option for option in self._options(parts) if known_sum(self._solver.fact, option) == value]
        if known:
            return min(known, key=self._cost)
        return next((option for option in self._options(parts) if self._solver.has_value(option, value)), None)

    def _justify(self, position: Hashable, value: int) -> None:
        """List what proves the value of a listed position: no option has it, and each smaller value occurs."""
        options = self._moves.options(position)
        # Large options first: what they need is likely to serve others too.
        for parts in reversed(options):
            if self._listed(parts) is None and all(self._listed(option) != value for option in self._options(parts)):
                # The option has another value. List a reply that has the position's value, or the option itself,
                # whichever costs less.
                answer = self.option_of_value(parts, value)
                known = known_sum(self._solver.fact, parts)
                if answer is None or (known is not None and self._cost(parts) < self._cost(answer)):
                    answer = parts
                self.list_sum(answer)
        # Options listed by now give some of the smaller values; list one option for each of the others.
        for smaller in sorted(set(range(value)) - {self._listed(parts) for parts in options}):
            option = self.option_of_value((position,), smaller)
            assert option is not None
            self.list_sum(option)

    def _options(self, parts: Summands) -> Iterator[Summands]:
        """Yield the options of a sum, as sums in which pairs of equal parts have cancelled."""
        for place, part in enumerate(parts):
            rest = parts[:place] + parts[place + 1 :]
            for option in self._moves.options(part):
                yield tuple({*option} ^ {*rest}) if rest else option

    def _cost(self, parts: Summands) -> float:
        """Estimate what it costs to list a sum. The square root: most of many moves lead to listed positions."""
        new = (part for part in parts if part not in self.values)
        return sum(sqrt(1 + self._moves.moves(part) + _OF_A_VALUE * max(self._solver.fact(part), 0)) for part in new)

    def _listed(self, parts: Summands) -> int | None:
        return known_sum(self.values.get, parts)


class Search:
    """A search for the outcome or the Grundy value of a position, without its whole graph.

    Parameters
    ----------
    game : GameLike
        A position (for normal or misère play), the text of one, or a graph with tokens: see :class:`GameGraph`.
    max_positions : int, optional
        The most positions in the tables. The default is 2,000,000. In a placement game (:class:`MaskRuleset`) the
        default is as many as fit in the memory; then positions with few cells are replaced first.
    timeout : float, optional
        The time limit in seconds, counted from the creation of this object.
    progress : callable, optional
        Called as ``progress(visited, depth)`` from time to time. It may call :meth:`write_table`, or raise an exception
        to end the search.
    memory : int
        The memory limit in bytes. In a placement game it bounds the tables. In other games, and under misère play, the
        search ends with a LimitError once the process has grown by this much.
    jobs : int, optional
        The number of threads in a long search of a placement game; by default the number of cores. The number of
        visited positions varies from run to run with several threads, the results do not.
    shared : Search, optional
        A search that shares its limits and tables with this one. Create the search on the largest board first: the
        other boards then fit on it.
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
    This is the nimber search of Lemoine and Viennot: depth first over couples (a position and a Nim heap), with a table
    of facts about positions. Placement games (:class:`MaskRuleset`) are searched compiled, with the sets of nimbers of
    Beling and Rogalski. Under misère play, components are replaced by their misère canonical forms. If a limit or an
    interrupt ends the search, the tables remain: the same call continues from there.

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
        max_positions: int | None = None,
        timeout: float | None = None,
        progress: Progress | None = None,
        memory: int = MEMORY,
        jobs: int | None = None,
        shared: Search | None = None,
        run_rules: bool = False,
    ) -> None:
        self.position = position = Position.of(game, run_rules=run_rules)
        if shared is None:
            self._allowance = Allowance(max_positions, timeout, progress, memory, jobs)
            self._misere = MisereSearch(self._allowance)
            self._solvers: dict[tuple[object, ...], AnySolver] = {}
        else:
            self._allowance, self._misere, self._solvers = shared._allowance, shared._misere, shared._solvers
        games: dict[tuple[object, ...], list[Component]] = {}
        for part in position.components:
            games.setdefault(part.game, []).append(part)
        self._games = [*games.values()]
        self._sums = [(self._solver(parts), [part.position for part in parts]) for parts in self._games]

    def _solver(self, parts: list[Component]) -> AnySolver:
        """Return the solver for the components of one game; searches that share tables share it."""
        name, rules, _ = parts[0]
        compiled = all(map(is_compiled, parts))
        key = *parts[0].game, compiled
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
        """The number of positions whose options were looked at so far. Positions from a table file do not count."""
        return self._allowance.visited

    @property
    def kept(self) -> int:
        """The number of positions about which a fact is known."""
        return self._allowance.kept

    @property
    def outcome(self) -> Literal["P", "N"]:
        """The outcome: "P" if the previous player wins, "N" if the next player wins.

        Raises
        ------
        LimitError
            A limit was reached.
        CycleError
            Play can return to a position.
        RulesetError
            The rules raised an error, or returned something invalid.
        """
        if (told := self.position.theorem.outcome) is not None:
            return told
        if self.position.misere:
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
        """Who wins with best play. Raises the errors of :attr:`outcome`."""
        return "first" if self.outcome == "N" else "second"

    @property
    def grundy(self) -> Any:  # noqa: ANN401
        """The Grundy value, for normal play; a :class:`Decisive` value if play is over or a move ends it at once.

        Raises
        ------
        TokenError
            The position is under misère play, where values do not decide who wins.
        LimitError
            A limit was reached.
        CycleError
            Play can return to a position.
        RulesetError
            The rules raised an error, or returned something invalid.
        """
        refuse_misere_sum(self.position.misere)
        if (decisive := self._decisive) is not None:
            return decisive
        with self._growth_told():
            return _xor(self._sums)

    @property
    def _decisive(self) -> Decisive | None:
        """SUNNY or LOONY if play is over, or can be won at once by a move that ends it; otherwise None."""
        if (decided := self.position.decided) is not None:
            return Decisive.SUNNY if decided == "P" else Decisive.LOONY
        deciding = (part for part in self.position.components if part.ruleset.decides)
        solvers = ((Solver(part.name, part.ruleset, self._allowance), part.position) for part in deciding)
        return Decisive.LOONY if any(solver.is_loony(position) for solver, position in solvers) else None

    @contextmanager
    def _growth_told(self) -> Iterator[None]:
        """At a limit, look for endless play in the user's own rules, and raise an error that shows it."""
        try:
            yield
        except LimitError as error:
            for parts in self._games:
                play = own_unended_play(parts[0].ruleset, [part.position for part in parts])
                if play is not None:
                    raise unended(str(error), play) from None
            raise

    def write_table(self, path: PathLike, *, progress: Progress | None = None) -> None:
        """Write all facts to a file. If that fails, no partial file is left.

        Parameters
        ----------
        path : str or os.PathLike
        progress : callable, optional
            Called as ``progress(positions, kept)`` from time to time: how many of the kept positions are ready.

        Raises
        ------
        ParameterError
            The position does not belong to exactly one game. Or it is on a graph from a file, which may change. Or no
            file defines its rules. Or it is under misère play.
        RulesetError
            The rules do not read a position back from its own text.
        OSError
            The file cannot be written.
        """
        rules, solver = self._one_game()
        ready = _Ready(progress, self.kept)
        boards, facts = (solver.boards, {}) if isinstance(solver, MaskSolver) else ((), solver.facts)
        told = [
            [rules.checked_text(position), ready.add(f"{fact}\t{mask:x}\n" for mask, fact in cells)]
            for position, cells in boards
        ]
        ready.add(f"{fact}\t{text}\n" for fact, text in zip(facts.values(), rules.texts(facts), strict=True))
        counted = {"boards": told, "positions": ready.count, "lines": digest(ready.blocks)}
        with open_atomic(path, "wb") as stream:
            stream.write(f"{_RECORD.dumps(rules.identity | counted)}\n".encode())
            stream.writelines(ready.blocks)

    def read_table(self, path: PathLike, *, progress: Progress | None = None) -> None:
        """Add the facts from a file that :meth:`write_table` wrote.

        Parameters
        ----------
        path : str or os.PathLike
        progress : callable, optional
            Called as ``progress(positions, all)`` from time to time: how many of all positions are read.

        Raises
        ------
        ParseError
            The file is not a table, is damaged, or was written for other rules or by another version.
        LimitError
            It has more positions than the search may keep.
        ParameterError, OSError
            See :meth:`write_table`.
        """
        rules, solver = self._one_game()
        compiled, allowed = isinstance(solver, MaskSolver), self._allowance
        most = allowed.kept + allowed.left_to_keep if compiled else allowed.most
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
                    limit="max_positions",
                )
            body = list(islice(lines, count + 1))
            if len(body) != count or record["lines"] != digest(f"{line}\n".encode() for line in body):
                raise _RECORD.damaged(source.name)
            facts = _facts(source, body, progress)
            for text, size in record["boards"]:
                board, everything = rules.board(text)
                cells = [(_cells(source, mask, everything), fact) for mask, fact in islice(facts, size)]
                if not (isinstance(solver, MaskSolver) and solver.keep_cells(board, cells)):
                    for mask, fact in cells:
                        solver.keep(rules.on_board(board, mask), fact)
            for text, fact in facts:
                solver.keep(rules.position(text), fact)

    def certificate(self, *, value: bool = False) -> PositionCertificate:
        """Return a proof of the outcome, or of the value: a few positions with values that justify each other.

        Raises
        ------
        LimitError, CycleError, RulesetError
            See :attr:`outcome`.
        ParameterError, RulesetError
            See :meth:`write_table`.

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
        """Return the positions of one game that a proof lists, as pairs (text, value)."""
        rules = Rules(parts[0])
        moves = solver if isinstance(solver, Solver) else Solver(rules.name, rules.ruleset, self._allowance)
        prover = Prover(solver, moves, self._allowance)
        start = moves.parts([part.position for part in parts])
        # To prove N, it is enough to prove that one option is P.
        won = prover.option_of_value(start, 0) if len(self._games) == 1 and outcome == "N" and not value else None
        prover.list_sum(moves.parts([part.position for part in parts]) if won is None else won)
        prover.justify()
        return [(rules.text(position), value) for position, value in prover.values.items()]

    def _one_game(self) -> tuple[Rules, AnySolver]:
        """Return the rules and the solver of the only game; raise ParameterError if there is not exactly one."""
        self._refuse_misere(Message("a table"))
        if len(self._sums) != 1:
            raise ParameterError("a table is for the positions of one game, not for {position}", self.position)
        first = self.position.components[0]
        return Rules(first), self._sums[0][0]

    def _refuse_misere(self, what: str) -> None:
        if self.position.misere:
            raise ParameterError(
                "{what} of a search holds values of normal play: there is none under misère play", what
            )


def _xor(sums: Iterable[tuple[AnySolver, list[Hashable]]]) -> int:
    return reduce(xor, (solver.value(positions) for solver, positions in sums), 0)


def is_compiled(part: Component) -> bool:
    """Return True if the compiled search, which is for placement games, can search a position."""
    rules = part.ruleset
    if not isinstance(rules, MaskRuleset) or not use_compiled(COMPILED_FROM):
        return False
    return fits_loops(rules.on_board(part.position)[0])


def search_for(positions: Iterable[Position], **options: Any) -> Search:  # noqa: ANN401
    """Return a search whose tables suit several positions, to pass as ``shared`` to a search for each of them.

    Examples
    --------
    >>> rows = [Position.of(f"cram(3x{columns})") for columns in range(1, 6)]
    >>> search = search_for(rows)
    >>> [Search(row, shared=search).grundy for row in rows]
    [1, 1, 0, 1, 1]
    """
    parts = [part for position in positions for part in position.components]
    return Search(Position([part for part in parts if is_compiled(part)] or parts), **options)


_FACT = re.compile(r"-?[0-9]{1,1000}")
_BLOCK = 1 << 14
_TRIED = 1000
_TOLD_EVERY = 1 << 10
_CELLS = re.compile(r"[0-9a-f]{1,64}")
_RULES = {"game": "game", "arguments": "arguments", "made_by": "version", "rules": Message("code of the rules")}
"""The fields that identify rules, and what errors call them."""

_RECORD = RecordFormat(
    "graphgame search table",
    3,
    {**dict.fromkeys(_RULES, str), "boards": [[str, natural]], "positions": natural, "lines": str},
    Message("search without it, or with another file"),
)


class Rules:
    """The rules that a table is about: those of a component.

    Raises ParameterError if the game depends on a graph file, which may change, or if no file defines the rules.
    """

    def __init__(self, component: Component) -> None:
        self.name = component.name
        self.ruleset = component.ruleset
        if isinstance(self.ruleset, GraphRuleset) or "file:" in self.text(component.position):
            raise ParameterError(
                "{component} is played on a graph file, which may change: no table is kept for it", component
            )
        self.identity = {
            "game": self.name,
            "arguments": str(self.ruleset.arguments),
            "made_by": graphgame.__version__,
            "rules": _digest_of_rules(type(self.ruleset)),
        }

    def text(self, position: Hashable) -> str:
        """Return the text of a position; raise RulesetError if the rules fail."""
        with rule_errors(self.name, Message("the text"), position):
            return returned(self.ruleset.format(position), str)

    def checked_text(self, position: Hashable) -> str:
        """Return the text of a position; raise RulesetError if it is not read back as the position."""
        text = self.text(position)
        try:
            same = self.position(text) == position and text.isprintable()
        except ParseError:
            same = False
        if not same:
            raise RulesetError(
                "{name}: {position!r} is not read back from its text {text!r}", self.name, position, text
            )
        return text

    def texts(self, positions: Iterable[Hashable]) -> Iterator[str]:
        """Yield the texts of positions, and check that they are read back as the positions.

        For the package's own rules only the first 1000 are checked: the check would take most of the time.
        """
        rest = iter(positions)
        is_own = type(self.ruleset).__module__.startswith(f"{graphgame.__name__}.")
        yield from map(self.checked_text, islice(rest, _TRIED if is_own else None))
        yield from map(self.text, rest)

    def position(self, text: str) -> Hashable:
        """Return the canonical form of the position that a text describes."""
        with rule_errors(self.name, Message("the text {text!r}", text)):
            return self.ruleset.canonical(self.ruleset.parse(text))

    def board(self, text: str) -> tuple[Hashable, int]:
        """Return the position that a text describes, and the mask of all cells of its board."""
        position = self.position(text)
        with rule_errors(self.name, Message("the board {text!r}", text)):
            return position, self._masks.on_board(position)[0].everything

    def on_board(self, board: Hashable, mask: int) -> Hashable:
        """Return the canonical form of the position with the cells of a mask on the board of ``board``, a position."""
        with rule_errors(self.name, Message("the position of some cells")):
            return self._masks.canonical(self._masks.off_board(board, mask))

    @property
    def _masks(self) -> MaskRuleset:
        if not isinstance(self.ruleset, MaskRuleset):
            raise RulesetError("it is no game on sets of cells")
        return self.ruleset


class _Ready:
    """The encoded lines of a table file, in blocks, and their number."""

    def __init__(self, progress: Progress | None, kept: int) -> None:
        self.blocks: list[bytes] = []
        self.count = 0
        self._progress = progress
        self._kept = kept

    def add(self, lines: Iterator[str]) -> int:
        """Encode lines; return their number."""
        before = self.count
        while block := [*islice(lines, _BLOCK)]:
            self.blocks.append("".join(block).encode())
            self.count += len(block)
            if self._progress is not None:
                self._progress(min(self.count, self._kept), self._kept)
        return self.count - before


def _facts(source: Source, body: list[str], progress: Progress | None) -> Iterator[tuple[str, int]]:
    """Yield (text, fact) for each line of a table."""
    for number, line in enumerate(body, 2):
        fact, tab, text = line.partition("\t")
        if not tab or not _FACT.fullmatch(fact):
            raise source.error("expected a fact and a position, with a tab between", number)
        yield text, int(fact)
        if progress is not None and ((done := number - 1) % _TOLD_EVERY == 0 or done == len(body)):
            progress(done, len(body))


def _cells(source: Source, text: str, everything: int) -> int:
    """Return the mask written in hexadecimal; raise ParseError if it is not a mask of the board's cells."""
    if not _CELLS.fullmatch(text) or not 0 < int(text, 16) <= everything:
        raise source.error(
            Message("expected a hexadecimal number of cells, 1 to {everything}, got {text!r}", f"{everything:x}", text)
        )
    return int(text, 16)


def _digest_of_rules(ruleset: type[Ruleset]) -> str:
    """Return a digest of the files that define a class of rules and its base classes.

    Raises ParameterError if no file defines one of them.
    """
    files = []
    for parent in ruleset.__mro__:
        if issubclass(parent, Ruleset) and parent is not Ruleset:
            try:
                files.append(inspect.getfile(parent))
            except (TypeError, OSError):
                raise ParameterError(
                    "no table is kept for {kind}, for no file defines its rules", parent.__name__
                ) from None
    return digest(Path(file).read_bytes() for file in files)
