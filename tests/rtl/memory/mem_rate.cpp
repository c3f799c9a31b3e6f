// SPDX-License-Identifier: Apache-2.0
// Rates in a calm memory, each held to the cycle: a stream of 2 N instructions takes N times the promised cycles longer
// than one of N, so that the way into and out of the unit does not count.
#include "tests/rtl/memory/atomics.h"
#include "tests/rtl/memory/mem_bench.h"

#include <functional>

namespace {

constexpr uint64_t GLOBAL = BASE + DATA, BUFFER = 0x1000; // four buffers, a region each

using Maker = std::function<Ref(unsigned)>;
using Place = std::function<uint64_t(unsigned lane, unsigned i)>;

// Instruction i of a stream: all lanes, from warps in turns, each program place with its own pc.
Ref make(Bench &b, unsigned i, unsigned mem, unsigned size, unsigned pc, const Place &place,
         unsigned atom = ISA_AOP_ADD) {
  Ref p = b.make(i % b.warps, mem, size);
  b.place(*p);
  p->exec = 0xffffffffu;
  p->off = p->cbank = 0;
  p->pc = 16 * pc;
  p->rd = p->returns() ? 4 * (i % 8) : 255;
  if (p->atomic()) {
    p->atom = atom;
    p->size = size;
    p->rd_n = p->words() - 1;
  }
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

// Shared memory lane by lane and word by word: what an instruction takes is the words of all its lanes, of atomics the
// steps of each (shm_walk).
bool serial(const Bench &b) {
  return b.top.cfg_pass_o == 1;
}

// ---- shared memory: a beat a cycle, a pass a cycle ---------------------------------------------------
void shared(Bench &b) {
  const unsigned lanes = 32;
  // Cycles of an instruction whose lanes do not meet: beats' passes, or lanes' steps.
  auto take = [&](unsigned of_beat, unsigned of_lane) { return serial(b) ? of_lane * lanes : of_beat * b.beats; };
  for (unsigned k = 1; k <= 32; k *= 2) {
    std::string ways = std::to_string(k) + "-way";
    Place at = [k](unsigned l, unsigned) -> uint64_t { return 4 * k * l; };
    unsigned passes = take(std::min(k, b.lanes), 1);
    hold(b, ("LDS, " + ways).c_str(), passes, [&](unsigned i) { return make(b, i, SLOAD, 4, 0, at); });
    hold(b, ("STS, " + ways).c_str(), passes, [&](unsigned i) { return make(b, i, SSTORE, 4, 0, at); });
  }
  Place row = [](unsigned l, unsigned i) -> uint64_t { return 4 * l + 128 * (i % 32); };
  hold(b, "LDS, one word", take(1, 1),
       [&](unsigned i) { return make(b, i, SLOAD, 4, 0, [](unsigned, unsigned) -> uint64_t { return 64; }); });
  hold(
      b, "LDS and STS in turns, both", 2 * take(1, 1),
      [&](unsigned i) { return make(b, i, i % 2 ? SSTORE : SLOAD, 4, 0, row); }, 2);
  // An atomic reads, and writes a cycle later; with a rank between another one.
  const unsigned rank = b.top.cfg_rank_o;
  hold(b, "ATOMS, distinct words", take(2 + rank, 2 + rank), [&](unsigned i) { return make(b, i, SATOM, 4, 0, row); });
  hold(b, "ATOMS.CAS, distinct words", take(3, 3 + rank),
       [&](unsigned i) { return make(b, i, SATOM, 4, 0, row, COMPARE_SWAP); });
  // Lanes of 64 bits are two passes; one by one five steps each, with a rank a compare-and-swap six.
  Place pairs = [](unsigned l, unsigned i) -> uint64_t { return 8 * l + 256 * (i % 16); };
  hold(b, "ATOMS.ADD.64, distinct pairs", take(2 * (2 + rank), 5),
       [&](unsigned i) { return make(b, i, SATOM, 5, 0, pairs, ISA_AOP_ADD_64); });
  hold(b, "ATOMS.CAS.64, distinct pairs", take(2 * (b.lanes < 16 ? 4 : 3), 5 + rank),
       [&](unsigned i) { return make(b, i, SATOM, 5, 0, pairs, COMPARE_SWAP); });
  // LDSM: eight rows of matrices at neighbouring places fill 32 banks. Few lanes take a word a cycle, of a transposed
  // matrix half a word (4 lanes: of two of them); beats without addresses take as long as a pass. With 4 lanes they
  // find the ring full for 3 cycles, while the eight rows of the last matrix leave it. Lane by lane a matrix takes a
  // cycle a word, or half a word; pairs of beats without addresses four cycles each, with the rank five (a beat is in
  // the ring so much later), and 7 more while these rows leave.
  for (unsigned n = 1; n <= 4; n *= 2)
    for (bool turned : {false, true}) {
      const unsigned step = b.lanes >= 16 ? 1 : !turned ? 4 : b.lanes == 8 ? 8 : 16;
      const unsigned reading = 8 * n / b.lanes, passes = b.lanes == 32 ? n : reading * b.lanes * 4 / b.banks;
      const unsigned full = b.lanes == 4 && !turned && n < 4 ? 3 : 0, empty = (b.beats - reading) / 2;
      const std::string name = std::string("LDSM.16.") + (turned ? "MT88." : "M88.") + std::to_string(n);
      const unsigned promised = b.lanes == 32 ? n
                                : serial(b)   ? n * 8 * (turned ? 8 : 4) + (empty ? (4 + rank) * empty + 7 : 0)
                                              : step * (passes + b.beats - reading) + full;
      hold(b, name.c_str(), promised, [&](unsigned i) {
        Ref p = make(b, i, SLOAD, 6, 0, [](unsigned l, unsigned) -> uint64_t { return 16 * l; });
        b.make_matrix(*p, n, turned);
        return p;
      });
    }
  // Few lanes take the words of a pass one by one; stores wait for that only lane by lane.
  for (unsigned size = 5; size <= 6; size++) {
    unsigned words = size == 5 ? 2 : 4;
    Place wide = [words](unsigned l, unsigned) -> uint64_t { return 4 * words * l; };
    hold(b, words == 2 ? "LDS.64" : "LDS.128", take(words * (b.lanes < 16 ? words : 1), words),
         [&](unsigned i) { return make(b, i, SLOAD, size, 0, wide); });
    hold(b, words == 2 ? "STS.64" : "STS.128", take(words, words),
         [&](unsigned i) { return make(b, i, SSTORE, size, 0, wide); });
  }
}

// ---- global memory: a sector a cycle, or what the bus or few lanes need for one ------------------------
Place strided(unsigned bytes) {
  return [bytes](unsigned l, unsigned i) { return GLOBAL + bytes * l + 128 * (i % 32); };
}

// Instruction i of a loop over n buffers.
Place buffers(unsigned n, unsigned bytes) {
  return [n, bytes](unsigned l, unsigned i) { return GLOBAL + BUFFER * (i % n) + bytes * l + 128 * (i / n % 32); };
}

unsigned bus_cycles(const Bench &b) {
  return 32 / b.axi.axi_bytes; // of a sector
}

// A line: a row a cycle, a beat a cycle.
unsigned coalesced(const Bench &b) {
  return std::max(b.beats, 4 * bus_cycles(b));
}

// 32 lanes send a sector a cycle, 8 and more two words, which is the pace of a 64-bit bus, 4 one word.
unsigned stored(const Bench &b) {
  return b.beats == 1 ? 4 * bus_cycles(b) : b.lanes >= 8 ? 16 : 32;
}

void global(Bench &b) {
  unsigned load = coalesced(b), store = stored(b), one = std::max(b.beats, bus_cycles(b));
  hold(b, "LDG, coalesced", load, [&](unsigned i) { return make(b, i, GLOAD, 4, 0, strided(4)); });
  hold(b, "STG, coalesced", store, [&](unsigned i) { return make(b, i, GSTORE, 4, 0, strided(4)); });
  auto turns = [&](unsigned n) { return [&b, n](unsigned i) { return make(b, i, GLOAD, 4, i % n, buffers(n, 0)); }; };
  if (b.beats <= 4) hold(b, "LDG, one word", one, turns(1)); // fewer lanes have few gslots
  // The check has the region of each buffer at hand.
  uint64_t alone = longer(b, 192, turns(1));
  for (unsigned n = 2; n <= 4; n++) {
    uint64_t taken = longer(b, 192, turns(n));
    std::printf("%-44s %9.3f cycles, promised %.3f\n",
                ("LDG, one word, " + std::to_string(n) + " buffers in turns, each").c_str(), double(taken) / 192,
                double(alone) / 192);
    b.checks.that(taken == alone, "several buffers cost nothing", taken, alone);
  }
  if (b.beats == 1)
    hold(
        b, "LDG, LDG, STG: three buffers, all", std::max(2 * load, store), // data go both ways at once
        [&](unsigned i) { return make(b, i, i % 3 == 2 ? GSTORE : GLOAD, 4, i % 3, buffers(3, 4)); }, 3);
}

// ---- both spaces: one row port, a row a cycle ----------------------------------------------------------
void both(Bench &b) {
  const unsigned load = serial(b) ? 32 : b.beats; // in shared memory
  Place row = [](unsigned l, unsigned i) -> uint64_t { return 4 * l + 128 * (i % 32); };
  hold(
      b, "LDG of one word and LDS in turns, both", std::max({2 * b.beats, load, bus_cycles(b)}),
      [&](unsigned i) { return i % 2 ? make(b, i, SLOAD, 4, 0, row) : make(b, i, GLOAD, 4, 1, buffers(1, 0)); }, 2);
  hold(
      b, "LDG and three LDS in turns, all", std::max({4 * b.beats, 3 * load, coalesced(b)}),
      [&](unsigned i) { return i % 4 ? make(b, i, SLOAD, 4, 0, row) : make(b, i, GLOAD, 4, 1, strided(4)); }, 4);
}

// Memory does not answer: global loads of all gslots wait, and shared loads behind them do not.
void apart(Bench &b) {
  Place row = [](unsigned l, unsigned i) -> uint64_t { return 4 * l + 128 * (i % 32); };
  unsigned n = 32;
  uint64_t shared = stream(b, n, [&](unsigned i) { return make(b, i, SLOAD, 4, 0, row); });
  b.axi.latency = 5000;
  b.axi.retime();
  for (unsigned i = 0; i < b.top.cfg_gslots_o; i++) b.submit(make(b, 0, GLOAD, 4, 1, strided(4)));
  while (!b.queue.empty()) b.cycle();
  std::vector<Ref> loads;
  for (unsigned i = 0; i < n; i++) {
    loads.push_back(make(b, 1 + i % (b.warps - 1), SLOAD, 4, 0, row));
    b.submit(loads.back());
  }
  uint64_t from = b.now;
  auto left = [&] { return std::count_if(loads.begin(), loads.end(), [](const Ref &p) { return !p->done; }); };
  while (left() && b.now < from + 2 * shared) b.cycle();
  std::printf("%-44s %9llu cycles, promised %llu\n", "32 LDS behind global loads that wait",
              (unsigned long long)(b.now - from), (unsigned long long)shared);
  // A beat of the last global load may stand before them.
  b.checks.that(!left() && b.now - from <= shared + 1, "shared loads do not wait for global ones", b.now - from,
                shared);
  b.drain();
  b.axi.latency = 0;
  b.axi.retime();
}

// ---- slow memory: as many lines in flight as there are tags ---------------------------------------
void reach(Bench &b) {
  unsigned bus = bus_cycles(b), lines = b.top.cfg_lines_o;
  std::printf("coalesced loads, bytes a cycle as a part of the bus (%u bits, %u lines):\n", 256 / bus, lines);
  for (unsigned latency : {20u, 50u, 100u, 200u}) {
    b.axi.latency = latency;
    b.axi.retime();
    for (unsigned size : {4u, 6u}) {
      unsigned sectors = size == 4 ? 4 : 16;
      Place at = [sectors](unsigned l, unsigned i) { return GLOBAL + sectors * l + 32 * sectors * i % (4 * BUFFER); };
      uint64_t taken = longer(b, 256, [&](unsigned i) { return make(b, i, GLOAD, size, 0, at); });
      double part = 256.0 * sectors * bus / double(taken);
      // A tag is taken for as long as memory needs, and for the way to it and back; a line is as quick as in a calm
      // memory. An instruction of one line needs a gslot as well.
      const double held = latency + 14.0 + coalesced(b);
      double law = std::min(4.0 * bus / coalesced(b), 4.0 * bus * lines / held);
      if (size == 4) law = std::min(law, 4.0 * bus * b.top.cfg_gslots_o / (held + 4 * b.beats));
      std::printf("  latency %3u, %s %6.2f cycles a sector, %5.1f %%\n", latency, size == 4 ? "LDG    " : "LDG.128",
                  double(taken) / (256 * sectors), 100 * part);
      b.checks.that(part >= 0.95 * law, "lines in flight cover the latency", latency, taken);
    }
  }
  b.axi.latency = 0;
  b.axi.retime();
}

} // namespace

void rates(Bench &b) {
  b.clients = false;
  b.axi.adversarial = false;
  b.axi.latency = 0;
  b.axi.retime();
  b.wb_pressure = 100;
  b.fill_shared();
  four_buffers(b);
  shared(b);
  global(b);
  both(b);
  apart(b);
  reach(b);
}
