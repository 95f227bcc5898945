"""The fuzzer is a script of its own, and needs atheris."""

collect_ignore = ["fuzz_scanner.py"]
