"""Chapters of the book that no other system has in this form."""
