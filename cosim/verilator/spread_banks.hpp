// SPDX-License-Identifier: Apache-2.0
//
// A record speaks of 32 banks of shared memory: word w lies in bank w mod 32, row w / 32. The words of one pass of fewer
// banks never meet there.
#ifndef HEDDLE_SPREAD_BANKS_HPP
#define HEDDLE_SPREAD_BANKS_HPP

#include <cstring>

extern "C" {
#include "heddle/record.h"
}

namespace ports {

template <unsigned BANKS> inline void spread_banks(record_shared &r)
{
  if (BANKS == RECORD_BANKS) return;
  uint32_t wdata[BANKS], rdata[BANKS], enabled = 0;
  uint16_t row[BANKS];
  uint8_t wstrb[BANKS];
  std::memcpy(wdata, r.wdata, sizeof wdata);
  std::memcpy(rdata, r.rdata, sizeof rdata);
  std::memcpy(row, r.row, sizeof row);
  std::memcpy(wstrb, r.wstrb, sizeof wstrb);
  for (uint32_t rest = r.bank_en; rest != 0; rest &= rest - 1) {
    const unsigned i = static_cast<unsigned>(__builtin_ctz(rest));
    const uint32_t word = row[i] * BANKS + i, to = word % RECORD_BANKS;
    enabled |= 1u << to;
    r.row[to] = static_cast<uint16_t>(word / RECORD_BANKS);
    r.wstrb[to] = wstrb[i];
    r.wdata[to] = wdata[i];
    r.rdata[to] = rdata[i];
  }
  r.bank_en = enabled;
}

} // namespace ports

#endif
