# SPDX-License-Identifier: Apache-2.0
"""A pyuvm agent: monitor, analysis port, scoreboard. Only who imports this module needs pyuvm.

Into the ConfigDB of the agent go DUT, CLK and CHECKER (a HeddleChecker that has launched), and CYCLE if there is a
signal that counts clocks. Whoever else wants the records subscribes to `agent.ap`."""

from pyuvm import ConfigDB, UVMConfigItemNotFound, uvm_agent, uvm_analysis_port, uvm_component, uvm_subscriber

from .monitor import RetireMonitor


class RetireItem:
    """A record, or (kind None) the end of a clock."""

    def __init__(self, kind, cycle, vector):
        self.kind, self.cycle, self.vector = kind, cycle, vector


class RetireScoreboard(uvm_subscriber):
    """Gives each item to the checker. At check_phase a verdict other than ok is an error."""

    def __init__(self, name, parent):
        super().__init__(name, parent)
        self.checker = None

    def write(self, item):
        if item.kind is None:
            self.checker.step(item.cycle)
        else:
            self.checker.record(item.kind, item.cycle, item.vector)

    def check_phase(self):
        verdict = self.checker.verdict()
        if not verdict.ok:
            self.logger.error(verdict.report)


class _Written:
    """What a RetireMonitor samples, as items of an analysis port."""

    def __init__(self, ap, checker):
        self._ap, self._checker, self.kinds = ap, checker, checker.kinds

    @property
    def fine(self):
        return self._checker.fine

    def record(self, kind, cycle, vector):
        self._ap.write(RetireItem(kind, cycle, vector))

    def step(self, cycle):
        self._ap.write(RetireItem(None, cycle, b""))


class RetireMonitorComponent(uvm_component):
    def build_phase(self):
        self.ap = uvm_analysis_port("ap", self)

    def start_of_simulation_phase(self):
        get = lambda key: ConfigDB().get(self, "", key)  # noqa: E731
        try:
            cycle = get("CYCLE")
        except UVMConfigItemNotFound:
            cycle = None
        self.monitor = RetireMonitor(get("DUT"), get("CLK"), _Written(self.ap, get("CHECKER")), cycle=cycle)

    async def run_phase(self):
        await self.monitor.until(lambda: False)


class RetireAgent(uvm_agent):
    def build_phase(self):
        super().build_phase()
        self.monitor = RetireMonitorComponent("monitor", self)
        self.scoreboard = RetireScoreboard("scoreboard", self)
        self.scoreboard.checker = ConfigDB().get(self, "", "CHECKER")

    def connect_phase(self):
        self.ap = self.monitor.ap
        self.ap.connect(self.scoreboard.analysis_export)
