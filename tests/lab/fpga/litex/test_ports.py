#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random bursts into memory behind a port of LiteDRAM (heddle_litex.DramPort), whose controller is narrower and wider than they are,
and behind the SoC's bus (BusPort), beside a copy of the memory. What LiteX has for both must be found to fail.
usage: test_ports.py     (installs LiteX, as lab/fpga/litex/setup.sh does)"""
import os
import pathlib
import random
import subprocess
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[4]
VENV = ROOT / "build/venv-litex"
if pathlib.Path(sys.prefix).resolve() != VENV.resolve():
    subprocess.run([ROOT / "lab/fpga/litex/setup.sh"], check=True)
    os.execv(VENV / "bin/python3", [str(VENV / "bin/python3"), "-B", *sys.argv])
sys.path.insert(0, str(ROOT / "lab/fpga/litex"))

from litedram.common import LiteDRAMNativePort
from litedram.frontend.adapter import LiteDRAMNativePortConverter
from litedram.frontend.axi import LiteDRAMAXI2Native
from litex.gen import LiteXModule
from litex.soc.interconnect import axi, wishbone
from migen import passive, run_simulation

from heddle_litex import BusPort, DramPort

BITS, LINE = 64, 128
BYTES = BITS // 8
STOPPED = 400          # cycles without an answer


class Crossbar(LiteXModule):
    """What LiteDRAM's crossbar gives: a port of the controller, behind its converter where another width is wanted."""

    def __init__(self, width):
        self.controller = types.SimpleNamespace(data_width=width)

    def get_port(self, data_width):
        self.of_controller = LiteDRAMNativePort("both", 16, self.controller.data_width)
        port = LiteDRAMNativePort("both", 20, data_width)
        self.converter = LiteDRAMNativePortConverter(port, self.of_controller)
        return port


class Dram(LiteXModule):
    """bridge(axi, crossbar): what is between them."""

    def __init__(self, width, bridge):
        self.axi = axi.AXIInterface(data_width=BITS, address_width=32, id_width=8)
        self.crossbar = Crossbar(width)
        self.bridge = bridge(self.axi, self.crossbar)
        self.width = width


class Bus(LiteXModule):
    """A Wishbone, what LiteX puts before it for a master of AXI, and in front of that ours, or nothing."""

    def __init__(self, ours):
        self.axi = master = axi.AXIInterface(data_width=BITS, address_width=32, id_width=8)
        narrow = axi.AXIInterface(data_width=32, address_width=32, id_width=8)
        self.wishbone = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        if ours:
            master = axi.AXIInterface(data_width=BITS, address_width=32, id_width=8)
            self.port = BusPort(self.axi, master)
        self.converter = axi.AXIConverter(master, narrow)
        self.bridge = axi.AXI2Wishbone(narrow, self.wishbone)


class Stopped(Exception):
    """Nothing is answered."""


class Bench:
    """Writers and readers of lines; a line has one access under way at a time, so that the copy says what a read must give."""

    def __init__(self, dut, seed, count):
        self.dut, self.count = dut, count
        self.random = random.Random(seed)
        self.memory, self.copy = {}, {}
        self.lines, self.under_way = 64, set()
        self.writes, self.reads = [], []     # not answered yet
        self.left = 2 * count
        self.cycles = self.answered = 0

    def burst(self, n):
        """Line, address, beats: first long ones, then short ones, many at a time."""
        line = self.random.choice([n for n in range(self.lines) if n not in self.under_way])
        self.under_way.add(line)
        first = self.random.choice([0, self.random.randrange(LINE // BYTES)])
        beats = min(self.random.choice([4, 16, 16] if n < self.count // 2 else [1, 1, 2]), LINE // BYTES - first)
        return line, line * LINE + first * BYTES, beats

    def often(self, bit):
        """Whether something is ready: mostly, and then for 2^bit cycles hardly ever, so that all queues fill."""
        return self.random.random() < (0.02 if self.cycles >> bit & 1 else 0.8)

    def pause(self):
        for _ in range(self.random.choice([0, 0, 0, 0, 4])):
            yield

    def ended(self, line):
        self.under_way.discard(line)
        self.left -= 1
        self.answered = self.cycles

    def send(self, channel, **payload):
        for name, value in payload.items():
            yield getattr(channel, name).eq(value)
        yield channel.valid.eq(1)
        yield
        while not (yield channel.ready):
            yield
        yield channel.valid.eq(0)

    def write(self):
        for n in range(self.count):
            line, at, beats = self.burst(n)
            data = [(self.random.getrandbits(BITS), self.random.choice([255, self.random.getrandbits(8)])) for _ in range(beats)]
            yield from self.send(self.dut.axi.aw, addr=at, len=beats - 1, size=3, burst=1, id=n % 16)
            self.writes.append((line, at, data, n % 16))
            for i, (word, strobes) in enumerate(data):
                yield from self.pause()
                yield from self.send(self.dut.axi.w, data=word, strb=strobes, last=i == beats - 1)

    def read(self):
        for n in range(self.count):
            burst = self.burst(n)
            self.reads.append((*burst, n % 16))
            yield from self.send(self.dut.axi.ar, addr=burst[1], len=burst[2] - 1, size=3, burst=1, id=n % 16)
            yield from self.pause()

    def take(self, channel, bit=None):
        """A beat of an answer. The core takes those to writes at once; with a cache it holds back what it reads."""
        while True:
            ready = bit is None or self.often(bit)
            yield channel.ready.eq(ready)
            yield
            if ready and (yield channel.valid):
                return

    @passive
    def answer_writes(self):
        b = self.dut.axi.b
        while True:
            yield from self.take(b)
            line, at, data, identifier = self.writes.pop(0)
            assert (yield b.id) == identifier, f"0x{at:x}: id {(yield b.id)} of a write, not {identifier}"
            for beat, (word, strobes) in enumerate(data):
                for i in range(BYTES):
                    if strobes >> i & 1:
                        self.copy[at + beat * BYTES + i] = word >> 8 * i & 255
            self.ended(line)

    @passive
    def answer_reads(self):
        r = self.dut.axi.r
        while True:
            for beat in range(16):
                yield from self.take(r, 7)
                line, at, beats, identifier = self.reads[0]
                at += beat * BYTES
                word = sum(self.copy.get(at + i, 0) << 8 * i for i in range(BYTES))
                assert (yield r.data) == word, f"0x{at:x}: {(yield r.data):016x}, not {word:016x}"
                assert (yield r.id) == identifier, f"0x{at:x}: id {(yield r.id)}, not {identifier}"
                assert (yield r.last) == (beat == beats - 1)
                if beat == beats - 1:
                    break
            self.reads.pop(0)
            self.ended(line)

    @passive
    def controller(self):
        """As LiteDRAM's crossbar: commands wait, data of each moves once, a while after it, whether it is there or not."""
        port, size = self.dut.crossbar.of_controller, self.dut.width // 8
        queue, ready, last = [], False, 0
        while True:
            yield
            now = self.cycles
            if ready and (yield port.cmd.valid):
                last = max(last + 1, now + self.random.choice([6, 9]))
                queue.append((last, (yield port.cmd.we), (yield port.cmd.addr) * size))
            if (yield port.wdata.ready):
                assert (yield port.wdata.valid), "the controller took data that is not there"
                data, enable = (yield port.wdata.data), (yield port.wdata.we)
                self.memory.update({to + i: data >> 8 * i & 255 for i in range(size) if enable >> i & 1})
            due = queue.pop(0) if queue and queue[0][0] <= now else None
            if due:
                to = due[2]
                yield port.rdata.data.eq(sum(self.memory.get(to + i, 0) << 8 * i for i in range(size)))
            yield port.wdata.ready.eq(bool(due and due[1]))
            yield port.rdata.valid.eq(bool(due and not due[1]))
            ready = self.often(8)
            yield port.cmd.ready.eq(ready)

    @passive
    def slave(self):
        """Of the bus: one access at a time."""
        bus = self.dut.wishbone
        while True:
            yield
            if not ((yield bus.cyc) and (yield bus.stb)):
                continue
            yield from self.pause()
            at, enable, data = (yield bus.adr) * 4, (yield bus.sel), (yield bus.dat_w)
            if (yield bus.we):
                self.memory.update({at + i: data >> 8 * i & 255 for i in range(4) if enable >> i & 1})
            yield bus.dat_r.eq(sum(self.memory.get(at + i, 0) << 8 * i for i in range(4)))
            yield bus.ack.eq(1)
            yield
            yield bus.ack.eq(0)

    def watch(self):
        while self.left:
            yield
            self.cycles += 1
            if self.cycles - self.answered > STOPPED:
                raise Stopped(f"nothing was answered for {STOPPED} cycles: {len(self.writes)} writes, {len(self.reads)} reads wait")

    def run(self):
        memory = self.controller() if isinstance(self.dut, Dram) else self.slave()
        run_simulation(self.dut, [self.write(), self.read(), self.answer_writes(), self.answer_reads(), memory, self.watch()])
        assert self.memory == self.copy


def passes(what, dut, count):
    bench = Bench(dut, 1, count)
    bench.run()
    print(f"{what}: {2 * count} bursts in {bench.cycles} cycles")


def fails(what, dut):
    try:
        Bench(dut, 1, 15).run()
    except (Stopped, AssertionError) as e:
        print(f"{what}: {e}")
    else:
        sys.exit(f"FAILED  {what}: nothing was found")


for controller, bursts in ((32, 15), (128, 60), (512, 60)):
    passes(f"controller of {controller} bits", Dram(controller, lambda bus, crossbar: DramPort(bus, crossbar, 0)), bursts)
fails("LiteDRAM's bridge behind its converter", Dram(128, lambda bus, crossbar: LiteDRAMAXI2Native(bus, crossbar.get_port(BITS))))
passes("bus", Bus(ours=True), 15)
fails("LiteX's converter for the bus", Bus(ours=False))
print("ok")
