"""Files that are replaced in one step or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, text: str | bytes, *, replace: bool = True) -> None:
    """Write a file beside the old one, make sure that it is on the disk, and put it in the old one's place.

    Without ``replace`` a file that is there by then stays as it is, and :class:`FileExistsError` is raised.
    """
    folder = path.parent
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=folder)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            temporary.chmod(path.stat().st_mode)
        else:
            temporary.chmod(0o666 & ~_umask())
        if replace:
            temporary.replace(path)
        else:
            path.hardlink_to(temporary)
            temporary.unlink()
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
