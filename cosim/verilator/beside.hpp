// SPDX-License-Identifier: Apache-2.0
//
// A mapped netlist without its retire port, clocked beside the RTL: the same at all inputs in every cycle, and every bit
// of every output compared. Its outputs come a cycle late, from the registers that are there for place and route
// (lab/fpga/synth/unpinned.py). The first difference is kept like a failed assertion, which ends the run.
#ifndef HEDDLE_BESIDE_HPP
#define HEDDLE_BESIDE_HPP

#include <memory>
#include <string>

#include "cosim/verilator/device_core.hpp"

namespace beside {

#define HEDDLE_BESIDE_INPUTS(DO)                                                                                      \
  DO(rst_ni) DO(s_axil_awvalid_i) DO(s_axil_awaddr_i) DO(s_axil_wvalid_i) DO(s_axil_wdata_i) DO(s_axil_wstrb_i)       \
  DO(s_axil_bready_i) DO(s_axil_arvalid_i) DO(s_axil_araddr_i) DO(s_axil_rready_i) DO(m_axi_awready_i)                \
  DO(m_axi_wready_i) DO(m_axi_bvalid_i) DO(m_axi_bid_i) DO(m_axi_bresp_i) DO(m_axi_arready_i) DO(m_axi_rvalid_i)      \
  DO(m_axi_rid_i) DO(m_axi_rdata_i) DO(m_axi_rresp_i) DO(m_axi_rlast_i)

#define HEDDLE_BESIDE_OUTPUTS(DO)                                                                                     \
  DO(s_axil_awready_o) DO(s_axil_wready_o) DO(s_axil_bvalid_o) DO(s_axil_bresp_o) DO(s_axil_arready_o)                \
  DO(s_axil_rvalid_o) DO(s_axil_rdata_o) DO(s_axil_rresp_o) DO(m_axi_awvalid_o) DO(m_axi_awid_o) DO(m_axi_awaddr_o)   \
  DO(m_axi_awlen_o) DO(m_axi_awsize_o) DO(m_axi_awburst_o) DO(m_axi_wvalid_o) DO(m_axi_wdata_o) DO(m_axi_wstrb_o)     \
  DO(m_axi_wlast_o) DO(m_axi_bready_o) DO(m_axi_arvalid_o) DO(m_axi_arid_o) DO(m_axi_araddr_o) DO(m_axi_arlen_o)      \
  DO(m_axi_arsize_o) DO(m_axi_arburst_o) DO(m_axi_rready_o)

// Outputs of the RTL in the cycle before.
template <class Rtl> struct Outputs {
#define HEDDLE_KEPT(name) decltype(Rtl::name) name;
  HEDDLE_BESIDE_OUTPUTS(HEDDLE_KEPT)
#undef HEDDLE_KEPT
  void take(const Rtl &t)
  {
#define HEDDLE_TAKE(name) name = t.name;
    HEDDLE_BESIDE_OUTPUTS(HEDDLE_TAKE)
#undef HEDDLE_TAKE
  }
};

template <class Rtl, class Net> struct Beside {
  std::unique_ptr<Net> net;
  Outputs<Rtl> last{};
  unsigned quiet = 2; // cycles out of reset until the registers at its outputs show one of them

  void build(VerilatedContext &context) { net = std::make_unique<Net>(&context, "netlist"); }
  void end()
  {
    if (net) net->final();
  }

  void settle(const Rtl &rtl, uint64_t cycle)
  {
#define HEDDLE_DRIVE(name) net->name = rtl.name;
    HEDDLE_BESIDE_INPUTS(HEDDLE_DRIVE)
#undef HEDDLE_DRIVE
    net->clk_i = 0;
    net->eval();
    if (!rtl.rst_ni) quiet = 2;
    if (quiet > 0)
      quiet--;
    else
      compare(cycle);
    last.take(rtl);
  }

  void rise()
  {
    net->clk_i = 1;
    net->eval();
  }

  void compare(uint64_t cycle)
  {
#define HEDDLE_COMPARE(name)                                                                                          \
  if (last.name != net->name) differs(#name, cycle);
    HEDDLE_BESIDE_OUTPUTS(HEDDLE_COMPARE)
#undef HEDDLE_COMPARE
  }

  static void differs(const char *name, uint64_t cycle)
  {
    if (core::failure_text().empty())
      core::failure_text() = std::string("netlist: ") + name + " is not the RTL's in cycle " + std::to_string(cycle - 1);
  }
};

} // namespace beside

#endif
