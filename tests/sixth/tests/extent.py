"""What a played-out Coinfolk has shown."""

from __future__ import annotations

from conformance.extents import Extent

EXTENT = Extent(carried=("weapons",), never_negative=("breath", "luck"))
