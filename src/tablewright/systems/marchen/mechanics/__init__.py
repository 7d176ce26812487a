"""Mechanics of Märchen Engine."""
