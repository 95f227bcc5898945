#!/usr/bin/env -S uv run --script
# /// script
# dependencies = ["nox>=2025.10.14"]
# ///
"""What the workflows run, for any machine: ``nox -l`` lists it, ``nox -s lint`` runs a part.

``.ci/run`` checks more, with nothing skipped, on a Debian machine.
"""

from pathlib import Path

import nox

nox.needs_version = ">=2025.10.14"
nox.options.default_venv_backend = "uv|virtualenv"

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
TESTS = ("pytest", "-n", "auto")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the tests with all extras, on the newest releases."""
    session.install("-e", ".[all,test]")
    session.run(*TESTS, *session.posargs)


@nox.session(python="3.14t", default=False)
def threads(session: nox.Session) -> None:
    """Run the tests of the core without a global interpreter lock."""
    session.install("-e", ".[fast,parquet,test]")
    session.run(*TESTS, "tests/core", *session.posargs, env={"PYTHON_GIL": "0"})


@nox.session(python=["3.11", "3.13"], venv_backend="uv", default=False)
def minimums(session: nox.Session) -> None:
    """Run the tests on the oldest releases that pyproject.toml allows."""
    session.install("--resolution", "lowest-direct", "-e", ".[all,test]")
    session.run(*TESTS, "-W", "ignore::DeprecationWarning", *session.posargs)  # old libraries warn of newer ones


@nox.session(python="3.13", default=False)
def networkx(session: nox.Session) -> None:
    """Run the tests of the backend on the development version of networkx."""
    session.install("-e", ".[all,test]")
    session.install("git+https://github.com/networkx/networkx")
    session.run(*TESTS, "tests/labs/backend", "tests/whole/test_plain_graphs.py", *session.posargs)


@nox.session(python="3.13")
def lint(session: nox.Session) -> None:
    """Check style, types, imports, the project files and what is handed out."""
    session.install(
        "-e", ".[dev]", "check-wheel-contents", "deptry", "pyroma", "repo-review[cli]", "sp-repo-review", "twine"
    )
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("basedpyright")
    session.run("lint-imports")
    session.run("deptry", ".")
    session.run("repo-review", ".")
    session.run("pyroma", "-n", "8", ".")  # 10 once pyproject.toml names the repository and an address
    dist = Path(session.create_tmp())
    session.run("python", "-m", "build", "-o", str(dist))
    session.run("twine", "check", "--strict", *map(str, dist.iterdir()))
    session.run("check-wheel-contents", *map(str, dist.glob("*.whl")))


@nox.session(python="3.13", default=False)
def docs(session: nox.Session) -> None:
    """Make the website in build/site."""
    session.install("-e", ".[all,docs]")
    session.run("python", "docs/make_site.py", "build/site", *session.posargs)


if __name__ == "__main__":
    nox.main()
