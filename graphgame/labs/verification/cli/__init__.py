"""The commands ``verify`` and ``certificate``."""
