"""Mechanics of Renaissance."""
