// SPDX-License-Identifier: Apache-2.0
// The memory behind the request channel of mem_top: line_port, in C, which checks what the SM owes as well.
#pragma once
#include <cstdint>
#include <vector>

#include "cosim/port/channel.hpp"
#include "tests/rtl/memory/bench.h"

template <class Top> class PortMemory {
public:
  uint64_t base;
  std::vector<uint8_t> data;
  uint64_t err_base = 0, err_limit = 0; // a line with a byte here answers with an error
  unsigned axi_bytes = 0;               // of a beat
  bool adversarial = true;
  unsigned latency = 0; // when not adversarial

  PortMemory(Random &r, Checks &c, uint64_t b, size_t size) : base(b), data(size), rnd(r), checks(c) {}
  ~PortMemory() { heddle_line_port_free(port); }
  PortMemory(const PortMemory &) = delete;
  PortMemory &operator=(const PortMemory &) = delete;

  void open(unsigned bytes, unsigned tags, unsigned atoms, uint64_t seed) {
    axi_bytes = bytes;
    options.size = sizeof options;
    heddle_line_port_adversarial(&options, 8 * bytes, seed);
    options.tags = tags;
    options.atoms = atoms;
    options.base = base;
    options.bytes = data.size();
    options.contents = data.data();
    port = heddle_line_port_new(&options);
    if (!checks.that(port != nullptr, "the memory system's numbers")) std::exit(1);
  }

  // Latency, order and errors as they are here, from now on.
  void retime() {
    heddle_line_port_options o{};
    o.size = sizeof o;
    if (adversarial)
      heddle_line_port_adversarial(&o, 8 * axi_bytes, 0);
    else
      heddle_line_port_calm(&o, 8 * axi_bytes, latency + 1);
    o.error[0] = {err_base, err_limit};
    if (adversarial && rnd.below(4) == 0) o.hold_credit = o.hold_read = o.hold_answer = 900;
    checks.that(heddle_line_port_retime(port, &o), "the memory system's times");
  }

  void reset() { heddle_line_port_reset(port); }
  bool idle() const { return heddle_line_port_idle(port); }
  uint64_t requests() const { // of the load/store unit
    const heddle_line_port_stats *s = heddle_line_port_statistics(port);
    return s->requests[HEDDLE_LINE_PORT_LOAD] + s->requests[HEDDLE_LINE_PORT_STORE] +
           s->requests[HEDDLE_LINE_PORT_ATOM];
  }
  void drive(Top &t) { heddle::channel_drive(t, axi_bytes, *heddle_line_port_show(port, 0)); }
  void sample(const Top &t) {
    heddle_line_port_in in;
    heddle::channel_sample(t, axi_bytes, &in);
    heddle_line_port_offer(port, 0, &in);
  }
  unsigned records(const heddle_line_port_record **first) const { return heddle_line_port_records(port, first); }
  void clock() {
    heddle_line_port_clock(port);
    const char *wrong = heddle_line_port_error(port);
    if (wrong != nullptr && !told) {
      told = true;
      if (!checks.quiet) std::printf("%s\n", wrong);
      checks.that(false, "a rule of the request channel");
    }
  }

private:
  Random &rnd;
  Checks &checks;
  heddle_line_port *port = nullptr;
  heddle_line_port_options options{};
  bool told = false;
};
