// SPDX-License-Identifier: Apache-2.0
// The bench of fetch and instruction buffer. Every warp runs in a stretch of code of its own, so that a request shows
// its warp.
//   fetch_model.cpp  which warp may request, which must, and when: fetch's own account, cycle by cycle
//   fetch_test.cpp   the cache, the check stage, redirects, starts; what each warp reads
//   fetch_code.cpp   the code: of an encoding with short words, places of one word or two
#pragma once
#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Vtop.h>
#include <verilated.h>
#include "tests/rtl/issue/words.h"

constexpr unsigned kStretch = 64; // places of a warp's code, of 16 bytes
constexpr unsigned kMargin = 16;  // of these, at the end, what only a request may reach
constexpr int kRegs = 32;         // registers of the kernel
constexpr unsigned kGroup = sizeof(decltype(Vtop::rsp_word_i)) / 16; // words of an answer

struct Checks {
  uint64_t done = 0, now = 0;
  unsigned failures = 0;
  void operator()(bool ok, const char *what, unsigned warp) {
    done++;
    if (!ok && failures++ < 10) std::printf("cycle %llu warp %u: %s\n", (unsigned long long)now, warp, what);
  }
};

// The rows of short words, as the file of the encoding has them: what isa/doc/13-short-words.md says, written down
// again.
struct Rows {
  struct Pattern {
    heddle_isa_word bits;
    std::string kind;
  };
  std::vector<Pattern> pattern;
  std::vector<uint32_t> code;
  bool read(const char *path);
  heddle_isa_word lengthen(uint64_t word) const;
};

struct Code {
  std::vector<heddle_isa_word> place; // as memory holds them
  std::vector<bool> error;            // it cannot be fetched: all places of an answer alike
  Rows rows;                          // short words
  unsigned step = 16;                 // what a PC is a multiple of
  uint32_t units = 0;                 // of the machine
  unsigned phase = 0;                 // number in its answer of the first place: groups are aligned in memory

  bool has(uint32_t pc) const { return pc % step == 0 && pc / 16 < place.size(); }
  unsigned number(uint32_t pc) const { return (pc / 16 + phase) % kGroup; }
  // A word that cannot be fetched counts as a long word.
  bool pair(uint32_t pc) const { return step == 8 && !error[pc / 16] && place[pc / 16].hi >> 63; }
  bool middle(uint32_t pc) const { return pc % 16 == 8 && !pair(pc); } // of a long word: no instruction
  unsigned size(uint32_t pc) const { return pair(pc) ? 8 : 16; }
  heddle_isa_word word(uint32_t pc) const;
  // Places that one answer brings from the wanted one on: to the group's end (with short words that of its half), or
  // to that of the code.
  unsigned asked() const { return step == 8 && kGroup > 1 ? kGroup / 2 : kGroup; }
  unsigned room() const { return step == 8 ? 2 * asked() : asked(); } // entries that these may be
  unsigned brings(uint32_t pc) const {
    return unsigned(std::min<size_t>(asked() - number(pc) % asked(), place.size() - pc / 16));
  }
  // Decoded, and known to the hardware.
  // The target of a direct jump, which it must be.
  uint32_t target(uint32_t pc) const;
  // Somewhere in the warp's stretch; at times outside the code, or at no multiple of what a PC is one of.
  uint32_t somewhere(Random &rnd, unsigned warp, unsigned warps) const;
  bool known(uint32_t pc, heddle_isa_dec *d) const {
    return heddle_isa_decode(word(pc), d) && heddle_isa_in_machine(d, units);
  }
  bool legal(uint32_t pc, heddle_isa_dec *d) const {
    return !middle(pc) && known(pc, d) && heddle_isa_max_reg(d) < kRegs;
  }
};
Code make_code(Random &rnd, unsigned warps, uint32_t units, unsigned step, const Rows &rows);

// Whether what follows in memory is likely to come next: not after a jump that every lane takes, nor after a guarded
// branch back. Words that are no instruction may look like anything.
enum Jump { FALLS, JUMPS, UNKNOWN };
Jump jump_of(const Code &code, uint32_t pc);
bool is_followed(const Code &code, uint32_t pc); // ... but for one with its target in its word

// Fetch by its account: what each warp has buffered or requested, and may request next.
class Model {
public:
  Model(const Code &c, Checks &k, unsigned warps, unsigned ibuf) : code_(c), check_(k), ibuf_(ibuf), w_(warps) {}
  void cycle(const Vtop &top);                       // before the clock edge, inputs and outputs settled
  void answers(unsigned warp) { next_ = int(warp); } // the warp of the answer of this cycle
  bool stale(unsigned warp) const;                   // the cache still owes answers for an older path of the warp
  bool begins() const; // of a warp nothing has issued yet, and no jump has come: it needs the entry
  uint64_t followed = 0;
  uint64_t asked = 0, idle = 0, held_back = 0, pushed = 0, longest = 0; // longest run of cycles with a word each
  uint64_t torn = 0;                                                    // pairs with a flushed second

private:
  struct Warp {
    bool alive = false, begins = false;
    uint32_t pc = 0;
    unsigned used = 0, held = 0, epoch = 0; // held: in the buffer
    Jump stop = FALLS;
  };
  struct Ask {
    unsigned warp, epoch;
    uint32_t pc;     // of the next entry
    unsigned places; // that are not used up
    bool first;      // nothing of it has shown
  };
  struct Push { // a word on its way to the buffer: with short words it takes a cycle
    int warp = -1;
    unsigned epoch = 0;
    uint32_t pc = 0;
  };
  struct Last { // what was driven and shown in the last cycle
    bool there = false, req_valid = false, req_ready = false, start = false, done = false, redirect = false,
         ended = false, followed = false;
    int rsp = -1; // warp of the answer
    unsigned start_slot = 0, done_slot = 0;
    uint32_t entry_pc = 0, done_pc = 0;
    uint64_t pop = 0;
  };
  const Code &code_;
  Checks &check_;
  unsigned ibuf_;
  std::vector<Warp> w_;
  std::deque<Ask> asks_, here_; // answers that are awaited; that have come, in this order
  int next_ = -1;
  uint64_t run_ = 0;
  int leads_ = -1; // the warp that goes on at a followed jump's target once no redirect comes
  uint32_t to_ = 0;
  Push late_;
  Last last_;

  bool may_want(const Warp &x) const {
    return x.alive && (leads_ < 0 || &x != &w_[unsigned(leads_)]) && code_.has(x.pc) && x.stop != JUMPS &&
           x.used + code_.room() <= ibuf_;
  }
  bool must_want(const Warp &x) const { return may_want(x) && x.stop == FALLS; }
  unsigned rank(const Warp &x) const { return x.used == 0 ? 0 : x.used < ibuf_ / 2 ? 1 : 2; }
  void judge(const Vtop &top, bool fresh, unsigned taker);
  Push answer();
  Push arrives(bool goes);
  bool goes() const;
  bool flushed(unsigned warp) const; // in the last cycle
  void follow();
  void flush(Warp &x);
  void events();
};
