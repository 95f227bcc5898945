"""Explore, solve and verify games as tables of edges on Apache Spark, for graphs larger than one machine."""

from graphgame.labs.scale.spark.exploration import explore
from graphgame.labs.scale.spark.solution import SumVerdict, solve, verdict, verify
from graphgame.registry import dir_of

__all__ = ["SumVerdict", "explore", "solve", "verdict", "verify"]
__dir__ = dir_of(__name__)
