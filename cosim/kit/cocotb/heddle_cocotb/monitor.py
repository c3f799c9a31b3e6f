# SPDX-License-Identifier: Apache-2.0
"""What a core shows, clock by clock, given to whoever takes records."""

from cocotb.triggers import FallingEdge


def as_bytes(value, bits):
    """A vector's bytes, lowest first. A byte with X or Z in it is 0xa5: that a difference finds."""
    if value.is_resolvable:
        return value.to_unsigned().to_bytes(bits // 8, "little")
    text = str(value)
    bytes_ = [text[i:i + 8] for i in range(0, bits, 8)]
    return bytes(int(b, 2) if set(b) <= {"0", "1"} else 0xA5 for b in reversed(bytes_))


class RetireMonitor:
    """Signals PREFIX + kind + SUFFIX and PREFIX + kind + "_valid" + SUFFIX of `dut` are looked at when the clock falls:
    what they then show is what the next rising edge samples, in every simulator. A kind that the sink says is shown has
    signals, unless it is named in `without`: of a unit that this core has not.

    `sink` has kinds ({number: name} of those shown), record(kind, cycle, bytes), step(cycle): a HeddleChecker, or an
    agent's. `cycle` is a signal that counts clocks; None: they are counted here, from 0."""

    def __init__(self, dut, clk, sink, prefix="ret_", reset_n=None, cycle=None, suffix="", without=()):
        self._clk, self._sink, self._reset_n, self._cycle = clk, sink, reset_n, cycle
        self._ports = []
        self.cycle = -1
        for kind, name in sink.kinds.items():
            if name in without:
                continue
            valid = getattr(dut, f"{prefix}{name}_valid{suffix}")
            record = getattr(dut, f"{prefix}{name}{suffix}")
            self._ports.append((kind, valid, record, len(record) // len(valid)))

    def sample(self):
        """Everything that is valid now, in the order of kinds."""
        self.cycle = int(self._cycle.value) if self._cycle is not None else self.cycle + 1
        for kind, valid, record, bits in self._ports:
            v = int(valid.value)
            if v == 0:
                continue
            vector = as_bytes(record.value, bits * len(valid))
            for i in range(len(valid)):
                if v >> i & 1:
                    self._sink.record(kind, self.cycle, vector[i * bits // 8:(i + 1) * bits // 8])
        self._sink.step(self.cycle)

    async def until(self, over):
        """Clock by clock, until over() or something is wrong."""
        while not over() and getattr(self._sink, "fine", True):
            await FallingEdge(self._clk)
            if self._reset_n is None or self._reset_n.value == 1:
                self.sample()
