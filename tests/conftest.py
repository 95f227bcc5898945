"""Settings for all tests, and shared fixtures: the browser, a Spark session, an installed package.

A fixture imports the libraries that it needs, so other tests run without them.
"""

import importlib.util
import os
import re
import signal
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent

for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
    os.environ.pop(name, None)  # they would set the language of the commands

settings.register_profile("graphgame", deadline=None)
settings.load_profile("graphgame")

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # in a background job; child processes would inherit this
    signal.signal(signal.SIGINT, signal.default_int_handler)


LIBRARIES = (
    "IPython",
    "igraph",
    "nbclient",
    "nbformat",
    "pandas",
    "playwright",
    "polars",
    "py4j",
    "pyspark",
    "rustworkx",
    "scipy",
    "sphinx",
)
"""Libraries of the extras ``test-all`` and ``docs`` that are not in ``test``, and polars, which is in no extra."""
ALL_IS_INSTALLED = bool(os.environ.get("GRAPHGAME_NO_SKIPS"))
MISSING = {name for name in LIBRARIES if not ALL_IS_INSTALLED and importlib.util.find_spec(name) is None}
LEFT_OUT = set()
"""Pairs: a test file that is left out, and a missing library that it needs."""


def pytest_ignore_collect(collection_path):
    """Leave out a test file whose top imports a missing library; the summary lists such files."""
    if not MISSING or collection_path.suffix != ".py" or not collection_path.is_relative_to(ROOT / "tests"):
        return None
    needed = re.findall(r"^(?:import|from) (\w+)", collection_path.read_text(encoding="utf-8"), re.MULTILINE)
    missing = MISSING.intersection(needed)
    LEFT_OUT.update((collection_path.name, name) for name in missing)
    return True if missing else None


def pytest_sessionfinish(session):
    """Send the files that this worker left out to the process that prints the summary."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left out"] = sorted(LEFT_OUT)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    LEFT_OUT.update(map(tuple, getattr(node, "workeroutput", {}).get("left out", ())))


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="run the long tests as well")
    parser.addoption(
        "--rest", metavar="FILE", help="leave out the tests that passed, as a run with --passed wrote them"
    )
    parser.addoption("--passed", metavar="FILE", help="write the names of the tests that pass")


def pytest_collection_modifyitems(config, items):
    """Deselect long tests unless ``--long`` is given, and with ``--rest`` the tests that have passed already.

    A docstring example that calls, for example, ``to_pandas()`` is skipped if this library is missing.
    """
    for item in items:
        shown = re.findall(r"\bto_(\w+)\(", item.dtest.docstring) if isinstance(item, pytest.DoctestItem) else ()
        for name in MISSING.intersection(shown):
            item.add_marker(pytest.mark.skip(reason=f"needs {name}: pip install {name}"))
    rest, long = config.getoption("--rest"), config.getoption("--long")
    passed = set(Path(rest).read_text(encoding="utf-8").split("\n")) if rest else set()
    left_out = [
        item for item in items if item.nodeid in passed or not (long or item.get_closest_marker("long") is None)
    ]
    if left_out:
        items[:] = [item for item in items if item not in set(left_out)]
        config.hook.pytest_deselected(items=left_out)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Skip a test in which the package raises MissingExtraError; the reason says what to install."""
    from graphgame.errors import MissingExtraError

    try:
        return (yield)
    except MissingExtraError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session", autouse=True)
def _no_message_about_compiling():
    """Turn off the message about compiled loops for commands in this process, because it depends on the cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graphgame.cli.errors.tell_of_compiling", lambda: None)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Count a skipped test as a failure if GRAPHGAME_NO_SKIPS says that everything is installed."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and ALL_IS_INSTALLED:
        report.outcome = "failed"
    return report


def pytest_terminal_summary(terminalreporter, config):
    """Print in one line which tests were skipped and what to install for them; with --passed write the passed tests."""
    if config.getoption("--passed"):
        names = {report.nodeid for report in terminalreporter.getreports("passed")}
        Path(config.getoption("--passed")).write_text("\n".join(sorted(names)), encoding="utf-8")
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in terminalreporter.getreports("skipped"))
    if LEFT_OUT:
        files, libraries = ({entry[at] for entry in LEFT_OUT} for at in (0, 1))
        text = f"left out {', '.join(sorted(files))}: they need {', '.join(sorted(libraries))}"
        terminalreporter.write_line(f"{text}; the extra test-all brings them")
    if reasons:
        text = "; ".join(f"{count} {'test' if count == 1 else 'tests'}: {why}" for why, count in reasons.most_common())
        terminalreporter.write_line(f"skipped {text}")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Distribute tests one by one, but run all Spark tests in one process and all browser tests in another.

    Tests are grouped by name, because pytest-xdist 3.8 silently loses groups by mark with pytest 9.2.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return next(filter(nodeid.__contains__, ("spark", "test_page_")), nodeid)

    return Scheduling(config, log)


@pytest.fixture(scope="session")
def browser():
    pytest.importorskip("playwright", reason="needs playwright: pip install playwright")
    from playwright.sync_api import sync_playwright

    from tests.page import launched

    with sync_playwright() as playwright:
        running = launched(playwright)
        yield running
        running.close()


@pytest.fixture
def pages(browser, tmp_path):
    from tests.page import Pages

    opened = Pages(browser, tmp_path)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def sample_file(tmp_path_factory):
    from tests.page import chips, written

    return written(chips(), tmp_path_factory.mktemp("sample") / "chips.html", title="Chips")


@pytest.fixture(scope="session")
def nim_file(tmp_path_factory):
    from tests.page import rules, written

    return written(path=tmp_path_factory.mktemp("nim") / "nim.html", **rules("nim(3,4,5)"))


@pytest.fixture
def sample(pages, sample_file):
    return pages.open_file(sample_file)


@pytest.fixture
def nim(pages, nim_file):
    visit = pages.open_file(nim_file)
    visit.click("#tab-play")
    return visit


@pytest.fixture
def installed(tmp_path):
    """Return environment variables with which the package looks installed, with the entry points of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    name, entries = project["name"], project["entry-points"]
    folder = tmp_path / f"{name.replace('-', '_')}-0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n")
    sections = (
        f"[{group}]\n" + "\n".join(f"{own} = {at}" for own, at in names.items()) for group, names in entries.items()
    )
    (folder / "entry_points.txt").write_text("\n".join(sections) + "\n")
    return {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}


@pytest.fixture(scope="session")
def java():
    pytest.importorskip("pyspark", reason="needs pyspark: pip install pyspark")
    from graphgame.errors import GraphGameError
    from graphgame.labs.scale.spark.session import check_installed

    try:
        check_installed()
    except GraphGameError:
        pytest.skip("needs Java 17: apt-get install openjdk-17-jre-headless")


@pytest.fixture(scope="session")
def local(java):
    from tests import spark_games

    with spark_games.session() as running:
        yield running
