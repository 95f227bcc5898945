"""The commands ``generate`` and ``spark``, and the option ``--workdir`` of ``solve`` and ``verify``."""
