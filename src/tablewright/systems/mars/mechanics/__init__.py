"""Mechanics of MARS."""
