"""Write the API reference: ``python docs/make_reference.py`` makes docs/reference.md from signatures and docstrings."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache, cached_property
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import graphgame

PAGE = Path(__file__).parent / "reference.md"

MODULES = (
    "games",
    "labs.laws.laws",
    "rules.declared",
    "labs.heaps",
    "labs.heaps.study",
    "io",
    "play",
    "solution.results",
    "rules.pictures",
    "labs.scale.disk",
    "labs.scale.generators",
    "labs.scale.spark",
    "labs.theory.compounds",
    "labs.misere",
    "solution.statistics",
)
"""All names of these are public; of other modules, those that are at the root."""

HEAD = """# Reference

All public names, by the module that defines them, each as it is reached: `graphgame.solve` is at the root, where it is
imported when it is first used; `graphgame.labs.heaps.octal` needs `import graphgame.labs.heaps`. This page is written
by `python docs/make_reference.py`. `help(graphgame.solve)` shows the parameters of a name, its errors, its cost and an
example.
"""


def page() -> str:
    """Return the text of the page."""
    lines = [HEAD]
    for module, names in public_names().items():
        lines += [f"## graphgame.{module}", ""]
        for name in names:
            lines += entry(import_module(f"graphgame.{module}"), name)
    return "\n".join(lines).rstrip() + "\n"


def public_names() -> dict[str, list[str]]:
    """Return the public names of each module."""
    found = {module: names.split() for module, names in graphgame._PUBLIC.items()}
    for module in MODULES:
        own = import_module(f"graphgame.{module}")
        found.setdefault(module, []).extend(name for name in own.__all__ if not at_root(name, getattr(own, name)))
    return dict(sorted((module, sorted(names)) for module, names in found.items()))


def entry(module: ModuleType, name: str) -> Iterator[str]:
    """Yield the lines about a public name: how it is reached, what it is, and the methods of a class."""
    value = getattr(module, name)
    path = "graphgame" if at_root(name, value) else module.__name__
    about = inspect.getdoc(value) if is_defined(value) else note(module, name)
    yield from (f"### {name}", "", f"`{signature(f'{path}.{name}', value)}`", "", first_paragraph(about), "")
    rows = list(members(value)) if inspect.isclass(value) else []
    if rows:
        yield from ("| | |", "|---|---|", *rows, "")


def members(kind: type) -> Iterator[str]:
    """Yield a row of a table for each public method and property of a class, and of its bases that no page is about."""
    documented: dict[str, object] = {}
    for base in kind.__mro__:
        if base is kind or (base.__module__.startswith("graphgame.") and base not in documented_classes()):
            documented |= {name: member for name, member in vars(base).items() if name not in documented}
    for name, member in documented.items():
        value = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        own = inspect.isfunction(value) and value.__module__.startswith("graphgame.") and value.__name__ == name
        if not name.startswith("_") and (own or isinstance(value, (property, cached_property))):
            yield f"| `{signature(name, value) if own else name}` | {first_paragraph(inspect.getdoc(value))} |"


@cache
def documented_classes() -> set[type]:
    """Return the classes that the page is about."""
    named = ((import_module(f"graphgame.{module}"), names) for module, names in public_names().items())
    return {value for module, names in named for name in names if inspect.isclass(value := getattr(module, name))}


def at_root(name: str, value: object) -> bool:
    """Tell whether ``graphgame.NAME`` is this value."""
    return name in graphgame.__all__ and getattr(graphgame, name) is value


def is_defined(value: object) -> bool:
    """Tell whether a value is a class or a function, which has its own docstring, and no constant."""
    return inspect.isclass(value) or inspect.isfunction(value)


def note(module: ModuleType, name: str) -> str:
    """Return the text below the assignment of a constant, wherever a module has it from."""
    body = ast.parse(inspect.getsource(module)).body
    flat = [inner for statement in body for inner in (statement.body if isinstance(statement, ast.If) else [statement])]
    for statement, after in pairwise([*flat, ast.Pass()]):
        if isinstance(statement, ast.ImportFrom) and any(alias.name == name for alias in statement.names):
            return note(import_module(str(statement.module)), name)
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return str(after.value.value) if isinstance(after, ast.Expr) else ""
    return ""


def signature(name: str, value: object) -> str:
    """Return a name with its parameters, without their types."""
    if not is_defined(value) or (inspect.isclass(value) and issubclass(value, BaseException)):
        return name
    try:
        found = inspect.signature(value)
    except ValueError:
        return name
    bare = [
        part.replace(annotation=inspect.Parameter.empty) for part in found.parameters.values() if part.name != "self"
    ]
    text = str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    return name + re.sub(r"<class '(.+?)'>", r"\1", re.sub(r"<function .+? at \w+>", "...", text))


def first_paragraph(text: str | None) -> str:
    """Return the first paragraph of a docstring on one line, reStructuredText turned into Markdown."""
    first = (text or "").split("\n\n")[0]
    return re.sub(r"``(.+?)``|:\w+:`~?(.+?)`", lambda match: f"`{match[1] or match[2]}`", " ".join(first.split()))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
