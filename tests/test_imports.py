"""How modules import each other: the order of rooms is held by import-linter, what stands inside functions by this."""

import ast
import tomllib
from pathlib import Path

import pytest

import graphgame

PACKAGE = Path(graphgame.__file__).parent

REASONS = {
    ("__main__", "graphgame.cli"): "Ctrl-C ends the command cleanly even while the libraries load",
    ("__main__", "graphgame.cli.process"): "likewise",
    (
        "io.formats",
        "graphgame.graph.gamegraph",
    ): "to tell the format of a file, or to solve it by its arrays, takes no networkx",
    ("io.formats", "graphgame.io"): "a format is loaded when a file of it is met",
    ("solution.__init__", "graphgame.solution.loopy"): "most graphs have no cycle",
}


def imported_from(node: ast.AST) -> list[str]:
    """Return the modules from which an import takes names: ``import a.b`` takes b from a."""
    match node:
        case ast.ImportFrom(module=str(module)):
            return [module]
        case ast.Import(names=names):
            return [alias.name.rpartition(".")[0] for alias in names]
    return []


def imports_in_functions(tree: ast.Module) -> set[str]:
    return {
        module
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        for node in ast.walk(function)
        for module in imported_from(node)
        if module.startswith("graphgame")
    }


MODULES = [path for path in sorted(PACKAGE.rglob("*.py")) if "cli" not in path.relative_to(PACKAGE).parts]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_the_package_at_its_top(path):
    name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
    found = {(name, module) for module in imports_in_functions(ast.parse(path.read_text(encoding="utf-8")))}
    assert found == {exception for exception in REASONS if exception[0] == name}


def imports_for_types(tree: ast.Module) -> list[str]:
    """Return the modules of the package that are imported for type checkers alone."""
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)]
    nodes = [node for block in blocks for node in ast.walk(block) if isinstance(node, ast.ImportFrom)]
    return [node.module for node in nodes if node.module and node.module.startswith("graphgame.")]


def test_imports_for_types_go_down_as_well():
    """import-linter leaves them out: those of the package itself, which name everything, would lead anywhere."""
    (contract,) = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    height = {room: -place for place, room in enumerate(contract["layers"])}
    found = [
        (room, module)
        for path in sorted(PACKAGE.rglob("*.py"))
        if (room := path.relative_to(PACKAGE).parts[0].removesuffix(".py")) in height
        for module in imports_for_types(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert len(found) > 20
    assert [(room, module) for room, module in found if height[module.split(".")[1]] > height[room]] == []


def test_the_exceptions_are_few():
    assert len({name for name, _ in REASONS}) <= 4


def test_the_top_level_is_one_screen():
    entries = [
        entry.name for entry in PACKAGE.iterdir() if entry.suffix in (".py", ".typed") or any(entry.glob("*.py"))
    ]
    assert len(entries) <= 22
