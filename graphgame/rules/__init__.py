"""Rules into graphs: rulesets, exploration, positions and their texts."""
