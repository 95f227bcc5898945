"""These are scripts of their own; the scanner's fuzzer needs atheris."""

collect_ignore = ["fuzz_scanner.py", "__main__.py", "damage.py", "dot_texts.py"]
