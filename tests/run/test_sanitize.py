#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: test_sanitize.py HEDDLE FOLDER CHECK [OPTION...]

Every program of FOLDER/CHECK has a bug; its comments say what the sanitizer must tell, and how it is mended:
  // run: OPTIONS          of `heddle run`
  // says: WORDS           must be in the report
  // told: CHECK           in the line that is told, several with commas; `race with line N` names the other place
  // broken                a line that the mended twin does not have
  // mended: TEXT          a line that it has instead
  // from: elf             compiled before it is run, too: the same must be told
  // needs: clang 15       left out with clang 14
Findings must be those, and no others; the twin must be silent. Programs of the folder `right` have no bug."""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

heddle, folder, check, *options = sys.argv[1:]
clang = os.environ.get("HEDDLE_CLANG") or ("clang-19" if shutil.which("clang-19") else "clang-14")
failed = passed = 0


def judge(what, good, said):
    global failed, passed
    passed += good
    failed += not good
    if not good:
        print(f"FAILED: {what}\n{said}")


def expected(lines):
    """Pairs of lines by check; one line: whatever the other place is."""
    told = set()
    for number, text in enumerate(lines, 1):
        said = re.search(r"told: (.*)", text)
        for one in said.group(1).split(",") if said else []:
            name, *other = one.split(" with line ")
            told.add((name.strip(), number, int(other[0]) if other else None))
    return told


def fits(finding, want):
    name, line, other = want
    lines = [place.get("line") for place in finding["places"]]
    if finding["check"] != name or line not in lines:
        return False
    return other is None or sorted(lines) == sorted([line, other])


def run(path, arguments, scratch):
    out = os.path.join(scratch, "json")
    call = [heddle, "run", path, "--on", "model", "--sanitize", "all", "--max-cycles", "3000000", "--json", out]
    with open(out, "w", encoding="utf-8") as f:
        f.write("{}")
    r = subprocess.run(call + arguments + options, cwd=scratch, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    with open(out, encoding="utf-8") as f:
        result = json.load(f).get("result", {})
    return r.returncode, result.get("sanitizer", {}).get("findings"), r.stderr


def mended(lines):
    for text in lines:
        repair = re.search(r"// mended: (.*)", text)
        yield repair.group(1) if repair else "" if "// broken" in text else text


def waived(name, path, arguments, scratch, findings):
    """What is waived is told in a line, and the run is as well as without a sanitizer."""
    file = os.path.join(scratch, "known")
    with open(file, "w", encoding="utf-8") as f:
        f.writelines(f"{signature} 2099-01-01 known\n" for signature in sorted({x["signature"] for x in findings}))
    code, left, said = run(path, arguments + ["--waivers", file], scratch)
    ends = "trap " in said or "deadlock" in said  # by itself
    judge(f"{name}: waived", left == [] and (ends or code == 0) and said.count("waived: ") >= len(findings), said)


def program(name, scratch):
    with open(os.path.join(folder, check, name), encoding="utf-8") as f:
        lines = f.read().split("\n")
    words = "\n".join(lines)
    if "// needs: clang 15" in words and clang.endswith("-14"):
        print(f"{name}: left out with {clang}")
        return
    arguments = re.search(r"// run: (.*)", words).group(1).split()
    want = expected(lines)
    judge(f"{name}: says what is to be told", bool(want) != (check == "right"), words)
    path = os.path.join(scratch, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(words)
    code, findings, said = run(path, arguments, scratch)
    if check == "right":
        judge(f"{name}: exit status {code}", code == 0 and findings == [], said)
        return
    judge(f"{name}: exit status {code}", code == 3 and findings is not None, said)
    findings = findings or []
    for w in want:
        judge(f"{name}: {w} is not told", any(fits(x, w) for x in findings), said)
    for x in findings:
        judge(f"{name}: told beside: {x['what']}", any(fits(x, w) for w in want), said)
    waived(name, path, arguments, scratch, findings)
    if "// from: elf" in words:
        elf = os.path.join(scratch, "elf")
        subprocess.run([heddle, "cc", path, "-o", elf], check=True)
        _, same, said = run(elf, arguments, scratch)
        judge(f"{name}: compiled before", {x["signature"] for x in same or []} == {x["signature"] for x in findings}, said)
    for says in re.findall(r"// says: (.*)", words):
        judge(f"{name}: '{says}'", says in said, said)
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(mended(lines)))
    code, findings, said = run(path, arguments, scratch)
    judge(f"{name}: mended", code == 0 and findings == [], f"exit status {code}\n{said}")


def main():
    names = sorted(os.listdir(os.path.join(folder, check)))
    with tempfile.TemporaryDirectory() as scratch:
        with open(os.path.join(scratch, "in"), "wb") as f:
            f.write(struct.pack("<1024i", *[(i * 7919) % 1000 for i in range(1024)]))
        for name in names:
            program(name, scratch)
    print(f"{len(names)} programs: {passed} passed, {failed} failed")
    return 1 if failed or len(names) < 8 else 0


sys.exit(main())
