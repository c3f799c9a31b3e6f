#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The figures of docs/for-encodings.md as Markdown, made by `heddle isa report`; what takes minutes, mapping, is read from
lab/fpga/synth/figures/encodings.json.

usage: scripts/encoding-figures.py HEDDLE                example: scripts/encoding-figures.py build/heddle
       scripts/encoding-figures.py --keep REPORT.json    (what mapping gave, from a whole report of the five)
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
MAPPED = os.path.join(ROOT, "lab/fpga/synth/figures/encodings.json")
VARIANTS = ("scatter", "r62", "imm30", "stall3")


def report(heddle):
    files = ["isa/heddle.isa"] + [f"isa/variants/{name}.isa" for name in VARIANTS]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([heddle, "isa", "report", "--no-synth", "-o", folder, "--tree", ROOT,
                        *(os.path.join(ROOT, f) for f in files)], check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(folder, "report.json"), encoding="utf-8") as f:
            return json.load(f)["encodings"]


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "–"


def more(base, now):
    return "–" if now == base else f"{100 * (now - base) / base:+.1f} %"


def totals(all_of):
    base = all_of[0]["totals"]
    rows = [["code, bytes"] + [f"{e['totals']['bytes']:,}" for e in all_of],
            ["… against the base"] + [more(base["bytes"], e["totals"]["bytes"]) for e in all_of],
            ["fetched by the kernels, bytes"] + [f"{e['totals']['bytes_fetched']:,}" for e in all_of],
            ["… against the base"] + [more(base["bytes_fetched"], e["totals"]["bytes_fetched"]) for e in all_of]]
    for label, key in (("instructions more, because something does not fit", "words_forced"),
                       ("… as executed", "runs_forced"), ("most registers of a kernel", "registers"),
                       ("programs that spill", "programs_spilling"), ("values spilled", "spilled_values"),
                       ("entropy of a word, bits", "entropy_word"), ("… as executed", "entropy_word_runs")):
        rows.append([label] + [f"{e['totals'][key]:,}" for e in all_of])
    rows.append(["opcodes free"] + [f"{e['opcodes_free']:,}" for e in all_of])
    rows.append(["bits free in format `RIR`"] +
                [str(next(f["free_bits"] for f in e["formats"] if f["name"] == "RIR")) for e in all_of])
    table([""] + [f"`{e['encoding']}`" for e in all_of], rows)


def mapped():
    with open(MAPPED, encoding="utf-8") as f:
        kept = json.load(f)
    names = [n for n in ("heddle", *VARIANTS) if n in kept]
    rows = []
    for label, top in (("decoder for 60 MHz", "decoder"), ("decoder as fast as it goes", "decoder_fast")):
        for what, key in (("LUT4", "lut4"), ("levels", "levels"), ("MHz, estimated", "mhz")):
            rows.append([f"{label}: {what}"] + [f"{kept[n][top][key]:,}" for n in names])
    for label, key in (("issue of `tiny`, control codes: LUT4", "issue_control_lut4"),
                       ("issue of `tiny`, scoreboard: LUT4", "issue_scoreboard_lut4")):
        rows.append([label] + [f"{kept[n][key]:,}" for n in names])
    table([""] + [f"`{n}`" for n in names], rows)


def fields(all_of):
    base = all_of[0]
    words, runs = base["totals"]["words"], base["totals"]["runs"]
    waste = sorted(base["fields"], key=lambda f: (-(f["bits"] - f["entropy"]) * f["words"], f["name"]))
    rows = [[f"`{f['name']}`", str(f["bits"]), percent(f["words"], words), str(f["values"]), f"{f['entropy']:.2f}",
             f"{f['entropy_runs']:.2f}", f"{(f['bits'] - f['entropy']) * f['words'] / words:.1f}",
             f"{(f['bits'] - f['entropy_runs']) * f['runs'] / runs:.1f}"] for f in waste[:8]]
    table(["field", "bits", "in words", "values", "entropy", "executed", "redundant bits a word", "executed"], rows)


def immediates(all_of):
    of = [n for n in all_of[0]["numbers"] if n["field"] == "imm"]
    widths = (8, 12, 16, 20, 24, 28, 30, 31)
    words, runs = sum(n["words"] for n in of), sum(n["runs"] for n in of)
    all_words, all_runs = all_of[0]["totals"]["words"], all_of[0]["totals"]["runs"]
    rows = []
    for label, key, all_those in (("of the immediates", "above", words), ("of all words", "above", all_words),
                                  ("of the immediates, executed", "above_runs", runs),
                                  ("of all executed", "above_runs", all_runs)):
        rows.append([label] + [percent(sum(n[key][w] for n in of), all_those) for w in widths])
    table(["become two instructions with"] + [f"{w} bits" for w in widths], rows)


def compaction(all_of):
    rows = []
    for label, way in (("64-bit forms by tables", "table"), ("64/128 mix without tables", "mix"),
                       ("three instructions share a control word", "shared")):
        e = all_of[0]
        c, none = e["compaction"][way], e["compaction"]["none"]
        rows.append([label, percent(c["short_words"], none["bytes"] / 16),
                     percent(c["short_runs"], none["bytes_fetched"] / 16),
                     percent(none["bytes"] - c["bytes"], none["bytes"]),
                     percent(none["bytes_fetched"] - c["bytes_fetched"], none["bytes_fetched"])])
    table(["", "short words", "executed", "bytes saved", "fetched bytes saved"], rows)
    t = all_of[0]["compaction"]["tables"]
    print(f"\nTables: {t['control_entries']} control codes of {t['controls']}, {t['modifier_entries']} modifiers of "
          f"{t['modifiers']}.\nWith contents made of the other half of the programs {100 * t['share_held_out']:.1f} % of "
          f"the words are short.")


def cache(all_of):
    best = all_of[0]["instruction_cache"]["none"][-1]["cycles"]
    sizes = [s["bytes"] >> 10 for s in all_of[0]["instruction_cache"]["none"]]
    rows = []
    for e, way in [(e, "none") for e in all_of] + [(all_of[0], w) for w in ("table", "mix", "shared")]:
        label = f"`{e['encoding']}`" + ("" if way == "none" else f", {way}")
        of = e["instruction_cache"][way]
        rows.append([label] + [f"{100 * s['cycles'] / best:.1f}" for s in of])
    table(["cycles at KiB"] + [str(s) for s in sizes], rows)


def keep(path):
    with open(path, encoding="utf-8") as f:
        of = {e["encoding"]: e["synthesis"] for e in json.load(f)["encodings"]}
    if not all(of.values()):
        raise SystemExit(f"{path}: nothing was mapped; leave --no-synth away")
    with open(MAPPED, "w", encoding="utf-8") as f:
        json.dump(of, f, indent=1, sort_keys=True)
        f.write("\n")


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--keep":
        keep(sys.argv[2])
        return
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    of = report(sys.argv[1])
    print("### Code, registers, free bits\n")
    totals(of)
    print("\n### Mapped to an ECP5\n")
    mapped()
    print("\n### Redundant bits of the base\n")
    fields(of)
    print("\n### A narrower `imm`\n")
    immediates(of)
    print("\n### Shorter forms of the base\n")
    compaction(of)
    print("\n### Instruction cache: cycles, of 100 with 64 KiB\n")
    cache(of)


if __name__ == "__main__":
    main()
