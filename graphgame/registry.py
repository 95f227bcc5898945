"""Jobs that higher modules do for lower ones, by name: a graph asks for one, and its module is imported then.

A lower module never imports a higher one. It asks for a job, such as "graph of a game", that the package or the module
that does the job has registered. Registering takes a dotted name, so nothing is imported before it is needed.
"""

from importlib import import_module

TYPE_CHECKING = False  # that of typing takes some milliseconds, and every command imports this module

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["register", "registered"]

_FUNCTIONS: "dict[str, str]" = {}


def register(job: str, function: str) -> None:
    """Let a function do a job.

    Parameters
    ----------
    job : str
    function : str
        Its module in this package and its name: ``"games.sources:as_graph"``.
    """
    _FUNCTIONS[job] = function


def registered(job: str) -> "Callable[..., Any]":
    """Return the function that does a job; its module is imported if it was not yet.

    Examples
    --------
    >>> registered("graph of a game")("nim(3,4)").tokens
    (3, 4)
    """
    module, _, name = _FUNCTIONS[job].partition(":")
    function: Callable[..., Any] = getattr(import_module(f"{__package__}.{module}"), name)
    return function
