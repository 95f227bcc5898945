"""Translation of the texts that people read: English texts are the keys of a catalogue of gettext.

``docs/make_texts.py`` finds the texts in the source, and updates the catalogue ``zh/LC_MESSAGES/graphgame.po`` and the
``.mo`` file made from it. Output for machines (JSON, CSV, files of graphs) is not translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from gettext import translation
from pathlib import Path

from graphgame.errors import Message, ParameterError, either, filled, plural

LANGUAGES = ("en", "zh")
"""The languages of the texts; the first is the language of the source code."""

DOMAIN = "graphgame"
FOLDER = Path(__file__).parent

_WIDE = "[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]{2}"
_current = LANGUAGES[0]


def set_language(language: str) -> None:
    """Set the language of texts for people, such as explanations and pages; English is the default.

    Parameters
    ----------
    language : str
        ``en`` or ``zh``. Exceptions, solutions and output for machines stay in English. (Commands translate errors.)

    Raises
    ------
    ParameterError
        There are no texts in this language.

    Examples
    --------
    >>> import graphgame
    >>> graphgame.set_language("zh")
    >>> graphgame.explain("nim(3)").splitlines()[0]
    '先手胜：尼姆和为 3'
    >>> graphgame.set_language("en")
    """
    global _current
    if language not in LANGUAGES:
        raise ParameterError("unknown language {language!r}: expected {languages}", language, either(LANGUAGES))
    _current = language


def current_language() -> str:
    """Return the current language of texts, ``en`` or ``zh``."""
    return _current


@contextmanager
def using(language: str) -> Iterator[None]:
    """Set the language of texts inside the ``with`` block; errors as for :func:`set_language`."""
    before = _current
    set_language(language)
    try:
        yield
    finally:
        set_language(before)


def language_of(environment: Mapping[str, str]) -> str:
    """Return ``zh`` if the first non-empty variable of LC_ALL, LC_MESSAGES, LANG names Chinese, otherwise ``en``.

    Examples
    --------
    >>> language_of({"LANG": "zh_CN.UTF-8"}), language_of({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"})
    ('zh', 'en')
    """
    chosen = next(filter(None, (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    language = re.split(r"[_.@-]", chosen)[0].lower()
    return language if language in LANGUAGES else LANGUAGES[0]


def translate(english: str, **facts: object) -> str:
    """Return a text in the current language, in which the facts replace their names in braces.

    Any other brace is an ordinary character, as in ``mex{}``.

    Examples
    --------
    >>> translate("{verdict} under misère play", verdict="first player wins")
    'first player wins under misère play'
    """
    return render(Message(english, **facts))


def render(text: str) -> str:
    """Return a message in the current language, with its facts filled in; return any other text unchanged, as data.

    Examples
    --------
    >>> with using("zh"):
    ...     print(render(Message("{file}: {fault}", file="sum.txt", fault=Message("value"))), render("value"))
    sum.txt: 值 value
    """
    if not isinstance(text, Message) or _current == LANGUAGES[0]:
        return str(text)
    return filled(template_of(text), {name: render(fact) for name, fact in text.facts.items()}, _spaced)


def template_of(message: Message) -> str:
    """Return the template of a message, with names in braces, in the current language."""
    return message.template if _current == LANGUAGES[0] else lookup(message.template)


def _spaced(left: str, right: str) -> str:
    """Join two texts; remove a space where they meet if there are Chinese characters before and after it."""
    if (left.endswith(" ") or right.startswith(" ")) and re.fullmatch(_WIDE, left.strip()[-1:] + right.strip()[:1]):
        left, right = left.removesuffix(" "), right.removeprefix(" ")
    return "".join((left, right))


def amount(count: int, noun: str) -> str:
    """Return a count and its noun in the current language.

    Examples
    --------
    >>> amount(1, "move"), amount(12345, "vertex")
    ('1 move', '12,345 vertices')
    """
    return render(plural(count, noun))


def lookup(english: str, language: str | None = None) -> str:
    """Return the translation of an English text, by default in the current language; without one, the English text."""
    return texts_of(language or _current).get(english, english)


@cache
def texts_of(language: str) -> Mapping[str, str]:
    """Return the catalogue of a language: English text -> translation. It is empty for English."""
    catalogue = vars(translation(DOMAIN, FOLDER, [language], fallback=True)).get("_catalog", {})
    return {english: text for english, text in catalogue.items() if isinstance(english, str) and english}
