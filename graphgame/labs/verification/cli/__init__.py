"""The commands of this lab."""
