"""Tests that span the core and the labs: all commands, all games, the documents, the optional libraries."""
