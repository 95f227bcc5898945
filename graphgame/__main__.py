"""The entry point of ``python -m graphgame`` and of the command ``graphgame``."""

import atexit
import gc
import os
import signal
from contextlib import suppress

_OBJECTS_A_COLLECTION = 1 << 17
"""The garbage collector runs after this many new objects. Loading the libraries makes 75,000 that all stay in use."""


def main() -> None:
    """Run the command line on ``sys.argv``, and raise SystemExit with the exit status. Any thread may call this."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with suppress(ValueError):  # signal.signal works only in the main thread
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # while libraries load, Ctrl-C just ends the process
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # otherwise numpy starts threads that no command uses
    gc.set_threshold(_OBJECTS_A_COLLECTION, *gc.get_threshold()[1:])
    atexit.register(gc.freeze)  # no last collection: it takes half a second after a loop was compiled
    from graphgame.cli import main as command
    from graphgame.cli.process import run

    run(command)


if __name__ == "__main__":
    main()
