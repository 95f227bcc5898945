"""Load a user's own rules, a class in a Python file. The file is run only if the caller asks for that."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType

from graphgame.errors import Message, RulesetError, checks_parameters, excerpt, system_message
from graphgame.io.source import refuse_unnamed, setting
from graphgame.rules.rule_errors import raised, rule_errors, shown_path
from graphgame.rules.ruleset import Ruleset

_may_run: ContextVar[bool] = ContextVar("run_rules", default=False)

_neighbours: set[str] = set()
"""The names of modules that files of rules have imported from their own folders."""


@checks_parameters
def rules_run(run_rules: bool) -> AbstractContextManager[None]:
    """Let :func:`load_ruleset` run files in this block if ``run_rules`` is true or if an enclosing block allows it.

    All functions with a parameter ``run_rules`` pass it here.
    """
    return setting(_may_run, run_rules or _may_run.get())


def load_ruleset(path: str, name: str, arguments: str = "") -> Ruleset:
    """Run a Python file and return ``from_text(arguments)`` of its class ``name``, a subclass of Ruleset.

    Raises
    ------
    RulesetError, OSError
        The file cannot be read, has no such class, fails when it is run, or may not be run here: see :func:`rules_run`.
    ParseError
        The rules do not accept these arguments, or a block of :func:`reading_only` does not allow this path.
    """
    refuse_unnamed(path)
    if not _may_run.get():
        raise RulesetError(
            "{path}:{name} names a Python file, which is run only on request: give run_rules=True, "
            "or pass the position that parse_position(text, run_rules=True) returns",
            path,
            name,
        )
    # If the file is missing, stat() raises an OSError with the path that the user wrote, at most without "./". The
    # OSError of resolve() has a different path on some versions of Python.
    Path(path).stat()
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
    except (Exception, SystemExit) as error:
        del sys.modules[module_name]
        if isinstance(error, SyntaxError):
            raise _unread(path, error) from error
        raise RulesetError("{error}, while the rules file {file} is loaded", raised(error), path) from error
    rules = getattr(module, name, None)
    if not (isinstance(rules, type) and issubclass(rules, Ruleset)):
        raise RulesetError(
            "{file} has no ruleset {name!r}: {hint}"
            if rules is None
            else "in {file}, {name!r} is not a ruleset, because it is not a subclass of graphgame.Ruleset: {hint}",
            path,
            name,
            _suggestion(module, name),
        )
    with rule_errors(f"{path}:{name}", Message("the arguments {arguments!r}", arguments)):
        return rules.from_text(arguments)


@contextmanager
def _importable(folder: str) -> Iterator[None]:
    """Let a file that is run in this block import modules from its own folder; installed modules come first.

    Before that, ``sys.modules`` loses the modules that earlier files of rules imported from their folders: this folder
    may have other modules of these names, and a module may have been edited since.
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
    """Return whether a loaded module is a file or a package directly in a folder, not in a subfolder of it."""
    file = Path(getattr(sys.modules.get(name), "__file__", None) or "")
    return str((file.parent if file.name == "__init__.py" else file).parent) == folder


def _suggestion(module: ModuleType, wanted: str) -> str:
    """Return the end of a message that names rulesets of a module: one with a name like ``wanted``, otherwise all."""
    classes = {name: value for name, value in vars(module).items() if isinstance(value, type)}
    names = [name for name, kind in classes.items() if issubclass(kind, Ruleset) and kind.__module__ == module.__name__]
    near = [name for name in names if name.lower() == wanted.lower()] or get_close_matches(wanted, names, n=1)
    if near:
        return Message("did you mean {names}?", near[0])
    return Message("the file defines {names}", ", ".join(names)) if names else Message("the file defines no rulesets")


def _unread(path: str, error: SyntaxError) -> RulesetError:
    """Return an error that shows the line of a SyntaxError in the file of rules ``path`` or in a file it imports."""
    file = shown_path(error.filename or path)
    line, column = error.lineno, error.offset
    shown = excerpt(error.text.rstrip(), column) if error.text is not None and column else ""
    return RulesetError(
        "{file}:{line}: {kind}: {error}{excerpt}", file, line, type(error).__name__, system_message(error.msg), shown
    )


def class_names(path: str) -> list[str]:
    """Return the names of the top-level classes with a base class in a Python file, without running the file.

    Empty if the file has a syntax error.
    """
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (SyntaxError, ValueError):
        return []
    return [node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.bases]
