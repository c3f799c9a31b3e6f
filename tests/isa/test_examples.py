#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every instruction has one section in isa/doc, and the examples there hold: on the model, where nothing undefined may
come out, and in lockstep on the smallest machine that has what they need. isa/manual/README.md says what an example is.

usage: test_examples.py HEDDLE [CHAPTER.md ...] [--only NAME] [--isa FILE] [--model] [--keep DIR]
  CHAPTER.md   instead of isa/doc: these, of which nobody asks for every instruction
  --only NAME  this instruction alone
  --model      not in lockstep
  --keep DIR   the programs stay there
"""
import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path.insert(0, os.path.join(ROOT, "isa/manual"))
import sections as sec  # noqa: E402

CYCLES = "200000"


class Program:
    """The assembly of an example: state, code, what is asked for. Row k of the buffers _in and _out is 32 words."""

    def __init__(self, example):
        self.example, self.rows, self.lines = example, [], {}
        self.input, self.asked = [], []  # rows of words; (setting, number of the word)
        self.memory = [0] * (sec.BYTES // 4)
        self.banks = {}
        self.add(".kernel example", ".param u64 _memory", ".param u64 _in", ".param u64 _out",
                 f".shared _shared {sec.BYTES}", ".local 256",
                 "S2R R40, SR_LANEID", "MOV R42, c[0x0][_in]", "MOV R43, c[0x0][_in+4]",
                 "MOV R44, c[0x0][_out]", "MOV R45, c[0x0][_out+4]",
                 "IMAD.WIDE.U32 R42, R40, 0x4, R42", "IMAD.WIDE.U32 R44, R40, 0x4, R44")
        for s in example.before:
            self.begin(s)
        for line, text in example.code:
            self.lines[len(self.rows) + 1] = line
            self.add(text)
        for s in example.after:
            self.lines[len(self.rows) + 1] = s.line
            self.ask(s)
        self.add("EXIT", ".end")

    def add(self, *rows):
        self.rows += rows

    def begin(self, s):
        """Make one state."""
        if s.what == "global":
            words = s.memory()
            self.memory[s.index // 4:s.index // 4 + len(words)] = words
        elif s.what == "shared":
            for i, word in enumerate(s.memory()):
                self.add(f"MOV R41, {word:#x}", f"STS [{s.index + 4 * i:#x}], R41")
        elif s.what in ("bank1", "bank2"):
            bank = self.banks.setdefault(s.what[-1], [])
            words = s.memory()
            bank += [0] * (s.index // 4 + len(words) - len(bank))
            bank[s.index // 4:s.index // 4 + len(words)] = words
        elif s.what == "UP":
            self.add(f"UISETP.{'NE' if s.words(0) == [0] else 'EQ'}.AND {s.name}, UPT, URZ, 0x0, UPT")
        elif s.what == "UR":
            for i, word in enumerate(s.words(0)):
                self.add(f"UMOV UR{s.number + i}, {word:#x}")
        else:
            for i, row in enumerate(zip(*(s.words(lane) for lane in range(sec.LANES)))):
                register = "R41" if s.what == "P" else f"R{s.number + i}"
                self.add(f"LDG.E {register}, [R42+{128 * len(self.input):#x}]")
                self.input.append(row)
            if s.what == "P":
                self.add(f"ISETP.NE.AND {s.name}, PT, R41, RZ, PT")

    def ask(self, s):
        """Store one thing that must hold."""
        if s.what in ("global", "trap"):
            return
        for i in range(len(s.memory() if s.what == "shared" else s.words(0))):
            register = "R41"
            if s.what == "shared":
                self.add(f"LDS R41, [{s.index + 4 * i:#x}]")
            elif s.what == "UR":
                self.add(f"MOV R41, UR{s.number + i}")
            elif s.what == "R":
                register = f"R{s.number + i}"
            else:
                if s.what == "UP":
                    self.add(f"UP2P P6, {s.name}")
                self.add(f"SEL R41, RZ, 0x1, !{s.name if s.what == 'P' else 'P6'}")
            guard = ""
            if s.what in ("R", "P") and s.index is not None:
                self.add(f"ISETP.EQ.AND P6, PT, R40, {s.index:#x}, PT")
                guard = "@P6 "
            self.add(f"{guard}STG.E [R44+{128 * len(self.asked):#x}], {register}")
            self.asked.append((s, i))

    def differences(self, memory, out):
        """(line, text) for all that does not hold."""
        for s in self.example.after:
            if s.what == "global":
                for i, want in enumerate(s.memory()):
                    got = memory[s.index // 4 + i]
                    if got != want:
                        yield s.line, f"global[{s.index + 4 * i:#x}]: expected {want:#010x}, got {got:#010x}"
        for row, (s, i) in enumerate(self.asked):
            got = out[sec.LANES * row:sec.LANES * (row + 1)]
            lanes = [s.index] if s.what in ("R", "P") and s.index is not None else range(sec.LANES)
            for lane in lanes:
                want = (s.memory() if s.what == "shared" else s.words(lane))[i]
                if got[lane] != want:
                    name = {"R": f"R{s.number + i}", "UR": f"UR{s.number + i}"}.get(s.what, s.name)
                    name += f"[{s.index + 4 * i:#x}]" if s.what == "shared" else ""
                    yield s.line, f"{name} lane {lane}: expected {want:#010x}, got {got[lane]:#010x}"
                    break


class Runner:
    def __init__(self, heddle, folder):
        self.heddle, self.folder = heddle, folder
        with_size = json.loads(subprocess.run([heddle, "configs", "--built", "--json", "-"], check=True,
                                              capture_output=True).stdout)["configs"]
        size = {c["name"]: c["lanes"] * c["warps"] * c["partitions"] * c["sms"] for c in with_size
                if "verilator" in c["built"]}
        self.machines = sorted(size, key=lambda name: (size[name], name))

    def path(self, name):
        return os.path.join(self.folder, name)

    def put(self, name, words):
        with open(self.path(name), "wb") as f:
            f.write(struct.pack(f"<{len(words)}I", *words))
        return self.path(name)

    def get(self, name):
        with open(self.path(name), "rb") as f:
            data = f.read()
        return struct.unpack(f"<{len(data) // 4}I", data)

    def launch(self, source, program, *how):
        """What `heddle run` says, as JSON."""
        command = [self.heddle, "run", source, "--grid", "1", "--block", str(sec.LANES), "--undefined", "strict",
                   "--max-cycles", CYCLES, "--json", self.path("run.json"), *how]
        for number, words in program.banks.items():
            command += ["--bank", f"{number}:{self.put('bank' + number, words + [0] * (-len(words) % 4))}"]
        command += ["--arg", f"inout:{self.put('memory', program.memory)}:{self.path('memory.out')}",
                    "--arg", f"in:{self.put('in', [w for row in program.input for w in row] or [0])}",
                    "--arg", f"out:{128 * max(1, len(program.asked))}:{self.path('out')}"]
        ran = subprocess.run(command, capture_output=True, text=True)
        try:
            with open(self.path("run.json"), encoding="utf-8") as f:
                return json.load(f)
        except (OSError, ValueError):
            return {"status": "failed", "errors": [ran.stderr.strip()]}
        finally:
            if os.path.exists(self.path("run.json")):
                os.remove(self.path("run.json"))

    def faults(self, source, program, said):
        """(line, text) for what is wrong with one run."""
        result = said.get("result", {})
        trap = [s.text for s in program.example.after if s.what == "trap"]
        cause = result.get("trap", {}).get("cause")
        if cause or trap:
            if [cause] == trap:
                return
            line = program.example.after[-1].line if trap else program.lines.get(result.get("fault", {}).get("line"))
            yield line, f"expected trap {trap[0] if trap else 'none'}, got {cause or said['status']}"
        elif said["status"] != "ok":
            text = "; ".join(said.get("errors", [])) or result.get("message") or said["status"]
            row = re.search(re.escape(source) + r":(\d+):(\d+: )?", text)
            row = int(row[1]) if row else result.get("fault", {}).get("line")
            yield program.lines.get(row), re.sub(re.escape(source) + r":(\d+: ?)*", "", text)
        else:
            yield from program.differences(self.get("memory.out"), self.get("out"))

    def example(self, name, example, lockstep):
        """Texts of what is wrong: LINE: WHERE: WHAT; None if there is no device to run it on."""
        program = Program(example)
        source = self.path(f"{name}.s")
        with open(source, "w", encoding="utf-8") as f:
            f.write("\n".join(program.rows) + "\n")
        found = [("model", at, text) for at, text in
                 self.faults(source, program, self.launch(source, program, "--on", "model"))]
        if lockstep and not found:
            machines = self.machines[:1]
            while machines:
                said = self.launch(source, program, "--on", "lockstep", "--config", machines[0])
                refused = said.get("result", {}).get("refused")
                if not refused:
                    found = [(machines[0], at, text) for at, text in self.faults(source, program, said)]
                    break
                machines = [m for m in self.machines if m in refused["built"]]
            if not machines:
                return None
        return [f"{at or example.line}: {{}}: {text} (on {where})" for where, at, text in found]


def main():
    p = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2])
    p.add_argument("heddle")
    p.add_argument("chapters", nargs="*")
    p.add_argument("--only")
    p.add_argument("--isa", default=os.path.join(ROOT, "isa/heddle.isa"))
    p.add_argument("--model", action="store_true")
    p.add_argument("--keep")
    args = p.parse_args()
    names = sec.instructions(args.isa)
    by_name, faults = sec.read_all(args.chapters or sec.chapters(ROOT), ROOT, names)
    lacking = [] if args.chapters else sec.missing(by_name, names, os.path.relpath(args.isa, ROOT))
    if args.only:
        by_name = {n: s for n, s in by_name.items() if n == args.only}
        if not by_name:
            faults.append(f"{args.only}: no such section")
    else:
        faults += lacking
    ran = skipped = 0
    with tempfile.TemporaryDirectory() as temporary:
        runner = Runner(args.heddle, args.keep or temporary)
        for s in {id(s): s for s in by_name.values()}.values():
            for number, e in enumerate(s.examples):
                wrong = runner.example(f"{s.names[0]}-{number}", e, not args.model)
                ran += 1
                skipped += wrong is None
                faults += [f"{s.page}:{text.format(', '.join(s.names))}" for text in wrong or []]
        if skipped and "sm" in runner.machines:
            faults.append(f"{skipped} examples were not run in lockstep, though sm, which has every instruction, is built")
    print("".join(f + "\n" for f in faults), end="")
    print(f"{len(by_name)} of {len(names)} instructions, {ran} examples, {skipped} of them on the model alone (no built "
          f"device has what they need); {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
