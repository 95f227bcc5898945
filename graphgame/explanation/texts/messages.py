"""Messages in another language: English ones are recognised by the texts that they were made from.

So that errors are raised in English, to be searched for and compared, and shown in the reader's language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from graphgame.errors import Message
from graphgame.explanation.texts import current_language, render, texts_of, translate

__all__ = ["punctuated", "translated"]

# Patterns are compiled when they are met: every start would take as long for it as for a module, English ones in vain.
_SLOT = r"(\{[a-z_]+\d*\})"
_QUOTED = r"""(?<=["'])\{([a-z_]+\d*)\}(?=["'])"""
_TOLD = "[\u3400-\u9fff]"
_COUNT = r"-?\d[\d,]*"
_LEFT_OUT = r"\(([\d,]+) more\)"
_NAME = r"""(?:'[^']*'|"[^"]*"|[\w.+/-]+(?:\{[^{}]*\})?)"""
_NAMES = rf"{_NAME}(?:(?:, | or | and |, or |, and ){_NAME})+"
_JOINED = (" or ", " and ")
_TERMS = {"P-positions", "P-positions of misère play", "value", "remoteness", "outcome", "genus"}
"""What laws are about, which stands before a colon."""
_JOINTS = ("; ", "\n    ", ": ", " (", ", ")
_LEAST, _LONGEST = 5, 3000
"""Letters of its own that a text must have to be recognised, and of a message that is taken apart."""


class _Reading(NamedTuple):
    """A message in another language, and how many letters of the English one were recognised."""

    letters: int
    text: str


def translated(message: str) -> str:
    """Return a message in the current language, and what it quotes as it stands.

    Examples
    --------
    >>> from graphgame.explanation.texts import using
    >>> with using("zh"):
    ...     print(translated("game.txt: No such file or directory"))
    game.txt: 没有这个文件或目录
    """
    if isinstance(message, Message):
        return render(message)
    if len(message) > _LONGEST:
        return message
    told = _read(message, current_language()).text
    return re.sub(_LEFT_OUT, lambda found: translate("({count} more)", count=found[1]), told)


def punctuated(message: str) -> str:
    """Return a message of click's with the punctuation of the current language.

    Examples
    --------
    >>> from graphgame.explanation.texts import using
    >>> with using("zh"):
    ...     print(punctuated("缺少参数 'SOURCE'."))
    缺少参数 'SOURCE'。
    """
    if current_language() != "zh":
        return message
    message = re.sub("(?<![A-Za-z])(?:float|integer) range", lambda found: translate(found[0]), message)
    return re.sub("([。，；：？！]) (?=[（\u3400-\u9fff])", r"\1", re.sub(r"\.$", "。", message))


@lru_cache(maxsize=2000)
def _read(message: str, language: str) -> _Reading:
    """Read a message as one text with facts, or as parts that are texts: as recognises the most."""
    if not re.search("[A-Za-z]{2}", message):
        return _Reading(0, message)
    sentences, parts = _parted(message, language, _JOINTS[:1]), _parted(message, language, _JOINTS[1:])
    readings = [_Reading(0, message), *sentences, *_whole(message, language), *parts]
    return max(readings, key=lambda reading: reading.letters)


def _part(message: str, language: str) -> _Reading:
    """Read a part of a message: names, one or a list of them, stay as they are, to be typed again."""
    if re.fullmatch(_NAMES, message):
        for joint in _JOINED:
            message = message.replace(joint, translate(joint))
        return _Reading(0, message)
    return _Reading(0, message) if re.fullmatch(_NAME, message) and message not in _TERMS else _read(message, language)


def _parted(message: str, language: str, joints: tuple[str, ...]) -> Iterator[_Reading]:
    for joint in joints:
        if joint not in message:
            continue
        for ends in {tuple(message.split(joint, 1)): 0, tuple(message.rsplit(joint, 1)): 0}:
            head, tail = (_part(end, language) for end in ends)
            told = tail.letters or ends[0] in _TERMS or re.search(_TOLD, tail.text)
            shown = translate(joint) if head.letters and told else joint
            yield _Reading(head.letters + tail.letters, f"{head.text}{shown}{tail.text}")
            rests = _whole(joint + ends[1], language)
            yield from (_Reading(head.letters + rest.letters, head.text + rest.text) for rest in rests)


def _whole(message: str, language: str) -> Iterator[_Reading]:
    texts = texts_of(language)
    if message in texts:
        yield _Reading(_letters(message), texts[message])
    for template, longest in _templates(language):
        if longest in message and (found := _pattern(template).fullmatch(message)):
            quoted = set(re.findall(_QUOTED, template))
            facts = {
                name: _Reading(0, part) if name in quoted else _part(part, language)
                for name, part in found.groupdict().items()
            }
            letters = _letters(re.sub(_SLOT, "", template)) + sum(fact.letters for fact in facts.values())
            yield _Reading(letters, translate(template, **{name: fact.text for name, fact in facts.items()}))


def _letters(text: str) -> int:
    return len(re.findall("[A-Za-z]", text))


@cache
def _templates(language: str) -> list[tuple[str, str]]:
    """Return the texts with facts, each with its longest part between two; those that say more come first."""
    pieces = {text: re.sub(_SLOT, "\0", text).split("\0") for text in texts_of(language) if re.search(_SLOT, text)}
    letters = {text: _letters("".join(parts)) for text, parts in pieces.items()}
    return [
        (text, max(pieces[text], key=len).removesuffix("vertex"))
        for text in sorted(pieces, key=letters.__getitem__, reverse=True)
        if letters[text] >= _LEAST or text.startswith("{count} ")
    ]


@lru_cache(maxsize=500)
def _pattern(template: str) -> re.Pattern[str]:
    """Return what recognises a text; a count of one thing recognises that of several."""
    pattern, seen = "", set[str]()
    for part in re.split(_SLOT, template):
        name = part[1:-1]
        if not re.fullmatch(_SLOT, part):
            pattern += re.escape(part)
        elif name in seen:
            pattern += f"(?P={name})"
        else:
            pattern += f"(?P<{name}>{_COUNT if name == 'count' else '.*?'})"
            seen.add(name)
    if re.fullmatch(r"\{count\} [a-z ]+", template):
        pattern = pattern.replace("vertex", "vert(?:ex|ices)") if template.endswith("vertex") else f"{pattern}s?"
    return re.compile(pattern, re.DOTALL)
