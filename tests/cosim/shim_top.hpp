// SPDX-License-Identifier: Apache-2.0
//
// The ports of heddle_gpu as Verilator would make them, for a machine of no RTL. Host registers answer as the test
// says; an AXI master and a retire port stay silent. The shim's actions at its side of the ports are counted.
#ifndef HEDDLE_TESTS_COSIM_SHIM_TOP_HPP
#define HEDDLE_TESTS_COSIM_SHIM_TOP_HPP

#include "cosim/verilator/device_core.hpp"

namespace shim {

using of = retire::shown<sample::Sizes>;

struct Top {
  // host registers, AXI4-Lite
  uint8_t s_axil_awvalid_i = 1, s_axil_wvalid_i = 1, s_axil_bready_i = 1, s_axil_arvalid_i = 1, s_axil_rready_i = 1,
          s_axil_wstrb_i = 0;
  uint32_t s_axil_awaddr_i = 0, s_axil_wdata_i = 0, s_axil_araddr_i = 0;
  uint8_t s_axil_awready_o = 0, s_axil_wready_o = 0, s_axil_bvalid_o = 0, s_axil_bresp_o = 0;
  uint8_t s_axil_arready_o = 0, s_axil_rvalid_o = 0, s_axil_rresp_o = 0;
  uint32_t s_axil_rdata_o = 0;
  uint8_t irq_o = 0;
  // memory, AXI4
  uint8_t m_axi_awready_i = 0, m_axi_wready_i = 0, m_axi_arready_i = 0, m_axi_bvalid_i = 0, m_axi_bresp_i = 0,
          m_axi_rvalid_i = 0;
  uint8_t m_axi_rresp_i = 0, m_axi_rlast_i = 0, m_axi_bid_i = 0, m_axi_rid_i = 0;
  uint64_t m_axi_rdata_i = 0, m_axi_wdata_o = 0, m_axi_awaddr_o = 0, m_axi_araddr_o = 0;
  uint8_t m_axi_awvalid_o = 0, m_axi_arvalid_o = 0, m_axi_wvalid_o = 0, m_axi_bready_o = 0, m_axi_rready_o = 0,
          m_axi_wstrb_o = 0, m_axi_wlast_o = 0;
  uint8_t m_axi_awid_o = 0, m_axi_awlen_o = 0, m_axi_awsize_o = 0, m_axi_awburst_o = 0;
  uint8_t m_axi_arid_o = 0, m_axi_arlen_o = 0, m_axi_arsize_o = 0, m_axi_arburst_o = 0;
  // the rest
  uint8_t clk_i = 0, rst_ni = 1, ret_ready_i = 0;
  // retire port
  VlWide<of::sm_words> ret_sm_o{};
  VlWide<of::bank_words> ret_bank_o{};
};

// How the host registers answer: cycles until an address, its data, are taken, cycles until the answer; what it says.
struct Manner {
  unsigned address = 0, data = 0, answer = 0;
  uint8_t resp = 0;
  bool silent = false;
};

// One access at a time, by the rules of the bus. A breach by the shim is reported in words.
struct Registers {
  Manner manner;
  uint32_t word = 0;              // what is there; the address does not matter
  unsigned writes = 0, reads = 0; // accesses of which address and data have been taken
  unsigned answers = 0;           // that the shim has taken
  uint32_t address = 0;           // of the last access
  const char *breach = nullptr;

  void settle(Top &t) {
    t.s_axil_awready_o = open_aw_ && age_aw_ >= manner.address;
    t.s_axil_wready_o = open_w_ && age_w_ >= manner.data;
    t.s_axil_arready_o = open_ar_ && age_ar_ >= manner.address;
    t.s_axil_bvalid_o = owed_b_ && !manner.silent && age_b_ >= manner.answer;
    t.s_axil_rvalid_o = owed_r_ && !manner.silent && age_r_ >= manner.answer;
    t.s_axil_bresp_o = t.s_axil_bvalid_o ? manner.resp : 0; // a response that is not valid looks like a good one
    t.s_axil_rresp_o = t.s_axil_rvalid_o ? manner.resp : 0;
    t.s_axil_rdata_o = t.s_axil_rvalid_o ? word : 0x5eed5eedu;
  }
  void rise(const Top &t) {
    keeps(aw_waits_, t.s_axil_awvalid_i, "AWVALID falls before it is taken");
    keeps(w_waits_, t.s_axil_wvalid_i, "WVALID falls before it is taken");
    keeps(ar_waits_, t.s_axil_arvalid_i, "ARVALID falls before it is taken");
    const bool aw = t.s_axil_awvalid_i && t.s_axil_awready_o, w = t.s_axil_wvalid_i && t.s_axil_wready_o;
    const bool ar = t.s_axil_arvalid_i && t.s_axil_arready_o;
    aw_waits_ = t.s_axil_awvalid_i && !aw;
    w_waits_ = t.s_axil_wvalid_i && !w;
    ar_waits_ = t.s_axil_arvalid_i && !ar;
    asked_twice(t);
    age_aw_ = aw_waits_ ? age_aw_ + 1 : 0;
    age_w_ = w_waits_ ? age_w_ + 1 : 0;
    age_ar_ = ar_waits_ ? age_ar_ + 1 : 0;
    answered(t);
    if (aw) open_aw_ = false, address = t.s_axil_awaddr_i;
    if (w) open_w_ = false, word = t.s_axil_wdata_i;
    if (ar) open_ar_ = false, address = t.s_axil_araddr_i;
    if (!owed_b_ && !open_aw_ && !open_w_) owed_b_ = true, age_b_ = 0, writes++;
    if (!owed_r_ && !open_ar_) owed_r_ = true, age_r_ = 0, reads++;
  }
  // Requests without an answer are dropped, as by a reset.
  void forget() {
    const uint32_t kept = word;
    *this = Registers();
    word = kept;
  }

private:
  bool open_aw_ = true, open_w_ = true, open_ar_ = true, owed_b_ = false, owed_r_ = false;
  bool aw_waits_ = false, w_waits_ = false, ar_waits_ = false;
  unsigned age_aw_ = 0, age_w_ = 0, age_ar_ = 0, age_b_ = 0, age_r_ = 0;

  void tell(const char *what) {
    if (breach == nullptr) breach = what;
  }
  void keeps(bool waits, bool valid, const char *what) {
    if (waits && !valid && !manner.silent) tell(what);
  }
  // While an access is owed its answer, the shim requests nothing of that kind.
  void asked_twice(const Top &t) {
    if (t.s_axil_arvalid_i && !open_ar_) tell("ARVALID stays after the address was taken");
    if (t.s_axil_awvalid_i && !open_aw_) tell("AWVALID stays after the address was taken");
    if (t.s_axil_wvalid_i && !open_w_) tell("WVALID stays after the word was taken");
  }
  void answered(const Top &t) {
    if (owed_b_ && t.s_axil_bvalid_o && t.s_axil_bready_i) owed_b_ = false, open_aw_ = open_w_ = true, answers++;
    if (owed_r_ && t.s_axil_rvalid_o && t.s_axil_rready_i) owed_r_ = false, open_ar_ = true, answers++;
    age_b_++;
    age_r_++;
  }
};

struct Sim {
  static constexpr const char *backend = "none";
  Top ports;
  Registers registers;
  bool waves = true; // it can make them
  std::string asked; // the path of the wave that was requested last
  unsigned asked_times = 0;
  uint64_t clocks = 0, held = 0; // out of reset; of these, the retire port was not ready
  std::string ready;             // one letter a clock: r ready, h held

  Top &top() { return ports; }
  const Top &shown() const { return ports; }
  void settle(uint64_t) { registers.settle(ports); }
  void rise(uint64_t) {
    if (ports.rst_ni) {
      registers.rise(ports);
      clocks++;
      held += ports.ret_ready_i == 0;
      ready += ports.ret_ready_i ? 'r' : 'h';
    }
  }
  bool wave(const char *path) {
    asked_times++;
    asked = path != nullptr ? path : "";
    return waves || path == nullptr;
  }
};

} // namespace shim

#endif
