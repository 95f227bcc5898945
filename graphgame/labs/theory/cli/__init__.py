"""The commands ``nimber`` and ``reduce``."""
