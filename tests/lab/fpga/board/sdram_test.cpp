// SPDX-License-Identifier: Apache-2.0
// The SDRAM that watches its rules (lab/fpga/board/sim/sdram_model.sv): what a data sheet allows passes, and each rule,
// broken alone, is named. A clock period is 10 ns.
#include <cstdio>
#include <functional>
#include <memory>

#include <Vtop.h>
#include <verilated.h>

namespace {

unsigned failures = 0;

// rule_e of the model.
struct Rules {
  enum {
    NONE,
    TOO_EARLY,
    NOT_INITIALISED,
    CKE_FELL,
    NO_SUCH_COMMAND,
    BANK_OPEN,
    BANK_CLOSED,
    RCD,
    RP,
    RAS,
    RC,
    RRD,
    WR,
    RFC,
    MRD,
    OPEN_AT_REFRESH,
    OPEN_AT_MODE,
    BAD_MODE,
    REFRESH_LATE,
    CONTENTION
  };
};

enum Command { MODE = 0, REFRESH = 1, PRECHARGE = 2, ACTIVE = 3, WRITE = 4, READ = 5, TERMINATE = 6, NOP = 7 };

struct Chip {
  VerilatedContext context;
  Vtop top{&context};
  unsigned got = 0;
  Chip() {
    top.cke_i = 1;
    top.drive_i = 0;
    command(NOP, 0, 0);
  }
  ~Chip() { top.final(); }
  void edge() {
    top.clk_i = 0;
    top.eval();
    got = top.dq_o;
    top.clk_i = 1;
    top.eval();
    top.cs_ni = 1;
    top.drive_i = 0;
    top.dm_i = 0;
  }
  void wait(unsigned n) {
    for (unsigned i = 0; i < n; i++) edge();
  }
  void command(unsigned c, unsigned bank, unsigned address) {
    top.cs_ni = c == NOP;
    top.ras_ni = c >> 2 & 1;
    top.cas_ni = c >> 1 & 1;
    top.we_ni = c & 1;
    top.ba_i = bank;
    top.a_i = address;
  }
  void give(unsigned c, unsigned bank, unsigned address, unsigned after) { // and so many edges in all
    command(c, bank, address);
    edge();
    wait(after - 1);
  }
  void write(unsigned bank, unsigned column, unsigned data, unsigned mask, unsigned after) {
    top.drive_i = 1;
    top.dq_i = data;
    top.dm_i = mask;
    give(WRITE, bank, column, after);
  }
  void initialise(unsigned refreshes = 8, unsigned mode = 0x20) {
    wait(10001); // 100 us
    give(PRECHARGE, 0, 0x400, 2);
    for (unsigned i = 0; i < refreshes; i++) give(REFRESH, 0, 0, 7);
    give(MODE, 0, mode, 3);
  }
};

void rule(const char *what, unsigned expected, const std::function<void(Chip &)> &use) {
  Chip chip;
  use(chip);
  const bool right = expected == 0 ? chip.top.errors_o == 0 : chip.top.errors_o == 1 && chip.top.rule_o == expected;
  if (right) return;
  failures++;
  printf("%s: %u violations, the last of rule %u, not %u\n", what, chip.top.errors_o, chip.top.rule_o, expected);
}

void expect_data(const char *what, unsigned got, unsigned expected) {
  if (got == expected) return;
  failures++;
  printf("%s: read %04x, not %04x\n", what, got, expected);
}

} // namespace

int main() {
  using R = Rules;
  rule("a usual day", R::NONE, [](Chip &c) {
    c.initialise();
    c.give(ACTIVE, 1, 77, 2);
    c.write(1, 5, 0x1234, 0, 1);
    c.write(1, 6, 0xffff, 0, 1);
    c.write(1, 6, 0x5678, 1, 1); // the low byte stays
    c.give(READ, 1, 5, 1);
    c.give(READ, 1, 6, 2); // two edges after its own command the first is there
    expect_data("first", c.got, 0x1234);
    c.edge();
    expect_data("second", c.got, 0x56ff);
    c.wait(3);
    c.give(PRECHARGE, 1, 0, 2);
    c.give(ACTIVE, 1, 78, 5);
    c.give(READ, 1, 0x400, 6); // precharges itself
    c.give(REFRESH, 0, 0, 7);
    c.give(ACTIVE, 1, 77, 2);
    c.give(READ, 1, 5, 3);
    expect_data("later", c.got, 0x1234);
  });
  rule("CAS latency 3", R::NONE, [](Chip &c) {
    c.initialise(8, 0x30);
    c.give(ACTIVE, 0, 1, 2);
    c.write(0, 9, 0xbeef, 0, 1);
    c.give(READ, 0, 9, 4);
    expect_data("latency 3", c.got, 0xbeef);
  });
  rule("refresh in time", R::NONE, [](Chip &c) {
    c.initialise();
    for (unsigned i = 0; i < 40; i++) c.wait(770), c.give(REFRESH, 0, 0, 7);
  });
  rule("power up", R::TOO_EARLY, [](Chip &c) { c.give(PRECHARGE, 0, 0x400, 2); });
  rule("not initialised", R::NOT_INITIALISED, [](Chip &c) { c.wait(10001), c.give(ACTIVE, 0, 0, 2); });
  rule("few refreshes", R::NOT_INITIALISED, [](Chip &c) { c.initialise(7); });
  rule("no precharge", R::NOT_INITIALISED, [](Chip &c) { c.wait(10001), c.give(REFRESH, 0, 0, 7); });
  rule("burst of two", R::BAD_MODE, [](Chip &c) { c.initialise(8, 0x21); });
  rule("interleaved", R::BAD_MODE, [](Chip &c) { c.initialise(8, 0x28); });
  rule("no such latency", R::BAD_MODE, [](Chip &c) { c.initialise(8, 0x10); });
  rule("reserved bit of the mode", R::BAD_MODE, [](Chip &c) { c.initialise(8, 0x120); });
  rule("refresh late", R::REFRESH_LATE, [](Chip &c) { c.initialise(), c.wait(9 * 782 + 10), c.give(ACTIVE, 0, 0, 1); });
  rule("refresh late, and begun anew", R::NONE,
       [](Chip &c) { c.initialise(), c.wait(20000), c.initialise(), c.give(ACTIVE, 0, 0, 5); });
  const struct {
    const char *name;
    unsigned rule;
    std::function<void(Chip &)> use;
  } broken[] = {
      {"CKE", R::CKE_FELL, [](Chip &c) { c.top.cke_i = 0, c.edge(); }},
      {"terminate", R::NO_SUCH_COMMAND, [](Chip &c) { c.give(TERMINATE, 0, 0, 1); }},
      {"tMRD", R::MRD, [](Chip &c) { c.give(MODE, 0, 0x20, 1), c.give(ACTIVE, 0, 0, 1); }},
      {"open twice", R::BANK_OPEN, [](Chip &c) { c.give(ACTIVE, 0, 0, 9), c.give(ACTIVE, 0, 1, 1); }},
      {"read closed", R::BANK_CLOSED, [](Chip &c) { c.give(ACTIVE, 0, 0, 5), c.give(READ, 1, 0, 1); }},
      {"closed itself", R::BANK_CLOSED,
       [](Chip &c) { c.give(ACTIVE, 0, 0, 5), c.give(READ, 0, 0x400, 6), c.write(0, 0, 0, 0, 1); }},
      {"tRCD", R::RCD, [](Chip &c) { c.give(ACTIVE, 0, 0, 1), c.give(READ, 0, 0, 1); }},
      {"tRAS", R::RAS, [](Chip &c) { c.give(ACTIVE, 0, 0, 4), c.give(PRECHARGE, 0, 0, 1); }},
      {"tRAS, by itself", R::RAS, [](Chip &c) { c.give(ACTIVE, 0, 0, 3), c.give(READ, 0, 0x400, 1); }},
      {"tWR", R::WR, [](Chip &c) { c.give(ACTIVE, 0, 0, 7), c.write(0, 0, 0, 0, 1), c.give(PRECHARGE, 0, 0, 1); }},
      {"tRP", R::RP, [](Chip &c) { c.give(ACTIVE, 0, 0, 7), c.give(PRECHARGE, 0, 0, 1), c.give(ACTIVE, 0, 0, 1); }},
      {"tRP, by itself", R::RP,
       [](Chip &c) { c.give(ACTIVE, 0, 0, 7), c.give(READ, 0, 0x400, 2), c.give(ACTIVE, 0, 0, 1); }},
      {"tRC", R::RC, [](Chip &c) { c.give(ACTIVE, 0, 0, 5), c.give(PRECHARGE, 0, 0, 2), c.give(ACTIVE, 0, 0, 1); }},
      {"tRRD", R::RRD, [](Chip &c) { c.give(ACTIVE, 0, 0, 1), c.give(ACTIVE, 1, 0, 1); }},
      {"tRFC", R::RFC, [](Chip &c) { c.give(REFRESH, 0, 0, 6), c.give(ACTIVE, 0, 0, 1); }},
      {"open at refresh", R::OPEN_AT_REFRESH, [](Chip &c) { c.give(ACTIVE, 2, 0, 5), c.give(REFRESH, 0, 0, 1); }},
      {"open at mode", R::OPEN_AT_MODE, [](Chip &c) { c.give(ACTIVE, 2, 0, 5), c.give(MODE, 0, 0x20, 1); }},
      {"both drive, one after", R::CONTENTION,
       [](Chip &c) { c.give(ACTIVE, 0, 0, 5), c.give(READ, 0, 0, 1), c.write(0, 1, 0, 0, 1); }},
      {"both drive, two after", R::CONTENTION,
       [](Chip &c) { c.give(ACTIVE, 0, 0, 5), c.give(READ, 0, 0, 2), c.write(0, 1, 0, 0, 1); }},
  };
  for (const auto &b : broken) rule(b.name, b.rule, [&b](Chip &c) { c.initialise(), b.use(c); });
  printf("%s\n", failures ? "FAILED" : "ok");
  return failures != 0;
}
