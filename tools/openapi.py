"""Write the served OpenAPI document to a file, without a server: what the web page's types are made from."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tablewright.server.app import make_app
from tablewright.table import open_store


def document() -> str:
    """The document as text, the same for the same program."""
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "tables.db", serve=True)
        try:
            return json.dumps(make_app(store).openapi(), indent=1, sort_keys=True) + "\n"
        finally:
            store.close()


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(document(), encoding="utf-8")
