"""What a text may mean that is not quite in the notation: how it would be written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from itertools import islice, product
from pathlib import Path

from graphgame.errors import Message, either
from graphgame.games.user_rules import class_names
from graphgame.io.files import PathLike, is_there
from graphgame.rules.catalogue import CATALOGUE

_ASCII = str.maketrans("（），；＋［］｛｝：、", "(),;+[]{}:,")
_TERM = re.compile(r"(?P<name>[A-Za-z][A-Za-z' _-]*?)[\s:=_-]*(?:(?P<rest>[\[({\d].*))?", re.DOTALL)
_CODE = re.compile(r"(?P<code>\d?\.[\dA-V]+)(?P<rest>[\s(\[].*)", re.DOTALL)
_CODE_ALONE, _OCTAL = re.compile(r"[\dA-V!?=*]*\.[\dA-V!?=*]*(\[[\dA-V]+\])?(?<!\.)"), re.compile(r"[04]?\.[0-7]+")
_CLASS = re.compile(r"(?P<file>.+?)(?:\.py)?[.:\s]+(?P<name>[A-Za-z_]\w*)(?P<rest>|\s*[({].*|\s+[\d].*)", re.DOTALL)
_NO_CLASS = re.compile(r"(?P<file>.+\.py)\s*(?P<rest>\(.*\))", re.DOTALL)
_BETWEEN = re.compile(r"(?<=[)\]}])\s*(?:[,;]\s*|(?=[A-Za-z]))(?=[A-Za-z])")
_GAMES = re.compile(r"[a-z][\w-]*(?=[({])")
_OF_FILES = re.compile(r"[/\\]|\.[A-Za-z]")
_SIZES = re.compile(r"\d{1,18}(?:[\s,;]+\d{1,18})*")
_WORDS = re.compile(r"[A-Za-z]{2,}(?:[-' _]+[A-Za-z]{2,})*")
_BRACKETS = "()[]{}"
_NEAR = 3
_MOST_FILES = 10_000
_MOST_NAMED = 2
_MOST_TRIED = 300
_MOST_TERMS = 4
_LONGEST = 200


def did_you_mean(text: str, is_position: Callable[[str], bool]) -> str:
    """Ask whether a text that is not in the notation means one that is; empty where nothing comes near.

    Parameters
    ----------
    text : str
    is_position : callable
        Tells whether a text is in the notation.

    Examples
    --------
    >>> did_you_mean("nim 3 4 5", lambda text: "," in text)
    'did you mean "nim(3,4,5)"?'
    """
    if len(text) > _LONGEST:
        return ""
    plain = _plain(text)
    meant = _meant(plain, text, is_position).values()
    quoted = [f'"{other}"' for other in [*_rules(plain), *meant][:_MOST_NAMED] if other != text]
    return Message("did you mean {names}?", either(quoted)) if quoted else ""


def surely_meant(text: str, is_position: Callable[[str], bool]) -> str | None:
    """Return the position that a text means beyond doubt, such as heaps of Nim by their sizes or a game by its name.

    Examples
    --------
    >>> [surely_meant(text, lambda text: ")" in text) for text in ("3,4,5", "Nim 3", "Kayles", "kayls(5)")]
    ['nim(3,4,5)', 'nim(3)', 'kayles(7)', None]
    """
    if len(text) > _LONGEST:
        return None
    plain = _plain(text)
    if (name := _hyphened(plain)) in CATALOGUE:
        return CATALOGUE[name].example
    named = {_hyphened(words) for words in _WORDS.findall(plain)}
    meant = _meant(plain, text, is_position)
    return next((other for games, other in meant.items() if named <= set(games)), None)


def how_written(text: str) -> str:
    """Say how a position is written, for a text that does not look like a file; else nothing.

    Examples
    --------
    >>> how_written("chomp"), how_written("folder/game.txt")
    ('chomp is written as in "chomp(3x4)"', '')
    """
    word = text.strip().partition(" ")[0]
    if code := of_code(word):
        return Message('heaps of the code are written as in "{code}(20)"', code)
    if word in CATALOGUE:
        return Message('{word} is written as in "{example}"', word, CATALOGUE[word].example)
    return "" if _OF_FILES.search(text) else Message('a position is written as in "nim(3,4,5)"')


def of_code(text: str) -> str:
    """Return the notation of the game that a text is the code of; else nothing.

    Examples
    --------
    >>> of_code("0.77"), of_code("4!.3F"), of_code("0.[3]"), of_code("7.txt")
    ('octal{0.77}', 'code{4!.3F}', 'code{0.[3]}', '')
    """
    if not _CODE_ALONE.fullmatch(text):
        return ""
    return f"{'octal' if _OCTAL.fullmatch(text) else 'code'}{{{text}}}"


def similar_files(path: PathLike) -> str:
    """Ask whether a file that is not there means one with nearly its name in the same folder; else nothing."""
    wanted = Path(path)
    try:
        names = [entry.name for entry in islice(wanted.parent.iterdir(), _MOST_FILES)]
    except OSError:
        return ""
    near = [str(wanted.with_name(name)) for name in get_close_matches(wanted.name, names, n=_MOST_NAMED, cutoff=0.7)]
    return Message("did you mean {names}?", either(near)) if near else ""


def _plain(text: str) -> str:
    return _BETWEEN.sub(" + ", text.translate(_ASCII).strip())


def _meant(plain: str, text: str, is_position: Callable[[str], bool]) -> dict[tuple[str, ...], str]:
    """Return the likeliest reading of each game, other than the text itself."""
    meant: dict[tuple[str, ...], str] = {}
    for other in islice(_readings(plain), _MOST_TRIED):
        games = tuple(_GAMES.findall(other))
        if other != text and games not in meant and is_position(other):
            meant[games] = other
    return meant


def _readings(text: str) -> Iterator[str]:
    """Yield what a text may mean, the likeliest first."""
    terms = text.split("+")
    if len(terms) <= _MOST_TERMS:
        for readings in product(*(list(_readings_of_term(term)) or [term.strip()] for term in terms)):
            yield " + ".join(readings)


def _readings_of_term(term: str) -> Iterator[str]:
    if _SIZES.fullmatch(term.strip()):
        yield f"nim({_listed(term.strip())})"
    if code := _CODE.fullmatch(term.strip()):
        yield from (f"octal{{{code['code']}}}({','.join(numbers)})" for numbers in [re.findall(r"\d+", code["rest"])])
    word = _TERM.fullmatch(term.strip())
    if word is None or word["rest"] is None:
        return
    braces, inner = re.fullmatch(r"(\{[^{}]*\})?(.*)", word["rest"], re.DOTALL).groups()  # type: ignore[union-attr]
    bare = inner.strip().strip(_BRACKETS).strip() or (braces or "").strip(_BRACKETS)
    listed = _listed(bare)
    formed, numbers = inner.strip() == f"({bare})", re.findall(r"\d+", bare)
    for name in _names(word["name"]):
        if braces and inner:
            yield f"{name}{braces}({bare})"
            continue
        yield f"{name}({bare})"
        yield f"{name}({listed})"
        if len(numbers) > 1 and "{" in CATALOGUE[name].example:
            yield f"{name}{{{','.join(numbers[:-1])}}}({numbers[-1]})"
            yield f"{name}{{{numbers[0]}}}({','.join(numbers[1:])})"
        if not formed:
            yield f"{name}({','.join(numbers)})"


def _listed(text: str) -> str:
    """Return a text with commas in place of spaces and semicolons."""
    return re.sub(r"[\s;,]+", ",", text)


def _names(word: str) -> list[str]:
    """Return the games that a word may name."""
    name = _hyphened(word)
    if name in CATALOGUE:
        return [name]
    return get_close_matches(name, CATALOGUE, n=_NEAR, cutoff=0.6)


def _hyphened(text: str) -> str:
    return re.sub(r"['\s_]+", "-", text.strip().lower())


def _rules(text: str) -> Iterator[str]:
    """Yield a class of a file of rules, where the file is named without what the notation wants."""
    if (
        (match := _CLASS.fullmatch(text))
        and is_there(file := f"{match['file']}.py")
        and (match["name"] in class_names(file))
    ):
        rest = match["rest"].strip()
        yield f"{file}:{match['name']}{rest if rest[:1] in ('(', '{', '') else f'({_listed(rest)})'}"
    elif (match := _NO_CLASS.fullmatch(text)) and is_there(match["file"]):
        yield from (f"{match['file']}:{name}{match['rest']}" for name in class_names(match["file"]))
