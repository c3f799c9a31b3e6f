// SPDX-License-Identifier: Apache-2.0
// What pages cost, to the cycle: nothing where the page is at hand; a page that is not; an invalidation.
#include "tests/rtl/paged/paged_bench.h"

namespace {

constexpr uint64_t PAGE = 0x123456789a;

Ref load(Paged &b, unsigned warp, uint64_t address, unsigned mem = GLOAD) {
  Ref p = b.make(warp, mem, 4);
  b.place(*p);
  p->exec = 0xffffffffu;
  p->cbank = p->off = 0;
  p->pc = 0x100;
  p->rd = p->returns() ? 8 : 255;
  for (unsigned l = 0; l < 32; l++) p->addr[l] = address + 4 * l;
  b.operands(*p);
  b.submit(p);
  p->error = false;
  return p;
}

uint64_t until_done(Paged &b) {
  const uint64_t from = b.now;
  while (!b.by_id.empty() && b.now < from + 20000) b.cycle();
  b.checks.that(b.by_id.empty(), "all ends", b.by_id.size());
  const uint64_t taken = b.now - from;
  for (unsigned i = 0; i < 40; i++) b.cycle();
  return taken;
}

void begin(Paged &b, bool pages) {
  b.plain = !pages;
  do b.launch(true);
  while (b.pages_on != pages);
  b.fault_trap = b.fails = b.halts = false;
  b.absent = b.change = b.spread = 0;
  b.late = 1;
  b.host_time = 1;
  b.top.fault_trap_i = 0;
  b.small.clear();
  b.big.clear();
  Page p;
  p.frame = (BASE + DATA) >> 12;
  p.dirty = true;
  for (uint64_t i = 0; i < 4; i++) b.small[PAGE + i] = p, p.frame++;
  b.regions[0] = {BASE + DATA, BASE + DATA + 0x8000, true};
  put_bits(bytes(b.top.region_base_i), 0, 40, b.regions[0].base);
  put_bits(bytes(b.top.region_limit_i), 0, 41, b.regions[0].limit);
  b.top.region_write_i = static_cast<uint16_t>(b.top.region_write_i | 1);
  b.wb_pressure = b.op_pressure = 100;
  b.clients = false;
  for (unsigned i = 0; i < 40; i++) b.cycle();
}

struct Taken {
  uint64_t load, store, stream;
};

Taken measure(Paged &b, bool pages) {
  begin(b, pages);
  const uint64_t at = pages ? PAGE << 12 : BASE + DATA;
  Taken t;
  load(b, 0, at), until_done(b); // what is learnt is learnt
  load(b, 0, at), t.load = until_done(b);
  load(b, 0, at, GSTORE), until_done(b);
  load(b, 0, at, GSTORE), t.store = until_done(b);
  for (unsigned i = 0; i < 64; i++) load(b, i % b.warps, at + 128 * (i % 8));
  t.stream = until_done(b);
  return t;
}

void hold(Paged &b, const char *what, uint64_t taken, uint64_t promised) {
  std::printf("%-60s %4llu cycles, promised %llu\n", what, (unsigned long long)taken, (unsigned long long)promised);
  b.checks.that(taken == promised, what, taken, promised);
}

} // namespace

void paged_rates(Paged &b) {
  b.axi.adversarial = false;
  b.axi.latency = 0;
  const Taken flat = measure(b, false), paged = measure(b, true);
  hold(b, "a coalesced load, page at hand, beside physical", paged.load, flat.load);
  hold(b, "a coalesced store, page at hand, beside physical", paged.store, flat.store);
  hold(b, "64 coalesced loads, page at hand, beside physical", paged.stream, flat.stream);
  std::printf("load %llu, store %llu, stream of 64 loads %llu cycles\n", (unsigned long long)flat.load,
              (unsigned long long)flat.store, (unsigned long long)flat.stream);
  // A page that is not at hand: from the answer to the request.
  load(b, 0, (PAGE + 1) << 12);
  until_done(b);
  hold(b, "from a page's answer to the request of a line of eight rows", b.last_request - b.last_answer, 18);
  // An invalidation at rest.
  b.forget_all = true;
  b.invalidating = Paged::DRAIN;
  b.longest = 0;
  while (b.invalidating != Paged::REST) b.cycle();
  hold(b, "an invalidation at rest, to its answer", b.longest, 2);
}
