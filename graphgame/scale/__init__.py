"""The same pass beyond memory and beyond one machine."""
