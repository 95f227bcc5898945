"""A Spark driver for a separate process: ``python spark_driver.py MASTER EDGES OPTIONS`` prints progress and values."""

import json
import sys

from pyspark.sql import SparkSession

from graphgame.labs.scale import spark


def main(master: str, edges: str, options: str) -> None:
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    for role in ("driver", "executor"):
        builder = builder.config(f"spark.{role}.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    session = builder.config("spark.executorEnv.SPARK_LOCAL_IP", "127.0.0.1").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    told = lambda stage, done, total: print("progress", done, total, flush=True)  # noqa: E731
    tell = lambda message: print("told", message, flush=True)  # noqa: E731
    for chosen in json.loads(options):
        values = spark.solve(session.read.parquet(edges), progress=told, tell=tell, **chosen)
        print("values", json.dumps({row.position: row.grundy for row in values.collect()}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
