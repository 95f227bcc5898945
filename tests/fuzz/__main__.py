"""Read random damaged files with every reader for 60 seconds, or --seconds; print the seed of the first failure.

python -m tests.fuzz [--seconds 600] [--from SEED] [READER ...]
"""

import argparse
import itertools
import time
from collections import Counter

from tests.fuzz import dot_texts
from tests.fuzz.damage import READERS, check


def same_as_graphviz(_, seed):
    text = dot_texts.Writer(seed).text()
    assert dot_texts.found_by_graphgame(text) == dot_texts.found_by_graphviz(text)
    return True


CHECKS = {**dict.fromkeys(READERS, check), "dot as Graphviz": same_as_graphviz}


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Try files by chance on every reader.")
    parser.add_argument("readers", nargs="*", default=list(CHECKS), metavar="READER", help=", ".join(CHECKS))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--from", dest="first", type=int, default=0, metavar="SEED")
    options = parser.parse_args()
    until = time.monotonic() + options.seconds
    read = Counter()
    for seed in itertools.count(options.first):
        for name in options.readers:
            try:
                read[name] += CHECKS[name](name, seed)
            except BaseException:
                print(f"{name!r}, seed {seed}")
                raise
        if time.monotonic() > until:
            break
    for name in options.readers:
        print(f"{name:16}{seed - options.first + 1} files, {read[name]} of them read, the others refused")


if __name__ == "__main__":
    main()
