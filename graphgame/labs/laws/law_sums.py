"""Sums of games with numbers of their own: what is known of each part is a law of the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphgame.errors import ParseError
from graphgame.rules.notation import parse_position

_TERM = re.compile(r"(?P<game>[^()]*)\((?P<names>[^()]*)\)")
_SAMPLE = (2, 3, 5, 8)
"""Numbers for the names of a text, one for each: they show whether it is a sum."""


def parts_with_names(text: str, names: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the parts of a sum, each with the names in it; none where the text is no sum, or two parts share a name.

    >>> parts_with_names("take{1,2}(a) + kayles(b,c)", ("a", "b", "c"))
    (('take{1,2}(a)', ('a',)), ('kayles(b)', ('b',)), ('kayles(c)', ('c',)))
    >>> parts_with_names("wythoff(a,b)", ("a", "b"))
    ()
    """
    parts = [part for term in re.split(r"\+(?![^{(]*[})])", text) for part in _parts_of_term(term.strip())]
    written = [name for _, some in parts for name in some]
    apart = len(parts) > 1 and all(some for _, some in parts) and sorted(written) == sorted(names)
    return tuple(parts) if apart else ()


def _parts_of_term(term: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    found = _TERM.fullmatch(term)
    written = tuple(found["names"].replace(" ", "").split(",")) if found else ()
    if found is None or not all(re.fullmatch("[a-wyz]", name) for name in written):
        yield term, ()
    elif _is_row_of_heaps(found["game"], len(written)):
        yield from ((f"{found['game']}({name})", (name,)) for name in written)
    else:
        yield term, written


def _is_row_of_heaps(game: str, count: int) -> bool:
    """Tell whether the numbers of a game's positions are heaps, each a component of its own."""
    sample = _SAMPLE[:count]
    try:
        together = parse_position(f"{game}({','.join(map(str, sample))})").components
        alone = [parse_position(f"{game}({number})").components for number in sample]
    except ParseError:
        return False
    return [part.position for part in together] == list(sample) == [part.position for (part, *_) in alone]
