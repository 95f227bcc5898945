"""Messages in another language: English ones are recognised by the texts that they were made from.

So that errors are raised in English, to be searched for and compared, and shown in the reader's language.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from graphgame.texts import current_language, texts_of, translate

__all__ = ["translated"]

_SLOT = re.compile(r"(\{[a-z_]+\d*\})")
_COUNT = r"[-\d,]+"
_JOINTS = ("\n    ", ": ", "; ", " (", ", ")


def translated(message: str) -> str:
    """Return a message in the current language, and what it quotes as it stands.

    Examples
    --------
    >>> from graphgame.texts import using
    >>> with using("zh"):
    ...     print(translated("game.txt: No such file or directory"))
    game.txt: 没有这个文件或目录
    """
    return _translated(message, current_language())


@lru_cache(maxsize=1000)
def _translated(message: str, language: str) -> str:
    """Translate the whole by the text with the most words of its own, else the parts at the first joint that helps."""
    if not re.search("[A-Za-z]{2}", message):
        return message
    if (found := _whole(message, language)) is not None:
        return found
    for joint in _JOINTS:
        ends = message.split(joint, 1)
        if len(ends) > 1 and (parts := [_translated(part, language) for part in ends]) != ends:
            return joint.join(parts)
    return message


def _whole(message: str, language: str) -> str | None:
    texts = texts_of(language)
    if message in texts:
        return texts[message]
    for template, longest in _templates(language):
        if longest in message and (found := _pattern(template).fullmatch(message)):
            return translate(template, **{name: _fact(part, language) for name, part in found.groupdict().items()})
    return None


@cache
def _templates(language: str) -> list[tuple[str, str]]:
    """Return the texts with facts, each with its longest part between two, those of the most words first."""
    pieces = {text: _SLOT.sub("\0", text).split("\0") for text in texts_of(language) if _SLOT.search(text)}
    weights = {text: len(re.findall("[a-z]", "".join(parts))) for text, parts in pieces.items()}
    worded = sorted(filter(weights.get, pieces), key=lambda text: -weights[text])
    return [(text, max(pieces[text], key=len)) for text in worded]


@lru_cache(maxsize=200)
def _pattern(template: str) -> re.Pattern[str]:
    parts, pattern, seen = _SLOT.split(template), "", set[str]()
    for part in parts:
        name = part[1:-1]
        if not _SLOT.fullmatch(part):
            pattern += re.escape(part)
        elif name in seen:
            pattern += f"(?P={name})"
        else:
            pattern += f"(?P<{name}>{_COUNT if name == 'count' else '.*?'})"
            seen.add(name)
    return re.compile(pattern, re.DOTALL)


def _fact(part: str, language: str) -> str:
    """Return a fact in the language: also a count of things, which the catalogue has in the singular."""
    if re.fullmatch(r"[\d,]+ [a-z -]+(?:s|vertices)", part):
        single = re.sub("vertices$", "vertexs", part)[:-1]
        if (found := _whole(single, language)) is not None:
            return found
    return _translated(part, language)
