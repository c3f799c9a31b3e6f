// SPDX-License-Identifier: Apache-2.0
//
// A core that computes nothing: blocks of warps that issue instructions in order, with results, requests and passes
// of shared memory of any content, some of them very late. Its records are driven on retire_digest's port, and given
// to the reference.
#ifndef HEDDLE_TESTS_DIGEST_CORE_HPP
#define HEDDLE_TESTS_DIGEST_CORE_HPP

#include <memory>

#include <Vtop.h>
#include "tests/lab/fpga/stream/pack.hpp"
#include <heddle/verilated_ports.hpp>
#include "tests/lab/fpga/digest/reference.hpp"

namespace bench {

constexpr unsigned WARPS = 8, BLOCKS = 8, WRITERS = 4, BANKS = records::BANKS, LANES = records::LANES;

struct Habits {
  unsigned issue = 120;       // of a thousand cycles
  unsigned longest = 300;     // instructions of a warp
  unsigned late = 0;          // of a thousand results: how many take thousands of cycles
  unsigned lines = 12, rows = 8; // how often warps meet
  unsigned blocks = 12;
  bool trap = false;
};

class Core {
public:
  Core(Random &random, const Habits &habits, digest::Reference &reference, const std::vector<heddle_isa_word> &special)
      : r(random), h(habits), ref(reference), words(special) {}

  bool over() const {
    return done;
  }
  uint64_t shown = 0; // cycles in which something was

  // One cycle: `go`: another instruction may issue.
  void cycle(Vtop &top, bool go) {
    now++;
    quiet(top);
    if (done) return;
    start(top); // of one cycle in the order of records
    if (h.trap && !trapped && started == h.blocks && r.one_in(200)) trapped = true;
    if (trapped) {
      if (nothing_owed()) trap(top);
    } else if (go && r.permille(h.issue)) {
      issue(top);
    }
    results(top);
    request(top);
    pass(top);
    for (unsigned b = 0; b < BLOCKS; b++)
      if (block[b].open) end_of(top, b);
    if (!trapped && started == h.blocks) {
      done = true;
      for (const Block &x : block) done &= !x.open;
    }
  }

  static void quiet(Vtop &top) {
    nothing(top.ret_sm_i);
    top.rq_valid_i = 0;
  }

private:
  Random &r;
  const Habits h;
  digest::Reference &ref;
  const std::vector<heddle_isa_word> &words;
  uint64_t now = 0;
  unsigned started = 0;
  bool done = false, trapped = false;

  struct Warp {
    bool live = false;
    uint8_t gen = 0;
    uint32_t seq = 0, length = 0;
    unsigned owed = 0; // results, requests and instructions in shared memory
    std::deque<std::pair<uint64_t, bool>> requests;
  } warp[WARPS];
  struct Block {
    bool open = false;
    uint64_t warps = 0;
  } block[BLOCKS];
  std::multimap<uint64_t, heddle_retire_record> pending; // by the cycle in which they may be shown
  struct Shared {
    heddle_record_shared r;
    unsigned passes;
    size_t nth;
    bool begun;
  };
  std::deque<Shared> shared;

  void drive(Vtop &top, const retire::place &place, heddle_retire_record &x, unsigned k = 0) {
    put(top.ret_sm_i, place, x, k);
    ref.record(x);
  }
  static heddle_retire_record blank(heddle_record_kind kind) {
    heddle_retire_record x;
    std::memset(&x, 0, sizeof x);
    x.kind = kind;
    return x;
  }
  bool nothing_owed() const {
    unsigned n = 0;
    for (const Warp &w : warp) n += w.owed;
    return n == 0;
  }

  // A block takes free slots; one at a time ends or starts.
  void start(Vtop &top) {
    if (trapped || started == h.blocks || !r.one_in(40)) return;
    unsigned b = 0;
    while (b < BLOCKS && block[b].open) b++;
    std::vector<unsigned> free;
    for (unsigned s = 0; s < WARPS; s++)
      if (!warp[s].live) free.push_back(s);
    const unsigned n = 1 + r.below(4);
    if (b == BLOCKS || free.size() < n) return;
    heddle_retire_record x = blank(HEDDLE_RECORD_BLOCK_START);
    auto &s = x.u.block_start;
    for (unsigned i = 0; i < n; i++) s.warps |= 1ull << free[i];
    for (unsigned i = 0; i < n; i++) {
      Warp &w = warp[free[i]];
      const auto gen = static_cast<uint8_t>(w.gen + 1);
      w = Warp{};
      w.live = true;
      w.gen = gen;
      w.length = 1 + r.below(h.longest);
    }
    for (uint32_t &c : s.ctaid) c = r.u32() >> r.below(32);
    s.bslot = static_cast<uint8_t>(b);
    block[b] = {true, s.warps};
    started++;
    drive(top, at::block_start, x);
  }

  void end_of(Vtop &top, unsigned b) {
    if (is_shown(top.ret_sm_i, at::block_end) || trapped) return;
    for (unsigned s = 0; s < WARPS; s++)
      if ((block[b].warps >> s & 1) && (warp[s].seq < warp[s].length || warp[s].owed > 0)) return;
    heddle_retire_record x = blank(HEDDLE_RECORD_BLOCK_END);
    x.u.block_end.bslot = static_cast<uint8_t>(b);
    drive(top, at::block_end, x);
    for (unsigned s = 0; s < WARPS; s++)
      if (block[b].warps >> s & 1) warp[s].live = false;
    block[b].open = false;
  }

  heddle_record_id who(unsigned s, uint32_t seq) const {
    heddle_record_id id{};
    id.slot = static_cast<uint8_t>(s);
    id.gen = warp[s].gen;
    id.seq = seq;
    return id;
  }

  void issue(Vtop &top) {
    const unsigned first = r.below(WARPS);
    unsigned s = WARPS;
    for (unsigned k = 0; k < WARPS; k++) {
      const Warp &w = warp[(first + k) % WARPS];
      if (w.live && w.seq < w.length && s == WARPS) s = (first + k) % WARPS;
    }
    if (s == WARPS) return;
    Warp &w = warp[s];
    heddle_retire_record x = blank(HEDDLE_RECORD_ISSUE);
    auto &i = x.u.issue;
    i.id = who(s, w.seq++);
    i.pc = r.u32();
    i.active = r.u32();
    i.exec = r.u32() & i.active;
    for (uint32_t &p : i.ps) p = r.u32();
    const heddle_isa_word word = words[r.below(static_cast<uint32_t>(words.size()))];
    i.word[0] = word.lo, i.word[1] = word.hi;
    i.clock = r.next();
    drive(top, at::issue, x);
    switch (r.below(8)) {
    case 0: // requests, one after the other
      for (unsigned n = 1 + r.below(4); n > 0; n--, w.owed++) w.requests.push_back({r.below(h.lines), r.one_in(2)});
      break;
    case 1: {
      Shared sh{};
      sh.r.id = i.id;
      sh.r.access = static_cast<uint8_t>(r.below(3));
      sh.passes = 1 + r.below(8);
      shared.push_back(sh);
      w.owed++;
      break;
    }
    case 2: predicates(i.id); break;
    case 3: uniform(i.id); break;
    case 4: break;
    default: rows(i.id);
    }
  }

  void owe(const heddle_record_id &id, const heddle_retire_record &x, unsigned beats) {
    const uint64_t wait = r.permille(h.late) ? 500 + r.below(9000) : 2 + beats + r.below(30);
    pending.emplace(now + wait, x);
    warp[id.slot].owed++;
  }
  void rows(const heddle_record_id &id) {
    const auto rd = static_cast<uint8_t>(r.below(255));
    for (unsigned beat = 0; beat < 8; beat++) {
      const uint32_t mask = r.one_in(3) ? r.u32() & 15 : 15, part = r.one_in(4) ? r.u32() & 15 : 15;
      for (unsigned half = 0; half < 2; half++) { // what is written in two parts is as if written at once
        heddle_retire_record x = blank(HEDDLE_RECORD_WRITE);
        auto &w = x.u.write;
        w.id = id;
        w.mask = half == 0 ? mask & part : mask & ~part;
        w.rd = rd;
        w.beat = static_cast<uint8_t>(beat);
        for (unsigned l = 0; l < LANES; l++) w.data[l] = r.u32(); // where mask is 0, too
        if (w.mask != 0) owe(id, x, beat);
      }
    }
  }
  void predicates(const heddle_record_id &id) {
    for (unsigned beat = 0; beat < 8; beat++) {
      heddle_retire_record x = blank(HEDDLE_RECORD_PREDICATE);
      auto &p = x.u.predicate;
      p.id = id;
      p.beat = static_cast<uint8_t>(beat);
      p.used = static_cast<uint8_t>(r.one_in(3) ? r.below(128) : r.below(4));
      for (unsigned i = 0; i < HEDDLE_RECORD_PREDICATES; i++) { // the first two are of any, the others of their own
        auto &v = p.value[i];
        v.mask = r.u32() & 15;
        v.data = r.u32() & 15;
        v.index = static_cast<uint8_t>(i < 2 ? r.below(7) : i);
      }
      owe(id, x, beat);
    }
  }
  void uniform(const heddle_record_id &id) {
    heddle_retire_record x = blank(HEDDLE_RECORD_UNIFORM_WRITE);
    auto &u = x.u.uniform_write;
    u.id = id;
    u.used = static_cast<uint8_t>(r.below(4));
    for (uint32_t &d : u.data) d = r.u32();
    u.rd = static_cast<uint8_t>(r.below(62));
    u.pred = static_cast<uint8_t>(r.one_in(2) ? r.below(128) : 0);
    u.value = static_cast<uint8_t>(r.below(128));
    owe(id, x, 0);
  }

  // Due results: a row for each write port, one of the others.
  void results(Vtop &top) {
    unsigned port = 0;
    for (auto i = pending.begin(); i != pending.end() && i->first <= now;) {
      heddle_retire_record &x = i->second;
      bool gone = true;
      unsigned slot = 0;
      if (x.kind == HEDDLE_RECORD_WRITE && port < WRITERS && !r.one_in(8)) {
        slot = x.u.write.id.slot;
        drive(top, at::write, x, port++);
      } else if (x.kind == HEDDLE_RECORD_PREDICATE && !is_shown(top.ret_sm_i, at::predicate)) {
        slot = x.u.predicate.id.slot;
        drive(top, at::predicate, x);
      } else if (x.kind == HEDDLE_RECORD_UNIFORM_WRITE && !is_shown(top.ret_sm_i, at::uniform_write)) {
        slot = x.u.uniform_write.id.slot;
        drive(top, at::uniform_write, x);
      } else {
        gone = false;
      }
      if (gone) warp[slot].owed--;
      i = gone ? pending.erase(i) : std::next(i);
    }
  }

  void request(Vtop &top) {
    if (r.one_in(3)) return;
    const unsigned s = r.below(WARPS);
    Warp &w = warp[s];
    if (w.requests.empty()) return;
    const auto q = w.requests.front();
    w.requests.pop_front();
    w.owed--;
    const uint64_t line = 0x123456789 ^ q.first;
    // seen_t: slot, writes, line (33 bits)
    top.rq_i = static_cast<uint64_t>(s) << 34 | static_cast<uint64_t>(q.second) << 33 | line;
    top.rq_valid_i = 1;
    ref.order[0].touch(s, ref.order[0].access(s), line, q.second);
    ref.order[0].over(s);
  }

  void pass(Vtop &top) {
    if (shared.empty() || r.one_in(4)) return;
    Shared &s = shared.front();
    const unsigned slot = s.r.id.slot;
    if (!s.begun) s.nth = ref.order[1].access(slot), s.begun = true;
    heddle_retire_record x = blank(HEDDLE_RECORD_SHARED);
    x.u.shared = s.r;
    x.u.shared.bank_en = 1 + r.below(15);
    const unsigned common = r.below(h.rows);
    for (unsigned b = 0; b < BANKS; b++) {
      const unsigned row = r.one_in(3) ? r.below(h.rows) : common;
      x.u.shared.row[b] = static_cast<uint16_t>(row);
      if (x.u.shared.bank_en >> b & 1) ref.order[1].touch(slot, s.nth, row * 64 + b, s.r.access != 0);
    }
    drive(top, at::shared, x);
    if (--s.passes == 0) {
      ref.order[1].over(slot);
      warp[slot].owed--;
      shared.pop_front();
    }
  }

  void trap(Vtop &top) {
    heddle_retire_record x = blank(HEDDLE_RECORD_TRAP);
    auto &t = x.u.trap;
    const unsigned s = r.below(WARPS);
    t.id = who(s, r.u32());
    t.addr = r.next();
    t.pc = r.u32();
    t.lanes = r.u32();
    t.cause = static_cast<uint8_t>(1 + r.below(20));
    drive(top, at::trap, x);
    done = true;
  }
};

} // namespace bench

#endif
