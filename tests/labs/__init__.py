"""Tests of the labs, a folder each."""
