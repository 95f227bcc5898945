"""Tests of the core: they need networkx, pydot, numpy, click and pytest alone."""
