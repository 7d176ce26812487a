"""Uploaded pictures."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table of pictures."""
    op.create_table(
        "pictures",
        sa.Column("campaign", sa.String(40), primary_key=True),
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
