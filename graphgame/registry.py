"""The registry of offers: functions and tables that one module provides for another, which finds them by name.

The core never imports a lab: it asks the registry instead. An offer is a job (a function that other modules call by
the job's name), a command, games, a file format, or the like. An offer names its module as text, and that module is
imported when the offer is first used. Each lab registers its offers in its ``__init__.py``. All these files are
imported when the registry is first asked for all offers of a kind, or for a job that it does not have.
"""

import sys
from functools import cache
from importlib import import_module

TYPE_CHECKING = False  # see graphgame/__init__.py

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_OF_LABS: "dict[str, tuple[tuple[str, ...], tuple[str, ...]]]" = {
    "heaps": (("heap",), ()),
    "bitboards": ((), ()),
    "search": (("search",), ("compiled search",)),
    "tables": (("values",), ("ranges in a text", "text with ranges", "board of a table")),
    "misere": (("misere",), ("genus table", "explanation of misère play", "words of misère play")),
    "theory": (("nimber", "reduce"), ("compound of positions", "merging of equal positions", "reduction")),
    "laws": (("law",), ()),
    "verification": (("verify", "certificate"), ("certificate of a position", "advice of a certificate")),
    "scale": (("generate", "spark"), ("verdict of a token file",)),
    "backend": ((), ()),
    "layouts": ((), ("picture of any size", "places by Graphviz", "plot of statistics")),
    "web": (("serve",), ("page", "page of a certificate", "page in a notebook", "picture in a notebook")),
    "judges": (("judge",), ()),
    "formats": (
        (),
        (
            "edges of another library",
            "networkx graph of another library",
            "graph in SciPy",
            "graph in rustworkx",
            "graph in igraph",
            "items written alike",
        ),
    ),
}
"""Name of each lab, installed or not -> the commands and the jobs that it registers.

Games and formats are listed in this order. If a lab is not installed, errors about its commands and jobs name the lab.
"""

LABS = tuple(_OF_LABS)
"""The names of all labs, installed or not."""

LAB_OF_COMMAND = {command: lab for lab, (commands, _) in _OF_LABS.items() for command in commands}
"""Name of a command -> the lab that registers it."""

_LAB_OF_JOB = {job: lab for lab, (_, jobs) in _OF_LABS.items() for job in jobs}
"""Name of a job -> the lab that registers it."""


class Offer:
    """An object that a module offers. ``target`` is its ``module:name`` in graphgame, ``about`` a description."""

    def __init__(self, target: str, about: str = "") -> None:
        self.target = target
        self.about = about

    def load(self) -> "Any":  # noqa: ANN401
        """Import the module, and return the object."""
        module, _, name = self.target.partition(":")
        return getattr(imported(f"{__package__}.{module}"), name)


_OFFERS: "dict[str, dict[str, Offer]]" = globals().get("_OFFERS", {})
"""Kind -> name -> offer. Taken from ``globals()`` so that reloading this module in a notebook keeps all offers."""


def register(kind: str, name: str, target: str, about: str = "") -> None:
    """Register an offer.

    Parameters
    ----------
    kind : str
        The kind of offer, such as ``"job"``, ``"command"`` or ``"games"``.
    name : str
        The name by which other modules ask for the offer. An earlier offer of this kind and name is replaced.
    target : str
        The module of this package that defines the object, and its name there: ``"rules.sources:as_graph"``.
    about : str
        A description of one line, for users.
    """
    _OFFERS.setdefault(kind, {})[name] = Offer(target, about)


def offers(kind: str) -> "dict[str, Offer]":
    """Return all offers of a kind by name: first those of the core, then those of the labs in the order of ``LABS``."""
    _present_labs()
    return _OFFERS.get(kind, {})


def registered(job: str) -> "Callable[..., Any]":
    """Return the function that is registered for a job.

    Raises
    ------
    MissingLabError
        The lab that registers this job is not installed.

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
    """Import a module by its full name and return it.

    Raises
    ------
    MissingLabError
        The module belongs to, or imports, a lab that is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise missing_lab(module, error) or error from None


def missing_lab(what: str, error: ModuleNotFoundError) -> "Exception | None":
    """Return a MissingLabError if the module that ``error`` could not find belongs to a lab; otherwise None.

    ``what`` is the module, or the feature, that the caller wanted.
    """
    package, _, lab = (error.name or "").removeprefix(f"{__package__}.").partition(".")
    if package != "labs" or not (error.name or "").startswith(f"{__package__}."):
        return None
    if not lab:  # the folder of all labs is missing, so the error has no lab's name, but ``what`` has
        lab = what.removeprefix(f"{__package__}.labs.")
    missing: Exception = import_module(f"{__package__}.errors").MissingLabError(what, lab.partition(".")[0])
    return missing


def offer_for(kind: str, value: object) -> "Callable[..., Any] | None":
    """Return the function that is registered for a value's class, or for its nearest base class; None if there is none.

    Offers of this kind have the full name of a class as their name.
    """
    by_class = offers(kind)
    names = (f"{cls.__module__}.{cls.__qualname__}" for cls in type(value).__mro__)
    return next((by_class[name].load() for name in names if name in by_class), None)


def missing_labs() -> list[str]:
    """Return the names of the labs that are not installed."""
    return [name for name in LABS if name not in _present_labs()]


@cache
def _present_labs() -> "frozenset[str]":
    """Import the ``__init__.py`` of each installed lab, which registers its offers; return the names of these labs."""
    try:
        folder = import_module(f"{__package__}.labs")
    except ModuleNotFoundError:
        return frozenset()
    iter_modules = import_module("pkgutil").iter_modules  # not imported above, because pkgutil imports typing
    names = frozenset(LABS).intersection(module.name for module in iter_modules(folder.__path__))
    for name in filter(names.__contains__, LABS):
        import_module(f"{__package__}.labs.{name}")
    for kind, by_name in _OFFERS.items():  # sort them: a program may have imported the labs in another order
        _OFFERS[kind] = dict(sorted(by_name.items(), key=_index_of_lab))
    return names


def _index_of_lab(item: "tuple[str, Offer]") -> int:
    """Return the index in ``LABS`` of the lab of a named offer; -1 for an offer of the core."""
    folder, lab, *_ = f"{item[1].target}.".split(".")
    return LABS.index(lab) if folder == "labs" else -1


def lazy_names(
    package: str, homes: "dict[str, str]", modules: str = ""
) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """Return ``__getattr__`` and ``__dir__`` for a package that imports its public names when they are first used.

    Parameters
    ----------
    package : str
        The package's ``__name__``.
    homes : dict of str to str
        Module -> its public names, separated by spaces. The path of the module is relative to the package, or to
        graphgame if it begins with ``labs.``.
    modules : str
        The names of the package's public modules, separated by spaces.
    """
    home = {name: module for module, names in homes.items() for name in names.split()}

    def get(name: str) -> object:
        if name in modules.split():
            return imported(f"{package}.{name}")
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        above = __package__ if home[name].startswith("labs.") else package
        return getattr(imported(f"{above}.{home[name]}"), name)

    return get, dir_of(package, modules)


def dir_of(module: str, modules: str = "") -> "Callable[[], list[str]]":
    """Return a ``__dir__`` function for a module: it lists ``__all__``, ``modules``, and names such as ``__doc__``.

    ``modules`` has the names of public modules, separated by spaces. Tab completion then shows no imports and helpers.
    """

    def names() -> list[str]:
        own = vars(sys.modules[module])
        return sorted({*own["__all__"], *modules.split(), *(name for name in own if name.startswith("__"))})

    return names
