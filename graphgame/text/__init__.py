"""Words: why a value, why a win."""
