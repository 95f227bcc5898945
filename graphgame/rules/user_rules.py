"""A person's own rules: a class in a Python file, run only because the person named the file."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType

from graphgame.errors import Message, RulesetError, excerpt, known
from graphgame.io.source import refuse_unnamed
from graphgame.rules.faults import blamed, raised, shown_path
from graphgame.rules.ruleset import Ruleset

_run: ContextVar[bool] = ContextVar("run_rules", default=False)

_neighbours: set[str] = set()
"""The modules beside files of rules that these have imported."""


@contextmanager
def rules_run(run_rules: bool) -> Iterator[None]:
    """Let :func:`load_ruleset` run files in this block if ``run_rules`` is true, or if a block around it allows that.

    This is the parameter ``run_rules`` of all functions that take the text of a position.
    """
    before = _run.set(run_rules or _run.get())
    try:
        yield
    finally:
        _run.reset(before)


def load_ruleset(path: str, name: str, arguments: str = "") -> Ruleset:
    """Run a Python file and return the rules of a class of it, a Ruleset, for the arguments of its ``from_text``.

    Raises
    ------
    RulesetError
        The file has no such rules, or the caller did not ask for it to be run: see :func:`rules_run`.
    """
    refuse_unnamed(path)
    if not _run.get():
        raise RulesetError(
            "{path}:{name} names a Python file, which is run only on request: give run_rules=True, "
            "as in parse_position(text, run_rules=True), whose result every function takes",
            path,
            name,
        )
    Path(path).stat()  # its error has the name as it was given; that of resolve has not on every Python
    file = Path(path).resolve(strict=True)
    module_name = f"graphgame_rules_{hashlib.sha256(str(file).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(module_name, file)
    if spec is None or spec.loader is None:
        raise RulesetError("{path} is not a Python file", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        with _importable(str(file.parent)):
            spec.loader.exec_module(module)
    except SyntaxError as error:
        del sys.modules[module_name]
        raise _unread(path, error) from error
    except (Exception, SystemExit) as error:
        del sys.modules[module_name]
        raise RulesetError("{error}, as {path} is loaded", raised(error), path) from error
    found = getattr(module, name, None)
    if not (isinstance(found, type) and issubclass(found, Ruleset)):
        reason = "" if found is None else Message(", for it is not a subclass of graphgame.Ruleset")
        raise RulesetError(
            "{path} has no ruleset {name!r}{reason}{hint}", path, name, reason, _others(_rulesets(module), name)
        )
    with blamed(f"{path}:{name}", Message("the arguments {arguments!r}", arguments)):
        return found.from_text(arguments)


@contextmanager
def _importable(folder: str) -> Iterator[None]:
    """Let a file import its neighbours while it is loaded, after all that is installed.

    Those that a file of rules has imported before are forgotten: of the same name another folder may have others, and
    they may have been changed.
    """
    for name in _neighbours:
        sys.modules.pop(name, None)
    before = set(sys.modules)
    sys.path.append(folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
        new = [name for name in sys.modules if name not in before]
        _neighbours.update(name for name in new if _lies_in(folder, name.partition(".")[0]))


def _lies_in(folder: str, name: str) -> bool:
    """Tell whether a module is a file of a folder or a package in it; what is installed further below is not."""
    file = Path(getattr(sys.modules.get(name), "__file__", None) or "")
    return str((file.parent if file.name == "__init__.py" else file).parent) == folder


def _others(names: list[str], wanted: str) -> str:
    """Say which rulesets there are, the one that may be meant alone."""
    near = [name for name in names if name.lower() == wanted.lower()] or get_close_matches(wanted, names, n=1)
    if near:
        return Message(": did you mean {names}?", near[0])
    return Message(": its rulesets are {names}", ", ".join(names)) if names else Message("; it has none")


def _unread(path: str, error: SyntaxError) -> RulesetError:
    """Return the error that shows where a file, perhaps another one that it imports, is no Python."""
    file = shown_path(error.filename or path)
    line, column = error.lineno, error.offset
    place = excerpt(error.text.rstrip(), column) if error.text is not None and column else ""
    return RulesetError(
        "{file}:{line}: {kind}: {error}{place}", file, line, type(error).__name__, known(error.msg), place
    )


def class_names(path: str) -> list[str]:
    """Return the names of the classes with a base in a Python file, without running it; none if it is no Python."""
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (SyntaxError, ValueError):
        return []
    return [node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.bases]


def _rulesets(module: ModuleType) -> list[str]:
    """Return the names of the rulesets that a module defines."""
    classes = {name: value for name, value in vars(module).items() if isinstance(value, type)}
    return [
        name for name, value in classes.items() if issubclass(value, Ruleset) and value.__module__ == module.__name__
    ]
