"""Sets of cells as masks, in which bit c stands for cell c; their images under symmetries, and those of boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import product
from operator import or_

from graphgame.errors import Message, RulesetError

_MOST_SYMMETRIES = 256

Permutation = tuple[int, ...]
"""The mask of the image of each cell; 0 where a cell has none."""


def bits(mask: int) -> Iterator[int]:
    """Yield the places of the ones of a mask.

    Examples
    --------
    >>> list(bits(0b1011))
    [0, 1, 3]
    """
    while mask:
        low = mask & -mask
        mask ^= low
        yield low.bit_length() - 1


def union(masks: Sequence[int], which: int) -> int:
    """Return the union of some masks: of those whose numbers are the ones of another mask."""
    return reduce(or_, (masks[place] for place in bits(which)), 0)


def image_tables(images: Permutation) -> list[Permutation]:
    """Return the images of each byte of a mask, for :func:`image_of`."""
    return [
        tuple(sum(images[start + place] for place in bits(byte) if start + place < len(images)) for byte in range(256))
        for start in range(0, len(images), 8)
    ]


def image_of(mask: int, tables: list[Permutation]) -> int:
    """Return the image of a mask, byte by byte.

    Examples
    --------
    >>> bin(image_of(0b011, image_tables((4, 2, 1))))
    '0b110'
    """
    image = 0
    for table in tables:
        image |= table[mask & 255]
        mask >>= 8
    return image


def turned(shape: str) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield the cells of a shape, turned and reflected in all ways."""
    cells = [
        (row, column) for row, line in enumerate(shape.split("/")) for column, mark in enumerate(line) if mark == "o"
    ]
    if not cells:
        raise RulesetError("the shape {shape!r} covers no cell: expected rows of o and ., with / between them", shape)
    for swapped, down, right in product((False, True), (1, -1), (1, -1)):
        turned = [(down * b, right * a) if swapped else (down * a, right * b) for a, b in cells]
        top, left = min(row for row, _ in turned), min(column for _, column in turned)
        yield tuple(sorted((row - top, column - left) for row, column in turned))


def closed(symmetries: Iterable[Sequence[int]], cells: int) -> list[tuple[int, ...]]:
    """Return the permutations that some make one after another, but the identity."""
    identity, makers = tuple(range(cells)), list[tuple[int, ...]]()
    found = {identity: None}
    for each in map(tuple, symmetries):
        if sorted(each) != [*identity]:
            raise ValueError(Message("invalid symmetries: expected permutations of 0..{cells}", cells - 1))
        if each in found:
            continue
        makers.append(each)
        reached = [*found]
        for made in reached:
            new = [after for maker in makers if (after := tuple(maker[cell] for cell in made)) not in found]
            found.update(dict.fromkeys(new))
            reached += new
            if len(found) > _MOST_SYMMETRIES:
                raise ValueError(Message("invalid symmetries: together they make more than {most}", _MOST_SYMMETRIES))
    return [each for each in found if each != identity]


def grid_symmetries(rows: int, columns: int, layers: int = 1) -> Iterator[Permutation]:
    """Yield the turns and reflections but the identity; those that swap rows and columns are for a square corner.

    Each square has one cell, or several that follow one another.
    """
    side = min(rows, columns)
    for swapped, down, right in product((False, True), (False, True), (False, True)):
        if swapped or down or right:
            images = []
            for row, column, layer in product(range(rows), range(columns), range(layers)):
                a, b = (column, row) if swapped else (row, column)
                a, b = rows - 1 - a if down else a, columns - 1 - b if right else b
                inside = not swapped or max(row, column) < side
                images.append(1 << (a * columns + b) * layers + layer if inside else 0)
            yield tuple(images)


def one_after_another(first: Permutation, second: Permutation) -> Permutation:
    """Return what two symmetries do, one after another."""
    return tuple(image and second[image.bit_length() - 1] for image in first)


def from_the_middle(squares: Iterable[int], rows: int, columns: int) -> tuple[bool, int]:
    """Return what is least for the moves that cut a board in two: across it, in its middle."""
    places = [divmod(square, columns) for square in squares]
    heights, widths = ([place[axis] for place in places] for axis in (0, 1))
    (long, sides), (short, _) = (
        ((widths, columns), (heights, rows)) if columns >= rows else ((heights, rows), (widths, columns))
    )
    along = max(long) - min(long) > max(short) - min(short)
    centred, side = (short, min(rows, columns)) if along else (long, sides)
    return along, abs(max(centred) + min(centred) - side + 1)
