"""Each lab can be deleted, or all at once: the core still works, and says what is missing."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import graphgame
from graphgame.registry import LAB_OF_COMMAND, LABS
from tests import ROOT
from tests.whole.test_imports import modules

PACKAGE = ROOT / "graphgame"
INSTALLED = ("networkx", "pydot", "numpy", "click", "pytest", "pytest-xdist", "hypothesis")
"""What the core needs, and what its tests need."""

ALONE = """
import sys
sys.path[:] = [path for path in sys.path if not path.endswith(("site-packages", "dist-packages"))]
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in getattr(finder, "__module__", "")]
"""
"""Hides all other libraries, and an editable installation, in which Python would find what is deleted."""

QUICK = ["tests/core/rules", "tests/core/text"]
"""Tests of the core that take a few seconds."""

CORE = """
import sys
from importlib import import_module
from pkgutil import walk_packages

import graphgame

for module in walk_packages(graphgame.__path__, "graphgame."):
    if not module.name.startswith(("graphgame.labs", "graphgame.__main__", "graphgame.compiled.code_generation")):
        import_module(module.name)
"""
"""Imports every module of the core but the one that is numba's."""

COMMANDS = """
from click.testing import CliRunner
from graphgame.cli import main
from graphgame.registry import LAB_OF_COMMAND, LABS, missing_labs

def run(*words):
    return CliRunner().invoke(main, words)

names = missing_labs()
for words in (
    "--help", "games", "solve nim(3,4)", "explain cutting(4x2)", "draw nim(2) -o a.dot", "convert nim(2) a.edges",
    "check nim(2)", "stats a.edges", "solve a.edges --values a.csv",
):
    done = run(*words.split())
    assert done.exit_code == 0, (words, done.output, done.exception)
for command, lab in LAB_OF_COMMAND.items():
    if lab in names:
        done = run(command, "nim(2)")
        assert (done.exit_code, done.stderr.count("\\n")) == (2, 1), (command, done.output, done.exception)
        assert f"graphgame.labs.{lab}, " in done.stderr, done.stderr
for words in (
    "heap 0.77 -n 9", "misere nim(2)", "search nim(2)", "values nim(0..3)", "law nim(a)", "nimber 2*3",
    "reduce a.edges",
    "verify a.edges a.csv", "certificate a.edges -o b.csv", "generate path --vertices 4", "judge --help",
    "serve --help",
    "spark --help", "draw nim(2) -o a.html", "draw nim(3) -o a.svg --layout layers", "solve nim(2) --misere",
    "explain nim(1,2) --misere",
    "solve kayles(3)+wythoff(1,2)", "convert a.edges a.graphml", "convert a.dot b.edges",
):
    done = run(*words.split())
    told = done.stderr.rstrip().splitlines()
    named = done.exit_code == 2 and any(lab in told[0] for lab in names)
    assert named or done.exit_code == 0, (words, done.output, done.exception)
    assert done.exception is None or isinstance(done.exception, SystemExit), (words, done.exception)
"""
"""Runs commands of the core, which work, and of the labs, which work or name a lab that is missing, in one line."""


def installed_without(labs, folder):
    """Copy the package into a folder, delete labs of it, and return an environment in which Python finds this copy."""
    shutil.copytree(PACKAGE, folder / "graphgame", ignore=shutil.ignore_patterns("__pycache__"))
    for lab in labs:
        shutil.rmtree(folder / "graphgame" / "labs" / lab)
    if len(labs) == len(LABS):
        shutil.rmtree(folder / "graphgame" / "labs")
    libraries = folder / "libraries"
    libraries.mkdir()
    for part in parts_of(*INSTALLED):
        (libraries / part.name).symlink_to(part)
    (folder / "sitecustomize.py").write_text(ALONE)
    metadata = folder / "graphgame_toolkit-0.dist-info" / "METADATA"  # comes first, and has no entry points of labs
    metadata.parent.mkdir()
    metadata.write_text("Name: graphgame-toolkit\nVersion: 0\n")
    return {
        **os.environ,
        "PYTHONPATH": f"{folder}{os.pathsep}{libraries}",
        "PATH": str(commands_without_graphviz(folder / "bin")),
    }


def parts_of(*names):
    """Return the files and folders of distributions, and of those that they require."""
    names, parts = list(names), set()
    for name in names:  # grows meanwhile
        found = distribution(name)
        roots = {file.parts[0] for file in found.files} - {"..", "__pycache__"}
        parts |= {Path(found.locate_file(root)) for root in roots}
        wanted = filter(is_required, map(Requirement, found.requires or ()))
        names += [requirement.name for requirement in wanted if requirement.name not in names]
    return parts


def is_required(requirement):
    return requirement.marker is None or requirement.marker.evaluate({"extra": ""})


def commands_without_graphviz(folder):
    """Make a folder of links to all commands but ``dot``."""
    folder.mkdir()
    for path in (file for place in os.get_exec_path() if Path(place).is_dir() for file in Path(place).iterdir()):
        if path.name != "dot" and not (folder / path.name).is_symlink():
            (folder / path.name).symlink_to(path)
    return folder


def run_tests(tests, folder, env):
    """Run tests of the core in a copy; what they skip needs a library that is hidden."""
    leave = shutil.ignore_patterns("__pycache__", "labs", "whole")
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=leave)
    for name in ("docs", "samples"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder)
    env = {name: value for name, value in env.items() if not name.startswith(("GRAPHGAME", "PYTEST"))}
    command = [sys.executable, "-m", "pytest", *tests, "-q", "-n", "2", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
    skipped = re.findall(r"(?:skipped|;) \d+ tests?: ([^;\n]*)", done.stdout)
    assert [reason for reason in skipped if not re.search(r"needs \S+: pip install ", reason)] == []


def run(program, folder, env):
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


def test_labs_are_the_folders():
    folders = {path.name for path in (PACKAGE / "labs").iterdir() if (path / "__init__.py").exists()}
    assert folders == set(LABS)
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    assert folders == set(contracts[1]["layers"]) - {"coded", "records", "shared_rules"}
    assert set(LAB_OF_COMMAND.values()) <= folders


def test_the_core_imports_no_lab():
    """What a lab offers is named by the lab; the package's own names are for type checkers, and imported when used."""
    found = [
        (name, module)
        for name, tree in modules()
        if not name.startswith("labs") and name != "__init__"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom | ast.Import)
        for module in [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
        if module.startswith("graphgame.labs")
    ]
    assert found == []


@pytest.mark.parametrize(
    "labs", [*(pytest.param([lab], marks=pytest.mark.long, id=lab) for lab in LABS), pytest.param(list(LABS), id="all")]
)
def test_without_a_lab(labs, tmp_path):
    """All modules of the core can be imported, its commands work, and those of the labs say what is missing."""
    env = installed_without(labs, tmp_path)
    run(CORE + COMMANDS + f"assert set(missing_labs()) == set({labs})", tmp_path, env)


@pytest.mark.long
@pytest.mark.parametrize("lab", LABS)
def test_quick_tests_of_the_core_pass_without_a_lab(lab, tmp_path):
    run_tests(QUICK, tmp_path, installed_without([lab], tmp_path))


@pytest.mark.long
def test_all_tests_of_the_core_pass_without_labs_and_libraries(tmp_path):
    """All but the long ones, with networkx, pydot, numpy, click, pytest and hypothesis, in a minute or two."""
    run_tests(["tests/core"], tmp_path, installed_without(LABS, tmp_path))


@pytest.mark.parametrize("labs", [["verification"], LABS], ids=["one", "all"])
def test_a_public_name_of_a_missing_lab_says_so(labs, tmp_path):
    env = installed_without(labs, tmp_path)
    program = """import graphgame
try:
    graphgame.verify
except graphgame.errors.GraphGameError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert "needs graphgame.labs.verification, " in done.stdout, done.stderr
    assert hasattr(graphgame, "verify")
