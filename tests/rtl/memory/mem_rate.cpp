// SPDX-License-Identifier: Apache-2.0
// Rates in a calm memory, each held to the cycle: a stream of 2 N instructions takes N times the promised cycles longer
// than one of N, so that the way into and out of the unit does not count.
#include "mem_bench.h"

#include <functional>

namespace {

constexpr uint64_t GLOBAL = BASE + DATA, BUFFER = 0x1000; // four buffers, a region each

using Maker = std::function<Ref(unsigned)>;
using Place = std::function<uint64_t(unsigned lane, unsigned i)>;

// Instruction i of a stream: all lanes, from warps in turns, each program place with its own pc.
Ref make(Bench &b, unsigned i, unsigned mem, unsigned size, unsigned pc, const Place &place) {
  Ref p = b.make(i % b.warps, mem, size);
  b.place(*p);
  p->exec = 0xffffffffu;
  p->off = p->cbank = 0;
  p->pc = 16 * pc;
  p->rd = p->returns() ? 4 * (i % 8) : 255;
  for (unsigned l = 0; l < 32; l++) {
    p->addr[l] = place(l, i);
    p->a_lo[l] = static_cast<uint32_t>(p->addr[l]);
    p->a_hi[l] = static_cast<uint32_t>(p->addr[l] >> 32);
  }
  return p;
}

// Cycles until a stream of n instructions has ended.
uint64_t stream(Bench &b, unsigned n, const Maker &maker) {
  for (unsigned i = 0; i < n; i++) b.submit(maker(i));
  uint64_t from = b.now;
  while (!b.by_id.empty() && b.now < from + 2000 * n) b.cycle();
  b.checks.that(b.by_id.empty(), "the stream ends", b.by_id.size());
  uint64_t taken = b.now - from;
  for (unsigned i = 0; i < 20; i++) b.cycle();
  return taken;
}

uint64_t longer(Bench &b, unsigned n, const Maker &maker) {
  stream(b, n, maker); // what is learnt along the way is learnt
  uint64_t once = stream(b, n, maker);
  return stream(b, 2 * n, maker) - once;
}

// n is a multiple of the stream's period.
void hold(Bench &b, const char *name, uint64_t promised, const Maker &maker, unsigned period = 1) {
  unsigned n = 64 * period;
  uint64_t taken = longer(b, n, maker);
  std::printf("%-44s %9.3f cycles, promised %llu\n", name, double(taken) / 64, (unsigned long long)promised);
  b.checks.that(taken == 64 * promised, name, taken, 64 * promised);
}

void four_buffers(Bench &b) {
  b.launch(true);
  for (unsigned i = 0; i < 16; i++) {
    b.regions[i] = {GLOBAL + i * BUFFER, i < 4 ? GLOBAL + (i + 1) * BUFFER : 0, true};
    put_bits(bytes(b.top.region_base_i), 40 * i, 40, b.regions[i].base);
    put_bits(bytes(b.top.region_limit_i), 41 * i, 41, b.regions[i].limit);
  }
  b.top.region_write_i = 0xffff;
  b.cbank_bytes[0] = 1024;
  put_bits(bytes(b.top.cbank_bytes_i), 0, 17, 1024);
  for (unsigned s = 0; s < b.warps; s++) b.start(s, 0);
}

// ---- shared memory: a beat a cycle, a pass a cycle ---------------------------------------------------
void shared(Bench &b) {
  for (unsigned k = 1; k <= 32; k *= 2) {
    std::string ways = std::to_string(k) + "-way";
    Place at = [k](unsigned l, unsigned) -> uint64_t { return 4 * k * l; };
    unsigned passes = std::min(k, b.lanes) * b.beats;
    hold(b, ("LDS, " + ways).c_str(), passes, [&](unsigned i) { return make(b, i, SLOAD, 4, 0, at); });
    hold(b, ("STS, " + ways).c_str(), passes, [&](unsigned i) { return make(b, i, SSTORE, 4, 0, at); });
  }
  Place row = [](unsigned l, unsigned i) -> uint64_t { return 4 * l + 128 * (i % 32); };
  hold(b, "LDS, one word", b.beats,
       [&](unsigned i) { return make(b, i, SLOAD, 4, 0, [](unsigned, unsigned) -> uint64_t { return 64; }); });
  hold(
      b, "LDS and STS in turns, both", 2 * b.beats,
      [&](unsigned i) { return make(b, i, i % 2 ? SSTORE : SLOAD, 4, 0, row); }, 2);
  hold(b, "ATOMS, distinct words", 2 * b.beats, [&](unsigned i) { return make(b, i, SATOM, 4, 0, row); });
  // Few lanes take the words of a pass one by one; stores never wait for that.
  for (unsigned size = 5; size <= 6; size++) {
    unsigned words = size == 5 ? 2 : 4;
    Place wide = [words](unsigned l, unsigned) -> uint64_t { return 4 * words * l; };
    hold(b, words == 2 ? "LDS.64" : "LDS.128", words * b.beats * (b.lanes < 16 ? words : 1),
         [&](unsigned i) { return make(b, i, SLOAD, size, 0, wide); });
    hold(b, words == 2 ? "STS.64" : "STS.128", words * b.beats,
         [&](unsigned i) { return make(b, i, SSTORE, size, 0, wide); });
  }
}

} // namespace

void rates(Bench &b) {
  b.clients = false;
  b.axi.adversarial = false;
  b.axi.latency = 0;
  b.wb_pressure = 100;
  b.fill_shared();
  four_buffers(b);
  shared(b);
}
