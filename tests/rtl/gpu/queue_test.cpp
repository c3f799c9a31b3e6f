// SPDX-License-Identifier: Apache-2.0
// Launches in a queue, driven through heddle/host_regs.h, with made-up SMs and a made-up shared cache: every START that
// was taken begins or is given up, in order, once, with the registers that it found; what STATUS, LAUNCHES, ENDED, the
// ring of how launches ended, and the interrupt say of it; done, trap, refusal, SKIP, ABORT, KEEP, FLUSH, EMPTY. The
// buses around it: buses.h; the launch registers: registers.h.
//   queue_test [--runs N] [--seed S]
#include <cstdio>
#include <cstdlib>
#include <deque>
#include "tests/rtl/arguments.h"
#include "tests/rtl/gpu/registers.h"
extern "C" {
#include <heddle/config.h>
}

namespace {

enum { DONE = HEDDLE_STATUS_DONE, TRAPPED = HEDDLE_STATUS_TRAPPED, REFUSED = HEDDLE_STATUS_REFUSED };

struct Bench : Registers {
  const heddle_config &config = *heddle_config_find(CONFIG);
  const bool shared = config.l2_bytes != 0;
  uint64_t begun = 0, most = 0, shortest = ~0ull;

  // What the machine must be doing.
  std::deque<std::vector<uint32_t>> line; // taken, not begun
  bool running = false;                   // one has begun, and has not ended
  uint32_t stopped = 0;                   // TRAPPED, REFUSED: the queue stands
  uint32_t told = 0;                      // STATUS, of the last launch
  bool held = false, keep = false, kept = false;
  uint32_t launches = 0, ended = 0, cause = 0, mask = 0;
  struct End {
    uint32_t number = 0, how = 0;
    uint64_t cycles = 0;
    bool exact = false;
  } ring[HEDDLE_ENDED_KEPT];

  // The cache's flush takes a while, and so do SMs that are stopped; in reset they forget a trap.
  uint64_t flushes = 0;
  bool flushing = false;
  void answer() override {
    top->drained_i = top->stop_o && below(3) == 0;
    top->flushed_i = shared ? top->flush_o && flushing && below(3) == 0 : 1;
    flushes += top->flush_o && !flushing;
    flushing = top->flush_o;
    if (!top->sm_rst_no) top->trap_valid_i = top->ct_refuse_i = 0;
  }
  void step(unsigned n = 1) {
    while (n-- > 0) tick();
  }

  void has_ended(uint32_t how, uint64_t cycles, bool exact) {
    ended++;
    ring[ended % HEDDLE_ENDED_KEPT] = {ended, how, cycles, exact};
    cause |= HEDDLE_IRQ_CAUSE_LAUNCH;
    if (how == TRAPPED || how == REFUSED) cause |= HEDDLE_IRQ_CAUSE_STOPPED;
    running = false;
  }

  // The next one, behind those that have begun, begins within so many cycles, with what the registers were as it was
  // taken. How many it took.
  uint64_t begins(unsigned within) {
    const uint64_t before = begun, from = cycle;
    for (unsigned i = 0; i < within && gos == before; i++) step();
    same("go", gos, before + 1);
    if (line.empty()) return differ("launches that wait", 0, 1), 0;
    launched(line.front());
    line.pop_front();
    begun++;
    running = true;
    stopped = told = 0;
    return cycle - from;
  }

  void nothing_begins(unsigned cycles) {
    step(cycles);
    same("go, with nothing that could begin", gos, begun);
  }

  void change() {
    for (unsigned n = below(6); n > 0; n--) {
      const size_t i = below(unsigned(fields.size()));
      const uint32_t v = below(2) ? rnd() : below(3000);
      same("bresp", write(fields[i].offset, v), 0);
      values[i] = fit(v & fields[i].mask, fields[i].most);
    }
    const size_t i = below(unsigned(fields.size()));
    same("launch register", read(fields[i].offset), values[i]);
  }

  void start() {
    const bool full = line.size() == config.launch_queue, idle = !running && !held;
    const bool warm = kept;
    const uint64_t resets = reset_cycles;
    if (full) same("FULL", read(HEDDLE_REG_STATUS) & HEDDLE_STATUS_FULL, HEDDLE_STATUS_FULL);
    write(HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START);
    if (full) return nothing_begins(20);
    launches++;
    line.push_back(values);
    most = line.size() > most ? line.size() : most;
    if (!idle) return;
    begins(300);
    kept = false;
    if (warm)
      same("cycles of reset before a launch that finds the cache's lines", reset_cycles, resets);
    else if (reset_cycles < resets + 4)
      differ("cycles of reset before go", reset_cycles - resets, 4);
  }

  // STATUS, once nothing moves.
  void status() {
    const uint32_t want = (running ? HEDDLE_STATUS_RUNNING : told) | (line.empty() ? 0 : HEDDLE_STATUS_WAITING) |
                          (line.size() == config.launch_queue ? HEDDLE_STATUS_FULL : 0);
    same("STATUS", read(HEDDLE_REG_STATUS), want);
  }

  void look() {
    status();
    same("LAUNCHES", read(HEDDLE_REG_LAUNCHES), launches);
    same("ENDED", read(HEDDLE_REG_ENDED), ended);
    for (unsigned i = 0; i < HEDDLE_ENDED_KEPT; i++) {
      const End &e = ring[i];
      same("ENDED_HOW", read(HEDDLE_REG_ENDED_HOW(i)), (e.number & 0xffffff) << HEDDLE_ENDED_HOW_NUMBER_SHIFT | e.how);
      const uint64_t low = read(HEDDLE_REG_ENDED_CYCLES(i)), high = read(HEDDLE_REG_ENDED_CYCLES_HI(i));
      if (e.exact)
        same("ENDED_CYCLES", high << 32 | low, e.cycles);
      else if (e.how == DONE && (high << 32 | low) <= e.cycles)
        differ("ENDED_CYCLES with a flush", low, e.cycles);
      same("fourth word of an end", read(HEDDLE_REG_ENDED_HOW(i) + 4), 0);
    }
    irq();
  }

  void irq() {
    same("IRQ_CAUSE", read(HEDDLE_REG_IRQ_CAUSE), cause);
    same("irq_o", top->irq_o, (cause & mask) != 0);
    if (below(2)) write(HEDDLE_REG_IRQ_MASK, mask = below(8));
    same("IRQ_MASK", read(HEDDLE_REG_IRQ_MASK), mask);
    const uint32_t clear = rnd();
    write(HEDDLE_REG_IRQ_CAUSE, clear);
    cause &= ~clear;
    step(2);
    same("irq_o", top->irq_o, (cause & mask) != 0);
    same("IRQ_CAUSE", read(HEDDLE_REG_IRQ_CAUSE), cause);
  }

  // Nothing runs or waits any more: within so many cycles.
  void rests(uint32_t status) {
    uint32_t got = HEDDLE_STATUS_RUNNING;
    for (int i = 0; i < 300 && (got & (HEDDLE_STATUS_RUNNING | HEDDLE_STATUS_DRAINING)) != 0; i++)
      got = read(HEDDLE_REG_STATUS);
    told = status;
    same("status at rest", got & 0xf0f, status);
    if (line.empty()) cause |= HEDDLE_IRQ_CAUSE_IDLE;
    step(6);
  }

  void end() {
    const uint64_t cycles = cycle - go_cycle, before = flushes, resets = reset_cycles;
    top->grid_done_i = 1;
    step();
    top->grid_done_i = 0;
    const bool follows = !line.empty();
    has_ended(DONE, cycles + 1, follows || !shared || keep);
    if (follows) {
      const uint64_t took = begins(300);
      shortest = took < shortest ? took : shortest;
      same("flushes between launches", flushes, before);
      same("cycles of reset between launches", reset_cycles, resets);
      return step(6);
    }
    if (below(3) == 0 && shared && !keep) { // a START while the last one is flushed waits for that
      write(HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START);
      launches++;
      line.push_back(values);
      begins(300);
      if (reset_cycles != resets) cause |= HEDDLE_IRQ_CAUSE_IDLE; // the flush was over, and it began from idle
      return step(6);
    }
    rests(DONE);
    kept = shared && keep;
    same("flushes at the end", flushes, before + (shared && !keep));
  }

  void stop() {
    const bool trap = below(2);
    const unsigned why = 1 + below(5);
    if (trap)
      top->trap_valid_i = 1;
    else
      top->ct_refuse_i = uint8_t(why), top->grid_done_i = 1;
    step();
    top->grid_done_i = 0;
    has_ended(trap ? TRAPPED : REFUSED, 0, false);
    stopped = trap ? TRAPPED : REFUSED;
    held = !line.empty();
    rests(trap ? TRAPPED : REFUSED | why << HEDDLE_STATUS_REFUSE_SHIFT);
    kept = false;
    nothing_begins(20);
  }

  void resets(uint64_t before) {
    for (int i = 0; i < 300 && reset_cycles < before + 4; i++) step();
    if (reset_cycles < before + 4) differ("cycles of reset", reset_cycles - before, 4);
  }

  void skip() {
    const bool runs = running;
    const uint64_t reset = reset_cycles;
    if (runs) has_ended(0, 0, false);
    write(HEDDLE_REG_CONTROL, HEDDLE_CONTROL_SKIP | (below(2) ? HEDDLE_CONTROL_START : 0));
    if (!runs && !stopped) { // nothing to give up
      nothing_begins(20);
      return status();
    }
    resets(reset);
    held = false, kept = false, stopped = 0;
    if (line.empty()) return rests(0);
    begins(300);
    step(6);
  }

  void abort() {
    const uint64_t reset = reset_cycles;
    write(HEDDLE_REG_CONTROL, HEDDLE_CONTROL_ABORT | (rnd() & (HEDDLE_CONTROL_START | HEDDLE_CONTROL_SKIP)));
    resets(reset);
    line.clear();
    while (ended != launches) has_ended(0, 0, false);
    held = false, kept = false, stopped = 0;
    rests(0);
    step(40);
  }

  // What the host asks of the shared cache.
  void command() {
    const bool empty = below(2), busy = running || !line.empty();
    const uint64_t base = rng() & 0xffffffff80, limit = below(3) ? rng() & 0x1ffffffff80 : 0, before = flushes;
    write(HEDDLE_REG_CACHE_BASE, uint32_t(base));
    write(HEDDLE_REG_CACHE_BASE_HI, uint32_t(base >> 32));
    write(HEDDLE_REG_CACHE_LIMIT, uint32_t(limit));
    write(HEDDLE_REG_CACHE_LIMIT_HI, uint32_t(limit >> 32));
    same("CACHE_BASE", read(HEDDLE_REG_CACHE_BASE), uint32_t(base));
    same("CACHE_LIMIT_HI", read(HEDDLE_REG_CACHE_LIMIT_HI), uint32_t(limit >> 32));
    keep = below(2);
    write(HEDDLE_REG_CACHE_MODE, keep);
    same("CACHE_MODE", read(HEDDLE_REG_CACHE_MODE), keep);
    write(HEDDLE_REG_CONTROL, empty ? HEDDLE_CONTROL_EMPTY : HEDDLE_CONTROL_FLUSH);
    if (busy || !shared) {
      nothing_begins(10);
      return same("flushes", flushes, before);
    }
    bool seen = flushes != before;
    for (int i = 0; i < 200 && (!seen || top->flush_o); i++) {
      if (top->flush_o) {
        seen = true;
        same("keeps", top->flush_keep_o, !empty);
        same("base", top->flush_base_o, base >> 7);
        same("limit", top->flush_limit_o, limit == 0 ? 1ull << 33 : limit >> 7);
      }
      step();
    }
    same("flushes", flushes, before + 1);
    cause |= HEDDLE_IRQ_CAUSE_IDLE;
    step(6);
    status();
  }

  void some() {
    unsigned todo = 1 + below(16);
    while ((todo || running || !line.empty()) && !differences) {
      traffic = below(2);
      const unsigned what = below(16);
      if (what < 6) {
        change();
        if (todo) todo--, start();
      } else if (what < 9) {
        if (running)
          end();
        else if (held)
          skip();
      } else if (what == 9 && running) {
        stop();
      } else if (what == 10) {
        skip();
      } else if (what == 11) {
        command();
      } else if (what == 12) {
        look();
      } else if (what == 13 && below(8) == 0) {
        abort();
      } else {
        step(below(400));
      }
      if (below(2)) status();
    }
  }

  // A queue that is full, and goes on as fast as it can.
  void full() {
    while (!running) start();
    while (line.size() < config.launch_queue) change(), start();
    start();
    look();
    step(300);
    while (!line.empty() && !differences) {
      const uint64_t before = begun;
      end();
      same("begun", begun, before + 1);
      step(below(2) ? below(20) : 200);
    }
    look();
  }

  bool go(uint64_t seed, uint64_t runs) {
    context->randReset(2);
    context->randSeed(int(seed & 0x7fffffff) | 1);
    top.reset(new Vtop{context.get()});
    top->s_axil_awvalid_i = top->s_axil_wvalid_i = top->s_axil_arvalid_i = top->s_axil_bready_i = top->s_axil_rready_i =
        0;
    top->grid_done_i = top->trap_valid_i = top->bstart_valid_i = 0;
    top->ct_refuse_i = 0;
    top->drained_i = top->flushed_i = 0;
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
    step(4);
    list();
    look();
    launch_registers(false);
    for (uint64_t i = 0; i < runs && !differences; i++) {
      some();
      if (below(4) == 0 && !held) full();
    }
    top->final();
    // Go comes three cycles after the end of the launch before, and no later than any copy takes.
    same("cycles from an end to the next go", shortest, 3);
    same("most that waited", most, config.launch_queue);
    return differences == 0;
  }
};

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t runs = args.number("--runs", 100), seed = args.number("--seed", 1);
  args.all();
  rng.seed(seed);
  Bench b;
  const bool ok = b.go(seed, runs);
  printf("launch queue: %s, %llu runs, %llu launches, %llu checks, seed %llu\n", ok ? "passed" : "FAILED",
         (unsigned long long)runs, (unsigned long long)b.begun, (unsigned long long)b.checks, (unsigned long long)seed);
  return ok ? 0 : 1;
}
