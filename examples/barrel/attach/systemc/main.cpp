// SPDX-License-Identifier: Apache-2.0
//
// barrel, made a SystemC module by Verilator, under the checker: main LAUNCHES CORE [BUG], where CORE is what core.txt
// says. The verdict's report is what it prints.
#include <cstring>
#include <vector>

#include "side.hpp"

namespace {

constexpr int LATENCY = 1; // as `heddle run --calm`
constexpr uint64_t SECTOR = 32, BYTES = 1u << 18;

struct Bench : sc_core::sc_module, Side {
  sc_core::sc_clock clk{"clk", 10, sc_core::SC_NS};
  const unsigned bug;
  uint64_t base = 0;
  std::vector<uint8_t> mem;
  int waits = -1; // cycles until the answer; -1: nothing is asked for

  SC_HAS_PROCESS(Bench);
  Bench(sc_core::sc_module_name name, Vbarrel_retire &core, heddle_bench *j, unsigned b)
      : sc_module(name), Side(core, j), bug(b) {
    c.clk_i(clk);
    SC_THREAD(run);
  }

  void load() {
    base = value("base");
    mem.assign(BYTES, 0);
    for (unsigned i = 0; i < bench_ranges(judge); i++)
      for (uint64_t at = bench_range_at(judge, i), k = 0; k < bench_range_bytes(judge, i); k++)
        mem.at(at + k - base) = bench_byte(judge, at + k);
  }
  void take() // a sector is asked for
  {
    const uint64_t at = c.addr_o.read() - base;
    uint8_t data[SECTOR];
    waits = LATENCY;
    ports::drive(c.err_i, at >= BYTES);
    if (at >= BYTES) return;
    ports::drive_words(c.rdata_i, reinterpret_cast<const uint32_t *>(&mem[at]), SECTOR / 4);
    if (!c.we_o.read()) return;
    ports::words(reinterpret_cast<uint32_t *>(data), c.wdata_o, SECTOR / 4);
    for (unsigned i = 0; i < SECTOR; i++)
      if ((c.wstrb_o.read() >> i & 1) != 0) mem[at + i] = data[i];
    for (unsigned i = 0; i < SECTOR; i += 4) {
      uint32_t word;
      std::memcpy(&word, &mem[at + i], sizeof word);
      if ((c.wstrb_o.read() >> i & 15) != 0) bench_put(judge, base + at + i, word);
    }
  }
  void edge(bool reset) {
    wait(clk.posedge_event());
    if (!reset) cycle++;
    if (!reset) show_all();
    if (waits >= 0)
      waits--;
    else if (!reset && c.req_o.read())
      take();
    ports::drive(c.ready_i, waits < 0);
    ports::drive(c.rsp_i, waits == 0);
  }

  void run() {
    while (bench_launch(judge)) {
      load();
      tell(bug);
      ports::drive(c.rst_ni, 0);
      ports::drive(c.go_i, 0);
      for (unsigned i = 0; i < 4; i++) edge(true);
      ports::drive(c.rst_ni, 1);
      ports::drive(c.go_i, 1);
      edge(false);
      ports::drive(c.go_i, 0);
      while (fine && !c.done_o.read()) edge(false);
      if (fine) bench_memory(judge, cycle);
    }
    sc_core::sc_stop();
  }
};

} // namespace

int sc_main(int argc, char **argv) {
  if (argc < 3) return 2;
  heddle_bench *judge = bench_open(argv[2], argv[1]);
  Vbarrel_retire core("core");
  Bench bench("bench", core, judge, argc > 3 ? static_cast<unsigned>(std::stoul(argv[3])) : 0);
  sc_core::sc_start();
  std::fputs(bench_report(judge), stdout);
  const int verdict = bench_verdict(judge);
  bench_close(judge);
  return verdict;
}
