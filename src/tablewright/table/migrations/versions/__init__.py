"""Migration steps, one module each, named by number."""
