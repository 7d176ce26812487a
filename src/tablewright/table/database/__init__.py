"""Database layer: tables, connections, migrations, queries, backups and change notifications."""
