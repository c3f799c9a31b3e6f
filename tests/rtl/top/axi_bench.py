# SPDX-License-Identifier: Apache-2.0
"""A launch through cocotbext-axi: its AxiLiteMaster is the host, its AxiRam is memory, and all ten channels pause at random.
From the environment: LAUNCH (a file of launches, of `heddle run --trace`), REGISTERS (host_regs.md), KERNEL (whose results
are judged), SEED, FAULT (a number of axi_fault_pkg)."""

import logging
import os
import random
import re
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, with_timeout
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiRam, AxiResp
from heddle_cocotb import HeddleChecker

STATUS_DONE, STATUS_ENDED, CONTROL_START = 0b0010, 0b1110, 1  # done, trapped or refused
NS, MOST_CYCLES = 10, 20_000  # a clock; what a launch may take, many times over


def offsets(text):
    """{name: (offset, from one to the next)}"""
    rows = re.findall(r"^\| (0x\w+)(?: \+ (\d+) i, i = 0 to \d+)? \| (\w+) \|", text, re.M)
    return {name: (int(at, 0), int(every or 0)) for at, every, name in rows}


def pauses(seed):
    r = random.Random(seed)
    while True:
        yield r.random() < 0.4


class Host:
    """Registers by name, through the AXI4-Lite master."""

    def __init__(self, master):
        self.master, self.at = master, offsets(Path(os.environ["REGISTERS"]).read_text())

    async def write(self, name, value, i=0, words=1):
        at, every = self.at[name]
        for k in range(words):
            answer = await self.master.write(at + every * i + 4 * k, (value >> 32 * k & 0xFFFFFFFF).to_bytes(4, "little"))
            assert answer.resp == AxiResp.OKAY, name

    async def read(self, name):
        answer = await self.master.read(self.at[name][0], 4)
        assert answer.resp == AxiResp.OKAY, name
        return int.from_bytes(answer.data, "little")

    async def launch(self, image):
        for axis, blocks, threads in zip("XYZ", image.grid, image.block):
            await self.write(f"GRID_{axis}", blocks)
            await self.write(f"BLOCK_{axis}", threads)
        await self.write("ENTRY_PC", image.entry_pc)
        await self.write("REGS", image.regs)
        await self.write("SHARED_BYTES", image.shared_bytes)
        await self.write("CODE_BASE", image.code_at, words=2)
        await self.write("CODE_BYTES", image.code_bytes)
        await self.write("MODE", 0)
        for i, (at, size) in enumerate(zip(image.cbank_at, image.cbank_bytes)):
            await self.write("CBANK_BASE", at, i, words=2)
            await self.write("CBANK_BYTES", size, i)
        for i, (base, limit, _) in enumerate(image.regions):
            await self.write("REGION_BASE", base, i, words=2)
            await self.write("REGION_LIMIT", limit, i, words=2)
        await self.write("REGION_WRITE", sum(writable << i for i, (_, _, writable) in enumerate(image.regions)))
        for name, value in (("GRID_X", image.grid[0]), ("CODE_BYTES", image.code_bytes)):
            assert await self.read(name) == value, f"registers: {name}"
        await self.write("CONTROL", CONTROL_START)

    async def ended(self):
        while not (status := await self.read("STATUS")) & STATUS_ENDED:
            pass
        return status & STATUS_ENDED


def numbers(data):
    return [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]


def square(_before, after):
    assert numbers(after[0]) == [i * i for i in range(32)], f"memory: {numbers(after[0])}"


def histogram(before, after):
    """The bytes, a bin for each of 64 values, how many they are, a ticket for each."""
    bins = [sum(byte & 63 == k for byte in before[0]) for k in range(64)]
    assert after[0] == before[0] and numbers(after[1]) == bins, f"memory: bins {numbers(after[1])}"
    assert numbers(after[2]) == [len(before[0])], f"memory: {numbers(after[2])}"
    assert sorted(numbers(after[3])) == list(range(len(before[0]))), f"memory: tickets {numbers(after[3])}"


def left_over(host, ram):
    """Channels in which something lies that nobody waits for."""
    answers = {"b": host.write_if.b_channel, "r": host.read_if.r_channel}
    asked = {"aw": ram.write_if.aw_channel, "w": ram.write_if.w_channel, "ar": ram.read_if.ar_channel}
    return [name for name, channel in (answers | asked).items() if not channel.empty()]


@cocotb.test()
async def launch(dut):
    logging.getLogger("cocotb.axi_bench").setLevel(logging.WARNING)
    judge = HeddleChecker(os.environ["LAUNCH"], lanes=4, warps=4, blocks=4, shared_bytes=8192)
    image = judge.launch()
    cocotb.start_soon(Clock(dut.clk, NS, "ns").start())
    dut.rst_n.value = 0
    dut.fault.value = int(os.environ["FAULT"])
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst_n, reset_active_level=False)
    ram = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst_n, reset_active_level=False, size=2**40)
    channels = [getattr(part, f"{name}_channel") for bus in (master, ram)
                for part, names in ((bus.write_if, ("aw", "w", "b")), (bus.read_if, ("ar", "r"))) for name in names]
    for i, channel in enumerate(channels):
        channel.set_pause_generator(pauses(f"{os.environ['SEED']} {i}"))
    for at, data in image.ranges:
        ram.write(at, data)
    buffers = lambda: [bytes(ram.read(base, limit - base)) for base, limit, _ in image.regions]  # noqa: E731
    before = buffers()
    await ClockCycles(dut.clk, 8)
    await FallingEdge(dut.clk)
    dut.rst_n.value = 1

    host = Host(master)
    assert await with_timeout(host.read("ID"), MOST_CYCLES * NS, "ns") == 0x4845444C, "registers: ID"
    await with_timeout(host.launch(image), MOST_CYCLES * NS, "ns")
    status = await with_timeout(host.ended(), MOST_CYCLES * NS, "ns")
    assert status == STATUS_DONE, f"registers: STATUS 0x{status:x}"
    {"square": square, "histogram": histogram}[os.environ["KERNEL"]](before, buffers())
    await ClockCycles(dut.clk, 100)
    assert not left_over(master, ram), f"left over: {left_over(master, ram)}"
    print(f"launch: {await host.read('CYCLES')} cycles")
