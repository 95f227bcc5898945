r"""Search for the outcome or the value of a sum of positions, prove it, and save the facts of the search to a file.

A proof (certificate) is a list of positions with their values. For each listed position and its value n, the list must
show two things. First, each value below n is the value of a listed option. Second, no option has the value n: each
option is listed with another value, or it has a listed option with the value n. A sum counts as listed if all its parts
are listed; its value is the nim-sum of their values. The facts of the search show which positions can be listed. If
there is a choice, the proof takes positions that are listed already, or that seem to need the fewest further positions.

The first line of a table file is a record (:mod:`graphgame.labs.records`). It has the game, its arguments and the
version of graphgame, a digest of the rules' code, the boards with their numbers of lines, and the number and a digest
of all further lines. Each further line has a fact, a tab, and the text of the position that the fact is about. A fact
is the value of the position or, if that is not known, ``-1 - mask``, where the bits of the mask are values that the
position does not have. If the search is compiled (:func:`is_compiled`), the lines are grouped by board. Then a line has
the mask of the position's cells, a hexadecimal number, in place of the text.
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
from graphgame.errors import (
    LimitError,
    Message,
    ParameterError,
    ParseError,
    RulesetError,
    checks_parameters,
    plural,
    shorten,
)
from graphgame.graph.gamegraph import GameLike
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.labs.bitboards.exploration import fits_loops
from graphgame.labs.bitboards.placement import MaskRuleset
from graphgame.labs.records import RecordFormat, digest, natural
from graphgame.labs.search.board_search import MaskSolver
from graphgame.labs.search.misere import MisereSearch
from graphgame.labs.search.nimber_search import MEMORY, Budget, Solver, Summands, known_sum
from graphgame.labs.search.proof_numbers import ProofNumberSolver
from graphgame.labs.verification.position_certificates import PositionCertificate, game_text
from graphgame.rules.component_graphs import GraphRuleset
from graphgame.rules.exploration import own_unended_play, unended
from graphgame.rules.position import Component, Position
from graphgame.rules.rule_errors import returned, rule_errors
from graphgame.rules.ruleset import Ruleset
from graphgame.solution.results import Decisive, refuse_misere_sum

AnySolver: TypeAlias = "Solver | MaskSolver | ProofNumberSolver"

_MOVES_A_VALUE = 4
"""In the estimated cost of listing a position, each value below its value counts as this many moves, because an option
with each of these values must be listed."""


class Prover:
    """Choose the positions of one game that a certificate lists.

    ``solver`` gives the values of positions, and ``moves`` gives the options of positions. The attribute ``values``
    maps each position listed so far to its value.
    """

    def __init__(self, solver: AnySolver, moves: Solver, budget: Budget) -> None:
        self.values: dict[Hashable, int] = {}
        self._solver = solver
        self._moves = moves
        self._budget = budget
        self._queue: list[tuple[int, int, Hashable]] = []
        self._serial_numbers = count()

    def list_sum(self, parts: Summands) -> None:
        """List the new parts of a sum, each with its value, and queue them for :meth:`justify`."""
        for part in parts:
            if part not in self.values:
                self.values[part] = self._solver.value([part])
                # The serial number settles ties, because positions may not be comparable.
                heappush(self._queue, (-self._moves.moves(part), next(self._serial_numbers), part))

    def justify(self) -> None:
        """List more positions until the listed positions prove each other's values.

        Positions with many moves are justified first.
        """
        while self._queue:
            *_, position = heappop(self._queue)
            self._budget.check(len(self._queue))
            self._justify(position, self.values[position])

    def option_of_value(self, parts: Summands, value: int) -> Summands | None:
        """Return an option of the sum ``parts`` that has the value ``value``, or None if there is none.

        If the facts of the search show several such options, return the one with the lowest :meth:`_cost`.
        """
        known = [option for option in self._options(parts) if known_sum(self._solver.fact, option) == value]
        if known:
            return min(known, key=self._cost)
        return next((option for option in self._options(parts) if self._solver.has_value(option, value)), None)

    def _justify(self, position: Hashable, value: int) -> None:
        """List positions that prove the value of a position: no option has it, and options have all smaller values."""
        options = self._moves.options(position)
        # Large options first: the positions that they need are likely to serve smaller options, too.
        for parts in reversed(options):
            if self._listed(parts) is None and all(self._listed(option) != value for option in self._options(parts)):
                # Prove that the option does not have the value of the position. List an option of this option that has
                # the value, or the option itself with its own value, whichever costs less.
                cheaper = self.option_of_value(parts, value)
                known = known_sum(self._solver.fact, parts)
                if cheaper is None or (known is not None and self._cost(parts) < self._cost(cheaper)):
                    cheaper = parts
                self.list_sum(cheaper)
        # For each smaller value that no listed option has, list an option with this value.
        for smaller in sorted(set(range(value)) - {self._listed(parts) for parts in options}):
            option = self.option_of_value((position,), smaller)
            assert option is not None
            self.list_sum(option)

    def _options(self, parts: Summands) -> Iterator[Summands]:
        """Yield the options of a sum except loony ones, as sums in which pairs of equal parts have cancelled."""
        for index, part in enumerate(parts):
            unchanged = parts[:index] + parts[index + 1 :]
            for option in self._moves.options(part):
                yield tuple({*option} ^ {*unchanged}) if unchanged else option

    def _cost(self, parts: Summands) -> float:
        """Return the estimated cost of listing a sum. Parts that are listed already cost nothing."""
        # The cost grows with the square root of the number of moves: if there are many moves, most of them lead to
        # positions that are listed already.
        new = (part for part in parts if part not in self.values)
        return sum(sqrt(1 + self._moves.moves(part) + _MOVES_A_VALUE * max(self._solver.fact(part), 0)) for part in new)

    def _listed(self, parts: Summands) -> int | None:
        """Return the value of a sum if all its parts are listed, otherwise None."""
        return known_sum(self.values.get, parts)


@checks_parameters
class Search:
    """A search for the outcome or the Grundy value of a position, without its whole graph.

    Parameters
    ----------
    game : GameLike
        A position (for normal or misère play), the text of one, or a graph with tokens: see :class:`GameGraph`.
    max_positions : int, optional
        The largest allowed number of positions in the tables, 2,000,000 by default. In a compiled search (see Notes)
        there is no limit by default: when the memory is full, facts about positions with few cells are replaced first.
    timeout : float, optional
        The time limit in seconds, counted from the creation of this object. Later calls get no more time.
    progress : callable, optional
        Called as ``progress(visited, depth)`` from time to time. It may call :meth:`write_table`, or raise an exception
        to end the search.
    memory : int
        The memory limit in bytes. In a compiled search it bounds the tables. Any other search ends with a LimitError
        when the peak memory of the process has grown by more than this since this object was created (not on Windows).
    jobs : int, optional
        The number of threads in a long compiled search; by default the number of cores. With several threads the number
        of visited positions varies from run to run, but the results do not.
    shared : Search, optional
        Another search. Its tables, limits, ``jobs`` and ``progress`` are used, and those of this call are ignored.
        Create the search on the largest board first, so that smaller boards fit on it.
    run_rules : bool
        Whether to run the Python file that a text names: see :func:`parse_position`.

    Raises
    ------
    RulesetError
        The rules of one of the games say that play may return to a position (``loopy``).
    ParameterError
        A limit or the number of jobs is not positive.
    TokenError
        The game is a graph without tokens.
    NotAGameError, UndirectedGraphError, ParseError, LimitError, OSError
        As for :class:`GameGraph`.

    Notes
    -----
    This is the nimber search of Lemoine and Viennot: depth first over couples (a position and a Nim heap), with a table
    of facts about positions. The search of a placement game (:class:`MaskRuleset`) under normal play is compiled if
    :func:`is_compiled` is true of its components. A compiled search asks whether a value is in a set of nimbers, as
    in the search of Beling and Rogalski. Rules with ``by_proof_numbers`` are searched by proof numbers. Under misère
    play, components in which play is short are replaced by their misère canonical forms.

    If an interrupt ends the search, the tables remain, and the same call continues from them. To continue after a
    limit, call :meth:`write_table`, and read the file with :meth:`read_table` into a new search with a higher limit.

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
            self._budget = Budget(max_positions, timeout, progress, memory, jobs)
            self._misere = MisereSearch(self._budget)
            self._solvers: dict[tuple[object, ...], AnySolver] = {}
        else:
            self._budget, self._misere, self._solvers = shared._budget, shared._misere, shared._solvers
        games: dict[tuple[object, ...], list[Component]] = {}
        for part in position.components:
            games.setdefault(part.game, []).append(part)
        self._games = [*games.values()]
        self._sums = [(self._solver(parts), [part.position for part in parts]) for parts in self._games]

    def _solver(self, parts: list[Component]) -> AnySolver:
        """Return the solver for the components of one game. Searches that share their tables share the solver."""
        name, rules, _ = parts[0]
        compiled = all(map(is_compiled, parts))
        key = *parts[0].game, compiled
        if key not in self._solvers:
            if compiled:
                positions = [part.position for part in parts]
                self._solvers[key] = MaskSolver(name, rules, self._budget, positions)  # type: ignore[arg-type]
            else:
                kind = ProofNumberSolver if rules.by_proof_numbers else Solver
                self._solvers[key] = kind(name, rules, self._budget)
        return self._solvers[key]

    def __repr__(self) -> str:
        return f"<Search: {self.position}, {plural(self.visited, 'position')} visited>"

    @property
    def visited(self) -> int:
        """The number of positions whose options were computed so far. Positions from a table file do not count.

        With ``shared``, this is the total for all searches that share the tables.
        """
        return self._budget.visited

    @property
    def kept(self) -> int:
        """The number of positions in the tables. With ``shared``, the tables have the positions of several searches."""
        return self._budget.kept

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
        if (outcome := self.position.theorem.outcome) is not None:
            return outcome
        if self.position.misere:
            with self._explain_endless_play():
                return "N" if self._misere.wins(self.position.components) else "P"
        if (decisive := self._decisive) is not None:
            return decisive.outcome
        if not self._sums:
            return "P"
        # Compute the values of the components of all games except the last. For the last game it is enough to know
        # whether its components have the nim-sum of these values.
        *first_sums, (last_solver, positions) = self._sums
        with self._explain_endless_play():
            return "P" if last_solver.has_value(positions, _nim_sum(first_sums)) else "N"

    @property
    def winner(self) -> Literal["first", "second"]:
        """The player who wins with best play: "first" is the next player. Raises the errors of :attr:`outcome`."""
        return "first" if self.outcome == "N" else "second"

    @property
    def grundy(self) -> Any:  # noqa: ANN401
        """The Grundy value under normal play.

        If the rules say that play is over here and who has won, or that one move wins at once, the result is a
        :class:`Decisive` value in place of a number.

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
        with self._explain_endless_play():
            return _nim_sum(self._sums)

    @property
    def _decisive(self) -> Decisive | None:
        """SUNNY or LOONY if the value is decisive, otherwise None.

        It is SUNNY if the rules decide the position as "P". It is LOONY if they decide it as "N", or an option as "P".
        """
        if (decided := self.position.decided) is not None:
            return Decisive.SUNNY if decided == "P" else Decisive.LOONY
        deciding = (part for part in self.position.components if part.ruleset.decides)
        solvers = ((Solver(part.name, part.ruleset, self._budget), part.position) for part in deciding)
        return Decisive.LOONY if any(solver.is_loony(position) for solver, position in solvers) else None

    @contextmanager
    def _explain_endless_play(self) -> Iterator[None]:
        """Return a context manager. If a LimitError occurs under a user's own rules, look for play that may not end.

        If a short search finds such play, raise a new LimitError, with the play in its message and in ``play``.
        Otherwise raise the first LimitError again.
        """
        try:
            yield
        except LimitError as error:
            for parts in self._games:
                play = own_unended_play(parts[0].ruleset, [part.position for part in parts])
                if play is not None:
                    raise unended(str(error), play) from None
            raise

    @checks_parameters
    def write_table(self, path: PathLike, *, progress: Progress | None = None) -> None:
        """Write all facts to a file. If that fails, no partial file is left.

        Parameters
        ----------
        path : str or os.PathLike
        progress : callable, optional
            Called as ``progress(ready, kept)`` from time to time, with the number of lines that are ready, and
            :attr:`kept`.

        Raises
        ------
        ParameterError
            The components of the position do not belong to exactly one game. Or the game is played on a graph file or a
            graph in Python, which may change. Or no file defines the rules. Or the position is under misère play.
        RulesetError
            The text of a position cannot be printed, or the rules read it as another position.
        OSError
            The file cannot be written.
        """
        rules, solver = self._one_game()
        kept, written = self.kept, 0
        blocks: list[bytes] = []

        def add(lines: Iterator[str]) -> int:
            """Append the lines to ``blocks``, up to 16,384 in each block, in UTF-8; return the number of lines."""
            nonlocal written
            before = written
            while block := [*islice(lines, _LINES_A_BLOCK)]:
                blocks.append("".join(block).encode())
                written += len(block)
                if progress is not None:
                    progress(min(written, kept), kept)
            return written - before

        boards, facts = (solver.boards, {}) if isinstance(solver, MaskSolver) else ((), solver.facts)
        board_sizes = [
            [rules.checked_text(position), add(f"{fact}\t{mask:x}\n" for mask, fact in masks)]
            for position, masks in boards
        ]
        add(f"{fact}\t{text}\n" for fact, text in zip(facts.values(), rules.texts(facts), strict=True))
        contents = {"boards": board_sizes, "positions": written, "lines": digest(blocks)}
        with open_atomic(path, "wb") as stream:
            stream.write(f"{_RECORD.dumps(rules.identity | contents)}\n".encode())
            stream.writelines(blocks)

    @checks_parameters
    def read_table(self, path: PathLike, *, progress: Progress | None = None) -> None:
        """Add the facts from a file that :meth:`write_table` wrote.

        Parameters
        ----------
        path : str or os.PathLike
        progress : callable, optional
            Called as ``progress(read, total)`` from time to time, with the number of lines read so far and the
            number of all lines.

        Raises
        ------
        ParseError
            The file is not a table, is damaged, or was written for other rules or by another version of graphgame.
        LimitError
            The file has too many positions for the tables of the search.
        ParameterError, OSError
            See :meth:`write_table`.
        """
        rules, solver = self._one_game()
        compiled, budget = isinstance(solver, MaskSolver), self._budget
        most = budget.kept + budget.left_to_keep if compiled else budget.most
        with Source(path) as source:
            lines = source.lines()
            record = _RECORD.loads(next(lines, ""), source.name)
            for name, what in _RULES.items():
                if record[name] != rules.identity[name]:
                    found, expected = shorten(record[name]), shorten(rules.identity[name])
                    raise source.error(
                        Message(
                            "the table does not fit this search: {what} {found}, not {expected}", what, found, expected
                        )
                    )
            count = record["positions"]
            if count > most:
                raise LimitError(
                    "{name} holds {positions}, more than the limit of {most:,}",
                    source.name,
                    plural(count, "position"),
                    most,
                    limit="max_positions",
                )
            # Read one line more than the record counts: if there is one, the file is too long.
            body = list(islice(lines, count + 1))
            if len(body) != count or record["lines"] != digest(f"{line}\n".encode() for line in body):
                raise _RECORD.damaged(source.name)
            facts = _facts(source, body, progress)
            for text, size in record["boards"]:
                board, everything = rules.board(text)
                masks = [(_mask(source, digits, everything), fact) for digits, fact in islice(facts, size)]
                # If no search can use masks of this board, turn them into positions: these may fit on another board.
                if not (isinstance(solver, MaskSolver) and solver.keep_masks(board, masks)):
                    for mask, fact in masks:
                        solver.keep(rules.on_board(board, mask), fact)
            for text, fact in facts:
                solver.keep(rules.position(text), fact)

    def certificate(self, *, value: bool = False) -> PositionCertificate:
        """Return a proof of the outcome, or of the value if ``value`` is true.

        The proof is a list of positions with values that prove each other. If the value is decisive, the list is empty,
        and the certificate has only the outcome.

        Raises
        ------
        LimitError, CycleError, RulesetError
            See :attr:`outcome`.
        ParameterError
            The position is under misère play, a game is played on a graph file or a graph in Python, or no file defines
            the rules of a game.

        Examples
        --------
        >>> search = Search("cram(3x4)")
        >>> found = search.certificate(value=True)
        >>> found.outcome, found.value, len(found), found.fault(search.position)
        ('N', 1, 11, None)
        """
        self._refuse_misere(Message("a certificate"))
        outcome = self.outcome
        # If the rules decide the winner of the position, or say that a move wins at once, no position need be listed.
        if self._decisive is not None:
            return PositionCertificate(str(self.position), outcome, None, [])
        games = [
            (game_text(parts[0]), self._proved(solver, parts, outcome, value))
            for (solver, _), parts in zip(self._sums, self._games, strict=True)
        ]
        return PositionCertificate(str(self.position), outcome, self.grundy if value else None, games)

    def _proved(self, solver: AnySolver, parts: list[Component], outcome: str, value: bool) -> list[tuple[str, int]]:
        """Return the pairs (text of a position, its value) that a certificate lists for one game.

        ``parts`` are the components that belong to this game. The certificate proves the value of the whole searched
        position if ``value`` is true, otherwise only its ``outcome``.
        """
        rules = Rules(parts[0])
        moves = solver if isinstance(solver, Solver) else Solver(rules.name, rules.ruleset, self._budget)
        prover = Prover(solver, moves, self._budget)
        start = moves.parts([part.position for part in parts])
        # To prove "N", it is enough to prove that one option is a P-position.
        option = prover.option_of_value(start, 0) if len(self._games) == 1 and outcome == "N" and not value else None
        prover.list_sum(start if option is None else option)
        prover.justify()
        return [(rules.text(position), value) for position, value in prover.values.items()]

    def _one_game(self) -> tuple[Rules, AnySolver]:
        """Return the rules and the solver of the only game.

        Raise ParameterError if there is not exactly one game, or if play is misère.
        """
        self._refuse_misere(Message("a table"))
        if len(self._sums) != 1:
            raise ParameterError(
                "a table holds the positions of one game only, so {position} cannot have a table", self.position
            )
        first = self.position.components[0]
        return Rules(first), self._sums[0][0]

    def _refuse_misere(self, what: str) -> None:
        if self.position.misere:
            raise ParameterError(
                "{what} of a search holds values under normal play, so it cannot be saved for misère play", what
            )


def _nim_sum(sums: Iterable[tuple[AnySolver, list[Hashable]]]) -> int:
    return reduce(xor, (solver.value(positions) for solver, positions in sums), 0)


def is_compiled(part: Component) -> bool:
    """Return True if the compiled search of placement games can search a component, and compiled loops can be used."""
    rules = part.ruleset
    if not isinstance(rules, MaskRuleset) or not use_compiled(COMPILED_FROM):
        return False
    return fits_loops(rules.on_board(part.position)[0])


def search_for(positions: Iterable[Position], **options: Any) -> Search:  # noqa: ANN401
    """Return a search whose tables fit each of several positions.

    Pass this search as ``shared`` to the search for each position. The options are those of :class:`Search`.

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
_MASK = re.compile(r"[0-9a-f]{1,64}")
_LINES_A_BLOCK = 1 << 14
_CHECKED_TEXTS = 1000
"""The maximum number of texts that are checked if the rules belong to this package."""
_LINES_A_REPORT = 1 << 10
_RULES = {
    "game": Message("game"),
    "arguments": Message("arguments"),
    "made_by": Message("version of graphgame"),
    "rules": Message("digest of the rules' code"),
}
"""The fields of a record that identify the rules, and the name of each field in error messages."""

_RECORD = RecordFormat(
    "graphgame search table",
    3,
    {**dict.fromkeys(_RULES, str), "boards": [[str, natural]], "positions": natural, "lines": str},
    Message("search without this file, or with another one"),
)


class Rules:
    """The rules of a game, to read and write its positions in a table or a certificate.

    ``component`` is any component of the game. ``identity`` has the fields of a table's record that identify the rules.
    Raises ParameterError if the game is played on a graph file or a graph in Python, or if no file defines the rules.
    """

    def __init__(self, component: Component) -> None:
        self.name = component.name
        self.ruleset = component.ruleset
        if isinstance(self.ruleset, GraphRuleset) or "file:" in self.text(component.position):
            raise ParameterError(
                "{component} is played on a graph that may change: no table or certificate can be saved for it",
                component,
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
        """Return the text of a position; raise RulesetError if it is not printable, or the rules misread it."""
        text = self.text(position)
        if not text.isprintable():
            raise RulesetError(
                "{name}: the position {position!r} has the text {text!r}, in which a character cannot be printed",
                self.name,
                position,
                text,
            )
        try:
            is_right = self.position(text) == position
        except ParseError:
            is_right = False
        if not is_right:
            raise RulesetError(
                "{name}: the position {position!r} has the text {text!r}, which does not give this position when "
                "it is read",
                self.name,
                position,
                text,
            )
        return text

    def texts(self, positions: Iterable[Hashable]) -> Iterator[str]:
        """Yield the result of :meth:`checked_text` for each position; raise its RulesetError.

        If the rules belong to this package, only the first 1000 texts are checked, because the check is slow.
        """
        remaining = iter(positions)
        is_own = type(self.ruleset).__module__.startswith(f"{graphgame.__name__}.")
        yield from map(self.checked_text, islice(remaining, _CHECKED_TEXTS if is_own else None))
        yield from map(self.text, remaining)

    def position(self, text: str) -> Hashable:
        """Return the canonical form of the position that a text describes."""
        with rule_errors(self.name, Message("the text {text!r}", text)):
            return self.ruleset.canonical(self.ruleset.parse(text))

    def board(self, text: str) -> tuple[Hashable, int]:
        """Return the canonical position that a text describes, and the mask of all cells of its board."""
        position = self.position(text)
        with rule_errors(self.name, Message("the board {text!r}", text)):
            return position, self._masks.on_board(position)[0].everything

    def on_board(self, board: Hashable, mask: int) -> Hashable:
        """Return the canonical form of the position that has this mask on the board of the position ``board``."""
        with rule_errors(self.name, Message("a position given as a set of cells")):
            return self._masks.canonical(self._masks.off_board(board, mask))

    @property
    def _masks(self) -> MaskRuleset:
        if not isinstance(self.ruleset, MaskRuleset):
            raise RulesetError("the game is not played on sets of cells")
        return self.ruleset


def _facts(source: Source, body: list[str], progress: Progress | None) -> Iterator[tuple[str, int]]:
    """Yield a pair (text of a position, fact) for each line of ``body``, the lines after the first of a table file.

    ``source`` is the file, which the ParseError for a malformed line names. ``progress`` is called from time to time
    with the number of lines read so far and the number of all lines.
    """
    for number, line in enumerate(body, 2):
        fact, tab, text = line.partition("\t")
        if not tab or not _FACT.fullmatch(fact):
            raise source.error("expected an integer and a position, with a tab between", line=number)
        yield text, int(fact)
        if progress is not None and ((read := number - 1) % _LINES_A_REPORT == 0 or read == len(body)):
            progress(read, len(body))


def _mask(source: Source, text: str, everything: int) -> int:
    """Return the mask that a text gives in hexadecimal digits.

    Raises ParseError if the text is malformed, or if the mask is 0 or has cells outside ``everything``, the mask of all
    cells of the board.
    """
    if not _MASK.fullmatch(text) or not 0 < int(text, 16) <= everything:
        raise source.error(
            Message(
                "expected a set of cells as a hexadecimal number, 1 to {everything}, got {text!r}",
                f"{everything:x}",
                text,
            )
        )
    return int(text, 16)


def _digest_of_rules(ruleset: type[Ruleset]) -> str:
    """Return a digest of the files that define a ruleset and its base classes below :class:`Ruleset`.

    Raises ParameterError if one of these classes is not defined in a file.
    """
    files = []
    for parent in ruleset.__mro__:
        if issubclass(parent, Ruleset) and parent is not Ruleset:
            try:
                files.append(inspect.getfile(parent))
            except (TypeError, OSError):
                raise ParameterError(
                    "no table or certificate can be saved for {kind}: no file defines its rules", parent.__name__
                ) from None
    return digest(Path(file).read_bytes() for file in files)
