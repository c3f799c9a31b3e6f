# SPDX-License-Identifier: Apache-2.0
"""Bits that toggle in what makes instructions wait, and reads of registers: a stand-in for energy.

A kernel runs in simulated hardware with a wave. Of the registers and LUT memories of a mechanism
every bit that changes at a clock edge counts once, whatever its wire or its load; of the register
file the reads of its banks, and the bits that change at their outputs. Logic between registers,
clocks and idle power are not in it.

example: lab/study/control/run.sh toggles --kernels saxpy --json /tmp/toggles.json
"""
import argparse
import os
import re
import subprocess
import tempfile

import common
import cycles

VARIANTS = ("control", "scoreboard", "scoreboard_bare", "by_counters", "no_reuse")
# What counts as what: the instance, and the names of its signals. `cycles`: bits that are high, added up over cycles.
GROUPS = (
    ("counters", "toggles", r"\.u_dep\.", r"^plane_q"),
    ("stall_counts", "toggles", r"\.u_state\.", r"^stall_q"),
    ("scoreboard", "toggles", r"\.u_scoreboard\.", r"^(valid_q|pred_q|sleep_q|mem_q)"),
    ("reuse", "toggles", r"\.u_reuse\.", r"^(valid_q|hit_q|fill_q|mem_q)"),
    ("reuse_outputs", "toggles", r"\.u_reuse\.gen_place\[\d\]\.u_ram\.", r"^rd_data_q"),
    ("reuse_reads", "cycles", r"\.u_reuse\.gen_place\[\d\]\.u_ram\.", r"^rd_en_i"),
    ("bank_outputs", "toggles", r"\.u_regfile\.gen_bank\[\d+\]\.u_ram\.", r"^rd_data_q"),
    ("bank_reads", "cycles", r"\.u_regfile\.gen_bank\[\d+\]\.u_ram\.", r"^rd_en_i"),
)


class Wave:
    """What a VCD file shows of the groups, read as it comes."""

    def __init__(self, lines):
        self.group, self.value = {}, {}
        self.sums = {name: 0 for name, *_ in GROUPS}
        self.bits = {name: 0 for name, *_ in GROUPS}
        self.since, self.now, self.clock, self.edges = {}, 0, None, 0
        self.how = {name: how for name, how, *_ in GROUPS}
        self.header(lines)
        for line in lines:
            self.take(line)
        self.end()

    def header(self, lines):
        """Which identifiers belong to what; the same net under several names counts once."""
        scope = []
        for line in lines:
            words = line.split()
            if not words:
                continue
            if words[0] == "$scope":
                scope.append(words[2])
            elif words[0] == "$upscope":
                scope.pop()
            elif words[0] == "$var":
                self.variable(".".join(scope) + ".", int(words[2]), words[3], words[4])
            elif words[0] == "$enddefinitions":
                return

    def variable(self, place, bits, identifier, name):
        """One name of a net."""
        if name == "clk_i" and self.clock is None:
            self.clock = identifier
        for group, _, where, which in GROUPS:
            if identifier not in self.group and re.search(where, place) and re.search(which, name):
                self.group[identifier] = group
                self.bits[group] += bits

    def take(self, line):
        """A time, or a value."""
        first = line[0]
        if first == "#":
            self.now = int(line[1:])
        elif first in "01":
            self.change(line[1:].rstrip(), first)
        elif first in "bB":
            value, identifier = line[1:].split()
            self.change(identifier, value)

    def change(self, identifier, text):
        """A net has another value (an unknown bit is 0: two-state simulation has none)."""
        if identifier == self.clock:
            self.edges += text == "1"
        group = self.group.get(identifier)
        if group is None:
            return
        value, old = int(text.replace("x", "0").replace("z", "0"), 2), self.value.get(identifier)
        if old is not None and self.how[group] == "toggles":
            self.sums[group] += (value ^ old).bit_count()
        elif old is not None:
            self.sums[group] += old.bit_count() * (self.now - self.since[identifier])
        self.value[identifier], self.since[identifier] = value, self.now

    def end(self):
        """Times become cycles."""
        if self.edges == 0:
            raise common.Failed("the wave has no clock")
        period = max(1, round(self.now / self.edges))
        for name, how in self.how.items():
            if how == "cycles":
                self.sums[name] //= period


def wave_of(args, folder, kernel, dep):
    """Runs the kernel; the sums of its wave, with cycles and instructions."""
    wave, result = os.path.join(folder, f"{kernel}.fst"), os.path.join(folder, "result.json")
    common.call([args.heddle, "kernels", kernel, "--form", "ptx", "--programs", folder, "--on", "rtl", "--config",
                 args.config, "--dep", dep, "--scale", "0", "--launches", "1", "--calm", "--latency",
                 str(args.latency), "--wave", wave, "--json", result])
    with subprocess.Popen(["fst2vcd", wave], stdout=subprocess.PIPE, text=True) as vcd:
        seen = Wave(vcd.stdout)
    if vcd.returncode != 0:
        raise common.Failed(f"fst2vcd cannot read {wave}")
    os.remove(wave)
    one = common.load(result)["kernels"][0]
    return {**seen.sums, "cycles": one["cycles"], "warp_instructions": one["warp_instructions"]}, seen.bits


def measure(args):
    """{variant: {kernel: sums}}, and how many bits each group has."""
    table, bits = {}, {}
    with tempfile.TemporaryDirectory() as top:
        programs = cycles.compile_all(argparse.Namespace(heddle=args.heddle, only=args.kernels, skip=""), args.config,
                                      top)
        for name, dep, options in cycles.VARIANTS:
            if name not in VARIANTS:
                continue
            folder = os.path.join(top, name)
            os.mkdir(folder)
            cycles.recode_all(args, programs, options, folder)
            for kernel in programs:
                common.progress(f"{args.config}: {name}: {kernel}")
                table.setdefault(name, {})[kernel], bits = wave_of(args, folder, kernel, dep)
    common.progress("")
    return table, bits


def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default="build/heddle")
    parser.add_argument("--recode", default="build/bin/control-recode")
    parser.add_argument("--config", default="tiny", help="the machine, whose device has waves (default tiny)")
    parser.add_argument("--kernels", default="saxpy,reduce,fft", help="which (default saxpy,reduce,fft)")
    parser.add_argument("--latency", type=int, default=100, help="cycles until memory answers (default 100)")
    parser.add_argument("--json", default="-", help="where the figures go (default -, standard output)")
    args = parser.parse_args()

    def work():
        table, bits = measure(args)
        common.store({"version": 1, "commit": common.commit(), "config": args.config, "latency": args.latency,
                      "bits": bits, "variants": table}, args.json)
    return common.main(work)


if __name__ == "__main__":
    raise SystemExit(main())
