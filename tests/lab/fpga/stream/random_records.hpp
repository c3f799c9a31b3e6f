// SPDX-License-Identifier: Apache-2.0
//
// Records as a core might show them, in each place of the port: small numbers, the same as before, counting up, or anything.
#ifndef HEDDLE_TESTS_STREAM_RANDOM_RECORDS_HPP
#define HEDDLE_TESTS_STREAM_RANDOM_RECORDS_HPP

#include <cstring>

#include "tests/rtl/random.h"

extern "C" {
#include <heddle/record.h>
#include <heddle/retire_fields.h>
}

namespace records {

constexpr unsigned LANES = 4, BANKS = 4, SECTOR_WORDS = 8;

// A number of the port: `bits` of it.
inline uint32_t number(Random &r, uint32_t before, unsigned bits)
{
  const uint32_t all = bits >= 32 ? UINT32_MAX : (1u << bits) - 1;
  switch (r.below(9)) {
  case 0: return 0;
  case 1: return (before + 1) & all;
  case 2: return (before + 16) & all;
  case 3: return r.u32() & all & 15;
  case 4: return r.u32() & all & 255;
  case 5: return (before - r.below(200)) & all;
  case 6: return (r.u32() << 16) & all;
  case 7: return r.u32() & all;
  default: return before;
  }
}

struct Maker {
  Random &r;
  heddle_retire_record last[HEDDLE_RECORD_KINDS + 1]{}; // operands_memory has its own

  void id(heddle_record_id &i)
  {
    i.slot = static_cast<uint8_t>(number(r, i.slot, 2));
    i.gen = static_cast<uint8_t>(number(r, i.gen, 8));
    i.seq = number(r, i.seq, 32);
  }
  void words(uint32_t *w, unsigned n)
  {
    for (unsigned i = 0; i < n; i++) w[i] = r.one_in(2) && i > 0 ? w[i - 1] + (w[0] & 3) : number(r, w[i], 32);
  }
  void bytes(uint8_t *b)
  {
    uint32_t w[SECTOR_WORDS];
    std::memcpy(w, b, sizeof w);
    words(w, SECTOR_WORDS);
    std::memcpy(b, w, sizeof w);
  }
  // Numbers of words as a machine without matrices has them: 0 (or, of those, 6) in the first row.
  void operands(heddle_record_operands &o)
  {
    id(o.id);
    o.mask = number(r, o.mask, LANES);
    o.beat = static_cast<uint8_t>(number(r, o.beat, 3));
    o.used = static_cast<uint8_t>(number(r, o.used, 4));
    for (unsigned k = 0; k < HEDDLE_RECORD_ROWS; k++) {
      o.index[k] = static_cast<uint8_t>(k == 0 ? 6 * r.below(2) : number(r, o.index[k], 3));
      words(o.data[k], LANES);
    }
  }
  // A load has written nothing, a store has read nothing, an atomic often some of either. At times all is zero.
  void sector(heddle_record_global &g)
  {
    g.access = static_cast<uint8_t>(r.below(5));
    bytes(g.wdata);
    bytes(g.rdata);
    if (g.access % 3 == 0 || r.one_in(8)) std::memset(g.wdata, 0, sizeof g.wdata);
    if (g.access % 3 == 1 || r.one_in(8)) std::memset(g.rdata, 0, sizeof g.rdata);
  }
  // A pass of one lane, with its words in one row: one, two or four of a load or store, one or two of an atomic.
  void pass(heddle_record_shared &s)
  {
    const unsigned size = 1u << r.below(s.access == 2 ? 2 : 3), first = size * r.below(BANKS / size);
    const auto row = static_cast<uint16_t>(number(r, s.row[0], 9));
    const auto strobe = static_cast<uint8_t>(s.access == 0 ? 0 : number(r, s.wstrb[0], 4));
    s.lanes = 1u << r.below(32);
    s.bank_en = ((1u << size) - 1) << first;
    words(s.wdata, BANKS);
    words(s.rdata, BANKS);
    for (unsigned i = 0; i < BANKS; i++) {
      const bool there = (s.bank_en >> i & 1) != 0;
      s.row[i] = there ? row : 0;
      s.wstrb[i] = there ? strobe : 0;
      if (!there || s.access == 0) s.wdata[i] = 0;
      if (!there || s.access == 1) s.rdata[i] = 0;
    }
  }

  const heddle_retire_record &make(heddle_record_kind kind)
  {
    heddle_retire_record &x = last[kind];
    x.kind = kind;
    switch (kind) {
    case HEDDLE_RECORD_BLOCK_START: {
      auto &b = x.u.block_start;
      b.warps = number(r, static_cast<uint32_t>(b.warps), 4);
      words(b.ctaid, 3);
      b.shared_base = number(r, b.shared_base, 24);
      b.bslot = static_cast<uint8_t>(r.below(4));
      break;
    }
    case HEDDLE_RECORD_GLOBAL: {
      auto &g = x.u.global;
      id(g.id);
      g.sector = static_cast<uint64_t>(r.below(8)) << 32 | number(r, static_cast<uint32_t>(g.sector), 32);
      g.lanes = number(r, g.lanes, 32);
      g.wstrb = number(r, g.wstrb, 32);
      sector(g);
      break;
    }
    case HEDDLE_RECORD_SHARED: {
      auto &s = x.u.shared;
      id(s.id);
      s.access = static_cast<uint8_t>(r.below(3));
      pass(s);
      break;
    }
    case HEDDLE_RECORD_WRITE: {
      auto &w = x.u.write;
      id(w.id);
      w.mask = number(r, w.mask, LANES);
      w.row = static_cast<uint16_t>(r.u32()); // of profile 2: not sent
      w.port = static_cast<uint8_t>(r.u32());
      w.rd = static_cast<uint8_t>(number(r, w.rd, 8));
      w.beat = static_cast<uint8_t>(number(r, w.beat, 3));
      words(w.data, LANES);
      break;
    }
    case HEDDLE_RECORD_PREDICATE: {
      auto &p = x.u.predicate;
      id(p.id);
      p.beat = static_cast<uint8_t>(number(r, p.beat, 3));
      p.used = static_cast<uint8_t>(number(r, p.used, 7));
      for (auto &v : p.value) {
        v.mask = number(r, v.mask, LANES);
        v.data = number(r, v.data, LANES);
        v.index = static_cast<uint8_t>(r.below(7));
      }
      break;
    }
    case HEDDLE_RECORD_OPERANDS: operands(x.u.operands); break;
    case HEDDLE_RECORD_OPERANDS_MEMORY: operands(x.u.operands); break;
    case HEDDLE_RECORD_BARRIER:
      x.u.barrier.bslot = static_cast<uint8_t>(r.below(4));
      x.u.barrier.id = static_cast<uint8_t>(r.below(16));
      break;
    case HEDDLE_RECORD_ISSUE: {
      auto &i = x.u.issue;
      id(i.id);
      i.pc = r.one_in(4) ? 16 * r.below(600) : i.pc + 16;
      i.active = number(r, i.active, 32);
      i.exec = number(r, i.exec, 32);
      words(i.ps, 3);
      i.word[0] = i.pc * 0x9e3779b97f4a7c15ull + (r.one_in(20) ? r.next() : 0);
      i.word[1] = ~i.word[0] * 3;
      i.dhash = r.next(); // of profile 2
      break;
    }
    case HEDDLE_RECORD_UNIFORM_READ: {
      auto &u = x.u.uniform_read;
      id(u.id);
      u.used = static_cast<uint8_t>(number(r, u.used, 4));
      words(u.data, 4);
      break;
    }
    case HEDDLE_RECORD_UNIFORM_WRITE: {
      auto &u = x.u.uniform_write;
      id(u.id);
      u.used = static_cast<uint8_t>(number(r, u.used, 2));
      words(u.data, 2);
      u.rd = static_cast<uint8_t>(r.u32());
      u.pred = static_cast<uint8_t>(number(r, u.pred, 7));
      u.value = static_cast<uint8_t>(r.u32());
      break;
    }
    case HEDDLE_RECORD_TRAP: {
      auto &t = x.u.trap;
      id(t.id);
      t.addr = r.next() >> 20;
      t.pc = number(r, t.pc, 32);
      t.lanes = number(r, t.lanes, 32);
      t.cause = static_cast<uint8_t>(r.u32());
      break;
    }
    case HEDDLE_RECORD_BLOCK_END: x.u.block_end.bslot = static_cast<uint8_t>(r.below(4)); break;
    default: break;
    }
    return x;
  }
};

// The part that a judge at profile 1 sees.
inline heddle_retire_record judged(const heddle_retire_record &from)
{
  heddle_retire_record x = from;
  if (x.kind == HEDDLE_RECORD_OPERANDS_MEMORY) x.kind = HEDDLE_RECORD_OPERANDS;
  if (x.kind == HEDDLE_RECORD_WRITE)
    for (unsigned l = 0; l < HEDDLE_RECORD_LANES; l++)
      if ((x.u.write.mask >> l & 1) == 0) x.u.write.data[l] = 0;
  if (x.kind == HEDDLE_RECORD_OPERANDS)
    for (auto &row : x.u.operands.data)
      for (unsigned l = 0; l < HEDDLE_RECORD_LANES; l++)
        if ((x.u.operands.mask >> l & 1) == 0) row[l] = 0;
  return x;
}

} // namespace records

#endif
