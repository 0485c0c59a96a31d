"""Who plays with whom."""
