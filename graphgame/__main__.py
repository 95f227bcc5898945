"""``python -m graphgame``."""

from graphgame.cli import main

if __name__ == "__main__":
    main(prog_name="graphgame")
