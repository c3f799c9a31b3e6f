#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the tools make for the site, as files that seem to lie in the tree: the manual and the map of the instruction set, the
installed headers as pages, pages with pictures of real runs.

usage: generated.py ROOT BUILD WORK     into WORK/pages
Exit status: 0, 1 a tool said no, or a page has no such heading.
"""
import html
import os
import re
import shutil
import subprocess
import sys

# Runs with a wave: name -> arguments of `heddle run`, exit status. WORK is the work folder.
RUNS = {
    "moves": (["tests/waves/moves.s", "--grid", "1", "--block", "64", "--arg", "out:256:WORK/zeros.bin"], 0),
    "part": (["tests/waves/part.s", "--grid", "1", "--block", "32", "--fault", "60"], 1),
}
# A picture: page, heading behind which it stands; run, view, what it begins before and how wide it is; words below.
FIGURES = (
    ("docs/views.md", "Scheduling", "moves", ".scheduling", "--from", "what they wait for/dependency", "--cycles", "28",
     "Both warps have asked memory; each waits for its data, at a dependency counter."),
    ("docs/views.md", "Divergence", "moves", ".divergence", "--from", "paths/push", "--cycles", "14", "--pixels", "64",
     "BRA parts the lanes of warp 0, then those of warp 1: a path is pushed, the odd lanes go on."),
    ("docs/views.md", "Operands", "moves", ".operands", "--from", "queue of memory/offered", "--cycles", "28",
     "A load waits in memory's queue, beat by beat; the load/store unit takes it."),
    ("docs/views.md", "Memory", "moves", ".memory", "--from", "to the load/store unit/row offered", "--cycles", "32",
     "--closed", "AXI", "shared memory", "A load: its rows, the check of its addresses, the request for its line."),
    ("docs/tutorial-read-a-difference.md", "4. The wave", "part", ".divergence", "--from", "paths/push", "--cycles", "14",
     "--pixels", "64", "--closed", "convergence barrier",
     "The branch, the push, and the issue at which the checker stops (the red line)."),
)


def call(words, status=0, **how):
    done = subprocess.run(words, check=False, stderr=subprocess.PIPE, text=True, **how)
    if done.returncode != status:
        sys.exit(f"site: exit status {done.returncode}, not {status}: {' '.join(words)}\n{done.stderr[-2000:]}")
    return done.stdout


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def manual(root, heddle, work):
    isa, maker = os.path.join(root, "isa/heddle.isa"), os.path.join(root, "isa/manual/make.py")
    write(work + "/isa/map.md", "# Map of the encodings\n\nA line of 128 columns for each format; `heddle isa map` draws it from "
          "[the ISA file](heddle.isa).\n\n![Map of the encodings](map.svg)\n")
    call([heddle, "isa", "map", isa, "--svg", work + "/isa/map.svg"], stdout=subprocess.DEVNULL)
    if os.path.exists(maker):
        call([sys.executable, "-B", maker, "--heddle", heddle, "--isa", isa, "--out", work + "/isa/manual"])
    else:
        call([heddle, "isa", "doc", isa, "-o", work + "/isa/manual.md"])


def header_page(name, text):
    """A header as a page: its first comment as text, then piece by piece; a heading names what a piece declares."""
    text = re.sub(r'^#ifdef __cplusplus\n.*?#endif\n|^#(?:ifndef|define) \w+_H(?:PP)?\n|^#endif[^\n]*\s*\Z', "", text, flags=re.M | re.S)
    first, _, rest = text.partition("\n\n")
    about = re.sub(r"^(?:/\*| \*/?|//) ?|SPDX-.*|\*/$", "", first, flags=re.M).strip("\n").split("\n\n")
    lines = [f"# {name}\n", *(f"```text\n{part}\n```\n" if "\n  " in "\n" + part else part + "\n" for part in about)]
    for piece in re.split(r"\n{2,}(?=\S)", rest.strip()):
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", piece, flags=re.S)
        names = [function or other for other, function in re.findall(
            r"^(?:(?:template <.*> )?((?:struct|enum|union|class) \w+(?= [{:])|#define \w+)|\w[^;{}()=#\n]*?\b(\w+)\([^{};]*\);)", code, re.M)]
        if names:
            lines.append("## " + ", ".join(f"`{n}`" for n in names[:3]) + (" …" if len(names) > 3 else ""))
        lines.append(f"```cpp\n{piece}\n```\n")
    return "\n".join(lines)


def headers(build, work, runs):
    """Of what is installed."""
    call(["cmake", "--install", build, "--prefix", runs + "/sdk", "--component", "development"], stdout=subprocess.DEVNULL)
    folder, names = runs + "/sdk/include/heddle", []
    for name in sorted(os.listdir(folder)):
        write(f"{work}/include/heddle/{name}.md", header_page("heddle/" + name, read(os.path.join(folder, name))))
        names.append(f"- [{name}]({name}.md)")
    write(work + "/include/heddle/index.md", "# Headers\n\nHeaders that `cmake --install` puts into `include/heddle`, in C; "
          "`*.hpp` in C++.\n\n" + "\n".join(names) + "\n")


def waves(root, heddle, work, runs):
    with open(runs + "/zeros.bin", "wb") as f:
        f.write(bytes(256))
    for name, (words, status) in RUNS.items():
        words = [word.replace("WORK", runs) for word in words]
        call([heddle, "run", *words, "--config", "tiny", "--wave", f"{runs}/{name}.fst"], status, cwd=root, stdout=subprocess.DEVNULL)
        with open(f"{runs}/{name}.vcd", "w", encoding="ascii") as vcd:
            call(["fst2vcd", f"{runs}/{name}.fst"], stdout=vcd)
    for page, heading, run, view, *options, words in FIGURES:
        picture = f"{page[:-3]}{view}.svg"
        write(f"{work}/{picture}", call([sys.executable, "-B", root + "/waves/picture.py", f"{runs}/{run}.fst{view}.gtkw",
                                         f"{runs}/{run}.vcd", "--heddle", heddle, *options], stdout=subprocess.PIPE))
        path = f"{work}/{page}" if os.path.exists(f"{work}/{page}") else f"{root}/{page}"
        before, found, rest = read(path).partition(f"\n## {heading}\n")
        if not found:
            sys.exit(f"site: {page}: has no heading {heading} for its figure")
        figure = f'<figure><img src="{os.path.basename(picture)}" alt=""><figcaption>{html.escape(words)}</figcaption></figure>\n\n'
        write(f"{work}/{page}", before + found + "\n" + figure + rest)


def main(root, build, work):
    heddle, pages, runs = build + "/heddle", work + "/pages", work + "/runs"
    os.makedirs(runs)
    shutil.copytree(os.path.join(os.path.dirname(__file__), "assets"), pages + "/assets")
    manual(root, heddle, pages)
    headers(build, pages, runs)
    if os.path.exists(os.environ.get("HEDDLE_DEVICES", build + "/devices") + "/verilator_tiny_wave.so"):
        waves(root, heddle, pages, runs)
    else:
        print(f"site: no pictures of waves: cmake --build {build} --target device_verilator_tiny_wave", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
