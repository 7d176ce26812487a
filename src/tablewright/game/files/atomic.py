"""Atomic file writes, and an existence check that accepts any name."""

from __future__ import annotations

import os
from pathlib import Path
from secrets import token_hex


def write_atomically(path: Path, text: str | bytes, *, replace: bool = True) -> None:
    """Write a temporary file beside the target, sync it to disk and rename it over the target.

    Without ``replace`` an existing file stays unchanged and :class:`FileExistsError` is raised.
    """
    temporary = path.parent / f".{path.name}.{token_hex(8)}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            temporary.chmod(path.stat().st_mode)
        if replace:
            temporary.replace(path)
        else:
            path.hardlink_to(temporary)
            temporary.unlink()
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def exists(path: Path) -> bool:
    """True if a file exists; False for names that no file can have."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
