"""Runs python/ngd.ipynb and prints docs/python.md: in Jupyter where nbclient and ipykernel are installed, else cell by cell here."""

import ast
import contextlib
import importlib.util
import io
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))


def in_jupyter(file):
    """What each code cell shows in a kernel; None where there is none."""
    if any(importlib.util.find_spec(name) is None for name in ("nbclient", "nbformat", "ipykernel")):
        return None
    import nbclient
    import nbformat

    book = nbformat.read(file, 4)
    os.environ["PYTHONPATH"] = os.path.dirname(HERE)
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()
    shown = []
    for cell in book.cells:
        if cell.cell_type == "code":
            shown.append("".join(o.text if o.output_type == "stream" else o.data["text/plain"] for o in cell.outputs))
    outputs = [o for cell in book.cells if cell.cell_type == "code" for o in cell.outputs]
    if not any("text/html" in o.get("data", {}) for o in outputs):
        raise AssertionError("a fit must show as HTML in a notebook")
    return shown


def run(source, names):
    """What a cell shows: what it prints, and the value of its last line where that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        execute(compile(tree, "cell", "exec", flags), names)
        if last is not None:
            value = execute(compile(ast.Expression(last.value), "cell", "eval", flags), names)
            if value is not None:
                print(repr(value))
    return shown.getvalue()


def execute(code, names):
    import asyncio
    import inspect

    value = eval(code, names)  # noqa: S307
    return asyncio.run(value) if inspect.iscoroutine(value) else value


def main():
    file = os.path.join(HERE, "..", "ngd.ipynb")
    with open(file, encoding="utf-8") as text:
        book = json.load(text)
    kernel = in_jupyter(file)
    names = {"__name__": "__main__"}
    parts = []
    for cell in book["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        shown = (run(source, names) if kernel is None else kernel.pop(0)).strip("\n")
        parts.append(f"```python\n{source}\n```")
        if shown:
            parts.append(f"```\n{shown}\n```")
    print("\n\n".join(parts))


if __name__ == "__main__":
    main()
