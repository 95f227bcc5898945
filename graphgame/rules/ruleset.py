"""Rules of games: a ruleset says what the options of a position are, and what the game tells people about itself."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import xor
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from graphgame.compiled.engine import Progress
from graphgame.errors import LimitError, Message, ParameterError, ParseError, RulesetError
from graphgame.rules.declared import DeclaredMoves, DeclaredTurns
from graphgame.rules.faults import blamed, meant, unfinished
from graphgame.rules.parsing import integer
from graphgame.rules.pictures import Cell, CellKind, Picture, SymmetryMap, Way, beside, characters, grid
from graphgame.solution.results import Decisive, Value, outcome_of

if TYPE_CHECKING:
    import numpy as np


class About(NamedTuple):
    """What a game tells people about itself: paragraphs in English, in reStructuredText.

    Attributes
    ----------
    rules : str
        The moves, in a sentence or two: what stands above the board.
    notation : str
        How positions are written, and what else belongs to the rules.
    theorem : str
        What is known of the values and of who wins.
    source : str
        Who invented or solved it, and where that is published.
    ending : str
        Who wins at the end of normal play, of a game whose rules say it in words of their own.
    graphs : tuple of tuple of str
        The graphs that one may name, of a game on graphs: each as it is written, and what it is.
    directions : str
        Which way the edges of these graphs go.

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
        """Return what a class itself tells, not a base of it."""
        about = vars(kind).get("about")
        return about if isinstance(about, About) else None

    def documented(self, doc: str) -> str:
        """Return a docstring with the rules, ending and notation after its summary; theorem and source are its end."""
        summary, _, examples = inspect.cleandoc(doc).partition("\n\n")
        notes, references = (
            f"{heading}\n{'-' * len(heading)}\n{text}" if text else ""
            for heading, text in (("Notes", self.theorem), ("References", self.source))
        )
        return "\n\n".join(filter(None, (summary, self.rules, self.ending, self.notation, notes, references, examples)))


_MOST_SHOWN = 12


def xor_text(values: Iterable[int]) -> str:
    """Return an xor with its result.

    Examples
    --------
    >>> xor_text([2, 3]), xor_text([4]), xor_text([])
    ('2 xor 3 = 1', '4', '0')
    """
    listed = list(values)
    total = reduce(xor, listed, 0)
    if len(listed) > _MOST_SHOWN:
        return Message("the xor of {count} numbers is {total}", len(listed), total)
    return f"{' xor '.join(map(str, listed))} = {total}" if len(listed) > 1 else str(total)


MAX_TRIED = 2_000_000
"""Options of one position that are tried for their values."""

_MOST_LOOKED_AT = 20_000


class Sum(tuple[Hashable, ...]):
    """Several positions side by side: what a move leaves that splits the game.

    Examples
    --------
    >>> Sum([2, 3])
    Sum(2, 3)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Sum({', '.join(map(repr, self))})"


def sum_of(parts: Iterable[Hashable], nothing: Hashable | None = None) -> Hashable:
    """Return the sum of some positions, or the one that they are; for no position what stands for nothing, if given."""
    several = tuple(parts)
    if len(several) == 1:
        return several[0]
    return Sum(several) if several or nothing is None else nothing


def parts_of(option: Hashable) -> tuple[Hashable, ...]:
    """Return the parts of a sum, or the one position."""
    return tuple(option) if type(option) is Sum else (option,)


def at_most(options: Iterable[Hashable], most: int) -> Iterator[Hashable]:
    """Yield options one by one; raise a LimitError where there are more."""
    for number, option in enumerate(options):
        if number == most:
            raise LimitError("a position has too many options to look at each: more than {most}", most)
        yield option


class Ruleset(ABC):
    """The rules of an impartial game: one method is enough.

    A position is any hashable value. Play must end: no position may come again, unless the ruleset is ``loopy``.

    Attributes
    ----------
    about : About or None
        What the game tells people about itself; without it, the first paragraph of the class's docstring.
    start : hashable or None
        The position to start from where none is given.
    arguments : str
        What stands between braces in the notation ``name{arguments}(position)``.
    loopy : bool
        Whether a position may come again: then ``solve(graph, loopy=True)`` gives the values.
    is_nim : bool
        Whether a position is the size of a heap of Nim, so that sums have the theory of misère Nim.
    cells : mapping of str to str
        The kind of cell that each character of :meth:`board` is drawn as, where the picture is that of the board.
    filling : Cell or None
        What stands where a move leaves nothing, if the picture ends with the last thing on it, as a strip of squares
        does with its last coin.
    row_code : str
        The code, such as 0.77, of the taking-and-breaking game that this one is on a heap or in a row of so many; empty
        where there is none. It is taken for proved: the rules say why.
    number_signs : str
        For tables: what stands between the numbers of a position in its text; the last sign comes again and again.
    by_proof_numbers : bool
        Whether a search goes by what seems to need the fewest positions: for games whose play is very uneven.

    Raises
    ------
    RulesetError
        From whatever uses the rules, where a method of theirs fails: names the method's work and the position.

    Notes
    -----
    ``options`` is called once for each position that is explored; :class:`CodedRuleset` does all at once.

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
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for the text between braces in ``name{text}(position)``; by default there is none.

        Raises
        ------
        ParseError
            Says the column in the text, from 1.
        RulesetError
            The class lacks a method; names one that may be meant for it.
        """
        if (lacking := unfinished(cls, Ruleset)) is not None:
            raise RulesetError(lacking)
        if text.strip():
            own = not cls.__module__.startswith("graphgame.")
            lacking = (
                Message(", for it has no classmethod from_text{hint}", meant(cls, Ruleset, ["from_text"]))
                if own
                else ""
            )
            raise ParseError("unexpected arguments: {kind} has none{lacking}", cls.__name__, lacking, column=1)
        return cls()

    @abstractmethod
    def options(self, position: Any, /) -> Iterable[Hashable]:  # noqa: ANN401
        """Return the options of a position; a :class:`Sum` where a move splits the game."""

    def decided(self, position: Any, /) -> Literal["P", "N"] | None:  # noqa: ANN401
        """Say who has won where a position ends play at once, in the whole sum; None, by default, where play goes on.

        "P" means that the player who just moved has won, "N" that this player has lost. Such a position has no options
        whatever :meth:`options` says. It is asked of every position that may come up, and of each part of a sum.

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
        """Whether :meth:`decided` may end play."""
        return tells(self, "decided")

    def closed_form(self, position: Any, /) -> Value | None:  # noqa: ANN401
        """Return the value of a position where a theorem gives it at once, else None.

        It is a Grundy value, or ``Decisive.LOONY`` where a move wins at once; of decided positions it is not asked.
        """
        return None

    def outcome_form(self, position: Any, /) -> Literal["P", "N"] | None:  # noqa: ANN401
        """Return who wins a position where a theorem tells at once: the previous player, "P", or the next, "N".

        By default it is what :meth:`closed_form` tells; None where nobody knows.
        """
        value = self.closed_form(position)
        return None if value is None else "P" if outcome_of(value) == "P" else "N"

    def misere_outcome_form(self, position: Any, /) -> Literal["P", "N"] | None:  # noqa: ANN401
        """Return who wins a position under misère play where a theorem tells at once; None where nobody knows."""
        return None

    def reason(self, position: Any, /) -> str | None:  # noqa: ANN401
        """Say the reason that the theorem gives for a position, with its numbers, such as ``12 mod 4 = 0``, else None.

        It is what :meth:`closed_form` or :meth:`outcome_form` goes by; ``explain`` shows it, and that of each winning
        move's end.
        """
        return None

    def winning_options(self, position: Any, /) -> Iterator[Hashable]:  # noqa: ANN401
        """Yield options that :meth:`outcome_form` tells to be P-positions.

        By default the options are tried one by one; a ruleset with very many options names them at once.

        Raises
        ------
        LimitError
            There are very many of them.
        """
        for option in at_most(self.options(position), _MOST_LOOKED_AT):
            parts = parts_of(option)
            ends = set(map(self.decided, parts))
            if "P" in ends or ("N" not in ends and all(self.outcome_form(part) == "P" for part in parts)):
                yield option

    def options_of_value(self, position: Any, value: Any) -> Iterable[Hashable]:  # noqa: ANN401
        """Return the options that have a Grundy value, for rulesets whose :meth:`closed_form` always knows.

        By default the options are tried one by one; a ruleset with very many options names them at once.
        """
        return self.of_value(self.options(position), value)

    def of_value(self, options: Iterable[Hashable], value: Value) -> Iterator[Hashable]:
        """Return an iterator over those of some options that have a Grundy value by :meth:`closed_form`.

        Raises
        ------
        LimitError
            There are more than :data:`MAX_TRIED` of them.
        """
        return (option for option in at_most(options, MAX_TRIED) if self._value(option) == value)

    def _value(self, position: Hashable) -> Value | None:
        total: Value = 0
        for part in parts_of(position):
            value = told_value(self, part)
            if value is None:
                return None
            total ^= value
        return total

    def least_size(self, position: Any, /) -> tuple[int, int]:  # noqa: ANN401
        """Return numbers of positions and of moves that the graph from a position has at least, told at once.

        A game that is larger than the limits of :func:`graphgame.explore` is then refused before it is explored.
        Positions that are the same by symmetry count once. By default nothing is known: 1 and 0.
        """
        return 1, 0

    def canonical(self, position: Any, /) -> Hashable:  # noqa: ANN401
        """Return the one position that stands for all that are the same by symmetry."""
        return position  # type: ignore[no-any-return]

    def rules_at(self, position: Any, /) -> Ruleset:  # noqa: ANN401
        """Return the rules of a position by itself: other ones where a game puts games side by side."""
        return self

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return the moves as statements about numbers, where a position is so many numbers; None where it is not.

        Proofs for positions of any size start from these; they must say the same as :meth:`options`, but leave out the
        moves that lose at once.
        """
        return None

    def declared_family(self, arguments: str) -> DeclaredMoves | None:
        """Return the declared moves of all rules whose arguments have a name in place of a number; None if not said.

        The name comes first in the moves, which leave it as it is.
        """
        return None

    def declared_turns(self) -> DeclaredTurns | None:
        """Return which coins may be turned together, where a position is a row of coins; None where it is not."""
        return None

    def value_array(self, shape: Sequence[int], misere: bool) -> np.ndarray | None:
        """Return the values of the positions whose numbers are below those of a shape, where they take no graph.

        By default None. -1 stands where numbers are no position, -3 for a loony one; under misère play a position
        without moves has value 1.
        """
        return None

    def values_at(self, numbers: Sequence[np.ndarray]) -> np.ndarray:
        """Return the values of positions whose numbers are given as arrays, to be broadcast, where a formula gives all.

        By default there is none. -1 stands where numbers are no position.
        """
        raise NotImplementedError

    def table_shape(self, position: Any, /) -> tuple[int, ...] | None:  # noqa: ANN401
        """Return the shape of a table that has a position and all that come after; None where it is no numbers."""
        whole = isinstance(position, tuple) and len(position) > 1 and all(type(number) is int for number in position)
        return tuple(number + 1 for number in position) if whole else None

    def lost_bits(self, shape: Sequence[int], misere: bool, progress: Progress | None) -> np.ndarray | None:
        """Return a bit for each of the same positions, set where it is P, as ``np.packbits(..., bitorder="little")``.

        By default None.
        """
        return None

    def mobility(self, position: Any, /) -> int:  # noqa: ANN401
        """Return about how many moves a position has, without writing them down: a search looks first where it is low.

        By default it is 0 everywhere, and a search looks at options in the order of :meth:`options`.
        """
        return 0

    def parse(self, text: str) -> Hashable:
        """Return the position that a text names: by default an integer, integers between commas, or the text.

        Integers may stand in parentheses, as in ``(1,2)``.

        A ruleset for several heaps or boards at once returns their :class:`Sum`.

        Raises
        ------
        ParseError
            The text names no position; says the column in the text, from 1.
        """
        inner = text.strip()
        inner = inner[1:-1] if inner.startswith("(") and inner.endswith(")") else text
        parts = [part.strip() for part in inner.split(",")]
        if not all(part.lstrip("-").isdecimal() and part.isascii() and len(part) < 4000 for part in parts):
            return text
        numbers = tuple(map(int, parts))
        return numbers if len(numbers) > 1 else numbers[0]

    def format(self, position: Any, /) -> str:  # noqa: ANN401
        """Return the text of a position; the inverse of :meth:`parse`."""
        return ",".join(map(str, position)) if isinstance(position, tuple) else str(position)

    def term(self, name: str, position: Any) -> str:  # noqa: ANN401
        """Return a position in the notation of sums, where the rules are called by a name."""
        arguments = f"{{{self.arguments}}}" if self.arguments else ""
        return f"{name}{arguments}({self.format(position)})"

    def board(self, position: Any, /) -> str:  # noqa: ANN401
        """Return a drawing of a position in text, perhaps several lines; by default its text."""
        return self.format(position)

    def picture(self, position: Any, /) -> Picture | None:  # noqa: ANN401
        """Return what a position looks like, and is played on: by default its board in text, if it has one.

        The kinds of its cells are those of ``cells``; without these each character is a note.
        """
        text = self.board(position)
        if self.cells:
            return grid(text, self.cells)
        return characters(text) if text != self.format(position) else None

    def sum_picture(self, parts: Sequence[Any]) -> Picture | None:
        """Return what several positions look like together: by default side by side."""
        return beside(map(self.picture, parts))

    def ways(self, position: Any, /) -> Iterable[Way] | None:  # noqa: ANN401
        """Return the ways to make each move on the picture; None, by default, where the pictures tell them."""
        return None

    def symmetry_map(self, position: Any, /) -> SymmetryMap | None:  # noqa: ANN401
        """Return how the canonical position lies in this one; None, by default, where the pictures tell it."""
        return None


class Bounded(Ruleset):
    """Rules with a bound ``most``, 1 or more, which stands between the braces; ``bound`` says what it is."""

    bound: str

    def __init__(self, most: int) -> None:
        if most < 1:
            raise ParameterError("invalid most {most}: expected 1 or more", most)
        self.most = most
        self.arguments = str(most)

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for a bound."""
        return cls(integer(text, what=cls.bound, least=1))


_DECISIONS = {None: 0, "P": -2, "N": -3}
"""The codes of what :meth:`Ruleset.decided` says; see :attr:`GameGraph.decided`."""


def decision(ruleset: Ruleset, position: Hashable) -> int:
    """Return the code of what rules decide about a position, 0 where play goes on.

    Raises
    ------
    RulesetError
        The method fails, or returns anything but "P", "N" and None.
    """
    with blamed(type(ruleset).__name__, Message("the decision"), position, method=ruleset.decided):
        said = ruleset.decided(position)
        if said not in _DECISIONS:
            raise ValueError(Message("{said!r} is returned: expected 'P', 'N' or None", said))
        return _DECISIONS[said]


def told_value(ruleset: Ruleset, position: Hashable) -> Value | None:
    """Return the value of a decided position, or that of the closed form, if there is one."""
    if ruleset.decides and (code := decision(ruleset, position)):
        return Decisive.SUNNY if code == _DECISIONS["P"] else Decisive.LOONY
    return ruleset.closed_form(position)


def tells(ruleset: Ruleset, method: str) -> bool:
    """Tell whether rules have a method of their own in place of the default."""
    return getattr(type(ruleset), method) is not getattr(Ruleset, method)
