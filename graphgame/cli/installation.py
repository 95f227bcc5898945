"""The options ``--version``, ``-v`` and ``--clear-cache``, which are about the installation."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import click

import graphgame
from graphgame.errors import LIBRARIES
from graphgame.text.languages import amount, translate

VERBOSE = "graphgame.verbose"
"""The key of the context's ``meta`` for whether ``-v`` was given."""
_NEEDED = ("networkx", "pydot", "numpy", "click")


def note_verbose(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    """Store whether ``-v`` was given, for ``--version``."""
    ctx.meta[VERBOSE] = asked


def show_version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    """Print the version and exit; with ``-v`` also print the versions of Python and libraries, and the cache folder."""
    if not asked:
        return
    click.echo(f"graphgame {graphgame.__version__}")
    if ctx.meta.get(VERBOSE):
        import platform
        from importlib.metadata import PackageNotFoundError, version

        click.echo(f"Python {platform.python_version()}, {platform.platform()}")
        libraries = dict.fromkeys((*_NEEDED, *(name for names in LIBRARIES.values() for name in names.split())))
        for name in libraries:
            with suppress(PackageNotFoundError):
                click.echo(f"{name} {version(name)}")
        click.echo(translate("compiled loops are cached in {folder}", folder=_cache().cache_folder()))
    ctx.exit()


def clear_cache(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    """Delete the cache of compiled loops, print its folder, and exit."""
    if asked:
        folder, count = _cache().cache_folder(), _cache().remove_cached()
        click.echo(translate("removed {files} from {folder}", files=amount(count, "file"), folder=folder))
        ctx.exit()


def _cache() -> Any:  # noqa: ANN401
    from graphgame.compiled import loop_cache  # not at the top: it loads modules that would slow every start

    return loop_cache
