"""The types of values and answers: infinite and decisive values, moves, options, counts, and values by position."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from operator import xor
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from graphgame.errors import Message, ParameterError, TokenError

if TYPE_CHECKING:
    import numpy as np

    from graphgame.graph.labels import Labels

__all__ = [
    "Counts",
    "Decisive",
    "Loopy",
    "Move",
    "Numbered",
    "Option",
    "Options",
    "Outcome",
    "Value",
    "ValueCodes",
    "ValueCount",
    "VertexValues",
    "outcome_of",
    "refuse_misere_end",
    "refuse_misere_sum",
    "value_key",
]

V = TypeVar("V")
Outcome = Literal["P", "N", "D"]
"""Who wins: the previous player (P), the next player (N), or nobody (D, a draw)."""

_FIRST_CODE = -2


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Loopy:
    """An infinite value, inf(K), of a position in a loopy game; K is the set of the finite values of its options.

    Its sum with a number is infinite, inf(K) + n = inf({k xor n : k in K}); two infinite values have the sum inf().
    A position with the value inf(K) is an N-position if 0 is in K; otherwise it is a draw.

    Parameters
    ----------
    finite : iterable of int
        The set K.

    References
    ----------
    C. A. B. Smith, Graphs and composite games, Journal of Combinatorial Theory 1 (1966).

    Examples
    --------
    >>> Loopy({2, 0}), Loopy({0, 2}) ^ 3, Loopy({1}) ^ Loopy()
    (inf(0,2), inf(1,3), inf())
    >>> Loopy({0}).outcome, Loopy({1}).outcome
    ('N', 'D')
    """

    finite: frozenset[int]

    def __init__(self, finite: Iterable[int] = ()) -> None:
        object.__setattr__(self, "finite", frozenset(finite))

    def __str__(self) -> str:
        return f"inf({','.join(map(str, sorted(self.finite)))})"

    __repr__ = __str__

    def __xor__(self, other: int | Loopy) -> Loopy:
        if isinstance(other, Loopy):
            return Loopy()
        if not isinstance(other, int):
            return NotImplemented
        return Loopy(value ^ other for value in self.finite)

    __rxor__ = __xor__

    @property
    def outcome(self) -> Literal["N", "D"]:
        """Who wins: "N" (the next player) or "D" (a draw: nobody can force a win)."""
        return "N" if 0 in self.finite else "D"


class Decisive(Enum):
    """The value of a position that decides who wins any sum with it. Such a position has no Grundy value.

    SUNNY is the value of a position in which the player who just moved has won the whole sum, so it is a P-position.
    LOONY is the value of a position where the player to move wins the whole sum at once or has won it already, so it is
    an N-position. LOONY plus a number, an infinite value or LOONY is LOONY; SUNNY plus any value is SUNNY.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 12 (Games Eternal - Games Entailed).

    Examples
    --------
    >>> Decisive.LOONY ^ 3, 3 ^ Decisive.LOONY, Decisive.LOONY ^ Decisive.SUNNY, Decisive.LOONY.outcome
    (loony, loony, sunny, 'N')
    """

    SUNNY = "sunny"
    LOONY = "loony"

    def __str__(self) -> str:
        return self.value

    __repr__ = __str__

    def __bool__(self) -> bool:
        raise TypeError(
            Message("the value {kind} is not a number, so do not test it for 0: use its attribute outcome", self.value)
        )

    def __xor__(self, other: Value) -> Decisive:
        return Decisive.SUNNY if other is Decisive.SUNNY else self

    __rxor__ = __xor__

    @property
    def outcome(self) -> Literal["P", "N"]:
        """Who wins: "P" (the previous player) for SUNNY, "N" (the next player) for LOONY."""
        return "P" if self is Decisive.SUNNY else "N"


Value: TypeAlias = int | Loopy | Decisive
"""The value of a position: a Grundy value, or one that is not a number."""


def play_name(misere: bool) -> Literal["normal", "misere"]:
    """Return the name of a play convention in files and messages: "normal" or "misere"."""
    return "misere" if misere else "normal"


def refuse_misere_end(misere: bool, decides: bool) -> None:
    """Raise a ParameterError for misère play of a game with decided positions, at which the rules say who has won."""
    if misere and decides:
        raise ParameterError(
            "misère play has no meaning in this game: its rules say who wins as soon as a certain position is reached"
        )


def refuse_misere_sum(misere: bool) -> None:
    """Raise a TokenError if ``misere`` is set: misère values have no nim-sum."""
    if misere:
        raise TokenError(
            "under misère play a sum has no nim-sum, because misère values do not combine by xor: use winner"
        )


def outcome_of(value: Value) -> Outcome:
    """Return the outcome of a position with this value.

    Examples
    --------
    >>> outcome_of(0), outcome_of(3), outcome_of(Loopy()), outcome_of(Decisive.SUNNY)
    ('P', 'N', 'D', 'P')
    """
    if isinstance(value, (Loopy, Decisive)):
        return value.outcome
    return "N" if value else "P"


def value_key(value: Value) -> tuple[int, list[int]]:
    """Return a sort key: numbers come first, then infinite values by their sorted sets, then SUNNY and LOONY."""
    if isinstance(value, Decisive):
        return 2, [_DECISIVE.index(value)]
    return (1, sorted(value.finite)) if isinstance(value, Loopy) else (0, [value])


def sums_of_others(values: Sequence[Value]) -> Iterator[Value]:
    """Yield for each value the xor of all other values.

    An infinite or decisive value is not its own inverse, so it cannot be removed from the xor of all values.

    Examples
    --------
    >>> list(sums_of_others([3, 5, Loopy()]))
    [inf(), inf(), 6]
    """
    before = accumulate(values, xor, initial=0)
    after = list(accumulate(reversed(values), xor, initial=0))[:-1]
    return map(xor, before, reversed(after))


class ValueCodes:
    """The codes of values in integer arrays: a finite value is its own code, other values have the codes -2, -3, ...

    The code -1 means that there is no value.

    Parameters
    ----------
    kinds : iterable of Loopy or Decisive
        Different values, which have the codes -2, -3, ..., in this order; :meth:`encode` appends more.

    Examples
    --------
    >>> codes = ValueCodes([Loopy({0})])
    >>> codes.encode(Loopy()), codes.encode(7), codes.decode([-3, 7, -2])
    (-3, 7, [inf(), 7, inf(0)])
    """

    def __init__(self, kinds: Iterable[Loopy | Decisive] = ()) -> None:
        self._number = {kind: number for number, kind in enumerate(kinds)}
        self._kinds = list(self._number)

    def __len__(self) -> int:
        return len(self._kinds)

    def __iter__(self) -> Iterator[Loopy | Decisive]:
        return iter(self._kinds)

    @classmethod
    def of_graph(cls, decided: np.ndarray | None) -> ValueCodes:
        """Return the codes for a graph with the array ``decided``: SUNNY and LOONY have codes unless it is None."""
        return cls(() if decided is None else _DECISIVE)

    def encode(self, value: Value) -> int:
        """Return the code of a value; an infinite or decisive value without a code gets the next one."""
        if isinstance(value, int):
            return value
        number = self._number.setdefault(value, len(self._kinds))
        if number == len(self._kinds):
            self._kinds.append(value)
        return _FIRST_CODE - number

    def decode(self, codes: Sequence[int]) -> list[Value]:
        """Return the values with these codes, none of which may be -1."""
        return [code if code >= 0 else self._kinds[_FIRST_CODE - code] for code in codes]

    def outcomes(self, codes: np.ndarray) -> np.ndarray:
        """Return an array with the outcome of each code, "P", "N" or "D"; no code may be -1.

        Examples
        --------
        >>> import numpy as np
        >>> ValueCodes(Decisive).outcomes(np.array([0, 3, -2, -3])).tolist()
        ['P', 'N', 'P', 'N']
        """
        import numpy as np

        outcomes: np.ndarray = np.where(codes == 0, "P", "N")
        if self._kinds:
            negative = codes < 0
            outcomes[negative] = np.array([outcome_of(kind) for kind in self._kinds])[_FIRST_CODE - codes[negative]]
        return outcomes


_DECISIVE = (Decisive.SUNNY, Decisive.LOONY)
"""The decisive values in the order of their codes -2 and -3, which :mod:`graphgame.graph` defines."""


class Move(NamedTuple):
    """A move in a sum: it takes the component with index ``component`` from ``start`` to ``end``."""

    component: int
    start: Hashable
    end: Hashable


class Option(NamedTuple):
    """An option of a position, or a part of a sum: its position, its value (int, Loopy or Decisive) and its outcome."""

    position: Hashable
    grundy: Any
    outcome: str


@dataclass(frozen=True, slots=True)
class ValueCount:
    """The number of vertices with some value, such as a birthday, and the first of these vertices."""

    count: int
    example: Hashable


class Counts(NamedTuple):
    """The size of a game: how many positions and moves it has, and how many positions have each outcome and each value.

    Sum vertices and the edges to their parts are not counted. ``histogram`` maps each value to a :class:`ValueCount`;
    finite values come first, in increasing order.
    """

    positions: int
    moves: int
    p_positions: int
    n_positions: int
    histogram: dict[Any, ValueCount]
    d_positions: int = 0


class Numbered(Protocol):
    """What a graph and the solution of a graph on disk have in common: positions with vertex numbers."""

    @property
    def labels(self) -> Labels:
        """The positions in the order of their vertex numbers."""

    def number_of(self, position: Hashable, /) -> int:
        """Return the vertex number of a position; raise an UnknownPositionError if there is no such position."""


class VertexValues(Mapping[Hashable, V], Generic[V]):
    """A read-only mapping position -> value; its attribute ``array`` has the values in the order of vertex numbers.

    If there is a function ``decode``, the array has codes, and ``decode`` turns a list of codes into a list of values.
    """

    def __init__(
        self, graph: Numbered, array: np.ndarray, decode: Callable[[Sequence[int]], list[Any]] | None = None
    ) -> None:
        self._graph = graph
        self._decode = decode
        self.array = array.view()
        self.array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._graph.labels)

    def __contains__(self, position: object) -> bool:
        return position in self._graph.labels

    def __getitem__(self, position: Hashable) -> V:
        return self.take([self._graph.number_of(position)])[0]

    def take(self, numbers: np.ndarray | slice | list[int]) -> list[V]:
        """Return the list of the values for these vertex numbers."""
        entries = self.array[numbers].tolist()
        return entries if self._decode is None else self._decode(entries)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        import numpy as np

        return np.array(self.array, dtype=dtype, copy=True if copy else None)  # type: ignore[call-overload,no-any-return]

    def __repr__(self) -> str:
        shown = ", ".join(f"{position!r}: {value!r}" for position, value in zip(self, self.take(slice(10))))  # noqa: B905
        return f"{{{shown}{', ...' if len(self) > 10 else ''}}}"


class Options(list[Option]):
    """The options of a position, or the parts of a sum, and how the value follows from their values.

    Attributes
    ----------
    kind : {"position", "sum"}
    value : int, Loopy or Decisive
        The value of the position or the sum itself.
    derivation : str
        How the value follows, such as ``mex{0, 1, 3} = 2`` or ``3 xor 5 = 6``.
    """

    def __init__(self, options: Iterable[Option], kind: str, value: Value, misere: bool) -> None:
        super().__init__(options)
        self.kind = kind
        self.value: Any = value
        self._misere = misere

    @property
    def derivation(self) -> str:  # noqa: D102
        values = [option.grundy for option in self]
        if self.kind == "sum" and self._misere:
            return Message(
                "the value {value} comes from the explicit graph of the sum: misère values do not combine by xor",
                self.value,
            )
        if isinstance(self.value, Decisive):
            if self.kind == "sum":
                return Message("a part of the sum has the value {value}", self.value)
            if values:
                return Message("an option of the position is sunny, so the position is loony")
            if self.value.outcome == "P":
                return Message("play is over: the player who just moved has won")
            return Message("play is over: the player who just moved has lost")
        if self.kind == "sum":
            return f"{' xor '.join(map(str, values)) or 'empty sum'} = {self.value}"
        if not values and self.value:
            return Message("a position without options has the value {value} in misère play", self.value)
        finite = f"{{{', '.join(map(str, sorted({value for value in values if isinstance(value, int)})))}}}"
        if isinstance(self.value, Loopy):
            return Message(
                "the position has no finite value; the finite values of its options are {finite}, so its "
                "value is {value}",
                finite,
                self.value,
            )
        return f"mex{finite} = {self.value}"

    def __repr__(self) -> str:
        return f"{super().__repr__()}: {self.derivation}"
