"""Commands name the line of an error in the user's rules."""

import pytest

from tests.core.rules.test_rule_errors import said


@pytest.mark.parametrize("command", ["play", "search", "check"])
def test_every_command_names_the_line(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    told = said(tmp_path, "def options(self, n):\n    return [n - 1, 1 // (n - 3)]", command=command)
    assert "rules.py:5 in options: ZeroDivisionError: integer division or modulo by zero, at position 3" in told
