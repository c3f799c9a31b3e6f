# SPDX-License-Identifier: Apache-2.0
"""The whole of a bench over cocotb, and the same with the pyuvm agent; what is printed is what the other benches print.
From the environment: LAUNCH, CORE (as +heddle_core), FINAL."""

import os

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from heddle_cocotb import HeddleChecker, RetireMonitor

NAMES = {"shared": "shared_bytes", "banks": "shared_banks"}


def declared():
    pairs = [w.split("=") for w in os.environ["CORE"].split()]
    return {NAMES.get(k, k): v if k == "name" else int(v) for k, v in pairs}


def left(image):
    """Global memory at the end: the launch's, with the words that FINAL tells."""
    memory = bytearray(image.ranges[0][1])
    with open(os.environ["FINAL"], encoding="ascii") as f:
        words = [int(w, 16) for w in f]
    for offset, word in zip(words[::2], words[1::2]):
        memory[offset:offset + 4] = word.to_bytes(4, "little")
    return memory


def print_image(image):
    total = 0
    for _, data in image.ranges:
        for k in range(4):
            total += sum(data[k::4]) << 8 * k
    print(f"image {total & 0xFFFFFFFF:08x}")


def refused(judge, memory):
    try:
        judge.memory(0, memory)
    except ValueError:
        return True
    return False


def conclude(judge, image, cycle):
    assert not judge.fine or refused(judge, left(image)[1:]), "memory that is too short is read to its end and beyond"
    judge.memory(cycle, left(image))
    if judge.fine:
        judge.launch()
    v = judge.verdict()
    print(f"report\n{v.report}verdict {judge.VERDICTS.index(v.kind)}", flush=True)


async def start(dut):
    cocotb.start_soon(Clock(dut.clk, 10).start())
    dut.rst_n.value = 0
    await FallingEdge(dut.clk)
    await FallingEdge(dut.clk)
    dut.rst_n.value = 1


@cocotb.test(skip="UVM" in os.environ)
async def plain(dut):
    judge = HeddleChecker(os.environ["LAUNCH"], **declared())
    image = judge.launch()
    print_image(image)
    await start(dut)
    monitor = RetireMonitor(dut, dut.clk, judge, cycle=dut.cycle)
    await monitor.until(lambda: dut.done.value == 1)
    conclude(judge, image, monitor.cycle)


@cocotb.test(skip="UVM" not in os.environ)
async def agent(dut):
    from heddle_cocotb.agent import RetireAgent
    from pyuvm import ConfigDB, uvm_root, uvm_test

    judge = HeddleChecker(os.environ["LAUNCH"], **declared())

    class Test(uvm_test):
        def build_phase(self):
            for key, value in (("DUT", dut), ("CLK", dut.clk), ("CHECKER", judge), ("CYCLE", dut.cycle)):
                ConfigDB().set(self, "*", key, value)
            self.agent = RetireAgent("agent", self)

        async def run_phase(self):
            self.raise_objection()
            image = judge.launch()
            print_image(image)
            await start(dut)
            while dut.done.value == 0 and judge.fine:
                await FallingEdge(dut.clk)
            conclude(judge, image, int(dut.cycle.value))
            self.drop_objection()

    await uvm_root().run_test(Test)
