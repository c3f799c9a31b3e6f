#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does each include mean one file, and does no folder include one above it?

usage: scripts/check-includes.py [ROOT] [--build DIR]      example: scripts/check-includes.py --build build
  "cosim/checker/state.h"  from the root of the tree; "gen/isa_sem.h" from that of the build tree
  <heddle/model.h>         public: in include/heddle/ of the folder that owns it, or generated
  "state.h"                the header of the source of that name beside it; elsewhere only in HANDED_OUT
With --build: what is generated exists, and no command of compile_commands.json has further include folders.
Exit status 0, or 1 with a line FILE:LINE: what is wrong for each.
"""
import argparse
import json
import os
import re
import shlex
import sys

# The way of the data: a folder includes those before it, and files of its own. What is below a folder that stands here belongs to
# it, but for what stands here itself: compiler/lower is before compiler, whose own files are its entry.
LAYERS = """
base
isa/gen isa/abi isa/include isa/lib isa/asm isa/configs/gen isa/configs isa/lint isa/measure isa
compiler/include compiler/device compiler/ir compiler/parse compiler/calls compiler/graph compiler/lower compiler/converge
compiler/optimise compiler/select compiler/backend compiler
firmware/include firmware/kernels firmware/explain firmware/launch firmware/driver firmware/board
cmodel/include cmodel/sem cmodel/core cmodel
waves
cosim/include cosim/trace cosim/checker cosim/attach cosim/device cosim/digest cosim/port cosim/kit cosim/retire
cosim/session cosim/platform cosim/verilator cosim/systemc cosim
firmware/host/cuda/include firmware/host/cuda firmware/host/opencl firmware
run/command run/programs run/job run/sanitize run/options run/profile run/board run/runner run/cases run/compare run/hosts run/debug
lab/verify/random lab/verify/coverage lab/verify/oracle lab/verify/litmus lab/verify lab/fpga lab/fuzz lab/litmus lab/campaign lab/bench
lab/study/divergence lab/study
tools examples tests
""".split()
# Sources that a user copies into a folder of his own, where they find each other.
HANDED_OUT = ("cosim/kit/c/", "cosim/kit/dpi/", "cosim/kit/vpi/", "cosim/kit/trace/", "cosim/systemc/example/", "examples/",
              "compiler/device/", "firmware/host/cuda/include/", "lab/study/simd/kernels/", "tests/install/")
MADE_BY_USERS = {"retire_kinds.h"}  # by `heddle kit`, into that folder
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
SOURCE = re.compile(r"\.(c|h|cpp|hpp)$")


def layer_of(path):
    """The longest of LAYERS that the path lies below, as its place there; None: of none."""
    while path and path not in LAYERS:
        path = os.path.dirname(path)
    return LAYERS.index(path) if path else None


def sources(root):
    for top in sorted({layer.split("/")[0] for layer in LAYERS}):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if SOURCE.search(name):
                    yield os.path.relpath(os.path.join(folder, name), root)


def public_headers(files):
    """Name to the files that bear it."""
    found = {}
    for file in files:
        folder, name = os.path.split(file)
        if folder.endswith("include/heddle"):
            found.setdefault(name, []).append(file)
    return found


class Judge:
    def __init__(self, root, build):
        self.root, self.build = root, build
        self.files = list(sources(root))
        self.public = public_headers(self.files)

    def there(self, path):
        return os.path.isfile(os.path.join(self.root, path))

    def generated(self, path):
        """Whether the build tree has it; without a build tree nobody knows, so it is believed."""
        return self.build is None or os.path.isfile(os.path.join(self.build, path))

    def upward(self, file, target):
        layer, of = layer_of(file), layer_of(target)
        if of is not None and layer is not None and of > layer:
            return f"{LAYERS[layer]}/ is before {LAYERS[of]}/ and includes nothing of it: {target}"
        return None

    def public_header(self, file, name):
        owners = self.public.get(name, [])
        if len(owners) > 1:
            return f"<heddle/{name}> is {len(owners)} files: {' '.join(owners)}"
        if not owners:
            return None if self.generated(f"gen/heddle/{name}") else f"no <heddle/{name}>, neither written nor generated"
        return self.upward(file, owners[0])

    def bare(self, file, name):
        folder = os.path.dirname(file)
        stem = lambda path: os.path.splitext(os.path.basename(path))[0]
        handed_out = file.startswith(HANDED_OUT)
        if handed_out and name in MADE_BY_USERS:
            return None
        if not self.there(os.path.join(folder, name)) and not (handed_out and any(
                self.there(os.path.join(part, name)) for part in HANDED_OUT)):
            return f'"{name}" is not beside it: write its path from the root of the tree'
        if stem(file) != stem(name) and not handed_out:
            return f'"{name}" is not its own header: write "{folder}/{name}"'
        if self.there(name) or (self.build and os.path.isfile(os.path.join(self.build, "gen", name))):
            return f'"{name}" is two files'
        return None

    def judge(self, file, quote, name):
        """What is wrong with an include, or None."""
        if quote == "<":
            if name.startswith("heddle/"):
                return self.public_header(file, name[len("heddle/"):])
            return f"<{name}> is a file of the tree: write it in quotes" if self.there(name) else None
        if "/" not in name:
            return self.bare(file, name)
        if ".." in name.split("/"):
            return f'"{name}": write its path from the root of the tree'
        if self.there(os.path.join(os.path.dirname(file), name)):
            return f'"{name}" is two files: {os.path.join(os.path.dirname(file), name)} comes first'
        if self.there(name):
            if name.startswith("gen/"):
                return f'"{name}": gen/ is a folder of the build tree'
            if os.path.dirname(name).endswith("include/heddle"):
                return f"a public header: write <heddle/{os.path.basename(name)}>"
            return self.upward(file, name)
        if name.startswith("gen/") and self.generated(name):
            return None
        return f'no "{name}" below the root of the tree'

    def wrong(self):
        for name, owners in sorted(self.public.items()):
            if len(owners) > 1 or (self.build and os.path.isfile(os.path.join(self.build, "gen/heddle", name)) and
                                   not os.path.islink(os.path.join(self.build, "gen/heddle", name))):
                yield f"{owners[0]}:1: <heddle/{name}> is two files: {' '.join(owners[1:]) or 'the other is generated'}"
        for file in self.files:
            with open(os.path.join(self.root, file), encoding="utf-8", errors="replace") as f:
                for number, line in enumerate(f, 1):
                    found = INCLUDE.match(line)
                    why = self.judge(file, *found.groups()) if found else None
                    if why:
                        yield f"{file}:{number}: {why}"

    def folders(self):
        """Commands that look for includes elsewhere than the tree, the build tree and gen/."""
        allowed = {os.path.realpath(p) for p in (self.root, self.build, os.path.join(self.build, "gen"))}
        with open(os.path.join(self.build, "compile_commands.json"), encoding="utf-8") as f:
            for entry in json.load(f):
                words = shlex.split(entry["command"])
                looked = [w[2:] for w in words if w.startswith("-I")]
                more = [d for d in looked if os.path.realpath(os.path.join(entry["directory"], d)) not in allowed]
                if more:
                    yield f"{os.path.relpath(entry['file'], self.root)}:1: is compiled with further include folders: {' '.join(more)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    parser.add_argument("--build")
    args = parser.parse_args()
    judge = Judge(os.path.realpath(args.root), args.build and os.path.realpath(args.build))
    wrong = list(judge.wrong()) + (list(judge.folders()) if args.build else [])
    for line in wrong:
        print(line)
    print(f"{len(judge.files)} files, {len(wrong)} wrong includes")
    return 1 if wrong or not judge.files else 0


if __name__ == "__main__":
    sys.exit(main())
