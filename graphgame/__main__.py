"""``python -m graphgame``, and what the command ``graphgame`` starts."""

import signal


def main() -> None:
    """Run the command line in a process of its own."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # while libraries load an interrupt has nothing to clean up
    from graphgame.cli import main as command
    from graphgame.cli.process import run

    run(command)


if __name__ == "__main__":
    main()
