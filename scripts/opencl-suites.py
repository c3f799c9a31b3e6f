#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Suites of OpenCL-CTS on a board, each sub-test as a process of its own with a time limit.

usage: opencl-suites.py run BUILD OUT SUITE[:TEST,TEST...]... [--limit SECONDS] [-- OPTION...]
       opencl-suites.py table OUT
       opencl-suites.py ulp OUT FUNCTION_LIST
example: OCL_ICD_VENDORS=$PWD/build/opencl/vendors HEDDLE_BOARD=model \\
           scripts/opencl-suites.py run ~/cts/build build/cts math_brute_force --limit 60 -- -w -1 -r
         scripts/opencl-suites.py ulp build/cts ~/OpenCL-CTS/test_conformance/math_brute_force/function_list.cpp

BUILD is where CMake built the suites, SUITE a folder of its test_conformance. OUT gets what each sub-test printed
(SUITE.TEST.log) and one line of results.jsonl a run: the last of a sub-test counts. `table` prints a row a suite and
names what did not pass; `ulp` a row a function of math_brute_force: what it measured, what the specification grants.
Exit status: 0, 1 there is no such suite, 2 usage.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time


def program_of(build, suite):
    folder = pathlib.Path(build, "test_conformance", suite)
    found = [p for p in sorted(folder.glob("test_*")) if p.is_file() and os.access(p, os.X_OK)]
    if not found:
        sys.exit(f"opencl-suites.py: {folder}: no program of a suite")
    return found[0].resolve()


def tests_of(program):
    said = subprocess.run([program, "--list"], capture_output=True, text=True, cwd=program.parent, check=False).stdout
    return re.findall(r"^\t(\w+)$", said, re.M)


def verdict(test, status, said):
    if status is None:
        return "too long"
    if status == 0 and re.search(rf"^{test} (skipped|(test )?not supported)", said, re.M | re.I):
        return "skipped"
    return "passed" if status == 0 and re.search(rf"^{test} passed", said, re.M) else "failed"


def run_one(program, test, options, log, limit):
    """Exit status; None: stopped at the limit."""
    with open(log, "wb") as out:
        child = subprocess.Popen([program, *options, test], stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=subprocess.STDOUT, cwd=program.parent, start_new_session=True)
        try:
            return child.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            return None


def run(build, out, suites, limit, options):
    out.mkdir(parents=True, exist_ok=True)
    for suite, _, only in (s.partition(":") for s in suites):
        program = program_of(build, suite)
        for test in only.split(",") if only else tests_of(program):
            log, begun = out / f"{suite}.{test}.log", time.monotonic()
            status = run_one(program, test, options, log, limit)
            row = {"suite": suite, "test": test, "seconds": round(time.monotonic() - begun, 1),
                   "result": verdict(test, status, log.read_text(errors="replace"))}
            with open(out / "results.jsonl", "a", encoding="utf-8") as f:
                f.write(json.dumps(row) + "\n")
            print(f"{suite} {test}: {row['result']}, {row['seconds']} s", flush=True)


def table(out):
    last = {}
    for line in (out / "results.jsonl").read_text().splitlines():
        row = json.loads(line)
        last[row["suite"], row["test"]] = row["result"]
    print("| suite | passed | of | skipped | too long | failed |\n|---|---|---|---|---|---|")
    for suite in dict.fromkeys(s for s, _ in last):
        of = {t: r for (s, t), r in last.items() if s == suite}
        count, names = [sum(r == w for r in of.values()) for w in ("passed", "skipped")], []
        for word in ("too long", "failed"):
            names.append(", ".join(f"`{t}`" for t, r in of.items() if r == word))
        print(f"| {suite} | {count[0]} | {len(of)} | {count[1]} | {names[0]} | {names[1]} |")


def ulp(out, functions):
    """The bounds stand in the second half of the file, by name: float, double."""
    text = pathlib.Path(functions).read_text(encoding="utf-8")
    entry = r"^\s*(OPERATOR_ENTRY|HALF_ENTRY|ENTRY_EXT|ENTRY)\((\w+),\s*(\"[^\"]*\",)?\s*([\d.]+)f?,"
    bound = {("half_" if kind == "HALF_ENTRY" else "") + name: float(ulps)
             for kind, name, _, ulps in re.findall(entry, text, re.M)}
    print("| function | `float` | `double` | granted |\n|---|---|---|---|")
    for log in sorted(out.glob("math_brute_force.*.log")):
        name = log.name.split(".")[1]
        found = dict(re.findall(r"(fp32|fp64)[ .]*Wimp pass\s+([\d.]+) @", log.read_text(errors="replace")))
        if found and any(float(v) > 0 for v in found.values()):
            print(f"| `{name}` | {found.get('fp32', '')} | {found.get('fp64', '')} | {f'{bound[name]:g}' if name in bound else 'any'} |")


def main(words):
    options = words[words.index("--") + 1:] if "--" in words else []
    words = words[:words.index("--")] if "--" in words else words
    limit = 60
    if "--limit" in words:
        at = words.index("--limit")
        limit = float(words[at + 1])
        del words[at:at + 2]
    if words[:1] == ["run"] and len(words) > 3:
        run(words[1], pathlib.Path(words[2]), words[3:], limit, options)
    elif words[:1] == ["table"] and len(words) == 2:
        table(pathlib.Path(words[1]))
    elif words[:1] == ["ulp"] and len(words) == 3:
        ulp(pathlib.Path(words[1]), words[2])
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
