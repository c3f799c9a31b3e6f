#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables and pictures of what lab/study/simd/run.sh has counted.

usage: report.py [--results FILE] all|KERNEL|"loop KERNEL VERSION"|widths|remarks
       report.py [--results FILE] --plot DIR     study-simd-{instructions,bytes}.svg
FILE: results.json of a run (default: the stored one, beside this script). KERNEL: daxpy stencil sgemm sgemm4 mandel
example: lab/study/simd/report.py daxpy
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = ("daxpy", "stencil", "sgemm", "sgemm4", "mandel")
CLASSES = ("float", "memory", "integer", "move")
HEAD = ("version", "instructions", "bytes fetched", "code bytes", "operations an instruction", "lanes on", "scalar",
        "arithmetic", "memory", "integer", "move", "control", "strip", "mask", "guarded")


def row(name, entry, results, operations):
    """One version as the cells of a table."""
    executed, vector, code = entry["executed"], entry["vector"], entry["code"]
    total = executed["instructions"]

    def share(part):
        return f"{100 * part / total:.1f}" if part else "–"

    vectors, lanes = vector["instructions"], "–"
    if vectors and "scalar" not in name:  # where x86 uses them to clear registers
        lanes = f"{vector['lanes'] / vectors:.1f} of {vector['width'] / vectors:.0f}"
    cells = [f"`{name}`", f"{total / results:.2f}", f"{executed['bytes'] / results:.1f}", str(code["bytes"]),
             f"{operations / executed['float']:.2f}", lanes, share(total - vectors)]
    cells += [share(executed[c]) for c in CLASSES]
    cells += [share(executed["control"] + executed["nothing"]), share(executed["strip"]), share(executed["mask"]),
              share(executed["guarded"])]
    return cells


def table(kernel):
    lines = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    for name, entry in ordered(kernel["versions"]):
        lines.append("| " + " | ".join(row(name, entry, kernel["results"], kernel["operations"])) + " |")
    return "\n".join(lines)


def ordered(versions):
    """Heddle first, the others as versions.txt has them."""
    with open(os.path.join(HERE, "versions.txt"), encoding="utf-8") as f:
        names = [line.split()[0] for line in f if line.strip() and not line.startswith("#")]
    return [(name, versions[name]) for name in ["heddle"] + names if name in versions]


def loop(entry):
    wide = max(len(text) for text, _ in entry)
    return "\n".join(["```text"] + [f"{text:{wide}}  {what}" for text, what in entry] + ["```"])


def remarks(results):
    lines = ["```text"]
    for target, said in sorted(results["remarks"].items()):
        lines += [f"{target}"] + [f"plain.c:{text}" for text in said]
    return "\n".join(lines + ["```"])


def widths(kernels):
    """Arithmetic instructions of what has the same number of lanes of 32 bits."""
    pairs = (("32 lanes", "heddle", "rvv-1024"), ("8 lanes", "x86-avx2", "rvv-256"),
             ("one", "x86-scalar", "riscv-scalar"))
    lines = ["| kernel | lanes | arithmetic instructions | |", "|---|---|---|---|"]
    for kernel in ("sgemm4", "mandel"):
        for lanes, *names in pairs:
            cells = [f"`{name}` {kernels[kernel]['versions'][name]['executed']['float']:,}" for name in names]
            lines.append(f"| {kernel} | {lanes} | {cells[0]} | {cells[1]} |")
    return "\n".join(lines)


def show(results, what):
    kernels = results["kernels"]
    if what == "all":
        return "\n\n".join(f"## {name}\n{table(kernels[name])}" for name in KERNELS)
    if what in kernels:
        return table(kernels[what])
    words = what.split()
    if len(words) == 3 and words[0] == "loop":
        versions = kernels.get(words[1], {"versions": {}})["versions"]
        return loop(versions[words[2]]["loop"]) if "loop" in versions.get(words[2], {}) else None
    if what == "widths":
        return widths(kernels)
    if what == "remarks":
        return remarks(results)
    return None


# By machine: Heddle, x86, RISC-V, its other ways.
COLOURS = ("#c0392b", "#9ecae1", "#2171b5", "#d9f0a3", "#a1d99b", "#41ab5d", "#006d2c", "#cccccc", "#999999", "#555555")
PLOT = """set terminal svg size 900,420 dynamic background rgb "white" font "sans-serif,12" name "study_simd"
set output "{file}"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85 noborder
set logscale y
set xrange [-0.6:4.6]
set grid ytics lc rgb "#dddddd"
set ylabel "{title}"
set key outside right top
set xtics nomirror
plot {series}
"""


def plot(results, folder, value, file, title):
    """A group of bars a kernel, a bar a version."""
    versions = {name: None for kernel in KERNELS for name in results["kernels"][kernel]["versions"]}
    names = [name for name, _ in ordered(versions)]
    series, data = [], "set datafile missing '?'\n"
    for name, colour in zip(names, COLOURS, strict=True):
        rows = [f"{kernel} {value(results['kernels'][kernel], name)}" for kernel in KERNELS]
        data += f"$d{len(series)} << END\n" + "\n".join(rows) + "\nEND\n"
        series.append(f'$d{len(series)} using 2:xtic(1) title "{name}" noenhanced lc rgb "{colour}"')
    path = os.path.join(folder, file).replace('"', "")
    script = data + PLOT.format(file=path, title=title, series=", ".join(series))
    subprocess.run(["gnuplot", "-"], input=script, text=True, check=True)


def plots(results, folder):
    def executed(kernel, name, key):
        if name not in kernel["versions"]:
            return "?"
        return f"{kernel['versions'][name]['executed'][key] / kernel['results']:.6g}"

    plot(results, folder, lambda k, n: executed(k, n, "instructions"), "study-simd-instructions.svg",
         "instructions executed for a result")
    plot(results, folder, lambda k, n: executed(k, n, "bytes"), "study-simd-bytes.svg",
         "bytes of instructions fetched for a result")


def main(args):
    if "--help" in args:
        print(__doc__, end="")
        return 0
    path = os.path.join(HERE, "results.json")
    if len(args) > 2 and args[0] == "--results":
        path, args = args[1], args[2:]
    with open(path, encoding="utf-8") as f:
        results = json.load(f)
    if len(args) == 2 and args[0] == "--plot":
        plots(results, args[1])
        return 0
    text = show(results, " ".join(args)) if args else None
    if text is None:
        print(__doc__, file=sys.stderr, end="")
        return 2
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
