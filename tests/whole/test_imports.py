"""Imports between modules: import-linter checks the order of the rooms, these tests check imports inside functions."""

import ast
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

import graphgame

PACKAGE = Path(graphgame.__file__).parent

REASONS = {
    ("__main__", "graphgame.cli"): "Ctrl-C ends the command cleanly even while the libraries load",
    ("__main__", "graphgame.cli.process"): "likewise",
    (
        "io.format",
        "graphgame.graph.gamegraph",
    ): "to tell the format of a file, or to solve it by its arrays, takes no networkx",
    ("compiled.compiling", "graphgame.compiled"): "what calls LLVM is loaded where a loop is compiled",
    ("solution.solve", "graphgame.solution.loopy"): "most graphs have no cycle",
    ("rules.position", "graphgame.rules.component_graphs"): "a theorem's answer takes neither networkx nor numpy",
    ("rules.position", "graphgame.solution.solve"): "likewise",
    ("rules.position", "graphgame.solution.sums"): "likewise",
}


@cache
def modules() -> list[tuple[str, ast.Module]]:
    """Return the name of each module below the package, and its syntax tree."""
    return [
        (
            ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"),
            ast.parse(path.read_text(encoding="utf-8")),
        )
        for path in sorted(PACKAGE.rglob("*.py"))
    ]


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


def test_a_module_imports_the_package_at_its_top():
    """Those of commands are left out: what only their bodies need is imported there."""
    found = {
        (name, module)
        for name, tree in modules()
        if "cli" not in name.split(".")
        for module in imports_in_functions(tree)
    }
    assert found == set(REASONS)


def imports_for_types(tree: ast.Module) -> list[str]:
    """Return the modules of the package that are imported for type checkers alone."""
    blocks = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    ]
    nodes = [node for block in blocks for node in ast.walk(block) if isinstance(node, ast.ImportFrom)]
    return [node.module for node in nodes if node.module and node.module.startswith("graphgame.")]


def test_imports_for_types_go_down_as_well():
    """import-linter leaves them out: those of the package itself, which name everything, would lead anywhere."""
    contracts = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    for contract in contracts:
        (container,) = contract["containers"]
        height = {f"{container}.{room}": -place for place, room in enumerate(contract["layers"])}
        depth = container.count(".") + 2

        def room_of(module: str, depth: int = depth) -> str:
            return ".".join(module.split(".")[:depth])

        found = [
            (f"graphgame.{name}", module)
            for name, tree in modules()
            if room_of(f"graphgame.{name}") in height
            for module in imports_for_types(tree)
            if room_of(module) in height
        ]
        assert len(found) > 20
        assert [pair for pair in found if height[room_of(pair[1])] > height[room_of(pair[0])]] == []


def test_top_level_fits_on_one_screen():
    entries = [
        entry.name for entry in PACKAGE.iterdir() if entry.suffix in (".py", ".typed") or any(entry.glob("*.py"))
    ]
    assert len(entries) <= 16


def test_few_exceptions():
    assert len({name for name, _ in REASONS}) <= 5


LISTS_SLOW_MODULES = """
import sys
from graphgame.__main__ import main
try:
    main()
except SystemExit as end:
    assert not end.code
print(sorted({"networkx", "numpy", "numba", "pydot"} & sys.modules.keys()))
"""


@pytest.mark.parametrize(
    ("arguments", "loaded"),
    [
        (["--help"], []),
        (["solve", "--help"], []),
        (["solve", "samples/chips.txt", "--verdict"], []),
        (["solve", "nim(3,4,5)", "--verdict"], []),
        (["solve", "nim(1,1,1)", "--misere", "--verdict"], []),
        (["solve", "samples/chips.txt"], ["networkx", "numpy"]),
    ],
)
def test_a_short_command_loads_no_slow_library(arguments, loaded):
    command = [sys.executable, "-c", LISTS_SLOW_MODULES, *arguments]
    done = subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == str(loaded)
