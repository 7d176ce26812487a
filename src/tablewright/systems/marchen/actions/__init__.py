"""Actions in an encounter."""
