// SPDX-License-Identifier: Apache-2.0
// The read-only cache alone, against memory itself: random and local addresses from several sources, lines that come
// late, with bubbles, in any order and mixed, bus errors, contents that change before an invalidation. Every answer is
// compared with memory; those of a source come in order; hits come one a cycle, also while lines are on their way; a
// lone miss takes as long as it must, and straight code waits for few lines.
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include <Vtop.h>
#include "tests/rtl/memory/bench.h"
#include <verilated.h>

#ifndef OUT_BITS
#define OUT_BITS 32
#endif
#ifndef AXI_BITS
#define AXI_BITS 64
#endif
#ifndef MISSES
#define MISSES 1
#endif
#ifndef AHEAD
#define AHEAD 0
#endif
#ifndef ORDERS
#define ORDERS 0
#endif

namespace {

constexpr unsigned kOut = OUT_BITS / 8, kAxi = AXI_BITS / 8, kBeats = 64 / kAxi, kTags = 16;
constexpr uint64_t kBase = 0x7f00000000u;
constexpr unsigned kPace = 11; // cycles from one request of many to the next
// With nothing outstanding lines ahead are looked up one after the other, two cycles each, the first perhaps twice: a
// line that comes in the cycle of a lookup makes it void.
constexpr unsigned kLookups = 2 * AHEAD + 3;

struct Request {
  uint64_t addr, number;
  bool skip;
};
struct Line {
  uint64_t addr, due;
  unsigned tag, sent;
};

class Bench {
public:
  explicit Bench(uint64_t seed) : rnd_{seed}, mem_(1 << 15) {
    for (auto &x : mem_) x = static_cast<uint8_t>(rnd_.u32());
    Verilated::randReset(2);
    Verilated::randSeed(static_cast<int>(seed));
    top_ = std::make_unique<Vtop>();
    Vtop &t = *top_;
    t.rq_valid_i = t.rf_ready_i = t.beat_valid_i = t.done_valid_i = t.invalidate_i = 0;
    t.ahead_last_i = (kBase + mem_.size() - 1) >> 6 & 0x3ff;
    t.rst_ni = 0;
    for (int i = 0; i < 3; i++) edge();
    t.rst_ni = 1;
  }
  void random(uint64_t cycles);
  void timing();
  void fairness();
  void after_a_miss();
  void rests();
  int end(uint64_t seed);

private:
  Random rnd_;
  std::unique_ptr<Vtop> top_;
  Checks checks_;
  std::vector<uint8_t> mem_;
  std::map<unsigned, std::deque<Request>> asked_; // by tag; of a tag in order where it is a source, else one at a time
  std::deque<Line> lines_;
  uint64_t now_ = 0, number_ = 0, err_ = ~0ull, answers_ = 0, overtaken_ = 0, beside_ = 0, most_ = 0, fetched_ = 0,
           mixed_ = 0;
  uint64_t answered_at_ = 0;
  int sending_ = -1;
  bool took_ = false;
  unsigned still_ = 0; // cycles without anything outstanding

  void edge() {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
  }
  bool waiting() const {
    return std::any_of(asked_.begin(), asked_.end(), [](const auto &x) { return !x.second.empty(); });
  }
  // Requests, and lines that are asked for or on their way.
  bool outstanding() const { return waiting() || top_->rq_valid_i || top_->rf_valid_o || !lines_.empty(); }
  void ask(uint64_t addr, bool skip, unsigned tag);
  void send(bool any_order);
  void answer();
  void cycle(uint64_t latency);
  bool ask_and_wait(uint64_t addr, uint64_t latency, uint64_t *cycles);
  void clear();
};

void Bench::ask(uint64_t addr, bool skip, unsigned tag) {
  Vtop &t = *top_;
  t.rq_valid_i = 1;
  t.rq_addr_i = addr / kOut;
  t.rq_skip_i = skip;
  t.rq_tag_i = tag;
}

// A beat of a line that is due: of the one begun, or of any. The end of a line whose beats have all been sent.
void Bench::send(bool any_order) {
  Vtop &t = *top_;
  t.beat_valid_i = t.done_valid_i = 0;
  std::vector<size_t> due;
  for (size_t i = 0; i < lines_.size(); i++)
    if (lines_[i].due <= now_ && lines_[i].sent < kBeats) due.push_back(i);
  if (!due.empty()) {
    Line &l = lines_[any_order ? due[rnd_.below(static_cast<uint32_t>(due.size()))] : due[0]];
    mixed_ += sending_ >= 0 && unsigned(sending_) != l.tag;
    t.beat_valid_i = 1;
    t.beat_number_i = l.tag;
    t.beat_i = l.sent;
    std::memcpy(bytes(t.data_i), &mem_[l.addr - kBase + l.sent * kAxi], kAxi);
    sending_ = l.sent + 1 == kBeats ? -1 : int(l.tag);
    if (++l.sent == kBeats) l.due = now_ + 1; // of its end
  }
  for (size_t i = 0; i < lines_.size(); i++) {
    const Line &l = lines_[i];
    if (l.sent < kBeats || l.due > now_ || (any_order && rnd_.percent(30))) continue;
    t.done_valid_i = 1;
    t.done_number_i = l.tag;
    t.err_i = (err_ & ~63ull) == l.addr;
    lines_.erase(lines_.begin() + static_cast<long>(i));
    break;
  }
}

void Bench::answer() {
  Vtop &t = *top_;
  auto &queue = asked_[t.rs_tag_o];
  if (!checks_.that(!queue.empty(), "an answer to a request", t.rs_tag_o)) return;
  Request r = queue.front();
  queue.pop_front();
  answers_++;
  answered_at_ = now_;
  for (const auto &other : asked_)
    if (!other.second.empty() && other.second.front().number < r.number) {
      overtaken_++;
      break;
    }
  bool bad = !r.skip && (r.addr & ~63ull) == (err_ & ~63ull);
  checks_.that(t.rs_err_o == bad, "bus error", r.addr, err_);
  checks_.that(t.rs_sector_o == r.addr >> 5, "sector", t.rs_sector_o, r.addr);
  if (!bad && !r.skip) checks_.that(!std::memcmp(bytes(t.rs_data_o), &mem_[r.addr - kBase], kOut), "data", r.addr);
}

// What is driven is driven; answers, requests that were taken, lines that are asked for; the edge.
void Bench::cycle(uint64_t latency) {
  Vtop &t = *top_;
  checks_.cycle = now_;
  t.eval();
  if (t.rs_valid_o) answer();
  took_ = t.rq_valid_i && t.rq_ready_o;
  if (took_) asked_[t.rq_tag_i].push_back({uint64_t(t.rq_addr_i) * kOut, number_++, t.rq_skip_i != 0});
  if (t.rf_valid_o && t.rf_ready_i) {
    uint64_t addr = uint64_t(t.rf_half_o) << 6;
    checks_.that(addr >= kBase && addr < kBase + mem_.size(), "a line of memory", addr);
    for (const Line &l : lines_) {
      checks_.that(l.tag != t.rf_number_o, "a tag is used once at a time", l.tag);
      checks_.that(l.addr != addr, "a line is asked for once at a time", l.addr);
    }
    lines_.push_back({addr, now_ + latency, t.rf_number_o, 0});
    fetched_++;
    most_ = std::max<uint64_t>(most_, lines_.size());
    checks_.that(lines_.size() <= MISSES, "lines on their way", lines_.size());
  }
  still_ = outstanding() ? 0 : still_ + 1;
  checks_.that(still_ <= kLookups || t.idle_o, "idle with nothing to do", still_);
  edge();
  if (took_) t.rq_valid_i = 0;
  t.invalidate_i = 0;
  now_++;
}

// Phases of 4096 cycles: anywhere; all in four lines; several sources that go straight on, each in a stretch of its
// own.
void Bench::random(uint64_t cycles) {
  Vtop &t = *top_;
  uint64_t at[kTags], pause = 0, last = now_;
  for (auto &a : at) a = kBase;
  for (uint64_t n = 0; n < cycles && checks_.failed < 20; n++) {
    unsigned phase = unsigned(now_ / 4096 % 3);
    if (n % 3000 == 2999) pause = 300 + rnd_.below(300);
    if (pause && (pause > 2 || !waiting()) && --pause == 1) {
      // Without requests memory changes, then the cache is emptied, also with lines on their way: those ahead, which
      // show what was there when they come.
      for (unsigned i = 0; i < 2000; i++) mem_[rnd_.below(static_cast<uint32_t>(mem_.size()))] ^= 0x5a;
      err_ = rnd_.percent(60) ? kBase + rnd_.below(static_cast<uint32_t>(mem_.size())) : ~0ull;
      t.invalidate_i = 1;
    }
    if (!waiting() && pause > 1 && rnd_.percent(2)) pause = 2;
    t.invalidate_i = t.invalidate_i || rnd_.percent(n % 7000 < 700 ? 1 : 0); // beside anything, memory as it was
    unsigned tag = rnd_.below(kTags);
    bool free = ORDERS > 0 || asked_[tag].empty();
    if (!t.rq_valid_i && !pause && free && (phase == 1 || rnd_.percent(70))) {
      uint64_t &a = at[tag];
      if (phase == 0) a = rnd_.percent(20) ? kBase + rnd_.below(static_cast<uint32_t>(mem_.size())) : a + kOut;
      if (phase == 1) a = kBase + rnd_.below(256);
      if (phase == 2) a = rnd_.percent(2) ? kBase + 2048 * tag : a + kOut;
      if (a + kOut > kBase + mem_.size()) a = kBase;
      a -= a % kOut;
      ask(a, ORDERS == 0 && rnd_.percent(5), tag);
    }
    t.rf_ready_i = rnd_.percent(60);
    if (rnd_.percent(50))
      send(true);
    else
      t.beat_valid_i = t.done_valid_i = 0;
    uint64_t was = answers_;
    bool on_way = !lines_.empty() && waiting();
    cycle(rnd_.percent(10) ? rnd_.below(150) : rnd_.below(20));
    beside_ += on_way && answers_ != was;
    if (answers_ != was || !waiting()) last = now_;
    checks_.that(now_ - last < 4000, "somebody waits for ever");
  }
  clear();
}

// All is answered and nothing on its way, nor will be. Then the cache is emptied.
void Bench::clear() {
  Vtop &t = *top_;
  for (unsigned i = 0; i < 5000 && (i == 0 || still_ <= kLookups); i++) {
    t.rf_ready_i = 1;
    send(false);
    cycle(5);
  }
  checks_.that(still_ > kLookups, "all is answered at the end, and nothing on its way", still_);
  err_ = ~0ull;
  t.beat_valid_i = t.done_valid_i = 0;
  t.invalidate_i = 1;
  cycle(5);
}

bool Bench::ask_and_wait(uint64_t addr, uint64_t latency, uint64_t *cycles) {
  Vtop &t = *top_;
  uint64_t from = now_, was = answers_;
  ask(addr, false, 0);
  while (answers_ == was && now_ - from < 1000) {
    t.rf_ready_i = 1;
    send(false);
    cycle(latency);
  }
  *cycles = answered_at_ - from;
  return answers_ != was;
}

// A memory that takes an address at once and sends its first beat `latency` cycles later, beats without bubbles.
void Bench::timing() {
  constexpr uint64_t kLatency = 100, kLine = kLatency + kBeats;
  Vtop &t = *top_;
  uint64_t cycles = 0;
  // A lone miss: two cycles to its address, the line, its end a cycle later, two to the answer.
  bool came = ask_and_wait(kBase + 0x1000, kLatency, &cycles);
  checks_.that(came && cycles == kLine + 5, "cycles of a miss", cycles, kLine + 5);
  came = ask_and_wait(kBase + 0x1000, kLatency, &cycles);
  checks_.that(came && cycles == 2, "cycles of a hit", cycles);
  clear();

  // Hits, one a cycle, while a line that somebody waits for is on its way.
  (void)ask_and_wait(kBase, kLatency, &cycles);
  for (unsigned i = 0; i < 2 * kLine; i++) {
    send(false);
    cycle(kLatency);
  }
  // A lookup is lost when the miss goes to the head, and when memory takes an address.
  unsigned streak = 0, best = 0, lost = 0;
  for (unsigned i = 0; i < 80; i++) {
    uint64_t was = answers_;
    ask(i == 10 ? kBase + 0x2100 : kBase + i % (64 / kOut) * kOut, false, i == 10 ? 1 : 2);
    if (ORDERS == 0 && i != 10) t.rq_tag_i = 2 + i % 8;
    send(false);
    cycle(kLatency);
    lost += !took_;
    streak = answers_ != was ? streak + 1 : 0;
    best = std::max(best, streak);
  }
  checks_.that(best >= 60 && lost <= 2, "a hit every cycle beside a miss", best, lost);
  clear();

  // Straight code of one source, which takes 32 cycles a line: as many lines at a time as there may be, ahead; else
  // one.
  constexpr uint64_t kCode = 40, kUse = 32;
  constexpr unsigned kWords = 64 / kOut;
  uint64_t from = now_;
  for (uint64_t i = 0; i < kCode * kWords; i++) {
    uint64_t until = now_ + kUse / kWords;
    (void)ask_and_wait(kBase + 0x4000 + i * kOut, kLatency, &cycles);
    while (now_ < until) {
      send(false);
      cycle(kLatency);
    }
  }
  uint64_t each = (now_ - from) / kCode, lines = AHEAD > 0 ? std::min(AHEAD, MISSES) : 1;
  uint64_t bound =
      AHEAD == 0 ? kLine + 5 + kUse + kWords * 2 : std::max<uint64_t>(kUse + 4 * kWords, (kLine + 8) / lines + 8);
  checks_.that(each <= bound, "cycles a line of straight code", each, bound);
  std::printf("straight code: %llu cycles a line, of at most %llu\n", (unsigned long long)each,
              (unsigned long long)bound);
  clear();

  // A demand that finds every place taken by lines ahead waits for the first of them, and no longer.
  if (AHEAD > 0) {
    (void)ask_and_wait(kBase + 0x6000, kLatency, &cycles);
    for (unsigned i = 0; i < 3 * MISSES + 8; i++) {
      send(false);
      cycle(kLatency);
    }
    (void)ask_and_wait(kBase + 0x1040, kLatency, &cycles);
    checks_.that(cycles <= 2 * kLine + 12, "a demand behind lines ahead", cycles, 2 * kLine + 12);
    clear();
  }
}

// All places are taken by lines ahead, one request waits for a place, and others that miss come all the time: the one
// has the first place that gets free. Indices: 8 and the lines ahead of it, 5, and others.
void Bench::fairness() {
  constexpr uint64_t kLatency = 100, kLine = kLatency + kBeats, kMine = kBase + 0x4000 + 5 * 64;
  Vtop &t = *top_;
  for (unsigned phase = 0; AHEAD >= MISSES && phase < 3 * kPace; phase++) {
    uint64_t cycles = 0, others = 0, asked = 0, answered = 0;
    (void)ask_and_wait(kBase + 8 * 64, kLatency - phase / kPace, &cycles);
    for (unsigned i = 0; i < 40 && lines_.size() < MISSES; i++) {
      t.rf_ready_i = 1;
      send(false);
      cycle(kLatency);
    }
    for (unsigned i = 0; i < 3 * kLine && answered == 0; i++) {
      unsigned tag = others % (kTags - 1);
      if (i == 0) {
        asked = now_;
        ask(kMine, false, kTags - 1);
      } else if (!t.rq_valid_i && i % kPace == phase % kPace && asked_[tag].empty()) {
        ask(kBase + 64 * (others / 5 * 16 + others % 5), false, tag);
        others++;
      }
      send(false);
      cycle(kLatency);
      if (i > 2 && asked_[kTags - 1].empty()) answered = now_;
    }
    checks_.that(answered != 0 && answered - asked <= 2 * kLine + 12, "the first place goes to the head",
                 answered - asked, phase);
    clear();
  }
}

// Four sources wait for a line, and ask for what is here meanwhile. What waited leaves at a request a cycle once the
// line has come, and then requests are taken at that rate again: nothing goes on to wait
// because something waits.
void Bench::after_a_miss() {
  constexpr uint64_t kLatency = 100, kLine = kLatency + kBeats;
  uint64_t cycles = 0, number = 0, taken = 0, from = 0;
  if (ORDERS == 0) return;
  (void)ask_and_wait(kBase, kLatency, &cycles);
  for (unsigned i = 0; i < 3 * kLine; i++) { // and the lines ahead
    top_->rf_ready_i = 1;
    send(false);
    cycle(kLatency);
  }
  for (unsigned i = 0; i < 2 * kLine + 300; i++) {
    if (!top_->rq_valid_i) {
      ask(number < 4 ? kBase + 0x4000 + 5 * 64 : kBase, false, unsigned(number % 4));
      number++;
    }
    send(false);
    cycle(kLatency);
    if (i == 2 * kLine) from = number;
  }
  taken = number - from;
  checks_.that(taken >= 298, "a request a cycle after a miss", taken, 298);
  clear();
}

// Two requests for the same, and then none: whatever of the lines ahead comes in which cycle of their lookups, the
// cache is idle in the end.
void Bench::rests() {
  for (unsigned n = 0; n < 1000 && checks_.failed == 0; n++) {
    uint64_t cycles = 0, addr = kBase + 64 * rnd_.below(400), latency = 10 + rnd_.below(20);
    (void)ask_and_wait(addr, latency, &cycles);
    for (unsigned i = rnd_.below(30); i > 0; i--) {
      send(false);
      cycle(latency);
    }
    (void)ask_and_wait(addr, latency, &cycles);
    for (unsigned i = 0; i < 300 && still_ <= kLookups; i++) {
      send(false);
      cycle(latency);
    }
    checks_.that(still_ > kLookups, "nothing is asked for without end", n);
  }
  clear();
}

int Bench::end(uint64_t seed) {
  checks_.that(answers_ > now_ / 8, "answers", answers_);
  checks_.that(overtaken_ > 100 && beside_ > 1000, "answers beside misses", overtaken_, beside_);
  checks_.that(most_ == MISSES && (MISSES == 1 || mixed_ > 100), "lines at a time, their beats mixed", most_, mixed_);
  std::printf("ro_cache seed %llu: %llu answers (%llu before older ones, %llu while lines were on their way), %llu "
              "lines, %llu at "
              "a time, %llu checks, %llu failed\n",
              (unsigned long long)seed, (unsigned long long)answers_, (unsigned long long)overtaken_,
              (unsigned long long)beside_, (unsigned long long)fetched_, (unsigned long long)most_,
              (unsigned long long)checks_.done, (unsigned long long)checks_.failed);
  return checks_.failed ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1;
  Bench bench(seed);
  bench.timing();
  bench.fairness();
  bench.after_a_miss();
  bench.rests();
  bench.random(300000);
  return bench.end(seed);
}
