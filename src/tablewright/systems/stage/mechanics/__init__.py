"""Mechanics of The Stage."""
