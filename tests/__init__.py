from pathlib import Path

ROOT = Path(__file__).parent.parent
"""The project's folder."""

DATA = Path(__file__).parent / "data"
"""Published tables."""
