"""How the package is laid out: what CONTRIBUTING.md says of its modules holds."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "graphgame"

CONVENTIONS = {
    "main": ("__main__", "export/layout_process", "cli/__init__"),  # where a process starts
    "command": ("cli/",),  # one a file
    "read": ("io/",),  # what a format's module has
    "write": ("io/",),
    "scan": ("io/",),
    "solve": ("scale/disk/", "scale/spark/"),  # their faces are those of the root
    "verify": ("scale/spark/",),
    "explore": ("scale/spark/",),
    "find_cycle": ("arrays/backend/functions",),  # networkx's name
}
"""Names that several modules define, and where they may be defined once more."""


def public_names(source: str) -> Iterator[str]:
    """Yield the public names that a module defines at its top."""
    for node in ast.parse(source).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names = [name]
            case ast.Assign(targets=targets):
                names = [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                names = [name]
            case _:
                names = []
        yield from (name for name in names if not name.startswith("_"))


@pytest.fixture(scope="module")
def modules_of() -> dict[str, set[str]]:
    """Return the modules that define each public name."""
    found = defaultdict(set)
    for path in sorted(PACKAGE.rglob("*.py")):
        for name in public_names(path.read_text(encoding="utf-8")):
            found[name].add(path.relative_to(PACKAGE).with_suffix("").as_posix())
    return found


class TestOneNameForOneThing:
    def test_a_public_name_is_defined_in_one_module(self, modules_of):
        twice = {}
        for name, modules in modules_of.items():
            counted = sorted(module for module in modules if not module.startswith(CONVENTIONS.get(name, "-")))
            if len(counted) > 1:
                twice[name] = counted
        assert twice == {}

    @pytest.mark.parametrize(("name", "places"), CONVENTIONS.items())
    def test_each_convention_is_needed(self, modules_of, name, places):
        assert len(modules_of[name]) > 1
        assert all(any(module.startswith(place) for module in modules_of[name]) for place in places)

    @pytest.mark.parametrize(
        ("source", "names"),
        [
            ("def f(): pass\nclass C: x = 1\n_y = 2", ["f", "C"]),
            ("a = b = 1\nc: int = 2\n(d, e) = 3, 4\nfrom m import g", ["a", "b", "c", "d", "e"]),
        ],
    )
    def test_names_are_found(self, source, names):
        assert list(public_names(source)) == names
