"""The commands ``generate`` and ``spark``."""
