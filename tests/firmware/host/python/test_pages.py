#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: test_pages.py page | notebook | types
page      docs/python.md: every block of Python runs and prints what the page shows ("…" is anything in a line)
notebook  examples/notebooks: every cell runs; the files hold no outputs
types     mypy --strict has nothing to say of the package
Device tiny, and for the notebook tiny_faults, are where HEDDLE_DEVICES says."""
import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[4]  # has docs and examples


def blocks(page):
    """Each block of Python with what is shown behind it, or None."""
    for code, shown in re.findall(r"^```python\n(.*?)^```\n(?:```text\n(.*?)^```\n)?", page, re.M | re.S):
        yield code, shown


def test_page():
    found, names = list(blocks((ROOT / "docs/python.md").read_text())), {}
    assert len(found) >= 4, "hardly a block is left"
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for code, shown in found:
            with contextlib.redirect_stdout(io.StringIO()) as said:
                exec(compile(code, "docs/python.md", "exec"), names)
            if not re.fullmatch(re.escape(shown or "").replace("…", ".*"), said.getvalue()):
                sys.exit(f"docs/python.md shows\n{shown}and there comes\n{said.getvalue()}")
    print(f"{len(found)} blocks")


def test_notebook():
    import nbclient
    import nbformat

    files = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))
    assert files, "no notebook"
    for file in files:
        cells = json.loads(file.read_text())["cells"]
        code = [c for c in cells if c["cell_type"] == "code"]
        dirty = [c["id"] for c in code if c["outputs"] or c["execution_count"] is not None]
        assert not dirty, f"{file}: outputs of {dirty}"
        with tempfile.TemporaryDirectory() as folder:
            book = nbformat.read(file, as_version=4)
            nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": folder}}).execute()
        said = [out for c in book.cells if c.cell_type == "code" for out in c.outputs]
        assert len(said) >= 5 and not any(out.output_type == "error" for out in said)
        print(f"{file.name}: {len(cells)} cells")


def test_types():
    import heddle

    folder = pathlib.Path(heddle.__file__).parent
    with tempfile.TemporaryDirectory() as cache:
        mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache]
        subprocess.run([*mypy, "-p", "heddle"], cwd="/", check=True)
        user = pathlib.Path(cache, "user.py")  # a stranger's program is checked against the hints
        user.write_text("import heddle\nd: int = heddle.Device('model').zeros(3)\n")
        said = subprocess.run([*mypy, user], cwd="/", check=False, text=True, capture_output=True).stdout
    assert '"Buffer", variable has type "int"' in said, said
    assert (folder / "py.typed").exists()


if __name__ == "__main__":
    os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")
    {"page": test_page, "notebook": test_notebook, "types": test_types}[sys.argv[1]]()
