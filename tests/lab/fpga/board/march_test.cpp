// SPDX-License-Identifier: Apache-2.0
// The march test over a memory that is right, and over memories that are broken in the ways memories break: each is
// found.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

#include <Vtop.h>
#include <verilated.h>

namespace {

constexpr unsigned WORDS = 64;
constexpr uint64_t BASE = 0x40000000;

// What the memory does to a write of `data` to word `at`.
using Memory = std::map<uint64_t, uint64_t>;
using Fault = std::function<void(Memory &, uint64_t at, uint64_t data)>;

struct Result {
  uint32_t errors, first;
  bool done;
};

struct Bench {
  VerilatedContext context;
  Vtop top{&context};
  Memory memory;
  Fault write;
  bool bus_error = false;
  bool b = false, r = false, aw = false, w = false;
  uint64_t at = 0, data = 0, read_at = 0, accesses = 0;

  explicit Bench(const Fault &f) : write(f) {
    top.rst_ni = top.s_axil_awvalid_i = top.s_axil_wvalid_i = top.s_axil_arvalid_i = 0;
    top.s_axil_bready_i = top.s_axil_rready_i = 1;
    for (unsigned i = 0; i < 4; i++) edge();
    top.rst_ni = 1;
  }
  ~Bench() { top.final(); }

  void edge() {
    top.m_axi_awready_i = top.m_axi_arready_i = top.m_axi_wready_i = 1;
    top.m_axi_bvalid_i = b;
    top.m_axi_bresp_i = 0;
    top.m_axi_rvalid_i = r;
    top.m_axi_rdata_i = r ? memory[read_at] : 0;
    top.m_axi_rresp_i = bus_error && read_at == 3 ? 2 : 0;
    top.clk_i = 0;
    top.eval();
    const bool b_taken = b && top.m_axi_bready_o, r_taken = r && top.m_axi_rready_o;
    const bool awv = top.m_axi_awvalid_o, wv = top.m_axi_wvalid_o, arv = top.m_axi_arvalid_o;
    const uint64_t awaddr = top.m_axi_awaddr_o, araddr = top.m_axi_araddr_o, wdata = top.m_axi_wdata_o;
    const bool live = top.rst_ni;
    top.clk_i = 1;
    top.eval();
    if (!live) return;
    if (b_taken) b = false;
    if (r_taken) r = false;
    if (awv) aw = true, at = (awaddr - BASE) / 8;
    if (wv) w = true, data = wdata;
    if (aw && w) aw = w = false, b = true, accesses++, write(memory, at, data);
    if (arv) r = true, read_at = (araddr - BASE) / 8, accesses++;
  }
  void put(unsigned reg, uint32_t value) {
    top.s_axil_awvalid_i = top.s_axil_wvalid_i = 1;
    top.s_axil_awaddr_i = reg;
    top.s_axil_wdata_i = value;
    edge();
    top.s_axil_awvalid_i = top.s_axil_wvalid_i = 0;
    edge();
  }
  uint32_t get(unsigned reg) {
    top.s_axil_arvalid_i = 1;
    top.s_axil_araddr_i = reg;
    edge();
    top.s_axil_arvalid_i = 0;
    const uint32_t value = top.s_axil_rdata_o;
    edge();
    return value;
  }
  Result run(unsigned pattern) {
    put(8, WORDS);
    put(4, pattern);
    uint32_t status = 1;
    for (unsigned i = 0; i < 10000 && !(status & 2); i++) status = get(4);
    return {get(12), get(16), (status & 3) == 2};
  }
};

unsigned failures = 0;
void say(bool ok, const char *what, const char *how) {
  if (ok) return;
  failures++;
  printf("%s: %s\n", what, how);
}

// Found by one of the patterns at least, at the place said where there is one.
void broken(const char *what, const Fault &f, int64_t where) {
  bool found = false;
  for (unsigned p = 0; p < 7; p++) {
    Bench bench(f);
    const Result r = bench.run(p);
    say(r.done, what, "does not end");
    if (r.errors == 0) continue;
    found = true;
    say(where < 0 || r.first == BASE + 8 * static_cast<uint64_t>(where), what, "found at another place");
  }
  say(found, what, "not found");
}

} // namespace

int main() {
  const Fault right = [](Memory &m, uint64_t at, uint64_t d) { m[at] = d; };
  for (unsigned p = 0; p < 7; p++) {
    Bench bench(right);
    const Result r = bench.run(p);
    say(r.done && r.errors == 0, "right memory", "differs");
    say(bench.accesses == 10 * WORDS, "right memory", "not ten accesses a word");
    say(bench.memory.size() == WORDS, "right memory", "not all words");
    say(bench.get(0) == 0x4d524348, "identity", "another");
  }
  broken(
      "a bit that is always 0", [](Memory &m, uint64_t at, uint64_t d) { m[at] = at == 7 ? d & ~(1ull << 33) : d; }, 7);
  broken(
      "a bit that is always 1", [](Memory &m, uint64_t at, uint64_t d) { m[at] = at == 9 ? d | 1 : d; }, 9);
  broken(
      "a bit that does not rise again",
      [](Memory &m, uint64_t at, uint64_t d) { m[at] = at == 5 && m.count(at) ? d & (m[at] | ~4ull) : d; }, 5);
  broken(
      "two words at one place", [](Memory &m, uint64_t at, uint64_t d) { m[at] = d, m[at ^ 32] = d; }, -1);
  broken(
      "a line of the address that is stuck",
      [](Memory &m, uint64_t at, uint64_t d) {
        m[at & ~8ull] = d;
        m[at | 8] = d;
      },
      -1);
  broken(
      "a write that changes its neighbour",
      [](Memory &m, uint64_t at, uint64_t d) {
        m[at] = d;
        if (at == 20 && m.count(21)) m[21] ^= 1;
      },
      -1);
  broken(
      "a bit that follows another", [](Memory &m, uint64_t at, uint64_t d) { m[at] = (d & ~2ull) | (d & 1) << 1; }, -1);
  broken(
      "a byte enable that is dead",
      [](Memory &m, uint64_t at, uint64_t d) { m[at] = (d & ~0xff00ull) | (m.count(at) ? m[at] & 0xff00 : 0); }, -1);
  Bench errors(right);
  errors.bus_error = true;
  const Result r = errors.run(0);
  say(r.done && r.errors == 5 && r.first == BASE + 24, "errors of the bus", "not five reads at the word");
  printf("%s\n", failures ? "FAILED" : "ok");
  return failures != 0;
}
