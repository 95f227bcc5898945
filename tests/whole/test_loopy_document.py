"""Graphs with cycles on their way out: the command line, values files, verification, explanations and pictures."""

import doctest

import pytest

from tests import ROOT
from tests.core.solution.test_outputs import DOCUMENT
from tests.documents import answer_of, dialogues


@pytest.mark.usefixtures("place")
def test_each_command_of_the_document_answers_what_stands_there():
    for command, answer in dialogues(DOCUMENT):
        assert answer_of(command) == answer, command


def test_the_python_of_the_document():
    results = doctest.testfile(str(ROOT / "docs" / "loopy.md"), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0
