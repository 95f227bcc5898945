"""Tests of what spans the core and the labs: all commands, all games, the documents, the optional libraries."""
