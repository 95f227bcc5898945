"""Rulesets: a class with the options of each position, and optional methods for all else about the game.

This module also has the components of sums (positions with their rulesets), and the entries of the catalogue of games.
"""

from __future__ import annotations

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import count
from operator import xor
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, cast

from graphgame.compiled.engine import Progress
from graphgame.errors import LimitError, Message, ParseError, RulesetError
from graphgame.registry import imported
from graphgame.rules.declared import DeclaredMoves, DeclaredTurns
from graphgame.rules.pictures import Cell, CellKind, Picture, SymmetryMap, Way, beside, characters, grid
from graphgame.rules.rule_errors import asking, rule_errors, unfinished
from graphgame.solution.results import Decisive, Value, outcome_of

if TYPE_CHECKING:
    import numpy as np

    from graphgame.graph.gamegraph import GameGraph


class About(NamedTuple):
    """The description of a game: paragraphs in English, in reStructuredText.

    Attributes
    ----------
    rules : str
        The moves, in a sentence or two; shown above the board.
    notation : str
        How positions are written, and details of the rules.
    theorem : str
        What is known about the values and about who wins.
    source : str
        Who invented or solved the game, and where that is published.
    ending : str
        Who wins normal play, if the rules do not simply say that the last player to move wins.
    graphs : tuple of (str, str)
        For a game on graphs: the notation of each graph that has a name, and its description.
    directions : str
        For a game on graphs: the direction of the edges of these graphs.

    Examples
    --------
    >>> from graphgame.rules.nim import Nim
    >>> Nim.about.source
    'C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3 (1901).'
    """

    rules: str
    notation: str = ""
    theorem: str = ""
    source: str = ""
    ending: str = ""
    graphs: tuple[tuple[str, str], ...] = ()
    directions: str = ""

    @staticmethod
    def of(kind: type) -> About | None:
        """Return the description that a class itself defines; None if it has none or only inherits one."""
        about = vars(kind).get("about")
        return about if isinstance(about, About) else None

    def documented(self, doc: str) -> str:
        """Return a docstring with this description inserted.

        The rules, the ending and the notation follow the summary line. Then come the theorem as the section Notes, the
        source as the section References, and the rest of the docstring.
        """
        summary, _, examples = inspect.cleandoc(doc).partition("\n\n")
        notes, references = (
            f"{heading}\n{'-' * len(heading)}\n{text}" if text else ""
            for heading, text in (("Notes", self.theorem), ("References", self.source))
        )
        return "\n\n".join(filter(None, (summary, self.rules, self.ending, self.notation, notes, references, examples)))


MAX_TRIED = 2_000_000
"""The limit on the options of a position that are tried one after the other, and on the length of a list of moves."""

_MOST_WITH_OUTCOMES = 20_000

UNDECIDED = Message("theorems do not say who wins after each move: to find the winning moves, solve the explicit graph")


class Sum(tuple[Hashable, ...]):
    """A sum of positions, which are its parts: a player moves in one part. A move that splits the game leads to a Sum.

    Examples
    --------
    >>> Sum([2, 3])
    Sum(2, 3)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Sum({', '.join(map(repr, self))})"


def sum_of(parts: Iterable[Hashable], nothing: Hashable | None = None) -> Hashable:
    """Return the :class:`Sum` of some positions; of one position, that position.

    For no positions return ``nothing``, or ``Sum()`` if it is None.
    """
    several = tuple(parts)
    if len(several) == 1:
        return several[0]
    return Sum(several) if several or nothing is None else nothing


def parts_of(option: Hashable) -> tuple[Hashable, ...]:
    """Return the parts of a :class:`Sum`, or ``(option,)`` for any other position."""
    return tuple(option) if type(option) is Sum else (option,)


def at_most(options: Iterable[Hashable], most: int) -> Iterator[Hashable]:
    """Yield the options; raise a LimitError after ``most`` of them if there are more."""
    for number, option in enumerate(options):
        if number == most:
            raise LimitError("a position has too many options to look at each of them: more than {most}", most)
        yield option


class Ruleset(ABC):
    """The rules of an impartial game: one method is enough.

    A position is any hashable value. Play must end: no position may recur, unless the ruleset is ``loopy``.

    Attributes
    ----------
    about : About or None
        The description of the game; unless the class itself sets it, the first paragraph of its docstring is shown.
    start : hashable or None
        The position to start from if the caller names none.
    arguments : str
        The text between the braces of the notation ``name{arguments}(position)``.
    loopy : bool
        Whether a position may recur: then ``solve(graph, loopy=True)`` gives the values.
    is_nim : bool
        Whether a position is the size of a Nim heap, so that the theory of misère Nim applies to sums.
    cells : mapping of str to str
        Character of :meth:`board` -> the kind of cell that it is drawn as. If empty, the picture shows the characters.
    filling : Cell or None
        The cell that is drawn where a move removes cells from the end of the picture. For example, a strip of squares
        ends at its last coin. If that coin moves back, empty squares fill the end of the old picture.
    row_code : str
        The code, such as 0.77, of a taking-and-breaking game with the same values: a heap of n there has the value of
        the position n here. Empty if there is none. The package does not check this.
    number_signs : str
        For tables of values: the signs between the numbers in the text of a position, in their order. The last sign is
        repeated if the position has more numbers.
    by_proof_numbers : bool
        Whether a search uses proof numbers: it first expands the option that seems to need the fewest positions for a
        proof. This helps games in which some options lead to much longer play than others.

    Raises
    ------
    RulesetError
        A method that graphgame calls fails. The message has the line in the file of the rules and the position.

    Notes
    -----
    ``options`` is called once for each position that is explored. :class:`CodedRuleset` lists the options of many
    positions in one call.

    Examples
    --------
    >>> class TakeASquare(Ruleset):
    ...     start = 10
    ...
    ...     def options(self, heap):
    ...         return [heap - k * k for k in range(1, heap + 1) if k * k <= heap]
    >>> from graphgame import explore, solve
    >>> solve(explore(TakeASquare())).grundy[10]
    0
    """

    about: ClassVar[About | None] = None
    start: Hashable | None = None
    arguments: str = ""
    loopy: bool = False
    is_nim: bool = False
    cells: ClassVar[Mapping[str, CellKind]] = MappingProxyType({})
    filling: ClassVar[Cell | None] = None
    row_code: str = ""
    number_signs: str = ","
    by_proof_numbers: bool = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.__doc__ and (about := About.of(cls)):
            cls.__doc__ = about.documented(cls.__doc__)

    @classmethod
    def from_text(cls, text: str, /) -> Ruleset:
        """Return the rules for the text between the braces in ``name{text}(position)``; by default it must be empty.

        Raises
        ------
        ParseError
            The rules do not accept this text; the error has the column in the text, counted from 1.
        RulesetError
            The class lacks a method, or its ``__init__`` needs arguments; the message names a misspelt method, if any.
        """
        if (lacking := unfinished(cls, Ruleset)) is not None:
            raise RulesetError(lacking)
        if not text.strip():
            return cls()
        if cls.__module__.startswith("graphgame."):
            raise ParseError("unexpected arguments: {rules} takes none", cls.__name__, column=1)
        fault = Message("unexpected arguments: {rules} takes none, as it has no classmethod from_text", cls.__name__)
        raise ParseError(asking(fault, cls, Ruleset, ["from_text"]), column=1)

    @abstractmethod
    def options(self, position: Any, /) -> Iterable[Hashable]:  # noqa: ANN401
        """Return the options: the position that each move leads to, or a Sum of positions if a move splits the game."""

    def decided(self, position: Any, /) -> Literal["P", "N"] | None:  # noqa: ANN401
        """Return who has won if a position ends play at once, also in all other components; None if play goes on.

        "P" means that the player who just moved has won, "N" that this player has lost. Such a position has no options,
        whatever :meth:`options` returns. By default no position ends play. The method is called for every position and
        for each part of a sum.

        Examples
        --------
        >>> class LastTakerLoses(Ruleset):  # take 1 to 3; whoever takes the last one loses at once
        ...     def options(self, heap):
        ...         return range(max(heap - 3, 0), heap)
        ...
        ...     def decided(self, heap):
        ...         return "N" if heap == 0 else None
        >>> from graphgame import explore, solve
        >>> solve(explore(LastTakerLoses(), 3)).grundy
        {3: 2, 0: loony, 1: 0, 2: 1}
        """
        return None

    @property
    def decides(self) -> bool:
        """Whether the rules define :meth:`decided`, so that some position may end play at once."""
        return tells(self, "decided")

    def closed_form(self, position: Any, /) -> Value | None:  # noqa: ANN401
        """Return the value of a position in normal play if a theorem gives it without a search; otherwise None.

        The value is a Grundy value, or ``Decisive.LOONY`` if a move wins at once. The method is not called for a
        position that :meth:`decided` decides. If it gives the value of a position but not of all its options, the
        winning moves need :meth:`options_of_value`, :meth:`value_array` or the explicit graph.
        """
        return None

    def outcome_form(self, position: Any, /) -> Literal["P", "N"] | None:  # noqa: ANN401
        """Return who wins normal play if a theorem says so: the previous player ("P") or the next ("N").

        By default this follows from :meth:`closed_form`. None if no theorem applies to the position.
        """
        value = self.closed_form(position)
        return None if value is None else "P" if outcome_of(value) == "P" else "N"

    def misere_outcome_form(self, position: Any, /) -> Literal["P", "N"] | None:  # noqa: ANN401
        """Return who wins misère play if a theorem says so, "P" or "N"; None if no theorem applies to the position."""
        return None

    def reason(self, position: Any, /) -> str | None:  # noqa: ANN401
        """Return the calculation by which a theorem decides a position, such as ``12 mod 4 = 0``; by default None.

        It explains the result of :meth:`closed_form` or :meth:`outcome_form`. ``explain`` shows the reason for the
        position itself and for the position that each winning move leads to.
        """
        return None

    def winning_options(self, position: Any, /) -> Iterator[Hashable]:  # noqa: ANN401
        """Yield the options that are P-positions by :meth:`outcome_form` or :meth:`decided`.

        By default this tries every option. Rules with very many options override it to yield the P-positions directly.

        Raises
        ------
        LimitError
            There are over 20,000 options; or theorems do not decide all their outcomes (raised after the last option).
        """
        known = True
        for option in at_most(self.options(position), _MOST_WITH_OUTCOMES):
            decisions = set(map(self.decided, parts_of(option))) - {None}
            # A sum is a P-position if all its parts are. It is an N-position if exactly one part is an N-position.
            others = [] if decisions else [o for o in map(self.outcome_form, parts_of(option)) if o != "P"]
            if "P" in decisions or not (decisions or others):
                yield option
            known = known and others in ([], ["N"])
        if not known:
            raise LimitError(UNDECIDED)

    def options_of_value(self, position: Any, value: Any, /) -> Iterable[Hashable]:  # noqa: ANN401
        """Return the options that have a given value, for a position with a :meth:`closed_form`.

        By default this is :meth:`of_value`, which tries every option. Rules with very many options override it to
        return the options with this value directly.
        """
        return self.of_value(self.options(position), value)

    def of_value(self, options: Iterable[Hashable], value: Value, /) -> Iterator[Hashable]:
        """Yield those of ``options`` that have this value by :meth:`closed_form` or :meth:`decided`.

        Raises
        ------
        LimitError
            There are more than 2 million options.
        """
        for option in at_most(options, MAX_TRIED):
            values = [value_by_rules(self, part) for part in parts_of(option)]
            if None not in values and reduce(xor, values, 0) == value:
                yield option

    def least_size(self, position: Any, /) -> tuple[int, int]:  # noqa: ANN401
        """Return lower bounds for the numbers of positions and moves of the graph from a position, in constant time.

        :func:`graphgame.explore` uses them to refuse a game that exceeds its limits before it explores anything.
        Positions with the same canonical position count once. By default nothing is known: (1, 0).
        """
        return 1, 0

    def canonical(self, position: Any, /) -> Hashable:  # noqa: ANN401
        """Return the position that represents all positions equal by symmetry; by default the position itself."""
        return position  # type: ignore[no-any-return]

    def rules_at(self, position: Any, /) -> Ruleset:  # noqa: ANN401
        """Return ``self``; rules that combine several games return the rules of the game that this position is in."""
        return self

    def declared_moves(self, size: int, /) -> DeclaredMoves | None:
        """Return the moves as statements about the integers of a position; None if the rules do not declare them.

        ``size`` is the number of integers, 1 for a position that is a single integer. Proofs for positions of any size
        use these statements. They describe all moves of :meth:`options` but those by which the mover loses at once.
        """
        return None

    def declared_family(self, arguments: str, /) -> DeclaredMoves | None:
        """Return the moves of all rules that differ only in one integer in the braces; None if not declared.

        ``arguments`` is the text between the braces, with a letter in place of this integer. The first of the result's
        ``names`` is this letter; no move changes it.
        """
        return None

    def declared_turns(self) -> DeclaredTurns | None:
        """Return which coins a move may turn together, if the game turns coins in a row; otherwise None."""
        return None

    def value_array(self, shape: Sequence[int], misere: bool, /) -> np.ndarray | None:
        """Return an array of this shape with the value of position ``(i, j, ...)`` at index ``[i, j, ...]``.

        If positions are integers, the array has one axis. The method is for rules that can fill the array without a
        graph; by default it returns None. An entry is -1 if its indices are no position, and -3 for a loony position.
        Under misère play a position without moves has value 1.
        """
        return None

    def values_at(self, numbers: Sequence[np.ndarray], /) -> np.ndarray:
        """Return the values of many positions; ``numbers[k]`` has their k-th integers, and the arrays are broadcast.

        A value of -1 means "no position". By default raise NotImplementedError; override if a formula gives all values.
        """
        raise NotImplementedError

    def table_shape(self, position: Any, /) -> tuple[int, ...] | None:  # noqa: ANN401
        """Return a shape for which :meth:`value_array` has a position and all positions that play can reach from it.

        By default each side is an integer of the position plus 1; None if the position is no tuple of several integers.
        """
        whole = isinstance(position, tuple) and len(position) > 1 and all(type(number) is int for number in position)
        return tuple(number + 1 for number in position) if whole else None

    def lost_bits(self, shape: Sequence[int], misere: bool, progress: Progress | None, /) -> np.ndarray | None:
        """Return an array with a bit for each position of an array of this shape, 1 for P-positions; by default None.

        The positions are those of :meth:`value_array` in C order. The bits are packed as by ``np.packbits`` with
        ``bitorder="little"``.
        """
        return None

    def mobility(self, position: Any, /) -> int:  # noqa: ANN401
        """Return an estimate of the work to solve a position, such as its number of options; by default 0.

        A search tries options with low estimates first; with the default, in the order of :meth:`options`.
        """
        return 0

    def parse(self, text: str, /) -> Hashable:
        """Return the position that a text names.

        By default this is an integer, a tuple of the integers between commas, or the text itself. Parentheses around
        integers, as in ``(1,2)``, are ignored. A ruleset that reads several heaps or boards returns their :class:`Sum`.

        Raises
        ------
        ParseError
            The text names no position; the error has the column in the text, counted from 1.
        """
        inner = text.strip()
        inner = inner[1:-1] if inner.startswith("(") and inner.endswith(")") else text
        parts = [part.strip() for part in inner.split(",")]
        if not all(part.removeprefix("-").isdecimal() and part.isascii() and len(part) < 4000 for part in parts):
            return text
        numbers = tuple(map(int, parts))
        return numbers if len(numbers) > 1 else numbers[0]

    def format(self, position: Any, /) -> str:  # noqa: ANN401
        """Return the text of a position; the inverse of :meth:`parse`."""
        return ",".join(map(str, position)) if isinstance(position, tuple) else str(position)

    def term(self, name: str, position: Any, /) -> str:  # noqa: ANN401
        """Return the notation of a position, ``name{arguments}(position)``, for the given name of the rules."""
        arguments = f"{{{self.arguments}}}" if self.arguments else ""
        return f"{name}{arguments}({self.format(position)})"

    def board(self, position: Any, /) -> str:  # noqa: ANN401
        """Return a drawing of a position in characters, on one or more lines; by default :meth:`format`."""
        return self.format(position)

    def picture(self, position: Any, /) -> Picture | None:  # noqa: ANN401
        """Return the picture of a position, on which it is also played; None if there is none.

        By default the picture has a cell for each character of :meth:`board`, of the kind that ``cells`` assigns to it.
        If ``cells`` is empty, each cell shows its character, and there is no picture if the board is only the text of
        the position. A board of more than 24 lines, or with a line of more than 24 characters, has no picture.
        """
        text = self.board(position)
        if self.cells:
            return grid(text, self.cells)
        return characters(text) if text != self.format(position) else None

    def sum_picture(self, parts: Sequence[Any], /) -> Picture | None:
        """Return one picture of several positions; by default their pictures side by side.

        None if a position has no picture, or if there are no positions or more than 12.
        """
        return beside(map(self.picture, parts))

    def ways(self, position: Any, /) -> Iterable[Way] | None:  # noqa: ANN401
        """Return the ways to make each move by touching the picture.

        None, the default, means that a player touches the cells that differ in the pictures before and after a move.
        """
        return None

    def symmetry_map(self, position: Any, /) -> SymmetryMap | None:  # noqa: ANN401
        """Return the map from the cells of the canonical position's picture to those of this position's picture.

        None, the default, means that the map is found by comparing the two pictures.
        """
        return None


_DECISIONS = {None: 0, "P": -2, "N": -3}
"""Result of :meth:`Ruleset.decided` -> its code in :attr:`GameGraph.decided`."""


def decision(ruleset: Ruleset, position: Hashable) -> int:
    """Return the code in :attr:`GameGraph.decided` for a position: -2 if it is "P", -3 if "N", 0 if play goes on.

    Raises
    ------
    RulesetError
        The method ``decided`` fails, or returns anything but "P", "N" and None.
    """
    with rule_errors(type(ruleset).__name__, Message("the decision"), position, method=ruleset.decided):
        result = ruleset.decided(position)
        if result not in _DECISIONS:
            raise ValueError(Message("{decision!r} is returned: expected 'P', 'N' or None", result))
        return _DECISIONS[result]


def value_by_rules(ruleset: Ruleset, position: Hashable) -> Value | None:
    """Return the value of a position if it is decided or ``closed_form`` gives it; otherwise None."""
    if ruleset.decides and (code := decision(ruleset, position)):
        return Decisive.SUNNY if code == _DECISIONS["P"] else Decisive.LOONY
    return ruleset.closed_form(position)


def tells(ruleset: Ruleset, method: str) -> bool:
    """Return whether a ruleset's class overrides a method of Ruleset."""
    return getattr(type(ruleset), method) is not getattr(Ruleset, method)


class Component(NamedTuple):
    """One component of a sum: the name of the game, its ruleset, and a position of that ruleset.

    ``str(component)`` is the notation. Components with equal name, class of rules, arguments and position are equal.
    """

    name: str
    ruleset: Ruleset
    position: Hashable

    def __str__(self) -> str:
        with rule_errors(self.name, Message("the text"), self.position):
            return sum_text(part.ruleset.term(part.name, part.position) for part in split_component(self))

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Component) and self._key() == other._key()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.name, type(self.ruleset), self.ruleset.arguments, self.position

    @property
    def game(self) -> tuple[object, ...]:
        """The name, class of rules and arguments: equal for two components if their games are the same."""
        return self._key()[:-1]


def vertex_of(graph: GameGraph, component: Component) -> Hashable:
    """Return the vertex for a component in a graph made by :meth:`Position.graph` without ``texts``.

    It is the component's canonical position; in a graph of several games, the component with this position.
    """
    canonical = component.ruleset.canonical(component.position)
    mixed = isinstance(graph.tokens[0], Component) if graph.tokens else False
    return component._replace(position=canonical) if mixed else canonical


def split_component(component: Component) -> Iterator[Component]:
    """Yield the component; if its position is a :class:`Sum`, a component for each part of the Sum instead."""
    return (component._replace(position=part) for part in parts_of(component.position))


def renamed(components: Iterable[Component], others: Iterable[Component]) -> Iterator[Component]:
    """Yield components; rename a graph in memory (``graph2``) if another graph, here or in ``others``, has its name."""
    graphs = {other.name: vars(other.ruleset).get("graph") for other in others}
    for component in components:
        graph, name, names = vars(component.ruleset).get("graph"), component.name, map("graph{}".format, count(2))
        while re.fullmatch(r"graph\d*", name) and graphs.setdefault(name, graph) is not graph:
            name = next(names)
        yield component._replace(name=name)


def bare(label: Any) -> Hashable:  # noqa: ANN401
    """Return a vertex label with each Component, also inside a Sum, replaced by the component's position."""
    if isinstance(label, Sum):
        return Sum(map(bare, label))
    return label.position if isinstance(label, Component) else label


Text = Callable[[Any], str]


def sum_text(parts: Iterable[Hashable], text: Text = str) -> str:
    """Return the parts joined by `` + ``, each written by the function ``text``; ``()`` if there are no parts."""
    return " + ".join(map(text, parts)) or "()"


class Entry(NamedTuple):
    """A game of the catalogue: a family of rules such as ``take``, or one member of a family under its own name.

    Attributes
    ----------
    name : str
        The name in the notation ``name{arguments}(position)``.
    family : str
        The module that defines the rules, relative to ``graphgame``.
    ruleset : str
        The name of the class in that module.
    example : str
        A position in the notation.
    fixed : str or None
        For a member of a family: the family's arguments that make this game. Such a game has no braces of its own.
    own : About or None
        The description of the game; by default that of its class of rules.
    """

    name: str
    family: str
    ruleset: str
    example: str
    fixed: str | None = None
    own: About | None = None

    def load(self) -> type[Ruleset]:
        """Import the module ``family`` and return the class ``ruleset`` of this module."""
        return cast("type[Ruleset]", getattr(imported(f"graphgame.{self.family}"), self.ruleset))

    def with_arguments(self, text: str = "") -> Ruleset:
        """Return the rules for the text between the braces of the notation.

        Raises
        ------
        ParseError
            The game does not accept this text; the error has the column in the text.
        """
        if self.fixed is None:
            return self.load().from_text(text)
        if text.strip():
            raise ParseError("unexpected arguments: {name} takes none", self.name, column=1)
        rules = self.load().from_text(self.fixed)
        rules.arguments = ""
        return rules

    @property
    def about(self) -> About:
        """The description of the game."""
        return self.own or self.load().about or About("")
