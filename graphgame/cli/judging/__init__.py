"""The classic problems of online judges: their input read, and exactly their answers given, a module a family.

Each problem is answered by a function that takes a :class:`graphgame.io.files.Source` and yields the lines of the
answer. It reads a case when its line is asked for, and raises a :class:`graphgame.errors.ParseError` where the input
breaks the format. Numbers are split by any white space and have at most 18 digits.
"""

from graphgame.cli.judging import tokens, heaps, boards  # noqa: F401, I001 - the order of the list
from graphgame.cli.judging.registry import PROBLEMS, Problem, problem

__all__ = ["PROBLEMS", "Problem", "problem"]
