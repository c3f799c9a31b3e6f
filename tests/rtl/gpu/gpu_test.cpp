// SPDX-License-Identifier: Apache-2.0
// The host side of the top, driven through heddle/host_regs.h, with a made-up SM, or several: identity, launch
// registers, start, done, trap, refusal, counters, and aborts amid AXI traffic (no burst is cut in half, nothing is
// offered once the SM is in reset).
// The buses around it: buses.h; the launch registers: registers.h; launches in a queue: queue_test.cpp.
//   gpu_test [--runs N] [--seed S]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include "tests/rtl/gpu/registers.h"
extern "C" {
#include <heddle/config.h>
}
#include <heddle/host_regs.h>

namespace {

struct Bench : Registers {
  uint64_t aborts = 0;
  const unsigned queue = heddle_config_find(CONFIG)->launch_queue;

  void identity() {
    same("ID", read(HEDDLE_REG_ID), HEDDLE_ID);
    same("VERSION", read(HEDDLE_REG_VERSION), HEDDLE_VERSION);
    same("CAP_LANES", read(HEDDLE_REG_CAP_LANES), top->cfg_lanes_o);
    same("CAP_WARPS", read(HEDDLE_REG_CAP_WARPS), top->cfg_warps_o);
    same("CAP_REGS", read(HEDDLE_REG_CAP_REGS), top->cfg_regs_o);
    same("CAP_SHARED", read(HEDDLE_REG_CAP_SHARED), top->cfg_shared_o);
    same("CAP_BLOCKS", read(HEDDLE_REG_CAP_BLOCKS), top->cfg_blocks_o);
    same("CAP_AXI_BITS", read(HEDDLE_REG_CAP_AXI_BITS), top->cfg_axi_bits_o);
    same("CFG_HASH", read(HEDDLE_REG_CFG_HASH) | uint64_t(read(HEDDLE_REG_CFG_HASH + 4)) << 32, top->cfg_hash_o);
    same("ISA_HASH", read(HEDDLE_REG_ISA_HASH) | uint64_t(read(HEDDLE_REG_ISA_HASH + 4)) << 32, top->isa_hash_o);
    same("LATENCY_HASH", read(HEDDLE_REG_LATENCY_HASH) | uint64_t(read(HEDDLE_REG_LATENCY_HASH + 4)) << 32,
         top->latency_hash_o);
    const heddle_config &config = *heddle_config_find(CONFIG);
    same("CAP_UNITS", read(HEDDLE_REG_CAP_UNITS),
         config.pipes | HEDDLE_CAP_UNITS_LOCAL | (config.its ? HEDDLE_CAP_UNITS_ITS : 0));
    same("CAP_COUNTERS", read(HEDDLE_REG_CAP_COUNTERS), top->counters_o);
    same("counters in the header", HEDDLE_COUNTERS, top->counters_o);
    same("CAP_SMS", read(HEDDLE_REG_CAP_SMS), config.sms);
    same("SMs", top->cfg_sms_o, config.sms);
    same("CAP_QUEUE", read(HEDDLE_REG_CAP_QUEUE), queue);
    same("AXI ports", top->cfg_ports_o, config.axi_ports);
    same("SM_SELECT", read(HEDDLE_REG_SM_SELECT), 0);
    same("unknown", read(0xff0), 0);
    same("CONTROL", read(HEDDLE_REG_CONTROL), 0);
  }

  void start() {
    const uint64_t before = gos, resets = reset_cycles;
    write(HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START);
    for (int i = 0; i < 1000 && gos == before; i++) tick();
    same("go", gos, before + 1);
    launched(values);
    if (reset_cycles < resets + 4) differ("cycles of reset before go", reset_cycles - resets, 4);
    same("running", read(HEDDLE_REG_STATUS), HEDDLE_STATUS_RUNNING);
  }

  void stop() {
    const uint64_t resets = reset_cycles;
    write(HEDDLE_REG_CONTROL, HEDDLE_CONTROL_ABORT | (below(4) ? 0 : HEDDLE_CONTROL_START));
    if (below(3) == 0) { // no grid runs, whatever drains: the next one begins behind that
      top->trap_valid_i = 0;
      top->ct_refuse_i = 0;
      start();
      write(HEDDLE_REG_CONTROL, HEDDLE_CONTROL_ABORT);
    }
    uint32_t status = HEDDLE_STATUS_DRAINING;
    for (int i = 0; i < 1000 && status == HEDDLE_STATUS_DRAINING; i++) status = read(HEDDLE_REG_STATUS);
    same("status after an abort", status, 0);
    if (reset_cycles < resets + 4) differ("cycles of reset in an abort", reset_cycles - resets, 4);
    aborts++;
  }

  void one() {
    struct Where {
      uint32_t x, y, z, warps;
    };
    const unsigned sms = top->cfg_sms_o;
    std::vector<Where> all(sms * top->cfg_blocks_o, Where{0, 0, 0, 0});
    start();
    traffic = true;
    busy = below(2) ? ~0u : 1u << below(unsigned(ports.size())); // all ports, or one: the gate waits for each
    pressure = 1 + below(4);
    address_first = below(3) == 0;
    const uint64_t before = gos;
    // They stay, or become those of the next launch: not of this one.
    const std::vector<uint32_t> begun = values;
    if (below(3) == 0) launch_registers(queue == 0);
    launched(begun);
    // Blocks begin, with warp slots of their own.
    std::vector<uint32_t> takens(sms, 0);
    for (unsigned n = 0; n < all.size(); n++) {
      const unsigned sm = n % sms, b = n / sms;
      std::vector<Where>::iterator resident = all.begin() + sm * top->cfg_blocks_o;
      uint32_t warps = rnd() & ((1ull << top->cfg_warps_o) - 1) & ~takens[sm];
      if (!warps) continue;
      takens[sm] |= warps;
      resident[b] = {rnd(), rnd(), rnd(), warps};
      top->bstart_valid_i = 1;
      top->bstart_sm_i = uint8_t(sm);
      top->bstart_bslot_i = uint8_t(b);
      top->bstart_ctaid_x_i = resident[b].x;
      top->bstart_ctaid_y_i = resident[b].y;
      top->bstart_ctaid_z_i = resident[b].z;
      top->bstart_warps_i = warps;
      tick();
      top->bstart_valid_i = 0;
    }
    for (unsigned i = below(60); i > 0; i--) tick();
    if (queue == 0 && below(3) == 0) {
      write(HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START); // ignored
      for (int i = 0; i < 20; i++) tick();
      same("go while running", gos, before);
    }
    uint32_t counters[16];
    for (unsigned i = 0; i < 16; i++) top->cnt_i[i] = counters[i] = rnd();
    const unsigned end = below(4);
    if (end == 3) {
      stop();
      traffic = false;
      return;
    }
    const uint64_t cycles = cycle - go_cycle;
    uint32_t want = HEDDLE_STATUS_DONE;
    if (end == 0) {
      top->grid_done_i = 1;
      tick();
      top->grid_done_i = 0;
    } else if (end == 1) {
      const unsigned why = 1 + below(5);
      want = HEDDLE_STATUS_REFUSED | why << HEDDLE_STATUS_REFUSE_SHIFT;
      top->ct_refuse_i = uint8_t(why); // it stands until the reset, as a trap does
      top->grid_done_i = 1;
      tick();
      top->grid_done_i = 0;
    } else {
      want = HEDDLE_STATUS_TRAPPED;
      unsigned slot = below(top->cfg_warps_o), b = 0, sm = below(sms);
      while (!takens[sm]) sm = (sm + 1) % sms;
      const uint32_t taken = takens[sm];
      const std::vector<Where>::iterator resident = all.begin() + sm * top->cfg_blocks_o;
      top->trap_sm_i = uint8_t(sm);
      while (!(taken >> slot & 1)) slot = (slot + 1) % top->cfg_warps_o;
      while (!(resident[b].warps >> slot & 1)) b++;
      const unsigned cause = 1 + below(10), gen = below(256);
      const uint32_t seq = rnd(), pc = rnd(), lanes = rnd();
      const uint64_t addr = rng();
      top->trap_cause_i = uint8_t(cause), top->trap_slot_i = uint8_t(slot), top->trap_gen_i = uint8_t(gen);
      top->trap_seq_i = seq, top->trap_pc_i = pc, top->trap_lanes_i = lanes, top->trap_addr_i = addr;
      top->trap_valid_i = 1;
      top->grid_done_i = below(2);
      tick();
      top->grid_done_i = 0;
      // It is the trap of one SM, whichever is looked at; the others have none.
      same("TRAP_SM", read(HEDDLE_REG_TRAP_SM), sm);
      if (sms > 1) {
        write(HEDDLE_REG_SM_SELECT, (sm + 1 + below(sms - 1)) % sms);
        for (uint32_t reg = HEDDLE_REG_TRAP_CAUSE; reg <= HEDDLE_REG_TRAP_ADDR_HI; reg += 4)
          same("trap of another SM", read(reg), 0);
        same("TRAP_SM", read(HEDDLE_REG_TRAP_SM), sm);
        write(HEDDLE_REG_SM_SELECT, sm);
        write(HEDDLE_REG_SM_SELECT, sms + below(1000)); // none: dropped
      }
      // The trap stands with its payload until the SM is reset.
      same("TRAP_CAUSE", read(HEDDLE_REG_TRAP_CAUSE), cause);
      same("TRAP_CTAID_X", read(HEDDLE_REG_TRAP_CTAID_X), resident[b].x);
      same("TRAP_CTAID_Y", read(HEDDLE_REG_TRAP_CTAID_Y), resident[b].y);
      same("TRAP_CTAID_Z", read(HEDDLE_REG_TRAP_CTAID_Z), resident[b].z);
      same("TRAP_WARP", read(HEDDLE_REG_TRAP_WARP),
           unsigned(__builtin_popcount(resident[b].warps & ((1u << slot) - 1))));
      same("TRAP_SLOT", read(HEDDLE_REG_TRAP_SLOT), slot | gen << 8);
      same("TRAP_SEQ", read(HEDDLE_REG_TRAP_SEQ), seq);
      same("TRAP_PC", read(HEDDLE_REG_TRAP_PC), pc);
      same("TRAP_LANES", read(HEDDLE_REG_TRAP_LANES), lanes);
      same("TRAP_ADDR", read(HEDDLE_REG_TRAP_ADDR) | uint64_t(read(HEDDLE_REG_TRAP_ADDR_HI)) << 32, addr);
    }
    same("status at the end", read(HEDDLE_REG_STATUS), want);
    const uint64_t lo = read(HEDDLE_REG_CYCLES), hi = read(HEDDLE_REG_CYCLES_HI);
    /* Where SMs share a cache its flush is among them: here a cycle. */
    const uint64_t flush = heddle_config_find(CONFIG)->l2_bytes != 0;
    same("cycles", hi << 32 | lo, cycles + 1 + flush);
    same("clock", top->clock_o, cycles + 1 + flush);
    const unsigned sm = below(sms);
    write(HEDDLE_REG_SM_SELECT, sm);
    for (unsigned i = 0; i < 16; i++)
      same("counter", read(HEDDLE_REG_COUNTER(i)), i < top->counters_o ? counters[i] + sm * 0x1000193u : 0);
    if (below(3) == 0) {
      stop();
      same("TRAP_CAUSE after an abort", read(HEDDLE_REG_TRAP_CAUSE), 0);
    }
    traffic = below(2);
    top->trap_valid_i = 0;
    top->ct_refuse_i = 0;
  }

  bool go(uint64_t seed, uint64_t runs) {
    context->randReset(2);
    context->randSeed(int(seed & 0x7fffffff) | 1);
    top.reset(new Vtop{context.get()});
    ports.resize(heddle_config_find(CONFIG)->axi_ports);
    top->s_axil_awvalid_i = top->s_axil_wvalid_i = top->s_axil_arvalid_i = top->s_axil_bready_i = top->s_axil_rready_i =
        0;
    top->grid_done_i = top->trap_valid_i = top->bstart_valid_i = 0;
    top->ct_refuse_i = 0;
    top->drained_i = 0;
    top->flushed_i = 1;
    top->sm_awvalid_i = top->sm_wvalid_i = top->sm_arvalid_i = 0;
    top->m_axi_bvalid_i = top->m_axi_rvalid_i = 0;
    top->rst_ni = 0;
    for (int i = 0; i < 3; i++) {
      top->clk_i = 0;
      top->eval();
      top->clk_i = 1;
      top->eval();
    }
    top->rst_ni = 1;
    top->eval();
    for (int i = 0; i < 4; i++) tick();
    list();
    identity();
    same("status after reset", read(HEDDLE_REG_STATUS), 0);
    for (uint64_t i = 0; i < runs && !differences; i++) {
      if (below(3) == 0 || i == 0) launch_registers(false);
      one();
    }
    top->final();
    return differences == 0;
  }
};

} // namespace

int main(int argc, char **argv) {
  uint64_t runs = 500, seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--runs")) runs = strtoull(argv[i + 1], nullptr, 0);
    if (!strcmp(argv[i], "--seed")) seed = strtoull(argv[i + 1], nullptr, 0);
  }
  rng.seed(seed);
  Bench b;
  const bool ok = b.go(seed, runs);
  printf("gpu host: %s, %llu runs, %llu aborts, %llu checks, %llu bursts, seed %llu\n", ok ? "passed" : "FAILED",
         (unsigned long long)runs, (unsigned long long)b.aborts, (unsigned long long)b.checks,
         (unsigned long long)b.bursts, (unsigned long long)seed);
  return ok ? 0 : 1;
}
