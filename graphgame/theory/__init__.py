"""What goes beyond normal play on a graph without cycles."""
