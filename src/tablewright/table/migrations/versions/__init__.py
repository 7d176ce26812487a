"""The steps, each in a module of its number."""
