"""Mechanics of OpenD6."""
