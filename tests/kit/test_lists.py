# SPDX-License-Identifier: Apache-2.0
"""heddle.core names every file of rtl/ and no other, packages before who uses them; each list that `heddle kit` writes
names what is there, and together they name all of it.

usage: test_lists.py HEDDLE SOURCE"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path


def named(core):
    """Files of a CAPI2 description, in order."""
    return re.findall(r"^ +- ([\w./]+\.(?:svh?|v|c|h|vlt))\b", core.read_text(), re.M)


def rtl(source):
    files = [f for f in named(source / "heddle.core") if f.startswith("rtl/")]
    there = [str(p.relative_to(source)) for p in (source / "rtl").rglob("*.sv*")]
    assert sorted(files) == sorted(there), sorted(set(files) ^ set(there))
    assert len(files) > 200
    place = {Path(f).stem: i for i, f in enumerate(files)}
    for f in files:
        text = re.sub(r"//.*", "", (source / f).read_text())
        for used in set(re.findall(r"\b(\w+_pkg)::", text)) & set(place) - {Path(f).stem}:
            assert place[used] < place[Path(f).stem], f"{f} stands before {used}, which it uses"


def kit(heddle):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "kit"
        subprocess.run([heddle, "kit", out], check=True)
        there = {p.name for p in out.iterdir()}
        lists = {f for f in there if f.endswith(".f")}
        listed = {line for f in lists for line in (out / f).read_text().split()}
        in_core = set(named(out / "heddle-kit.core"))
        assert listed <= there and in_core <= there, (listed | in_core) - there
        sources = there - lists - {"heddle-kit.core"}
        assert in_core == sources, in_core ^ sources
        assert listed == {f for f in sources if f.endswith((".sv", ".v"))}, listed ^ sources


if __name__ == "__main__":
    rtl(Path(sys.argv[2]))
    kit(sys.argv[1])
