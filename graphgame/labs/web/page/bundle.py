"""The script of a page, made of the ES modules in ``static`` in the order of their imports, and the texts in it.

A page is one file that loads nothing, so its modules are joined: each becomes a constant with what it exports. Of the
syntax of modules they may use only this, and no two may import each other::

    import * as Game from "./game.js";
    import { say } from "./text.js";
    import "./page.js";
    export const size = 3;
    export function options(v) {
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files

_IMPORT = re.compile(r'^import (?:(?:\* as (\w+)|(\{[^}]*\})) from )?"\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|(?:async )?function) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_TEXT = re.compile(r'\b(?:say\(|amount\([^"]*?,)\s*("(?:[^"\\]|\\.)*")')
_COMMENT = re.compile(r"(^|(?<=[;,{(]) )//.*")
_TEXT_IN_LINE = re.compile(r'("(?:[^"\\]|\\.)*"|`[^`]*`)')
_NESTED = re.compile(r"\$\{[^}`]*`")
_BREAK = re.compile(r"(?<=[,(\[])\n")
_SLASH = re.compile(r"(?<! )/|/(?! )")
_SPACES = re.compile(r"(?<=[=*?:<>{},()|&;]) | (?=[-+!]?[=*?:<>{},()|&]|[-+] )|(?<=[-+]) (?![-+])")


@cache
def bundle(entry: str) -> str:
    """Return the script of a page that begins with a module, and all that it imports, each before those that import it.

    Raises
    ------
    ValueError
        A module imports itself by way of others, or uses other syntax of modules.
    """
    modules: dict[str, str | None] = {}
    _add(entry, modules)
    return '"use strict";\n' + "\n".join(filter(None, modules.values()))


def texts(script: str) -> set[str]:
    """Return the English texts that a script, or a module of it, gives to ``say`` and ``amount``.

    Examples
    --------
    >>> sorted(texts('say("Undo"), amount(list.length, "{count} move")'))
    ['Undo', '{count} move']
    """
    return set(map(json.loads, _TEXT.findall(script)))


def _add(name: str, modules: dict[str, str | None]) -> None:
    modules[name] = None
    source = static_file(f"{name}.js")
    bindings = []
    for alias, names, imported in _IMPORT.findall(source):
        if imported not in modules:
            _add(imported, modules)
        if modules[imported] is None or alias not in ("", imported.capitalize()):
            raise ValueError(f"{name}.js: imports {imported}.js in a circle, or under another name than its own")
        if names:
            bindings.append(f"const {names} = {imported.capitalize()};")
    body, exports = _EXPORT.sub("", _IMPORT.sub("", source)), ", ".join(_EXPORT.findall(source))
    if other := _OTHER.search(body):
        raise ValueError(f"{name}.js: {other[0]}: see bundle.py for what a module may import and export")
    inner = "\n".join([*bindings, body, f"return {{ {exports} }};"])
    del modules[name]  # it stands after what it imports
    modules[name] = _bare(f"const {name.capitalize()} = (() => {{\n{inner}\n}})();")


@cache
def static_file(name: str) -> str:
    """Return the text of a file of pages."""
    return files(__package__).joinpath("static", name).read_text(encoding="utf-8")


def _bare(script: str) -> str:
    """Return a script without indentation, comments, spaces beside signs, and breaks inside lists and brackets."""
    lines = (_COMMENT.sub("", line.strip()) for line in script.split("\n"))
    return _BREAK.sub("", "\n".join(map(_dense, filter(None, lines))))


def _dense(line: str) -> str:
    """Return a line without spaces beside signs, unless it may have a regular expression or nested templates."""
    parts = _TEXT_IN_LINE.split(line)
    if _NESTED.search(line) or any(map(_SLASH.search, parts[::2])):
        return line
    return "".join(part if place % 2 else _SPACES.sub("", part) for place, part in enumerate(parts))
