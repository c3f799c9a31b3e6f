// SPDX-License-Identifier: Apache-2.0
// The link's RTL, its line and what is behind its buses.
#include "link_bench.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <Vtop.h>
#include "lab/fpga/board/sim/serial.hpp"
#include <verilated.h>

namespace {

struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  bool of_thousand(unsigned n) { return next() % 1000 < n; }
};

} // namespace

// Everything that belongs to the thread that clocks.
struct LinkBench::Sim {
  VerilatedContext context;
  std::unique_ptr<Vtop> top;
  Serial serial{DIVIDER};
  Random random;
  // AXI4-Lite and AXI4: what was taken, and after how many cycles it is answered.
  bool aw = false, w = false, ar = false, lite_aw = false, lite_w = false, lite_ar = false;
  uint64_t awaddr = 0, araddr = 0, wdata = 0;
  uint32_t lite_awaddr = 0, lite_araddr = 0, lite_wdata = 0;
  uint8_t wstrb = 0;
  unsigned b_wait = 0, r_wait = 0, lite_b_wait = 0, lite_r_wait = 0;
  uint32_t reg[64] = {};
  bool reset_was = true;
  uint64_t lite_since = 0; // when an access began

  Sim(uint64_t seed) : random{seed} {
    context.randReset(2);
    context.randSeed(static_cast<int>(seed % 1000 + 1));
    top.reset(new Vtop(&context));
  }
  ~Sim() { top->final(); }
  bool sometimes() { return random.next() % 4 != 0; }
};

LinkBench::LinkBench(uint64_t seed) : memory_(MEMORY) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds_) != 0) {
    perror("socketpair");
    exit(2);
  }
  fcntl(fds_[1], F_SETFL, O_NONBLOCK);
  Random random{seed ^ 77};
  for (uint8_t &b : memory_) b = static_cast<uint8_t>(random.next());
  thread_ = std::thread(&LinkBench::run, this, seed);
}

LinkBench::~LinkBench() {
  stop_ = true;
  thread_.join();
  close(fds_[0]);
  if (!hang_up_) close(fds_[1]);
}

void LinkBench::damage(Damage to_board, Damage to_host) {
  std::lock_guard<std::mutex> hold(lock_);
  damage_[0] = to_board;
  damage_[1] = to_host;
}

void LinkBench::stream(const std::vector<uint8_t> &bytes, const std::vector<bool> &lost) {
  std::lock_guard<std::mutex> hold(lock_);
  stream_ = bytes;
  lost_ = lost;
  streamed_ = 0;
}

bool LinkBench::streamed() {
  std::lock_guard<std::mutex> hold(lock_);
  return streamed_ == stream_.size();
}

void LinkBench::hang_up() {
  stop_ = true;
  thread_.join();
  close(fds_[1]);
  hang_up_ = true;
  thread_ = std::thread([] {});
}

std::vector<uint8_t> LinkBench::memory() {
  std::lock_guard<std::mutex> hold(lock_);
  return memory_;
}

void LinkBench::run(uint64_t seed) {
  Sim sim(seed);
  Vtop &t = *sim.top;
  Random noise{seed ^ 0x5555};
  bool pending = false; // a byte of the trace stands at the port
  auto damaged = [&](const Damage &d, uint8_t byte, auto &&emit) {
    if (noise.of_thousand(d.extra)) emit(static_cast<uint8_t>(noise.next()));
    if (noise.of_thousand(d.drop)) return;
    if (noise.of_thousand(d.flip)) byte ^= static_cast<uint8_t>(1u << noise.next() % 8);
    emit(byte);
    if (noise.of_thousand(d.twice)) emit(byte);
  };
  t.clk_i = 0;
  t.rx_i = 1;
  t.ready_i = 1;
  t.failed_i = 0;
  t.st_valid_i = 0;
  for (uint64_t cycle = 0; !stop_; cycle++) {
    t.rst_ni = cycle >= 4;
    // What the outside drives is set before the edge, from what the outputs were.
    {
      std::lock_guard<std::mutex> hold(lock_);
      if (!pending && streamed_ < stream_.size() && sim.sometimes()) {
        t.st_valid_i = 1;
        t.st_data_i = stream_[streamed_];
        t.st_lost_i = lost_[streamed_];
        pending = true;
      }
    }
    t.m_axil_awready_i = !sim.lite_aw && sim.sometimes();
    t.m_axil_wready_i = !sim.lite_w && sim.sometimes();
    t.m_axil_arready_i = !sim.lite_ar && sim.sometimes();
    t.m_axi_awready_i = !sim.aw && sim.sometimes();
    t.m_axi_wready_i = !sim.w && sim.sometimes();
    t.m_axi_arready_i = !sim.ar && sim.sometimes();
    const uint32_t lite_at = sim.lite_aw ? sim.lite_awaddr : sim.lite_araddr;
    if (!sim.lite_aw && !sim.lite_ar) sim.lite_since = cycle;
    const bool lite_silent = lite_at == SILENT || (lite_at == LATE && cycle - sim.lite_since < 30000);
    t.m_axil_bvalid_i = sim.lite_aw && sim.lite_w && !lite_silent && sim.lite_b_wait == 0;
    t.m_axil_bresp_i = sim.lite_awaddr == FAULTY ? 2 : 0;
    t.m_axil_rvalid_i = sim.lite_ar && !lite_silent && sim.lite_r_wait == 0;
    t.m_axil_rdata_i = sim.reg[sim.lite_araddr / 4 % 64];
    t.m_axil_rresp_i = sim.lite_araddr == FAULTY ? 2 : 0;
    t.m_axi_bvalid_i = sim.aw && sim.w && sim.b_wait == 0;
    t.m_axi_bresp_i = sim.awaddr >= MEMORY ? 3 : 0;
    t.m_axi_rvalid_i = sim.ar && sim.r_wait == 0;
    t.m_axi_rresp_i = sim.araddr >= MEMORY ? 3 : 0;
    if (t.m_axi_rvalid_i && sim.araddr < MEMORY) memcpy(&t.m_axi_rdata_i, &memory_[sim.araddr], 8);
    t.eval();

    // The edge, and what both sides took at it.
    if (t.rst_ni && t.sys_rst_no) {
      if (t.m_axil_awvalid_o && t.m_axil_awready_i)
        sim.lite_aw = true, sim.lite_awaddr = t.m_axil_awaddr_o, sim.lite_b_wait = sim.random.next() % 8;
      if (t.m_axil_wvalid_o && t.m_axil_wready_i) sim.lite_w = true, sim.lite_wdata = t.m_axil_wdata_o;
      if (t.m_axil_arvalid_o && t.m_axil_arready_i)
        sim.lite_ar = true, sim.lite_araddr = t.m_axil_araddr_o, sim.lite_r_wait = sim.random.next() % 8;
      if (t.m_axi_awvalid_o && t.m_axi_awready_i)
        sim.aw = true, sim.awaddr = t.m_axi_awaddr_o, sim.b_wait = sim.random.next() % 16;
      if (t.m_axi_wvalid_o && t.m_axi_wready_i) sim.w = true, sim.wdata = t.m_axi_wdata_o, sim.wstrb = t.m_axi_wstrb_o;
      if (t.m_axi_arvalid_o && t.m_axi_arready_i)
        sim.ar = true, sim.araddr = t.m_axi_araddr_o, sim.r_wait = sim.random.next() % 16;
      if (t.m_axil_bvalid_i && t.m_axil_bready_o) {
        sim.lite_aw = sim.lite_w = false;
        writes_++;
        if (sim.lite_awaddr == SUM)
          sim.reg[SUM / 4] += sim.lite_wdata, sum_ = sim.reg[SUM / 4];
        else
          sim.reg[sim.lite_awaddr / 4 % 64] = sim.lite_wdata;
      }
      if (t.m_axil_rvalid_i && t.m_axil_rready_o) sim.lite_ar = false;
      if (t.m_axi_bvalid_i && t.m_axi_bready_o) {
        std::lock_guard<std::mutex> hold(lock_);
        for (unsigned i = 0; i < 8 && sim.awaddr < MEMORY; i++)
          if (sim.wstrb >> i & 1) memory_[sim.awaddr + i] = static_cast<uint8_t>(sim.wdata >> 8 * i);
        sim.aw = sim.w = false;
      }
      if (t.m_axi_rvalid_i && t.m_axi_rready_o) sim.ar = false;
      if (sim.lite_b_wait > 0) sim.lite_b_wait--;
      if (sim.lite_r_wait > 0) sim.lite_r_wait--;
      if (sim.b_wait > 0) sim.b_wait--;
      if (sim.r_wait > 0) sim.r_wait--;
    } else {
      sim.aw = sim.w = sim.ar = sim.lite_aw = sim.lite_w = sim.lite_ar = false;
    }
    on_ = t.st_on_o;
    drop_ = t.st_drop_o;
    if (!t.st_on_o) silent_++;
    if (sim.reset_was && !t.sys_rst_no) resets_++;
    sim.reset_was = t.sys_rst_no;
    const bool taken = pending && t.st_ready_o && t.rst_ni;
    t.clk_i = 1;
    t.eval();
    t.clk_i = 0;
    t.eval();
    if (taken) {
      std::lock_guard<std::mutex> hold(lock_);
      pending = false;
      t.st_valid_i = 0;
      if (streamed_ < stream_.size()) streamed_++;
    }

    // The line.
    t.rx_i = sim.serial.step(t.tx_o);
    if (cycle % (10 * DIVIDER) == 0) {
      cycles_ = cycle;
      Damage in, out;
      {
        std::lock_guard<std::mutex> hold(lock_);
        in = damage_[0];
        out = damage_[1];
      }
      if (noise.of_thousand(in.low)) sim.serial.disturb(noise.next() % 60);
      uint8_t byte;
      if (cycle > 200 && sim.serial.idle() && read(fds_[1], &byte, 1) == 1)
        damaged(in, byte, [&](uint8_t b) { sim.serial.put(b); });
      while (sim.serial.get(&byte)) {
        if (swallow_) continue;
        damaged(out, byte, [&](uint8_t b) {
          while (write(fds_[1], &b, 1) != 1 && !stop_) {}
        });
      }
    }
  }
}
