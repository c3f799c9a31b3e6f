# SPDX-License-Identifier: Apache-2.0
"""heddle_gpu between published checkers: launches on `tiny` through cocotbext-axi (axi_bench.py), under PULP's assertions of
what stays while it waits (axi_bench.sv; PyPI's pythondata-cpu-cva6 carries them). Then each bus is broken, in each way of
axi_fault_pkg.sv, and the table below says who finds it.

usage: test_axi.py HEDDLE SOURCE BUILD     from the environment: VERILATOR, CXX, OBJCACHE (cmake/verilate.sh)"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import cocotb_tools.config
import find_libpython
import pythondata_cpu_cva6

HEDDLE, SOURCE, BUILD = (Path(p).resolve() for p in sys.argv[1:4])
HERE = Path(__file__).resolve().parent
PULP = Path(pythondata_cpu_cva6.data_location) / "corev_apu/axi"
KERNELS = {  # program, threads, arguments
    "square": ("examples/programs/square.s", ["--grid", 1, "--block", 32, "--arg", "out:128:u32:-"]),
    "histogram": ("firmware/kernels/histogram.s", ["--grid", 2, "--block", 64, "--arg", "in:data", *"--arg out:256:u32:- "
                                                   "--arg out:4:u32:- --arg out:400:u32:- --arg u32:100".split()]),
}
NOBODY = "PASS=1 FAIL=0"
# What says so: PULP's property (the line of the assertion), AxiRam's assertion, or this bench: a result, what is left over,
# a launch that does not end. That nobody does is told, too.
FOUND_BY = {
    "AW_WITHDRAWN": "|=> aw_valid",
    "AW_ID": "SimTimeoutError",
    "AW_OVER_4K": "assert 0x1000-(aligned_addr & 0xfff) >= transfer_size",
    "AW_NARROW": "AssertionError: memory:",
    "W_CHANGED": "$stable(w_data)",
    "STRB_CHANGED": "$stable(w_strb)",
    "WLAST_MISSING": "assert last == (n == length-1)",
    "WLAST_EARLY": "assert last == (n == length-1)",
    "AR_CHANGED": "$stable(ar_addr)",
    "AR_OVER_4K": "assert 0x1000-(aligned_addr & 0xfff) >= transfer_size",
    "AR_WIDE": "assert 0 < num_bytes <= self.byte_lanes",
    "B_DROPPED": "SimTimeoutError",
    "R_DROPPED": "SimTimeoutError",
    "HOST_B_WITHDRAWN": "|=> b_valid",
    "HOST_B_DROPPED": "SimTimeoutError",
    "HOST_B_TWICE": "AssertionError: left over: ['b']",
    "HOST_B_EARLY": NOBODY,
    "HOST_R_WITHDRAWN": "|=> r_valid",
    "HOST_R_CHANGED": "$stable(r_data)",
    "HOST_R_TWICE": "AssertionError: registers:",
}


def run(*words, **more):
    r = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, **more)
    assert r.returncode == 0, f"{words}: exit status {r.returncode}\n{r.stdout}{r.stderr}"
    return r.stdout


def build(work):
    """The bench as a program. PULP's package has the name of ours, and its assertions are left out of Verilator."""
    for name in ("axi_pkg", "axi_intf"):
        text = (PULP / f"src/{name}.sv").read_text().replace("axi_pkg", "pulp_axi_pkg").replace("`ifndef VERILATOR", "`ifndef SILENT")
        (work / f"pulp_{name}.sv").write_text(text)
    named = re.findall(r"^ +- ([\w./]+\.sv)$", (SOURCE / "heddle.core").read_text(), re.M)
    sources = [BUILD / n[6:] if n.startswith("build/") else SOURCE / n for n in named]
    run(SOURCE / "cmake/verilate.sh", work, "Vtop", "--cc", "--vpi", "--assert", "--x-assign", "unique", "--x-initial", "unique",
        "-DSYNTHESIS", "--timescale", "1ns/1ps", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-TIMESCALEMOD",
        "-I" + str(SOURCE / "rtl/lib"), "-I" + str(PULP / "include"), "--top-module", "axi_bench", HERE / "axi_bench.vlt",
        *sources, work / "pulp_axi_pkg.sv", work / "pulp_axi_intf.sv", HERE / "axi_fault_pkg.sv", HERE / "axi_bench.sv",
        env={**os.environ, "OPT": "-O0", "ONE_FILE": "1", "CPPFLAGS": "-UVL_TIME_CONTEXT"})
    libs, share = cocotb_tools.config.libs_dir, cocotb_tools.config.share_dir
    flags = (work / "Vtop.flags").read_text().split()
    run(os.environ.get("CXX", "c++"), *flags, "-UVL_TIME_CONTEXT", "-I", work, share / "lib/verilator/verilator.cpp",
        work / "libVtop.a", "-L", libs, f"-Wl,-rpath,{libs}", "-lcocotbvpi_verilator", "-lpthread", "-latomic", "-o", work / "axi_bench")


def launch_file(kernel, work):
    program, arguments = KERNELS[kernel]
    (work / "data").write_bytes(bytes(i * i % 251 for i in range(100)))
    run(HEDDLE, "run", SOURCE / program, "--config", "tiny", "--on", "model", *arguments, "--trace", f"{kernel}.launch", cwd=work)


def simulate(work, kernel, seed, fault):
    """Exit status and all that was said; of an assertion that failed its text, too."""
    env = {**os.environ, "LIBPYTHON_LOC": find_libpython.find_libpython(), "PYGPI_PYTHON_BIN": sys.executable,
           "PYTHONPATH": f"{HERE}:{SOURCE / 'cosim/kit/cocotb'}", "PYTHONDONTWRITEBYTECODE": "1", "COCOTB_TOPLEVEL": "axi_bench",
           "COCOTB_TEST_MODULES": "axi_bench", "TOPLEVEL_LANG": "verilog", "COCOTB_TRUST_INERTIAL_WRITES": "1",
           "HEDDLE_SIM": str(BUILD / "sdk/libheddle-sim.so"), "REGISTERS": str(BUILD / "gen/host_regs.md"),
           "LAUNCH": str(work / f"{kernel}.launch"), "KERNEL": kernel, "SEED": str(seed), "FAULT": str(fault)}
    r = subprocess.run([work / "axi_bench", f"+verilator+seed+{seed}"], cwd=work, env=env, capture_output=True, text=True, check=False)
    said = r.stdout + r.stderr
    lines = (work / "pulp_axi_intf.sv").read_text().splitlines()
    return said + "".join(lines[int(n) - 1] for n in re.findall(r"pulp_axi_intf\.sv:(\d+): Assertion failed", said))


def main():
    faults = re.search(r"enum[^{]*\{(.*?)\}", (HERE / "axi_fault_pkg.sv").read_text(), re.S)[1].replace(",", " ").split()
    assert faults == ["NONE", *FOUND_BY], set(faults) ^ set(FOUND_BY)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        build(work)
        for kernel in KERNELS:
            launch_file(kernel, work)
            for seed in range(1, 5):
                said = simulate(work, kernel, seed, 0)
                assert NOBODY in said and "Assertion failed" not in said, said
                print(f"{kernel}, seed {seed}: {re.search('launch: .*', said)[0]}")
        for number, (fault, words) in enumerate(FOUND_BY.items(), 1):
            said = simulate(work, "histogram", 1, number)
            assert words in said and (NOBODY in said) == (words is NOBODY), f"{fault}: no '{words}' in\n{said}"
            print(f"{fault}: {'nobody' if words is NOBODY else words}")


main()
