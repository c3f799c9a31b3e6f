// SPDX-License-Identifier: Apache-2.0
// Around the host side of the top: a host on AXI4-Lite, a made-up SM as AXI4 master of each port, and the memory that
// answers it. Offers, answers and pauses are random. Every cycle: what was offered stays offered, and the SM is reset
// with no burst under way.
#pragma once
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

#include <Vtop.h>
#include <verilated.h>

inline std::mt19937_64 rng;
inline uint32_t rnd() {
  return uint32_t(rng());
}
inline unsigned below(unsigned n) {
  return rnd() % n;
}

// A port of the machine to memory. In front of the gate the SM: what it offers, and how far its bursts are. Behind it
// the memory: bursts that wait for an answer.
struct Port {
  bool aw = false, w = false, ar = false;
  unsigned w_left = 0; // beats of the present data burst that are not yet taken
  int aw_ahead = 0;    // addresses taken or offered, less data bursts begun
  int m_aw = 0, m_wlast = 0, m_ar = 0, m_b = 0;
  unsigned r_left = 0;
  bool w_beats = false; // of a burst of data some beats have been taken, but not the last
  bool bvalid = false, rvalid = false, was_aw = false, was_w = false, was_ar = false;
  bool b_ready = false, r_ready = false, aw_ready = false, w_ready = false, ar_ready = false; // in this cycle

  void reset() {
    aw = w = ar = false;
    w_left = 0;
    aw_ahead = 0;
  }
  void offer(bool traffic) {
    if (traffic) {
      if (!ar && below(3) == 0) ar = true;
      if (!aw && aw_ahead < 3 && below(3) == 0) {
        aw = true;
        aw_ahead++;
      }
      if (!w && w_left == 0 && (aw_ahead > 0 || below(4) == 0) && aw_ahead > -2 && below(2)) {
        w_left = 1 + below(4);
        aw_ahead--;
      }
      // A burst of data without an offered address gets one, at once or later.
      if (!aw && aw_ahead < 0 && below(8) == 0) {
        aw = true;
        aw_ahead++;
      }
      if (!w && w_left && below(2)) w = true;
    } else {
      if (!aw && aw_ahead < 0) {
        aw = true;
        aw_ahead++;
      }
      if (w_left == 0 && aw_ahead > 0) {
        w_left = 1;
        aw_ahead--;
      }
      if (!w && w_left) w = true;
    }
  }
  void answer(unsigned pressure, bool address_first) {
    b_ready = below(4) != 0;
    r_ready = below(4) != 0;
    aw_ready = below(pressure) == 0;
    w_ready = below(pressure) == 0 && (!address_first || m_aw > m_wlast);
    ar_ready = m_ar < 12 && below(pressure) == 0;
    if (!bvalid && m_b < (m_aw < m_wlast ? m_aw : m_wlast) && below(4) == 0) bvalid = true;
    if (!rvalid && r_left == 0 && m_ar > 0 && below(4) == 0) r_left = 1 + below(4);
    if (!rvalid && r_left && below(2)) rvalid = true;
  }
  bool under_way() const { return m_ar || r_left || m_b != m_aw || m_b != m_wlast || w_beats; }
};

struct Buses {
  std::unique_ptr<VerilatedContext> context{new VerilatedContext};
  std::unique_ptr<Vtop> top;
  uint64_t cycle = 0, differences = 0, checks = 0, bursts = 0;
  uint64_t gos = 0, go_cycle = 0, reset_cycles = 0;
  std::vector<Port> ports; // of the machine, which says how many
  bool traffic = false;
  unsigned busy = ~0u; // bit p: port p has traffic, where there is any
  unsigned pressure = 2;
  bool address_first = false; // memory takes a burst's data only after its address

  void differ(const char *what, unsigned long long got, unsigned long long want) {
    if (differences++ < 10)
      fprintf(stderr, "cycle %llu: %s is %llx, expected %llx\n", (unsigned long long)cycle, what, got, want);
  }
  void same(const char *what, unsigned long long got, unsigned long long want) {
    checks++;
    if (got != want) differ(what, got, want);
  }

  // A bit of each port.
  template <class Of> uint8_t all(Of of) const {
    unsigned bits = 0;
    for (size_t p = 0; p < ports.size(); p++) bits |= unsigned(of(ports[p])) << p;
    return uint8_t(bits);
  }

  // An offer stays; in reset nothing is under way.
  void look(Port &q, unsigned p, bool reset) {
    const bool awvalid = top->m_axi_awvalid_o >> p & 1, wvalid = top->m_axi_wvalid_o >> p & 1,
               arvalid = top->m_axi_arvalid_o >> p & 1;
    if (q.was_aw && !awvalid) differ("AWVALID taken back", 0, 1);
    if (q.was_w && !wvalid) differ("WVALID taken back", 0, 1);
    if (q.was_ar && !arvalid) differ("ARVALID taken back", 0, 1);
    if (reset && q.under_way()) differ("SM reset with bursts under way", 1, 0);
    if (reset && (awvalid || wvalid || arvalid)) differ("offer in reset", 1, 0);

    const bool wlast = q.w_left == 1;
    if (q.aw && (top->sm_awready_o >> p & 1)) {
      q.aw = false;
      bursts++;
    }
    if (q.w && (top->sm_wready_o >> p & 1)) {
      q.w = false;
      q.w_left--;
    }
    if (q.ar && (top->sm_arready_o >> p & 1)) {
      q.ar = false;
      bursts++;
    }
    if (awvalid && q.aw_ready) q.m_aw++;
    if (wvalid && q.w_ready) {
      q.w_beats = !wlast;
      q.m_wlast += wlast;
    }
    if (arvalid && q.ar_ready) q.m_ar++;
    if (q.bvalid && q.b_ready) {
      q.bvalid = false;
      q.m_b++;
    }
    if (q.rvalid && q.r_ready) {
      q.rvalid = false;
      if (--q.r_left == 0) q.m_ar--;
    }
    q.was_aw = awvalid && !q.aw_ready;
    q.was_w = wvalid && !q.w_ready;
    q.was_ar = arvalid && !q.ar_ready;
  }

  uint64_t invalidates = 0, exchanges = 0; // events for the mmu
  uint64_t wipes = 0;                      // rows set to 0

  // Other answers of a cycle.
  virtual void answer() {}
  virtual ~Buses() = default;

  // One cycle: drive SM and memory, look at the handshakes, clock.
  void tick() {
    answer();
    const bool reset = !top->sm_rst_no;
    if (reset) reset_cycles++;
    for (size_t p = 0; p < ports.size(); p++) {
      if (reset)
        ports[p].reset();
      else
        ports[p].offer(traffic && (busy >> p & 1));
      ports[p].answer(pressure, address_first);
    }
    top->sm_awvalid_i = all([](const Port &q) { return q.aw; });
    top->sm_wvalid_i = all([](const Port &q) { return q.w; });
    top->sm_wlast_i = all([](const Port &q) { return q.w_left == 1; });
    top->sm_arvalid_i = all([](const Port &q) { return q.ar; });
    top->sm_bready_i = all([](const Port &q) { return q.b_ready; });
    top->sm_rready_i = all([](const Port &q) { return q.r_ready; });
    top->m_axi_awready_i = all([](const Port &q) { return q.aw_ready; });
    top->m_axi_wready_i = all([](const Port &q) { return q.w_ready; });
    top->m_axi_arready_i = all([](const Port &q) { return q.ar_ready; });
    top->m_axi_bvalid_i = all([](const Port &q) { return q.bvalid; });
    top->m_axi_rvalid_i = all([](const Port &q) { return q.rvalid; });
    top->m_axi_rlast_i = all([](const Port &q) { return q.r_left == 1; });
    top->eval();
    for (size_t p = 0; p < ports.size(); p++) look(ports[p], unsigned(p), reset);

    invalidates += top->mu_invalidate_o;
    exchanges += top->mu_exchange_o;
    wipes += top->wipe_o;
    if (top->go_o) {
      gos++;
      go_cycle = cycle;
      same("go in reset", !top->sm_rst_no, 0);
    }
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    cycle++;
  }
  unsigned write(unsigned offset, uint32_t data, unsigned strb = 15) {
    bool have_aw = false, have_w = false;
    for (int i = 0; i < 1000; i++) {
      top->s_axil_awvalid_i = !have_aw && (top->s_axil_awvalid_i || below(2));
      top->s_axil_wvalid_i = !have_w && (top->s_axil_wvalid_i || below(2));
      top->s_axil_awaddr_i = uint16_t(top->s_axil_awvalid_i ? offset : rnd() & 0xfff);
      top->s_axil_wdata_i = top->s_axil_wvalid_i ? data : rnd();
      top->s_axil_wstrb_i = uint8_t(strb);
      top->s_axil_bready_i = below(2);
      top->eval();
      const bool take_aw = top->s_axil_awvalid_i && top->s_axil_awready_o,
                 take_w = top->s_axil_wvalid_i && top->s_axil_wready_o;
      const bool done = top->s_axil_bvalid_o && top->s_axil_bready_i;
      const unsigned resp = top->s_axil_bresp_o;
      if (done && !(have_aw && have_w)) differ("early write response", 1, 0);
      tick();
      have_aw |= take_aw;
      have_w |= take_w;
      if (take_aw) top->s_axil_awvalid_i = 0;
      if (take_w) top->s_axil_wvalid_i = 0;
      if (done) {
        top->s_axil_bready_i = 0;
        return resp;
      }
    }
    differ("cycles without a write response", 1000, 0);
    return 0;
  }

  uint32_t read(unsigned offset) {
    bool have_ar = false;
    for (int i = 0; i < 1000; i++) {
      top->s_axil_arvalid_i = !have_ar && (top->s_axil_arvalid_i || below(2));
      top->s_axil_araddr_i = uint16_t(offset);
      top->s_axil_rready_i = below(2);
      top->eval();
      const bool take = top->s_axil_arvalid_i && top->s_axil_arready_o,
                 done = top->s_axil_rvalid_o && top->s_axil_rready_i;
      const uint32_t data = top->s_axil_rdata_o;
      if (done && top->s_axil_rresp_o) differ("rresp", top->s_axil_rresp_o, 0);
      tick();
      have_ar |= take;
      if (take) top->s_axil_arvalid_i = 0;
      if (done) {
        top->s_axil_rready_i = 0;
        return data;
      }
    }
    differ("cycles without read data", 1000, 0);
    return 0;
  }
};
