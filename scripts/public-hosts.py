#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Public CUDA programs through heddle-nvcc and `heddle hosts`, as a table.

usage: public-hosts.py build FOLDER OUT [--nvcc heddle-nvcc] [--only NAME]... [--jobs N]
       public-hosts.py table OUT [MODEL.json [LOCKSTEP.json]]
example: scripts/public-hosts.py build ~/HeCBench/src build/hecbench --nvcc $PWD/build/heddle-nvcc
         build/heddle hosts build/hecbench --pass 'PASS|[Ss]uccess' --limit 60 --json build/hecbench/model.json
         scripts/public-hosts.py table build/hecbench build/hecbench/model.json

`build` copies each folder NAME-cuda of FOLDER (with what stands beside it, by links) to OUT/src, calls its Makefile
with CC=heddle-nvcc (which is nvcc on its PATH, too) and writes OUT/built.json: what was built, and why the rest was
not. OUT/hosts.txt gets the commands of `make run`, NAME.1 and so on: the last number 1 and others 256 at most; the last
number 1; the first number 1; as it stands. What OUT/built.json has is not built again. `table` prints a row a program:
what came of it, the best of its commands. Nothing of the programs is copied into this tree.
Exit status: 0, 1 a folder is not there, 2 usage.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

SECONDS = 300  # to build one
WORDS = ("passed", "silent", "refused", "trapped", "too long", "differs", "failed")  # of heddle hosts, best first
SILENT = "nothing that it says is what --pass looks for"


def call(command, where, seconds):
    """Exit status and output."""
    try:
        done = subprocess.run(command, cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout.decode(errors="replace")


def reason(output):
    """The first line that says what is wrong."""
    for line in output.splitlines():
        if re.search(r"error[: ]|heddle-nvcc: (?!.* is left out)|undefined reference|No such file|No rule|\*\*\*", line):
            return re.sub(r"^\S*/", "", line.strip())[:160]
    return output.strip()[-160:]


def smaller(command):
    """The command with small numbers, best first, and as it stands."""
    words = command.split()
    numbers = [i for i, word in enumerate(words) if i > 0 and word.isdigit()]
    if not numbers:
        return [command]
    once = [*words[:numbers[-1]], "1", *words[numbers[-1] + 1:]]
    small = [str(min(int(w), 256)) if i in numbers else w for i, w in enumerate(once)]
    first = [*words[:numbers[0]], "1", *words[numbers[0] + 1:]]
    return list(dict.fromkeys(" ".join(w) for w in (small, once, first, words)))


def build(source, out, nvcc):
    """One program: what became of it, and its commands."""
    folder = out / "src" / source.name
    if folder.is_symlink():
        folder.unlink()
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder, symlinks=True)
    if not (folder / "Makefile").exists():
        return {"state": "no Makefile", "why": "", "commands": []}
    make = ["make", "-s", f"CC={nvcc}", f"NVCC={nvcc}"]
    status, output = call(make, folder, SECONDS)
    if status is None:
        return {"state": "too long to compile", "why": "", "commands": []}
    if status != 0:
        linking = "undefined reference" in output or "cannot find -l" in output
        return {"state": "does not link" if linking else "does not compile", "why": reason(output), "commands": []}
    _, output = call([*make, "-n", "run"], folder, SECONDS)
    commands = [line.strip() for line in output.splitlines() if line.strip().startswith("./")]
    return {"state": "built", "why": "", "commands": smaller(commands[0]) if commands else []}


def build_all(folder, out, nvcc, only, jobs):
    sources = [s for s in sorted(folder.glob("*-cuda")) if not only or s.name[:-5] in only]
    (out / "src").mkdir(parents=True, exist_ok=True)
    (out / "bin").mkdir(exist_ok=True)
    (out / "bin/nvcc").write_text(f'#!/bin/sh\nexec {shutil.which(nvcc) or nvcc} "$@"\n')
    (out / "bin/nvcc").chmod(0o755)
    os.environ["PATH"] = f"{out / 'bin'}:{os.environ['PATH']}"
    for beside in folder.iterdir():
        link = out / "src" / beside.name
        if not link.exists():
            link.symlink_to(beside)
    file = out / "built.json"
    built = json.loads(file.read_text()) if file.exists() else {}
    todo = [s for s in sources if s.name[:-5] not in built]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for source, result in zip(todo, pool.map(lambda s: build(s, out, nvcc), todo)):
            built[source.name[:-5]] = result
            file.write_text(json.dumps(built, indent=1))
            if sys.stderr.isatty():
                print(f"\r{len(built)} of {len(sources)} built or not", end="", file=sys.stderr)
    with (out / "hosts.txt").open("w") as f:
        for name, b in sorted(built.items()):
            for number, command in enumerate(b["commands"], 1):
                print(f"{name}.{number}: cd src/{name}-cuda && {command}", file=f)
    print(f"{sum(b['state'] == 'built' for b in built.values())} of {len(built)} built; {out}/hosts.txt has their commands")


def verdict(host):
    """One of WORDS, and what the table says of it."""
    note, why = host["note"], host.get("why", "")
    if SILENT in why:
        return "silent", "ends well, says nothing of its results"
    word = next(w for w in WORDS if note.startswith(w))
    said = {"passed": note.partition(":")[0], "trapped": note}.get(word, why.removeprefix("failed: ") or note)
    return word, "passed" if said == "passed" else code(said)


def code(text):
    """As Markdown's code, short, without paths of this machine."""
    text = re.sub(r"(/[\w.+-]+)+/", "", " ".join(text.split())).replace("`", "'").replace("|", "\\|")
    return f"`{text[:70].rstrip(chr(92))}`"


def verdicts(file):
    """The last of the best of each program."""
    best = {}
    for host in json.loads(pathlib.Path(file).read_text())["hosts"]:
        name, told = host["name"].rpartition(".")[0], verdict(host)
        if name not in best or WORDS.index(told[0]) <= WORDS.index(best[name][0]):
            best[name] = told
    return best


def table(out, files):
    built = json.loads((out / "built.json").read_text())
    runs = [verdicts(file) for file in files]
    heads = ["program", "heddle-nvcc", *("model", "lockstep")[:len(files)]]
    print("|", " | ".join(heads), "|\n|" + "---|" * len(heads))
    for name, b in sorted(built.items()):
        cells = [b["state"] + (f": {code(b['why'])}" if b["why"] else ""), *(run.get(name, ("", ""))[1] for run in runs)]
        print("|", " | ".join([name, *cells]), "|")
    counts = [f"{len(built)} programs, {sum(b['state'] == 'built' for b in built.values())} built"]
    for head, run in zip(heads[2:], runs):
        words = collections.Counter(word for word, _ in run.values())
        counts.append(f"{head}: " + ", ".join(f"{words[w]} {w}" for w in WORDS if words[w]))
    print("\n" + "; ".join(counts))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].replace("usage: ", ""), add_help=True)
    parser.add_argument("what", choices=("build", "table"))
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    parser.add_argument("--nvcc", default="heddle-nvcc")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    q = parser.parse_args()
    if q.what == "table":
        return table(q.paths[0], q.paths[1:])
    if len(q.paths) != 2:
        parser.error("build takes a folder of programs, and one for what is built")
    if not q.paths[0].is_dir():
        sys.exit(f"public-hosts.py: {q.paths[0]}: no such folder")
    return build_all(q.paths[0].resolve(), q.paths[1].resolve(), q.nvcc, q.only, q.jobs)


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    main()
