"""Conformance declarations of Coinfolk."""

from __future__ import annotations

from conformance.extents import Extent

EXTENT = Extent(never_negative=("breath", "luck"))
