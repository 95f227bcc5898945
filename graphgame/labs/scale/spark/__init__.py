"""Explore, solve and verify games as tables of edges on Apache Spark, for graphs larger than one machine."""

from graphgame.labs.scale.spark.exploration import explore
from graphgame.labs.scale.spark.solution import SumVerdict, solve, verdict, verify

__all__ = ["SumVerdict", "explore", "solve", "verdict", "verify"]
