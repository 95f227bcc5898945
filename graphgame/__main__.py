"""``python -m graphgame``, and what the command ``graphgame`` starts."""

import gc
import os
import signal
from contextlib import suppress

_SELDOM = 1 << 17
"""Objects that are made before garbage is looked for: to load the libraries makes 75,000, none of them garbage."""


def main() -> None:
    """Run the command line in a process of its own; a program may also call this in a thread."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with suppress(ValueError):  # no signal is handled in a thread
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # while libraries load an interrupt has nothing to clean up
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy would start more, which no command uses
    gc.set_threshold(_SELDOM, *gc.get_threshold()[1:])
    from graphgame.cli import main as command
    from graphgame.cli.process import run

    run(command)


if __name__ == "__main__":
    main()
