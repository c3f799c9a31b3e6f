# SPDX-License-Identifier: Apache-2.0
"""Boards on which make.py builds an SoC: targets of litex-boards, and the simulation of LiteX. None of them has been loaded
with one of these bit files."""
import importlib

from migen import Signal, If

from litex.build.generic_platform import Pins, Subsignal
from litex.build.io import CRG
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.interconnect.csr import CSRStatus, CSRStorage
from litex.soc.integration.soc_core import SoCCore

# name: (module of litex_boards.targets, arguments of its BaseSoC)
BOARDS = {
    "ulx3s":          ("radiona_ulx3s", {"device": "LFE5U-85F"}),
    "colorlight_i9":  ("colorlight_i5", {"board": "i9", "revision": "7.2"}),
    "orangecrab":     ("gsd_orangecrab", {"device": "85F"}),
    "ecpix5":         ("lambdaconcept_ecpix5", {"device": "85F"}),
    "arty":           ("digilent_arty", {"variant": "a7-100"}),
    "nexys_video":    ("digilent_nexys_video", {}),
    "kc705":          ("xilinx_kc705", {}),
    "genesys2":       ("digilent_genesys2", {}),
    "tang_mega_138k": ("sipeed_tang_mega_138k", {"with_ethernet": False, "with_sdram": True}),
}


def board_soc(name, **kwargs):
    """The SoC of litex-boards, without Heddle."""
    module, arguments = BOARDS[name]
    target = importlib.import_module(f"litex_boards.targets.{module}")
    if name != "orangecrab":
        return target.BaseSoC(**{**arguments, **kwargs})
    # Its target has a UART over USB, of a package that PyPI has not: here it is on pins 0 and 1 of the feather.
    soc = target.BaseSoC(**{**arguments, **kwargs}, with_uart=False)
    soc.platform.add_extension(importlib.import_module("litex_boards.platforms.gsd_orangecrab").feather_serial)
    soc.add_uart(name="uart", uart_name="serial")
    return soc


# The simulation -----------------------------------------------------------------------------------

IO = [
    ("sys_clk", 0, Pins(1)),
    ("sys_rst", 0, Pins(1)),
    ("serial", 0,
        Subsignal("source_valid", Pins(1)), Subsignal("source_ready", Pins(1)), Subsignal("source_data", Pins(8)),
        Subsignal("sink_valid", Pins(1)), Subsignal("sink_ready", Pins(1)), Subsignal("sink_data", Pins(8))),
]
CLOCK = int(1e6)          # a cycle is a microsecond to software
SDRAM_CLOCK = int(100e6)  # what its times are counted for


class Cycles(LiteXModule):
    """Cycles since the beginning, for software that measures."""

    def __init__(self):
        self.latch = CSRStorage()
        self.count = CSRStatus(64)
        now = Signal(64)
        self.sync += [now.eq(now + 1), If(self.latch.re, self.count.status.eq(now))]


class SimSoC(SoCCore):
    """The SoC of LiteX's own simulation: CPU, UART, and LiteDRAM before its model of an SDRAM."""

    def __init__(self, sdram_module="MT48LC16M16", sdram_width=32, sdram_init=(), trace=False, **kwargs):
        from litedram import modules
        from litedram.phy.model import SDRAMPHYModel, sdram_module_nphases

        platform = SimPlatform("SIM", list(IO))
        self.crg = CRG(platform.request("sys_clk"))
        SoCCore.__init__(self, platform, clk_freq=CLOCK, ident="Heddle in a simulated SoC", uart_name="sim", **kwargs)
        for option in ("BIOS_NO_PROMPT", "BIOS_NO_DELAYS", "BIOS_NO_CRC"):
            self.add_config(option)
        cls = getattr(modules, sdram_module)
        module = cls(SDRAM_CLOCK, f"1:{sdram_module_nphases[cls.memtype]}")
        self.sdrphy = SDRAMPHYModel(module=module, data_width=sdram_width, clk_freq=SDRAM_CLOCK, verbosity=0, init=list(sdram_init))
        self.add_sdram("sdram", phy=self.sdrphy, module=module, l2_cache_size=kwargs.get("l2_size", 8192),
                       l2_cache_min_data_width=128, l2_cache_reverse=False)
        self.add_constant("SDRAM_TEST_DISABLE")  # its content is there from the beginning
        self.add_constant("ROM_BOOT_ADDRESS", self.bus.regions["main_ram"].origin)
        platform.add_debug(self, reset=int(trace))

        self.cycles = Cycles()

    def init_rom(self, name, contents=(), auto_size=True):
        """As large as it is, whatever it begins with: another BIOS is no other hardware, and not compiled anew."""
        SoCCore.init_rom(self, name, list(contents), auto_size=False)
