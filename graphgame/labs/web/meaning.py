"""The position that a text typed on the site certainly means, although the text is not in the notation."""

from __future__ import annotations

import re

from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.notation import LONGEST_CORRECTED, hyphened, meant_texts, names_a_position, with_ascii

_WORDS = re.compile(r"[A-Za-z]{2,}(?:[-' _]+[A-Za-z]{2,})*")


def meant_position(text: str) -> str | None:
    """Return the position that a text certainly means, as text in the notation; None if this is not certain.

    Sizes alone mean heaps of Nim, and the name of a game means its example. A misspelt name is not certain.

    Examples
    --------
    >>> [meant_position(text) for text in ("Nim(3,4,5)", "3,4,5", "kayles", "kayls(5)")]
    ['nim(3,4,5)', 'nim(3,4,5)', 'kayles(7)', None]
    """
    if len(text) > LONGEST_CORRECTED:
        return None
    plain = with_ascii(text)
    if (name := hyphened(plain)) in CATALOGUE:
        return CATALOGUE[name].example
    named = {hyphened(words) for words in _WORDS.findall(plain)}
    meant = meant_texts(plain, text, names_a_position)
    return next((other for games, other in meant.items() if named <= set(games)), None)
