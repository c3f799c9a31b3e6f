// SPDX-License-Identifier: Apache-2.0
//
// barrel, compiled by Verilator, as a device of `heddle`: how a launch is told, and a memory that answers after a
// while. Records come from the ports of barrel_retire.v.
#include <cstring>

#include <Vbarrel_retire.h>
#include <heddle/verilated_core.hpp>

namespace {

// Compiled with other values: -DBARREL_PROFILE=0 shows less, as a core whose author has done the least.
#ifndef BARREL_PROFILE
#define BARREL_PROFILE 1
#define BARREL_NAME "barrel"
#endif

constexpr unsigned LANES = 8, WARPS = 4, BLOCKS = 2, SHARED = 8192, SECTOR = 32;

struct Barrel {
  struct Sizes : heddle::Sizes {
    static constexpr unsigned LANES = ::LANES, BANKS = 32, PARTITIONS = 1;
  };

  static const heddle_core &declaration() {
    static const heddle_core core = [] {
      heddle_core c{};
      c.size = sizeof c;
      c.name = BARREL_NAME;
      c.lanes = LANES;
      c.warp_slots = WARPS;
      c.block_slots = BLOCKS;
      c.regs = WARPS * 255;
      c.shared_bytes = SHARED;
      c.units = 1u << ISA_UNIT_ALU | 1u << ISA_UNIT_FMA | 1u << ISA_UNIT_MEM | 1u << ISA_UNIT_BR | 1u << ISA_UNIT_WARP;
      c.hidden = BARREL_PROFILE == 0 ? HEDDLE_RECORD_HIDDEN_P0 : HEDDLE_RECORD_HIDDEN_P1;
      c.read_age = c.pred_age = 1;
      c.clock_ahead = static_cast<uint64_t>(-4); // the clock is read four cycles before the issue is shown
      c.scoreboard = true; // it never overlaps instructions: what comes too early is its own fault
      return c;
    }();
    return core;
  }

  explicit Barrel(const heddle_core_options &options) : o(options), rng(options.seed | 1) {}

  template <class Port> static void put(Port &port, unsigned bit, unsigned width, uint64_t value) {
    for (unsigned i = 0; i < width; i++) {
      const uint32_t mask = 1u << (bit + i) % 32;
      uint32_t &word = port[(bit + i) / 32];
      word = (value >> i & 1) != 0 ? word | mask : word & ~mask;
    }
  }

  void launch(Vbarrel_retire &top, const heddle_image &image) {
    const heddle_launch &l = *image.launch;
    top.bug_i = static_cast<uint8_t>(o.fault);
    top.code_base_i = l.code_at;
    top.code_bytes_i = l.code_bytes;
    top.entry_i = l.entry_pc;
    top.regs_i = l.regs;
    top.shared_bytes_i = l.shared_bytes;
    top.local_base_i = l.local_at;
    top.local_bytes_i = l.local_bytes;
    top.region_write_i = 0;
    for (unsigned i = 0; i < 3; i++) {
      put(top.grid_i, 32 * i, 32, l.grid[i]);
      put(top.block_i, 32 * i, 32, l.block[i]);
    }
    for (unsigned i = 0; i < 4; i++) {
      put(top.cbank_base_i, 40 * i, 40, l.cbank_at[i]);
      put(top.cbank_bytes_i, 17 * i, 17, l.cbank_bytes[i]);
    }
    for (unsigned i = 0; i < 16; i++) {
      const bool there = i < l.regions;
      put(top.region_base_i, 40 * i, 40, there ? l.region[i].base : 0);
      put(top.region_limit_i, 41 * i, 41, there ? l.region[i].limit : 0);
      if (there && l.region[i].writable) top.region_write_i |= static_cast<uint16_t>(1u << i);
    }
    top.go_i = 0;
    waits = -1;
    begins = true;
  }

  uint64_t draw() {
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return rng >> 20;
  }

  // One request at a time: taken when memory is free and in the mood, answered some cycles later; or always at once,
  // and after as many cycles as are wanted.
  void inputs(Vbarrel_retire &top) {
    top.go_i = begins && top.rst_ni != 0;
    if (top.go_i != 0) begins = false;
    top.ready_i = waits < 0 && (o.latency != 0 || draw() % 4 != 0);
    top.rsp_i = waits == 0;
    if (waits == 0) std::memcpy(top.rdata_i.data(), data, SECTOR);
    top.err_i = waits == 0 && failed;
  }
  void outputs(const Vbarrel_retire &top) {
    if (waits >= 0) waits--;
    if (top.req_o == 0 || top.ready_i == 0) return;
    if (top.we_o != 0) {
      const uint64_t strobe[2] = {top.wstrb_o, 0};
      failed = !o.store(o.memory, top.addr_o, top.wdata_o.data(), strobe, SECTOR);
    } else {
      failed = !o.load(o.memory, top.addr_o, data, SECTOR);
    }
    waits = static_cast<int>(o.latency != 0 ? o.latency : draw() % 8);
  }
  bool ended(const Vbarrel_retire &top) const { return top.done_o != 0; }

private:
  heddle_core_options o;
  uint64_t rng;
  uint8_t data[SECTOR] = {};
  int waits = -1; // cycles until the answer; -1: nothing is asked for
  bool begins = false, failed = false;
};

} // namespace

HEDDLE_VERILATED_CORE(Vbarrel_retire, Barrel)
