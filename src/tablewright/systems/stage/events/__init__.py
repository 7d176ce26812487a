"""Events of a scene and how each changes it."""
