# SPDX-License-Identifier: Apache-2.0
"""barrel under the checker over cocotb: its memory, its launches. From the environment: LAUNCH, a file of launches; CORE,
what core.txt says; BUG. The verdict's report is written to VERDICT."""

import os
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from heddle_cocotb import HeddleChecker, RetireMonitor

LATENCY = 1  # as `heddle run --calm`
SECTOR = 32


def declared():
    pairs = dict(w.split("=") for w in os.environ["CORE"].split())
    core = {k: v if k == "name" else int(v, 0) for k, v in pairs.items()}
    core["shared_bytes"] = core.pop("shared")
    return core


class Memory:
    """Sectors of 32 bytes, one request at a time; whoever asks outside gets an error."""

    def __init__(self, dut, image):
        self.dut, self.base = dut, image.base
        self.data = bytearray((max(at + len(d) for at, d in image.ranges) - image.base + 2 * SECTOR - 1) & -SECTOR)
        for at, d in image.ranges:
            self.data[at - image.base:at - image.base + len(d)] = d

    def serve(self):
        """The answer to what is asked for: (data, failed)."""
        dut, at = self.dut, int(self.dut.addr_o.value) - self.base
        if not 0 <= at < len(self.data):
            return 0, 1
        before = int.from_bytes(self.data[at:at + SECTOR], "little")
        if dut.we_o.value:
            strobe, word = int(dut.wstrb_o.value), dut.wdata_o.value.to_unsigned().to_bytes(SECTOR, "little")
            for i in range(SECTOR):
                if strobe >> i & 1:
                    self.data[at + i] = word[i]
        return before, 0

    async def run(self):
        dut, waits = self.dut, -1
        while True:
            dut.ready_i.value, dut.rsp_i.value = waits < 0, waits == 0
            await RisingEdge(dut.clk_i)
            if waits >= 0:
                waits -= 1
            elif dut.rst_ni.value == 1 and dut.req_o.value == 1:
                waits = LATENCY
                dut.rdata_i.value, dut.err_i.value = self.serve()


def tell(dut, image):
    """The launch, at the inputs."""
    def vector(values, bits):
        return sum(v << bits * i for i, v in enumerate(values))

    bases, limits, writable = zip(*image.regions) if image.regions else ((), (), ())
    for name, value in {"bug": int(os.environ.get("BUG", "0")), "code_base": image.code_at, "code_bytes": image.code_bytes,
                        "entry": image.entry_pc, "regs": image.regs, "shared_bytes": image.shared_bytes,
                        "local_base": image.local_at, "local_bytes": image.local_bytes,
                        "grid": vector(image.grid, 32), "block": vector(image.block, 32),
                        "cbank_base": vector(image.cbank_at, 40), "cbank_bytes": vector(image.cbank_bytes, 17),
                        "region_base": vector(bases, 40), "region_limit": vector(limits, 41),
                        "region_write": vector(writable, 1)}.items():
        getattr(dut, f"{name}_i").value = value


@cocotb.test()
async def bench(dut):
    judge = HeddleChecker(os.environ["LAUNCH"], **declared())
    cocotb.start_soon(Clock(dut.clk_i, 10).start())
    monitor = RetireMonitor(dut, dut.clk_i, judge, suffix="_o", reset_n=dut.rst_ni,
                            without=("uniform_read", "uniform_write"))
    monitor.cycle = 0  # the first clock without reset is 1
    while image := judge.launch():
        memory = Memory(dut, image)
        serving = cocotb.start_soon(memory.run())
        tell(dut, image)
        dut.rst_ni.value, dut.go_i.value = 0, 0
        for _ in range(4):
            await RisingEdge(dut.clk_i)
        dut.rst_ni.value, dut.go_i.value = 1, 1
        cocotb.start_soon(lower(dut))
        await monitor.until(lambda: dut.rst_ni.value == 1 and dut.done_o.value == 1)
        serving.cancel()
        judge.memory(monitor.cycle, memory.data[:image.bytes])
    Path(os.environ["VERDICT"]).write_text(judge.verdict().report, encoding="utf-8")


async def lower(dut):
    """go is a pulse."""
    await RisingEdge(dut.clk_i)
    dut.go_i.value = 0
