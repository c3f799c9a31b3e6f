# SPDX-License-Identifier: Apache-2.0
"""heddle.core names every file of rtl/ and no other, packages before who uses them; each list that `heddle kit` writes
names what is there, and together they name all of it.

usage: test_lists.py HEDDLE SOURCE
       test_lists.py --fix SOURCE      writes heddle.core's lists anew"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path


def named(core):
    """Files of a CAPI2 description, in order."""
    return re.findall(r"^ +- ([\w./]+\.(?:svh?|v|c|h|vlt))\b", core.read_text(), re.M)


def wanted(source):
    """The files of rtl/ as the build orders them: packages first (cosim/verilator/build.sh), then headers, modules."""
    there = sorted(str(p.relative_to(source)) for p in (source / "rtl").rglob("*.sv"))
    first = [f"rtl/{name}_pkg.sv" for name in ("core", "kind", "line")]
    packages = first + [f for f in there if f.endswith("_pkg.sv") and f not in first]
    headers = sorted(str(p.relative_to(source)) for p in (source / "rtl").rglob("*.svh"))
    return packages, headers, [f for f in there if not f.endswith("_pkg.sv")]


def fix(source):
    packages, headers, modules = wanted(source)
    core = source / "heddle.core"
    kept = [line for line in core.read_text().splitlines() if not line.startswith("      - rtl/")]
    rtl_files = kept.index("  rtl:")
    last_gen = max(i for i, line in enumerate(kept) if line.startswith("      - build/gen/"))
    out = kept[:last_gen + 1] + [f"      - {f}" for f in packages] + kept[last_gen + 1:rtl_files + 3]
    out += [f"      - {f}: {{is_include_file: true}}" for f in headers] + [f"      - {f}" for f in modules]
    core.write_text("\n".join(out + kept[rtl_files + 3:]) + "\n")


def rtl(source):
    files = [f for f in named(source / "heddle.core") if f.startswith("rtl/")]
    packages, headers, modules = wanted(source)
    assert len(files) > 200
    assert files == packages + headers + modules, (
        f"heddle.core: {sorted(set(files) ^ set(packages + headers + modules)) or 'another order'}; "
        "tests/cosim/kit/test_lists.py --fix SOURCE mends it")
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
    if sys.argv[1] == "--fix":
        fix(Path(sys.argv[2]))
        sys.exit()
    rtl(Path(sys.argv[2]))
    kit(sys.argv[1])
