"""The automorphisms of a graph whose sets of vertices are bit masks."""

from __future__ import annotations

from collections.abc import Sequence

from graphgame.rules.cells import bits

Automorphism = tuple[int, ...]
"""The mask of the image of each vertex."""

_MOST = 128
_MOST_STEPS = 50_000


def automorphisms(near: Sequence[int]) -> list[Automorphism]:
    """Return the automorphisms of a graph but the identity; none where they are many, or take long to find.

    ``near`` has for each vertex the mask of its neighbours, itself included where there is a loop.

    Notes
    -----
    Depth first over the images of the vertices, one after another: an image has the colour and the edges of its vertex.
    All are returned or none, so that the images of a set under them are the same from each of these images.

    Examples
    --------
    >>> automorphisms([0b010, 0b101, 0b010])  # a path of three vertices
    [(4, 2, 1)]
    """
    order = _connected_order(near)
    before = [[place for place in range(end) if near[vertex] >> order[place] & 1] for end, vertex in enumerate(order)]
    colours, everything = _colours(near), (1 << len(near)) - 1
    found: list[Automorphism] = []
    partial: list[Automorphism] = [()]
    for _ in range(_MOST_STEPS):
        if not partial or len(found) > _MOST:
            break
        images = partial.pop()
        place = len(images)
        if place == len(near):
            found.append(tuple(image for _, image in sorted(zip(order, images, strict=True))))
            continue
        used, next_to, free = sum(images), sum(images[other] for other in before[place]), everything
        for other in before[place]:
            free &= near[images[other].bit_length() - 1]
        partial += [
            (*images, 1 << image)
            for image in bits(free & ~used)
            if near[image] & used == next_to and colours[image] == colours[order[place]]
        ]
    return [] if partial else [images for images in sorted(found) if list(images) != sorted(images)]


def _colours(near: Sequence[int]) -> list[int]:
    """Return a number for each vertex that automorphisms keep: by its loop, then by the colours of its neighbours."""
    colours, before = [own >> vertex & 1 for vertex, own in enumerate(near)], 0
    while len(set(colours)) > before:
        before = len(set(colours))
        around = [(colours[vertex], sorted(colours[other] for other in bits(own))) for vertex, own in enumerate(near)]
        order = sorted(around)
        colours = list(map(order.index, around))
    return colours


def _connected_order(near: Sequence[int]) -> list[int]:
    """Return the vertices, each but the first of a component after one of its neighbours."""
    order: list[int] = []
    left = (1 << len(near)) - 1
    for vertex in range(len(near)):
        queue = [vertex] if left >> vertex & 1 else []
        left &= ~(1 << vertex)
        for other in queue:
            queue += bits(near[other] & left)
            left &= ~near[other]
        order += queue
    return order
