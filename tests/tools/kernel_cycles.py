#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many cycles kernels take, to the cycle, with a memory that answers at once.

usage: kernel_cycles.py HEDDLE CONFIG TABLE        compare with the rows of that configuration
       kernel_cycles.py HEDDLE CONFIG TABLE --renew   write them anew; commit the difference with its reason
exit status: 0 all as the table says, 1 not, 2 usage, 5 a machine that is not built
"""
import pathlib
import re
import subprocess
import sys

# The machine as its configuration says, and each thing that a strap chooses: which warp goes next, who watches
# dependencies, which unit divergence has.
LAYOUT = pathlib.Path(__file__).resolve().parents[2] / "isa/abi/host_regs.layout"
POLICIES = [name.replace("_", "").lower() for name in
            re.findall(r"^value (\w+)", LAYOUT.read_text().split("\nvalues POLICY ")[1].split("\n\n")[0], re.M)[1:]]
MODES = {**{name: ["--sched", name] for name in POLICIES}, "scoreboard": ["--dep", "scoreboard"], "its": ["--div", "its"]}
# Those that are short, in assembly where they are, and between them have branches, shared memory with and without
# conflicts, atomics, barriers, several blocks, special functions; more where a machine is fast enough.
SHORT = ["vecadd", "ifelse", "reduce", "histogram", "permute", "saxpy"]
MORE = {"tiny": ["scan", "bitonic"], "fpga": ["scan", "blackscholes"], "mid": ["transpose", "scan"],
        "wide": ["transpose", "scan", "bitonic"],
        "duo": ["transpose", "bitonic", "blackscholes", "fft"], "sm": ["blackscholes", "hgemm_mma"]}


def command(config, mode):
    """Arguments of heddle for all rows of a configuration and a mode."""
    return ["kernels", *SHORT, *MORE.get(config, []), "--on", "rtl", "--calm", "--scale", "0", "--launches", "1",
            "--config", config, *MODES[mode]]


def cycles(said):
    """{kernel: cycles} of what heddle has said of kernels that passed."""
    rows = re.findall(r"^(\S+) +\d+ launches +\d+ warp instructions +(\d+) cycles .* ok$", said, re.M)
    return {name: int(count) for name, count in rows}


def measured(heddle, config):
    """{(mode, kernel): cycles}; a kernel that does not pass is an error."""
    found = {}
    for mode in MODES:
        run = subprocess.run([heddle, *command(config, mode)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             stdin=subprocess.DEVNULL, encoding="utf-8", errors="replace", check=False)
        if run.returncode != 0:
            print(f"error: heddle {' '.join(command(config, mode))}: exit status {run.returncode}\n{run.stdout}")
            sys.exit(run.returncode)
        found.update({(mode, kernel): n for kernel, n in cycles(run.stdout).items()})
    return found


def read(path, config):
    """The rows of that configuration, and all other lines."""
    rows, others = {}, []
    with open(path, encoding="ascii") as lines:
        for number, line in enumerate(lines, 1):
            fields = line.split("#")[0].split()
            if fields and (len(fields) != 4 or fields[1] not in MODES or not fields[3].isdigit()):
                print(f"{path}:{number}: expected CONFIGURATION MODE KERNEL CYCLES", file=sys.stderr)
                sys.exit(2)
            if fields and fields[0] == config:
                rows[fields[1], fields[2]] = int(fields[3])
            else:
                others.append(line)
    return rows, others


def compare(config, wanted, found):
    """What is otherwise, a line each."""
    for mode, kernel in sorted(wanted.keys() | found.keys()):
        was, now = wanted.get((mode, kernel)), found.get((mode, kernel))
        if was is None:
            yield f"{config} {mode} {kernel}: {now} cycles; the table has no such row"
        elif now is None:
            yield f"{config} {mode} {kernel}: {was} cycles in the table; it did not run"
        elif now != was:
            yield f"{config} {mode} {kernel}: was {was} cycles, is {now}"


def renew(path, config, others, found):
    rows = [f"{config} {mode} {kernel} {count}\n" for (mode, kernel), count in found.items()]
    comment = [line for line in others if line.startswith("#")]
    rest = [line for line in others if not line.startswith("#")]
    with open(path, "w", encoding="ascii") as out:
        out.writelines(comment + sorted(rest + rows))


def main():
    if len(sys.argv) not in (4, 5) or sys.argv[4:] not in ([], ["--renew"]):
        print(__doc__, file=sys.stderr)
        return 2
    heddle, config, path = sys.argv[1:4]
    wanted, others = read(path, config)
    found = measured(heddle, config)
    if sys.argv[4:]:
        renew(path, config, others, found)
        return 0
    wrong = list(compare(config, wanted, found))
    for line in wrong:
        print(f"error: {line}")
    if wrong or not found:
        print("error: these figures are exact; a change needs its reason in the commit. To renew them:\n"
              f"  python3 tests/tools/kernel_cycles.py {heddle} {config} tests/tools/kernel_cycles.txt --renew")
        return 1
    print(f"{config}: {len(found)} rows, all to the cycle")
    return 0


if __name__ == "__main__":
    sys.exit(main())
