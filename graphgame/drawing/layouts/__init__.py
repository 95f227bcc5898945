"""Layouts for pictures of any size, drawn on a canvas of shapes."""
