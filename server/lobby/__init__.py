"""The lobby: making and finding tables."""
