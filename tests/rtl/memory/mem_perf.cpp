// SPDX-License-Identifier: Apache-2.0
// Latency and throughput of each kind of access.
#include "tests/rtl/memory/atomics.h"
#include "tests/rtl/memory/mem_bench.h"

namespace {
struct Shape {
  const char *name;
  unsigned mem, size;
  uint64_t (*addr)(unsigned lane);
  unsigned matrices = 0; // LDSM
  bool turned = false;
};
} // namespace

void measure(Bench &b) {
  b.clients = false;
  b.axi.adversarial = false;
  b.axi.retime();
  b.wb_pressure = 100;
  b.fill_shared();
  b.launch(true);
  b.regions[0] = {BASE + DATA, BASE + DATA + 0x8000, true};
  put_bits(bytes(b.top.region_base_i), 0, 40, b.regions[0].base);
  put_bits(bytes(b.top.region_limit_i), 0, 41, b.regions[0].limit);
  b.top.region_write_i |= 1;
  b.cbank_bytes[0] = 1024;
  put_bits(bytes(b.top.cbank_bytes_i), 0, 17, 1024);
  static const Shape shapes[] = {
      {"LDS, no conflict", SLOAD, 4, [](unsigned l) -> uint64_t { return 4 * l; }},
      {"LDS, broadcast", SLOAD, 4, [](unsigned) -> uint64_t { return 64; }},
      {"LDS, 2-way conflict", SLOAD, 4, [](unsigned l) -> uint64_t { return 8 * l; }},
      {"LDS.64", SLOAD, 5, [](unsigned l) -> uint64_t { return 8 * l; }},
      {"LDS.128", SLOAD, 6, [](unsigned l) -> uint64_t { return 16 * l; }},
      {"LDS.128, broadcast", SLOAD, 6, [](unsigned) -> uint64_t { return 64; }},
      {"LDSM.16.M88.1", SLOAD, 6, [](unsigned l) -> uint64_t { return 16 * l; }, 1, false},
      {"LDSM.16.M88.4", SLOAD, 6, [](unsigned l) -> uint64_t { return 16 * l; }, 4, false},
      {"LDSM.16.MT88.4", SLOAD, 6, [](unsigned l) -> uint64_t { return 16 * l; }, 4, true},
      {"STS", SSTORE, 4, [](unsigned l) -> uint64_t { return 4 * l; }},
      {"ATOMS, distinct", SATOM, 4, [](unsigned l) -> uint64_t { return 4 * l; }},
      {"ATOMS, one word", SATOM, 4, [](unsigned) -> uint64_t { return 64; }},
      {"LDC, one word", CLOAD, 4, [](unsigned) -> uint64_t { return 64; }},
      {"LDC, 32 words", CLOAD, 4, [](unsigned l) -> uint64_t { return 4 * l; }},
      {"LDG, coalesced", GLOAD, 4, [](unsigned l) -> uint64_t { return BASE + DATA + 4 * l; }},
      {"LDG.128, coalesced", GLOAD, 6, [](unsigned l) -> uint64_t { return BASE + DATA + 16 * l; }},
      {"LDG, one word", GLOAD, 4, [](unsigned) -> uint64_t { return BASE + DATA; }},
      {"LDG, 32 sectors", GLOAD, 4, [](unsigned l) -> uint64_t { return BASE + DATA + 32 * l; }},
      {"LDG, 32 lines", GLOAD, 4, [](unsigned l) -> uint64_t { return BASE + DATA + 128 * l; }},
      {"STG, coalesced", GSTORE, 4, [](unsigned l) -> uint64_t { return BASE + DATA + 4 * l; }},
      {"ATOMG, coalesced", GATOM, 4, [](unsigned l) -> uint64_t { return BASE + DATA + 4 * l; }},
      {"ATOMG, one word", GATOM, 4, [](unsigned) -> uint64_t { return BASE + DATA; }},
  };
  std::printf("%-22s %8s %8s %10s %14s\n", "instruction", "row", "done", "cycles/in", "cycles/line");
  for (unsigned latency : {0u, 40u, 100u, 200u}) {
    b.axi.latency = latency;
    b.axi.retime();
    std::printf("memory latency %u:\n", latency);
    for (auto &s : shapes) {
      if (latency && s.mem != GLOAD && s.mem != GSTORE && s.mem != GATOM) continue;
      uint64_t row = 0, done = 0, per = 0, lines = 0;
      for (unsigned round = 0; round < 3; round++) { // warm up, one alone, many
        unsigned n = round < 2 ? 1 : 64;
        uint64_t from = b.now, r0 = b.axi.requests();
        Ref first;
        for (unsigned i = 0; i < n; i++) {
          Ref p = b.make(i % b.warps, s.mem, s.size);
          b.place(*p);
          p->exec = 0xffffffffu;
          p->off = 0;
          p->cbank = 0;
          if (p->atomic()) p->atom = ISA_AOP_ADD, p->size = 4, p->rd_n = 0;
          p->rd = p->returns() ? 8 : 255;
          if (s.matrices) b.make_matrix(*p, s.matrices, s.turned);
          for (unsigned l = 0; l < 32; l++) {
            // Different warps use different global memory, so that sectors are not serialised.
            p->addr[l] = s.addr(l) + (p->global() ? (i % b.warps) * 1024 : 0);
            p->a_lo[l] = static_cast<uint32_t>(p->addr[l]);
            p->a_hi[l] = static_cast<uint32_t>(p->addr[l] >> 32);
          }
          b.submit(p);
          if (!first) first = p;
        }
        while (!b.by_id.empty() && b.now < from + 100000) {
          b.cycle();
          if (round == 1 && first->rows[0] && !row) row = first->last_row - b.last_sent;
        }
        if (round == 1) done = b.now - 1 - b.last_sent;
        if (round == 2) {
          per = (b.now - from) * 100 / n;
          lines = b.axi.requests() - r0;
        }
        for (unsigned i = 0; i < 20; i++) b.cycle();
      }
      std::printf("%-22s %8llu %8llu %7llu.%02llu", s.name, (unsigned long long)row, (unsigned long long)done,
                  (unsigned long long)(per / 100), (unsigned long long)(per % 100));
      if (lines) std::printf(" %11.2f", double(per) * 64 / 100 / double(lines));
      std::printf("\n");
    }
  }
}
