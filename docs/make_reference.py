"""Write the API reference: ``python docs/make_reference.py`` makes docs/reference.md from signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import graphgame

PAGE = Path(__file__).parent / "reference.md"

HEAD = """# Reference

The public names of `graphgame`, by module; this page is written by `python docs/make_reference.py`.
`help(graphgame.solve)` shows the parameters of a name, its errors, its cost and an example.
"""


def page() -> str:
    """Return the text of the page."""
    lines = [HEAD]
    for module, names in graphgame._PUBLIC.items():
        lines += [f"## graphgame.{module}", ""]
        for name in names.split():
            lines += entry(name, getattr(graphgame, name))
    return "\n".join(lines).rstrip() + "\n"


def entry(name: str, value: object) -> Iterator[str]:
    """Yield the lines about a public name: what it is, and the methods of a class."""
    yield from (f"### {name}", "", f"`{signature(name, value)}`", "", summary(value), "")
    rows = list(members(value)) if inspect.isclass(value) else []
    if rows:
        yield from ("| | |", "|---|---|", *rows, "")


def members(kind: type) -> Iterator[str]:
    """Yield a row of a table for each public method and property that a class documents itself."""
    for name, member in vars(kind).items():
        value = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        own = inspect.isfunction(value) and value.__module__.startswith("graphgame.")
        if not name.startswith("_") and (own or isinstance(value, (property, cached_property))):
            yield f"| `{signature(name, value) if own else name}` | {summary(value)} |"


def signature(name: str, value: object) -> str:
    """Return a name with its parameters, without their types."""
    if not callable(value) or (inspect.isclass(value) and issubclass(value, BaseException)):
        return name
    try:
        found = inspect.signature(value)
    except ValueError:
        return name
    bare = [
        part.replace(annotation=inspect.Parameter.empty) for part in found.parameters.values() if part.name != "self"
    ]
    text = str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    return name + re.sub(r"<class '(.+?)'>", r"\1", text)


def summary(value: object) -> str:
    """Return the first paragraph of a docstring on one line, reStructuredText turned into Markdown."""
    first = (inspect.getdoc(value) or "").split("\n\n")[0]
    return re.sub(r"``(.+?)``|:\w+:`~?(.+?)`", lambda match: f"`{match[1] or match[2]}`", " ".join(first.split()))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
