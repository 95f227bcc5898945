"""How modules import each other: the order of rooms is held by import-linter, what stands inside functions by this."""

import ast
from pathlib import Path

import pytest

import graphgame

PACKAGE = Path(graphgame.__file__).parent

REASONS = {
    ("__main__", "graphgame.cli"): "Ctrl-C ends the command cleanly even while the libraries load",
    ("__main__", "graphgame.cli.process"): "likewise",
    ("graph", "graphgame.export.notebook"): "a notebook asks the object itself for its picture",
    ("graph", "graphgame.games.sources"): "a position, a text or a file becomes a graph",
    ("io.formats", "graphgame.graph"): "to tell the format of a file, or to solve it by its arrays, takes no networkx",
    ("io.formats", "graphgame.io"): "a format is loaded when a file of it is met",
    ("io.values", "graphgame.io"): "likewise, values in Parquet",
    ("rules.position", "graphgame.games.sources"): "a text or a file becomes a position",
    ("solution", "graphgame.loopy.solution"): "a graph with a cycle becomes a LoopySolution, which is a Solution",
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


def test_the_exceptions_are_few():
    assert len({name for name, _ in REASONS}) <= 6


def test_the_top_level_is_one_screen():
    entries = [
        entry.name for entry in PACKAGE.iterdir() if entry.suffix in (".py", ".typed") or any(entry.glob("*.py"))
    ]
    assert len(entries) <= 22
