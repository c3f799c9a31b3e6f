// SPDX-License-Identifier: Apache-2.0
//
// The memory system behind the request channel of heddle_gpu_port: a line_port over the bytes of the device's memory, and
// before it, on request, an L1 in C. Another memory system goes here (docs/memory-port.md).
#ifndef HEDDLE_SEAT_HPP
#define HEDDLE_SEAT_HPP

extern "C" {
#include <heddle/axi_mem.h>
#include <heddle/line_port.h>
}
#include "cosim/port/channel.hpp"
#include "cosim/verilator/cache.hpp"
#include "cosim/verilator/sample.hpp"

namespace seat {

constexpr unsigned BYTES = HEDDLE_AXI_BITS_OF_CONFIG / 8;

class Seat {
public:
  Seat() = default;
  Seat(const Seat &) = delete;
  Seat &operator=(const Seat &) = delete;
  ~Seat() { heddle_line_port_free(port); }

  // Times and manners are the AXI memory's, as far as both have them.
  // l1: text of its sizes, or NULL.
  bool begin(heddle_axi_mem *m, const heddle_axi_mem_config &c, const char *l1 = nullptr)
  {
    if (!cache.begin(l1, 8 * BYTES, HEDDLE_TAGS_OF_CONFIG, HEDDLE_ATOMS_OF_CONFIG)) return false;
    o.size = sizeof o;
    heddle_line_port_calm(&o, 8 * BYTES, c.latency_min != 0 ? c.latency_min : 1);
    o.latency_max = c.latency_max > o.latency ? c.latency_max : o.latency;
    o.seed = c.seed;
    o.reorder = o.junk = c.reorder;
    o.interleave = c.interleave;
    o.hold_credit = c.stall[HEDDLE_AXI_AW];
    o.hold_answer = c.stall[HEDDLE_AXI_B];
    o.hold_read = c.stall[HEDDLE_AXI_R];
    o.tags = cache.tags(HEDDLE_TAGS_OF_CONFIG);
    o.atoms = HEDDLE_ATOMS_OF_CONFIG;
    o.base = c.base / HEDDLE_LINE_PORT_LINE * HEDDLE_LINE_PORT_LINE;
    o.bytes = (c.base + c.bytes - o.base) / HEDDLE_LINE_PORT_LINE * HEDDLE_LINE_PORT_LINE;
    o.memory = {m, load, store, nullptr};
    memory = m;
    heddle_line_port_free(port);
    port = heddle_line_port_new(&o);
    return port != nullptr;
  }
  void reset()
  {
    if (port != nullptr) heddle_line_port_reset(port);
    if (cache.on()) cache.reset();
  }

  template <class Top> inline void drive(Top &t)
  {
    heddle::channel_drive(t, BYTES, cache.on() ? *cache.shows() : *heddle_line_port_show(port, 0));
  }
  // An SM in reset has dropped its requests, and waits for credits.
  template <class Top> inline void sample(const Top &t)
  {
    in_reset = !t.sm_rst_no;
    heddle_line_port_in in;
    heddle::channel_sample(t, BYTES, &in);
    heddle_line_port_offer(port, 0, cache.on() ? cache.between(in, *heddle_line_port_show(port, 0)) : &in);
  }
  // The first rule that the SM has broken, in words, or NULL.
  inline const char *clock()
  {
    follow_errors();
    if (in_reset)
      reset();
    else {
      heddle_line_port_clock(port);
      if (cache.on()) cache.clock();
    }
    return cache.on() && cache.error() != nullptr ? cache.error() : heddle_line_port_error(port);
  }

  // Performed accesses of this cycle, and events of the cache.
  inline void show(sample::Buffer &b)
  {
    const heddle_line_port_record *r;
    const unsigned n = heddle_line_port_records(port, &r);
    b.room();
    for (unsigned i = 0; i < n; i++) {
      if (r[i].fill)
        put_fill(r[i], b.add(HEDDLE_RECORD_FILL).u.fill);
      else
        put(r[i], b.add(HEDDLE_RECORD_GLOBAL).u.global);
    }
    if (cache.on()) cache.show(b);
  }
  // Records of the SM in this cycle.
  inline void watch(const heddle_retire_record *r, size_t n)
  {
    if (cache.on()) cache.watch(r, n);
  }

private:
  heddle_line_port *port = nullptr;
  Cache cache;
  heddle_line_port_options o{};
  heddle_axi_mem *memory = nullptr;
  bool in_reset = true;

  // Which bytes answer with errors is said to the device's memory, launch by launch.
  inline void follow_errors()
  {
    const heddle_axi_mem_config *c = heddle_axi_mem_configuration(memory);
    if (c->error_base == o.error[0].base && c->error_limit == o.error[0].limit) return;
    o.error[0] = {c->error_base, c->error_limit};
    heddle_line_port_retime(port, &o);
  }

  static bool load(void *m, uint64_t at, uint8_t *data)
  {
    return heddle_axi_mem_load(static_cast<heddle_axi_mem *>(m), at, data, HEDDLE_LINE_PORT_LINE);
  }
  static bool store(void *m, uint64_t at, const uint8_t *data, const uint64_t *strb)
  {
    return heddle_axi_mem_store(static_cast<heddle_axi_mem *>(m), at, data, strb, HEDDLE_LINE_PORT_LINE);
  }

  static void put_fill(const heddle_line_port_record &r, heddle_record_fill &f)
  {
    f = heddle_record_fill{};
    f.sector = r.sector;
    f.stamp = r.stamp;
    f.number = r.number;
    f.sm = r.sm;
    f.bank = r.bank;
    f.is_local = r.access == HEDDLE_RECORD_LOCAL_LOAD;
  }
  // Identity of the record, with the partition, which memory does not have.
  static void put(const heddle_line_port_record &r, heddle_record_global &g)
  {
    g = heddle_record_global{};
    g.id.sm = r.sm;
    g.id.partition = static_cast<uint8_t>(r.slot % HEDDLE_PARTITIONS_OF_CONFIG);
    g.id.slot = r.slot;
    g.id.gen = r.gen;
    g.id.seq = r.seq;
    g.sector = r.sector;
    g.stamp = r.stamp;
    g.lanes = r.lanes;
    g.wstrb = r.wstrb;
    g.access = r.access;
    g.bank = r.bank;
    std::memcpy(g.wdata, r.wdata, sizeof g.wdata);
    std::memcpy(g.rdata, r.rdata, sizeof g.rdata);
  }
};

} // namespace seat

#endif
