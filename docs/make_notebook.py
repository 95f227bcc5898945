"""Run docs/notebook.ipynb and store its outputs: ``python docs/make_notebook.py``."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).with_name("notebook.ipynb")


def main() -> None:
    """Write the notebook with its outputs."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False).execute()
    nbformat.write(notebook, NOTEBOOK)


if __name__ == "__main__":
    main()
