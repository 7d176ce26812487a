"""Seasons: plans, activities and their results."""
