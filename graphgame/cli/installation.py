"""Options about the installation itself: its version and libraries, and the cache of compiled loops."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import click

import graphgame
from graphgame.errors import LIBRARIES
from graphgame.text.languages import amount, translate

VERBOSE = "graphgame.verbose"
_NEEDED = ("networkx", "pydot", "numpy", "click")


def note_verbose(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    """Keep for ``--version`` whether ``-v`` was given."""
    ctx.meta[VERBOSE] = asked


def show_version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    """Print the version; with ``-v`` also those of Python and of the libraries, and the folder of the cache."""
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
    """Delete the cached loops."""
    if asked:
        folder, count = _cache().cache_folder(), _cache().remove_cached()
        click.echo(translate("removed {files} from {folder}", files=amount(count, "file"), folder=folder))
        ctx.exit()


def _cache() -> Any:  # noqa: ANN401
    from graphgame.compiled import loop_cache  # only here: hashing and temporary names take their time

    return loop_cache
