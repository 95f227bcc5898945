"""Sprouts: curves between spots, up to what the rules can tell apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from functools import lru_cache
from itertools import chain, product
from string import ascii_letters

from graphgame.errors import ParseError
from graphgame.games.fields import fields
from graphgame.games.heap import integer
from graphgame.ruleset import Ruleset, Sum

__all__ = ["Sprouts"]

_MOST = 10
_REMEMBERED = 1 << 16
_LIVES = {"0": 3, "1": 2, "2": 1} | dict.fromkeys(ascii_letters, 1)
_HIDDEN = str.maketrans(dict.fromkeys(ascii_letters, "~"))
_OVER = "!"

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
    sum. A region may be reflected by itself, a walk may begin anywhere: equal positions get one text as far
    as sorting finds it. Of n spots a game takes 2n to 3n - 1 moves. Conjecture, checked to 44 spots: the
    first player loses in normal play exactly when n mod 6 is 0, 1 or 2.

    References
    ----------
    D. Applegate, G. Jacobson, D. Sleator, Computer analysis of Sprouts, CMU-CS-91-144 (1991).
    J. Lemoine, S. Viennot, A further computer analysis of Sprouts (2007).

    Examples
    --------
    >>> list(Sprouts().options("0.0!"))
    ['1a1a!', '0.ab/ab!', '0.ab/ab!', ...]
    """

    def options(self, position: str) -> Iterator[Hashable]:
        """Return what each curve leaves."""
        regions, lives = _read(position)
        spot = len(lives)
        for place, region in enumerate(regions):
            others = regions[:place] + regions[place + 1 :]
            for ends, new in _curves(region, lives, spot):
                left = lives | {spot: 1}
                for end in ends:
                    left[end] -= 1
                yield _position(others + new, left)

    def parse(self, text: str) -> Hashable:
        """Return the position of as many spots as a number says, or the one that is written out, ending in ``!``."""
        written = text.strip()
        if not written.endswith(_OVER):
            spots = integer(text, what="the number of spots", most=_MOST)
            return _position([[(spot,) for spot in range(spots)]], dict.fromkeys(range(spots), 3))
        _check(written[:-1], len(text) - len(text.lstrip()) + 1)
        return _position(*_read(written))


def _curves(region: Region, lives: Lives, spot: int) -> Iterator[tuple[tuple[int, int], list[Region]]]:
    """Yield the two ends of each curve that may be drawn in a region, and the regions that it leaves there."""
    for first, boundary in enumerate(region):
        rest = region[:first] + region[first + 1 :]
        for second in range(first + 1, len(region)):
            others = rest[: second - 1] + rest[second:]
            for i, j in product(range(len(boundary)), range(len(region[second]))):
                joined = (*_opened(boundary, i, lives), spot, *_opened(region[second], j, lives), spot)
                yield (boundary[i], region[second][j]), [[*others, joined]]
        for i, start in enumerate(boundary):
            for j in range(i, len(boundary)):
                if lives[start] < 2 if i == j else boundary[j] == start:
                    continue
                inner = (*boundary[i : j + 1], spot)
                outer = _opened(boundary, i, lives) if i == j else boundary[j:] + boundary[: i + 1]
                for sides in product((False, True), repeat=len(rest)):
                    within = [other for other, side in zip(rest, sides, strict=True) if side]
                    without = [other for other, side in zip(rest, sides, strict=True) if not side]
                    yield (start, boundary[j]), [[*within, inner], [*without, (*outer, spot)]]


def _opened(boundary: Boundary, place: int, lives: Lives) -> Boundary:
    """Return a walk along a whole boundary from one place back to it; a spot without curves is met once."""
    walk = boundary[place:] + boundary[:place]
    return walk if lives[walk[0]] == 3 else (*walk, walk[0])


def _position(regions: list[Region], lives: Lives) -> Hashable:
    parts = [_settled(_text(land, lives)) for land in _lands(_living(regions, lives))]
    return parts[0] if len(parts) == 1 else (Sum(parts) if parts else _OVER)


def _living(regions: list[Region], lives: Lives) -> Iterator[Region]:
    """Yield the regions that have a move, without dead spots."""
    for region in regions:
        boundaries = [tuple([spot for spot in boundary if lives[spot]]) for boundary in region]
        if sum(lives[spot] for spot in set(chain.from_iterable(boundaries))) > 1:
            yield [boundary for boundary in boundaries if boundary]


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
