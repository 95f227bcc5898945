"""Settings for every test."""

import os

import pytest
from hypothesis import settings

settings.register_profile("graphgame", deadline=None)
settings.load_profile("graphgame")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Let no test skip where everything is said to be installed."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("GRAPHGAME_NO_SKIPS"):
        report.outcome = "failed"
    return report
