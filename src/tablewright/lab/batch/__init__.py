"""Fights in lock step: from tables that are made by running the real rules and watching what they read."""
