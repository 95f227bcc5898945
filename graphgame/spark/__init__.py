"""The same pass on Apache Spark, for edge tables beyond one machine."""

from graphgame.spark.exploration import explore
from graphgame.spark.solution import solve
from graphgame.spark.tokens import Verdict, verdict
from graphgame.spark.verification import verify

__all__ = ["Verdict", "explore", "solve", "verdict", "verify"]
