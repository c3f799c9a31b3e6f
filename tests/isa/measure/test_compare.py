#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""heddle isa report BASE A ...: the shape of its JSON, a planted change that shows where it should and nowhere else, the
same files from two runs, a page that asks for nothing.

usage: test_compare.py [--five] HEDDLE ROOT     (--five: all five encodings, mapped as well)
"""
import filecmp
import json
import os
import re
import subprocess
import sys
import tempfile

FAILED = []


def expect(condition, what):
    if not condition:
        FAILED.append(what)
        print(f"FAILED: {what}")


def run(heddle, root, names, out, *options):
    files = [f"{root}/isa/heddle.isa"] + [f"{root}/isa/variants/{n}.isa" for n in names]
    done = subprocess.run([heddle, "isa", "report", *files, "--tree", root, "-o", out, *options], check=False,
                          capture_output=True, text=True)
    expect(done.returncode == 0, f"exit status {done.returncode}: {done.stderr}")
    with open(f"{out}/report.json", encoding="utf-8") as f:
        return done.stdout, json.load(f)


def check_shape(report):
    for e in report["encodings"]:
        expect(set(e) >= {"encoding", "sketch", "hash", "totals", "fields", "formats", "numbers", "compaction",
                          "instruction_cache", "programs", "synthesis"}, f"members of {e['encoding']}: {sorted(e)}")
        for f in e["fields"]:
            expect(0 <= f["entropy"] <= 32 and f["entropy"] <= max(1, f["values"]).bit_length(), f"entropy of {f}")
        for n in e["numbers"]:
            expect(n["above"] == sorted(n["above"], reverse=True) and n["above"][32] == 0, f"numbers of {n['field']}")
        for way, sizes in e["instruction_cache"].items():
            expect([s["bytes"] for s in sizes] == [1024 << k for k in range(7)], f"sizes of {way}")
            expect(all(s["misses"] + s["late"] <= s["lookups"] and s["stalls"] <= s["cycles"] for s in sizes), way)
        totals = e["totals"]
        expect(totals["words"] == sum(p["words"] for p in e["programs"]), "words of all programs")
        expect(totals["runs"] == sum(p["runs"] for p in e["programs"]) > 1000000, "all that was executed")
        expect(totals["bytes"] == 16 * totals["words"], "bytes")
        expect(not totals["broken"] and totals["programs_refused"] == 0, "every program fits")


def field(encoding, name):
    return next(f for f in encoding["fields"] if f["name"] == name)


def check_planted(base, imm30):
    """Two bits of immediate less: in its own columns, and in no other."""
    expect(field(imm30, "imm")["bits"] == 30 and field(base, "imm")["bits"] == 32, "bits of imm")
    for f in imm30["fields"]:
        was = field(base, f["name"])
        if f["name"] != "imm":
            expect(f == was, f"field {f['name']} changed")
    fits = field(imm30, "imm")
    above = sum(n["above"][30] for n in base["numbers"] if n["field"] == "imm")
    expect(0 < fits["unfit"] == above == imm30["totals"]["words_forced"], "instructions forced into two")
    expect(imm30["totals"]["runs"] - base["totals"]["runs"] == fits["unfit_runs"] > 0, "... as executed")
    for name in ("registers", "spilled_values", "stall_cycles", "entropy_word"):
        expect(imm30["totals"][name] == base["totals"][name], f"{name} changed")
    with_imm = {f["name"] for f in base["formats"] if f["immediate_bits"] >= 32}
    for was, now in zip(base["formats"], imm30["formats"]):
        expect(now["free_bits"] - was["free_bits"] in ((0, 2) if was["name"] in with_imm else (0,)), was["name"])
    expect(imm30["opcodes_free"] == base["opcodes_free"], "opcodes")
    expect(imm30["sketch"] is not None and base["sketch"] is None, "a sketch is called one")


def check_page(path):
    with open(path, encoding="utf-8") as f:
        page = f.read()
    expect(page.count("<svg ") == page.count("</svg>") >= 3, "pictures")
    asked = re.findall(r"(?:src|href)\s*=|url\(|@import|<script|<link", page)
    expect(not asked, f"the page asks for {asked[:3]}")
    expect(not re.search(r"nan|inf\b", re.sub(r"<[^>]*>", "", page)), "a number that is none")


def check_refusals(heddle, root, folder):
    other = os.path.join(folder, "wrong.isa")
    with open(other, "w", encoding="utf-8") as f:
        f.write(f"import {root}/isa/heddle.isa\nmove rd 31:24\n")
    cases = [([f"{root}/isa/heddle.isa", other, "--tree", root], "both own bit 24"),
             ([f"{root}/isa/heddle.isa", other, "--tree", "/nowhere"], "/nowhere/isa/heddle.isa"),
             ([f"{root}/isa/heddle.isa"] * 2 + ["--tree", root, "--config", "none"], "no configuration 'none'"),
             ([f"{root}/isa/heddle.isa"] * 17 + ["--tree", root], "16 at most")]
    for arguments, says in cases:
        done = subprocess.run([heddle, "isa", "report", "--no-synth", *arguments], check=False, capture_output=True, text=True)
        expect(done.returncode == 2 and says in done.stderr, f"{arguments[1:]}: {done.returncode} {done.stderr}")
    done = subprocess.run([heddle, "isa", "try", f"{root}/isa/variants/imm30.isa", "--tree", root, "--no-synth"],
                          check=False, capture_output=True, text=True)
    expect(done.returncode == 2 and "a sketch is measured, not built" in done.stderr, f"try of a sketch: {done.stderr}")


def main():
    five = sys.argv[1] == "--five"
    heddle, root = sys.argv[2:4] if five else sys.argv[1:3]
    names = ["scatter", "r62", "imm30", "stall3"] if five else ["imm30"]
    options = [] if five else ["--no-synth"]
    with tempfile.TemporaryDirectory() as folder:
        text, report = run(heddle, root, names, f"{folder}/a", *options)
        again, _ = run(heddle, root, names, f"{folder}/b", *options)
        expect(text == again, "the text of two runs")
        for name in ("report.json", "report.html"):
            expect(filecmp.cmp(f"{folder}/a/{name}", f"{folder}/b/{name}", shallow=False), f"{name} of two runs")
        check_shape(report)
        of = {e["encoding"]: e for e in report["encodings"]}
        check_planted(of["heddle"], of["imm30"])
        check_page(f"{folder}/a/report.html")
        if five:
            expect(of["scatter"]["totals"] == of["heddle"]["totals"], "a shuffle changes no count")
            expect(of["r62"]["totals"]["registers"] <= 62 < of["heddle"]["totals"]["registers"], "registers of r62")
            expect(of["r62"]["totals"]["spilled_values"] > 0 == of["r62"]["totals"]["words_forced"], "spills of r62")
            expect(all(e["synthesis"]["decoder"]["lut4"] > 500 for e in of.values()), "decoders")
        else:
            check_refusals(heddle, root, folder)
    sys.exit(1 if FAILED else 0)


if __name__ == "__main__":
    main()
