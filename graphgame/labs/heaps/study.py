"""Study the values of a heap game: statistics, plots, and a comparison of two games.

:func:`same_moves` proves from the moves that heap n of one game has the value of heap n + s of another game, for all n.
The proof:

1. Suppose that a move leaves several heaps, and some of them, small ones, have the nim-sum 0. A move that takes these
   small heaps as well leaves the same value. So adding all such moves to a game (extending it) changes no value.
2. Assume that the values of both games agree up to heap k: the largest amount of their moves, or 3 in Couples are
   Forever. No move takes a heap above k whole.
3. Assume that each game, extended, has all moves of the other game that leave a heap. Then, by induction, the options
   of each heap above k have the same values in both games.

The standard forms and first cousins of Guy and Smith are special cases.

References
----------
R. K. Guy, C. A. B. Smith, The G-values of various games, Proc. Cambridge Philosophical Society 52 (1956).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import inf, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.compiled.engine import Engine
from graphgame.drawing.style import Theme, ink_on
from graphgame.errors import FormatError, Message, ParameterError, checks_parameters, is_integer, wrong_value
from graphgame.io.files import PathLike
from graphgame.labs.heaps.games import game as named
from graphgame.labs.heaps.loops import Moves
from graphgame.labs.heaps.periods import PeriodCertificate, period_phrase
from graphgame.labs.heaps.rules import TakeAndBreak
from graphgame.labs.heaps.sparse import SparseSpace, choose_space, count_each, in_blocks
from graphgame.labs.heaps.storage import PackedValues
from graphgame.labs.layouts.plots import counted_mark, draw_points, legend_mark, themed_figure, value_colors
from graphgame.labs.layouts.shapes import pixels, scale_pixels
from graphgame.registry import dir_of
from graphgame.text.languages import amount, render, translate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from graphgame.labs.heaps.heapgame import HeapGame
    from graphgame.labs.heaps.storage import HeapValues


__all__ = [
    "Comparison",
    "HeapStatistics",
    "compare",
    "histogram",
    "p_heaps",
    "rare_heaps",
    "records",
    "sparse_space",
    "statistics",
]
__dir__ = dir_of(__name__)


Leaves = dict[int, int]
"""The moves of a game: amount -> a number whose bit k is 1 if the rest may be left as k heaps."""


def same_moves(a: HeapGame | str, b: HeapGame | str, shift: int = 0) -> bool:
    """Return whether the moves prove that g_a(n) = g_b(n + shift) for every heap n >= 0 with n + shift >= 0.

    True is a proof. False proves nothing: the values may agree for other reasons. If a game restricts the sizes of
    heaps, or its rules are not :class:`graphgame.labs.heaps.rules.TakeAndBreak`, the result is True only if ``shift``
    is 0 and the rules are equal. Rules with a Python function are equal only if it is the same function object; each
    call of ``game("take{odd}")`` makes a new one.

    The time is O(k**2 h v), where k is the largest amount, h the most heaps that a move leaves, and v the number of
    different values, plus the time to compute the values of the heaps up to k.

    Examples
    --------
    >>> from graphgame import heaps
    >>> same_moves(heaps.octal("0.137"), heaps.octal("0.07"), 1), same_moves(heaps.octal("0.26"), heaps.octal("0.27"))
    (True, True)
    >>> same_moves(heaps.octal("0.56"), heaps.octal("0.561")), same_moves(heaps.octal("0.06"), heaps.octal("0.27"))
    (True, False)
    """
    if not is_integer(shift, -inf):
        raise wrong_value("shift", shift, Message("an integer"))
    if shift < 0:
        return same_moves(b, a, -shift)
    a, b = named(a), named(b)
    first, second = a.rules, b.rules
    if shift == 0 and first == second:
        return True
    if not isinstance(first, TakeAndBreak) or not isinstance(second, TakeAndBreak):
        return False
    # Heaps of the second game up to ``shift`` may be dropped from sums only if their value is 0.
    if first.kind or second.kind or b.grundy_values(shift, method="dense").any():
        return False
    moves, shifted = first.leaves, _shifted(second.leaves, shift) if shift else second.leaves
    parts = _most_parts(moves)
    if parts != _most_parts(shifted):
        return False
    # Step 2 of the proof in the module's docstring: compare the values of small heaps.
    largest = max([*moves, *shifted, first.least, second.least])
    values = a.grundy_values(largest, method="dense")
    if not np.array_equal(values, b.grundy_values(largest + shift, method="dense")[shift:]):
        return False
    # Step 3: extend both games by the moves of step 1, and compare the moves. Only moves that leave a heap count. So an
    # added move takes at most parts - 1 small heaps of nim-sum 0.
    vanishing = _vanishing(values.tolist(), parts - 1)
    return _within(moves, _extended(shifted, vanishing)) and _within(shifted, _extended(moves, vanishing))


def _most_parts(leaves: Leaves) -> int:
    return max(leaves.values(), default=1).bit_length() - 1


def _shifted(leaves: Leaves, shift: int) -> Leaves:
    """Change the moves of a game so that heap n has the value that heap n + ``shift`` had before; return the new moves.

    The old values of the heaps 0 to ``shift`` must be 0. Where an old move leaves a heap h, the new move leaves the
    heap h - ``shift``, or no heap if h is below ``shift``.
    """
    moves: defaultdict[int, int] = defaultdict(int)
    for k, bits in leaves.items():
        for parts in range(bits.bit_length()):
            if bits >> parts & 1:
                for small in range(parts + 1):
                    rest = parts - small
                    # ``gone`` is the total of the small heaps; each has a size of 1 to shift - 1.
                    for gone in range(small, small * (shift - 1) + 1):
                        # In the given game, a move takes k from heap n + shift, and leaves the small heaps and ``rest``
                        # larger ones. In the new game, this move takes ``taken`` from heap n, and leaves only the
                        # larger heaps, each less by ``shift``. Some may become 0, so 0 to ``rest`` heaps are left.
                        taken = k + gone + (rest - 1) * shift
                        moves[taken] |= (2 << rest) - 1
    return {k: bits for k, bits in moves.items() if k >= 0 and (k or bits & ~3)}


def _vanishing(values: list[int], most: int) -> list[tuple[int, int]]:
    """Return a pair (number of heaps, total size) for each collection of 1 to ``most`` heaps with nim-sum 0.

    ``values[n]`` is the value of heap n. Only collections with a total size below ``len(values)`` are tried.
    """
    pairs, sums = [], {(0, 0)}
    for parts in range(1, most + 1):
        # The total size and the nim-sum of each choice of ``parts`` heaps.
        sums = {(x + y, v ^ values[y]) for x, v in sums for y in range(1, len(values) - x)}
        pairs += [(parts, total) for total, value in sums if value == 0]
    return pairs


def _extended(leaves: Leaves, vanishing: list[tuple[int, int]]) -> Leaves:
    """Return extended moves: if a move may leave some heaps of nim-sum 0, add the move that takes these heaps, too.

    ``vanishing`` lists collections of heaps of nim-sum 0, as :func:`_vanishing` returns them.
    """
    moves = defaultdict(int, leaves)
    for k, bits in leaves.items():
        for parts, total in vanishing:
            moves[k + total] |= bits >> parts
    return moves


def _within(first: Leaves, second: Leaves) -> bool:
    """Return whether all moves of the first game that leave one or more heaps are also moves of the second game."""
    return all(bits & ~1 & ~second[k] == 0 for k, bits in first.items())


@dataclass(frozen=True)
class HeapStatistics:
    """Figures about the values of the heaps 0..n of a game.

    Attributes
    ----------
    game : str
    last_heap : int
        The largest heap n.
    maximum, maximum_heap : int
        The largest value, and the first heap that has it.
    distinct : int
        The number of distinct values.
    p_heaps, last_p_heap : int
        The number of heaps with value 0, including heap 0, and the largest of these heaps.
    records : int
        The number of heaps with a value above those of all smaller heaps; heap 0 counts.
    space : SparseSpace or None
        The sparse space with the fewest rare heaps; None if :func:`sparse_space` returns None.
    rares, last_rare : int or None
        The number of heaps with a rare value (heap 0 counts if its value is rare), and the largest of these heaps; None
        without a space. ``last_rare`` is also None if no value is rare.
    """

    game: str
    last_heap: int
    maximum: int
    maximum_heap: int
    distinct: int
    p_heaps: int
    last_p_heap: int
    records: int
    space: SparseSpace | None
    rares: int | None
    last_rare: int | None

    def record(self) -> dict[str, object]:
        """Return the figures as a dictionary for JSON."""
        return {**vars(self), "space": self.space and self.space._asdict()}


def statistics(game: HeapGame | str, values: HeapValues) -> HeapStatistics:
    """Return figures about the values of a game.

    Parameters
    ----------
    game : HeapGame or str
        A game, or its code or name for :func:`graphgame.heaps.game`.
    values : ndarray, shape (n + 1,), or PackedValues
        The values of the heaps 0..n.

    Raises
    ------
    ParameterError
        ``values`` is empty, has an entry that is not an integer of 0 or more, or does not begin with 0.

    Examples
    --------
    >>> from graphgame import heaps
    >>> kayles = heaps.octal("0.77")
    >>> found = statistics(kayles, kayles.grundy_values(1000))
    >>> found.maximum, found.maximum_heap, found.rares, found.last_rare
    (8, 27, 10, 70)
    """
    game, values = named(game), _checked(values)
    if not len(values) or values[:1].any():
        raise wrong_value("values", values, Message("an array with the values of the heaps 0, 1, ..."))
    space, zeros, highest = sparse_space(game, values), p_heaps(values), records(values)
    rares = None if space is None else space.rares(values)
    return HeapStatistics(
        game=game.name,
        last_heap=len(values) - 1,
        maximum=int(values.max()),
        maximum_heap=int(highest[-1]),
        distinct=int(np.count_nonzero(histogram(values))),
        p_heaps=len(zeros),
        last_p_heap=int(zeros[-1]),
        records=len(highest),
        space=space,
        rares=None if rares is None else len(rares),
        last_rare=None if rares is None or not len(rares) else int(rares[-1]),
    )


def histogram(values: HeapValues) -> Array:
    """Return an array whose entry v is the number of heaps with the value v.

    Examples
    --------
    >>> histogram(np.array([0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2], np.uint16)).tolist()
    [1, 3, 3, 2, 2]
    """
    values = _checked(values)
    return count_each(values, int(values.max(initial=0)) + 1)


def p_heaps(values: HeapValues) -> Array:
    """Return the heaps with value 0, including heap 0: the P-positions.

    Examples
    --------
    >>> p_heaps(np.array([0, 0, 1, 2, 0])).tolist()
    [0, 1, 4]
    """
    blocks = (np.flatnonzero(block == 0) + start for start, block in in_blocks(_checked(values)))
    return np.concatenate([np.zeros(0, np.int64), *blocks])


def records(values: HeapValues) -> Array:
    """Return heap 0 and each heap whose value is above the values of all smaller heaps.

    Examples
    --------
    >>> records(np.array([0, 1, 2, 3, 1, 4, 3])).tolist()
    [0, 1, 2, 3, 5]
    """
    blocks, most = [np.zeros(0, np.int64)], -1
    for start, block in in_blocks(_checked(values)):
        highest = np.maximum.accumulate(np.append(most, block))
        blocks.append(np.flatnonzero(highest[1:] > highest[:-1]) + start)
        most = int(highest[-1])
    return np.concatenate(blocks)


def sparse_space(game: HeapGame | str, values: HeapValues) -> SparseSpace | None:
    """Return the sparse space with the fewest rare heaps, or None.

    The result is None if no move splits a heap, if a move may leave three heaps or more, if there are no values, or if
    the rules are not :class:`graphgame.labs.heaps.rules.TakeAndBreak` (as in Lasker's Nim).

    Examples
    --------
    >>> from graphgame import heaps
    >>> officers = heaps.octal("officers")
    >>> bin(sparse_space(officers, officers.grundy_values(10_000)).mask)
    '0b11101110'
    """
    rules, values = named(game).rules, _checked(values)
    if not isinstance(rules, TakeAndBreak) or not len(values) or max(rules.leaves.values(), default=0) > 7:
        return None
    splitting = Moves.of(rules.leaves).splitting
    return choose_space(values, splitting) if len(splitting) else None


def _checked(values: HeapValues) -> HeapValues:
    """Return PackedValues as they are, and other values as an array.

    Raise a ParameterError if the values are not a sequence of integers of 0 or more.
    """
    if isinstance(values, PackedValues):
        return values
    array = np.asarray(values)
    if array.shape == (0,):
        return np.zeros(0, np.uint8)  # numpy makes an array of floats from an empty list
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array.dtype.kind == "i" and array.min(initial=0) < 0):
        raise wrong_value("values", values, Message("an array with the values of the heaps 0, 1, ..."))
    return array


def rare_heaps(game: HeapGame | str, values: HeapValues) -> Array:
    """Return the heaps with a rare value in the sparse space of :func:`sparse_space`; no heaps if that is None.

    Examples
    --------
    >>> from graphgame import heaps
    >>> kayles = heaps.octal("0.77")
    >>> rare_heaps(kayles, kayles.grundy_values(1000))[-3:].tolist()
    [34, 39, 70]
    """
    values = _checked(values)
    space = sparse_space(game, values)
    return np.zeros(0, np.int32) if space is None else space.rares(values)


@dataclass(frozen=True)
class Comparison:
    """The result of comparing the values of two games.

    Attributes
    ----------
    first, second : str
        The names of the games.
    last_heap : int
        The largest heap that was compared.
    first_difference : int or None
        The least heap that has different values in the two games; None if the compared values are equal.
    shift : int or None
        A number with g_first(n) = g_second(n + shift) for all n with n and n + shift from 0 to ``last_heap``: of all
        such numbers that were tried, the one nearest to 0, and the positive one if there are two. None if there are
        none.
    proof : {"moves", "periods"} or None
        What proves the equation of ``shift`` for all n; None if it is only observed, or if ``shift`` is None.
    """

    first: str
    second: str
    last_heap: int
    first_difference: int | None
    shift: int | None
    proof: str | None


@checks_parameters
def compare(
    a: HeapGame | str, b: HeapGame | str, n: int, *, most_shift: int = 8, engine: Engine = "auto"
) -> Comparison:
    """Compare the values of two games.

    Parameters
    ----------
    a, b : HeapGame or str
        Games, or their codes or names for :func:`graphgame.heaps.game`.
    n : int
        The largest heap to compare.
    most_shift : int
        The largest shift to try, in both directions.
    engine : {"auto", "plain", "compiled"}

    Raises
    ------
    ParameterError
        ``most_shift`` is negative or more than a quarter of n, or n is negative or too large.
    LimitError
        The heaps are too large for games with such rules.

    Notes
    -----
    Agreement for all heaps is proved from the moves (:func:`graphgame.heaps.study.same_moves`) or from proved
    periods p and q: sequences with these periods that agree on p + q heaps past the preperiods agree forever.

    Examples
    --------
    >>> from graphgame import heaps
    >>> compare(heaps.octal("0.137"), heaps.octal("0.07"), 1000)
    Comparison(first='octal{0.137}', second='octal{0.07}', last_heap=1000, first_difference=1, shift=1, proof='moves')
    """
    if n < 4 * most_shift:
        raise ParameterError(
            "invalid shift {most_shift!r}: expected 0..{n}, at most a quarter of the largest heap",
            most_shift,
            n // 4,
        )
    a, b = named(a), named(b)
    first, second = (game.grundy_values(n, engine=engine) for game in (a, b))
    different = np.flatnonzero(first != second)
    shifts = sorted(range(-most_shift, most_shift + 1), key=lambda shift: (abs(shift), -shift))
    shift = next((shift for shift in shifts if _agree(first, second, shift)), None)
    return Comparison(
        first=a.name,
        second=b.name,
        last_heap=n,
        first_difference=int(different[0]) if len(different) else None,
        shift=shift,
        proof=None if shift is None else _proof(a, b, shift, n, engine),
    )


def _agree(first: Array, second: Array, shift: int) -> bool:
    """Return whether ``first[n] == second[n + shift]`` wherever both indices exist; the arrays have the same length."""
    if shift < 0:
        return _agree(second, first, -shift)
    return bool(np.array_equal(first[: len(first) - shift], second[shift:]))


def _proof(a: HeapGame, b: HeapGame, shift: int, n: int, engine: Engine) -> str | None:
    """Return what proves g_a(m) = g_b(m + shift) for all m: "moves" or "periods"; None if neither does.

    The caller has checked this equation for all m with m and m + shift from 0 to n.
    """
    if same_moves(a, b, shift):
        return "moves"
    first, second = (game.period(n, engine=engine) for game in (a, b))
    if first is None or second is None:
        return None
    # By the theorem of Fine and Wilf, if values with the periods p and q agree on p + q heaps past both preperiods,
    # they agree on all later heaps.
    enough = max(first.preperiod, second.preperiod) + first.period + second.period
    return "periods" if enough + abs(shift) < n else None


_MOST_POINTS = 20_000
"""A sequence of more values than this is drawn as a density instead of points."""

_MOST_COLUMNS = 48
"""If the period is at most this, each row of a table has whole periods; otherwise see :func:`_columns`."""

_MOST_HEAPS_WRITTEN = 3000
"""A table of more values than this has no numbers in its cells."""

_MOST_CELLS = 1 << 22
"""The maximum number of cells of a table."""

_MOST_BANDS = 200
"""With at most this many periods in a plot, every second one is shaded; with more, all of them are."""

_RED_IN_THE_DARK = "#ff6b6b"
"""The colour of rare values in the dark theme."""


def plot_heaps(
    name: str,
    values: Array,
    path: PathLike,
    *,
    rares: Array | None = None,
    period: PeriodCertificate | None = None,
    theme: str = "light",
    title: str | None = None,
) -> None:
    """Draw the values of the heaps 0, 1, ... as points; if there are more than 20,000, draw their density.

    P-positions have the round mark that they have in pictures of graphs. The heaps ``rares``, which have a rare value,
    are triangles. If ``period`` is given, every second period is shaded, or all heaps from the preperiod on if there
    are more than 200 periods. The default ``title`` is the game's ``name``.
    """
    from matplotlib.lines import Line2D

    named = name if title is None else title
    words = f"{name}: {translate('heaps 0 to {last}', last=f'{len(values) - 1:,}')}"
    with themed_figure(path, (7.5, 4), theme, named, words) as (figure, colors):
        axes = figure.subplots()
        if period is not None:
            _shade(axes, period, len(values), colors)
        handles: list[Any] = []
        if len(values) > _MOST_POINTS:
            _draw_density(axes, values, colors)
        else:
            common = np.ones(len(values), np.bool_)
            if rares is not None:
                common[rares] = values[rares] == 0
            for mark in "NP":
                shown = (values == 0) == (mark == "P")
                size = _size(len(values)) * (1.5 if mark == "P" else 1)
                heaps = np.flatnonzero(shown & common)
                draw_points(axes, mark, heaps, values[heaps], size, colors)
                handles.append(legend_mark(mark, counted_mark(mark, int(np.count_nonzero(shown))), colors, size))
        if rares is not None and len(rares):
            label = translate("rare values ({count})", count=f"{len(rares):,}")
            look: dict[str, Any] = {"color": colors.token if theme != "dark" else _RED_IN_THE_DARK, "marker": "^"}
            axes.scatter(rares, values[rares], max(14, 1.6 * _size(len(values))), linewidths=0, **look)
            handles.append(Line2D([], [], linestyle="none", markersize=8, label=label, **look))
        edge = max(0.5, len(values) / 80) if len(values) <= _MOST_POINTS else 0.5
        axes.set(xlabel=translate("heap"), ylabel=translate("Grundy value"), xlim=(-edge, len(values) - 1 + edge))
        axes.locator_params(axis="y", integer=True)
        axes.set_title(named, parse_math=False)
        handles += axes.get_legend_handles_labels()[0][: len(axes.patches) > 0]
        if handles:
            figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False)


def plot_period(period: PeriodCertificate, path: PathLike, *, theme: str = "light", title: str | None = None) -> None:
    """Draw the values of a certificate, up to the end of the first period, as a table of coloured cells.

    If there are at most 3,000 values, each cell shows its value, and the exceptions are outlined. Raise a FormatError
    if there are more than 2**22 values. The default ``title`` names the game and the period.
    """
    if (count := len(period.values)) > _MOST_CELLS:
        raise FormatError(
            "a table of {count:,} values is too large for a picture: expected at most {most:,}", count, _MOST_CELLS
        )
    columns = _columns(period)
    rows = -(-count // columns)
    written = count <= _MOST_HEAPS_WRITTEN
    size = (0.42 * columns + 1.2, 0.32 * rows + 1.3) if written else (9, 9)
    description = f"{period.game}: {render(period_phrase(period))}"
    named = description if title is None else title
    if title is None and period.exceptions and written:
        named += "\n" + translate("{exceptions} outlined", exceptions=amount(len(period.exceptions), "exception"))
    with themed_figure(path, (max(size[0], 6), size[1]), theme, named, description) as (figure, colors):
        axes = figure.subplots()
        cells = _draw_cells(axes, period, columns, rows, colors)
        if written:
            _write_cells(axes, period, cells, colors)
            axes.set_xticks(range(columns), [f"+{column}" for column in range(columns)], fontsize=7)
            axes.set_yticks(range(rows), [str(row * columns) for row in range(rows)], fontsize=8)
        else:
            axes.yaxis.set_major_formatter(lambda row, _: f"{int(row) * columns:,}")
        axes.tick_params(length=0)
        axes.set_ylabel(translate("heap"))
        axes.set_title(named, parse_math=False, fontsize=10)


def _size(points: int) -> float:
    """Return the area of a marker, in square points, in a plot with this many markers."""
    return float(np.clip(20_000 / max(points, 1), 2, 30))


def _shade(axes: Axes, period: PeriodCertificate, heaps: int, theme: Theme) -> None:
    """Shade every second period in a plot of ``heaps`` heaps; if there are more than 200 periods, shade them all."""
    start, width = period.preperiod, period.period
    if start >= heaps:
        return
    label = translate("period {length} from heap {start}", length=f"{width:,}", start=f"{start:,}")
    if (heaps - start) / width > _MOST_BANDS:
        axes.axvspan(start - 0.5, heaps - 0.5, color=theme.fills[2], alpha=0.5, zorder=0, label=label)
        return
    for band in range(start, heaps, 2 * width):
        end = min(band + width, heaps)
        axes.axvspan(band - 0.5, end - 0.5, color=theme.fills[2], alpha=0.5, zorder=0, linewidth=0, label=label)
        label = "_"
    axes.axvline(start - 0.5, color=theme.outline, linewidth=0.8, linestyle="--")


def _draw_density(axes: Axes, values: Array, theme: Theme) -> None:
    """Draw a grid of heaps and values; the colour of a cell shows how many heaps it contains."""
    from matplotlib.colors import LogNorm

    highest = int(values.max()) + 1
    counts = np.zeros((min(highest, 300), 600))
    for block in np.array_split(np.arange(len(values)), -(-len(values) // (1 << 20))):
        column = block * counts.shape[1] // len(values)
        row = values[block].astype(np.int64) * counts.shape[0] // highest
        np.add.at(counts, (row, column), 1)
    shown = np.ma.masked_equal(counts, 0)
    extent = (-0.5, len(values) - 0.5, -0.5, highest - 0.5)
    image = axes.imshow(
        shown,
        origin="lower",
        aspect="auto",
        extent=extent,
        norm=LogNorm(),
        cmap=value_colors(theme),
        zorder=1,
        interpolation="nearest",
    )
    axes.figure.colorbar(image, ax=axes, label=translate("heaps per cell"), pad=0.01)


def _columns(period: PeriodCertificate) -> int:
    """Return the number of columns of the table that shows the values of a certificate.

    * Period up to 12: the most whole periods that fit in 12 columns.
    * Period 13 to 48: one period.
    * Period above 48, at most 3,000 values: 40 columns.
    * Period above 48, more values: whole periods that make the table roughly square, at least one.
    """
    if period.period <= _MOST_COLUMNS:
        return period.period * max(1, 12 // period.period)
    if (count := len(period.values)) <= _MOST_HEAPS_WRITTEN:
        return 40
    whole = max(1, round(sqrt(count) / period.period))
    return min(period.period * whole, count)


def _draw_cells(axes: Axes, period: PeriodCertificate, columns: int, rows: int, theme: Theme) -> np.ndarray:
    """Draw a table of the certificate's values as coloured cells; return the colours, an array (rows, columns, 3).

    The colour shows the size of the value; value 0 (a P-position) has a colour of its own.
    """
    values = np.zeros(rows * columns, np.int64)
    values[: len(period.values)] = period.values
    cells = scale_pixels(values / max(int(values.max()), 1), theme)
    cells[values == 0] = pixels(theme.fills[0])
    cells[len(period.values) :] = pixels(theme.paper)
    cells = cells.reshape(rows, columns, 3)
    axes.imshow(cells, aspect="auto", interpolation="nearest")
    return cells


def _write_cells(axes: Axes, period: PeriodCertificate, cells: np.ndarray, theme: Theme) -> None:
    """Write each value into its cell; outline the exceptions. ``cells`` are the colours from :func:`_draw_cells`."""
    from matplotlib.patches import Rectangle

    for heap, value in enumerate(period.values):
        row, column = divmod(heap, cells.shape[1])
        ink, weight = ink_on(f"#{cells[row, column].tobytes().hex()}"), "bold" if value == 0 else "normal"
        axes.text(column, row, str(value), ha="center", va="center", fontsize=8, color=ink, weight=weight)
        if heap in period.exceptions:
            outline: dict[str, Any] = {"fill": False, "color": theme.ink, "linewidth": 1.6}
            axes.add_patch(Rectangle((column - 0.44, row - 0.44), 0.88, 0.88, **outline))
