"""Routes under ``/v1``, by subject."""
