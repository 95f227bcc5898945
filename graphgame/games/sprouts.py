"""Sprouts: curves between spots, up to what the rules can tell apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from functools import lru_cache
from itertools import chain, product
from string import ascii_letters

from graphgame.errors import ParseError
from graphgame.rules.drawings import Drawing, Place, Way, circle
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Cell
from graphgame.rules.ruleset import Ruleset, sum_of

__all__ = ["Sprouts"]

_MOST = 30
_FEW = 3
_REMEMBERED = 1 << 16
_LIVES = {"0": 3, "1": 2, "2": 1} | dict.fromkeys(ascii_letters, 1)
_HIDDEN = str.maketrans(dict.fromkeys(ascii_letters, "~"))
_OVER = "!"

_HALVES = {"0": 6, "1": 4, "2": 2} | dict.fromkeys(ascii_letters, 1)
_FINE = 24

Boundary = tuple[int, ...]
Region = list[Boundary]
Lives = dict[int, int]


class Sprouts(Ruleset):
    """Sprouts: join two spots, or a spot to itself, by a curve that crosses nothing, and put a new spot on it.

    No more than three curves may end at a spot. ``sprouts(4)`` begins with 4 spots. Any position can be written as its
    regions between slashes, with ``!`` at the end: a region is its boundaries between dots, and a boundary is the
    spots that one meets on a walk along it. A spot is the number of curves at it, 0, 1 or 2; one with two curves
    that is met twice is a letter. ``sprouts(0.0.1a1a!)`` is what one move joining two of four spots leaves.

    Notes
    -----
    Spots with three curves and regions without a move are left out; regions that share no spot are components of a
    sum. A region may be reflected by itself, a walk may begin anywhere, a spot that is met twice running is written
    once, and in a region where three curves at most may still end its spots are one boundary: equal positions get
    one text as far as sorting finds it. Of n spots a game takes 2n to 3n - 1 moves. Conjecture, checked to 44 spots:
    the first player loses in normal play exactly when n mod 6 is 0, 1 or 2.

    References
    ----------
    D. Applegate, G. Jacobson, D. Sleator, Computer analysis of Sprouts, CMU-CS-91-144 (1991).
    J. Lemoine, S. Viennot, A further computer analysis of Sprouts (2007).

    Examples
    --------
    >>> list(Sprouts().options("0.0!"))
    ['1a1a!', '0.ab/ab!', '0.ab/ab!']
    """

    by_proof_numbers = True

    def options(self, position: str) -> Iterator[Hashable]:
        regions, lives = _read(position)
        spot, single = len(lives), _met_once(regions)
        for place, region in enumerate(regions):
            others = regions[:place] + regions[place + 1 :]
            for (start, end), new in _curves(lives, _alike(region, lives, single)):
                left = lives | {spot: 1}
                left[start[0][start[1]]] -= 1
                left[end[0][end[1]]] -= 1
                yield _position(others + new, left)

    def drawing(self, position: str) -> Drawing | None:
        """Return the regions side by side, the spots of each boundary in a circle, with the names that the text has."""
        regions, _ = _read(position)
        spots = iter(position.translate({ord(mark): None for mark in "./!"}))
        cells: list[Cell] = []
        places: list[Place] = []
        x = 0.0
        for region in regions:
            walks = [[(a * 0.75, b * 0.75) for a, b in circle(len(boundary))] for boundary in region]
            radii = [max(abs(number) for place in walk for number in place) for walk in walks]
            cells.append(Cell("region"))
            high = max(radii) + 0.9
            places.append((x - 0.9, -high, x + sum(2 * radius + 1.3 for radius in radii) - 0.4, high))
            for walk, radius in zip(walks, radii, strict=True):
                ring = [(x + radius + a, b) for a, b in walk]
                if len(ring) > 1:
                    cells += [Cell("edge")] * len(ring)
                    places += [(*a, *b, len(ring) == 2) for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)]
                cells += [Cell("vertex", next(spots)) for _ in ring]
                places += ring
                x += 2 * radius + 1.3
            x += 1.4
        return Drawing(tuple(cells), tuple(places))

    def ways(self, position: str) -> Iterator[Way]:
        """Return for every two places of a region the curves that may join them; the board is drawn anew."""
        regions, lives = _read(position)
        board, spot = self.drawing(position), len(lives)
        at = (number for number, cell in enumerate(board.cells) if cell.kind == "vertex") if board else iter(())
        touching = [[[next(at) for _ in boundary] for boundary in region] for region in regions]
        for place, region in enumerate(regions):
            others = regions[:place] + regions[place + 1 :]
            numbers = {id(boundary): cells for boundary, cells in zip(region, touching[place], strict=True)}
            for (start, end), new in _curves(lives, [[boundary] for boundary in region]):
                left = lives | {spot: 1}
                left[start[0][start[1]]] -= 1
                left[end[0][end[1]]] -= 1
                touched = dict.fromkeys(numbers[id(boundary)][index] for boundary, index in (start, end))
                yield Way(_position(others + new, left), None, tuple(touched))

    def mobility(self, position: str) -> int:
        """Return the lives that are left, which tell how long play lasts; among equals, about how many moves there are.

        The lives of spots that are met twice count half at each place.
        """
        halves = sum(_HALVES.get(character, 0) for character in position)
        return (halves // 2 << _FINE) + min(sum(map(_about_moves, position.rstrip(_OVER).split("/"))), (1 << _FINE) - 1)

    def parse(self, text: str) -> Hashable:
        """Return the position of as many spots as a number says, or the one that is written out, ending in ``!``."""
        written = text.strip()
        if not written.endswith(_OVER):
            spots = integer(text, what="the number of spots", most=_MOST)
            return _position([[(spot,) for spot in range(spots)]], dict.fromkeys(range(spots), 3))
        _check(written[:-1], len(text) - len(text.lstrip()) + 1)
        return _position(*_read(written))


@lru_cache(_REMEMBERED)
def _about_moves(region: str) -> int:
    """Return about how many moves a region has: two boundaries joined, or one that parts the others in two."""
    sizes = [*map(len, region.split("."))]
    whole, squares = sum(sizes), sum(size * size for size in sizes)
    return (whole * whole - squares + (squares << len(sizes) - 1)) // 2


def _met_once(regions: list[Region]) -> set[int]:
    met = Counter(spot for region in regions for boundary in region for spot in boundary)
    return {spot for spot, count in met.items() if count == 1}


End = tuple[Boundary, int]


def _curves(lives: Lives, alike: list[Region]) -> Iterator[tuple[tuple[End, End], list[Region]]]:
    """Yield the two ends of each curve that may be drawn in a region, and the regions that it leaves there.

    The region is given by groups of boundaries that are alike, of each of which one or two stand for all.
    """
    spot = len(lives)
    region = [boundary for group in alike for boundary in group]
    for place, (boundary, *twins) in enumerate(alike):
        rest = [*alike[:place], twins, *alike[place + 1 :]]
        for other in (group[0] for group in rest[place:] if group):
            others = [left for left in region if left is not boundary and left is not other]
            for i, j in product(range(len(boundary)), range(len(other))):
                joined = (*_opened(boundary, i, lives), spot, *_opened(other, j, lives), spot)
                yield ((boundary, i), (other, j)), [[*others, joined]]
        for i, start in enumerate(boundary):
            for j in range(i, len(boundary)):
                if lives[start] < 2 if i == j else boundary[j] == start:
                    continue
                inner = (*boundary[i : j + 1], spot)
                outer = _opened(boundary, i, lives) if i == j else boundary[j:] + boundary[: i + 1]
                for counts in product(*(range(len(group) + 1) for group in rest)):
                    pairs = list(zip(rest, counts, strict=True))
                    within = [other for group, count in pairs for other in group[:count]]
                    without = [other for group, count in pairs for other in group[count:]]
                    yield ((boundary, i), (boundary, j)), [[*within, inner], [*without, (*outer, spot)]]


def _alike(region: Region, lives: Lives, single: set[int]) -> list[Region]:
    """Group the boundaries that differ in nothing but the names of spots that are met nowhere else."""
    groups: dict[tuple[object, ...], Region] = {}
    for boundary in region:
        kind = tuple(map(lives.__getitem__, boundary)) if single.issuperset(boundary) else ("", *boundary)
        groups.setdefault(kind, []).append(boundary)
    return list(groups.values())


def _opened(boundary: Boundary, place: int, lives: Lives) -> Boundary:
    """Return a walk along a whole boundary from one place back to it; a spot without curves is met once."""
    walk = boundary[place:] + boundary[:place]
    return walk if lives[walk[0]] == 3 else (*walk, walk[0])


def _position(regions: list[Region], lives: Lives) -> Hashable:
    return sum_of((_settled(_text(land, lives)) for land in _lands(_living(regions, lives))), _OVER)


def _living(regions: list[Region], lives: Lives) -> Iterator[Region]:
    """Yield the regions that have a move, without dead spots.

    With three lives or fewer it does not matter how the spots are connected.
    """
    for region in regions:
        boundaries = [tuple([spot for spot in boundary if lives[spot]]) for boundary in region]
        spots = set(chain.from_iterable(boundaries))
        left = sum(lives[spot] for spot in spots)
        if left > _FEW:
            yield [_merged(boundary) for boundary in boundaries if boundary]
        elif left > 1:
            yield [tuple(sorted(spots))]


def _merged(boundary: Boundary) -> Boundary:
    """Return a boundary where a spot that is met twice running is met once: both sides of it are the same side."""
    kept = tuple([spot for spot, last in zip(boundary, (boundary[-1], *boundary), strict=False) if spot != last])
    return kept or boundary[:1]


def _lands(regions: Iterator[Region]) -> list[list[Region]]:
    """Group the regions that share spots, directly or not, in the order in which they come."""
    lands: list[tuple[set[int], list[tuple[int, Region]]]] = []
    for place, region in enumerate(regions):
        spots, land = set(chain.from_iterable(region)), [(place, region)]
        apart = []
        for other_spots, other in lands:
            if spots.isdisjoint(other_spots):
                apart.append((other_spots, other))
            else:
                spots, land = spots | other_spots, other + land
        lands = [*apart, (spots, land)]
    return [[region for _, region in sorted(land)] for _, land in lands]


def _text(land: list[Region], lives: Lives) -> str:
    met = Counter(spot for region in land for boundary in region for spot in boundary)
    letters = iter(ascii_letters)
    names = {spot: next(letters) if count > 1 else str(3 - lives[spot]) for spot, count in met.items()}
    return "/".join(".".join("".join([names[spot] for spot in boundary]) for boundary in region) for region in land)


def _read(position: str) -> tuple[list[Region], Lives]:
    """Return the regions of a text, and the lives of the spots, which are numbered as they come."""
    numbers: dict[str, int] = {}
    lives: Lives = {}

    def number(character: str) -> int:
        spot = numbers.get(character, len(lives))
        lives[spot] = _LIVES[character]
        if character.isalpha():
            numbers[character] = spot
        return spot

    regions = [
        [tuple([number(character) for character in boundary]) for boundary in region.split(".")]
        for region in position.rstrip(_OVER).split("/")
    ]
    return (regions if lives else []), lives


@lru_cache(_REMEMBERED)
def _settled(text: str) -> str:
    """Return the text that sorting leads to; the least where it goes round in a circle."""
    seen: dict[str, None] = {}
    while text not in seen:
        seen[text] = None
        text = _sorted(text)
    visited = list(seen)
    return min(visited[visited.index(text) :]) + _OVER


def _sorted(text: str) -> str:
    """Return the regions, boundaries and spots in order, and the letters named as they come."""
    regions = sorted(map(_least, text.split("/")), key=_rank)
    letters = iter(ascii_letters)
    names: dict[int, str] = {}
    text = "/".join(regions)
    for character in text:
        if character.isalpha() and ord(character) not in names:
            names[ord(character)] = next(letters)
    return text.translate(names)


@lru_cache(_REMEMBERED)
def _least(region: str) -> str:
    """Return a region or its reflection, each boundary from where it is least."""
    turned = ((_turned(boundary), _turned(boundary[::-1])) for boundary in region.split("."))
    return min((".".join(sorted(side, key=_rank)) for side in zip(*turned, strict=True)), key=_rank)


def _turned(boundary: str) -> str:
    return min((boundary[place:] + boundary[:place] for place in range(len(boundary))), key=_rank)


def _rank(text: str) -> tuple[str, str]:
    return text.translate(_HIDDEN), text


def _check(text: str, column: int) -> None:
    """Raise a ParseError where a written position is not one."""
    met = Counter(text)
    for region, start in fields(text, "/") if text else ():
        for boundary, place in fields(region, "."):
            if not boundary:
                raise ParseError("expected the spots of a boundary: 0, 1, 2 or letters", column=column + start + place)
            for shift, character in enumerate(boundary, column + start + place):
                if character not in _LIVES:
                    raise ParseError(f"unknown spot {character!r}: expected 0, 1, 2 or a letter", column=shift)
                if character == "0" and len(boundary) > 1:
                    raise ParseError("a spot without curves is a boundary of its own", column=shift)
                if character.isalpha() and met[character] != 2:
                    raise ParseError(f"the spot {character} comes {met[character]} times: expected 2", column=shift)
