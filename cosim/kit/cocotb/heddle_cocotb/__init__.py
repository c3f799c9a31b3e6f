# SPDX-License-Identifier: Apache-2.0
"""A core's retire port under Heddle's checker, from cocotb.

    judge = HeddleChecker("vecadd.launch", lanes=8, warps=4, blocks=2, shared_bytes=8192)
    while image := judge.launch():
        ... put image.ranges into the core's memory, reset it, start it
        monitor = RetireMonitor(dut, dut.clk, judge, cycle=dut.cycle)
        await monitor.until(ended)
        judge.memory(cycle, bytes)
    assert judge.verdict().ok, judge.verdict().report
"""

from .checker import HeddleChecker, Image, Verdict
from .monitor import RetireMonitor

__all__ = ["HeddleChecker", "Image", "RetireMonitor", "Verdict"]
