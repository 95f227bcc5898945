"""The reference of the website: a page for each public name, from its docstring; ``docs/make_site.py`` writes it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

import graphgame

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

ABOUT = (
    "The help of every command, and all public names by the module that defines them. Each name is shown as it is "
    "reached: ``graphgame.solve`` is at the root, where it is imported when it is first used; "
    "``graphgame.labs.heaps.octal`` needs ``import graphgame.labs.heaps``."
)


def public_names() -> dict[str, list[str]]:
    """Return the public names of each module."""
    found = {module: names.split() for module, names in graphgame._PUBLIC.items()}
    for module in MODULES:
        own = import_module(f"graphgame.{module}")
        found.setdefault(module, []).extend(name for name in own.__all__ if not at_root(name, getattr(own, name)))
    return dict(sorted((module, sorted(names)) for module, names in found.items()))


def at_root(name: str, value: object) -> bool:
    """Tell whether ``graphgame.NAME`` is this value."""
    return name in graphgame.__all__ and getattr(graphgame, name) is value


def write(folder: Path) -> None:
    """Write a page for each public name, one for each module, and one that leads to these and to the commands."""
    folder.mkdir()
    names_of = public_names()
    for module, names in names_of.items():
        paths = [path_of(module, name) for name in names]
        for name, path in zip(names, paths, strict=True):
            (folder / f"{module}.{name}.rst").write_text("\n".join(name_page(name, path)), encoding="utf-8")
        table = [".. autosummary::", "   :nosignatures:", "", *(f"   ~{path}" for path in paths), ""]
        pages = [f"{module}.{name}" for name in names]
        text = "\n".join([title(module), f"``graphgame.{module}``", "", *table, *toctree(pages, ":hidden:")])
        (folder / f"{module}.rst").write_text(text, encoding="utf-8")
    index = "\n".join([title("Reference"), ABOUT, "", *toctree(["commands", *names_of], ":maxdepth: 1")])
    (folder / "index.rst").write_text(index, encoding="utf-8")


def path_of(module: str, name: str) -> str:
    """Return how a public name is reached."""
    value = getattr(import_module(f"graphgame.{module}"), name)
    return f"graphgame.{name}" if at_root(name, value) else f"graphgame.{module}.{name}"


def name_page(name: str, path: str) -> Iterator[str]:
    """Yield the page about a public name, its signature and docstring as autodoc shows them."""
    module = path.rpartition(".")[0]
    value = getattr(import_module(module), name)
    yield from (title(name), f".. currentmodule:: {module}", "")
    if inspect.isclass(value):
        yield f".. autoclass:: {name}"
    elif inspect.isfunction(value):
        yield f".. autofunction:: {name}"
    else:
        yield f".. autodata:: {name}\n   :no-value:"


def toctree(pages: Iterable[str], option: str) -> list[str]:
    """Return the lines that lead to pages."""
    return [".. toctree::", f"   {option}", "", *(f"   {page}" for page in pages)]


def title(text: str, line: str = "=") -> str:
    """Return a heading as reStructuredText."""
    return f"{text}\n{line * len(text.encode())}\n"
