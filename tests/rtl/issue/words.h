// SPDX-License-Identifier: Apache-2.0
// Random instruction words for the benches of fetch and issue, made from the generated tables; no bit number is known
// here.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "random.h"

extern "C" {
#include "heddle/isa.h"
#include "heddle/isa_tables.h"
}

// A port of whatever width.
template <typename T> inline void put(T &port, uint64_t v) {
  port = static_cast<T>(v);
}

// A legal word of a random encoding, registers below `regs`.
inline isa_word random_legal(Random &rnd, int regs, uint32_t max_stall, bool counters) {
  for (;;) {
    auto enc = static_cast<isa_enc>(rnd.below(ISA_ENC_COUNT));
    const isa_encoding *e = isa_encoding_info(enc);
    isa_word w = e->match;
    for (unsigned i = 0; i < e->n_fields; i++) {
      auto f = static_cast<isa_field>(e->fields[i]);
      uint64_t v = rnd.next();
      switch (isa_field_info(f)->kind) {
      case ISA_K_GPR_READ:
      case ISA_K_GPR_WRITE:
        v = rnd.percent(15) ? ~UINT64_C(0) : rnd.below(static_cast<uint32_t>(regs)) & (rnd.percent(50) ? ~3u : ~0u);
        break;
      case ISA_K_GUARD:
        v = rnd.percent(50) ? ISA_PT : rnd.below(16);
        break;
      case ISA_K_PRED_WRITE:
        v = rnd.percent(30) ? ISA_PT : rnd.below(8);
        break;
      case ISA_K_COFF:
        v = rnd.below(64) * 4;
        break;
      case ISA_K_CBANK:
        v = rnd.below(2);
        break;
      case ISA_K_STALL:
        v = rnd.percent(70) ? rnd.below(3) : rnd.below(max_stall + 1);
        break;
      case ISA_K_SBSET:
        v = counters && rnd.percent(40) ? rnd.below(6) : 7;
        break;
      case ISA_K_SBWAIT:
        v = counters && rnd.percent(25) ? rnd.next() & rnd.next() : 0;
        break;
      default:
        break;
      }
      w = isa_put(w, f, v);
    }
    isa_dec d;
    if (isa_decode(w, &d) && isa_in_rtl(&d) && isa_max_reg(&d) < regs) return w;
  }
}
