"""The notation: one line of text that names any position of the catalogue, and any sum.

::

    sum      = compound { "+" compound }
    compound = term { sign term }                               all signs equal: & && | || :
    term     = "(" sum ")"
             | name [ "{" arguments "}" ] "(" position ")"
             | "*" integer                                      a nim-heap
             | path [ "@" position ]                            a graph file: its tokens, or one token
             | path ".py:" Class [ "{" arguments "}" ] [ "(" position ")" ]

``+`` is the sum, where a move is made in one component; the other signs are the compounds of
:mod:`graphgame.labs.theory.compounds`. Each ruleset defines what its braces and parentheses contain: ``nim(3,4,5)``,
``take{odd}(7)``, ``cutting(4x2)``. ``samples/chips.txt@4`` is a token on position 4 of a graph file; without ``@`` the
text means the file's own tokens. ``path.py:Class`` is a user's own ruleset in a Python file, which is run only if the
caller passes ``run_rules=True``. White space may surround terms, braces and parentheses; it must come before a sign
other than ``+``, except after ``)`` or a nim-heap. For a text almost in the notation, the error suggests a correct one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from difflib import get_close_matches
from itertools import islice, product
from pathlib import Path
from typing import Any, NoReturn

from graphgame.errors import (
    GraphGameError,
    Message,
    ParseError,
    RulesetError,
    UnknownGameError,
    checks_parameters,
    either,
    joined,
)
from graphgame.io.files import PathLike, is_there
from graphgame.io.source import refuse_unnamed
from graphgame.registry import registered
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.catalogue import CATALOGUE, entry_of, ruleset
from graphgame.rules.parsing import ARGUMENTS, placed
from graphgame.rules.position import Component, Position
from graphgame.rules.rule_errors import hashed, rule_errors
from graphgame.rules.ruleset import Ruleset
from graphgame.rules.user_rules import class_names, load_ruleset, rules_run

_ASCII = str.maketrans("（），；＋［］｛｝：、", "(),;+[]{}:,")
# Texts that are almost in the notation: ``nim 3 4 5``, ``0.77 (20)``, ``0.77``, ``rules MyGame 7``, ``rules.py(7)``.
_TERM = re.compile(r"(?P<name>[A-Za-z][A-Za-z' _-]*?)[\s:=_-]*(?:(?P<rest>[\[({\d].*))?", re.DOTALL)
_CODE = re.compile(r"(?P<code>\d?\.[\dA-V]+)(?P<rest>[\s(\[].*)", re.DOTALL)
_CODE_ALONE, _OCTAL = re.compile(r"[\dA-V!?=*]*\.[\dA-V!?=*]*(\[[\dA-V]+\])?(?<!\.)"), re.compile(r"[04]?\.[0-7]+")
_CLASS = re.compile(r"(?P<file>.+?)(?:\.py)?[.:\s]+(?P<name>[A-Za-z_]\w*)(?P<rest>|\s*[({].*|\s+[\d].*)", re.DOTALL)
_NO_CLASS = re.compile(r"(?P<file>.+\.py)\s*(?P<rest>\(.*\))", re.DOTALL)
_BETWEEN = re.compile(r"(?<=[)\]}])\s*(?:[,;]\s*|(?=[A-Za-z]))(?=[A-Za-z])")
_GAMES = re.compile(r"[a-z][\w-]*(?=[({])")
_OF_FILES = re.compile(r"[/\\]|\.[A-Za-z]")
_HEAP_SIZES = re.compile(r"\d{1,18}(?:[\s,;]+\d{1,18})*")
_BRACKETS = "()[]{}"
_MOST_SIMILAR_GAMES = 3
_MOST_FILES_COMPARED = 10_000
_MOST_SUGGESTIONS = 2
_MOST_READINGS = 300
_MOST_TERMS = 4
LONGEST_CORRECTED = 200  # characters: a longer text gets no suggestion


def did_you_mean(text: str, is_position: Callable[[str], bool]) -> str:
    """Return a question that suggests one or two texts in the notation for a ``text`` that is almost in the notation.

    Empty if there are none, or for a text of over 200 characters. ``is_position`` tests whether a text is notation.

    Examples
    --------
    >>> did_you_mean("nim 3 4 5", lambda text: "," in text)
    'did you mean "nim(3,4,5)"?'
    """
    if len(text) > LONGEST_CORRECTED:
        return ""
    plain = with_ascii(text)
    meant = meant_texts(plain, text, is_position).values()
    quoted = [f'"{other}"' for other in [*_class_notations(plain), *meant][:_MOST_SUGGESTIONS] if other != text]
    return Message("did you mean {names}?", either(quoted)) if quoted else ""


def how_written(text: str) -> str:
    """Return a clause with an example position: of the game or code that a text begins with, otherwise of Nim.

    Empty if the first word is no game or code, and the text looks like the name of a file.

    Examples
    --------
    >>> how_written("chomp"), how_written("folder/game.txt")
    ('a position of chomp is written as in "chomp(3x4)"', '')
    """
    word = text.strip().partition(" ")[0]
    if (code := of_code(word)) and names_a_position(f"{code}(20)"):
        return Message('a heap of {code} is written as in "{code}(20)"', code)
    if word in CATALOGUE:
        return Message('a position of {game} is written as in "{example}"', word, CATALOGUE[word].example)
    return "" if _OF_FILES.search(text) else Message('a position is written as in "nim(3,4,5)"')


def of_code(text: str) -> str:
    """Return the notation of the taking-and-breaking game for a text that looks like its code; otherwise "".

    Examples
    --------
    >>> of_code("0.77"), of_code("4!.3F"), of_code("0.[3]"), of_code("7.txt")
    ('octal{0.77}', 'code{4!.3F}', 'code{0.[3]}', '')
    """
    if not _CODE_ALONE.fullmatch(text):
        return ""
    return f"{'octal' if _OCTAL.fullmatch(text) else 'code'}{{{text}}}"


def similar_files(path: PathLike) -> str:
    """Return a question that suggests up to two similar names in the folder of a missing file, or an empty text."""
    wanted = Path(path)
    try:
        names = [entry.name for entry in islice(wanted.parent.iterdir(), _MOST_FILES_COMPARED)]
    except OSError:
        return ""
    similar = get_close_matches(wanted.name, names, n=_MOST_SUGGESTIONS, cutoff=0.7)
    paths = [str(wanted.with_name(name)) for name in similar]
    return Message("did you mean {names}?", either(paths)) if paths else ""


def with_ascii(text: str) -> str:
    """Return a text with ASCII for Chinese punctuation, and with ``+`` between positions that lack it.

    The ``+`` is put between a closing bracket and a letter, in place of a comma, a semicolon, white space or nothing.
    """
    return _BETWEEN.sub(" + ", text.translate(_ASCII).strip())


def meant_texts(plain: str, text: str, is_position: Callable[[str], bool]) -> dict[tuple[str, ...], str]:
    """Return texts in the notation that ``plain`` may mean, the likeliest first.

    The result maps a tuple of games to the likeliest text with these games, and does not contain ``text`` itself.
    ``plain`` is ``with_ascii(text)``. ``is_position`` tests whether a text is in the notation.
    """
    meant: dict[tuple[str, ...], str] = {}
    for reading in islice(_readings(plain), _MOST_READINGS):
        games = tuple(_GAMES.findall(reading))
        if reading != text and games not in meant and is_position(reading):
            meant[games] = reading
    return meant


def _readings(text: str) -> Iterator[str]:
    """Yield corrections of a text, the likeliest first; some are invalid. A text of more than 4 terms has none."""
    terms = text.split("+")
    if len(terms) <= _MOST_TERMS:
        for readings in product(*(list(_readings_of_term(term)) or [term.strip()] for term in terms)):
            yield " + ".join(readings)


def _readings_of_term(term: str) -> Iterator[str]:
    if _HEAP_SIZES.fullmatch(term.strip()):
        yield f"nim({_with_commas(term.strip())})"
    if code := _CODE.fullmatch(term.strip()):
        yield from (f"octal{{{code['code']}}}({','.join(numbers)})" for numbers in [re.findall(r"\d+", code["rest"])])
    word = _TERM.fullmatch(term.strip())
    if word is None or word["rest"] is None:
        return
    braces, inner = re.fullmatch(r"(\{[^{}]*\})?(.*)", word["rest"], re.DOTALL).groups()  # type: ignore[union-attr]
    bare = inner.strip().strip(_BRACKETS).strip() or (braces or "").strip(_BRACKETS)
    listed = _with_commas(bare)
    has_parentheses, numbers = inner.strip() == f"({bare})", re.findall(r"\d+", bare)
    named = hyphened(word["name"])
    similar = [named] if named in CATALOGUE else get_close_matches(named, CATALOGUE, _MOST_SIMILAR_GAMES, cutoff=0.6)
    for name in similar:
        if braces and inner:
            yield f"{name}{braces}({bare})"
            continue
        yield f"{name}({bare})"
        yield f"{name}({listed})"
        # Of several numbers, the last or all but the first may be the position, and the others the arguments.
        if len(numbers) > 1 and "{" in CATALOGUE[name].example:
            yield f"{name}{{{','.join(numbers[:-1])}}}({numbers[-1]})"
            yield f"{name}{{{numbers[0]}}}({','.join(numbers[1:])})"
        if not has_parentheses:
            yield f"{name}({','.join(numbers)})"


def _with_commas(text: str) -> str:
    """Return a text with one comma in place of each run of spaces, semicolons and commas."""
    return re.sub(r"[\s;,]+", ",", text)


def hyphened(text: str) -> str:
    """Return a stripped text in small letters, with a hyphen for each run of spaces, underscores and apostrophes."""
    return re.sub(r"['\s_]+", "-", text.strip().lower())


def _class_notations(text: str) -> Iterator[str]:
    """Yield complete notations for a text that is an incomplete notation of a class in an existing Python file.

    The text lacks ``.py``, the colon or parentheses, as in ``rules MyGame 7``, or the name of the class.
    """
    if (
        (match := _CLASS.fullmatch(text))
        and is_there(file := f"{match['file']}.py")
        and (match["name"] in class_names(file))
    ):
        rest = match["rest"].strip()
        yield f"{file}:{match['name']}{rest if rest[:1] in ('(', '{', '') else f'({_with_commas(rest)})'}"
    elif (match := _NO_CLASS.fullmatch(text)) and is_there(match["file"]):
        yield from (f"{match['file']}:{name}{match['rest']}" for name in class_names(match["file"]))


Loaded = dict[tuple[str, str], Ruleset]

_GAME = re.compile(rf"\s*+(?P<name>[A-Za-z][\w-]*+)\s*+{ARGUMENTS}\((?P<position>[^()]*+)\)\s*+")
_MARKS = ("(", "{", "@", "*", "+", ".py:", "&", "|", " : ")
_MOST_NESTED = 20
_MOST_CHARACTERS = 1_000_000
_QUOTED = re.compile(r"\s*([\"'])(.*)\1\s*")
_NIMBER = re.compile(r"\s*\*(?P<arguments>)(?P<position>\d+)\s*")
_OWN = re.compile(
    rf"\s*+(?P<path>.+\.py):(?P<name>[^\W\d]\w*+)\s*+{ARGUMENTS}(?:\((?P<position>[^()]*+|\([^()]*+\))\)\s*+)?"
)


def is_notation(text: str) -> bool:
    """Return whether a text is to be read in the notation, and not as the path of a graph file.

    The name of a game, or a text with ( or { or another sign of the notation, is notation unless a file of this name
    exists. A text that ends in ``.py`` is always notation.

    Examples
    --------
    >>> is_notation("nim(3,4,5)"), is_notation("chips.txt")
    (True, False)
    """
    looks_like_notation = text in CATALOGUE or any(mark in text for mark in _MARKS)
    return text.endswith(".py") or (looks_like_notation and not is_there(text))


@checks_parameters
def parse_position(
    text: str,
    *,
    misere: bool = False,
    max_positions: int = MAX_POSITIONS,
    loaded: Loaded | None = None,
    run_rules: bool = False,
) -> Position:
    """Return the position that a text names.

    Parameters
    ----------
    text : str
        A position or a sum of positions in the notation.
    misere : bool
        Whether a player who cannot move wins.
    max_positions : int
        The limit on the positions of the explicit graph, if one is explored later.
    loaded : dict, optional
        (name, arguments) -> ruleset. Rulesets are taken from it, and new ones are added, so that calls for many texts
        can share it.
    run_rules : bool
        Whether to run the Python file that a text such as ``"rules.py:MyGame(7)"`` names. Otherwise such a text is an
        error, so a text from a stranger cannot run code.

    Raises
    ------
    ParseError
        The text is not in the notation; the error has the column. Or the text is too long, or a graph file is invalid.
    UnknownGameError
        There is no such game; the error has the column and any games with similar names.
    UnknownPositionError
        A graph file has no such position; the error has the column and any similar positions.
    RulesetError
        The text names rules in a Python file, and ``run_rules`` is false; or these rules have an error or,
        if the text names no position, no start.
    ParameterError
        ``misere`` is true, and the rules of a component define ``decided``.
    OSError, FormatError, LimitError
        A file that the text names cannot be read, has another format or is too large.

    Notes
    -----
    Takes time linear in the text. No move is computed until a question about the position needs it.

    Examples
    --------
    >>> str(parse_position("nim(3, 4) + take{odd}(7)"))
    'nim(3) + nim(4) + take{odd}(7)'
    """
    if len(text) > _MOST_CHARACTERS:
        raise ParseError("the text has {count} characters: expected at most {most}", len(text), _MOST_CHARACTERS)
    try:
        with rules_run(run_rules):
            return _parsed(text, {} if loaded is None else loaded, max_positions).under(misere)
    except ParseError as error:
        if (
            error.source is None
            and not isinstance(error, UnknownGameError)
            and (meant := did_you_mean(text, names_a_position))
        ):
            error.message = joined([error.message, meant])
        raise


def _parsed(text: str, loaded: Loaded, max_positions: int = MAX_POSITIONS) -> Position:
    components: list[Component] = []
    for term, shift in compounds_of(text):
        with placed(shift, text):
            components += _term(term, loaded, max_positions)
    return Position(components, max_positions)


def meaning_of(text: str) -> str:
    """Return a hint for a text that is no file: similar texts in the notation, otherwise how a position is written.

    Empty if there is no similar text, the text looks like the name of a file, and its first word is no game or code.

    Examples
    --------
    >>> meaning_of("kayles[5]"), meaning_of("folder/game.txt")
    ('did you mean "kayles(5)"?', '')
    """
    return did_you_mean(text, names_a_position) or how_written(text)


def names_a_position(text: str) -> bool:
    """Return whether a text names a position; False if it names a Python file, except inside ``rules_run(True)``."""
    try:
        return bool(_parsed(text, {}).components)
    except (GraphGameError, OSError):
        return False


def own_rules(text: str, *, run_rules: bool = False) -> Ruleset | None:
    """Run a Python file and return the rules for a text such as ``rules.py:MyGame{3}``, which names no position.

    None if the text does not have this form. Without ``run_rules``, raise a RulesetError and do not run the file.
    """
    match = _OWN.fullmatch(text)
    if match is None or match["position"] is not None:
        return None
    with rules_run(run_rules), placed(match.start("arguments"), text):
        return load_ruleset(match["path"], match["name"], match["arguments"] or "")


def _term(term: str, loaded: Loaded, max_positions: int) -> Iterator[Component]:
    if not term.strip():
        raise ParseError("expected a position, such as nim(3,4,5)", column=1)
    sign, parts = split_compound(term)
    if sign:
        positions = []
        for text, start in parts:
            with placed(start, term):
                positions.append(_parsed(text, loaded, max_positions))
        rules = registered("compound of positions")(sign, positions)
        yield Component(sign, rules, rules.start)
    elif _is_group(term):
        with placed(term.index("(") + 1, term):
            group = _parsed(term.strip()[1:-1], loaded, max_positions)
        yield from group.components
    elif match := _GAME.fullmatch(term):
        with placed(match.start("name"), term):
            entry_of(match["name"])
        yield _component(term, match["name"], ruleset, match, loaded)
    elif match := _NIMBER.fullmatch(term):
        yield _component(term, "nim", ruleset, match, loaded)
    elif match := _OWN.fullmatch(term):
        file, name = match["path"], match["name"]
        with placed(match.start("path"), term):
            refuse_unnamed(file)
        yield _component(term, f"{file}:{name}", lambda _, text: load_ruleset(file, name, text), match, loaded)
    else:
        _refuse_brackets(term)
        yield from _file(term, loaded)


def _is_group(term: str) -> bool:
    """Return whether a term is one group in parentheses; raise a ParseError for more than 20 levels of them."""
    depth, text = 0, term.strip()
    for index, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth > _MOST_NESTED:
            raise ParseError(
                "parentheses are nested too deeply: expected at most {most} levels", _MOST_NESTED, column=index + 1
            )
        # At the first character, the depth 0 means that the term begins with no parenthesis.
        if depth <= 0:
            return index > 0 and index == len(text) - 1
    return False


def _refuse_brackets(term: str) -> None:
    """Raise a ParseError for text after a position (``nim(3)x``), an open bracket (``nim(3``), or no position."""
    begins = _OWN.match(term) or _GAME.match(term)
    end = begins.end() if begins else 0
    if begins and (begins["position"] is not None or term[end] not in "({"):
        raise ParseError("expected + or the end of the text after a position", column=end + 1)
    if not (begins or re.match(r"\s*(\(|[A-Za-z][\w-]*\s*[({])", term)):
        return
    for opening, closing in ("{}", "()"):
        if term.count(opening, end) > term.count(closing, end):
            column = term.index(opening, end) + 1
            raise ParseError("the bracket {opening} is not closed: expected {closing}", opening, closing, column=column)
    if begins or "(" not in term:
        raise ParseError("expected a position in parentheses, such as take{1,3}(10)", column=len(term.rstrip()) + 1)


def _component(
    term: str, name: str, load: Callable[[str, str], Ruleset], match: re.Match[str], loaded: Loaded
) -> Component:
    arguments, text = match["arguments"] or "", match["position"]
    if match.re is _OWN and text and (quoted := _QUOTED.fullmatch(text)):
        text = quoted[2]  # MyGame("abc"), written as in Python, means MyGame(abc)
    if (name, arguments) not in loaded:
        loaded[name, arguments] = _load(term, name, load, match)
    rules = loaded[name, arguments]
    if text is None:
        with rule_errors(name, Message("the start")):
            start = rules.start
        if start is None:
            raise RulesetError("{name} has no start position: name a position, as in {name}(...)", name)
        return Component(name, rules, hashed(start))
    with rule_errors(name, Message("the text {text!r}", text)), placed(match.start("position"), term):
        position = rules.parse(text)
    return Component(name, rules, hashed(position))


def _load(term: str, name: str, load: Callable[[str, str], Ruleset], match: re.Match[str]) -> Ruleset:
    if match["arguments"] is not None:
        with placed(match.start("arguments"), term):
            return load(name, match["arguments"])
    try:
        return load(name, "")
    except ParseError as error:
        example = CATALOGUE[name].example if name in CATALOGUE else f"{name}{{...}}(...)"
        raise ParseError(
            "{name} needs braces, as in {example}: {message}",
            name,
            example,
            error.message,
            column=match.end("name") + 1,
        ) from None


def _file(term: str, loaded: Loaded) -> Iterator[Component]:
    file, at, vertex = term.strip().rpartition("@") if "@" in term else (term.strip(), "", "")
    if file in CATALOGUE and not is_there(file):
        raise ParseError(
            "expected a position, such as {example}", CATALOGUE[file].example, column=len(term.rstrip()) + 1
        )
    rules_file = re.match(r".+\.py(?=:|$)", file)
    with placed(_begin(term) - 1, term):
        refuse_unnamed(rules_file[0] if rules_file else file)
    if rules_file:
        _ask_for_class(rules_file[0], column=_begin(term) + rules_file.end())
    if not is_there(file):
        raise ParseError(
            "expected a position such as nim(3,4,5), or a graph file: there is no file of this name",
            column=_begin(term),
        )
    if Path(file).is_dir():
        raise ParseError("{file!r} is a directory: expected a graph file", file, column=_begin(term))
    if at and not vertex:
        raise ParseError("expected a position after @", column=len(term.rstrip()) + 1)
    if (file, "@") not in loaded:
        loaded[file, "@"] = registered("rules of tokens on a file")(file)
    rules: Any = loaded[file, "@"]
    if vertex:
        with placed(term.rindex("@") + 1, term):
            tokens: tuple[Hashable, ...] = (rules.parse(vertex),)
    elif rules.graph.tokens is None:
        raise ParseError("the file has no tokens: name a position, as in FILE@POSITION", column=len(term.rstrip()) + 1)
    else:
        tokens = rules.graph.tokens
    for token in tokens:
        yield Component(file, rules, token)


def _ask_for_class(path: str, column: int) -> NoReturn:
    names = class_names(path)
    example = f"{path}:{names[0] if names else 'MyGame'}"
    fault = Message("this is a file of rules: add the name of a class in it, as in {example} or {example}(7)", example)
    listed = [Message("its classes are {names}", ", ".join(names))] if len(names) > 1 else []
    raise ParseError(joined([fault, *listed]), column=column)


def _begin(term: str) -> int:
    return len(term) - len(term.lstrip()) + 1


def compounds_of(text: str) -> Iterator[tuple[str, int]]:
    """Split a sum at each ``+`` outside () and {}: yield each piece, a compound, and the index where it starts."""
    return split_outside(r"\+", text, "(){}")


def split_outside(pattern: str, text: str, brackets: str) -> Iterator[tuple[str, int]]:
    """Split a text at the matches of ``pattern`` outside brackets: yield each piece and the index where it starts."""
    start = 0
    for match in _outside_brackets(pattern, text, brackets):
        yield text[start : match.start()], start
        start = match.end()
    yield text[start:], start


def _outside_brackets(pattern: str, text: str, brackets: str = "(){}") -> Iterator[re.Match[str]]:
    depth = 0
    for match in re.finditer(rf"[{re.escape(brackets)}]|{pattern}", text):
        if match[0] in brackets:
            depth += 1 if match[0] in brackets[::2] else -1
        elif depth <= 0:
            yield match


_MOST_COMPONENTS = 100  # more would take too much memory: a position of the graph has an entry for each component
_ENDS_TERM = re.compile(r"(?:^|[)\s&|:]|(?:^|[\s&|:])\*\d+)$")


def split_compound(text: str) -> tuple[str, list[tuple[str, int]]]:
    """Return the sign of a compound and its parts, each with the index where it starts.

    A sign is outside () and {}, and starts the text or follows a closing parenthesis, a space, a nim-heap or a sign;
    elsewhere the character belongs to the name of a file or a position. Without a sign the result is
    ``("", [(text, 0)])``. Different signs, or more than 100 parts, are a ParseError.

    Examples
    --------
    >>> split_compound("nim(3)&nim(5)")
    ('&', [('nim(3)', 0), ('nim(5)', 7)])
    """
    sign, start, last = "", 0, 0
    parts: list[tuple[str, int]] = []
    for match in _outside_brackets(r"&&|&|\|\||\||:", text):
        # Search only after the previous match, so that all searches together take linear time.
        ends_term, last = _ENDS_TERM.search(text, last, match.start()), match.end() - 1
        if not ends_term:
            continue
        if sign and match[0] != sign:
            message = Message(
                "the signs {sign} and {other} are mixed without parentheses: put the components of one of them in "
                "parentheses",
                sign,
                match[0],
            )
            raise ParseError(message, column=match.start() + 1)
        sign = match[0]
        if len(parts) == _MOST_COMPONENTS - 1:
            raise ParseError("the compound has more than {most} components", _MOST_COMPONENTS, column=match.start() + 1)
        parts.append((text[start : match.start()], start))
        start = match.end()
    return sign, [*parts, (text[start:], start)]
