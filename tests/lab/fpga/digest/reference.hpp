// SPDX-License-Identifier: Apache-2.0
//
// The digests that a launch's records require (docs/digest-format.md), against its entries. It takes records
// in the order in which the core showed them, and accesses in that in which they were performed.
#ifndef HEDDLE_TESTS_DIGEST_REFERENCE_HPP
#define HEDDLE_TESTS_DIGEST_REFERENCE_HPP

#include <array>
#include <deque>
#include <map>

#include "tests/lab/fpga/digest/entries.hpp"
#include "tests/lab/fpga/digest/field.hpp"
#include "tests/lab/fpga/digest/order.hpp"

extern "C" {
#include <heddle/isa.h>
#include <heddle/record.h>
}

namespace digest {

struct Warp {
  uint32_t instructions = 0;
  std::map<uint32_t, uint32_t> window;
  std::deque<uint64_t> clocks;
  std::vector<uint32_t> told; // by code 2, and what corrections have added
  bool ended = false;
};

struct Counts {
  unsigned windows = 0, corrections = 0, cuts = 0, warps = 0, clocks = 0, wrong = 0;
};

class Reference {
public:
  explicit Reference(unsigned lanes_) : lanes(lanes_) {}
  Order order[2];

  void record(const heddle_retire_record &r) {
    switch (r.kind) {
    case HEDDLE_RECORD_BLOCK_START:
      starts.push_back(r.u.block_start);
      for (unsigned s = 0; s < 64; s++)
        if (r.u.block_start.warps >> s & 1) warps[s].emplace_back();
      break;
    case HEDDLE_RECORD_ISSUE: issue(r.u.issue); break;
    case HEDDLE_RECORD_WRITE: {
      const heddle_record_write &w = r.u.write;
      std::vector<uint32_t> d;
      for (unsigned l = 0; l < lanes; l++) d.push_back(w.mask >> l & 1 ? w.data[l] : 0);
      d.push_back(w.mask);
      add(w.id, d, 1, w.rd, w.beat);
      break;
    }
    case HEDDLE_RECORD_PREDICATE: {
      const heddle_record_predicate &p = r.u.predicate;
      for (unsigned i = 0; i < HEDDLE_RECORD_PREDICATES; i++) {
        bool counts = p.used >> i & 1;
        for (unsigned k = i + 1; k < HEDDLE_RECORD_PREDICATES; k++)
          if ((p.used >> k & 1) && p.value[k].index == p.value[i].index) counts = false;
        if (counts) add(p.id, {p.value[i].data & p.value[i].mask, p.value[i].mask}, 2, p.value[i].index, p.beat);
      }
      break;
    }
    case HEDDLE_RECORD_UNIFORM_WRITE: {
      const heddle_record_uniform_write &u = r.u.uniform_write;
      for (unsigned i = 0; i < HEDDLE_RECORD_RESULT; i++)
        if (u.used >> i & 1) add(u.id, {u.data[i], 1}, 3, u.rd + i, 0);
      if (u.pred != 0) add(u.id, {static_cast<uint32_t>(u.value & u.pred), u.pred}, 3, 255, 1);
      break;
    }
    case HEDDLE_RECORD_TRAP: traps.push_back(r.u.trap); break;
    case HEDDLE_RECORD_BLOCK_END: ends.push_back(r.u.block_end.bslot); break;
    default: break;
    }
  }

  // All of it: a launch that has ended, without a loss.
  Counts whole(const Told &t) {
    if (t.lost || t.lost_at_start) fail("a loss where nothing was lost");
    if (!t.ended) fail("no end");
    if (t.end_records != t.entries.size()) fail("the end counts other entries");
    Counts c = judge(t, true);
    if (started != starts.size()) fail("blocks that are not sent");
    if (ended != ends.size()) fail("ends of blocks that are not sent");
    if (trapped != traps.size()) fail("a trap that is not sent");
    return c;
  }

  // A part of a launch: no cut may be missing between its entries, no digest wrong that can be judged.
  Counts judge(const Told &t, bool to_the_end) {
    Counts c;
    for (const Entry &e : t.entries) take(e, c);
    for (unsigned s = 0; s < 64; s++)
      for (size_t i = 0; i < now[s]; i++) {
        const Warp &w = warps[s][i];
        if (!w.ended && to_the_end) left(w, c);
      }
    for (unsigned space = 0; space < 2; space++) {
      const char *name = space == 0 ? " in global memory" : " in shared memory";
      if (to_the_end) order[space].check(name);
      order[space].check_time(name);
      c.cuts += static_cast<unsigned>(order[space].cuts());
    }
    return c;
  }

private:
  const unsigned lanes;
  std::array<std::vector<Warp>, 64> warps;
  std::array<size_t, 64> now{}; // warps of the slot with a reported block
  std::vector<heddle_record_block_start> starts;
  std::vector<uint8_t> ends;
  std::vector<heddle_record_trap> traps;
  size_t started = 0, ended = 0, trapped = 0;
  std::map<unsigned, uint64_t> block;

  Warp &shown(const heddle_record_id &id) {
    if (warps[id.slot].empty()) fail("a record of no warp");
    return warps[id.slot].back();
  }
  void add(const heddle_record_id &id, const std::vector<uint32_t> &d, unsigned kind, unsigned place, unsigned beat) {
    shown(id).window[id.seq / 64] ^= item(d, id.seq, kind, place, beat);
  }
  void issue(const heddle_record_issue &i) {
    Warp &w = shown(i.id);
    if (i.id.seq != w.instructions++) fail("records: the order of a warp's instructions");
    add(i.id, {i.pc, i.active, i.exec, i.ps[0] & i.exec, i.ps[1] & i.exec, i.ps[2] & i.exec}, 0, 0, 0);
    heddle_isa_dec d;
    const heddle_isa_word word = {i.word[0], i.word[1]};
    if (!heddle_isa_decode(word, &d)) return;
    const uint64_t sreg = heddle_isa_get(word, ISA_F_SREG), usreg = heddle_isa_get(word, ISA_F_USREG);
    if ((d.op == ISA_OP_S2R && (sreg == ISA_SREG_SR_CLOCKLO || sreg == ISA_SREG_SR_CLOCKHI)) ||
        (d.op == ISA_OP_S2UR && (usreg == ISA_USREG_SR_CLOCKLO || usreg == ISA_USREG_SR_CLOCKHI)) ||
        (d.op == ISA_OP_CS2R && heddle_isa_get(word, ISA_F_SREG2) == ISA_SREG2_SR_CLOCKLO))
      w.clocks.push_back(i.clock & 0xffffffffffff);
  }

  Warp &told(unsigned slot) {
    if (slot >= 64 || now[slot] == 0) fail("an entry of no warp");
    Warp &w = warps[slot][now[slot] - 1];
    if (w.ended) fail("an entry of a warp that has ended");
    return w;
  }
  static uint32_t expected(const Warp &w, size_t k) {
    const auto f = w.window.find(static_cast<uint32_t>(k));
    return f == w.window.end() ? 0 : f->second;
  }
  // The windows that have been sent, with their corrections.
  static void left(const Warp &w, Counts &c) {
    for (size_t k = 0; k < w.told.size(); k++, c.windows++)
      if (w.told[k] != expected(w, k)) c.wrong++;
  }

  void take(const Entry &e, Counts &c) {
    switch (e.code) {
    case 0:
    case 1: order[e.code].mark(e.slot, e.value[0]); break;
    case 2: {
      Warp &w = told(e.slot);
      w.told.push_back(static_cast<uint32_t>(e.value[0]));
      if (w.instructions <= 64 * (w.told.size() + 1)) fail("a window is sent too early");
      break;
    }
    case 3: {
      Warp &w = told(e.slot);
      size_t k = w.told.size();
      while (k > 0 && ((k - 1) & 0xffff) != e.value[0]) k--;
      if (k == 0) fail("a correction of a window that has not been sent");
      w.told[k - 1] ^= static_cast<uint32_t>(e.value[1]);
      c.corrections++;
      break;
    }
    case 4: {
      Warp &w = told(e.slot);
      if (e.value[0] != w.instructions) fail("a warp has ended with other instructions");
      const size_t last = (w.instructions - 1) / 64;
      if (w.told.size() != (last > 0 ? last - 1 : 0)) fail("windows that are not sent");
      if (last > 0) w.told.push_back(static_cast<uint32_t>(e.value[1]));
      if (last == 0 && e.value[1] != 0) fail("a window that is none");
      w.told.push_back(static_cast<uint32_t>(e.value[2]));
      if (!w.clocks.empty()) fail("clocks that are not sent");
      left(w, c);
      w.ended = true;
      c.warps++;
      break;
    }
    case 5: {
      Warp &w = told(e.slot);
      if (w.clocks.empty() || w.clocks.front() != e.value[0]) fail("a clock");
      w.clocks.pop_front();
      c.clocks++;
      break;
    }
    case 6: {
      if (started == starts.size()) fail("a block that has not started");
      const heddle_record_block_start &s = starts[started++];
      if (e.slot != s.bslot || e.value[0] != s.warps) fail("where a block starts");
      for (unsigned i = 0; i < 3; i++)
        if (e.value[1 + i] != s.ctaid[i]) fail("which block starts");
      for (unsigned k = 0; k < 64; k++)
        if (s.warps >> k & 1) now[k]++;
      block[e.slot] = s.warps;
      break;
    }
    case 7: {
      if (ended == ends.size() || ends[ended++] != e.slot) fail("a block that has not ended");
      for (unsigned k = 0; k < 64; k++)
        if ((block[e.slot] >> k & 1) && !warps[k][now[k] - 1].ended) fail("a block has ended before its warps");
      break;
    }
    case 8: {
      if (trapped == traps.size()) fail("a trap that was none");
      const heddle_record_trap &x = traps[trapped++];
      if (e.slot != x.id.slot || e.value[0] != x.id.seq || e.value[1] != x.pc || e.value[2] != x.lanes ||
          e.value[3] != x.cause || e.value[4] != x.addr)
        fail("the trap");
      break;
    }
    default: fail("a code");
    }
  }
};

} // namespace digest

#endif
