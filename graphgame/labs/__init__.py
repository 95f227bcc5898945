"""Labs: folders that the core works without. The ``__init__.py`` of each lab registers what the lab offers.

Several labs share ``coded.py``, ``records.py`` and ``shared_rules.py``. ``records.py`` makes and checks
the records in which labs store results and unfinished work.
"""
