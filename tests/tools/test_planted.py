#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: test_planted.py HEDDLE FOLDER WHERE...

Runs the programs of FOLDER/table.txt at each WHERE (options of `heddle run`): status, line and words must be those of
the table, in the text and in the JSON."""
import json
import os
import subprocess
import sys
import tempfile

heddle, folder, *wheres = sys.argv[1:]
failed = passed = 0


def rows(values):
    with open(os.path.join(folder, "table.txt"), encoding="utf-8") as table:
        for text in table:
            if text.strip() and not text.startswith("#"):
                for name, value in values.items():
                    text = text.replace("{" + name + "}", value)
                yield [cell.strip() for cell in text.split("|")]


def check(what, good, said):
    global failed, passed
    passed += good
    if not good:
        failed += 1
        print(f"FAILED: {what}\n{said}")


def lines_of(fault):
    """Every file:line that the JSON names."""
    places = [fault, fault.get("origin", {})] + fault.get("waits", [])
    return {f'{os.path.basename(p["file"])}:{p["line"]}' for p in places if "file" in p}


def judge_json(what, path, kind, line, said):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    fault = json.loads(text)["result"].get("fault", {})
    check(f"{what}: JSON", fault.get("kind") == kind and line in lines_of(fault), text + said)


def call(arguments):
    r = subprocess.run([heddle] + arguments, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return r.returncode, r.stdout + r.stderr


def before(row, out):
    source, kernel, how, status, _, line, words = row
    code, said = call([how, source] + (["-o", out] if how == "ptx" else []))
    check(f"{how} {source} {kernel}", str(code) == status and line.split(":")[1] in said and words in said, said)


def run(row, where, out):
    source, kernel, arguments, status, kind, line, words = row
    if line.startswith("model "):  # elsewhere it takes as long as a run may
        line = line.removeprefix("model ")
        if where != "--on model":
            return
    if status.startswith("tiny "):
        status = status.removeprefix("tiny ")
        if "tiny" not in where:
            return
    if "rtl" in where and kind in ("undefined", "deadlock"):  # nobody there knows
        return
    what = f"{source} {kernel} {where}"
    code, said = call(["run", source, "--kernel", kernel, "--grid", "1", "--json", out] + arguments.split() + where.split())
    check(what, str(code) == status and words in said and (line == "-" or line in said), f"exit {code}\n{said}")
    if kind != "-":
        judge_json(what, out, kind, line, said)


def main():
    with tempfile.TemporaryDirectory() as scratch:
        with open(os.path.join(scratch, "in"), "wb") as f:
            f.write(bytes(128))
        with open(os.path.join(folder, "by_hand.s"), encoding="utf-8") as f:
            end = len(f.read().splitlines()) - 1
        values = {"in": os.path.join(scratch, "in"), "o": os.path.join(scratch, "o"), "end": str(end)}
        out = os.path.join(scratch, "out")
        for row in rows(values):
            if row[2] in ("lint", "ptx"):
                before(row, out)
                continue
            for where in wheres:
                run(row, where, out)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
