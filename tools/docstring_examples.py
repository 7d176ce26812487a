"""Extension of griffe that puts the examples of docstrings into code blocks."""

from __future__ import annotations

from typing import Any

import griffe


def fenced(text: str) -> str:
    """Put every run of lines that begins with a prompt into a code block, up to the next empty line.

    >>> fenced("Add.\\n\\n>>> 1 + 1\\n2")
    'Add.\\n\\n```python\\n>>> 1 + 1\\n2\\n```'
    """
    blocks = []
    for block in text.split("\n\n"):
        before, prompt, rest = block.partition(">>> ")
        if prompt and (not before or before.endswith("\n")):
            blocks.append(f"{before}\n```python\n{prompt}{rest}\n```".lstrip("\n"))
        else:
            blocks.append(block)
    return "\n\n".join(blocks).replace("\n```\n\n```python\n", "\n\n")


class DocstringExamples(griffe.Extension):
    """Fences the examples of every docstring."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of an object that was just read."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
