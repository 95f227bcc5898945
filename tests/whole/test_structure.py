"""The layout of the package: the statements of CONTRIBUTING.md about modules are true."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator

import pytest

import graphgame
from graphgame.io.formats import FORMATS
from graphgame.registry import LAB_OF_COMMAND, LABS
from graphgame.rules.catalogue import CATALOGUE
from tests import ROOT

PACKAGE = ROOT / "graphgame"

FACES = ("labs/scale/disk/", "labs/scale/spark/")
"""Rooms whose functions may have the names of functions of the root, as ``scale.spark.solve``."""


def public_names(source: str) -> Iterator[str]:
    """Yield the public names that a module defines at the top level."""
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
    def test_a_name_of_the_package_is_defined_in_one_module(self, modules_of):
        defined = {
            name: sorted(module for module in modules_of[name] if not module.startswith(FACES))
            for name in graphgame.__all__
        }
        assert {name: modules for name, modules in defined.items() if len(modules) > 1} == {}

    @pytest.mark.parametrize(
        ("source", "names"),
        [
            ("def f(): pass\nclass C: x = 1\n_y = 2", ["f", "C"]),
            ("a = b = 1\nc: int = 2\n(d, e) = 3, 4\nfrom m import g", ["a", "b", "c", "d", "e"]),
        ],
    )
    def test_names_are_found(self, source, names):
        assert list(public_names(source)) == names


@pytest.mark.parametrize("lab", ["heaps", "formats"])
def test_offers_have_the_same_order_whichever_lab_is_imported_first(lab):
    program = f"""import graphgame.labs.{lab}
from graphgame.io.formats import FORMATS
from graphgame.rules.catalogue import CATALOGUE
print(*CATALOGUE, *FORMATS)"""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert answer.split() == [*CATALOGUE, *FORMATS]


TAKEN_APART = {"search", "match", "fullmatch", "startswith", "endswith", "split", "partition", "rpartition", "find"}
TAKEN_APART |= {"findall", "finditer", "index", "rfind", "sub", "removeprefix", "removesuffix"}
NOTHING_BUT_A_TEXT = ["io/interchange", "labs/scale/spark/rounds"]
"""Modules that must parse the text of another library's error."""
DOCSTRINGS = ["rules/ruleset", "text/rules"]
"""Modules that may read docstrings: user rules are described by their docstring."""


def is_text_of_error(node: ast.AST) -> bool:
    """Return True if an expression is ``str(error)`` or an attribute of an error."""
    match node:
        case ast.Call(func=ast.Name(id="str"), args=[ast.AST() as given]):
            return any(isinstance(part, ast.Name) and part.id.startswith(("err", "exc")) for part in ast.walk(given))
    return False


def is_parsing(node: ast.AST) -> bool:
    """Return True if an expression searches the text of an error."""
    match node:
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[looked_in]):
            return is_text_of_error(looked_in)
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=arguments) if name in TAKEN_APART:
            return any(map(is_text_of_error, [owner, *arguments]))
    return False


def modules_with(*found) -> list[str]:
    """Return the modules with an expression for which one of the functions is true."""
    trees = {path: ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for path in sorted(PACKAGE.rglob("*.py"))}
    return [
        path.relative_to(PACKAGE).with_suffix("").as_posix()
        for path, nodes in trees.items()
        if any(test(node) for node in nodes for test in found)
    ]


class TestTextIsNoData:
    def test_no_text_of_an_error_is_parsed(self):
        assert modules_with(is_parsing) == NOTHING_BUT_A_TEXT

    def test_docstrings_are_for_people(self):
        def is_docstring(node):
            match node:
                case ast.Attribute(attr="__doc__" | "getdoc") | ast.Name(id="getdoc" | "__doc__"):
                    return True
            return False

        assert modules_with(is_docstring) == DOCSTRINGS

    @pytest.mark.parametrize(
        "source",
        [
            "sign in str(error)",
            "any(sign not in str(error.java_exception) for sign in signs)",
            "re.match('x', str(error))",
            "_SAID.search(str(exc.args[0]))",
            "str(error).partition(':')",
        ],
    )
    def test_parsing_is_found(self, source):
        assert any(map(is_parsing, ast.walk(ast.parse(source))))


GUIDES = ("CONTRIBUTING.md", "docs/add-game.md", "docs/add-format.md")
A_PATH = re.compile(r"[\w.-]+(?:/[\w.*-]+)*/?")
SUFFIXES = (".py", ".md", ".po", "/")


def paths_named(text: str) -> set[str]:
    """Return the file and folder names in backquotes, outside code blocks."""
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))
    words = {word for span in spans for word in span.split()}
    return {
        word
        for word in words
        if A_PATH.fullmatch(word) and not word.startswith("-") and ("/" in word or word.endswith(SUFFIXES))
    }


def exists(path: str) -> bool:
    """Return True if a path, perhaps with stars, exists in the project or in the package."""
    return any(True for folder in (ROOT, PACKAGE) for _ in folder.glob(path.rstrip("/")))


class TestGuides:
    TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

    @pytest.mark.parametrize("name", GUIDES)
    def test_the_paths_that_they_name_exist(self, name):
        named = paths_named((ROOT / name).read_text(encoding="utf-8"))
        assert len(named) > 5
        assert {path for path in named if not exists(path)} == set()

    def test_paths_are_found(self):
        text = (
            "`a/b.py`, `c.md`, `python docs/make_*.py`, `--rest=x`, `~/.cache/x`, `nim(3)`\n```\n`no/path`\n```\n`d/`"
        )
        assert paths_named(text) == {"a/b.py", "c.md", "docs/make_*.py", "d/"}
        assert [exists(path) for path in ("io/files.py", "docs/make_*.py", "docs/make_none.py")] == [True, True, False]

    def test_a_guide_names_a_folder_for_each_room_and_each_lab(self):
        rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - {"labs"}
        plan = self.TEXT.split("\ngraphgame/\n")[1].split("```")[0]
        assert set(re.findall(r"^  (\w+)/ ", plan, re.MULTILINE)) == rooms
        rows = re.findall(
            r"^\| `(\w+)` \|[^|]*\|([^|]*)\|$", self.TEXT.split("| lab |")[1].split("\n\n")[0], re.MULTILINE
        )
        assert {lab for lab, _ in rows} == set(LABS)
        commands = {command: lab for lab, words in rows for command in re.findall(r"`(\w+)`", words)}
        assert commands == LAB_OF_COMMAND

    def test_contributing_shows_the_layers_of_import_linter(self):
        settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
        for contract in settings["contracts"]:
            assert " > ".join(contract["layers"]) in self.TEXT
