"""Exact odds: trees of all paths through a rule, and chains of states solved in whole numbers."""
