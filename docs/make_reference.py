"""Make the website's reference, a page for each public name from its docstring; ``docs/make_site.py`` calls it."""

from __future__ import annotations

import inspect
import sys
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
    "labs.theory",
    "labs.theory.nimbers",
    "labs.tables",
    "labs.misere",
    "labs.verification",
    "drawing",
    "errors",
    "solution.statistics",
)
"""Modules whose names in ``__all__`` are all public. Of other modules, only the names at the root are public."""

TASKS = {
    "Solve": ("solution.solve", "solution.results", "solution.sprague_grundy", "solution.statistics"),
    "Explain": ("text.positions", "text.languages"),
    "Load and write": ("graph.gamegraph", "io", "io.values", "labs.formats.values"),
    "Games and positions": ("rules.notation", "rules.position", "games"),
    "Rules of your own": (
        "rules.ruleset",
        "rules.exploration",
        "rules.checking",
        "labs.coded",
        "labs.bitboards.placement",
    ),
    "Draw": ("drawing", "rules.pictures", "labs.web.page"),
    "Play": ("play",),
    "Heap games": ("labs.heaps", "labs.heaps.study"),
    "Tables and single positions": ("labs.tables", "labs.tables.value_tables", "labs.search"),
    "Misère play": ("labs.misere",),
    "Theory": ("labs.theory", "labs.theory.nimbers"),
    "Laws": ("labs.laws.laws", "rules.declared"),
    "Check results": ("labs.verification", "labs.verification.verification", "labs.verification.certification"),
    "Large graphs": ("labs.scale.disk", "labs.scale.generators", "labs.scale.spark"),
    "Errors and warnings": ("errors",),
}
"""Task -> the modules with the names for this task."""

ABOUT = (
    "The help of :doc:`every command <commands>`, and all public names by task. The page of a name has its full path. "
    "Write ``import graphgame`` to use ``graphgame.solve`` or ``graphgame.heaps.octal``, or "
    "``from graphgame import heaps`` to use ``heaps.octal``."
)


def public_names() -> dict[str, list[str]]:
    """Return the public names of each module."""
    found = {module: names.split() for module, names in graphgame._PUBLIC.items()}
    for module in MODULES:
        own = import_module(f"graphgame.{module}")
        found.setdefault(module, []).extend(name for name in own.__all__ if not at_root(name, getattr(own, name)))
    return {module: sorted(names, key=functions_first) for module, names in sorted(found.items())}


def functions_first(name: str) -> tuple[bool, str]:
    """Return a sort key: functions before classes, then alphabetical."""
    return name[:1].isupper(), name


def at_root(name: str, value: object) -> bool:
    """Return True if ``graphgame.NAME`` is this value."""
    return name in graphgame.__all__ and getattr(graphgame, name) is value


def write(folder: Path) -> None:
    """Write a page for each public name, a page for each task, and an index of tasks and commands."""
    folder.mkdir()
    names_of = public_names()
    if names_of.keys() != (of_tasks := {module for modules in TASKS.values() for module in modules}):
        raise SystemExit(f"TASKS must name each public module once: see {sorted(names_of.keys() ^ of_tasks)}")
    sections, pages = [], []
    for task, modules in TASKS.items():
        names = [(module, name) for module in modules for name in names_of[module]]
        for module, name in names:
            (folder / f"{module}.{name}.rst").write_text("\n".join(name_page(module, name)), encoding="utf-8")
        rows = (f"   * - :obj:`~{path_of(module, name)}`\n     - {summary(module, name)}" for module, name in names)
        table = [".. list-table::", "   :widths: 30 70", "", *rows, ""]
        pages.append(task.lower().replace(" ", "-").replace("è", "e"))
        children = toctree([f"{module}.{name}" for module, name in names], ":hidden:")
        (folder / f"{pages[-1]}.rst").write_text("\n".join([title(task), *table, *children]), encoding="utf-8")
        sections += [title(task, "-"), *table]
    index = [title("Reference"), ABOUT, "", *sections, *toctree(["commands", *pages], ":hidden:")]
    (folder / "index.rst").write_text("\n".join(index), encoding="utf-8")


def value_of(module: str, name: str) -> object:
    """Return the object of a name in a module, which is given without ``graphgame.``."""
    return getattr(import_module(f"graphgame.{module}"), name)


def path_of(module: str, name: str) -> str:
    """Return the full path of a public name, as a user writes it: ``graphgame.heaps.octal``."""
    if at_root(name, value_of(module, name)):
        return f"graphgame.{name}"
    for public, home in graphgame._PACKAGES.items():
        if f"{module}.".startswith(f"{home}."):
            module = public + module.removeprefix(home)
    return f"graphgame.{module}.{name}"


def summary(module: str, name: str) -> str:
    """Return the first paragraph of the docstring of a public name."""
    value = value_of(module, name)
    doc = inspect.getdoc(value) if inspect.isclass(value) or inspect.isroutine(value) else doc_of_data(name, value)
    if not doc:
        raise SystemExit(f"{path_of(module, name)} has no docstring")
    return " ".join(doc.partition("\n\n")[0].split())


def doc_of_data(name: str, value: object) -> str:
    """Return the text below the assignment of a constant, in the module that assigns it; an empty text without one."""
    from sphinx.pycode import ModuleAnalyzer  # imported here, because a test reads MODULES without Sphinx

    for module in [key for key in sys.modules if key.startswith("graphgame.")]:
        if vars(sys.modules[module]).get(name) is value:
            analyzer = ModuleAnalyzer.for_module(module)
            analyzer.analyze()
            if lines := analyzer.attr_docs.get(("", name)):
                return "\n".join(lines).strip()
    return ""


def name_page(home: str, name: str) -> Iterator[str]:
    """Yield the lines of the page about a public name; autodoc adds its signature and docstring."""
    module = path_of(home, name).rpartition(".")[0]
    value = value_of(home, name)
    heading = name if module == "graphgame" else f"{module.rpartition('.')[2]}.{name}"
    yield from (title(heading), f".. currentmodule:: {module}", "")
    if inspect.isclass(value):
        yield f".. autoclass:: {name}"
    elif inspect.isfunction(value):
        yield f".. autofunction:: {name}"
    else:
        yield from (f".. data:: {name}", "", *(f"   {line}" for line in doc_of_data(name, value).split("\n")))


def toctree(pages: Iterable[str], option: str) -> list[str]:
    """Return the lines of a toctree of pages."""
    return [".. toctree::", f"   {option}", "", *(f"   {page}" for page in pages)]


def title(text: str, line: str = "=") -> str:
    """Return a heading as reStructuredText."""
    return f"{text}\n{line * len(text.encode())}\n"
