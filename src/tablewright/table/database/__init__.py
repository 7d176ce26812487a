"""The database: its tables, how it is opened and migrated, reading and writing rows, and word of changes."""
