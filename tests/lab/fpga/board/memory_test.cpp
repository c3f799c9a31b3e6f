// SPDX-License-Identifier: Apache-2.0
// A board's memory, of MEMORY_BYTES: random bursts of several ids, with and without strobes, beside a copy; bursts
// outside of the window; an SDRAM that watches every rule of its data sheet.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include <Vtop.h>
#include <verilated.h>

namespace {

constexpr uint64_t BASE = 0x40000000, BYTES = MEMORY_BYTES;
constexpr uint64_t REFRESH = MEMORY_REFRESH; // ns between two

unsigned failures = 0;
void expect_at(bool ok, const char *what, int line, uint64_t cycle) {
  if (ok) return;
  if (failures++ < 20) printf("memory_test.cpp:%d: cycle %llu: %s\n", line, (unsigned long long)cycle, what);
}
#define EXPECT(what) expect_at((what), #what, __LINE__, cycle_)

struct Burst {
  uint64_t addr = 0;
  unsigned id = 0, beats = 0;
  std::vector<uint64_t> data;
  std::vector<uint8_t> strb;
  unsigned at = 0;
};

class Bench {
public:
  explicit Bench(uint64_t seed) : state_(seed), copy_(BYTES), known_(BYTES) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed));
    top_.reset(new Vtop(&context_));
    top_->awvalid_i = top_->wvalid_i = top_->arvalid_i = top_->rst_ni = 0;
  }
  ~Bench() { top_->final(); }

  void initialise() {
    for (unsigned i = 0; i < 10000 && !(i > 8 && top_->ready_o); i++) {
      top_->rst_ni = i >= 4;
      cycle();
    }
    EXPECT(top_->ready_o && !top_->failed_o);
    EXPECT(top_->errors_o == 0);
    EXPECT(top_->refreshes_o >= 8);
    printf("initialised after %llu cycles\n", (unsigned long long)cycle_);
  }

  // `n` bursts, so many at a time that never two touch one byte.
  void traffic(unsigned n, bool idle) {
    unsigned made = 0;
    const uint64_t limit = cycle_ + 4000 + 400ull * n;
    while ((made < n || !lines_.empty()) && cycle_ < limit) {
      while (made < n && lines_.size() < 8 && (!idle || next() % 64 == 0)) made += make();
      cycle();
    }
    EXPECT(lines_.empty() && made == n);
  }

  // All that is known, once more.
  void everything() {
    for (auto &line : written_) wanted_.push_back(line.first);
    while (!wanted_.empty() || !lines_.empty()) {
      if (!wanted_.empty() && lines_.size() < 8 && !lines_.count(wanted_.front())) {
        Burst b;
        b.addr = BASE + wanted_.front() * 128;
        b.id = static_cast<unsigned>(next() % 32);
        b.beats = 16;
        lines_[wanted_.front()] = true;
        ar_.push_back(b);
        wanted_.pop_front();
      }
      cycle();
      if (cycle_ > 50000000) return;
    }
  }

  void settle(unsigned cycles) {
    for (unsigned i = 0; i < cycles; i++) cycle();
  }
  void finish() {
    EXPECT(top_->errors_o == 0);
    EXPECT(top_->refreshes_o * REFRESH * 25 / 1000 >= (cycle_ - 6000) * 9 / 10);
    printf("%llu cycles, %llu bursts, %llu outside; the SDRAM: %u reads, %u writes, %u refreshes, %u violations\n",
           (unsigned long long)cycle_, (unsigned long long)bursts_, (unsigned long long)outside_, top_->reads_o,
           top_->writes_o, top_->refreshes_o, top_->errors_o);
    EXPECT(bursts_ > 100 && outside_ > 10 && checked_ > 1000);
  }

private:
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // A line of 128 bytes: often one of few rows in all banks, or the first and last of memory, seldom anywhere.
  unsigned make() {
    uint64_t line = 0;
    switch (next() % 8) {
    case 0:
      line = next() % (BYTES / 128);
      break;
    case 1:
      line = next() % 2 ? 0 : BYTES / 128 - 1;
      break;
    default:
      line = (next() % 4) * 0x2000 + next() % 64;
      break;
    }
    const bool out = next() % 24 == 0;
    if (out) line = (BYTES / 128 + next() % 1000) | (next() % 2 ? 1ull << 30 : 0);
    if (lines_.count(line)) return 0;
    Burst b;
    const unsigned first = static_cast<unsigned>(next() % 16);
    b.beats = 1 + static_cast<unsigned>(next() % (16 - first));
    b.addr = BASE + line * 128 + 8 * first;
    b.id = static_cast<unsigned>(next() % 32);
    lines_[line] = true;
    bursts_++;
    outside_ += out;
    if (next() % 2) {
      ar_.push_back(b);
      return 1;
    }
    const unsigned kind = static_cast<unsigned>(next() % 3);
    for (unsigned i = 0; i < b.beats; i++) {
      b.data.push_back(next());
      b.strb.push_back(kind == 0 ? 0xff : kind == 1 ? static_cast<uint8_t>(next()) : (next() % 2 ? 0xff : 0));
    }
    aw_.push_back(b);
    w_.push_back(b);
    return 1;
  }

  static bool inside(uint64_t addr) { return addr >= BASE && addr < BASE + BYTES; }

  void cycle() {
    Vtop &t = *top_;
    auto maybe = [&] { return next() % 4 != 0; };
    if (!t.awvalid_i && !aw_.empty() && maybe()) {
      t.awvalid_i = 1;
      t.awaddr_i = aw_.front().addr;
      t.awid_i = aw_.front().id;
      t.awlen_i = aw_.front().beats - 1;
    }
    if (!t.arvalid_i && !ar_.empty() && maybe()) {
      t.arvalid_i = 1;
      t.araddr_i = ar_.front().addr;
      t.arid_i = ar_.front().id;
      t.arlen_i = ar_.front().beats - 1;
    }
    if (!t.wvalid_i && !w_.empty() && maybe()) {
      const Burst &b = w_.front();
      t.wvalid_i = 1;
      t.wdata_i = b.data[b.at];
      t.wstrb_i = b.strb[b.at];
      t.wlast_i = b.at + 1 == b.beats;
    }
    t.bready_i = maybe();
    t.rready_i = maybe();
    t.clk_i = 0;
    t.eval();
    const bool aw = t.awvalid_i && t.awready_o, w = t.wvalid_i && t.wready_o, ar = t.arvalid_i && t.arready_o;
    if (t.rst_ni && t.bvalid_o && t.bready_i) answer_write();
    if (t.rst_ni && t.rvalid_o && t.rready_i) answer_read();
    t.clk_i = 1;
    t.eval();
    cycle_++;
    if (!t.rst_ni) return;
    if (aw) {
      writes_[t.awid_i].push_back(aw_.front());
      aw_.pop_front();
      t.awvalid_i = 0;
    }
    if (w) {
      if (++w_.front().at == w_.front().beats) w_.pop_front();
      t.wvalid_i = 0;
    }
    if (ar) {
      reads_[t.arid_i].push_back(ar_.front());
      ar_.pop_front();
      t.arvalid_i = 0;
    }
  }

  void answer_write() {
    const Vtop &t = *top_;
    auto &open = writes_[t.bid_o];
    EXPECT(!open.empty());
    if (open.empty()) return;
    const Burst b = open.front();
    open.pop_front();
    EXPECT(t.bresp_o == (inside(b.addr) ? 0 : 3));
    lines_.erase((b.addr - BASE) / 128);
    if (!inside(b.addr)) return;
    written_[(b.addr - BASE) / 128] = true;
    for (unsigned i = 0; i < b.beats; i++)
      for (unsigned k = 0; k < 8; k++)
        if (b.strb[i] >> k & 1) {
          copy_[b.addr - BASE + 8 * i + k] = static_cast<uint8_t>(b.data[i] >> 8 * k);
          known_[b.addr - BASE + 8 * i + k] = 1;
        }
  }

  void answer_read() {
    const Vtop &t = *top_;
    auto &open = reads_[t.rid_o];
    EXPECT(!open.empty());
    if (open.empty()) return;
    Burst &b = open.front();
    const uint64_t at = b.addr - BASE + 8 * b.at;
    EXPECT(t.rresp_o == (inside(b.addr) ? 0 : 3));
    if (inside(b.addr))
      for (unsigned k = 0; k < 8; k++)
        if (known_[at + k]) {
          EXPECT(static_cast<uint8_t>(t.rdata_o >> 8 * k) == copy_[at + k]);
          checked_++;
        }
    b.at++;
    EXPECT(t.rlast_o == (b.at == b.beats));
    if (b.at == b.beats) {
      lines_.erase((b.addr - BASE) / 128);
      open.pop_front();
    }
  }

  VerilatedContext context_;
  std::unique_ptr<Vtop> top_;
  uint64_t state_, cycle_ = 0, bursts_ = 0, outside_ = 0, checked_ = 0;
  std::vector<uint8_t> copy_, known_;
  std::map<uint64_t, bool> lines_, written_; // lines with a burst under way; lines that hold something
  std::deque<uint64_t> wanted_;
  std::deque<Burst> aw_, w_, ar_;
  std::map<unsigned, std::deque<Burst>> writes_, reads_;
};

} // namespace

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  Bench bench(seed);
  bench.initialise();
  bench.traffic(3000, false);
  bench.traffic(50, true);
  bench.settle(600000); // refreshes alone: a timer that is one cycle slow is nine of them behind by then
  bench.everything();
  bench.finish();
  printf("%s, seed %llu\n", failures ? "FAILED" : "ok", (unsigned long long)seed);
  return failures != 0;
}
