"""Texts for people: explanations of values and wins, rules of games, verdicts and tables, in English and Chinese."""
