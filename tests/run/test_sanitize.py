#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: test_sanitize.py HEDDLE FOLDER CHECK [OPTION...]

FOLDER/CHECK.* and FOLDER/CHECK_*.* hold programs, an empty line before each. Every one has a bug; its comments say what the
sanitizer must tell, and how it is mended:
  // run: OPTIONS          of `heddle run`; its kernel follows
  // says: WORDS           must be in the report
  // told: CHECK           in the line that is told, several with commas; `race with line -2` names the other
                        place, two lines above, `race with itself` the same line
  // broken                a line that the mended twin does not have
  // mended: TEXT          a line that it has instead
  // from: elf             compiled before it is run, too: the same must be told
  // needs: clang 15       left out with clang 14, with all of its file
Findings must be those, and no others; the twin must be silent. Programs of `right` have no bug."""
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


def expected(lines, first):
    """Pairs of lines by check, of a program whose lines begin with number `first`; one line: whatever the other place is."""
    told = set()
    for number, text in enumerate(lines, first):
        said = re.search(r"told: (.*)", text)
        for one in said.group(1).split(",") if said else []:
            name, *other = one.replace(" with itself", " with line +0").split(" with line ")
            told.add((name.strip(), number, number + int(other[0]) if other else None))
    return told


def programs(lines):
    """Kernel, number of the first line and lines of each: from its comments to those of the next."""
    starts = []
    for number, text in enumerate(lines):
        if text.startswith("// run: "):
            while lines[number - 1].startswith("// "):
                number -= 1
            starts.append(number)
    for start, end in zip(starts, starts[1:] + [len(lines)]):
        kernel = re.search(r"(?:__global__ void|kernel void|\.kernel|\.entry) (\w+)", "\n".join(lines[start:end])).group(1)
        yield kernel, start + 1, lines[start:end]


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


def program(path, lines, kernel, first, own, scratch):
    words = "\n".join(own)
    name = f"{os.path.basename(path)}: {kernel}"
    arguments = re.search(r"// run: (.*)", words).group(1).split() + ["--kernel", kernel]
    want = expected(own, first)
    judge(f"{name}: says what is to be told", bool(want) != (check == "right"), words)
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines))
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
    count = 0
    with tempfile.TemporaryDirectory() as scratch:
        with open(os.path.join(scratch, "in"), "wb") as f:
            f.write(struct.pack("<1024i", *[(i * 7919) % 1000 for i in range(1024)]))
        for name in sorted(n for n in os.listdir(folder) if re.match(check + r"[._]", n)):
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                lines = f.read().split("\n")
            if any(text.startswith("// needs: clang 15") for text in lines) and clang.endswith("-14"):
                print(f"{name}: left out with {clang}")
                continue
            for kernel, first, own in programs(lines):
                program(os.path.join(scratch, name), lines, kernel, first, own, scratch)
                count += 1
    print(f"{count} programs: {passed} passed, {failed} failed")
    return 1 if failed or count < 8 else 0


sys.exit(main())
