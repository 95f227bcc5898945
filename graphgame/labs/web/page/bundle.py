"""Bundle the ES modules in ``static`` into the script of a page, and find the texts in it.

A page is one file that loads nothing, so its modules are joined, each after those that it imports. A module becomes a
constant with its exports. Modules must not import each other in a circle, and may use only this syntax::

    import * as Game from "./game.js";
    import { say } from "./text.js";
    import "./page.js";
    export const size = 3;
    export function options(v) {
    export async function load() {
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
    """Return a script with a module and all modules that it imports, each after its own imports.

    Raises
    ------
    ValueError
        Modules import each other in a circle, import a whole module under another name than its own (``Game`` for
        ``game.js``), or use a syntax of imports and exports that is not listed in the docstring of this file.
    """
    modules: dict[str, str | None] = {}
    _add(entry, modules)
    return '"use strict";\n' + "\n".join(filter(None, modules.values()))


def texts(script: str) -> set[str]:
    """Return the English texts that a script passes to its functions ``say`` and ``amount``, for translation.

    Of the two texts that ``amount`` may get, only the singular is returned: it is the key of the translation.

    Examples
    --------
    >>> sorted(texts('say("Undo"), amount(list.length, "{count} move")'))
    ['Undo', '{count} move']
    """
    return set(map(json.loads, _TEXT.findall(script)))


def _add(name: str, modules: dict[str, str | None]) -> None:
    """Add the script of the module ``name`` to ``modules`` (name -> script), after all modules that it imports.

    While these modules are added, the script of ``name`` is None. The errors are those of :func:`bundle`.
    """
    # None marks a module whose imports are being added. If one of these imports has the mark, there is a circle.
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
    # A dictionary keeps the order of insertion: insert the module again, to put it after its imports.
    del modules[name]
    modules[name] = _bare(f"const {name.capitalize()} = (() => {{\n{inner}\n}})();")


@cache
def static_file(name: str) -> str:
    """Return the text of a file in ``static``."""
    return files(__package__).joinpath("static", name).read_text(encoding="utf-8")


def _bare(script: str) -> str:
    """Return a script without indentation and comments, and without most of the spaces that it does not need."""
    lines = (_COMMENT.sub("", line.strip()) for line in script.split("\n"))
    return _BREAK.sub("", "\n".join(map(_dense, filter(None, lines))))


def _dense(line: str) -> str:
    """Return a line of a script without the spaces beside operators, except those within strings.

    A line that may contain a regular expression or a nested template is returned unchanged.
    """
    # Do not change a line that may have a regular expression or nested templates: spaces in these can matter, and the
    # patterns here are too simple to recognize them.
    parts = _TEXT_IN_LINE.split(line)
    if _NESTED.search(line) or any(map(_SLASH.search, parts[::2])):
        return line
    return "".join(part if index % 2 else _SPACES.sub("", part) for index, part in enumerate(parts))
