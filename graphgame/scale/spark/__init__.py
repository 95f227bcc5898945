"""The same pass on Apache Spark, for edge tables beyond one machine."""

from graphgame.scale.spark.exploration import explore
from graphgame.scale.spark.solution import solve
from graphgame.scale.spark.tokens import SumVerdict, verdict
from graphgame.scale.spark.verification import verify

__all__ = ["SumVerdict", "explore", "solve", "verdict", "verify"]
