"""Positioned trees of the languages that readers share."""
