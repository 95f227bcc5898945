"""What parts of the package offer each other by name: the core asks, and the module that answers is imported then.

The core never imports a lab, and no module imports one above it. A higher module is named here instead, with what it
offers: a job that a lower module asks for, a command, games, a format. A name is a dotted text, so nothing is imported
before it is needed. Each lab names its offers in its ``__init__.py``; these files are read when something is asked for.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

TYPE_CHECKING = False  # that of typing takes some milliseconds, and every command imports this module

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = [
    "LABS",
    "LAB_OF_COMMAND",
    "Offer",
    "imported",
    "lazy_names",
    "missing_lab",
    "missing_labs",
    "offer_for",
    "offers",
    "register",
    "registered",
]

LABS = (
    "heaps",
    "bitboards",
    "search",
    "tables",
    "misere",
    "theory",
    "laws",
    "verification",
    "scale",
    "backend",
    "layouts",
    "web",
    "judges",
    "formats",
)
"""Every lab, installed or not. Games and formats are listed in this order."""

LAB_OF_COMMAND = {
    "heap": "heaps",
    "misere": "misere",
    "search": "search",
    "values": "tables",
    "law": "laws",
    "nimber": "theory",
    "reduce": "theory",
    "verify": "verification",
    "certificate": "verification",
    "serve": "web",
    "judge": "judges",
    "generate": "scale",
    "spark": "scale",
}
"""Command -> its lab."""

_LAB_OF_JOB = {
    "compound of positions": "theory",
    "merging of equal positions": "theory",
    "reduction": "theory",
    "picture of any size": "layouts",
    "places by Graphviz": "layouts",
    "plot of statistics": "layouts",
    "page": "web",
    "page of a certificate": "web",
    "page in a notebook": "web",
    "picture in a notebook": "web",
    "ranges in a text": "tables",
    "text with ranges": "tables",
    "board of a table": "tables",
    "genus table": "misere",
    "explanation of misère play": "misere",
    "words of misère play": "misere",
    "compiled search": "search",
    "verdict of a token file": "scale",
    "certificate of a position": "verification",
    "advice of a certificate": "verification",
    "edges of another library": "formats",
    "networkx graph of another library": "formats",
    "graph in SciPy": "formats",
    "graph in rustworkx": "formats",
    "graph in igraph": "formats",
}
"""Job -> the lab that does it, for the message where it is missing."""


class Offer:
    """Something that a module offers: where it is, and a line that tells people what it is."""

    def __init__(self, target: str, about: str = "") -> None:
        self.target = target
        self.about = about

    def load(self) -> "Any":  # noqa: ANN401
        """Return what is offered; its module is imported if it was not yet."""
        module, _, name = self.target.partition(":")
        return getattr(imported(f"{__package__}.{module}"), name)


_OFFERS: "dict[str, dict[str, Offer]]" = globals().get("_OFFERS", {})
"""Kind -> name -> offer; a module that is reloaded, as in a notebook, keeps what others have registered."""


def register(kind: str, name: str, target: str, about: str = "") -> None:
    """Offer something under a name.

    Parameters
    ----------
    kind : str
        What kind of thing it is: ``"job"``, ``"command"``, ``"games"``.
    name : str
    target : str
        Its module in this package and its name: ``"rules.sources:as_graph"``.
    about : str
        What it is, in a line for people.
    """
    _OFFERS.setdefault(kind, {})[name] = Offer(target, about)


def offers(kind: str) -> "dict[str, Offer]":
    """Return everything of a kind that the core and the labs offer, by name, in the order of the labs."""
    _present_labs()
    return _OFFERS.get(kind, {})


def registered(job: str) -> "Callable[..., Any]":
    """Return the function that does a job; its module is imported if it was not yet.

    Raises
    ------
    MissingLabError
        No part of the package does it: the lab that would is not installed.

    Examples
    --------
    >>> registered("graph of a game")("nim(3,4)").tokens
    (3, 4)
    """
    if job not in _OFFERS.get("job", {}) and job not in offers("job"):
        raise import_module(f"{__package__}.errors").MissingLabError(job, _LAB_OF_JOB[job])
    function: Callable[..., Any] = _OFFERS["job"][job].load()
    return function


def imported(module: str) -> "Any":  # noqa: ANN401
    """Return a module by its full name; where it needs a lab that is not installed, the error names the lab."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise missing_lab(module, error) or error from None


def missing_lab(what: str, error: ModuleNotFoundError) -> "Exception | None":
    """Return an error that names the lab that is not installed; None if the missing module belongs to no lab."""
    package, _, lab = (error.name or "").removeprefix(f"{__package__}.").partition(".")
    if package != "labs" or not (error.name or "").startswith(f"{__package__}."):
        return None
    if not lab:  # no lab is installed, so the module that was asked for names it
        lab = what.removeprefix(f"{__package__}.labs.")
    found: Exception = import_module(f"{__package__}.errors").MissingLabError(what, lab.partition(".")[0])
    return found


def offer_for(kind: str, value: object) -> "Callable[..., Any] | None":
    """Return what is offered for the class of a value, by the class's full name, or for one that it inherits from."""
    known = offers(kind)
    names = (f"{cls.__module__}.{cls.__qualname__}" for cls in type(value).__mro__)
    return next((known[name].load() for name in names if name in known), None)


def missing_labs() -> list[str]:
    """Return the labs that are not installed."""
    return [name for name in LABS if name not in _present_labs()]


@cache
def _present_labs() -> "frozenset[str]":
    """Import the first file of each lab, which registers what the lab offers; return their names."""
    try:
        folder = import_module(f"{__package__}.labs")
    except ModuleNotFoundError:
        return frozenset()
    names = frozenset(module.name for module in iter_modules(folder.__path__))
    for name in filter(names.__contains__, LABS):
        import_module(f"{__package__}.labs.{name}")
    for kind, known in _OFFERS.items():  # a lab that was imported before has registered first
        _OFFERS[kind] = dict(sorted(known.items(), key=_place_of_lab))
    return names


def _place_of_lab(named: "tuple[str, Offer]") -> int:
    """Return the place of an offer's lab in the order of labs; the core comes first."""
    folder, lab, *_ = f"{named[1].target}.".split(".")
    return LABS.index(lab) if folder == "labs" else -1


def lazy_names(package: str, homes: "dict[str, str]") -> "Callable[[str], object]":
    """Return a ``__getattr__`` for a package that imports its public names when they are first used.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : dict of str to str
        Module of the package, or of graphgame where it begins with ``labs.`` -> the names it defines, with spaces.
    """
    home = {name: module for module, names in homes.items() for name in names.split()}

    def get(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        above = __package__ if home[name].startswith("labs.") else package
        return getattr(imported(f"{above}.{home[name]}"), name)

    return get
