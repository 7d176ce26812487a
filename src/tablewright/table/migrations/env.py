"""Alembic environment: migrates the database of an open connection."""

from __future__ import annotations

from alembic import context

from tablewright.table.database.schema import metadata


def run() -> None:
    """Run the missing migration steps."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        transaction_per_migration=False,
        render_as_batch=True,
    )
    with context.begin_transaction():
        context.run_migrations()


if hasattr(context, "config"):  # only Alembic sets it; other imports must not migrate
    run()
