"""Labs: parts that the core works without. Each is one folder, and names what it offers in its first file.

``records.py`` is the form of the files in which labs keep their work.
"""
