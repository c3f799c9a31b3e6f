// SPDX-License-Identifier: Apache-2.0
// The host side of the top, driven through heddle/host_regs.h, with a made-up SM, or several: identity, launch
// registers, start, done, trap, refusal, counters, and aborts amid AXI traffic (no burst is cut in half, nothing is
// offered once the SM is in reset). With an mmu its registers, and launches that end once nothing is translated.
// The buses around it: buses.h; the launch registers: registers.h; launches in a queue: queue_test.cpp.
//   gpu_test [--runs N] [--seed S]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "tests/rtl/arguments.h"
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
         config.pipes | HEDDLE_CAP_UNITS_LOCAL | (config.its ? HEDDLE_CAP_UNITS_ITS : 0) |
             (config.mmu ? HEDDLE_CAP_UNITS_MMU : 0));
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

  uint64_t last_space = ~0ull;
  uint64_t rows() const { // of the memory that has most: pairs of uniform registers, registers, shared memory
    const heddle_config &c = *heddle_config_find(CONFIG);
    const uint64_t words = c.shared_bytes / 4, uniform = c.warps / c.partitions * 32;
    const uint64_t shared = c.shared_lanes == 1 ? words : words / c.shared_banks;
    const uint64_t regs = c.regs / c.partitions / c.banks * c.beats;
    return std::max(std::max(regs, shared), uniform);
  }

  void start() {
    const uint64_t before = gos, resets = reset_cycles, wiped = wipes;
    write(HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START);
    for (int i = 0; i < 5000 && gos == before; i++) tick();
    same("go", gos, before + 1);
    // Another address space than that of the launch before, or nobody knows of one.
    const uint64_t space = values[pages + 2] | (values[12] & HEDDLE_MODE_PAGES ? 0x100u : 0);
    same("rows set to 0", wipes - wiped, mmu && space != last_space ? rows() : 0);
    last_space = space;
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

  uint64_t read64(uint32_t reg) { return read(reg) | uint64_t(read(reg + 4)) << 32; }
  void write64(uint32_t reg, uint64_t value) {
    write(reg, uint32_t(value));
    write(reg + 4, uint32_t(value >> 32));
  }

  // CONTROL is written: how often each event comes.
  void control(uint32_t bits, unsigned invalidate, unsigned exchange) {
    const uint64_t i = invalidates, x = exchanges;
    write(HEDDLE_REG_CONTROL, bits);
    for (int n = 0; n < 3; n++) tick();
    same("INVALIDATE", invalidates - i, invalidate);
    same("EXCHANGE", exchanges - x, exchange);
  }
  // A launch runs. Registers as written; without an mmu all are 0.
  void virtual_memory() {
    const uint64_t addr = rng(), entry = rng(), value = rng(), old = rng(), page = rng() & ((1ull << 37) - 1);
    const uint32_t what = rnd() & 3, space = rnd() & 0xff, at = below(HEDDLE_FAULT_PLACES), faults = below(17),
                   kind = below(3);
    const bool is_write = below(2);
    const uint64_t keep = mmu ? ~0ull : 0;
    write(HEDDLE_REG_TLB_WHAT, what);
    write(HEDDLE_REG_TLB_SPACE, space);
    write64(HEDDLE_REG_TLB_ADDR, addr);
    write64(HEDDLE_REG_ENTRY_ADDR, entry);
    write64(HEDDLE_REG_ENTRY_VALUE, value);
    write(HEDDLE_REG_FAULT_SELECT, at);
    top->mu_old_i = old, top->mu_faults_i = uint8_t(faults), top->mu_fault_page_i = page;
    top->mu_fault_space_i = uint8_t(space ^ 0x55), top->mu_fault_kind_i = uint8_t(kind),
    top->mu_fault_write_i = is_write;
    same("TLB_WHAT", read(HEDDLE_REG_TLB_WHAT), what & keep);
    same("TLB_SPACE", read(HEDDLE_REG_TLB_SPACE), space & keep);
    same("TLB_ADDR", read64(HEDDLE_REG_TLB_ADDR), addr & 0x1ffffffffffffull & keep);
    same("ENTRY_ADDR", read64(HEDDLE_REG_ENTRY_ADDR), entry & 0xffffffffffull & keep);
    same("ENTRY_VALUE", read64(HEDDLE_REG_ENTRY_VALUE), value & keep);
    same("ENTRY_OLD", read64(HEDDLE_REG_ENTRY_OLD), old & keep);
    same("FAULTS", read(HEDDLE_REG_FAULTS), faults & keep);
    same("FAULT_SELECT", read(HEDDLE_REG_FAULT_SELECT), at & keep);
    same("FAULT_PAGE", read64(HEDDLE_REG_FAULT_PAGE), page << 12 & keep);
    same("FAULT_INFO", read(HEDDLE_REG_FAULT_INFO),
         (kind << HEDDLE_FAULT_INFO_KIND_SHIFT | (is_write ? HEDDLE_FAULT_INFO_WRITE : 0) |
          (space ^ 0x55) << HEDDLE_FAULT_INFO_SPACE_SHIFT) &
             keep);
    same("the fault that is looked at", top->mu_at_o, at & keep);
    same("launches that have ended", top->mu_ended_o, mmu ? read(HEDDLE_REG_ENDED) : 0);
    const uint32_t both = HEDDLE_CONTROL_INVALIDATE | HEDDLE_CONTROL_EXCHANGE;
    control(both, mmu, mmu);
    same("what is forgotten", top->mu_all_o, what & keep);
    same("... of this space", top->mu_space_o, space & keep);
    same("... and page", top->mu_page_o, (addr >> 12 & ((1ull << 37) - 1)) & keep);
    same("the entry", top->mu_word_o, (entry >> 3 & ((1ull << 37) - 1)) & keep);
    same("its value", top->mu_value_o, value & keep);
    top->mu_invalidating_i = 1;
    same("STATUS", read(HEDDLE_REG_STATUS) & HEDDLE_STATUS_INVALIDATING, mmu ? HEDDLE_STATUS_INVALIDATING : 0);
    control(both, 0, mmu);
    top->mu_invalidating_i = 0, top->mu_exchanging_i = 1, top->mu_exchange_err_i = 1;
    same("STATUS", read(HEDDLE_REG_STATUS) & (HEDDLE_STATUS_EXCHANGING | HEDDLE_STATUS_EXCHANGE_BAD),
         mmu ? HEDDLE_STATUS_EXCHANGING | HEDDLE_STATUS_EXCHANGE_BAD : 0);
    control(both, mmu, 0);
    top->mu_exchanging_i = top->mu_exchange_err_i = 0;
    // A replay stands until it is taken; a FAIL among several makes all of them one.
    const bool fail = below(2), twice = below(2);
    write(HEDDLE_REG_CONTROL, fail ? HEDDLE_CONTROL_FAIL : HEDDLE_CONTROL_REPLAY);
    if (twice) write(HEDDLE_REG_CONTROL, HEDDLE_CONTROL_REPLAY);
    for (unsigned i = below(5); i > 0; i--) tick();
    same("REPLAY", top->mu_replay_o, mmu);
    if (mmu) same("FAIL", top->mu_fail_o, fail);
    top->mu_taken_i = 1;
    tick();
    top->mu_taken_i = 0;
    same("REPLAY taken", top->mu_replay_o, 0);
    // A page comes to the list.
    write(HEDDLE_REG_IRQ_CAUSE, ~0u);
    top->mu_added_i = 1;
    tick();
    top->mu_added_i = 0;
    same("IRQ_CAUSE", read(HEDDLE_REG_IRQ_CAUSE), mmu ? HEDDLE_IRQ_CAUSE_FAULT : 0);
    write(HEDDLE_REG_IRQ_CAUSE, HEDDLE_IRQ_CAUSE_FAULT);
    same("IRQ_CAUSE cleared", read(HEDDLE_REG_IRQ_CAUSE), 0);
  }

  // The grid has ended, and something is translated: so long the launch has not.
  uint64_t translated() {
    const uint64_t from = cycle;
    for (unsigned i = 1 + below(20); i > 0; i--) {
      same("running", read(HEDDLE_REG_STATUS) & HEDDLE_STATUS_RUNNING, HEDDLE_STATUS_RUNNING);
      tick();
    }
    top->mu_idle_i = 1;
    tick();
    return cycle - from;
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
    if (below(4) == 0) virtual_memory();
    uint32_t counters[16];
    for (unsigned i = 0; i < 16; i++) top->cnt_i[i] = counters[i] = rnd();
    const unsigned end = below(4);
    if (end == 3) {
      stop();
      traffic = false;
      return;
    }
    uint64_t cycles = cycle - go_cycle;
    const bool busy_mmu = mmu && below(2);
    if (busy_mmu) top->mu_idle_i = 0;
    uint32_t want = HEDDLE_STATUS_DONE;
    if (end == 0) {
      top->grid_done_i = 1;
      tick();
      top->grid_done_i = 0;
      if (busy_mmu) cycles += translated();
    } else if (end == 1) {
      const unsigned why = 1 + below(5);
      want = HEDDLE_STATUS_REFUSED | why << HEDDLE_STATUS_REFUSE_SHIFT;
      top->ct_refuse_i = uint8_t(why); // it stands until the reset, as a trap does
      top->grid_done_i = 1;
      tick();
      top->grid_done_i = 0;
      if (busy_mmu) cycles += translated();
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
      if (busy_mmu) cycles += translated();
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
    top->mu_idle_i = 1;
    top->mu_taken_i = top->mu_added_i = top->mu_invalidating_i = top->mu_exchanging_i = top->mu_exchange_err_i = 0;
    mmu = heddle_config_find(CONFIG)->mmu != 0;
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
  Arguments args(argc, argv);
  const uint64_t runs = args.number("--runs", 500), seed = args.number("--seed", 1);
  args.all();
  rng.seed(seed);
  Bench b;
  const bool ok = b.go(seed, runs);
  printf("gpu host: %s, %llu runs, %llu aborts, %llu checks, %llu bursts, seed %llu\n", ok ? "passed" : "FAILED",
         (unsigned long long)runs, (unsigned long long)b.aborts, (unsigned long long)b.checks,
         (unsigned long long)b.bursts, (unsigned long long)seed);
  return ok ? 0 : 1;
}
